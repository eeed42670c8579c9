//! One exploration for several queries, and the verdicts that follow from its answers.

use super::cluster::{Cluster, Explored, Observers, Task, no};
use super::find::Find;
use super::report::{Property, Report};
use super::shorten::{Shortest, find_shortest, shorten_all};
use crate::checkpoint;
use crate::explore::{Exploration, Options, OriginStore, explore_reduced};
use crate::hunt::Hunted;
use crate::identity::Identity;
use crate::model::Model;
use crate::observe::{Answer, Hit, Observer, Queries, Query, Witness, WitnessMode};
use crate::progress::Progress;
use crate::reduction::Reduction;
use crate::retain::Window;
use crate::verdict::{StopReason, Verdict};

/// The model, the options and the reduction of an exploration.
pub(super) struct Exploring<'e, M: Model> {
    pub(super) model: &'e M,
    pub(super) progress: &'e dyn Progress<M>,
    pub(super) options: &'e Options,
    pub(super) cluster: Option<&'e dyn Cluster<M>>,
    /// Whether only the hunt of the queries decides.
    pub(super) hunts_only: bool,
    /// Whether counterexamples must be as short as possible.
    pub(super) shortest: bool,
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
        let mut workers = Vec::new();
        // Before the exploration, which may be ended from outside.
        for ((name, _), query) in names.iter().zip(queries.iter()) {
            if let Some(decision) = query.decision() {
                watcher.answered(name, if decision.holds { "holds" } else { "violated" });
            }
        }
        let refused = refused.or_else(|| queries.are_settled().then_some(StopReason::Decided));
        let run = match (refused, self.cluster) {
            (Some(stop), _) => Exploration::refused(stop),
            (None, Some(cluster)) => {
                let found = self.gathered(cluster, &options, queries, watcher);
                workers = found.workers;
                Exploration {
                    statistics: found.statistics,
                    stop: found.stop,
                    saved: found.saved,
                    origins: found.paths.map_or(OriginStore::Off, OriginStore::Elsewhere),
                    window: Window::default(),
                }
            }
            (None, None) if self.hunts_only => Exploration::refused(queries.hunt_only(watcher)),
            (None, None) => {
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
        let (mut properties, mut stop) = answers(names, queries, stop, |hit| find.witness(hit));
        let hunted = queries.hunted().map(|(hunted, found)| {
            for (number, how) in found {
                properties[*number].found_by = Some(how.clone());
            }
            hunted
        });
        drop(origins);
        let is_exact = matches!(reduction.identity, Identity::Exact);
        let is_shortest = progress.is_trivial() && reduction.is_none() && self.cluster.is_none();
        let is_shortest =
            is_shortest && options.cache.is_none() && !hunted.is_some_and(Hunted::found);
        if is_exact && !is_shortest && !stop.as_ref().is_some_and(StopReason::is_fault) {
            shorten_all(model, &options, queries, &mut properties);
        }
        if self.shortest && is_shortest {
            let found = properties.iter_mut().filter(|found| found.verdict.witness().is_some());
            found.for_each(|found| found.shortest = Some(Shortest::Proven));
        } else if self.shortest
            && let Err(broken) = find_shortest(model, &options, queries, &mut properties)
        {
            stop = Some(broken);
        }
        let moved = (statistics.spilled_bytes > 0)
            .then_some("states on disk need one thread; those explored before used all");
        let one_thread = options.one_thread().or(reduction.one_thread()).or(moved);
        let report = Report {
            properties,
            statistics,
            stop,
            saved,
            one_thread,
            workers,
            hunted,
            ..Report::default()
        };
        if let Some(plan) = plan.filter(|plan| report.is_finished() && !plan.keep) {
            // The verdicts stand even if the file cannot be removed.
            let _ = checkpoint::remove(&plan.file);
        }
        report
    }
}

impl<M: Model> Exploring<'_, M> {
    /// Explores with a cluster, and merges what its workers found into the queries.
    fn gathered(
        &self,
        cluster: &dyn Cluster<M>,
        options: &Options,
        queries: &mut Queries<'_, M>,
        watcher: &mut dyn Observer<M>,
    ) -> Explored {
        let reduction = Reduction::default();
        let asked: &Queries<'_, M> = queries;
        if asked.fork(self.model).is_none() {
            return Explored::refused(no("a property about strongly connected components"));
        }
        let (model, progress) = (self.model, self.progress);
        let questions = asked.iter().count();
        let task = Task { model, progress, reduction: &reduction, options, questions };
        let mut found = cluster.explore(&task, &Observers(asked), watcher);
        if !found.facts.iter().all(|facts| queries.merge(self.model, facts)) {
            let what = "the results of a worker cannot be read".to_owned();
            found.stop = Some(StopReason::Internal(what));
        }
        found
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
pub(super) fn answers<M: Model>(
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
            found_by: None,
            shortened_from: None,
            shortest: None,
            decision: query.decision().cloned(),
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
