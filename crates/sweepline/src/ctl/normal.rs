//! The normal form of formulas: a few operators, and equal parts once.

use std::collections::HashMap;

use super::{Along, Formula, Quantifier};

/// A part of a formula, by its number; parts below it have lesser numbers.
pub(crate) type Part = u32;

/// The operator of a part. All others are expressed by these: `A[f U g]` is `!E[!f R !g]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    True,
    Atom(u32),
    Not(Part),
    And(Part, Part),
    /// `EX f`
    Next(Part),
    /// `E[f U g]`: the least set that has `g`, and `f` where a successor is in it.
    Until(Part, Part),
    /// `E[f R g]`: the greatest set of states with `g` that have `f`, no successor, or one in the set.
    Release(Part, Part),
}

impl Node {
    pub(super) fn parts(self) -> [Option<Part>; 2] {
        match self {
            Node::True | Node::Atom(_) => [None, None],
            Node::Not(f) | Node::Next(f) => [Some(f), None],
            Node::And(f, g) | Node::Until(f, g) | Node::Release(f, g) => [Some(f), Some(g)],
        }
    }

    /// The part whose value in successors decides this part, whose number is `own`; `None` if no successor matters.
    pub(super) fn of_successors(self, own: Part) -> Option<Part> {
        match self {
            Node::Next(f) => Some(f),
            Node::Until(..) | Node::Release(..) => Some(own),
            _ => None,
        }
    }
}

/// Several formulas that share their parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Normal {
    pub(super) nodes: Vec<Node>,
    known: HashMap<Node, Part>,
}

impl Normal {
    /// Adds a formula over numbered atoms.
    pub(crate) fn add(&mut self, formula: &Formula<u32>) -> Part {
        let parts = formula.parts().map(|part| part.map(|f| self.add(f)));
        let all = self.node(Node::True);
        let [f, g] = parts.map(|part| part.unwrap_or(all));
        match formula {
            Formula::True => all,
            Formula::False => self.not(all),
            Formula::Atom(atom) => self.node(Node::Atom(*atom)),
            Formula::Not(_) => self.not(f),
            Formula::And(..) => self.and(f, g),
            Formula::Or(..) => self.or(f, g),
            Formula::Implies(..) => {
                let f = self.not(f);
                self.or(f, g)
            }
            Formula::Iff(..) => self.iff(f, g),
            Formula::Runs(quantifier, along) => self.runs(*quantifier, along, [f, g]),
        }
    }

    /// The atoms of the formulas `roots`.
    pub(crate) fn atoms_below(&self, roots: impl Iterator<Item = Part>) -> Vec<u32> {
        let below = self.below(roots);
        let parts = self.nodes.iter().zip(below).filter(|(_, below)| *below);
        parts
            .filter_map(|(node, _)| if let Node::Atom(a) = node { Some(*a) } else { None })
            .collect()
    }

    /// For each part whether it is one of `roots` or below one.
    pub(super) fn below(&self, roots: impl Iterator<Item = Part>) -> Vec<bool> {
        let mut below = vec![false; self.nodes.len()];
        roots.for_each(|root| below[root as usize] = true);
        for part in (0..self.nodes.len()).rev() {
            if below[part] {
                let parts = self.nodes[part].parts();
                parts.into_iter().flatten().for_each(|f| below[f as usize] = true);
            }
        }
        below
    }

    fn runs<F>(&mut self, quantifier: Quantifier, along: &Along<F>, [f, g]: [Part; 2]) -> Part {
        let all = self.node(Node::True);
        let none = self.not(all);
        let exists = quantifier == Quantifier::Exists;
        // `A` is the negation of `E` with negated operands.
        let (f, g) = match exists {
            true => (f, g),
            false => (self.not(f), self.not(g)),
        };
        let either = self.or(f, g);
        let both = self.and(f, g);
        let some = match (along, exists) {
            (Along::Next(_), _) => self.node(Node::Next(f)),
            (Along::Finally(_), true) | (Along::Globally(_), false) => self.until(all, f),
            (Along::Globally(_), true) | (Along::Finally(_), false) => self.release(none, f),
            (Along::Until(..), true) | (Along::Release(..), false) => self.until(f, g),
            (Along::Release(..), true) | (Along::Until(..), false) => self.release(f, g),
            // f W g is g R (f || g), and f M g is g U (f && g). Each is the dual of the other.
            (Along::WeakUntil(..), true) | (Along::StrongRelease(..), false) => {
                self.release(g, either)
            }
            (Along::StrongRelease(..), true) | (Along::WeakUntil(..), false) => self.until(g, both),
        };
        if exists { some } else { self.not(some) }
    }

    fn until(&mut self, f: Part, g: Part) -> Part {
        let all = self.node(Node::True);
        // E[f U true], E[f U false]
        if g == all || g == self.not(all) { g } else { self.node(Node::Until(f, g)) }
    }

    fn release(&mut self, f: Part, g: Part) -> Part {
        let all = self.node(Node::True);
        if g == all || g == self.not(all) || f == all { g } else { self.node(Node::Release(f, g)) }
    }

    fn not(&mut self, f: Part) -> Part {
        match self.nodes[f as usize] {
            Node::Not(inner) => inner,
            _ => self.node(Node::Not(f)),
        }
    }

    fn and(&mut self, f: Part, g: Part) -> Part {
        let all = self.node(Node::True);
        let none = self.not(all);
        let (f, g) = (f.min(g), f.max(g));
        if f == none || g == none || self.not(f) == g {
            none
        } else if f == all || f == g {
            g
        } else if g == all {
            f
        } else {
            self.node(Node::And(f, g))
        }
    }

    fn or(&mut self, f: Part, g: Part) -> Part {
        let (f, g) = (self.not(f), self.not(g));
        let neither = self.and(f, g);
        self.not(neither)
    }

    fn iff(&mut self, f: Part, g: Part) -> Part {
        let both = self.and(f, g);
        let (f, g) = (self.not(f), self.not(g));
        let neither = self.and(f, g);
        self.or(both, neither)
    }

    fn node(&mut self, node: Node) -> Part {
        if let Some(&part) = self.known.get(&node) {
            return part;
        }
        let part = self.nodes.len() as Part;
        self.nodes.push(node);
        self.known.insert(node, part);
        part
    }
}
