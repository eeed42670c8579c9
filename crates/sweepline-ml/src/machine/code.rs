//! The code that the compiler produces and the machine runs.

use crate::core::VarId;
use crate::prim::{Arith, Comparison, Operand, Prim};
use crate::source::Span;
use crate::types::Symbol;

use super::layout::{Layout, LayoutId, Word};
use super::raised::ExnLayout;

/// A register of the frame.
pub(crate) type Reg = u8;

/// The number of registers of a frame.
pub(crate) const REGISTERS: usize = 256;

/// A compiled function that the caller may call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FunctionId(pub(crate) u32);

/// One instruction, in eight bytes. Registers are relative to the frame. The arguments of a call start at the
/// register `first`, where the frame of the callee begins and where its result is returned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Instr {
    Move(Reg, Reg),
    /// Destination, source, number of words.
    Copy(Reg, Reg, u8),
    Const(Reg, i32),
    /// Loads from the table of constants.
    Wide(Reg, u32),
    Global(Reg, u32),
    SetGlobal(Reg, u32),

    Add(Reg, Reg, Reg),
    AddConst(Reg, Reg, i32),
    Subtract(Reg, Reg, Reg),
    Multiply(Reg, Reg, Reg),
    Div(Reg, Reg, Reg),
    Mod(Reg, Reg, Reg),
    Negate(Reg, Reg),
    Abs(Reg, Reg),
    Real(Arith, Reg, Reg, Reg),
    Large(Arith, Reg, Reg, Reg),
    /// Arithmetic on words and `Int32.int`. The operand determines the number of bits.
    Sized(Operand, Arith, Reg, Reg, Reg),

    /// A comparison as a value.
    Compare(Comparison, Reg, Reg, Reg),
    CompareReal(Comparison, Reg, Reg, Reg),
    CompareLarge(Comparison, Reg, Reg, Reg),
    CompareUnsigned(Comparison, Reg, Reg, Reg),
    EqualReal(Reg, Reg, Reg),
    Same(Reg, Reg, Reg),
    Not(Reg, Reg),

    Jump(u32),
    /// A backward jump: uses fuel.
    Loop(u32),
    JumpLess(Reg, Reg, u32),
    JumpNotLess(Reg, Reg, u32),
    JumpSame(Reg, Reg, u32),
    JumpDifferent(Reg, Reg, u32),
    JumpLessConst(Reg, i16, u32),
    JumpNotLessConst(Reg, i16, u32),
    JumpIs(Reg, i16, u32),
    JumpIsNot(Reg, i16, u32),
    /// Jumps by a table with one target for each constructor of the datatype.
    Switch(Reg, u32),
    /// The tag of a value of a datatype with this many constructors.
    Tag(Reg, Reg, u32),

    /// Creates a block from consecutive registers.
    Block(Reg, Reg, u8),
    Pair(Reg, Reg, Reg),
    /// Creates a block of zeros.
    Zeros(Reg, u32),
    /// Creates linked list cells that end with `nil`.
    Cells(Reg, u32),
    Field(Reg, Reg, u32),
    SetField(Reg, Reg, u32),
    /// The address this many words further.
    Inside(Reg, Reg, u32),
    /// Assigns the value of the second register to the reference in the first.
    Assign(Reg, Reg, LayoutId),

    Call(Reg, u32),
    /// First argument, number of arguments, function.
    TailCall(Reg, u8, u32),
    /// First argument, number of arguments, register of the closure.
    CallClosure(Reg, u8, Reg),
    TailCallClosure(Reg, u8, Reg),
    Return(Reg),

    Raise(Reg),
    RaiseConst(u32),
    /// Sets a handler: an exception is stored in this register, and execution continues at this address.
    Handle(Reg, u32),
    EndHandle,
    /// Raises an exception again, with its original position.
    Pass(Reg),

    /// Result, first argument, index in the table of primitives.
    Prim(Reg, Reg, u32),
    /// The same for a question that only the outside can answer.
    Ask(Reg, Reg, u32),
    /// The code of a function that was refused.
    Refuse(u32),
}

/// A primitive with the layout of its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PrimCall {
    pub(crate) op: Prim,
    /// The layout of its first type variable.
    pub(crate) layout: LayoutId,
}

/// A compiled function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) entry: u32,
    /// The number of words of its arguments.
    pub(crate) arity: u32,
    /// The layouts of its captured variables, if it is a closure.
    pub(crate) captures: Box<[LayoutId]>,
    pub(crate) span: Span,
}

/// A compiled program: immutable, shared by all machines that run it.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub(crate) instrs: Vec<Instr>,
    pub(crate) functions: Vec<Function>,
    pub(crate) layouts: Vec<Layout>,
    /// The constants at the beginning of every heap.
    pub(crate) image: Vec<Word>,
    pub(crate) wide: Vec<Word>,
    pub(crate) switches: Vec<Box<[u32]>>,
    pub(crate) prims: Vec<PrimCall>,
    /// The functions that compute the global values, in order, each with the index of its bind.
    pub(crate) initialisers: Vec<(usize, FunctionId)>,
    /// The global values: their names and layouts.
    pub(crate) globals: Vec<(Symbol, LayoutId)>,
    /// The global values that are references or arrays: the variable, and the index of the global value.
    pub(crate) references: Vec<(VarId, u32)>,
    pub(crate) exceptions: Vec<ExnLayout>,
    /// The source positions of instructions that may raise, by address.
    pub(crate) spans: Vec<(u32, Span)>,
    /// The messages of refused functions, with their hints.
    pub(crate) refusals: Vec<(&'static str, &'static str)>,
    pub(crate) int_bits: u32,
    /// The layout of time stamps.
    pub(crate) time: LayoutId,
}

impl Code {
    /// Whether the code contains a primitive.
    pub fn uses(&self, prim: Prim) -> bool {
        self.prims.iter().any(|call| call.op == prim)
    }

    /// The layout with an id.
    pub fn layout(&self, id: LayoutId) -> &Layout {
        &self.layouts[id.0 as usize]
    }

    /// The binds of the program whose values a machine computes when it starts, in order.
    pub fn initialised_binds(&self) -> impl Iterator<Item = usize> {
        self.initialisers.iter().map(|(bind, _)| *bind)
    }

    pub(crate) fn span(&self, address: u32) -> Option<Span> {
        let after = self.spans.partition_point(|(at, _)| *at <= address);
        let (at, span) = *self.spans.get(after.checked_sub(1)?)?;
        (at == address).then_some(span)
    }
}

const _: () = assert!(size_of::<Instr>() == 8, "instructions are read one after another");
