//! The stored state space that the functions of CPN Tools ask.

use std::collections::VecDeque;
use std::sync::OnceLock;

use sweepline::observe::{Flow, Visit};
use sweepline::progress::Trivial;
use sweepline::{Observer, Options, StateId, StopReason, explore};

use super::tarjan::{Components, components};
use crate::explore::Worker;
use crate::explore::element::{Element, Elements};

/// All nodes and arcs, in the order they are found breadth first.
pub(super) struct Space {
    /// The bytes of the markings.
    pub(super) nodes: Vec<Box<[u8]>>,
    pub(super) arcs: Vec<Arc>,
    /// Where the arcs from each node begin, and the end of all.
    first_out: Vec<usize>,
    incoming: OnceLock<Vec<Vec<u32>>>,
    components: OnceLock<Components>,
}

/// An arc.
pub(super) struct Arc {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) transition: u32,
    /// The binding element.
    pub(super) element: Box<[u8]>,
}

/// Collects them while the net is explored.
struct Collect {
    space: Space,
    used: u64,
    limit: Option<u64>,
}

impl Space {
    /// Explores the whole state space.
    pub(super) fn explore(model: &Elements<'_>, options: &Options) -> Result<Self, StopReason> {
        let space = Space {
            nodes: Vec::new(),
            arcs: Vec::new(),
            first_out: Vec::new(),
            incoming: OnceLock::new(),
            components: OnceLock::new(),
        };
        let mut collect = Collect { space, used: 0, limit: options.limits.memory };
        let exploration = explore(model, &Trivial, options, &mut collect);
        if let Some(reason) = exploration.stop {
            return Err(reason);
        }
        let mut space = collect.space;
        space.first_out.resize(space.nodes.len() + 1, space.arcs.len());
        Ok(space)
    }

    /// The node that scripts call by this number.
    pub(super) fn node(&self, number: i64) -> Option<usize> {
        index(number, self.nodes.len())
    }

    /// The arc that scripts call by this number.
    pub(super) fn arc(&self, number: i64) -> Option<&Arc> {
        self.arc_index(number).map(|at| &self.arcs[at])
    }

    /// Its own number.
    pub(super) fn arc_index(&self, number: i64) -> Option<usize> {
        index(number, self.arcs.len())
    }

    fn out(&self, node: usize) -> std::ops::Range<usize> {
        self.first_out[node]..self.first_out[node + 1]
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

    /// The arcs of a shortest path.
    pub(super) fn path(&self, from: usize, to: usize) -> Option<Vec<i64>> {
        const NEW: usize = usize::MAX;
        let mut reached_by = vec![NEW; self.nodes.len()];
        let mut waiting = VecDeque::from([from]);
        while let Some(node) = waiting.pop_front() {
            if node == to {
                let mut path = Vec::new();
                let mut at = to;
                while at != from {
                    path.push(reached_by[at] as i64);
                    at = self.arcs[reached_by[at]].source;
                }
                path.reverse();
                return Some(path);
            }
            for arc in self.out(node) {
                let target = self.arcs[arc].target;
                if target != from && reached_by[target] == NEW {
                    reached_by[target] = arc;
                    waiting.push_back(target);
                }
            }
        }
        None
    }

    /// The nodes that a node can reach, itself first.
    pub(super) fn reachable(&self, from: usize) -> Vec<i64> {
        let mut seen = vec![false; self.nodes.len()];
        seen[from] = true;
        let (mut found, mut at) = (vec![from], 0);
        while let Some(&node) = found.get(at) {
            at += 1;
            for arc in self.out(node) {
                let target = self.arcs[arc].target;
                if !std::mem::replace(&mut seen[target], true) {
                    found.push(target);
                }
            }
        }
        found.into_iter().map(|node| node as i64).collect()
    }

    /// The strongly connected components.
    pub(super) fn components(&self) -> &Components {
        self.components.get_or_init(|| self.components_without(&vec![false; self.arcs.len()]))
    }

    fn components_without(&self, left_out: &[bool]) -> Components {
        components(self.nodes.len(), |node| {
            self.out(node).filter(|arc| !left_out[*arc]).map(|arc| self.arcs[arc].target)
        })
    }

    /// How fair a set of arcs is: 0 impartial, 1 fair, 2 just, 3 neither. `None` when there is no such
    /// arc.
    ///
    /// Without the arcs of the set, an infinite run stays in some component that is not trivial. There
    /// is none: every infinite run has arcs of the set infinitely often. From none of them such an
    /// arc leaves: none that could have one infinitely often goes without. In none such arcs leave all
    /// nodes of a cycle: none that could have one from some point on goes without.
    pub(super) fn fairness(&self, numbers: &[i64]) -> Option<usize> {
        let mut of_set = vec![false; self.arcs.len()];
        for number in numbers {
            of_set[index(*number, self.arcs.len())?] = true;
        }
        let has_one: Vec<bool> =
            (0..self.nodes.len()).map(|node| self.out(node).any(|arc| of_set[arc])).collect();
        let rest = self.components_without(&of_set);
        let lasting: Vec<&Vec<usize>> = rest
            .members
            .iter()
            .filter(|members| {
                let inner = |node: usize| {
                    let arcs = self.out(node).filter(|arc| !of_set[*arc]);
                    arcs.map(|arc| rest.of[self.arcs[arc].target]).any(|c| c == rest.of[node])
                };
                members.len() > 1 || inner(members[0])
            })
            .collect();
        if lasting.is_empty() {
            return Some(0);
        }
        if !lasting.iter().any(|members| members.iter().any(|node| has_one[*node])) {
            return Some(1);
        }
        // Cycles all of whose nodes have one: those of the graph of such nodes alone.
        let always = components(self.nodes.len(), |node| {
            let arcs = if has_one[node] { self.out(node) } else { 0..0 };
            let arcs = arcs.filter(|arc| !of_set[*arc]);
            arcs.map(|arc| self.arcs[arc].target).filter(|target| has_one[*target])
        });
        let has_cycle = self.arcs.iter().enumerate().any(|(at, arc)| {
            !of_set[at]
                && has_one[arc.source]
                && has_one[arc.target]
                && always.of[arc.source] == always.of[arc.target]
        });
        Some(if has_cycle { 3 } else { 2 })
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
        // Sources come in order; those left out have no arcs.
        self.space.first_out.resize(source + 1, self.space.arcs.len());
        self.used += (action.bytes.len() + size_of::<Arc>()) as u64;
        let (transition, element) = (action.occurrence.transition, action.bytes.clone());
        self.space.arcs.push(Arc { source, target, transition, element });
        Ok(())
    }

    fn watches_links(&self) -> bool {
        true
    }
}
