//! Questions in computation tree logic: one exploration for all of them.

use super::plan::Plan;
use super::temporal::worse;
use super::{Check, Property, Report, Way};
use crate::ctl::gather::{Broken, Gather};
use crate::ctl::{Along, Formula, Quantifier};
use crate::explore::{Options, explore};
use crate::ltl::Atom;
use crate::model::{self, Evaluate, Model};
use crate::observe::{Never, Observer, Statistics, WitnessMode};
use crate::progress::Progress;
use crate::verdict::{StopReason, Verdict};

/// A question that waits for the exploration.
pub(super) struct Question<'a, M: Model> {
    pub(super) name: String,
    pub(super) formula: Formula<Atom<'a, M>>,
}

impl<'a, M: Model> Check<'a, M> {
    /// Holds when every initial state satisfies `formula`. An atom on actions says that such an action is
    /// enabled.
    ///
    /// `EF f` and `AG f` about states alone are decided along with other questions about states, and have a
    /// witness. All other formulas share one exploration of their own, which keeps the edges of the model: along a
    /// monotone measure on disk, else in memory. They have none.
    ///
    /// ```
    /// use sweepline::{Check, System, ctl, ltl};
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
            Ok(Simple::Somewhere(f)) => self.query(name, "ctl", Never::reached(condition(f))),
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

fn condition<'a, M: Model>(formula: Formula<Atom<'a, M>>) -> impl Evaluate<M, bool> + use<'a, M> {
    move |model: &M, worker: &mut M::Worker, state: &M::State| {
        formula.plain_value(&mut |atom| match atom {
            Atom::State(condition) => condition(model, worker, state),
            Atom::Action(_) | Atom::Enabled(_) => Ok(false),
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

/// Decides all formulas, and adds the answers to `report` or makes one.
pub(super) fn decide_all<'a, M: Model>(
    plan: &mut Plan<'a, '_, M>,
    questions: Vec<Question<'a, M>>,
    report: Option<Report<M>>,
    watcher: &mut dyn Observer<M>,
) -> Report<M> {
    let (names, formulas): (Vec<_>, Vec<_>) =
        questions.into_iter().map(|question| (question.name, question.formula)).unzip();
    let over = report.as_ref().and_then(|report| report.stop.clone());
    let (run, note) = match over {
        Some(stop) if stop.ends_all() => (Run::unanswered(&formulas, stop), None),
        _ => {
            let run = plan.climb(false, |plan, along| {
                attempt(plan.model, &*plan.measure(along), &plan.options, &formulas, watcher)
            });
            run.unwrap_or_else(|stop| (Run::unanswered(&formulas, stop), None))
        }
    };
    let Run { answers, statistics, stop } = run;
    let mut report = report.unwrap_or_else(|| Report { statistics, ..Report::default() });
    for (name, answer) in names.into_iter().zip(answers) {
        let verdict = match answer {
            Some(true) => Verdict::Holds(None),
            Some(false) => Verdict::Violated(None),
            None => Verdict::Unknown(stop.clone().unwrap_or(StopReason::Decided)),
        };
        let findings = note.iter().cloned().collect();
        report.properties.push(Property::new(name, "ctl", verdict, findings));
    }
    report.stop = worse(report.stop.take(), stop);
    report
}

/// What an exploration came to.
struct Run {
    answers: Vec<Option<bool>>,
    statistics: Statistics,
    stop: Option<StopReason>,
}

impl Run {
    fn unanswered<F>(formulas: &[F], stop: StopReason) -> Self {
        let (answers, statistics) = (vec![None; formulas.len()], Statistics::default());
        Run { answers, statistics, stop: Some(stop) }
    }
}

/// Explores along one measure; `None` if it is not monotone.
fn attempt<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    options: &Options,
    formulas: &[Formula<Atom<'_, M>>],
    watcher: &mut dyn Observer<M>,
) -> Option<Run> {
    let mut options = options.clone();
    // Layers behind the line are on disk.
    (options.window, options.anchor) = (0, 0);
    (options.cache, options.checkpoint) = (None, None);
    options.witness = WitnessMode::Off;
    let mut gather = Gather::new(model, formulas.to_vec(), options.limits.ends());
    // Some of the time is for deciding what the states tell.
    options.limits.time = options.limits.time_left().map(|left| left * 3 / 4);
    let run = explore(model, progress, &options, &mut (&mut gather, watcher));
    let (statistics, stop) = (run.statistics, run.stop);
    // The states are not needed any more.
    drop(run.window);
    if let Some(stop @ StopReason::Regress(_)) = stop {
        return Some(Run { statistics, ..Run::unanswered(formulas, stop) });
    }
    let (answers, stop) = match gather.finish(stop, &statistics, &options) {
        Ok(answered) => answered,
        Err(Broken::Regress) => return None,
        Err(Broken::Stop(stop)) => (vec![None; formulas.len()], Some(stop)),
    };
    let stop = match answers.iter().all(Option::is_some) {
        true => stop.map(|_| StopReason::Decided),
        false => stop,
    };
    Some(Run { answers, statistics, stop })
}
