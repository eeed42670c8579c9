//! Decides an assertion by an exploration.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use sweepline::observe::Step;
use sweepline::{
    Along, Check, Interrupt, Model, Options, Progress, Report, Threads, Verdict, Witness,
};
use sweepline_lts::csp::{Assertion, Claim, Script};
use sweepline_lts::{Joint, RuleId};

use crate::args;
use crate::failure::Failure;
use crate::front_end::Processes;
use crate::hunting::hunting;
use crate::load::processes::composed;
use crate::measure::{Ladder, MeasureSpec, Need, along, is_open};
use crate::plan;
use crate::report::Profile;
use crate::results::{Decided, Explored};
use crate::watch::{Extent, Line, Live, Moment, Stored, Watcher};

/// Decides assertions, one after another.
pub(super) struct Decider<'a> {
    pub(super) args: &'a args::Check,
    pub(super) script: Script,
    /// The processes composed so far, by their texts.
    known: HashMap<String, Rc<Known>>,
    watching: Option<Watching<'a>>,
}

/// Explorations that a page watches and may stop.
pub(crate) struct Watching<'a> {
    pub(crate) interrupt: Interrupt,
    /// Told at each pulse how far an exploration is.
    pub(crate) tell: &'a dyn Fn(Moment, &Profile, &[Stored]),
}

/// A process and its measure.
pub(super) struct Known {
    pub(super) model: Rc<Processes>,
    measure: RefCell<Option<MeasureSpec<Processes>>>,
}

/// A measure of processes.
pub(super) type OfProcesses<'a> = Box<dyn Progress<Processes> + 'a>;

/// The report of an exploration and the measure it was swept along.
pub(super) struct Done<M: Model> {
    pub(super) report: Report<M>,
    measure: Option<String>,
}

impl<'a> Decider<'a> {
    pub(super) fn new(args: &'a args::Check, script: Script) -> Self {
        Decider { args, script, known: HashMap::new(), watching: None }
    }

    /// The same, watched.
    pub(super) fn watched(args: &'a args::Check, script: Script, watching: Watching<'a>) -> Self {
        Decider { watching: Some(watching), ..Decider::new(args, script) }
    }

    /// Decides an assertion; the verdict is unknown if it is of a kind that is not supported.
    pub(super) fn decide(&mut self, assertion: &Assertion) -> Result<Decided, Failure> {
        let started = Instant::now();
        let mut decided = match &assertion.claim {
            Claim::DeadlockFree { process, semantics } => {
                self.deadlock_free(assertion, process, *semantics)?
            }
            Claim::Refinement { specification, process, semantics } => {
                self.refines(assertion, specification, process, *semantics)?
            }
            Claim::DivergenceFree { process } => self.divergence_free(assertion, process)?,
            Claim::Deterministic { process, semantics } => {
                self.deterministic(assertion, process, *semantics)?
            }
            Claim::HasTrace { process, trace } => self.has_trace(assertion, process, trace)?,
            _ => Decided::unsupported(assertion),
        };
        if let Some(explored) = &mut decided.explored {
            explored.elapsed = started.elapsed();
        }
        Ok(decided)
    }

    /// A process of the script. It is composed once.
    pub(super) fn known(&mut self, process: &str) -> Result<Rc<Known>, Failure> {
        if let Some(known) = self.known.get(process) {
            return Ok(known.clone());
        }
        let model = composed(&self.args.input, &mut self.script, process)?;
        let measure = RefCell::new(plan::measure(&self.args.measure, &model, Need::Any, None)?);
        let known = Rc::new(Known { model: Rc::new(model), measure });
        self.known.insert(process.to_owned(), known.clone());
        Ok(known)
    }

