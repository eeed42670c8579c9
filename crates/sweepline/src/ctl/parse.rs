//! Formulas as people write them: `AG (EF {p > 1})`.

use std::ops::Range;

use super::formula::{Along, Formula};
use crate::ltl::words::{Binary, Logic, Token, Unary, words};
use crate::ltl::{FormulaError, Written};

/// Operators may be nested this deep.
const DEEPEST: usize = 200;

const EXAMPLE: &str = "write for example `AG EF {p > 0}`, or `A[{p > 0} U send]`";
const BRACES: &str = "conditions on states stand in braces: `AG ({p > 1} -> EF {q = 0})`";
const QUANTIFIER: &str = "write `A`, for all runs, or `E`, for some run, before it: `AG`, `EF`, \
                          `E[f U g]`";
const UNTIL: &str = "write for example `E[f U g]`, `A[f W g]`, or `EF f`";

/// Parses a formula of computation tree logic.
///
/// From the loosest to the tightest: `<->`, `->`, `||`, `&&`, then `!`, `EX`, `EF`, `EG`, `AX`, `AF` and `AG`.
/// `U`, `R`, `W` and `M` stand within `E[ ]` or `A[ ]`. The words `implies`, `or`, `and` and `not` may be used
/// as well. An atom is a name, in double quotes where it is unusual or one of these words, or an expression in
/// braces.
///
/// ```
/// use sweepline::ctl;
/// let formula = ctl::parse("AG (sent -> E[!lost U {received > 0}])").unwrap();
/// assert_eq!(formula.map(|atom| atom.text).to_string(), "AG (sent -> E[! lost U received > 0])");
/// assert_eq!(ctl::parse("G sent").unwrap_err().at, 0..1);
/// ```
///
/// # Errors
///
/// The first thing that is wrong.
pub fn parse(text: &str) -> Result<Formula<Written>, FormulaError> {
    let mut parser =
        Parser { words: words(text, Logic::Branching)?, next: 0, end: text.len(), depth: 0 };
    if parser.words.is_empty() {
        return Err(error("the formula is empty", EXAMPLE, 0..text.len()));
    }
    let formula = parser.level(0)?;
    match parser.words.get(parser.next) {
        None => Ok(formula),
        Some((Token::Close, at)) => {
            Err(error("nothing is open that this closes", "leave it out", at.clone()))
        }
        Some((Token::Binary(_), at)) => Err(unquantified(at)),
        Some((_, at)) => Err(error("an operator is missing here", BRACES, at.clone())),
    }
}

fn error(message: &str, help: &'static str, at: Range<usize>) -> FormulaError {
    FormulaError { message: message.into(), help, at }
}

fn unquantified(at: &Range<usize>) -> FormulaError {
    error("this operator speaks of a run, and it is not said of which", QUANTIFIER, at.clone())
}

struct Parser {
    words: Vec<(Token, Range<usize>)>,
    next: usize,
    end: usize,
    depth: usize,
}

type Parsed<T = Formula<Written>> = Result<T, FormulaError>;

impl Parser {
    /// A formula of operators that bind at least as tightly as `level`.
    fn level(&mut self, level: u8) -> Parsed {
        let mut left = self.unary()?;
        while let Some(&(Token::Binary(operator), _)) = self.words.get(self.next) {
            let joined: fn(Formula<Written>, Formula<Written>) -> Formula<Written> = match operator
            {
                Binary::Iff => Formula::iff,
                Binary::Implies => Formula::implies,
                Binary::Or => Formula::or,
                Binary::And => Formula::and,
                _ => break,
            };
            if operator.level() < level {
                break;
            }
            self.next += 1;
            let above = operator.level() + u8::from(!operator.groups_right());
            left = joined(left, self.within(|parser| parser.level(above))?);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed {
        let Some((token, at)) = self.words.get(self.next).cloned() else {
            let end = self.end..self.end;
            return Err(error("the formula ends where an operand is due", EXAMPLE, end));
        };
        self.next += 1;
        match token {
            Token::True => Ok(Formula::True),
            Token::False => Ok(Formula::False),
            Token::Atom(atom) => Ok(Formula::Atom(atom)),
            Token::Unary(Unary::Not) => self.within(Parser::unary).map(Formula::not),
            Token::Unary(_) => Err(unquantified(&at)),
            Token::Quantifier(quantifier) => {
                let along = self.within(Parser::along)?;
                Ok(Formula::Runs(quantifier, Box::new(along)))
            }
            Token::Open => {
                let inner = self.within(|parser| parser.level(0))?;
                self.close(at)?;
                Ok(inner)
            }
            Token::Close | Token::Binary(_) => {
                Err(error("an operand is missing before this", EXAMPLE, at))
            }
        }
    }

    /// What stands behind a quantifier.
    fn along(&mut self) -> Parsed<Along<Formula<Written>>> {
        let end = self.end..self.end;
        match self.words.get(self.next).cloned() {
            Some((Token::Unary(Unary::Next), _)) => self.operand().map(Along::Next),
            Some((Token::Unary(Unary::Finally), _)) => self.operand().map(Along::Finally),
            Some((Token::Unary(Unary::Globally), _)) => self.operand().map(Along::Globally),
            Some((Token::Open, open)) => {
                self.next += 1;
                let left = self.level(0)?;
                let operator: fn(_, _) -> Along<_> = match self.words.get(self.next) {
                    Some((Token::Binary(Binary::Until), _)) => Along::Until,
                    Some((Token::Binary(Binary::Release), _)) => Along::Release,
                    Some((Token::Binary(Binary::WeakUntil), _)) => Along::WeakUntil,
                    Some((Token::Binary(Binary::StrongRelease), _)) => Along::StrongRelease,
                    other => {
                        let at = other.map_or(end, |(_, at)| at.clone());
                        return Err(error("`U`, `R`, `W` or `M` is missing here", UNTIL, at));
                    }
                };
                self.next += 1;
                let right = self.level(0)?;
                self.close(open)?;
                Ok(operator(left, right))
            }
            Some((_, at)) => Err(error("the quantifier is not followed by a run", UNTIL, at)),
            None => Err(error("the quantifier is not followed by a run", UNTIL, end)),
        }
    }

    fn operand(&mut self) -> Parsed {
        self.next += 1;
        self.unary()
    }

    /// The parenthesis that closes the one at `open`.
    fn close(&mut self, open: Range<usize>) -> Parsed<()> {
        match self.words.get(self.next) {
            Some((Token::Close, _)) => {
                self.next += 1;
                Ok(())
            }
            Some((Token::Binary(_), at)) => Err(unquantified(at)),
            Some((_, at)) => {
                let message = "an operator or a closing parenthesis is missing here";
                Err(error(message, BRACES, at.clone()))
            }
            None => Err(error("the parenthesis is not closed", "close it", open)),
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
