//! Types, hash-consed: equal types have equal ids, so that types are compared as numbers.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use foldhash::fast::FixedState;
use smallvec::SmallVec;

/// A name of the source text.
pub type Symbol = Arc<str>;

/// A type in [`Types`]. After elaboration, types are equal if and only if their ids are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub(crate) u32);

/// A datatype, an abstract type, or a colour set with its own type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DataId(pub u32);

/// A type variable bound by a scheme. Every generalisation creates its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ParamId(pub u32);

/// A type variable of inference. Finished terms contain none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct UnknownId(pub(crate) u32);

impl DataId {
    /// `bool`: `false` is tag 0, `true` is tag 1.
    pub const BOOL: DataId = DataId(0);
    /// `'a list` and `'a ms`: `nil` is tag 0, `::` is tag 1 with a pair.
    pub const LIST: DataId = DataId(1);
    /// `'a option`: `NONE` is tag 0, `SOME` is tag 1.
    pub const OPTION: DataId = DataId(2);
    /// `order`: `LESS`, `EQUAL`, `GREATER` are tags 0, 1, 2.
    pub const ORDER: DataId = DataId(3);
    /// `'a timed`: its one constructor `@` takes a pair of a value and a time stamp.
    pub const TIMED: DataId = DataId(4);
    /// `'a array`, without constructors; compared by identity.
    pub const ARRAY: DataId = DataId(5);
    /// `TextIO.instream`, without constructors.
    pub const INSTREAM: DataId = DataId(6);
    /// `TextIO.outstream`, without constructors.
    pub const OUTSTREAM: DataId = DataId(7);
    /// `'a vector`, without constructors; compared element by element.
    pub const VECTOR: DataId = DataId(8);
}

/// The label of a record field. Tuples have the labels 1, 2, ….
///
/// The order is the canonical one of Standard ML: numbers first by value, then names by their characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Label {
    /// A numbered field, as of a tuple.
    Position(u32),
    /// A named field.
    Name(Symbol),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Position(position) => write!(f, "{position}"),
            Label::Name(name) => f.write_str(name),
        }
    }
}

/// One type constructor applied to types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `int`: raises `Overflow` outside its bounds (default: 31 bits, as in CPN Tools).
    Int,
    /// `IntInf.int`.
    IntInf,
    /// `Int32.int`.
    Int32,
    /// `word`: as many bits as `int`.
    Word,
    /// `Word8.word`.
    Word8,
    /// `Word32.word`.
    Word32,
    /// `real`.
    Real,
    /// `char`.
    Char,
    /// `string`.
    String,
    /// `exn`.
    Exn,
    /// A function.
    Arrow(TypeId, TypeId),
    /// A record or tuple, fields in canonical order; `unit` has none.
    Record(Box<[(Label, TypeId)]>),
    /// A datatype or abstract type with its arguments.
    Data(DataId, Box<[TypeId]>),
    /// `'a ref`.
    Ref(TypeId),
    /// A variable bound by the scheme of an enclosing binding.
    Param(ParamId),
    /// A type not yet inferred. Finished terms have none.
    Unknown(UnknownId),
}

impl Type {
    /// The types that it directly consists of.
    pub fn parts(&self) -> SmallVec<[TypeId; 4]> {
        match self {
            Type::Arrow(from, to) => SmallVec::from_slice(&[*from, *to]),
            Type::Record(fields) => fields.iter().map(|(_, field)| *field).collect(),
            Type::Data(_, arguments) => SmallVec::from_slice(arguments),
            Type::Ref(content) => SmallVec::from_slice(&[*content]),
            _ => SmallVec::new(),
        }
    }

    /// The same type constructor with other parts.
    pub(crate) fn of_parts(mut self, mut other: impl FnMut(TypeId) -> TypeId) -> Type {
        match &mut self {
            Type::Arrow(from, to) => (*from, *to) = (other(*from), other(*to)),
            Type::Record(fields) => fields.iter_mut().for_each(|(_, ty)| *ty = other(*ty)),
            Type::Data(_, arguments) => arguments.iter_mut().for_each(|ty| *ty = other(*ty)),
            Type::Ref(content) => *content = other(*content),
            _ => {}
        }
        self
    }
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    nodes: Vec<Type>,
    open: Vec<bool>,
    /// The number of nodes of each type when written out. Nodes can be shared, so this can grow exponentially;
    /// it saturates.
    sizes: Vec<u32>,
    ids: HashMap<Type, TypeId, FixedState>,
    params: Vec<Param>,
}

/// A bound type variable.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name in the text, for example `'a`, or a generated name if it was inferred.
    pub name: Symbol,
    /// Whether only types with equality may replace it.
    pub equality: bool,
    /// The nesting depth of the `let` that binds it.
    pub(crate) level: u32,
}

macro_rules! base_types {
    ($($constant:ident = $number:literal $kind:ident $name:literal),* $(,)?) => {
        impl Types {
            $(#[doc = concat!("`", $name, "`")] pub const $constant: TypeId = TypeId($number);)*
            const BASE: &'static [Type] = &[$(Type::$kind),*];

            /// The name of a type without parts.
            pub(crate) fn base_name(id: TypeId) -> Option<&'static str> {
                [$($name),*].get(id.0 as usize).copied()
            }
        }
    };
}

