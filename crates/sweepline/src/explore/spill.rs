//! Layers whose states are moved to files when the memory limit is near.
//!
//! The layers furthest ahead of the line are moved first, the layer of the line last. States that are found in such a
//! layer later are collected and looked up together. A layer on disk is expanded level by level like any other one,
//! on one thread.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::time::Instant;

use super::batch::Batch;
use super::options::{Interrupt, Options};
use super::states::States;
use super::{Run, Step};
use crate::identity::Identity;
use crate::model::Model;
use crate::observe::witness::Origin;
use crate::observe::{Observer, StateId, Statistics, WitnessMode};
use crate::progress::Value;
use crate::reduction::Reduction;
use crate::retain::{Disk, Hint, LayerId, SpilledLayer};
use crate::spill::Error;
use crate::verdict::StopReason;

/// Layers with less than this share of the memory limit stay in memory: each layer on disk needs a few files.
const WORTH: u64 = 256;
/// States that are found before they are looked up, if files are used although there is memory.
const FEW: usize = 5;

/// Why a run cannot keep states on disk.
pub(super) fn conflict<M: Model>(
    reduction: &Reduction<'_, M>,
    options: &Options,
    observer: &dyn Observer<M>,
) -> Option<Error> {
    options.spill.as_ref()?;
    let needs = [
        ("a depth-first search with a cache", options.cache.is_some()),
        ("a checkpoint", options.checkpoint.is_some()),
        ("garbage collection after a number of states", options.gc.is_some()),
        ("a recomputed witness", options.witness == WitnessMode::Recompute),
        ("a reduction", reduction.selection.is_some() || reduction.sleep.is_some()),
        ("a cut-off", matches!(reduction.identity, Identity::CutOff(_))),
        ("a property about cycles or components", observer.watches_links()),
    ];
    needs.iter().find(|(_, given)| *given).map(|(what, _)| Error::Unsupported(what))
}

/// The layers on disk.
pub(super) struct Spilled {
    disk: Arc<Disk>,
    is_eager: bool,
    layers: BTreeMap<LayerId, SpilledLayer>,
    /// Nothing is moved before more bytes than these are used: it was tried, and there was nothing worth moving.
    tried: u64,
    interrupt: Interrupt,
    deadline: Option<Instant>,
}

impl Spilled {
    /// Uses the folder of the options, if they name one.
    pub(super) fn open(
        options: &Options,
        deadline: Option<Instant>,
    ) -> Result<Option<Self>, Error> {
        let Some(spill) = &options.spill else { return Ok(None) };
        let limit = options.limits.memory.unwrap_or(u64::MAX);
        let disk = Disk::open(spill, limit)?;
        let (is_eager, interrupt) = (spill.is_eager(), options.interrupt.clone());
        let layers = BTreeMap::new();
        Ok(Some(Spilled { disk, is_eager, layers, tried: 0, interrupt, deadline }))
    }

    pub(super) fn layer(&self, id: LayerId) -> Option<&SpilledLayer> {
        self.layers.get(&id)
    }

    fn layer_mut(&mut self, id: LayerId) -> Option<&mut SpilledLayer> {
        self.layers.get_mut(&id)
    }

    /// Ends long work at a limit.
    fn poll(&self) -> impl Fn() -> Result<(), StopReason> + 'static {
        let (interrupt, deadline) = (self.interrupt.clone(), self.deadline);
        move || match interrupt.reason() {
            Some(stop) => Err(stop),
            None if deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                Err(StopReason::Time)
            }
            None => Ok(()),
        }
    }

    pub(super) fn note(&self, statistics: &mut Statistics) {
        statistics.spilled_bytes = self.disk.written();
        statistics.disk_peak_bytes = self.disk.peak();
    }
}

impl States {
    /// The layer `id`, if it is on disk.
    pub(super) fn on_disk(&self, id: LayerId) -> Option<&SpilledLayer> {
        self.spilled.as_ref()?.layer(id)
    }

    pub(super) fn on_disk_mut(&mut self, id: LayerId) -> Option<&mut SpilledLayer> {
        self.spilled.as_mut()?.layer_mut(id)
    }

    /// Whether some layer is on disk.
    #[inline]
    pub(super) fn any_on_disk(&self) -> bool {
        self.spilled.as_ref().is_some_and(|spilled| !spilled.layers.is_empty())
    }

