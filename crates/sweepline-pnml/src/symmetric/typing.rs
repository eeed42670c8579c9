//! Checks the sorts of the terms in a file: colours, multisets, conditions.

use sweepline_source::clip;

use super::declare::Scope;
use super::sort::{Colour, Sort, SortId, Sorts};
use super::term::{Bag, Guard, Term};
use crate::query::Comparison;
use crate::read::Problem;

const TERMS: &str = "colours are `<variable>`, `<useroperator>`, `<dotconstant>`, \
                     `<finiteintrangeconstant>`, `<successor>`, `<predecessor>`, `<tuple>`; multisets \
                     are made of them with `<numberof>`, `<add>`, `<subtract>`, `<all>`, `<empty>`";

const CONDITIONS: &str = "conditions are `<and>`, `<or>`, `<not>`, `<imply>`, `<equality>`, \
                          `<inequality>`, `<lessthan>`, `<lessthanorequal>`, `<greaterthan>`, \
                          `<greaterthanorequal>`, `<booleanconstant>`";

/// All functions return `None` after an error, which is reported.
impl Scope<'_, '_, '_, '_> {
    /// A multiset over `sort`.
    pub(super) fn bag(&mut self, tree: usize, sort: SortId) -> Option<Bag> {
        match self.tree(tree).name {
            "numberof" | "scalarproduct" => {
                let [number, of] = self.operands(tree, "two: a number and a multiset")?;
                let (number, of) = (self.natural(number), self.bag(of, sort));
                Some(Bag::Times(number?, Box::new(of?)))
            }
            "add" => {
                let parts = self.some_operands(tree)?.into_iter();
                Some(Bag::Sum(every(parts.map(|part| self.bag(part, sort)))?))
            }
            "subtract" => {
                let parts = self.some_operands(tree)?.into_iter();
                let mut parts = every(parts.map(|part| self.bag(part, sort)))?;
                // Contest models subtract several multisets at once: the first minus all others.
                let others = parts.split_off(1);
                let first = parts.pop()?;
                Some(Bag::Difference(Box::new(first), Box::new(Bag::Sum(others))))
            }
            "all" | "empty" => {
                let &[child] = &*self.tree(tree).children else {
                    return self.unexpected(tree, "a multiset that names its sort", None);
                };
                let found = self.sort(child)?;
                self.expect(tree, sort, found)?;
                let all = self.tree(tree).name == "all";
                Some(if all { Bag::All(sort) } else { Bag::Sum(Vec::new()) })
            }
            "tuple" => self.tuple_bag(tree, sort),
            "useroperator" => self.class_bag(tree, sort),
            _ => self.term(tree, Some(sort)).map(|(_, term)| Bag::One(term)),
        }
    }

    /// A tuple may have multisets as components: it stands for all tuples of their colours.
    fn tuple_bag(&mut self, tree: usize, sort: SortId) -> Option<Bag> {
        let operands = self.some_operands(tree)?;
        if let Some(only) = self.single(&operands, Some(sort)) {
            return self.bag(only, sort);
        }
        let parts = self.parts_for(tree, sort, operands.len())?;
        let bags = operands.into_iter().zip(parts).map(|(operand, part)| self.bag(operand, part));
        let bags = every(bags)?;
        if !bags.iter().all(|bag| matches!(bag, Bag::One(_))) {
            return Some(Bag::Product(sort, bags));
        }
        let term = |bag| match bag {
            Bag::One(term) => Some(term),
            _ => None,
        };
        Some(Bag::One(Term::Tuple(sort, bags.into_iter().filter_map(term).collect())))
    }

    /// A class of a partition stands for all its colours in a multiset of the partitioned sort.
    fn class_bag(&mut self, tree: usize, sort: SortId) -> Option<Bag> {
        let (found, class) = self.constant(tree)?;
        match self.sorts.sort(found) {
            Sort::Partition { of, class_of, .. } if *of == sort => {
                let members = (0..).zip(class_of).filter(|&(_, &of_class)| of_class == class);
                let one = |(colour, _)| Bag::One(Term::Constant(colour));
                Some(Bag::Sum(members.map(one).collect()))
            }
            _ => self.term(tree, Some(sort)).map(|(_, term)| Bag::One(term)),
        }
    }

