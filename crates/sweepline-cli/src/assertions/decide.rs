//! Decides an assertion by an exploration.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use sweepline::observe::{Deadlock, Never, Step, Terminates};
use sweepline::{Along, Check, Model, Options, Progress, Report, Verdict, Witness};
use sweepline_lts::csp::{Assertion, Claim, Script};
use sweepline_lts::{
    Joint, LabelId, OfProcess, Problem, Refinement, RefinementState, RuleId, Traces,
};

use crate::args;
use crate::failure::Failure;
use crate::front_end::Processes;
use crate::load::processes::composed;
use crate::measure::{Ladder, MeasureSpec, Need, along, is_open};
use crate::plan;
use crate::results::{Decided, Explored, Refused};
use crate::watch::{Extent, Line, Watcher};

/// The most states of a specification.
const SPECIFICATION_STATES: usize = 1_000_000;
/// The most states in all sets of a specification that was made deterministic.
const SPECIFICATION_SETS: usize = 4_000_000;

/// Decides assertions, one after another.
pub(super) struct Decider<'a> {
    args: &'a args::Check,
    script: Script,
    /// The processes composed so far, by their texts.
    known: HashMap<String, Rc<Known>>,
}

/// A process and its measure.
struct Known {
    model: Rc<Processes>,
    measure: RefCell<Option<MeasureSpec<Processes>>>,
}

/// A measure of processes.
type OfProcesses<'a> = Box<dyn Progress<Processes> + 'a>;

/// The report of an exploration and the measure it was swept along.
struct Done<M: Model> {
    report: Report<M>,
    measure: Option<String>,
}

impl<'a> Decider<'a> {
    pub(super) fn new(args: &'a args::Check, script: Script) -> Self {
        Decider { args, script, known: HashMap::new() }
    }

    /// Decides an assertion; the verdict is unknown if it is of a kind that is not supported.
    pub(super) fn decide(&mut self, assertion: &Assertion) -> Result<Decided, Failure> {
        let started = Instant::now();
        let mut decided = match &assertion.claim {
            Claim::DeadlockFree { process } => self.deadlock_free(assertion, process)?,
            Claim::TraceRefinement { specification, process } => {
                self.refines(assertion, specification, process)?
            }
            Claim::DivergenceFree { process } => self.divergence_free(assertion, process)?,
            _ => Decided::unsupported(assertion),
        };
        if let Some(explored) = &mut decided.explored {
            explored.elapsed = started.elapsed();
        }
        Ok(decided)
    }

    fn deadlock_free(&mut self, claim: &Assertion, process: &str) -> Result<Decided, Failure> {
        let known = self.known(process)?;
        let model = &*known.model;
        let check = || Check::new(model).query("", "", Deadlock::default());
        let done = self.explore(&known, check, |measure| measure)?;
        Ok(decided(claim, done, &known, |state| state))
    }

    fn refines(
        &mut self,
        claim: &Assertion,
        specification: &str,
        process: &str,
    ) -> Result<Decided, Failure> {
        let known = self.known(process)?;
        let traces = match self.traces(specification)? {
            Ok(traces) => traces,
            Err(problem) => return Ok(Decided::too_large(claim, &problem)),
        };
        let refinement = Refinement::new(traces, known.model.composition());
        let check = || {
            let violated =
                |_: &Refinement<'_>, _: &mut (), state: &RefinementState| Ok(state.violated());
            Check::new(&refinement).query("", "", Never::new(violated))
        };
        let done = self.explore(&known, check, |measure| Box::new(OfProcess(measure)))?;
        let refused = refused(&refinement, &done.report);
        let decided = decided(claim, done, &known, |state: RefinementState| state.process);
        Ok(Decided { refused, ..decided })
    }

    /// Searches each layer for a cycle of internal steps when it is closed. If the measure is not monotone, explores in
    /// full.
    fn divergence_free(&mut self, claim: &Assertion, process: &str) -> Result<Decided, Failure> {
        let known = self.known(process)?;
        let model = &*known.model;
        let check = || {
            let is_internal = |rule: &RuleId| model.composition().label(*rule) == LabelId::TAU;
            Check::new(model).query("", "", Terminates::by(is_internal))
        };
        let done = self.explore(&known, check, |measure| measure)?;
        let mut decided = decided(claim, done, &known, |state| state);
        if let Some(run) = &mut decided.witness {
            decided.findings = vec![go_round(model, run)];
        }
        Ok(decided)
    }

    /// The traces of a specification; the inner error says that it is too large.
    fn traces(&mut self, specification: &str) -> Result<Result<Traces, Problem>, Failure> {
        let composition = self.script.compose(specification).map_err(Box::new)?;
        let lts = composition.to_lts("specification", SPECIFICATION_STATES);
        Ok(lts.and_then(|lts| Traces::of(&lts, SPECIFICATION_SETS)))
    }

    /// A process of the script. It is composed once.
    fn known(&mut self, process: &str) -> Result<Rc<Known>, Failure> {
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
    fn explore<'m, M: Model + 'm>(
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
        let mut watcher = Watcher::new(line, None);
        let mut observers = (&mut watcher, search);
        let progress = of(along(&known.model, measure));
        let report = check.options(options).progress(progress).run_watched(&mut observers);
        watcher.finish();
        let swept = measure.filter(|_| report.along != Along::Nothing);
        let measure = swept.map(|measure| measure.text.clone());
        Ok(Done { report, measure })
    }
}

/// Appends the cycle of internal steps where a run ends, and says which steps these are.
fn go_round(model: &Processes, run: &mut Witness<Processes>) -> String {
    let (reached, state) = (run.len(), run.last().clone());
    run.steps.extend(model.composition().internal_cycle(&state).unwrap_or_default());
    match run.len() - reached {
        1 => format!("step {} can repeat for ever", run.len()),
        _ => format!("steps {} to {} can repeat for ever", reached + 1, run.len()),
    }
}

/// The verdict on the last event of a counterexample to a refinement.
fn refused(refinement: &Refinement<'_>, report: &Report<Refinement<'_>>) -> Option<Refused> {
    let run = report.properties.first()?.verdict.witness()?;
    let (last, before) = run.steps.split_last()?;
    let before = before.last().map_or(&run.initial, |step| &step.state);
    let label = refinement.process().label(last.action);
    Some(Refused {
        allowed: refinement.allowed(before).into_iter().map(str::to_owned).collect(),
        event: refinement.process().labels()[label.index()].clone(),
    })
}

/// The verdict of an exploration; `process` gives the part of a state that is shown.
fn decided<M: Model<Action = RuleId>>(
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
