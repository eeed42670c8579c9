//! The fixpoints: which states of a layer satisfy which parts of formulas.
//!
//! Under a monotone measure what holds in a state depends on its layer and on layers above, so layers are
//! solved last first. Each part takes time linear in the edges of the layer.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Instant;

use super::bits::Bits;
use super::layer::{Backward, Layer};
use super::normal::{Node, Normal, Part};

/// What is known of the states of other layers, as far as edges lead there.
#[derive(Default)]
pub(super) struct Known {
    layers: HashMap<u64, Vec<Option<Bits>>>,
    /// By the first layer that needs them, which is the last to be solved.
    needed_by: HashMap<u64, Vec<u64>>,
    bytes: usize,
}

fn bytes_of(values: &[Option<Bits>]) -> usize {
    size_of_val(values) + values.iter().flatten().map(Bits::bytes).sum::<usize>()
}

impl Known {
    #[inline]
    fn has(&self, layer: u64, part: Part, number: u32) -> bool {
        let values = self.layers.get(&layer).and_then(|values| values[part as usize].as_ref());
        values.is_some_and(|values| values.has(number))
    }

    /// Keeps what is known of `layer`, and forgets what was needed for it only.
    pub(super) fn keep(&mut self, layer: &Layer, values: Vec<Option<Bits>>) {
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

/// How a layer is solved whose states are not all expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// What surely holds.
    Least,
    /// What may hold.
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

/// Going through all states in order is fast where few edges lead back, and at most so many times; then states
/// whose successors have changed are looked up, which takes time linear in the edges.
const ROUNDS: usize = 12;

/// Solves a layer.
pub(super) struct Solver<'s> {
    layer: &'s Layer,
    known: &'s Known,
    normal: &'s Normal,
    /// Of states from this number on nothing is known.
    expanded: usize,
    /// Made when it is first needed.
    backward: OnceLock<(Backward, Vec<u32>)>,
    /// When to give up.
    deadline: Option<Instant>,
    /// By part: a least and a greatest set, one and the same where all is known.
    values: Vec<[Option<Bits>; 2]>,
}

impl<'s> Solver<'s> {
    /// A layer of which everything is known.
    pub(super) fn new(layer: &'s Layer, known: &'s Known, normal: &'s Normal) -> Self {
        Solver::part(layer, known, normal, layer.states)
    }

    /// A layer of which only the first states are expanded.
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

    /// Gives up at this time.
    pub(super) fn until_time(self, deadline: Option<Instant>) -> Self {
        Solver { deadline, ..self }
    }

