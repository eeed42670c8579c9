//! What a reduced exploration must preserve for properties of markings: the transitions that lead to a
//! predicate, and those that change an expression.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use sweepline::select::{Goal, Needs};

use crate::dependence::Dependence;
use crate::model::{Marking, NetModel};
use crate::net::{PlaceId, TransitionId};
use crate::query::{Expr, Linear, MarkingView, Node, Predicate};

impl NetModel {
    /// What is needed to find all markings that satisfy one of `predicates`.
    ///
    /// ```
    /// use sweepline::Check;
    /// use sweepline_pnml::{Net, NetModel, parse_predicate};
    ///
    /// let mut net = Net::builder("ten steps, ten times");
    /// for i in 0..10 {
    ///     let names = (format!("to do {i}"), format!("done {i}"), format!("t{i}"));
    ///     net = net.place(&names.0, 10).place(&names.1, 0);
    ///     net = net.transition(&names.2, &[(&names.0, 1)], &[(&names.1, 1)]);
    /// }
    /// let model = NetModel::new(net.build()?);
    /// let bad = parse_predicate(model.net(), "\"done 3\" > 10")?;
    /// let report = Check::new(&model)
    ///     .never("too much", |marking| bad.holds(&model.view(marking)))
    ///     .needing(NetModel::to_find([bad.clone()]))
    ///     .stubborn()
    ///     .run();
    /// report.assert_holds();
    /// // Not 11^10 of them: the other steps do not matter.
    /// assert_eq!(report.statistics.states(), Some(11));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_find(predicates: impl IntoIterator<Item = Predicate>) -> Needs<NetModel> {
        let predicates = predicates.into_iter().collect();
        Needs::Goal(Arc::new(NetGoal { predicates, prepared: OnceLock::new() }))
    }

    /// What is needed to find every value of `expr`: no transition but these changes it.
    pub fn to_follow(&self, expr: &Expr) -> Needs<NetModel> {
        let Changes { lower, raise } = Changes::new(self.dependence(), self, expr.sum());
        let mut visible: Vec<u32> = lower.into_iter().chain(raise).collect();
        visible.sort_unstable();
        Needs::Visible(visible.into())
    }
}

/// The predicates to find, prepared for the first state.
struct NetGoal {
    predicates: Vec<Predicate>,
    prepared: OnceLock<Vec<Prepared>>,
}

impl Goal<NetModel> for NetGoal {
    fn toward(&self, model: &NetModel, state: &Marking, push: &mut dyn FnMut(u32)) -> bool {
        let prepared = self.prepared.get_or_init(|| {
            self.predicates.iter().map(|predicate| Prepared::new(model, predicate)).collect()
        });
        let look = (model.dependence(), &model.view(state));
        let mut found = Vec::new();
        if prepared.iter().any(|one| one.collect(look, &mut found)) {
            return false;
        }
        found.into_iter().for_each(push);
        true
    }
}

/// The transitions that decrease a sum, and those that increase it.
struct Changes {
    lower: Vec<u32>,
    raise: Vec<u32>,
}

impl Changes {
    fn new(dependence: &Dependence, model: &NetModel, sum: &Linear) -> Self {
        let touching = |&(_, place): &(i64, PlaceId)| {
            dependence.lowering(place).iter().chain(dependence.raising(place)).copied()
        };
        let mut touching: Vec<u32> = sum.terms().iter().flat_map(touching).collect();
        touching.sort_unstable();
        touching.dedup();
        let effect = |&transition: &u32| -> i128 {
            let changes = model.net().transitions[transition as usize].changes();
            let term = |(place, change): (PlaceId, i128)| {
                let found = sum.terms().binary_search_by_key(&place, |&(_, place)| place);
                found.map_or(0, |at| i128::from(sum.terms()[at].0) * change)
            };
            changes.map(term).sum()
        };
        let (lower, others): (Vec<u32>, Vec<u32>) =
            touching.into_iter().partition(|transition| effect(transition) < 0);
        let raise = others.into_iter().filter(|transition| effect(transition) > 0).collect();
        Changes { lower, raise }
    }
}

