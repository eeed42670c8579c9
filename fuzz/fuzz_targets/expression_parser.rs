//! Any text gives an expression or a list of errors; printing and parsing an expression gives the same
//! expression.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepline_pnml::{Net, parse_expr, parse_predicate};

fuzz_target!(|text: &str| {
    let net = Net::builder("fuzz")
        .place("p", 1)
        .place_named("q", "my place", 0)
        .place_named("r", "and", 0)
        .transition("t", &[("p", 1)], &[("q", 1)])
        .transition_named("u", "a \"b\" \\", &[("q", 1)], &[])
        .build()
        .expect("a lawful net");
    if let Ok(predicate) = parse_predicate(&net, text) {
        let shown = predicate.display(&net).to_string();
        assert_eq!(parse_predicate(&net, &shown).as_ref(), Ok(&predicate), "{shown}");
    }
    if let Ok(expr) = parse_expr(&net, text) {
        let shown = expr.display(&net).to_string();
        assert_eq!(parse_expr(&net, &shown).as_ref(), Ok(&expr), "{shown}");
    }
});
