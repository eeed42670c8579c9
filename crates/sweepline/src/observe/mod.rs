//! Observation: what is computed during an exploration.
//!
//! An [`Observer`] sees every state once as it is expanded, every edge, every dead state, and every layer as
//! it is dropped, and may stop the exploration at any of them. States are not available after their layer was
//! dropped, so an observer must record what it needs.

mod components;
mod fold;
mod numbered;
mod query;
mod statistics;
pub(crate) mod witness;

use crate::checkpoint::Saved;
use crate::codec;
use crate::model::{Computed, Model};
use crate::progress::Value;
use crate::retain::Layer;
use crate::verdict::StopReason;

pub use components::{
    Components, Fair, Fairness, Graph, Home, LayerComponents, Live, Structure, Survey, Terminates,
    fairness, strong_components, strong_components_where,
};
pub use fold::{Fold, Idempotent};
pub use numbered::each_edge;
pub use query::{
    Answer, Bound, DeadActions, DeadStates, Deadlock, Hit, Never, Queries, Query, ValidEnd,
};
pub use statistics::{Counts, Statistics};
pub use witness::{Broken, StateId, Step, Witness, WitnessMode};

/// The result of each event: continue, or stop the exploration.
///
/// [`DECIDED`] stops because the observer needs no more. A condition that cannot be evaluated stops the
/// exploration by its [`ModelError`](crate::ModelError).
pub type Flow = Result<(), StopReason>;

/// Stops the exploration because the observer needs no more.
pub const DECIDED: Flow = Err(StopReason::Decided);

/// Receives the number of a property, and its value on a state.
pub type Put<'a> = &'a mut dyn FnMut(usize, i128);

/// An observer for the events of another worker.
pub type Fork<'a, M> = Box<dyn Observer<M> + Send + 'a>;

/// A state at the moment it is expanded.
pub struct Visit<'a, M: Model> {
    /// The model.
    pub model: &'a M,
    /// The state.
    pub state: &'a M::State,
    /// Its canonical bytes.
    pub bytes: &'a [u8],
    /// Its progress.
    pub value: &'a Value,
    /// Its id in the store, valid while its layer is stored.
    pub id: StateId,
    /// How many states had been stored when it was expanded. Ids are reused after their layer was dropped;
    /// together with this number they are unique.
    pub stored: u64,
    /// The path to the state, if the exploration has it and paths are wanted: the number of an initial state,
    /// then the numbers of successors. Only a depth-first search has it.
    pub path: Option<&'a [u32]>,
}

/// A layer at the moment it is dropped.
#[derive(Clone)]
pub struct ClosedLayer<'a> {
    /// The serial number of the layer, as in [`StateId::layer`].
    pub serial: u64,
    /// The progress of its states.
    pub value: &'a Value,
    /// The number of its states.
    pub states: u64,
    /// How many of them, the first ones, are persistent and stay.
    pub kept: u64,
    pub(crate) stored: &'a Layer,
}

impl ClosedLayer<'_> {
    /// The bytes of the state with this number, as in [`StateId::number`].
    pub fn bytes(&self, number: u64) -> Option<&[u8]> {
        (number < self.states).then(|| self.stored.get(number as usize))
    }
}

/// Observes an exploration.
///
/// If a measure is not monotone, states are visited again in later sweeps; with a
/// [cache](crate::Options::cache), whenever they were replaced. The results of an observer must not depend on
/// the number of visits.
///
/// # Laws
///
/// * The results of an observer are a set of facts, which [`save`](Observer::save) writes and
///   [`merge`](Observer::merge) adds. Merging is associative and commutative, and merging the same facts
///   twice changes nothing that an answer depends on.
/// * A [`fork`](Observer::fork) has no facts yet. However the visits are distributed over an observer and its
///   forks, after their facts are merged the observer answers as if it had seen all visits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an observer of `{M}`",
    label = "not an observer",
    note = "observers implement `observe::Observer`; `&mut ()` observes nothing"
)]
pub trait Observer<M: Model> {
    /// `visit` is about to be expanded. The worker may be used to inspect its state.
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        let _ = (visit, worker);
        Ok(())
    }

    /// The state that is being expanded has the successor `target` by `action`. Only called if
    /// [`watches_arcs`](Observer::watches_arcs).
    fn arc(&mut self, source: &Visit<'_, M>, action: &M::Action, target: &M::State) -> Flow {
        let _ = (source, action, target);
        Ok(())
    }

    /// An edge, after its target was looked up; `new` if the target was stored just now. Only called if
    /// [`watches_links`](Observer::watches_links), and never by an exploration with a
    /// [cache](crate::Options::cache).
    fn link(&mut self, source: StateId, action: &M::Action, target: StateId, new: bool) -> Flow {
        let _ = (source, action, target, new);
        Ok(())
    }

    /// `visit` was expanded, has no successor and has not [terminated](Model::has_terminated).
    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        let _ = (visit, worker);
        Ok(())
    }

    /// Pushes the values of the properties on a state, each with the number of the property: equivalent
    /// states must have equal values.
    ///
    /// # Errors
    ///
    /// If a property cannot be evaluated.
    fn sees(&self, model: &M, worker: &mut M::Worker, state: &M::State, push: Put<'_>) -> Computed {
        let _ = (model, worker, state, push);
        Ok(())
    }

    /// A layer is about to be dropped.
    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let _ = (layer, statistics);
        Ok(())
    }

    /// Some waiting states of the layer with progress `line` are about to be expanded: a level. This is the
    /// place to stop an exploration after a number of states: which states a level has does not depend on the
    /// number of threads.
    fn level(&mut self, line: &Value, statistics: &Statistics) -> Flow {
        let _ = (line, statistics);
        Ok(())
    }

    /// Called about ten times a second; `line` is the progress reached.
    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        let _ = (line, statistics);
    }

    /// How many questions this observer has decided. A fork also counts everything that may decide a question
    /// together with what other forks have seen: then one thread visits the states of the round again, and the
    /// exploration stops at the right one.
    fn decided(&self) -> u64 {
        0
    }

    /// A checkpoint was written, or could not be.
    fn saved(&mut self, saved: &Saved) {
        let _ = saved;
    }

    /// A property is decided, with the verdict in a word; its witness is still to be found.
    fn answered(&mut self, name: &str, verdict: &'static str) {
        let _ = (name, verdict);
    }

    /// Another observer of the same kind without facts, for another worker. It gets the events
    /// [`node`](Observer::node), [`arc`](Observer::arc) and [`dead`](Observer::dead) of some states; all other
    /// events go to the original. `None` if this observer must see all states itself, in order.
    fn fork<'s>(&'s self, model: &'s M) -> Option<Fork<'s, M>> {
        let _ = model;
        None
    }

    /// The facts gathered so far. `None` if they cannot be saved: then the run cannot have checkpoints,
    /// because nothing may be lost silently.
    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let _ = model;
        None
    }

    /// Adds the facts that another observer of the same kind has gathered and [saved](Observer::save): a
    /// fork, or one of an earlier process. `false` if the bytes are invalid.
    fn merge(&mut self, model: &M, saved: &[u8]) -> bool {
        let _ = (model, saved);
        false
    }

    /// Memory in use that follows the window; it counts towards the limit.
    fn bytes(&self) -> u64 {
        0
    }

    /// Whether this observer needs edges as they are computed.
    fn watches_arcs(&self) -> bool {
        false
    }

    /// Whether this observer needs edges with the ids of both states.
    fn watches_links(&self) -> bool {
        false
    }
}

