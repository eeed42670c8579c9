//! `val` and `fun`: inference, generalisation, and the resulting bindings.

use crate::ast::{self, Clause, Function};
use crate::core::{
    Bind, Expr, ExprKind, FieldPattern, Lambda, Otherwise, Pattern, PatternKind, Rule, VarId,
};
use crate::problem::Problem;
use crate::source::Span;
use crate::types::{Label, ParamId, Scheme, Symbol, Type, TypeId};

use super::scope::Value;
use super::type_variables::Written;
use super::{Context, Elaborator};

impl Elaborator<'_> {
    /// Opens the scope of the type variables that a declaration mentions and no outer declaration binds.
    fn open_type_variables(&mut self, named: &[Symbol], written: Written) -> Vec<ParamId> {
        let mut names = named.to_vec();
        for name in written.0 {
            let known = self.type_variables.iter().any(|scope| scope.contains_key(&name));
            if !known && !names.contains(&name) {
                names.push(name);
            }
        }
        self.bind_type_variables(&names, self.level + 1)
    }

    pub(super) fn val_decl(
        &mut self,
        tyvars: &[Symbol],
        declared: &[(ast::Pattern, ast::Expr)],
        span: Span,
        binds: &mut Vec<Bind>,
    ) {
        if let [(pattern, value)] = declared
            && self.primitive_decl(pattern, value)
        {
            return;
        }
        let mut written = Written::default();
        written.rules(declared);
        let explicit = self.open_type_variables(tyvars, written);
        self.level += 1;
        let values: Vec<Expr> = declared.iter().map(|(_, value)| self.expr(value)).collect();
        let mut names = Vec::new();
        let mut bound = Vec::new();
        for ((pattern, syntax), value) in declared.iter().zip(values) {
            let first = names.len();
            let pattern = self.pattern_part(pattern, &mut names);
            let context = Context::Quoted(syntax.span);
            self.expect_type(context, value.ty, pattern.ty, syntax.span);
            bound.push((pattern, value, first..names.len()));
        }
        self.level -= 1;
        self.type_variables.pop();
        if self.level == 0 {
            self.settle();
        }
        for (pattern, value, range) in bound {
            self.bind_value(pattern, value, &explicit, &names[range], span, binds);
        }
        for (name, var) in names {
            self.state.scope.values.push(name, Value::Variable(var));
        }
    }

    /// `val name = _prim "…" : type`, only in the library. The type is not checked.
    fn primitive_decl(&mut self, pattern: &ast::Pattern, value: &ast::Expr) -> bool {
        let (ast::PatternKind::Name(name), ast::ExprKind::Primitive(prim, ty)) =
            (&pattern.kind, &value.kind)
        else {
            return false;
        };
        // The type of a primitive is not checked, so only the library may declare one.
        let library = self.state.sources.is_library(value.span.source);
        match self.declared_primitive(prim, ty).filter(|_| library) {
            Some((prim, scheme)) => {
                self.state.scope.values.push(name.name.clone(), Value::Primitive(prim, scheme));
            }
            None => {
                let name = prim.to_string();
                self.error(Problem::Unknown { what: "primitive", name, help: None }, value.span);
            }
        }
        true
    }

    /// Generalises one binding of a `val`.
    fn bind_value(
        &mut self,
        pattern: Pattern,
        value: Expr,
        explicit: &[ParamId],
        names: &[(Symbol, VarId)],
        span: Span,
        binds: &mut Vec<Bind>,
    ) {
        let types: Vec<TypeId> =
            names.iter().map(|(_, var)| self.state.program.variable(*var).scheme.ty).collect();
        let mut params = Vec::new();
        if is_value(&value) {
            params.extend_from_slice(explicit);
            params.extend(self.generalise(&types));
        } else {
            if let Some(param) = explicit.first() {
                let name = self.state.program.types.param(*param).name.to_string();
                self.error(Problem::NotGeneral { name }, span);
            }
            for ty in types {
                let _ = self.lower(ty, None, self.level);
            }
        }
        match pattern.kind {
            PatternKind::Var(var) => {
                self.set_params(var, &params);
                binds.push(Bind::Value { var, params, value });
            }
            _ if params.is_empty() => binds.push(Bind::Pattern { pattern, value }),
            _ => self.bind_parts(&pattern, value, &params, names, binds),
        }
    }

    fn set_params(&mut self, var: VarId, params: &[ParamId]) {
        // Links are followed here once, so that instances need not follow them again.
        let ty = self.state.program.variable(var).scheme.ty;
        let ty = self.follow(ty, None);
        self.state.program.variables[var.0 as usize].scheme = Scheme { params: params.into(), ty };
    }

    /// A polymorphic value with a pattern: each variable matches the whole value again, at its own types.
    fn bind_parts(
        &mut self,
        pattern: &Pattern,
        value: Expr,
        params: &[ParamId],
        names: &[(Symbol, VarId)],
        binds: &mut Vec<Bind>,
    ) {
        let (span, ty) = (value.span, value.ty);
        let whole = self.made_variable(ty);
        self.set_params(whole, params);
        binds.push(Bind::Value { var: whole, params: params.to_vec(), value });
        let arguments: Vec<TypeId> =
            params.iter().map(|param| self.types().intern(Type::Param(*param))).collect();
        for (name, var) in names {
            let part_ty = self.state.program.variable(*var).scheme.ty;
            let inner = self.new_variable(name.clone(), part_ty);
            let mut pattern = pattern.clone();
            rename(&mut pattern, *var, inner);
            let kind = ExprKind::Var(whole, arguments.clone());
            let scrutinee = Box::new(Expr { kind, ty, span });
            let rules = vec![Rule { pattern, body: self.bound(inner, part_ty, span) }];
            let kind = ExprKind::Case { scrutinee, rules, otherwise: Otherwise::Bind };
            let value = Expr { kind, ty: part_ty, span };
            self.set_params(*var, params);
            binds.push(Bind::Value { var: *var, params: params.to_vec(), value });
        }
    }

    pub(super) fn rec_decl(
        &mut self,
        tyvars: &[Symbol],
        declared: &[(ast::Pattern, ast::Expr)],
        binds: &mut Vec<Bind>,
    ) {
        let mut written = Written::default();
        written.rules(declared);
        let explicit = self.open_type_variables(tyvars, written);
        self.level += 1;
        let mark = self.state.scope.mark();
        let mut heads = Vec::new();
        for (pattern, value) in declared {
            let core = self.pattern(pattern);
            if let PatternKind::Var(var) = core.kind {
                heads.push((var, core.ty, value));
            } else {
                self.error(Problem::RecursiveValue, pattern.span);
            }
        }
        let mut functions = Vec::new();
        for (var, ty, value) in heads {
            let core = self.checked(value, ty);
            if !matches!(core.kind, ExprKind::Lambda(_) | ExprKind::Wrong) {
                self.error(Problem::RecursiveValue, value.span);
            }
            functions.push((var, core));
        }
        self.level -= 1;
        self.close_group(explicit, functions, mark, binds);
    }

    pub(super) fn fun_decl(
        &mut self,
        tyvars: &[Symbol],
        declared: &[Function],
        binds: &mut Vec<Bind>,
    ) {
        let mut written = Written::default();
        declared.iter().flat_map(|f| &f.clauses).for_each(|clause| written.clause(clause));
        let explicit = self.open_type_variables(tyvars, written);
        self.level += 1;
        let mark = self.state.scope.mark();
        let mut heads: Vec<(VarId, TypeId)> = Vec::new();
        for function in declared {
            let ty = self.fresh(function.span);
            let var = self.new_variable(function.name.clone(), ty);
            self.state.scope.values.push(function.name.clone(), Value::Variable(var));
            heads.push((var, ty));
        }
        let mut functions = Vec::new();
        for (function, (var, ty)) in declared.iter().zip(heads) {
            let core = self.clauses(function, ty);
            functions.push((var, core));
        }
        self.level -= 1;
        self.close_group(explicit, functions, mark, binds);
    }

    fn close_group(
        &mut self,
        explicit: Vec<ParamId>,
        functions: Vec<(VarId, Expr)>,
        mark: super::scope::Mark,
        binds: &mut Vec<Bind>,
    ) {
        self.type_variables.pop();
        if self.level == 0 {
            self.settle();
        }
        let types: Vec<TypeId> = functions.iter().map(|(_, core)| core.ty).collect();
        let mut params = explicit;
        params.extend(self.generalise(&types));
        for (var, _) in &functions {
            self.set_params(*var, &params);
        }
        // Inside the group the functions were monomorphic; now they are declared with their type schemes.
        let declared = self.state.scope.undo(mark);
        self.state.scope.open(&declared);
        binds.push(Bind::Recursive { params, functions });
    }

    /// The clauses of a function as nested lambdas around one match.
    fn clauses(&mut self, function: &Function, ty: TypeId) -> Expr {
        let span = function.span;
        let count = function.clauses[0].patterns.len();
        let args: Vec<TypeId> = (0..count).map(|_| self.fresh(span)).collect();
        let result = self.fresh(span);
        let mut arrow = result;
        for arg in args.iter().rev() {
            arrow = self.types().arrow(*arg, arrow);
        }
        self.expect_type(Context::Said("the function"), ty, arrow, span);
        let mut rules: Vec<(Vec<Pattern>, Expr)> =
            function.clauses.iter().map(|clause| self.clause(clause, &args, result)).collect();
        let plain = |pattern: &Pattern| matches!(pattern.kind, PatternKind::Var(_));
        if let [(patterns, _)] = &rules[..]
            && patterns.iter().all(plain)
        {
            let (patterns, body) = rules.remove(0);
            let params = patterns.iter().filter_map(|pattern| match pattern.kind {
                PatternKind::Var(var) => Some(var),
                _ => None,
            });
            return self.lambdas(params.collect(), &args, body);
        }
        let params: Vec<VarId> = args.iter().map(|arg| self.made_variable(*arg)).collect();
        let mut parts: Vec<Expr> =
            params.iter().zip(&args).map(|(var, ty)| self.bound(*var, *ty, span)).collect();
        let scrutinee = if count == 1 { parts.remove(0) } else { self.tuple(parts, span) };
        let ty = scrutinee.ty;
        let rules = rules.into_iter().map(|(patterns, body)| {
            let pattern = tuple_pattern(patterns, ty, span);
            Rule { pattern, body }
        });
        let rules = rules.collect();
        let scrutinee = Box::new(scrutinee);
        let kind = ExprKind::Case { scrutinee, rules, otherwise: Otherwise::Match };
        self.lambdas(params, &args, Expr { kind, ty: result, span })
    }

    fn clause(&mut self, clause: &Clause, args: &[TypeId], result: TypeId) -> (Vec<Pattern>, Expr) {
        let mark = self.state.scope.mark();
        let mut names = Vec::new();
        let mut patterns = Vec::with_capacity(args.len());
        for (pattern, arg) in clause.patterns.iter().zip(args) {
            let core = self.pattern_part(pattern, &mut names);
            self.expect_type(Context::Said("the argument"), core.ty, *arg, pattern.span);
            patterns.push(core);
        }
        for (name, var) in names {
            self.state.scope.values.push(name, Value::Variable(var));
        }
        if let Some(ty) = &clause.result {
            let span = ty.span;
            let ty = self.type_expr(ty);
            self.expect_type(Context::Said("the result"), result, ty, span);
        }
        let body = self.expr(&clause.body);
        self.expect_type(
            Context::Said("the body of the function"),
            body.ty,
            result,
            clause.body.span,
        );
        self.state.scope.undo(mark);
        (patterns, body)
    }

    fn lambdas(&mut self, params: Vec<VarId>, args: &[TypeId], body: Expr) -> Expr {
        let mut expr = body;
        for (param, param_ty) in params.into_iter().zip(args).rev() {
            let ty = self.types().arrow(*param_ty, expr.ty);
            let span = expr.span;
            let lambda = Lambda { param, param_ty: *param_ty, body: expr };
            expr = Expr { kind: ExprKind::Lambda(Box::new(lambda)), ty, span };
        }
        expr
    }

    /// Declares a value that has been elaborated; used for `globref`.
    pub(crate) fn declare_value(
        &mut self,
        name: &Symbol,
        value: Expr,
        binds: &mut Vec<Bind>,
    ) -> VarId {
        let _ = self.lower(value.ty, None, self.level);
        let var = self.new_variable(name.clone(), value.ty);
        self.state.program.variables[var.0 as usize].scheme = Scheme::mono(value.ty);
        self.state.scope.values.push(name.clone(), Value::Variable(var));
        binds.push(Bind::Value { var, params: Vec::new(), value });
        var
    }
}

