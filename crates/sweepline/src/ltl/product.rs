//! The product of a model with an automaton, itself a model.

use super::atom::{Atom, Fairness};
use super::automaton::{Automaton, Edge, TooLarge};
use super::formula::Formula;
use crate::model::{Computed, Model, ModelError, Sink};
use crate::progress::{Progress, Value};

/// The product of a model and the automaton of the runs that violate a formula. A cycle whose edges lie in all
/// acceptance sets is a run of the model that violates the formula.
pub struct Product<'a, M: Model> {
    model: &'a M,
    formula: Formula<u32>,
    atoms: Vec<Atom<'a, M>>,
    fairness: Fairness<'a, M>,
    automaton: Automaton,
    /// The atoms whose value is known before an action is chosen, as bits.
    on_states: u64,
    /// Some atom asks which actions are enabled.
    asks_enabled: bool,
    /// For each node of the automaton, whether it accepts every word.
    universal: Vec<bool>,
    /// Bytes that encode a node of the automaton.
    width: usize,
}

/// A state of a [`Product`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductState<S> {
    /// The state of the model.
    pub state: S,
    /// The node of the automaton.
    pub node: u32,
}

/// An action of a [`Product`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductAction<A> {
    /// The action of the model; `None` for the step from a dead state to itself.
    pub action: Option<A>,
    /// The acceptance sets that the edge lies in, as bits: those of the automaton, one for each weakly
    /// fair set of actions, and two for each strongly fair one, where it is enabled and where it is
    /// taken.
    pub marks: u32,
}

/// The acceptance condition of a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Acceptance {
    /// It meets all of these sets.
    pub(crate) all: u32,
    /// For each pair: if it meets the first set, it meets the second.
    pub(crate) pairs: Vec<(u32, u32)>,
}

impl<'a, M: Model> Product<'a, M> {
    /// The product of `model` with the automaton of the fair runs that violate `formula`.
    ///
    /// # Errors
    ///
    /// When the automaton would be too large.
    pub fn new(
        model: &'a M,
        formula: Formula<Atom<'a, M>>,
        fairness: Fairness<'a, M>,
    ) -> Result<Self, TooLarge> {
        let mut atoms: Vec<Atom<'a, M>> = Vec::new();
        let formula = formula.map(|atom| atom.numbered(&mut atoms));
        let automaton = Automaton::of_negation(&formula)?;
        let sets = automaton.sets as usize + fairness.weak.len() + 2 * fairness.strong.len();
        if sets > 32 {
            return Err(TooLarge::Sets(32));
        }
        let on_states = (0..).zip(&atoms).filter(|(_, atom)| !matches!(atom, Atom::Action(_)));
        let on_states = on_states.fold(0, |bits, (bit, _)| bits | 1 << bit);
        let asks_enabled = atoms.iter().any(|atom| matches!(atom, Atom::Enabled(_)));
        let nodes = automaton.nodes.len() as u32;
        let universal = (0..nodes).map(|node| automaton.is_universal(node)).collect();
        let width = if nodes <= 256 { 1 } else { 2 };
        Ok(Product {
            model,
            formula,
            atoms,
            fairness,
            automaton,
            on_states,
            asks_enabled,
            universal,
            width,
        })
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The model.
    pub fn model(&self) -> &'a M {
        self.model
    }

    /// The formula over numbers of atoms.
    pub(crate) fn formula(&self) -> &Formula<u32> {
        &self.formula
    }

    pub(crate) fn acceptance(&self) -> Acceptance {
        let n = self.automaton.sets + self.fairness.weak.len() as u32;
        let pair = |i: u32| (1 << (n + 2 * i), 1 << (n + 2 * i + 1));
        Acceptance {
            all: ((1u64 << n) - 1) as u32,
            pairs: (0..self.fairness.strong.len() as u32).map(pair).collect(),
        }
    }

