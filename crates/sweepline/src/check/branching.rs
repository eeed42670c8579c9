//! Questions in computation tree logic: one exploration for all of them.

use std::time::Duration;

use super::temporal::worse;
use super::{Check, Property, Report, Way};
use crate::ctl::gather::{Broken, Gather};
use crate::ctl::{Along, Formula, Quantifier};
use crate::explore::{Options, explore};
use crate::ltl::Atom;
use crate::ltl::product::ColumnsOf;
use crate::model::{self, Model, ModelError};
use crate::observe::{Never, Observer, Reach, Statistics, WitnessMode};
use crate::progress::{Progress, Trivial};
use crate::verdict::{StopReason, Verdict};

/// A question that waits for the exploration.
pub(super) struct Question<'a, M: Model> {
    pub(super) name: String,
    pub(super) formula: Formula<Atom<'a, M>>,
}

impl<'a, M: Model, P: Progress<M>> Check<'a, M, P> {
    /// Holds when every initial state satisfies `formula`. An atom on actions says that such an action is
    /// enabled.
    ///
    /// `EF f` and `AG f` about states alone are decided along with other questions about states, and have a
    /// witness. All other formulas share one exploration of their own, which keeps the edges of the model: along a
    /// monotone measure on disk, else in memory. They have none.
    ///
    /// ```
    /// use sweepline::{Check, Model, System, codec, ctl, ltl};
    ///
    /// /// A counter that is set back from five to three.
    /// struct Count;
    ///
    /// impl System for Count {
    ///     type State = u8;
    ///     type Action = &'static str;
    ///     fn initial(&self) -> Vec<u8> {
    ///         vec![0]
    ///     }
    ///     fn successors(&self, n: &u8, push: &mut dyn FnMut(&'static str, u8)) {
    ///         match n {
    ///             5 => push("set back", 3),
    ///             n => push("count", n + 1),
    ///         }
    ///     }
    /// }
    ///
    /// let is = |number: u8| ctl::Formula::Atom(ltl::Atom::state(move |_: &Count, n| *n == number));
    /// Check::new(&Count)
    ///     .ctl("three comes again and again", is(3).inevitable().everywhere())
    ///     .ctl("one does not", is(1).possible().everywhere().not())
    ///     .run()
    ///     .assert_holds();
    /// ```
    #[must_use]
    pub fn ctl(self, name: impl Into<String>, formula: Formula<Atom<'a, M>>) -> Self {
        let simple = Simple::of(formula);
        // Of several initial states, each must have its way.
        let is_one = || model::initial(self.model).len() == 1;
        match simple {
            Ok(Simple::Somewhere(f)) if !is_one() => self.ask(name.into(), f.possible()),
            Ok(Simple::Somewhere(f)) => self.query(name, "ctl", Reach::new(condition(f))),
            Ok(Simple::Everywhere(f)) => self.query(name, "ctl", Never::new(condition(f.not()))),
            Err(formula) => self.ask(name.into(), formula),
        }
    }

    fn ask(mut self, name: String, formula: Formula<Atom<'a, M>>) -> Self {
        self.branching.push(Question { name, formula });
        self.order.push(Way::Branching);
        self
    }
}

fn condition<'a, M: Model>(
    formula: Formula<Atom<'a, M>>,
) -> impl Fn(&M, &mut M::Worker, &M::State) -> Result<bool, ModelError> + Send + Sync + use<'a, M> {
    move |model, worker, state| {
        formula.plain_value(&mut |atom| match atom {
            Atom::State(condition) => condition(model, worker, state),
            Atom::Action(_) => Ok(false),
        })
    }
}

