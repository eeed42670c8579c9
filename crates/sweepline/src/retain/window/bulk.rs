//! What a window does to store many states at once.

use std::collections::BTreeMap;

use super::{LayerCache, LayerId, LayerStatus, Window};
use crate::retain::layer::{Room, Storing};
use crate::threads::Threads;

/// A moment in the life of a window: see [`Window::close_since`].
#[derive(Clone, Copy)]
pub(in crate::retain) struct Opened {
    serials: u64,
    layers: usize,
}

impl Window {
    /// How many layers were opened so far, and how many this window has memory for.
    pub(in crate::retain) fn opened(&self) -> Opened {
        Opened { serials: self.serials, layers: self.layers.len() }
    }

    /// Closes the layers that were opened since `before`. They are empty.
    pub(in crate::retain) fn close_since(
        &mut self,
        before: Opened,
        opened: impl Iterator<Item = LayerId>,
    ) {
        let mut new: Vec<(u64, LayerId)> = opened
            .map(|id| (self.layer(id).serial, id))
            .filter(|(n, _)| *n > before.serials)
            .collect();
        new.sort_unstable_by_key(|(serial, _)| std::cmp::Reverse(*serial));
        new.dedup();
        for (_, id) in new {
            let layer = &mut self.layers[id.0 as usize];
            debug_assert_eq!(layer.len(), 0);
            self.open.remove(&layer.value);
            self.parked.remove(&layer.value);
            layer.place = LayerStatus::Free;
            if id.0 as usize >= before.layers {
                layer.uncharge(&mut self.budget);
                self.layers.truncate(id.0 as usize);
            } else {
                self.free.push(id);
            }
        }
        (self.serials, self.cache) = (before.serials, LayerCache::default());
    }

    /// The places for new states in some layers.
    pub(in crate::retain) fn rooms<'w>(
        &'w mut self,
        layers: &'w BTreeMap<LayerId, Storing>,
    ) -> Vec<(LayerId, Room<'w>)> {
        let (mut all, mut next) = (self.layers.iter_mut(), 0);
        let room = |(&id, new): (&LayerId, &'w Storing)| {
            let layer = all.nth(id.0 as usize - next).expect("it is a layer of this window");
            next = id.0 as usize + 1;
            (id, layer.room(new))
        };
        layers.iter().map(room).collect()
    }

    /// Adds the new states of the layer `id`, whose records are written. `false` if there is no memory.
    #[must_use]
    pub(in crate::retain) fn add(&mut self, id: LayerId, new: &Storing, threads: &Threads) -> bool {
        let added = self.layers[id.0 as usize].add(new, threads, &mut self.budget);
        self.stored += new.records as u64;
        self.has_waiting(id);
        added
    }
}
