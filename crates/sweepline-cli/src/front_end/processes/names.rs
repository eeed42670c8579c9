//! The names that expressions over processes use.

use std::collections::HashMap;

use sweepline_lts::{Composition, LabelId, RuleId, StateNo, Term};
use sweepline_query::{Measure, PlaceId, Words};
use sweepline_source::Text;

/// States of components that have no feature get names, up to so many.
const MOST_STATES: usize = 20_000;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(in crate::front_end) enum Number {
    Feature(usize),
    /// A component is in a state.
    In(usize, StateNo),
    /// The ranks of all components together, and their depths.
    Ranks,
    Depths,
}

/// Everything that can be named: numbers as places, events as transitions.
pub(super) struct Names {
    pub(super) words: Words,
    /// For each place what it stands for; features come first.
    pub(super) numbers: Vec<Number>,
    /// For each transition its event.
    pub(super) events: Vec<LabelId>,
    pub(super) components: Vec<String>,
}

impl Names {
    pub(super) fn of(composition: &Composition) -> Self {
        let components = different(composition.components().iter().map(|lts| lts.name()));
        let (mut words, mut numbers) = (Words::default(), Vec::new());
        let mut add = |mut name: String, number: Number| {
            // States with the same name get a number.
            while words.places.get(&name).is_some() {
                name = format!("{name}#{}", numbers.len());
            }
            words.places.intern(&name);
            numbers.push(number);
        };
        for feature in 0..composition.n_features() {
            add(feature_name(composition, &components, feature), Number::Feature(feature));
        }
        add("rank".into(), Number::Ranks);
        add("depth".into(), Number::Depths);
        let mut n_states = 0;
        for (component, lts) in composition.components().iter().enumerate() {
            n_states += lts.n_states();
            if composition.is_small(component) || n_states > MOST_STATES {
                continue;
            }
            for state in lts.states() {
                let name = format!("{}@{}", components[component], lts.state_name(state));
                add(name, Number::In(component, state));
            }
        }
        let events: Vec<LabelId> = (0..composition.labels().len() as u32).map(LabelId).collect();
        for event in &events {
            let mut name = composition.labels()[event.index()].clone();
            while words.places.get(&name).or(words.transitions.get(&name)).is_some() {
                name = format!("event {name}");
            }
            words.transitions.intern(&name);
        }
        Names { words, numbers, events, components }
    }

    /// The event of a rule, also where it is hidden.
    pub(super) fn event(&self, composition: &Composition, rule: RuleId) -> LabelId {
        let rule = &composition.rules()[rule.index()];
        rule.hidden.unwrap_or(rule.label)
    }

    /// Calls `each` for the terms that a place stands for.
    pub(super) fn each_term(
        &self,
        composition: &Composition,
        place: PlaceId,
        mut each: impl FnMut(Term),
    ) {
        let product = || composition.product_measure().unwrap_or_default();
        let mut all = |terms: &[(usize, i64)]| {
            terms.iter().for_each(|&(feature, _)| each(Term::Feature(feature)));
        };
        match self.numbers[place.index()] {
            Number::Feature(feature) => each(Term::Feature(feature)),
            Number::In(component, state) => each(Term::In(component, state)),
            Number::Ranks => {
                let product = product();
                product.components[..product.columns].iter().for_each(|terms| all(terms));
            }
            Number::Depths => {
                let product = product();
                product.components[product.columns..].iter().for_each(|terms| all(terms));
            }
        }
    }

    /// The product of the components' own measures, under the name `components`.
    pub(super) fn product(&self) -> Measure {
        let named =
            |suffix: &str| self.words.places.words().iter().any(|word| word.ends_with(suffix));
        let text = match (named(".rank"), named(".depth")) {
            (true, true) => "monotone(rank), depth",
            (true, false) => "monotone(rank)",
            (false, true) => "depth",
            // Every component has one state.
            (false, false) => "rank",
        };
        Measure { name: "components".into(), text: Text::verbatim(text), offset: 0 }
    }
}

/// The name of a feature: `P.rank`, `P.depth`, `P@STATE`.
fn feature_name(composition: &Composition, components: &[String], feature: usize) -> String {
    let (component, what) = composition.describe_feature(feature);
    format!("{}{what}", components[component])
}

/// The same names, those that occur several times with a number.
fn different<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<&str> = names.collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|&name| *counts.entry(name).or_default() += 1);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut different = Vec::with_capacity(names.len());
    for name in names {
        let at = seen.entry(name).or_default();
        *at += 1;
        different.push(if counts[name] == 1 { name.to_owned() } else { format!("{name}#{at}") });
    }
    different
}
