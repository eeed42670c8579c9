//! Checks that another engine explores, such as a program on a graphics card.

use std::mem::take;

use super::answer::answers;
use super::{Check, Report};
use crate::explore::Options;
use crate::identity::Identity;
use crate::model::{self, Model};
use crate::observe::witness::replay;
use crate::observe::{Hit, Observer, Query, Statistics, Witness, WitnessMode};
use crate::verdict::StopReason;

/// An engine that explores a model outside of this library.
///
/// # Laws
///
/// * If [`explore`](Engine::explore) returns no stop reason, it has visited every reachable state, and has shown to the
///   observer enough of them that its answers are those after all states: for example one state that satisfies a
///   condition, if there is one.
/// * The statistics are those of the library's own exploration.
pub trait Engine<M: Model> {
    /// Explores the model until the end, a limit, or the observer's decision.
    fn explore(
        &mut self,
        model: &M,
        options: &Options,
        observer: &mut dyn Observer<M>,
    ) -> (Statistics, Option<StopReason>);

    /// The bytes of the states on a path from an initial state to the state `bytes`, which the observer was shown.
    ///
    /// # Errors
    ///
    /// The reason why there is no path.
    fn path(&mut self, options: &Options, bytes: &[u8]) -> Result<Vec<Vec<u8>>, StopReason>;
}

impl<M: Model> Check<'_, M> {
    /// Decides the properties by an exploration of `engine`. The measure and the reductions of the check are not used:
    /// the engine has its own. Counterexamples are replayed through the model as always.
    ///
    /// # Panics
    ///
    /// If the check has LTL or CTL formulas or properties about strongly connected components: an engine shows states,
    /// not edges.
    #[must_use = "a report does nothing by itself: call `assert_holds` or print it"]
    pub fn run_on(
        mut self,
        engine: &mut dyn Engine<M>,
        watcher: &mut dyn Observer<M>,
    ) -> Report<M> {
        let (model, mut options) = (self.model, self.options.clone());
        let (names, mut queries) = (take(&mut self.names), take(&mut self.queries));
        let temporal = !self.formulas.is_empty() || !self.branching.is_empty();
        assert!(
            !temporal && !queries.iter().any(Query::watches_components),
            "an engine shows states only"
        );
        options.limits = options.limits.started();
        let (statistics, stop) = {
            let mut observer = (&mut queries, &mut *watcher);
            engine.explore(model, &options, &mut observer)
        };
        if !stop.as_ref().is_some_and(StopReason::is_fault) {
            for ((name, _), query) in names.iter().zip(queries.iter()) {
                if let Some(word) = query.answer().word(stop.is_none()) {
                    watcher.answered(name, word);
                }
            }
        }
        let find = |hit: &Hit| witness(model, engine, &options, hit);
        let (properties, stop) = answers(&names, &queries, stop, find);
        Report { properties, statistics, stop, ..Report::default() }
    }
}

/// The path to a state, replayed; `None` if no witness is wanted.
fn witness<M: Model>(
    model: &M,
    engine: &mut dyn Engine<M>,
    options: &Options,
    hit: &Hit,
) -> Result<Option<Witness<M>>, StopReason> {
    if options.witness == WitnessMode::Off {
        return Ok(None);
    }
    let path = engine.path(options, &hit.bytes)?;
    let numbers = numbers(model, &path)?;
    let most = options.limits.memory;
    replay(model, &Identity::Exact, &numbers, Some(&hit.bytes), most).map(Some)
}

/// The number of the initial state, then the numbers of the successors that are the states of the path.
fn numbers<M: Model>(model: &M, path: &[Vec<u8>]) -> Result<Vec<u32>, StopReason> {
    let (mut numbers, mut worker) = (Vec::with_capacity(path.len()), model.worker());
    let mut next = model::initial(model);
    for bytes in path {
        let is_next = |state: &M::State| model::bytes_of(model, state) == *bytes;
        let at = next.iter().position(is_next).ok_or_else(|| {
            let step = numbers.len();
            StopReason::Internal(format!(
                "step {step} of a path of the engine is no edge of the model"
            ))
        })?;
        numbers.push(at as u32);
        let state = next.swap_remove(at);
        let successors = model::successors_by(model, &mut worker, &state)?;
        next = successors.into_iter().map(|(_, state)| state).collect();
    }
    Ok(numbers)
}
