//! The checks that pages began. They go on when a page is closed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use sweepline::{Cause, Interrupt};
use sweepline_serve::Refusal;

use super::chart;
use super::check::{Answers, Progress, Told};
use super::desk::Open;
use crate::report::Point;
use crate::watch::{Moment, Stored};

/// The most checks that run at the same time.
const MOST_RUNNING: usize = 4;
/// The most checks that are kept.
const MOST: usize = 40;

/// The checks, and the number of the last change of any of them.
#[derive(Default)]
pub(super) struct Jobs {
    all: Mutex<Vec<Arc<Job>>>,
    last: Arc<AtomicU64>,
}

/// A check that runs, or has run.
struct Job {
    number: u64,
    title: String,
    /// The model that is checked.
    of: Open,
    interrupt: Interrupt,
    last: Arc<AtomicU64>,
    state: Mutex<State>,
}

struct State {
    /// The number of its last change.
    changed: u64,
    phase: &'static str,
    started: Instant,
    moment: Moment,
    points: Vec<Point>,
    course: Vec<Stored>,
    /// What it found, once it is over.
    outcome: Option<Result<Box<dyn Answers>, String>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jobs {
    /// Starts a check on a thread of its own; its number.
    pub(super) fn start(
        &self,
        title: String,
        of: Open,
        work: impl FnOnce(&Progress) -> Result<Box<dyn Answers>, Refusal> + Send + 'static,
    ) -> Result<u64, Refusal> {
        let mut all = locked(&self.all);
        if all.iter().filter(|job| job.is_running()).count() >= MOST_RUNNING {
            return Err(Refusal::new(format!("{MOST_RUNNING} checks are running: stop one first")));
        }
        if all.len() >= MOST
            && let Some(oldest) = all.iter().position(|job| !job.is_running())
        {
            all.remove(oldest);
        }
        let number = all.last().map_or(1, |job| job.number + 1);
        let job = Arc::new(Job {
            number,
            title,
            of,
            interrupt: Interrupt::default(),
            last: self.last.clone(),
            state: Mutex::new(State {
                changed: 0,
                phase: "starting",
                started: Instant::now(),
                moment: Moment::default(),
                points: Vec::new(),
                course: Vec::new(),
                outcome: None,
            }),
        });
        all.push(job.clone());
        drop(all);
        job.change(|_| ());
        let working = job.clone();
        let thread = thread::Builder::new().name(format!("check {number}"));
        let started = thread.spawn(move || working.run(work));
        if let Err(error) = started {
            job.change(|state| {
                state.outcome = Some(Err(format!("the check cannot start: {error}")))
            });
        }
        Ok(number)
    }

    fn job(&self, number: u64) -> Result<Arc<Job>, Refusal> {
        let all = locked(&self.all);
        let job = all.iter().find(|job| job.number == number).cloned();
        job.ok_or_else(|| Refusal::gone("this check is not there any more"))
    }

    /// Asks a check to stop.
    pub(super) fn stop(&self, number: u64) -> Result<(), Refusal> {
        self.job(number).map(|job| job.interrupt.raise())
    }

    /// Asks all checks to stop.
    pub(super) fn stop_all(&self, cause: Cause) {
        locked(&self.all).iter().for_each(|job| job.interrupt.raise_for(cause));
    }

    /// Some check is running.
    pub(super) fn is_running(&self) -> bool {
        locked(&self.all).iter().any(|job| job.is_running())
    }

    /// The number of the last change.
    pub(super) fn last(&self) -> u64 {
        self.last.load(Ordering::SeqCst)
    }

    /// Counts a change of something else.
    pub(super) fn note(&self) -> u64 {
        self.last.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// The checks that changed after the change with number `seen`.
    pub(super) fn changed(&self, seen: u64) -> Vec<Value> {
        let all: Vec<Arc<Job>> = locked(&self.all).clone();
        all.iter().filter_map(|job| job.as_data(seen)).collect()
    }

    /// Calls `work` with what a check found, and with the model that was checked.
    pub(super) fn with_answers<T>(
        &self,
        number: u64,
        work: impl FnOnce(&dyn Answers, &Open) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let job = self.job(number)?;
        let state = locked(&job.state);
        match &state.outcome {
            Some(Ok(answers)) => work(&**answers, &job.of),
            _ => Err(Refusal::new("this check has no results")),
        }
    }
}

impl Job {
    fn is_running(&self) -> bool {
        locked(&self.state).outcome.is_none()
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = locked(&self.state);
        change(&mut state);
        state.changed = self.last.fetch_add(1, Ordering::SeqCst) + 1;
    }

    fn run(self: &Arc<Self>, work: impl FnOnce(&Progress) -> Result<Box<dyn Answers>, Refusal>) {
        let told = self.clone();
        let tell = move |what| {
            told.change(|state| match what {
                Told::Phase(phase) => state.phase = phase,
                Told::Moment(moment, points, course) => {
                    state.moment = *moment;
                    (state.points, state.course) = (points, course);
                }
            });
        };
        let progress = Progress { interrupt: self.interrupt.clone(), tell: Box::new(tell) };
        let run = std::panic::AssertUnwindSafe(|| work(&progress));
        let outcome = match std::panic::catch_unwind(run) {
            Ok(outcome) => outcome.map_err(|refusal| refusal.message),
            Err(_) => Err("internal error: please report it with the model".into()),
        };
        self.change(|state| {
            state.phase = "";
            state.outcome = Some(outcome);
        });
    }

    /// The check as data, if it changed after the change with number `seen`.
    fn as_data(&self, seen: u64) -> Option<Value> {
        let state = locked(&self.state);
        if state.changed <= seen {
            return None;
        }
        let Moment { statistics, progress, estimate } = &state.moment;
        let is_sweep = state.points.len() > 1;
        let chart = match (is_sweep, state.course.len()) {
            (true, _) => Some(chart::sweep(&state.points)),
            (false, 2..) => Some(chart::course(&state.course)),
            _ => None,
        };
        let (results, failed) = match &state.outcome {
            None => (None, None),
            Some(Ok(answers)) => (Some(answers.results()), None),
            Some(Err(message)) => (None, Some(message)),
        };
        let seconds = match state.outcome {
            None => state.started.elapsed().as_secs_f64(),
            Some(_) => statistics.elapsed.as_secs_f64(),
        };
        Some(json!({
            "number": self.number, "title": self.title, "phase": state.phase,
            "settings": self.of.settings.words(), "stamp": self.of.stamp.to_string(),
            "running": state.outcome.is_none(), "seconds": seconds, "explored": statistics.explored,
            "stored": statistics.stored, "peak": statistics.peak_states, "sweeps": statistics.sweeps,
            "layers": statistics.layers, "progress": progress, "estimate": estimate,
            "sweeping": is_sweep, "chart": chart, "results": results, "failed": failed,
        }))
    }
}
