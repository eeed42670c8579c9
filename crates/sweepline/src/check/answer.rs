//! One exploration for several queries, and the verdicts that follow from its answers.

use super::find::Find;
use super::report::{Property, Report};
use crate::checkpoint;
use crate::explore::{Exploration, Options, explore_reduced};
use crate::model::Model;
use crate::observe::{Answer, Hit, Observer, Queries, Query, Witness, WitnessMode};
use crate::progress::Progress;
use crate::reduction::Reduction;
use crate::verdict::{StopReason, Verdict};

/// The model, the options and the reduction of an exploration.
pub(super) struct Exploring<'e, M> {
    pub(super) model: &'e M,
    pub(super) progress: &'e dyn Progress<M>,
    pub(super) options: &'e Options,
}

impl<M: Model> Exploring<'_, M> {
    /// Explores once, unless the run is `refused`, and answers all queries.
    pub(super) fn run(
        &self,
        reduction: &Reduction<'_, M>,
        refused: Option<StopReason>,
        names: &[(String, &'static str)],
        queries: &mut Queries<'_, M>,
        watcher: &mut dyn Observer<M>,
    ) -> Report<M> {
        let (model, progress, mut options) = (self.model, self.progress, self.options.clone());
        if !queries.iter().any(Query::has_witness) {
            options.witness = WitnessMode::Off;
        }
        if let Some(plan) = &mut options.checkpoint {
            plan.questions = names.iter().map(|(n, kind)| (n.clone(), kind.to_string())).collect();
        }
        let run = match refused {
            Some(stop) => Exploration::refused(stop),
            None => {
                let mut observer = (&mut *queries, &mut *watcher);
                explore_reduced(model, progress, reduction, &options, &mut observer)
            }
        };
        let Exploration { statistics, stop, saved, mut origins, window } = run;
        // Finding a witness may need another sweep: release this window first.
        drop(window);
        // After a fault, the results are not about the model.
        if !stop.as_ref().is_some_and(StopReason::is_fault) {
            for ((name, _), query) in names.iter().zip(queries.iter()) {
                if let Some(word) = query.answer().word(stop.is_none()) {
                    watcher.answered(name, word);
                }
            }
        }
        let plan = options.checkpoint.take();
        let mut find = Find::new((model, progress, reduction), &options, &mut origins);
        let (properties, stop) = answers(names, queries, stop, |hit| find.witness(hit));
        drop(origins);
        let one_thread = options.one_thread().or(reduction.one_thread());
        let report =
            Report { properties, statistics, stop, saved, one_thread, ..Report::default() };
        if let Some(plan) = plan.filter(|plan| report.is_finished() && !plan.keep) {
            // The verdicts stand even if the file cannot be removed.
            let _ = checkpoint::remove(&plan.file);
        }
        report
    }
}

/// The error if the run is to be saved and some property cannot be.
pub(super) fn unsaved<M: Model>(
    model: &M,
    options: &Options,
    names: &[(String, &'static str)],
    queries: &Queries<'_, M>,
) -> Option<StopReason> {
    options.checkpoint.as_ref()?;
    let mut each = names.iter().zip(queries.iter());
    let ((name, _), _) = each.find(|(_, query)| query.save(model).is_none())?;
    let what = format!("the result of `{name}`");
    Some(StopReason::Checkpoint(checkpoint::Error::Unsaved { what }))
}

/// The properties after a run that ended by `stop`, and the final stop reason.
fn answers<M: Model>(
    names: &[(String, &'static str)],
    queries: &Queries<'_, M>,
    mut stop: Option<StopReason>,
    mut find: impl FnMut(&Hit) -> Result<Option<Witness<M>>, StopReason>,
) -> (Vec<Property<M>>, Option<StopReason>) {
    let mut properties: Vec<Property<M>> = names
        .iter()
        .zip(queries.iter())
        .map(|((name, kind), query)| Property {
            name: name.clone(),
            kind,
            verdict: Verdict::Unknown(StopReason::Decided),
            range: query.range(),
            fairness: query.fairness(),
            findings: query.findings(),
        })
        .collect();
    for (property, query) in properties.iter_mut().zip(queries.iter()) {
        match verdict(query.answer(), stop.as_ref(), |hit| find(&hit)) {
            Ok((verdict, no_witness)) => {
                property.verdict = verdict;
                property.findings.extend(no_witness.map(|why| format!("no witness: {why}")));
            }
            Err(broken) => stop = Some(broken),
        }
    }
    if let Some(broken) = stop.as_ref().filter(|stop| stop.is_fault()) {
        // The exploration was not one of the model, so nothing is decided.
        for property in &mut properties {
            property.verdict = Verdict::Unknown(broken.clone());
        }
    }
    (properties, stop)
}

/// The verdict for an answer after a run that ended by `stop`, and the reason if its witness is missing. An
/// error if the model breaks its laws.
fn verdict<M: Model>(
    answer: Answer,
    stop: Option<&StopReason>,
    find: impl FnOnce(Hit) -> Result<Option<Witness<M>>, StopReason>,
) -> Result<(Verdict<M>, Option<StopReason>), StopReason> {
    let mut missing = None;
    let witness = |hit: Option<Hit>| match hit.map(find) {
        None => Ok(None),
        Some(Ok(witness)) => Ok(witness),
        Some(Err(broken)) if broken.is_fault() => Err(broken),
        // The state was reached, even if there was no time or disk space to find the path.
        Some(Err(reason)) => {
            missing = Some(reason);
            Ok(None)
        }
    };
    let verdict = match (answer, stop) {
        (Answer::Holds(hit), _) => Verdict::Holds(witness(hit)?),
        (Answer::Violated(hit), _) => Verdict::Violated(witness(hit)?),
        (Answer::HoldsSoFar, None) => Verdict::Holds(None),
        (Answer::ViolatedSoFar, None) => Verdict::Violated(None),
        (Answer::Unknown(why), None | Some(StopReason::Decided)) => Verdict::Unknown(why),
        (Answer::HoldsSoFar | Answer::ViolatedSoFar | Answer::Unknown(_), Some(stop)) => {
            Verdict::Unknown(stop.clone())
        }
    };
    Ok((verdict, missing))
}
