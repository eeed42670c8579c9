//! Random nets, properties and options, drawn together: every verdict and every count of a check is that of a
//! plain token game.
//!
//! `SWEEPLINE_CASES` sets how many cases are drawn (default: 1,000); `./test-random` draws many.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sweepline::observe::{DeadActions, DeadStates, Terminates};
use sweepline::progress::{Linear, Trivial, fit};
use sweepline::select::Sleep;
use sweepline::{
    Cache, Check, Counts, Options, Progress, Report, StopReason, Verdict, WitnessMode,
};
use sweepline_pnml::{
    Expr, MarkingView, Net, NetMeasure, NetModel, Predicate, TransitionId, parse_predicate,
};
use sweepline_testkit::assert_follows;

use super::random::{Plain, PlainView, fire, net, weighted};

/// The properties, as bits.
const REACH: u8 = 1;
const NEVER: u8 = 2;
const DEADLOCK: u8 = 4;
const BOUND: u8 = 8;
const DEAD_STATES: u8 = 16;
const DEAD_TRANSITIONS: u8 = 32;
const TERMINATES: u8 = 64;

/// How a net is explored.
#[derive(Clone, Debug)]
struct How {
    weights: Vec<Vec<i64>>,
    /// 0: in full, 1 and 2: this many weighted sums of places, 3: a measure that sweepline finds.
    measure: usize,
    columns: usize,
    window: u64,
    anchor: u64,
    gc: Option<u64>,
    count: bool,
    witness: WitnessMode,
    cache: bool,
    stubborn: bool,
    sleep: bool,
    exact: bool,
    asked: u8,
    number: u64,
}

fn how() -> impl Strategy<Value = How> {
    let measure = (vec(vec(-2..4i64, 8), 2), 0..4usize, 0..3usize);
    let kept = (
        0..4u64,
        prop_oneof![Just(0), 0..5u64],
        prop_oneof![3 => Just(None), 1 => (1..60u64).prop_map(Some)],
    );
    let witness =
        prop_oneof![Just(WitnessMode::Disk), Just(WitnessMode::Recompute), Just(WitnessMode::Off)];
    let reduced = (any::<bool>(), any::<bool>(), any::<bool>(), 0..12u8);
    (measure, kept, any::<bool>(), witness, reduced, any::<u8>(), 0..5u64).prop_map(
        |(
            (weights, measure, columns),
            (window, anchor, gc),
            count,
            witness,
            reduced,
            asked,
            number,
        )| {
            let (stubborn, sleep, exact, cache) = reduced;
            let cache = cache == 0;
            let (stubborn, sleep) = (stubborn && !cache, sleep && !cache);
            How {
                weights,
                measure,
                columns,
                window,
                anchor,
                gc,
                count,
                witness,
                cache,
                stubborn,
                sleep,
                exact,
                asked,
                number,
            }
        },
    )
}

/// A net, its state space, and the properties.
struct Case<'a> {
    model: &'a NetModel,
    plain: &'a Plain,
    predicate: Predicate,
    expr: Expr,
    how: How,
    /// Numbers of compared verdicts and counts.
    compared: &'a Cell<(u64, u64)>,
}

