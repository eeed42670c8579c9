//! Texts of a net that are more than an expression: guards, time regions, code segments.

use super::{Parsed, Parser};
use crate::ast::{CodeSegment, Expr, ExprKind, LongName};
use crate::problem::Problem;
use crate::source::Span;
use crate::token::{Reserved, TokenKind};
use crate::types::Symbol;

impl Parser {
    /// An inscription: an expression, with its own message for `a, b`.
    pub(crate) fn inscription(&mut self) -> Parsed<Expr> {
        let expr = self.expr()?;
        if self.is(Reserved::Comma) {
            let span = self.span();
            return self.fail(Problem::BareTuple, span);
        }
        self.finish()?;
        Ok(expr)
    }

    /// Parses the text with everything to the left of the first `@+` in parentheses, if there is an `@+`
    /// outside all brackets. Returns the left side, the operator, its span, and the delay.
    pub(crate) fn delayed(&mut self) -> Option<(Expr, LongName, Span, Expr)> {
        let at = self.first_delay()?;
        let span = self.tokens[at].span;
        let TokenKind::Name(name) = &self.tokens[at].kind else { return None };
        let operator = LongName::simple(name);
        let left = self.expr_before(at);
        if self.at != at {
            return None;
        }
        self.advance();
        let right = self.expr().ok()?;
        self.finish().ok()?;
        Some((left.ok()?, operator, span, right))
    }

    fn first_delay(&self) -> Option<usize> {
        let mut open = 0usize;
        for (index, token) in self.tokens.iter().enumerate() {
            match &token.kind {
                TokenKind::Reserved(
                    Reserved::LeftParen
                    | Reserved::LeftBracket
                    | Reserved::LeftBrace
                    | Reserved::Let,
                ) => open += 1,
                TokenKind::Reserved(
                    Reserved::RightParen
                    | Reserved::RightBracket
                    | Reserved::RightBrace
                    | Reserved::End,
                ) => open = open.saturating_sub(1),
                TokenKind::Name(name) if open == 0 && matches!(&**name, "@+" | "@++") => {
                    return Some(index);
                }
                _ => {}
            }
        }
        None
    }

    /// The conjuncts of a guard: a list, with or without brackets.
    pub(crate) fn guard(&mut self) -> Parsed<Vec<Expr>> {
        let mut parts = self.separated(|parser| parser.eat(Reserved::Comma), Self::expr)?;
        self.finish()?;
        match &mut parts[..] {
            [Expr { kind: ExprKind::List(inner), .. }] => Ok(std::mem::take(inner)),
            _ => Ok(parts),
        }
    }

    /// `@+ e` or `@++ e`: whether the delay is a time value, and the delay.
    pub(crate) fn time_region(&mut self) -> Parsed<(bool, Expr)> {
        let of_time = self.is_name("@++");
        if !(self.eat_name("@+") || self.eat_name("@++")) {
            let help = "a time region is `@+` and a delay, for example `@+ 5`";
            return self.expected("`@+`", Some(help));
        }
        Ok((of_time, self.whole_expr()?))
    }

    /// `input (x, y); output (z); action e;`, each part at most once.
    pub(crate) fn code_segment(&mut self) -> Parsed<CodeSegment> {
        let mut segment = CodeSegment { input: Vec::new(), output: Vec::new(), action: None };
        while !self.at_end() {
            if self.eat(Reserved::Semicolon) {
                continue;
            }
            if self.eat_name("input") {
                segment.input = self.variables()?;
            } else if self.eat_name("output") {
                segment.output = self.variables()?;
            } else if self.eat_name("action") {
                segment.action = self.action()?;
            } else {
                let help = "write `input (x, y); output (z); action (...);`";
                return self.expected("`input`, `output` or `action`", Some(help));
            }
        }
        Ok(segment)
    }

    /// The action: expressions separated by `;`, or nothing.
    fn action(&mut self) -> Parsed<Option<Expr>> {
        let start = self.span();
        let mut parts = Vec::new();
        while !self.at_end() {
            if !self.eat(Reserved::Semicolon) {
                parts.push(self.expr()?);
                if !self.is(Reserved::Semicolon) {
                    break;
                }
            }
        }
        let span = self.since(start);
        match parts.len() {
            0 => Ok(None),
            1 => Ok(parts.pop()),
            _ => self.node(ExprKind::Sequence(parts), span).map(Some),
        }
    }

    fn variables(&mut self) -> Parsed<Vec<(Symbol, Span)>> {
        if self.eat(Reserved::LeftParen) {
            return self.comma_list(Reserved::RightParen, Self::variable);
        }
        if self.is(Reserved::Semicolon) {
            return Ok(Vec::new());
        }
        Ok(vec![self.variable()?])
    }

    pub(super) fn variable(&mut self) -> Parsed<(Symbol, Span)> {
        let span = self.span();
        Ok((self.name("a variable")?, span))
    }
}
