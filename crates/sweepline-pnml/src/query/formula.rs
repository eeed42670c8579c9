//! From the elements of one formula to a property: operators are applied to their operands, innermost first.

use sweepline::ctl;
use sweepline::formula::{Along, Quantifier};
use sweepline::ltl::Formula;
use sweepline_query::{Comparison, Expr, Predicate, ProductError, TooLarge};

use super::property::{Combination, Question};

/// The meaning of an element of a formula.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A number.
    Number(Expr),
    /// A condition on one marking.
    State(Predicate),
    /// Conditions with `EF`, `AG` and boolean operators around them.
    Paths(Combination),
    /// A path formula without its path quantifier yet.
    Path(Formula<Predicate>),
    /// A formula about all paths.
    Runs(Formula<Predicate>),
    /// A temporal operator over state formulas, without its path quantifier yet.
    Along(Along<Ctl>),
    /// A state formula of CTL.
    Branching(Ctl),
    /// The number whose bound is computed.
    Bound(Expr),
    /// A formula of a richer logic, with its first operator of that logic.
    Rich(Logic, &'static str),
}

/// A formula with path quantifiers anywhere.
type Ctl = ctl::Formula<Predicate>;

/// A logic beyond the supported kinds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Logic {
    CtlStar,
    Ltl,
}

