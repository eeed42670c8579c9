//! The core language: what elaboration makes of CPN ML, and all that a back end needs to know.
//!
//! Every name is resolved, every type is written down, every overloaded operator is one operation,
//! records have their fields by position. Let-bound values that are polymorphic say by which type
//! variables ([`Bind::Value::params`]), and each use lists the types that stand for them
//! ([`ExprKind::Var`]), so that making everything monomorphic is [`Types::substitute`].
//!
//! Evaluation is strict, left to right. `andalso`, `orelse` and `if` are [`ExprKind::If`]; `fun` is
//! nested one-argument [`ExprKind::Lambda`]s around a [`ExprKind::Case`] on the tuple of arguments;
//! patterns are as written, first match wins.

mod verify;
mod walk;

use num_bigint::BigInt;

use crate::prim::Prim;
use crate::source::Span;
use crate::types::{DataId, Label, ParamId, Scheme, Symbol, TypeId, Types};

pub(crate) use verify::knows_datatypes;
pub use verify::{Contradiction, verify_bind, verify_expr};

/// A value variable, unique in its program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// An exception, unique in its program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExnId(pub u32);

macro_rules! exceptions {
    ($($constant:ident = $number:literal $doc:literal),* $(,)?) => {
        /// The exceptions that primitives and matches raise. The prelude declares them first, so
        /// that their ids are known.
        impl ExnId {
            $(#[doc = $doc] pub const $constant: ExnId = ExnId($number);)*
        }
    };
}

exceptions! {
    MATCH = 0 "`Match`: no rule of a `case` or function matches.",
    BIND = 1 "`Bind`: the pattern of a `val` does not match.",
    OVERFLOW = 2 "`Overflow`: outside the bounds of `int`.",
    DIV = 3 "`Div`: division by zero.",
    SUBSCRIPT = 4 "`Subscript`: no such element.",
    SIZE = 5 "`Size`: too large or negative.",
    CHR = 6 "`Chr`: no such character.",
    DOMAIN = 7 "`Domain`: outside a function's domain.",
    EMPTY = 8 "`Empty`: of an empty list.",
    OPTION = 9 "`Option`: `valOf NONE`.",
    FAIL = 10 "`Fail of string`.",
    IO = 11 "`Io of string`.",
    SUBTRACT = 12 "`Subtract`: `--` of what is not contained.",
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it was written.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A variable at an instance of its scheme: one type for each of the binding's params. Inside
    /// its own recursive group these are the params themselves.
    Var(VarId, Vec<TypeId>),
    /// A constant.
    Literal(Literal),
    /// `fn param => body`.
    Lambda(Box<Lambda>),
    /// Function, argument.
    Apply(Box<Expr>, Box<Expr>),
    /// A primitive with all its arguments. `types` instantiate a polymorphic one.
    Prim {
        /// The operation.
        op: Prim,
        /// What the type variables of the type that the library declares it with stand for, in order of
        /// their first occurrence.
        types: Vec<TypeId>,
        /// Its arguments, in order of evaluation.
        args: Vec<Expr>,
    },
    /// A record or tuple. Fields in order of evaluation, each with its position in the canonical
    /// order of the type; every position occurs once. The empty one is `()`.
    Record(Vec<Field>),
    /// One field of a record.
    Select {
        /// The record.
        record: Box<Expr>,
        /// The label, as written.
        label: Label,
        /// The position of the label in the record's type.
        position: u32,
    },
    /// A constructor of the datatype that is the expression's type. Constructors as functions are
    /// lambdas around this.
    Construct {
        /// The constructor.
        con: Con,
        /// What it is applied to, if it takes an argument.
        arg: Option<Box<Expr>>,
    },
    /// `[a, b, c]`: what nested `::` would make, without the nesting.
    List(Vec<Expr>),
    /// An exception value.
    Exception {
        /// The exception.
        exn: ExnId,
        /// What it carries.
        arg: Option<Box<Expr>>,
    },
    /// `if`, `andalso`, `orelse`.
    If(Box<[Expr; 3]>),
    /// The first rule whose pattern matches.
    Case {
        /// What is matched.
        scrutinee: Box<Expr>,
        /// The rules.
        rules: Vec<Rule>,
        /// What happens when none matches.
        otherwise: Otherwise,
    },
    /// Bindings, then the body.
    Let {
        /// In order.
        binds: Vec<Bind>,
        /// What the whole is.
        body: Box<Expr>,
    },
    /// All in order; the value of the last. Never empty.
    Sequence(Vec<Expr>),
    /// `while condition do body`.
    While(Box<Expr>, Box<Expr>),
    /// `raise e`.
    Raise(Box<Expr>),
    /// `body handle rules`: rules match `exn`; what none matches goes on.
    Handle {
        /// Evaluated first.
        body: Box<Expr>,
        /// Tried on an exception.
        rules: Vec<Rule>,
    },
    /// Stands where the text is wrong. Never in a term that is handed out without errors.
    Wrong,
}

/// A function of one argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// The argument.
    pub param: VarId,
    /// Its type.
    pub param_ty: TypeId,
    /// The result.
    pub body: Expr,
}

