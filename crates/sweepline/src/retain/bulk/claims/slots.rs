//! The words of the table of claims.

#[cfg(not(all(loom, test)))]
pub(super) use real::Slots;

#[cfg(all(loom, test))]
pub(super) use modelled::Slots;

#[cfg(not(all(loom, test)))]
mod real {
    use std::sync::atomic::AtomicU64;

    use crate::retain::block::{Block, prefetch};

    /// Words in memory that is zeroed when it is first used.
    #[derive(Default)]
    pub(in super::super) struct Slots {
        block: Block,
        mask: usize,
    }

    impl Slots {
        /// `count` words, a power of two, all zero. `None` if there is no memory.
        pub(in super::super) fn new(count: usize) -> Option<Self> {
            debug_assert!(count.is_power_of_two());
            Some(Slots { block: Block::zeroed(count * size_of::<u64>())?, mask: count - 1 })
        }

        pub(in super::super) fn len(&self) -> usize {
            if self.block.capacity() == 0 { 0 } else { self.mask + 1 }
        }

        /// The word `slot`; the first one follows the last.
        #[inline]
        pub(in super::super) fn at(&self, slot: usize) -> &AtomicU64 {
            let slot = slot & self.mask;
            assert!((slot + 1) * size_of::<u64>() <= self.block.capacity());
            // SAFETY: in bounds by the assertion; words are only accessed by this function.
            unsafe { &*self.block.as_ptr().cast::<AtomicU64>().add(slot) }
        }

        #[inline]
        pub(in super::super) fn prefetch(&self, hash: u64) {
            let slot = hash as usize & self.mask;
            prefetch(self.block.as_ptr().wrapping_add(slot * size_of::<u64>()));
        }
    }
}

/// The same for loom, whose atomic words are larger.
#[cfg(all(loom, test))]
mod modelled {
    use loom::sync::atomic::AtomicU64;

    #[derive(Default)]
    pub(in super::super) struct Slots(Vec<AtomicU64>);

    impl Slots {
        pub(in super::super) fn new(count: usize) -> Option<Self> {
            Some(Slots((0..count).map(|_| AtomicU64::new(0)).collect()))
        }

        pub(in super::super) fn len(&self) -> usize {
            self.0.len()
        }

        pub(in super::super) fn at(&self, slot: usize) -> &AtomicU64 {
            &self.0[slot % self.0.len()]
        }

        pub(in super::super) fn prefetch(&self, _hash: u64) {}
    }
}
