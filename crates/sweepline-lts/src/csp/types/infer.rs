//! The types of expressions that are not processes.

use super::ty::Type;
use super::{Checker, MAX_WORK};
use crate::csp::ast::{Binary, Expr, Items, Kind, Stmt, Sym};

impl Checker<'_> {
    /// The type of `expr`. What the variables in it must be is noted.
    pub(super) fn infer(&mut self, expr: &Expr) -> Type {
        self.work += 1;
        if self.work > MAX_WORK {
            return Type::Unknown;
        }
        match &expr.kind {
            Kind::Int(_) => Type::Int,
            Kind::Bool(_) => Type::Bool,
            Kind::Str(_) => Type::Str,
            Kind::Name(name) => self.name(*name),
            Kind::Tuple(all) => Type::tuple(all.iter().map(|part| self.infer(part)).collect()),
            Kind::Seq(items) => Type::seq(self.items(items, &mut Checker::infer)),
            Kind::Set(items) => Type::set(self.items(items, &mut Checker::infer)),
            Kind::Productions(items) => {
                self.items(items, &mut |checker, item| checker.expect(item, &Type::Data));
                Type::set(Type::Data)
            }
            Kind::Map(pairs) => {
                pairs.iter().for_each(|(key, value)| {
                    self.infer(key);
                    self.infer(value);
                });
                Type::Map
            }
            Kind::Dot(parts) => self.dotted(parts).0,
            Kind::Call(callee, args) => self.call(callee, args, expr.span),
            Kind::Lambda(lambda) => self.isolated(|checker| {
                let (params, result) = checker.clause(&[&lambda.params], &lambda.body.expr);
                Type::function(None, params, result)
            }),
            Kind::Let(group, inside) => {
                let len = self.group(group);
                let ty = self.infer(inside);
                self.locals.truncate(len);
                ty
            }
            Kind::If(parts) => self.choose(parts, &mut Checker::infer),
            Kind::Negate(inner) => {
                self.expect(inner, &Type::Int);
                Type::Int
            }
            Kind::Not(inner) => {
                self.expect(inner, &Type::Bool);
                Type::Bool
            }
            Kind::Length(inner) => {
                self.expect(inner, &Type::any_seq());
                Type::Int
            }
            Kind::Binary(op, both) => self.binary(*op, both),
            Kind::Wildcard | Kind::Both(..) => Type::Unknown,
            _ => {
                self.operator(expr);
                Type::Process
            }
        }
    }

    /// Expressions whose parts must be in `expected` if they are: the part with the wrong value is reported.
    pub(super) fn expect_below(&mut self, expr: &Expr, expected: &[Type]) -> Option<Type> {
        self.work += 1;
        match &expr.kind {
            Kind::If(parts) => {
                Some(self.choose(parts, &mut |checker, part| checker.expect_in(part, expected)))
            }
            Kind::Let(group, inside) => {
                let len = self.group(group);
                let ty = self.expect_in(inside, expected);
                self.locals.truncate(len);
                Some(ty)
            }
            _ => None,
        }
    }

    /// Notes that the value of `expr` is in `ty`, if it is a variable.
    pub(super) fn learn(&mut self, expr: &Expr, ty: &Type) {
        if let Kind::Name(name) = expr.kind
            && let Some(index) = self.locals.find(name)
        {
            self.locals.learn(index, ty);
        }
    }

    /// Runs `inside`, which may not be evaluated: what is learned in it about outer variables is forgotten.
    pub(super) fn isolated<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let (mark, len) = (self.locals.mark(), self.locals.len());
        let result = inside(self);
        self.locals.truncate(len);
        self.locals.back_to(&mark);
        result
    }

    fn name(&mut self, name: Sym) -> Type {
        if let Some(index) = self.locals.find(name) {
            return self.locals.ty(index).clone();
        }
        let Some(known) = self.globals.get(&name) else { return self.built_in_constant(name) };
        // While a constant is evaluated, it is a process that is evaluated later.
        match known {
            Type::Never => Type::Never,
            _ if self.circular.contains(&name) => known.join(&Type::Process),
            _ => known.clone(),
        }
    }

    /// `if c then a else b`, with `part` for both alternatives.
    fn choose(
        &mut self,
        parts: &[Expr; 3],
        part: &mut dyn FnMut(&mut Self, &Expr) -> Type,
    ) -> Type {
        let [condition, then, otherwise] = parts;
        self.expect(condition, &Type::Bool);
        let mark = self.locals.mark();
        let first = part(self, then);
        let learned = self.locals.back_to(&mark);
        let second = part(self, otherwise);
        let also = self.locals.back_to(&mark);
        self.locals.learn_both(&learned, &also);
        first.join(&second)
    }

    fn binary(&mut self, op: Binary, both: &[Expr; 2]) -> Type {
        let [left, right] = both;
        match op {
            Binary::And | Binary::Or => {
                self.expect(left, &Type::Bool);
                self.isolated(|checker| checker.expect(right, &Type::Bool));
                Type::Bool
            }
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Mod => {
                self.expect(left, &Type::Int);
                self.expect(right, &Type::Int);
                Type::Int
            }
            Binary::Concat => {
                let [a, b] = [left, right].map(|side| self.expect(side, &Type::any_seq()));
                match (&a, &b) {
                    (Type::Seq(_), Type::Seq(_)) => a.join(&b),
                    _ => Type::any_seq(),
                }
            }
            _ => {
                self.infer(left);
                self.infer(right);
                Type::Bool
            }
        }
    }

    /// The type of the members of `items`, each of which is passed to `item`.
    pub(super) fn items(
        &mut self,
        items: &Items,
        item: &mut dyn FnMut(&mut Self, &Expr) -> Type,
    ) -> Type {
        match items {
            Items::List(all, stmts) => self.stmts(stmts, |checker| {
                all.iter().fold(Type::Never, |ty, one| ty.join(&item(checker, one)))
            }),
            Items::Range(from, to, stmts) => self.stmts(stmts, |checker| {
                checker.expect(from, &Type::Int);
                to.iter().for_each(|to| {
                    checker.expect(to, &Type::Int);
                });
                Type::Int
            }),
        }
    }

    /// The statements of a comprehension, and `inside` for each choice of their values. All but the first statement
    /// may not be evaluated.
    pub(super) fn stmts<T>(&mut self, stmts: &[Stmt], inside: impl FnOnce(&mut Self) -> T) -> T {
        let Some((first, rest)) = stmts.split_first() else { return inside(self) };
        let source = self.stmt(first);
        self.isolated(|checker| {
            checker.bind_stmt(first, &source);
            for stmt in rest {
                let source = checker.stmt(stmt);
                checker.bind_stmt(stmt, &source);
            }
            inside(checker)
        })
    }

    /// The type of what a generator generates from.
    fn stmt(&mut self, stmt: &Stmt) -> Type {
        match stmt {
            Stmt::Generator(_, from) => self.expect_in(from, &[Type::any_set(), Type::any_seq()]),
            Stmt::Guard(condition) => self.expect(condition, &Type::Bool),
        }
    }

    fn bind_stmt(&mut self, stmt: &Stmt, source: &Type) {
        if let Stmt::Generator(pattern, _) = stmt {
            self.bind(pattern, &source.member());
        }
    }

    /// Values joined by dots, and the type of each.
    pub(super) fn dotted(&mut self, parts: &[Expr]) -> (Type, Vec<Type>) {
        let types: Vec<_> = parts.iter().map(|part| self.infer(part)).collect();
        let is_set = |ty: &Type| matches!(ty, Type::Set(_) | Type::Unknown | Type::Never);
        let ty = match types.iter().all(is_set) {
            // Sets joined by dots are a type.
            true if types.iter().all(|ty| matches!(ty, Type::Set(_))) => Type::any_set(),
            true => Type::Unknown,
            false => Type::Data,
        };
        (ty, types)
    }
}