/// A field of a record expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its place in the canonical order.
    pub position: u32,
    /// Its value.
    pub value: Expr,
}

/// A constructor, resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Con {
    /// Its datatype.
    pub data: DataId,
    /// Its index among the constructors of the datatype.
    pub tag: u32,
}

/// What a `case` does when no rule matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Otherwise {
    /// Raises `Match`: `case`, `fn`, `fun`.
    Match,
    /// Raises `Bind`: `val`.
    Bind,
}

/// `pattern => body`.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// What must match.
    pub pattern: Pattern,
    /// What it gives.
    pub body: Expr,
}

/// A pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// The type of what it matches.
    pub ty: TypeId,
    /// Where it was written.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// `_`.
    Wildcard,
    /// Matches anything and names it.
    Var(VarId),
    /// Equal to a constant.
    Literal(Literal),
    /// Some or all fields of a record.
    Record(Vec<FieldPattern>),
    /// A constructor.
    Construct {
        /// The constructor.
        con: Con,
        /// For its argument, if it has one.
        arg: Option<Box<Pattern>>,
    },
    /// An exception.
    Exception {
        /// The exception.
        exn: ExnId,
        /// For what it carries.
        arg: Option<Box<Pattern>>,
    },
    /// `ref pattern`.
    Ref(Box<Pattern>),
    /// `name as pattern`.
    As(VarId, Box<Pattern>),
}

/// A field of a record pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldPattern {
    /// The label, as written.
    pub label: Label,
    /// The position of the label in the record's type.
    pub position: u32,
    /// For the field's value.
    pub pattern: Pattern,
}

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// Within the bounds of `int`.
    Int(i64),
    /// Any integer.
    IntInf(BigInt),
    /// Modulo 2^64.
    Word(u64),
    /// A double.
    Real(f64),
    /// A byte.
    Char(u8),
    /// Bytes: characters of ISO 8859-1, as in Standard ML.
    String(Box<[u8]>),
}

/// A binding.
#[derive(Clone, PartialEq, Debug)]
pub enum Bind {
    /// `val var = value`, abstracted over `params`.
    Value {
        /// The variable.
        var: VarId,
        /// The type variables of its scheme.
        params: Vec<ParamId>,
        /// Its value.
        value: Expr,
    },
    /// `val pattern = value`: variables without type variables. Raises `Bind`.
    Pattern {
        /// What must match.
        pattern: Pattern,
        /// What is matched.
        value: Expr,
    },
    /// `fun` or `val rec`: all functions of the group see each other, and share the params.
    Recursive {
        /// The type variables of the group.
        params: Vec<ParamId>,
        /// The functions: every value is a lambda.
        functions: Vec<(VarId, Expr)>,
    },
}

/// What is known of a variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name in the text; made up for those of the compiler.
    pub name: Symbol,
    /// Its type.
    pub scheme: Scheme,
}

/// A datatype, or an abstract type, which has no constructors.
#[derive(Clone, PartialEq, Debug)]
pub struct Datatype {
    /// Its name.
    pub name: Symbol,
    /// Its parameters, which occur in the types of the constructors' arguments.
    pub params: Vec<ParamId>,
    /// Its constructors in order of declaration: the index is the tag.
    pub constructors: Vec<Constructor>,
    /// Whether its values can be compared by `=`, given that those of its arguments can.
    pub equality: bool,
}

/// A constructor of a datatype.
#[derive(Clone, PartialEq, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Symbol,
    /// The type of its argument.
    pub arg: Option<TypeId>,
}

/// An exception.
#[derive(Clone, PartialEq, Debug)]
pub struct Exception {
    /// Its name.
    pub name: Symbol,
    /// The type of what it carries.
    pub arg: Option<TypeId>,
}

/// Everything that has been declared: the prelude, then the model's declarations, in order.
///
/// A back end should compile what its roots reach, not all of it: the library is part of it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All types.
    pub types: Types,
    /// All datatypes, by [`DataId`].
    pub datatypes: Vec<Datatype>,
    /// All exceptions, by [`ExnId`].
    pub exceptions: Vec<Exception>,
    /// All variables, by [`VarId`].
    pub variables: Vec<Variable>,
    /// The top-level bindings, in order of evaluation.
    pub binds: Vec<Bind>,
    /// The bits of an `int`.
    pub int_bits: u32,
}

impl Program {
    /// A datatype.
    pub fn datatype(&self, id: DataId) -> &Datatype {
        &self.datatypes[id.0 as usize]
    }

    /// An exception.
    pub fn exception(&self, id: ExnId) -> &Exception {
        &self.exceptions[id.0 as usize]
    }

    /// A variable.
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// The type of a constructor's argument in an instance of its datatype.
    pub fn constructor_arg(&mut self, con: Con, arguments: &[TypeId]) -> Option<TypeId> {
        let datatype = &self.datatypes[con.data.0 as usize];
        let arg = datatype.constructors[con.tag as usize].arg?;
        Some(self.types.instance(arg, &datatype.params, arguments))
    }
}
