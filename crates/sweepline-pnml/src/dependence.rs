//! Which transitions get in each other's way: what stubborn and sleep sets are made of.
//!
//! Two transitions disturb each other where one takes for good from a place that the other needs
//! tokens in. A transition that cannot fire lacks tokens in some place, and waits for those that
//! raise it.

use sweepline::select::Actions;

use crate::model::{Marking, NetModel};
use crate::net::{Net, PlaceId, TransitionId};
use crate::query::MarkingView;

/// Lists longer than this have a number of their own.
const LONG: usize = 6;

/// What transitions do to a place.
#[derive(Clone, Copy)]
enum Which {
    Takers,
    Lowering,
    Raising,
}

/// Nets with more transitions than this compare what two of them need each time.
const MOST_PAIRS: usize = 4_096;

/// Lists of transitions by number, one for each place or transition.
#[derive(Clone, Debug, Default)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Sorts pairs of a place and a transition into lists for `places` places.
    fn new(places: usize, pairs: &[(PlaceId, u32)]) -> Self {
        let mut starts = vec![0; places + 1];
        pairs.iter().for_each(|(place, _)| starts[place.index() + 1] += 1);
        (0..places).for_each(|p| starts[p + 1] += starts[p]);
        let (mut next, mut items) = (starts.clone(), vec![0; pairs.len()]);
        for &(place, transition) in pairs {
            items[next[place.index()] as usize] = transition;
            next[place.index()] += 1;
        }
        Lists { starts, items }
    }

    /// The lists, in order.
    fn collect(lists: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut all = Lists { starts: vec![0], items: Vec::new() };
        for list in lists {
            all.items.extend(list);
            all.starts.push(all.items.len() as u32);
        }
        all
    }

    fn get(&self, number: usize) -> &[u32] {
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    fn of(&self, place: PlaceId) -> &[u32] {
        self.get(place.index())
    }
}

/// A place that a transition needs tokens in.
#[derive(Clone, Copy, Debug)]
struct Need {
    place: PlaceId,
    tokens: u64,
    /// Firing leaves fewer there.
    lowers: bool,
    /// How many transitions leave more there.
    raised_by: u32,
}

/// Who takes from, lowers and raises each place.
#[derive(Clone, Debug)]
pub(crate) struct Dependence {
    /// By transition, sorted by place.
    needs: Vec<Vec<Need>>,
    /// Those that need tokens there.
    takers: Lists,
    /// Those that leave fewer tokens there.
    lowering: Lists,
    /// Those that leave more.
    raising: Lists,
    /// What comes along with each transition while it is enabled.
    with: Lists,
    /// For each transition, a bit for each that depends on it; empty where there are many.
    dependent: Vec<u64>,
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
        let lists = |pairs: &[(PlaceId, u32)]| Lists::new(net.places.len(), pairs);
        let mut dependence = Dependence {
            needs,
            takers: lists(&takers),
            lowering: lists(&lowering),
            raising: lists(&raising),
            with: Lists::default(),
            dependent: Vec::new(),
        };
        for need in dependence.needs.iter_mut().flatten() {
            need.raised_by = dependence.raising.of(need.place).len() as u32;
        }
        dependence.with = Lists::collect((0..net.transitions.len()).map(|t| dependence.along(t)));
        dependence.compare_all();
        dependence
    }

    /// What comes along with a transition while it is enabled.
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

    /// Compares all pairs of transitions once, where they are not too many.
    fn compare_all(&mut self) {
        let count = self.needs.len();
        if count > MOST_PAIRS {
            return;
        }
        let mut dependent = vec![0; count * self.words()];
        for (a, row) in dependent.chunks_mut(self.words().max(1)).enumerate() {
            // Only who lowers a place that `a` needs, or needs one that it lowers, may depend on it.
            for need in &self.needs[a] {
                let other = if need.lowers { &self.takers } else { &self.lowering };
                other.of(need.place).iter().for_each(|&b| row[b as usize / 64] |= 1 << (b % 64));
            }
        }
        self.dependent = dependent;
    }

    /// Words of a row of bits, one for each transition.
    fn words(&self) -> usize {
        self.needs.len().div_ceil(64)
    }

    /// Those that leave fewer tokens in a place.
    pub(crate) fn lowering(&self, place: PlaceId) -> &[u32] {
        self.lowering.of(place)
    }

    /// Those that leave more tokens in a place.
    pub(crate) fn raising(&self, place: PlaceId) -> &[u32] {
        self.raising.of(place)
    }

    /// Of the places that lack tokens for `transition`, the one that fewest raise; `None` where it is
    /// enabled.
    pub(crate) fn lacking(
        &self,
        marking: &impl MarkingView,
        transition: TransitionId,
    ) -> Option<PlaceId> {
        let lacks = |need: &&Need| marking.tokens(need.place) < need.tokens;
        let lacking = self.needs[transition.index()].iter().filter(lacks);
        lacking.min_by_key(|need| need.raised_by).map(|need| need.place)
    }

    /// One of these must fire before `transition`, which is enabled, no longer is.
    pub(crate) fn disabling(&self, transition: TransitionId) -> impl Iterator<Item = u32> + '_ {
        let needs = self.needs[transition.index()].iter();
        needs.flat_map(|need| self.lowering(need.place).iter().copied())
    }

    /// How many numbers there are: one for each transition, and one for each long list.
    fn numbers(&self) -> usize {
        self.needs.len() + 3 * self.places()
    }

    fn places(&self) -> usize {
        self.takers.starts.len() - 1
    }

    fn list(&self, which: Which) -> &Lists {
        match which {
            Which::Takers => &self.takers,
            Which::Lowering => &self.lowering,
            Which::Raising => &self.raising,
        }
    }

    /// Appends a list of transitions, or if it is long the number that stands for it.
    fn push(&self, which: Which, place: PlaceId, into: &mut Vec<u32>) {
        let transitions = self.list(which).of(place);
        if transitions.len() <= LONG {
            into.extend_from_slice(transitions);
        } else {
            let number = self.needs.len() + which as usize * self.places() + place.index();
            into.push(number as u32);
        }
    }

    /// The list that a number beyond the transitions stands for.
    fn named(&self, number: u32) -> Option<&[u32]> {
        let beyond = (number as usize).checked_sub(self.needs.len())?;
        let which = [Which::Takers, Which::Lowering, Which::Raising][beyond / self.places()];
        Some(self.list(which).of(PlaceId((beyond % self.places()) as u32)))
    }

    /// No place that both need is lowered by one of them.
    fn independent(&self, a: u32, b: u32) -> bool {
        if !self.dependent.is_empty() {
            let word = self.dependent[a as usize * self.words() + b as usize / 64];
            return word >> (b % 64) & 1 == 0;
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

/// Transitions by their number. One that is enabled comes with those that lower a place it needs, and
/// with those that need a place it lowers; one that is not, with those that raise some place where
/// it lacks tokens.
///
/// Numbers beyond the transitions stand for long lists of them, as if they were transitions that never
/// fire: what is to be searched is then as long as the net has arcs, however many transitions share
/// a place.
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
