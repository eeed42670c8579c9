//! Random nets: reductions change no verdict, and the laws that they rely on hold.

use std::cell::Cell;
use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sweepline::progress::Trivial;
use sweepline::select::{Actions, Needs, Sleep, Stubborn};
use sweepline::{
    Check, Options, Progress, Reduction, Verdict, WitnessMode, explore_reduced, model,
};
use sweepline_pnml::{
    Expr, MarkingView, Net, NetMeasure, NetModel, Predicate, TransitionId, parse_predicate,
};
use sweepline_testkit::assert_follows;

use super::random::{Plain, PlainView, Seen, fire, net, weighted};

/// Predicates over a net for every kind of goal; `k` chooses numbers in them.
fn predicates(net: &Net, k: u64) -> Vec<Predicate> {
    let (last, t) = (net.n_places() - 1, net.n_transitions() - 1);
    let texts = [
        format!("p0 >= {k}"),
        format!("p0 + 2*p{last} <= {k}"),
        format!("p0 - p{last} = {k} or p{last} = {k}"),
        format!("p0 != {} and p{last} > 1", net.places[0].initial),
        format!("not fireable(t0) and fireable(t{t})"),
        format!("not (fireable(t0) or p{last} < {k})"),
        format!("deadlock and p0 <= {k}"),
        format!("not deadlock and (p0 = {k} or not fireable(t{t}))"),
    ];
    texts.iter().map(|text| parse_predicate(net, text).unwrap()).collect()
}

/// The markings reachable by transitions outside `set`.
fn without(net: &Net, start: &[u64], set: &BTreeSet<u32>) -> BTreeSet<Vec<u64>> {
    let (mut seen, mut work) = (BTreeSet::new(), vec![start.to_vec()]);
    while let Some(marking) = work.pop() {
        if seen.insert(marking.clone()) {
            let outside = net.transition_ids().filter(|t| !set.contains(&t.0));
            work.extend(outside.filter_map(|t| fire(net, &marking, t)));
        }
    }
    seen
}

/// All states of the model, with their tokens.
fn states(model: &NetModel) -> Vec<(sweepline_pnml::Marking, Vec<u64>)> {
    let mut found: Vec<_> = model::initial(model);
    let mut known: BTreeSet<Vec<u64>> = found.iter().map(|m| model.tokens(m)).collect();
    let mut at = 0;
    while at < found.len() {
        for (_, next) in model::successors(model, &found[at]).unwrap() {
            if known.insert(model.tokens(&next)) {
                found.push(next);
            }
        }
        at += 1;
    }
    found.into_iter().map(|m| (m.clone(), model.tokens(&m))).collect()
}

/// A set closed under companions: its enabled transitions stay enabled whatever the others do, and may as
/// well go first; its disabled ones stay disabled.
fn companions_keep_the_law(model: &NetModel, state: &sweepline_pnml::Marking, tokens: &[u64]) {
    let net = model.net();
    let is_transition = |t: u32| (t as usize) < net.n_transitions();
    let enabled = |t: u32| is_transition(t) && fire(net, tokens, TransitionId(t)).is_some();
    for seed in 0..model.actions() {
        let (mut set, mut work) = (BTreeSet::new(), vec![seed]);
        while let Some(action) = work.pop() {
            if set.insert(action) {
                model.companions(state, action, enabled(action), &mut work);
            }
        }
        // Numbers beyond the transitions never occur.
        set.retain(|&number| is_transition(number));
        for there in without(net, tokens, &set) {
            for &action in &set {
                let action = TransitionId(action);
                let after = fire(net, &there, action);
                assert_eq!(after.is_some(), enabled(action.0), "{action:?} at {tokens:?}");
                let Some(after) = after else { continue };
                // What other transitions can do next, they can do after it.
                for other in net.transition_ids().filter(|t| !set.contains(&t.0)) {
                    if let Some(next) = fire(net, &there, other) {
                        assert_eq!(fire(net, &after, other), fire(net, &next, action));
                    }
                }
            }
        }
    }
}

fn independence_keeps_the_law(model: &NetModel, tokens: &[u64]) {
    let net = model.net();
    for a in net.transition_ids() {
        for b in net.transition_ids() {
            let (Some(after_a), Some(after_b)) = (fire(net, tokens, a), fire(net, tokens, b))
            else {
                continue;
            };
            if model.independent(a.0, b.0) {
                assert!(model.independent(b.0, a.0));
                let ab = fire(net, &after_a, b);
                assert!(ab.is_some() && ab == fire(net, &after_b, a), "{a:?} {b:?}");
            }
        }
    }
}

