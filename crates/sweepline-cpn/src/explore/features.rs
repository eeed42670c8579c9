//! Numbers of markings, to which measures can be fitted: time, tokens, and what they carry.

use std::sync::Arc;

use sweepline::progress::Features;
use sweepline_ml::{Code, Codec};

use crate::explore::marking::Marking;
use crate::explore::model::CpnModel;
use crate::explore::place::PlaceForm;
use crate::query::Scope;

/// Places beyond so many features count by their tokens alone.
const MOST: usize = 1000;

/// Which numbers there are.
#[derive(Debug)]
pub(crate) struct Gauges {
    code: Arc<Code>,
    /// The features of each place: first how many tokens it has.
    places: Vec<Gauge>,
    /// Each feature as an expression of CPN ML.
    names: Vec<String>,
    /// For each feature that looks into colours a condition that sees what it sees of them.
    tests: Vec<Option<String>>,
    time: bool,
}

#[derive(Debug)]
struct Gauge {
    codec: Codec,
    form: PlaceForm,
    /// Its sums over all tokens.
    counters: usize,
}

impl Gauges {
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
            places.push(Gauge { codec, form, counters: counters.len() });
        }
        Gauges { code, places, names, tests, time }
    }
}

impl CpnModel {
    fn gauges(&self) -> &Gauges {
        self.gauges.get_or_init(|| Gauges::new(self, self.scope()))
    }

    /// For each feature that looks into colours a condition that sees what it sees of them.
    pub(crate) fn feature_tests(&self) -> impl Iterator<Item = Option<&str>> {
        self.gauges().tests.iter().map(Option::as_deref)
    }
}

impl Features for CpnModel {
    fn features(&self, marking: &Marking, push: &mut dyn FnMut(i64)) {
        let gauges = self.gauges();
        if gauges.time {
            push(marking.time);
        }
        let mut sums: Vec<i64> = Vec::new();
        for (place, gauge) in gauges.places.iter().enumerate() {
            sums.clear();
            sums.resize(gauge.counters, 0);
            let mut size = 0i64;
            gauge.form.each_token(marking, place, |colour, count, _| {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                size = size.saturating_add(count);
                if !sums.is_empty() {
                    gauge.codec.count(&gauges.code, colour, count, &mut sums);
                }
            });
            push(size);
            sums.iter().for_each(|&sum| push(sum));
        }
    }

    fn feature_name(&self, feature: usize) -> String {
        self.gauges().names[feature].clone()
    }
}
