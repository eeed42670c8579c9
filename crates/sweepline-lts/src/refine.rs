//! Refinement: does a process only do, and only refuse, what a specification allows?
//!
//! The specification is brought into [normal form](Specification): after each trace it is in one state. The process
//! is explored together with it, by the [product](Refinement). Three kinds of states are violations:
//!
//! - an event that the specification does not allow leads to a state that is [violated](RefinementState::violated);
//! - a stable state of the process may [refuse](Refinement::refuses) events that the specification does not
//!   let it refuse (the models [`Failures`](Semantics::Failures) and
//!   [`FailuresDivergences`](Semantics::FailuresDivergences));
//! - the process may be on a cycle of internal steps where the specification does not diverge (the model
//!   `FailuresDivergences`), which [`Refines`] finds.

mod determinism;
mod product;
mod query;
mod specification;

use sweepline::observe::each_edge;

use crate::composition::{Composition, RuleId};
use crate::lts::{Lts, LtsBuilder, StateNo};
use crate::problem::Problem;

pub use determinism::deterministic_part;
pub use product::{OfProcess, Refinement, RefinementState, Refusal};
pub use query::{NoDeadlock, Refines};
pub use specification::Specification;
pub(crate) use specification::normal_form;

/// A semantic model of CSP: what is observed of a process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Semantics {
    /// `[T`: traces.
    Traces,
    /// `[F`: traces, and what a stable state refuses after a trace.
    Failures,
    /// `[FD`: the same, and after which traces the process may diverge.
    FailuresDivergences,
}

impl Semantics {
    /// The model that scripts name by `letters`.
    pub fn named(letters: &str) -> Option<Self> {
        match letters {
            "T" => Some(Semantics::Traces),
            "F" => Some(Semantics::Failures),
            "FD" => Some(Semantics::FailuresDivergences),
            _ => None,
        }
    }
}

impl Composition {
    /// All reachable states as one LTS, numbered in breadth-first order.
    ///
    /// # Errors
    ///
    /// When there are more than `limit` states.
    pub fn to_lts(&self, name: &str, limit: usize) -> Result<Lts, Problem> {
        let mut lts = LtsBuilder::new(name);
        let labels: Vec<_> = self.labels().iter().map(|name| lts.label(name)).collect();
        let edge = |source: u32, rule: &RuleId, target: u32| {
            lts.edge(StateNo(source), labels[self.label(*rule).index()], StateNo(target));
        };
        let n_states = each_edge(self, limit, edge);
        Ok(lts.build(n_states.ok_or(Problem::LargeSpecification { limit })?, StateNo(0))?)
    }
}
