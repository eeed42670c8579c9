//! A trip: one search for a state that decides a property, with a budget of edges.

use std::time::Instant;

use super::Target;
use crate::explore::Options;
use crate::model::Model;
use crate::observe::{Fork, StateId, Visit};
use crate::progress::Value;
use crate::select::{Gathered, Scratch};
use crate::verdict::StopReason;

/// Bytes for the table of states that a trip recognises, and eight times as many for those that are waiting, at most.
const ROOM: u64 = 512 << 10;
/// So many times more is there if nothing is explored beside.
const ALONE: u64 = 32;
/// Expansions between two looks at the clock.
const PATIENCE: u32 = 64;

/// A state that decides a query.
pub(super) struct Found {
    pub(super) query: usize,
    pub(super) path: Vec<u32>,
    pub(super) is_dead: bool,
}

/// Why a trip is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    /// It decided its target, or used its budget.
    Done,
    /// A limit, an error of the model, or a trip with a lower number made it superfluous.
    Broken,
}

pub(super) type Step<T = ()> = Result<T, Over>;

/// The hashes of the states seen last. Each has one slot, where a later one may replace it.
struct Seen(Vec<u64>);

impl Seen {
    /// A table of at most `bytes` bytes.
    fn new(bytes: usize) -> Self {
        let slots = (bytes / size_of::<u64>()).max(1);
        Seen(vec![0; 1 << slots.ilog2()])
    }

    /// Notes a hash. Whether it is not in the table.
    fn is_new(&mut self, hash: u64) -> bool {
        let last = self.0.len() - 1;
        let slot = &mut self.0[hash as usize & last];
        std::mem::replace(slot, hash) != hash
    }
}

pub(super) struct Trip<'t, 's, M: Model> {
    pub(super) model: &'t M,
    pub(super) target: &'t Target<'t, M>,
    options: &'t Options,
    forks: Vec<(usize, Fork<'s, M>)>,
    worker: M::Worker,
    pub(super) reader: M::Worker,
    pub(super) random: fastrand::Rng,
    scratch: Scratch,
    seen: Seen,
    room: usize,
    budget: u64,
    pub(super) edges: u64,
    pub(super) states: u64,
    pub(super) found: Vec<Found>,
    /// The successors of the state that was expanded last.
    pub(super) successors: Gathered<M>,
    expanded: u32,
    nowhere: Value,
}

/// How many successors the first initial state has.
pub(super) fn initial_edges<M: Model>(model: &M) -> u64 {
    let (mut worker, mut edges) = (model.worker(), 0);
    let mut count = |_: M::Action, _: &M::State| edges += 1;
    if let Some(state) = crate::model::initial(model).first() {
        // An error is reported when the exploration expands the state.
        let _ = model.successors(&mut worker, state, &mut count);
    }
    edges
}

/// Bytes for the table of a trip. They do not depend on the number of threads, so neither does the result.
fn room(options: &Options, is_alone: bool) -> usize {
    let (share, most) = if is_alone { (32, ROOM * ALONE) } else { (256, ROOM) };
    (options.limits.memory.unwrap_or(u64::MAX) / share).min(most) as usize
}

impl<'t, 's, M: Model> Trip<'t, 's, M> {
    pub(super) fn new(
        model: &'t M,
        target: &'t Target<'t, M>,
        forks: Vec<(usize, Fork<'s, M>)>,
        (seed, budget, is_alone): (u64, u64, bool),
        options: &'t Options,
    ) -> Self {
        let room = room(options, is_alone);
        Trip {
            seen: Seen::new(room),
            room: 8 * room,
            model,
            target,
            options,
            forks,
            worker: model.worker(),
            reader: model.worker(),
            random: fastrand::Rng::with_seed(seed),
            scratch: Scratch::default(),
            budget,
            edges: 0,
            states: 0,
            found: Vec::new(),
            successors: Gathered::default(),
            expanded: 0,
            nowhere: Value::default(),
        }
    }

    /// How many edges it may compute.
    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    /// Bytes that it may use for the states that are waiting.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Notes the state of this hash. Whether it is new.
    pub(super) fn is_new(&mut self, hash: u64) -> bool {
        self.seen.is_new(hash)
    }

    /// Shows a state to the observers, and computes its successors. `path` leads to it.
    pub(super) fn visit(
        &mut self,
        state: &M::State,
        bytes: &[u8],
        path: &dyn Fn() -> Vec<u32>,
        is_superfluous: &dyn Fn() -> bool,
    ) -> Step {
        self.states += 1;
        self.show(state, bytes, path, false)?;
        self.expand(state, is_superfluous)?;
        if self.successors.count == 0 && !self.model.has_terminated(state) {
            self.show(state, bytes, path, true)?;
        }
        if self.edges >= self.budget { Err(Over::Done) } else { Ok(()) }
    }

    /// Computes the successors of a state, and chooses among them.
    pub(super) fn expand(&mut self, state: &M::State, is_superfluous: &dyn Fn() -> bool) -> Step {
        self.poll(is_superfluous)?;
        let Trip { model, worker, successors, .. } = self;
        successors.gather(model, worker, state).map_err(|_| Over::Broken)?;
        self.edges += self.successors.count as u64;
        if let Some(selection) = &self.target.selection {
            self.successors.select(&**selection, &mut self.scratch, state);
        }
        Ok(())
    }

    fn poll(&mut self, is_superfluous: &dyn Fn() -> bool) -> Step {
        self.expanded += 1;
        if self.options.interrupt.is_raised() {
            return Err(Over::Broken);
        }
        if self.expanded >= PATIENCE || self.successors.count > 1_000 {
            self.expanded = 0;
            let late = |deadline| Instant::now() >= deadline;
            if is_superfluous() || self.options.limits.deadline.is_some_and(late) {
                return Err(Over::Broken);
            }
        }
        Ok(())
    }

    /// The numbers of the successors that were chosen.
    pub(super) fn chosen(&self) -> impl Iterator<Item = u32> {
        let chosen = self.successors.chosen.iter().enumerate();
        chosen.filter(|(_, chosen)| **chosen).map(|(number, _)| number as u32)
    }

    /// How many successors the state that was expanded last has.
    pub(super) fn gathered(&self) -> usize {
        self.successors.count
    }

    /// Shows a state to the observers of the open queries.
    fn show(
        &mut self,
        state: &M::State,
        bytes: &[u8],
        path: &dyn Fn() -> Vec<u32>,
        is_dead: bool,
    ) -> Step {
        let Trip { model, forks, found, reader, nowhere, target, .. } = self;
        let id = StateId { layer: 0, number: 0 };
        let value = &*nowhere;
        let visit = Visit { model: *model, state, bytes, value, id, stored: 0, path: None };
        let mut is_decided = false;
        forks.retain_mut(|(query, fork)| {
            let flow = match is_dead {
                true => fork.dead(&visit, reader),
                false => fork.node(&visit, reader),
            };
            match flow {
                Ok(()) => return true,
                Err(StopReason::Decided) => {
                    found.push(Found { query: *query, path: path(), is_dead });
                }
                // The exploration reports it.
                Err(_) => {}
            }
            is_decided |= *query == target.query;
            false
        });
        if is_decided { Err(Over::Done) } else { Ok(()) }
    }
}
