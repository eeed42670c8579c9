//! Formulas of ASK-CTL over the stored state space, evaluated where they are asked and on what can be reached
//! from there.
//!
//! What is next to a node is a node, what is next to an arc an arc. A part is evaluated only where it matters, so
//! that predicates need not make sense elsewhere; what was found is remembered.

use std::collections::HashMap;

use sweepline::StopReason;
use sweepline_ml::core::ExnId;
use sweepline_ml::{Halt, Machine, Question, Word};

use super::answer::{Answer, Ended};
use super::space::Space;

/// Operators may be nested this deep.
const DEEPEST: usize = 300;
const DEEP: Halt = Halt::refused("a formula that is nested so deep", "split the formula");

/// A part of a formula; others are named by their numbers.
#[derive(Clone, Copy, Debug)]
enum Part {
    True,
    False,
    /// The predicate holds of the node.
    Node(Word),
    /// The predicate holds of the arc.
    Arc(Word),
    Not(usize),
    /// Of some arc from the node, or of the node that the arc leads to.
    Modal(usize),
    And(usize, usize),
    Or(usize, usize),
    Until(Until),
}

/// The first until the second.
#[derive(Clone, Copy, Debug)]
struct Until {
    before: usize,
    then: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Along some run.
    Exists,
    /// Along all runs. A dead end satisfies it, for there is no run to look at.
    All,
    /// The same, but at a dead end it is too late.
    Inevitable,
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

/// A node, or an arc: by its number after those of the nodes.
type Item = usize;

struct Evaluation<'a, 'm> {
    answer: &'a Answer<'m>,
    machine: &'a mut Machine,
    space: &'a Space,
    parts: Vec<Part>,
    /// For each part that is worth it what is known of it.
    known: Vec<HashMap<Item, bool>>,
}

impl Answer<'_> {
    /// The value of a formula at a node or an arc: 0 or 1; 2 if a condition on nodes is asked of an arc, 3 the other
    /// way round.
    pub(super) fn askctl(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt> {
        let space = self.space()?;
        let codes: Vec<i64> = machine.list(question.argument(0)).map(Machine::to_int).collect();
        let predicates: Vec<Word> = machine.list(question.argument(1)).collect();
        let number = Machine::to_int(question.argument(3));
        let start = match Machine::to_int(question.argument(2)) {
            0 => space.node(number),
            _ => space.arc_index(number).map(|arc| space.nodes.len() + arc),
        };
        let start = start.ok_or_else(|| Halt::raise(ExnId::SUBSCRIPT))?;
        let mut parts = Vec::new();
        let root = read(&mut codes.into_iter(), &predicates, &mut parts, 0)?;
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
}

/// Reads a part from numbers, operators before their operands; its number.
fn read(
    codes: &mut impl Iterator<Item = i64>,
    predicates: &[Word],
    parts: &mut Vec<Part>,
    depth: usize,
) -> Result<usize, Halt> {
    if depth > DEEPEST {
        return Err(DEEP);
    }
    let code = codes.next().ok_or(Halt::MALFORMED)?;
    let mut next = |parts: &mut Vec<Part>| read(codes, predicates, parts, depth + 1);
    let part = match code {
        0 => Part::True,
        1 => Part::False,
        2 | 3 => {
            let number = codes.next().and_then(|number| usize::try_from(number).ok());
            let predicate = number.and_then(|number| predicates.get(number));
            let predicate = *predicate.ok_or(Halt::MALFORMED)?;
            if code == 2 { Part::Node(predicate) } else { Part::Arc(predicate) }
        }
        4 => Part::Not(next(parts)?),
        5 => Part::Modal(next(parts)?),
        6 => Part::And(next(parts)?, next(parts)?),
        7 => Part::Or(next(parts)?, next(parts)?),
        8..=10 => {
            let kind = match code {
                8 => Kind::Exists,
                9 => Kind::All,
                _ => Kind::Inevitable,
            };
            Part::Until(Until { before: next(parts)?, then: next(parts)?, kind })
        }
        _ => return Err(Halt::MALFORMED),
    };
    parts.push(part);
    Ok(parts.len() - 1)
}

impl Evaluation<'_, '_> {
    fn is_arc(&self, item: Item) -> bool {
        item >= self.space.nodes.len()
    }

    /// The node itself, or the one that the arc leads to.
    fn node(&self, item: Item) -> usize {
        match self.is_arc(item) {
            true => self.space.arcs[item - self.space.nodes.len()].target,
            false => item,
        }
    }

    /// What comes next on runs.
    fn next(&self, item: Item) -> Vec<Item> {
        let arcs = self.space.out_arcs(self.node(item)).map(|arc| arc as usize);
        match self.is_arc(item) {
            true => arcs.map(|arc| self.space.nodes.len() + arc).collect(),
            false => arcs.map(|arc| self.space.arcs[arc].target).collect(),
        }
    }

    fn value(&mut self, part: usize, item: Item) -> Result<bool, Wrong> {
        if let Some(&value) = self.known[part].get(&item) {
            return Ok(value);
        }
        match self.parts[part] {
            Part::True => Ok(true),
            Part::False => Ok(false),
            Part::Node(_) if self.is_arc(item) => Err(Wrong::NodeAsArc),
            Part::Arc(_) if !self.is_arc(item) => Err(Wrong::ArcAsNode),
            Part::Node(predicate) | Part::Arc(predicate) => {
                let nodes = self.space.nodes.len();
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
            Part::Modal(inner) if self.is_arc(item) => self.value(inner, self.node(item)),
            Part::Modal(inner) => {
                let nodes = self.space.nodes.len();
                let arcs: Vec<i64> = self.space.out_arcs(item).collect();
                for arc in arcs {
                    if self.value(inner, nodes + arc as usize)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Part::Until(until) => self.until(part, until, item),
        }
    }

    /// Gathers what matters to the value at `start`, which is on all ways until it is decided, and solves
    /// it backwards.
    fn until(&mut self, part: usize, until: Until, start: Item) -> Result<bool, Wrong> {
        let mut region = Region::new(start);
        let mut at = 0;
        let mut is_whole = true;
        while let Some(&item) = region.items.get(at) {
            self.check_interrupt()?;
            let decided = match self.known[part].get(&item).copied() {
                Some(value) => Some(value),
                None if self.value(until.then, item)? => Some(true),
                None if !self.value(until.before, item)? => Some(false),
                None => None,
            };
            match decided {
                Some(value) => region.decide(at, value),
                None => region.enter(at, self.next(item)),
            }
            at += 1;
            if decided == Some(true) && until.kind == Kind::Exists {
                is_whole = at == region.items.len();
                break;
            }
        }
        let values = region.solve(until.kind);
        for (item, value) in region.items.iter().zip(values) {
            // Of what is not gathered in full only that it is true is known.
            if value || is_whole {
                self.known[part].insert(*item, value);
            }
        }
        Ok(self.known[part].get(&start).copied().unwrap_or(false))
    }

    fn check_interrupt(&self) -> Result<(), Halt> {
        match self.answer.options.explore.interrupt.is_raised() {
            true => Err(self.answer.give_up(Ended::Stopped(StopReason::Interrupted))),
            false => Ok(()),
        }
    }
}

/// Nodes or arcs, those that are next to an undecided one among them.
struct Region {
    items: Vec<Item>,
    index: HashMap<Item, usize>,
    /// Of those gone through: what is decided.
    values: Vec<Option<bool>>,
    /// For each of them those before it, as often as it is next to them.
    before: Vec<Vec<usize>>,
    /// How many are next to it.
    n_next: Vec<usize>,
}

impl Region {
    fn new(start: Item) -> Self {
        Region {
            items: vec![start],
            index: HashMap::from([(start, 0)]),
            values: Vec::new(),
            before: vec![Vec::new()],
            n_next: Vec::new(),
        }
    }

    fn decide(&mut self, at: usize, value: bool) {
        debug_assert_eq!(at, self.values.len());
        self.values.push(Some(value));
        self.n_next.push(0);
    }

    fn enter(&mut self, at: usize, next: Vec<Item>) {
        debug_assert_eq!(at, self.values.len());
        self.values.push(None);
        self.n_next.push(next.len());
        for item in next {
            let number = *self.index.entry(item).or_insert(self.items.len());
            if number == self.items.len() {
                self.items.push(item);
                self.before.push(Vec::new());
            }
            self.before[number].push(at);
        }
    }

    /// The least solution.
    fn solve(&self, kind: Kind) -> Vec<bool> {
        let n_items = self.items.len();
        let mut values = vec![false; n_items];
        let mut left = self.n_next.clone();
        let is_true = |at: &usize| match self.values.get(*at) {
            Some(Some(value)) => *value,
            Some(None) => kind == Kind::All && self.n_next[*at] == 0,
            None => false,
        };
        let mut waiting: Vec<usize> = (0..n_items).filter(is_true).collect();
        waiting.iter().for_each(|at| values[*at] = true);
        while let Some(at) = waiting.pop() {
            for &before in &self.before[at] {
                left[before] -= 1;
                let becomes = kind == Kind::Exists || left[before] == 0;
                if becomes && !values[before] {
                    values[before] = true;
                    waiting.push(before);
                }
            }
        }
        values
    }
}
