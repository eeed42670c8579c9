//! Reduced explorations preserve what full exploration finds: terminal states, states that satisfy a
//! predicate, and whether there is an infinite path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use sweepline::identity::CutOff;
use sweepline::observe::{Flow, Visit};
use sweepline::progress::{Trivial, by};
use sweepline::select::{Goal, Needs, Sleep, Stubborn};
use sweepline::{
    Check, Model, Observer, Options, Progress, Reduction, Statistics, StopReason, Verdict,
    WitnessMode, explore_reduced,
};
use sweepline_testkit::{Labelled, Machine, Reference, Rule, assert_follows, labelled, machine};

/// Records what a run visits and explores.
struct Seen<M: Model> {
    states: BTreeSet<Vec<u8>>,
    dead: BTreeSet<Vec<u8>>,
    arcs: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>,
    model: std::marker::PhantomData<M>,
}

impl<M: Model> Default for Seen<M> {
    fn default() -> Self {
        let (states, dead, arcs) = Default::default();
        Seen { states, dead, arcs, model: std::marker::PhantomData }
    }
}

impl<M: Model> Observer<M> for Seen<M> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.states.insert(visit.bytes.to_vec());
        Ok(())
    }

    fn arc(&mut self, source: &Visit<'_, M>, _: &M::Action, target: &M::State) -> Flow {
        let mut bytes = Vec::new();
        source.model.encode(target, &mut bytes);
        self.arcs.entry(source.bytes.to_vec()).or_default().insert(bytes);
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.dead.insert(visit.bytes.to_vec());
        Ok(())
    }

    fn watches_arcs(&self) -> bool {
        true
    }
}

impl<M: Model> Seen<M> {
    /// Whether the explored edges form a cycle.
    fn has_cycle(&self) -> bool {
        let mut left: BTreeMap<_, _> = self.arcs.clone();
        loop {
            let before = left.len();
            let alive: BTreeSet<Vec<u8>> = left.keys().cloned().collect();
            left.retain(|_, targets| targets.iter().any(|target| alive.contains(target)));
            if left.len() == before {
                return before > 0;
            }
        }
    }
}

fn run<M: Model, P: Progress<M>>(
    model: &M,
    progress: &P,
    reduction: &Reduction<'_, M>,
    window: u64,
) -> (Seen<M>, Statistics) {
    run_anchored(model, progress, reduction, window, 0)
}

fn run_anchored<M: Model, P: Progress<M>>(
    model: &M,
    progress: &P,
    reduction: &Reduction<'_, M>,
    window: u64,
    anchor: u64,
) -> (Seen<M>, Statistics) {
    let mut seen = Seen::default();
    let options = Options { window, anchor, witness: WitnessMode::Off, ..Options::default() };
    let run = explore_reduced(model, progress, reduction, &options, &mut seen);
    assert_eq!(run.stop, None);
    (seen, run.statistics)
}

fn full<M: Model>(model: &M) -> (Seen<M>, Statistics) {
    run(model, &Trivial, &Reduction::default(), 0)
}

/// Distances between all states of `system`; a large number if there is no path.
fn distances(system: &Labelled) -> Vec<Vec<usize>> {
    let n = system.edges.len();
    let mut distance = vec![vec![usize::MAX / 2; n]; n];
    for (from, edges) in system.edges.iter().enumerate() {
        distance[from][from] = 0;
        for &(_, to) in edges {
            distance[from][to] = distance[from][to].min(1);
        }
    }
    for middle in 0..n {
        for from in 0..n {
            for to in 0..n {
                let way = distance[from][middle] + distance[middle][to];
                distance[from][to] = distance[from][to].min(way);
            }
        }
    }
    distance
}

