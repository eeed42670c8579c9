//! All results about components at once, for a report.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::fairness::fairness;
use super::{Fairness, Graph, LayerComponents, Tally};
use crate::model::Model;
use crate::observe::{Answer, Flow, Observer, Query, StateId, Visit};

/// The components of a state space, and the properties of transitions that follow from them.
///
/// It covers the layers closed so far; the whole state space if the exploration is complete and [`Survey`]
/// holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    /// States.
    pub states: u64,
    /// Edges.
    pub edges: u64,
    /// Strongly connected components.
    pub components: u64,
    /// Edges from one component to another.
    pub edges_between: u64,
    /// Components that no edge leaves. A home space has at least this many states.
    pub terminal: u64,
    /// Components of one state without an edge to itself.
    pub trivial: u64,
    /// States in the largest component.
    pub largest: u64,
    /// States in terminal components.
    pub terminal_states: u64,
    /// For each transition, whether it occurs at all.
    pub occurs: Vec<bool>,
    /// For each transition, whether it occurs in every terminal component.
    pub live: Vec<bool>,
    /// For each transition, the fairness of infinite paths to it.
    pub fairness: Vec<Fairness>,
    /// States without successors.
    pub dead: u64,
    /// The numbers of the first few of them: states are numbered from 1 in the order of visits.
    pub first_dead: Vec<u64>,
    /// The numbers of the first few states of the first terminal component. They are home markings if it is
    /// the only one.
    pub first_terminal: Vec<u64>,
}

/// Maximal number of states that are listed.
const LISTED: usize = 5;

impl Structure {
    fn new(transitions: usize) -> Self {
        Structure {
            occurs: vec![false; transitions],
            live: vec![true; transitions],
            fairness: vec![Fairness::Impartial; transitions],
            ..Structure::default()
        }
    }

    /// The number of home markings: states that can be reached from every reachable state.
    pub fn home_markings(&self) -> u64 {
        if self.terminal == 1 { self.terminal_states } else { 0 }
    }

    /// Whether there is an infinite path.
    pub fn has_infinite_runs(&self) -> bool {
        self.trivial < self.components
    }
}

/// Computes the [`Structure`] of a state space; holds if the exploration is complete.
pub struct Survey<F> {
    index: F,
    found: Arc<Mutex<Structure>>,
    tally: Tally,
    numbers: Numbers,
}

/// The numbers of states. A layer is visited without interruption, so the number of its first state is
/// enough.
#[derive(Default)]
struct Numbers {
    current: Option<u64>,
    first: HashMap<u64, u64>,
}

impl Numbers {
    #[inline]
    fn visit(&mut self, id: StateId, visits: u64) {
        if self.current != Some(id.layer) {
            self.current = Some(id.layer);
            self.first.insert(id.layer, visits.saturating_sub(id.number));
        }
    }

    /// Removes and returns the number of a layer's first state, when the layer closes.
    fn take(&mut self, layer: u64) -> u64 {
        self.first.remove(&layer).unwrap_or(1)
    }
}

impl<F> Survey<F> {
    /// A survey of the transitions `0..transitions`; `index` gives the transition of an action. The result is
    /// written to the cell that is returned with it.
    pub fn new(transitions: usize, index: F) -> (Self, Arc<Mutex<Structure>>) {
        let found = Arc::new(Mutex::new(Structure::new(transitions)));
        let (tally, numbers) = (Tally::default(), Numbers::default());
        (Survey { index, found: found.clone(), tally, numbers }, found)
    }

    fn structure(&self) -> MutexGuard<'_, Structure> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Structure {
    fn count<A: Clone>(&mut self, layer: &LayerComponents<'_, A>, index: impl Fn(&A) -> usize) {
        let (graph, parts) = (layer.graph, &layer.components);
        self.states += graph.len() as u64;
        self.edges += graph.edge_count() as u64;
        self.components += parts.len() as u64;
        for node in graph.nodes() {
            let own = parts.of(node);
            let is_inner = |target: u32| target != Graph::<A>::OUT && parts.of(target) == own;
            for (action, target) in graph.edges(node) {
                self.occurs[index(action)] = true;
                self.edges_between += u64::from(!is_inner(target));
            }
            self.terminal_states += u64::from(layer.is_terminal(own));
            self.trivial += u64::from(!layer.has_cycle(own));
        }
        for component in 0..parts.len() as u32 {
            self.largest = self.largest.max(layer.members(component).len() as u64);
        }
    }

