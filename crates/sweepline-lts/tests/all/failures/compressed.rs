//! Compressed LTSs behave as before, alone and in every context.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sweepline_lts::csp::{Limits, Script};
use sweepline_lts::{Composition, Compression, Lts, StateNo, Sync, Tree, compress};

use super::naive::Behaviour;
use super::random::{Edges, edges, lts, universe};

const ALL: [Compression; 4] = [
    Compression::StrongBisimulation,
    Compression::InternalCycles,
    Compression::Both,
    Compression::NormalForm,
];

fn compressed(lts: &Lts, how: Compression) -> Lts {
    compress(lts, how, 100_000, &|| false).expect("a small one")
}

fn behaves(lts: &Lts) -> Behaviour {
    Behaviour::of(lts, &universe(), 4)
}

#[track_caller]
fn same(one: &Lts, other: &Lts, what: &str) {
    let (one, other) = (behaves(one), behaves(other));
    assert_eq!(one.traces, other.traces, "{what}");
    assert_eq!(one.divergences, other.divergences, "{what}");
    assert_eq!(one.failures, other.failures, "{what}");
}

fn set(events: &[&str]) -> BTreeSet<String> {
    events.iter().map(|&event| event.to_owned()).collect()
}

/// In parallel with another process, with an event hidden.
fn in_context(lts: &Lts, other: &Lts) -> Lts {
    let both = vec![Tree::Component(lts.clone()), Tree::Component(other.clone())];
    let parallel = Tree::Parallel(both, Sync::Interface(set(&["a"])));
    let composition = Composition::new(Tree::Hide(Box::new(parallel), set(&["b"])));
    composition.expect("a small tree").to_lts("", 10_000).expect("few states")
}

/// The number of classes of strong bisimulation among the reachable states, by its definition: two states are told
/// apart as long as some edge of one has no equal in the other. States after `✓` are apart from the others.
fn n_classes(lts: &Lts) -> usize {
    let ended: BTreeSet<StateNo> = lts
        .states()
        .flat_map(|s| lts.edges(s).iter().filter(|e| lts.label(e.label) == "✓").map(|e| e.target))
        .collect();
    let all: Vec<StateNo> = lts.states().collect();
    let mut apart: BTreeSet<(StateNo, StateNo)> = BTreeSet::new();
    for &p in &all {
        apart.extend(
            all.iter().filter(|q| ended.contains(&p) != ended.contains(q)).map(|&q| (p, q)),
        );
    }
    loop {
        let matches = |p: StateNo, q: StateNo| {
            lts.edges(p).iter().all(|e| {
                let equal = |f: &sweepline_lts::Edge| {
                    f.label == e.label && !apart.contains(&(e.target, f.target))
                };
                lts.edges(q).iter().any(equal)
            })
        };
        let pairs = all.iter().flat_map(|&p| all.iter().map(move |&q| (p, q)));
        let more: Vec<_> = pairs
            .filter(|&(p, q)| !(apart.contains(&(p, q)) || matches(p, q) && matches(q, p)))
            .collect();
        if more.is_empty() {
            break;
        }
        apart.extend(more.iter().flat_map(|&(p, q)| [(p, q), (q, p)]));
    }
    let first = |&&p: &&StateNo| all.iter().all(|&q| q >= p || apart.contains(&(p, q)));
    all.iter().filter(first).count()
}

fn check(p: &Edges, q: &Edges) {
    let (p, q) = (lts("P", 5, p), lts("Q", 3, q));
    let whole = in_context(&p, &q);
    for how in ALL {
        let less = compressed(&p, how);
        let what = format!("{how:?}");
        same(&p, &less, &what);
        same(&whole, &in_context(&less, &q), &what);
        let again = compressed(&less, how);
        assert!(again.n_states() <= less.n_states(), "{what}");
    }
    assert_eq!(compressed(&p, Compression::StrongBisimulation).n_states(), n_classes(&p));
}

proptest! {
    #[test]
    fn compressions_change_nothing_that_is_observed(p in edges(5), q in edges(3)) {
        check(&p, &q);
    }
}

