//! The last pass: resolves all types, fixes operators and numbers to one type, and gives fields their
//! positions.

use crate::core::{Bind, Expr, ExprKind, Literal, Pattern, PatternKind};
use crate::prim::Prim;
use crate::problem::Problem;
use crate::source::Span;
use crate::types::{Label, Type, TypeId, Types};

use super::unify::{Kind, Unknown, operand};
use super::{Elaborator, MOST_TYPE_NODES};

impl Elaborator<'_> {
    /// Resolves what is still open at the end of a declaration: overloaded operators default to `int`. A
    /// record whose type could not be inferred is reported.
    pub(super) fn settle(&mut self) {
        let mut unresolved = Vec::new();
        let from = std::mem::replace(&mut self.settled, self.unknowns.len());
        for unknown in &mut self.unknowns[from..] {
            let Unknown::Free { kind, span, .. } = unknown else { continue };
            match kind {
                Kind::Any => {}
                Kind::Overloaded(class) => *unknown = Unknown::Link(class.default_type().into()),
                Kind::Record(fields) => {
                    unresolved.push((fields.clone(), *span));
                    *kind = Kind::Any;
                }
            }
        }
        self.has_unresolved_record |= !unresolved.is_empty();
        // After an earlier error the type may be unknown because of that error: report only the first.
        if !self.errors.is_empty() {
            return;
        }
        for (fields, span) in unresolved {
            let labels: Vec<String> =
                fields.iter().map(|(label, _)| format!("`{label}`")).collect();
            self.error(Problem::UnresolvedRecord { fields: labels.join(", ") }, span);
        }
    }

    /// A type without unknowns. An unknown that is still free may be any type, so it becomes `unit`.
    pub(super) fn zonk(&mut self, ty: TypeId) -> TypeId {
        self.follow(ty, Some(Types::UNIT))
    }

    /// A type with all links followed. Free unknowns become `free` if it is given.
    pub(super) fn follow(&mut self, ty: TypeId, free: Option<TypeId>) -> TypeId {
        let ty = self.resolve(ty);
        let nodes = self.state.program.types.size(ty);
        if self.is_too_large() || nodes > MOST_TYPE_NODES {
            self.give_up();
            return Types::UNIT;
        }
        if !self.state.program.types.is_open(ty) {
            return ty;
        }
        match self.state.program.types.get(ty).clone() {
            Type::Unknown(_) => free.unwrap_or(ty),
            known => {
                let known = known.of_parts(|part| self.follow(part, free));
                self.types().intern(known)
            }
        }
    }

    pub(super) fn finish_variables(&mut self) {
        for index in self.first_variable..self.state.program.variables.len() {
            let ty = self.state.program.variables[index].scheme.ty;
            self.state.program.variables[index].scheme.ty = self.zonk(ty);
        }
        self.first_variable = self.state.program.variables.len();
    }

    pub(super) fn finish_bind(&mut self, bind: &mut Bind) {
        match bind {
            Bind::Value { value, .. } => self.finish_expr(value),
            Bind::Pattern { pattern, value } => {
                self.finish_expr(value);
                self.finish_pattern(pattern);
            }
            Bind::Recursive { functions, .. } => {
                functions.iter_mut().for_each(|(_, value)| self.finish_expr(value));
            }
        }
    }

    pub(super) fn finish_expr(&mut self, expr: &mut Expr) {
        expr.ty = self.zonk(expr.ty);
        let (ty, span) = (expr.ty, expr.span);
        match &mut expr.kind {
            ExprKind::Var(var, types) => {
                let params = self.state.program.variable(*var).scheme.params.clone();
                if types.is_empty() {
                    // Inside its own recursive group, a variable is used at its own type variables.
                    let own = params.iter().map(|param| self.types().intern(Type::Param(*param)));
                    *types = own.collect();
                }
                self.finish_types(types);
            }
            ExprKind::Literal(literal) => self.finish_literal(literal, ty, span),
            ExprKind::Lambda(lambda) => {
                lambda.param_ty = self.zonk(lambda.param_ty);
                self.finish_expr(&mut lambda.body);
            }
            ExprKind::Apply(left, right) | ExprKind::While(left, right) => {
                self.finish_expr(left);
                self.finish_expr(right);
            }
            ExprKind::Prim { op, types, args } => {
                self.finish_types(types);
                if let Prim::Arith(_, on) | Prim::Compare(_, on) = op {
                    *on = types.first().and_then(|ty| operand(*ty)).unwrap_or(*on);
                    types.clear();
                }
                args.iter_mut().for_each(|arg| self.finish_expr(arg));
            }
            ExprKind::Record(fields) => {
                fields.iter_mut().for_each(|field| self.finish_expr(&mut field.value));
            }
            ExprKind::Select { record, label, position } => {
                self.finish_expr(record);
                *position = self.position(record.ty, label);
            }
            ExprKind::Construct { arg, .. } | ExprKind::Exception { arg, .. } => {
                arg.iter_mut().for_each(|arg| self.finish_expr(arg));
            }
            ExprKind::List(parts) | ExprKind::Sequence(parts) => {
                parts.iter_mut().for_each(|part| self.finish_expr(part));
            }
            ExprKind::If(parts) => parts.iter_mut().for_each(|part| self.finish_expr(part)),
            ExprKind::Case { scrutinee: inner, rules, .. }
            | ExprKind::Handle { body: inner, rules } => {
                self.finish_expr(inner);
                for rule in rules {
                    self.finish_pattern(&mut rule.pattern);
                    self.finish_expr(&mut rule.body);
                }
            }
            ExprKind::Let { binds, body } => {
                binds.iter_mut().for_each(|bind| self.finish_bind(bind));
                self.finish_expr(body);
            }
            ExprKind::Raise(inner) => self.finish_expr(inner),
            ExprKind::Wrong => {}
        }
    }

    fn finish_types(&mut self, types: &mut [TypeId]) {
        types.iter_mut().for_each(|ty| *ty = self.zonk(*ty));
    }

    fn finish_pattern(&mut self, pattern: &mut Pattern) {
        pattern.ty = self.zonk(pattern.ty);
        let (ty, span) = (pattern.ty, pattern.span);
        match &mut pattern.kind {
            PatternKind::Wildcard | PatternKind::Var(_) => {}
            PatternKind::Literal(literal) => self.finish_literal(literal, ty, span),
            PatternKind::Record(fields) => {
                for field in fields {
                    field.position = self.position(ty, &field.label);
                    self.finish_pattern(&mut field.pattern);
                }
            }
            PatternKind::Construct { arg, .. } | PatternKind::Exception { arg, .. } => {
                arg.iter_mut().for_each(|arg| self.finish_pattern(arg));
            }
            PatternKind::Ref(inner) | PatternKind::As(_, inner) => self.finish_pattern(inner),
        }
    }

    fn position(&self, record: TypeId, label: &Label) -> u32 {
        let Type::Record(fields) = self.state.program.types.get(record) else { return 0 };
        let position = fields.iter().position(|(known, _)| known == label);
        position.and_then(|at| u32::try_from(at).ok()).unwrap_or(0)
    }

    /// Integers are parsed as unbounded; their type determines their representation.
    fn finish_literal(&mut self, literal: &mut Literal, ty: TypeId, span: Span) {
        let int = self.state.max_int;
        let (name, min, max) = match ty {
            Types::INT => ("int", -int - 1, int),
            Types::INT32 => ("Int32.int", i32::MIN.into(), i32::MAX.into()),
            // A `word` has as many bits as an `int`, without the sign.
            Types::WORD => ("word", 0, int * 2 + 1),
            Types::WORD8 => ("Word8.word", 0, u8::MAX.into()),
            Types::WORD32 => ("Word32.word", 0, u32::MAX.into()),
            _ => return,
        };
        let value = match literal {
            Literal::IntInf(number) => i64::try_from(&*number).ok(),
            Literal::Word(number) => i64::try_from(*number).ok(),
            _ => return,
        };
        match value.filter(|value| (min..=max).contains(value)) {
            Some(value) if ty == Types::INT || ty == Types::INT32 => *literal = Literal::Int(value),
            Some(value) => *literal = Literal::Word(value as u64),
            None => {
                let text = self.words(span);
                self.error(Problem::NumberTooLarge { text, ty: name, max }, span);
            }
        }
    }
}
