//! Integer expressions over a marking, in the form of a weighted sum of token counts and a constant.

use num_integer::gcd;

use crate::names::{PlaceId, TransitionId};

/// The part of a state that expressions can refer to.
pub trait MarkingView {
    /// The tokens in a place.
    fn tokens(&self, place: PlaceId) -> u64;
    /// Whether the transition is enabled.
    fn fireable(&self, transition: TransitionId) -> bool;
    /// Whether no transition is enabled.
    fn deadlock(&self) -> bool;
}

/// The coefficients of an expression stay below this in total, so that the value of every
/// expression on every marking fits `i128`: `2^62 * 2^64 + 2^100 < 2^127`.
const MAX_COEFFICIENTS: u128 = 1 << 62;

/// Constants stay below this.
const MAX_CONSTANT: i128 = 1 << 100;

/// The numbers are too large for exact evaluation.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("numbers too large for exact arithmetic")]
pub struct TooLarge;

/// Why an expression is not the product of two others.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProductError {
    /// Both depend on the marking.
    #[error("a product of two token counts is not linear")]
    NotLinear,
    /// The numbers are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// A weighted sum of token counts: each place once, in order, no coefficient zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    terms: Vec<(i64, PlaceId)>,
    signs: Signs,
}

/// The signs of the coefficients of a [`Linear`], computed once for fast evaluation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Signs {
    #[default]
    Positive,
    Negative,
    Mixed,
}

impl Linear {
    /// The places with a non-zero coefficient, and the coefficients.
    pub fn terms(&self) -> &[(i64, PlaceId)] {
        &self.terms
    }

    /// The value on a marking. Exact: it cannot overflow.
    pub fn value(&self, marking: &impl MarkingView) -> i128 {
        let term = |&(c, place): &(i64, PlaceId)| i128::from(c) * i128::from(marking.tokens(place));
        self.terms.iter().map(term).sum()
    }

    /// The greatest divisor of all coefficients, 0 without terms.
    pub(crate) fn divisor(&self) -> u64 {
        self.terms.iter().fold(0, |divisor, &(c, _)| gcd(divisor, c.unsigned_abs()))
    }

    pub(crate) fn map(&self, f: impl Fn(i64) -> i64) -> Self {
        Self::of_merged(self.terms.iter().map(|&(c, place)| (f(c), place)).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub(crate) fn signs(&self) -> Signs {
        self.signs
    }

    fn of_merged(terms: Vec<(i64, PlaceId)>) -> Self {
        let signs = if terms.iter().all(|&(c, _)| c > 0) {
            Signs::Positive
        } else if terms.iter().all(|&(c, _)| c < 0) {
            Signs::Negative
        } else {
            Signs::Mixed
        };
        Self { terms, signs }
    }

    /// Collects terms that need be neither sorted nor unique.
    fn collect(terms: impl Iterator<Item = (i64, PlaceId)>) -> Result<Self, TooLarge> {
        let mut terms: Vec<(i64, PlaceId)> = terms.collect();
        terms.sort_by_key(|&(_, place)| place);
        let mut merged: Vec<(i64, PlaceId)> = Vec::with_capacity(terms.len());
        for (coefficient, place) in terms {
            match merged.last_mut().filter(|(_, last)| *last == place) {
                Some((sum, _)) => *sum = sum.checked_add(coefficient).ok_or(TooLarge)?,
                None => merged.push((coefficient, place)),
            }
        }
        merged.retain(|&(coefficient, _)| coefficient != 0);
        let total: u128 = merged.iter().map(|&(c, _)| u128::from(c.unsigned_abs())).sum();
        match total < MAX_COEFFICIENTS {
            true => Ok(Self::of_merged(merged)),
            false => Err(TooLarge),
        }
    }
}

/// An integer expression: a [`Linear`] sum plus a constant.
///
/// ```
/// use sweepline_query::{Expr, PlaceId};
///
/// let sent = Expr::tokens([PlaceId(0)]);
/// let acked = Expr::tokens([PlaceId(1)]);
/// let progress = sent.times(2)?.plus(&acked)?;
/// assert_eq!(progress.sum().terms(), [(2, PlaceId(0)), (1, PlaceId(1))]);
/// # Ok::<(), sweepline_query::TooLarge>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Expr {
    sum: Linear,
    constant: i128,
}

impl Expr {
    /// A number.
    ///
    /// # Errors
    /// When it has more than 100 bits.
    pub fn constant(value: i128) -> Result<Self, TooLarge> {
        match value.unsigned_abs() < MAX_CONSTANT.unsigned_abs() {
            true => Ok(Self { sum: Linear::default(), constant: value }),
            false => Err(TooLarge),
        }
    }

    /// The total tokens of some places; a place named twice counts twice.
    pub fn tokens(places: impl IntoIterator<Item = PlaceId>) -> Self {
        // The coefficients exceed 2^62 only for more places than fit any memory.
        let sum = Linear::collect(places.into_iter().map(|place| (1, place))).unwrap_or_default();
        Self { sum, constant: 0 }
    }

