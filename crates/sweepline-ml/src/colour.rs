//! Colour sets: a type, a structure of functions, and for some a few constructors.

mod declare;
mod text;

pub(crate) use declare::CONSTRUCTORS;

use crate::core::VarId;
use crate::types::{Symbol, TypeId};

/// A colour set, as an index into [`Environment::colour_sets`](crate::Environment::colour_sets).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ColourSetId(pub u32);

/// A colour set to declare, with ML texts where the file has expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are what CPN Tools calls them")]
pub enum ColourSetSpec {
    /// `unit with token`
    Unit { token: Option<String> },
    /// `bool with (no, yes)`
    Bool { names: Option<(String, String)> },
    /// `int with low..high`
    Int { range: Option<(String, String)> },
    /// `intinf with low..high`
    IntInf { range: Option<(String, String)> },
    /// `real with low..high`
    Real { range: Option<(String, String)> },
    /// `string with "a".."z" and 1..4`
    String { characters: Option<(String, String)>, length: Option<(String, String)> },
    /// `time`
    Time,
    /// `with a | b | c`
    Enum { values: Vec<String> },
    /// `index name with low..high`
    Index { name: String, low: String, high: String },
    /// `product A * B`
    Product { components: Vec<String> },
    /// `record a : A * b : B`
    Record { fields: Vec<(String, String)> },
    /// `list A with min..max`
    List { element: String, length: Option<(String, String)> },
    /// `union a : A + b`
    Union { constructors: Vec<(String, Option<String>)> },
    /// `subset A by predicate`
    SubsetBy { of: String, predicate: String },
    /// `subset A with [..]`
    SubsetWith { of: String, values: String },
    /// Another name for a colour set.
    Alias { of: String },
}

/// Two bounds: variables of the program that hold them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least value.
    pub low: VarId,
    /// The greatest value.
    pub high: VarId,
}

/// What a colour set is made of.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields are what CPN Tools calls them")]
pub enum ColourSetKind {
    /// `unit`
    Unit,
    /// `bool`
    Bool,
    /// `int`
    Int { range: Option<Range> },
    /// `intinf`
    IntInf { range: Option<Range> },
    /// `real`
    Real { range: Option<Range> },
    /// `string`
    String { characters: Option<Range>, length: Option<Range> },
    /// `time`
    Time,
    /// An enumeration: a datatype whose tags count the values.
    Enum { values: Vec<Symbol> },
    /// An index: a datatype with one constructor.
    Index { range: Range },
    /// A product.
    Product { components: Vec<ColourSetId> },
    /// A record; fields in order of declaration.
    Record { fields: Vec<(Symbol, ColourSetId)> },
    /// A list.
    List { element: ColourSetId, length: Option<Range> },
    /// A union: a datatype.
    Union { constructors: Vec<(Symbol, Option<ColourSetId>)> },
    /// Values that a function accepts.
    SubsetBy { of: ColourSetId, predicate: VarId },
    /// The values of a list.
    SubsetWith { of: ColourSetId, values: VarId },
    /// Another name.
    Alias { of: ColourSetId },
}

/// A declared colour set.
#[derive(Clone, PartialEq, Debug)]
pub struct ColourSet {
    /// Its name.
    pub name: Symbol,
    /// What it is made of.
    pub kind: ColourSetKind,
    /// The type of its values, without time stamps.
    pub ty: TypeId,
    /// Whether its tokens carry time stamps.
    pub timed: bool,
    /// The functions of its `declare` clause. With `all` it counts as small whatever its size.
    pub declares: Vec<Symbol>,
    /// Whether it or a part of it restricts the values of its type, so that produced tokens and
    /// bound variables must be checked by `legal`.
    pub subtype: bool,
    /// Its functions: `base`, `lt`, `cmp`, `mkstr`, `legal`, `size`, `all`, `ord`, `col`, `ran`, ….
    /// Those that do not apply raise `CPN'Error`.
    pub functions: Vec<(Symbol, VarId)>,
}

impl ColourSet {
    /// One of its functions.
    pub fn function(&self, name: &str) -> Option<VarId> {
        self.functions.iter().find(|(known, _)| **known == *name).map(|(_, var)| *var)
    }
}
