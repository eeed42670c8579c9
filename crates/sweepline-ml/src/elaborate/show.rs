//! Types as text, for messages.

use crate::types::{DataId, Label, Type, TypeId, Types, UnknownId};

use super::Elaborator;
use super::unify::{Clash, Kind, Unknown};
use crate::core::Program;

/// How tightly the operator around a type binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Arrow,
    /// Left of an arrow.
    Domain,
    Product,
    Argument,
}

/// Writes types. An unknown type gets the same letter wherever it occurs.
struct Writer<'p> {
    program: &'p Program,
    unknowns: &'p [Unknown],
    letters: Vec<UnknownId>,
    out: String,
}

/// A type is cut after this many characters.
const MAX_SHOWN: usize = 400;

impl Writer<'_> {
    fn resolve(&self, mut ty: TypeId) -> TypeId {
        while let Type::Unknown(id) = self.program.types.get(ty)
            && let Some(Unknown::Link(target)) = self.unknowns.get(id.0 as usize)
        {
            ty = target.get();
        }
        ty
    }

    fn write(&mut self, ty: TypeId, around: Tightness) {
        let ty = self.resolve(ty);
        if self.out.len() > MAX_SHOWN {
            self.out.push('…');
            return;
        }
        if let Some(name) = Types::base_name(ty) {
            return self.out.push_str(name);
        }
        match self.program.types.get(ty) {
            Type::Arrow(from, to) => {
                let open = self.open(around > Tightness::Arrow);
                self.write(*from, Tightness::Domain);
                self.out.push_str(" -> ");
                self.write(*to, Tightness::Arrow);
                self.close(open);
            }
            Type::Record(fields) => self.record(fields, around),
            Type::Data(data, arguments) => self.data(*data, arguments),
            Type::Ref(content) => {
                self.write(*content, Tightness::Argument);
                self.out.push_str(" ref");
            }
            Type::Param(id) => self.out.push_str(&self.program.types.param(*id).name),
            Type::Unknown(id) => self.unknown(*id),
            _ => {}
        }
    }

    fn open(&mut self, needed: bool) -> bool {
        if needed {
            self.out.push('(');
        }
        needed
    }

    fn close(&mut self, opened: bool) {
        if opened {
            self.out.push(')');
        }
    }

    fn record(&mut self, fields: &[(Label, TypeId)], around: Tightness) {
        let tuple = (1..).zip(fields).all(|(n, (label, _))| *label == Label::Position(n));
        if fields.is_empty() {
            self.out.push_str("unit");
        } else if tuple && fields.len() > 1 {
            let open = self.open(around >= Tightness::Product);
            for (index, (_, field)) in fields.iter().enumerate() {
                if index > 0 {
                    self.out.push_str(" * ");
                }
                self.write(*field, Tightness::Product);
            }
            self.close(open);
        } else {
            self.fields(fields, false);
        }
    }

    fn fields(&mut self, fields: &[(Label, TypeId)], more: bool) {
        self.out.push('{');
        for (index, (label, field)) in fields.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(&format!("{label} : "));
            self.write(*field, Tightness::Arrow);
        }
        self.out.push_str(if more { ", ...}" } else { "}" });
    }

    fn data(&mut self, data: DataId, arguments: &[TypeId]) {
        match arguments {
            [] => {}
            [one] => {
                self.write(*one, Tightness::Argument);
                self.out.push(' ');
            }
            _ => {
                for (index, argument) in arguments.iter().enumerate() {
                    self.out.push_str(if index == 0 { "(" } else { ", " });
                    self.write(*argument, Tightness::Arrow);
                }
                self.out.push_str(") ");
            }
        }
        self.out.push_str(&self.program.datatype(data).name);
    }

    fn unknown(&mut self, id: UnknownId) {
        match self.unknowns.get(id.0 as usize) {
            Some(Unknown::Free { kind: Kind::Overloaded(class), .. }) => {
                self.write(class.default_type(), Tightness::Argument);
            }
            Some(Unknown::Free { kind: Kind::Record(fields), .. }) => {
                self.fields(&fields.clone(), true);
            }
            _ => {
                let at = self.letters.iter().position(|known| *known == id);
                let at = at.unwrap_or_else(|| {
                    self.letters.push(id);
                    self.letters.len() - 1
                });
                let letter = char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
                self.out.push_str(&format!("'{letter}"));
            }
        }
    }
}

/// A finished type as text.
pub(crate) fn show_type(program: &Program, ty: TypeId) -> String {
    let mut writer = Writer { program, unknowns: &[], letters: Vec::new(), out: String::new() };
    writer.write(ty, Tightness::Arrow);
    writer.out
}

impl Elaborator<'_> {
    pub(super) fn show(&self, ty: TypeId) -> String {
        self.show_all(&[ty]).pop().unwrap_or_default()
    }

    pub(super) fn show_all(&self, types: &[TypeId]) -> Vec<String> {
        let program = &self.state.program;
        let mut writer =
            Writer { program, unknowns: &self.unknowns, letters: Vec::new(), out: String::new() };
        let mut shown = Vec::new();
        for ty in types {
            writer.write(*ty, Tightness::Arrow);
            shown.push(std::mem::take(&mut writer.out));
        }
        shown
    }

    /// Why two types do not match, if their texts do not show it.
    pub(super) fn explain(&self, clash: &Clash) -> String {
        match clash {
            Clash::Different | Clash::NotInClass(_) | Clash::TooLarge => String::new(),
            Clash::Infinite => ": the type would have to contain itself".to_owned(),
            Clash::NoEquality(ty) => {
                format!(": values of type `{}` cannot be compared", self.show(*ty))
            }
            Clash::NoField(label) => format!(": there is no field `{label}`"),
            Clash::Rigid(name) => format!(": `{name}` stands for any type"),
        }
    }
}
