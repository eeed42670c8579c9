//! What measures of a composition are made of: the ranks and depths of its components, and of small
//! components in which of their states they are.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use smallvec::SmallVec;
use sweepline::lists::Lists;
use sweepline::progress::{Effect, Features};

use crate::composition::{Composition, Joint, Part, Rule};
use crate::grading::Grading;
use crate::lts::{LabelId, Lts, StateNo};

/// Components with more states than this offer rank and depth alone, as do those whose states rank and
/// depth tell apart.
const SMALL: usize = 200;
/// The most indicators of all components.
const MOST_INDICATORS: usize = 2_000;
/// The most different effects that are listed.
const MOST_EFFECTS: usize = 20_000;

/// One number that a component contributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Rank,
    Depth,
    /// Whether it is in this state.
    In(StateNo),
}

/// The features of a composition, and all effects that its steps can have on them.
#[derive(Default)]
pub(crate) struct Catalogue {
    /// For each feature its component, ordered by component.
    features: Vec<(usize, Kind)>,
    /// Where the features of each component begin; one more at the end.
    first: Vec<usize>,
    /// What is seen of each state of each component: the features that are not zero.
    values: Vec<Vec<Vec<(usize, i64)>>>,
    /// For each component, state and label: from where.
    sources: Vec<HashMap<(StateNo, LabelId), Vec<StateNo>, FixedState>>,
    effects: Vec<Effect>,
    numbers: HashMap<Effect, usize, FixedState>,
    /// All are listed.
    complete: bool,
}

impl Catalogue {
    /// Of components with their edges by label and their gradings, that move by rules.
    pub(crate) fn new(
        components: &[Lts],
        by_label: &[Lists<(StateNo, StateNo)>],
        gradings: &[Grading],
        rules: &[Rule],
    ) -> Self {
        let mut catalogue = Catalogue { complete: true, ..Catalogue::default() };
        let mut indicators = 0;
        for (component, (lts, grading)) in components.iter().zip(gradings).enumerate() {
            let n = lts.n_states();
            let small = n <= SMALL && indicators + n <= MOST_INDICATORS && !grading.tells_apart();
            indicators += if small { n } else { 0 };
            catalogue.add(component, lts, grading, small);
        }
        catalogue.first.push(catalogue.features.len());
        catalogue.sources = components.iter().map(sources).collect();
        for rule in rules {
            catalogue.complete &= catalogue.list(by_label, gradings, rule);
        }
        catalogue
    }

    fn add(&mut self, component: usize, lts: &Lts, grading: &Grading, small: bool) {
        let first = self.features.len();
        self.first.push(first);
        let ranks = (grading.most_ranks() > 0).then_some(Kind::Rank);
        let depths = (grading.most_depths() > 0).then_some(Kind::Depth);
        let states = lts.states().filter(|&state| small && grading.is_reached(state));
        let kinds = ranks.into_iter().chain(depths).chain(states.map(Kind::In));
        self.features.extend(kinds.map(|kind| (component, kind)));
        let value = |state: StateNo, kind: Kind| match kind {
            Kind::Rank => grading.rank(state).into(),
            Kind::Depth => grading.depth(state).into(),
            Kind::In(other) => i64::from(state == other),
        };
        let seen = |state: StateNo| {
            let own = self.features[first..].iter().enumerate();
            let own = own.map(|(at, &(_, kind))| (first + at, value(state, kind)));
            own.filter(|&(_, value)| value != 0).collect()
        };
        self.values.push(lts.states().map(seen).collect());
    }

    /// Lists the effects of a rule: one for each combination of edges of its parts. `false` when
    /// there are too many.
    fn list(
        &mut self,
        by_label: &[Lists<(StateNo, StateNo)>],
        gradings: &[Grading],
        rule: &Rule,
    ) -> bool {
        let mut effects: Vec<Effect> = vec![Vec::new()];
        for &Part { component, label } in &rule.parts {
            let Some(label) = label else { continue };
            let grading = &gradings[component];
            let edges = by_label[component].get(label.index()).iter();
            let edges = edges.filter(|(source, _)| grading.is_reached(*source));
            let change = |&(source, target): &_| self.change(component, source, target);
            let mut own: Vec<Effect> = edges.map(change).collect();
            own.sort_unstable();
            own.dedup();
            if own.len().saturating_mul(effects.len()) > MOST_EFFECTS {
                return false;
            }
            let both =
                |(before, own): (&Effect, &Effect)| before.iter().chain(own).copied().collect();
            effects = effects.iter().flat_map(|e| own.iter().map(move |o| both((e, o)))).collect();
        }
        for effect in effects {
            let next = self.effects.len();
            if let std::collections::hash_map::Entry::Vacant(entry) = self.numbers.entry(effect) {
                self.effects.push(entry.key().clone());
                entry.insert(next);
            }
        }
        self.effects.len() <= MOST_EFFECTS
    }

    pub(crate) fn n_features(&self) -> usize {
        self.features.len()
    }

