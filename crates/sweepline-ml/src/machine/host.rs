//! Values from outside: parts of states, which only the owner of the machine can decode.

use std::fmt;

use num_bigint::BigInt;

use crate::core::ExnId;

use super::code::Code;
use super::codec::{Codec, decode};
use super::heap::Heap;
use super::layout::Word;
use super::raised::Stop;

/// Decodes the bytes of states.
pub trait Host: fmt::Debug + Send + Sync {
    /// A part of a state, as a value of its [declared](crate::Environment::declare_part) type.
    ///
    /// # Errors
    ///
    /// If the memory is full, or the bytes are malformed.
    fn part(&self, memory: &mut Memory<'_>, part: u32, state: &[u8]) -> Result<Word, Halt>;
}

/// The memory in which a host creates values.
pub struct Memory<'m> {
    pub(super) code: &'m Code,
    pub(super) heap: &'m mut Heap,
}

/// Why a value cannot be created.
#[derive(Clone, PartialEq, Debug)]
pub struct Halt(pub(super) Stop);

impl Halt {
    /// The bytes are malformed.
    pub const MALFORMED: Halt = Halt(Stop::Malformed);
    /// There is no answer. The outside keeps the reason, and the program cannot handle it.
    pub const OUTSIDE: Halt = Halt(Stop::Outside);

    /// Raises an exception without an argument.
    pub fn raise(exception: ExnId) -> Halt {
        Halt(exception.into())
    }

    /// The operation `what` is not allowed here, for the reason `why`.
    pub const fn refused(what: &'static str, why: &'static str) -> Halt {
        Halt(Stop::Refused(what, why))
    }
}

impl Memory<'_> {
    /// The value at the start of the bytes. Advances past it.
    ///
    /// # Errors
    ///
    /// If the memory is full, or the bytes are malformed.
    pub fn decode(&mut self, codec: Codec, bytes: &mut &[u8]) -> Result<Word, Halt> {
        decode(self.code, self.heap, codec.layout, bytes).map_err(Halt)
    }

    /// A record or tuple, with fields in canonical order. A list cell is a record of head and tail.
    ///
    /// # Errors
    ///
    /// If the memory is full.
    pub fn record(&mut self, fields: &[Word]) -> Result<Word, Halt> {
        self.heap.allocate(fields).map_err(Halt)
    }

    /// A string of bytes.
    ///
    /// # Errors
    ///
    /// If the memory is full.
    pub fn string(&mut self, bytes: &[u8]) -> Result<Word, Halt> {
        self.heap.string(bytes).map_err(Halt)
    }

    /// A list of words.
    ///
    /// # Errors
    ///
    /// If the memory is full.
    pub fn list(&mut self, elements: &[Word]) -> Result<Word, Halt> {
        self.heap.list_from(elements, 0).map_err(Halt)
    }

    /// A number of type `IntInf.int`.
    ///
    /// # Errors
    ///
    /// If the memory is full.
    pub fn int_inf(&mut self, value: i64) -> Result<Word, Halt> {
        self.heap.store(&BigInt::from(value)).map_err(Halt)
    }
}
