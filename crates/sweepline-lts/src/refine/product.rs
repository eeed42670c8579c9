//! The product of a process and a specification, as a model.

use std::collections::HashMap;

use sweepline::{Computed, Model, Progress, Sink, Value};

use super::Semantics;
use super::specification::{Kind, Specification, is_subset};
use crate::composition::{Composition, Joint, Offer, RuleId};
use crate::lts::LabelId;

/// The product of a process and a specification, as a model.
pub struct Refinement<'a> {
    process: &'a Composition,
    specification: Specification,
    /// For each label of the process, the label of the specification; `None` for an event that it never does.
    labels: Vec<Option<u32>>,
    /// The minimal acceptances of each state of the specification, in the labels of the process. An acceptance with
    /// an event that the process never does is left out.
    acceptances: Vec<Vec<Vec<LabelId>>>,
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

/// What a stable state of a process offers and refuses, and what the specification requires there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The events that the process offers.
    pub offered: Vec<String>,
    /// The events that the process refuses although the specification may do them after the trace. The
    /// specification cannot refuse all of them.
    pub refused: Vec<String>,
    /// The minimal acceptances: a process that meets the specification offers all events of one of these sets.
    /// Empty if the specification has no stable state after the trace.
    pub acceptances: Vec<Vec<String>>,
}

impl<'a> Refinement<'a> {
    /// For the question whether `process` refines `specification`.
    pub fn new(specification: Specification, process: &'a Composition) -> Self {
        let numbers = || specification.labels.iter().map(String::as_str).zip(0..);
        let numbers: HashMap<&str, u32> = numbers().collect();
        let labels: Vec<Option<u32>> =
            process.labels().iter().map(|name| numbers.get(name.as_str()).copied()).collect();
        let mut own = vec![None; specification.labels.len()];
        for (label, number) in (0..).map(LabelId).zip(&labels) {
            if let Some(number) = number {
                own[*number as usize] = Some(label);
            }
        }
        let translated = |acceptance: &Vec<u32>| {
            let labels = acceptance.iter().map(|&number| own[number as usize]);
            let mut labels: Vec<LabelId> = labels.collect::<Option<_>>()?;
            labels.sort_unstable();
            Some(labels)
        };
        let nodes = specification.nodes.iter();
        let acceptances =
            nodes.map(|node| node.acceptances.iter().filter_map(translated).collect()).collect();
        Refinement { process, specification, labels, acceptances }
    }

    /// The process.
    pub fn process(&self) -> &'a Composition {
        self.process
    }

    /// The specification.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// The events that the specification allows next, in alphabetical order; none in a violated state.
    pub fn allowed(&self, state: &RefinementState) -> Vec<String> {
        let Some(number) = state.specification else { return Vec::new() };
        let steps = &self.specification.nodes[number as usize].steps;
        let labels: Vec<u32> = steps.iter().map(|(label, _)| *label).collect();
        self.specification.names(&labels)
    }

    /// Whether the process is stable in `state` and refuses what the specification does not let it refuse.
    pub fn refuses(&self, state: &RefinementState) -> bool {
        self.refusing(state).is_some()
    }

    /// What the process refuses in `state`, if the specification does not let it refuse that.
    pub fn refusal(&self, state: &RefinementState) -> Option<Refusal> {
        let offered = self.refusing(state)?;
        let number = state.specification?;
        let name = |label: &LabelId| self.process.labels()[label.index()].clone();
        let mut offered: Vec<String> = offered.iter().map(name).collect();
        offered.sort_unstable();
        let mut refused = self.allowed(state);
        refused.retain(|event| offered.binary_search(event).is_err());
        let acceptances = self.specification.nodes[number as usize].acceptances.iter();
        let mut acceptances: Vec<_> = acceptances.map(|a| self.specification.names(a)).collect();
        acceptances.sort_unstable();
        Some(Refusal { offered, refused, acceptances })
    }

    /// The events that the process offers in `state`, if these are too few. A state that can terminate is no
    /// violation: if the specification allows `✓` after the trace, `{✓}` is one of its acceptances.
    fn refusing(&self, state: &RefinementState) -> Option<Offer> {
        if self.specification.semantics == Semantics::Traces {
            return None;
        }
        let number = state.specification? as usize;
        if self.specification.nodes[number].kind != Kind::Normal {
            return None;
        }
        let offered = self.process.stable_offer(&state.process)?;
        let is_enough = |acceptance: &Vec<LabelId>| is_subset(acceptance, &offered);
        (!self.acceptances[number].iter().any(is_enough)).then_some(offered)
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
        let node = &self.specification.nodes[before as usize];
        if node.kind == Kind::Chaos {
            return Ok(());
        }
        let mut push = |rule: RuleId, process: &Joint| {
            let specification = match self.process.label(rule) {
                LabelId::TAU => Some(before),
                _ if node.kind == Kind::Divergent => return,
                label => self.labels[label.index()].and_then(|label| node.after(label)),
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