    /// Frees the layer `id`, which is about to be dropped, if it is on disk.
    pub(super) fn drop_from_disk(&mut self, id: LayerId) {
        let Some(spilled) = &mut self.spilled else { return };
        if let Some(mut layer) = spilled.layers.remove(&id) {
            layer.uncharge(&mut self.window.budget);
            self.window.stored -= layer.len();
        }
    }

    /// The same as [`take`](States::take) from the item `first` on, while some layers are on disk: successors in these
    /// are not looked up yet.
    pub(super) fn take_with_disk<A>(
        &mut self,
        batch: &mut Batch<A>,
        source_layer: LayerId,
        first: usize,
    ) -> Step {
        if first == 0 {
            batch.fetch_ahead(&self.window, |_| false);
        }
        let items = &batch.items[first..];
        if let Some(layer) = items.first().and_then(|item| self.on_disk(item.layer)) {
            items.iter().for_each(|item| layer.prefetch(item.hash));
        }
        let serial = self.window.layer(source_layer).serial;
        for item in items {
            let bytes = &batch.bytes[item.start..item.end];
            let parent = StateId { layer: serial, number: item.source };
            let origin = Origin { parent, action: item.number };
            // Once more if there was too little memory: then more of the layer is on disk.
            while !self.put(item.layer, item.hash, bytes, origin)? {
                self.make_room_in(item.layer, source_layer)?;
            }
        }
        Ok(())
    }

    /// Stores a state in its layer, or among those that were found if the layer is on disk. `false` if there is no
    /// memory.
    #[inline]
    fn put(&mut self, id: LayerId, hash: u64, bytes: &[u8], origin: Origin) -> Step<bool> {
        let keeps_origins = !self.origins.is_off();
        let layer = self.spilled.as_mut().and_then(|spilled| spilled.layer_mut(id));
        let Some(layer) = layer else {
            if self.window.is_parked(id) {
                self.settle_from(id)?;
            }
            return self.store(id, (hash, Hint::default()), bytes, origin);
        };
        Ok(layer.find(hash, bytes, keeps_origins.then_some(origin), &mut self.window.budget))
    }

    /// Looks up the states that were found from the parked layer `id`, which is about to get a state. This one may get
    /// the number of their predecessor, which was dropped, so their origins must be in the log before its own.
    #[cold]
    fn settle_from(&mut self, id: LayerId) -> Step {
        let serial = self.window.layer(id).serial;
        let layers = self.spilled.iter().flat_map(|spilled| &spilled.layers);
        let found: Vec<LayerId> =
            layers.filter(|(_, layer)| layer.found_from(serial)).map(|(id, _)| *id).collect();
        found.into_iter().try_for_each(|id| self.settle(id))
    }

    /// Makes room for a state that does not fit into the layer `id`. An error if there is none.
    #[cold]
    pub(super) fn make_room_in(&mut self, id: LayerId, line: LayerId) -> Step {
        let line = self.window.layer(line).value.clone();
        if self.on_disk(id).is_some_and(|layer| layer.found() > 0) {
            return self.settle(id);
        }
        match self.spilled.is_some()
            && self.on_disk(id).is_none()
            && self.window.may_move(id, &line)
        {
            true => self.move_to_disk(id),
            false => Err(StopReason::Memory),
        }
    }

    /// Moves the states of the layer `id` to disk.
    fn move_to_disk(&mut self, id: LayerId) -> Step {
        let States { window, spilled: Some(spilled), .. } = self else { return Ok(()) };
        let mut layer = SpilledLayer::of(&spilled.disk, window.layer(id), &spilled.poll())?;
        layer.origins = mem::take(&mut window.layer_mut(id).origins);
        window.vacate(id);
        layer.charge(&mut window.budget);
        spilled.layers.insert(id, layer);
        Ok(())
    }

    /// Looks up the states that were found in the layer `id`, which is on disk, and stores the new ones.
    fn settle(&mut self, id: LayerId) -> Step {
        let States { window, origins, spilled: Some(spilled), .. } = self else { return Ok(()) };
        let (serial, poll) = (window.layer(id).serial, spilled.poll());
        let Some(layer) = spilled.layer_mut(id) else { return Ok(()) };
        let record = |number, known: &mut _, origin: Option<Origin>| match origin {
            Some(origin) => Ok(origins.record_in(serial, number, known, origin)?),
            None => Ok(()),
        };
        let new = layer.settle(&mut window.budget, &poll, record)?;
        window.stored += new;
        if new > 0 {
            window.has_waiting(id);
        }
        (self.stored, self.uncollected) = (self.stored + new, self.uncollected + new);
        Ok(())
    }

