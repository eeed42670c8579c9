//! `check`: explores a model and decides properties.

use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use sweepline::model::initial;
use sweepline::{Check, Options, Progress, Report, StopReason, Value, checkpoint};
use sweepline_pnml::NetModel;

use crate::args;
use crate::ask::{self, Asked, MostTokens};
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::measure::MeasureSpec;
use crate::plan;
use crate::print;
use crate::report::{self, Heading, Summary, TraceFile};
use crate::resume::{self, Resumed, Settings};
use crate::subject::Subject;
use crate::watch::{Course, Line, Log, Watcher};

/// Runs the verb.
pub(crate) fn run(args: &args::Check) -> Result<ExitCode, Failure> {
    let resumed = args.checkpoints.resume.as_deref().map(Resumed::read).transpose()?;
    let Some(resumed) = &resumed else {
        let Loaded::Net(model) = load(&args.input)?;
        return run_net(args, &model, None);
    };
    let completed = resumed.complete(args.clone());
    let Loaded::Net(model) = load(&completed.input).map_err(|failure| match failure {
        Failure::Init { text, .. } if args.input.init.is_empty() => resumed.no_place(&text),
        other => other,
    })?;
    run_net(&completed, &model, Some(resumed))
}

fn run_net(
    args: &args::Check,
    model: &NetModel,
    resumed: Option<&Resumed>,
) -> Result<ExitCode, Failure> {
    let (measure, asked, options) = prepare(args, model, resumed)?;
    let trace = args.output.trace.as_deref().map(TraceFile::create).transpose()?;
    let log = args.output.log.as_deref().map(Log::create).transpose()?;
    let line = Line::new(measure.as_ref().and_then(|measure| course(model, measure)));
    let watcher = Watcher::new(line, log);
    let most = Rc::new(MostTokens::default());
    let check = ask::put(Check::new(model), model, asked, &most);
    let started = Instant::now();
    let mut report = match &measure {
        None => explore(check, options, watcher),
        Some(measure) => explore(check.progress(measure.build(model)), options, watcher),
    };
    refused(&mut report, args)?;
    let before = report.saved.as_ref().map(|saved| saved.before).unwrap_or_default();
    let elapsed = before + started.elapsed();
    let heading = heading(args, model, measure.as_ref());
    let summary = Summary::new(heading, &report, elapsed, most.found());
    print::results(&match args.output.json {
        true => summary.json(),
        false => report::text(model, &report, &summary, args.output.full_trace),
    })?;
    // After the results, which stand whatever becomes of the trace.
    if let Some(file) = trace {
        report::write_trace(model, &report, file)?;
    }
    tidy(&report);
    Ok(ExitCode::from(summary.exit_status()))
}

/// Everything that a run needs, and that may still be wrong.
fn prepare(
    args: &args::Check,
    model: &NetModel,
    resumed: Option<&Resumed>,
) -> Result<(Option<MeasureSpec>, Vec<Asked>, Options), Failure> {
    let net = model.net();
    let measure = match resumed {
        Some(resumed) => {
            resumed.expect(net)?;
            resumed.measure(&args.measure, model)?
        }
        None => plan::measure(&args.measure, model)?,
    };
    let asked = ask::questions(&args.questions, &args.input, net)?;
    let mut options =
        plan::options(args.measure.monotone, &args.retention, &args.limits, measure.as_ref())?;
    options.witness = plan::witness(args.output.witness);
    let settings = Settings::new(args, net, &asked, measure.as_ref(), options.window)?;
    if let Some(resumed) = resumed {
        resumed.compare(&settings)?;
    }
    resume::plan(&args.checkpoints, net, &settings, &mut options)?;
    Ok((measure, asked, options))
}

/// A checkpoint that is of no use is an error of the command, not a result.
fn refused(report: &mut Report<NetModel>, args: &args::Check) -> Result<(), Failure> {
    match (report.stop.take(), &args.checkpoints.resume) {
        (Some(StopReason::Checkpoint(error)), _) => Err(error.into()),
        (Some(StopReason::Memory), Some(file)) if report.saved.is_none() => {
            Err(Failure::CheckpointTooLarge { file: file.clone() })
        }
        (stop, _) => {
            report.stop = stop;
            Ok(())
        }
    }
}

/// Removes the checkpoint of a run that is finished.
fn tidy(report: &Report<NetModel>) {
    if let Some(saved) = report.saved.as_ref().filter(|_| report.is_finished())
        && let Err(error) = checkpoint::remove(&saved.file)
    {
        print::warn(&format!("the checkpoint could not be removed: {error}"));
    }
}

fn explore<P: Progress<NetModel>>(
    check: Check<'_, NetModel, P>,
    options: Options,
    mut watcher: Watcher,
) -> Report<NetModel> {
    let report = check.options(options).run_watched(&mut watcher);
    watcher.finish();
    report
}

fn heading(args: &args::Check, model: &NetModel, measure: Option<&MeasureSpec>) -> Heading {
    Heading {
        file: args.input.file.clone(),
        model: model.name().to_owned(),
        method: if measure.is_some() { "sweep" } else { "full" },
        progress: measure.map_or_else(|| "none".into(), |measure| measure.text.clone()),
        found: measure.and_then(|measure| measure.found),
    }
}

/// From the progress of the initial state to the greatest that the bounds of places allow.
fn course(model: &NetModel, measure: &MeasureSpec) -> Option<Course> {
    let end = measure.farthest(model.bounds())?;
    let mut value = Value::default();
    measure.build(model).measure(initial(model).first()?, &mut value);
    Some(Course { start: *value.components().first()?, end })
}
