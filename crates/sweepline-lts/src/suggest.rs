//! Measures that the components of a composition suggest.
//!
//! A component that never comes back contributes its rank. One that chooses for good, as a voter does
//! between yes and no, contributes whether it has chosen: all states that follow a choice are closed
//! under steps, so being among them is never undone. Components that are alike contribute alike. A
//! component that comes round again contributes its depth.

use std::collections::{BTreeSet, HashMap};

use sweepline::progress::{Candidate, Effect, Effort, Features, Given, Judge};

use crate::composition::Composition;
use crate::features::Kind;
use crate::grading::Grading;
use crate::lts::StateNo;
use crate::measure::Weighted;

/// Components whose depth alone is tried as a measure.
const MOST_ALONE: usize = 3;
/// Choices that are tried.
const MOST_CHOICES: usize = 8;
/// Weights of a choice, of the ranks of the components that have it, and of all other ranks: the first
/// is tried for every choice, the others for the best.
const WEIGHTS: [(i64, i64, i64); 7] =
    [(7, 2, 1), (15, 4, 1), (9, 3, 1), (9, 3, 2), (5, 2, 1), (13, 3, 2), (13, 4, 2)];

/// Pairs of feature and weight.
type Terms = Vec<(usize, i64)>;

impl Composition {
    /// All ranks, then all depths: the product of the components' measures, swept by columns. `None`
    /// where every component has one state.
    pub fn product_measure(&self) -> Option<Given> {
        let all = |of: &dyn Fn(usize) -> Option<usize>| -> Terms {
            (0..self.component_count()).filter_map(of).map(|feature| (feature, 1)).collect()
        };
        let ranks = all(&|component| self.catalogue().number(component, Kind::Rank));
        let depths = all(&|component| self.catalogue().number(component, Kind::Depth));
        let columns = usize::from(!ranks.is_empty());
        let mut components = vec![ranks, depths];
        components.retain(|terms| !terms.is_empty());
        (!components.is_empty()).then(|| Given { components, columns, ..Given::default() })
    }

    /// The measures `found`, and those that the components suggest, the most promising first. Trying them
    /// is as much work as `effort` says.
    pub fn best_measures(&self, found: Vec<Candidate>, effort: Effort) -> Vec<Candidate> {
        let effects = self.effects();
        let mut judge = Judge::new(effort);
        let choices = self.choices();
        for choice in choices.iter().take(MOST_CHOICES) {
            self.put(&mut judge, choice.measure(self, WEIGHTS[0]), effects.as_deref(), None);
        }
        let best = judge.verdict().into_iter().next().map(Given::from);
        let chosen = choices.iter().find(|choice| best == Some(choice.measure(self, WEIGHTS[0])));
        for &weights in chosen.iter().flat_map(|_| &WEIGHTS[1..]) {
            let measure = chosen.map(|choice| choice.measure(self, weights));
            measure.into_iter().for_each(|g| self.put(&mut judge, g, effects.as_deref(), None));
        }
        for candidate in found {
            let expected = Some(candidate.forecast.peak);
            self.put(&mut judge, candidate.into(), effects.as_deref(), expected);
        }
        for given in self.own_measures() {
            self.put(&mut judge, given, effects.as_deref(), None);
        }
        judge.verdict()
    }

    fn put(
        &self,
        judge: &mut Judge,
        given: Given,
        effects: Option<&[Effect]>,
        expected: Option<f64>,
    ) {
        let proved = effects.is_some_and(|effects| given.is_monotone(effects));
        let measure = Weighted::of_features(self, &given);
        judge.hear(self, (given, measure), proved, expected);
    }

