//! ASK-CTL formulas over the stored state space. A formula is evaluated where it is asked, and on the part of
//! the state space that is reachable from there.
//!
//! The successors of a node are nodes, the successors of an arc are arcs. A subformula is evaluated only where
//! its value matters, because a predicate may raise an exception elsewhere. Values are cached. Fixpoints are
//! computed by [`sweepline::ctl`].

use std::collections::HashMap;

use sweepline::ctl::{self, Quantifier};
use sweepline::observe::Graph;
use sweepline_ml::{Halt, Machine, Question, Word};

use super::answer::{Answer, Ended};
use super::ask::nowhere;
use super::check::DEEP;
use super::space::Space;

/// The deepest nesting of operators.
const DEEPEST: usize = 300;

/// A subformula. Others are referred to by their index.
#[derive(Clone, Copy, Debug)]
enum Part {
    True,
    False,
    /// A predicate on a node.
    Node(Word),
    /// A predicate on an arc.
    Arc(Word),
    Not(usize),
    /// Holds for some arc from the node, or for the target node of the arc.
    Modal(usize),
    And(usize, usize),
    Or(usize, usize),
    /// There is no successor.
    Dead,
    /// The first until the second, along some or all paths.
    Until(Quantifier, usize, usize),
}

/// Why a formula has no value.
enum Wrong {
    Halt(Halt),
    NodeAsArc,
    ArcAsNode,
}

impl From<Halt> for Wrong {
    fn from(halt: Halt) -> Self {
        Wrong::Halt(halt)
    }
}

/// A node, or an arc by its index after the nodes.
type Item = usize;

struct Evaluation<'a, 'm> {
    answer: &'a Answer<'m>,
    machine: &'a mut Machine,
    space: &'a Space,
    parts: Vec<Part>,
    /// For each subformula that is cached, the known values.
    known: Vec<HashMap<Item, bool>>,
}

impl Answer<'_> {
    /// The value of a formula at a node or an arc: 0 or 1; 2 if a node predicate is applied to an arc, 3 if an
    /// arc predicate is applied to a node.
    pub(super) fn askctl(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt> {
        let space = self.space()?;
        let number = Machine::to_int(question.argument(2));
        let start = match Machine::to_int(question.argument(1)) {
            0 => space.node(number),
            _ => space.arc_index(number).map(|arc| space.nodes.len() + arc),
        };
        let start = start.ok_or_else(nowhere)?;
        let mut parts = Vec::new();
        let root = self.read(machine, question.argument(0), &mut parts, 0)?;
        let fold = machine.begin_fold(question.layout, 0)?;
        let known = vec![HashMap::new(); parts.len()];
        let mut evaluation = Evaluation { answer: self, machine, space: &space, parts, known };
        let value = evaluation.value(root, start);
        machine.end_fold(fold);
        let number = match value {
            Ok(value) => i64::from(value),
            Err(Wrong::NodeAsArc) => 2,
            Err(Wrong::ArcAsNode) => 3,
            Err(Wrong::Halt(halt)) => return Err(halt),
        };
        Ok(Machine::from_int(number))
    }

    /// Reads a value of the type `ASKCTL.A`, and returns its index.
    fn read(
        &self,
        machine: &Machine,
        word: Word,
        parts: &mut Vec<Part>,
        depth: usize,
    ) -> Result<usize, Halt> {
        if depth > DEEPEST {
            return Err(DEEP);
        }
        let (name, carried) = machine.constructor(self.askctl_formula, word);
        let mut read = |word: &Word| self.read(machine, *word, parts, depth + 1);
        let part = match (name, &carried[..]) {
            ("TT", []) => Part::True,
            ("FF", []) => Part::False,
            ("NF", [_, predicate]) => Part::Node(*predicate),
            ("AF", [_, predicate]) => Part::Arc(*predicate),
            ("NOT", [a]) => Part::Not(read(a)?),
            ("MODAL", [a]) => Part::Modal(read(a)?),
            ("AND", [a, b]) => Part::And(read(a)?, read(b)?),
            ("OR", [a, b]) => Part::Or(read(a)?, read(b)?),
            ("EXIST_UNTIL", [a, b]) => Part::Until(Quantifier::Exists, read(a)?, read(b)?),
            ("CPN'INEVITABLE", [a, b]) => Part::Until(Quantifier::All, read(a)?, read(b)?),
            // A dead node satisfies it, because no path starts there.
            ("FORALL_UNTIL", [a, b]) => {
                let (a, b, next) = (read(a)?, read(b)?, parts.len());
                parts.extend([Part::Dead, Part::And(a, next), Part::Or(b, next + 1)]);
                Part::Until(Quantifier::All, a, next + 2)
            }
            ("CPN'INV", [meaning]) | ("CPN'ALONG", [_, meaning]) => {
                return self.read(machine, *meaning, parts, depth);
            }
            _ => return Err(Halt::MALFORMED),
        };
        parts.push(part);
        Ok(parts.len() - 1)
    }
}

