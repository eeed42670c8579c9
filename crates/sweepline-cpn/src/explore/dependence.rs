//! The dependence relation between actions, for stubborn and sleep sets.
//!
//! An action is a transition with all its bindings, or one binding. A transition depends not only on those that remove
//! tokens it needs, but also on those that add tokens to its input places, because they may enable further bindings. A
//! binding depends on tokens of particular colours only, and further tokens never change what it does: it is a transition
//! of the P/T net that the coloured one stands for.

mod uses;

use std::collections::BTreeSet;

use sweepline::lists::Lists;
use sweepline::select::Actions;

use crate::explore::bindings::{Binding, Numbers, Tokens};
use crate::explore::error::SuccessorError;
use crate::explore::instance::Instance;
use crate::explore::marking::Marking;
use crate::explore::model::{CpnModel, Occurrence};
use crate::explore::search::BindingSearch;
use crate::net::Effects;
use uses::{Cells, Uses, count};

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

/// The actions and their dependence relation.
#[derive(Clone, Debug)]
pub(crate) struct Dependence {
    uses: Vec<Uses>,
    cells: Cells,
    /// The first action of each transition, and the numbers of its bindings, if it has an action for each.
    numbers: Vec<(u32, Option<Numbers>)>,
    /// For an enabled action, those that must be in the same stubborn set.
    with: Vec<Vec<u32>>,
    /// For each action, those that it does not commute with.
    against: Vec<BTreeSet<u32>>,
    /// For each cell, the actions that may add tokens, and those that may remove some.
    raising: Lists<u32>,
    lowering: Lists<u32>,
}

impl Dependence {
    /// The relation between transitions or, with their `bindings`, between these.
    fn new(
        model: &CpnModel,
        bindings: Option<&[Option<Vec<Binding>>]>,
    ) -> Result<Self, NoDependence> {
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
        let each = Instance::all(&model.net).zip(&model.transitions).enumerate();
        let cells = Cells::new(model, bindings.is_some());
        let (mut uses, mut numbers) = (Vec::new(), Vec::new());
        for (number, (instance, compiled)) in each {
            let whole = Uses::of_transition(model, &cells, instance, &compiled.needs);
            let first = uses.len() as u32;
            match bindings.and_then(|bindings| bindings[number].as_ref()) {
                None => {
                    uses.push(whole);
                    numbers.push((first, None));
                }
                Some(all) => {
                    let keys = all.iter().map(|binding| binding.key.clone());
                    numbers.push((first, Some(keys.zip(first..).collect())));
                    uses.extend(all.iter().map(|own| Uses::of_binding(&cells, &whole, own)));
                }
            }
        }
        Self::between(uses, cells, numbers)
    }

    fn between(
        uses: Vec<Uses>,
        cells: Cells,
        numbers: Vec<(u32, Option<Numbers>)>,
    ) -> Result<Self, NoDependence> {
        let neighbours = neighbours(&uses, cells.len()).ok_or(NoDependence::Pairs)?;
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
            raising: by_cell(cells.len(), &uses, |uses| uses.puts.iter()),
            lowering: by_cell(cells.len(), &uses, |uses| uses.takes.union(&uses.resets)),
            uses,
            cells,
            numbers,
        })
    }

    /// The action of the binding in `search`, of a transition.
    pub(crate) fn number(
        &self,
        transition: usize,
        search: &mut BindingSearch<'_>,
    ) -> Result<u32, SuccessorError> {
        let (first, numbers) = &self.numbers[transition];
        let Some(numbers) = numbers else { return Ok(*first) };
        let mut key = std::mem::take(&mut search.scratch.bytes);
        key.clear();
        search.encode_binding(&mut key)?;
        let number = numbers.get(&key[..]).copied();
        search.scratch.bytes = key;
        number.ok_or(SuccessorError::Unlisted)
    }

    /// For a disabled action, some actions without which it stays disabled.
    fn waits_for(
        &self,
        model: &CpnModel,
        marking: &Marking,
        number: u32,
        push: &mut dyn FnMut(u32),
    ) {
        let Dependence { cells, raising, lowering, .. } = self;
        let uses = &self.uses[number as usize];
        // The place of an inhibitor arc has tokens, or there are too few tokens to remove.
        let full = uses.inhibits.iter().filter(|&&cell| !cells.is_empty(model, marking, cell));
        let full = full.map(|&cell| cell..cell + 1).map(|cells| (cells, lowering));
        let lacks =
            |(_, (place, colour, n)): &&(usize, Tokens)| count(model, marking, *place, colour) < *n;
        let exactly = uses.exactly.iter().flatten().filter(lacks);
        let exactly = exactly.map(|(cell, _)| (*cell..cell + 1, raising));
        let empty = uses.surely.iter().filter(|&&place| marking.segment(place).is_empty());
        let empty = empty.map(|&place| (cells.of_place(place), raising));
        let ways = full.chain(exactly).chain(empty);
        let length = |(cells, lists): &(std::ops::Range<usize>, &Lists<u32>)| {
            cells.clone().map(|cell| lists.get(cell).len()).sum::<usize>()
        };
        if let Some((cells, lists)) = ways.min_by_key(length) {
            return cells.flat_map(|cell| lists.get(cell)).copied().for_each(push);
        }
        let looked = uses.looks.iter().map(|&cell| raising.get(cell));
        looked.flatten().copied().for_each(push);
    }
}

