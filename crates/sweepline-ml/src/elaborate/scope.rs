//! Scopes: the meaning of each name.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::ast::LongName;
use crate::core::{Con, ExnId, VarId};
use crate::prim::{Arith, Comparison, Prim};
use crate::types::{DataId, ParamId, Scheme, Symbol, TypeId};

/// The meaning of the name of a value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A variable. Its type scheme is stored with the variable.
    Variable(VarId),
    Constructor(Con),
    Exception(ExnId),
    Primitive(Prim, Scheme),
    Overloaded(Overload),
}

/// An operator that is resolved by the type of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overload {
    Arith(Arith),
    Compare(Comparison),
}

/// The meaning of the name of a type: `ty` with `params` replaced.
#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    pub(crate) params: Arc<[ParamId]>,
    pub(crate) ty: TypeId,
    /// The datatype it names, for its constructors.
    pub(crate) data: Option<DataId>,
}

/// The declarations of a structure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module {
    pub(crate) values: Vec<(Symbol, Value)>,
    pub(crate) types: Vec<(Symbol, TypeName)>,
    pub(crate) structures: Vec<(Symbol, Arc<Module>)>,
}

/// The names of one kind, each with the meanings that it hides.
#[derive(Clone, Debug)]
pub(crate) struct Namespace<T> {
    meanings: HashMap<Symbol, Vec<T>, FixedState>,
    trail: Vec<Symbol>,
}

impl<T> Default for Namespace<T> {
    fn default() -> Self {
        Self { meanings: HashMap::default(), trail: Vec::new() }
    }
}

impl<T: Clone> Namespace<T> {
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.meanings.get(name)?.last()
    }

    pub(crate) fn push(&mut self, name: Symbol, meaning: T) {
        self.meanings.entry(name.clone()).or_default().push(meaning);
        self.trail.push(name);
    }

    /// Removes everything declared after the mark, and returns it, oldest first.
    fn undo(&mut self, mark: usize) -> Vec<(Symbol, T)> {
        let mut undone = Vec::with_capacity(self.trail.len() - mark);
        while self.trail.len() > mark {
            let name = self.trail.pop().expect("the trail is longer than the mark");
            if let Some(meaning) = self.meanings.get_mut(&name).and_then(Vec::pop) {
                undone.push((name, meaning));
            }
        }
        undone.reverse();
        undone
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.meanings.iter().filter(|(_, all)| !all.is_empty()).map(|(name, _)| &**name)
    }
}

/// All names in scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) values: Namespace<Value>,
    pub(crate) types: Namespace<TypeName>,
    pub(crate) structures: Namespace<Arc<Module>>,
    /// Structures of the library that were declared on demand. A structure of the model with the same name
    /// hides them.
    pub(crate) on_demand: Vec<(Symbol, Arc<Module>)>,
}

/// A point of a scope to return to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark(usize, usize, usize);

impl Scope {
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.values.trail.len(), self.types.trail.len(), self.structures.trail.len())
    }

    /// Removes the declarations after the mark, and returns them.
    pub(crate) fn undo(&mut self, mark: Mark) -> Module {
        Module {
            values: self.values.undo(mark.0),
            types: self.types.undo(mark.1),
            structures: self.structures.undo(mark.2),
        }
    }

    /// Declares everything that a structure declares.
    pub(crate) fn open(&mut self, module: &Module) {
        for (name, value) in &module.values {
            self.values.push(name.clone(), value.clone());
        }
        for (name, ty) in &module.types {
            self.types.push(name.clone(), ty.clone());
        }
        for (name, structure) in &module.structures {
            self.structures.push(name.clone(), structure.clone());
        }
    }

    /// The structure at the end of a path, or the first unknown name in the path.
    pub(crate) fn module<'p>(&self, path: &'p [Symbol]) -> Result<Option<&Module>, &'p Symbol> {
        let Some((first, rest)) = path.split_first() else { return Ok(None) };
        let on_demand = || find(&self.on_demand, first);
        let mut module: &Module = self.structures.get(first).or_else(on_demand).ok_or(first)?;
        for name in rest {
            module = find(&module.structures, name).ok_or(name)?;
        }
        Ok(Some(module))
    }

    pub(crate) fn value(&self, name: &LongName) -> Option<&Value> {
        match self.module(&name.path).ok()? {
            None => self.values.get(&name.name),
            Some(module) => find(&module.values, &name.name),
        }
    }

    pub(crate) fn type_name(&self, name: &LongName) -> Option<&TypeName> {
        match self.module(&name.path).ok()? {
            None => self.types.get(&name.name),
            Some(module) => find(&module.types, &name.name),
        }
    }
}

/// The last declaration of a name hides the others.
fn find<'m, T>(entries: &'m [(Symbol, T)], name: &str) -> Option<&'m T> {
    entries.iter().rev().find(|(known, _)| **known == *name).map(|(_, meaning)| meaning)
}
