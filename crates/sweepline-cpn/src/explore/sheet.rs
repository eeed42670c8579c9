//! A net as it is compiled from: every transition instance with its own places.

use sweepline_ml::core::Expr;
use sweepline_ml::{CodeSegment, ColourSetId, Delay, Inscription};

use crate::net::{Net, Place, Slot, Transition};

/// All place and transition instances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    /// The places, fused and assigned ones once.
    pub(crate) places: Vec<SheetPlace>,
    /// The transitions.
    pub(crate) transitions: Vec<SheetTransition>,
}

/// A place instance.
#[derive(Clone, Debug)]
pub(crate) struct SheetPlace {
    /// `Page'Place 1`.
    pub(crate) name: String,
    /// The colours of its tokens.
    pub(crate) colour_set: ColourSetId,
    /// Its tokens at the start.
    pub(crate) initial: Option<Inscription>,
}

/// A transition instance.
#[derive(Clone, Debug)]
pub(crate) struct SheetTransition {
    /// `Page'Transition 1`.
    pub(crate) name: String,
    /// The number of its page instance.
    pub(crate) instance: u32,
    /// An expression of type `int`; the least goes first.
    pub(crate) priority: Option<Expr>,
    /// The conjuncts of its guard.
    pub(crate) guard: Vec<Expr>,
    /// Input arcs: from which place, and what.
    pub(crate) inputs: Vec<(usize, Inscription)>,
    /// Output arcs: to which place, and what.
    pub(crate) outputs: Vec<(usize, Inscription)>,
    /// Places that must have no available token.
    pub(crate) inhibitors: Vec<usize>,
    /// Places that are emptied.
    pub(crate) resets: Vec<usize>,
    /// The code segment.
    pub(crate) code: Option<CodeSegment>,
    /// The time region.
    pub(crate) delay: Option<Delay>,
}

impl Sheet {
    pub(crate) fn new(net: &Net) -> Self {
        let place = |place: &Place| SheetPlace {
            name: place.name.clone(),
            colour_set: place.colour_set,
            initial: place.initial.clone(),
        };
        let transition = |transition: &Transition| SheetTransition::new(net, transition);
        Sheet {
            places: net.places.iter().map(place).collect(),
            transitions: net.transitions.iter().map(transition).collect(),
        }
    }
}

impl SheetTransition {
    fn new(net: &Net, transition: &Transition) -> Self {
        let behaviour = net.behaviour(transition);
        let at = |slot: &Slot| transition.places[slot.0 as usize].0 as usize;
        SheetTransition {
            name: transition.name.clone(),
            instance: transition.instance,
            priority: behaviour.priority.clone(),
            guard: behaviour.guard.iter().map(|conjunct| conjunct.expr.clone()).collect(),
            inputs: behaviour.inputs.iter().map(|i| (at(&i.slot), i.inscription.clone())).collect(),
            outputs: behaviour
                .outputs
                .iter()
                .map(|o| (at(&o.slot), o.inscription.clone()))
                .collect(),
            inhibitors: behaviour.inhibitors.iter().map(at).collect(),
            resets: behaviour.resets.iter().map(at).collect(),
            code: behaviour.code.clone(),
            delay: behaviour.delay.clone(),
        }
    }
}
