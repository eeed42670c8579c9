//! Enforces the limits of a process on time and memory.
//!
//! Limits are enforced in two steps. At a limit, the guard raises a flag, which the program's loops poll:
//! they stop and report their results so far. If the program does not react within a grace period, or
//! continues to allocate, the guard's own thread ends it, after it has printed a final report.
//!
//! Memory is the resident memory of the process. The [`Allocator`] reads it now and then while memory is
//! allocated, and before each large allocation, so no allocation exceeds the limit by much. If the system has
//! no more memory, the process ends in the same way, instead of aborting.

mod allocator;
mod process;

pub use allocator::Allocator;
pub use process::{end, processor_time, resident, write_error, write_output};

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How often limits are checked.
const TICK: Duration = Duration::from_millis(10);

/// Time after a limit for the program to stop by itself.
const GRACE: Duration = Duration::from_millis(1_000);

/// The same after an interrupt, when the user is waiting.
const SHORT_GRACE: Duration = Duration::from_millis(700);

/// Why a process must end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The user asked for it.
    Interrupted,
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The system has no more memory.
    Refused,
}

/// The guarded program, as the guard sees it.
pub trait Program: Send + 'static {
    /// Asks the program's loops to stop for a cause; `None` means that they may continue, because memory was
    /// released.
    fn ask_to_stop(&self, cause: Option<Cause>);

    /// Whether the user asked the program to stop.
    fn is_interrupted(&self) -> bool;

    /// Whether the program must not be ended now, because it is writing a file of the user.
    fn is_busy(&self) -> bool;

    /// Prints the results so far and returns the exit status. The program's other threads may hold any lock.
    fn last_words(&self, cause: Cause) -> u8;
}

/// The limits; `None` means unlimited.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The time limit.
    pub deadline: Option<Instant>,
    /// Bytes of resident memory.
    pub memory: Option<u64>,
}

/// The guard's thread, once it is started.
static GUARD: OnceLock<Thread> = OnceLock::new();

/// The deadline in milliseconds since the start of the guard; `NEVER` if the time is not limited.
static DEADLINE: AtomicU64 = AtomicU64::new(NEVER);
const NEVER: u64 = u64::MAX;

/// How many checks the guard was asked for, and how many of them it has finished.
static WANTED: AtomicU64 = AtomicU64::new(0);
static SEEN: AtomicU64 = AtomicU64::new(0);

/// How long a program waits for a check at most.
const SETTLED: Duration = Duration::from_millis(200);

/// When the guard was first called.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// Resident bytes above which allocations are blocked.
static HARD: AtomicU64 = AtomicU64::new(u64::MAX);

/// Why allocations are blocked; zero if they are not.
static BLOCKED: AtomicU8 = AtomicU8::new(0);
const BLOCKED_BY_LIMIT: u8 = 1;
const BLOCKED_BY_SYSTEM: u8 = 2;

/// Whether the guard is dismissed: the results are being printed.
static DISMISSED: AtomicBool = AtomicBool::new(false);

/// Starts to guard `program`. Call it once; later calls do nothing.
pub fn start(limits: Limits, program: impl Program) {
    if GUARD.get().is_some() {
        return;
    }
    if let Some(limit) = limits.memory {
        HARD.store(hard_limit(limit), Ordering::Relaxed);
        process::return_memory_early();
    }
    set_deadline(limits.deadline);
    let guard = thread::Builder::new().name("guard".into()).stack_size(512 << 10);
    // If the system cannot even start this thread, only the program's own loops enforce the limits.
    if let Ok(guard) = guard.spawn(move || watch(limits, &program)) {
        let _ = GUARD.set(guard.thread().clone());
    }
}

/// Sets the deadline.
pub fn set_deadline(deadline: Option<Instant>) {
    let started = *STARTED.get_or_init(Instant::now);
    let after = |deadline: Instant| deadline.saturating_duration_since(started).as_millis();
    let millis = deadline.map_or(NEVER, |deadline| u64::try_from(after(deadline)).unwrap_or(NEVER));
    DEADLINE.store(millis, Ordering::SeqCst);
    settle();
}

