//! The variables that a function takes from around it.

use std::collections::HashSet;
use std::rc::Rc;

use foldhash::fast::FixedState;

use crate::core::{Bind, Expr, ExprKind, Pattern, PatternKind, VarId};

use super::{Compiler, Definition};

/// The variables that a pattern binds, in order.
pub(crate) fn pattern_variables(pattern: &Pattern, found: &mut Vec<VarId>) {
    match &pattern.kind {
        PatternKind::Var(var) => found.push(*var),
        PatternKind::As(var, inner) => {
            found.push(*var);
            pattern_variables(inner, found);
        }
        PatternKind::Record(fields) => {
            fields.iter().for_each(|field| pattern_variables(&field.pattern, found));
        }
        PatternKind::Construct { arg: Some(inner), .. }
        | PatternKind::Exception { arg: Some(inner), .. }
        | PatternKind::Ref(inner) => pattern_variables(inner, found),
        _ => {}
    }
}

/// Which variables an expression uses and which it binds. Variables are unique in a program, so that
/// those used and not bound are free.
#[derive(Default)]
struct Found {
    used: Vec<VarId>,
    seen: HashSet<VarId, FixedState>,
    bound: HashSet<VarId, FixedState>,
}

impl Found {
    fn visit(&mut self, part: &Expr) {
        let mut bound = Vec::new();
        match &part.kind {
            ExprKind::Var(var, _) if self.seen.insert(*var) => self.used.push(*var),
            ExprKind::Lambda(lambda) => bound.push(lambda.param),
            ExprKind::Case { rules, .. } | ExprKind::Handle { rules, .. } => {
                rules.iter().for_each(|rule| pattern_variables(&rule.pattern, &mut bound));
            }
            ExprKind::Let { binds, .. } => {
                for bind in binds {
                    match bind {
                        Bind::Value { var, .. } => bound.push(*var),
                        Bind::Pattern { pattern, .. } => pattern_variables(pattern, &mut bound),
                        Bind::Recursive { functions, .. } => {
                            bound.extend(functions.iter().map(|(var, _)| *var));
                        }
                    }
                }
            }
            _ => {}
        }
        self.bound.extend(bound);
    }
}

impl Compiler<'_> {
    /// The registers around that some expressions need, in a fixed order: the free variables, and
    /// what free functions need in turn. `own` are the functions that the expressions define.
    pub(super) fn captures(&self, exprs: &[&Expr], own: &[VarId]) -> Rc<[VarId]> {
        let mut found = Found::default();
        found.bound.extend(own);
        exprs.iter().for_each(|expr| expr.each(&mut |part| found.visit(part)));
        let mut captures = Vec::new();
        let mut push = |var: VarId| {
            if !captures.contains(&var) {
                captures.push(var);
            }
        };
        for var in found.used.iter().filter(|var| !found.bound.contains(var)) {
            match self.definitions.get(var) {
                None => push(*var),
                Some(Definition::Global { .. }) => {}
                Some(Definition::Function { extras, .. }) => {
                    extras.iter().for_each(|extra| push(*extra));
                }
                Some(Definition::Inline { value, .. }) => {
                    self.captures(&[value], &[]).iter().for_each(|inner| push(*inner));
                }
            }
        }
        captures.into()
    }
}

/// The variables that an expression mentions.
pub(super) fn mentioned(expr: &Expr) -> HashSet<VarId, FixedState> {
    let mut found = HashSet::default();
    expr.each(&mut |part| {
        if let ExprKind::Var(var, _) = part.kind {
            found.insert(var);
        }
    });
    found
}
