//! Handing reductions to a check: what a kind of model offers, and a word on what it does not.

use sweepline::Check;
use sweepline::select::{Actions, Sleep};

use crate::args::{Reductions, SleepBy};
use crate::front_end::Ask;

/// The reductions of a model that knows how its actions depend on each other.
pub(crate) fn by_actions<'a, M: Ask + Actions>(
    model: &'a M,
    mut check: Check<'a, M>,
    wanted: Reductions,
) -> Check<'a, M> {
    if wanted.stubborn {
        check = check.stubborn();
    }
    match wanted.sleep {
        None => check,
        Some(SleepBy::Known) => check.sleep(Sleep::of(model)),
        Some(SleepBy::Exact) => check.sleep(Sleep::of(model).or_exact()),
    }
}

/// What is said of models of which nothing else is known.
pub(crate) const UNKNOWN: &str =
    "it is not known which actions of this kind of model depend on each other";

/// The reductions of any model, of whose actions it is not known how they depend on each other, and `why`; a word into `words` on those that it does not offer.
pub(crate) fn by_successors<'a, M: Ask>(
    model: &'a M,
    check: Check<'a, M>,
    wanted: Reductions,
    words: &mut Vec<String>,
    why: &str,
) -> Check<'a, M> {
    if wanted.stubborn {
        words.push(format!("no stubborn sets: {why}"));
    }
    match wanted.sleep {
        None => check,
        Some(SleepBy::Known) => {
            words.push(format!("no sleep sets: {why}; `--sleep=exact` finds out"));
            check
        }
        Some(SleepBy::Exact) => {
            let transition_of = model.transition_of();
            check.sleep(Sleep::exact(move |action| transition_of(action) as u32))
        }
    }
}
