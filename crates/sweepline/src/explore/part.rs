//! One worker's part of an exploration that several workers make together, in one process or in several.
//!
//! Each state belongs to one worker, by its hash. A worker stores its states and expands them with the same
//! `Expander`, window and layers as an exploration by one thread; successors that belong to another worker
//! are packed into parcels. What all workers do next is decided from their [`Account`]s, by the caller.
//!
//! Not a stable interface: it is made for `sweepline-timely`.

mod account;
mod parcel;
mod saved;
mod trail;

use std::mem;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::expand::{Expander, decoded};
use super::intake::{Scene, Store};
use super::states::States;
use super::{GROUP, Options, OriginStore, Step};
use crate::model::Model;
use crate::observe::witness::{Origin, Origins};
use crate::observe::{Fork, StateId, Visit};
use crate::progress::{Progress, Value};
use crate::reduction::Reduction;
use crate::retain::{Hint, LayerId, Stored, hash};
use crate::verdict::StopReason;

pub use account::{Account, Tally};
use parcel::{Packing, Unpacking};
pub use saved::{Pieces, head};
pub use trail::{OriginLog, Segment};

/// Which of several workers this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Its number, from zero.
    pub index: u32,
    /// The number of workers.
    pub peers: u32,
}

impl Place {
    /// The worker that a state belongs to.
    #[inline]
    fn owner(self, hash: u64) -> u32 {
        // The table of a layer uses the high bits of the hash, so these must not depend on the owner.
        let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        ((mixed * u64::from(self.peers)) >> 32) as u32
    }

    /// The name of a layer among the layers of all workers.
    #[inline]
    fn name(self, serial: u64) -> u64 {
        serial * u64::from(self.peers) + u64::from(self.index)
    }

    /// The worker that has the layer of this name.
    pub fn of_name(name: u64, peers: u32) -> u32 {
        (name % u64::from(peers)) as u32
    }
}

/// The states of one worker, and those that it sends to others.
pub(super) struct Portion {
    pub(super) states: States,
    place: Place,
    packing: Vec<Packing>,
    /// Full parcels, with their destinations.
    parcels: Vec<(u32, Vec<u8>)>,
    /// Whether a state was stored since the last step ended.
    stored: bool,
}

impl Portion {
    /// Looks up the successors of the batch that belong to this worker, and packs the others.
    pub(super) fn take<A>(&mut self, batch: &mut Batch<A>, source_layer: LayerId) -> Step {
        batch.fetch_ahead(&self.states.window, |_| false);
        let layer = self.place.name(self.states.window.layer(source_layer).serial);
        for item in &batch.items {
            let bytes = &batch.bytes[item.start..item.end];
            let parent = StateId { layer, number: item.source };
            let origin = Origin { parent, action: item.number };
            let owner = self.place.owner(item.hash);
            if owner == self.place.index {
                self.store((item.layer, item.hash, item.hint), bytes, origin)?;
                continue;
            }
            let packing = &mut self.packing[owner as usize];
            packing.push(&self.states.window.layer(item.layer).value, origin, bytes);
            if packing.is_full() {
                self.parcels.push((owner, packing.take()));
            }
        }
        Ok(())
    }

    fn store(
        &mut self,
        (id, hash, hint): (LayerId, u64, Hint),
        bytes: &[u8],
        origin: Origin,
    ) -> Step {
        let States { window, origins, stored, persistent, .. } = &mut self.states;
        match window.insert(id, hash, hint, bytes) {
            Stored::Seen(..) => Ok(()),
            Stored::Full => Err(StopReason::Memory),
            Stored::New(number) => {
                *stored += 1;
                if window.is_parked(id) {
                    *persistent += 1;
                }
                if let OriginStore::Disk(log) = origins {
                    let layer = window.layer_mut(id);
                    let name = self.place.name(layer.serial);
                    log.record(name, number as u64, &mut layer.origins, origin)?;
                    self.stored = true;
                }
                Ok(())
            }
        }
    }
}

/// One worker's part of an exploration.
pub struct Part<'a, M: Model> {
    model: &'a M,
    options: &'a Options,
    expander: Expander<'a, M>,
    portion: Portion,
    observer: Fork<'a, M>,
    /// The progress of the layer being expanded.
    line: Option<Value>,
    /// The number of the current step, from one.
    step: u64,
    /// The data of the notes in the log.
    notes: Origins,
    scratch: (Option<M::State>, Vec<u8>),
    gone: Vec<Vec<i64>>,
    /// The log, while distinct states are counted.
    origins: OriginStore,
}

