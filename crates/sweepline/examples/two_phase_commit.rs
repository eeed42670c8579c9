//! Lamport's two-phase commit as a plain Rust type, checked the way a design is checked in a unit
//! test.
//!
//! ```console
//! $ cargo run --release --example two_phase_commit -- 7      # members
//! $ cargo run --release --example two_phase_commit -- 10 16   # members, threads
//! ```

use serde::{Deserialize, Serialize};
use sweepline::{Check, System, progress};

/// The protocol for a number of resource managers.
pub struct TwoPhaseCommit {
    /// Resource managers, at most 16.
    pub members: usize,
    /// A possible design error: the transaction manager commits although one vote is missing.
    pub hasty: bool,
}

/// The state of a resource manager.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Member {
    Working,
    Prepared,
    Committed,
    Aborted,
}

/// The decision of the transaction manager.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Decision {
    None,
    Commit,
    Abort,
}

/// The state of the whole system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The resource managers.
    pub members: Vec<Member>,
    /// Votes sent, as a set of members.
    pub sent: u16,
    /// Votes heard by the transaction manager, as a set of members.
    pub heard: u16,
    /// Its decision, known to all.
    pub decision: Decision,
}

/// The steps of the protocol; a number is a resource manager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Step {
    Commit,
    Abort,
    Hear(usize),
    Prepare(usize),
    ChooseAbort(usize),
    LearnCommit(usize),
    LearnAbort(usize),
}

impl TwoPhaseCommit {
    fn member_steps(&self, s: &State, i: usize, push: &mut dyn FnMut(Step, State)) {
        let mut become_ = |step: Step, member: Member, sent: u16| {
            let mut next = s.clone();
            next.members[i] = member;
            next.sent |= sent;
            push(step, next);
        };
        let member = s.members[i];
        if member == Member::Working {
            become_(Step::Prepare(i), Member::Prepared, 1 << i);
            become_(Step::ChooseAbort(i), Member::Aborted, 0);
        }
        if s.decision == Decision::Commit && member == Member::Prepared {
            become_(Step::LearnCommit(i), Member::Committed, 0);
        }
        if s.decision == Decision::Abort && matches!(member, Member::Working | Member::Prepared) {
            become_(Step::LearnAbort(i), Member::Aborted, 0);
        }
    }
}

impl System for TwoPhaseCommit {
    type State = State;
    type Action = Step;

    fn initial(&self) -> Vec<State> {
        let members = vec![Member::Working; self.members];
        vec![State { members, sent: 0, heard: 0, decision: Decision::None }]
    }

    fn successors(&self, s: &State, push: &mut dyn FnMut(Step, State)) {
        if s.decision == Decision::None {
            let missing = self.members - s.heard.count_ones() as usize;
            if missing == 0 || (self.hasty && missing == 1) {
                push(Step::Commit, State { decision: Decision::Commit, ..s.clone() });
            }
            push(Step::Abort, State { decision: Decision::Abort, ..s.clone() });
            for i in (0..self.members).filter(|i| s.sent & !s.heard & 1 << i != 0) {
                push(Step::Hear(i), State { heard: s.heard | 1 << i, ..s.clone() });
            }
        }
        (0..self.members).for_each(|i| self.member_steps(s, i, push));
    }
}

/// Whether two members disagree.
pub fn inconsistent(s: &State) -> bool {
    s.members.contains(&Member::Committed) && s.members.contains(&Member::Aborted)
}

/// The progress measure: nothing is ever undone, so decisions, votes heard, votes sent and steps of members
/// add up.
pub fn steps_taken(s: &State) -> i64 {
    let done = |member: &Member| match member {
        Member::Working => 0,
        Member::Prepared => 1,
        Member::Committed | Member::Aborted => 2,
    };
    let members: i64 = s.members.iter().map(done).sum();
    members + i64::from(s.heard.count_ones()) + i64::from(s.decision != Decision::None)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default, what| arguments.next().map_or(default, |n| n.parse().expect(what));
    let members = number(5, "a number of members");
    let threads = number(1, "a number of threads");
    let report = Check::new(&TwoPhaseCommit { members, hasty: false })
        .progress(progress::by(steps_taken))
        .threads(threads)
        .never("members disagree", inconsistent)
        .run();
    report.assert_holds();
    let figures = &report.statistics;
    println!(
        "{members} members: {} states, of which at most {} were stored; {:.2} s on {threads} threads",
        figures.explored,
        figures.peak_states,
        figures.elapsed.as_secs_f64()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_never_disagree() {
        let report = Check::new(&TwoPhaseCommit { members: 5, hasty: false })
            .progress(progress::by(steps_taken))
            .strict()
            .never("members disagree", inconsistent)
            .run();
        report.assert_holds();
        assert_eq!(report.statistics.states(), Some(8_832));
        assert!(report.statistics.peak_states < 8_832 / 2);
    }

    /// A broken design: the test fails with the steps that lead to the violation.
    #[test]
    #[should_panic(expected = "`members disagree` is violated")]
    fn a_hasty_manager_is_found_out() {
        Check::new(&TwoPhaseCommit { members: 3, hasty: true })
            .progress(progress::by(steps_taken))
            .never("members disagree", inconsistent)
            .run()
            .assert_holds();
    }

    #[test]
    fn the_trace_is_readable() {
        let report = Check::new(&TwoPhaseCommit { members: 2, hasty: true })
            .progress(progress::by(steps_taken))
            .never("members disagree", inconsistent)
            .run();
        let witness = report.properties[0].verdict.witness().expect("a witness");
        let expected = "
  0  State { members: [Working, Working], sent: 0, heard: 0, decision: None }
  1  Prepare(0)
         members[0]: Working -> Prepared
         sent: 0 -> 1
  2  Hear(0)
         heard: 0 -> 1
  3  Commit
         decision: None -> Commit
  4  LearnCommit(0)
         members[0]: Prepared -> Committed
  5  ChooseAbort(1)
         members[1]: Working -> Aborted
";
        assert_eq!(witness.to_string(), expected[1..]);
    }
}
