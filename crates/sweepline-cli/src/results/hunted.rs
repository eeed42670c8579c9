//! The numbers of a hunt, and of the paths that were found.

use serde::Serialize;
use sweepline::check::Shortest;
use sweepline::{Hunted, Property};

use crate::front_end::FrontEnd;

/// What a hunt did.
#[derive(Serialize, Clone, Copy, Debug)]
pub(crate) struct HuntFigures {
    pub(crate) trips: u64,
    pub(crate) states: u64,
    edges: u64,
}

impl HuntFigures {
    /// The figures of a hunt, if it made a trip.
    pub(super) fn of(hunted: Hunted) -> Option<Self> {
        let Hunted { trips, states, edges, .. } = hunted;
        (trips > 0).then_some(HuntFigures { trips, states, edges })
    }
}

/// How a witness was found, and how short it is.
#[derive(Serialize, Clone, Debug, Default)]
pub(super) struct PathFigures {
    /// The search of the hunt that found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<String>,
    /// The number of its steps before it was shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    shortened_from: Option<usize>,
    /// No path has fewer steps than this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest_at_least: Option<u64>,
}

impl PathFigures {
    pub(super) fn of<M: FrontEnd>(property: &Property<M>) -> Self {
        let length = || property.verdict.witness().map(|witness| witness.len() as u64);
        PathFigures {
            found_by: property.found_by.clone(),
            shortened_from: property.shortened_from,
            shortest_at_least: property.shortest.and_then(|shortest| match shortest {
                Shortest::Proven => length(),
                Shortest::AtLeast(least) => Some(least),
            }),
        }
    }
}
