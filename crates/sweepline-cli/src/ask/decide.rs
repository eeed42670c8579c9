//! Properties that the structure of a model decides, without exploration.

use sweepline::check::Decision;
use sweepline::{Interrupt, Options};

use super::{Asked, Kind, KindOf};
use crate::front_end::{Ask, FrontEnd, Smaller};

/// What a property claims, as far as the structure of a model may decide it.
pub(crate) enum Claim<'a, M: Ask> {
    /// Whether a state can be reached that satisfies the condition.
    Reachable(&'a M::Predicate),
    /// Whether a dead state can be reached that satisfies none of the conditions.
    Deadlock(&'a [M::Predicate]),
    /// The least and the greatest value.
    Range(&'a M::Expr),
    /// Properties that only this kind of model has.
    Own(&'a M::Question),
}

/// Decides properties that need no exploration. `decided` has the decisions that are known, in the order of the
/// properties, and is empty if there are none. With a brief effort it decides only what takes milliseconds.
pub(crate) fn decide<M: FrontEnd>(
    model: &M,
    asked: &[Asked<M>],
    decided: &mut Vec<Option<Decision>>,
    options: &Options,
    is_brief: bool,
) {
    decided.resize(asked.len(), None);
    let claims = open_claims(asked, decided);
    let decisions = model.decide(&claims, options, is_brief);
    for ((asked, known), decision) in asked.iter().zip(decided).zip(decisions) {
        let Some(mut decision) = decision else { continue };
        // What is asked for may be that a state is reached, or that none is.
        if let Kind::Never(_) | Kind::Deadlock(_) = asked.question {
            decision.holds = !decision.holds;
        }
        *known = Some(decision);
    }
}

/// Whether a property is not decided that the structure of a model may decide.
pub(crate) fn may_decide<M: FrontEnd>(asked: &[Asked<M>], decided: &[Option<Decision>]) -> bool {
    open_claims(asked, decided).iter().any(Option::is_some)
}

fn open_claims<'q, M: FrontEnd>(
    asked: &'q [Asked<M>],
    decided: &[Option<Decision>],
) -> Vec<Option<Claim<'q, M>>> {
    let all = asked.iter().enumerate();
    all.map(|(number, asked)| match is_decided(decided, number) {
        true => None,
        false => claim(&asked.question),
    })
    .collect()
}

fn claim<M: FrontEnd>(question: &KindOf<M>) -> Option<Claim<'_, M>> {
    match question {
        Kind::Never(predicate) | Kind::Reach(predicate) => Some(Claim::Reachable(predicate)),
        Kind::Deadlock(valid) => Some(Claim::Deadlock(valid)),
        Kind::Bound(expr) => Some(Claim::Range(expr)),
        Kind::Own(question) => Some(Claim::Own(question)),
        Kind::Home(_)
        | Kind::Reversible
        | Kind::Live(_)
        | Kind::Fair(_)
        | Kind::Terminates
        | Kind::Components
        | Kind::Ltl(_)
        | Kind::Ctl(_)
        | Kind::DeadStates(..)
        | Kind::DeadTransitions => None,
    }
}

/// The kind that the results give a property which may be decided.
pub(super) fn kind<M: FrontEnd>(model: &M, question: &KindOf<M>) -> &'static str {
    match question {
        Kind::Never(_) => "never",
        Kind::Reach(_) => "reach",
        Kind::Deadlock(_) => "deadlock",
        Kind::Own(question) => model.kind(question),
        _ => "bound",
    }
}

/// A smaller model for the properties that are not decided; `None` if one of them needs the whole state space.
pub(crate) fn smaller<M: FrontEnd>(
    model: &M,
    asked: &[Asked<M>],
    decided: &[Option<Decision>],
    interrupt: &Interrupt,
) -> Option<Smaller<M>> {
    let open = (0..asked.len()).filter(|number| !is_decided(decided, *number));
    let claims: Vec<_> =
        open.map(|number| claim(&asked[number].question)).collect::<Option<_>>()?;
    if claims.is_empty() {
        return None;
    }
    let smaller = model.smaller(&claims, interrupt)?;
    let open = (0..asked.len()).filter(|number| !is_decided(decided, *number));
    let is_said = |number: usize| of_smaller(&smaller, &asked[number].question).is_some();
    open.into_iter().all(is_said).then_some(smaller)
}

/// The properties as properties of the smaller model; those that are decided stay as they are.
pub(crate) fn translated<M: FrontEnd>(
    smaller: &Smaller<M>,
    asked: Vec<Asked<M>>,
    decided: &[Option<Decision>],
) -> Option<Vec<Asked<M>>> {
    let one = |(number, asked): (usize, Asked<M>)| match is_decided(decided, number) {
        true => Some(asked),
        false => Some(Asked { question: of_smaller(smaller, &asked.question)?, name: asked.name }),
    };
    asked.into_iter().enumerate().map(one).collect()
}

fn is_decided(decided: &[Option<Decision>], number: usize) -> bool {
    decided.get(number).is_some_and(Option::is_some)
}

fn of_smaller<M: FrontEnd>(smaller: &Smaller<M>, question: &KindOf<M>) -> Option<KindOf<M>> {
    let condition = &smaller.condition;
    Some(match question {
        Kind::Never(predicate) => Kind::Never(condition(predicate)?),
        Kind::Reach(predicate) => Kind::Reach(condition(predicate)?),
        Kind::Bound(expr) => Kind::Bound(expr.clone()),
        Kind::Deadlock(valid) => {
            Kind::Deadlock(valid.iter().map(condition).collect::<Option<Vec<_>>>()?)
        }
        Kind::Own(question) => Kind::Own((smaller.question)(question)?),
        _ => return None,
    })
}
