//! The threads of an exploration.

use std::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Bytes of the stack of a thread: as much as the main thread of a process usually has.
const STACK: usize = 8 << 20;

/// How many threads explore. They start when a run first needs them. Clones share them, one run at a time.
///
/// The results of a run do not depend on the number of threads.
#[derive(Clone)]
pub struct Threads {
    count: usize,
    /// Whether levels of any size are expanded by all threads.
    is_eager: bool,
    pool: Arc<OnceLock<Option<rayon::ThreadPool>>>,
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
        let start = || {
            // The thread that explores is one of them.
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.count - 1);
            pool.thread_name(|n| format!("explore-{n}")).stack_size(STACK).build().ok()
        };
        self.count > 1 && self.pool.get_or_init(start).is_some()
    }

    /// Calls `work` once for each item, with the number of the thread that does it. Each thread takes the
    /// next item when it has finished one.
    pub(crate) fn each(&self, items: usize, work: impl Fn(usize, usize) + Sync) {
        let next = AtomicUsize::new(0);
        let take = |thread| {
            loop {
                let item = next.fetch_add(1, Ordering::Relaxed);
                if item >= items {
                    break;
                }
                work(thread, item);
            }
        };
        if items > 1 { self.on_each(take) } else { take(0) }
    }

    /// Calls `work` once on each thread, with the number of the thread.
    pub(crate) fn on_each(&self, work: impl Fn(usize) + Sync) {
        match self.pool.get().and_then(Option::as_ref) {
            Some(pool) => pool.in_place_scope(|scope| {
                scope.spawn_broadcast(|_, context| work(context.index() + 1));
                work(0);
            }),
            None => work(0),
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
