//! The order in which the variables of a transition are bound: conditions as soon as they can be decided,
//! equalities as soon as they give a value, then the input arc with the fewest colours to try.

use super::super::SymmetricNet;
use super::super::sort::Colour;
use super::super::term::{Bag, Guard, Term, VariableId};
use super::pattern::{Atom, Pattern, Prepared, pattern};
use super::reached::Reached;
use crate::query::Comparison;

/// One step of a search.
pub(super) enum Step<'n> {
    /// The condition must hold.
    Test(&'n Guard),
    /// The pattern must match the value.
    Solve(Pattern<'n>, &'n Term),
    /// The colour must be possible in the place.
    Has(usize, &'n Term),
    /// All colours of the multiset must be possible in the place.
    HasAll(usize, &'n Bag),
    /// Tries the colours of the place that match a pattern, by an index and the terms of its key.
    Choose { atom: usize, index: Option<(usize, Vec<&'n Term>)> },
    /// Tries all colours of the variable.
    Range(VariableId, Colour),
}

/// The steps of a search.
pub(super) struct Plan<'n> {
    pub(super) steps: Vec<Step<'n>>,
    /// The number of colours when the plan was made.
    pub(super) made_at: usize,
    /// The cost of planning, in steps of the search.
    pub(super) effort: u64,
}

impl<'n> Plan<'n> {
    /// Plans the search for the bindings in which the pattern `start` has been matched, or for all.
    pub(super) fn new(
        net: &SymmetricNet,
        prepared: &Prepared<'n>,
        start: Option<usize>,
        reached: &mut [Reached],
        made_at: usize,
    ) -> Self {
        let mut planner = Planner {
            net,
            prepared,
            reached,
            bound: vec![false; net.variables.len()],
            guards: prepared.guards.clone(),
            atoms: (0..prepared.atoms.len()).collect(),
            bags: prepared.bags.clone(),
            steps: Vec::new(),
            effort: net.variables.len() as u64,
        };
        if let Some(atom) = start {
            planner.take(atom);
        }
        while planner.advance() {}
        Plan { steps: planner.steps, made_at, effort: planner.effort }
    }
}

struct Planner<'p, 'n> {
    net: &'p SymmetricNet,
    prepared: &'p Prepared<'n>,
    reached: &'p mut [Reached],
    bound: Vec<bool>,
    /// The remaining work.
    guards: Vec<&'n Guard>,
    atoms: Vec<usize>,
    bags: Vec<(usize, &'n Bag)>,
    steps: Vec<Step<'n>>,
    effort: u64,
}

impl<'n> Planner<'_, 'n> {
    /// Adds steps; `false` if nothing is left to do.
    fn advance(&mut self) -> bool {
        self.effort += (self.guards.len() + self.atoms.len() + self.bags.len() + 1) as u64;
        self.decide();
        if self.solve() {
            return true;
        }
        if let Some(atom) = self.most_selective() {
            let index = self.index(atom);
            self.take(atom);
            self.steps.push(Step::Choose { atom, index });
            return true;
        }
        let variables = self.prepared.transition.variables.iter();
        let free = variables.filter(|variable| !self.bound[variable.index()]);
        let size =
            |variable: &VariableId| self.net.sorts.size(self.net.variables[variable.index()].sort);
        let Some(&least) = free.min_by_key(|&variable| size(variable)) else { return false };
        self.steps.push(Step::Range(least, size(&least)));
        self.bound[least.index()] = true;
        true
    }

    /// Adds tests of everything that the bound variables decide.
    fn decide(&mut self) {
        let Self { bound, steps, guards, atoms, bags, prepared, .. } = self;
        guards.retain(|guard| {
            let ready = all_bound(bound, |f| guard.variables(f));
            if ready {
                steps.push(Step::Test(guard));
            }
            !ready
        });
        atoms.retain(|&atom| {
            let Atom { place, pattern, term } = &prepared.atoms[atom];
            let ready = all_bound(bound, |f| pattern.variables(f));
            if let Some(term) = term.filter(|_| ready) {
                steps.push(Step::Has(*place, term));
            }
            !ready
        });
        bags.retain(|&(place, bag)| {
            let ready = all_bound(bound, |f| bag.variables(f));
            if ready {
                steps.push(Step::HasAll(place, bag));
            }
            !ready
        });
    }

    /// Uses an equation with one known side to bind variables of the other side.
    fn solve(&mut self) -> bool {
        for position in 0..self.guards.len() {
            let Guard::Compare(left, Comparison::Equal, right) = self.guards[position] else {
                continue;
            };
            for (value, unknown) in [(left, right), (right, left)] {
                let pattern = pattern(unknown);
                let known = all_bound(&self.bound, |f| value.variables(f));
                if known && self.gain(&pattern) {
                    // The condition stays: it is tested when all its variables are bound.
                    self.bind(&pattern);
                    self.steps.push(Step::Solve(pattern, value));
                    return true;
                }
            }
        }
        false
    }

    /// The pattern with the fewest colours to try that binds a variable.
    fn most_selective(&mut self) -> Option<usize> {
        let candidates = self.atoms.iter().filter(|&&a| self.gain(&self.prepared.atoms[a].pattern));
        candidates.copied().min_by_key(|&atom| self.estimate(atom))
    }

    /// About how many colours must be tried.
    fn estimate(&self, atom: usize) -> u64 {
        let Atom { place, pattern, .. } = &self.prepared.atoms[atom];
        let mut left = self.reached[*place].len() as u64;
        if let Pattern::Tuple(sort, patterns) = pattern {
            let parts = self.net.sorts.parts(*sort).unwrap_or_default();
            for (&part, pattern) in parts.iter().zip(patterns) {
                if self.key(pattern).is_some() {
                    left /= self.net.sorts.size(part);
                }
            }
        }
        left
    }

    /// The term of a component that is known.
    fn key(&self, pattern: &Pattern<'n>) -> Option<&'n Term> {
        match pattern {
            Pattern::Term(term) => all_bound(&self.bound, |f| term.variables(f)).then_some(term),
            Pattern::Any | Pattern::Tuple(..) => None,
        }
    }

    /// An index by the components that are known.
    fn index(&mut self, atom: usize) -> Option<(usize, Vec<&'n Term>)> {
        let Atom { place, pattern: Pattern::Tuple(_, patterns), .. } = &self.prepared.atoms[atom]
        else {
            return None;
        };
        let keys = patterns.iter().enumerate().filter_map(|(n, p)| Some((n, self.key(p)?)));
        let (positions, terms): (Vec<usize>, Vec<&'n Term>) = keys.unzip();
        if positions.is_empty() {
            return None;
        }
        self.effort += self.reached[*place].len() as u64;
        Some((self.reached[*place].index(&self.net.sorts, &positions), terms))
    }

    /// Marks a pattern as matched.
    fn take(&mut self, atom: usize) {
        let pattern = &self.prepared.atoms[atom].pattern;
        self.bind(pattern);
        // If a part of it could not be inverted, it stays, to be compared later.
        let (mut binds, mut occurs) = (0, 0);
        pattern.binds(&mut |_| binds += 1);
        pattern.variables(&mut |_| occurs += 1);
        if binds == occurs {
            self.atoms.retain(|&other| other != atom);
        }
    }

    fn gain(&self, pattern: &Pattern<'_>) -> bool {
        let mut gain = false;
        pattern.binds(&mut |variable| gain |= !self.bound[variable.index()]);
        gain
    }

    fn bind(&mut self, pattern: &Pattern<'_>) {
        pattern.binds(&mut |variable| self.bound[variable.index()] = true);
    }
}

fn all_bound(bound: &[bool], variables: impl FnOnce(&mut dyn FnMut(VariableId))) -> bool {
    let mut all = true;
    variables(&mut |variable| all &= bound[variable.index()]);
    all
}
