//! What the command line asks of a model, as queries of one exploration.

use std::hash::Hasher;
use std::rc::Rc;

use sweepline::checkpoint::Fingerprint;
use sweepline::model::{bytes_of, initial};
use sweepline::observe::{
    Bound, DeadActions, DeadStates, Deadlock, Fair, Home, Live, Never, Reach, Survey, Terminates,
};
use sweepline::{Check, Progress};
use sweepline_cpn::read::{Property, PropertyKind};

use crate::args::{Input, Questions};
use crate::failure::Failure;
use crate::identity::Terms;
use crate::subject::{MostTokens, Subject};
use crate::temporal::{self, Branching, Linear};

/// A question and the name its answer goes by.
pub(crate) struct Asked<M: Subject> {
    name: String,
    question: Kind<M::Predicate, M::Expr, M::Question>,
}

impl<M: Subject> Asked<M> {
    /// Its name, and what tells its question from any other.
    pub(crate) fn fingerprint(&self) -> (String, u64) {
        let mut print = Fingerprint::default();
        print.write(format!("{:?}", self.question).as_bytes());
        (self.name.clone(), print.finish())
    }
}

/// What is asked of all states.
pub(crate) fn terms<M: Subject>(asked: &[Asked<M>]) -> Terms<'_, M> {
    let mut terms = Terms { predicates: Vec::new(), numbers: Vec::new(), others: Vec::new() };
    for Asked { name, question } in asked {
        match question {
            Kind::Never(predicate) | Kind::Reach(predicate) => {
                terms.predicates.push((name, predicate));
            }
            Kind::Bound(expr) => terms.numbers.push((name, expr)),
            Kind::Own(_) | Kind::DeadStates(_) => terms.others.push(name),
            Kind::Deadlock | Kind::DeadTransitions | Kind::Terminates => {}
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
    Deadlock,
    DeadStates(usize),
    DeadTransitions,
    Own(Q),
}

/// Parses the questions, in the order: options, then what only this kind of model can be asked.
pub(crate) fn questions<M: Subject>(
    args: &Questions,
    input: &Input,
    model: &M,
) -> Result<Vec<Asked<M>>, Failure> {
    let mut asked = Vec::new();
    let mut ask = |name: &str, question| asked.push(Asked { name: name.to_owned(), question });
    if args.deadlock {
        ask("deadlock", Kind::Deadlock);
    }
    for text in &args.never {
        ask(text, Kind::Never(model.parse_predicate("--never", text)?));
    }
    for text in &args.reach {
        ask(text, Kind::Reach(model.parse_predicate("--reach", text)?));
    }
    for text in &args.bound {
        ask(text, Kind::Bound(model.parse_expr("--bound", text)?));
    }
    for text in &args.home {
        ask(text, Kind::Home(model.parse_predicate("--home", text)?));
    }
    if args.reversible {
        ask("reversible", Kind::Reversible);
    }
    for name in &args.live {
        ask(name, Kind::Live(transition(model, "--live", name)?));
    }
    for name in &args.fair {
        ask(name, Kind::Fair(transition(model, "--fair", name)?));
    }
    if args.terminates {
        ask("terminates", Kind::Terminates);
    }
    if args.components {
        ask("components", Kind::Components);
    }
    for text in &args.ltl {
        ask(text, Kind::Ltl(temporal::linear(model, text)?));
    }
    for text in &args.ctl {
        ask(text, Kind::Ctl(temporal::branching(model, text)?));
    }
    for property in named(args, model.properties())? {
        let (name, text) = (format!("property `{}`", property.name), property.text.as_str());
        ask(
            &property.name,
            match property.kind {
                PropertyKind::Never => Kind::Never(model.parse_predicate(&name, text)?),
                PropertyKind::Reach => Kind::Reach(model.parse_predicate(&name, text)?),
                PropertyKind::Bound => Kind::Bound(model.parse_expr(&name, text)?),
                PropertyKind::Deadlock => Kind::Deadlock,
            },
        );
    }
    if let Some(most) = args.dead_states {
        ask("dead states", Kind::DeadStates(most));
    }
    if args.dead_transitions {
        ask("dead transitions", Kind::DeadTransitions);
    }
    for (name, question) in model.questions(args, input)? {
        ask(&name, Kind::Own(question));
    }
    Ok(asked)
}

/// The properties of a model's own file that are asked for; those of other files have names, too.
fn named<'p>(args: &Questions, known: &'p [Property]) -> Result<Vec<&'p Property>, Failure> {
    if !args.property_file.is_empty() {
        return Ok(Vec::new());
    }
    let is_all = args.property.iter().any(|name| name == "all");
    let missing = |name: &&String| match name.as_str() {
        "all" => known.is_empty(),
        name => !known.iter().any(|property| property.name == name),
    };
    if let Some(name) = args.property.iter().find(missing) {
        let known: Vec<&str> = known.iter().map(|property| &*property.name).collect();
        let known = match known.is_empty() {
            true => "none; formulas of other files need `--property-file`".into(),
            false => known.join(", "),
        };
        return Err(Failure::NoSuchProperty { name: name.clone(), known });
    }
    let is_asked = |property: &&Property| is_all || args.property.contains(&property.name);
    Ok(known.iter().filter(is_asked).collect())
}

