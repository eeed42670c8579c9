//! Terms of a symmetric net: colours, multisets of colours, conditions; and their values under a binding.

use std::collections::BTreeMap;

use super::sort::{Colour, Sort, SortId, Sorts};
use crate::query::Comparison;

/// The index of a variable in the declarations of its net.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A term for one colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// The colour that a variable is bound to.
    Variable(VariableId),
    /// A constant.
    Constant(Colour),
    /// The next colour of a cyclic sort of this size.
    Successor(Box<Term>, u64),
    /// The colour before, in a cyclic sort of this size.
    Predecessor(Box<Term>, u64),
    /// A tuple of this product sort.
    Tuple(SortId, Vec<Term>),
    /// The class of this partition that the colour belongs to.
    Class(SortId, Box<Term>),
    /// True or false, as colours.
    Truth(Box<Guard>),
}

/// A term for a multiset of colours of one sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bag {
    /// One token.
    One(Term),
    /// One token of each colour of the sort.
    All(SortId),
    /// The multiset multiplied by a number.
    Times(u64, Box<Bag>),
    /// The sum of multisets.
    Sum(Vec<Bag>),
    /// The first multiset minus the second one; no count is negative.
    Difference(Box<Bag>, Box<Bag>),
    /// The tuples of this product sort with one component from each multiset.
    Product(SortId, Vec<Bag>),
}

/// A condition on a binding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// True or false.
    Constant(bool),
    /// Two colours of one sort, by their order in it.
    Compare(Term, Comparison, Term),
    /// A term of sort bool is true.
    Is(Term),
    /// The negation.
    Not(Box<Guard>),
    /// All hold.
    All(Vec<Guard>),
    /// One holds.
    Any(Vec<Guard>),
}

/// The value, in a binding, of a variable that has none yet. A binding has a colour for each variable of the
/// net. No sort is that large.
pub const UNBOUND: Colour = Colour::MAX;

/// A multiset is too large to be computed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TooMany {
    /// More colours than allowed.
    Colours,
    /// More tokens of one colour than 64 bits can count.
    Tokens,
}

impl Term {
    /// The colour, if all variables of the term are bound.
    pub fn value(&self, sorts: &Sorts, binding: &[Colour]) -> Option<Colour> {
        match self {
            Term::Variable(variable) => {
                Some(binding[variable.index()]).filter(|&colour| colour != UNBOUND)
            }
            Term::Constant(colour) => Some(*colour),
            Term::Successor(inner, size) => Some((inner.value(sorts, binding)? + 1) % size),
            Term::Predecessor(inner, size) => {
                Some((inner.value(sorts, binding)? + size - 1) % size)
            }
            Term::Tuple(sort, terms) => {
                let parts = sorts.parts(*sort)?;
                let mut colour = 0;
                for (term, &part) in terms.iter().zip(parts) {
                    colour = colour * sorts.size(part) + term.value(sorts, binding)?;
                }
                Some(colour)
            }
            Term::Class(partition, inner) => {
                let colour = inner.value(sorts, binding)?;
                match sorts.sort(*partition) {
                    Sort::Partition { class_of, .. } => class_of.get(colour as usize).copied(),
                    _ => None,
                }
            }
            Term::Truth(guard) => guard.holds(sorts, binding).map(Colour::from),
        }
    }

    /// Calls `f` for each occurrence of a variable.
    pub fn variables(&self, f: &mut dyn FnMut(VariableId)) {
        match self {
            Term::Variable(variable) => f(*variable),
            Term::Constant(_) => {}
            Term::Successor(inner, _) | Term::Predecessor(inner, _) | Term::Class(_, inner) => {
                inner.variables(f);
            }
            Term::Tuple(_, terms) => terms.iter().for_each(|term| term.variables(f)),
            Term::Truth(guard) => guard.variables(f),
        }
    }
}

impl Guard {
    /// Whether it holds, if all its variables are bound.
    pub fn holds(&self, sorts: &Sorts, binding: &[Colour]) -> Option<bool> {
        Some(match self {
            Guard::Constant(value) => *value,
            Guard::Compare(left, comparison, right) => {
                let (left, right) = (left.value(sorts, binding)?, right.value(sorts, binding)?);
                match comparison {
                    Comparison::Less => left < right,
                    Comparison::AtMost => left <= right,
                    Comparison::Equal => left == right,
                    Comparison::Different => left != right,
                    Comparison::AtLeast => left >= right,
                    Comparison::More => left > right,
                }
            }
            Guard::Is(term) => term.value(sorts, binding)? != 0,
            Guard::Not(inner) => !inner.holds(sorts, binding)?,
            Guard::All(parts) | Guard::Any(parts) => {
                let decisive = matches!(self, Guard::Any(_));
                for part in parts {
                    if part.holds(sorts, binding)? == decisive {
                        return Some(decisive);
                    }
                }
                !decisive
            }
        })
    }

