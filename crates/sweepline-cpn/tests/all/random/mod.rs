//! Random coloured nets, written as CPN Tools files, compared with a simple token game that tries every colour
//! for every variable: the same markings, edges, dead markings and bounds, by full exploration, by a sweep,
//! and after resuming.

mod generate;
mod mutated;
mod naive;
mod net;
mod term;
mod value;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use generate::Tape;
use naive::{Space, Stop, shown};
use net::Net;
use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::checkpoint::Checkpoint;
use sweepline::observe::{Flow, Visit};
use sweepline::progress::{Linear, Trivial, by, fit};
use sweepline::{
    Check, Limits as RunLimits, Observer, Options, Progress, Report, StopReason, Verdict,
    WitnessMode,
};
use sweepline_cpn::{
    AllBounds, CpnModel, Expression, Limits, Marking, Net as Loaded, Options as LoadOptions,
    PlaceBounds, Worker, read_cpn_bytes,
};
use sweepline_testkit::assert_follows;

type Shown = BTreeSet<String>;

/// The names of places in reports, and their numbers.
fn names(model: &CpnModel) -> BTreeMap<String, String> {
    let number = |place: &sweepline_cpn::Place| {
        let own = |name: &str| Some(name.strip_prefix("Top'P")?.strip_suffix(" 1")?.to_owned());
        let mut members = place.members.iter();
        let number = members.find_map(|member| own(&member.name)).expect("it is on the top page");
        (place.name.clone(), format!("P{number}"))
    };
    model.net().places.iter().map(number).collect()
}

fn tokens(place: &str, text: &str) -> Shown {
    if text == "empty" {
        return Shown::new();
    }
    let parts = text.split("++").map(|token| token.trim_matches('+'));
    parts.map(|token| format!("{place}: {token}")).collect()
}

struct Seen<'a> {
    names: &'a BTreeMap<String, String>,
    states: BTreeSet<Shown>,
    dead: BTreeSet<Shown>,
    bounds: PlaceBounds,
}

impl<'a> Seen<'a> {
    fn new(names: &'a BTreeMap<String, String>) -> Self {
        Seen {
            names,
            states: BTreeSet::new(),
            dead: BTreeSet::new(),
            bounds: PlaceBounds::default(),
        }
    }

    fn show(&self, visit: &Visit<'_, CpnModel>) -> Shown {
        let (model, marking) = (visit.model, visit.state);
        let mut shown = BTreeSet::from([format!("time {}", marking.time())]);
        for (place, text) in model.show_marking(marking) {
            shown.extend(tokens(&self.names[&place], &text));
        }
        shown
    }
}

impl Observer<CpnModel> for Seen<'_> {
    fn node(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
        self.states.insert(self.show(visit));
        self.bounds.see(visit.model, visit.state);
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
        self.dead.insert(self.show(visit));
        Ok(())
    }
}

/// The expected results of a net, and the options.
#[derive(Clone, Copy)]
struct Case<'a> {
    net: &'a Net,
    model: &'a CpnModel,
    names: &'a BTreeMap<String, String>,
    space: &'a Space,
    never: &'a Expression,
    number: &'a Expression,
    /// The place whose tokens are counted, and the number that must never be reached.
    place: usize,
    most: u64,
}

