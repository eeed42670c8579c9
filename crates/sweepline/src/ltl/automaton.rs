//! Automata on infinite words, with acceptance on edges.

use std::fmt;

use super::formula::Formula;
use super::normal::Terms;
use super::{simplify, tableau};

/// A generalised Büchi automaton whose edges lie in acceptance sets.
///
/// It accepts a run that takes edges of every acceptance set infinitely often. Letters are sets of atoms, as bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The edges of each node; the first node is the initial one.
    pub nodes: Vec<Vec<Edge>>,
    /// The number of acceptance sets.
    pub sets: u32,
}

/// An edge: taken when all atoms of `positive` and none of `negative` hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The node it leads to.
    pub target: u32,
    /// The acceptance sets it lies in, as bits.
    pub marks: u64,
    /// Atoms that must hold, as bits.
    pub positive: u64,
    /// Atoms that must not hold, as bits.
    pub negative: u64,
}

impl Edge {
    /// The edge can be taken on `letter`.
    #[inline]
    pub fn reads(&self, letter: u64) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }

    /// This reads every letter that `other` reads.
    pub(super) fn reads_all_of(&self, other: &Edge) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }
}

/// Why there is no automaton for a formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TooLarge {
    /// There are more atoms than bits.
    #[error("the formula has {0} different atoms, of at most 64")]
    Atoms(usize),
    /// There are more acceptance sets than bits.
    #[error("the formula needs more than {0} acceptance sets")]
    Sets(usize),
    /// There are too many sets of obligations.
    #[error("the automaton of the formula has more than {0} states")]
    Nodes(usize),
}

impl Automaton {
    /// The automaton of the words that satisfy `formula`, whose atoms are numbers of bits.
    ///
    /// ```
    /// use sweepline::ltl::{Automaton, Formula};
    /// let p = Formula::Atom(0);
    /// let infinitely_often = Automaton::of(&p.eventually().always()).unwrap();
    /// assert_eq!((infinitely_often.nodes.len(), infinitely_often.sets), (1, 1));
    /// ```
    ///
    /// # Errors
    ///
    /// When it would be too large.
    pub fn of(formula: &Formula<u32>) -> Result<Automaton, TooLarge> {
        Automaton::translate(formula, true)
    }

    /// The automaton of the words that do not satisfy `formula`.
    ///
    /// # Errors
    ///
    /// When it would be too large.
    pub fn of_negation(formula: &Formula<u32>) -> Result<Automaton, TooLarge> {
        Automaton::translate(formula, false)
    }

    fn translate(formula: &Formula<u32>, positive: bool) -> Result<Automaton, TooLarge> {
        let mut atoms = 0;
        formula.each_atom(&mut |&atom| atoms = atoms.max(atom as usize + 1));
        if atoms > 64 {
            return Err(TooLarge::Atoms(atoms));
        }
        let mut terms = Terms::new();
        let root = terms.of(formula, positive);
        Ok(simplify::simplified(tableau::automaton(&mut terms, root)?))
    }

    /// All acceptance sets, as bits.
    pub fn all_sets(&self) -> u64 {
        match self.sets {
            64 => u64::MAX,
            sets => (1 << sets) - 1,
        }
    }

    /// The node accepts every word, by an edge to itself.
    pub(super) fn is_universal(&self, node: u32) -> bool {
        let all = self.all_sets();
        let loops = |edge: &Edge| {
            (edge.target, edge.marks, edge.positive, edge.negative) == (node, all, 0, 0)
        };
        self.nodes[node as usize].iter().any(loops)
    }
}

/// A line for each edge, atoms by number.
impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (node, edges) in self.nodes.iter().enumerate() {
            for edge in edges {
                write!(f, "{node} -> {}", edge.target)?;
                for atom in 0..64 {
                    for (bits, sign) in [(edge.positive, ""), (edge.negative, "!")] {
                        if bits >> atom & 1 == 1 {
                            write!(f, " {sign}{atom}")?;
                        }
                    }
                }
                for set in (0..self.sets).filter(|set| edge.marks >> set & 1 == 1) {
                    write!(f, " [{set}]")?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}
