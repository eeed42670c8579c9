//! Paths that show why a state satisfies a formula, or why it does not.
//!
//! A path operator that is true needs one path: to the goal of an until; to the release, to a dead state or into a cycle
//! for a release; to a successor for a next. [`Walk`] follows the states that were found to satisfy the operator, then
//! goes on with the formula of the goal. It ends where the rest of the formula is about all runs, which no path shows.
//!
//! A walk takes one layer after the other, in the order of progress, and four bytes for each state of that layer.

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use super::layer::Layer;
use super::normal::{Node, Normal, Part};
use crate::observe::StateId;

/// A path, by the edges it takes. It is [checked](super::follow) on the model before it is a witness.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The bytes of the initial state.
    pub(crate) start: Vec<u8>,
    pub(crate) steps: Vec<Taken>,
    /// As in [`Witness`](crate::Witness): the number of the state from which the path repeats itself.
    pub(crate) back: Option<usize>,
    /// For each state, the values of atoms that were found there, by their numbers.
    pub(crate) atoms: Vec<Vec<(u32, bool)>>,
    pub(crate) rest: Rest,
}

/// An edge of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    /// Both of its states are in one layer.
    pub(crate) is_inside: bool,
    /// Its number among the edges of its source that stay in the layer, or among those that leave it.
    pub(crate) nth: u32,
}

/// The part of the formula that a path does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    Nothing,
    /// Other temporal operators that must hold in its states.
    Others,
    /// What must hold in the last state is about all runs from there.
    AllRuns,
}

/// A layer whose states are known to satisfy parts of a formula, or not.
pub(super) trait Solved {
    /// Whether a state satisfies a part; `None` if that is not known.
    fn at(&self, part: Part, state: u32) -> Option<bool>;

    /// Whether an edge out of the layer, by its number, leads to a state with the value that `part` needs of a
    /// [successor](Node::of_successors).
    fn leads(&self, part: Part, edge: usize) -> bool;
}

/// What is known of a layer, to be written to a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Values {
    /// For each part the states that satisfy it.
    pub(super) sets: Vec<Option<FixedBitSet>>,
    /// For each part the edges that [lead](Solved::leads) to such a state.
    pub(super) leads: Vec<Option<FixedBitSet>>,
}

impl Solved for Values {
    fn at(&self, part: Part, state: u32) -> Option<bool> {
        self.sets[part as usize].as_ref().map(|set| set.contains(state as usize))
    }

    fn leads(&self, part: Part, edge: usize) -> bool {
        self.leads[part as usize].as_ref().is_some_and(|edges| edges.contains(edge))
    }
}

/// Some verdicts of this kind can be shown by a path.
pub(super) fn may_show(normal: &Normal, part: Part, value: bool) -> bool {
    match (normal.nodes[part as usize], value) {
        (Node::True | Node::Atom(_), _) => true,
        (Node::Not(f), _) => may_show(normal, f, !value),
        (Node::And(f, g), _) => may_show(normal, f, value) || may_show(normal, g, value),
        (Node::Next(_) | Node::Until(..) | Node::Release(..), value) => value,
    }
}

/// What can be shown of a formula in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Show {
    /// It is true or false by the state alone.
    State,
    /// This part is true, by a path, and whether it is all that there is to show.
    Path(Part, bool),
    AllRuns,
}

/// A path that is being made.
pub(super) struct Walk<'n> {
    normal: &'n Normal,
    /// The atoms of the formula.
    atoms: Vec<u32>,
    pub(super) path: Path,
    /// Where it is.
    pub(super) at: StateId,
    /// The part to show there, and its value.
    claim: (Part, bool),
}

/// Where a part of a walk ends.
enum End {
    Goal,
    /// By an edge out of the layer.
    Leave(usize),
    Dead,
}

impl<'n> Walk<'n> {
    /// Starts at an initial state, by its name and its bytes, where `root` has this value.
    pub(super) fn new(
        normal: &'n Normal,
        (at, bytes): &(StateId, Vec<u8>),
        root: Part,
        value: bool,
    ) -> Self {
        let (steps, atoms) = (Vec::new(), Vec::new());
        let path = Path { start: bytes.clone(), steps, back: None, atoms, rest: Rest::Nothing };
        let atoms = normal.atoms_below(std::iter::once(root));
        Walk { normal, atoms, path, at: *at, claim: (root, value) }
    }

