//! Modules. Before the declarations of a module are parsed, its names get the name of the module in front. That is done for
//! every use in the module, also for parameters and other local names that are spelled the same, so that these still
//! hide the outer ones.

use std::collections::HashMap;

use super::{Parsed, Parser};
use crate::csp::ast::{Clause, Decl, Definition, Sym};
use crate::csp::lex::{Tok, Token};
use crate::problem::Problem;

/// The maximal number of tokens of all instances of modules.
const MAX_COPIED: usize = 4_000_000;

/// A module that was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    params: Vec<String>,
    /// The tokens before and after `exports`.
    sections: [Vec<Token>; 2],
    /// The names that are declared, each with whether it is exported.
    names: HashMap<String, bool>,
}

impl Module {
    /// A name of the module as a name of the script. Those that are not exported get one that scripts cannot contain.
    fn renamed(&self, name: &str, prefix: &str) -> Option<String> {
        let is_exported = self.names.get(name)?;
        let blank = if *is_exported { "" } else { " " };
        Some(format!("{prefix}::{blank}{name}"))
    }

    /// The tokens of a section with all names of the module renamed.
    fn tokens(&self, section: usize, prefix: &str) -> Vec<Token> {
        let mut tokens = self.sections[section].clone();
        for token in &mut tokens {
            if let Tok::Ident(name) = &mut token.tok
                && let Some(renamed) = self.renamed(name, prefix)
            {
                *name = renamed;
            }
        }
        tokens
    }
}

impl Parser<'_> {
    /// `module M ... exports ... endmodule`, possibly with parameters.
    pub(super) fn module(&mut self) -> Parsed<()> {
        self.next();
        let name = self.module_name()?;
        let mut module = Module::default();
        if self.eat("(") {
            let params = self.list_to(")", Self::name)?;
            let text = |(name, _): (Sym, _)| self.to.names.text(name.0).to_owned();
            module.params = params.into_iter().map(text).collect();
        }
        self.sections(&mut module)?;
        let n_errors = self.to.errors.len();
        for section in 0..2 {
            for name in self.declared_in(module.sections[section].clone())? {
                module.names.insert(name, section == 1);
            }
        }
        for param in &module.params {
            module.names.insert(param.clone(), false);
        }
        if self.to.errors.len() == n_errors && module.params.is_empty() {
            self.declare(&module, &name);
        }
        self.to.modules.insert(name, module);
        Ok(())
    }

    /// `instance N = M` or `instance N = M(1, 2)`.
    pub(super) fn instance(&mut self) -> Parsed<()> {
        self.next();
        let prefix = self.module_name()?;
        self.expect("=")?;
        let span = self.span();
        let name = self.module_name()?;
        let size = |module: &Module| module.sections.iter().map(Vec::len).sum::<usize>();
        self.to.n_copied += self.to.modules.get(&name).map_or(0, size);
        if self.to.n_copied > MAX_COPIED {
            return Err(self.report(span, Problem::LargeModules { limit: MAX_COPIED }));
        }
        let Some(module) = self.to.modules.get(&name).cloned() else {
            return Err(self.report(span, Problem::Undeclared { name, similar: None }));
        };
        let args = match self.eat("(") {
            true => self.list_to(")", |parser| parser.expr(0))?,
            false => Vec::new(),
        };
        if args.len() != module.params.len() {
            let (expected, found) = (module.params.len(), args.len());
            return Err(self.report(span, Problem::ArgumentCount { name, expected, found }));
        }
        for (param, body) in module.params.iter().zip(args) {
            let renamed = module.renamed(param, &prefix).unwrap_or_default();
            let (sym, span) = (Sym(self.to.names.intern(&renamed)), body.span);
            let clause = Clause { params: Vec::new(), body };
            self.to.decls.push(Decl::Define(Definition::new(sym, span, clause)));
        }
        self.declare(&module, &prefix);
        Ok(())
    }

    fn module_name(&mut self) -> Parsed<String> {
        let (name, _) = self.name()?;
        Ok(self.to.names.text(name.0).to_owned())
    }

    /// The tokens up to `endmodule`.
    fn sections(&mut self, module: &mut Module) -> Parsed<()> {
        let (mut section, mut is_complete) = (0, Ok(()));
        loop {
            let token = self.peek().clone();
            match &token.tok {
                Tok::End => return Err(self.unexpected("`endmodule`")),
                Tok::Ident(word) if word == "endmodule" => {
                    self.next();
                    return is_complete;
                }
                Tok::Ident(word) if word == "exports" => section = 1,
                Tok::Ident(word)
                    if token.starts_line
                        && ["module", "instance", "assert", "include"].contains(&word.as_str()) =>
                {
                    let what = format!("declarations with `{word}` inside of a module");
                    is_complete = Err(self.report(token.span, Problem::Unsupported { what }));
                }
                _ => module.sections[section].push(token),
            }
            self.next();
        }
    }

    /// The names that a section declares. Its declarations are parsed and left out again.
    fn declared_in(&mut self, tokens: Vec<Token>) -> Parsed<Vec<String>> {
        let n = self.to.decls.len();
        self.parse_section(tokens);
        let decls: Vec<Decl> = self.to.decls.drain(n..).collect();
        let mut names = Vec::new();
        for decl in &decls {
            match decl {
                // A pattern may contain constructors, which are declared elsewhere.
                Decl::Define(part) if part.is_part => {
                    let what = "definitions of several names inside of a module".to_owned();
                    return Err(self.report(part.span, Problem::Unsupported { what }));
                }
                Decl::Define(definition) => names.push(definition.name),
                Decl::Datatype { name, constructors, .. } => {
                    names.push(*name);
                    names.extend(constructors.iter().map(|head| head.name));
                }
                Decl::Subtype { name, .. } | Decl::Nametype { name, .. } => names.push(*name),
                Decl::Channels(heads) => names.extend(heads.iter().map(|head| head.name)),
                Decl::Known(_) | Decl::Assert(_) => {}
            }
        }
        Ok(names.into_iter().map(|name| self.to.names.text(name.0).to_owned()).collect())
    }

    /// Declares what is in a module, with `prefix` in front of its names.
    fn declare(&mut self, module: &Module, prefix: &str) {
        for section in 0..2 {
            self.parse_section(module.tokens(section, prefix));
        }
    }

    fn parse_section(&mut self, mut tokens: Vec<Token>) {
        let span = self.last_span();
        tokens.push(Token { tok: Tok::End, span, starts_line: true });
        let outer = (std::mem::replace(&mut self.tokens, tokens), std::mem::take(&mut self.at));
        // A clause of the module does not continue a function before the module.
        self.to.decls.push(Decl::Known(Vec::new()));
        self.declarations();
        self.to.decls.push(Decl::Known(Vec::new()));
        (self.tokens, self.at) = outer;
    }
}
