//! The store alone: a grid whose successors cost nothing, kept whole, swept thin and swept thick.

use divan::{Bencher, counter::ItemsCount};
use sweepline::progress::{Trivial, by};
use sweepline::{Computed, Model, Options, Progress, Sink, WitnessMode, explore};

fn main() {
    divan::main();
}

/// Four counters up to `top`; each step raises one.
struct Grid {
    top: u8,
}

impl Model for Grid {
    type State = [u8; 4];
    type Action = usize;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&[u8; 4])) {
        push(&[0; 4]);
    }

    fn successors(&self, (): &mut (), state: &[u8; 4], sink: &mut impl Sink<Self>) -> Computed {
        for i in (0..4).filter(|&i| state[i] < self.top) {
            let mut next = *state;
            next[i] += 1;
            sink.push(i, &next);
        }
        Ok(())
    }

    fn encode(&self, state: &[u8; 4], bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(state);
    }

    fn decode(&self, bytes: &[u8]) -> [u8; 4] {
        bytes.try_into().expect("four bytes")
    }
}

fn run(bencher: Bencher<'_, '_>, top: u8, witness: WitnessMode, progress: impl Progress<Grid>) {
    let options = Options { witness, ..Options::default() };
    let states = (u64::from(top) + 1).pow(4);
    bencher.counter(ItemsCount::new(states)).bench(|| {
        let run = explore(&Grid { top }, &progress, &options, &mut ());
        assert_eq!(run.statistics.explored, states);
        run.statistics.peak_states
    });
}

#[divan::bench(args = [9, 31], sample_count = 10)]
fn full(bencher: Bencher<'_, '_>, top: u8) {
    run(bencher, top, WitnessMode::Off, Trivial);
}

#[divan::bench(args = [9, 31], sample_count = 10)]
fn full_with_witness_log(bencher: Bencher<'_, '_>, top: u8) {
    run(bencher, top, WitnessMode::Disk, Trivial);
}

#[divan::bench(args = [9, 31], sample_count = 10)]
fn swept_by_sum(bencher: Bencher<'_, '_>, top: u8) {
    run(
        bencher,
        top,
        WitnessMode::Off,
        by(|s: &[u8; 4]| s.iter().map(|&n| i64::from(n)).sum::<i64>()),
    );
}

#[divan::bench(args = [9, 31], sample_count = 10)]
fn swept_in_thin_layers(bencher: Bencher<'_, '_>, top: u8) {
    let number = |s: &[u8; 4]| s.iter().fold(0, |n, &digit| n * 64 + i64::from(digit));
    run(bencher, top, WitnessMode::Off, by(number));
}
