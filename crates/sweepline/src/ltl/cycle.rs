//! Cycles of a graph that meet acceptance sets and strong fairness.

use std::collections::VecDeque;

use super::product::Acceptance;
use crate::observe::{Components, Graph, strong_components_where};

/// A cycle: from its first node, the numbers of the edges to follow in their rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cycle {
    pub(crate) start: u32,
    pub(crate) edges: Vec<usize>,
}

/// The region of nodes on no accepting cycle.
const GONE: u32 = u32::MAX;

/// Parts of a graph in which an accepting cycle may lie.
pub(crate) struct Regions {
    /// The region of each node.
    of: Vec<u32>,
    /// For each region, the marks that its cycles must avoid.
    avoid: Vec<u32>,
}

/// The result of a search in regions of a graph.
pub(crate) enum Narrowed {
    /// An accepting cycle goes through this node, in its component; the edges there meet these marks.
    Accepted { node: u32, met: u32, components: Components },
    /// The regions left to search.
    Further(Regions),
    /// There is no accepting cycle.
    Nothing,
}

impl Regions {
    /// The whole graph as one region.
    pub(crate) fn whole(nodes: usize) -> Self {
        Regions { of: vec![0; nodes], avoid: vec![0] }
    }

    /// The marks that cycles through `node` must avoid; `None` if no accepting cycle goes through it.
    pub(crate) fn avoided(&self, node: u32) -> Option<u32> {
        let region = self.of[node as usize];
        (region != GONE).then(|| self.avoid[region as usize])
    }

    fn counts(&self, source: u32, marks: u32, target: u32) -> bool {
        let region = self.of[source as usize];
        region != GONE
            // A target without a row has no edges.
            && self.of.get(target as usize) == Some(&region)
            && marks & self.avoid[region as usize] == 0
    }

    /// Searches for the least node on an accepting cycle.
    ///
    /// A component that does not meet a set is dropped. One that meets the first set of a pair and not the second is split:
    /// without the edges of the first set, its components are searched again.
    pub(crate) fn narrow(&self, graph: &Graph<u32>, acceptance: &Acceptance) -> Narrowed {
        let counts = |source, marks: &u32, target| self.counts(source, *marks, target);
        let components = strong_components_where(graph, counts);
        let marks = marks_within(graph, &components, self);
        let mut avoid: Vec<Option<u32>> = vec![None; components.len()];
        for node in graph.nodes() {
            let component = components.of(node) as usize;
            let Some(met) = marks[component].filter(|met| met & acceptance.all == acceptance.all)
            else {
                continue;
            };
            let missed = acceptance.missed(met);
            if missed == 0 {
                return Narrowed::Accepted { node, met, components };
            }
            avoid[component] = Some(missed | self.avoid[self.of[node as usize] as usize]);
        }
        if avoid.iter().all(Option::is_none) {
            return Narrowed::Nothing;
        }
        let of = |node: u32| match avoid[components.of(node) as usize] {
            Some(_) => components.of(node),
            None => GONE,
        };
        let of = graph.nodes().map(of).collect();
        let avoid = avoid.iter().map(|marks| marks.unwrap_or(0)).collect();
        Narrowed::Further(Regions { of, avoid })
    }
}

/// An accepting cycle from the least node that lies on one, if there is any.
pub(crate) fn accepting_cycle(graph: &Graph<u32>, acceptance: &Acceptance) -> Option<Cycle> {
    let mut regions = Regions::whole(graph.len());
    loop {
        match regions.narrow(graph, acceptance) {
            Narrowed::Accepted { node, met, components } => {
                let own = |other: u32| components.of(other) == components.of(node);
                let counts = |s: u32, m: u32, t: u32| regions.counts(s, m, t) && own(t);
                return Some(through(graph, node, acceptance.wanted(met), counts));
            }
            Narrowed::Further(further) => regions = further,
            Narrowed::Nothing => return None,
        }
    }
}

impl Acceptance {
    /// The number of sets: marks are less than two to the power of this.
    pub(crate) fn sets(&self) -> u32 {
        let pairs = self.pairs.iter().fold(0, |marks, (first, second)| marks | first | second);
        32 - (self.all | pairs).leading_zeros()
    }

    /// The first sets of the pairs whose first set is met and whose second is not.
    pub(crate) fn missed(&self, met: u32) -> u32 {
        let broken = |(first, second): &&(u32, u32)| met & first != 0 && met & second == 0;
        self.pairs.iter().filter(broken).fold(0, |missed, (first, _)| missed | first)
    }

    /// The sets that a cycle must meet in a component whose edges meet `met`.
    pub(crate) fn wanted(&self, met: u32) -> u32 {
        let seconds = self.pairs.iter().filter(|(first, _)| met & first != 0);
        seconds.fold(self.all, |wanted, (_, second)| wanted | second)
    }
}

/// For each component the marks of its edges; `None` if it has no cycle.
fn marks_within(
    graph: &Graph<u32>,
    components: &Components,
    regions: &Regions,
) -> Vec<Option<u32>> {
    let mut marks = vec![None; components.len()];
    for node in graph.nodes() {
        let own = components.of(node);
        for (&met, target) in graph.edges(node) {
            if regions.counts(node, met, target) && components.of(target) == own {
                *marks[own as usize].get_or_insert(0) |= met;
            }
        }
    }
    marks
}

/// A cycle from `start` that meets all of `wanted`, over edges that count. These must be strongly connected.
fn through(
    graph: &Graph<u32>,
    start: u32,
    mut wanted: u32,
    counts: impl Fn(u32, u32, u32) -> bool,
) -> Cycle {
    let (mut at, mut edges) = (start, Vec::new());
    // Where each node was reached from in the current search, and by which edge.
    let mut from: Vec<(u32, u32)> = vec![(GONE, 0); graph.len()];
    loop {
        let missing = wanted;
        let is_goal = |marks: u32, target: u32| match missing {
            0 => target == start,
            missing => marks & missing != 0,
        };
        if missing == 0 && at == start && !edges.is_empty() {
            return Cycle { start, edges };
        }
        let Some(way) = way(graph, at, &mut from, &counts, is_goal) else {
            unreachable!("the component is strongly connected and meets what is wanted")
        };
        for edge in way {
            let (marks, target) = graph.edges(at).nth(edge).expect("an edge of the row");
            wanted &= !marks;
            edges.push(edge);
            at = target;
        }
    }
}

/// The shortest path from `start` whose last edge is a goal.
fn way(
    graph: &Graph<u32>,
    start: u32,
    from: &mut [(u32, u32)],
    counts: &impl Fn(u32, u32, u32) -> bool,
    is_goal: impl Fn(u32, u32) -> bool,
) -> Option<Vec<usize>> {
    from.fill((GONE, 0));
    from[start as usize] = (start, 0);
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for (number, (&marks, target)) in graph.edges(node).enumerate() {
            if !counts(node, marks, target) {
                continue;
            }
            if is_goal(marks, target) {
                let mut way = vec![number];
                let mut at = node;
                while at != start {
                    let (before, edge) = from[at as usize];
                    way.push(edge as usize);
                    at = before;
                }
                way.reverse();
                return Some(way);
            }
            if from[target as usize].0 == GONE {
                from[target as usize] = (node, number as u32);
                queue.push_back(target);
            }
        }
    }
    None
}
