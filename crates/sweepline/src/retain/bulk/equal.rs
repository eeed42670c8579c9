//! Finds equal candidates.

use std::sync::atomic::Ordering;

use super::Candidates;

/// The memory of a thread that looks for equal candidates.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct EqualSearch {
    /// Numbers of `firsts`, from one.
    slots: Vec<u32>,
    /// The first of equal candidates: hash, list, index.
    firsts: Vec<(u64, u32, u32)>,
}

/// Marks candidates that equal an earlier one.
pub(super) fn find_equal(lists: &[Candidates], part: usize, search: &mut EqualSearch) {
    let total: usize = lists.iter().map(|list| list.part(part).len()).sum();
    if total == 0 {
        return;
    }
    let mask = (2 * total).next_power_of_two() - 1;
    let EqualSearch { slots, firsts } = search;
    slots.clear();
    slots.resize(mask + 1, 0);
    firsts.clear();
    for (number, list) in lists.iter().enumerate() {
        for &index in list.part(part) {
            let item = &list.items[index as usize];
            // The highest bits are those of the part.
            let mut slot = (item.hash >> 16) as usize & mask;
            loop {
                let Some(first) = slots[slot].checked_sub(1) else {
                    firsts.push((item.hash, number as u32, index));
                    slots[slot] = firsts.len() as u32;
                    break;
                };
                let (hash, other, at) = firsts[first as usize];
                if hash == item.hash {
                    let other = &lists[other as usize];
                    if list.same(item, other, &other.items[at as usize]) {
                        let (_, list, index) = firsts[first as usize];
                        let fate = u64::from(list) << 32 | u64::from(index);
                        item.fate.store(fate, Ordering::Relaxed);
                        break;
                    }
                }
                slot = (slot + 1) & mask;
            }
        }
    }
}
