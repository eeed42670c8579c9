//! Declarations.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::ast::{self, DataBind, Decl, DeclKind, ExceptionBind, LongName, Structure, TypeBind};
use crate::colour::CONSTRUCTORS;
use crate::core::{Bind, Con, Constructor, Datatype, Exception, ExnId, Expr, ExprKind};
use crate::prelude::on_demand;
use crate::prim::Prim;
use crate::problem::Problem;
use crate::source::Span;
use crate::types::{DataId, Symbol, Type, TypeId, Types};

use super::advice::{declare, foreign};
use super::scope::{Module, TypeName, Value};
use super::{Elaborator, Role, State};

impl Elaborator<'_> {
    /// Elaborates a top-level declaration, and adds it to the program unless it is wrong.
    pub(crate) fn top_decl(&mut self, decl: &Decl) {
        let before = self.errors.len();
        let mut binds = Vec::new();
        self.decl(decl, &mut binds);
        self.settle();
        binds.iter_mut().for_each(|bind| self.finish_bind(bind));
        self.finish_variables();
        let has_unresolved_record = std::mem::take(&mut self.has_unresolved_record);
        if self.errors.len() == before && !self.gave_up && !has_unresolved_record {
            self.state.program.binds.append(&mut binds);
        }
        self.unknowns.clear();
        self.settled = 0;
    }

    pub(crate) fn decl(&mut self, decl: &Decl, binds: &mut Vec<Bind>) {
        match &decl.kind {
            DeclKind::Val { tyvars, binds: declared, recursive: false } => {
                self.val_decl(tyvars, declared, decl.span, binds);
            }
            DeclKind::Val { tyvars, binds: declared, recursive: true } => {
                self.rec_decl(tyvars, declared, binds);
            }
            DeclKind::Fun { tyvars, functions } => self.fun_decl(tyvars, functions, binds),
            DeclKind::Type(types) => types.iter().for_each(|bind| self.type_decl(bind)),
            DeclKind::Datatype { datatypes, types } => self.datatypes(datatypes, types, decl.span),
            DeclKind::DatatypeCopy(name, from) => self.copy_datatype(name, from, decl.span),
            DeclKind::Exception(exceptions) => {
                exceptions.iter().for_each(|exception| self.exception(exception));
            }
            DeclKind::Local(hidden, seen) => self.local(hidden, seen, binds),
            DeclKind::Open(names) => names.iter().for_each(|name| self.open(name, decl.span)),
            DeclKind::Structure(structures) => {
                for (name, structure) in structures {
                    self.structure(name, structure, binds);
                }
            }
            DeclKind::ColourSet(colour_set) => self.colour_set(colour_set, binds),
            DeclKind::Variables(names, colour_set) => {
                self.variables(names, colour_set, decl.span);
            }
            DeclKind::GlobRef(name, value) => self.globref(name, value, binds),
            DeclKind::Use(file) => {
                let file = self.fixed_string(file);
                self.state.uses.push(file);
            }
            DeclKind::Expr(expr) => {
                let value = self.expr(expr);
                self.declare_value(&"it".into(), value, binds);
            }
            DeclKind::Nothing => {}
        }
    }

    /// An expression of type `string`, finished.
    pub(crate) fn fixed_string(&mut self, expr: &ast::Expr) -> Expr {
        let mut expr = self.checked(expr, Types::STRING);
        self.settle();
        self.finish_expr(&mut expr);
        expr
    }

    fn type_decl(&mut self, bind: &TypeBind) {
        let params = self.bind_type_variables(&bind.tyvars, 0);
        let ty = self.type_expr(&bind.ty);
        self.type_variables.pop();
        let ty = self.zonk(ty);
        let known = TypeName { params: params.into(), ty, data: None };
        self.state.scope.types.push(bind.name.clone(), known);
    }

    fn datatypes(&mut self, datatypes: &[DataBind], types: &[TypeBind], span: Span) {
        let mut declared = Vec::new();
        for bind in datatypes {
            let params = self.bind_type_variables(&bind.tyvars, 0);
            let scope = self.type_variables.pop().unwrap_or_default();
            let data = self.new_datatype(bind.name.clone(), params);
            declared.push((data, scope));
        }
        types.iter().for_each(|bind| self.type_decl(bind));
        for (bind, (data, scope)) in datatypes.iter().zip(&declared) {
            self.type_variables.push(scope.clone());
            let mut known = HashSet::new();
            for (tag, (name, arg)) in (0..).zip(&bind.constructors) {
                self.refuse_constructor(name, span);
                let arg = arg.as_ref().map(|arg| {
                    let arg = self.type_expr(arg);
                    self.zonk(arg)
                });
                let datatype = &mut self.state.program.datatypes[data.0 as usize];
                if !known.insert(name) {
                    let name = name.to_string();
                    self.error(Problem::Twice { name, place: "a datatype" }, span);
                    continue;
                }
                datatype.constructors.push(Constructor { name: name.clone(), arg });
                let con = Value::Constructor(Con { data: *data, tag });
                self.state.scope.values.push(name.clone(), con);
            }
            self.type_variables.pop();
        }
        let ids: Vec<DataId> = declared.iter().map(|(data, _)| *data).collect();
        self.decide_equality(&ids);
    }

    /// Rejects declarations that redefine the constructors of lists and truth values.
    fn refuse_constructor(&mut self, name: &Symbol, span: Span) {
        let library = self.state.sources.is_library(span.source);
        if !library && CONSTRUCTORS.contains(&&**name) {
            self.error(Problem::Reserved { name: name.to_string() }, span);
        }
    }

    /// A new datatype without constructors, with equality until `decide_equality` finds otherwise.
    pub(crate) fn new_datatype(
        &mut self,
        name: Symbol,
        params: Vec<crate::types::ParamId>,
    ) -> DataId {
        let datatypes = &mut self.state.program.datatypes;
        let data = DataId(u32::try_from(datatypes.len()).expect("fewer than 2^32 datatypes"));
        let constructors = Vec::new();
        let (name, params) = (name, params);
        datatypes.push(Datatype { name: name.clone(), params, constructors, equality: true });
        let params = self.state.program.datatype(data).params.clone();
        let arguments =
            params.iter().map(|param| self.types().intern(Type::Param(*param))).collect();
        let ty = self.types().intern(Type::Data(data, arguments));
        let known = TypeName { params: params.into(), ty, data: Some(data) };
        self.state.scope.types.push(name, known);
        data
    }

    /// A datatype has equality if all arguments of its constructors have it. Datatypes that are declared
    /// together depend on each other.
    fn decide_equality(&mut self, group: &[DataId]) {
        loop {
            let mut changed = false;
            for &data in group {
                let datatype = self.state.program.datatype(data);
                let args: Vec<TypeId> =
                    datatype.constructors.iter().filter_map(|con| con.arg).collect();
                if datatype.equality && !args.iter().all(|arg| self.comparable(*arg)) {
                    self.state.program.datatypes[data.0 as usize].equality = false;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Whether a type has equality, if its type variables have.
    fn comparable(&self, ty: TypeId) -> bool {
        match self.state.program.types.get(ty) {
            Type::Arrow(..) | Type::Exn => false,
            Type::Data(data, _) if !self.state.program.datatype(*data).equality => false,
            Type::Ref(_) => true,
            made_of => made_of.parts().iter().all(|part| self.comparable(*part)),
        }
    }

    fn copy_datatype(&mut self, name: &Symbol, from: &LongName, span: Span) {
        let Some(known) = self.state.scope.type_name(from).cloned() else {
            return self.unknown_name("datatype", from, span);
        };
        if let Some(data) = known.data {
            let constructors = self.state.program.datatype(data).constructors.clone();
            for (tag, constructor) in (0..).zip(constructors) {
                let con = Value::Constructor(Con { data, tag });
                self.state.scope.values.push(constructor.name, con);
            }
        }
        self.state.scope.types.push(name.clone(), known);
    }

    fn exception(&mut self, exception: &ExceptionBind) {
        match exception {
            ExceptionBind::New(name, arg) => {
                let arg = arg.as_ref().map(|arg| {
                    let arg = self.type_expr(arg);
                    self.zonk(arg)
                });
                let exceptions = &mut self.state.program.exceptions;
                let id = u32::try_from(exceptions.len()).expect("fewer than 2^32 exceptions");
                exceptions.push(Exception { name: name.clone(), arg });
                self.state.scope.values.push(name.clone(), Value::Exception(ExnId(id)));
            }
            ExceptionBind::Copy(name, from, span) => match self.lookup(from, *span) {
                Some(value @ Value::Exception(_)) => {
                    self.state.scope.values.push(name.clone(), value);
                }
                Some(_) => self.unknown_name("exception", from, *span),
                None => {}
            },
        }
    }

    fn local(&mut self, hidden: &[Decl], seen: &[Decl], binds: &mut Vec<Bind>) {
        let outer = self.state.scope.mark();
        hidden.iter().for_each(|decl| self.decl(decl, binds));
        let inner = self.state.scope.mark();
        seen.iter().for_each(|decl| self.decl(decl, binds));
        let seen = self.state.scope.undo(inner);
        self.state.scope.undo(outer);
        self.state.scope.open(&seen);
    }

    fn find_module(&mut self, name: &LongName, span: Span) -> Option<Arc<Module>> {
        let mut path = name.path.clone();
        path.push(name.name.clone());
        match self.state.scope.module(&path) {
            Ok(module) => module.cloned().map(Arc::new),
            Err(_) => {
                self.unknown_name("structure", name, span);
                None
            }
        }
    }

    fn open(&mut self, name: &LongName, span: Span) {
        if let Some(module) = self.find_module(name, span) {
            self.state.scope.open(&module);
        }
    }

    fn structure(&mut self, name: &Symbol, structure: &Structure, binds: &mut Vec<Bind>) {
        let module = match structure {
            Structure::Named(from, span) => match self.find_module(from, *span) {
                Some(module) => module,
                None => return,
            },
            Structure::Body(decls) => {
                let mark = self.state.scope.mark();
                decls.iter().for_each(|decl| self.decl(decl, binds));
                Arc::new(self.state.scope.undo(mark))
            }
        };
        self.state.scope.structures.push(name.clone(), module);
    }

    fn globref(&mut self, name: &Symbol, value: &ast::Expr, binds: &mut Vec<Bind>) {
        let value = self.expr(value);
        let (span, content) = (value.span, value.ty);
        let ty = self.types().intern(Type::Ref(content));
        let kind = ExprKind::Prim { op: Prim::Ref, types: vec![content], args: vec![value] };
        let var = self.declare_value(name, Expr { kind, ty, span }, binds);
        self.state.roles.insert(var, Role::Reference);
    }

    /// `var x, y : CS`.
    fn variables(&mut self, names: &[(Symbol, Span)], colour_set: &Symbol, span: Span) {
        let Some(set) = self.find_colour_set(colour_set, span) else { return };
        let ty = self.state.colour_sets[set.0 as usize].ty;
        for (name, span) in names {
            self.refuse_reserved(name, *span);
            let var = self.new_variable(name.clone(), ty);
            self.state.roles.insert(var, Role::Cpn);
            self.state.variable_sets.insert(var, set);
            self.state.cpn_variables.insert(name.clone(), var);
        }
    }

    /// Reports a name that is not declared, with what to write instead.
    pub(super) fn unknown_name(&mut self, what: &'static str, name: &LongName, span: Span) {
        let scope = &self.state.scope;
        type Known<'n> = Box<dyn Iterator<Item = &'n str> + 'n>;
        let (what, wanted, known): (_, &str, Known<'_>) = match scope.module(&name.path) {
            Err(missing) => {
                let all = scope.structures.names().chain(on_demand::structures());
                ("structure", missing, Box::new(all))
            }
            Ok(Some(module)) => {
                let values = module.values.iter().map(|(name, _)| &**name);
                let types = module.types.iter().map(|(name, _)| &**name);
                let of_type = matches!(what, "type" | "datatype");
                (what, &name.name, if of_type { Box::new(types) } else { Box::new(values) })
            }
            Ok(None) => {
                let known: Known<'_> = match what {
                    "type" | "datatype" => Box::new(scope.types.names()),
                    "structure" => {
                        Box::new(scope.structures.names().chain(on_demand::structures()))
                    }
                    _ => {
                        let cpn = self.state.cpn_variables.keys().map(|name| &**name);
                        Box::new(scope.values.names().chain(cpn))
                    }
                };
                (what, &name.name, known)
            }
        };
        let is_value = what == "value" && name.path.is_empty();
        let help = (if is_value { foreign(wanted) } else { None })
            .or_else(|| suggestion(self.state, wanted, known))
            .or_else(|| is_value.then(|| declare(wanted)));
        let shown = if what == "structure" { wanted.to_owned() } else { name.to_string() };
        self.error(Problem::Unknown { what, name: shown, help }, span);
    }
}

/// At most this many unknown names are compared with all known ones.
const MOST_SUGGESTIONS: u32 = 200;

/// "Did you mean …?" with the known name that is closest to the wanted one. Comparing takes time, so only the first
/// `MOST_SUGGESTIONS` messages have one.
pub(crate) fn suggestion<'n>(
    state: &State,
    wanted: &str,
    known: impl Iterator<Item = &'n str>,
) -> Option<String> {
    if state.n_suggestions.fetch_add(1, Ordering::Relaxed) >= MOST_SUGGESTIONS {
        return None;
    }
    let candidates = known.filter(|name| !name.starts_with("CPN'"));
    sweepline_source::closest(wanted, candidates).map(|suggestion| suggestion.to_string())
}
