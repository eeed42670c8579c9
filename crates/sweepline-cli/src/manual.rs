//! `completions` and `man`: printed from the definition of the command line.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Cli;
use crate::failure::Failure;
use crate::print;

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
