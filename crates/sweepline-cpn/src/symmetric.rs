//! Translates a symmetric net of PNML to a CPN Tools file, to explore it without unfolding.
//!
//! Every sort becomes a range of integers or a product of ranges, and every colour its number. Names of places
//! and transitions do not change. Colours are shown as numbers.

use std::fmt::Write;

use sweepline_pnml::{
    Bag, Comparison, Guard, Sort, SortId, SymmetricNet, Term, Tokens, UNBOUND, VariableId,
};

/// An `int` of CPN ML has 31 bits, so sorts must be smaller.
const MAX_SIZE: u64 = 1 << 29;

/// Why a symmetric net cannot be translated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotTranslated {
    /// A sort with too many colours for an `int`.
    #[error("the sort {sort} has {size} colours, more than the limit of {MAX_SIZE}")]
    SortTooLarge {
        /// The sort.
        sort: String,
        /// The number of its colours.
        size: u64,
    },
    /// Too many tokens to write down.
    #[error("{of} has too many tokens to be translated to CPN ML")]
    TooManyTokens {
        /// The place or transition, by id.
        of: String,
    },
}

/// Multi-sets are lists. Unlike `--`, this subtraction allows missing tokens.
const PRELUDE: &str = "\
fun sn_drop (c, []) = [] | sn_drop (c, d :: ds) = if c = d then ds else d :: sn_drop (c, ds);\n\
fun sn_minus (a, b) = List.foldl sn_drop a b;\n\
fun sn_times (n, b) = if n <= 0 then [] else b ^^ sn_times (n - 1, b);\n";

/// A CPN Tools file with the same markings and occurrences.
///
/// # Errors
///
/// If a number does not fit in an `int`.
pub fn symmetric_to_cpn(net: &SymmetricNet) -> Result<String, NotTranslated> {
    let mut writer = Writer { net, declarations: PRELUDE.to_owned(), sets: Vec::new() };
    let mut page = String::new();
    for (number, place) in net.places.iter().enumerate() {
        let set = writer.colour_set(place.sort)?;
        let unbound = vec![UNBOUND; net.variables.len()];
        let tokens = place.initial.tokens(&net.sorts, &unbound, 1 << 20);
        let too_many = || NotTranslated::TooManyTokens { of: place.id.clone() };
        let tokens = tokens.map_err(|_| too_many())?.unwrap_or_default();
        if tokens.values().any(|&n| n >= MAX_SIZE) {
            return Err(too_many());
        }
        let initial = writer.tokens(place.sort, &tokens);
        let _ = writeln!(
            page,
            "<place id=\"p{number}\"><text>{}</text><type><text>{set}</text></type><initmark><text>{}\
             </text></initmark></place>",
            escape(&place.name),
            escape(&initial)
        );
    }
    for number in 0..net.variables.len() {
        let set = writer.colour_set(net.variables[number].sort)?;
        let _ = writeln!(writer.declarations, "var v{number} : {set};");
    }
    for number in 0..net.transitions.len() {
        page.push_str(&writer.transition(number)?);
    }
    let declarations = escape(&writer.declarations);
    Ok(format!(
        "<workspaceElements><cpnet><globbox><ml id=\"m\">{declarations}</ml></globbox>\n\
         <page id=\"g\"><pageattr name=\"Net\"/>\n{page}</page></cpnet></workspaceElements>\n"
    ))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

struct Writer<'n> {
    net: &'n SymmetricNet,
    declarations: String,
    /// The declared sorts. The index is part of the name.
    sets: Vec<SortId>,
}

