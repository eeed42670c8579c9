//! The types of the built-in names.

use super::Checker;
use super::ty::Type;
use crate::csp::ast::Sym;

/// A built-in function: what each argument must be, and what the result is.
pub(super) struct BuiltIn {
    pub(super) params: Vec<Option<Type>>,
    pub(super) result: Result,
}

/// The type of a result.
pub(super) enum Result {
    Always(Type),
    /// That of the last argument.
    Last,
    /// A member of the last argument.
    Member,
    /// A set of the members of the last argument; a sequence; a set of sets; a set of sequences.
    SetOf,
    SeqOf,
    SetsOf,
    SeqsOf,
    /// A set of the members of all arguments.
    Both,
    /// A subset of the first argument.
    First,
}

impl Checker<'_> {
    /// The text of a name, if it has the built-in meaning.
    fn built_in(&self, name: Sym) -> Option<&str> {
        let is_own = self.locals.find(name).is_some() || self.globals.contains_key(&name);
        (!is_own).then(|| self.names.text(name.0))
    }

    /// The type of a built-in name that is not called.
    pub(super) fn built_in_constant(&self, name: Sym) -> Type {
        match self.built_in(name) {
            Some("STOP" | "SKIP" | "DIV") => Type::Process,
            Some("Events") => Type::set(Type::Data),
            Some("Int") => Type::set(Type::Int),
            Some("Bool") => Type::set(Type::Bool),
            Some("Proc" | "Char" | "String") => Type::any_set(),
            Some("emptyMap") => Type::Map,
            _ => Type::Unknown,
        }
    }

    pub(super) fn built_in_function(&self, name: Sym) -> Option<BuiltIn> {
        let (set, seq) = (|| Some(Type::any_set()), || Some(Type::any_seq()));
        let always = Result::Always;
        let (params, result) = match self.built_in(name)? {
            "Union" | "Inter" => (vec![set()], always(Type::any_set())),
            "card" => (vec![set()], always(Type::Int)),
            "empty" => (vec![set()], always(Type::Bool)),
            "seq" => (vec![set()], Result::SeqOf),
            "Set" => (vec![set()], Result::SetsOf),
            "Seq" => (vec![set()], Result::SeqsOf),
            "union" => (vec![set(), set()], Result::Both),
            "inter" | "diff" => (vec![set(), set()], Result::First),
            "member" => (vec![None, set()], always(Type::Bool)),
            "head" => (vec![seq()], Result::Member),
            "tail" => (vec![seq()], Result::Last),
            "length" => (vec![seq()], always(Type::Int)),
            "null" => (vec![seq()], always(Type::Bool)),
            "elem" => (vec![None, seq()], always(Type::Bool)),
            "set" => (vec![seq()], Result::SetOf),
            "concat" => (vec![seq()], always(Type::any_seq())),
            "RUN" | "CHAOS" => (vec![Some(Type::set(Type::Data))], always(Type::Process)),
            "extensions" => (vec![Some(Type::Data)], always(Type::any_set())),
            "productions" => (vec![Some(Type::Data)], always(Type::set(Type::Data))),
            "show" => (vec![None], always(Type::Str)),
            "error" => (vec![None], always(Type::Never)),
            "mapFromList" => (vec![seq()], always(Type::Map)),
            "mapToList" => (vec![Some(Type::Map)], always(Type::any_seq())),
            "mapLookup" => (vec![Some(Type::Map), None], always(Type::Unknown)),
            "mapMember" => (vec![Some(Type::Map), None], always(Type::Bool)),
            "mapDelete" => (vec![Some(Type::Map), None], always(Type::Map)),
            "mapUpdateMultiple" => (vec![Some(Type::Map), seq()], always(Type::Map)),
            "mapUpdate" => (vec![Some(Type::Map), None, None], always(Type::Map)),
            "sbisim" | "tau_loop_factor" | "wbisim" | "dbisim" | "diamond" | "model_compress"
            | "normal" | "normalise" | "explicate" | "lazyenumerate" | "lazynorm"
            | "hide_and_compress" | "chase" | "chase_nocache" => {
                (vec![Some(Type::Process)], always(Type::Process))
            }
            _ => return None,
        };
        Some(BuiltIn { params, result })
    }
}
