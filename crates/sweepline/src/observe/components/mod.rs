//! Strongly connected components of the state space, layer by layer.
//!
//! On a cycle, a monotone measure does not change, so a component lies in one layer and is known when the
//! layer closes. Queries that [watch components](super::Query::watches_components) get the components then.
//! At a regress edge, they are told that the components are unknown, and their answer is unknown.

mod fairness;
mod gather;
mod graph;
#[cfg(test)]
mod graph_tests;
mod home;
mod live;
mod survey;
mod terminates;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use super::{Answer, ClosedLayer, DECIDED, Flow, Hit, StateId};
use crate::lists::Lists;
use crate::verdict::StopReason;

pub use fairness::{Fair, Fairness, fairness};
pub(super) use gather::{Gather, REGRESS};
pub use graph::{Components, Graph, strong_components, strong_components_where};
pub use home::Home;
pub use live::Live;
pub use survey::{Structure, Survey};
pub use terminates::Terminates;

/// A layer when it closes: its states and edges as a graph, and the components of that graph.
pub struct LayerComponents<'a, A> {
    /// The states by their numbers in the layer; edges into other layers leave the graph. Edges that [no
    /// query needs](super::Query::needs_edges) are left out.
    pub graph: &'a Graph<A>,
    /// The components of the graph.
    pub components: Components,
    terminal: Vec<bool>,
    cyclic: Vec<bool>,
    members: OnceLock<Lists<u32>>,
    layer: &'a ClosedLayer<'a>,
    stored: u64,
}

impl<'a, A: Clone> LayerComponents<'a, A> {
    fn new(graph: &'a Graph<A>, layer: &'a ClosedLayer<'a>, stored: u64) -> Self {
        let components = strong_components(graph);
        let mut terminal = vec![true; components.len()];
        let mut cyclic = vec![false; components.len()];
        for node in graph.nodes() {
            let own = components.of(node);
            for &target in graph.targets(node) {
                match target != Graph::<A>::OUT && components.of(target) == own {
                    true => cyclic[own as usize] = true,
                    false => terminal[own as usize] = false,
                }
            }
        }
        let members = OnceLock::new();
        LayerComponents { graph, components, terminal, cyclic, members, layer, stored }
    }

    /// Whether no edge leaves the component.
    pub fn is_terminal(&self, component: u32) -> bool {
        self.terminal[component as usize]
    }

    /// Whether the component has a cycle.
    pub fn has_cycle(&self, component: u32) -> bool {
        self.cyclic[component as usize]
    }

    /// The terminal components.
    pub fn terminal(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.terminal).filter(|(_, is)| **is).map(|(component, _)| component)
    }

    /// Whether some component has a cycle.
    pub fn is_cyclic(&self) -> bool {
        self.cyclic.contains(&true)
    }

    /// The nodes of a component, in order.
    pub fn members(&self, component: u32) -> &[u32] {
        let of = |node| (self.components.of(node) as usize, node);
        let grouped = || Lists::grouped(self.components.len(), self.graph.nodes().map(of));
        self.members.get_or_init(grouped).get(component as usize)
    }

    /// The serial number of the layer, as in [`StateId::layer`].
    pub fn serial(&self) -> u64 {
        self.layer.serial
    }

    /// The state of `node`, as the state that decides a query.
    pub fn hit(&self, node: u32) -> Option<Hit> {
        let id = StateId { layer: self.layer.serial, number: u64::from(node) };
        let bytes = self.layer.bytes(id.number)?.to_vec();
        Some(Hit { id, stored: self.stored, bytes, path: None })
    }
}

/// Records whether a query has seen the components of all layers.
#[derive(Default)]
struct Tally {
    expanded: u64,
    closed: u64,
    lost: Option<&'static str>,
}

impl Tally {
    fn node(&mut self) {
        self.expanded += 1;
    }

    fn close<A: Clone>(&mut self, layer: &LayerComponents<'_, A>) {
        self.closed += layer.graph.len() as u64;
    }

    fn lose(&mut self, why: &'static str) -> Flow {
        self.lost.get_or_insert(why);
        DECIDED
    }

    /// Whether every state expanded so far was in a layer whose components were seen.
    fn is_complete(&self) -> bool {
        self.lost.is_none() && self.expanded == self.closed
    }

    /// `so_far`, if the components of all layers were seen.
    fn answer(&self, so_far: Answer) -> Answer {
        match self.lost {
            None if self.is_complete() => so_far,
            None => Answer::Unknown(StopReason::Components("no layers were closed")),
            Some(why) => Answer::Unknown(StopReason::Components(why)),
        }
    }
}
