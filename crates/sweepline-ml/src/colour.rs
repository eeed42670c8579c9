//! Colour sets. Each declares a type, a structure of functions, and for some kinds constructors.

mod declare;
mod text;

pub(crate) use declare::CONSTRUCTORS;

use crate::ast::Expr;
use crate::core::VarId;
use crate::types::{Symbol, TypeId};

/// A colour set, as an index into [`Environment::colour_sets`](crate::Environment::colour_sets).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ColourSetId(pub u32);

/// The definition of a colour set. `N` are names that it declares, `S` colour sets that it refers to, and `E`
/// expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are what CPN Tools calls them")]
pub enum ColourSetForm<N, S, E> {
    /// `unit with token`
    Unit { token: Option<N> },
    /// `bool with (no, yes)`
    Bool { names: Option<(N, N)> },
    /// `int with low..high`
    Int { range: Option<(E, E)> },
    /// `intinf with low..high`
    IntInf { range: Option<(E, E)> },
    /// `real with low..high`
    Real { range: Option<(E, E)> },
    /// `string with "a".."z" and 1..4`
    String { characters: Option<(E, E)>, length: Option<(E, E)> },
    /// `time`
    Time,
    /// `with a | b | c`: a datatype whose tags count the values
    Enum { values: Vec<N> },
    /// `index name with low..high`: a datatype with one constructor
    Index { name: N, low: E, high: E },
    /// `product A * B`
    Product { components: Vec<S> },
    /// `record a : A * b : B`; fields in order of declaration
    Record { fields: Vec<(N, S)> },
    /// `list A with min..max`
    List { element: S, length: Option<(E, E)> },
    /// `union a : A + b`: a datatype
    Union { constructors: Vec<(N, Option<S>)> },
    /// `subset A by predicate`
    SubsetBy { of: S, predicate: E },
    /// `subset A with [..]`
    SubsetWith { of: S, values: E },
    /// Another name for a colour set.
    Alias { of: S },
}

/// A colour set to declare, with expressions as CPN ML texts.
pub type ColourSetSpec = ColourSetForm<String, String, String>;

/// A declared colour set, with variables of the program in place of expressions.
pub type ColourSetKind = ColourSetForm<Symbol, ColourSetId, VarId>;

/// A colour set as parsed.
pub(crate) type ColourSetSyntax = ColourSetForm<Symbol, Symbol, Expr>;

/// Converts the parts of a colour set to another form. A method returns `None` for a part that is wrong.
/// `expr` gets the role of the expression: `low`, `high`, `length'low`, `length'high`, `by` or `with`.
pub(crate) trait Translation<N, S, E> {
    type Name;
    type Set;
    type Expr;
    fn name(&mut self, name: &N) -> Self::Name;
    fn set(&mut self, set: &S) -> Option<Self::Set>;
    fn expr(&mut self, what: &str, expr: &E) -> Option<Self::Expr>;
}

type Translated<T, N, S, E> = ColourSetForm<
    <T as Translation<N, S, E>>::Name,
    <T as Translation<N, S, E>>::Set,
    <T as Translation<N, S, E>>::Expr,
>;

