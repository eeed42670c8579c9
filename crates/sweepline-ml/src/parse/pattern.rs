//! Patterns.

use super::{MAX_DEPTH, Parsed, Parser};
use crate::ast::{LongName, Pattern, PatternKind};
use crate::problem::Problem;
use crate::source::Span;
use crate::token::{Reserved, TokenKind};
use crate::types::Label;

impl Parser {
    pub(super) fn pattern_node(&mut self, kind: PatternKind, span: Span) -> Parsed<Pattern> {
        let depth = 1 + depth_below(&kind);
        if depth as usize > MAX_DEPTH {
            return self.fail(Problem::TooDeep { max: MAX_DEPTH }, span);
        }
        Ok(Pattern { kind, span, depth })
    }

    pub(crate) fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(Self::typed_pattern)
    }

    fn typed_pattern(&mut self) -> Parsed<Pattern> {
        let start = self.span();
        let mut pattern = self.infix_pattern()?;
        loop {
            if self.eat(Reserved::Colon) {
                let ty = self.type_expr()?;
                let span = self.since(start);
                pattern = self.pattern_node(PatternKind::Typed(Box::new(pattern), ty), span)?;
            } else if self.is(Reserved::As) {
                return self.as_pattern(pattern, start);
            } else {
                return Ok(pattern);
            }
        }
    }

    /// `name as pattern`, `name : type as pattern`. The parser is at `as`.
    fn as_pattern(&mut self, left: Pattern, start: Span) -> Parsed<Pattern> {
        let (left, ty) = match left.kind {
            PatternKind::Typed(inner, ty) => (*inner, Some(ty)),
            _ => (left, None),
        };
        let PatternKind::Name(LongName { path, name }) = left.kind else {
            return self.expected("a name before `as`", None);
        };
        if !path.is_empty() {
            return self.expected("a simple name before `as`", None);
        }
        self.expect(Reserved::As)?;
        let right = self.pattern()?;
        let span = self.since(start);
        self.pattern_node(PatternKind::As(name, ty, Box::new(right)), span)
    }

    fn infix_pattern(&mut self) -> Parsed<Pattern> {
        let mut operands = vec![self.applied_pattern()?];
        let mut operators = Vec::new();
        // `=` is an operator, but ends a pattern.
        while !self.is(Reserved::Equals)
            && let Some(operator) = self.operator()
        {
            operators.push(operator);
            operands.push(self.applied_pattern()?);
        }
        self.resolve(operands, &operators, &mut |parser, (name, ..), left, right| {
            let span = left.span.to(right.span);
            let pair = parser.pattern_node(PatternKind::Tuple(vec![left, right]), span)?;
            let name = LongName { path: Vec::new(), name: name.clone() };
            parser.pattern_node(PatternKind::Apply(name, Box::new(pair)), span)
        })
    }

    /// A constructor with its argument, or an atomic pattern.
    fn applied_pattern(&mut self) -> Parsed<Pattern> {
        let start = self.span();
        let Some(first) = self.atomic_pattern()? else {
            return self.expected("a pattern", None);
        };
        let PatternKind::Name(name) = &first.kind else { return Ok(first) };
        let name = name.clone();
        let Some(argument) = self.atomic_pattern()? else { return Ok(first) };
        let span = self.since(start);
        self.pattern_node(PatternKind::Apply(name, Box::new(argument)), span)
    }

    /// A pattern that needs no parentheses as an argument, if there is one.
    pub(super) fn atomic_pattern(&mut self) -> Parsed<Option<Pattern>> {
        let start = self.span();
        let kind = match self.peek().clone() {
            TokenKind::Name(name) if self.fixities.get(&name).is_some() => None,
            TokenKind::Name(_) | TokenKind::LongName(_) => {
                Some(PatternKind::Name(self.long_name("a name")?))
            }
            TokenKind::Reserved(word) => self.reserved_pattern(word)?,
            _ => self.constant().map(PatternKind::Constant),
        };
        let Some(kind) = kind else { return Ok(None) };
        let span = self.since(start);
        self.pattern_node(kind, span).map(Some)
    }

    fn reserved_pattern(&mut self, word: Reserved) -> Parsed<Option<PatternKind>> {
        self.advance();
        Ok(Some(match word {
            Reserved::Underscore => PatternKind::Wildcard,
            Reserved::Op => PatternKind::Name(self.op_name()?),
            Reserved::LeftParen => {
                let mut parts = self.comma_list(Reserved::RightParen, Self::pattern)?;
                match parts.len() {
                    1 => parts.remove(0).kind,
                    _ => PatternKind::Tuple(parts),
                }
            }
            Reserved::LeftBracket => {
                PatternKind::List(self.comma_list(Reserved::RightBracket, Self::pattern)?)
            }
            Reserved::LeftBrace => self.record_pattern()?,
            _ => {
                self.at -= 1;
                return Ok(None);
            }
        }))
    }

    fn record_pattern(&mut self) -> Parsed<PatternKind> {
        let listed = self.comma_list(Reserved::RightBrace, Self::field_pattern)?;
        let more = listed.iter().any(Option::is_none);
        Ok(PatternKind::Record { fields: listed.into_iter().flatten().collect(), more })
    }

    /// `...`, which returns `None`; `label = pattern`; or `label`, `label : type`, `label as pattern`, which
    /// bind a variable with the name of the label.
    fn field_pattern(&mut self) -> Parsed<Option<(Label, Pattern)>> {
        if self.eat(Reserved::Ellipsis) {
            return Ok(None);
        }
        let start = self.span();
        let label = self.label()?;
        if self.eat(Reserved::Equals) {
            return Ok(Some((label, self.pattern()?)));
        }
        let Label::Name(name) = &label else { return self.expected("`=`", None) };
        let name = LongName { path: Vec::new(), name: name.clone() };
        let mut pattern = self.pattern_node(PatternKind::Name(name), start)?;
        if self.eat(Reserved::Colon) {
            let ty = self.type_expr()?;
            let span = self.since(start);
            pattern = self.pattern_node(PatternKind::Typed(Box::new(pattern), ty), span)?;
        }
        if self.is(Reserved::As) {
            pattern = self.as_pattern(pattern, start)?;
        }
        Ok(Some((label, pattern)))
    }
}

fn depth_below(kind: &PatternKind) -> u32 {
    let deepest = |parts: &[Pattern]| parts.iter().map(|part| part.depth).max().unwrap_or(0);
    match kind {
        PatternKind::Wildcard | PatternKind::Constant(_) | PatternKind::Name(_) => 0,
        PatternKind::Record { fields, .. } => {
            fields.iter().map(|(_, part)| part.depth).max().unwrap_or(0)
        }
        PatternKind::Tuple(parts) => deepest(parts),
        // Each element is one `::` deeper.
        PatternKind::List(parts) => {
            deepest(parts) + u32::try_from(parts.len()).unwrap_or(u32::MAX / 2)
        }
        PatternKind::Apply(_, part) | PatternKind::Typed(part, _) | PatternKind::As(_, _, part) => {
            part.depth
        }
    }
}
