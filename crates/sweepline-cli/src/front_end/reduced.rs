//! Structural reductions of nets: which places the properties observe, and how they read on the smaller net.

use std::sync::Arc;

use sweepline::observe::Step;
use sweepline::{Interrupt, Witness};
use sweepline_pnml::{
    Combination, Comparison, Expr, Net, NetModel, Node, PlaceId, Predicate, Question, Reduced,
    TransitionId,
};

use super::Smaller;
use super::net::ContestQuestion;
use crate::ask::Claim;

/// Conditions that are nested deeper are not rewritten.
const MOST_DEPTH: usize = 100;

/// The smaller net for these claims; `None` if some claim needs the whole state space, or nothing is saved.
pub(super) fn smaller(
    model: &NetModel,
    claims: &[Claim<'_, NetModel>],
    interrupt: &Interrupt,
) -> Option<Smaller<NetModel>> {
    let mut seen = Observed { net: model.net(), places: Vec::new(), deadlocks: false };
    claims.iter().try_for_each(|claim| seen.claim(claim))?;
    let Observed { mut places, deadlocks, .. } = seen;
    places.sort_unstable();
    places.dedup();
    let net = model.net();
    let reduced = Reduced::new(net, &places, deadlocks, interrupt)?;
    let smaller = NetModel::new(reduced.net().clone());
    let words = format!(
        "structural: {} places, {} transitions instead of {}, {}",
        reduced.n_places(),
        smaller.net().n_transitions(),
        net.n_places(),
        net.n_transitions()
    );
    let net = Arc::new(net.clone());
    let other = net.clone();
    Some(Smaller {
        words,
        condition: Box::new(move |condition| rewritten(&net, condition, 0)),
        question: Box::new(move |question| self::question(&other, question)),
        lift: Box::new(move |model, witness| {
            let actions: Vec<_> = witness.steps.iter().map(|step| step.action).collect();
            replayed(model, &reduced.lift(model.net(), &actions)?)
        }),
        model: smaller,
    })
}

/// What claims look at.
struct Observed<'n> {
    net: &'n Net,
    places: Vec<PlaceId>,
    deadlocks: bool,
}

impl Observed<'_> {
    fn claim(&mut self, claim: &Claim<'_, NetModel>) -> Option<()> {
        match claim {
            Claim::Reachable(condition) => self.condition(condition),
            Claim::Deadlock(valid) => {
                self.deadlocks = true;
                let ends = |valid: &Predicate| self.condition(&valid.clone().negated());
                valid.iter().try_for_each(ends)
            }
            Claim::Range(expr) => self.expr(expr),
            Claim::Own(ContestQuestion::StateSpace) => None,
            Claim::Own(ContestQuestion::Asked(question)) => match question {
                Question::Invariant(condition) => self.condition(&condition.clone().negated()),
                Question::Possible(condition) => self.condition(condition),
                Question::Combination(combination) => self.combination(combination),
                Question::Bound(expr) => self.expr(expr),
                Question::Deadlock => {
                    self.deadlocks = true;
                    Some(())
                }
                _ => None,
            },
        }
    }

    fn combination(&mut self, combination: &Combination) -> Option<()> {
        match combination {
            Combination::Invariant(condition) => self.condition(&condition.clone().negated()),
            Combination::Possible(condition) => self.condition(condition),
            // The smaller net may start later, where another marking is dead.
            Combination::Initially(_) => None,
            Combination::All(parts) | Combination::Any(parts) => {
                parts.iter().try_for_each(|part| self.combination(part))
            }
        }
    }

    fn expr(&mut self, expr: &Expr) -> Option<()> {
        self.places.extend(expr.sum().terms().iter().map(|&(_, place)| place));
        Some(())
    }

    /// Looks at the places of a condition that is searched for.
    fn condition(&mut self, condition: &Predicate) -> Option<()> {
        match condition.node() {
            Node::Constant(_) => {}
            Node::AtMost(sum, _) | Node::Equal(sum, _) | Node::Different(sum, _) => {
                self.places.extend(sum.terms().iter().map(|&(_, place)| place));
            }
            Node::Fireable(transitions) | Node::Disabled(transitions) => {
                for transition in transitions {
                    let inputs = &self.net.transitions[transition.index()].inputs;
                    self.places.extend(inputs.iter().map(|&(place, _)| place));
                }
            }
            Node::Deadlock => self.deadlocks = true,
            // A marking between two fused transitions is alive.
            Node::Alive => return None,
            Node::All(parts) | Node::Any(parts) => {
                return parts.iter().try_for_each(|part| self.condition(part));
            }
        }
        Some(())
    }
}

