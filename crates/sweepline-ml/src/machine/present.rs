//! Values as ML writes them.

use crate::types::Label;

use super::Machine;
use super::heap::Number;
use super::layout::{Layout, LayoutId, Word, content_offset, tag_of};
use super::real;
use super::value::content_word;

/// The most bytes of a text; then three points follow.
const MOST: usize = 1 << 20;

/// Writes values of some layouts in words of its own.
pub type Wording<'w> = &'w dyn Fn(&Machine, LayoutId, Word) -> Option<String>;

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Name(String),
    /// A value; the argument of a constructor is in parentheses unless it is one word.
    Value(LayoutId, Word, Position),
    /// The rest of a list, from a cell on.
    Tail(LayoutId, Word),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Alone,
    Argument,
}

impl Machine {
    /// A value as ML writes it: `[(1,SOME "a"),(~2,NONE)]`. What `wording` has words for is written
    /// in those.
    pub fn present(&self, layout: LayoutId, word: Word, wording: Wording<'_>) -> String {
        let mut out = String::new();
        let mut work = vec![Piece::Value(layout, word, Position::Alone)];
        while let Some(piece) = work.pop() {
            if out.len() > MOST {
                out.push_str("...");
                break;
            }
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Name(name) => out.push_str(&name),
                Piece::Tail(_, 0) => out.push(']'),
                Piece::Tail(element, cell) => {
                    work.push(Piece::Tail(element, self.heap.get(cell, 1)));
                    work.push(Piece::Value(element, self.heap.get(cell, 0), Position::Alone));
                    work.push(Piece::Text(","));
                }
                Piece::Value(layout, word, position) => match wording(self, layout, word) {
                    Some(words) => out.push_str(&words),
                    None => self.present_value(layout, word, position, &mut work),
                },
            }
        }
        out
    }

    fn present_value(&self, id: LayoutId, word: Word, position: Position, work: &mut Vec<Piece>) {
        let plain = |text: String| Piece::Name(text);
        let piece = match self.code.layout(id) {
            Layout::Int => plain(real::with_tilde(&(word as i64).to_string())),
            Layout::Word => plain(format!("0wx{word:X}")),
            Layout::Char => plain(format!("#\"{}\"", escaped(word as u8))),
            Layout::Real => plain(real::general(f64::from_bits(word))),
            Layout::IntInf => plain(real::with_tilde(&match self.heap.number(word) {
                Number::Small(value) => value.to_string(),
                Number::Large(value) => value.to_string(),
            })),
            Layout::String => {
                let text: String = self.heap.bytes(word).into_iter().map(escaped).collect();
                plain(format!("\"{text}\""))
            }
            Layout::Enum(names) => plain(names[word as usize].to_string()),
            Layout::Function => Piece::Text("fn"),
            Layout::Exn => plain(self.show_exn(word).1),
            Layout::Stream => Piece::Text("-"),
            Layout::Array(_) => Piece::Text("array"),
            Layout::Vector(element) => {
                work.push(Piece::Text("]"));
                for at in (1..=self.heap.get(word, 0) as usize).rev() {
                    work.push(Piece::Value(*element, self.heap.get(word, at), Position::Alone));
                    if at > 1 {
                        work.push(Piece::Text(","));
                    }
                }
                Piece::Text("#[")
            }
            Layout::List(_) if word == 0 => Piece::Text("[]"),
            Layout::List(element) => {
                work.push(Piece::Tail(*element, self.heap.get(word, 1)));
                work.push(Piece::Value(*element, self.heap.get(word, 0), Position::Alone));
                Piece::Text("[")
            }
            Layout::Record(fields) => return self.present_record(fields, word, work),
            Layout::Wrapped(name, content) => {
                return present_applied(name, (*content, word), position, work);
            }
            Layout::Ref(content) => {
                let content = (*content, self.heap.get(word, 0));
                return present_applied("ref", content, position, work);
            }
            Layout::Data(constructors) => {
                let con = &constructors[tag_of(constructors, &self.heap.words, word)];
                match con.content {
                    None => plain(con.name.to_string()),
                    Some(content) => {
                        let offset = content_offset(constructors);
                        let content = content_word(&self.heap, content, word, offset);
                        return present_applied(&con.name, content, position, work);
                    }
                }
            }
        };
        work.push(piece);
    }

    fn present_record(&self, fields: &[(Label, LayoutId)], word: Word, work: &mut Vec<Piece>) {
        let named = fields.iter().any(|(label, _)| matches!(label, Label::Name(_)));
        let (open, close) = if named { ("{", "}") } else { ("(", ")") };
        work.push(Piece::Text(close));
        for (at, (label, field)) in fields.iter().enumerate().rev() {
            work.push(Piece::Value(*field, self.heap.get(word, at), Position::Alone));
            if let Label::Name(name) = label {
                work.push(Piece::Name(format!("{name}=")));
            }
            if at > 0 {
                work.push(Piece::Text(","));
            }
        }
        work.push(Piece::Text(open));
    }
}

/// `C 4`, `C (1,2)`, and of tokens with time stamps `@ (4,7)`.
fn present_applied(
    name: &str,
    (content, word): (LayoutId, Word),
    position: Position,
    work: &mut Vec<Piece>,
) {
    if position == Position::Argument {
        work.push(Piece::Text(")"));
    }
    work.push(Piece::Value(content, word, Position::Argument));
    work.push(Piece::Name(format!("{name} ")));
    if position == Position::Argument {
        work.push(Piece::Text("("));
    }
}

/// A character of ISO 8859-1 as in a string of Standard ML.
fn escaped(byte: u8) -> String {
    match byte {
        b'"' => "\\\"".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03}"),
    }
}
