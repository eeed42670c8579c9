//! The meaning of expressions. A value is tested by the event that it makes possible.

use super::{compose, edge_count, initials, longest, lts};
use sweepline_lts::{LabelId, StateNo};

/// `expression`, a number, is `expected`.
#[track_caller]
fn number(expression: &str, expected: i64) {
    value(expression, &expected.to_string());
}

/// `expression`, shown, is `expected`.
#[track_caller]
fn value(expression: &str, expected: &str) {
    let text = format!(
        "datatype T = A | B.{{0..1}} | C.{{0..1}}.Bool\nnametype Small = {{0..2}}\n\
         channel v : {{show(it)}}\n\
         channel none\nchannel c, d : {{0..1}}.T\n\
         fact(0) = 1\nfact(n) = n * fact(n - 1)\n\
         sum(<>) = 0\nsum(<x>^s) = x + sum(s)\n\
         add(x)(y) = x + y\nswap((a, b)) = (b, a)\n\
         kind(A) = 0\nkind(B._) = 1\nkind(C.n.b) = if b then 2 + n else 4\n\
         it = {expression}\n"
    );
    let shown = initials(&lts(&text, "[] x : {show(it)} @ v.x -> STOP"));
    assert_eq!(shown, [format!("v.{expected:?}")], "{expression}");
}

#[test]
fn arithmetic() {
    number("1 + 2 * 3 - 4", 3);
    number("(-7) / 2", -4);
    number("(-7) % 2", 1);
    number("7 / (-2)", -4);
    number("7 % (-2)", -1);
    // A prefix minus has the precedence of an infix one.
    number("-7 / 2", -3);
    number("(1 + 2) * 3", 9);
    value("1 < 2 and not 2 <= 1 or false", "true");
    value("1 == 1 and 1 != 2 and 3 > 2 and 3 >= 3", "true");
    value("if 1 > 2 then 3 else 4", "4");
}

#[test]
fn several_pairs_at_once_in_a_map() {
    value(
        "mapToList(mapUpdateMultiple((| 1 => 0, 2 => 5 |), <(1, 7), (3, 8)>))",
        "<(1,7),(2,5),(3,8)>",
    );
}

#[test]
fn sets_and_sequences() {
    value("{3, 1, 2, 1}", "{1,2,3}");
    value("{1..4}", "{1,2,3,4}");
    value("{2..1}", "{}");
    value("<1..3>^<7>", "<1,2,3,7>");
    value("{x * y | x <- {1..3}, y <- {1..3}, x < y}", "{2,3,6}");
    value("<x + y | x <- <1, 2>, y <- <10, 20>>", "<11,21,12,22>");
    value("< x | x <- <1..9>, x % 2 == 0 >", "<2,4,6,8>");
    number("#<1, 2, 3>", 3);
    value("union({1}, {2})", "{1,2}");
    value("inter({1, 2}, {2, 3})", "{2}");
    value("diff({1, 2}, {2, 3})", "{1}");
    value("Union({{1}, {2, 3}})", "{1,2,3}");
    value("Inter({{1, 2}, {2, 3}})", "{2}");
    value("Set({1, 2})", "{{},{1},{1,2},{2}}");
    value(
        "(card({1, 2}), empty({}), member(1, {1}), set(<2, 1>), seq({2, 1}))",
        "(2,true,true,{1,2},<1,2>)",
    );
    value(
        "(head(<1, 2>), tail(<1, 2>), length(<1>), elem(1, <1>), null(<>))",
        "(1,<2>,1,true,true)",
    );
    value("concat(<<1>, <2, 3>>)", "<1,2,3>");
    value("<1> <= <1, 2> and {1} < {1, 2} and not {1} < {1}", "true");
    value("member(7, Int) and member(3, {2..})", "true");
    value("<<1>, <>> == <<1>, <>>", "true");
    value("(| 1 => 2 |)", "(| (1,2) |)");
    value("mapLookup(mapUpdate(emptyMap, 1, 2), 1)", "2");
}

