//! Programs with known values.

use super::evaluate;

#[track_caller]
fn check(declarations: &str, expr: &str, expected: &str) {
    assert_eq!(evaluate(declarations, expr), expected, "{declarations}; {expr}");
}

#[test]
fn numbers() {
    check("", "1 + 2 * 3", "7");
    check("", "~7 div 2", "(~4)");
    check("", "~7 mod 2", "1");
    check("", "1.5 + 2.25", "3.75");
    check("", "IntInf.pow (2, 100)", "1267650600228229401496703205376");
    check(
        "",
        "1073741823 + 1",
        "text:1:10: Overflow in `1073741823 + 1` (int has 31 bits, as in CPN Tools)",
    );
    check("", "1 div 0", "text:1:10: exception Div in `1 div 0`");
}

#[test]
fn functions() {
    check("fun fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)", "fib 20", "6765");
    check("fun add a b = a + b", "List.map (add 3) [1, 2, 3]", "[4,5,6]");
    check(
        "fun count (0, k) = k | count (n, k) = count (n - 1, k + 1)",
        "count (1000000, 0)",
        "1000000",
    );
    check("fun deep 0 = 0 | deep n = 1 + deep (n - 1)", "deep 1000000", "1000000");
    check("", "List.foldl (fn (x, s) => x + s) 0 (List.tabulate (10, fn i => i * i))", "285");
    check("fun f x = let fun g y = (x, y) in g end", "(f 1 2, f \"a\" 3)", "((1,2),(\"a\",3))");
    check(
        "fun even 0 = true | even n = odd (n - 1) and odd 0 = false | odd n = even (n - 1)",
        "even 1001",
        "false",
    );
}

#[test]
fn data() {
    check(
        "datatype t = Leaf | Node of t * int * t
           fun insert (x, Leaf) = Node (Leaf, x, Leaf)
             | insert (x, t as Node (l, y, r)) = if x < y then Node (insert (x, l), y, r)
               else if x > y then Node (l, y, insert (x, r)) else t
           fun list Leaf = nil | list (Node (l, x, r)) = list l ^^ (x :: list r)",
        "list (foldl insert Leaf [3, 1, 2, 5, 4, 3])",
        "[1,2,3,4,5]",
    );
    check(
        "datatype e = N of int | Add of e * e | Neg of e | Zero
           fun v (N n) = n | v (Add (a, b)) = v a + v b | v (Neg e) = ~ (v e) | v Zero = 0",
        "v (Add (N 3, Neg (Add (N 1, Zero))))",
        "2",
    );
    check("", "[SOME 1, NONE]", "[SOME(1),NONE]");
    check("", "{b = 1, a = \"x\"}", "{a=\"x\",b=1}");
    check("", "case [1, 2, 3] of [a, b] => a | a :: b :: _ => a * 10 + b | _ => 0", "12");
}

#[test]
fn exceptions() {
    check(
        "exception E of int * string",
        "(raise E (3, \"x\")) handle E (n, s) => (n, s)",
        "(3,\"x\")",
    );
    check("", "(hd nil) handle Empty => 7", "7");
    check(
        "fun f x = x div 0",
        "f 1 handle Overflow => 2",
        "declarations:1:11: exception Div in `x div 0`",
    );
    check("", "let val r = ref 0 in while !r < 10 do r := !r + 3; !r end", "12");
}

#[test]
fn library() {
    check("", "String.concatWith \", \" (map Int.toString [1, ~2])", "\"1, ~2\"");
    check("", "1`3 ++ 2`4", "[3,4,4]");
    check("", "(1`3 ++ 2`4) -- 1`4", "[3,4]");
    check("", "sort (op < : int * int -> bool) [3, 1, 2]", "[1,2,3]");
    check(
        "colset I = int; colset C = with red | green; colset P = product I * C",
        "P.mkstr (~3, green)",
        "\"((~3),green)\"",
    );
    check(
        "colset I = int with 1..3; colset C = with red | green; colset P = product I * C",
        "P.all ()",
        "[(1,red),(1,green),(2,red),(2,green),(3,red),(3,green)]",
    );
}
