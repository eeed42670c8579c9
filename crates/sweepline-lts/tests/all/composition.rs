//! Compositions of random LTSs under random operators, compared with an interpreter of the tree that follows
//! the rules of CSP one by one.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use sweepline::model::{bytes_of, initial, successors};
use sweepline::observe::{Flow, Visit};
use sweepline::progress::{Effect, Effort, Features, Given, Monotonicity, fit};
use sweepline::{Check, Model, Monotone, Observer, Options, explore};
use sweepline_lts::{
    Composition, EventSet, Joint, LabelId, Lts, LtsBuilder, StateNo, Sync, Tree, Weighted,
};
use sweepline_testkit::Reference;

/// The visible part of a step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Seen {
    Tau,
    Tick,
    Event(String),
}

/// The components' states, and whether the whole has terminated.
type Vector = (Vec<StateNo>, bool);

/// The number of components below.
fn width(tree: &Tree) -> usize {
    match tree {
        Tree::Component(_) => 1,
        Tree::Parallel(children, _) => children.iter().map(width).sum(),
        Tree::Hide(child, _) | Tree::Rename(child, _) => width(child),
    }
}

/// Whether `tree`, whose components are in `states`, has terminated.
fn ended(tree: &Tree, states: &[StateNo]) -> bool {
    match tree {
        Tree::Component(lts) => {
            let ticks = lts.states().flat_map(|s| lts.edges_with(s, LabelId::TICK));
            ticks.into_iter().any(|edge| edge.target == states[0])
        }
        Tree::Hide(child, _) | Tree::Rename(child, _) => ended(child, states),
        Tree::Parallel(children, _) => {
            parts(children, states).all(|(child, own)| ended(child, own))
        }
    }
}

fn parts<'a>(
    children: &'a [Tree],
    states: &'a [StateNo],
) -> impl Iterator<Item = (&'a Tree, &'a [StateNo])> {
    let mut rest = states;
    children.iter().map(move |child| {
        let (own, others) = rest.split_at(width(child));
        rest = others;
        (child, own)
    })
}

/// The steps of a tree, by the rules of CSP.
fn steps(tree: &Tree, states: &[StateNo]) -> Vec<(Seen, Vec<StateNo>)> {
    match tree {
        Tree::Component(lts) => {
            let seen = |label: LabelId| match label {
                LabelId::TAU => Seen::Tau,
                LabelId::TICK => Seen::Tick,
                _ => Seen::Event(lts.label(label).to_owned()),
            };
            let edges = lts.edges(states[0]).iter();
            edges.map(|edge| (seen(edge.label), vec![edge.target])).collect()
        }
        Tree::Hide(child, events) => {
            let hide = |(seen, next)| match seen {
                Seen::Event(name) if events.contains(&name) => (Seen::Tau, next),
                other => (other, next),
            };
            steps(child, states).into_iter().map(hide).collect()
        }
        Tree::Rename(child, pairs) => {
            let mut renamed = Vec::new();
            for (seen, next) in steps(child, states) {
                let Seen::Event(name) = &seen else {
                    renamed.push((seen, next));
                    continue;
                };
                let images = pairs.iter().filter(|(from, _)| from == name).map(|(_, to)| to);
                let mut images: Vec<_> = images.cloned().collect();
                images.sort();
                images.dedup();
                if images.is_empty() {
                    images.push(name.clone());
                }
                renamed.extend(images.into_iter().map(|to| (Seen::Event(to), next.clone())));
            }
            renamed
        }
        Tree::Parallel(children, Sync::Interface(_)) if children.len() == 1 => {
            steps(&children[0], states)
        }
        Tree::Parallel(children, sync) => parallel(children, sync, states),
    }
}

