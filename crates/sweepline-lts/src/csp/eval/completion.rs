//! What completes an event or a value of a data type of which only some fields are given.

use std::collections::BTreeSet;
use std::rc::Rc;

use sweepline_source::Span;

use super::data::flattened;
use super::{Evaluated, Evaluator, MAX_SET, fail};
use crate::csp::value::{Endless, Set, Value};
use crate::problem::Problem;

/// A field whose value is given in part.
struct Begun {
    /// The members of its type that begin with the given part, each as its remaining fields.
    rows: Vec<Vec<Value>>,
    /// How many fields remain in each.
    width: usize,
}

impl Evaluator<'_> {
    /// All events or values that begin with `start`: the value itself if it has all its fields.
    pub(super) fn productions(&mut self, start: &Value, span: Span) -> Evaluated<Vec<Value>> {
        let rows = self.completions(&flattened([start]), usize::MAX, span)?;
        let extend = |row: Vec<Value>| {
            let all: Vec<_> = std::iter::once(start.clone()).chain(row).collect();
            self.dot(&all)
        };
        Ok(rows.into_iter().map(extend).collect())
    }

    /// The values of the next fields of `tokens`, at most `n` of them, such that more fields make a value of the type.
    pub(super) fn completions(
        &mut self,
        tokens: &[Value],
        n: usize,
        span: Span,
    ) -> Evaluated<Vec<Vec<Value>>> {
        let missing = self.missing(tokens, span)?;
        let n = n.min(missing.len());
        let Some(Begun { rows, width }) = self.begun(tokens, missing.len())? else {
            return self.combinations(&missing[..n], span);
        };
        let first: BTreeSet<Vec<Value>> =
            rows.into_iter().map(|row| row.into_iter().take(n).collect()).collect();
        let rest = self.combinations(&missing[width.min(n)..n], span)?;
        if first.len().saturating_mul(rest.len()) > MAX_SET {
            return fail(span, Problem::HugeSet { limit: MAX_SET });
        }
        let joined = |row: &Vec<Value>| {
            let row = row.clone();
            rest.iter().map(move |more| [row.as_slice(), more].concat())
        };
        Ok(first.iter().flat_map(joined).collect())
    }

    /// The field that ends `tokens`, if only a part of it is given and its type is a finite set. Not all combinations of
    /// its own fields need to be in that set.
    fn begun(&mut self, tokens: &[Value], n_missing: usize) -> Evaluated<Option<Begun>> {
        let Some(Value::Head(outer)) = tokens.first() else { return Ok(None) };
        let types = self.head_types(*outer)?;
        let (mut at, mut field) = (1, 0);
        while at < tokens.len() {
            let start = at;
            let mut open = 1;
            while open > 0 && at < tokens.len() {
                open -= 1;
                if let Value::Head(head) = &tokens[at] {
                    open += self.heads[head.0 as usize].arity;
                }
                at += 1;
            }
            if open > 0 {
                let Some(Set::Finite(members)) = types.get(field) else { return Ok(None) };
                let width = n_missing - (types.len() - field - 1);
                return Ok(Some(self.begun_with(members, &tokens[start..], width)));
            }
            field += 1;
        }
        Ok(None)
    }

    fn begun_with(&self, members: &Rc<[Value]>, given: &[Value], width: usize) -> Begun {
        let rest = |member: &Value| {
            let tokens = flattened([member]);
            let mut rest = tokens.strip_prefix(given)?;
            let mut fields = Vec::with_capacity(width);
            while !rest.is_empty() {
                fields.push(self.take_field(&mut rest));
            }
            Some(fields)
        };
        Begun { rows: members.iter().filter_map(rest).collect(), width }
    }

    /// The types of the missing fields of `tokens`, which begin with a head.
    pub(super) fn missing(&mut self, tokens: &[Value], span: Span) -> Evaluated<Vec<Set>> {
        let Some(Value::Head(_)) = tokens.first() else {
            let value = self.regroup(tokens);
            return self.wrong_kind(span, "a channel or an event", &value);
        };
        // The expected fields, the next one last.
        let mut expected: Vec<Set> = vec![Set::Endless(Endless::Type("Event"))];
        for token in tokens {
            if expected.pop().is_none() {
                return self.too_many_fields(tokens, span);
            }
            if let Value::Head(head) = token {
                let types = self.head_types(*head)?;
                expected.extend(types.iter().rev().cloned());
            }
        }
        expected.reverse();
        Ok(expected)
    }
}
