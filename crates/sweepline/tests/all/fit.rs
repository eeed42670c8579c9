//! Measures fitted to the features of models.

use sweepline::progress::{
    Candidate, Effect, Effort, Features, Fit, Linear, Monotonicity, Scope, fit,
};
use sweepline::{Check, Computed, Model, Options, Sink, System, Threads, explore};

/// Walkers on circles of different lengths, each of whom passes the start a number of times.
struct Circles {
    lengths: Vec<u32>,
    rounds: u32,
}

/// For each walker, the number of rounds and the position.
type State = Vec<(u32, u32)>;

impl System for Circles {
    type State = State;
    type Action = usize;

    fn initial(&self) -> Vec<State> {
        vec![vec![(0, 0); self.lengths.len()]]
    }

    fn successors(&self, state: &State, push: &mut dyn FnMut(usize, State)) {
        for (walker, &(rounds, at)) in state.iter().enumerate() {
            let mut next = state.clone();
            next[walker] = match at + 1 {
                end if end < self.lengths[walker] => (rounds, end),
                _ if rounds < self.rounds => (rounds + 1, 0),
                _ => continue,
            };
            push(walker, next);
        }
    }
}

impl Features for Circles {
    fn features(&self, state: &State, push: &mut dyn FnMut(i64)) {
        state.iter().for_each(|&(rounds, at)| {
            push(i64::from(rounds));
            push(i64::from(at));
        });
    }
}

fn peak<M: Features>(model: &M, found: &Candidate) -> (u64, u64) {
    let measure = Linear::new(model, &found.components, found.columns);
    let options = Options { window: found.window, ..Options::default() };
    let run = explore(model, &measure, &options, &mut ());
    (run.statistics.states().expect("one sweep"), run.statistics.peak_states)
}

#[test]
fn progress_is_seen_through_cycles() {
    let model = Circles { lengths: vec![3, 4], rounds: 9 };
    let fitting = Fit::new(&model, Effort::default());
    assert!(fitting.is_whole());
    let best = fitting.candidates().swap_remove(0);
    assert_eq!(best.monotone, Monotonicity::Observed);
    let (states, peak) = peak(&model, &best);
    assert_eq!(states, 30 * 40);
    assert!(peak <= 60, "{best:?} holds {peak}");
    assert!(
        (best.forecast.peak - peak as f64 / states as f64).abs() < 1e-9,
        "the trial was complete"
    );
}

#[test]
fn large_models_are_judged_by_walks() {
    let model = Circles { lengths: vec![5, 6, 7], rounds: 9 };
    let found = fit(&model);
    assert_eq!(found[0].forecast.scope, Scope::Walks);
    let (states, peak) = peak(&model, &found[0]);
    assert_eq!(states, 50 * 60 * 70);
    assert!(peak < states / 20, "{:?} holds {peak}", found[0]);
}

#[test]
fn the_same_measures_are_found_every_time() {
    let model = Circles { lengths: vec![5, 6, 7], rounds: 9 };
    let (first, second) = (fit(&model), fit(&model));
    let measures =
        |found: &[Candidate]| found.iter().map(|c| c.components.clone()).collect::<Vec<_>>();
    assert_eq!(measures(&first), measures(&second));
}

#[test]
fn the_same_measures_are_found_on_any_number_of_threads() {
    let model = Circles { lengths: vec![5, 6, 7], rounds: 9 };
    let found = |threads| {
        let options = Options { threads, ..Options::default() };
        Fit::new(&model, Effort::default().within(&options)).candidates()
    };
    let one = format!("{:?}", found(Threads::new(1)));
    for count in [2, 3, 8] {
        assert_eq!(format!("{:?}", found(Threads::new(count).eager())), one, "{count} threads");
    }
}

/// Counts up, and decreases far beyond the end of any sample.
struct Surprise;

impl System for Surprise {
    type State = u64;
    type Action = ();

    fn initial(&self) -> Vec<u64> {
        vec![0]
    }

    fn successors(&self, state: &u64, push: &mut dyn FnMut((), u64)) {
        match state {
            200_000 => push((), 1_000_000_000),
            200_001.. => push((), 150_000),
            n => push((), n + 1),
        }
    }
}

impl Features for Surprise {
    fn features(&self, state: &u64, push: &mut dyn FnMut(i64)) {
        push(*state as i64);
    }
}

#[test]
fn a_wrong_guess_costs_a_sweep_but_no_verdict() {
    assert_eq!(fit(&Surprise)[0].monotone, Monotonicity::Observed);
    let report = Check::new(&Surprise)
        .fitted()
        .reach("the far end", |&s| s == 1_000_000_000)
        .never("beyond", |&s| s > 1_000_000_000)
        .deadlock()
        .run();
    report.assert_holds();
    assert!(report.statistics.regress_edges > 0);
    assert!(report.statistics.explored >= 200_002);
}

/// A model that declares its effects, one of which decreases progress although it never occurs.
struct Cautious;

impl Model for Cautious {
    type State = u8;
    type Action = usize;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&u8)) {
        push(&0);
    }

    fn successors(&self, (): &mut (), state: &u8, sink: &mut impl Sink<Self>) -> Computed {
        if *state < 9 {
            sink.push(0, &(state + 1));
        }
        Ok(())
    }

    fn encode(&self, state: &u8, bytes: &mut Vec<u8>) {
        bytes.push(*state);
    }

    fn decode(&self, bytes: &[u8]) -> u8 {
        bytes[0]
    }
}

impl Features for Cautious {
    fn features(&self, state: &u8, push: &mut dyn FnMut(i64)) {
        push(i64::from(*state));
    }

    fn effects(&self) -> Option<Vec<Effect>> {
        Some(vec![vec![(0, 1)], vec![(0, -1)]])
    }

    fn effect(&self, action: &usize) -> Option<usize> {
        Some(*action)
    }
}

#[test]
fn what_is_not_proved_is_not_claimed() {
    for found in fit(&Cautious) {
        assert_eq!(found.monotone, Monotonicity::No);
        assert!(found.window > 0);
    }
}

#[test]
fn no_features_no_measure() {
    struct Blank;
    impl Model for Blank {
        type State = ();
        type Action = ();
        type Worker = ();

        fn worker(&self) {}
        fn initial(&self, push: &mut dyn FnMut(&())) {
            push(&());
        }
        fn successors(&self, (): &mut (), (): &(), sink: &mut impl Sink<Self>) -> Computed {
            sink.push((), &());
            Ok(())
        }
        fn encode(&self, (): &(), _: &mut Vec<u8>) {}
        fn decode(&self, _: &[u8]) {}
    }
    impl Features for Blank {
        fn features(&self, (): &(), _: &mut dyn FnMut(i64)) {}
    }
    assert!(fit(&Blank).is_empty());
    Check::new(&Blank).fitted().deadlock().run().assert_holds();
}
