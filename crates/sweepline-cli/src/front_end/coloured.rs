//! Coloured nets.

mod numbers;

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use sweepline::identity::Identity;
use sweepline::model::{bytes_of, initial};
use sweepline::progress::{Effort, Features};
use sweepline::select::Needs;
use sweepline::{Check, Computed, Progress};
use sweepline_cpn::{
    AllBounds, CpnModel, Expression, ExpressionError, LoadErrors, Marking, Net, Occurrence,
    PlaceBounds, Problem, Worker,
};
use sweepline_query::{Measure, Property};

use super::{
    Ask, Bounds, Change, Compile, Content, Describe, Difference, Extent, Guards, Measures,
    MostTokens, NO_TIME, Nearest, Reduce, TransitionOf, classes,
};
use crate::args::{Equivalence, Input, Questions, Reductions};
use crate::failure::Failure;
use crate::identity::{Terms, Wanted};
use crate::reduce;
use numbers::{Numbers, weigh};

/// A number of a marking.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    /// The model time.
    Time,
    /// What an expression gives.
    Value(Arc<Expression>),
    /// A sum of features, and how it is written.
    Sum(Arc<Vec<(usize, i64)>>, String),
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Number::Time, Number::Time) => true,
            (Number::Time, _) | (_, Number::Time) => false,
            (one, other) => one.text() == other.text(),
        }
    }
}

impl Number {
    /// The expression; `None` for the time and for sums of features.
    pub(super) fn expression(&self) -> Option<&Expression> {
        match self {
            Number::Value(expression) => Some(expression),
            Number::Time | Number::Sum(..) => None,
        }
    }

    fn text(&self) -> &str {
        match self {
            Number::Time => "time",
            Number::Value(expression) => expression.text(),
            Number::Sum(_, text) => text,
        }
    }
}

/// A condition on markings.
#[derive(Debug)]
pub(crate) struct Condition(Expression);

impl Condition {
    pub(super) fn expression(&self) -> &Expression {
        &self.0
    }
}

/// What is asked of coloured nets alone.
#[derive(Debug)]
pub(crate) enum ColouredQuestion {
    /// The bounds of all places.
    Bounds,
}

/// A name with its blanks replaced, as CPN Tools does.
pub(crate) fn joined(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}

/// What names are sorted by: the number of the instance follows without a blank.
fn key(name: &str) -> String {
    name.replace(' ', "")
}

/// The error of an expression, with its position in the file if it is declared there.
pub(super) fn refused(net: &Net, option: &str, error: ExpressionError) -> Failure {
    match error {
        ExpressionError::Wrong(errors) if !option.starts_with('-') => {
            let (file, n_more) = (net.name.clone(), 0);
            let errors = errors.errors.iter().map(|error| net.explain(error)).collect();
            Failure::Load(Box::new(LoadErrors { file, errors, n_more }))
        }
        error => Failure::Query(Box::new(error)),
    }
}

/// Rejects properties that depend on the time, which is zero in every merged marking.
fn without_time(model: &CpnModel, expression: &Expression) -> Result<(), Failure> {
    match model.has_time_equivalence() && expression.asks_for_time() {
        true => Err(classes::asks_for_time(expression.text())),
        false => Ok(()),
    }
}

impl Describe for CpnModel {
    /// The name of its file: CPN Tools knows no other.
    fn name(&self) -> &str {
        let path = Path::new(&self.net().name);
        path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(&self.net().name)
    }

    fn in_words(&self) -> String {
        let net = self.net();
        let (places, transitions) = (net.places.len(), net.transitions.len());
        format!("`{}`, {places} places, {transitions} transitions", self.name())
    }

    fn fingerprint(&self) -> u64 {
        self.net().fingerprint()
    }

    fn state_bytes(&self) -> usize {
        initial(self).first().map_or(1, |marking| bytes_of(self, marking).len())
    }

