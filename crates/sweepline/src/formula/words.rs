//! The words of a formula.

use std::ops::Range;

use super::parse::{AtomKind, FormulaError, Written};
use super::{Along, Quantifier};

/// The logic of a formula: some words are operators in one and names in the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Logic {
    /// LTL.
    Linear,
    /// CTL, which has `A` and `E`, and brackets as parentheses.
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
    /// The temporal operator; `None` for one of propositional logic.
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
    /// How tightly it binds; a greater level binds tighter.
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

    /// The temporal operator; `None` for one of propositional logic.
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

/// In CTL only: in LTL `[]` is an operator.
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

/// Atoms that are written like a function of a name.
const APPLIED: [(&str, AtomKind); 2] = [("enabled", AtomKind::Enabled), ("taken", AtomKind::Taken)];

/// A character of a name that needs no quotes.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "_.'#$".contains(c)
}

/// Splits a formula into tokens, each with the bytes it takes.
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
            let kind = if c == '{' { AtomKind::Condition } else { AtomKind::Name };
            words.push(atom(inner, at..at + length, kind));
            at += length;
        } else if let Some((name, length, kind)) = applied(rest, at)? {
            words.push(atom(name, at..at + length, kind));
            at += length;
        } else if is_plain(c) {
            let length = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
            word(&rest[..length], at, logic, &mut words);
            at += length;
        } else {
            let help = "put conditions on states in braces, and names with unusual characters in \
                        double quotes: `G ({p > 1} -> F taken(\"my event\"))`";
            let message = format!("the character `{c}` has no meaning here");
            return Err(FormulaError { message, help, at: at..at + c.len_utf8() });
        }
    }
    Ok(words)
}

fn atom(text: &str, at: Range<usize>, kind: AtomKind) -> (Token, Range<usize>) {
    (Token::Atom(Written { text: text.to_owned(), at: at.clone(), kind }), at)
}

/// The name in the `enabled(name)` or `taken(name)` that `rest` starts with, and the length of the whole; `None`
/// where `rest` starts with something else. Without a parenthesis, both words are names like others.
fn applied(rest: &str, at: usize) -> Result<Option<(&str, usize, AtomKind)>, FormulaError> {
    let open = |word: &str| {
        let after = rest.strip_prefix(word)?;
        let inner = after.trim_start().strip_prefix('(')?;
        Some(rest.len() - inner.len())
    };
    let found = APPLIED.iter().find_map(|&(word, kind)| Some((word, open(word)?, kind)));
    let Some((word, open, kind)) = found else { return Ok(None) };
    let name_at = rest.len() - rest[open..].trim_start().len();
    let name = &rest[name_at..];
    let (name, end) = if name.starts_with('"') {
        let (name, length) = enclosed(name, at + name_at)?;
        (name, name_at + length)
    } else {
        let length = name.find(|c| !is_plain(c)).unwrap_or(name.len());
        (&name[..length], name_at + length)
    };
    let close = rest.len() - rest[end..].trim_start().len();
    if rest[close..].starts_with(')') && !name.is_empty() {
        return Ok(Some((name, close + 1, kind)));
    }
    let help = "write for example `enabled(send)`, or with quotes `enabled(\"send a packet\")`";
    let inner = rest[open..].find(')').map(|length| rest[open..open + length].trim());
    let (message, length) = match inner {
        None => ("the parenthesis is not closed".to_owned(), open),
        Some("" | "\"\"") => ("the name of a transition is missing".to_owned(), open),
        Some(inner) => {
            let quoted = inner.replace('"', "");
            let advice = format!("`{inner}` needs quotes: write `{word}(\"{quoted}\")`");
            (advice, name_at + inner.len())
        }
    };
    Err(FormulaError { message, help, at: at..at + length })
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
        words.push(atom(word, range, AtomKind::Name));
    }
}

/// The text in the braces or quotes that `rest` starts with, and the length with them. Braces nest, and
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
