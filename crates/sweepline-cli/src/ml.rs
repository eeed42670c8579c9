//! `ml`: scripts in CPN ML.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use sweepline_cpn::{CpnModel, Marking, Outcome, Script, ScriptError, ScriptOptions};
use sweepline_ml::WrittenFile;
use sweepline_source::{Allowance, Fault, Invalid, Rules, read_bytes};

use crate::args::{self, Input};
use crate::draw;
use crate::failure::Failure;
use crate::guard;
use crate::load::{self, Loaded};
use crate::output::Growing;
use crate::plan;
use crate::print::{self, warn};
use crate::written;

/// Runs the verb.
pub(crate) fn run(args: &args::Ml) -> Result<ExitCode, Failure> {
    let model = match load::load(&args.input)? {
        Loaded::Coloured(model) => model,
        Loaded::Net(_) | Loaded::Processes(_) => {
            return Err(Failure::NotFor {
                option: "`ml`",
                what: "this model",
                help: "scripts in CPN ML need a coloured net (`.cpn` or `.cpnt`)",
            });
        }
    };
    let mut teller = Teller { json: args.json, told: Told::default(), failed: None };
    let done = run_all(args, &model, &mut teller);
    if args.json {
        teller.told.error = done.as_ref().err().map(ToString::to_string);
        print::results(&print::json(&teller.told))?;
    }
    teller.failed.map_or(done, Err)?;
    Ok(ExitCode::SUCCESS)
}

fn run_all(args: &args::Ml, model: &CpnModel, teller: &mut Teller) -> Result<(), Failure> {
    let logs = Logs::default();
    let log = |file: &str, line: &str| logs.add(file, line);
    let mut evaluate = guard::evaluation();
    evaluate.seed = args.input.seed;
    let draw = |file: &str, states: &[Marking], depth: usize| {
        draw::states(model, Path::new(file), states, depth).map_err(|failure| failure.to_string())
    };
    let write = |files: &[WrittenFile]| match &args.output_dir {
        Some(folder) => {
            let files: Vec<_> =
                files.iter().map(|file| (file.name.clone(), file.text.clone())).collect();
            written::write(folder, &files).map_err(|failure| failure.to_string())
        }
        None => Ok(()),
    };
    let mut options = ScriptOptions {
        explore: plan::limited(&args.limits),
        evaluate,
        log: None,
        draw: None,
        find: None,
        write: None,
    };
    if args.output_dir.is_some() {
        options.write = Some(&write);
    }
    if args.aux {
        // A model is not trusted: its queries read no files, and write only below `--output-dir`.
        let mut script = Script::new(model, options.clone());
        run_notes(args, &mut script, teller)?;
    }
    let Some(file) = &args.script else { return Ok(()) };
    let max_bytes = args.input.max_input;
    let unreadable =
        |fault: Fault| Failure::ReadScript { file: file.clone(), help: fault.advice(), fault };
    let text = text_of(read_bytes(file, max_bytes).map_err(unreadable)?);
    let allowance = Mutex::new(Allowance::new(max_bytes, text.len()));
    options.log = Some(&log);
    options.draw = Some(&draw);
    let find = |from: &str, name: &str| find(&args.input, &allowance, from, name);
    options.find = Some(&find);
    let mut script = Script::new(model, options);
    let name = file.display().to_string();
    script.run(&name, &text, &mut |outcome| teller.tell(outcome)).map_err(Box::new)?;
    Ok(())
}

