//! Numbers and conditions over the fields of a state, in a form that an engine can compile.

use std::sync::Arc;

use super::{Field, TransitionSystem};

/// A number of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// The number in a field.
    Field(Field),
    /// 1 if the field has this number, else 0.
    Equals(Field, u64),
    /// The entry of a list at the number in the field; 0 behind its end.
    Lookup(Field, Arc<[i64]>),
}

impl Term {
    /// The number.
    pub fn value(&self, words: &[u64]) -> i128 {
        match self {
            Term::Field(field) => field.get(words).into(),
            Term::Equals(field, number) => (field.get(words) == *number).into(),
            Term::Lookup(field, list) => {
                let entry = usize::try_from(field.get(words)).ok().and_then(|at| list.get(at));
                entry.copied().unwrap_or(0).into()
            }
        }
    }

    /// The least and the greatest number that the fields allow.
    fn range(&self) -> (i128, i128) {
        match self {
            Term::Field(field) => (0, field.most.into()),
            Term::Equals(..) => (0, 1),
            Term::Lookup(_, list) => {
                let least = list.iter().copied().min().unwrap_or(0).min(0);
                let greatest = list.iter().copied().max().unwrap_or(0).max(0);
                (least.into(), greatest.into())
            }
        }
    }
}

/// A weighted sum of terms and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// The terms with their weights.
    pub terms: Vec<(i64, Term)>,
    /// The constant.
    pub offset: i128,
}

/// Sums are less than this, so that engines can compute them in 64 bits with some to spare.
const MOST: i128 = 1 << 61;

impl Sum {
    /// The value.
    pub fn value(&self, words: &[u64]) -> i128 {
        let terms = self.terms.iter().map(|(weight, term)| i128::from(*weight) * term.value(words));
        terms.sum::<i128>() + self.offset
    }

    /// The least and the greatest value that the fields allow; `None` if some partial sum may reach 2^61.
    pub fn range(&self) -> Option<(i128, i128)> {
        let (mut least, mut greatest) = (self.offset, self.offset);
        let mut size = self.offset.checked_abs()?;
        for (weight, term) in &self.terms {
            let weight = i128::from(*weight);
            let (low, high) = term.range();
            let (one, other) = (weight.checked_mul(low)?, weight.checked_mul(high)?);
            least = least.checked_add(one.min(other))?;
            greatest = greatest.checked_add(one.max(other))?;
            size = size.checked_add(one.checked_abs()?.max(other.checked_abs()?))?;
        }
        (size < MOST).then_some((least, greatest))
    }

    /// Adds `weight` times `other`; `None` if the numbers are too large.
    #[must_use]
    pub fn plus(mut self, weight: i64, other: &Sum) -> Option<Self> {
        for (own, term) in &other.terms {
            self.terms.push((own.checked_mul(weight)?, term.clone()));
        }
        self.offset = self.offset.checked_add(other.offset.checked_mul(weight.into())?)?;
        Some(self)
    }
}

/// A condition on states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// True or false.
    Constant(bool),
    /// The sum is at most the number.
    AtMost(Sum, i128),
    /// The sum is the number.
    Equal(Sum, i128),
    /// Some of these transitions are enabled.
    Enabled(Vec<u32>),
    /// No transition is enabled, and the model has not terminated: see [`holds`](Condition::holds).
    Dead,
    /// The condition does not hold.
    Not(Box<Condition>),
    /// All hold.
    All(Vec<Condition>),
    /// One holds.
    Any(Vec<Condition>),
}

impl Condition {
    /// The negation.
    #[must_use]
    pub fn negated(self) -> Self {
        Condition::Not(Box::new(self))
    }

    /// Whether a state of `system` satisfies it. A state in which no transition is enabled is dead unless it
    /// satisfies `terminated`.
    pub fn holds(&self, system: &TransitionSystem, terminated: &Condition, words: &[u64]) -> bool {
        let holds = |part: &Condition| part.holds(system, terminated, words);
        match self {
            Condition::Constant(value) => *value,
            Condition::AtMost(sum, most) => sum.value(words) <= *most,
            Condition::Equal(sum, number) => sum.value(words) == *number,
            Condition::Enabled(transitions) => {
                transitions.iter().any(|&transition| system.is_enabled(transition, words))
            }
            Condition::Dead => {
                let mut enabled = false;
                system.enabled(words, |_| enabled = true);
                !enabled && !holds(terminated)
            }
            Condition::Not(part) => !holds(part),
            Condition::All(parts) => parts.iter().all(holds),
            Condition::Any(parts) => parts.iter().any(holds),
        }
    }
}
