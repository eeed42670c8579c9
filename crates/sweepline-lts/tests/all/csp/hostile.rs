//! Hostile texts: the result is an error or a script, without a panic, an overflow or a long wait.

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline_lts::csp::{Limits, Script};

fn limits() -> Limits {
    Limits { max_bytes: 1 << 20, max_component_states: 300, ..Limits::default() }
}

/// Reads a text, and composes the processes of its assertions.
fn survive(text: &str) {
    let Ok(mut script) = Script::read("hostile.csp", text, &limits()) else { return };
    let constants: Vec<_> = script.constants().map(str::to_owned).collect();
    for constant in constants.iter().take(8) {
        if let Err(errors) = script.compose(constant) {
            assert!(!errors.errors.is_empty());
        }
    }
}

#[test]
fn a_mistake_below_let_in_brackets() {
    survive("P = Q [|{| a, let, b |}|] R\nassert P :[deadlock free]\n");
    survive("P = f({let x)\nQ = STOP\n");
}

#[test]
fn deep_texts() {
    let n = 100_000;
    survive(&format!("P = {}STOP{}\n", "(".repeat(n), ")".repeat(n)));
    survive(&format!("P = {}\n", "(".repeat(n)));
    survive(&format!("P = {}\n", "{<".repeat(n)));
    survive(&format!("x = {}1\n", "1 + ".repeat(n)));
    survive(&format!("x = {}1\n", "- ".repeat(n)));
    survive(&format!("x = {}1\n", "not ".repeat(n)));
    survive(&format!("channel a\nP = {}STOP\n", "a -> ".repeat(n)));
    survive(&format!("channel a\nP = {}STOP\n", "a -> STOP [] ".repeat(n)));
    survive(&format!("P = {}STOP\n", "STOP ||| ".repeat(3_900)));
    survive(&format!(
        "P = {}STOP\n",
        "STOP ||| (".repeat(1_900) + "STOP" + &")".repeat(1_900) + " ||| "
    ));
    survive(&format!("P = {}STOP\n", "if true then STOP else ".repeat(n)));
    survive(&format!("P = {}STOP\n", "let x = 1 within ".repeat(n)));
    survive(&format!("x = {}\n", "f(".repeat(n)));
    survive(&"{-".repeat(n));
    survive(&format!("x = a{}\n", ".a".repeat(n)));
    survive(&format!("x = f{}\n", "(1)".repeat(n)));
}

/// Reasonable nesting works.
#[test]
fn long_texts() {
    let chain = format!("channel a\nP = {}STOP\n", "a -> ".repeat(900));
    let limits = Limits { max_component_states: 2_000, ..limits() };
    let mut script = Script::read("chain.csp", &chain, &limits).expect("a chain");
    let lts = script.compose("P").expect("a chain").to_lts("P", 2_000).expect("a chain");
    assert_eq!(lts.n_states(), 901);
    let sum = "channel a : {5000}\nsum(<>) = 0\nsum(<x>^s) = 1 + sum(s)\n\
               P = a.sum(<1..5000>) -> STOP\n";
    let mut script = Script::read("sum.csp", sum, &limits).expect("a sum");
    script.compose("P").expect("a deep recursion");
}

#[test]
fn endless_evaluations() {
    survive("f(x) = f(x + 1)\nP = f(0)\n");
    survive("f(x) = <f(x)>\nP = f(0)\n");
    survive("f(s) = f(s^s)\nP = f(<1>)\n");
    survive("f(x) = {f(y) | y <- {x}}\nP = f(1)\n");
    survive("f(x) = [] y : {x} @ f(y)\nP = f(1)\n");
    survive("f(n) = if n == 0 then STOP else (f(n - 1) ||| f(n - 1))\nP = f(12)\n");
    survive("f(0) = STOP\nf(n) = let HALF = f(n - 1) within HALF ||| HALF\nP = f(60)\n");
    survive("let x = 1\n");
    survive("datatype T = A.T | B\nchannel c : T\nP = c?x -> STOP\n");
    survive("nametype T = T.T\nchannel c : T\nP = c?x -> STOP\n");
    survive("nametype A = B.B\nnametype B = A.A\nchannel c : A\nP = c?x -> STOP\n");
    survive("channel c : {c}\nP = c?x -> STOP\n");
    survive("channel a\nP = P ; P\nQ = Q ||| Q\nR = R [] R\nS = S \\ {a}\nT = T[[a <- a]]\n");
    survive("channel a\nP = a -> (P ; P)\nQ = a -> (Q ||| Q)\nR = SKIP ; (R \\ {a})\n");
    survive("P = let Q = Q within Q\nR = let S(x) = S(x) within S(1)\n");
    survive("channel a : {0..1000}.{0..1000}.{0..1000}\nP = a?x?y?z -> STOP\n");
    survive("P = Union({{x, y, z} | x <- {1..100}, y <- {1..100}, z <- {1..100}})\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn damaged_models(
        which in 0..3usize,
        cuts in vec((any::<prop::sample::Index>(), "[-+*/%^#<>(){}\\[\\]|\\\\?!$.:,;&@=~'\"_a-zA-Z0-9 \n]{0,3}", 0..6usize), 1..4),
    ) {
        let mut text = super::models::SEEDS[which].1.replace("N = 12", "N = 2").replace("J = 20", "J = 2")
            .replace("N = 6", "N = 2").replace("N = 20", "N = 2");
        for (at, insert, len) in cuts {
            let at = text.floor_char_boundary(at.index(text.len()));
            let end = text.floor_char_boundary((at + len).min(text.len()));
            text.replace_range(at..end.max(at), &insert);
        }
        survive(&text);
    }

    #[test]
    fn any_text(text in "[-+*/%^#<>(){}\\[\\]|\\\\?!$.:,;&@=~'\"_aPx0 \n]{0,80}") {
        survive(&text);
        survive(&format!("channel a, x : {{0..1}}\nP = {text}\n"));
    }
}
