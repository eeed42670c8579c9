//! Checks that the types in a term are consistent, by comparison and without inference. Elaboration must
//! produce such terms, and a back end can check its own terms the same way.

use super::{Bind, Expr, ExprKind, Literal, Pattern, PatternKind, Program, VarId};
use crate::prim::Prim;
use crate::source::Span;
use crate::types::{DataId, Type, TypeId, Types};

/// A violated typing rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Contradiction {
    /// The rule.
    pub law: &'static str,
    /// Its position.
    pub span: Span,
}

/// All violated rules of a term.
pub fn verify_expr(program: &mut Program, expr: &Expr) -> Vec<Contradiction> {
    let mut verifier = Verifier { program, found: Vec::new() };
    verifier.expr(expr);
    verifier.found
}

/// All violated rules of a binding.
pub fn verify_bind(program: &mut Program, bind: &Bind) -> Vec<Contradiction> {
    let mut verifier = Verifier { program, found: Vec::new() };
    verifier.bind(bind);
    verifier.found
}

struct Verifier<'p> {
    program: &'p mut Program,
    found: Vec<Contradiction>,
}

impl Verifier<'_> {
    fn law(&mut self, holds: bool, law: &'static str, span: Span) {
        if !holds {
            self.found.push(Contradiction { law, span });
        }
    }

    fn is_finished(&self, ty: TypeId) -> bool {
        let ty = self.program.types.get(ty);
        !matches!(ty, Type::Unknown(_)) && ty.parts().iter().all(|part| self.is_finished(*part))
    }

    fn expr(&mut self, expr: &Expr) {
        let (ty, span) = (expr.ty, expr.span);
        self.law(self.is_finished(ty), "no type is unknown", span);
        match &expr.kind {
            ExprKind::Var(var, arguments) => self.variable(*var, arguments, ty, span),
            ExprKind::Literal(literal) => {
                self.law(literal_types(literal).contains(&ty), "a constant has its type", span);
            }
            ExprKind::Lambda(lambda) => {
                let arrow = self.program.types.arrow(lambda.param_ty, lambda.body.ty);
                self.law(arrow == ty, "a function has its type", span);
                let known = self.program.variable(lambda.param).scheme.ty;
                self.law(known == lambda.param_ty, "a parameter has its type", span);
            }
            ExprKind::Apply(function, argument) => {
                let arrow = self.program.types.arrow(argument.ty, ty);
                self.law(function.ty == arrow, "an argument has the parameter's type", span);
            }
            ExprKind::Prim { op, types, .. } => {
                let resolved = types.is_empty();
                let overloaded = matches!(op, Prim::Arith(..) | Prim::Compare(..));
                self.law(!overloaded || resolved, "overloaded operators are resolved", span);
            }
            ExprKind::Record(fields) => {
                let parts: Vec<_> =
                    fields.iter().map(|field| (field.position, field.value.ty)).collect();
                self.record(&parts, fields.len(), ty, span);
            }
            ExprKind::Select { record, position, .. } => {
                self.record(&[(*position, ty)], usize::MAX, record.ty, span);
            }
            ExprKind::Construct { con, arg } => {
                let arg = arg.as_ref().map(|arg| arg.ty);
                self.construct(*con, arg, ty, span);
            }
            ExprKind::List(parts) => {
                let fits = parts.iter().all(|part| self.program.types.list(part.ty) == ty);
                self.law(fits, "the elements of a list have its type", span);
            }
            ExprKind::Exception { exn, arg } => {
                let fits = self.program.exception(*exn).arg == arg.as_ref().map(|arg| arg.ty);
                self.law(fits && ty == Types::EXN, "an exception carries its type", span);
            }
            ExprKind::If(parts) => {
                let fits = parts[0].ty == Types::BOOL && parts[1].ty == ty && parts[2].ty == ty;
                self.law(fits, "the branches of an if have one type", span);
            }
            ExprKind::Case { scrutinee, rules, .. } => self.rules(rules, scrutinee.ty, ty),
            ExprKind::Handle { body, rules } => {
                self.law(body.ty == ty, "what is handled has the type of the whole", span);
                self.rules(rules, Types::EXN, ty);
            }
            ExprKind::Let { binds, body } => {
                binds.iter().for_each(|bind| self.bind_alone(bind));
                self.law(body.ty == ty, "a let has the type of its body", span);
            }
            ExprKind::Sequence(parts) => {
                let last = parts.last().map(|part| part.ty);
                self.law(last == Some(ty), "a sequence has the type of its last part", span);
            }
            ExprKind::While(condition, _) => {
                let fits = condition.ty == Types::BOOL && ty == Types::UNIT;
                self.law(fits, "a loop is of type unit", span);
            }
            ExprKind::Raise(inner) => self.law(inner.ty == Types::EXN, "only exn is raised", span),
            ExprKind::Wrong => self.law(false, "a finished term has no mistakes", span),
        }
        expr.each_child(&mut |child| self.expr(child));
    }

    fn variable(&mut self, var: VarId, arguments: &[TypeId], ty: TypeId, span: Span) {
        let scheme = self.program.variable(var).scheme.clone();
        if scheme.params.len() != arguments.len() {
            return self.law(false, "a use lists a type for each parameter", span);
        }
        let instance = self.program.types.instance(scheme.ty, &scheme.params, arguments);
        self.law(instance == ty, "a use is an instance of the scheme", span);
    }

    /// `total` is the number of fields of the record type, or `usize::MAX` if only some fields need be given.
    fn record(&mut self, parts: &[(u32, TypeId)], total: usize, record: TypeId, span: Span) {
        let Type::Record(fields) = self.program.types.get(record) else {
            return self.law(false, "a record has a record type", span);
        };
        let fits = total == usize::MAX || total == fields.len();
        let field = |position: u32| fields.get(position as usize).map(|(_, field)| *field);
        let fits = fits && parts.iter().all(|(position, ty)| field(*position) == Some(*ty));
        self.law(fits, "fields have the types of their positions", span);
    }

    fn construct(&mut self, con: super::Con, arg: Option<TypeId>, ty: TypeId, span: Span) {
        let Type::Data(data, arguments) = self.program.types.get(ty).clone() else {
            return self.law(false, "a constructor makes its datatype", span);
        };
        let fits = data == con.data && self.program.constructor_arg(con, &arguments) == arg;
        self.law(fits, "a constructor takes its argument", span);
    }

    fn rules(&mut self, rules: &[super::Rule], from: TypeId, to: TypeId) {
        for rule in rules {
            let span = rule.pattern.span;
            self.law(rule.pattern.ty == from, "a pattern has the type it matches", span);
            self.law(rule.body.ty == to, "a rule gives the type of the whole", rule.body.span);
            self.pattern(&rule.pattern);
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        let (ty, span) = (pattern.ty, pattern.span);
        self.law(self.is_finished(ty), "no type is unknown", span);
        match &pattern.kind {
            PatternKind::Wildcard => {}
            PatternKind::Var(var) | PatternKind::As(var, _) => {
                let known = self.program.variable(*var).scheme.ty;
                self.law(known == ty, "a variable has the type it matches", span);
            }
            PatternKind::Literal(literal) => {
                self.law(literal_types(literal).contains(&ty), "a constant has its type", span);
            }
            PatternKind::Record(fields) => {
                let parts: Vec<_> =
                    fields.iter().map(|field| (field.position, field.pattern.ty)).collect();
                self.record(&parts, usize::MAX, ty, span);
                fields.iter().for_each(|field| self.pattern(&field.pattern));
            }
            PatternKind::Construct { con, arg } => {
                self.construct(*con, arg.as_ref().map(|arg| arg.ty), ty, span);
            }
            PatternKind::Exception { exn, arg } => {
                let fits = self.program.exception(*exn).arg == arg.as_ref().map(|arg| arg.ty);
                self.law(fits && ty == Types::EXN, "an exception carries its type", span);
            }
            PatternKind::Ref(inner) => {
                let fits = self.program.types.intern(Type::Ref(inner.ty)) == ty;
                self.law(fits, "a reference pattern matches a reference", span);
            }
        }
        match &pattern.kind {
            PatternKind::Construct { arg: Some(inner), .. }
            | PatternKind::Exception { arg: Some(inner), .. }
            | PatternKind::Ref(inner)
            | PatternKind::As(_, inner) => self.pattern(inner),
            _ => {}
        }
    }

    fn bind(&mut self, bind: &Bind) {
        self.bind_alone(bind);
        bind.each_value(&mut |value| self.expr(value));
    }

    /// Checks a binding, but not the expressions inside its values.
    fn bind_alone(&mut self, bind: &Bind) {
        match bind {
            Bind::Value { var, params, value } => {
                let scheme = &self.program.variable(*var).scheme;
                let fits = scheme.ty == value.ty && *scheme.params == **params;
                self.law(fits, "a binding has its scheme", value.span);
            }
            Bind::Pattern { pattern, value } => {
                self.law(pattern.ty == value.ty, "a pattern has the type it matches", value.span);
                self.pattern(pattern);
            }
            Bind::Recursive { params, functions } => {
                for (var, value) in functions {
                    let scheme = &self.program.variable(*var).scheme;
                    let fits = scheme.ty == value.ty && *scheme.params == **params;
                    self.law(fits, "a binding has its scheme", value.span);
                    let lambda = matches!(value.kind, ExprKind::Lambda(_));
                    self.law(lambda, "only functions are recursive", value.span);
                }
            }
        }
    }
}

fn literal_types(literal: &Literal) -> &'static [TypeId] {
    match literal {
        Literal::Int(_) => &[Types::INT, Types::INT32],
        Literal::IntInf(_) => &[Types::INT_INF],
        Literal::Word(_) => &[Types::WORD, Types::WORD8, Types::WORD32],
        Literal::Real(_) => &[Types::REAL],
        Literal::Char(_) => &[Types::CHAR],
        Literal::String(_) => &[Types::STRING],
    }
}

/// Whether the datatypes that the back end knows have the ids of their constants.
pub(crate) fn knows_datatypes(program: &Program) -> bool {
    let known = [
        (DataId::BOOL, "bool"),
        (DataId::LIST, "list"),
        (DataId::OPTION, "option"),
        (DataId::ORDER, "order"),
        (DataId::TIMED, "timed"),
        (DataId::ARRAY, "array"),
        (DataId::INSTREAM, "instream"),
        (DataId::OUTSTREAM, "outstream"),
        (DataId::VECTOR, "vector"),
    ];
    known.into_iter().all(|(data, name)| &*program.datatype(data).name == name)
}
