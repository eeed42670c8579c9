//! Elaborates syntax trees to the core language: resolves names, infers types, selects overloaded operators.
//!
//! Hindley-Milner type inference with the additions of Standard ML: the value restriction, equality types,
//! overloaded operators that default to `int`, and records with unknown further fields. After a mistake a
//! fresh type replaces the wrong one, so that all mistakes are found.

mod advice;
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

pub(crate) use advice::foreign_type;
pub(crate) use apply::unwrapped;
pub(crate) use decl::suggestion;
pub(crate) use show::show_type;

use scope::Scope;
use unify::{Clash, Unknown};

/// The most nodes of a type when written out. `fun p x = (x, x)` applied to itself thirty times has a billion.
pub(crate) const MOST_TYPE_NODES: u32 = 10_000;

/// The most type nodes visited for one text. Types with unknowns are not measured, so a type that is too large
/// is found by the work that it causes.
const MOST_EFFORT: u64 = 5_000_000;

/// The role of a variable in the net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Declared by `var`: transitions bind it.
    Cpn,
    /// Declared by `globref`.
    Reference,
}

/// The input and output of elaboration.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) program: Program,
    pub(crate) sources: Sources,
    /// The operators of the library, for generated texts.
    pub(crate) prelude_fixities: Fixities,
    pub(crate) scope: Scope,
    /// The end of the library's names in the scope.
    pub(crate) prelude: scope::Mark,
    /// The library modules that are declared, as a bit set.
    pub(crate) on_demand_modules: u32,
    pub(crate) roles: HashMap<VarId, Role>,
    pub(crate) cpn_variables: HashMap<Symbol, VarId>,
    /// The colour set that each variable of the net was declared with.
    pub(crate) variable_sets: HashMap<VarId, crate::colour::ColourSetId>,
    pub(crate) colour_sets: Vec<crate::colour::ColourSet>,
    /// The latest colour set with each name.
    pub(crate) colour_set_ids: HashMap<Symbol, crate::colour::ColourSetId>,
    /// The bytes of generated text for all colour sets.
    pub(crate) colour_set_bytes: usize,
    pub(crate) uses: Vec<Expr>,
    pub(crate) max_int: i64,
    /// How many unknown names have been compared with known ones.
    n_suggestions: Arc<AtomicU32>,
}

/// The name of an expression in a message. The text is copied only if a message needs it.
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
    /// Unknowns with a smaller index have neither class nor fields.
    settled: usize,
    level: u32,
    /// The first variable of this elaboration. The types of its variables are finished at the end.
    first_variable: usize,
    type_variables: Vec<HashMap<Symbol, TypeId>>,
    /// Type nodes visited so far.
    effort: Cell<u64>,
    /// The position for which the latest unknown was created.
    latest: Option<Span>,
    /// That types are too large has been reported.
    gave_up: bool,
    /// The declaration selects a field of a record whose other fields are unknown.
    has_unresolved_record: bool,
    /// The operator or function whose argument is being checked, for hints.
    operator: Option<Symbol>,
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
            operator: None,
        }
    }

    /// Whether the types are too large.
    fn is_too_large(&self) -> bool {
        self.effort.get() > MOST_EFFORT
    }

    /// Stops inference: types are too large, and later messages would be useless.
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

    /// A variable without a name in the text.
    fn made_variable(&mut self, ty: TypeId) -> VarId {
        self.new_variable("it".into(), ty)
    }

    /// Unifies two types, or reports that they do not match.
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
        let help = self.advise(found, expected, span);
        let names = self.show_all(&[found, expected]);
        let [found, expected] = names.try_into().unwrap_or_default();
        let context = match context {
            Context::Said(words) => words.to_owned(),
            Context::Quoted(span) => format!("`{}`", self.words(span)),
        };
        self.error(Problem::Mismatch { context, found, expected, detail, help }, span);
    }

    /// The text of a span, cut after 40 characters.
    fn words(&self, span: Span) -> String {
        const MOST: usize = 40;
        let text = self.state.sources.text(span);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.chars().count() <= MOST {
            return words;
        }
        words.chars().take(MOST - 1).chain(['…']).collect()
    }

    /// A top-level value of a known type.
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
