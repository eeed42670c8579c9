//! From arguments to the options of an exploration.

use sweepline::{Cache, Monotone, Options, Replacement, WitnessMode, checkpoint};

use crate::args;
use crate::ask::Asks;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::guard;
use crate::measure::{MeasureSpec, Need};
use crate::print::warn;

/// The measure to sweep along; `None` for full exploration. A found measure consists of `sums` only, if they are given.
pub(crate) fn measure<M: FrontEnd>(
    args: &args::Measure,
    model: &M,
    need: Need,
    sums: Option<&[Vec<usize>]>,
) -> Result<Option<MeasureSpec<M>>, Failure> {
    let spec = match &args.progress {
        Some(text) => MeasureSpec::parse_for(model, text, need, sums)?,
        None if matches!(args.method, Some(args::Method::Full | args::Method::Cache)) => None,
        None if args.method == Some(args::Method::Sweep) && !model.measures().is_empty() => {
            MeasureSpec::parse(model, only_named(model)?)?
        }
        None if model.own_measure().is_some() => {
            MeasureSpec::parse(model, model.own_measure().unwrap_or("none"))?
        }
        None if args.method == Some(args::Method::Sweep) => {
            MeasureSpec::parse_for(model, "auto", need, sums)?
        }
        None => None,
    };
    match (args.method, spec) {
        (method, None) if args.progress.as_deref() == Some("auto") => {
            warn("sweepline found no progress measure that helps, and stores every state");
            if method == Some(args::Method::Sweep) { Err(Failure::NoMeasure) } else { Ok(None) }
        }
        (Some(args::Method::Sweep), None) => Err(Failure::NoMeasure),
        (Some(args::Method::Full), Some(_)) => {
            warn("`--method full` stores every state: `--progress` is ignored");
            Ok(None)
        }
        (_, spec) => Ok(spec),
    }
}

/// Rejects options for sweeps if every state will be stored.
pub(crate) fn refuse_without_measure<M: FrontEnd>(
    args: &args::Measure,
    retention: &args::Retention,
    model: &M,
) -> Result<(), Failure> {
    let is_full = match (&args.progress, args.method) {
        (Some(text), _) => text.trim() == "none",
        (None, Some(args::Method::Sweep | args::Method::Cache)) => false,
        (None, Some(args::Method::Full | args::Method::Hunt)) => true,
        (None, None) => model.own_measure().is_none(),
    };
    let given = [
        ("`--window`", retention.window.is_some()),
        ("`--anchor`", retention.anchor.is_some()),
        ("`--gc`", retention.gc.is_some()),
        ("`--monotone`", args.monotone.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given && is_full) {
        Some((option, _)) => Err(Failure::NoEffect {
            option,
            when: "without a progress measure",
            help: "add `--progress EXPR`, or `--progress auto` to let sweepline find a measure",
        }),
        None => Ok(()),
    }
}

/// The measure that the model declares, if it declares exactly one.
pub(crate) fn only_named<M: FrontEnd>(model: &M) -> Result<&str, Failure> {
    match model.measures() {
        [only] => Ok(&only.name),
        several => {
            let names: Vec<&str> = several.iter().map(|measure| &*measure.name).collect();
            Err(Failure::WhichMeasure { names: names.join(", ") })
        }
    }
}

/// The cache of `--method cache`; an error if another option cannot be used with it.
pub(crate) fn cache(args: &args::Check, asks: Asks) -> Result<Option<Cache>, Failure> {
    let args::Caching { cache, cache_policy } = args.caching;
    if args.measure.method != Some(args::Method::Cache) {
        return match cache.is_some() || cache_policy.is_some() {
            true => Err(NO_OTHER_METHOD),
            false => Ok(None),
        };
    }
    let help =
        "`--method cache` searches depth first, without a progress measure: leave the option out";
    let foreign = [
        ("`--progress`", args.measure.progress.is_some()),
        ("`--monotone`", args.measure.monotone.is_some()),
        ("`--window`", args.retention.window.is_some()),
        ("`--gc`", args.retention.gc.is_some()),
        ("`--log`", args.output.log.is_some()),
        ("a property about strongly connected components", asks.components),
    ];
    Failure::refuse("`--method cache`", help, &foreign)?;
    if args.checkpoints.given() {
        return Err(checkpoint::Error::Cached.into());
    }
    let states = cache.filter(|&states| states > 0).ok_or(Failure::NoCacheSize { or: "" })?;
    let replacement = replacement(cache_policy.unwrap_or_default());
    Ok(Some(Cache::new(states).replacing(replacement)))
}

/// Rejects checkpoints if a property cannot be saved.
pub(crate) fn saved(args: &args::Check, asks: Asks) -> Result<(), Failure> {
    let help = "checkpoints do not save edges: leave out `--checkpoint`, or check these properties in a separate run";
    let given = asks.components && args.checkpoints.given();
    let what = "home, liveness and fairness properties";
    Failure::refuse(what, help, &[("`--checkpoint`", given)])
}

/// Rejects options that cannot be used with reductions.
pub(crate) fn reductions(args: &args::Check) -> Result<(), Failure> {
    if args.reductions.is_none() {
        return Ok(());
    }
    let args::Checkpoints { checkpoint, resume, .. } = &args.checkpoints;
    let help = "leave it out, or leave out the reduction";
    let foreign = [
        ("`--method cache`", args.measure.method == Some(args::Method::Cache)),
        ("`--checkpoint`", checkpoint.is_some()),
        ("`--resume`", resume.is_some()),
    ];
    Failure::refuse("a reduction (`--stubborn`, `--sleep`, `--reduce auto`)", help, &foreign)
}

/// The library's name of a policy.
pub(crate) fn replacement(policy: args::CachePolicy) -> Replacement {
    match policy {
        args::CachePolicy::Random => Replacement::Random,
        args::CachePolicy::Oldest => Replacement::Oldest,
        args::CachePolicy::Seldom => Replacement::Seldom,
        args::CachePolicy::Strata => Replacement::Strata,
    }
}

/// The error for `--cache` without `--method cache`.
pub(crate) const NO_OTHER_METHOD: Failure = Failure::NotFor {
    option: "`--cache`",
    what: "a method other than `cache`",
    help: "add `--method cache`, or for `compare` `--methods full,sweep,cache`",
};

/// The options of an exploration that keeps no witness.
pub(crate) fn options<M: FrontEnd>(
    monotone: Option<args::Monotone>,
    retention: &args::Retention,
    limits: &args::Limits,
    measure: Option<&MeasureSpec<M>>,
) -> Options {
    let own = || measure.and_then(|measure| measure.found);
    Options {
        window: retention.window.unwrap_or_else(|| own().map_or(0, |found| found.window)),
        anchor: retention.anchor.unwrap_or_else(|| own().map_or(0, |found| found.anchor)),
        gc: retention.gc,
        monotone: match monotone.unwrap_or_default() {
            args::Monotone::Check => Monotone::Check,
            args::Monotone::Strict => Monotone::Strict,
        },
        ..limited(limits)
    }
}

/// The options of an exploration within limits, that keeps no witness.
pub(crate) fn limited(limits: &args::Limits) -> Options {
    let mut options = guard::options();
    options.limits.states = limits.state_limit;
    options
}

/// How traces are found.
pub(crate) fn witness(witness: Option<args::Witness>) -> WitnessMode {
    match witness.unwrap_or_default() {
        args::Witness::Disk => WitnessMode::Disk,
        args::Witness::Recompute => WitnessMode::Recompute,
        args::Witness::Off => WitnessMode::Off,
    }
}
