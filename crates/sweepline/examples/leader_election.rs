//! Leader election in a ring: a number is passed on until a node drops it, or it returns to its node, which
//! wins.
use serde::{Deserialize, Serialize};
use sweepline::{Check, Report, System, progress};

struct Ring(Vec<u8>, bool); // the numbers of the nodes; whether nodes drop lower numbers

#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    sent: Vec<Vec<u8>>, // by each node, and not yet received by the next one
    leaders: Vec<u8>,
}

impl System for Ring {
    type State = State;
    type Action = String;
    fn initial(&self) -> Vec<State> {
        vec![State { sent: self.0.iter().map(|&own| vec![own]).collect(), leaders: vec![] }]
    }
    fn successors(&self, s: &State, push: &mut dyn FnMut(String, State)) {
        for from in (0..self.0.len()).filter(|&from| !s.sent[from].is_empty()) {
            let (to, mut next) = ((from + 1) % self.0.len(), s.clone());
            let (own, number) = (self.0[to], next.sent[from].remove(0));
            if own == number {
                next.leaders.push(own);
            } else if own < number || !self.1 {
                next.sent[to].push(number);
            }
            push(format!("{own} receives {number}"), next);
        }
    }
}

fn check(drops_lower: bool) -> Report<Ring> {
    let measure = progress::by(|s: &State| -(s.sent.concat().len() as i64));
    let ring = Ring(vec![2, 3, 1], drops_lower);
    Check::new(&ring).progress(measure).never("two leaders", |s| s.leaders.len() > 1).run()
}

fn main() {
    check(std::env::args().len() == 1).assert_holds(); // fails where an argument is given
}

#[test]
fn one_leader_is_elected() {
    check(true).assert_holds();
    assert!(check(false).is_violated());
}