/// Every path to a marking that satisfies the predicate takes one of the named actions.
fn goals_keep_the_law(
    model: &NetModel,
    predicate: &Predicate,
    (state, tokens): (&sweepline_pnml::Marking, &[u64]),
) {
    let Needs::Goal(goal) = NetModel::to_find([predicate.clone()]) else { panic!() };
    let mut set = BTreeSet::new();
    let open = goal.toward(model, state, &mut |action| set.extend([action]));
    let holds = |tokens: &[u64]| predicate.holds(&PlainView(model.net(), tokens));
    assert_eq!(open, !holds(tokens));
    if open {
        assert!(!without(model.net(), tokens, &set).iter().any(|there| holds(there)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn laws(net in prop_oneof![net(2, 1..7, true), net(1, 8..16, true)], k in 0..5u64) {
        if Plain::explore(&net, 60).is_some() {
            let predicates = predicates(&net, k);
            let model = NetModel::new(net);
            for (state, tokens) in states(&model) {
                companions_keep_the_law(&model, &state, &tokens);
                independence_keeps_the_law(&model, &tokens);
                for predicate in &predicates {
                    goals_keep_the_law(&model, predicate, (&state, &tokens));
                }
            }
        }
    }
}

/// How a run is reduced.
#[derive(Clone, Copy)]
struct Kind {
    stubborn: bool,
    sleep: bool,
    exact: bool,
}

const KINDS: [Kind; 5] = [
    Kind { stubborn: true, sleep: false, exact: false },
    Kind { stubborn: false, sleep: true, exact: false },
    Kind { stubborn: false, sleep: true, exact: true },
    Kind { stubborn: true, sleep: true, exact: false },
    Kind { stubborn: true, sleep: true, exact: true },
];

impl Kind {
    fn sleep<'a>(self, model: &'a NetModel) -> Option<Sleep<'a, NetModel>> {
        let sleep = || if self.exact { Sleep::of(model).or_exact() } else { Sleep::of(model) };
        self.sleep.then(sleep)
    }

    /// The reduction for properties with these `needs`.
    fn of<'a>(self, model: &'a NetModel, needs: Needs<NetModel>) -> Reduction<'a, NetModel> {
        let mut reduction = Reduction::default();
        if self.stubborn {
            reduction = reduction.select(Stubborn::new(model, [needs]).unwrap());
        }
        match self.sleep(model) {
            Some(sleep) => reduction.sleep(sleep),
            None => reduction,
        }
    }

    fn ask<'a>(self, mut check: Check<'a, NetModel>, model: &'a NetModel) -> Check<'a, NetModel> {
        if self.stubborn {
            check = check.stubborn();
        }
        match self.sleep(model) {
            Some(sleep) => check.sleep(sleep),
            None => check,
        }
    }
}

/// A net and its properties.
struct Case<'a> {
    model: &'a NetModel,
    plain: &'a Plain,
    predicates: &'a [Predicate],
    expr: &'a Expr,
    /// The numbers of edges explored under the reductions, and of all edges.
    fired: &'a Cell<(u64, u64)>,
}

