//! A transition prepared for the search: the requirements of its input arcs, as patterns where possible.

use std::collections::BTreeSet;

use super::super::sort::{Colour, SortId, Sorts};
use super::super::term::{Bag, Guard, Term, TooMany, UNBOUND, VariableId};
use super::super::{ColouredTransition, SymmetricNet};

/// A pattern for colours.
#[derive(Clone, Debug)]
pub(super) enum Pattern<'n> {
    /// Any colour.
    Any,
    /// The value of a term.
    Term(&'n Term),
    /// A tuple, by its components.
    Tuple(SortId, Vec<Pattern<'n>>),
}

/// A colour that a binding needs in a place.
#[derive(Clone, Debug)]
pub(super) struct Atom<'n> {
    pub(super) place: usize,
    pub(super) pattern: Pattern<'n>,
    /// The term, if the pattern is one and expresses the whole requirement.
    pub(super) term: Option<&'n Term>,
}

/// A transition, ready for planning.
pub(super) struct Prepared<'n> {
    pub(super) transition: &'n ColouredTransition,
    /// The conjuncts of the guard.
    pub(super) guards: Vec<&'n Guard>,
    pub(super) atoms: Vec<Atom<'n>>,
    /// Multisets with variables that patterns do not describe completely: they must be evaluated and
    /// compared.
    pub(super) bags: Vec<(usize, &'n Bag)>,
    /// Places with such a multiset that no pattern covers: a new colour there does not tell which bindings to
    /// search.
    pub(super) loose: BTreeSet<usize>,
    /// Colours that every binding needs.
    pub(super) gates: BTreeSet<(usize, Colour)>,
}

impl<'n> Prepared<'n> {
    pub(super) fn new(
        net: &SymmetricNet,
        transition: &'n ColouredTransition,
        most: usize,
    ) -> Result<Self, TooMany> {
        let mut prepared = Prepared {
            transition,
            guards: Vec::new(),
            atoms: Vec::new(),
            bags: Vec::new(),
            loose: BTreeSet::new(),
            gates: BTreeSet::new(),
        };
        prepared.split(&transition.guard);
        let unbound = vec![UNBOUND; net.variables.len()];
        for (place, bag) in &transition.inputs {
            prepared.need(&net.sorts, *place, bag, &unbound, most)?;
        }
        Ok(prepared)
    }

    fn split(&mut self, guard: &'n Guard) {
        match guard {
            Guard::All(parts) => parts.iter().for_each(|part| self.split(part)),
            other => self.guards.push(other),
        }
    }

    fn need(
        &mut self,
        sorts: &Sorts,
        place: usize,
        bag: &'n Bag,
        unbound: &[Colour],
        most: usize,
    ) -> Result<(), TooMany> {
        match bag {
            Bag::Times(0, _) => {}
            Bag::Times(_, inner) => self.need(sorts, place, inner, unbound, most)?,
            Bag::Sum(parts) => {
                for part in parts {
                    self.need(sorts, place, part, unbound, most)?;
                }
            }
            _ if bag.is_constant() => {
                let tokens = bag.tokens(sorts, unbound, most)?.unwrap_or_default();
                self.gates.extend(tokens.into_keys().map(|colour| (place, colour)));
            }
            Bag::One(term) => {
                self.atoms.push(Atom { place, pattern: pattern(term), term: Some(term) });
            }
            Bag::Product(sort, parts) => {
                match parts.iter().map(component).collect::<Option<Vec<_>>>() {
                    Some(parts) => {
                        let pattern = Pattern::Tuple(*sort, parts);
                        self.atoms.push(Atom { place, pattern, term: None });
                    }
                    None => {
                        self.loose.insert(place);
                    }
                }
                self.bags.push((place, bag));
            }
            Bag::All(_) | Bag::Difference(..) => {
                self.loose.insert(place);
                self.bags.push((place, bag));
            }
        }
        Ok(())
    }
}

/// A component of a product of multisets that is needed whatever the others are; `None` if the multiset may
/// be empty, so that nothing is needed.
fn component(bag: &Bag) -> Option<Pattern<'_>> {
    match bag {
        Bag::One(term) => Some(pattern(term)),
        Bag::All(_) => Some(Pattern::Any),
        _ => None,
    }
}

pub(super) fn pattern(term: &Term) -> Pattern<'_> {
    match term {
        Term::Tuple(sort, terms) => Pattern::Tuple(*sort, terms.iter().map(pattern).collect()),
        other => Pattern::Term(other),
    }
}

impl Pattern<'_> {
    /// Calls `f` for each variable that gets a value by matching a colour.
    pub(super) fn binds(&self, f: &mut dyn FnMut(VariableId)) {
        match self {
            Pattern::Any => {}
            Pattern::Term(term) => term_binds(term, f),
            Pattern::Tuple(_, parts) => parts.iter().for_each(|part| part.binds(f)),
        }
    }

    /// Calls `f` for each variable.
    pub(super) fn variables(&self, f: &mut dyn FnMut(VariableId)) {
        match self {
            Pattern::Any => {}
            Pattern::Term(term) => term.variables(f),
            Pattern::Tuple(_, parts) => parts.iter().for_each(|part| part.variables(f)),
        }
    }

    /// Matches a colour; variables without a value get one and are recorded in `trail`. Parts that cannot be
    /// inverted match any colour: they must be compared when their variables are bound.
    pub(super) fn matches(
        &self,
        sorts: &Sorts,
        colour: Colour,
        binding: &mut [Colour],
        trail: &mut Vec<VariableId>,
    ) -> bool {
        match self {
            Pattern::Any => true,
            Pattern::Term(term) => term_matches(term, sorts, colour, binding, trail),
            Pattern::Tuple(sort, patterns) => {
                let parts = sorts.parts(*sort).unwrap_or_default();
                let components = sorts.split(parts, colour);
                patterns
                    .iter()
                    .rev()
                    .zip(components)
                    .all(|(pattern, component)| pattern.matches(sorts, component, binding, trail))
            }
        }
    }
}

/// The variables below operators that can be inverted.
fn term_binds(term: &Term, f: &mut dyn FnMut(VariableId)) {
    match term {
        Term::Variable(variable) => f(*variable),
        Term::Successor(inner, _) | Term::Predecessor(inner, _) => term_binds(inner, f),
        Term::Constant(_) | Term::Tuple(..) | Term::Class(..) | Term::Truth(_) => {}
    }
}

fn term_matches(
    term: &Term,
    sorts: &Sorts,
    colour: Colour,
    binding: &mut [Colour],
    trail: &mut Vec<VariableId>,
) -> bool {
    match term {
        Term::Variable(variable) => {
            let value = &mut binding[variable.index()];
            if *value == UNBOUND {
                *value = colour;
                trail.push(*variable);
            }
            *value == colour
        }
        Term::Constant(constant) => *constant == colour,
        Term::Successor(inner, size) => {
            term_matches(inner, sorts, (colour + size - 1) % size, binding, trail)
        }
        Term::Predecessor(inner, size) => {
            term_matches(inner, sorts, (colour + 1) % size, binding, trail)
        }
        // Tuples are patterns of their own.
        Term::Tuple(..) | Term::Class(..) | Term::Truth(_) => {
            term.value(sorts, binding).is_none_or(|value| value == colour)
        }
    }
}