impl Logic {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::CtlStar => "CTL*",
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

const NOT_A_CONDITION: Misfit = Misfit::Reason("expected a condition, found a number");
const NOT_A_NUMBER: Misfit = Misfit::Reason("expected a number, found a condition");

/// Applies the element `operator` to its operands.
pub(super) fn apply(operator: &str, operands: Vec<Value>) -> Result<Value, Misfit> {
    if let Some(comparison) = comparison(operator) {
        let [left, right] = exactly(numbers(operands)?)?;
        return Ok(Value::State(Predicate::compare(&left, comparison, &right)?));
    }
    match operator {
        "conjunction" => join(operands, &AND),
        "disjunction" => join(operands, &OR),
        "negation" => negate(one(operands)?),
        "implication" => {
            let [premise, conclusion] = exactly(operands)?;
            let parts = vec![negate(premise)?, conclusion];
            join(parts, &OR)
        }
        "finally" => exactly(operands).and_then(|[f]| along(Along::Finally(f))),
        "globally" => exactly(operands).and_then(|[f]| along(Along::Globally(f))),
        "next" => exactly(operands).and_then(|[f]| along(Along::Next(f))),
        "until" => exactly(operands).and_then(|[f, g]| along(Along::Until(f, g))),
        "before" | "reach" => one(operands),
        "exists-path" => quantify(Quantifier::Exists, one(operands)?),
        "all-paths" => quantify(Quantifier::All, one(operands)?),
        "integer-sum" => Ok(Value::Number(Expr::total(&numbers(operands)?)?)),
        "integer-difference" => difference(numbers(operands)?),
        "integer-product" => product(numbers(operands)?),
        "true" => Ok(Value::State(Predicate::constant(true))),
        "false" => Ok(Value::State(Predicate::constant(false))),
        "deadlock" | "is-deadlock" => Ok(Value::State(Predicate::deadlock())),
        _ => Err(Misfit::Reason("unknown element")),
    }
}

/// The property that a whole formula describes, or the logic that it needs.
pub(super) fn question(value: Value) -> Result<Result<Question, (Logic, &'static str)>, Misfit> {
    match value {
        Value::Number(_) => Err(NOT_A_CONDITION),
        Value::State(predicate) => Ok(Ok(Question::Initially(predicate))),
        Value::Paths(combination) => Ok(Ok(combination.into())),
        Value::Bound(expr) => Ok(Ok(Question::Bound(expr))),
        Value::Runs(formula) => Ok(Ok(Question::Ltl(formula))),
        Value::Branching(formula) => Ok(Ok(Question::Ctl(formula))),
        Value::Path(_) | Value::Along(_) => {
            Ok(Err((Logic::Ltl, "a temporal operator without `all-paths`")))
        }
        Value::Rich(logic, operator) => Ok(Err((logic, operator))),
    }
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
    let formula = match value {
        Value::Path(formula) => formula,
        Value::Along(along) => return Ok(Value::Branching(Ctl::runs(quantifier, along))),
        Value::Number(_) | Value::Bound(_) => return Err(NOT_A_CONDITION),
        // A quantifier around a formula without temporal operators has no effect.
        other => return Ok(other),
    };
    Ok(match (quantifier, simple(formula)) {
        (Quantifier::Exists, Ok((true, predicate))) => {
            Value::Paths(Combination::Possible(predicate))
        }
        (Quantifier::All, Ok((false, predicate))) => {
            Value::Paths(Combination::Invariant(predicate))
        }
        (Quantifier::Exists, Ok((false, predicate))) => {
            Value::Branching(Ctl::some(Along::Globally(Ctl::Atom(predicate))))
        }
        (Quantifier::Exists, Err(formula)) => match one_step(&formula) {
            Some(along) => Value::Branching(Ctl::some(along)),
            None => Value::Rich(Logic::CtlStar, "several operators under one `exists-path`"),
        },
        (Quantifier::All, Ok((true, predicate))) => {
            Value::Runs(Formula::Atom(predicate).eventually())
        }
        (Quantifier::All, Err(formula)) => Value::Runs(formula),
    })
}

/// The formula as one temporal operator over conditions, if it is that.
fn one_step(formula: &Formula<Predicate>) -> Option<Along<Ctl>> {
    let Formula::Runs((), along) = formula else { return None };
    let atom = |part: Formula<Predicate>| match part {
        Formula::Atom(predicate) => Ok(Ctl::Atom(predicate)),
        _ => Err(()),
    };
    along.clone().try_map(&mut { atom }).ok()
}

/// Why something is not a CTL formula: it needs a richer logic, or is wrong.
type Beyond = Result<(Logic, &'static str), Misfit>;

/// The value of a formula that contains such a part.
fn rich(beyond: Beyond) -> Result<Value, Misfit> {
    beyond.map(|(logic, operator)| Value::Rich(logic, operator))
}

/// A value as a CTL formula.
fn branching(value: Value) -> Result<Ctl, Beyond> {
    let beyond = |operator| Err(Ok((Logic::CtlStar, operator)));
    match value {
        Value::State(predicate) => Ok(Ctl::Atom(predicate)),
        Value::Paths(combination) => Ok(of_combination(combination)),
        Value::Branching(formula) => Ok(formula),
        Value::Runs(formula) => match one_step(&formula) {
            Some(along) => Ok(Ctl::every(along)),
            None => beyond("several operators under one `all-paths`"),
        },
        Value::Path(_) | Value::Along(_) => beyond("a temporal operator without a path quantifier"),
        Value::Rich(logic, operator) => Err(Ok((logic, operator))),
        Value::Number(_) | Value::Bound(_) => Err(Err(NOT_A_CONDITION)),
    }
}

fn of_combination(combination: Combination) -> Ctl {
    let all = |parts: Vec<Combination>, none: Ctl, join: fn(Ctl, Ctl) -> Ctl| {
        parts.into_iter().map(of_combination).reduce(join).unwrap_or(none)
    };
    match combination {
        Combination::Invariant(predicate) => Ctl::Atom(predicate).everywhere(),
        Combination::Possible(predicate) => Ctl::Atom(predicate).possible(),
        Combination::Initially(predicate) => Ctl::Atom(predicate),
        Combination::All(parts) => all(parts, Ctl::True, Ctl::and),
        Combination::Any(parts) => all(parts, Ctl::False, Ctl::or),
    }
}

/// A condition under one `finally` (then `true`) or one `globally`; or the formula unchanged.
fn simple(formula: Formula<Predicate>) -> Result<(bool, Predicate), Formula<Predicate>> {
    let (is_finally, inner) = match &formula {
        Formula::Runs((), along) => match &**along {
            Along::Finally(inner) => (true, inner),
            Along::Globally(inner) => (false, inner),
            _ => return Err(formula),
        },
        _ => return Err(formula),
    };
    match inner {
        Formula::Atom(predicate) => Ok((is_finally, predicate.clone())),
        _ => Err(formula),
    }
}

/// A temporal operator and its operands: a path formula if all of them are, else a CTL formula.
fn along(along: Along<Value>) -> Result<Value, Misfit> {
    let is_of_run = |value: &Value| matches!(value, Value::State(_) | Value::Path(_));
    if along.parts().into_iter().flatten().all(is_of_run) {
        let along = along.try_map(&mut |operand| match operand {
            Value::State(predicate) => Ok(Formula::Atom(predicate)),
            Value::Path(formula) => Ok(formula),
            _ => Err(NOT_A_CONDITION),
        })?;
        return Ok(Value::Path(Formula::runs((), along)));
    }
    along.try_map(&mut branching).map(Value::Along).or_else(rich)
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
        other => {
            let negated = branching(other).map(|formula| Value::Branching(formula.not()));
            return negated.or_else(rich);
        }
    })
}

