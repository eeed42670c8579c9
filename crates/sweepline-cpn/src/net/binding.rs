//! What input arcs and guards can bind: the terms of sums, and the patterns in them.

use sweepline_ml::core::{Con, Expr, ExprKind, FieldPattern, Literal, Pattern, PatternKind, VarId};
use sweepline_ml::{DataId, Delay, Environment, Inscription, Label, Prim, Type, TypeId, Typing};

use super::{Binder, Coefficient, Conjunct, Term};

/// The inscription of an input arc as a sum of terms, if it is one.
pub(super) fn terms(environment: &mut Environment, inscription: &Inscription) -> Option<Vec<Term>> {
    let mut found = Vec::new();
    if inscription.typing == Typing::Token {
        let one = Coefficient::Constant(1);
        found.push(term(environment, one, &inscription.expr, None));
        return Some(found);
    }
    sum(environment, &inscription.expr, None, &mut found).then_some(found)
}

/// Whether the expression is a sum. Its terms are appended.
fn sum(
    environment: &mut Environment,
    expr: &Expr,
    delay: Option<&Delay>,
    found: &mut Vec<Term>,
) -> bool {
    match &expr.kind {
        ExprKind::Prim { op: Prim::ListAppend, args, .. } => {
            args.iter().all(|arg| sum(environment, arg, delay, found))
        }
        ExprKind::Prim { op: Prim::Repeat, args, .. } => match args.as_slice() {
            [count, token] if !is_stamped(token) => {
                let coefficient = match &count.kind {
                    ExprKind::Literal(Literal::Int(count)) => Coefficient::Constant(*count),
                    _ => Coefficient::Expr(count.clone()),
                };
                found.push(term(environment, coefficient, token, delay));
                true
            }
            _ => false,
        },
        ExprKind::List(tokens) if !tokens.iter().any(is_stamped) => {
            for token in tokens {
                found.push(term(environment, Coefficient::Constant(1), token, delay));
            }
            true
        }
        // `nil`; `empty` is another name for it.
        ExprKind::Construct { con: Con { data: DataId::LIST, tag: 0 }, .. } => true,
        ExprKind::Var(var, _) => environment.function("empty") == Some(*var),
        _ => match delayed(environment, expr) {
            Some((tokens, inner, of_time)) if delay.is_none() => {
                let make = if of_time { Delay::Time } else { Delay::Int };
                sum(environment, tokens, Some(&make(inner.clone())), found)
            }
            _ => false,
        },
    }
}

/// Whether the token is `c @ t`: with a time stamp, not a delay.
fn is_stamped(token: &Expr) -> bool {
    matches!(&token.kind, ExprKind::Construct { con, .. } if con.data == DataId::TIMED)
}

/// `tokens @+ e` and `tokens @++ e`: returns the tokens, `e`, and whether `e` is a time.
pub(crate) fn delayed<'e>(
    environment: &Environment,
    expr: &'e Expr,
) -> Option<(&'e Expr, &'e Expr, bool)> {
    let ExprKind::Apply(function, argument) = &expr.kind else { return None };
    let (ExprKind::Var(var, _), ExprKind::Record(fields)) = (&function.kind, &argument.kind) else {
        return None;
    };
    let operator = ["@+", "@++"].map(|name| environment.function(name));
    let which = operator.iter().position(|known| *known == Some(*var))?;
    let field = |at| fields.iter().find(|field| field.position == at).map(|field| &field.value);
    Some((field(0)?, field(1)?, which == 1))
}

fn term(
    environment: &mut Environment,
    coefficient: Coefficient,
    token: &Expr,
    delay: Option<&Delay>,
) -> Term {
    let shape = shape(environment, token);
    let mut needs = shape.needs;
    if let Coefficient::Expr(count) = &coefficient {
        extend(&mut needs, environment.variables_in(count));
    }
    if let Some(Delay::Int(expr) | Delay::Time(expr)) = delay {
        extend(&mut needs, environment.variables_in(expr));
    }
    let is_all_wildcard = shape.pattern.kind == PatternKind::Wildcard;
    Term {
        coefficient,
        token: token.clone(),
        delay: delay.cloned(),
        pattern: (!is_all_wildcard).then_some(shape.pattern),
        is_exact: shape.is_exact,
        binds: shape.binds,
        needs,
    }
}

