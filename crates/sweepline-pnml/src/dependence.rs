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

/// Lists of transitions by number, one for each place.
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

    fn of(&self, place: PlaceId) -> &[u32] {
        let p = place.index();
        &self.items[self.starts[p] as usize..self.starts[p + 1] as usize]
    }
}

/// A place that a transition needs tokens in.
#[derive(Clone, Copy, Debug)]
struct Need {
    place: PlaceId,
    tokens: u64,
    /// Firing leaves fewer there.
    lowers: bool,
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
                Need { place, tokens, lowers }
            };
            takers.extend(transition.inputs.iter().map(|&(place, _)| (place, number)));
            needs.push(transition.inputs.iter().map(need).collect());
        }
        let lists = |pairs: &[(PlaceId, u32)]| Lists::new(net.places.len(), pairs);
        Dependence {
            needs,
            takers: lists(&takers),
            lowering: lists(&lowering),
            raising: lists(&raising),
        }
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
        lacking.map(|need| need.place).min_by_key(|&place| self.raising(place).len())
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

    /// Pushes a list of transitions, or if it is long the number that stands for it.
    fn push(&self, which: Which, place: PlaceId, push: &mut dyn FnMut(u32)) {
        let transitions = self.list(which).of(place);
        if transitions.len() <= LONG {
            transitions.iter().copied().for_each(push);
        } else {
            push((self.needs.len() + which as usize * self.places() + place.index()) as u32);
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

    fn action_number(&self, action: TransitionId) -> u32 {
        action.0
    }

    fn independent(&self, a: u32, b: u32) -> bool {
        self.dependence().independent(a, b)
    }

    fn companions(&self, marking: &Marking, action: u32, enabled: bool, push: &mut dyn FnMut(u32)) {
        let dependence = self.dependence();
        if let Some(transitions) = dependence.named(action) {
            transitions.iter().copied().for_each(push);
        } else if enabled {
            for need in &dependence.needs[action as usize] {
                let which = if need.lowers { Which::Takers } else { Which::Lowering };
                dependence.push(which, need.place, push);
            }
        } else if let Some(place) = dependence.lacking(&self.view(marking), TransitionId(action)) {
            dependence.push(Which::Raising, place, push);
        }
    }
}
