//! The built-in names of the language.

use std::collections::BTreeSet;
use std::rc::Rc;

use sweepline_source::Span;

use super::data::flattened;
use super::{Evaluated, Evaluator, MAX_SET, fail};
use crate::compress::Compression;
use crate::csp::ast::Sym;
use crate::csp::process::Proc;
use crate::csp::value::{Endless, Function, ProcId, Set, Value};
use crate::problem::Problem;

/// The kinds of built-in names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Constant,
    Sets,
    Sequences,
    Maps,
    Others,
    Unsupported,
}

/// Names that every script knows, with their numbers of arguments.
const BUILT_IN: [(Family, usize, &str); 10] = [
    (Family::Constant, 0, "STOP SKIP DIV Events Int Bool Proc Char String emptyMap"),
    (Family::Sets, 1, "Union Inter card empty seq Set"),
    (Family::Sets, 2, "union inter diff member"),
    (Family::Sequences, 1, "head tail length concat null set"),
    (Family::Sequences, 2, "elem"),
    (Family::Others, 1, "Seq RUN CHAOS extensions productions error show"),
    (Family::Maps, 1, "mapFromList mapToList"),
    (Family::Maps, 2, "mapLookup mapMember mapDelete mapUpdateMultiple"),
    (Family::Maps, 3, "mapUpdate"),
    (Family::Unsupported, 0, "loop WAIT TSTOP TSKIP USTOP Map prioritise"),
];

/// All of these names.
pub(in crate::csp) fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().flat_map(|(.., names)| names.split(' '))
}

/// Functions that make a process smaller and do not change its behaviour.
const COMPRESSIONS: [(Option<Compression>, &str); 5] = [
    (Some(Compression::StrongBisimulation), "sbisim"),
    (Some(Compression::InternalCycles), "tau_loop_factor"),
    (Some(Compression::Both), "wbisim dbisim diamond model_compress"),
    (Some(Compression::NormalForm), "normal normalise"),
    (None, "explicate lazyenumerate lazynorm hide_and_compress"),
];