impl<'a, M: Model> Part<'a, M> {
    /// The part of the worker `place`, which shows its states to `observer`. Nothing is stored yet.
    pub fn new(
        model: &'a M,
        progress: &'a dyn Progress<M>,
        reduction: &'a Reduction<'a, M>,
        options: &'a Options,
        observer: Fork<'a, M>,
        place: Place,
    ) -> Self {
        let mut states = States::new(progress, options, false);
        states.window.share();
        let portion = Portion {
            states,
            place,
            packing: (0..place.peers).map(|_| Packing::default()).collect(),
            parcels: Vec::new(),
            stored: false,
        };
        Part {
            model,
            options,
            expander: Expander::new(model, progress, reduction, options),
            portion,
            observer,
            line: None,
            step: 1,
            notes: Origins::default(),
            scratch: (None, Vec::new()),
            gone: Vec::new(),
            origins: OriginStore::Off,
        }
    }

    /// Stores those initial states that belong to this worker.
    ///
    /// # Errors
    ///
    /// If the run must end.
    pub fn store_initial(&mut self) -> Step {
        let mut states = Vec::new();
        self.model.initial(&mut |state| states.push(state.clone()));
        let (mut value, mut bytes) = (Value::default(), Vec::new());
        for (number, state) in states.iter().enumerate() {
            bytes.clear();
            self.model.encode(state, &mut bytes);
            let hash = hash(&bytes);
            // Every worker measures all of them, so that all learn of an error.
            self.expander.intake.measure(state, &mut value)?;
            if self.portion.place.owner(hash) == self.portion.place.index {
                let id = self.portion.states.window.target(&value, None);
                let parent = StateId { layer: 0, number: number as u64 };
                let origin = Origin { parent, action: number as u32 };
                self.portion.store((id, hash, Hint::default()), &bytes, origin)?;
            }
        }
        Ok(())
    }

    /// Expands at most `most` states of the level, for about `time`.
    ///
    /// # Errors
    ///
    /// If the run must end: a limit, an error of the model, or every property is decided.
    pub fn expand(&mut self, mut most: u64, time: Duration) -> Step {
        let Some(line) = self.line.clone() else { return Ok(()) };
        let Some(id) = self.portion.states.window.open_at(&line) else { return Ok(()) };
        let started = Instant::now();
        while most > 0 {
            let visits = self.expand_group(id, &line, most.min(GROUP as u64))?;
            if visits == 0 || self.options.interrupt.is_raised() || started.elapsed() >= time {
                break;
            }
            most -= visits;
        }
        Ok(())
    }

    /// Expands at most `most` states and looks their successors up. Returns how many states there were.
    fn expand_group(&mut self, id: LayerId, value: &Value, most: u64) -> Step<u64> {
        let Part { expander, portion, observer, scratch: (scratch, bytes), .. } = self;
        let (model, mut visits) = (self.model, 0);
        while expander.intake.batch.has_room() && visits < most {
            let layer = portion.states.window.layer_mut(id);
            let serial = layer.serial;
            let Some((number, record, again)) = layer.take() else { break };
            bytes.clear();
            bytes.extend_from_slice(record);
            let state = decoded(model, bytes, scratch);
            let named = StateId { layer: portion.place.name(serial), number: number as u64 };
            let stored = self.step;
            let visit = Visit { model, state, bytes, value, id: named, stored, path: None };
            let mut scene = Scene { store: Store::Part(portion), observer: &mut **observer };
            expander.expand_state(&mut scene, id, &visit, again)?;
            visits += 1;
            if self.options.interrupt.is_raised() {
                break;
            }
        }
        if visits > 0 {
            let mut scene = Scene { store: Store::Part(portion), observer: &mut **observer };
            expander.intake.take(&mut scene, id)?;
            expander.intake.batch.clear();
        }
        Ok(visits)
    }

    /// The parcels for other workers, with their destinations.
    pub fn parcels(&mut self) -> Vec<(u32, Vec<u8>)> {
        let Portion { packing, parcels, .. } = &mut self.portion;
        for (destination, packing) in packing.iter_mut().enumerate() {
            let parcel = packing.take();
            if !parcel.is_empty() {
                parcels.push((destination as u32, parcel));
            }
        }
        std::mem::take(parcels)
    }