    /// Goes on through the layer of the state that was reached, of which the first states are `expanded`. Whether the
    /// path leaves the layer, so that it must go on in another one.
    pub(super) fn through(&mut self, layer: &Layer, expanded: usize, solved: &impl Solved) -> bool {
        let here = Here { layer, expanded, solved };
        loop {
            if self.path.atoms.len() == self.path.steps.len() {
                self.note(&here);
            }
            let (part, value) = self.claim;
            let part = match self.show(&here, part, value) {
                Show::Path(part, is_all) => {
                    if !(is_all && self.needs_no_more(part)) {
                        self.path.rest = Rest::Others;
                    }
                    part
                }
                Show::State => return false,
                Show::AllRuns => {
                    self.path.rest = Rest::AllRuns;
                    return false;
                }
            };
            let from = self.at.number as u32;
            let (goal, found) = match self.normal.nodes[part as usize] {
                Node::Next(f) => (f, here.successor(part, f, from)),
                Node::Until(_, g) => (g, here.search(part, from, |state| here.is(g, state), false)),
                Node::Release(f, _) => {
                    (f, here.search(part, from, |state| here.is(f, state), true))
                }
                _ => unreachable!("only a temporal operator is shown by a path"),
            };
            match found {
                Some((edges, end)) => {
                    self.take(&here, &edges);
                    match end {
                        End::Goal => self.claim = (goal, true),
                        End::Leave(edge) => {
                            let next = matches!(self.normal.nodes[part as usize], Node::Next(_));
                            self.claim = (if next { goal } else { part }, true);
                            self.leave(&here, edge);
                            return true;
                        }
                        End::Dead => {
                            self.path.back = Some(self.path.steps.len());
                            return false;
                        }
                    }
                }
                None => {
                    self.circle(&here, part);
                    return false;
                }
            }
        }
    }

    /// Chooses what to show: of a conjunction that is true a part with a path, of one that is false a part that is.
    fn show<S: Solved>(&self, here: &Here<'_, S>, part: Part, value: bool) -> Show {
        match (self.normal.nodes[part as usize], value) {
            (Node::True | Node::Atom(_), _) => Show::State,
            (Node::Not(f), _) => self.show(here, f, !value),
            (Node::And(f, g), true) => match (self.show(here, f, true), self.show(here, g, true)) {
                (Show::State, other) | (other, Show::State) => other,
                (Show::AllRuns, Show::AllRuns) => Show::AllRuns,
                (Show::Path(part, _), _) | (_, Show::Path(part, _)) => Show::Path(part, false),
            },
            (Node::And(f, g), false) => {
                let state = self.at.number as u32;
                let is_false = |part: &Part| here.solved.at(*part, state) == Some(false);
                let shows =
                    [f, g].into_iter().filter(is_false).map(|part| self.show(here, part, false));
                let easiest = shows.min_by_key(|show| match show {
                    Show::State => 0,
                    Show::Path(..) => 1,
                    Show::AllRuns => 2,
                });
                easiest.unwrap_or(Show::AllRuns)
            }
            (Node::Next(_) | Node::Until(..) | Node::Release(..), true) => Show::Path(part, true),
            (Node::Next(_) | Node::Until(..) | Node::Release(..), false) => Show::AllRuns,
        }
    }

    /// The operand that holds along the path has no temporal operator.
    fn needs_no_more(&self, part: Part) -> bool {
        let along = match self.normal.nodes[part as usize] {
            Node::Until(f, _) => f,
            Node::Release(_, g) => g,
            _ => return true,
        };
        let below = self.normal.below(std::iter::once(along));
        let parts = self.normal.nodes.iter().enumerate().zip(below).filter(|(_, below)| *below);
        parts.map(|((number, node), _)| node.of_successors(number as Part)).all(|of| of.is_none())
    }

    /// Notes the values of the atoms in the state that was reached, as far as they are known.
    fn note<S: Solved>(&mut self, here: &Here<'_, S>) {
        let state = self.at.number as usize;
        let known = self.atoms.iter().filter(|_| state < here.expanded);
        let value = |atom: &u32| (*atom, here.layer.atoms[*atom as usize].contains(state));
        self.path.atoms.push(known.map(value).collect());
    }

