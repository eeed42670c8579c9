//! `convert` and `format`: coloured nets written in another format, or in the canonical form.

use std::path::Path;
use std::process::ExitCode;

use sweepline_cpn::{Limits, format_cpnt, to_cpn, to_cpnt};
use sweepline_source::read_bytes;

use crate::args::{self, Format};
use crate::failure::Failure;
use crate::load::{Piped, coloured, guess};
use crate::output::NewFile;
use crate::print;

/// Runs `convert`.
pub(crate) fn run(args: &args::Convert) -> Result<ExitCode, Failure> {
    let to = format_of(&args.to, None)?;
    let (pipe, limits) = (Piped::default(), limits(args.max_input));
    let piped = pipe.read(&args.from, args.max_input)?;
    let file = coloured::read(&args.from, piped, format_of(&args.from, piped)?, &limits)?;
    let text = if to == Format::Cpn { to_cpn(&file) } else { to_cpnt(&file) };
    NewFile::save(&args.to, &text).map_err(Failure::writing(&args.to))?;
    Ok(ExitCode::SUCCESS)
}

/// The format of a file by its name; what is to be read may go by its content.
fn format_of(file: &Path, piped: Option<&[u8]>) -> Result<Format, Failure> {
    match guess(file, piped) {
        Ok(format @ (Format::Cpn | Format::Cpnt)) => Ok(format),
        Ok(Format::Csp | Format::Aut) => {
            let help = "`sweepline graph FILE --output NAME.aut` writes the LTS of a process, and \
                `sweepline compile FILE` its components";
            Err(Failure::ConvertFormat { file: file.to_owned(), help })
        }
        _ => {
            let help = "name files that end in .cpn or .cpnt";
            Err(Failure::ConvertFormat { file: file.to_owned(), help })
        }
    }
}

fn limits(max_bytes: u64) -> Limits {
    Limits { max_bytes, ..Limits::default() }
}

/// Runs `format`.
pub(crate) fn format(args: &args::Reformat) -> Result<ExitCode, Failure> {
    let mut changed = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        let bytes = read_bytes(file, args.max_input).map_err(Failure::reading(file))?;
        let text = format_cpnt(&name, &bytes, &limits(args.max_input)).map_err(Box::new)?;
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
