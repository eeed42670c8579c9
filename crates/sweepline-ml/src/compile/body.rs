//! The code of one function: registers, labels, and locations of values.

use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::FixedState;

use crate::core::{ExnId, VarId};
use crate::machine::{Instr, LayoutId, REGISTERS, Reg, Word};
use crate::source::Span;
use crate::types::TypeId;

use super::{Compiler, Refusal, Substitution};

/// The most registers of a body. The rest is reserved for the arguments of a call.
const MOST_REGISTERS: usize = REGISTERS - 8;

/// Where a value is.
#[derive(Clone, Debug)]
pub(super) enum Location {
    /// In a register.
    Reg(Reg),
    /// A record that was never built: each field has its own location.
    Record(Rc<[Location]>),
}

/// Where the value of an expression should go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    To(Reg),
    /// It is the result of the function.
    Tail,
}

/// A position in the code that is not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(u32);

/// A function under construction.
pub(super) struct Body<'c, 'p> {
    pub(super) compiler: &'c mut Compiler<'p>,
    pub(super) substitution: Substitution,
    pub(super) locals: HashMap<VarId, Location, FixedState>,
    /// The first free register.
    pub(super) next: usize,
    pub(super) span: Span,
    labels: Vec<Option<u32>>,
    /// Instructions whose targets are labels.
    fixups: Vec<usize>,
    tables: Vec<(u32, Vec<Label>)>,
    /// Exceptions raised at the end of the code: label, exception, and source position.
    traps: Vec<(Label, ExnId, Span)>,
}

impl<'c, 'p> Body<'c, 'p> {
    pub(super) fn new(
        compiler: &'c mut Compiler<'p>,
        substitution: Substitution,
        span: Span,
    ) -> Self {
        Self {
            compiler,
            substitution,
            locals: HashMap::default(),
            next: 0,
            span,
            labels: Vec::new(),
            fixups: Vec::new(),
            tables: Vec::new(),
            traps: Vec::new(),
        }
    }

    /// Emits the traps and replaces labels by positions.
    pub(super) fn finish(mut self) {
        for (label, exn, span) in std::mem::take(&mut self.traps) {
            self.bind(label);
            self.span = span;
            self.emit(Instr::RaiseConst(exn.0));
        }
        let Self { compiler, labels, fixups, tables, .. } = self;
        let place = |label: u32| labels[label as usize].expect("every label is bound");
        for at in fixups {
            if let Some(target) = target_mut(&mut compiler.code.instrs[at]) {
                *target = place(*target);
            }
        }
        for (table, targets) in tables {
            let targets = targets.iter().map(|label| place(label.0)).collect();
            compiler.code.switches[table as usize] = targets;
        }
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        let at = self.compiler.code.instrs.len();
        let mut instr = instr;
        if target_mut(&mut instr).is_some() {
            self.fixups.push(at);
        }
        if !matches!(instr, Instr::Move(..) | Instr::Const(..) | Instr::Field(..)) {
            self.compiler.code.spans.push((at as u32, self.span));
        }
        self.compiler.code.instrs.push(instr);
    }

