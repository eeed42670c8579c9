//! How components are put together, before it is made flat.

use std::collections::BTreeSet;

use crate::lts::Lts;

/// A set of events, by name.
pub type EventSet = BTreeSet<String>;

/// LTSs under operators of CSP.
///
/// `τ` is never synchronised, hidden or renamed. A parallel composition terminates when all its
/// parts have: the `✓` of a part is an internal step of the whole.
#[derive(Clone, Debug)]
pub enum Tree {
    /// An LTS.
    Component(Lts),
    /// Side by side.
    Parallel(Vec<Tree>, Sync),
    /// `P \ A`: events of `A` become internal.
    Hide(Box<Tree>, EventSet),
    /// `P [[a <- b]]`: each pair `(a, b)` lets `b` happen where `a` did. Events that are no first
    /// of any pair stay as they are.
    Rename(Box<Tree>, Vec<(String, String)>),
}

/// Who must take part in an event.
#[derive(Clone, Debug)]
pub enum Sync {
    /// `[|A|]`: all, in the events of `A`; in any other only one. Empty for `|||`.
    Interface(EventSet),
    /// `[A||B]`: those in whose alphabet it is. An event of a process that is not in its alphabet
    /// never happens.
    Alphabets(Vec<EventSet>),
}
