//! Negation normal form: formulas with negations at their atoms only, each stored once.

use std::collections::HashMap;

use super::formula::Formula;
use crate::formula::Along;

/// The number of a term.
pub(super) type Id = u32;

/// A formula over the numbers of its parts. `F f` is `true U f`, `G f` is `false R f`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Term {
    True,
    False,
    Literal { atom: u32, positive: bool },
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// All terms so far. Equal terms have equal numbers, and every term is simplified by the rewriting rules.
pub(super) struct Terms {
    terms: Vec<Term>,
    names: HashMap<Term, Id>,
}

pub(super) const TRUE: Id = 0;
pub(super) const FALSE: Id = 1;

impl Terms {
    pub(super) fn new() -> Self {
        let mut terms = Terms { terms: Vec::new(), names: HashMap::new() };
        terms.name(Term::True);
        terms.name(Term::False);
        terms
    }

    pub(super) fn get(&self, id: Id) -> &Term {
        &self.terms[id as usize]
    }

    fn name(&mut self, term: Term) -> Id {
        if let Some(&id) = self.names.get(&term) {
            return id;
        }
        let id = self.terms.len() as Id;
        self.terms.push(term.clone());
        self.names.insert(term, id);
        id
    }

    /// The formula if `positive`, otherwise its negation.
    pub(super) fn of(&mut self, formula: &Formula<u32>, positive: bool) -> Id {
        match formula {
            Formula::True => [FALSE, TRUE][usize::from(positive)],
            Formula::False => [TRUE, FALSE][usize::from(positive)],
            Formula::Atom(atom) => self.name(Term::Literal { atom: *atom, positive }),
            Formula::Not(f) => self.of(f, !positive),
            Formula::And(f, g) | Formula::Or(f, g) => {
                let parts = vec![self.of(f, positive), self.of(g, positive)];
                self.junction(matches!(formula, Formula::And(..)) == positive, parts)
            }
            Formula::Implies(f, g) => {
                let parts = vec![self.of(f, !positive), self.of(g, positive)];
                self.junction(!positive, parts)
            }
            Formula::Iff(f, g) => {
                let both = vec![self.of(f, true), self.of(g, positive)];
                let none = vec![self.of(f, false), self.of(g, !positive)];
                let sides = vec![self.junction(true, both), self.junction(true, none)];
                self.junction(false, sides)
            }
            Formula::Runs((), along) => self.along(along, positive),
        }
    }

    fn along(&mut self, along: &Along<Formula<u32>>, positive: bool) -> Id {
        let [f, g] = along.parts().map(|part| part.map_or(TRUE, |part| self.of(part, positive)));
        match along {
            Along::Next(_) => self.next(f),
            Along::Finally(_) => self.temporal(positive, None, f),
            Along::Globally(_) => self.temporal(!positive, None, f),
            Along::Until(..) => self.temporal(positive, Some(f), g),
            Along::Release(..) => self.temporal(!positive, Some(f), g),
            // f W g is g R (f || g), and f M g is g U (f && g).
            Along::WeakUntil(..) | Along::StrongRelease(..) => {
                let until = matches!(along, Along::WeakUntil(..)) != positive;
                let both = self.junction(until, vec![f, g]);
                self.temporal(until, Some(g), both)
            }
        }
    }

    fn next(&mut self, f: Id) -> Id {
        if f == TRUE || f == FALSE || (self.is_eventual(f) && self.is_universal(f)) {
            return f;
        }
        self.name(Term::Next(f))
    }

