//! Measures of components, and their effect on the seeds' models.

use std::path::Path;

use sweepline::progress::{Effort, Given, fit};
use sweepline::{Options, Statistics, WitnessMode, explore};
use sweepline_lts::csp::{Limits, Script};
use sweepline_lts::{Composition, Grading, Lts, LtsBuilder, StateNo, Weighted};

fn lts(edges: &[(u32, u32)], n_states: u32) -> Lts {
    let mut lts = LtsBuilder::new("P");
    let label = lts.label("a");
    for &(from, to) in edges {
        lts.edge(StateNo(from), label, StateNo(to));
    }
    lts.build(n_states, StateNo(0)).unwrap()
}

#[test]
fn ranks_never_fall_and_depths_follow_the_tree() {
    // 0 -> 1 <-> 2 -> 3, 0 -> 3, and 4, which nothing leads to.
    let grading = Grading::of(&lts(&[(0, 1), (1, 2), (2, 1), (2, 3), (0, 3), (4, 0)], 5));
    let all = |of: &dyn Fn(StateNo) -> u32| (0..5).map(|s| of(StateNo(s))).collect::<Vec<u32>>();
    assert_eq!(all(&|s| grading.rank(s)), [0, 1, 1, 2, 0]);
    assert_eq!(all(&|s| grading.depth(s)), [0, 0, 1, 0, 0]);
    assert!(grading.is_reached(StateNo(3)) && !grading.is_reached(StateNo(4)));
    assert!(grading.tells_apart());
    let ring = Grading::of(&lts(&[(0, 1), (1, 2), (2, 0)], 3));
    assert_eq!((ring.most_ranks(), ring.most_depths()), (0, 2));
}

fn system(name: &str, params: &[(&str, &str)]) -> Composition {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/seeds").join(name);
    let mut script = Script::load(&path, &Limits::default()).unwrap();
    for (name, value) in params {
        script.set_constant(name, value).unwrap();
    }
    script.compose("SYSTEM").unwrap()
}

fn sweep(composition: &Composition, given: &Given) -> Statistics {
    let (window, anchor) = (given.window, given.anchor);
    let options = Options { window, anchor, witness: WitnessMode::Off, ..Options::default() };
    let measure = Weighted::of_features(composition, given);
    let run = explore(composition, &measure, &options, &mut ());
    assert_eq!(run.stop.map(|stop| stop.name()), None);
    run.statistics
}

fn best(composition: &Composition) -> Statistics {
    let best = composition.best_measures(fit(composition), Effort::default()).remove(0);
    sweep(composition, &best.into())
}

/// Published: 200% of the states explored, 8,192 stored. States that no slave leaves by finishing are
/// explored once.
#[test]
fn master_and_slaves() {
    let system = system("master-slave.csp", &[]);
    let product = sweep(&system, &system.product_measure().unwrap());
    assert_eq!((product.explored, product.peak_states), (245_722, 8_191));
    let best = best(&system);
    assert_eq!(best.explored, 126_976);
    assert!(best.peak_states < 5_000, "{}", best.peak_states);
}

/// Published: 103.84% explored and 61.73% stored.
#[test]
fn cyclic_processes_are_explored_once() {
    for n in [20u64, 50] {
        let system = system("stop-and-wait.csp", &[("N", &n.to_string())]);
        let best = best(&system);
        assert_eq!((best.explored, best.sweeps), (182 * n, 2));
        assert!(best.peak_states <= 182 * 3, "{}", best.peak_states);
    }
}

/// Published: 21.16% and 22.33% stored.
#[test]
fn choices_for_good_make_a_measure() {
    for (n, states, published) in [("6", 18_478, 0.2116), ("7", 87_475, 0.2233)] {
        let best = best(&system("two-phase-commit.csp", &[("N", n)]));
        assert_eq!((best.explored, best.sweeps), (states, 1));
        let held = best.peak_states as f64 / states as f64;
        assert!(held <= published, "{held}");
    }
}
