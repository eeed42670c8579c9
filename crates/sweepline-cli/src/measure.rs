//! The measure that `--progress` names: parsed, or found.

mod common;
mod ladder;
mod list;
mod reach;

use std::time::{Duration, Instant};

use sweepline::progress::{Candidate, Effort, Fit, Monotonicity, Trivial};
use sweepline::{Limits, Progress, explore};

use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::guard;
use crate::watch::{Extent, Searching};
use common::Common;
pub(crate) use ladder::{Ladder, is_open};

/// A found measure is not worth a sweep if its predicted peak is at least this part of the states.
const WORTH: f64 = 0.9;
/// The same if a full exploration has to be stopped for it.
const WORTH_STARTING_AGAIN: f64 = 0.7;

/// Steps of work in the full exploration before `--progress auto` searches: about a second.
const BEFORE: u64 = 240_000_000;
/// The same in time, for models whose successors take unusually long to compute.
const BEFORE_AT_MOST: Duration = Duration::from_secs(10);
/// The same in bytes of stored states.
const BEFORE_BYTES: u64 = 48 << 20;
/// Edges of a state, on average.
const DEGREE: u64 = 5;

/// What a found measure must be like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// Its predicted peak is low.
    Any,
    /// And the search saw no regress edge, so that each strongly connected component is in one layer.
    Rising,
}

/// The components of a measure, the monotone ones first.
pub(crate) struct MeasureSpec<M: FrontEnd> {
    components: Vec<M::Expr>,
    columns: usize,
    /// The expression: as the user wrote it, or as it was found.
    pub(crate) text: String,
    /// The results of the search, if it was found.
    pub(crate) found: Option<FoundMeasure>,
    /// The number of states of the model, if a trial sweep visited all of them.
    states: Option<u64>,
}

/// The results of the search for a measure.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct FoundMeasure {
    /// The window with which one sweep is enough.
    pub(crate) window: u64,
    /// How far from the start of the sweep layers are kept.
    #[serde(default)]
    pub(crate) anchor: u64,
    /// No transition decreases it.
    pub(crate) monotone: bool,
    /// The prediction comes from a sweep of the whole state space, not from random walks.
    pub(crate) whole: bool,
    /// The predicted peak, as a part of all states.
    pub(crate) predicted_peak: f64,
    /// Distinct values in the sample.
    pub(crate) values: usize,
    /// Persistent states of a trial sweep.
    pub(crate) persistent: u64,
    /// Regress edges of a trial sweep.
    pub(crate) regress_edges: u64,
    /// How long the search took.
    pub(crate) seconds: f64,
}

impl<M: FrontEnd> MeasureSpec<M> {
    /// Parses `none`, `auto`, `auto:3`, `EXPR, EXPR` or `monotone(EXPR), EXPR`; `None` for `none`, and for
    /// `auto` if the predicted peak of every measure is too high.
    pub(crate) fn parse(model: &M, text: &str) -> Result<Option<Self>, Failure> {
        Self::parse_for(model, text, Need::Any, None)
    }

