//! Symmetry: colours of a set that may be exchanged for each other.
//!
//! Markings that differ by a permutation of such colours do the same, up to the permutation. So one of
//! them, the representative, is explored in place of all. That the colours may be exchanged is proven
//! from the inscriptions where possible ([`proof`]); of a question that is not proven to be blind to the
//! exchange, or a net, it can be assumed.

mod canonical;
mod exchange;
mod proof;
mod sets;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use sweepline::Computed;
use sweepline::identity::{Class, Representative};
use sweepline_ml::core::{Expr, Program};
use sweepline_ml::{
    ColourSetId, ColourSetKind, DataId, Environment, Inscription, Span, Type, TypeId, Typing,
    tag_bytes,
};
use thiserror::Error;

use crate::explore::{CpnModel, Marking, Worker};
use crate::net::Behaviour;
use crate::query::Expression;
use exchange::Exchange;
use proof::{Level, Proof};

/// More colours are not exchanged.
const MOST_COLOURS: usize = 4096;

/// Why colours are not exchanged.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoSymmetry {
    /// There is no such colour set.
    #[error("there is no colour set `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Those whose colours could be exchanged.
        known: Vec<String>,
    },
    /// Its colours are no names.
    #[error("colours can be exchanged of index sets and enumerations, and `{name}` is neither")]
    Kind {
        /// The colour set.
        name: String,
    },
    /// There are too many of them, or they cannot be computed.
    #[error("the colours of `{name}` cannot be listed: {why}")]
    Colours {
        /// The colour set.
        name: String,
        /// What went wrong.
        why: String,
    },
    /// A term might see the difference.
    #[error("{place} may tell colours apart: `{text}`")]
    NotProven {
        /// Where it is.
        place: String,
        /// The part that is not known to be blind to the exchange.
        text: String,
    },
}

/// Exchanges colours of some sets; see [`CpnModel::symmetry`].
pub struct Symmetry<'a> {
    model: &'a CpnModel,
    exchange: Exchange,
    /// Why it could not be proven.
    doubt: Option<NoSymmetry>,
    exact: AtomicBool,
}

impl CpnModel {
    /// The colours of `sets` may be exchanged: proven from the inscriptions and from what is `asked`,
    /// or, where that is not possible and `assume` says so, believed.
    ///
    /// # Errors
    ///
    /// When there are no such sets, or it is not proven.
    pub fn symmetry(
        &self,
        sets: &[String],
        asked: &[(&str, &Expression)],
        assume: bool,
    ) -> Result<Symmetry<'_>, NoSymmetry> {
        let environment = &self.net.environment;
        let ids = sets.iter().map(|name| exchangeable(environment, name));
        let mut ids = ids.collect::<Result<Vec<ColourSetId>, _>>()?;
        ids.sort_unstable();
        ids.dedup();
        let mut colours = Vec::new();
        for &id in &ids {
            colours.push((environment.colour_set(id).ty, self.colours(id)?));
        }
        let exchange = Exchange::new(&self.net, colours, &self.limits);
        let exchange = exchange.map_err(|refusal| NoSymmetry::Colours {
            name: sets.join(", "),
            why: refusal.message.to_owned(),
        })?;
        let doubt = self.prove(&ids, asked).err();
        match doubt {
            Some(doubt) if !assume => Err(doubt),
            doubt => Ok(Symmetry { model: self, exchange, doubt, exact: AtomicBool::new(true) }),
        }
    }

    /// All colours of an index set or enumeration, as they are written.
    fn colours(&self, id: ColourSetId) -> Result<Vec<Box<[u8]>>, NoSymmetry> {
        let set = self.net.environment.colour_set(id);
        let name = set.name.to_string();
        let failed = |why: String| NoSymmetry::Colours { name: name.clone(), why };
        let list = self.scope().value(&name, &format!("{name}.all ()"));
        let list = list.map_err(|error| failed(error.to_string()))?;
        let mut bytes = Vec::new();
        list.write(&mut Worker::default(), &self.initial, &mut bytes)
            .map_err(|error| failed(error.to_string()))?;
        // A list is its length, as a number of bytes below 128 but for those that go on, and its values.
        let is_last = |byte: &u8| *byte < 0x80;
        let start = bytes.iter().position(is_last).map_or(0, |at| at + 1);
        let values = &bytes[start..];
        let values: Vec<Box<[u8]>> = match &set.kind {
            ColourSetKind::Enum { values: names } => {
                values.chunks(tag_bytes(names.len())).map(Box::from).collect()
            }
            _ => values.split_inclusive(is_last).map(Box::from).collect(),
        };
        match values.len() > MOST_COLOURS {
            true => Err(failed(format!("there are more than {MOST_COLOURS} of them"))),
            false => Ok(values),
        }
    }

    /// A proof about an exchange of colours of the sets, of which nothing is proven yet, and their types.
    fn proof(&self, ids: &[ColourSetId]) -> (Proof<'_>, Vec<TypeId>) {
        let scope = self.scope();
        let environment = scope.environment();
        let program = environment.program();
        let types: Vec<TypeId> = ids.iter().map(|&id| environment.colour_set(id).ty).collect();
        let data = types.iter().filter_map(|&ty| match program.types.get(ty) {
            Type::Data(data, _) => Some(*data),
            _ => None,
        });
        let data: Vec<DataId> = data.collect();
        let places: HashSet<_> = scope.place_variables().collect();
        (Proof::new(environment, &types, data, places), types)
    }

    /// No question sees an exchange of colours.
    fn prove_asked(
        &self,
        ids: &[ColourSetId],
        asked: &[(&str, &Expression)],
    ) -> Result<(), NoSymmetry> {
        let (mut proof, _) = self.proof(ids);
        for (name, expression) in asked {
            proof.assume_exact(expression.deadlock);
            proof.exact(&expression.term).map_err(|_| NoSymmetry::NotProven {
                place: format!("the question `{name}`"),
                text: expression.text().to_owned(),
            })?;
        }
        Ok(())
    }

    /// No inscription and no question sees an exchange of colours.
    fn prove(&self, ids: &[ColourSetId], asked: &[(&str, &Expression)]) -> Result<(), NoSymmetry> {
        let environment = self.scope().environment();
        let program = environment.program();
        let (mut proof, types) = self.proof(ids);
        let text = |span: Span| environment.sources().text(span).to_owned();
        for transition in &self.net.transitions {
            let behaviour = self.net.behaviour(transition);
            inscriptions(&mut proof, behaviour).map_err(|span| NoSymmetry::NotProven {
                place: format!("transition `{}`", transition.name),
                text: text(span),
            })?;
        }
        let places = self.net.places.iter().map(|place| place.colour_set);
        let variables = self.net.behaviours.iter().flat_map(|b| &b.variables);
        let used: HashSet<ColourSetId> = places.chain(variables.map(|v| v.colour_set)).collect();
        for id in used {
            let set = environment.colour_set(id);
            let has = has_part(program, set.ty, &|part| types.contains(&part));
            if has && !proof.is_closed(id) {
                let place = "a subset".to_owned();
                return Err(NoSymmetry::NotProven { place, text: set.name.to_string() });
            }
        }
        self.prove_asked(ids, asked)
    }
}

