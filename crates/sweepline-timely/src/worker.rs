//! A worker: the loop of one thread on the states that belong to it, in step with all other workers.

use std::time::{Duration, Instant};

use sweepline::check::{Task, WorkerShare};
use sweepline::checkpoint::Saved;
use sweepline::codec::{read, to_bytes};
use sweepline::part::{OriginLog, Part, Place};
use sweepline::{Model, Observer, Options, Statistics, StopReason, Value};

use crate::course::{Course, Order, Rules, Turn};
use crate::flow::Flow;
use crate::saving::{Continued, Saving};
use crate::vigil::Vigil;
use crate::wire::{Note, Stop};

/// States that a worker expands between two exchanges.
const ROUND: u64 = 8192;
/// The same in time, for models whose successors take long to compute.
const ROUND_TIME: Duration = Duration::from_millis(20);
/// Interval between two pulses.
const PULSE: Duration = Duration::from_millis(100);

/// What became of the exploration, as one worker knows it.
pub(crate) struct Ended {
    pub(crate) statistics: Statistics,
    pub(crate) stop: Option<StopReason>,
    pub(crate) facts: Vec<Vec<u8>>,
    pub(crate) shares: Vec<WorkerShare>,
    pub(crate) log: Option<OriginLog>,
    pub(crate) saved: Option<Saved>,
    /// The first step of this run; those of runs that it continues come before.
    pub(crate) first_step: u64,
}

/// What a worker needs.
pub(crate) struct Member<'t, M: Model> {
    pub(crate) task: &'t Task<'t, M>,
    pub(crate) part: Part<'t, M>,
    pub(crate) flow: Flow,
    pub(crate) vigil: Vigil,
    pub(crate) saving: Option<Saving>,
    pub(crate) threads: usize,
    course: Course,
    /// The facts that each worker reported last, and those of earlier runs.
    facts: Vec<Vec<u8>>,
    restored: Vec<Vec<u8>>,
    /// How many questions the own observer had decided when its facts were sent last.
    reported: u64,
    notes: Vec<Note>,
    started: Instant,
    pulsed: Instant,
    deadline: Option<Instant>,
    first_step: u64,
}

type Step<T = ()> = Result<T, StopReason>;

impl<'t, M: Model> Member<'t, M> {
    pub(crate) fn new(
        task: &'t Task<'t, M>,
        options: &'t Options,
        (flow, vigil, saving): (Flow, Vigil, Option<Saving>),
        observer: sweepline::observe::Fork<'t, M>,
        threads: usize,
    ) -> Self {
        let place = Place { index: flow.index(), peers: flow.peers() };
        let rules = Rules {
            columns: task.progress.columns(),
            window: options.window,
            anchor: options.anchor,
            states: options.limits.states,
            count: options.count,
            round: ROUND,
        };
        let peers = flow.peers() as usize;
        let now = Instant::now();
        Member {
            part: Part::new(task.model, task.progress, task.reduction, options, observer, place),
            course: Course::new(rules, peers),
            facts: vec![Vec::new(); peers],
            restored: Vec::new(),
            reported: 0,
            notes: Vec::new(),
            started: now,
            pulsed: now,
            deadline: options.limits.ends(),
            first_step: 1,
            task,
            flow,
            vigil,
            saving,
            threads,
        }
    }

    /// Explores together with all other workers. The first worker of a process shows levels and pulses to
    /// `watcher`.
    pub(crate) fn run(mut self, mut watcher: Option<&mut dyn Observer<M>>) -> Ended {
        let mut stop = None;
        let mut done = self.begin();
        let ended = loop {
            let note = self.note(done);
            match self.agree(note) {
                Err(lost) => break Err(lost),
                Ok(reason) => stop = reason,
            }
            self.show_pulse(&mut watcher);
            if self.course.is_counting() && stop.is_some() {
                self.course.give_up_counting();
                stop = None;
                break Ok(());
            }
            if stop.is_some() {
                break Ok(());
            }
            let save = self.notes[0].save;
            match self.course.next(self.flow.index() as usize, save) {
                Turn::End => break Ok(()),
                Turn::Orders(orders) => done = self.perform(orders, &mut watcher),
            }
            if matches!(done, Err(StopReason::Lost(_))) {
                break done;
            }
        };
        let ended = ended.and_then(|()| self.share_facts());
        self.finish(stop, ended)
    }

    /// Stores the first states.
    fn begin(&mut self) -> Step {
        match self.saving.as_mut().and_then(|saving| saving.continued.take()) {
            None => self.part.store_initial()?,
            Some(continued) => self.restore(continued)?,
        }
        self.part.end_step()
    }

