//! Values that come from outside: parts of states, which only the owner of the machine understands.

use std::fmt;

use num_bigint::BigInt;

use crate::core::ExnId;

use super::code::Code;
use super::codec::{Codec, decode};
use super::heap::Heap;
use super::layout::Word;
use super::raised::Stop;

/// Understands the bytes of states.
pub trait Host: fmt::Debug + Send + Sync {
    /// A part of a state, as a value of the type that it was
    /// [declared](crate::Environment::declare_part) with.
    ///
    /// # Errors
    ///
    /// When the memory is full, or the bytes are no state.
    fn part(&self, memory: &mut Memory<'_>, part: u32, state: &[u8]) -> Result<Word, Halt>;
}

/// Where values are made.
pub struct Memory<'m> {
    pub(super) code: &'m Code,
    pub(super) heap: &'m mut Heap,
}

/// A value cannot be made.
#[derive(Clone, PartialEq, Debug)]
pub struct Halt(pub(super) Stop);

impl Halt {
    /// The bytes are no value.
    pub const MALFORMED: Halt = Halt(Stop::Malformed);
    /// There is no answer, and whoever was asked remembers why: no program catches it.
    pub const OUTSIDE: Halt = Halt(Stop::Outside);

    /// Raises an exception that carries nothing.
    pub fn raise(exception: ExnId) -> Halt {
        Halt(exception.into())
    }

    /// What was asked for is not allowed where it was asked for.
    pub const fn refused(what: &'static str, why: &'static str) -> Halt {
        Halt(Stop::Refused(what, why))
    }
}

impl Memory<'_> {
    /// The value at the start of the bytes, which move behind it.
    ///
    /// # Errors
    ///
    /// When the memory is full, or the bytes are no value.
    pub fn decode(&mut self, codec: Codec, bytes: &mut &[u8]) -> Result<Word, Halt> {
        decode(self.code, self.heap, codec.layout, bytes).map_err(Halt)
    }

    /// A record or tuple, fields in canonical order; of head and tail, a cell of a list.
    ///
    /// # Errors
    ///
    /// When the memory is full.
    pub fn record(&mut self, fields: &[Word]) -> Result<Word, Halt> {
        self.heap.allocate(fields).map_err(Halt)
    }

    /// A string of bytes.
    ///
    /// # Errors
    ///
    /// When the memory is full.
    pub fn string(&mut self, bytes: &[u8]) -> Result<Word, Halt> {
        self.heap.string(bytes).map_err(Halt)
    }

    /// A list of words.
    ///
    /// # Errors
    ///
    /// When the memory is full.
    pub fn list(&mut self, elements: &[Word]) -> Result<Word, Halt> {
        self.heap.list_from(elements, 0).map_err(Halt)
    }

    /// A number of type `IntInf.int`.
    ///
    /// # Errors
    ///
    /// When the memory is full.
    pub fn int_inf(&mut self, value: i64) -> Result<Word, Halt> {
        self.heap.store(&BigInt::from(value)).map_err(Halt)
    }
}
