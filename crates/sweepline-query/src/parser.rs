//! The state of the parser: tokens, nesting depth, errors.

use std::ops::Range;

use crate::expr::Expr;
use crate::lex::{Symbol, Token};
use crate::names::Vocabulary;
use crate::predicate::{Comparison, Predicate};
use crate::problem::ExpressionProblem as Problem;

/// Deeper nesting of parentheses, negations and implications is rejected, because the parser is recursive.
const MAX_DEPTH: usize = 200;

/// A problem and its range.
pub(crate) type Noted = (Problem, Range<usize>);

/// Parsing cannot continue; the reason is in [`Parser::errors`].
pub(crate) struct Stop;

pub(crate) type Parsed<T> = Result<(T, Range<usize>), Stop>;

/// Conditions and numbers can both be in parentheses, so their type is known only after parsing.
pub(crate) enum Value {
    Condition(Predicate),
    Number(Expr),
}

pub(crate) struct Parser<'n> {
    pub(crate) names: &'n dyn Vocabulary,
    pub(crate) tokens: Vec<(Token, Range<usize>)>,
    pub(crate) next: usize,
    end: usize,
    depth: usize,
    pub(crate) errors: Vec<Noted>,
}

impl<'n> Parser<'n> {
    pub(crate) fn new(
        names: &'n dyn Vocabulary,
        tokens: Vec<(Token, Range<usize>)>,
        end: usize,
    ) -> Self {
        Self { names, tokens, next: 0, end, depth: 0, errors: Vec::new() }
    }

    pub(crate) fn condition(
        &mut self,
        value: Value,
        span: &Range<usize>,
    ) -> Result<Predicate, Stop> {
        match value {
            Value::Condition(predicate) => Ok(predicate),
            Value::Number(_) => Err(self.stop(Problem::NotACondition, span.clone())),
        }
    }

    pub(crate) fn number(&mut self, value: Value, span: &Range<usize>) -> Result<Expr, Stop> {
        match value {
            Value::Number(expr) => Ok(expr),
            Value::Condition(_) => Err(self.stop(Problem::NotANumber, span.clone())),
        }
    }

    /// Conjunction (`all`) or disjunction.
    pub(crate) fn join(
        &mut self,
        parts: Vec<Predicate>,
        all: bool,
        span: &Range<usize>,
    ) -> Result<Predicate, Stop> {
        let max_depth = usize::from(Predicate::MAX_DEPTH);
        let joined = Predicate::join(parts, all);
        joined.ok_or_else(|| self.stop(Problem::TooDeep { max_depth }, span.clone()))
    }

    pub(crate) fn nested<T>(&mut self, rule: fn(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let at = self.here();
            return Err(self.stop(Problem::TooDeep { max_depth: MAX_DEPTH }, at));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    pub(crate) fn at_end(&mut self) -> Result<(), Stop> {
        match self.next == self.tokens.len() {
            true => Ok(()),
            false => Err(self.expected("an operator or the end")),
        }
    }

    /// The span of the next token, or the end of the text.
    pub(crate) fn here(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.end..self.end, |(_, span)| span.clone())
    }

    pub(crate) fn peek_symbol(&self) -> Option<Symbol> {
        match self.tokens.get(self.next) {
            Some((Token::Symbol(symbol), _)) => Some(*symbol),
            _ => None,
        }
    }

    pub(crate) fn eat(&mut self, symbol: Symbol) -> bool {
        let found = self.peek_symbol() == Some(symbol);
        if found {
            self.next += 1;
        }
        found
    }

    pub(crate) fn eat_comparison(&mut self) -> Option<Comparison> {
        let Symbol::Compare(comparison) = self.peek_symbol()? else { return None };
        self.next += 1;
        Some(comparison)
    }

    /// `Some(true)` after a minus, `Some(false)` after a plus.
    pub(crate) fn eat_sign(&mut self) -> Option<bool> {
        let negative = match self.peek_symbol()? {
            Symbol::Plus => false,
            Symbol::Minus => true,
            _ => return None,
        };
        self.next += 1;
        Some(negative)
    }

    pub(crate) fn require(&mut self, symbol: Symbol, expected: &'static str) -> Result<(), Stop> {
        match self.eat(symbol) {
            true => Ok(()),
            false => Err(self.expected(expected)),
        }
    }

    pub(crate) fn expected(&mut self, expected: &'static str) -> Stop {
        if self.tokens.is_empty() {
            return self.stop(Problem::Empty, 0..0);
        }
        let found = self.tokens.get(self.next);
        let found = found.map_or_else(|| "the end".into(), |(token, _)| token.describe());
        let at = self.here();
        let foreign = match self.tokens.get(self.next) {
            Some((Token::Word(word), _)) => operator_here(word),
            _ => None,
        };
        let help = foreign.or(self.follows_word().then_some(
            "if this is one name, put it in double quotes: `tokens(\"my place\")`; else an \
             operator is missing, such as `and`",
        ));
        self.stop(Problem::Expected { expected, found, help }, at)
    }

    /// Whether the next token and the one before it are words, as in a name with a space and no quotes.
    fn follows_word(&self) -> bool {
        let is_word = |at: usize| matches!(self.tokens.get(at), Some((Token::Word(_), _)));
        self.next > 0 && is_word(self.next - 1) && is_word(self.next)
    }

    pub(crate) fn note(&mut self, problem: Problem, span: Range<usize>) {
        self.errors.push((problem, span));
    }

    pub(crate) fn stop(&mut self, problem: Problem, span: Range<usize>) -> Stop {
        self.note(problem, span);
        Stop
    }
}

/// The hint for an operator of CPN ML.
fn operator_here(word: &str) -> Option<&'static str> {
    match word {
        "andalso" => Some("write `and` in place of `andalso`"),
        "orelse" => Some("write `or` in place of `orelse`"),
        "div" | "mod" => Some("expressions here have only `+`, `-` and `*`"),
        _ => None,
    }
}
