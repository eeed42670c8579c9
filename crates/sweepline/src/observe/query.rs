//! Queries: the questions asked of all reachable states, answered together in one exploration.

mod standard;

use std::ops::ControlFlow;

use super::components::{Gather, LayerComponents};
use super::{ClosedLayer, Flow, Observer, StateId, Statistics, Visit};
use crate::codec;
use crate::model::Model;
use crate::select::Needs;
use crate::verdict::StopReason;

pub use standard::{Bound, DeadActions, DeadStates, Deadlock, Never, Reach};

/// A state that decides a query.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Hit {
    /// Its name at the time.
    pub id: StateId,
    /// The time, in states stored.
    pub stored: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The way there, where the exploration held it; see [`Visit::way`].
    #[serde(skip)]
    pub way: Option<Vec<u32>>,
}

impl Hit {
    /// The state of `visit`.
    pub fn of<M: Model>(visit: &Visit<'_, M>) -> Self {
        Hit {
            id: visit.id,
            stored: visit.stored,
            bytes: visit.bytes.to_vec(),
            way: visit.way.map(<[u32]>::to_vec),
        }
    }
}

/// What a query found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Found to hold, by this state.
    Holds(Option<Hit>),
    /// Found to fail, at this state.
    Violated(Option<Hit>),
    /// Holds if nothing else is reachable.
    HoldsSoFar,
    /// Fails if nothing else is reachable.
    ViolatedSoFar,
    /// Cannot be told by an exploration of this kind.
    Unknown(StopReason),
}

/// A question about all reachable states.
///
/// Queries see states and dead states, and edges where they ask for them; once
/// decided they see no more. Since a state may be visited twice under a measure
/// that is not monotone, what a query computes must not depend on how often it sees one.
pub trait Query<M: Model> {
    /// A state. `Break` when the question is decided.
    fn node(&mut self, visit: &Visit<'_, M>) -> Flow {
        let _ = visit;
        Flow::Continue(())
    }

    /// An edge, for queries that [`watch`](Query::watches_arcs) them. `Break` when decided.
    fn arc(&mut self, source: &Visit<'_, M>, action: M::Action, target: &M::State) -> Flow {
        let _ = (source, action, target);
        Flow::Continue(())
    }

    /// A state without successors that has not [terminated](Model::has_terminated). `Break` when decided.
    fn dead(&mut self, visit: &Visit<'_, M>) -> Flow {
        let _ = visit;
        Flow::Continue(())
    }

    /// A layer closes; for queries that [`watch`](Query::watches_components) components. `Break` when
    /// decided.
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        let _ = layer;
        Flow::Continue(())
    }

    /// The components of this exploration are not known, and [`components`](Query::components) is not
    /// called any more. `Break` when there is nothing left to learn.
    fn components_lost(&mut self, why: &'static str) -> Flow {
        let _ = why;
        Flow::Continue(())
    }

    /// This query must see the components of layers.
    fn watches_components(&self) -> bool {
        false
    }

    /// Edges by `action` matter to [`components`](Query::components). Those that matter to no query are not
    /// kept.
    fn needs_edges(&self, action: M::Action) -> bool {
        let _ = action;
        self.watches_components()
    }

    /// This query must see edges.
    fn watches_arcs(&self) -> bool {
        false
    }

    /// What a reduced exploration must leave of the state space for this query.
    fn needs(&self) -> Needs<M> {
        let edges = self.watches_arcs() || self.watches_components();
        if edges { Needs::Edges } else { Needs::States }
    }

    /// What this query sees of a state, where it is a number: states that a run takes for the same must
    /// not differ in it.
    fn sees(&self, model: &M, state: &M::State) -> Option<i128> {
        let _ = (model, state);
        None
    }

    /// A single state may decide this query, and the way there is worth keeping. Where no query of
    /// a run has a witness, no origins are kept.
    fn has_witness(&self) -> bool {
        true
    }

    /// The answer so far.
    fn answer(&self) -> Answer;

    /// Least and greatest value, for queries that compute them.
    fn range(&self) -> Option<(i128, i128)> {
        None
    }

    /// What was found so far, for a checkpoint. `None` from a query that cannot tell: a run that
    /// asks it is refused checkpoints, for nothing may be lost silently.
    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let _ = model;
        None
    }

    /// Goes on from what [`save`](Query::save) gave in an earlier process. `false` when these bytes
    /// make no sense.
    fn restore(&mut self, model: &M, saved: &[u8]) -> bool {
        let _ = (model, saved);
        false
    }

    /// Further lines for the report: what was found, in the model's words.
    fn findings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Several queries, answered in one exploration that ends as soon as all are decided.
