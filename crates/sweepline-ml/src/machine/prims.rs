//! The primitives that have no instruction of their own.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Pow, Signed, ToPrimitive, Zero};

use crate::core::ExnId;
use crate::prim::{Arith, Prim};

use super::World;
use super::bits::low_bits;
use super::code::{Code, PrimCall};
use super::heap::{Heap, MOST_DIGITS, Number, small_number};
use super::host::{Halt, Memory};
use super::layout::{LayoutId, Word};
use super::raised::Stop;
use super::value::{equal_counted, exn_number, show_exn};

/// The parts of the machine that a primitive may use.
pub(crate) struct Context<'m> {
    pub(crate) code: &'m Code,
    pub(crate) heap: &'m mut Heap,
    pub(crate) world: &'m mut World,
    pub(crate) fuel: &'m mut i64,
    pub(crate) floor: usize,
    pub(crate) dirty: &'m mut Vec<(usize, LayoutId)>,
}

type Answer = Result<Word, Stop>;

const NO_STATE: Stop =
    Stop::Refused("a marking", "use it only in properties and progress measures");

impl Context<'_> {
    pub(crate) fn prim(&mut self, call: PrimCall, args: &[Word]) -> Answer {
        use Prim as P;
        match call.op {
            P::Equal | P::NotEqual => {
                let same = self.equal(call.layout, args[0], args[1])?;
                Ok(Word::from(same == (call.op == P::Equal)))
            }
            P::ListAppend => self.append(args[0], args[1]),
            P::ListReverse => self.reverse(args[0]),
            P::ListLength => {
                let count = self.heap.list(args[0]).count();
                self.charge(count / 8)?;
                Ok(count as Word)
            }
            P::Repeat => self.repeat(args[0] as i64, args[1]),
            P::MultiSetSubtract => self.subtract(call.layout, args[0], args[1]),
            P::MultiSetEqual => {
                let contained = self.without(call.layout, args[0], args[1])?;
                Ok(Word::from(contained.is_some_and(|rest| rest.is_empty())))
            }
            P::MultiSetContained => {
                Ok(Word::from(self.without(call.layout, args[1], args[0])?.is_some()))
            }
            P::MultiSetCount => self.count(call.layout, args[0], args[1], usize::MAX),
            P::ListMember => self.count(call.layout, args[1], args[0], 1),
            P::ArrayMake | P::ArrayFromList | P::ArrayLength | P::ArraySub | P::ArrayUpdate => {
                self.array(call, args)
            }
            P::ModelTime => Ok(self.world.time),
            P::Step => Ok(self.world.step),
            P::Instance => Ok(self.world.instance as Word),
            P::State => self.world.state.ok_or(NO_STATE),
            P::Part(part) => self.part(part, args[0]),
            P::ExnName => {
                let number = exn_number(self.code, self.heap, args[0]);
                self.text(&self.code.exceptions[number].name)
            }
            P::ExnMessage => {
                let shown = show_exn(self.code, self.heap, args[0]).1;
                self.charge(shown.len() / 8)?;
                self.text(&shown)
            }
            P::IntInfQuot | P::IntInfRem | P::IntInfPow => self.large_rest(call.op, args),
            P::IntInfAnd
            | P::IntInfOr
            | P::IntInfXor
            | P::IntInfShiftLeft
            | P::IntInfShiftRight
            | P::IntInfLog2
            | P::IntInfToInt32
            | P::WordOfIntInf => self.large_bits(call.op, args),
            _ => match self.number(call.op, args) {
                Some(answer) => answer,
                None => self.text_or_stream(call.op, args),
            },
        }
    }

    fn part(&mut self, part: u32, state: Word) -> Answer {
        let host = self.world.host.clone().ok_or(NO_STATE)?;
        let state = self.heap.bytes(state);
        self.charge(state.len() / 8)?;
        let mut memory = Memory { code: self.code, heap: self.heap };
        host.part(&mut memory, part, &state).map_err(|Halt(stop)| stop)
    }

    /// Consumes fuel for this much work.
    pub(crate) fn charge(&mut self, work: usize) -> Result<(), Stop> {
        *self.fuel -= work as i64;
        if *self.fuel < 0 { Err(Stop::Fuel) } else { Ok(()) }
    }

    /// The most value parts that may still be compared: eight for each unit of fuel.
    fn most_work(&self) -> usize {
        usize::try_from(*self.fuel).unwrap_or(0).saturating_mul(8).saturating_add(8)
    }

    fn equal(&mut self, layout: LayoutId, a: Word, b: Word) -> Result<bool, Stop> {
        let (mut count, most) = (0, self.most_work());
        let same = equal_counted(self.code, self.heap, (layout, a, b), &mut count, most);
        self.charge(count / 8)?;
        Ok(same)
    }

    /// The number of occurrences of a value in a list, up to a bound.
    fn count(&mut self, layout: LayoutId, value: Word, list: Word, most: usize) -> Answer {
        let (mut count, mut found, mut at) = (0, 0, list);
        let most_work = self.most_work();
        while at != 0 && found < most {
            count += 1;
            let head = self.heap.get(at, 0);
            if equal_counted(self.code, self.heap, (layout, value, head), &mut count, most_work) {
                found += 1;
            }
            at = self.heap.get(at, 1);
        }
        self.charge(count / 8)?;
        Ok(found as Word)
    }

    pub(crate) fn int(&self, value: impl TryInto<i64>) -> Answer {
        let high = (1i64 << (self.code.int_bits - 1)) - 1;
        let value = value.try_into().ok().filter(|value| (-high - 1..=high).contains(value));
        value.map(|value| value as Word).ok_or(ExnId::OVERFLOW.into())
    }

    /// A string from text, one byte per character.
    pub(crate) fn text(&mut self, text: &str) -> Answer {
        let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
        self.heap.string(&bytes)
    }

    fn append(&mut self, left: Word, right: Word) -> Answer {
        if right == 0 {
            return Ok(left);
        }
        let count = self.heap.list(left).count();
        self.charge(count / 8)?;
        let list = self.heap.cells(count, right)?;
        let mut from = left as usize;
        for cell in 0..count {
            self.heap.words[list as usize + 2 * cell] = self.heap.words[from];
            from = self.heap.words[from + 1] as usize;
        }
        Ok(list)
    }

    fn reverse(&mut self, list: Word) -> Answer {
        let count = self.heap.list(list).count();
        self.charge(count / 8)?;
        let reversed = self.heap.cells(count, 0)?;
        let mut from = list as usize;
        for cell in (0..count).rev() {
            self.heap.words[reversed as usize + 2 * cell] = self.heap.words[from];
            from = self.heap.words[from + 1] as usize;
        }
        Ok(reversed)
    }

    fn repeat(&mut self, count: i64, word: Word) -> Answer {
        let count = usize::try_from(count).unwrap_or(0);
        self.charge(count / 8)?;
        let list = self.heap.cells(count, 0)?;
        for cell in 0..count {
            self.heap.words[list as usize + 2 * cell] = word;
        }
        Ok(list)
    }

    /// A multi-set minus another, or `None` if it does not contain the other.
    fn without(
        &mut self,
        layout: LayoutId,
        all: Word,
        less: Word,
    ) -> Result<Option<Vec<Word>>, Stop> {
        let mut rest: Vec<Option<Word>> = self.heap.list(all).map(Some).collect();
        let less: Vec<Word> = self.heap.list(less).collect();
        // Both are usually in the same order, so elements already removed at the front are skipped.
        let mut from = 0;
        for word in less {
            let (mut count, most) = (0, self.most_work());
            let found = rest[from..].iter().position(|other| {
                count += 1;
                other.is_some_and(|other| {
                    let values = (layout, other, word);
                    equal_counted(self.code, self.heap, values, &mut count, most)
                })
            });
            self.charge(count / 8 + 1)?;
            let Some(found) = found else { return Ok(None) };
            rest[from + found] = None;
            while rest.get(from) == Some(&None) {
                from += 1;
            }
        }
        Ok(Some(rest.into_iter().flatten().collect()))
    }

    fn subtract(&mut self, layout: LayoutId, all: Word, less: Word) -> Answer {
        match self.without(layout, all, less)? {
            Some(rest) => self.heap.list_from(&rest, 0),
            None => Err(ExnId::SUBTRACT.into()),
        }
    }

    fn array(&mut self, call: PrimCall, args: &[Word]) -> Answer {
        let (op, element) = (call.op, args.get(2).copied().unwrap_or(0));
        let index = |heap: &Heap| {
            let length = heap.get(args[0], 0) as i64;
            let at = args[1] as i64;
            let inside = (0..length).contains(&at);
            if inside { Ok(args[0] as usize + 1 + at as usize) } else { Err(ExnId::SUBSCRIPT) }
        };
        match op {
            Prim::ArrayMake => {
                let length = usize::try_from(args[0] as i64).map_err(|_| ExnId::SIZE)?;
                self.charge(length / 8)?;
                let at = self.heap.reserve(length.saturating_add(1))?;
                self.heap.words[at] = length as Word;
                self.heap.words[at + 1..].fill(args[1]);
                Ok(at as Word)
            }
            Prim::ArrayFromList => {
                let elements: Vec<Word> = self.heap.list(args[0]).collect();
                let at = self.heap.allocate(&[elements.len() as Word])?;
                self.heap.allocate(&elements)?;
                Ok(at)
            }
            Prim::ArrayLength => Ok(self.heap.get(args[0], 0)),
            Prim::ArraySub => Ok(self.heap.words[index(self.heap)?]),
            _ => {
                let cell = index(self.heap)?;
                self.heap.words[cell] = element;
                if cell < self.floor {
                    self.dirty.push((cell, call.layout));
                }
                Ok(0)
            }
        }
    }

    fn large_rest(&mut self, op: Prim, args: &[Word]) -> Answer {
        let a = self.heap.big(args[0]);
        if op == Prim::IntInfPow {
            return self.power(&a, args[1] as i64);
        }
        let b = self.heap.big(args[1]);
        if b.is_zero() {
            return Err(ExnId::DIV.into());
        }
        self.charge((a.bits() / 64 * (b.bits() / 64) / 64 + a.bits() / 64) as usize)?;
        self.heap.store(&if op == Prim::IntInfQuot { a / b } else { a % b })
    }

    fn power(&mut self, base: &BigInt, exponent: i64) -> Answer {
        let one = BigInt::from(1);
        if exponent < 0 {
            return match base.to_i64() {
                Some(0) => Err(ExnId::DIV.into()),
                Some(1) => self.heap.store(&one),
                Some(-1) => self.heap.store(&if exponent % 2 == 0 { one } else { -one }),
                _ => self.heap.store(&BigInt::zero()),
            };
        }
        let bits = base.bits().saturating_sub(1).saturating_mul(exponent as u64);
        if bits > MOST_DIGITS as u64 * 64 {
            return Err(Stop::Number);
        }
        self.charge((bits / 64) as usize)?;
        self.heap.store(&Pow::pow(base, exponent as u64))
    }

    fn to_int(&self, real: f64) -> Answer {
        if real.is_nan() {
            return Err(ExnId::DOMAIN.into());
        }
        // Larger numbers are out of range for an `int` anyway.
        if real.abs() < 9e18 { self.int(real as i64) } else { Err(ExnId::OVERFLOW.into()) }
    }

    /// Primitives on numbers. `None` for other primitives.
    fn number(&mut self, op: Prim, args: &[Word]) -> Option<Answer> {
        use Prim as P;
        let high = (1i64 << (self.code.int_bits - 1)) - 1;
        let a = args[0];
        let real = f64::from_bits(a);
        Some(match op {
            P::IntMin => Ok((-high - 1) as Word),
            P::IntMax => Ok(high as Word),
            P::IntQuot | P::IntRem => {
                let (a, b) = (a as i64, args[1] as i64);
                let value = if op == P::IntQuot { a.checked_div(b) } else { a.checked_rem(b) };
                if b == 0 { Err(ExnId::DIV.into()) } else { self.int(value.unwrap_or(i64::MAX)) }
            }
            P::IntToIntInf => self.heap.store_int(a as i64),
            P::IntInfToInt => match self.heap.number(a) {
                Number::Small(value) => self.int(value),
                Number::Large(_) => Err(ExnId::OVERFLOW.into()),
            },
            P::IntBits => Ok(self.code.int_bits.into()),
            P::WordWrap => Ok(args[1] & low_bits(a as u32)),
            P::WordToInt => self.int(a),
            P::WordAnd => Ok(a & args[1]),
            P::WordOr => Ok(a | args[1]),
            P::WordXor => Ok(a ^ args[1]),
            P::WordShiftLeft => {
                Ok(u32::try_from(args[1]).ok().and_then(|n| a.checked_shl(n)).unwrap_or(0))
            }
            P::WordShiftRight => {
                Ok(u32::try_from(args[1]).ok().and_then(|n| a.checked_shr(n)).unwrap_or(0))
            }
            P::IntToReal => Ok((a as i64 as f64).to_bits()),
            P::IntInfToReal => Ok(self.heap.big(a).to_f64().unwrap_or(f64::INFINITY).to_bits()),
            P::RealFloor => self.to_int(real.floor()),
            P::RealCeil => self.to_int(real.ceil()),
            P::RealRound => self.to_int(super::real::round(real)),
            P::RealTrunc => self.to_int(real.trunc()),
            P::RealToIntInf => match num_traits::FromPrimitive::from_f64(real) {
                Some(value) => self.heap.store(&value),
                None if real.is_nan() => Err(ExnId::DOMAIN.into()),
                None => Err(ExnId::OVERFLOW.into()),
            },
            P::RealIsNan => Ok(real.is_nan().into()),
            P::CharOrd => Ok(a),
            P::CharChr if a < 256 => Ok(a),
            P::CharChr => Err(ExnId::CHR.into()),
            P::Atan2 => Ok(real.atan2(f64::from_bits(args[1])).to_bits()),
            P::Pow => Ok(real.powf(f64::from_bits(args[1])).to_bits()),
            _ => return of_real(op, real).map(|value| Ok(value.to_bits())),
        })
    }
}

