//! The values of expressions along a trace.

use std::fmt;
use std::ops::Range;

use serde_json::{Value, json};
use sweepline_serve::Refusal;

use super::chart::{Chart, Curve};
use super::game::refusal;
use super::play::Play;
use crate::front_end::FrontEnd;

/// The most expressions, and the most bytes of one.
const MOST: usize = 6;
pub(super) const MOST_BYTES: usize = 64 << 10;
/// The most states of a trace in a chart.
const MOST_POINTS: usize = 2_000;

/// An expression with its text.
pub(super) struct Watched<M: FrontEnd> {
    text: String,
    what: What<M>,
}

enum What<M: FrontEnd> {
    Number(M::Expr),
    Condition(M::Predicate),
}

/// Refuses a text that is too long to be an expression.
pub(super) fn short(text: &str) -> Result<&str, Refusal> {
    match text.len() {
        0..=MOST_BYTES => Ok(text),
        _ => Err(Refusal::new("the expression is longer than 64 KiB")),
    }
}

impl<M: FrontEnd> Play<M> {
    /// The values of expressions in a range of states, as texts.
    pub(super) fn values(
        &mut self,
        watch: &[String],
        states: Range<usize>,
    ) -> Result<Vec<Vec<String>>, Refusal> {
        self.watch(watch)?;
        let row = |at| (0..watch.len()).map(|number| shown(self.value(number, at))).collect();
        Ok(states.map(row).collect())
    }

    /// The same for the whole trace, drawn. A long trace is drawn with some of its states.
    pub(super) fn drawn_values(&mut self, watch: &[String]) -> Result<Value, Refusal> {
        self.watch(watch)?;
        let n = self.path.len() + 1;
        let points = n.min(MOST_POINTS);
        let at = |point: usize| point * (n - 1) / (points - 1).max(1);
        let mut curves = Vec::new();
        for (number, text) in watch.iter().enumerate() {
            let value = |point: usize| {
                let value = match self.value(number, at(point))? {
                    Val::Number(number) => number as f64,
                    Val::Truth(truth) => f64::from(u8::from(truth)),
                };
                Some((at(point) as f64, value))
            };
            let points = (0..points).filter_map(value).collect();
            curves.push(Curve { name: text.clone(), points });
        }
        let note = (points < n).then(|| format!("drawn from {points} of {n} states"));
        Ok(json!({ "svg": Chart::of_trace().curves(&curves, Some(self.at as f64)), "note": note }))
    }

    /// Parses what is not known yet.
    fn watch(&mut self, watch: &[String]) -> Result<(), Refusal> {
        if watch.len() > MOST {
            return Err(Refusal::new(format!("at most {MOST} expressions can be watched")));
        }
        let is_same = |(known, text): (&Watched<M>, &String)| known.text == *text;
        if self.watched.len() == watch.len() && self.watched.iter().zip(watch).all(is_same) {
            return Ok(());
        }
        let model = &self.game.model;
        let parse = |text: &String| Watched::parse(model, "--watch", text);
        self.watched = watch.iter().map(parse).collect::<Result<_, Refusal>>()?;
        Ok(())
    }

    /// The value of a watched expression; `None` if it has none.
    fn value(&mut self, number: usize, at: usize) -> Option<Val> {
        let model = &self.game.model;
        let state = match at {
            0 => &self.path.initial,
            at => &self.path.steps[at - 1].state,
        };
        self.watched[number].value(model, &mut self.worker, state)
    }
}

impl<M: FrontEnd> Watched<M> {
    /// As it was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A number, or else a condition.
    pub(super) fn parse(model: &M, option: &str, text: &str) -> Result<Self, Refusal> {
        let number = model.parse_expr(option, short(text)?);
        let what = match number {
            Ok(number) => What::Number(number),
            Err(failure) => match model.parse_predicate(option, text) {
                Ok(condition) => What::Condition(condition),
                Err(_) => return Err(refusal(failure)),
            },
        };
        Ok(Watched { text: text.to_owned(), what })
    }

    /// Its value in a state; `None` if it has none.
    pub(super) fn value(&self, model: &M, worker: &mut M::Worker, state: &M::State) -> Option<Val> {
        match &self.what {
            What::Number(expr) => model.value(worker, expr, state).ok().map(Val::Number),
            What::Condition(condition) => {
                model.holds(worker, condition, state).ok().map(Val::Truth)
            }
        }
    }
}

/// A value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Val {
    Number(i128),
    Truth(bool),
}

impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Number(number) => write!(f, "{number}"),
            Val::Truth(truth) => write!(f, "{truth}"),
        }
    }
}

/// A value as a text.
pub(super) fn shown(value: Option<Val>) -> String {
    value.map_or_else(|| "error".to_owned(), |value| value.to_string())
}
