//! The labels that a state offers, without computing its successors.

use smallvec::SmallVec;

use super::moves::Role;
use super::{Composition, Joint};
use crate::lts::LabelId;

/// Events, in order.
pub(crate) type Offer = SmallVec<[LabelId; 16]>;

impl Composition {
    /// Shows every label that `state` offers, some more than once, until `see` returns false.
    pub(crate) fn each_offer(&self, state: &Joint, mut see: impl FnMut(LabelId) -> bool) {
        let fields = self.layout.fields.iter();
        let locals: SmallVec<[u32; 32]> =
            fields.map(|field| field.get(&state.words) as u32).collect();
        for (local, &own) in self.moves.locals.iter().zip(&locals) {
            for step in local.solo(own) {
                if !see(self.label(step.rule)) {
                    return;
                }
            }
            for &rule in local.led(own) {
                let can = |role: &Role| {
                    !self.moves.deltas(*role, locals[role.component as usize]).is_empty()
                };
                if self.moves.roles(rule).iter().all(can) && !see(self.label(rule)) {
                    return;
                }
            }
        }
    }

    /// The events that a stable state offers, in order; `None` if the state is unstable: it has an internal step
    /// or can terminate.
    pub(crate) fn stable_offer(&self, state: &Joint) -> Option<Offer> {
        let (mut offered, mut is_stable) = (Offer::new(), true);
        self.each_offer(state, |label| {
            is_stable = label.is_visible();
            offered.push(label);
            is_stable
        });
        offered.sort_unstable();
        offered.dedup();
        is_stable.then_some(offered)
    }

    /// Whether some rule is an internal step. If not, the process cannot diverge.
    pub fn has_internal_steps(&self) -> bool {
        self.rules.iter().any(|rule| rule.label == LabelId::TAU)
    }
}
