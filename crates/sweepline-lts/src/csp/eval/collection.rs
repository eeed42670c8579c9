//! Sets, sequences and comprehensions.

use std::rc::Rc;

use sweepline_source::Span;

use super::{Evaluated, Evaluator, MAX_SET, fail};
use crate::csp::ast::{Expr, Items, Stmt};
use crate::csp::value::{Endless, Env, Set, Value};
use crate::problem::Problem;

impl Evaluator<'_> {
    /// `<...>`.
    pub(super) fn sequence(
        &mut self,
        items: &Items,
        env: &mut Env,
        span: Span,
    ) -> Evaluated<Value> {
        match self.items(items, env, span)? {
            Some(all) => Ok(Value::Seq(all.into())),
            None => fail(span, Problem::Infinite { what: "this sequence".to_owned() }),
        }
    }

    /// `{...}`.
    pub(super) fn set(&mut self, items: &Items, env: &mut Env, span: Span) -> Evaluated<Value> {
        match (self.items(items, env, span)?, items) {
            (Some(all), _) => Ok(Value::set(all)),
            (None, Items::Range(from, ..)) => {
                let least = self.int(from, env)?;
                Ok(Value::Set(Set::Endless(Endless::From(least))))
            }
            (None, _) => unreachable!("only ranges are open"),
        }
    }

    /// `{| c, d.1 |}`: all events that begin with these.
    pub(super) fn all_productions(
        &mut self,
        items: &Items,
        env: &mut Env,
        span: Span,
    ) -> Evaluated<Value> {
        let starts = self.items(items, env, span)?.unwrap_or_default();
        let mut all = Vec::new();
        for start in starts {
            all.extend(self.productions(&start, span)?);
            self.bounded(all.len(), span)?;
        }
        Ok(Value::set(all))
    }

    pub(super) fn bounded(&self, n: usize, span: Span) -> Evaluated<()> {
        match n <= MAX_SET {
            true => Ok(()),
            false => fail(span, Problem::HugeSet { limit: MAX_SET }),
        }
    }

    /// The items in brackets; `None` for the infinite `n..`.
    fn items(&mut self, items: &Items, env: &mut Env, span: Span) -> Evaluated<Option<Vec<Value>>> {
        let mut all = Vec::new();
        match items {
            Items::List(exprs, stmts) => {
                self.each(stmts, env, &mut |eval, env| {
                    for expr in exprs {
                        all.push(eval.eval(expr, env)?);
                    }
                    eval.bounded(all.len(), span)
                })?;
            }
            Items::Range(_, None, stmts) if stmts.is_empty() => return Ok(None),
            Items::Range(from, to, stmts) => {
                let Some(to) = to else {
                    return fail(span, Problem::Infinite { what: "this range".to_owned() });
                };
                self.each(stmts, env, &mut |eval, env| {
                    let (from, to) = (eval.int(from, env)?, eval.int(to, env)?);
                    let n = i128::from(to) - i128::from(from) + 1;
                    eval.bounded(
                        all.len() + usize::try_from(n.max(0)).unwrap_or(MAX_SET + 1),
                        span,
                    )?;
                    all.extend((from..=to).map(Value::Int));
                    Ok(())
                })?;
            }
        }
        Ok(Some(all))
    }

    /// Calls `f` for each binding of the generators that satisfies the conditions.
    pub(super) fn each(
        &mut self,
        stmts: &[Stmt],
        env: &mut Env,
        f: &mut dyn FnMut(&mut Self, &mut Env) -> Evaluated<()>,
    ) -> Evaluated<()> {
        let Some((first, rest)) = stmts.split_first() else { return f(self, env) };
        match first {
            Stmt::Guard(condition) => match self.bool(condition, env)? {
                true => self.each(rest, env, f),
                false => Ok(()),
            },
            Stmt::Generator(pattern, from) => {
                for value in self.generated(from, env)?.iter() {
                    let mark = env.mark();
                    if self.bind(pattern, value, env)? {
                        self.each(rest, env, f)?;
                    }
                    env.back_to(mark);
                }
                Ok(())
            }
        }
    }

    /// The values of a generator: the members of a set or the items of a sequence.
    fn generated(&mut self, from: &Expr, env: &mut Env) -> Evaluated<Rc<[Value]>> {
        match self.eval(from, env)? {
            Value::Seq(all) => Ok(all),
            Value::Set(set) => self.members(&set, from.span),
            other => self.wrong_kind(from.span, "a set or a sequence", &other),
        }
    }

    /// An expression that is a set.
    pub(super) fn set_of(&mut self, expr: &Expr, env: &mut Env) -> Evaluated<Set> {
        match self.eval(expr, env)? {
            Value::Set(set) => Ok(set),
            other => self.wrong_kind(expr.span, "a set", &other),
        }
    }

    pub(super) fn int(&mut self, expr: &Expr, env: &mut Env) -> Evaluated<i64> {
        match self.eval(expr, env)? {
            Value::Int(n) => Ok(n),
            other => self.wrong_kind(expr.span, "a number", &other),
        }
    }

    pub(super) fn bool(&mut self, expr: &Expr, env: &mut Env) -> Evaluated<bool> {
        match self.eval(expr, env)? {
            Value::Bool(b) => Ok(b),
            other => self.wrong_kind(expr.span, "a Boolean", &other),
        }
    }
}
