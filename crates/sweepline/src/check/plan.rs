//! The plan of a check: what its explorations share, and which measure they use if the given one is not
//! monotone.
//!
//! Cycles are found layer by layer, so LTL formulas, CTL formulas and queries about components need a
//! monotone measure. The user need not promise one. Each exploration starts with the first measure of a
//! ladder that has not failed yet, and at a regress edge it starts again with the next one. Later
//! explorations skip the measures that failed.

use crate::explore::Options;
use crate::ltl::product::ColumnsOf;
use crate::model::Model;
use crate::progress::{Progress, Trivial};
use crate::verdict::StopReason;

/// The measure that an exploration uses. Each one demands less of the given measure than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Along {
    /// The given measure.
    #[default]
    Measure,
    /// The given measure, over a product that is cut at regress edges; for LTL formulas.
    Cut,
    /// The columns of the given measure, which are meant to be monotone.
    Columns,
    /// The trivial measure: full exploration.
    Nothing,
}

/// What the explorations of a check share.
pub(super) struct Plan<'a, 'p, M: Model> {
    pub(super) model: &'a M,
    /// A trait object, so that the code for formulas is not compiled once for each type of measure.
    pub(super) progress: &'p dyn Progress<M>,
    /// The options, with a deadline if the time is limited.
    pub(super) options: Options,
    /// The first measure of the ladder that has not failed yet.
    along: Along,
}

impl<'a, 'p, M: Model> Plan<'a, 'p, M> {
    pub(super) fn new(model: &'a M, progress: &'p dyn Progress<M>, options: Options) -> Self {
        let options = Options { limits: options.limits.started(), ..options };
        Plan { model, progress, options, along: Along::Measure }
    }

    /// Notes a regress edge: the measure is not monotone.
    pub(super) fn not_monotone(&mut self) {
        self.along = self.along.max(Along::Cut);
    }

    /// Calls `attempt` with one measure of the ladder after the other, until one succeeds. Returns a note if
    /// that is not the given measure. [`Along::Cut`] is skipped unless `may_cut`.
    pub(super) fn climb<T>(
        &mut self,
        may_cut: bool,
        mut attempt: impl FnMut(&Self, Along) -> Option<T>,
    ) -> Result<(T, Option<String>), StopReason> {
        loop {
            let along = match self.along {
                Along::Cut if !may_cut => self.below(Along::Cut),
                along => Some(along),
            };
            let Some(along) = along else { break };
            if let Some(done) = attempt(self, along) {
                return Ok((done, note(along)));
            }
            let Some(below) = self.below(along) else { break };
            self.along = below;
        }
        Err(StopReason::Internal("a regress edge under the trivial measure".into()))
    }

    fn below(&self, along: Along) -> Option<Along> {
        match along {
            Along::Measure => Some(Along::Cut),
            Along::Cut if self.progress.columns() > 0 => Some(Along::Columns),
            Along::Cut | Along::Columns => Some(Along::Nothing),
            Along::Nothing => None,
        }
    }

    /// The measure for a step of the ladder.
    pub(super) fn measure(&self, along: Along) -> Box<dyn Progress<M> + 'p> {
        match along {
            Along::Measure | Along::Cut => Box::new(self.progress),
            Along::Columns => Box::new(ColumnsOf(self.progress)),
            Along::Nothing => Box::new(Trivial),
        }
    }
}

/// The note on an exploration with a measure of the ladder.
pub(super) fn note(along: Along) -> Option<String> {
    let how = match along {
        Along::Measure | Along::Cut => return None,
        Along::Columns => "swept by its columns only",
        Along::Nothing => "explored in full",
    };
    Some(format!("the progress measure is not monotone: {how}"))
}
