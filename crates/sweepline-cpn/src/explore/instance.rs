//! Transition instances of a net, each with its own places.

use sweepline_ml::Inscription;

use crate::net::{Behaviour, Net, Slot, Transition};

/// A transition instance, with what all instances of the transition do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance<'n> {
    pub(crate) transition: &'n Transition,
    pub(crate) behaviour: &'n Behaviour,
}

impl<'n> Instance<'n> {
    /// All of a net, in its order.
    pub(crate) fn all(net: &'n Net) -> impl Iterator<Item = Self> {
        let with_behaviour = |transition| (transition, net.behaviour(transition));
        let all = net.transitions.iter().map(with_behaviour);
        all.map(|(transition, behaviour)| Instance { transition, behaviour })
    }

    /// Input arcs: from which place, and what.
    pub(crate) fn inputs(self) -> impl Iterator<Item = (usize, &'n Inscription)> {
        self.behaviour.inputs.iter().map(move |arc| (self.place(&arc.slot), &arc.inscription))
    }

    /// Output arcs: to which place, and what.
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
