//! The dependence relation between transitions, for stubborn and sleep sets.
//!
//! An action is a transition with all its bindings. A transition therefore depends not only on those that
//! remove tokens it needs, but also on those that add tokens to its input places, because they may enable
//! further bindings.

use std::collections::BTreeSet;

use sweepline::lists::Lists;
use sweepline::select::Actions;
use sweepline_ml::Inscription;

use crate::explore::instance::Instance;
use crate::explore::marking::Marking;
use crate::explore::model::{CpnModel, Occurrence};
use crate::net::Effects;

/// The most pairs of dependent transitions: some 200 MB.
const MOST_PAIRS: usize = 10_000_000;

/// Why the dependence relation is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoDependence {
    /// Enabling depends on the model time, which all transitions share.
    #[error("the net is timed, and in a timed net every transition may depend on every other one")]
    Timed,
    /// Enabling depends on all transitions of higher priority.
    #[error("the transitions have different priorities")]
    Priorities,
    /// Too many dependent pairs to store.
    #[error("more than {MOST_PAIRS} pairs of transitions depend on each other")]
    Pairs,
    /// Some inscription uses references, files or random numbers, which all transitions share.
    #[error("`{0}` uses references, files or random numbers")]
    Effects(String),
}

/// How a transition uses the places.
#[derive(Clone, Debug, Default)]
struct Uses {
    /// It reads the tokens there.
    looks: BTreeSet<usize>,
    /// It removes tokens, and does not put the same back.
    takes: BTreeSet<usize>,
    /// It adds tokens other than those it removed.
    puts: BTreeSet<usize>,
    /// Places of inhibitor arcs.
    inhibits: BTreeSet<usize>,
    /// Places of reset arcs.
    resets: BTreeSet<usize>,
    /// Places from which every binding removes a token.
    surely: Vec<usize>,
}

/// The transitions and their dependence relation.
#[derive(Clone, Debug)]
pub(crate) struct Dependence {
    uses: Vec<Uses>,
    /// For an enabled transition, those that must be in the same stubborn set.
    with: Vec<Vec<u32>>,
    /// For each transition, those that it does not commute with.
    against: Vec<BTreeSet<u32>>,
    /// For each place, the transitions that may add tokens, and those that may remove some.
    raising: Lists<u32>,
    lowering: Lists<u32>,
}

impl Uses {
    fn new(model: &CpnModel, instance: Instance<'_>, surely: &[usize]) -> Self {
        let sources = model.net.environment.sources();
        // A token that is removed and put back: both arcs have the same inscription.
        let texts = |arcs: &mut dyn Iterator<Item = (usize, &Inscription)>, place: usize| {
            let here = arcs.filter(|(at, _)| *at == place);
            let mut texts: Vec<String> =
                here.map(|(_, arc)| sources.text(arc.expr.span).trim().to_owned()).collect();
            texts.sort_unstable();
            texts
        };
        let returned = |place: usize| {
            texts(&mut instance.inputs(), place) == texts(&mut instance.outputs(), place)
        };
        let looks: BTreeSet<usize> = instance.inputs().map(|(place, _)| place).collect();
        let puts = instance.outputs().map(|(place, _)| place);
        let places = |slots| instance.places(slots).into_iter().collect();
        Uses {
            takes: looks.iter().copied().filter(|&place| !returned(place)).collect(),
            puts: puts.filter(|&place| !returned(place)).collect(),
            inhibits: places(&instance.behaviour.inhibitors),
            resets: places(&instance.behaviour.resets),
            surely: surely.to_vec(),
            looks,
        }
    }

    /// All places connected to it.
    fn places(&self) -> BTreeSet<usize> {
        let sets = [&self.looks, &self.takes, &self.puts, &self.inhibits, &self.resets];
        sets.into_iter().flatten().copied().collect()
    }

    /// Whether it may change the marking of the place.
    fn changes(&self, place: usize) -> bool {
        [&self.takes, &self.puts, &self.resets].iter().any(|places| places.contains(&place))
    }

    /// Whether its enabling or effect depends on the place.
    fn sees(&self, place: usize) -> bool {
        [&self.looks, &self.inhibits, &self.resets].iter().any(|places| places.contains(&place))
    }

