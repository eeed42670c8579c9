//! A sweep of the first states under a measure: does it go over anything twice?

use std::time::Duration;

use crate::explore::{Limits, Options, explore};
use crate::model::Model;
use crate::observe::WitnessMode;
use crate::progress::Progress;

/// States of a first trial, more than a sample has that is the whole; and of one that confirms it.
const FIRST: u64 = 30_001;
const SECOND: u64 = 120_000;
/// States of a trial that decides between measures.
const LONG: u64 = 600_000;

/// A safety net for models whose successors take long to compute.
const TIME: Duration = Duration::from_secs(2);

/// What a sweep of the first states showed.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Trial {
    /// These were all states.
    pub complete: bool,
    /// States that edges reached behind the window.
    pub persistent: u64,
    /// Edges that led back.
    pub regress_edges: u64,
    /// The part of the states explored that was held at the peak.
    pub peak: f64,
    /// The sweeps came to an end; without [`complete`](Trial::complete), after more than one.
    pub finished: bool,
    /// States explored, some of them perhaps more than once.
    pub explored: u64,
}

impl Trial {
    /// Sweeps the first states with a window.
    pub(super) fn first<M: Model>(model: &M, measure: &impl Progress<M>, window: u64) -> Self {
        Trial::once(model, measure, (window, 0), FIRST)
    }

    /// Sweeps more of them.
    pub(super) fn second<M: Model>(model: &M, measure: &impl Progress<M>, window: u64) -> Self {
        Trial::once(model, measure, (window, 0), SECOND)
    }

    /// Sweeps the first states with a window and an anchor.
    pub(super) fn anchored<M: Model>(
        model: &M,
        measure: &impl Progress<M>,
        window: u64,
        anchor: u64,
    ) -> Self {
        Trial::once(model, measure, (window, anchor), LONG)
    }

    fn once<M: Model>(
        model: &M,
        measure: &impl Progress<M>,
        (window, anchor): (u64, u64),
        states: u64,
    ) -> Self {
        let options = Options {
            window,
            anchor,
            witness: WitnessMode::Off,
            limits: Limits { states: Some(states), time: Some(TIME), ..Limits::default() },
            ..Options::default()
        };
        let run = explore(model, measure, &options, &mut ());
        let figures = run.statistics;
        Trial {
            complete: run.stop.is_none() && figures.is_exact(),
            persistent: figures.persistent,
            regress_edges: figures.regress_edges,
            peak: figures.peak_states as f64 / figures.explored.max(1) as f64,
            finished: run.stop.is_none(),
            explored: figures.explored,
        }
    }
}
