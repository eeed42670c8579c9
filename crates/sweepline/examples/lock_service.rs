//! A lock service: leases may expire without the client noticing, so the storage must check the tokens of
//! writes.
use serde::{Deserialize, Serialize};
use sweepline::{Check, Report, System, progress};

struct Lock(bool); // whether the storage rejects tokens older than the last one it has seen

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    tokens: [Option<u8>; 2], // which the clients will write with
    granted: u8,
    writes: Vec<u8>,
}

impl System for Lock {
    type State = State;
    type Action = String;
    fn initial(&self) -> Vec<State> {
        vec![State::default()]
    }
    fn successors(&self, s: &State, push: &mut dyn FnMut(String, State)) {
        for client in 0..2 {
            let mut next = s.clone();
            if let Some(token) = next.tokens[client].take() {
                next.writes.extend((!self.0 || s.writes.last() < Some(&token)).then_some(token));
                push(format!("client {client} writes"), next);
            } else if s.granted < 4 {
                (next.granted, next.tokens[client]) = (s.granted + 1, Some(s.granted));
                push(format!("client {client} locks"), next);
            }
        }
    }
}

fn check(fenced: bool) -> Report<Lock> {
    let by = progress::by(|s: &State| (s.granted, s.writes.len()));
    Check::new(&Lock(fenced)).progress(by).always("writes in order", |s| s.writes.is_sorted()).run()
}

fn main() {
    check(std::env::args().len() == 1).assert_holds(); // fails where an argument is given
}

#[test]
fn stale_tokens_are_rejected() {
    check(true).assert_holds();
    assert!(check(false).is_violated());
}