    fn action(&self, source: &Marking, action: &Occurrence) -> Cow<'_, str> {
        self.show_occurrence(source, *action).unwrap_or_else(|| "?".into()).into()
    }

    fn write_files(&self, source: &Marking, action: &Occurrence) {
        CpnModel::write_files(self, source, *action);
    }

    fn take_files(&self) -> Vec<(String, Vec<u8>)> {
        CpnModel::take_files(self).into_iter().map(|file| (file.name, file.text)).collect()
    }

    fn actions(&self, source: &Marking) -> Vec<Cow<'_, str>> {
        self.show_occurrences(source).into_iter().map(Cow::Owned).collect()
    }

    fn transitions(&self) -> Vec<String> {
        self.transition_names().map(str::to_owned).collect()
    }

    /// The page and the number of the instance may be left out if the name is unique. Blanks may be written as in the net.
    fn transition(&self, name: &str) -> Option<usize> {
        let identifier = joined(name);
        let alone = |known: &str| {
            let known = known.rsplit_once(' ').map_or(known, |(known, _)| known);
            let own = known.split_once('\'').map(|(_, own)| own);
            known == name || own == Some(name) || own == Some(&identifier)
        };
        let exact = self.transition_names().position(|known| known == name);
        exact.or_else(|| {
            let mut all = self.transition_names().enumerate().filter(|(_, known)| alone(known));
            all.next().filter(|_| all.next().is_none()).map(|(number, _)| number)
        })
    }

    fn transition_of(&self) -> TransitionOf<Self> {
        Box::new(|occurrence: &Occurrence| occurrence.transition as usize)
    }

    fn guarded(&self) -> Vec<usize> {
        (0..self.transition_names().count()).filter(|&number| self.has_guard(number)).collect()
    }

    fn guards(&self, worker: &mut Worker, marking: &Marking, of: &[usize]) -> Guards {
        self.guards_seen(worker, marking, of)
    }

    /// Those without a name are left out, as CPN Tools does.
    fn listed_transitions(&self) -> Vec<usize> {
        let named =
            |name: &str| self.net().transitions.iter().any(|t| t.name == name && t.is_named);
        let all = self.transition_names().enumerate().filter(|(_, name)| named(name));
        let mut listed: Vec<(String, usize)> = all.map(|(i, name)| (key(name), i)).collect();
        listed.sort();
        listed.into_iter().map(|(_, number)| number).collect()
    }

    fn changes(&self, before: &Marking, after: &Marking) -> Vec<Change> {
        let (old, new) = (self.show_time(before), self.show_time(after));
        let time = (old != new).then(|| Change {
            place: "time".into(),
            difference: None,
            before: Content::Text(old),
            after: Content::Text(new),
        });
        let places = self.show_changes(before, after).into_iter().map(|change| Change {
            difference: Some(Difference { taken: change.taken, put: change.put }),
            place: change.place,
            before: Content::Text(change.before),
            after: Content::Text(change.after),
        });
        time.into_iter().chain(places).collect()
    }

    fn nearest(&self, state: &Marking) -> Nearest {
        Nearest::of_coloured(self, state)
    }

    fn parts(&self, state: &Marking) -> Vec<(String, Content)> {
        let time = self.is_timed().then(|| ("time".to_owned(), self.show_time(state)));
        let parts = time.into_iter().chain(self.show_marking(state));
        parts.map(|(place, tokens)| (place, Content::Text(tokens))).collect()
    }

    fn endless_advice(&self) -> &'static str {
        "merge states with `--equivalence EXPR`, or set a limit with `--state-limit N`"
    }

    fn unasked(&self) -> String {
        match self.net().properties.len() {
            0 => {
                "no property was checked: declare one in the model, such as `property p: deadlock`, or \
                 add `--deadlock`, `--never EXPR` or another option of `sweepline check --help`"
            }
            _ => "no property was checked: leave out `--property none` to check the properties of the model",
        }
        .into()
    }

    fn notes(&self, input: &Input) -> Vec<String> {
        let mut notes = Vec::new();
        if self.has_time_equivalence() {
            notes.push("states that differ only by a shift of model time are merged (`--equivalence time`)".into());
        }
        if let Some(seed) = input.seed.filter(|_| self.net().is_random()) {
            notes.push(format!(
                "random functions use `--seed {seed}`: another seed can give other states"
            ));
        }
        notes
    }
}

