//! All integration tests of the library in one program, so that shared code is compiled once.

mod agreement;
mod automata;
mod checkpoints;
mod components;
mod ctl;
#[cfg(feature = "fit")]
mod fit;
mod folds;
mod forks;
mod heavy;
mod hunt;
mod identity;
mod laws;
mod limits;
mod ltl;
mod reductions;
mod spill;
mod systems;
mod threads;
