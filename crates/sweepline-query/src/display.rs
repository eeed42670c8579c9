//! Expressions and conditions as text in the names of a model; the text parses back to the same.

use std::fmt;

use crate::expr::{Expr, Linear, Signs};
use crate::lex::{is_identifier, is_keyword};
use crate::names::{Named, PlaceId, TransitionId, Vocabulary};
use crate::predicate::{Node, Predicate};

impl Expr {
    /// Shows the expression in the names of its model.
    pub fn display<'n>(&'n self, model: &'n dyn Named) -> impl fmt::Display + 'n {
        Shown { names: model.vocabulary(), of: self }
    }
}

impl Predicate {
    /// Shows the condition in the names of its model.
    pub fn display<'n>(&'n self, model: &'n dyn Named) -> impl fmt::Display + 'n {
        Shown { names: model.vocabulary(), of: self }
    }
}

struct Shown<'n, T> {
    names: Box<dyn Vocabulary + 'n>,
    of: &'n T,
}

impl fmt::Display for Shown<'_, Expr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.of.as_constant() {
            return write!(f, "{value}");
        }
        write_sum(f, &*self.names, self.of.sum(), 1)?;
        match self.of.offset() {
            0 => Ok(()),
            offset if offset < 0 => write!(f, " - {}", offset.unsigned_abs()),
            offset => write!(f, " + {offset}"),
        }
    }
}

impl fmt::Display for Shown<'_, Predicate> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_predicate(f, &*self.names, self.of)
    }
}

fn write_predicate(
    f: &mut fmt::Formatter<'_>,
    names: &dyn Vocabulary,
    predicate: &Predicate,
) -> fmt::Result {
    match predicate.node() {
        Node::Constant(value) => write!(f, "{value}"),
        Node::AtMost(sum, bound) if sum.signs() == Signs::Negative => {
            write_sum(f, names, sum, -1)?;
            write!(f, " >= {}", -bound)
        }
        Node::AtMost(sum, bound) => write_comparison(f, names, sum, "<=", *bound),
        Node::Equal(sum, value) => write_comparison(f, names, sum, "=", *value),
        Node::Different(sum, value) => write_comparison(f, names, sum, "!=", *value),
        Node::Fireable(transitions) => write_fireable(f, names, transitions),
        Node::Disabled(transitions) => {
            f.write_str("not ")?;
            write_fireable(f, names, transitions)
        }
        Node::Deadlock => f.write_str("deadlock"),
        Node::Alive => f.write_str("not deadlock"),
        Node::All(parts) => write_joined(f, names, parts, " and "),
        Node::Any(parts) => write_joined(f, names, parts, " or "),
    }
}

fn write_joined(
    f: &mut fmt::Formatter<'_>,
    names: &dyn Vocabulary,
    parts: &[Predicate],
    operator: &str,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(operator)?;
        }
        // `and` binds tighter than `or`: only a disjunction in a conjunction needs parentheses.
        match part.node() {
            Node::Any(_) => {
                f.write_str("(")?;
                write_predicate(f, names, part)?;
                f.write_str(")")?;
            }
            _ => write_predicate(f, names, part)?,
        }
    }
    Ok(())
}

fn write_comparison(
    f: &mut fmt::Formatter<'_>,
    names: &dyn Vocabulary,
    sum: &Linear,
    operator: &str,
    bound: i128,
) -> fmt::Result {
    write_sum(f, names, sum, 1)?;
    write!(f, " {operator} {bound}")
}

/// The sum times `sign`, which is 1 or -1.
fn write_sum(
    f: &mut fmt::Formatter<'_>,
    names: &dyn Vocabulary,
    sum: &Linear,
    sign: i64,
) -> fmt::Result {
    let terms = sum.terms();
    let mut index = 0;
    while let Some(&(coefficient, place)) = terms.get(index) {
        match (index, coefficient * sign < 0) {
            (0, false) => {}
            (0, true) => f.write_str("-")?,
            (_, false) => f.write_str(" + ")?,
            (_, true) => f.write_str(" - ")?,
        }
        if coefficient.unsigned_abs() != 1 {
            write!(f, "{} * ", coefficient.unsigned_abs())?;
        }
        // All colours of a coloured place go by its name, places being in order.
        let whole = names.of_places_from(place).filter(|&(_, n)| {
            let all = terms[index..].iter().take(n);
            all.zip(place.0..).filter(|&(&term, id)| term == (coefficient, PlaceId(id))).count()
                == n
        });
        let (name, n) = whole.unwrap_or_else(|| (names.of_place(place), 1));
        write!(f, "tokens({})", Quoted(name))?;
        index += n;
    }
    Ok(())
}

fn write_fireable(
    f: &mut fmt::Formatter<'_>,
    names: &dyn Vocabulary,
    transitions: &[TransitionId],
) -> fmt::Result {
    f.write_str("fireable(")?;
    let mut index = 0;
    while let Some(&transition) = transitions.get(index) {
        let whole = names.of_transitions_from(transition).filter(|&(_, n)| {
            // Sorted and each once: the last tells that all between are there.
            transitions.get(index + n - 1).is_some_and(|last| last.0 == transition.0 + n as u32 - 1)
        });
        let (name, n) = whole.unwrap_or_else(|| (names.of_transition(transition), 1));
        let separator = if index > 0 { ", " } else { "" };
        write!(f, "{separator}{}", Quoted(name))?;
        index += n;
    }
    f.write_str(")")
}

/// A name as an expression has to write it: in quotes unless it is a plain word.
pub(crate) struct Quoted<'t>(pub(crate) &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_identifier(self.0) && !is_keyword(self.0) {
            return f.write_str(self.0);
        }
        f.write_str("\"")?;
        for character in self.0.chars() {
            if matches!(character, '"' | '\\') {
                f.write_str("\\")?;
            }
            write!(f, "{character}")?;
        }
        f.write_str("\"")
    }
}