/// For each cell, the actions that use it in some way, in order.
fn by_cell<'u, I>(n_cells: usize, uses: &'u [Uses], cells: impl Fn(&'u Uses) -> I) -> Lists<u32>
where
    I: Iterator<Item = &'u usize>,
{
    let mut pairs = Vec::new();
    for (number, uses) in (0..).zip(uses) {
        pairs.extend(cells(uses).map(|&cell| (cell, number)));
    }
    Lists::grouped(n_cells, pairs.iter().copied())
}

/// For each action, those that share a cell with it, in order, including itself. Others cannot depend on it. `None` if
/// there are too many.
fn neighbours(uses: &[Uses], n_cells: usize) -> Option<Lists<u32>> {
    let all: Vec<BTreeSet<usize>> = uses.iter().map(Uses::cells).collect();
    let mut users = vec![Vec::new(); n_cells];
    for (number, cells) in (0_u32..).zip(&all) {
        cells.iter().for_each(|&cell| users[cell].push(number));
    }
    let n_pairs = users.iter().map(|users| users.len().saturating_mul(users.len()));
    if n_pairs.fold(0, usize::saturating_add) > MOST_PAIRS {
        return None;
    }
    let lists = all.iter().map(|cells| {
        let mut others: Vec<u32> = cells.iter().flat_map(|&cell| &users[cell]).copied().collect();
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
        self.between_transitions().as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// Checks that the dependence relation is known, and distinguishes bindings if reductions are wanted.
    ///
    /// # Errors
    ///
    /// Why it is not known.
    pub fn prepare_reductions(&self, are_wanted: bool) -> Result<(), NoDependence> {
        self.check_dependence()?;
        if are_wanted {
            self.distinguish_bindings();
        }
        Ok(())
    }

    /// From now on, the dependence relation is between bindings, where a transition has only finitely many, and not
    /// between transitions. Actions get other numbers, so this must be called before an exploration, not during one. The
    /// result says how many actions there are; `None` if no bindings are distinguished.
    pub fn distinguish_bindings(&self) -> Option<u32> {
        let by_binding = self.by_binding.get_or_init(|| {
            self.check_dependence().ok()?;
            let bindings = self.possible_bindings();
            bindings.iter().any(Option::is_some).then_some(())?;
            Dependence::new(self, Some(&bindings)).ok()
        });
        by_binding.as_ref().map(|known| known.uses.len() as u32)
    }

    /// The actions that may change the tokens of one of these places; all if the dependence relation is not known.
    pub(super) fn actions_changing(&self, places: &[usize]) -> Vec<u32> {
        let Some(known) = self.dependence() else { return (0..self.actions()).collect() };
        let cells = places.iter().flat_map(|&place| known.cells.of_place(place));
        let cells: Vec<usize> = cells.collect();
        let changes = |uses: &Uses| cells.iter().any(|&cell| uses.changes(cell));
        let changing = (0..).zip(&known.uses).filter(|(_, uses)| changes(uses));
        changing.map(|(action, _)| action).collect()
    }

    fn between_transitions(&self) -> &Result<Dependence, NoDependence> {
        self.dependence.get_or_init(|| Dependence::new(self, None))
    }

    fn dependence(&self) -> Option<&Dependence> {
        let by_binding = self.by_binding.get().and_then(Option::as_ref);
        by_binding.or_else(|| self.between_transitions().as_ref().ok())
    }
}

/// Transitions by their number, or bindings if they are distinguished. If the dependence relation is not known, all
/// transitions are dependent.
impl Actions for CpnModel {
    fn actions(&self) -> u32 {
        self.dependence().map_or(self.transitions.len(), |known| known.uses.len()) as u32
    }

    fn action_number(&self, occurrence: &Occurrence) -> u32 {
        occurrence.action
    }

    fn independent(&self, a: u32, b: u32) -> bool {
        self.dependence().is_some_and(|known| !known.against[a as usize].contains(&b))
    }

    fn companions(&self, marking: &Marking, action: u32, enabled: bool, into: &mut Vec<u32>) {
        match self.dependence() {
            None => into.extend(0..self.actions()),
            Some(known) if enabled => into.extend(known.with[action as usize].iter().copied()),
            Some(known) => {
                known.waits_for(self, marking, action, &mut |other| into.push(other));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use sweepline::observe::{Flow, Never, Visit};
    use sweepline::select::{Needs, Sleep};
    use sweepline::{Check, Observer};

    use crate::explore::{Changing, CpnModel, Marking, Worker};
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

    fn reduced(model: &CpnModel, stubborn: bool, sleep: bool) -> (Seen, u64) {
        let mut check = Check::new(model);
        if stubborn {
            check = check.stubborn();
        }
        if sleep {
            check = check.sleep(Sleep::of(model));
        }
        let mut seen = Seen::default();
        let report = check.run_watched(&mut seen);
        assert_eq!(report.stop, None);
        (seen, report.statistics.edges)
    }

    /// How many random nets are checked: `SWEEPLINE_CASES`, or some.
    fn cases() -> u64 {
        std::env::var("SWEEPLINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(160)
    }

    #[test]
    fn random_nets_keep_their_dead_markings() {
        let (mut checked, mut states_saved, mut edges_saved) = (0, 0, 0);
        let (mut by_binding, mut fewer) = (0, 0);
        for seed in 0..cases() {
            let text = random_net(seed, 4 + seed as usize % 4);
            let Some(model) = load(&text) else { continue };
            let Some((states, dead)) = explore(&model, 400) else { continue };
            model.check_dependence().unwrap();
            let (full, whole) = reduced(&model, false, false);
            assert_eq!((&full.states, full.dead.len()), (&states, dead));
            let (stubborn, _) = reduced(&model, true, false);
            let (sleep, some) = reduced(&model, false, true);
            let (both, _) = reduced(&model, true, true);
            for _ in 0..2 {
                let (stubborn, _) = reduced(&model, true, false);
                assert_eq!(stubborn.dead, full.dead, "stubborn, seed {seed}\n{text}");
                let (sleep, _) = reduced(&model, false, true);
                assert_eq!(sleep.states, full.states, "sleep, seed {seed}\n{text}");
                let (both, _) = reduced(&model, true, true);
                assert_eq!(both.dead, full.dead, "both, seed {seed}\n{text}");
                // The second time by bindings.
                by_binding += usize::from(model.distinguish_bindings().is_some());
            }
            let (bindings, _) = reduced(&model, true, false);
            fewer += usize::from(bindings.states.len() < stubborn.states.len());
            checked += 1;
            states_saved += usize::from(stubborn.states.len() < full.states.len());
            edges_saved += usize::from(some < whole);
            assert!(sleep.states.len() >= both.states.len());
        }
        let counts = [checked, states_saved, edges_saved, by_binding / 2, fewer];
        println!("nets, states saved, edges saved, by bindings, fewer states: {counts:?}");
        assert!(checked > 50 && states_saved > 10 && edges_saved > 10, "{counts:?}");
        assert!(by_binding / 2 > 50 && fewer > 10, "{counts:?}");
    }

    /// Whether some marking has more than `n` tokens on a place, and the number of states, with or without stubborn sets.
    fn exceeds(model: &CpnModel, place: usize, n: u64, is_reduced: bool) -> (bool, u64) {
        let more = move |model: &CpnModel, _: &mut Worker, marking: &Marking| {
            let mut sum = 0;
            marking.each_available(place, model.places[place].kind, 0, |_, n| sum += n);
            Ok(sum > n)
        };
        let goal = Needs::Goal(Arc::new(Changing::new(vec![place])));
        let mut check = Check::new(model).query("", "", Never::new(more)).needing(goal);
        if is_reduced {
            check = check.stubborn();
        }
        let report = check.run();
        assert_eq!(report.reductions.len(), usize::from(is_reduced));
        let word = report.properties[0].verdict.word();
        assert!(["holds", "violated"].contains(&word), "{word}");
        (word == "violated", report.statistics.states().unwrap())
    }

    #[test]
    fn stubborn_sets_find_what_conditions_ask_for() {
        let (mut checked, mut found, mut fewer, mut fewer_by_binding) = (0, 0, 0, 0);
        for seed in 0..cases() {
            let text = random_net(seed, 4 + seed as usize % 4);
            let Some(model) = load(&text) else { continue };
            if explore(&model, 400).is_none() {
                continue;
            }
            let asked = || (0..model.places.len()).flat_map(|place| [(place, 0), (place, 2)]);
            let full: Vec<_> = asked().map(|(p, n)| exceeds(&model, p, n, false)).collect();
            let transitions: Vec<_> = asked().map(|(p, n)| exceeds(&model, p, n, true)).collect();
            model.distinguish_bindings();
            let bindings: Vec<_> = asked().map(|(p, n)| exceeds(&model, p, n, true)).collect();
            for (((asked, full), by), own) in asked().zip(&full).zip(&transitions).zip(&bindings) {
                assert_eq!((by.0, own.0), (full.0, full.0), "{asked:?}, seed {seed}\n{text}");
                checked += 1;
                found += usize::from(full.0);
                fewer += usize::from(!full.0 && by.1 < full.1);
                fewer_by_binding += usize::from(!full.0 && own.1 < by.1);
            }
        }
        let counts = [checked, found, fewer, fewer_by_binding];
        println!("conditions, reached, fewer states, fewer by bindings: {counts:?}");
        assert!(checked > 400 && found > 100 && fewer > 20 && fewer_by_binding > 5, "{counts:?}");
    }

    /// One transition for each action of a philosopher, with the philosopher as its variable.
    fn philosophers(n: usize) -> String {
        format!(
            "colset PH = index ph with 1..{n};\nvar p : PH;\n\
             fun next (ph i) = ph (if i = {n} then 1 else i + 1);\n\npage Top\n  \
             place Thinks : PH = PH.all ()\n  place Forks : PH = PH.all ()\n  place Left : PH\n  \
             place Eats : PH\n\n  transition TakeLeft\n    in Thinks: p\n    in Forks: p\n    \
             out Left: p\n\n  transition TakeRight\n    in Left: p\n    in Forks: next p\n    \
             out Eats: p\n\n  transition Put\n    in Eats: p\n    out Thinks: p\n    \
             out Forks: 1`p ++ 1`(next p)\n"
        )
    }

    #[test]
    fn philosophers_of_one_transition_are_told_apart() {
        let model = load(&philosophers(8)).unwrap();
        let (full, _) = reduced(&model, false, false);
        let (transitions, _) = reduced(&model, true, false);
        // Every transition depends on every other one.
        assert_eq!(transitions.states.len(), full.states.len());
        assert_eq!(model.distinguish_bindings(), Some(24));
        let (bindings, _) = reduced(&model, true, true);
        assert_eq!((full.dead.len(), &bindings.dead), (1, &full.dead));
        assert!(bindings.states.len() * 10 < full.states.len(), "{}", bindings.states.len());
    }

    /// A colour set without an end, and guards, code and lists, next to bindings that can be told apart.
    #[test]
    fn some_transitions_have_bindings_and_others_do_not() {
        let text = "colset PH = index ph with 1..4;\ncolset N = int;\nvar p, q : PH;\nvar n : N;\n\n\
                    page Top\n  place A : PH = PH.all ()\n  place B : PH\n  place Log : N = 1`0\n\n  \
                    transition Go\n    guard p <> ph 2\n    in A: p\n    out B: p\n\n  \
                    transition Meet\n    guard p <> q\n    in B: 1`p ++ 1`q\n    out A: p\n\n  \
                    transition Count\n    guard n < 3\n    in Log: n\n    out Log: n + 1\n    both B: p\n";
        let model = load(text).unwrap();
        let (states, dead) = explore(&model, 10_000).unwrap();
        // Three philosophers go, twelve pairs meet, and counting is one action.
        assert_eq!(model.distinguish_bindings(), Some(3 + 12 + 1));
        let (sleep, _) = reduced(&model, false, true);
        assert_eq!(sleep.states, states);
        let (both, _) = reduced(&model, true, true);
        assert_eq!(both.dead.len(), dead);
    }
}
