//! Scripts that use a model's declarations, and libraries for them.

use std::sync::Arc;

use crate::ast::{Decl, DeclKind, Expr, ExprKind, LongName};
use crate::compile::Compiler;
use crate::core::{self, Bind, Program, VarId};
use crate::elaborate::scope::TypeName;
use crate::elaborate::{Elaborator, unwrapped};
use crate::machine::{Limits, Machine, Raised};
use crate::problem::{MlErrors, Problem};
use crate::source::Span;
use crate::types::TypeId;

use super::Environment;

/// A declaration of a script, or an expression, which declares `it`.
#[derive(Clone, Debug)]
pub struct ScriptPart {
    /// Its position.
    pub span: Span,
    /// The binds that it was elaborated to, as indices into the program.
    pub binds: std::ops::Range<usize>,
    /// The top-level values that it declares, in order.
    pub values: Vec<VarId>,
}

/// Finds a file that a script uses. The arguments are the file that contains `use`, and the name after `use`.
/// Returns the name of the file for messages and its text, or the reason why it is not read.
pub type FindFile<'f> = dyn Fn(&str, &str) -> Result<(String, String), String> + Sync + 'f;

/// The deepest nesting of `use`.
const MAX_NESTED: usize = 20;

/// The state while a script is declared.
struct Declaring<'f, 'g> {
    find: &'f FindFile<'g>,
    /// The files that are being read, outermost first.
    open: Vec<String>,
    errors: Vec<(Problem, Span)>,
}

impl Environment {
    /// Declares a script, with each file that it uses at the position of the `use`, and returns the parts.
    /// Operators that a file declares are valid in that file only.
    ///
    /// # Errors
    ///
    /// All mistakes in it. Then nothing of it is declared.
    pub fn declare_program(
        &mut self,
        name: &str,
        text: &str,
        find: &FindFile<'_>,
    ) -> Result<Vec<ScriptPart>, MlErrors> {
        let before = self.clone();
        let mut declaring = Declaring { find, open: vec![name.to_owned()], errors: Vec::new() };
        let declared = self.declare_text(text, &mut declaring);
        if declaring.errors.is_empty() {
            return Ok(declared);
        }
        let errors = self.errors(declaring.errors);
        *self = before;
        Err(errors)
    }

    /// Declares the text of the innermost open file.
    fn declare_text(&mut self, text: &str, declaring: &mut Declaring<'_, '_>) -> Vec<ScriptPart> {
        let name = declaring.open.last().map_or("", |name| name);
        let source = self.state.sources.add(name, text);
        let mut parser = self.parser(source, text, self.fixities.clone());
        let decls = parser.program();
        self.fixities = parser.fixities;
        declaring.errors.append(&mut parser.errors);
        let mut declared = Vec::new();
        for decl in &decls {
            match &decl.kind {
                DeclKind::Use(file) => {
                    let before = declaring.errors.len();
                    declared.extend(self.declare_file(file, declaring));
                    // After mistakes in that file, names may be missing here: report only the mistakes there.
                    if declaring.errors.len() > before {
                        break;
                    }
                }
                _ => declared.push(self.declare_part_of(decl, &mut declaring.errors)),
            }
        }
        declared
    }

    fn declare_file(&mut self, file: &Expr, declaring: &mut Declaring<'_, '_>) -> Vec<ScriptPart> {
        let name = match file_name(file) {
            Some(name) => name,
            None => match self.computed_name(file, &mut declaring.errors) {
                Some(name) => name,
                None => return Vec::new(),
            },
        };
        let from = declaring.open.last().map_or("", |name| name);
        let found = (declaring.find)(from, &name).and_then(|(called, text)| {
            match (declaring.open.contains(&called), declaring.open.len() > MAX_NESTED) {
                (true, _) => Err("the file uses itself".to_owned()),
                (_, true) => Err(format!("`use` is nested more than {MAX_NESTED} deep")),
                _ => Ok((called, text)),
            }
        });
        match found {
            Ok((called, text)) => {
                declaring.open.push(called);
                let declared = self.declare_text(&text, declaring);
                declaring.open.pop();
                declared
            }
            Err(reason) => {
                let message = format!("cannot use `{name}`: {reason}");
                let help = "put the file beside the file that contains `use`, into the folder of the model, or into a folder \
                            named by `--include DIR`"
                    .to_owned();
                declaring.errors.push((Problem::Evaluation { message, help }, file.span));
                Vec::new()
            }
        }
    }

