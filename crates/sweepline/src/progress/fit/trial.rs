//! Trial sweeps: a sweep of the first states tells whether a measure needs more than one sweep.

use crate::explore::{Options, explore};
use crate::model::Model;
use crate::progress::Progress;

use super::Effort;
use super::sample::{Sample, Scope};

/// How long a trial is.
pub(super) struct Length {
    /// Of the work that is left, one in so many parts.
    parts: u64,
    /// States at most, unless the sample has more.
    most: u64,
}

/// A first trial, of which there is usually time for twelve; more states than a sample has that is the whole.
pub(super) const FIRST: Length = Length { parts: 12, most: 30_001 };
/// One that confirms it.
pub(super) const SECOND: Length = Length { parts: 2, most: 120_000 };
/// One that decides between measures.
pub(super) const LONG: Length = Length { parts: 8, most: 600_000 };

/// Trials of a model that is small enough to be a sample of itself.
const WHOLE: u64 = 10;
/// Parts of the work for trials of measures that a model suggests by itself.
const ALONE: u64 = 8;
/// No trial has fewer states: fewer say nothing.
const LEAST: u64 = 1_000;

/// What a sweep of the first states showed.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Trial {
    /// These were all states.
    pub complete: bool,
    /// Persistent states: regress edges led to them from beyond the window.
    pub persistent: u64,
    /// Regress edges.
    pub regress_edges: u64,
    /// The peak of stored states, as a part of the states explored.
    pub peak: f64,
    /// The sweeps came to an end; without [`complete`](Trial::complete), after more than one.
    pub finished: bool,
    /// States explored, some of them perhaps more than once.
    pub explored: u64,
    /// Layers explored.
    pub layers: u64,
}

/// Tries measures until the work is done.
pub(super) struct Trials {
    /// Successors that may still be computed.
    left: u64,
    /// Edges of a state, on average.
    degree: u64,
    /// No first trial has fewer states.
    least: u64,
    effort: Effort,
}

impl Trials {
    /// Trials of a model of which `sample` was taken.
    pub(super) fn new(effort: &Effort, sample: &Sample) -> Self {
        let degree = sample.degree();
        // Then trials show the whole, too, and what it is small enough for.
        let whole = if sample.scope == Scope::Whole { sample.len() as u64 + 1 } else { 0 };
        let left = effort.successors().max(WHOLE * whole * (degree + 1));
        Trials { left, degree, least: whole.max(LEAST), effort: effort.clone() }
    }

    /// Trials of a model of which nothing is known; `effort` is for them alone.
    pub(super) fn alone(effort: Effort) -> Self {
        Trials { left: ALONE * effort.successors(), degree: 4, least: LEAST, effort }
    }

    /// There is nothing left to try with.
    pub(super) fn are_done(&self) -> bool {
        self.left == 0 || self.effort.is_over()
    }

    /// Sweeps the first states with a window and an anchor.
    pub(super) fn sweep<M: Model>(
        &mut self,
        model: &M,
        measure: &dyn Progress<M>,
        (window, anchor): (u64, u64),
        length: Length,
    ) -> Trial {
        let part = self.left / self.degree / length.parts;
        let states = part.clamp(self.least, length.most.max(self.least));
        let options = Options { window, anchor, ..self.effort.options(Some(states)) };
        let run = explore(model, measure, &options, &mut ());
        let figures = run.statistics;
        self.left = self.left.saturating_sub(figures.explored + figures.edges);
        Trial {
            complete: run.stop.is_none() && figures.is_exact(),
            persistent: figures.persistent,
            regress_edges: figures.regress_edges,
            peak: figures.peak_states as f64 / figures.explored.max(1) as f64,
            finished: run.stop.is_none(),
            explored: figures.explored,
            layers: figures.layers,
        }
    }
}
