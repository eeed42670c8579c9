//! A run, and a position in it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::{Value, json};
use sweepline::model::{initial, successors_by};
use sweepline::observe::Step;
use sweepline::{Model, Witness};
use sweepline_serve::Refusal;

use super::game::{Opened, Player, Way, of_model, refusal};
use super::graph::Around;
use super::sequence;
use super::values::Watched;
use crate::front_end::{Change, Content, FrontEnd};
use crate::results::trace_of;

/// The most enabled steps in a view.
const MOST_STEPS: usize = 500;
/// The most parts of a state in a view.
const MOST_PARTS: usize = 500;
/// The most steps in the address of a page.
const MOST_LINKED: usize = 1_500;
/// The most steps of a run.
const MOST: usize = 1_000_000;
/// How long one request may take random steps.
const PATIENCE: Duration = Duration::from_millis(250);
/// The most rows of a trace in an answer.
const MOST_ROWS: usize = 200;

/// The steps that a state enables, with their names.
struct Next<M: Model> {
    steps: Vec<(M::Action, M::State)>,
    names: Vec<String>,
}

/// A run of a model.
pub(super) struct Play<M: FrontEnd> {
    pub(super) game: Arc<Opened<M>>,
    pub(super) worker: M::Worker,
    pub(super) path: Witness<M>,
    /// The number of each step among those that its source enabled, where it is known.
    choices: Vec<Option<usize>>,
    pub(super) at: usize,
    /// What the state at the position enables, once it is known.
    next: Option<Next<M>>,
    random: Rng,
    pub(super) watched: Vec<Watched<M>>,
    around: Around<M>,
}

impl<M: FrontEnd> Play<M> {
    /// At the initial state.
    pub(super) fn new(game: Arc<Opened<M>>) -> Result<Self, Refusal> {
        let start = initial(&game.model).into_iter().next();
        let start = start.ok_or_else(|| Refusal::new("the model has no initial state"))?;
        Ok(Play::along(game, Witness { initial: start, steps: Vec::new(), back: None }))
    }

    /// At the end of a path.
    pub(super) fn along(game: Arc<Opened<M>>, path: Witness<M>) -> Self {
        Play {
            worker: game.model.worker(),
            random: Rng::with_seed(game.input.seed.unwrap_or(1)),
            at: path.len(),
            choices: vec![None; path.len()],
            path,
            next: None,
            watched: Vec::new(),
            around: Around::default(),
            game,
        }
    }

    /// The state at a position.
    pub(super) fn state(&self, at: usize) -> &M::State {
        match at {
            0 => &self.path.initial,
            at => &self.path.steps[at - 1].state,
        }
    }

    /// The steps that are enabled at the position.
    fn next(&mut self) -> Result<&Next<M>, Refusal> {
        if self.next.is_none() {
            let game = self.game.clone();
            let state = match self.at {
                0 => &self.path.initial,
                at => &self.path.steps[at - 1].state,
            };
            let steps = successors_by(&game.model, &mut self.worker, state).map_err(of_model)?;
            let names = game.model.actions(state).into_iter().map(|name| name.into_owned());
            self.next = Some(Next { steps, names: names.collect() });
        }
        Ok(self.next.as_ref().expect("it was computed"))
    }

    /// The names of the steps that are enabled at the position.
    pub(super) fn names(&mut self) -> Result<&[String], Refusal> {
        Ok(&self.next()?.names)
    }

    /// What an enabled step changes.
    pub(super) fn changes_of(&mut self, choice: usize) -> Result<Vec<Change>, Refusal> {
        self.next()?;
        let after = self.next.as_ref().and_then(|next| next.steps.get(choice));
        let before = self.state(self.at);
        Ok(after.map_or_else(Vec::new, |(_, after)| self.game.model.changes(before, after)))
    }

    /// What the step to a position changed.
    pub(super) fn changes(&self, at: usize) -> Vec<Change> {
        match at {
            0 => Vec::new(),
            at => self.game.model.changes(self.state(at - 1), self.state(at)),
        }
    }