    /// Takes edges inside the layer.
    fn take<S: Solved>(&mut self, here: &Here<'_, S>, edges: &[u32]) {
        for &nth in edges {
            let target = here.targets(self.at.number as u32)[nth as usize];
            self.path.steps.push(Taken { is_inside: true, nth });
            self.at.number = target.into();
            self.note(here);
        }
    }

    fn leave<S: Solved>(&mut self, here: &Here<'_, S>, edge: usize) {
        let first = here.edges_out(self.at.number as u32).start;
        self.path.steps.push(Taken { is_inside: false, nth: (edge - first) as u32 });
        let target = here.layer.outside[edge];
        self.at = StateId { layer: target.layer, number: target.number.into() };
    }

    /// Follows successors that satisfy a release until a state comes again. Every such state in the layer has one:
    /// otherwise the search would have found an end.
    fn circle<S: Solved>(&mut self, here: &Here<'_, S>, part: Part) {
        let mut seen = std::collections::HashMap::new();
        loop {
            let state = self.at.number as u32;
            if let Some(back) = seen.insert(state, self.path.steps.len()) {
                self.path.back = Some(back);
                return;
            }
            let next = here.targets(state).iter().position(|&target| here.is(part, target));
            let Some(nth) = next else { return };
            self.take(here, &[nth as u32]);
        }
    }
}

/// The layer that a walk goes through.
struct Here<'h, S> {
    layer: &'h Layer,
    expanded: usize,
    solved: &'h S,
}

impl<S: Solved> Here<'_, S> {
    fn is(&self, part: Part, state: u32) -> bool {
        self.solved.at(part, state) == Some(true)
    }

    fn targets(&self, state: u32) -> &[u32] {
        match (state as usize) < self.expanded {
            true => self.layer.graph.targets(state),
            false => &[],
        }
    }

    /// The numbers of the edges of a state that leave the layer.
    fn edges_out(&self, state: u32) -> std::ops::Range<usize> {
        let edges = &self.layer.outside;
        let first = edges.partition_point(|edge| edge.source < state);
        first..first + edges[first..].partition_point(|edge| edge.source == state)
    }

    fn edge_out(&self, part: Part, state: u32) -> Option<usize> {
        self.edges_out(state).find(|&edge| self.solved.leads(part, edge))
    }

    fn is_dead(&self, state: u32) -> bool {
        (state as usize) < self.expanded
            && self.targets(state).is_empty()
            && self.edges_out(state).is_empty()
    }

    /// An edge to a state that satisfies `f`, the operand of the next `part`.
    fn successor(&self, part: Part, f: Part, from: u32) -> Option<(Vec<u32>, End)> {
        let inside = self.targets(from).iter().position(|&target| self.is(f, target));
        let inside = inside.map(|nth| (vec![nth as u32], End::Goal));
        inside.or_else(|| Some((Vec::new(), End::Leave(self.edge_out(part, from)?))))
    }

    /// The shortest path inside the layer over states that satisfy `part` to a goal, to an edge out of the layer that
    /// leads on, or, where `may_end`, to a dead state.
    fn search(
        &self,
        part: Part,
        from: u32,
        is_goal: impl Fn(u32) -> bool,
        may_end: bool,
    ) -> Option<(Vec<u32>, End)> {
        const NONE: u32 = u32::MAX;
        let mut parents = vec![NONE; self.layer.states];
        parents[from as usize] = from;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            let end = match self.edge_out(part, state) {
                _ if is_goal(state) => Some(End::Goal),
                Some(edge) => Some(End::Leave(edge)),
                None => (may_end && self.is_dead(state)).then_some(End::Dead),
            };
            if let Some(end) = end {
                return Some((self.back_from(&parents, state), end));
            }
            for &target in self.targets(state) {
                if parents[target as usize] == NONE && self.is(part, target) {
                    parents[target as usize] = state;
                    queue.push_back(target);
                }
            }
        }
        None
    }

    /// The edges to `state`, each by its number among those of its source.
    fn back_from(&self, parents: &[u32], mut state: u32) -> Vec<u32> {
        let mut edges = Vec::new();
        while parents[state as usize] != state {
            let parent = parents[state as usize];
            let nth = self.targets(parent).iter().position(|&target| target == state);
            edges.push(nth.unwrap_or_default() as u32);
            state = parent;
        }
        edges.reverse();
        edges
    }
}
