//! Unification of unknown types: union-find, with levels for generalisation (Rémy 1992).

use std::cell::Cell;

use crate::prim::Operand;
use crate::source::Span;
use crate::types::{Label, ParamId, Scheme, Symbol, Type, TypeId, Types, UnknownId};

use super::Elaborator;

/// The set of types that an overloaded operator accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class(u16);

const OPERANDS: [(Operand, TypeId); 9] = [
    (Operand::Int, Types::INT),
    (Operand::IntInf, Types::INT_INF),
    (Operand::Real, Types::REAL),
    (Operand::Word, Types::WORD),
    (Operand::Char, Types::CHAR),
    (Operand::String, Types::STRING),
    (Operand::Int32, Types::INT32),
    (Operand::Word8, Types::WORD8),
    (Operand::Word32, Types::WORD32),
];

impl Class {
    pub(super) const NUMBER: Class = Class(0b1_1100_1111);
    pub(super) const SIGNED: Class = Class(0b0_0100_0111);
    pub(super) const INTEGER: Class = Class(0b1_1100_1011);
    pub(super) const WORD: Class = Class(0b1_1000_1000);
    pub(super) const ORDERED: Class = Class(0b1_1111_1111);

    fn contains(self, ty: TypeId) -> bool {
        (0..).zip(OPERANDS).any(|(bit, (_, operand))| self.0 & (1 << bit) != 0 && operand == ty)
    }

    /// The default type: `int` if the class contains it.
    pub(super) fn default_type(self) -> TypeId {
        OPERANDS[(self.0.trailing_zeros() as usize).min(OPERANDS.len() - 1)].1
    }
}

/// The overload that a type selects.
pub(super) fn operand(ty: TypeId) -> Option<Operand> {
    OPERANDS.into_iter().find(|(_, operand)| *operand == ty).map(|(operand, _)| operand)
}

/// The state of an unknown type.
#[derive(Clone, Debug)]
pub(super) enum Unknown {
    /// Unified with this type. Paths are shortened when they are followed.
    Link(Cell<TypeId>),
    Free {
        level: u32,
        equality: bool,
        kind: Kind,
        span: Span,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    Any,
    /// Any type of a class. Never generalised, so that every operator is resolved to one type.
    Overloaded(Class),
    /// A record with at least these fields; never generalised.
    Record(Vec<(Label, TypeId)>),
}

/// Why two types cannot be unified.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Clash {
    Different,
    Infinite,
    NoEquality(TypeId),
    NotInClass(Class),
    NoField(Label),
    Rigid(Symbol),
    TooLarge,
}

type Unified = Result<(), Clash>;

