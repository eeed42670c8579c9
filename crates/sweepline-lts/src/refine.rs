//! Refinement in the traces model: does a process only do what a specification allows?
//!
//! The specification is made deterministic: after each trace it is in one *set* of states, and the next event either leads
//! to one other set or is not allowed. The process is explored together with it. An event that the specification does
//! not allow leads to a state that is [violated](RefinementState::violated) and has no successors.

use std::collections::{BTreeSet, HashMap, VecDeque};

use sweepline::observe::each_edge;
use sweepline::{Computed, Model, Progress, Sink, Value};

use crate::composition::{Composition, Joint, RuleId};
use crate::lts::{LabelId, Lts, LtsBuilder, StateNo};
use crate::problem::Problem;

impl Composition {
    /// All reachable states as one LTS, numbered in breadth-first order.
    ///
    /// # Errors
    ///
    /// When there are more than `limit` states.
    pub fn to_lts(&self, name: &str, limit: usize) -> Result<Lts, Problem> {
        let mut lts = LtsBuilder::new(name);
        let labels: Vec<_> = self.labels().iter().map(|name| lts.label(name)).collect();
        let edge = |source: u32, rule: &RuleId, target: u32| {
            lts.edge(StateNo(source), labels[self.label(*rule).index()], StateNo(target));
        };
        let n_states = each_edge(self, limit, edge);
        Ok(lts.build(n_states.ok_or(Problem::LargeSpecification { limit })?, StateNo(0))?)
    }
}

/// A deterministic automaton for the traces of a specification. All its states accept.
#[derive(Clone, Debug)]
pub struct Traces {
    labels: HashMap<String, u32>,
    /// For each state, its events in order, each with the state after it.
    steps: Vec<Vec<(u32, u32)>>,
}

impl Traces {
    /// The traces of `lts`.
    ///
    /// # Errors
    ///
    /// When the sets have more than `limit` states in total.
    pub fn of(lts: &Lts, limit: usize) -> Result<Self, Problem> {
        let visible = lts.labels().filter(|&label| label != LabelId::TAU);
        let labels = visible.map(|label| (lts.label(label).to_owned(), label.0)).collect();
        let start = unseen(lts, [lts.initial()].into());
        let mut numbers: HashMap<BTreeSet<StateNo>, u32> = [(start.clone(), 0)].into();
        let mut size = start.len();
        let mut queue: VecDeque<_> = [start].into();
        let mut steps = Vec::new();
        while let Some(states) = queue.pop_front() {
            let mut after: std::collections::BTreeMap<u32, BTreeSet<StateNo>> = Default::default();
            for edge in states.iter().flat_map(|&state| lts.edges(state)) {
                if edge.label != LabelId::TAU {
                    after.entry(edge.label.0).or_default().insert(edge.target);
                }
            }
            let mut own = Vec::new();
            for (label, targets) in after {
                let targets = unseen(lts, targets);
                let n = numbers.len() as u32;
                let number = *numbers.entry(targets.clone()).or_insert(n);
                if number == n {
                    size += targets.len();
                    queue.push_back(targets);
                }
                if size > limit {
                    return Err(Problem::LargeSpecification { limit });
                }
                own.push((label, number));
            }
            steps.push(own);
        }
        Ok(Traces { labels, steps })
    }

    /// The number of states of the automaton.
    pub fn n_states(&self) -> usize {
        self.steps.len()
    }

    /// The state after `label` in `state`; `None` if the event is not allowed.
    fn after(&self, state: u32, label: u32) -> Option<u32> {
        let steps = &self.steps[state as usize];
        let at = steps.binary_search_by_key(&label, |(own, _)| *own).ok()?;
        Some(steps[at].1)
    }
}

/// `states` and all states that internal steps lead to from there.
fn unseen(lts: &Lts, states: BTreeSet<StateNo>) -> BTreeSet<StateNo> {
    lts.closure(states, |edge| edge.label == LabelId::TAU)
}

/// The product of a process and a specification, as a model.
pub struct Refinement<'a> {
    process: &'a Composition,
    specification: Traces,
    /// For each label of the process, the label of the specification; `None` for an event that it never does.
    labels: Vec<Option<u32>>,
}

