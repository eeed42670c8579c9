//! Random symmetric nets: their unfolding has the same markings and steps, by name, as a token game on
//! coloured markings that tries every binding and shares no code with it.

mod naive;
mod random;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use naive::{Marking, StateSpace};
use proptest::prelude::*;
use sweepline_pnml::{Net, parse_expr, parse_predicate, read_pnml_str};

/// Larger state spaces are skipped.
const MOST_STATES: usize = 150;

/// The token game on the unfolded net.
fn explore(net: &Net) -> StateSpace {
    let show = |marking: &[u64]| -> Marking {
        let marked = net.places.iter().zip(marking).filter(|(_, n)| **n > 0);
        marked.map(|(place, &n)| (place.id.clone(), n)).collect()
    };
    let mut found = StateSpace::default();
    let mut queue = VecDeque::from([net.initial_marking()]);
    while let Some(marking) = queue.pop_front() {
        if !found.markings.insert(show(&marking)) {
            continue;
        }
        for transition in &net.transitions {
            let enough = |&(p, n): &(sweepline_pnml::PlaceId, u64)| marking[p.index()] >= n;
            if transition.inputs.iter().all(enough) {
                let mut next = marking.clone();
                transition.inputs.iter().for_each(|&(p, n)| next[p.index()] -= n);
                transition.outputs.iter().for_each(|&(p, n)| next[p.index()] += n);
                found.steps.push((show(&marking), transition.id.clone(), show(&next)));
                queue.push_back(next);
            }
        }
    }
    found.steps.sort();
    found
}

/// Checks the names of the coloured nodes, and their members.
fn check_families(net: &Net, expected: &StateSpace) {
    let folded = net.folded.as_ref().expect("an unfolded net");
    let of = |marking: &Marking, place: &str| -> u64 {
        let prefix = format!("{place}(");
        let mine = |(id, _): &(&String, &u64)| *id == place || id.starts_with(&prefix);
        marking.iter().filter(mine).map(|(_, n)| n).sum()
    };
    for place in &folded.places {
        let expr = parse_expr(net, &place.id).expect("a coloured place");
        let most = expected.markings.iter().map(|marking| of(marking, &place.id)).max();
        let terms: BTreeMap<_, _> = expr.sum().terms().iter().map(|&(n, p)| (p, n)).collect();
        let value = |marking: &Marking| -> u64 {
            let ids = terms.keys().map(|p| &net.places[p.index()].id);
            ids.map(|id| marking.get(id).copied().unwrap_or(0)).sum()
        };
        assert_eq!(expected.markings.iter().map(value).max(), most, "{}", place.id);
    }
    let fired: BTreeSet<&str> =
        expected.steps.iter().map(|(_, t, _)| t.split('{').next().unwrap_or(t)).collect();
    for transition in &folded.transitions {
        parse_predicate(net, &format!("fireable({})", transition.id)).expect("a transition");
        let fires = fired.contains(transition.id.as_str());
        assert!(!fires || !transition.members.is_empty(), "{}", transition.id);
    }
}

proptest! {
    #[test]
    fn unfolding_agrees_with_the_coloured_token_game(net in random::nets()) {
        let text = net.to_pnml();
        let unfolded = match read_pnml_str("random.pnml", &text) {
            Ok(unfolded) => unfolded,
            Err(errors) => panic!("{errors:?}\n{text}"),
        };
        if let Some(expected) = naive::explore(&net, MOST_STATES) {
            prop_assert_eq!(&explore(&unfolded), &expected, "{}", text);
            check_families(&unfolded, &expected);
        }
    }
}