/// Puts all questions to a check; the tokens that `StateSpace` counts come out of `most`.
pub(crate) fn put<'a, M: Subject, P: Progress<M>>(
    mut check: Check<'a, M, P>,
    model: &'a M,
    asked: Vec<Asked<M>>,
    most: &Rc<MostTokens>,
) -> Check<'a, M, P>
where
    M::Predicate: 'a,
    M::Expr: 'a,
{
    for Asked { name, question } in asked {
        check = match question {
            Kind::Never(predicate) => {
                let needs = model.to_find(&predicate);
                check.query(name, "never", Never::new(test(predicate))).needing(needs)
            }
            Kind::Reach(predicate) => {
                let needs = model.to_find(&predicate);
                check.query(name, "reach", Reach::new(test(predicate))).needing(needs)
            }
            Kind::Bound(expr) => {
                let needs = model.to_follow(&expr);
                let value = move |model: &M, state: &M::State| model.value(&expr, state);
                check.query(name, "bound", Bound::new(value)).needing(needs)
            }
            Kind::Home(predicate) => check.query(name, "home", Home::new(test(predicate))),
            Kind::Reversible => check.query(name, "reversible", reversible(model)),
            Kind::Live(transition) => {
                let (names, index) = (model.transitions(), model.transition_of());
                check.query(name, "live", Live::some(names, index, vec![transition]))
            }
            Kind::Fair(transition) => {
                let index = model.transition_of();
                check.query(name, "fair", Fair::new(move |action| index(action) == transition))
            }
            Kind::Terminates => check.query(name, "terminates", Terminates::new()),
            Kind::Components => {
                let n_transitions = model.transitions().len();
                let (survey, _) = Survey::new(n_transitions, model.transition_of());
                check.query(name, "components", survey)
            }
            Kind::Ltl(claim) => temporal::put_linear(check, model, name, claim),
            Kind::Ctl(claim) => temporal::put_branching(check, model, name, claim),
            Kind::Deadlock => {
                let deadlock = Deadlock::unless(|model: &M, state| model.is_finished(state));
                check.query(name, "deadlock", deadlock)
            }
            Kind::DeadStates(most) => {
                let list = DeadStates::new(most, |model: &M, state| model.describe(state));
                check.query(name, "dead-states", list)
            }
            Kind::DeadTransitions => check.query(name, "dead-transitions", every_transition(model)),
            Kind::Own(question) => model.put(check, name, question, most),
        };
    }
    check
}

/// The transition that `option` names.
fn transition<M: Subject>(model: &M, option: &'static str, name: &str) -> Result<usize, Failure> {
    model.transition(name).ok_or_else(|| no_such_transition(option, name, model.transitions()))
}

/// No transition is called `name`, as `option` has it; `known` are.
pub(crate) fn no_such_transition(
    option: &'static str,
    name: &str,
    mut known: Vec<String>,
) -> Failure {
    let more = known.len().saturating_sub(MOST_NAMES);
    known.truncate(MOST_NAMES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    Failure::NoSuchTransition { option, name: name.to_owned(), known: known.join(", ") + &more }
}

/// The names listed where one is wrong.
const MOST_NAMES: usize = 20;

/// The initial state can always be reached.
pub(crate) fn reversible<M: Subject>(model: &M) -> Home<impl Fn(&M, &M::State) -> bool + use<M>> {
    let starts: Vec<Vec<u8>> = initial(model).iter().map(|state| bytes_of(model, state)).collect();
    Home::new(move |model: &M, state: &M::State| starts.contains(&bytes_of(model, state)))
}

/// Every transition is live.
pub(crate) fn every_transition_live<M: Subject>(
    model: &M,
) -> Live<impl Fn(M::Action) -> usize + use<M>> {
    Live::all(model.transitions(), model.transition_of())
}

fn test<M: Subject>(predicate: M::Predicate) -> impl Fn(&M, &M::State) -> bool {
    move |model, state| model.holds(&predicate, state)
}

/// Watches for transitions that never fire.
pub(crate) fn every_transition<M: Subject>(
    model: &M,
) -> DeadActions<impl Fn(M::Action) -> usize + use<M>> {
    DeadActions::new(model.transitions(), model.transition_of())
}
