//! Compares several slots at once. A search that ends in its first group has no loop exit to mispredict.

/// Slots compared at a time.
pub(super) const LANES: usize = 8;

/// The result for a group of slots: bit `i` is for slot `i`.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    equal: u32,
    empty: u32,
}

impl Lanes {
    /// Compares the masked bits of `LANES` slots with `tag`, and the slots with zero.
    ///
    /// # Safety
    ///
    /// `LANES` words from `slots` on are readable.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline]
    pub(super) unsafe fn compare(slots: *const u32, tag: u32, mask: u32) -> Self {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of the architecture, and the loads are in bounds by the contract.
        let bits = unsafe {
            let (low, high) = (_mm_loadu_si128(slots.cast()), _mm_loadu_si128(slots.add(4).cast()));
            let (tag, mask) = (_mm_set1_epi32(tag as i32), _mm_set1_epi32(mask as i32));
            let zero = _mm_setzero_si128();
            let equal = _mm_packs_epi32(
                _mm_cmpeq_epi32(_mm_and_si128(low, mask), tag),
                _mm_cmpeq_epi32(_mm_and_si128(high, mask), tag),
            );
            let empty = _mm_packs_epi32(_mm_cmpeq_epi32(low, zero), _mm_cmpeq_epi32(high, zero));
            _mm_movemask_epi8(_mm_packs_epi16(equal, empty)) as u32
        };
        Lanes { equal: bits & 0xFF, empty: bits >> 8 }
    }

    /// Compares the masked bits of `LANES` slots with `tag`, and the slots with zero.
    ///
    /// # Safety
    ///
    /// `LANES` words from `slots` on are readable.
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    #[inline]
    pub(super) unsafe fn compare(slots: *const u32, tag: u32, mask: u32) -> Self {
        let (mut equal, mut empty) = (0, 0);
        for lane in 0..LANES {
            // SAFETY: in bounds by the contract.
            let slot = unsafe { slots.add(lane).read() };
            equal |= u32::from(slot & mask == tag) << lane;
            empty |= u32::from(slot == 0) << lane;
        }
        Lanes { equal, empty }
    }

    /// The slots with the tag, before the first empty one.
    #[inline]
    pub(super) fn matches(self) -> u32 {
        self.equal & !self.empty & (self.empty & self.empty.wrapping_neg()).wrapping_sub(1)
    }

    #[inline]
    pub(super) fn first_empty(self) -> Option<usize> {
        (self.empty != 0).then_some(self.empty.trailing_zeros() as usize)
    }
}
