//! What many random runs show: how they end, how often a condition is met, what was never covered, and how the value
//! of an expression is distributed.

use std::fmt::Write;

use fixedbitset::FixedBitSet;
use serde::Serialize;

use super::{Run, failed};
use crate::args;
use crate::failure::Failure;
use crate::front_end::{FrontEnd, TransitionOf};
use crate::print::{BOLD, grouped, one_line, percent, quoted, styled};

/// Bins of a histogram.
const BINS: usize = 10;
/// Width of its longest bar.
const BAR: usize = 40;
/// Names listed of what was never covered.
const LISTED: usize = 20;

/// What is asked of the runs.
pub(super) struct Questions<M: FrontEnd> {
    never: Vec<(String, M::Predicate)>,
    observed: Vec<(String, M::Expr)>,
}

impl<M: FrontEnd> Questions<M> {
    pub(super) fn of(args: &args::Simulate, model: &M) -> Result<Self, Failure> {
        let never = args.never.iter().map(|text| {
            let predicate = model.parse_predicate("--never", text)?;
            Ok((text.clone(), predicate))
        });
        let observed = args.observe.iter().map(|text| {
            let expr = model.parse_expr("--observe", text)?;
            Ok((text.clone(), expr))
        });
        Ok(Questions {
            never: never.collect::<Result<_, Failure>>()?,
            observed: observed.collect::<Result<_, Failure>>()?,
        })
    }
}

/// The first state of a run that satisfied a condition.
#[derive(Serialize, Clone, Copy, Debug)]
struct First {
    seed: u64,
    step: usize,
}

/// What the runs so far showed.
pub(super) struct Gathered<'a, M: FrontEnd> {
    model: &'a M,
    questions: Questions<M>,
    transition_of: TransitionOf<M>,
    runs: u64,
    steps: u64,
    ends: [u64; 4],
    /// For each condition the runs that met it, and the first of them.
    met: Vec<(u64, Option<First>)>,
    /// The values at the ends of the runs.
    values: Vec<Vec<f64>>,
    fired: FixedBitSet,
    /// Transitions with guards that did not fire, and for which no guard was seen to be true.
    untried: Vec<usize>,
    /// Those among them whose guards were false when their input arcs could bind.
    blocked: FixedBitSet,
    extents: M::Extents,
}

impl<'a, M: FrontEnd> Gathered<'a, M> {
    pub(super) fn new(model: &'a M, questions: Questions<M>) -> Self {
        let met = vec![(0, None); questions.never.len()];
        let values = vec![Vec::new(); questions.observed.len()];
        let fired = FixedBitSet::with_capacity(model.transitions().len());
        let (untried, blocked) = (model.guarded(), fired.clone());
        let (transition_of, extents) = (model.transition_of(), M::Extents::default());
        let (runs, steps, ends) = (0, 0, [0; 4]);
        Gathered {
            model,
            questions,
            transition_of,
            runs,
            steps,
            ends,
            met,
            values,
            fired,
            untried,
            blocked,
            extents,
        }
    }

    /// Takes a run into account.
    pub(super) fn add(&mut self, run: &Run<M>) -> Result<(), Failure> {
        let (model, mut worker) = (self.model, self.model.worker());
        self.runs += 1;
        self.steps += run.path.len() as u64;
        self.ends[run.end as usize] += 1;
        for step in &run.path.steps {
            self.fired.insert((self.transition_of)(&step.action));
        }
        let states = || {
            let steps = run.path.steps.iter().map(|step| &step.state);
            std::iter::once(&run.path.initial).chain(steps)
        };
        states().for_each(|state| model.extend(&mut self.extents, state));
        self.untried.retain(|&number| !self.fired.contains(number));
        for state in states() {
            if self.untried.is_empty() {
                break;
            }
            let seen = model.guards(&mut worker, state, &self.untried).map_err(failed)?;
            for (&number, seen) in self.untried.iter().zip(&seen) {
                self.blocked.set(number, self.blocked.contains(number) || *seen == Some(false));
            }
            let mut seen = seen.iter();
            self.untried.retain(|_| seen.next() != Some(&Some(true)));
        }
        for ((_, predicate), (runs, first)) in self.questions.never.iter().zip(&mut self.met) {
            for (step, state) in states().enumerate() {
                if model.holds(&mut worker, predicate, state).map_err(failed)? {
                    *runs += 1;
                    first.get_or_insert(First { seed: run.seed, step });
                    break;
                }
            }
        }
        for ((_, expr), values) in self.questions.observed.iter().zip(&mut self.values) {
            let value = model.value(&mut worker, expr, run.path.last()).map_err(failed)?;
            values.push(value as f64);
        }
        Ok(())
    }