    /// Every run from here violates the formula: the node accepts every word, and no run is unfair.
    pub(crate) fn is_decided(&self, node: u32) -> bool {
        self.universal[node as usize] && self.fairness.is_empty()
    }

    /// The atoms that hold of a state and of the action taken from it, as bits.
    pub(crate) fn letter(
        &self,
        worker: &mut M::Worker,
        state: &M::State,
        action: Option<&M::Action>,
    ) -> Result<u64, ModelError> {
        Ok(self.state_letter(worker, state)? | self.action_letter(action))
    }

    fn state_letter(&self, worker: &mut M::Worker, state: &M::State) -> Result<u64, ModelError> {
        let mut bits = 0;
        for (bit, atom) in (0..).zip(&self.atoms) {
            if let Atom::State(condition) = atom {
                bits |= u64::from(condition(self.model, worker, state)?) << bit;
            }
        }
        if self.asks_enabled {
            let mut see = |action: M::Action, _: &M::State| {
                for (bit, atom) in (0..).zip(&self.atoms) {
                    if let Atom::Enabled(condition) = atom {
                        bits |= u64::from(condition(self.model, &action)) << bit;
                    }
                }
            };
            self.model.successors(worker, state, &mut see)?;
        }
        Ok(bits)
    }

    fn action_letter(&self, action: Option<&M::Action>) -> u64 {
        let holds = |atom: &Atom<'a, M>| match (atom, action) {
            (Atom::Action(condition), Some(action)) => condition(self.model, action),
            _ => false,
        };
        (0..).zip(&self.atoms).fold(0, |bits, (bit, atom)| bits | u64::from(holds(atom)) << bit)
    }

    /// The bytes of the model's state within those of the product's.
    pub(crate) fn own_bytes<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[..bytes.len() - self.width]
    }

    fn node_of(&self, bytes: &[u8]) -> u32 {
        let mut number = [0; 4];
        number[..self.width].copy_from_slice(&bytes[bytes.len() - self.width..]);
        u32::from_le_bytes(number)
    }
}

impl<M: Model> Model for Product<'_, M> {
    type State = ProductState<M::State>;
    type Action = ProductAction<M::Action>;
    type Worker = M::Worker;

    fn worker(&self) -> M::Worker {
        self.model.worker()
    }

    fn initial(&self, push: &mut dyn FnMut(&Self::State)) {
        self.model.initial(&mut |state| push(&ProductState { state: state.clone(), node: 0 }));
    }

    fn successors(
        &self,
        worker: &mut M::Worker,
        at: &Self::State,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        let letter = self.state_letter(worker, &at.state)?;
        // The edges that the state allows, whatever the action.
        let readable = |edge: &&Edge| {
            letter & edge.positive & self.on_states == edge.positive & self.on_states
                && letter & edge.negative == 0
        };
        let edges: Vec<Edge> =
            self.automaton.nodes[at.node as usize].iter().filter(readable).copied().collect();
        if edges.is_empty() {
            return Ok(());
        }
        let mut enabled = (0, 0);
        if !self.fairness.is_empty() {
            let mut enable = |action: M::Action, _: &M::State| {
                let (weak, strong) = self.taken(&action);
                enabled = (enabled.0 | weak, enabled.1 | strong);
            };
            self.model.successors(worker, &at.state, &mut enable)?;
        }
        let (mut moved, mut scratch) = (false, at.clone());
        let mut take = |action: Option<M::Action>, state: &M::State| {
            let letter = letter | self.action_letter(action.as_ref());
            let fair = self.fair_marks(enabled, action.as_ref());
            scratch.state.clone_from(state);
            let mut last: Option<(u32, u64)> = None;
            for edge in edges.iter().filter(|edge| edge.reads(letter)) {
                // Edges are sorted by target and marks; equal ones with other labels make no difference.
                if last == Some((edge.target, edge.marks)) {
                    continue;
                }
                last = Some((edge.target, edge.marks));
                scratch.node = edge.target;
                let marks = edge.marks as u32 | fair;
                sink.push(ProductAction { action: action.clone(), marks }, &scratch);
            }
        };
        let mut step = |action: M::Action, state: &M::State| {
            moved = true;
            take(Some(action), state);
        };
        self.model.successors(worker, &at.state, &mut step)?;
        if !moved {
            take(None, &at.state);
        }
        Ok(())
    }

    fn encode(&self, at: &Self::State, bytes: &mut Vec<u8>) {
        self.model.encode(&at.state, bytes);
        bytes.extend_from_slice(&at.node.to_le_bytes()[..self.width]);
    }

    fn decode(&self, bytes: &[u8]) -> Self::State {
        let state = self.model.decode(self.own_bytes(bytes));
        ProductState { state, node: self.node_of(bytes) }
    }

    fn check_codec(&self, at: &Self::State, bytes: &[u8]) -> Computed {
        self.model.check_codec(&at.state, self.own_bytes(bytes))
    }

    fn decode_into(&self, bytes: &[u8], at: &mut Self::State) {
        self.model.decode_into(self.own_bytes(bytes), &mut at.state);
        at.node = self.node_of(bytes);
    }
}

