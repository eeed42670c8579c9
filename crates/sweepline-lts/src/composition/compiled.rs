//! A composition as a compiled transition system: one transition for each combination of edges by which a
//! rule can be taken.

use sweepline::Model;
use sweepline::compiled::{Bits, Condition, Field, Guard, Sum, Term, Transition, TransitionSystem};

use super::layout::delta;
use super::{Composition, Part, RuleId};
use crate::lts::{LabelId, StateNo};

impl Composition {
    /// The composition as a compiled transition system, and the rule of each transition; `None` if there
    /// would be more than `most` transitions.
    pub fn compiled(&self, most: usize) -> Option<(TransitionSystem, Vec<RuleId>)> {
        let mut start = Vec::new();
        self.initial(&mut |state| start = state.words.to_vec());
        let (mut system, mut rules) = (TransitionSystem::new(start), Vec::new());
        for (number, rule) in self.rules.iter().enumerate() {
            let mut combinations = vec![Vec::new()];
            for part in &rule.parts {
                let steps = self.steps(part);
                if combinations.len().saturating_mul(steps.len()) > most - system.len() {
                    return None;
                }
                let longer = |combination: &Vec<Step>| {
                    let combination = combination.clone();
                    let steps = steps.clone().into_iter();
                    steps.map(move |step| [&combination[..], &[(part.component, step)]].concat())
                };
                combinations = combinations.iter().flat_map(longer).collect();
            }
            for combination in combinations {
                system.add(self.transition(&combination));
                rules.push(RuleId(number as u32));
            }
        }
        Some((system, rules))
    }

    /// The field of a component's state in the words of the compiled system.
    pub fn field(&self, component: usize) -> Field {
        self.layout.fields[component]
    }

    /// The states in which the whole has [terminated](sweepline::Model::has_terminated), as a condition on the words of
    /// the compiled system.
    pub fn terminated(&self) -> Condition {
        let ticks = self.rules.iter().rev().take_while(|rule| rule.label == LabelId::TICK);
        let parts = ticks.flat_map(|rule| &rule.parts);
        let ended = parts.filter(|part| part.label == Some(LabelId::TICK)).map(|part| {
            let states = self.component(part.component).states();
            let list = states.map(|state| self.has_ended(part.component, state).into());
            let term = Term::Lookup(self.field(part.component), list.collect());
            Condition::Equal(Sum { terms: vec![(1, term)], offset: 0 }, 1)
        });
        Condition::Any(ended.collect())
    }

    /// The bytes of the state in these words of the compiled system, as [`encode`](sweepline::Model::encode) writes them.
    pub fn bytes_of_words(&self, words: &[u64]) -> Vec<u8> {
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.layout.n_bytes);
        bytes
    }

    /// All steps by which a component can take its part: pairs of source and target.
    pub(crate) fn steps(&self, part: &Part) -> Vec<(StateNo, StateNo)> {
        if let Some(label) = part.label {
            return self.by_label()[part.component].get(label.index()).to_vec();
        }
        let ended = self.component(part.component).states();
        let ended = ended.filter(|&state| self.has_ended(part.component, state));
        ended.map(|state| (state, state)).collect()
    }

    fn transition(&self, combination: &[Step]) -> Transition {
        let (mut tests, mut additions): (Vec<Bits>, Vec<_>) = (Vec::new(), Vec::new());
        for &(component, (from, to)) in combination {
            let field = self.layout.fields[component];
            let (word, mask) = (field.word, field.most << field.shift);
            let expected = u64::from(from.0) << field.shift;
            match tests.iter_mut().find(|test| test.word == word) {
                Some(test) => {
                    (test.mask, test.expected) = (test.mask | mask, test.expected | expected)
                }
                None => tests.push(Bits { word, mask, expected, not: false }),
            }
            additions.push((word, delta(field, from, to)));
        }
        let guards = tests.into_iter().map(Guard::Bits).collect();
        Transition { guards, additions, room: Vec::new() }
    }
}

/// A component, and a step of it.
type Step = (usize, (StateNo, StateNo));
