//! Random machines: a few variables, and actions that test and set some of them. Their actions often commute.

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::select::{Actions, Footprints};
use sweepline::{Computed, Model, Sink};

/// An action of a machine.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Enabled if each of these variables has this value.
    pub guard: Vec<(u32, u8)>,
    /// The possible effects: each sets variables.
    pub effects: Vec<Vec<(u32, u8)>>,
}

/// Variables, all zero at first, and rules that change them.
#[derive(Clone, Debug)]
pub struct Machine {
    /// How many variables.
    pub variables: usize,
    /// The rules.
    pub rules: Vec<Rule>,
    footprints: Footprints,
    /// The measure is the sum of the variables with these weights.
    pub weights: Vec<i64>,
}

impl Machine {
    /// A machine of `rules` over `variables`.
    pub fn new(variables: usize, rules: Vec<Rule>, weights: Vec<i64>) -> Self {
        let mut footprints = Footprints::new(rules.len() as u32);
        for (number, rule) in rules.iter().enumerate() {
            let written = || rule.effects.iter().flatten().map(|&(variable, _)| variable);
            footprints
                .reads(number as u32, rule.guard.iter().map(|&(variable, _)| variable))
                .writes(number as u32, written());
        }
        Machine { variables, rules, footprints, weights }
    }

    /// The measure of `state`.
    pub fn measure(&self, state: &[u8]) -> i64 {
        state.iter().zip(&self.weights).map(|(&v, w)| i64::from(v) * w).sum()
    }

    /// The rules that set `variable`.
    pub fn writers(&self, variable: u32) -> Vec<u32> {
        let writes = |rule: &Rule| rule.effects.iter().flatten().any(|&(v, _)| v == variable);
        (0..self.rules.len() as u32).filter(|&n| writes(&self.rules[n as usize])).collect()
    }
}

impl Model for Machine {
    type State = Vec<u8>;
    type Action = u32;
    type Worker = ();

    fn initial(&self, push: &mut dyn FnMut(&Vec<u8>)) {
        push(&vec![0; self.variables]);
    }

    fn worker(&self) {}

    fn successors(&self, (): &mut (), state: &Vec<u8>, sink: &mut impl Sink<Self>) -> Computed {
        for (number, rule) in self.rules.iter().enumerate() {
            if rule.guard.iter().all(|&(v, value)| state[v as usize] == value) {
                for effect in &rule.effects {
                    let mut next = state.clone();
                    effect.iter().for_each(|&(v, value)| next[v as usize] = value);
                    sink.push(number as u32, &next);
                }
            }
        }
        Ok(())
    }

    fn encode(&self, state: &Vec<u8>, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(state);
    }

    fn decode(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
}

impl Actions for Machine {
    fn actions(&self) -> u32 {
        self.footprints.actions()
    }

    fn action_number(&self, action: &u32) -> u32 {
        *action
    }

    fn independent(&self, a: u32, b: u32) -> bool {
        self.footprints.independent(a, b)
    }

    fn companions(&self, _: &Vec<u8>, action: u32, enabled: bool, into: &mut Vec<u32>) {
        self.footprints.companions(action, enabled, into);
    }
}

/// Random machines with random weights; their measures may be monotone or not.
pub fn machine() -> impl Strategy<Value = Machine> {
    (2..7usize).prop_flat_map(|variables| {
        let set = || vec((0..variables as u32, 0..3u8), 1..3);
        let effects = prop_oneof![4 => vec(set(), 1), 1 => vec(set(), 2)];
        let rule = (vec((0..variables as u32, 0..3u8), 0..3), effects)
            .prop_map(|(guard, effects)| Rule { guard, effects });
        (vec(rule, 1..11), vec(-2..3i64, variables))
            .prop_map(move |(rules, weights)| Machine::new(variables, rules, weights))
    })
}