/// Observes nothing.
impl<M: Model> Observer<M> for () {
    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(()))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}

/// Two observers of one exploration. Either may stop it; the results of the other are then about the explored
/// part.
impl<M, A, B> Observer<M> for (&mut A, &mut B)
where
    M: Model,
    A: Observer<M> + ?Sized,
    B: Observer<M> + ?Sized,
{
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.0.node(visit, worker)?;
        self.1.node(visit, worker)
    }

    fn arc(&mut self, source: &Visit<'_, M>, action: &M::Action, target: &M::State) -> Flow {
        self.0.arc(source, action, target)?;
        self.1.arc(source, action, target)
    }

    fn sees(&self, model: &M, worker: &mut M::Worker, state: &M::State, push: Put<'_>) -> Computed {
        self.0.sees(model, worker, state, push)?;
        self.1.sees(model, worker, state, push)
    }

    fn link(&mut self, source: StateId, action: &M::Action, target: StateId, new: bool) -> Flow {
        self.0.link(source, action, target, new)?;
        self.1.link(source, action, target, new)
    }

    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.0.dead(visit, worker)?;
        self.1.dead(visit, worker)
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        self.0.layer_closed(layer, statistics)?;
        self.1.layer_closed(layer, statistics)
    }

    fn level(&mut self, line: &Value, statistics: &Statistics) -> Flow {
        self.0.level(line, statistics)?;
        self.1.level(line, statistics)
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        self.0.pulse(line, statistics);
        self.1.pulse(line, statistics);
    }

    fn decided(&self) -> u64 {
        self.0.decided() + self.1.decided()
    }

    fn saved(&mut self, saved: &Saved) {
        self.0.saved(saved);
        self.1.saved(saved);
    }

    fn answered(&mut self, name: &str, verdict: &'static str) {
        self.0.answered(name, verdict);
        self.1.answered(name, verdict);
    }

    fn fork<'s>(&'s self, model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(Both(self.0.fork(model)?, self.1.fork(model)?)))
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&(self.0.save(model)?, self.1.save(model)?)))
    }

    fn merge(&mut self, model: &M, saved: &[u8]) -> bool {
        let Some((first, second)) = codec::read::<(Vec<u8>, Vec<u8>)>(saved) else { return false };
        self.0.merge(model, &first) && self.1.merge(model, &second)
    }

    fn bytes(&self) -> u64 {
        self.0.bytes() + self.1.bytes()
    }

    fn watches_arcs(&self) -> bool {
        self.0.watches_arcs() || self.1.watches_arcs()
    }

    fn watches_links(&self) -> bool {
        self.0.watches_links() || self.1.watches_links()
    }
}

/// Forks of two observers.
struct Both<'a, M: Model>(Fork<'a, M>, Fork<'a, M>);

impl<M: Model> Observer<M> for Both<'_, M> {
    fn decided(&self) -> u64 {
        self.0.decided() + self.1.decided()
    }

    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.0.node(visit, worker)?;
        self.1.node(visit, worker)
    }

    fn arc(&mut self, source: &Visit<'_, M>, action: &M::Action, target: &M::State) -> Flow {
        self.0.arc(source, action, target)?;
        self.1.arc(source, action, target)
    }

    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.0.dead(visit, worker)?;
        self.1.dead(visit, worker)
    }

    fn watches_arcs(&self) -> bool {
        self.0.watches_arcs() || self.1.watches_arcs()
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&(self.0.save(model)?, self.1.save(model)?)))
    }
}
