//! What the system says about this process.

/// Bytes of memory this process has now.
pub(crate) fn resident() -> Option<u64> {
    status("VmRSS:")
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
