//! The fixpoints: which states of a layer satisfy which parts of formulas.
//!
//! Under a monotone measure, the value of a formula in a state depends on its layer and on layers of greater progress. So
//! layers are solved from last to first. Each part takes time linear in the edges of the layer.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Instant;

use fixedbitset::FixedBitSet;

use super::layer::{Layer, set_bytes};
use super::normal::{Node, Normal, Part};
use super::path::Solved;
use crate::lists::Lists;

/// The values of parts in the layers that were solved, as far as edges lead there.
#[derive(Default)]
pub(super) struct Known {
    layers: HashMap<u64, Vec<Option<FixedBitSet>>>,
    /// For each layer, the layers whose values no layer before it needs.
    needed_by: HashMap<u64, Vec<u64>>,
    bytes: usize,
}

fn bytes_of(values: &[Option<FixedBitSet>]) -> usize {
    size_of_val(values) + values.iter().flatten().map(set_bytes).sum::<usize>()
}

impl Known {
    #[inline]
    fn has(&self, layer: u64, part: Part, number: u32) -> bool {
        let values = self.layers.get(&layer).and_then(|values| values[part as usize].as_ref());
        values.is_some_and(|values| values.contains(number as usize))
    }

    /// Keeps the values of `layer`, and drops those that only layers up to it needed.
    pub(super) fn keep(&mut self, layer: &Layer, values: Vec<Option<FixedBitSet>>) {
        if layer.first > 0 {
            self.bytes += bytes_of(&values);
            self.layers.insert(layer.serial, values);
            self.needed_by.entry(layer.first).or_default().push(layer.serial);
        }
        for serial in self.needed_by.remove(&layer.serial).unwrap_or_default() {
            self.bytes -= self.layers.remove(&serial).map_or(0, |values| bytes_of(&values));
        }
    }

    /// Memory taken.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// How to treat states that are not expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// They satisfy nothing: the result is a subset of the states that satisfy a part.
    Least,
    /// They satisfy everything: the result is a superset.
    Greatest,
}

impl Bound {
    fn other(self) -> Self {
        match self {
            Bound::Least => Bound::Greatest,
            Bound::Greatest => Bound::Least,
        }
    }
}

/// A fixpoint is first iterated over all states in order, at most so many times: that is fast where states are stored in
/// the order of their edges. If it does not settle, changes are propagated along the edges backwards, in linear time.
const ROUNDS: usize = 12;

/// Solves a layer.
pub(super) struct Solver<'s> {
    layer: &'s Layer,
    known: &'s Known,
    normal: &'s Normal,
    /// States from this number on are not expanded.
    expanded: usize,
    /// The edges backwards, computed when first needed.
    backward: OnceLock<(Lists<u32>, Vec<u32>)>,
    /// The time limit.
    deadline: Option<Instant>,
    /// For each part a subset and, in a layer that is not all expanded, a superset of the states that satisfy it.
    values: Vec<[Option<FixedBitSet>; 2]>,
}

impl<'s> Solver<'s> {
    /// For a layer whose states are all expanded.
    pub(super) fn new(layer: &'s Layer, known: &'s Known, normal: &'s Normal) -> Self {
        Solver::part(layer, known, normal, layer.states)
    }

    /// For a layer of which only the first states are `expanded`.
    pub(super) fn part(
        layer: &'s Layer,
        known: &'s Known,
        normal: &'s Normal,
        expanded: usize,
    ) -> Self {
        let values = vec![[None, None]; normal.nodes.len()];
        let (backward, deadline) = (OnceLock::new(), None);
        Solver { layer, known, normal, expanded, backward, deadline, values }
    }

    /// Stops at this time.
    pub(super) fn until_time(self, deadline: Option<Instant>) -> Self {
        Solver { deadline, ..self }
    }

