//! Transition instances of a net, each with its own places.

use sweepline_ml::Inscription;

use crate::net::{Behaviour, Net, Slot, Transition};

/// A transition instance, with the behaviour that all instances of the transition share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance<'n> {
    pub(crate) transition: &'n Transition,
    pub(crate) behaviour: &'n Behaviour,
}

impl<'n> Instance<'n> {
    /// All transition instances of a net, in order.
    pub(crate) fn all(net: &'n Net) -> impl Iterator<Item = Self> {
        let with_behaviour = |transition| (transition, net.behaviour(transition));
        let all = net.transitions.iter().map(with_behaviour);
        all.map(|(transition, behaviour)| Instance { transition, behaviour })
    }

    /// The input arcs: place and inscription.
    pub(crate) fn inputs(self) -> impl Iterator<Item = (usize, &'n Inscription)> {
        self.behaviour.inputs.iter().map(move |arc| (self.place(&arc.slot), &arc.inscription))
    }

    /// The output arcs: place and inscription.
    pub(crate) fn outputs(self) -> impl Iterator<Item = (usize, &'n Inscription)> {
        self.behaviour.outputs.iter().map(move |arc| (self.place(&arc.slot), &arc.inscription))
    }

    /// The places of inhibitor or reset arcs.
    pub(crate) fn places(self, slots: &[Slot]) -> Vec<usize> {
        slots.iter().map(|slot| self.place(slot)).collect()
    }

    fn place(self, slot: &Slot) -> usize {
        self.transition.places[slot.0 as usize].0 as usize
    }
}
