//! Measures given as Rust closures.

use super::{Progress, Value};
use crate::model::{Model, ModelError};

/// A measure computed by a closure; made by [`by`] and [`by_vector`].
#[derive(Clone, Copy, Debug)]
pub struct Function<F> {
    measure: F,
    columns: usize,
}

/// The measure `f`, a single number.
///
/// ```
/// # use sweepline::progress;
/// # struct State { sent: u32, received: u32 }
/// let measure = progress::by(|s: &State| i64::from(s.sent + s.received));
/// ```
pub fn by<S>(f: impl Fn(&S) -> i64 + Sync) -> Function<impl Fn(&S, &mut Value) + Sync> {
    Function { measure: move |state: &S, value: &mut Value| value.push(f(state)), columns: 0 }
}

/// A vector measure of `N` components, swept in lexicographic order, of which the first `columns`
/// are meant to be monotone (see [`Progress::columns`]).
///
/// # Panics
///
/// When `columns` exceeds `N`.
pub fn by_vector<S, const N: usize>(
    columns: usize,
    f: impl Fn(&S) -> [i64; N] + Sync,
) -> Function<impl Fn(&S, &mut Value) + Sync> {
    assert!(columns <= N, "{columns} monotone components of {N}");
    let measure =
        move |state: &S, value: &mut Value| f(state).into_iter().for_each(|c| value.push(c));
    Function { measure, columns }
}

impl<M: Model, F: Fn(&M::State, &mut Value) + Sync> Progress<M> for Function<F> {
    fn columns(&self) -> usize {
        self.columns
    }

    fn measure(
        &self,
        _worker: &mut M::Worker,
        state: &M::State,
        value: &mut Value,
    ) -> Result<(), ModelError> {
        (self.measure)(state, value);
        Ok(())
    }
}