    /// Explores along the measure of a process. If the user named none and there are many states, searches for one.
    pub(super) fn explore<'m, M: Model + 'm>(
        &self,
        known: &'m Known,
        check: impl Fn() -> Check<'m, M>,
        of: impl Fn(OfProcesses<'m>) -> Box<dyn Progress<M> + 'm>,
    ) -> Result<Done<M>, Failure> {
        let (measure, args) = (known.measure.take(), self.args);
        let open = is_open(&args.measure, &args.retention);
        let mut ladder = Ladder::new(&*known.model, measure, open, Need::Any);
        let mut done = self.attempt(known, check(), &of, &mut ladder)?;
        while ladder.goes_on(done.report.stop.as_ref()) {
            drop(done);
            done = self.attempt(known, check(), &of, &mut ladder)?;
        }
        known.measure.replace(ladder.measure);
        Ok(done)
    }

    fn options(&self, measure: Option<&MeasureSpec<Processes>>) -> Result<Options, Failure> {
        let args = self.args;
        let monotone = args.measure.monotone;
        let mut options = plan::options(monotone, &args.retention, &args.limits, measure);
        options.witness = plan::witness(args.output.witness);
        if let Some(watching) = &self.watching {
            options.interrupt = watching.interrupt.clone();
            options.threads = Threads::new(options.threads.count());
        }
        Ok(options)
    }

    fn attempt<'m, M: Model + 'm>(
        &self,
        known: &'m Known,
        check: Check<'m, M>,
        of: impl Fn(OfProcesses<'m>) -> Box<dyn Progress<M> + 'm>,
        ladder: &mut Ladder<'_, Processes>,
    ) -> Result<Done<M>, Failure> {
        let Ladder { measure, search, .. } = ladder;
        let measure = measure.as_ref();
        let options = self.options(measure)?;
        // The states of the process together with those of its specification are not known beforehand.
        let end = |measure: &MeasureSpec<Processes>| measure.extent(&*known.model).end;
        let line = Line::new(&[])
            .estimating(measure.map(|measure| move || Extent { end: end(measure), states: None }));
        let progress = of(along(&known.model, measure));
        let check = check.options(options).progress(progress);
        let check = hunting(self.args.hunting, check, false);
        let report = match &self.watching {
            None => {
                let mut watcher = Watcher::new(line, None);
                let report = check.run_watched(&mut (&mut watcher, search));
                watcher.finish();
                report
            }
            Some(Watching { tell, .. }) => {
                let mut live = Live::new(line, tell);
                let report = check.run_watched(&mut (&mut live, search));
                live.finish(&report.statistics);
                report
            }
        };
        let swept = measure.filter(|_| report.along != Along::Nothing);
        let measure = swept.map(|measure| measure.text.clone());
        Ok(Done { report, measure })
    }
}

/// The verdict of an exploration; `process` gives the part of a state that is shown.
pub(super) fn decided<M: Model<Action = RuleId>>(
    claim: &Assertion,
    done: Done<M>,
    known: &Known,
    process: impl Fn(M::State) -> Joint,
) -> Decided {
    let Done { report: Report { properties, statistics, stop, .. }, measure } = done;
    let explored = Explored { statistics, stop, measure, elapsed: Duration::ZERO };
    let Some(property) = properties.into_iter().next() else {
        unreachable!("one question was asked");
    };
    let mut decided = match property.verdict {
        Verdict::Unknown(reason) => Decided::not(claim, &reason),
        Verdict::Holds(witness) => Decided::so(claim, true, witness.map(|w| shown(w, &process))),
        Verdict::Violated(witness) => {
            Decided::so(claim, false, witness.map(|w| shown(w, &process)))
        }
    };
    decided.model = Some(known.model.clone());
    decided.findings = property.findings;
    decided.explored = Some(explored);
    decided
}

/// The run of the process in a run of a model that contains it.
fn shown<M: Model<Action = RuleId>>(
    run: Witness<M>,
    process: &impl Fn(M::State) -> Joint,
) -> Witness<Processes> {
    let step = |step: Step<M>| Step { action: step.action, state: process(step.state) };
    let steps = run.steps.into_iter().map(step).collect();
    Witness { initial: process(run.initial), steps, back: run.back }
}