    pub(super) fn switch(&mut self, register: Reg, targets: Vec<Label>) {
        let table = self.compiler.code.switches.len() as u32;
        self.compiler.code.switches.push(Box::new([]));
        self.tables.push((table, targets));
        self.emit(Instr::Switch(register, table));
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.compiler.code.instrs.len() as u32);
    }

    /// A label where an exception is raised.
    pub(super) fn trap(&mut self, exn: ExnId) -> Label {
        let label = self.label();
        self.traps.push((label, exn, self.span));
        label
    }

    pub(super) fn jump(&mut self, make: impl FnOnce(u32) -> Instr, label: Label) {
        self.emit(make(label.0));
    }

    /// The first of `count` consecutive new registers.
    pub(super) fn registers(&mut self, count: usize) -> Reg {
        let first = self.next;
        if first + count > MOST_REGISTERS {
            self.refuse_here(
                "too many values at once in one function",
                "split the function, or put the values into a list",
            );
            return 0;
        }
        self.next += count;
        first as Reg
    }

    pub(super) fn refuse_here(&mut self, message: &'static str, help: &'static str) {
        self.compiler.refuse(Refusal { message, help, span: Some(self.span) });
    }

    pub(super) fn ty(&mut self, ty: TypeId) -> TypeId {
        self.compiler.closed(ty, &self.substitution)
    }

    pub(super) fn layout(&mut self, ty: TypeId) -> LayoutId {
        let ty = self.ty(ty);
        self.compiler.layout_of(ty)
    }

    pub(super) fn word(&mut self, to: Reg, word: Word) {
        match i32::try_from(word as i64) {
            Ok(small) => self.emit(Instr::Const(to, small)),
            Err(_) => {
                let at = self.compiler.constants.wide(word);
                self.emit(Instr::Wide(to, at));
            }
        }
    }

    pub(super) fn move_to(&mut self, to: Reg, from: Reg) {
        if to != from {
            self.emit(Instr::Move(to, from));
        }
    }

    /// Moves a value from a register to where it should go.
    pub(super) fn done(&mut self, want: Want, register: Reg) {
        match want {
            Want::To(to) => self.move_to(to, register),
            Want::Tail => self.emit(Instr::Return(register)),
        }
    }

    /// The register to compute into. For the result of the function it is a new one.
    pub(super) fn target(&mut self, want: Want) -> Reg {
        match want {
            Want::To(to) => to,
            Want::Tail => self.registers(1),
        }
    }

    /// Completes a computation into the register of [`Body::target`].
    pub(super) fn computed(&mut self, want: Want, register: Reg) {
        if want == Want::Tail {
            self.emit(Instr::Return(register));
        }
    }

    pub(super) fn place_to(&mut self, place: &Location, to: Reg) {
        match place {
            Location::Reg(register) => self.move_to(to, *register),
            Location::Record(parts) => {
                if parts.is_empty() {
                    return self.word(to, 0);
                }
                let mark = self.next;
                if let [Location::Reg(a), Location::Reg(b)] = parts[..] {
                    return self.emit(Instr::Pair(to, a, b));
                }
                let first = self.registers(parts.len());
                self.spread(place, parts.len(), first);
                self.emit(Instr::Block(to, first, parts.len() as u8));
                self.next = mark;
            }
        }
    }

    /// The register of a value. A record is built if it was not.
    pub(super) fn built(&mut self, place: &Location) -> Reg {
        match place {
            Location::Reg(register) => *register,
            Location::Record(_) => {
                let to = self.registers(1);
                self.place_to(place, to);
                to
            }
        }
    }

    /// Puts the fields of a record into consecutive registers.
    pub(super) fn spread(&mut self, place: &Location, width: usize, first: Reg) {
        match place {
            Location::Reg(record) => {
                for field in 0..width {
                    self.emit(Instr::Field(nth(first, field), *record, field as u32));
                }
            }
            Location::Record(parts) => {
                for (field, part) in parts.iter().enumerate() {
                    self.place_to(part, nth(first, field));
                }
            }
        }
    }

    /// One field of a record.
    pub(super) fn field(&mut self, place: &Location, position: u32) -> Location {
        match place {
            Location::Record(parts) => parts[position as usize].clone(),
            Location::Reg(record) => {
                let to = self.registers(1);
                self.emit(Instr::Field(to, *record, position));
                Location::Reg(to)
            }
        }
    }
}

/// The `n`th register after another. It wraps around only in code that has been refused.
pub(super) fn nth(first: Reg, n: usize) -> Reg {
    first.wrapping_add(n as Reg)
}

/// The label in an instruction.
fn target_mut(instr: &mut Instr) -> Option<&mut u32> {
    match instr {
        Instr::Jump(target)
        | Instr::Loop(target)
        | Instr::JumpLess(_, _, target)
        | Instr::JumpNotLess(_, _, target)
        | Instr::JumpSame(_, _, target)
        | Instr::JumpDifferent(_, _, target)
        | Instr::JumpLessConst(_, _, target)
        | Instr::JumpNotLessConst(_, _, target)
        | Instr::JumpIs(_, _, target)
        | Instr::JumpIsNot(_, _, target)
        | Instr::Handle(_, target) => Some(target),
        _ => None,
    }
}
