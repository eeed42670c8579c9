//! `--help`, `completions` and `man`: printed from the definition of the command line.

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Cli;
use crate::failure::Failure;
use crate::print::{self, bounded, harmless};

/// The command line of this process; the exit status where it asks for help, or is wrong.
pub(crate) fn parse() -> Result<Cli, ExitCode> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    let text = error.render().ansi().to_string();
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

/// Prints the completions for `shell`.
pub(crate) fn completions(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sweepline", &mut script);
    print::results(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page of sweepline, or of a verb.
pub(crate) fn page(verb: Option<&str>) -> Result<ExitCode, Failure> {
    let mut command = Cli::command();
    command.build();
    let command = match verb {
        None => command,
        Some(verb) => {
            let known: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
            let known = known.join(", ");
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
