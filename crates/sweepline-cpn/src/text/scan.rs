//! A partial lexer of CPN ML that finds the ends of declarations and comments.

use sweepline_query::scan::{comment_end, starts_comment, string_end};

/// Words at the left margin that start a part of the text form. Everything else at the margin is CPN ML.
pub(super) const STRUCTURE: [&str; 6] = ["page", "top", "time", "progress", "property", "ml"];

/// Words that start a declaration at the left margin even if something before them is not closed, because they
/// cannot occur in an expression.
const COLOURED: [&str; 3] = ["colset", "var", "globref"];

/// Words that start a declaration.
const DECLARING: &str = "use val fun datatype abstype type eqtype exception local open structure \
                         signature functor infix infixr nonfix";

/// Words that `end` closes.
const OPENING: [&str; 5] = ["let", "local", "struct", "sig", "abstype"];

fn is_name_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\''
}

/// The letters, digits, `_` and `'` from an offset on.
pub(super) fn word_at(text: &str, at: usize) -> &str {
    let bytes = text.as_bytes();
    let length = bytes[at..].iter().take_while(|byte| is_name_part(**byte)).count();
    match bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
        true => &text[at..at + length],
        false => "",
    }
}

/// Whether a declaration can start with this word.
pub(super) fn starts_declaration(word: &str) -> bool {
    COLOURED.contains(&word) || is_declaring(word)
}

fn is_declaring(word: &str) -> bool {
    DECLARING.split(' ').any(|known| known == word)
}

/// Whether a part of the text form starts at an offset at the left margin.
pub(super) fn starts_structure(text: &str, at: usize) -> bool {
    let word = word_at(text, at);
    let next = text.as_bytes().get(at + word.len());
    STRUCTURE.contains(&word) && next.is_none_or(u8::is_ascii_whitespace)
}

/// Whether there is a blank line before an offset.
pub(super) fn is_apart(text: &str, at: usize) -> bool {
    let space = text[..at].bytes().rev().take_while(u8::is_ascii_whitespace);
    space.filter(|byte| *byte == b'\n').take(2).count() == 2
}

/// The extent of a declaration in a text.
pub(super) struct Extent {
    /// Its end.
    pub(super) end: usize,
    /// The start of a comment in it that is not closed.
    pub(super) open_comment: Option<usize>,
    /// Whether its brackets are balanced.
    pub(super) is_balanced: bool,
}

/// The declaration that starts at an offset. It ends after a `;` outside all brackets, or before the next
/// declaration or part at the left margin.
pub(super) fn declaration(text: &str, start: usize) -> Extent {
    let bytes = text.as_bytes();
    let mut scan = Scan { text, depth: 0, is_balanced: true, rest: None };
    let mut at = start;
    while at < bytes.len() {
        let is_margin = at > start && bytes[at - 1] == b'\n';
        if is_margin && scan.ends_before(at) {
            return scan.extent(at);
        }
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'(' if starts_comment(text, at) => {
                if is_margin && scan.depth == 0 {
                    scan.rest.get_or_insert(at);
                }
                match comment_end(text, at) {
                    Some(end) => at = end,
                    None => {
                        let open_comment = Some(at);
                        return Extent { end: bytes.len(), open_comment, is_balanced: false };
                    }
                }
                continue;
            }
            b';' if scan.depth == 0 => {
                scan.rest = None;
                return scan.extent(line_comments(text, at + 1));
            }
            _ => at = scan.word(at),
        }
        scan.rest = None;
    }
    scan.is_balanced &= scan.depth == 0;
    scan.extent(bytes.len())
}

struct Scan<'t> {
    text: &'t str,
    depth: usize,
    is_balanced: bool,
    /// The start of comments that may belong to the next part.
    rest: Option<usize>,
}

impl Scan<'_> {
    fn extent(&self, end: usize) -> Extent {
        let end = self.rest.unwrap_or(end);
        Extent { end, open_comment: None, is_balanced: self.is_balanced }
    }

    /// Whether the text at the left margin is not part of the declaration.
    fn ends_before(&mut self, at: usize) -> bool {
        let word = word_at(self.text, at);
        let starts = starts_structure(self.text, at)
            || COLOURED.contains(&word)
            || (self.depth == 0 && is_declaring(word));
        self.is_balanced &= !starts || self.depth == 0;
        starts
    }

    /// Skips a word, a string or a symbol.
    fn word(&mut self, at: usize) -> usize {
        let byte = self.text.as_bytes()[at];
        match byte {
            b'"' => return string_end(self.text, at),
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.close(),
            _ if byte.is_ascii_alphabetic() => {
                let word = word_at(self.text, at);
                if OPENING.contains(&word) {
                    self.depth += 1;
                } else if word == "end" {
                    self.close();
                }
                return at + word.len();
            }
            // A type variable, or the rest of a name.
            _ if is_name_part(byte) => {
                let rest = &self.text.as_bytes()[at..];
                return at + rest.iter().take_while(|byte| is_name_part(**byte)).count();
            }
            _ => {}
        }
        at + 1
    }

    fn close(&mut self) {
        self.is_balanced &= self.depth > 0;
        self.depth = self.depth.saturating_sub(1);
    }
}

/// The end of the comments after a `;` on the same line, if nothing else follows.
fn line_comments(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut end) = (from, from);
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => return end,
            byte if byte.is_ascii_whitespace() => at += 1,
            b'(' if starts_comment(text, at) => match comment_end(text, at) {
                Some(closed) if !text[at..closed].contains('\n') => {
                    at = closed;
                    end = closed;
                }
                _ => return from,
            },
            _ => return from,
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let end = declaration(text, at).end;
            parts.push(text[at..end].trim());
            at = end.max(at + 1);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    #[test]
    fn declarations_end_where_the_next_one_starts() {
        assert_eq!(cut("val a = 1; val b = 2"), ["val a = 1;", "val b = 2"]);
        assert_eq!(
            cut("val a = (1; 2)\nval b = \"; \\\" (*\""),
            ["val a = (1; 2)", "val b = \"; \\\" (*\""]
        );
        let nested = "local\nval a = 1;\nin\nfun f x = let\nval y = a\nin y end\nend";
        assert_eq!(cut(nested), [nested]);
        let clauses = "fun f 0 = 1\n(* others *)\n| f n = 2;";
        assert_eq!(cut(clauses), [clauses]);
    }

    #[test]
    fn comments_stay_with_their_line_or_wait_for_the_next_declaration() {
        let text = "val a = 1; (* one *)\nval b = 2 (* two *)\n(* c *)\nval c = 3";
        let parts = ["val a = 1; (* one *)", "val b = 2 (* two *)", "(* c *)", "val c = 3"];
        assert_eq!(cut(text), parts);
    }

    #[test]
    fn what_is_not_closed_does_not_swallow_what_follows() {
        assert_eq!(cut("val a = (1\ncolset A = int;"), ["val a = (1", "colset A = int;"]);
        assert_eq!(cut("fun f x = let\npage A\n"), ["fun f x = let", "page A"]);
        assert_eq!(declaration("val a = 1 (* x", 0).open_comment, Some(10));
        assert!(!declaration("val a = (1", 0).is_balanced);
        assert!(!declaration("val a = 1)", 0).is_balanced);
        assert!(declaration("val a = {x = [1]}", 0).is_balanced);
    }
}
