//! The stored state space, which the query functions of CPN Tools use.

use std::sync::OnceLock;

use sweepline::observe::{Fairness, Flow, Graph, Visit, fairness, strong_components_where};
use sweepline::progress::Trivial;
use sweepline::{Observer, Options, StateId, StopReason, explore};

use crate::explore::Worker;
use crate::explore::element::{Element, Elements};

/// All nodes and arcs, in breadth-first order.
#[derive(Default)]
pub(super) struct Space {
    /// The encoded markings.
    pub(super) nodes: Vec<Box<[u8]>>,
    pub(super) arcs: Vec<Arc>,
    /// The indices of the arcs from each node.
    graph: Graph<u32>,
    incoming: OnceLock<Vec<Vec<u32>>>,
    components: OnceLock<Parts>,
}

/// An arc.
pub(super) struct Arc {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) transition: u32,
    /// The binding element.
    pub(super) element: Box<[u8]>,
}

/// Collects nodes and arcs during the exploration.
struct Collect {
    space: Space,
    used: u64,
    limit: Option<u64>,
}

impl Space {
    /// Explores the whole state space.
    pub(super) fn explore(model: &Elements<'_>, options: &Options) -> Result<Self, StopReason> {
        let mut collect =
            Collect { space: Space::default(), used: 0, limit: options.limits.memory };
        let exploration = explore(model, &Trivial, options, &mut collect);
        if let Some(reason) = exploration.stop {
            return Err(reason);
        }
        let mut space = collect.space;
        space.graph.grow(space.nodes.len());
        Ok(space)
    }

    /// The index of a node, from its number in scripts.
    pub(super) fn node(&self, number: i64) -> Option<usize> {
        index(number, self.nodes.len())
    }

    /// The arc with this number in scripts.
    pub(super) fn arc(&self, number: i64) -> Option<&Arc> {
        self.arc_index(number).map(|at| &self.arcs[at])
    }

    /// The index of an arc, from its number in scripts.
    pub(super) fn arc_index(&self, number: i64) -> Option<usize> {
        index(number, self.arcs.len())
    }

    fn out(&self, node: usize) -> impl Iterator<Item = usize> {
        self.graph.edges(node as u32).map(|(arc, _)| *arc as usize)
    }

    /// The arcs from a node.
    pub(super) fn out_arcs(&self, node: usize) -> impl Iterator<Item = i64> {
        self.out(node).map(|arc| arc as i64)
    }

    /// The arcs to a node.
    pub(super) fn in_arcs(&self, node: usize) -> impl Iterator<Item = i64> {
        let incoming = self.incoming.get_or_init(|| {
            let mut incoming = vec![Vec::new(); self.nodes.len()];
            for (at, arc) in self.arcs.iter().enumerate() {
                incoming[arc.target].push(at as u32);
            }
            incoming
        });
        incoming[node].iter().map(|arc| i64::from(*arc))
    }

    /// The nodes reachable from a node in breadth-first order, starting with the node itself, until `to` is
    /// found; and the arc by which each was reached.
    fn search(&self, from: usize, to: Option<usize>) -> (Vec<usize>, Vec<Option<usize>>) {
        let mut reached_by = vec![None; self.nodes.len()];
        let (mut found, mut at) = (vec![from], 0);
        while let Some(&node) = found.get(at).filter(|node| Some(**node) != to) {
            at += 1;
            for arc in self.out(node) {
                let target = self.arcs[arc].target;
                if target != from && reached_by[target].is_none() {
                    reached_by[target] = Some(arc);
                    found.push(target);
                }
            }
        }
        (found, reached_by)
    }

    /// The arcs of a shortest path.
    pub(super) fn path(&self, from: usize, to: usize) -> Option<Vec<i64>> {
        let (_, reached_by) = self.search(from, Some(to));
        let (mut path, mut at) = (Vec::new(), to);
        while at != from {
            let arc = reached_by[at]?;
            path.push(arc as i64);
            at = self.arcs[arc].source;
        }
        path.reverse();
        Some(path)
    }

    /// The nodes reachable from a node, starting with the node itself.
    pub(super) fn reachable(&self, from: usize) -> Vec<i64> {
        self.search(from, None).0.into_iter().map(|node| node as i64).collect()
    }

    /// The strongly connected components.
    pub(super) fn components(&self) -> &Parts {
        self.components.get_or_init(|| Parts::of(&self.graph, |_| true))
    }

    /// The components of the graph with some of the arcs.
    pub(super) fn components_by(&self, counts: impl Fn(usize) -> bool) -> Parts {
        Parts::of(&self.graph, counts)
    }

    /// The fairness of a set of arcs. `None` if one of the numbers is not an arc.
    pub(super) fn fairness(&self, numbers: &[i64]) -> Option<Fairness> {
        let mut of_set = vec![false; self.arcs.len()];
        for number in numbers {
            of_set[index(*number, self.arcs.len())?] = true;
        }
        Some(fairness(&self.graph, |arc| of_set[*arc as usize]).0)
    }
}

/// Strongly connected components, ordered by their least nodes.
pub(super) struct Parts {
    /// The component of each node.
    pub(super) of: Vec<usize>,
    /// The nodes of each component, in order.
    pub(super) members: Vec<Vec<usize>>,
}

impl Parts {
    fn of(graph: &Graph<u32>, counts: impl Fn(usize) -> bool) -> Self {
        let found = strong_components_where(graph, |_, arc, _| counts(*arc as usize));
        let mut numbers = vec![None; found.len()];
        let (mut of, mut members) = (Vec::new(), Vec::<Vec<usize>>::new());
        for node in graph.nodes() {
            let number = *numbers[found.of(node) as usize].get_or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            of.push(number);
            members[number].push(node as usize);
        }
        Parts { of, members }
    }
}

fn index(number: i64, length: usize) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1).filter(|at| *at < length)
}

impl Observer<Elements<'_>> for Collect {
    fn node(&mut self, visit: &Visit<'_, Elements<'_>>, _worker: &mut Worker) -> Flow {
        assert_eq!(visit.id.number, self.space.nodes.len() as u64, "nodes come in order");
        self.space.nodes.push(visit.bytes.into());
        self.used += visit.bytes.len() as u64 + 32;
        if self.limit.is_some_and(|limit| self.used > limit) {
            return Err(StopReason::Memory);
        }
        Ok(())
    }

    fn link(&mut self, source: StateId, action: &Element, target: StateId, _new: bool) -> Flow {
        let (source, target) = (source.number as usize, target.number as usize);
        self.space.graph.push(source as u32, self.space.arcs.len() as u32, target as u32);
        self.used += (action.bytes.len() + size_of::<Arc>()) as u64;
        let (transition, element) = (action.occurrence.transition, action.bytes.clone());
        self.space.arcs.push(Arc { source, target, transition, element });
        Ok(())
    }

    fn watches_links(&self) -> bool {
        true
    }
}
