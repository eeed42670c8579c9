//! The syntax tree of scripts. Processes are expressions like any other.

use std::sync::{Arc, OnceLock};

use sweepline_source::Span;

/// A name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Sym(pub(super) u32);

/// An expression with its position. `depth` is the height of the tree, which is limited so that no recursive
/// pass overflows the stack.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    pub(super) span: Span,
    pub(super) depth: u32,
}

/// An expression that is evaluated later, in the environment of its definition.
#[derive(Debug)]
pub(super) struct Body {
    /// Unique in a script.
    pub(super) id: u32,
    pub(super) expr: Expr,
    /// The local names that it uses, computed by the check of names.
    pub(super) free: OnceLock<Box<[Sym]>>,
}

pub(super) type Later = Arc<Body>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Concat,
}

/// Operators on two processes that are both active.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Choice {
    External,
    Interrupt,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Int(i64),
    Bool(bool),
    Str(String),
    Name(Sym),
    /// `_`, in patterns only.
    Wildcard,
    /// `p @@ q`, in patterns only.
    Both(Box<Expr>, Box<Expr>),
    Tuple(Vec<Expr>),
    Seq(Items),
    Set(Items),
    /// `{| c, d.1 |}`.
    Productions(Items),
    Map(Vec<(Expr, Expr)>),
    Dot(Vec<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Lambda(Arc<Lambda>),
    Let(Arc<Let>, Box<Expr>),
    If(Box<[Expr; 3]>),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Length(Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),

    Prefix(Arc<Prefix>),
    Guard(Box<[Expr; 2]>),
    Choice(Choice, Box<[Expr; 2]>),
    Internal(Vec<Later>),
    Timeout(Box<Expr>, Later),
    Sequential(Box<Expr>, Later),
    /// `[|A|]`, and `|||` with no set.
    Interface(Option<Box<Expr>>, Box<[Expr; 2]>),
    /// `P [A||B] Q` as `[P, A, B, Q]`.
    Alphabetised(Box<[Expr; 4]>),
    /// `P [a <-> b] Q`.
    Link(Box<[Expr; 2]>, Renaming),
    /// `P [|A|> Q`.
    Exception(Box<[Expr; 2]>, Later),
    Hide(Box<[Expr; 2]>),
    /// `P |\ A`: everything but `A` is hidden.
    Project(Box<[Expr; 2]>),
    Rename(Box<Expr>, Renaming),
    Replicated(Replicated),
}

/// The content of a set or a sequence.
#[derive(Clone, Debug)]
pub(super) enum Items {
    /// `a, b, c`, possibly for each of the statements after `|`.
    List(Vec<Expr>, Vec<Stmt>),
    /// `a..b`, or the infinite `a..`.
    Range(Box<Expr>, Option<Box<Expr>>, Vec<Stmt>),
}

/// A part of a comprehension.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    /// `x <- S` or `x : S`.
    Generator(Pattern, Expr),
    Guard(Expr),
}

/// `a <- b, c <- d | x <- S`, or the same with `<->`.
#[derive(Clone, Debug)]
pub(super) struct Renaming {
    pub(super) pairs: Vec<(Expr, Expr)>,
    pub(super) stmts: Vec<Stmt>,
}

#[derive(Debug)]
pub(super) struct Lambda {
    pub(super) params: Vec<Pattern>,
    pub(super) body: Later,
    /// The local names of the environment that it uses.
    pub(super) free: OnceLock<Box<[Sym]>>,
}

#[derive(Debug)]
pub(super) struct Let {
    pub(super) id: u32,
    pub(super) decls: Vec<Definition>,
    /// The local names of the environment that its definitions use.
    pub(super) free: OnceLock<Box<[Sym]>>,
}

/// `c!1?x:S -> P`.
#[derive(Debug)]
pub(super) struct Prefix {
    /// Unique in a script, from the numbers of bodies.
    pub(super) id: u32,
    pub(super) span: Span,
    pub(super) channel: Expr,
    pub(super) fields: Vec<Field>,
    pub(super) body: Later,
    pub(super) free: OnceLock<Box<[Sym]>>,
}