    /// The product of all measures, with several windows, and the depth of single components, those
    /// that take longest to come round again first; with an anchor where they begin, so that the second
    /// round ends when it meets the first.
    fn own_measures(&self) -> Vec<Given> {
        let Some(product) = self.product_measure() else { return Vec::new() };
        let mut given: Vec<Given> =
            [0, 1, 3].map(|window| Given { window, ..product.clone() }).to_vec();
        let ranks = &product.components[..product.columns];
        let depths = self.gradings().iter().map(Grading::most_depths).enumerate();
        let mut alone: Vec<(usize, u32)> = depths.filter(|(_, depth)| *depth > 1).collect();
        alone.sort_by_key(|&(component, depth)| (std::cmp::Reverse(depth), component));
        for (component, depth) in alone.into_iter().take(MOST_ALONE) {
            let terms =
                self.catalogue().number(component, Kind::Depth).map(|feature| vec![(feature, 1)]);
            let components: Vec<_> = ranks.iter().cloned().chain(terms).collect();
            let depth = u64::from(depth);
            let mut anchors = vec![0, 3, 6, depth / 20, depth / 10, depth / 4];
            anchors.retain(|anchor| *anchor <= depth / 2);
            anchors.sort_unstable();
            anchors.dedup();
            for (anchor, window) in anchors.into_iter().flat_map(|a| [(a, 0), (a, 3)]) {
                let (components, columns) = (components.clone(), product.columns);
                given.push(Given { components, columns, window, anchor });
            }
        }
        given
    }

    /// The choices that components make for good: those that most components make, which say most about
    /// the whole.
    fn choices(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for members in self.alike() {
            let (lts, grading) = (self.component(members[0]), &self.gradings()[members[0]]);
            if !self.is_small(members[0]) || grading.most_ranks() == 0 {
                continue;
            }
            let higher = |state: StateNo| -> BTreeSet<StateNo> {
                let targets = lts.edges(state).iter().map(|edge| edge.target);
                targets.filter(|&target| grading.rank(target) > grading.rank(state)).collect()
            };
            let reached = lts.states().filter(|&state| grading.is_reached(state));
            let several = reached.map(higher).filter(|targets| targets.len() > 1).flatten();
            let chosen: BTreeSet<BTreeSet<StateNo>> =
                several.map(|target| lts.closure([target].into(), |_| true)).collect();
            choices.extend(
                chosen.into_iter().map(|states| Choice { members: members.clone(), states }),
            );
        }
        let most = choices.iter().map(|choice| choice.members.len()).max();
        choices.retain(|choice| Some(choice.members.len()) == most);
        choices
    }

    /// Components grouped by their graphs, whatever their labels.
    fn alike(&self) -> Vec<Vec<usize>> {
        let mut groups: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
        let mut order = Vec::new();
        for (component, lts) in self.components().iter().enumerate() {
            let mut shape = vec![lts.initial().0];
            for state in lts.states() {
                let mut targets: Vec<u32> = lts.edges(state).iter().map(|e| e.target.0).collect();
                targets.sort_unstable();
                shape.push(u32::MAX);
                shape.extend(targets);
            }
            let group = groups.entry(shape.clone()).or_default();
            if group.is_empty() {
                order.push(shape);
            }
            group.push(component);
        }
        order.iter().filter_map(|shape| groups.remove(shape)).collect()
    }
}

/// What components that are alike may have chosen for good.
struct Choice {
    members: Vec<usize>,
    /// The states of one that has.
    states: BTreeSet<StateNo>,
}

impl Choice {
    fn measure(&self, composition: &Composition, (chosen, own, other): (i64, i64, i64)) -> Given {
        let catalogue = composition.catalogue();
        let mut terms: Terms = Vec::new();
        for component in 0..composition.component_count() {
            let member = self.members.contains(&component);
            let rank = catalogue.number(component, Kind::Rank);
            terms.extend(rank.map(|feature| (feature, if member { own } else { other })));
            let states = self.states.iter().filter(|_| member);
            let indicators =
                states.filter_map(|&state| catalogue.number(component, Kind::In(state)));
            terms.extend(indicators.map(|feature| (feature, chosen)));
        }
        Given { components: vec![terms], columns: 1, ..Given::default() }
    }
}