/// The colours of a set are names.
fn is_plain(environment: &Environment, id: ColourSetId) -> bool {
    let kind = &environment.colour_set(id).kind;
    matches!(kind, ColourSetKind::Enum { .. } | ColourSetKind::Index { .. })
}

/// The colour set of a name, whose colours are names.
fn exchangeable(environment: &Environment, name: &str) -> Result<ColourSetId, NoSymmetry> {
    let is_plain = |id: ColourSetId| is_plain(environment, id);
    let Some(id) = environment.find_colour_set(name) else {
        let ids = (0..environment.colour_sets().len() as u32).map(ColourSetId);
        let names = ids.filter(|&id| is_plain(id));
        let known = names.map(|id| environment.colour_set(id).name.to_string()).collect();
        return Err(NoSymmetry::Unknown { name: name.to_owned(), known });
    };
    let id = environment.original(id);
    if is_plain(id) { Ok(id) } else { Err(NoSymmetry::Kind { name: name.to_owned() }) }
}

/// All terms of a transition: those that give multi-sets may give them in any order.
fn inscriptions(proof: &mut Proof<'_>, behaviour: &Behaviour) -> Result<(), Span> {
    let inputs = behaviour.inputs.iter().map(|input| &input.inscription);
    let outputs = behaviour.outputs.iter().map(|output| &output.inscription);
    for Inscription { typing, expr } in inputs.chain(outputs) {
        match (proof.term(expr)?, typing) {
            (Level::Exact, _) | (Level::Bag, Typing::MultiSet | Typing::TimedMultiSet) => {}
            _ => return Err(expr.span),
        }
    }
    let code = behaviour.code.iter().map(|code| &code.action);
    let mut rest = behaviour.conditions().chain(code).chain(&behaviour.priority);
    rest.try_for_each(|expr: &Expr| proof.exact(expr))
}

/// A type is one that `wanted` accepts, or has a part that is.
fn has_part(program: &Program, ty: TypeId, wanted: &dyn Fn(TypeId) -> bool) -> bool {
    let (mut work, mut seen, mut data_seen) = (vec![ty], HashSet::new(), HashSet::new());
    while let Some(ty) = work.pop() {
        if !seen.insert(ty) {
            continue;
        }
        if wanted(ty) {
            return true;
        }
        match program.types.get(ty) {
            Type::Record(fields) => work.extend(fields.iter().map(|(_, ty)| *ty)),
            Type::Data(data, arguments) => {
                work.extend(arguments.iter());
                if data_seen.insert(*data) {
                    let constructors = &program.datatype(*data).constructors;
                    work.extend(constructors.iter().filter_map(|con| con.arg));
                }
            }
            _ => {}
        }
    }
    false
}

impl Symmetry<'_> {
    /// Why it is only assumed that the colours may be exchanged; nothing where it is proven.
    pub fn doubt(&self) -> Option<&NoSymmetry> {
        self.doubt.as_ref()
    }
}

impl Representative<CpnModel> for Symmetry<'_> {
    fn represent(&self, marking: &mut Marking) {
        if let Some((found, exact)) = self.exchange.represent(&self.model.places, marking) {
            *marking = found;
            self.exact.fetch_and(exact, Ordering::Relaxed);
        }
    }

    fn is_proven(&self) -> bool {
        self.doubt.is_none()
    }

    fn is_exact(&self) -> bool {
        self.exact.load(Ordering::Relaxed)
    }
}

impl Class<CpnModel> for Symmetry<'_> {
    fn name(&self, _worker: &mut Worker, marking: &Marking, name: &mut Vec<u8>) -> Computed {
        let mut marking = marking.clone();
        self.represent(&mut marking);
        name.extend_from_slice(marking.bytes());
        Ok(())
    }
}
