//! The binding plan of a transition: in which order its variables are bound, and by what.
//!
//! A guard is tested as soon as its variables are bound. A guard `pattern = expression` binds as soon as its
//! expression can be computed. Otherwise a token is picked for a term of an input arc: first for the term with
//! the most variables that are already bound. A variable that nothing binds is enumerated over its colour set,
//! if that is small.

mod terms;

use sweepline_ml::core::{Expr, ExprKind, Pattern, VarId};
use sweepline_ml::{Delay, Environment, Prim};

use crate::explore::instance::Instance;
use crate::explore::transition::Form;
use crate::explore::trusted::trusted;
use crate::net::{Place, Shape, extend, shape};

pub(crate) use terms::delays;
use terms::{Term, terms};

/// How to bind the variables of a transition, as terms of the core language.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// All variables; those of the code segment are last.
    pub(crate) variables: Vec<VarId>,
    pub(crate) steps: Vec<PlanStep>,
    pub(crate) takes: Vec<PlanTake>,
    /// The number of picked tokens.
    pub(crate) picks: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum PlanStep {
    Pick { pick: usize, place: usize, needed: u64, matching: PlanMatch },
    Confirm { pick: usize, place: usize, expr: Expr },
    Let { value: Expr, matching: PlanMatch },
    Test(Expr),
    Each(VarId),
    Legal(VarId),
}

#[derive(Clone, Debug)]
pub(crate) struct PlanMatch {
    pub(crate) pattern: Pattern,
    pub(crate) inputs: Vec<VarId>,
    pub(crate) outputs: Vec<VarId>,
}

#[derive(Clone, Debug)]
pub(crate) struct PlanTake {
    pub(crate) place: usize,
    pub(crate) tokens: PlanTokens,
}

#[derive(Clone, Debug)]
pub(crate) enum PlanTokens {
    Picked { pick: usize, count: u64 },
    Counted { expr: Expr, count: u64 },
    Given { expr: Expr, form: Form },
}

/// A guard that has not been used yet.
struct Conjunct {
    expr: Expr,
    used: bool,
}

struct Planner<'e> {
    environment: &'e mut Environment,
    places: &'e [Place],
    plan: Plan,
    bound: Vec<VarId>,
    guard: Vec<Conjunct>,
    /// Picked tokens that must still be compared with the value of an expression: the pick, the place, and the
    /// expression.
    unconfirmed: Vec<(usize, usize, Expr)>,
}

/// Plans a transition. A variable that must be enumerated becomes a [`PlanStep::Each`]; whether its colour set
/// is small is checked later.
pub(crate) fn plan(
    environment: &mut Environment,
    places: &[Place],
    instance: Instance<'_>,
) -> Plan {
    let mut planner = Planner {
        guard: instance
            .behaviour
            .guard
            .iter()
            .map(|conjunct| Conjunct { expr: conjunct.expr.clone(), used: false })
            .collect(),
        environment,
        places,
        plan: Plan::default(),
        bound: Vec::new(),
        unconfirmed: Vec::new(),
    };
    let mut waiting: Vec<(usize, Term)> = Vec::new();
    for (place, inscription) in instance.inputs() {
        let terms = terms(planner.environment, inscription).into_iter();
        waiting.extend(terms.map(|term| (place, term)));
    }
    planner.settle();
    while let Some((next, part)) = planner.most_bound(&waiting) {
        match (&waiting[next], part) {
            ((place, Term::Given { parts, .. }), Some(part)) => {
                let (place, part) = (*place, parts[part].clone());
                planner.pick(place, part, 0);
            }
            _ => {
                let (place, term) = waiting.remove(next);
                planner.take(place, term);
            }
        }
        planner.settle();
    }
    planner.enumerate(instance, &waiting);
    for (place, term) in waiting {
        planner.take(place, term);
    }
    planner.add_code(instance);
    planner.plan
}

