//! A measure for any net: how far from the initial marking, in transitions, its tokens lie.

use std::path::Path;

use sweepline_pnml::{Limits, Net, read_pnml};

/// Places that take part in the measure, at most: an argument has a length.
const MOST: usize = 600;

/// A weighted sum of places, heavier the later a place can be marked. Rarely monotone.
pub(crate) fn measure(file: &Path) -> String {
    let net = read_pnml(file, &Limits::default()).expect("a contest net");
    let depth = depths(&net);
    let terms: Vec<String> = net
        .places
        .iter()
        .zip(&depth)
        .filter(|(_, depth)| **depth > 0)
        .take(MOST)
        .map(|(place, depth)| format!("{depth} * tokens(\"{}\")", place.id))
        .collect();
    if terms.is_empty() { "0".into() } else { terms.join(" + ") }
}

/// For each place, after how many rounds of firing whatever has marked inputs it is marked.
fn depths(net: &Net) -> Vec<u32> {
    let mut depth: Vec<Option<u32>> =
        net.places.iter().map(|place| (place.initial > 0).then_some(0)).collect();
    for round in 1.. {
        let before = depth.clone();
        let marked = |t: &&sweepline_pnml::Transition| {
            t.inputs.iter().all(|(p, _)| before[p.index()].is_some())
        };
        for transition in net.transitions.iter().filter(marked) {
            for (place, _) in &transition.outputs {
                depth[place.index()].get_or_insert(round);
            }
        }
        if depth == before {
            break;
        }
    }
    depth.into_iter().map(Option::unwrap_or_default).collect()
}
