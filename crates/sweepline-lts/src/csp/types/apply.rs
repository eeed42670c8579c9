//! Calls.

use sweepline_source::Span;

use super::Checker;
use super::built_in::{BuiltIn, Result};
use super::ty::{Signature, Type};
use crate::csp::ast::{Expr, Kind, Lambda, Sym};
use crate::problem::Problem;

impl Checker<'_> {
    /// The type of `callee(args)`.
    pub(super) fn call(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Type {
        if let Kind::Name(name) = callee.kind
            && let Some(built_in) = self.built_in_function(name)
        {
            return self.call_built_in(name, &built_in, args, span);
        }
        if let Kind::Lambda(lambda) = &callee.kind
            && lambda.params.len() == args.len()
        {
            return self.call_lambda(lambda, args);
        }
        let function = self.infer(callee);
        match &function {
            Type::Function(signature) => self.apply(signature, args, span),
            Type::Unknown | Type::Never => {
                self.infer_all(args);
                Type::Unknown
            }
            other => {
                let any = Type::function(None, Vec::new(), Type::Unknown);
                self.clash(callee.span, &any, other);
                self.infer_all(args);
                Type::Unknown
            }
        }
    }

    /// A lambda that is called where it is written: its parameters have the types of the arguments.
    fn call_lambda(&mut self, lambda: &Lambda, args: &[Expr]) -> Type {
        let types: Vec<Type> = args.iter().map(|arg| self.infer(arg)).collect();
        self.isolated(|checker| {
            let params = lambda.params.iter().zip(&types);
            let (lists, result) = checker.bound_clause(&[params.collect()], &lambda.body.expr);
            for ((arg, ty), param) in args.iter().zip(&types).zip(lists.iter().flatten()) {
                if param.is_disjoint(ty) {
                    checker.clash(arg.span, param, ty);
                }
            }
            result
        })
    }

    fn infer_all(&mut self, args: &[Expr]) {
        args.iter().for_each(|arg| drop(self.infer(arg)));
    }

    /// A call of a script's own function. Its arguments are counted when it has the last list of them.
    fn apply(&mut self, signature: &Signature, args: &[Expr], span: Span) -> Type {
        let Some((params, others)) = signature.lists.split_first() else { return Type::Unknown };
        if !others.is_empty() {
            self.infer_all(args);
            return Type::function(signature.name, others.to_vec(), signature.result.clone());
        }
        if params.len() != args.len() {
            let name = match signature.name {
                Some(name) => self.names.text(name.0).to_owned(),
                None => "the lambda".to_owned(),
            };
            self.infer_all(args);
            self.wrong_count(name, params.len(), args.len(), span);
            return Type::Unknown;
        }
        for (arg, param) in args.iter().zip(params) {
            self.expect(arg, param);
        }
        signature.result.clone()
    }

    fn wrong_count(&mut self, name: String, expected: usize, found: usize, span: Span) {
        self.report(span, Problem::ArgumentCount { name, expected, found });
    }

    fn call_built_in(&mut self, name: Sym, built_in: &BuiltIn, args: &[Expr], span: Span) -> Type {
        let BuiltIn { params, result } = built_in;
        if params.len() != args.len() {
            self.infer_all(args);
            let name = self.names.text(name.0).to_owned();
            self.wrong_count(name, params.len(), args.len(), span);
            return Type::Unknown;
        }
        let types: Vec<Type> = args
            .iter()
            .zip(params)
            .map(|(arg, param)| match param {
                Some(events) if *events == Type::set(Type::Data) => self.expect_events(arg),
                Some(param) => self.expect(arg, param),
                None => self.infer(arg),
            })
            .collect();
        let last = || types.last().cloned().unwrap_or(Type::Unknown);
        match result {
            Result::Always(ty) => ty.clone(),
            Result::Last => last(),
            Result::Member => last().member(),
            Result::SetOf => Type::set(last().member()),
            Result::SeqOf => Type::seq(last().member()),
            Result::SetsOf => Type::set(Type::set(last().member())),
            Result::SeqsOf => Type::set(Type::seq(last().member())),
            Result::Both => types.iter().fold(Type::set(Type::Never), |ty, one| match one {
                Type::Set(_) => ty.join(one),
                _ => Type::any_set(),
            }),
            Result::First => match types.first() {
                Some(ty @ Type::Set(_)) => ty.clone(),
                _ => Type::any_set(),
            },
        }
    }
}
