//! Strong bisimulation by partition refinement.
//!
//! The signature of a state is the set of its labels with the classes that they lead to. A class is split by the
//! signatures of its members. The largest part keeps its number, so a state changes its class at most as often as the
//! logarithm of the number of states, and only predecessors of states that changed are looked at again (Jacobs and
//! Wißmann, *Fast coalgebraic bisimilarity minimization*, 2023).

use sweepline::lists::Lists;

use crate::lts::{LabelId, Lts, StateNo};

/// Classes between two looks at the limits of the run.
const STEPS: usize = 1 << 10;

type Signature = Vec<(LabelId, u32)>;

/// The class of each state under strong bisimulation; `None` if the run must end. States after `✓` are in classes of
/// their own.
pub(super) fn classes(lts: &Lts, stop: &dyn Fn() -> bool) -> Option<Vec<u32>> {
    let mut partition = Partition::new(lts);
    let mut n_steps = 0;
    while let Some(class) = partition.waiting.pop() {
        n_steps += 1;
        if usize::is_multiple_of(n_steps, STEPS) && stop() {
            return None;
        }
        partition.split(class);
    }
    Some(partition.class_of)
}

struct Partition<'a> {
    lts: &'a Lts,
    predecessors: Lists<u32>,
    class_of: Vec<u32>,
    /// The members of each class, and the place of each state among them.
    members: Vec<Vec<u32>>,
    place: Vec<u32>,
    /// For each class, the members whose signatures may have changed.
    dirty: Vec<Vec<u32>>,
    is_dirty: Vec<bool>,
    /// Classes with such members.
    waiting: Vec<u32>,
}

impl<'a> Partition<'a> {
    fn new(lts: &'a Lts) -> Self {
        let n = lts.n_states();
        let sources = (0..n as u32).flat_map(|state| {
            lts.edges(StateNo(state)).iter().map(move |edge| (edge.target.index(), state))
        });
        let predecessors = Lists::grouped(n, sources);
        let mut class_of = vec![0; n];
        let ticks = lts.states().flat_map(|state| lts.edges_with(state, LabelId::TICK));
        ticks.for_each(|edge| class_of[edge.target.index()] = 1);
        let (mut members, mut place) = (vec![Vec::new(), Vec::new()], vec![0; n]);
        for (state, &class) in class_of.iter().enumerate() {
            let own: &mut Vec<u32> = &mut members[class as usize];
            place[state] = own.len() as u32;
            own.push(state as u32);
        }
        let (dirty, is_dirty, waiting) = (members.clone(), vec![true; n], vec![0, 1]);
        Partition { lts, predecessors, class_of, members, place, dirty, is_dirty, waiting }
    }

    fn signature(&self, state: u32) -> Signature {
        let edges = self.lts.edges(StateNo(state)).iter();
        let mut own: Signature =
            edges.map(|edge| (edge.label, self.class_of[edge.target.index()])).collect();
        own.sort_unstable();
        own.dedup();
        own
    }

    /// Splits a class by the signatures of its members.
    fn split(&mut self, class: u32) {
        let dirty = std::mem::take(&mut self.dirty[class as usize]);
        dirty.iter().for_each(|&state| self.is_dirty[state as usize] = false);
        let mut signed: Vec<(Signature, u32)> =
            dirty.iter().map(|&state| (self.signature(state), state)).collect();
        signed.sort_unstable();
        let mut parts: Vec<(Signature, Vec<u32>)> = Vec::new();
        for (signature, state) in signed {
            match parts.last_mut() {
                Some((last, states)) if *last == signature => states.push(state),
                _ => parts.push((signature, vec![state])),
            }
        }
        // The other members have all kept one signature.
        let n_clean = self.members[class as usize].len() - dirty.len();
        let clean = (n_clean > 0).then(|| self.clean_signature(class, &dirty));
        let with_clean = clean.and_then(|clean| parts.iter().position(|(own, _)| *own == clean));
        let size = |part: usize| {
            let others = if with_clean == Some(part) { n_clean } else { 0 };
            parts[part].1.len() + others
        };
        let largest = (0..parts.len()).max_by_key(|&part| (size(part), std::cmp::Reverse(part)));
        let Some(largest) = largest else { return };
        let is_clean_alone = n_clean > 0 && with_clean.is_none();
        // Clean members stay if they are the largest part, or belong to it.
        let clean_stays = is_clean_alone && n_clean >= size(largest);
        let stays = |part: usize| part == largest && !clean_stays;
        let mut moved: Vec<Vec<u32>> = Vec::new();
        let clean_moves = n_clean > 0 && !clean_stays && with_clean != Some(largest);
        let clean = if clean_moves { self.clean_members(class, &dirty) } else { Vec::new() };
        for (part, (_, mut states)) in parts.into_iter().enumerate() {
            if stays(part) {
                continue;
            }
            if with_clean == Some(part) {
                states.extend_from_slice(&clean);
            }
            moved.push(states);
        }
        if clean_moves && is_clean_alone {
            moved.push(clean);
        }
        moved.iter().for_each(|states| self.found(class, states));
        moved.iter().flatten().for_each(|&state| self.touch_predecessors(state));
    }

    /// The members of a class that are not `dirty`.
    fn clean_members(&self, class: u32, dirty: &[u32]) -> Vec<u32> {
        let mut dirty = dirty.to_vec();
        dirty.sort_unstable();
        let members = self.members[class as usize].iter().copied();
        members.filter(|state| dirty.binary_search(state).is_err()).collect()
    }

    /// The signature of a member that is not `dirty`.
    fn clean_signature(&self, class: u32, dirty: &[u32]) -> Signature {
        // Among one more member than there are dirty ones, one is clean.
        let mut sorted = dirty.to_vec();
        sorted.sort_unstable();
        let some = self.members[class as usize].iter().take(dirty.len() + 1);
        let mut clean = some.filter(|state| sorted.binary_search(state).is_err());
        clean.next().map(|&state| self.signature(state)).unwrap_or_default()
    }

    /// Moves `states` from `class` to a new class.
    fn found(&mut self, class: u32, states: &[u32]) {
        let new = self.members.len() as u32;
        for (at, &state) in states.iter().enumerate() {
            let old = &mut self.members[class as usize];
            let place = self.place[state as usize] as usize;
            old.swap_remove(place);
            if let Some(&other) = old.get(place) {
                self.place[other as usize] = place as u32;
            }
            self.place[state as usize] = at as u32;
            self.class_of[state as usize] = new;
        }
        self.members.push(states.to_vec());
        self.dirty.push(Vec::new());
    }

    fn touch_predecessors(&mut self, state: u32) {
        for &source in self.predecessors.get(state as usize) {
            if !std::mem::replace(&mut self.is_dirty[source as usize], true) {
                let class = self.class_of[source as usize];
                let dirty = &mut self.dirty[class as usize];
                if dirty.is_empty() {
                    self.waiting.push(class);
                }
                dirty.push(source);
            }
        }
    }
}
