//! The texts of an environment. The first ones are the library.

use std::ops::Range;

pub use sweepline_source::{Source, SourceId, Span};

/// All texts of an environment.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Source>,
    /// Further texts that messages do not point into, besides the library.
    more_library: Vec<SourceId>,
}

impl Sources {
    /// The sources that form the library.
    pub(crate) const LIBRARY: Range<u32> = 0..10;

    /// Adds a text. A text longer than 4 GiB is cut.
    pub fn add(&mut self, name: &str, text: &str) -> SourceId {
        self.texts.push(Source::new(name, text));
        SourceId(u32::try_from(self.texts.len() - 1).expect("fewer than 2^32 sources"))
    }

    /// A text.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.texts[id.index()]
    }

    /// All texts, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.texts.iter()
    }

    /// Whether a text belongs to the library.
    pub fn is_library(&self, id: SourceId) -> bool {
        Self::LIBRARY.contains(&id.0) || self.more_library.contains(&id)
    }

    /// Marks a text as part of the library.
    pub(crate) fn make_library(&mut self, id: SourceId) {
        self.more_library.push(id);
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.source).text.get(span.range()).unwrap_or_default()
    }
}
