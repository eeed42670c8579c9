//! What the command line asks of a net, as queries of one exploration.

mod contest;
mod tokens;

use std::hash::Hasher;
use std::rc::Rc;

use sweepline::checkpoint::Fingerprint;
use sweepline::observe::{Bound, DeadActions, DeadStates, Deadlock, Never, Reach};
use sweepline::{Check, Progress};
use sweepline_pnml::{
    Expr, Marking, Net, NetModel, Predicate, Property, Question, TransitionId, parse_expr,
    parse_predicate, read_properties, read_supported_properties,
};

use crate::args::{Examination, Input, Questions};
use crate::failure::Failure;
use crate::load;
use crate::subject::{Subject, shown};

use contest::{Combined, Dead, OneSafe, Stable};
use tokens::CountTokens;
pub(crate) use tokens::MostTokens;

/// A question and the name its answer goes by.
pub(crate) struct Asked {
    name: String,
    question: Kind,
}

impl Asked {
    /// Its name, and what tells its question from any other.
    pub(crate) fn fingerprint(&self) -> (String, u64) {
        let mut print = Fingerprint::default();
        print.write(format!("{:?}", self.question).as_bytes());
        (self.name.clone(), print.finish())
    }
}

#[derive(Debug)]
enum Kind {
    Never(Predicate),
    Reach(Predicate),
    Bound(Expr),
    Deadlock,
    DeadStates(usize),
    DeadTransitions,
    StateSpace,
    Contest(Question),
}

/// Parses the questions, in the order: options, examinations, files.
pub(crate) fn questions(args: &Questions, input: &Input, net: &Net) -> Result<Vec<Asked>, Failure> {
    let mut asked = Vec::new();
    let mut ask = |name: &str, question| asked.push(Asked { name: name.to_owned(), question });
    if args.deadlock {
        ask("deadlock", Kind::Deadlock);
    }
    for text in &args.never {
        ask(text, Kind::Never(parse_predicate(net, text)?));
    }
    for text in &args.reach {
        ask(text, Kind::Reach(parse_predicate(net, text)?));
    }
    for text in &args.bound {
        ask(text, Kind::Bound(parse_expr(net, text)?));
    }
    if let Some(most) = args.dead_states {
        ask("dead states", Kind::DeadStates(most));
    }
    if args.dead_transitions {
        ask("dead transitions", Kind::DeadTransitions);
    }
    for &examination in &args.examination {
        let (name, question) = examine(examination);
        ask(name, question);
    }
    for property in from_files(args, input, net)? {
        ask(&property.id, Kind::Contest(property.question));
    }
    Ok(asked)
}

fn examine(examination: Examination) -> (&'static str, Kind) {
    match examination {
        Examination::StateSpace => ("StateSpace", Kind::StateSpace),
        Examination::ReachabilityDeadlock => {
            ("ReachabilityDeadlock", Kind::Contest(Question::Deadlock))
        }
        Examination::OneSafe => ("OneSafe", Kind::Contest(Question::OneSafe)),
        Examination::QuasiLiveness => ("QuasiLiveness", Kind::Contest(Question::QuasiLiveness)),
        Examination::StableMarking => ("StableMarking", Kind::Contest(Question::StableMarking)),
    }
}

/// The properties of the files that `--property` selects.
fn from_files(args: &Questions, input: &Input, net: &Net) -> Result<Vec<Property>, Failure> {
    let all = args.property.is_empty() || args.property.iter().any(|name| name == "all");
    let mut properties = Vec::new();
    for file in &args.property_file {
        let limits = load::limits(input);
        // Formulas that nobody selects may be of a logic that we do not decide.
        let read = if all { read_properties } else { read_supported_properties };
        properties.extend(read(file, net, &limits)?);
    }
    if !all {
        select(&mut properties, &args.property)?;
    }
    match properties.iter().find_map(unsupported) {
        Some(failure) => Err(failure),
        None => Ok(properties),
    }
}

fn select(properties: &mut Vec<Property>, names: &[String]) -> Result<(), Failure> {
    for name in names {
        if !properties.iter().any(|property| property.id == *name) {
            let known: Vec<&str> = properties.iter().map(|p| p.id.as_str()).take(20).collect();
            let known = known.join(", ");
            return Err(Failure::NoSuchProperty { name: name.clone(), known });
        }
    }
    properties.retain(|property| names.contains(&property.id));
    Ok(())
}

