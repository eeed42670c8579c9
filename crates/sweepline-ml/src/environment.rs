//! The interface of this crate: takes the declarations of a model one by one, then the inscriptions that use
//! them.

mod inscribe;
mod locate;
mod open;
mod parts;
mod script;

use crate::ast::{ColourSetDecl, Decl, DeclKind, LongName};
use crate::colour::{ColourSet, ColourSetId, ColourSetSpec};
use crate::core::{Expr, Program, VarId};
use crate::elaborate::{Elaborator, Role, State, show_type};
use crate::parse::{Fixities, Parsed, Parser};
use crate::prelude;
use crate::problem::{MlError, MlErrors, Problem};
use crate::source::{SourceId, Sources, Span};
use crate::types::{Symbol, TypeId};

use inscribe::ReadingSpec;
pub use inscribe::{CodeSegment, Delay, Inscription, Typing};
pub use parts::Declared;
pub use script::{FindFile, ScriptPart};

/// The type of time stamps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeType {
    /// Unbounded integers, as in CPN Tools.
    #[default]
    IntInf,
    /// Real numbers: the option `realtimestamp`.
    Real,
    /// Integers with the bounds of `int`.
    Int,
}

/// Options that depend on the model.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The type of time stamps.
    pub time: TimeType,
    /// The number of bits of an `int`, from 31 (the default, as in CPN Tools) to 63.
    pub int_bits: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { time: TimeType::default(), int_bits: 31 }
    }
}

/// A colour set to declare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColourSetDeclaration<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its definition.
    pub spec: &'t ColourSetSpec,
    /// The functions of its `declare` clause.
    pub declares: &'t [String],
    /// Whether its tokens carry time stamps.
    pub timed: bool,
}

/// All declarations so far.
#[derive(Clone, Debug)]
pub struct Environment {
    state: State,
    fixities: Fixities,
    /// Whether the text being declared is part of a library.
    in_library: bool,
}

impl Default for Environment {
    fn default() -> Self {
        Self::new(&Options::default())
    }
}

impl Environment {
    /// An environment with the standard library only.
    ///
    /// # Panics
    ///
    /// If `int_bits` is not between 31 and 63.
    pub fn new(options: &Options) -> Self {
        assert!((31..=63).contains(&options.int_bits), "{} bits of int", options.int_bits);
        let mut state = State::default();
        let fixities = prelude::load(&mut state, options);
        state.prelude_fixities = fixities.clone();
        Self { state, fixities, in_library: false }
    }

    /// Declares everything in a text: ML declarations, `colset`, `var`, `globref`, `use`.
    ///
    /// # Errors
    ///
    /// All mistakes in the text. Its correct declarations are declared anyway, and a wrong value gets a type
    /// that matches everything, so that later texts report no errors caused by this one.
    pub fn declare_ml(&mut self, name: &str, text: &str) -> Result<(), MlErrors> {
        let source = self.state.sources.add(name, text);
        if self.in_library {
            self.state.sources.make_library(source);
        }
        let mut parser = self.parser(source, text, self.fixities.clone());
        let decls = parser.program();
        self.fixities = parser.fixities;
        self.declare(&decls, parser.errors)
    }

    /// Declares a generated text. It uses the operators of the library, whatever the model has redeclared.
    ///
    /// # Errors
    ///
    /// All mistakes in the text.
    pub fn declare_generated(&mut self, name: &str, text: &str) -> Result<(), MlErrors> {
        let source = self.state.sources.add(name, text);
        let mut parser = self.parser(source, text, self.state.prelude_fixities.clone());
        let decls = parser.program();
        self.declare(&decls, parser.errors)
    }

    /// A parser for a text that will be elaborated. Declares the library structures that the text mentions.
    fn parser(&mut self, source: SourceId, text: &str, fixities: Fixities) -> Parser {
        let parser = Parser::new(source, text, fixities);
        prelude::on_demand::declare_mentioned(&mut self.state, &parser);
        parser
    }

    fn declare(
        &mut self,
        decls: &[Decl],
        mut errors: Vec<(Problem, Span)>,
    ) -> Result<(), MlErrors> {
        let mut elaborator = Elaborator::new(&mut self.state);
        decls.iter().for_each(|decl| elaborator.top_decl(decl));
        errors.append(&mut elaborator.errors);
        self.refuse(errors)
    }

    /// Declares a colour set that is given as a data structure.
    ///
    /// # Errors
    ///
    /// All mistakes in it. Positions refer to the texts of the spec; messages call each of them `name`.
    pub fn declare_colour_set(
        &mut self,
        name: &str,
        declaration: &ColourSetDeclaration<'_>,
    ) -> Result<(), MlErrors> {
        let span = self.whole(name, declaration.name);
        let mut reading = ReadingSpec { environment: self, name, errors: Vec::new() };
        let Some(kind) = declaration.spec.translated(&mut reading) else {
            return Err(MlErrors { errors: reading.errors });
        };
        let declares = declaration.declares.iter().map(|name| name.as_str().into()).collect();
        let (timed, name) = (declaration.timed, declaration.name.into());
        let decl = ColourSetDecl { name, span, kind, declares, timed };
        self.declare_one(DeclKind::ColourSet(Box::new(decl)), span)
    }

