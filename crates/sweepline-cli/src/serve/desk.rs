//! What is open: models, runs and checks.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde_json::{Value, json};
use sweepline::Cause;
use sweepline_serve::{Asset, News, Refusal, Subject};

use super::game::{self, Game, Player, refusal};
use super::jobs::Jobs;
use super::page;
use super::request::{Asked, Kind, Request, Settings};
use super::trace::Recorded;
use super::values::short;
use super::{assertion, check};
use crate::args::{self, Input, Limits};
use crate::failure::Failure;

/// The most models with different parameters, and the most runs; those used last are kept.
const MOST_GAMES: usize = 8;
const MOST_RUNS: usize = 64;
/// The most parameters of a page, and the most bytes of one.
const MOST_SETTINGS: usize = 100;
/// How often the file of the model is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// A version of the model's file.
pub(super) type Stamp = u64;

/// What is open.
pub(super) struct Desk {
    input: Input,
    limits: Limits,
    /// The parameters of the command line.
    given: Settings,
    games: Mutex<Vec<Open>>,
    runs: Mutex<VecDeque<Run>>,
    last_run: AtomicU64,
    jobs: Jobs,
    /// When the model's file was last looked at, and its version then.
    file: Mutex<(Instant, Stamp)>,
    /// The model comes through a pipe, and does not change.
    is_piped: bool,
}

/// A model that is open.
#[derive(Clone)]
pub(super) struct Open {
    pub(super) settings: Settings,
    /// The version of the file that it was read from.
    pub(super) stamp: Stamp,
    pub(super) game: Arc<dyn Game>,
}

/// A run of a page.
#[derive(Clone)]
struct Run {
    number: u64,
    of: Open,
    player: Arc<Mutex<Box<dyn Player>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    /// Opens the model of the command line.
    pub(super) fn open(args: &args::Serve) -> Result<Self, Failure> {
        // A pipe can be read only once: all models are made of the same bytes.
        let is_piped = args.input.piped()?.is_some();
        let input = args.input.clone();
        let (param, init, process) =
            (input.param.clone(), input.init.clone(), input.process.clone());
        let desk = Desk {
            file: Mutex::new((Instant::now(), if is_piped { 0 } else { stamp(&input.file) })),
            is_piped,
            given: Settings { param, init, process },
            limits: args.limits.clone(),
            games: Mutex::default(),
            runs: Mutex::default(),
            last_run: AtomicU64::new(0),
            jobs: Jobs::default(),
            input,
        };
        desk.jobs.note();
        let given = desk.given.clone();
        let stamp = locked(&desk.file).1;
        let game = game::open(&desk.input, &given)?;
        locked(&desk.games).push(Open { settings: given, stamp, game });
        Ok(desk)
    }

