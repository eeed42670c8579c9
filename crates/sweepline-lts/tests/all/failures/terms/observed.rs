//! The traces, failures and divergences of a finite transition system, by brute force. What a process may do after a trace
//! depends only on the states that the trace can lead to, so all traces of any length are covered by these sets.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sweepline_lts::{LabelId, Lts, Semantics};

use super::rules::{Definitions, Label, N_EVENTS, steps};
use super::term::Term;

use Label::{Does, Tau, Tick};

/// The number of `✓` in sets of events.
const TICK: u8 = N_EVENTS;

/// One bit for each set of events, from the empty set to all events and `✓`.
pub(super) type Refusals = u32;

/// All events and `✓`, as a set.
const EVERYTHING: u32 = (1 << (TICK + 1)) - 1;

pub(super) type States = BTreeSet<usize>;

/// A transition system; state 0 is the initial one.
#[derive(Debug)]
pub(super) struct Machine {
    edges: Vec<Vec<(Label, usize)>>,
}

/// What is visible after a trace.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub(super) next: Vec<Label>,
    pub(super) refusals: Refusals,
    pub(super) diverges: bool,
}

fn visible() -> impl Iterator<Item = Label> {
    (0..N_EVENTS).map(Does).chain([Tick])
}

fn number(label: Label) -> u8 {
    match label {
        Does(code) => code,
        Tick => TICK,
        Tau => panic!("not visible"),
    }
}

pub(super) fn label(text: &str) -> Label {
    match text {
        "τ" => Tau,
        "✓" => Tick,
        "a" => Does(0),
        "b" => Does(1),
        "c.0" => Does(2),
        "c.1" => Does(3),
        other => panic!("no such event: {other}"),
    }
}

impl Machine {
    /// The system of a closed term; `None` if it has more states than `limit`.
    pub(super) fn of(defs: &Definitions, term: &Term, limit: usize) -> Option<Machine> {
        let mut numbers: BTreeMap<Term, usize> = [(term.clone(), 0)].into();
        let (mut states, mut edges) = (vec![term.clone()], Vec::new());
        while let Some(state) = states.get(edges.len()).cloned() {
            let mut own = Vec::new();
            for (label, next) in steps(defs, &state) {
                let n = numbers.len();
                let target = *numbers.entry(next.clone()).or_insert(n);
                if target == n {
                    states.push(next);
                }
                own.push((label, target));
            }
            edges.push(own);
            if states.len() > limit {
                return None;
            }
        }
        Some(Machine { edges })
    }

    /// The system that the explorer made.
    pub(super) fn of_lts(lts: &Lts) -> Machine {
        let mut numbers: BTreeMap<_, usize> = [(lts.initial(), 0)].into();
        let (mut states, mut edges) = (vec![lts.initial()], Vec::new());
        while let Some(&state) = states.get(edges.len()) {
            let mut own = Vec::new();
            for edge in lts.edges(state) {
                let n = numbers.len();
                let target = *numbers.entry(edge.target).or_insert(n);
                if target == n {
                    states.push(edge.target);
                }
                own.push((
                    if edge.label == LabelId::TAU { Tau } else { label(lts.label(edge.label)) },
                    target,
                ));
            }
            edges.push(own);
        }
        Machine { edges }
    }

    pub(super) fn n_states(&self) -> usize {
        self.edges.len()
    }

