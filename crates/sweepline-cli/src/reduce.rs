//! Passes reductions to a check, with a note on each reduction that the model does not offer.

use sweepline::Check;
use sweepline::select::{Actions, Sleep};

use crate::args::{Reductions, SleepBy};
use crate::front_end::Ask;

/// The reductions of a model that declares which of its actions depend on each other.
pub(crate) fn by_actions<'a, M: Ask + Actions>(
    model: &'a M,
    mut check: Check<'a, M>,
    wanted: Reductions,
) -> Check<'a, M> {
    check = check.hunt_stubborn();
    if wanted.stubborn {
        check = check.stubborn();
    }
    match wanted.sleep {
        None => check,
        Some(SleepBy::Known) => check.sleep(Sleep::of(model)),
        Some(SleepBy::Exact) => check.sleep(Sleep::of(model).or_exact()),
    }
}

/// Why there are no stubborn sets for a model without declared dependences.
pub(crate) const UNKNOWN: &str =
    "sweepline does not know which actions of this model depend on each other";

/// The reductions of a model whose dependences are unknown because of `why`. `words` gets a note for each reduction that
/// is not possible.
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
            words.push(format!("no sleep sets: {why}; try `--sleep=exact`"));
            check
        }
        Some(SleepBy::Exact) => {
            let transition_of = model.transition_of();
            check.sleep(Sleep::exact(move |action| transition_of(action) as u32))
        }
    }
}
