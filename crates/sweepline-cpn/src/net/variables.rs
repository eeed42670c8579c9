//! Determines what binds each variable of a transition.

use std::collections::HashMap;

use sweepline_ml::core::VarId;
use sweepline_ml::{ColourSetId, Environment};

use super::binding::extend;
use super::evaluate::Sizes;
use super::{Behaviour, ValueSource, Variable};
use crate::problem::Problem;

/// Finds the sources of all variables of a behaviour, and reports variables without a source.
pub(super) fn resolve(
    environment: &Environment,
    sizes: &mut Sizes,
    behaviour: &mut Behaviour,
) -> Vec<Problem> {
    let mut search =
        VariableSearch { environment, sizes, sources: HashMap::new(), problems: Vec::new() };
    let (needed, offered) = (needed(environment, behaviour), offered(environment, behaviour));
    search.inputs(behaviour);
    search.guards(behaviour);
    search.enumerate(behaviour, &needed);
    search.code(behaviour);
    search.free(&offered);
    let mut all = Vec::new();
    for input in &behaviour.inputs {
        extend(&mut all, input.needs.iter().copied());
    }
    extend(&mut all, needed);
    extend(&mut all, behaviour.code.iter().flat_map(|code| code.output.iter().copied()));
    extend(&mut all, offered);
    behaviour.variables = all.into_iter().filter_map(|var| search.variable(var)).collect();
    search.problems
}

/// The variables that must be bound before the transition can occur.
fn needed(environment: &Environment, behaviour: &Behaviour) -> Vec<VarId> {
    let mut needed = Vec::new();
    behaviour.inputs.iter().for_each(|input| extend(&mut needed, input.needs.iter().copied()));
    for conjunct in &behaviour.guard {
        extend(&mut needed, conjunct.needs.iter().copied());
    }
    if let Some(code) = &behaviour.code {
        extend(&mut needed, code.input.iter().copied());
        let inner = environment.variables_in(&code.action);
        extend(&mut needed, inner.into_iter().filter(|var| !code.output.contains(var)));
    }
    needed
}

/// The variables that an occurrence uses.
fn offered(environment: &Environment, behaviour: &Behaviour) -> Vec<VarId> {
    let mut offered = Vec::new();
    behaviour.outputs.iter().for_each(|output| extend(&mut offered, output.needs.iter().copied()));
    if let Some(delay) = &behaviour.delay {
        extend(&mut offered, environment.variables_in(delay.expr()));
    }
    offered
}

struct VariableSearch<'e> {
    environment: &'e Environment,
    sizes: &'e mut Sizes,
    sources: HashMap<VarId, ValueSource>,
    problems: Vec<Problem>,
}

impl VariableSearch<'_> {
    fn is_bound(&self, var: &VarId) -> bool {
        self.sources.contains_key(var)
    }

    /// Tokens bind the variables of patterns.
    fn inputs(&mut self, behaviour: &Behaviour) {
        let terms = behaviour.inputs.iter().filter_map(|input| input.terms.as_ref()).flatten();
        for var in terms.flat_map(|term| &term.binds) {
            self.sources.insert(*var, ValueSource::Input);
        }
    }

    /// Equations bind one side when the other side is known. Repeats until nothing changes.
    fn guards(&mut self, behaviour: &Behaviour) {
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for binder in behaviour.guard.iter().flat_map(|conjunct| &conjunct.binders) {
                if !binder.needs.iter().all(|var| self.is_bound(var)) {
                    continue;
                }
                for var in &binder.binds {
                    if !self.is_bound(var) {
                        self.sources.insert(*var, ValueSource::Guard);
                        is_new = true;
                    }
                }
            }
        }
    }

    /// Enumerates variables that are needed and still unbound, if their colour sets are small. Each of them
    /// may let the guard bind others.
    fn enumerate(&mut self, behaviour: &Behaviour, needed: &[VarId]) {
        for var in needed {
            if !self.is_bound(var) && self.is_small(*var) {
                self.sources.insert(*var, ValueSource::Enumerated);
                self.guards(behaviour);
            }
        }
        for var in needed {
            if !self.is_bound(var) {
                let (variable, colour_set) = self.names(*var);
                self.problems.push(Problem::LargeColourSet { variable, colour_set });
                self.sources.insert(*var, ValueSource::Enumerated);
            }
        }
    }

    fn code(&mut self, behaviour: &Behaviour) {
        for var in behaviour.code.iter().flat_map(|code| &code.output) {
            if self.is_bound(var) {
                let (variable, _) = self.names(*var);
                self.problems.push(Problem::BoundOutput { variable });
            }
            self.sources.insert(*var, ValueSource::Code);
        }
    }

    fn free(&mut self, offered: &[VarId]) {
        for var in offered {
            if self.is_bound(var) {
                continue;
            }
            if !self.is_small(*var) {
                let (variable, colour_set) = self.names(*var);
                self.problems.push(Problem::UnboundOutput { variable, colour_set });
            }
            self.sources.insert(*var, ValueSource::Free);
        }
    }

    fn colour_set(&self, var: VarId) -> Option<ColourSetId> {
        self.environment.variable_colour_set(var)
    }

    fn is_small(&mut self, var: VarId) -> bool {
        self.colour_set(var).is_some_and(|set| self.sizes.is_small(self.environment, set))
    }

    fn names(&self, var: VarId) -> (String, String) {
        let set = self.colour_set(var);
        let set = set.map(|set| self.environment.colour_set(set).name.to_string());
        let name = self.environment.program().variable(var).name.to_string();
        (name, set.unwrap_or_default())
    }

    fn variable(&self, var: VarId) -> Option<Variable> {
        let source = *self.sources.get(&var)?;
        let (name, _) = self.names(var);
        Some(Variable { var, name, colour_set: self.colour_set(var)?, source })
    }
}
