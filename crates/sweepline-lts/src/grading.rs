//! Progress of a component, computed from its graph.
//!
//! Each state has two numbers. Its *rank* is the distance of its strongly connected component from the start:
//! no step decreases it, and no other monotone measure distinguishes more states. Its *depth* is its distance
//! along a spanning tree within the strongly connected component; steps that close a cycle decrease it.

use std::collections::HashSet;

use sweepline::observe::{Components, Graph, strong_components};

use crate::lts::{Lts, StateNo};

/// Rank and depth of each state of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grading {
    rank: Vec<u32>,
    depth: Vec<u32>,
    reached: Vec<bool>,
}

impl Grading {
    /// The grading of the reachable states; all others have rank and depth 0.
    pub fn of(lts: &Lts) -> Self {
        let parts = components(lts);
        let mut depth = depths(lts, &parts);
        let reached: Vec<bool> = depth.iter().map(|&depth| depth != NONE).collect();
        depth.iter_mut().filter(|depth| **depth == NONE).for_each(|depth| *depth = 0);
        Grading { rank: ranks(lts, &parts, &reached), depth, reached }
    }

    /// Whether the state is reachable in the component.
    pub fn is_reached(&self, state: StateNo) -> bool {
        self.reached[state.index()]
    }

    /// The distance of the state's strongly connected component from the start: the number of such components
    /// on the longest path.
    pub fn rank(&self, state: StateNo) -> u32 {
        self.rank[state.index()]
    }

    /// The distance of the state from the entry of its strongly connected component.
    pub fn depth(&self, state: StateNo) -> u32 {
        self.depth[state.index()]
    }

    /// Whether no two reachable states have the same rank and the same depth.
    pub fn tells_apart(&self) -> bool {
        let mut seen = HashSet::new();
        let reached = (0..self.rank.len()).filter(|&state| self.reached[state]);
        reached.into_iter().all(|state| seen.insert((self.rank[state], self.depth[state])))
    }

    /// The greatest rank.
    pub fn most_ranks(&self) -> u32 {
        self.rank.iter().copied().max().unwrap_or(0)
    }

    /// The greatest depth.
    pub fn most_depths(&self) -> u32 {
        self.depth.iter().copied().max().unwrap_or(0)
    }
}

/// Not reached.
const NONE: u32 = u32::MAX;

/// The strongly connected component of each state; sources have greater numbers than targets.
fn components(lts: &Lts) -> Components {
    let mut graph = Graph::default();
    for state in lts.states() {
        lts.edges(state).iter().for_each(|edge| graph.push(state.0, (), edge.target.0));
    }
    graph.grow(lts.n_states());
    strong_components(&graph)
}

/// The longest path to each strongly connected component, counted in such components.
fn ranks(lts: &Lts, parts: &Components, reached: &[bool]) -> Vec<u32> {
    let mut order: Vec<StateNo> = lts.states().filter(|s| reached[s.index()]).collect();
    // Targets have smaller numbers, so this puts sources first.
    order.sort_by_key(|state| std::cmp::Reverse(parts.of(state.0)));
    let mut rank = vec![0; parts.len()];
    for state in &order {
        let own = parts.of(state.0);
        for edge in lts.edges(*state) {
            let target = parts.of(edge.target.0);
            if target != own {
                rank[target as usize] = rank[target as usize].max(rank[own as usize] + 1);
            }
        }
    }
    let of =
        |state: StateNo| if reached[state.index()] { rank[parts.of(state.0) as usize] } else { 0 };
    lts.states().map(of).collect()
}

/// The depth of each state in a breadth-first spanning tree of its strongly connected component; [`NONE`] for
/// unreachable states.
fn depths(lts: &Lts, parts: &Components) -> Vec<u32> {
    let mut depth = vec![NONE; lts.n_states()];
    depth[lts.initial().index()] = 0;
    let mut wave = vec![lts.initial()];
    let mut entered = Vec::new();
    while !wave.is_empty() {
        let mut next = Vec::new();
        while !wave.is_empty() {
            for state in std::mem::take(&mut wave) {
                for edge in lts.edges(state) {
                    let target = edge.target.index();
                    if parts.of(edge.target.0) != parts.of(state.0) {
                        entered.push(edge.target);
                    } else if depth[target] == NONE {
                        depth[target] = depth[state.index()] + 1;
                        next.push(edge.target);
                    }
                }
            }
            std::mem::swap(&mut wave, &mut next);
        }
        for state in entered.drain(..) {
            if depth[state.index()] == NONE {
                depth[state.index()] = 0;
                wave.push(state);
            }
        }
    }
    depth
}
