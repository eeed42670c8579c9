//! A part of a state space: a bounded number of states, and all edges between them.

use std::collections::{HashMap, HashSet, VecDeque};

use sweepline::model::{bytes_of, initial, successors_by};

use crate::failure::Failure;
use crate::front_end::{Content, FrontEnd};

/// States in the order they were added, each once.
pub(crate) struct Fragment<'a, M: FrontEnd> {
    model: &'a M,
    states: Vec<Drawn<M>>,
    numbers: HashMap<Vec<u8>, usize>,
    /// The steps of the path.
    steps: HashSet<(usize, usize)>,
    most: usize,
}

struct Drawn<M: FrontEnd> {
    state: M::State,
    asked: bool,
    on_path: bool,
}

/// A state of a drawing.
#[derive(Debug)]
pub(crate) struct Node {
    /// Its marked places, or the states of its components.
    pub(crate) parts: Vec<(String, Content)>,
    /// It is an initial state.
    pub(crate) initial: bool,
    /// It has no successor.
    pub(crate) dead: bool,
    /// It is one of the states asked for.
    pub(crate) asked: bool,
    /// It is on the path to a state asked for.
    pub(crate) on_path: bool,
    /// How many of its successors are not drawn.
    pub(crate) hidden: usize,
    /// How many of its predecessors are not drawn, if they were counted.
    pub(crate) hidden_before: Option<usize>,
}

/// All edges from one state of a drawing to another.
#[derive(Debug)]
pub(crate) struct Edge {
    /// The number of the state it leaves.
    pub(crate) source: usize,
    /// The number of the state it leads to.
    pub(crate) target: usize,
    /// Its actions.
    pub(crate) actions: Vec<String>,
    /// It is a step of the path to a state asked for.
    pub(crate) on_path: bool,
}

/// The states and edges of a drawing.
#[derive(Debug)]
pub(crate) struct Graph {
    /// The states, by their numbers.
    pub(crate) nodes: Vec<Node>,
    /// The edges between them.
    pub(crate) edges: Vec<Edge>,
    /// The number of successors that are not drawn.
    pub(crate) n_hidden: usize,
    /// The predecessors that are not drawn, if they were counted.
    pub(crate) before: Option<HiddenBefore>,
}

/// Predecessors of the states of a drawing that are not drawn.
#[derive(Debug)]
pub(crate) struct HiddenBefore {
    /// Their number for each state.
    pub(crate) of_state: Vec<usize>,
    /// Their number in all.
    pub(crate) n: usize,
    /// There may be more: the exploration was incomplete.
    pub(crate) is_partial: bool,
}

impl<'a, M: FrontEnd> Fragment<'a, M> {
    /// An empty fragment of at most `most` states.
    pub(crate) fn new(model: &'a M, most: usize) -> Self {
        let (states, numbers, steps) = (Vec::new(), HashMap::new(), HashSet::new());
        Fragment { model, states, numbers, steps, most }
    }

    /// Adds a state if there is room for it; its number.
    pub(crate) fn add(&mut self, state: &M::State) -> Option<usize> {
        let bytes = bytes_of(self.model, state);
        if let Some(&number) = self.numbers.get(&bytes) {
            return Some(number);
        }
        if self.room() == 0 {
            return None;
        }
        self.numbers.insert(bytes, self.states.len());
        self.states.push(Drawn { state: state.clone(), asked: false, on_path: false });
        Some(self.states.len() - 1)
    }

    /// Adds a state asked for.
    pub(crate) fn ask(&mut self, state: &M::State) {
        if let Some(number) = self.add(state) {
            self.states[number].asked = true;
        }
    }

    /// Adds a path; how many of its states did not fit in.
    pub(crate) fn walk(&mut self, states: &[M::State]) -> usize {
        let (mut before, mut n_cut) = (None, 0);
        for state in states {
            let number = self.add(state);
            match number {
                Some(number) => {
                    self.states[number].on_path = true;
                    self.steps.extend(before.map(|before| (before, number)));
                }
                None => n_cut += 1,
            }
            before = number;
        }
        n_cut
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// How many more states fit in.
    pub(crate) fn room(&self) -> usize {
        self.most.saturating_sub(self.states.len())
    }

    /// The number of a state of the fragment.
    pub(crate) fn number(&self, bytes: &[u8]) -> Option<usize> {
        self.numbers.get(bytes).copied()
    }

    /// Adds the states that can be reached in up to `depth` steps from the first `n`, the nearest first.
    pub(crate) fn grow(&mut self, n: usize, depth: usize) -> Result<(), Failure> {
        let mut waiting: VecDeque<(usize, usize)> = (0..n).map(|number| (number, 0)).collect();
        let mut seen: HashSet<usize> = (0..n).collect();
        let mut worker = self.model.worker();
        while let Some((number, steps)) = waiting.pop_front() {
            if steps == depth || self.room() == 0 {
                break;
            }
            for (_, target) in self.successors(&mut worker, number)? {
                if let Some(target) = self.add(&target)
                    && seen.insert(target)
                {
                    waiting.push_back((target, steps + 1));
                }
            }
        }
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut M::Worker,
        number: usize,
    ) -> Result<Vec<(M::Action, M::State)>, Failure> {
        let found = successors_by(self.model, worker, &self.states[number].state);
        found.map_err(|error| Failure::Model { message: error.to_string() })
    }

    /// The states with all edges between them.
    pub(crate) fn graph(&self, before: Option<HiddenBefore>) -> Result<Graph, Failure> {
        let first: HashSet<Vec<u8>> =
            initial(self.model).iter().map(|state| bytes_of(self.model, state)).collect();
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        let (mut hidden, mut worker) = (HashSet::new(), self.model.worker());
        for (number, drawn) in self.states.iter().enumerate() {
            let successors = self.successors(&mut worker, number)?;
            let names = self.model.actions(&drawn.state);
            let mut outgoing: Vec<Edge> = Vec::new();
            let mut own_hidden = HashSet::new();
            for ((_, state), name) in successors.iter().zip(names) {
                let bytes = bytes_of(self.model, state);
                let Some(&target) = self.numbers.get(&bytes) else {
                    own_hidden.insert(bytes);
                    continue;
                };
                match outgoing.iter_mut().find(|edge| edge.target == target) {
                    Some(edge) => edge.actions.push(name.into_owned()),
                    None => {
                        let on_path = self.steps.contains(&(number, target));
                        let actions = vec![name.into_owned()];
                        outgoing.push(Edge { source: number, target, actions, on_path });
                    }
                }
            }
            edges.append(&mut outgoing);
            nodes.push(Node {
                parts: self.model.parts(&drawn.state),
                initial: first.contains(&bytes_of(self.model, &drawn.state)),
                dead: successors.is_empty() && !self.model.has_terminated(&drawn.state),
                asked: drawn.asked,
                on_path: drawn.on_path,
                hidden: own_hidden.len(),
                hidden_before: before.as_ref().map(|before| before.of_state[number]),
            });
            hidden.extend(own_hidden);
        }
        Ok(Graph { nodes, edges, n_hidden: hidden.len(), before })
    }
}
