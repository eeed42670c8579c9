//! The expression language of the command line: `tokens(p) + 2*q <= 3 and not fireable(t)`.

use std::ops::Range;

use sweepline_source::{Mistake, Mistakes, Source, Span};

use crate::display::Quoted;
use crate::expr::{Expr, ProductError, TooLarge};
use crate::lex::{Symbol, Token, lex};
use crate::names::{NameError, Named, PlaceId, TransitionId};
use crate::parser::{Noted, Parsed, Parser, Stop, Value};
use crate::predicate::Predicate;
use crate::problem::{ExpressionErrors, ExpressionProblem as Problem};

/// Longer texts are rejected.
const MAX_BYTES: usize = 1 << 20;

/// At most this many unknown names are reported.
const MAX_ERRORS: usize = 20;

/// Parses a condition with the names of the model.
///
/// From loosest to tightest: `->`, `or` (`||`), `and` (`&&`), `not` (`!`), comparisons (`< <= = == != >= >`),
/// `+ -`, `*`. The atoms are `tokens(p, q)` (the sum), a bare place name (its tokens), numbers, `fireable(t,
/// u)` (any of them), `deadlock`, `true`, `false`. Places and transitions are written by id or, if it is not
/// ambiguous, by name; names with other characters than letters, digits and `_` are written in double quotes.
///
/// ```
/// use sweepline_query::{Words, parse_predicate};
///
/// let model = Words::new(["sent", "my place"], ["t"]);
/// let text = "tokens(sent) + tokens(\"my place\") <= 3 and not fireable(t)";
/// let predicate = parse_predicate(&model, text)?;
/// assert_eq!(predicate.display(&model).to_string(), text);
///
/// let error = parse_predicate(&model, "snt > 1").unwrap_err();
/// assert_eq!(error.to_string(), "column 1: there is no place `snt`");
/// # Ok::<(), sweepline_query::ExpressionErrors>(())
/// ```
///
/// # Errors
/// All unknown names, or the first syntax error, with their positions in the text.
pub fn parse_predicate(model: &dyn Named, text: &str) -> Result<Predicate, ExpressionErrors> {
    parse(model, text, |parser| {
        let (value, span) = parser.implication()?;
        parser.at_end()?;
        parser.condition(value, &span)
    })
}

/// Parses an integer expression, such as the progress measure `2*sent + acked`.
///
/// # Errors
/// All unknown names, or the first syntax error, with their positions in the text.
pub fn parse_expr(model: &dyn Named, text: &str) -> Result<Expr, ExpressionErrors> {
    parse(model, text, |parser| {
        let (value, span) = parser.implication()?;
        parser.at_end()?;
        parser.number(value, &span)
    })
}

