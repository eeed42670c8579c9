//! Resumes a saved run: its saved options, compared with the options given now.
//!
//! The head of a checkpoint has the options of the run, so `--resume` does not need them again. An option that is given
//! again must be the same; limits and output may differ.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sweepline::Options;
use sweepline::checkpoint::{Checkpoint, Error, Head};

use crate::args::{self, Equivalence, Method, Monotone, Questions, Witness};
use crate::ask::Asked;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::measure::{FoundMeasure, MeasureSpec};

/// The options of a run and what was chosen for them: the note in the head of a checkpoint.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Settings {
    /// The model, in words.
    model: String,
    init: Vec<String>,
    #[serde(default)]
    param: Vec<String>,
    #[serde(default)]
    equivalence: Option<Equivalence>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    process: Option<String>,
    questions: Questions,
    /// The name and a fingerprint of each property.
    asked: Vec<(String, u64)>,
    /// The value of `--progress`: notes and warnings depend on whether it was given.
    #[serde(default)]
    progress: Option<String>,
    /// `None` for full exploration.
    measure: Option<SavedMeasure>,
    window: u64,
    #[serde(default)]
    anchor: u64,
    gc: Option<u64>,
    monotone: Monotone,
    witness: Witness,
    /// No option says how to explore: a measure is searched for once there are many states.
    #[serde(default)]
    open: bool,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct SavedMeasure {
    /// As written, for example `auto`.
    given: String,
    /// The measure that was used.
    text: String,
    found: Option<FoundMeasure>,
}

impl Settings {
    /// What `args` and the rest amount to.
    pub(crate) fn new<M: FrontEnd>(
        args: &args::Check,
        model: &M,
        asked: &[Asked<M>],
        measure: Option<&MeasureSpec<M>>,
        options: &Options,
        open: bool,
    ) -> Result<Self, Failure> {
        let mut questions = args.questions.clone();
        for file in &mut questions.property_file {
            // The run may be resumed in another folder.
            *file = std::path::absolute(&*file).map_err(Failure::writing(file))?;
        }
        let saved_measure = |measure: &MeasureSpec<M>| SavedMeasure {
            given: args.measure.progress.clone().unwrap_or_else(|| measure.text.clone()),
            text: measure.text.clone(),
            found: measure.found,
        };
        Ok(Settings {
            model: model.in_words(),
            init: args.input.init.clone(),
            param: args.input.param.clone(),
            equivalence: args.input.equivalence.clone(),
            seed: args.input.seed,
            process: args.input.process.clone(),
            questions,
            asked: asked.iter().map(Asked::fingerprint).collect(),
            progress: args.measure.progress.clone(),
            measure: measure.map(saved_measure),
            window: options.window,
            anchor: options.anchor,
            gc: args.retention.gc,
            monotone: args.measure.monotone.unwrap_or_default(),
            witness: args.output.witness.unwrap_or_default(),
            open,
        })
    }

    fn note(&self) -> Result<String, Failure> {
        serde_json::to_string(self).map_err(|error| Failure::Unnamed { message: error.to_string() })
    }
}

/// The run to resume.
pub(crate) struct Resumed {
    file: PathBuf,
    fingerprint: u64,
    settings: Settings,
}