    /// The same; `auto` finds a measure that meets `need`, made of these `sums` of features only, if some are
    /// given.
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
        if let Some(number) = trimmed.strip_prefix("auto:") {
            return Self::listed(model, number.trim()).map(Some);
        }
        Self::parse_components(model, trimmed).map(Some)
    }

    /// The measure that `auto:NUMBER` names.
    fn listed(model: &M, number: &str) -> Result<Self, Failure> {
        let mut list = Self::list(model);
        let position = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match position.filter(|position| *position < list.len()) {
            Some(position) => Ok(list.swap_remove(position)),
            None => {
                let known = match list.len() {
                    0 => "sweepline found none".to_owned(),
                    1 => "sweepline found 1: `auto:1`".to_owned(),
                    n => format!("sweepline found {n}: `auto:1` to `auto:{n}`"),
                };
                Err(Failure::NoSuchMeasure { number: number.to_owned(), known })
            }
        }
    }

    /// The measures that `sweepline progress` lists, in its order: short ones first.
    pub(crate) fn list(model: &M) -> Vec<Self> {
        let effort = Effort::most(model.successor_steps());
        let search = |effort| list::distinct(Self::candidates(model, effort));
        let mut list = Self::search(model, search, effort);
        list.sort_by_key(|measure| measure.text.chars().count());
        list
    }

    /// The measures that can be found for a model, the most promising first.
    fn find(model: &M, effort: Effort) -> Vec<Self> {
        Self::search(model, |effort| Self::candidates(model, effort), effort)
    }

    fn candidates(model: &M, effort: Effort) -> Vec<Candidate> {
        model.candidates(Fit::new(model, effort.clone()).candidates(), effort)
    }

    /// Searches within the limits of the command, and shows on the terminal that it does.
    fn search(
        model: &M,
        search: impl FnOnce(Effort) -> Vec<Candidate>,
        effort: Effort,
    ) -> Vec<Self> {
        let (started, _shown) = (Instant::now(), Searching::new());
        let found = search(effort.within(&guard::options()));
        let took = started.elapsed();
        found.iter().filter_map(|candidate| Self::of(model, candidate, took)).collect()
    }

    /// The same for measures that are made of these sums of features.
    fn find_of(model: &M, sums: &[Vec<usize>], effort: Effort) -> Vec<Self> {
        let common = Common::new(model, sums);
        let search = |effort| {
            let found = Fit::new(&common, effort).candidates();
            found.into_iter().map(|found| common.spread(found)).collect()
        };
        Self::search(model, search, effort)
    }

    fn of(model: &M, candidate: &Candidate, took: Duration) -> Option<Self> {
        let components =
            candidate.components.iter().map(|c| model.weighted(c)).collect::<Option<Vec<_>>>()?;
        let show = |(number, expr): (usize, &M::Expr)| {
            let expr = model.show_expr(expr);
            if number < candidate.columns { format!("monotone({expr})") } else { expr }
        };
        let text: Vec<String> = components.iter().enumerate().map(show).collect();
        let complete = candidate.forecast.trial.complete;
        Some(MeasureSpec {
            text: text.join(", "),
            components,
            columns: candidate.columns,
            states: complete.then_some(candidate.forecast.trial.explored),
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

    /// The best measure, if its predicted peak is low and one sweep is enough.
    pub(crate) fn find_promising(model: &M, need: Need, effort: Effort) -> Option<Self> {
        let best = Self::best(model, need, None, effort)?;
        let once = best.found.is_some_and(|found| found.persistent == 0);
        (once && best.promises(WORTH_STARTING_AGAIN)).then_some(best)
    }

    /// The most promising measure of those that meet `need`.
    fn best(model: &M, need: Need, sums: Option<&[Vec<usize>]>, effort: Effort) -> Option<Self> {
        let rises = |found: FoundMeasure| found.monotone || found.regress_edges == 0;
        let does = |measure: &Self| need == Need::Any || measure.found.is_some_and(rises);
        let found = match sums {
            None => Self::find(model, effort),
            Some(sums) => Self::find_of(model, sums, effort),
        };
        found.into_iter().find(does)
    }

    /// Its predicted peak is less than this part of the states.
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
        // The name of a measure that the file declares.
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
        let text = text.to_owned();
        Ok(MeasureSpec { components: monotone, columns, text, found: None, states: None })
    }

    /// Its components, the monotone ones first.
    pub(crate) fn components(&self) -> &[M::Expr] {
        &self.components
    }

    /// How many of them are meant to be monotone.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The measure itself.
    pub(crate) fn build<'a>(&self, model: &'a M) -> Box<dyn Progress<M> + 'a> {
        model.measure(&self.components, self.columns)
    }

    /// What is known about the end of a sweep along it: from bounds, else from random walks.
    pub(crate) fn extent(&self, model: &M) -> Extent {
        let known = self.components.first().and_then(|first| model.farthest(first));
        let end = known.or_else(|| reach::greatest(model, &*self.build(model)));
        Extent { end: end.map(|end| (end, end)), states: self.states }
    }
}

/// The measure to sweep along, or the trivial one.
pub(crate) fn along<'a, M: FrontEnd>(
    model: &'a M,
    measure: Option<&MeasureSpec<M>>,
) -> Box<dyn Progress<M> + 'a> {
    measure.map_or_else(|| Box::new(Trivial) as _, |measure| measure.build(model))
}

/// How much work a search is worth: a quarter of a full exploration, of which about a second is run. A search
/// should not take longer than the sweep that it saves memory for.
fn effort_after_first_states<M: FrontEnd>(model: &M) -> Effort {
    let states = BEFORE / model.successor_steps() / DEGREE;
    let mut options = guard::options();
    options.limits = Limits {
        states: Some(states),
        memory: Some(options.limits.memory.map_or(BEFORE_BYTES, |share| share.min(BEFORE_BYTES))),
        time: Some(BEFORE_AT_MOST),
        ..options.limits
    };
    let _shown = Searching::new();
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
    fn a_number_picks_a_measure_of_the_list() {
        let text = |spec: MeasureSpec<NetModel>| spec.text;
        let list: Vec<String> = MeasureSpec::list(&net()).into_iter().map(text).collect();
        for (number, expected) in (1..).zip(&list) {
            let picked = MeasureSpec::parse(&net(), &format!("auto:{number}")).unwrap().unwrap();
            assert_eq!((&picked.text, picked.found.is_some()), (expected, true));
        }
        for wrong in ["auto:0", "auto:99", "auto:", "auto:x", "auto:-1"] {
            let failure = MeasureSpec::parse(&net(), wrong).err().unwrap();
            let count = format!("found {}", list.len());
            assert!(failure.to_string().contains(&count), "{wrong}: {failure}");
        }
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
    fn the_end_of_a_measure_needs_bounds() {
        let end = |text: &str| {
            let spec = MeasureSpec::parse(&net(), text).unwrap().unwrap();
            spec.extent(&net()).end
        };
        assert_eq!(end("3*p - q + 2"), Some((11, 11)));
        assert_eq!(end("2*p + 3*q"), Some((9, 9)));
        let unbounded = Net::builder("n").place("p", 0).transition("t", &[], &[("p", 1)]);
        let unbounded = NetModel::new(unbounded.build().unwrap());
        let spec = MeasureSpec::parse(&unbounded, "p").unwrap().unwrap();
        assert_eq!(spec.extent(&unbounded), Extent::default());
    }
}
