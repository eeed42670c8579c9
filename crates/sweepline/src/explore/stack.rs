//! The stack of a depth-first search: the states on the current path, and the waiting successors of each.
//!
//! The successors of a state are computed all at once, and those that are not stored wait here. They may be
//! many times more than the states on the path. So only the latest are kept; those of states further down are
//! computed again when the search returns to them. Successors are tried from the last to the first, so the
//! remaining ones are always a prefix.

use crate::retain::{Budget, Handle};

/// A state on the path.
struct Frame {
    /// Its handle in the store.
    state: Handle,
    /// The number of its first waiting successor, counting those dropped.
    start: u64,
    /// The successors before this number must be computed again.
    below: u32,
}

/// A waiting successor.
struct Item {
    /// Where its bytes start.
    at: usize,
    number: u32,
}

/// The next work for the state on top of the stack.
pub(super) enum Next {
    /// This successor, whose bytes are in the buffer.
    Successor(u32),
    /// The successors before this number, which must be computed again.
    Below(u32),
    /// None.
    Nothing,
}

#[derive(Default)]
pub(super) struct Stack {
    frames: Vec<Frame>,
    items: Vec<Item>,
    bytes: Vec<u8>,
    /// Number of successors dropped.
    dropped: u64,
    /// The frames below this one have no successors left in memory.
    kept: usize,
    /// Maximal bytes of waiting successors.
    room: usize,
    /// The bytes of the lists of successors that are charged to the budget.
    charged: u64,
}

impl Stack {
    /// A stack that keeps at most about `room` bytes of waiting successors.
    pub(super) fn new(room: usize) -> Self {
        Stack { room, ..Stack::default() }
    }

    /// The state on top.
    pub(super) fn top(&self) -> Option<Handle> {
        self.frames.last().map(|frame| frame.state)
    }

    /// Pushes a state. `false` if there is no memory for it.
    #[must_use]
    pub(super) fn push(&mut self, state: Handle, budget: &mut Budget) -> bool {
        let fits = budget.reserve(&mut self.frames, 1);
        if fits {
            let start = self.end();
            self.frames.push(Frame { state, start, below: 0 });
        }
        fits
    }

    /// Pops the state on top, which was successor `number` of the one below.
    pub(super) fn pop(&mut self, number: u32) {
        self.frames.pop();
        let (end, top) = (self.end(), self.frames.len().saturating_sub(1));
        if let Some(frame) = self.frames.last_mut().filter(|_| top < self.kept) {
            (frame.start, frame.below) = (end, number);
            self.kept = top;
        }
    }

    /// The next work for the state on top; the bytes of a successor are written to `buffer`.
    pub(super) fn next(&mut self, buffer: &mut Vec<u8>) -> Next {
        let end = self.end();
        let Some(frame) = self.frames.last_mut() else { return Next::Nothing };
        if frame.start == end {
            return match std::mem::take(&mut frame.below) {
                0 => Next::Nothing,
                below => Next::Below(below),
            };
        }
        let item = self.items.pop().expect("one more than below the top");
        buffer.clear();
        buffer.extend_from_slice(&self.bytes[item.at..]);
        self.bytes.truncate(item.at);
        Next::Successor(item.number)
    }

    /// Adds a successor of the state on top, written by `encode`.
    #[inline]
    pub(super) fn add(&mut self, number: u32, encode: impl FnOnce(&mut Vec<u8>)) {
        self.items.push(Item { at: self.bytes.len(), number });
        encode(&mut self.bytes);
        if self.bytes.len() + self.items.len() * size_of::<Item>() > self.room {
            self.drop_oldest();
        }
    }

    /// Drops the older half of the waiting successors, but not the last one.
    #[cold]
    fn drop_oldest(&mut self) {
        let n = self.items.len() / 2;
        let Some(first) = self.items.get(n).filter(|_| n > 0) else { return };
        let (at, number) = (first.at, first.number);
        self.dropped += n as u64;
        self.items.drain(..n);
        self.bytes.drain(..at);
        self.items.iter_mut().for_each(|item| item.at -= at);
        // The frame of the first one left is the last frame that starts before it; it keeps a part of its
        // successors.
        while self.frames.get(self.kept + 1).is_some_and(|next| next.start <= self.dropped) {
            self.kept += 1;
        }
        let frame = &mut self.frames[self.kept];
        if frame.start < self.dropped {
            (frame.start, frame.below) = (self.dropped, number);
        }
    }

    /// Keeps those successors of the state on top that are `wanted`.
    pub(super) fn retain(&mut self, mut wanted: impl FnMut(&[u8]) -> bool) {
        let Some(frame) = self.frames.last() else { return };
        let first = (frame.start - self.dropped) as usize;
        let (mut kept, mut end) = (first, self.items.get(first).map_or(0, |item| item.at));
        for i in first..self.items.len() {
            let at = self.items[i].at;
            let after = self.items.get(i + 1).map_or(self.bytes.len(), |next| next.at);
            if wanted(&self.bytes[at..after]) {
                self.bytes.copy_within(at..after, end);
                self.items[kept] = Item { at: end, number: self.items[i].number };
                (kept, end) = (kept + 1, end + after - at);
            }
        }
        if kept < self.items.len() {
            self.items.truncate(kept);
            self.bytes.truncate(end);
        }
    }

    /// Charges the waiting successors to the budget. `false` if it is exceeded.
    #[must_use]
    pub(super) fn charge(&mut self, budget: &mut Budget) -> bool {
        let taken = (self.bytes.capacity() + self.items.capacity() * size_of::<Item>()) as u64;
        if taken != self.charged {
            budget.used = budget.used - self.charged + taken;
            self.charged = taken;
        }
        budget.used <= budget.limit
    }

    /// The number of the next waiting successor, counting those dropped.
    fn end(&self) -> u64 {
        self.dropped + self.items.len() as u64
    }
}
