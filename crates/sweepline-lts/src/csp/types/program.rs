//! The declarations of a script, each after those that it uses.

use std::collections::{HashMap, HashSet};

use super::ty::Type;
use super::{Checker, order, place};
use crate::csp::ast::{Claim, Decl, Definition, Expr, Head, Kind, Sym};

/// How often definitions that use each other are checked until their types are found.
const MAX_ROUNDS: usize = 4;

/// A declaration whose type is computed.
#[derive(Clone, Copy)]
enum Node<'a> {
    Define(&'a Definition),
    Nametype(Sym, &'a Expr),
}

impl Node<'_> {
    fn name(&self) -> Sym {
        match self {
            Node::Define(definition) => definition.name,
            Node::Nametype(name, _) => *name,
        }
    }
}

impl Checker<'_> {
    pub(super) fn program(&mut self, decls: &[Decl]) {
        let nodes = self.declare(decls);
        for (members, has_cycle) in order::components(&edges(&nodes)) {
            let members: Vec<Node<'_>> = members.into_iter().map(|index| nodes[index]).collect();
            match has_cycle {
                true => self.cycle(&members),
                false => members.into_iter().for_each(|member| {
                    let ty = self.node(member);
                    self.globals.insert(member.name(), ty);
                }),
            }
        }
        decls.iter().for_each(|decl| self.uses(decl));
    }

    /// Declares what has a type without being checked. Returns the other declarations.
    fn declare<'d>(&mut self, decls: &'d [Decl]) -> Vec<Node<'d>> {
        let known = decls.iter().filter_map(|decl| match decl {
            Decl::Known(all) => Some(all.iter().map(|(name, _)| *name)),
            _ => None,
        });
        let known: HashSet<Sym> = known.flatten().collect();
        let mut nodes = Vec::new();
        for decl in decls {
            match decl {
                Decl::Define(part) if part.is_part && self.heads.contains_key(&part.name) => {}
                // The meaning of a name that is also declared `transparent` depends on the order.
                Decl::Define(definition) if known.contains(&definition.name) => {
                    self.globals.insert(definition.name, Type::Unknown);
                }
                Decl::Define(definition) => {
                    self.globals.insert(definition.name, Type::Unknown);
                    nodes.push(Node::Define(definition));
                }
                Decl::Nametype { name, of, .. } => {
                    self.globals.insert(*name, Type::Unknown);
                    nodes.push(Node::Nametype(*name, of));
                }
                Decl::Channels(heads) => self.declare_heads(heads),
                Decl::Datatype { name, constructors, .. } => {
                    self.globals.insert(*name, Type::set(Type::Data));
                    self.declare_heads(constructors);
                }
                Decl::Subtype { name, .. } => {
                    self.globals.insert(*name, Type::set(Type::Data));
                }
                Decl::Known(_) | Decl::Assert(_) => {}
            }
        }
        nodes
    }

    fn declare_heads(&mut self, heads: &[Head]) {
        self.globals.extend(heads.iter().map(|head| (head.name, Type::Data)));
    }

    fn node(&mut self, node: Node<'_>) -> Type {
        match node {
            Node::Define(definition) => self.definition(definition),
            Node::Nametype(_, of) => self.field_types(of),
        }
    }

    /// The set of the values of a type.
    fn field_types(&mut self, of: &Expr) -> Type {
        let parts = match &of.kind {
            Kind::Dot(parts) => parts.as_slice(),
            _ => std::slice::from_ref(of),
        };
        let mut last = Type::Unknown;
        for part in parts {
            last = self.infer(part);
            if !matches!(last, Type::Unknown | Type::Never | Type::Set(_) | Type::Tuple(_)) {
                self.clash(part.span, &Type::any_set(), &last);
            }
        }
        match last {
            Type::Set(of) if parts.len() == 1 => Type::Set(of),
            _ => Type::any_set(),
        }
    }

    /// Definitions that use each other: their types are computed from the assumption that they have no values,
    /// until nothing changes. If that takes too long, nothing is assumed.
    fn cycle(&mut self, members: &[Node<'_>]) {
        let is_constant = |node: &&Node<'_>| match node {
            Node::Define(definition) => definition.arity() == 0,
            Node::Nametype(..) => false,
        };
        self.circular = members.iter().filter(is_constant).map(Node::name).collect();
        members.iter().for_each(|member| self.assume(*member, &Type::Never));
        for _ in 0..MAX_ROUNDS {
            let n = self.errors.len();
            let mut is_stable = true;
            for member in members {
                let ty = self.node(*member);
                let old = self.globals.insert(member.name(), ty.clone());
                is_stable &= old.as_ref() == Some(&ty);
            }
            if is_stable {
                return self.settle(members);
            }
            self.retract(n);
        }
        members.iter().for_each(|member| self.assume(*member, &Type::Unknown));
        for member in members {
            let ty = self.node(*member);
            self.globals.insert(member.name(), ty);
        }
        self.settle(members);
    }

    /// Removes the errors from number `n` on.
    fn retract(&mut self, n: usize) {
        for (span, _) in self.errors.drain(n..) {
            self.reported.remove(&place(span));
        }
    }

    /// Ends a cycle. A constant without a value is a process that is evaluated later.
    fn settle(&mut self, members: &[Node<'_>]) {
        self.circular.clear();
        for member in members {
            if self.globals.get(&member.name()) == Some(&Type::Never) {
                self.globals.insert(member.name(), Type::Unknown);
            }
        }
    }

    /// Assumes that the values of a definition are in `result`.
    fn assume(&mut self, node: Node<'_>, result: &Type) {
        let ty = match node {
            Node::Define(definition) if definition.arity() > 0 => {
                let params = definition.clauses[0].params.iter();
                let lists = params.map(|list| vec![Type::Unknown; list.len()]).collect();
                Type::function(Some(definition.name), lists, result.clone())
            }
            _ => result.clone(),
        };
        self.globals.insert(node.name(), ty);
    }

    /// The types of fields, and assertions.
    fn uses(&mut self, decl: &Decl) {
        match decl {
            Decl::Channels(heads) | Decl::Datatype { constructors: heads, .. } => {
                heads.iter().flat_map(|head| &head.fields).for_each(|of| {
                    self.field_types(of);
                });
            }
            Decl::Subtype { parts, .. } => parts.iter().for_each(|part| drop(self.infer(part))),
            Decl::Assert(assert) => match &assert.claim {
                Claim::Refines { spec, of, .. } => {
                    self.later(spec);
                    self.later(of);
                }
                Claim::Property { of, argument, .. } => {
                    self.later(of);
                    argument.iter().for_each(|argument| drop(self.infer(&argument.expr)));
                }
            },
            _ => {}
        }
    }
}

/// For each declaration, those that it names.
fn edges(nodes: &[Node<'_>]) -> Vec<Vec<usize>> {
    let index: HashMap<Sym, usize> = nodes.iter().enumerate().map(|(i, n)| (n.name(), i)).collect();
    let used = |node: &Node<'_>| {
        let mut found = Vec::new();
        match node {
            Node::Define(definition) => {
                for clause in &definition.clauses {
                    let mut own = Vec::new();
                    names_in(&clause.body, &index, &mut own);
                    let mut params = Vec::new();
                    let patterns = clause.params.iter().flatten();
                    patterns.for_each(|one| one.each_name(&mut |name| params.push(name)));
                    own.retain(|&used| !params.contains(&nodes[used].name()));
                    found.append(&mut own);
                }
            }
            Node::Nametype(_, of) => names_in(of, &index, &mut found),
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    nodes.iter().map(used).collect()
}

fn names_in(expr: &Expr, index: &HashMap<Sym, usize>, found: &mut Vec<usize>) {
    if let Kind::Name(name) = &expr.kind {
        found.extend(index.get(name));
    }
    expr.kind.each_child(&mut |child| names_in(child, index, found));
}
