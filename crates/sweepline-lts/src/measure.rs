//! Measures of a composition, put together from those of its components.

use smallvec::{SmallVec, smallvec};
use sweepline::progress::Given;
use sweepline::{Computed, Model, Progress, Value};

use crate::composition::{Composition, Joint};
use crate::lts::StateNo;

/// A number that a composition has in each state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A feature, by its number.
    Feature(usize),
    /// One while a component is in a state, else zero.
    In(usize, StateNo),
}

/// A vector of weighted sums of features of a composition.
///
/// Every component of the composition contributes what a table says of its state, so that measuring
/// takes as many additions as there are components, whatever the number of features.
pub struct Weighted<'a> {
    composition: &'a Composition,
    /// Components, each with its contributions: for every state one number for each sum.
    tables: Vec<(usize, Vec<i128>)>,
    sums: usize,
    columns: usize,
}

impl<'a> Weighted<'a> {
    /// The measure whose sums are these terms with their weights, and a constant each; the first
    /// `columns` are meant to be monotone.
    ///
    /// # Panics
    ///
    /// When there are more columns than sums.
    pub fn new(
        composition: &'a Composition,
        sums: &[(Vec<(Term, i64)>, i128)],
        columns: usize,
    ) -> Self {
        assert!(columns <= sums.len(), "more columns than sums");
        let mut weighted = Weighted { composition, tables: Vec::new(), sums: sums.len(), columns };
        for (number, (terms, constant)) in sums.iter().enumerate() {
            for &(term, weight) in terms {
                match term {
                    Term::Feature(feature) => {
                        let (component, values) = composition.catalogue().table(feature);
                        let values = values.map(|value| i128::from(value) * i128::from(weight));
                        weighted.add(number, component, values.enumerate());
                    }
                    Term::In(component, state) => {
                        weighted.add(number, component, [(state.index(), weight.into())]);
                    }
                }
            }
            if *constant != 0 {
                let states = composition.component(0).states();
                weighted.add(number, 0, states.map(|state| (state.index(), *constant)));
            }
        }
        weighted
    }

    /// The same for sums of features.
    pub fn of_features(composition: &'a Composition, given: &Given) -> Self {
        let term = |&(feature, weight): &(usize, i64)| (Term::Feature(feature), weight);
        let sum = |terms: &Vec<(usize, i64)>| (terms.iter().map(term).collect(), 0);
        let sums: Vec<_> = given.components.iter().map(sum).collect();
        Weighted::new(composition, &sums, given.columns)
    }

    /// Two components contribute the same in states of the same number.
    pub(crate) fn are_alike(&self, one: usize, other: usize) -> bool {
        let table = |component: usize| {
            let table = self.tables.iter().find(|(known, _)| *known == component);
            table.map(|(_, table)| table.as_slice())
        };
        let is_zero = |table: Option<&[i128]>| table.is_none_or(|t| t.iter().all(|&n| n == 0));
        let (one, other) = (table(one), table(other));
        one == other || is_zero(one) && is_zero(other)
    }

    /// Adds to what the states of a component contribute to the sum `number`.
    fn add(
        &mut self,
        number: usize,
        component: usize,
        values: impl IntoIterator<Item = (usize, i128)>,
    ) {
        let at = self.tables.iter().position(|(known, _)| *known == component);
        let at = at.unwrap_or_else(|| {
            let n = self.composition.component(component).n_states();
            self.tables.push((component, vec![0; n * self.sums]));
            self.tables.len() - 1
        });
        for (state, value) in values {
            let entry = &mut self.tables[at].1[state * self.sums + number];
            *entry = entry.saturating_add(value);
        }
    }
}

impl<M: Model<State = Joint>> Progress<M> for Weighted<'_> {
    fn columns(&self) -> usize {
        self.columns
    }

    fn is_trivial(&self) -> bool {
        self.sums == 0
    }

    #[inline]
    fn measure(&self, _worker: &mut M::Worker, state: &Joint, value: &mut Value) -> Computed {
        let mut sums: SmallVec<[i128; 4]> = smallvec![0; self.sums];
        for (component, table) in &self.tables {
            let own = self.composition.component_state(state, *component).index();
            let row = &table[own * self.sums..][..self.sums];
            sums.iter_mut().zip(row).for_each(|(sum, &n)| *sum = sum.saturating_add(n));
        }
        sums.iter().for_each(|&sum| value.push_wide(sum));
        Ok(())
    }
}

impl Composition {
    /// How many features there are.
    pub fn n_features(&self) -> usize {
        self.catalogue().n_features()
    }

    /// A feature of a state.
    pub fn feature(&self, feature: usize, state: &Joint) -> i64 {
        let component = self.catalogue().component(feature);
        self.catalogue().value(feature, self.component_state(state, component))
    }
}