/// Long chains are compressed in time that is not quadratic.
#[test]
fn a_long_chain() {
    let mut chain = sweepline_lts::LtsBuilder::new("chain");
    let (a, b) = (chain.label("a"), chain.label("b"));
    let n = 100_000;
    for state in 0..n {
        chain.edge(StateNo(state), if state % 2 == 0 { a } else { b }, StateNo(state + 1));
    }
    let lts = chain.build(n + 1, StateNo(0)).expect("a chain");
    assert_eq!(compressed(&lts, Compression::StrongBisimulation).n_states(), n as usize + 1);
    let mut ring = sweepline_lts::LtsBuilder::new("ring");
    let a = ring.label("a");
    (0..n).for_each(|state| ring.edge(StateNo(state), a, StateNo((state + 1) % n)));
    let lts = ring.build(n, StateNo(0)).expect("a ring");
    assert_eq!(compressed(&lts, Compression::StrongBisimulation).n_states(), 1);
}

fn component_states(text: &str, process: &str) -> Vec<usize> {
    let mut script = Script::read("c.csp", text, &Limits::default()).expect("a script");
    let composition = script.compose(process).unwrap_or_else(|errors| panic!("{errors}"));
    composition.components().iter().map(Lts::n_states).collect()
}

#[test]
fn scripts_compress_components() {
    let text = "transparent sbisim, normal, diamond, tau_loop_factor, explicate\nexternal chase\n\
                channel a, b, c\nP = a -> b -> a -> b -> P\nQ = (a -> (P |~| P)) |~| P\n\
                R = P [|{a}|] P\nL = a -> (L \\ {b}) |~| b -> STOP\n";
    assert_eq!(component_states(text, "P ||| P"), [4, 4]);
    assert_eq!(component_states(text, "sbisim(P) ||| explicate(P)"), [2, 4]);
    assert_eq!(component_states(text, "(sbisim(R) \\ {a}) ||| P"), [3, 4]);
    assert_eq!(component_states(text, "normal(b -> Q) ||| STOP").len(), 2);
    assert_eq!(component_states(text, "normal((a -> a -> b -> STOP) \\ {a})"), [2]);
    // What is too large for one component stays as it is, and is tried only once.
    let large = "transparent sbisim\nchannel a : {0..9}\nP(i) = a.i -> a.i -> a.i -> a.i -> P(i)\n\
                 S = sbisim(||| i : {0..9} @ P(i))\nT = sbisim(S ||| S)\n";
    assert_eq!(component_states(large, "T ||| T"), [4; 40]);
    // Compression below a prefix changes nothing.
    assert_eq!(component_states(text, "c -> sbisim(P)"), [5]);
    assert_eq!(component_states("transparent sbisim\nchannel a\nP = a -> sbisim(P)\n", "P"), [1]);
}

/// `chase` follows one internal step after another, so that one branch of an internal choice is left.
#[test]
fn chase_takes_internal_steps_first() {
    let text = "external chase\nchannel a, b, c\n\
                P = (a -> STOP |~| b -> STOP) [] c -> STOP\nD = a -> DIV\n";
    let lts = |process: &str| {
        let mut script = Script::read("c.csp", text, &Limits::default()).expect("a script");
        script.compose(process).expect("a process").to_lts("", 100).expect("few states")
    };
    let chased = lts("chase(P)");
    let labels: BTreeSet<_> =
        chased.edges(chased.initial()).iter().map(|e| chased.label(e.label)).collect();
    assert!(labels == ["a", "c"].into() || labels == ["b", "c"].into(), "{labels:?}");
    same(&lts("chase((a -> b -> c -> SKIP) \\ {b})"), &lts("a -> c -> SKIP"), "hidden");
    same(&lts("chase(D)"), &lts("D"), "divergence");
    same(&lts("chase(SKIP ; a -> SKIP) ; b -> STOP"), &lts("a -> b -> STOP"), "termination");
    same(&lts("chase(chase(SKIP ||| a -> SKIP))"), &lts("a -> SKIP"), "termination of parts");
}
