//! The primitives of the reference evaluator.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use sweepline_ml::core::ExnId;
use sweepline_ml::{Arith, Comparison, Prim};

use super::reference::{Failure, Outcome, Reference, Value, list, raise, same, truth, unit};

fn int(value: &Value<'_>) -> i64 {
    match value {
        Value::Int(value) => *value,
        other => unreachable!("{other:?} is no int"),
    }
}

fn big<'v>(value: &'v Value<'_>) -> &'v BigInt {
    match value {
        Value::Large(value) => value,
        other => unreachable!("{other:?} is no IntInf.int"),
    }
}

fn real(value: &Value<'_>) -> f64 {
    match value {
        Value::Real(value) => *value,
        other => unreachable!("{other:?} is no real"),
    }
}

fn text<'v>(value: &'v Value<'_>) -> &'v [u8] {
    match value {
        Value::Text(value) => value,
        other => unreachable!("{other:?} is no string"),
    }
}

fn elements<'p>(value: &Value<'p>) -> Vec<Value<'p>> {
    let (mut found, mut at) = (Vec::new(), value.clone());
    while let Value::Con(1, Some(cell)) = at {
        let Value::Record(fields) = &*cell else { unreachable!("a cell is a pair") };
        found.push(fields[0].clone());
        at = fields[1].clone();
    }
    found
}

fn string<'p>(bytes: impl Into<Vec<u8>>) -> Outcome<'p> {
    Ok(Value::Text(bytes.into().into()))
}

fn some(value: Value<'_>) -> Value<'_> {
    Value::Con(1, Some(Rc::new(value)))
}

fn compare(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Large(a), Value::Large(b)) => Some(a.cmp(b)),
        (Value::Word(a), Value::Word(b)) => Some(a.cmp(b)),
        (Value::Real(a), Value::Real(b)) => a.partial_cmp(b),
        (Value::Char(a), Value::Char(b)) => Some(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        _ => unreachable!("{a:?} and {b:?} have no order"),
    }
}

/// The multi-set `all` minus `less`.
fn without<'p>(all: &Value<'p>, less: &Value<'p>) -> Option<Vec<Value<'p>>> {
    let mut rest = elements(all);
    for value in elements(less) {
        let at = rest.iter().position(|other| same(other, &value))?;
        rest.remove(at);
    }
    Some(rest)
}

