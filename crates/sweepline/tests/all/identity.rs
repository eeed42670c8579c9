//! Equivalent states: representatives, and cut-offs.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::identity::CutOff;
use sweepline::model::bytes_of;
use sweepline::observe::{Flow, Visit};
use sweepline::progress::{Trivial, by};
use sweepline::{
    Check, Limits, Model, Observer, Options, Reduction, StopReason, System, Verdict, WitnessMode,
    codec, explore_reduced,
};
use sweepline_testkit::{Reference, assert_follows};

/// Some identical processes and a variable they share.
#[derive(Clone, Debug)]
pub(super) struct Team {
    members: usize,
    /// If the shared variable and a process have the first two values, they may change to the other two.
    rules: Vec<[u8; 4]>,
}

/// The shared variable, and the position of each process.
pub(super) type State = (u8, Vec<u8>);

impl System for Team {
    type State = State;
    type Action = (usize, usize);

    fn initial(&self) -> Vec<State> {
        vec![(0, vec![0; self.members])]
    }

    fn successors(&self, (shared, team): &State, push: &mut dyn FnMut((usize, usize), State)) {
        for (rule, &[from, at, to, there]) in self.rules.iter().enumerate() {
            for (member, _) in team.iter().enumerate().filter(|(_, m)| from == *shared && at == **m)
            {
                let mut team = team.clone();
                team[member] = there;
                push((rule, member), (to, team));
            }
        }
    }
}

pub(super) fn team() -> impl Strategy<Value = Team> {
    (1..5usize, vec([0..3u8, 0..4u8, 0..3u8, 0..4u8], 1..9))
        .prop_map(|(members, rules)| Team { members, rules })
}

pub(super) fn sorted((_, team): &mut State) {
    team.sort_unstable();
}

#[derive(Default)]
struct Seen(BTreeSet<State>, BTreeSet<State>);

impl Observer<Team> for Seen {
    fn node(&mut self, visit: &Visit<'_, Team>, _worker: &mut <Team as Model>::Worker) -> Flow {
        self.0.insert(visit.state.clone());
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, Team>, _worker: &mut <Team as Model>::Worker) -> Flow {
        self.1.insert(visit.state.clone());
        Ok(())
    }
}

fn orbits<'a>(states: impl IntoIterator<Item = &'a State>) -> BTreeSet<State> {
    let canonical = |state: &State| {
        let mut state = state.clone();
        sorted(&mut state);
        state
    };
    states.into_iter().map(canonical).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    /// One state of each orbit is visited, and no other; symmetric properties have the same verdicts, and
    /// witnesses are paths of the model itself.
    #[test]
    fn representatives_stand_for_their_orbits(
        team in team(), window in 0..3u64, swept in 0..3u8, place in 0..4u8, recompute: bool,
    ) {
        let reference = Reference::explore(&team, usize::MAX).unwrap();
        let weight = i64::from(swept) - 1;
        let sum = by(move |(shared, team): &State| {
            weight * team.iter().map(|&m| i64::from(m)).sum::<i64>() + i64::from(*shared)
        });
        let witness = if recompute { WitnessMode::Recompute } else { WitnessMode::Disk };
        let mut seen = Seen::default();
        let options = Options { window, witness, ..Options::default() };
        let report = Check::new(&team)
            .progress(sum)
            .options(options)
            .represent(sorted)
            .never("two at a place", |(_, team)| team.iter().filter(|&&m| m == place).count() > 1)
            .deadlock()
            .run_watched(&mut seen);
        let two = reference.reaches(|(_, team)| team.iter().filter(|&&m| m == place).count() > 1);
        let word = |bad: bool| if bad { "violated" } else { "holds" };
        prop_assert_eq!(report.properties[0].verdict.word(), word(two));
        prop_assert_eq!(report.properties[1].verdict.word(), word(!reference.dead.is_empty()));
        for property in &report.properties {
            if let Verdict::Violated(witness) = &property.verdict {
                assert_follows(&team, witness.as_ref().expect("a witness"));
            }
        }
        if report.stop.is_none() {
            prop_assert_eq!(&seen.0, &orbits(reference.states.values()));
            prop_assert_eq!(&seen.1, &orbits(&reference.dead));
        }
    }

    /// All states except those beyond a remembered class are visited: at least one of every class.
    #[test]
    fn a_cut_off_leaves_some_state_of_each_class(
        team in team(), window in 0..3u64, every in 1..4u8, swept: bool,
    ) {
        let reference = Reference::explore(&team, usize::MAX).unwrap();
        let class = |state: &State, name: &mut Vec<u8>| {
            let mut state = state.clone();
            sorted(&mut state);
            codec::encode(&state, name);
        };
        let rule = CutOff::new(class).at(|(shared, _): &State| shared % every == 0);
        let mut seen = Seen::default();
        let reduction = Reduction::default().cut_off(rule);
        let options = Options { window, ..Options::default() };
        let run = if swept {
            let sum = by(|(_, team): &State| team.iter().map(|&m| i64::from(m)).sum::<i64>());
            explore_reduced(&team, &sum, &reduction, &options, &mut seen)
        } else {
            explore_reduced(&team, &Trivial, &reduction, &options, &mut seen)
        };
        prop_assert_eq!(run.stop, None);
        prop_assert_eq!(orbits(&seen.0), orbits(reference.states.values()));
        prop_assert_eq!(orbits(&seen.1), orbits(&reference.dead));
        let remembered = orbits(reference.states.values().filter(|(shared, _)| shared % every == 0));
        prop_assert_eq!(run.statistics.classes, remembered.len() as u64);
    }
}

