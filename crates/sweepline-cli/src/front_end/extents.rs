//! The bounds of places: their least and greatest numbers of tokens.

use fixedbitset::FixedBitSet;
use serde::Serialize;

/// The bounds of a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Extent {
    /// The place.
    pub(crate) place: String,
    /// The most tokens.
    pub(crate) upper: u64,
    /// The fewest tokens.
    pub(crate) lower: u64,
    /// For each colour the most tokens, such as ``2`e``; nothing where tokens have no colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) upper_multi_set: Option<Vec<String>>,
    /// For each colour the fewest tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lower_multi_set: Option<Vec<String>>,
}

/// The least and the greatest of several numbers.
#[derive(Default)]
pub(crate) struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// Takes the numbers of a state into account.
    pub(super) fn see(&mut self, numbers: impl Iterator<Item = u64>) {
        if self.0.is_empty() {
            self.0 = numbers.map(|number| (number, number)).collect();
            return;
        }
        for ((least, most), number) in self.0.iter_mut().zip(numbers) {
            *least = (*least).min(number);
            *most = (*most).max(number);
        }
    }

    /// Least and greatest, one after the other; of nothing where no state was seen.
    pub(super) fn found(&self) -> &[(u64, u64)] {
        &self.0
    }
}

/// Which of its states each component of a composition was in.
pub(crate) type Visited = Vec<FixedBitSet>;
