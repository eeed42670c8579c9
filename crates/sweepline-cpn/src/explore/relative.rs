//! Time equivalence: markings that differ in the time alone, and in stamps by as much, are one.
//!
//! The representative has the time zero; stamps in the past are zero, too, for nothing can tell them
//! apart. So a timed net that goes round and round has a finite state space. What asks for the time
//! itself would notice: such nets are refused.

use sweepline::Computed;
use sweepline::identity::Class;
use sweepline_ml::Prim;
use sweepline_ml::core::{Expr, ExprKind};

use crate::explore::marking::Marking;
use crate::explore::model::{CpnModel, Worker};
use crate::net::Net;

/// Why markings at different times cannot be taken for one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTimeEquivalence {
    /// No place is timed.
    #[error("no place is timed")]
    Untimed,
    /// Real numbers are rounded: differences between them are not kept.
    #[error("time is a real number, and differences of real numbers are rounded")]
    Real,
    /// An inscription or declaration uses `time ()`.
    #[error("`{0}` asks for the time, so that markings at different times differ")]
    AsksForTime(String),
}

impl CpnModel {
    /// Takes markings that differ in the time alone, with all stamps relative to it, for one: the
    /// time equivalence of CPN Tools 4.
    ///
    /// # Errors
    ///
    /// When that would not be the same net.
    pub fn with_time_equivalence(mut self) -> Result<Self, NoTimeEquivalence> {
        self.check_time_equivalence()?;
        self.relative = true;
        let mut initial = self.initial.clone();
        self.make_relative(&mut initial);
        self.initial = initial;
        Ok(self)
    }

    /// The same as classes of markings, which keep their own time: for the cut-off method.
    ///
    /// # Errors
    ///
    /// When markings of a class would not behave alike.
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

    /// Whether markings that differ in the time alone are one.
    pub fn has_time_equivalence(&self) -> bool {
        self.relative
    }

    /// Makes a marking the one that stands for its class.
    pub(super) fn make_relative(&self, marking: &mut Marking) {
        let timed: Vec<bool> = self.places.iter().map(|place| place.is_timed()).collect();
        marking.make_relative(&timed);
    }
}

/// Markings that differ in the time alone, with all stamps relative to it, are of one class.
pub struct TimeClass<'a>(&'a CpnModel);

impl Class<CpnModel> for TimeClass<'_> {
    fn name(&self, _worker: &mut Worker, marking: &Marking, name: &mut Vec<u8>) -> Computed {
        let mut relative = marking.clone();
        self.0.make_relative(&mut relative);
        name.extend_from_slice(relative.bytes());
        Ok(())
    }
}

/// The words of the model that ask for the time itself.
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
