//! A checked builder, so that nets written in Rust obey the same laws as nets read from files.

use std::collections::HashMap;

use thiserror::Error;

use crate::net::{Net, Place, PlaceId, Transition, merge_arcs};
use sweepline_source::{Suggestion, closest};

/// Why a net written in Rust is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum BuildError {
    /// Two nodes have the same id.
    #[error("the id `{id}` is used twice")]
    DuplicateId { id: String },
    /// An arc names a place that was not added.
    #[error(
        "transition `{transition}` uses the unknown place `{place}`{}",
        Suggestion::hint(suggestion)
    )]
    UnknownPlace { transition: String, place: String, suggestion: Option<Suggestion> },
    /// An arc has weight 0.
    #[error("the arc between transition `{transition}` and place `{place}` has weight 0")]
    ZeroWeight { transition: String, place: String },
    /// Parallel arcs add up to more than 64 bits.
    #[error(
        "the arcs between transition `{transition}` and place `{place}` weigh more than {} together",
        u64::MAX
    )]
    WeightOverflow { transition: String, place: String },
    /// More nodes than ids.
    #[error("a net has at most {} places and as many transitions", u32::MAX)]
    TooLarge,
}

/// Collects places and transitions; [`NetBuilder::build`] checks them.
#[derive(Clone, Debug)]
pub struct NetBuilder {
    name: String,
    places: Vec<Place>,
    transitions: Vec<Draft>,
}

#[derive(Clone, Debug)]
struct Draft {
    id: String,
    name: String,
    inputs: Vec<(String, u64)>,
    outputs: Vec<(String, u64)>,
}

impl NetBuilder {
    /// An empty net.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), places: Vec::new(), transitions: Vec::new() }
    }

    /// Adds a place whose name is its id.
    pub fn place(self, id: &str, initial: u64) -> Self {
        self.place_named(id, id, initial)
    }

    /// Adds a place with a name of its own.
    pub fn place_named(mut self, id: &str, name: &str, initial: u64) -> Self {
        self.places.push(Place { id: id.into(), name: name.into(), initial });
        self
    }

    /// Adds a transition whose name is its id. Arcs refer to places by id, including places added later.
    pub fn transition(self, id: &str, inputs: &[(&str, u64)], outputs: &[(&str, u64)]) -> Self {
        self.transition_named(id, id, inputs, outputs)
    }

    /// Adds a transition with a name of its own.
    pub fn transition_named(
        mut self,
        id: &str,
        name: &str,
        inputs: &[(&str, u64)],
        outputs: &[(&str, u64)],
    ) -> Self {
        let own = |arcs: &[(&str, u64)]| {
            arcs.iter().map(|&(place, weight)| (place.to_owned(), weight)).collect()
        };
        let (inputs, outputs) = (own(inputs), own(outputs));
        self.transitions.push(Draft { id: id.into(), name: name.into(), inputs, outputs });
        self
    }

    /// Checks ids, places and weights.
    ///
    /// # Errors
    /// The first broken law, in the order in which nodes were added.
    pub fn build(self) -> Result<Net, BuildError> {
        if self.places.len().max(self.transitions.len()) > u32::MAX as usize {
            return Err(BuildError::TooLarge);
        }
        let mut ids: HashMap<&str, Option<PlaceId>> = HashMap::new();
        let places =
            self.places.iter().zip(0..).map(|(p, index)| (p.id.as_str(), Some(PlaceId(index))));
        for (id, place) in places.chain(self.transitions.iter().map(|t| (t.id.as_str(), None))) {
            if ids.insert(id, place).is_some() {
                return Err(BuildError::DuplicateId { id: id.into() });
            }
        }
        let transitions = self.transitions.iter().map(|draft| {
            Ok(Transition {
                id: draft.id.clone(),
                name: draft.name.clone(),
                inputs: self.resolve(&ids, &draft.id, &draft.inputs)?,
                outputs: self.resolve(&ids, &draft.id, &draft.outputs)?,
            })
        });
        let transitions = transitions.collect::<Result<_, _>>()?;
        Ok(Net { name: self.name, places: self.places, transitions, folded: None })
    }

    fn resolve(
        &self,
        ids: &HashMap<&str, Option<PlaceId>>,
        transition: &str,
        arcs: &[(String, u64)],
    ) -> Result<Vec<(PlaceId, u64)>, BuildError> {
        let mut resolved = Vec::with_capacity(arcs.len());
        for (name, weight) in arcs {
            let (transition, place) = (transition.to_owned(), name.clone());
            let Some(&Some(id)) = ids.get(name.as_str()) else {
                let suggestion = closest(name, self.places.iter().map(|p| p.id.as_str()));
                return Err(BuildError::UnknownPlace { transition, place, suggestion });
            };
            if *weight == 0 {
                return Err(BuildError::ZeroWeight { transition, place });
            }
            resolved.push((id, *weight));
        }
        merge_arcs(resolved).map_err(|place| BuildError::WeightOverflow {
            transition: transition.to_owned(),
            place: self.places[place.index()].id.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(builder: NetBuilder) -> String {
        builder.build().unwrap_err().to_string()
    }

    #[test]
    fn broken_laws_are_named() {
        let start = || Net::builder("n").place("queue", 1);
        for (builder, expected) in [
            (start().place("queue", 0), "the id `queue` is used twice"),
            (start().transition("queue", &[], &[]), "the id `queue` is used twice"),
            (
                start().transition("t", &[("queu", 1)], &[]),
                "transition `t` uses the unknown place `queu`; did you mean `queue`?",
            ),
            (
                start().transition("t", &[], &[("queue", 0)]),
                "the arc between transition `t` and place `queue` has weight 0",
            ),
            (
                start().transition("t", &[("queue", u64::MAX), ("queue", 1)], &[]),
                "the arcs between transition `t` and place `queue` weigh more than 18446744073709551615 together",
            ),
        ] {
            assert_eq!(message(builder), expected);
        }
    }
}
