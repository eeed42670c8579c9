//! Coloured nets whose states are taken for the same in classes.

use sweepline::identity::{Class, CutOff, Identity};
use sweepline_cpn::{CpnModel, Expression, Marking};

use super::Subject;
use super::coloured::refused;
use crate::args::Equivalence;
use crate::failure::Failure;
use crate::identity::{Terms, Wanted};

/// The value of an expression names the class.
struct ByValue<'a> {
    model: &'a CpnModel,
    expression: Expression,
}

impl Class<CpnModel> for ByValue<'_> {
    fn name(&self, marking: &Marking, name: &mut Vec<u8>) {
        if let Err(error) = self.expression.write(marking, name) {
            self.model.fail(error.to_string());
        }
    }
}

/// What `wanted` means for a coloured net about which `terms` are asked.
pub(super) fn identity<'a>(
    model: &'a CpnModel,
    wanted: &Wanted<'_>,
    terms: &Terms<'_, CpnModel>,
) -> Result<Identity<'a, CpnModel>, Failure> {
    if let (Some(name), Equivalence::Value(_) | Equivalence::Symmetry(_)) =
        (terms.others.first(), wanted.equivalence)
    {
        let why = format!("`{name}` tells states of one class apart");
        return Err(Failure::no_equivalence(wanted.equivalence, why));
    }
    let rule = match wanted.equivalence {
        Equivalence::Time => {
            let class = model.time_class();
            CutOff::new(class.map_err(|error| Failure::no_equivalence(wanted.equivalence, error))?)
        }
        Equivalence::Value(text) => {
            let expression = model.scope().value("--equivalence", text);
            let expression =
                expression.map_err(|error| refused(model.net(), "--equivalence", error))?;
            CutOff::new(ByValue { model, expression })
        }
        Equivalence::Symmetry(_) => {
            let why = "colours cannot be exchanged yet";
            return Err(Failure::no_equivalence(wanted.equivalence, why));
        }
    };
    cut_off(model, wanted, rule).map(Identity::CutOff)
}

/// `rule` with the predicate and the patience that were given.
fn cut_off<'a>(
    model: &'a CpnModel,
    wanted: &Wanted<'_>,
    mut rule: CutOff<'a, CpnModel>,
) -> Result<CutOff<'a, CpnModel>, Failure> {
    if let Some(text) = wanted.cut_off {
        let predicate = model.parse_predicate("--cut-off", text)?;
        rule = rule.at(move |marking| model.holds(&predicate, marking));
    }
    if let Some(layers) = wanted.patience {
        rule = rule.patience(layers);
    }
    Ok(rule)
}
