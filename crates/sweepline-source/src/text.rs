//! Text from XML with the offset in the file of each of its bytes.

/// A text of the model, with entities replaced.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    text: String,
    /// The start of each piece: in the text, and in the file. Sorted, because both only grow.
    pieces: Vec<(usize, usize)>,
}

impl Text {
    /// The empty text, at an offset.
    pub fn none_at(offset: usize) -> Self {
        Self { text: String::new(), pieces: vec![(0, offset)] }
    }

    /// A text that is in the file verbatim.
    pub fn verbatim(text: &str) -> Self {
        Self { text: text.to_owned(), pieces: vec![(0, 0)] }
    }

    /// Appends a piece that is at an offset of the file.
    pub fn push(&mut self, piece: &str, offset: usize) {
        self.pieces.push((self.text.len(), offset));
        self.text.push_str(piece);
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether there is only white space.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The text without white space around it.
    pub fn trim(&self) -> &str {
        self.text.trim()
    }

    /// The offset in the file of a byte of the text.
    pub fn offset(&self, at: usize) -> usize {
        let next = self.pieces.partition_point(|(start, _)| *start <= at);
        match next.checked_sub(1).and_then(|piece| self.pieces.get(piece)) {
            Some((start, offset)) => offset + (at - start),
            None => 0,
        }
    }

    /// The offset in the file of its first word.
    pub fn start(&self) -> usize {
        self.offset(self.text.len() - self.text.trim_start().len())
    }

    /// The range in the file of its words.
    pub fn span(&self) -> std::ops::Range<usize> {
        let start = self.start();
        let end = self.offset(self.text.trim_end().len());
        start..end.max(start)
    }

    /// The same text with the offsets of the file, if its offsets are offsets in `outer`.
    pub fn within(&self, outer: &Self) -> Self {
        let mut new = Self::none_at(outer.offset(self.start()));
        for (at, c) in self.text.char_indices() {
            let offset = outer.offset(self.offset(at));
            let last = new.pieces.last().copied();
            match last.is_some_and(|(start, from)| at > 0 && from + (at - start) == offset) {
                true => new.text.push(c),
                false => new.push(c.encode_utf8(&mut [0; 4]), offset),
            }
        }
        new
    }

    /// The text with some ranges replaced. Ranges are sorted and do not overlap.
    pub fn replaced(&self, ranges: &[std::ops::Range<usize>], with: &str) -> Self {
        let mut new = Self::default();
        let mut from = 0;
        for range in ranges {
            new.copy(self, from..range.start);
            new.push(with, self.offset(range.start));
            from = range.end;
        }
        new.copy(self, from..self.text.len());
        new
    }

    /// A part of the text.
    pub fn part(&self, range: std::ops::Range<usize>) -> Self {
        let mut new = Self::default();
        new.copy(self, range);
        new
    }

    fn copy(&mut self, from: &Self, range: std::ops::Range<usize>) {
        let inner = from.pieces.iter().map(|(start, _)| *start);
        let mut starts: Vec<usize> =
            inner.filter(|start| range.start < *start && *start < range.end).collect();
        starts.insert(0, range.start);
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([range.end]);
        for (start, end) in starts.iter().zip(ends) {
            self.push(&from.text[*start..end], from.offset(*start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn bytes_know_where_they_come_from() {
        let mut text = Text::default();
        text.push(" a", 100);
        text.push("<", 102);
        text.push("b c", 106);
        assert_eq!(text.as_str(), " a<b c");
        assert_eq!([0, 1, 2, 3, 5].map(|at| text.offset(at)), [100, 101, 102, 106, 108]);
        assert_eq!((text.start(), text.span()), (101, 101..109));
        let range = 3..4;
        let new = text.replaced(std::slice::from_ref(&range), "xyz");
        assert_eq!(new.as_str(), " a<xyz c");
        assert_eq!([2, 3, 6, 7].map(|at| new.offset(at)), [102, 106, 107, 108]);
        let mut inner = Text::default();
        inner.push("<b", 2);
        inner.push("c", 5);
        let within = inner.within(&text);
        assert_eq!(within.as_str(), "<bc");
        assert_eq!([0, 1, 2].map(|at| within.offset(at)), [102, 106, 108]);
        assert_eq!(Text::none_at(7).start(), 7);
        assert_eq!(Text::default().start(), 0);
    }
}