fn of_real(op: Prim, x: f64) -> Option<f64> {
    use Prim as P;
    Some(match op {
        P::RealFloorReal => x.floor(),
        P::RealRoundReal => super::real::round(x),
        P::Sqrt => x.sqrt(),
        P::Sin => x.sin(),
        P::Cos => x.cos(),
        P::Tan => x.tan(),
        P::Asin => x.asin(),
        P::Acos => x.acos(),
        P::Atan => x.atan(),
        P::Exp => x.exp(),
        P::Ln => x.ln(),
        P::Log10 => x.log10(),
        P::Sinh => x.sinh(),
        P::Cosh => x.cosh(),
        P::Tanh => x.tanh(),
        _ => return None,
    })
}

/// The cost of comparing with this number.
pub(crate) fn large_size(heap: &Heap, word: Word) -> i64 {
    match small_number(word) {
        Some(_) => 0,
        None => (heap.get(word >> 1, 0) >> 4) as i64,
    }
}

pub(crate) fn compare_large(heap: &Heap, a: Word, b: Word) -> Ordering {
    match (small_number(a), small_number(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => heap.big(a).cmp(&heap.big(b)),
    }
}

/// Arithmetic on numbers that may need the heap.
pub(crate) fn large(heap: &mut Heap, fuel: &mut i64, op: Arith, a: Word, b: Word) -> Answer {
    let x = heap.big(a);
    let one = matches!(op, Arith::Negate | Arith::Abs);
    let y = if one { BigInt::zero() } else { heap.big(b) };
    let digits = |x: &BigInt| (x.bits() / 64 + 1) as i64;
    *fuel -= match op {
        Arith::Add | Arith::Subtract => digits(&x) + digits(&y),
        _ => digits(&x) * digits(&y) / 64,
    };
    if *fuel < 0 {
        return Err(Stop::Fuel);
    }
    if matches!(op, Arith::Div | Arith::Divide | Arith::Mod) && y.is_zero() {
        return Err(ExnId::DIV.into());
    }
    heap.store(&match op {
        Arith::Add => x + y,
        Arith::Subtract => x - y,
        Arith::Multiply => x * y,
        Arith::Div | Arith::Divide => x.div_floor(&y),
        Arith::Mod => x.mod_floor(&y),
        Arith::Negate => -x,
        Arith::Abs => x.abs(),
    })
}
