//! Compositions compiled to transition systems have the same states and edges.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sweepline::compiled::TransitionSystem;
use sweepline::model::{bytes_of, initial, successors};
use sweepline::observe::each_edge;
use sweepline_lts::{Composition, RuleId};

use super::reductions::tree;

/// The edges of a state: their rules, and the bytes of the targets.
type Edges = Vec<(RuleId, Vec<u8>)>;

fn compiled_edges(
    system: &TransitionSystem,
    rules: &[RuleId],
    words: &Vec<u64>,
    length: usize,
) -> Edges {
    let edge = |(number, target): (u32, Vec<u64>)| {
        let mut bytes = bytes_of(system, &target);
        bytes.truncate(length);
        (rules[number as usize], bytes)
    };
    let mut edges: Edges = successors(system, words).unwrap().into_iter().map(edge).collect();
    edges.sort();
    edges
}

proptest! {
    #[test]
    fn a_compiled_composition_has_the_same_edges(tree in tree()) {
        let Ok(composition) = Composition::new(tree) else { return Ok(()) };
        let Some((system, rules)) = composition.compiled(100_000) else { return Ok(()) };
        let length = composition.state_bytes();
        let (mut seen, mut open) = (BTreeSet::new(), initial(&composition));
        let mut words = initial(&system);
        while let (Some(state), Some(packed)) = (open.pop(), words.pop()) {
            if !seen.insert(bytes_of(&composition, &state)) {
                continue;
            }
            let next = successors(&composition, &state).unwrap();
            let mut edges: Edges =
                next.iter().map(|(rule, target)| (*rule, bytes_of(&composition, target))).collect();
            edges.sort();
            prop_assert_eq!(&edges, &compiled_edges(&system, &rules, &packed, length));
            for (_, target) in next {
                let mut bytes = bytes_of(&composition, &target);
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                words.push(bytes.chunks(8).map(|w| u64::from_le_bytes(w.try_into().unwrap())).collect());
                open.push(target);
            }
        }
        prop_assert_eq!(each_edge(&system, 1 << 20, |_, _, _| {}), Some(seen.len() as u32));
    }
}
