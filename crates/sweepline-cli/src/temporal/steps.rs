//! `taken(t)` in CTL: replaced by conditions on enabled transitions.
//!
//! In both logics `taken(t)` is true of a run if its next step is `t`. A CTL formula is about states, so `taken(t)` must
//! stand below a path quantifier, and the formula is decided on states only if the quantifier may choose that step
//! freely. `EF taken(t)` is such a formula: from a state that enables `t`, some run takes it. `AF taken(t)` is not: a
//! run that avoids `t` does so at each of its steps. [`by_states`] replaces the first kind and rejects the second.
//!
//! Let `f` be a condition on a step: a Boolean combination of state formulas and of `taken(t)`. `E f`, *some next step
//! satisfies `f`*, is a state formula: the transitions fall into classes by which of the `taken(t)` in `f` they make
//! true, and `E f` says of some class that it is enabled and that `f` is true with these values. A dead state has one
//! next step, to itself, which takes no transition.

use std::collections::BTreeMap;

use sweepline::ctl::{Along, Quantifier};
use sweepline::formula::Formula;

use super::Said;

/// A CTL formula over numbers of atoms.
type Ctl = Formula<u32, Quantifier>;

/// The most different `taken(t)` in one condition on a step, and the most parts of the formula that results.
const MOST_TAKEN: usize = 6;
const MOST_PARTS: usize = 20_000;

/// Why `taken(t)` cannot be replaced.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The number of the atom.
    pub(super) atom: Option<u32>,
    why: Why,
}

#[derive(Debug)]
enum Why {
    /// No quantifier is above it.
    NoRun,
    /// The operator asks for it at each step.
    EachStep,
    TooLarge,
}

impl Wrong {
    /// A message and a hint for the atom that is `written` so.
    pub(super) fn explained(&self, written: &str) -> (String, String) {
        let enabled = written.replacen("taken", "enabled", 1);
        match self.why {
            Why::NoRun => (
                format!(
                    "`{written}` is about the next step of a run, and no `A` or `E` is before it"
                ),
                format!("write `{enabled}`, or for example `EF {written}`"),
            ),
            Why::EachStep => (
                format!("`{written}` cannot stand here: CTL is decided on states, not on steps"),
                format!(
                    "write `{enabled}`, or ask in LTL: `--ltl 'F {written}'`; see `sweepline help ctl`"
                ),
            ),
            Why::TooLarge => (
                "the formula has too many `taken( )`".to_owned(),
                "split it into several formulas".to_owned(),
            ),
        }
    }
}

/// The same formula without `taken(t)`. Appends the atoms it needs to `said`; the model has `n_transitions`.
pub(super) fn by_states<P>(
    formula: Ctl,
    said: &mut Vec<Said<P>>,
    n_transitions: usize,
) -> Result<Ctl, Wrong> {
    if !said.iter().any(|said| matches!(said, Said::Taken(_))) {
        return Ok(formula);
    }
    let mut steps = Steps { said, n_transitions, parts: 0 };
    if let Some(atom) = steps.first_taken(&formula) {
        return Err(Wrong { atom: Some(atom), why: Why::NoRun });
    }
    steps.state(&formula)
}

struct Steps<'s, P> {
    said: &'s mut Vec<Said<P>>,
    n_transitions: usize,
    /// How many parts were made.
    parts: usize,
}

