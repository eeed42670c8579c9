//! Progress measures: the order in which a sweep visits states, and when it drops them.

mod features;
#[cfg(feature = "fit")]
mod fit;
mod function;
mod product;
mod trivial;

use std::fmt;
use std::ops::Deref;

use smallvec::SmallVec;

use crate::model::{Computed, Model};

pub use features::{Effect, Features, Linear};
#[cfg(feature = "fit")]
pub use fit::{Candidate, Effort, Fit, Forecast, Given, Judge, Monotonicity, Scope, Trial, fit};
pub use function::{Components, Function, by};
pub use product::Product;
pub use trivial::Trivial;

/// Stands for a component that does not fit 64 bits.
const TOO_LARGE: i64 = i64::MIN;

/// The progress of a state: a vector of integers, one for each component of the measure.
///
/// Two orders live on it. [`precedes`](Value::precedes) is the partial order of the method, component
/// by component; it defines what a *monotone* measure is. `Ord` is lexicographic, a linear extension
/// of the partial order; it is the order in which layers are swept and stored.
///
/// ```
/// use sweepline::Value;
/// let (a, b) = (Value::from([1, 5]), Value::from([2, 3]));
/// assert!(a < b);             // swept first
/// assert!(!a.precedes(&b));   // though neither is further than the other
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(SmallVec<[i64; 2]>);

impl Value {
    /// Component by component, `self` is at most `other`.
    pub fn precedes(&self, other: &Value) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a <= b)
    }

    /// How far apart two values are: the difference of the first components in which they differ.
    ///
    /// Along the order of layers it only grows, so what is within a distance of the line is a run of
    /// layers next to it.
    ///
    /// ```
    /// use sweepline::Value;
    /// assert_eq!(Value::from([1, 5]).distance(&Value::from([1, 2])), 3);
    /// assert_eq!(Value::from([1, 5]).distance(&Value::from([2, 5])), 1);
    /// ```
    pub fn distance(&self, other: &Value) -> u64 {
        let different = self.0.iter().zip(&other.0).find(|(a, b)| a != b);
        different.map_or(0, |(a, b)| a.abs_diff(*b))
    }

    /// The components.
    #[inline]
    pub fn components(&self) -> &[i64] {
        &self.0
    }

    /// Appends a component.
    pub fn push(&mut self, component: i64) {
        self.0.push(component);
    }

    /// Appends a component that may not fit 64 bits. An exploration stops at a value that does not.
    pub fn push_wide(&mut self, component: i128) {
        self.push(i64::try_from(component).unwrap_or(TOO_LARGE));
    }

    /// Every component fits 64 bits.
    #[inline]
    pub(crate) fn is_exact(&self) -> bool {
        !self.0.contains(&TOO_LARGE)
    }

    /// How this, the progress of a successor, lies to that of its source.
    pub(crate) fn step_from(&self, source: &Value) -> Step {
        let (mut here, mut there) = (self.0.iter(), source.0.iter());
        loop {
            match (here.next(), there.next()) {
                (Some(&TOO_LARGE), _) => return Step::TooLarge,
                (Some(here), Some(there)) if here == there => {}
                (None, None) => return Step::Same,
                _ if self.0.contains(&TOO_LARGE) => return Step::TooLarge,
                (here, there) if here < there => return Step::Back,
                _ => return Step::Forward,
            }
        }
    }

    /// Makes this the value with no components, keeping its allocation.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The least value there can be in the column of this one.
    pub(crate) fn column_start(&self, columns: usize) -> Value {
        let mut start = self.clone();
        start.0[columns..].fill(i64::MIN);
        start
    }

    /// Both values lie in the same column: they agree on the first `columns` components.
    pub(crate) fn same_column(&self, other: &Value, columns: usize) -> bool {
        self.0[..columns] == other.0[..columns]
    }
}

/// How the progress of a successor lies to that of its source.
pub(crate) enum Step {
    Same,
    Forward,
    Back,
    /// It does not fit.
    TooLarge,
}

impl<const N: usize> From<[i64; N]> for Value {
    fn from(components: [i64; N]) -> Self {
        Value(SmallVec::from_slice(&components))
    }
}

impl FromIterator<i64> for Value {
    fn from_iter<I: IntoIterator<Item = i64>>(components: I) -> Self {
        Value(components.into_iter().collect())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => f.write_str("-"),
            [single] => write!(f, "{single}"),
            several => {
                f.write_str("(")?;
                for (i, component) in several.iter().enumerate() {
                    write!(f, "{}{component}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A progress measure.
///
/// # Laws
///
/// * `measure` pushes the same number of components for every state.
/// * `measure` is a function of the state alone.
/// * `measure_step` gives what `measure` gives for the target.
/// * No component is `i64::MIN`, which stands for [a number that does not fit](Value::push_wide).
///
/// Monotonicity is *not* a law: the progress of both ends of every edge is compared. A regress edge, one that
/// decreases progress, may cost a further sweep, never a wrong answer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a progress measure of `{M}`",
    label = "not a progress measure",
    note = "write `progress::by(|state: &State| ...)`, with the type of the model's states; the closure must be `Sync`"
)]
pub trait Progress<M: Model>: Sync {
    /// The name that reports show.
    fn name(&self) -> String {
        "the given measure".into()
    }

    /// How many leading components are meant to be monotone.
    ///
    /// States that agree on them form a column. Columns are swept one after the other, and what had
    /// to be kept to finish a column is dropped with it (the compositional method).
    fn columns(&self) -> usize {
        0
    }

    /// Pushes the components of the progress of `state` onto the empty `value`.
    ///
    /// # Errors
    ///
    /// When it cannot be computed.
    fn measure(&self, worker: &mut M::Worker, state: &M::State, value: &mut Value) -> Computed;

    /// The same for the target of an edge, whose source has progress `from`. Override it where the
    /// difference is cheaper than the value.
    ///
    /// # Errors
    ///
    /// When it cannot be computed.
    fn measure_step(
        &self,
        worker: &mut M::Worker,
        from: &Value,
        action: &M::Action,
        target: &M::State,
        value: &mut Value,
    ) -> Computed {
        let _ = (from, action);
        self.measure(worker, target, value)
    }

    /// Every state has the same progress; lets the loop skip measuring altogether.
    fn is_trivial(&self) -> bool {
        false
    }
}

/// What leads to a measure is one: a reference, a box.
impl<M: Model, P: Deref<Target: Progress<M>> + Sync> Progress<M> for P {
    fn name(&self) -> String {
        (**self).name()
    }

    fn columns(&self) -> usize {
        (**self).columns()
    }

    fn measure(&self, worker: &mut M::Worker, state: &M::State, value: &mut Value) -> Computed {
        (**self).measure(worker, state, value)
    }

    fn measure_step(
        &self,
        worker: &mut M::Worker,
        from: &Value,
        action: &M::Action,
        target: &M::State,
        value: &mut Value,
    ) -> Computed {
        (**self).measure_step(worker, from, action, target, value)
    }

    fn is_trivial(&self) -> bool {
        (**self).is_trivial()
    }
}