impl Case<'_> {
    fn options(&self) -> Options {
        let How { window, anchor, gc, count, witness, cache, .. } = self.how;
        let states = self.plain.markings.len() as u64;
        let cache = cache.then(|| Cache::new(states.max(1)));
        Options { window, anchor, gc, count, witness, cache, ..Options::default() }
    }

    fn asks(&self, what: u8) -> bool {
        // Components are not available with a cache.
        self.how.asked & what != 0 && !(what == TERMINATES && self.how.cache)
    }

    fn run<P: Progress<NetModel>>(&self, progress: P) {
        let Case { model, predicate, expr, .. } = self;
        let holds = |m: &_| predicate.holds(&model.view(m));
        let goal = || NetModel::to_find([predicate.clone()]);
        let countable = progress.columns() == 0 && !self.how.cache;
        let mut check = Check::new(*model).progress(progress).options(self.options());
        if self.asks(REACH) {
            check = check.reach("reach", holds).needing(goal());
        }
        if self.asks(NEVER) {
            check = check.never("never", holds).needing(goal());
        }
        if self.asks(DEADLOCK) {
            check = check.deadlock();
        }
        if self.asks(BOUND) {
            let value = |m: &_| expr.value(&model.view(m));
            check = check.bound("bound", value).needing(model.to_follow(expr));
        }
        if self.asks(DEAD_STATES) {
            let describe = |model: &NetModel, m: &_| format!("{:?}", model.tokens(m));
            check = check.query("dead", "dead-states", DeadStates::new(10_000, describe));
        }
        if self.asks(DEAD_TRANSITIONS) {
            let names = model.net().transitions.iter().map(|t| t.id.clone()).collect();
            let query = DeadActions::new(names, |t: &TransitionId| t.index());
            check = check.query("unfired", "dead-transitions", query);
        }
        if self.asks(TERMINATES) {
            check = check.query("ends", "terminates", Terminates::default());
        }
        if self.how.stubborn {
            check = check.stubborn();
        }
        if self.how.sleep {
            let sleep = Sleep::of(*model);
            check = check.sleep(if self.how.exact { sleep.or_exact() } else { sleep });
        }
        let report = check.run();
        self.counts_agree(&report, countable);
        self.answers_agree(&report);
    }

    fn counts_agree(&self, report: &Report<NetModel>, countable: bool) {
        let Some(counts) = report.statistics.counts().filter(|_| report.stop.is_none()) else {
            let reduced = !report.reductions.is_empty();
            let early = report.stop == Some(StopReason::Decided);
            let counted = self.how.count && countable;
            assert!(reduced || early || !counted, "not counted: {:?}", report.statistics);
            return;
        };
        let (states, dead) = (self.plain.markings.len() as u64, self.plain.dead.len() as u64);
        let whole = Counts { states, edges: self.plain.edges, dead };
        let is = |word: &str| report.reductions.iter().any(|known| known == word);
        match (is("stubborn sets"), is("sleep sets")) {
            (false, false) => assert_eq!(counts, whole),
            (false, true) => {
                let all = counts.edges + report.statistics.skipped;
                assert_eq!(Counts { edges: all, ..counts }, whole);
            }
            (true, _) => assert!(counts.states <= states && counts.edges <= whole.edges),
        }
        let (answers, n) = self.compared.get();
        self.compared.set((answers, n + 1));
    }

    fn answers_agree(&self, report: &Report<NetModel>) {
        let net = self.model.net();
        let any = |test: &dyn Fn(&PlainView) -> bool| {
            self.plain.markings.iter().any(|m| test(&PlainView(net, m)))
        };
        let found = any(&|view| self.predicate.holds(view));
        for property in &report.properties {
            let expected = match property.name.as_str() {
                "reach" => found,
                "never" => !found,
                "deadlock" => self.plain.dead.is_empty(),
                "unfired" => unfired(net, self.plain).is_empty(),
                "ends" => ends(net, self.plain),
                _ => true,
            };
            let (answers, n) = self.compared.get();
            self.compared.set((answers + 1, n));
            match &property.verdict {
                Verdict::Holds(_) => assert!(expected, "{} holds", property.name),
                Verdict::Violated(_) => assert!(!expected, "{} is violated", property.name),
                // A measure that is not monotone spreads components over several layers.
                Verdict::Unknown(StopReason::Components(_)) if property.name == "ends" => continue,
                Verdict::Unknown(reason) => panic!("{} is unknown: {reason}", property.name),
            }
            if let Some(witness) = property.verdict.witness().filter(|w| w.back.is_none()) {
                assert_follows(self.model, witness);
                let last = self.model.tokens(witness.last());
                let view = PlainView(net, &last);
                match property.name.as_str() {
                    "deadlock" => assert!(view.deadlock()),
                    "reach" | "never" => assert!(self.predicate.holds(&view)),
                    _ => {}
                }
            }
            self.findings_agree(property);
        }
    }

    /// Bounds and findings.
    fn findings_agree(&self, property: &sweepline::Property<NetModel>) {
        let net = self.model.net();
        let listed: BTreeSet<&str> = property.findings.iter().map(String::as_str).collect();
        match property.name.as_str() {
            "bound" => {
                let values =
                    || self.plain.markings.iter().map(|m| self.expr.value(&PlainView(net, m)));
                assert_eq!(property.range, values().min().zip(values().max()));
            }
            "dead" => {
                let dead: Vec<String> = self.plain.dead.iter().map(|m| format!("{m:?}")).collect();
                assert_eq!(listed, dead.iter().map(String::as_str).collect());
            }
            "unfired" => assert_eq!(listed, unfired(net, self.plain)),
            _ => {}
        }
    }
}

