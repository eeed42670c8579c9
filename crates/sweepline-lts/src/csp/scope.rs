//! WordList: every one is declared, and every expression that is evaluated later knows the local names
//! it uses, so that nothing else is kept for it. Equal processes are equal because of that.

use std::collections::{BTreeSet, HashMap, HashSet};

use sweepline_source::{Span, WordList, closest};

use super::ast::{
    Claim, Clause, Decl, Definition, Expr, Field, Head, Items, Kind, Later, Let, Operator, Pattern,
    Prefix, Renaming, Stmt, Sym,
};
use crate::problem::Problem;

type Free = BTreeSet<Sym>;

/// Checks all names of `decls`; `built_in` are declared already.
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
    // What is wrong with the declarations was said before.
    let mut known = Vec::new();
    let Scope { globals, heads, .. } = Scope::of(decls, names, built_in, &mut known);
    Scope { names, globals, heads, locals: Vec::new(), errors }.later(body);
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
    /// Channels and constructors: in patterns they stand for themselves.
    heads: HashSet<Sym>,
    locals: Vec<Sym>,
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
        Scope { names, globals, heads, locals: Vec::new(), errors }
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Define(definition) => {
                self.definition(definition);
            }
            Decl::Channels(heads) | Decl::Datatype { constructors: heads, .. } => {
                heads.iter().flat_map(|head| &head.fields).for_each(|fields| {
                    self.expr(fields);
                });
            }
            Decl::Subtype { parts, .. } => parts.iter().for_each(|part| {
                self.expr(part);
            }),
            Decl::Nametype { of, .. } => {
                self.expr(of);
            }
            Decl::Known(_) => {}
            Decl::Assert(assert) => match &assert.claim {
                Claim::Refines { spec, of, .. } => {
                    self.later(spec);
                    self.later(of);
                }
                Claim::Property { of, .. } => {
                    self.later(of);
                }
            },
        }
    }

    /// What `inside` uses of the names outside, while `patterns` bind some.
    fn binding<'p>(
        &mut self,
        patterns: impl IntoIterator<Item = &'p Pattern>,
        inside: impl FnOnce(&mut Self) -> Free,
    ) -> Free {
        let before = self.locals.len();
        for pattern in patterns {
            self.bind(pattern);
        }
        self.leaving(before, inside)
    }

    fn bind(&mut self, pattern: &Pattern) {
        let Scope { heads, locals, .. } = self;
        pattern.each_name(&mut |name| {
            if !heads.contains(&name) {
                locals.push(name);
            }
        });
    }

    /// What `inside` uses of the names before `before`.
    fn leaving(&mut self, before: usize, inside: impl FnOnce(&mut Self) -> Free) -> Free {
        let mut free = inside(self);
        for bound in self.locals.drain(before..) {
            free.remove(&bound);
        }
        free
    }

    fn definition(&mut self, definition: &Definition) -> Free {
        let mut free = Free::new();
        for Clause { params, body } in &definition.clauses {
            free.append(&mut self.binding(params.iter().flatten(), |scope| scope.expr(body)));
        }
        free
    }

    fn later(&mut self, body: &Later) -> Free {
        let free = self.expr(&body.expr);
        body.free.get_or_init(|| free.iter().copied().collect());
        free
    }

    fn group(&mut self, group: &Let, inside: &Expr) -> Free {
        let before = self.locals.len();
        for definition in &group.decls {
            if !(definition.is_part && self.heads.contains(&definition.name)) {
                self.locals.push(definition.name);
            }
        }
        let mut free = Free::new();
        for definition in &group.decls {
            free.append(&mut self.definition(definition));
        }
        for definition in &group.decls {
            free.remove(&definition.name);
        }
        group.free.get_or_init(|| free.iter().copied().collect());
        free.append(&mut self.leaving(before, |scope| scope.expr(inside)));
        free
    }

    fn prefix(&mut self, prefix: &Prefix) -> Free {
        let mut free = self.expr(&prefix.channel);
        let before = self.locals.len();
        free.append(&mut self.leaving(before, |scope| {
            let mut inner = Free::new();
            for field in &prefix.fields {
                match field {
                    Field::Output(expr) => inner.append(&mut scope.expr(expr)),
                    Field::Input { pattern, from, .. } => {
                        from.iter().for_each(|from| inner.append(&mut scope.expr(from)));
                        scope.bind(pattern);
                    }
                }
            }
            inner.append(&mut scope.later(&prefix.body));
            inner
        }));
        prefix.free.get_or_init(|| free.iter().copied().collect());
        free
    }

    /// Generators bind what comes behind them, and `inside`.
    fn stmts(&mut self, stmts: &[Stmt], inside: impl FnOnce(&mut Self) -> Free) -> Free {
        let before = self.locals.len();
        self.leaving(before, |scope| {
            let mut free = Free::new();
            for stmt in stmts {
                match stmt {
                    Stmt::Generator(pattern, from) => {
                        free.append(&mut scope.expr(from));
                        scope.bind(pattern);
                    }
                    Stmt::Guard(expr) => free.append(&mut scope.expr(expr)),
                }
            }
            free.append(&mut inside(scope));
            free
        })
    }

    fn items(&mut self, items: &Items) -> Free {
        match items {
            Items::List(all, stmts) => self.stmts(stmts, |scope| scope.all(all)),
            Items::Range(from, to, stmts) => self.stmts(stmts, |scope| {
                let mut free = scope.expr(from);
                to.iter().for_each(|to| free.append(&mut scope.expr(to)));
                free
            }),
        }
    }

    fn renaming(&mut self, Renaming { pairs, stmts }: &Renaming) -> Free {
        self.stmts(stmts, |scope| scope.all(pairs.iter().flat_map(|(from, to)| [from, to])))
    }

    fn all<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) -> Free {
        let mut free = Free::new();
        all.into_iter().for_each(|expr| free.append(&mut self.expr(expr)));
        free
    }

    fn name(&mut self, name: Sym, span: Span) -> Free {
        if self.locals.contains(&name) {
            return Free::from([name]);
        }
        if !self.globals.contains(&name) {
            let text = self.names.text(name.0).to_owned();
            let known = self.locals.iter().chain(&self.globals).map(|&sym| self.names.text(sym.0));
            let similar = closest(&text, known);
            self.errors.push((span, Problem::Undeclared { name: text, similar }));
        }
        Free::new()
    }

    /// The local names that `expr` uses.
    fn expr(&mut self, expr: &Expr) -> Free {
        match &expr.kind {
            Kind::Int(_) | Kind::Bool(_) | Kind::Str(_) => Free::new(),
            Kind::Wildcard | Kind::Both(..) => {
                let expected = "an expression".to_owned();
                let found = "a pattern".to_owned();
                self.errors.push((expr.span, Problem::WrongKind { expected, found }));
                Free::new()
            }
            Kind::Name(name) => self.name(*name, expr.span),
            Kind::Tuple(all) | Kind::Dot(all) => self.all(all),
            Kind::Seq(items) | Kind::Set(items) | Kind::Productions(items) => self.items(items),
            Kind::Map(pairs) => self.all(pairs.iter().flat_map(|(key, value)| [key, value])),
            Kind::Call(callee, args) => {
                let mut free = self.expr(callee);
                free.append(&mut self.all(args));
                free
            }
            Kind::Lambda(lambda) => {
                let free = self.binding(&lambda.params, |scope| scope.later(&lambda.body));
                lambda.free.get_or_init(|| free.iter().copied().collect());
                free
            }
            Kind::Let(group, inside) => self.group(group, inside),
            Kind::If(parts) => self.all(parts.iter()),
            Kind::Negate(e) | Kind::Not(e) | Kind::Length(e) => self.expr(e),
            Kind::Binary(_, both)
            | Kind::Guard(both)
            | Kind::Choice(_, both)
            | Kind::Hide(both)
            | Kind::Project(both) => self.all(both.iter()),
            Kind::Prefix(prefix) => self.prefix(prefix),
            Kind::Internal(all) => {
                let mut free = Free::new();
                all.iter().for_each(|body| free.append(&mut self.later(body)));
                free
            }
            Kind::Timeout(p, q) | Kind::Sequential(p, q) => {
                let mut free = self.expr(p);
                free.append(&mut self.later(q));
                free
            }
            Kind::Interface(set, both) => self.all(set.as_deref().into_iter().chain(both.iter())),
            Kind::Alphabetised(parts) => self.all(parts.iter()),
            Kind::Link(both, renaming) => {
                let mut free = self.all(both.iter());
                free.append(&mut self.renaming(renaming));
                free
            }
            Kind::Exception(both, q) => {
                let mut free = self.all(both.iter());
                free.append(&mut self.later(q));
                free
            }
            Kind::Rename(p, renaming) => {
                let mut free = self.expr(p);
                free.append(&mut self.renaming(renaming));
                free
            }
            Kind::Replicated(replicated) => {
                let mut free = match &replicated.op {
                    Operator::Interface(set) => self.expr(set),
                    _ => Free::new(),
                };
                free.append(&mut self.stmts(&replicated.stmts, |scope| {
                    let mut free = scope.later(&replicated.body);
                    if let Operator::Alphabetised(alphabet) = &replicated.op {
                        free.append(&mut scope.later(alphabet));
                    }
                    free
                }));
                free
            }
        }
    }
}
