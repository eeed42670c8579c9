//! The parser of formulas: `G ({p > 1} -> F taken(receive))`, or `AG EF {p > 1}`.

use std::ops::Range;

use super::words::{Binary, Logic, Token, words};
use super::{Along, Formula, Which};

/// An atom as it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Written {
    /// The condition or the name, without braces, quotes, `enabled( )` or `taken( )`.
    pub text: String,
    /// The bytes of the formula that the atom takes.
    pub at: Range<usize>,
    /// How it is written.
    pub kind: AtomKind,
}

/// The ways to write an atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomKind {
    /// `{p > 0}`: a condition on the state.
    Condition,
    /// `send`: a bare name.
    Name,
    /// `enabled(send)`: the transition is enabled in the state.
    Enabled,
    /// `taken(send)`: the next step is the transition.
    Taken,
}

/// An error in a formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to write instead.
    pub help: &'static str,
    /// The bytes of the formula that it is about.
    pub at: Range<usize>,
}

/// Operators may be nested this deep, so that the parser's recursion fits the stack.
const DEEPEST: usize = 200;

/// The hints of a logic.
struct Advice {
    example: &'static str,
    braces: &'static str,
    close: &'static str,
}

const LINEAR: Advice = Advice {
    example: "write for example `G (taken(send) -> F taken(receive))`, or with a condition on \
              states in braces: `G F {p > 0}`",
    braces: "put conditions on states in braces: `G ({p > 1} -> F {q = 0})`",
    close: "close it with `)`",
};
const BRANCHING: Advice = Advice {
    example: "write for example `AG EF {p > 0}`, or `A[{p > 0} U enabled(send)]`",
    braces: "put conditions on states in braces: `AG ({p > 1} -> EF {q = 0})`",
    close: "close it",
};
const QUANTIFIER: &str = "write `A` (all runs) or `E` (some run) before it: `AG`, `EF`, `E[f U g]`";
const UNTIL: &str = "write for example `E[f U g]`, `A[f W g]`, or `EF f`";

/// Parses a formula of the logic of `Q`.
///
/// # Errors
///
/// The first error in the text.
pub(crate) fn parse<Q: Which>(text: &str) -> Parsed<Formula<Written, Q>> {
    let (logic, advice) = match Q::UNWRITTEN {
        Some(_) => (Logic::Linear, &LINEAR),
        None => (Logic::Branching, &BRANCHING),
    };
    let words = words(text, logic)?;
    let mut parser = Parser { words, next: 0, end: text.len(), depth: 0, advice };
    if parser.words.is_empty() {
        return Err(error("the formula is empty", advice.example, 0..text.len()));
    }
    let formula = parser.level(0)?;
    match parser.words.get(parser.next) {
        None => Ok(formula),
        Some((Token::Close, at)) => {
            Err(error("this closing parenthesis has no opening one", "remove it", at.clone()))
        }
        Some((Token::Binary(_), at)) => Err(unquantified(at)),
        Some((_, at)) => Err(error("an operator is missing here", advice.braces, at.clone())),
    }
}

fn error(message: &str, help: &'static str, at: Range<usize>) -> FormulaError {
    FormulaError { message: message.into(), help, at }
}

fn unquantified(at: &Range<usize>) -> FormulaError {
    error("this operator of CTL needs a quantifier", QUANTIFIER, at.clone())
}

struct Parser {
    words: Vec<(Token, Range<usize>)>,
    next: usize,
    end: usize,
    depth: usize,
    advice: &'static Advice,
}

type Parsed<T> = Result<T, FormulaError>;