#[derive(Debug)]
pub(super) enum Field {
    /// `!e`.
    Output(Expr),
    /// `?p:S`, or `$p:S`, which is an internal choice.
    Input { pattern: Pattern, from: Option<Expr>, chooses: bool },
}

/// An operator over all values of some generators.
#[derive(Clone, Debug)]
pub(super) struct Replicated {
    pub(super) op: Operator,
    pub(super) stmts: Vec<Stmt>,
    pub(super) body: Later,
}

#[derive(Clone, Debug)]
pub(super) enum Operator {
    External,
    Internal,
    Interleave,
    Sequential,
    Interface(Box<Expr>),
    /// With the alphabet of each.
    Alphabetised(Later),
}

/// A pattern with its position.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) kind: PatternKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum PatternKind {
    Wildcard,
    /// A variable; or a constructor or channel, if one with that name is declared.
    Name(Sym),
    Int(i64),
    Bool(bool),
    Str(String),
    Tuple(Vec<Pattern>),
    /// `<a, b> ^ rest ^ <c>`: elements in front, the middle, elements at the end.
    Seq {
        front: Vec<Pattern>,
        rest: Option<Box<Pattern>>,
        back: Vec<Pattern>,
    },
    Dot(Vec<Pattern>),
    /// `{}` or `{p}`.
    Set(Option<Box<Pattern>>),
    Both(Box<Pattern>, Box<Pattern>),
}

/// A name and its definition: the clauses of a function, or one clause without parameters.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: Sym,
    pub(super) span: Span,
    pub(super) clauses: Vec<Clause>,
    /// Whether it comes from a name in `(a, b) = e`: it defines nothing if that is a constructor.
    pub(super) is_part: bool,
}

impl Definition {
    pub(super) fn new(name: Sym, span: Span, clause: Clause) -> Self {
        Definition { name, span, clauses: vec![clause], is_part: false }
    }

    /// How many lists of arguments it takes.
    pub(super) fn arity(&self) -> usize {
        self.clauses[0].params.len()
    }
}

#[derive(Debug)]
pub(super) struct Clause {
    /// One list for each pair of parentheses.
    pub(super) params: Vec<Vec<Pattern>>,
    pub(super) body: Expr,
}

/// `channel a, b : T`, or a constructor of a data type: a name with fields.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) name: Sym,
    pub(super) span: Span,
    /// The types of its fields, dots not yet split.
    pub(super) fields: Option<Expr>,
}

/// A declaration of a file.
#[derive(Debug)]
pub(super) enum Decl {
    Define(Definition),
    Channels(Vec<Head>),
    Datatype {
        name: Sym,
        span: Span,
        constructors: Vec<Head>,
    },
    /// `subtype S = A | B.{0}`.
    Subtype {
        name: Sym,
        span: Span,
        parts: Vec<Expr>,
    },
    Nametype {
        name: Sym,
        span: Span,
        of: Expr,
    },
    /// `transparent` and `external`.
    Known(Vec<(Sym, Span)>),
    Assert(Assert),
}

/// `assert ...`.
#[derive(Debug)]
pub(super) struct Assert {
    pub(super) span: Span,
    pub(super) negated: bool,
    pub(super) claim: Claim,
}

#[derive(Debug)]
pub(super) enum Claim {
    /// `Q [T= P`, possibly with options such as `:[partial order reduce]`.
    Refines { model: String, spec: Later, of: Later, options: Vec<String> },
    /// `P :[deadlock free [F]]`, possibly with an argument and options.
    Property { text: String, of: Later, argument: Option<Later>, options: Vec<String> },
}

impl Expr {
    pub(super) fn new(kind: Kind, span: Span) -> Expr {
        let mut depth = 0;
        kind.each_child(&mut |child| depth = child.depth.max(depth));
        Expr { kind, span, depth: depth + 1 }
    }
}

impl Pattern {
    /// Every name in it: variables, constructors and channels.
    pub(super) fn each_name(&self, f: &mut impl FnMut(Sym)) {
        match &self.kind {
            PatternKind::Name(name) => f(*name),
            PatternKind::Tuple(all) | PatternKind::Dot(all) => {
                all.iter().for_each(|pattern| pattern.each_name(f));
            }
            PatternKind::Seq { front, rest, back } => {
                let all = front.iter().chain(rest.as_deref()).chain(back);
                all.for_each(|pattern| pattern.each_name(f));
            }
            PatternKind::Set(inner) => inner.iter().for_each(|pattern| pattern.each_name(f)),
            PatternKind::Both(a, b) => [a, b].into_iter().for_each(|p| p.each_name(f)),
            _ => {}
        }
    }
}

