//! What differs between two states.

use std::fmt;

use serde::Serialize;

use crate::print::quoted;

/// What a part of a state holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Content {
    /// So many tokens.
    Count(u64),
    /// Tokens in words.
    Text(String),
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Content::Count(count) => write!(f, "{count}"),
            Content::Text(text) => f.write_str(text),
        }
    }
}

/// One difference between two states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Change {
    /// The place.
    pub(crate) place: String,
    /// Its tokens before.
    pub(crate) before: Content,
    /// Its tokens after.
    pub(crate) after: Content,
    /// The tokens removed and added, if that is shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) difference: Option<Difference>,
}

/// Tokens taken and put; either may be empty. As data it is a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Difference {
    pub(crate) taken: String,
    pub(crate) put: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { taken, put } = self;
        match (taken.is_empty(), put.is_empty()) {
            (false, false) => write!(f, "- {taken} + {put}"),
            (false, true) => write!(f, "- {taken}"),
            (true, false) => write!(f, "+ {put}"),
            (true, true) => Ok(()),
        }
    }
}

impl Serialize for Difference {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.difference {
            Some(difference) => write!(f, "{} {difference}", self.place),
            // Processes are written with `->` themselves.
            None if matches!(self.after, Content::Text(_)) => {
                write!(f, "{} {} ⇒ {}", self.place, self.before, self.after)
            }
            None => write!(f, "{} {} -> {}", quoted(&self.place), self.before, self.after),
        }
    }
}