impl Resumed {
    /// Reads the options saved in the checkpoint `file`.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let head = Head::read(file)?;
        let damaged = || Error::Damaged {
            file: file.to_owned(),
            what: "it does not list the properties of its run".into(),
        };
        let settings = serde_json::from_str(&head.note).map_err(|_| damaged())?;
        Ok(Resumed { file: file.to_owned(), fingerprint: head.fingerprint(), settings })
    }

    /// `args`, with the saved values of the options that are not given.
    pub(crate) fn complete(&self, mut args: args::Check) -> args::Check {
        let Settings { init, param, questions, window, gc, monotone, witness, .. } = &self.settings;
        if args.input.init.is_empty() {
            args.input.init.clone_from(init);
        }
        let equivalence = args.input.equivalence.take();
        args.input.equivalence = equivalence.or_else(|| self.settings.equivalence.clone());
        args.input.seed = args.input.seed.or(self.settings.seed);
        args.input.process = args.input.process.or_else(|| self.settings.process.clone());
        if args.input.param.is_empty() {
            args.input.param.clone_from(param);
        }
        if args.questions == Questions::default() {
            args.questions.clone_from(questions);
        }
        if !self.settings.open {
            args.retention.window.get_or_insert(*window);
            args.retention.anchor.get_or_insert(self.settings.anchor);
        }
        args.retention.gc = args.retention.gc.or(*gc);
        let progress = args.measure.progress.take();
        args.measure.progress = progress.or_else(|| self.settings.progress.clone());
        args.measure.monotone.get_or_insert(*monotone);
        args.output.witness.get_or_insert(*witness);
        args
    }

    /// The measure of the run, if `--progress` agrees with it. A found measure is not searched for again.
    fn measure<M: FrontEnd>(
        &self,
        args: &args::Measure,
        model: &M,
    ) -> Result<Option<MeasureSpec<M>>, Failure> {
        let saved = self.settings.measure.as_ref();
        let restore = |saved: &SavedMeasure| MeasureSpec::restore(model, &saved.text, saved.found);
        let there = saved.map(restore).transpose()?;
        let told = |saved: Option<&SavedMeasure>| saved.map_or("none".into(), |s| s.given.clone());
        let other = |option, here: &dyn Display| {
            Err(self.other(option, format_args!("`{}`", told(saved)), format_args!("`{here}`")))
        };
        match (args.method, &there) {
            (Some(Method::Full), None) => return Ok(None),
            (Some(Method::Full), Some(_)) => return other("--method", &"full"),
            (Some(Method::Sweep), None) => return other("--method", &"sweep"),
            _ => {}
        }
        let Some(text) = args.progress.as_deref().map(str::trim) else { return Ok(there) };
        if saved.is_some_and(|saved| text == saved.given.trim() || text == saved.text) {
            return Ok(there);
        }
        // A search would take time, and what it finds depends on it.
        let here = if text == "auto" { None } else { MeasureSpec::parse(model, text)? };
        let agree = match (&here, &there) {
            (Some(here), Some(there)) => here.is(there),
            (None, None) => true,
            _ => false,
        };
        if agree { Ok(there) } else { other("--progress", &text) }
    }

    /// Whether the run may still search for a measure.
    pub(crate) fn is_open(&self) -> bool {
        self.settings.open
    }

    /// The measure of the run, for the net that it was made for.
    pub(crate) fn restore<M: FrontEnd>(
        &self,
        args: &args::Measure,
        model: &M,
    ) -> Result<Option<MeasureSpec<M>>, Failure> {
        self.expect(model)?;
        self.measure(args, model)
    }

    /// Fails for another model. It is called before properties are parsed, because they may not fit another model.
    fn expect<M: FrontEnd>(&self, model: &M) -> Result<(), Failure> {
        if self.fingerprint == model.fingerprint() {
            return Ok(());
        }
        let (file, there) = (self.file.clone(), self.settings.model.clone());
        Err(Failure::OtherModel { file, there, here: model.in_words() })
    }

    /// The model has no place that the saved `--init` names.
    pub(crate) fn no_place(&self, init: &str) -> Failure {
        let (file, there) = (self.file.clone(), self.settings.model.clone());
        Failure::OtherModel { file, there, here: format!("no place for `--init {init}`") }
    }

    /// Fails if the options are not those of the saved run.
    pub(crate) fn compare(&self, here: &Settings) -> Result<(), Failure> {
        let there = &self.settings;
        if there.asked != here.asked {
            let (option, told, tells) = ("the list of properties", names(there), names(here));
            let changed = there.asked.iter().find(|asked| !here.asked.contains(asked));
            return Err(match changed.filter(|_| told == tells) {
                Some((name, _)) => {
                    let name = format!("`{name}`");
                    self.other(option, &name, format_args!("another {name}"))
                }
                None => self.other(option, told, tells),
            });
        }
        if there.window != here.window {
            return Err(self.other("--window", there.window, here.window));
        }
        if there.anchor != here.anchor {
            return Err(self.other("--anchor", there.anchor, here.anchor));
        }
        if there.gc != here.gc {
            let shown = |gc: Option<u64>| gc.map_or("none".into(), |n| n.to_string());
            return Err(self.other("--gc", shown(there.gc), shown(here.gc)));
        }
        if there.monotone != here.monotone {
            return Err(self.other("--monotone", there.monotone, here.monotone));
        }
        if there.witness != here.witness {
            return Err(self.other("--witness", there.witness, here.witness));
        }
        Ok(())
    }

    fn other(&self, option: &'static str, there: impl Display, here: impl Display) -> Failure {
        let (there, here) = (there.to_string(), here.to_string());
        Failure::OtherRun { file: self.file.clone(), option, there, here }
    }
}

fn names(settings: &Settings) -> String {
    let names: Vec<String> = settings.asked.iter().map(|(name, _)| format!("`{name}`")).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// Adds to `options` what `args` ask about checkpoints.
pub(crate) fn plan<M: FrontEnd>(
    args: &args::Checkpoints,
    model: &M,
    settings: &Settings,
    options: &mut Options,
) -> Result<(), Failure> {
    let Some(file) = args.checkpoint.as_ref().or(args.resume.as_ref()) else { return Ok(()) };
    let mut checkpoint = Checkpoint::new(file);
    if let Some(every) = args.checkpoint_every {
        checkpoint.every = every;
    }
    checkpoint.resume.clone_from(&args.resume);
    checkpoint.fingerprint = model.fingerprint();
    checkpoint.note = settings.note()?;
    // Removed after the results are printed.
    checkpoint.keep = true;
    options.checkpoint = Some(checkpoint);
    Ok(())
}
