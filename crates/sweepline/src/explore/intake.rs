//! The intake of successors: measures them, looks them up, stores the new ones, and notifies the observers.

use std::ops::Range;

use super::Step;
use super::options::{Monotone, Options};
use super::origins::OriginStore;
use crate::model::{Model, sample_codec};
use crate::observe::{ClosedLayer, Observer, StateId, Statistics, Visit};
use crate::progress::{Progress, Value};
use crate::retain::{Budget, Hint, LayerId, Stored, Window, hash};
use crate::verdict::StopReason;

/// Number of successors gathered before any is looked up, so that the memory they need is prefetched.
const ITEMS: usize = 64;
/// The same in bytes: a few huge states are enough.
const BYTES: usize = 1 << 20;

/// If the successors of one state have more bytes than this, they are looked up before the rest is gathered.
const HEAVY: usize = 16 << 20;

/// Index size from which prefetching records pays.
const LARGE: usize = 1 << 20;

/// A successor that is waiting to be looked up.
pub(super) struct Item<A> {
    pub(super) hash: u64,
    pub(super) hint: Hint,
    /// Where its bytes start in the batch.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its layer.
    pub(super) layer: LayerId,
    /// Which successor of its source it is.
    pub(super) number: u32,
    /// The number of its source in the layer being expanded.
    pub(super) source: u64,
    pub(super) action: A,
    /// The range of its sleeping actions in the batch.
    pub(super) sleep: Range<usize>,
}

/// Successors that are waiting to be looked up.
pub(super) struct Batch<A> {
    pub(super) bytes: Vec<u8>,
    pub(super) items: Vec<Item<A>>,
    /// Bytes of the states expanded into this batch, by number; only for recomputed witnesses.
    sources: Vec<(u64, Box<[u8]>)>,
    /// Actions that sleep at the successors.
    pub(super) asleep: Vec<u32>,
}

impl<A> Batch<A> {
    fn new() -> Self {
        Batch { bytes: Vec::new(), items: Vec::new(), sources: Vec::new(), asleep: Vec::new() }
    }

    /// Whether the successors of another state may be gathered before the batch is looked up.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.items.len() < ITEMS && self.bytes.len() < BYTES
    }

    /// Whether the successors of one state alone are large.
    #[inline]
    pub(super) fn is_heavy(&self) -> bool {
        self.bytes.len() > HEAVY
    }

    /// Clears the batch, except for the source `number`, whose successors are being gathered.
    pub(super) fn clear_but_source(&mut self, number: u64) {
        let mut sources = std::mem::take(&mut self.sources);
        self.clear();
        sources.retain(|&(source, _)| source == number);
        self.sources = sources;
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.items.clear();
        self.sources.clear();
        self.asleep.clear();
    }

    /// Keeps the bytes of the source `number`. Sources need not come in order, because states can be visited
    /// again.
    pub(super) fn keep_source(&mut self, number: u64, bytes: &[u8]) {
        if let Err(at) = self.sources.binary_search_by_key(&number, |&(n, _)| n) {
            self.sources.insert(at, (number, bytes.into()));
        }
    }

    fn source_bytes(&self, number: u64) -> Option<&[u8]> {
        let at = self.sources.binary_search_by_key(&number, |&(n, _)| n).ok()?;
        Some(&self.sources[at].1)
    }
}

/// Measures, looks up and stores the successors of states.
pub(super) struct Intake<'a, M: Model> {
    pub(super) progress: &'a dyn Progress<M>,
    /// Whether the measure is trivial.
    pub(super) trivial: bool,
    pub(super) observer: &'a mut (dyn Observer<M> + 'a),
    /// Measures successors and inspects states, while another worker computes successors.
    pub(super) reader: M::Worker,
    pub(super) window: Window,
    pub(super) origins: OriginStore,
    pub(super) batch: Batch<M::Action>,
    pub(super) statistics: Statistics,
    /// Number of states stored so far, including those dropped.
    pub(super) stored: u64,
    /// Number of states stored since the last garbage collection.
    pub(super) uncollected: u64,
    /// Whether the first regress edge ends the run.
    pub(super) strict: bool,
    /// Whether the run has sleep sets.
    pub(super) sleeps: bool,
    /// Whether the run only counts distinct states: then observers are not called.
    pub(super) counting: bool,
}

