//! A sweep of the first states under a measure: does it go over anything twice?

use sweepline::{Limits, Options, WitnessMode, explore};

use super::Candidate;
use crate::measure::NetMeasure;
use crate::model::NetModel;

/// States of a trial.
const STATES: u64 = 20_000;

/// What a short sweep showed.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Trial {
    /// The whole state space was swept.
    pub complete: bool,
    /// States that edges reached behind the window.
    pub persistent: u64,
    /// Edges that led back.
    pub regress_edges: u64,
    /// The part of the states explored that was held at the peak.
    pub peak: f64,
}

impl Trial {
    pub(super) fn run(model: &NetModel, candidate: &Candidate) -> Self {
        let measure = NetMeasure::new(model, vec![candidate.expr()], 0);
        let options = Options {
            window: candidate.window(),
            witness: WitnessMode::Off,
            limits: Limits { states: Some(STATES), ..Limits::default() },
            ..Options::default()
        };
        let run = explore(model, &measure, &options, &mut ());
        let figures = run.statistics;
        Trial {
            complete: run.stop.is_none() && figures.is_exact(),
            persistent: figures.persistent,
            regress_edges: figures.regress_edges,
            peak: figures.peak_states as f64 / figures.explored.max(1) as f64,
        }
    }
}
