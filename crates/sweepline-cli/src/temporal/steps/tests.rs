//! Formulas with `taken(t)` on random graphs: the formula without it agrees with a decision on steps.

use super::*;

/// Three transitions. A state has at most one edge for each, or none and is dead.
struct Graph(Vec<Vec<(usize, usize)>>);

const TRANSITIONS: usize = 3;

/// Numbers that look random, the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }

    fn graph(&mut self) -> Graph {
        let n = 1 + self.below(5);
        let mut edges = vec![Vec::new(); n];
        for edges in &mut edges {
            for transition in 0..TRANSITIONS {
                if self.below(5) < 2 {
                    edges.push((transition, self.below(n)));
                }
            }
        }
        Graph(edges)
    }

    /// Over the atoms of [`said`].
    fn formula(&mut self, size: usize) -> Ctl {
        let kind = if size == 0 { self.below(2) } else { self.below(9) };
        let half = |random: &mut Self| random.formula(size / 2);
        match kind {
            0 | 1 => Formula::Atom(self.below(5) as u32),
            2 => self.formula(size - 1).not(),
            3 => half(self).and(half(self)),
            4 => half(self).iff(half(self)),
            _ => {
                let quantifier = [Quantifier::All, Quantifier::Exists][self.below(2)];
                let f = half(self);
                Formula::runs(
                    quantifier,
                    match self.below(7) {
                        0 => Along::Next(f),
                        1 => Along::Finally(f),
                        2 => Along::Globally(f),
                        3 => Along::Until(f, half(self)),
                        4 => Along::Release(f, half(self)),
                        5 => Along::WeakUntil(f, half(self)),
                        _ => Along::StrongRelease(f, half(self)),
                    },
                )
            }
        }
    }
}

/// A state has an odd number; a transition is taken, one of two is; a transition is enabled.
fn said() -> Vec<Said<()>> {
    let taken = |numbers: &[usize]| Said::Taken(numbers.to_vec());
    vec![Said::State(()), taken(&[0]), taken(&[1]), taken(&[0, 2]), Said::Enabled(vec![2])]
}

impl Graph {
    /// The next steps of a state, by transition and target.
    fn steps(&self, state: usize) -> Vec<(Option<usize>, usize)> {
        match &self.0[state][..] {
            [] => vec![(None, state)],
            edges => edges.iter().map(|&(transition, to)| (Some(transition), to)).collect(),
        }
    }

    /// For each state and each of its next steps, whether the formula is true.
    fn values(&self, said: &[Said<()>], formula: &Ctl) -> Vec<Vec<bool>> {
        let each = |value: &dyn Fn(usize, usize) -> bool| -> Vec<Vec<bool>> {
            let states = 0..self.0.len();
            states.map(|s| (0..self.steps(s).len()).map(|e| value(s, e)).collect()).collect()
        };
        let parts = formula.parts().map(|part| part.map(|part| self.values(said, part)));
        let f = |s: usize, e: usize| parts[0].as_ref().is_some_and(|values| values[s][e]);
        let g = |s: usize, e: usize| parts[1].as_ref().is_some_and(|values| values[s][e]);
        match formula {
            Formula::True => each(&|_, _| true),
            Formula::False => each(&|_, _| false),
            Formula::Atom(atom) => each(&|s, e| match &said[*atom as usize] {
                Said::State(()) => s % 2 == 1,
                Said::Taken(numbers) => self.steps(s)[e].0.is_some_and(|t| numbers.contains(&t)),
                Said::Enabled(numbers) => self.0[s].iter().any(|(t, _)| numbers.contains(t)),
            }),
            Formula::Not(_) => each(&|s, e| !f(s, e)),
            Formula::And(..) => each(&|s, e| f(s, e) && g(s, e)),
            Formula::Or(..) => each(&|s, e| f(s, e) || g(s, e)),
            Formula::Implies(..) => each(&|s, e| !f(s, e) || g(s, e)),
            Formula::Iff(..) => each(&|s, e| f(s, e) == g(s, e)),
            Formula::Runs(quantifier, along) => {
                let set = self.runs(*quantifier, along, &f, &g);
                each(&|s, _| set[s])
            }
        }
    }

    /// The states from which some run or every run satisfies the operator, by its expansion law on steps.
    fn runs(
        &self,
        quantifier: Quantifier,
        along: &Along<Ctl>,
        f: &dyn Fn(usize, usize) -> bool,
        g: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<bool> {
        let exists = quantifier == Quantifier::Exists;
        let quantified = |s: usize, value: &dyn Fn(usize) -> bool| match exists {
            true => (0..self.steps(s).len()).any(value),
            false => (0..self.steps(s).len()).all(value),
        };
        if let Along::Next(_) = along {
            let first = |s: usize| quantified(s, &|e| f(s, e));
            let next = |s: usize| quantified(s, &|e| first(self.steps(s)[e].1));
            let n = self.0.len();
            return (0..n).map(|s| if self.0[s].is_empty() { !exists } else { next(s) }).collect();
        }
        let greatest =
            matches!(along, Along::Globally(_) | Along::Release(..) | Along::WeakUntil(..));
        let mut set = vec![greatest; self.0.len()];
        loop {
            let law = |s: usize, e: usize| {
                // A run stays in a dead state for ever.
                let next = if self.0[s].is_empty() { greatest } else { set[self.steps(s)[e].1] };
                match along {
                    Along::Next(_) => next,
                    Along::Finally(_) => f(s, e) || next,
                    Along::Globally(_) => f(s, e) && next,
                    Along::Until(..) | Along::WeakUntil(..) => g(s, e) || f(s, e) && next,
                    Along::Release(..) | Along::StrongRelease(..) => g(s, e) && (f(s, e) || next),
                }
            };
            let after: Vec<bool> = (0..set.len()).map(|s| quantified(s, &|e| law(s, e))).collect();
            if after == set {
                return set;
            }
            set = after;
        }
    }
}

#[test]
fn the_formula_on_states_agrees_with_steps() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut decided, mut rejected) = (0, 0);
    for _ in 0..20_000 {
        let (graph, formula) = (random.graph(), random.formula(8));
        let mut atoms = said();
        let expected = graph.values(&said(), &formula);
        let Ok(on_states) = by_states(formula.clone(), &mut atoms, TRANSITIONS) else {
            rejected += 1;
            continue;
        };
        let mut is_taken = false;
        formula.each_atom(&mut |atom| is_taken |= matches!(atoms[*atom as usize], Said::Taken(_)));
        decided += u32::from(is_taken);
        on_states.each_atom(&mut |atom| {
            assert!(!matches!(atoms[*atom as usize], Said::Taken(_)), "{formula}: {on_states}");
        });
        let found = graph.values(&atoms, &on_states);
        assert_eq!(found, expected, "{formula} became {on_states}");
    }
    assert!(decided > 1_000 && rejected > 1_000, "{decided} decided, {rejected} rejected");
}
