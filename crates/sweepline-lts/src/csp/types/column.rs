//! What the types of channels and constructors say about their fields.

use std::collections::{HashMap, HashSet};

use sweepline_source::WordList;

use super::ty::Type;
use crate::csp::ast::{Decl, Expr, Head, Items, Kind, Sym};

/// How many names are followed to find the type of a field.
const MAX_NAMES: u32 = 8;

/// What is known about the fields of a channel or constructor.
#[derive(Default)]
pub(super) struct Columns {
    /// The types of the first fields, each of which is known to be one field.
    pub(super) known: Vec<Type>,
    /// Whether these are all fields.
    pub(super) are_all: bool,
}

/// The fields of all channels and constructors.
pub(super) fn of_all(decls: &[Decl], names: &WordList) -> HashMap<Sym, Columns> {
    let scope = Scope::of(decls, names);
    let heads = decls.iter().flat_map(|decl| match decl {
        Decl::Channels(heads) | Decl::Datatype { constructors: heads, .. } => heads.as_slice(),
        _ => &[],
    });
    heads.map(|head| (head.name, scope.columns(head))).collect()
}

struct Scope<'a> {
    /// Constants and `nametype`s.
    named: HashMap<Sym, &'a Expr>,
    datatypes: HashSet<Sym>,
    /// Names with another meaning than the built-in one.
    own: HashSet<Sym>,
    names: &'a WordList,
}

impl<'a> Scope<'a> {
    fn of(decls: &'a [Decl], names: &'a WordList) -> Self {
        let (mut named, mut datatypes) = (HashMap::new(), HashSet::new());
        let mut own = HashSet::new();
        for decl in decls {
            match decl {
                Decl::Define(definition) => {
                    own.insert(definition.name);
                    if definition.arity() == 0 {
                        named.insert(definition.name, &definition.clauses[0].body);
                    }
                }
                Decl::Nametype { name, of, .. } => {
                    own.insert(*name);
                    named.insert(*name, of);
                }
                Decl::Datatype { name, .. } => {
                    own.insert(*name);
                    datatypes.insert(*name);
                }
                Decl::Subtype { name, .. } => {
                    own.insert(*name);
                }
                _ => {}
            }
        }
        Scope { named, datatypes, own, names }
    }

    fn columns(&self, head: &Head) -> Columns {
        let Some(of) = &head.fields else { return Columns { known: Vec::new(), are_all: true } };
        let parts = match &of.kind {
            Kind::Dot(parts) => parts.as_slice(),
            _ => std::slice::from_ref(of),
        };
        let known: Vec<Type> = parts.iter().map_while(|part| self.field(part, MAX_NAMES)).collect();
        let are_all = known.len() == parts.len();
        Columns { known, are_all }
    }

    /// The type of the values of one field; `None` if it is unknown, or may be several fields.
    fn field(&self, of: &Expr, names_left: u32) -> Option<Type> {
        match &of.kind {
            Kind::Set(Items::Range(..)) => Some(Type::Int),
            Kind::Set(Items::List(all, stmts)) if stmts.is_empty() => {
                let all: Option<Vec<Type>> = all.iter().map(literal).collect();
                let all = all?;
                let (first, rest) = all.split_first()?;
                rest.iter().all(|ty| ty == first).then(|| first.clone())
            }
            Kind::Name(name) if self.datatypes.contains(name) => Some(Type::Data),
            Kind::Name(name) => match self.named.get(name) {
                Some(other) => self.field(other, names_left.checked_sub(1)?),
                None if self.own.contains(name) => None,
                None => match self.names.text(name.0) {
                    "Int" => Some(Type::Int),
                    "Bool" => Some(Type::Bool),
                    _ => None,
                },
            },
            _ => None,
        }
    }
}

fn literal(expr: &Expr) -> Option<Type> {
    match &expr.kind {
        Kind::Int(_) => Some(Type::Int),
        Kind::Bool(_) => Some(Type::Bool),
        _ => None,
    }
}
