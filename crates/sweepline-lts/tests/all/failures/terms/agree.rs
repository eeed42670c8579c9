//! Random scripts have the behaviour that the rules give them, and the verdicts that follow from it.

use proptest::prelude::*;
use sweepline::observe::Terminates;
use sweepline::{Check, Witness};
use sweepline_lts::csp::{Limits, Script};
use sweepline_lts::refine::{NoDeadlock, deterministic_part};
use sweepline_lts::{Composition, LabelId, Refinement, RuleId, Semantics, Specification};

use super::super::random::{MODELS, WAYS, never, trace_of, violation};
use super::generate::{Case, case_of, numbers};
use super::observed::{Machine, label};
use super::rules::Label;

/// Scripts with more states than this are left out.
pub(super) const STATES: usize = 300;

/// The process of a script, read and composed as for a check.
pub(super) fn composed(text: &str, process: &str) -> Composition {
    let mut script = Script::read("random.csp", text, &Limits::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    script.compose(process).unwrap_or_else(|errors| panic!("{process}: {errors:?}\n{text}"))
}

fn explored(composition: &Composition) -> Machine {
    Machine::of_lts(&composition.to_lts("", 100_000).expect("few states"))
}

fn machines(case: &Case) -> Option<[Machine; 2]> {
    let [p, q, _] = &case.processes;
    let of = |process| Machine::of(&case.definitions, process, STATES);
    Some([of(p)?, of(q)?])
}

fn labels(process: &Composition, run: &Witness<Refinement<'_>>) -> Vec<Label> {
    let trace = trace_of(process, run.steps.iter().map(|step| step.action));
    trace.iter().map(|event| label(event)).collect()
}

/// Operators at the top of a process are composed state by state, those below are explored at once: both ways.
fn check_behaviour(case: &Case) {
    let Some(machines) = machines(case) else { return };
    let text = case.text();
    for (name, wanted) in ["P", "Q"].iter().zip(&machines) {
        for process in [(*name).to_owned(), format!("SKIP ; {name}")] {
            let found = explored(&composed(&text, &process));
            assert_eq!(found.difference(wanted), None, "{process} differs after a trace\n{text}");
        }
    }
}

fn check_refinement(case: &Case) {
    let Some(machines) = machines(case) else { return };
    let text = case.text();
    let processes = ["P", "Q"].map(|name| composed(&text, name));
    for [spec, own] in [[0, 1], [1, 0]] {
        let (wanted, machine, process) = (&machines[spec], &machines[own], &processes[own]);
        let lts = processes[spec].to_lts("spec", 100_000).expect("few states");
        for semantics in MODELS {
            let normal = Specification::of(&lts, semantics, 100_000, &never).expect("few states");
            let refinement = Refinement::new(normal, process);
            let expected = machine.refines(wanted, semantics);
            for way in WAYS {
                let run = violation(&refinement, semantics, way);
                let what = format!("{spec} refined by {own} in {semantics:?} {way:?}\n{text}");
                assert_eq!(run.is_none(), expected, "{what}");
                let Some(run) = run else { continue };
                let trace = labels(process, &run);
                assert!(machine.violates(wanted, semantics, &trace), "{trace:?} {what}");
            }
        }
    }
}

fn check_determinism(case: &Case) {
    let Some(machines) = machines(case) else { return };
    let text = case.text();
    for (name, machine) in ["P", "Q"].iter().zip(&machines) {
        let process = composed(&text, name);
        for semantics in [Semantics::Failures, Semantics::FailuresDivergences] {
            let part = deterministic_part(&process, semantics, 10_000, &never).expect("few states");
            let is_partial = part.has_divergent_traces();
            assert!(!is_partial || machine.diverges_somewhere(), "{name}\n{text}");
            let in_divergences = semantics == Semantics::FailuresDivergences;
            let expected =
                machine.has_no_choice() && !(in_divergences && machine.diverges_somewhere());
            let refinement = Refinement::new(part, &process);
            for way in WAYS {
                let holds = violation(&refinement, semantics, way).is_none();
                let is_open = is_partial && holds && !in_divergences;
                assert!(is_open || holds == expected, "{name} {semantics:?} {way:?}\n{text}");
            }
        }
    }
}

fn check_progress(case: &Case) {
    let Some(machines) = machines(case) else { return };
    let text = case.text();
    for (name, machine) in ["P", "Q"].iter().zip(&machines) {
        let process = composed(&text, name);
        let holds = |check: Check<'_, Composition>| {
            let verdict = &check.run().properties[0].verdict;
            assert!(["holds", "violated"].contains(&verdict.word()), "{}", verdict.word());
            verdict.word() == "holds"
        };
        let (no_deadlock, diverges) = (machine.has_no_deadlock(), machine.diverges_somewhere());
        assert_eq!(holds(Check::new(&process).deadlock()), no_deadlock, "{name}\n{text}");
        let both = Check::new(&process).query("", "", NoDeadlock::new(&process));
        assert_eq!(holds(both), no_deadlock && !diverges, "{name}\n{text}");
        let internal = |rule: &RuleId| process.label(*rule) == LabelId::TAU;
        let ends = Check::new(&process).query("", "", Terminates::by(internal));
        assert_eq!(holds(ends), !diverges, "{name}\n{text}");
    }
}

/// Most random scripts are compared, and not all of them are trivial.
#[test]
fn most_scripts_are_small_enough() {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as u16
    };
    let (mut compared, mut refined, mut long) = (0, 0, 0);
    for _ in 0..400 {
        let numbers: Vec<u16> = (0..100).map(|_| next()).collect();
        let Some([p, q]) = machines(&case_of(&numbers)) else { continue };
        compared += 1;
        refined += u32::from(q.refines(&p, Semantics::Failures));
        long += u32::from(p.n_states() > 8);
    }
    assert!(compared > 350 && refined > 40 && long > 80, "{compared} {refined} {long}");
}

proptest! {
    #[test]
    fn scripts_behave_as_the_rules_say(numbers in numbers()) {
        check_behaviour(&case_of(&numbers));
    }

    #[test]
    fn refinements_of_scripts_agree(numbers in numbers()) {
        check_refinement(&case_of(&numbers));
    }

    #[test]
    fn determinism_of_scripts_agrees(numbers in numbers()) {
        check_determinism(&case_of(&numbers));
    }

    #[test]
    fn deadlocks_and_divergences_of_scripts_agree(numbers in numbers()) {
        check_progress(&case_of(&numbers));
    }
}
