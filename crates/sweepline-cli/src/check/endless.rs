//! Timed nets whose markings repeat at later and later times: without merging, they have infinitely many states.

use sweepline::observe::Terminates;
use sweepline::progress::Trivial;
use sweepline::{Check, Limits, Options, Report, StopReason, Verdict, WitnessMode, explore};

use crate::args::{self, Equivalence};
use crate::ask;
use crate::front_end::FrontEnd;
use crate::guard;
use crate::identity::Wanted;
use crate::resume::Resumed;

/// Numbers of explored states after which we check whether markings repeat.
const LOOKS: [u64; 3] = [1 << 14, 1 << 16, 1 << 18];

/// The note if states were merged.
pub(crate) const MERGED: &str = "markings repeat for ever at later times, so sweepline chose `--equivalence time`; with `--progress time` the \
     states stay apart, and their number is infinite";

/// The note if states could not be merged.
const ADVICE: &str = "markings repeat for ever at later times, and a property depends on model time: leave that property out, bound the \
     time in the model, or set `--time-limit`";

/// `model` with states merged that differ by a shift of time, if no option says how to explore.
pub(super) fn modulo_time<M: FrontEnd>(
    args: &args::Check,
    model: &M,
    resumed: Option<&Resumed>,
    wanted: Option<&Wanted<'_>>,
) -> Option<M> {
    let saved = resumed.is_some() || args.checkpoints.checkpoint.is_some();
    let chosen = args.measure.progress.is_some() || args.measure.method.is_some();
    let open = !saved && !chosen && wanted.is_none() && args.input.equivalence.is_none();
    if open { model.modulo_time(&args.input) } else { None }
}

/// Whether `merged` has an infinite run within `states` states: then there are infinitely many states without merging.
pub(super) fn repeats<M: FrontEnd>(merged: &M, states: u64) -> bool {
    let check = Check::new(merged).query("terminates", "terminates", Terminates::default());
    // A question that is never answered early: all states are to be seen.
    let report = check.bound("all", |_| 0).options(limited(states)).run();
    report.stop.is_none() && report.is_violated()
}

/// There are infinitely many states, since those of `merged`, which are few, repeat for ever.
pub(crate) fn is_endless<M: FrontEnd>(model: &M, merged: &M) -> bool {
    for states in LOOKS {
        match explore(model, &Trivial, &limited(states), &mut ()).stop {
            Some(StopReason::States) if repeats(merged, states / 2) => return true,
            Some(StopReason::States) => {}
            _ => return false,
        }
    }
    false
}

/// An exploration of so many states, without questions.
fn limited(states: u64) -> Options {
    let limits = Limits { states: Some(states), ..Limits::default() };
    let (witness, interrupt) = (WitnessMode::Off, guard::interrupt());
    Options { limits, witness, interrupt, ..Options::default() }
}

/// The arguments of a check that merges states, where no question looks at the time.
pub(super) fn merging<M: FrontEnd>(args: &args::Check, merged: &M) -> Option<args::Check> {
    ask::questions(&args.questions, &args.input, merged).ok()?;
    let mut args = args.clone();
    args.input.equivalence = Some(Equivalence::Time);
    Some(args)
}

/// What was not answered is not known, since there is no end.
pub(super) fn stop<M: FrontEnd>(report: &mut Report<M>) {
    let reason = || StopReason::Endless(ADVICE.into());
    for property in &mut report.properties {
        if matches!(property.verdict, Verdict::Unknown(StopReason::Decided)) {
            property.verdict = Verdict::Unknown(reason());
        }
    }
    report.stop = Some(reason());
}
