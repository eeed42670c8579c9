//! Conditions that no reachable marking satisfies, shown by the structure of the net, without exploration.
//!
//! Every reachable marking solves the *state equation* `m = m0 + C x` with `m, x >= 0`. If the equation together with a
//! condition has no solution, the condition is unreachable. A linear program in floating-point numbers finds the
//! reason, a weighting of places, and the reason is then verified with integers. Only verified reasons count.

mod certificate;
mod effort;
mod linear;
mod program;
mod prove;
mod system;
mod trap;
mod walk;

pub use certificate::Certificate;
pub use effort::StructureEffort;
pub use linear::Row;
pub use prove::{Proof, Reason};

use std::collections::BTreeMap;

use sweepline_query::{Comparison, Expr, PlaceId, Predicate};

use crate::model::NetModel;
use crate::net::TransitionId;
use prove::Prover;
use system::System;
use trap::Traps;

/// What the structure of a net shows about its reachable markings.
pub struct Structure<'m> {
    model: &'m NetModel,
    system: System,
    traps: Traps<'m>,
    effort: StructureEffort,
}

impl<'m> Structure<'m> {
    /// The structure of the net of `model`. All its answers together take at most `effort`.
    pub fn new(model: &'m NetModel, effort: StructureEffort) -> Self {
        let system = System::new(model.net());
        let traps = Traps::new(model.net(), &system.is_dead);
        Structure { model, system, traps, effort }
    }

    /// Whether the effort is used up: later answers are `None`.
    pub fn is_exhausted(&self) -> bool {
        self.effort.is_over()
    }

    /// The next question may take one of `parts` equal parts of the effort that is left.
    pub fn share(&self, parts: usize) {
        self.effort.share(parts);
    }

    /// A proof that no reachable marking satisfies `condition`; `None` if none was found.
    pub fn unreachable(&self, condition: &Predicate) -> Option<Proof> {
        self.unreachable_all(std::slice::from_ref(condition))
    }

    /// A proof that no reachable marking satisfies all of the conditions; `None` if none was found.
    pub fn unreachable_all(&self, conditions: &[Predicate]) -> Option<Proof> {
        Prover::new(self.model, &self.system, &self.traps, &self.effort).prove(conditions)
    }

    /// Whether a transition is never enabled because its inputs are never marked, even if no token is ever taken.
    pub fn lacks_inputs(&self, transition: TransitionId) -> bool {
        self.system.is_dead[transition.index()]
    }

    /// Whether no transition that can ever fire changes the tokens in these places together.
    pub fn is_constant(&self, places: &[PlaceId]) -> bool {
        let mut changes: BTreeMap<u32, i128> = BTreeMap::new();
        for place in places {
            for &(column, change) in &self.system.rows[place.index()] {
                *changes.entry(column).or_default() += change;
            }
        }
        changes.values().all(|&change| change == 0)
    }

    /// The least and the greatest value of `expr` over all reachable markings, with the proofs. `None` unless a short
    /// walk reaches both and the structure allows no other.
    pub fn range(&self, expr: &Expr) -> Option<((i128, i128), [Proof; 2])> {
        let (least, greatest) = walk::extremes(self.model, expr, &self.effort)?;
        let below = self.beyond(expr, Comparison::Less, least)?;
        let above = self.beyond(expr, Comparison::More, greatest)?;
        Some(((least, greatest), [below, above]))
    }

    /// The greatest value of `expr`, as [`range`](Structure::range).
    pub fn greatest(&self, expr: &Expr) -> Option<(i128, Proof)> {
        let (_, greatest) = walk::extremes(self.model, expr, &self.effort)?;
        let above = self.beyond(expr, Comparison::More, greatest)?;
        Some((greatest, above))
    }

    fn beyond(&self, expr: &Expr, comparison: Comparison, value: i128) -> Option<Proof> {
        let value = Expr::constant(value).ok()?;
        self.unreachable(&Predicate::compare(expr, comparison, &value).ok()?)
    }
}
