//! The models of the repository have the numbers that their headers give.

use sweepline::Check;
use sweepline_lts::csp::{Limits, Script};

/// The models, by name and text.
pub(crate) const SEEDS: [(&str, &str); 3] = [
    ("master-slave.csp", include_str!("../../../../../models/seeds/master-slave.csp")),
    ("stop-and-wait.csp", include_str!("../../../../../models/seeds/stop-and-wait.csp")),
    ("two-phase-commit.csp", include_str!("../../../../../models/seeds/two-phase-commit.csp")),
];

#[derive(Default, Debug)]
struct Expected {
    states: Option<u64>,
    edges: Option<u64>,
    dead: Option<u64>,
}

/// The process, and for each setting of parameters what is expected.
fn header(text: &str) -> (String, Vec<(String, Expected)>) {
    let mut process = String::new();
    let mut all: Vec<(String, Expected)> = vec![(String::new(), Expected::default())];
    for line in text.lines().filter_map(|line| line.strip_prefix("expect: ")) {
        let mut words = line.split_whitespace();
        let mut word = || words.next().unwrap_or_else(|| panic!("`{line}` ends early"));
        let mut key = word();
        let params = if key == "with" { word().to_owned() } else { String::new() };
        if !params.is_empty() {
            key = word();
        }
        if key == "process" {
            process = word().to_owned();
            continue;
        }
        if all.iter().all(|(own, _)| *own != params) {
            all.push((params.clone(), Expected::default()));
        }
        let expected = &mut all.iter_mut().find(|(own, _)| *own == params).expect("it is there").1;
        let count = Some(word().parse().unwrap_or_else(|_| panic!("`{line}` ends in no number")));
        match key {
            "states" => expected.states = count,
            "edges" => expected.edges = count,
            "dead" => expected.dead = count,
            _ => panic!("`{line}` expects something unknown"),
        }
    }
    (process, all)
}

#[test]
fn models_are_what_their_headers_say() {
    for (name, text) in SEEDS {
        let (process, all) = header(text);
        for (params, expected) in all {
            let mut script = Script::read(name, text, &Limits::default()).expect(name);
            for param in params.split(',').filter(|param| !param.is_empty()) {
                let (constant, value) = param.split_once('=').expect("a name and a value");
                script.set_constant(constant, value).expect("a constant");
            }
            let composition = script.compose(&process).unwrap_or_else(|errors| panic!("{errors}"));
            let figures = Check::new(&composition).run().statistics;
            let matches = |own: Option<u64>, found| own.is_none_or(|own| own == found);
            let found = (figures.states(), figures.edges, figures.dead);
            assert!(
                expected.states.is_some()
                    && figures.states() == expected.states
                    && matches(expected.edges, figures.edges)
                    && matches(expected.dead, figures.dead),
                "{name} with `{params}`: {found:?}, not {expected:?}"
            );
        }
    }
}
