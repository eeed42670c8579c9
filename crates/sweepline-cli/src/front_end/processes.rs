//! Processes side by side.
//!
//! Their expressions are those of nets: in which state a process is counts as a place with a token,
//! `"VOTER(1)@VOTED(1)" = 1`, and so do its rank and its depth; events are transitions.

mod names;
mod reduce;
mod states;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use sweepline::hunt::Distance;
use sweepline::identity::Identity;
use sweepline::model::successors;
use sweepline::progress::{Candidate, Effect, Effort, Features};
use sweepline::select::Needs;
use sweepline::{Check, Computed, Model, Progress, Sink};
use sweepline_lts::{Composition, Joint, RuleId, StateNo, Term, Weighted};
use sweepline_query::{
    Expr, MarkingView, Measure, PlaceId, Predicate, TransitionId, parse_expr, parse_predicate,
};

use super::extents::{Extent, Visited};
use super::{
    Ask, Bounds, Change, Content, Describe, Measures, MostTokens, NO_TIME, Nearest, Reduce,
    TransitionOf,
};
use crate::args::{Equivalence, Input, Questions, Reductions};
use crate::failure::Failure;
use crate::identity::{Terms, Wanted};
use crate::reduce::by_actions;
use names::Names;
pub(super) use names::Number;

/// States of a component that a report lists.
const MOST_LISTED: usize = 1_000;

/// A composition of processes, with names for everything.
pub(crate) struct Processes {
    name: String,
    composition: Composition,
    names: Names,
    measures: Vec<Measure>,
    /// How many assertions the script has.
    assertions: usize,
    /// What a reader must know of the questions.
    notes: Mutex<BTreeSet<String>>,
}

impl Processes {
    pub(crate) fn new(name: String, composition: Composition) -> Self {
        let names = Names::of(&composition);
        let measures = vec![names.product()];
        let notes = Mutex::default();
        Processes { name, composition, names, measures, assertions: 0, notes }
    }

    /// A process of a script with so many assertions.
    pub(crate) fn of_script(self, assertions: usize) -> Self {
        Processes { assertions, ..self }
    }

    pub(crate) fn composition(&self) -> &Composition {
        &self.composition
    }

    /// What the components are called, each differently.
    pub(crate) fn components(&self) -> &[String] {
        &self.names.components
    }

    /// What a name stands for.
    pub(super) fn number_of(&self, place: PlaceId) -> Number {
        self.names.numbers[place.index()]
    }

    fn notes(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn view<'a>(&'a self, state: &'a Joint) -> View<'a> {
        View { processes: self, state }
    }

    fn terms(&self, expr: &Expr) -> (Vec<(Term, i64)>, i128) {
        let mut terms = Vec::new();
        for &(weight, place) in expr.sum().terms() {
            self.names.each_term(&self.composition, place, |term| terms.push((term, weight)));
        }
        (terms, expr.offset())
    }
}

impl Model for Processes {
    type State = Joint;
    type Action = RuleId;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&Joint)) {
        self.composition.initial(push);
    }

    #[inline]
    fn successors(&self, worker: &mut (), state: &Joint, sink: &mut impl Sink<Self>) -> Computed {
        let mut through = |action: RuleId, state: &Joint| sink.push(action, state);
        self.composition.successors(worker, state, &mut through)
    }

    #[inline]
    fn encode(&self, state: &Joint, bytes: &mut Vec<u8>) {
        self.composition.encode(state, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> Joint {
        self.composition.decode(bytes)
    }

    fn try_decode(&self, bytes: &[u8]) -> Option<Joint> {
        self.composition.try_decode(bytes)
    }

    fn has_terminated(&self, state: &Joint) -> bool {
        self.composition.has_terminated(state)
    }

    #[inline]
    fn decode_into(&self, bytes: &[u8], state: &mut Joint) {
        self.composition.decode_into(bytes, state);
    }
}

impl Features for Processes {
    fn features(&self, state: &Joint, push: &mut dyn FnMut(i64)) {
        self.composition.features(state, push);
    }

    fn feature_name(&self, feature: usize) -> String {
        self.names.words.places.words()[feature].clone()
    }

    fn effects(&self) -> Option<Vec<Effect>> {
        self.composition.effects()
    }

    fn incoming(&self, state: &Joint, push: &mut dyn FnMut(usize)) {
        self.composition.incoming(state, push);
    }
}

/// A state, seen as a marking.
struct View<'a> {
    processes: &'a Processes,
    state: &'a Joint,
}

