//! Coloured nets, of CPN Tools and in text form.

use std::path::Path;

use miette::Diagnostic;
use sweepline_cpn::{
    CpnModel, File, Limits, Net, Options, read_cpn, read_cpn_bytes, read_cpnt, read_cpnt_bytes,
    symmetric_to_cpn,
};
use sweepline_pnml::{read_symmetric, read_symmetric_bytes};

use super::assignment;
use crate::args::{Equivalence, Format, Input};
use crate::failure::Failure;
use crate::guard;
use crate::shown;

/// Reads a file, or what is in a pipe, as it is written.
pub(crate) fn read(
    file: &Path,
    piped: Option<&[u8]>,
    format: Format,
    limits: &Limits,
) -> Result<File, Failure> {
    let name = file.display().to_string();
    let read = match (piped, format) {
        (None, Format::Cpnt) => read_cpnt(file, limits),
        (None, _) => read_cpn(file, limits),
        (Some(bytes), Format::Cpnt) => read_cpnt_bytes(&name, bytes, limits),
        (Some(bytes), _) => read_cpn_bytes(&name, bytes, limits),
    };
    Ok(read.map_err(Box::new)?)
}

/// Reads the model that the command line names, as it is written.
pub(crate) fn read_model(input: &Input, format: Format) -> Result<File, Failure> {
    read(&input.file, input.piped()?, format, &limits(input))
}

pub(super) fn load(input: &Input, format: Format) -> Result<CpnModel, Failure> {
    compile(input, &read_model(input, format)?)
}

/// A symmetric net of PNML, without unfolding it.
pub(super) fn load_symmetric(input: &Input) -> Result<CpnModel, Failure> {
    let (name, limits) = (input.file.display().to_string(), super::limits(input));
    let net = match input.piped()? {
        Some(bytes) => read_symmetric_bytes(&name, bytes, &limits)?,
        None => read_symmetric(&input.file, &limits)?,
    };
    let text = symmetric_to_cpn(&net);
    let text = text.map_err(|error| Failure::Model { message: error.to_string() })?;
    let name = format!("{name} as a coloured net");
    let limits = Limits { max_bytes: text.len() as u64, ..Limits::default() };
    compile(input, &read_cpn_bytes(&name, text.as_bytes(), &limits).map_err(Box::new)?)
}

/// What the readers of coloured nets accept.
fn limits(input: &Input) -> Limits {
    Limits { max_bytes: input.max_input, ..Limits::default() }
}

/// How inscriptions are evaluated.
pub(crate) fn evaluation(input: &Input) -> sweepline_ml::Limits {
    let mut evaluation = guard::evaluation();
    evaluation.seed = input.seed;
    if input.keeps_files {
        evaluation.files = sweepline_ml::Files::Keep;
    }
    evaluation
}

fn compile(input: &Input, file: &File) -> Result<CpnModel, Failure> {
    let mut options = Options { limits: limits(input), ..Options::default() };
    options.folder = input.file.parent().map(|folder| match folder {
        here if here.as_os_str().is_empty() => Path::new(".").to_owned(),
        folder => folder.to_owned(),
    });
    options.include.clone_from(&input.include);
    for text in &input.param {
        let help = "write `--param NAME=VALUE`, for example `--param n=5`".into();
        let failure = || Failure::Param { text: text.clone(), help };
        let (name, value) = assignment(text).ok_or_else(failure)?;
        options.params.push((name.to_owned(), value.to_owned()));
    }
    for text in &input.init {
        let help = "write `--init PLACE=TOKENS`, for example `--init 'Limit=5`e'`".into();
        let failure = || Failure::Init { text: text.clone(), help };
        let (place, tokens) = assignment(text).ok_or_else(failure)?;
        options.initial.push((place.to_owned(), tokens.to_owned()));
    }
    let net = Net::load(file, &options).map_err(Box::new)?;
    shown::show_warnings(
        net.warnings.iter().map(|warning| warning as &dyn Diagnostic),
        net.n_more_warnings,
    );
    let model = CpnModel::new(&net, evaluation(input));
    let model = model.map_err(|error| Failure::Model { message: error.to_string() })?;
    match &input.equivalence {
        None => Ok(model),
        Some(time @ Equivalence::Time) => {
            let model = model.with_time_equivalence();
            model.map_err(|error| Failure::no_equivalence(time, error))
        }
        Some(other) => Err(Failure::no_equivalence(other, "only `check` can merge these states")),
    }
}
