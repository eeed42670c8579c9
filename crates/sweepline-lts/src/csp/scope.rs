//! The check of names: every name must be declared. It also computes the local names that each deferred
//! expression uses, so that only these are captured. Equal processes are recognised as equal because of that.

use std::collections::{BTreeSet, HashMap, HashSet};

use sweepline_source::{MAX_ERRORS, Span, WordList, closest};

use super::ast::{
    Claim, Clause, Decl, Definition, Expr, Field, Head, Items, Kind, Later, Let, Operator, Pattern,
    Prefix, Renaming, Stmt, Sym,
};
use crate::problem::Problem;

/// Checks all names of `decls`; `built_in` are predeclared.
pub(super) fn check(
    decls: &[Decl],
    names: &WordList,
    built_in: &[Sym],
    errors: &mut Vec<(Span, Problem)>,
) {
    let mut scope = Scope::of(decls, names, built_in, errors);
    for decl in decls {
        scope.decl(decl);
    }
}

/// Checks an expression in the context of `decls`.
pub(super) fn check_expression(
    body: &Later,
    decls: &[Decl],
    names: &WordList,
    built_in: &[Sym],
    errors: &mut Vec<(Span, Problem)>,
) {
    // Errors in the declarations were reported before.
    let mut known = Vec::new();
    let Scope { globals, heads, .. } = Scope::of(decls, names, built_in, &mut known);
    Scope { names, globals, heads, locals: Vec::new(), free: BTreeSet::new(), errors }.later(body);
}

/// The channels or constructors that `decl` declares.
fn heads_of(decl: &Decl) -> &[Head] {
    match decl {
        Decl::Channels(heads) | Decl::Datatype { constructors: heads, .. } => heads,
        _ => &[],
    }
}

struct Scope<'a> {
    names: &'a WordList,
    globals: HashSet<Sym>,
    /// Channels and constructors: in patterns they match themselves.
    heads: HashSet<Sym>,
    locals: Vec<Sym>,
    /// The local names used since the start of the innermost expression that captures names.
    free: BTreeSet<Sym>,
    errors: &'a mut Vec<(Span, Problem)>,
}