impl Case<'_> {
    fn holds(&self, predicate: &Predicate) -> BTreeSet<Vec<u64>> {
        let holds = |m: &&Vec<u64>| predicate.holds(&PlainView(self.model.net(), m));
        self.plain.markings.iter().filter(holds).cloned().collect()
    }

    fn agrees<P: Progress<NetModel>>(&self, kind: Kind, progress: &P, options: &Options) {
        self.sets_agree(kind, progress, options);
        self.verdicts_agree(kind, progress, options);
    }

    /// Complete explorations: dead markings, markings to be found, and all markings if nothing is left out.
    fn sets_agree<P: Progress<NetModel>>(&self, kind: Kind, progress: &P, options: &Options) {
        let explore = |needs| {
            let mut seen = Seen::default();
            let reduction = kind.of(self.model, needs);
            let run = explore_reduced(self.model, progress, &reduction, options, &mut seen);
            assert_eq!(run.stop, None);
            assert!(seen.markings.is_subset(&self.plain.markings));
            assert!(kind.stubborn || seen.markings == self.plain.markings);
            (seen, run.statistics)
        };
        let (seen, statistics) = explore(Needs::Ends);
        assert_eq!(seen.dead, self.plain.dead);
        if let Some(counts) = statistics.counts() {
            let seen = (seen.markings.len() as u64, seen.dead.len() as u64);
            assert_eq!((counts.states, counts.dead), seen);
            let all = counts.edges + statistics.skipped;
            assert!(kind.stubborn || all == self.plain.edges, "{all} for {}", self.plain.edges);
        }
        if statistics.is_exact() && !kind.exact {
            assert!(statistics.edges <= self.plain.edges);
            let (fired, all) = self.fired.get();
            self.fired.set((fired + statistics.edges, all + self.plain.edges));
        }
        for predicate in self.predicates {
            let (seen, _) = explore(NetModel::to_find([predicate.clone()]));
            let holds = |m: &&Vec<u64>| predicate.holds(&PlainView(self.model.net(), m));
            let found: BTreeSet<Vec<u64>> = seen.markings.iter().filter(holds).cloned().collect();
            assert_eq!(found, self.holds(predicate));
        }
    }

    /// All properties together: verdicts, witnesses and bounds.
    fn verdicts_agree<P: Progress<NetModel>>(&self, kind: Kind, progress: &P, options: &Options) {
        let Case { model, plain, predicates, expr, .. } = *self;
        let net = model.net();
        let value = |m: &sweepline_pnml::Marking| expr.value(&model.view(m));
        for (number, predicate) in predicates.iter().enumerate() {
            let mut check = Check::new(model).progress(progress).options(options.clone());
            check = check.reach("reach", |m| predicate.holds(&model.view(m)));
            check = check.needing(NetModel::to_find([predicate.clone()]));
            if number % 2 == 0 {
                check = check.deadlock();
            }
            if number % 4 < 2 {
                check = check.bound("bound", value).needing(model.to_follow(expr));
            }
            let report = kind.ask(check, model).run();
            let reached = !self.holds(predicate).is_empty();
            for (name, found) in [("reach", reached), ("deadlock", !plain.dead.is_empty())] {
                let Some(property) = report.property(name) else { continue };
                let positive = matches!(property.verdict, Verdict::Holds(_)) == (name == "reach");
                assert_eq!(positive, found, "{name}, {:?}", report.reductions);
                assert_eq!(property.verdict.witness().is_some(), found, "{name}");
                if let Some(witness) = property.verdict.witness() {
                    assert_follows(model, witness);
                    let last = model.tokens(witness.last());
                    let view = PlainView(net, &last);
                    assert!(if name == "reach" { predicate.holds(&view) } else { view.deadlock() });
                }
            }
            if let Some(bound) = report.property("bound") {
                let values = || plain.markings.iter().map(|m| expr.value(&PlainView(net, m)));
                let range = Some((values().min().unwrap(), values().max().unwrap()));
                assert_eq!(bound.range, range, "{:?}", report.reductions);
            }
        }
    }
}

type Sweep = (Vec<Vec<i64>>, usize, u64, Option<u64>, u64);

fn agrees(
    net: Net,
    (weights, columns, window, gc, anchor): Sweep,
    k: u64,
    fired: &Cell<(u64, u64)>,
) {
    let Some(plain) = Plain::explore(&net, 200) else { return };
    let predicates = predicates(&net, k);
    let expr = weighted(&net, &weights[0]);
    let model = &NetModel::new(net);
    let case = Case { model, plain: &plain, predicates: &predicates, expr: &expr, fired };
    let measure = |n: usize| {
        let components = weights[..n].iter().map(|w| weighted(model.net(), w)).collect();
        NetMeasure::new(model, components, columns.min(n))
    };
    let options = |witness| Options { window, gc, anchor, witness, ..Options::default() };
    for kind in KINDS {
        case.agrees(kind, &Trivial, &options(WitnessMode::Disk));
        case.agrees(kind, &measure(1), &options(WitnessMode::Recompute));
        case.agrees(kind, &measure(2), &options(WitnessMode::Disk));
    }
}

#[test]
fn answers() {
    let config = ProptestConfig { cases: 800, ..ProptestConfig::default() };
    let sweep = (
        vec(vec(-2..4i64, 8), 2),
        0..3usize,
        0..4u64,
        prop_oneof![Just(None), (1..99u64).prop_map(Some)],
        prop_oneof![Just(0), 1..4u64],
    );
    let nets = prop_oneof![6 => net(1, 1..10, true), 3 => net(1, 9..20, true), 3 => net(3, 1..9, true), 1 => net(150, 1..6, true)];
    let fired = Cell::new((0, 0));
    let cases = (nets, sweep, 0..5u64);
    TestRunner::new(config)
        .run(&cases, |(net, sweep, k)| {
            agrees(net, sweep, k, &fired);
            Ok(())
        })
        .unwrap();
    let (fired, all) = fired.get();
    assert!(fired * 10 < all * 9, "{fired} of {all} edges");
}
