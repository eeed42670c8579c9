//! A smaller model that is explored instead, for some properties.

use sweepline::{Report, Verdict, Witness};

use super::Ask;

/// A smaller model with the same verdicts on some properties.
pub(crate) struct Smaller<M: Ask> {
    /// The smaller model.
    pub(crate) model: M,
    /// What became smaller, in words.
    pub(crate) words: String,
    /// A condition on states of the model, as one on states of the smaller model.
    pub(crate) condition: Box<dyn Fn(&M::Predicate) -> Option<M::Predicate>>,
    /// The same for a property that only this kind of model has.
    pub(crate) question: Box<dyn Fn(&M::Question) -> Option<M::Question>>,
    /// The path of the model for one of the smaller model; `None` if replaying it does not give the same result.
    pub(crate) lift: Box<dyn Fn(&M, &Witness<M>) -> Option<Witness<M>>>,
}

impl<M: Ask> Smaller<M> {
    /// Replaces the paths in a report of the smaller model by paths of `model`. `false` if that fails for some path:
    /// then the report must not be used.
    pub(crate) fn lift_all(&self, model: &M, report: &mut Report<M>) -> bool {
        report.properties.iter_mut().all(|property| match &mut property.verdict {
            Verdict::Holds(Some(witness)) | Verdict::Violated(Some(witness)) => {
                let lifted = (self.lift)(model, witness);
                let done = lifted.is_some();
                lifted.into_iter().for_each(|lifted| *witness = lifted);
                done
            }
            _ => true,
        })
    }
}
