//! The linear programs: which transitions can rise together, and by how short steps back.

use std::time::Instant;

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOutcome, Variable};

use crate::net::{Net, Transition};

/// Weights stay within this, so that sums stay exact.
const MOST_WEIGHT: f64 = 100_000.0;
/// Denominators tried to make weights whole.
const MOST_FACTOR: i64 = 60;
/// How far from whole a scaled weight may be.
const NEARLY: f64 = 1e-6;

/// Weights under which as many transitions as possible rise.
pub(super) struct Rising {
    pub(super) weights: Vec<f64>,
    /// Which transitions rise.
    pub(super) rises: Vec<bool>,
}

/// Lets as many transitions rise by one or more as possible, none of them fall, and those that lead
/// back do what they must.
///
/// By Farkas' lemma exactly those can rise that no semiflow of transitions contains, those that lead
/// back left out; the cone of weights is convex, so all of them can at once.
pub(super) fn rising(net: &Net, leads_back: &[bool], deadline: Instant) -> Option<Rising> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let places = weights(net, &mut problem, 0.0);
    let mut rises = Vec::new();
    for (transition, &back) in net.transitions.iter().zip(leads_back) {
        if back {
            rises.push(None);
            continue;
        }
        let rise = problem.add_var(1.0, (0.0, 1.0));
        let mut step = step(transition, &places);
        step.add(rise, -1.0);
        problem.add_constraint(step, ComparisonOp::Ge, 0.0);
        rises.push(Some(rise));
    }
    let solution = solve(problem, deadline)?;
    let value = |variable: Variable| solution.var_value(variable);
    Some(Rising {
        weights: places.iter().map(|&place| value(place)).collect(),
        rises: rises.iter().map(|rise| rise.is_some_and(|rise| value(rise) > 0.5)).collect(),
    })
}

/// Keeps what rises rising by one or more, the rest but those that lead back from falling, and makes
/// the longest step back and the weights small.
pub(super) fn short_steps(
    net: &Net,
    leads_back: &[bool],
    rises: &[bool],
    deadline: Instant,
) -> Option<Vec<f64>> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let places = weights(net, &mut problem, 1e-3);
    let longest = problem.add_var(1.0, (0.0, f64::INFINITY));
    for (t, transition) in net.transitions.iter().enumerate() {
        let mut step = step(transition, &places);
        if leads_back[t] {
            step.add(longest, 1.0);
        }
        let least = if rises[t] && !leads_back[t] { 1.0 } else { 0.0 };
        problem.add_constraint(step, ComparisonOp::Ge, least);
    }
    let solution = solve(problem, deadline)?;
    Some(places.iter().map(|&place| solution.var_value(place)).collect())
}

/// A variable for the weight of each place; `cost` is what a weight of one costs.
fn weights(net: &Net, problem: &mut Problem, cost: f64) -> Vec<Variable> {
    // Weights of places may be negative: what is left to do counts down.
    let weight = |_| {
        let weight = problem.add_var(0.0, (-MOST_WEIGHT, MOST_WEIGHT));
        if cost > 0.0 {
            let size = problem.add_var(cost, (0.0, f64::INFINITY));
            for sign in [1.0, -1.0] {
                let mut over = LinearExpr::empty();
                over.add(size, 1.0);
                over.add(weight, sign);
                problem.add_constraint(over, ComparisonOp::Ge, 0.0);
            }
        }
        weight
    };
    net.places.iter().map(weight).collect()
}

/// What firing adds, as an expression in the weights.
fn step(transition: &Transition, places: &[Variable]) -> LinearExpr {
    let mut step = LinearExpr::empty();
    for (place, change) in transition.changes() {
        step.add(places[place.index()], change as f64);
    }
    step
}

fn solve(mut problem: Problem, deadline: Instant) -> Option<microlp::Solution> {
    problem.set_time_limit(deadline.checked_duration_since(Instant::now())?);
    match problem.solve().ok()? {
        SolveOutcome::Solution(solution) => Some(solution),
        SolveOutcome::Interrupted(_) => None,
    }
}

/// The weights as whole numbers, by the least factor that makes them so.
pub(super) fn integers(weights: &[f64]) -> Option<Vec<i64>> {
    (1..=MOST_FACTOR).find_map(|factor| {
        let scaled = weights.iter().map(|weight| weight * factor as f64);
        let whole = |weight: f64| {
            let near = weight.round();
            ((weight - near).abs() <= NEARLY * factor as f64).then_some(near as i64)
        };
        scaled.map(whole).collect()
    })
}
