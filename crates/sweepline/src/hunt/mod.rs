//! Hunting: searches that look for a state that decides a property, before and during an exploration.
//!
//! An exploration visits states in order of progress, so it comes late to a state that is far from the initial
//! ones. A hunt makes short searches, *trips*, each for one property: depth first, best first and at
//! random. It can only find a state. If it finds none, that says nothing.
//!
//! A hunt is deterministic. Trips have numbers, and each has a budget of edges that does not depend on time. Several
//! threads may make trips at once; of two that find a state, the one with the lower number counts. A hunt goes on
//! whenever an exploration has seen a certain number of edges, between two levels.
//!
//! Trips recognise visited states by 64 bits of their hash. So a trip may leave out a state, but never reports a wrong
//! one: each path that it finds is replayed through the model.

mod dive;
mod seek;
mod trip;
mod wander;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use crate::explore::Options;
use crate::model::{Computed, Model};
use crate::observe::{Fork, Statistics};
use crate::select::Selection;
use crate::verdict::StopReason;
use trip::{Found, Trip};

/// How far a state is from one that satisfies a predicate: zero if it may satisfy it.
pub type Distance<'a, M> = Arc<
    dyn Fn(&M, &mut <M as Model>::Worker, &<M as Model>::State) -> Computed<u64> + Send + Sync + 'a,
>;

/// A search for states that decide properties, beside the exploration: see [`Check::hunt`](crate::Check::hunt).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hunt {
    seed: u64,
    only: bool,
    is_eager: bool,
    has_begun: bool,
}

impl Default for Hunt {
    fn default() -> Self {
        Hunt { seed: 1, only: false, is_eager: false, has_begun: false }
    }
}

impl Hunt {
    /// A hunt with the seed 1, beside the exploration.
    pub fn new() -> Self {
        Hunt::default()
    }

    /// Sets the seed of the random choices.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Hunt { seed, ..self }
    }

    /// Hunts until a limit of the run, and does not explore: properties are then decided by a state, or unknown.
    #[must_use]
    pub fn only(self) -> Self {
        Hunt { only: true, ..self }
    }

    /// Makes no trip before the first level: an exploration of the same model made it, and found nothing.
    #[must_use]
    pub fn begun(self) -> Self {
        Hunt { has_begun: true, ..self }
    }

    /// Hunts before every level: for tests on small models.
    #[doc(hidden)]
    #[must_use]
    pub fn eager(self) -> Self {
        Hunt { is_eager: true, ..self }
    }

    /// Whether it hunts also beside a sweep.
    pub(crate) fn hunts_always(&self) -> bool {
        self.only || self.is_eager
    }

    pub(crate) fn is_only(&self) -> bool {
        self.only
    }
}

/// What a hunt did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hunted {
    /// Trips made, without those that a lower one made superfluous.
    pub trips: u64,
    /// States visited by them, some several times.
    pub states: u64,
    /// Edges computed by them.
    pub edges: u64,
    /// Properties that they decided.
    pub decided: u64,
}

impl Hunted {
    /// Whether a property was decided.
    pub(crate) fn found(self) -> bool {
        self.decided > 0
    }
}

/// What is known of a property that is hunted.
pub(crate) struct Target<'a, M: Model> {
    /// The number of the query.
    pub(crate) query: usize,
    /// A choice of actions after which a state that decides the property is still found.
    pub(crate) selection: Option<Box<dyn Selection<M> + 'a>>,
    /// How far a state is from deciding the property.
    pub(crate) distance: Option<Distance<'a, M>>,
    /// Whether it is about dead states.
    pub(crate) is_end: bool,
}

/// The kinds of trips, in the order in which they are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Depth first, successors in the model's order.
    Dive,
    /// Best first by the distance.
    Seek,
    /// Depth first, successors in a random order.
    RandomDive,
    /// Random walks.
    Wander,
}

const KINDS: [Kind; 4] = [Kind::Dive, Kind::Seek, Kind::RandomDive, Kind::Wander];

/// Properties hunted in one batch of trips.
const TARGETS: usize = 4;
/// The least number of edges of a trip.
const LEAST: u64 = 25_000;
/// The first batch is made when the exploration has seen this many edges, and each further one when it has seen four
/// times as many.
const FIRST: u64 = 200_000;
/// The trips of a batch together have a budget of the edges explored divided by this.
const SHARE: u64 = 8;
/// With at least this many initial successors, the hunt begins before the exploration: breadth first, each level would
/// be many times larger than the one before.
const BROAD: u64 = 64;
/// The budget of that first trip, in edges for each initial successor.
const BROAD_BUDGET: u64 = 1_000;
/// The budget of a trip in the first batch of a hunt without exploration.
const ONLY: u64 = 100_000;
/// The budget of an eager trip.
const EAGER: u64 = 30;
/// No trip has a larger budget.
const MOST: u64 = 1 << 32;