fn parallel(children: &[Tree], sync: &Sync, states: &[StateNo]) -> Vec<(Seen, Vec<StateNo>)> {
    let mut all = Vec::new();
    let mut shared: BTreeMap<String, Vec<Vec<(usize, Vec<StateNo>)>>> = BTreeMap::new();
    let mut offset = 0;
    let moved = |offset: usize, own: &[StateNo]| {
        let mut next = states.to_vec();
        next[offset..offset + own.len()].copy_from_slice(own);
        next
    };
    for (index, (child, own)) in parts(children, states).enumerate() {
        let mut met: BTreeMap<String, Vec<(usize, Vec<StateNo>)>> = BTreeMap::new();
        for (seen, next) in steps(child, own) {
            match seen {
                Seen::Tau | Seen::Tick => all.push((Seen::Tau, moved(offset, &next))),
                Seen::Event(name) => {
                    let alone = match sync {
                        Sync::Interface(events) => !events.contains(&name),
                        Sync::Alphabets(alphabets) if !alphabets[index].contains(&name) => continue,
                        Sync::Alphabets(alphabets) => {
                            alphabets.iter().filter(|events| events.contains(&name)).count() == 1
                        }
                    };
                    match alone {
                        true => all.push((Seen::Event(name), moved(offset, &next))),
                        false => met.entry(name).or_default().push((offset, next)),
                    }
                }
            }
        }
        met.into_iter().for_each(|(name, ways)| shared.entry(name).or_default().push(ways));
        offset += own.len();
    }
    for (name, ways) in shared {
        let expected = match sync {
            Sync::Interface(_) => children.len(),
            Sync::Alphabets(all) => all.iter().filter(|events| events.contains(&name)).count(),
        };
        if ways.len() < expected {
            continue;
        }
        let mut joint = vec![states.to_vec()];
        for way in &ways {
            let mut extended = Vec::new();
            for base in &joint {
                for (offset, own) in way {
                    let mut next = base.clone();
                    next[*offset..offset + own.len()].copy_from_slice(own);
                    extended.push(next);
                }
            }
            joint = extended;
        }
        all.extend(joint.into_iter().map(|next| (Seen::Event(name.clone()), next)));
    }
    all
}

/// Whether the tree terminates when its components have, and not by a `tick` of one.
fn ends_together(tree: &Tree) -> bool {
    match tree {
        Tree::Component(_) => false,
        Tree::Hide(child, _) | Tree::Rename(child, _) => ends_together(child),
        Tree::Parallel(children, Sync::Interface(_)) if children.len() == 1 => {
            ends_together(&children[0])
        }
        Tree::Parallel(..) => true,
    }
}

/// All states and edges of `tree`, found by the interpreter.
fn interpret(tree: &Tree, starts: Vec<StateNo>) -> BTreeMap<Vector, Vec<(Seen, Vector)>> {
    let mut found = BTreeMap::new();
    let mut queue = vec![(starts, false)];
    while let Some(vector) = queue.pop() {
        if found.contains_key(&vector) {
            continue;
        }
        let mut edges = Vec::new();
        if !vector.1 {
            let next = steps(tree, &vector.0).into_iter();
            edges.extend(next.map(|(seen, next)| (seen, (next, false))));
            if ends_together(tree) && ended(tree, &vector.0) {
                edges.push((Seen::Tick, (vector.0.clone(), true)));
            }
        }
        edges.sort();
        queue.extend(edges.iter().map(|(_, next)| next.clone()));
        found.insert(vector, edges);
    }
    found
}