    /// Stores the states of a parcel from another worker.
    ///
    /// # Errors
    ///
    /// If there is no memory or disk space for them, or the bytes are not a parcel.
    pub fn receive(&mut self, parcel: &[u8]) -> Step {
        let damaged =
            || StopReason::Internal("another worker sent states that cannot be read".into());
        let mut unpacking = Unpacking::new(parcel);
        let mut layer = None;
        while !unpacking.is_empty() {
            let (origin, bytes, is_other) = unpacking.next().ok_or_else(damaged)?;
            let id = match layer.filter(|_| !is_other) {
                Some(id) => id,
                None => self.portion.states.window.target(&unpacking.value, self.line.as_ref()),
            };
            layer = Some(id);
            self.portion.store((id, hash(bytes), Hint::default()), bytes, origin)?;
        }
        Ok(())
    }

    /// Ends a step: every state that was sent in it has arrived.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    pub fn end_step(&mut self) -> Step {
        if std::mem::take(&mut self.portion.stored)
            && let OriginStore::Disk(log) = &mut self.portion.states.origins
        {
            log.end_step(self.step, &mut self.notes)?;
        }
        self.step += 1;
        Ok(())
    }

    /// The number of the current step.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Moves the line to `value`. Layers that the window leaves are to be dropped next.
    pub fn move_line(&mut self, value: &Value) {
        self.line = Some(value.clone());
    }

    /// Drops the passed layers below `end`.
    ///
    /// # Errors
    ///
    /// If there is no memory.
    pub fn drop_below(&mut self, end: Option<&Value>) -> Step {
        let window = &mut self.portion.states.window;
        while let Some(id) = window.droppable_below(end) {
            let layer = window.layer(id);
            // A layer may be empty here: its states belong to other workers.
            self.gone.push(layer.value.components().to_vec());
            if !window.drop_layer(id) {
                return Err(StopReason::Memory);
            }
        }
        Ok(())
    }

    /// Notes that some worker dropped a layer of progress `value`.
    pub fn note_dropped(&mut self, value: &Value) {
        self.portion.states.window.note_dropped(value);
    }

    /// Some worker has opened the layer of `value`.
    pub fn open_too(&mut self, value: &Value) {
        self.portion.states.window.open_too(value);
    }

    /// Some worker has pinned the layer of `value`.
    pub fn pin_too(&mut self, value: &Value) {
        self.portion.states.window.pin_too(value);
    }

    /// Begins the next level of the layer at the line.
    pub fn begin_level(&mut self) {
        let Some(line) = &self.line else { return };
        let window = &mut self.portion.states.window;
        if let Some(id) = window.open_at(line) {
            window.layer_mut(id).begin_level();
        }
    }

    /// No state of the layer at the line is waiting, here and at other workers.
    pub fn pass(&mut self) {
        let Some(line) = self.line.take() else { return };
        let window = &mut self.portion.states.window;
        if let Some(id) = window.open_at(&line) {
            window.pass(id);
        }
    }

    /// Begins the first sweep of the column of `value`.
    pub fn begin_column(&mut self, value: &Value) {
        self.portion.states.window.begin_column(value);
    }

    /// Ends a sweep: drops all passed layers.
    ///
    /// # Errors
    ///
    /// If there is no memory.
    pub fn end_sweep(&mut self) -> Step {
        self.drop_below(None)
    }

    /// Begins another sweep of the column of `value`, from its persistent states.
    pub fn open_roots(&mut self, value: &Value) {
        self.portion.states.window.open_roots(value);
    }

    /// Finishes the column of `value`.
    pub fn leave_column(&mut self, value: &Value) {
        self.portion.states.window.leave_column(value);
    }

    /// Continues the numbers of steps of an earlier run.
    pub fn continue_steps(&mut self, step: u64) {
        self.step = step;
    }

    /// Begins a sweep from the initial states and all persistent states that only counts.
    ///
    /// # Errors
    ///
    /// If the run must end.
    pub fn begin_counting(&mut self) -> Step {
        self.expander.intake.counting = true;
        if matches!(self.portion.states.origins, OriginStore::Disk(_)) {
            self.origins = mem::replace(&mut self.portion.states.origins, OriginStore::Off);
        }
        self.portion.states.window.rewind();
        self.store_initial()
    }

    /// What the observer has gathered. `None` if it cannot be saved.
    pub fn facts(&self) -> Option<Vec<u8>> {
        self.observer.save(self.model)
    }

    /// How many questions the observer has decided, by itself or together with others.
    pub fn decided(&self) -> u64 {
        self.observer.decided()
    }
}