    /// Lists the first terminal component; `first` is the number of the layer's first state.
    fn list_terminal<A: Clone>(&mut self, layer: &LayerComponents<'_, A>, first: u64) {
        if let Some(component) = layer.terminal().next().filter(|_| self.terminal == 0) {
            let members = layer.members(component).iter().take(LISTED);
            self.first_terminal = members.map(|&node| first + u64::from(node)).collect();
        }
    }

    fn find_live<A: Clone>(&mut self, layer: &LayerComponents<'_, A>, index: impl Fn(&A) -> usize) {
        let mut last = vec![None; self.live.len()];
        for component in layer.terminal() {
            self.terminal += 1;
            if !self.live.contains(&true) {
                continue;
            }
            for &node in layer.members(component) {
                for (action, _) in layer.graph.edges(node) {
                    last[index(action)] = Some(component);
                }
            }
            for (live, last) in self.live.iter_mut().zip(&last) {
                *live &= *last == Some(component);
            }
        }
    }

    /// Examines only states on cycles: every infinite path ends there.
    fn find_fair<A: Clone>(&mut self, layer: &LayerComponents<'_, A>, index: impl Fn(&A) -> usize) {
        let core = core(layer, index);
        let mut occurs = vec![false; self.fairness.len()];
        for node in core.nodes() {
            core.edges(node).for_each(|(transition, _)| occurs[*transition as usize] = true);
        }
        for (transition, class) in self.fairness.iter_mut().enumerate() {
            let found = match occurs[transition] {
                _ if *class == Fairness::Unfair => continue,
                // There are cycles, and no cycle enables the transition.
                false => Fairness::Fair,
                true => fairness(&core, |label| *label as usize == transition).0,
            };
            *class = (*class).max(found);
        }
    }
}

/// The components of a layer that have cycles, as a graph of its own whose labels are transitions; edges
/// between components leave the graph.
fn core<A: Clone>(layer: &LayerComponents<'_, A>, index: impl Fn(&A) -> usize) -> Graph<u32> {
    let (graph, parts) = (layer.graph, &layer.components);
    let is_in = |node: u32| layer.has_cycle(parts.of(node));
    let mut number = vec![Graph::<u32>::OUT; graph.len()];
    for (new, node) in (0..).zip(graph.nodes().filter(|&node| is_in(node))) {
        number[node as usize] = new;
    }
    let mut core = Graph::default();
    for node in graph.nodes().filter(|&node| is_in(node)) {
        for (action, target) in graph.edges(node) {
            let inner = target != Graph::<A>::OUT && parts.of(target) == parts.of(node);
            let target = if inner { number[target as usize] } else { Graph::<u32>::OUT };
            core.push(number[node as usize], index(action) as u32, target);
        }
    }
    core
}

impl<M: Model, F: Fn(&M::Action) -> usize> Observer<M> for Survey<F> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.tally.node();
        self.numbers.visit(visit.id, self.tally.expanded);
        Ok(())
    }

    fn dead(&mut self, _visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        let mut found = self.structure();
        found.dead += 1;
        if found.first_dead.len() < LISTED {
            found.first_dead.push(self.tally.expanded);
        }
        Ok(())
    }
}

impl<M: Model, F: Fn(&M::Action) -> usize> Query<M> for Survey<F> {
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        self.tally.close(layer);
        let first = self.numbers.take(layer.serial());
        let mut found = self.structure();
        found.count(layer, &self.index);
        found.list_terminal(layer, first);
        found.find_live(layer, &self.index);
        if layer.is_cyclic() {
            found.find_fair(layer, &self.index);
        }
        Ok(())
    }

    fn components_lost(&mut self, why: &'static str) -> Flow {
        self.tally.lose(why)
    }

    fn restart(&mut self) {
        let fresh = Structure::new(self.structure().live.len());
        *self.structure() = fresh;
        (self.tally, self.numbers) = (Tally::default(), Numbers::default());
    }

    fn watches_components(&self) -> bool {
        true
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn answer(&self) -> Answer {
        self.tally.answer(Answer::HoldsSoFar)
    }

    fn findings(&self) -> Vec<String> {
        if !self.tally.is_complete() {
            return Vec::new();
        }
        let found = self.structure();
        let home = match found.home_markings() {
            0 => "no home marking".to_owned(),
            1 => "1 home marking".to_owned(),
            all if all == found.states => "every state is a home marking".to_owned(),
            several => format!("{several} home markings"),
        };
        let components = if found.components == 1 { "component" } else { "components" };
        vec![
            format!(
                "{} {components}, {} of them terminal, {} trivial, the largest of {} states; {} edges between them",
                found.components, found.terminal, found.trivial, found.largest, found.edges_between
            ),
            home,
        ]
    }
}