impl MarkingView for View<'_> {
    fn tokens(&self, place: PlaceId) -> u64 {
        let Processes { composition, names, .. } = self.processes;
        let total = |part: &dyn Fn(usize) -> u32| -> u64 {
            (0..composition.component_count()).map(|i| u64::from(part(i))).sum()
        };
        let state = |component: usize| composition.component_state(self.state, component);
        let grading = |component: usize| &composition.gradings()[component];
        match names.numbers[place.index()] {
            Number::Feature(feature) => composition.feature(feature, self.state).unsigned_abs(),
            Number::In(component, wanted) => u64::from(state(component) == wanted),
            Number::Ranks => total(&|component| grading(component).rank(state(component))),
            Number::Depths => total(&|component| grading(component).depth(state(component))),
        }
    }

    fn fireable(&self, transition: TransitionId) -> bool {
        let Processes { composition, names, .. } = self.processes;
        let wanted = names.events[transition.index()];
        let next = successors(composition, self.state).unwrap_or_default();
        next.iter().any(|(rule, _)| names.event(composition, *rule) == wanted)
    }

    fn deadlock(&self) -> bool {
        let composition = &self.processes.composition;
        successors(composition, self.state).is_ok_and(|next| next.is_empty())
            && !composition.has_terminated(self.state)
    }
}

impl Describe for Processes {
    fn name(&self) -> &str {
        &self.name
    }

    fn in_words(&self) -> String {
        let n = self.composition.component_count();
        format!("`{}`, {n} components, {} rules", self.name, self.composition.rules().len())
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = FixedState::with_seed(0).build_hasher();
        for lts in self.composition.components() {
            (lts.name(), lts.initial(), lts.n_states()).hash(&mut hasher);
            for state in lts.states() {
                for edge in lts.edges(state) {
                    (lts.label(edge.label), edge.target).hash(&mut hasher);
                }
                0xff_u8.hash(&mut hasher);
            }
        }
        format!("{:?}", self.composition.rules()).hash(&mut hasher);
        hasher.finish()
    }

    fn state_bytes(&self) -> usize {
        self.composition.state_bytes()
    }

    fn action(&self, _source: &Joint, action: &RuleId) -> Cow<'_, str> {
        self.composition.rule_name(*action).into()
    }

    fn transitions(&self) -> Vec<String> {
        self.names.words.transitions.words().to_vec()
    }

    fn transition_of(&self) -> TransitionOf<Self> {
        let rules = (0..self.composition.rules().len()).map(|rule| {
            let event = self.names.event(&self.composition, RuleId(rule as u32));
            self.names.events.iter().position(|known| *known == event).unwrap_or(0)
        });
        let events: Vec<usize> = rules.collect();
        Box::new(move |rule: &RuleId| events[rule.index()])
    }

    /// Formulas may name `τ` and `✓` in every process; a process has them where a rule does.
    fn own_transitions(&self) -> Vec<usize> {
        let mut taken = vec![false; self.composition.labels().len()];
        for rule in 0..self.composition.rules().len() {
            taken[self.names.event(&self.composition, RuleId(rule as u32)).index()] = true;
        }
        let events = self.names.events.iter().enumerate();
        let own = events.filter(|(_, event)| event.is_visible() || taken[event.index()]);
        own.map(|(number, _)| number).collect()
    }

    fn changes(&self, before: &Joint, after: &Joint) -> Vec<Change> {
        let parts = self.parts(before).into_iter().zip(self.parts(after));
        let changed = parts.filter(|((_, old), (_, new))| old != new);
        let change =
            |((place, before), (_, after))| Change { place, before, after, difference: None };
        changed.map(change).collect()
    }

    fn nearest(&self, state: &Joint) -> Nearest {
        Nearest::of_processes(&self.composition, self.components(), state)
    }

    fn parts(&self, state: &Joint) -> Vec<(String, Content)> {
        let part = |(component, name): (usize, &String)| {
            let own = self.composition.component_state(state, component);
            let lts = self.composition.component(component);
            (name.clone(), Content::Text(lts.state_name(own)))
        };
        self.names.components.iter().enumerate().map(part).collect()
    }

    fn notes(&self, _input: &Input) -> Vec<String> {
        self.notes().iter().cloned().collect()
    }

    fn unchecked(&self) -> Option<String> {
        (self.assertions > 0).then(|| {
            let n = self.assertions;
            format!(
                "the assertions of the script ({n}) were not checked: \
                 leave out `--process` and the properties to check them"
            )
        })
    }
}

impl Ask for Processes {
    type Predicate = Predicate;

    type Expr = Expr;

    type Question = std::convert::Infallible;

    fn parse_predicate(&self, _option: &str, text: &str) -> Result<Predicate, Failure> {
        let predicate = parse_predicate(&self.names.words, text);
        let predicate = predicate.map_err(|errors| self.no_such_state(text, errors.into()))?;
        self.note_unreachable(&predicate);
        Ok(predicate)
    }

    fn parse_expr(&self, _option: &str, text: &str) -> Result<Expr, Failure> {
        if text.trim() == "time" && !self.is_name("time") {
            return Err(NO_TIME);
        }
        let expr = parse_expr(&self.names.words, text);
        let expr = expr.map_err(|errors| self.no_such_state(text, errors.into()))?;
        self.note_unreachable_in(expr.sum());
        Ok(expr)
    }

