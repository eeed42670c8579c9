//! What the compiler writes and the machine runs.

use crate::core::VarId;
use crate::prim::{Arith, Comparison, Operand, Prim};
use crate::source::Span;
use crate::types::Symbol;

use super::layout::{Layout, LayoutId, Word};
use super::raised::ExnLayout;

/// A register of the frame.
pub(crate) type Reg = u8;

/// The registers a frame can have.
pub(crate) const REGISTERS: usize = 256;

/// A compiled function that the caller may call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FunctionId(pub(crate) u32);

/// One step. Registers are relative to the frame; the arguments of a call lie from `first` on, which
/// is where the frame of the callee begins, and where its result comes back. Eight bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Instr {
    Move(Reg, Reg),
    /// To, from, how many.
    Copy(Reg, Reg, u8),
    Const(Reg, i32),
    /// From the table of constants.
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
    /// Arithmetic on words and `Int32.int`, whose bits the operand says.
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
    /// To what was before: uses fuel.
    Loop(u32),
    JumpLess(Reg, Reg, u32),
    JumpNotLess(Reg, Reg, u32),
    JumpSame(Reg, Reg, u32),
    JumpDifferent(Reg, Reg, u32),
    JumpLessConst(Reg, i16, u32),
    JumpNotLessConst(Reg, i16, u32),
    JumpIs(Reg, i16, u32),
    JumpIsNot(Reg, i16, u32),
    /// By a table of as many targets as the datatype has constructors.
    Switch(Reg, u32),
    /// The tag of a value of a datatype with so many constructors.
    Tag(Reg, Reg, u32),

    /// The contents of consecutive registers as a new block.
    Block(Reg, Reg, u8),
    Pair(Reg, Reg, Reg),
    /// A block of zeros.
    Zeros(Reg, u32),
    /// Linked cells of a list that ends with `nil`.
    Cells(Reg, u32),
    Field(Reg, Reg, u32),
    SetField(Reg, Reg, u32),
    /// The address so many words further.
    Inside(Reg, Reg, u32),
    /// Reference, value.
    Assign(Reg, Reg, LayoutId),

    Call(Reg, u32),
    /// Arguments from here, so many.
    TailCall(Reg, u8, u32),
    /// Arguments from here, so many, the function.
    CallClosure(Reg, u8, Reg),
    TailCallClosure(Reg, u8, Reg),
    Return(Reg),

    Raise(Reg),
    RaiseConst(u32),
    /// An exception goes to this register, and on there.
    Handle(Reg, u32),
    EndHandle,
    /// Raises again, from where it was first.
    Pass(Reg),

    /// Result, first argument, in the table of primitives.
    Prim(Reg, Reg, u32),
    /// The same, of what only the outside knows.
    Ask(Reg, Reg, u32),
    /// Stands for a function that was refused.
    Refuse(u32),
}

/// A primitive with what the machine must know of its types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PrimCall {
    pub(crate) op: Prim,
    /// Of its first type variable.
    pub(crate) layout: LayoutId,
}

/// A piece of code that can be called.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) entry: u32,
    /// Words of arguments.
    pub(crate) arity: u32,
    /// Of a closure over it: the layouts of what it captures.
    pub(crate) captures: Box<[LayoutId]>,
    pub(crate) span: Span,
}

/// A compiled program: immutable, shared by all machines that run it.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub(crate) instrs: Vec<Instr>,
    pub(crate) functions: Vec<Function>,
    pub(crate) layouts: Vec<Layout>,
    /// The beginning of every heap: constants.
    pub(crate) image: Vec<Word>,
    pub(crate) wide: Vec<Word>,
    pub(crate) switches: Vec<Box<[u32]>>,
    pub(crate) prims: Vec<PrimCall>,
    /// What computes the global values, in order, each with the number of its bind.
    pub(crate) initialisers: Vec<(usize, FunctionId)>,
    /// The global values: their names and layouts.
    pub(crate) globals: Vec<(Symbol, LayoutId)>,
    /// Those that are references or arrays: the variable, and the number of the global value.
    pub(crate) references: Vec<(VarId, u32)>,
    pub(crate) exceptions: Vec<ExnLayout>,
    /// Where instructions that may raise come from, by address.
    pub(crate) spans: Vec<(u32, Span)>,
    /// What was refused, and what to do.
    pub(crate) refusals: Vec<(&'static str, &'static str)>,
    pub(crate) int_bits: u32,
    /// Of time stamps.
    pub(crate) time: LayoutId,
}

impl Code {
    /// Whether the program may use a primitive.
    pub fn uses(&self, prim: Prim) -> bool {
        self.prims.iter().any(|call| call.op == prim)
    }

    /// How the values of a layout lie.
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
