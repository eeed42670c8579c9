//! The primitives on strings.

use crate::core::ExnId;
use crate::prim::Prim;

use super::heap::MOST_DIGITS;
use super::layout::Word;
use super::prims::Context;
use super::raised::Stop;
use super::real;

type Answer = Result<Word, Stop>;

impl Context<'_> {
    pub(super) fn text_or_stream(&mut self, op: Prim, args: &[Word]) -> Answer {
        use Prim as P;
        let a = args[0];
        match op {
            P::IntToString => self.text(&real::with_tilde(&(a as i64).to_string())),
            P::IntFromString => {
                let text = self.start_of(a, 4096)?;
                let Some(value) = real::integer(&text) else { return Ok(0) };
                let value = self.int(&value)?;
                self.heap.allocate(&[value])
            }
            P::IntInfToString => {
                let number = self.heap.big(a);
                let digits = (number.bits() / 64) as usize;
                self.charge(digits * digits / 64)?;
                self.text(&real::with_tilde(&number.to_string()))
            }
            P::IntInfFromString => {
                let length = self.heap.length(a);
                if length > MOST_DIGITS * 16 {
                    return Err(Stop::Number);
                }
                // Parsing digits takes quadratic time, so it is charged.
                self.charge((length / 16).pow(2) / 64)?;
                let text = self.start_of(a, length)?;
                let Some(value) = real::integer(&text) else { return Ok(0) };
                let value = self.heap.store(&value)?;
                self.heap.allocate(&[value])
            }
            P::RealToString => self.text(&real::general(f64::from_bits(a))),
            P::RealFromString => match real::real(&self.start_of(a, 4096)?) {
                None => Ok(0),
                Some(value) => self.heap.allocate(&[value.to_bits()]),
            },
            P::RealFixed | P::RealScientific | P::RealGeneral => {
                self.formatted(op, a as i64, args[1])
            }
            P::StringSize => Ok(self.heap.length(a) as Word),
            P::StringSub => match usize::try_from(args[1] as i64) {
                Ok(at) if at < self.heap.length(a) => Ok(self.heap.byte(a, at).into()),
                _ => Err(ExnId::SUBSCRIPT.into()),
            },
            P::Substring => self.substring(a, args[1] as i64, args[2] as i64),
            P::StringAppend => self.joined(&[a, args[1]]),
            P::StringConcat => {
                let parts: Vec<Word> = self.heap.list(a).collect();
                self.joined(&parts)
            }
            P::Implode => {
                let bytes: Vec<u8> = self.heap.list(a).map(|word| word as u8).collect();
                self.charge(bytes.len() / 8)?;
                self.heap.string(&bytes)
            }
            P::Explode => {
                let bytes = self.heap.bytes(a);
                self.charge(bytes.len() / 8)?;
                let list = self.heap.cells(bytes.len(), 0)?;
                for (cell, byte) in bytes.into_iter().enumerate() {
                    self.heap.words[list as usize + 2 * cell] = byte.into();
                }
                Ok(list)
            }
            P::CharToString => self.heap.string(&[a as u8]),
            P::StringCompare => {
                self.charge(self.heap.length(a) / 64)?;
                Ok((self.heap.strings_compare(a, args[1]) as i64 + 1) as Word)
            }
            _ => self.stream(op, args),
        }
    }

    /// The first bytes of a string, as many as a number can have.
    fn start_of(&mut self, string: Word, most: usize) -> Result<Vec<u8>, Stop> {
        let length = self.heap.length(string).min(most);
        self.charge(length / 8)?;
        Ok((0..length).map(|at| self.heap.byte(string, at)).collect())
    }

    fn formatted(&mut self, op: Prim, digits: i64, value: Word) -> Answer {
        let digits = usize::try_from(digits).map_err(|_| ExnId::SIZE)?;
        // More digits than any double needs.
        let digits = digits.min(2000);
        let value = f64::from_bits(value);
        let text = match op {
            Prim::RealFixed => real::fixed(digits, value),
            Prim::RealGeneral if digits == 0 => real::exact(value),
            Prim::RealGeneral => real::general_to(digits as i32, value),
            _ => real::scientific(digits, value),
        };
        self.text(&text)
    }

    fn substring(&mut self, string: Word, start: i64, length: i64) -> Answer {
        let total = self.heap.length(string);
        let (Ok(start), Ok(length)) = (usize::try_from(start), usize::try_from(length)) else {
            return Err(ExnId::SUBSCRIPT.into());
        };
        if start > total || length > total - start {
            return Err(ExnId::SUBSCRIPT.into());
        }
        self.charge(length / 8)?;
        let bytes: Vec<u8> = (start..start + length).map(|at| self.heap.byte(string, at)).collect();
        self.heap.string(&bytes)
    }

    fn joined(&mut self, parts: &[Word]) -> Answer {
        let length = parts.iter().map(|part| self.heap.length(*part)).sum::<usize>();
        self.charge(length / 64 + parts.len() / 8)?;
        self.heap.check(1 + length.div_ceil(8))?;
        let mut bytes = Vec::with_capacity(length + 8);
        parts.iter().for_each(|part| self.heap.read(*part, &mut bytes));
        self.heap.string(&bytes)
    }
}
