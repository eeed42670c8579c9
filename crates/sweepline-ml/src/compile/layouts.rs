//! The memory layout of each type.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::core::Con;
use crate::machine::{ConLayout, Content, ExnLayout, Layout, LayoutId};
use crate::types::{DataId, Type, TypeId};

use super::{Compiler, Substitution};

/// All layouts so far.
#[derive(Default)]
pub(super) struct Layouts {
    pub(super) list: Vec<Layout>,
    ids: HashMap<TypeId, LayoutId, FixedState>,
}

impl Compiler<'_> {
    /// The layout of a closed type.
    pub(super) fn layout_of(&mut self, ty: TypeId) -> LayoutId {
        if let Some(id) = self.layouts.ids.get(&ty) {
            return *id;
        }
        let id = LayoutId(self.layouts.list.len() as u32);
        // A datatype may contain itself, so the index is reserved before the layout is known.
        self.layouts.list.push(Layout::Function);
        self.layouts.ids.insert(ty, id);
        let layout = self.new_layout(ty);
        self.layouts.list[id.0 as usize] = layout;
        id
    }

    fn new_layout(&mut self, ty: TypeId) -> Layout {
        match self.types.get(ty).clone() {
            Type::Int | Type::Int32 => Layout::Int,
            Type::IntInf => Layout::IntInf,
            Type::Word | Type::Word8 | Type::Word32 => Layout::Word,
            Type::Real => Layout::Real,
            Type::Char => Layout::Char,
            Type::String => Layout::String,
            Type::Exn => Layout::Exn,
            Type::Arrow(..) => Layout::Function,
            Type::Record(fields) => {
                let fields = fields.iter().map(|(label, ty)| (label.clone(), self.layout_of(*ty)));
                Layout::Record(fields.collect())
            }
            Type::Ref(content) => Layout::Ref(self.layout_of(content)),
            Type::Data(DataId::LIST, arguments) => Layout::List(self.layout_of(arguments[0])),
            Type::Data(DataId::ARRAY, arguments) => Layout::Array(self.layout_of(arguments[0])),
            Type::Data(DataId::VECTOR, arguments) => Layout::Vector(self.layout_of(arguments[0])),
            Type::Data(DataId::INSTREAM | DataId::OUTSTREAM, _) => Layout::Stream,
            Type::Data(data, arguments) => self.datatype(data, &arguments),
            // A type that is not determined: its values are never inspected.
            Type::Param(_) | Type::Unknown(_) => Layout::Record(Box::new([])),
        }
    }

    fn datatype(&mut self, data: DataId, arguments: &[TypeId]) -> Layout {
        let program = self.program;
        let datatype = program.datatype(data);
        let constructors = &datatype.constructors;
        if constructors.iter().all(|con| con.arg.is_none()) {
            return Layout::Enum(constructors.iter().map(|con| con.name.clone()).collect());
        }
        let mut known = Vec::new();
        for (tag, con) in constructors.iter().enumerate() {
            let arg = self.constructor_arg(Con { data, tag: tag as u32 }, arguments);
            let content = arg.map(|arg| self.content(arg));
            known.push(ConLayout { name: con.name.clone(), content });
        }
        match &known[..] {
            [ConLayout { name, content: Some(content) }] => {
                Layout::Wrapped(name.clone(), content.layout)
            }
            _ => Layout::Data(known.into()),
        }
    }

    fn content(&mut self, ty: TypeId) -> Content {
        let layout = self.layout_of(ty);
        match self.types.get(ty) {
            Type::Record(fields) => Content { layout, width: fields.len() as u32, is_record: true },
            _ => Content { layout, width: 1, is_record: false },
        }
    }

    /// The type of a constructor's argument in an instance of its datatype.
    pub(super) fn constructor_arg(&mut self, con: Con, arguments: &[TypeId]) -> Option<TypeId> {
        let datatype = self.program.datatype(con.data);
        let arg = datatype.constructors[con.tag as usize].arg?;
        Some(self.types.instance(arg, &datatype.params, arguments))
    }

    pub(super) fn exception_layouts(&mut self) -> Vec<ExnLayout> {
        let program = self.program;
        let exceptions = program.exceptions.iter();
        let layout = exceptions.map(|exception| ExnLayout {
            name: exception.name.clone(),
            // An exception with a polymorphic content is refused where it is used.
            content: exception.arg.map(|arg| self.content(arg)),
        });
        layout.collect()
    }

    /// A type with its type variables replaced.
    pub(super) fn closed(&mut self, ty: TypeId, substitution: &Substitution) -> TypeId {
        if !self.types.is_open(ty) {
            return ty;
        }
        self.types.substitute(ty, &mut |param| {
            let at = substitution.binary_search_by_key(&param, |(known, _)| *known).ok()?;
            Some(substitution[at].1)
        })
    }

    /// The fields of a record type. An argument of that type is passed as its fields.
    pub(super) fn field_types(&self, ty: TypeId) -> Option<Vec<TypeId>> {
        match self.types.get(ty) {
            Type::Record(fields) => Some(fields.iter().map(|(_, field)| *field).collect()),
            _ => None,
        }
    }
}
