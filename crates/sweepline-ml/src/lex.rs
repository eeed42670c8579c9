//! The lexer: tokens by the lexical rules of Standard ML.

use num_bigint::BigInt;

use crate::core::Literal;
use crate::problem::Problem;
use crate::source::{SourceId, Span};
use crate::token::{Reserved, Token, TokenKind};

/// The most digits of a number: reading them takes quadratic time.
const MAX_DIGITS: usize = 4_000;

/// The tokens of a text, with [`TokenKind::End`] at the end, and its mistakes.
pub(crate) fn lex(source: SourceId, text: &str) -> (Vec<Token>, Vec<(Problem, Span)>) {
    let mut lexer =
        Lexer { text, bytes: text.as_bytes(), source, at: 0, tokens: Vec::new(), errors: vec![] };
    while lexer.word() {}
    (lexer.tokens, lexer.errors)
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    source: SourceId,
    at: usize,
    tokens: Vec<Token>,
    errors: Vec<(Problem, Span)>,
}

fn is_symbolic(byte: u8) -> bool {
    b"!%&$#+-/:<=>?@\\~^|*".contains(&byte)
}

fn is_name_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\''
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn span(&self, start: usize) -> Span {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { source: self.source, start: clamp(start), end: clamp(self.at) }
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        let span = self.span(start);
        self.tokens.push(Token { kind, span });
    }

    fn error(&mut self, start: usize, problem: Problem) {
        let span = self.span(start);
        self.errors.push((problem, span));
    }

    /// Reads one token. False at the end of the text.
    fn word(&mut self) -> bool {
        let start = self.at;
        let Some(&byte) = self.bytes.get(self.at) else {
            self.push(start, TokenKind::End);
            return false;
        };
        let (words, errors) = (self.tokens.len(), self.errors.len());
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0C => self.at += 1,
            b'(' if self.peek(1) == b'*' => self.comment(),
            b'"' => {
                let string = self.string();
                self.push(start, TokenKind::Constant(Literal::String(string)));
            }
            b'#' if self.peek(1) == b'"' => self.character(),
            b'0'..=b'9' => self.number(),
            b'~' if self.peek(1).is_ascii_digit() => self.number(),
            b'\'' => {
                self.skip(is_name_part);
                self.push(start, TokenKind::TypeVariable(self.text[start..self.at].into()));
            }
            b'A'..=b'Z' | b'a'..=b'z' => self.name(),
            // A backquote is always an operator of its own, so that 1`~1 needs no space.
            b'`' => self.single(TokenKind::Name("`".into())),
            b'_' if self.text[start..].starts_with("_prim") => {
                self.at += "_prim".len();
                self.push(start, TokenKind::Reserved(Reserved::Primitive));
            }
            _ if is_symbolic(byte) => self.name(),
            _ => self.punctuation(),
        }
        if self.errors.len() > errors {
            self.tokens.truncate(words);
            self.push(start, TokenKind::Wrong);
        }
        true
    }

    fn skip(&mut self, part: impl Fn(u8) -> bool) {
        while self.at < self.bytes.len() && part(self.bytes[self.at]) {
            self.at += 1;
        }
    }

    fn single(&mut self, kind: TokenKind) {
        self.at += 1;
        self.push(self.at - 1, kind);
    }

    fn punctuation(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let marks = ["...", "..", "(", ")", "[", "]", "{", "}", ",", ";", "_"];
        if let Some(mark) = marks.into_iter().find(|mark| rest.starts_with(mark)) {
            self.at += mark.len();
            let reserved = Reserved::named(mark).expect("every mark is reserved");
            return self.push(start, TokenKind::Reserved(reserved));
        }
        let found = rest.chars().next().unwrap_or(' ');
        self.at += found.len_utf8();
        // Other Unicode white space, such as a no-break space, is skipped silently.
        if !found.is_whitespace() {
            self.error(start, Problem::UnexpectedCharacter { found });
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'(', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b')') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        let end = self.at;
        self.at = start + 2;
        self.error(start, Problem::OpenComment);
        self.at = end;
    }

    /// A name, reserved word, or names joined by dots.
    fn name(&mut self) {
        let start = self.at;
        let mut parts: Vec<Box<str>> = Vec::new();
        loop {
            let from = self.at;
            let alphanumeric = self.peek(0).is_ascii_alphabetic();
            if alphanumeric {
                self.skip(is_name_part);
            } else {
                self.skip(is_symbolic);
            }
            parts.push(self.text[from..self.at].into());
            match self.behind_dot() {
                Some(next) if alphanumeric && Reserved::named(&parts[0]).is_none() => {
                    self.at = next;
                }
                _ => break,
            }
        }
        let kind = if parts.len() > 1 {
            TokenKind::LongName(parts)
        } else if let Some(reserved) = Reserved::named(&parts[0]) {
            TokenKind::Reserved(reserved)
        } else {
            TokenKind::Name(parts.remove(0))
        };
        self.push(start, kind);
    }

    /// The position of the next part of a long name, if a dot follows. There may be white space around the
    /// dot.
    fn behind_dot(&self) -> Option<usize> {
        let dot = self.behind_space(self.at);
        if self.bytes.get(dot) != Some(&b'.') {
            return None;
        }
        let next = self.behind_space(dot + 1);
        let begins_name = |byte: &&u8| byte.is_ascii_alphabetic() || is_symbolic(**byte);
        self.bytes.get(next).filter(begins_name).map(|_| next)
    }

    fn behind_space(&self, at: usize) -> usize {
        let blank = self.bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace());
        at + blank.count()
    }

    fn number(&mut self) {
        let start = self.at;
        let negative = self.peek(0) == b'~';
        if negative {
            self.at += 1;
        }
        let word = self.peek(0) == b'0' && self.peek(1) == b'w' && !negative;
        if word {
            self.at += 2;
        } else if self.peek(0) == b'0' && self.peek(1) == b'x' {
            self.at += 1;
        }
        let hex = self.peek(0) == b'x' && self.peek(1).is_ascii_hexdigit();
        if hex {
            self.at += 1;
        } else if word && !self.peek(0).is_ascii_digit() {
            self.at -= 1; // `0w` alone: the number 0, then a name
            return self.push(start, TokenKind::Constant(Literal::IntInf(BigInt::ZERO)));
        } else if self.peek(0) == b'x' {
            return self.push(start, TokenKind::Constant(Literal::IntInf(BigInt::ZERO)));
        }
        let digits = self.at;
        self.skip(|byte| if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() });
        if !hex && !word && self.fraction() {
            let text = self.text[start..self.at].replace('~', "-");
            let number = Literal::Real(text.parse().unwrap_or(f64::INFINITY));
            return self.push(start, TokenKind::Constant(number));
        }
        let length = self.at - digits;
        let value = if length > MAX_DIGITS {
            self.error(start, Problem::NumberTooLong { digits: length, max: MAX_DIGITS });
            BigInt::ZERO
        } else {
            let base = if hex { 16 } else { 10 };
            BigInt::parse_bytes(&self.bytes[digits..self.at], base).unwrap_or_default()
        };
        let number = match word {
            true => Literal::Word(value.iter_u64_digits().next().unwrap_or(0)),
            false => Literal::IntInf(if negative { -value } else { value }),
        };
        self.push(start, TokenKind::Constant(number));
    }

    /// Reads `.digits` and `E~digits` of a real number, if they are there.
    fn fraction(&mut self) -> bool {
        let mut real = false;
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.skip(|byte| byte.is_ascii_digit());
            real = true;
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(self.peek(1) == b'~');
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.skip(|byte| byte.is_ascii_digit());
                real = true;
            }
        }
        real
    }

    fn character(&mut self) {
        let start = self.at;
        self.at += 1;
        let string = self.string();
        if string.len() != 1 {
            self.error(start, Problem::BadCharacter { length: string.len() });
        }
        let character = Literal::Char(string.first().copied().unwrap_or(0));
        self.push(start, TokenKind::Constant(character));
    }

    /// The content of a string. The lexer is at the opening quote.
    fn string(&mut self) -> Box<[u8]> {
        let start = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.text[self.at..].chars().next() {
                Some('"') => {
                    self.at += 1;
                    break;
                }
                Some('\\') => self.escape(&mut bytes),
                None | Some('\n') => {
                    self.error(start, Problem::OpenString);
                    break;
                }
                Some(other) => {
                    self.at += other.len_utf8();
                    push_character(&mut bytes, other);
                }
            }
        }
        bytes.into()
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) {
        let start = self.at;
        let next = self.peek(1);
        self.at += 2;
        let simple = match next {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'v' => 11,
            b'f' => 12,
            b'\\' | b'"' => next,
            b'^' if (64..96).contains(&self.peek(0)) => {
                self.at += 1;
                self.bytes[self.at - 1] - 64
            }
            b'0'..=b'9' | b'u' => return self.numeric_escape(start, bytes),
            _ if next.is_ascii_whitespace() => return self.gap(start),
            _ => return self.bad_escape(start),
        };
        bytes.push(simple);
    }

    fn numeric_escape(&mut self, start: usize, bytes: &mut Vec<u8>) {
        let hex = self.bytes[start + 1] == b'u';
        let (from, length, base) = if hex { (start + 2, 4, 16) } else { (start + 1, 3, 10) };
        let digits = self.bytes.get(from..from + length).and_then(|d| std::str::from_utf8(d).ok());
        let code = digits.and_then(|digits| u32::from_str_radix(digits, base).ok());
        match code.and_then(char::from_u32) {
            Some(character) if hex || u32::from(character) < 256 => {
                self.at = from + length;
                push_character(bytes, character);
            }
            _ => self.bad_escape(start),
        }
    }

    /// Skips white space between two backslashes in a string.
    fn gap(&mut self, start: usize) {
        self.skip(|byte| byte.is_ascii_whitespace());
        if self.peek(0) == b'\\' {
            self.at += 1;
        } else {
            self.bad_escape(start);
        }
    }

    fn bad_escape(&mut self, start: usize) {
        // One backslash and one character, which may have several bytes.
        let escape: String = self.text[start..].chars().take(2).collect();
        self.at = start + escape.len();
        self.error(start, Problem::BadEscape { escape });
    }
}

/// A character of ISO 8859-1 becomes one byte, as in CPN Tools; others keep their UTF-8 bytes.
fn push_character(bytes: &mut Vec<u8>, character: char) {
    match u8::try_from(u32::from(character)) {
        Ok(byte) => bytes.push(byte),
        Err(_) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}