impl Planner<'_> {
    fn is_bound(&self, expr: &Expr) -> bool {
        self.environment.variables_in(expr).iter().all(|var| self.bound.contains(var))
    }

    /// The term, or part of a term, to pick a token for next: one that binds a variable, with the most
    /// variables already bound.
    fn most_bound(&self, waiting: &[(usize, Term)]) -> Option<(usize, Option<usize>)> {
        let mut best: Option<((usize, usize), usize, Option<usize>)> = None;
        for (number, (_, term)) in waiting.iter().enumerate() {
            let candidates = match term {
                Term::Token { .. } => vec![(None, term)],
                Term::Given { parts, .. } => {
                    parts.iter().enumerate().map(|(part, term)| (Some(part), term)).collect()
                }
            };
            for (part, term) in candidates {
                let rank = self.rank(term);
                if rank > best.map(|(rank, ..)| rank) {
                    best = rank.map(|rank| (rank, number, part));
                }
            }
        }
        best.map(|(_, number, part)| (number, part))
    }

    /// The preference of a term for the next pick. `None` if it binds nothing.
    fn rank(&self, term: &Term) -> Option<(usize, usize)> {
        let Term::Token { expr, pattern: (pattern, _), .. } = term else { return None };
        let binds = variables_of(pattern).iter().any(|var| !self.bound.contains(var));
        let variables = self.environment.variables_in(expr);
        let known = variables.iter().filter(|var| self.bound.contains(var)).count();
        binds.then_some((known, variables.len()))
    }

    /// Adds the tokens removed for a term, and a pick step if that binds a variable.
    fn take(&mut self, place: usize, term: Term) {
        let tokens = match term {
            Term::Given { expr, form, .. } => PlanTokens::Given { expr, form },
            Term::Token { ref expr, count, ref pattern } => {
                let binds = variables_of(&pattern.0).iter().any(|var| !self.bound.contains(var));
                match binds {
                    true => PlanTokens::Picked { pick: self.pick(place, term, count), count },
                    false => PlanTokens::Counted { expr: expr.clone(), count },
                }
            }
        };
        self.plan.takes.push(PlanTake { place, tokens });
    }

    /// Picks a colour with at least `needed` tokens. With zero, any colour.
    fn pick(&mut self, place: usize, term: Term, needed: u64) -> usize {
        let pick = self.plan.picks;
        self.plan.picks += 1;
        if let Term::Token { expr, pattern: (pattern, exact), .. } = term {
            let trusted = trusted(self.environment, &pattern, self.places[place].colour_set);
            let matching = self.matching(pattern);
            let outputs = matching.outputs.clone();
            self.bind(PlanStep::Pick { pick, place, needed, matching }, &outputs, &trusted);
            if !exact {
                self.unconfirmed.push((pick, place, expr));
            }
        }
        pick
    }

    fn matching(&self, pattern: Pattern) -> PlanMatch {
        let variables = variables_of(&pattern);
        let (inputs, outputs) = variables.into_iter().partition(|var| self.bound.contains(var));
        PlanMatch { pattern, inputs, outputs }
    }

    /// Adds a step that binds `outputs`, and checks that their values are legal, except for `trusted` ones.
    fn bind(&mut self, step: PlanStep, outputs: &[VarId], trusted: &[VarId]) {
        self.plan.steps.push(step);
        for &var in outputs {
            self.bound.push(var);
            if !trusted.contains(&var) {
                self.plan.steps.push(PlanStep::Legal(var));
            }
        }
    }

    /// Uses all guards that can be used now.
    fn settle(&mut self) {
        loop {
            let mut changed = false;
            for (pick, place, expr) in std::mem::take(&mut self.unconfirmed) {
                if self.is_bound(&expr) {
                    self.plan.steps.push(PlanStep::Confirm { pick, place, expr });
                } else {
                    self.unconfirmed.push((pick, place, expr));
                }
            }
            for number in 0..self.guard.len() {
                changed |= !self.guard[number].used && self.use_guard(number);
            }
            if !changed {
                return;
            }
        }
    }

    fn use_guard(&mut self, number: usize) -> bool {
        let expr = self.guard[number].expr.clone();
        let step = if self.is_bound(&expr) {
            Some((PlanStep::Test(expr), Vec::new()))
        } else {
            self.binding_guard(&expr)
        };
        let Some((step, outputs)) = step else { return false };
        self.bind(step, &outputs, &[]);
        self.guard[number].used = true;
        true
    }

    /// A guard `pattern = expression` or `expression = pattern` whose expression can be computed.
    fn binding_guard(&mut self, expr: &Expr) -> Option<(PlanStep, Vec<VarId>)> {
        let ExprKind::Prim { op: Prim::Equal, args, .. } = &expr.kind else { return None };
        let [left, right] = &args[..] else { return None };
        for (pattern, value) in [(left, right), (right, left)] {
            if !self.is_bound(value) {
                continue;
            }
            if let Shape { pattern, is_exact: true, .. } = shape(self.environment, pattern) {
                let matching = self.matching(pattern);
                let outputs = matching.outputs.clone();
                return Some((PlanStep::Let { value: value.clone(), matching }, outputs));
            }
        }
        None
    }

    /// Enumerates the variables that nothing binds.
    fn enumerate(&mut self, instance: Instance<'_>, waiting: &[(usize, Term)]) {
        let mut needed = Vec::new();
        let mut need = |environment: &Environment, expr: &Expr| {
            needed.extend(environment.variables_in(expr));
        };
        self.guard.iter().filter(|g| !g.used).for_each(|g| need(self.environment, &g.expr));
        self.unconfirmed.iter().for_each(|(_, _, expr)| need(self.environment, expr));
        for (_, term) in waiting {
            match term {
                Term::Token { expr, .. } | Term::Given { expr, .. } => need(self.environment, expr),
            }
        }
        let behaviour = instance.behaviour;
        let outputs = behaviour.code.as_ref().map_or(&[][..], |code| &code.output);
        let code = behaviour.code.iter().map(|code| &code.action);
        let delay = behaviour.delay.iter().map(Delay::expr);
        let given = instance.outputs().map(|(_, inscription)| &inscription.expr);
        code.chain(given).chain(delay).for_each(|expr| need(self.environment, expr));
        for var in needed {
            if !self.bound.contains(&var) && !outputs.contains(&var) {
                self.plan.steps.push(PlanStep::Each(var));
                self.bound.push(var);
                self.settle();
            }
        }
        self.settle();
    }

    fn add_code(&mut self, instance: Instance<'_>) {
        self.plan.variables.clone_from(&self.bound);
        let outputs = instance.behaviour.code.iter().flat_map(|code| &code.output);
        extend(&mut self.plan.variables, outputs.copied());
    }
}

/// The variables of a pattern, each once.
fn variables_of(pattern: &Pattern) -> Vec<VarId> {
    let mut once = Vec::new();
    extend(&mut once, pattern.variables());
    once
}