    /// The name of the step to a position.
    pub(super) fn action(&self, at: usize) -> String {
        match at {
            0 => "initial state".into(),
            at => {
                let step = &self.path.steps[at - 1];
                self.game.model.action(self.state(at - 1), &step.action).into_owned()
            }
        }
    }

    /// The numbers of all steps, where the address of a page can have them.
    fn link(&mut self) -> Result<Option<String>, Refusal> {
        let unknown = self.choices.iter().position(Option::is_none);
        if self.path.len() > MOST_LINKED {
            return Ok(None);
        }
        if let Some(first) = unknown {
            let started = Instant::now();
            for at in first..self.path.len() {
                // The next view goes on.
                if started.elapsed() > PATIENCE {
                    return Ok(None);
                }
                self.choices[at] = self.choice_at(at)?;
            }
        }
        let words: Option<Vec<String>> =
            self.choices.iter().map(|choice| choice.map(|choice| choice.to_string())).collect();
        Ok(words.map(|words| words.join(".")))
    }

    /// The number of a step of the path among those that its source enables.
    fn choice_at(&mut self, at: usize) -> Result<Option<usize>, Refusal> {
        let game = self.game.clone();
        let model = &game.model;
        let source = match at {
            0 => &self.path.initial,
            at => &self.path.steps[at - 1].state,
        };
        let steps = successors_by(model, &mut self.worker, source).map_err(of_model)?;
        let taken = &self.path.steps[at];
        let bytes = sweepline::model::bytes_of(model, &taken.state);
        let name = model.action(source, &taken.action);
        Ok(steps.iter().position(|(action, state)| {
            model.action(source, action) == name
                && sweepline::model::bytes_of(model, state) == bytes
        }))
    }

    fn parts(&self) -> Value {
        let changed = self.changes(self.at);
        let parts = self.game.model.parts(self.state(self.at));
        let n_more = parts.len().saturating_sub(MOST_PARTS);
        let part = |(name, content): &(String, Content)| {
            let is_changed = changed.iter().any(|change| change.place == *name);
            json!([name, content.to_string(), is_changed])
        };
        let parts: Vec<Value> = parts.iter().take(MOST_PARTS).map(part).collect();
        json!({ "parts": parts, "more": n_more })
    }

    /// The enabled steps: the name and the number of the transition in drawings.
    fn enabled(&mut self) -> Result<Value, Refusal> {
        self.next()?;
        let (board, Some(next)) = (self.game.board(), &self.next) else {
            return Ok(Value::Null);
        };
        let step = |((action, _), name): (&(M::Action, M::State), &String)| {
            json!([name, board.number(action)])
        };
        let all = next.steps.iter().zip(&next.names);
        let shown: Vec<Value> = all.take(MOST_STEPS).map(step).collect();
        Ok(json!({ "steps": shown, "more": next.steps.len() - shown.len() }))
    }

    /// Why no step is enabled: the verdict, and what the nearest transitions lack.
    fn ended(&self) -> Value {
        let (model, state) = (&self.game.model, self.state(self.at));
        if model.has_terminated(state) {
            return json!({ "word": "terminated", "nearest": [] });
        }
        let nearest = model.nearest(state);
        let lacking: Vec<Value> = nearest
            .listed
            .iter()
            .map(|lacking| json!([lacking.transition, lacking.lacks.join(", ")]))
            .collect();
        json!({ "word": "dead", "nearest": lacking, "more": nearest.n_more })
    }

