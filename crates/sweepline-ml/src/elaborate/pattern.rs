//! Patterns. The variables of a pattern are declared while it is elaborated; the caller closes their scope.

use crate::ast::{self, LongName, PatternKind as Syntax};
use crate::core::{FieldPattern, Pattern, PatternKind, VarId};
use crate::prim::Prim;
use crate::problem::Problem;
use crate::source::Span;
use crate::types::{Label, Symbol, Type, TypeId, Types};

use super::scope::Value;
use super::unify::Kind;
use super::{Context, Elaborator};

impl Elaborator<'_> {
    pub(super) fn pattern(&mut self, pattern: &ast::Pattern) -> Pattern {
        let mut names = Vec::new();
        let core = self.pattern_part(pattern, &mut names);
        for (name, var) in names {
            self.state.scope.values.push(name, Value::Variable(var));
        }
        core
    }

    /// Collects the variables without declaring them: all variables of one pattern are declared together.
    pub(super) fn pattern_part(
        &mut self,
        pattern: &ast::Pattern,
        names: &mut Vec<(Symbol, VarId)>,
    ) -> Pattern {
        let span = pattern.span;
        match &pattern.kind {
            Syntax::Wildcard => self.wildcard(span),
            Syntax::Constant(constant) => {
                let (literal, ty) = self.constant(constant, span);
                Pattern { kind: PatternKind::Literal(literal), ty, span }
            }
            Syntax::Name(name) => self.name_pattern(name, span, names),
            Syntax::Record { fields, more } => {
                let fields = fields.iter().map(|(label, part)| (label.clone(), part));
                self.fields(fields, *more, span, names)
            }
            Syntax::Tuple(parts) => {
                let fields = (1..).zip(parts).map(|(n, part)| (Label::Position(n), part));
                self.fields(fields, false, span, names)
            }
            Syntax::List(parts) => self.list_pattern(parts, span, names),
            Syntax::Apply(name, arg) => self.apply_pattern(name, arg, span, names),
            Syntax::Typed(inner, ty) => {
                let core = self.pattern_part(inner, names);
                let ty = self.type_expr(ty);
                self.expect_type(Context::Said("the pattern"), core.ty, ty, span);
                core
            }
            Syntax::As(name, ty, inner) => {
                let inner = self.pattern_part(inner, names);
                if let Some(ty) = ty {
                    let ty = self.type_expr(ty);
                    self.expect_type(Context::Said("the pattern"), inner.ty, ty, span);
                }
                let var = self.declare(name, inner.ty, span, names);
                let ty = inner.ty;
                Pattern { kind: PatternKind::As(var, Box::new(inner)), ty, span }
            }
        }
    }

    fn wildcard(&mut self, span: Span) -> Pattern {
        let ty = self.fresh(span);
        Pattern { kind: PatternKind::Wildcard, ty, span }
    }

    fn declare(
        &mut self,
        name: &Symbol,
        ty: TypeId,
        span: Span,
        names: &mut Vec<(Symbol, VarId)>,
    ) -> VarId {
        if names.iter().any(|(known, _)| known == name) {
            let name = name.to_string();
            self.error(Problem::Twice { name, place: "a pattern" }, span);
        }
        let var = self.new_variable(name.clone(), ty);
        names.push((name.clone(), var));
        var
    }

    /// A constructor if the name denotes one, else a new variable.
    fn name_pattern(
        &mut self,
        name: &LongName,
        span: Span,
        names: &mut Vec<(Symbol, VarId)>,
    ) -> Pattern {
        let known = match self.state.scope.value(name).cloned() {
            Some(Value::Constructor(con)) => {
                let types = self.constructor_type(con, span);
                Some((types, PatternKind::Construct { con, arg: None }))
            }
            Some(Value::Exception(exn)) => {
                let types = (self.state.program.exception(exn).arg, Types::EXN);
                Some((types, PatternKind::Exception { exn, arg: None }))
            }
            _ => None,
        };
        match known {
            Some(((None, ty), kind)) => return Pattern { kind, ty, span },
            Some(_) => {
                self.error(Problem::ConstructorArity { name: name.to_string(), takes: true }, span);
                return self.wildcard(span);
            }
            None => {}
        }
        if !name.path.is_empty() {
            self.no_constructor(name, span);
            return self.wildcard(span);
        }
        let ty = self.fresh(span);
        let var = self.declare(&name.name, ty, span, names);
        Pattern { kind: PatternKind::Var(var), ty, span }
    }

    fn no_constructor(&mut self, name: &LongName, span: Span) {
        if self.state.scope.value(name).is_none() {
            return self.unknown_name("constructor", name, span);
        }
        let help = "only constructors take arguments in a pattern".to_owned();
        self.error(Problem::NoConstructor { name: name.to_string(), help: Some(help) }, span);
    }

    fn apply_pattern(
        &mut self,
        name: &LongName,
        arg: &ast::Pattern,
        span: Span,
        names: &mut Vec<(Symbol, VarId)>,
    ) -> Pattern {
        let inner = Box::new(self.pattern_part(arg, names));
        let (inner_ty, (arg_ty, ty), kind) = match self.state.scope.value(name).cloned() {
            Some(Value::Constructor(con)) => {
                let types = self.constructor_type(con, span);
                (inner.ty, types, PatternKind::Construct { con, arg: Some(inner) })
            }
            Some(Value::Exception(exn)) => {
                let types = (self.state.program.exception(exn).arg, Types::EXN);
                (inner.ty, types, PatternKind::Exception { exn, arg: Some(inner) })
            }
            Some(Value::Primitive(Prim::Ref, _)) => {
                let ty = self.types().intern(Type::Ref(inner.ty));
                return Pattern { kind: PatternKind::Ref(inner), ty, span };
            }
            _ => {
                self.no_constructor(name, span);
                return self.wildcard(span);
            }
        };
        match arg_ty {
            Some(arg_ty) => {
                self.expect_type(Context::Said("the pattern"), inner_ty, arg_ty, arg.span);
            }
            None => {
                let name = name.to_string();
                self.error(Problem::ConstructorArity { name, takes: false }, span);
            }
        }
        Pattern { kind, ty, span }
    }

    fn fields<'a>(
        &mut self,
        fields: impl Iterator<Item = (Label, &'a ast::Pattern)>,
        more: bool,
        span: Span,
        names: &mut Vec<(Symbol, VarId)>,
    ) -> Pattern {
        let mut parts: Vec<FieldPattern> = Vec::new();
        for (label, part) in fields {
            if parts.iter().any(|known| known.label == label) {
                let name = label.to_string();
                self.error(Problem::Twice { name, place: "a record pattern" }, part.span);
                continue;
            }
            let pattern = self.pattern_part(part, names);
            parts.push(FieldPattern { label, position: 0, pattern });
        }
        let typed = parts.iter().map(|part| (part.label.clone(), part.pattern.ty)).collect();
        let ty = match more {
            true => self.fresh_kind(Kind::Record(typed), false, span),
            false => self.types().record(typed),
        };
        Pattern { kind: PatternKind::Record(parts), ty, span }
    }

    /// `[p, q]` is `p :: q :: nil`.
    fn list_pattern(
        &mut self,
        parts: &[ast::Pattern],
        span: Span,
        names: &mut Vec<(Symbol, VarId)>,
    ) -> Pattern {
        let element = self.fresh(span);
        let ty = self.types().list(element);
        let parts: Vec<Pattern> = parts
            .iter()
            .map(|part| {
                let core = self.pattern_part(part, names);
                self.expect_type(Context::Said("the pattern"), core.ty, element, part.span);
                core
            })
            .collect();
        Pattern::list(self.types(), parts, ty, span)
    }
}