    /// A colour, of the expected sort if there is one.
    pub(super) fn term(&mut self, tree: usize, expected: Option<SortId>) -> Option<(SortId, Term)> {
        let (sort, term) = match self.tree(tree).name {
            "variable" => self.variable(tree)?,
            "useroperator" => self.constant(tree).map(|(sort, c)| (sort, Term::Constant(c)))?,
            "dotconstant" => (self.sorts.intern(Sort::Dot)?, Term::Constant(0)),
            "finiteintrangeconstant" => self.range_constant(tree, expected)?,
            "successor" | "predecessor" => self.neighbour(tree, expected)?,
            "tuple" => self.tuple(tree, expected)?,
            "partitionelementof" => self.class(tree)?,
            name if is_condition(name) => {
                let guard = self.guard(tree)?;
                (self.sorts.intern(Sort::Bool)?, Term::Truth(Box::new(guard)))
            }
            _ => return self.unexpected(tree, "a colour", Some(TERMS)),
        };
        if let Some(expected) = expected {
            self.expect(tree, expected, sort)?;
        }
        Some((sort, term))
    }

    fn variable(&mut self, tree: usize) -> Option<(SortId, Term)> {
        let id = self.attribute(tree, "refvariable")?;
        if let Some(&variable) = self.variable_ids.get(id) {
            return Some((self.variables[variable.index()].sort, Term::Variable(variable)));
        }
        let known: Vec<&str> = self.variable_ids.keys().copied().collect();
        self.unknown(tree, ("variable", "refvariable", id), &known)
    }

    fn constant(&mut self, tree: usize) -> Option<(SortId, Colour)> {
        let id = self.attribute(tree, "declaration")?;
        if let Some(constant) = self.constants.get(id) {
            return Some((constant.sort, constant.colour));
        }
        let known: Vec<&str> = self.constants.keys().copied().collect();
        self.unknown(tree, ("constant", "declaration", id), &known)
    }

    /// Only the value of the constant is used; its range is that of the expected sort.
    fn range_constant(&mut self, tree: usize, expected: Option<SortId>) -> Option<(SortId, Term)> {
        let value: i64 = self.number(tree, "value")?;
        let own = match *self.tree(tree).children {
            [child, ..] => Some(self.sort(child)?),
            [] => None,
        };
        let is_range = |sort: &SortId| matches!(self.sorts.sort(*sort), Sort::Range { .. });
        let Some(sort) = expected.filter(is_range).or(own) else {
            return self.unexpected(tree, "a constant that names its range", None);
        };
        match *self.sorts.sort(sort) {
            Sort::Range { start, end } if (start..=end).contains(&value) => {
                let colour = (i128::from(value) - i128::from(start)) as u64;
                Some((sort, Term::Constant(colour)))
            }
            _ => self.bad_value(tree, "value", "write a number of its range"),
        }
    }

    fn neighbour(&mut self, tree: usize, expected: Option<SortId>) -> Option<(SortId, Term)> {
        let [operand] = self.operands(tree, "one")?;
        let (sort, term) = self.term(operand, expected)?;
        if !matches!(self.sorts.sort(sort), Sort::Enumeration { cyclic: true, .. }) {
            return self.wrong_operator(tree, "a cyclic enumeration", sort);
        }
        let (term, size) = (Box::new(term), self.sorts.size(sort));
        let next = self.tree(tree).name == "successor";
        let term = if next { Term::Successor(term, size) } else { Term::Predecessor(term, size) };
        Some((sort, term))
    }

    fn tuple(&mut self, tree: usize, expected: Option<SortId>) -> Option<(SortId, Term)> {
        let operands = self.some_operands(tree)?;
        if let Some(only) = self.single(&operands, expected) {
            return self.term(only, expected);
        }
        let parts: Vec<Option<SortId>> = match expected {
            Some(sort) => {
                let parts = self.parts_for(tree, sort, operands.len())?;
                parts.into_iter().map(Some).collect()
            }
            None => vec![None; operands.len()],
        };
        let terms = operands.into_iter().zip(parts).map(|(tree, part)| self.term(tree, part));
        let (sorts, terms): (Vec<_>, Vec<_>) = every(terms)?.into_iter().unzip();
        let Some(sort) = self.sorts.intern(Sort::Product(sorts)) else {
            self.errors.report(self.tree(tree).span.clone(), || Problem::BadSort);
            return None;
        };
        Some((sort, Term::Tuple(sort, terms)))
    }

