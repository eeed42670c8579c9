//! What can be said about a model and its markings besides its behaviour.

use std::hash::Hasher;

use sweepline::ModelError;
use sweepline::checkpoint::Fingerprint;
use sweepline_ml::TimeType;

use crate::explore::marking::{Marking, Stamp};
use crate::explore::model::CpnModel;
use crate::net::Net;
use crate::query::Scope;

impl CpnModel {
    /// The net it was made of.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// What expressions over its markings can mention.
    pub fn scope(&self) -> &Scope {
        self.scope.get_or_init(|| Scope::new(&self.net, self.limits.clone()))
    }

    /// Some place is timed, and the time is part of a marking.
    pub fn is_timed(&self) -> bool {
        self.timed
    }

    /// The model time of a marking: the number itself, or of real time one that is ordered alike.
    pub fn time(&self, marking: &Marking) -> Stamp {
        marking.time
    }

    /// The model time of a marking as CPN Tools writes it.
    pub fn show_time(&self, marking: &Marking) -> String {
        self.clock.show(marking.time)
    }

    /// Whether times are whole numbers.
    pub fn has_integer_time(&self) -> bool {
        self.clock.0 != TimeType::Real
    }

    /// The names of the transition instances, by the number that occurrences have.
    pub fn transition_names(&self) -> impl Iterator<Item = &str> {
        self.transitions.iter().map(|transition| transition.name.as_str())
    }

    /// Makes the exploration end with an error, at the next marking it comes to: for measures and
    /// questions whose evaluation failed.
    pub fn fail(&self, error: impl Into<ModelError>) {
        self.failure.borrow_mut().get_or_insert(error.into());
    }

    /// The first failure that nobody was told yet.
    pub fn take_failure(&self) -> Option<ModelError> {
        self.failure.borrow_mut().take()
    }

    /// The places whose tokens differ, by name, with their tokens before and after.
    pub fn show_changes(&self, before: &Marking, after: &Marking) -> Vec<(String, String, String)> {
        let engine = &mut *self.engine.borrow_mut();
        let differs = |&place: &usize| before.segment(place) != after.segment(place);
        let places = (0..self.places.len()).filter(differs);
        places
            .map(|place| {
                let mut show = |marking| self.show_place(engine, marking, place);
                (self.places[place].name.clone(), show(before), show(after))
            })
            .collect()
    }
}

impl Net {
    /// Tells this net from others, with the parameters and initial markings that it was loaded with.
    pub fn fingerprint(&self) -> u64 {
        let mut print = Fingerprint::default();
        for source in self.environment.sources().iter() {
            print.write(source.text.as_bytes());
            print.write(&[0]);
        }
        let parts = (&self.places, &self.behaviours, &self.transitions, self.time);
        print.write(format!("{parts:?}").as_bytes());
        print.finish()
    }
}
