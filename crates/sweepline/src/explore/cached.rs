//! State space caching: depth-first search with a bounded store.
//!
//! A stored state was explored or is on the stack, so an edge to it need not be followed. A state that was
//! replaced is explored again. Every state that is ever stored is expanded, and each of its successors is
//! stored then or was stored before. So all reachable states are visited. States on the stack are never
//! replaced, so the stack never contains a state twice. So the search ends (Holzmann 1985; Godefroid,
//! Holzmann and Pirottin 1995).

use std::time::Instant;

use super::expand::decoded;
use super::stack::{Next, Stack};
use super::{Clock, Exploration, Options, OriginStore, Step};
use crate::checkpoint;
use crate::explore::Cache;
use crate::model::{Model, Sink, sample_codec};
use crate::observe::{Observer, StateId, Statistics, Visit, WitnessMode};
use crate::progress::Value;
use crate::retain::{Budget, CacheStore, Handle, Window, hash};
use crate::verdict::StopReason;

/// Steps between two checks of the clock and the limits.
const STEPS: u32 = 256;
/// Maximal bytes of successors that are waiting on the stack; further ones are dropped and computed again.
const ROOM: usize = 2 << 20;

/// The frame under the initial states, which are its successors.
const GROUND: Handle = Handle::MAX;

/// Explores depth first with a bounded store.
pub(super) fn explore<M: Model>(
    model: &M,
    cache: &Cache,
    options: &Options,
    observer: &mut dyn Observer<M>,
) -> Exploration {
    if options.checkpoint.is_some() {
        return Exploration::refused(StopReason::Checkpoint(checkpoint::Error::Cached));
    }
    DepthFirst::new(model, cache, options, observer, ROOM).run()
}

struct DepthFirst<'a, M: Model> {
    model: &'a M,
    options: &'a Options,
    observer: &'a mut (dyn Observer<M> + 'a),
    store: CacheStore,
    stack: Stack,
    /// The path to the state on top: the number of an initial state, then the numbers of successors.
    path: Vec<u32>,
    statistics: Statistics,
    /// Number of states stored so far, including those replaced.
    stored: u64,
    /// The state being expanded.
    scratch: Option<M::State>,
    bytes: Vec<u8>,
    nowhere: Value,
    /// Computes successors, and inspects states.
    worker: M::Worker,
    reader: M::Worker,
    clock: Clock,
}

