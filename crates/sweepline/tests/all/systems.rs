//! Models written as `System`s: their own properties, reports as text, and states that serde does not store
//! faithfully.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sweepline::{Cache, Check, Report, StopReason, System, Verdict, ltl, progress};

/// Members join a group in any order, and may leave.
struct Group<S> {
    members: u8,
    join: fn(&S, u8) -> S,
}

impl<S: Clone + Default + Send + Sync + Serialize + DeserializeOwned> System for Group<S> {
    type State = S;
    type Action = u8;

    fn initial(&self) -> Vec<S> {
        vec![S::default()]
    }

    fn successors(&self, group: &S, push: &mut dyn FnMut(u8, S)) {
        (0..self.members).for_each(|member| push(member, (self.join)(group, member)));
    }
}

fn with<S: Clone + Extend<u8>>(set: &S, member: u8) -> S {
    let mut set = set.clone();
    set.extend([member]);
    set
}

/// The report blames the type of the states and names it.
#[track_caller]
fn assert_unfaithful<M: System>(report: &Report<M>, name: &str)
where
    M::State: Debug,
{
    let Some(StopReason::Model(message)) = &report.stop else { panic!("{:?}", report.stop) };
    assert!(message.contains(name) && message.contains("BTreeSet"), "{message}");
    assert!(!report.holds() && !report.is_violated());
}

#[test]
fn hash_sets_in_states_are_found_out() {
    let group = Group::<HashSet<u8>> { members: 7, join: with };
    let set = "HashSet<u8";
    assert_unfaithful(&Check::new(&group).run(), set);
    assert_unfaithful(&Check::new(&group).never("eight join", |group| group.len() > 7).run(), set);
    assert_unfaithful(&Check::new(&group).cache(Cache::new(100)).deadlock().run(), set);
    let full = ltl::state(|group: &HashSet<u8>| group.len() == 7);
    assert_unfaithful(&Check::new(&group).ltl("all join", full.eventually()).run(), set);
    let join = |map: &HashMap<u8, bool>, member| {
        let mut map = map.clone();
        map.insert(member, true);
        map
    };
    assert_unfaithful(&Check::new(&Group { members: 7, join }).run(), "HashMap<u8, bool");
}

#[test]
fn ordered_sets_are_not() {
    let report = Check::new(&Group::<BTreeSet<u8>> { members: 12, join: with }).deadlock().run();
    report.assert_holds();
    assert_eq!(report.statistics.states(), Some(1 << 12));
}

/// A queue of jobs that one worker takes. It may return the last one.
struct Jobs;

#[derive(Clone, Debug, Serialize, serde::Deserialize)]
struct Work {
    queue: Vec<u8>,
    doing: Option<u8>,
    done: u8,
}

impl System for Jobs {
    type State = Work;
    type Action = &'static str;

    fn initial(&self) -> Vec<Work> {
        vec![Work { queue: vec![1, 2], doing: None, done: 0 }]
    }

    fn successors(&self, work: &Work, push: &mut dyn FnMut(&'static str, Work)) {
        match (work.doing, &work.queue[..]) {
            (None, [first, rest @ ..]) => {
                push("take", Work { queue: rest.to_vec(), doing: Some(*first), ..*work });
            }
            (Some(job), queue) => {
                push("finish", Work { doing: None, done: work.done + 1, ..work.clone() });
                let queue = queue.iter().copied().chain([job]).collect();
                push("give back", Work { queue, doing: None, ..*work });
            }
            (None, []) => {}
        }
    }

    fn properties<'a>(&'a self, check: Check<'a, Self>) -> Check<'a, Self> {
        check.never("both are done", |work| work.done == 2)
    }
}

#[test]
fn a_check_asks_the_properties_of_the_model_first() {
    let report = Check::new(&Jobs).deadlock().run();
    let names: Vec<_> = report.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["both are done", "deadlock"]);
    let message = std::panic::catch_unwind(|| Check::new(&Jobs).run().assert_holds());
    let message = message.expect_err("it is violated");
    let expected = "
violated  both are done
7 states explored, 9 edges, at most 8 states stored
progress: no measure: every state kept
stopped early: all properties are decided

`both are done` is violated:
  0  Work { queue: [1, 2], doing: None, done: 0 }
  1  take
         queue: - [1] at the start
         doing: None -> Some(1)
  2  finish
         doing: Some(1) -> None
         done: 0 -> 1
  3  take
         queue: - [2]
         doing: None -> Some(2)
  4  finish
         doing: Some(2) -> None
         done: 1 -> 2
";
    assert_eq!(message.downcast_ref::<String>().unwrap(), expected);
}

#[test]
fn a_strict_check_shows_the_edge() {
    let taken = progress::by(|work: &Work| (work.done, work.doing.is_some())).named("jobs done");
    let report = Check::new(&Jobs).progress(taken).strict().run();
    assert!(matches!(&report.properties[0].verdict, Verdict::Unknown(StopReason::Regress(_))));
    let expected = "\
unknown   both are done: the progress measure is not monotone: an edge decreases progress from (0, 1) to (1, 0)
2 states explored, 1 edge, at most 2 states stored
progress: jobs done
stopped early: the progress measure is not monotone: an edge decreases progress from (0, 1) to (1, 0)
  before    Work { queue: [2], doing: Some(1), done: 0 }
  action    finish
  after     Work { queue: [2], doing: None, done: 1 }
              doing: Some(1) -> None
              done: 0 -> 1
  progress  (0, 1) -> (1, 0)
";
    assert_eq!(report.to_string(), expected);
}
