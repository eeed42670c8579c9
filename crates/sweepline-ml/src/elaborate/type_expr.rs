//! Type expressions.

use std::collections::HashMap;

use crate::ast::{LongName, TypeExpr, TypeKind};
use crate::problem::Problem;
use crate::source::Span;
use crate::types::{Label, ParamId, Symbol, Type, TypeId};

use super::Elaborator;

impl Elaborator<'_> {
    pub(super) fn type_expr(&mut self, ty: &TypeExpr) -> TypeId {
        match &ty.kind {
            TypeKind::Variable(name) => self.type_variable(name, ty.span),
            TypeKind::Named(name, arguments) => {
                let arguments: Vec<TypeId> =
                    arguments.iter().map(|ty| self.type_expr(ty)).collect();
                self.named_type(name, &arguments, ty.span)
            }
            TypeKind::Record(fields) => {
                let mut typed: Vec<(Label, TypeId)> = Vec::with_capacity(fields.len());
                for (label, field) in fields {
                    if typed.iter().any(|(known, _)| known == label) {
                        let name = label.to_string();
                        self.error(Problem::Twice { name, place: "a record type" }, field.span);
                        continue;
                    }
                    let field = self.type_expr(field);
                    typed.push((label.clone(), field));
                }
                self.types().record(typed)
            }
            TypeKind::Tuple(parts) => {
                let parts: Vec<TypeId> = parts.iter().map(|part| self.type_expr(part)).collect();
                self.types().tuple(&parts)
            }
            TypeKind::Arrow(from, to) => {
                let (from, to) = (self.type_expr(from), self.type_expr(to));
                self.types().arrow(from, to)
            }
        }
    }

    /// A type variable that no declaration binds becomes an unknown type.
    fn type_variable(&mut self, name: &Symbol, span: Span) -> TypeId {
        let known = self.type_variables.iter().rev().find_map(|scope| scope.get(name));
        if let Some(known) = known {
            return *known;
        }
        let fresh = self.fresh(span);
        if let Some(scope) = self.type_variables.last_mut() {
            scope.insert(name.clone(), fresh);
        }
        fresh
    }

    pub(super) fn named_type(
        &mut self,
        name: &LongName,
        arguments: &[TypeId],
        span: Span,
    ) -> TypeId {
        let Some(known) = self.state.scope.type_name(name).cloned() else {
            self.unknown_name("type", name, span);
            return self.fresh(span);
        };
        if known.params.len() != arguments.len() {
            let (expected, found) = (known.params.len(), arguments.len());
            let name = name.to_string();
            self.error(Problem::TypeArguments { name, expected, found }, span);
            return self.fresh(span);
        }
        self.types().instance(known.ty, &known.params, arguments)
    }

    /// Binds the type variables of a declared type. The caller pops the scope.
    pub(super) fn bind_type_variables(&mut self, names: &[Symbol], level: u32) -> Vec<ParamId> {
        let mut scope = HashMap::new();
        let mut params = Vec::new();
        for name in names {
            let equality = name.starts_with("''");
            let param = self.types().new_param(name.clone(), equality, level);
            let ty = self.types().intern(Type::Param(param));
            scope.insert(name.clone(), ty);
            params.push(param);
        }
        self.type_variables.push(scope);
        params
    }
}
