//! The core of Standard ML: the type of each construct.

use super::{problems, type_of};

fn check(cases: &[(&str, &str)]) {
    for (expr, expected) in cases {
        assert_eq!(type_of("", expr), *expected, "{expr}");
    }
}

#[test]
fn constants() {
    check(&[
        ("1", "int"),
        ("~1", "int"),
        ("0x1F", "int"),
        ("0wxFF", "word"),
        ("1.5", "real"),
        ("1E~3", "real"),
        ("\"a\\n\\065\\\n   \\b\"", "string"),
        ("#\"c\"", "char"),
        ("()", "unit"),
        ("1 : IntInf.int", "IntInf.int"),
        ("123456789012345678901234567890 : IntInf.int", "IntInf.int"),
        ("(* a (* nested *) comment *) true", "bool"),
    ]);
}

#[test]
fn operators_bind_as_declared() {
    check(&[
        ("1 + 2 * 3 = 7 andalso not (1 > 2) orelse false", "bool"),
        ("1.0 + 2.0 * ~ 3.0", "real"),
        ("7 div 2 mod 2", "int"),
        ("1.0 / 2.0", "real"),
        ("\"a\" ^ \"b\" < \"c\"", "bool"),
        ("1 :: 2 :: nil", "int list"),
        ("[1] ^^ [2] ^^ [3]", "int list"),
        ("op +", "int * int -> int"),
        ("foldr op + 0 [1, 2]", "int"),
        ("fn (a, b) => a + b : real", "real * real -> real"),
        ("op o", "('a -> 'b) * ('c -> 'a) -> 'c -> 'b"),
    ]);
    assert_eq!(type_of("infix 6 <+> fun a <+> b = a ^ b", "\"x\" <+> \"y\""), "string");
    assert_eq!(type_of("infixr 5 ## fun (a ## b) = a :: b", "1 ## 2 ## nil"), "int list");
    assert_eq!(type_of("nonfix mod", "mod (7, 2)"), "int");
}

#[test]
fn expressions() {
    check(&[
        ("if 1 < 2 then \"a\" else \"b\"", "string"),
        ("case [1] of nil => 0 | x :: _ => x", "int"),
        ("let val x = 1 val y = 2 in x + y end", "int"),
        ("let val x = ref 0 in x := 1; !x end", "int"),
        ("(print \"a\"; 1)", "int"),
        ("while false do ()", "unit"),
        ("fn x => x", "'a -> 'a"),
        ("fn 0 => true | _ => false", "int -> bool"),
        ("(1, \"a\", true)", "int * string * bool"),
        ("{b = 1, a = \"x\"}", "{a : string, b : int}"),
        ("#a {b = 1, a = \"x\"}", "string"),
        ("#2 (1, true)", "bool"),
        ("fn {a, ...} : {a : int, b : real} => a", "{a : int, b : real} -> int"),
        ("(raise Fail \"x\") handle Fail s => s | _ => \"\"", "string"),
        ("fn (l as x :: _) => (l, x) | nil => raise Empty", "'a list -> 'a list * 'a"),
        ("map (fn x => x + 1) [1, 2]", "int list"),
        ("fn x => fn y => x = y", "''a -> ''a -> bool"),
        ("1.0 = 2.0", "bool"),
        ("[fn x => x + 1]", "(int -> int) list"),
        ("let fun f 0 = 1 | f n = n * f (n - 1) in f 5 end", "int"),
        ("let val (a, b) = (1, 2) in a + b end", "int"),
    ]);
}

#[test]
fn polymorphism() {
    assert_eq!(type_of("fun id x = x", "(id 1, id \"a\")"), "int * string");
    assert_eq!(
        type_of("val (f, g) = (fn x => x, fn x => [x])", "(f 1, f true, g \"a\")"),
        "int * bool * string list"
    );
    assert_eq!(type_of("val e = []", "(1 :: e, \"a\" :: e)"), "int list * string list");
    assert_eq!(
        type_of("fun pair x = let fun twice y = (x, y, y) in (twice 1, twice true) end", "pair"),
        "'a -> ('a * int * int) * ('a * bool * bool)"
    );
    let mutual =
        "fun even 0 = true | even n = odd (n - 1) and odd 0 = false | odd n = even (n - 1)";
    assert_eq!(type_of(mutual, "even"), "int -> bool");
    assert_eq!(type_of("val rec len = fn nil => 0 | _ :: l => 1 + len l", "len"), "'a list -> int");
    assert_eq!(type_of("fun 'a same (x : 'a) : 'a = x", "same 1"), "int");
    assert_eq!(type_of("fun sum l = foldl op + 0 l", "sum"), "int list -> int");
}

