//! Tests of explorations by several workers.

mod agreement;
mod checkpoints;
mod processes;
