//! The log of one worker, read backwards after the exploration.

use std::io;

use super::{Part, Place};
use crate::explore::OriginStore;
use crate::model::Model;
use crate::observe::StateId;
use crate::observe::witness::{Backward, Log};

/// The origins of the states of one worker.
pub struct OriginLog {
    place: Place,
    log: Log,
    position: Backward,
}

/// The end of a path, as far as one worker knows it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Segment {
    /// Successor numbers, the last one first.
    pub actions: Vec<u32>,
    /// Where the segment begins: a state of another worker, as it was when this step began. `None` if it
    /// begins with an initial state, whose number is then the last of the actions.
    pub from: Option<(StateId, u64)>,
}

impl OriginLog {
    /// Begins another path.
    pub fn rewind(&mut self) {
        self.position = Backward::new();
    }

    /// Follows the origins of the state that this worker called `id` when step `before` began. `None` if its
    /// origin was not recorded.
    ///
    /// # Errors
    ///
    /// If the log cannot be read.
    pub fn segment(&mut self, mut id: StateId, mut before: u64) -> io::Result<Option<Segment>> {
        let mut actions = Vec::new();
        loop {
            let Some((origin, step)) = self.position.origin(&mut self.log, id, before)? else {
                return Ok(None);
            };
            actions.push(origin.action);
            (id, before) = (origin.parent, step);
            if id.layer == 0 {
                return Ok(Some(Segment { actions, from: None }));
            }
            if Place::of_name(id.layer, self.place.peers) != self.place.index {
                return Ok(Some(Segment { actions, from: Some((id, before)) }));
            }
        }
    }
}

impl<M: Model> Part<'_, M> {
    /// The log of origins, if one was kept.
    pub fn into_log(self) -> Option<OriginLog> {
        let place = self.portion.place;
        let origins = [self.portion.states.origins, self.origins];
        match origins.into_iter().find(|origins| matches!(origins, OriginStore::Disk(_))) {
            Some(OriginStore::Disk(log)) => {
                Some(OriginLog { place, log: *log, position: Backward::new() })
            }
            _ => None,
        }
    }
}