    /// Stores the states of a checkpoint.
    fn restore(&mut self, continued: Continued) -> Step {
        let Continued { mut pieces, course, step, facts, .. } = continued;
        (self.first_step, self.restored) = (step + 1, facts);
        self.part.continue_steps(step);
        self.course.restore(&course);
        let mut failed: Option<StopReason> = None;
        for _ in 0..Part::<M>::CLASSES {
            let mut is_read = false;
            loop {
                let mut parcels = Vec::new();
                if !is_read && failed.is_none() {
                    match self.part.read_saved(&mut pieces) {
                        Ok(None) => is_read = true,
                        Ok(Some(read)) => parcels = read,
                        Err(stop) => failed = Some(stop),
                    }
                }
                let vigil = &mut self.vigil;
                for parcel in self.flow.exchange(parcels, || vigil.check())? {
                    if failed.is_none() {
                        let taken = self.part.take_restored(&mut pieces, &parcel.bytes.0);
                        failed = taken.err();
                    }
                }
                let state: (bool, Option<Stop>) = (is_read, failed.clone().map(Stop::from));
                let states = self.flow.broadcast(&to_bytes(&state), || vigil.check())?;
                let states: Vec<(bool, Option<Stop>)> =
                    states.iter().filter_map(|state| read(state)).collect();
                if let Some(stop) = Stop::of_all(states.iter().filter_map(|s| s.1.as_ref())) {
                    return Err(stop);
                }
                if states.iter().all(|state| state.0) {
                    break;
                }
            }
        }
        self.part.restore_line(course.line.clone());
        self.part.end_restoring(pieces)
    }

    /// What the worker tells the others after a step that was `done`.
    fn note(&mut self, done: Step) -> Note {
        let account = self.part.account(self.course.column.as_ref());
        let limit = || {
            let is_over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let over = is_over.then_some(StopReason::Time);
            self.task.options.interrupt.reason().or(over)
        };
        let stop = match done {
            // The model only knows that it was to stop.
            Err(StopReason::Interrupted) => {
                Some(self.task.options.interrupt.reason().unwrap_or(StopReason::Memory))
            }
            Err(stop) => Some(stop),
            Ok(()) => limit(),
        };
        let is_new = account.decided != self.reported || stop == Some(StopReason::Decided);
        self.reported = account.decided;
        Note {
            stop: stop.map(Stop::from),
            facts: if is_new { self.part.facts() } else { None },
            restored: std::mem::take(&mut self.restored),
            save: self.saving.as_ref().is_some_and(Saving::is_due),
            saved: self.saving.as_mut().and_then(Saving::take_result),
            waited: self.flow.waited.as_secs_f64(),
            sent: self.flow.sent,
            account,
        }
    }

    /// Exchanges notes with all workers. Returns why the run ends, if it does.
    fn agree(&mut self, note: Note) -> Step<Option<StopReason>> {
        let vigil = &mut self.vigil;
        let notes = self.flow.broadcast(&to_bytes(&note), || vigil.check())?;
        let notes: Option<Vec<Note>> = notes.iter().map(|note| read(note)).collect();
        let notes = notes.filter(|notes| notes.len() == self.flow.peers() as usize);
        self.notes = notes.ok_or_else(|| {
            StopReason::Internal("another worker sent a note that cannot be read".into())
        })?;
        for (number, note) in self.notes.iter_mut().enumerate() {
            if let Some(facts) = note.facts.take() {
                self.facts[number] = facts;
            }
            self.facts.append(&mut note.restored);
        }
        let accounts = self.notes.iter().map(|note| note.account.clone()).collect();
        let limit = self.course.note(accounts);
        let stop = Stop::of_all(self.notes.iter().filter_map(|note| note.stop.as_ref()));
        if let Some(saving) = &mut self.saving {
            let results: Vec<_> = self.notes.iter().filter_map(|n| n.saved.as_ref()).collect();
            let explored = self.course.statistics().explored;
            if let Err(failed) = saving.end(&results, self.flow.peers(), explored) {
                return Ok(Some(failed));
            }
        }
        let is_decided = self.task.are_decided(&self.facts);
        let decided = is_decided.then_some(StopReason::Decided);
        Ok(match stop {
            Some(stop) if stop.is_fault() => Some(stop),
            stop => decided.or(stop).or(limit),
        })
    }

    fn perform(&mut self, orders: Vec<Order>, watcher: &mut Option<&mut dyn Observer<M>>) -> Step {
        let mut done = Ok(());
        for order in orders {
            let ordered = match order {
                Order::Expand(most) => {
                    // All workers take part in the exchange, also one that failed.
                    self.expand(if done.is_ok() { most } else { 0 })
                }
                order if done.is_ok() => self.execute(order, watcher),
                _ => Ok(()),
            };
            match ordered {
                Err(lost @ StopReason::Lost(_)) => return Err(lost),
                failed => done = done.and(failed),
            }
        }
        done
    }