fn unsupported(property: &Property) -> Option<Failure> {
    let (what, help) = match &property.question {
        Question::Unsupported { kind, reason } => (kind.clone(), reason.clone()),
        Question::Invariant(_)
        | Question::Possible(_)
        | Question::Initially(_)
        | Question::Combination(_)
        | Question::Bound(_)
        | Question::Deadlock
        | Question::OneSafe
        | Question::QuasiLiveness
        | Question::StableMarking => return None,
        _ => ("a question of another kind".into(), "leave it out".into()),
    };
    Some(Failure::NotYet { name: property.id.clone(), what, help })
}

/// Puts all questions to a check; the tokens that `StateSpace` counts come out of `most`.
pub(crate) fn put<'a, P: Progress<NetModel>>(
    mut check: Check<'a, NetModel, P>,
    model: &'a NetModel,
    asked: Vec<Asked>,
    most: &Rc<MostTokens>,
) -> Check<'a, NetModel, P> {
    for Asked { name, question } in asked {
        check = match question {
            Kind::Never(predicate) => check.query(name, "never", Never::new(test(predicate))),
            Kind::Reach(predicate) => check.query(name, "reach", Reach::new(test(predicate))),
            Kind::Bound(expr) => check.query(name, "bound", Bound::new(value(expr))),
            Kind::Deadlock => check.query(name, "deadlock", Deadlock::default()),
            Kind::DeadStates(most) => {
                let list = DeadStates::new(most, |model: &NetModel, state| model.describe(state));
                check.query(name, "dead-states", list)
            }
            Kind::DeadTransitions => check.query(name, "dead-transitions", every_action(model)),
            Kind::StateSpace => check.query(name, "state-space", CountTokens::new(most.clone())),
            Kind::Contest(question) => put_contest(check, model, name, question),
        };
    }
    check
}

fn put_contest<'a, P: Progress<NetModel>>(
    check: Check<'a, NetModel, P>,
    model: &'a NetModel,
    name: String,
    question: Question,
) -> Check<'a, NetModel, P> {
    match question {
        Question::Invariant(predicate) => {
            check.query(name, "invariant", Never::new(test(predicate.negated())))
        }
        Question::Possible(predicate) => check.query(name, "reach", Reach::new(test(predicate))),
        Question::Initially(predicate) => {
            let combination = sweepline_pnml::Combination::Initially(predicate);
            check.query(name, "initially", Combined::new(model, combination))
        }
        Question::Combination(combination) => {
            check.query(name, "combination", Combined::new(model, combination))
        }
        Question::Bound(expr) => check.query(name, UPPER_BOUND, Bound::new(value(expr))),
        Question::Deadlock => check.query(name, "reach-deadlock", Dead::default()),
        Question::OneSafe => check.query(name, "one-safe", OneSafe::new(model)),
        Question::QuasiLiveness => check.query(name, "quasi-live", every_action(model)),
        Question::StableMarking => check.query(name, "stable-marking", Stable::new(model)),
        _ => unreachable!("`unsupported` refused every other question"),
    }
}

/// The kind whose value is the greatest only.
pub(crate) const UPPER_BOUND: &str = "upper-bound";

fn test(predicate: Predicate) -> impl Fn(&NetModel, &Marking) -> bool {
    move |model, marking| predicate.holds(&model.view(marking))
}

/// The value of `expr`, as near as 64 bits come to it.
fn value(expr: Expr) -> impl Fn(&NetModel, &Marking) -> i64 {
    move |model, marking| {
        let value = expr.value(&model.view(marking));
        value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
    }
}

/// Every transition fires; one of a symmetric net when some binding of it does.
fn every_action(model: &NetModel) -> DeadActions<impl Fn(TransitionId) -> usize + use<>> {
    let transitions = model.net().coloured_transitions();
    let mut transition_of = vec![0; model.net().n_transitions()];
    for (number, transition) in transitions.iter().enumerate() {
        transition.members.iter().for_each(|member| transition_of[member.index()] = number);
    }
    let names = transitions.iter().map(|t| shown(&t.id, &t.name).to_owned()).collect();
    DeadActions::new(names, move |transition: TransitionId| transition_of[transition.index()])
}
