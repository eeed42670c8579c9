//! Values as text, in the syntax of ML or of colour sets.

use crate::types::Label;

use super::code::Code;
use super::heap::Heap;
use super::layout::{Layout, LayoutId, Word, content_offset, tag_of};
use super::value::{content_word, show_exn};
use super::{Machine, real};

/// The most bytes of a text. A longer text is cut and ends with points.
const MOST: usize = 1 << 20;

/// Overrides the text of values of some layouts.
pub type Wording<'w> = &'w dyn Fn(&Machine, LayoutId, Word) -> Option<String>;

/// A part of the output that is still to be written.
enum Piece {
    Text(&'static str),
    Name(String),
    /// A value. The argument of a constructor is written in parentheses unless it is a single word.
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
    /// A value in the syntax of ML: `[(1,SOME "a"),(~2,NONE)]`. `wording` may override the text of some
    /// values.
    pub fn present(&self, layout: LayoutId, word: Word, wording: Wording<'_>) -> String {
        let wording = |layout, word| wording(self, layout, word);
        let writer = Writer { code: &self.code, heap: &self.heap, is_ml: true, work: Vec::new() };
        writer.text(layout, word, &wording)
    }
}

/// A value in the syntax of colour sets: negative `int`s in parentheses, strings quoted but not escaped.
pub(crate) fn show(code: &Code, heap: &Heap, layout: LayoutId, word: Word) -> String {
    let writer = Writer { code, heap, is_ml: false, work: Vec::new() };
    writer.text(layout, word, &|_, _| None)
}

/// Writes a value without recursion, so that deep values do not overflow the stack.
struct Writer<'m> {
    code: &'m Code,
    heap: &'m Heap,
    /// Uses the syntax of ML, else that of colour sets.
    is_ml: bool,
    /// A stack: the next piece is the last.
    work: Vec<Piece>,
}

impl Writer<'_> {
    fn text(
        mut self,
        layout: LayoutId,
        word: Word,
        wording: &dyn Fn(LayoutId, Word) -> Option<String>,
    ) -> String {
        let mut out = String::new();
        self.work.push(Piece::Value(layout, word, Position::Alone));
        while let Some(piece) = self.work.pop() {
            if out.len() > MOST {
                out.push_str(if self.is_ml { "..." } else { "…" });
                break;
            }
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Name(name) => out.push_str(&name),
                Piece::Tail(_, 0) => out.push(']'),
                Piece::Tail(element, cell) => {
                    self.work.push(Piece::Tail(element, self.heap.get(cell, 1)));
                    self.alone(element, self.heap.get(cell, 0));
                    self.work.push(Piece::Text(","));
                }
                Piece::Value(layout, word, position) => match wording(layout, word) {
                    Some(words) => out.push_str(&words),
                    None => self.value(layout, word, position),
                },
            }
        }
        out
    }

    fn alone(&mut self, layout: LayoutId, word: Word) {
        self.work.push(Piece::Value(layout, word, Position::Alone));
    }

    fn value(&mut self, id: LayoutId, word: Word, position: Position) {
        let is_ml = self.is_ml;
        let character = |byte| if is_ml { escaped(byte) } else { char::from(byte).to_string() };
        let text = match self.code.layout(id) {
            Layout::Int => match real::with_tilde(&(word as i64).to_string()) {
                negative if !is_ml && (word as i64) < 0 => format!("({negative})"),
                number => number,
            },
            Layout::Word if is_ml => format!("0wx{word:X}"),
            Layout::Word => word.to_string(),
            Layout::Char => format!("#\"{}\"", character(word as u8)),
            Layout::Real => real::general(f64::from_bits(word)),
            Layout::IntInf => real::with_tilde(&self.heap.big(word).to_string()),
            Layout::String => {
                let text: String = self.heap.bytes(word).into_iter().map(character).collect();
                format!("\"{text}\"")
            }
            Layout::Enum(names) => names.get(word as usize).map_or("?", |name| name).to_owned(),
            Layout::Function => "fn".to_owned(),
            Layout::Exn if is_ml => show_exn(self.code, self.heap, word).1,
            Layout::Exn => "exn".to_owned(),
            Layout::Stream => if is_ml { "-" } else { "stream" }.to_owned(),
            Layout::Array(_) => "array".to_owned(),
            Layout::Vector(element) => {
                let parts = (1..=self.heap.get(word, 0) as usize).map(|at| (None, *element, at));
                return self.parts(["#[", "]"], word, parts);
            }
            Layout::List(_) if word == 0 => "[]".to_owned(),
            Layout::List(element) => {
                self.work.push(Piece::Tail(*element, self.heap.get(word, 1)));
                self.alone(*element, self.heap.get(word, 0));
                "[".to_owned()
            }
            Layout::Record(fields) => {
                let is_named = fields.iter().any(|(label, _)| matches!(label, Label::Name(_)));
                let around = if is_named { ["{", "}"] } else { ["(", ")"] };
                let parts = fields.iter().enumerate();
                let parts = parts.map(|(at, (label, field))| (Some(label), *field, at));
                return self.parts(around, word, parts);
            }
            Layout::Wrapped(name, content) => {
                return self.applied(name, (*content, word), position);
            }
            Layout::Ref(content) if is_ml => {
                let content = (*content, self.heap.get(word, 0));
                return self.applied("ref", content, position);
            }
            Layout::Ref(_) => "ref".to_owned(),
            Layout::Data(constructors) => {
                let con = &constructors[tag_of(constructors, &self.heap.words, word)];
                match con.content {
                    None => con.name.to_string(),
                    Some(content) => {
                        let offset = content_offset(constructors);
                        let content = content_word(self.heap, content, word, offset);
                        return self.applied(&con.name, content, position);
                    }
                }
            }
        };
        self.work.push(Piece::Name(text));
    }

    /// The words of a block, each with its label, layout and position.
    fn parts<'l>(
        &mut self,
        [open, close]: [&'static str; 2],
        word: Word,
        parts: impl DoubleEndedIterator<Item = (Option<&'l Label>, LayoutId, usize)>,
    ) {
        self.work.push(Piece::Text(close));
        let from = self.work.len();
        for (label, layout, at) in parts.rev() {
            if self.work.len() > from {
                self.work.push(Piece::Text(","));
            }
            self.alone(layout, self.heap.get(word, at));
            if let Some(Label::Name(name)) = label {
                self.work.push(Piece::Name(format!("{name}=")));
            }
        }
        self.work.push(Piece::Text(open));
    }

    /// `C 4`, `C (1,2)`, and of tokens with time stamps `@ (4,7)`; of colour sets `C(4)`, `C(1,2)`, `(4,7)`.
    fn applied(&mut self, name: &str, (content, word): (LayoutId, Word), position: Position) {
        let is_inner = position == Position::Argument;
        let is_bare = matches!(self.code.layout(content), Layout::Record(_));
        let [before, after] = match self.is_ml {
            true => [if is_inner { "(" } else { "" }, if is_inner { ")" } else { "" }],
            false if name == "@" || is_bare => ["", ""],
            false => ["(", ")"],
        };
        self.work.push(Piece::Text(after));
        self.work.push(Piece::Value(content, word, Position::Argument));
        match self.is_ml {
            true => self.work.extend([Piece::Name(format!("{name} ")), Piece::Text(before)]),
            false => {
                self.work.push(Piece::Text(before));
                if name != "@" {
                    self.work.push(Piece::Name(name.to_owned()));
                }
            }
        }
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