impl<M: Model> Product<'_, M> {
    /// The fair sets that an action belongs to, as bits.
    fn taken(&self, action: &M::Action) -> (u32, u32) {
        let bits = |sets: &[super::atom::OfAction<'_, M>]| {
            (0..).zip(sets).fold(0, |b, (i, set)| b | u32::from(set(self.model, action)) << i)
        };
        (bits(&self.fairness.weak), bits(&self.fairness.strong))
    }

    /// The marks of the fair sets, where these are enabled and `action` is taken.
    fn fair_marks(&self, enabled: (u32, u32), action: Option<&M::Action>) -> u32 {
        if self.fairness.is_empty() {
            return 0;
        }
        let (weak, strong) = action.map_or((0, 0), |action| self.taken(action));
        let n = self.fairness.weak.len() as u32;
        let mut marks = (!enabled.0 | weak) & ((1u64 << n) - 1) as u32;
        for pair in 0..self.fairness.strong.len() as u32 {
            marks |= (enabled.1 >> pair & 1) << (n + 2 * pair);
            marks |= (strong >> pair & 1) << (n + 2 * pair + 1);
        }
        marks << self.automaton.sets
    }
}

/// The measure of a model as one of its product with an automaton. It ignores the node, so it has the same regress
/// edges.
pub struct OfModel<P>(pub P);

impl<M: Model, P: Progress<M>> Progress<Product<'_, M>> for OfModel<P> {
    fn columns(&self) -> usize {
        self.0.columns()
    }

    fn measure(
        &self,
        worker: &mut M::Worker,
        at: &ProductState<M::State>,
        value: &mut Value,
    ) -> Computed {
        self.0.measure(worker, &at.state, value)
    }

    fn measure_step(
        &self,
        worker: &mut M::Worker,
        from: &Value,
        action: &ProductAction<M::Action>,
        target: &ProductState<M::State>,
        value: &mut Value,
    ) -> Computed {
        match &action.action {
            Some(action) => self.0.measure_step(worker, from, action, &target.state, value),
            None => self.0.measure(worker, &target.state, value),
        }
    }

    fn is_trivial(&self) -> bool {
        self.0.is_trivial()
    }
}

/// The columns of a measure alone.
pub(crate) struct ColumnsOf<P>(pub(crate) P);

impl<M: Model, P: Progress<M>> Progress<M> for ColumnsOf<P> {
    fn measure(&self, worker: &mut M::Worker, state: &M::State, value: &mut Value) -> Computed {
        self.0.measure(worker, state, value)?;
        *value = value.components()[..self.0.columns()].iter().copied().collect();
        Ok(())
    }
}
