//! The type variables that a declaration binds: those written in it, but outside its inner declarations.

use crate::ast::{Clause, Expr, ExprKind, Pattern, PatternKind, TypeExpr, TypeKind};
use crate::types::Symbol;

/// The explicit type variables of a declaration, in order.
#[derive(Default)]
pub(super) struct Written(pub(super) Vec<Symbol>);

impl Written {
    fn ty(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Variable(name) => {
                if !self.0.contains(name) {
                    self.0.push(name.clone());
                }
            }
            TypeKind::Named(_, parts) | TypeKind::Tuple(parts) => {
                parts.iter().for_each(|part| self.ty(part));
            }
            TypeKind::Record(fields) => fields.iter().for_each(|(_, field)| self.ty(field)),
            TypeKind::Arrow(from, to) => {
                self.ty(from);
                self.ty(to);
            }
        }
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Record { fields, .. } => {
                fields.iter().for_each(|(_, part)| self.pattern(part));
            }
            PatternKind::Tuple(parts) | PatternKind::List(parts) => {
                parts.iter().for_each(|part| self.pattern(part));
            }
            PatternKind::Apply(_, part) => self.pattern(part),
            PatternKind::Typed(part, ty) => {
                self.pattern(part);
                self.ty(ty);
            }
            PatternKind::As(_, ty, part) => {
                ty.iter().for_each(|ty| self.ty(ty));
                self.pattern(part);
            }
            PatternKind::Wildcard | PatternKind::Constant(_) | PatternKind::Name(_) => {}
        }
    }

    pub(super) fn clause(&mut self, clause: &Clause) {
        clause.patterns.iter().for_each(|pattern| self.pattern(pattern));
        clause.result.iter().for_each(|ty| self.ty(ty));
        self.expr(&clause.body);
    }

    pub(super) fn rules(&mut self, rules: &[(Pattern, Expr)]) {
        for (pattern, body) in rules {
            self.pattern(pattern);
            self.expr(body);
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(_)
            | ExprKind::Name(_)
            | ExprKind::Selector(_)
            | ExprKind::Primitive(..) => {}
            ExprKind::Record(fields) => fields.iter().for_each(|(_, part)| self.expr(part)),
            ExprKind::Tuple(parts) | ExprKind::List(parts) | ExprKind::Sequence(parts) => {
                parts.iter().for_each(|part| self.expr(part));
            }
            // The inner declarations bind their own type variables.
            ExprKind::Let(_, body) => self.expr(body),
            ExprKind::Apply(left, right)
            | ExprKind::AndAlso(left, right)
            | ExprKind::OrElse(left, right)
            | ExprKind::While(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Typed(inner, ty) => {
                self.expr(inner);
                self.ty(ty);
            }
            ExprKind::Handle(inner, rules) | ExprKind::Case(inner, rules) => {
                self.expr(inner);
                self.rules(rules);
            }
            ExprKind::Raise(inner) => self.expr(inner),
            ExprKind::If(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::Fn(rules) => self.rules(rules),
        }
    }
}
