//! The option for states on disk.

use std::path::PathBuf;

use clap::Args;

/// Where states are kept that do not fit into memory.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct OnDisk {
    /// When `--memory-limit` is near, move states to files in FOLDER, which exists
    ///
    /// Without a progress measure, sweepline then stores every state: it does not search for a measure. The files have
    /// no names, and the system removes them when the run ends. Not for properties about cycles or components.
    #[arg(long, value_name = "FOLDER", requires = "memory_limit")]
    pub(crate) spill: Option<PathBuf>,
}
