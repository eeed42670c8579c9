//! The words of a line: names, symbols and numbers, up to the start of CPN ML.

use std::ops::Range;

use sweepline_query::scan::{comment_end, starts_comment, string_end};

use super::scan::word_at;
use super::tree::Name;

/// An unexpected text in a line, and what was expected.
#[derive(Debug)]
pub(super) struct Unexpected {
    pub(super) span: Range<usize>,
    pub(super) expected: &'static str,
}

pub(super) type Found<T> = Result<T, Unexpected>;

/// A position in a line of a text.
pub(super) struct Words<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    /// Comments at the end of the line.
    pub(super) comments: Vec<String>,
}

impl<'t> Words<'t> {
    pub(super) fn new(text: &'t str, range: Range<usize>) -> Self {
        Words { text, at: range.start, end: range.end, comments: Vec::new() }
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while self.at < self.end && bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
    }

    fn line(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    /// The range up to the next white space.
    fn here(&self) -> Range<usize> {
        let line = self.line();
        let length = line.find(char::is_whitespace).unwrap_or(line.len());
        self.at..self.at + length
    }

    pub(super) fn unexpected<T>(&mut self, expected: &'static str) -> Found<T> {
        self.skip_space();
        Err(Unexpected { span: self.here(), expected })
    }

    /// The next bare word, which may be empty.
    pub(super) fn peek(&mut self) -> &'t str {
        self.skip_space();
        match self.at < self.end {
            true => word_at(self.text, self.at),
            false => "",
        }
    }

    /// Takes a bare word.
    pub(super) fn word(&mut self) -> &'t str {
        let word = self.peek();
        self.at += word.len();
        word
    }

    /// Takes a bare word if it is this one.
    pub(super) fn eat_word(&mut self, wanted: &str) -> bool {
        let found = self.peek() == wanted;
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// Takes a symbol if it is next.
    pub(super) fn eat(&mut self, mark: char) -> bool {
        self.skip_space();
        let found = self.line().starts_with(mark);
        if found {
            self.at += mark.len_utf8();
        }
        found
    }

    /// Takes a name: a word, or anything in quotes.
    pub(super) fn name(&mut self, expected: &'static str) -> Found<Name> {
        self.skip_space();
        let offset = self.at;
        if !self.line().starts_with('"') {
            let text = self.word().to_owned();
            return match text.is_empty() {
                true => self.unexpected(expected),
                false => Ok(Name { text, offset }),
            };
        }
        let end = string_end(self.text, self.at).min(self.end);
        let inside = &self.text[self.at + 1..end];
        match inside.strip_suffix('"').and_then(unquoted) {
            Some(text) => {
                self.at = end;
                Ok(Name { text, offset })
            }
            None => Err(Unexpected {
                span: self.at..end,
                expected: r#"a name with a closing quote, and no escapes but `\"`, `\\`, `\n` and `\t`"#,
            }),
        }
    }

    /// Takes a finite number.
    pub(super) fn number(&mut self) -> Option<f64> {
        self.skip_space();
        let line = self.line();
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.');
        let length = line.find(|c| !is_part(c)).unwrap_or(line.len());
        let number = line[..length].parse::<f64>().ok().filter(|number| number.is_finite())?;
        self.at += length;
        Some(number)
    }

    /// Whether only comments are left. The comments are stored.
    pub(super) fn is_done(&mut self) -> bool {
        loop {
            self.skip_space();
            if self.at == self.end {
                return true;
            }
            let closed = starts_comment(self.text, self.at)
                .then(|| comment_end(self.text, self.at).filter(|end| *end <= self.end));
            match closed.flatten() {
                Some(end) => {
                    self.comments.push(self.text[self.at..end].to_owned());
                    self.at = end;
                }
                None => return false,
            }
        }
    }

    /// The rest of the line.
    pub(super) fn rest(&mut self) -> Range<usize> {
        self.skip_space();
        self.at..self.end
    }
}

/// The content of a quoted name, with its escapes replaced.
fn unquoted(inside: &str) -> Option<String> {
    let mut text = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(c) = characters.next() {
        text.push(match c {
            '\\' => match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                same @ ('"' | '\\') => same,
                _ => return None,
            },
            // A quote ends the string.
            '"' => return None,
            other => other,
        });
    }
    Some(text)
}

/// A name in the syntax of the text form: in quotes unless it is a word.
pub(crate) fn written(name: &str) -> String {
    if !name.is_empty() && word_at(name, 0).len() == name.len() {
        return name.to_owned();
    }
    quoted(name)
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' => quoted.extend(['\\', c]),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_as_they_were() {
        for name in ["a", "A'b_1", "", "two words", "\"q\" \\ \n\t", "1st", "ü", "a-b"] {
            let text = format!("{} rest", written(name));
            let mut words = Words::new(&text, 0..text.len());
            assert_eq!(words.name("a name").unwrap().text, name);
            assert_eq!(words.word(), "rest");
        }
    }

    #[test]
    fn marks_numbers_and_comments_are_told_apart() {
        let text = "x : Y @ -1.5 20 (* why *)";
        let mut words = Words::new(text, 0..text.len());
        assert_eq!(words.name("").unwrap().text, "x");
        assert!(words.eat(':') && !words.eat('='));
        assert_eq!(words.word(), "Y");
        assert!(words.eat('@'));
        assert_eq!(
            [words.number(), words.number(), words.number()],
            [Some(-1.5), Some(20.0), None]
        );
        assert!(words.is_done());
        assert_eq!(words.comments, ["(* why *)"]);
    }

    #[test]
    fn broken_names_are_no_names() {
        for text in ["\"a", "\"a\\x\"", "", "=", "\"\\"] {
            assert!(Words::new(text, 0..text.len()).name("a name").is_err(), "{text}");
        }
    }
}
