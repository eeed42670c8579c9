//! Reductions of processes: rules that share a component depend on each other, conditions name components that must
//! move, and equal components are symmetric.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sweepline::identity::Identity;
use sweepline::select::{Actions, Goal, Needs};
use sweepline_lts::{Joint, RuleId, Symmetry, Term, Weighted};
use sweepline_query::{Expr, Linear, Node, PlaceId, Predicate, TransitionId};

use super::Processes;
use super::names::Number;
use crate::args::Equivalence;
use crate::failure::Failure;
use crate::identity::{Terms, Wanted};

impl Actions for Processes {
    fn actions(&self) -> u32 {
        self.composition.actions()
    }

    fn action_number(&self, action: &RuleId) -> u32 {
        self.composition.action_number(action)
    }

    fn independent(&self, a: u32, b: u32) -> bool {
        self.composition.independent(a, b)
    }

    fn companions(&self, state: &Joint, action: u32, enabled: bool, into: &mut Vec<u32>) {
        self.composition.companions(state, action, enabled, into);
    }
}

/// A condition to find: some component that it names must move first.
struct Moves(Predicate);

impl Goal<Processes> for Moves {
    fn toward(&self, model: &Processes, state: &Joint, push: &mut dyn FnMut(u32)) -> bool {
        match model.movers_to(&self.0, state) {
            None => false,
            Some(components) => {
                components.iter().for_each(|&c| model.composition.movers(state, c, push));
                true
            }
        }
    }
}

impl Processes {
    /// What is needed to find the states that satisfy `predicate`.
    pub(super) fn needs_to_find(predicate: &Predicate) -> Needs<Processes> {
        Needs::Goal(Arc::new(Moves(predicate.clone())))
    }

    /// What is needed to see every value of `expr`.
    pub(super) fn needs_to_follow(&self, expr: &Expr) -> Needs<Processes> {
        let components = self.named(expr.sum());
        let moves = |rule: &u32| {
            let parts = &self.composition.rules()[*rule as usize].parts;
            parts.iter().any(|part| components.contains(&part.component))
        };
        Needs::Visible((0..self.composition.actions()).filter(moves).collect())
    }

    /// Components of which one must move before `predicate` holds; `None` where it holds at `state`.
    fn movers_to(&self, predicate: &Predicate, state: &Joint) -> Option<BTreeSet<usize>> {
        if predicate.holds(&self.view(state)) {
            return None;
        }
        Some(match predicate.node() {
            Node::Constant(_) => BTreeSet::new(),
            Node::AtMost(sum, _) | Node::Equal(sum, _) | Node::Different(sum, _) => self.named(sum),
            Node::Fireable(events) | Node::Disabled(events) => self.taking_part(events),
            Node::All(parts) => {
                let missing = parts.iter().filter_map(|part| self.movers_to(part, state));
                missing.min_by_key(BTreeSet::len).unwrap_or_else(|| self.everyone())
            }
            Node::Any(parts) => {
                parts.iter().filter_map(|part| self.movers_to(part, state)).flatten().collect()
            }
            _ => self.everyone(),
        })
    }

    fn everyone(&self) -> BTreeSet<usize> {
        (0..self.composition.component_count()).collect()
    }

    /// The components whose states a sum counts.
    fn named(&self, sum: &Linear) -> BTreeSet<usize> {
        let mut components = BTreeSet::new();
        for &(_, place) in sum.terms() {
            match self.names.numbers[place.index()] {
                Number::Feature(feature) => {
                    components.insert(self.composition.describe_feature(feature).0);
                }
                Number::In(component, _) => {
                    components.insert(component);
                }
                Number::Ranks | Number::Depths => return self.everyone(),
            }
        }
        components
    }

