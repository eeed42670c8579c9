//! Definitions, clauses and patterns.

use super::Checker;
use super::ty::Type;
use crate::csp::ast::{Definition, Expr, Let, Pattern, PatternKind};

impl Checker<'_> {
    /// The type of what `definition` defines.
    pub(super) fn definition(&mut self, definition: &Definition) -> Type {
        self.isolated(|checker| {
            if definition.arity() == 0 {
                return checker.infer(&definition.clauses[0].body);
            }
            let mut all: Option<(Vec<Vec<Type>>, Type)> = None;
            for clause in &definition.clauses {
                let lists: Vec<&[Pattern]> = clause.params.iter().map(Vec::as_slice).collect();
                let (params, result) = checker.isolated(|c| c.clause(&lists, &clause.body));
                all = Some(match all {
                    None => (params, result),
                    Some((known, before)) => (joined(&known, &params), before.join(&result)),
                });
            }
            let (lists, result) = all.unwrap_or((Vec::new(), Type::Unknown));
            Type::function(Some(definition.name), lists, result)
        })
    }

    /// What the arguments of a clause are if its body has a value, and the type of the body.
    pub(super) fn clause(&mut self, lists: &[&[Pattern]], body: &Expr) -> (Vec<Vec<Type>>, Type) {
        let unknown = |pattern| (pattern, &Type::Unknown);
        let lists: Vec<_> =
            lists.iter().map(|list| list.iter().map(unknown).collect::<Vec<_>>()).collect();
        self.bound_clause(&lists, body)
    }

    /// The same for patterns that are matched with values of known types.
    pub(super) fn bound_clause(
        &mut self,
        lists: &[Vec<(&Pattern, &Type)>],
        body: &Expr,
    ) -> (Vec<Vec<Type>>, Type) {
        let len = self.locals.len();
        lists.iter().flatten().for_each(|(pattern, ty)| self.bind(pattern, ty));
        let result = self.infer(body);
        let mut next = len;
        let mut list = |list: &[(&Pattern, &Type)]| {
            list.iter().map(|(pattern, _)| self.matched(pattern, &mut next)).collect()
        };
        let params = lists.iter().map(|patterns| list(patterns)).collect();
        self.locals.truncate(len);
        (params, result)
    }

    /// The definitions of a `let`, which stay in scope. Returns the number of names before them.
    pub(super) fn group(&mut self, group: &Let) -> usize {
        let len = self.locals.len();
        let own: Vec<&Definition> = group
            .decls
            .iter()
            .filter(|decl| !(decl.is_part && self.heads.contains_key(&decl.name)))
            .collect();
        // A use before the definition, or in it, is of an unknown value.
        own.iter().for_each(|decl| self.locals.push(decl.name, Type::Unknown));
        for (index, decl) in own.iter().enumerate() {
            let ty = self.definition(decl);
            self.locals.define(len + index, ty);
        }
        len
    }

    /// Binds the variables of `pattern`, which is matched with a value in `ty`.
    pub(super) fn bind(&mut self, pattern: &Pattern, ty: &Type) {
        match &pattern.kind {
            PatternKind::Name(name) if !self.heads.contains_key(name) => {
                self.locals.push(*name, ty.clone());
            }
            PatternKind::Tuple(own) => match ty {
                Type::Tuple(all) if all.len() == own.len() => {
                    own.iter().zip(all.iter()).for_each(|(pattern, ty)| self.bind(pattern, ty));
                }
                _ => own.iter().for_each(|pattern| self.bind(pattern, &Type::Unknown)),
            },
            PatternKind::Seq { front, rest, back } => {
                let of = if let Type::Seq(_) = ty { ty.member() } else { Type::Unknown };
                front.iter().for_each(|pattern| self.bind(pattern, &of));
                rest.iter().for_each(|pattern| self.bind(pattern, &Type::seq(of.clone())));
                back.iter().for_each(|pattern| self.bind(pattern, &of));
            }
            PatternKind::Set(inner) => {
                let of = if let Type::Set(_) = ty { ty.member() } else { Type::Unknown };
                inner.iter().for_each(|pattern| self.bind(pattern, &of));
            }
            PatternKind::Dot(all) => {
                all.iter().for_each(|pattern| self.bind(pattern, &Type::Unknown));
            }
            PatternKind::Both(a, b) => [a, b].into_iter().for_each(|one| self.bind(one, ty)),
            _ => {}
        }
    }

    /// The type of the values that `pattern` matches, after its body was checked; its variables were bound from number
    /// `next` on.
    fn matched(&self, pattern: &Pattern, next: &mut usize) -> Type {
        match &pattern.kind {
            PatternKind::Wildcard => Type::Unknown,
            PatternKind::Name(name) if self.heads.contains_key(name) => Type::Data,
            PatternKind::Name(_) => {
                *next += 1;
                self.locals.ty(*next - 1).clone()
            }
            PatternKind::Int(_) => Type::Int,
            PatternKind::Bool(_) => Type::Bool,
            PatternKind::Str(_) => Type::Str,
            PatternKind::Tuple(all) => {
                Type::tuple(all.iter().map(|one| self.matched(one, next)).collect())
            }
            PatternKind::Seq { front, rest, back } => {
                let all = front.iter().chain(rest.as_deref()).chain(back);
                all.for_each(|one| drop(self.matched(one, next)));
                Type::any_seq()
            }
            PatternKind::Set(inner) => {
                inner.iter().for_each(|one| drop(self.matched(one, next)));
                Type::any_set()
            }
            PatternKind::Dot(all) => {
                all.iter().for_each(|one| drop(self.matched(one, next)));
                Type::Data
            }
            PatternKind::Both(a, b) => {
                let [a, b] = [a, b].map(|one| self.matched(one, next));
                if a == Type::Unknown { b } else { a }
            }
        }
    }
}

/// The types of the arguments of two clauses.
fn joined(a: &[Vec<Type>], b: &[Vec<Type>]) -> Vec<Vec<Type>> {
    let list = |(a, b): (&Vec<Type>, &Vec<Type>)| {
        a.iter().zip(b).map(|(a, b)| a.join(b)).collect::<Vec<_>>()
    };
    a.iter().zip(b).map(list).collect()
}
