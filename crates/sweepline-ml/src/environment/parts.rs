//! Declarations of CPN ML taken apart again, for formats that keep them in parts.

use crate::ast::{Bounds, ColourSetDecl, ColourSetSyntax, DeclKind, Expr};
use crate::colour::ColourSetSpec;
use crate::parse::Parser;
use crate::source::SourceId;
use crate::types::Symbol;

use super::Environment;

/// What a text declares that is no ML.
#[derive(Clone, PartialEq, Debug)]
pub enum Declared {
    /// `colset`
    ColourSet {
        /// Its name.
        name: String,
        /// What it is made of.
        spec: ColourSetSpec,
        /// The functions of its `declare` clause.
        declares: Vec<String>,
        /// Whether its tokens carry time stamps.
        timed: bool,
    },
    /// `var`
    Variables {
        /// Their names.
        names: Vec<String>,
        /// Their colour set.
        colour_set: String,
    },
    /// `globref`
    Reference {
        /// Its name.
        name: String,
        /// Its first value.
        value: String,
    },
    /// `use`, with an expression for the file.
    Use(String),
}

impl Environment {
    /// The parts of a text that is one declaration of CPN ML and has no mistake; none of ML proper.
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
        let expression =
            |expr: &Expr| text.get(expr.span.range()).map(|part| part.trim().to_owned());
        match &decl.kind {
            DeclKind::ColourSet(set) => {
                let ColourSetDecl { name, kind, declares, timed, .. } = &**set;
                Some(Declared::ColourSet {
                    name: name.to_string(),
                    spec: spec(kind, &expression)?,
                    declares: words(declares),
                    timed: *timed,
                })
            }
            DeclKind::Variables(names, colour_set) => Some(Declared::Variables {
                names: names.iter().map(|(name, _)| name.to_string()).collect(),
                colour_set: colour_set.to_string(),
            }),
            DeclKind::GlobRef(name, value) => {
                Some(Declared::Reference { name: name.to_string(), value: expression(value)? })
            }
            DeclKind::Use(file) => Some(Declared::Use(expression(file)?)),
            _ => None,
        }
    }
}

fn words(symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(ToString::to_string).collect()
}

/// The same with texts for the expressions.
fn spec(
    kind: &ColourSetSyntax,
    expression: &impl Fn(&Expr) -> Option<String>,
) -> Option<ColourSetSpec> {
    let pair = |bounds: &(Expr, Expr)| Some((expression(&bounds.0)?, expression(&bounds.1)?));
    let range = |bounds: &Bounds| match bounds {
        Some(bounds) => pair(bounds).map(Some),
        None => Some(None),
    };
    Some(match kind {
        ColourSetSyntax::Unit(token) => {
            ColourSetSpec::Unit { token: token.as_ref().map(ToString::to_string) }
        }
        ColourSetSyntax::Bool(names) => ColourSetSpec::Bool {
            names: names.as_ref().map(|(no, yes)| (no.to_string(), yes.to_string())),
        },
        ColourSetSyntax::Int(bounds) => ColourSetSpec::Int { range: range(bounds)? },
        ColourSetSyntax::IntInf(bounds) => ColourSetSpec::IntInf { range: range(bounds)? },
        ColourSetSyntax::Real(bounds) => ColourSetSpec::Real { range: range(bounds)? },
        ColourSetSyntax::String { characters, length } => {
            ColourSetSpec::String { characters: range(characters)?, length: range(length)? }
        }
        ColourSetSyntax::Time => ColourSetSpec::Time,
        ColourSetSyntax::Enum(values) => ColourSetSpec::Enum { values: words(values) },
        ColourSetSyntax::Index { bounds, name } => {
            let (low, high) = pair(bounds)?;
            ColourSetSpec::Index { name: name.to_string(), low, high }
        }
        ColourSetSyntax::Product(parts) => ColourSetSpec::Product { components: words(parts) },
        ColourSetSyntax::Record(fields) => {
            let field = |(label, of): &(Symbol, Symbol)| (label.to_string(), of.to_string());
            ColourSetSpec::Record { fields: fields.iter().map(field).collect() }
        }
        ColourSetSyntax::List { element, length } => {
            ColourSetSpec::List { element: element.to_string(), length: range(length)? }
        }
        ColourSetSyntax::Union(constructors) => {
            let constructor = |(name, of): &(Symbol, Option<Symbol>)| {
                (name.to_string(), of.as_ref().map(ToString::to_string))
            };
            ColourSetSpec::Union { constructors: constructors.iter().map(constructor).collect() }
        }
        ColourSetSyntax::SubsetBy(of, predicate) => {
            ColourSetSpec::SubsetBy { of: of.to_string(), predicate: expression(predicate)? }
        }
        ColourSetSyntax::SubsetWith(of, values) => {
            ColourSetSpec::SubsetWith { of: of.to_string(), values: expression(values)? }
        }
        ColourSetSyntax::Alias(of) => ColourSetSpec::Alias { of: of.to_string() },
    })
}