    /// Takes a step at the position. The rest of the trace stays if it begins with that step.
    fn take(&mut self, choice: usize) -> Result<(), Refusal> {
        let n = self.next()?.steps.len();
        if choice >= n {
            return Err(Refusal::new(format!(
                "there is no step {}: {n} are enabled here",
                choice.saturating_add(1)
            )));
        }
        if self.at >= MOST {
            return Err(Refusal::new("the run has a million steps: begin a new one"));
        }
        if self.choices.get(self.at) != Some(&Some(choice)) {
            let next = self.next.take().expect("it was computed");
            let (action, state) =
                next.steps.into_iter().nth(choice).expect("there are so many steps");
            self.path.steps.truncate(self.at);
            self.choices.truncate(self.at);
            self.path.back = None;
            self.path.steps.push(Step { action, state });
            self.choices.push(Some(choice));
        }
        self.next = None;
        self.at += 1;
        Ok(())
    }
}

impl<M: FrontEnd + Send + 'static> Player for Play<M> {
    fn view(&mut self) -> Result<Value, Refusal> {
        let enabled = self.enabled()?;
        let is_over = self.next()?.steps.is_empty();
        let (link, last) = (self.link()?, self.action(self.at));
        let game = self.game.clone();
        let sheets = game.board().draw(&game.model, self.state(self.at));
        Ok(json!({
            "at": self.at, "length": self.path.len(), "back": self.path.back, "link": link,
            "last": last, "enabled": enabled, "ended": is_over.then(|| self.ended()),
            "changes": self.changes(self.at).iter().map(super::trace::change).collect::<Vec<_>>(),
            "state": self.parts(), "sheets": sheets,
        }))
    }

    fn step(&mut self, choice: usize) -> Result<(), Refusal> {
        self.take(choice)
    }

    fn go(&mut self, to: usize) {
        let to = to.min(self.path.len());
        if to != self.at {
            (self.at, self.next) = (to, None);
        }
    }

    fn random(&mut self, steps: usize) -> Result<(), Refusal> {
        let started = Instant::now();
        for _ in 0..steps {
            let n = self.next()?.steps.len();
            if n == 0 || started.elapsed() > PATIENCE {
                break;
            }
            let choice = self.random.usize(..n);
            self.take(choice)?;
        }
        Ok(())
    }

    fn until(&mut self, condition: &str) -> Result<&'static str, Refusal> {
        let game = self.game.clone();
        let condition = game.model.parse_predicate("--until", condition).map_err(refusal)?;
        let started = Instant::now();
        loop {
            let n = self.next()?.steps.len();
            if n == 0 {
                return Ok("dead");
            }
            let choice = self.random.usize(..n);
            self.take(choice)?;
            let state = &self.path.steps[self.at - 1].state;
            if game.model.holds(&mut self.worker, &condition, state).map_err(of_model)? {
                return Ok("found");
            }
            if started.elapsed() > PATIENCE {
                return Ok("more");
            }
        }
    }

    fn rows(&mut self, from: usize, to: usize, watch: &[String]) -> Result<Value, Refusal> {
        let to = to.min(self.path.len() + 1).min(from.saturating_add(MOST_ROWS));
        let values = self.values(watch, from..to)?;
        let row = |(at, values): (usize, Vec<String>)| {
            let changes: Vec<Value> = self.changes(at).iter().map(super::trace::change).collect();
            json!({ "at": at, "action": self.action(at), "changes": changes, "values": values })
        };
        let rows: Vec<Value> = (from..to).zip(values).map(row).collect();
        Ok(json!({ "from": from, "rows": rows, "length": self.path.len() }))
    }

    fn plot(&mut self, watch: &[String]) -> Result<Value, Refusal> {
        self.drawn_values(watch)
    }

    fn sequence(&self, from: usize) -> Value {
        sequence::chart(self, from)
    }

    fn save(&self) -> String {
        trace_of(&self.game.model, &self.path)
    }

    fn around(&mut self, expand: Option<usize>, merge: Option<&str>) -> Result<Value, Refusal> {
        let game = self.game.clone();
        let state = self.state(self.at).clone();
        self.around.show(&game.model, &state, expand, merge)
    }

    fn way(&self, state: usize) -> Result<Way, Refusal> {
        self.around.way(self.game.clone(), state)
    }
}
