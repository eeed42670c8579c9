//! Counterexamples to formulas: lassos, checked before they are shown.

use super::evaluate::Lasso;
use super::product::{Product, ProductAction, ProductState};
use super::search::InLayer;
use crate::model::{Computed, Model, bytes_of, successors_by};
use crate::observe::{Broken, Step, Witness};
use crate::progress::{Progress, Value};

/// The most steps to search for a cycle where any one is accepting.
const STEPS: usize = 1_000_000;

/// A run of the product.
type Run<'a, M> = Witness<Product<'a, M>>;
type Successor<M> = (ProductAction<<M as Model>::Action>, ProductState<<M as Model>::State>);

/// Appends the cycle to `run`, which ends where it starts.
///
/// # Errors
///
/// When the model does not repeat the cycle.
pub(crate) fn around<'a, M: Model>(
    product: &Product<'a, M>,
    progress: &impl Progress<Product<'a, M>>,
    mut run: Run<'a, M>,
    cycle: &InLayer,
) -> Result<Run<'a, M>, Broken> {
    let (back, mut worker) = (run.len(), product.worker());
    for &edge in &cycle.edges {
        let broken = Broken { after: run.len() };
        let next = successors_by(product, &mut worker, run.last()).map_err(|_| broken.clone())?;
        let stays = |(_, state): &Successor<M>| {
            let mut value = Value::default();
            progress.measure(&mut worker, state, &mut value).is_ok() && value == cycle.value
        };
        let (action, state) = next.into_iter().filter(stays).nth(edge).ok_or(broken)?;
        run.steps.push(Step { action, state });
    }
    close(product, run, back)
}

/// The run with the steps from `back` on as its cycle.
///
/// # Errors
///
/// When it does not end where it started, or is not accepting.
pub(crate) fn close<'a, M: Model>(
    product: &Product<'a, M>,
    mut run: Run<'a, M>,
    back: usize,
) -> Result<Run<'a, M>, Broken> {
    let start = back.checked_sub(1).map_or(&run.initial, |last| &run.steps[last].state);
    let met = run.steps[back..].iter().fold(0, |met, step| met | step.action.marks);
    let acceptance = product.acceptance();
    let accepted = met & acceptance.all == acceptance.all && acceptance.missed(met) == 0;
    if bytes_of(product, run.last()) != bytes_of(product, start) || !accepted {
        return Err(Broken { after: run.len() });
    }
    run.back = Some(back);
    Ok(run)
}

/// Extends `run` by the first successor each time until a state repeats; `None` if that takes more than [`STEPS`]. Stores
/// no states: the cycle is found by walking at two speeds (Brent 1980).
///
/// # Errors
///
/// When a state has no successor: then not every run from the end of `run` is accepted.
pub(crate) fn onward<'a, M: Model>(
    product: &Product<'a, M>,
    mut run: Run<'a, M>,
) -> Result<Option<Run<'a, M>>, Broken> {
    let (after, mut worker) = (run.len(), product.worker());
    let mut step = |state: &ProductState<M::State>| {
        let next = successors_by(product, &mut worker, state).ok();
        next.and_then(|all| all.into_iter().next()).ok_or(Broken { after })
    };
    let same = |a: &ProductState<M::State>, b: &ProductState<M::State>| {
        bytes_of(product, a) == bytes_of(product, b)
    };
    let (mut slow, mut fast) = (run.last().clone(), step(run.last())?.1);
    let (mut power, mut length, mut taken) = (1, 1, 1);
    while !same(&slow, &fast) {
        if power == length {
            (slow, power, length) = (fast.clone(), 2 * power, 0);
        }
        fast = step(&fast)?.1;
        (length, taken) = (length + 1, taken + 1);
        if taken > STEPS {
            return Ok(None);
        }
    }
    let (mut slow, mut fast, mut before) = (run.last().clone(), run.last().clone(), 0);
    for _ in 0..length {
        fast = step(&fast)?.1;
    }
    while !same(&slow, &fast) {
        (slow, fast, before) = (step(&slow)?.1, step(&fast)?.1, before + 1);
    }
    run.back = Some(after + before);
    for _ in 0..before + length {
        let (action, state) = step(run.last())?;
        run.steps.push(Step { action, state });
    }
    Ok(Some(run))
}

/// The run of the model in a run of its product.
///
/// A step of a dead state to itself ends it: the cycle is that state alone.
pub(crate) fn of_model<M: Model>(run: Run<'_, M>) -> Witness<M> {
    let mut steps: Vec<Step<M>> = Vec::with_capacity(run.steps.len());
    let mut back = run.back;
    for step in run.steps {
        match step.action.action {
            Some(action) => steps.push(Step { action, state: step.state.state }),
            None => {
                back = Some(steps.len());
                break;
            }
        }
    }
    Witness { initial: run.initial.state, steps, back }
}

/// `run` violates the formula, by definition and not by the automaton.
pub(crate) fn violates<M: Model>(product: &Product<'_, M>, run: &Witness<M>) -> Computed<bool> {
    let Some(back) = run.back else { return Ok(false) };
    let states = std::iter::once(&run.initial).chain(run.steps.iter().map(|step| &step.state));
    let actions = run.steps.iter().map(|step| Some(&step.action)).chain([None]);
    let mut worker = product.worker();
    let letters =
        states.zip(actions).map(|(state, action)| product.letter(&mut worker, state, action));
    let mut letters = letters.collect::<Result<Vec<u64>, _>>()?;
    if back < run.len() {
        // The last state is the one at `back`, whose letter is there already.
        letters.pop();
    }
    let word = Lasso { letters, back };
    Ok(!product.formula().holds_on(&word, &|atom, letter| letter >> atom & 1 == 1))
}