impl Stmt {
    fn each_child(&self, f: &mut impl FnMut(&Expr)) {
        match self {
            Stmt::Generator(_, expr) | Stmt::Guard(expr) => f(expr),
        }
    }
}

impl Items {
    fn each_child(&self, f: &mut impl FnMut(&Expr)) {
        let stmts = match self {
            Items::List(items, stmts) => {
                items.iter().for_each(&mut *f);
                stmts
            }
            Items::Range(from, to, stmts) => {
                f(from);
                to.iter().for_each(|to| f(to));
                stmts
            }
        };
        stmts.iter().for_each(|stmt| stmt.each_child(f));
    }
}

impl Renaming {
    fn each_child(&self, f: &mut impl FnMut(&Expr)) {
        for (from, to) in &self.pairs {
            f(from);
            f(to);
        }
        self.stmts.iter().for_each(|stmt| stmt.each_child(f));
    }
}

impl Kind {
    /// Every expression directly below.
    pub(super) fn each_child(&self, f: &mut impl FnMut(&Expr)) {
        match self {
            Kind::Int(_) | Kind::Bool(_) | Kind::Str(_) | Kind::Name(_) | Kind::Wildcard => {}
            Kind::Both(a, b) => [a, b].into_iter().for_each(|e| f(e)),
            Kind::Tuple(all) | Kind::Dot(all) => all.iter().for_each(f),
            Kind::Seq(items) | Kind::Set(items) | Kind::Productions(items) => items.each_child(f),
            Kind::Map(pairs) => pairs.iter().flat_map(|(k, v)| [k, v]).for_each(f),
            Kind::Call(callee, args) => {
                f(callee);
                args.iter().for_each(f);
            }
            Kind::Lambda(lambda) => f(&lambda.body.expr),
            Kind::Let(group, body) => {
                let clauses = group.decls.iter().flat_map(|decl| &decl.clauses);
                clauses.for_each(|clause| f(&clause.body));
                f(body);
            }
            Kind::If(parts) => parts.iter().for_each(f),
            Kind::Negate(e) | Kind::Not(e) | Kind::Length(e) => f(e),
            Kind::Binary(_, both)
            | Kind::Guard(both)
            | Kind::Choice(_, both)
            | Kind::Hide(both)
            | Kind::Project(both) => both.iter().for_each(f),
            Kind::Prefix(prefix) => prefix.each_child(f),
            Kind::Internal(all) => all.iter().for_each(|body| f(&body.expr)),
            Kind::Timeout(p, q) | Kind::Sequential(p, q) => {
                f(p);
                f(&q.expr);
            }
            Kind::Interface(set, both) => {
                set.iter().for_each(|set| f(set));
                both.iter().for_each(f);
            }
            Kind::Alphabetised(parts) => parts.iter().for_each(f),
            Kind::Link(both, renaming) => {
                both.iter().for_each(&mut *f);
                renaming.each_child(f);
            }
            Kind::Exception(both, q) => {
                both.iter().for_each(&mut *f);
                f(&q.expr);
            }
            Kind::Rename(p, renaming) => {
                f(p);
                renaming.each_child(f);
            }
            Kind::Replicated(replicated) => {
                match &replicated.op {
                    Operator::Interface(set) => f(set),
                    Operator::Alphabetised(alphabet) => f(&alphabet.expr),
                    _ => {}
                }
                replicated.stmts.iter().for_each(|stmt| stmt.each_child(f));
                f(&replicated.body.expr);
            }
        }
    }
}

impl Prefix {
    fn each_child(&self, f: &mut impl FnMut(&Expr)) {
        f(&self.channel);
        for field in &self.fields {
            match field {
                Field::Output(expr) => f(expr),
                Field::Input { from, .. } => from.iter().for_each(&mut *f),
            }
        }
        f(&self.body.expr);
    }
}