/// A question about single states.
enum Simple<'a, M: Model> {
    Somewhere(Formula<Atom<'a, M>>),
    Everywhere(Formula<Atom<'a, M>>),
}

impl<'a, M: Model> Simple<'a, M> {
    /// The formula back, if it is not simple.
    fn of(formula: Formula<Atom<'a, M>>) -> Result<Self, Formula<Atom<'a, M>>> {
        match formula {
            Formula::Not(inner) => match Simple::of(*inner) {
                Ok(Simple::Somewhere(f)) => Ok(Simple::Everywhere(f.not())),
                Ok(Simple::Everywhere(f)) => Ok(Simple::Somewhere(f.not())),
                Err(formula) => Err(formula.not()),
            },
            Formula::Runs(quantifier, along) => match (quantifier, *along) {
                (Quantifier::Exists, Along::Finally(f)) if is_of_states(&f) => {
                    Ok(Simple::Somewhere(f))
                }
                (Quantifier::All, Along::Globally(f)) if is_of_states(&f) => {
                    Ok(Simple::Everywhere(f))
                }
                (quantifier, along) => Err(Formula::Runs(quantifier, Box::new(along))),
            },
            other => Err(other),
        }
    }
}

fn is_of_states<M: Model>(formula: &Formula<Atom<'_, M>>) -> bool {
    let mut states_only = true;
    formula.each_atom(&mut |atom| states_only &= matches!(atom, Atom::State(_)));
    formula.is_plain() && states_only
}

/// Decides all formulas, and adds the answers to `report` or makes one. `spent` is the time taken so far.
pub(super) fn decide_all<'a, M: Model, P: Progress<M>>(
    (model, progress, options): (&'a M, &P, &Options),
    questions: Vec<Question<'a, M>>,
    report: Option<Report<M>>,
    spent: Duration,
    watcher: &mut dyn Observer<M>,
) -> Report<M> {
    let (names, formulas): (Vec<_>, Vec<_>) =
        questions.into_iter().map(|question| (question.name, question.formula)).unzip();
    let over = report.as_ref().and_then(|report| report.stop.clone());
    let run = match over {
        // What ended one exploration early would end the next.
        Some(stop) if stop == StopReason::Interrupted || stop.is_fault() => {
            Run { answers: vec![None; names.len()], stop: Some(stop), ..Run::default() }
        }
        _ => {
            let mut options = options.clone();
            // Layers behind the line are on disk.
            (options.window, options.anchor) = (0, 0);
            (options.cache, options.checkpoint) = (None, None);
            options.witness = WitnessMode::Off;
            options.limits.time = options.limits.time.map(|limit| limit.saturating_sub(spent));
            decide(model, progress, options, &formulas, watcher)
        }
    };
    let mut report = report.unwrap_or_else(|| Report {
        properties: Vec::new(),
        statistics: run.statistics,
        stop: None,
        saved: None,
        reductions: Vec::new(),
    });
    for (name, answer) in names.into_iter().zip(run.answers) {
        let verdict = match answer {
            Some(true) => Verdict::Holds(None),
            Some(false) => Verdict::Violated(None),
            None => Verdict::Unknown(run.stop.clone().unwrap_or(StopReason::Decided)),
        };
        let findings = run.note.iter().map(|note| note.to_string()).collect();
        report.properties.push(Property::new(name, "ctl", verdict, findings));
    }
    report.stop = worse(report.stop.take(), run.stop);
    report
}

/// What an exploration came to.
#[derive(Default)]
struct Run {
    answers: Vec<Option<bool>>,
    statistics: Statistics,
    stop: Option<StopReason>,
    note: Option<&'static str>,
}

/// Explores along the measure; if it is not monotone along its columns, and else in full.
fn decide<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    mut options: Options,
    formulas: &[Formula<Atom<'_, M>>],
    watcher: &mut dyn Observer<M>,
) -> Run {
    let spend = |options: &mut Options, elapsed| {
        options.limits.time = options.limits.time.map(|limit| limit.saturating_sub(elapsed));
    };
    match attempt(model, progress, &options, formulas, watcher) {
        Ok(run) => return run,
        Err(elapsed) => spend(&mut options, elapsed),
    }
    if progress.columns() > 0 {
        let note = Some("the measure is not monotone: swept by its columns alone");
        match attempt(model, &ColumnsOf(progress), &options, formulas, watcher) {
            Ok(run) => return Run { note, ..run },
            Err(elapsed) => spend(&mut options, elapsed),
        }
    }
    let note = Some("the measure is not monotone: explored in full");
    match attempt(model, &Trivial, &options, formulas, watcher) {
        Ok(run) => Run { note, ..run },
        Err(_) => {
            let reason = "edges lead back where nothing progresses".to_owned();
            let (answers, stop) = (vec![None; formulas.len()], Some(StopReason::Internal(reason)));
            Run { answers, stop, ..Run::default() }
        }
    }
}

/// Explores along one measure; the time taken, if it is not monotone.
fn attempt<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    options: &Options,
    formulas: &[Formula<Atom<'_, M>>],
    watcher: &mut dyn Observer<M>,
) -> Result<Run, Duration> {
    let mut gather = Gather::new(model, formulas.to_vec(), options.limits.time);
    // Some of the time is for deciding what the states tell.
    let mut options = options.clone();
    options.limits.time = options.limits.time.map(|limit| limit * 3 / 4);
    let run = explore(model, &progress, &options, &mut (&mut gather, watcher));
    let (statistics, stop) = (run.statistics, run.stop);
    // The states are not needed any more.
    drop(run.window);
    if let Some(stop @ StopReason::Regress(_)) = stop {
        let answers = vec![None; formulas.len()];
        return Ok(Run { answers, statistics, stop: Some(stop), note: None });
    }
    let (answers, stop) = match gather.finish(stop, &statistics, &options) {
        Ok(answered) => answered,
        Err(Broken::Regress) => return Err(statistics.elapsed),
        Err(Broken::Stop(stop)) => (vec![None; formulas.len()], Some(stop)),
    };
    let stop = match answers.iter().all(Option::is_some) {
        true => stop.map(|_| StopReason::Decided),
        false => stop,
    };
    Ok(Run { answers, statistics, stop, note: None })
}
