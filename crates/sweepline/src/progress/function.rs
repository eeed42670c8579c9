//! Measures given as Rust closures.

use super::{Progress, Value};
use crate::model::{Computed, Model};

/// What a measure may give: an integer, or a tuple or array of integers, swept in lexicographic order.
///
/// An exploration stops with an error at an integer that does not fit 64 bits with a sign.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a progress value",
    label = "not a progress value",
    note = "a measure gives an integer of at most 64 bits, or a tuple of up to four or an array of them"
)]
pub trait Components {
    /// How many integers there are.
    const COUNT: usize;

    /// Appends them to `value`.
    fn push_onto(self, value: &mut Value);
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Components for $integer {
            const COUNT: usize = 1;

            #[inline]
            fn push_onto(self, value: &mut Value) {
                value.push_wide(self as i128);
            }
        }
    )*};
}

integers!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<C: Components, const N: usize> Components for [C; N] {
    const COUNT: usize = N * C::COUNT;

    #[inline]
    fn push_onto(self, value: &mut Value) {
        self.into_iter().for_each(|component| component.push_onto(value));
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Components),*> Components for ($($name,)*) {
            const COUNT: usize = 0 $(+ $name::COUNT)*;

            #[inline]
            #[allow(non_snake_case, reason = "a component is named as its type")]
            fn push_onto(self, value: &mut Value) {
                let ($($name,)*) = self;
                $($name.push_onto(value);)*
            }
        }
    )*};
}

tuples!((A)(A B)(A B C)(A B C D));

/// A measure computed by a closure; made by [`by`].
#[derive(Clone, Debug)]
pub struct Function<F> {
    measure: F,
    components: usize,
    columns: usize,
    name: String,
}

/// The measure `f`: a number, or a tuple or array of numbers of which the first matters most.
///
/// ```
/// # use sweepline::progress;
/// # struct State { sent: u32, received: u8 }
/// let sum = progress::by(|s: &State| s.sent + u32::from(s.received));
/// let pair = progress::by(|s: &State| (s.sent, s.received)).named("sent, then received");
/// ```
pub fn by<S, C: Components>(
    f: impl Fn(&S) -> C + Sync,
) -> Function<impl Fn(&S, &mut Value) + Sync> {
    Function {
        measure: move |state: &S, value: &mut Value| f(state).push_onto(value),
        components: C::COUNT,
        columns: 0,
        name: "the given measure".into(),
    }
}

impl<F> Function<F> {
    /// Sweeps the states that agree on the first `columns` numbers together, before all others. They are meant
    /// to be monotone: see [`Progress::columns`].
    ///
    /// ```
    /// # use sweepline::progress;
    /// # struct State { round: u32, acknowledged: u8 }
    /// let measure = progress::by(|s: &State| (s.round, s.acknowledged)).columns(1);
    /// ```
    ///
    /// # Panics
    ///
    /// When the measure has fewer numbers.
    #[must_use]
    #[track_caller]
    pub fn columns(mut self, columns: usize) -> Self {
        let count = self.components;
        assert!(columns <= count, "`columns({columns})` of a measure that gives {count} numbers");
        self.columns = columns;
        self
    }

    /// The name that reports show (default: "the given measure").
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

impl<M: Model, F: Fn(&M::State, &mut Value) + Sync> Progress<M> for Function<F> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn measure(&self, _worker: &mut M::Worker, state: &M::State, value: &mut Value) -> Computed {
        (self.measure)(state, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(components: impl Components) -> Value {
        let mut value = Value::default();
        components.push_onto(&mut value);
        value
    }

    #[test]
    fn integers_tuples_and_arrays_are_values() {
        assert_eq!(value(-3i8), Value::from([-3]));
        assert_eq!(value((true, 2u64, 3usize, -4i16)), Value::from([1, 2, 3, -4]));
        assert_eq!(value(([1u8, 2], 3i64)), Value::from([1, 2, 3]));
        assert_eq!(<([u8; 2], i64)>::COUNT, 3);
        assert!(!value(u64::MAX).is_exact());
    }

    #[test]
    #[should_panic(expected = "`columns(3)` of a measure that gives 2 numbers")]
    fn there_are_no_more_columns_than_numbers() {
        let _ = by(|&n: &u32| (n, n)).columns(3);
    }
}