fn assert_same(tree: Tree) {
    let starts = components(&tree).iter().map(|lts| lts.initial()).collect();
    let expected = interpret(&tree, starts);
    let composition = Composition::new(tree.clone()).expect("a composition");
    let reference = Reference::explore(&composition, 1_000_000).expect("a small state space");
    assert_eq!(reference.states.len(), expected.len());
    let n_own = components(&tree).len();
    let vector = |joint: &Joint| -> Vector {
        let all = 0..composition.component_count();
        let mut states: Vec<_> = all.map(|i| composition.component_state(joint, i)).collect();
        let over = states.get(n_own).is_some_and(|state| state.0 == 1);
        states.truncate(n_own);
        (states, over)
    };
    for (bytes, joint) in &reference.states {
        assert_eq!(&bytes_of(&composition, joint), bytes);
        assert_eq!(composition.try_decode(bytes).as_ref(), Some(joint));
        let next = successors(&composition, joint).expect("no model errors");
        let seen = |rule| match composition.label(rule) {
            LabelId::TAU => Seen::Tau,
            LabelId::TICK => Seen::Tick,
            label => Seen::Event(composition.labels()[label.index()].clone()),
        };
        let next = next.iter().map(|(rule, to)| (seen(*rule), vector(to)));
        let mut edges: Vec<_> = next.collect();
        edges.sort();
        assert_eq!(distinct(edges), distinct(expected[&vector(joint)].clone()));
    }
    let report = Check::new(&composition).run();
    assert_eq!(report.statistics.states(), Some(expected.len() as u64));
    assert_measured(&composition, &reference);
    let edges: usize = expected.values().map(Vec::len).sum();
    assert!(reference.edges <= edges as u64);
    if !renames(&tree) {
        assert_eq!(reference.edges, edges as u64);
    }
}

/// Sorted edges without duplicates: two events that are renamed to the same event give one step.
fn distinct(mut edges: Vec<(Seen, Vector)>) -> Vec<(Seen, Vector)> {
    edges.dedup();
    edges
}

/// Whether some event may be renamed.
fn renames(tree: &Tree) -> bool {
    match tree {
        Tree::Component(_) => false,
        Tree::Rename(..) => true,
        Tree::Hide(child, _) => renames(child),
        Tree::Parallel(children, _) => children.iter().any(renames),
    }
}

/// Every measure that the components suggest, and every fitted one, visits the same states; a measure that is
/// said to be proved never decreases, and the listed effects are complete.
fn assert_measured(composition: &Composition, reference: &Reference<Composition>) {
    let dead = |joint: &Joint| {
        let next = successors(composition, joint).expect("no errors");
        next.is_empty() && !composition.has_terminated(joint)
    };
    let dead = reference.states.values().filter(|joint| dead(joint)).count() as u64;
    let effects = composition.effects().expect("few effects");
    for joint in reference.states.values() {
        for (_, next) in successors(composition, joint).expect("no errors") {
            assert!(effects.contains(&effect(composition, joint, &next)), "{joint:?} {next:?}");
        }
    }
    let mut measures = composition.best_measures(fit(composition), Effort::default());
    measures.truncate(6);
    for found in measures {
        let proved = found.monotone == Monotonicity::Proved;
        let given = Given::from(found);
        for (window, anchor) in [(given.window, given.anchor), (0, 0), (1, 2)] {
            let mut seen = Visited::default();
            let monotone = if proved { Monotone::Strict } else { Monotone::Check };
            let options = Options { window, anchor, monotone, ..Options::default() };
            let measure = Weighted::of_features(composition, &given);
            let run = explore(composition, &measure, &options, &mut seen);
            assert!(run.stop.is_none(), "{:?} along {given:?}", run.stop);
            assert!(seen.states.iter().eq(reference.states.keys()), "{given:?}");
            assert_eq!(seen.dead.len() as u64, dead, "{given:?}");
        }
    }
}

/// What an edge adds to the features.
fn effect(composition: &Composition, from: &Joint, to: &Joint) -> Effect {
    let of = |joint: &Joint| {
        let mut values = Vec::new();
        composition.features(joint, &mut |value| values.push(value));
        values
    };
    let (before, after) = (of(from), of(to));
    let change = |(f, (a, b)): (usize, (&i64, &i64))| (a != b).then(|| (f, b - a));
    before.iter().zip(&after).enumerate().filter_map(change).collect()
}

#[derive(Default)]
struct Visited {
    states: BTreeSet<Vec<u8>>,
    dead: BTreeSet<Vec<u8>>,
}

