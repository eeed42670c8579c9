//! Conditions, compiled to jumps without computing truth values.

use crate::core::{Expr, ExprKind, Literal};
use crate::machine::{Instr, Layout};
use crate::prim::{Comparison, Operand, Prim};

use super::body::{Body, Label};

impl<'p> Body<'_, 'p> {
    /// Jumps if the condition equals `when`.
    pub(super) fn branch(&mut self, condition: &'p Expr, when: bool, label: Label) {
        let (mark, span) = (self.next, self.span);
        self.span = condition.span;
        self.branch_kind(condition, when, label);
        (self.next, self.span) = (mark, span);
    }

    fn branch_kind(&mut self, condition: &'p Expr, when: bool, label: Label) {
        match &condition.kind {
            ExprKind::Construct { con, arg: None } => {
                if (con.tag == 1) == when {
                    self.jump(Instr::Jump, label);
                }
            }
            ExprKind::If(parts) => self.branch_if(condition, parts, when, label),
            ExprKind::Prim {
                op: Prim::Compare(op, Operand::Int | Operand::Char), args, ..
            } => self.branch_compare(*op, args, when, label),
            ExprKind::Prim { op: op @ (Prim::Equal | Prim::NotEqual), args, .. } => {
                self.branch_equal(condition, args, when == (*op == Prim::Equal), label);
            }
            ExprKind::Apply(function, arg) if matches!(function.kind, ExprKind::Var(var, _) if Some(var) == self.compiler.not) =>
            {
                self.branch(arg, !when, label);
            }
            _ => self.branch_value(condition, when, label),
        }
    }

    fn branch_value(&mut self, condition: &'p Expr, when: bool, label: Label) {
        let value = self.operand(condition);
        self.jump(|target| Instr::JumpIs(value, when.into(), target), label);
    }

    /// `andalso` and `orelse`. Long chains nest to the left, so this is a loop, not a recursion.
    fn branch_if(&mut self, all: &'p Expr, parts: &'p [Expr; 3], when: bool, label: Label) {
        let [_, yes, no] = parts;
        let chain = |and: bool| {
            let (mut links, mut rest) = (Vec::new(), all);
            while let ExprKind::If(parts) = &rest.kind {
                let [first, yes, no] = &**parts;
                match and {
                    true if is_truth(no, 0) => links.push(yes),
                    false if is_truth(yes, 1) => links.push(no),
                    _ => break,
                }
                rest = first;
            }
            links.push(rest);
            links.reverse();
            links
        };
        let and = is_truth(no, 0);
        if !and && !is_truth(yes, 1) {
            return self.branch_value(all, when, label);
        }
        let links = chain(and);
        if and != when {
            // One false operand decides `andalso`, and one true operand decides `orelse`.
            links.into_iter().for_each(|link| self.branch(link, when, label));
            return;
        }
        let around = self.label();
        let Some((last, first)) = links.split_last() else { return };
        first.iter().for_each(|link| self.branch(link, !when, around));
        self.branch(last, when, label);
        self.bind(around);
    }

    fn branch_compare(&mut self, op: Comparison, args: &'p [Expr], when: bool, label: Label) {
        let [left, right] = args else { return };
        // `a < b`, `a >= b`, and both with exchanged operands.
        let (less, exchanged) = match op {
            Comparison::Less => (true, false),
            Comparison::GreaterEqual => (false, false),
            Comparison::Greater => (true, true),
            Comparison::LessEqual => (false, true),
        };
        let less = less == when;
        if let Some(constant) = small(right, if exchanged { 1 } else { 0 }) {
            // `a > c` is `a >= c + 1`, `a <= c` is `a < c + 1`.
            let a = self.operand(left);
            let make = |target| match less != exchanged {
                true => Instr::JumpLessConst(a, constant, target),
                false => Instr::JumpNotLessConst(a, constant, target),
            };
            return self.jump(make, label);
        }
        let (a, b) = (self.operand(left), self.operand(right));
        let (a, b) = if exchanged { (b, a) } else { (a, b) };
        let make = |target| match less {
            true => Instr::JumpLess(a, b, target),
            false => Instr::JumpNotLess(a, b, target),
        };
        self.jump(make, label);
    }

    fn branch_equal(&mut self, all: &'p Expr, args: &'p [Expr], when: bool, label: Label) {
        let [left, right] = args else { return };
        if !self.is_one_word(left, right) {
            // The primitive tells `=` from `<>`.
            let is_equal = matches!(&all.kind, ExprKind::Prim { op: Prim::Equal, .. });
            return self.branch_value(all, when == is_equal, label);
        }
        for (value, other) in [(left, right), (right, left)] {
            if let Some(constant) = small(other, 0) {
                let a = self.operand(value);
                let make = |target| match when {
                    true => Instr::JumpIs(a, constant, target),
                    false => Instr::JumpIsNot(a, constant, target),
                };
                return self.jump(make, label);
            }
        }
        let (a, b) = (self.operand(left), self.operand(right));
        let make = |target| match when {
            true => Instr::JumpSame(a, b, target),
            false => Instr::JumpDifferent(a, b, target),
        };
        self.jump(make, label);
    }

    /// Whether values can be compared as words. Constant constructors are words in every datatype.
    pub(super) fn is_one_word(&mut self, left: &Expr, right: &Expr) -> bool {
        let layout = self.layout(left.ty);
        let is_tag = |expr: &Expr| match &expr.kind {
            ExprKind::Construct { arg: None, .. } => true,
            ExprKind::List(parts) => parts.is_empty(),
            _ => false,
        };
        self.compiler.layouts.list[layout.0 as usize].is_scalar()
            || is_tag(left)
            || is_tag(right)
            || self.wraps_scalar(layout)
    }

    fn wraps_scalar(&self, mut layout: crate::machine::LayoutId) -> bool {
        // A datatype may wrap itself and then has no values; the bound ends the loop.
        for _ in 0..self.compiler.layouts.list.len() {
            match &self.compiler.layouts.list[layout.0 as usize] {
                Layout::Wrapped(_, content) => layout = *content,
                known => return known.is_scalar(),
            }
        }
        false
    }
}

fn is_truth(expr: &Expr, tag: u32) -> bool {
    matches!(&expr.kind, ExprKind::Construct { con, arg: None } if con.tag == tag)
}

/// A constant plus `plus`, if the sum fits in a jump instruction.
fn small(expr: &Expr, plus: i64) -> Option<i16> {
    let value = match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) => *value,
        ExprKind::Literal(Literal::Char(value)) => (*value).into(),
        ExprKind::Construct { con, arg: None } => con.tag.into(),
        ExprKind::List(parts) if parts.is_empty() => 0,
        _ => return None,
    };
    i16::try_from(value + plus).ok()
}
