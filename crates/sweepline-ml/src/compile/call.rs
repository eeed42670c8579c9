//! Calls: direct calls of known functions, and calls of closures.

use std::rc::Rc;

use crate::core::{Expr, ExprKind, Lambda, VarId};
use crate::machine::{FunctionId, Instr, LayoutId, Reg};
use crate::types::{ParamId, TypeId};

use super::body::{Body, Location, Want, nth};
use super::{Compiler, Definition, Pending, Stage, Substitution};

/// The meaning of a variable.
pub(super) enum Meaning<'p> {
    /// A value in a register.
    Local,
    Global(u32),
    Inline(&'p Expr, Substitution),
    Function(Stage),
}

/// An argument: an expression that is not computed yet, or a location.
#[derive(Clone)]
pub(super) enum Arg<'p> {
    Expr(&'p Expr),
    Location(Location),
}

/// The parameters of nested lambdas, and the body.
pub(super) fn uncurried(value: &Expr) -> (Vec<&Lambda>, &Expr) {
    let (mut params, mut body) = (Vec::new(), value);
    while let ExprKind::Lambda(lambda) = &body.kind {
        params.push(&**lambda);
        body = &lambda.body;
    }
    (params, body)
}

impl<'p> Compiler<'p> {
    /// The types for the type variables of a definition: its own and those around it.
    pub(super) fn instantiate(
        &self,
        params: &[ParamId],
        types: &[TypeId],
        outer: &[ParamId],
        around: &Substitution,
    ) -> Substitution {
        let own = params.iter().copied().zip(types.iter().copied());
        let outer = around.iter().copied().filter(|(param, _)| outer.contains(param));
        let mut all: Vec<(ParamId, TypeId)> = own.chain(outer).collect();
        all.sort_unstable_by_key(|(param, _)| *param);
        all.dedup_by_key(|(param, _)| *param);
        all.into()
    }

    /// The definition of a known function.
    pub(super) fn known(&self, var: VarId) -> (&'p Expr, Rc<[VarId]>) {
        match self.definitions.get(&var) {
            Some(Definition::Function { value, extras, .. }) => (value, extras.clone()),
            _ => unreachable!("only functions have instances"),
        }
    }

    /// The types of a known function's parameters.
    pub(super) fn parameter_types(&mut self, stage: &Stage) -> Vec<TypeId> {
        let (value, _) = self.known(stage.var);
        let (params, _) = uncurried(value);
        params.iter().map(|lambda| self.closed(lambda.param_ty, &stage.substitution)).collect()
    }

    /// The number of words of an argument of a type.
    pub(super) fn width(&self, ty: TypeId) -> usize {
        self.field_types(ty).map_or(1, |fields| fields.len())
    }

    /// The code of a known function.
    pub(super) fn instance(&mut self, stage: &Stage) -> FunctionId {
        let key = (stage.var, stage.substitution.clone());
        if let Some(known) = self.instances.get(&key) {
            return *known;
        }
        let (var, substitution) = key.clone();
        let function = self.new_function(Pending::Known { var, substitution }, 0);
        self.instances.insert(key, function);
        function
    }

    /// The layouts of the words of the arguments given so far, after the captured variables.
    fn stage_layouts(&mut self, stage: &Stage) -> Box<[LayoutId]> {
        let (_, extras) = self.known(stage.var);
        let mut types: Vec<TypeId> = extras
            .iter()
            .map(|var| self.closed(self.program.variable(*var).scheme.ty, &stage.substitution))
            .collect();
        for ty in self.parameter_types(stage).into_iter().take(stage.given) {
            match self.field_types(ty) {
                Some(fields) => types.extend(fields),
                None => types.push(ty),
            }
        }
        types.into_iter().map(|ty| self.layout_of(ty)).collect()
    }

    /// The code that takes the next argument of a known function.
    pub(super) fn stub(&mut self, stage: &Stage) -> FunctionId {
        if let Some(known) = self.stubs.get(stage) {
            return *known;
        }
        let function = self.new_function(Pending::Stub { stage: stage.clone() }, 0);
        self.stubs.insert(stage.clone(), function);
        let captures = self.stage_layouts(stage);
        self.code.functions[function.0 as usize].captures = captures;
        function
    }
}

