//! Sweeps that call the functions of a script.

use std::cell::RefCell;
use std::time::Duration;

use num_bigint::Sign;
use num_traits::ToPrimitive;
use sweepline::observe::{ClosedLayer, Flow, Visit};
use sweepline::{Monotone, Observer, Options, Progress, Statistics, StopReason, Value, explore};
use sweepline_ml::{Fold, Halt, Machine, Question, Word};

use super::answer::{Answer, Trouble};
use crate::explore::{CpnModel, Marking};

/// What a sweep shows to the script.
const NODES: i64 = 1;
const ARCS: i64 = 2;
const DEAD: i64 = 4;
/// What stands in place of a transition.
const NODE: i64 = -1;
const DEAD_NODE: i64 = -2;

const LOG_HEADER: &str = "progress,states,held,peak,explored,seconds";

/// A sweep on behalf of a script.
pub(super) struct Sweep<'a, 'm> {
    answer: &'a Answer<'m>,
    machine: RefCell<&'a mut Machine>,
    fold: &'a Fold,
    measure: Word,
    event: Word,
    seen: i64,
    log: Option<String>,
    /// Why the script cannot go on.
    failed: RefCell<Option<Halt>>,
}

impl Answer<'_> {
    /// Sweeps, and gives what the script folded.
    pub(super) fn sweep(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt> {
        let argument = |at| question.argument(at);
        let (options, log) = self.sweep_options(machine, question, 2);
        self.kept.borrow_mut().clear();
        let fold = machine.begin_fold(question.layout, argument(0))?;
        let mut sweep = Sweep::new(self, machine, &fold, argument(1), log);
        (sweep.seen, sweep.event) = (Machine::to_int(argument(5)), argument(6));
        let done = sweep.run(&options);
        let value = machine.end_fold(fold);
        done.map(|()| value)
    }

    /// The options of a sweep and the file of its log, from the arguments `at` and the next two: the
    /// collection threshold, seconds, the file.
    pub(super) fn sweep_options(
        &self,
        machine: &Machine,
        question: &Question,
        at: usize,
    ) -> (Options, Option<String>) {
        let [gc, secs] = [at, at + 1].map(|at| Machine::to_int(question.argument(at)));
        let log = machine.list(question.argument(at + 2)).next();
        let log = log.map(|name| machine.string(name).into_iter().map(char::from).collect());
        let mut options = self.explore_options();
        options.monotone = Monotone::Strict;
        options.gc = u64::try_from(gc).ok().filter(|gc| *gc > 0);
        if let Some(limit) = u64::try_from(secs).ok().filter(|secs| *secs > 0) {
            let limit = Duration::from_secs(limit);
            options.limits.time = Some(options.limits.time.map_or(limit, |time| time.min(limit)));
        }
        (options, log)
    }
}

impl<'a, 'm> Sweep<'a, 'm> {
    /// A sweep that shows nothing to the script, and asks it for the measure alone.
    pub(super) fn new(
        answer: &'a Answer<'m>,
        machine: &'a mut Machine,
        fold: &'a Fold,
        measure: Word,
        log: Option<String>,
    ) -> Self {
        let (machine, failed) = (RefCell::new(machine), RefCell::default());
        Sweep { answer, machine, fold, measure, event: 0, seen: 0, log, failed }
    }

    /// Why the script cannot go on.
    pub(super) fn take_failed(&self) -> Option<Halt> {
        self.failed.take()
    }

    /// Whether a marking satisfies a predicate of the script; where that fails the sweep ends.
    pub(super) fn holds(&self, predicate: Word, marking: &Marking) -> bool {
        if self.failed.borrow().is_some() {
            return false;
        }
        self.satisfied(predicate, marking).unwrap_or_else(|halt| {
            self.failed.borrow_mut().get_or_insert(halt);
            self.answer.model().fail("a predicate failed");
            false
        })
    }

    /// The same while the model is busy: the script cannot ask it anything.
    pub(super) fn holds_busy(&self, predicate: Word, marking: &Marking) -> bool {
        let busy = self.answer.busy.replace(true);
        let holds = self.holds(predicate, marking);
        self.answer.busy.set(busy);
        holds
    }

    fn satisfied(&self, predicate: Word, marking: &Marking) -> Result<bool, Halt> {
        let machine = &mut **self.machine.borrow_mut();
        let bytes = machine.memory().string(marking.bytes())?;
        let holds = Machine::to_int(machine.apply(self.answer, predicate, &[bytes])?) != 0;
        machine.forget();
        Ok(holds)
    }

    /// Starts the log, where there is one.
    pub(super) fn begin_log(&self) {
        self.log(LOG_HEADER);
    }

