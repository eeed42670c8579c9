//! Evaluates expressions that are not processes.

use sweepline_source::Span;

use super::{Evaluated, Evaluator, fail};
use crate::csp::ast::{Binary, Expr, Kind};
use crate::csp::value::{Env, Function, Set, Value};
use crate::problem::Problem;

impl Evaluator<'_> {
    /// The value of `expr` in the environment `env`.
    pub(super) fn eval(&mut self, expr: &Expr, env: &mut Env) -> Evaluated<Value> {
        self.enter(expr.span)?;
        let value = self.eval_kind(expr, env)?;
        self.leave();
        Ok(value)
    }

    fn eval_kind(&mut self, expr: &Expr, env: &mut Env) -> Evaluated<Value> {
        let span = expr.span;
        Ok(match &expr.kind {
            Kind::Int(n) => Value::Int(*n),
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Str(text) => Value::Str(text.as_str().into()),
            Kind::Name(name) => match env.get(*name).cloned() {
                Some(value) => self.local(value, span)?,
                None => self.global(*name, span)?,
            },
            Kind::Tuple(all) => Value::Tuple(self.eval_all(all, env)?.into()),
            Kind::Seq(items) => self.sequence(items, env, span)?,
            Kind::Set(items) => self.set(items, env, span)?,
            Kind::Productions(items) => self.all_productions(items, env, span)?,
            Kind::Map(pairs) => {
                let mut all = std::collections::BTreeMap::new();
                for (key, value) in pairs {
                    let key = self.eval(key, env)?;
                    all.insert(key, self.eval(value, env)?);
                }
                Value::Map(all.into_iter().collect())
            }
            Kind::Dot(all) => {
                let values = self.eval_all(all, env)?;
                self.dotted(values, span)?
            }
            Kind::Call(callee, args) => {
                let function = self.eval(callee, env)?;
                let args = self.eval_all(args, env)?;
                match &function {
                    Value::Function(function) => self.call(function, args, span)?,
                    other => self.wrong_kind(callee.span, "a function", other)?,
                }
            }
            Kind::Lambda(lambda) => {
                let id = lambda.body.id;
                self.lambdas.entry(id).or_insert_with(|| lambda.clone());
                let free = lambda.free.get().expect("names were checked");
                Value::Function(Function::Lambda(id, env.capture(free)))
            }
            Kind::Let(group, inside) => {
                self.lets.entry(group.id).or_insert_with(|| group.clone());
                let captured = env.capture(group.free.get().expect("names were checked"));
                let mark = env.mark();
                self.push_group(group, &captured, env);
                let value = self.eval(inside, env)?;
                env.back_to(mark);
                value
            }
            Kind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let chosen = if self.bool(condition, env)? { then } else { otherwise };
                self.eval(chosen, env)?
            }
            Kind::Negate(inner) => {
                let n = self.int(inner, env)?;
                self.number(n.checked_neg(), span)?
            }
            Kind::Not(inner) => Value::Bool(!self.bool(inner, env)?),
            Kind::Length(inner) => match self.eval(inner, env)? {
                Value::Seq(all) => Value::Int(all.len() as i64),
                other => self.wrong_kind(inner.span, "a sequence", &other)?,
            },
            Kind::Binary(op, both) => self.binary(*op, &both[0], &both[1], env, span)?,
            Kind::Wildcard | Kind::Both(..) => unreachable!("patterns were refused before"),
            _ => Value::Process(self.operator(expr, env)?),
        })
    }

    fn eval_all(&mut self, all: &[Expr], env: &mut Env) -> Evaluated<Vec<Value>> {
        all.iter().map(|expr| self.eval(expr, env)).collect()
    }

    /// Values joined by dots; a type if all are sets.
    fn dotted(&self, values: Vec<Value>, span: Span) -> Evaluated<Value> {
        let mut types = Vec::new();
        for value in &values {
            match value {
                Value::Set(Set::Product(inner)) => types.extend(inner.iter().cloned()),
                Value::Set(set) => types.push(set.clone()),
                _ => return Ok(self.dot(&values)),
            }
            self.few_fields(types.len(), span)?;
        }
        Ok(Value::Set(Set::Product(types.into())))
    }

    fn number(&self, n: Option<i64>, span: Span) -> Evaluated<Value> {
        match n {
            Some(n) => Ok(Value::Int(n)),
            None => {
                fail(span, Problem::Arithmetic { what: "this number exceeds 64 bits".to_owned() })
            }
        }
    }

    fn binary(
        &mut self,
        op: Binary,
        left: &Expr,
        right: &Expr,
        env: &mut Env,
        span: Span,
    ) -> Evaluated<Value> {
        match op {
            Binary::And => Ok(Value::Bool(self.bool(left, env)? && self.bool(right, env)?)),
            Binary::Or => Ok(Value::Bool(self.bool(left, env)? || self.bool(right, env)?)),
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Mod => {
                let (a, b) = (self.int(left, env)?, self.int(right, env)?);
                self.arithmetic(op, a, b, span)
            }
            Binary::Eq | Binary::Ne => {
                let (a, b) = (self.eval(left, env)?, self.eval(right, env)?);
                let equal = self.comparable(a, left.span)? == self.comparable(b, right.span)?;
                Ok(Value::Bool(equal == (op == Binary::Eq)))
            }
            Binary::Lt => self.less(left, right, true, env),
            Binary::Le => self.less(left, right, false, env),
            Binary::Gt => self.less(right, left, true, env),
            Binary::Ge => self.less(right, left, false, env),
            Binary::Concat => match (self.eval(left, env)?, self.eval(right, env)?) {
                (Value::Seq(a), Value::Seq(b)) => {
                    self.bounded(a.len() + b.len(), span)?;
                    Ok(Value::Seq(a.iter().chain(b.iter()).cloned().collect()))
                }
                (Value::Seq(_), other) => self.wrong_kind(right.span, "a sequence", &other),
                (other, _) => self.wrong_kind(left.span, "a sequence", &other),
            },
        }
    }

    /// Division and remainder round towards minus infinity.
    fn arithmetic(&self, op: Binary, a: i64, b: i64, span: Span) -> Evaluated<Value> {
        let by_zero = matches!(op, Binary::Div | Binary::Mod) && b == 0;
        if by_zero {
            return fail(span, Problem::Arithmetic { what: "division by zero".to_owned() });
        }
        let n = match op {
            Binary::Add => a.checked_add(b),
            Binary::Sub => a.checked_sub(b),
            Binary::Mul => a.checked_mul(b),
            Binary::Div => a.checked_div(b).map(|q| if rounds_up(a, b) { q - 1 } else { q }),
            _ => a.checked_rem(b).map(|r| if rounds_up(a, b) { r + b } else { r }),
        };
        self.number(n, span)
    }

    /// A value in canonical form, in which equal values are equal.
    fn comparable(&mut self, value: Value, span: Span) -> Evaluated<Value> {
        match value {
            Value::Set(set @ Set::Product(_)) => {
                Ok(Value::Set(Set::Finite(self.members(&set, span)?)))
            }
            Value::Function(_) | Value::Process(_) => {
                self.wrong_kind(span, "a value that can be compared", &value)
            }
            other => Ok(other),
        }
    }

    /// Numbers by size, sets by inclusion, sequences by prefix.
    fn less(
        &mut self,
        left: &Expr,
        right: &Expr,
        strictly: bool,
        env: &mut Env,
    ) -> Evaluated<Value> {
        let (a, b) = (self.eval(left, env)?, self.eval(right, env)?);
        let (a, b) = (self.comparable(a, left.span)?, self.comparable(b, right.span)?);
        let at_most = match (&a, &b) {
            (Value::Int(a), Value::Int(b)) => a <= b,
            (Value::Seq(a), Value::Seq(b)) => b.starts_with(a),
            (Value::Set(a), Value::Set(b)) => {
                let members = self.members(a, left.span)?;
                members.iter().all(|member| self.contains(b, member))
            }
            (Value::Str(a), Value::Str(b)) => a <= b,
            (Value::Tuple(a), Value::Tuple(b)) => a <= b,
            (Value::Int(_), other) => self.wrong_kind(right.span, "a number", other)?,
            (other, _) => self.wrong_kind(left.span, "a number, a set or a sequence", other)?,
        };
        Ok(Value::Bool(at_most && !(strictly && a == b)))
    }
}

/// Whether Rust's division of `a` by `b`, which rounds towards zero, rounds up.
fn rounds_up(a: i64, b: i64) -> bool {
    a.checked_rem(b).is_some_and(|r| r != 0) && (a < 0) != (b < 0)
}
