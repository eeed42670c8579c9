//! Sweeps that call functions of a script.

use std::sync::Mutex;
use std::time::Duration;

use num_bigint::Sign;
use num_traits::ToPrimitive;
use sweepline::observe::{ClosedLayer, Flow, Visit};
use sweepline::{
    Computed, Model, ModelError, Monotone, Observer, Options, Progress, Statistics, StopReason,
    Value, explore,
};
use sweepline_ml::{Fold, Halt, Machine, Outside, Question, Word};

use super::answer::{Answer, Ended, OfMarking};
use super::version::locked;
use crate::explore::element::{Element, Elements};
use crate::explore::{CpnModel, Marking, Worker};

/// What a sweep passes to the script, as flags.
const NODES: i64 = 1;
const ARCS: i64 = 2;
const DEAD: i64 = 4;
/// Passed in place of a transition.
const NODE: i64 = -1;
const DEAD_NODE: i64 = -2;

const LOG_HEADER: &str = "progress,states,held,peak,explored,seconds";

/// A sweep for a script.
pub(super) struct Sweep<'a, 'm> {
    answer: &'a Answer<'m>,
    machine: Mutex<&'a mut Machine>,
    fold: &'a Fold,
    measure: Word,
    event: Word,
    seen: i64,
    log: Option<String>,
    /// Why the script cannot continue.
    failed: Mutex<Option<Halt>>,
}

impl Answer<'_> {
    /// Sweeps, and returns the value that the script folded.
    pub(super) fn sweep(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt> {
        let argument = |at| question.argument(at);
        let (options, log) = self.sweep_options(machine, question, 2);
        locked(&self.kept).clear();
        let fold = machine.begin_fold(question.layout, argument(0))?;
        let mut sweep = Sweep::new(self, machine, &fold, argument(1), log);
        (sweep.seen, sweep.event) = (Machine::to_int(argument(5)), argument(6));
        let done = sweep.run(&options);
        let value = machine.end_fold(fold);
        done.map(|()| value)
    }

    /// The options of a sweep and its log file, from the arguments `at` and the next two: the collection
    /// threshold, seconds, and the file.
    pub(super) fn sweep_options(
        &self,
        machine: &Machine,
        question: &Question,
        at: usize,
    ) -> (Options, Option<String>) {
        let [gc, secs] = [at, at + 1].map(|at| Machine::to_int(question.argument(at)));
        let log = machine.list(question.argument(at + 2)).next();
        let log = log.map(|name| machine.text(name));
        let mut options = self.options.explore.clone();
        options.monotone = Monotone::Strict;
        options.gc = u64::try_from(gc).ok().filter(|gc| *gc > 0);
        if let Some(limit) = u64::try_from(secs).ok().filter(|secs| *secs > 0) {
            options.limits.time = Some(Duration::from_secs(limit));
        }
        (options, log)
    }
}

impl<'a, 'm> Sweep<'a, 'm> {
    /// A sweep that calls only the progress measure of the script.
    pub(super) fn new(
        answer: &'a Answer<'m>,
        machine: &'a mut Machine,
        fold: &'a Fold,
        measure: Word,
        log: Option<String>,
    ) -> Self {
        let (machine, failed) = (Mutex::new(machine), Mutex::default());
        Sweep { answer, machine, fold, measure, event: 0, seen: 0, log, failed }
    }

    /// Why the script cannot continue.
    pub(super) fn take_failed(&self) -> Option<Halt> {
        locked(&self.failed).take()
    }

    /// The result of a function of the script, or an error that ends the sweep.
    fn settled<T>(&self, done: Result<T, Halt>) -> Result<T, ModelError> {
        done.map_err(|halt| {
            locked(&self.failed).get_or_insert(halt);
            "a function of the script raised an exception".into()
        })
    }

    /// Whether a marking satisfies a predicate of the script.
    pub(super) fn holds(&self, predicate: Word, marking: &Marking) -> Computed<bool> {
        self.settled(self.satisfied(self.answer, predicate, marking))
    }

    /// The same for an atom of a formula.
    pub(super) fn holds_at(&self, predicate: Word, marking: &Marking) -> Computed<bool> {
        self.settled(self.satisfied(&OfMarking(self.answer), predicate, marking))
    }

    fn satisfied(
        &self,
        outside: &dyn Outside,
        predicate: Word,
        marking: &Marking,
    ) -> Result<bool, Halt> {
        let machine = &mut **locked(&self.machine);
        let bytes = machine.memory().string(marking.bytes())?;
        let holds = Machine::to_int(machine.apply(outside, predicate, &[bytes])?) != 0;
        machine.forget();
        Ok(holds)
    }

