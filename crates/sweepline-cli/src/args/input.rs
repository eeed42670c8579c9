//! Which model a command reads, and how.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::identity::Equivalence;
use super::quantity::size;
use crate::load::Piped;

/// The model.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Model")]
pub(crate) struct Input {
    /// The model: a file, or a pipe such as `/dev/stdin`
    pub(crate) file: PathBuf,
    /// Read FILE in this format (default: by its name and content)
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Reject input larger than SIZE
    ///
    /// Counts the model with all files that it uses or includes, each script, and each file of formulas.
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = size)]
    pub(crate) max_input: u64,
    /// Replace the initial marking of PLACE by TOKENS (repeatable)
    ///
    /// TOKENS is a number for a P/T net, and an expression such as 3`e for a coloured net.
    #[arg(long, value_name = "PLACE=TOKENS")]
    pub(crate) init: Vec<String>,
    /// Replace the value of a constant by VALUE (repeatable)
    ///
    /// NAME is declared by `val NAME = ...` in a coloured net, or by `NAME = ...` in a CSPm script.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) param: Vec<String>,
    /// Let models and scripts read files from DIR, too (repeatable)
    ///
    /// `use` in a coloured net or script and `include` in CSPm read only files below the folder of the model and below
    /// each DIR.
    #[arg(long, value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// Explore this process of a CSPm script (default: the process that its assertions are about)
    ///
    /// PROCESS is an expression, for example 'SYSTEM \ {tick}'.
    #[arg(long, value_name = "PROCESS")]
    pub(crate) process: Option<String>,
    /// Merge equivalent states
    ///
    /// time      merge states that differ only by a shift of model time
    /// symmetry  merge states that differ by a permutation of processes, or of the colours of
    ///           colour sets that are proven symmetric; symmetry:A,B permutes only A and B
    /// EXPR      merge states for which this CPN ML expression has the same value
    ///
    /// Verbs other than `check` accept only `time`.
    #[arg(
        long,
        value_name = "time|symmetry[:COLSET]|EXPR",
        value_parser = equivalence,
        verbatim_doc_comment
    )]
    pub(crate) equivalence: Option<Equivalence>,
    /// Seed for the random functions of a coloured net and for `simulate`
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// The files that code segments write are kept: of `simulate --output-dir`
    #[arg(skip)]
    pub(crate) keeps_files: bool,
    /// The bytes of a model that comes through a pipe
    #[arg(skip)]
    pub(crate) piped: Piped,
}

fn equivalence(text: &str) -> Result<Equivalence, String> {
    Ok(text.to_owned().into())
}

/// A model format.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// P/T nets and symmetric nets in PNML
    Pnml,
    /// Coloured nets of CPN Tools
    Cpn,
    /// Coloured nets in text form
    Cpnt,
    /// Processes in CSPm
    Csp,
    /// Labelled transition systems in the Aldebaran format
    Aut,
}
