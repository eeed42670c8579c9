//! Queries: properties of all reachable states, decided together in one exploration.

mod hunted;
mod standard;
mod valid_end;

use super::components::{Fairness, Gather, LayerComponents, REGRESS};
use super::{ClosedLayer, DECIDED, Flow, Fork, Observer, Put, StateId, Statistics, Visit};
use crate::check::Decision;
use crate::codec;
use crate::hunt::{Hunter, Progressed};
use crate::model::{Computed, Model};
use crate::progress::Value;
use crate::select::Needs;
use crate::verdict::StopReason;

pub use standard::{Bound, DeadActions, DeadStates, Deadlock, Never};
pub use valid_end::ValidEnd;

/// A state that decides a query.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Hit {
    /// Its id when it was visited.
    pub id: StateId,
    /// How many states had been stored then.
    pub stored: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The path to it, if the exploration has it: see [`Visit::path`].
    pub path: Option<Vec<u32>>,
}

impl Hit {
    /// The one of two deciding states to report: the one that was visited first.
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
            path: visit.path.map(<[u32]>::to_vec),
        }
    }
}

/// The answer of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It holds, by this state.
    Holds(Option<Hit>),
    /// It is violated, at this state.
    Violated(Option<Hit>),
    /// It holds if no further state is reachable.
    HoldsSoFar,
    /// It is violated if no further state is reachable.
    ViolatedSoFar,
    /// This kind of exploration cannot decide it.
    Unknown(StopReason),
}

impl Answer {
    /// The verdict in a word, after an exploration that is complete or not; `None` if it is open.
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

/// A property of all reachable states: an [observer](Observer) that has an answer.
///
/// A query gets the events [`node`](Observer::node) and [`dead`](Observer::dead), and [`arc`](Observer::arc)
/// if it watches edges. After it returns [`DECIDED`], it gets no more events. A state may be visited twice
/// under a measure that is not monotone, so the answer must not depend on the number of visits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query about `{M}`",
    label = "not a query",
    note = "`Check::never`, `always`, `reach` and `home` take closures; `Check::query` takes what implements `observe::Query`"
)]
pub trait Query<M: Model>: Observer<M> {
    /// A layer closes; only for queries that [watch](Query::watches_components) components.
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        let _ = layer;
        Ok(())
    }

    /// The components of this exploration are unknown, and [`components`](Query::components) is not called
    /// any more.
    fn components_lost(&mut self, why: &'static str) -> Flow {
        let _ = why;
        Ok(())
    }

    /// Whether an exploration with a monotone measure could decide more.
    fn lacks_components(&self) -> bool {
        self.answer() == Answer::Unknown(StopReason::Components(REGRESS))
    }

    /// Resets the query for another exploration. Only called if it [lacks
    /// components](Query::lacks_components).
    fn restart(&mut self) {}

    /// Whether this query needs the components of layers.
    fn watches_components(&self) -> bool {
        false
    }

    /// Whether edges by `action` matter to [`components`](Query::components). Edges that matter to no query
    /// are not kept.
    fn needs_edges(&self, action: &M::Action) -> bool {
        let _ = action;
        self.watches_components()
    }

    /// What a reduced exploration must preserve for this query.
    fn needs(&self) -> Needs<M> {
        let edges = self.watches_arcs() || self.watches_components();
        if edges { Needs::Edges } else { Needs::States }
    }

    /// Whether a single state may decide this query, so that the path to it is a witness. If no query of a
    /// run has witnesses, no origins are recorded.
    fn has_witness(&self) -> bool {
        true
    }

    /// The answer so far. A query that only gathers data [holds](Answer::HoldsSoFar) when the exploration is
    /// complete.
    fn answer(&self) -> Answer;

    /// Least and greatest value, for queries that compute them.
    fn range(&self) -> Option<(i128, i128)> {
        None
    }

    /// The fairness of infinite paths to a transition, for queries that compute it.
    fn fairness(&self) -> Option<Fairness> {
        None
    }

    /// The decision that was made before the exploration: the query needs none.
    fn decision(&self) -> Option<&Decision> {
        None
    }

    /// Further lines for the report, in the terms of the model.
    fn findings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Several queries, answered by one exploration that ends as soon as all are decided.
pub struct Queries<'a, M: Model> {
    queries: Vec<Box<dyn Query<M> + 'a>>,
    /// Indices of the undecided ones.
    waiting: Vec<usize>,
    watching: Vec<usize>,
    /// The edges of layers, if some undecided query watches components.
    gather: Option<Gather<M::Action>>,
    /// Looks for states that decide queries, between levels.
    hunter: Option<Hunter<'a, M>>,
}

impl<M: Model> Default for Queries<'_, M> {
    fn default() -> Self {
        let (queries, waiting, watching) = Default::default();
        Queries { queries, waiting, watching, gather: None, hunter: None }
    }
}

impl<'a, M: Model> Queries<'a, M> {
    /// Adds a query and returns its number.
    pub fn add(&mut self, query: impl Query<M> + 'a) -> usize {
        self.add_boxed(Box::new(query))
    }

