//! A level: the states of a layer that wait when the step begins.

use sweepline::{StopReason, Value};

use super::layers::Place;
use super::{Run, Step, Viewer, after};
use crate::board::Results;
use crate::table::LEAST;

/// States that a launch expands at most, about: a launch cannot be interrupted.
const PIECE: u64 = 32 << 20;

impl Run<'_> {
    /// Expands the waiting states of the layer `line`.
    pub(super) fn level(&mut self, line: &Value, viewer: &mut dyn Viewer) -> Step {
        if self.until == Some(self.step) {
            return Err(StopReason::Decided);
        }
        self.step += 1;
        // Origins have 32 bits for the number of a step.
        if self.step >= u64::from(u32::MAX) {
            return Err(StopReason::Device("the run has more than 2^32 steps".into()));
        }
        let targets = self.targets(line)?;
        for (place, value) in &targets {
            self.grow_ahead(*place, value)?;
        }
        let Some(source) = self.open.get_mut(line) else { return Ok(()) };
        let (waiting, size) = (source.waiting, source.len);
        source.begin_level();
        let mut capacity = source.capacity;
        let pieces = waiting.div_ceil(PIECE).max(1);
        let (mut first, mut reported) = (0, false);
        while first < capacity / 32 {
            let last = (first + (capacity / 32).div_ceil(pieces)).min(capacity / 32);
            let results = self.launch(line, (first, last), &targets)?;
            reported |= results.reported;
            if results.no_room {
                return Err(StopReason::Device(NO_ROOM.into()));
            }
            if results.full {
                self.make_room(&targets, size)?;
            } else {
                first = last;
            }
            let now = self.open.get(line).map_or(0, |source| source.capacity);
            if now != capacity {
                // Its states are elsewhere; those that are expanded are not marked any more.
                (capacity, first) = (now, 0);
            }
            self.check_limits(viewer)?;
        }
        if reported { self.show(line, viewer) } else { Ok(()) }
    }

    /// For each step of the measure, where it leads from `line`.
    fn targets(&self, line: &Value) -> Step<Vec<(Place, Value)>> {
        let target = |delta: &Vec<i64>| {
            let value = after(line, delta)?;
            Ok((self.place(&value, line), value))
        };
        self.deltas.iter().map(target).collect()
    }

    fn launch(
        &mut self,
        line: &Value,
        range: (u64, u64),
        targets: &[(Place, Value)],
    ) -> Step<Results> {
        let boards = targets.iter().map(|(place, value)| {
            let place = self.where_now(*place, value);
            let table = match place {
                Place::Open => self.open.get(value),
                Place::Passed => self.passed.get(value),
                Place::Parked => self.parked.get(value),
            };
            table.cloned().unwrap_or_default().on_board(place == Place::Parked)
        });
        let boards: Vec<_> = boards.collect();
        let Some(source) = self.open.get(line).cloned() else {
            return Err(StopReason::Internal("a layer is lost".into()));
        };
        let results =
            self.board.expand(self.device, &source, range, self.step, &self.finds, &boards)?;
        for (number, (place, value)) in targets.iter().enumerate() {
            let (added, _) = self.board.result(number);
            if added > 0 {
                self.added(self.where_now(*place, value), value, added);
            }
        }
        let statistics = &mut self.statistics;
        statistics.explored += results.explored;
        statistics.edges += results.edges;
        statistics.dead += results.dead;
        statistics.regress_edges += results.regress;
        Ok(results)
    }

    /// A passed layer becomes open during a step.
    fn where_now(&self, place: Place, value: &Value) -> Place {
        match place {
            Place::Passed if !self.passed.contains_key(value) => Place::Open,
            place => place,
        }
    }

    /// New states in a table.
    fn added(&mut self, place: Place, value: &Value, added: u64) {
        self.stored += added;
        if let Some(table) = self.table_mut(place, value) {
            (table.len, table.waiting) = (table.len + added, table.waiting + added);
            if place == Place::Parked {
                table.kept += added;
            }
        }
        match place {
            Place::Open => {}
            Place::Passed => {
                if let Some(table) = self.passed.remove(value) {
                    self.open.insert(value.clone(), table);
                }
            }
            Place::Parked => {
                self.pin(value);
                self.statistics.persistent += added;
                self.roots.insert(value.clone());
            }
        }
    }

    /// Some tables were full, or were not there yet. `size` is that of the layer that is expanded.
    fn make_room(&mut self, targets: &[(Place, Value)], size: u64) -> Step {
        // Layers are often about as large as the one before.
        let guess = (size * 2 / targets.len().max(1) as u64).max(LEAST);
        // The board is used again for growing.
        let mut crowded = Vec::new();
        for (number, (place, value)) in targets.iter().enumerate() {
            let (_, full) = self.board.result(number);
            if !full {
                continue;
            }
            crowded.push((self.where_now(*place, value), value));
        }
        for (place, value) in crowded {
            match self.table_mut(place, value).is_some() {
                true => self.grow(place, value)?,
                false => self.create(place, value, guess)?,
            }
        }
        Ok(())
    }

    /// Tells the viewer what was found in this level.
    fn show(&mut self, line: &Value, viewer: &mut dyn Viewer) -> Step {
        let mut decided = Ok(());
        for found in self.finds.take(self.device)? {
            match viewer.found(&found, line, self.step) {
                Ok(()) => {}
                Err(StopReason::Decided) => decided = Err(StopReason::Decided),
                Err(failed) => return Err(failed),
            }
        }
        decided
    }
}

const NO_ROOM: &str =
    "a place has more tokens than the fields of a GPU program hold; explore without `--gpu`";

/// Whether a run ended because a number in a state is too large for its field.
pub fn is_too_narrow(stop: &StopReason) -> bool {
    matches!(stop, StopReason::Device(why) if why == NO_ROOM)
}
