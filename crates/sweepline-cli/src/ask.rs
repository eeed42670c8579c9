//! The properties of the command line, as queries of one exploration.

mod decide;
mod targets;

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sweepline::check::Decision;
use sweepline::checkpoint::Fingerprint;
use sweepline::hunt::Distance;
use sweepline::model::{bytes_of, initial};
use sweepline::observe::{
    Bound, DeadActions, DeadStates, Deadlock, Fair, Home, Live, Never, Survey, Terminates, ValidEnd,
};
use sweepline::{Check, Computed, ModelError};
use sweepline_query::{Property, PropertyKind};

use crate::args::{Input, Questions};
use crate::failure::{Failure, known_names};
use crate::front_end::{Ask, FrontEnd, MostTokens};
use crate::identity::Terms;
use crate::temporal::{self, Branching, Linear, WrittenAt};
pub(crate) use decide::{Claim, decide, may_decide, smaller, translated};
pub(crate) use targets::targets;

/// A property and its name in the results.
pub(crate) struct Asked<M: FrontEnd> {
    name: String,
    question: KindOf<M>,
}

type KindOf<M> = Kind<<M as Ask>::Predicate, <M as Ask>::Expr, <M as Ask>::Question>;

/// Properties whose evaluation failed at some state, by their names, with the error. They get no verdict; the others
/// do.
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<BTreeMap<String, Fault>>>);

/// The error of a property, if there was one.
pub(crate) type Fault = Arc<OnceLock<String>>;

impl Faults {
    fn watch(&self, name: &str) -> Fault {
        self.all().entry(name.to_owned()).or_default().clone()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Fault>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What went wrong with a question.
    pub(crate) fn of(&self, name: &str) -> Option<String> {
        self.all().get(name).and_then(|fault| fault.get().cloned())
    }
}

impl<M: FrontEnd> Asked<M> {
    /// Its name, and what tells its question from any other.
    pub(crate) fn fingerprint(&self) -> (String, u64) {
        let mut print = Fingerprint::default();
        print.write(format!("{:?}", self.question).as_bytes());
        (self.name.clone(), print.finish())
    }
}

/// What is asked of all states.
pub(crate) fn terms<M: FrontEnd>(asked: &[Asked<M>]) -> Terms<'_, M> {
    let mut terms = Terms { predicates: Vec::new(), numbers: Vec::new(), others: Vec::new() };
    for Asked { name, question } in asked {
        match question {
            Kind::Never(predicate) | Kind::Reach(predicate) => {
                terms.predicates.push((name, predicate));
            }
            Kind::Bound(expr) => terms.numbers.push((name, expr)),
            Kind::Own(_) | Kind::DeadStates(..) => terms.others.push(name),
            Kind::Deadlock(valid) => {
                terms.predicates.extend(valid.iter().map(|predicate| (name.as_str(), predicate)));
            }
            Kind::DeadTransitions | Kind::Terminates => {}
            // Formulas are decided on states as they are.
            Kind::Ltl(_) | Kind::Ctl(_) => {}
            // These need every edge, and are refused an equivalence for that.
            Kind::Home(_) | Kind::Reversible | Kind::Live(_) | Kind::Fair(_) | Kind::Components => {
            }
        }
    }
    terms
}

#[derive(Debug)]
enum Kind<P, E, Q> {
    Never(P),
    Reach(P),
    Bound(E),
    Home(P),
    Reversible,
    Live(usize),
    Fair(usize),
    Terminates,
    Components,
    Ltl(Linear<P>),
    Ctl(Branching<P>),
    /// Ignores dead states that satisfy one of these.
    Deadlock(Vec<P>),
    /// Lists up to this many dead states; ignores those that satisfy one of these.
    DeadStates(usize, Vec<P>),
    DeadTransitions,
    Own(Q),
}

/// Parses the properties: first the options for every model, then those for this kind of model.
pub(crate) fn questions<M: FrontEnd>(
    args: &Questions,
    input: &Input,
    model: &M,
) -> Result<Vec<Asked<M>>, Failure> {
    let (mut asked, mut wrong) = (Vec::new(), Vec::new());
    for question in each_question(args, input, model) {
        match question {
            Ok(question) => asked.push(question),
            Err((_, failure)) => wrong.push(failure),
        }
    }
    let about_dead =
        |asked: &Asked<M>| matches!(asked.question, Kind::Deadlock(_) | Kind::DeadStates(..));
    if wrong.is_empty() && !args.valid_end.is_empty() && !asked.iter().any(about_dead) {
        return Err(Failure::NoEffect {
            option: "`--valid-end`",
            when: "without a property about dead states",
            help: "add `--deadlock` or `--dead-states N`",
        });
    }
    match Failure::all(wrong) {
        Some(failure) => Err(failure),
        None => Ok(asked),
    }
}

