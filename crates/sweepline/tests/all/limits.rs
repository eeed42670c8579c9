//! Limits and interrupts hold in every phase of a run, and no verdict is given without exploration.

use std::time::Duration;

use sweepline::observe::{DECIDED, Flow, Visit};
use sweepline::progress::{Trivial, by};
use sweepline::{
    Cache, Check, Interrupt, Limits, Model, Observer, Options, StopReason, System, Verdict,
    WitnessMode, explore,
};

/// A root with many dead successors.
struct Star {
    dead: u32,
}

impl System for Star {
    type State = u32;
    type Action = ();

    fn initial(&self) -> Vec<u32> {
        vec![0]
    }

    fn successors(&self, state: &u32, push: &mut dyn FnMut((), u32)) {
        if *state == 0 {
            (1..=self.dead).for_each(|next| push((), next));
        }
    }
}

/// A slow chain of states.
struct Chain {
    length: u32,
    pause: Duration,
}

impl System for Chain {
    type State = u32;
    type Action = ();

    fn initial(&self) -> Vec<u32> {
        vec![0]
    }

    fn successors(&self, state: &u32, push: &mut dyn FnMut((), u32)) {
        std::thread::sleep(self.pause);
        if *state < self.length {
            push((), state + 1);
        }
    }
}

/// Raises the flag, or stops the run itself, at the hundredth state.
struct AtHundred<'a> {
    seen: u32,
    interrupt: Option<&'a Interrupt>,
}