    /// Decides the parts that are `wanted`; forgets each after its last use, unless it is `kept`. Whether
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
            [Some(least), None] => Some(least.has(state)),
            [Some(least), Some(_)] if least.has(state) => Some(true),
            [Some(_), Some(greatest)] if !greatest.has(state) => Some(false),
            _ => None,
        }
    }

    /// The sets of a layer of which everything is known.
    pub(super) fn into_values(self) -> Vec<Option<Bits>> {
        self.values.into_iter().map(|[value, _]| value).collect()
    }

    fn is_partial(&self) -> bool {
        self.expanded < self.layer.states
    }

    fn of(&self, part: Part, bound: Bound) -> &Bits {
        let [least, greatest] = &self.values[part as usize];
        let greatest = greatest.as_ref().filter(|_| bound == Bound::Greatest);
        greatest.or(least.as_ref()).expect("parts below are solved first, and kept")
    }

    fn value(&self, part: Part, bound: Bound) -> Bits {
        let n = self.layer.states;
        match self.normal.nodes[part as usize] {
            Node::True => Bits::filled(n, true),
            Node::Atom(atom) => {
                let mut value = self.layer.atoms[atom as usize].clone();
                value.resize(n);
                self.force(&mut value, bound);
                value
            }
            Node::Not(f) => self.of(f, bound.other()).complement(n),
            Node::And(f, g) => self.of(f, bound).intersection(self.of(g, bound)),
            Node::Next(f) => self.next(f, bound),
            Node::Until(f, g) => self.until(part, self.of(f, bound), self.of(g, bound), bound),
            Node::Release(f, g) => self.release(part, self.of(f, bound), self.of(g, bound), bound),
        }
    }

    /// States that are not expanded satisfy nothing surely, and everything maybe.
    fn force(&self, value: &mut Bits, bound: Bound) {
        if self.is_partial() {
            value.force(self.expanded, self.layer.states, bound == Bound::Greatest);
        }
    }

    fn next(&self, f: Part, bound: Bound) -> Bits {
        let mut value = Bits::filled(self.layer.states, false);
        let of = self.of(f, bound);
        for source in self.layer.graph.nodes().take(self.expanded) {
            if self.leads_into(source, of) {
                value.add(source);
            }
        }
        for edge in &self.layer.outside {
            if self.known.has(edge.layer, f, edge.number) {
                value.add(edge.source);
            }
        }
        self.force(&mut value, bound);
        value
    }

    /// Some edge inside the layer leads into `set`.
    #[inline]
    fn leads_into(&self, source: u32, set: &Bits) -> bool {
        self.layer.graph.targets(source).iter().any(|&target| set.has(target))
    }

    /// Adds, one after the other, states of `f` with a successor that is in.
    fn until(&self, part: Part, f: &Bits, g: &Bits, bound: Bound) -> Bits {
        let mut value = g.clone();
        self.force(&mut value, bound);
        for edge in &self.layer.outside {
            let reaches = || self.known.has(edge.layer, part, edge.number);
            if f.has(edge.source) && !value.has(edge.source) && reaches() {
                value.add(edge.source);
            }
        }
        for round in 0..ROUNDS {
            let changed = value.change_each(
                self.expanded,
                round % 2 == 0,
                |value, word| f.words()[word] & !value.words()[word],
                |value, state| self.leads_into(state, value).then(|| value.add(state)),
            );
            if !changed {
                return value;
            }
        }
        let (back, _) = self.backward();
        let (reached, mut news) = (value.clone(), Vec::new());
        let mut firsts = reached.each();
        while let Some(target) = news.pop().or_else(|| firsts.next()) {
            for &source in back.sources(target) {
                if f.has(source) && !value.has(source) {
                    value.add(source);
                    news.push(source);
                }
            }
        }
        value
    }

    /// Takes out, one after the other, states of `g` without `f` all of whose successors are out.
    fn release(&self, part: Part, f: &Bits, g: &Bits, bound: Bound) -> Bits {
        let mut value = g.clone();
        self.force(&mut value, bound);
        // States that stay: they have `f`, no successor, or one in the set of another layer.
        let mut stay = f.clone();
        let mut leaving = Bits::default();
        for edge in &self.layer.outside {
            leaving.add(edge.source);
            if self.known.has(edge.layer, part, edge.number) {
                stay.add(edge.source);
            }
        }
        for state in self.layer.graph.nodes().take(self.expanded) {
            if self.layer.graph.targets(state).is_empty() && !leaving.has(state) {
                stay.add(state);
            }
        }
        for round in 0..ROUNDS {
            let changed = value.change_each(
                self.expanded,
                round % 2 == 0,
                |value, word| value.words()[word] & !stay.words()[word],
                |value, state| (!self.leads_into(state, value)).then(|| value.remove(state)),
            );
            if !changed {
                return value;
            }
        }
        let (back, degrees) = self.backward();
        let out = value.complement(self.layer.states);
        let (mut inside, mut news) = (degrees.clone(), Vec::new());
        let mut firsts = out.each();
        while let Some(target) = news.pop().or_else(|| firsts.next()) {
            for &source in back.sources(target) {
                inside[source as usize] -= 1;
                if inside[source as usize] == 0 && value.has(source) && !stay.has(source) {
                    value.remove(source);
                    news.push(source);
                }
            }
        }
        value
    }

    /// The edges inside by their targets, and how many each state has.
    fn backward(&self) -> &(Backward, Vec<u32>) {
        self.backward.get_or_init(|| {
            (Backward::of(self.layer, self.expanded), self.layer.degrees(self.expanded))
        })
    }
}

/// By part the last one that is made of it.
fn last_uses(normal: &Normal, wanted: &[bool]) -> Vec<Part> {
    let mut last: Vec<Part> = (0..normal.nodes.len() as Part).collect();
    for part in (0..wanted.len()).filter(|&part| wanted[part]) {
        for below in normal.nodes[part].parts().into_iter().flatten() {
            last[below as usize] = part as Part;
        }
    }
    last
}

/// The most sets that are held at a time when the parts that are `wanted` are decided.
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
