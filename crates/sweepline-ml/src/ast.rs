//! The syntax tree, before names are resolved and types are inferred.

use crate::colour::ColourSetSyntax;
use crate::core::Literal;
use crate::source::Span;
use crate::types::{Label, Symbol};

/// A name with structures in front, such as `List.map`: the path, then the name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LongName {
    pub(crate) path: Vec<Symbol>,
    pub(crate) name: Symbol,
}

impl LongName {
    pub(crate) fn simple(name: &str) -> Self {
        Self { path: Vec::new(), name: name.into() }
    }

    /// Parses a name with dots in it.
    pub(crate) fn dotted(name: &str) -> Self {
        let mut path: Vec<Symbol> = name.split('.').map(Symbol::from).collect();
        let name = path.pop().unwrap_or_else(|| "".into());
        Self { path, name }
    }
}

impl std::fmt::Display for LongName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for part in &self.path {
            write!(f, "{part}.")?;
        }
        f.write_str(&self.name)
    }
}

/// `depth` is the height of the tree. The parser bounds it, so that no recursive pass runs out of stack.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    pub(crate) depth: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprKind {
    Constant(Literal),
    Name(LongName),
    Record(Vec<(Label, Expr)>),
    Tuple(Vec<Expr>),
    Selector(Label),
    List(Vec<Expr>),
    Sequence(Vec<Expr>),
    Let(Vec<Decl>, Box<Expr>),
    Apply(Box<Expr>, Box<Expr>),
    Typed(Box<Expr>, TypeExpr),
    AndAlso(Box<Expr>, Box<Expr>),
    OrElse(Box<Expr>, Box<Expr>),
    Handle(Box<Expr>, Vec<Rule>),
    Raise(Box<Expr>),
    If(Box<[Expr; 3]>),
    While(Box<Expr>, Box<Expr>),
    Case(Box<Expr>, Vec<Rule>),
    Fn(Vec<Rule>),
    /// `_prim "name" : type`, in the prelude.
    Primitive(Symbol, TypeExpr),
}

pub(crate) type Rule = (Pattern, Expr);

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pattern {
    pub(crate) kind: PatternKind,
    pub(crate) span: Span,
    pub(crate) depth: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum PatternKind {
    Wildcard,
    Constant(Literal),
    Name(LongName),
    Record { fields: Vec<(Label, Pattern)>, more: bool },
    Tuple(Vec<Pattern>),
    List(Vec<Pattern>),
    Apply(LongName, Box<Pattern>),
    Typed(Box<Pattern>, TypeExpr),
    As(Symbol, Option<TypeExpr>, Box<Pattern>),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeExpr {
    pub(crate) kind: TypeKind,
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TypeKind {
    Variable(Symbol),
    Named(LongName, Vec<TypeExpr>),
    Record(Vec<(Label, TypeExpr)>),
    Tuple(Vec<TypeExpr>),
    Arrow(Box<TypeExpr>, Box<TypeExpr>),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Decl {
    pub(crate) kind: DeclKind,
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum DeclKind {
    Val {
        tyvars: Vec<Symbol>,
        binds: Vec<(Pattern, Expr)>,
        recursive: bool,
    },
    Fun {
        tyvars: Vec<Symbol>,
        functions: Vec<Function>,
    },
    Type(Vec<TypeBind>),
    Datatype {
        datatypes: Vec<DataBind>,
        types: Vec<TypeBind>,
    },
    DatatypeCopy(Symbol, LongName),
    Exception(Vec<ExceptionBind>),
    Local(Vec<Decl>, Vec<Decl>),
    Open(Vec<LongName>),
    Structure(Vec<(Symbol, Structure)>),
    ColourSet(Box<ColourSetDecl>),
    Variables(Vec<(Symbol, Span)>, Symbol),
    GlobRef(Symbol, Expr),
    Use(Expr),
    Expr(Expr),
    /// A declaration without a term: the parser handles fixities, and signatures are not checked.
    Nothing,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    pub(crate) name: Symbol,
    pub(crate) span: Span,
    pub(crate) clauses: Vec<Clause>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Clause {
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) result: Option<TypeExpr>,
    pub(crate) body: Expr,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeBind {
    pub(crate) tyvars: Vec<Symbol>,
    pub(crate) name: Symbol,
    pub(crate) ty: TypeExpr,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DataBind {
    pub(crate) tyvars: Vec<Symbol>,
    pub(crate) name: Symbol,
    pub(crate) constructors: Vec<(Symbol, Option<TypeExpr>)>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExceptionBind {
    New(Symbol, Option<TypeExpr>),
    Copy(Symbol, LongName, Span),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Structure {
    Named(LongName, Span),
    Body(Vec<Decl>),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ColourSetDecl {
    pub(crate) name: Symbol,
    pub(crate) span: Span,
    pub(crate) kind: ColourSetSyntax,
    pub(crate) declares: Vec<Symbol>,
    pub(crate) timed: bool,
}

/// A code segment: its input and output variables, and its action.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CodeSegment {
    pub(crate) input: Vec<(Symbol, Span)>,
    pub(crate) output: Vec<(Symbol, Span)>,
    pub(crate) action: Option<Expr>,
}
