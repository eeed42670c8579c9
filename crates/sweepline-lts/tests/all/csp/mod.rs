//! Scripts in CSPm: the language, its messages, hostile texts, and the models of the repository.

mod hostile;
mod language;
mod messages;
mod models;
mod modules;
mod refinement;
mod types;
mod types_random;

use std::collections::BTreeSet;

use sweepline_lts::csp::{Limits, Script};
use sweepline_lts::{Composition, LabelId, Lts, StateNo};

fn script(text: &str) -> Script {
    Script::read("test.csp", text, &Limits::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn compose(text: &str, process: &str) -> Composition {
    script(text).compose(process).unwrap_or_else(|errors| panic!("{errors}"))
}

fn lts(text: &str, process: &str) -> Lts {
    compose(text, process).to_lts(process, 1_000_000).expect("a small state space")
}

/// All traces of up to `length` visible events, `✓` among them.
fn traces(lts: &Lts, length: usize) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut queue = vec![(lts.initial(), Vec::new())];
    while let Some((state, trace)) = queue.pop() {
        if !seen.insert((state, trace.clone())) {
            continue;
        }
        found.insert(trace.clone());
        for edge in lts.edges(state) {
            let mut next = trace.clone();
            if edge.label != LabelId::TAU {
                if trace.len() == length {
                    continue;
                }
                next.push(lts.label(edge.label).to_owned());
            }
            queue.push((edge.target, next));
        }
    }
    found
}

/// The longest traces of up to five events, written with blanks between the events.
fn longest(text: &str, process: &str) -> Vec<String> {
    let all = traces(&lts(text, process), 5);
    let is_prefix = |trace: &Vec<String>| {
        all.iter().any(|other| other.len() > trace.len() && other.starts_with(trace))
    };
    all.iter().filter(|trace| !is_prefix(trace)).map(|trace| trace.join(" ")).collect()
}

/// The visible events of the first state, and of those that internal steps lead to.
fn initials(lts: &Lts) -> Vec<String> {
    traces(lts, 1).into_iter().flatten().collect()
}

fn edge_count(lts: &Lts, state: StateNo) -> usize {
    lts.edges(state).len()
}
