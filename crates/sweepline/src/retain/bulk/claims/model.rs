//! All interleavings of some threads that claim states, and all values that memory may show them:
//! `RUSTFLAGS="--cfg loom" cargo test --release -p sweepline --lib claims`.

use loom::sync::Arc;
use loom::thread;

use super::{Claims, EdgeNumber};
use crate::retain::LayerId;

/// What a thread claims: the hash of a state, its bytes, and the edge.
type Claim = (u64, &'static [u8], u32);

/// Runs threads that claim states, in all ways, and compares the result with what one thread would find.
fn claimed_by(threads: &'static [&'static [Claim]]) {
    loom::model(move || {
        let mut claims = Claims::default();
        assert!(claims.begin(threads.len(), 1, 64));
        let claims = Arc::new(claims);
        let run = |(number, states): (usize, &'static [Claim])| {
            let claims = Arc::clone(&claims);
            thread::spawn(move || {
                let mut own = claims.own(number);
                let mut claimer = own.claimer();
                let claim = |&(hash, bytes, edge): &Claim| {
                    let edge = EdgeNumber::new(edge, 0);
                    let claimed = claimer.claim(LayerId::default(), hash, bytes, edge);
                    let (found, is_first) = claimed.expect("there is room");
                    (bytes, edge, found, is_first)
                };
                states.iter().map(claim).collect::<Vec<_>>()
            })
        };
        let running: Vec<_> = threads.iter().copied().enumerate().map(run).collect();
        let all: Vec<_> = running.into_iter().flat_map(|one| one.join().unwrap()).collect();
        for &(bytes, _, found, _) in &all {
            let (record, state) = claims.get(found);
            assert_eq!(state, bytes);
            let equal = || all.iter().filter(|(other, ..)| *other == bytes);
            assert!(equal().all(|&(_, _, other, _)| other == found), "one record for a state");
            let first = equal().map(|&(_, edge, ..)| edge).min().unwrap();
            assert_eq!(record.first(), first);
            // The list of the thread with the first edge has the candidate.
            assert!(equal().any(|&(_, edge, _, is_first)| edge == first && is_first));
        }
    });
}

#[test]
fn two_threads_find_one_state() {
    claimed_by(&[&[(0, b"state", 5)], &[(0, b"state", 3)]]);
}

#[test]
fn different_states_with_one_slot() {
    claimed_by(&[&[(0, b"a", 1), (4, b"b", 2)], &[(4, b"b", 4)]]);
}

#[test]
fn different_states_with_one_hash() {
    claimed_by(&[&[(7, b"a", 1)], &[(7, b"b", 2), (7, b"a", 3)]]);
}

#[test]
fn three_threads() {
    claimed_by(&[&[(0, b"a", 2)], &[(0, b"a", 1)], &[(0, b"a", 3)]]);
}