impl<P> Steps<'_, P> {
    /// The same formula, where no `taken(t)` stands outside of quantifiers.
    fn state(&mut self, formula: &Ctl) -> Result<Ctl, Wrong> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(Wrong { atom: None, why: Why::TooLarge });
        }
        Ok(match formula {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::Atom(atom) => Formula::Atom(*atom),
            Formula::Not(f) => self.state(f)?.not(),
            Formula::And(f, g) => self.state(f)?.and(self.state(g)?),
            Formula::Or(f, g) => self.state(f)?.or(self.state(g)?),
            Formula::Implies(f, g) => self.state(f)?.implies(self.state(g)?),
            Formula::Iff(f, g) => self.state(f)?.iff(self.state(g)?),
            Formula::Runs(quantifier, along) => {
                Formula::runs(*quantifier, self.along(*quantifier, along)?)
            }
        })
    }

    /// Which operand may be a condition on a step follows from the fixpoint of the operator. That of `E[f U g]` is
    /// *`g` or (`f` and some successor)*: `g` chooses its step, `f` must hold of the step to that successor. For `A`,
    /// operands are negated in the formula with `E`, so `E f` becomes *every next step satisfies `f`*.
    fn along(&mut self, quantifier: Quantifier, along: &Along<Ctl>) -> Result<Along<Ctl>, Wrong> {
        let exists = quantifier == Quantifier::Exists;
        let first = match along {
            Along::Next(_) => true,
            Along::Finally(_) | Along::Release(..) | Along::StrongRelease(..) => exists,
            Along::Globally(_) | Along::Until(..) | Along::WeakUntil(..) => !exists,
        };
        let mut is_first = true;
        along.clone().try_map(&mut |f: Ctl| {
            let may_choose = if std::mem::take(&mut is_first) { first } else { !first };
            match self.first_taken(&f) {
                None => self.state(&f),
                Some(atom) if !may_choose => Err(Wrong { atom: Some(atom), why: Why::EachStep }),
                Some(_) if exists => self.some_step(&f),
                Some(_) => Ok(self.some_step(&f.not())?.not()),
            }
        })
    }

    /// Some next step satisfies `f`.
    fn some_step(&mut self, f: &Ctl) -> Result<Ctl, Wrong> {
        let mut taken = Vec::new();
        self.each_taken(f, &mut taken);
        if taken.len() > MOST_TAKEN {
            return Err(Wrong { atom: taken.first().copied(), why: Why::TooLarge });
        }
        let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::from([(0, Vec::new())]);
        for transition in 0..self.n_transitions {
            let is_in = |atom: &u32| match &self.said[*atom as usize] {
                Said::Taken(numbers) => numbers.contains(&transition),
                _ => false,
            };
            let bits =
                (0..).zip(&taken).fold(0, |bits, (i, atom)| bits | u32::from(is_in(atom)) << i);
            classes.entry(bits).or_default().push(transition);
        }
        let mut some = Formula::False;
        for (bits, transitions) in classes {
            let value = |atom: u32| {
                let number = taken.iter().position(|known| *known == atom)?;
                Some(bits >> number & 1 == 1)
            };
            let rest = match self.with(f, &value)? {
                Formula::False => continue,
                rest => rest,
            };
            let mut enabled = self.enabled(transitions);
            if bits == 0 {
                let all = (0..self.n_transitions).collect();
                enabled = either(enabled, self.enabled(all).not());
            }
            some = either(some, both(enabled, rest));
        }
        Ok(some)
    }

    /// The atom that one of these transitions is enabled.
    fn enabled(&mut self, transitions: Vec<usize>) -> Ctl {
        if transitions.is_empty() {
            return Formula::False;
        }
        let known = self
            .said
            .iter()
            .position(|said| matches!(said, Said::Enabled(numbers) if *numbers == transitions));
        let number = known.unwrap_or_else(|| {
            self.said.push(Said::Enabled(transitions));
            self.said.len() - 1
        });
        Formula::Atom(number as u32)
    }

    /// `f` with these values of `taken(t)` outside of quantifiers, as a state formula.
    fn with(&mut self, f: &Ctl, value: &impl Fn(u32) -> Option<bool>) -> Result<Ctl, Wrong> {
        let constant = |is: bool| if is { Formula::True } else { Formula::False };
        Ok(match f {
            Formula::Atom(atom) => value(*atom).map_or(Formula::Atom(*atom), constant),
            Formula::Not(f) => negation(self.with(f, value)?),
            Formula::And(f, g) => both(self.with(f, value)?, self.with(g, value)?),
            Formula::Or(f, g) => either(self.with(f, value)?, self.with(g, value)?),
            Formula::Implies(f, g) => either(negation(self.with(f, value)?), self.with(g, value)?),
            Formula::Iff(f, g) => {
                let (f, g) = (self.with(f, value)?, self.with(g, value)?);
                let neither = both(negation(f.clone()), negation(g.clone()));
                either(both(f, g), neither)
            }
            Formula::True | Formula::False | Formula::Runs(..) => self.state(f)?,
        })
    }

    /// The first `taken(t)` outside of quantifiers.
    fn first_taken(&self, f: &Ctl) -> Option<u32> {
        let mut taken = Vec::new();
        self.each_taken(f, &mut taken);
        taken.first().copied()
    }

    fn each_taken(&self, f: &Ctl, taken: &mut Vec<u32>) {
        match f {
            Formula::Atom(atom) if matches!(self.said[*atom as usize], Said::Taken(_)) => {
                if !taken.contains(atom) {
                    taken.push(*atom);
                }
            }
            Formula::Runs(..) => {}
            _ => f.parts().into_iter().flatten().for_each(|part| self.each_taken(part, taken)),
        }
    }
}

fn negation(f: Ctl) -> Ctl {
    match f {
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::Not(f) => *f,
        f => f.not(),
    }
}

fn both(f: Ctl, g: Ctl) -> Ctl {
    match (f, g) {
        (Formula::False, _) | (_, Formula::False) => Formula::False,
        (Formula::True, f) | (f, Formula::True) => f,
        (f, g) => f.and(g),
    }
}

fn either(f: Ctl, g: Ctl) -> Ctl {
    negation(both(negation(f), negation(g)))
}

#[cfg(test)]
mod tests;
