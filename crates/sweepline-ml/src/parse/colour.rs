//! Colour sets as they are typed: `colset A = product B * C timed;`.

use super::{Parsed, Parser};
use crate::ast::{ColourSetDecl, Expr};
use crate::colour::ColourSetSyntax;
use crate::token::{Reserved, TokenKind};
use crate::types::Symbol;

impl Parser {
    /// What follows `colset`.
    pub(super) fn colour_set(&mut self) -> Parsed<ColourSetDecl> {
        let span = self.span();
        let name = self.name("the name of the colour set")?;
        self.expect(Reserved::Equals)?;
        let kind = self.colour_set_kind()?;
        let mut declares = Vec::new();
        let mut timed = self.eat_name("timed");
        if self.eat_name("declare") {
            loop {
                declares.push(self.name("a function to declare")?);
                if !self.eat(Reserved::Comma) {
                    break;
                }
            }
            timed |= self.eat_name("timed");
        }
        Ok(ColourSetDecl { name, span, kind, declares, timed })
    }

    fn colour_set_kind(&mut self) -> Parsed<ColourSetSyntax> {
        if self.eat(Reserved::With) {
            return Ok(ColourSetSyntax::Enum { values: self.bar_list()? });
        }
        let first = self.name("a kind of colour set")?;
        match &*first {
            "unit" => {
                let with = self.eat(Reserved::With);
                let token = if with { Some(self.name("the token")?) } else { None };
                Ok(ColourSetSyntax::Unit { token })
            }
            "bool" => self.bool_set(),
            "int" => Ok(ColourSetSyntax::Int { range: self.with_bounds()? }),
            "intinf" => Ok(ColourSetSyntax::IntInf { range: self.with_bounds()? }),
            "real" => Ok(ColourSetSyntax::Real { range: self.with_bounds()? }),
            "time" => Ok(ColourSetSyntax::Time),
            "string" => self.string_set(),
            "index" => {
                let name = self.name("the name of the index")?;
                self.expect(Reserved::With)?;
                let (low, high) = self.bounds()?;
                Ok(ColourSetSyntax::Index { name, low, high })
            }
            "product" => {
                let mut components = vec![self.name("a colour set")?];
                while self.eat_name("*") {
                    components.push(self.name("a colour set")?);
                }
                Ok(ColourSetSyntax::Product { components })
            }
            "record" => self.record_set(),
            "list" => {
                let element = self.name("a colour set")?;
                let length = self.with_bounds()?;
                Ok(ColourSetSyntax::List { element, length })
            }
            "union" => self.union_set(),
            "subset" => self.subset(),
            _ => Ok(ColourSetSyntax::Alias { of: first }),
        }
    }

    fn bool_set(&mut self) -> Parsed<ColourSetSyntax> {
        if !self.eat(Reserved::With) {
            return Ok(ColourSetSyntax::Bool { names: None });
        }
        self.expect(Reserved::LeftParen)?;
        let no = self.name("the name of false")?;
        self.expect(Reserved::Comma)?;
        let yes = self.name("the name of true")?;
        self.expect(Reserved::RightParen)?;
        Ok(ColourSetSyntax::Bool { names: Some((no, yes)) })
    }

    fn string_set(&mut self) -> Parsed<ColourSetSyntax> {
        let characters = self.with_bounds()?;
        let length = match self.eat(Reserved::And) {
            true => Some(self.bounds()?),
            false => None,
        };
        Ok(ColourSetSyntax::String { characters, length })
    }

    fn record_set(&mut self) -> Parsed<ColourSetSyntax> {
        let mut fields = Vec::new();
        loop {
            let label = self.name("a label")?;
            self.expect(Reserved::Colon)?;
            fields.push((label, self.name("a colour set")?));
            if !self.eat_name("*") {
                return Ok(ColourSetSyntax::Record { fields });
            }
        }
    }

    fn union_set(&mut self) -> Parsed<ColourSetSyntax> {
        let mut constructors = Vec::new();
        loop {
            let constructor = self.name("a constructor")?;
            let typed = self.eat(Reserved::Colon);
            let ty = if typed { Some(self.name("a colour set")?) } else { None };
            constructors.push((constructor, ty));
            if !self.eat_name("+") {
                return Ok(ColourSetSyntax::Union { constructors });
            }
        }
    }

    fn subset(&mut self) -> Parsed<ColourSetSyntax> {
        let of = self.name("a colour set")?;
        if self.eat_name("by") {
            return Ok(ColourSetSyntax::SubsetBy { of, predicate: self.bound()? });
        }
        self.expect(Reserved::With)?;
        Ok(ColourSetSyntax::SubsetWith { of, values: self.bound()? })
    }

    fn bar_list(&mut self) -> Parsed<Vec<Symbol>> {
        let mut names = vec![self.name("a value")?];
        while self.eat(Reserved::Bar) {
            names.push(self.name("a value")?);
        }
        Ok(names)
    }

    fn with_bounds(&mut self) -> Parsed<Option<(Expr, Expr)>> {
        match self.eat(Reserved::With) {
            true => self.bounds().map(Some),
            false => Ok(None),
        }
    }

    /// `low..high`.
    fn bounds(&mut self) -> Parsed<(Expr, Expr)> {
        let low = self.bound()?;
        if !self.is(Reserved::DotDot) {
            return self.expected("`..`", Some("write a range as `low..high`"));
        }
        self.advance();
        Ok((low, self.bound()?))
    }

    /// An expression in which `timed` and `declare` are not arguments.
    fn bound(&mut self) -> Parsed<Expr> {
        let stop = (self.at..self.tokens.len()).find(|&at| {
            matches!(&self.tokens[at].kind, TokenKind::Name(name)
                if matches!(&**name, "timed" | "declare"))
        });
        let Some(stop) = stop else { return self.expr() };
        let kind = std::mem::replace(
            &mut self.tokens[stop].kind,
            TokenKind::Reserved(Reserved::Semicolon),
        );
        let bound = self.expr();
        self.tokens[stop].kind = kind;
        bound
    }
}
