//! Declares the declarations of a model in order.

use std::path::Path;

use sweepline_ml::core::Expr;
use sweepline_ml::{ColourSetDeclaration, MlErrors, Types};
use sweepline_source::{MAX_ERRORS, Source, Text};

use super::load::Loader;
use super::names::shown;
use super::{Options, evaluate};
use crate::problem::{Finding, Problem};
use crate::read::{Declaration, DeclarationKind};

/// The most mistakes in declarations that are kept (more than are shown). Further ones are only counted.
const MOST_DECLARATION_ERRORS: usize = 10 * MAX_ERRORS;

impl Loader<'_> {
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        match &declaration.kind {
            DeclarationKind::ColourSet { name, spec, declares, timed } => {
                let subject = format!("colour set `{}`", shown(name.as_str()));
                self.note(&subject, name);
                declaration.parts.iter().for_each(|part| self.note(&subject, part));
                let name = name.trim();
                let declaration = ColourSetDeclaration { name, spec, declares, timed: *timed };
                let result = self.environment.declare_colour_set(&subject, &declaration);
                self.doubt(result);
            }
            DeclarationKind::Variables { names, colour_set } => {
                let words: Vec<&str> = names.iter().map(Text::trim).collect();
                let subject = format!("variables `{}`", shown(&words.join(", ")));
                self.note(&subject, colour_set);
                names.iter().for_each(|name| self.note(&subject, name));
                let result =
                    self.environment.declare_variables(&subject, &words, colour_set.trim());
                self.doubt(result);
            }
            DeclarationKind::Ml(text) => {
                let origin = self.file.origin.clone();
                self.ml(&format!("declaration `{}`", shown(text.as_str())), &origin, text);
            }
            DeclarationKind::Reference { name, value } => {
                let subject = format!("reference `{}`", shown(name.as_str()));
                self.note(&subject, value);
                let result =
                    self.environment.declare_globref(&subject, name.trim(), value.as_str());
                self.doubt(result);
            }
            DeclarationKind::Use(text) => {
                let subject = "use";
                self.note(subject, text);
                match self.environment.expr(subject, text.as_str(), Some(Types::STRING)) {
                    Ok(expr) => {
                        let origin = self.file.origin.clone();
                        self.use_file(&expr, &origin, text);
                    }
                    Err(errors) => self.doubt(Err(errors)),
                }
            }
        }
    }

    /// Declares an ML text, with the values of `--param` in place of the declared ones, and the files that it
    /// uses.
    fn ml(&mut self, subject: &str, origin: &Source, text: &Text) {
        let text = self.with_params(text);
        self.texts.add(subject, origin, &text);
        let n_uses = self.environment.uses().len();
        let result = self.environment.declare_ml(subject, text.as_str());
        self.doubt(result);
        let uses: Vec<Expr> = self.environment.uses()[n_uses..].to_vec();
        for expr in &uses {
            self.use_file(expr, origin, &text);
        }
    }

    fn with_params(&mut self, text: &Text) -> Text {
        let mut text = text.clone();
        for (at, (name, value)) in self.options.params.iter().enumerate() {
            let ranges = self.environment.value_ranges(text.as_str(), name);
            if !ranges.is_empty() {
                self.found_params[at] = true;
                text = text.replaced(&ranges, &format!("({value})"));
            }
        }
        text
    }

    /// Declares a file that the model uses.
    fn use_file(&mut self, expr: &Expr, origin: &Source, text: &Text) {
        let name = evaluate::string(&self.environment, expr);
        let name = name.map_err(|reason| Problem::UseRefused {
            file: shown(text.as_str()),
            reason: format!("the name of the file cannot be evaluated: {reason}"),
        });
        let Options { folder, include, limits, .. } = self.options;
        let folders: Vec<&Path> = folder.iter().chain(include).map(|folder| &**folder).collect();
        let opened = name.and_then(|name| self.reading.open(&folders, &name, limits));
        match opened {
            Ok(used) => {
                let subject = format!("file `{}`", shown(&used.name));
                let whole = Text::verbatim(&used.text);
                self.ml(&subject, &used, &whole);
                self.reading.close();
            }
            Err(problem) if self.has_room_for_errors() => {
                self.declaration_errors.push(Finding::new(origin, text.span(), "use", problem));
            }
            Err(_) => self.n_more_declaration_errors += 1,
        }
    }

    fn doubt(&mut self, result: Result<(), MlErrors>) {
        for error in result.err().iter().flat_map(|errors| &errors.errors) {
            match self.has_room_for_errors() {
                true => self.declaration_errors.push(self.texts.finding(error)),
                false => self.n_more_declaration_errors += 1,
            }
        }
    }

    /// Whether another mistake may be kept: finding its position in the file takes time.
    fn has_room_for_errors(&self) -> bool {
        self.declaration_errors.len() < MOST_DECLARATION_ERRORS
    }

    /// Decides about mistakes in declarations. If the net does not use the declarations, the mistakes become
    /// warnings, as in CPN Tools, because many files contain unused declarations. If there is any other error,
    /// all are reported, because one may be the cause of another.
    pub(super) fn settle_declaration_errors(&mut self, are_used: bool) {
        let are_errors = are_used || self.findings.has_errors();
        if are_errors {
            self.findings.count_more(std::mem::take(&mut self.n_more_declaration_errors));
        }
        for finding in std::mem::take(&mut self.declaration_errors) {
            self.findings.report(if are_errors { finding } else { finding.into_warning() });
        }
    }
}
