//! The top-level names of a script.

use std::collections::HashMap;

use super::{HeadInfo, built_in_names};
use crate::csp::ast::{Decl, Definition, Expr, Head, Kind, Sym};
use crate::csp::load::Script;
use crate::csp::value::HeadId;

/// The meaning of a top-level name.
#[derive(Clone, Copy)]
pub(super) enum Global<'s> {
    Define(&'s Definition),
    Head(HeadId),
    Datatype(&'s [Head]),
    Subtype(&'s [Expr]),
    Nametype(&'s Expr),
    BuiltIn,
}

/// All top-level names, and the channels and constructors among them.
pub(super) struct Globals<'s> {
    pub(super) by_name: HashMap<Sym, Global<'s>>,
    pub(super) heads: Vec<HeadInfo<'s>>,
}

impl<'s> Globals<'s> {
    pub(super) fn of(script: &'s Script) -> Self {
        let mut by_name = HashMap::new();
        let mut heads = Vec::new();
        for decl in script.decls() {
            match decl {
                Decl::Define(definition) => {
                    by_name.entry(definition.name).or_insert(Global::Define(definition));
                }
                Decl::Channels(all) | Decl::Datatype { constructors: all, .. } => {
                    let is_channel = matches!(decl, Decl::Channels(_));
                    for head in all {
                        by_name.insert(head.name, Global::Head(HeadId(heads.len() as u32)));
                        let (name, types) = (head.name, None);
                        heads.push(HeadInfo { name, is_channel, arity: 0, decl: head, types });
                    }
                }
                Decl::Known(all) => {
                    for (name, _) in all {
                        by_name.entry(*name).or_insert(Global::BuiltIn);
                    }
                }
                _ => {}
            }
            match decl {
                Decl::Datatype { name, constructors, .. } => {
                    by_name.insert(*name, Global::Datatype(constructors));
                }
                Decl::Subtype { name, parts, .. } => {
                    by_name.insert(*name, Global::Subtype(parts));
                }
                Decl::Nametype { name, of, .. } => {
                    by_name.insert(*name, Global::Nametype(of));
                }
                _ => {}
            }
        }
        for sym in built_in_names().filter_map(|name| script.names().get(name)).map(Sym) {
            by_name.entry(sym).or_insert(Global::BuiltIn);
        }
        let mut known = HashMap::new();
        for head in &mut heads {
            let fields = head.decl.fields.as_ref();
            head.arity = fields.map_or(0, |of| arity(of, &by_name, &mut known));
        }
        Globals { by_name, heads }
    }
}

/// The number of fields of a type: they are joined by dots, and a `nametype` may contain dots.
fn arity(of: &Expr, by_name: &HashMap<Sym, Global<'_>>, known: &mut HashMap<Sym, usize>) -> usize {
    match &of.kind {
        Kind::Dot(parts) => {
            let parts = parts.iter().map(|part| arity(part, by_name, known));
            parts.fold(0, usize::saturating_add)
        }
        Kind::Name(name) => match (known.get(name), by_name.get(name)) {
            (Some(n), _) => *n,
            (None, Some(Global::Nametype(of))) => {
                // A type that contains itself is rejected when it is used.
                known.insert(*name, 1);
                let n = arity(of, by_name, known);
                known.insert(*name, n);
                n
            }
            _ => 1,
        },
        _ => 1,
    }
}
