//! A model that is open, of any kind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use sweepline_serve::Refusal;

use super::assertion;
use super::board::Board;
use super::check::{self, Answers, Progress};
use super::play::Play;
use super::request::Settings;
use super::trace::Recorded;
use crate::args::{self, Format, Input};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::load::{self, Loaded};
use crate::shown;

/// What pages need from a model of any kind.
pub(super) trait Game: Send + Sync {
    /// What the page says about it.
    fn about(&self) -> Value;

    /// A run that takes these steps, and the position in it.
    fn begin(
        self: Arc<Self>,
        choices: &[usize],
        at: Option<usize>,
    ) -> Result<Box<dyn Player>, Refusal>;

    /// A run that takes the steps of a trace. Where it has no such step, the run ends there if that `may_end_early`; then
    /// a text says why.
    fn load(
        self: Arc<Self>,
        recorded: &Recorded,
        may_end_early: bool,
    ) -> Result<(Box<dyn Player>, Option<String>), Refusal>;

    /// Decides properties. It may take long.
    fn check(
        self: Arc<Self>,
        args: &args::Check,
        progress: &Progress,
    ) -> Result<Box<dyn Answers>, Refusal>;
}

/// A run, and a position in it.
pub(super) trait Player: Send {
    /// The state at the position, the enabled steps, and what the last step changed.
    fn view(&mut self) -> Result<Value, Refusal>;

    /// Takes an enabled step.
    fn step(&mut self, choice: usize) -> Result<(), Refusal>;

    /// Goes to a position.
    fn go(&mut self, to: usize);

    /// Takes random steps, as many as there are.
    fn random(&mut self, steps: usize) -> Result<(), Refusal>;

    /// Takes random steps for a while: `found` once the condition holds, `dead` in a state without steps, else `more`.
    fn until(&mut self, condition: &str) -> Result<&'static str, Refusal>;

    /// Some rows of the trace.
    fn rows(&mut self, from: usize, to: usize, watch: &[String]) -> Result<Value, Refusal>;

    /// The values of expressions along the trace, drawn.
    fn plot(&mut self, watch: &[String]) -> Result<Value, Refusal>;

    /// Some steps as a sequence chart.
    fn sequence(&self, from: usize) -> Value;

    /// The text of a trace file.
    fn save(&self) -> String;

    /// The states around the current one, after one of them was expanded.
    fn around(&mut self, expand: Option<usize>, merge: Option<&str>) -> Result<Value, Refusal>;

    /// What finds a shortest path to a state of that graph.
    fn way(&self, state: usize) -> Result<Way, Refusal>;
}

/// A search for a state, to be run in the background.
pub(super) type Way = Box<dyn FnOnce(&Progress) -> Result<Box<dyn Answers>, Refusal> + Send>;

/// A model that is open.
pub(super) struct Opened<M: FrontEnd> {
    pub(super) model: M,
    pub(super) input: Input,
    /// The assertions of a CSPm script.
    assertions: Vec<String>,
    board: Mutex<Board<M>>,
}

impl<M: FrontEnd> Opened<M> {
    pub(super) fn board(&self) -> MutexGuard<'_, Board<M>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The model that `input` names, with the parameters of a page.
pub(super) fn input(input: &Input, settings: &Settings) -> Input {
    Input {
        param: settings.param.clone(),
        init: settings.init.clone(),
        process: settings.process.clone(),
        ..input.clone()
    }
}

/// Opens the model that `input` names, with the parameters of a page.
pub(super) fn open(input: &Input, settings: &Settings) -> Result<Arc<dyn Game>, Failure> {
    let input = self::input(input, settings);
    let format = input.model_format()?;
    Ok(match load::load(&input)? {
        Loaded::Net(model) => opened(*model, input, Board::of_net(), Vec::new()),
        Loaded::Coloured(model) => {
            let board = match format {
                Format::Pnml => Board::none(),
                format => Board::of_file(load::coloured::read_model(&input, format)?),
            };
            opened(*model, input, board, Vec::new())
        }
        Loaded::Processes(model) => {
            let assertions = match format {
                Format::Csp => assertion::texts(&load::processes::script(&input)?),
                _ => Vec::new(),
            };
            opened(*model, input, Board::none(), assertions)
        }
    })
}

fn opened<M: FrontEnd + Send + 'static>(
    model: M,
    input: Input,
    board: Board<M>,
    assertions: Vec<String>,
) -> Arc<dyn Game> {
    Arc::new(Opened { model, input, assertions, board: Mutex::new(board) })
}

impl<M: FrontEnd + Send + 'static> Game for Opened<M> {
    fn about(&self) -> Value {
        let model = &self.model;
        let property = |property: &sweepline_query::Property| {
            json!({
                "name": property.name, "kind": property.kind.word(), "text": property.text.as_str(),
            })
        };
        let properties: Vec<Value> = model.declared().iter().map(property).collect();
        let measures: Vec<&str> = model.measures().iter().map(|measure| &*measure.name).collect();
        let words = model.in_words();
        let own = format!("`{}`, ", model.name());
        json!({
            "name": model.name(), "words": words.strip_prefix(&own).unwrap_or(&words), "properties": properties,
            "assertions": self.assertions, "measures": measures, "transitions": first(model.transitions()),
        })
    }

    fn begin(
        self: Arc<Self>,
        choices: &[usize],
        at: Option<usize>,
    ) -> Result<Box<dyn Player>, Refusal> {
        let mut play = Play::new(self)?;
        for &choice in choices {
            play.step(choice)?;
        }
        play.go(at.unwrap_or(usize::MAX));
        Ok(Box::new(play))
    }

    fn load(
        self: Arc<Self>,
        recorded: &Recorded,
        may_end_early: bool,
    ) -> Result<(Box<dyn Player>, Option<String>), Refusal> {
        let mut play = Play::new(self)?;
        let ended = match play.replay(recorded) {
            Ok(()) => None,
            Err(refusal) if may_end_early => Some(refusal.message),
            Err(refusal) => return Err(refusal),
        };
        Ok((Box::new(play), ended))
    }

    fn check(
        self: Arc<Self>,
        args: &args::Check,
        progress: &Progress,
    ) -> Result<Box<dyn Answers>, Refusal> {
        check::run(self, args, progress)
    }
}

/// Names that a page suggests.
fn first(names: Vec<String>) -> Vec<String> {
    const MOST: usize = 1_000;
    names.into_iter().take(MOST).collect()
}

/// A failure in words for the page.
pub(super) fn refusal(failure: Failure) -> Refusal {
    Refusal::new(shown::plain(&failure))
}

/// The error of a model.
pub(super) fn of_model(error: sweepline::ModelError) -> Refusal {
    Refusal::new(error.to_string())
}
