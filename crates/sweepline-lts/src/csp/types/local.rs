//! The local names and their types.

use std::collections::HashMap;

use super::ty::Type;
use crate::csp::ast::Sym;

/// The local names in scope. The type of a variable becomes known by its uses: after `x + 1` has a value, `x` is a number.
#[derive(Default)]
pub(super) struct Locals {
    all: Vec<Local>,
    /// The innermost local of each name.
    by_name: HashMap<Sym, usize>,
    /// The variables whose types became known, in order.
    learned: Vec<usize>,
}

struct Local {
    name: Sym,
    ty: Type,
    /// The outer local of the same name.
    hidden: Option<usize>,
}

/// A point to return to.
pub(super) struct Mark(usize);

impl Locals {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn push(&mut self, name: Sym, ty: Type) {
        let hidden = self.by_name.insert(name, self.all.len());
        self.all.push(Local { name, ty, hidden });
    }

    /// Removes the names from number `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.all.len() > len {
            let Some(local) = self.all.pop() else { return };
            match local.hidden {
                Some(outer) => self.by_name.insert(local.name, outer),
                None => self.by_name.remove(&local.name),
            };
        }
    }

    pub(super) fn find(&self, name: Sym) -> Option<usize> {
        self.by_name.get(&name).copied()
    }

    pub(super) fn ty(&self, index: usize) -> &Type {
        &self.all[index].ty
    }

    /// Sets the type of a name that is defined, not bound.
    pub(super) fn define(&mut self, index: usize, ty: Type) {
        self.all[index].ty = ty;
    }

    /// Notes that the value of a variable is in `ty`, if nothing was known about it.
    pub(super) fn learn(&mut self, index: usize, ty: &Type) {
        let local = &mut self.all[index];
        if local.ty == Type::Unknown && *ty != Type::Unknown {
            local.ty = ty.clone();
            self.learned.push(index);
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.learned.len())
    }

    /// Forgets what was learned since `mark`. Returns what that was.
    pub(super) fn back_to(&mut self, mark: &Mark) -> Vec<(usize, Type)> {
        let mut known = Vec::new();
        for index in self.learned.drain(mark.0..) {
            if let Some(local) = self.all.get_mut(index) {
                known.push((index, std::mem::replace(&mut local.ty, Type::Unknown)));
            }
        }
        known
    }

    /// Notes what was learned in both of two branches, one of which is evaluated.
    pub(super) fn learn_both(&mut self, a: &[(usize, Type)], b: &[(usize, Type)]) {
        let second: HashMap<usize, &Type> = b.iter().map(|(index, ty)| (*index, ty)).collect();
        for (index, ty) in a {
            if let Some(other) = second.get(index) {
                self.learn(*index, &ty.join(other));
            }
        }
    }
}