impl Writer<'_> {
    /// The name of the colour set of a sort, which is declared on first use.
    fn colour_set(&mut self, sort: SortId) -> Result<String, NotTranslated> {
        if let Some(known) = self.sets.iter().position(|&other| other == sort) {
            return Ok(format!("S{known}"));
        }
        let size = self.net.sorts.size(sort);
        let made_of = match self.net.sorts.sort(sort) {
            Sort::Product(parts) => {
                let parts = parts.iter().map(|&part| self.colour_set(part));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                match parts.as_slice() {
                    [only] => only.clone(),
                    _ => format!("product {}", parts.join(" * ")),
                }
            }
            _ if size > MAX_SIZE => {
                let sort = self.net.sorts.describe(sort);
                return Err(NotTranslated::SortTooLarge { sort, size });
            }
            Sort::Partition { of, .. } => {
                self.colour_set(*of)?;
                format!("int with 0..{}", size - 1)
            }
            _ => format!("int with 0..{}", size - 1),
        };
        let number = self.sets.len();
        self.sets.push(sort);
        let _ = writeln!(self.declarations, "colset S{number} = {made_of};");
        if let Sort::Partition { class_of, .. } = self.net.sorts.sort(sort) {
            let cases: Vec<String> =
                class_of.iter().enumerate().map(|(c, class)| format!("{c} => {class}")).collect();
            let cases = cases.join(" | ");
            let _ =
                writeln!(self.declarations, "fun class{number} c = case c of {cases} | _ => ~1;");
        }
        Ok(format!("S{number}"))
    }

    fn transition(&mut self, number: usize) -> Result<String, NotTranslated> {
        let transition = &self.net.transitions[number];
        // Naming every variable in the guard makes it part of the binding, even if no arc uses it.
        let mut guard: Vec<String> =
            transition.variables.iter().map(|v| format!("v{0} = v{0}", v.0)).collect();
        self.conjuncts(&transition.guard, &mut guard)?;
        let mut text = format!(
            "<trans id=\"t{number}\"><text>{}</text><cond><text>[{}]</text></cond></trans>\n",
            escape(&transition.name),
            escape(&guard.join(", "))
        );
        for (arcs, orientation) in [(&transition.inputs, "PtoT"), (&transition.outputs, "TtoP")] {
            for (position, (place, bag)) in arcs.iter().enumerate() {
                let inscription = self.bag(bag)?;
                let _ = writeln!(
                    text,
                    "<arc id=\"a{number}{orientation}{position}\" orientation=\"{orientation}\"><transend \
                     idref=\"t{number}\"/><placeend idref=\"p{place}\"/><annot><text>{}</text></annot></arc>",
                    escape(&inscription)
                );
            }
        }
        Ok(text)
    }

    fn conjuncts(&mut self, guard: &Guard, found: &mut Vec<String>) -> Result<(), NotTranslated> {
        match guard {
            Guard::All(parts) => parts.iter().try_for_each(|part| self.conjuncts(part, found)),
            other => {
                found.push(self.guard(other)?);
                Ok(())
            }
        }
    }

    fn guard(&mut self, guard: &Guard) -> Result<String, NotTranslated> {
        Ok(match guard {
            Guard::Constant(value) => value.to_string(),
            Guard::Compare(left, comparison, right) => {
                let operator = match comparison {
                    Comparison::Less => "<",
                    Comparison::AtMost => "<=",
                    Comparison::Equal => "=",
                    Comparison::Different => "<>",
                    Comparison::AtLeast => ">=",
                    Comparison::More => ">",
                };
                format!("({} {operator} {})", self.term(left)?, self.term(right)?)
            }
            Guard::Is(term) => format!("({} = 1)", self.term(term)?),
            Guard::Not(inner) => format!("(not {})", self.guard(inner)?),
            Guard::All(parts) => self.joined(parts, " andalso ", "true")?,
            Guard::Any(parts) => self.joined(parts, " orelse ", "false")?,
        })
    }

    fn joined(
        &mut self,
        parts: &[Guard],
        operator: &str,
        neutral: &str,
    ) -> Result<String, NotTranslated> {
        let parts = parts.iter().map(|part| self.guard(part)).collect::<Result<Vec<_>, _>>()?;
        Ok(match parts.is_empty() {
            true => neutral.to_owned(),
            false => format!("({})", parts.join(operator)),
        })
    }

    fn term(&mut self, term: &Term) -> Result<String, NotTranslated> {
        Ok(match term {
            Term::Variable(VariableId(number)) => format!("v{number}"),
            Term::Constant(colour) => colour.to_string(),
            Term::Successor(inner, size) => format!("(({} + 1) mod {size})", self.term(inner)?),
            Term::Predecessor(inner, size) => {
                format!("(({} + {}) mod {size})", self.term(inner)?, size - 1)
            }
            Term::Tuple(_, terms) => {
                let terms =
                    terms.iter().map(|term| self.term(term)).collect::<Result<Vec<_>, _>>()?;
                format!("({})", terms.join(", "))
            }
            Term::Class(partition, inner) => {
                let set = self.colour_set(*partition)?;
                format!("(class{} {})", &set[1..], self.term(inner)?)
            }
            Term::Truth(guard) => format!("(if {} then 1 else 0)", self.guard(guard)?),
        })
    }

    /// A multi-set. A sum of single tokens stays one, so that tokens bind the variables.
    fn bag(&mut self, bag: &Bag) -> Result<String, NotTranslated> {
        Ok(match bag {
            Bag::One(term) => format!("1`{}", self.term(term)?),
            Bag::All(sort) => {
                let all: Tokens =
                    (0..self.net.sorts.size(*sort)).map(|colour| (colour, 1)).collect();
                self.tokens(*sort, &all)
            }
            Bag::Times(n, inner) => match &**inner {
                Bag::One(term) if *n > 0 => format!("{n}`{}", self.term(term)?),
                inner => format!("sn_times ({n}, {})", self.bag(inner)?),
            },
            Bag::Sum(parts) if parts.is_empty() => "empty".to_owned(),
            Bag::Sum(parts) => {
                let parts =
                    parts.iter().map(|part| self.bag(part)).collect::<Result<Vec<_>, _>>()?;
                format!("({})", parts.join(" ++ "))
            }
            Bag::Difference(left, right) => {
                format!("sn_minus ({}, {})", self.bag(left)?, self.bag(right)?)
            }
            Bag::Product(_, parts) => {
                let variables: Vec<String> = (0..parts.len()).map(|n| format!("c{n}")).collect();
                let mut tuples = format!("[({})]", variables.join(", "));
                for (number, part) in parts.iter().enumerate().rev() {
                    let part = self.bag(part)?;
                    tuples = format!("List.concat (map (fn c{number} => {tuples}) ({part}))");
                }
                tuples
            }
        })
    }

    /// A constant multi-set.
    fn tokens(&self, sort: SortId, tokens: &Tokens) -> String {
        let shown = tokens.iter().map(|(&colour, n)| format!("{n}`{}", self.colour(sort, colour)));
        let shown: Vec<String> = shown.collect();
        if shown.is_empty() { "empty".to_owned() } else { format!("({})", shown.join(" ++ ")) }
    }

    fn colour(&self, sort: SortId, colour: u64) -> String {
        let Some(parts) = self.net.sorts.parts(sort) else { return colour.to_string() };
        let components = self.net.sorts.components_of(parts, colour);
        let shown = parts.iter().zip(components).map(|(&part, c)| self.colour(part, c));
        format!("({})", shown.collect::<Vec<_>>().join(", "))
    }
}
