//! Whole functions.

use std::rc::Rc;

use crate::core::{Bind, ExnId, ExprKind, Lambda, Pattern, VarId};
use crate::machine::{FunctionId, Instr};
use crate::prim::Prim;
use crate::source::Span;

use super::body::{Body, Location, Want, nth};
use super::call::{Arg, Meaning, uncurried};
use super::{Compiler, Pending, Stage, Substitution};

impl<'p> Compiler<'p> {
    fn body(&mut self, function: FunctionId, around: Substitution, span: Span) -> Body<'_, 'p> {
        let known = &mut self.code.functions[function.0 as usize];
        known.entry = self.code.instrs.len() as u32;
        known.span = span;
        Body::new(self, around, span)
    }

    pub(super) fn compile_pending(&mut self, function: FunctionId, pending: Pending<'p>) {
        match pending {
            Pending::Known { var, substitution } => {
                let (value, extras) = self.known(var);
                let (params, inner) = uncurried(value);
                let mut body = self.body(function, substitution, value.span);
                for extra in extras.iter() {
                    let register = body.registers(1);
                    body.locals.insert(*extra, Location::Reg(register));
                }
                params.into_iter().for_each(|lambda| body.parameter(lambda));
                body.expr(inner, Want::Tail);
                body.finish();
            }
            Pending::Lambda { value, captures, substitution } => {
                let ExprKind::Lambda(lambda) = &value.kind else { return };
                let mut body = self.body(function, substitution, value.span);
                body.parameter(lambda);
                body.captured(&captures);
                body.expr(&lambda.body, Want::Tail);
                body.finish();
            }
            Pending::Stub { stage } => self.compile_stub(function, stage),
            Pending::Initialiser { bind } => self.compile_initialiser(function, bind),
            Pending::Root { params, expr } => {
                let mut body = self.body(function, Rc::new([]), expr.span);
                for param in params {
                    let register = body.registers(1);
                    body.locals.insert(param, Location::Reg(register));
                }
                body.expr(expr, Want::Tail);
                body.finish();
            }
            Pending::Variable { var } => self.compile_variable(function, var),
            Pending::Applied { var } => self.compile_applied(function, var),
            Pending::Pattern { pattern, inputs, outputs } => {
                self.compile_match(function, pattern, &inputs, &outputs);
            }
        }
    }

    /// Takes one more argument: calls the function if it has all, else builds another closure.
    fn compile_stub(&mut self, function: FunctionId, stage: Stage) {
        let (value, extras) = self.known(stage.var);
        let types = self.parameter_types(&stage);
        let widths: Vec<usize> = types.iter().map(|ty| self.width(*ty)).collect();
        let before = extras.len() + widths[..stage.given].iter().sum::<usize>();
        let own = widths[stage.given];
        let mut body = self.body(function, stage.substitution.clone(), value.span);
        body.registers(own);
        let closure = body.registers(1);
        let total = before + own;
        // One register before the arguments is for the code of another closure.
        let first = body.registers(1 + total) + 1;
        for word in 0..before {
            body.emit(Instr::Field(nth(first, word), closure, word as u32 + 1));
        }
        if own > 0 {
            body.emit(Instr::Copy(nth(first, before), 0, own as u8));
        }
        if stage.given + 1 == types.len() {
            let target = body.compiler.instance(&stage);
            body.emit(Instr::TailCall(first, total as u8, target.0));
        } else {
            let next = Stage { given: stage.given + 1, ..stage };
            let next = body.compiler.stub(&next);
            body.word(first - 1, next.0.into());
            body.emit(Instr::Block(first - 1, first - 1, nth(1, total)));
            body.emit(Instr::Return(first - 1));
        }
        body.finish();
    }