    /// The sum of places, given by their indices, each times its weight; `None` if the numbers are too large.
    pub fn weighted(terms: &[(usize, i64)]) -> Option<Self> {
        let term = |&(place, weight): &(usize, i64)| {
            Self::tokens([PlaceId(u32::try_from(place).ok()?)]).times(weight.into()).ok()
        };
        let terms = terms.iter().map(term).collect::<Option<Vec<Expr>>>()?;
        Self::total(&terms).ok()
    }

    /// The part that depends on the marking.
    pub fn sum(&self) -> &Linear {
        &self.sum
    }

    /// The constant part.
    pub fn offset(&self) -> i128 {
        self.constant
    }

    /// The value, if it does not depend on the marking.
    pub fn as_constant(&self) -> Option<i128> {
        self.sum.is_empty().then_some(self.constant)
    }

    /// The value on a marking. Exact: it cannot overflow.
    pub fn value(&self, marking: &impl MarkingView) -> i128 {
        self.sum.value(marking) + self.constant
    }

    /// This plus another.
    ///
    /// # Errors
    /// When the numbers are too large to evaluate exactly.
    pub fn plus(&self, other: &Self) -> Result<Self, TooLarge> {
        let terms = self.sum.terms.iter().chain(&other.sum.terms).copied();
        let sum = Linear::collect(terms)?;
        let constant = Self::constant(self.constant + other.constant)?.constant;
        Ok(Self { sum, constant })
    }

    /// This minus another.
    ///
    /// # Errors
    /// When the numbers are too large to evaluate exactly.
    pub fn minus(&self, other: &Self) -> Result<Self, TooLarge> {
        self.plus(&other.negated())
    }

    /// The sum of many, in one pass.
    ///
    /// # Errors
    /// When the numbers are too large to evaluate exactly.
    pub fn total<'e>(parts: impl IntoIterator<Item = &'e Self>) -> Result<Self, TooLarge> {
        let mut terms = Vec::new();
        let mut constant = Self::default();
        for part in parts {
            terms.extend_from_slice(&part.sum.terms);
            constant = Self::constant(constant.constant + part.constant)?;
        }
        Ok(Self { sum: Linear::collect(terms.into_iter())?, constant: constant.constant })
    }

    /// This with the opposite sign.
    pub fn negated(&self) -> Self {
        Self { sum: self.sum.map(|c| -c), constant: -self.constant }
    }

    /// This times a number.
    ///
    /// # Errors
    /// When the numbers are too large to evaluate exactly.
    pub fn times(&self, factor: i128) -> Result<Self, TooLarge> {
        let scale = |&(c, place): &(i64, PlaceId)| {
            let product = i128::from(c).checked_mul(factor).ok_or(TooLarge)?;
            Ok((i64::try_from(product).map_err(|_| TooLarge)?, place))
        };
        let terms = self.sum.terms.iter().map(scale).collect::<Result<Vec<_>, _>>()?;
        let constant = self.constant.checked_mul(factor).ok_or(TooLarge)?;
        let constant = Self::constant(constant)?.constant;
        Ok(Self { sum: Linear::collect(terms.into_iter())?, constant })
    }

    /// This times another, one of which must be a number.
    ///
    /// # Errors
    /// When both depend on the marking, or the numbers are too large.
    pub fn product(&self, other: &Self) -> Result<Self, ProductError> {
        match (self.as_constant(), other.as_constant()) {
            (_, Some(factor)) => Ok(self.times(factor)?),
            (Some(factor), None) => Ok(other.times(factor)?),
            (None, None) => Err(ProductError::NotLinear),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::*;

    #[test]
    fn sums_are_kept_in_one_form() {
        let [p, q] = [PlaceId(0), PlaceId(1)];
        let expr = Expr::tokens([q, p, q]);
        assert_eq!(expr.sum().terms(), [(1, p), (2, q)]);
        let zero = expr.minus(&expr).unwrap();
        assert_eq!(zero.as_constant(), Some(0));
        assert_eq!(expr.times(0).unwrap().as_constant(), Some(0));
        assert_eq!(expr.product(&expr), Err(ProductError::NotLinear));
        let weighted = Expr::weighted(&[(1, 2), (0, -1)]).unwrap();
        assert_eq!(weighted.sum().terms(), [(-1, p), (2, q)]);
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let p = Expr::tokens([PlaceId(0)]);
        assert!(p.times(1 << 61).is_ok());
        assert_eq!(p.times(1 << 62), Err(TooLarge));
        assert_eq!(p.times(i128::MIN), Err(TooLarge));
        assert_eq!(Expr::constant(1 << 100), Err(TooLarge));
        let near = Expr::constant((1 << 100) - 1).unwrap();
        assert_eq!(near.plus(&near), Err(TooLarge));
        assert_eq!(near.times(i128::MAX), Err(TooLarge));
    }
}
