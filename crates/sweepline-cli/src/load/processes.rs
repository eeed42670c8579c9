//! Processes in CSPm, and LTSs.

use sweepline_lts::csp::{Claim, Limits, Script};
use sweepline_lts::{Composition, read_aut, read_aut_from};

use super::assignment;
use crate::args::{Format, Input};
use crate::failure::Failure;
use crate::front_end::Processes;
use crate::guard;

/// Usual names of the main process, tried if a script has no assertion.
const WHOLE: [&str; 4] = ["SYSTEM", "System", "MAIN", "Main"];

pub(super) fn load(input: &Input, format: Format) -> Result<Processes, Failure> {
    if format == Format::Aut {
        fits(input)?;
        return Ok(Processes::new(stem(input).to_owned(), lts(input)?));
    }
    let mut script = script(input)?;
    let process = process(input, &script)?;
    composed(input, &mut script, &process)
}

/// A process of a script.
pub(crate) fn composed(
    input: &Input,
    script: &mut Script,
    process: &str,
) -> Result<Processes, Failure> {
    let composition = script.compose(process).map_err(Box::new)?;
    let processes = Processes::new(format!("{}: {process}", stem(input)), composition);
    Ok(processes.of_script(script.assertions().len()))
}

/// The name of the file without its extension.
pub(crate) fn stem(input: &Input) -> &str {
    input.file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("processes")
}

/// Rejects options that processes do not have.
fn fits(input: &Input) -> Result<(), Failure> {
    if let Some(equivalence) = &input.equivalence {
        return Err(Failure::no_equivalence(
            equivalence,
            "processes have only `symmetry`, in `check`",
        ));
    }
    let help = "start with another process: `--process EXPRESSION`";
    Failure::refuse("processes", help, &[("`--init`", !input.init.is_empty())])
}

fn lts(input: &Input) -> Result<Composition, Failure> {
    let given = [("`--param`", !input.param.is_empty()), ("`--process`", input.process.is_some())];
    Failure::refuse(
        "`.aut` files",
        "an `.aut` file is one LTS, without parameters: leave the option out",
        &given,
    )?;
    let lts = match input.piped()? {
        Some(bytes) => read_aut_from(&input.file.display().to_string(), bytes),
        None => read_aut(&input.file, input.max_input),
    };
    Ok(Composition::single(lts.map_err(Box::new)?))
}

/// The script with its parameters set.
pub(crate) fn script(input: &Input) -> Result<Script, Failure> {
    fits(input)?;
    let (max_bytes, folders) = (input.max_input, input.include.clone());
    let stop = guard::interrupt().flag();
    let limits = Limits { max_bytes, folders, stop, ..Limits::default() };
    let script = match input.piped()? {
        Some(bytes) => Script::load_bytes(&input.file, bytes, &limits),
        None => Script::load(&input.file, &limits),
    };
    let mut script = script.map_err(Box::new)?;
    for text in &input.param {
        let help = "write `--param NAME=VALUE`, for example `--param N=5`".into();
        let failure = || Failure::Param { text: text.clone(), help };
        let (name, value) = assignment(text).ok_or_else(failure)?;
        script.set_constant(name, value).map_err(Box::new)?;
    }
    Ok(script)
}

/// The process to look at: the one that is asked for, that all assertions are about, or that is
/// called as if it were the whole.
fn process(input: &Input, script: &Script) -> Result<String, Failure> {
    if let Some(process) = &input.process {
        return Ok(process.clone());
    }
    let mut asserted: Vec<String> =
        script.assertions().into_iter().map(|assertion| process_of(assertion.claim)).collect();
    asserted.sort();
    asserted.dedup();
    let whole = WHOLE.iter().find(|&&name| script.constants().any(|known| known == name));
    match (whole, &asserted[..]) {
        (Some(&name), _) => Ok(name.to_owned()),
        (None, [only]) => Ok(only.clone()),
        (None, several) => {
            let constants: Vec<&str> = script.constants().take(20).collect();
            let known = if several.is_empty() { constants.join(", ") } else { several.join(", ") };
            let help = format!("name one with `--process`: {known}");
            Err(Failure::WhichProcess { file: input.file.clone(), help })
        }
    }
}

/// The process that an assertion is about.
pub(crate) fn process_of(claim: Claim) -> String {
    match claim {
        Claim::DeadlockFree { process, .. }
        | Claim::DivergenceFree { process }
        | Claim::Deterministic { process, .. }
        | Claim::Refinement { process, .. }
        | Claim::HasTrace { process, .. }
        | Claim::Other { process, .. } => process,
        other => format!("{other:?}"),
    }
}
