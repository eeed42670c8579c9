//! Records, constructors, lists, exceptions.

use crate::core::{Expr, ExprKind, Field};
use crate::machine::{Instr, Layout, Reg, content_offset};

use super::body::{Body, Location, Want, nth};

/// Blocks with more words than this are filled in place.
const MOST_IN_REGISTERS: usize = 48;

impl<'p> Body<'_, 'p> {
    pub(super) fn construct(&mut self, expr: &'p Expr, want: Want) {
        let to = self.target(want);
        if let Some(word) = self.constant(expr) {
            self.word(to, word);
            return self.computed(want, to);
        }
        match &expr.kind {
            ExprKind::Record(fields) => self.record(fields, None, to),
            ExprKind::Construct { con, arg: Some(arg) } => {
                let layout = self.layout(expr.ty);
                match self.compiler.layouts.list[layout.0 as usize].clone() {
                    Layout::List(_) => self.content(arg, None, 2, to),
                    Layout::Data(constructors) => {
                        let tagged = content_offset(&constructors) == 1;
                        let tag = tagged.then_some(con.tag);
                        match constructors[con.tag as usize].content {
                            Some(content) if content.is_record => {
                                self.content(arg, tag, content.width, to);
                            }
                            _ => self.single(arg, tag, to),
                        }
                    }
                    // A datatype with one constructor is represented by the argument of the constructor.
                    _ => self.expr(arg, Want::To(to)),
                }
            }
            ExprKind::Exception { exn, arg: None } => self.word(to, exn.0.into()),
            ExprKind::Exception { exn, arg: Some(arg) } => {
                let content = self.compiler.program.exception(*exn).arg;
                if content.is_some_and(|ty| self.compiler.types.is_open(ty)) {
                    self.refuse_here(
                        "an exception must not carry a value of a polymorphic type",
                        "write the type that it carries, such as `exception E of int`",
                    );
                }
                let ty = self.ty(arg.ty);
                match self.compiler.field_types(ty) {
                    Some(fields) => self.content(arg, Some(exn.0), fields.len() as u32, to),
                    None => self.single(arg, Some(exn.0), to),
                }
            }
            ExprKind::List(parts) => {
                self.emit(Instr::Cells(to, parts.len() as u32));
                // The elements may raise an exception, but cannot refer to the list.
                for (cell, part) in parts.iter().enumerate() {
                    let mark = self.next;
                    let head = self.operand(part);
                    self.emit(Instr::SetField(to, head, 2 * cell as u32));
                    self.next = mark;
                }
            }
            _ => {}
        }
        self.computed(want, to);
    }

    /// A block of a tag and one word.
    fn single(&mut self, arg: &'p Expr, tag: Option<u32>, to: Reg) {
        let count = 1 + usize::from(tag.is_some());
        let first = self.registers(count);
        if let Some(tag) = tag {
            self.word(first, tag.into());
        }
        self.expr(arg, Want::To(nth(first, count - 1)));
        self.emit(Instr::Block(to, first, count as u8));
    }

    /// A block of a tag and the fields of a record.
    fn content(&mut self, arg: &'p Expr, tag: Option<u32>, width: u32, to: Reg) {
        if let ExprKind::Record(fields) = &arg.kind {
            return self.record(fields, tag, to);
        }
        let place = self.place(arg);
        let tags = usize::from(tag.is_some());
        let count = tags + width as usize;
        let first = self.registers(count);
        if let Some(tag) = tag {
            self.word(first, tag.into());
        }
        self.spread(&place, width as usize, nth(first, tags));
        self.emit(Instr::Block(to, first, count as u8));
    }

    fn record(&mut self, fields: &'p [Field], tag: Option<u32>, to: Reg) {
        let tags = usize::from(tag.is_some());
        let count = tags + fields.len();
        if count > MOST_IN_REGISTERS {
            return self.large_record(fields, tag, to);
        }
        if let ([a, b], None) = (fields, tag) {
            let (one, two) = (self.operand(&a.value), self.operand(&b.value));
            let (one, two) = if a.position == 0 { (one, two) } else { (two, one) };
            return self.emit(Instr::Pair(to, one, two));
        }
        let first = self.registers(count);
        if let Some(tag) = tag {
            self.word(first, tag.into());
        }
        for field in fields {
            let at = nth(first, tags + field.position as usize);
            self.expr(&field.value, Want::To(at));
        }
        self.emit(Instr::Block(to, first, count as u8));
    }

    fn large_record(&mut self, fields: &'p [Field], tag: Option<u32>, to: Reg) {
        let tags = u32::from(tag.is_some());
        self.emit(Instr::Zeros(to, tags + fields.len() as u32));
        if let Some(tag) = tag {
            let register = self.registers(1);
            self.word(register, tag.into());
            self.emit(Instr::SetField(to, register, 0));
        }
        for field in fields {
            let mark = self.next;
            let value = self.operand(&field.value);
            self.emit(Instr::SetField(to, value, tags + field.position));
            self.next = mark;
        }
    }

    /// Builds a list cell.
    pub(super) fn cons(&mut self, head: &Location, tail: Reg, to: Reg) {
        let head = self.built(head);
        self.emit(Instr::Pair(to, head, tail));
    }
}
