//! `check --gpu`: the exploration on a graphics card.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sweepline::{Check, Options, Report, StopReason, WitnessMode};
use sweepline_gpu::{CudaDevice, Device, DeviceError, GpuEngine, HostDevice, Program, Unfit};

use super::{Attempt, heading, unfinished};
use crate::args::{self, Gpu};
use crate::ask::{self, Asked};
use crate::failure::Failure;
use crate::front_end::{Form, FrontEnd, MostTokens};
use crate::guard;
use crate::measure::{MeasureSpec, Need};
use crate::plan;
use crate::print;
use crate::results::{self, Summary, TraceFile};
use crate::watch::Watcher;

/// The processor as a device has so many blocks and threads, and so much memory.
const HOST: (u32, u32, u64) = (2, 2, 1 << 30);

/// Rejects options that a GPU does not have.
pub(super) fn refuse(args: &args::Check) -> Result<(), Failure> {
    let args::Check { measure, retention, reductions, checkpoints, output, input, .. } = args;
    let foreign = [
        ("`--method cache`", measure.method == Some(args::Method::Cache)),
        ("`--monotone strict`", measure.monotone == Some(args::Monotone::Strict)),
        ("`--gc`", retention.gc.is_some()),
        ("a reduction (`--stubborn`, `--sleep`, `--reduce`)", !reductions.is_none()),
        ("`--equivalence`", input.equivalence.is_some()),
        ("`--cut-off`", args.cut_off.cut_off.is_some()),
        ("`--checkpoint`", checkpoints.checkpoint.is_some()),
        ("`--resume`", checkpoints.resume.is_some()),
        ("`--log`", output.log.is_some()),
        ("`--witness recompute`", output.witness == Some(args::Witness::Recompute)),
    ];
    Failure::refuse("`--gpu`", "leave it out, or explore without `--gpu`", &foreign)
}

/// Opens the device.
fn open(gpu: Gpu) -> Result<Box<dyn Device>, DeviceError> {
    let (blocks, threads, memory) = HOST;
    Ok(match gpu.is_host() {
        true => Box::new(HostDevice::new(blocks, threads, memory, true)),
        false => Box::new(CudaDevice::open()?),
    })
}

/// Explores on the device. `None` if threads shall explore: the model does not fit, or the device fails.
pub(super) fn run<M: FrontEnd>(
    args: &args::Check,
    model: &M,
    gpu: Gpu,
) -> Result<Option<ExitCode>, Failure> {
    let started = Instant::now();
    let falls_back = |why: &dyn std::fmt::Display| {
        print::warn(&format!("exploring with threads, not on a GPU: {why}"));
        Ok(None)
    };
    refuse(args)?;
    plan::refuse_without_measure(&args.measure, &args.retention, model)?;
    let trace = args.output.trace.as_deref().map(TraceFile::create).transpose()?;
    // What the device cannot do is known before the search for a measure.
    let asked = ask::questions(&args.questions, &args.input, model)?;
    let prepared = model.form().map_err(|why| unfit(&why)).and_then(|form| {
        let targets = ask::targets(model, &form, &asked)?;
        let program = program(&form, targets);
        program.check().map_err(|why| unfit(&why))?;
        Ok((form, program, open(gpu).map_err(Failure::from)?))
    });
    let (form, program, mut device) = match prepared {
        Ok(prepared) => prepared,
        Err(failure @ (Failure::NotOnGpu { .. } | Failure::Gpu { .. })) if gpu.falls_back() => {
            return falls_back(&failure);
        }
        Err(failure) => return Err(failure),
    };
    guard::phase("looking for a progress measure");
    let measure = plan::measure(&args.measure, model, Need::Any, None)?;
    let program = match along(model, &form, measure.as_ref(), program) {
        Some(program) => program,
        None if gpu.falls_back() => {
            return falls_back(&"the steps of the measure are not constant");
        }
        None => return Err(no_steps()),
    };
    let searching = measure.as_ref().and_then(|measure| measure.found);
    let searching = Duration::from_secs_f64(searching.map_or(0.0, |found| found.seconds));
    let attempt = Attempt::on_gpu(args, model);
    let ran = explore(&attempt, measure.as_ref(), asked, program, &mut *device);
    let (report, tokens) = match ran {
        Ok(ran) => ran,
        Err(error) if gpu.falls_back() => return falls_back(&error),
        Err(error) => return Err(error.into()),
    };
    if report.stop.as_ref().is_some_and(sweepline_gpu::is_too_narrow)
        && let Some(wider) = model.wider().filter(fits)
    {
        print::warn(
            "a place has more tokens than its field holds; exploring again with wider fields",
        );
        drop((device, trace));
        return run(args, &wider, gpu);
    }
    if let Some(stop @ (StopReason::Device(_) | StopReason::Memory)) = &report.stop
        && gpu.falls_back()
    {
        return falls_back(stop);
    }
    let elapsed = started.elapsed().saturating_sub(searching);
    let mut heading = heading(&attempt, measure.as_ref());
    if report.properties.is_empty() {
        heading.notes.push(model.unasked());
    }
    let mut summary = Summary::new(heading, &report, elapsed, tokens)
        .on_device(device.name(), report.statistics.elapsed);
    attempt.publish(&mut summary, &report)?;
    if let Some(file) = trace {
        results::write_trace(model, &report, file)?;
    }
    Ok(Some(ExitCode::from(summary.exit_status())))
}

