//! Where a piece of text is: a named source and a range of bytes in it.

use std::ops::Range;
use std::sync::Arc;

/// A text given to the environment. The first is the prelude.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceId(pub u32);

/// A range of bytes in a source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The source.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The start of the library, for what is written nowhere.
    pub(crate) const START: Span = Span { source: SourceId(0), start: 0, end: 0 };

    /// The bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the start of this to the end of the other.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start, end: other.end.max(self.start) }
    }
}

/// A named text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// What to call it in messages: a declaration's id, a place's name, a file.
    pub name: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

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
        self.texts.push(Source { name: name.into(), text: text.into() });
        SourceId(u32::try_from(self.texts.len() - 1).expect("fewer than 2^32 sources"))
    }

    /// A text.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.texts[id.0 as usize]
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
