//! The linear programs: which effects can rise together, by how short steps back, and which rays
//! raise few of them.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOutcome, Variable};

use super::{Effort, effects};
use crate::progress::features::Effect;

/// Weights stay within this, so that sums stay exact.
const MOST_WEIGHT: f64 = 10_000.0;
/// Denominators tried to make weights whole.
const MOST_FACTOR: i64 = 840;
/// A safety net: what is usual stays far below.
const SAFETY: Duration = Duration::from_secs(10);
/// How far from whole a scaled weight may be.
const NEARLY: f64 = 1e-6;

/// The work that is left for linear programs.
pub(super) struct Work<'a> {
    pub(super) steps: u64,
    pub(super) effort: &'a Effort,
}

impl Work<'_> {
    pub(super) fn is_done(&self) -> bool {
        self.steps == 0 || self.effort.is_over()
    }

    fn solve(&self, mut problem: Problem) -> Option<microlp::Solution> {
        problem.set_time_limit(self.effort.time_left().unwrap_or(SAFETY).min(SAFETY));
        match problem.solve().ok()? {
            SolveOutcome::Solution(solution) => Some(solution),
            SolveOutcome::Interrupted(_) => None,
        }
    }
}

/// The effects with features of one class taken together, and equal ones only once.
pub(super) struct Quotient {
    /// The class of each feature.
    class: Vec<usize>,
    classes: usize,
    /// What each distinct effect changes, by class.
    rows: Vec<Vec<(usize, i64)>>,
    /// The row of each effect.
    pub(super) row: Vec<usize>,
}

