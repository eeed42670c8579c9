//! Which actions lead to a condition on markings, for stubborn sets.

use std::sync::OnceLock;

use sweepline::select::Goal;

use crate::explore::marking::Marking;
use crate::explore::model::CpnModel;
use crate::query::Expression;

/// A condition that depends on some places alone. Every path to a marking where it becomes true has an action that changes
/// one of them.
#[derive(Clone, Debug)]
pub struct Changing {
    places: Vec<usize>,
    /// The actions that change them. Their numbers do not change during an exploration.
    actions: OnceLock<Vec<u32>>,
}

impl Changing {
    pub(crate) fn new(places: Vec<usize>) -> Self {
        Changing { places, actions: OnceLock::new() }
    }
}

impl CpnModel {
    /// What leads to a condition; `None` if it depends on more than the markings of places.
    pub fn leading_to(&self, condition: &Expression) -> Option<Changing> {
        condition.places().map(|places| Changing::new(places.to_vec()))
    }
}

impl Goal<CpnModel> for Changing {
    /// The condition is not evaluated: where it is true, the same actions are enough for the markings that follow, and the
    /// property is decided.
    fn toward(&self, model: &CpnModel, _: &Marking, push: &mut dyn FnMut(u32)) -> bool {
        let actions = self.actions.get_or_init(|| model.actions_changing(&self.places));
        actions.iter().copied().for_each(push);
        true
    }
}
