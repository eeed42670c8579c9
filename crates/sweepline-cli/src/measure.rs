//! The measure that `--progress` asks for.

mod common;
mod ladder;

use std::time::{Duration, Instant};

use sweepline::progress::{Candidate, Effort, Fit, Monotonicity, Trivial};
use sweepline::{Limits, Progress, Value, explore};

use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::guard;
use common::Common;
pub(crate) use ladder::{Ladder, is_open};

/// A found measure that is expected to hold more than this part of the states is not worth a sweep.
const WORTH: f64 = 0.9;
/// The same where a full exploration is given up for it.
const WORTH_STARTING_AGAIN: f64 = 0.7;

/// Steps of work before a measure is looked for where one is asked for: about a second.
const BEFORE: u64 = 240_000_000;
/// A safety net for models whose successors take long to compute; what is usual stays far below.
const BEFORE_AT_MOST: Duration = Duration::from_secs(10);
/// Bytes that the states seen meanwhile may take.
const BEFORE_BYTES: u64 = 48 << 20;
/// Edges of a state, on average.
const DEGREE: u64 = 5;

/// What is asked of a measure that is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// That it helps.
    Any,
    /// That no step back was seen, too: components are in one layer each.
    Rising,
}

/// The components of a measure, the monotone ones first.
pub(crate) struct MeasureSpec<M: FrontEnd> {
    components: Vec<M::Expr>,
    columns: usize,
    /// As it is shown: what the user wrote, or what was found.
    pub(crate) text: String,
    /// How it was found, and what is known of it.
    pub(crate) found: Option<FoundMeasure>,
    /// Values with equal parts of the states between them, where a sample was taken.
    pub(crate) quantiles: Vec<Value>,
}

/// What is known of a measure that was found.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct FoundMeasure {
    /// The window it needs so as not to visit states twice.
    pub(crate) window: u64,
    /// How much of the beginning is worth keeping.
    #[serde(default)]
    pub(crate) anchor: u64,
    /// No transition lowers it.
    pub(crate) monotone: bool,
    /// How much the prediction is worth: the whole state space was looked at, or walks through it.
    pub(crate) whole: bool,
    /// The part of the states it is expected to hold.
    pub(crate) predicted_peak: f64,
    /// Distinct values in the sample.
    pub(crate) values: usize,
    /// States that edges of a trial reached behind the window.
    pub(crate) persistent: u64,
    /// Edges of a trial that led back.
    pub(crate) regress_edges: u64,
    /// How long it took to find.
    pub(crate) seconds: f64,
}

impl<M: FrontEnd> MeasureSpec<M> {
    /// Parses `none`, `auto`, `EXPR, EXPR` or `monotone(EXPR), EXPR`; `None` for `none`, and for
    /// `auto` where no measure promises to help.
    pub(crate) fn parse(model: &M, text: &str) -> Result<Option<Self>, Failure> {
        Self::parse_for(model, text, Need::Any, None)
    }

    /// The same; what `auto` finds is as good as is needed, and made of these sums of features alone where
    /// some are given.
    pub(crate) fn parse_for(
        model: &M,
        text: &str,
        need: Need,
        sums: Option<&[Vec<usize>]>,
    ) -> Result<Option<Self>, Failure> {
        let trimmed = text.trim();
        if trimmed == "none" {
            return Ok(None);
        }
        if trimmed == "auto" && !model.is_name(trimmed) {
            let effort = effort_after_first_states(model);
            let best = Self::best(model, need, sums, effort);
            return Ok(best.filter(|best| best.promises(WORTH)));
        }
        Self::parse_components(model, trimmed).map(Some)
    }

    /// The measures that can be found for a model, the most promising first.
    pub(crate) fn find(model: &M, effort: Effort) -> Vec<Self> {
        let started = Instant::now();
        let effort = effort.within(&guard::options());
        let found = model.candidates(Fit::new(model, effort.clone()).candidates(), effort);
        let took = started.elapsed();
        found.iter().filter_map(|candidate| Self::of(model, candidate, took)).collect()
    }