    fn add_boxed(&mut self, query: Box<dyn Query<M> + 'a>) -> usize {
        let number = self.queries.len();
        if query.decision().is_none() {
            self.waiting.push(number);
        }
        if query.watches_arcs() {
            self.watching.push(number);
        }
        if query.watches_components() {
            self.gather.get_or_insert_default();
        }
        self.queries.push(query);
        number
    }

    /// Whether all queries, of which there are some, are decided without exploration.
    pub(crate) fn are_settled(&self) -> bool {
        !self.queries.is_empty() && self.iter().all(|query| query.decision().is_some())
    }

    /// The queries, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &(dyn Query<M> + 'a)> {
        self.queries.iter().map(|query| &**query)
    }

    /// Whether these facts, saved by forks of `count` queries, decide all of them.
    pub(crate) fn are_decided(count: usize, facts: &[Vec<u8>]) -> bool {
        let mut open: Vec<usize> = (0..count).collect();
        let is_asked = !open.is_empty();
        for saved in facts {
            if let Some((waiting, ..)) = codec::read::<Facts>(saved) {
                open.retain(|number| waiting.contains(number));
            }
        }
        is_asked && open.is_empty()
    }

    /// The numbers of the queries that lack components.
    pub(crate) fn lacking_components(&self) -> Vec<usize> {
        let numbered = self.iter().enumerate().filter(|(_, query)| query.lacks_components());
        numbered.map(|(number, _)| number).collect()
    }

    /// Removes the queries with these numbers, for another exploration.
    pub(crate) fn take_out(self, numbers: &[usize]) -> Queries<'a, M> {
        let mut taken = Queries::default();
        for (number, query) in self.queries.into_iter().enumerate() {
            if numbers.contains(&number) {
                taken.add_boxed(query);
            }
        }
        taken
    }

    /// Resets all queries.
    pub(crate) fn restart(self) -> Self {
        let mut fresh = Queries::default();
        for mut query in self.queries {
            query.restart();
            fresh.add_boxed(query);
        }
        fresh
    }

    /// Shows an event to the undecided queries and removes those that it decided.
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

    /// The same for the queries that watch components.
    fn show_watching(&mut self, mut event: impl FnMut(&mut (dyn Query<M> + 'a)) -> Flow) -> Flow {
        self.show(|query| if query.watches_components() { event(query) } else { Ok(()) })
    }

    /// Removes the queries that were decided just now.
    #[cold]
    fn leave_out(&mut self) -> Flow {
        let Queries { queries, waiting, watching, gather, .. } = self;
        waiting.retain(|&number| number != GONE);
        watching.retain(|number| waiting.contains(number));
        if !waiting.iter().any(|&number| queries[number].watches_components()) {
            *gather = None;
        }
        if waiting.is_empty() { DECIDED } else { Ok(()) }
    }
}

/// What queries save: the undecided ones, the facts of each, and how far the hunt is.
type Facts = (Vec<usize>, Vec<Vec<u8>>, Option<Progressed>);

/// Marks a query that is decided.
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

    fn level(&mut self, _line: &Value, statistics: &Statistics) -> Flow {
        self.hunt_beside(statistics)
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

    fn fork<'s>(&'s self, model: &'s M) -> Option<Fork<'s, M>> {
        if self.gather.is_some() {
            return None;
        }
        let each: Option<Vec<Fork<'_, M>>> = self.iter().map(|query| query.fork(model)).collect();
        let (waiting, open) = (self.waiting.clone(), self.waiting.len());
        Some(Box::new(Forks { each: each?, waiting, open }))
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let each: Option<Vec<Vec<u8>>> = self.iter().map(|query| query.save(model)).collect();
        let hunt = self.hunter.as_ref().map(Hunter::save);
        Some(codec::to_bytes(&(&self.waiting, each?, hunt)))
    }

    fn merge(&mut self, model: &M, saved: &[u8]) -> bool {
        let Some((waiting, each, hunt)) = codec::read::<Facts>(saved) else { return false };
        if let (Some(hunter), Some(hunt)) = (&mut self.hunter, hunt)
            && !hunter.restore(hunt)
        {
            return false;
        }
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
    /// Indices of the undecided ones, and how many there were at first.
    waiting: Vec<usize>,
    open: usize,
}

impl<M: Model> Forks<'_, M> {
    /// Shows an event to the undecided queries. It writes nothing unless one is decided: the forks of other
    /// threads may be in the same cache line.
    fn show(&mut self, mut event: impl FnMut(&mut Fork<'_, M>) -> Flow) -> Flow {
        let mut decided = false;
        for number in &mut self.waiting {
            match event(&mut self.each[*number]) {
                Ok(()) => {}
                Err(StopReason::Decided) => (*number, decided) = (GONE, true),
                Err(failed) => return Err(failed),
            }
        }
        if !decided {
            return Ok(());
        }
        self.waiting.retain(|&number| number != GONE);
        if self.waiting.is_empty() { DECIDED } else { Ok(()) }
    }
}

impl<M: Model> Observer<M> for Forks<'_, M> {
    fn decided(&self) -> u64 {
        let each: u64 = self.each.iter().map(|query| query.decided()).sum();
        each + (self.open - self.waiting.len()) as u64
    }

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
        Some(codec::to_bytes(&(&self.waiting, each?, None::<Progressed>)))
    }
}