impl Parser {
    /// A formula of operators that bind at least as tightly as `level`.
    fn level<Q: Which>(&mut self, level: u8) -> Parsed<Formula<Written, Q>> {
        let mut left = self.unary()?;
        while let Some(&(Token::Binary(operator), _)) = self.words.get(self.next) {
            let along = operator.along();
            if operator.level() < level || along.is_some() && Q::UNWRITTEN.is_none() {
                break;
            }
            self.next += 1;
            let above = operator.level() + u8::from(!operator.groups_right());
            let right = self.within(|parser| parser.level(above))?;
            left = match (operator, along.zip(Q::UNWRITTEN)) {
                (_, Some((along, which))) => Formula::runs(which, along(left, right)),
                (Binary::Iff, _) => left.iff(right),
                (Binary::Implies, _) => left.implies(right),
                (Binary::Or, _) => left.or(right),
                _ => left.and(right),
            };
        }
        Ok(left)
    }

    fn unary<Q: Which>(&mut self) -> Parsed<Formula<Written, Q>> {
        let Some((token, at)) = self.words.get(self.next).cloned() else {
            let (message, end) =
                ("the formula ends where an operand is missing", self.end..self.end);
            return Err(error(message, self.advice.example, end));
        };
        self.next += 1;
        match token {
            Token::True => Ok(Formula::True),
            Token::False => Ok(Formula::False),
            Token::Atom(atom) => Ok(Formula::Atom(atom)),
            Token::Unary(operator) => match (operator.along(), Q::UNWRITTEN) {
                (None, _) => self.within(Parser::unary).map(Formula::not),
                (Some(along), Some(which)) => {
                    Ok(Formula::runs(which, along(self.within(Parser::unary)?)))
                }
                (Some(_), None) => Err(unquantified(&at)),
            },
            Token::Quantifier(quantifier) => {
                Ok(Formula::runs(Q::written(quantifier), self.within(Parser::along)?))
            }
            Token::Open => {
                let inner = self.within(|parser| parser.level(0))?;
                self.close(at)?;
                Ok(inner)
            }
            Token::Close | Token::Binary(_) => {
                Err(error("an operand is missing before this", self.advice.example, at))
            }
        }
    }

    /// The temporal operator after a quantifier, with its operands.
    fn along<Q: Which>(&mut self) -> Parsed<Along<Formula<Written, Q>>> {
        let (token, at) = match self.words.get(self.next).cloned() {
            Some((token, at)) => (Some(token), at),
            None => (None, self.end..self.end),
        };
        self.next += 1;
        let unary = match token {
            Some(Token::Unary(operator)) => operator.along(),
            _ => None,
        };
        match (unary, token) {
            (Some(along), _) => self.unary().map(along),
            (None, Some(Token::Open)) => {
                let left = self.level(0)?;
                let end = self.end..self.end;
                let (operator, after) = match self.words.get(self.next) {
                    Some((Token::Binary(operator), at)) => (operator.along(), at.clone()),
                    other => (None, other.map_or(end, |(_, at)| at.clone())),
                };
                let Some(along) = operator else {
                    return Err(error("`U`, `R`, `W` or `M` is missing here", UNTIL, after));
                };
                self.next += 1;
                let right = self.level(0)?;
                self.close(at)?;
                Ok(along(left, right))
            }
            _ => Err(error("the quantifier is not followed by a temporal operator", UNTIL, at)),
        }
    }

    /// Reads the parenthesis that closes the one at `open`.
    fn close(&mut self, open: Range<usize>) -> Parsed<()> {
        match self.words.get(self.next) {
            Some((Token::Close, _)) => {
                self.next += 1;
                Ok(())
            }
            Some((Token::Binary(_), at)) => Err(unquantified(at)),
            Some((_, at)) => {
                let message = "an operator or a closing parenthesis is missing here";
                Err(error(message, self.advice.braces, at.clone()))
            }
            None => Err(error("the parenthesis is not closed", self.advice.close, open)),
        }
    }

    fn within<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let at = self.words.get(self.next).map_or(self.end..self.end, |(_, at)| at.clone());
            let message = format!("operators are nested more than {DEEPEST} deep");
            return Err(error(&message, "split the formula", at));
        }
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }
}