    /// Whether a condition of `--never` was met.
    pub(super) fn is_violated(&self) -> bool {
        self.met.iter().any(|(runs, _)| *runs > 0)
    }

    /// The statistics as data.
    pub(super) fn finish(self) -> Statistics {
        let names = self.model.transitions();
        let own = self.model.own_transitions().into_iter();
        let never_fired = own.filter(|&number| !self.fired.contains(number));
        let bounds = self.model.bounds(&self.extents).into_iter();
        let untrue = self.untried.iter().filter(|&&number| self.blocked.contains(number));
        let guards_never_true = untrue.map(|&number| names[number].clone()).collect();
        let guards_never_true = (!self.model.guarded().is_empty()).then_some(guards_never_true);
        let [dead, terminated, until, steps] = self.ends;
        let texts = self.questions.never.into_iter().map(|(text, _)| text);
        let observed = self.questions.observed.into_iter().map(|(text, _)| text);
        Statistics {
            runs: self.runs,
            steps: self.steps,
            ends: Ends { dead, terminated, until, steps },
            never: texts
                .zip(self.met)
                .map(|(expression, (runs, first))| Met { expression, runs, first })
                .collect(),
            observed: observed
                .zip(self.values)
                .map(|(expression, values)| Distribution::of(expression, values))
                .collect(),
            never_fired: never_fired.map(|number| names[number].clone()).collect(),
            guards_never_true,
            never_marked: bounds.filter(|place| place.upper == 0).map(|p| p.place).collect(),
        }
    }
}

/// How many runs ended in which way.
#[derive(Serialize, Clone, Copy, Debug)]
struct Ends {
    dead: u64,
    terminated: u64,
    until: u64,
    steps: u64,
}

/// The runs that met a condition.
#[derive(Serialize, Clone, Debug)]
struct Met {
    expression: String,
    runs: u64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    first: Option<First>,
}

/// The values of an expression at the ends of the runs.
#[derive(Serialize, Clone, Debug)]
struct Distribution {
    expression: String,
    mean: f64,
    deviation: f64,
    /// The ends of the 95% confidence interval of the mean; none for one run.
    confidence: Option<(f64, f64)>,
    least: f64,
    greatest: f64,
    /// Where each bin of the histogram begins, and how many values it has.
    histogram: Vec<(f64, u64)>,
}

impl Distribution {
    fn of(expression: String, values: Vec<f64>) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let deviation = if values.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
        let half = student(values.len()).map(|t| t * deviation / n.sqrt());
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // The values are integers, so bins begin at integers.
        let width = ((greatest - least + 1.0) / BINS as f64).ceil().max(1.0);
        let bins = ((greatest - least) / width).floor() as usize + 1;
        let mut histogram: Vec<(f64, u64)> =
            (0..bins).map(|bin| (least + width * bin as f64, 0)).collect();
        for value in values {
            histogram[((value - least) / width).floor() as usize].1 += 1;
        }
        let confidence = half.map(|half| (mean - half, mean + half));
        Distribution { expression, mean, deviation, confidence, least, greatest, histogram }
    }
}