impl<'p> Reference<'p> {
    fn int(&self, value: i128) -> Outcome<'p> {
        let high = (1i128 << (self.int_bits - 1)) - 1;
        let fits = (-high - 1..=high).contains(&value);
        if fits { Ok(Value::Int(value as i64)) } else { Err(raise(ExnId::OVERFLOW)) }
    }

    /// A word has as many bits as an `int`.
    fn low_bits(&self, word: u64) -> u64 {
        word & ((1 << self.int_bits) - 1)
    }

    pub(crate) fn prim(&mut self, op: Prim, args: &[Value<'p>]) -> Outcome<'p> {
        match op {
            Prim::Arith(op, _) => self.arith(op, args),
            Prim::Compare(op, _) => {
                Ok(truth(compare(&args[0], &args[1]).is_some_and(|order| match op {
                    Comparison::Less => order.is_lt(),
                    Comparison::LessEqual => order.is_le(),
                    Comparison::Greater => order.is_gt(),
                    Comparison::GreaterEqual => order.is_ge(),
                })))
            }
            Prim::Equal => Ok(truth(same(&args[0], &args[1]))),
            Prim::NotEqual => Ok(truth(!same(&args[0], &args[1]))),
            Prim::Ref => Ok(Value::Ref(Rc::new(RefCell::new(args[0].clone())))),
            Prim::Deref | Prim::Assign => {
                let Value::Ref(cell) = &args[0] else { unreachable!("a reference") };
                if op == Prim::Deref {
                    return Ok(cell.borrow().clone());
                }
                *cell.borrow_mut() = args[1].clone();
                Ok(unit())
            }
            _ => match self.of_numbers(op, args) {
                Some(outcome) => outcome,
                None => self.of_lists(op, args),
            },
        }
    }

    fn arith(&self, op: Arith, args: &[Value<'p>]) -> Outcome<'p> {
        let other = args.get(1).unwrap_or(&args[0]);
        Ok(match (&args[0], other) {
            (Value::Int(a), Value::Int(b)) => {
                let (a, b) = (i128::from(*a), i128::from(*b));
                let zero = matches!(op, Arith::Div | Arith::Mod) && b == 0;
                return if zero { Err(raise(ExnId::DIV)) } else { self.int(whole(op, a, b)) };
            }
            (Value::Large(a), Value::Large(b)) => {
                if matches!(op, Arith::Div | Arith::Mod) && b.is_zero() {
                    return Err(raise(ExnId::DIV));
                }
                Value::Large(match op {
                    Arith::Add => a + b,
                    Arith::Subtract => a - b,
                    Arith::Multiply => a * b,
                    Arith::Div | Arith::Divide => a.div_floor(b),
                    Arith::Mod => a.mod_floor(b),
                    Arith::Negate => -a,
                    Arith::Abs => a.abs(),
                })
            }
            (Value::Real(a), Value::Real(b)) => Value::Real(match op {
                Arith::Add => a + b,
                Arith::Subtract => a - b,
                Arith::Multiply => a * b,
                Arith::Negate => -a,
                Arith::Abs => a.abs(),
                _ => a / b,
            }),
            (Value::Word(a), Value::Word(b)) => Value::Word(self.low_bits(match op {
                Arith::Add => a.wrapping_add(*b),
                Arith::Subtract => a.wrapping_sub(*b),
                Arith::Multiply => a.wrapping_mul(*b),
                Arith::Mod => a.checked_rem(*b).ok_or_else(|| raise(ExnId::DIV))?,
                Arith::Negate => a.wrapping_neg(),
                Arith::Abs => *a,
                _ => a.checked_div(*b).ok_or_else(|| raise(ExnId::DIV))?,
            })),
            (a, b) => unreachable!("{op:?} on {a:?}, {b:?}"),
        })
    }

    fn of_numbers(&self, op: Prim, args: &[Value<'p>]) -> Option<Outcome<'p>> {
        let high = (1i64 << (self.int_bits - 1)) - 1;
        let rounded = |value: f64| match value {
            _ if value.is_nan() => Err(raise(ExnId::DOMAIN)),
            _ if value.abs() < 1e18 => self.int(value as i128),
            _ => Err(raise(ExnId::OVERFLOW)),
        };
        Some(match op {
            Prim::IntMin => Ok(Value::Int(-high - 1)),
            Prim::IntMax => Ok(Value::Int(high)),
            Prim::IntBits => Ok(Value::Int(self.int_bits.into())),
            Prim::IntQuot | Prim::IntRem => {
                let (a, b) = (i128::from(int(&args[0])), i128::from(int(&args[1])));
                if b == 0 {
                    return Some(Err(raise(ExnId::DIV)));
                }
                self.int(if op == Prim::IntQuot { a / b } else { a % b })
            }
            Prim::IntToIntInf => Ok(Value::Large(int(&args[0]).into())),
            Prim::IntInfToInt => match big(&args[0]).to_i64() {
                Some(value) => self.int(value.into()),
                None => Err(raise(ExnId::OVERFLOW)),
            },
            Prim::IntInfQuot | Prim::IntInfRem => {
                let (a, b) = (big(&args[0]), big(&args[1]));
                if b.is_zero() {
                    return Some(Err(raise(ExnId::DIV)));
                }
                Ok(Value::Large(if op == Prim::IntInfQuot { a / b } else { a % b }))
            }
            Prim::IntInfPow => {
                let exponent = u32::try_from(int(&args[1])).ok()?;
                Ok(Value::Large(big(&args[0]).pow(exponent)))
            }
            Prim::IntToReal => Ok(Value::Real(int(&args[0]) as f64)),
            Prim::RealFloor => rounded(real(&args[0]).floor()),
            Prim::RealCeil => rounded(real(&args[0]).ceil()),
            Prim::RealTrunc => rounded(real(&args[0]).trunc()),
            Prim::RealRound => rounded(real(&args[0]).round_ties_even()),
            Prim::RealFloorReal => Ok(Value::Real(real(&args[0]).floor())),
            Prim::RealIsNan => Ok(truth(real(&args[0]).is_nan())),
            Prim::Sqrt => Ok(Value::Real(real(&args[0]).sqrt())),
            Prim::CharOrd => match &args[0] {
                Value::Char(code) => Ok(Value::Int((*code).into())),
                other => unreachable!("{other:?} is no char"),
            },
            Prim::CharChr => match u8::try_from(int(&args[0])) {
                Ok(code) => Ok(Value::Char(code)),
                Err(_) => Err(raise(ExnId::CHR)),
            },
            Prim::IntToString => string(int(&args[0]).to_string().replace('-', "~")),
            Prim::IntInfToString => string(big(&args[0]).to_string().replace('-', "~")),
            Prim::IntFromString => {
                let words = String::from_utf8_lossy(text(&args[0])).replace('~', "-");
                let Ok(value) = words.trim_start().parse::<i64>() else {
                    return Some(Ok(Value::Con(0, None)));
                };
                self.int(value.into()).map(some)
            }
            _ => return None,
        })
    }

    fn of_lists(&self, op: Prim, args: &[Value<'p>]) -> Outcome<'p> {
        let at = |at: usize| int(&args[at]);
        let number = |count: usize| Ok(Value::Int(count as i64));
        match op {
            Prim::ListAppend => {
                let mut all = elements(&args[0]);
                all.extend(elements(&args[1]));
                Ok(list(all))
            }
            Prim::ListReverse => Ok(list(elements(&args[0]).into_iter().rev().collect())),
            Prim::ListLength => number(elements(&args[0]).len()),
            Prim::Repeat => Ok(list(vec![args[1].clone(); at(0).max(0) as usize])),
            Prim::MultiSetSubtract => match without(&args[0], &args[1]) {
                Some(rest) => Ok(list(rest)),
                None => Err(raise(ExnId::SUBTRACT)),
            },
            Prim::MultiSetContained => Ok(truth(without(&args[1], &args[0]).is_some())),
            Prim::MultiSetEqual => {
                Ok(truth(without(&args[0], &args[1]).is_some_and(|rest| rest.is_empty())))
            }
            Prim::MultiSetCount => {
                number(elements(&args[1]).iter().filter(|other| same(other, &args[0])).count())
            }
            Prim::ListMember => {
                Ok(truth(elements(&args[0]).iter().any(|other| same(other, &args[1]))))
            }
            Prim::StringSize => number(text(&args[0]).len()),
            Prim::StringAppend => string([text(&args[0]), text(&args[1])].concat()),
            Prim::StringConcat => {
                string(elements(&args[0]).iter().flat_map(text).copied().collect::<Vec<u8>>())
            }
            Prim::StringCompare => {
                Ok(Value::Con((text(&args[0]).cmp(text(&args[1])) as i8 + 1) as u32, None))
            }
            Prim::Explode => {
                Ok(list(text(&args[0]).iter().map(|byte| Value::Char(*byte)).collect()))
            }
            Prim::Implode => {
                let bytes = elements(&args[0]).into_iter().map(|value| match value {
                    Value::Char(code) => code,
                    other => unreachable!("{other:?} is no char"),
                });
                string(bytes.collect::<Vec<u8>>())
            }
            Prim::CharToString => match &args[0] {
                Value::Char(code) => string(vec![*code]),
                other => unreachable!("{other:?} is no char"),
            },
            Prim::StringSub => match text(&args[0]).get(at(1) as usize) {
                Some(byte) => Ok(Value::Char(*byte)),
                None => Err(raise(ExnId::SUBSCRIPT)),
            },
            Prim::Substring => {
                let (from, length) = (at(1), at(2));
                let range = from as usize..(from + length) as usize;
                let inside = from >= 0 && length >= 0;
                match text(&args[0]).get(range).filter(|_| inside) {
                    Some(bytes) => string(bytes),
                    None => Err(raise(ExnId::SUBSCRIPT)),
                }
            }
            Prim::ModelTime | Prim::Step => Ok(Value::Large(BigInt::zero())),
            Prim::Print => Ok(unit()),
            Prim::StdIn | Prim::StdOut | Prim::StdErr => Ok(Value::Stream),
            _ => self.of_arrays(op, args),
        }
    }

    fn of_arrays(&self, op: Prim, args: &[Value<'p>]) -> Outcome<'p> {
        match (op, args) {
            (Prim::ArrayMake, [Value::Int(length), value]) => {
                let length = usize::try_from(*length).map_err(|_| raise(ExnId::SIZE))?;
                Ok(Value::Array(Rc::new(RefCell::new(vec![value.clone(); length]))))
            }
            (Prim::ArrayFromList, [values]) => {
                Ok(Value::Array(Rc::new(RefCell::new(elements(values)))))
            }
            (Prim::ArrayLength, [Value::Array(cells)]) => {
                Ok(Value::Int(cells.borrow().len() as i64))
            }
            (Prim::ArraySub, [Value::Array(cells), at]) => {
                let value = cells.borrow().get(int(at) as usize).cloned();
                value.ok_or_else(|| raise(ExnId::SUBSCRIPT))
            }
            (Prim::ArrayUpdate, [Value::Array(cells), at, value]) => {
                match cells.borrow_mut().get_mut(int(at) as usize) {
                    Some(cell) => *cell = value.clone(),
                    None => return Err(raise(ExnId::SUBSCRIPT)),
                }
                Ok(unit())
            }
            _ => Err(Failure::Unknown),
        }
    }
}

fn whole(op: Arith, a: i128, b: i128) -> i128 {
    match op {
        Arith::Add => a + b,
        Arith::Subtract => a - b,
        Arith::Multiply => a * b,
        Arith::Div | Arith::Divide => Integer::div_floor(&a, &b),
        Arith::Mod => Integer::mod_floor(&a, &b),
        Arith::Negate => -a,
        Arith::Abs => a.abs(),
    }
}
