//! The threads of a run: what each of them has, and what it does in a round.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::expand::{Expander, decoded};
use super::intake::{Scene, Store};
use super::options::{Interrupt, Options};
use super::share::{Link, Share};
use super::{GROUP, Step};
use crate::model::Model;
use crate::observe::{Fork, Observer, StateId, Statistics, Visit};
use crate::progress::Value;
use crate::reduction::Reduction;
use crate::retain::{Candidates, Claims, Layer, LayerCache, LayerId, Unopened, Window};
use crate::threads::Threads;
use crate::verdict::StopReason;

/// Bytes of candidates that a round may have.
pub(super) const BYTES: usize = 64 << 20;
/// States that take less than this many seconds are quick.
const QUICK: f64 = 2e-6;
/// The clock is read at least once for this many quick states.
const UNTIMED: u64 = 64;
/// Chunks for each thread, so that none waits long for the others.
const CHUNKS: usize = 8;
/// Maximal number of states of a chunk.
const CHUNK: usize = 4096;

/// The threads of a run.
pub(super) struct Crew<'a, M: Model> {
    pub(super) threads: Threads,
    /// Whether rounds are possible in this run.
    pub(super) able: bool,
    /// Each thread makes its own when it first needs it: what one thread allocates for two may be in one cache line.
    pub(super) hands: Vec<Mutex<Option<Box<Hand<'a, M>>>>>,
    pub(super) chunks: Vec<Chunk<M::Action>>,
    /// What was found at the states of each chunk.
    pub(super) found: Vec<Candidates>,
    pub(super) claims: Claims,
    pub(super) unopened: Unopened,
    pub(super) pace: Pace,
    /// Candidates for each state in the last round, and their bytes.
    pub(super) found_per_state: f64,
    pub(super) bytes_per_state: usize,
}

/// What one thread has, with cache lines of its own.
#[repr(align(128))]
pub(super) struct Hand<'a, M: Model> {
    pub(super) expander: Expander<'a, M>,
    scratch: Option<M::State>,
    cache: LayerCache,
    absent: Vec<u32>,
}

impl<'a, M: Model> Hand<'a, M> {
    fn new(expander: Expander<'a, M>) -> Self {
        Hand { expander, scratch: None, cache: LayerCache::default(), absent: Vec::new() }
    }
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
    pub(super) claims: &'r Claims,
    pub(super) unopened: &'r Unopened,
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
}

/// How long a state takes.
pub(super) struct Pace {
    last: Instant,
    /// Number of states since then.
    visits: u64,
    /// Seconds of one thread for each state; a moving average.
    per_state: f64,
    /// Whether a state took less than [`QUICK`] when the clock was read last.
    is_quick: bool,
    /// Threads that worked since the last call.
    pub(super) threads: f64,
}

impl Pace {
    fn new() -> Self {
        Pace { last: Instant::now(), visits: 0, per_state: 0.0, is_quick: false, threads: 1.0 }
    }

    /// Adds `visits` states. `true` if so little time has passed that the clock need not be read: to read it
    /// after each thin level takes longer than to expand the level.
    #[inline]
    pub(super) fn may_wait(&mut self, visits: u64) -> bool {
        self.visits += visits;
        self.is_quick && self.visits < UNTIMED
    }

    /// The states since the last call were expanded until `now`.
    #[inline]
    pub(super) fn note(&mut self, now: Instant) {
        let visits = std::mem::take(&mut self.visits).max(1);
        let taken = (now - self.last).as_secs_f64() * self.threads / visits as f64;
        self.is_quick = taken < QUICK;
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
            claims: Claims::default(),
            unopened: Unopened::default(),
            pace: Pace::new(),
            found_per_state: 2.0,
            bytes_per_state: 0,
        }
    }

    /// Frees the memory of rounds.
    pub(super) fn release(&mut self) {
        (self.hands, self.chunks, self.found) = (Vec::new(), Vec::new(), Vec::new());
        self.claims = Claims::default();
    }

    /// Prepares the data of the threads for a round.
    pub(super) fn ready(&mut self, counting: bool) {
        self.hands.resize_with(self.threads.count(), Mutex::default);
        for hand in &mut self.hands {
            let Some(hand) = hand.get_mut().unwrap_or_else(PoisonError::into_inner) else {
                continue;
            };
            hand.expander.intake.counting = counting;
            hand.expander.intake.statistics = Statistics::default();
            hand.expander.intake.batch.clear();
        }
    }

    /// Begins a round of `states` states. `false` if there is no memory.
    pub(super) fn begin(&mut self, states: usize) -> bool {
        self.unopened.clear();
        let found = (self.found_per_state * states as f64) as usize;
        self.claims.begin(self.threads.count(), found, self.bytes_per_state * states)
    }

    /// Notes what was found in a round of `states` states.
    pub(super) fn note_found(&mut self, states: usize) {
        let found: usize = self.found.iter().map(Candidates::len).sum();
        // The next round may find more, and a round that has too little room is repeated.
        self.found_per_state = (found as f64 / states as f64).max(0.9 * self.found_per_state);
        self.bytes_per_state = self.claims.bytes() / states;
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
        model: &'a M,
        make: &(dyn Fn() -> Expander<'a, M> + Sync),
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
                return;
            }
            let hand = hand.get_or_insert_with(|| Box::new(Hand::new(make())));
            let hand = (thread, &mut **hand);
            if round.is_stopped() || expand_chunk(hand, round, chunk, found, &mut **fork).is_err() {
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

/// Expands the states of a chunk on a thread.
fn expand_chunk<'s, M: Model>(
    (thread, hand): (usize, &'s mut Hand<'_, M>),
    round: &'s Round<'_, '_>,
    chunk: &'s mut Chunk<M::Action>,
    found: &'s mut Candidates,
    observer: &'s mut (dyn Observer<M> + 's),
) -> Step {
    let Hand { expander, scratch, cache, absent } = hand;
    let Round { window, unopened, layer: id, value, stored, .. } = *round;
    let links = round.links.then_some(&mut chunk.links);
    let mut own = round.claims.own(thread);
    let claimer = own.claimer();
    let first = round.first as u64;
    let share = Share { window, cache, found, claimer, unopened, links, first, absent };
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
