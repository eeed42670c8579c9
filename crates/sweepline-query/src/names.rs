//! What expressions can name.

use sweepline_source::{Suggestion, WordList, closest};

/// Something that holds a number of tokens in each state: a place of a net, or what a composition counts. The index
/// among all of them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceId(pub u32);

/// Something that can happen in a state or not: a transition of a net, or an event. The index among all of them.
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
        /// The closest id or name there is.
        suggestion: Option<Suggestion>,
    },
    /// No node has this id and several have this name.
    Ambiguous {
        /// The ids of the nodes with this name.
        ids: Vec<String>,
    },
}

/// A model whose parts expressions can name.
pub trait Named {
    /// Its names, indexed where they are many.
    fn vocabulary(&self) -> Box<dyn Vocabulary + '_>;
}

/// Names of places and transitions. A name that is shown is found again.
pub trait Vocabulary {
    /// The places that a name stands for: several, one or none for a coloured place.
    ///
    /// # Errors
    /// When nothing is called so, or more than one thing.
    fn places(&self, name: &str) -> Result<Vec<PlaceId>, NameError>;

    /// The transitions that a name stands for.
    ///
    /// # Errors
    /// When nothing is called so, or more than one thing.
    fn transitions(&self, name: &str) -> Result<Vec<TransitionId>, NameError>;

    /// What a place is called.
    fn of_place(&self, place: PlaceId) -> &str;

    /// What a transition is called.
    fn of_transition(&self, transition: TransitionId) -> &str;

    /// What places that follow each other are called together, and how many they are, if `first` is the first of such.
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
    /// Those of places.
    pub places: WordList,
    /// Those of transitions.
    pub transitions: WordList,
}

impl Words {
    /// Those of these places and transitions.
    ///
    /// # Panics
    /// When two places or two transitions are called the same.
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
    let unknown = || NameError::Unknown { suggestion: closest(name, known()) };
    words.get(name).ok_or_else(unknown)
}
