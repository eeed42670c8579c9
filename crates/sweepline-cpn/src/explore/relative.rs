//! Time equivalence: two markings are equivalent if they differ only by a shift of model time, with all time
//! stamps shifted by the same amount.
//!
//! The representative has the time zero. Past time stamps are zero as well, because a token is available at
//! any time after its time stamp. A cyclic timed net thus has a finite state space. A net that reads the model
//! time is rejected, because equivalent markings could behave differently.

use sweepline::Computed;
use sweepline::identity::Class;
use sweepline_ml::Prim;
use sweepline_ml::core::{Expr, ExprKind};

use crate::explore::marking::Marking;
use crate::explore::model::{CpnModel, Worker};
use crate::net::Net;

/// Why time equivalence is unsound for a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTimeEquivalence {
    /// No place is timed.
    #[error("no place is timed")]
    Untimed,
    /// Differences of real numbers are rounded.
    #[error("time is a real number, and differences of real numbers are rounded")]
    Real,
    /// An inscription or declaration uses `time ()`.
    #[error("`{0}` reads the model time, so equivalent markings could behave differently")]
    AsksForTime(String),
}

impl CpnModel {
    /// Merges markings that differ only by a shift of model time: the time equivalence of CPN Tools 4.
    ///
    /// # Errors
    ///
    /// If time equivalence is unsound for the net.
    pub fn with_time_equivalence(mut self) -> Result<Self, NoTimeEquivalence> {
        self.check_time_equivalence()?;
        self.relative = true;
        let mut initial = self.initial.clone();
        self.make_relative(&mut initial);
        self.initial = initial;
        Ok(self)
    }

    /// The same equivalence as classes of markings that keep their own time, for the cut-off method.
    ///
    /// # Errors
    ///
    /// If time equivalence is unsound for the net.
    pub fn time_class(&self) -> Result<TimeClass<'_>, NoTimeEquivalence> {
        self.check_time_equivalence().map(|()| TimeClass(self))
    }

    fn check_time_equivalence(&self) -> Result<(), NoTimeEquivalence> {
        if !self.timed {
            return Err(NoTimeEquivalence::Untimed);
        }
        if !self.has_integer_time() {
            return Err(NoTimeEquivalence::Real);
        }
        if let Some(text) = asks_for_time(&self.net) {
            return Err(NoTimeEquivalence::AsksForTime(text));
        }
        Ok(())
    }

    /// Whether markings that differ only by a shift of model time are merged.
    pub fn has_time_equivalence(&self) -> bool {
        self.relative
    }

    /// Replaces a marking by the representative of its class.
    pub(super) fn make_relative(&self, marking: &mut Marking) {
        let timed: Vec<bool> = self.places.iter().map(|place| place.is_timed()).collect();
        marking.make_relative(&timed);
    }
}

/// The equivalence classes of markings that differ only by a shift of model time.
pub struct TimeClass<'a>(&'a CpnModel);

impl Class<CpnModel> for TimeClass<'_> {
    fn name(&self, _worker: &mut Worker, marking: &Marking, name: &mut Vec<u8>) -> Computed {
        let mut relative = marking.clone();
        self.0.make_relative(&mut relative);
        name.extend_from_slice(relative.bytes());
        Ok(())
    }
}

/// The text in the model that reads the model time.
fn asks_for_time(net: &Net) -> Option<String> {
    let environment = &net.environment;
    let program = environment.program();
    let is_time = |expr: &Expr| match &expr.kind {
        ExprKind::Prim { op: Prim::ModelTime, .. } => true,
        ExprKind::Var(var, _) => *program.variables[var.0 as usize].name == *"time",
        _ => false,
    };
    let mut found = None;
    let mut look = |expr: &Expr| {
        expr.each(&mut |part| {
            if is_time(part) && !environment.sources().is_library(part.span.source) {
                found.get_or_insert_with(|| environment.sources().text(expr.span).to_owned());
            }
        });
    };
    for bind in &program.binds {
        bind.each_value(&mut look);
    }
    for behaviour in &net.behaviours {
        behaviour.terms().for_each(&mut look);
    }
    found
}
