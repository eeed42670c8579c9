//! Layers whose states are in files.
//!
//! Duplicates are detected late (delayed duplicate detection, Korf 2003): successors are collected in a bounded set
//! in memory. When it is full, or no other state is waiting, it is compared with the stored states, which are in
//! *runs*: files sorted by hash. New states are numbered in the order in which they were found, so each state has
//! the number that it would have in memory.

mod disk;
mod found;
mod layer;
mod run;
mod stored;
mod waiting;

pub(crate) use disk::Disk;
pub(crate) use layer::SpilledLayer;

use crate::verdict::StopReason;

/// Asked now and then during long work: an error ends it.
pub(crate) type Poll<'p> = &'p dyn Fn() -> Result<(), StopReason>;
