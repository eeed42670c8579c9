//! Colour set declarations: `colset A = product B * C timed;`.

use super::{Parsed, Parser};
use crate::ast::{ColourSetDecl, Expr};
use crate::colour::ColourSetSyntax;
use crate::token::{Reserved, TokenKind};
use crate::types::Symbol;

impl Parser {
    /// Parses the declaration after `colset`.
    pub(super) fn colour_set(&mut self) -> Parsed<ColourSetDecl> {
        let span = self.span();
        let name = self.name("the name of the colour set")?;
        self.expect(Reserved::Equals)?;
        let kind = self.colour_set_kind()?;
        let mut declares = Vec::new();
        let mut timed = self.eat_name("timed");
        if self.eat_name("declare") {
            let function = |parser: &mut Self| parser.name("a function to declare");
            declares = self.separated(|parser| parser.eat(Reserved::Comma), function)?;
            timed |= self.eat_name("timed");
        }
        Ok(ColourSetDecl { name, span, kind, declares, timed })
    }

    fn colour_set_kind(&mut self) -> Parsed<ColourSetSyntax> {
        if self.eat(Reserved::With) {
            let value = |parser: &mut Self| parser.name("a value");
            let values = self.separated(|parser| parser.eat(Reserved::Bar), value)?;
            return Ok(ColourSetSyntax::Enum { values });
        }
        let first = self.name("a kind of colour set")?;
        match &*first {
            "unit" => {
                let token = self.optional(Reserved::With, |parser| parser.name("the token"))?;
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
                let components = self.separated(|parser| parser.eat_name("*"), Self::set_name)?;
                Ok(ColourSetSyntax::Product { components })
            }
            "record" => self.record_set(),
            "list" => {
                let element = self.set_name()?;
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
        let length = self.optional(Reserved::And, Self::bounds)?;
        Ok(ColourSetSyntax::String { characters, length })
    }

    fn record_set(&mut self) -> Parsed<ColourSetSyntax> {
        let field = |parser: &mut Self| {
            let label = parser.name("a label")?;
            parser.expect(Reserved::Colon)?;
            Ok((label, parser.set_name()?))
        };
        Ok(ColourSetSyntax::Record {
            fields: self.separated(|parser| parser.eat_name("*"), field)?,
        })
    }

    fn union_set(&mut self) -> Parsed<ColourSetSyntax> {
        let constructor = |parser: &mut Self| {
            let constructor = parser.name("a constructor")?;
            Ok((constructor, parser.optional(Reserved::Colon, Self::set_name)?))
        };
        let constructors = self.separated(|parser| parser.eat_name("+"), constructor)?;
        Ok(ColourSetSyntax::Union { constructors })
    }

    fn set_name(&mut self) -> Parsed<Symbol> {
        self.name("a colour set")
    }

    fn subset(&mut self) -> Parsed<ColourSetSyntax> {
        let of = self.set_name()?;
        if self.eat_name("by") {
            return Ok(ColourSetSyntax::SubsetBy { of, predicate: self.bound()? });
        }
        self.expect(Reserved::With)?;
        Ok(ColourSetSyntax::SubsetWith { of, values: self.bound()? })
    }

    fn with_bounds(&mut self) -> Parsed<Option<(Expr, Expr)>> {
        self.optional(Reserved::With, Self::bounds)
    }

    /// `low..high`.
    fn bounds(&mut self) -> Parsed<(Expr, Expr)> {
        let low = self.bound()?;
        self.expect_with_help(Reserved::DotDot, "write a range as `low..high`")?;
        Ok((low, self.bound()?))
    }

    /// An expression that ends before `timed` or `declare`.
    fn bound(&mut self) -> Parsed<Expr> {
        let stop = (self.at..self.tokens.len()).find(|&at| {
            matches!(&self.tokens[at].kind, TokenKind::Name(name)
                if matches!(&**name, "timed" | "declare"))
        });
        match stop {
            Some(stop) => self.expr_before(stop),
            None => self.expr(),
        }
    }
}