pub struct Queries<'a, M: Model> {
    queries: Vec<Box<dyn Query<M> + 'a>>,
    /// Indices of those not decided yet.
    waiting: Vec<usize>,
    watching: Vec<usize>,
    /// The edges of layers, if some query that waits watches components.
    gather: Option<Gather<M::Action>>,
}

impl<M: Model> Default for Queries<'_, M> {
    fn default() -> Self {
        Queries { queries: Vec::new(), waiting: Vec::new(), watching: Vec::new(), gather: None }
    }
}

impl<'a, M: Model> Queries<'a, M> {
    /// Adds a query; its number.
    pub fn add(&mut self, query: impl Query<M> + 'a) -> usize {
        let number = self.queries.len();
        self.waiting.push(number);
        if query.watches_arcs() {
            self.watching.push(number);
        }
        if query.watches_components() {
            self.gather.get_or_insert_default();
        }
        self.queries.push(Box::new(query));
        number
    }

    /// The queries, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &(dyn Query<M> + 'a)> {
        self.queries.iter().map(|query| &**query)
    }

    /// Shows an event to the queries that wait and takes those decided by it out.
    fn show(&mut self, mut event: impl FnMut(&mut (dyn Query<M> + 'a)) -> Flow) -> Flow {
        let Queries { queries, waiting, watching, gather } = self;
        let before = waiting.len();
        waiting.retain(|&number| event(&mut *queries[number]).is_continue());
        if waiting.len() < before {
            watching.retain(|number| waiting.contains(number));
            if !waiting.iter().any(|&number| queries[number].watches_components()) {
                *gather = None;
            }
            if waiting.is_empty() {
                return ControlFlow::Break(());
            }
        }
        Flow::Continue(())
    }
}

impl<M: Model> Observer<M> for Queries<'_, M> {
    #[inline]
    fn node(&mut self, visit: &Visit<'_, M>) -> Flow {
        if let Some(gather) = &mut self.gather {
            gather.stored = visit.stored;
        }
        self.show(|query| query.node(visit))
    }

    #[inline]
    fn link(&mut self, source: StateId, action: M::Action, target: StateId, _new: bool) -> Flow {
        let Queries { queries, waiting, gather, .. } = self;
        if let Some(gather) = gather
            && waiting.iter().any(|&number| queries[number].needs_edges(action))
        {
            gather.link(source, action, target);
        }
        Flow::Continue(())
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let Some(mut gather) = self.gather.take() else { return Flow::Continue(()) };
        match gather.close(layer, statistics) {
            Ok(graph) => {
                let seen = gather.components(&graph, layer);
                self.gather = Some(gather);
                self.show(|query| match query.watches_components() {
                    true => query.components(&seen),
                    false => Flow::Continue(()),
                })
            }
            Err(why) => self.show(|query| match query.watches_components() {
                true => query.components_lost(why),
                false => Flow::Continue(()),
            }),
        }
    }

    fn arc(&mut self, source: &Visit<'_, M>, action: M::Action, target: &M::State) -> Flow {
        let Queries { queries, waiting, watching, .. } = self;
        let before = watching.len();
        watching.retain(|&n| queries[n].arc(source, action, target).is_continue());
        if watching.len() < before {
            waiting.retain(|&n| !queries[n].watches_arcs() || watching.contains(&n));
            if waiting.is_empty() {
                return ControlFlow::Break(());
            }
        }
        Flow::Continue(())
    }

    fn dead(&mut self, visit: &Visit<'_, M>) -> Flow {
        self.show(|query| query.dead(visit))
    }

    fn watches_arcs(&self) -> bool {
        !self.watching.is_empty()
    }

    fn watches_links(&self) -> bool {
        self.gather.is_some()
    }

    fn bytes(&self) -> u64 {
        self.gather.as_ref().map_or(0, Gather::bytes)
    }

    fn sees(&self, model: &M, state: &M::State, push: &mut dyn FnMut(usize, i128)) {
        for (number, query) in self.iter().enumerate() {
            query.sees(model, state).into_iter().for_each(|value| push(number, value));
        }
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let each: Option<Vec<Vec<u8>>> = self.iter().map(|query| query.save(model)).collect();
        Some(codec::to_bytes(&(&self.waiting, each?)))
    }

    fn restore(&mut self, model: &M, saved: &[u8]) -> bool {
        let Some((waiting, each)) = codec::read::<(Vec<usize>, Vec<Vec<u8>>)>(saved) else {
            return false;
        };
        let n = self.queries.len();
        if each.len() != n || !waiting.is_sorted_by(|a, b| a < b) || waiting.iter().any(|&i| i >= n)
        {
            return false;
        }
        self.watching.retain(|number| waiting.contains(number));
        self.waiting = waiting;
        self.queries.iter_mut().zip(&each).all(|(query, saved)| query.restore(model, saved))
    }
}
