//! Smaller nets reach the same token counts of observed places as the original nets, and the same in dead markings.
//! Every path to one is lifted to the original net.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::{Check, Interrupt, Verdict};
use sweepline_pnml::{MarkingView, Net, NetModel, PlaceId, Reduced};

use super::random::{Plain, fire, net};

static SMALLER: AtomicUsize = AtomicUsize::new(0);
static LIFTED: AtomicUsize = AtomicUsize::new(0);

fn agrees(net: Net, observed: &[bool], keeps_deadlocks: bool) {
    let Some(plain) = Plain::explore(&net, 600) else { return };
    let observed: Vec<PlaceId> = net.place_ids().filter(|p| observed[p.index()]).collect();
    let original = NetModel::new(net);
    let net = original.net();
    let Some(reduced) = Reduced::new(net, &observed, keeps_deadlocks, &Interrupt::default()) else {
        return;
    };
    let model = &NetModel::new(reduced.net().clone());
    let smaller = Plain::explore(model.net(), 600).expect("not more markings than before");
    let seen = |markings: &BTreeSet<Vec<u64>>| -> BTreeSet<Vec<u64>> {
        markings.iter().map(|m| observed.iter().map(|p| m[p.index()]).collect()).collect()
    };
    assert_eq!(seen(&smaller.markings), seen(&plain.markings), "{:?}", model.net());
    if keeps_deadlocks {
        assert_eq!(seen(&smaller.dead), seen(&plain.dead), "{:?}", model.net());
    }
    if smaller.markings.len() < plain.markings.len() {
        SMALLER.fetch_add(1, Ordering::Relaxed);
    }
    let mut targets: Vec<(Vec<u64>, bool)> =
        seen(&plain.markings).into_iter().take(20).map(|target| (target, false)).collect();
    if keeps_deadlocks {
        targets.extend(seen(&plain.dead).into_iter().take(20).map(|target| (target, true)));
    }
    for (target, dead) in targets {
        let there = |marking: &_| {
            let view = model.view(marking);
            let same = observed.iter().zip(&target).all(|(&p, &n)| view.tokens(p) == n);
            same && (!dead || view.deadlock())
        };
        let report = Check::new(model).reach("target", there).run();
        let Verdict::Holds(Some(witness)) = &report.properties[0].verdict else {
            panic!("{target:?} is not reached")
        };
        let actions: Vec<_> = witness.steps.iter().map(|step| step.action).collect();
        let path = reduced.lift(net, &actions).expect("a path");
        let mut marking = net.initial_marking();
        for t in path {
            marking = fire(net, &marking, t).expect("an enabled transition");
        }
        assert!(observed.iter().zip(&target).all(|(p, &n)| marking[p.index()] == n));
        assert!(!dead || plain.dead.contains(&marking));
        LIFTED.fetch_add(1, Ordering::Relaxed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn reachable_counts_are_kept(
        net in net(1, 1..9, true),
        observed in vec(prop_oneof![3 => Just(false), 1 => Just(true)], 8),
        keeps_deadlocks in any::<bool>(),
    ) {
        agrees(net, &observed, keeps_deadlocks);
    }

    #[test]
    fn reachable_counts_of_weighted_nets_are_kept(
        net in net(3, 1..7, false),
        observed in vec(prop_oneof![3 => Just(false), 1 => Just(true)], 8),
        keeps_deadlocks in any::<bool>(),
    ) {
        agrees(net, &observed, keeps_deadlocks);
    }

    /// Lines and forks of places, where agglomeration applies often.
    #[test]
    fn reachable_counts_of_sparse_nets_are_kept(
        arcs in vec((vec(0..8usize, 1..3), vec(0..8usize, 0..3)), 2..9),
        tokens in vec(prop_oneof![3 => Just(0u64), 1 => 1..3u64], 8),
        observed in vec(prop_oneof![5 => Just(false), 1 => Just(true)], 8),
        keeps_deadlocks in any::<bool>(),
    ) {
        let names: Vec<String> = (0..8).map(|p| format!("p{p}")).collect();
        let mut net = Net::builder("sparse");
        for (name, &tokens) in names.iter().zip(&tokens) {
            net = net.place(name, tokens);
        }
        let named = |places: &[usize]| -> Vec<(&str, u64)> {
            let places: BTreeSet<usize> = places.iter().copied().collect();
            places.into_iter().map(|p| (names[p].as_str(), 1)).collect()
        };
        for (t, (inputs, outputs)) in arcs.iter().enumerate() {
            net = net.transition(&format!("t{t}"), &named(inputs), &named(outputs));
        }
        agrees(net.build().unwrap(), &observed, keeps_deadlocks);
    }
}

#[test]
fn many_nets_get_smaller() {
    reachable_counts_of_sparse_nets_are_kept();
    let (smaller, lifted) = (SMALLER.load(Ordering::Relaxed), LIFTED.load(Ordering::Relaxed));
    println!("{smaller} with fewer markings, {lifted} paths lifted");
    assert!(smaller > 50 && lifted > 200, "{smaller} with fewer markings, {lifted} paths lifted");
}

/// A ring of steps between two observed places becomes two transitions.
#[test]
fn a_line_of_steps_becomes_one() {
    let mut builder = Net::builder("line").place("start", 2).place("end", 0);
    let names: Vec<String> = (0..6).map(|n| format!("middle{n}")).collect();
    for name in &names {
        builder = builder.place(name, 0);
    }
    let all: Vec<&str> =
        [&["start"][..], &names.iter().map(String::as_str).collect::<Vec<_>>(), &["end"]].concat();
    for (n, pair) in all.windows(2).enumerate() {
        builder = builder.transition(&format!("step{n}"), &[(pair[0], 1)], &[(pair[1], 1)]);
    }
    let net = builder.build().unwrap();
    let observed = [net.place("end").unwrap()];
    let reduced = Reduced::new(&net, &observed, true, &Interrupt::default()).unwrap();
    assert_eq!((reduced.n_places(), reduced.net().n_transitions()), (2, 1));
}