/// Chooses some actions at each state: as few as possible such that `enough` holds for them.
fn selection(
    system: &Labelled,
    mut wishes: u64,
    enough: impl Fn(usize, &BTreeSet<u32>) -> bool,
) -> Vec<BTreeSet<u32>> {
    let mut selected = Vec::new();
    for (state, edges) in system.edges.iter().enumerate() {
        let mut actions: BTreeSet<u32> = edges.iter().map(|&(action, _)| action).collect();
        for action in 0..4 {
            wishes = wishes.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut fewer = actions.clone();
            if wishes >> 63 == 1 && fewer.remove(&action) && enough(state, &fewer) {
                actions = fewer;
            }
        }
        selected.push(actions);
    }
    selected
}

/// Explores the actions that `selected` lists for each state.
fn listed(selected: &[BTreeSet<u32>]) -> impl Fn(&usize, &[u32], &mut [bool]) + '_ {
    |&state, enabled, chosen| {
        for (action, chosen) in enabled.iter().zip(chosen) {
            *chosen = selected[state].contains(action);
        }
    }
}

fn bytes(states: impl IntoIterator<Item = usize>) -> BTreeSet<Vec<u8>> {
    states.into_iter().map(|s| (s as u16).to_le_bytes().to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// Seed 001: with all actions selected, sleep sets visit all states and explore a part of the edges.
    #[test]
    fn sleep_sets_visit_all_states(
        system in labelled(14), window in 0..3u64, anchor in 0..4u64, swept: bool,
    ) {
        let (all, whole) = full(&system);
        let reduction = Reduction::default().sleep(Sleep::exact(|action| *action));
        let (seen, figures) = if swept {
            run_anchored(&system, &by(|&s: &usize| system.values[s]), &reduction, window, anchor)
        } else {
            run(&system, &Trivial, &reduction, window)
        };
        if let Some(counts) = figures.counts() {
            let states = (counts.states, counts.dead);
            prop_assert_eq!(states, (all.states.len() as u64, all.dead.len() as u64));
        }
        prop_assert_eq!(&seen.states, &all.states);
        prop_assert_eq!(&seen.dead, &all.dead);
        prop_assert_eq!(seen.has_cycle(), all.has_cycle());
        if figures.is_exact() {
            prop_assert_eq!(figures.edges + figures.skipped, whole.edges);
        }
    }

    /// Theorem 5: with a selection that represents all length-secure paths to the states that satisfy the
    /// predicate, sleep sets find all of them.
    #[test]
    fn sleep_sets_go_with_any_length_secure_selection(
        system in labelled(14), wishes: u64, goals in 1..5usize, window in 0..3u64, swept: bool,
    ) {
        let distance = distances(&system);
        let is_goal = |state: usize| state * 7 % 5 < goals || system.edges[state].is_empty();
        let nearer = |state: usize, to: usize, actions: &BTreeSet<u32>| {
            system.edges[state].iter().any(|&(action, next)| {
                actions.contains(&action) && distance[next][to] + 1 == distance[state][to]
            })
        };
        let selected = selection(&system, wishes, |state, actions| {
            let there = (0..system.edges.len()).filter(|&to| is_goal(to) && to != state);
            there.filter(|&to| distance[state][to] < 1000).all(|to| nearer(state, to, actions))
        });
        let reduction = Reduction::default()
            .select(listed(&selected))
            .sleep(Sleep::exact(|action| *action));
        let (seen, _) = if swept {
            run(&system, &by(|&s: &usize| system.values[s]), &reduction, window)
        } else {
            run(&system, &Trivial, &reduction, window)
        };
        let goals = bytes((0..system.edges.len()).filter(|&s| distance[0][s] < 1000 && is_goal(s)));
        prop_assert!(seen.states.is_superset(&goals));
        prop_assert_eq!(seen.dead, full(&system).0.dead);
    }

    /// Theorem 6: with a tough-lived selection, sleep sets preserve an infinite path if there is one.
    #[test]
    fn sleep_sets_leave_an_infinite_run(
        system in labelled(14), wishes: u64, window in 0..3u64, swept: bool,
    ) {
        let mut lives: Vec<bool> = vec![true; system.edges.len()];
        for _ in 0..system.edges.len() {
            lives = system.edges.iter().map(|edges| edges.iter().any(|&(_, t)| lives[t])).collect();
        }
        let selected = selection(&system, wishes, |state, actions| {
            let goes_on = |&(a, t): &(u32, usize)| actions.contains(&a) && lives[t];
            !lives[state] || system.edges[state].iter().any(goes_on)
        });
        let reduction = Reduction::default()
            .select(listed(&selected))
            .sleep(Sleep::exact(|action| *action));
        let (seen, _) = if swept {
            run(&system, &by(|&s: &usize| system.values[s]), &reduction, window)
        } else {
            run(&system, &Trivial, &reduction, window)
        };
        prop_assert_eq!(seen.has_cycle(), full(&system).0.has_cycle());
    }

    /// Stubborn sets, with and without sleep sets, find the terminal states, an infinite path, and the states
    /// that satisfy a predicate.
    #[test]
    fn stubborn_sets_find_ends_and_goals(
        machine in machine(), window in 0..3u64, swept: bool, sleeps in 0..3u8,
        goal: Option<(u8, u8)>, ends: bool,
    ) {
        let (all, whole) = full(&machine);
        let target = goal.map(|(v, value)| (u32::from(v) % machine.variables as u32, value % 3));
        let mut needs = Vec::new();
        if ends || target.is_none() {
            needs.push(Needs::Ends);
        }
        if let Some((variable, value)) = target {
            let writers = machine.writers(variable);
            let goal = move |state: &Vec<u8>, push: &mut dyn FnMut(u32)| {
                writers.iter().for_each(|&w| push(w));
                state[variable as usize] != value
            };
            needs.push(Needs::Goal(Arc::new(goal) as Arc<dyn Goal<Machine>>));
        }
        let mut reduction =
            Reduction::default().select(Stubborn::new(&machine, needs).unwrap());
        reduction.sleep = match sleeps {
            0 => None,
            1 => Some(Sleep::of(&machine)),
            _ => Some(Sleep::of(&machine).or_exact()),
        };
        let (seen, figures) = if swept {
            run(&machine, &by(|s: &Vec<u8>| machine.measure(s)), &reduction, window)
        } else {
            run(&machine, &Trivial, &reduction, window)
        };
        prop_assert!(seen.states.is_subset(&all.states));
        if ends || target.is_none() {
            prop_assert_eq!(&seen.dead, &all.dead);
            prop_assert_eq!(seen.has_cycle(), all.has_cycle());
        }
        if let Some((variable, value)) = target {
            let goals = |seen: &Seen<Machine>| -> BTreeSet<Vec<u8>> {
                seen.states.iter().filter(|s| s[variable as usize] == value).cloned().collect()
            };
            prop_assert_eq!(goals(&seen), goals(&all));
        }
        if figures.is_exact() {
            prop_assert!(figures.edges <= whole.edges);
        }
    }

    /// Stubborn sets for visible actions preserve every value that those actions change.
    #[test]
    fn stubborn_sets_keep_visible_values(
        machine in machine(), window in 0..3u64, swept: bool, variable: u8,
    ) {
        let variable = u32::from(variable) % machine.variables as u32;
        let (all, _) = full(&machine);
        let needs = [Needs::Visible(machine.writers(variable).into())];
        let reduction = Reduction::default().select(Stubborn::new(&machine, needs).unwrap());
        let (seen, _) = if swept {
            run(&machine, &by(|s: &Vec<u8>| machine.measure(s)), &reduction, window)
        } else {
            run(&machine, &Trivial, &reduction, window)
        };
        let values = |seen: &Seen<Machine>| -> BTreeSet<u8> {
            seen.states.iter().map(|s| s[variable as usize]).collect()
        };
        prop_assert_eq!(values(&seen), values(&all));
    }

    /// Independence by footprints satisfies the definition that sleep sets need.
    #[test]
    fn footprints_tell_the_truth(machine in machine()) {
        use sweepline::model::successors;
        use sweepline::select::Actions;
        let reference = Reference::explore(&machine, usize::MAX).unwrap();
        for state in reference.states.values() {
            let next = successors(&machine, state).unwrap();
            for (a, after) in &next {
                for (b, _) in next.iter().filter(|(b, _)| machine.independent(*a, *b)) {
                    let then: Vec<_> = successors(&machine, after).unwrap();
                    let then: Vec<_> = then.iter().filter(|(c, _)| c == b).collect();
                    prop_assert!(!then.is_empty());
                    for (_, last) in then {
                        let other_way = next.iter().filter(|(c, _)| c == b).any(|(_, s)| {
                            successors(&machine, s).unwrap().contains(&(*a, last.clone()))
                        });
                        prop_assert!(other_way);
                    }
                }
            }
        }
    }

    /// The properties of a check decide what is left out; the verdicts stay the same, and witnesses are
    /// paths.
    #[test]
    fn checks_use_what_the_questions_allow(
        machine in machine(), window in 0..3u64, variable: u8, value in 0..3u8, recompute: bool,
        kind in 0..4u8,
    ) {
        let variable = u32::from(variable) % machine.variables as u32;
        let is_there = move |s: &Vec<u8>| s[variable as usize] == value;
        let witness = if recompute { WitnessMode::Recompute } else { WitnessMode::Disk };
        let options = Options { window, witness, ..Options::default() };
        let mut check = Check::new(&machine)
            .progress(by(|s: &Vec<u8>| machine.measure(s)))
            .options(options)
            .stubborn()
            .sleep(Sleep::of(&machine))
            .deadlock();
        let writers: Arc<[u32]> = machine.writers(variable).into();
        if kind > 0 {
            check = check.never("never", is_there);
        }
        if kind == 2 {
            check = check.needing(Needs::Visible(writers.clone()));
        }
        if kind == 3 {
            check = check.needing(Needs::Goal(Arc::new(
                move |s: &Vec<u8>, push: &mut dyn FnMut(u32)| {
                    writers.iter().for_each(|&w| push(w));
                    !is_there(s)
                },
            )));
        }
        let report = check.run();
        let expected: &[&str] = match kind {
            0 | 3 => &["stubborn sets", "sleep sets"],
            1 => &["no stubborn sets: `never` needs every state", "sleep sets"],
            _ => &["stubborn sets", "no sleep sets: stubborn sets for `never` delay actions"],
        };
        // Nothing is delayed if nothing is visible, but a property about visible actions was added.
        prop_assert_eq!(&report.reductions, &expected);
        let reference = Reference::explore(&machine, usize::MAX).unwrap();
        let dead = !reference.dead.is_empty();
        prop_assert_eq!(report.properties[0].verdict.word(), if dead { "violated" } else { "holds" });
        if kind > 0 {
            let there = reference.reaches(is_there);
            prop_assert_eq!(report.properties[1].verdict.word(), if there { "violated" } else { "holds" });
        }
        for property in &report.properties {
            if let Verdict::Violated(witness) = &property.verdict {
                let witness = witness.as_ref().expect("a witness");
                assert_follows(&machine, witness);
            }
        }
    }
}

/// The algorithm of Godefroid, Holzmann and Pirottin (1992), depth first: a state that is found again is not
/// visited again, whatever sleeps there.
fn without_waking(system: &Labelled) -> BTreeSet<usize> {
    let by = |state: usize, action: u32| -> Vec<usize> {
        let edges = system.edges[state].iter();
        edges.filter(|&&(a, _)| a == action).map(|&(_, target)| target).collect()
    };
    let (mut visited, mut stack) = (BTreeSet::new(), vec![(0, BTreeSet::<u32>::new())]);
    while let Some((state, asleep)) = stack.pop() {
        if !visited.insert(state) {
            continue;
        }
        let mut covered = asleep.clone();
        for &(action, _) in &system.edges[state] {
            if covered.contains(&action) {
                continue;
            }
            for next in by(state, action) {
                let exchanges = |&other: &u32| {
                    let there = by(next, other);
                    let other_way: Vec<usize> =
                        by(state, other).into_iter().flat_map(|s| by(s, action)).collect();
                    !there.is_empty() && there.iter().all(|s| other_way.contains(s))
                };
                stack.push((next, covered.iter().copied().filter(exchanges).collect()));
            }
            covered.insert(action);
        }
    }
    visited
}

/// Koutny and Pietkiewicz-Koutny (1993) found that such systems exist.
#[test]
fn a_system_on_which_the_older_algorithms_miss_a_state() {
    let edges: Vec<Vec<(u32, usize)>> = vec![
        vec![(0, 1), (3, 2), (0, 3)],
        vec![(3, 4)],
        vec![(0, 4)],
        vec![(3, 2), (0, 1)],
        vec![],
    ];
    let mut system = Labelled { edges, values: vec![0; 5] };
    assert_eq!(without_waking(&system), BTreeSet::from([0, 1, 2, 3]));
    // Every order in which states may be expanded, and every division of it into layers.
    for order in 0..5_usize.pow(5) {
        system.values = (0..5).map(|s| (order / 5_usize.pow(s) % 5) as i64).collect();
        let reduction = Reduction::default().sleep(Sleep::exact(|action| *action));
        let (seen, _) = run(&system, &by(|&s: &usize| system.values[s]), &reduction, 0);
        assert_eq!(seen.states, bytes(0..5), "{:?}", system.values);
    }
}

/// Tokens that move independently: all orders lead to the same states.
#[test]
fn sleep_sets_fire_one_edge_for_each_state() {
    let rules = (0..8).map(|v| Rule { guard: vec![(v, 0)], effects: vec![vec![(v, 1)]] });
    let machine = Machine::new(8, rules.collect(), vec![1; 8]);
    let sum = by(|s: &Vec<u8>| machine.measure(s));
    for sleep in [Sleep::of(&machine), Sleep::exact(|action| *action)] {
        let (seen, figures) = run(&machine, &sum, &Reduction::default().sleep(sleep), 0);
        assert_eq!(seen.states.len(), 256);
        assert_eq!((figures.edges, figures.skipped + figures.edges), (255, 1024));
    }
    let stubborn = || Stubborn::new(&machine, [Needs::Ends]).unwrap();
    let (seen, _) = run(&machine, &sum, &Reduction::default().select(stubborn()), 0);
    assert_eq!(seen.states.len(), 9);
}

/// The successor that compensates for a delayed action may be cut off.
#[test]
fn visible_actions_are_not_delayed_beyond_a_cut_off() {
    let rules = (0..2).map(|v| Rule { guard: vec![(v, 0)], effects: vec![vec![(v, 1)]] });
    let machine = Machine::new(2, rules.collect(), vec![1; 2]);
    let class = |state: &Vec<u8>, name: &mut Vec<u8>| name.extend_from_slice(state);
    let visible = || Needs::Visible(machine.writers(0).into());
    let reduction = Reduction::default()
        .select(Stubborn::new(&machine, [visible()]).unwrap())
        .cut_off(CutOff::new(class));
    let run = explore_reduced(&machine, &Trivial, &reduction, &Options::default(), &mut ());
    assert!(matches!(run.stop, Some(StopReason::Reduction(_))), "{:?}", run.stop);
    let check = Check::new(&machine).bound("first", |s| i64::from(s[0])).needing(visible());
    let report = check.stubborn().cut_off(CutOff::new(class)).run();
    assert!(report.reductions[0].starts_with("no stubborn sets: "), "{:?}", report.reductions);
    assert_eq!(report.properties[0].range, Some((0, 1)));
}