fn parse<T>(
    model: &dyn Named,
    text: &str,
    rule: impl FnOnce(&mut Parser<'_>) -> Result<T, Stop>,
) -> Result<T, ExpressionErrors> {
    let source = Source::new("", text);
    let mistake = |(problem, span): Noted| {
        let span = Span { start: span.start as u32, end: span.end as u32, ..Span::START };
        Mistake { problem, span, source: source.clone() }
    };
    let fail = |errors: Vec<Noted>| Mistakes { errors: errors.into_iter().map(mistake).collect() };
    if text.len() > MAX_BYTES {
        let problem = Problem::TooLong { bytes: text.len(), max_bytes: MAX_BYTES };
        return Err(fail(vec![(problem, 0..0)]));
    }
    let tokens = lex(text).map_err(|error| fail(vec![error]))?;
    let end = text.trim_end().len();
    let names = model.vocabulary();
    let mut parser = Parser::new(&*names, tokens, end);
    match rule(&mut parser) {
        Ok(value) if parser.errors.is_empty() => Ok(value),
        _ => Err(fail(parser.errors)),
    }
}

impl Parser<'_> {
    fn implication(&mut self) -> Parsed<Value> {
        let (left, left_span) = self.disjunction()?;
        if !self.eat(Symbol::Implies) {
            return Ok((left, left_span));
        }
        let premise = self.condition(left, &left_span)?;
        let (right, right_span) = self.nested(Self::implication)?;
        let conclusion = self.condition(right, &right_span)?;
        let span = left_span.start..right_span.end;
        let implication = self.join(vec![premise.negated(), conclusion], false, &span)?;
        Ok((Value::Condition(implication), span))
    }

    fn disjunction(&mut self) -> Parsed<Value> {
        self.joined(Symbol::Or, Self::conjunction)
    }

    fn conjunction(&mut self) -> Parsed<Value> {
        self.joined(Symbol::And, Self::negation)
    }

    /// One operand, or several with the operator between them.
    fn joined(
        &mut self,
        operator: Symbol,
        operand: fn(&mut Self) -> Parsed<Value>,
    ) -> Parsed<Value> {
        let (first, first_span) = operand(self)?;
        if self.peek_symbol() != Some(operator) {
            return Ok((first, first_span));
        }
        let mut parts = vec![self.condition(first, &first_span)?];
        let mut end = first_span.end;
        while self.eat(operator) {
            let (part, span) = operand(self)?;
            parts.push(self.condition(part, &span)?);
            end = span.end;
        }
        let span = first_span.start..end;
        let joined = self.join(parts, operator == Symbol::And, &span)?;
        Ok((Value::Condition(joined), span))
    }

    fn negation(&mut self) -> Parsed<Value> {
        let start = self.here().start;
        if !self.eat(Symbol::Not) {
            return self.comparison();
        }
        let (operand, span) = self.nested(Self::negation)?;
        let condition = self.condition(operand, &span)?;
        Ok((Value::Condition(condition.negated()), start..span.end))
    }

    fn comparison(&mut self) -> Parsed<Value> {
        let (left, left_span) = self.sum()?;
        let Some(comparison) = self.eat_comparison() else { return Ok((left, left_span)) };
        let left = self.number(left, &left_span)?;
        let (right, right_span) = self.sum()?;
        let right = self.number(right, &right_span)?;
        let span = left_span.start..right_span.end;
        let at = self.here();
        if self.eat_comparison().is_some() {
            return Err(self.stop(Problem::ChainedComparison, at));
        }
        match Predicate::compare(&left, comparison, &right) {
            Ok(predicate) => Ok((Value::Condition(predicate), span)),
            Err(TooLarge) => Err(self.stop(Problem::TooLarge, span)),
        }
    }

    fn sum(&mut self) -> Parsed<Value> {
        let (first, first_span) = self.product()?;
        let mut sign = self.eat_sign();
        if sign.is_none() {
            return Ok((first, first_span));
        }
        let mut parts = vec![self.number(first, &first_span)?];
        let mut span = first_span;
        while let Some(negative) = sign {
            let (part, part_span) = self.product()?;
            let part = self.number(part, &part_span)?;
            parts.push(if negative { part.negated() } else { part });
            span.end = part_span.end;
            sign = self.eat_sign();
        }
        match Expr::total(&parts) {
            Ok(total) => Ok((Value::Number(total), span)),
            Err(TooLarge) => Err(self.stop(Problem::TooLarge, span)),
        }
    }

    fn product(&mut self) -> Parsed<Value> {
        let (mut value, mut span) = self.signed()?;
        while self.eat(Symbol::Star) {
            let left = self.number(value, &span)?;
            let (right, right_span) = self.signed()?;
            let right = self.number(right, &right_span)?;
            span.end = right_span.end;
            value = match left.product(&right) {
                Ok(product) => Value::Number(product),
                Err(ProductError::NotLinear) => return Err(self.stop(Problem::NotLinear, span)),
                Err(ProductError::TooLarge(_)) => return Err(self.stop(Problem::TooLarge, span)),
            };
        }
        Ok((value, span))
    }

    fn signed(&mut self) -> Parsed<Value> {
        let start = self.here().start;
        if !self.eat(Symbol::Minus) {
            return self.atom();
        }
        let (operand, span) = self.nested(Self::signed)?;
        let number = self.number(operand, &span)?;
        Ok((Value::Number(number.negated()), start..span.end))
    }

    fn atom(&mut self) -> Parsed<Value> {
        let span = self.here();
        let Some((token, _)) = self.tokens.get(self.next).cloned() else {
            return Err(self.expected("a condition or a number"));
        };
        let called =
            matches!(self.tokens.get(self.next + 1), Some((Token::Symbol(Symbol::Open), _)));
        match token {
            Token::Symbol(Symbol::Open) => {
                self.next += 1;
                let (value, _) = self.nested(Self::implication)?;
                let end = self.here().end;
                self.require(Symbol::Close, "`)`")?;
                Ok((value, span.start..end))
            }
            Token::Word(word) if called => self.call(&word),
            Token::Number(value) => {
                self.next += 1;
                match value.and_then(|value| Expr::constant(value).ok()) {
                    Some(constant) => Ok((Value::Number(constant), span)),
                    None => Err(self.stop(Problem::TooLarge, span)),
                }
            }
            Token::Word(word) => {
                self.next += 1;
                let value = match word.as_str() {
                    "true" => Value::Condition(Predicate::constant(true)),
                    "false" => Value::Condition(Predicate::constant(false)),
                    "deadlock" => Value::Condition(Predicate::deadlock()),
                    name => Value::Number(Expr::tokens(self.places(name, &span))),
                };
                Ok((value, span))
            }
            Token::Quoted(name) => {
                self.next += 1;
                Ok((Value::Number(Expr::tokens(self.places(&name, &span))), span))
            }
            Token::Symbol(_) => Err(self.expected("a condition or a number")),
        }
    }

    /// `tokens(p, ...)` or `fireable(t, ...)`.
    fn call(&mut self, function: &str) -> Parsed<Value> {
        let start = self.here().start;
        if !matches!(function, "tokens" | "fireable") {
            return Err(self.expected("`tokens(...)`, `fireable(...)` or an operator"));
        }
        self.next += 2;
        let mut names = vec![self.name()?];
        while self.eat(Symbol::Comma) {
            names.push(self.name()?);
        }
        let end = self.here().end;
        self.require(Symbol::Close, "`,` or `)`")?;
        let value = if function == "tokens" {
            let places = names.iter().flat_map(|(name, span)| self.places(name, span));
            Value::Number(Expr::tokens(places.collect::<Vec<_>>()))
        } else {
            let transitions = names.iter().flat_map(|(name, span)| self.transitions(name, span));
            Value::Condition(Predicate::fireable(transitions.collect::<Vec<_>>()))
        };
        Ok((value, start..end))
    }

    /// A word or quoted text. Keywords are names here.
    fn name(&mut self) -> Parsed<String> {
        let span = self.here();
        let name = match self.tokens.get(self.next) {
            Some((Token::Word(name) | Token::Quoted(name), _)) => name.clone(),
            _ => return Err(self.expected("the name of a place or transition")),
        };
        self.next += 1;
        Ok((name, span))
    }

    /// The places with this name. An unknown name is recorded and parsing continues, to find all of them.
    fn places(&mut self, name: &str, span: &Range<usize>) -> Vec<PlaceId> {
        match self.names.places(name) {
            Ok(places) => places,
            Err(_) if self.errors.len() >= MAX_ERRORS => Vec::new(),
            Err(error) => {
                let other_kind = self.names.transitions(name).is_ok().then(|| {
                    let quoted = Quoted(name);
                    format!("`{name}` is a transition: write `fireable({quoted})`")
                });
                let help = other_kind.or_else(|| self.quotes_needed(name));
                self.note(name_problem("place", name, error, help), span.clone());
                Vec::new()
            }
        }
    }

    /// Advice for a bare name that is followed by another word: it may be a name with a space.
    fn quotes_needed(&self, name: &str) -> Option<String> {
        let before = self.tokens.get(self.next.checked_sub(1)?).map(|(token, _)| token);
        let is_bare = matches!(before, Some(Token::Word(word)) if word == name);
        match self.tokens.get(self.next) {
            Some((Token::Word(next), _)) if is_bare => {
                Some(format!("put a name with spaces in double quotes: `\"{name} {next}\"`"))
            }
            _ => None,
        }
    }

    fn transitions(&mut self, name: &str, span: &Range<usize>) -> Vec<TransitionId> {
        match self.names.transitions(name) {
            Ok(transitions) => transitions,
            Err(_) if self.errors.len() >= MAX_ERRORS => Vec::new(),
            Err(error) => {
                let help = self.names.places(name).is_ok().then(|| {
                    let quoted = Quoted(name);
                    format!("`{name}` is a place: write `tokens({quoted}) > 0`")
                });
                self.note(name_problem("transition", name, error, help), span.clone());
                Vec::new()
            }
        }
    }
}

fn name_problem(
    what: &'static str,
    name: &str,
    error: NameError,
    other_kind: Option<String>,
) -> Problem {
    let name = name.to_owned();
    let advice = error.advice(what);
    match error {
        NameError::Ambiguous { ids } => {
            let ids = ids.iter().take(5).map(|id| format!("`{}`", Quoted(id))).collect();
            Problem::AmbiguousName { what, name, ids }
        }
        NameError::Unknown { .. } => {
            Problem::UnknownName { what, name, help: other_kind.or(advice) }
        }
    }
}
