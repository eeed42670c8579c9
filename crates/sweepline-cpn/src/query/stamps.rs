//! Whether an expression reads time stamps.

use std::collections::{HashMap, HashSet};

use sweepline_ml::core::{Bind, Expr, ExprKind, Pattern, PatternKind, VarId};
use sweepline_ml::{DataId, Environment};

/// Whether `expr`, or a function that it uses, creates tokens with time stamps or matches time stamps by more
/// than a wildcard, as in `c @ _`.
pub(super) fn looks_at_stamps(environment: &Environment, expr: &Expr) -> bool {
    let binds = &environment.program().binds;
    let values: HashMap<VarId, &Expr> = binds.iter().flat_map(Bind::named_values).collect();
    let (mut open, mut seen, mut found) = (vec![expr], HashSet::new(), false);
    while let Some(expr) = open.pop() {
        expr.each(&mut |part| match &part.kind {
            ExprKind::Construct { con, .. } => found |= con.data == DataId::TIMED,
            ExprKind::Case { rules, .. } | ExprKind::Handle { rules, .. } => {
                found |= rules.iter().any(|rule| matches_stamps(&rule.pattern));
            }
            ExprKind::Let { binds, .. } => {
                found |= binds.iter().any(|bind| match bind {
                    Bind::Pattern { pattern, .. } => matches_stamps(pattern),
                    _ => false,
                });
            }
            ExprKind::Var(var, _) if seen.insert(*var) => open.extend(values.get(var)),
            _ => {}
        });
    }
    found
}

/// Whether the pattern matches a time stamp by more than a wildcard.
fn matches_stamps(pattern: &Pattern) -> bool {
    let mut found = false;
    pattern.each(&mut |part| {
        if let PatternKind::Construct { con, arg: Some(arg) } = &part.kind
            && con.data == DataId::TIMED
        {
            found |= match &arg.kind {
                PatternKind::Record(fields) => fields.iter().any(|field| {
                    field.position == 1 && field.pattern.kind != PatternKind::Wildcard
                }),
                _ => true,
            };
        }
    });
    found
}
