//! Keeps a command within its limits, whatever the model does.
//!
//! The guard's thread raises the interrupt of the run at a limit. If the run does not end in time, the thread prints the
//! results so far, removes unfinished files and ends the process. This module collects the results so far.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use sweepline::{Interrupt, Options, Statistics, StopReason, Threads, WitnessMode};
use sweepline_guard::{Cause, Limits, Program};

use crate::args::Budget;
use crate::print::{self, warn};
use crate::system;

/// Makes the last output of a command that must end now, from the reason and the statistics so far.
pub(crate) type Words = Box<dyn Fn(&StopReason, &Known) -> LastWords + Send>;

/// The last output of a command.
pub(crate) struct LastWords {
    /// For standard output.
    pub(crate) results: String,
    pub(crate) status: u8,
}

/// What is known of the current exploration.
#[derive(Clone, Default)]
pub(crate) struct Known {
    pub(crate) statistics: Statistics,
    /// Properties that are decided, with their verdicts.
    pub(crate) answered: Vec<(String, &'static str)>,
}

/// What the guard's thread needs to know about the command.
#[derive(Default)]
struct Draft {
    /// What the command is doing; printed after "while".
    phase: Option<&'static str>,
    words: Option<Words>,
    known: Known,
    /// Files that are incomplete.
    unfinished: Vec<PathBuf>,
}

/// The part of the memory limit that is not for the store: a share …
const RESERVED_SHARE: u64 = 32;
/// … and at least so many bytes.
const RESERVED_LEAST: u64 = 5 << 20;

static BUDGET: OnceLock<Budget> = OnceLock::new();

/// The threads of all explorations of the command.
static THREADS: OnceLock<Threads> = OnceLock::new();

/// The user pressed Ctrl-C. Unlike the run's interrupt, this is never reset.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Why the command was last asked to stop. It is not in the draft because a thread that ran out of memory may hold the
/// draft's lock.
static ASKED: Mutex<Option<Cause>> = Mutex::new(None);

static DRAFT: Mutex<Option<Draft>> = Mutex::new(None);

/// Starts to guard this process, whose explorations share `threads`.
pub(crate) fn start(budget: &Budget, threads: Threads) {
    let _ = BUDGET.set(*budget);
    let _ = THREADS.set(threads);
    let limits = Limits { deadline: deadline(), memory: budget.memory_limit };
    interrupt();
    sweepline_guard::start(limits, Command);
}

fn budget() -> Budget {
    BUDGET.get().copied().unwrap_or_default()
}

/// The threads that explore.
pub(crate) fn threads() -> Threads {
    THREADS.get().cloned().unwrap_or_default()
}

/// When the command must end.
pub(crate) fn deadline() -> Option<Instant> {
    budget().time_limit.and_then(|limit| system::started().checked_add(limit))
}

/// The options of an exploration within what is left of the limits now; it keeps no witness.
pub(crate) fn options() -> Options {
    Options {
        witness: WitnessMode::Off,
        limits: sweepline::Limits {
            deadline: deadline(),
            memory: budget().memory_limit.map(store_share),
            ..sweepline::Limits::default()
        },
        interrupt: interrupt(),
        threads: threads(),
        ..Options::default()
    }
}

/// The limits of evaluations in CPN ML, which end with the run. Values may take as much memory as the process.
pub(crate) fn evaluation() -> sweepline_ml::Limits {
    let mut limits = sweepline_ml::Limits::default();
    limits.stop = interrupt().flag();
    if let Some(memory) = budget().memory_limit {
        limits.heap = limits.heap.max(usize::try_from(memory).unwrap_or(usize::MAX));
    }
    limits
}

/// What a store may take so that the process stays under `limit`.
fn store_share(limit: u64) -> u64 {
    sweepline_guard::release_memory();
    if interrupt().reason() == Some(StopReason::Memory) {
        sweepline_guard::settle();
    }
    let used = sweepline_guard::resident().unwrap_or(0);
    let reserved = used + RESERVED_LEAST.max(limit / RESERVED_SHARE);
    // With nothing left, the first states do not fit: the run ends at its limit, and says so.
    limit.saturating_sub(reserved).max(1)
}

/// Restarts the time limit: each part of a command has the whole limit.
pub(crate) fn restart_time(limit: Option<Duration>) {
    sweepline_guard::set_deadline(limit.and_then(|limit| Instant::now().checked_add(limit)));
}

/// Raised by the first interrupt and at a limit; the second interrupt ends the process.
pub(crate) fn interrupt() -> Interrupt {
    static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();
    let interrupt = INTERRUPT.get_or_init(|| {
        let interrupt = Interrupt::default();
        let raised = interrupt.clone();
        let handled = ctrlc::set_handler(move || {
            if IS_INTERRUPTED.swap(true, Ordering::SeqCst) {
                remove_unfinished();
                sweepline_guard::end(130);
            }
            raised.raise();
            sweepline_guard::wake();
        });
        if handled.is_err() {
            warn("cannot catch Ctrl-C: it will end the run without results");
        }
        interrupt
    });
    interrupt.clone()
}

/// Says what the command is doing.
pub(crate) fn phase(phase: &'static str) {
    with_draft(|draft| draft.phase = Some(phase));
}

/// Sets what is said if the command must end now.
pub(crate) fn last_words(words: Words) {
    with_draft(|draft| (draft.words, draft.known) = (Some(words), Known::default()));
}

/// Notes how far the exploration is.
pub(crate) fn pulse(statistics: &Statistics) {
    let statistics = statistics.clone();
    with_draft(|draft| draft.known.statistics = statistics);
}

/// Notes that a question is answered.
pub(crate) fn answered(name: &str, verdict: &'static str) {
    let name = name.to_owned();
    with_draft(|draft| draft.known.answered.push((name, verdict)));
}

/// A file that is removed if the command must end before this is dropped.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    pub(crate) fn new(file: &Path) -> Self {
        let noted = file.to_owned();
        with_draft(|draft| draft.unfinished.push(noted));
        Unfinished(file.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        with_draft(|draft| draft.unfinished.retain(|file| *file != self.0));
    }
}

