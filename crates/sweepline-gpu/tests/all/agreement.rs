//! Counts, verdicts and counterexamples are those of one thread, for every form of cells.

use proptest::prelude::*;
use sweepline::compiled::{Condition, TransitionSystem};
use sweepline::model::bytes_of;
use sweepline::observe::{Bound, DeadActions, Never};
use sweepline::{Check, Options, Report, Statistics, Verdict, WitnessMode};
use sweepline_gpu::{GpuEngine, HostDevice, Target};
use sweepline_testkit::{Reference, assert_follows};

use crate::random::{Random, system};

/// States that a random system may have.
const MOST_STATES: usize = 3_000;

/// What is asked of each system.
fn asked<'a>(
    random: &'a Random,
    check: Check<'a, TransitionSystem>,
) -> (Check<'a, TransitionSystem>, Vec<Target>) {
    let (sum, other) = (random.sum(0, 1), random.sum(2, 1));
    let never = Condition::All(vec![
        Condition::AtMost(sum.clone(), 6),
        Condition::AtMost(other.clone(), 4).negated(),
        Condition::Enabled(vec![0, random.system.len() as u32 - 1]),
    ]);
    let reach = Condition::Any(vec![Condition::Equal(sum.clone(), 9), Condition::Dead]);
    let names: Vec<String> = (0..random.system.len()).map(|t| t.to_string()).collect();
    let mut targets: Vec<Target> =
        (0..random.system.len() as u32).map(|transition| Target::Fired(vec![transition])).collect();
    targets.push(Target::State(never.clone()));
    targets.push(Target::State(reach.clone()));
    targets.push(Target::State(Condition::Dead));
    targets.push(Target::Least(sum.clone()));
    targets.push(Target::Greatest(vec![sum.clone()]));
    let test = move |condition: Condition| {
        move |model: &TransitionSystem, _: &mut Vec<u64>, words: &Vec<u64>| {
            Ok(condition.holds(model, &Condition::Constant(false), words))
        }
    };
    let check = check
        .query("never", "never", Never::new(test(never)))
        .query("reach", "reach", Never::reached(test(reach)))
        .deadlock()
        .query(
            "bound",
            "bound",
            Bound::new(move |_: &TransitionSystem, _: &mut Vec<u64>, words: &Vec<u64>| {
                Ok(sum.value(words))
            }),
        )
        .query(
            "dead",
            "dead-transitions",
            DeadActions::new(names, |action: &u32| *action as usize),
        );
    (check, targets)
}

/// The report of a device.
fn on_device(
    random: &Random,
    options: &Options,
    device: &mut HostDevice,
) -> Report<TransitionSystem> {
    let model = &random.system;
    let (check, targets) = asked(random, Check::new(model).options(options.clone()));
    let encode = |model: &TransitionSystem, words: &[u64]| {
        bytes_of(model, &words[..model.initial.len()].to_vec())
    };
    let mut engine = GpuEngine::new(model, device, random.program(targets), encode).unwrap();
    check.run_on(&mut engine, &mut ())
}

/// What must be equal to one thread's.
fn figures(statistics: &Statistics) -> [u64; 8] {
    let Statistics {
        explored,
        edges,
        dead,
        peak_states,
        persistent,
        sweeps,
        regress_edges,
        layers,
        ..
    } = *statistics;
    [explored, edges, dead, peak_states, persistent, sweeps, regress_edges, layers]
}

