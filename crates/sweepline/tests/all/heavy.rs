//! A state with more successors than fit into a batch: they are stored in parts, and none is lost.

use sweepline::progress::{Trivial, by};
use sweepline::{Check, Computed, Model, Options, Progress, Sink, WitnessMode};

/// Zero leads to all numbers up to `MANY`, those to the next one, and each has a large byte form.
struct Fan;

const MANY: u32 = 700;
const BYTES: usize = 64 << 10;

impl Model for Fan {
    type State = u32;
    type Action = u32;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&u32)) {
        push(&0);
    }

    fn successors(&self, (): &mut (), state: &u32, sink: &mut impl Sink<Self>) -> Computed {
        match *state {
            0 => (1..=MANY).chain(1..=MANY).for_each(|next| sink.push(next, &next)),
            last if last > MANY => {}
            other => sink.push(other, &(other + 1)),
        }
        Ok(())
    }

    fn encode(&self, state: &u32, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&state.to_le_bytes());
        bytes.resize(bytes.len() + BYTES, *state as u8);
    }

    fn decode(&self, bytes: &[u8]) -> u32 {
        u32::from_le_bytes(bytes[..4].try_into().expect("four bytes and more"))
    }
}

fn agrees(progress: impl Progress<Fan>, witness: WitnessMode) {
    let options = Options { witness, ..Options::default() };
    let check = Check::new(&Fan).progress(progress).options(options);
    let check = check.never("never", |&state| state == MANY + 1).deadlock();
    let report = check.bound("all", |&state| i64::from(state)).run();
    assert_eq!(report.stop, None);
    assert_eq!(report.property("all").unwrap().range, Some((0, i128::from(MANY) + 1)));
    if let Some(states) = report.statistics.states() {
        assert_eq!(states, u64::from(MANY) + 2);
        assert_eq!((report.statistics.edges, report.statistics.dead), (u64::from(MANY) * 3, 1));
    }
    let witness = report.property("never").unwrap().verdict.witness().expect("it is reached");
    let mut at = witness.initial;
    for step in &witness.steps {
        let next = sweepline::model::successors(&Fan, &at).unwrap();
        assert!(next.contains(&(step.action, step.state)));
        at = step.state;
    }
    assert_eq!(at, MANY + 1);
}

#[test]
fn successors_beyond_a_batch_are_stored() {
    for witness in [WitnessMode::Disk, WitnessMode::Recompute] {
        agrees(Trivial, witness);
        agrees(by(|&state: &u32| i64::from(state)), witness);
        agrees(by(|&state: &u32| -i64::from(state % 7)), witness);
    }
}