impl<'a, M: Model> DepthFirst<'a, M> {
    fn new(
        model: &'a M,
        cache: &Cache,
        options: &'a Options,
        observer: &'a mut (dyn Observer<M> + 'a),
        room: usize,
    ) -> Self {
        let budget = Budget::new(options.limits.memory);
        DepthFirst {
            model,
            options,
            observer,
            store: CacheStore::new(cache.states, cache.replacement, budget),
            stack: Stack::new(room),
            path: Vec::new(),
            statistics: Statistics { sweeps: 1, ..Statistics::default() },
            stored: 0,
            scratch: None,
            bytes: Vec::new(),
            nowhere: Value::default(),
            worker: model.worker(),
            reader: model.worker(),
            clock: Clock::new(&options.limits),
        }
    }

    fn run(mut self) -> Exploration {
        let stop = self.search().err().map(|stop| self.options.interrupt.explain(stop));
        self.refresh();
        self.statistics.elapsed = self.clock.own(Instant::now());
        let window = Window::new(0, false, 0, Budget::new(None));
        let statistics = self.statistics;
        Exploration { statistics, stop, saved: None, origins: OriginStore::Off, window }
    }

    fn search(&mut self) -> Step {
        self.put(GROUND)?;
        self.gather(u32::MAX)?;
        let mut steps = 0;
        while let Some(state) = self.stack.top() {
            match self.stack.next(&mut self.bytes) {
                Next::Successor(number) => self.step(number)?,
                Next::Below(number) => self.gather(number)?,
                Next::Nothing => {
                    if state != GROUND {
                        self.store.release(state);
                    }
                    let number = self.path.pop().unwrap_or(0);
                    self.stack.pop(number);
                }
            }
            steps += 1;
            if steps == STEPS || self.options.interrupt.is_raised() {
                steps = 0;
                self.check_limits()?;
            }
        }
        Ok(())
    }

    fn put(&mut self, state: Handle) -> Step {
        let fits = self.stack.push(state, &mut self.store.budget);
        if fits { Ok(()) } else { Err(StopReason::Memory) }
    }

    /// Pushes successor `number` of the state on top, whose bytes are in the buffer, unless it is stored.
    #[inline]
    fn step(&mut self, number: u32) -> Step {
        let hash = hash(&self.bytes);
        if self.store.meet(hash, &self.bytes) {
            return Ok(());
        }
        let depth = self.path.len();
        let stored = self.store.insert(hash, &self.bytes, depth).ok_or(StopReason::Memory)?;
        self.put(stored)?;
        if !self.store.budget.reserve(&mut self.path, 1) {
            return Err(StopReason::Memory);
        }
        self.path.push(number);
        self.stored += 1;
        let statistics = &mut self.statistics;
        statistics.peak_states = statistics.peak_states.max(self.store.stored);
        statistics.deepest = statistics.deepest.max(self.path.len() as u64);
        self.expand()
    }

    /// Shows the state on top, whose bytes are in the buffer, to the observer, and puts its successors on the
    /// stack.
    fn expand(&mut self) -> Step {
        let state = decoded(self.model, &self.bytes, &mut self.scratch);
        let id = StateId { layer: 1, number: self.statistics.explored };
        self.statistics.explored += 1;
        sample_codec(self.model, self.statistics.explored, state, &self.bytes)?;
        let visit = Visit {
            model: self.model,
            state,
            bytes: &self.bytes,
            value: &self.nowhere,
            id,
            stored: self.stored,
            path: (self.options.witness != WitnessMode::Off).then_some(&self.path),
        };
        self.observer.node(&visit, &mut self.reader)?;
        let watches = self.observer.watches_arcs();
        let mut gather = Gather {
            model: self.model,
            stack: &mut self.stack,
            watching: watches.then_some((&mut *self.observer, &visit)),
            below: u32::MAX,
            pushed: 0,
            stop: None,
        };
        self.model.successors(&mut self.worker, state, &mut gather)?;
        let (pushed, stop) = (gather.pushed, gather.stop);
        self.statistics.edges += u64::from(pushed);
        if let Some(stop) = stop {
            return Err(stop);
        }
        if pushed == 0 && !self.model.has_terminated(state) {
            self.statistics.dead += 1;
            self.observer.dead(&visit, &mut self.reader)?;
        }
        self.sift()
    }

    /// Puts the successors of the state on top before number `below` on the stack again. Observers see each
    /// state once, so this does not call them.
    #[cold]
    fn gather(&mut self, below: u32) -> Step {
        let mut gather = Gather::<M> {
            model: self.model,
            stack: &mut self.stack,
            watching: None,
            below,
            pushed: 0,
            stop: None,
        };
        match gather.stack.top() {
            Some(GROUND) => self.model.initial(&mut |state| gather.take(state)),
            Some(handle) => {
                let bytes = self.store.get(handle);
                let state = decoded(self.model, bytes, &mut self.scratch);
                self.model.successors(&mut self.worker, state, &mut gather)?;
            }
            None => {}
        }
        self.sift()
    }

    /// Removes the successors of the state on top from the stack that are stored.
    fn sift(&mut self) -> Step {
        let store = &mut self.store;
        self.stack.retain(|bytes| !store.meet(hash(bytes), bytes));
        if self.stack.charge(&mut store.budget) { Ok(()) } else { Err(StopReason::Memory) }
    }

    fn refresh(&mut self) {
        let statistics = &mut self.statistics;
        statistics.stored = self.store.stored;
        statistics.replaced = self.store.replaced;
        let bytes = self.store.budget.used.max(self.store.peak_bytes);
        statistics.peak_bytes = statistics.peak_bytes.max(bytes);
    }

    fn check_limits(&mut self) -> Step {
        self.refresh();
        let now = Instant::now();
        let reached = self.options.reached(now, self.clock.deadline, self.statistics.explored);
        let shown = (&self.nowhere, &mut self.statistics);
        self.clock.tick(now, reached, &self.store.budget, shown, self.observer)
    }
}

/// Collects the successors of one state.
struct Gather<'a, 'v, M: Model> {
    model: &'a M,
    stack: &'a mut Stack,
    /// The observer of the edges, and the source state.
    watching: Option<(&'a mut dyn Observer<M>, &'a Visit<'v, M>)>,
    /// Successors from this number on are ignored: they have been tried.
    below: u32,
    pushed: u32,
    stop: Option<StopReason>,
}

impl<M: Model> Gather<'_, '_, M> {
    #[inline]
    fn take(&mut self, state: &M::State) {
        if self.pushed < self.below {
            self.stack.add(self.pushed, |bytes| self.model.encode(state, bytes));
        }
        self.pushed += 1;
    }
}

impl<M: Model> Sink<M> for Gather<'_, '_, M> {
    #[inline]
    fn push(&mut self, action: M::Action, state: &M::State) {
        if let Some((observer, visit)) = &mut self.watching
            && let Err(stop) = observer.arc(visit, &action, state)
        {
            self.stop.get_or_insert(stop);
        }
        self.take(state);
    }
}

#[cfg(test)]
mod tests;