    /// Calls `f` for each occurrence of a variable.
    pub fn variables(&self, f: &mut dyn FnMut(VariableId)) {
        match self {
            Guard::Constant(_) => {}
            Guard::Compare(left, _, right) => {
                left.variables(f);
                right.variables(f);
            }
            Guard::Is(term) => term.variables(f),
            Guard::Not(inner) => inner.variables(f),
            Guard::All(parts) | Guard::Any(parts) => {
                parts.iter().for_each(|part| part.variables(f));
            }
        }
    }
}

/// The value of a multiset: each colour with its number of tokens, none zero.
pub type Tokens = BTreeMap<Colour, u64>;

impl Bag {
    /// The tokens, if all variables are bound; an error if there are more than `most` colours.
    pub fn tokens(
        &self,
        sorts: &Sorts,
        binding: &[Colour],
        most: usize,
    ) -> Result<Option<Tokens>, TooMany> {
        let bag = match self {
            Bag::One(term) => match term.value(sorts, binding) {
                Some(colour) => Tokens::from([(colour, 1)]),
                None => return Ok(None),
            },
            Bag::All(sort) => {
                let size = sorts.size(*sort);
                if size > most as u64 {
                    return Err(TooMany::Colours);
                }
                (0..size).map(|colour| (colour, 1)).collect()
            }
            // Not evaluated: zero times a multiset has no colours, however large it is.
            Bag::Times(0, _) => Tokens::new(),
            Bag::Times(factor, inner) => {
                let Some(mut bag) = inner.tokens(sorts, binding, most)? else { return Ok(None) };
                for tokens in bag.values_mut() {
                    *tokens = tokens.checked_mul(*factor).ok_or(TooMany::Tokens)?;
                }
                bag
            }
            Bag::Sum(parts) => {
                let mut sum = Tokens::new();
                for part in parts {
                    let Some(bag) = part.tokens(sorts, binding, most)? else { return Ok(None) };
                    add(&mut sum, bag)?;
                }
                sum
            }
            Bag::Difference(left, right) => {
                let (left, right) =
                    (left.tokens(sorts, binding, most)?, right.tokens(sorts, binding, most)?);
                let (Some(mut left), Some(right)) = (left, right) else { return Ok(None) };
                left.retain(|colour, tokens| {
                    *tokens = tokens.saturating_sub(right.get(colour).copied().unwrap_or(0));
                    *tokens > 0
                });
                left
            }
            Bag::Product(sort, parts) => match product(*sort, parts, sorts, binding, most)? {
                Some(bag) => bag,
                None => return Ok(None),
            },
        };
        if bag.len() > most { Err(TooMany::Colours) } else { Ok(Some(bag)) }
    }

    /// Whether it has no variables.
    pub fn is_constant(&self) -> bool {
        let mut constant = true;
        self.variables(&mut |_| constant = false);
        constant
    }

    /// Calls `f` for each occurrence of a variable.
    pub fn variables(&self, f: &mut dyn FnMut(VariableId)) {
        match self {
            Bag::One(term) => term.variables(f),
            Bag::All(_) => {}
            Bag::Times(_, inner) => inner.variables(f),
            Bag::Sum(parts) | Bag::Product(_, parts) => {
                parts.iter().for_each(|part| part.variables(f));
            }
            Bag::Difference(left, right) => {
                left.variables(f);
                right.variables(f);
            }
        }
    }
}

fn add(sum: &mut Tokens, bag: Tokens) -> Result<(), TooMany> {
    for (colour, tokens) in bag {
        let total = sum.entry(colour).or_insert(0);
        *total = total.checked_add(tokens).ok_or(TooMany::Tokens)?;
    }
    Ok(())
}

/// All tuples, numbers of tokens multiplied.
fn product(
    sort: SortId,
    parts: &[Bag],
    sorts: &Sorts,
    binding: &[Colour],
    most: usize,
) -> Result<Option<Tokens>, TooMany> {
    let mut tuples = Tokens::from([(0, 1)]);
    for (part, &component) in parts.iter().zip(sorts.parts(sort).unwrap_or_default()) {
        let Some(bag) = part.tokens(sorts, binding, most)? else { return Ok(None) };
        if tuples.len().checked_mul(bag.len()).is_none_or(|n| n > most) {
            return Err(TooMany::Colours);
        }
        let mut longer = Tokens::new();
        for (&tuple, &n) in &tuples {
            for (&colour, &m) in &bag {
                let tokens = n.checked_mul(m).ok_or(TooMany::Tokens)?;
                longer.insert(tuple * sorts.size(component) + colour, tokens);
            }
        }
        tuples = longer;
    }
    Ok(Some(tuples))
}
