//! The threads of a run: what each of them has, and what it does in a round.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::expand::{Expander, decoded};
use super::intake::{Scene, Store};
use super::options::{Interrupt, Options};
use super::share::{Link, Recent, Share};
use super::{GROUP, Step};
use crate::model::Model;
use crate::observe::{Fork, Observer, StateId, Statistics, Visit};
use crate::progress::{Progress, Value};
use crate::reduction::Reduction;
use crate::retain::{Candidates, EqualSearch, Layer, LayerCache, LayerId, Window};
use crate::threads::Threads;
use crate::verdict::StopReason;

/// Bytes of candidates that a round may have.
pub(super) const BYTES: usize = 64 << 20;
/// Chunks for each thread, so that none waits long for the others.
const CHUNKS: usize = 8;
/// Maximal number of states of a chunk.
const CHUNK: usize = 4096;

/// The threads of a run.
pub(super) struct Crew<'a, M: Model> {
    pub(super) threads: Threads,
    /// Whether rounds are possible in this run.
    pub(super) able: bool,
    pub(super) hands: Vec<Mutex<Hand<'a, M>>>,
    pub(super) chunks: Vec<Chunk<M::Action>>,
    /// What was found at the states of each chunk.
    pub(super) found: Vec<Candidates>,
    /// The memory of each thread that looks for equal ones.
    pub(super) searches: Vec<Mutex<EqualSearch>>,
    pub(super) pace: Pace,
    /// Bytes of candidates for each state, in the last round.
    pub(super) bytes_per_state: usize,
}

/// What one thread has, with cache lines of its own.
#[repr(align(128))]
pub(super) struct Hand<'a, M: Model> {
    pub(super) expander: Expander<'a, M>,
    scratch: Option<M::State>,
    cache: LayerCache,
    recent: Recent,
}

/// Consecutive states of a round, with cache lines of its own.
#[repr(align(128))]
pub(super) struct Chunk<A> {
    /// The number of the first state, and its handle.
    pub(super) first: usize,
    pub(super) handle: u32,
    pub(super) states: usize,
    /// Their edges, if an observer watches them.
    pub(super) links: Vec<Link<A>>,
    /// The numbers of those without successors.
    pub(super) dead: Vec<u64>,
    /// The origins of new states, as a block of the log, and how many there are.
    pub(super) origins: Vec<u8>,
    pub(super) stored: u64,
}

impl<A> Default for Chunk<A> {
    fn default() -> Self {
        let (links, dead, origins) = (Vec::new(), Vec::new(), Vec::new());
        Chunk { first: 0, handle: 0, states: 0, links, dead, origins, stored: 0 }
    }
}

/// What all threads of a round know.
pub(super) struct Round<'r, 'v> {
    pub(super) window: &'r Window,
    pub(super) layer: LayerId,
    /// The progress of the layer.
    pub(super) value: &'v Value,
    /// Number of states stored and explored before the round.
    pub(super) stored: u64,
    pub(super) explored: u64,
    /// The number of the first state.
    pub(super) first: usize,
    /// Whether the observer watches edges.
    pub(super) links: bool,
    pub(super) interrupt: &'r Interrupt,
    /// Something happened that ends the run.
    pub(super) stop: AtomicBool,
    /// Bytes of candidates so far.
    pub(super) bytes: AtomicUsize,
}

/// How long a state takes.
pub(super) struct Pace {
    last: Instant,
    /// Seconds of one thread for each state; a moving average.
    per_state: f64,
    /// Threads that worked since the last call.
    pub(super) threads: f64,
}

impl Pace {
    /// `visits` states were expanded since the last call.
    #[inline]
    pub(super) fn note(&mut self, now: Instant, visits: u64) {
        let taken = (now - self.last).as_secs_f64() * self.threads / visits.max(1) as f64;
        // A change takes some sixteen batches to show; a single slow state does not count as the rule.
        self.per_state += (taken.min(16.0 * self.per_state + 1e-6) - self.per_state) / 16.0;
        (self.last, self.threads) = (now, 1.0);
    }

    /// How many states one thread expands in `time`.
    pub(super) fn states_in(&self, time: Duration) -> usize {
        (time.as_secs_f64() / self.per_state.max(1e-9)) as usize
    }
}

impl<'a, M: Model> Crew<'a, M> {
    pub(super) fn new(reduction: &Reduction<'a, M>, options: &Options) -> Self {
        let threads = options.threads.clone();
        let needs_one = options.one_thread().or(reduction.one_thread());
        let able = threads.count() > 1 && needs_one.is_none();
        Crew {
            threads,
            able,
            hands: Vec::new(),
            chunks: Vec::new(),
            found: Vec::new(),
            searches: Vec::new(),
            pace: Pace { last: Instant::now(), per_state: 0.0, threads: 1.0 },
            bytes_per_state: 0,
        }
    }

    /// Frees the memory of rounds.
    pub(super) fn release(&mut self) {
        (self.hands, self.chunks, self.found) = (Vec::new(), Vec::new(), Vec::new());
        self.searches = Vec::new();
    }