/// Finds a used file relative to the file that uses it, to the folder of the model and to those of `--include`. Scripts
/// are often moved, so for a path that does not exist the end of the path is tried.
fn find(
    input: &Input,
    allowance: &Mutex<Allowance>,
    from: &str,
    name: &str,
) -> Result<(String, String), String> {
    let parent = |file: &'_ Path| file.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut folders = vec![parent(Path::new(from)), parent(&input.file)];
    folders.extend(input.include.iter().cloned());
    let parts: Vec<&str> = name.split(['/', '\\']).collect();
    let ends = (1..parts.len()).map(|start| parts[start..].join("/"));
    let names = std::iter::once(name.to_owned()).chain(ends.filter(|end| !end.contains("..")));
    let mut files = names.flat_map(|name| folders.iter().map(move |folder| folder.join(&name)));
    let file = files.find(|file| file.is_file()).unwrap_or_else(|| folders[0].join(name));
    let mut allowance = allowance.lock().unwrap_or_else(PoisonError::into_inner);
    let rules = Rules::new(input.max_input, "a script", Invalid::Latin1);
    let rules = Rules { may_be_empty: true, ..rules };
    let source = allowance.load(&file, &rules).map_err(|fault| fault.to_string())?;
    Ok((source.name.to_string(), source.text.to_string()))
}

/// Scripts are Unicode, or ISO 8859-1 as the files of CPN Tools.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// The auxiliary texts of the model, each run separately, because many are not queries.
fn run_notes(args: &args::Ml, script: &mut Script<'_>, teller: &mut Teller) -> Result<(), Failure> {
    let file = load::coloured::read_model(&args.input, args.input.model_format()?)?;
    let mut notes = Vec::new();
    for page in &file.pages {
        let named = |(number, note)| (format!("{}, text {number}", page.name), note);
        notes.extend((1..).zip(&page.notes).map(named));
    }
    // In CPN Tools the user evaluates texts by hand, so a text that loads a library may come after one that needs it.
    let loads = |note: &str| {
        note.strip_prefix("use").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    notes.sort_by_key(|(_, note)| !loads(note.trim()));
    for (name, note) in notes {
        teller.begin(&name);
        let done = script.run(&name, note.as_str(), &mut |outcome| teller.tell(outcome));
        match done {
            Ok(()) => {}
            Err(error @ ScriptError::Stopped { .. }) => return Err(Box::new(error).into()),
            Err(error) => teller.skip(&error),
        }
    }
    Ok(())
}

/// Prints what scripts say, or collects it.
struct Teller {
    json: bool,
    told: Told,
    failed: Option<Failure>,
}

/// What scripts said.
#[derive(Default, Serialize)]
struct Told {
    results: Vec<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Item {
    Value {
        name: String,
        value: String,
        r#type: String,
    },
    Printed(String),
    /// What follows is of this text.
    Text(String),
    /// The text is no query, or failed.
    Skipped(String),
}

impl Teller {
    fn tell(&mut self, outcome: Outcome) {
        let item = match outcome {
            Outcome::Printed(text) => Item::Printed(text),
            Outcome::Value { name, value, ty } => Item::Value { name, value, r#type: ty },
        };
        self.add(item);
    }

    fn begin(&mut self, text: &str) {
        self.add(Item::Text(text.to_owned()));
    }

    fn skip(&mut self, error: &ScriptError) {
        if !self.json {
            warn(&format!("skipped: {error}"));
        }
        self.told.results.push(Item::Skipped(error.to_string()));
    }

    fn add(&mut self, item: Item) {
        if self.json {
            return self.told.results.push(item);
        }
        let text = match &item {
            Item::Value { name, value, r#type } => format!("val {name} = {value} : {}\n", r#type),
            Item::Printed(text) => text.clone(),
            Item::Text(name) => format!("(* {name} *)\n"),
            Item::Skipped(_) => return,
        };
        if let Err(failure) = print::some_results(&text) {
            self.failed.get_or_insert(failure);
        }
    }
}

/// The logs that sweeps write.
#[derive(Default)]
struct Logs(Mutex<HashMap<String, Growing>>);

impl Logs {
    /// Adds a line; a file is new with its first one.
    fn add(&self, file: &str, line: &str) -> io::Result<()> {
        let mut logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !logs.contains_key(file) {
            logs.insert(file.to_owned(), Growing::new(Path::new(file), "")?);
        }
        logs.get_mut(file).map_or(Ok(()), |log| log.line(line))
    }
}
