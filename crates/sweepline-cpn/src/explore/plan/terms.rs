//! Splits input inscriptions into terms `` n`pattern ``, for which tokens can be picked, and the rest.

use sweepline_ml::core::{Expr, ExprKind, Literal, Pattern};
use sweepline_ml::{DataId, Environment, Inscription, Prim, Typing};

use crate::explore::transition::{Form, Unit};
use crate::net::{Shape, delayed, shape};

/// A part of an input inscription.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// Tokens of one colour. The pattern matches the colour, either exactly or except for parts that must be
    /// computed.
    Token { expr: Expr, count: u64, pattern: (Pattern, bool) },
    /// The value of an expression, once its variables are bound. Tokens for its parts may be picked to bind
    /// them.
    Given { expr: Expr, form: Form, parts: Vec<Term> },
}

/// The terms of an input inscription.
pub(super) fn terms(environment: &mut Environment, inscription: &Inscription) -> Vec<Term> {
    let expr = &inscription.expr;
    match inscription.typing {
        Typing::Token => vec![token(environment, expr, 1)],
        Typing::MultiSet => {
            let mut found = Vec::new();
            sum(environment, expr, &mut found);
            found
        }
        Typing::TimedToken | Typing::TimedMultiSet => {
            let mut parts = Vec::new();
            timed_sum(environment, expr, &mut parts);
            vec![Term::Given { expr: expr.clone(), form: Form::Timed, parts }]
        }
    }
}

fn token(environment: &mut Environment, expr: &Expr, count: u64) -> Term {
    let Shape { pattern, is_exact, .. } = shape(environment, expr);
    Term::Token { expr: expr.clone(), count, pattern: (pattern, is_exact) }
}

/// Splits a multi-set at its sums.
fn sum(environment: &mut Environment, expr: &Expr, found: &mut Vec<Term>) {
    match &expr.kind {
        ExprKind::Prim { op: Prim::ListAppend, args, .. } => {
            args.iter().for_each(|part| sum(environment, part, found));
        }
        ExprKind::List(parts) => {
            for part in parts {
                found.push(token(environment, part, 1));
            }
        }
        ExprKind::Prim { op: Prim::Repeat, args, .. } => match &args[..] {
            [Expr { kind: ExprKind::Literal(Literal::Int(count)), .. }, colour] => {
                if let Ok(count @ 1..) = u64::try_from(*count) {
                    found.push(token(environment, colour, count));
                }
            }
            _ => found.push(given(expr)),
        },
        _ => found.push(given(expr)),
    }
}

fn given(expr: &Expr) -> Term {
    Term::Given { expr: expr.clone(), form: Form::MultiSet, parts: Vec::new() }
}

/// The colours in a timed multi-set: of `ms @+ d`, of `c @ t`, and of their sums.
fn timed_sum(environment: &mut Environment, expr: &Expr, found: &mut Vec<Term>) {
    match &expr.kind {
        ExprKind::Prim { op: Prim::ListAppend, args: parts, .. } | ExprKind::List(parts) => {
            parts.iter().for_each(|part| timed_sum(environment, part, found));
        }
        ExprKind::Prim { op: Prim::Repeat, args, .. } => {
            args.iter().skip(1).for_each(|part| timed_sum(environment, part, found));
        }
        ExprKind::Construct { con, arg: Some(arg) } if con.data == DataId::TIMED => {
            if let ExprKind::Record(fields) = &arg.kind
                && let Some(field) = fields.iter().find(|field| field.position == 0)
            {
                found.push(token(environment, &field.value, 1));
            }
        }
        _ => {
            if let Some((tokens, ..)) = delayed(environment, expr) {
                sum(environment, tokens, found);
            }
        }
    }
}

/// The delays in a timed input inscription, `d` of `ms @+ d`. Tokens may be removed this much early.
pub(crate) fn delays<'e>(environment: &Environment, expr: &'e Expr) -> Vec<(&'e Expr, Unit)> {
    let mut found = Vec::new();
    expr.each(&mut |part| {
        let delay = delayed(environment, part);
        let unit = |of_time| if of_time { Unit::Time } else { Unit::Int };
        found.extend(delay.map(|(_, delay, of_time)| (delay, unit(of_time))));
    });
    found
}
