//! What a formula means: its value on a run that ends in a loop, by the definition alone.

use super::formula::Formula;

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

impl<A> Formula<A> {
    /// Whether `word` satisfies this formula, where `reads` tells whether a letter satisfies an atom.
    /// No automaton is involved.
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
        use Formula::{
            And, Atom, False, Finally, Globally, Iff, Implies, Next, Not, Or, Release,
            StrongRelease, True, Until, WeakUntil,
        };
        let n = word.letters.len();
        let both = |f: &Formula<A>, g: &Formula<A>, with: fn(bool, bool) -> bool| {
            let (f, g) = (f.values(word, reads), g.values(word, reads));
            f.into_iter().zip(g).map(|(f, g)| with(f, g)).collect()
        };
        // The value of a temporal formula follows from the letter and its value at the next one; it is
        // the least or the greatest solution.
        let solve = |f: Option<&Formula<A>>, g: &Formula<A>, default: bool, from: bool, step| {
            let f = f.map_or_else(|| vec![default; n], |f| f.values(word, reads));
            let g = g.values(word, reads);
            fixpoint(word, &f, &g, from, step)
        };
        let until: Step = |f, g, next| g || (f && next);
        let release: Step = |f, g, next| g && (f || next);
        match self {
            True => vec![true; n],
            False => vec![false; n],
            Atom(atom) => word.letters.iter().map(|letter| reads(atom, letter)).collect(),
            Not(f) => f.values(word, reads).into_iter().map(|value| !value).collect(),
            And(f, g) => both(f, g, |f, g| f && g),
            Or(f, g) => both(f, g, |f, g| f || g),
            Implies(f, g) => both(f, g, |f, g| !f || g),
            Iff(f, g) => both(f, g, |f, g| f == g),
            Next(f) => {
                let values = f.values(word, reads);
                (0..n).map(|at| values[word.next(at)]).collect()
            }
            Finally(f) => solve(None, f, true, false, until),
            Globally(f) => solve(None, f, false, true, release),
            Until(f, g) => solve(Some(f), g, true, false, until),
            WeakUntil(f, g) => solve(Some(f), g, true, true, until),
            Release(f, g) => solve(Some(f), g, true, true, release),
            StrongRelease(f, g) => solve(Some(f), g, true, false, release),
        }
    }
}

/// The value at a letter, of the values of the parts there and the value at the next letter.
type Step = fn(bool, bool, bool) -> bool;

fn fixpoint<L>(word: &Lasso<L>, f: &[bool], g: &[bool], from: bool, step: Step) -> Vec<bool> {
    let mut values = vec![from; word.letters.len()];
    // Backwards, once for the loop to agree with itself and once more for what comes before.
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