impl Observer<Composition> for Visited {
    fn node(&mut self, visit: &Visit<'_, Composition>, _worker: &mut ()) -> Flow {
        self.states.insert(visit.bytes.to_vec());
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, Composition>, _worker: &mut ()) -> Flow {
        self.dead.insert(visit.bytes.to_vec());
        Ok(())
    }
}

fn components(tree: &Tree) -> Vec<&Lts> {
    match tree {
        Tree::Component(lts) => vec![lts],
        Tree::Parallel(children, _) => children.iter().flat_map(components).collect(),
        Tree::Hide(child, _) | Tree::Rename(child, _) => components(child),
    }
}

const EVENTS: [&str; 4] = ["a", "b", "c", "d"];

fn lts() -> impl Strategy<Value = Tree> {
    let edge = |len: u32| (0..len, 0..7usize, 0..len);
    (1..5u32).prop_flat_map(move |len| (Just(len), vec(edge(len), 0..7), 0..len)).prop_map(
        |(len, edges, initial)| {
            let mut lts = LtsBuilder::new("P");
            for (source, label, target) in edges {
                let (label, target) = match label {
                    0..4 => (lts.label(EVENTS[label]), target),
                    4 => (LabelId::TAU, target),
                    _ => (LabelId::TICK, len), // one more state, in which nothing happens
                };
                lts.edge(StateNo(source), label, StateNo(target));
            }
            Tree::Component(lts.build(len + 1, StateNo(initial)).expect("an LTS"))
        },
    )
}

fn events() -> impl Strategy<Value = EventSet> {
    btree_set(prop::sample::select(EVENTS.to_vec()).prop_map(str::to_owned), 0..4)
}

fn tree() -> impl Strategy<Value = Tree> {
    let name = || prop::sample::select(EVENTS.to_vec()).prop_map(str::to_owned);
    lts().prop_recursive(3, 6, 3, move |inner| {
        prop_oneof![
            3 => (vec(inner.clone(), 1..4), events())
                .prop_map(|(all, events)| Tree::Parallel(all, Sync::Interface(events))),
            2 => vec((inner.clone(), events()), 1..4).prop_map(|both| {
                let (all, alphabets) = both.into_iter().unzip();
                Tree::Parallel(all, Sync::Alphabets(alphabets))
            }),
            1 => (inner.clone(), events()).prop_map(|(p, set)| Tree::Hide(Box::new(p), set)),
            1 => (inner, vec((name(), name()), 0..4))
                .prop_map(|(p, pairs)| Tree::Rename(Box::new(p), pairs)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn flat_is_what_the_tree_means(tree in tree()) {
        assert_same(tree);
    }
}

/// A component with so many states and labels that its steps are found by searching, not by a table.
#[test]
fn large_components_meet_too() {
    let n = 3_000u32;
    let ring = |name: &str, step: u32| {
        let mut lts = LtsBuilder::new(name);
        for state in 0..n {
            let label = lts.label(&format!("e{}", state % 1_500));
            lts.edge(StateNo(state), label, StateNo((state + step) % n));
        }
        Tree::Component(lts.build(n, StateNo(0)).expect("a ring"))
    };
    let events: EventSet = (0..1_500).map(|i| format!("e{i}")).collect();
    assert_same(Tree::Parallel(vec![ring("P", 1), ring("Q", 1)], Sync::Interface(events.clone())));
    assert_same(Tree::Parallel(vec![ring("P", 1), ring("Q", 2)], Sync::Interface(events)));
}

#[test]
fn foreign_bytes_are_no_state() {
    let mut lts = LtsBuilder::new("P");
    let a = lts.label("a");
    lts.edge(StateNo(0), a, StateNo(2));
    let composition = Composition::single(lts.build(3, StateNo(0)).expect("an LTS"));
    assert_eq!(initial(&composition).len(), 1);
    assert!(composition.try_decode(&[2]).is_some());
    for bytes in [&[][..], &[3], &[4], &[0, 0], &[255]] {
        assert!(composition.try_decode(bytes).is_none(), "{bytes:?}");
    }
}
