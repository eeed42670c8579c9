//! Queries: the questions asked of all reachable states, answered together in one exploration.

mod standard;
mod valid_end;

use super::components::{Fairness, Gather, LayerComponents, REGRESS};
use super::{ClosedLayer, DECIDED, Flow, Fork, Observer, Put, StateId, Statistics, Visit};
use crate::codec;
use crate::model::{Computed, Model};
use crate::select::Needs;
use crate::verdict::StopReason;

pub use standard::{Bound, DeadActions, DeadStates, Deadlock, Never};
pub use valid_end::ValidEnd;

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
    /// Of two states that decide a query the one to show: the one met first, in states stored.
    pub(crate) fn earlier(self, other: Hit) -> Hit {
        let key = |hit: &Hit| (hit.stored, hit.id.layer, hit.id.number);
        if key(&other) < key(&self) { other } else { self }
    }

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

impl Answer {
    /// The verdict in a word, after an exploration that is complete or not; `None` where it is open.
    pub(crate) fn word(&self, is_complete: bool) -> Option<&'static str> {
        match self {
            Answer::Holds(_) => Some("holds"),
            Answer::Violated(_) => Some("violated"),
            Answer::HoldsSoFar if is_complete => Some("holds"),
            Answer::ViolatedSoFar if is_complete => Some("violated"),
            _ => None,
        }
    }
}

/// A question about all reachable states: an [observer](Observer) that has an answer.
///
/// Of an observer's events a query sees [`node`](Observer::node), [`dead`](Observer::dead), and
/// [`arc`](Observer::arc) where it asks for edges; [`DECIDED`] says that the question is, and it
/// sees no more. Since a state may be visited twice under a measure that is not monotone, what a query computes
/// must not depend on how often it sees one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a question about `{M}`",
    label = "not a query",
    note = "`Check::never`, `always`, `reach` and `home` take closures; `Check::query` takes what implements `observe::Query`"
)]
pub trait Query<M: Model>: Observer<M> {
    /// A layer closes; for queries that [`watch`](Query::watches_components) components.
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        let _ = layer;
        Ok(())
    }

    /// The components of this exploration are not known, and [`components`](Query::components) is not
    /// called any more.
    fn components_lost(&mut self, why: &'static str) -> Flow {
        let _ = why;
        Ok(())
    }

    /// It could say more of the components if the exploration were swept along a monotone measure.
    fn lacks_components(&self) -> bool {
        self.answer() == Answer::Unknown(StopReason::Components(REGRESS))
    }

    /// Forgets everything, to be asked once more. Only called where it
    /// [lacks components](Query::lacks_components).
    fn restart(&mut self) {}

    /// This query must see the components of layers.
    fn watches_components(&self) -> bool {
        false
    }

    /// Edges by `action` matter to [`components`](Query::components). Those that matter to no query are not
    /// kept.
    fn needs_edges(&self, action: &M::Action) -> bool {
        let _ = action;
        self.watches_components()
    }

    /// What a reduced exploration must leave of the state space for this query.
    fn needs(&self) -> Needs<M> {
        let edges = self.watches_arcs() || self.watches_components();
        if edges { Needs::Edges } else { Needs::States }
    }

    /// A single state may decide this query, and the way there is worth keeping. Where no query of
    /// a run has a witness, no origins are kept.
    fn has_witness(&self) -> bool {
        true
    }

    /// The answer so far. A query that only gathers [holds](Answer::HoldsSoFar) when the exploration is complete.
    fn answer(&self) -> Answer;

    /// Least and greatest value, for queries that compute them.
    fn range(&self) -> Option<(i128, i128)> {
        None
    }

    /// How infinite runs treat a transition, for queries that find out.
    fn fairness(&self) -> Option<Fairness> {
        None
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
        self.add_boxed(Box::new(query))
    }

    fn add_boxed(&mut self, query: Box<dyn Query<M> + 'a>) -> usize {
        let number = self.queries.len();
        self.waiting.push(number);
        if query.watches_arcs() {
            self.watching.push(number);
        }
        if query.watches_components() {
            self.gather.get_or_insert_default();
        }
        self.queries.push(query);
        number
    }

    /// The queries, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &(dyn Query<M> + 'a)> {
        self.queries.iter().map(|query| &**query)
    }

    /// The numbers of those that lack components.
    pub(crate) fn lacking_components(&self) -> Vec<usize> {
        let numbered = self.iter().enumerate().filter(|(_, query)| query.lacks_components());
        numbered.map(|(number, _)| number).collect()
    }

    /// Takes the queries with these numbers out, to be asked once more.
    pub(crate) fn take_out(self, numbers: &[usize]) -> Queries<'a, M> {
        let mut taken = Queries::default();
        for (number, query) in self.queries.into_iter().enumerate() {
            if numbers.contains(&number) {
                taken.add_boxed(query);
            }
        }
        taken
    }

    /// Forgets everything that was seen.
    pub(crate) fn restart(self) -> Self {
        let mut fresh = Queries::default();
        for mut query in self.queries {
            query.restart();
            fresh.add_boxed(query);
        }
        fresh
    }

    /// Shows an event to the queries that wait and takes those decided by it out.
    #[inline]
    fn show(&mut self, mut event: impl FnMut(&mut (dyn Query<M> + 'a)) -> Flow) -> Flow {
        let Queries { queries, waiting, .. } = self;
        let mut decided = false;
        for number in waiting.iter_mut() {
            match event(&mut *queries[*number]) {
                Ok(()) => {}
                Err(StopReason::Decided) => (*number, decided) = (GONE, true),
                Err(failed) => return Err(failed),
            }
        }
        if decided { self.leave_out() } else { Ok(()) }
    }

    /// The same to those that watch components.
    fn show_watching(&mut self, mut event: impl FnMut(&mut (dyn Query<M> + 'a)) -> Flow) -> Flow {
        self.show(|query| if query.watches_components() { event(query) } else { Ok(()) })
    }

    /// Leaves out those that were decided just now.
    #[cold]
    fn leave_out(&mut self) -> Flow {
        let Queries { queries, waiting, watching, gather } = self;
        waiting.retain(|&number| number != GONE);
        watching.retain(|number| waiting.contains(number));
        if !waiting.iter().any(|&number| queries[number].watches_components()) {
            *gather = None;
        }
        if waiting.is_empty() { DECIDED } else { Ok(()) }
    }
}

/// Takes the place of a query that is decided.
const GONE: usize = usize::MAX;

impl<M: Model> Observer<M> for Queries<'_, M> {
    fn decided(&self) -> u64 {
        (self.queries.len() - self.waiting.len()) as u64
    }

    #[inline]
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        if let Some(gather) = &mut self.gather {
            gather.stored = visit.stored;
        }
        self.show(|query| query.node(visit, worker))
    }

    #[inline]
    fn link(&mut self, source: StateId, action: &M::Action, target: StateId, _new: bool) -> Flow {
        let Queries { queries, waiting, gather, .. } = self;
        if let Some(gather) = gather
            && waiting.iter().any(|&number| queries[number].needs_edges(action))
        {
            gather.link(source, action, target);
        }
        Ok(())
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let Some(mut gather) = self.gather.take() else { return Ok(()) };
        match gather.close(layer, statistics) {
            Ok(graph) => {
                let seen = gather.components(&graph, layer);
                self.gather = Some(gather);
                self.show_watching(|query| query.components(&seen))
            }
            Err(why) => self.show_watching(|query| query.components_lost(why)),
        }
    }

    fn arc(&mut self, source: &Visit<'_, M>, action: &M::Action, target: &M::State) -> Flow {
        let Queries { queries, waiting, watching, .. } = self;
        let mut decided = false;
        for number in watching.iter_mut() {
            match queries[*number].arc(source, action, target) {
                Ok(()) => {}
                Err(StopReason::Decided) => {
                    waiting.iter_mut().filter(|n| *n == number).for_each(|n| *n = GONE);
                    (*number, decided) = (GONE, true);
                }
                Err(failed) => return Err(failed),
            }
        }
        if decided { self.leave_out() } else { Ok(()) }
    }

    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.show(|query| query.dead(visit, worker))
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

    fn sees(&self, model: &M, worker: &mut M::Worker, state: &M::State, push: Put<'_>) -> Computed {
        for (number, query) in self.iter().enumerate() {
            query.sees(model, worker, state, &mut |_, value| push(number, value))?;
        }
        Ok(())
    }

    fn fork(&self) -> Option<Fork<'_, M>> {
        if self.gather.is_some() {
            return None;
        }
        let each: Option<Vec<Fork<'_, M>>> = self.iter().map(|query| query.fork()).collect();
        Some(Box::new(Forks { each: each?, waiting: self.waiting.clone() }))
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let each: Option<Vec<Vec<u8>>> = self.iter().map(|query| query.save(model)).collect();
        Some(codec::to_bytes(&(&self.waiting, each?)))
    }

    fn merge(&mut self, model: &M, saved: &[u8]) -> bool {
        let Some((waiting, each)) = codec::read::<(Vec<usize>, Vec<Vec<u8>>)>(saved) else {
            return false;
        };
        let n = self.queries.len();
        if each.len() != n || !waiting.is_sorted_by(|a, b| a < b) || waiting.iter().any(|&i| i >= n)
        {
            return false;
        }
        self.watching.retain(|number| waiting.contains(number));
        self.waiting.retain(|number| waiting.contains(number));
        self.queries.iter_mut().zip(&each).all(|(query, saved)| query.merge(model, saved))
    }
}