/// A predicate with the transitions that lead to it.
enum Prepared {
    Constant(bool),
    AtMost(Linear, i128, Changes),
    Equal(Linear, i128, Changes),
    Different(Linear, i128, Changes),
    Fireable(Vec<TransitionId>),
    Disabled(Vec<TransitionId>),
    Alive,
    All(Vec<Prepared>),
    Any(Vec<Prepared>),
}

impl Prepared {
    fn new(model: &NetModel, predicate: &Predicate) -> Self {
        let changes = |sum: &Linear| Changes::new(model.dependence(), model, sum);
        let each =
            |parts: &[Predicate]| parts.iter().map(|part| Prepared::new(model, part)).collect();
        match predicate.node() {
            Node::Constant(value) => Prepared::Constant(*value),
            Node::AtMost(sum, bound) => Prepared::AtMost(sum.clone(), *bound, changes(sum)),
            Node::Equal(sum, value) => Prepared::Equal(sum.clone(), *value, changes(sum)),
            Node::Different(sum, value) => Prepared::Different(sum.clone(), *value, changes(sum)),
            Node::Fireable(transitions) => Prepared::Fireable(transitions.clone()),
            Node::Disabled(transitions) => Prepared::Disabled(transitions.clone()),
            Node::Deadlock => Prepared::Disabled(model.net().transition_ids().collect()),
            Node::Alive => Prepared::Alive,
            Node::All(parts) => Prepared::All(each(parts)),
            Node::Any(parts) => Prepared::Any(each(parts)),
        }
    }

    /// Whether the predicate holds. If not, adds transitions such that every path to a marking that satisfies
    /// it takes one of them.
    fn collect<V: MarkingView>(&self, look: (&Dependence, &V), into: &mut Vec<u32>) -> bool {
        let (dependence, view) = look;
        match self {
            Prepared::Constant(value) => *value,
            Prepared::AtMost(sum, bound, changes) => {
                let holds = sum.value(view) <= *bound;
                add(into, if holds { &[] } else { &changes.lower }, holds)
            }
            Prepared::Equal(sum, value, changes) => match sum.value(view).cmp(value) {
                Ordering::Less => add(into, &changes.raise, false),
                Ordering::Equal => true,
                Ordering::Greater => add(into, &changes.lower, false),
            },
            Prepared::Different(sum, value, changes) => {
                sum.value(view) != *value
                    || add(into, &changes.lower, false)
                    || add(into, &changes.raise, false)
            }
            Prepared::Fireable(transitions) => {
                let start = into.len();
                let enabled = transitions.iter().any(|&t| match dependence.lacking(view, t) {
                    Some(place) => add(into, dependence.raising(place), false),
                    None => true,
                });
                into.truncate(if enabled { start } else { into.len() });
                enabled
            }
            // All of them must become disabled: it is enough to wait for one.
            Prepared::Disabled(transitions) => {
                let enabled = transitions.iter().filter(|&&t| view.fireable(t));
                let one = enabled.min_by_key(|&&t| dependence.disabling(t).count());
                into.extend(one.into_iter().flat_map(|&t| dependence.disabling(t)));
                one.is_none()
            }
            // A dead marking has no successors.
            Prepared::Alive => !view.deadlock(),
            Prepared::All(parts) => collect_shortest(parts, look, into),
            Prepared::Any(parts) => {
                let start = into.len();
                let holds = parts.iter().any(|part| part.collect(look, into));
                into.truncate(if holds { start } else { into.len() });
                holds
            }
        }
    }
}

/// Adds `transitions` and returns `holds`.
fn add(into: &mut Vec<u32>, transitions: &[u32], holds: bool) -> bool {
    into.extend_from_slice(transitions);
    holds
}

/// Whether all parts hold. If not, adds the transitions of the false part that has the fewest.
fn collect_shortest<V: MarkingView>(
    parts: &[Prepared],
    look: (&Dependence, &V),
    into: &mut Vec<u32>,
) -> bool {
    let (start, mut holds) = (into.len(), true);
    for part in parts {
        let end = into.len();
        if part.collect(look, into) {
            continue;
        }
        if holds || into.len() - end < end - start {
            into.drain(start..end);
        } else {
            into.truncate(end);
        }
        holds = false;
    }
    holds
}
