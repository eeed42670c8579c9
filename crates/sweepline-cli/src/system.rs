//! What the system says about this process.

use std::sync::OnceLock;
use std::time::Instant;

/// When the command started: its time limit counts from there. The first call is the start.
pub(crate) fn started() -> Instant {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    *STARTED.get_or_init(Instant::now)
}

/// The most bytes of memory this process ever had.
pub(crate) fn peak_resident() -> Option<u64> {
    status("VmHWM:")
}

/// A line of the process's status, on systems that have one.
fn status(field: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