    /// Computes the parts that are `wanted`, and drops each after its last use unless it is `kept`. Returns whether
    /// there was time for all of them.
    pub(super) fn solve(&mut self, wanted: &[bool], kept: &[bool]) -> bool {
        let last = last_uses(self.normal, wanted);
        for part in (0..wanted.len()).filter(|&part| wanted[part]) {
            if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return false;
            }
            let least = self.value(part as Part, Bound::Least);
            let greatest = self.is_partial().then(|| self.value(part as Part, Bound::Greatest));
            self.values[part] = [Some(least), greatest];
            for below in self.normal.nodes[part].parts().into_iter().flatten() {
                if last[below as usize] == part as Part && !kept[below as usize] {
                    self.values[below as usize] = [None, None];
                }
            }
        }
        true
    }

    /// Whether the state satisfies a part that was kept; `None` if that is not known yet.
    pub(super) fn at(&self, part: Part, state: u32) -> Option<bool> {
        match &self.values[part as usize] {
            [Some(least), None] => Some(least.contains(state as usize)),
            [Some(least), Some(_)] if least.contains(state as usize) => Some(true),
            [Some(_), Some(greatest)] if !greatest.contains(state as usize) => Some(false),
            _ => None,
        }
    }

    /// The set of a part that was kept.
    pub(super) fn set(&self, part: Part) -> Option<FixedBitSet> {
        self.values[part as usize][0].clone()
    }

    /// The edges out of the layer that lead to a state with the value that `part` needs of a successor; `None` for a
    /// part that looks at no successor.
    pub(super) fn edges_out(&self, part: Part) -> Option<FixedBitSet> {
        let of = self.normal.nodes[part as usize].of_successors(part)?;
        let outside = self.layer.outside.iter().enumerate();
        let leads = outside.filter(|(_, edge)| self.known.has(edge.layer, of, edge.number));
        Some(leads.map(|(number, _)| number).collect())
    }

    /// The sets of a layer whose states are all expanded.
    pub(super) fn into_values(self) -> Vec<Option<FixedBitSet>> {
        self.values.into_iter().map(|[value, _]| value).collect()
    }

    fn is_partial(&self) -> bool {
        self.expanded < self.layer.states
    }

    fn of(&self, part: Part, bound: Bound) -> &FixedBitSet {
        let [least, greatest] = &self.values[part as usize];
        let greatest = greatest.as_ref().filter(|_| bound == Bound::Greatest);
        greatest.or(least.as_ref()).expect("parts below are solved first, and kept")
    }

    fn value(&self, part: Part, bound: Bound) -> FixedBitSet {
        let n = self.layer.states;
        match self.normal.nodes[part as usize] {
            Node::True => complement(&FixedBitSet::with_capacity(n)),
            Node::Atom(atom) => {
                let mut value = self.layer.atoms[atom as usize].clone();
                value.grow(n);
                self.force(&mut value, bound);
                value
            }
            Node::Not(f) => complement(self.of(f, bound.other())),
            Node::And(f, g) => self.of(f, bound) & self.of(g, bound),
            Node::Next(f) => self.next(f, bound),
            Node::Until(f, g) => self.until(part, self.of(f, bound), self.of(g, bound), bound),
            Node::Release(f, g) => self.release(part, self.of(f, bound), self.of(g, bound), bound),
        }
    }

    /// Sets the value of the states that are not expanded.
    fn force(&self, value: &mut FixedBitSet, bound: Bound) {
        if self.is_partial() {
            value.set_range(self.expanded..self.layer.states, bound == Bound::Greatest);
        }
    }

    fn next(&self, f: Part, bound: Bound) -> FixedBitSet {
        let mut value = FixedBitSet::with_capacity(self.layer.states);
        let of = self.of(f, bound);
        for source in (0..self.expanded).filter(|&source| self.leads_into(source, of)) {
            value.insert(source);
        }
        for edge in &self.layer.outside {
            if self.known.has(edge.layer, f, edge.number) {
                value.insert(edge.source as usize);
            }
        }
        self.force(&mut value, bound);
        value
    }

    fn targets(&self, state: usize) -> &[u32] {
        self.layer.graph.targets(state as u32)
    }

    /// Some edge inside the layer leads into `set`.
    #[inline]
    fn leads_into(&self, source: usize, set: &FixedBitSet) -> bool {
        self.targets(source).iter().any(|&target| set.contains(target as usize))
    }

    /// Starts from `g` and adds states of `f` with a successor in the set.
    fn until(&self, part: Part, f: &FixedBitSet, g: &FixedBitSet, bound: Bound) -> FixedBitSet {
        let mut value = g.clone();
        self.force(&mut value, bound);
        for edge in &self.layer.outside {
            let source = edge.source as usize;
            let reaches = || self.known.has(edge.layer, part, edge.number);
            if f.contains(source) && !value.contains(source) && reaches() {
                value.insert(source);
            }
        }
        let candidates = f.difference(&value).take_while(|&state| state < self.expanded);
        let candidates = candidates.map(|state| state as u32).collect();
        let is_settled = back_and_forth(candidates, |state| {
            let changes = self.leads_into(state, &value);
            value.set(state, changes);
            changes
        });
        if is_settled {
            return value;
        }
        let (back, _) = self.backward();
        let (reached, mut news) = (value.clone(), Vec::new());
        let mut firsts = reached.ones();
        while let Some(target) = news.pop().or_else(|| firsts.next()) {
            for &source in back.get(target) {
                let source = source as usize;
                if f.contains(source) && !value.put(source) {
                    news.push(source);
                }
            }
        }
        value
    }

    /// Starts from `g` and removes states without `f` that have successors, none of them in the set.
    fn release(&self, part: Part, f: &FixedBitSet, g: &FixedBitSet, bound: Bound) -> FixedBitSet {
        let mut value = g.clone();
        self.force(&mut value, bound);
        // These stay: they satisfy `f`, have no successor, or have one in the set of another layer.
        let mut stay = f.clone();
        let mut leaving = FixedBitSet::with_capacity(self.layer.states);
        for edge in &self.layer.outside {
            leaving.insert(edge.source as usize);
            if self.known.has(edge.layer, part, edge.number) {
                stay.insert(edge.source as usize);
            }
        }
        for state in 0..self.expanded {
            if self.targets(state).is_empty() && !leaving.contains(state) {
                stay.insert(state);
            }
        }
        let candidates = value.difference(&stay).take_while(|&state| state < self.expanded);
        let candidates = candidates.map(|state| state as u32).collect();
        let is_settled = back_and_forth(candidates, |state| {
            let stays = self.leads_into(state, &value);
            value.set(state, stays);
            !stays
        });
        if is_settled {
            return value;
        }
        let (back, degrees) = self.backward();
        let (mut inside, mut news, out) = (degrees.clone(), Vec::new(), complement(&value));
        let mut firsts = out.ones();
        while let Some(target) = news.pop().or_else(|| firsts.next()) {
            for &source in back.get(target) {
                let source = source as usize;
                inside[source] -= 1;
                if inside[source] == 0 && value.contains(source) && !stay.contains(source) {
                    value.remove(source);
                    news.push(source);
                }
            }
        }
        value
    }

    /// The edges inside the layer by their targets, and how many each state has.
    fn backward(&self) -> &(Lists<u32>, Vec<u32>) {
        self.backward
            .get_or_init(|| (self.layer.backward(self.expanded), self.layer.degrees(self.expanded)))
    }
}

