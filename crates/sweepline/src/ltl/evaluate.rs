//! The meaning of a formula: its value on a lasso, by definition.

use super::formula::Formula;
use crate::formula::{self, Along};

/// An infinite word that repeats its last letters for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso<L> {
    /// The letters, each once.
    pub letters: Vec<L>,
    /// The number of the letter that follows the last one.
    pub back: usize,
}

impl<L> Lasso<L> {
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }
}

impl<A> formula::Formula<A, ()> {
    /// Whether `word` satisfies this formula; `reads` says whether a letter satisfies an atom. Uses no automaton.
    ///
    /// ```
    /// use sweepline::ltl::{Formula, Lasso};
    /// let word = Lasso { letters: vec!['a', 'b', 'c'], back: 1 };
    /// let c: Formula<char> = Formula::atom('c');
    /// let reads = |atom: &char, letter: &char| atom == letter;
    /// assert!(c.clone().eventually().always().holds_on(&word, &reads));
    /// assert!(!c.always().eventually().holds_on(&word, &reads));
    /// ```
    pub fn holds_on<L>(&self, word: &Lasso<L>, reads: &impl Fn(&A, &L) -> bool) -> bool {
        self.values(word, reads).first().copied().unwrap_or(false)
    }

    /// The value at every letter.
    fn values<L>(&self, word: &Lasso<L>, reads: &impl Fn(&A, &L) -> bool) -> Vec<bool> {
        let n = word.letters.len();
        let parts = self.parts().map(|part| part.map(|part| part.values(word, reads)));
        let [f, g] = parts.map(|values| values.unwrap_or_else(|| vec![true; n]));
        let both = |with: fn(bool, bool) -> bool| {
            f.iter().zip(&g).map(|(&f, &g)| with(f, g)).collect::<Vec<bool>>()
        };
        let along = match self {
            Formula::True => return vec![true; n],
            Formula::False => return vec![false; n],
            Formula::Atom(atom) => {
                return word.letters.iter().map(|letter| reads(atom, letter)).collect();
            }
            Formula::Not(_) => return both(|f, _| !f),
            Formula::And(..) => return both(|f, g| f && g),
            Formula::Or(..) => return both(|f, g| f || g),
            Formula::Implies(..) => return both(|f, g| !f || g),
            Formula::Iff(..) => return both(|f, g| f == g),
            Formula::Runs((), along) => &**along,
        };
        // The value of a temporal formula at a letter follows from the letter and its value at the next one. It is the least
        // or the greatest solution.
        let solve = |from: bool, step: Step| fixpoint(word, &f, &g, from, step);
        let until: Step = |f, g, next| g || (f && next);
        let release: Step = |f, g, next| g && (f || next);
        match along {
            Along::Next(_) => (0..n).map(|at| f[word.next(at)]).collect(),
            Along::Finally(_) => solve(false, |f, _, next| f || next),
            Along::Globally(_) => solve(true, |f, _, next| f && next),
            Along::Until(..) => solve(false, until),
            Along::WeakUntil(..) => solve(true, until),
            Along::Release(..) => solve(true, release),
            Along::StrongRelease(..) => solve(false, release),
        }
    }
}

/// The value at a letter, from the values of the operands there and the value at the next letter.
type Step = fn(bool, bool, bool) -> bool;

fn fixpoint<L>(word: &Lasso<L>, f: &[bool], g: &[bool], from: bool, step: Step) -> Vec<bool> {
    let mut values = vec![from; word.letters.len()];
    // Two rounds backwards: the first makes the values on the cycle consistent, the second computes those of the prefix.
    loop {
        let mut changed = false;
        for at in (0..values.len()).rev() {
            let value = step(f[at], g[at], values[word.next(at)]);
            changed |= value != values[at];
            values[at] = value;
        }
        if !changed {
            return values;
        }
    }
}