/// The transitions that are not enabled in any reachable marking.
fn unfired<'n>(net: &'n Net, plain: &Plain) -> BTreeSet<&'n str> {
    let fires = |t: &TransitionId| plain.markings.iter().any(|m| fire(net, m, *t).is_some());
    let never = net.transition_ids().filter(|t| !fires(t));
    never.map(|t| net.transitions[t.index()].id.as_str()).collect()
}

/// Whether there is no infinite path: a marking terminates if all its successors do.
fn ends(net: &Net, plain: &Plain) -> bool {
    let next = |m: &Vec<u64>| -> Vec<Vec<u64>> {
        net.transition_ids().filter_map(|t| fire(net, m, t)).collect()
    };
    let mut left: BTreeMap<&Vec<u64>, Vec<Vec<u64>>> =
        plain.markings.iter().map(|m| (m, next(m))).collect();
    loop {
        let before = left.len();
        let open: BTreeSet<Vec<u64>> = left.keys().map(|m| (*m).clone()).collect();
        left.retain(|_, next| next.iter().any(|m| open.contains(m)));
        if left.len() == before || left.is_empty() {
            return left.is_empty();
        }
    }
}

fn agrees(net: Net, how: How, compared: &Cell<(u64, u64)>) {
    let Some(plain) = Plain::explore(&net, 120) else { return };
    let last = net.n_places() - 1;
    let text = format!("p0 >= {} and not p{last} = {}", how.number, how.number / 2);
    let predicate = parse_predicate(&net, &text).unwrap();
    let expr = weighted(&net, &how.weights[1]);
    let model = &NetModel::new(net);
    let case = Case { model, plain: &plain, predicate, expr, how, compared };
    let measure = |n: usize| {
        let components = case.how.weights[..n].iter().map(|w| weighted(model.net(), w)).collect();
        NetMeasure::new(model, components, case.how.columns.min(n))
    };
    match case.how.measure {
        0 => case.run(Trivial),
        n @ 1..=2 => case.run(&measure(n) as &dyn Progress<NetModel>),
        _ => {
            // The measure search takes longer than everything else.
            let found = if case.how.number == 0 { fit(model) } else { Vec::new() };
            if let Some(found) = found.into_iter().next() {
                let linear = Linear::new(model, &found.components, found.columns);
                case.run(&linear as &dyn Progress<NetModel>);
            }
        }
    }
}

#[test]
fn answers_and_counts_are_those_of_the_token_game() {
    let cases = std::env::var("SWEEPLINE_CASES").ok();
    let cases = cases.map_or(1_000, |n| n.parse().expect("SWEEPLINE_CASES is a number"));
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    let nets =
        prop_oneof![4 => net(1, 1..10, true), 2 => net(3, 1..9, true), 1 => net(1, 9..20, true)];
    let compared = Cell::new((0, 0));
    TestRunner::new(config)
        .run(&(nets, how()), |(net, how)| {
            agrees(net, how, &compared);
            Ok(())
        })
        .unwrap();
    let (answers, counts) = compared.get();
    println!("{cases} cases: {answers} answers and {counts} counts compared");
    assert!(answers > u64::from(cases) && counts > u64::from(cases) / 4);
}