#[test]
fn functions() {
    number("fact(10)", 3_628_800);
    number("sum(<1..100>)", 5_050);
    number("add(1)(2)", 3);
    number("(\\ x, y @ x * y)(6, 7)", 42);
    value("swap((1, true))", "(true,1)");
    number("let f(n) = if n == 0 then k else f(n - 1)\n    k = 5\n within f(3)", 5);
    number("let (a, b) = (1, 2) within a + 10 * b", 21);
    number(
        "let even(n) = n == 0 or odd(n - 1)\n odd(n) = n != 0 and even(n - 1)\n within if even(10) then 1 else 0",
        1,
    );
    // A name that is bound again shadows the outer one.
    number("let x = 1\n f(y) = x + y\n within (\\ x @ f(x))(10)", 11);
}

#[test]
fn data_types() {
    value("T", "{A,B.0,B.1,C.0.false,C.0.true,C.1.false,C.1.true}");
    value("<kind(A), kind(B.1), kind(C.1.true), kind(C.0.false)>", "<0,1,3,4>");
    value("(C.1.true) == (C.1.true) and (C.1.true) != (C.0.true)", "true");
    value("{| c.0.B |}", "{c.0.B.0,c.0.B.1}");
    value("card({| c |})", "14");
    value("productions(c.1.C.0)", "{c.1.C.0.false,c.1.C.0.true}");
    value("extensions(c.1.C)", "{0.false,0.true,1.false,1.true}");
    value("{x | c.x.A <- {| c |}}", "{0,1}");
    value("{n | C.n._ <- T}", "{0,1}");
    value("let f(all @@ (a, b)) = (all, a, b) within f((1, 2))", "((1,2),1,2)");
    value("let f({}) = 0\n f({x}) = x\n within f({7})", "7");
    value("let f(<a>^s^<z>) = (a, s, z) within f(<1, 2, 3, 4>)", "(1,<2,3>,4)");
}

#[test]
fn inputs_and_outputs() {
    let channels = "datatype T = A | B.{0..1}\nchannel c : {0..1}.T\nchannel d : {0..3}\n\
                    channel e : T\nchannel f : {0..1}.{0..1}\n";
    let first = |process: &str| initials(&lts(channels, process)).join(" ");
    assert_eq!(first("c?x!A -> STOP"), "c.0.A c.1.A");
    assert_eq!(first("c!1?y -> STOP"), "c.1.A c.1.B.0 c.1.B.1");
    assert_eq!(first("c?x?y -> STOP"), first("c?x.y -> STOP"));
    assert_eq!(first("c.0.B?n -> STOP"), "c.0.B.0 c.0.B.1");
    assert_eq!(first("c!0?B.n -> STOP"), "c.0.B.0 c.0.B.1");
    assert_eq!(first("c?x:{1}?_ -> STOP"), "c.1.A c.1.B.0 c.1.B.1");
    assert_eq!(first("d?x:{y | y <- {0..3}, y > 1} -> STOP"), "d.2 d.3");
    assert_eq!(first("d.1+1 -> STOP"), "d.2");
    assert_eq!(first("e?A -> STOP"), "e.A");
    assert_eq!(first("f?x!x -> STOP"), "f.0.0 f.1.1");
    // The last input takes all remaining fields, and its value contains them all.
    assert_eq!(longest(channels, "f?x -> f!x -> STOP").len(), 4);
    assert_eq!(longest(channels, "d?x -> d!(x + 1) % 4 -> STOP")[3], "d.3 d.0");
    assert_eq!(first("[] x : {d.0, d.2} @ x -> STOP"), "d.0 d.2");
}

#[test]
fn a_dollar_is_an_internal_choice() {
    let text = "channel d : {0..2}\nP = d$x:{0, 1} -> STOP\n";
    let p = lts(text, "P");
    assert_eq!(edge_count(&p, StateNo(0)), 2);
    assert!(p.edges(StateNo(0)).iter().all(|edge| edge.label == LabelId::TAU));
    assert_eq!(longest(text, "P"), ["d.0", "d.1"]);
}