/// What some question is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asks {
    /// Strongly connected components.
    pub(crate) components: bool,
    /// A formula.
    pub(crate) formulas: bool,
    /// A formula about runs, that may be fair.
    pub(crate) runs: bool,
}

impl Asks {
    /// By options, and by the names of those properties that the file of the model has.
    pub(crate) fn of(args: &Questions, known: &[Property]) -> Self {
        let mut asks = Asks {
            components: args.need_components(),
            formulas: !(args.ltl.is_empty() && args.ctl.is_empty()),
            runs: !args.ltl.is_empty(),
        };
        for property in named(args, known).unwrap_or_default() {
            match property.kind {
                PropertyKind::Never
                | PropertyKind::Reach
                | PropertyKind::Bound
                | PropertyKind::Deadlock => {}
                PropertyKind::Home
                | PropertyKind::Reversible
                | PropertyKind::Terminates
                | PropertyKind::Live
                | PropertyKind::Fair => asks.components = true,
                PropertyKind::Ltl => (asks.formulas, asks.runs) = (true, true),
                PropertyKind::Ctl => asks.formulas = true,
            }
        }
        asks
    }
}

/// Like `questions`, but one by one: a property with an error gives its name and the error.
pub(crate) fn each_question<M: FrontEnd>(
    args: &Questions,
    input: &Input,
    model: &M,
) -> Vec<Result<Asked<M>, (String, Failure)>> {
    let mut asked = Vec::new();
    let mut ask = |name: &str, question: Result<_, Failure>| {
        let name = name.to_owned();
        asked.push(match question {
            Ok(question) => Ok(Asked { name, question }),
            Err(failure) => Err((name, failure)),
        });
    };
    if args.deadlock {
        ask("deadlock", valid_ends(args, model).map(Kind::Deadlock));
    }
    for text in &args.never {
        ask(text, model.parse_predicate("--never", text).map(Kind::Never));
    }
    for text in &args.reach {
        ask(text, model.parse_predicate("--reach", text).map(Kind::Reach));
    }
    for text in &args.bound {
        ask(text, model.parse_expr("--bound", text).map(Kind::Bound));
    }
    for text in &args.home {
        ask(text, model.parse_predicate("--home", text).map(Kind::Home));
    }
    if args.reversible {
        ask("reversible", Ok(Kind::Reversible));
    }
    for name in &args.live {
        ask(name, transition(model, "--live", name).map(Kind::Live));
    }
    for name in &args.fair {
        ask(name, transition(model, "--fair", name).map(Kind::Fair));
    }
    if args.terminates {
        ask("terminates", Ok(Kind::Terminates));
    }
    if args.components {
        ask("components", Ok(Kind::Components));
    }
    for text in &args.ltl {
        ask(text, temporal::linear(model, WrittenAt::Option("--ltl"), text).map(Kind::Ltl));
    }
    for text in &args.ctl {
        ask(text, temporal::branching(model, WrittenAt::Option("--ctl"), text).map(Kind::Ctl));
    }
    match named(args, model.declared()) {
        Ok(properties) => {
            for property in properties {
                ask(&property.name, own_property(args, model, property));
            }
        }
        Err(failure) => ask(&args.property.join(", "), Err(failure)),
    }
    if let Some(most) = args.dead_states {
        ask("dead states", valid_ends(args, model).map(|valid| Kind::DeadStates(most, valid)));
    }
    if args.dead_transitions {
        ask("dead transitions", Ok(Kind::DeadTransitions));
    }
    match model.questions(args, input) {
        Ok(questions) => {
            for (name, question) in questions {
                ask(&name, Ok(Kind::Own(question)));
            }
        }
        Err(failure) => ask("contest properties", Err(failure)),
    }
    asked
}

/// The states that are meant to be terminal.
fn valid_ends<M: FrontEnd>(args: &Questions, model: &M) -> Result<Vec<M::Predicate>, Failure> {
    args.valid_end.iter().map(|text| model.parse_predicate("--valid-end", text)).collect()
}

