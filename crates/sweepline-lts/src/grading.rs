//! The progress of a component, read off its graph.
//!
//! Two numbers belong to each state. Its *rank* says how far its strongly connected component is from
//! the start: no step lowers it, and no other measure that no step lowers tells more states apart. Its
//! *depth* is its distance along a spanning tree within the strongly connected component; steps that
//! close a cycle lower it.

use std::collections::HashSet;

use crate::lts::{Lts, StateNo};

/// Rank and depth of each state of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grading {
    rank: Vec<u32>,
    depth: Vec<u32>,
    reached: Vec<bool>,
}

impl Grading {
    /// Grades the states that can be reached; all others have rank and depth 0.
    pub fn of(lts: &Lts) -> Self {
        let parts = strong_components(lts);
        let rank = ranks(lts, &parts);
        let depth = depths(lts, &parts);
        Grading { rank, depth, reached: parts.iter().map(|&part| part != NONE).collect() }
    }

    /// The component can come there.
    pub fn is_reached(&self, state: StateNo) -> bool {
        self.reached[state.index()]
    }

    /// How far the state's strongly connected component is from the start: the steps between such
    /// components on the longest way.
    pub fn rank(&self, state: StateNo) -> u32 {
        self.rank[state.index()]
    }

    /// How far the state is from where its strongly connected component is entered.
    pub fn depth(&self, state: StateNo) -> u32 {
        self.depth[state.index()]
    }

    /// No two states that can be reached have the same rank and the same depth.
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

/// The number of a strongly connected component; sources have greater numbers than targets.
type PartNo = u32;
const NONE: u32 = u32::MAX;

/// The strongly connected component of each state that can be reached (Tarjan, without recursion).
fn strong_components(lts: &Lts) -> Vec<PartNo> {
    let n = lts.n_states();
    let (mut part, mut low, mut number) = (vec![NONE; n], vec![NONE; n], vec![NONE; n]);
    let (mut open, mut path) = (Vec::new(), vec![(lts.initial(), 0)]);
    let (mut next, mut parts) = (0, 0);
    while let Some((state, edge)) = path.last_mut() {
        let at = state.index();
        if *edge == 0 && number[at] == NONE {
            (number[at], low[at]) = (next, next);
            next += 1;
            open.push(*state);
        }
        if let Some(step) = lts.edges(*state).get(*edge) {
            *edge += 1;
            let target = step.target.index();
            if number[target] == NONE {
                path.push((step.target, 0));
            } else if part[target] == NONE {
                low[at] = low[at].min(number[target]);
            }
            continue;
        }
        if low[at] == number[at] {
            while let Some(member) = open.pop() {
                part[member.index()] = parts;
                if member.index() == at {
                    break;
                }
            }
            parts += 1;
        }
        path.pop();
        if let Some((above, _)) = path.last() {
            low[above.index()] = low[above.index()].min(low[at]);
        }
    }
    part
}

/// The longest way to each strongly connected component, counted in such components.
fn ranks(lts: &Lts, part: &[PartNo]) -> Vec<u32> {
    let mut order: Vec<StateNo> = lts.states().filter(|s| part[s.index()] != NONE).collect();
    // Targets have smaller numbers: sources come first.
    order.sort_by_key(|state| std::cmp::Reverse(part[state.index()]));
    let mut rank = vec![0; order.first().map_or(0, |first| part[first.index()] as usize + 1)];
    for state in &order {
        let own = part[state.index()];
        for edge in lts.edges(*state) {
            let target = part[edge.target.index()];
            if target != own {
                rank[target as usize] = rank[target as usize].max(rank[own as usize] + 1);
            }
        }
    }
    part.iter().map(|&part| if part == NONE { 0 } else { rank[part as usize] }).collect()
}

/// The depth of each state in a spanning tree of its strongly connected component, breadth first from
/// where it is entered.
fn depths(lts: &Lts, part: &[PartNo]) -> Vec<u32> {
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
                    if part[target] != part[state.index()] {
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
    depth.into_iter().map(|depth| if depth == NONE { 0 } else { depth }).collect()
}
