//! The system's allocator with a check of the memory limit.
#![allow(
    unsafe_code,
    reason = "an allocator is unsafe to implement; it hands everything to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::Ordering;

use crate::{BLOCKED_BY_LIMIT, BLOCKED_BY_SYSTEM, HARD, block, resident};

/// The resident memory is checked after a thread has allocated this many bytes; larger allocations are
/// checked one by one.
const INTERVAL: usize = 512 << 10;

/// Bytes for the final report of a process that gets no more memory.
const RESERVE: usize = 1 << 20;

thread_local! {
    /// Bytes allocated since the last check.
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
    /// Bytes of the reserve that this thread has used; `None` while it uses the system's memory.
    static USED: Cell<Option<usize>> = const { Cell::new(None) };
}

struct Reserve(UnsafeCell<[u8; RESERVE]>);

// SAFETY: only the one thread that called `use_reserve` takes pieces of it, and no piece twice.
unsafe impl Sync for Reserve {}

static LAST: Reserve = Reserve(UnsafeCell::new([0; RESERVE]));

/// Allows this thread to use the reserve when the system has no more memory, so that it can print the final
/// report. From then on it frees nothing.
pub(crate) fn use_reserve() {
    USED.set(Some(0));
}

/// The system's allocator, which checks the resident memory of the process now and then. If the limit is
/// exceeded or the system has no more memory, the guard ends the process.
pub struct Allocator;

// SAFETY: all memory is the system allocator's, or a piece of the reserve that is handed out once and never taken back.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        look(layout.size());
        // SAFETY: as promised to this function.
        let memory = unsafe { System.alloc(layout) };
        if memory.is_null() { refused(layout) } else { memory }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // Pages that are never written take no memory; the next check counts those that are.
        look(layout.size().min(INTERVAL - 1));
        // SAFETY: as promised to this function.
        let memory = unsafe { System.alloc_zeroed(layout) };
        if memory.is_null() { refused(layout) } else { memory }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        look(size.saturating_sub(layout.size()));
        if is_reserved(memory) {
            return moved(memory, layout, size);
        }
        // SAFETY: as promised to this function; the memory is the system allocator's.
        let grown = unsafe { System.realloc(memory, layout, size) };
        if grown.is_null() { moved(memory, layout, size) } else { grown }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if !is_reserved(memory) && USED.get().is_none() {
            // SAFETY: as promised to this function; the memory is the system allocator's.
            unsafe { System.dealloc(memory, layout) }
        }
    }
}

/// Counts `size` bytes and checks the limit; does not return if it is exceeded.
#[inline]
fn look(size: usize) {
    if HARD.load(Ordering::Relaxed) == u64::MAX {
        return;
    }
    let allocated = ALLOCATED.get().saturating_add(size);
    ALLOCATED.set(allocated);
    if allocated >= INTERVAL {
        look_closely(size);
    }
}

#[cold]
fn look_closely(size: usize) {
    ALLOCATED.set(0);
    // Small allocations are resident by now; a large one will be.
    let new = if size >= INTERVAL { size as u64 } else { 0 };
    let hard = HARD.load(Ordering::Relaxed);
    if resident().is_some_and(|resident| resident.saturating_add(new) > hard) {
        // Return freed memory to the system before the limit is enforced.
        crate::process::trim();
        if resident().is_some_and(|resident| resident.saturating_add(new) > hard) {
            block(BLOCKED_BY_LIMIT);
        }
    }
}

/// The system has no more memory: takes it from the reserve for the final report; otherwise ends the process.
#[cold]
fn refused(layout: Layout) -> *mut u8 {
    let Some(used) = USED.get() else {
        block(BLOCKED_BY_SYSTEM);
        return std::ptr::null_mut();
    };
    let start = LAST.0.get().cast::<u8>();
    let skip = start.wrapping_add(used).align_offset(layout.align());
    match used.checked_add(skip).and_then(|at| Some((at, at.checked_add(layout.size())?))) {
        Some((at, end)) if end <= RESERVE => {
            USED.set(Some(end));
            start.wrapping_add(at)
        }
        _ => std::ptr::null_mut(),
    }
}

/// A copy of `memory` in the reserve, of at most `size` bytes.
#[cold]
fn moved(memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    let Ok(new) = Layout::from_size_align(size, layout.align()) else {
        return std::ptr::null_mut();
    };
    let copy = refused(new);
    if !copy.is_null() {
        // SAFETY: both are valid for this many bytes, and the reserve hands no piece out twice.
        unsafe { std::ptr::copy_nonoverlapping(memory, copy, layout.size().min(size)) };
    }
    copy
}

fn is_reserved(memory: *mut u8) -> bool {
    let start = LAST.0.get() as usize;
    (start..start + RESERVE).contains(&(memory as usize))
}
