//! Keeps a process within its limits of time and memory, whatever it does.
//!
//! Limits are enforced in two steps. At a limit the guard raises a flag, which the program's loops poll: they stop and
//! report what they found. A program that does not react within a grace period, or that goes on to allocate, is
//! ended by the guard's own thread, which first lets the program say its last words.
//!
//! Memory is what the system counts as resident. The [`Allocator`] reads it now and then while memory is allocated,
//! and before each large allocation, so no allocation takes the process far beyond its limit. A refused allocation ends the
//! process in the same way, instead of aborting it.

mod allocator;
mod process;

pub use allocator::Allocator;
pub use process::{end, resident, write_error, write_output};

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How often limits are checked.
const TICK: Duration = Duration::from_millis(10);

/// Time after a limit for the program to stop by itself.
const GRACE: Duration = Duration::from_millis(1_000);

/// The same after an interrupt: people wait for it.
const SHORT_GRACE: Duration = Duration::from_millis(700);

/// Why a process must end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The user asked for it.
    Interrupted,
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The system refused memory.
    Refused,
}

/// What the guard keeps, and how it talks to the program.
pub trait Program: Send + 'static {
    /// Asks the program's loops to stop for a cause, or, with `None`, to go on: memory was given back.
    fn ask_to_stop(&self, cause: Option<Cause>);

    /// The user asked the program to stop.
    fn is_interrupted(&self) -> bool;

    /// The program must not be ended now: it completes something of the user's.
    fn is_busy(&self) -> bool;

    /// Reports what is known so far; the exit status. The program's other threads may hold any lock.
    fn last_words(&self, cause: Cause) -> u8;
}

/// When to give up; `None` for never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The time limit.
    pub deadline: Option<Instant>,
    /// Bytes of resident memory.
    pub memory: Option<u64>,
}

/// The guard's thread, once it runs.
static GUARD: OnceLock<Thread> = OnceLock::new();

/// When the time is over, in milliseconds since the start of the guard; `NEVER` where it is not limited.
static DEADLINE: AtomicU64 = AtomicU64::new(NEVER);
const NEVER: u64 = u64::MAX;

/// How often the guard was asked to look, and how many of those looks it has finished.
static WANTED: AtomicU64 = AtomicU64::new(0);
static SEEN: AtomicU64 = AtomicU64::new(0);

/// The longest that a program waits for a look.
const SETTLED: Duration = Duration::from_millis(200);

/// When the guard was first asked for something.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// Resident bytes above which nothing is allocated any more.
static HARD: AtomicU64 = AtomicU64::new(u64::MAX);

/// Why an allocation cannot be made; zero while all can.
static BLOCKED: AtomicU8 = AtomicU8::new(0);
const BLOCKED_BY_LIMIT: u8 = 1;
const BLOCKED_BY_SYSTEM: u8 = 2;

/// Nothing is left to be guarded: the results are being printed.
static DISMISSED: AtomicBool = AtomicBool::new(false);

/// Starts to guard `program`. To be called once; later calls do nothing.
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
    // A system that refuses even this thread refuses more soon; without it, limits are kept by the program's loops alone.
    if let Ok(guard) = guard.spawn(move || watch(limits, &program)) {
        let _ = GUARD.set(guard.thread().clone());
    }
}

/// Sets when the time is over.
pub fn set_deadline(deadline: Option<Instant>) {
    let started = *STARTED.get_or_init(Instant::now);
    let after = |deadline: Instant| deadline.saturating_duration_since(started).as_millis();
    let millis = deadline.map_or(NEVER, |deadline| u64::try_from(after(deadline)).unwrap_or(NEVER));
    DEADLINE.store(millis, Ordering::SeqCst);
    settle();
}

/// Has the guard look at the limits now, and waits until it has: a program that was asked to stop, and then gave memory back
/// or got more time, may go on.
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

/// The time is over.
fn is_late(now: Instant) -> bool {
    let deadline = DEADLINE.load(Ordering::Relaxed);
    let started = *STARTED.get_or_init(Instant::now);
    deadline != NEVER && now.saturating_duration_since(started) >= Duration::from_millis(deadline)
}

/// The program has its results: from here it ends by itself, unless the system refuses it memory.
pub fn dismiss() {
    DISMISSED.store(true, Ordering::SeqCst);
    HARD.store(u64::MAX, Ordering::Relaxed);
}

/// The program has its results.
pub fn is_dismissed() -> bool {
    DISMISSED.load(Ordering::SeqCst)
}

/// Has the guard look at once.
pub fn wake() {
    if let Some(guard) = GUARD.get() {
        guard.unpark();
    }
}

/// Gives freed memory back to the system.
pub fn release_memory() {
    process::trim();
}

/// What is left for reports after the limit that loops keep.
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
            // Only a refused allocation is of interest now.
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

/// Ends the process after its last words.
fn speak(program: &dyn Program, cause: Cause) -> ! {
    allocator::use_reserve();
    end(program.last_words(cause))
}

/// Leaves the end of the process to the guard's thread, and waits for it. Returns where nothing guards the process.
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
