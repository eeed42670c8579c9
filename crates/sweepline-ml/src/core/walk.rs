//! Traversals of terms.

use super::{Bind, Expr, ExprKind, Pattern, PatternKind};
use super::{FieldPattern, VarId};
use crate::source::Span;
use crate::types::{DataId, Label, Type, TypeId, Types};

impl Expr {
    /// Visits this expression and all expressions inside it, outermost first.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.each_child(&mut |child| child.each(visit));
    }

    /// Visits the direct children of this expression, in order of evaluation.
    pub fn each_child<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Var(..) | ExprKind::Literal(_) | ExprKind::Wrong => {}
            ExprKind::Lambda(lambda) => visit(&lambda.body),
            ExprKind::Apply(left, right) | ExprKind::While(left, right) => {
                visit(left);
                visit(right);
            }
            ExprKind::Prim { args: parts, .. }
            | ExprKind::List(parts)
            | ExprKind::Sequence(parts) => parts.iter().for_each(visit),
            ExprKind::Record(fields) => fields.iter().for_each(|field| visit(&field.value)),
            ExprKind::Select { record, .. } => visit(record),
            ExprKind::Construct { arg, .. } | ExprKind::Exception { arg, .. } => {
                arg.iter().for_each(|arg| visit(arg));
            }
            ExprKind::If(parts) => parts.iter().for_each(visit),
            ExprKind::Case { scrutinee: inner, rules, .. }
            | ExprKind::Handle { body: inner, rules } => {
                visit(inner);
                rules.iter().for_each(|rule| visit(&rule.body));
            }
            ExprKind::Let { binds, body } => {
                binds.iter().for_each(|bind| bind.each_value(visit));
                visit(body);
            }
            ExprKind::Raise(inner) => visit(inner),
        }
    }

    /// The variables that this expression binds for its children.
    pub fn binds(&self) -> Vec<VarId> {
        match &self.kind {
            ExprKind::Lambda(lambda) => vec![lambda.param],
            ExprKind::Case { rules, .. } | ExprKind::Handle { rules, .. } => {
                rules.iter().flat_map(|rule| rule.pattern.variables()).collect()
            }
            ExprKind::Let { binds, .. } => binds.iter().flat_map(Bind::variables).collect(),
            _ => Vec::new(),
        }
    }

    /// The pattern that matches exactly the value of this expression, if it consists of constants,
    /// constructors, tuples, records, lists and variables for which `binds` is true. A variable that occurs
    /// twice also occurs twice in the pattern: the caller must compare both values.
    pub fn as_pattern(&self, types: &mut Types, binds: &dyn Fn(VarId) -> bool) -> Option<Pattern> {
        let mut inner = |arg: &Option<Box<Expr>>| match arg {
            None => Some(None),
            Some(arg) => arg.as_pattern(types, binds).map(|arg| Some(Box::new(arg))),
        };
        let kind = match &self.kind {
            ExprKind::Var(var, _) if binds(*var) => PatternKind::Var(*var),
            ExprKind::Literal(literal) => PatternKind::Literal(literal.clone()),
            ExprKind::Construct { con, arg } => {
                PatternKind::Construct { con: *con, arg: inner(arg)? }
            }
            ExprKind::Record(fields) => {
                let Type::Record(typed) = types.get(self.ty).clone() else { return None };
                let parts = fields.iter().map(|field| {
                    let pattern = field.value.as_pattern(types, binds)?;
                    let label = typed.get(field.position as usize)?.0.clone();
                    Some(FieldPattern { label, position: field.position, pattern })
                });
                PatternKind::Record(parts.collect::<Option<_>>()?)
            }
            ExprKind::List(parts) => {
                let parts: Option<Vec<Pattern>> =
                    parts.iter().map(|part| part.as_pattern(types, binds)).collect();
                return Some(Pattern::list(types, parts?, self.ty, self.span));
            }
            _ => return None,
        };
        Some(Pattern { kind, ty: self.ty, span: self.span })
    }
}

impl Pattern {
    /// Visits this pattern and all patterns inside it, outermost first.
    pub fn each<'p>(&'p self, visit: &mut dyn FnMut(&'p Pattern)) {
        visit(self);
        match &self.kind {
            PatternKind::Record(fields) => {
                fields.iter().for_each(|field| field.pattern.each(visit));
            }
            PatternKind::Construct { arg: Some(inner), .. }
            | PatternKind::Exception { arg: Some(inner), .. }
            | PatternKind::Ref(inner)
            | PatternKind::As(_, inner) => inner.each(visit),
            _ => {}
        }
    }

    /// The variables that it binds, in order.
    pub fn variables(&self) -> Vec<VarId> {
        let mut found = Vec::new();
        self.each(&mut |part| {
            if let PatternKind::Var(var) | PatternKind::As(var, _) = part.kind {
                found.push(var);
            }
        });
        found
    }

    /// `[p, q]`, of type `ty`, as nested constructors.
    pub fn list(types: &mut Types, parts: Vec<Pattern>, ty: TypeId, span: Span) -> Pattern {
        let con = |tag| super::Con { data: DataId::LIST, tag };
        let nil = PatternKind::Construct { con: con(0), arg: None };
        let mut list = Pattern { kind: nil, ty, span };
        for head in parts.into_iter().rev() {
            let field = |position, pattern| {
                let label = Label::Position(position + 1);
                FieldPattern { label, position, pattern }
            };
            let pair_ty = types.tuple(&[head.ty, ty]);
            let pair = PatternKind::Record(vec![field(0, head), field(1, list)]);
            let pair = Pattern { kind: pair, ty: pair_ty, span };
            let kind = PatternKind::Construct { con: con(1), arg: Some(Box::new(pair)) };
            list = Pattern { kind, ty, span };
        }
        list
    }
}

impl Bind {
    /// Visits the values it binds.
    pub fn each_value<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Bind::Value { value, .. } | Bind::Pattern { value, .. } => visit(value),
            Bind::Recursive { functions, .. } => {
                functions.iter().for_each(|(_, value)| visit(value));
            }
        }
    }

    /// The variables that it binds, in order.
    pub fn variables(&self) -> Vec<VarId> {
        match self {
            Bind::Pattern { pattern, .. } => pattern.variables(),
            _ => self.named_values().into_iter().map(|(var, _)| var).collect(),
        }
    }

    /// The variables that are bound to whole values, with these values.
    pub fn named_values(&self) -> Vec<(VarId, &Expr)> {
        match self {
            Bind::Value { var, value, .. } => vec![(*var, value)],
            Bind::Recursive { functions, .. } => {
                functions.iter().map(|(var, value)| (*var, value)).collect()
            }
            Bind::Pattern { .. } => Vec::new(),
        }
    }
}
