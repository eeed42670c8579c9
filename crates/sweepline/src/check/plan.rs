//! The plan of a check: what its explorations share, and what to sweep along where a measure turns out not to
//! be monotone.
//!
//! Cycles are found layer by layer, so formulas about runs, CTL formulas and questions about components need a
//! monotone measure. The user need not promise one: each exploration begins on the highest rung of the ladder that is
//! not known to fail, and at a regress edge it begins again one rung lower. Later explorations begin on that rung.

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
    /// The measure, over a product cut at regress edges; for formulas about runs.
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

    /// There is a regress edge: the measure is not monotone.
    pub(super) fn not_monotone(&mut self) {
        self.along = self.along.max(Along::Cut);
    }

    /// Makes `attempt`s, one rung after the other, until one does not fail; with a note where it was not along the
    /// measure. [`Along::Cut`] is tried where it `may_cut`.
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