/// The 97.5% quantile of Student's distribution for the mean of so many values.
fn student(values: usize) -> Option<f64> {
    const SMALL: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    match values.checked_sub(1)? {
        0 => None,
        freedom @ 1..=30 => Some(SMALL[freedom - 1]),
        // The Cornish-Fisher expansion; its error is below 0.001 here.
        freedom => Some(1.96 + 2.3723 / freedom as f64 + 2.8225 / (freedom * freedom) as f64),
    }
}

/// What many runs showed, as data.
#[derive(Serialize, Clone, Debug)]
pub(super) struct Statistics {
    runs: u64,
    steps: u64,
    ends: Ends,
    never: Vec<Met>,
    observed: Vec<Distribution>,
    never_fired: Vec<String>,
    /// Transitions whose guards were false each time their input arcs could bind, if the model has guards.
    #[serde(skip_serializing_if = "Option::is_none")]
    guards_never_true: Option<Vec<String>>,
    never_marked: Vec<String>,
}

impl Statistics {
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let title = format!("{} runs, {} steps", grouped(self.runs), grouped(self.steps));
        let _ = writeln!(text, "{}", styled(BOLD, title));
        let Ends { dead, terminated, until, steps } = self.ends;
        let ends = [
            (dead, "ended in a dead state"),
            (terminated, "terminated"),
            (until, "reached `--until`"),
            (steps, "stopped (`--steps`)"),
        ];
        for (runs, how) in ends.iter().filter(|(runs, _)| *runs > 0) {
            let _ = writeln!(text, "  {} ({}) {how}", grouped(*runs), percent(*runs, self.runs));
        }
        self.never.iter().for_each(|met| met.write(&mut text, self.runs));
        list(&mut text, "transitions that never fired", &self.never_fired);
        if let Some(guards) = &self.guards_never_true {
            list(
                &mut text,
                "of these, guards that were false each time the arcs could bind",
                guards,
            );
        }
        list(&mut text, "places that were never marked", &self.never_marked);
        self.observed.iter().for_each(|observed| observed.write(&mut text));
        text
    }
}

impl Met {
    fn write(&self, text: &mut String, runs: u64) {
        let expression = one_line(&self.expression);
        let _ = match self.first {
            Some(First { seed, step }) => {
                let share = percent(self.runs, runs);
                let met = grouped(self.runs);
                writeln!(
                    text,
                    "never {expression}: violated in {met} runs ({share}), first with seed {seed} after {step} steps"
                )
            }
            None => writeln!(
                text,
                "never {expression}: not violated in these runs, which proves nothing"
            ),
        };
    }
}

/// Lists names, at most some of them.
fn list(text: &mut String, what: &str, names: &[String]) {
    if names.is_empty() {
        let _ = writeln!(text, "{what}: none");
        return;
    }
    let listed: Vec<_> = names.iter().take(LISTED).map(|name| quoted(name)).collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more as u64)),
    };
    let _ = writeln!(text, "{what} ({}): {}{more}", names.len(), one_line(&listed.join(", ")));
}

impl Distribution {
    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "{} at the end of a run", one_line(&self.expression));
        let interval = self.confidence.map_or(String::new(), |(low, high)| {
            format!(", 95% confidence interval of the mean {low:.2} to {high:.2}")
        });
        let Distribution { mean, deviation, least, greatest, .. } = self;
        let _ = writeln!(text, "  mean {mean:.2}{interval}");
        let _ = writeln!(text, "  from {least} to {greatest}, standard deviation {deviation:.2}");
        let most = self.histogram.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
        let shown: Vec<String> = self.histogram.iter().map(|(from, _)| from.to_string()).collect();
        let widest = shown.iter().map(String::len).max().unwrap_or(0);
        for (from, (_, count)) in shown.iter().zip(&self.histogram) {
            let bar = "█".repeat((*count as usize * BAR).div_ceil(most as usize));
            let _ = writeln!(text, "  {from:>widest$}  {bar} {}", grouped(*count));
        }
    }
}