    /// Whether it changes a place that the other one depends on.
    fn disturbs(&self, other: &Uses) -> bool {
        let changed = self.takes.iter().chain(&self.puts).chain(&self.resets);
        changed.into_iter().any(|&place| other.sees(place))
            // Tokens added before a reset are lost.
            || self.resets.iter().any(|&place| other.changes(place))
    }

    /// Whether the other one may be disabled or have another effect after it.
    fn hinders(&self, other: &Uses) -> bool {
        self.takes.iter().any(|&place| other.sees(place))
            || self
                .puts
                .iter()
                .any(|place| other.inhibits.contains(place) || other.resets.contains(place))
            || self.resets.iter().any(|&place| other.sees(place) || other.changes(place))
    }
}

impl Dependence {
    fn new(model: &CpnModel) -> Result<Self, NoDependence> {
        if model.timed {
            return Err(NoDependence::Timed);
        }
        if model.transitions.windows(2).any(|pair| pair[0].priority != pair[1].priority) {
            return Err(NoDependence::Priorities);
        }
        let environment = &model.net.environment;
        let effects = Effects::new(environment);
        for behaviour in &model.net.behaviours {
            if !behaviour.terms().all(|term| effects.is_pure(environment, term)) {
                return Err(NoDependence::Effects(behaviour.title.clone()));
            }
        }
        // With a single priority, the transitions are in the order of the net.
        let each = Instance::all(&model.net).zip(&model.transitions);
        let uses: Vec<Uses> =
            each.map(|(instance, compiled)| Uses::new(model, instance, &compiled.needs)).collect();
        let n_places = model.net.places.len();
        let neighbours = neighbours(&uses, n_places).ok_or(NoDependence::Pairs)?;
        let among = |own: usize, test: &dyn Fn(&Uses) -> bool| -> Vec<u32> {
            let others = neighbours.get(own).iter().copied();
            others.filter(|&other| test(&uses[other as usize])).collect()
        };
        let with = uses
            .iter()
            .enumerate()
            .map(|(number, own)| among(number, &|other| other.disturbs(own) || own.hinders(other)));
        let against = uses.iter().enumerate().map(|(number, own)| {
            among(number, &|other| other.disturbs(own) || own.disturbs(other)).into_iter().collect()
        });
        Ok(Dependence {
            with: with.collect(),
            against: against.collect(),
            raising: by_place(n_places, &uses, |uses| uses.puts.iter()),
            lowering: by_place(n_places, &uses, |uses| uses.takes.union(&uses.resets)),
            uses,
        })
    }

    /// For a disabled transition, some transitions without which it stays disabled.
    fn waits_for(&self, marking: &Marking, number: u32, push: &mut dyn FnMut(u32)) {
        let uses = &self.uses[number as usize];
        let is_empty = |place: usize| marking.segment(place).is_empty();
        // An input place that every binding needs is empty, or the place of an inhibitor arc is not.
        let lacking = uses.surely.iter().filter(|&&place| is_empty(place));
        let lacking = lacking.map(|&place| self.raising.get(place));
        let full = uses.inhibits.iter().filter(|&&place| !is_empty(place));
        let full = full.map(|&place| self.lowering.get(place));
        if let Some(fewest) = lacking.chain(full).min_by_key(|list| list.len()) {
            return fewest.iter().copied().for_each(push);
        }
        let looked = uses.looks.iter().map(|&place| self.raising.get(place));
        looked.flatten().copied().for_each(push);
    }
}

