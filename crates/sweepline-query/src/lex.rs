//! The lexer of the expression language.

use std::ops::Range;

use crate::parser::Noted;
use crate::predicate::Comparison;
use crate::problem::ExpressionProblem;

/// A token of an expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Token {
    /// A bare word: a keyword or a name.
    Word(String),
    /// A name in double quotes.
    Quoted(String),
    /// A number; `None` when it is too large.
    Number(Option<i128>),
    Symbol(Symbol),
}

/// Everything that is written with punctuation. `and`, `or` and `not` are symbols too.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    Open,
    Close,
    Comma,
    Plus,
    Minus,
    Star,
    Compare(Comparison),
    And,
    Or,
    Not,
    Implies,
}

/// Longest first, so that `<=` is not read as `<`.
const SYMBOLS: [(&str, Symbol); 18] = [
    ("->", Symbol::Implies),
    ("&&", Symbol::And),
    ("||", Symbol::Or),
    ("<=", Symbol::Compare(Comparison::AtMost)),
    (">=", Symbol::Compare(Comparison::AtLeast)),
    ("==", Symbol::Compare(Comparison::Equal)),
    ("!=", Symbol::Compare(Comparison::Different)),
    ("<>", Symbol::Compare(Comparison::Different)),
    ("(", Symbol::Open),
    (")", Symbol::Close),
    (",", Symbol::Comma),
    ("+", Symbol::Plus),
    ("-", Symbol::Minus),
    ("*", Symbol::Star),
    ("<", Symbol::Compare(Comparison::Less)),
    (">", Symbol::Compare(Comparison::More)),
    ("=", Symbol::Compare(Comparison::Equal)),
    ("!", Symbol::Not),
];

impl Token {
    /// The token in a message.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Quoted(name) => format!("the name `{name}`"),
            Self::Number(Some(value)) => format!("the number {value}"),
            Self::Number(None) => "a number".into(),
            Self::Symbol(symbol) => {
                let text = SYMBOLS.iter().find(|(_, s)| s == symbol).map_or("?", |(text, _)| text);
                format!("`{text}`")
            }
        }
    }
}

/// Keywords; a place with such a name must be quoted.
pub(crate) fn is_keyword(word: &str) -> bool {
    matches!(word, "and" | "or" | "not" | "true" | "false" | "deadlock" | "tokens" | "fireable")
}

/// Whether a name can be written without quotes.
pub(crate) fn is_identifier(text: &str) -> bool {
    text.starts_with(begins_word) && text.chars().all(continues_word)
}

fn begins_word(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn continues_word(character: char) -> bool {
    character.is_alphanumeric() || "_.':@#$?~".contains(character)
}

/// Splits an expression into tokens with their spans.
pub(crate) fn lex(text: &str) -> Result<Vec<(Token, Range<usize>)>, Noted> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let (token, length) = if let Some(&(symbol, meaning)) =
            SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol))
        {
            (Token::Symbol(meaning), symbol.len())
        } else if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            (Token::Number(rest[..length].parse().ok()), length)
        } else if begins_word(first) {
            let length = rest.find(|c: char| !continues_word(c)).unwrap_or(rest.len());
            (word(&rest[..length]), length)
        } else if first == '"' {
            quoted(rest).ok_or((ExpressionProblem::OpenQuote, start..start + 1))?
        } else {
            let problem = ExpressionProblem::UnexpectedCharacter { found: first };
            return Err((problem, start..start + first.len_utf8()));
        };
        tokens.push((token, start..start + length));
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn word(text: &str) -> Token {
    match text {
        "and" => Token::Symbol(Symbol::And),
        "or" => Token::Symbol(Symbol::Or),
        "not" => Token::Symbol(Symbol::Not),
        _ => Token::Word(text.to_owned()),
    }
}

/// A quoted name and its length including the quotes; `\"` and `\\` stand for `"` and `\`.
fn quoted(rest: &str) -> Option<(Token, usize)> {
    let mut name = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((offset, character)) = characters.next() {
        match character {
            '"' => return Some((Token::Quoted(name), offset + 1)),
            '\\' => name.push(characters.next()?.1),
            other => name.push(other),
        }
    }
    None
}
