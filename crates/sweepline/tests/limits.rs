//! Limits and interrupts hold in every corner of a run, and nothing is claimed that was not explored.

use std::time::Duration;

use sweepline::observe::{Flow, Visit};
use sweepline::progress::{Trivial, by};
use sweepline::{
    Check, Interrupt, Limits, Model, Observer, Options, Sink, StopReason, Verdict, WitnessMode,
    codec, explore,
};

/// A root with many dead successors.
struct Star {
    dead: u32,
}

impl Model for Star {
    type State = u32;
    type Action = ();

    fn initial(&self, push: &mut dyn FnMut(&u32)) {
        push(&0);
    }

    fn successors(&self, state: &u32, sink: &mut impl Sink<Self>) {
        if *state == 0 {
            (1..=self.dead).for_each(|next| sink.push((), &next));
        }
    }

    fn encode(&self, state: &u32, bytes: &mut Vec<u8>) {
        codec::encode(state, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> u32 {
        codec::decode(bytes)
    }
}

/// A slow chain of states.
struct Chain {
    length: u32,
    pause: Duration,
}

impl Model for Chain {
    type State = u32;
    type Action = ();

    fn initial(&self, push: &mut dyn FnMut(&u32)) {
        push(&0);
    }

    fn successors(&self, state: &u32, sink: &mut impl Sink<Self>) {
        std::thread::sleep(self.pause);
        if *state < self.length {
            sink.push((), &(state + 1));
        }
    }

    fn encode(&self, state: &u32, bytes: &mut Vec<u8>) {
        codec::encode(state, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> u32 {
        codec::decode(bytes)
    }
}

/// Raises the flag, or stops the run itself, at the hundredth state.
struct AtHundred<'a> {
    seen: u32,
    interrupt: Option<&'a Interrupt>,
}

impl<M: Model> Observer<M> for AtHundred<'_> {
    fn node(&mut self, _: &Visit<'_, M>) -> Flow {
        self.seen += 1;
        match self.interrupt {
            Some(interrupt) if self.seen == 100 => interrupt.raise(),
            None if self.seen == 100 => return Flow::Break(()),
            _ => {}
        }
        Flow::Continue(())
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
    // The state was found; only the way there was not: sweeping again for each of the layers takes
    // twenty seconds and more.
    assert!(matches!(report.properties[0].verdict, Verdict::Violated(None)));
    assert_eq!(report.properties[0].findings, ["no witness: the time limit was reached"]);
}

#[test]
fn a_run_tells_how_long_it_took() {
    let chain = Chain { length: 0, pause: Duration::from_millis(20) };
    let run = explore(&chain, &Trivial, &Options::default(), &mut ());
    assert!(run.statistics.elapsed >= Duration::from_millis(20));
}
