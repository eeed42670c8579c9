//! Equivalences of coloured nets.

use std::borrow::Cow;

use sweepline::Computed;
use sweepline::identity::{Class, CutOff, Identity};
use sweepline_cpn::{CpnModel, Expression, Marking, NoSymmetry, Symmetry, Worker};

use super::Ask;
use super::coloured::refused;
use crate::args::{Equivalence, Input};
use crate::failure::Failure;
use crate::identity::{Terms, Wanted};
use crate::load::coloured::evaluation;
use crate::print::warn;

/// The value of an expression names the class.
struct ByValue(Expression);

impl Class<CpnModel> for ByValue {
    fn name(&self, worker: &mut Worker, marking: &Marking, name: &mut Vec<u8>) -> Computed {
        self.0.write(worker, marking, name).map_err(|error| error.to_string().into())
    }
}

/// The equivalence `wanted` of a coloured net, checked against the properties `terms`.
pub(super) fn identity<'a>(
    model: &'a CpnModel,
    wanted: &Wanted<'_>,
    terms: &Terms<'_, CpnModel>,
) -> Result<Identity<'a, CpnModel>, Failure> {
    if let (Some(name), Equivalence::Value(_) | Equivalence::Symmetry(_)) =
        (terms.others.first(), &*wanted.equivalence)
    {
        let why = format!("`{name}` can differ between equivalent states");
        return Err(Failure::no_equivalence(&wanted.equivalence, why));
    }
    let rule = match &*wanted.equivalence {
        Equivalence::Time => {
            let expressions = terms.predicates.iter().map(|(name, c)| (name, Some(c.expression())));
            let numbers = terms.numbers.iter().map(|(name, number)| (name, number.expression()));
            let mut timed = expressions
                .chain(numbers)
                .filter(|(_, expression)| expression.is_none_or(Expression::asks_for_time));
            if let Some((name, _)) = timed.next() {
                return Err(asks_for_time(name));
            }
            let class = model.time_class();
            CutOff::new(class.map_err(|error| Failure::no_equivalence(&wanted.equivalence, error))?)
        }
        Equivalence::Value(text) => {
            let expression = model.scope().value("--equivalence", text);
            let expression =
                expression.map_err(|error| refused(model.net(), "--equivalence", error))?;
            CutOff::new(ByValue(expression))
        }
        Equivalence::Symmetry(sets) => {
            let symmetry = symmetry(model, sets, wanted, terms)?;
            if wanted.cut_off.is_none() {
                return Ok(Identity::Representative(Box::new(symmetry)));
            }
            CutOff::new(symmetry)
        }
    };
    cut_off(model, wanted, rule).map(Identity::CutOff)
}

/// The net with states merged that differ only by a shift of time, if its behaviour does not depend on absolute time.
pub(super) fn modulo_time(model: &CpnModel, input: &Input) -> Option<CpnModel> {
    if model.has_time_equivalence() || model.time_class().is_err() {
        return None;
    }
    let model = CpnModel::new(model.net(), evaluation(input)).ok()?;
    model.with_time_equivalence().ok()
}

/// A property distinguishes states that `--equivalence time` merges.
pub(super) fn asks_for_time(name: &str) -> Failure {
    Failure::no_equivalence(&Equivalence::Time, format!("`{name}` depends on model time"))
}

/// Replaces `symmetry` without a list by the list of colour sets that are proven symmetric.
pub(super) fn settle(
    model: &CpnModel,
    wanted: &mut Wanted<'_>,
    terms: &Terms<'_, CpnModel>,
) -> Result<(), Failure> {
    match &*wanted.equivalence {
        Equivalence::Symmetry(sets) if sets.is_empty() => {}
        _ => return Ok(()),
    }
    let help = "name the colour sets to assume symmetric: `--equivalence symmetry:COLSET`";
    let assumed = [("`--assume-symmetric`", wanted.assume)];
    Failure::refuse("`--equivalence symmetry` without colour sets", help, &assumed)?;
    let (mut proven, mut others) = (Vec::new(), Vec::new());
    for (name, why) in model.symmetric_sets(&expressions(terms)) {
        match why {
            None => proven.push(name),
            Some(why) => others.push(format!("colour set `{name}` is not proven symmetric: {why}")),
        }
    }
    if proven.is_empty() {
        let why = match others.is_empty() {
            true => "no place has a colour set that is an index set or an enumeration".to_owned(),
            false => format!("no colour set is proven symmetric: {}", others.join("; ")),
        };
        return Err(Failure::no_equivalence(&wanted.equivalence, why));
    }
    wanted.equivalence = Cow::Owned(Equivalence::Symmetry(proven));
    wanted.notes = others;
    Ok(())
}

/// The expressions of the properties, by their names.
fn expressions<'t>(terms: &Terms<'t, CpnModel>) -> Vec<(&'t str, &'t Expression)> {
    let Terms { predicates, numbers, .. } = terms;
    let conditions = predicates.iter().map(|(name, condition)| (*name, condition.expression()));
    let values = numbers.iter().filter_map(|(name, number)| Some((*name, number.expression()?)));
    conditions.chain(values).collect()
}

/// Permutes the colours of `sets` if their symmetry is proven or assumed.
fn symmetry<'a>(
    model: &'a CpnModel,
    sets: &[String],
    wanted: &Wanted<'_>,
    terms: &Terms<'_, CpnModel>,
) -> Result<Symmetry<'a>, Failure> {
    let symmetry = model.symmetry(sets, &expressions(terms), wanted.assume);
    if let Some(doubt) = symmetry.as_ref().ok().and_then(Symmetry::doubt) {
        warn(&format!("symmetry is assumed, not proven: {doubt}"));
    }
    symmetry.map_err(|error| {
        let help = match &error {
            NoSymmetry::Unknown { known, .. } if known.is_empty() => {
                "the model has no index set and no enumeration".into()
            }
            NoSymmetry::Unknown { known, .. } => {
                format!("colour sets that can be symmetric: {}", known.join(", "))
            }
            NoSymmetry::NotProven { .. } => {
                "constants, `ord`, `col`, `lt`, `mkstr` and the order of lists \
                 can distinguish colours; if they do not here, add `--assume-symmetric`"
                    .into()
            }
            NoSymmetry::Kind { .. } | NoSymmetry::Colours { .. } => {
                "leave out this colour set".into()
            }
        };
        let (what, why) = (wanted.equivalence.clone().into_owned().into(), error.to_string());
        Failure::NoEquivalence { what, why, help }
    })
}

/// `rule` with the predicate and the patience that were given.
fn cut_off<'a>(
    model: &'a CpnModel,
    wanted: &Wanted<'_>,
    mut rule: CutOff<'a, CpnModel>,
) -> Result<CutOff<'a, CpnModel>, Failure> {
    if let Some(text) = wanted.cut_off {
        let predicate = model.parse_predicate("--cut-off", text)?;
        rule = rule.where_true(move |worker, marking| model.holds(worker, &predicate, marking));
    }
    if let Some(layers) = wanted.patience {
        rule = rule.patience(layers);
    }
    Ok(rule)
}
