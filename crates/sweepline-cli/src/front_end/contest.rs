//! The contest's questions that the library has no query for.

use std::sync::Arc;

use sweepline::Observer;
use sweepline::codec;
use sweepline::model::initial;
use sweepline::observe::{Answer, DECIDED, Flow, Fork, Hit, Query, Visit};
use sweepline::select::Needs;
use sweepline_pnml::{
    Combination, Comparison, Expr, FoldedNode, Marking, MarkingView, NetModel, PlaceId, Predicate,
};

use super::net::shown;

/// The tokens of all colours of a place.
fn tokens(view: &impl MarkingView, members: &[PlaceId]) -> u128 {
    members.iter().map(|&place| u128::from(view.tokens(place))).sum()
}

fn decided(is: bool) -> Flow {
    if is { DECIDED } else { Ok(()) }
}

/// The markings in which some place has more than one token, of whatever colour; and what is needed to find them.
pub(super) fn unsafe_markings(
    model: &NetModel,
) -> (impl Fn(&NetModel, &Marking) -> bool + Send + Sync + use<>, Needs<NetModel>) {
    let bound = |place: &PlaceId| model.bounds()[place.index()];
    let most = |members: &[PlaceId]| {
        members.iter().map(bound).try_fold(0u64, |sum, most| sum.checked_add(most?))
    };
    // The places that no invariant keeps at one token, each with the places for its colours.
    let places = model.net().coloured_places().into_iter().map(|place| place.members);
    let suspects = places.filter(|members| most(members).is_none_or(|n| n > 1));
    let suspects: Vec<Vec<PlaceId>> = suspects.collect();
    let one = Expr::constant(1).ok();
    let several = |place: &Vec<PlaceId>| {
        let tokens = Expr::tokens(place.iter().copied());
        Predicate::compare(&tokens, Comparison::More, one.as_ref()?).ok()
    };
    let needs = match suspects.iter().map(several).collect::<Option<Vec<Predicate>>>() {
        Some(several) => NetModel::to_find([Predicate::any(several)]),
        None => Needs::States,
    };
    let is_unsafe = move |model: &NetModel, marking: &Marking| {
        let view = model.view(marking);
        suspects.iter().any(|place| tokens(&view, place) > 1)
    };
    (is_unsafe, needs)
}

/// Holds when some place has the same number of tokens in every reachable state.
pub(super) struct Stable {
    /// The places that have not changed yet, by their position, with their tokens.
    unchanged: Vec<(u32, u128)>,
    /// How many there were at first.
    open: usize,
    places: Arc<[FoldedNode<PlaceId>]>,
}

impl Stable {
    pub(super) fn new(model: &NetModel) -> Self {
        let places = model.net().coloured_places();
        let initial = |place: &PlaceId| u128::from(model.net().places[place.index()].initial);
        let tokens = places.iter().map(|place| place.members.iter().map(initial).sum());
        let unchanged: Vec<_> = (0..).zip(tokens).collect();
        Stable { open: unchanged.len(), unchanged, places: places.into() }
    }
}

impl Observer<NetModel> for Stable {
    fn node(&mut self, visit: &Visit<'_, NetModel>, _worker: &mut Marking) -> Flow {
        let view = visit.model.view(visit.state);
        let Stable { unchanged, places, .. } = self;
        let same = |&(place, before): &(u32, u128)| {
            tokens(&view, &places[place as usize].members) == before
        };
        if !unchanged.iter().all(same) {
            unchanged.retain(same);
        }
        decided(self.unchanged.is_empty())
    }

    /// A place that changes may be the last one.
    fn decided(&self) -> u64 {
        (self.open - self.unchanged.len()) as u64
    }

    fn fork<'s>(&'s self, _model: &'s NetModel) -> Option<Fork<'s, NetModel>> {
        let (unchanged, places) = (self.unchanged.clone(), self.places.clone());
        Some(Box::new(Stable { open: unchanged.len(), unchanged, places }))
    }

    fn save(&self, _model: &NetModel) -> Option<Vec<u8>> {
        let places: Vec<u32> = self.unchanged.iter().map(|(place, _)| *place).collect();
        Some(codec::to_bytes(&places))
    }

    fn merge(&mut self, _model: &NetModel, saved: &[u8]) -> bool {
        let Some(places) = codec::read::<Vec<u32>>(saved) else { return false };
        // What has not changed is as it was at the start: the tokens of the initial marking.
        self.unchanged.retain(|(place, _)| places.contains(place));
        places.iter().all(|&place| (place as usize) < self.places.len())
    }
}

impl Query<NetModel> for Stable {
    fn has_witness(&self) -> bool {
        false
    }

    fn answer(&self) -> Answer {
        if self.unchanged.is_empty() { Answer::Violated(None) } else { Answer::HoldsSoFar }
    }

    fn findings(&self) -> Vec<String> {
        let place = |&(place, _): &(u32, u128)| &self.places[place as usize];
        self.unchanged.iter().map(place).map(|p| shown(&p.id, &p.name).to_owned()).collect()
    }
}

/// A boolean combination of questions, and how many of them had an answer at first.
pub(super) struct Combined(Part, u64);