/// Whether the states of a model fit a GPU program.
fn fits<M: FrontEnd>(model: &M) -> bool {
    model.form().is_ok_and(|form| program(&form, Vec::new()).check().is_ok())
}

/// A report, and the most tokens where they were counted.
type Ran<M> = (Report<M>, super::Tokens);

fn explore<M: FrontEnd>(
    attempt: &Attempt<'_, M>,
    measure: Option<&MeasureSpec<M>>,
    asked: Vec<Asked<M>>,
    program: Program,
    device: &mut dyn Device,
) -> Result<Ran<M>, DeviceError> {
    let Attempt { args, model, .. } = attempt;
    let mut options = options(args, measure);
    options.count |= asked.is_empty();
    let most = Arc::new(MostTokens::default());
    let check = ask::put(Check::new(*model).options(options), *model, asked, &most, None, &[]);
    let names = check.names();
    let mut watcher = Watcher::new(attempt.line(measure, &names), None);
    unfinished(args, heading(attempt, measure), names);
    guard::phase("compiling the program for the GPU");
    let mut engine = GpuEngine::new(*model, device, program, M::bytes_of_form)?;
    guard::phase("exploring on the GPU");
    let report = check.run_on(&mut engine, &mut watcher);
    watcher.finish();
    Ok((report, most.found()))
}

fn options<M: FrontEnd>(args: &args::Check, measure: Option<&MeasureSpec<M>>) -> Options {
    let mut options = plan::options(args.measure.monotone, &args.retention, &args.limits, measure);
    options.count = args.output.count || args.questions.need_counts();
    options.witness = match plan::witness(args.output.witness) {
        WitnessMode::Off => WitnessMode::Off,
        WitnessMode::Disk | WitnessMode::Recompute => WitnessMode::Disk,
    };
    options
}

/// The program of a full exploration.
fn program<M: FrontEnd>(form: &Form<M>, targets: Vec<sweepline_gpu::Target>) -> Program {
    Program {
        system: form.system.clone(),
        used: form.used.clone(),
        start: Vec::new(),
        columns: 0,
        steps: vec![Vec::new(); form.system.len()],
        terminated: form.terminated.clone(),
        targets,
    }
}

/// The same program along a measure; `None` if the steps of the measure are not constant, or too large.
fn along<M: FrontEnd>(
    model: &M,
    form: &Form<M>,
    measure: Option<&MeasureSpec<M>>,
    mut program: Program,
) -> Option<Program> {
    for component in measure.map_or(&[][..], MeasureSpec::components) {
        let sum = model.compiled_sum(component)?;
        let steps = model.compiled_steps(form, component)?;
        program.start.push(i64::try_from(sum.value(&form.system.initial)).ok()?);
        program.steps.iter_mut().zip(steps).for_each(|(all, step)| all.push(step));
    }
    program.columns = measure.map_or(0, MeasureSpec::columns);
    Some(program)
}

fn unfit(why: &Unfit) -> Failure {
    Failure::NotOnGpu {
        what: "the model".into(),
        why: why.to_string(),
        help: "explore it without `--gpu`; `--gpu auto` does that by itself".into(),
    }
}

fn no_steps() -> Failure {
    Failure::NotOnGpu {
        what: "the measure".into(),
        why: "its numbers are too large for the 64-bit arithmetic of a GPU program".into(),
        help: "write smaller weights, or explore without `--gpu`".into(),
    }
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        match &error {
            DeviceError::Unfit(why) => unfit(why),
            _ => Failure::Gpu { why: error.to_string(), help: advice(&error) },
        }
    }
}

fn advice(error: &DeviceError) -> &'static str {
    match error {
        DeviceError::NoDriver | DeviceError::NoDevice(_) => {
            "run on a machine with an NVIDIA GPU and its driver, or explore without `--gpu`"
        }
        DeviceError::NoCompiler => {
            "install the CUDA toolkit, or the package of it that has NVRTC, and put its folder into LD_LIBRARY_PATH"
        }
        DeviceError::OldDriver(_) => {
            "update the driver, or put an older libnvrtc first in LD_LIBRARY_PATH"
        }
        DeviceError::TooOld { .. } => "explore without `--gpu`",
        _ => "explore without `--gpu`, and please report this with the model",
    }
}