/// Forks of several queries.
struct Forks<'a, M: Model> {
    each: Vec<Fork<'a, M>>,
    /// Indices of those not decided yet.
    waiting: Vec<usize>,
}

impl<M: Model> Forks<'_, M> {
    fn show(&mut self, mut event: impl FnMut(&mut Fork<'_, M>) -> Flow) -> Flow {
        for number in std::mem::take(&mut self.waiting) {
            match event(&mut self.each[number]) {
                Ok(()) => self.waiting.push(number),
                Err(StopReason::Decided) => {}
                Err(failed) => return Err(failed),
            }
        }
        if self.waiting.is_empty() { DECIDED } else { Ok(()) }
    }
}

impl<M: Model> Observer<M> for Forks<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.show(|query| query.node(visit, worker))
    }

    fn arc(&mut self, source: &Visit<'_, M>, action: &M::Action, target: &M::State) -> Flow {
        self.show(|query| match query.watches_arcs() {
            true => query.arc(source, action, target),
            false => Ok(()),
        })
    }

    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.show(|query| query.dead(visit, worker))
    }

    fn watches_arcs(&self) -> bool {
        self.waiting.iter().any(|&number| self.each[number].watches_arcs())
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let each: Option<Vec<Vec<u8>>> = self.each.iter().map(|query| query.save(model)).collect();
        Some(codec::to_bytes(&(&self.waiting, each?)))
    }
}
