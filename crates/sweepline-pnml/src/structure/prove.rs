//! The search for a proof: linear programs, traps, and a few cases.

use std::cell::Cell;

use num_integer::lcm;
use sweepline_query::{Comparison, Expr, Node, PlaceId, Predicate};

use super::certificate::Certificate;
use super::effort::StructureEffort;
use super::linear::{Choice, Conjunction, Row, enabled};
use super::program::{Relaxed, certificate, relaxed};
use super::system::System;
use super::trap::Traps;
use crate::model::NetModel;
use crate::net::{Net, TransitionId};

/// Linear programs for one condition, at most.
const MOST_PROGRAMS: u32 = 400;
/// Nested cases, at most.
const MOST_DEPTH: u32 = 24;
/// Parts of a choice, at most.
const MOST_PARTS: usize = 400;
/// A solution that is nearer to an inequality satisfies it.
const NEAR: f64 = 1e-6;

/// A proof that no reachable marking satisfies a condition.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The condition contradicts itself, or needs a transition without inputs to be disabled.
    Absurd,
    /// The inequalities in the condition contradict the state equation.
    Sum(Certificate),
    /// Every reachable marking that satisfies the condition satisfies the inequality, too.
    Implied {
        /// The inequality.
        row: Row,
        /// Why it follows.
        reason: Reason,
        /// The proof with it.
        then: Box<Proof>,
    },
    /// Every marking that satisfies the condition satisfies one of these as well.
    Cases(Vec<(Predicate, Proof)>),
}

/// Why an inequality follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// These places are a trap, marked at the start: some of them is always marked.
    Trap(Vec<PlaceId>),
    /// The condition needs the transition to be disabled, and its input places have bounds by place invariants.
    Disabled(TransitionId),
}

impl Proof {
    /// The certificates, in order.
    pub fn certificates(&self) -> Vec<&Certificate> {
        match self {
            Proof::Absurd => Vec::new(),
            Proof::Sum(certificate) => vec![certificate],
            Proof::Implied { then, .. } => then.certificates(),
            Proof::Cases(cases) => {
                cases.iter().flat_map(|(_, proof)| proof.certificates()).collect()
            }
        }
    }

    /// The traps that are used, in order.
    pub fn traps(&self) -> Vec<&[PlaceId]> {
        match self {
            Proof::Absurd | Proof::Sum(_) => Vec::new(),
            Proof::Implied { reason: Reason::Trap(places), then, .. } => {
                [vec![&places[..]], then.traps()].concat()
            }
            Proof::Implied { then, .. } => then.traps(),
            Proof::Cases(cases) => cases.iter().flat_map(|(_, proof)| proof.traps()).collect(),
        }
    }
}

/// Looks for proofs.
pub(super) struct Prover<'a> {
    model: &'a NetModel,
    system: &'a System,
    traps: &'a Traps<'a>,
    effort: &'a StructureEffort,
    programs: Cell<u32>,
}

impl<'a> Prover<'a> {
    pub(super) fn new(
        model: &'a NetModel,
        system: &'a System,
        traps: &'a Traps<'a>,
        effort: &'a StructureEffort,
    ) -> Self {
        Prover { model, system, traps, effort, programs: Cell::new(MOST_PROGRAMS) }
    }

