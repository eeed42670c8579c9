//! The words of a formula.

use std::ops::Range;

use super::parse::{FormulaError, Written};
use super::{Along, Quantifier};

/// The logic that a formula is of: words mean different things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Logic {
    /// Formulas about runs.
    Linear,
    /// Formulas about states and the runs from there, with `A` and `E`, and brackets as parentheses.
    Branching,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Open,
    Close,
    True,
    False,
    Unary(Unary),
    Binary(Binary),
    Quantifier(Quantifier),
    Atom(Written),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Not,
    Next,
    Finally,
    Globally,
}

impl Unary {
    /// What it says of a run, if it speaks of one.
    pub(crate) fn along<F>(self) -> Option<fn(F) -> Along<F>> {
        match self {
            Unary::Not => None,
            Unary::Next => Some(Along::Next),
            Unary::Finally => Some(Along::Finally),
            Unary::Globally => Some(Along::Globally),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

impl Binary {
    /// How tightly it binds.
    pub(crate) fn level(self) -> u8 {
        match self {
            Binary::Iff => 0,
            Binary::Implies => 1,
            Binary::Or => 2,
            Binary::And => 3,
            Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease => 4,
        }
    }

    pub(crate) fn groups_right(self) -> bool {
        !matches!(self, Binary::Iff | Binary::Or | Binary::And)
    }

    /// What it says of a run, if it speaks of one.
    pub(crate) fn along<F>(self) -> Option<fn(F, F) -> Along<F>> {
        match self {
            Binary::Until => Some(Along::Until),
            Binary::Release => Some(Along::Release),
            Binary::WeakUntil => Some(Along::WeakUntil),
            Binary::StrongRelease => Some(Along::StrongRelease),
            _ => None,
        }
    }
}

/// Longest first, so that `<->` is not read as `<>`.
const SYMBOLS: [(&str, Token); 13] = [
    ("<->", Token::Binary(Binary::Iff)),
    ("<=>", Token::Binary(Binary::Iff)),
    ("->", Token::Binary(Binary::Implies)),
    ("=>", Token::Binary(Binary::Implies)),
    ("||", Token::Binary(Binary::Or)),
    ("&&", Token::Binary(Binary::And)),
    ("[]", Token::Unary(Unary::Globally)),
    ("<>", Token::Unary(Unary::Finally)),
    ("|", Token::Binary(Binary::Or)),
    ("&", Token::Binary(Binary::And)),
    ("!", Token::Unary(Unary::Not)),
    ("(", Token::Open),
    (")", Token::Close),
];

/// In formulas about states.
const BRACKETS: [(&str, Token); 2] = [("[", Token::Open), ("]", Token::Close)];

fn keyword(word: &str, logic: Logic) -> Option<Token> {
    Some(match word {
        "A" if logic == Logic::Branching => Token::Quantifier(Quantifier::All),
        "E" if logic == Logic::Branching => Token::Quantifier(Quantifier::Exists),
        "true" => Token::True,
        "false" => Token::False,
        "not" => Token::Unary(Unary::Not),
        "X" => Token::Unary(Unary::Next),
        "F" => Token::Unary(Unary::Finally),
        "G" => Token::Unary(Unary::Globally),
        "implies" => Token::Binary(Binary::Implies),
        "or" => Token::Binary(Binary::Or),
        "and" => Token::Binary(Binary::And),
        "U" => Token::Binary(Binary::Until),
        "R" => Token::Binary(Binary::Release),
        "W" => Token::Binary(Binary::WeakUntil),
        "M" => Token::Binary(Binary::StrongRelease),
        _ => return None,
    })
}

/// A letter of a name that needs no quotes.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "_.'#$".contains(c)
}

/// Splits a formula into words, each with its place.
pub(crate) fn words(text: &str, logic: Logic) -> Result<Vec<(Token, Range<usize>)>, FormulaError> {
    let (mut words, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let brackets = BRACKETS.iter().filter(|_| logic == Logic::Branching);
        let symbol = brackets.chain(&SYMBOLS).find(|(written, _)| rest.starts_with(written));
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if let Some((written, token)) = symbol {
            words.push((token.clone(), at..at + written.len()));
            at += written.len();
        } else if c == '{' || c == '"' {
            let (inner, length) = enclosed(rest, at)?;
            let range = at..at + length;
            let (text, is_braced) = (inner.to_owned(), c == '{');
            words.push((Token::Atom(Written { text, at: range.clone(), is_braced }), range));
            at += length;
        } else if is_plain(c) {
            let length = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
            word(&rest[..length], at, logic, &mut words);
            at += length;
        } else {
            let help = "conditions on states stand in braces, unusual names in double quotes: \
                        `G ({p > 1} -> F \"my event\")`";
            let message = format!("the character `{c}` has no meaning here");
            return Err(FormulaError { message, help, at: at..at + c.len_utf8() });
        }
    }
    Ok(words)
}

/// Operators in a row: `GF`, or `AGEF`.
fn is_row(word: &str, logic: Logic) -> bool {
    let is_operator = |c: char| "GFX".contains(c);
    match logic {
        Logic::Linear => word.chars().all(is_operator),
        Logic::Branching => {
            let mut chars = word.chars();
            while let Some(c) = chars.next() {
                if !("AE".contains(c) && chars.next().is_some_and(is_operator)) {
                    return false;
                }
            }
            true
        }
    }
}

/// A keyword, operators such as `GF` in a row, or a name.
fn word(word: &str, at: usize, logic: Logic, words: &mut Vec<(Token, Range<usize>)>) {
    let range = at..at + word.len();
    if let Some(token) = keyword(word, logic) {
        words.push((token, range));
    } else if is_row(word, logic) {
        let each =
            word.char_indices().filter_map(|(i, _)| Some((i, keyword(&word[i..=i], logic)?)));
        words.extend(each.map(|(i, token)| (token, at + i..at + i + 1)));
    } else {
        let text = word.to_owned();
        words.push((Token::Atom(Written { text, at: range.clone(), is_braced: false }), range));
    }
}

/// What stands in the braces or quotes that `rest` begins with, and the length with them. Braces nest, and
/// those in quotes do not count.
fn enclosed(rest: &str, at: usize) -> Result<(&str, usize), FormulaError> {
    let braces = rest.starts_with('{');
    let (mut open, mut quoted) = (0usize, false);
    for (i, c) in rest.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '{' if !quoted => open += 1,
            '}' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 && !quoted {
            return Ok((&rest[1..i], i + 1));
        }
    }
    let (message, help) = match braces {
        true => ("the brace is not closed", "close it with `}`"),
        false => ("the quoted name does not end", "close it with a double quote"),
    };
    Err(FormulaError { message: message.into(), help, at: at..at + 1 })
}
