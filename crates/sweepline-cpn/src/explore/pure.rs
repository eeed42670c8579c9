//! Which expressions always give the same for the same variables.

use std::collections::{HashMap, HashSet};

use sweepline_ml::Prim;
use sweepline_ml::core::{Bind, Expr, ExprKind, Pattern, Program, VarId};

use crate::explore::plan::variables_of;

/// Tells expressions that depend on their variables alone from those that read references, time,
/// chance or the world.
pub(crate) struct Purity<'p> {
    values: HashMap<VarId, &'p Expr>,
}

impl<'p> Purity<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut values = HashMap::new();
        for bind in &program.binds {
            match bind {
                Bind::Value { var, value, .. } => drop(values.insert(*var, value)),
                Bind::Pattern { pattern, value } => bind_all(pattern, value, &mut values),
                Bind::Recursive { functions, .. } => {
                    values.extend(functions.iter().map(|(var, value)| (*var, value)));
                }
            }
        }
        Purity { values }
    }

    /// A function always gives the same for the same arguments.
    pub(crate) fn is_pure_function(&self, function: VarId) -> bool {
        self.values.get(&function).is_some_and(|expr| self.is_pure(expr))
    }

    /// `expr` gives the same whenever its free variables have the same values.
    pub(crate) fn is_pure(&self, expr: &Expr) -> bool {
        let mut seen: HashSet<VarId> = HashSet::new();
        let mut work = vec![expr];
        let mut pure = true;
        while let Some(expr) = work.pop() {
            expr.each(&mut |part| match &part.kind {
                ExprKind::Prim { op, .. } => pure &= !has_effect(*op),
                ExprKind::Var(var, _) if seen.insert(*var) => work.extend(self.values.get(var)),
                _ => {}
            });
        }
        pure
    }
}

fn bind_all<'p>(pattern: &Pattern, value: &'p Expr, values: &mut HashMap<VarId, &'p Expr>) {
    values.extend(variables_of(pattern).into_iter().map(|var| (var, value)));
}

fn has_effect(op: Prim) -> bool {
    // What is not known to be harmless is not: new primitives are doors until they are looked at.
    !matches!(
        op,
        Prim::Equal
            | Prim::NotEqual
            | Prim::Arith(..)
            | Prim::Compare(..)
            | Prim::IntMin
            | Prim::IntMax
            | Prim::IntQuot
            | Prim::IntRem
            | Prim::IntToString
            | Prim::IntToIntInf
            | Prim::IntInfToInt
            | Prim::CharOrd
            | Prim::CharChr
            | Prim::StringSize
            | Prim::StringSub
            | Prim::Substring
            | Prim::StringAppend
            | Prim::StringConcat
            | Prim::Implode
            | Prim::Explode
            | Prim::CharToString
            | Prim::StringCompare
            | Prim::ListAppend
            | Prim::ListReverse
            | Prim::ListLength
            | Prim::Repeat
            | Prim::MultiSetSubtract
            | Prim::MultiSetEqual
            | Prim::MultiSetContained
            | Prim::MultiSetCount
            | Prim::ListMember
    )
}
