//! Printing reports of typed models for a programmer: the violated properties, and each step of their
//! counterexamples.

mod diff;
mod tree;

use std::fmt;

use super::{Along, Property, Report};
use crate::model::{Model, successors};
use crate::observe::{Statistics, Witness};
use crate::verdict::{Regress, StopReason, Verdict};
use diff::changes;
use tree::Tree;

impl<M: Model> Report<M>
where
    M::State: fmt::Debug,
{
    /// Does nothing if every property holds.
    ///
    /// # Panics
    ///
    /// If some property does not hold, with the whole report and all counterexamples.
    #[track_caller]
    pub fn assert_holds(&self) {
        assert!(self.holds(), "\n{self}{}", Counterexamples(self));
    }
}

/// A line for each property, then the statistics, the measure and notes:
///
/// ```
/// # use sweepline::{Check, System};
/// # struct Count;
/// # impl System for Count {
/// #     type State = u8;
/// #     type Action = ();
/// #     fn initial(&self) -> Vec<u8> { vec![0] }
/// #     fn successors(&self, n: &u8, push: &mut dyn FnMut((), u8)) { if *n < 9 { push((), n + 1) } }
/// # }
/// let report = Check::new(&Count).progress(sweepline::progress::by(|&n| n)).always("below ten", |&n| n < 10).run();
/// assert_eq!(report.to_string(), "\
/// holds     below ten
/// 10 states, 9 edges, at most 2 states stored (20.0%)
/// progress: the given measure
/// ");
/// ```
impl<M: Model> fmt::Display for Report<M>
where
    M::State: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.properties.iter().try_for_each(|property| write!(f, "{property}"))?;
        write_figures(f, &self.statistics, self.stop.is_none())?;
        let measure = &self.measure;
        match self.along {
            Along::Measure | Along::Cut => writeln!(f, "progress: {measure}")?,
            Along::Columns => {
                writeln!(f, "progress: the columns of {measure}, which is not monotone")?
            }
            Along::Nothing => writeln!(f, "progress: none, because {measure} is not monotone")?,
        }
        self.reductions.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        if let Some(stop) = &self.stop {
            writeln!(f, "stopped early: {stop}")?;
        }
        self.regress.iter().try_for_each(|edge| write!(f, "{edge}"))
    }
}

/// The verdict and the name, with further results.
impl<M: Model> fmt::Display for Property<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = if self.kind == "deadlock" { "no " } else { "" };
        write!(f, "{:<8}  {not}{}", self.verdict.word(), self.name)?;
        if let Some((least, greatest)) = self.range {
            write!(f, ": {least} to {greatest}")?;
        }
        if let Some(fairness) = self.fairness {
            write!(f, ": {fairness}")?;
        }
        if let Verdict::Unknown(reason) = &self.verdict {
            write!(f, ": {reason}")?;
        }
        writeln!(f)?;
        self.findings.iter().try_for_each(|finding| writeln!(f, "          {finding}"))
    }
}

/// The statistics of an exploration, complete or stopped early.
fn write_figures(f: &mut fmt::Formatter<'_>, statistics: &Statistics, whole: bool) -> fmt::Result {
    let peak = counted(statistics.peak_states, "state");
    let Some(counts) = statistics.counts() else {
        let (visits, edges) = (grouped(statistics.explored), counted(statistics.edges, "edge"));
        let sweeps = counted(statistics.sweeps, "sweep");
        return writeln!(
            f,
            "{visits} visits to states in {sweeps}, {edges}, at most {peak} stored"
        );
    };
    let (states, edges) = (counted(counts.states, "state"), counted(counts.edges, "edge"));
    if whole {
        let share = 100.0 * statistics.peak_states as f64 / counts.states.max(1) as f64;
        writeln!(f, "{states}, {edges}, at most {peak} stored ({share:.1}%)")
    } else {
        writeln!(f, "{states} explored, {edges}, at most {peak} stored")
    }
}

/// `1 edge`, `2 edges`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `12,345`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The counterexamples of all violated properties.
struct Counterexamples<'r, M: Model>(&'r Report<M>);

impl<M: Model> fmt::Display for Counterexamples<'_, M>
where
    M::State: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for property in &self.0.properties {
            if let Verdict::Violated(Some(witness)) = &property.verdict {
                write!(f, "\n`{}` is violated:\n{witness}", property.name)?;
            }
        }
        Ok(())
    }
}

/// The numbered steps of the path, each with the changes that it made.
impl<M: Model> fmt::Display for Witness<M>
where
    M::State: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.len().to_string().len();
        writeln!(f, "  {:>width$}  {:?}", 0, self.initial)?;
        let mut before = Tree::of(&self.initial);
        for (i, step) in self.steps.iter().enumerate() {
            let after = Tree::of(&step.state);
            writeln!(f, "  {:>width$}  {}", i + 1, Label(&step.action))?;
            for line in changes(&before, &after) {
                writeln!(f, "  {:>width$}      {line}", "")?;
            }
            before = after;
        }
        match self.back {
            Some(back) if back < self.len() => writeln!(f, "  repeats from step {back}"),
            Some(_) => writeln!(f, "  repeats the last state forever"),
            None => Ok(()),
        }
    }
}

/// An action for printing: a text without its quotes.
struct Label<'a, A>(&'a A);

impl<A: fmt::Debug> fmt::Display for Label<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        f.write_str(inner.filter(|inner| !inner.contains(['"', '\\'])).unwrap_or(&text))
    }
}

/// The regress edge that ended a [strict](crate::Check::strict) check.
pub struct RegressEdge<M: Model> {
    /// The source state.
    pub source: M::State,
    /// Its action.
    pub action: M::Action,
    /// The successor.
    pub target: M::State,
    /// The progress of both, in this order.
    pub progress: [crate::Value; 2],
}

impl<M: Model> RegressEdge<M> {
    /// The edge that ended a check of `model`, if a regress edge did.
    pub(super) fn of(model: &M, stop: Option<&StopReason>) -> Option<Self> {
        let Some(StopReason::Regress(edge)) = stop else { return None };
        let Regress { source, number, target, from, to } = &**edge;
        let (source, target) = (model.try_decode(source)?, model.try_decode(target)?);
        let (action, _) = successors(model, &source).ok()?.into_iter().nth(*number as usize)?;
        Some(RegressEdge { source, action, target, progress: [from.clone(), to.clone()] })
    }
}

impl<M: Model> fmt::Display for RegressEdge<M>
where
    M::State: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RegressEdge { source, action, target, progress: [from, to] } = self;
        writeln!(f, "  before    {source:?}")?;
        writeln!(f, "  action    {}", Label(action))?;
        writeln!(f, "  after     {target:?}")?;
        for line in changes(&Tree::of(source), &Tree::of(target)) {
            writeln!(f, "              {line}")?;
        }
        writeln!(f, "  progress  {from} -> {to}")
    }
}
