//! Canonical representatives under permutations of atoms.
//!
//! Atoms are distinguished by their occurrences: partition refinement splits cells of atoms with the same
//! number until nothing changes. If a cell has several atoms left, each is tried as the first, and the least
//! result is the representative. Atoms whose transposition changes nothing need only one try.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use foldhash::fast::FixedState;

/// The most results to compare. Beyond this, some classes have several representatives.
const MOST_LEAVES: usize = 4096;

/// An item that contains atoms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item<K> {
    /// The item without its atoms.
    pub(super) kind: K,
    /// Its atoms, in order.
    pub(super) atoms: Vec<u32>,
}

/// Searches for the least result.
pub(super) struct Canon<'i, K> {
    items: &'i [Item<K>],
    hashes: Vec<u64>,
    /// For each atom, the items that contain it.
    mentions: Vec<Vec<u32>>,
    leaves: usize,
    best: Option<(Vec<u8>, Vec<u32>)>,
}

impl<'i, K: Hash + Ord> Canon<'i, K> {
    pub(super) fn new(items: &'i [Item<K>], atoms: usize) -> Self {
        let hasher = FixedState::with_seed(1);
        let mut mentions = vec![Vec::new(); atoms];
        for (number, item) in items.iter().enumerate() {
            item.atoms.iter().for_each(|&atom| mentions[atom as usize].push(number as u32));
        }
        let hashes = items.iter().map(|item| hasher.hash_one(&item.kind)).collect();
        Canon { items, hashes, mentions, leaves: 0, best: None }
    }

    /// The new number of each atom for which `write` produces the least bytes, and whether all candidates were
    /// compared. Atoms are permuted within `sets`, which are adjacent ranges.
    pub(super) fn find(
        mut self,
        sets: &[Range<u32>],
        write: &mut dyn FnMut(&[u32]) -> Vec<u8>,
    ) -> (Vec<u32>, bool) {
        let numbers = sets.iter().flat_map(|set| set.clone().map(|_| set.start)).collect();
        self.search(numbers, write);
        let exact = self.leaves < MOST_LEAVES;
        let (_, numbers) = self.best.expect("the first way is always gone to its end");
        (numbers, exact)
    }

    fn search(&mut self, mut numbers: Vec<u32>, write: &mut dyn FnMut(&[u32]) -> Vec<u8>) {
        self.refine(&mut numbers);
        let Some(cell) = first_cell(&numbers) else {
            self.leaves += 1;
            let bytes = write(&numbers);
            if self.best.as_ref().is_none_or(|(least, _)| bytes < *least) {
                self.best = Some((bytes, numbers));
            }
            return;
        };
        let start = numbers[cell[0] as usize];
        let firsts = self.different(&cell);
        if let [_] = firsts[..] {
            for (number, &atom) in (start..).zip(&cell) {
                numbers[atom as usize] = number;
            }
            return self.search(numbers, write);
        }
        for first in firsts {
            if self.leaves >= MOST_LEAVES {
                return;
            }
            let mut next = numbers.clone();
            for &atom in &cell {
                next[atom as usize] = start + u32::from(atom != first);
            }
            self.search(next, write);
        }
    }

    /// Distinguishes atoms with the same number by their occurrences. The number of an atom is the number of
    /// atoms known to come before it.
    fn refine(&self, numbers: &mut [u32]) {
        let hasher = FixedState::with_seed(2);
        let mut order: Vec<u32> = (0..numbers.len() as u32).collect();
        let mut cells = count(numbers);
        while cells < numbers.len() {
            let mut seen = vec![0u64; numbers.len()];
            for (item, &kind) in self.items.iter().zip(&self.hashes) {
                let mut whole = kind;
                for &atom in &item.atoms {
                    whole = hasher.hash_one((whole, numbers[atom as usize]));
                }
                for (position, &atom) in item.atoms.iter().enumerate() {
                    let here = &mut seen[atom as usize];
                    *here = here.wrapping_add(hasher.hash_one((whole, position)));
                }
            }
            let key = |&atom: &u32| (numbers[atom as usize], seen[atom as usize]);
            order.sort_by_key(key);
            let mut next = numbers.to_vec();
            let mut first = 0;
            for at in 0..order.len() {
                if key(&order[at]) != key(&order[first]) {
                    first = at;
                }
                next[order[at] as usize] = first as u32;
            }
            numbers.copy_from_slice(&next);
            let now = count(numbers);
            if now == cells {
                return;
            }
            cells = now;
        }
    }

    /// The atoms of a cell without those that can be transposed with an earlier one without a change.
    fn different(&self, cell: &[u32]) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for &atom in cell {
            if !found.iter().any(|&other| self.are_alike(atom, other)) {
                found.push(atom);
            }
        }
        found
    }

    /// Whether transposing `a` and `b` changes nothing.
    fn are_alike(&self, a: u32, b: u32) -> bool {
        let mut numbers: Vec<u32> =
            [a, b].iter().flat_map(|&atom| self.mentions[atom as usize].clone()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let swapped = |atom: u32| match atom {
            _ if atom == a => b,
            _ if atom == b => a,
            other => other,
        };
        let items = || numbers.iter().map(|&number| &self.items[number as usize]);
        let mut before: Vec<(&K, Vec<u32>)> =
            items().map(|item| (&item.kind, item.atoms.clone())).collect();
        let mut after: Vec<(&K, Vec<u32>)> = items()
            .map(|item| (&item.kind, item.atoms.iter().map(|&atom| swapped(atom)).collect()))
            .collect();
        before.sort_unstable();
        after.sort_unstable();
        before.cmp(&after) == Ordering::Equal
    }
}

/// The number of distinct numbers.
fn count(numbers: &[u32]) -> usize {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// The atoms with the least number that several atoms have.
fn first_cell(numbers: &[u32]) -> Option<Vec<u32>> {
    let mut order: Vec<u32> = (0..numbers.len() as u32).collect();
    order.sort_by_key(|&atom| numbers[atom as usize]);
    let mut cells = order.chunk_by(|&a, &b| numbers[a as usize] == numbers[b as usize]);
    cells.find(|cell| cell.len() > 1).map(<[u32]>::to_vec)
}
