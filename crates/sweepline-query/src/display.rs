//! Prints expressions and conditions with the names of a model; the text parses to the same expression.

use std::fmt;

use crate::expr::{Expr, Linear, Signs};
use crate::lex::{is_identifier, is_keyword};
use crate::names::{Named, PlaceId, TransitionId, Vocabulary};
use crate::predicate::{Node, Predicate};

impl Expr {
    /// The expression, printed with the names of its model.
    pub fn display<'n>(&'n self, model: &'n dyn Named) -> impl fmt::Display + 'n {
        Shown { names: model.vocabulary(), of: self }
    }
}

impl Predicate {
    /// The condition, printed with the names of its model.
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
        Writer { f, names: &*self.names }.sum(self.of.sum(), 1)?;
        match self.of.offset() {
            0 => Ok(()),
            offset if offset < 0 => write!(f, " - {}", offset.unsigned_abs()),
            offset => write!(f, " + {offset}"),
        }
    }
}

impl fmt::Display for Shown<'_, Predicate> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Writer { f, names: &*self.names }.predicate(self.of)
    }
}

struct Writer<'w, 'f> {
    f: &'w mut fmt::Formatter<'f>,
    names: &'w dyn Vocabulary,
}

impl Writer<'_, '_> {
    fn predicate(&mut self, predicate: &Predicate) -> fmt::Result {
        match predicate.node() {
            Node::Constant(value) => write!(self.f, "{value}"),
            Node::AtMost(sum, bound) if sum.signs() == Signs::Negative => {
                self.sum(sum, -1)?;
                write!(self.f, " >= {}", -bound)
            }
            Node::AtMost(sum, bound) => self.comparison(sum, "<=", *bound),
            Node::Equal(sum, value) => self.comparison(sum, "=", *value),
            Node::Different(sum, value) => self.comparison(sum, "!=", *value),
            Node::Fireable(transitions) => self.fireable(transitions),
            Node::Disabled(transitions) => {
                self.f.write_str("not ")?;
                self.fireable(transitions)
            }
            Node::Deadlock => self.f.write_str("deadlock"),
            Node::Alive => self.f.write_str("not deadlock"),
            Node::All(parts) => self.joined(parts, " and "),
            Node::Any(parts) => self.joined(parts, " or "),
        }
    }

    fn joined(&mut self, parts: &[Predicate], operator: &str) -> fmt::Result {
        for (index, part) in parts.iter().enumerate() {
            self.f.write_str(if index > 0 { operator } else { "" })?;
            // `and` binds tighter than `or`: only a disjunction in a conjunction needs parentheses.
            let (open, close) = if let Node::Any(_) = part.node() { ("(", ")") } else { ("", "") };
            self.f.write_str(open)?;
            self.predicate(part)?;
            self.f.write_str(close)?;
        }
        Ok(())
    }

    fn comparison(&mut self, sum: &Linear, operator: &str, bound: i128) -> fmt::Result {
        self.sum(sum, 1)?;
        write!(self.f, " {operator} {bound}")
    }

    /// The sum times `sign`, which is 1 or -1.
    fn sum(&mut self, sum: &Linear, sign: i64) -> fmt::Result {
        let terms = sum.terms();
        let mut index = 0;
        while let Some(&(coefficient, place)) = terms.get(index) {
            self.f.write_str(match (index, coefficient * sign < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            if coefficient.unsigned_abs() != 1 {
                write!(self.f, "{} * ", coefficient.unsigned_abs())?;
            }
            // If all colours of a coloured place have this coefficient, they are printed as the coloured
            // place. Places are in order.
            let whole = self.names.of_places_from(place).filter(|&(_, n)| {
                let all = terms[index..].iter().take(n);
                let same =
                    |&(&term, id): &(&(i64, PlaceId), u32)| term == (coefficient, PlaceId(id));
                all.zip(place.0..).filter(same).count() == n
            });
            let (name, n) = whole.unwrap_or_else(|| (self.names.of_place(place), 1));
            write!(self.f, "tokens({})", Quoted(name))?;
            index += n;
        }
        Ok(())
    }

    fn fireable(&mut self, transitions: &[TransitionId]) -> fmt::Result {
        self.f.write_str("fireable(")?;
        let mut index = 0;
        while let Some(&transition) = transitions.get(index) {
            let whole = self.names.of_transitions_from(transition).filter(|&(_, n)| {
                // Transitions are sorted and unique, so all of the range are listed if its last one is at
                // this index.
                let last = transitions.get(index + n - 1);
                last.is_some_and(|last| last.0 == transition.0 + n as u32 - 1)
            });
            let (name, n) = whole.unwrap_or_else(|| (self.names.of_transition(transition), 1));
            let separator = if index > 0 { ", " } else { "" };
            write!(self.f, "{separator}{}", Quoted(name))?;
            index += n;
        }
        self.f.write_str(")")
    }
}

/// A name in the syntax of expressions: in quotes unless it is a plain word.
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
