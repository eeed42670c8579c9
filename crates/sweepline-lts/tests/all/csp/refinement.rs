//! Trace refinement, and the assertions of scripts.

use super::{lts, script, traces};
use sweepline::{Check, Model, Verdict};
use sweepline_lts::csp::Claim;
use sweepline_lts::{Refinement, Semantics, Specification};

/// Whether every trace of `process` is a trace of `specification`; if not, the first trace that is not.
fn refines(text: &str, specification: &str, process: &str) -> Result<(), Vec<String>> {
    let specification = lts(text, specification);
    let specification = Specification::of(&specification, Semantics::Traces, 10_000, &|| false);
    let specification = specification.expect("a small one");
    let process = script(text).compose(process).unwrap_or_else(|errors| panic!("{errors}"));
    let refinement = Refinement::new(specification, &process);
    let report = Check::new(&refinement).never("refines", |state| state.violated()).run();
    match &report.properties[0].verdict {
        Verdict::Holds(_) => Ok(()),
        Verdict::Violated(witness) => {
            let witness = witness.as_ref().expect("a trace");
            let names =
                witness.steps.iter().map(|step| refinement.process().rule_name(step.action));
            Err(names.filter(|name| !name.starts_with('τ')).collect())
        }
        other => panic!("{}", other.word()),
    }
}

#[test]
fn specifications_allow_or_do_not() {
    let text = "channel a, b, c\nchannel left, mid, right : {0..1}\n\
        AB = a -> b -> AB\nBUFFER = left?x -> (right!x -> BUFFER [] left?y -> right!x -> right!y -> BUFFER)\n\
        COPY(in, out) = in?x -> out!x -> COPY(in, out)\n\
        TWO = (COPY(left, mid) [|{|mid|}|] COPY(mid, right)) \\ {|mid|}\n";
    assert_eq!(refines(text, "AB", "a -> b -> STOP"), Ok(()));
    assert_eq!(refines(text, "AB", "AB |~| STOP"), Ok(()));
    assert_eq!(refines(text, "AB", "a -> a -> STOP"), Err(vec!["a".into(), "a".into()]));
    assert_eq!(refines(text, "a -> STOP", "a -> SKIP"), Err(vec!["a".into(), "✓".into()]));
    assert_eq!(refines(text, "RUN({a, b})", "c -> STOP"), Err(vec!["c".into()]));
    // The specification has an internal choice; both branches are traces.
    assert_eq!(
        refines(text, "a -> b -> STOP |~| a -> c -> STOP", "a -> (b -> STOP [] c -> STOP)"),
        Ok(())
    );
    assert!(refines(text, "BUFFER", "TWO").is_err());
    assert_eq!(refines(text, "COPY(left, right) ||| COPY(left, right)", "TWO"), Ok(()));
}

#[test]
fn refinement_is_inclusion_of_traces() {
    let text = "channel a, b\nP = a -> (P |~| b -> P)\nQ = a -> Q [] b -> STOP\nR = (a -> SKIP ; b -> SKIP) [> Q\n";
    let names = ["P", "Q", "R", "STOP", "RUN({a, b})", "P ||| Q", "(P [|{a}|] R) \\ {b}"];
    let deep: Vec<_> = names.iter().map(|name| traces(&lts(text, name), 6)).collect();
    for (spec, specification) in names.iter().zip(&deep) {
        for (name, process) in names.iter().zip(&deep) {
            let included = process.is_subset(specification);
            assert_eq!(refines(text, spec, name).is_ok(), included, "{spec} [T= {name}");
        }
    }
}

#[test]
fn assertions_are_read() {
    let text = "channel a\nP = a -> P\nassert P :[deadlock free [F]]\nassert not P [T= a -> STOP\n\
        assert P :[divergence-free]\nassert P :[deterministic [FD]]:\nassert P [FD= P\nassert P :[has trace]: <a, a>\n\
        assert P :[has trace [F]]: <a, a>\nassert P [T= P :[tau priority]: {a}\n\
        assert P [F= P :[partial order reduce]\nassert P :[deterministic [T]]\nassert P [R= P\n";
    let script = script(text);
    let all = script.assertions();
    let process = "P".to_owned();
    let semantics = Semantics::Failures;
    assert_eq!(all[0].claim, Claim::DeadlockFree { process: process.clone(), semantics });
    assert_eq!((all[1].negated, all[1].position.line), (true, 4));
    let refines = |process: &str, semantics| Claim::Refinement {
        specification: "P".to_owned(),
        process: process.to_owned(),
        semantics,
    };
    assert_eq!(all[1].claim, refines("a -> STOP", Semantics::Traces));
    assert_eq!(all[2].claim, Claim::DivergenceFree { process: process.clone() });
    let semantics = Semantics::FailuresDivergences;
    assert_eq!(all[3].claim, Claim::Deterministic { process: process.clone(), semantics });
    assert_eq!(all[4].claim, refines("P", semantics));
    assert_eq!(all[5].claim, Claim::HasTrace { process: process.clone(), trace: "<a, a>".into() });
    let other = |what: &str| Claim::Other { process: process.clone(), what: what.to_owned() };
    assert_eq!(all[6].claim, other("has trace [F]"));
    assert_eq!(all[7].claim, other("tau priority"));
    assert_eq!(all[8].claim, refines("P", Semantics::Failures));
    assert_eq!(all[9].claim, other("deterministic [T]"));
    assert_eq!(all[10].claim, other("[R="));
    assert_eq!(all[1].text, "not P [T= a -> STOP");
}

#[test]
fn termination_is_no_deadlock() {
    let stuck = |process: &str| {
        let composition = super::compose("channel a, b\n", process);
        let report = Check::new(&composition)
            .never("stuck", |state| {
                let next = sweepline::model::successors(&composition, state).expect("no errors");
                next.is_empty() && !composition.has_terminated(state)
            })
            .run();
        matches!(report.properties[0].verdict, Verdict::Violated(_))
    };
    assert!(!stuck("SKIP"));
    assert!(!stuck("a -> SKIP ||| b -> SKIP"));
    assert!(!stuck("(a -> SKIP [|{a}|] a -> SKIP) \\ {a}"));
    assert!(stuck("a -> SKIP ||| STOP"));
    assert!(stuck("SKIP |~| STOP"));
}
