//! Model time: conversion between time values of the machine and time stamps of markings.

use num_traits::ToPrimitive;
use sweepline_ml::{Machine, TimeType, Word};

use crate::explore::error::SuccessorError;
use crate::explore::marking::Stamp;

/// The type of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock(pub(crate) TimeType);

impl Clock {
    /// The time stamp of a word of the time type.
    pub(crate) fn stamp(self, machine: &Machine, word: Word) -> Result<Stamp, SuccessorError> {
        match self.0 {
            TimeType::Int => Ok(Machine::to_int(word)),
            TimeType::IntInf => machine.int_inf(word).to_i64().ok_or(SuccessorError::TimeTooLarge),
            TimeType::Real => {
                let time = f64::from_bits(word);
                if time.is_finite() {
                    Ok(from_real(time))
                } else {
                    Err(SuccessorError::TimeTooLarge)
                }
            }
        }
    }

    /// The word of a time stamp.
    pub(crate) fn word(self, machine: &mut Machine, stamp: Stamp) -> Result<Word, SuccessorError> {
        match self.0 {
            TimeType::Int => Ok(Machine::from_int(stamp)),
            TimeType::IntInf => {
                let word = machine.memory().int_inf(stamp);
                Ok(word.map_err(|halt| machine.halted(halt))?)
            }
            TimeType::Real => Ok(to_real(stamp).to_bits()),
        }
    }

    /// The time stamp of an integer.
    pub(crate) fn units(self, count: i64) -> Stamp {
        if self.0 == TimeType::Real { from_real(count as f64) } else { count }
    }

    /// A time stamp plus a delay.
    pub(crate) fn later(self, stamp: Stamp, delay: Stamp) -> Result<Stamp, SuccessorError> {
        if self.0 != TimeType::Real {
            return stamp.checked_add(delay).ok_or(SuccessorError::TimeTooLarge);
        }
        let sum = to_real(stamp) + to_real(delay);
        if sum.is_finite() { Ok(from_real(sum)) } else { Err(SuccessorError::TimeTooLarge) }
    }

    /// A time stamp minus `lead`.
    pub(crate) fn earlier(self, stamp: Stamp, lead: Stamp) -> Stamp {
        match self.0 {
            TimeType::Real => from_real(to_real(stamp) - to_real(lead)),
            _ => stamp.saturating_sub(lead),
        }
    }

    /// A time stamp as text.
    pub(crate) fn show(self, stamp: Stamp) -> String {
        let text = if self.0 == TimeType::Real {
            format!("{:?}", to_real(stamp))
        } else {
            stamp.to_string()
        };
        text.replace('-', "~")
    }
}

/// A real number as an integer, in the same order.
fn from_real(time: f64) -> Stamp {
    // Normalises ~0.0 to 0.0.
    let bits = (time + 0.0).to_bits() as i64;
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

pub(crate) fn to_real(stamp: Stamp) -> f64 {
    let bits = if stamp < 0 { stamp ^ i64::MAX } else { stamp };
    f64::from_bits(bits as u64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn stamps_of_real_times_keep_their_order(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(a.is_finite() && b.is_finite());
            prop_assert_eq!(to_real(from_real(a)), a);
            prop_assert_eq!(from_real(a) < from_real(b), a < b);
            prop_assert_eq!(from_real(a) == from_real(b), a == b);
        }
    }
}