#[test]
fn processes() {
    let text = "channel a, b, c\nchannel n : {0..2}\n";
    let all = |process: &str| longest(text, process).join(" | ");
    assert_eq!(all("a -> b -> STOP"), "a b");
    assert_eq!(all("a -> SKIP ; b -> SKIP"), "a b ✓");
    assert_eq!(all("; i : <0..2> @ n.i -> SKIP"), "n.0 n.1 n.2 ✓");
    assert_eq!(all("[] i : {0..2} @ n.i -> STOP"), "n.0 | n.1 | n.2");
    assert_eq!(all("|~| i : {0..1} @ n.i -> STOP"), "n.0 | n.1");
    assert_eq!(all("||| i : {0..1} @ n.i -> SKIP"), "n.0 n.1 ✓ | n.1 n.0 ✓");
    assert_eq!(all("||| i : {} @ STOP"), "✓");
    assert_eq!(all("[|{a}|] i : {0..1} @ n.i -> a -> STOP"), "n.0 n.1 a | n.1 n.0 a");
    assert_eq!(all("|| i : {0..1} @ [{a, n.i}] n.i -> a -> n.2 -> STOP"), "n.0 n.1 a | n.1 n.0 a");
    assert_eq!(all("(a -> b -> STOP) [{a} || {b}] (b -> STOP)"), "a b | b a");
    assert_eq!(all("(a -> b -> STOP) \\ {a}"), "b");
    assert_eq!(all("(a -> b -> STOP) |\\ {a}"), "a");
    assert_eq!(all("(a -> b -> STOP)[[a <- c]]"), "c b");
    assert_eq!(all("(a -> STOP)[[a <- n.i | i <- {0..2}, i != 1]]"), "n.0 | n.2");
    assert_eq!(all("(n?i -> STOP)[[n.i <- n.(i + 1) % 3 | i <- {0..2}]]"), "n.0 | n.1 | n.2");
    assert_eq!(all("(a -> a -> STOP) /\\ (b -> STOP)"), "a a b | a b | b");
    assert_eq!(all("(a -> STOP) [> (b -> STOP)"), "a | b");
    assert_eq!(all("(a -> b -> STOP) [|{b}|> (c -> STOP)"), "a b c");
    assert_eq!(all("(a -> b -> STOP) [b <-> c] (c -> a -> STOP)"), "a a");
    assert_eq!(all("false & a -> STOP [] 1 < 2 & b -> STOP"), "b");
    assert_eq!(all("CHAOS({a}) [|{a}|] a -> a -> STOP"), "a a");
    assert_eq!(all("RUN({a, b}) [|{a, b}|] b -> STOP"), "b");
    // Operators on values bind more tightly than those on processes; hiding binds least.
    assert_eq!(all("a -> b -> STOP \\ {a}"), "b");
    assert_eq!(all("a -> STOP [] b -> STOP |~| c -> STOP"), "a | b | c");
}

#[test]
fn recursion() {
    let text = "channel a, b\nchannel n : {0..9}\n\
        P = a -> P\nQ(k) = if k == 9 then STOP else n.k -> Q(k + 1)\n\
        R = let S(x) = n.x -> (if x == 0 then T else S(x - 1))\n        T = a -> T\n  within S(2)\n\
        U(X) = a -> b -> X\nV = U(V)\nW = a -> (W |~| W)\n";
    assert_eq!(lts(text, "P").n_states(), 1);
    assert_eq!(lts(text, "Q(0)").n_states(), 10);
    assert_eq!(lts(text, "R").n_states(), 4);
    assert_eq!(lts(text, "V").n_states(), 2);
    assert_eq!(lts(text, "W").n_states(), 2);
}