/// A state of a [`Refinement`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefinementState {
    /// The state of the process.
    pub process: Joint,
    /// The state of the specification; `None` after an event that it does not allow.
    pub specification: Option<u32>,
}

impl RefinementState {
    /// The specification did not allow the last event.
    pub fn violated(&self) -> bool {
        self.specification.is_none()
    }
}

impl<'a> Refinement<'a> {
    /// For the question whether every trace of `process` is one of `specification`.
    pub fn new(specification: Traces, process: &'a Composition) -> Self {
        let labels = process.labels().iter().map(|name| specification.labels.get(name).copied());
        let labels = labels.collect();
        Refinement { process, specification, labels }
    }

    /// The process.
    pub fn process(&self) -> &'a Composition {
        self.process
    }

    /// The events that the specification allows next, in alphabetical order; none in a violated state.
    pub fn allowed(&self, state: &RefinementState) -> Vec<&str> {
        let Some(number) = state.specification else { return Vec::new() };
        let steps = &self.specification.steps[number as usize];
        let is_allowed = |label: &u32| steps.binary_search_by_key(label, |(own, _)| *own).is_ok();
        let labels = self.specification.labels.iter().filter(|(_, label)| is_allowed(label));
        let mut events: Vec<&str> = labels.map(|(name, _)| name.as_str()).collect();
        events.sort_unstable();
        events
    }
}

/// Encodes a violated state. A specification has fewer states than that.
const VIOLATED: u32 = u32::MAX;

impl Model for Refinement<'_> {
    type State = RefinementState;
    type Action = RuleId;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&RefinementState)) {
        self.process.initial(&mut |process| {
            push(&RefinementState { process: process.clone(), specification: Some(0) });
        });
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &RefinementState,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        let Some(before) = state.specification else { return Ok(()) };
        let mut push = |rule: RuleId, process: &Joint| {
            let specification = match self.process.label(rule) {
                LabelId::TAU => Some(before),
                label => self.labels[label.index()]
                    .and_then(|label| self.specification.after(before, label)),
            };
            sink.push(rule, &RefinementState { process: process.clone(), specification });
        };
        self.process.successors(worker, &state.process, &mut push)
    }

    fn encode(&self, state: &RefinementState, bytes: &mut Vec<u8>) {
        let specification = state.specification.unwrap_or(VIOLATED);
        bytes.extend_from_slice(&specification.to_le_bytes());
        self.process.encode(&state.process, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> RefinementState {
        let (specification, process) =
            split(bytes).expect("bytes of a state were not written by us");
        RefinementState { process: self.process.decode(process), specification }
    }

    #[inline]
    fn decode_into(&self, bytes: &[u8], state: &mut RefinementState) {
        let (specification, process) =
            split(bytes).expect("bytes of a state were not written by us");
        state.specification = specification;
        self.process.decode_into(process, &mut state.process);
    }

    fn try_decode(&self, bytes: &[u8]) -> Option<RefinementState> {
        let (specification, process) = split(bytes)?;
        let is_known = specification.is_none_or(|n| (n as usize) < self.specification.n_states());
        let process = self.process.try_decode(process).filter(|_| is_known)?;
        Some(RefinementState { process, specification })
    }
}

/// The state of the specification, and the bytes of the process.
fn split(bytes: &[u8]) -> Option<(Option<u32>, &[u8])> {
    let (number, process) = bytes.split_first_chunk::<4>()?;
    Some((Some(u32::from_le_bytes(*number)).filter(|&number| number != VIOLATED), process))
}

/// The measure of a process as one of its refinement. It ignores the specification.
pub struct OfProcess<'a, N: Model>(pub Box<dyn Progress<N> + 'a>);

impl<N: Model<State = Joint, Worker = ()>> Progress<Refinement<'_>> for OfProcess<'_, N> {
    fn columns(&self) -> usize {
        self.0.columns()
    }

    fn is_trivial(&self) -> bool {
        self.0.is_trivial()
    }

    #[inline]
    fn measure(&self, worker: &mut (), state: &RefinementState, value: &mut Value) -> Computed {
        self.0.measure(worker, &state.process, value)
    }
}
