//! Conditions on a marking, in a form that is fast to evaluate: no negations inside, flat conjunctions and
//! disjunctions, and every comparison is between a sum and a number.

use crate::expr::{Expr, Linear, MarkingView, Signs, TooLarge};
use crate::names::TransitionId;

/// A condition on a state.
///
/// Made by [`parse_predicate`](crate::parse_predicate), from a formula file, or by the functions here. All of
/// them use one normal form: equivalent conditions are often, though not always, equal. Negations are pushed
/// down to the comparisons.
///
/// ```
/// use sweepline_query::{Comparison, Expr, PlaceId, Predicate};
///
/// let sum = Expr::tokens([PlaceId(0), PlaceId(1)]);
/// let three = Expr::constant(3)?;
/// let at_most = Predicate::compare(&sum, Comparison::AtMost, &three)?;
/// let more = Predicate::compare(&sum, Comparison::More, &three)?;
/// assert_eq!(at_most.negated(), more);
/// # Ok::<(), sweepline_query::TooLarge>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Predicate {
    node: Node,
    depth: u16,
}

/// The outermost operator of a [`Predicate`], for code that inspects it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// True or false.
    Constant(bool),
    /// The sum is at most the number. The coefficients have no common divisor.
    AtMost(Linear, i128),
    /// The sum is the number. The first coefficient is positive.
    Equal(Linear, i128),
    /// The sum is not the number. The first coefficient is positive.
    Different(Linear, i128),
    /// Some of the transitions are enabled. Never empty; sorted.
    Fireable(Vec<TransitionId>),
    /// None of the transitions is enabled. Never empty; sorted.
    Disabled(Vec<TransitionId>),
    /// No transition is enabled.
    Deadlock,
    /// Some transition is enabled.
    Alive,
    /// All hold. At least two, none of them an `All` or a constant.
    All(Vec<Predicate>),
    /// One holds. At least two, none of them an `Any` or a constant.
    Any(Vec<Predicate>),
}

/// How two integers compare.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `!=`
    Different,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

/// No distance is greater.
const FAR: u64 = 1 << 40;

impl Predicate {
    /// The maximal nesting of conjunctions in disjunctions. Readers reject deeper input, so that evaluating
    /// and dropping a predicate cannot overflow the stack.
    pub const MAX_DEPTH: u16 = 256;

    /// Evaluates the condition on a state. Stops at the first part that decides it.
    pub fn holds(&self, marking: &impl MarkingView) -> bool {
        match &self.node {
            Node::Constant(value) => *value,
            Node::AtMost(sum, bound) => at_most(sum, *bound, marking),
            Node::Equal(sum, value) => sum.value(marking) == *value,
            Node::Different(sum, value) => sum.value(marking) != *value,
            Node::Fireable(transitions) => transitions.iter().any(|&t| marking.fireable(t)),
            Node::Disabled(transitions) => !transitions.iter().any(|&t| marking.fireable(t)),
            Node::Deadlock => marking.deadlock(),
            Node::Alive => !marking.deadlock(),
            Node::All(parts) => parts.iter().all(|part| part.holds(marking)),
            Node::Any(parts) => parts.iter().any(|part| part.holds(marking)),
        }
    }

    /// How far a state is from satisfying the condition: zero if it does. A comparison counts what the sum lacks, a
    /// conjunction adds its parts, and a disjunction takes the least.
    pub fn distance(&self, marking: &impl MarkingView) -> u64 {
        let lacks = |difference: i128| u64::try_from(difference.max(0)).unwrap_or(FAR).min(FAR);
        match &self.node {
            Node::Constant(value) => {
                if *value {
                    0
                } else {
                    FAR
                }
            }
            Node::AtMost(sum, bound) => lacks(sum.value(marking) - bound),
            Node::Equal(sum, value) => lacks((sum.value(marking) - value).abs()),
            Node::Disabled(transitions) => {
                transitions.iter().filter(|&&t| marking.fireable(t)).count() as u64
            }
            Node::All(parts) => {
                parts.iter().fold(0, |sum, part| (sum + part.distance(marking)).min(FAR))
            }
            Node::Any(parts) => {
                parts.iter().map(|part| part.distance(marking)).min().unwrap_or(FAR)
            }
            Node::Different(..) | Node::Fireable(_) | Node::Deadlock | Node::Alive => {
                if self.holds(marking) { 0 } else { 1 }
            }
        }
    }

    /// The outermost operator.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// The value, if it does not depend on the state.
    pub fn as_constant(&self) -> Option<bool> {
        match self.node {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// True or false.
    pub fn constant(value: bool) -> Self {
        Self::leaf(Node::Constant(value))
    }

    /// No transition is enabled.
    pub fn deadlock() -> Self {
        Self::leaf(Node::Deadlock)
    }

    /// Some of the transitions are enabled.
    pub fn fireable(transitions: impl IntoIterator<Item = TransitionId>) -> Self {
        let mut transitions: Vec<_> = transitions.into_iter().collect();
        transitions.sort();
        transitions.dedup();
        match transitions.is_empty() {
            true => Self::constant(false),
            false => Self::leaf(Node::Fireable(transitions)),
        }
    }

    /// Compares two expressions.
    ///
    /// # Errors
    /// When their difference has numbers too large to evaluate exactly.
    pub fn compare(left: &Expr, comparison: Comparison, right: &Expr) -> Result<Self, TooLarge> {
        let difference = left.minus(right)?;
        let (sum, bound) = (difference.sum().clone(), -difference.offset());
        let opposite = || sum.map(|c| -c);
        Ok(match comparison {
            Comparison::AtMost => Self::at_most(sum, bound),
            Comparison::Less => Self::at_most(sum, bound - 1),
            Comparison::AtLeast => Self::at_most(opposite(), -bound),
            Comparison::More => Self::at_most(opposite(), -bound - 1),
            Comparison::Equal => Self::equal(sum, bound),
            Comparison::Different => Self::equal(sum, bound).negated(),
        })
    }

    /// All hold.
    ///
    /// # Panics
    /// When nested deeper than [`Predicate::MAX_DEPTH`], which no input file can bring about.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(parts, true).unwrap_or_else(|| too_deep())
    }

    /// At least one holds.
    ///
    /// # Panics
    /// When nested deeper than [`Predicate::MAX_DEPTH`], which no input file can bring about.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(parts, false).unwrap_or_else(|| too_deep())
    }