    /// Declares variables of a colour set.
    ///
    /// # Errors
    ///
    /// An unknown colour set, or a name that is reserved.
    pub fn declare_variables(
        &mut self,
        name: &str,
        variables: &[&str],
        colour_set: &str,
    ) -> Result<(), MlErrors> {
        let span = self.whole(name, colour_set);
        let mut named = Vec::new();
        for variable in variables {
            let at = self.whole(name, variable);
            named.push((Symbol::from(*variable), at));
        }
        let kind = DeclKind::Variables(named, colour_set.into());
        self.declare_one(kind, span)
    }

    /// Declares a reference with its initial value.
    ///
    /// # Errors
    ///
    /// All mistakes in the value.
    pub fn declare_globref(
        &mut self,
        name: &str,
        variable: &str,
        value: &str,
    ) -> Result<(), MlErrors> {
        let value = self.parsed(name, value, Parser::whole_expr)?;
        let span = value.span;
        self.declare_one(DeclKind::GlobRef(variable.into(), value), span)
    }

    fn declare_one(&mut self, kind: DeclKind, span: Span) -> Result<(), MlErrors> {
        self.declare(&[Decl { kind, span }], Vec::new())
    }

    /// A source that consists of this text, for parts that have no text around them.
    fn whole(&mut self, name: &str, text: &str) -> Span {
        let source = self.state.sources.add(name, text);
        Span { source, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) }
    }

    fn parsed<T>(
        &mut self,
        name: &str,
        text: &str,
        part: impl FnOnce(&mut Parser) -> Parsed<T>,
    ) -> Result<T, MlErrors> {
        let source = self.state.sources.add(name, text);
        self.parsed_again(source, part)
    }

    fn parsed_again<T>(
        &mut self,
        source: SourceId,
        part: impl FnOnce(&mut Parser) -> Parsed<T>,
    ) -> Result<T, MlErrors> {
        let text = self.state.sources.get(source).text.clone();
        let mut parser = self.parser(source, &text, self.fixities.clone());
        match part(&mut parser) {
            Ok(parsed) if parser.errors.is_empty() => Ok(parsed),
            _ => Err(self.errors(parser.errors)),
        }
    }

    fn refuse(&self, errors: Vec<(Problem, Span)>) -> Result<(), MlErrors> {
        if errors.is_empty() { Ok(()) } else { Err(self.errors(errors)) }
    }

    fn errors(&self, mut errors: Vec<(Problem, Span)>) -> MlErrors {
        errors.sort_by_key(|(_, span)| (span.source, span.start));
        let source = |span: Span| self.state.sources.get(span.source).clone();
        let errors = errors.into_iter().map(|(problem, span)| MlError {
            problem,
            span,
            source: source(span),
        });
        MlErrors { errors: errors.collect() }
    }

    /// All declarations in the core language.
    pub fn program(&self) -> &Program {
        &self.state.program
    }

    /// All declarations in the core language, to create types.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.state.program
    }

    /// All texts.
    pub fn sources(&self) -> &Sources {
        &self.state.sources
    }

    /// The colour sets, in order of declaration.
    pub fn colour_sets(&self) -> &[ColourSet] {
        &self.state.colour_sets
    }

    /// The latest colour set with a name.
    pub fn find_colour_set(&self, name: &str) -> Option<ColourSetId> {
        self.state.colour_set_ids.get(name).copied()
    }

    /// A colour set.
    pub fn colour_set(&self, id: ColourSetId) -> &ColourSet {
        &self.state.colour_sets[id.0 as usize]
    }

    /// Follows aliases to the original colour set.
    pub fn original(&self, mut id: ColourSetId) -> ColourSetId {
        while let crate::colour::ColourSetKind::Alias { of } = self.colour_set(id).kind {
            id = of;
        }
        id
    }

    /// The variable that was declared by `var` with this name.
    pub fn cpn_variable(&self, name: &str) -> Option<VarId> {
        self.state.cpn_variables.get(name).copied()
    }

    /// Whether it was declared by `var`.
    pub fn is_cpn_variable(&self, var: VarId) -> bool {
        self.state.roles.get(&var) == Some(&Role::Cpn)
    }

    /// The colour set in its `var` declaration.
    pub fn variable_colour_set(&self, var: VarId) -> Option<ColourSetId> {
        self.state.variable_sets.get(&var).copied()
    }

    /// Whether it was declared by `globref`. Its value is then not part of a marking.
    pub fn is_reference(&self, var: VarId) -> bool {
        self.state.roles.get(&var) == Some(&Role::Reference)
    }

    /// A value or function of the library or the model, by its name at top level or in a structure, for
    /// example `P.mkstr` for the colour set `P`.
    pub fn function(&self, name: &str) -> Option<VarId> {
        match self.state.scope.value(&LongName::dotted(name)) {
            Some(crate::elaborate::scope::Value::Variable(var)) => Some(*var),
            _ => None,
        }
    }

    /// The files that `use` names, as expressions of type `string`, in order. The caller reads and
    /// declares them.
    pub fn uses(&self) -> &[Expr] {
        &self.state.uses
    }

    /// A type as text.
    pub fn show(&self, ty: TypeId) -> String {
        show_type(&self.state.program, ty)
    }
}
