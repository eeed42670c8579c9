//! Nets in PNML.

use sweepline_pnml::{NameError, Net, NetModel, Problem, ReadErrors, read_pnml, read_pnml_bytes};

use super::limits;
use crate::args::Input;
use crate::failure::Failure;

/// Whether the only error is that a symmetric net is too large to unfold.
pub(super) fn is_too_large(errors: &ReadErrors) -> bool {
    let large = |problem: &Problem| {
        matches!(problem, Problem::UnfoldingTooLarge { .. } | Problem::UnfoldingTooLong { .. })
    };
    errors.n_more == 0 && errors.errors.iter().all(|error| large(&error.problem))
}

pub(super) fn load(input: &Input) -> Result<NetModel, Failure> {
    let help = "change the initial marking instead: `--init PLACE=N`";
    Failure::refuse("nets in PNML", help, &[("`--param`", !input.param.is_empty())])?;
    if let Some(equivalence) = &input.equivalence {
        return Err(Failure::no_equivalence(equivalence, "nets in PNML have no equivalences"));
    }
    let mut net = match input.piped()? {
        Some(bytes) => read_pnml_bytes(&input.file.display().to_string(), bytes, &limits(input))?,
        None => read_pnml(&input.file, &limits(input))?,
    };
    initialize(&mut net, &input.init)?;
    Ok(NetModel::new(net))
}

/// Applies `PLACE=N` to the initial marking.
fn initialize(net: &mut Net, changes: &[String]) -> Result<(), Failure> {
    let mut tokens = Vec::new();
    let names = net.names();
    for text in changes {
        let failure = |help: String| Failure::Init { text: text.clone(), help };
        let form = || failure("write `--init PLACE=N`, where N is a number of tokens".into());
        let (place, number) = text.rsplit_once('=').ok_or_else(form)?;
        let number: u64 = number.trim().parse().map_err(|_| form())?;
        let place = place.trim().trim_matches('"');
        let id = names.places.one(place).map_err(|error| {
            let advice = error.advice("place").unwrap_or_default();
            failure(match error {
                NameError::Unknown { .. } => format!("there is no place `{place}`: {advice}"),
                NameError::Ambiguous { ids } => {
                    format!("several places are called `{place}`: write {}", ids.join(" or "))
                }
            })
        })?;
        tokens.push((id, number));
    }
    for (id, number) in tokens {
        net.places[id.index()].initial = number;
    }
    Ok(())
}
