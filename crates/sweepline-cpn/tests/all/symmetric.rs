//! Symmetric nets translated to CPN ML have the same states, edges and dead markings as their unfolding (nets
//! of the contest) and as a token game by definition (random nets). Only the reader is shared by both.

#[allow(dead_code, reason = "made for other tests as well")]
#[path = "../../../sweepline-pnml/tests/all/symmetric/naive.rs"]
mod naive;
#[allow(dead_code, reason = "made for other tests as well")]
#[path = "../../../sweepline-pnml/tests/all/symmetric/random.rs"]
mod random;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;
use sweepline::progress::Trivial;
use sweepline::{Model, WitnessMode, explore};
use sweepline_cpn::{CpnModel, Limits, Net, Options, read_cpn_bytes, symmetric_to_cpn};
use sweepline_pnml::{NetModel, SymmetricNet, UnfoldLimits, read_symmetric, read_symmetric_str};

/// Larger state spaces are covered by the tests of the unfolding. The build without optimisation is slow.
const MOST_STATES: u64 = if cfg!(debug_assertions) { 1_500 } else { 60_000 };

/// States, edges and dead markings.
fn counts(model: &impl Model) -> [u64; 3] {
    // A wrong translation may have an infinite state space.
    let limits = sweepline::Limits { states: Some(4 * MOST_STATES), ..Default::default() };
    let options = sweepline::Options { witness: WitnessMode::Off, limits, ..Default::default() };
    let run = explore(model, &Trivial, &options, &mut ());
    assert!(run.stop.is_none(), "{:?}", run.stop);
    let found = run.statistics;
    [found.explored, found.edges, found.dead]
}

fn translated(name: &str, net: &SymmetricNet) -> CpnModel {
    let text = symmetric_to_cpn(net).unwrap_or_else(|error| panic!("{name}: {error}"));
    let file = read_cpn_bytes(name, text.as_bytes(), &Limits::default());
    let file = file.unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let net = Net::load(&file, &Options::default());
    let net = net.unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    CpnModel::new(&net, sweepline_ml::Limits::default())
        .unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
}

/// The instances with at most this many states.
fn instances(corpus: &Path) -> Vec<String> {
    let answers = std::fs::read_to_string(corpus.join("ANSWERS.tsv")).expect("a table");
    let small = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, "StateSpace", "STATES", states] = columns.as_slice() else { return None };
        let small = states.parse::<u64>().is_ok_and(|states| states <= MOST_STATES);
        (small && name.contains("-COL-")).then(|| (*name).to_owned())
    };
    answers.lines().filter_map(small).collect()
}

fn model_file(corpus: &Path, target: &Path, instance: &str) -> PathBuf {
    let archive = corpus.join("INPUTS").join(format!("{instance}.tgz"));
    let done = Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(target).status();
    assert!(done.expect("tar is installed").success(), "cannot unpack {}", archive.display());
    target.join(instance).join("model.pnml")
}

#[test]
fn both_paths_agree_on_contest_nets() {
    let Some(corpus) = sweepline_testkit::corpus("mcc", "ANSWERS.tsv") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let instances = instances(&corpus);
    for instance in &instances {
        let file = model_file(&corpus, folder.path(), instance);
        let net = read_symmetric(&file, &Default::default());
        let net = net.unwrap_or_else(|errors| panic!("{instance}: {errors}"));
        let unfolded = net.unfold(&UnfoldLimits::default()).expect("a small net");
        let expected = counts(&NetModel::new(unfolded));
        assert_eq!(counts(&translated(instance, &net)), expected, "{instance}");
    }
    println!("{} symmetric nets, explored in two ways", instances.len());
    assert!(instances.len() >= 10, "only {} instances", instances.len());
}

proptest! {
    #[test]
    fn translated_random_nets_agree_with_the_coloured_token_game(net in random::nets()) {
        if let Some(expected) = naive::explore(&net, 40) {
            let text = net.to_pnml();
            let net = read_symmetric_str("random.pnml", &text).expect("a lawful net");
            let alive: BTreeSet<_> = expected.steps.iter().map(|(from, ..)| from).collect();
            let states = expected.markings.len() as u64;
            let counted = [states, expected.steps.len() as u64, states - alive.len() as u64];
            prop_assert_eq!(counts(&translated("random.cpn", &net)), counted, "{}", text);
        }
    }
}
