//! The threads of an exploration.

mod pool;

use std::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pool::Pool;

/// How many threads explore. They start when a run first needs them. Clones share them, one run at a time.
///
/// The results of a run do not depend on the number of threads.
#[derive(Clone)]
pub struct Threads {
    count: usize,
    /// Whether levels of any size are expanded by all threads.
    is_eager: bool,
    pool: Arc<OnceLock<Option<Pool>>>,
}

impl Threads {
    /// `count` threads, at least one.
    pub fn new(count: usize) -> Self {
        Threads { count: count.max(1), is_eager: false, pool: Arc::default() }
    }

    /// One thread for each core that this process may use.
    pub fn all() -> Self {
        Threads::new(std::thread::available_parallelism().map_or(1, NonZero::get))
    }

    /// Expands every level by all threads, even if one thread would be faster: for tests on small models.
    #[doc(hidden)]
    #[must_use]
    pub fn eager(mut self) -> Self {
        self.is_eager = true;
        self
    }

    pub(crate) fn is_eager(&self) -> bool {
        self.is_eager
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Starts the threads, if they are not running yet. `false` if the system refuses them.
    pub(crate) fn start(&self) -> bool {
        // The thread that explores is one of them.
        let start = || Pool::start(self.count - 1);
        self.count > 1 && self.pool.get_or_init(start).is_some()
    }

    /// Calls `work` once for each item, with the number of the thread that does it. Each thread has its share of the
    /// items, the same one each time, so it finds what it wrote to them in its cache. When it has finished them, it takes
    /// those of others. On a machine whose cores are busy, the threads that are awake do the work of those that are not.
    pub(crate) fn each(&self, items: usize, work: impl Fn(usize, usize) + Sync) {
        let count = self.count;
        let shares: Vec<Share> =
            (0..count).map(|of| Share(AtomicUsize::new(items * of / count))).collect();
        let take = |thread| {
            for of in (thread..count).chain(0..thread) {
                let end = items * (of + 1) / count;
                loop {
                    let item = shares[of].0.fetch_add(1, Ordering::Relaxed);
                    if item >= end {
                        break;
                    }
                    work(thread, item);
                }
            }
        };
        match self.pool.get().and_then(Option::as_ref) {
            Some(pool) if items > 1 => pool.run(&take),
            _ => take(0),
        }
    }

    /// The same for items that are changed.
    pub(crate) fn each_mut<T: Send>(
        &self,
        items: &mut [T],
        work: impl Fn(usize, usize, &mut T) + Sync,
    ) {
        let items: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
        self.each(items.len(), |thread, item| {
            let mut own = items[item].lock().unwrap_or_else(PoisonError::into_inner);
            work(thread, item, &mut own);
        });
    }
}

/// The next item of a thread, in cache lines of its own.
#[repr(align(128))]
struct Share(AtomicUsize);

/// One thread.
impl Default for Threads {
    fn default() -> Self {
        Threads::new(1)
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Threads({})", self.count)
    }
}
