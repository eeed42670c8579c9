//! `--help`, `completions` and `man`: printed from the definition of the command line.

mod chapters;
mod terminal;

use std::io::Write;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Cli;
use crate::failure::{Failure, known_names};
use crate::print::{self, BOLD, bounded, harmless, styled};
use chapters::CHAPTERS;
use terminal::in_terminal;

pub(crate) use chapters::explained;

/// The command line of this process; the exit status where it asks for help, or is wrong.
pub(crate) fn parse() -> Result<Cli, ExitCode> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    let text = error.render().ansi().to_string() + unquoted(&error);
    if error.use_stderr() {
        let _ = anstream::stderr().write_all(harmless(&bounded(&text)).as_bytes());
        return Err(ExitCode::from(2));
    }
    Err(match print::results(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.show();
            ExitCode::from(2)
        }
    })
}

/// A hint for an expression with spaces that the shell took apart, such as `--never size Sent`.
fn unquoted(error: &clap::Error) -> &'static str {
    let word = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) => word.as_str(),
        _ => "-",
    };
    match word.starts_with('-') {
        true => "",
        false => "Put an expression with spaces in quotes: --never 'sent > 3'\n",
    }
}

/// Prints the completions for `shell`.
pub(crate) fn completions(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sweepline", &mut script);
    print::results(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a chapter of the book, the help of a verb, or the topics there are.
pub(crate) fn help(topic: Option<&str>) -> Result<ExitCode, Failure> {
    let mut command = Cli::command();
    command.build();
    let chapter = |topic: &str| CHAPTERS.iter().find(|(known, _)| *known == topic);
    let text = match topic {
        None => topics(&mut command),
        Some(topic) => match (chapter(topic), command.find_subcommand_mut(topic)) {
            (Some((_, chapter)), None) => in_terminal(chapter),
            (Some((_, chapter)), Some(_)) => {
                in_terminal(chapter) + &format!("\nThe options: sweepline {topic} --help\n")
            }
            (None, Some(verb)) => verb.render_long_help().ansi().to_string(),
            (None, None) => return Err(no_such_topic(topic)),
        },
    };
    print::results(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn no_such_topic(topic: &str) -> Failure {
    let topics: Vec<&str> = CHAPTERS.iter().map(|(topic, _)| *topic).collect();
    Failure::NoSuchTopic { topic: topic.into(), known: known_names("topics", topic, &topics) }
}

/// The help of sweepline, and the chapters.
fn topics(command: &mut clap::Command) -> String {
    let mut text = command.render_long_help().ansi().to_string();
    text.push_str(&format!("\n{}\n", styled(BOLD, "Topics (sweepline help TOPIC):")));
    for (topic, chapter) in CHAPTERS {
        text.push_str(&format!("  {topic:<14}{}\n", chapters::title(chapter)));
    }
    text
}

/// Prints the manual page of sweepline, or of a verb.
pub(crate) fn page(verb: Option<&str>) -> Result<ExitCode, Failure> {
    let mut command = Cli::command();
    command.build();
    let command = match verb {
        None => command,
        Some(verb) => {
            let known: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
            let known = known_names("verbs", verb, &known);
            let found = command.find_subcommand(verb).cloned();
            found.ok_or(Failure::NoSuchVerb { verb: verb.into(), known })?
        }
    };
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = Man::new(command).render(&mut text);
    print::results(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}
