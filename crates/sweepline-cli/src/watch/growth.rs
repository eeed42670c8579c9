//! Telling that a model may have no end: what keeps growing.

use std::time::Duration;

use sweepline::observe::{DECIDED, Flow, Fork, Observer, Visit};
use sweepline::{Statistics, Value, codec};

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
    sample: Sample<'a, M>,
    /// What its values were when the number of states had doubled, the last one last.
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
        let (sample, looks) = (Sample { model, most: Vec::new() }, Vec::new());
        let (found, said, silent, repeats, repeating) = (None, None, false, None, false);
        Growth {
            model,
            states: 0,
            next: FIRST,
            sample,
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
        self.looks.push(self.sample.most.clone());
        if self.looks.len() > LOOKS {
            self.looks.remove(0);
        }
        let states = self.states / 2;
        self.repeating = self.repeats.as_mut().is_some_and(|repeats| repeats(states));
        let (looks, most) = (&self.looks, &self.sample.most);
        let grows = |&feature: &usize| {
            // By a tenth at least: what creeps up to its bound does not count.
            let grows = |pair: &[Vec<i64>]| {
                pair[1][feature] > pair[0][feature] + pair[0][feature].abs() / 10
            };
            looks.len() == LOOKS && looks.windows(2).all(grows) && !self.model.is_bounded(feature)
        };
        self.found = (0..most.len()).filter(grows).max_by_key(|&feature| most[feature]);
    }

    fn text(&self) -> Option<String> {
        let feature = self.found?;
        let (name, value) = (self.model.feature_name(feature), signed(self.sample.most[feature]));
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

/// The greatest absolute values of the features of the states that are looked at.
struct Sample<'a, M: FrontEnd> {
    model: &'a M,
    most: Vec<i64>,
}

impl<M: FrontEnd> Sample<'_, M> {
    fn add(&mut self, feature: usize, value: i64) {
        match self.most.get_mut(feature) {
            Some(most) => *most = (*most).max(value),
            None => self.most.push(value),
        }
    }
}

impl<M: FrontEnd> Observer<M> for Sample<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if visit.id.number.is_multiple_of(STRIDE) {
            let (model, mut feature) = (self.model, 0);
            model.features(visit.state, &mut |value| {
                self.add(feature, value.saturating_abs());
                feature += 1;
            });
        }
        Ok(())
    }

    fn save(&self, _: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.most))
    }
}

impl<M: FrontEnd> Observer<M> for Growth<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        if self.silent { Ok(()) } else { self.sample.node(visit, worker) }
    }

    fn level(&mut self, _: &Value, statistics: &Statistics) -> Flow {
        self.states = statistics.explored;
        // A run that is resumed has no sample at first.
        if !self.silent && self.states >= self.next && !self.sample.most.is_empty() {
            self.next = self.states * 2;
            self.look_back();
        }
        if self.repeating { DECIDED } else { Ok(()) }
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(match self.silent {
            true => Box::new(()),
            false => Box::new(Sample { model: self.model, most: Vec::new() }),
        })
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
        if saved.is_empty() {
            return true;
        }
        let Some(most) = codec::read::<Vec<i64>>(saved) else { return false };
        most.into_iter().enumerate().for_each(|(feature, value)| self.sample.add(feature, value));
        true
    }
}