impl Ask for CpnModel {
    type Predicate = Condition;

    type Expr = Number;

    type Question = ColouredQuestion;

    fn parse_predicate(&self, option: &str, text: &str) -> Result<Condition, Failure> {
        let predicate = self.scope().condition(option, text);
        let predicate = predicate.map_err(|error| refused(self.net(), option, error))?;
        without_time(self, &predicate)?;
        Ok(Condition(predicate))
    }

    fn parse_expr(&self, option: &str, text: &str) -> Result<Number, Failure> {
        if text.trim() == "time" && !self.is_name("time") {
            return match self.is_timed() && !self.has_time_equivalence() {
                true => Ok(Number::Time),
                false => Err(NO_TIME),
            };
        }
        let number = self.scope().number(option, text);
        let number = number.map_err(|error| refused(self.net(), option, error))?;
        without_time(self, &number)?;
        Ok(Number::Value(Arc::new(number)))
    }

    fn holds(
        &self,
        worker: &mut Worker,
        Condition(expression): &Condition,
        state: &Marking,
    ) -> Computed<bool> {
        // Whether a marking is dead is computed only where it is asked for.
        let holds = match expression.asks_for_deadlock() {
            true => {
                let is_dead = self.is_dead(worker, state)?;
                expression.holds_knowing(worker, state, is_dead)
            }
            false => expression.holds(worker, state),
        };
        holds.map_err(|error| error.to_string().into())
    }

    fn value(&self, worker: &mut Worker, number: &Number, state: &Marking) -> Computed<i128> {
        match number {
            Number::Time => Ok(state.time().into()),
            Number::Sum(terms, _) => Ok(weigh(self, terms, state)),
            Number::Value(expression) => {
                let value = expression.value(worker, state);
                value.map(i128::from).map_err(|error| error.to_string().into())
            }
        }
    }

    fn is_name(&self, word: &str) -> bool {
        self.scope().is_place(word)
    }

    fn declared(&self) -> &[Property] {
        &self.net().properties
    }

    fn wrong_property(
        &self,
        property: &Property,
        at: Range<usize>,
        message: String,
        help: String,
    ) -> Failure {
        let problem = Problem::WrongProperty { message, help };
        let errors = vec![self.net().explain_property(property, at, problem)];
        Failure::Load(Box::new(LoadErrors { file: self.net().name.clone(), errors, n_more: 0 }))
    }

    fn questions(
        &self,
        args: &Questions,
        _input: &Input,
    ) -> Result<Vec<(String, ColouredQuestion)>, Failure> {
        let contest = !args.property_file.is_empty() || !args.examination.is_empty();
        let help = "use `--deadlock`, `--never`, `--reach` or `--bound`";
        let foreign = [("`--examination` or `--property-file`", contest)];
        Failure::refuse("coloured nets", help, &foreign)?;
        let bounds = args.bounds.then(|| ("bounds".into(), ColouredQuestion::Bounds));
        Ok(bounds.into_iter().collect())
    }

    fn put<'a>(
        &'a self,
        check: Check<'a, Self>,
        name: String,
        question: ColouredQuestion,
        _most: &Arc<MostTokens>,
    ) -> Check<'a, Self> {
        match question {
            ColouredQuestion::Bounds => check.query(name, "bounds", AllBounds::new(self)),
        }
    }
}

impl Measures for CpnModel {
    /// Where states can be merged modulo time, it does not matter that time goes on.
    fn is_bounded(&self, feature: usize) -> bool {
        self.feature_name(feature).contains("time ()") && self.time_class().is_ok()
    }