impl<'a, M: Model> Intake<'a, M> {
    pub(super) fn new(
        model: &M,
        progress: &'a dyn Progress<M>,
        options: &Options,
        sleeps: bool,
        observer: &'a mut (dyn Observer<M> + 'a),
    ) -> Self {
        let budget = Budget::new(options.limits.memory);
        Intake {
            progress,
            trivial: progress.is_trivial(),
            observer,
            reader: model.worker(),
            window: Window::new(progress.columns(), options.window > 0, options.anchor, budget),
            origins: OriginStore::new(options.witness),
            batch: Batch::new(),
            statistics: Statistics { sweeps: 1, ..Statistics::default() },
            stored: 0,
            uncollected: 0,
            strict: options.monotone == Monotone::Strict,
            sleeps,
            counting: false,
        }
    }

    /// Shows a state that is about to be expanded.
    #[inline]
    pub(super) fn node(&mut self, visit: &Visit<'_, M>) -> Step {
        self.statistics.explored += 1;
        sample_codec(visit.model, self.statistics.explored, visit.state, visit.bytes)?;
        if self.counting { Ok(()) } else { self.observer.node(visit, &mut self.reader) }
    }

    /// Shows a state that has no successors.
    pub(super) fn dead(&mut self, visit: &Visit<'_, M>) -> Step {
        self.statistics.dead += 1;
        if self.counting { Ok(()) } else { self.observer.dead(visit, &mut self.reader) }
    }

    /// Shows a layer that is about to be dropped.
    pub(super) fn close(&mut self, id: LayerId) -> Step {
        self.refresh();
        self.statistics.layers += 1;
        if self.counting {
            return Ok(());
        }
        let layer = self.window.layer(id);
        let closed = ClosedLayer {
            serial: layer.serial,
            value: &layer.value,
            states: layer.len() as u64,
            kept: layer.kept() as u64,
            stored: layer,
        };
        self.observer.layer_closed(&closed, &self.statistics)
    }

    #[inline]
    pub(super) fn refresh(&mut self) {
        let (stored, used) = (self.window.stored, self.window.budget.used);
        let statistics = &mut self.statistics;
        statistics.stored = stored;
        statistics.peak_states = statistics.peak_states.max(stored);
        statistics.peak_bytes = statistics.peak_bytes.max(used);
    }

    /// The progress of a state. An error if it does not fit 64 bits.
    pub(super) fn measure(&mut self, state: &M::State, value: &mut Value) -> Step {
        value.clear();
        self.progress.measure(&mut self.reader, state, value)?;
        if value.is_exact() { Ok(()) } else { Err(too_large()) }
    }

    /// Stores an initial state.
    pub(super) fn store_initial(&mut self, model: &M, number: usize, state: &M::State) -> Step {
        let (mut value, mut bytes) = (Value::default(), Vec::new());
        self.measure(state, &mut value)?;
        let id = self.window.target(&value, None);
        model.encode(state, &mut bytes);
        match self.window.insert(id, hash(&bytes), Hint::default(), &bytes) {
            Stored::New(stored) => {
                let parent = StateId { layer: 0, number: number as u64 };
                let layer = self.window.layer_mut(id);
                self.origins.record(layer, stored, parent, number as u32, None)?;
                (self.stored, self.uncollected) = (self.stored + 1, self.uncollected + 1);
            }
            Stored::Seen(..) => {}
            Stored::Full => return Err(StopReason::Memory),
        }
        Ok(())
    }

    /// Looks up the successors of the batch, whose sources are in one layer, and stores the new ones.
    pub(super) fn take(&mut self, source_layer: LayerId) -> Step {
        self.fetch_ahead();
        let Intake { window, origins, batch, observer, .. } = self;
        let links = !self.counting && observer.watches_links();
        let serial = window.layer(source_layer).serial;
        for item in &batch.items {
            let bytes = &batch.bytes[item.start..item.end];
            let source = StateId { layer: serial, number: item.source };
            let stored = window.insert(item.layer, item.hash, item.hint, bytes);
            let (number, seen) = match stored {
                Stored::Seen(number, handle) => (number, Some(handle)),
                Stored::New(number) => (number, None),
                Stored::Full => return Err(StopReason::Memory),
            };
            let new = seen.is_none();
            if self.sleeps {
                let asleep = &batch.asleep[item.sleep.clone()];
                window.sleep(item.layer, number, seen, asleep);
                if new && !window.charge(item.layer) {
                    return Err(StopReason::Memory);
                }
            }
            if new {
                (self.stored, self.uncollected) = (self.stored + 1, self.uncollected + 1);
                if window.is_parked(item.layer) {
                    self.statistics.persistent += 1;
                }
                if !origins.is_off() {
                    let parent = batch.source_bytes(item.source);
                    let layer = window.layer_mut(item.layer);
                    origins.record(layer, number, source, item.number, parent)?;
                    if origins.keeps_sources() && !window.charge(item.layer) {
                        return Err(StopReason::Memory);
                    }
                }
            }
            if links {
                let layer = window.layer(item.layer).serial;
                let target = StateId { layer, number: number as u64 };
                observer.link(source, &item.action, target, new)?;
            }
        }
        Ok(())
    }

    /// Hashes the batch and prefetches the memory of its look-ups: first the slots, then, while those of the
    /// later items are being loaded, the records that they refer to.
    fn fetch_ahead(&mut self) {
        let Intake { window, batch: Batch { items, bytes, .. }, .. } = self;
        let mut large = false;
        for item in items.iter_mut() {
            item.hash = hash(&bytes[item.start..item.end]);
            let layer = window.layer(item.layer);
            layer.prefetch_slot(item.hash);
            large |= layer.index_bytes() > LARGE;
        }
        if large {
            for item in items {
                item.hint = window.layer(item.layer).prefetch_record(item.hash);
            }
        }
    }
}

/// The error for a measure with a value that cannot be stored.
#[cold]
pub(super) fn too_large() -> StopReason {
    StopReason::Model(
        "the progress measure has a value that does not fit 64 bits; scale it down".into(),
    )
}