impl<N, S, E> ColourSetForm<N, S, E> {
    /// Converts all parts to another form. All parts are visited even if one is wrong, so that all mistakes
    /// are reported.
    pub(crate) fn translated<T: Translation<N, S, E>>(
        &self,
        to: &mut T,
    ) -> Option<Translated<T, N, S, E>> {
        use ColourSetForm as Form;
        fn pair<N, S, E, T: Translation<N, S, E>>(
            to: &mut T,
            of: &str,
            (low, high): &(E, E),
        ) -> Option<(T::Expr, T::Expr)> {
            let low = to.expr(&format!("{of}low"), low);
            let high = to.expr(&format!("{of}high"), high);
            low.zip(high)
        }
        let range = |to: &mut T, of: &str, range: &Option<(E, E)>| match range {
            Some(range) => pair(to, of, range).map(Some),
            None => Some(None),
        };
        Some(match self {
            Form::Unit { token } => Form::Unit { token: token.as_ref().map(|name| to.name(name)) },
            Form::Bool { names } => {
                let names = names.as_ref().map(|(no, yes)| (to.name(no), to.name(yes)));
                Form::Bool { names }
            }
            Form::Int { range: bounds } => Form::Int { range: range(to, "", bounds)? },
            Form::IntInf { range: bounds } => Form::IntInf { range: range(to, "", bounds)? },
            Form::Real { range: bounds } => Form::Real { range: range(to, "", bounds)? },
            Form::String { characters, length } => {
                let characters = range(to, "", characters);
                let length = range(to, "length'", length);
                Form::String { characters: characters?, length: length? }
            }
            Form::Time => Form::Time,
            Form::Enum { values } => {
                Form::Enum { values: values.iter().map(|name| to.name(name)).collect() }
            }
            Form::Index { name, low, high } => {
                let name = to.name(name);
                let (low, high) = (to.expr("low", low), to.expr("high", high));
                Form::Index { name, low: low?, high: high? }
            }
            Form::Product { components } => {
                let found: Vec<_> = components.iter().map(|set| to.set(set)).collect();
                Form::Product { components: found.into_iter().collect::<Option<_>>()? }
            }
            Form::Record { fields } => {
                let found = fields.iter().map(|(label, set)| (to.name(label), to.set(set)));
                let found: Vec<_> = found.collect();
                let fields = found.into_iter().map(|(label, set)| Some((label, set?)));
                Form::Record { fields: fields.collect::<Option<_>>()? }
            }
            Form::List { element, length } => {
                let length = range(to, "", length);
                Form::List { element: to.set(element)?, length: length? }
            }
            Form::Union { constructors } => {
                let found = constructors.iter().map(|(name, set)| {
                    let set = set.as_ref().map(|set| to.set(set));
                    (to.name(name), set)
                });
                let found: Vec<_> = found.collect();
                let constructors = found.into_iter().map(|(name, set)| match set {
                    Some(set) => Some((name, Some(set?))),
                    None => Some((name, None)),
                });
                Form::Union { constructors: constructors.collect::<Option<_>>()? }
            }
            Form::SubsetBy { of, predicate } => {
                let of = to.set(of)?;
                Form::SubsetBy { of, predicate: to.expr("by", predicate)? }
            }
            Form::SubsetWith { of, values } => {
                let of = to.set(of)?;
                Form::SubsetWith { of, values: to.expr("with", values)? }
            }
            Form::Alias { of } => Form::Alias { of: to.set(of)? },
        })
    }
}

/// A declared colour set.
#[derive(Clone, PartialEq, Debug)]
pub struct ColourSet {
    /// Its name.
    pub name: Symbol,
    /// Its definition.
    pub kind: ColourSetKind,
    /// The type of its values, without time stamps.
    pub ty: TypeId,
    /// Whether its tokens carry time stamps.
    pub timed: bool,
    /// The functions of its `declare` clause. With `all` it is enumerated whatever its size.
    pub declares: Vec<Symbol>,
    /// Whether it or a part of it restricts the values of its type, so that produced tokens and
    /// bound variables must be checked by `legal`.
    pub subtype: bool,
    /// Its functions: `base`, `lt`, `cmp`, `mkstr`, `legal`, `size`, `all`, `ord`, `col`, `ran`, …. A function
    /// that does not apply to this kind of colour set raises `CPN'Error`.
    pub functions: Vec<(Symbol, VarId)>,
}

impl ColourSet {
    /// One of its functions.
    pub fn function(&self, name: &str) -> Option<VarId> {
        self.functions.iter().find(|(known, _)| **known == *name).map(|(_, var)| *var)
    }
}
