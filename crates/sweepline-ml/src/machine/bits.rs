//! Bit operations: on words of any size, and on integers of any length in two's complement.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::core::ExnId;
use crate::prim::Prim;

use super::heap::MOST_DIGITS;
use super::layout::Word;
use super::prims::Context;
use super::raised::Stop;

/// A mask of `bits` ones.
pub(super) fn low_bits(bits: u32) -> Word {
    if bits < 64 { (1 << bits) - 1 } else { Word::MAX }
}

impl Context<'_> {
    pub(super) fn large_bits(&mut self, op: Prim, args: &[Word]) -> Result<Word, Stop> {
        let a = self.heap.big(args[if op == Prim::WordOfIntInf { 1 } else { 0 }]);
        self.charge((a.bits() / 64) as usize)?;
        match op {
            Prim::WordOfIntInf => {
                let modulus = BigInt::from(1) << 64;
                let low = a.mod_floor(&modulus);
                Ok(low.to_u64().unwrap_or(0) & low_bits(args[0] as u32))
            }
            Prim::IntInfToInt32 => match a.to_i32() {
                Some(value) => Ok(i64::from(value) as Word),
                None => Err(ExnId::OVERFLOW.into()),
            },
            Prim::IntInfLog2 => match a.is_positive() {
                true => self.int(a.bits() - 1),
                false => Err(ExnId::DOMAIN.into()),
            },
            Prim::IntInfShiftLeft => {
                let fits = a.bits().saturating_add(args[1]) <= MOST_DIGITS as u64 * 64;
                if !fits && !a.is_zero() {
                    return Err(Stop::Number);
                }
                let by = if a.is_zero() { 0 } else { args[1] };
                self.charge((by / 64) as usize)?;
                self.heap.store(&(a << by))
            }
            // A shift beyond the length of the number leaves only the sign.
            Prim::IntInfShiftRight => self.heap.store(&(&a >> args[1].min(a.bits() + 1))),
            _ => {
                let b = self.heap.big(args[1]);
                self.charge((b.bits() / 64) as usize)?;
                self.heap.store(&match op {
                    Prim::IntInfAnd => a & b,
                    Prim::IntInfOr => a | b,
                    _ => a ^ b,
                })
            }
        }
    }
}
