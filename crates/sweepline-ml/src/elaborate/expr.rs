//! Expressions.

use crate::ast::{self, ExprKind as Syntax};
use crate::core::{Expr, ExprKind, Field, Lambda, Literal, Otherwise, Rule, VarId};
use crate::problem::Problem;
use crate::source::Span;
use crate::types::{Label, TypeId, Types};

use super::unify::Class;
use super::{Context, Elaborator};

impl Elaborator<'_> {
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            Syntax::Constant(constant) => {
                let (literal, ty) = self.constant(constant, span);
                Expr { kind: ExprKind::Literal(literal), ty, span }
            }
            Syntax::Name(name) => self.name(name, span),
            Syntax::Record(fields) => self.record(fields, span),
            Syntax::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.expr(part)).collect();
                self.tuple(parts, span)
            }
            Syntax::Selector(label) => self.selector(label, span),
            Syntax::List(parts) => self.list(parts, span),
            Syntax::Sequence(parts) => self.sequence(parts, span),
            Syntax::Let(decls, body) => self.let_expr(decls, body, span),
            Syntax::Apply(function, arg) => self.apply(function, arg, span),
            Syntax::Typed(inner, ty) => {
                let core = self.expr(inner);
                let ty = self.type_expr(ty);
                let context = Context::Quoted(inner.span);
                self.expect_type(context, core.ty, ty, inner.span);
                Expr { ty, ..core }
            }
            Syntax::AndAlso(left, right) => self.connective(left, right, false, span),
            Syntax::OrElse(left, right) => self.connective(left, right, true, span),
            Syntax::Handle(body, rules) => {
                let body = Box::new(self.expr(body));
                let ty = body.ty;
                let rules = self.rules(rules, Types::EXN, ty);
                Expr { kind: ExprKind::Handle { body, rules }, ty, span }
            }
            Syntax::Raise(exception) => {
                let exception = self.checked(exception, Types::EXN);
                let ty = self.fresh(span);
                Expr { kind: ExprKind::Raise(Box::new(exception)), ty, span }
            }
            Syntax::If(parts) => self.if_expr(parts, span),
            Syntax::While(condition, body) => {
                let condition = Box::new(self.checked(condition, Types::BOOL));
                let body = Box::new(self.expr(body));
                Expr { kind: ExprKind::While(condition, body), ty: Types::UNIT, span }
            }
            Syntax::Case(scrutinee, rules) => {
                let scrutinee = Box::new(self.expr(scrutinee));
                let ty = self.fresh(span);
                let rules = self.rules(rules, scrutinee.ty, ty);
                let kind = ExprKind::Case { scrutinee, rules, otherwise: Otherwise::Match };
                Expr { kind, ty, span }
            }
            Syntax::Fn(rules) => self.function(rules, span),
            Syntax::Primitive(..) => self.wrong(span),
        }
    }

    /// An expression of a type that is known.
    pub(super) fn checked(&mut self, expr: &ast::Expr, ty: TypeId) -> Expr {
        let core = self.expr(expr);
        let context = Context::Quoted(expr.span);
        self.expect_type(context, core.ty, ty, expr.span);
        core
    }

    /// Integers are of any integer type until the end, when their bounds are checked.
    pub(super) fn constant(&mut self, constant: &Literal, span: Span) -> (Literal, TypeId) {
        let ty = match constant {
            Literal::Int(_) | Literal::IntInf(_) => self.fresh_class(Class::INTEGER, span),
            Literal::Word(_) => self.fresh_class(Class::WORD, span),
            Literal::Real(_) => Types::REAL,
            Literal::Char(_) => Types::CHAR,
            Literal::String(_) => Types::STRING,
        };
        (constant.clone(), ty)
    }

    fn record(&mut self, fields: &[(Label, ast::Expr)], span: Span) -> Expr {
        let mut values: Vec<(Label, Expr)> = Vec::with_capacity(fields.len());
        for (label, value) in fields {
            if values.iter().any(|(known, _)| known == label) {
                let name = label.to_string();
                self.error(Problem::Twice { name, place: "a record" }, value.span);
                continue;
            }
            let value = self.expr(value);
            values.push((label.clone(), value));
        }
        let types = values.iter().map(|(label, value)| (label.clone(), value.ty)).collect();
        let ty = self.types().record(types);
        let mut labels: Vec<Label> = values.iter().map(|(label, _)| label.clone()).collect();
        labels.sort();
        let place = |label: &Label| labels.binary_search(label).unwrap_or(0);
        let fields = values.into_iter().map(|(label, value)| Field {
            position: u32::try_from(place(&label)).unwrap_or(0),
            value,
        });
        Expr { kind: ExprKind::Record(fields.collect()), ty, span }
    }

    fn list(&mut self, parts: &[ast::Expr], span: Span) -> Expr {
        let element = self.fresh(span);
        let parts = parts.iter().map(|part| self.checked(part, element)).collect();
        let ty = self.types().list(element);
        Expr { kind: ExprKind::List(parts), ty, span }
    }

    fn sequence(&mut self, parts: &[ast::Expr], span: Span) -> Expr {
        let mut parts: Vec<Expr> = parts.iter().map(|part| self.expr(part)).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => {
                let ty = parts.last().map_or(Types::UNIT, |last| last.ty);
                Expr { kind: ExprKind::Sequence(parts), ty, span }
            }
        }
    }

    fn let_expr(&mut self, decls: &[ast::Decl], body: &ast::Expr, span: Span) -> Expr {
        let mark = self.state.scope.mark();
        let mut binds = Vec::new();
        for decl in decls {
            self.decl(decl, &mut binds);
        }
        let body = Box::new(self.expr(body));
        self.state.scope.undo(mark);
        let ty = body.ty;
        Expr { kind: ExprKind::Let { binds, body }, ty, span }
    }

    /// `andalso`, and `orelse` where `either`.
    fn connective(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        either: bool,
        span: Span,
    ) -> Expr {
        let left = self.checked(left, Types::BOOL);
        let right = self.checked(right, Types::BOOL);
        let tag = u32::from(either);
        let con = crate::core::Con { data: crate::types::DataId::BOOL, tag };
        let kind = ExprKind::Construct { con, arg: None };
        let settled = Expr { kind, ty: Types::BOOL, span };
        let parts = if either { [left, settled, right] } else { [left, right, settled] };
        Expr { kind: ExprKind::If(Box::new(parts)), ty: Types::BOOL, span }
    }

    fn if_expr(&mut self, parts: &[ast::Expr; 3], span: Span) -> Expr {
        let [condition, yes, no] = parts;
        let condition = self.checked(condition, Types::BOOL);
        let yes = self.expr(yes);
        let other = self.expr(no);
        let ty = yes.ty;
        self.expect_type(Context::Said("the `else` branch"), other.ty, ty, no.span);
        Expr { kind: ExprKind::If(Box::new([condition, yes, other])), ty, span }
    }

    /// Rules from one type to another.
    fn rules(&mut self, rules: &[ast::Rule], from: TypeId, to: TypeId) -> Vec<Rule> {
        let mut core = Vec::with_capacity(rules.len());
        for (pattern, body) in rules {
            let mark = self.state.scope.mark();
            let pattern_core = self.pattern(pattern);
            self.expect_type(Context::Said("the pattern"), pattern_core.ty, from, pattern.span);
            let body_core = self.expr(body);
            self.expect_type(Context::Said("this branch"), body_core.ty, to, body.span);
            self.state.scope.undo(mark);
            core.push(Rule { pattern: pattern_core, body: body_core });
        }
        core
    }

    fn function(&mut self, rules: &[ast::Rule], span: Span) -> Expr {
        let param_ty = self.fresh(span);
        let result = self.fresh(span);
        let mut rules = self.rules(rules, param_ty, result);
        let ty = self.types().arrow(param_ty, result);
        let lambda = |param, body| {
            let kind = ExprKind::Lambda(Box::new(Lambda { param, param_ty, body }));
            Expr { kind, ty, span }
        };
        if let [Rule { pattern, .. }] = &rules[..]
            && let crate::core::PatternKind::Var(param) = pattern.kind
        {
            let rule = rules.remove(0);
            return lambda(param, rule.body);
        }
        let param = self.made_variable(param_ty);
        let scrutinee = Box::new(self.bound(param, param_ty, span));
        let kind = ExprKind::Case { scrutinee, rules, otherwise: Otherwise::Match };
        lambda(param, Expr { kind, ty: result, span })
    }

    /// A variable that is not polymorphic.
    pub(super) fn bound(&self, var: VarId, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Var(var, Vec::new()), ty, span }
    }
}
