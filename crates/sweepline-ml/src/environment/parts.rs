//! Splits CPN ML declarations into parts, for file formats that store them in parts.

use crate::ast::{ColourSetDecl, DeclKind, Expr};
use crate::colour::{ColourSetSpec, Translation};
use crate::parse::Parser;
use crate::source::SourceId;
use crate::types::Symbol;

use super::Environment;

/// A declaration. `T` is the type of its texts.
#[derive(Clone, PartialEq, Debug)]
pub enum Declared<T = String> {
    /// `colset`
    ColourSet {
        /// Its name.
        name: T,
        /// Its definition.
        spec: ColourSetSpec,
        /// The functions of its `declare` clause.
        declares: Vec<String>,
        /// Whether its tokens carry time stamps.
        timed: bool,
    },
    /// `var`
    Variables {
        /// Their names.
        names: Vec<T>,
        /// Their colour set.
        colour_set: T,
    },
    /// Any other ML declaration
    Ml(T),
    /// `globref`
    Reference {
        /// Its name.
        name: T,
        /// Its initial value.
        value: T,
    },
    /// `use`, with an expression for the file.
    Use(T),
}

impl Environment {
    /// The parts of a text that is a single CPN ML declaration without mistakes. `None` for other ML
    /// declarations.
    ///
    /// ```
    /// use sweepline_ml::{ColourSetSpec, Declared, Environment};
    ///
    /// let environment = Environment::default();
    /// let parts = environment.declared("colset NO = int with 1..(n + 1) timed;");
    /// let Some(Declared::ColourSet { spec, timed: true, .. }) = parts else { panic!() };
    /// assert_eq!(spec, ColourSetSpec::Int { range: Some(("1".into(), "(n + 1)".into())) });
    /// assert_eq!(environment.declared("val a = 1;"), None);
    /// ```
    pub fn declared(&self, text: &str) -> Option<Declared> {
        let mut parser = Parser::new(SourceId(0), text, self.fixities.clone());
        let decls = parser.program();
        let [decl] = decls.as_slice() else { return None };
        if !parser.errors.is_empty() {
            return None;
        }
        let mut cut = Cut(text);
        match &decl.kind {
            DeclKind::ColourSet(set) => {
                let ColourSetDecl { name, kind, declares, timed, .. } = &**set;
                Some(Declared::ColourSet {
                    name: name.to_string(),
                    spec: kind.translated(&mut cut)?,
                    declares: declares.iter().map(ToString::to_string).collect(),
                    timed: *timed,
                })
            }
            DeclKind::Variables(names, colour_set) => Some(Declared::Variables {
                names: names.iter().map(|(name, _)| name.to_string()).collect(),
                colour_set: colour_set.to_string(),
            }),
            DeclKind::GlobRef(name, value) => {
                Some(Declared::Reference { name: name.to_string(), value: cut.expression(value)? })
            }
            DeclKind::Use(file) => Some(Declared::Use(cut.expression(file)?)),
            _ => None,
        }
    }
}

/// Copies the expressions of a colour set from the text.
struct Cut<'t>(&'t str);

impl Cut<'_> {
    fn expression(&self, expr: &Expr) -> Option<String> {
        self.0.get(expr.span.range()).map(|part| part.trim().to_owned())
    }
}

impl Translation<Symbol, Symbol, Expr> for Cut<'_> {
    type Name = String;
    type Set = String;
    type Expr = String;

    fn name(&mut self, name: &Symbol) -> String {
        name.to_string()
    }

    fn set(&mut self, set: &Symbol) -> Option<String> {
        Some(set.to_string())
    }

    fn expr(&mut self, _what: &str, expr: &Expr) -> Option<String> {
        self.expression(expr)
    }
}
