//! The plan of a check: what its explorations share, and what to sweep along where a measure turns out not to
//! be monotone.
//!
//! Cycles are found in layers, so formulas about runs, formulas of `ctl` and questions about components need a
//! measure that no edge lowers. Nobody has to promise that: each exploration begins on the highest rung of the
//! ladder that is not known to fail, and where an edge leads back it begins again one rung lower. What one
//! exploration has learnt holds for those after it.

use crate::explore::Options;
use crate::ltl::product::ColumnsOf;
use crate::model::Model;
use crate::progress::{Progress, Trivial};
use crate::verdict::StopReason;

/// What an exploration is swept along. Each asks less of the measure than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Along {
    /// The measure.
    #[default]
    Measure,
    /// The measure, over a product cut where edges lead back; for formulas about runs.
    Cut,
    /// The columns of the measure, which are meant to be monotone.
    Columns,
    /// Nothing: explored in full.
    Nothing,
}

/// What the explorations of a check share.
pub(super) struct Plan<'a, 'p, M: Model> {
    pub(super) model: &'a M,
    /// Any measure: formulas are not compiled once more for each kind of them.
    pub(super) progress: &'p dyn Progress<M>,
    /// With a deadline, where the time is limited.
    pub(super) options: Options,
    /// The highest rung that is not known to fail.
    along: Along,
}

impl<'a, 'p, M: Model> Plan<'a, 'p, M> {
    pub(super) fn new(model: &'a M, progress: &'p dyn Progress<M>, options: Options) -> Self {
        let options = Options { limits: options.limits.started(), ..options };
        Plan { model, progress, options, along: Along::Measure }
    }

    /// An edge leads back: the measure is not monotone.
    pub(super) fn not_monotone(&mut self) {
        self.along = self.along.max(Along::Cut);
    }

    /// Makes `attempt`s, one rung after the other, until one does not fail; with what to say of it. Where `entries`
    /// says so, a rung is tried that only formulas about runs have.
    pub(super) fn climb<T>(
        &mut self,
        entries: bool,
        mut attempt: impl FnMut(&Self, Along) -> Option<T>,
    ) -> Result<(T, Option<String>), StopReason> {
        loop {
            let along = match self.along {
                Along::Cut if !entries => self.below(Along::Cut),
                along => Some(along),
            };
            let Some(along) = along else { break };
            if let Some(done) = attempt(self, along) {
                return Ok((done, note(along)));
            }
            let Some(below) = self.below(along) else { break };
            self.along = below;
        }
        Err(StopReason::Internal("edges lead back where nothing progresses".into()))
    }

    fn below(&self, along: Along) -> Option<Along> {
        match along {
            Along::Measure => Some(Along::Cut),
            Along::Cut if self.progress.columns() > 0 => Some(Along::Columns),
            Along::Cut | Along::Columns => Some(Along::Nothing),
            Along::Nothing => None,
        }
    }

    /// The measure of a rung.
    pub(super) fn measure(&self, along: Along) -> Box<dyn Progress<M> + 'p> {
        match along {
            Along::Measure | Along::Cut => Box::new(self.progress),
            Along::Columns => Box::new(ColumnsOf(self.progress)),
            Along::Nothing => Box::new(Trivial),
        }
    }
}

/// What to say of an exploration along a rung.
pub(super) fn note(along: Along) -> Option<String> {
    let how = match along {
        Along::Measure | Along::Cut => return None,
        Along::Columns => "swept by its columns alone",
        Along::Nothing => "explored in full",
    };
    Some(format!("the measure is not monotone: {how}"))
}
