//! Random nets under random measures: every method agrees with a token game on plain vectors that shares no
//! code with the packed one.

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::model::bytes_of;
use sweepline::progress::{Linear, Monotonicity, Trivial, fit};
use sweepline::{
    Cache, Check, Counts, Model, Monotone, Options, Progress, Replacement, StopReason, Verdict,
    WitnessMode, explore,
};
use sweepline_pnml::{
    Expr, MarkingView, Net, NetMeasure, NetModel, Predicate, parse_expr, parse_predicate,
};
use sweepline_testkit::assert_follows;

use super::random::{Plain, PlainView, Seen, net, weighted};

struct Question<'a> {
    model: &'a NetModel,
    plain: &'a Plain,
    predicate: &'a Predicate,
    expr: &'a Expr,
}

impl Question<'_> {
    fn ask<P: Progress<NetModel>>(&self, progress: P, options: Options) {
        let Question { model, plain, predicate, expr } = *self;
        let net = model.net();
        let mut seen = Seen::default();
        let report = Check::new(model)
            .progress(progress)
            .options(options)
            .reach("reach", |m| predicate.holds(&model.view(m)))
            .deadlock()
            .bound("bound", |m| expr.value(&model.view(m)))
            .run_watched(&mut seen);
        assert_eq!(report.stop, None);
        assert_eq!(seen.markings, plain.markings);
        assert_eq!(seen.dead, plain.dead);
        if let Some(counts) = report.statistics.counts() {
            let (states, dead) = (plain.markings.len() as u64, plain.dead.len() as u64);
            assert_eq!(counts, Counts { states, edges: plain.edges, dead });
        }
        let values = || plain.markings.iter().map(|m| expr.value(&PlainView(net, m)));
        let range = Some((values().min().unwrap(), values().max().unwrap()));
        assert_eq!(report.property("bound").unwrap().range, range);
        let reached = plain.markings.iter().any(|m| predicate.holds(&PlainView(net, m)));
        for (name, found) in [("reach", reached), ("deadlock", !plain.dead.is_empty())] {
            let verdict = &report.property(name).unwrap().verdict;
            assert_eq!(verdict.witness().is_some(), found, "{name}");
            let positive = matches!(verdict, Verdict::Holds(_)) == (name == "reach");
            assert_eq!(positive, found, "{name}");
            if let Some(witness) = verdict.witness() {
                assert_follows(model, witness);
                let last = model.tokens(witness.last());
                let view = PlainView(net, &last);
                assert!(if name == "reach" { predicate.holds(&view) } else { view.deadlock() });
            }
        }
    }
}