impl Case<'_> {
    fn size(&self, state: &naive::State) -> u64 {
        state.places[self.place].values().sum()
    }

    fn check<'c, P: Progress<CpnModel> + 'c>(
        &'c self,
        progress: P,
        options: Options,
    ) -> Check<'c, CpnModel> {
        Check::new(self.model)
            .progress(progress)
            .options(options)
            .never("never", |m: &Marking| self.never.holds(&mut Worker::default(), m).unwrap())
            .bound("bound", |m: &Marking| self.number.value(&mut Worker::default(), m).unwrap())
            .query("bounds", "bounds", AllBounds::new(self.model))
            .deadlock()
    }

    fn ask<P: Progress<CpnModel>>(&self, progress: P, options: Options) {
        let mut seen = Seen::new(self.names);
        let report = self.check(progress, options).run_watched(&mut seen);
        assert_eq!(report.stop, None);
        let all = |states: &BTreeSet<naive::State>| -> BTreeSet<Shown> {
            states.iter().map(|state| shown(self.net, state)).collect()
        };
        assert_eq!(seen.states, all(&self.space.states));
        assert_eq!(seen.dead, all(&self.space.dead));
        if let Some(states) = report.statistics.states() {
            assert_eq!(states, self.space.states.len() as u64);
            assert_eq!(report.statistics.edges, self.space.arcs, "arcs");
        }
        self.compare_bounds(&seen.bounds);
        self.compare_report(&report);
    }

    fn compare_bounds(&self, found: &PlaceBounds) {
        for bound in found.found(self.model) {
            let name = &self.names[&bound.place];
            let place: usize = name[1..].parse().unwrap();
            let (mut least, mut most) = (None, BTreeMap::new());
            let (mut lower, mut upper) = (u64::MAX, 0);
            for state in &self.space.states {
                let mut colours: BTreeMap<&value::Value, u64> = BTreeMap::new();
                for ((colour, _), count) in &state.places[place] {
                    *colours.entry(colour).or_default() += count;
                }
                let size: u64 = colours.values().sum();
                (lower, upper) = (size.min(lower), size.max(upper));
                for (colour, count) in &colours {
                    let known = most.entry(*colour).or_insert(0u64);
                    *known = (*known).max(*count);
                }
                least = Some(match least {
                    None => colours,
                    Some(before) => min(&before, &colours),
                });
            }
            let text = |bag: &BTreeMap<&value::Value, u64>| -> Shown {
                bag.iter().map(|(colour, count)| format!("{name}: {count}`{colour}")).collect()
            };
            assert_eq!((bound.lower, bound.upper), (lower, upper), "{name}");
            assert_eq!(tokens(name, &bound.upper_multi_set.to_string()), text(&most));
            assert_eq!(tokens(name, &bound.lower_multi_set.to_string()), text(&least.unwrap()));
        }
    }

    fn compare_report(&self, report: &Report<CpnModel>) {
        let sizes = || self.space.states.iter().map(|state| self.size(state));
        let range = (sizes().min().unwrap() as i128, sizes().max().unwrap() as i128);
        assert_eq!(report.property("bound").unwrap().range, Some(range));
        let violated = sizes().any(|size| size > self.most);
        for (name, found) in [("never", violated), ("deadlock", !self.space.dead.is_empty())] {
            let verdict = &report.property(name).unwrap().verdict;
            assert_eq!(matches!(verdict, Verdict::Violated(_)), found, "{name}");
            assert_eq!(matches!(verdict, Verdict::Holds(_)), !found, "{name}");
            let Some(witness) = verdict.witness() else { continue };
            assert_follows(self.model, witness);
            let last = witness.last();
            if name == "never" {
                assert!(self.never.holds(&mut Worker::default(), last).unwrap());
            } else {
                assert!(sweepline::model::successors(self.model, last).unwrap().is_empty());
            }
        }
    }

    /// Stops after every few states and resumes.
    fn resume<P: Progress<CpnModel>>(&self, progress: P, steps: &[u64]) {
        let whole = self.check(&progress, Options::default()).run();
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let file = folder.path().join("run");
        let (mut explored, mut sittings) = (0, 0);
        loop {
            let mut checkpoint = Checkpoint::new(&file);
            checkpoint.resume = (sittings > 0).then(|| file.clone());
            let states = steps.get(sittings).map(|step| explored + step);
            let limits = RunLimits { states, ..RunLimits::default() };
            let options = Options { checkpoint: Some(checkpoint), limits, ..Options::default() };
            let report = self.check(&progress, options).run();
            if report.stop == Some(StopReason::States) {
                explored = report.saved.unwrap().explored;
                sittings += 1;
                continue;
            }
            assert_eq!(report.stop, None);
            self.compare_report(&report);
            let findings =
                |report: &Report<CpnModel>| report.property("bounds").unwrap().findings.clone();
            assert_eq!(findings(&report), findings(&whole));
            return;
        }
    }
}

fn min<'v>(
    a: &BTreeMap<&'v value::Value, u64>,
    b: &BTreeMap<&'v value::Value, u64>,
) -> BTreeMap<&'v value::Value, u64> {
    let both =
        a.iter().filter_map(|(colour, count)| Some((*colour, (*count).min(*b.get(colour)?))));
    both.collect()
}

/// How many cases were useful.
#[derive(Default, Debug)]
struct Tally {
    compared: u32,
    /// The states of the compared cases.
    states: u32,
    illegal: u32,
    skipped: u32,
    unbound: u32,
}

thread_local! {
    static TALLY: RefCell<Tally> = RefCell::default();
}

fn tally(count: impl Fn(&mut Tally) -> &mut u32) {
    TALLY.with_borrow_mut(|tally| *count(tally) += 1);
}

