//! Finds the variables whose values need no check against their colour set, because they are parts of tokens
//! that were checked.

use sweepline_ml::core::{Pattern, PatternKind, VarId};
use sweepline_ml::{ColourSetId, ColourSetKind, DataId, Environment, Label};

/// The variables of `pattern` whose values are in their own colour set whenever the pattern matches a colour
/// of `set`.
pub(crate) fn trusted(
    environment: &Environment,
    pattern: &Pattern,
    set: ColourSetId,
) -> Vec<VarId> {
    let mut found = Vec::new();
    let mut work = vec![(pattern, set)];
    while let Some((pattern, set)) = work.pop() {
        let set = base(environment, set);
        match &pattern.kind {
            PatternKind::Var(var) | PatternKind::As(var, _) => {
                let own = environment.variable_colour_set(*var);
                if own.is_some_and(|own| environment.original(own) == environment.original(set)) {
                    found.push(*var);
                }
            }
            PatternKind::Record(fields) => {
                for field in fields {
                    let part = part(environment, set, field.position as usize, &field.label);
                    work.extend(part.map(|part| (&field.pattern, part)));
                }
            }
            PatternKind::Construct { con, arg: Some(arg) } if con.data != DataId::LIST => {
                if let ColourSetKind::Union { constructors } = &environment.colour_set(set).kind {
                    let part = constructors.get(con.tag as usize).and_then(|(_, part)| *part);
                    work.extend(part.map(|part| (&**arg, part)));
                }
            }
            _ => {}
        }
    }
    found
}

/// The colour set that a subset or alias is based on.
fn base(environment: &Environment, set: ColourSetId) -> ColourSetId {
    match environment.colour_set(set).kind {
        ColourSetKind::Alias { of }
        | ColourSetKind::SubsetBy { of, .. }
        | ColourSetKind::SubsetWith { of, .. } => base(environment, of),
        _ => set,
    }
}

fn part(
    environment: &Environment,
    set: ColourSetId,
    at: usize,
    label: &Label,
) -> Option<ColourSetId> {
    match &environment.colour_set(set).kind {
        ColourSetKind::Product { components } => components.get(at).copied(),
        ColourSetKind::Record { fields } => {
            let named = |name: &str| *label == Label::Name(name.into());
            fields.iter().find(|(name, _)| named(name)).map(|(_, set)| *set)
        }
        _ => None,
    }
}
