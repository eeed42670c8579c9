//! CTL formulas: one exploration decides all of them.

use super::plan::Plan;
use super::temporal::worse;
use super::{Check, Property, Report, Way};
use crate::ctl::follow::follow;
use crate::ctl::gather::{Answered, Broken, Gather};
use crate::ctl::path::Rest;
use crate::ctl::{Along, Formula, Quantifier};
use crate::explore::{Options, explore};
use crate::ltl::Atom;
use crate::model::{self, Evaluate, Model};
use crate::observe::{Never, Observer, Statistics, Witness, WitnessMode};
use crate::progress::Progress;
use crate::verdict::{StopReason, Verdict};

/// A formula to decide.
pub(super) struct Question<'a, M: Model> {
    pub(super) name: String,
    pub(super) formula: Formula<Atom<'a, M>>,
}

impl<'a, M: Model> Check<'a, M> {
    /// Holds when every initial state satisfies `formula`. An atom on actions is true where such an action is enabled.
    ///
    /// `EF f` and `AG f` about states alone are decided together with other properties of states. All other formulas
    /// share one exploration, which keeps the edges of the model: on disk under a monotone measure, otherwise in memory.
    ///
    /// A verdict comes with a witness if one path shows it: `EF f` holds, or `AG f` is violated. If the state at its end
    /// must satisfy another temporal formula, the path goes on as far as one path can show that. A finding of the property
    /// says what the path does not show, or that no single path shows the verdict.
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
        // A query finds one path; with several initial states, each needs one.
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

/// A formula that asks for a single state.
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

/// Decides all formulas. Adds the verdicts to `report`, or makes a new one.
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
    for (name, Answer { verdict, finding }) in names.into_iter().zip(answers) {
        let findings = note.iter().cloned().chain(finding).collect();
        report.properties.push(Property::new(name, "ctl", verdict, findings));
    }
    report.stop = worse(report.stop.take(), stop);
    report
}

/// The results of an exploration.
struct Run<M: Model> {
    answers: Vec<Answer<M>>,
    statistics: Statistics,
    stop: Option<StopReason>,
}

/// A verdict, and what to say about its witness.
struct Answer<M: Model> {
    verdict: Verdict<M>,
    finding: Option<String>,
}

impl<M: Model> Answer<M> {
    fn unknown(stop: StopReason) -> Self {
        Answer { verdict: Verdict::Unknown(stop), finding: None }
    }
}

impl<M: Model> Run<M> {
    fn unanswered<F>(formulas: &[F], stop: StopReason) -> Self {
        let answers = formulas.iter().map(|_| Answer::unknown(stop.clone())).collect();
        Run { answers, statistics: Statistics::default(), stop: Some(stop) }
    }
}

/// Explores along one measure; `None` if it is not monotone.
fn attempt<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    options: &Options,
    formulas: &[Formula<Atom<'_, M>>],
    watcher: &mut dyn Observer<M>,
) -> Option<Run<M>> {
    let mut options = options.clone();
    let shows = options.witness != WitnessMode::Off;
    // Layers behind the line are on disk.
    (options.window, options.anchor) = (0, 0);
    (options.cache, options.checkpoint) = (None, None);
    // Witnesses are found with the edges that the formulas need anyway.
    options.witness = WitnessMode::Off;
    let mut gather = Gather::new(model, formulas.to_vec(), options.limits.ends(), shows);
    // A quarter of the time is left to decide the formulas.
    options.limits.time = options.limits.time_left().map(|left| left * 3 / 4);
    let run = explore(model, progress, &options, &mut (&mut gather, watcher));
    let (statistics, stop) = (run.statistics, run.stop);
    // From here on only the edges are needed.
    drop(run.window);
    if let Some(stop @ StopReason::Regress(_)) = stop {
        return Some(Run { statistics, ..Run::unanswered(formulas, stop) });
    }
    let answered = match gather.finish(stop, &statistics, &options) {
        Ok(answered) => answered,
        Err(Broken::Regress) => return None,
        Err(Broken::Stop(stop)) => {
            return Some(Run { statistics, ..Run::unanswered(formulas, stop) });
        }
    };
    let stop = match answered.holds.iter().all(Option::is_some) {
        true => answered.stop.clone().map(|_| StopReason::Decided),
        false => answered.stop.clone(),
    };
    Some(match answers(model, progress, answered, &options) {
        Ok(answers) => Run { answers, statistics, stop },
        Err(fault) => Run { statistics, ..Run::unanswered(formulas, fault) },
    })
}

/// The verdicts with their witnesses.
///
/// # Errors
///
/// When a path is not one of the model: then the edges were not those of the model, and no verdict is sound.
fn answers<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    answered: Answered<'_, M>,
    options: &Options,
) -> Result<Vec<Answer<M>>, StopReason> {
    let Answered { holds, paths, atoms, stop } = answered;
    let mut answers = Vec::new();
    for (holds, path) in holds.into_iter().zip(paths) {
        let Some(holds) = holds else {
            answers.push(Answer::unknown(stop.clone().unwrap_or(StopReason::Decided)));
            continue;
        };
        let (witness, finding) = match path {
            None => (None, None),
            Some(Err(reason)) => (None, Some(format!("no witness: {reason}"))),
            Some(Ok(path)) if path.steps.is_empty() && path.rest == Rest::AllRuns => (None, None),
            Some(Ok(path)) => {
                let finding = unshown(path.rest).map(str::to_owned);
                match follow(model, progress, &atoms, &path, options.limits.memory) {
                    Ok(witness) => (Some(witness), finding),
                    Err(fault) if fault.is_fault() => return Err(fault),
                    Err(reason) => (None, Some(format!("no witness: {reason}"))),
                }
            }
        };
        answers.push(Answer { verdict: verdict(holds, witness), finding });
    }
    Ok(answers)
}

fn verdict<M: Model>(holds: bool, witness: Option<Witness<M>>) -> Verdict<M> {
    if holds { Verdict::Holds(witness) } else { Verdict::Violated(witness) }
}

/// What a path leaves open.
fn unshown(rest: Rest) -> Option<&'static str> {
    match rest {
        Rest::Nothing => None,
        Rest::Others => {
            Some("the path shows one temporal operator; others hold in its states, too")
        }
        Rest::AllRuns => Some(
            "from the last state on, the formula is about every run: no single path shows that",
        ),
    }
}

/// Says of each CTL formula that has a verdict and no witness why there is none.
pub(super) fn explain<M: Model>(report: &mut Report<M>) {
    for property in report.properties.iter_mut().filter(|property| property.kind == "ctl") {
        let is_open = matches!(property.verdict, Verdict::Unknown(_));
        let is_said = property.findings.iter().any(|finding| finding.starts_with("no witness"));
        if property.verdict.witness().is_none() && !is_open && !is_said {
            property
                .findings
                .push("the formula is about every run: no single path shows it".into());
        }
    }
}
