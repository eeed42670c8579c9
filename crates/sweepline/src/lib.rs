//! Explicit-state model checking in the memory of a moving window: the sweep-line method.
pub mod check;
pub mod codec;
pub mod explore;
pub mod model;
pub mod observe;
pub mod progress;
mod retain;
pub mod verdict;

pub use check::{Check, Property, Report};
pub use explore::{Exploration, Interrupt, Limits, Monotone, Options, explore};
pub use model::{Model, ModelError, Sink};
pub use observe::{Observer, StateId, Statistics, Witness, WitnessMode};
pub use progress::{Progress, Value};
pub use verdict::{Regress, StopReason, Verdict};
