//! Parses tokens to syntax trees. After a mistake the parser continues with the next declaration, so
//! that one run reports all mistakes of a text.

mod colour;
mod decl;
mod expr;
mod fixity;
mod inscription;
mod pattern;
mod type_expr;

use crate::ast::{Decl, Expr, LongName};
use crate::core::Literal;
use crate::lex::lex;
use crate::problem::Problem;
use crate::source::{SourceId, Span};
use crate::token::{Reserved, Token, TokenKind};
use crate::types::{Label, Symbol};

pub(crate) use fixity::Fixities;

/// The deepest nesting of expressions, patterns and declarations. Every pass is recursive, and this
/// depth fits the stack of a thread.
pub(crate) const MAX_DEPTH: usize = 300;

/// Parsing failed, and the problem has been recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// A parser over the tokens of one text.
pub(crate) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    nesting: usize,
    pub(crate) fixities: Fixities,
    pub(crate) errors: Vec<(Problem, Span)>,
}

impl Parser {
    pub(crate) fn new(source: SourceId, text: &str, fixities: Fixities) -> Self {
        let (tokens, errors) = lex(source, text);
        Self { tokens, at: 0, nesting: 0, fixities, errors }
    }

    /// Whether the text contains a wanted name, or a long name that begins with one.
    pub(crate) fn mentions(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        self.tokens.iter().any(|token| match &token.kind {
            TokenKind::Name(name) => is_wanted(name),
            TokenKind::LongName(parts) => is_wanted(&parts[0]),
            _ => false,
        })
    }

    fn peek(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn peek_at(&self, ahead: usize) -> &TokenKind {
        let at = (self.at + ahead).min(self.tokens.len() - 1);
        &self.tokens[at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of the token before.
    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn since(&self, start: Span) -> Span {
        start.to(self.previous())
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(crate) fn at_end(&self) -> bool {
        *self.peek() == TokenKind::End
    }

    fn is(&self, reserved: Reserved) -> bool {
        *self.peek() == TokenKind::Reserved(reserved)
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), TokenKind::Name(found) if **found == *name)
    }

    fn eat(&mut self, reserved: Reserved) -> bool {
        let found = self.is(reserved);
        if found {
            self.advance();
        }
        found
    }

    fn eat_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, reserved: Reserved) -> Parsed<Span> {
        let span = self.span();
        if self.eat(reserved) {
            return Ok(span);
        }
        self.expected(&format!("`{}`", reserved.text()), None)
    }

    fn expected<T>(&mut self, expected: &str, help: Option<&'static str>) -> Parsed<T> {
        if *self.peek() == TokenKind::Wrong {
            return Err(Failed);
        }
        let found = self.peek().describe();
        let span = self.span();
        let help = match self.peek() {
            TokenKind::Reserved(Reserved::And) => Some("write `andalso` between two conditions"),
            _ => help.or_else(|| self.advice()),
        };
        self.fail(Problem::Expected { expected: expected.to_owned(), found, help }, span)
    }

    /// What to write instead of the next word, for common mistakes.
    fn advice(&self) -> Option<&'static str> {
        match self.peek() {
            TokenKind::Reserved(Reserved::DoubleArrow) => {
                Some("write `>=` for \"greater than or equal to\"")
            }
            TokenKind::TypeVariable(_) => {
                Some("write a backquote between a coefficient and its colour: ``1`x``")
            }
            TokenKind::Name(name) if **name == *"-" => {
                Some("write `~` for a negative number: `~1`")
            }
            TokenKind::End if self.at > 0 => Some("the text ends too early: is something missing?"),
            _ => None,
        }
    }

    fn fail<T>(&mut self, problem: Problem, span: Span) -> Parsed<T> {
        self.errors.push((problem, span));
        Err(Failed)
    }

