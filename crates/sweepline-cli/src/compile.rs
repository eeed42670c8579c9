//! `compile`: the components of a composition of processes, each as an LTS in a file.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sweepline_lts::{Lts, write_aut};

use crate::args;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::output::NewFile;
use crate::print::{self, grouped};

/// Characters of a component's name that a file is named after.
const MOST_CHARS: usize = 60;

/// Runs the verb.
pub(crate) fn run(args: &args::Compile) -> Result<ExitCode, Failure> {
    let Loaded::Processes(model) = load(&args.input)? else {
        let help = "`compile` needs a CSPm script; `sweepline graph FILE --output NAME.aut` writes a state space";
        return Err(Failure::NotFor { option: "`compile`", what: "nets", help });
    };
    let components = model.composition().components();
    let one_file = args.output.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("aut"));
    let files: Vec<PathBuf> = match components {
        [_] if one_file => vec![args.output.clone()],
        several if one_file => {
            let (file, n_components) = (args.output.clone(), several.len());
            return Err(Failure::ManyComponents { file, n_components });
        }
        _ => {
            fs::create_dir_all(&args.output).map_err(Failure::writing(&args.output))?;
            file_names(model.components()).map(|name| args.output.join(name)).collect()
        }
    };
    let mut written = String::new();
    for ((lts, name), file) in components.iter().zip(model.components()).zip(&files) {
        write(lts, file)?;
        let (states, edges) = (grouped(lts.n_states() as u64), grouped(lts.n_edges() as u64));
        let _ = writeln!(written, "{}: {name}, {states} states, {edges} edges", file.display());
    }
    print::results(&written)?;
    Ok(ExitCode::SUCCESS)
}

fn write(lts: &Lts, path: &Path) -> Result<(), Failure> {
    let save = || {
        let mut file = NewFile::create(path)?;
        write_aut(lts, BufWriter::new(&mut file))?;
        file.finish()
    };
    save().map_err(Failure::writing(path))
}

/// A different file name for each component, of characters that every file system accepts.
fn file_names(components: &[String]) -> impl Iterator<Item = String> {
    let mut used = HashSet::new();
    components.iter().map(move |name| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let safe: String = name.chars().take(MOST_CHARS).map(plain).collect();
        let safe = match safe.trim_matches('_') {
            "" => "process",
            safe => safe,
        };
        let numbered = (2..).map(|number| format!("{safe}-{number}"));
        let mut names = std::iter::once(safe.to_owned()).chain(numbered);
        // Some file systems ignore case.
        let free = names.find(|name| used.insert(name.to_lowercase()));
        format!("{}.aut", free.expect("numbers do not end"))
    })
}

#[cfg(test)]
mod tests {
    use super::file_names;

    #[test]
    fn files_have_plain_and_different_names() {
        let components = ["VOTER(1)", "VOTER(2)", "voter_1", "../etc", "τ", "", "a -> STOP"];
        let components = components.map(str::to_owned);
        let names: Vec<String> = file_names(&components).collect();
        let expected =
            ["VOTER_1", "VOTER_2", "voter_1-2", "etc", "process", "process-2", "a____STOP"];
        assert_eq!(names, expected.map(|name| format!("{name}.aut")));
    }
}