impl Solved for Solver<'_> {
    fn at(&self, part: Part, state: u32) -> Option<bool> {
        Solver::at(self, part, state)
    }

    fn leads(&self, part: Part, edge: usize) -> bool {
        let of = self.normal.nodes[part as usize].of_successors(part);
        let edge = self.layer.outside[edge];
        of.is_some_and(|of| self.known.has(edge.layer, of, edge.number))
    }
}

/// The states that are not in `set`.
fn complement(set: &FixedBitSet) -> FixedBitSet {
    let mut others = set.clone();
    others.toggle_range(..);
    others
}

/// Calls `change` on all `states` in falling order, then in rising order, and so on, each time without those that it
/// has changed. Returns whether the last round changed none.
fn back_and_forth(mut states: Vec<u32>, mut change: impl FnMut(usize) -> bool) -> bool {
    (0..ROUNDS).any(|_| {
        let before = states.len();
        states.reverse();
        states.retain(|&state| !change(state as usize));
        states.len() == before
    })
}

/// For each part the last part that has it as an operand.
fn last_uses(normal: &Normal, wanted: &[bool]) -> Vec<Part> {
    let mut last: Vec<Part> = (0..normal.nodes.len() as Part).collect();
    for part in (0..wanted.len()).filter(|&part| wanted[part]) {
        for below in normal.nodes[part].parts().into_iter().flatten() {
            last[below as usize] = part as Part;
        }
    }
    last
}

/// The most sets in memory at a time while the parts that are `wanted` are computed.
pub(super) fn most_sets(normal: &Normal, wanted: &[bool], kept: &[bool]) -> usize {
    let last = last_uses(normal, wanted);
    let (mut held, mut most) = (0usize, 0);
    for part in (0..wanted.len()).filter(|&part| wanted[part]) {
        held += 1;
        most = most.max(held);
        let mut below: Vec<Part> = normal.nodes[part].parts().into_iter().flatten().collect();
        below.dedup();
        let gone = |f: &&Part| last[**f as usize] == part as Part && !kept[**f as usize];
        held -= below.iter().filter(gone).count();
    }
    most
}