#[test]
fn compositions_keep_their_operators_and_names() {
    let text = "channel a, b, c\nP = a -> b -> P\nQ = b -> c -> Q\nSYS = (P [|{b}|] Q) \\ {b}\n";
    let composition = compose(text, "SYS");
    assert_eq!(composition.component_count(), 2);
    let names: Vec<_> = composition.components().iter().map(|lts| lts.name()).collect();
    assert_eq!(names, ["P", "Q"]);
    let first = sweepline::model::initial(&composition).remove(0);
    assert_eq!(composition.state_name(&first), "P | Q");
    let rules = composition.rules().len() as u32;
    let shown: Vec<_> =
        (0..rules).map(|rule| composition.rule_name(sweepline_lts::RuleId(rule))).collect();
    assert_eq!(shown, ["τ (b)", "a", "c"]);
}

#[test]
fn layout_and_comments() {
    let text = "-- a comment\n{- another {- nested -} one -}\nchannel a,\n  b\nP =\n  a\n  ->\n  b -> -- here\n  STOP\n\
                -- no line before it\nQ = a -> STOP\n[]\nb -> STOP\nprint 1 + 1\n\
                f :: (Int) -> Proc\nf(x) =\n  if x == 0\n  then STOP\n  else a -> f(x\n  -1)\n\
                assert not P :[deadlock free [F]]\nassert P [T= Q :[partial order reduce]\n";
    assert_eq!(longest(text, "P"), ["a b"]);
    assert_eq!(longest(text, "Q"), ["a", "b"]);
    assert_eq!(longest(text, "f(2)"), ["a a"]);
}

/// Only some combinations of fields are in a type whose members are listed.
#[test]
fn fields_that_depend_on_each_other() {
    let text = "datatype Z = A.{0,1}.{0,1}\ndatatype Y = X.{A.0.1, A.1.0, A.1.1} | W.{B.0}\n\
                datatype V = B.{0,1}\nchannel c : Y.{0,1}\nchannel d : {{3}, {4}}\n\
                channel e : {A.0.1, A.1.0}\nchannel r : Union({{| e.A.n |} | n <- {0, 1}})\n\
                channel yes, no\ntest(b) = if b then yes -> STOP else no -> STOP\n";
    let all = |process: &str| initials(&lts(text, process)).join(" ");
    let holds = |condition: &str| {
        assert_eq!(all(&format!("test({condition})")), "yes", "{condition}");
    };
    holds("extensions(X.A) == {0.1, 1.0, 1.1}");
    holds("extensions(X.A.0) == {1}");
    holds("extensions(X.A.1) == {0, 1}");
    holds("extensions(W.B) == {0}");
    holds("extensions(B) == {0, 1}");
    holds("productions(X.A.0) == {X.A.0.1}");
    holds("productions(X) == {X.A.0.1, X.A.1.0, X.A.1.1}");
    holds("extensions(r.e.A.0) == {1}");
    holds("{| c.X.A.0 |} == {c.X.A.0.1.0, c.X.A.0.1.1}");
    assert_eq!(all("c.X.A.0?x -> STOP"), "c.X.A.0.1.0 c.X.A.0.1.1");
    assert_eq!(all("c.X.A.0?x!1 -> STOP"), "c.X.A.0.1.1");
    assert_eq!(all("c.X.A?x?y!0 -> STOP"), "c.X.A.0.1.0 c.X.A.1.0.0 c.X.A.1.1.0");
    assert_eq!(all("c.X?z!0 -> STOP"), "c.X.A.0.1.0 c.X.A.1.0.0 c.X.A.1.1.0");
    assert_eq!(all("c.W.B?x!0 -> STOP"), "c.W.B.0.0");
    assert_eq!(all("r.e.A?x?y -> STOP"), "r.e.A.0.1 r.e.A.1.0");
    assert_eq!(all("(c?z -> STOP) \\ {| c.X.A.1, c.W |}"), "c.X.A.0.1.0 c.X.A.0.1.1");
    assert_eq!(all("(c.X.A.0?x -> STOP)[[c.X.A.0 <- c.X.A.1]]"), "c.X.A.1.1.0 c.X.A.1.1.1");
}