/// Lets the guard check the limits now, and waits for it. A program that was asked to stop and then released
/// memory or got more time may continue.
pub fn settle() {
    let Some(guard) = GUARD.get().filter(|guard| guard.id() != thread::current().id()) else {
        return;
    };
    let wanted = WANTED.fetch_add(1, Ordering::SeqCst) + 1;
    let started = Instant::now();
    while SEEN.load(Ordering::SeqCst) < wanted && started.elapsed() < SETTLED {
        guard.unpark();
        thread::sleep(Duration::from_micros(50));
    }
}

/// Whether the deadline has passed.
fn is_late(now: Instant) -> bool {
    let deadline = DEADLINE.load(Ordering::Relaxed);
    let started = *STARTED.get_or_init(Instant::now);
    deadline != NEVER && now.saturating_duration_since(started) >= Duration::from_millis(deadline)
}

/// Dismisses the guard: the program has its results and ends by itself, unless the system has no more memory.
pub fn dismiss() {
    DISMISSED.store(true, Ordering::SeqCst);
    HARD.store(u64::MAX, Ordering::Relaxed);
}

/// Whether the guard is dismissed.
pub fn is_dismissed() -> bool {
    DISMISSED.load(Ordering::SeqCst)
}

/// Lets the guard check the limits at once.
pub fn wake() {
    if let Some(guard) = GUARD.get() {
        guard.unpark();
    }
}

/// Returns freed memory to the system.
pub fn release_memory() {
    process::trim();
}

/// The limit for the whole process: leaves room for reports above the limit for loops.
fn hard_limit(limit: u64) -> u64 {
    limit.saturating_add(limit / 20).saturating_add(4 << 20)
}

fn watch(limits: Limits, program: &dyn Program) {
    let mut asked: Option<(Cause, Instant)> = None;
    let mut trimmed = Instant::now();
    loop {
        let is_limited = DEADLINE.load(Ordering::Relaxed) != NEVER || limits.memory.is_some();
        match is_limited || asked.is_some() {
            true => thread::park_timeout(TICK),
            false => thread::park(),
        }
        let wanted = WANTED.load(Ordering::SeqCst);
        match BLOCKED.load(Ordering::SeqCst) {
            0 => {}
            BLOCKED_BY_LIMIT => speak(program, Cause::Memory),
            _ => speak(program, Cause::Refused),
        }
        if DISMISSED.load(Ordering::SeqCst) {
            // After dismissal, only a failed allocation ends the process.
            SEEN.store(wanted, Ordering::SeqCst);
            thread::park();
            continue;
        }
        let now = Instant::now();
        let cause = due(limits, program, now, &mut trimmed);
        if cause != asked.map(|(cause, _)| cause) {
            program.ask_to_stop(cause);
            asked = cause.map(|cause| (cause, now));
        }
        if let Some((cause, since)) = asked
            && cause != Cause::Memory
            && now - since >= grace(cause)
            && !program.is_busy()
        {
            speak(program, cause);
        }
        SEEN.store(wanted, Ordering::SeqCst);
    }
}

fn grace(cause: Cause) -> Duration {
    if cause == Cause::Interrupted { SHORT_GRACE } else { GRACE }
}

/// The limit that is reached now.
fn due(
    limits: Limits,
    program: &dyn Program,
    now: Instant,
    trimmed: &mut Instant,
) -> Option<Cause> {
    if program.is_interrupted() {
        return Some(Cause::Interrupted);
    }
    if is_late(now) {
        return Some(Cause::Time);
    }
    let limit = limits.memory?;
    if resident()? <= limit {
        return None;
    }
    if now - *trimmed > 10 * TICK {
        *trimmed = now;
        process::trim();
    }
    let resident = resident()?;
    if resident > hard_limit(limit) && !program.is_busy() {
        speak(program, Cause::Memory);
    }
    (resident > limit).then_some(Cause::Memory)
}

/// Ends the process after its final report.
fn speak(program: &dyn Program, cause: Cause) -> ! {
    allocator::use_reserve();
    end(program.last_words(cause))
}

/// Lets the guard's thread end the process, and waits for it. Returns if the process is not guarded.
#[cold]
fn block(why: u8) {
    let Some(guard) = GUARD.get() else { return };
    if guard.id() == thread::current().id() {
        return;
    }
    let _ = BLOCKED.compare_exchange(0, why, Ordering::SeqCst, Ordering::SeqCst);
    loop {
        guard.unpark();
        thread::sleep(TICK);
    }
}
