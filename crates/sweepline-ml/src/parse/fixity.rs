//! The operators, with precedence and associativity.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::types::Symbol;

/// The precedence and associativity of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fixity {
    pub(crate) precedence: u8,
    pub(crate) right: bool,
}

/// The operators in scope. Copies share the table until one of them declares an operator, because every `let`
/// makes a copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fixities {
    operators: Arc<HashMap<Symbol, Fixity, FixedState>>,
}

impl Fixities {
    pub(crate) fn get(&self, name: &str) -> Option<Fixity> {
        self.operators.get(name).copied()
    }

    pub(crate) fn set(&mut self, name: Symbol, fixity: Option<Fixity>) {
        let operators = Arc::make_mut(&mut self.operators);
        match fixity {
            Some(fixity) => operators.insert(name, fixity),
            None => operators.remove(&name),
        };
    }
}

/// Library operators for which `(a op b) op c` and `a op (b op c)` have the same value and order of
/// evaluation. A long sum of tokens becomes a balanced tree, so that recursive passes need little stack.
pub(crate) const ASSOCIATIVE: [&str; 5] = ["++", "+++", "^^", "^", "@"];

/// Chains up to this length are not rebalanced.
pub(crate) const CHAIN: usize = 16;

/// Folds a chain into a balanced tree.
pub(crate) fn balanced<T, E>(
    mut items: Vec<T>,
    join: &mut impl FnMut(T, T) -> Result<T, E>,
) -> Result<Option<T>, E> {
    while items.len() > 1 {
        let mut joined = Vec::with_capacity(items.len().div_ceil(2));
        let mut rest = items.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => join(left, right)?,
                None => left,
            });
        }
        items = joined;
    }
    Ok(items.pop())
}