    /// The negation.
    pub fn negated(self) -> Self {
        let negate_all = |parts: Vec<Self>| parts.into_iter().map(Self::negated).collect();
        let node = match self.node {
            Node::Constant(value) => Node::Constant(!value),
            Node::AtMost(sum, bound) => Node::AtMost(sum.map(|c| -c), -bound - 1),
            Node::Equal(sum, value) => Node::Different(sum, value),
            Node::Different(sum, value) => Node::Equal(sum, value),
            Node::Fireable(transitions) => Node::Disabled(transitions),
            Node::Disabled(transitions) => Node::Fireable(transitions),
            Node::Deadlock => Node::Alive,
            Node::Alive => Node::Deadlock,
            Node::All(parts) => Node::Any(negate_all(parts)),
            Node::Any(parts) => Node::All(negate_all(parts)),
        };
        Self { node, depth: self.depth }
    }

    fn leaf(node: Node) -> Self {
        Self { node, depth: 0 }
    }

    /// `sum <= bound` in lowest terms; a constant if the signs decide it, because token counts are not
    /// negative.
    fn at_most(sum: Linear, bound: i128) -> Self {
        let divisor = sum.divisor();
        if divisor == 0 {
            return Self::constant(0 <= bound);
        }
        let bound = bound.div_euclid(i128::from(divisor));
        if sum.signs() == Signs::Positive && bound < 0 {
            return Self::constant(false);
        }
        if sum.signs() == Signs::Negative && bound >= 0 {
            return Self::constant(true);
        }
        Self::leaf(Node::AtMost(divide(&sum, divisor), bound))
    }

    /// `sum = value` in lowest terms with a positive first coefficient.
    fn equal(sum: Linear, value: i128) -> Self {
        let divisor = sum.divisor();
        if divisor == 0 {
            return Self::constant(value == 0);
        }
        if value.rem_euclid(i128::from(divisor)) != 0 {
            return Self::constant(false);
        }
        let value = value / i128::from(divisor);
        let sum = divide(&sum, divisor);
        let (sum, value) = match sum.terms()[0].0 < 0 {
            true => (sum.map(|c| -c), -value),
            false => (sum, value),
        };
        match sum.signs() == Signs::Positive && value < 0 {
            true => Self::constant(false),
            false => Self::leaf(Node::Equal(sum, value)),
        }
    }

    /// Conjunction (`all`) or disjunction: nested ones are flattened, neutral parts are left out, and a
    /// constant of the other value decides the whole. `None` if the result is nested too deeply.
    pub(crate) fn join(parts: impl IntoIterator<Item = Self>, all: bool) -> Option<Self> {
        let mut flat = Vec::new();
        for part in parts {
            match part.node {
                Node::Constant(value) if value == all => {}
                Node::Constant(_) => return Some(Self::constant(!all)),
                Node::All(inner) if all => flat.extend(inner),
                Node::Any(inner) if !all => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        if flat.len() <= 1 {
            return Some(flat.pop().unwrap_or_else(|| Self::constant(all)));
        }
        let depth = flat.iter().map(|part| part.depth).max().unwrap_or(0) + 1;
        let node = if all { Node::All(flat) } else { Node::Any(flat) };
        (depth <= Self::MAX_DEPTH).then_some(Self { node, depth })
    }
}

fn too_deep() -> ! {
    panic!("conditions are nested more than {} levels deep", Predicate::MAX_DEPTH)
}

fn divide(sum: &Linear, divisor: u64) -> Linear {
    match i64::try_from(divisor) {
        Ok(divisor) if divisor > 1 => sum.map(|c| c / divisor),
        _ => sum.clone(),
    }
}

/// `sum <= bound`. If all signs agree, the partial sums are monotone, so the answer is known as soon as they
/// exceed the bound.
fn at_most(sum: &Linear, bound: i128, marking: &impl MarkingView) -> bool {
    match (sum.terms(), sum.signs()) {
        ([(1, place)], _) => i128::from(marking.tokens(*place)) <= bound,
        ([(-1, place)], _) => i128::from(marking.tokens(*place)) >= -bound,
        (_, Signs::Positive) => !exceeds(sum, bound, marking),
        (_, Signs::Negative) => exceeds(sum, -bound - 1, marking),
        (_, Signs::Mixed) => sum.value(marking) <= bound,
    }
}

/// Whether the sum of `|coefficient| * tokens` exceeds `bound`, which is not negative.
fn exceeds(sum: &Linear, bound: i128, marking: &impl MarkingView) -> bool {
    let bound = bound.unsigned_abs();
    let mut total: u128 = 0;
    for &(coefficient, place) in sum.terms() {
        total += u128::from(coefficient.unsigned_abs()) * u128::from(marking.tokens(place));
        if total > bound {
            return true;
        }
    }
    false
}