    fn compile_initialiser(&mut self, function: FunctionId, bind: usize) {
        let program = self.program;
        match &program.binds[bind] {
            Bind::Value { var, value, .. } => {
                let slot = self.global_slot(*var, bind);
                let mut body = self.body(function, Rc::new([]), value.span);
                let register = body.operand(value);
                body.emit(Instr::SetGlobal(register, slot));
                body.emit(Instr::Return(register));
                body.finish();
            }
            Bind::Pattern { pattern, value } => {
                let mut body = self.body(function, Rc::new([]), value.span);
                let value = body.place(value);
                let miss = body.trap(ExnId::BIND);
                for (var, place) in body.match_one(value, pattern, miss) {
                    let slot = body.compiler.global_slot(var, bind);
                    let register = body.built(&place);
                    body.emit(Instr::SetGlobal(register, slot));
                }
                body.emit(Instr::Const(0, 0));
                body.emit(Instr::Return(0));
                body.finish();
            }
            Bind::Recursive { .. } => {}
        }
    }

    /// Returns 1 and the outputs in the registers from 1 on, or returns 0.
    fn compile_match(
        &mut self,
        function: FunctionId,
        pattern: &'p Pattern,
        inputs: &[VarId],
        outputs: &[VarId],
    ) {
        let mut body = self.body(function, Rc::new([]), pattern.span);
        let value = body.registers(1);
        for input in inputs {
            let register = body.registers(1);
            body.locals.insert(*input, Location::Reg(register));
        }
        let miss = body.label();
        for (var, place) in body.match_one(Location::Reg(value), pattern, miss) {
            let Some(known) = body.locals.get(&var).cloned() else {
                body.locals.insert(var, place);
                continue;
            };
            let layout = body.layout(body.compiler.program.variable(var).scheme.ty);
            let (a, b) = (body.built(&known), body.built(&place));
            let same = body.registers(1);
            body.call_on_two(Prim::Equal, layout, (a, b), same);
            body.jump(|to| Instr::JumpIs(same, 0, to), miss);
        }
        let first = body.registers(outputs.len());
        for (at, output) in outputs.iter().enumerate() {
            match body.locals.get(output).cloned() {
                Some(place) => body.place_to(&place, nth(first, at)),
                None => body.refuse_here(
                    "the pattern does not bind the variable",
                    "use the variable in the pattern",
                ),
            }
        }
        if !outputs.is_empty() {
            body.emit(Instr::Copy(1, first, outputs.len() as u8));
        }
        body.emit(Instr::Const(0, 1));
        body.emit(Instr::Return(0));
        body.bind(miss);
        body.emit(Instr::Const(0, 0));
        body.emit(Instr::Return(0));
        body.finish();
    }

    /// The value of a top-level variable.
    fn compile_variable(&mut self, function: FunctionId, var: VarId) {
        let mut body = self.body(function, Rc::new([]), Span::START);
        body.variable(var, &[], Want::Tail);
        body.finish();
    }

    /// A top-level function with all its arguments.
    fn compile_applied(&mut self, function: FunctionId, var: VarId) {
        let ty = self.program.variable(var).scheme.ty;
        let mut body = self.body(function, Rc::new([]), Span::START);
        let Meaning::Function(stage) = body.meaning(var, &[]) else {
            body.refuse_here(
                "this is not a function",
                "name a function that is declared at the top level",
            );
            return;
        };
        let arity = body.compiler.parameter_types(&stage).len();
        let args: Vec<Arg<'p>> =
            (0..arity).map(|_| Arg::Location(Location::Reg(body.registers(1)))).collect();
        body.apply_known(stage, ty, &args, Want::Tail);
        body.finish();
        self.code.functions[function.0 as usize].arity = arity as u32;
    }
}

impl<'p> Body<'_, 'p> {
    /// The registers of a parameter. A record is passed as its fields.
    fn parameter(&mut self, lambda: &'p Lambda) {
        let ty = self.ty(lambda.param_ty);
        let place = match self.compiler.field_types(ty) {
            None => Location::Reg(self.registers(1)),
            Some(fields) => {
                let first = self.registers(fields.len());
                Location::Record((0..fields.len()).map(|n| Location::Reg(nth(first, n))).collect())
            }
        };
        self.locals.insert(lambda.param, place);
    }

    /// Loads captured variables from the closure, which is passed after the argument.
    fn captured(&mut self, captures: &[VarId]) {
        let closure = self.registers(1);
        for (at, var) in captures.iter().enumerate() {
            let register = self.registers(1);
            self.emit(Instr::Field(register, closure, at as u32 + 1));
            self.locals.insert(*var, Location::Reg(register));
        }
    }
}
