//! The tree of a composition, before it is flattened.

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
    /// In parallel.
    Parallel(Vec<Tree>, Sync),
    /// `P \ A`: events of `A` become internal.
    Hide(Box<Tree>, EventSet),
    /// `P [[a <- b]]`: for each pair `(a, b)`, `b` happens where `a` did. Events that are not the first of a
    /// pair are unchanged.
    Rename(Box<Tree>, Vec<(String, String)>),
}

/// Which processes must take part in an event.
#[derive(Clone, Debug)]
pub enum Sync {
    /// `[|A|]`: all, in the events of `A`; in other events only one. Empty for `|||`.
    Interface(EventSet),
    /// `[A||B]`: those that have it in their alphabet. An event of a process that is not in its alphabet
    /// never happens.
    Alphabets(Vec<EventSet>),
}
