//! Hints for common mistakes: the text to write instead.

use crate::source::Span;
use crate::types::{DataId, Type, TypeId};

use super::Elaborator;
use super::unify::{Class, Kind, Unknown};

/// Operators of other languages, and what CPN ML has in their place.
const FOREIGN: [(&str, &str); 10] = [
    ("&&", "andalso"),
    ("&", "andalso"),
    ("AND", "andalso"),
    ("and", "andalso"),
    ("||", "orelse"),
    ("or", "orelse"),
    ("OR", "orelse"),
    ("=<", "<="),
    ("=!", "<>"),
    ("/=", "<>"),
];

/// What to write in place of an operator of another language.
pub(super) fn foreign(name: &str) -> Option<String> {
    let (_, ours) = FOREIGN.iter().find(|(known, _)| *known == name)?;
    Some(format!("write `{ours}` in place of `{name}`"))
}

/// Names of types in other languages, and the colour sets of CPN ML.
const FOREIGN_TYPES: [(&str, &str); 6] = [
    ("integer", "int"),
    ("boolean", "bool"),
    ("str", "string"),
    ("float", "real"),
    ("double", "real"),
    ("void", "unit"),
];

/// What to write in place of the name of a type of another language.
pub(crate) fn foreign_type(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let (_, ours) = FOREIGN_TYPES.iter().find(|(known, _)| *known == lower)?;
    Some(format!("write `{ours}` in place of `{name}`"))
}

/// What to write where a name is not declared and none resembles it.
pub(super) fn declare(name: &str) -> String {
    format!(
        "declare it: `var {name} : COLSET;` if it is a variable of the net, `val {name} = ...;` if it is a constant"
    )
}

impl Elaborator<'_> {
    /// The type, or its default if it is the type of an overloaded operator.
    fn likely(&self, ty: TypeId) -> TypeId {
        let ty = self.resolve(ty);
        match self.overloaded(ty) {
            Some(class) => class.default_type(),
            None => ty,
        }
    }

    /// The class of an overloaded type that is not yet known.
    pub(super) fn overloaded(&self, ty: TypeId) -> Option<Class> {
        let Type::Unknown(id) = self.state.program.types.get(ty) else { return None };
        match &self.unknowns[id.0 as usize] {
            Unknown::Free { kind: Kind::Overloaded(class), .. } => Some(*class),
            _ => None,
        }
    }

    /// What to write in place of the text at `span`, which has type `found` where `expected` is needed.
    pub(super) fn advise(&self, found: TypeId, expected: TypeId, span: Span) -> Option<String> {
        let (found, expected) = (self.likely(found), self.likely(expected));
        let types = &self.state.program.types;
        let is_list = |ty: TypeId| matches!(types.get(ty), Type::Data(DataId::LIST, _));
        let list_of = |ty: TypeId, element: TypeId| match types.get(ty) {
            Type::Data(DataId::LIST, arguments) => self.resolve(arguments[0]) == element,
            _ => false,
        };
        let is_bool = |ty: TypeId| matches!(types.get(ty), Type::Data(DataId::BOOL, _));
        let whole = self.words(span);
        let x = as_argument(&whole);
        let operator = self.operator.as_deref().unwrap_or_default();
        Some(match (types.get(found), types.get(expected)) {
            _ if operator == "!" => format!("write `not {x}` for negation; `!` reads a reference"),
            _ if operator == "+" && is_list(found) => "write `++` to add multi-sets".into(),
            _ if operator == "-" && is_list(found) => "write `--` to subtract multi-sets".into(),
            _ if operator == "@+" && is_list(expected) && !is_list(found) => {
                format!("write a multi-set before `@+`: ``1`{x}@+...``")
            }
            _ if list_of(expected, found) && matches!(operator, "=" | "==" | "<>" | "!=") => {
                format!("write ``1`{x}`` for a multi-set with one token, or compare `size ...`")
            }
            _ if list_of(expected, found) => {
                format!("write ``1`{x}`` for a multi-set with one token")
            }
            _ if operator == "==" && !is_list(found) => {
                "write `=`: the operator `==` compares multi-sets".into()
            }
            _ if operator == "!=" && !is_list(found) => {
                "write `<>`: the operator `!=` compares multi-sets".into()
            }
            (Type::Int, Type::Real) if whole.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("write `{whole}.0`")
            }
            (Type::Int, Type::Real) => format!("write `real {x}`"),
            (Type::Real, Type::Int) => format!("write `round {x}`, `floor {x}` or `trunc {x}`"),
            (Type::Int, Type::IntInf) => format!("write `IntInf.fromInt {x}`"),
            (Type::IntInf, Type::Int) => format!("write `IntInf.toInt {x}`"),
            (Type::Int, Type::String) => format!("write `Int.toString {x}`"),
            (Type::String, Type::Int) => format!("write `valOf (Int.fromString {x})`"),
            (Type::String, _) if is_list(expected) => {
                "write a place without quotes, with `_` for each space: `Place_Name`".into()
            }
            (Type::Int, _) if is_bool(expected) => {
                format!("write a condition, for example `{x} > 0`")
            }
            (_, Type::Int) if is_bool(found) => format!("write `if {whole} then 1 else 0`"),
            _ if is_list(found) && is_bool(expected) => {
                format!("write a condition, for example `size {x} > 0`")
            }
            (Type::Ref(_), _) => format!("write `!{x}` for the value of the reference"),
            (Type::Arrow(..), _) => format!("`{whole}` is a function: is its argument missing?"),
            _ if is_list(found) && whole == "empty" => {
                "`empty` is a multi-set: write ``1`x`` in the other branch".into()
            }
            (_, Type::Int) if list_of(found, expected) => format!(
                "`{whole}` is a multi-set or list: write `size {x}` for its number of elements, or `hd {x}` for its first"
            ),
            _ if list_of(found, expected) => {
                format!("`{whole}` is a multi-set or list: write `hd {x}` for its first element")
            }
            _ => return None,
        })
    }
}

/// The words of an expression, such that a function can be applied to it.
fn as_argument(words: &str) -> String {
    match words {
        _ if words.ends_with('…') => "x".to_owned(),
        _ if words.contains(' ') && !words.starts_with(['(', '"', '[', '{']) => {
            format!("({words})")
        }
        _ => words.to_owned(),
    }
}