/// The condition in terms of tokens: the smaller net has other transitions.
fn rewritten(net: &Net, condition: &Predicate, depth: usize) -> Option<Predicate> {
    if depth > MOST_DEPTH {
        return None;
    }
    let enabled = |&transition: &TransitionId| {
        let inputs = &net.transitions[transition.index()].inputs;
        let has = |&(place, weight): &(PlaceId, u64)| {
            let weight = Expr::constant(weight.into()).ok()?;
            Predicate::compare(&Expr::tokens([place]), Comparison::AtLeast, &weight).ok()
        };
        Some(Predicate::all(inputs.iter().map(has).collect::<Option<Vec<_>>>()?))
    };
    let each = |parts: &[Predicate]| {
        parts.iter().map(|part| rewritten(net, part, depth + 1)).collect::<Option<Vec<_>>>()
    };
    Some(match condition.node() {
        Node::Fireable(transitions) => {
            Predicate::any(transitions.iter().map(enabled).collect::<Option<Vec<_>>>()?)
        }
        Node::Disabled(transitions) => {
            Predicate::any(transitions.iter().map(enabled).collect::<Option<Vec<_>>>()?).negated()
        }
        Node::All(parts) => Predicate::all(each(parts)?),
        Node::Any(parts) => Predicate::any(each(parts)?),
        _ => condition.clone(),
    })
}

fn question(net: &Net, question: &ContestQuestion) -> Option<ContestQuestion> {
    let ContestQuestion::Asked(question) = question else { return None };
    let rewritten = |condition: &Predicate| rewritten(net, condition, 0);
    Some(ContestQuestion::Asked(match question {
        Question::Invariant(condition) => Question::Invariant(rewritten(condition)?),
        Question::Possible(condition) => Question::Possible(rewritten(condition)?),
        Question::Combination(combined) => Question::Combination(combination(net, combined)?),
        Question::Bound(_) | Question::Deadlock => question.clone(),
        _ => return None,
    }))
}

fn combination(net: &Net, whole: &Combination) -> Option<Combination> {
    let each = |parts: &[Combination]| {
        parts.iter().map(|part| combination(net, part)).collect::<Option<Vec<_>>>()
    };
    Some(match whole {
        Combination::Invariant(condition) => Combination::Invariant(rewritten(net, condition, 0)?),
        Combination::Possible(condition) => Combination::Possible(rewritten(net, condition, 0)?),
        Combination::Initially(_) => return None,
        Combination::All(parts) => Combination::All(each(parts)?),
        Combination::Any(parts) => Combination::Any(each(parts)?),
    })
}

/// The path of these transitions.
fn replayed(model: &NetModel, path: &[TransitionId]) -> Option<Witness<NetModel>> {
    let initial = sweepline::model::initial(model).into_iter().next()?;
    let mut steps: Vec<Step<NetModel>> = Vec::with_capacity(path.len());
    for &action in path {
        let before = steps.last().map_or(&initial, |step| &step.state);
        let successors = sweepline::model::successors(model, before).ok()?;
        let (_, state) = successors.into_iter().find(|(fired, _)| *fired == action)?;
        steps.push(Step { action, state });
    }
    Some(Witness { initial, steps, back: None })
}
