//! Laws of CSP.

use sweepline::Check;
use sweepline_lts::csp::{Limits, Script};
use sweepline_lts::refine::Refines;
use sweepline_lts::{Refinement, RefinementState, Semantics, Specification};

/// Whether `specification` is refined by `process`.
fn refines(text: &str, specification: &str, semantics: Semantics, process: &str) -> bool {
    let mut script = Script::read("law.csp", text, &Limits::default()).expect("a script");
    let lts = script.compose(specification).expect("a process").to_lts("", 10_000);
    let normal = Specification::of(&lts.expect("few states"), semantics, 100_000, &|| false);
    let process = script.compose(process).expect("a process");
    let refinement = Refinement::new(normal.expect("a small one"), &process);
    let violated = |refinement: &Refinement<'_>, _: &mut (), state: &RefinementState| {
        Ok(state.violated() || refinement.refuses(state))
    };
    let check = Check::new(&refinement);
    let check = match semantics {
        Semantics::FailuresDivergences => check.query("", "", Refines::new(&refinement)),
        _ => check.query("", "", sweepline::observe::Never::new(violated)),
    };
    let word = check.run().properties[0].verdict.word();
    assert!(word == "holds" || word == "violated", "{word}");
    word == "holds"
}

const TEXT: &str = "channel a, b, c\nA = a -> A\nAB = a -> AB [] b -> AB\n";

use Semantics::{Failures as F, FailuresDivergences as FD, Traces as T};

#[track_caller]
fn law(specification: &str, process: &str, expected: [bool; 3]) {
    let found = [T, F, FD].map(|model| refines(TEXT, specification, model, process));
    assert_eq!(found, expected, "{specification} [T=, [F=, [FD= {process}");
}

#[track_caller]
fn equal(p: &str, q: &str) {
    law(p, q, [true; 3]);
    law(q, p, [true; 3]);
}

#[test]
fn choices() {
    law("a -> STOP |~| b -> STOP", "a -> STOP [] b -> STOP", [true; 3]);
    law("a -> STOP [] b -> STOP", "a -> STOP |~| b -> STOP", [true, false, false]);
    law("a -> STOP [] b -> STOP", "a -> STOP", [true, false, false]);
    law("a -> STOP |~| b -> STOP", "a -> STOP", [true; 3]);
    law("A", "STOP", [true, false, false]);
    law("STOP", "A", [false; 3]);
    law("CHAOS({a, b})", "a -> STOP |~| AB", [true; 3]);
    law("RUN({a, b})", "AB", [true; 3]);
    law("RUN({a, b})", "CHAOS({a, b})", [true, false, false]);
    equal("(a -> STOP) [] STOP", "a -> STOP");
    equal("a -> (STOP |~| A)", "a -> STOP |~| a -> A");
    equal("(a -> STOP) [> (b -> STOP)", "(a -> STOP [] b -> STOP) |~| b -> STOP");
}

/// `✓` is a signal: a process that can terminate may refuse everything else.
#[test]
fn termination() {
    equal("SKIP [] a -> STOP", "(a -> STOP) [> SKIP");
    law("SKIP [] a -> STOP", "SKIP", [true; 3]);
    law("SKIP [] a -> STOP", "a -> STOP", [true, false, false]);
    law("SKIP |~| STOP", "SKIP", [true; 3]);
    law("SKIP", "STOP", [true, false, false]);
    law("STOP", "SKIP", [false; 3]);
    equal("SKIP ; A", "A");
    equal("A ; SKIP", "A");
    equal("SKIP ||| SKIP", "SKIP");
    law("a -> SKIP", "a -> SKIP ||| SKIP", [true; 3]);
}

/// A diverging process has no failures in the model `F`, and allows everything in `FD`.
#[test]
fn divergence() {
    law("A", "A \\ {a}", [true, true, false]);
    law("DIV", "A", [false, false, true]);
    law("DIV", "STOP", [true, false, true]);
    law("DIV", "DIV", [true; 3]);
    law("a -> DIV", "a -> AB", [false, false, true]);
    law("a -> DIV", "b -> AB", [false; 3]);
    law("STOP", "DIV", [true, true, false]);
    law("a -> STOP", "DIV [] a -> STOP", [true, true, false]);
    law("(a -> STOP) |~| DIV", "b -> STOP", [false, false, true]);
    law("AB \\ {a}", "c -> STOP", [false, false, true]);
    law("c -> (AB \\ {a})", "c -> STOP", [true, false, true]);
    equal("(a -> b -> STOP) \\ {a}", "b -> STOP");
}