    fn holds(&self, _worker: &mut (), predicate: &Predicate, state: &Joint) -> Computed<bool> {
        Ok(predicate.holds(&self.view(state)))
    }

    fn value(&self, _worker: &mut (), expr: &Expr, state: &Joint) -> Computed<i128> {
        Ok(expr.value(&self.view(state)))
    }

    fn is_name(&self, word: &str) -> bool {
        self.names.words.places.get(word).is_some()
    }

    fn questions(
        &self,
        args: &Questions,
        _input: &Input,
    ) -> Result<Vec<(String, std::convert::Infallible)>, Failure> {
        let contest = !args.property_file.is_empty() || !args.examination.is_empty();
        let help = "use `--deadlock`, `--never`, `--reach` or `--bound`";
        let foreign =
            [("`--examination` or `--property-file`", contest), ("`--bounds`", args.bounds)];
        Failure::refuse("processes", help, &foreign).map(|()| Vec::new())
    }

    fn put<'a>(
        &'a self,
        _check: Check<'a, Self>,
        _name: String,
        question: std::convert::Infallible,
        _most: &Arc<MostTokens>,
    ) -> Check<'a, Self> {
        match question {}
    }
}

impl Measures for Processes {
    fn measure(&self, components: &[Expr], columns: usize) -> Box<dyn Progress<Self> + '_> {
        let sums: Vec<_> = components.iter().map(|expr| self.terms(expr)).collect();
        Box::new(Weighted::new(&self.composition, &sums, columns))
    }

    fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// Every component is asked.
    fn successor_steps(&self) -> u64 {
        2 * Effort::SUCCESSOR
    }

    fn candidates(&self, found: Vec<Candidate>, effort: Effort) -> Vec<Candidate> {
        self.composition.best_measures(found, effort)
    }

    fn weighted(&self, terms: &[(usize, i64)]) -> Option<Expr> {
        Expr::weighted(terms)
    }

    fn show_expr(&self, expr: &Expr) -> String {
        expr.display(&self.names.words).to_string()
    }

    fn farthest(&self, _expr: &Expr) -> Option<i64> {
        None
    }
}

impl Reduce for Processes {
    fn identity<'a>(
        &'a self,
        wanted: &Wanted<'_>,
        terms: &Terms<'_, Self>,
    ) -> Result<Identity<'a, Self>, Failure> {
        self.symmetry(wanted, terms)
    }

    fn common_features(&self, wanted: &Wanted<'_>) -> Option<Vec<Vec<usize>>> {
        let is_symmetry = matches!(*wanted.equivalence, Equivalence::Symmetry(_));
        is_symmetry.then(|| self.symmetric_features())
    }

    fn to_find(&self, predicate: &Predicate) -> Needs<Self> {
        Processes::needs_to_find(predicate)
    }

    fn toward<'a>(&'a self, predicate: &Predicate) -> Option<Distance<'a, Self>> {
        let predicate = predicate.clone();
        Some(Arc::new(move |model: &Processes, _: &mut (), state: &Joint| {
            Ok(predicate.distance(&model.view(state)))
        }))
    }

    fn to_follow(&self, expr: &Expr) -> Needs<Self> {
        self.needs_to_follow(expr)
    }

    fn reduce<'a>(
        &'a self,
        check: Check<'a, Self>,
        wanted: Reductions,
        _words: &mut Vec<String>,
    ) -> Check<'a, Self> {
        by_actions(self, check, wanted)
    }
}

impl Bounds for Processes {
    type Extents = Visited;

    /// A component is a place, and its state the one token there.
    fn extend(&self, extents: &mut Visited, state: &Joint) {
        extents.resize_with(self.composition.component_count(), Default::default);
        for (component, visited) in extents.iter_mut().enumerate() {
            visited.grow_and_insert(self.composition.component_state(state, component).index());
        }
    }

    fn bounds(&self, extents: &Visited) -> Vec<Extent> {
        let components = self.names.components.iter().enumerate();
        let extent = |(component, name): (usize, &String)| {
            let lts = self.composition.component(component);
            let shown = |state: usize| format!("1`{}", lts.state_name(StateNo(state as u32)));
            let mut visited = extents.get(component).into_iter().flat_map(FixedBitSet::ones);
            let mut states: Vec<String> = visited.by_ref().take(MOST_LISTED).map(shown).collect();
            let more = visited.count();
            let always = if states.len() == 1 { states.clone() } else { Vec::new() };
            states.extend((more > 0).then(|| format!("{more} more")));
            Extent {
                place: name.clone(),
                upper: 1,
                lower: 1,
                upper_multi_set: Some(states),
                lower_multi_set: Some(always),
            }
        };
        components.map(extent).collect()
    }
}
