//! SWEEP/CPN's folds over states, edges and dead states, with `pred` and `store`.

use std::collections::BTreeSet;

use sweepline::observe::{Fold, Idempotent};
use sweepline::progress::{Trivial, by};
use sweepline::{Options, System, explore};

/// A walk on a ring of `length` places that may step off at multiples of five.
struct Ring {
    length: u32,
}

impl System for Ring {
    /// The place, and whether the walk has stepped off.
    type State = (u32, bool);
    type Action = &'static str;

    fn initial(&self) -> Vec<Self::State> {
        vec![(0, false)]
    }

    fn successors(
        &self,
        &(place, off): &Self::State,
        push: &mut dyn FnMut(&'static str, (u32, bool)),
    ) {
        if off {
            return;
        }
        push("walk", ((place + 1) % self.length, false));
        if place % 5 == 0 {
            push("step off", (place, true));
        }
    }
}

const RING: Ring = Ring { length: 20 };

#[test]
fn arcs_are_folded_from_the_states_that_pred_selects() {
    let mut actions = Fold::arcs(
        Idempotent::Yes,
        BTreeSet::new(),
        |set: &BTreeSet<&'static str>, action| set.iter().copied().chain([action]).collect(),
        |_, action: &&'static str, _| *action,
    );
    let run = explore(&RING, &Trivial, &Options::default(), &mut actions);
    assert_eq!(actions.result(&run.statistics), Some(&BTreeSet::from(["step off", "walk"])));
    let mut count =
        Fold::arcs(Idempotent::No, 0, |n, one: u32| n + one, |_, _, _| 1).pred(|&(p, _)| p < 5);
    let run = explore(&RING, &Trivial, &Options::default(), &mut count);
    assert_eq!(count.result(&run.statistics), Some(&6));
}

#[test]
fn dead_states_are_folded_and_stored_past_the_line() {
    let progress = by(|&(place, _): &(u32, bool)| i64::from(place));
    let mut places =
        Fold::dead(Idempotent::Yes, 0, |&n, place| u32::max(n, place), |s: &(u32, bool)| s.0)
            .store(|&(place, _)| place > 0);
    let run = explore(&RING, &progress, &Options::default(), &mut places);
    assert_eq!(places.result(&run.statistics), Some(&15));
    let stored: BTreeSet<u32> = places.stored().iter().map(|s| s.0).collect();
    assert_eq!(stored, BTreeSet::from([5, 10, 15]));
}

#[test]
fn a_count_is_withheld_when_states_were_visited_twice() {
    let progress = by(|&(place, _): &(u32, bool)| i64::from(place));
    let count = || Fold::states(Idempotent::No, 0, |n, one: u32| n + one, |_| 1);
    // The last edge of the ring is a regress edge out of the window: its target is visited again.
    let mut swept = count();
    let run = explore(&RING, &progress, &Options::default(), &mut swept);
    assert!(run.statistics.persistent > 0);
    assert_eq!(swept.result(&run.statistics), None);
    // A window as long as the ring drops nothing.
    let mut held = count();
    let run = explore(&RING, &progress, &Options { window: 20, ..Options::default() }, &mut held);
    assert_eq!(held.result(&run.statistics), Some(&24));
}