/// The query of a property that the model declares.
fn own_property<M: FrontEnd>(
    args: &Questions,
    model: &M,
    property: &Property,
) -> Result<KindOf<M>, Failure> {
    let (name, text) = (property.subject(), property.text.as_str());
    let transition = || {
        model.transition(text).ok_or_else(|| {
            let message = format!("there is no transition `{text}`");
            let help = temporal::known(model, text);
            model.wrong_property(property, 0..text.len(), message, help)
        })
    };
    Ok(match property.kind {
        PropertyKind::Never => Kind::Never(model.parse_predicate(&name, text)?),
        PropertyKind::Reach => Kind::Reach(model.parse_predicate(&name, text)?),
        PropertyKind::Bound => Kind::Bound(model.parse_expr(&name, text)?),
        PropertyKind::Home => Kind::Home(model.parse_predicate(&name, text)?),
        PropertyKind::Deadlock => Kind::Deadlock(valid_ends(args, model)?),
        PropertyKind::Reversible => Kind::Reversible,
        PropertyKind::Terminates => Kind::Terminates,
        PropertyKind::Live => Kind::Live(transition()?),
        PropertyKind::Fair => Kind::Fair(transition()?),
        PropertyKind::Ltl => Kind::Ltl(temporal::linear_property(model, property)?),
        PropertyKind::Ctl => {
            let formula = property.stated().formula;
            Kind::Ctl(temporal::branching(model, WrittenAt::Property(property), &formula)?)
        }
    })
}

/// The declared properties to check: those that `--property` names, by default all. With `--property-file`, `--property`
/// names formulas of that file instead.
fn named<'p>(args: &Questions, known: &'p [Property]) -> Result<Vec<&'p Property>, Failure> {
    if !args.property_file.is_empty() {
        return Ok(Vec::new());
    }
    let is_all = args.property.is_empty() || args.property.iter().any(|name| name == "all");
    let missing = |name: &&String| match name.as_str() {
        "none" => false,
        "all" => known.is_empty(),
        name => !known.iter().any(|property| property.name == name),
    };
    if let Some(name) = args.property.iter().find(missing) {
        let known: Vec<&str> = known.iter().map(|property| &*property.name).collect();
        let known = match known.is_empty() {
            true => "the model declares no property; to check the formulas of a file, add `--property-file FILE`".into(),
            false => known_names("properties", name, &known),
        };
        return Err(Failure::NoSuchProperty { name: name.clone(), known });
    }
    let is_asked = |property: &&Property| is_all || args.property.contains(&property.name);
    Ok(known.iter().filter(is_asked).collect())
}

/// Declares how far a state is from deciding the property added last, where that is known.
pub(crate) fn nearing<'a, M: FrontEnd>(
    check: Check<'a, M>,
    toward: Option<Distance<'a, M>>,
) -> Check<'a, M> {
    match toward {
        Some(distance) => check.nearing(distance),
        None => check,
    }
}

/// Puts all questions to a check; the tokens that `StateSpace` counts come out of `most`.
pub(crate) fn put<'a, M: FrontEnd>(
    mut check: Check<'a, M>,
    model: &'a M,
    asked: Vec<Asked<M>>,
    most: &Arc<MostTokens>,
    faults: Option<&Faults>,
    decided: &[Option<Decision>],
) -> Check<'a, M>
where
    M::Predicate: 'a,
    M::Expr: 'a,
    M::Action: 'a,
{
    let mut decisions = decided.iter();
    for Asked { name, question } in asked {
        if let Some(decision) = decisions.next().and_then(Option::as_ref) {
            check = check.decided(name, decide::kind(model, &question), decision.clone());
            continue;
        }
        let fault = faults.map(|faults| faults.watch(&name));
        check = match question {
            Kind::Never(predicate) => {
                let (needs, toward) = (model.to_find(&predicate), model.toward(&predicate));
                let never = Never::new(test(predicate, fault));
                nearing(check.query(name, "never", never).needing(needs), toward)
            }
            Kind::Reach(predicate) => {
                let (needs, toward) = (model.to_find(&predicate), model.toward(&predicate));
                let reach = Never::reached(test(predicate, fault));
                nearing(check.query(name, "reach", reach).needing(needs), toward)
            }
            Kind::Bound(expr) => {
                let needs = model.to_follow(&expr);
                let value = value(expr, fault);
                check.query(name, "bound", Bound::new(value)).needing(needs)
            }
            Kind::Home(predicate) => check.query(name, "home", Home::new(test(predicate, fault))),
            Kind::Reversible => check.query(name, "reversible", reversible(model)),
            Kind::Live(transition) => {
                let (names, index) = (model.transitions(), model.transition_of());
                check.query(name, "live", Live::some(names, index, vec![transition]))
            }
            Kind::Fair(transition) => {
                let index = model.transition_of();
                check.query(
                    name,
                    "fair",
                    Fair::new(move |action: &M::Action| index(action) == transition),
                )
            }
            Kind::Terminates => check.query(name, "terminates", Terminates::new()),
            Kind::Components => {
                let n_transitions = model.transitions().len();
                let (survey, _) = Survey::new(n_transitions, model.transition_of());
                check.query(name, "components", survey)
            }
            Kind::Ltl(claim) => {
                let (formula, fairness) = claim.about(model, fault);
                check.ltl_assuming(name, formula, fairness)
            }
            Kind::Ctl(claim) => check.ctl(name, claim.about(model, fault).0),
            Kind::Deadlock(valid) => {
                let query = ValidEnd::new(Deadlock::default(), any(valid, fault));
                check.query(name, "deadlock", query)
            }
            Kind::DeadStates(most, valid) => {
                let list = DeadStates::new(most, |model: &M, state| model.describe(state));
                check.query(name, "dead-states", ValidEnd::new(list, any(valid, fault)))
            }
            Kind::DeadTransitions => check.query(name, "dead-transitions", every_transition(model)),
            Kind::Own(question) => model.put(check, name, question, most),
        };
    }
    check
}

