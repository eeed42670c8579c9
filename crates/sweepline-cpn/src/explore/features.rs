//! MarkingFeatures: numbers computed from a marking, from which progress measures are fitted. They are the model
//! time, the numbers of tokens, and numbers in token colours.

use std::sync::Arc;

use sweepline::progress::Features;
use sweepline_ml::{Code, Codec};

use crate::explore::marking::Marking;
use crate::explore::model::CpnModel;
use crate::explore::place::PlaceForm;
use crate::query::Scope;

/// After this many features, further places have only the number of tokens as a feature.
const MOST: usize = 1000;

/// The features of a net.
#[derive(Debug)]
pub(crate) struct MarkingFeatures {
    code: Arc<Code>,
    /// The features of each place. The first one is its number of tokens.
    places: Vec<PlaceFeatures>,
    /// Each feature as a CPN ML expression.
    names: Vec<String>,
    /// For each feature that depends on colours, a condition that reads the same parts of the colours.
    tests: Vec<Option<String>>,
    time: bool,
}

#[derive(Debug)]
struct PlaceFeatures {
    codec: Codec,
    form: PlaceForm,
    /// The number of sums over all tokens.
    counters: usize,
}

impl MarkingFeatures {
    fn new(model: &CpnModel, scope: &Scope) -> Self {
        let code = model.machine.code().clone();
        let time = model.timed && model.has_integer_time();
        let (mut names, mut tests): (Vec<String>, Vec<Option<String>>) = (Vec::new(), Vec::new());
        if time {
            names.push(scope.time_as_int().into());
        }
        let mut places = Vec::new();
        for (number, place) in model.places.iter().enumerate() {
            let name = scope.name_of(number, &place.name);
            names.push(format!("size {name}"));
            tests.resize(names.len(), None);
            let tokens = if place.is_timed() { format!("(ms {name})") } else { name };
            let mut counters = place.codec.counters(&code);
            if names.len() + counters.len() > MOST {
                counters.clear();
            }
            names.extend(counters.iter().map(|f| format!("total (fn c => {f}) {tokens}")));
            let test = |f| Some(format!("List.exists (fn c => ({f}) = 0) {tokens}"));
            tests.extend(counters.iter().map(test));
            let (codec, form) = (place.codec, place.form());
            places.push(PlaceFeatures { codec, form, counters: counters.len() });
        }
        MarkingFeatures { code, places, names, tests, time }
    }
}

impl CpnModel {
    fn marking_features(&self) -> &MarkingFeatures {
        self.features.get_or_init(|| MarkingFeatures::new(self, self.scope()))
    }

    /// For each feature that depends on colours, a condition that reads the same parts of the colours.
    pub(crate) fn feature_tests(&self) -> impl Iterator<Item = Option<&str>> {
        self.marking_features().tests.iter().map(Option::as_deref)
    }
}

impl Features for CpnModel {
    fn features(&self, marking: &Marking, push: &mut dyn FnMut(i64)) {
        let features = self.marking_features();
        if features.time {
            push(marking.time);
        }
        let mut sums: Vec<i64> = Vec::new();
        for (place, place_features) in features.places.iter().enumerate() {
            sums.clear();
            sums.resize(place_features.counters, 0);
            let mut size = 0i64;
            place_features.form.each_token(marking, place, |colour, count, _| {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                size = size.saturating_add(count);
                if !sums.is_empty() {
                    place_features.codec.count(&features.code, colour, count, &mut sums);
                }
            });
            push(size);
            sums.iter().for_each(|&sum| push(sum));
        }
    }

    fn feature_name(&self, feature: usize) -> String {
        self.marking_features().names[feature].clone()
    }
}
