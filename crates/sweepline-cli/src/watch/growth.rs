//! Telling that a model may have no end: what keeps growing.

use std::time::Duration;

use sweepline::observe::{DECIDED, Flow, Observer, Visit};
use sweepline::{Statistics, Value};

use crate::front_end::FrontEnd;
use crate::print::{grouped, signed, warn};

/// One of so many states is looked at.
const STRIDE: u64 = 61;
/// States before the first look back; each further one is twice as far.
const FIRST: u64 = 1_024;
/// Looks back in which a number must have grown every time.
const LOOKS: usize = 5;
/// Nothing is said before.
const PATIENCE: Duration = Duration::from_secs(3);

/// Follows the greatest values of a model's features. One that is greater each time the number of states
/// has doubled may have no bound.
pub(crate) struct Growth<'a, M: FrontEnd> {
    model: &'a M,
    states: u64,
    next: u64,
    most: Vec<i64>,
    /// What `most` was when the number of states had doubled, the last one last.
    looks: Vec<Vec<i64>>,
    /// What grows, and what was said of it.
    found: Option<usize>,
    said: Option<String>,
    silent: bool,
    /// Tells whether states are known to repeat, from a search of so many states.
    repeats: Option<Box<dyn FnMut(u64) -> bool + 'a>>,
    repeating: bool,
}

impl<'a, M: FrontEnd> Growth<'a, M> {
    /// Follows an exploration of `model`.
    pub(crate) fn new(model: &'a M) -> Self {
        let (most, looks) = (Vec::new(), Vec::new());
        let (found, said, silent, repeats, repeating) = (None, None, false, None, false);
        Growth {
            model,
            states: 0,
            next: FIRST,
            most,
            looks,
            found,
            said,
            silent,
            repeats,
            repeating,
        }
    }

    /// Follows nothing: the user knows what grows.
    pub(crate) fn silent(model: &'a M) -> Self {
        Growth { silent: true, ..Growth::new(model) }
    }

    /// Asks `repeats` now and then, and stops the exploration once states are known to repeat.
    pub(crate) fn until(self, repeats: impl FnMut(u64) -> bool + 'a) -> Self {
        Growth { repeats: Some(Box::new(repeats)), ..self }
    }

    /// It stopped the exploration.
    pub(crate) fn is_repeating(&self) -> bool {
        self.repeating
    }

    /// What a reader of the results should know; of a run that did not end also what was not said in time.
    pub(crate) fn note(self, ended: bool) -> Option<String> {
        if ended { None } else { self.said.clone().or_else(|| self.text()) }
    }

    /// Whatever grew at every look back, the most if several did.
    fn look_back(&mut self) {
        self.looks.push(self.most.clone());
        if self.looks.len() > LOOKS {
            self.looks.remove(0);
        }
        let states = self.states / 2;
        self.repeating = self.repeats.as_mut().is_some_and(|repeats| repeats(states));
        let (looks, last) = (&self.looks, self.most.len());
        let grows = |&feature: &usize| {
            // By a tenth at least: what creeps up to its bound does not count.
            let grows = |pair: &[Vec<i64>]| {
                pair[1][feature] > pair[0][feature] + pair[0][feature].abs() / 10
            };
            looks.len() == LOOKS && looks.windows(2).all(grows) && !self.model.is_bounded(feature)
        };
        self.found = (0..last).filter(grows).max_by_key(|&feature| self.most[feature]);
    }

    fn text(&self) -> Option<String> {
        let feature = self.found?;
        let (name, value) = (self.model.feature_name(feature), signed(self.most[feature]));
        let advice = self.model.endless_advice();
        Some(format!(
            "`{name}` keeps growing: {value} after {} states. Without a bound the exploration has no end: {advice}",
            grouped(self.states)
        ))
    }

    fn say(&mut self) {
        if let (None, Some(text)) = (&self.said, self.text()) {
            warn(&text);
            self.said = Some(text);
        }
    }
}

impl<M: FrontEnd> Observer<M> for Growth<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.states += 1;
        if !self.silent && self.states.is_multiple_of(STRIDE) {
            let (most, mut feature) = (&mut self.most, 0);
            self.model.features(visit.state, &mut |value| {
                let value = value.saturating_abs();
                match most.get_mut(feature) {
                    Some(most) => *most = (*most).max(value),
                    None => most.push(value),
                }
                feature += 1;
            });
            if self.states >= self.next {
                self.next *= 2;
                self.look_back();
            }
        }
        if self.repeating { DECIDED } else { Ok(()) }
    }

    fn pulse(&mut self, _: &Value, statistics: &Statistics) {
        if statistics.elapsed >= PATIENCE {
            self.say();
        }
    }

    /// A run that is resumed is followed from there.
    fn save(&self, _: &M) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn merge(&mut self, _: &M, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}