/// The number of cases, unless the user sets it.
fn cases(cases: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(cases), ..ProptestConfig::default() }
}

fn load(xml: &str, limits: sweepline_ml::Limits) -> Result<CpnModel, String> {
    let file = read_cpn_bytes("random.cpn", xml.as_bytes(), &Limits::default()).unwrap();
    let net = Loaded::load(&file, &LoadOptions::default()).map_err(|errors| {
        // The only errors are variables with too many values to enumerate.
        let other = errors
            .errors
            .iter()
            .map(ToString::to_string)
            .find(|e| !e.contains("bind") && !e.contains("unbound"));
        other.unwrap_or_else(|| "cannot bind".into())
    })?;
    CpnModel::new(&net, limits).map_err(|e| e.to_string())
}

/// Compares one net, if it is small enough.
fn agrees(choices: &[u16], weights: &[i64], (window, gc): (u64, Option<u64>), steps: &[u64]) {
    let mut tape = Tape::new(choices);
    let net = tape.net();
    let space = match naive::explore(&net, 200) {
        Err(Stop::Skipped) => return tally(|tally| &mut tally.skipped),
        other => other,
    };
    let model = match load(&net.xml(), sweepline_ml::Limits::default()) {
        Ok(model) => model,
        Err(error) => {
            let unbound = error.contains("bind");
            assert!(unbound, "{error}\n{}", net.xml());
            return tally(|tally| &mut tally.unbound);
        }
    };
    let names = names(&model);
    let space = match space {
        Ok(space) => space,
        Err(_) => {
            let run = sweepline::explore(&model, &Trivial, &Options::default(), &mut ());
            let stop = format!("{:?}", run.stop);
            assert!(stop.contains("adds"), "{stop}\n{}", net.xml());
            return tally(|tally| &mut tally.illegal);
        }
    };
    tally(|tally| &mut tally.compared);
    TALLY.with_borrow_mut(|tally| tally.states += space.states.len() as u32);
    let place = tape.below(net.places.len());
    let most = tape.below(4) as u64;
    let short = format!("P{place}");
    let scope = model.scope();
    let never = scope.predicate("never", &format!("size {short} > {most}")).unwrap();
    let number = scope.number("number", &format!("size (Mark.Top'{short} 1)")).unwrap();
    let (net, model, names, space) = (&net, &model, &names, &space);
    let (never, number) = (&never, &number);
    let case = Case { net, model, names, space, never, number, place, most };
    case.ask(Trivial, Options::default());
    // With little memory, the cached values of colours are dropped often.
    let mut little = sweepline_ml::Limits::default();
    little.heap = 128 << 10;
    let small = load(&net.xml(), little).unwrap();
    Case { model: &small, ..case }.ask(Trivial, Options::default());
    let terms = weights.iter().take(net.places.len()).enumerate();
    let terms: Vec<String> = terms.map(|(p, w)| format!("{w} * size P{p}")).collect();
    let measure = scope.number("measure", &terms.join(" + ").replace('-', "~")).unwrap();
    let measure = by(|m: &Marking| measure.value(&mut Worker::default(), m).unwrap());
    let options = |witness| Options { window, gc, witness, ..Options::default() };
    case.ask(&measure, options(WitnessMode::Disk));
    case.ask(&measure, options(WitnessMode::Recompute));
    case.resume(&measure, steps);
    case.resume(Trivial, steps);
    if net.is_timed() {
        case.ask(by(|m: &Marking| m.time()), options(WitnessMode::Disk));
        case.resume(by(|m: &Marking| m.time()), steps);
    }
    for found in fit(model) {
        let linear = Linear::new(model, &found.components, found.columns);
        case.ask(linear, Options { window: found.window, ..Options::default() });
    }
}

#[test]
fn random_nets_agree_with_a_plain_token_game() {
    let gc = prop_oneof![Just(None), (1..40u64).prop_map(Some)];
    proptest!(cases(100), |(
        choices in vec(any::<u16>(), 20..160),
        weights in vec(-2..4i64, 5),
        line in (0..4u64, gc),
        steps in vec(1..20u64, 0..6),
    )| {
        agrees(&choices, &weights, line, &steps);
    });
    TALLY.with_borrow(|tally| {
        println!("{tally:?}");
        let all = tally.compared + tally.illegal + tally.skipped + tally.unbound;
        assert!(tally.compared * 3 > all, "few of the nets are of use: {tally:?}");
        assert!(tally.states > 3 * tally.compared, "few of the nets do anything: {tally:?}");
    });
}
