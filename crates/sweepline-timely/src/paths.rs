//! Counterexamples: the path to a state, gathered from the logs of all workers.

use serde::{Deserialize, Serialize};
use sweepline::codec::{read, to_bytes};
use sweepline::observe::Hit;
use sweepline::part::{OriginLog, Place, Segment};
use sweepline::{Interrupt, Paths, StopReason};

use crate::control::{Broken, Control};

/// The logs of the workers of this process, and the connections to the others.
pub(crate) struct Trail {
    pub(crate) logs: Vec<OriginLog>,
    pub(crate) control: Control,
    pub(crate) peers: u32,
    pub(crate) threads: usize,
    pub(crate) first_step: u64,
    pub(crate) interrupt: Interrupt,
}

/// What the process that has a state tells about it.
#[derive(Serialize, Deserialize)]
enum Answer {
    Segment(Segment),
    /// The origin was not recorded in this run.
    Unrecorded,
    Failed(String),
}

impl Trail {
    /// All processes call this for the same states in the same order.
    fn follow(&mut self, hit: &Hit) -> Result<Vec<u32>, StopReason> {
        self.logs.iter_mut().for_each(OriginLog::rewind);
        let (mut id, mut before) = (hit.id, hit.stored);
        let mut path = Vec::new();
        loop {
            if before < self.first_step {
                return Err(unrecorded());
            }
            let worker = Place::of_name(id.layer, self.peers) as usize;
            let (process, local) = (worker / self.threads, worker % self.threads);
            let own = process == self.control.index();
            let answer = own.then(|| match self.logs.get_mut(local) {
                None => Answer::Unrecorded,
                Some(log) => match log.segment(id, before) {
                    Ok(Some(segment)) => Answer::Segment(segment),
                    Ok(None) => Answer::Unrecorded,
                    Err(error) => Answer::Failed(error.to_string()),
                },
            });
            let interrupt = self.interrupt.clone();
            let all = self.control.share(&to_bytes(&answer), &|| interrupt.is_raised());
            let all = all.map_err(|broken| self.ended(broken))?;
            let answer = all.get(process).and_then(|bytes| read::<Option<Answer>>(bytes)).flatten();
            match answer {
                Some(Answer::Segment(segment)) => {
                    path.extend(segment.actions);
                    match segment.from {
                        Some(from) => (id, before) = from,
                        None => break,
                    }
                }
                Some(Answer::Unrecorded) | None => return Err(unrecorded()),
                Some(Answer::Failed(message)) => return Err(StopReason::Disk(message)),
            }
        }
        path.reverse();
        Ok(path)
    }

    fn ended(&self, broken: Broken) -> StopReason {
        match broken {
            Broken::Lost(process) => StopReason::Lost(format!("{process} was lost")),
            Broken::Stopped => self.interrupt.reason().unwrap_or(StopReason::Interrupted),
        }
    }
}

fn unrecorded() -> StopReason {
    let what = "the path began before the checkpoint that this run continued; run again from the start to see it";
    StopReason::Cluster(what.to_owned())
}

impl Paths for Trail {
    fn path(&mut self, hit: &Hit) -> Result<Vec<u32>, StopReason> {
        self.follow(hit)
    }
}
