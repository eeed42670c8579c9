//! The check of types: finds expressions that fail whenever they are evaluated, such as `1 + true`.
//!
//! The language has no types at run time other than the kinds of values: `<1, true>` is a sequence, and a function may
//! return a process for one argument and a number for another. A checker that unifies types would reject such scripts.
//! This one computes which values an expression may have ([`Type`], a set of values), and what the arguments of a
//! function must be if a call of it succeeds. It reports an error only if no value fits.

mod apply;
mod built_in;
mod column;
mod define;
mod hint;
mod infer;
mod local;
mod order;
mod process;
mod program;
mod ty;

use std::collections::{HashMap, HashSet};

use sweepline_source::{MAX_ERRORS, Span, WordList};

use super::ast::{Decl, Expr, Sym};
use crate::problem::Problem;
use column::Columns;
use local::Locals;
use ty::Type;

/// The maximal number of expressions that are visited; the rest of the script is not checked.
const MAX_WORK: u64 = 50_000_000;

/// Adds the type errors of `decls`, in which all names are declared.
pub(super) fn check(decls: &[Decl], names: &WordList, errors: &mut Vec<(Span, Problem)>) {
    let mut checker = Checker::new(decls, names);
    checker.program(decls);
    errors.append(&mut checker.errors);
}

struct Checker<'a> {
    names: &'a WordList,
    /// The channels and constructors, with what is known about their fields.
    heads: HashMap<Sym, Columns>,
    /// The types of the names at the top level.
    globals: HashMap<Sym, Type>,
    /// The constants among the definitions that are being computed, which depend on themselves.
    circular: HashSet<Sym>,
    locals: Locals,
    errors: Vec<(Span, Problem)>,
    /// The positions with an error: there is one for each.
    reported: HashSet<(usize, u32, u32)>,
    work: u64,
}

impl<'a> Checker<'a> {
    fn new(decls: &[Decl], names: &'a WordList) -> Self {
        Checker {
            names,
            heads: column::of_all(decls, names),
            globals: HashMap::new(),
            circular: HashSet::new(),
            locals: Locals::default(),
            errors: Vec::new(),
            reported: HashSet::new(),
            work: 0,
        }
    }

    fn report(&mut self, span: Span, problem: Problem) {
        if self.errors.len() < 10 * MAX_ERRORS && self.reported.insert(place(span)) {
            self.errors.push((span, problem));
        }
    }

    /// Reports that `found` is not `expected`.
    fn clash(&mut self, span: Span, expected: &Type, found: &Type) {
        let hint = hint::of(expected, found);
        let expected = match expected {
            Type::Data => "a channel or an event".to_owned(),
            other => other.words(),
        };
        let found = found.words();
        self.report(span, Problem::TypeClash { expected, found, hint });
    }

    /// Checks `expr`, whose value must be in `expected`. Returns its type.
    fn expect(&mut self, expr: &Expr, expected: &Type) -> Type {
        self.expect_in(expr, std::slice::from_ref(expected))
    }

    /// Checks `expr`, whose value must be in one of `expected`, which are distinct kinds.
    fn expect_in(&mut self, expr: &Expr, expected: &[Type]) -> Type {
        if let Some(found) = self.expect_below(expr, expected) {
            return found;
        }
        let found = self.infer(expr);
        if expected.iter().all(|one| one.is_disjoint(&found)) {
            self.clash(expr.span, &expected[0], &found);
            return Type::Unknown;
        }
        if let [only] = expected {
            self.learn(expr, only);
            if found == Type::Unknown {
                return only.clone();
            }
        }
        found
    }
}

/// A position as a key.
fn place(span: Span) -> (usize, u32, u32) {
    (span.source.index(), span.start, span.end)
}
