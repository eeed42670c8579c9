//! From the elements of one formula to a question: values meet operators, innermost first.

use sweepline::ltl::Formula;

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
    /// A formula about one run that awaits its path quantifier.
    Path(Formula<Predicate>),
    /// A formula about all runs.
    Runs(Formula<Predicate>),
    /// The number whose bound is asked.
    Bound(Expr),
    /// Something of a richer logic, noted by its first operator.
    Rich(Logic, &'static str),
}

/// A logic beyond the supported kinds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Logic {
    Ctl,
    Ltl,
}

impl Logic {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ctl => "CTL",
            Self::Ltl => "LTL",
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
        "conjunction" => join(operands, Predicate::all, Combination::All, Formula::and),
        "disjunction" => join(operands, Predicate::any, Combination::Any, Formula::or),
        "negation" => negate(one(operands)?),
        "implication" => {
            let [premise, conclusion] = operands.try_into().map_err(|_| two_operands())?;
            let parts = vec![negate(premise)?, conclusion];
            join(parts, Predicate::any, Combination::Any, Formula::or)
        }
        "finally" => along(operands, |[f]| f.eventually()),
        "globally" => along(operands, |[f]| f.always()),
        "next" => along(operands, |[f]| f.next()),
        "until" => along(operands, |[f, g]| f.until(g)),
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
        Value::Runs(formula) => Ok(Ok(Question::Ltl(formula))),
        Value::Path(_) => Ok(Err((Logic::Ltl, "a temporal operator without `all-paths`"))),
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
    let Value::Path(formula) = value else {
        return match value {
            Value::Number(_) | Value::Bound(_) => Err(NOT_A_CONDITION),
            // A quantifier around a formula that does not look along the path adds nothing.
            other => Ok(other),
        };
    };
    Ok(match (quantifier, simple(formula)) {
        (Quantifier::Exists, Ok((true, predicate))) => {
            Value::Paths(Combination::Possible(predicate))
        }
        (Quantifier::All, Ok((false, predicate))) => {
            Value::Paths(Combination::Invariant(predicate))
        }
        (Quantifier::Exists, Ok((false, _))) => Value::Rich(Logic::Ctl, "`exists-path globally`"),
        (Quantifier::Exists, Err(_)) => Value::Rich(Logic::Ctl, "`exists-path`"),
        (Quantifier::All, Ok((true, predicate))) => {
            Value::Runs(Formula::Atom(predicate).eventually())
        }
        (Quantifier::All, Err(formula)) => Value::Runs(formula),
    })
}

/// A condition under one `finally`, then `true`, or one `globally`; or the formula back.
fn simple(formula: Formula<Predicate>) -> Result<(bool, Predicate), Formula<Predicate>> {
    let atom = |formula: Formula<Predicate>| match formula {
        Formula::Atom(predicate) => Ok(predicate),
        other => Err(other),
    };
    match formula {
        Formula::Finally(inner) => {
            atom(*inner).map(|p| (true, p)).map_err(|inner| inner.eventually())
        }
        Formula::Globally(inner) => {
            atom(*inner).map(|p| (false, p)).map_err(|inner| inner.always())
        }
        other => Err(other),
    }
}

/// A temporal operator with `N` operands.
fn along<const N: usize>(
    operands: Vec<Value>,
    operator: impl FnOnce([Formula<Predicate>; N]) -> Formula<Predicate>,
) -> Result<Value, Misfit> {
    let mut formulas = Vec::new();
    for operand in operands {
        match operand {
            Value::State(predicate) => formulas.push(Formula::Atom(predicate)),
            Value::Path(formula) => formulas.push(formula),
            Value::Paths(_) | Value::Runs(_) => {
                return Ok(Value::Rich(Logic::Ctl, "nested path quantifiers"));
            }
            rich @ Value::Rich(..) => return Ok(rich),
            Value::Number(_) | Value::Bound(_) => return Err(NOT_A_CONDITION),
        }
    }
    match formulas.try_into() {
        Ok(formulas) => Ok(Value::Path(operator(formulas))),
        Err(_) if N == 1 => Err(Misfit::Reason("the operator takes exactly one operand")),
        Err(_) => Err(two_operands()),
    }
}

fn negate(value: Value) -> Result<Value, Misfit> {
    Ok(match value {
        Value::State(predicate) => Value::State(predicate.negated()),
        Value::Paths(combination) => Value::Paths(combination.negated()),
        Value::Path(formula) => Value::Path(match simple(formula) {
            Ok((true, predicate)) => Formula::Atom(predicate.negated()).always(),
            Ok((false, predicate)) => Formula::Atom(predicate.negated()).eventually(),
            Err(formula) => formula.not(),
        }),
        Value::Runs(_) => Value::Rich(Logic::Ctl, "`all-paths` under a boolean operator"),
        rich @ Value::Rich(..) => rich,
        Value::Number(_) | Value::Bound(_) => return Err(NOT_A_CONDITION),
    })
}

/// Conjunction or disjunction: of conditions where all are conditions, else of formulas about runs or
/// of questions.
fn join(
    operands: Vec<Value>,
    of_states: fn(Vec<Predicate>) -> Predicate,
    of_questions: fn(Vec<Combination>) -> Combination,
    of_runs: fn(Formula<Predicate>, Formula<Predicate>) -> Formula<Predicate>,
) -> Result<Value, Misfit> {
    if operands.is_empty() {
        return Err(Misfit::Reason("an operator has no operands"));
    }
    let (mut states, mut questions, mut runs) = (Vec::new(), Vec::new(), Vec::new());
    let mut beyond = None;
    for operand in operands {
        match operand {
            Value::State(predicate) => states.push(predicate),
            Value::Paths(combination) => questions.push(combination),
            Value::Path(formula) => runs.push(formula),
            Value::Runs(_) => beyond = beyond.or(Some("`all-paths` under a boolean operator")),
            Value::Rich(_, operator) => beyond = beyond.or(Some(operator)),
            Value::Number(_) | Value::Bound(_) => return Err(NOT_A_CONDITION),
        }
    }
    if !runs.is_empty() && !questions.is_empty() {
        beyond = beyond.or(Some("nested path quantifiers"));
    }
    if let Some(operator) = beyond {
        return Ok(Value::Rich(Logic::Ctl, operator));
    }
    if questions.is_empty() && runs.is_empty() {
        return Ok(Value::State(of_states(states)));
    }
    let state = (!states.is_empty()).then(|| of_states(states));
    if let Some(formula) = runs.into_iter().reduce(of_runs) {
        let state = state.map(Formula::Atom);
        return Ok(Value::Path(
            state.into_iter().chain([formula]).reduce(of_runs).unwrap_or(Formula::True),
        ));
    }
    questions.extend(state.map(Combination::Initially));
    Ok(Value::Paths(match questions.len() {
        1 => questions.remove(0),
        _ => of_questions(questions),
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