    /// Contest models write `(x)` for `x`: a tuple of one component stands for it, unless a product is
    /// expected.
    fn single(&self, operands: &[usize], expected: Option<SortId>) -> Option<usize> {
        let product = expected.and_then(|sort| self.sorts.parts(sort));
        match (operands, product) {
            (&[only], None) => Some(only),
            _ => None,
        }
    }

    fn class(&mut self, tree: usize) -> Option<(SortId, Term)> {
        let partition = self.partition_named(tree)?;
        let Sort::Partition { of, .. } = *self.sorts.sort(partition) else { return None };
        let [operand] = self.operands(tree, "one")?;
        let (_, term) = self.term(operand, Some(of))?;
        Some((partition, Term::Class(partition, Box::new(term))))
    }

    /// The partition that an operator refers to.
    fn partition_named(&mut self, tree: usize) -> Option<SortId> {
        let id = self.attribute(tree, "refpartition")?;
        let is_partition = |sort: &SortId| matches!(self.sorts.sort(*sort), Sort::Partition { .. });
        let found = self.named.iter().find(|(known, _, sort)| known == id && is_partition(sort));
        if let Some(&(_, _, sort)) = found {
            return Some(sort);
        }
        let named = self.named.clone();
        let known: Vec<&str> = named.iter().map(|(id, _, _)| id.as_str()).collect();
        self.unknown(tree, ("partition", "refpartition", id), &known)
    }

    /// A condition.
    pub(super) fn guard(&mut self, tree: usize) -> Option<Guard> {
        let name = self.tree(tree).name;
        match name {
            "and" | "or" => {
                let parts = self.some_operands(tree)?.into_iter();
                let parts = every(parts.map(|part| self.guard(part)))?;
                Some(if name == "and" { Guard::All(parts) } else { Guard::Any(parts) })
            }
            "not" => {
                let [operand] = self.operands(tree, "one")?;
                Some(Guard::Not(Box::new(self.guard(operand)?)))
            }
            "imply" => {
                let [premise, conclusion] = self.operands(tree, "two")?;
                let (premise, conclusion) = (self.guard(premise), self.guard(conclusion));
                Some(Guard::Any(vec![Guard::Not(Box::new(premise?)), conclusion?]))
            }
            "booleanconstant" => match self.attribute(tree, "value")? {
                "true" | "1" => Some(Guard::Constant(true)),
                "false" | "0" => Some(Guard::Constant(false)),
                _ => self.bad_value(tree, "value", "write `true` or `false`"),
            },
            "variable" | "useroperator" => {
                let bool_sort = self.sorts.intern(Sort::Bool);
                self.term(tree, bool_sort).map(|(_, term)| Guard::Is(term))
            }
            _ => match comparison(name) {
                Some(comparison) => self.comparison(tree, comparison),
                None => self.unexpected(tree, "a condition", Some(CONDITIONS)),
            },
        }
    }

    fn comparison(&mut self, tree: usize, comparison: Comparison) -> Option<Guard> {
        let [left, right] = self.operands(tree, "two")?;
        // A constant of a range does not determine its sort; the other operand does.
        let unclear = self.tree(left).name == "finiteintrangeconstant";
        let (first, second) = if unclear { (right, left) } else { (left, right) };
        let (sort, first) = self.term(first, None)?;
        let (_, second) = self.term(second, Some(sort))?;
        let ordered = matches!(
            self.sorts.sort(sort),
            Sort::Enumeration { .. } | Sort::Range { .. } | Sort::Partition { .. }
        );
        if !ordered && !matches!(comparison, Comparison::Equal | Comparison::Different) {
            return self.wrong_operator(tree, "an enumeration, a range or a partition", sort);
        }
        let (left, right) = if unclear { (second, first) } else { (first, second) };
        Some(Guard::Compare(left, comparison, right))
    }

