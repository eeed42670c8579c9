//! Threads that wait for the next step of a run.
//!
//! A round of an exploration has three or four steps, some of them shorter than it takes to wake a thread. So a thread
//! that has finished a step looks for the next one for a while before it sleeps. On a machine whose cores are busy,
//! a step does not wait for threads that are not awake: it ends when the work is done and all threads that have
//! entered the step have left it.
#![allow(
    unsafe_code,
    reason = "a step borrows data that lives shorter than the threads: see ARCHITECTURE.md"
)]

use std::any::Any;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Bytes of the stack of a thread: as much as the main thread of a process usually has.
const STACK: usize = 8 << 20;
/// How long a thread looks for the next step before it sleeps.
const LOOKING: Duration = Duration::from_micros(200);
/// How often it looks before it reads the clock and offers its core to other threads.
const LOOKS: usize = 64;

/// The threads of a pool; the thread that calls [`run`](Pool::run) is one more.
pub(super) struct Pool {
    gate: Arc<Gate>,
    handles: Vec<JoinHandle<()>>,
    /// One run at a time has the threads.
    turn: Mutex<()>,
}

/// The work of a step: a function of the number of the thread.
type Work = *const (dyn Fn(usize) + Sync);

struct Gate {
    /// The number of the step, [`OPEN`], and how many threads are in the step.
    state: AtomicU64,
    /// Valid while the step is open or threads are in it.
    work: UnsafeCell<Option<Work>>,
    quits: AtomicBool,
    asleep: AtomicUsize,
    sleep: Mutex<()>,
    wake: Condvar,
    /// What a thread panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `work` is written only by the thread that opens a step, when no thread is in one, and read only by threads
// that have entered the step. The function may be called by several threads.
unsafe impl Sync for Gate {}
// SAFETY: as above.
unsafe impl Send for Gate {}

/// Threads may enter the step.
const OPEN: u64 = 1 << 31;
/// One step, in the upper half of the state.
const STEP: u64 = 1 << 32;

impl Pool {
    /// Starts `count` threads. `None` if the system refuses one.
    pub(super) fn start(count: usize) -> Option<Self> {
        let gate = Arc::new(Gate {
            state: AtomicU64::new(0),
            work: UnsafeCell::new(None),
            quits: AtomicBool::new(false),
            asleep: AtomicUsize::new(0),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
            panic: Mutex::new(None),
        });
        let mut pool = Pool { gate, handles: Vec::new(), turn: Mutex::new(()) };
        for number in 1..=count {
            let gate = Arc::clone(&pool.gate);
            let builder = std::thread::Builder::new().name(format!("explore-{number}"));
            let thread = builder.stack_size(STACK).spawn(move || gate.serve(number));
            pool.handles.push(thread.ok()?);
        }
        Some(pool)
    }

    /// Calls `work` with 0 on this thread and, at the same time, with other numbers on the threads of the pool that are
    /// awake before this call returns. If another run has the threads, only with 0.
    pub(super) fn run(&self, work: &(dyn Fn(usize) + Sync)) {
        let _turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            // A step panicked, and ended as other steps do.
            Err(TryLockError::Poisoned(turn)) => turn.into_inner(),
            Err(TryLockError::WouldBlock) => return work(0),
        };
        // SAFETY: only the lifetime changes. The function is called only by threads that are in the step, and `open`
        // is dropped after all of them have left, also if `work` panics.
        let borrowed = unsafe {
            std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(work)
        };
        let open = self.gate.open(borrowed);
        work(0);
        drop(open);
        let panic = self.gate.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.gate.quits.store(true, Ordering::SeqCst);
        self.gate.wake_all();
        for handle in self.handles.drain(..) {
            // A panic of a thread was passed on by `run`.
            let _ = handle.join();
        }
    }
}

/// An open step. Dropping it closes the step, and waits for the threads in it.
struct Open<'g>(&'g Gate);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let mut inside = self.0.state.fetch_and(!OPEN, Ordering::AcqRel) & (OPEN - 1);
        let mut looks = 0;
        while inside > 0 {
            looks += 1;
            if looks % LOOKS > 0 {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
            inside = self.0.state.load(Ordering::Acquire) & (OPEN - 1);
        }
    }
}