    /// Prepares the data of the threads for a round.
    pub(super) fn ready(
        &mut self,
        (model, progress, reduction): (&'a M, &'a dyn Progress<M>, &'a Reduction<'a, M>),
        options: &Options,
        counting: bool,
    ) {
        if self.hands.is_empty() {
            let made = Mutex::new(Vec::new());
            // Each thread allocates its own data: what one thread allocates for two may be in one cache line.
            self.threads.on_each(|_| {
                let expander = Expander::new(model, progress, reduction, options);
                let (scratch, cache, recent) = (None, LayerCache::default(), Recent::default());
                let hand = Mutex::new(Hand { expander, scratch, cache, recent });
                made.lock().unwrap_or_else(PoisonError::into_inner).push(hand);
            });
            self.hands = made.into_inner().unwrap_or_else(PoisonError::into_inner);
            self.searches.resize_with(self.hands.len(), Mutex::default);
        }
        for hand in &mut self.hands {
            let hand = hand.get_mut().unwrap_or_else(PoisonError::into_inner);
            hand.expander.intake.counting = counting;
            hand.expander.intake.statistics = Statistics::default();
            hand.expander.intake.batch.clear();
        }
    }

    /// Divides the next `states` states of a layer into chunks. Returns the handle after them.
    pub(super) fn divide(&mut self, layer: &Layer, states: usize) -> u32 {
        let size = states.div_ceil(self.threads.count() * CHUNKS).min(CHUNK);
        let (mut first, mut next) = layer.next_state();
        let (end, mut count) = (first + states, 0);
        while first < end {
            if count == self.chunks.len() {
                self.chunks.push(Chunk::default());
                self.found.push(Candidates::default());
            }
            let chunk = &mut self.chunks[count];
            (chunk.first, chunk.handle) = (first, next);
            // A chunk ends where a batch of one thread ends.
            chunk.states = (first + size).next_multiple_of(GROUP).min(end) - first;
            chunk.links.clear();
            chunk.dead.clear();
            self.found[count].clear();
            (first, next) = (first + chunk.states, layer.skip(next, chunk.states));
            count += 1;
        }
        // Those that are not needed stay: to free and allocate their memory again costs more than a round.
        for (chunk, found) in self.chunks.iter_mut().zip(&mut self.found).skip(count) {
            chunk.states = 0;
            chunk.links.clear();
            chunk.dead.clear();
            found.clear();
        }
        next
    }

    /// Expands all chunks. Returns the facts that forks of the observer have gathered; `None` if something
    /// happened that ends the run.
    pub(super) fn expand(
        &mut self,
        round: &Round<'_, '_>,
        forks: Option<Vec<Fork<'_, M>>>,
    ) -> Option<Vec<Vec<u8>>> {
        let Crew { hands, chunks, found, threads, .. } = self;
        let has_facts = forks.is_some();
        let forks: Vec<Mutex<Fork<'_, M>>> = match forks {
            Some(forks) => forks.into_iter().map(Mutex::new).collect(),
            None => hands.iter().map(|_| Mutex::new(Box::new(()) as Fork<'_, M>)).collect(),
        };
        let mut work: Vec<_> = chunks.iter_mut().zip(found).collect();
        threads.each_mut(&mut work, |thread, _, (chunk, found)| {
            let mut fork = forks[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let mut hand = hands[thread].lock().unwrap_or_else(PoisonError::into_inner);
            if chunk.states == 0 {
                return found.seal();
            }
            if round.is_stopped() || hand.expand(round, chunk, found, &mut **fork).is_err() {
                round.stop.store(true, Ordering::Relaxed);
                return;
            }
            found.seal();
            let before = round.bytes.fetch_add(found.bytes(), Ordering::Relaxed);
            if before + found.bytes() > 8 * BYTES {
                round.stop.store(true, Ordering::Relaxed);
            }
        });
        let mut forks: Vec<Fork<'_, M>> = forks
            .into_iter()
            .map(|fork| fork.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        if round.is_stopped() || forks.iter_mut().any(|fork| fork.decided() > 0) {
            return None;
        }
        let model =
            hands.first_mut()?.get_mut().unwrap_or_else(PoisonError::into_inner).expander.model;
        let facts = forks.iter().filter(|_| has_facts).map(|fork| fork.save(model));
        facts.collect()
    }
}

impl Round<'_, '_> {
    #[inline]
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.interrupt.is_raised()
    }
}

impl<M: Model> Hand<'_, M> {
    /// Expands the states of a chunk.
    fn expand<'s>(
        &'s mut self,
        round: &'s Round<'_, '_>,
        chunk: &'s mut Chunk<M::Action>,
        found: &'s mut Candidates,
        observer: &'s mut (dyn Observer<M> + 's),
    ) -> Step {
        let Hand { expander, scratch, cache, recent } = self;
        recent.begin();
        let Round { window, layer: id, value, stored, .. } = *round;
        let links = round.links.then_some(&mut chunk.links);
        let first = round.first as u64;
        let share = Share { window, cache, found, recent, links, first };
        let mut scene = Scene { store: Store::Round(share), observer };
        expander.intake.statistics.explored = round.explored + (chunk.first - round.first) as u64;
        let (layer, model, mut handle) = (window.layer(id), expander.model, chunk.handle);
        for number in chunk.first..chunk.first + chunk.states {
            if round.is_stopped() {
                return Err(StopReason::Interrupted);
            }
            let (bytes, after) = layer.state(handle);
            handle = after;
            let state = decoded(model, bytes, scratch);
            let named = StateId { layer: layer.serial, number: number as u64 };
            let visit = Visit { model, state, bytes, value, id: named, stored, path: None };
            let dead = expander.intake.statistics.dead;
            expander.expand_state(&mut scene, id, &visit, false)?;
            if dead < expander.intake.statistics.dead {
                chunk.dead.push(number as u64);
            }
            if (number + 1).is_multiple_of(GROUP) || !expander.intake.batch.has_room() {
                expander.intake.take(&mut scene, id)?;
                expander.intake.batch.clear();
            }
        }
        expander.intake.take(&mut scene, id)?;
        expander.intake.batch.clear();
        Ok(())
    }
}