impl<M: Model> Observer<M> for AtHundred<'_> {
    fn node(&mut self, _: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.seen += 1;
        match self.interrupt {
            Some(interrupt) if self.seen == 100 => interrupt.raise(),
            None if self.seen == 100 => return DECIDED,
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn dead_states_count_towards_the_limit() {
    for witness in [WitnessMode::Off, WitnessMode::Recompute] {
        let limits = Limits { states: Some(1_000), ..Limits::default() };
        let options = Options { limits, witness, ..Options::default() };
        let run = explore(&Star { dead: 50_000 }, &Trivial, &options, &mut ());
        assert_eq!(run.stop, Some(StopReason::States));
        assert!((1_000..2_000).contains(&run.statistics.explored), "{}", run.statistics.explored);
    }
}

#[test]
fn dead_states_can_be_interrupted() {
    let options = Options::default();
    let mut watcher = AtHundred { seen: 0, interrupt: Some(&options.interrupt) };
    let run = explore(&Star { dead: 50_000 }, &Trivial, &options, &mut watcher);
    assert_eq!(run.stop, Some(StopReason::Interrupted));
    assert!(run.statistics.explored < 1_000, "{}", run.statistics.explored);
}

#[test]
fn what_a_watcher_cut_short_does_not_hold() {
    let check = || Check::new(&Star { dead: 1_000 });
    assert!(check().run().holds());
    let report = check().run_watched(&mut AtHundred { seen: 0, interrupt: None });
    assert_eq!(report.stop, Some(StopReason::Decided));
    assert!(!report.holds());
    let report = check()
        .never("many", |&n| n > 2_000)
        .run_watched(&mut AtHundred { seen: 0, interrupt: None });
    assert!(!report.holds());
    assert!(matches!(report.properties[0].verdict, Verdict::Unknown(_)));
}

#[test]
fn recomputed_witnesses_keep_to_the_time_limit() {
    let chain = Chain { length: 150, pause: Duration::from_millis(2) };
    let report = Check::new(&chain)
        .progress(by(|&n: &u32| i64::from(n)))
        .witness(WitnessMode::Recompute)
        .limits(Limits { time: Some(Duration::from_millis(1_000)), ..Limits::default() })
        .never("end", |&n| n == 150)
        .run();
    // The state was found, but not the path to it: sweeping again for each layer takes at least twenty
    // seconds.
    assert!(matches!(report.properties[0].verdict, Verdict::Violated(None)));
    assert_eq!(report.properties[0].findings, ["no witness: the time limit was reached"]);
}

#[test]
fn a_run_tells_how_long_it_took() {
    let chain = Chain { length: 0, pause: Duration::from_millis(20) };
    let run = explore(&chain, &Trivial, &Options::default(), &mut ());
    assert!(run.statistics.elapsed >= Duration::from_millis(20));
}

/// Pairs of numbers, one of which grows: a deep state space in which caching visits states many times.
struct Grid {
    side: u32,
}

impl System for Grid {
    type State = (u32, u32);
    type Action = ();

    fn initial(&self) -> Vec<Self::State> {
        vec![(0, 0)]
    }

    fn successors(&self, &(x, y): &Self::State, push: &mut dyn FnMut((), (u32, u32))) {
        push((), ((x + 1) % self.side, y));
        push((), (x, (y + 1) % self.side));
    }
}

#[test]
fn a_cache_keeps_to_every_limit_and_claims_nothing_beyond() {
    let grid = Grid { side: 300 };
    let run = |cache, limits: Limits| {
        let report = Check::new(&grid)
            .never("outside", |&(x, y)| x.max(y) >= 300)
            .never("corner", |&corner| corner == (299, 299))
            .cache(Cache::new(cache))
            .limits(limits)
            .run();
        assert!(report.stop.is_none() || !report.holds());
        assert_eq!(report.stop.is_some(), report.properties[0].verdict.word() == "unknown");
        report
    };
    let all = run(90_000, Limits::default());
    assert_eq!((all.stop.as_ref(), all.statistics.states()), (None, Some(90_000)));
    assert_eq!(all.properties[1].verdict.word(), "violated");
    let states = run(10, Limits { states: Some(200_000), ..Limits::default() });
    assert_eq!(states.stop, Some(StopReason::States));
    assert!((200_000..201_000).contains(&states.statistics.explored));
    let time = run(10, Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
    assert_eq!(time.stop, Some(StopReason::Time));
    for memory in [0, 1_000, 100_000, 1_000_000] {
        let report = run(90_000, Limits { memory: Some(memory), ..Limits::default() });
        assert_eq!(report.stop, Some(StopReason::Memory));
        // Successors are computed before the limit is checked.
        let most = memory + memory / 4 + 1_000;
        assert!(report.statistics.peak_bytes <= most, "{}", report.statistics.peak_bytes);
    }
    let options = Options { cache: Some(Cache::new(10)), ..Options::default() };
    let mut watcher = AtHundred { seen: 0, interrupt: Some(&options.interrupt) };
    let run = explore(&grid, &Trivial, &options, &mut watcher);
    assert_eq!(run.stop, Some(StopReason::Interrupted));
    assert!(run.statistics.explored < 1_000, "{}", run.statistics.explored);
}

#[test]
fn a_cache_larger_than_memory_would_be_no_harm_to_small_models() {
    let report = Check::new(&Star { dead: 50_000 })
        .cache(Cache::new(u64::MAX))
        .limits(Limits { memory: Some(8 << 20), ..Limits::default() })
        .run();
    assert_eq!((report.stop.as_ref(), report.statistics.states()), (None, Some(50_001)));
    assert_eq!(report.statistics.deepest, 2);
}

#[test]
fn counts_are_withheld_where_a_cache_visited_states_twice() {
    use sweepline::observe::{Fold, Idempotent};
    let grid = Grid { side: 5 };
    for (states, known) in [(25, true), (20, false)] {
        let options = Options { cache: Some(Cache::new(states)), ..Options::default() };
        let mut count = Fold::states(Idempotent::No, 0, |n, one: u32| n + one, |_| 1);
        let run = explore(&grid, &Trivial, &options, &mut count);
        assert_eq!(run.statistics.replaced == 0, known);
        assert_eq!(count.result(&run.statistics), Some(&25).filter(|_| known));
    }
}

#[test]
fn a_search_with_a_cache_has_no_checkpoints() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.checkpoint");
    let check = || Check::new(&Grid { side: 5 }).cache(Cache::new(25));
    for report in [check().checkpoint(&file).run(), check().resume(&file).run()] {
        let error = sweepline::checkpoint::Error::Cached;
        assert_eq!(report.stop, Some(StopReason::Checkpoint(error)));
        assert!(!report.holds() && !file.exists());
    }
}
