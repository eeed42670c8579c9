//! The kinds of assertions: what is explored for each, and what its counterexample shows.

use std::sync::atomic::Ordering;

use sweepline::observe::{Deadlock, Never, Terminates};
use sweepline::{Check, Report, Witness};
use sweepline_lts::csp::Assertion;
use sweepline_lts::refine::{NoDeadlock, Refines, deterministic_part};
use sweepline_lts::{
    LabelId, LoadErrors, OfProcess, Problem, Refinement, RefinementState, RuleId, Semantics,
    Specification,
};

use super::decide::{Decider, decided};
use crate::failure::Failure;
use crate::front_end::Processes;
use crate::guard;
use crate::results::{Decided, Reason};

/// The most states of a specification.
const SPECIFICATION_STATES: usize = 1_000_000;
/// The most states in all sets of a specification in normal form.
const SPECIFICATION_SETS: usize = 4_000_000;

impl Decider<'_> {
    pub(super) fn deadlock_free(
        &mut self,
        claim: &Assertion,
        process: &str,
        semantics: Semantics,
    ) -> Result<Decided, Failure> {
        let known = self.known(process)?;
        let model = &*known.model;
        let sees_cycles =
            semantics == Semantics::FailuresDivergences && model.composition().has_internal_steps();
        let check = || match sees_cycles {
            true => Check::new(model).query("", "", NoDeadlock::new(model.composition())),
            false => Check::new(model).query("", "", Deadlock::default()).hunt_stubborn(),
        };
        let done = self.explore(&known, check, |measure| measure)?;
        let mut decided = decided(claim, done, &known, |state| state);
        if sees_cycles && decided.append_cycle() {
            decided.shown = Some(Reason::Diverges { diverges: true });
        }
        Ok(decided)
    }

    /// Searches each layer for a cycle of internal steps when it is closed. If the measure is not monotone, explores in
    /// full.
    pub(super) fn divergence_free(
        &mut self,
        claim: &Assertion,
        process: &str,
    ) -> Result<Decided, Failure> {
        let known = self.known(process)?;
        let model = &*known.model;
        let check = || {
            let is_internal = |rule: &RuleId| model.composition().label(*rule) == LabelId::TAU;
            Check::new(model).query("", "", Terminates::by(is_internal))
        };
        let done = self.explore(&known, check, |measure| measure)?;
        let mut decided = decided(claim, done, &known, |state| state);
        decided.append_cycle();
        Ok(decided)
    }

    pub(super) fn refines(
        &mut self,
        claim: &Assertion,
        specification: &str,
        process: &str,
        semantics: Semantics,
    ) -> Result<Decided, Failure> {
        let composition = self.script.compose(specification).map_err(Box::new)?;
        let lts = composition.to_lts("specification", SPECIFICATION_STATES);
        drop(composition);
        let normal =
            lts.and_then(|lts| Specification::of(&lts, semantics, SPECIFICATION_SETS, &is_stopped));
        match normal {
            Ok(normal) => self.within(claim, normal, process, semantics),
            Err(problem) => self.too_large(claim, problem),
        }
    }

    /// The verdict if a specification cannot be brought into normal form.
    fn too_large(&self, claim: &Assertion, problem: Problem) -> Result<Decided, Failure> {
        if problem == Problem::Stopped {
            let file = self.args.input.file.display().to_string();
            return Err(Box::new(LoadErrors::whole_file(&file, problem)).into());
        }
        Ok(Decided::too_large(claim, &problem))
    }

    /// A process is deterministic if it refines a deterministic part of itself.
    pub(super) fn deterministic(
        &mut self,
        claim: &Assertion,
        process: &str,
        semantics: Semantics,
    ) -> Result<Decided, Failure> {
        let known = self.known(process)?;
        let part = deterministic_part(
            known.model.composition(),
            semantics,
            SPECIFICATION_STATES,
            &is_stopped,
        );
        let part = match part {
            Ok(part) => part,
            Err(problem) => return self.too_large(claim, problem),
        };
        let is_partial = part.has_divergent_traces() && semantics == Semantics::Failures;
        let mut decided = self.within(claim, part, process, semantics)?;
        decided.shown = decided.shown.map(Reason::of_itself);
        let is_open = (decided.verdict == "holds") != claim.negated;
        if is_partial && is_open && decided.reason.is_none() {
            let words =
                "after some trace the process can only diverge; check `:[deterministic [FD]]`";
            decided.withdraw("divergence", words);
        }
        Ok(decided)
    }

    /// Whether the process refines a specification in normal form.
    fn within(
        &mut self,
        claim: &Assertion,
        specification: Specification,
        process: &str,
        semantics: Semantics,
    ) -> Result<Decided, Failure> {
        let known = self.known(process)?;
        let sees_cycles = semantics == Semantics::FailuresDivergences
            && known.model.composition().has_internal_steps();
        let refinement = Refinement::new(specification, known.model.composition());
        let check = || match sees_cycles {
            true => Check::new(&refinement).query("", "", Refines::new(&refinement)),
            false => {
                let violated =
                    |refinement: &Refinement<'_>, _: &mut (), state: &RefinementState| {
                        Ok(state.violated() || refinement.refuses(state))
                    };
                Check::new(&refinement).query("", "", Never::new(violated))
            }
        };
        let done = self.explore(&known, check, |measure| Box::new(OfProcess(measure)))?;
        let shown = reason(&refinement, &done.report);
        let mut decided = decided(claim, done, &known, |state: RefinementState| state.process);
        if let Some(Reason::Diverges { .. }) = &shown {
            decided.append_cycle();
        }
        Ok(Decided { shown, ..decided })
    }

    /// Explores the process as far as it follows the trace.
    pub(super) fn has_trace(
        &mut self,
        claim: &Assertion,
        process: &str,
        trace: &str,
    ) -> Result<Decided, Failure> {
        let known = self.known(process)?;
        let trace = self.script.events(trace).map_err(Box::new)?;
        let end = Some(trace.len() as u32);
        let refinement = Refinement::new(Specification::trace(&trace), known.model.composition());
        let check = || {
            let is_done = move |_: &Refinement<'_>, _: &mut (), state: &RefinementState| {
                Ok(state.specification == end)
            };
            Check::new(&refinement).query("", "", Never::reached(is_done))
        };
        let done = self.explore(&known, check, |measure| Box::new(OfProcess(measure)))?;
        Ok(decided(claim, done, &known, |state: RefinementState| state.process))
    }
}