impl Gate {
    fn open(&self, work: &'static (dyn Fn(usize) + Sync)) -> Open<'_> {
        // SAFETY: the last step is closed and no thread is in it, so no thread reads this.
        unsafe { *self.work.get() = Some(work) };
        // The state is the number of the last step, without threads in it.
        let last = self.state.load(Ordering::Relaxed);
        self.state.store(last.wrapping_add(STEP) | OPEN, Ordering::SeqCst);
        if self.asleep.load(Ordering::SeqCst) > 0 {
            self.wake_all();
        }
        Open(self)
    }

    fn wake_all(&self) {
        // A thread that is about to sleep has the lock until it does.
        drop(self.sleep.lock().unwrap_or_else(PoisonError::into_inner));
        self.wake.notify_all();
    }

    /// What the thread `number` does until the pool is dropped.
    fn serve(&self, number: usize) {
        let mut last = 0;
        while let Some(step) = self.enter(last) {
            last = step;
            // SAFETY: this thread is in the step, so the function is valid until it leaves.
            let work = unsafe { (*self.work.get()).map(|work| &*work) };
            let done = catch_unwind(AssertUnwindSafe(|| work.iter().for_each(|work| work(number))));
            if let Err(panic) = done {
                *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
            }
            self.state.fetch_sub(1, Ordering::Release);
        }
    }

    /// Waits for an open step other than `last`, and enters it. Returns its number; `None` at the end of the pool.
    fn enter(&self, last: u64) -> Option<u64> {
        loop {
            let state = self.next(last)?;
            let entered = self.state.compare_exchange_weak(
                state,
                state + 1,
                Ordering::AcqRel,
                Ordering::Relaxed,
            );
            if entered.is_ok() {
                return Some(state / STEP);
            }
        }
    }

    /// The state with an open step other than `last`.
    fn next(&self, last: u64) -> Option<u64> {
        let since = Instant::now();
        loop {
            for _ in 0..LOOKS {
                if let Some(state) = self.opened(last) {
                    return Some(state);
                }
                std::hint::spin_loop();
            }
            if self.quits.load(Ordering::SeqCst) {
                return None;
            }
            if since.elapsed() >= LOOKING {
                break;
            }
            std::thread::yield_now();
        }
        let mut sleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        self.asleep.fetch_add(1, Ordering::SeqCst);
        let state = loop {
            match self.opened(last) {
                None if !self.quits.load(Ordering::SeqCst) => {}
                opened => break opened,
            }
            sleep = self.wake.wait(sleep).unwrap_or_else(PoisonError::into_inner);
        };
        self.asleep.fetch_sub(1, Ordering::SeqCst);
        state
    }

    fn opened(&self, last: u64) -> Option<u64> {
        let state = self.state.load(Ordering::SeqCst);
        (state & OPEN != 0 && state / STEP != last).then_some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_items_are_done_once_in_every_step() {
        for threads in [1, 3, 7] {
            let pool = Pool::start(threads).unwrap();
            for step in 0..2000 {
                let items = step % 50;
                let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
                pool.run(&|number| {
                    assert!(number <= threads);
                    while next.fetch_add(1, Ordering::Relaxed) < items {
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                });
                assert_eq!(done.into_inner(), items);
                if step % 500 == 0 {
                    std::thread::sleep(LOOKING * 3);
                }
            }
        }
    }

    #[test]
    fn a_panic_of_a_thread_reaches_the_caller_and_the_pool_goes_on() {
        let pool = Pool::start(2).unwrap();
        for _ in 0..50 {
            let other = AtomicBool::new(false);
            let failed = catch_unwind(AssertUnwindSafe(|| {
                pool.run(&|number| {
                    if number > 0 {
                        other.store(true, Ordering::SeqCst);
                        panic!("on purpose");
                    }
                    while !other.load(Ordering::SeqCst) {
                        std::thread::yield_now();
                    }
                });
            }));
            assert!(failed.is_err());
        }
        let calls = AtomicUsize::new(0);
        pool.run(&|_| {
            calls.fetch_add(1, Ordering::Relaxed);
        });
        assert!(calls.into_inner() >= 1);
    }
}
