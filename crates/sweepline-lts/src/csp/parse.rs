//! The parser of CSPm: by precedence, with recovery after errors.

mod decl;
mod expr;
mod module;
mod pattern;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use sweepline_source::{Source, SourceId, Span, WordList};

use super::ast::{Body, Decl, Expr, Kind, Later, Sym};
use super::lex::{Tok, Token, lex};
use crate::problem::Problem;
use module::Module;

/// The maximal nesting: later passes are recursive.
pub(super) const MAX_DEPTH: u32 = 4_000;

/// Reads an included file, given the name of the including file and the name in the `include`.
pub(super) type Include<'a> = dyn Fn(&str, &str) -> Result<Source, Problem> + Sync + 'a;

/// A result, or an error that was reported.
pub(super) type Parsed<T> = Result<T, Reported>;

/// An error was reported; the declaration that contains it is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

/// The contents of all texts.
#[derive(Debug, Default)]
pub(super) struct Parse {
    pub(super) sources: Vec<Source>,
    pub(super) names: WordList,
    pub(super) decls: Vec<Decl>,
    pub(super) errors: Vec<(Span, Problem)>,
    pub(super) n_bodies: u32,
    modules: HashMap<String, Module>,
    /// The tokens of all instances of modules.
    n_copied: usize,
    /// Included texts whose names are not those of scripts: messages must not print their content.
    pub(super) foreign: Vec<SourceId>,
}

impl Parse {
    /// Adds the declarations of a text, and of those that it includes.
    pub(super) fn file(&mut self, source: Source, include: &Include<'_>) {
        let mut seen = HashSet::new();
        seen.insert(source.name.trim_start_matches("./").to_owned());
        self.file_below(source, include, &mut seen);
    }

    fn file_below(&mut self, source: Source, include: &Include<'_>, seen: &mut HashSet<String>) {
        let name = source.name.to_string();
        let mut parser = Parser::new(self, source);
        let includes = parser.declarations();
        for (span, path) in includes {
            match include(&name, &path) {
                Ok(source) if seen.insert(source.name.to_string()) => {
                    if !looks_like_a_script(&source) {
                        self.foreign.push(SourceId(self.sources.len() as u32));
                    }
                    self.file_below(source, include, seen);
                }
                Ok(_) => {}
                Err(problem) => self.errors.push((span, problem)),
            }
        }
    }

    /// An expression in the context of the declarations, such as a process that the user named.
    pub(super) fn expression(&mut self, source: Source) -> Parsed<Later> {
        let mut parser = Parser::new(self, source);
        let expr = parser.expr(0)?;
        match &parser.peek().tok {
            Tok::End => Ok(parser.later(expr)),
            _ => Err(parser.unexpected("the end of the expression")),
        }
    }
}

/// Whether its name is that of a script, and it is text.
fn looks_like_a_script(source: &Source) -> bool {
    let name = source.name.to_lowercase();
    let named = [".csp", ".cspm", ".fdr", ".fdr2"].iter().any(|ending| name.ends_with(ending));
    named && !source.text.contains('\0')
}

/// Parses one text.
struct Parser<'a> {
    to: &'a mut Parse,
    tokens: Vec<Token>,
    at: usize,
    /// The current nesting of expressions.
    depth: u32,
    /// Number of open brackets other than `<`; inside of them, line breaks are ignored.
    brackets: u32,
    /// Whether we are inside `<...>`, where `>` closes.
    in_seq: bool,
}

impl<'a> Parser<'a> {
    fn new(to: &'a mut Parse, source: Source) -> Self {
        let id = SourceId(to.sources.len() as u32);
        let (tokens, errors) = lex(id, &source.text);
        to.errors.extend(errors);
        to.sources.push(source);
        Parser { to, tokens, at: 0, depth: 0, brackets: 0, in_seq: false }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn span(&self) -> Span {
        self.peek().span
    }

    /// The position of the last token.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes `sym` if it is the next token.
    fn eat(&mut self, sym: &str) -> bool {
        let is = self.peek().is(sym);
        is.then(|| self.next()).is_some()
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is = self.peek().is_word(word);
        is.then(|| self.next()).is_some()
    }

    fn expect(&mut self, sym: &'static str) -> Parsed<()> {
        match self.eat(sym) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sym}`"))),
        }
    }

    fn name(&mut self) -> Parsed<(Sym, Span)> {
        match &self.peek().tok {
            Tok::Ident(name) if !is_keyword(name) => {
                let name = name.clone();
                let sym = Sym(self.to.names.intern(&name));
                let span = self.span();
                self.next();
                Ok((sym, span))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Reports an unexpected token.
    fn unexpected(&mut self, expected: &str) -> Reported {
        let token = self.peek();
        let problem =
            Problem::Unexpected { found: token.describe(), expected: expected.to_owned() };
        self.report(token.span, problem)
    }

    fn report(&mut self, span: Span, problem: Problem) -> Reported {
        self.to.errors.push((span, problem));
        Reported
    }

    /// A node, unless the tree is too deep.
    fn node(&mut self, kind: Kind, span: Span) -> Parsed<Expr> {
        let expr = Expr::new(kind, span.to(self.last_span()));
        match expr.depth <= MAX_DEPTH {
            true => Ok(expr),
            false => Err(self.report(span, Problem::TooDeep { limit: MAX_DEPTH })),
        }
    }

    fn fresh(&mut self) -> u32 {
        self.to.n_bodies += 1;
        self.to.n_bodies
    }

    fn later(&mut self, expr: Expr) -> Later {
        Arc::new(Body { id: self.fresh(), expr, free: OnceLock::new() })
    }

    /// The content of brackets, the first of which was taken; line breaks are ignored in it.
    fn bracketed<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.within(false, inside)
    }

    /// The same in `<...>` if it is a sequence.
    fn within<T>(
        &mut self,
        in_seq: bool,
        inside: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let outer = (self.brackets, std::mem::replace(&mut self.in_seq, in_seq));
        self.brackets += 1;
        let result = inside(self);
        // After an error the values may be others.
        (self.brackets, self.in_seq) = outer;
        result
    }

    /// Items separated by commas, up to the closing bracket `end`.
    fn list_to<T>(
        &mut self,
        end: &'static str,
        item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.bracketed(|p| {
            let all = p.list(&[end], item)?;
            p.expect(end)?;
            Ok(all)
        })
    }

    /// Items separated by commas, up to `end`, which is not taken.
    fn list<T>(
        &mut self,
        end: &[&str],
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut all = Vec::new();
        if end.iter().any(|sym| self.peek().is(sym)) {
            return Ok(all);
        }
        loop {
            all.push(item(self)?);
            if !self.eat(",") {
                return Ok(all);
            }
        }
    }
}

/// Words that cannot be names.
fn is_keyword(word: &str) -> bool {
    const WORDS: &str = "and or not if then else let within true false channel assert datatype subtype \
                         nametype external transparent module exports endmodule instance include \
                         Timed print";
    WORDS.split(' ').any(|known| known == word)
}
