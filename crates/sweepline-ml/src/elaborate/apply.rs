//! Names, and functions applied to arguments.

use crate::ast::{self, LongName};
use crate::core::{Con, ExnId, Expr, ExprKind, Field, Lambda, VarId};
use crate::prim::{Arith, Operand, Prim};
use crate::problem::Problem;
use crate::source::Span;
use crate::types::{Label, Scheme, Type, TypeId, Types};

use super::advice::foreign;
use super::scope::{Overload, Value};
use super::unify::{Class, Kind};
use super::{Context, Elaborator};

/// What a name other than a variable denotes, to be applied to an argument.
enum Target {
    Constructor(Con),
    Exception(ExnId),
    Primitive(Prim, Vec<TypeId>),
}

impl Elaborator<'_> {
    /// A name alone.
    pub(super) fn name(&mut self, name: &LongName, span: Span) -> Expr {
        let Some(value) = self.lookup(name, span) else { return self.wrong(span) };
        if let Value::Variable(var) = value {
            return self.variable(var, span);
        }
        let (target, arg, ty) = self.target(&value, span);
        let kind = match (target, arg) {
            (target, Some(arg)) => return self.eta(target, arg, ty, span),
            (Target::Constructor(con), None) => ExprKind::Construct { con, arg: None },
            (Target::Exception(exn), None) => ExprKind::Exception { exn, arg: None },
            (Target::Primitive(..), None) => unreachable!("primitives take arguments"),
        };
        Expr { kind, ty, span }
    }

    /// A constructor, exception or primitive, the type of its argument if it takes one, and the type of its result.
    fn target(&mut self, value: &Value, span: Span) -> (Target, Option<TypeId>, TypeId) {
        match value {
            Value::Constructor(con) => {
                let (arg, ty) = self.constructor_type(*con, span);
                (Target::Constructor(*con), arg, ty)
            }
            Value::Exception(exn) => {
                (Target::Exception(*exn), self.state.program.exception(*exn).arg, Types::EXN)
            }
            _ => {
                let (target, arg, ty) = self.primitive_target(value, span);
                (target, Some(arg), ty)
            }
        }
    }

    fn variable(&mut self, var: VarId, span: Span) -> Expr {
        let scheme = self.state.program.variable(var).scheme.clone();
        let (ty, types) = self.instantiate(&scheme, span);
        Expr { kind: ExprKind::Var(var, types), ty, span }
    }

    /// The meaning of a name. A name without a meaning is reported.
    pub(super) fn lookup(&mut self, name: &LongName, span: Span) -> Option<Value> {
        if let Some(value) = self.state.scope.value(name) {
            return Some(value.clone());
        }
        if name.path.is_empty() && self.state.cpn_variables.contains_key(&name.name) {
            let name = name.to_string();
            self.error(Problem::VariableNotAllowed { name }, span);
        } else {
            self.unknown_name("value", name, span);
        }
        None
    }

    /// The types of a constructor's argument and result, with fresh unknowns for the type parameters.
    pub(super) fn constructor_type(&mut self, con: Con, span: Span) -> (Option<TypeId>, TypeId) {
        let datatype = self.state.program.datatype(con.data);
        let params = datatype.params.clone();
        let mut arguments = Vec::with_capacity(params.len());
        for param in &params {
            let equality = self.state.program.types.param(*param).equality;
            arguments.push(self.fresh_kind(Kind::Any, equality, span));
        }
        let arg = self.state.program.constructor_arg(con, &arguments);
        let ty = self.types().intern(Type::Data(con.data, arguments.into()));
        (arg, ty)
    }

    /// A primitive with the types of its argument and result, with fresh unknowns for the type parameters.
    fn primitive_target(&mut self, value: &Value, span: Span) -> (Target, TypeId, TypeId) {
        match value {
            Value::Primitive(prim, scheme) => {
                let (ty, types) = self.instantiate(&scheme.clone(), span);
                let (arg, result) = match self.state.program.types.get(ty) {
                    Type::Arrow(arg, result) => (*arg, *result),
                    _ => (Types::UNIT, ty),
                };
                (Target::Primitive(*prim, types), arg, result)
            }
            Value::Overloaded(Overload::Arith(op)) => {
                let class = match op {
                    Arith::Add | Arith::Subtract | Arith::Multiply | Arith::Negate => Class::NUMBER,
                    Arith::Div | Arith::Mod => Class::INTEGER,
                    Arith::Abs | Arith::Divide => Class::SIGNED,
                };
                let operand = self.fresh_class(class, span);
                if *op == Arith::Divide {
                    let _ = self.unify(operand, Types::REAL);
                }
                let unary = matches!(op, Arith::Negate | Arith::Abs);
                let pair = [operand, operand];
                let arg = self.types().tuple(if unary { &pair[..1] } else { &pair });
                let prim = Prim::Arith(*op, Operand::Int);
                (Target::Primitive(prim, vec![operand]), arg, operand)
            }
            Value::Overloaded(Overload::Compare(comparison)) => {
                let operand = self.fresh_class(Class::ORDERED, span);
                let arg = self.types().tuple(&[operand, operand]);
                let prim = Prim::Compare(*comparison, Operand::Int);
                (Target::Primitive(prim, vec![operand]), arg, Types::BOOL)
            }
            _ => unreachable!("only primitives and overloaded operators come here"),
        }
    }

    /// `fn x => target x`.
    fn eta(&mut self, target: Target, arg: TypeId, result: TypeId, span: Span) -> Expr {
        let param = self.made_variable(arg);
        let argument = Expr { kind: ExprKind::Var(param, Vec::new()), ty: arg, span };
        let body = self.saturate(target, argument, result, span);
        let ty = self.types().arrow(arg, result);
        Expr { kind: ExprKind::Lambda(Box::new(Lambda { param, param_ty: arg, body })), ty, span }
    }

    fn saturate(&mut self, target: Target, argument: Expr, ty: TypeId, span: Span) -> Expr {
        let kind = match target {
            Target::Constructor(con) => ExprKind::Construct { con, arg: Some(Box::new(argument)) },
            Target::Exception(exn) => ExprKind::Exception { exn, arg: Some(Box::new(argument)) },
            Target::Primitive(op, types) => return self.call(op, types, argument, ty, span),
        };
        Expr { kind, ty, span }
    }

    /// A primitive takes the fields of a tuple as its arguments.
    fn call(
        &mut self,
        op: Prim,
        types: Vec<TypeId>,
        argument: Expr,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        let arg_ty = self.resolve(argument.ty);
        let prim = |types, args| Expr { kind: ExprKind::Prim { op, types, args }, ty, span };
        let Type::Record(fields) = self.state.program.types.get(arg_ty).clone() else {
            return prim(types, vec![argument]);
        };
        match argument.kind {
            ExprKind::Record(mut values) => {
                values.sort_by_key(|field| field.position);
                prim(types, values.into_iter().map(|field| field.value).collect())
            }
            ExprKind::Var(..) => {
                let parts = (0..).zip(&fields).map(|(position, (label, ty))| {
                    let label = label.clone();
                    let record = Box::new(argument.clone());
                    let kind = ExprKind::Select { record, label, position };
                    Expr { kind, ty: *ty, span }
                });
                prim(types, parts.collect())
            }
            _ => {
                let var = self.made_variable(arg_ty);
                let kind = ExprKind::Var(var, Vec::new());
                let tuple = Expr { kind, ty: arg_ty, span };
                let body = Box::new(self.call(op, types, tuple, ty, span));
                let bind = crate::core::Bind::Value { var, params: Vec::new(), value: argument };
                Expr { kind: ExprKind::Let { binds: vec![bind], body }, ty, span }
            }
        }
    }

    pub(super) fn apply(&mut self, function: &ast::Expr, arg: &ast::Expr, span: Span) -> Expr {
        match &unwrapped(function).kind {
            ast::ExprKind::Name(name) => self.apply_name(name, function.span, arg, span),
            ast::ExprKind::Selector(label) => {
                let record = self.expr(arg);
                self.select(label, record, span)
            }
            _ => {
                let function_core = self.expr(function);
                self.apply_value(function_core, None, arg, span)
            }
        }
    }

    fn apply_name(&mut self, name: &LongName, at: Span, arg: &ast::Expr, span: Span) -> Expr {
        let Some(value) = self.lookup(name, at) else {
            self.expr(arg);
            return self.wrong(span);
        };
        if let Value::Variable(var) = value {
            let function = self.variable(var, at);
            return self.apply_value(function, Some(name), arg, span);
        }
        let (target, arg_ty, ty) = self.target(&value, at);
        let Some(arg_ty) = arg_ty else {
            self.error(Problem::ConstructorArity { name: name.to_string(), takes: false }, at);
            self.expr(arg);
            return self.wrong(span);
        };
        let argument = self.expr(arg);
        if !self.expect_argument_of(name, arg, &argument, arg_ty) {
            return Expr { kind: ExprKind::Wrong, ty, span };
        }
        let argument = Expr { ty: arg_ty, ..argument };
        self.saturate(target, argument, ty, span)
    }

    /// Applies a function, which `name` names if it has a name.
    fn apply_value(
        &mut self,
        function: Expr,
        name: Option<&LongName>,
        arg: &ast::Expr,
        span: Span,
    ) -> Expr {
        let n_errors = self.errors.len();
        let argument = self.expr(arg);
        let function_ty = self.resolve(function.ty);
        let (arg_ty, ty) = match *self.state.program.types.get(function_ty) {
            Type::Arrow(from, to) => (from, to),
            Type::Unknown(_) if self.overloaded(function_ty).is_none() => {
                let from = self.fresh(arg.span);
                let to = self.fresh(span);
                let arrow = self.types().arrow(from, to);
                self.expect_type(Context::Said("this"), function_ty, arrow, function.span);
                (from, to)
            }
            // `a && b` is `a` applied to `&&`, which has been reported with what to write instead.
            _ if self.errors.len() > n_errors && is_foreign(arg) => return self.wrong(span),
            _ => {
                let ty = self.show(function_ty);
                let what = self.words(function.span);
                self.error(Problem::NoFunction { what, ty }, span);
                return self.wrong(span);
            }
        };
        match name {
            Some(name) => self.expect_argument_of(name, arg, &argument, arg_ty),
            None => self.expect_argument(arg, &argument, arg_ty),
        };
        let kind = ExprKind::Apply(Box::new(function), Box::new(argument));
        Expr { kind, ty, span }
    }

    /// Checks the argument of a function that has a name, which hints may need.
    fn expect_argument_of(
        &mut self,
        name: &LongName,
        arg: &ast::Expr,
        argument: &Expr,
        expected: TypeId,
    ) -> bool {
        self.operator = Some(name.name.clone());
        let fits = self.expect_argument(arg, argument, expected);
        self.operator = None;
        fits
    }

    /// Checks an argument. If it is a tuple, checks part by part, so that the message points at the wrong
    /// part.
    fn expect_argument(&mut self, arg: &ast::Expr, argument: &Expr, expected: TypeId) -> bool {
        let expected = self.resolve(expected);
        let found = self.resolve(argument.ty);
        let types = &self.state.program.types;
        if let ast::ExprKind::Tuple(parts) = &unwrapped(arg).kind
            && let (Type::Record(wanted), Type::Record(given)) =
                (types.get(expected).clone(), types.get(found).clone())
            && wanted.len() == parts.len()
            && given.len() == parts.len()
            && wanted.iter().zip(&given).all(|(wanted, given)| wanted.0 == given.0)
        {
            let mut fine = true;
            for ((part, (_, wanted)), (_, given)) in parts.iter().zip(&wanted).zip(&given) {
                let context = Context::Quoted(part.span);
                fine &= self.expect_type(context, *given, *wanted, part.span);
            }
            return fine;
        }
        let context = Context::Quoted(arg.span);
        self.expect_type(context, found, expected, arg.span)
    }

    /// `#label record`.
    fn select(&mut self, label: &Label, record: Expr, span: Span) -> Expr {
        let ty = self.fresh(span);
        let wanted = Kind::Record(vec![(label.clone(), ty)]);
        let row = self.fresh_kind(wanted, false, span);
        let context = Context::Quoted(record.span);
        if !self.expect_type(context, record.ty, row, record.span) {
            return Expr { kind: ExprKind::Wrong, ty, span };
        }
        let record = Box::new(record);
        let kind = ExprKind::Select { record, label: label.clone(), position: 0 };
        Expr { kind, ty, span }
    }

    /// `#label` as a function.
    pub(super) fn selector(&mut self, label: &Label, span: Span) -> Expr {
        let param_ty = self.fresh(span);
        let param = self.made_variable(param_ty);
        let record = Expr { kind: ExprKind::Var(param, Vec::new()), ty: param_ty, span };
        let body = self.select(label, record, span);
        let ty = self.types().arrow(param_ty, body.ty);
        Expr { kind: ExprKind::Lambda(Box::new(Lambda { param, param_ty, body })), ty, span }
    }

    /// `_prim "name" : type` becomes a primitive of that type.
    pub(super) fn declared_primitive(
        &mut self,
        name: &str,
        ty: &ast::TypeExpr,
    ) -> Option<(Prim, Scheme)> {
        let prim = Prim::named(name)?;
        self.level += 1;
        self.type_variables.push(std::collections::HashMap::new());
        let ty = self.type_expr(ty);
        let scope = self.type_variables.pop().unwrap_or_default();
        for (name, ty) in scope {
            if name.starts_with("''") {
                let _ = self.require_equality(ty);
            }
        }
        self.level -= 1;
        let params = self.generalise(&[ty]);
        let ty = self.zonk(ty);
        Some((prim, Scheme { params: params.into(), ty }))
    }

    /// A tuple expression of variables or values.
    pub(super) fn tuple(&mut self, mut parts: Vec<Expr>, span: Span) -> Expr {
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let types: Vec<TypeId> = parts.iter().map(|part| part.ty).collect();
        let ty = self.types().tuple(&types);
        let fields = (0..).zip(parts).map(|(position, value)| Field { position, value });
        Expr { kind: ExprKind::Record(fields.collect()), ty, span }
    }
}

/// Whether an expression is an operator of another language, such as `&&`.
fn is_foreign(expr: &ast::Expr) -> bool {
    matches!(&expr.kind, ast::ExprKind::Name(name) if foreign(&name.name).is_some())
}

/// An expression without the parentheses around it.
pub(crate) fn unwrapped(mut expr: &ast::Expr) -> &ast::Expr {
    while let ast::ExprKind::Sequence(parts) = &expr.kind
        && let [inner] = &parts[..]
    {
        expr = inner;
    }
    expr
}
