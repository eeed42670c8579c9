//! What multi-set expressions gave for the last values of their variables.

use std::hash::BuildHasher;

use crate::explore::marking::Bag;

/// Values of variables that are remembered, and the bytes of what they gave.
const ENTRIES: usize = 256;
const BYTES: usize = 1 << 14;

/// A cache of fixed size for one expression.
#[derive(Clone, Debug)]
pub(crate) struct Memo {
    entries: Vec<Option<(Vec<u8>, Bag)>>,
    hasher: foldhash::fast::FixedState,
}

impl Default for Memo {
    fn default() -> Self {
        Memo { entries: vec![None; ENTRIES], hasher: foldhash::fast::FixedState::default() }
    }
}

impl Memo {
    fn slot(&self, key: &[u8]) -> usize {
        (self.hasher.hash_one(key) as usize) % ENTRIES
    }

    /// The tokens given for variables with the bytes `key`, sorted.
    pub(crate) fn get(&self, key: &[u8]) -> Option<&Bag> {
        let (known, bag) = self.entries[self.slot(key)].as_ref()?;
        (known == key).then_some(bag)
    }

    /// Remembers them, in place of others.
    pub(crate) fn insert(&mut self, key: &[u8], bag: &Bag) {
        if key.len() + bag.bytes() <= BYTES {
            let slot = self.slot(key);
            self.entries[slot] = Some((key.to_vec(), bag.clone()));
        }
    }
}