    /// `f U g` or `f R g`; without `f`, `F g` or `G g`.
    fn temporal(&mut self, until: bool, f: Option<Id>, g: Id) -> Id {
        let (idle, stop) = if until { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let f = f.unwrap_or(idle);
        let stays = if until { self.is_eventual(g) } else { self.is_universal(g) };
        if g == TRUE || g == FALSE || f == g || f == stop || stays {
            return g;
        }
        match (self.get(f).clone(), self.get(g).clone()) {
            (Term::Next(f), Term::Next(g)) => {
                let inner = self.temporal(until, Some(f), g);
                return self.next(inner);
            }
            (Term::True | Term::False, Term::Next(g)) => {
                let inner = self.temporal(until, None, g);
                return self.next(inner);
            }
            // a U (a U b), F (a U b), and their duals.
            (_, Term::Until(a, b)) if until && (a == f || f == idle) => {
                return self.temporal(true, Some(f), b);
            }
            (_, Term::Release(a, b)) if !until && (a == f || f == idle) => {
                return self.temporal(false, Some(f), b);
            }
            // F (a && GF b) is F a && GF b, and dually.
            (Term::True | Term::False, Term::And(parts) | Term::Or(parts))
                if until == matches!(self.get(g), Term::And(_)) =>
            {
                let stays = |id: &Id| self.is_eventual(*id) && self.is_universal(*id);
                let (mut out, rest): (Vec<Id>, Vec<Id>) = parts.into_iter().partition(stays);
                if !out.is_empty() {
                    let rest = self.junction(until, rest);
                    out.push(self.temporal(until, None, rest));
                    return self.junction(until, out);
                }
            }
            _ => {}
        }
        self.name(if until { Term::Until(f, g) } else { Term::Release(f, g) })
    }

    /// A conjunction if `and`, otherwise a disjunction.
    pub(super) fn junction(&mut self, and: bool, parts: Vec<Id>) -> Id {
        let (unit, zero) = if and { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat: Vec<Id> = Vec::new();
        for part in parts {
            match self.get(part) {
                Term::And(inner) if and => flat.extend(inner),
                Term::Or(inner) if !and => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.retain(|&part| part != unit);
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&zero) || self.has_opposites(&flat) {
            return zero;
        }
        // a && (a || b) is a.
        let absorbed = |id: &Id| match self.get(*id) {
            Term::Or(inner) if and => inner.iter().any(|part| flat.contains(part)),
            Term::And(inner) if !and => inner.iter().any(|part| flat.contains(part)),
            _ => false,
        };
        let mut kept: Vec<Id> = flat.iter().copied().filter(|id| !absorbed(id)).collect();
        if let Some((i, j, joined)) = self.joined(and, &kept) {
            kept.swap_remove(j);
            kept[i] = joined;
            return self.junction(and, kept);
        }
        match kept[..] {
            [] => unit,
            [only] => only,
            _ => self.name(if and { Term::And(kept) } else { Term::Or(kept) }),
        }
    }

    fn has_opposites(&self, parts: &[Id]) -> bool {
        parts.iter().any(|&part| match self.get(part) {
            Term::Literal { atom, positive } => {
                let opposite = Term::Literal { atom: *atom, positive: !positive };
                self.names.get(&opposite).is_some_and(|id| parts.contains(id))
            }
            _ => false,
        })
    }

    /// Merges two terms: `X a && X b` is `X (a && b)`, `a R b && a R c` is `a R (b && c)`, `a U c && b U c` is
    /// `(a && b) U c`, and dually.
    fn joined(&mut self, and: bool, parts: &[Id]) -> Option<(usize, usize, Id)> {
        for (i, &first) in parts.iter().enumerate() {
            for (j, &second) in parts.iter().enumerate().skip(i + 1) {
                let joined = match (self.get(first).clone(), self.get(second).clone()) {
                    (Term::Next(a), Term::Next(b)) => {
                        let inner = self.junction(and, vec![a, b]);
                        self.next(inner)
                    }
                    (Term::Release(a, b), Term::Release(c, d)) if and && a == c => {
                        let inner = self.junction(true, vec![b, d]);
                        self.temporal(false, Some(a), inner)
                    }
                    (Term::Until(a, b), Term::Until(c, d)) if !and && a == c => {
                        let inner = self.junction(false, vec![b, d]);
                        self.temporal(true, Some(a), inner)
                    }
                    (Term::Until(a, b), Term::Until(c, d)) if and && b == d => {
                        let inner = self.junction(true, vec![a, c]);
                        self.temporal(true, Some(inner), b)
                    }
                    (Term::Release(a, b), Term::Release(c, d)) if !and && b == d => {
                        let inner = self.junction(false, vec![a, c]);
                        self.temporal(false, Some(inner), b)
                    }
                    _ => continue,
                };
                return Some((i, j, joined));
            }
        }
        None
    }

    /// If it holds later, it holds now: `F f` is `f` (Etessami and Holzmann 2000).
    fn is_eventual(&self, id: Id) -> bool {
        self.is_made_of(id, &|term| matches!(term, Term::Until(TRUE, _)))
    }

    /// If it holds now, it holds later: `G f` is `f`.
    fn is_universal(&self, id: Id) -> bool {
        self.is_made_of(id, &|term| matches!(term, Term::Release(FALSE, _)))
    }

    /// Every literal is below a term that `is` accepts.
    fn is_made_of(&self, id: Id, is: &dyn Fn(&Term) -> bool) -> bool {
        let below = |&part: &Id| self.is_made_of(part, is);
        match self.get(id) {
            Term::True | Term::False => true,
            term if is(term) => true,
            Term::Literal { .. } => false,
            Term::And(parts) | Term::Or(parts) => parts.iter().all(below),
            Term::Next(f) => below(f),
            Term::Until(f, g) | Term::Release(f, g) => below(f) && below(g),
        }
    }
}
