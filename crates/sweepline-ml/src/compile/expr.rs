//! Expressions.

use std::rc::Rc;

use crate::core::{Bind, ExnId, Expr, ExprKind, Otherwise, VarId};
use crate::machine::{Instr, REGISTERS, Reg};
use crate::types::{ParamId, TypeId};

use super::Definition;
use super::body::{Body, Location, Want};
use super::call::Meaning;
use super::constant::is_constant;
use super::matching::Miss;

/// Records with more fields than this are built, to save registers.
const MOST_PARTS: usize = 24;

impl<'p> Body<'_, 'p> {
    /// Computes an expression into the wanted location.
    pub(super) fn expr(&mut self, expr: &'p Expr, want: Want) {
        let (mark, span) = (self.next, self.span);
        self.span = expr.span;
        self.expr_kind(expr, want);
        (self.next, self.span) = (mark, span);
    }

    fn expr_kind(&mut self, expr: &'p Expr, want: Want) {
        match &expr.kind {
            ExprKind::Var(var, types) => self.variable(*var, types, want),
            ExprKind::Literal(literal) => match self.compiler.constants.literal(literal) {
                Some(word) => {
                    let to = self.target(want);
                    self.word(to, word);
                    self.computed(want, to);
                }
                None => self.refuse_here("the number is too large", "use a smaller one"),
            },
            ExprKind::Lambda(_) => self.closure(expr, want),
            ExprKind::Apply(..) => self.apply(expr, want),
            ExprKind::Prim { op, types, args } => self.prim(*op, types, args, want),
            ExprKind::Record(_) | ExprKind::Construct { .. } => self.construct(expr, want),
            ExprKind::List(_) | ExprKind::Exception { .. } => self.construct(expr, want),
            ExprKind::Select { record, position, .. } => {
                let record = self.place(record);
                let part = self.field(&record, *position);
                let register = self.built(&part);
                self.done(want, register);
            }
            ExprKind::If(parts) => self.if_else(parts, want),
            ExprKind::Case { scrutinee, rules, otherwise } => {
                let scrutinee = self.place(scrutinee);
                let exn = match otherwise {
                    Otherwise::Match => ExnId::MATCH,
                    Otherwise::Bind => ExnId::BIND,
                };
                self.rules(scrutinee, rules, Miss::Raise(exn), want);
            }
            ExprKind::Let { binds, body } => {
                binds.iter().for_each(|bind| self.bind_local(bind));
                self.expr(body, want);
            }
            ExprKind::Sequence(parts) => {
                let Some((last, first)) = parts.split_last() else { return };
                for part in first {
                    self.effect(part);
                }
                self.expr(last, want);
            }
            ExprKind::While(condition, body) => {
                let (top, end) = (self.label(), self.label());
                self.bind(top);
                self.branch(condition, false, end);
                self.effect(body);
                self.jump(Instr::Loop, top);
                self.bind(end);
                let to = self.target(want);
                self.word(to, 0);
                self.computed(want, to);
            }
            ExprKind::Raise(exn) => {
                let exn = self.operand(exn);
                self.emit(Instr::Raise(exn));
            }
            ExprKind::Handle { body, rules } => {
                let exn = self.registers(1);
                let to = self.target(want);
                let (handler, end) = (self.label(), self.label());
                self.jump(|target| Instr::Handle(exn, target), handler);
                self.expr(body, Want::To(to));
                self.emit(Instr::EndHandle);
                self.computed(want, to);
                self.jump(Instr::Jump, end);
                self.bind(handler);
                self.rules(Location::Reg(exn), rules, Miss::Pass(exn), want);
                self.bind(end);
            }
            ExprKind::Wrong => {
                self.refuse_here("the text has a mistake that was reported", "correct it first")
            }
        }
    }

    /// Evaluates an expression for its side effects, without its value.
    fn effect(&mut self, expr: &'p Expr) {
        let mark = self.next;
        let to = self.registers(1);
        self.expr(expr, Want::To(to));
        self.next = mark;
    }

    fn if_else(&mut self, parts: &'p [Expr; 3], want: Want) {
        let [condition, yes, no] = parts;
        let (other, end) = (self.label(), self.label());
        self.branch(condition, false, other);
        self.expr(yes, want);
        if want != Want::Tail {
            self.jump(Instr::Jump, end);
        }
        self.bind(other);
        self.expr(no, want);
        self.bind(end);
    }

    /// The register of a value: that of a variable, or a new one.
    pub(super) fn operand(&mut self, expr: &'p Expr) -> Reg {
        let place = self.place(expr);
        self.built(&place)
    }

    /// The location of a value. Records that are written out are not built.
    pub(super) fn place(&mut self, expr: &'p Expr) -> Location {
        match &expr.kind {
            ExprKind::Var(var, _) if self.locals.contains_key(var) => self.locals[var].clone(),
            ExprKind::Record(fields) if self.stays_apart(expr, fields.len()) => {
                let mut parts = vec![Location::Reg(0); fields.len()];
                for field in fields {
                    parts[field.position as usize] = self.place(&field.value);
                }
                Location::Record(parts.into())
            }
            ExprKind::Select { record, position, .. } => {
                let record = self.place(record);
                self.field(&record, *position)
            }
            _ => {
                let to = self.registers(1);
                self.expr(expr, Want::To(to));
                Location::Reg(to)
            }
        }
    }

    /// Whether the fields of a record may stay in registers. The number of registers is limited, and constants
    /// need none.
    fn stays_apart(&mut self, expr: &'p Expr, fields: usize) -> bool {
        fields <= MOST_PARTS && self.next < REGISTERS / 2 && !is_constant(expr)
    }

    pub(super) fn variable(&mut self, var: VarId, types: &[TypeId], want: Want) {
        let types: Vec<TypeId> = types.iter().map(|ty| self.ty(*ty)).collect();
        match self.meaning(var, &types) {
            Meaning::Local => match self.locals.get(&var).cloned() {
                Some(place) => {
                    let mark = self.next;
                    match (want, &place) {
                        (Want::To(to), _) => self.place_to(&place, to),
                        _ => {
                            let register = self.built(&place);
                            self.done(want, register);
                        }
                    }
                    self.next = mark;
                }
                None => self.refuse_here(
                    "the variable has no value here",
                    "bind it by an input arc, or by `x = ...` in the guard",
                ),
            },
            Meaning::Global(slot) => {
                let to = self.target(want);
                self.emit(Instr::Global(to, slot));
                self.computed(want, to);
            }
            Meaning::Inline(value, substitution) => {
                let around = std::mem::replace(&mut self.substitution, substitution);
                self.expr(value, want);
                self.substitution = around;
            }
            Meaning::Function(stage) => {
                let to = self.target(want);
                self.partial(stage, &[], to);
                self.computed(want, to);
            }
        }
    }

    fn outer(&self) -> Rc<[ParamId]> {
        self.substitution.iter().map(|(param, _)| *param).collect()
    }

    fn bind_local(&mut self, bind: &'p Bind) {
        match bind {
            Bind::Value { var, params, value } => {
                let outer = self.outer();
                let again = match &value.kind {
                    // Another name for something that is not in a register.
                    ExprKind::Var(of, _) => !self.locals.contains_key(of),
                    _ => !params.is_empty(),
                };
                if let ExprKind::Lambda(_) = &value.kind {
                    let extras = self.compiler.captures(&[value], &[]);
                    let known = Definition::Function { params, value, outer, extras };
                    self.compiler.definitions.insert(*var, known);
                } else if again {
                    let known = Definition::Inline { params, value, outer };
                    self.compiler.definitions.insert(*var, known);
                } else {
                    let place = self.place(value);
                    self.locals.insert(*var, place);
                }
            }
            Bind::Pattern { pattern, value } => {
                let value = self.place(value);
                self.span = pattern.span;
                let miss = self.trap(ExnId::BIND);
                self.destructure(value, pattern, miss);
            }
            Bind::Recursive { params, functions } => {
                let own: Vec<VarId> = functions.iter().map(|(var, _)| *var).collect();
                let values: Vec<&Expr> = functions.iter().map(|(_, value)| value).collect();
                let extras = self.compiler.captures(&values, &own);
                for (var, value) in functions {
                    let (outer, extras) = (self.outer(), extras.clone());
                    let known = Definition::Function { params, value, outer, extras };
                    self.compiler.definitions.insert(*var, known);
                }
            }
        }
    }

    /// A lambda as a value: a block with its code and captured variables.
    fn closure(&mut self, expr: &'p Expr, want: Want) {
        let captures = self.compiler.captures(&[expr], &[]);
        let function = self.lambda_function(expr, captures.clone());
        let to = self.target(want);
        self.closure_block(function, &captures, &[], to);
        self.computed(want, to);
    }
}
