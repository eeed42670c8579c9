//! `convert` and `format`: coloured nets written in another format, or in the canonical form.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use sweepline_cpn::{Limits, format_cpnt, to_cpn, to_cpnt};

use crate::args::{self, Format};
use crate::failure::Failure;
use crate::load::{coloured, guess};
use crate::output::NewFile;
use crate::print;

/// Runs `convert`.
pub(crate) fn run(args: &args::Convert) -> Result<ExitCode, Failure> {
    let [from, to] = [&args.from, &args.to].map(|file| format_of(file));
    let to = to?;
    let file = coloured::read(&args.from, from?, &Limits::default())?;
    let text = if to == Format::Cpn { to_cpn(&file) } else { to_cpnt(&file) };
    NewFile::save(&args.to, &text).map_err(Failure::writing(&args.to))?;
    Ok(ExitCode::SUCCESS)
}

/// The format of a file by its name; what is to be read may go by its content.
fn format_of(file: &Path) -> Result<Format, Failure> {
    match guess(file) {
        Ok(format @ (Format::Cpn | Format::Cpnt)) => Ok(format),
        Ok(Format::Csp | Format::Aut) => {
            let help = "`sweepline graph FILE --output NAME.aut` writes processes as one LTS, and \
                `sweepline compile` each component";
            Err(Failure::ConvertFormat { file: file.to_owned(), help })
        }
        _ => {
            let help = "name files that end in .cpn or .cpnt";
            Err(Failure::ConvertFormat { file: file.to_owned(), help })
        }
    }
}

/// Runs `format`.
pub(crate) fn format(args: &args::Reformat) -> Result<ExitCode, Failure> {
    let mut changed = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        let bytes =
            fs::read(file).map_err(|error| Failure::ReadFile { file: file.clone(), error })?;
        let text = format_cpnt(&name, &bytes, &Limits::default()).map_err(Box::new)?;
        if text.as_bytes() != bytes {
            changed.push(name);
            if !args.check {
                NewFile::save(file, &text).map_err(Failure::writing(file))?;
            }
        }
    }
    let list: String = changed.iter().map(|name| format!("{name}\n")).collect();
    print::results(&list)?;
    Ok(ExitCode::from(u8::from(args.check && !changed.is_empty())))
}