    /// The name of a file as an expression. It is evaluated now, from the declarations before it, because
    /// files are read before the script runs.
    fn computed_name(&mut self, file: &Expr, errors: &mut Vec<(Problem, Span)>) -> Option<String> {
        let before = errors.len();
        let mut elaborator = Elaborator::new(&mut self.state);
        let name = elaborator.fixed_string(file);
        errors.append(&mut elaborator.errors);
        if errors.len() > before {
            return None;
        }
        let computed = evaluated(&self.state.program, &name);
        computed
            .map_err(|reason| {
                let message = format!("the name of the file cannot be evaluated: {reason}");
                let help = "files are read before the script runs: write the name in quotes, `use \"queries.sml\"`";
                let help = help.to_owned();
                errors.push((Problem::Evaluation { message, help }, file.span));
            })
            .ok()
    }

    fn declare_part_of(&mut self, decl: &Decl, errors: &mut Vec<(Problem, Span)>) -> ScriptPart {
        let first = self.state.program.binds.len();
        let mut elaborator = Elaborator::new(&mut self.state);
        elaborator.top_decl(decl);
        errors.append(&mut elaborator.errors);
        let binds = first..self.state.program.binds.len();
        let is_seen =
            matches!(&decl.kind, DeclKind::Val { .. } | DeclKind::Fun { .. } | DeclKind::Expr(_));
        let mut values = Vec::new();
        if is_seen {
            let declared = &self.state.program.binds[binds.clone()];
            values.extend(declared.iter().flat_map(Bind::variables));
            // The variables that destructure a pattern have no name in the text.
            values.retain(|var| {
                let name = &self.state.program.variables[var.0 as usize].name;
                matches!(decl.kind, DeclKind::Expr(_)) || self.function(name) == Some(*var)
            });
        }
        ScriptPart { span: decl.span, binds, values }
    }

    /// Declares a library for scripts. Its texts see the standard library but not the model, and hide names of
    /// the model. Messages do not point into its texts.
    pub fn declare_library(&mut self, declare: impl FnOnce(&mut Self)) {
        let (prelude, fixities) = (self.state.prelude, self.fixities.clone());
        let model = self.state.scope.undo(prelude);
        self.fixities = self.state.prelude_fixities.clone();
        self.in_library = true;
        declare(self);
        self.in_library = false;
        let library = self.state.scope.undo(prelude);
        self.state.scope.open(&model);
        self.state.scope.open(&library);
        self.fixities = fixities;
    }

    /// Gives a type a name.
    pub fn declare_type(&mut self, name: &str, ty: TypeId) {
        let known = TypeName { params: [].into(), ty, data: None };
        self.state.scope.types.push(name.into(), known);
    }

    /// The type with a name, without type parameters.
    pub fn find_type(&self, name: &str) -> Option<TypeId> {
        let known = self.state.scope.type_name(&LongName::dotted(name))?;
        known.params.is_empty().then_some(known.ty)
    }
}

/// The value of an expression of type `string`, evaluated without a host.
fn evaluated(program: &Program, expr: &core::Expr) -> Result<String, String> {
    let mut compiler = Compiler::new(program);
    let function = compiler.compile_function(&[], expr).map_err(|refusal| refusal.to_string())?;
    let code = compiler.finish_values().map_err(|refusal| refusal.to_string())?;
    let limits = Limits { fuel: 5_000_000, ..Limits::default() };
    let raised = |raised: Raised| raised.to_string();
    let mut machine = Machine::new(Arc::new(code), limits).map_err(raised)?;
    let name = machine.call(function, &[]).map_err(raised)?;
    Ok(machine.text(name))
}

/// The name of a file, as a string constant or a concatenation of them. `ogpath` is the folder of the tool.
fn file_name(file: &Expr) -> Option<String> {
    match &unwrapped(file).kind {
        ExprKind::Constant(core::Literal::String(name)) => {
            Some(name.iter().copied().map(char::from).collect())
        }
        ExprKind::Name(name) if name.path.is_empty() && &*name.name == "ogpath" => {
            Some("ogpath/".to_owned())
        }
        ExprKind::Apply(operator, operands) => match (&operator.kind, &operands.kind) {
            (ExprKind::Name(name), ExprKind::Tuple(parts))
                if name.path.is_empty() && &*name.name == "^" =>
            {
                parts.iter().map(file_name).collect()
            }
            _ => None,
        },
        _ => None,
    }
}