/// Conjunction or disjunction, for all kinds of operands.
struct Junction {
    of_states: fn(Vec<Predicate>) -> Predicate,
    of_questions: fn(Vec<Combination>) -> Combination,
    of_runs: fn(Formula<Predicate>, Formula<Predicate>) -> Formula<Predicate>,
    branching: fn(Ctl, Ctl) -> Ctl,
}

const AND: Junction = Junction {
    of_states: Predicate::all,
    of_questions: Combination::All,
    of_runs: Formula::and,
    branching: Ctl::and,
};
const OR: Junction = Junction {
    of_states: Predicate::any,
    of_questions: Combination::Any,
    of_runs: Formula::or,
    branching: Ctl::or,
};

/// Joins conditions if all operands are conditions, else path formulas, properties, or CTL formulas.
fn join(operands: Vec<Value>, junction: &Junction) -> Result<Value, Misfit> {
    if operands.is_empty() {
        return Err(Misfit::Reason("an operator has no operands"));
    }
    let has = |is: fn(&Value) -> bool| operands.iter().any(is);
    let runs = has(|value| matches!(value, Value::Path(_)));
    let questions = has(|value| matches!(value, Value::Paths(_)));
    let others = has(|value| !matches!(value, Value::State(_) | Value::Path(_) | Value::Paths(_)));
    if others || runs && questions {
        let formulas: Result<Vec<Ctl>, _> = operands.into_iter().map(branching).collect();
        let joined = |all: Vec<Ctl>| all.into_iter().reduce(junction.branching);
        let joined = formulas.map(|all| Value::Branching(joined(all).unwrap_or(Ctl::True)));
        return joined.or_else(rich);
    }
    let (mut states, mut questions, mut runs) = (Vec::new(), Vec::new(), Vec::new());
    for operand in operands {
        match operand {
            Value::State(predicate) => states.push(predicate),
            Value::Paths(combination) => questions.push(combination),
            Value::Path(formula) => runs.push(formula),
            _ => {}
        }
    }
    if questions.is_empty() && runs.is_empty() {
        return Ok(Value::State((junction.of_states)(states)));
    }
    let state = (!states.is_empty()).then(|| (junction.of_states)(states));
    if let Some(formula) = runs.into_iter().reduce(junction.of_runs) {
        let state = state.map(Formula::Atom);
        return Ok(Value::Path(
            state.into_iter().chain([formula]).reduce(junction.of_runs).unwrap_or(Formula::True),
        ));
    }
    questions.extend(state.map(Combination::Initially));
    Ok(Value::Paths(match questions.len() {
        1 => questions.remove(0),
        _ => (junction.of_questions)(questions),
    }))
}

fn difference(mut operands: Vec<Expr>) -> Result<Value, Misfit> {
    if operands.is_empty() {
        return Err(TWO_OPERANDS);
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
    exactly(operands).map(|[operand]| operand)
}

/// The operands, if there are exactly `N`.
fn exactly<T, const N: usize>(operands: Vec<T>) -> Result<[T; N], Misfit> {
    operands.try_into().map_err(|_| match N {
        1 => Misfit::Reason("the operator takes exactly one operand"),
        _ => TWO_OPERANDS,
    })
}

const TWO_OPERANDS: Misfit = Misfit::Reason("the operator takes exactly two operands");
