//! Formulas as people write them: `G ({p > 1} -> F received)`.

use std::ops::Range;

use super::formula::Formula;
use super::words::{Binary, Logic, Token, Unary, words};

/// An atom as it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Written {
    /// What stands there, without braces or quotes.
    pub text: String,
    /// Where it stands in the formula, in bytes.
    pub at: Range<usize>,
    /// It stands in braces: an expression, not a name.
    pub is_braced: bool,
}

/// What is wrong with a formula, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: &'static str,
    /// Where, in bytes.
    pub at: Range<usize>,
}

/// Operators may be nested this deep.
const DEEPEST: usize = 200;

const EXAMPLE: &str = "write for example `G (send -> F receive)`, or with a condition on states in \
                       braces: `G F {p > 0}`";
const BRACES: &str = "conditions on states stand in braces: `G ({p > 1} -> F {q = 0})`";

/// Parses a formula of linear temporal logic.
///
/// From the loosest to the tightest: `<->`, `->`, `||`, `&&`, then `U`, `R`, `W` and `M`, then `!`, `X`, `F`
/// and `G`. The words `implies`, `or`, `and` and `not` may be used as well, and `[]` and `<>` for `G` and `F`.
/// `->`, `U`, `R`, `W` and `M` group to the right. An atom is a name, in double quotes where it is unusual or
/// one of these words, or an expression in braces.
///
/// ```
/// use sweepline::ltl;
/// let formula = ltl::parse("G (sent -> F {received > 0})").unwrap();
/// assert_eq!(formula.map(|atom| atom.text).to_string(), "G (sent -> F received > 0)");
/// assert_eq!(ltl::parse("G (sent -> ").unwrap_err().at, 11..11);
/// ```
///
/// # Errors
///
/// The first thing that is wrong.
pub fn parse(text: &str) -> Result<Formula<Written>, FormulaError> {
    let mut parser =
        Parser { words: words(text, Logic::Linear)?, next: 0, end: text.len(), depth: 0 };
    if parser.words.is_empty() {
        let message = "the formula is empty".into();
        return Err(FormulaError { message, help: EXAMPLE, at: 0..text.len() });
    }
    let formula = parser.level(0)?;
    match parser.words.get(parser.next) {
        None => Ok(formula),
        Some((Token::Close, at)) => {
            let message = "nothing is open that this closes".into();
            Err(FormulaError { message, help: "leave it out", at: at.clone() })
        }
        Some((_, at)) => {
            let message = "an operator is missing here".into();
            Err(FormulaError { message, help: BRACES, at: at.clone() })
        }
    }
}

struct Parser {
    words: Vec<(Token, Range<usize>)>,
    next: usize,
    end: usize,
    depth: usize,
}

impl Parser {
    /// A formula of operators that bind at least as tightly as `level`.
    fn level(&mut self, level: u8) -> Result<Formula<Written>, FormulaError> {
        let mut left = self.unary()?;
        while let Some(&(Token::Binary(operator), _)) = self.words.get(self.next) {
            if operator.level() < level {
                break;
            }
            self.next += 1;
            let above = operator.level() + u8::from(!operator.groups_right());
            self.enter()?;
            let right = self.level(above)?;
            self.depth -= 1;
            left = match operator {
                Binary::Iff => left.iff(right),
                Binary::Implies => left.implies(right),
                Binary::Or => left.or(right),
                Binary::And => left.and(right),
                Binary::Until => left.until(right),
                Binary::Release => left.releases(right),
                Binary::WeakUntil => left.weakly_until(right),
                Binary::StrongRelease => left.strongly_releases(right),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Formula<Written>, FormulaError> {
        let Some((token, at)) = self.words.get(self.next).cloned() else {
            let message = "the formula ends where an operand is due".into();
            return Err(FormulaError { message, help: EXAMPLE, at: self.end..self.end });
        };
        self.next += 1;
        match token {
            Token::True => Ok(Formula::True),
            Token::False => Ok(Formula::False),
            Token::Atom(atom) => Ok(Formula::Atom(atom)),
            Token::Unary(operator) => {
                self.enter()?;
                let inner = self.unary()?;
                self.depth -= 1;
                Ok(match operator {
                    Unary::Not => inner.not(),
                    Unary::Next => inner.next(),
                    Unary::Finally => inner.eventually(),
                    Unary::Globally => inner.always(),
                })
            }
            Token::Open => {
                self.enter()?;
                let inner = self.level(0)?;
                self.depth -= 1;
                match self.words.get(self.next) {
                    Some((Token::Close, _)) => {
                        self.next += 1;
                        Ok(inner)
                    }
                    Some((_, at)) => Err(FormulaError {
                        message: "an operator or a closing parenthesis is missing here".into(),
                        help: BRACES,
                        at: at.clone(),
                    }),
                    None => {
                        let message = "the parenthesis is not closed".into();
                        Err(FormulaError { message, help: "close it with `)`", at })
                    }
                }
            }
            Token::Close | Token::Binary(_) | Token::Quantifier(_) => {
                let message = "an operand is missing before this".into();
                Err(FormulaError { message, help: EXAMPLE, at })
            }
        }
    }

    fn enter(&mut self) -> Result<(), FormulaError> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let at = self.words.get(self.next).map_or(self.end..self.end, |(_, at)| at.clone());
        let message = format!("operators are nested more than {DEEPEST} deep");
        Err(FormulaError { message, help: "split the formula", at })
    }
}