    /// Runs a part of the grammar one level deeper.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_DEPTH {
            let span = self.span();
            return self.fail(Problem::TooDeep { max: MAX_DEPTH }, span);
        }
        self.nesting += 1;
        let result = part(self);
        self.nesting -= 1;
        result
    }

    /// An identifier without structures in front, alphanumeric or symbolic.
    fn name(&mut self, what: &str) -> Parsed<Symbol> {
        let TokenKind::Name(name) = self.peek() else { return self.expected(what, None) };
        let name = Symbol::from(&**name);
        self.advance();
        Ok(name)
    }

    /// An identifier, with or without structures in front.
    fn long_name(&mut self, what: &str) -> Parsed<LongName> {
        let TokenKind::LongName(parts) = self.peek() else {
            return Ok(LongName { path: Vec::new(), name: self.name(what)? });
        };
        let mut path: Vec<Symbol> = parts.iter().map(|part| Symbol::from(&**part)).collect();
        let name = path.pop().ok_or(Failed)?;
        self.advance();
        Ok(LongName { path, name })
    }

    /// The label of a record field: a name or a positive number.
    fn label(&mut self) -> Parsed<Label> {
        match self.peek().clone() {
            TokenKind::Name(name) => {
                self.advance();
                Ok(Label::Name(name.into()))
            }
            TokenKind::Constant(Literal::IntInf(number)) => match u32::try_from(&number) {
                Ok(position) if position > 0 => {
                    self.advance();
                    Ok(Label::Position(position))
                }
                _ => self.expected("a field label", None),
            },
            _ => self.expected("a field label", Some("labels are names, or 1, 2, … for tuples")),
        }
    }

    /// Parses a part if the reserved word before it is there.
    fn optional<T>(
        &mut self,
        word: Reserved,
        part: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<Option<T>> {
        if self.eat(word) { part(self).map(Some) } else { Ok(None) }
    }

    /// Takes a reserved word, or reports that it is missing, with what to write.
    fn expect_with_help(&mut self, reserved: Reserved, help: &'static str) -> Parsed<()> {
        match self.eat(reserved) {
            true => Ok(()),
            false => self.expected(&format!("`{}`", reserved.text()), Some(help)),
        }
    }

    /// One or more parts with separators between them.
    fn separated<T>(
        &mut self,
        mut between: impl FnMut(&mut Self) -> bool,
        mut part: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut parts = vec![part(self)?];
        while between(self) {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    /// `first, second, third` up to and including a closing bracket; may be empty.
    fn comma_list<T>(
        &mut self,
        close: Reserved,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(Reserved::Comma) {
                return self.expected(&format!("`,` or `{}`", close.text()), None);
            }
        }
    }

    /// An expression that ends at the token `stop` or earlier.
    fn expr_before(&mut self, stop: usize) -> Parsed<Expr> {
        let end = TokenKind::Reserved(Reserved::Semicolon);
        let kind = std::mem::replace(&mut self.tokens[stop].kind, end);
        let expr = self.expr();
        self.tokens[stop].kind = kind;
        expr
    }

    /// Checks that nothing is left, except for a final semicolon, which declarations end with.
    pub(crate) fn finish(&mut self) -> Parsed<()> {
        let ended = self.eat(Reserved::Semicolon);
        if self.at_end() {
            return Ok(());
        }
        let help = match ended {
            true => "a `;` ends the expression: write `andalso` between two conditions",
            false => self.advice().unwrap_or("is an operator missing before it?"),
        };
        self.expected("the end of the text", Some(help))
    }

    /// All declarations of a text. After a mistake it continues with the next declaration.
    pub(crate) fn program(&mut self) -> Vec<Decl> {
        let mut decls: Vec<Decl> = Vec::new();
        // True after a `;` or a mistake: what follows cannot continue the last declaration.
        let mut ended = true;
        while !self.at_end() {
            if self.eat(Reserved::Semicolon) {
                ended = true;
                continue;
            }
            let goes_on = !ended && !self.begins_decl();
            let start = self.at;
            match self.decl() {
                Ok(decl) => {
                    decls.push(decl);
                    ended = false;
                }
                Err(Failed) => {
                    if goes_on {
                        decls.pop();
                    }
                    self.recover(start);
                    ended = true;
                }
            }
        }
        decls
    }

    /// An expression alone.
    pub(crate) fn whole_expr(&mut self) -> Parsed<Expr> {
        let expr = self.expr()?;
        self.finish()?;
        Ok(expr)
    }
}
