//! Descriptions of a model and its markings.

use std::collections::BTreeMap;
use std::hash::Hasher;

use sweepline::checkpoint::Fingerprint;
use sweepline_ml::TimeType;

use crate::explore::marking::Marking;
use crate::explore::model::{CpnModel, Engine};
use crate::explore::place::Place;
use crate::net::{Net, PlaceId};
use crate::query::Scope;

/// The change of a place's tokens, in CPN Tools' notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceChange {
    /// The place.
    pub place: String,
    /// All its tokens before.
    pub before: String,
    /// All its tokens after.
    pub after: String,
    /// The tokens removed; may be empty.
    pub taken: String,
    /// The tokens added; may be empty.
    pub put: String,
}

impl CpnModel {
    /// The net that the model was compiled from.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The scope of expressions over its markings.
    pub fn scope(&self) -> &Scope {
        self.scope.get_or_init(|| {
            let forms = self.places.iter().map(Place::form).collect();
            Scope::new(&self.net, forms, self.limits.clone())
        })
    }

    /// Whether some place is timed, so that the model time is part of a marking.
    pub fn is_timed(&self) -> bool {
        self.timed
    }

    /// The model time of a marking, in CPN Tools' notation.
    pub fn show_time(&self, marking: &Marking) -> String {
        self.clock.show(marking.time)
    }

    /// Whether time is an integer.
    pub fn has_integer_time(&self) -> bool {
        self.clock.0 != TimeType::Real
    }

    /// The tokens of a place in CPN Tools' notation, one line for each colour.
    pub(crate) fn show_place_lines(&self, marking: &Marking, place: PlaceId) -> String {
        let number = place.0 as usize;
        let tokens = self.show_tokens(&mut self.presenter(), marking, number);
        tokens.join(if self.places[number].is_timed() { "+++\n" } else { "++\n" })
    }

    /// The number of tokens of a place, and the tokens in CPN Tools' notation.
    pub fn show_place(&self, marking: &Marking, place: PlaceId) -> (u64, String) {
        let (number, mut n_tokens) = (place.0 as usize, 0u64);
        let place = &self.places[number];
        let mut count = |_: &[u8], count, _| n_tokens = n_tokens.saturating_add(count);
        place.form().each_token(marking, number, &mut count);
        let tokens = self.show_tokens(&mut self.presenter(), marking, number);
        (n_tokens, tokens.join(if place.is_timed() { "+++" } else { "++" }))
    }

    /// The names of the transition instances, by their number in occurrences.
    pub fn transition_names(&self) -> impl Iterator<Item = &str> {
        self.transitions.iter().map(|transition| transition.name.as_str())
    }

    /// All binding elements enabled in a marking, in the order of its successors, in CPN Tools' notation.
    pub fn show_occurrences(&self, marking: &Marking) -> Vec<String> {
        let mut shown = Vec::new();
        let engine = &mut *self.presenter();
        let _ = self.occurrences(engine, marking, &mut |occurrence, _, search| {
            shown.push(self.show_binding(occurrence, search).unwrap_or_default());
            true
        });
        shown
    }

    /// The places whose tokens differ between two markings.
    pub fn show_changes(&self, before: &Marking, after: &Marking) -> Vec<PlaceChange> {
        let engine = &mut *self.presenter();
        let differs = |&place: &usize| before.segment(place) != after.segment(place);
        let places = (0..self.places.len()).filter(differs);
        places.map(|place| self.show_change(engine, before, after, place)).collect()
    }

    fn show_change(
        &self,
        engine: &mut Engine,
        before: &Marking,
        after: &Marking,
        place: usize,
    ) -> PlaceChange {
        let mut show = |marking| self.show_tokens(engine, marking, place);
        let (old, new) = (show(before), show(after));
        let sum = if self.places[place].is_timed() { "+++" } else { "++" };
        let only = |one: &[String], other: &[String]| {
            let more = one.iter().filter_map(|token| {
                let (count, colour) = counted(token)?;
                let there = other.iter().filter_map(|token| counted(token));
                let known = there.filter(|(_, same)| *same == colour).map(|(count, _)| count);
                let more = count.saturating_sub(known.sum());
                (more > 0).then(|| format!("{more}`{colour}"))
            });
            more.collect::<Vec<_>>().join(sum)
        };
        let whole = |tokens: &[String]| match tokens {
            [] => "empty".to_owned(),
            tokens => tokens.join(sum),
        };
        PlaceChange {
            place: self.places[place].name.clone(),
            taken: only(&old, &new),
            put: only(&new, &old),
            before: whole(&old),
            after: whole(&new),
        }
    }
}

/// Splits ``3`c`` into the number of tokens and the colour.
fn counted(token: &str) -> Option<(u64, &str)> {
    let (count, colour) = token.split_once('`')?;
    Some((count.parse().ok()?, colour))
}

impl CpnModel {
    /// A multi-set of encoded colours of a place as text, in the order of the colour set.
    pub(crate) fn show_multi_set<'a>(
        &self,
        place: usize,
        tokens: impl Iterator<Item = (&'a [u8], u64)>,
    ) -> Vec<String> {
        let (place, machine) = (&self.places[place], &mut self.presenter().machine);
        let mark = machine.mark();
        let mut values = Vec::new();
        for (mut bytes, count) in tokens {
            if let Ok(value) = place.codec.decode(machine, &mut bytes) {
                values.push((value, count));
            }
        }
        values.sort_by(|a, b| place.order(machine, a.0, b.0));
        let mut shown = Vec::new();
        for (value, count) in values {
            let text = place.show(machine, value).unwrap_or_else(|_| "?".to_owned());
            shown.push(format!("{count}`{text}"));
        }
        machine.reset(mark);
        shown
    }

    /// The tokens of a place without their time stamps.
    pub(crate) fn untimed(&self, marking: &Marking, number: usize) -> BTreeMap<Vec<u8>, u64> {
        let mut tokens: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
        let add = |colour: &[u8], count, _| *tokens.entry(colour.into()).or_default() += count;
        self.places[number].form().each_token(marking, number, add);
        tokens
    }

    /// Whether two markings are equal except for the model time and time stamps.
    pub fn is_same_untimed(&self, one: &Marking, other: &Marking) -> bool {
        let same = |number: usize| {
            one.segment(number) == other.segment(number)
                || self.places[number].is_timed()
                    && self.untimed(one, number) == self.untimed(other, number)
        };
        (0..self.places.len()).all(same)
    }
}

impl Net {
    /// Whether some colour set is declared as timed, even if no place has it.
    pub fn declares_time(&self) -> bool {
        self.environment.colour_sets().iter().any(|set| set.timed)
    }

    /// Identifies the net, including its parameters and initial markings.
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
