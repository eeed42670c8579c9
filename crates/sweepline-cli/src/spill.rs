//! `--spill`: states that do not fit into memory are kept on disk.

use sweepline::{Report, Spill, StopReason, spill};

use crate::args;
use crate::ask::Asks;
use crate::failure::Failure;
use crate::front_end::FrontEnd;

/// Rejects options that need all states in memory.
pub(crate) fn refuse(args: &args::Check, asks: Asks) -> Result<(), Failure> {
    if args.on_disk.spill.is_none() {
        return Ok(());
    }
    let args::Check { measure, retention, reductions, checkpoints, output, device, .. } = args;
    let foreign = [
        ("`--method cache`", measure.method == Some(args::Method::Cache)),
        ("`--gc`", retention.gc.is_some()),
        ("a reduction (`--stubborn`, `--sleep`, `--reduce`)", !reductions.is_none()),
        ("`--cut-off`", args.cut_off.cut_off.is_some()),
        ("`--checkpoint`", checkpoints.checkpoint.is_some()),
        ("`--resume`", checkpoints.resume.is_some()),
        ("`--gpu`", device.gpu.is_some()),
        ("`--processes` or `--hosts`", args.cluster.is_given()),
        ("`--witness recompute`", output.witness == Some(args::Witness::Recompute)),
        ("a property about strongly connected components", asks.components),
        ("a formula (`--ltl`, `--ctl`)", asks.formulas),
    ];
    Failure::refuse("`--spill`", "leave it out, or run without `--spill`", &foreign)
}

/// Rejects the assertions of a CSPm script.
pub(crate) fn refuse_assertions(args: &args::Check) -> Result<(), Failure> {
    let help = "name the process to explore: `--process PROCESS`";
    let given = [("`--spill`", args.on_disk.spill.is_some())];
    Failure::refuse("the assertions of a script", help, &given)
}

/// The folder for states, where files can be made.
pub(crate) fn folder(args: &args::OnDisk) -> Result<Option<Spill>, Failure> {
    let Some(folder) = &args.spill else { return Ok(None) };
    let spill = Spill::new(folder);
    spill.probe()?;
    Ok(Some(spill))
}

/// An exploration that cannot keep states on disk is an error of the command.
pub(crate) fn refused<M: FrontEnd>(report: &mut Report<M>) -> Result<(), Failure> {
    match report.stop.take() {
        Some(StopReason::Spill(
            error @ (spill::Error::Unsupported(_) | spill::Error::Folder { .. }),
        )) => Err(error.into()),
        stop => {
            report.stop = stop;
            Ok(())
        }
    }
}
