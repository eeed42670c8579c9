//! A composition as a compiled transition system: one transition for each combination of edges by which a
//! rule can be taken.

use sweepline::Model;
use sweepline::compiled::{Bits, Guard, Transition, TransitionSystem};

use super::layout::delta;
use super::{Composition, Part, RuleId};
use crate::lts::StateNo;

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