fn compare(
    random: &Random,
    options: &Options,
    device: &mut HostDevice,
) -> Result<(), TestCaseError> {
    let model = &random.system;
    let Some(reference) = Reference::explore(model, MOST_STATES) else { return Ok(()) };
    let (check, _) =
        asked(random, Check::new(model).options(options.clone()).progress(random.clone()));
    let expected = check.run();
    let report = on_device(random, options, device);
    prop_assert_eq!(&report.stop, &expected.stop);
    if report.stop.is_none() {
        prop_assert_eq!(figures(&report.statistics), figures(&expected.statistics));
        prop_assert_eq!(report.statistics.counts(), expected.statistics.counts());
        if let Some(counts) = report.statistics.counts() {
            prop_assert_eq!(counts.states, reference.states.len() as u64);
            prop_assert_eq!(counts.edges, reference.edges);
            prop_assert_eq!(counts.dead, reference.dead.len() as u64);
        }
    }
    for (own, other) in report.properties.iter().zip(&expected.properties) {
        prop_assert_eq!(own.verdict.word(), other.verdict.word(), "{}", own.name);
        prop_assert_eq!(own.range, other.range);
        prop_assert_eq!(&own.findings, &other.findings);
        prop_assert_eq!(own.verdict.witness().is_some(), other.verdict.witness().is_some());
        if let Some(witness) = own.verdict.witness() {
            assert_follows(model, witness);
        }
        prop_assert!(!matches!(own.verdict, Verdict::Unknown(_)));
    }
    Ok(())
}

/// One word, two words with and without a spare bit, and more.
fn widths() -> impl Strategy<Value = Vec<u32>> {
    let narrow = prop::collection::vec(1u32..5, 2..7);
    let all_of_a_word = Just(vec![2, 62]);
    let two =
        prop_oneof![Just(vec![2, 2, 59, 3, 2]), Just(vec![64, 2, 2, 60]), Just(vec![30, 33, 2, 4])];
    let four = Just(vec![2, 60, 3, 58, 2, 60]);
    let eight = Just(vec![2, 60, 60, 60, 3, 60, 60, 2]);
    prop_oneof![4 => narrow, 1 => all_of_a_word, 3 => two, 1 => four, 1 => eight]
}

fn cases(cases: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(cases);
    ProptestConfig { cases, max_shrink_iters: 40, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn full_exploration(random in system(widths(), 0..1), pairs: bool, (blocks, threads) in grid()) {
        let mut device = HostDevice::new(blocks, threads, 1 << 28, pairs);
        compare(&random, &Options::default(), &mut device)?;
    }

    #[test]
    fn sweeps(
        mut random in system(widths(), 1..3),
        columns in 0usize..3,
        (pairs, window, anchor) in (any::<bool>(), prop_oneof![Just(0u64), 0u64..8], prop_oneof![4 => Just(0u64), 1 => 1u64..4]),
        (blocks, threads) in grid(),
    ) {
        random.columns = columns.min(random.weights.len());
        let options = Options { window, anchor, count: true, ..Options::default() };
        let mut device = HostDevice::new(blocks, threads, 1 << 28, pairs);
        compare(&random, &options, &mut device)?;
    }
}

/// Blocks and threads: one of each, threads that share a block, and blocks.
fn grid() -> impl Strategy<Value = (u32, u32)> {
    prop_oneof![4 => Just((1, 1)), 2 => Just((1, 4)), 2 => Just((4, 1)), 2 => Just((2, 3))]
}

/// The same counterexample on every run, however threads race.
#[test]
fn counterexamples_do_not_depend_on_threads() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = system(Just(vec![4, 4, 4, 4, 4]), 0..2);
    for _ in 0..6 {
        let random =
            proptest::strategy::ValueTree::current(&strategy.new_tree(&mut runner).unwrap());
        let options = Options { witness: WitnessMode::Disk, ..Options::default() };
        let mut seen: Option<Vec<String>> = None;
        for (blocks, threads) in [(1, 1), (4, 2), (8, 1), (8, 1)] {
            let mut device = HostDevice::new(blocks, threads, 1 << 28, true);
            let report = on_device(&random, &options, &mut device);
            let path = |p: &sweepline::Property<TransitionSystem>| {
                let steps = p
                    .verdict
                    .witness()
                    .map(|w| w.steps.iter().map(|s| s.action).collect::<Vec<_>>());
                format!("{} {:?} {steps:?}", p.verdict.word(), p.range)
            };
            let paths: Vec<String> = report.properties.iter().map(path).collect();
            assert_eq!(*seen.get_or_insert_with(|| paths.clone()), paths);
        }
    }
}
