//! The states that a run stores, with their origins.

use super::Step;
use super::batch::Batch;
use super::options::Options;
use super::origins::OriginStore;
use super::spill::Spilled;
use crate::model::Model;
use crate::observe::witness::Origin;
use crate::observe::{Observer, StateId};
use crate::progress::{Progress, Value};
use crate::retain::{Budget, Hint, LayerId, Stored, Window, hash};
use crate::verdict::StopReason;

/// The stored states, and where they come from.
pub(super) struct States {
    pub(super) window: Window,
    pub(super) origins: OriginStore,
    /// The layers on disk, if states may be moved there.
    pub(super) spilled: Option<Spilled>,
    /// Number of states stored so far, including those dropped.
    pub(super) stored: u64,
    /// Number of states stored since the last garbage collection.
    pub(super) uncollected: u64,
    /// Number of persistent states stored so far.
    pub(super) persistent: u64,
    /// Whether the run has sleep sets.
    sleeps: bool,
    /// Edges that the observer has seen already.
    pub(super) shown: Shown,
}

/// The events of a round that were shown to the observer before it stopped the run. One thread expands the same
/// states again and stops at the same event.
#[derive(Default)]
pub(super) struct Shown {
    /// Number of events, including the last one.
    pub(super) events: u64,
    /// Whether states are among them, or only edges.
    pub(super) states: bool,
    /// What the observer returned at the last one.
    pub(super) stop: Option<StopReason>,
}

impl Shown {
    /// Whether the next event was shown. An error if it is the last one.
    #[inline]
    pub(super) fn skip(&mut self) -> Step<bool> {
        if self.events == 0 { Ok(false) } else { self.skip_one() }
    }

    #[cold]
    fn skip_one(&mut self) -> Step<bool> {
        self.events -= 1;
        match self.stop.take_if(|_| self.events == 0) {
            Some(stop) => Err(stop),
            None => Ok(true),
        }
    }
}

impl States {
    pub(super) fn new<M: Model>(
        progress: &dyn Progress<M>,
        options: &Options,
        sleeps: bool,
    ) -> Self {
        let budget = Budget::new(options.limits.memory);
        States {
            window: Window::new(progress.columns(), options.window > 0, options.anchor, budget),
            origins: OriginStore::new(options.witness, options.spill.as_ref()),
            spilled: None,
            stored: 0,
            uncollected: 0,
            persistent: 0,
            sleeps,
            shown: Shown::default(),
        }
    }

    /// Stores the initial state `bytes` of progress `value`.
    pub(super) fn store_initial(&mut self, number: usize, value: &Value, bytes: &[u8]) -> Step {
        let id = self.window.target(value, None);
        let parent = StateId { layer: 0, number: number as u64 };
        let origin = Origin { parent, action: number as u32 };
        match self.store(id, (hash(bytes), Hint::default()), bytes, origin)? {
            true => Ok(()),
            false => Err(StopReason::Memory),
        }
    }

    /// Stores a state with its origin in a layer in memory, unless it is stored. `false` if there is no memory.
    pub(super) fn store(
        &mut self,
        id: LayerId,
        (hash, hint): (u64, Hint),
        bytes: &[u8],
        Origin { parent, action }: Origin,
    ) -> Step<bool> {
        match self.window.insert(id, hash, hint, bytes) {
            Stored::New(number) => {
                let layer = self.window.layer_mut(id);
                self.origins.record(layer, number, parent, action, None)?;
                (self.stored, self.uncollected) = (self.stored + 1, self.uncollected + 1);
                self.persistent += u64::from(self.window.is_parked(id));
                Ok(true)
            }
            Stored::Seen(..) => Ok(true),
            Stored::Full => Ok(false),
        }
    }

    /// Moves the next waiting state of the layer `id` to `bytes`. Returns its number, and whether it is expanded again.
    #[inline]
    pub(super) fn take_waiting(
        &mut self,
        id: LayerId,
        bytes: &mut Vec<u8>,
    ) -> Step<Option<(u64, bool)>> {
        if let Some(layer) = self.on_disk_mut(id) {
            return Ok(layer.take(bytes)?.map(|number| (number, false)));
        }
        let Some((number, record, again)) = self.window.layer_mut(id).take() else {
            return Ok(None);
        };
        bytes.clear();
        bytes.extend_from_slice(record);
        Ok(Some((number as u64, again)))
    }

    /// Looks up the successors of the batch, whose sources are in one layer, and stores the new ones. Shows the
    /// edges to the observer if it watches `links`.
    pub(super) fn take<M: Model>(
        &mut self,
        batch: &mut Batch<M::Action>,
        source_layer: LayerId,
        observer: &mut dyn Observer<M>,
        links: bool,
    ) -> Step {
        if self.any_on_disk() {
            return self.take_with_disk(batch, source_layer, 0);
        }
        batch.fetch_ahead(&self.window, |_| false);
        let States { window, origins, .. } = self;
        let serial = window.layer(source_layer).serial;
        for (at, item) in batch.items.iter().enumerate() {
            let bytes = &batch.bytes[item.start..item.end];
            let source = StateId { layer: serial, number: item.source };
            let stored = window.insert(item.layer, item.hash, item.hint, bytes);
            let (number, seen) = match stored {
                Stored::Seen(number, handle) => (number, Some(handle)),
                Stored::New(number) => (number, None),
                Stored::Full => {
                    self.make_room_in(item.layer, source_layer)?;
                    return self.take_with_disk(batch, source_layer, at);
                }
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
                    self.persistent += 1;
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
            if links && !self.shown.skip()? {
                let layer = window.layer(item.layer).serial;
                let target = StateId { layer, number: number as u64 };
                observer.link(source, &item.action, target, new)?;
            }
        }
        Ok(())
    }
}
