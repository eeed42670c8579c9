//! The texts given to an environment. The first are the library.

use std::ops::Range;

pub use sweepline_source::{Source, SourceId, Span};

/// All texts that were given.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Source>,
    /// Texts that messages do not point into, besides the library.
    more_library: Vec<SourceId>,
}

impl Sources {
    /// The sources that make the library.
    pub(crate) const LIBRARY: Range<u32> = 0..10;

    /// Adds a text. Those longer than 4 GiB are cut, which no model reaches.
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

    /// Whether a text is part of the library.
    pub fn is_library(&self, id: SourceId) -> bool {
        Self::LIBRARY.contains(&id.0) || self.more_library.contains(&id)
    }

    /// Makes a text part of the library.
    pub(crate) fn make_library(&mut self, id: SourceId) {
        self.more_library.push(id);
    }

    /// The words a span covers.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.source).text.get(span.range()).unwrap_or_default()
    }
}
