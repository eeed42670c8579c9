//! What a thread does with the successors that it computes in a round.

use super::Step;
use super::batch::{Batch, Item};
use crate::progress::Value;
use crate::retain::{Candidates, LayerCache, LayerId, Window};
use crate::verdict::StopReason;

/// An edge, with its target as far as it is known during the round.
pub(super) struct Link<A> {
    /// The number of its source in the layer.
    pub(super) source: u64,
    pub(super) action: A,
    pub(super) target: Target,
}

/// The target of an edge.
pub(super) enum Target {
    /// It was stored before the round.
    Stored(LayerId, u64),
    /// It is the candidate of this index.
    Candidate(usize),
}

/// Candidates that a thread found last, by their hash: states that are next to each other often have the same
/// successors.
pub(super) struct Recent {
    entries: Vec<Entry>,
    /// Entries of earlier lists of candidates are invalid.
    list: u32,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    hash: u64,
    list: u32,
    index: u32,
}

/// Number of recent candidates, as a power of two; they should fit the second-level cache.
const RECENT: usize = 1 << 13;

impl Default for Recent {
    fn default() -> Self {
        Recent { entries: vec![Entry::default(); RECENT], list: 0 }
    }
}

impl Recent {
    /// Begins another list of candidates.
    pub(super) fn begin(&mut self) {
        self.list = self.list.wrapping_add(1);
        if self.list == 0 {
            *self = Recent { list: 1, ..Recent::default() };
        }
    }
}

/// A thread's part of a round: it looks states up and collects those that are not stored.
pub(super) struct Share<'s, A> {
    pub(super) window: &'s Window,
    pub(super) cache: &'s mut LayerCache,
    pub(super) found: &'s mut Candidates,
    pub(super) recent: &'s mut Recent,
    /// The edges, if an observer watches them.
    pub(super) links: Option<&'s mut Vec<Link<A>>>,
    /// The number of the first source of the round.
    pub(super) first: u64,
}

impl<A: Clone> Share<'_, A> {
    /// The layer for a state of progress `value`, while the line is at `line`.
    pub(super) fn target(&mut self, value: &Value, line: &Value) -> LayerId {
        let known = self.window.known_target(value, line, self.cache);
        known.unwrap_or_else(|| self.found.unopened(value, self.window))
    }

    /// Looks up the successors of the batch.
    pub(super) fn take(&mut self, batch: &mut Batch<A>) -> Step {
        batch.fetch_ahead(self.window);
        for item in &batch.items {
            let bytes = &batch.bytes[item.start..item.end];
            let target = match self.find(item, bytes) {
                Some(target) => target,
                None => Target::Candidate(self.candidate(item, bytes)?),
            };
            if let Some(links) = &mut self.links {
                links.push(Link { source: item.source, action: item.action.clone(), target });
            }
        }
        Ok(())
    }

    /// The index of a state that is not stored among the candidates.
    #[inline]
    fn candidate(&mut self, item: &Item<A>, bytes: &[u8]) -> Step<usize> {
        let Recent { entries, list } = &mut *self.recent;
        let entry = &mut entries[item.hash as usize % RECENT];
        if entry.list == *list
            && entry.hash == item.hash
            && self.found.is(entry.index as usize, item.layer, bytes)
        {
            return Ok(entry.index as usize);
        }
        let index = self.found.len();
        *entry = Entry { hash: item.hash, list: *list, index: index as u32 };
        let source = (item.source - self.first) as u32;
        match self.found.push(item.layer, item.hash, bytes, source, item.number) {
            true => Ok(index),
            false => Err(StopReason::Memory),
        }
    }

    #[inline]
    fn find(&self, item: &Item<A>, bytes: &[u8]) -> Option<Target> {
        let id = self.found.stored(item.layer)?;
        let number = self.window.layer(id).find_from(item.hash, item.hint, bytes)?;
        Some(Target::Stored(id, number as u64))
    }
}