impl<'a> Scope<'a> {
    fn of(
        decls: &[Decl],
        names: &'a WordList,
        built_in: &[Sym],
        errors: &'a mut Vec<(Span, Problem)>,
    ) -> Self {
        let mut declared: HashMap<Sym, Span> = HashMap::new();
        let heads: HashSet<Sym> = decls.iter().flat_map(heads_of).map(|head| head.name).collect();
        let mut declare = |name: Sym, span: Span| {
            if declared.insert(name, span).is_some() {
                let name = names.text(name.0).to_owned();
                errors.push((span, Problem::DeclaredTwice { name }));
            }
        };
        for decl in decls {
            match decl {
                Decl::Define(part) if part.is_part && heads.contains(&part.name) => {}
                Decl::Define(definition) => declare(definition.name, definition.span),
                _ => heads_of(decl).iter().for_each(|head| declare(head.name, head.span)),
            }
            if let Decl::Datatype { name, span, .. }
            | Decl::Subtype { name, span, .. }
            | Decl::Nametype { name, span, .. } = decl
            {
                declare(*name, *span);
            }
        }
        let known = decls.iter().filter_map(|decl| match decl {
            Decl::Known(all) => Some(all.iter().map(|(name, _)| *name)),
            _ => None,
        });
        let mut globals: HashSet<Sym> = known.flatten().chain(built_in.iter().copied()).collect();
        globals.extend(declared.keys());
        Scope { names, globals, heads, locals: Vec::new(), free: BTreeSet::new(), errors }
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Define(definition) => self.definition(definition),
            Decl::Channels(heads) | Decl::Datatype { constructors: heads, .. } => {
                self.all(heads.iter().flat_map(|head| &head.fields));
            }
            Decl::Subtype { parts, .. } => self.all(parts),
            Decl::Nametype { of, .. } => self.expr(of),
            Decl::Known(_) => {}
            Decl::Assert(assert) => match &assert.claim {
                Claim::Refines { spec, of, .. } => {
                    self.later(spec);
                    self.later(of);
                }
                Claim::Property { of, argument, .. } => {
                    self.later(of);
                    argument.iter().for_each(|argument| self.later(argument));
                }
            },
        }
    }

    /// The outer names that `inside` uses; the names that it binds are removed after it.
    fn scoped(&mut self, inside: impl FnOnce(&mut Self)) -> Box<[Sym]> {
        let (outer, before) = (std::mem::take(&mut self.free), self.locals.len());
        inside(self);
        for bound in self.locals.drain(before..) {
            self.free.remove(&bound);
        }
        let own = std::mem::replace(&mut self.free, outer);
        self.free.extend(&own);
        own.into_iter().collect()
    }

    fn bind<'p>(&mut self, patterns: impl IntoIterator<Item = &'p Pattern>) {
        let Scope { heads, locals, .. } = self;
        for pattern in patterns {
            pattern.each_name(&mut |name| locals.extend((!heads.contains(&name)).then_some(name)));
        }
    }

    fn definition(&mut self, definition: &Definition) {
        for Clause { params, body } in &definition.clauses {
            self.scoped(|scope| {
                scope.bind(params.iter().flatten());
                scope.expr(body);
            });
        }
    }

    fn later(&mut self, body: &Later) {
        let free = self.scoped(|scope| scope.expr(&body.expr));
        body.free.get_or_init(|| free);
    }

    fn group(&mut self, group: &Let, inside: &Expr) {
        self.scoped(|scope| {
            let names = group.decls.iter().filter(|definition| {
                !(definition.is_part && scope.heads.contains(&definition.name))
            });
            let names: Vec<Sym> = names.map(|definition| definition.name).collect();
            scope.locals.extend(&names);
            let used = scope.scoped(|scope| group.decls.iter().for_each(|d| scope.definition(d)));
            let outside = used.iter().copied().filter(|name| !names.contains(name));
            group.free.get_or_init(|| outside.collect());
            scope.expr(inside);
        });
    }

    fn prefix(&mut self, prefix: &Prefix) {
        let free = self.scoped(|scope| {
            scope.expr(&prefix.channel);
            for field in &prefix.fields {
                match field {
                    Field::Output(expr) => scope.expr(expr),
                    Field::Input { pattern, from, .. } => {
                        from.iter().for_each(|from| scope.expr(from));
                        scope.bind([pattern]);
                    }
                }
            }
            scope.later(&prefix.body);
        });
        prefix.free.get_or_init(|| free);
    }

    /// Generators bind names for the statements after them, and for `inside`.
    fn stmts(&mut self, stmts: &[Stmt], inside: impl FnOnce(&mut Self)) {
        self.scoped(|scope| {
            for stmt in stmts {
                match stmt {
                    Stmt::Generator(pattern, from) => {
                        scope.expr(from);
                        scope.bind([pattern]);
                    }
                    Stmt::Guard(expr) => scope.expr(expr),
                }
            }
            inside(scope);
        });
    }

    fn items(&mut self, items: &Items) {
        match items {
            Items::List(all, stmts) => self.stmts(stmts, |scope| scope.all(all)),
            Items::Range(from, to, stmts) => {
                self.stmts(stmts, |scope| scope.all([from].into_iter().chain(to).map(|e| &**e)));
            }
        }
    }

    fn renaming(&mut self, Renaming { pairs, stmts }: &Renaming) {
        self.stmts(stmts, |scope| scope.all(pairs.iter().flat_map(|(from, to)| [from, to])));
    }

    fn all<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) {
        all.into_iter().for_each(|expr| self.expr(expr));
    }

    fn name(&mut self, name: Sym, span: Span) {
        if self.locals.contains(&name) {
            self.free.insert(name);
        } else if !self.globals.contains(&name) {
            let text = self.names.text(name.0).to_owned();
            let known = self.locals.iter().chain(&self.globals).map(|&sym| self.names.text(sym.0));
            // Scripts cannot write names with blanks.
            let known = known.filter(|name| !name.contains(' '));
            // Finding a similar name takes time, and so many messages are not printed.
            let is_read = self.errors.len() < 10 * MAX_ERRORS;
            let similar = is_read.then(|| closest(&text, known)).flatten();
            self.errors.push((span, Problem::Undeclared { name: text, similar }));
        }
    }

    /// Records the local names that `expr` uses.
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Wildcard | Kind::Both(..) => {
                let expected = "an expression".to_owned();
                let found = "a pattern".to_owned();
                self.errors.push((expr.span, Problem::WrongKind { expected, found }));
            }
            Kind::Name(name) => self.name(*name, expr.span),
            Kind::Seq(items) | Kind::Set(items) | Kind::Productions(items) => self.items(items),
            Kind::Lambda(lambda) => {
                let free = self.scoped(|scope| {
                    scope.bind(&lambda.params);
                    scope.later(&lambda.body);
                });
                lambda.free.get_or_init(|| free);
            }
            Kind::Let(group, inside) => self.group(group, inside),
            Kind::Prefix(prefix) => self.prefix(prefix),
            Kind::Internal(all) => all.iter().for_each(|body| self.later(body)),
            Kind::Timeout(p, q) | Kind::Sequential(p, q) => {
                self.expr(p);
                self.later(q);
            }
            Kind::Link(both, renaming) => {
                self.all(both.iter());
                self.renaming(renaming);
            }
            Kind::Exception(both, q) => {
                self.all(both.iter());
                self.later(q);
            }
            Kind::Rename(p, renaming) => {
                self.expr(p);
                self.renaming(renaming);
            }
            Kind::Replicated(replicated) => {
                if let Operator::Interface(set) = &replicated.op {
                    self.expr(set);
                }
                self.stmts(&replicated.stmts, |scope| {
                    scope.later(&replicated.body);
                    if let Operator::Alphabetised(alphabet) = &replicated.op {
                        scope.later(alphabet);
                    }
                });
            }
            // The parts of all others have the same names in scope.
            other => other.each_child(&mut |child| self.expr(child)),
        }
    }
}
