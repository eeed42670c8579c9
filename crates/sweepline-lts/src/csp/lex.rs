//! The lexer of CSPm.

use sweepline_source::{SourceId, Span};

use crate::problem::Problem;

/// The kind of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tok {
    /// A name or a keyword.
    Ident(String),
    Int(i64),
    Str(String),
    /// Brackets, operators, separators.
    Sym(&'static str),
    /// `:[deadlock free [F]]`: the text between the outer brackets.
    Property(String),
    /// `[T=`: the letters.
    Refines(String),
    End,
}

/// A token with its position.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Span,
    /// Whether it is the first of its line: a declaration may start here.
    pub(super) starts_line: bool,
}

impl Token {
    pub(super) fn is(&self, sym: &str) -> bool {
        matches!(&self.tok, Tok::Sym(own) if *own == sym)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.tok, Tok::Ident(own) if own == word)
    }

    /// The token in a message.
    pub(super) fn describe(&self) -> String {
        match &self.tok {
            Tok::Ident(name) => format!("`{name}`"),
            Tok::Int(n) => format!("`{n}`"),
            Tok::Str(_) => "a string".to_owned(),
            Tok::Sym(sym) => format!("`{sym}`"),
            Tok::Property(_) => "`:[`".to_owned(),
            Tok::Refines(model) => format!("`[{model}=`"),
            Tok::End => "the end of the file".to_owned(),
        }
    }
}

/// Longer ones first, because the first match is taken.
const SYMBOLS: [&str; 59] = [
    "<->", "|||", "|~|", "=>*", "[[", "]]", "[|", "|]", "{|", "|}", "[>", "|>", "||", "[]", "[+",
    "+]", "/\\", "/+", "+\\", "|\\", "->", "<-", "<=", ">=", "==", "!=", "=>", "..", "@@", "::",
    "|)", "(", ")", "{", "}", "[", "]", "<", ">", "|", ",", ".", "?", "!", "$", ":", "=", "\\",
    "@", "+", "-", "*", "/", "%", "^", "#", "_", ";", "&",
];

/// The tokens of a text, the last of which is [`Tok::End`]; and the errors.
pub(super) fn lex(source: SourceId, text: &str) -> (Vec<Token>, Vec<(Span, Problem)>) {
    let mut lexer = Lexer { source, text, at: 0, tokens: Vec::new(), errors: Vec::new() };
    while lexer.token() {}
    (lexer.tokens, lexer.errors)
}

struct Lexer<'a> {
    source: SourceId,
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    errors: Vec<(Span, Problem)>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span { source: self.source, start: start as u32, end: self.at as u32 }
    }

    /// Takes characters while they satisfy `fits`.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &str {
        let start = self.at;
        let len = self.rest().find(|c| !fits(c)).unwrap_or(self.rest().len());
        self.at += len;
        &self.text[start..self.at]
    }

    /// Skips blanks and comments. Returns whether there was a line break.
    fn skip_blanks(&mut self) -> bool {
        let from = self.at;
        loop {
            self.take_while(char::is_whitespace);
            if self.rest().starts_with("--") {
                self.take_while(|c| c != '\n');
            } else if self.rest().starts_with("{-") {
                self.skip_block_comment();
            } else {
                break;
            }
        }
        from == 0 || self.text[from..self.at].contains('\n')
    }

    /// `{- ... -}`, which nest.
    fn skip_block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            let rest = self.rest();
            let next = match (rest.find("{-"), rest.find("-}")) {
                (Some(open), Some(close)) if open < close => (open, true),
                (_, Some(close)) => (close, false),
                _ => {
                    self.at = start + 2;
                    self.errors.push((self.span(start), Problem::OpenComment));
                    self.at = self.text.len();
                    return;
                }
            };
            self.at += next.0 + 2;
            depth = if next.1 { depth + 1 } else { depth.saturating_sub(1) };
            if depth == 0 {
                return;
            }
        }
    }

    /// The next token. Returns whether there may be more.
    fn token(&mut self) -> bool {
        let starts_line = self.skip_blanks();
        let start = self.at;
        let tok = match self.rest().chars().next() {
            None => Tok::End,
            Some(c) if c.is_ascii_alphabetic() => self.word(starts_line),
            Some('_') if self.rest()[1..].starts_with(|c: char| c.is_ascii_alphanumeric()) => {
                self.word(starts_line)
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some('"') => self.string(),
            Some(_) => self.symbol(),
        };
        let more = tok != Tok::End;
        // Comments and `print` lines give no token.
        if tok != Tok::Sym("") {
            self.tokens.push(Token { tok, span: self.span(start), starts_line });
        }
        more
    }

    fn word(&mut self, starts_line: bool) -> Tok {
        let start = self.at;
        self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        self.take_while(|c| c == '\'');
        // `M::name`: a name of a module.
        let inner = self.rest().strip_prefix("::").unwrap_or("");
        if inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.at += "::".len();
            self.take_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'');
        }
        let word = self.text[start..self.at].to_owned();
        if word == "print" && starts_line {
            self.take_while(|c| c != '\n');
            return Tok::Sym("");
        }
        Tok::Ident(word)
    }

    fn number(&mut self) -> Tok {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit()).parse();
        Tok::Int(digits.unwrap_or_else(|_| {
            self.errors.push((self.span(start), Problem::NumberTooLarge));
            0
        }))
    }

    fn string(&mut self) -> Tok {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.text[start + 1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + 1 + at + 1;
                    return Tok::Str(text);
                }
                '\n' => break,
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                _ => text.push(c),
            }
        }
        self.take_while(|c| c != '\n');
        self.errors.push((self.span(start), Problem::OpenString));
        Tok::Str(text)
    }

    fn symbol(&mut self) -> Tok {
        let start = self.at;
        if let Some(property) = self.property() {
            return Tok::Property(property);
        }
        if let Some(model) = self.refines() {
            return Tok::Refines(model);
        }
        // `<x>==<y>` is a comparison; a map is written with a blank after its bracket.
        let rest = self.rest();
        let sym = match rest {
            _ if rest.starts_with(">==") => ">",
            _ if rest.starts_with("(| ") => "(|",
            _ => SYMBOLS.into_iter().find(|sym| rest.starts_with(sym)).unwrap_or(""),
        };
        if sym.is_empty() {
            let found = rest.chars().next().unwrap_or(' ');
            self.at += found.len_utf8();
            self.errors.push((self.span(start), Problem::StrangeCharacter { found }));
        }
        self.at += sym.len();
        Tok::Sym(sym)
    }

    /// `:[...]`, possibly followed by a colon.
    fn property(&mut self) -> Option<String> {
        let rest = self.rest().strip_prefix(":[")?;
        let mut depth = 1usize;
        for (at, c) in rest.char_indices() {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                '\n' => return None,
                _ => {}
            }
            if depth == 0 {
                let text = rest[..at].trim().to_owned();
                self.at += 2 + at + 1;
                if self.rest().starts_with(':') {
                    self.at += 1;
                }
                return Some(text);
            }
        }
        None
    }

    /// `[T=` and similar operators.
    fn refines(&mut self) -> Option<String> {
        let rest = self.rest().strip_prefix('[')?;
        let len = rest.find(|c: char| !c.is_ascii_uppercase())?;
        let models = ["T", "F", "FD", "V", "VD", "R", "RD"];
        let model = rest[..len].to_owned();
        let fits = models.contains(&model.as_str())
            && rest[len..].starts_with('=')
            && !rest[len..].starts_with("==");
        fits.then(|| {
            self.at += 1 + len + 1;
            model
        })
    }
}