impl Elaborator<'_> {
    pub(super) fn fresh(&mut self, span: Span) -> TypeId {
        self.fresh_kind(Kind::Any, false, span)
    }

    pub(super) fn fresh_class(&mut self, class: Class, span: Span) -> TypeId {
        self.fresh_kind(Kind::Overloaded(class), false, span)
    }

    pub(super) fn fresh_kind(&mut self, kind: Kind, equality: bool, span: Span) -> TypeId {
        if !self.is_too_large() {
            self.latest = Some(span);
        }
        let id = UnknownId(u32::try_from(self.unknowns.len()).expect("fewer than 2^32 unknowns"));
        self.unknowns.push(Unknown::Free { level: self.level, equality, kind, span });
        self.types().intern(Type::Unknown(id))
    }

    /// The type that an unknown was unified with. An unknown that is still free is represented by the last
    /// unknown of its chain.
    pub(super) fn resolve(&self, mut ty: TypeId) -> TypeId {
        // Every traversal of a type calls this at each node, so the work is counted here.
        self.effort.set(self.effort.get() + 1);
        while let Type::Unknown(id) = self.state.program.types.get(ty)
            && let Unknown::Link(target) = &self.unknowns[id.0 as usize]
        {
            ty = target.get();
            // Halves the path, because a chain can be as long as the text.
            if let Type::Unknown(next) = self.state.program.types.get(ty)
                && let Unknown::Link(beyond) = &self.unknowns[next.0 as usize]
            {
                ty = beyond.get();
                target.set(ty);
            }
        }
        ty
    }

    pub(super) fn unify(&mut self, left: TypeId, right: TypeId) -> Unified {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if left == right {
            return Ok(());
        }
        if self.is_too_large() {
            return Err(Clash::TooLarge);
        }
        let types = &self.state.program.types;
        match (types.get(left).clone(), types.get(right).clone()) {
            (Type::Unknown(id), _) => self.bind(id, right),
            (_, Type::Unknown(id)) => self.bind(id, left),
            (Type::Arrow(a, b), Type::Arrow(c, d)) => {
                self.unify(a, c)?;
                self.unify(b, d)
            }
            (Type::Ref(a), Type::Ref(b)) => self.unify(a, b),
            (Type::Data(a, left), Type::Data(b, right)) if a == b => {
                left.iter().zip(&right).try_for_each(|(a, b)| self.unify(*a, *b))
            }
            (Type::Record(left), Type::Record(right)) => {
                if left.len() != right.len() {
                    return Err(Clash::Different);
                }
                for ((a, left), (b, right)) in left.iter().zip(&right) {
                    if a != b {
                        return Err(Clash::NoField(a.clone()));
                    }
                    self.unify(*left, *right)?;
                }
                Ok(())
            }
            (Type::Param(id), _) | (_, Type::Param(id)) => {
                Err(Clash::Rigid(self.state.program.types.param(id).name.clone()))
            }
            _ => Err(Clash::Different),
        }
    }

    fn bind(&mut self, id: UnknownId, to: TypeId) -> Unified {
        let Unknown::Free { level, equality, kind, .. } = self.unknowns[id.0 as usize].clone()
        else {
            return Ok(());
        };
        self.lower(to, Some(id), level)?;
        if equality {
            self.require_equality(to)?;
        }
        if let Type::Unknown(other) = *self.state.program.types.get(to) {
            if let Kind::Record(fields) = &kind {
                // The other unknown gets these fields, so it must not occur inside them.
                for (_, field) in fields.clone() {
                    self.lower(field, Some(other), u32::MAX)?;
                }
            }
            self.merge(other, kind)?;
            self.unknowns[id.0 as usize] = Unknown::Link(to.into());
            return Ok(());
        }
        match kind {
            Kind::Any => {}
            Kind::Overloaded(class) if class.contains(to) => {}
            Kind::Overloaded(class) => return Err(Clash::NotInClass(class)),
            Kind::Record(wanted) => {
                // Linked before the fields are unified, because the type of a field may contain the record's
                // type.
                self.unknowns[id.0 as usize] = Unknown::Link(to.into());
                return self.fields_of(to, &wanted);
            }
        }
        self.unknowns[id.0 as usize] = Unknown::Link(to.into());
        Ok(())
    }

    fn fields_of(&mut self, record: TypeId, wanted: &[(Label, TypeId)]) -> Unified {
        let Type::Record(fields) = self.state.program.types.get(record).clone() else {
            return Err(Clash::Different);
        };
        for (label, ty) in wanted {
            match fields.iter().find(|(known, _)| known == label) {
                Some((_, field)) => self.unify(*field, *ty)?,
                None => return Err(Clash::NoField(label.clone())),
            }
        }
        Ok(())
    }

    /// Adds the constraints of one unknown to another.
    fn merge(&mut self, into: UnknownId, more: Kind) -> Unified {
        if more != Kind::Any {
            self.settled = self.settled.min(into.0 as usize);
        }
        let Unknown::Free { kind, .. } = &mut self.unknowns[into.0 as usize] else {
            return Ok(());
        };
        match (&mut *kind, more) {
            (_, Kind::Any) => Ok(()),
            (Kind::Any, more) => {
                *kind = more;
                Ok(())
            }
            (Kind::Overloaded(class), Kind::Overloaded(other)) => {
                class.0 &= other.0;
                if class.0 == 0 { Err(Clash::NotInClass(other)) } else { Ok(()) }
            }
            (Kind::Record(fields), Kind::Record(other)) => {
                let known = fields.clone();
                let new = |label: &Label| known.iter().all(|(known, _)| known != label);
                fields.extend(other.iter().filter(|(label, _)| new(label)).cloned());
                for (label, ty) in &other {
                    if let Some((_, field)) = known.iter().find(|(known, _)| known == label) {
                        self.unify(*field, *ty)?;
                    }
                }
                Ok(())
            }
            (Kind::Overloaded(class), Kind::Record(_)) => Err(Clash::NotInClass(*class)),
            (Kind::Record(_), Kind::Overloaded(class)) => Err(Clash::NotInClass(class)),
        }
    }

    /// Moves the unknowns in a type to an outer level. Fails if the type contains `not`.
    pub(super) fn lower(&mut self, ty: TypeId, not: Option<UnknownId>, to: u32) -> Unified {
        let ty = self.resolve(ty);
        if !self.state.program.types.is_open(ty) {
            return Ok(());
        }
        if self.is_too_large() {
            return Err(Clash::TooLarge);
        }
        match self.state.program.types.get(ty).clone() {
            Type::Unknown(id) if Some(id) == not => Err(Clash::Infinite),
            Type::Unknown(id) => {
                let mut inside = Vec::new();
                if let Unknown::Free { level, kind, .. } = &mut self.unknowns[id.0 as usize] {
                    let lowered = *level > to;
                    *level = (*level).min(to);
                    if let Kind::Record(fields) = kind
                        && (lowered || not.is_some())
                    {
                        inside = fields.iter().map(|(_, ty)| *ty).collect();
                    }
                }
                inside.into_iter().try_for_each(|ty| self.lower(ty, not, to))
            }
            Type::Param(id) => {
                let param = self.state.program.types.param(id);
                if param.level > to { Err(Clash::Rigid(param.name.clone())) } else { Ok(()) }
            }
            made_of => made_of.parts().into_iter().try_for_each(|part| self.lower(part, not, to)),
        }
    }

    pub(super) fn require_equality(&mut self, ty: TypeId) -> Unified {
        let ty = self.resolve(ty);
        if self.is_too_large() {
            return Err(Clash::TooLarge);
        }
        match self.state.program.types.get(ty).clone() {
            Type::Unknown(id) => {
                let mut inside = Vec::new();
                if let Unknown::Free { equality, kind, .. } = &mut self.unknowns[id.0 as usize] {
                    if let (false, Kind::Record(fields)) = (*equality, kind) {
                        inside = fields.iter().map(|(_, ty)| *ty).collect();
                    }
                    *equality = true;
                }
                inside.into_iter().try_for_each(|ty| self.require_equality(ty))
            }
            Type::Arrow(..) | Type::Exn => Err(Clash::NoEquality(ty)),
            Type::Param(id) => match self.state.program.types.param(id).equality {
                true => Ok(()),
                false => Err(Clash::NoEquality(ty)),
            },
            Type::Data(data, _) if !self.state.program.datatype(data).equality => {
                Err(Clash::NoEquality(ty))
            }
            Type::Ref(_) => Ok(()),
            made_of => made_of.parts().into_iter().try_for_each(|part| self.require_equality(part)),
        }
    }

    /// Instantiates a scheme: replaces its bound variables by fresh unknowns, and returns these, too.
    pub(super) fn instantiate(&mut self, scheme: &Scheme, span: Span) -> (TypeId, Vec<TypeId>) {
        let size = u64::from(self.state.program.types.size(scheme.ty));
        self.effort.set(self.effort.get() + size);
        let mut arguments = Vec::with_capacity(scheme.params.len());
        for &param in &*scheme.params {
            let equality = self.state.program.types.param(param).equality;
            arguments.push(self.fresh_kind(Kind::Any, equality, span));
        }
        let ty = self.types().instance(scheme.ty, &scheme.params, &arguments);
        (ty, arguments)
    }

    /// Generalises the unknowns that belong to no outer level, except those with a class or fields.
    pub(super) fn generalise(&mut self, types: &[TypeId]) -> Vec<ParamId> {
        for &ty in types {
            self.keep_special(ty);
        }
        let mut params = Vec::new();
        for &ty in types {
            self.bind_params(ty, &mut params);
        }
        params
    }

    fn children(&self, ty: TypeId) -> smallvec::SmallVec<[TypeId; 4]> {
        let types = &self.state.program.types;
        match types.is_open(ty) && !self.is_too_large() {
            true => types.get(ty).parts(),
            false => smallvec::SmallVec::new(),
        }
    }

    fn keep_special(&mut self, ty: TypeId) {
        let ty = self.resolve(ty);
        if let Type::Unknown(id) = *self.state.program.types.get(ty)
            && let Unknown::Free { kind, .. } = &self.unknowns[id.0 as usize]
            && *kind != Kind::Any
        {
            // Cannot fail: rigid variables have been checked before.
            let _ = self.lower(ty, None, self.level);
        }
        for child in self.children(ty) {
            self.keep_special(child);
        }
    }

    fn bind_params(&mut self, ty: TypeId, params: &mut Vec<ParamId>) {
        let ty = self.resolve(ty);
        if let Type::Unknown(id) = *self.state.program.types.get(ty)
            && let Unknown::Free { level, equality, kind: Kind::Any, .. } =
                self.unknowns[id.0 as usize]
            && level > self.level
        {
            let quotes = if equality { "''" } else { "'" };
            let letter = char::from(b'a' + u8::try_from(params.len() % 26).unwrap_or(0));
            let level = self.level + 1;
            let name = format!("{quotes}{letter}").into();
            let param = self.types().new_param(name, equality, level);
            let to = self.types().intern(Type::Param(param));
            self.unknowns[id.0 as usize] = Unknown::Link(to.into());
            params.push(param);
        }
        for child in self.children(ty) {
            self.bind_params(child, params);
        }
    }
}