/// Plans and makes trips.
pub(crate) struct Hunter<'a, M: Model> {
    model: &'a M,
    pub(crate) targets: Vec<Target<'a, M>>,
    hunt: Hunt,
    options: Options,
    /// Edges of the exploration at the next batch; zero before the first level.
    due: u64,
    /// What `due` was before the last batch.
    before: u64,
    /// Number of the next trip.
    next: u64,
    pub(crate) hunted: Hunted,
    /// For each query that was decided, how.
    pub(crate) found: Vec<(usize, String)>,
}

/// A state that decides a query: its path, and whether it is dead.
pub(crate) struct Catch {
    pub(crate) query: usize,
    pub(crate) path: Vec<u32>,
    pub(crate) is_dead: bool,
}

impl<'a, M: Model> Hunter<'a, M> {
    pub(crate) fn new(
        model: &'a M,
        targets: Vec<Target<'a, M>>,
        hunt: Hunt,
        options: &Options,
    ) -> Self {
        let options = options.clone();
        let (hunted, found) = (Hunted::default(), Vec::new());
        let (due, before, next) = (0, 0, 0);
        Hunter { model, targets, hunt, options, due, before, next, hunted, found }
    }

    pub(crate) fn model(&self) -> &'a M {
        self.model
    }

    /// The trips to make before the next level of an exploration: their kinds and the budget of each.
    pub(crate) fn due(&mut self, statistics: &Statistics) -> Option<Batch> {
        if self.hunt.is_eager {
            return Some(Batch { kinds: KINDS.len(), budget: EAGER });
        }
        self.before = self.due;
        if self.due == 0 {
            self.due = FIRST;
            let broad = trip::initial_edges(self.model);
            if broad >= BROAD && !self.hunt.has_begun {
                let budget = (broad * BROAD_BUDGET).min(MOST);
                return Some(Batch { kinds: 1, budget });
            }
            return None;
        }
        if statistics.edges < self.due {
            return None;
        }
        self.due = statistics.edges.saturating_mul(4);
        let trips = (KINDS.len() * TARGETS.min(self.targets.len()).max(1)) as u64;
        let budget = (statistics.edges / SHARE / trips).clamp(LEAST, MOST);
        Some(Batch { kinds: KINDS.len(), budget })
    }

    /// The trips of a hunt without exploration, which have twice the budget each time.
    pub(crate) fn again(&mut self) -> Batch {
        let budget = self.due.max(ONLY);
        self.due = (budget * 2).min(MOST);
        Batch { kinds: KINDS.len(), budget }
    }

    /// The limit that ends the hunt now.
    pub(crate) fn stop(&self) -> Option<StopReason> {
        let limits = &self.options.limits;
        let over = limits.deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline);
        let many = limits.states.is_some_and(|most| self.hunted.states >= most);
        let asked = self.options.interrupt.reason();
        asked.or(over.then_some(StopReason::Time)).or(many.then_some(StopReason::States))
    }

    /// Notes that a query was decided, and how.
    pub(crate) fn decided(&mut self, query: usize, how: String) {
        self.hunted.decided += 1;
        self.found.push((query, how));
    }

    /// Makes the trips of a batch for the `open` queries. `fork` gives an observer of a query.
    pub(crate) fn make<'s>(
        &mut self,
        batch: Batch,
        open: &[usize],
        fork: impl Fn(usize) -> Option<Fork<'s, M>>,
    ) -> Vec<(Catch, String)>
    where
        'a: 's,
    {
        self.targets.retain(|target| open.contains(&target.query));
        let targets = self.targets.len().min(TARGETS);
        let hunted: Vec<usize> = self.targets.iter().map(|target| target.query).collect();
        let first = self.next;
        let mut plans = Vec::new();
        for at in 0..targets * batch.kinds {
            let number = first + at as u64;
            let target = &self.targets[at % targets];
            let forks: Option<Vec<_>> =
                hunted.iter().map(|&query| Some((query, fork(query)?))).collect();
            let Some(forks) = forks else { return Vec::new() };
            let seed = self.hunt.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number;
            let (kind, budget) = (KINDS[at / targets], batch.budget);
            let is_alone = self.hunt.only;
            plans.push(Mutex::new(Some(Plan { kind, target, forks, seed, budget, is_alone })));
        }
        let made = run(self.model, &self.options, &plans, hunted.len());
        if self.options.checkpoint.is_some() && self.is_cut() {
            // A resumed run makes them again.
            self.due = self.before;
            return Vec::new();
        }
        let mut catches: Vec<(Catch, String)> = Vec::new();
        for Made { states, edges, found, how } in made {
            self.hunted.trips += 1;
            self.hunted.states += states;
            self.hunted.edges += edges;
            for Found { query, path, is_dead } in found {
                if !catches.iter().any(|(catch, _)| catch.query == query) {
                    catches.push((Catch { query, path, is_dead }, how.clone()));
                }
            }
        }
        self.next = first + (targets * batch.kinds) as u64;
        if targets > 0 {
            self.targets.rotate_left(targets);
        }
        catches
    }

    /// Whether a limit or an interrupt may have ended trips.
    fn is_cut(&self) -> bool {
        let deadline = self.options.limits.deadline;
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late || self.options.interrupt.is_raised()
    }

    /// What a checkpoint needs of it.
    pub(crate) fn save(&self) -> Progressed {
        let order = self.targets.iter().map(|target| target.query as u64).collect();
        let Hunted { trips, states, edges, decided } = self.hunted;
        let found = self.found.iter().map(|(query, how)| (*query as u64, how.clone())).collect();
        let hunted = [trips, states, edges, decided];
        Progressed { due: self.due, next: self.next, order, hunted, found }
    }

    /// Continues where a checkpoint was written. `false` if it is invalid.
    pub(crate) fn restore(&mut self, saved: Progressed) -> bool {
        let place = |query: usize| saved.order.iter().position(|&other| other == query as u64);
        self.targets.retain(|target| place(target.query).is_some());
        self.targets.sort_by_key(|target| place(target.query));
        let [trips, states, edges, decided] = saved.hunted;
        (self.due, self.next) = (saved.due, saved.next);
        self.hunted = Hunted { trips, states, edges, decided };
        self.found = saved.found.into_iter().map(|(query, how)| (query as usize, how)).collect();
        self.targets.len() == saved.order.len()
    }
}

