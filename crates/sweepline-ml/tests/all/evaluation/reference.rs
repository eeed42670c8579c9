//! A reference evaluator, written to be obviously correct: it walks the terms, its values are boxed, its
//! variables are looked up in lists, and it uses types only to print values.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigInt;
use sweepline_ml::core::{
    Bind, ExnId, Expr, ExprKind, Lambda, Literal, Otherwise, Pattern, PatternKind, Program, Rule,
    VarId,
};

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value<'p> {
    Int(i64),
    Large(BigInt),
    Word(u64),
    Real(f64),
    Char(u8),
    Text(Rc<[u8]>),
    Record(Rc<Vec<Value<'p>>>),
    Con(u32, Option<Rc<Value<'p>>>),
    Exn(ExnId, Option<Rc<Value<'p>>>),
    Ref(Rc<RefCell<Value<'p>>>),
    Array(Rc<RefCell<Vec<Value<'p>>>>),
    Function(Rc<Closure<'p>>),
    Stream,
}

/// A function with its environment.
#[derive(Debug)]
pub(crate) struct Closure<'p> {
    lambda: &'p Lambda,
    around: Around<'p>,
}

/// Variables, the innermost first.
pub(crate) type Around<'p> = Option<Rc<Link<'p>>>;

#[derive(Debug)]
pub(crate) struct Link<'p> {
    var: VarId,
    value: RefCell<Value<'p>>,
    rest: Around<'p>,
}

/// Why an evaluation has no value.
#[derive(Debug)]
pub(crate) enum Failure<'p> {
    Raised(Value<'p>),
    /// Not supported by this evaluator.
    Unknown,
}

pub(crate) type Outcome<'p> = Result<Value<'p>, Failure<'p>>;

pub(crate) fn raise<'p>(exn: ExnId) -> Failure<'p> {
    Failure::Raised(Value::Exn(exn, None))
}

pub(crate) fn unit<'p>() -> Value<'p> {
    Value::Record(Rc::new(Vec::new()))
}

pub(crate) fn truth<'p>(value: bool) -> Value<'p> {
    Value::Con(value.into(), None)
}

pub(crate) fn list(values: Vec<Value<'_>>) -> Value<'_> {
    let cons = |tail, head| Value::Con(1, Some(Rc::new(Value::Record(Rc::new(vec![head, tail])))));
    values.into_iter().rev().fold(Value::Con(0, None), cons)
}

fn bind<'p>(around: &Around<'p>, var: VarId, value: Value<'p>) -> Around<'p> {
    Some(Rc::new(Link { var, value: RefCell::new(value), rest: around.clone() }))
}

/// The evaluator: the global values, and the bounds of `int`.
pub(crate) struct Reference<'p> {
    globals: HashMap<VarId, Value<'p>>,
    pub(crate) int_bits: u32,
    steps: u64,
}

impl<'p> Reference<'p> {
    /// Evaluates all declarations whose values can be computed.
    pub(crate) fn new(program: &'p Program) -> (Self, Option<Failure<'p>>) {
        let mut reference = Self { globals: HashMap::new(), int_bits: program.int_bits, steps: 0 };
        let mut failure = None;
        for bind in &program.binds {
            match reference.bind(bind, &None) {
                Ok(mut link) => {
                    while let Some(one) = link {
                        reference.globals.insert(one.var, one.value.borrow().clone());
                        link = one.rest.clone();
                    }
                }
                Err(Failure::Unknown) => {}
                Err(raised) => failure = Some(raised),
            }
        }
        (reference, failure)
    }

    pub(crate) fn global(&self, var: VarId) -> Option<&Value<'p>> {
        self.globals.get(&var)
    }

    fn bind(&mut self, it: &'p Bind, around: &Around<'p>) -> Result<Around<'p>, Failure<'p>> {
        match it {
            Bind::Value { var, value, .. } => {
                let value = self.expr(value, around)?;
                Ok(bind(around, *var, value))
            }
            Bind::Pattern { pattern, value } => {
                let value = self.expr(value, around)?;
                matched(pattern, &value, around).ok_or_else(|| raise(ExnId::BIND))
            }
            Bind::Recursive { functions, .. } => {
                let mut inner = around.clone();
                let mut links = Vec::new();
                for (var, _) in functions {
                    inner = bind(&inner, *var, Value::Stream);
                    links.extend(inner.clone());
                }
                for ((_, value), link) in functions.iter().zip(links) {
                    let value = self.expr(value, &inner)?;
                    *link.value.borrow_mut() = value;
                }
                Ok(inner)
            }
        }
    }

    fn look_up(&self, var: VarId, around: &Around<'p>) -> Outcome<'p> {
        let mut link = around;
        while let Some(one) = link {
            if one.var == var {
                return Ok(one.value.borrow().clone());
            }
            link = &one.rest;
        }
        let global = self.globals.get(&var).cloned();
        global.ok_or(Failure::Unknown)
    }

    pub(crate) fn expr(&mut self, expr: &'p Expr, around: &Around<'p>) -> Outcome<'p> {
        self.steps += 1;
        if self.steps > 20_000_000 {
            return Err(Failure::Unknown);
        }
        match &expr.kind {
            ExprKind::Var(var, _) => self.look_up(*var, around),
            ExprKind::Literal(literal) => Ok(of_literal(literal)),
            ExprKind::Lambda(lambda) => {
                Ok(Value::Function(Rc::new(Closure { lambda, around: around.clone() })))
            }
            ExprKind::Apply(function, argument) => {
                let function = self.expr(function, around)?;
                let argument = self.expr(argument, around)?;
                self.apply(&function, argument)
            }
            ExprKind::Prim { op, args, .. } => {
                let args: Result<Vec<Value<'p>>, Failure<'p>> =
                    args.iter().map(|arg| self.expr(arg, around)).collect();
                self.prim(*op, &args?)
            }
            ExprKind::Record(fields) => {
                let mut values = vec![Value::Stream; fields.len()];
                for field in fields {
                    values[field.position as usize] = self.expr(&field.value, around)?;
                }
                Ok(Value::Record(Rc::new(values)))
            }
            ExprKind::Select { record, position, .. } => match self.expr(record, around)? {
                Value::Record(fields) => Ok(fields[*position as usize].clone()),
                other => unreachable!("{other:?} is no record"),
            },
            ExprKind::Construct { con, arg } => {
                let arg = arg.as_ref().map(|arg| self.expr(arg, around)).transpose()?;
                Ok(Value::Con(con.tag, arg.map(Rc::new)))
            }
            ExprKind::Exception { exn, arg } => {
                let arg = arg.as_ref().map(|arg| self.expr(arg, around)).transpose()?;
                Ok(Value::Exn(*exn, arg.map(Rc::new)))
            }
            ExprKind::List(parts) => {
                let parts: Result<Vec<Value<'p>>, Failure<'p>> =
                    parts.iter().map(|part| self.expr(part, around)).collect();
                Ok(list(parts?))
            }
            ExprKind::If(parts) => {
                let [condition, yes, no] = &**parts;
                let holds = matches!(self.expr(condition, around)?, Value::Con(1, _));
                self.expr(if holds { yes } else { no }, around)
            }
            ExprKind::Case { scrutinee, rules, otherwise } => {
                let value = self.expr(scrutinee, around)?;
                let missed = match otherwise {
                    Otherwise::Match => ExnId::MATCH,
                    Otherwise::Bind => ExnId::BIND,
                };
                self.rules(rules, &value, around).unwrap_or_else(|| Err(raise(missed)))
            }
            ExprKind::Let { binds, body } => {
                let mut inner = around.clone();
                for bind in binds {
                    inner = self.bind(bind, &inner)?;
                }
                self.expr(body, &inner)
            }
            ExprKind::Sequence(parts) => {
                let mut last = unit();
                for part in parts {
                    last = self.expr(part, around)?;
                }
                Ok(last)
            }
            ExprKind::While(condition, body) => {
                while matches!(self.expr(condition, around)?, Value::Con(1, _)) {
                    self.expr(body, around)?;
                }
                Ok(unit())
            }
            ExprKind::Raise(exn) => Err(Failure::Raised(self.expr(exn, around)?)),
            ExprKind::Handle { body, rules } => match self.expr(body, around) {
                Err(Failure::Raised(exn)) => self
                    .rules(rules, &exn, around)
                    .unwrap_or_else(|| Err(Failure::Raised(exn.clone()))),
                other => other,
            },
            ExprKind::Wrong => Err(Failure::Unknown),
        }
    }

    fn apply(&mut self, function: &Value<'p>, argument: Value<'p>) -> Outcome<'p> {
        let Value::Function(closure) = function else { unreachable!("{function:?}") };
        let lambda = closure.lambda;
        self.expr(&lambda.body, &bind(&closure.around, lambda.param, argument))
    }

    fn rules(
        &mut self,
        rules: &'p [Rule],
        value: &Value<'p>,
        around: &Around<'p>,
    ) -> Option<Outcome<'p>> {
        for rule in rules {
            if let Some(inner) = matched(&rule.pattern, value, around) {
                return Some(self.expr(&rule.body, &inner));
            }
        }
        None
    }
}