    /// The layer on disk with the most bytes of states that are not looked up yet.
    fn largest_found(&self) -> Option<(LayerId, u64)> {
        let layers = &self.spilled.as_ref()?.layers;
        let found = layers.iter().filter(|(_, layer)| layer.found() > 0);
        found.map(|(id, layer)| (*id, layer.found_bytes())).max_by_key(|&(_, bytes)| bytes)
    }

    /// Looks up the states that were found behind the line, before it moves: new ones are expanded first.
    #[inline]
    pub(super) fn settle_behind(&mut self) -> Step {
        if !self.any_on_disk() {
            return Ok(());
        }
        let layers = self.spilled.iter().flat_map(|spilled| &spilled.layers);
        let is_behind = |id| self.window.is_passed(id);
        let behind = layers.filter(|(id, layer)| layer.found() > 0 && is_behind(**id));
        let behind: Vec<LayerId> = behind.map(|(id, _)| *id).collect();
        behind.into_iter().try_for_each(|id| self.settle(id))
    }
}

impl<M: Model> Run<'_, M> {
    /// Moves states to disk if memory is scarce. `line` is the layer being expanded.
    #[inline]
    pub(super) fn make_room(&mut self, line: LayerId) -> Step {
        match &self.states.spilled {
            Some(spilled) if spilled.is_eager => self.move_all(line),
            Some(_) => self.move_some(line),
            None => Ok(()),
        }
    }

    /// Moves layers and looks states up until there is memory again, as far as possible.
    fn move_some(&mut self, line: LayerId) -> Step {
        let limit = self.states.window.budget.limit;
        let worth = limit / WORTH;
        loop {
            let used = self.states.window.budget.used + self.observer.bytes();
            let Some(spilled) = &mut self.states.spilled else { return Ok(()) };
            if used <= spilled.tried.max(limit / 4 * 3) {
                return Ok(());
            }
            spilled.tried = 0;
            let found = self.states.largest_found().filter(|&(_, bytes)| bytes >= worth);
            let window = &self.states.window;
            let is_worth = |id: &LayerId| window.layer(*id).charged() >= worth;
            let ahead = window.movable(&self.line).find(|id| *id != line && is_worth(id));
            let own = || Some(line).filter(|id| window.may_move(*id, &self.line) && is_worth(id));
            match (ahead.or_else(own), found) {
                (Some(id), _) => self.move_to_disk(id)?,
                (None, Some((id, _))) => self.states.settle(id)?,
                (None, None) => {
                    self.states.spilled.iter_mut().for_each(|s| s.tried = used + worth / 4);
                    return Ok(());
                }
            }
        }
    }

    /// Moves every layer that may be moved, and looks states up when there are a few.
    fn move_all(&mut self, line: LayerId) -> Step {
        let layers: Vec<LayerId> = self.states.window.movable(&self.line).collect();
        for id in layers {
            self.move_to_disk(id)?;
        }
        match self.states.on_disk(line) {
            Some(layer) if layer.found() >= FEW => self.states.settle(line),
            _ => Ok(()),
        }
    }

    /// Moves the states of the layer `id` to disk.
    fn move_to_disk(&mut self, id: LayerId) -> Step {
        self.crew.release();
        self.states.move_to_disk(id)
    }

    /// Expands the layer `id`, which is on disk, level by level until none of its states is waiting. A level that has
    /// begun in memory continues.
    pub(super) fn expand_from_disk(&mut self, id: LayerId, line: &Value) -> Step {
        let mut scratch = (None, Vec::new());
        loop {
            self.expand_level(id, line, u64::MAX, &mut scratch)?;
            self.states.settle(id)?;
            self.refresh();
            let Some(layer) = self.states.on_disk_mut(id) else { return Ok(()) };
            if !layer.begin_level() {
                return Ok(());
            }
            if !self.expander.intake.counting {
                self.observer.level(line, &self.expander.intake.statistics)?;
            }
        }
    }
}
