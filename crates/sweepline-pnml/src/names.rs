//! Finding places and transitions by what people call them, with a suggestion where nothing is.

use std::collections::HashMap;
use std::fmt;

use crate::net::{Net, PlaceId, TransitionId};

/// A name that exists and resembles the one that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion(pub String);

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "did you mean `{}`?", self.0)
    }
}

/// Why a name does not denote a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameError {
    /// No node has this id or name.
    Unknown {
        /// The closest id or name there is.
        suggestion: Option<Suggestion>,
    },
    /// No node has this id and several have this name.
    Ambiguous {
        /// The ids of the nodes with this name.
        ids: Vec<String>,
    },
}

/// An index over the ids and names of a net.
#[derive(Clone, Debug)]
pub struct Names<'n> {
    net: &'n Net,
    places: Index<'n>,
    transitions: Index<'n>,
}

/// Ids, and names that are no ids; a name shared by several nodes lists them all.
#[derive(Clone, Debug, Default)]
struct Index<'n> {
    by_id: HashMap<&'n str, u32>,
    by_name: HashMap<&'n str, Vec<u32>>,
}

impl<'n> Index<'n> {
    fn new(nodes: impl Iterator<Item = (&'n str, &'n str)>) -> Self {
        let mut index = Self::default();
        for ((id, name), position) in nodes.zip(0..) {
            index.by_id.insert(id, position);
            if name != id {
                index.by_name.entry(name).or_default().push(position);
            }
        }
        index
    }

    fn find(&self, wanted: &str) -> Option<Result<u32, &[u32]>> {
        if let Some(&position) = self.by_id.get(wanted) {
            return Some(Ok(position));
        }
        match self.by_name.get(wanted)?.as_slice() {
            &[position] => Some(Ok(position)),
            several => Some(Err(several)),
        }
    }
}

impl<'n> Names<'n> {
    /// Indexes a net.
    pub fn new(net: &'n Net) -> Self {
        let places = net.places.iter().map(|p| (p.id.as_str(), p.name.as_str()));
        let transitions = net.transitions.iter().map(|t| (t.id.as_str(), t.name.as_str()));
        Self { net, places: Index::new(places), transitions: Index::new(transitions) }
    }

    /// The place with this id, else the only place with this name.
    pub fn place(&self, wanted: &str) -> Result<PlaceId, NameError> {
        match self.places.find(wanted) {
            Some(Ok(position)) => Ok(PlaceId(position)),
            Some(Err(several)) => {
                let ids = several.iter().map(|&p| self.net.places[p as usize].id.clone()).collect();
                Err(NameError::Ambiguous { ids })
            }
            None => {
                let known = self.net.places.iter().flat_map(|p| [p.id.as_str(), &p.name]);
                Err(NameError::Unknown { suggestion: closest(wanted, known) })
            }
        }
    }

    /// The transition with this id, else the only transition with this name.
    pub fn transition(&self, wanted: &str) -> Result<TransitionId, NameError> {
        match self.transitions.find(wanted) {
            Some(Ok(position)) => Ok(TransitionId(position)),
            Some(Err(several)) => {
                let ids =
                    several.iter().map(|&t| self.net.transitions[t as usize].id.clone()).collect();
                Err(NameError::Ambiguous { ids })
            }
            None => {
                let known = self.net.transitions.iter().flat_map(|t| [t.id.as_str(), &t.name]);
                Err(NameError::Unknown { suggestion: closest(wanted, known) })
            }
        }
    }

    /// The place with exactly this id, as formula files name places.
    pub fn place_by_id(&self, id: &str) -> Option<PlaceId> {
        self.places.by_id.get(id).copied().map(PlaceId)
    }

    /// The transition with exactly this id, as formula files name transitions.
    pub fn transition_by_id(&self, id: &str) -> Option<TransitionId> {
        self.transitions.by_id.get(id).copied().map(TransitionId)
    }

    /// The id of a place that resembles this one.
    pub fn similar_place_id(&self, id: &str) -> Option<Suggestion> {
        closest(id, self.net.places.iter().map(|place| place.id.as_str()))
    }

    /// The id of a transition that resembles this one.
    pub fn similar_transition_id(&self, id: &str) -> Option<Suggestion> {
        closest(id, self.net.transitions.iter().map(|transition| transition.id.as_str()))
    }

    /// The name of a place where that name finds it again, else its id.
    pub fn of_place(&self, place: PlaceId) -> &'n str {
        let node = &self.net.places[place.index()];
        if self.places.find(&node.name) == Some(Ok(place.0)) { &node.name } else { &node.id }
    }

    /// The name of a transition where that name finds it again, else its id.
    pub fn of_transition(&self, transition: TransitionId) -> &'n str {
        let node = &self.net.transitions[transition.index()];
        if self.transitions.find(&node.name) == Some(Ok(transition.0)) {
            &node.name
        } else {
            &node.id
        }
    }
}

/// Longer names are not compared: the comparison is quadratic and the suggestion unreadable.
const LONGEST_COMPARED: usize = 100;

/// In a huge net the first names must do: a suggestion is a courtesy, not worth seconds.
const MOST_COMPARED: usize = 20_000;

/// The closest of `known` to `wanted`, if one is close enough for a slip of the pen.
///
/// Ties go to the name that sorts first, so that messages do not depend on hashing.
pub(crate) fn closest<'n>(
    wanted: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<Suggestion> {
    let n_chars = wanted.chars().take(LONGEST_COMPARED + 1).count();
    if n_chars > LONGEST_COMPARED {
        return None;
    }
    let furthest = (n_chars / 3).max(1);
    let comparable = |name: &&str| {
        name.len() <= 4 * LONGEST_COMPARED && name.chars().count().abs_diff(n_chars) <= furthest
    };
    let distance = |name: &str| match name.eq_ignore_ascii_case(wanted) {
        true => 0,
        false => strsim::osa_distance(wanted, name),
    };
    let candidates = known.into_iter().take(MOST_COMPARED).filter(comparable);
    let (best, name) = candidates.map(|name| (distance(name), name)).min()?;
    (best <= furthest).then(|| Suggestion(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_close_or_absent() {
        for (wanted, known, expected) in [
            ("redy", vec!["ready", "done"], Some("ready")),
            ("Ready", vec!["ready", "done"], Some("ready")),
            ("raedy", vec!["ready"], Some("ready")),
            ("p", vec!["q", "r"], Some("q")),
            ("waiting", vec!["done", "critical"], None),
            ("p1", vec!["p2", "p10", "q1"], Some("p10")),
            ("", vec!["abc"], None),
        ] {
            let found = closest(wanted, known).map(|s| s.0);
            assert_eq!(found.as_deref(), expected, "{wanted}");
        }
        assert_eq!(closest(&"x".repeat(1_000_000), ["y"]), None);
    }

    #[test]
    fn nodes_are_shown_by_a_name_that_finds_them_again() {
        let net = Net::builder("n")
            .place_named("a", "first", 0)
            .place_named("b", "twin", 0)
            .place_named("c", "twin", 0)
            .place_named("d", "a", 0)
            .build()
            .unwrap();
        let names = net.names();
        let shown: Vec<_> = net.place_ids().map(|place| names.of_place(place)).collect();
        assert_eq!(shown, ["first", "b", "c", "d"]);
        assert_eq!(
            names.place("twin"),
            Err(NameError::Ambiguous { ids: vec!["b".into(), "c".into()] })
        );
        assert!(names.place_by_id("first").is_none());
    }
}
