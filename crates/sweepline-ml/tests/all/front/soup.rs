//! Random texts are accepted or rejected, without panic or endless loop.

use std::sync::LazyLock;

use proptest::prelude::*;
use sweepline_ml::Environment;

const WORDS: &[&str] = &[
    "val",
    "fun",
    "let",
    "in",
    "end",
    "if",
    "then",
    "else",
    "case",
    "of",
    "=>",
    "fn",
    "=",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    "|",
    "_",
    "...",
    "#",
    "#a",
    "#1",
    ":",
    "->",
    "*",
    "::",
    "++",
    "`",
    "@",
    "@+",
    "^^",
    "+",
    "-",
    "<",
    "o",
    "op",
    "andalso",
    "orelse",
    "raise",
    "handle",
    "datatype",
    "type",
    "exception",
    "structure",
    "struct",
    "open",
    "local",
    "infix",
    "6",
    "rec",
    "and",
    "as",
    "while",
    "do",
    "x",
    "y",
    "f",
    "g",
    "A",
    "INT",
    "nil",
    "SOME",
    "NONE",
    "ref",
    "!",
    ":=",
    "true",
    "1",
    "2",
    "~1",
    "1.5",
    "\"s\"",
    "#\"c\"",
    "'a",
    "''a",
    "int",
    "list",
    "string",
    "List.map",
    "INT.all",
    "colset",
    "with",
    "product",
    "union",
    "record",
    "subset",
    "by",
    "timed",
    "var",
    "globref",
    "use",
    "..",
    "index",
    "bool",
    "unit",
    "raise Fail",
    "map",
    "foldl",
    "withtype",
    "abstype",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..40).prop_map(|words| words.join(" "))
}

/// An expression that is syntactically plausible.
fn expr() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(
        &[
            "x", "y", "f", "1", "2.0", "\"s\"", "nil", "true", "INT.all", "#a", "SOME", "op +",
            "ref", "i",
        ][..],
    )
    .prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| format!("({a} {b})")),
            two.clone().prop_map(|(a, b)| format!("({a}, {b})")),
            two.clone().prop_map(|(a, b)| format!("{{a = {a}, b = {b}}}")),
            two.clone().prop_map(|(a, b)| format!("[{a}, {b}]")),
            two.clone().prop_map(|(a, b)| format!("({a} :: {b})")),
            two.clone().prop_map(|(a, b)| format!("({a} + {b})")),
            two.clone().prop_map(|(a, b)| format!("({a} = {b})")),
            two.clone().prop_map(|(a, b)| format!("(fn {{a = x, ...}} => {a} | y => {b})")),
            two.clone().prop_map(|(a, b)| format!("let val x = {a} in {b} end")),
            two.clone().prop_map(|(a, b)| format!("let fun f x = {a} | f y = f {b} in f end")),
            two.prop_map(|(a, b)| format!("(case {a} of SOME x => {b} | (x, y) => x)")),
            three.prop_map(|(a, b, c)| format!("(if {a} then {b} else {c})")),
            inner.clone().prop_map(|a| format!("(fn x => {a})")),
            inner.clone().prop_map(|a| format!("(#a {a})")),
            inner.prop_map(|a| format!("(fn (x : 'a) => {a})")),
        ]
    })
}

/// Accepted terms must be consistent with their types.
fn try_all(environment: &Environment, text: &str) {
    let mut environment = environment.clone();
    let id = environment.find_colour_set("INT").expect("INT");
    let _ = environment.arc("arc", text, id);
    let _ = environment.initial_marking("marking", text, id);
    let _ = environment.guard("guard", text);
    let _ = environment.code_segment("code", text);
    let _ = environment.time_region("time", text);
    if environment.declare_ml("ml", text).is_ok() {
        let binds = environment.program().binds.clone();
        let last = binds.len().saturating_sub(3);
        for bind in &binds[last..] {
            let wrong = sweepline_ml::core::verify_bind(environment.program_mut(), bind);
            assert_eq!(wrong, Vec::new(), "{text}");
        }
    }
}

static DECLARED: LazyLock<Environment> = LazyLock::new(|| {
    let mut environment = Environment::default();
    let declared = environment.declare_ml("d", "colset INT = int with 1..3 timed; var i : INT;");
    declared.expect("right");
    environment
});

proptest! {
    #[test]
    fn words_in_any_order(text in soup()) {
        try_all(&DECLARED, &text);
    }

    #[test]
    fn expressions_of_any_type(text in expr()) {
        try_all(&DECLARED, &format!("val x = {text}"));
    }

    #[test]
    fn any_characters(text in "\\PC{0,60}") {
        try_all(&DECLARED, &text);
    }
}
