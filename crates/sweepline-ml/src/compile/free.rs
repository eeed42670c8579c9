//! Free variables of functions.

use std::collections::HashSet;
use std::rc::Rc;

use foldhash::fast::FixedState;

use crate::core::{Expr, ExprKind, VarId};

use super::{Compiler, Definition};

/// The variables that an expression uses and binds. Variables are unique in a program, so a variable that is
/// used and not bound is free.
#[derive(Default)]
struct Found {
    used: Vec<VarId>,
    seen: HashSet<VarId, FixedState>,
    bound: HashSet<VarId, FixedState>,
}

impl Found {
    fn visit(&mut self, part: &Expr) {
        if let ExprKind::Var(var, _) = &part.kind
            && self.seen.insert(*var)
        {
            self.used.push(*var);
        }
        self.bound.extend(part.binds());
    }
}

impl Compiler<'_> {
    /// The outer registers that some expressions need, in a fixed order: their free variables, and those of
    /// free functions. `own` are the functions that the expressions define.
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
