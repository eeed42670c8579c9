//! The linear programs: whether the state equation allows some inequalities, and why not.

use microlp::{
    ComparisonOp, Error, LinearExpr, OptimizationDirection, Problem, Solution, SolveOutcome,
};
use sweepline_query::PlaceId;

use super::certificate::Certificate;
use super::effort::StructureEffort;
use super::linear::Row;
use super::system::System;

/// Larger programs are not tried: numbers in the matrix.
const MOST_TERMS: usize = 60_000;
/// Steps for each row of a program, apart from its numbers.
const OF_ROW: u64 = 10;
/// Maximal denominator of a rational number that is recognised.
const DENOMINATOR: f64 = 5_000.0;
/// Factors up to this are tried to make weights whole.
const FACTOR: i128 = 1 << 40;
/// Numbers below this are zero.
const TINY: f64 = 1e-9;

/// What the state equation says of some inequalities.
pub(super) enum Relaxed {
    /// A solution with fractions.
    Marking(Vec<f64>),
    /// There seems to be none.
    Infeasible,
    /// Not known.
    Unknown,
}

/// A solution of `m = m0 + C x`, `m, x >= 0` and the inequalities, with few firings `x`.
pub(super) fn relaxed(system: &System, rows: &[Row], effort: &StructureEffort) -> Relaxed {
    if afford(system, rows, effort).is_none() {
        return Relaxed::Unknown;
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let firings: Vec<_> =
        system.columns.iter().map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
    for (place, row) in system.rows.iter().enumerate() {
        if row.iter().any(|&(_, change)| change < 0) {
            let terms = row.iter().map(|&(c, change)| (firings[c as usize], change as f64));
            let least = -(system.initial[place] as f64);
            problem.add_constraint(terms.collect::<Vec<_>>(), ComparisonOp::Ge, least);
        }
    }
    let mut sums = vec![0i128; system.columns.len()];
    for row in rows {
        let Some((terms, bound)) = of_firings(system, row, &mut sums) else {
            return Relaxed::Unknown;
        };
        if terms.is_empty() {
            if bound < 0 {
                return Relaxed::Infeasible;
            }
            continue;
        }
        let terms: Vec<_> =
            terms.into_iter().map(|(c, n)| (firings[c as usize], n as f64)).collect();
        problem.add_constraint(terms, ComparisonOp::Le, bound as f64);
    }
    match solve(problem, effort) {
        Ok(solution) => {
            let mut marking: Vec<f64> = system.initial.iter().map(|&n| n as f64).collect();
            for (column, &firing) in system.columns.iter().zip(&firings) {
                let times = solution.var_value(firing);
                for &(place, change) in column {
                    marking[place as usize] += times * change as f64;
                }
            }
            Relaxed::Marking(marking)
        }
        Err(Some(Error::Infeasible)) => Relaxed::Infeasible,
        Err(_) => Relaxed::Unknown,
    }
}

/// A verified reason why the inequalities have no solution.
pub(super) fn certificate(
    system: &System,
    rows: &[Row],
    effort: &StructureEffort,
) -> Option<Certificate> {
    afford(system, rows, effort)?;
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let factors: Vec<_> = rows.iter().map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
    let slacks: Vec<_> =
        (0..system.n_places()).map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
    let mut change: Vec<LinearExpr> = system.columns.iter().map(|_| LinearExpr::empty()).collect();
    let mut gap = LinearExpr::empty();
    for (place, row) in system.rows.iter().enumerate() {
        row.iter().for_each(|&(c, n)| change[c as usize].add(slacks[place], -(n as f64)));
        if system.initial[place] > 0 {
            gap.add(slacks[place], -(system.initial[place] as f64));
        }
    }
    let mut sums = vec![0i128; system.columns.len()];
    for (row, &factor) in rows.iter().zip(&factors) {
        let (terms, bound) = of_firings(system, row, &mut sums)?;
        terms.into_iter().for_each(|(c, n)| change[c as usize].add(factor, n as f64));
        gap.add(factor, -(bound as f64));
    }
    change.into_iter().for_each(|sum| problem.add_constraint(sum, ComparisonOp::Ge, 0.0));
    problem.add_constraint(gap, ComparisonOp::Ge, 1.0);
    let solution = solve(problem, effort).ok()?;
    let values = factors.iter().chain(&slacks).map(|&v| solution.var_value(v));
    let values = integers(&values.collect::<Vec<f64>>())?;
    let (factors, slacks) = values.split_at(rows.len());
    let mut weights: Vec<i128> = slacks.iter().map(|&n| -n).collect();
    for (row, &factor) in rows.iter().zip(factors) {
        for &(place, weight) in &row.terms {
            let sum = &mut weights[place.index()];
            *sum = sum.checked_add(weight.checked_mul(factor)?)?;
        }
    }
    let weights: Vec<_> =
        (0..).map(PlaceId).zip(weights).filter(|&(_, weight)| weight != 0).collect();
    let used = rows.iter().cloned().zip(factors.iter().copied()).filter(|&(_, n)| n != 0);
    Certificate::verified(system, &weights, used.collect())
}

/// The inequality over firings that follows by the state equation; `sums` is zero before and after.
fn of_firings(system: &System, row: &Row, sums: &mut [i128]) -> Option<(Vec<(u32, i128)>, i128)> {
    let (mut touched, mut bound) = (Vec::new(), Some(row.bound));
    let mut exact = true;
    for &(place, weight) in &row.terms {
        let tokens = i128::from(system.initial[place.index()]);
        bound = bound.and_then(|bound| bound.checked_sub(weight.checked_mul(tokens)?));
        for &(column, change) in &system.rows[place.index()] {
            let sum = &mut sums[column as usize];
            let term = weight.checked_mul(change).and_then(|term| sum.checked_add(term));
            exact &= term.is_some();
            *sum = term.unwrap_or(0);
            touched.push(column);
        }
    }
    touched.sort_unstable();
    touched.dedup();
    let take = |column: u32| (column, std::mem::take(&mut sums[column as usize]));
    let terms = touched.into_iter().map(take).filter(|&(_, n)| n != 0).collect();
    Some((terms, bound.filter(|_| exact)?))
}

/// Takes the steps that a program is expected to need.
fn afford(system: &System, rows: &[Row], effort: &StructureEffort) -> Option<()> {
    let own: usize = rows.iter().map(|row| row.terms.len()).sum();
    let terms = system.n_terms + own;
    if terms > MOST_TERMS {
        return None;
    }
    let size = (terms + rows.len() + system.n_places()) as u64;
    effort.take(size.saturating_mul(size / 8 + OF_ROW))
}

/// The solution of a program; `Err(None)` if there was no time.
fn solve(mut problem: Problem, effort: &StructureEffort) -> Result<Solution, Option<Error>> {
    problem.set_time_limit(effort.time_left());
    match problem.solve().map_err(Some)? {
        SolveOutcome::Solution(solution) => Ok(solution),
        SolveOutcome::Interrupted(_) => Err(None),
    }
}

/// Whole numbers in the proportions of these, where all are rational numbers with small denominators.
fn integers(values: &[f64]) -> Option<Vec<i128>> {
    let least = values.iter().map(|v| v.abs()).filter(|v| *v > TINY).fold(f64::INFINITY, f64::min);
    if !least.is_finite() {
        return None;
    }
    let scaled = || values.iter().map(|v| if v.abs() > TINY { v / least } else { 0.0 });
    let factor = scaled().try_fold(1i128, |factor, value| {
        let (_, denominator) = rational(value)?;
        let factor = num_integer::lcm(factor, denominator);
        (factor <= FACTOR).then_some(factor)
    })?;
    let whole = |value: f64| {
        let (numerator, denominator) = rational(value)?;
        numerator.checked_mul(factor / denominator)
    };
    scaled().map(whole).collect()
}

/// The simplest rational number next to a number, by its continued fraction.
fn rational(value: f64) -> Option<(i128, i128)> {
    if value.abs() > 1e15 {
        return None;
    }
    let near = 1e-7 * value.abs().max(1.0);
    let ((mut p0, mut q0), (mut p1, mut q1)) = ((0i128, 1i128), (1i128, 0i128));
    let mut rest = value;
    while (q1 as f64) <= DENOMINATOR {
        let whole = rest.floor();
        let next = |a: i128, b: i128| (whole as i128).checked_mul(a)?.checked_add(b);
        ((p0, q0), (p1, q1)) = ((p1, q1), (next(p1, p0)?, next(q1, q0)?));
        if (p1 as f64 / q1 as f64 - value).abs() <= near {
            return Some((p1, q1));
        }
        rest = 1.0 / (rest - whole);
        if !rest.is_finite() {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_recognised() {
        assert_eq!(rational(0.0), Some((0, 1)));
        assert_eq!(rational(2.0 / 7.0), Some((2, 7)));
        assert_eq!(rational(-1.5), Some((-3, 2)));
        assert_eq!(integers(&[0.5, 1.0 / 3.0, 0.0]), Some(vec![3, 2, 0]));
        assert_eq!(integers(&[0.0]), None);
    }
}
