//! From the elements of one formula to a question: values meet operators, innermost first.

use super::expr::{Expr, ProductError, TooLarge};
use super::predicate::{Comparison, Predicate};
use super::property::{Combination, Question};

/// What an element of a formula stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A number.
    Number(Expr),
    /// A condition on one marking.
    State(Predicate),
    /// Conditions with `EF`, `AG` and boolean operators around them.
    Paths(Combination),
    /// A condition under `finally` or `globally` that awaits its path quantifier.
    Along(Temporal, Predicate),
    /// The number whose bound is asked.
    Bound(Expr),
    /// Something of a richer logic, noted by its first operator.
    Rich(Logic, &'static str),
}

/// A temporal operator that the supported kinds use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Temporal {
    Finally,
    Globally,
}

/// A logic beyond the supported kinds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Logic {
    Ctl,
    Ltl,
    /// `next` or `until` without a quantifier yet, which will tell.
    Open,
    /// A formula such as `AF p`, which both logics have.
    Either,
}

impl Logic {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ctl => "CTL",
            Self::Ltl | Self::Open => "LTL",
            Self::Either => "CTL or LTL",
        }
    }
}

/// Why an element cannot be applied to its operands.
#[derive(Copy, Clone)]
pub(super) enum Misfit {
    Reason(&'static str),
    TooLarge,
    NotLinear,
}

impl From<TooLarge> for Misfit {
    fn from(TooLarge: TooLarge) -> Self {
        Self::TooLarge
    }
}

const NOT_A_CONDITION: Misfit = Misfit::Reason("a number stands where a condition belongs");
const NOT_A_NUMBER: Misfit = Misfit::Reason("a condition stands where a number belongs");

/// Applies the element `operator` to what stands inside it.
pub(super) fn apply(operator: &str, operands: Vec<Value>) -> Result<Value, Misfit> {
    if let Some(comparison) = comparison(operator) {
        let [left, right] = numbers(operands)?.try_into().map_err(|_| two_operands())?;
        return Ok(Value::State(Predicate::compare(&left, comparison, &right)?));
    }
    match operator {
        "conjunction" => join(operands, Predicate::all, Combination::All),
        "disjunction" => join(operands, Predicate::any, Combination::Any),
        "negation" => negate(one(operands)?),
        "implication" => {
            let [premise, conclusion] = operands.try_into().map_err(|_| two_operands())?;
            join(vec![negate(premise)?, conclusion], Predicate::any, Combination::Any)
        }
        "finally" => along(Temporal::Finally, one(operands)?),
        "globally" => along(Temporal::Globally, one(operands)?),
        "next" => rich("`next`", operands),
        "until" => rich("`until`", operands),
        "before" | "reach" => one(operands),
        "exists-path" => quantify(Quantifier::Exists, one(operands)?),
        "all-paths" => quantify(Quantifier::All, one(operands)?),
        "integer-sum" => Ok(Value::Number(Expr::total(&numbers(operands)?)?)),
        "integer-difference" => difference(numbers(operands)?),
        "integer-product" => product(numbers(operands)?),
        "true" => Ok(Value::State(Predicate::constant(true))),
        "false" => Ok(Value::State(Predicate::constant(false))),
        "deadlock" | "is-deadlock" => Ok(Value::State(Predicate::deadlock())),
        _ => Err(Misfit::Reason("the element is not known")),
    }
}

/// The question a whole formula asks, or the logic that it needs.
pub(super) fn question(value: Value) -> Result<Result<Question, (Logic, &'static str)>, Misfit> {
    match value {
        Value::Number(_) => Err(NOT_A_CONDITION),
        Value::State(predicate) => Ok(Ok(Question::Initially(predicate))),
        Value::Paths(combination) => Ok(Ok(combination.into())),
        Value::Bound(expr) => Ok(Ok(Question::Bound(expr))),
        Value::Along(Temporal::Finally, _) => Ok(Err((Logic::Ltl, "`finally` without a path"))),
        Value::Along(Temporal::Globally, _) => Ok(Err((Logic::Ltl, "`globally` without a path"))),
        Value::Rich(logic, operator) => Ok(Err((logic, operator))),
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Quantifier {
    Exists,
    All,
}

fn comparison(operator: &str) -> Option<Comparison> {
    Some(match operator {
        "integer-le" => Comparison::AtMost,
        "integer-lt" => Comparison::Less,
        "integer-ge" => Comparison::AtLeast,
        "integer-gt" => Comparison::More,
        "integer-eq" => Comparison::Equal,
        "integer-ne" => Comparison::Different,
        _ => return None,
    })
}

fn quantify(quantifier: Quantifier, value: Value) -> Result<Value, Misfit> {
    Ok(match (quantifier, value) {
        (Quantifier::Exists, Value::Along(Temporal::Finally, predicate)) => {
            Value::Paths(Combination::Possible(predicate))
        }
        (Quantifier::All, Value::Along(Temporal::Globally, predicate)) => {
            Value::Paths(Combination::Invariant(predicate))
        }
        (Quantifier::Exists, Value::Along(Temporal::Globally, _)) => {
            Value::Rich(Logic::Ctl, "`exists-path globally`")
        }
        (Quantifier::All, Value::Along(Temporal::Finally, _)) => {
            Value::Rich(Logic::Either, "`all-paths finally`")
        }
        (Quantifier::All, Value::Rich(Logic::Open, operator)) => {
            Value::Rich(Logic::Either, operator)
        }
        (Quantifier::Exists, Value::Rich(Logic::Open, operator)) => {
            Value::Rich(Logic::Ctl, operator)
        }
        // A quantifier around a formula that does not look along the path adds nothing.
        (_, Value::State(predicate)) => Value::State(predicate),
        (_, Value::Paths(combination)) => Value::Paths(combination),
        (_, rich @ Value::Rich(..)) => rich,
        (_, Value::Number(_) | Value::Bound(_)) => return Err(NOT_A_CONDITION),
    })
}

fn along(operator: Temporal, value: Value) -> Result<Value, Misfit> {
    let name = match operator {
        Temporal::Finally => "nested `finally`",
        Temporal::Globally => "nested `globally`",
    };
    Ok(match value {
        Value::State(predicate) => Value::Along(operator, predicate),
        Value::Along(..) => Value::Rich(Logic::Ltl, name),
        Value::Paths(_) => Value::Rich(Logic::Ctl, "nested path quantifiers"),
        Value::Rich(Logic::Open, inner) => Value::Rich(Logic::Ltl, inner),
        Value::Rich(Logic::Either, inner) => Value::Rich(Logic::Ctl, inner),
        rich @ Value::Rich(..) => rich,
        Value::Number(_) | Value::Bound(_) => return Err(NOT_A_CONDITION),
    })
}

/// `next` and `until`: beyond us, whatever they are applied to.
fn rich(operator: &'static str, operands: Vec<Value>) -> Result<Value, Misfit> {
    let mut logic = Logic::Open;
    for operand in operands {
        match operand {
            Value::Rich(Logic::Ctl | Logic::Either, _) | Value::Paths(_) => logic = Logic::Ctl,
            Value::Rich(..) | Value::Along(..) if logic == Logic::Open => logic = Logic::Ltl,
            Value::Number(_) | Value::Bound(_) => return Err(NOT_A_CONDITION),
            _ => {}
        }
    }
    Ok(Value::Rich(logic, operator))
}

fn negate(value: Value) -> Result<Value, Misfit> {
    Ok(match value {
        Value::State(predicate) => Value::State(predicate.negated()),
        Value::Paths(combination) => Value::Paths(combination.negated()),
        Value::Along(Temporal::Finally, p) => Value::Along(Temporal::Globally, p.negated()),
        Value::Along(Temporal::Globally, p) => Value::Along(Temporal::Finally, p.negated()),
        rich @ Value::Rich(..) => rich,
        Value::Number(_) | Value::Bound(_) => return Err(NOT_A_CONDITION),
    })
}

/// Conjunction or disjunction: of conditions where all are conditions, else of path formulas.
fn join(
    operands: Vec<Value>,
    of_states: fn(Vec<Predicate>) -> Predicate,
    of_paths: fn(Vec<Combination>) -> Combination,
) -> Result<Value, Misfit> {
    if operands.is_empty() {
        return Err(Misfit::Reason("an operator has no operands"));
    }
    let mut states = Vec::new();
    let mut paths = Vec::new();
    let mut beyond = None;
    for operand in operands {
        match operand {
            Value::State(predicate) => states.push(predicate),
            Value::Paths(combination) => paths.push(combination),
            Value::Along(..) => {
                beyond = beyond
                    .or(Some((Logic::Ltl, "`finally` or `globally` under a boolean operator")))
            }
            Value::Rich(logic, operator) => beyond = beyond.or(Some((logic, operator))),
            Value::Number(_) | Value::Bound(_) => return Err(NOT_A_CONDITION),
        }
    }
    if let Some((logic, operator)) = beyond {
        return Ok(Value::Rich(logic, operator));
    }
    if paths.is_empty() {
        return Ok(Value::State(of_states(states)));
    }
    if !states.is_empty() {
        paths.push(Combination::Initially(of_states(states)));
    }
    Ok(Value::Paths(match paths.len() {
        1 => paths.remove(0),
        _ => of_paths(paths),
    }))
}

fn difference(mut operands: Vec<Expr>) -> Result<Value, Misfit> {
    if operands.is_empty() {
        return Err(two_operands());
    }
    let first = operands.remove(0);
    Ok(Value::Number(first.minus(&Expr::total(&operands)?)?))
}

fn product(operands: Vec<Expr>) -> Result<Value, Misfit> {
    let mut product = Expr::constant(1)?;
    for operand in &operands {
        product = product.product(operand).map_err(|error| match error {
            ProductError::NotLinear => Misfit::NotLinear,
            ProductError::TooLarge(_) => Misfit::TooLarge,
        })?;
    }
    Ok(Value::Number(product))
}

fn numbers(operands: Vec<Value>) -> Result<Vec<Expr>, Misfit> {
    let number = |value| match value {
        Value::Number(expr) => Ok(expr),
        _ => Err(NOT_A_NUMBER),
    };
    operands.into_iter().map(number).collect()
}

fn one(operands: Vec<Value>) -> Result<Value, Misfit> {
    let count = |_| Misfit::Reason("the operator takes exactly one operand");
    let [operand] = operands.try_into().map_err(count)?;
    Ok(operand)
}

fn two_operands() -> Misfit {
    Misfit::Reason("the operator takes exactly two operands")
}