fn agrees(net: Net, weights: &[Vec<i64>], columns: usize, window: u64, gc: Option<u64>, k: u64) {
    let Some(plain) = Plain::explore(&net, 1_500) else { return };
    let predicate = parse_predicate(&net, &format!("p0 >= {k} and not deadlock")).unwrap();
    let expr = weighted(&net, &weights[0]);
    let model = NetModel::new(net);
    for (bound, place) in model.bounds().iter().zip(0..) {
        let most = plain.markings.iter().map(|m| m[place]).max().unwrap();
        assert!(bound.is_none_or(|bound| bound >= most), "place {place} holds {most}: {bound:?}");
    }
    let question = Question { model: &model, plain: &plain, predicate: &predicate, expr: &expr };
    question.ask(Trivial, Options::default());
    // A cache that replaces states may take exponential time, so for large graphs it has room for all states.
    let large = plain.markings.len() > 9 || plain.edges > 40;
    let parts = if large { [10; 4] } else { [1, 3, 5, 8] };
    let replacements =
        [Replacement::Random, Replacement::Oldest, Replacement::Seldom, Replacement::Strata];
    for (replacement, part) in replacements.into_iter().zip(parts) {
        let states = (plain.markings.len() * part).div_ceil(10) as u64;
        let cache = Some(Cache::new(states).replacing(replacement));
        question.ask(Trivial, Options { cache, ..Options::default() });
    }
    let measure = |n: usize| {
        let components = weights[..n].iter().map(|w| weighted(model.net(), w)).collect();
        NetMeasure::new(&model, components, columns.min(n))
    };
    let options = |witness| Options { window, gc, witness, count: true, ..Options::default() };
    question.ask(measure(1), options(WitnessMode::Disk));
    question.ask(measure(3), options(WitnessMode::Disk));
    question.ask(measure(2), options(WitnessMode::Recompute));
    for found in fit(&model) {
        let components = found.components.iter().map(|c| Expr::weighted(c).unwrap()).collect();
        let own = NetMeasure::new(&model, components, found.columns);
        let strict = Options { monotone: Monotone::Strict, ..Options::default() };
        let run = explore(&model, &own, &strict, &mut ());
        let proved = found.monotone == Monotonicity::Proved;
        assert!(!proved || run.stop.is_none(), "{found:?} is not monotone");
        question.ask(own, Options { window: found.window, ..Options::default() });
        let linear = Linear::new(&model, &found.components, found.columns);
        question.ask(linear, Options { window: found.window / 2, ..Options::default() });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn small_weights(
        net in net(2, 1..10, true),
        weights in vec(vec(-2..4i64, 8), 3),
        (columns, window, gc) in (0..3usize, 0..4u64, prop_oneof![Just(None), (1..99u64).prop_map(Some)]),
        k in 0..4u64,
    ) {
        agrees(net, &weights, columns, window, gc, k);
    }

    #[test]
    fn large_weights(net in net(150, 1..8, true), weights in vec(vec(-2..4i64, 8), 3), k in 0..900u64) {
        agrees(net, &weights, 1, 2, None, k);
    }

    #[test]
    fn foreign_bytes_are_a_marking_or_refused(
        net in net(40, 1..6, true),
        mut bytes in vec(any::<u8>(), 0..40),
        clear in vec(any::<bool>(), 40),
    ) {
        bytes.iter_mut().zip(clear).for_each(|(byte, clear)| if clear { *byte = 0 });
        let model = NetModel::new(net);
        let own = model.marking_bytes().min(bytes.len());
        for bytes in [&bytes[..], &bytes[..own]] {
            if let Some(marking) = model.try_decode(bytes) {
                prop_assert_eq!(bytes_of(&model, &marking), bytes);
                let tokens = model.tokens(&marking);
                let bounded = |(n, bound): (&u64, &Option<u64>)| bound.is_none_or(|b| *n <= b);
                prop_assert!(tokens.iter().zip(model.bounds()).all(bounded));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn many_transitions(net in net(2, 520..540, false), weights in vec(vec(-2..4i64, 8), 3), k in 0..5u64) {
        agrees(net, &weights, 0, 1, None, k);
    }
}

#[test]
fn weights_and_counts_of_64_bits_are_exact() {
    for weight in [u64::MAX, (1 << 63) + 1, 1 << 63, (1 << 63) - 1] {
        let net = Net::builder("huge")
            .place("a", weight)
            .place("b", 0)
            .place("c", u64::MAX - 1)
            .transition("over", &[("a", weight)], &[("b", weight), ("c", 1)])
            .transition("back", &[("b", weight), ("c", 1)], &[("a", weight)])
            .transition("keep", &[("b", weight)], &[("b", weight)])
            .build()
            .unwrap();
        let plain = Plain::explore(&net, 10).unwrap();
        assert_eq!((plain.markings.len(), plain.edges), (2, 3));
        let model = NetModel::new(net);
        let mut seen = Seen::default();
        let run = explore(&model, &Trivial, &Options::default(), &mut seen);
        assert_eq!(run.stop, None);
        assert_eq!(seen.markings, plain.markings);
        assert_eq!(run.statistics.edges, plain.edges);
    }
}

#[test]
fn a_count_beyond_64_bits_stops_the_run() {
    for weight in [1, 2, 1 << 63, u64::MAX] {
        let net = Net::builder("overflow")
            .place("a", u64::MAX)
            .transition("t", &[], &[("a", weight)])
            .build()
            .unwrap();
        let run = explore(&NetModel::new(net), &Trivial, &Options::default(), &mut ());
        let Some(StopReason::Model(error)) = run.stop else { panic!("{weight}") };
        assert_eq!(error, "firing `t` puts more than 2^64 - 1 tokens into `a`");
    }
}

/// Four places of 2^62 tokens: their sum has 65 bits.
fn full_places() -> NetModel {
    let builder =
        ["a", "b", "c", "d"].iter().fold(Net::builder("full"), |net, p| net.place(p, 1 << 62));
    NetModel::new(
        builder.place("e", 1).transition("t", &[("e", 1), ("a", 1)], &[]).build().unwrap(),
    )
}

#[test]
fn bounds_beyond_64_bits_are_exact() {
    let model = full_places();
    let sum = parse_expr(model.net(), "a + b + c + d").unwrap();
    let report = Check::new(&model).bound("sum", |m| sum.value(&model.view(m))).run();
    assert_eq!(report.properties[0].range, Some(((1 << 64) - 1, 1 << 64)));
}

#[test]
fn a_measure_beyond_64_bits_stops_the_run() {
    let model = full_places();
    for text in ["a + b + c + d", "e - a - b - c", "3*a - e"] {
        let measure = NetMeasure::new(&model, vec![parse_expr(model.net(), text).unwrap()], 0);
        let run = explore(&model, &measure, &Options::default(), &mut ());
        let Some(StopReason::Model(error)) = run.stop else { panic!("{text}: {:?}", run.stop) };
        assert!(error.contains("does not fit 64 bits"), "{error}");
    }
    // Large parts that cancel out do no harm.
    let measure = parse_expr(model.net(), "a + b - c - d").unwrap();
    let measure = NetMeasure::new(&model, vec![measure], 0);
    let run = explore(&model, &measure, &Options::default(), &mut ());
    assert_eq!((run.stop, run.statistics.regress_edges), (None, 1));
}
