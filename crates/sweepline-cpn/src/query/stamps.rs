//! Whether a question looks at time stamps.

use std::collections::{HashMap, HashSet};

use sweepline_ml::core::{Bind, Expr, ExprKind, Pattern, PatternKind, VarId};
use sweepline_ml::{DataId, Environment};

/// `expr`, or a function that it uses, makes tokens with stamps or matches on their stamps: more than to
/// leave them out by `c @ _`.
pub(super) fn looks_at_stamps(environment: &Environment, expr: &Expr) -> bool {
    let mut values: HashMap<VarId, &Expr> = HashMap::new();
    for bind in &environment.program().binds {
        match bind {
            Bind::Value { var, value, .. } => _ = values.insert(*var, value),
            Bind::Recursive { functions, .. } => {
                values.extend(functions.iter().map(|(var, value)| (*var, value)));
            }
            Bind::Pattern { .. } => {}
        }
    }
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

/// The pattern of a token has more than a wildcard for its stamp.
fn matches_stamps(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Construct { con, arg: Some(arg) } if con.data == DataId::TIMED => {
            let PatternKind::Record(fields) = &arg.kind else { return true };
            let stamp = fields.iter().filter(|field| field.position == 1);
            let seen = stamp.map(|field| &field.pattern.kind);
            seen.into_iter().any(|kind| *kind != PatternKind::Wildcard)
                || fields.iter().any(|field| matches_stamps(&field.pattern))
        }
        PatternKind::Record(fields) => fields.iter().any(|field| matches_stamps(&field.pattern)),
        PatternKind::Construct { arg: Some(inner), .. }
        | PatternKind::Exception { arg: Some(inner), .. }
        | PatternKind::Ref(inner)
        | PatternKind::As(_, inner) => matches_stamps(inner),
        _ => false,
    }
}
