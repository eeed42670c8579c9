//! Linear inequalities over places, and those that follow from conditions.

use sweepline_query::{Linear, MarkingView, Node, PlaceId, Predicate};

use crate::net::{Net, TransitionId};

/// The weighted sum of places is at most the bound.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    /// The places and their weights, in order, none of them zero.
    pub terms: Vec<(PlaceId, i128)>,
    /// The bound.
    pub bound: i128,
}

impl Row {
    /// Whether a marking satisfies it; an overflow counts as no.
    pub fn holds(&self, marking: &impl MarkingView) -> bool {
        let sum = self.terms.iter().try_fold(0i128, |sum, &(place, weight)| {
            sum.checked_add(weight.checked_mul(i128::from(marking.tokens(place)))?)
        });
        sum.is_some_and(|sum| sum <= self.bound)
    }

    /// `tokens(place) <= most`.
    pub(super) fn at_most(place: PlaceId, most: i128) -> Self {
        Row { terms: vec![(place, 1)], bound: most }
    }

    /// `tokens(place) >= least`.
    pub(super) fn at_least(place: PlaceId, least: i128) -> Self {
        Row { terms: vec![(place, -1)], bound: -least }
    }

    /// Some of the places is marked.
    pub(super) fn some_token(places: &[PlaceId]) -> Self {
        Row { terms: places.iter().map(|&place| (place, -1)).collect(), bound: -1 }
    }

    fn of(sum: &Linear, sign: i128, bound: i128) -> Self {
        let terms = sum.terms().iter().map(|&(c, place)| (place, sign * i128::from(c))).collect();
        Row { terms, bound }
    }

    /// By how much a marking with fractions violates it; zero or less if it does not.
    pub(super) fn excess(&self, marking: &[f64]) -> f64 {
        let sum: f64 = self.terms.iter().map(|&(p, c)| c as f64 * marking[p.index()]).sum();
        sum - self.bound as f64
    }
}

/// A condition as a conjunction: inequalities, and parts of which one must be chosen.
#[derive(Clone, Default, Debug)]
pub(super) struct Conjunction {
    pub(super) rows: Vec<Row>,
    pub(super) choices: Vec<Choice>,
}

/// A condition that is no conjunction of inequalities.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// One of these holds.
    Any(Vec<Predicate>),
    /// The sum is less than the number or more.
    Different(Linear, i128),
    /// One of these transitions is enabled.
    Fireable(Vec<TransitionId>),
    /// The transition is not enabled; it has several inputs.
    Disabled(TransitionId),
}

impl Conjunction {
    /// Adds a condition; `None` if it contradicts itself.
    pub(super) fn add(&mut self, net: &Net, condition: &Predicate) -> Option<()> {
        match condition.node() {
            Node::Constant(true) => {}
            Node::Constant(false) => return None,
            Node::AtMost(sum, bound) => self.rows.push(Row::of(sum, 1, *bound)),
            Node::Equal(sum, value) => {
                self.rows.push(Row::of(sum, 1, *value));
                self.rows.push(Row::of(sum, -1, -value));
            }
            Node::Different(sum, value) => {
                self.choices.push(Choice::Different(sum.clone(), *value));
            }
            Node::Fireable(transitions) => self.fireable(net, transitions),
            Node::Disabled(transitions) => self.disabled(net, transitions.iter().copied())?,
            Node::Deadlock => self.disabled(net, net.transition_ids())?,
            Node::Alive => self.fireable(net, &net.transition_ids().collect::<Vec<_>>()),
            Node::All(parts) => {
                parts.iter().try_for_each(|part| self.add(net, part).ok_or(())).ok()?
            }
            Node::Any(parts) => self.choices.push(Choice::Any(parts.clone())),
        }
        Some(())
    }

    fn fireable(&mut self, net: &Net, transitions: &[TransitionId]) {
        match transitions {
            [one] => self.rows.extend(enabled(net, *one)),
            several => self.choices.push(Choice::Fireable(several.to_vec())),
        }
    }

    fn disabled(
        &mut self,
        net: &Net,
        transitions: impl Iterator<Item = TransitionId>,
    ) -> Option<()> {
        for transition in transitions {
            match net.transitions[transition.index()].inputs[..] {
                [] => return None,
                [(place, weight)] => self.rows.push(Row::at_most(place, i128::from(weight) - 1)),
                _ => self.choices.push(Choice::Disabled(transition)),
            }
        }
        Some(())
    }
}

/// The inequalities that say that a transition is enabled.
pub(super) fn enabled(net: &Net, transition: TransitionId) -> impl Iterator<Item = Row> + '_ {
    let inputs = &net.transitions[transition.index()].inputs;
    inputs.iter().map(|&(place, weight)| Row::at_least(place, i128::from(weight)))
}
