//! How far a measure goes, by random walks.

use std::time::{Duration, Instant};

use sweepline::model::{initial, successors_by};
use sweepline::{Model, Progress, Value};

/// Walks that must come equally far.
const WALKS: usize = 4;
/// A walk ends when so many steps brought no greater value, or as many as it took to get there.
const PATIENCE: usize = 1_000;
/// Steps of a walk at most.
const STEPS: usize = 20_000;
/// Time for all walks.
const TIME: Duration = Duration::from_millis(100);

/// The greatest value of the first component of `measure` that random walks reach; `None` where walks come
/// differently far or do not end. It is a guess, good enough for an estimate of the time left.
pub(super) fn greatest<M: Model>(model: &M, measure: &dyn Progress<M>) -> Option<i64> {
    let (started, mut dice) = (Instant::now(), fastrand::Rng::with_seed(1));
    let mut agreed = None;
    for _ in 0..WALKS {
        let found = walk(model, measure, &mut dice, started)?;
        if agreed.is_some_and(|agreed| agreed != found) {
            return None;
        }
        agreed = Some(found);
    }
    agreed
}

/// Every second step, on average, is one that increases the measure most.
fn walk<M: Model>(
    model: &M,
    measure: &dyn Progress<M>,
    dice: &mut fastrand::Rng,
    started: Instant,
) -> Option<i64> {
    let mut worker = model.worker();
    let mut first = |state: &M::State| {
        let mut value = Value::default();
        measure.measure(&mut worker, state, &mut value).ok()?;
        value.components().first().copied()
    };
    let mut state = initial(model).into_iter().next()?;
    let (mut most, mut reached_at) = (first(&state)?, 0);
    let mut stepper = model.worker();
    for step in 1..STEPS {
        if started.elapsed() > TIME {
            return None;
        }
        let mut successors = successors_by(model, &mut stepper, &state).ok()?;
        if successors.is_empty() || step - reached_at > PATIENCE.max(reached_at) {
            return Some(most);
        }
        dice.shuffle(&mut successors);
        let chosen = match dice.bool() {
            true => successors.into_iter().max_by_key(|(_, target)| first(target)),
            false => successors.into_iter().next(),
        };
        state = chosen?.1;
        let value = first(&state)?;
        if value > most {
            (most, reached_at) = (value, step);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::Measures;
    use sweepline_pnml::{Net, NetModel, parse_expr};

    fn reached(net: Net, text: &str) -> Option<i64> {
        let model = NetModel::new(net);
        let expr = parse_expr(model.net(), text).unwrap();
        greatest(&model, &*model.measure(&[expr], 0))
    }

    #[test]
    fn walks_that_end_agree_and_others_say_nothing() {
        // No invariant bounds `received`: a packet is sent once, but that is not linear.
        let sender = Net::builder("sender").place("to_send", 5).place("sent", 0).place("lost", 0);
        let sender = sender
            .transition("send", &[("to_send", 1)], &[("sent", 1)])
            .transition("lose", &[("sent", 1)], &[("lost", 1)])
            .transition("again", &[("lost", 1)], &[("to_send", 1)]);
        assert_eq!(reached(sender.build().unwrap(), "sent"), Some(5));
        let endless = Net::builder("endless").place("p", 0).transition("t", &[], &[("p", 1)]);
        assert_eq!(reached(endless.build().unwrap(), "p"), None);
    }
}