    fn targets(&self, state: usize, label: Label) -> impl Iterator<Item = usize> + '_ {
        self.edges[state].iter().filter(move |(own, _)| *own == label).map(|(_, target)| *target)
    }

    /// These states and all that internal steps lead to.
    fn closure(&self, states: impl IntoIterator<Item = usize>) -> States {
        let mut waiting: Vec<usize> = states.into_iter().collect();
        let mut all = States::new();
        while let Some(state) = waiting.pop() {
            if all.insert(state) {
                waiting.extend(self.targets(state, Tau));
            }
        }
        all
    }

    pub(super) fn start(&self) -> States {
        self.closure([0])
    }

    pub(super) fn after(&self, states: &States, label: Label) -> States {
        self.closure(states.iter().flat_map(|&state| self.targets(state, label)))
    }

    /// The states after a trace; none if it is no trace.
    pub(super) fn after_all(&self, trace: &[Label]) -> States {
        trace.iter().fold(self.start(), |states, &label| self.after(&states, label))
    }

    /// Whether internal steps can go on for ever: a path with as many as there are states repeats one.
    fn diverges(&self, states: &States) -> bool {
        let mut reached = states.clone();
        for _ in 0..=self.edges.len() {
            reached = reached.iter().flat_map(|&state| self.targets(state, Tau)).collect();
        }
        !reached.is_empty()
    }

    /// The sets that a state refuses. A state with `✓` may decide to terminate, and then refuses all else.
    fn refused(&self, state: usize) -> Refusals {
        let has = |label| self.targets(state, label).next().is_some();
        let is_refused = |set: &u32| {
            let contains = |label| set & (1 << number(label)) != 0;
            match has(Tick) {
                true => !contains(Tick),
                false => !has(Tau) && visible().all(|label| !contains(label) || !has(label)),
            }
        };
        (0..=EVERYTHING).filter(is_refused).fold(0, |all, set| all | 1 << set)
    }

    pub(super) fn seen(&self, states: &States) -> Seen {
        let has = |label: &Label| {
            states.iter().any(|&state| self.targets(state, *label).next().is_some())
        };
        let refusals = states.iter().fold(0, |all, &state| all | self.refused(state));
        Seen { next: visible().filter(has).collect(), refusals, diverges: self.diverges(states) }
    }

    /// Whether the end of `trace` violates a refinement of `spec`.
    pub(super) fn violates(&self, spec: &Machine, semantics: Semantics, trace: &[Label]) -> bool {
        let (allowed, own) = (spec.after_all(trace), self.after_all(trace));
        let is_chaos = |length: usize| spec.diverges(&spec.after_all(&trace[..length]));
        if semantics == Semantics::FailuresDivergences && (0..=trace.len()).any(is_chaos) {
            return false;
        }
        !own.is_empty()
            && (allowed.is_empty() || is_worse(&self.seen(&own), &spec.seen(&allowed), semantics))
    }

    /// Whether this process refines `spec`, looking at every trace.
    pub(super) fn refines(&self, spec: &Machine, semantics: Semantics) -> bool {
        let mut found = BTreeSet::new();
        let mut waiting = VecDeque::from([(spec.start(), self.start())]);
        while let Some(pair) = waiting.pop_front() {
            if !found.insert(pair.clone()) {
                continue;
            }
            let (wanted, own) = (spec.seen(&pair.0), self.seen(&pair.1));
            if wanted.diverges && semantics == Semantics::FailuresDivergences {
                continue;
            }
            if is_worse(&own, &wanted, semantics)
                || !own.next.iter().all(|e| wanted.next.contains(e))
            {
                return false;
            }
            let next = |&label: &Label| (spec.after(&pair.0, label), self.after(&pair.1, label));
            waiting.extend(own.next.iter().map(next));
        }
        true
    }

    /// A trace after which this process and another one differ in traces, failures or divergences.
    pub(super) fn difference(&self, other: &Machine) -> Option<Vec<Label>> {
        let mut found = BTreeSet::new();
        let mut waiting = VecDeque::from([(self.start(), other.start(), Vec::new())]);
        while let Some((one, two, trace)) = waiting.pop_front() {
            if !found.insert((one.clone(), two.clone())) {
                continue;
            }
            let seen = self.seen(&one);
            if seen != other.seen(&two) {
                return Some(trace);
            }
            for label in seen.next {
                let longer = [trace.as_slice(), &[label]].concat();
                waiting.push_back((self.after(&one, label), other.after(&two, label), longer));
            }
        }
        None
    }

    /// What is seen after each trace, and whether it ends with `✓`.
    fn everything(&self) -> Vec<(Seen, bool)> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![(self.start(), false)];
        let mut all = Vec::new();
        while let Some(item) = waiting.pop() {
            if found.insert(item.clone()) {
                let seen = self.seen(&item.0);
                waiting.extend(
                    seen.next.iter().map(|&label| (self.after(&item.0, label), label == Tick)),
                );
                all.push((seen, item.1));
            }
        }
        all
    }

    pub(super) fn diverges_somewhere(&self) -> bool {
        self.everything().iter().any(|(seen, _)| seen.diverges)
    }

    /// After no trace is an event both possible and refused.
    pub(super) fn has_no_choice(&self) -> bool {
        let is_chosen =
            |seen: &Seen, label: Label| seen.refusals & (1 << (1 << number(label))) != 0;
        self.everything()
            .iter()
            .all(|(seen, _)| !seen.next.iter().any(|&label| is_chosen(seen, label)))
    }

    pub(super) fn has_no_deadlock(&self) -> bool {
        self.everything()
            .iter()
            .all(|(seen, ended)| *ended || seen.refusals & (1 << EVERYTHING) == 0)
    }
}

/// Whether something is refused or diverges that should not, at one trace that both have.
fn is_worse(own: &Seen, wanted: &Seen, semantics: Semantics) -> bool {
    match semantics {
        Semantics::Traces => false,
        Semantics::Failures => own.refusals & !wanted.refusals != 0,
        Semantics::FailuresDivergences => {
            !wanted.diverges && (own.diverges || own.refusals & !wanted.refusals != 0)
        }
    }
}