impl Evaluator<'_> {
    /// A built-in name that is not called.
    pub(super) fn built_in_name(&mut self, name: Sym, span: Span) -> Evaluated<Value> {
        let proc = |eval: &mut Self, proc| Value::Process(eval.terms.intern(proc));
        let endless = |endless| Value::Set(Set::Endless(endless));
        Ok(match self.name(name) {
            "STOP" => proc(self, Proc::Stop),
            "SKIP" => proc(self, Proc::Skip),
            "DIV" => proc(self, Proc::Diverge),
            "Events" => Value::Set(Set::Finite(self.every_event(span)?)),
            "Int" => endless(Endless::Ints),
            "Bool" => Value::set(vec![Value::Bool(false), Value::Bool(true)]),
            "Proc" => endless(Endless::Type("Proc")),
            "Char" => endless(Endless::Type("Char")),
            "String" => endless(Endless::Type("String")),
            "emptyMap" => Value::Map([].into()),
            _ => Value::Function(Function::BuiltIn(name)),
        })
    }

    pub(super) fn call_built_in(
        &mut self,
        name: Sym,
        args: Vec<Value>,
        span: Span,
    ) -> Evaluated<Value> {
        let name = self.name(name);
        let is_named = |names: &str| names.split(' ').any(|known| known == name);
        if let Some((how, _)) = COMPRESSIONS.iter().find(|(_, names)| is_named(names)) {
            let process = self.only_process(name, &args, span)?;
            return Ok(Value::Process(match how {
                Some(how) => self.terms.intern(Proc::Compressed(*how, process)),
                None => process,
            }));
        }
        if is_named("chase chase_nocache") {
            let process = self.only_process(name, &args, span)?;
            return Ok(Value::Process(self.terms.intern(Proc::Chase(process))));
        }
        let known = BUILT_IN.iter().find(|(.., names)| names.split(' ').any(|own| own == name));
        let (family, n, _) = *known.unwrap_or(&(Family::Unsupported, 0, ""));
        if !matches!(family, Family::Unsupported | Family::Constant) {
            self.count_args(name, n, args.len(), span)?;
        }
        match family {
            Family::Sets => self.set_function(name, &args, span),
            Family::Sequences => self.seq_function(name, &args, span),
            Family::Others => self.other_function(name, &args, span),
            Family::Maps => self.map_function(name, &args, span),
            Family::Unsupported | Family::Constant => {
                fail(span, Problem::Unsupported { what: format!("calls of `{name}`") })
            }
        }
    }

    /// The only argument of a function on processes.
    fn only_process(&self, name: &str, args: &[Value], span: Span) -> Evaluated<ProcId> {
        self.count_args(name, 1, args.len(), span)?;
        match &args[0] {
            Value::Process(process) => Ok(*process),
            other => self.wrong_kind(span, "a process", other),
        }
    }

    fn as_set(&mut self, value: &Value, span: Span) -> Evaluated<Rc<[Value]>> {
        match value {
            Value::Set(set) => self.members(set, span),
            other => self.wrong_kind(span, "a set", other),
        }
    }

    fn as_seq(&self, value: &Value, span: Span) -> Evaluated<Rc<[Value]>> {
        match value {
            Value::Seq(all) => Ok(all.clone()),
            other => self.wrong_kind(span, "a sequence", other),
        }
    }

    fn set_function(&mut self, name: &str, args: &[Value], span: Span) -> Evaluated<Value> {
        if name == "member" {
            return match &args[1] {
                Value::Set(set) => Ok(Value::Bool(self.contains(set, &args[0]))),
                other => self.wrong_kind(span, "a set", other),
            };
        }
        let first = self.as_set(&args[0], span)?;
        Ok(match name {
            "union" => {
                let second = self.as_set(&args[1], span)?;
                self.bounded(first.len() + second.len(), span)?;
                Value::set(first.iter().chain(second.iter()).cloned().collect())
            }
            "inter" | "diff" => {
                let Value::Set(second) = &args[1] else {
                    return self.wrong_kind(span, "a set", &args[1]);
                };
                let kept = first.iter().filter(|v| self.contains(second, v) == (name == "inter"));
                Value::set(kept.cloned().collect())
            }
            "Union" => {
                let mut all = BTreeSet::new();
                for set in first.iter() {
                    all.extend(self.as_set(set, span)?.iter().cloned());
                    self.bounded(all.len(), span)?;
                }
                Value::set(all.into_iter().collect())
            }
            "Inter" => {
                let Some((one, others)) = first.split_first() else {
                    return fail(span, Problem::OfEmpty { name: "Inter", of: "set" });
                };
                let mut kept = self.as_set(one, span)?.to_vec();
                for other in others {
                    let other = self.as_set(other, span)?;
                    kept.retain(|value| other.binary_search(value).is_ok());
                }
                Value::set(kept)
            }
            "card" => Value::Int(first.len() as i64),
            "empty" => Value::Bool(first.is_empty()),
            "seq" => Value::Seq(first),
            _ => self.power_set(&first, span)?,
        })
    }

    /// All subsets.
    fn power_set(&mut self, members: &[Value], span: Span) -> Evaluated<Value> {
        if members.len() >= MAX_SET.ilog2() as usize {
            return fail(span, Problem::HugeSet { limit: MAX_SET });
        }
        let subset = |bits: usize| {
            let chosen = members.iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1);
            Value::set(chosen.map(|(_, member)| member.clone()).collect())
        };
        Ok(Value::set((0..1 << members.len()).map(subset).collect()))
    }

    fn seq_function(&mut self, name: &str, args: &[Value], span: Span) -> Evaluated<Value> {
        let all = self.as_seq(&args[args.len() - 1], span)?;
        let empty = |name| fail(span, Problem::OfEmpty { name, of: "sequence" });
        Ok(match name {
            "head" => match all.first() {
                Some(first) => first.clone(),
                None => empty("head")?,
            },
            "tail" => match all.split_first() {
                Some((_, rest)) => Value::Seq(rest.into()),
                None => empty("tail")?,
            },
            "length" => Value::Int(all.len() as i64),
            "elem" => Value::Bool(all.contains(&args[0])),
            "null" => Value::Bool(all.is_empty()),
            "set" => Value::set(all.to_vec()),
            _ => {
                let mut joined = Vec::new();
                for seq in all.iter() {
                    joined.extend(self.as_seq(seq, span)?.iter().cloned());
                    self.bounded(joined.len(), span)?;
                }
                Value::Seq(joined.into())
            }
        })
    }

    fn other_function(&mut self, name: &str, args: &[Value], span: Span) -> Evaluated<Value> {
        match (name, &args[0]) {
            ("Seq", Value::Set(of)) => {
                Ok(Value::Set(Set::Endless(Endless::Seqs(Rc::new(of.clone())))))
            }
            ("RUN" | "CHAOS", Value::Set(set)) => {
                let events = self.event_set(set, span)?;
                let proc = if name == "RUN" { Proc::Run(events) } else { Proc::Chaos(events) };
                Ok(Value::Process(self.terms.intern(proc)))
            }
            ("Seq" | "RUN" | "CHAOS", other) => self.wrong_kind(span, "a set", other),
            ("extensions", start) => {
                let rows = self.completions(&flattened([start]), usize::MAX, span)?;
                // Nothing completes an event that has all its fields.
                let rows = rows.iter().filter(|row| !row.is_empty());
                Ok(Value::set(rows.map(|row| self.dot(row)).collect()))
            }
            ("productions", start) => Ok(Value::set(self.productions(start, span)?)),
            ("show", value) => Ok(Value::Str(self.show(value).into())),
            (_, value) => {
                let what = match value {
                    Value::Str(text) => text.to_string(),
                    other => self.show(other),
                };
                fail(
                    span,
                    Problem::Arithmetic { what: format!("the script calls `error`: {what}") },
                )
            }
        }
    }

    fn map_function(&mut self, name: &str, args: &[Value], span: Span) -> Evaluated<Value> {
        if name == "mapFromList" {
            let map: std::collections::BTreeMap<_, _> =
                self.as_pairs(&args[0], span)?.into_iter().collect();
            return Ok(Value::Map(map.into_iter().collect()));
        }
        let Value::Map(pairs) = &args[0] else { return self.wrong_kind(span, "a map", &args[0]) };
        let mut map: std::collections::BTreeMap<_, _> = pairs.iter().cloned().collect();
        Ok(match name {
            "mapLookup" => match map.remove(&args[1]) {
                Some(value) => value,
                None => return self.no_match("mapLookup", &[vec![args[1].clone()]], span),
            },
            "mapMember" => Value::Bool(map.contains_key(&args[1])),
            "mapToList" => {
                let pairs = map.into_iter().map(|(key, value)| Value::Tuple([key, value].into()));
                Value::Seq(pairs.collect())
            }
            "mapDelete" => {
                map.remove(&args[1]);
                Value::Map(map.into_iter().collect())
            }
            "mapUpdateMultiple" => {
                map.extend(self.as_pairs(&args[1], span)?);
                Value::Map(map.into_iter().collect())
            }
            _ => {
                map.insert(args[1].clone(), args[2].clone());
                Value::Map(map.into_iter().collect())
            }
        })
    }

    fn as_pairs(&mut self, list: &Value, span: Span) -> Evaluated<Vec<(Value, Value)>> {
        let pairs = self.as_seq(list, span)?;
        let pair = |value: &Value| match value {
            Value::Tuple(both) if both.len() == 2 => Ok((both[0].clone(), both[1].clone())),
            other => self.wrong_kind(span, "a pair", other),
        };
        pairs.iter().map(pair).collect()
    }
}
