//! Primitives.

use crate::core::{Expr, ExprKind, Literal};
use crate::machine::{Instr, Layout, LayoutId, PrimCall, Reg};
use crate::prim::{Arith, Comparison, Operand, Prim};
use crate::types::{TypeId, Types};

use super::body::{Body, Location, Want, nth};

impl<'p> Body<'_, 'p> {
    pub(super) fn prim(&mut self, op: Prim, types: &[TypeId], args: &'p [Expr], want: Want) {
        let to = self.target(want);
        match (op, args) {
            (Prim::Arith(op, operand), _) => self.arith(op, operand, args, to),
            (Prim::Compare(op, operand), [a, b]) => {
                let (a, b) = (self.operand(a), self.operand(b));
                self.compare(op, operand, (a, b), to);
            }
            (Prim::Equal | Prim::NotEqual, [a, b]) => self.equal(op, a, b, to),
            (Prim::Ref, [content]) => {
                let content = self.operand(content);
                self.emit(Instr::Block(to, content, 1));
            }
            (Prim::Deref, [cell]) => {
                let cell = self.operand(cell);
                self.emit(Instr::Field(to, cell, 0));
            }
            (Prim::Assign, [cell, value]) => {
                let layout = self.layout(value.ty);
                let (cell, value) = (self.operand(cell), self.operand(value));
                self.emit(Instr::Assign(cell, value, layout));
                self.word(to, 0);
            }
            (Prim::ListAppend, _) => self.append(args, to),
            (Prim::Repeat, [count, token]) if is_one(count) => {
                let token = self.place(token);
                let nil = self.registers(1);
                self.word(nil, 0);
                self.cons(&token, nil, to);
            }
            (Prim::CharOrd, [value]) => self.expr(value, Want::To(to)),
            _ => self.general(op, types, args, to),
        }
        self.computed(want, to);
    }

    /// Calls the table of primitives, with the arguments in consecutive registers.
    fn general(&mut self, op: Prim, types: &[TypeId], args: &'p [Expr], to: Reg) {
        let first = self.registers(args.len().max(1));
        for (at, arg) in args.iter().enumerate() {
            self.expr(arg, Want::To(nth(first, at)));
        }
        let layout = self.layout(types.first().copied().unwrap_or(Types::UNIT));
        self.call_prim(op, layout, first, to);
    }

    pub(super) fn call_prim(&mut self, op: Prim, layout: LayoutId, first: Reg, to: Reg) {
        let at = self.compiler.prim_call(PrimCall { op, layout });
        self.emit(match op {
            Prim::Ask(_) => Instr::Ask(to, first, at),
            _ => Instr::Prim(to, first, at),
        });
    }

    fn arith(&mut self, op: Arith, operand: Operand, args: &'p [Expr], to: Reg) {
        if let ([a, b], Operand::Int) = (args, operand) {
            let constant = match op {
                Arith::Add => constant(b).map(|b| (a, b)).or(constant(a).map(|a| (b, a))),
                Arith::Subtract => constant(b).and_then(|b| Some((a, b.checked_neg()?))),
                _ => None,
            };
            if let Some((value, constant)) = constant {
                let value = self.operand(value);
                return self.emit(Instr::AddConst(to, value, constant));
            }
        }
        let a = self.operand(&args[0]);
        let b = args.get(1).map_or(a, |b| self.operand(b));
        let instr = match (operand, op) {
            (Operand::Int, Arith::Add) => Instr::Add(to, a, b),
            (Operand::Int, Arith::Subtract) => Instr::Subtract(to, a, b),
            (Operand::Int, Arith::Multiply) => Instr::Multiply(to, a, b),
            (Operand::Int, Arith::Div | Arith::Divide) => Instr::Div(to, a, b),
            (Operand::Int, Arith::Mod) => Instr::Mod(to, a, b),
            (Operand::Int, Arith::Negate) => Instr::Negate(to, a),
            (Operand::Int, Arith::Abs) => Instr::Abs(to, a),
            (Operand::IntInf, _) => Instr::Large(op, to, a, b),
            (Operand::Real, _) => Instr::Real(op, to, a, b),
            _ => Instr::Sized(operand, op, to, a, b),
        };
        self.emit(instr);
    }

    fn compare(&mut self, op: Comparison, operand: Operand, (a, b): (Reg, Reg), to: Reg) {
        let instr = match operand {
            Operand::Int | Operand::Int32 | Operand::Char => Instr::Compare(op, to, a, b),
            Operand::IntInf => Instr::CompareLarge(op, to, a, b),
            Operand::Word | Operand::Word8 | Operand::Word32 => {
                Instr::CompareUnsigned(op, to, a, b)
            }
            Operand::Real => Instr::CompareReal(op, to, a, b),
            Operand::String => {
                let first = self.registers(2);
                self.move_to(first, a);
                self.move_to(first + 1, b);
                let layout = self.layout(Types::STRING);
                self.call_prim(Prim::StringCompare, layout, first, first);
                // `order` has the tags 0, 1, 2.
                self.word(first + 1, 1);
                Instr::Compare(op, to, first, first + 1)
            }
        };
        self.emit(instr);
    }

    fn equal(&mut self, op: Prim, left: &'p Expr, right: &'p Expr, to: Reg) {
        let layout = self.layout(left.ty);
        let is_one_word = self.is_one_word(left, right);
        let known = self.compiler.layouts.list[layout.0 as usize].clone();
        let (a, b) = (self.operand(left), self.operand(right));
        match known {
            Layout::Real => self.emit(Instr::EqualReal(to, a, b)),
            _ if is_one_word => self.emit(Instr::Same(to, a, b)),
            _ => self.call_on_two(Prim::Equal, layout, (a, b), to),
        }
        if op == Prim::NotEqual {
            self.emit(Instr::Not(to, to));
        }
    }

    /// A primitive of two values, which are moved to consecutive registers.
    pub(super) fn call_on_two(&mut self, op: Prim, layout: LayoutId, (a, b): (Reg, Reg), to: Reg) {
        let mark = self.next;
        let first = self.registers(2);
        self.move_to(first, a);
        self.move_to(first + 1, b);
        self.call_prim(op, layout, first, to);
        self.next = mark;
    }

    /// A sum of multi-sets. Chains of `++` nest to the left and are joined from the right.
    fn append(&mut self, args: &'p [Expr], to: Reg) {
        let (mut parts, mut args) = (Vec::new(), args);
        while let [left, right] = args {
            parts.push(right);
            match &left.kind {
                ExprKind::Prim { op: Prim::ListAppend, args: inner, .. } => args = inner,
                _ => {
                    parts.push(left);
                    break;
                }
            }
        }
        parts.reverse();
        // The number of registers is limited, so a long sum is joined in chunks.
        for (at, chunk) in parts.chunks(16).enumerate() {
            self.append_chunk(chunk, at > 0, to);
        }
    }

    /// Parts are computed from left to right, then joined from right to left.
    fn append_chunk(&mut self, chunk: &[&'p Expr], continues: bool, to: Reg) {
        let mark = self.next;
        let mut places: Vec<Part> = Vec::new();
        if continues {
            places.push(Part::List(to));
        }
        for part in chunk {
            places.push(match &part.kind {
                ExprKind::Prim { op: Prim::Repeat, args, .. } if is_one(&args[0]) => {
                    Part::Token(self.place(&args[1]))
                }
                ExprKind::List(elements) if elements.len() == 1 => {
                    Part::Token(self.place(&elements[0]))
                }
                _ => Part::List(self.operand(part)),
            });
        }
        let sum = self.registers(1);
        let mut is_empty = true;
        for part in places.into_iter().rev() {
            match part {
                Part::Token(token) => {
                    if is_empty {
                        self.word(sum, 0);
                    }
                    let mark = self.next;
                    self.cons(&token, sum, sum);
                    self.next = mark;
                }
                Part::List(list) if is_empty => self.move_to(sum, list),
                Part::List(list) => {
                    let layout = self.layout(Types::UNIT);
                    self.call_on_two(Prim::ListAppend, layout, (list, sum), sum);
                }
            }
            is_empty = false;
        }
        self.move_to(to, sum);
        self.next = mark;
    }
}

/// A part of a sum: one token, or several.
enum Part {
    Token(Location),
    List(Reg),
}

fn is_one(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Literal(Literal::Int(1)))
}

fn constant(expr: &Expr) -> Option<i32> {
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) => i32::try_from(*value).ok(),
        _ => None,
    }
}
