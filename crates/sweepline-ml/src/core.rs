//! The core language: the result of elaboration, and the input of the compiler.
//!
//! Every name is resolved, every type is explicit, every overloaded operator is one operation, and records
//! have their fields by position. A polymorphic binding lists its type variables ([`Bind::Value::params`]),
//! and each use lists the types for them ([`ExprKind::Var`]), so that [`Types::substitute`] makes everything
//! monomorphic.
//!
//! Evaluation is strict and from left to right. `andalso`, `orelse` and `if` are [`ExprKind::If`]. `fun` is
//! nested one-argument [`ExprKind::Lambda`]s around a [`ExprKind::Case`] on the tuple of arguments. Patterns
//! are as written, and the first match wins.

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
        /// The exceptions that primitives and matches raise. The prelude declares them first, so that their
        /// ids are fixed.
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
    /// Its kind.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Its position in the text.
    pub span: Span,
}

/// The kinds of expressions.
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
        /// The types for the type variables in the library's declaration of the primitive, in order of their
        /// first occurrence.
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
    /// `[a, b, c]`: equivalent to nested `::`, without the nesting.
    List(Vec<Expr>),
    /// An exception value.
    Exception {
        /// The exception.
        exn: ExnId,
        /// Its argument.
        arg: Option<Box<Expr>>,
    },
    /// `if`, `andalso`, `orelse`.
    If(Box<[Expr; 3]>),
    /// The first rule whose pattern matches.
    Case {
        /// The value that is matched.
        scrutinee: Box<Expr>,
        /// The rules.
        rules: Vec<Rule>,
        /// What to do when no rule matches.
        otherwise: Otherwise,
    },
    /// Bindings, then the body.
    Let {
        /// In order.
        binds: Vec<Bind>,
        /// The value of the whole expression.
        body: Box<Expr>,
    },
    /// Evaluated in order; has the value of the last. Never empty.
    Sequence(Vec<Expr>),
    /// `while condition do body`.
    While(Box<Expr>, Box<Expr>),
    /// `raise e`.
    Raise(Box<Expr>),
    /// `body handle rules`: the rules match the exception. An exception that matches no rule is raised again.
    Handle {
        /// Evaluated first.
        body: Box<Expr>,
        /// Matched against the exception.
        rules: Vec<Rule>,
    },
    /// Replaces wrong text. A term without errors does not contain it.
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
    /// The result.
    pub body: Expr,
}

/// A pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// Its kind.
    pub kind: PatternKind,
    /// The type of the values that it matches.
    pub ty: TypeId,
    /// Its position in the text.
    pub span: Span,
}

/// The kinds of patterns.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// `_`.
    Wildcard,
    /// Matches any value and binds it.
    Var(VarId),
    /// Matches a constant.
    Literal(Literal),
    /// Some or all fields of a record.
    Record(Vec<FieldPattern>),
    /// A constructor.
    Construct {
        /// The constructor.
        con: Con,
        /// The pattern of its argument, if it has one.
        arg: Option<Box<Pattern>>,
    },
    /// An exception.
    Exception {
        /// The exception.
        exn: ExnId,
        /// The pattern of its argument, if it has one.
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
    /// The pattern of the field's value.
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
    /// `val pattern = value`, not polymorphic. Raises `Bind` if the pattern does not match.
    Pattern {
        /// What must match.
        pattern: Pattern,
        /// What is matched.
        value: Expr,
    },
    /// `fun` or `val rec`: the functions of the group can call each other and share the type variables.
    Recursive {
        /// The type variables of the group.
        params: Vec<ParamId>,
        /// The functions: every value is a lambda.
        functions: Vec<(VarId, Expr)>,
    },
}

/// A variable of the program.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name in the text. Variables of the compiler have generated names.
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
    /// The type of its argument.
    pub arg: Option<TypeId>,
}

/// Everything that has been declared: the prelude, then the model's declarations, in order.
///
/// A back end should compile only what its roots use, because the program contains the whole library.
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
    /// The number of bits of an `int`.
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