    /// Executes an order that concerns this worker alone.
    fn execute(&mut self, order: Order, watcher: &mut Option<&mut dyn Observer<M>>) -> Step {
        let Member { part, course, .. } = self;
        match order {
            Order::Pass => part.pass(),
            Order::BeginColumn(value) => part.begin_column(&value),
            Order::MoveLine(value) => part.move_line(&value),
            Order::DropBelow(value) => part.drop_below(Some(&value))?,
            Order::PinToo(value) => part.pin_too(&value),
            Order::OpenToo(value) => part.open_too(&value),
            Order::NoteDropped(value) => part.note_dropped(&value),
            Order::BeginLevel => {
                part.begin_level();
                if let (Some(watcher), false) = (watcher, course.is_counting()) {
                    let statistics = self.statistics();
                    let line = self.course.line().cloned().unwrap_or_default();
                    watcher.level(&line, &statistics)?;
                }
            }
            Order::EndSweep => part.end_sweep()?,
            Order::OpenRoots(value) => part.open_roots(&value),
            Order::LeaveColumn(value) => part.leave_column(&value),
            Order::BeginCounting => part.begin_counting()?,
            Order::Save => {
                if let Some(saving) = &mut self.saving {
                    saving.save(part, course);
                }
            }
            Order::Expand(_) => unreachable!("it concerns all workers"),
        }
        Ok(())
    }

    /// Expands at most `most` states, and stores the successors that belong to this worker.
    fn expand(&mut self, most: u64) -> Step {
        let mut done = self.part.expand(most, ROUND_TIME);
        let parcels = self.part.parcels();
        let vigil = &mut self.vigil;
        for parcel in self.flow.exchange(parcels, || vigil.check())? {
            if done.is_ok() {
                done = self.part.receive(&parcel.bytes.0);
            }
        }
        done.and(self.part.end_step())
    }

    fn statistics(&self) -> Statistics {
        let before = self.saving.as_ref().map_or(Duration::ZERO, |saving| saving.before);
        Statistics { elapsed: before + self.started.elapsed(), ..self.course.statistics() }
    }

    fn show_pulse(&mut self, watcher: &mut Option<&mut dyn Observer<M>>) {
        let Some(watcher) = watcher else { return };
        if self.pulsed.elapsed() < PULSE {
            return;
        }
        self.pulsed = Instant::now();
        let decided = self.notes.iter().map(|note| note.account.decided).max();
        let statistics = Statistics { decided: decided.unwrap_or(0), ..self.statistics() };
        watcher.pulse(self.course.line().unwrap_or(&Value::default()), &statistics);
        if let Some(saved) = self.saving.as_mut().and_then(Saving::take_report) {
            watcher.saved(&saved);
        }
    }

    /// Exchanges the facts of all observers.
    fn share_facts(&mut self) -> Step {
        let own = to_bytes(&self.part.facts());
        let vigil = &mut self.vigil;
        for (number, facts) in self.flow.broadcast(&own, || vigil.check())?.into_iter().enumerate()
        {
            match read::<Option<Vec<u8>>>(&facts) {
                Some(Some(facts)) => self.facts[number] = facts,
                _ => {
                    let what = "the results of a worker cannot be read".to_owned();
                    return Err(StopReason::Internal(what));
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, stop: Option<StopReason>, ended: Step) -> Ended {
        let statistics = self.statistics();
        let shares = self.shares();
        let saved = self.saving.take().map(Saving::into_saved);
        let is_whole = ended.is_ok();
        // What was decided before a process was lost stays decided.
        let stop = match ended {
            Ok(()) => stop,
            Err(_) if stop == Some(StopReason::Decided) => stop,
            Err(lost) => Some(lost),
        };
        self.facts.retain(|facts| !facts.is_empty());
        if !is_whole {
            // The dataflow cannot be ended without the others.
            std::mem::forget(self.flow);
        } else {
            self.vigil.dismiss();
            self.flow.finish();
        }
        let log = self.part.into_log();
        let (facts, first_step) = (self.facts, self.first_step);
        Ended { statistics, stop, facts, shares, log, saved, first_step }
    }

    fn shares(&self) -> Vec<WorkerShare> {
        let peaks = self.course.peaks();
        let share = |(number, note): (usize, &Note)| WorkerShare {
            process: number / self.threads,
            worker: number % self.threads,
            explored: note.account.tally.explored,
            peak_states: peaks[number],
            sent_bytes: note.sent,
            waited: note.waited,
        };
        self.notes.iter().enumerate().map(share).collect()
    }
}