    /// The model, as the page is called.
    pub(super) fn name(&self) -> String {
        let games = locked(&self.games);
        let about = games.first().map(|open| open.game.about());
        about.and_then(|about| about["name"].as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Asks all checks to stop.
    pub(super) fn stop_all(&self, cause: Cause) {
        self.jobs.stop_all(cause);
    }

    /// Some check is running.
    pub(super) fn is_checking(&self) -> bool {
        self.jobs.is_running()
    }

    /// The model with these parameters, as its file is now.
    fn game(&self, settings: &Settings) -> Result<Open, Refusal> {
        let texts = settings.param.iter().chain(&settings.init).chain(&settings.process);
        for text in texts {
            short(text)?;
        }
        if settings.param.len() + settings.init.len() > MOST_SETTINGS {
            return Err(Refusal::new(format!("at most {MOST_SETTINGS} parameters can be set")));
        }
        let stamp = self.version();
        let is_it = |open: &Open| open.settings == *settings && open.stamp == stamp;
        let mut games = locked(&self.games);
        if let Some(at) = games.iter().position(is_it) {
            let open = games.remove(at);
            games.push(open.clone());
            return Ok(open);
        }
        drop(games);
        let game = game::open(&self.input, settings).map_err(refusal)?;
        let open = Open { settings: settings.clone(), stamp, game };
        let mut games = locked(&self.games);
        if games.len() >= MOST_GAMES {
            games.remove(0);
        }
        games.push(open.clone());
        Ok(open)
    }

    /// A new run.
    fn begin(&self, of: &Open, player: Box<dyn Player>) -> Run {
        let number = self.last_run.fetch_add(1, Ordering::SeqCst) + 1;
        let run = Run { number, of: of.clone(), player: Arc::new(Mutex::new(player)) };
        let mut runs = locked(&self.runs);
        if runs.len() >= MOST_RUNS {
            runs.pop_front();
        }
        runs.push_back(run.clone());
        run
    }

    fn run(&self, number: u64) -> Result<Run, Refusal> {
        let mut runs = locked(&self.runs);
        let at = runs.iter().position(|run| run.number == number);
        let run = at.and_then(|at| runs.remove(at));
        let run = run.ok_or_else(|| Refusal::gone("this run is not there any more"))?;
        runs.push_back(run.clone());
        Ok(run)
    }

    /// Calls `work` with a run, then shows its state.
    fn playing(
        &self,
        number: u64,
        work: impl FnOnce(&mut dyn Player) -> Result<(), Refusal>,
    ) -> Result<Value, Refusal> {
        let run = self.run(number)?;
        let mut player = locked(&run.player);
        work(&mut **player)?;
        view(&run, &mut **player)
    }

    /// Calls `work` with a run, for an answer of its own.
    fn asking(
        &self,
        number: u64,
        work: impl FnOnce(&mut dyn Player) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        let run = self.run(number)?;
        let mut player = locked(&run.player);
        work(&mut **player)
    }

    /// Begins a run, and shows its state with what the page says about the model.
    fn shown(&self, open: &Open, player: Box<dyn Player>) -> Result<Value, Refusal> {
        let run = self.begin(open, player);
        let mut shown = view(&run, &mut **locked(&run.player))?;
        shown["about"] = open.game.about();
        Ok(shown)
    }

    fn reload(&self, number: u64, settings: &Settings) -> Result<Value, Refusal> {
        let text = locked(&self.run(number)?.player).save();
        let open = self.game(settings)?;
        let recorded = Recorded::read(&text)?.anywhere();
        let (player, ended) = open.game.clone().load(&recorded, true)?;
        let mut shown = self.shown(&open, player)?;
        shown["note"] = json!(ended);
        Ok(shown)
    }

    fn check(
        &self,
        settings: &Settings,
        properties: &[Asked],
        progress: &str,
    ) -> Result<Value, Refusal> {
        let open = self.game(settings)?;
        let args = check::arguments(&self.input, &self.limits, properties, progress)?;
        let title = title(properties);
        if properties.iter().any(|asked| asked.kind == Kind::Assertion) {
            let args = args::Check { input: game::input(&self.input, &open.settings), ..args };
            let number = self.jobs.start(title, open, move |told| assertion::run(&args, told))?;
            return Ok(json!({ "check": number }));
        }
        let game = open.game.clone();
        let number = self.jobs.start(title, open, move |told| game.check(&args, told))?;
        Ok(json!({ "check": number }))
    }

    fn show(&self, number: u64, property: usize, at: Option<usize>) -> Result<Value, Refusal> {
        let (trace, open) = self.jobs.with_answers(number, |answers, open| {
            let trace = answers.trace(property);
            let trace = trace.map(|(process, text)| (process.to_owned(), text.to_owned()));
            Ok((trace, open.clone()))
        })?;
        if let Some((process, text)) = trace {
            let open = self.game(&Settings { process: Some(process), ..open.settings })?;
            let (mut player, _) = open.game.clone().load(&Recorded::read(&text)?, false)?;
            player.go(at.unwrap_or(usize::MAX));
            return self.shown(&open, player);
        }
        // It is a run of the model that was checked, even if the file has changed since then.
        let player = self.jobs.with_answers(number, |answers, _| answers.show(property, at))?;
        self.shown(&open, player)
    }

    fn answer(&self, request: Request) -> Result<Value, Refusal> {
        match request {
            Request::Open { settings, choices, at } => {
                let open = self.game(&settings)?;
                let player = open.game.clone().begin(&choices, at)?;
                self.shown(&open, player)
            }
            Request::Load { settings, text } => {
                let open = self.game(&settings)?;
                let (player, _) = open.game.clone().load(&Recorded::read(&text)?, false)?;
                self.shown(&open, player)
            }
            Request::Reload { run, settings } => self.reload(run, &settings),
            Request::View { run } => self.playing(run, |_| Ok(())),
            Request::Step { run, choice } => self.playing(run, |player| player.step(choice)),
            Request::Go { run, to } => self.playing(run, |player| {
                player.go(to);
                Ok(())
            }),
            Request::Random { run, steps } => self.playing(run, |player| player.random(steps)),
            Request::Until { run, condition } => {
                let mut found = "";
                let mut shown = self.playing(run, |player| {
                    found = player.until(short(&condition)?)?;
                    Ok(())
                })?;
                shown["until"] = json!(found);
                Ok(shown)
            }
            Request::Rows { run, from, to, watch } => {
                self.asking(run, |player| player.rows(from, to, &watch))
            }
            Request::Plot { run, watch } => self.asking(run, |player| player.plot(&watch)),
            Request::Sequence { run, from } => self.asking(run, |player| Ok(player.sequence(from))),
            Request::Save { run } => {
                self.asking(run, |player| Ok(json!({ "text": player.save() })))
            }
            Request::Around { run, expand, merge } => {
                self.asking(run, |player| player.around(expand, merge.as_deref()))
            }
            Request::Way { run, state } => {
                let run = self.run(run)?;
                let way = locked(&run.player).way(state)?;
                let title = format!("shortest path to state {state} of the graph");
                let number = self.jobs.start(title, run.of, way)?;
                Ok(json!({ "check": number }))
            }
            Request::Check { settings, properties, progress } => {
                self.check(&settings, &properties, &progress)
            }
            Request::Stop { check } => self.jobs.stop(check).map(|()| json!({})),
            Request::Show { check, property, at } => self.show(check, property, at),
        }
    }

    /// The version of the model's file now.
    fn version(&self) -> Stamp {
        if self.is_piped { 0 } else { stamp(&self.input.file) }
    }

    /// The same, read again now and then.
    fn stamp(&self) -> Stamp {
        let mut file = locked(&self.file);
        if file.0.elapsed() > LOOK {
            let now = self.version();
            if now != file.1 {
                self.jobs.note();
            }
            *file = (Instant::now(), now);
        }
        file.1
    }
}

impl Subject for Desk {
    type Request = Request;

    fn page(&self) -> String {
        page::page(&self.name(), &self.input.file.display().to_string(), &self.given)
    }

    fn asset(&self, name: &str) -> Option<Asset> {
        page::asset(name)
    }

    fn answer(&self, request: Request) -> Result<String, Refusal> {
        self.answer(request).map(|answer| answer.to_string())
    }

    fn news(&self, seen: u64) -> Option<News> {
        let stamp = self.stamp();
        let number = self.jobs.last();
        (number > seen).then(|| News {
            number,
            text: json!({ "stamp": stamp.to_string(), "checks": self.jobs.changed(seen) })
                .to_string(),
        })
    }
}

/// The state of a run, with what the page must know of the run.
fn view(run: &Run, player: &mut dyn Player) -> Result<Value, Refusal> {
    let mut shown = player.view()?;
    shown["run"] = json!(run.number);
    // As a text: it has more digits than a number of JavaScript.
    shown["stamp"] = json!(run.of.stamp.to_string());
    let Settings { param, init, process } = &run.of.settings;
    shown["settings"] = json!({ "param": param, "init": init, "process": process });
    Ok(shown)
}

/// What a check asks, in a line.
fn title(properties: &[Asked]) -> String {
    let title = |asked: &Asked| match asked.kind {
        Kind::Property => asked.text.clone(),
        Kind::Assertion => format!("assertion {}", asked.text),
        kind => format!("{} {}", kind.option(), asked.text.trim()).trim().to_owned(),
    };
    let titles: Vec<String> = properties.iter().map(title).collect();
    let title = if titles.is_empty() { "all states".to_owned() } else { titles.join(", ") };
    title.chars().take(200).collect()
}

/// Tells versions of a file apart.
fn stamp(file: &Path) -> Stamp {
    let Ok(about) = std::fs::metadata(file) else { return 0 };
    let modified = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = modified.map_or(0, |time| time.as_nanos() as u64);
    nanoseconds.wrapping_mul(31).wrapping_add(about.len())
}
