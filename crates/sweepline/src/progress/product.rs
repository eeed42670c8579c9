//! The measure of a system put together from those of its parts.

use super::{Progress, Value};
use crate::model::{Computed, Model};

/// A number that some part of a state has.
type Part<'a, S> = Box<dyn Fn(&S) -> i64 + Send + Sync + 'a>;

/// The measures of the parts of a system, composed: those that no step lowers as the column, all others
/// within (the compositional method of Kristensen and Mailund).
///
/// The parts may be anything that a state consists of: processes, nodes of a network, queues. A part that
/// is called monotone and is not costs sweeps, never an answer.
///
/// Of each kind the numbers are added up. Sums order the layers as the product of the parts' orders wants
/// it, and there are few of them.
///
/// ```
/// use sweepline::progress::Product;
/// use sweepline::{Check, System};
///
/// /// A foreman hands out jobs; workers are busy or idle.
/// struct Workshop;
///
/// impl System for Workshop {
///     type State = (u32, [bool; 3]); // jobs handed out, who is busy
///     type Action = usize;
///     # fn initial(&self) -> Vec<Self::State> {
///     #     vec![(0, [false; 3])]
///     # }
///     # fn successors(&self, &(jobs, busy): &Self::State, push: &mut dyn FnMut(usize, (u32, [bool; 3]))) {
///     #     for worker in 0..3 {
///     #         let mut next = busy;
///     #         next[worker] = !busy[worker];
///     #         if busy[worker] {
///     #             push(worker, (jobs, next));
///     #         } else if jobs < 1000 {
///     #             push(worker, (jobs + 1, next));
///     #         }
///     #     }
///     # }
///     // …
/// }
///
/// let measure = (0..3).fold(
///     Product::new().monotone(|&(jobs, _): &(u32, [bool; 3])| i64::from(jobs)),
///     |measure, worker| measure.free(move |(_, busy)| i64::from(busy[worker])),
/// );
/// let report = Check::new(&Workshop).progress(measure).deadlock().run();
/// assert!(report.statistics.peak_states < 20);
/// ```
pub struct Product<'a, S> {
    monotone: Vec<Part<'a, S>>,
    free: Vec<Part<'a, S>>,
}

impl<S> Default for Product<'_, S> {
    fn default() -> Self {
        Product { monotone: Vec::new(), free: Vec::new() }
    }
}

impl<'a, S> Product<'a, S> {
    /// The measure of a system without parts: all states are alike.
    pub fn new() -> Self {
        Product::default()
    }

    /// Adds a part whose measure no step is meant to lower.
    #[must_use]
    pub fn monotone(mut self, measure: impl Fn(&S) -> i64 + Send + Sync + 'a) -> Self {
        self.monotone.push(Box::new(measure));
        self
    }

    /// Adds a part whose measure some steps may lower.
    #[must_use]
    pub fn free(mut self, measure: impl Fn(&S) -> i64 + Send + Sync + 'a) -> Self {
        self.free.push(Box::new(measure));
        self
    }
}

impl<M: Model> Progress<M> for Product<'_, M::State> {
    fn name(&self) -> String {
        format!("the measures of {} parts", self.monotone.len() + self.free.len())
    }

    fn columns(&self) -> usize {
        usize::from(!self.monotone.is_empty())
    }

    fn is_trivial(&self) -> bool {
        self.monotone.is_empty() && self.free.is_empty()
    }

    fn measure(&self, _worker: &mut M::Worker, state: &M::State, value: &mut Value) -> Computed {
        for parts in [&self.monotone, &self.free] {
            if !parts.is_empty() {
                value.push_wide(parts.iter().map(|part| i128::from(part(state))).sum());
            }
        }
        Ok(())
    }
}
