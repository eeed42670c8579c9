//! `--hunt` and `--shortest`: how counterexamples are looked for, and what is said of it.

use sweepline::check::Shortest;
use sweepline::{Check, Hunt, Model, Property};

use crate::args;
use crate::args::When;
use crate::ask::Asks;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::print::grouped;

/// Rejects options that a hunt cannot have.
pub(crate) fn refuse(args: &args::Check, asks: Asks) -> Result<(), Failure> {
    if args.hunting.hunt_seed.is_some() && args.hunting.hunt == Some(When::Off) {
        return Err(Failure::NoEffect {
            option: "`--hunt-seed`",
            when: "without a hunt",
            help: "leave out `--hunt off`",
        });
    }
    if !args.hunting.is_only() {
        return Ok(());
    }
    let args::Check { measure, retention, checkpoints, output, device, .. } = args;
    let foreign = [
        ("`--progress`", measure.progress.is_some()),
        ("`--method`", measure.method.is_some()),
        ("`--gc`", retention.gc.is_some()),
        ("`--cut-off`", args.cut_off.cut_off.is_some()),
        ("`--equivalence`", args.input.equivalence.is_some()),
        ("a reduction (`--stubborn`, `--sleep`, `--reduce`)", !args.reductions.is_none()),
        ("`--checkpoint`", checkpoints.checkpoint.is_some()),
        ("`--resume`", checkpoints.resume.is_some()),
        ("`--gpu`", device.gpu.is_some()),
        ("`--processes` or `--hosts`", args.cluster.is_given()),
        ("`--spill`", args.on_disk.spill.is_some()),
        ("`--log`", output.log.is_some()),
        ("`--count`", output.count),
        ("a property about strongly connected components", asks.components),
        ("a formula (`--ltl`, `--ctl`)", asks.formulas),
    ];
    let help = "leave it out, or hunt beside the exploration (`--hunt auto`)";
    Failure::refuse("`--hunt only`", help, &foreign)
}

/// Rejects the assertions of a CSPm script.
pub(crate) fn refuse_assertions(args: &args::Check) -> Result<(), Failure> {
    let help = "name the process to explore: `--process PROCESS`";
    let given = [("`--hunt only`", args.hunting.is_only())];
    Failure::refuse("the assertions of a script", help, &given)
}

/// Lets a check hunt, and look for shortest counterexamples, as the options say. `has_begun`: an exploration of the
/// same model was given up, and the hunt before its first level found nothing.
pub(crate) fn hunting<'a, M: Model>(
    args: args::Hunting,
    mut check: Check<'a, M>,
    has_begun: bool,
) -> Check<'a, M> {
    if args.shortest {
        check = check.shortest();
    }
    let hunt = Hunt::new().seed(args.hunt_seed.unwrap_or(1));
    let hunt = if has_begun { hunt.begun() } else { hunt };
    match args.hunt.unwrap_or_default() {
        When::Auto => check.hunt(hunt),
        When::Only => check.hunt(hunt.only()),
        When::Off => check,
    }
}

/// How a path was found and how short it is, in words; empty if there is nothing to say.
pub(crate) fn how<M: FrontEnd>(property: &Property<M>) -> Vec<String> {
    let found = property.found_by.as_ref().map(|how| format!("found by the hunt: {how}"));
    let before = property.shortened_from.map(|from| grouped(from as u64));
    let shortened = before.map(|from| format!("shortened from {from} steps"));
    let shortest = property.shortest.map(|shortest| match shortest {
        Shortest::Proven => "no path is shorter".to_owned(),
        Shortest::AtLeast(least) => {
            let s = if least == 1 { "" } else { "s" };
            format!(
                "no path has fewer than {} step{s}; whether one is shorter than this is unknown",
                grouped(least)
            )
        }
    });
    found.into_iter().chain(shortened).chain(shortest).collect()
}
