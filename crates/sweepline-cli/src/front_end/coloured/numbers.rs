//! Vectors of numbers as measures.

use sweepline::progress::Features;
use sweepline::{Computed, Progress, Value};
use sweepline_cpn::{CpnModel, Marking, Worker};

use super::super::Ask;
use super::Number;

/// A vector of numbers.
pub(super) struct Numbers<'a> {
    pub(super) model: &'a CpnModel,
    pub(super) components: Vec<Number>,
    pub(super) columns: usize,
}

impl Progress<CpnModel> for Numbers<'_> {
    fn columns(&self) -> usize {
        self.columns
    }

    fn measure(&self, worker: &mut Worker, marking: &Marking, value: &mut Value) -> Computed {
        for component in &self.components {
            value.push_wide(self.model.value(worker, component, marking)?);
        }
        Ok(())
    }
}

/// The sum of a marking's features with these weights.
pub(super) fn weigh(model: &CpnModel, terms: &[(usize, i64)], marking: &Marking) -> i128 {
    let (mut terms, mut feature, mut sum) = (terms.iter().peekable(), 0, 0);
    model.features(marking, &mut |number| {
        if let Some((_, weight)) = terms.next_if(|(wanted, _)| *wanted == feature) {
            sum += i128::from(number) * i128::from(*weight);
        }
        feature += 1;
    });
    sum
}
