//! The names in expressions.

use sweepline_source::{Suggestion, WordList, closest};

use crate::display::Quoted;

/// The index of a place: something with a number of tokens in each state. A place of a net, or a number of a
/// composition.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceId(pub u32);

/// The index of a transition: something that is enabled or disabled in a state. A transition of a net, or an
/// event.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TransitionId(pub u32);

impl PlaceId {
    /// The id as an index into the places of a net, or into a marking.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// The id as an index into the transitions of a net.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a name does not denote a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameError {
    /// No node has this id or name.
    Unknown {
        /// The known id or name closest to it.
        suggestion: Option<Suggestion>,
        /// The first few names, for a message without a suggestion.
        known: Vec<String>,
    },
    /// No node has this id and several have this name.
    Ambiguous {
        /// The ids of the nodes with this name.
        ids: Vec<String>,
    },
}

impl NameError {
    /// A message lists at most this many names.
    const LISTED: usize = 8;

    /// An unknown name, with the closest known one and all known ones.
    pub fn unknown<'n>(
        suggestion: Option<Suggestion>,
        known: impl Iterator<Item = &'n str>,
    ) -> Self {
        let known = known.take(Self::LISTED + 1).map(str::to_owned).collect();
        Self::Unknown { suggestion, known }
    }

    /// What to write instead of an unknown name: the closest name, or else a list of the first names.
    pub fn advice(&self, what: &str) -> Option<String> {
        let NameError::Unknown { suggestion, known } = self else { return None };
        if let Some(Suggestion(name)) = suggestion {
            return Some(format!("did you mean `{}`?", Quoted(name)));
        }
        let quoted = |name: &String| format!("`{}`", Quoted(name));
        let listed = known.iter().take(Self::LISTED).map(quoted).collect::<Vec<_>>().join(", ");
        Some(match known.len() {
            0 => format!("the model has no {what}s"),
            1 => format!("the only {what} is {listed}"),
            n if n <= Self::LISTED => format!("the {what}s are {listed}"),
            _ => format!("the {what}s include {listed}"),
        })
    }
}

/// A model whose parts expressions can name.
pub trait Named {
    /// Its names; a model with many names builds an index.
    fn vocabulary(&self) -> Box<dyn Vocabulary + '_>;
}

/// Names of places and transitions. A name that is printed can be parsed again.
pub trait Vocabulary {
    /// The places with a name: several, one or none for a coloured place.
    ///
    /// # Errors
    /// If nothing has this name, or several things have it.
    fn places(&self, name: &str) -> Result<Vec<PlaceId>, NameError>;

    /// The transitions with a name.
    ///
    /// # Errors
    /// If nothing has this name, or several things have it.
    fn transitions(&self, name: &str) -> Result<Vec<TransitionId>, NameError>;

    /// The name of a place.
    fn of_place(&self, place: PlaceId) -> &str;

    /// The name of a transition.
    fn of_transition(&self, transition: TransitionId) -> &str;

    /// If `first` is the first of the places of a coloured place: the name of that, and how many places it
    /// has. They are consecutive.
    fn of_places_from(&self, _first: PlaceId) -> Option<(&str, usize)> {
        None
    }

    /// The same for transitions.
    fn of_transitions_from(&self, _first: TransitionId) -> Option<(&str, usize)> {
        None
    }
}

/// Names that are all different: the vocabulary of a model without ids.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// The names of places.
    pub places: WordList,
    /// The names of transitions.
    pub transitions: WordList,
}

impl Words {
    /// A vocabulary of these places and transitions.
    ///
    /// # Panics
    /// If two places or two transitions have the same name.
    pub fn new<'w>(
        places: impl IntoIterator<Item = &'w str>,
        transitions: impl IntoIterator<Item = &'w str>,
    ) -> Self {
        let mut words = Self::default();
        for (place, word) in (0..).zip(places) {
            assert_eq!(words.places.intern(word), place, "`{word}` occurs twice");
        }
        for (transition, word) in (0..).zip(transitions) {
            assert_eq!(words.transitions.intern(word), transition, "`{word}` occurs twice");
        }
        words
    }
}

impl Named for Words {
    fn vocabulary(&self) -> Box<dyn Vocabulary + '_> {
        Box::new(self)
    }
}

impl Vocabulary for &Words {
    fn places(&self, name: &str) -> Result<Vec<PlaceId>, NameError> {
        find(&self.places, name).map(|place| vec![PlaceId(place)])
    }

    fn transitions(&self, name: &str) -> Result<Vec<TransitionId>, NameError> {
        find(&self.transitions, name).map(|transition| vec![TransitionId(transition)])
    }

    fn of_place(&self, place: PlaceId) -> &str {
        self.places.text(place.0)
    }

    fn of_transition(&self, transition: TransitionId) -> &str {
        self.transitions.text(transition.0)
    }
}

fn find(words: &WordList, name: &str) -> Result<u32, NameError> {
    let known = || words.words().iter().map(String::as_str);
    words.get(name).ok_or_else(|| NameError::unknown(closest(name, known()), known()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_a_similar_name_or_the_first_ones() {
        let advice = |places: &[&str], name: &str| {
            let words = Words::new(places.iter().copied(), []);
            (&words).places(name).unwrap_err().advice("place").unwrap()
        };
        assert_eq!(advice(&["ready", "done"], "redy"), "did you mean `ready`?");
        assert_eq!(advice(&["ready", "all done"], "x"), "the places are `ready`, `\"all done\"`");
        assert_eq!(advice(&["ready"], "x"), "the only place is `ready`");
        assert_eq!(advice(&[], "x"), "the model has no places");
        let many: Vec<String> = (100..109).map(|n| format!("place{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let listed = advice(&many, "x");
        assert!(listed.starts_with("the places include `place100`, "), "{listed}");
        assert!(listed.ends_with("`place107`"), "{listed}");
    }
}