    /// The same of measures that are made of these sums of features.
    fn find_of(model: &M, sums: &[Vec<usize>], effort: Effort) -> Vec<Self> {
        let started = Instant::now();
        let common = Common::new(model, sums);
        let found = Fit::new(&common, effort.within(&guard::options())).candidates();
        let found: Vec<Candidate> = found.into_iter().map(|found| common.spread(found)).collect();
        let took = started.elapsed();
        found.iter().filter_map(|candidate| Self::of(model, candidate, took)).collect()
    }

    fn of(model: &M, candidate: &Candidate, took: Duration) -> Option<Self> {
        let components =
            candidate.components.iter().map(|c| model.weighted(c)).collect::<Option<Vec<_>>>()?;
        let show = |(number, expr): (usize, &M::Expr)| {
            let expr = model.show_expr(expr);
            if number < candidate.columns { format!("monotone({expr})") } else { expr }
        };
        let text: Vec<String> = components.iter().enumerate().map(show).collect();
        Some(MeasureSpec {
            text: text.join(", "),
            components,
            columns: candidate.columns,
            quantiles: candidate.forecast.quantiles.clone(),
            found: Some(FoundMeasure {
                window: candidate.window,
                anchor: candidate.anchor,
                monotone: candidate.monotone == Monotonicity::Proved,
                whole: candidate.forecast.trial.finished,
                predicted_peak: candidate.forecast.peak,
                values: candidate.forecast.values,
                persistent: candidate.forecast.trial.persistent,
                regress_edges: candidate.forecast.trial.regress_edges,
                seconds: took.as_secs_f64(),
            }),
        })
    }

    /// The best measure, if it promises to help and to sweep once.
    pub(crate) fn find_promising(model: &M, need: Need, effort: Effort) -> Option<Self> {
        let best = Self::best(model, need, None, effort)?;
        let once = best.found.is_some_and(|found| found.persistent == 0);
        (once && best.promises(WORTH_STARTING_AGAIN)).then_some(best)
    }

    /// The most promising measure of those that do.
    fn best(model: &M, need: Need, sums: Option<&[Vec<usize>]>, effort: Effort) -> Option<Self> {
        let rises = |found: FoundMeasure| found.monotone || found.regress_edges == 0;
        let does = |measure: &Self| need == Need::Any || measure.found.is_some_and(rises);
        let found = match sums {
            None => Self::find(model, effort),
            Some(sums) => Self::find_of(model, sums, effort),
        };
        found.into_iter().find(does)
    }

    /// It is expected to hold less than this part of the states.
    fn promises(&self, part: f64) -> bool {
        self.found.is_some_and(|found| found.predicted_peak < part)
    }

    /// The measure of a saved run.
    pub(crate) fn restore(
        model: &M,
        text: &str,
        found: Option<FoundMeasure>,
    ) -> Result<Self, Failure> {
        let measure = Self::parse_components(model, text)?;
        Ok(MeasureSpec { found, ..measure })
    }

    /// The same measure, however it is written.
    pub(crate) fn is(&self, other: &Self) -> bool {
        (&self.components, self.columns) == (&other.components, other.columns)
    }

    fn parse_components(model: &M, text: &str) -> Result<Self, Failure> {
        let (mut monotone, mut free) = (Vec::new(), Vec::new());
        // One that the file of the model names is found there.
        let named = model.measures().iter().find(|measure| measure.name == text);
        let source =
            named.map_or("--progress".into(), |known| format!("progress `{}`", known.name));
        for component in split(named.map_or(text, |known| known.text.as_str())) {
            match inside_monotone(component) {
                Some(inner) => monotone.push(model.parse_expr(&source, inner)?),
                None => free.push(model.parse_expr(&source, component)?),
            }
        }
        let columns = monotone.len();
        monotone.append(&mut free);
        let (text, quantiles) = (text.to_owned(), Vec::new());
        Ok(MeasureSpec { components: monotone, columns, text, found: None, quantiles })
    }