    fn run(&self, options: &Options) -> Result<(), Halt> {
        self.begin_log();
        let exploration = explore(self.answer.model(), &self, options, &mut &*self);
        // A failure was told already, unless the sweep ended before.
        self.answer.model().take_failure();
        if let Some(halt) = self.take_failed() {
            return Err(halt);
        }
        *self.answer.statistics.borrow_mut() = exploration.statistics;
        match exploration.stop {
            None => Ok(()),
            Some(StopReason::Regress(regress)) => {
                Err(self.answer.give_up(Trouble::Rejected(Box::new(regress))))
            }
            Some(reason) => Err(self.answer.give_up(Trouble::Stopped(reason))),
        }
    }

    /// The progress of a marking.
    fn progress(&self, marking: &Marking) -> Result<i64, Halt> {
        let machine = &mut **self.machine.borrow_mut();
        let bytes = machine.memory().string(marking.bytes())?;
        let number = machine.apply(self.answer, self.measure, &[bytes])?;
        let number = machine.int_inf(number);
        machine.forget();
        // Cut off where 64 bits end, the order is still the same.
        let end = if number.sign() == Sign::Minus { i64::MIN } else { i64::MAX };
        Ok(number.to_i64().unwrap_or(end))
    }

    /// Shows a marking or an arc to the script.
    fn show(&self, what: i64, source: &[u8], element: &[u8], target: &[u8]) -> Result<(), Halt> {
        let machine = &mut **self.machine.borrow_mut();
        let mut memory = machine.memory();
        let source = memory.string(source)?;
        let (element, target) = (memory.string(element)?, memory.string(target)?);
        let arguments = [Machine::from_int(what), source, element, target];
        machine.step_fold(self.fold, self.answer, self.event, &arguments)
    }

    fn node(&self, marking: &Marking) -> Result<(), Halt> {
        if self.seen & NODES != 0 {
            self.show(NODE, marking.bytes(), &[], &[])?;
        }
        if self.seen & ARCS == 0 {
            return Ok(());
        }
        // Computed before the loop comes to it, which then need not: there is no other moment at which the
        // script may ask the model something itself. What fails here fails there, too, and is reported then.
        let model = self.answer.model();
        let Ok(elements) = model.elements(marking, self.answer.forms) else { return Ok(()) };
        for arc in &elements {
            let transition = i64::from(arc.occurrence.transition);
            self.show(transition, marking.bytes(), &arc.bytes, &arc.target)?;
        }
        model.prepare(marking, elements);
        Ok(())
    }

    /// Goes on, or remembers why not.
    fn settled(&self, done: Result<(), Halt>) -> Flow {
        if let Err(halt) = done {
            self.failed.borrow_mut().get_or_insert(halt);
        }
        if self.failed.borrow().is_some() { Flow::Break(()) } else { Flow::Continue(()) }
    }

    /// Adds a line to the log.
    fn log(&self, line: &str) {
        let (Some(file), Some(log)) = (&self.log, self.answer.options.log) else { return };
        if let Err(error) = log(file, line) {
            let trouble = Trouble::Log { file: file.clone(), error: error.to_string() };
            let halt = self.answer.give_up(trouble);
            self.failed.borrow_mut().get_or_insert(halt);
        }
    }
}

impl Progress<CpnModel> for &Sweep<'_, '_> {
    fn measure(&self, marking: &Marking, value: &mut Value) {
        if self.failed.borrow().is_some() {
            return value.push(0);
        }
        let busy = self.answer.busy.replace(true);
        let progress = self.progress(marking);
        self.answer.busy.set(busy);
        value.push(progress.unwrap_or_else(|halt| {
            self.failed.borrow_mut().get_or_insert(halt);
            self.answer.model().fail("the measure failed");
            0
        }));
    }
}

impl Observer<CpnModel> for &Sweep<'_, '_> {
    fn node(&mut self, visit: &Visit<'_, CpnModel>) -> Flow {
        self.settled(Ok(()))?;
        self.settled(Sweep::node(self, visit.state))
    }

    fn dead(&mut self, visit: &Visit<'_, CpnModel>) -> Flow {
        self.settled(match self.seen & DEAD {
            0 => Ok(()),
            _ => self.show(DEAD_NODE, visit.bytes, &[], &[]),
        })
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let Statistics { held, peak_states, explored, elapsed, .. } = statistics;
        let seconds = elapsed.as_secs_f64();
        self.log(&format!(
            "{},{},{held},{peak_states},{explored},{seconds:.6}",
            layer.value, layer.states
        ));
        self.settled(Ok(()))
    }
}
