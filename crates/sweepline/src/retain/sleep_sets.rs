//! The sleep sets of the states of a layer.

use super::arena::Handle;

/// The sleep set of one state: a range of the pool, whose last items woke up.
#[derive(Clone, Copy, Default)]
struct Entry {
    start: u32,
    asleep: u16,
    woken: u16,
}

/// The sleep sets of a layer, by number of the state. Sets only shrink, so each stays where it was written.
/// All are empty if a run has no sleep sets.
#[derive(Default)]
pub(super) struct SleepSets {
    entries: Vec<Entry>,
    pool: Vec<u32>,
    /// Expanded states with actions that woke up afterwards.
    woken: Vec<(u32, Handle)>,
}

impl SleepSets {
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.pool.capacity() * size_of::<u32>()
            + self.woken.capacity() * size_of::<(u32, Handle)>()
    }

    /// The state `number` is new, and `actions` sleep there. Not all of them need be stored: smaller sleep
    /// sets are sound.
    pub(super) fn put(&mut self, number: usize, actions: &[u32]) {
        let start = u32::try_from(self.pool.len());
        let (start, actions) = start.map_or((0, &[][..]), |start| (start, actions));
        let actions = &actions[..actions.len().min(u16::MAX as usize)];
        self.pool.extend_from_slice(actions);
        self.entries.resize(number, Entry::default());
        self.entries.push(Entry { start, asleep: actions.len() as u16, woken: 0 });
    }

    /// The state `number` was found again by a path on which only `actions` sleep. `true` if it was
    /// `expanded`, actions wake up there, and no visit was scheduled yet.
    pub(super) fn meet(
        &mut self,
        number: usize,
        handle: Handle,
        expanded: bool,
        actions: &[u32],
    ) -> bool {
        let Some(entry) = self.entries.get_mut(number) else { return false };
        let start = entry.start as usize;
        let set = &mut self.pool[start..start + usize::from(entry.asleep)];
        let mut asleep = 0;
        for at in 0..set.len() {
            if actions.contains(&set[at]) {
                set.swap(asleep, at);
                asleep += 1;
            }
        }
        let woke = entry.asleep - asleep as u16;
        entry.asleep = asleep as u16;
        if !expanded || woke == 0 {
            return false;
        }
        let first = entry.woken == 0;
        entry.woken += woke;
        if first {
            self.woken.push((number as u32, handle));
        }
        first
    }

    /// The state `number`, which is about to be expanded, need not explore all actions: of its sleeping
    /// actions, only those to `keep` can matter.
    pub(super) fn retain(&mut self, number: usize, keep: impl Fn(u32) -> bool) {
        let Some(entry) = self.entries.get_mut(number) else { return };
        let start = entry.start as usize;
        let set = &mut self.pool[start..start + usize::from(entry.asleep)];
        let mut kept = 0;
        for at in 0..set.len() {
            if keep(set[at]) {
                set.swap(kept, at);
                kept += 1;
            }
        }
        entry.asleep = kept as u16;
    }

    /// Whether some expanded state must be visited again.
    pub(super) fn any_woken(&self) -> bool {
        !self.woken.is_empty()
    }

    pub(super) fn next_woken(&mut self) -> Option<(u32, Handle)> {
        self.woken.pop()
    }

    /// The actions that sleep at the state `number`, and those that woke up. The latter are then removed.
    pub(super) fn take(&mut self, number: usize) -> (&[u32], &[u32]) {
        let Some(entry) = self.entries.get_mut(number) else { return (&[], &[]) };
        let woken = std::mem::take(&mut entry.woken);
        let (start, asleep) = (entry.start as usize, usize::from(entry.asleep));
        self.pool[start..start + asleep + usize::from(woken)].split_at(asleep)
    }

    /// Updates the handles after the arena was converted.
    pub(super) fn rename(&mut self, handle: impl Fn(usize) -> Handle) {
        self.woken.iter_mut().for_each(|(number, old)| *old = handle(*number as usize));
    }

    /// Removes all but the sets of the first `keep` states.
    pub(super) fn clear(&mut self, keep: usize) {
        self.entries.truncate(keep);
        self.woken.clear();
        let mut kept = Vec::new();
        for entry in &mut self.entries {
            let start = entry.start as usize;
            entry.start = kept.len() as u32;
            kept.extend_from_slice(&self.pool[start..start + usize::from(entry.asleep)]);
        }
        self.pool = kept;
        if keep == 0 {
            self.entries = Vec::new();
            self.woken = Vec::new();
        }
    }
}