    /// The components that take part in one of `events`.
    fn taking_part(&self, events: &[TransitionId]) -> BTreeSet<usize> {
        let is_meant = |rule: usize| {
            let event = self.names.event(&self.composition, RuleId(rule as u32));
            events.iter().any(|wanted| self.names.events[wanted.index()] == event)
        };
        let rules = self.composition.rules().iter().enumerate();
        let rules = rules.filter(|(number, _)| is_meant(*number));
        rules.flat_map(|(_, rule)| rule.parts.iter().map(|part| part.component)).collect()
    }

    /// The symmetry of equal components, if no property distinguishes them.
    pub(super) fn symmetry<'a>(
        &'a self,
        wanted: &Wanted<'_>,
        terms: &Terms<'_, Processes>,
    ) -> Result<Identity<'a, Processes>, Failure> {
        let refuse = |why: String| Err(Failure::no_equivalence(&wanted.equivalence, why));
        match &*wanted.equivalence {
            Equivalence::Symmetry(sets) if sets.is_empty() && wanted.cut_off.is_none() => {}
            _ => return refuse("for processes only `--equivalence symmetry` is possible".into()),
        }
        let symmetry = Symmetry::of(&self.composition);
        if symmetry.classes().is_empty() {
            return refuse("no two processes are symmetric".into());
        }
        let is_told = |sum: &Linear| !self.is_symmetric(sum, &symmetry);
        let predicates = terms.predicates.iter().map(|(name, p)| (name, self.tells(p, &symmetry)));
        let numbers = terms.numbers.iter().map(|(name, expr)| (name, is_told(expr.sum())));
        if let Some((name, _)) = predicates.chain(numbers).find(|(_, tells)| *tells) {
            return refuse(format!("`{name}` distinguishes symmetric processes"));
        }
        Ok(Identity::Representative(Box::new(symmetry)))
    }

    /// For each feature of interchangeable components the sum over all of them, and every other feature.
    pub(super) fn symmetric_features(&self) -> Vec<Vec<usize>> {
        let symmetry = Symmetry::of(&self.composition);
        let mut groups: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let mut seen = vec![0; self.composition.component_count()];
        for feature in 0..self.composition.n_features() {
            let (component, _) = self.composition.describe_feature(feature);
            let class = symmetry.classes().iter().find(|class| class.contains(&component));
            let first = class.map_or(component, |class| class[0]);
            groups.entry((first, seen[component])).or_default().push(feature);
            seen[component] += 1;
        }
        let is_kept = |group: &Vec<usize>| {
            let terms = group.iter().map(|&feature| (Term::Feature(feature), 1)).collect();
            symmetry.keeps(&Weighted::new(&self.composition, &[(terms, 0)], 0))
        };
        groups.into_values().filter(is_kept).collect()
    }

    /// Whether `predicate` may have another value after a permutation of symmetric processes.
    fn tells(&self, predicate: &Predicate, symmetry: &Symmetry<'_>) -> bool {
        match predicate.node() {
            Node::Constant(_) | Node::Deadlock | Node::Alive => false,
            Node::AtMost(sum, _) | Node::Equal(sum, _) | Node::Different(sum, _) => {
                !self.is_symmetric(sum, symmetry)
            }
            Node::Fireable(events) | Node::Disabled(events) => {
                let parts = self.taking_part(events);
                symmetry.classes().iter().flatten().any(|component| parts.contains(component))
            }
            Node::All(parts) | Node::Any(parts) => {
                parts.iter().any(|part| self.tells(part, symmetry))
            }
        }
    }

    fn is_symmetric(&self, sum: &Linear, symmetry: &Symmetry<'_>) -> bool {
        let mut terms: Vec<(Term, i64)> = Vec::new();
        let mut add = |weight: i64, place: PlaceId| {
            self.names.each_term(&self.composition, place, |term| terms.push((term, weight)));
        };
        sum.terms().iter().for_each(|&(weight, place)| add(weight, place));
        symmetry.keeps(&Weighted::new(&self.composition, &[(terms, 0)], 0))
    }
}