/// The transition that `option` names.
fn transition<M: FrontEnd>(model: &M, option: &'static str, name: &str) -> Result<usize, Failure> {
    temporal::find_one(model, name).map_err(|why| why.after(option, name, model))
}

/// Notes on what the bare names in formulas mean.
pub(crate) fn notes<M: FrontEnd>(asked: &[Asked<M>]) -> Vec<String> {
    let linear = asked.iter().filter_map(|asked| match &asked.question {
        Kind::Ltl(claim) => Some(claim.bare()),
        _ => None,
    });
    let branching = asked.iter().filter_map(|asked| match &asked.question {
        Kind::Ctl(claim) => Some(claim.bare()),
        _ => None,
    });
    let linear = temporal::bare_note("LTL", linear.flatten());
    linear.into_iter().chain(temporal::bare_note("CTL", branching.flatten())).collect()
}

/// The initial state can always be reached.
pub(crate) fn reversible<M: FrontEnd>(
    model: &M,
) -> Home<impl Fn(&M, &mut M::Worker, &M::State) -> Computed<bool> + use<M>> {
    let starts: Vec<Vec<u8>> = initial(model).iter().map(|state| bytes_of(model, state)).collect();
    Home::new(move |model: &M, _: &mut M::Worker, state: &M::State| {
        Ok(starts.contains(&bytes_of(model, state)))
    })
}

/// Every transition is live.
pub(crate) fn every_transition_live<M: FrontEnd>(
    model: &M,
) -> Live<impl Fn(&M::Action) -> usize + use<M>> {
    Live::all(model.transitions(), model.transition_of())
}

/// Whether a condition holds. An error stops the run, or is recorded in `fault`.
pub(crate) fn test<M: FrontEnd>(
    predicate: M::Predicate,
    fault: Option<Fault>,
) -> impl Fn(&M, &mut M::Worker, &M::State) -> Computed<bool> + Send + Sync {
    move |model, worker, state| noting(&fault, || model.holds(worker, &predicate, state))
}

/// Whether one of several conditions holds.
fn any<M: FrontEnd>(
    predicates: Vec<M::Predicate>,
    fault: Option<Fault>,
) -> impl Fn(&M, &mut M::Worker, &M::State) -> Computed<bool> + Send + Sync {
    move |model, worker, state| {
        for predicate in &predicates {
            if noting(&fault, || model.holds(worker, predicate, state))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The value of an expression, with errors as in `test`.
fn value<M: FrontEnd>(
    expr: M::Expr,
    fault: Option<Fault>,
) -> impl Fn(&M, &mut M::Worker, &M::State) -> Computed<i128> + Send + Sync {
    move |model, worker, state| noting(&fault, || model.value(worker, &expr, state))
}

/// The value of `evaluate`. With a `fault`, an error is recorded there, and later calls return a default value.
fn noting<T: Default>(
    fault: &Option<Fault>,
    evaluate: impl FnOnce() -> Result<T, ModelError>,
) -> Result<T, ModelError> {
    let Some(fault) = fault else { return evaluate() };
    if fault.get().is_some() {
        return Ok(T::default());
    }
    Ok(evaluate().unwrap_or_else(|error| {
        let _ = fault.set(error.to_string());
        T::default()
    }))
}

/// Watches for transitions that never fire.
pub(crate) fn every_transition<M: FrontEnd>(
    model: &M,
) -> DeadActions<impl Fn(&M::Action) -> usize + Send + Sync + use<M>> {
    let (names, own) = (model.transitions(), model.own_transitions());
    let mut numbers = vec![usize::MAX; names.len()];
    own.iter().enumerate().for_each(|(number, &transition)| numbers[transition] = number);
    let index = model.transition_of();
    let names = own.iter().map(|&transition| names[transition].clone()).collect();
    DeadActions::new(names, move |action: &M::Action| numbers[index(action)])
}
