//! From syntax trees to the core language: names are resolved, types inferred, operators chosen.
//!
//! Hindley and Milner's inference with Standard ML's additions: the value restriction, equality
//! types, overloaded operators that default to `int`, records of which only some fields are known.
//! After a mistake a fresh type goes on in place of the wrong one, so that all mistakes are found.

mod apply;
mod bind;
mod decl;
mod expr;
mod finish;
mod pattern;
pub(crate) mod scope;
mod show;
mod type_expr;
mod type_variables;
mod unify;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use crate::core::{Expr, ExprKind, Program, VarId, Variable};
use crate::parse::Fixities;
use crate::problem::Problem;
use crate::source::{Sources, Span};
use crate::types::{Scheme, Symbol, TypeId, Types};

pub(crate) use apply::unwrapped;
pub(crate) use decl::suggestion;
pub(crate) use show::show_type;

use scope::Scope;
use unify::{Clash, Unknown};

/// Types have at most so many nodes, written out: `fun p x = (x, x)` applied to itself thirty times over
/// has a billion.
pub(crate) const MOST_TYPE_NODES: u32 = 10_000;

/// So many nodes of types are looked at for one text: while they are not yet known, types that are too
/// large are found by the time they take.
const MOST_EFFORT: u64 = 5_000_000;

/// What a variable is besides its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Declared by `var`: transitions bind it.
    Cpn,
    /// Declared by `globref`.
    Reference,
}

/// What elaboration reads and adds to.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) program: Program,
    pub(crate) sources: Sources,
    /// The operators of the library, for generated texts.
    pub(crate) prelude_fixities: Fixities,
    pub(crate) scope: Scope,
    /// The names of the library alone.
    pub(crate) prelude: scope::Mark,
    /// The shelves of the library that are declared, a bit for each.
    pub(crate) shelves: u32,
    pub(crate) roles: HashMap<VarId, Role>,
    pub(crate) cpn_variables: HashMap<Symbol, VarId>,
    /// The colour set that each of them was declared with.
    pub(crate) variable_sets: HashMap<VarId, crate::colour::ColourSetId>,
    pub(crate) colour_sets: Vec<crate::colour::ColourSet>,
    /// The latest colour set of each name.
    pub(crate) colour_set_ids: HashMap<Symbol, crate::colour::ColourSetId>,
    /// The bytes of the texts that the functions of colour sets were declared with.
    pub(crate) colour_set_bytes: usize,
    pub(crate) uses: Vec<Expr>,
    pub(crate) max_int: i64,
    /// Unknown names that similar ones were looked for.
    n_suggestions: Arc<AtomicU32>,
}

/// What to call an expression in a message. Words are cut out of the text only when they are needed.
#[derive(Clone, Copy, Debug)]
enum Context {
    Said(&'static str),
    Quoted(Span),
}

/// One elaboration of one text.
pub(crate) struct Elaborator<'s> {
    pub(crate) state: &'s mut State,
    pub(crate) errors: Vec<(Problem, Span)>,
    unknowns: Vec<Unknown>,
    /// Unknowns before this one have neither class nor fields.
    settled: usize,
    level: u32,
    /// Variables made since the start, whose types are finished at the end.
    first_variable: usize,
    type_variables: Vec<HashMap<Symbol, TypeId>>,
    /// Nodes of types that were looked at.
    effort: Cell<u64>,
    /// What the latest unknown type was made for.
    latest: Option<Span>,
    /// Types that are too large have been reported.
    gave_up: bool,
    /// The declaration selects a field of a record whose other fields are unknown.
    has_unresolved_record: bool,
}

impl<'s> Elaborator<'s> {
    pub(crate) fn new(state: &'s mut State) -> Self {
        let first_variable = state.program.variables.len();
        Self {
            state,
            errors: Vec::new(),
            unknowns: Vec::new(),
            settled: 0,
            level: 0,
            first_variable,
            type_variables: Vec::new(),
            effort: Cell::new(0),
            latest: None,
            gave_up: false,
            has_unresolved_record: false,
        }
    }

    /// Whether types have turned out too large.
    fn is_too_large(&self) -> bool {
        self.effort.get() > MOST_EFFORT
    }

    /// Gives up on types: nothing that follows would be of use.
    fn give_up(&mut self) {
        self.effort.set(u64::MAX / 2);
        if let (false, Some(span)) = (self.gave_up, self.latest) {
            self.gave_up = true;
            self.errors.push((Problem::TypesTooLarge { max: MOST_TYPE_NODES }, span));
        }
    }

    fn types(&mut self) -> &mut Types {
        &mut self.state.program.types
    }

    pub(crate) fn error(&mut self, problem: Problem, span: Span) {
        if self.gave_up {
            return;
        }
        self.errors.push((problem, span));
    }

    fn wrong(&mut self, span: Span) -> Expr {
        let ty = self.fresh(span);
        Expr { kind: ExprKind::Wrong, ty, span }
    }

    fn new_variable(&mut self, name: Symbol, ty: TypeId) -> VarId {
        let variables = &mut self.state.program.variables;
        variables.push(Variable { name, scheme: Scheme::mono(ty) });
        VarId(u32::try_from(variables.len() - 1).expect("fewer than 2^32 variables"))
    }

    /// A variable that no text names.
    fn made_variable(&mut self, ty: TypeId) -> VarId {
        self.new_variable("it".into(), ty)
    }

    /// Makes two types one, or says what does not fit.
    fn expect_type(
        &mut self,
        context: Context,
        found: TypeId,
        expected: TypeId,
        span: Span,
    ) -> bool {
        match self.unify(found, expected) {
            Ok(()) => true,
            Err(clash) => {
                self.report_clash(context, found, expected, &clash, span);
                false
            }
        }
    }

    fn report_clash(
        &mut self,
        context: Context,
        found: TypeId,
        expected: TypeId,
        clash: &Clash,
        span: Span,
    ) {
        if self.is_too_large() {
            return self.give_up();
        }
        let detail = self.explain(clash);
        let help = self.advise(found, expected);
        let names = self.show_all(&[found, expected]);
        let [found, expected] = names.try_into().unwrap_or_default();
        let context = match context {
            Context::Said(words) => words.to_owned(),
            Context::Quoted(span) => format!("`{}`", self.words(span)),
        };
        self.error(Problem::Mismatch { context, found, expected, detail, help }, span);
    }

    /// The words a span covers, cut if they are many.
    fn words(&self, span: Span) -> String {
        const MOST: usize = 40;
        let text = self.state.sources.text(span);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.chars().count() <= MOST {
            return words;
        }
        words.chars().take(MOST - 1).chain(['…']).collect()
    }

    /// A value at top level, of a type that is known.
    pub(crate) fn checked_at_top(&mut self, expr: &crate::ast::Expr, ty: TypeId) -> Expr {
        self.level += 1;
        let core = self.checked(expr, ty);
        self.level -= 1;
        self.settle();
        core
    }

    /// Elaborates an expression, checks its type, and finishes it.
    pub(crate) fn whole_expr(&mut self, expr: &crate::ast::Expr, expected: Option<TypeId>) -> Expr {
        self.level += 1;
        let mut core = self.expr(expr);
        if let Some(expected) = expected {
            self.expect_type(Context::Said("the expression"), core.ty, expected, expr.span);
        }
        self.level -= 1;
        self.settle();
        self.finish_expr(&mut core);
        self.finish_variables();
        core
    }
}