#[derive(Clone)]
enum Part {
    /// Settled before the exploration.
    Known(bool),
    /// Becomes `found` at a state that satisfies the predicate, and is the opposite until then.
    Search { predicate: Predicate, found: bool, hit: Option<Hit> },
    /// All parts, or any of them.
    Join { all: bool, parts: Vec<Part> },
}

impl Combined {
    pub(super) fn new(model: &NetModel, combination: Combination) -> Self {
        Combined(Part::new(model, combination), 0)
    }
}

impl Part {
    fn new(model: &NetModel, combination: Combination) -> Self {
        let search = |predicate, found| Part::Search { predicate, found, hit: None };
        let join = |all, parts: Vec<Combination>| {
            let parts = parts.into_iter().map(|part| Part::new(model, part)).collect();
            Part::Join { all, parts }
        };
        match combination {
            Combination::Invariant(predicate) => search(predicate.negated(), false),
            Combination::Possible(predicate) => search(predicate, true),
            Combination::Initially(predicate) => {
                let holds = |state| predicate.holds(&model.view(state));
                Part::Known(initial(model).iter().all(holds))
            }
            Combination::All(parts) => join(true, parts),
            Combination::Any(parts) => join(false, parts),
        }
    }

    /// What is searched for and what was found, in the order of the parts.
    fn searches(&self) -> Vec<(&Predicate, &Option<Hit>)> {
        match self {
            Part::Known(_) => Vec::new(),
            Part::Search { predicate, hit, .. } => vec![(predicate, hit)],
            Part::Join { parts, .. } => parts.iter().flat_map(Part::searches).collect(),
        }
    }

    /// The same, to change what was found.
    fn each_search(&mut self, change: &mut dyn FnMut(&Predicate, &mut Option<Hit>)) {
        match self {
            Part::Known(_) => {}
            Part::Search { predicate, hit, .. } => change(predicate, hit),
            Part::Join { parts, .. } => parts.iter_mut().for_each(|part| part.each_search(change)),
        }
    }

    /// The value whatever else is reachable, where it is settled.
    fn settled(&self) -> Option<bool> {
        match self {
            Part::Known(value) => Some(*value),
            Part::Search { found, hit, .. } => hit.as_ref().map(|_| *found),
            Part::Join { all, parts } => {
                let mut settled = parts.iter().map(Part::settled);
                match settled.clone().any(|part| part == Some(!all)) {
                    true => Some(!all),
                    false => settled.all(|part| part.is_some()).then_some(*all),
                }
            }
        }
    }

    /// The value if nothing else is reachable.
    fn so_far(&self) -> bool {
        match self {
            Part::Known(value) => *value,
            Part::Search { found, hit, .. } => hit.is_some() == *found,
            Part::Join { all: true, parts } => parts.iter().all(Part::so_far),
            Part::Join { all: false, parts } => parts.iter().any(Part::so_far),
        }
    }

    /// A single state that settles it, where there is one.
    fn proof(&self) -> Option<&Hit> {
        let settled = self.settled()?;
        match self {
            Part::Known(_) => None,
            Part::Search { hit, .. } => hit.as_ref(),
            Part::Join { all, .. } if settled == *all => None,
            Part::Join { parts, .. } => {
                parts.iter().filter(|part| part.settled() == Some(settled)).find_map(Part::proof)
            }
        }
    }
}

impl Observer<NetModel> for Combined {
    fn node(&mut self, visit: &Visit<'_, NetModel>, _worker: &mut Marking) -> Flow {
        if self.0.settled().is_none() {
            self.0.each_search(&mut |predicate, hit| {
                if hit.is_none() && predicate.holds(&visit.model.view(visit.state)) {
                    *hit = Some(Hit::of(visit));
                }
            });
        }
        decided(self.0.settled().is_some())
    }

    /// Any state that is found may settle it.
    fn decided(&self) -> u64 {
        self.0.searches().iter().filter(|(_, hit)| hit.is_some()).count() as u64 - self.1
    }

    fn fork<'s>(&'s self, _model: &'s NetModel) -> Option<Fork<'s, NetModel>> {
        Some(Box::new(Combined(self.0.clone(), self.decided() + self.1)))
    }

    fn save(&self, _model: &NetModel) -> Option<Vec<u8>> {
        let hits: Vec<_> = self.0.searches().into_iter().map(|(_, hit)| hit).collect();
        Some(codec::to_bytes(&hits))
    }

    fn merge(&mut self, _model: &NetModel, saved: &[u8]) -> bool {
        let Some(hits) = codec::read::<Vec<Option<Hit>>>(saved) else { return false };
        let is_whole = hits.len() == self.0.searches().len();
        let mut hits = hits.into_iter();
        self.0.each_search(&mut |_, hit| *hit = hit.take().or(hits.next().flatten()));
        is_whole
    }
}

impl Query<NetModel> for Combined {
    fn needs(&self) -> Needs<NetModel> {
        NetModel::to_find(self.0.searches().into_iter().map(|(predicate, _)| predicate.clone()))
    }

    fn answer(&self) -> Answer {
        match (self.0.settled(), self.0.so_far()) {
            (Some(true), _) => Answer::Holds(self.0.proof().cloned()),
            (Some(false), _) => Answer::Violated(self.0.proof().cloned()),
            (None, true) => Answer::HoldsSoFar,
            (None, false) => Answer::ViolatedSoFar,
        }
    }
}