fn of_literal<'p>(literal: &Literal) -> Value<'p> {
    match literal {
        Literal::Int(value) => Value::Int(*value),
        Literal::IntInf(value) => Value::Large(value.clone()),
        Literal::Word(value) => Value::Word(*value),
        Literal::Real(value) => Value::Real(*value),
        Literal::Char(value) => Value::Char(*value),
        Literal::String(bytes) => Value::Text(bytes.to_vec().into()),
    }
}

/// The environment extended by the variables of a pattern, if it matches.
#[allow(clippy::option_option, reason = "no match, and no variable")]
fn matched<'p>(pattern: &'p Pattern, value: &Value<'p>, around: &Around<'p>) -> Option<Around<'p>> {
    let inner =
        |arg: &'p Option<Box<Pattern>>, content: &Option<Rc<Value<'p>>>| match (arg, content) {
            (Some(arg), Some(content)) => matched(arg, content, around),
            (None, None) => Some(around.clone()),
            _ => None,
        };
    match (&pattern.kind, value) {
        (PatternKind::Wildcard, _) => Some(around.clone()),
        (PatternKind::Var(var), _) => Some(bind(around, *var, value.clone())),
        (PatternKind::Literal(literal), _) => {
            same(&of_literal(literal), value).then(|| around.clone())
        }
        (PatternKind::Record(fields), Value::Record(values)) => {
            let mut inner = around.clone();
            for field in fields {
                inner = matched(&field.pattern, &values[field.position as usize], &inner)?;
            }
            Some(inner)
        }
        (PatternKind::Construct { con, arg }, Value::Con(tag, content)) if con.tag == *tag => {
            inner(arg, content)
        }
        (PatternKind::Exception { exn, arg }, Value::Exn(found, content)) if exn == found => {
            inner(arg, content)
        }
        (PatternKind::Ref(content), Value::Ref(cell)) => matched(content, &cell.borrow(), around),
        (PatternKind::As(var, inner), _) => {
            matched(inner, value, &bind(around, *var, value.clone()))
        }
        _ => None,
    }
}

/// Structural equality; references by identity.
pub(crate) fn same<'p>(a: &Value<'p>, b: &Value<'p>) -> bool {
    let both = |a: &Option<Rc<Value<'p>>>, b: &Option<Rc<Value<'p>>>| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Large(a), Value::Large(b)) => a == b,
        (Value::Word(a), Value::Word(b)) => a == b,
        (Value::Real(a), Value::Real(b)) => a == b,
        (Value::Char(a), Value::Char(b)) => a == b,
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Record(a), Value::Record(b)) => a.iter().zip(&**b).all(|(a, b)| same(a, b)),
        (Value::Con(m, a), Value::Con(n, b)) => m == n && both(a, b),
        (Value::Exn(m, a), Value::Exn(n, b)) => m == n && both(a, b),
        (Value::Ref(a), Value::Ref(b)) => Rc::ptr_eq(a, b),
        (Value::Array(a), Value::Array(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}
