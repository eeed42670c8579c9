//! Replacement policies: which state of a cache is replaced first.

use super::Budget;
use super::cache::{Entry, Handle};

/// Which state of a [cache](crate::Cache) is replaced. States on the stack are never replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replacement {
    /// A random one; the same in every run.
    #[default]
    Random,
    /// The one that left the stack first.
    Oldest,
    /// The one to which the fewest edges have led.
    Seldom,
    /// Those found at an odd depth first, then those at an odd multiple of two, of four, and so on. The
    /// remaining states lie in strata that new paths soon reach (after Geldenhuys 2004).
    Strata,
}

/// Marks entries that are on the stack, and the ends of lists.
pub(super) const NONE: Handle = Handle::MAX;
/// Number of levels; states of the first level are replaced first.
const LEVELS: usize = 32;

/// The replaceable states. Their data is in their entries: `link` and `level`.
pub(super) enum Replaceable {
    /// In order of arrival; `link` is the next one.
    Queue { first: Handle, last: Handle },
    /// By level, in no order; `link` is the position in the list of the level.
    Levels { lists: Vec<Vec<Handle>>, dice: fastrand::Rng },
}

impl Replaceable {
    pub(super) fn new(replacement: Replacement) -> Self {
        match replacement {
            Replacement::Oldest => Replaceable::Queue { first: NONE, last: NONE },
            Replacement::Random | Replacement::Seldom | Replacement::Strata => {
                Replaceable::Levels {
                    lists: vec![Vec::new(); LEVELS],
                    dice: fastrand::Rng::with_seed(0x5EED),
                }
            }
        }
    }

    /// The level of a state found at `depth`.
    pub(super) fn level(replacement: Replacement, depth: usize) -> u8 {
        match replacement {
            Replacement::Strata => depth.trailing_zeros().min(LEVELS as u32 - 1) as u8,
            _ => 0,
        }
    }

    /// Makes a state replaceable. `false` if there is no memory for that.
    #[must_use]
    pub(super) fn add(
        &mut self,
        entries: &mut [Entry],
        handle: Handle,
        budget: &mut Budget,
    ) -> bool {
        match self {
            Replaceable::Queue { first, last } => {
                entries[handle as usize].link = NONE;
                match *last {
                    NONE => *first = handle,
                    last => entries[last as usize].link = handle,
                }
                *last = handle;
                true
            }
            Replaceable::Levels { lists, .. } => {
                let entry = &mut entries[handle as usize];
                let list = &mut lists[usize::from(entry.level)];
                let fits = budget.reserve(list, 1);
                if fits {
                    entry.link = list.len() as Handle;
                    list.push(handle);
                }
                fits
            }
        }
    }

    /// Removes and returns the state to replace next.
    pub(super) fn take(&mut self, entries: &mut [Entry]) -> Option<Handle> {
        match self {
            Replaceable::Queue { first, last } => {
                let handle = Some(*first).filter(|&first| first != NONE)?;
                *first = entries[handle as usize].link;
                if *first == NONE {
                    *last = NONE;
                }
                Some(handle)
            }
            Replaceable::Levels { lists, dice } => {
                let list = lists.iter_mut().find(|list| !list.is_empty())?;
                let at = dice.usize(..list.len());
                Some(unlist(list, entries, at))
            }
        }
    }

    /// An edge led to the state: moves it one level up, so that it is replaced later.
    pub(super) fn raise(&mut self, entries: &mut [Entry], handle: Handle, budget: &mut Budget) {
        let Replaceable::Levels { lists, .. } = self else { return };
        let Entry { level, link, .. } = entries[handle as usize];
        let next = usize::from(level) + 1;
        if next == LEVELS {
            return;
        }
        if link == NONE {
            entries[handle as usize].level = next as u8;
        } else if budget.reserve(&mut lists[next], 1) {
            unlist(&mut lists[usize::from(level)], entries, link as usize);
            let entry = &mut entries[handle as usize];
            (entry.level, entry.link) = (next as u8, lists[next].len() as Handle);
            lists[next].push(handle);
        }
    }
}

/// Removes the item at `at` from a list.
fn unlist(list: &mut Vec<Handle>, entries: &mut [Entry], at: usize) -> Handle {
    let handle = list.swap_remove(at);
    if let Some(&moved) = list.get(at) {
        entries[moved as usize].link = at as Handle;
    }
    handle
}