    /// The number of the feature that is this of a component; `None` where all its states have the same.
    pub(crate) fn number(&self, component: usize, kind: Kind) -> Option<usize> {
        let own = self.first[component]..self.first[component + 1];
        own.into_iter().find(|&feature| self.features[feature].1 == kind)
    }

    /// What a feature is of each state of its component.
    pub(crate) fn table(&self, feature: usize) -> (usize, impl Iterator<Item = i64> + '_) {
        let component = self.component(feature);
        let states = (0..self.values[component].len() as u32).map(StateNo);
        (component, states.map(move |state| self.value(feature, state)))
    }

    /// The component that a feature belongs to.
    pub(crate) fn component(&self, feature: usize) -> usize {
        self.features[feature].0
    }

    /// What a feature is of one state of its component.
    pub(crate) fn value(&self, feature: usize, state: StateNo) -> i64 {
        let seen = &self.values[self.component(feature)][state.index()];
        seen.iter().find(|(at, _)| *at == feature).map_or(0, |&(_, value)| value)
    }

    /// What a component adds when it goes from one state to another.
    fn change(&self, component: usize, from: StateNo, to: StateNo) -> Effect {
        let of = |state: StateNo| self.values[component][state.index()].iter();
        let before = of(from).map(|&(feature, value)| (feature, -value));
        let mut change: Effect = before.chain(of(to).copied()).collect();
        change.sort_unstable_by_key(|&(feature, _)| feature);
        change.dedup_by(|(later, after), (feature, by)| {
            let is_same = later == feature;
            *by += if is_same { *after } else { 0 };
            is_same
        });
        change.retain(|&(_, by)| by != 0);
        change
    }
}

/// For each state and label the states from which it can be reached.
fn sources(lts: &Lts) -> HashMap<(StateNo, LabelId), Vec<StateNo>, FixedState> {
    let mut sources: HashMap<_, Vec<StateNo>, FixedState> = HashMap::default();
    for state in lts.states() {
        for edge in lts.edges(state) {
            sources.entry((edge.target, edge.label)).or_default().push(state);
        }
    }
    sources
}

impl Composition {
    /// The component that a feature belongs to, and what of it the feature is: `.rank`, `.depth`, or
    /// `@` and a state.
    pub fn describe_feature(&self, feature: usize) -> (usize, String) {
        let (component, kind) = self.catalogue().features[feature];
        let what = match kind {
            Kind::Rank => ".rank".to_owned(),
            Kind::Depth => ".depth".to_owned(),
            Kind::In(state) => format!("@{}", self.component(component).state_name(state)),
        };
        (component, what)
    }

    /// The component that a feature belongs to, and its value for each state of that component.
    pub fn feature_values(&self, feature: usize) -> (usize, Vec<i64>) {
        let (component, values) = self.catalogue().table(feature);
        (component, values.collect())
    }

    /// The states of a component are features.
    pub fn is_small(&self, component: usize) -> bool {
        let catalogue = self.catalogue();
        let own = &catalogue.features[catalogue.first[component]..catalogue.first[component + 1]];
        own.iter().any(|(_, kind)| matches!(kind, Kind::In(_)))
    }
}

impl Features for Composition {
    fn features(&self, state: &Joint, push: &mut dyn FnMut(i64)) {
        let catalogue = self.catalogue();
        for component in 0..self.component_count() {
            let own = self.component_state(state, component);
            let mut seen = catalogue.values[component][own.index()].iter().peekable();
            for feature in catalogue.first[component]..catalogue.first[component + 1] {
                push(seen.next_if(|(at, _)| *at == feature).map_or(0, |&(_, value)| value));
            }
        }
    }

    fn feature_name(&self, feature: usize) -> String {
        let (component, what) = self.describe_feature(feature);
        format!("{}{what}", self.component(component).name())
    }

    fn effects(&self) -> Option<Vec<Effect>> {
        let catalogue = self.catalogue();
        catalogue.complete.then(|| catalogue.effects.clone())
    }

    fn incoming(&self, state: &Joint, push: &mut dyn FnMut(usize)) {
        let catalogue = self.catalogue();
        if !catalogue.complete {
            return;
        }
        for rule in self.rules() {
            let mut effects: SmallVec<[Effect; 4]> = SmallVec::from_elem(Vec::new(), 1);
            for &Part { component, label } in &rule.parts {
                let Some(label) = label else { continue };
                let own = self.component_state(state, component);
                let Some(sources) = catalogue.sources[component].get(&(own, label)) else {
                    effects.clear();
                    break;
                };
                let grading = &self.gradings()[component];
                let mut longer: SmallVec<[Effect; 4]> = SmallVec::new();
                for effect in &effects {
                    for &from in sources.iter().filter(|&&from| grading.is_reached(from)) {
                        let change = catalogue.change(component, from, own);
                        longer.push(effect.iter().copied().chain(change).collect());
                    }
                }
                effects = longer;
            }
            for effect in &effects {
                if let Some(&number) = catalogue.numbers.get(effect) {
                    push(number);
                }
            }
        }
    }
}
