//! Declarations.

use std::sync::{Arc, OnceLock};

use sweepline_source::Span;

use super::expr::OPERAND;
use super::{Parsed, Parser};
use crate::csp::ast::{
    Assert, Claim, Clause, Decl, Definition, Expr, Head, Kind, Lambda, Let, Pattern, Sym,
};
use crate::csp::lex::Tok;
use crate::problem::Problem;

/// One declaration, before the clauses of a function are joined.
enum Line {
    Clause(Sym, Span, Clause),
    Several(Vec<Definition>),
    Other(Decl),
    Include(Span, String),
    Nothing,
}

impl Parser<'_> {
    /// All declarations of the text; returns the files that it includes.
    pub(super) fn declarations(&mut self) -> Vec<(Span, String)> {
        let mut includes = Vec::new();
        while self.peek().tok != Tok::End {
            let from = self.at;
            let line = self.declaration().and_then(|line| match self.ends_here() {
                true => Ok(line),
                false => Err(self.unexpected("the end of the declaration")),
            });
            match line {
                Ok(Line::Clause(name, span, clause)) => match self.to.decls.last_mut() {
                    Some(Decl::Define(last))
                        if last.arity() > 0 && last.continues(name, &clause) =>
                    {
                        last.add(clause, span, &mut self.to.errors);
                    }
                    _ => self.to.decls.push(Decl::Define(Definition::new(name, span, clause))),
                },
                Ok(Line::Several(definitions)) => {
                    self.to.decls.extend(definitions.into_iter().map(Decl::Define));
                }
                Ok(Line::Other(decl)) => self.to.decls.push(decl),
                Ok(Line::Include(span, path)) => includes.push((span, path)),
                Ok(Line::Nothing) => {}
                Err(_) => self.recover(from),
            }
        }
        includes
    }

    /// Whether the declaration ends here: at the end of a line.
    fn ends_here(&self) -> bool {
        self.peek().starts_line || self.peek().tok == Tok::End
    }

    /// Skips to the next line that may start a declaration.
    fn recover(&mut self, from: usize) {
        (self.depth, self.brackets, self.in_seq) = (0, 0, false);
        self.at = self.at.max(from + 1).min(self.tokens.len() - 1);
        loop {
            let token = self.peek();
            let starts = token.starts_line
                && matches!(token.tok, Tok::Ident(_))
                && self.is_at_margin(token.span);
            if starts || token.tok == Tok::End {
                return;
            }
            self.next();
        }
    }

    /// Whether it is the first token in its line.
    fn is_at_margin(&self, span: Span) -> bool {
        let text = &self.to.sources[span.source.index()].text;
        text[..span.start as usize].chars().next_back().is_none_or(|c| c == '\n')
    }

    fn declaration(&mut self) -> Parsed<Line> {
        let start = self.span();
        let word = match &self.peek().tok {
            Tok::Ident(word) => word.clone(),
            _ => String::new(),
        };
        let decl = match word.as_str() {
            "channel" => self.channels()?,
            "datatype" => self.datatype()?,
            "subtype" => self.subtype()?,
            "nametype" => self.nametype()?,
            "transparent" | "external" => {
                self.next();
                Decl::Known(self.list(&[], Self::name)?)
            }
            "assert" => self.assertion()?,
            "include" => return self.include(),
            "module" => return self.module().map(|()| Line::Nothing),
            "instance" => return self.instance().map(|()| Line::Nothing),
            "endmodule" | "exports" => return Err(self.unexpected("a declaration")),
            "Timed" => {
                let what = "timed sections (`Timed`)".to_owned();
                return Err(self.report(start, Problem::Unsupported { what }));
            }
            _ => return self.definition(),
        };
        Ok(Line::Other(decl))
    }

    /// `include "file"`.
    fn include(&mut self) -> Parsed<Line> {
        self.next();
        let span = self.span();
        match self.next().tok {
            Tok::Str(path) => Ok(Line::Include(span, path)),
            _ => {
                self.at -= 1;
                Err(self.unexpected("a file name in double quotes"))
            }
        }
    }

    /// `f(p, q) = e`, `x = e`, `(a, b) = e`, or `f :: type`.
    fn definition(&mut self) -> Parsed<Line> {
        if self.is_type_annotation() {
            return self.type_annotation();
        }
        let left = self.expr(OPERAND)?;
        self.expect("=")?;
        let body = self.expr(0)?;
        let span = left.span;
        if let Some((name, params)) = self.function(&left)? {
            return Ok(Line::Clause(name, span, Clause { params, body }));
        }
        let pattern = self.pattern_of(&left)?;
        self.binding(&pattern, body).map(Line::Several)
    }

    /// `(a, b) = e`: the value gets a name that scripts cannot contain, and each variable is a part of it.
    fn binding(&mut self, pattern: &Pattern, value: Expr) -> Parsed<Vec<Definition>> {
        let span = pattern.span;
        let whole = format!("binding {}", self.fresh());
        let whole = Sym(self.to.names.intern(&whole));
        let constant = |name, body| Definition {
            name,
            span,
            clauses: vec![Clause { params: Vec::new(), body }],
            is_part: true,
        };
        let mut definitions = vec![constant(whole, value)];
        let mut names = Vec::new();
        pattern.each_name(&mut |name| names.push(name));
        for name in names {
            let own = self.node(Kind::Name(name), span)?;
            let (params, body) = (vec![pattern.clone()], self.later(own));
            let lambda = Lambda { params, body, free: OnceLock::new() };
            let lambda = self.node(Kind::Lambda(Arc::new(lambda)), span)?;
            let argument = self.node(Kind::Name(whole), span)?;
            let part = self.node(Kind::Call(Box::new(lambda), vec![argument]), span)?;
            definitions.push(constant(name, part));
        }
        Ok(definitions)
    }

    /// The name and parameters of `f(p)(q)`; `None` for a pattern.
    fn function(&mut self, left: &Expr) -> Parsed<Option<(Sym, Vec<Vec<Pattern>>)>> {
        match &left.kind {
            Kind::Name(name) => Ok(Some((*name, Vec::new()))),
            Kind::Call(callee, args) => {
                let Some((name, mut params)) = self.function(callee)? else { return Ok(None) };
                params.push(self.patterns_of(args)?);
                Ok(Some((name, params)))
            }
            _ => Ok(None),
        }
    }

    /// Whether names and `::` come next; a name in a module has no blanks around its `::`.
    fn is_type_annotation(&self) -> bool {
        let mut rest = self.tokens[self.at..].iter();
        loop {
            match (rest.next(), rest.next()) {
                (Some(name), Some(next)) if matches!(name.tok, Tok::Ident(_)) => {
                    if next.is("::") {
                        let behind = rest.next().map_or(next.span.end, |token| token.span.start);
                        return name.span.end < next.span.start || next.span.end < behind;
                    }
                    if !next.is(",") {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }

    /// `f, g :: (Int) -> Proc`: types are skipped, not checked.
    fn type_annotation(&mut self) -> Parsed<Line> {
        self.name()?;
        while self.eat(",") {
            self.name()?;
        }
        self.expect("::")?;
        let mut goes_on = true;
        while self.peek().tok != Tok::End && (goes_on || !self.peek().starts_line) {
            let token = self.next();
            goes_on = ["->", ",", ".", "=>", "=>*", "("].iter().any(|sym| token.is(sym));
        }
        Ok(Line::Nothing)
    }

    /// `channel a, b : T.U`.
    fn channels(&mut self) -> Parsed<Decl> {
        self.next();
        let names = self.list(&[], Self::name)?;
        let typed = self.eat(":");
        let from = self.at;
        let mut heads = Vec::new();
        for (name, span) in names {
            // The type is parsed again for each name, because an expression has one owner.
            self.at = from;
            let fields = if typed { Some(self.expr(0)?) } else { None };
            heads.push(Head { name, span, fields });
        }
        Ok(Decl::Channels(heads))
    }

    /// `datatype T = A | B.S`.
    fn datatype(&mut self) -> Parsed<Decl> {
        self.next();
        let (name, span) = self.name()?;
        self.expect("=")?;
        let mut constructors = Vec::new();
        loop {
            let (constructor, at) = self.name()?;
            let fields = if self.eat(".") { Some(self.expr(OPERAND)?) } else { None };
            constructors.push(Head { name: constructor, span: at, fields });
            if !self.eat("|") {
                return Ok(Decl::Datatype { name, span, constructors });
            }
        }
    }

    fn subtype(&mut self) -> Parsed<Decl> {
        self.next();
        let (name, span) = self.name()?;
        self.expect("=")?;
        let mut parts = Vec::new();
        loop {
            parts.push(self.expr(OPERAND)?);
            if !self.eat("|") {
                return Ok(Decl::Subtype { name, span, parts });
            }
        }
    }

    fn nametype(&mut self) -> Parsed<Decl> {
        self.next();
        let (name, span) = self.name()?;
        self.expect("=")?;
        Ok(Decl::Nametype { name, span, of: self.expr(0)? })
    }

    /// `assert not P [T= Q`, `assert P :[deadlock free]`.
    fn assertion(&mut self) -> Parsed<Decl> {
        let start = self.next().span;
        let negated = self.eat_word("not");
        let of = self.expr(0)?;
        let of = self.later(of);
        let mut claim = match self.next().tok {
            Tok::Refines(model) => {
                let right = self.expr(0)?;
                Claim::Refines { model, spec: of, of: self.later(right), options: Vec::new() }
            }
            Tok::Property(text) => {
                let argument = self.property_argument()?;
                let argument = argument.map(|argument| self.later(argument));
                Claim::Property { text, of, argument, options: Vec::new() }
            }
            _ => {
                self.at -= 1;
                return Err(self
                    .unexpected("`[T=`, `[F=`, `[FD=` or a property such as `:[deadlock free]`"));
            }
        };
        while let Tok::Property(text) = &self.peek().tok {
            let text = text.clone();
            self.next();
            self.property_argument()?;
            let (Claim::Refines { options, .. } | Claim::Property { options, .. }) = &mut claim;
            options.push(text);
        }
        let span = start.to(self.last_span());
        Ok(Decl::Assert(Assert { span, negated, claim }))
    }

    /// The argument of a property, such as a trace or priorities.
    fn property_argument(&mut self) -> Parsed<Option<Expr>> {
        match self.ends_here() || matches!(self.peek().tok, Tok::Property(_)) {
            true => Ok(None),
            false => self.expr(0).map(Some),
        }
    }

    /// The definitions between `let` and `within`.
    pub(super) fn let_group(&mut self) -> Parsed<Let> {
        // Line breaks separate definitions, even inside of brackets.
        let brackets = std::mem::replace(&mut self.brackets, 0);
        let in_seq = std::mem::replace(&mut self.in_seq, false);
        let mut decls: Vec<Definition> = Vec::new();
        while !self.peek().is_word("within") {
            let start = self.span();
            if self.peek().is_word("module") || self.peek().is_word("instance") {
                return Err(self.report(start, Problem::NotInLet));
            }
            match self.declaration()? {
                Line::Clause(name, span, clause) => match decls.last_mut() {
                    Some(last) if last.continues(name, &clause) => {
                        last.add(clause, span, &mut self.to.errors);
                    }
                    _ => decls.push(Definition::new(name, span, clause)),
                },
                Line::Other(decl @ Decl::Known(_)) => self.to.decls.push(decl),
                Line::Nothing => {}
                Line::Several(definitions) => decls.extend(definitions),
                _ => return Err(self.report(start, Problem::NotInLet)),
            }
            if !self.ends_here() && !self.peek().is_word("within") {
                return Err(self.unexpected("the end of the definition"));
            }
        }
        (self.brackets, self.in_seq) = (brackets, in_seq);
        Ok(Let { id: self.fresh(), decls, free: OnceLock::new() })
    }
}

impl Definition {
    /// Whether a clause after it is one of the same function.
    fn continues(&self, name: Sym, clause: &Clause) -> bool {
        self.name == name && !clause.params.is_empty()
    }

    /// Adds a clause, which must have as many arguments as the first.
    fn add(&mut self, clause: Clause, span: Span, errors: &mut Vec<(Span, Problem)>) {
        let shape = |clause: &Clause| clause.params.iter().map(Vec::len).collect::<Vec<_>>();
        match shape(&clause) == shape(&self.clauses[0]) {
            true => self.clauses.push(clause),
            false => errors.push((span, Problem::ClausesDiffer)),
        }
    }
}