/// A measure that distinguishes members of an orbit is detected.
#[test]
fn an_incompatible_measure_is_rejected() {
    let team = Team { members: 3, rules: vec![[0, 0, 0, 1]] };
    let first = by(|(_, team): &State| i64::from(team[0]));
    let report = Check::new(&team).progress(first).represent(sorted).deadlock().run();
    let Some(StopReason::Reduction(why)) = &report.stop else { panic!("{:?}", report.stop) };
    assert!(
        why.starts_with("the progress measure is not compatible with the equivalence"),
        "{why}"
    );
    assert_eq!(report.properties[0].verdict.word(), "unknown");
}

/// An inconsistent equivalence is detected when a state and its representative have different successors.
#[test]
fn an_inconsistent_equivalence_is_refused() {
    let team = Team { members: 2, rules: vec![[0, 0, 1, 1], [1, 1, 2, 2]] };
    let forget = |(shared, _): &mut State| *shared = 0;
    let report = Check::new(&team).represent(forget).deadlock().run();
    let Some(StopReason::Reduction(why)) = &report.stop else { panic!("{:?}", report.stop) };
    assert!(why.starts_with("the equivalence is not consistent"), "{why}");
}

/// A sender and a receiver that count forever; the channel has room for one message and may lose it.
struct Endless {
    /// Larger numbers are not sent.
    last: Option<u64>,
}

/// The number to send, the number expected, and the message in transit.
type Numbers = (u64, u64, Option<u64>);

impl System for Endless {
    type State = Numbers;
    type Action = &'static str;

    fn initial(&self) -> Vec<Numbers> {
        vec![(0, 0, None)]
    }

    fn successors(
        &self,
        &(send, wait, way): &Numbers,
        push: &mut dyn FnMut(&'static str, Numbers),
    ) {
        let Some(number) = way else {
            if self.last.is_none_or(|last| send < last) {
                push("send", (send, wait, Some(send)));
            }
            return;
        };
        push("lose", (send, wait, None));
        let awaited = number == wait;
        push("receive", (send.max(number + 1), wait + u64::from(awaited), None));
    }
}

/// Only the difference between the two matters.
fn difference(&(send, wait, way): &Numbers, name: &mut Vec<u8>) {
    let gap = |n: u64| n as i64 - wait as i64;
    codec::encode(&(gap(send), way.map(gap)), name);
}

/// Seed 004: a system whose progress never ends is explored completely, in the memory of a window, and the
/// verdicts are those of a variant that ends.
#[test]
fn an_infinite_counter_is_explored_completely() {
    let check = |model: &Endless, cut: bool| {
        let mut check = Check::new(model)
            .progress(by(|&(_, wait, _): &Numbers| wait as i64))
            .limits(Limits { states: Some(100_000), ..Limits::default() })
            .never("too far ahead", |&(send, wait, _)| send > wait + 1)
            .reach("one ahead", |&(_, wait, way)| way == Some(wait + 1));
        if cut {
            check =
                check.cut_off(CutOff::new(difference).at(|&(_, _, way): &Numbers| way.is_none()));
        }
        let report = check.run();
        let words: Vec<_> = report.properties.iter().map(|p| p.verdict.word()).collect();
        (words, report.statistics.explored, report.stop)
    };
    let (bounded, _, stop) = check(&Endless { last: Some(20) }, false);
    assert_eq!(stop, None);
    let (endless, explored, stop) = check(&Endless { last: None }, true);
    assert_eq!((endless, stop), (bounded, None));
    assert!(explored < 20);
    let (without, _, stop) = check(&Endless { last: None }, false);
    assert_eq!((without, stop), (vec!["unknown"; 2], Some(StopReason::States)));
}

/// A predicate that some path avoids forever is detected.
#[test]
fn patience_ends() {
    let rule =
        CutOff::new(difference).at(|&(send, wait, _): &Numbers| send > wait + 5).patience(50);
    let report = Check::new(&Endless { last: None })
        .progress(by(|&(_, wait, _): &Numbers| wait as i64))
        .never("too far ahead", |&(send, wait, _)| send > wait + 1)
        .cut_off(rule)
        .run();
    assert_eq!(report.stop, Some(StopReason::Patience(51)));
    assert_eq!(report.properties[0].verdict.word(), "unknown");
    assert!(report.statistics.uncut_layers > 40);
}

/// Choices that cannot be combined are rejected with a reason.
#[test]
fn sleep_sets_are_refused_beside_an_equivalence() {
    use sweepline::select::Sleep;
    let team = Team { members: 2, rules: vec![[0, 0, 0, 1]] };
    let sleep = || Sleep::exact(|(rule, member): &(usize, usize)| (8 * rule + member) as u32);
    let reduction = Reduction::default().represent(sorted).sleep(sleep());
    let run = explore_reduced(&team, &Trivial, &reduction, &Options::default(), &mut ());
    assert!(matches!(run.stop, Some(StopReason::Reduction(_))));
    let report = Check::new(&team).represent(sorted).sleep(sleep()).deadlock().run();
    assert_eq!(
        report.reductions,
        ["no sleep sets: equivalent states may name actions differently", "equivalence"]
    );
    assert_eq!(report.properties[0].verdict.word(), "violated");
    let last = report.properties[0].verdict.witness().unwrap().last();
    assert_eq!(bytes_of(&team, last), bytes_of(&team, &(0, vec![1, 1])));
}
