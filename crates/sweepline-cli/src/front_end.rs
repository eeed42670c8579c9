//! What the verbs need from a model besides its behaviour: names, properties, measures, reductions and bounds.

mod change;
mod classes;
mod coloured;
mod contest;
mod device;
mod extents;
mod lacking;
mod net;
mod processes;
mod reduced;
mod smaller;
mod structure;
mod tokens;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use sweepline::check::Decision;
use sweepline::hunt::Distance;
use sweepline::identity::Identity;
use sweepline::progress::{Candidate, Effort, Features};
use sweepline::select::Needs;
use sweepline::{Check, Computed, Interrupt, Model, Options, Progress};
use sweepline_query::{Measure, Property};

use crate::args::{Input, Questions, Reductions};
use crate::ask::Claim;
use crate::failure::Failure;
use crate::identity::{Terms, Wanted};
use crate::print::quoted;
use crate::reduce;
use crate::temporal;

pub(crate) use change::{Change, Content, Difference};
pub(crate) use coloured::joined;
pub(crate) use device::{Compile, Form, OTHER};
pub(crate) use extents::Extent;
pub(crate) use lacking::{Lacking, Nearest};
pub(crate) use net::{UPPER_BOUND, shown};
pub(crate) use processes::Processes;
pub(crate) use smaller::Smaller;
pub(crate) use tokens::MostTokens;

/// A model whose states and actions have names.
///
/// # Law
///
/// Names are the same in every run, and [`transition`](Describe::transition) finds every name that
/// [`transitions`](Describe::transitions) lists.
pub(crate) trait Describe: Features + Sized {
    /// Tokens have colours, so that bounds are multi-sets, too.
    const COLOURED: bool = true;

    /// What the model is called.
    fn name(&self) -> &str;

    /// What it is, in words.
    fn in_words(&self) -> String;

    /// Tells it from other models.
    fn fingerprint(&self) -> u64;

    /// Bytes of a stored state, about.
    fn state_bytes(&self) -> usize;

    /// The name of an action that `source` enables.
    fn action(&self, source: &Self::State, action: &Self::Action) -> Cow<'_, str>;

    /// Keeps the files that an action which `source` enables writes, where the model can write any.
    fn write_files(&self, _source: &Self::State, _action: &Self::Action) {}

    /// The files that were kept since the last time: their names and texts.
    fn take_files(&self) -> Vec<(String, Vec<u8>)> {
        Vec::new()
    }

    /// The names of all actions that `source` enables, in the order of its successors.
    fn actions(&self, source: &Self::State) -> Vec<Cow<'_, str>> {
        let successors = sweepline::model::successors(self, source).unwrap_or_default();
        successors.into_iter().map(|(action, _)| self.action(source, &action)).collect()
    }

    /// The names of all transitions; of a symmetric net those of the coloured ones.
    fn transitions(&self) -> Vec<String>;

    /// The transition that an action belongs to, by its number among them.
    fn transition_of(&self) -> TransitionOf<Self>;

    /// The transition called `name`, by its number among them.
    fn transition(&self, name: &str) -> Option<usize> {
        self.transitions().iter().position(|known| known == name)
    }

    /// The transitions that a name in a formula stands for: those with the name, or of whose names it is a part.
    fn named(&self, name: &str) -> Vec<usize> {
        temporal::numbers(&self.transitions(), name)
    }

    /// The ids of the transitions with the name `name`, if there are several and it is not the id of one.
    fn sharing(&self, name: &str) -> Vec<String> {
        let _ = name;
        Vec::new()
    }

    /// The transitions that the model has itself: not those that formulas may name in every model.
    fn own_transitions(&self) -> Vec<usize> {
        (0..self.transitions().len()).collect()
    }

    /// The transitions with guards, by their numbers.
    fn guarded(&self) -> Vec<usize> {
        Vec::new()
    }

    /// For each transition in `of`: whether its guard is true for some binding of its input arcs in a state.
    fn guards(&self, worker: &mut Self::Worker, state: &Self::State, of: &[usize]) -> Guards {
        let _ = (worker, state);
        Ok(vec![None; of.len()])
    }

    /// The transitions that a report lists, in its order.
    fn listed_transitions(&self) -> Vec<usize> {
        self.own_transitions()
    }

    /// What differs between two states.
    fn changes(&self, before: &Self::State, after: &Self::State) -> Vec<Change>;

    /// The parts of a state worth mentioning: for a net, the marked places.
    fn parts(&self, state: &Self::State) -> Vec<(String, Content)>;

    /// A state in one line.
    fn describe(&self, state: &Self::State) -> String {
        let part = |(name, content): (String, Content)| match content {
            Content::Count(1) => quoted(&name).into_owned(),
            Content::Count(several) => format!("{several} {}", quoted(&name)),
            Content::Text(text) => format!("{name}: {text}"),
        };
        let parts: Vec<String> = self.parts(state).into_iter().map(part).collect();
        if parts.is_empty() { "nothing marked".into() } else { parts.join(", ") }
    }

    /// What the transitions nearest to being enabled lack in a dead state.
    fn nearest(&self, state: &Self::State) -> Nearest;

    /// Advice for a model with infinitely many states.
    fn endless_advice(&self) -> &'static str {
        "set a limit with `--state-limit N` or `--time-limit TIME`"
    }

    /// The note on declared properties that were not checked because of other options.
    fn unchecked(&self) -> Option<String> {
        None
    }

    /// The note if no property was checked.
    fn unasked(&self) -> String {
        "no property was checked: add `--deadlock`, `--never EXPR`, `--ltl FORMULA` or another \
         option of `sweepline check --help`"
            .into()
    }

    /// Notes for the output.
    fn notes(&self, input: &Input) -> Vec<String> {
        let _ = input;
        Vec::new()
    }
}

