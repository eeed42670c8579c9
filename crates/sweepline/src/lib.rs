//! Explicit-state model checking in the memory of a moving window: the sweep-line method.
//!
//! A model checker visits every reachable state of a system and stores all of them, to recognise states that
//! it has visited. Most systems make *progress*: packets are delivered, votes come in, time passes. A state
//! with less progress than every state still to be visited cannot be reached again, so it need not be stored.
//! That is the whole idea: explore least progress first, and delete the layers behind the line.
//!
//! ```
//! use sweepline::{Check, System, progress};
//!
//! /// A sender and a receiver connected by a channel that holds two messages and may lose them.
//! struct Channel {
//!     messages: u32,
//! }
//!
//! /// Messages sent, messages received, and those in transit.
//! type State = (u32, u32, Vec<u32>);
//!
//! impl System for Channel {
//!     type State = State;
//!     type Action = &'static str;
//!
//!     fn initial(&self) -> Vec<State> {
//!         vec![(0, 0, vec![])]
//!     }
//!
//!     fn successors(&self, (sent, received, channel): &State, push: &mut dyn FnMut(&'static str, State)) {
//!         if channel.len() < 2 && *sent < self.messages {
//!             let channel = channel.iter().copied().chain([sent + 1]).collect();
//!             push("send", (sent + 1, *received, channel));
//!         }
//!         if let Some((_, rest)) = channel.split_first() {
//!             push("receive", (*sent, received + 1, rest.to_vec()));
//!             push("lose", (*sent, *received, rest.to_vec()));
//!         }
//!     }
//! }
//!
//! let report = Check::new(&Channel { messages: 100 })
//!     .progress(progress::by(|(sent, received, _): &State| sent + received))
//!     .never("received more than was sent", |(sent, received, _)| received > sent)
//!     .run();
//! report.assert_holds();
//!
//! let figures = &report.statistics;
//! assert_eq!(figures.states(), Some(15_151));    // all visited …
//! assert!(figures.peak_states < 400);            // … few ever stored
//! ```
//!
//! A measure need not be monotone. Every edge is checked; a regress edge out of the window makes its target
//! persistent, and the sweep is repeated from there until it finds no new state.
//!
//! The modules are the axes of the method, and a run is one choice on each: what is explored ([`model`]), in
//! which order ([`progress`]), what is stored and for how long ([`Options`]), and what is computed during the
//! exploration ([`observe`]). There is one loop, [`explore`](fn@explore) (and a second one for [`Cache`],
//! which explores depth first). [`Check`] is the simplest way to call it. A long run can be saved in a file
//! and resumed: [`checkpoint`].
//!
//! The feature `fit`, on by default, is the [search for measures](progress::fit()); it depends on a solver
//! for linear programs. Without it, give a measure or explore in full.

pub mod check;
pub mod checkpoint;
pub mod codec;
pub mod compiled;
pub mod ctl;
pub mod explore;
pub mod formula;
pub mod hunt;
pub mod identity;
pub mod lists;
pub mod ltl;
pub mod model;
pub mod observe;
pub mod progress;
pub mod reduction;
mod retain;
pub mod select;
pub mod spill;
mod system;
mod threads;
pub mod verdict;
mod walk;

pub use check::{Along, Check, Engine, Property, RegressEdge, Report};
#[doc(hidden)]
pub use explore::part;
pub use explore::{
    Cache, Cause, Exploration, Interrupt, Limits, Monotone, Options, Paths, Replacement, explore,
    explore_reduced,
};
pub use hunt::{Hunt, Hunted};
pub use model::{Computed, Model, ModelError, Sink, Stopped};
pub use observe::{Counts, Observer, StateId, Statistics, Witness, WitnessMode};
pub use progress::{Progress, Value};
pub use reduction::Reduction;
pub use spill::Spill;
pub use system::System;
pub use threads::Threads;
pub use verdict::{Regress, StopReason, Verdict};
pub use walk::Walk;
