//! Symmetry: permutations of the colours of a colour set.
//!
//! Markings that differ only by a permutation of such colours are equivalent, so that only one representative
//! of each class is explored. That the net is symmetric is proven from its inscriptions if possible
//! ([`proof`]). If the proof fails for a net or a property, symmetry can be assumed.

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

/// Larger colour sets are rejected.
const MOST_COLOURS: usize = 4096;

/// Why symmetry of a colour set cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoSymmetry {
    /// There is no such colour set.
    #[error("there is no colour set `{name}`")]
    Unknown {
        /// The name.
        name: String,
        /// The colour sets that could be symmetric.
        known: Vec<String>,
    },
    /// It is neither an index set nor an enumeration.
    #[error(
        "`{name}` is neither an index set nor an enumeration, so its colours cannot be permuted"
    )]
    Kind {
        /// The colour set.
        name: String,
    },
    /// It has too many colours, or they cannot be computed.
    #[error("the colours of `{name}` cannot be enumerated: {why}")]
    Colours {
        /// The colour set.
        name: String,
        /// The reason.
        why: String,
    },
    /// A term may distinguish the colours.
    #[error("{place} may distinguish colours: `{text}`")]
    NotProven {
        /// Its position in the net.
        place: String,
        /// The part that may distinguish colours.
        text: String,
    },
}

/// Permutes the colours of some colour sets; see [`CpnModel::symmetry`].
pub struct Symmetry<'a> {
    model: &'a CpnModel,
    exchange: Exchange,
    /// Why symmetry could not be proven.
    doubt: Option<NoSymmetry>,
    exact: AtomicBool,
}

impl CpnModel {
    /// Symmetry in the colours of `sets`. It is proven from the inscriptions and the `asked` expressions, or,
    /// if that fails and `assume` is true, assumed.
    ///
    /// # Errors
    ///
    /// If a colour set is unknown or not suitable, or symmetry is neither proven nor assumed.
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

    /// All colours of an index set or enumeration, encoded.
    fn colours(&self, id: ColourSetId) -> Result<Vec<Box<[u8]>>, NoSymmetry> {
        let set = self.net.environment.colour_set(id);
        let name = set.name.to_string();
        let failed = |why: String| NoSymmetry::Colours { name: name.clone(), why };
        let list = self.scope().value(&name, &format!("{name}.all ()"));
        let list = list.map_err(|error| failed(error.to_string()))?;
        let mut bytes = Vec::new();
        list.write(&mut Worker::default(), &self.initial, &mut bytes)
            .map_err(|error| failed(error.to_string()))?;
        // A list is encoded as its length, a variable-length number whose last byte is below 128, and its
        // values.
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
            true => Err(failed(format!("it has more than {MOST_COLOURS} colours"))),
            false => Ok(values),
        }
    }

    /// A new proof about permutations of the colours of the sets, and the types of the sets.
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

    /// Proves that the properties are invariant under permutations.
    fn prove_asked(
        &self,
        ids: &[ColourSetId],
        asked: &[(&str, &Expression)],
    ) -> Result<(), NoSymmetry> {
        let (mut proof, _) = self.proof(ids);
        for (name, expression) in asked {
            proof.assume_exact(expression.deadlock);
            proof.exact(&expression.term).map_err(|_| NoSymmetry::NotProven {
                place: format!("the property `{name}`"),
                text: expression.text().to_owned(),
            })?;
        }
        Ok(())
    }

    /// Proves that the inscriptions and the properties are invariant under permutations.
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

/// Whether the colour set is an index set or an enumeration.
fn is_plain(environment: &Environment, id: ColourSetId) -> bool {
    let kind = &environment.colour_set(id).kind;
    matches!(kind, ColourSetKind::Enum { .. } | ColourSetKind::Index { .. })
}

/// The colour set with a name, if it is an index set or an enumeration.
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

/// Checks all terms of a transition. Terms that evaluate to multi-sets may do so in any order.
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

/// Whether `wanted` accepts the type or a part of it.
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
    /// Why symmetry is only assumed; `None` if it is proven.
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