    /// The measure itself.
    pub(crate) fn build<'a>(&self, model: &'a M) -> Box<dyn Progress<M> + 'a> {
        model.measure(&self.components, self.columns)
    }

    /// The greatest value of the first component, where it can be told.
    pub(crate) fn farthest(&self, model: &M) -> Option<i64> {
        model.farthest(self.components.first()?)
    }
}

/// What to sweep along: the measure, or nothing.
pub(crate) fn along<'a, M: FrontEnd>(
    model: &'a M,
    measure: Option<&MeasureSpec<M>>,
) -> Box<dyn Progress<M> + 'a> {
    measure.map_or_else(|| Box::new(Trivial) as _, |measure| measure.build(model))
}

/// How much work a search is worth, by the size of the model as far as about a second of full exploration
/// shows it: a search that takes longer than the sweep it saves memory for is of no use.
fn effort_after_first_states<M: FrontEnd>(model: &M) -> Effort {
    let states = BEFORE / model.successor_steps() / DEGREE;
    let mut options = guard::options();
    options.limits = Limits {
        states: Some(states),
        memory: Some(options.limits.memory.map_or(BEFORE_BYTES, |share| share.min(BEFORE_BYTES))),
        time: Some(BEFORE_AT_MOST),
        ..options.limits
    };
    let seen = explore(model, &Trivial, &options, &mut ()).statistics;
    Effort::after(seen.explored + seen.edges, model.successor_steps())
}

/// The expression in `monotone(EXPR)`.
fn inside_monotone(component: &str) -> Option<&str> {
    let inner = component.strip_prefix("monotone")?.trim_start();
    inner.strip_prefix('(')?.strip_suffix(')')
}

/// Splits at the commas that are in no parentheses and no quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepline_pnml::{Net, NetModel, parse_expr};

    fn net() -> NetModel {
        let places = Net::builder("n").place("p", 3).place("a, b", 0).place("q", 0);
        NetModel::new(places.transition("t", &[("p", 1)], &[("q", 1)]).build().unwrap())
    }

    #[test]
    fn a_measure_is_found() {
        let found = MeasureSpec::parse(&net(), "auto").unwrap().unwrap();
        assert!(found.found.is_some_and(|found| found.monotone && found.window == 0));
    }

    #[test]
    fn commas_in_parentheses_and_quotes_do_not_split() {
        assert_eq!(split("tokens(p, q), \"a, b\" , 2*q"), ["tokens(p, q)", "\"a, b\"", "2*q"]);
    }

    #[test]
    fn monotone_components_lead() {
        let spec = MeasureSpec::parse(&net(), "q, monotone(p + q), p").unwrap().unwrap();
        assert_eq!((spec.columns, spec.components.len()), (1, 3));
        assert_eq!(spec.components[0], parse_expr(net().net(), "p + q").unwrap());
        assert_eq!(spec.components[1], parse_expr(net().net(), "q").unwrap());
    }

    #[test]
    fn nets_without_time_have_no_time() {
        assert!(matches!(MeasureSpec::parse(&net(), "time"), Err(Failure::NotFor { .. })));
        assert!(MeasureSpec::parse(&net(), "none").unwrap().is_none());
        assert!(MeasureSpec::parse(&net(), "p, ").is_err());
    }

    #[test]
    fn the_farthest_value_needs_bounds() {
        let farthest = |text: &str| {
            let spec = MeasureSpec::parse(&net(), text).unwrap().unwrap();
            spec.farthest(&net())
        };
        assert_eq!(farthest("3*p - q + 2"), Some(11));
        let unbounded = Net::builder("n").place("p", 0).transition("t", &[], &[("p", 1)]);
        let unbounded = NetModel::new(unbounded.build().unwrap());
        let spec = MeasureSpec::parse(&unbounded, "p").unwrap().unwrap();
        assert_eq!(spec.farthest(&unbounded), None);
    }
}
