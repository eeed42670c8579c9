//! The models of CSP by their definitions: sets of traces, failures and divergences of a small LTS, enumerated up to a
//! length. It shares no code with the product: it knows traces, not normal forms.

use std::collections::{BTreeMap, BTreeSet};

use sweepline_lts::{LabelId, Lts, StateNo};

pub(super) type Trace = Vec<String>;
pub(super) type Events = BTreeSet<String>;

/// What is observed of a process in traces of up to some length.
#[derive(Default, Debug)]
pub(super) struct Behaviour {
    pub(super) traces: BTreeSet<Trace>,
    /// All refusals, not only maximal ones, after each trace. The universe is the events given, and `✓`.
    pub(super) failures: BTreeMap<Trace, BTreeSet<Events>>,
    /// The traces after which the process may diverge: only those where it does itself, without extensions.
    pub(super) divergences: BTreeSet<Trace>,
}

/// Whether infinitely many internal steps are possible from `state`.
fn diverges(lts: &Lts, state: StateNo) -> bool {
    // A path of internal steps that is longer than there are states repeats one.
    let mut reached: BTreeSet<StateNo> = [state].into();
    for _ in 0..=lts.n_states() {
        let edges = reached.iter().flat_map(|&state| lts.edges(state));
        reached = edges.filter(|e| e.label == LabelId::TAU).map(|e| e.target).collect();
    }
    !reached.is_empty()
}

/// All subsets of `events`.
fn subsets(events: &Events) -> Vec<Events> {
    let mut all = vec![Events::new()];
    for event in events {
        let longer = all.iter().map(|set| set.iter().chain([event]).cloned().collect());
        let longer: Vec<_> = longer.collect();
        all.extend(longer);
    }
    all
}

/// The sets that `state` refuses now.
fn refusals(lts: &Lts, state: StateNo, universe: &Events) -> Vec<Events> {
    let labels: BTreeSet<LabelId> = lts.edges(state).iter().map(|edge| edge.label).collect();
    let mut all = Vec::new();
    if labels.contains(&LabelId::TICK) {
        // It may decide to terminate, and then refuses everything but `✓`.
        all.extend(subsets(&universe.iter().filter(|e| *e != "✓").cloned().collect()));
    }
    if !labels.contains(&LabelId::TICK) && !labels.contains(&LabelId::TAU) {
        let offered: Events = labels.iter().map(|&label| lts.label(label).to_owned()).collect();
        all.extend(subsets(&universe.difference(&offered).cloned().collect()));
    }
    all
}

impl Behaviour {
    /// What is observed in traces of up to `length` events.
    pub(super) fn of(lts: &Lts, universe: &Events, length: usize) -> Self {
        let mut all = Behaviour::default();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(lts.initial(), Trace::new())];
        while let Some((state, trace)) = waiting.pop() {
            if !seen.insert((state, trace.clone())) {
                continue;
            }
            all.traces.insert(trace.clone());
            if diverges(lts, state) {
                all.divergences.insert(trace.clone());
            }
            all.failures.entry(trace.clone()).or_default().extend(refusals(lts, state, universe));
            for edge in lts.edges(state) {
                let mut next = trace.clone();
                if edge.label != LabelId::TAU {
                    next.push(lts.label(edge.label).to_owned());
                }
                if next.len() <= length {
                    waiting.push((edge.target, next));
                }
            }
        }
        all
    }

    /// Whether the process may have diverged on the way: then everything is possible in the model `FD`.
    fn is_chaos(&self, trace: &Trace) -> bool {
        (0..=trace.len()).any(|len| self.divergences.contains(&trace[..len]))
    }

    pub(super) fn refined_in_traces(&self, process: &Behaviour) -> bool {
        process.traces.is_subset(&self.traces)
    }

    pub(super) fn refined_in_failures(&self, process: &Behaviour) -> bool {
        let none = BTreeSet::new();
        let is_allowed = |trace: &Trace| self.failures.get(trace).unwrap_or(&none);
        self.refined_in_traces(process)
            && process.failures.iter().all(|(trace, sets)| sets.is_subset(is_allowed(trace)))
    }

    pub(super) fn refined_in_failures_divergences(&self, process: &Behaviour) -> bool {
        let none = BTreeSet::new();
        process.traces.iter().filter(|trace| !self.is_chaos(trace)).all(|trace| {
            let own = process.failures.get(trace).unwrap_or(&none);
            self.traces.contains(trace)
                && !process.divergences.contains(trace)
                && own.is_subset(self.failures.get(trace).unwrap_or(&none))
        })
    }

    /// No trace can be followed by an event that can also be refused after it.
    pub(super) fn is_deterministic_in_failures(&self, universe: &Events) -> bool {
        let can_do = |trace: &Trace, event: &String| {
            let mut longer = trace.clone();
            longer.push(event.clone());
            self.traces.contains(&longer)
        };
        self.failures.iter().all(|(trace, sets)| {
            let both = |e: &&String| can_do(trace, e) && sets.contains(&[(*e).clone()].into());
            !universe.iter().any(|event| both(&event))
        })
    }

    pub(super) fn is_deadlock_free_in_failures(&self, universe: &Events) -> bool {
        let has_ended = |trace: &Trace| trace.last().is_some_and(|event| event == "✓");
        self.failures.iter().all(|(trace, sets)| has_ended(trace) || !sets.contains(universe))
    }
}
