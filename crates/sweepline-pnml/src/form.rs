//! A net as other engines see it: its transition system, and expressions and conditions over the fields of a marking.

use sweepline::Model;
use sweepline::compiled::{Condition, Field, Sum, Term, TransitionSystem};

use crate::measure::steps;
use crate::model::NetModel;
use crate::net::{Net, PlaceId, TransitionId};
use crate::packed::{Layout, Slot};
use crate::query::{Expr, Linear, Node, Predicate};

/// A net in its narrowest layout. A marking that does not fit is recognised by the [room] of a transition; if all places
/// have a known bound, there is none.
///
/// [room]: TransitionSystem::has_room
pub struct NetForm<'a> {
    net: &'a Net,
    layout: &'a Layout,
    /// Transitions have the numbers of the net.
    pub system: &'a TransitionSystem,
}

impl NetModel {
    /// The net for another engine.
    pub fn form(&self) -> NetForm<'_> {
        let (layout, system) = self.narrowest();
        NetForm { net: self.net(), layout, system }
    }

    /// The bytes of the marking in these words of the narrowest layout, as [`encode`](Model::encode) writes them.
    pub fn bytes_of_form(&self, words: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&self.narrow_marking(words), &mut bytes);
        bytes
    }
}

impl NetForm<'_> {
    /// The bits that markings use, for each word.
    pub fn used(&self) -> Vec<u64> {
        let mut used = vec![0; self.layout.n_words];
        for slot in &self.layout.slots {
            if let Slot::Field(field) = slot {
                used[field.word as usize] |= field.most << field.shift;
            }
        }
        used
    }

    /// The tokens of a place.
    fn tokens(&self, place: PlaceId) -> Option<Sum> {
        let term = |&(field, weight): &(Field, u64)| {
            Some((i64::try_from(weight).ok()?.checked_neg()?, Term::Field(field)))
        };
        match &self.layout.slots[place.index()] {
            Slot::Field(field) => Some(Sum { terms: vec![(1, Term::Field(*field))], offset: 0 }),
            Slot::Rest(rest) => {
                let terms = rest.others.iter().map(term).collect::<Option<Vec<_>>>()?;
                Some(Sum { terms, offset: rest.total.into() })
            }
        }
    }

    fn linear(&self, linear: &Linear) -> Option<Sum> {
        let add =
            |sum: Sum, &(weight, place): &(i64, PlaceId)| sum.plus(weight, &self.tokens(place)?);
        linear.terms().iter().try_fold(Sum::default(), add)
    }

    /// The value of an expression; `None` if its numbers are too large.
    pub fn sum(&self, expr: &Expr) -> Option<Sum> {
        let mut sum = self.linear(expr.sum())?;
        sum.offset = sum.offset.checked_add(expr.offset())?;
        Some(sum)
    }

    /// A condition; `None` if its numbers are too large.
    pub fn condition(&self, predicate: &Predicate) -> Option<Condition> {
        let numbers = |ids: &[TransitionId]| ids.iter().map(|id| id.0).collect();
        let all = |parts: &[Predicate]| {
            parts.iter().map(|part| self.condition(part)).collect::<Option<Vec<_>>>()
        };
        Some(match predicate.node() {
            Node::Constant(value) => Condition::Constant(*value),
            Node::AtMost(sum, most) => Condition::AtMost(self.linear(sum)?, *most),
            Node::Equal(sum, number) => Condition::Equal(self.linear(sum)?, *number),
            Node::Different(sum, number) => Condition::Equal(self.linear(sum)?, *number).negated(),
            Node::Fireable(ids) => Condition::Enabled(numbers(ids)),
            Node::Disabled(ids) => Condition::Enabled(numbers(ids)).negated(),
            Node::Deadlock => Condition::Dead,
            Node::Alive => Condition::Dead.negated(),
            Node::All(parts) => Condition::All(all(parts)?),
            Node::Any(parts) => Condition::Any(all(parts)?),
        })
    }

    /// What each transition adds to an expression; `None` if its numbers are too large.
    pub fn steps(&self, expr: &Expr) -> Option<Vec<i64>> {
        let mut weights = vec![0; self.net.places.len()];
        for &(coefficient, place) in expr.sum().terms() {
            weights[place.index()] = coefficient;
        }
        steps(self.net, &weights)
    }
}
