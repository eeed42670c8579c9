//! What a thread does with the successors that it computes in a round.

use super::Step;
use super::batch::{Batch, Item};
use crate::progress::Value;
use crate::retain::{
    Candidates, Claimer, EdgeNumber, Found, LayerCache, LayerId, Unopened, Window,
};
use crate::verdict::StopReason;

/// An edge, with its target as far as it is known during the round.
pub(super) struct Link<A> {
    /// The number of its source in the layer.
    pub(super) source: u64,
    pub(super) number: EdgeNumber,
    pub(super) action: A,
    pub(super) target: Target,
}

/// The target of an edge.
pub(super) enum Target {
    /// It was stored before the round.
    Stored(LayerId, u64),
    Candidate(Found),
}

/// A thread's part of a round: it looks states up and collects those that are not stored.
pub(super) struct Share<'s, A> {
    pub(super) window: &'s Window,
    pub(super) cache: &'s mut LayerCache,
    pub(super) found: &'s mut Candidates,
    pub(super) claimer: Claimer<'s>,
    pub(super) unopened: &'s Unopened,
    /// The edges, if an observer watches them.
    pub(super) links: Option<&'s mut Vec<Link<A>>>,
    /// The number of the first source of the round.
    pub(super) first: u64,
    /// Memory for the items of a batch that are not stored.
    pub(super) absent: &'s mut Vec<u32>,
}

impl<A: Clone> Share<'_, A> {
    /// The layer for a state of progress `value`, while the line is at `line`.
    pub(super) fn target(&mut self, value: &Value, line: &Value) -> LayerId {
        let known = self.window.known_target(value, line, self.cache);
        known.unwrap_or_else(|| self.found.unopened(value, self.unopened, self.window))
    }

    /// Looks up the successors of the batch, then claims those that are not stored.
    pub(super) fn take(&mut self, batch: &mut Batch<A>) -> Step {
        batch.fetch_ahead(self.window, |hash| self.claimer.may_recall(hash));
        self.absent.clear();
        for (index, item) in batch.items.iter().enumerate() {
            let bytes = &batch.bytes[item.start..item.end];
            if let Some(found) = self.recall(item, bytes) {
                self.link(item, Target::Candidate(found));
                continue;
            }
            match self.find(item, bytes) {
                Some(target) => self.link(item, target),
                None => {
                    self.claimer.prefetch(item.hash);
                    self.absent.push(index as u32);
                    if self.links.is_some() {
                        // Edges are in order, so this one cannot wait for the others.
                        self.claim(batch)?;
                    }
                }
            }
        }
        self.claim(batch)
    }

    /// Claims the items of the batch that are not stored.
    fn claim(&mut self, batch: &Batch<A>) -> Step {
        for &at in &*self.absent {
            self.claimer.prefetch_record(batch.items[at as usize].hash);
        }
        for at in 0..self.absent.len() {
            let item = &batch.items[self.absent[at] as usize];
            let (edge, bytes) = (self.number(item), &batch.bytes[item.start..item.end]);
            let found = match self.recall(item, bytes) {
                Some(found) => found,
                None => {
                    let claimed = self.claimer.claim(item.layer, item.hash, bytes, edge);
                    let (found, is_first) = claimed.ok_or(StopReason::Memory)?;
                    if is_first {
                        self.found.push(found, edge);
                    }
                    found
                }
            };
            self.link(item, Target::Candidate(found));
        }
        self.absent.clear();
        Ok(())
    }

    /// A state that this thread has met before in this round, if the edge to it need not be noted. A candidate is noted
    /// only with others of its batch, in the order of their edges.
    #[inline]
    fn recall(&self, item: &Item<A>, bytes: &[u8]) -> Option<Found> {
        self.claimer.recall(item.layer, item.hash, bytes, self.number(item))
    }

    #[inline]
    fn link(&mut self, item: &Item<A>, target: Target) {
        let number = self.number(item);
        if let Some(links) = &mut self.links {
            links.push(Link { source: item.source, number, action: item.action.clone(), target });
        }
    }

    #[inline]
    fn number(&self, item: &Item<A>) -> EdgeNumber {
        EdgeNumber::new((item.source - self.first) as u32, item.number)
    }

    #[inline]
    fn find(&self, item: &Item<A>, bytes: &[u8]) -> Option<Target> {
        let id = self.found.stored(item.layer)?;
        let number = self.window.layer(id).find_from(item.hash, item.hint, bytes)?;
        Some(Target::Stored(id, number as u64))
    }
}