impl Evaluation<'_, '_> {
    fn is_arc(&self, item: Item) -> bool {
        item >= self.space.nodes.len()
    }

    /// The node itself, or the target node of the arc.
    fn node(&self, item: Item) -> usize {
        match self.is_arc(item) {
            true => self.space.arcs[item - self.space.nodes.len()].target,
            false => item,
        }
    }

    /// The successors.
    fn next(&self, item: Item) -> impl Iterator<Item = Item> {
        let arcs = self.space.out_arcs(self.node(item)).map(|arc| arc as usize);
        let is_arc = self.is_arc(item);
        arcs.map(move |arc| match is_arc {
            true => self.space.nodes.len() + arc,
            false => self.space.arcs[arc].target,
        })
    }

    fn value(&mut self, part: usize, item: Item) -> Result<bool, Wrong> {
        if let Some(&value) = self.known[part].get(&item) {
            return Ok(value);
        }
        let nodes = self.space.nodes.len();
        match self.parts[part] {
            Part::True => Ok(true),
            Part::False => Ok(false),
            Part::Node(_) if self.is_arc(item) => Err(Wrong::NodeAsArc),
            Part::Arc(_) if !self.is_arc(item) => Err(Wrong::ArcAsNode),
            Part::Node(predicate) | Part::Arc(predicate) => {
                let number = if self.is_arc(item) { item - nodes } else { item };
                let argument = [Machine::from_int(number as i64 + 1)];
                let value = self.machine.apply(self.answer, predicate, &argument)?;
                let value = Machine::to_int(value) != 0;
                self.machine.forget();
                self.known[part].insert(item, value);
                Ok(value)
            }
            Part::Not(inner) => Ok(!self.value(inner, item)?),
            Part::And(first, second) => Ok(self.value(first, item)? && self.value(second, item)?),
            Part::Or(first, second) => Ok(self.value(first, item)? || self.value(second, item)?),
            Part::Dead => Ok(self.next(item).next().is_none()),
            Part::Modal(inner) if self.is_arc(item) => self.value(inner, self.node(item)),
            Part::Modal(inner) => {
                let space = self.space;
                for arc in space.out_arcs(item) {
                    if self.value(inner, nodes + arc as usize)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Part::Until(quantifier, before, then) => {
                self.until(part, quantifier, (before, then), item)
            }
        }
    }

    /// Collects the items that the value at `start` depends on, up to items whose value is decided, and solves
    /// the fixpoint.
    fn until(
        &mut self,
        part: usize,
        quantifier: Quantifier,
        (before, then): (usize, usize),
        start: Item,
    ) -> Result<bool, Wrong> {
        let (mut items, mut numbers) = (vec![start], HashMap::from([(start, 0)]));
        let mut graph = Graph::default();
        // The items whose value is decided.
        let mut decided = Vec::new();
        let is_found = |decided: &[Option<bool>]| {
            quantifier == Quantifier::Exists && decided.last() == Some(&Some(true))
        };
        while let Some(&item) = items.get(decided.len()).filter(|_| !is_found(&decided)) {
            self.check_interrupt()?;
            let value = match self.known[part].get(&item).copied() {
                Some(value) => Some(value),
                None if self.value(then, item)? => Some(true),
                None if !self.value(before, item)? => Some(false),
                None => None,
            };
            for next in self.next(item).filter(|_| value.is_none()) {
                let number = *numbers.entry(next).or_insert(items.len());
                if number == items.len() {
                    items.push(next);
                }
                graph.push(decided.len() as u32, (), number as u32);
            }
            decided.push(value);
        }
        let before = |at: usize| decided.get(at) == Some(&None);
        let then = |at: usize| decided.get(at) == Some(&Some(true));
        let values = ctl::until(quantifier, graph, before, then, items.len());
        let is_whole = decided.len() == items.len();
        for (item, value) in items.into_iter().zip(values) {
            // For a set that was not collected completely, only the value `true` is certain.
            if value || is_whole {
                self.known[part].insert(item, value);
            }
        }
        Ok(self.known[part].get(&start).copied().unwrap_or(false))
    }

    fn check_interrupt(&self) -> Result<(), Halt> {
        match self.answer.options.explore.interrupt.reason() {
            Some(reason) => Err(self.answer.give_up(Ended::Stopped(reason))),
            None => Ok(()),
        }
    }
}