/// A model for which properties can be written.
///
/// # Law
///
/// The value of a condition or expression depends on the state alone.
pub(crate) trait Ask: Describe {
    /// A condition on states.
    type Predicate: fmt::Debug + Send + Sync;

    /// A number that states have.
    type Expr: Clone + PartialEq + fmt::Debug + Send + Sync;

    /// Properties that only this kind of model has.
    type Question: fmt::Debug;

    /// Parses a condition; `option` is where it was given.
    fn parse_predicate(&self, option: &str, text: &str) -> Result<Self::Predicate, Failure>;

    /// Parses a number.
    fn parse_expr(&self, option: &str, text: &str) -> Result<Self::Expr, Failure>;

    /// Whether a state satisfies a condition.
    fn holds(
        &self,
        worker: &mut Self::Worker,
        predicate: &Self::Predicate,
        state: &Self::State,
    ) -> Computed<bool>;

    /// A number of a state.
    fn value(
        &self,
        worker: &mut Self::Worker,
        expr: &Self::Expr,
        state: &Self::State,
    ) -> Computed<i128>;

    /// Whether a word is a name in the model.
    fn is_name(&self, word: &str) -> bool;

    /// The properties that the file of the model names.
    fn declared(&self) -> &[Property] {
        &[]
    }

    /// What is wrong with a range of the text of a property that the file of the model names.
    fn wrong_property(
        &self,
        property: &Property,
        at: Range<usize>,
        message: String,
        help: String,
    ) -> Failure {
        Failure::Formula { message, help, text: property.text.as_str().to_owned(), at: at.into() }
    }

    /// The properties that only this kind of model has, with their names.
    fn questions(
        &self,
        args: &Questions,
        input: &Input,
    ) -> Result<Vec<(String, Self::Question)>, Failure>;

    /// The kind that the results give such a property.
    fn kind(&self, question: &Self::Question) -> &'static str {
        let _ = question;
        "property"
    }

    /// Adds such a property to a check. `most` receives the tokens that `StateSpace` counts.
    fn put<'a>(
        &'a self,
        check: Check<'a, Self>,
        name: String,
        question: Self::Question,
        most: &Arc<MostTokens>,
    ) -> Check<'a, Self>;
}

/// A model that can be swept along measures written as numbers of its states.
///
/// # Law
///
/// [`measure`](Measures::measure) gives what [`value`](Ask::value) gives for each component.
pub(crate) trait Measures: Ask {
    /// The measure with these components, the first `columns` of them meant to be monotone.
    fn measure(&self, components: &[Self::Expr], columns: usize) -> Box<dyn Progress<Self> + '_>;

    /// The default measure of this kind of model.
    fn own_measure(&self) -> Option<&'static str> {
        None
    }

    /// Whether the structure of the model shows that a feature has a bound.
    fn is_bounded(&self, feature: usize) -> bool {
        let _ = feature;
        true
    }

    /// The model with states merged that differ only by a shift of time; `None` if its behaviour may depend on absolute
    /// time.
    fn modulo_time(&self, input: &Input) -> Option<Self>
    where
        Self: Sized,
    {
        let _ = input;
        None
    }

    /// Steps that it takes to compute one successor: see [`Effort`].
    fn successor_steps(&self) -> u64 {
        Effort::SUCCESSOR
    }

    /// The measures `found`, and those that the structure of the model suggests, the best first.
    fn candidates(&self, found: Vec<Candidate>, _effort: Effort) -> Vec<Candidate> {
        found
    }

    /// The measures that the file of the model names.
    fn measures(&self) -> &[Measure] {
        &[]
    }

    /// The sum of features with these weights; `None` where its numbers are too large.
    fn weighted(&self, terms: &[(usize, i64)]) -> Option<Self::Expr>;

    /// A number as it can be written.
    fn show_expr(&self, expr: &Self::Expr) -> String;

    /// An upper bound, if one is known before the exploration.
    fn farthest(&self, expr: &Self::Expr) -> Option<i64>;
}