base_types! {
    INT = 0 Int "int",
    INT_INF = 1 IntInf "IntInf.int",
    WORD = 2 Word "word",
    REAL = 3 Real "real",
    CHAR = 4 Char "char",
    STRING = 5 String "string",
    EXN = 6 Exn "exn",
    INT32 = 7 Int32 "Int32.int",
    WORD8 = 8 Word8 "Word8.word",
    WORD32 = 9 Word32 "Word32.word",
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Self {
            nodes: Vec::new(),
            open: Vec::new(),
            sizes: Vec::new(),
            ids: HashMap::default(),
            params: Vec::new(),
        };
        for base in Self::BASE {
            types.intern(base.clone());
        }
        assert_eq!(types.intern(Type::Record(Box::new([]))), Self::UNIT, "unit comes next");
        assert_eq!(types.data(DataId::BOOL, []), Self::BOOL, "bool comes next");
        types
    }
}

impl Types {
    /// `unit`, the empty tuple.
    pub const UNIT: TypeId = TypeId(Self::BASE.len() as u32);
    /// `bool`.
    pub const BOOL: TypeId = TypeId(Self::UNIT.0 + 1);

    /// The type with an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.nodes[id.0 as usize]
    }

    /// The id of a type: the same for equal types.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 types"));
        let is_variable = matches!(ty, Type::Unknown(_) | Type::Param(_));
        self.open.push(is_variable || ty.parts().iter().any(|part| self.is_open(*part)));
        let sizes = ty.parts().into_iter().map(|part| self.size(part));
        self.sizes.push(sizes.fold(1, u32::saturating_add));
        self.nodes.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The number of nodes of the type when written out. An unknown counts as one.
    pub(crate) fn size(&self, id: TypeId) -> u32 {
        self.sizes[id.0 as usize]
    }

    /// Whether the type contains a type variable, bound or unknown. A closed type needs no substitution.
    pub fn is_open(&self, id: TypeId) -> bool {
        self.open[id.0 as usize]
    }

    /// A function type.
    pub fn arrow(&mut self, from: TypeId, to: TypeId) -> TypeId {
        self.intern(Type::Arrow(from, to))
    }

    /// A tuple type; `unit` for no parts, and the part itself for one.
    pub fn tuple(&mut self, parts: &[TypeId]) -> TypeId {
        match parts {
            [one] => *one,
            _ => {
                let fields = (1..).zip(parts).map(|(n, ty)| (Label::Position(n), *ty));
                let fields = fields.collect();
                self.intern(Type::Record(fields))
            }
        }
    }

    /// A record type. Sorts the fields. Labels must be distinct.
    pub fn record(&mut self, mut fields: Vec<(Label, TypeId)>) -> TypeId {
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        self.intern(Type::Record(fields.into()))
    }

    /// A datatype applied to arguments.
    pub fn data<const N: usize>(&mut self, data: DataId, arguments: [TypeId; N]) -> TypeId {
        self.intern(Type::Data(data, Box::new(arguments)))
    }

    /// `element list`, which is also `element ms`.
    pub fn list(&mut self, element: TypeId) -> TypeId {
        self.data(DataId::LIST, [element])
    }

    /// `element timed`.
    pub fn timed(&mut self, element: TypeId) -> TypeId {
        self.data(DataId::TIMED, [element])
    }

    /// A new bound variable.
    pub(crate) fn new_param(&mut self, name: Symbol, equality: bool, level: u32) -> ParamId {
        self.params.push(Param { name, equality, level });
        ParamId(u32::try_from(self.params.len() - 1).expect("fewer than 2^32 type variables"))
    }

    /// A bound type variable.
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.0 as usize]
    }

    /// Replaces bound variables; used for monomorphisation. A variable stays if `replace` returns
    /// `None` for it.
    pub fn substitute(
        &mut self,
        id: TypeId,
        replace: &mut dyn FnMut(ParamId) -> Option<TypeId>,
    ) -> TypeId {
        if !self.is_open(id) {
            return id;
        }
        match self.get(id).clone() {
            Type::Param(param) => replace(param).unwrap_or(id),
            ty => {
                let ty = ty.of_parts(|part| self.substitute(part, replace));
                self.intern(ty)
            }
        }
    }

    /// A type with `arguments` for its bound variables `params`.
    pub fn instance(&mut self, ty: TypeId, params: &[ParamId], arguments: &[TypeId]) -> TypeId {
        let position = |param| params.iter().position(|&known| known == param);
        self.substitute(ty, &mut |param| position(param).map(|at| arguments[at]))
    }
}

/// A type with bound variables in front: `['a, 'b] 'a -> 'b -> 'a`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scheme {
    /// The bound variables, in the order in which a use lists its types.
    pub params: Arc<[ParamId]>,
    /// The type.
    pub ty: TypeId,
}

impl Scheme {
    /// A type without bound variables.
    pub fn mono(ty: TypeId) -> Self {
        Self { params: Arc::new([]), ty }
    }
}
