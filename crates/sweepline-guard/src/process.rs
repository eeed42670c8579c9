//! Information about this process, and calls to the system.
#![allow(unsafe_code, reason = "calls of the system that the standard library does not offer")]

/// The resident memory of this process in bytes, if the system tells it.
#[cfg(target_os = "linux")]
pub fn resident() -> Option<u64> {
    use std::sync::atomic::{AtomicI32, Ordering};

    /// Opened once, because it is read often, and inside the allocator.
    static STATM: AtomicI32 = AtomicI32::new(-1);

    let mut file = STATM.load(Ordering::Relaxed);
    if file < 0 {
        // SAFETY: the path is a constant that ends in a zero byte.
        file =
            unsafe { libc::open(c"/proc/self/statm".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        if file < 0 {
            return None;
        }
        if STATM.compare_exchange(-1, file, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            // SAFETY: opened above and used nowhere else.
            unsafe { libc::close(file) };
            file = STATM.load(Ordering::Relaxed);
        }
    }
    let mut text = [0u8; 128];
    // SAFETY: the buffer has the length that is given.
    let length = unsafe { libc::pread(file, text.as_mut_ptr().cast(), text.len(), 0) };
    let text = text.get(..usize::try_from(length).ok()?)?;
    // The size of the address space, then the resident part of it, in pages.
    let field = text.split(|&byte| byte == b' ').nth(1)?;
    let pages = field.iter().try_fold(0u64, |n, byte| match byte {
        b'0'..=b'9' => Some(n * 10 + u64::from(byte - b'0')),
        _ => None,
    })?;
    // SAFETY: asks for a constant of the system.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * u64::try_from(page).ok()?)
}

/// The resident memory of this process in bytes, if the system tells it.
#[cfg(not(target_os = "linux"))]
pub fn resident() -> Option<u64> {
    None
}

/// The processor time of all threads of this process so far, if the system tells it.
#[cfg(unix)]
pub fn processor_time() -> Option<std::time::Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is valid, and the clock exists on every Unix.
    if unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) } != 0 {
        return None;
    }
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Some(std::time::Duration::new(seconds.ok()?, nanoseconds.ok()?))
}

/// The processor time of all threads of this process so far, if the system tells it.
#[cfg(not(unix))]
pub fn processor_time() -> Option<std::time::Duration> {
    None
}

/// Returns free memory to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn trim() {
    // SAFETY: may be called at any time.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn trim() {}

/// Makes the allocator return large blocks to the system as soon as they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn return_memory_early() {
    // SAFETY: sets parameters of the allocator that fit it.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 256 << 10);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 1 << 20);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn return_memory_early() {}

/// Writes to standard output without its lock, which another thread may hold.
pub fn write_output(text: &str) {
    write(1, text);
}

/// Writes to standard error without its lock, which another thread may hold.
pub fn write_error(text: &str) {
    write(2, text);
}

#[cfg(unix)]
fn write(file: i32, text: &str) {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        // SAFETY: the bytes are there.
        let written = unsafe { libc::write(file, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => rest = &rest[written..],
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}

#[cfg(not(unix))]
fn write(file: i32, text: &str) {
    use std::io::Write;
    let _ = match file {
        1 => std::io::stdout().write_all(text.as_bytes()),
        _ => std::io::stderr().write_all(text.as_bytes()),
    };
}

/// Ends the process at once, without running code that could wait for a lock.
#[cfg(unix)]
pub fn end(status: u8) -> ! {
    // SAFETY: does not return.
    unsafe { libc::_exit(i32::from(status)) }
}

/// Ends the process.
#[cfg(not(unix))]
pub fn end(status: u8) -> ! {
    std::process::exit(i32::from(status))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::resident;

    #[test]
    fn memory_that_is_written_is_resident() {
        const SIZE: usize = 64 << 20;
        let before = resident().unwrap();
        let written = std::hint::black_box(vec![1u8; SIZE]);
        let after = resident().unwrap();
        assert!(after >= before + SIZE as u64 / 2, "{before} and {after} bytes");
        drop(written);
    }
}
