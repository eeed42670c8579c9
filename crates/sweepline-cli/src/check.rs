//! `check`: explores a model and decides properties.

use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use sweepline::model::initial;
use sweepline::{Check, Options, Progress, Report, Value};
use sweepline_pnml::NetModel;

use crate::args;
use crate::ask::{self, MostTokens};
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::measure::MeasureSpec;
use crate::plan;
use crate::print;
use crate::report::{self, Heading, Summary, TraceFile};
use crate::subject::Subject;
use crate::watch::{Course, Line, Log, Watcher};

/// Runs the verb.
pub(crate) fn run(args: &args::Check) -> Result<ExitCode, Failure> {
    match load(&args.input)? {
        Loaded::Net(model) => run_net(args, &model),
    }
}

fn run_net(args: &args::Check, model: &NetModel) -> Result<ExitCode, Failure> {
    let measure = plan::measure(&args.measure, model)?;
    let asked = ask::questions(&args.questions, &args.input, model.net())?;
    let mut options =
        plan::options(args.measure.monotone, &args.retention, &args.limits, measure.as_ref())?;
    options.witness = plan::witness(args.output.witness);
    let trace = args.output.trace.as_deref().map(TraceFile::create).transpose()?;
    let log = args.output.log.as_deref().map(Log::create).transpose()?;
    let line = Line::new(measure.as_ref().and_then(|measure| course(model, measure)));
    let watcher = Watcher::new(line, log);
    let most = Rc::new(MostTokens::default());
    let check = ask::put(Check::new(model), model, asked, &most);
    let started = Instant::now();
    let report = match &measure {
        None => explore(check, options, watcher),
        Some(measure) => explore(check.progress(measure.build(model)), options, watcher),
    };
    let elapsed = started.elapsed();
    let summary = Summary::new(heading(model, measure.as_ref()), &report, elapsed, most.found());
    print::results(&match args.output.json {
        true => summary.json(),
        false => report::text(model, &report, &summary, args.output.full_trace),
    })?;
    // After the results, which stand whatever becomes of the trace.
    if let Some(file) = trace {
        report::write_trace(model, &report, file)?;
    }
    Ok(ExitCode::from(summary.exit_status()))
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

fn heading(model: &NetModel, measure: Option<&MeasureSpec>) -> Heading {
    Heading {
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