impl Quotient {
    pub(super) fn new(effects: &[Effect], class: Vec<usize>) -> Self {
        let mut numbers: HashMap<Vec<(usize, i64)>, usize> = HashMap::new();
        let mut rows = Vec::new();
        let sum = |effect: &Effect| {
            let mut sum: BTreeMap<usize, i64> = BTreeMap::new();
            for &(feature, change) in effect {
                let total = sum.entry(class[feature]).or_default();
                *total = total.saturating_add(change);
            }
            sum.into_iter().filter(|&(_, change)| change != 0).collect::<Vec<_>>()
        };
        let number = |effect: &Effect| {
            *numbers.entry(sum(effect)).or_insert_with_key(|row| {
                rows.push(row.clone());
                rows.len() - 1
            })
        };
        let row = effects.iter().map(number).collect();
        Quotient { classes: effects::count(&class), class, rows, row }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Takes the steps that a program is expected to need from `work`; `None` where they are not left.
    fn afford(&self, work: &mut Work<'_>) -> Option<()> {
        let terms = self.rows.iter().map(|row| row.len() + 1).sum::<usize>() + 2 * self.classes;
        // As measured on nets with 10 to 1,000 transitions.
        let steps = 4 * (terms as u64).saturating_mul(terms as u64);
        work.steps = work.steps.checked_sub(steps)?;
        (!work.effort.is_over()).then_some(())
    }

    /// The effects of this row change some class.
    pub(super) fn moves(&self, row: usize) -> bool {
        !self.rows[row].is_empty()
    }

    /// Whole weights of features from weights of classes.
    fn whole(&self, weights: &[f64]) -> Option<Vec<i64>> {
        let whole = integers(weights)?;
        Some(self.class.iter().map(|&class| whole[class]).collect())
    }

    /// Lets as many rows rise by one or more as possible, none of them fall, and those that lead
    /// back do what they must: which rise.
    ///
    /// By Farkas' lemma exactly those can rise that no cycle of effects contains, those that lead
    /// back left out; the cone of weights is convex, so all of them can at once.
    pub(super) fn rising(&self, leads_back: &[bool], work: &mut Work<'_>) -> Option<Vec<bool>> {
        self.afford(work)?;
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let weights = self.weights(&mut problem, 0.0);
        let mut rises = Vec::new();
        for (row, &back) in self.rows.iter().zip(leads_back) {
            if back {
                rises.push(None);
                continue;
            }
            let rise = problem.add_var(1.0, (0.0, 1.0));
            let mut step = step(row, &weights);
            step.add(rise, -1.0);
            problem.add_constraint(step, ComparisonOp::Ge, 0.0);
            rises.push(Some(rise));
        }
        let solution = work.solve(problem)?;
        let rises =
            rises.iter().map(|rise| rise.is_some_and(|rise| solution.var_value(rise) > 0.5));
        Some(rises.collect())
    }

    /// Keeps what rises rising by one or more, the rest but those that lead back from falling, and
    /// makes the longest step back and the weights small.
    pub(super) fn short_steps(
        &self,
        leads_back: &[bool],
        rises: &[bool],
        work: &mut Work<'_>,
    ) -> Option<Vec<i64>> {
        self.afford(work)?;
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let weights = self.weights(&mut problem, 1e-3);
        let longest = problem.add_var(1.0, (0.0, f64::INFINITY));
        for (number, row) in self.rows.iter().enumerate() {
            let mut step = step(row, &weights);
            if leads_back[number] {
                step.add(longest, 1.0);
            }
            let least = if rises[number] && !leads_back[number] { 1.0 } else { 0.0 };
            problem.add_constraint(step, ComparisonOp::Ge, least);
        }
        self.solution(problem, &weights, work)
    }

    /// Raises `raised` and as little else as possible, and lowers nothing.
    pub(super) fn ray(&self, raised: usize, work: &mut Work<'_>) -> Option<Vec<i64>> {
        self.afford(work)?;
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let weights = self.weights(&mut problem, 1e-3);
        for (number, row) in self.rows.iter().enumerate() {
            let rise = problem.add_var(1.0, (0.0, f64::INFINITY));
            let mut step = step(row, &weights);
            step.add(rise, -1.0);
            problem.add_constraint(step, ComparisonOp::Eq, 0.0);
            if number == raised {
                problem.add_constraint([(rise, 1.0)], ComparisonOp::Ge, 1.0);
            }
        }
        self.solution(problem, &weights, work)
    }

    fn solution(
        &self,
        problem: Problem,
        weights: &[Variable],
        work: &Work<'_>,
    ) -> Option<Vec<i64>> {
        let solution = work.solve(problem)?;
        let weights: Vec<f64> = weights.iter().map(|&weight| solution.var_value(weight)).collect();
        self.whole(&weights)
    }

    /// A variable for the weight of each class; `cost` is what a weight of one costs.
    fn weights(&self, problem: &mut Problem, cost: f64) -> Vec<Variable> {
        // Weights may be negative: what is left to do counts down.
        let weight = |_| {
            let weight = problem.add_var(0.0, (-MOST_WEIGHT, MOST_WEIGHT));
            if cost > 0.0 {
                let size = problem.add_var(cost, (0.0, f64::INFINITY));
                for sign in [1.0, -1.0] {
                    problem.add_constraint([(size, 1.0), (weight, sign)], ComparisonOp::Ge, 0.0);
                }
            }
            weight
        };
        (0..self.classes).map(weight).collect()
    }
}

/// What a row adds, as an expression in the weights.
fn step(row: &[(usize, i64)], weights: &[Variable]) -> LinearExpr {
    let mut step = LinearExpr::empty();
    for &(class, change) in row {
        step.add(weights[class], change as f64);
    }
    step
}

/// The weights as whole numbers, by the least factor that makes them so.
fn integers(weights: &[f64]) -> Option<Vec<i64>> {
    (1..=MOST_FACTOR).find_map(|factor| {
        let whole = |weight: &f64| {
            let scaled = weight * factor as f64;
            let near = scaled.round();
            ((scaled - near).abs() <= NEARLY * factor as f64).then_some(near as i64)
        };
        weights.iter().map(whole).collect()
    })
}
