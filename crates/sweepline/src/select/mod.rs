//! Selection: which of the enabled actions of a state are explored.
//!
//! By default, all of them. A [`Stubborn`] set is a subset after which the other actions can still be taken:
//! any sequence of other actions is also possible after an action of the set. Sleep sets ([`Sleep`]) leave
//! out actions that another order of the same actions has already covered (Varpaaniemi 1994). Both need to
//! know which actions depend on each other; a model that can tell implements [`Actions`], directly or with
//! [`Footprints`].
//!
//! What a reduction must preserve depends on the property: see [`Needs`].
//!
//! ```
//! use sweepline::select::{Actions, Footprints, Sleep};
//! use sweepline::{Check, System};
//!
//! /// Philosophers at a round table; each takes the fork on the left, then the one on the right.
//! struct Table(usize);
//!
//! /// How many forks each philosopher has.
//! type Hands = Vec<u8>;
//!
//! impl Table {
//!     fn is_free(&self, hands: &Hands, fork: usize) -> bool {
//!         let left = (fork + self.0 - 1) % self.0;
//!         hands[fork] == 0 && hands[left] < 2
//!     }
//! }
//!
//! impl System for Table {
//!     type State = Hands;
//!     type Action = usize; // the philosopher who moves
//!     fn initial(&self) -> Vec<Hands> {
//!         vec![vec![0; self.0]]
//!     }
//!     fn successors(&self, hands: &Hands, push: &mut dyn FnMut(usize, Hands)) {
//!         for i in 0..self.0 {
//!             let next = match hands[i] {
//!                 0 if self.is_free(hands, i) => 1,
//!                 1 if self.is_free(hands, (i + 1) % self.0) => 2,
//!                 2 => 0,
//!                 _ => continue,
//!             };
//!             let mut after = hands.clone();
//!             after[i] = next;
//!             push(i, after);
//!         }
//!     }
//! }
//!
//! impl Actions for Table {
//!     fn actions(&self) -> u32 {
//!         self.0 as u32
//!     }
//!     fn action_number(&self, &philosopher: &usize) -> u32 {
//!         philosopher as u32
//!     }
//!     fn independent(&self, a: u32, b: u32) -> bool {
//!         self.footprints().independent(a, b)
//!     }
//!     fn companions(&self, _: &Hands, a: u32, enabled: bool, into: &mut Vec<u32>) {
//!         self.footprints().companions(a, enabled, into);
//!     }
//! }
//!
//! impl Table {
//!     /// A philosopher looks at the neighbours and changes only what is in the own hands.
//!     fn footprints(&self) -> Footprints {
//!         let n = self.0 as u32;
//!         let mut footprints = Footprints::new(n);
//!         for i in 0..n {
//!             footprints.reads(i, [(i + n - 1) % n, i, (i + 1) % n]).writes(i, [i]);
//!         }
//!         footprints
//!     }
//! }
//!
//! let table = Table(10);
//! let report = Check::new(&table).deadlock().stubborn().sleep(Sleep::of(&table)).run();
//! assert!(report.is_violated()); // all have their left forks
//! assert_eq!(report.reductions, ["stubborn sets", "sleep sets"]);
//! ```

mod footprint;
mod gathered;
mod goal;
mod sleep;
mod stubborn;

pub use footprint::Footprints;
pub(crate) use gathered::Gathered;
pub use goal::{Goal, Needs};
pub(crate) use sleep::Lookahead;
pub use sleep::Sleep;
pub use stubborn::{Scratch, Stubborn};

use crate::model::Model;

/// Static dependencies between the actions of a model.
///
/// Actions are numbered. Edges of one number may lead to several states: the number of a coloured transition
/// stands for all its bindings, that of a synchronisation for all choices of the processes. A selection takes
/// all edges of a number or none.
///
/// # Laws
///
/// Reduced explorations rely on these.
///
/// * **Independence**: where `independent(a, b)` and both are enabled at `s`, after any `s -a-> t`
///   the action `b` is enabled, and for every `t -b-> u` there is an `r` with `s -b-> r -a-> u`.
/// * **Companions**, the closure that makes a set of actions stubborn. Let `T` contain with every
///   action its companions at `s`. For an enabled `a` in `T`, no sequence of actions outside `T` from
///   `s` disables `a`, and whatever is reached by such a sequence and then `a` is also reached by `a`
///   and then the sequence. A disabled `a` in `T` stays disabled as long as no action of `T` occurs.
pub trait Actions: Model {
    /// How many numbers there are.
    fn actions(&self) -> u32;

    /// The number of `action`, less than [`actions`](Actions::actions).
    fn action_number(&self, action: &Self::Action) -> u32;

    /// Whether `a` and `b` commute, and neither disables the other. `false` if unknown.
    fn independent(&self, a: u32, b: u32) -> bool;

    /// Appends the actions that must be in a stubborn set together with `action` at `state`, where `action`
    /// is `enabled` or not. May append an action several times, and `action` itself.
    fn companions(&self, state: &Self::State, action: u32, enabled: bool, into: &mut Vec<u32>);
}

/// Chooses the actions to explore.
pub trait Selection<M: Model>: Send + Sync {
    /// `enabled` are the actions of the edges of `state`, in the model's order. Clears those in `chosen` that
    /// need not be explored. Edges of one action are all chosen or none, and the choice depends only on the
    /// state.
    fn select(
        &self,
        scratch: &mut Scratch,
        state: &M::State,
        enabled: &[M::Action],
        chosen: &mut [bool],
    );

    /// Whether the selection alone could delay an action forever on a cycle of other actions. Then the
    /// exploration prevents it: each state has a chosen successor that is expanded after it, or all its
    /// actions are explored.
    fn may_ignore(&self) -> bool;
}

/// Any function of a state and its enabled actions can be a selection, for experiments. Its author is
/// responsible for its soundness.
impl<M: Model, F> Selection<M> for F
where
    F: Fn(&M::State, &[M::Action], &mut [bool]) + Send + Sync,
{
    fn select(
        &self,
        _scratch: &mut Scratch,
        state: &M::State,
        enabled: &[M::Action],
        chosen: &mut [bool],
    ) {
        self(state, enabled, chosen);
    }

    fn may_ignore(&self) -> bool {
        false
    }
}