    fn natural(&mut self, tree: usize) -> Option<u64> {
        if self.tree(tree).name != "numberconstant" {
            return self.unexpected(tree, "a `<numberconstant>`", None);
        }
        self.number(tree, "value")
    }

    /// The terms in the `<subterm>`s of an operator.
    fn some_operands(&mut self, tree: usize) -> Option<Vec<usize>> {
        let mut operands = Vec::new();
        for &child in &self.tree(tree).children {
            let node = self.tree(child);
            match (node.name, &*node.children) {
                ("subterm", &[term]) => operands.push(term),
                ("subterm", several) => return self.wrong_operands(child, "one", several.len()),
                _ => return self.unexpected(child, "a `<subterm>`", None),
            }
        }
        if operands.is_empty() {
            return self.wrong_operands(tree, "at least one", 0);
        }
        Some(operands)
    }

    fn operands<const N: usize>(
        &mut self,
        tree: usize,
        expected: &'static str,
    ) -> Option<[usize; N]> {
        let operands = self.some_operands(tree)?;
        let found = operands.len();
        let exact = operands.try_into().ok();
        exact.or_else(|| self.wrong_operands(tree, expected, found))
    }

    fn wrong_operands<T>(
        &mut self,
        tree: usize,
        expected: &'static str,
        found: usize,
    ) -> Option<T> {
        let (span, element) = (self.tree(tree).span.clone(), clip(self.tree(tree).name));
        self.errors.report(span, || Problem::WrongOperands { element, expected, found });
        None
    }

    /// The components of `sort`, which must be a product of `n`.
    fn parts_for(&mut self, tree: usize, sort: SortId, n: usize) -> Option<Vec<SortId>> {
        match self.sorts.parts(sort).filter(|parts| parts.len() == n) {
            Some(parts) => Some(parts.to_vec()),
            None => self.wrong_sort(tree, sort, format!("tuple of {n} components")),
        }
    }

    fn expect(&mut self, tree: usize, expected: SortId, found: SortId) -> Option<()> {
        if expected == found {
            return Some(());
        }
        let found = sort_name(&self.sorts, &self.named, found);
        self.wrong_sort(tree, expected, found)
    }

    fn wrong_sort<T>(&mut self, tree: usize, expected: SortId, found: String) -> Option<T> {
        let (node, expected) = (self.tree(tree), sort_name(&self.sorts, &self.named, expected));
        let problem = || Problem::WrongSort { element: clip(node.name), expected, found };
        self.errors.report(node.span.clone(), problem);
        None
    }

    fn wrong_operator<T>(&mut self, tree: usize, needs: &'static str, sort: SortId) -> Option<T> {
        let (node, sorts, named) = (self.tree(tree), &self.sorts, &self.named);
        self.errors.report(node.span.clone(), || Problem::WrongOperator {
            element: clip(node.name),
            needs,
            sort: sort_name(sorts, named, sort),
        });
        None
    }
}

/// All of them, or `None`; all are evaluated, so that all errors are reported.
pub(super) fn every<T>(all: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let all: Vec<Option<T>> = all.collect();
    all.into_iter().collect()
}

/// The declared name of a sort, else its text.
fn sort_name(sorts: &Sorts, named: &[(String, String, SortId)], sort: SortId) -> String {
    match named.iter().find(|(_, _, known)| *known == sort) {
        Some((_, name, _)) => format!("`{}`", clip(name)),
        None => format!("`{}`", clip(&sorts.describe(sort))),
    }
}

fn comparison(name: &str) -> Option<Comparison> {
    Some(match name {
        "equality" => Comparison::Equal,
        "inequality" => Comparison::Different,
        "lessthan" | "ltp" => Comparison::Less,
        "lessthanorequal" => Comparison::AtMost,
        "greaterthan" | "gtp" => Comparison::More,
        "greaterthanorequal" => Comparison::AtLeast,
        _ => return None,
    })
}

fn is_condition(name: &str) -> bool {
    matches!(name, "and" | "or" | "not" | "imply" | "booleanconstant") || comparison(name).is_some()
}