#[test]
fn datatypes() {
    let tree = "datatype 'a tree = Leaf | Node of 'a tree * 'a * 'a tree \
                fun fold f b Leaf = b | fold f b (Node (l, x, r)) = fold f (f (x, fold f b l)) r";
    assert_eq!(type_of(tree, "fold op + 0 (Node (Leaf, 1, Leaf))"), "int");
    assert_eq!(type_of(tree, "Node (Leaf, 1, Leaf) = Leaf"), "bool");
    let mutual = "datatype a = A of b | N and b = B of pair withtype pair = a * a";
    assert_eq!(type_of(mutual, "A (B (N, N))"), "a");
    assert_eq!(type_of("datatype t = C | D datatype u = datatype t", "C : u"), "t");
    assert_eq!(
        type_of("type ('a, 'b) f = 'a -> 'b list", "fn (g : (int, bool) f) => g 1"),
        "(int -> bool list) -> bool list"
    );
    assert_eq!(
        type_of("abstype s = S of int with val s = S 1 fun get (S n) = n end", "get s"),
        "int"
    );
    assert_eq!(type_of("exception E of int exception F = E", "(raise F 1) handle E n => n"), "int");
}

#[test]
fn structures() {
    let stack = "structure S = struct datatype t = T of int list val empty = T nil \
                 fun push (T l) x = T (x :: l) structure I = struct val one = 1 end end";
    assert_eq!(type_of(stack, "S.push S.empty S.I.one"), "t");
    assert_eq!(type_of(stack, "fn S.T l => l"), "t -> int list");
    let sealed = "signature X = sig val x : int end structure A :> X = struct val x = 1 end \
                  structure B = A open B";
    assert_eq!(type_of(sealed, "x + A.x"), "int");
    assert_eq!(type_of("local val hidden = 1 in val seen = hidden + 1 end", "seen"), "int");
    assert_eq!(
        problems("local val hidden = 1 in val seen = 2 end val x = hidden"),
        ["0012 hidden"]
    );
}

#[test]
fn long_sums_need_no_stack() {
    let sum = vec!["1`1"; 50_000].join("++");
    assert_eq!(type_of("", &sum), "int list");
    let list = format!("[{}]", vec!["1"; 50_000].join(","));
    assert_eq!(type_of("", &list), "int list");
    let either = vec!["true"; 20_000].join(" orelse ");
    assert_eq!(type_of("", &either), "bool");
}

#[test]
fn deep_texts_are_refused() {
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("fn x => ", "x", ""),
        ("if true then 1 else ", "1", ""),
        ("let val x = ", "1", " in x end"),
        ("1 + (", "1", ")"),
        ("f ", "1", ""),
        ("~ (", "1", ")"),
        ("case 1 of _ => ", "1", ""),
        ("1 :: ", "nil", ""),
        ("raise ", "Empty", ""),
    ] {
        let text = format!("{}{middle}{}", open.repeat(20_000), close.repeat(20_000));
        let found = problems(&format!("val y = {text}"));
        assert!(found.iter().any(|problem| problem.starts_with("0009")), "{open}: {found:?}");
    }
    let mut chain = String::from("val y = 1");
    chain.push_str(&" - 1".repeat(20_000));
    assert!(problems(&chain)[0].starts_with("0009"));
    let pattern = format!("fun f {}x{} = x", "(".repeat(20_000), ")".repeat(20_000));
    assert!(problems(&pattern)[0].starts_with("0009"));
    let ty = format!("val y : {}int{} = 1", "(".repeat(20_000), ")".repeat(20_000));
    assert!(problems(&ty)[0].starts_with("0009"));
}

#[test]
fn the_deepest_text_fits_on_the_stack() {
    let text = format!("{}1{}", "(fn x => x + ".repeat(70), ")".repeat(70));
    let found = problems(&format!("val y = {text}"));
    assert!(found.iter().all(|problem| !problem.starts_with("0009")), "{found:?}");
    let text = format!("{}1", "if true then 1 else ".repeat(290));
    assert_eq!(type_of("", &text), "int");
}
