//! Programs on which the machine and the reference evaluator must agree: every library function without other
//! effects, and every construct of the language.

use sweepline_ml::Environment;

use super::compare::{agree, agree_on, with_bits};

/// Each line is an expression.
#[track_caller]
fn all_agree(declarations: &str, exprs: &str) {
    let mut known = Environment::default();
    known.declare_ml("declarations", declarations).expect("declarations");
    for expr in exprs.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let agreed = agree_on(&known, "", expr);
        assert!(agreed.is_some(), "the second evaluator does not know {expr}");
    }
}

#[test]
fn arithmetic() {
    all_agree(
        "",
        "1073741823 + 0
         1073741823 + 1
         ~1073741823 - 1
         ~1073741823 - 2
         32768 * 32768
         ~32768 * 32768
         32767 * 32768
         [7 div 2, ~7 div 2, 7 div ~2, ~7 div ~2]
         [7 mod 2, ~7 mod 2, 7 mod ~2, ~7 mod ~2]
         [Int.quot (7, ~2), Int.rem (7, ~2), Int.rem (~7, 2)]
         1 div 0
         1 mod 0
         Int.quot (1, 0)
         ~ (~1073741823 - 1)
         abs (~1073741823 - 1)
         abs ~5
         (~1073741823 - 1) div ~1
         Int.quot (~1073741823 - 1, ~1)
         (Int.minInt, Int.maxInt)
         map Int.sign [~5, 0, 5]
         (Int.min (1, 2), Int.max (1, 2), Int.compare (1, 2), Int.compare (2, 2))
         Int.toString ~12
         map Int.fromString [\"12\", \"~3\", \"x\", \"\"]
         1 < 2 andalso 2 <= 2 andalso not (3 > 4) orelse 1 >= 2
         let val x = 40000 in (x > 32767, x < 32768, x = 40000, x <> 40000) end
         let val x = ~40000 in (x > ~32769, x < ~32768, x <= ~40000, x >= ~40000) end
         let val x = 32767 in (x > 32767, x <= 32767) end",
    );
}

#[test]
fn other_bounds_of_int() {
    for (bits, largest) in [(63, "4611686018427387903"), (31, "1073741823"), (32, "2147483647")] {
        let known = with_bits(bits);
        for expr in ["LARGEST", "LARGEST + 1", "~LARGEST - 1", "~LARGEST - 2", "LARGEST * LARGEST"]
        {
            let agreed = agree_on(&known, "", &expr.replace("LARGEST", largest));
            assert!(agreed.is_some(), "{expr}");
        }
        let agreed = agree_on(&known, "", "(valOf Int.minInt div ~1) handle Overflow => 0");
        assert_eq!(agreed.as_deref(), Some("0"));
    }
}

#[test]
fn large_numbers() {
    all_agree(
        "fun fact (n : IntInf.int) = if n = 0 then 1 else n * fact (n - 1)
         val big = IntInf.pow (2, 62)",
        "fact 50
         fact 50 div fact 48
         fact 30 mod 1000000007
         (big, big - 1, ~ big, ~ big - 1, big + big, big * big)
         [big < big + 1, big = big, big + 1 = big, ~ big < big]
         (IntInf.quot (~7, 2), IntInf.rem (~7, 2), (~7 : IntInf.int) div 2, (~7 : IntInf.int) mod 2)
         IntInf.toInt (fact 10)
         IntInf.toInt (fact 20)
         IntInf.fromInt ~5
         IntInf.toString (~ big)
         (5 : IntInf.int) div 0
         IntInf.divMod (big * 3 + 1, big)
         IntInf.compare (big, big - 1)
         IntInf.min (big, 3)
         case big * 2 of 9223372036854775808 => \"yes\" | _ => \"no\"
         case big of 5 => 1 | 4611686018427387904 => 2 | _ => 3",
    );
}

#[test]
fn lists() {
    all_agree(
        "fun range (a, b) = if a > b then nil else a :: range (a + 1, b)",
        "List.rev (range (1, 10))
         [1, 2] ^^ [3] ^^ nil
         List.@ ([1], [2])
         List.hd nil : int
         List.tl [1, 2]
         List.last [1, 2, 3]
         List.last nil : int
         List.nth ([1, 2, 3], 1)
         List.nth ([1, 2, 3], 3)
         List.nth ([1, 2, 3], ~1)
         List.take ([1, 2, 3], 2)
         List.take ([1, 2, 3], 4)
         List.drop ([1, 2, 3], 2)
         List.concat [[1], [2, 3], nil]
         List.revAppend ([1, 2], [3])
         List.map (fn x => (x, x * x)) (range (1, 5))
         List.mapPartial (fn x => if x mod 2 = 0 then SOME (x div 2) else NONE) (range (1, 6))
         List.find (fn x => x > 3) (range (1, 6))
         List.filter (fn x => x mod 3 = 0) (range (1, 10))
         List.partition (fn x => x < 3) (range (1, 5))
         List.foldl (fn (x, s) => s ^ Int.toString x) \"\" (range (1, 5))
         List.foldr (fn (x, s) => s ^ Int.toString x) \"\" (range (1, 5))
         List.foldl op - 0 [1, 2, 3]
         List.exists (fn x => x = 3) (range (1, 5))
         List.all (fn x => x < 5) (range (1, 5))
         List.tabulate (4, fn i => i * i)
         List.tabulate (~1, fn i => i)
         List.collate Int.compare ([1, 2], [1, 3])
         List.getItem [1, 2]
         List.length (range (1, 1000))
         ListPair.zip ([1, 2], [\"a\", \"b\", \"c\"])
         ListPair.unzip [(1, \"a\"), (2, \"b\")]
         ListPair.map (fn (a, b) => a * b) ([1, 2], [3, 4])
         ListPair.foldl (fn (a, b, s) => a * b + s) 0 ([1, 2], [3, 4])
         ListPair.zipEq ([1], [1, 2])
         ListPair.all (fn (a, b) => a = b) ([1], [1, 2])
         sort (fn (a : int, b) => a < b) [3, 1, 2, 3, 0]
         unique_sort (fn (a : int, b) => a < b) [3, 1, 2, 3, 0]
         (mem [1, 2] 2, mem [1, 2] 3, contains [1, 2] [2], remdupl [1, 2, 1], rm 1 [1, 2, 1])
         (rmall 1 [1, 2, 1], pos [5, 6] 6, intersect [1, 2] [2, 3], union [1] [2])
         (listsub [1, 2, 3] [2], ins [1] 2, ins_new [1] 1, fmap (fn x => [x, x]) [1, 2])
         (mapfilter (fn x => x + 1) (fn x => x > 1) [1, 2], predlist (fn x => x > 1) [1, 2])
         (flatten [[1], [2]], split (fn x => x > 1) [1, 2], sort_int_list [2, 1])",
    );
}

#[test]
fn multi_sets() {
    all_agree(
        "",
        "1`3 ++ 2`4 ++ 0`5 ++ ~1`6
         (1`1 ++ 2`2) -- 1`2
         1`1 -- 1`2
         (1`1 ++ 1`2 == 1`2 ++ 1`1, 1`1 <><> 1`2, 1`1 << 2`1, 2`1 <<= 1`1, 2`1 >> 1`1, 1`1 >>= 1`1)
         3 ** (1`1 ++ 1`2)
         ([true, true] % 1, [true, false] % 1, [true] // 2`3)
         cf (2, 1`1 ++ 3`2)
         size (1`1 ++ 3`2)
         ext_col (fn x => x + 1) (2`1)
         ext_ms (fn x => x`x) (1`1 ++ 1`2)
         ms_to_col (1`5)
         ms_to_col (2`5)
         mkstr_ms (Int.toString, fn (a : int, b) => a < b) (1`2 ++ 2`1)
         1`(1, \"a\") ++ 1`(2, \"b\")
         let val n = 3 in n`\"x\" end
         1`1 @+ 5
         (1`1 ++ 1`2) @++ 7
         delay (1`1 @+ 5, 3)
         ms (2`1 @+ 5)
         (1 @ 3) :: nil
         1`1++1`2++1`3++1`4++1`5++1`6++1`7++1`8++1`9++1`10++1`11++1`12++1`13++1`14++1`15++1`16++1`17++2`18++1`19++1`20++1`21++1`22++1`23++1`24++1`25++1`26++1`27++1`28++1`29++1`30++1`31++1`32++1`33++3`34",
    );
}

#[test]
fn strings() {
    all_agree(
        "",
        "\"a\" ^ \"bc\" ^ \"\"
         String.size \"hello\"
         String.sub (\"hello\", 1)
         String.sub (\"hello\", 5)
         String.substring (\"hello\", 1, 3)
         String.substring (\"hello\", 3, 3)
         String.extract (\"hello\", 2, NONE)
         String.concat [\"a\", \"b\", \"cde\"]
         String.concatWith \"-\" [\"a\", \"b\"]
         String.map Char.toUpper \"hello, World\"
         String.translate (fn c => if c = #\"l\" then \"LL\" else str c) \"hello\"
         String.fields (fn c => c = #\",\") \"a,,b\"
         String.tokens (fn c => c = #\",\") \"a,,b\"
         (String.isPrefix \"ab\" \"abc\", String.isSuffix \"bc\" \"abc\", String.isSubstring \"x\" \"abc\")
         (explode \"abc\", implode [#\"a\", #\"b\"], ord #\"a\", chr 98)
         chr 256
         [\"a\" < \"b\", \"abc\" < \"abd\", \"abcdefgh\" < \"abcdefghi\", \"\" < \"a\", \"b\" <= \"a\", \"x\" >= \"x\"]
         [\"abcdefgh1\" = \"abcdefgh1\", \"abcdefgh1\" = \"abcdefgh2\", \"abcdefgh\" = \"abcdefgh1\"]
         map String.compare [(\"a\", \"b\"), (\"b\", \"a\"), (\"a\", \"a\"), (\"abcdefghij\", \"abcdefghik\"), (\"\\255\", \"a\")]
         case \"two\" of \"one\" => 1 | \"two\" => 2 | _ => 3
         case #\"b\" of #\"a\" => 1 | #\"b\" => 2 | _ => 3
         map Char.isDigit (explode \"a1\")
         (Char.isAlpha #\"x\", Char.isSpace #\" \", Char.isPunct #\"!\", Char.succ #\"a\", Char.compare (#\"a\", #\"b\"))
         StringCvt.padLeft #\"0\" 5 \"12\"
         Bool.toString (Bool.fromString \"true\" = SOME true)",
    );
}

#[test]
fn options_and_data() {
    all_agree(
        "datatype shape = Circle of int | Box of int * int | Named of {name : string, inner : shape} | Dot
         datatype 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
         datatype single = Single of int * string
         datatype wrap = Wrap of wrap list
         datatype unit_arg = U of unit | V
         fun area Dot = 0 | area (Circle r) = 3 * r * r | area (Box (a, b)) = a * b
           | area (Named {inner, ...}) = area inner
         fun insert lt (x, Leaf) = Node (Leaf, x, Leaf)
           | insert lt (x, t as Node (l, y, r)) =
               if lt (x, y) then Node (insert lt (x, l), y, r)
               else if lt (y, x) then Node (l, y, insert lt (x, r)) else t
         fun fold f b Leaf = b | fold f b (Node (l, x, r)) = fold f (f (x, fold f b l)) r
         val p = (3, 4)",
        "map area [Dot, Circle 2, Box (2, 3), Box p, Named {name = \"x\", inner = Box (1, 5)}]
         Named {inner = Dot, name = \"n\"}
         [Circle 1 = Circle 1, Box (1, 2) = Box (1, 3), Dot = Dot, Dot = Circle 0, Box p = Box (3, 4)]
         fold op :: nil (foldl (insert (fn (a : int, b) => a < b)) Leaf [3, 1, 2])
         fold (fn (s, n) => n + String.size s) 0 (insert (fn (a : string, b) => a < b) (\"abc\", Leaf))
         case Single (1, \"x\") of Single (n, s) => (s, n)
         let val Single whole = Single (1, \"x\") in whole end
         Wrap [Wrap nil, Wrap [Wrap nil]]
         Wrap [Wrap nil] = Wrap [Wrap nil]
         [U (), V]
         U () = U ()
         case [U (), V] of [U x, V] => x | _ => ()
         (getOpt (SOME 1, 2), getOpt (NONE, 2), isSome (SOME 1), valOf (SOME 3))
         valOf NONE : int
         Option.map (fn x => x + 1) (SOME 1)
         Option.mapPartial (fn x => if x > 0 then SOME (x, x) else NONE) (SOME 1)
         Option.filter (fn x => x > 1) 1
         Option.join (SOME (SOME 1))
         SOME (1, (2, \"x\"))
         case SOME (1, 2) of SOME (p as (a, _)) => (p, a) | NONE => ((0, 0), 0)
         case (SOME 1, NONE : int option) of (NONE, _) => 1 | (SOME a, SOME b) => a + b | (SOME a, NONE) => a * 10
         {a = 1, b = \"x\"} = {b = \"x\", a = 1}
         #b {a = 1, b = \"x\"}
         #2 (1, 2, 3)
         let val {a, b = (c, d), ...} = {a = 1, b = (2, 3), e = 4} in (a, c, d) end
         (fn {a, b} => a - b) {b = 1, a = 5}
         List.collate Int.compare ([], [1])",
    );
}

#[test]
fn matches() {
    all_agree(
        "datatype c = A | B | C | D | E | F
         fun name A = \"a\" | name B = \"b\" | name C = \"c\" | name D = \"d\" | name E = \"e\" | name F = \"f\"
         fun some A = 1 | some C = 2 | some E = 3 | some F = 4 | some _ = 9
         fun f (1, x :: y :: _) = x + y | f (n, [x]) = n * x | f (0, _) = ~1 | f (_, nil) = 100
         fun g (A, _, 1) = 1 | g (_, B, 2) = 2 | g (C, C, _) = 3 | g (_, _, n) = n * 10
         fun clause (x, y) = case (x, y) of (0, 0) => 0 | (0, n) => n | (n, 0) => ~n | (a, b) => a * b
         fun partial 1 = 2
         fun deep [[[x]]] = x | deep [[_, [y]]] = y | deep _ = 0",
        "map name [A, B, C, D, E, F]
         map some [A, B, C, D, E, F]
         [f (1, [2, 3]), f (1, [5]), f (4, [5]), f (0, [1, 2]), f (7, nil)]
         f (3, [1, 2])
         [g (A, A, 1), g (A, B, 2), g (C, C, 5), g (D, D, 7), g (C, B, 2), g (A, B, 1)]
         map clause [(0, 0), (0, 5), (5, 0), (2, 3)]
         partial 2
         let val [a, b] = [1, 2, 3] in a end
         let val SOME x = NONE : int option in x end
         [deep [[[5]]], deep [[[1], [7]]], deep nil]
         case 100000 of 99999 => 1 | 100000 => 2 | _ => 3
         case ~1 of ~1 => \"m\" | _ => \"o\"
         case (true, false) of (false, _) => 1 | (_, true) => 2 | _ => 3
         case ref 5 of ref 4 => 1 | ref n => n
         (fn (x, y) => x) (1, 2)
         (fn 0 => 1 | n => n) 0
         case 0w5 of 0w5 => 1 | _ => 2",
    );
}

#[test]
fn exceptions() {
    all_agree(
        "exception E of int * string exception F exception G of int
         fun f 0 = raise F | f 1 = raise E (1, \"one\") | f 2 = raise G 2 | f n = n
         fun safe n = f n handle F => ~1 | E (n, s) => n + String.size s | G n => n * 100
         fun outer n = (safe n + f n) handle F => 5",
        "map safe [0, 1, 2, 3]
         outer 0
         outer 1
         f 2
         (f 1 handle F => 0) handle E (_, s) => String.size s
         (1 div 0 handle Overflow => 1) handle Div => 2
         (hd nil handle e => raise e) handle Empty => 3
         (raise Fail \"x\") handle Fail s => s
         (raise Fail \"no\") : int
         let val r = ref 0 in (r := 1; raise F) handle F => !r end
         let fun loop n = if n = 0 then raise G 7 else loop (n - 1) in loop 10000 handle G n => n end
         let fun deep n = if n = 0 then raise F else 1 + deep (n - 1) in deep 10000 handle F => 1 end
         (case 3 of 4 => 1) handle Match => 2
         let fun h n = (if n = 0 then raise F else h (n - 1)) handle F => n + 1 in h 100 end",
    );
}

#[test]
fn functions() {
    all_agree(
        "fun curried a b c = a * 100 + b * 10 + c
         fun twice f = f o f
         fun compose f g x = f (g x)
         fun pair x = (x, x)
         fun apply f (a, b) = f (a, b)
         fun even 0 = true | even n = odd (n - 1) and odd 0 = false | odd n = even (n - 1)
         fun adder n = let fun add m = n + m in add end
         fun counter () = let val r = ref 0 in fn () => (r := !r + 1; !r) end
         val tick = counter ()
         fun nested x = let fun a y = let fun b z = x + y + z in b (y + 1) end in a (x + 1) end
         fun mutual n = let fun up i = if i >= n then nil else i :: down (i + 1)
                            and down i = if i >= n then nil else ~i :: up (i + 1) in up 0 end
         fun fix f x = f (fix f) x
         val tuple = (fn x => x + 1, fn (a, b) => a - b)
         fun id x = x
         fun const x _ = x
         fun uncurry f (a, b) = f a b
         fun curry f a b = f (a, b)
         fun unitary () = 42
         fun thunks n = List.tabulate (n, fn i => fn () => i * n)
         fun poly x = let fun two y = (x, y) val e = nil in (two 1, two \"s\", 1 :: e, \"a\" :: e) end
         fun many (a, b, c, d, e, f, g, h) = [a, b, c, d, e, f, g, h]
         val alias = curried",
        "curried 1 2 3
         (curried 1) 2 3
         let val f = curried 1 val g = f 2 in (g 3, f 4 5) end
         map (curried 1 2) [1, 2]
         twice (fn x => x * 3) 2
         twice twice (fn x => x + 1) 0
         compose (fn x => x + 1) (fn x => x * 2) 5
         (pair 1, pair \"a\", pair (pair true))
         apply (fn (a, b) => a - b) (5, 3)
         apply op + (5, 3)
         let val p = (5, 3) in apply (fn q => #1 q * #2 q) p end
         (even 10, odd 10, even 100001)
         (adder 3 4, map (adder 10) [1, 2])
         (tick (), tick (), tick ())
         nested 5
         mutual 6
         fix (fn fact => fn n => if n = 0 then 1 else n * fact (n - 1)) 10
         (#1 tuple 5, #2 tuple (5, 3))
         (id id 5, id (fn x => x) \"a\", const 1 \"x\")
         uncurry (curry (fn (a, b) => a * b)) (3, 4)
         unitary ()
         map (fn f => f ()) (thunks 4)
         poly true
         many (1, 2, 3, 4, 5, 6, 7, 8)
         alias 4 5 6
         map (fn f => f 1) [alias 1 2, fn x => x]
         (fn x => fn y => x - y) 5 3
         let val rec loop = fn (0, s) => s | (n, s) => loop (n - 1, s + n) in loop (1000, 0) end
         foldr (fn (f, x) => f x) 1 [fn x => x + 1, fn x => x * 10]
         let val f = fn x => x in (f 1, f \"x\") end
         let val (f, g) = (fn x => x + 1, fn x => x * 2) in f (g 5) end
         List.foldl (fn (x, f) => fn y => f (x + y)) (fn z => z) [1, 2, 3] 10
         let fun count (0, k) = k | count (n, k) = count (n - 1, k + 1) in count (100000, 0) end
         let fun deep 0 = 0 | deep n = 1 + deep (n - 1) in deep 20000 end",
    );
}

#[test]
fn effects() {
    all_agree(
        "val counter = ref 0
         fun next () = (counter := !counter + 1; !counter)
         val lists = ref [1]
         val _ = lists := 2 :: !lists
         val a = Array.array (5, 0)
         fun fill i = if i >= 5 then () else (Array.update (a, i, i * i); fill (i + 1))
         val () = fill 0",
        "(next (), next (), !counter)
         !lists
         let val r = ref 0 in while !r < 1000 do r := !r + 7; !r end
         let val r = ref nil in (r := 1 :: !r; r := 2 :: !r; !r) end
         let val r = ref 1 val s = r in (s := 5; (!r, r = s, r = ref 5)) end
         let val r = ref 5 in (inc r; inc r; dec r; !r) end
         Array.toList a
         Array.sub (a, 5)
         (Array.length a, Array.foldl op + 0 a, Array.sub (a, 4))
         Array.array (~1, 0) = a
         let val x = (print \"hello\"; 3) in x end
         let val l = [next (), next ()] in map (fn n => n - hd l) l end
         {b = next (), a = next (), c = 0} = {a = 0, b = 0, c = 0}
         let val s = ref \"\" fun say x = (s := !s ^ x; 1) val _ = {b = say \"b\", a = say \"a\"} in !s end
         (1, 2) before ignore 3",
    );
}

#[test]
fn reals() {
    all_agree(
        "",
        "[1.0 < 2.0, 1.0 = 1.0, 0.0 = ~0.0, 1.5 >= 1.5, 0.0 / 0.0 = 0.0 / 0.0, 1.0 <> 2.0]
         map floor [1.5, ~1.5, 2.0]
         map ceil [1.5, ~1.5]
         map round [0.5, 1.5, 2.5, ~0.5, ~1.5]
         map trunc [1.9, ~1.9]
         floor 1E30
         floor (0.0 / 0.0)
         floor (Math.sqrt 2.0 * 1000.0)
         case 1.5 of x => floor (x + real 3)
         Real.compare (1.0, 2.0)
         (Real.sign ~2.5, Real.min (1.0, 2.0) < 1.5, Real.isNan (0.0 / 0.0))",
    );
}

#[test]
fn words() {
    all_agree("", "0w5 + 0w7\n(0w5 < 0w7, 0w3 - 0w2, 0wxff div 0w16)\n0w1 mod 0w0");
}

#[test]
fn colour_sets() {
    all_agree(
        "colset U = unit with e; colset B = bool with (no, yes); colset I = int with 1..4;
         colset N = int; colset S = string; colset C = with red | green | blue;
         colset X = index x with 1..3; colset P = product I * C; colset R = record n : N * c : C;
         colset L = list C with 0..2; colset M = union One : N + Two : P + Three;
         colset Q = subset N with [3, 1, 2]; colset E = subset I by (fn n => n mod 2 = 0);
         colset T = int timed; colset BIG = intinf;",
        "(U.all (), B.all (), I.all (), C.all (), X.all (), E.all (), Q.all ())
         P.all ()
         (size (L.all ()), L.all ())
         (P.size (), R.mkstr {n = ~1, c = red}, P.mkstr (2, blue), M.mkstr (Two (1, red)), M.mkstr Three)
         (map P.ord (P.all ()), map P.col [0, 5, 11])
         (P.lt ((1, red), (1, green)), P.cmp ((2, red), (1, blue)), M.lt (One 5, Three), M.cmp (One 5, One 4))
         (I.legal 5, I.legal 4, L.legal [red, red, red], Q.legal 4, E.legal 3)
         (P.mkstr_ms (1`(2, red) ++ 2`(1, blue)), C.mkstr_ms empty)
         (S.mkstr \"a\\\"b\", BIG.mkstr ~5, B.mkstr true, U.mkstr (), X.mkstr (x 2))
         (I.base, C.base, P.base, R.base, L.base)
         T'timed.mkstr (3 @ 4)
         P.set_1 (1, red) 3
         R.set_n {n = 1, c = red} 3
         P.mult (1`1 ++ 1`2, 1`red)
         N.all ()
         (M.of_One (One 3), M.of_Two Three)",
    );
}

#[test]
fn one_expression_at_a_time() {
    assert_eq!(agree("fun f x = x + 1", "f 2").as_deref(), Some("3"));
}