/// A conjunct of a guard, with the variables that it can bind.
pub(crate) fn conjunct(environment: &mut Environment, expr: Expr) -> Conjunct {
    let mut binders = Vec::new();
    if let ExprKind::Prim { op: Prim::Equal, args, .. } = &expr.kind
        && let [left, right] = args.as_slice()
    {
        for (value, (side, other)) in [(1, (left, right)), (0, (right, left))] {
            let shape = shape(environment, side);
            let needs = environment.variables_in(other);
            if shape.binds.iter().any(|var| !needs.contains(var)) {
                let Shape { pattern, binds, .. } = shape;
                binders.push(Binder { pattern, binds, value, needs });
            }
        }
    }
    Conjunct { needs: environment.variables_in(&expr), expr, binders }
}

/// The pattern of an expression.
pub(crate) struct Shape {
    pub(crate) pattern: Pattern,
    pub(crate) is_exact: bool,
    binds: Vec<VarId>,
    /// The variables of the parts that are not patterns.
    needs: Vec<VarId>,
}

pub(crate) fn shape(environment: &mut Environment, expr: &Expr) -> Shape {
    let mut maker = Maker { environment, is_exact: true, binds: Vec::new(), needs: Vec::new() };
    let pattern = maker.pattern(expr);
    let Maker { is_exact, binds, needs, .. } = maker;
    Shape { pattern, is_exact, binds, needs }
}

/// Appends the variables that are not in the list yet.
pub(crate) fn extend(variables: &mut Vec<VarId>, more: impl IntoIterator<Item = VarId>) {
    for var in more {
        if !variables.contains(&var) {
            variables.push(var);
        }
    }
}

struct Maker<'e> {
    environment: &'e mut Environment,
    is_exact: bool,
    binds: Vec<VarId>,
    needs: Vec<VarId>,
}

impl Maker<'_> {
    /// Like [`Expr::as_pattern`], but a part that is not a pattern becomes a wildcard.
    fn pattern(&mut self, expr: &Expr) -> Pattern {
        let kind = match &expr.kind {
            ExprKind::Var(var, _) if self.environment.is_cpn_variable(*var) => {
                extend(&mut self.binds, [*var]);
                PatternKind::Var(*var)
            }
            // Real numbers cannot occur in patterns.
            ExprKind::Literal(literal) if !matches!(literal, Literal::Real(_)) => {
                PatternKind::Literal(literal.clone())
            }
            ExprKind::Construct { con, arg } => {
                let arg = arg.as_ref().map(|arg| Box::new(self.pattern(arg)));
                PatternKind::Construct { con: *con, arg }
            }
            ExprKind::Record(fields) => {
                let labels = self.labels(expr.ty);
                let fields = fields.iter().map(|field| FieldPattern {
                    label: labels
                        .get(field.position as usize)
                        .cloned()
                        .unwrap_or(Label::Position(field.position + 1)),
                    position: field.position,
                    pattern: self.pattern(&field.value),
                });
                PatternKind::Record(fields.collect())
            }
            ExprKind::List(parts) => {
                let parts = parts.iter().map(|part| self.pattern(part)).collect();
                let types = &mut self.environment.program_mut().types;
                return Pattern::list(types, parts, expr.ty, expr.span);
            }
            _ => {
                self.is_exact = false;
                extend(&mut self.needs, self.environment.variables_in(expr));
                PatternKind::Wildcard
            }
        };
        Pattern { kind, ty: expr.ty, span: expr.span }
    }

    fn labels(&self, ty: TypeId) -> Vec<Label> {
        match self.environment.program().types.get(ty) {
            Type::Record(fields) => fields.iter().map(|(label, _)| label.clone()).collect(),
            _ => Vec::new(),
        }
    }
}