impl<'p> Body<'_, 'p> {
    /// The meaning of a variable at closed types.
    pub(super) fn meaning(&mut self, var: VarId, types: &[TypeId]) -> Meaning<'p> {
        let around = self.substitution.clone();
        self.meaning_within(var, types, &around)
    }

    fn meaning_within(
        &mut self,
        var: VarId,
        types: &[TypeId],
        around: &Substitution,
    ) -> Meaning<'p> {
        match self.compiler.definitions.get(&var).cloned() {
            None => Meaning::Local,
            Some(Definition::Global { bind }) => {
                Meaning::Global(self.compiler.global_slot(var, bind))
            }
            Some(Definition::Function { params, outer, .. }) => {
                let substitution = self.compiler.instantiate(params, types, &outer, around);
                Meaning::Function(Stage { var, substitution, given: 0 })
            }
            Some(Definition::Inline { params, value, outer }) => {
                let substitution = self.compiler.instantiate(params, types, &outer, around);
                match &value.kind {
                    ExprKind::Var(of, of_types) if !self.locals.contains_key(of) => {
                        let closed = of_types.iter();
                        let closed: Vec<TypeId> =
                            closed.map(|ty| self.compiler.closed(*ty, &substitution)).collect();
                        self.meaning_within(*of, &closed, &substitution)
                    }
                    _ => Meaning::Inline(value, substitution),
                }
            }
        }
    }

    pub(super) fn apply(&mut self, expr: &'p Expr, want: Want) {
        let (mut head, mut args) = (expr, Vec::new());
        while let ExprKind::Apply(function, arg) = &head.kind {
            args.push(Arg::Expr(arg));
            head = function;
        }
        args.reverse();
        match &head.kind {
            ExprKind::Var(var, types) if !self.locals.contains_key(var) => {
                let types: Vec<TypeId> = types.iter().map(|ty| self.ty(*ty)).collect();
                if let Meaning::Function(stage) = self.meaning(*var, &types) {
                    let ty = head.ty;
                    return self.apply_known(stage, ty, &args, want);
                }
                self.apply_closure(head, &args, want);
            }
            ExprKind::Lambda(lambda) => {
                let Arg::Expr(first) = args[0] else { return };
                let place = self.place(first);
                self.locals.insert(lambda.param, place);
                match &args[1..] {
                    [] => self.expr(&lambda.body, want),
                    rest => self.apply_closure(&lambda.body, rest, want),
                }
            }
            _ => self.apply_closure(head, &args, want),
        }
    }

    /// Applies a known function to some arguments: one call, and more if there are more arguments.
    pub(super) fn apply_known(&mut self, stage: Stage, ty: TypeId, args: &[Arg<'p>], want: Want) {
        let types = self.compiler.parameter_types(&stage);
        let arity = types.len();
        if args.len() < arity {
            let to = self.target(want);
            self.partial(stage, args, to);
            return self.computed(want, to);
        }
        let (now, later) = args.split_at(arity);
        if later.is_empty() {
            return self.call_known(&stage, &types, now, want);
        }
        let result = self.registers(1);
        self.call_known(&stage, &types, now, Want::To(result));
        let mut ty = self.ty(ty);
        for _ in 0..arity {
            ty = self.result_type(ty);
        }
        self.call_closures(result, ty, later, want);
    }

    fn result_type(&self, ty: TypeId) -> TypeId {
        match self.compiler.types.get(ty) {
            crate::types::Type::Arrow(_, to) => *to,
            _ => ty,
        }
    }

    fn argument_type(&self, ty: TypeId) -> TypeId {
        match self.compiler.types.get(ty) {
            crate::types::Type::Arrow(from, _) => *from,
            _ => ty,
        }
    }

    fn call_known(&mut self, stage: &Stage, types: &[TypeId], args: &[Arg<'p>], want: Want) {
        let (_, extras) = self.compiler.known(stage.var);
        let widths: Vec<usize> = types.iter().map(|ty| self.compiler.width(*ty)).collect();
        let total = extras.len() + widths.iter().sum::<usize>();
        // The result is returned in the register of the first argument.
        let first = self.registers(total.max(1));
        let mut at = first;
        for extra in extras.iter() {
            self.local_to(*extra, at);
            at = nth(at, 1);
        }
        for ((arg, width), ty) in args.iter().zip(&widths).zip(types) {
            self.pass(arg, *ty, *width, at);
            at = nth(at, *width);
        }
        let function = self.compiler.instance(stage);
        match want {
            Want::Tail => self.emit(Instr::TailCall(first, total as u8, function.0)),
            Want::To(to) => {
                self.emit(Instr::Call(first, function.0));
                self.move_to(to, first);
            }
        }
    }

    fn local_to(&mut self, var: VarId, to: Reg) {
        match self.locals.get(&var).cloned() {
            Some(place) => self.place_to(&place, to),
            None => self.refuse_here(
                "the variable has no value here",
                "bind it by an input arc, or by `x = ...` in the guard",
            ),
        }
    }

    /// Puts an argument into its registers: a record as its fields.
    fn pass(&mut self, arg: &Arg<'p>, ty: TypeId, width: usize, first: Reg) {
        let is_record = self.compiler.field_types(ty).is_some();
        let mark = self.next;
        match arg {
            Arg::Expr(expr) if !is_record => self.expr(expr, Want::To(first)),
            Arg::Location(place) if !is_record => self.place_to(place, first),
            Arg::Expr(expr) => match &expr.kind {
                ExprKind::Record(fields) => {
                    for field in fields {
                        self.expr(&field.value, Want::To(nth(first, field.position as usize)));
                    }
                }
                _ => {
                    let place = self.place(expr);
                    self.spread(&place, width, first);
                }
            },
            Arg::Location(place) => self.spread(place, width, first),
        }
        self.next = mark;
    }

    /// A known function as a value, with the arguments given so far.
    pub(super) fn partial(&mut self, mut stage: Stage, args: &[Arg<'p>], to: Reg) {
        let (_, extras) = self.compiler.known(stage.var);
        let types = self.compiler.parameter_types(&stage);
        let mark = self.next;
        let mut words = Vec::new();
        for (arg, ty) in args.iter().zip(types) {
            let width = self.compiler.width(ty);
            let first = self.registers(width);
            self.pass(arg, ty, width, first);
            words.extend((0..width).map(|n| Location::Reg(nth(first, n))));
        }
        stage.given = args.len();
        let function = self.compiler.stub(&stage);
        self.closure_block(function, &extras, &words, to);
        self.next = mark;
    }

    /// A closure block: its code, captured variables, and further words. A closure without captured variables
    /// is a constant.
    pub(super) fn closure_block(
        &mut self,
        function: FunctionId,
        captures: &[VarId],
        more: &[Location],
        to: Reg,
    ) {
        if captures.is_empty() && more.is_empty() {
            let word = self.compiler.constants.block(&[function.0.into()]);
            return self.word(to, word);
        }
        let mark = self.next;
        let count = 1 + captures.len() + more.len();
        let first = self.registers(count);
        self.word(first, function.0.into());
        let mut at = first + 1;
        for var in captures {
            self.local_to(*var, at);
            at = nth(at, 1);
        }
        for place in more {
            self.place_to(place, at);
            at = nth(at, 1);
        }
        self.emit(Instr::Block(to, first, count as u8));
        self.next = mark;
    }

    /// The code of a lambda that becomes a closure.
    pub(super) fn lambda_function(&mut self, value: &'p Expr, captures: Rc<[VarId]>) -> FunctionId {
        let substitution = self.substitution.clone();
        let layouts = captures.iter().map(|var| {
            let ty = self.compiler.program.variable(*var).scheme.ty;
            let ty = self.compiler.closed(ty, &substitution);
            self.compiler.layout_of(ty)
        });
        let layouts: Box<[LayoutId]> = layouts.collect();
        let pending = Pending::Lambda { value, captures, substitution };
        let function = self.compiler.new_function(pending, 0);
        self.compiler.code.functions[function.0 as usize].captures = layouts;
        function
    }

    fn apply_closure(&mut self, head: &'p Expr, args: &[Arg<'p>], want: Want) {
        let ty = self.ty(head.ty);
        let function = self.operand(head);
        self.call_closures(function, ty, args, want);
    }

    /// Calls a closure with one argument after another.
    fn call_closures(&mut self, function: Reg, ty: TypeId, args: &[Arg<'p>], want: Want) {
        let (mut function, mut ty) = (function, ty);
        for (at, arg) in args.iter().enumerate() {
            let param = self.argument_type(ty);
            let width = self.compiler.width(param);
            let first = self.registers(width + 1);
            self.pass(arg, param, width, first);
            ty = self.result_type(ty);
            if at + 1 < args.len() {
                self.emit(Instr::CallClosure(first, width as u8, function));
                function = first;
                continue;
            }
            match want {
                Want::Tail => self.emit(Instr::TailCallClosure(first, width as u8, function)),
                Want::To(to) => {
                    self.emit(Instr::CallClosure(first, width as u8, function));
                    self.move_to(to, first);
                }
            }
        }
    }
}