    /// Starts the log, if there is one.
    pub(super) fn begin_log(&self) -> Result<(), Halt> {
        self.log(LOG_HEADER)
    }

    fn run(&self, options: &Options) -> Result<(), Halt> {
        self.begin_log()?;
        let (model, forms) = (self.answer.model(), self.answer.forms);
        let exploration = match self.seen & ARCS {
            0 => explore(model, self, options, &mut &*self),
            _ => {
                let model = &Elements { model, forms };
                explore(model, self, options, &mut &*self)
            }
        };
        if let Some(halt) = self.take_failed() {
            return Err(halt);
        }
        *locked(&self.answer.statistics) = exploration.statistics;
        match exploration.stop {
            None => Ok(()),
            Some(StopReason::Regress(regress)) => {
                Err(self.answer.give_up(Ended::Rejected(regress)))
            }
            Some(reason) => Err(self.answer.give_up(Ended::Stopped(reason))),
        }
    }

    /// The progress of a marking.
    fn progress(&self, marking: &Marking) -> Result<i64, Halt> {
        let machine = &mut **locked(&self.machine);
        let bytes = machine.memory().string(marking.bytes())?;
        let number = machine.apply(&OfMarking(self.answer), self.measure, &[bytes])?;
        let number = machine.int_inf(number);
        machine.forget();
        // Values beyond 64 bits are clamped, which keeps the order.
        let end = if number.sign() == Sign::Minus { i64::MIN } else { i64::MAX };
        Ok(number.to_i64().unwrap_or(end))
    }

    /// Passes a marking or an arc to the script.
    fn show(&self, what: i64, source: &[u8], element: &[u8], target: &[u8]) -> Result<(), Halt> {
        let machine = &mut **locked(&self.machine);
        let mut memory = machine.memory();
        let source = memory.string(source)?;
        let (element, target) = (memory.string(element)?, memory.string(target)?);
        let arguments = [Machine::from_int(what), source, element, target];
        machine.step_fold(self.fold, self.answer, self.event, &arguments)
    }

    /// Passes a marking to the script, if the script wants this kind.
    fn shown(&self, wanted: i64, what: i64, bytes: &[u8]) -> Flow {
        if self.seen & wanted != 0 {
            self.settled(self.show(what, bytes, &[], &[]))?;
        }
        Ok(())
    }

    fn closed(&self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let Statistics { stored: held, peak_states, explored, elapsed, .. } = statistics;
        let (value, states, seconds) = (layer.value, layer.states, elapsed.as_secs_f64());
        let line = format!("{value},{states},{held},{peak_states},{explored},{seconds:.6}");
        Ok(self.settled(self.log(&line))?)
    }

    /// Adds a line to the log.
    fn log(&self, line: &str) -> Result<(), Halt> {
        let (Some(file), Some(log)) = (&self.log, self.answer.options.log) else { return Ok(()) };
        log(file, line).map_err(|error| {
            self.answer.give_up(Ended::Log { file: file.clone(), error: error.to_string() })
        })
    }
}

impl<M: Model<State = Marking>> Progress<M> for Sweep<'_, '_> {
    fn measure(&self, _worker: &mut M::Worker, marking: &Marking, value: &mut Value) -> Computed {
        value.push(self.settled(self.progress(marking))?);
        Ok(())
    }
}

impl Observer<CpnModel> for &Sweep<'_, '_> {
    fn node(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
        self.shown(NODES, NODE, visit.bytes)
    }

    fn dead(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
        self.shown(DEAD, DEAD_NODE, visit.bytes)
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        self.closed(layer, statistics)
    }
}

impl Observer<Elements<'_>> for &Sweep<'_, '_> {
    fn node(&mut self, visit: &Visit<'_, Elements<'_>>, _worker: &mut Worker) -> Flow {
        self.shown(NODES, NODE, visit.bytes)
    }

    fn arc(
        &mut self,
        source: &Visit<'_, Elements<'_>>,
        action: &Element,
        target: &Marking,
    ) -> Flow {
        let transition = i64::from(action.occurrence.transition);
        let shown = self.show(transition, source.bytes, &action.bytes, target.bytes());
        Ok(self.settled(shown)?)
    }

    fn dead(&mut self, visit: &Visit<'_, Elements<'_>>, _worker: &mut Worker) -> Flow {
        self.shown(DEAD, DEAD_NODE, visit.bytes)
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        self.closed(layer, statistics)
    }

    fn watches_arcs(&self) -> bool {
        true
    }
}
