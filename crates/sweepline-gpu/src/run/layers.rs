//! The layers of a run: which table a value has, how tables grow, and when they are dropped.

use sweepline::{StopReason, Value};

use super::{Run, Step};
use crate::table::{LEAST, Table};

/// Which list the layer of a value is in, or would be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Some of its states wait.
    Open,
    /// All its states are expanded.
    Passed,
    /// Behind the window: only persistent states.
    Parked,
}

impl Run<'_> {
    /// Where the layer of `value` is, or would be opened, while the line is at `line`.
    pub(super) fn place(&self, value: &Value, line: &Value) -> Place {
        let fills = || {
            let beyond = self.horizon.as_ref().is_none_or(|horizon| value > horizon);
            self.fills_gaps && beyond && self.same_column(value, line)
        };
        match () {
            () if self.open.contains_key(value) => Place::Open,
            () if self.passed.contains_key(value) => Place::Passed,
            () if value >= line || fills() => Place::Open,
            () => Place::Parked,
        }
    }

    /// The table of `value` in a list, if it is there.
    pub(super) fn table_mut(&mut self, place: Place, value: &Value) -> Option<&mut Table> {
        match place {
            Place::Open => self.open.get_mut(value),
            Place::Passed => self.passed.get_mut(value),
            Place::Parked => self.parked.get_mut(value),
        }
    }

    /// All tables in which a state of progress `value` may be, with its origin.
    pub(crate) fn tables_of(&self, value: &Value) -> Vec<Table> {
        let lists = [&self.open, &self.passed, &self.parked];
        let current = lists.into_iter().filter_map(|list| list.get(value));
        let old = self.archive.iter().flatten().filter(|(known, _)| known == value);
        current.chain(old.map(|(_, table)| table)).cloned().collect()
    }

    /// Opens the layer of `value`, with the persistent states parked there, if any.
    pub(super) fn open_layer(&mut self, value: &Value, capacity: u64) -> Step {
        let table = match self.parked.remove(value) {
            Some(table) => {
                self.roots.remove(value);
                table
            }
            None => self.new_table(capacity)?,
        };
        self.open.insert(value.clone(), table);
        Ok(())
    }

    /// A table of the layer at `place`, where there is none.
    pub(super) fn create(&mut self, place: Place, value: &Value, capacity: u64) -> Step {
        match place {
            Place::Open | Place::Passed => self.open_layer(value, capacity),
            Place::Parked => {
                let table = self.new_table(LEAST)?;
                self.parked.insert(value.clone(), table);
                self.pin(value);
                Ok(())
            }
        }
    }

    pub(super) fn store_initial(&mut self) -> Step {
        let value = super::value_of(&self.program.start);
        let mut state = self.program.system.initial.clone();
        state.resize(self.shape.words, 0);
        if !self.open.contains_key(&value) {
            self.open_layer(&value, LEAST)?;
        }
        loop {
            let table = self.open.get_mut(&value).ok_or(StopReason::Memory)?;
            let before = table.len;
            if self.board.plant(self.device, table, &state)? {
                self.stored += table.len - before;
                return Ok(());
            }
            self.grow(Place::Open, &value)?;
        }
    }

    /// An empty table with room for `capacity` states, or fewer if memory is short.
    fn new_table(&mut self, capacity: u64) -> Step<Table> {
        for wanted in [capacity, capacity / 4, LEAST] {
            if let Some(table) = self.try_table(wanted)? {
                return Ok(table);
            }
        }
        Err(StopReason::Memory)
    }

    /// An empty table. Archived layers make room for it, the oldest first.
    fn try_table(&mut self, capacity: u64) -> Step<Option<Table>> {
        loop {
            if let Some(table) = Table::new(self.device, &mut self.pool, self.shape, capacity)? {
                return Ok(Some(table));
            }
            match self.archive.as_mut().and_then(std::collections::VecDeque::pop_front) {
                Some((_, oldest)) => oldest.release(&mut self.pool),
                None => return Ok(None),
            }
        }
    }

    /// Makes room in a table that is full, or in which look-ups take long.
    pub(super) fn grow(&mut self, place: Place, value: &Value) -> Step {
        let Some(table) = self.table_mut(place, value) else { return Ok(()) };
        if table.looks_further() {
            return Ok(());
        }
        let (len, capacity) = (table.len, table.capacity);
        let ample = self.larger(capacity);
        for wanted in [ample, capacity * 2, capacity / 2 * 3, capacity / 8 * 9] {
            if self.rebuild(place, value, wanted, false)? {
                return Ok(());
            }
        }
        // No memory: the cells that are left are used.
        let table = self.table_mut(place, value).ok_or(StopReason::Memory)?;
        if len + len / 16 < capacity && table.looks_everywhere() {
            Ok(())
        } else {
            Err(StopReason::Memory)
        }
    }

    /// The same if there is memory, before look-ups take long.
    pub(super) fn grow_ahead(&mut self, place: Place, value: &Value) -> Step {
        match self.table_mut(place, value) {
            Some(table) if table.is_crowded() => {
                let capacity = table.capacity;
                let wanted = self.larger(capacity);
                // Layers are not given up for speed.
                if self.pool.has_room(self.bytes(wanted)) {
                    self.rebuild(place, value, wanted, false)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The capacity after growing: moving states takes time, so a table that is small beside the memory grows by more.
    fn larger(&self, capacity: u64) -> u64 {
        let is_small = self.bytes(capacity) <= self.pool.limit() / 16;
        if is_small { capacity * 4 } else { capacity * 2 }
    }

    fn bytes(&self, capacity: u64) -> u64 {
        capacity * 8 * self.shape.words as u64
    }

    /// Moves the states of a table, or only the persistent ones, to a new one; `false` if there is no memory.
    fn rebuild(
        &mut self,
        place: Place,
        value: &Value,
        capacity: u64,
        only_kept: bool,
    ) -> Step<bool> {
        let Some(mut new) = self.try_table(capacity)? else { return Ok(false) };
        let Some(old) = self.table_mut(place, value).cloned() else { return Ok(false) };
        while !self.board.move_states(self.device, &old, &mut new, only_kept)? {
            // The states stored so far are found again.
            if !new.looks_further() && !new.looks_everywhere() {
                return Err(StopReason::Internal("a larger table has no room".into()));
            }
        }
        (new.waiting, new.kept) = if only_kept { (0, old.kept) } else { (old.waiting, old.kept) };
        new.current = old.current;
        new.len = if only_kept { old.kept } else { old.len };
        if let Some(table) = self.table_mut(place, value) {
            *table = new;
        }
        self.give_up(value.clone(), old, only_kept);
        Ok(true)
    }

    /// A table that is not used any more: archived for a counterexample if `archives`, else released.
    fn give_up(&mut self, value: Value, table: Table, archives: bool) {
        match &mut self.archive {
            Some(archive) if archives => archive.push_back((value, table)),
            _ => table.release(&mut self.pool),
        }
    }

    /// The layer to drop next if passed layers within the distance `keep` of the line stay.
    pub(super) fn droppable(&self, keep: u64) -> Option<Value> {
        let (value, _) = self.passed.first_key_value()?;
        let passed = match self.open.first_key_value() {
            Some((line, _)) => value < line && value.distance(line) > keep,
            None => true,
        };
        passed.then(|| value.clone())
    }

    /// Drops a passed layer; its persistent states are parked.
    pub(super) fn drop_layer(&mut self, value: &Value) -> Step {
        self.statistics.layers += 1;
        if self.horizon.as_ref().is_none_or(|horizon| horizon < value) {
            self.horizon = Some(value.clone());
        }
        let near = |start: &Value| start.distance(value) < self.anchor;
        let anchored = self.anchor > 0 && self.beginning.as_ref().is_some_and(near);
        let Some(table) = self.passed.get_mut(value) else { return Ok(()) };
        if anchored {
            self.board.mark(self.device, table, true)?;
        }
        let (len, kept) = (table.len, table.kept);
        self.stored -= len - kept;
        if kept > 0 && kept < len && !self.rebuild(Place::Passed, value, kept * 2, true)? {
            return Err(StopReason::Memory);
        }
        let Some(table) = self.passed.remove(value) else { return Ok(()) };
        if kept > 0 {
            self.parked.insert(value.clone(), table);
        } else {
            self.give_up(value.clone(), table, true);
        }
        Ok(())
    }

    /// A parked layer with states that come from another column is kept when its own column is finished.
    pub(super) fn pin(&mut self, value: &Value) {
        if !self.same_column(value, &self.line) {
            self.pinned.insert(value.clone());
        }
    }

    /// Finishes a column: drops the layers parked there, except those with states of other columns.
    pub(super) fn leave_column(&mut self, column: &Value) {
        self.horizon = None;
        if self.program.columns == 0 {
            return;
        }
        let parked = self.parked.keys().filter(|value| self.same_column(value, column));
        let done = parked.filter(|value| !self.pinned.contains(*value));
        for value in done.cloned().collect::<Vec<Value>>() {
            if let Some(table) = self.parked.remove(&value) {
                self.stored -= table.len;
                self.give_up(value, table, true);
            }
        }
    }

    /// Marks all persistent states as waiting, to count distinct states.
    pub(super) fn rewind(&mut self) -> Step {
        (self.horizon, self.anchor, self.fills_gaps) = (None, 0, false);
        self.roots.clear();
        for (value, mut table) in std::mem::take(&mut self.parked) {
            self.board.mark(self.device, &mut table, false)?;
            self.open.insert(value, table);
        }
        Ok(())
    }
}
