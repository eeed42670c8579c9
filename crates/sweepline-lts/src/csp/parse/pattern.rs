//! Patterns. They are parsed as expressions first, because only later tokens distinguish them.

use super::{Parsed, Parser};
use crate::csp::ast::{Binary, Expr, Items, Kind, Pattern, PatternKind};
use crate::problem::Problem;

impl Parser<'_> {
    /// The expression as a pattern.
    pub(super) fn pattern_of(&mut self, expr: &Expr) -> Parsed<Pattern> {
        let kind = match &expr.kind {
            Kind::Wildcard => PatternKind::Wildcard,
            Kind::Name(sym) => PatternKind::Name(*sym),
            Kind::Int(n) => PatternKind::Int(*n),
            Kind::Negate(inner) => match inner.kind {
                Kind::Int(n) => PatternKind::Int(-n),
                _ => return Err(self.no_pattern(expr)),
            },
            Kind::Bool(b) => PatternKind::Bool(*b),
            Kind::Str(text) => PatternKind::Str(text.clone()),
            Kind::Tuple(all) => PatternKind::Tuple(self.patterns_of(all)?),
            Kind::Dot(all) => PatternKind::Dot(self.patterns_of(all)?),
            Kind::Both(a, b) => {
                PatternKind::Both(Box::new(self.pattern_of(a)?), Box::new(self.pattern_of(b)?))
            }
            Kind::Set(Items::List(all, stmts)) if all.len() < 2 && stmts.is_empty() => {
                let inner = self.patterns_of(all)?.pop().map(Box::new);
                PatternKind::Set(inner)
            }
            Kind::Seq(_) | Kind::Binary(Binary::Concat, _) => self.seq_pattern_of(expr)?,
            _ => return Err(self.no_pattern(expr)),
        };
        Ok(Pattern { kind, span: expr.span })
    }

    pub(super) fn patterns_of(&mut self, all: &[Expr]) -> Parsed<Vec<Pattern>> {
        all.iter().map(|expr| self.pattern_of(expr)).collect()
    }

    /// `<a, b> ^ rest ^ <c>`.
    fn seq_pattern_of(&mut self, expr: &Expr) -> Parsed<PatternKind> {
        let (mut front, mut rest, mut back) = (Vec::new(), None, Vec::new());
        let mut parts = Vec::new();
        concatenated(expr, &mut parts);
        for part in parts {
            match &part.kind {
                Kind::Seq(Items::List(all, stmts)) if stmts.is_empty() => {
                    let all = self.patterns_of(all)?;
                    if rest.is_none() { &mut front } else { &mut back }.extend(all);
                }
                Kind::Seq(_) => return Err(self.no_pattern(part)),
                _ if rest.is_none() => rest = Some(Box::new(self.pattern_of(part)?)),
                _ => return Err(self.no_pattern(expr)),
            }
        }
        Ok(PatternKind::Seq { front, rest, back })
    }

    fn no_pattern(&mut self, expr: &Expr) -> super::Reported {
        self.report(expr.span, Problem::NoPattern)
    }
}

/// The operands of a chain of `^`, from the left.
fn concatenated<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        Kind::Binary(Binary::Concat, both) => both.iter().for_each(|e| concatenated(e, parts)),
        _ => parts.push(expr),
    }
}