    fn modulo_time(&self, input: &Input) -> Option<Self> {
        classes::modulo_time(self, input)
    }

    /// Inscriptions are evaluated.
    fn successor_steps(&self) -> u64 {
        20 * Effort::SUCCESSOR
    }

    fn measure(&self, components: &[Number], columns: usize) -> Box<dyn Progress<Self> + '_> {
        Box::new(Numbers { model: self, components: components.to_vec(), columns })
    }

    fn own_measure(&self) -> Option<&'static str> {
        (self.is_timed() && !self.has_time_equivalence()).then_some("time")
    }

    fn measures(&self) -> &[Measure] {
        &self.net().measures
    }

    fn weighted(&self, terms: &[(usize, i64)]) -> Option<Number> {
        let mut text = String::new();
        for &(feature, weight) in terms {
            let sign = match (weight < 0, text.is_empty()) {
                (true, true) => "~",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            text.push_str(sign);
            if weight.unsigned_abs() != 1 || sign == "~" {
                text.push_str(&format!("{} * ", weight.unsigned_abs()));
            }
            text.push_str(&self.feature_name(feature));
        }
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        Some(Number::Sum(Arc::new(terms), text))
    }

    fn show_expr(&self, number: &Number) -> String {
        number.text().to_owned()
    }

    fn farthest(&self, _number: &Number) -> Option<i64> {
        None
    }
}

impl Reduce for CpnModel {
    fn to_find(&self, condition: &Condition) -> Needs<Self> {
        let goal = self.leading_to(condition.expression());
        goal.map_or(Needs::States, |goal| Needs::Goal(Arc::new(goal)))
    }

    fn identity<'a>(
        &'a self,
        wanted: &Wanted<'_>,
        terms: &Terms<'_, Self>,
    ) -> Result<Identity<'a, Self>, Failure> {
        classes::identity(self, wanted, terms)
    }

    fn settle(&self, wanted: &mut Wanted<'_>, terms: &Terms<'_, Self>) -> Result<(), Failure> {
        classes::settle(self, wanted, terms)
    }

    fn common_features(&self, wanted: &Wanted<'_>) -> Option<Vec<Vec<usize>>> {
        match &*wanted.equivalence {
            Equivalence::Symmetry(sets) if wanted.cut_off.is_none() => Some(
                self.symmetric_features(sets).into_iter().map(|feature| vec![feature]).collect(),
            ),
            _ => None,
        }
    }

    fn reduce<'a>(
        &'a self,
        check: Check<'a, Self>,
        wanted: Reductions,
        words: &mut Vec<String>,
    ) -> Check<'a, Self> {
        match self.prepare_reductions(!wanted.is_none()) {
            Ok(()) => reduce::by_actions(self, check, wanted),
            Err(why) => reduce::by_successors(self, check, wanted, words, &why.to_string()),
        }
    }
}

/// Tokens have colours, so markings have no fields.
impl Compile for CpnModel {}

impl Bounds for CpnModel {
    type Extents = PlaceBounds;

    fn extend(&self, extents: &mut PlaceBounds, state: &Marking) {
        extents.see(self, state);
    }

    /// Under every name that a place has, but for those of assigned ports.
    fn bounds(&self, extents: &PlaceBounds) -> Vec<Extent> {
        let bounds = extents.listed(self).into_iter().map(|bound| Extent {
            place: bound.place,
            upper: bound.upper,
            lower: bound.lower,
            upper_multi_set: Some(bound.upper_multi_set.terms),
            lower_multi_set: Some(bound.lower_multi_set.terms),
        });
        bounds.collect()
    }

    fn initial_untimed(&self) -> Option<Marking> {
        initial(self).into_iter().next().filter(|_| self.net().declares_time())
    }

    fn is_same_untimed(&self, one: &Marking, other: &Marking) -> bool {
        CpnModel::is_same_untimed(self, one, other)
    }
}
