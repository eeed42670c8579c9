//! Executes a plan: backtracking over the colours known so far, without recursion.

use super::super::SymmetricNet;
use super::super::sort::Colour;
use super::super::term::{Term, TooMany, UNBOUND, VariableId};
use super::pattern::Prepared;
use super::plan::{Plan, Step};
use super::reached::Reached;

pub(super) struct BindingSearch<'a, 'n> {
    pub(super) net: &'a SymmetricNet,
    pub(super) prepared: &'a Prepared<'n>,
    pub(super) reached: &'a [Reached],
    pub(super) steps_left: u64,
    /// The maximal number of colours of a multiset.
    pub(super) most: usize,
    /// The reason if a multiset that was too large ended the search.
    pub(super) too_many: Option<TooMany>,
}

/// A step with colours left to try.
struct Choice<'a> {
    step: usize,
    candidates: Candidates<'a>,
    /// The number of variables bound before.
    n_bound: usize,
}

enum Candidates<'a> {
    Listed(std::slice::Iter<'a, Colour>),
    All(std::ops::Range<Colour>),
}

impl Candidates<'_> {
    fn next(&mut self) -> Option<Colour> {
        match self {
            Candidates::Listed(colours) => colours.next().copied(),
            Candidates::All(colours) => colours.next(),
        }
    }
}

/// The colours of the variables, and the order in which they were bound.
struct State {
    binding: Vec<Colour>,
    trail: Vec<VariableId>,
}

impl State {
    fn undo(&mut self, n_bound: usize) {
        for variable in self.trail.drain(n_bound..) {
            self.binding[variable.index()] = UNBOUND;
        }
    }
}

impl<'a> BindingSearch<'a, '_> {
    /// Passes every binding of the plan to `found` until it returns `false`; `false` if the steps ran out.
    pub(super) fn run(
        &mut self,
        plan: &Plan<'_>,
        start: Option<(usize, Colour)>,
        mut found: impl FnMut(&[Colour]) -> bool,
    ) -> bool {
        let binding = vec![UNBOUND; self.net.variables.len()];
        let mut state = State { binding, trail: Vec::new() };
        if let Some((atom, colour)) = start
            && !self.matches(atom, colour, &mut state)
        {
            return true;
        }
        let mut choices: Vec<Choice<'a>> = Vec::new();
        let mut next = 0;
        loop {
            if self.steps_left == 0 || self.too_many.is_some() {
                return false;
            }
            self.steps_left -= 1;
            let goes_on = match plan.steps.get(next) {
                None => {
                    if !found(&state.binding) {
                        return true;
                    }
                    false
                }
                Some(step) => match self.candidates(step, &state) {
                    Some(candidates) => {
                        let n_bound = state.trail.len();
                        choices.push(Choice { step: next, candidates, n_bound });
                        false
                    }
                    None => self.passes(step, &mut state),
                },
            };
            next = match goes_on {
                true => next + 1,
                false => match self.back(plan, &mut choices, &mut state) {
                    Some(step) => step,
                    None => return self.steps_left > 0 && self.too_many.is_none(),
                },
            };
        }
    }

    /// The colours to try at a step, if it is a step with a choice.
    fn candidates(&self, step: &Step<'_>, state: &State) -> Option<Candidates<'a>> {
        match step {
            Step::Range(_, size) => Some(Candidates::All(0..*size)),
            Step::Choose { atom, index } => {
                let place = &self.reached[self.prepared.atoms[*atom].place];
                let colours = match index {
                    Some((index, terms)) => place.with(*index, &self.key(terms, state)),
                    None => place.colours(),
                };
                Some(Candidates::Listed(colours.iter()))
            }
            _ => None,
        }
    }

    fn key(&self, terms: &[&Term], state: &State) -> Vec<Colour> {
        let value = |term: &&Term| term.value(&self.net.sorts, &state.binding);
        terms.iter().map(|term| value(term).unwrap_or(UNBOUND)).collect()
    }

    fn passes(&mut self, step: &Step<'_>, state: &mut State) -> bool {
        let sorts = &self.net.sorts;
        match step {
            Step::Test(guard) => guard.holds(sorts, &state.binding) == Some(true),
            Step::Solve(pattern, value) => {
                let value = value.value(sorts, &state.binding);
                value.is_some_and(|value| {
                    pattern.matches(sorts, value, &mut state.binding, &mut state.trail)
                })
            }
            Step::Has(place, term) => {
                let colour = term.value(sorts, &state.binding);
                colour.is_some_and(|colour| self.reached[*place].contains(colour))
            }
            Step::HasAll(place, bag) => {
                let place = &self.reached[*place];
                match bag.tokens(sorts, &state.binding, self.most) {
                    Ok(tokens) => {
                        let tokens = tokens.unwrap_or_default();
                        self.steps_left = self.steps_left.saturating_sub(tokens.len() as u64);
                        tokens.keys().all(|&colour| place.contains(colour))
                    }
                    Err(error) => {
                        self.too_many = Some(error);
                        false
                    }
                }
            }
            Step::Choose { .. } | Step::Range(..) => true,
        }
    }

    fn matches(&self, atom: usize, colour: Colour, state: &mut State) -> bool {
        let pattern = &self.prepared.atoms[atom].pattern;
        pattern.matches(&self.net.sorts, colour, &mut state.binding, &mut state.trail)
    }

    /// Takes the next colour of the last choice that has one, and returns where to continue.
    fn back(
        &mut self,
        plan: &Plan<'_>,
        choices: &mut Vec<Choice<'a>>,
        state: &mut State,
    ) -> Option<usize> {
        loop {
            let choice = choices.last_mut()?;
            state.undo(choice.n_bound);
            let Some(colour) = choice.candidates.next() else {
                choices.pop();
                continue;
            };
            self.steps_left = self.steps_left.saturating_sub(1);
            if self.steps_left == 0 {
                return None;
            }
            let fits = match &plan.steps[choice.step] {
                Step::Choose { atom, .. } => self.matches(*atom, colour, state),
                Step::Range(variable, _) => {
                    state.binding[variable.index()] = colour;
                    state.trail.push(*variable);
                    true
                }
                _ => false,
            };
            if fits {
                return Some(choice.step + 1);
            }
        }
    }
}