/// A model that knows what may be left out of its state space.
///
/// # Law
///
/// Reductions do not change the verdict of any property that was declared to them.
pub(crate) trait Reduce: Ask {
    /// The equivalence of states, as far as it is sound for the properties.
    fn identity<'a>(
        &'a self,
        wanted: &Wanted<'_>,
        terms: &Terms<'_, Self>,
    ) -> Result<Identity<'a, Self>, Failure> {
        let _ = terms;
        let why = "only coloured nets and processes have equivalences";
        Err(Failure::no_equivalence(&wanted.equivalence, why))
    }

    /// Completes an equivalence, for example `symmetry` without a list, as far as it is sound for the properties.
    fn settle(&self, wanted: &mut Wanted<'_>, terms: &Terms<'_, Self>) -> Result<(), Failure> {
        let _ = (wanted, terms);
        Ok(())
    }

    /// Sums of features, given by their numbers, that equivalent states have in common; `None` where every
    /// measure will do.
    fn common_features(&self, wanted: &Wanted<'_>) -> Option<Vec<Vec<usize>>> {
        let _ = wanted;
        None
    }

    /// What must be left of the state space to find a state that satisfies a condition.
    fn to_find(&self, predicate: &Self::Predicate) -> Needs<Self> {
        let _ = predicate;
        Needs::States
    }

    /// How far a state is from one that satisfies a condition, where that can be said.
    fn toward<'a>(&'a self, predicate: &Self::Predicate) -> Option<Distance<'a, Self>> {
        let _ = predicate;
        None
    }

    /// What must be left of the state space to find the least and the greatest of a number.
    fn to_follow(&self, expr: &Self::Expr) -> Needs<Self> {
        let _ = expr;
        Needs::States
    }

    /// Whether [`decide`](Reduce::decide) may decide properties.
    fn has_structure(&self) -> bool {
        false
    }

    /// Decides properties by the structure of the model, without exploration; `None` for those that need one. With a
    /// brief effort it decides only what takes milliseconds.
    fn decide(
        &self,
        claims: &[Option<Claim<'_, Self>>],
        options: &Options,
        is_brief: bool,
    ) -> Vec<Option<Decision>> {
        let _ = (options, is_brief);
        vec![None; claims.len()]
    }

    /// A smaller model with the same verdicts on the claims, by structural reductions; `None` if there is none.
    fn smaller(&self, claims: &[Claim<'_, Self>], interrupt: &Interrupt) -> Option<Smaller<Self>> {
        let _ = (claims, interrupt);
        None
    }

    /// Adds reductions to a check. `words` receives a note for each reduction that this kind of model does not offer.
    fn reduce<'a>(
        &'a self,
        check: Check<'a, Self>,
        wanted: Reductions,
        words: &mut Vec<String>,
    ) -> Check<'a, Self> {
        reduce::by_successors(self, check, wanted, words, reduce::UNKNOWN)
    }
}

/// A model of which the least and the greatest contents of places can be reported.
///
/// # Law
///
/// The bounds depend on which states were taken into account, not on their order or number.
pub(crate) trait Bounds: Describe {
    /// What is held of the least and the greatest contents of places.
    type Extents: Default + Send;

    /// Takes a state into account.
    fn extend(&self, extents: &mut Self::Extents, state: &Self::State);

    /// The bounds of places, in the order of a report.
    fn bounds(&self, extents: &Self::Extents) -> Vec<Extent>;

    /// The state that stands for the initial state in the home properties of a report, as CPN Tools does for timed nets.
    fn initial_untimed(&self) -> Option<Self::State> {
        None
    }

    /// Two states are the same but for the time.
    fn is_same_untimed(&self, one: &Self::State, other: &Self::State) -> bool {
        let bytes = |state| sweepline::model::bytes_of(self, state);
        bytes(one) == bytes(other)
    }
}

/// A kind of model that the verbs work on.
pub(crate) trait FrontEnd: Measures + Reduce + Bounds + Compile {}

impl<M: Measures + Reduce + Bounds + Compile> FrontEnd for M {}

/// Whether guards are true; `None` if the input arcs cannot bind, or if that is not known.
pub(crate) type Guards = Computed<Vec<Option<bool>>>;

/// Tells to which transition an action belongs, by its number.
pub(crate) type TransitionOf<M> = Box<dyn Fn(&<M as Model>::Action) -> usize + Send + Sync>;

/// The error for `time` with an untimed model.
const NO_TIME: Failure = Failure::NotFor {
    option: "`time`",
    what: "a net without timed places",
    help: "write an expression over places, or `auto`",
};
