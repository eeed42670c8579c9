//! Observation: what is learnt while the sweep passes by.
//!
//! An [`Observer`] sees every state once as it is expanded, every edge, every dead state, and every
//! layer as it is dropped, and may stop the exploration at any of them. Whatever is not taken down
//! then is gone.

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

/// Go on, or stop the exploration: what an observer answers to each event.
///
/// [`DECIDED`] is the stop of an observer that has seen enough; a condition that cannot be evaluated stops
/// the exploration by its [`ModelError`](crate::ModelError).
pub type Flow = Result<(), StopReason>;

/// There is nothing left to learn.
pub const DECIDED: Flow = Err(StopReason::Decided);

/// Takes the number of a question, and what it sees of a state.
pub type Put<'a> = &'a mut dyn FnMut(usize, i128);

/// An observer that another worker feeds.
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
    /// Its name in the store, valid while its layer is held.
    pub id: StateId,
    /// How many states had been stored when it was expanded. Names are used again once their layer
    /// is dropped; together with this number they are unique.
    pub stored: u64,
    /// The way here, where the exploration holds it and ways are wanted: the number of an initial
    /// state, then of one successor after the other. Only a depth-first search holds it.
    pub way: Option<&'a [u32]>,
}

/// A layer at the moment it is dropped.
#[derive(Clone)]
pub struct ClosedLayer<'a> {
    /// The serial number of the layer, as in [`StateId::layer`].
    pub serial: u64,
    /// The progress of its states.
    pub value: &'a Value,
    /// How many states it holds.
    pub states: u64,
    /// How many of them are persistent and stay, the first ones.
    pub kept: u64,
    pub(crate) stored: &'a Layer,
}

impl ClosedLayer<'_> {
    /// The bytes of the state with this number, as in [`StateId::number`].
    pub fn bytes(&self, number: u64) -> Option<&[u8]> {
        (number < self.states).then(|| self.stored.get(number as usize))
    }
}

/// Watches an exploration.
///
/// Where a measure is not monotone, states are visited again in later sweeps, and with a
/// [cache](crate::Options::cache) whenever they were replaced; what an observer accumulates must not
/// mind.
///
/// # Laws
///
/// * What an observer has gathered is a set of facts that [`save`](Observer::save) writes down and
///   [`merge`](Observer::merge) adds. Merging is associative and commutative, and merging the same facts
///   twice changes nothing that an answer depends on.
/// * A [`fork`](Observer::fork) has gathered nothing. Whatever the visits are dealt out to an observer and
///   its forks, after their facts are merged the observer answers as if it had seen them all.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an observer of `{M}`",
    label = "not an observer",
    note = "observers implement `observe::Observer`; `&mut ()` observes nothing"
)]
pub trait Observer<M: Model> {
    /// `visit` is about to be expanded. The worker may be used to look at its state.
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        let _ = (visit, worker);
        Ok(())
    }

    /// The state being expanded has the successor `target` by `action`. Only called when
    /// [`watches_arcs`](Observer::watches_arcs).
    fn arc(&mut self, source: &Visit<'_, M>, action: &M::Action, target: &M::State) -> Flow {
        let _ = (source, action, target);
        Ok(())
    }

    /// An edge, after its target was looked up: `target` names it, `new` when it was stored just
    /// now. Only called when [`watches_links`](Observer::watches_links), and never by an exploration
    /// with a [cache](crate::Options::cache).
    fn link(&mut self, source: StateId, action: &M::Action, target: StateId, new: bool) -> Flow {
        let _ = (source, action, target, new);
        Ok(())
    }

    /// `visit` was expanded, has no successor and has not [terminated](Model::has_terminated).
    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        let _ = (visit, worker);
        Ok(())
    }

    /// Pushes what questions see of a state, each with the number of the question: states that a run
    /// takes for the same must not differ in it.
    ///
    /// # Errors
    ///
    /// Where a question cannot be evaluated.
    fn sees(&self, model: &M, worker: &mut M::Worker, state: &M::State, push: Put<'_>) -> Computed {
        let _ = (model, worker, state, push);
        Ok(())
    }

    /// A layer is about to be dropped.
    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let _ = (layer, statistics);
        Ok(())
    }

    /// Some time has passed; `line` is the progress reached. Called about ten times a second.
    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        let _ = (line, statistics);
    }

    /// How many questions this observer has decided.
    fn decided(&self) -> u64 {
        0
    }

    /// A checkpoint was written, or could not be.
    fn saved(&mut self, saved: &Saved) {
        let _ = saved;
    }

    /// A question is answered, in a word; what is left is to find its witness.
    fn answered(&mut self, name: &str, verdict: &'static str) {
        let _ = (name, verdict);
    }

    /// Another observer of the same kind that has gathered nothing, for another worker. `None` from one that
    /// must see all states itself.
    fn fork(&self) -> Option<Fork<'_, M>> {
        None
    }

    /// What was gathered so far. `None` from an observer that cannot tell: a run that it watches is refused
    /// checkpoints, for nothing may be lost silently.
    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let _ = model;
        None
    }

    /// Adds what another observer of the same kind has gathered and [saved](Observer::save): a fork, or one
    /// of an earlier process. `false` when these bytes make no sense.
    fn merge(&mut self, model: &M, saved: &[u8]) -> bool {
        let _ = (model, saved);
        false
    }

    /// Memory taken that follows the window; it counts towards the limit.
    fn bytes(&self) -> u64 {
        0
    }

    /// This observer wants to see edges as they are computed.
    fn watches_arcs(&self) -> bool {
        false
    }

    /// This observer wants to see edges with the names of both ends.
    fn watches_links(&self) -> bool {
        false
    }
}

/// Sees nothing.
impl<M: Model> Observer<M> for () {
    fn fork(&self) -> Option<Fork<'_, M>> {
        Some(Box::new(()))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}

/// Two observers watch together. Either may stop the exploration; what the other has gathered is
/// then of the part explored.
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
