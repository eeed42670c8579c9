//! A growable block of zeroed bytes whose memory is returned to the system.
//!
//! Small blocks are on the heap, where they are cheap to allocate and reuse: a sweep over thin layers needs
//! millions. Large ones are memory mappings of their own: growing moves pages instead of copying them,
//! untouched pages cost nothing, and dropping one lowers the resident size at once, which an allocator's free
//! list does not.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

use memmap2::MmapMut;

/// From this size on, a block is a mapping.
const MAPPED: usize = 64 << 10;
/// Alignment of every block, so that words of any size can be read from its start.
const ALIGN: usize = 64;
/// From this size on, huge pages are requested: random probes then miss the TLB far less.
const HUGE: usize = 4 << 20;

pub(super) struct Block {
    start: NonNull<u8>,
    capacity: usize,
    mapping: Option<MmapMut>,
}

// SAFETY: the block owns its memory; nothing in it is tied to a thread.
unsafe impl Send for Block {}
// SAFETY: shared references only read.
unsafe impl Sync for Block {}

/// An empty block.
impl Default for Block {
    fn default() -> Self {
        Block { start: NonNull::dangling(), capacity: 0, mapping: None }
    }
}

impl Block {
    /// A zeroed block of at least `capacity` bytes, or `None` if there is no memory.
    pub(super) fn zeroed(capacity: usize) -> Option<Self> {
        if capacity == 0 {
            return Some(Block::default());
        }
        if capacity < MAPPED || cfg!(miri) {
            return Some(Block { start: allocate(capacity), capacity, mapping: None });
        }
        let mut mapping = MmapMut::map_anon(capacity).ok()?;
        advise(&mapping, capacity);
        let start = NonNull::new(mapping.as_mut_ptr())?;
        Some(Block { start, capacity, mapping: Some(mapping) })
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn is_mapping(&self) -> bool {
        self.mapping.is_some()
    }

    pub(super) fn as_ptr(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Grows to at least `capacity` bytes and keeps the first `used`; the other bytes are unspecified.
    /// `false` if there is no memory; the block is then unchanged.
    #[must_use]
    pub(super) fn grow(&mut self, capacity: usize, used: usize) -> bool {
        debug_assert!(used <= self.capacity && capacity >= self.capacity);
        if let Some(grown) = self.remap(capacity) {
            return grown;
        }
        let Some(larger) = Block::zeroed(capacity) else { return false };
        // SAFETY: both blocks are at least `used` bytes long and do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(self.as_ptr(), larger.as_ptr(), used) };
        *self = larger;
        true
    }

    /// Grows a mapping by moving its pages, if the system supports it.
    #[cfg(target_os = "linux")]
    fn remap(&mut self, capacity: usize) -> Option<bool> {
        let mapping = self.mapping.as_mut()?;
        let options = memmap2::RemapOptions::new().may_move(true);
        // SAFETY: an anonymous private mapping has no file behind it that could be truncated.
        if unsafe { mapping.remap(capacity, options) }.is_err() {
            return Some(false);
        }
        advise(mapping, capacity);
        self.start = NonNull::new(mapping.as_mut_ptr())?;
        self.capacity = capacity;
        Some(true)
    }

    #[cfg(not(target_os = "linux"))]
    fn remap(&mut self, _capacity: usize) -> Option<bool> {
        None
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.mapping.is_none() && self.capacity > 0 {
            // SAFETY: allocated by `allocate` with this very layout.
            unsafe { dealloc(self.start.as_ptr(), layout(self.capacity)) };
        }
    }
}

fn layout(capacity: usize) -> Layout {
    Layout::from_size_align(capacity, ALIGN).expect("blocks are far smaller than the address space")
}

fn allocate(capacity: usize) -> NonNull<u8> {
    let layout = layout(capacity);
    // SAFETY: the layout is not empty, `zeroed` saw to that.
    let start = unsafe { alloc_zeroed(layout) };
    NonNull::new(start).unwrap_or_else(|| handle_alloc_error(layout))
}

#[cfg(target_os = "linux")]
fn advise(mapping: &MmapMut, capacity: usize) {
    if capacity >= HUGE {
        // Only a hint: a system without huge pages uses small ones.
        let _ = mapping.advise(memmap2::Advice::HugePage);
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_mapping: &MmapMut, _capacity: usize) {}

/// Prefetches the cache line at `address`.
#[inline(always)]
pub(super) fn prefetch(address: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch of any address, mapped or not, has no effect but on the cache.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