/// Whether the run must end.
fn is_stopped() -> bool {
    guard::interrupt().flag().load(Ordering::Relaxed) != 0
}

/// Why the last state of a counterexample to a refinement is a violation.
fn reason(refinement: &Refinement<'_>, report: &Report<Refinement<'_>>) -> Option<Reason> {
    let run = report.properties.first()?.verdict.witness()?;
    let last = run.last();
    if !last.violated() {
        let refusal = refinement.refusal(last).map(Reason::refuses);
        return Some(refusal.unwrap_or(Reason::Diverges { diverges: true }));
    }
    let (last, before) = run.steps.split_last()?;
    let before = before.last().map_or(&run.initial, |step| &step.state);
    let label = refinement.process().label(last.action);
    Some(Reason::Event {
        allowed: refinement.allowed(before),
        event: refinement.process().labels()[label.index()].clone(),
    })
}

/// Appends the cycle of internal steps where a run ends, and says which steps these are. `None` if it does not end on
/// such a cycle.
pub(crate) fn go_round(model: &Processes, run: &mut Witness<Processes>) -> Option<String> {
    let (reached, state) = (run.len(), run.last().clone());
    run.steps.extend(model.composition().internal_cycle(&state)?);
    Some(match run.len() - reached {
        1 => format!("step {} can repeat for ever", run.len()),
        _ => format!("steps {} to {} can repeat for ever", reached + 1, run.len()),
    })
}
