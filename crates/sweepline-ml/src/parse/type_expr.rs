//! Types.

use super::{Parsed, Parser};
use crate::ast::{TypeExpr, TypeKind};
use crate::problem::Problem;
use crate::source::Span;
use crate::token::{Reserved, TokenKind};
use crate::types::{Label, Symbol};

/// The most suffixes of a type, as in `int list list …`.
const MAX_SUFFIXES: usize = 50;

impl Parser {
    /// `a -> b`, right-associative.
    pub(crate) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.nested(|parser| {
            let start = parser.span();
            let from = parser.product_type()?;
            if !parser.eat(Reserved::Arrow) {
                return Ok(from);
            }
            let to = parser.type_expr()?;
            let kind = TypeKind::Arrow(Box::new(from), Box::new(to));
            Ok(TypeExpr { kind, span: parser.since(start) })
        })
    }

    fn product_type(&mut self) -> Parsed<TypeExpr> {
        let start = self.span();
        let mut parts = self.separated(|parser| parser.eat_name("*"), Self::suffixed_type)?;
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        Ok(TypeExpr { kind: TypeKind::Tuple(parts), span: self.since(start) })
    }

    /// `int list`, `(int, string) pair`.
    fn suffixed_type(&mut self) -> Parsed<TypeExpr> {
        let start = self.span();
        let mut arguments = self.atomic_type(start)?;
        let mut suffixes = 0;
        loop {
            let named = match self.peek() {
                TokenKind::Name(name) => &**name != "*" && self.fixities.get(name).is_none(),
                TokenKind::LongName(_) => true,
                _ => false,
            };
            if !named {
                break;
            }
            suffixes += 1;
            if suffixes > MAX_SUFFIXES {
                return self.fail(Problem::TooDeep { max: MAX_SUFFIXES }, start);
            }
            let name = self.long_name("a type")?;
            let kind = TypeKind::Named(name, arguments);
            arguments = vec![TypeExpr { kind, span: self.since(start) }];
        }
        match arguments.pop() {
            Some(ty) if arguments.is_empty() => Ok(ty),
            _ => self.expected("a type constructor after the type arguments", None),
        }
    }

    /// One type, or several in parentheses, which must be followed by a name.
    fn atomic_type(&mut self, start: Span) -> Parsed<Vec<TypeExpr>> {
        let kind = match self.peek().clone() {
            TokenKind::TypeVariable(name) => {
                self.advance();
                TypeKind::Variable(name.into())
            }
            TokenKind::Name(_) | TokenKind::LongName(_) => {
                TypeKind::Named(self.long_name("a type")?, Vec::new())
            }
            TokenKind::Reserved(Reserved::LeftParen) => {
                self.advance();
                return self.comma_list(Reserved::RightParen, Self::type_expr);
            }
            TokenKind::Reserved(Reserved::LeftBrace) => {
                self.advance();
                TypeKind::Record(self.comma_list(Reserved::RightBrace, Self::field_type)?)
            }
            _ => return self.expected("a type", None),
        };
        Ok(vec![TypeExpr { kind, span: self.since(start) }])
    }

    fn field_type(&mut self) -> Parsed<(Label, TypeExpr)> {
        let label = self.label()?;
        self.expect(Reserved::Colon)?;
        Ok((label, self.type_expr()?))
    }

    /// `'a`, `('a, 'b)` or nothing, before the name of a declaration.
    pub(super) fn type_variables(&mut self) -> Parsed<Vec<Symbol>> {
        if let TokenKind::TypeVariable(name) = self.peek() {
            let name = Symbol::from(&**name);
            self.advance();
            return Ok(vec![name]);
        }
        let listed = matches!(self.peek_at(1), TokenKind::TypeVariable(_));
        if !(self.is(Reserved::LeftParen) && listed) {
            return Ok(Vec::new());
        }
        self.advance();
        self.comma_list(Reserved::RightParen, |parser| match parser.peek().clone() {
            TokenKind::TypeVariable(name) => {
                parser.advance();
                Ok(name.into())
            }
            _ => parser.expected("a type variable", None),
        })
    }
}