    fn net(&self) -> &'a Net {
        self.model.net()
    }

    /// A proof that no reachable marking satisfies all of the conditions.
    pub(super) fn prove(&self, conditions: &[Predicate]) -> Option<Proof> {
        let starts = sweepline::model::initial(self.model);
        let holds = |start| conditions.iter().all(|part| part.holds(&self.model.view(start)));
        if starts.iter().any(holds) {
            return None;
        }
        let mut all = Conjunction::default();
        match conditions.iter().all(|part| all.add(self.net(), part).is_some()) {
            false => Some(Proof::Absurd),
            true => self.search(all, 0),
        }
    }

    fn search(&self, mut all: Conjunction, depth: u32) -> Option<Proof> {
        let mut implied: Vec<(Row, Reason)> = Vec::new();
        let proof = loop {
            let left = self.programs.get().checked_sub(1)?;
            self.programs.set(left);
            let marking = match relaxed(self.system, &all.rows, self.effort) {
                Relaxed::Unknown => return None,
                Relaxed::Infeasible => {
                    break Proof::Sum(certificate(self.system, &all.rows, self.effort)?);
                }
                Relaxed::Marking(marking) => marking,
            };
            let further = self.further(&all, &marking);
            if further.is_empty() {
                break self.cases(&all, &marking, depth)?;
            }
            all.rows.extend(further.iter().map(|(row, _)| row.clone()));
            implied.extend(further);
        };
        let wrap = |then, (row, reason)| Proof::Implied { row, reason, then: Box::new(then) };
        Some(implied.into_iter().rev().fold(proof, wrap))
    }

    /// Inequalities that follow, and that the solution violates.
    fn further(&self, all: &Conjunction, marking: &[f64]) -> Vec<(Row, Reason)> {
        let disabled = all.choices.iter().filter_map(|choice| match choice {
            Choice::Disabled(transition) => {
                Some((self.disabled(*transition)?, Reason::Disabled(*transition)))
            }
            _ => None,
        });
        let mut further: Vec<_> = disabled.filter(|(row, _)| row.excess(marking) > NEAR).collect();
        let empty = marking.iter().map(|tokens| *tokens < NEAR).collect();
        if let Some(trap) = self.traps.marked(empty) {
            further.push((Row::some_token(&trap), Reason::Trap(trap)));
        }
        // By rounding, a solution may violate what it was computed with.
        further.retain(|(row, _)| !all.rows.contains(row));
        further
    }

    /// An inequality that follows from the bounds of the input places if the transition is disabled.
    ///
    /// If place `q` lacks tokens, it has at least `B(q) - w(q) + 1 = d(q)` tokens less than its bound, so the sum of
    /// `tokens / d` is at least one less than the sum of `B / d`.
    fn disabled(&self, transition: TransitionId) -> Option<Row> {
        let inputs = &self.net().transitions[transition.index()].inputs;
        let mut lacking = Vec::with_capacity(inputs.len());
        for &(place, weight) in inputs {
            let bound = i128::from(self.model.bounds()[place.index()]?);
            lacking.push((place, bound, bound - i128::from(weight) + 1));
        }
        // A place that never has enough tokens: the transition is always disabled.
        if lacking.iter().any(|&(_, _, d)| d <= 0) {
            return None;
        }
        let scale = lacking.iter().try_fold(1i128, |scale, &(_, _, d)| {
            Some(lcm(scale, d)).filter(|scale| *scale < 1 << 30)
        })?;
        let terms = lacking.iter().map(|&(place, _, d)| (place, scale / d)).collect();
        let most = lacking.iter().try_fold(0i128, |sum, &(_, bound, d)| {
            sum.checked_add(bound.checked_mul(scale / d)?)
        })?;
        Some(Row { terms, bound: most - scale })
    }

    /// A proof by cases for a choice that the solution does not make, or for a place with a fraction of a token.
    fn cases(&self, all: &Conjunction, marking: &[f64], depth: u32) -> Option<Proof> {
        if depth >= MOST_DEPTH {
            return None;
        }
        let open = |choice: &Choice| !self.is_made(choice, marking);
        let choices = all.choices.iter().enumerate().filter(|(_, choice)| open(choice));
        let best = choices.min_by_key(|(_, choice)| self.n_parts(choice));
        let (mut rest, parts) = (
            all.clone(),
            match best {
                Some((_, choice)) if self.n_parts(choice) > MOST_PARTS => return None,
                Some((_, choice)) => self.parts(choice)?,
                None => halves(marking)?,
            },
        );
        if let Some((number, _)) = best {
            rest.choices.remove(number);
        }
        let case = |part: Predicate| {
            let mut all = rest.clone();
            let proof = match all.add(self.net(), &part) {
                None => Proof::Absurd,
                Some(()) => self.search(all, depth + 1)?,
            };
            Some((part, proof))
        };
        parts.into_iter().map(case).collect::<Option<_>>().map(Proof::Cases)
    }

    /// Whether a solution with fractions satisfies one of the parts.
    fn is_made(&self, choice: &Choice, marking: &[f64]) -> bool {
        let enables =
            |t: &TransitionId| enabled(self.net(), *t).all(|row| row.excess(marking) <= NEAR);
        match choice {
            Choice::Any(parts) => parts.iter().any(|part| self.satisfies(part, marking)),
            Choice::Different(sum, value) => {
                let terms = sum.terms().iter().map(|&(c, p)| c as f64 * marking[p.index()]);
                (terms.sum::<f64>() - *value as f64).abs() >= 1.0 - NEAR
            }
            Choice::Fireable(transitions) => transitions.iter().any(enables),
            Choice::Disabled(transition) => {
                let inputs = &self.net().transitions[transition.index()].inputs;
                let lacks = |&(p, w): &(PlaceId, u64)| marking[p.index()] <= w as f64 - 1.0 + NEAR;
                inputs.iter().any(lacks)
            }
        }
    }

    fn satisfies(&self, condition: &Predicate, marking: &[f64]) -> bool {
        if let Node::All(parts) = condition.node() {
            return parts.iter().all(|part| self.satisfies(part, marking));
        }
        let mut all = Conjunction::default();
        all.add(self.net(), condition).is_some()
            && all.rows.iter().all(|row| row.excess(marking) <= NEAR)
            && all.choices.iter().all(|choice| self.is_made(choice, marking))
    }

    fn n_parts(&self, choice: &Choice) -> usize {
        match choice {
            Choice::Any(parts) => parts.len(),
            Choice::Different(..) => 2,
            Choice::Fireable(transitions) => transitions.len(),
            Choice::Disabled(t) => self.net().transitions[t.index()].inputs.len(),
        }
    }

    /// The parts of a choice as conditions.
    fn parts(&self, choice: &Choice) -> Option<Vec<Predicate>> {
        match choice {
            Choice::Any(parts) => Some(parts.clone()),
            Choice::Different(sum, value) => {
                let terms: Vec<_> = sum.terms().iter().map(|&(c, p)| (p.index(), c)).collect();
                let sum = Expr::weighted(&terms)?;
                let less = compare(&sum, Comparison::Less, *value)?;
                Some(vec![less, compare(&sum, Comparison::More, *value)?])
            }
            Choice::Fireable(transitions) => {
                Some(transitions.iter().map(|&t| Predicate::fireable([t])).collect())
            }
            Choice::Disabled(transition) => {
                let inputs = &self.net().transitions[transition.index()].inputs;
                let lacks = |&(p, weight): &(PlaceId, u64)| {
                    compare(&Expr::tokens([p]), Comparison::Less, weight.into())
                };
                inputs.iter().map(lacks).collect()
            }
        }
    }
}

/// A place with a fraction of a token has fewer tokens or more.
fn halves(marking: &[f64]) -> Option<Vec<Predicate>> {
    let fraction = |tokens: f64| (tokens - tokens.round()).abs();
    let split = (0..).map(PlaceId).zip(marking).find(|(_, tokens)| fraction(**tokens) > 1e-4);
    let (place, &tokens) = split.filter(|(_, tokens)| **tokens < 1e9)?;
    let (place, below) = (Expr::tokens([place]), tokens.floor() as i128);
    let less = compare(&place, Comparison::AtMost, below)?;
    Some(vec![less, compare(&place, Comparison::More, below)?])
}

fn compare(sum: &Expr, comparison: Comparison, value: i128) -> Option<Predicate> {
    Predicate::compare(sum, comparison, &Expr::constant(value).ok()?).ok()
}
