//! A check whose results are data, and that tells how far it is: for pages of `serve`.

use std::sync::Arc;

use sweepline::{Check, Interrupt, Report, Threads};

use super::{of_declared, refuse};
use crate::args;
use crate::ask::{self, Asks};
use crate::failure::Failure;
use crate::front_end::{FrontEnd, MostTokens};
use crate::guard;
use crate::hunting;
use crate::measure::{self, Ladder, Need};
use crate::plan;
use crate::report::Profile;
use crate::temporal::Fair;
use crate::watch::{Line, Live, Moment, Stored};

/// The results of such a check.
pub(crate) struct Explored<M: FrontEnd> {
    pub(crate) report: Report<M>,
    /// The measure, or `none`.
    pub(crate) progress: String,
    pub(crate) notes: Vec<String>,
}

/// Decides the properties. `phase` says what is done before the exploration, `tell` how far the exploration is. The
/// threads are those of this check: others may run beside it.
pub(crate) fn watched<M: FrontEnd>(
    args: &args::Check,
    model: &M,
    interrupt: &Interrupt,
    phase: &dyn Fn(&'static str),
    tell: impl FnMut(Moment, &Profile, &[Stored]) + Copy,
) -> Result<Explored<M>, Failure> {
    let asks = Asks::of(&args.questions, model.declared());
    refuse(args, asks).map_err(|failure| of_declared(failure, args, model))?;
    let need = if asks.components { Need::Rising } else { Need::Any };
    phase("looking for a progress measure");
    let measure = plan::measure(&args.measure, model, need, None)?;
    let asked = ask::questions(&args.questions, &args.input, model)?;
    let mut notes = model.notes(&args.input);
    notes.extend(ask::notes(&asked));
    let own = |mut options: sweepline::Options| {
        options.interrupt = interrupt.clone();
        options.threads = Threads::new(guard::threads().count());
        options
    };
    let mut decided = Vec::new();
    if measure.is_none() && args.measure.progress.is_none() {
        phase("deciding properties by the structure of the model");
        ask::decide(model, &asked, &mut decided, &own(guard::options()), false);
    }
    phase("exploring");
    let open = measure::is_open(&args.measure, &args.retention);
    let mut ladder = Ladder::new(model, measure, open, need);
    let mut asked = Some(asked);
    let (report, progress) = loop {
        let questions = match asked.take() {
            Some(asked) => asked,
            None => ask::questions(&args.questions, &args.input, model)?,
        };
        let Ladder { measure, search, .. } = &mut ladder;
        let measure = measure.as_ref();
        let mut options =
            own(plan::options(args.measure.monotone, &args.retention, &args.limits, measure));
        options.witness = plan::witness(args.output.witness);
        options.count = questions.is_empty();
        let most = Arc::new(MostTokens::default());
        let fair = Fair::new(&args.questions, model)?;
        let check = Check::new(model).assuming(fair.about(model));
        let check = ask::put(check, model, questions, &most, None, &decided).options(options);
        let check = hunting::hunting(args.hunting, check, false);
        let check = check.progress(measure::along(model, measure));
        let line = Line::new(&check.names());
        let line = line.estimating(measure.map(|measure| || measure.extent(model)));
        let mut live = Live::new(line, tell);
        let report = check.run_watched(&mut (&mut live, search));
        live.finish(&report.statistics);
        drop(live);
        let progress = measure.map_or_else(|| "none".into(), |measure| measure.text.clone());
        if !ladder.goes_on(report.stop.as_ref()) {
            break (report, progress);
        }
    };
    notes.extend(model.unchecked());
    notes.extend(report.reductions.iter().cloned());
    Ok(Explored { report, progress, notes })
}