/// How far a hunt is, for a checkpoint.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Progressed {
    due: u64,
    next: u64,
    /// The queries that are hunted, in the order of their turns.
    order: Vec<u64>,
    hunted: [u64; 4],
    found: Vec<(u64, String)>,
}

/// Trips to be made together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    kinds: usize,
    budget: u64,
}

/// A trip that is to be made.
struct Plan<'t, 's, M: Model> {
    kind: Kind,
    target: &'t Target<'t, M>,
    forks: Vec<(usize, Fork<'s, M>)>,
    seed: u64,
    budget: u64,
    /// Whether nothing is explored beside.
    is_alone: bool,
}

/// A trip that was made to its end.
struct Made {
    states: u64,
    edges: u64,
    found: Vec<Found>,
    how: String,
}

/// Makes trips for `open` queries, on all threads. Returns those that count, in their order: up to the first one that
/// decided all queries.
fn run<M: Model>(
    model: &M,
    options: &Options,
    plans: &[Mutex<Option<Plan<'_, '_, M>>>],
    open: usize,
) -> Vec<Made> {
    let (begun, last) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let made: Vec<Mutex<Option<Made>>> = plans.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let at = begun.fetch_add(1, Ordering::Relaxed);
            let is_superfluous = || last.load(Ordering::Relaxed) < at;
            if at >= plans.len() || is_superfluous() {
                return;
            }
            let Some(plan) = locked(&plans[at]).take() else { return };
            let trip = plan.make(model, options, &is_superfluous);
            if trip.as_ref().is_some_and(|trip| trip.found.len() == open) {
                last.fetch_min(at, Ordering::Relaxed);
            }
            *locked(&made[at]) = trip;
        }
    };
    thread::scope(|scope| {
        for _ in 1..options.threads.count().min(plans.len()) {
            // Without a further thread this one makes all trips.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let last = last.into_inner();
    let counts = made.into_iter().enumerate().filter(|(at, _)| *at <= last);
    counts
        .filter_map(|(_, trip)| trip.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<M: Model> Plan<'_, '_, M> {
    /// Makes the trip; `None` if it was ended before.
    fn make(self, model: &M, options: &Options, is_superfluous: &dyn Fn() -> bool) -> Option<Made> {
        let Plan { kind, target, forks, seed, budget, is_alone } = self;
        let how = how(kind, target.selection.is_some());
        let mut trip = Trip::new(model, target, forks, (seed, budget, is_alone), options);
        let ended = match kind {
            Kind::Dive => trip.dive(false, is_superfluous),
            Kind::RandomDive => trip.dive(true, is_superfluous),
            Kind::Seek => trip.seek(is_superfluous),
            Kind::Wander => trip.wander(is_superfluous),
        };
        let Trip { states, edges, found, .. } = trip;
        // What was found counts even if a limit ended the trip.
        (ended || !found.is_empty()).then_some(Made { states, edges, found, how })
    }
}

/// How a state was found, for reports.
fn how(kind: Kind, selects: bool) -> String {
    let search = match kind {
        Kind::Dive => "depth-first search",
        Kind::Seek => "best-first search",
        Kind::RandomDive => "depth-first search in random order",
        Kind::Wander => "random walks",
    };
    let with = if selects && kind != Kind::Wander { " with stubborn sets" } else { "" };
    format!("{search}{with}")
}
