//! Dotted values, types and sets.

use std::collections::BTreeSet;
use std::rc::Rc;

use sweepline_source::Span;

use super::{Evaluated, Evaluator, MAX_FIELDS, MAX_SET, fail};
use crate::csp::ast::{Expr, Head, Kind};
use crate::csp::value::{Endless, Env, HeadId, Set, Value};
use crate::problem::Problem;

/// Messages print at most this many characters of a value.
const MAX_SHOWN: usize = 120;

impl Evaluator<'_> {
    /// Values joined by dots, grouped by the heads among them.
    pub(super) fn dot(&self, values: &[Value]) -> Value {
        self.regroup(&flattened(values))
    }

    /// The value of a list of tokens.
    pub(super) fn regroup(&self, tokens: &[Value]) -> Value {
        let mut rest = tokens;
        let mut fields = Vec::new();
        while !rest.is_empty() {
            fields.push(self.take_field(&mut rest));
        }
        joined(fields)
    }

    /// Removes one field from `rest`: a value, or a head with its own fields.
    pub(super) fn take_field(&self, rest: &mut &[Value]) -> Value {
        let (first, others) = rest.split_first().expect("a token");
        *rest = others;
        let Value::Head(head) = first else { return first.clone() };
        let mut parts = vec![first.clone()];
        for _ in 0..self.heads[head.0 as usize].arity {
            if rest.is_empty() {
                break;
            }
            parts.push(self.take_field(rest));
        }
        joined(parts)
    }

    /// The types of the fields of a channel or constructor.
    pub(super) fn head_types(&mut self, head: HeadId) -> Evaluated<Rc<[Set]>> {
        let info = &self.heads[head.0 as usize];
        if let Some(types) = &info.types {
            return Ok(types.clone());
        }
        let types: Rc<[Set]> = match &info.decl.fields {
            Some(of) => self.field_types(of)?.into(),
            None => [].into(),
        };
        self.heads[head.0 as usize].types = Some(types.clone());
        Ok(types)
    }

    /// The fields of a type: `A.B` has two.
    pub(super) fn field_types(&mut self, of: &Expr) -> Evaluated<Vec<Set>> {
        let parts = match &of.kind {
            Kind::Dot(parts) => parts.as_slice(),
            _ => std::slice::from_ref(of),
        };
        let mut types = Vec::new();
        for part in parts {
            let value = self.eval(part, &mut Env::default())?;
            match self.as_type(value, part.span)? {
                Set::Product(inner) => types.extend(inner.iter().cloned()),
                Set::Finite(members) => types.extend(self.columns(members, part.span)?),
                other => types.push(other),
            }
            self.few_fields(types.len(), part.span)?;
        }
        Ok(types)
    }

    pub(super) fn few_fields(&self, n: usize, span: Span) -> Evaluated<()> {
        match n <= MAX_FIELDS {
            true => Ok(()),
            false => {
                let what = format!("types with more than {MAX_FIELDS} fields");
                fail(span, Problem::Unsupported { what })
            }
        }
    }

    /// The fields of a type with dotted members: `{0.a, 0.b, 1.a, 1.b}` has two.
    fn columns(&self, members: Rc<[Value]>, span: Span) -> Evaluated<Vec<Set>> {
        let width = |value: &Value| match value {
            Value::Dot(parts) if !matches!(parts[0], Value::Head(_)) => parts.len(),
            _ => 1,
        };
        let n = members.first().map_or(1, width);
        if n == 1 && members.iter().all(|member| width(member) == 1) {
            return Ok(vec![Set::Finite(members)]);
        }
        let mut columns = vec![BTreeSet::new(); n];
        for member in members.iter() {
            if let Value::Dot(parts) = member
                && parts.len() == n
            {
                columns.iter_mut().zip(parts.iter()).for_each(|(all, part)| {
                    all.insert(part.clone());
                });
            }
        }
        // Each field has its own type, so all combinations must be members.
        if columns.iter().map(BTreeSet::len).product::<usize>() != members.len() {
            let what = "types of dotted values that are not a product of sets".to_owned();
            return fail(span, Problem::Unsupported { what });
        }
        Ok(columns.into_iter().map(|all| Set::Finite(all.into_iter().collect())).collect())
    }

    /// A value as a type: a set, or a tuple of sets.
    fn as_type(&mut self, value: Value, span: Span) -> Evaluated<Set> {
        match value {
            Value::Set(set) => Ok(set),
            Value::Tuple(parts) => {
                let mut sets = Vec::new();
                for part in parts.iter() {
                    sets.push(self.as_type(part.clone(), span)?);
                }
                let rows = self.combinations(&sets, span)?;
                let tuples = rows.into_iter().map(|row| Value::Tuple(row.into())).collect();
                match Value::set(tuples) {
                    Value::Set(set) => Ok(set),
                    _ => unreachable!("a set"),
                }
            }
            other => self.wrong_kind(span, "a type (a set of values)", &other),
        }
    }

    /// All values of a data type.
    pub(super) fn datatype(&mut self, constructors: &[Head], span: Span) -> Evaluated<Value> {
        let mut all = Vec::new();
        for constructor in constructors {
            let head = self.head_by_name(constructor.name).expect("it was declared");
            let types = self.head_types(head)?;
            if let Some(endless) = types.iter().find(|set| matches!(set, Set::Endless(_))) {
                return Ok(Value::Set(endless.clone()));
            }
            for row in self.combinations(&types, span)? {
                let head = std::iter::once(Value::Head(head));
                all.push(self.dot(&head.chain(row).collect::<Vec<_>>()));
            }
        }
        Ok(Value::set(all))
    }

    /// The values of the parts of a subtype.
    pub(super) fn subtype(&mut self, parts: &[Expr]) -> Evaluated<Value> {
        let mut all = Vec::new();
        for part in parts {
            let (head, fields) = match &part.kind {
                Kind::Dot(dots) => (&dots[0], &dots[1..]),
                _ => (part, &[][..]),
            };
            let head = self.eval(head, &mut Env::default())?;
            let mut types = Vec::new();
            for field in fields {
                types.extend(self.field_types(field)?);
            }
            for row in self.combinations(&types, part.span)? {
                let values: Vec<_> = std::iter::once(head.clone()).chain(row).collect();
                let start = self.dot(&values);
                all.extend(self.productions(&start, part.span)?);
            }
        }
        Ok(Value::set(all))
    }

    /// Every choice of one member of each set.
    pub(super) fn combinations(&mut self, sets: &[Set], span: Span) -> Evaluated<Vec<Vec<Value>>> {
        let mut rows = vec![Vec::new()];
        for set in sets {
            let members = self.members(set, span)?;
            if rows.len().saturating_mul(members.len()) > MAX_SET {
                return fail(span, Problem::HugeSet { limit: MAX_SET });
            }
            let extended = |row: &Vec<Value>| {
                let row = row.clone();
                members.iter().map(move |member| {
                    row.iter().cloned().chain(std::iter::once(member.clone())).collect()
                })
            };
            rows = rows.iter().flat_map(extended).collect();
        }
        Ok(rows)
    }

    /// All members, in order.
    pub(super) fn members(&mut self, set: &Set, span: Span) -> Evaluated<Rc<[Value]>> {
        match set {
            Set::Finite(members) => Ok(members.clone()),
            Set::Product(sets) => {
                let rows = self.combinations(sets, span)?;
                let mut all: Vec<_> = rows.iter().map(|row| self.dot(row)).collect();
                all.sort_unstable();
                Ok(all.into())
            }
            Set::Endless(_) => {
                let what = format!("`{}`", self.show(&Value::Set(set.clone())));
                fail(span, Problem::Infinite { what })
            }
        }
    }

    pub(super) fn contains(&self, set: &Set, value: &Value) -> bool {
        match set {
            Set::Finite(members) => members.binary_search(value).is_ok(),
            Set::Product(sets) => match value {
                Value::Dot(parts) => {
                    parts.len() == sets.len()
                        && sets.iter().zip(parts.iter()).all(|(set, v)| self.contains(set, v))
                }
                _ => false,
            },
            Set::Endless(endless) => match (endless, value) {
                (Endless::Ints, Value::Int(_)) => true,
                (Endless::From(least), Value::Int(n)) => n >= least,
                (Endless::Seqs(of), Value::Seq(all)) => all.iter().all(|v| self.contains(of, v)),
                (Endless::Datatype(_), Value::Head(_) | Value::Dot(_)) => true,
                (Endless::Type("Proc"), Value::Process(_)) => true,
                (Endless::Type("String"), Value::Str(_)) => true,
                _ => false,
            },
        }
    }

    pub(super) fn too_many_fields<T>(&self, tokens: &[Value], span: Span) -> Evaluated<T> {
        let shown: Vec<_> = tokens.iter().map(|token| self.show(token)).collect();
        let Some(Value::Head(head)) = tokens.first() else { unreachable!("it starts with a head") };
        let info = &self.heads[head.0 as usize];
        let (event, channel) = (shown.join("."), self.name(info.name).to_owned());
        fail(span, Problem::FieldCount { event, channel, expected: info.arity })
    }

    /// The error for an input after the last field of `value`.
    pub(super) fn no_field_left<T>(&self, value: &Value, span: Span) -> Evaluated<T> {
        self.too_many_fields(&flattened([value]), span)
    }

    /// `value` as one event, which must have all its fields, each of its type.
    pub(super) fn check_event(&mut self, value: &Value, span: Span) -> Evaluated<()> {
        let parts = match value {
            Value::Dot(parts) => parts.clone(),
            other => [other.clone()].into(),
        };
        let Value::Head(head) = parts[0] else {
            // There are more fields than the channel has.
            return match &parts[0] {
                Value::Dot(inner) if matches!(inner[0], Value::Head(_)) => {
                    self.no_field_left(value, span)
                }
                _ => self.wrong_kind(span, "an event", value),
            };
        };
        if !self.heads[head.0 as usize].is_channel {
            return self.wrong_kind(span, "an event", value);
        }
        let types = self.head_types(head)?;
        if parts.len() != types.len() + 1 {
            return self.too_many_fields(&parts, span);
        }
        for (index, (set, part)) in types.iter().zip(&parts[1..]).enumerate() {
            if !self.contains(set, part) {
                let channel = self.name(self.heads[head.0 as usize].name).to_owned();
                let shown: Vec<_> =
                    types.iter().map(|set| self.show(&Value::Set(set.clone()))).collect();
                let (event, carries) = (self.show(value), shown.join("."));
                let field = index + 1;
                return fail(span, Problem::NotInType { event, channel, field, carries });
            }
        }
        Ok(())
    }

    /// A value for a message, shortened.
    pub(in crate::csp) fn show(&self, value: &Value) -> String {
        let mut text = String::new();
        self.show_into(value, &mut text, MAX_SHOWN);
        text
    }

    /// The complete text of a value: the name of an event.
    pub(in crate::csp) fn show_all(&self, value: &Value) -> String {
        let mut text = String::new();
        self.show_into(value, &mut text, usize::MAX);
        text
    }

    fn show_into(&self, value: &Value, text: &mut String, most: usize) {
        let list = |open: &str, all: &[Value], between: &str, close: &str, text: &mut String| {
            text.push_str(open);
            for (index, item) in all.iter().enumerate() {
                if text.len() > most {
                    text.push_str("...");
                    break;
                }
                text.push_str(if index > 0 { between } else { "" });
                self.show_into(item, text, most);
            }
            text.push_str(close);
        };
        match value {
            Value::Int(n) => text.push_str(&n.to_string()),
            Value::Bool(b) => text.push_str(&b.to_string()),
            Value::Str(s) => text.push_str(&format!("{s:?}")),
            Value::Tuple(all) => list("(", all, ",", ")", text),
            Value::Seq(all) => list("<", all, ",", ">", text),
            Value::Dot(all) => list("", all, ".", "", text),
            Value::Set(Set::Finite(all)) => list("{", all, ",", "}", text),
            Value::Set(Set::Product(sets)) => {
                let sets: Vec<_> = sets.iter().map(|set| Value::Set(set.clone())).collect();
                list("", &sets, ".", "", text);
            }
            Value::Set(Set::Endless(endless)) => match endless {
                Endless::Ints => text.push_str("Int"),
                Endless::From(n) => text.push_str(&format!("{{{n}..}}")),
                Endless::Seqs(of) => {
                    list("Seq(", &[Value::Set(Set::clone(of))], "", ")", text);
                }
                Endless::Datatype(name) => text.push_str(self.name(*name)),
                Endless::Type(name) => text.push_str(name),
            },
            Value::Map(pairs) => {
                let pairs = pairs.iter().map(|(k, v)| Value::Tuple([k.clone(), v.clone()].into()));
                list("(| ", &pairs.collect::<Vec<_>>(), ", ", " |)", text);
            }
            Value::Head(head) => text.push_str(self.name(self.heads[head.0 as usize].name)),
            Value::Function(_) => text.push_str("a function"),
            Value::Process(id) => text.push_str(&self.show_process(*id)),
        }
    }
}

/// Values joined by dots; a single value is itself.
fn joined(mut parts: Vec<Value>) -> Value {
    match parts.len() {
        1 => parts.remove(0),
        _ => Value::Dot(parts.into()),
    }
}

/// The parts of dotted values.
pub(super) fn flattened<'v>(values: impl IntoIterator<Item = &'v Value>) -> Vec<Value> {
    let mut tokens = Vec::new();
    values.into_iter().for_each(|value| flatten(value, &mut tokens));
    tokens
}

/// Appends them to `tokens`.
pub(super) fn flatten(value: &Value, tokens: &mut Vec<Value>) {
    match value {
        Value::Dot(parts) => parts.iter().for_each(|part| flatten(part, tokens)),
        other => tokens.push(other.clone()),
    }
}
