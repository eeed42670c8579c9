//! The dependencies between transitions, for stubborn and sleep sets.
//!
//! Two transitions depend on each other if one of them decreases a place that is an input of the other. A
//! disabled transition has an input place with too few tokens, and can only become enabled by transitions
//! that increase that place.

use fixedbitset::FixedBitSet;
use sweepline::lists::Lists;
use sweepline::select::Actions;

use crate::model::{Marking, NetModel};
use crate::net::{Net, PlaceId, TransitionId};
use crate::query::MarkingView;

/// Lists longer than this get a number of their own.
const LONG: usize = 6;

/// How transitions affect a place.
#[derive(Clone, Copy)]
enum Which {
    Takers,
    Lowering,
    Raising,
}

/// In nets with more transitions than this, dependencies are computed on demand and not stored.
const MOST_PAIRS: usize = 4_096;

/// An input place of a transition.
#[derive(Clone, Copy, Debug)]
struct Need {
    place: PlaceId,
    tokens: u64,
    /// Whether firing decreases it.
    lowers: bool,
    /// How many transitions increase it.
    raised_by: u32,
}

/// Which transitions need, decrease and increase each place.
#[derive(Clone, Debug)]
pub(crate) struct Dependence {
    /// By transition, sorted by place.
    needs: Vec<Vec<Need>>,
    /// The transitions that need tokens there.
    takers: Lists<u32>,
    /// The transitions that decrease it.
    lowering: Lists<u32>,
    /// The transitions that increase it.
    raising: Lists<u32>,
    /// The companions of each transition while it is enabled.
    with: Lists<u32>,
    /// For each transition, the set of transitions that depend on it; empty if there are too many.
    dependent: FixedBitSet,
}

impl Dependence {
    pub(crate) fn new(net: &Net) -> Self {
        let (mut takers, mut lowering, mut raising) = (Vec::new(), Vec::new(), Vec::new());
        let mut needs = Vec::with_capacity(net.transitions.len());
        for (transition, number) in net.transitions.iter().zip(0..) {
            let mut lowered = Vec::new();
            for (place, change) in transition.changes() {
                if change < 0 {
                    lowered.push(place);
                    lowering.push((place, number));
                } else {
                    raising.push((place, number));
                }
            }
            let need = |&(place, tokens): &(PlaceId, u64)| {
                let lowers = lowered.binary_search(&place).is_ok();
                Need { place, tokens, lowers, raised_by: 0 }
            };
            takers.extend(transition.inputs.iter().map(|&(place, _)| (place, number)));
            needs.push(transition.inputs.iter().map(need).collect());
        }
        let lists = |pairs: &[(PlaceId, u32)]| {
            Lists::grouped(net.places.len(), pairs.iter().map(|(place, t)| (place.index(), *t)))
        };
        let mut dependence = Dependence {
            needs,
            takers: lists(&takers),
            lowering: lists(&lowering),
            raising: lists(&raising),
            with: Lists::default(),
            dependent: FixedBitSet::new(),
        };
        for need in dependence.needs.iter_mut().flatten() {
            need.raised_by = dependence.raising.get(need.place.index()).len() as u32;
        }
        dependence.with = (0..net.transitions.len()).map(|t| dependence.along(t)).collect();
        dependence.compare_all();
        dependence
    }

    /// The companions of a transition while it is enabled.
    fn along(&self, transition: usize) -> Vec<u32> {
        let mut along = Vec::new();
        for need in &self.needs[transition] {
            let which = if need.lowers { Which::Takers } else { Which::Lowering };
            self.push(which, need.place, &mut along);
        }
        along.sort_unstable();
        along.dedup();
        along
    }

    /// Compares all pairs of transitions once, if there are not too many.
    fn compare_all(&mut self) {
        let count = self.needs.len();
        if count > MOST_PAIRS {
            return;
        }
        let mut dependent = FixedBitSet::with_capacity(count * count);
        for a in 0..count {
            // Only a transition that decreases a place that `a` needs, or needs a place that `a` decreases,
            // can depend on it.
            for need in &self.needs[a] {
                let other = if need.lowers { &self.takers } else { &self.lowering };
                let others = other.get(need.place.index()).iter();
                others.for_each(|&b| dependent.insert(a * count + b as usize));
            }
        }
        self.dependent = dependent;
    }