/// For each place, the transitions that use it in some way, in order.
fn by_place<'u, I>(n_places: usize, uses: &'u [Uses], places: impl Fn(&'u Uses) -> I) -> Lists<u32>
where
    I: Iterator<Item = &'u usize>,
{
    let mut pairs = Vec::new();
    for (number, uses) in (0..).zip(uses) {
        pairs.extend(places(uses).map(|&place| (place, number)));
    }
    Lists::grouped(n_places, pairs.iter().copied())
}

/// For each transition, those that share a place with it, in order, including itself. Others cannot depend on
/// it. `None` if there are too many.
fn neighbours(uses: &[Uses], n_places: usize) -> Option<Lists<u32>> {
    let all: Vec<BTreeSet<usize>> = uses.iter().map(Uses::places).collect();
    let mut users = vec![Vec::new(); n_places];
    for (number, places) in (0_u32..).zip(&all) {
        places.iter().for_each(|&place| users[place].push(number));
    }
    let n_pairs = users.iter().map(|users| users.len().saturating_mul(users.len()));
    if n_pairs.fold(0, usize::saturating_add) > MOST_PAIRS {
        return None;
    }
    let lists = all.iter().map(|places| {
        let mut others: Vec<u32> =
            places.iter().flat_map(|&place| &users[place]).copied().collect();
        others.sort_unstable();
        others.dedup();
        others
    });
    Some(lists.collect())
}

impl CpnModel {
    /// Checks that the dependence relation is known, so that stubborn and sleep sets can be used.
    ///
    /// # Errors
    ///
    /// Why it is not known.
    pub fn check_dependence(&self) -> Result<(), NoDependence> {
        self.dependence().as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn dependence(&self) -> &Result<Dependence, NoDependence> {
        self.dependence.get_or_init(|| Dependence::new(self))
    }
}

/// Transitions by their number. If the dependence relation is not known, all transitions are dependent.
impl Actions for CpnModel {
    fn actions(&self) -> u32 {
        self.transitions.len() as u32
    }

    fn action_number(&self, occurrence: &Occurrence) -> u32 {
        occurrence.transition
    }

    fn independent(&self, a: u32, b: u32) -> bool {
        let known = self.dependence().as_ref();
        known.is_ok_and(|known| !known.against[a as usize].contains(&b))
    }

    fn companions(&self, marking: &Marking, action: u32, enabled: bool, into: &mut Vec<u32>) {
        match self.dependence() {
            Err(_) => into.extend(0..self.actions()),
            Ok(known) if enabled => into.extend(known.with[action as usize].iter().copied()),
            Ok(known) => known.waits_for(marking, action, &mut |other| into.push(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sweepline::observe::{Flow, Visit};
    use sweepline::select::Sleep;
    use sweepline::{Check, Observer};

    use crate::explore::{CpnModel, Worker};
    use crate::symmetry::tests::random::{explore, load, random_net};

    #[derive(Default)]
    struct Seen {
        states: BTreeSet<Vec<u8>>,
        dead: BTreeSet<Vec<u8>>,
    }

    impl Observer<CpnModel> for Seen {
        fn node(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
            self.states.insert(visit.bytes.to_vec());
            Ok(())
        }

        fn dead(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
            self.dead.insert(visit.bytes.to_vec());
            Ok(())
        }
    }

    #[test]
    fn random_nets_keep_their_dead_markings() {
        let (mut checked, mut states_saved, mut edges_saved) = (0, 0, 0);
        for seed in 0..160 {
            let text = random_net(seed, 4 + seed as usize % 4);
            let Some(model) = load(&text) else { continue };
            let Some((states, dead)) = explore(&model, 400) else { continue };
            model.check_dependence().unwrap();
            let run = |stubborn: bool, sleep: bool| {
                let mut check = Check::new(&model);
                if stubborn {
                    check = check.stubborn();
                }
                if sleep {
                    check = check.sleep(Sleep::of(&model));
                }
                let mut seen = Seen::default();
                let report = check.run_watched(&mut seen);
                assert_eq!(report.stop, None);
                (seen, report.statistics)
            };
            let (full, whole) = run(false, false);
            assert_eq!((&full.states, full.dead.len()), (&states, dead));
            let (stubborn, _) = run(true, false);
            assert_eq!(stubborn.dead, full.dead, "stubborn, seed {seed}\n{text}");
            let (sleep, some) = run(false, true);
            assert_eq!(sleep.states, full.states, "sleep, seed {seed}\n{text}");
            let (both, _) = run(true, true);
            assert_eq!(both.dead, full.dead, "both, seed {seed}\n{text}");
            checked += 1;
            states_saved += usize::from(stubborn.states.len() < full.states.len());
            edges_saved += usize::from(some.edges < whole.edges);
        }
        assert!(
            checked > 50 && states_saved > 10 && edges_saved > 10,
            "{checked} {states_saved} {edges_saved}"
        );
    }
}