/// The limit or interrupt that last asked this command to stop.
pub(crate) fn asked() -> Option<Cause> {
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends a command that failed because it was asked to stop, as the guard would.
pub(crate) fn end(cause: Cause) -> u8 {
    sweepline_guard::dismiss();
    say(cause)
}

fn draft() -> MutexGuard<'static, Option<Draft>> {
    DRAFT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with_draft(change: impl FnOnce(&mut Draft)) {
    change(draft().get_or_insert_default());
}

/// This command, as its guard sees it.
struct Command;

impl Program for Command {
    fn ask_to_stop(&self, cause: Option<Cause>) {
        let interrupt = interrupt();
        let Some(cause) = cause else { return interrupt.lower() };
        *ASKED.lock().unwrap_or_else(PoisonError::into_inner) = Some(cause);
        interrupt.raise_for(match cause {
            Cause::Interrupted => sweepline::Cause::Asked,
            Cause::Time => sweepline::Cause::Time,
            Cause::Memory | Cause::Refused => sweepline::Cause::Memory,
        });
    }

    fn is_interrupted(&self) -> bool {
        IS_INTERRUPTED.load(Ordering::SeqCst)
    }

    fn is_busy(&self) -> bool {
        interrupt().is_saving()
    }

    fn last_words(&self, cause: Cause) -> u8 {
        match sweepline_guard::is_dismissed() {
            // The results were being printed.
            true => 3,
            false => say(cause),
        }
    }
}

/// Prints the results so far and removes incomplete files; returns the exit status. Other threads may hold any lock.
fn say(cause: Cause) -> u8 {
    remove_unfinished();
    let draft = free_draft();
    let draft = draft.as_ref().and_then(|draft| draft.as_ref());
    let phase = draft.and_then(|draft| draft.phase);
    let during = phase.map_or(String::new(), |phase| format!(" while {phase}"));
    let (reason, next) = match cause {
        Cause::Interrupted => (StopReason::Interrupted, ""),
        Cause::Time => (StopReason::Time, "; raise `--time-limit`"),
        Cause::Memory => (StopReason::Memory, "; raise `--memory-limit`"),
        Cause::Refused => {
            (StopReason::Memory, "; the system refused to give more memory: raise `ulimit -v`")
        }
    };
    // The progress line ends here.
    let line = if std::io::stderr().is_terminal() { "\r\u{1b}[K" } else { "" };
    sweepline_guard::write_error(&format!("{line}stopped{during}: {reason}{next}\n"));
    let status = if cause == Cause::Interrupted { 130 } else { 3 };
    let Some((words, known)) = draft.and_then(|draft| Some((draft.words.as_ref()?, &draft.known)))
    else {
        return status;
    };
    let LastWords { results, status } = words(&reason, known);
    let shown = print::harmless(&results);
    sweepline_guard::write_output(&anstream::adapter::strip_str(&shown).to_string());
    status
}

/// The draft; `None` if another thread holds its lock for too long.
fn free_draft() -> Option<MutexGuard<'static, Option<Draft>>> {
    match DRAFT.try_lock() {
        Ok(draft) => Some(draft),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

fn remove_unfinished() {
    if let Some(draft) = free_draft() {
        for file in draft.iter().flat_map(|draft| &draft.unfinished) {
            let _ = std::fs::remove_file(file);
        }
    }
}