/// One pattern alone, several as a tuple.
fn tuple_pattern(mut patterns: Vec<Pattern>, ty: TypeId, span: Span) -> Pattern {
    if patterns.len() == 1 {
        return patterns.remove(0);
    }
    let fields = (0..).zip(patterns).map(|(position, pattern)| FieldPattern {
        label: Label::Position(position + 1),
        position,
        pattern,
    });
    Pattern { kind: PatternKind::Record(fields.collect()), ty, span }
}

/// Renames one variable of a pattern, and replaces the others by wildcards.
fn rename(pattern: &mut Pattern, from: VarId, to: VarId) {
    match &mut pattern.kind {
        PatternKind::Var(var) if *var == from => *var = to,
        PatternKind::Var(_) => pattern.kind = PatternKind::Wildcard,
        PatternKind::As(var, inner) => {
            rename(inner, from, to);
            if *var == from {
                *var = to;
            } else {
                let inner = std::mem::replace(&mut inner.kind, PatternKind::Wildcard);
                pattern.kind = inner;
            }
        }
        PatternKind::Record(fields) => {
            fields.iter_mut().for_each(|field| rename(&mut field.pattern, from, to));
        }
        PatternKind::Construct { arg: Some(inner), .. }
        | PatternKind::Exception { arg: Some(inner), .. }
        | PatternKind::Ref(inner) => rename(inner, from, to),
        _ => {}
    }
}

/// Whether evaluation has no side effect and allocates no reference, so that the type may be generalised.
fn is_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var(..) | ExprKind::Literal(_) | ExprKind::Lambda(_) | ExprKind::Wrong => true,
        ExprKind::Construct { arg, .. } | ExprKind::Exception { arg, .. } => {
            arg.as_deref().is_none_or(is_value)
        }
        ExprKind::Record(fields) => fields.iter().all(|field| is_value(&field.value)),
        ExprKind::List(parts) => parts.iter().all(is_value),
        _ => false,
    }
}
