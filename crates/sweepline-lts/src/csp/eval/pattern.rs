//! Matches patterns with values.

use super::data::flattened;
use super::{Evaluated, Evaluator};
use crate::csp::ast::{Pattern, PatternKind};
use crate::csp::value::{Env, Set, Value};

impl Evaluator<'_> {
    /// Binds the variables of all patterns. Returns whether all match.
    pub(super) fn bind_all(
        &mut self,
        patterns: &[Pattern],
        values: &[Value],
        env: &mut Env,
    ) -> Evaluated<bool> {
        for (pattern, value) in patterns.iter().zip(values) {
            if !self.bind(pattern, value, env)? {
                return Ok(false);
            }
        }
        Ok(patterns.len() == values.len())
    }

    /// Binds the variables of `pattern`. Returns whether it matches. If not, some bindings may remain.
    pub(super) fn bind(
        &mut self,
        pattern: &Pattern,
        value: &Value,
        env: &mut Env,
    ) -> Evaluated<bool> {
        Ok(match (&pattern.kind, value) {
            (PatternKind::Wildcard, _) => true,
            (PatternKind::Name(name), _) => match self.head_by_name(*name) {
                Some(head) => *value == Value::Head(head),
                None => {
                    env.push(*name, value.clone());
                    true
                }
            },
            (PatternKind::Int(own), Value::Int(n)) => own == n,
            (PatternKind::Bool(own), Value::Bool(b)) => own == b,
            (PatternKind::Str(own), Value::Str(s)) => **own == **s,
            (PatternKind::Tuple(own), Value::Tuple(all)) => self.bind_all(own, all, env)?,
            (PatternKind::Both(a, b), _) => {
                self.bind(a, value, env)? && self.bind(b, value, env)?
            }
            (PatternKind::Seq { front, rest, back }, Value::Seq(all)) => {
                let n = front.len() + back.len();
                let fits = if rest.is_some() { all.len() >= n } else { all.len() == n };
                if !fits {
                    return Ok(false);
                }
                let (first, others) = all.split_at(front.len());
                let (middle, last) = others.split_at(others.len() - back.len());
                let rest_fits = match rest {
                    Some(rest) => self.bind(rest, &Value::Seq(middle.into()), env)?,
                    None => true,
                };
                rest_fits && self.bind_all(front, first, env)? && self.bind_all(back, last, env)?
            }
            (PatternKind::Set(own), Value::Set(set)) => {
                let members = match set {
                    Set::Endless(_) => return Ok(false),
                    _ => self.members(set, pattern.span)?,
                };
                match (own, &*members) {
                    (None, []) => true,
                    (Some(own), [only]) => self.bind(own, only, env)?,
                    _ => false,
                }
            }
            (PatternKind::Dot(own), _) => {
                let tokens = flattened([value]);
                let mut parts = Vec::new();
                own.iter().for_each(|part| flatten_pattern(part, &mut parts));
                self.bind_dots(&parts, &tokens, env)?
            }
            _ => false,
        })
    }

    /// Matches `a.b.c` with a dotted value: each part takes a field, the last one all remaining fields.
    fn bind_dots(
        &mut self,
        patterns: &[&Pattern],
        tokens: &[Value],
        env: &mut Env,
    ) -> Evaluated<bool> {
        let mut rest = tokens;
        for (index, pattern) in patterns.iter().enumerate() {
            if rest.is_empty() {
                return Ok(false);
            }
            let part = if self.is_literal(pattern) {
                let first = rest[0].clone();
                rest = &rest[1..];
                first
            } else if index + 1 == patterns.len() {
                self.regroup(std::mem::take(&mut rest))
            } else {
                self.take_field(&mut rest)
            };
            if !self.bind(pattern, &part, env)? {
                return Ok(false);
            }
        }
        Ok(rest.is_empty())
    }

    /// Whether the pattern matches exactly one token.
    fn is_literal(&self, pattern: &Pattern) -> bool {
        match &pattern.kind {
            PatternKind::Name(name) => self.head_by_name(*name).is_some(),
            PatternKind::Int(_) | PatternKind::Bool(_) | PatternKind::Str(_) => true,
            _ => false,
        }
    }

    /// How many fields of a channel a pattern takes, if it is not the last one.
    pub(super) fn n_fields(&self, pattern: &Pattern) -> usize {
        let mut parts = Vec::new();
        flatten_pattern(pattern, &mut parts);
        let mut n = 0;
        let mut rest = parts.as_slice();
        while !rest.is_empty() {
            self.skip_field(&mut rest);
            n += 1;
        }
        n
    }

    fn skip_field(&self, rest: &mut &[&Pattern]) {
        let Some((first, others)) = rest.split_first() else { return };
        *rest = others;
        if let PatternKind::Name(name) = first.kind
            && let Some(head) = self.head_by_name(name)
        {
            for _ in 0..self.heads[head.0 as usize].arity {
                self.skip_field(rest);
            }
        }
    }
}

fn flatten_pattern<'p>(pattern: &'p Pattern, parts: &mut Vec<&'p Pattern>) {
    match &pattern.kind {
        PatternKind::Dot(all) => all.iter().for_each(|part| flatten_pattern(part, parts)),
        _ => parts.push(pattern),
    }
}