    /// The transitions that decrease a place.
    pub(crate) fn lowering(&self, place: PlaceId) -> &[u32] {
        self.lowering.get(place.index())
    }

    /// The transitions that increase a place.
    pub(crate) fn raising(&self, place: PlaceId) -> &[u32] {
        self.raising.get(place.index())
    }

    /// Among the places with too few tokens for `transition`, the one that the fewest transitions increase;
    /// `None` if it is enabled.
    pub(crate) fn lacking(
        &self,
        marking: &impl MarkingView,
        transition: TransitionId,
    ) -> Option<PlaceId> {
        let lacks = |need: &&Need| marking.tokens(need.place) < need.tokens;
        let lacking = self.needs[transition.index()].iter().filter(lacks);
        lacking.min_by_key(|need| need.raised_by).map(|need| need.place)
    }

    /// Transitions of which one must fire before `transition`, which is enabled, becomes disabled.
    pub(crate) fn disabling(&self, transition: TransitionId) -> impl Iterator<Item = u32> + '_ {
        let needs = self.needs[transition.index()].iter();
        needs.flat_map(|need| self.lowering(need.place).iter().copied())
    }

    /// The number of numbers: one for each transition, and one for each long list.
    fn numbers(&self) -> usize {
        self.needs.len() + 3 * self.places()
    }

    fn places(&self) -> usize {
        self.takers.len()
    }

    fn list(&self, which: Which) -> &Lists<u32> {
        match which {
            Which::Takers => &self.takers,
            Which::Lowering => &self.lowering,
            Which::Raising => &self.raising,
        }
    }

    /// Appends a list of transitions or, if it is long, its number.
    fn push(&self, which: Which, place: PlaceId, into: &mut Vec<u32>) {
        let transitions = self.list(which).get(place.index());
        if transitions.len() <= LONG {
            into.extend_from_slice(transitions);
        } else {
            let number = self.needs.len() + which as usize * self.places() + place.index();
            into.push(number as u32);
        }
    }

    /// The long list with this number.
    fn named(&self, number: u32) -> Option<&[u32]> {
        let beyond = (number as usize).checked_sub(self.needs.len())?;
        let which = [Which::Takers, Which::Lowering, Which::Raising][beyond / self.places()];
        Some(self.list(which).get(beyond % self.places()))
    }

    /// Whether no place that both need is decreased by one of them.
    fn independent(&self, a: u32, b: u32) -> bool {
        if !self.dependent.is_empty() {
            return !self.dependent.contains(a as usize * self.needs.len() + b as usize);
        }
        let (mut mine, mut other) = (&*self.needs[a as usize], &*self.needs[b as usize]);
        while let ([x, xs @ ..], [y, ys @ ..]) = (mine, other) {
            if x.place == y.place && (x.lowers || y.lowers) {
                return false;
            }
            (mine, other) = if x.place <= y.place { (xs, other) } else { (mine, ys) };
        }
        true
    }
}

/// Actions are transitions. The companions of an enabled transition are those that decrease a place it needs,
/// and those that need a place it decreases. The companions of a disabled one are those that increase some
/// place in which it lacks tokens.
///
/// Numbers beyond the transitions stand for long lists, as if they were transitions that never fire. So the
/// search is linear in the number of arcs, however many transitions share a place.
impl Actions for NetModel {
    fn actions(&self) -> u32 {
        self.dependence().numbers() as u32
    }

    fn action_number(&self, action: &TransitionId) -> u32 {
        action.0
    }

    fn independent(&self, a: u32, b: u32) -> bool {
        self.dependence().independent(a, b)
    }

    fn companions(&self, marking: &Marking, action: u32, enabled: bool, into: &mut Vec<u32>) {
        let dependence = self.dependence();
        if let Some(transitions) = dependence.named(action) {
            into.extend_from_slice(transitions);
        } else if enabled {
            into.extend_from_slice(dependence.with.get(action as usize));
        } else if let Some(place) = dependence.lacking(&self.view(marking), TransitionId(action)) {
            dependence.push(Which::Raising, place, into);
        }
    }
}
