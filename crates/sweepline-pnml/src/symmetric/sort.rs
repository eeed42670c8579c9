//! Sorts and their colours: a colour is a number below the size of its sort.

use std::collections::HashMap;

/// A colour, as its number in its sort: enumerations and ranges in their order, products with the
/// last component changing fastest.
pub type Colour = u64;

/// A sort of [`Sorts`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SortId(u32);

/// Sorts are smaller than this, so that the numbers of colours never overflow.
pub(super) const MAX_SIZE: u64 = 1 << 62;

/// Tuples have at most this many components, including those of nested tuples: a product of products of dots
/// would otherwise have one colour with a huge text.
const MAX_LEAVES: usize = 256;

/// A sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// The one colour of an ordinary token.
    Dot,
    /// False, then true.
    Bool,
    /// Named constants. Two enumerations differ even if their constants have the same names, so each has the
    /// number of its declaration.
    Enumeration {
        /// Which declaration it is.
        declaration: usize,
        /// Whether the first constant follows the last.
        cyclic: bool,
        /// The names of the constants, all different.
        constants: Vec<String>,
    },
    /// Whole numbers from `start` to `end`, both included.
    Range {
        /// The least.
        start: i64,
        /// The greatest.
        end: i64,
    },
    /// Tuples.
    Product(Vec<SortId>),
    /// The classes of a partition of an enumeration.
    Partition {
        /// Which declaration it is.
        declaration: usize,
        /// The partitioned sort.
        of: SortId,
        /// The names of the classes, all different.
        elements: Vec<String>,
        /// The class of each colour of `of`.
        class_of: Vec<Colour>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    sort: Sort,
    size: u64,
    leaves: usize,
}

/// All sorts of a net, without duplicates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sorts {
    sorts: Vec<Known>,
    known: HashMap<Sort, SortId>,
}

impl Sorts {
    /// The id of a sort; `None` if it has no colour, 2^62 or more colours, or tuples with too many
    /// components.
    pub fn intern(&mut self, sort: Sort) -> Option<SortId> {
        if let Some(&id) = self.known.get(&sort) {
            return Some(id);
        }
        let size = self.count(&sort).filter(|&size| 0 < size && size < MAX_SIZE)?;
        let leaves = match &sort {
            Sort::Product(parts) => parts.iter().map(|part| self.known(*part).leaves).sum(),
            _ => 1,
        };
        if leaves > MAX_LEAVES {
            return None;
        }
        let id = SortId(u32::try_from(self.sorts.len()).ok()?);
        self.sorts.push(Known { sort: sort.clone(), size, leaves });
        self.known.insert(sort, id);
        Some(id)
    }

    fn count(&self, sort: &Sort) -> Option<u64> {
        match sort {
            Sort::Dot => Some(1),
            Sort::Bool => Some(2),
            Sort::Enumeration { constants, .. } => Some(constants.len() as u64),
            Sort::Range { start, end } => {
                u64::try_from(i128::from(*end) - i128::from(*start) + 1).ok()
            }
            Sort::Product(parts) => {
                parts.iter().try_fold(1u64, |size, &part| size.checked_mul(self.size(part)))
            }
            Sort::Partition { elements, .. } => Some(elements.len() as u64),
        }
    }

    fn known(&self, id: SortId) -> &Known {
        &self.sorts[id.0 as usize]
    }

    /// The sort with an id.
    pub fn sort(&self, id: SortId) -> &Sort {
        &self.known(id).sort
    }

    /// The number of its colours: at least one, less than 2^62.
    pub fn size(&self, id: SortId) -> u64 {
        self.known(id).size
    }

    /// The components of a product; `None` for any other sort.
    pub fn parts(&self, id: SortId) -> Option<&[SortId]> {
        match self.sort(id) {
            Sort::Product(parts) => Some(parts),
            _ => None,
        }
    }

    /// The components of a colour of a product, the last one first.
    pub(crate) fn split<'s>(
        &'s self,
        parts: &'s [SortId],
        colour: Colour,
    ) -> impl Iterator<Item = Colour> + 's {
        let mut rest = colour;
        parts.iter().rev().map(move |&part| {
            let size = self.size(part);
            let component = rest % size;
            rest /= size;
            component
        })
    }

    /// The components of a colour of a product with these parts, in order.
    pub fn components_of(&self, parts: &[SortId], colour: Colour) -> Vec<Colour> {
        let mut components: Vec<Colour> = self.split(parts, colour).collect();
        components.reverse();
        components
    }

    /// The text of a colour: `a`, `3`, `(a, 3)`.
    pub fn show(&self, id: SortId, colour: Colour) -> String {
        match self.sort(id) {
            Sort::Product(parts) => format!("({})", self.show_parts(parts, colour)),
            Sort::Dot => "dot".into(),
            Sort::Bool => (colour != 0).to_string(),
            Sort::Enumeration { constants, .. } => constants[colour as usize].clone(),
            Sort::Range { start, .. } => (i128::from(*start) + i128::from(colour)).to_string(),
            Sort::Partition { elements, .. } => elements[colour as usize].clone(),
        }
    }

    fn show_parts(&self, parts: &[SortId], colour: Colour) -> String {
        let components = self.components_of(parts, colour);
        let shown = parts.iter().zip(components).map(|(&part, colour)| self.show(part, colour));
        shown.collect::<Vec<_>>().join(", ")
    }

    /// The text of a sort without a name: `1..3`, `A * B`.
    pub fn describe(&self, id: SortId) -> String {
        match self.sort(id) {
            Sort::Dot => "dot".into(),
            Sort::Bool => "bool".into(),
            Sort::Enumeration { constants, cyclic, .. } => {
                let kind = if *cyclic { "cyclic enumeration" } else { "enumeration" };
                match constants.as_slice() {
                    [only] => format!("{kind} {{{only}}}"),
                    [first, last] => format!("{kind} {{{first}, {last}}}"),
                    [first, .., last] => format!("{kind} {{{first}, ..., {last}}}"),
                    [] => kind.into(),
                }
            }
            Sort::Range { start, end } => format!("{start}..{end}"),
            Sort::Product(parts) => {
                let parts: Vec<String> = parts.iter().map(|&part| self.describe(part)).collect();
                format!("({})", parts.join(" * "))
            }
            Sort::Partition { of, elements, .. } => {
                format!("partition of {} into {}", self.describe(*of), elements.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_products_are_taken_apart_and_shown() {
        let mut sorts = Sorts::default();
        let names = ["a", "b"].map(str::to_owned).to_vec();
        let letters = Sort::Enumeration { declaration: 0, cyclic: true, constants: names };
        let letters = sorts.intern(letters).unwrap();
        let numbers = sorts.intern(Sort::Range { start: -1, end: 1 }).unwrap();
        let pairs = sorts.intern(Sort::Product(vec![letters, numbers])).unwrap();
        assert_eq!(sorts.size(pairs), 6);
        let shown: Vec<_> = (0..6).map(|colour| sorts.show(pairs, colour)).collect();
        assert_eq!(shown, ["(a, -1)", "(a, 0)", "(a, 1)", "(b, -1)", "(b, 0)", "(b, 1)"]);
        assert_eq!(sorts.intern(Sort::Range { start: -1, end: 1 }), Some(numbers));
    }

    #[test]
    fn sorts_without_colours_or_with_too_many_are_refused() {
        let mut sorts = Sorts::default();
        assert_eq!(sorts.intern(Sort::Range { start: 1, end: 0 }), None);
        assert_eq!(sorts.intern(Sort::Range { start: i64::MIN, end: i64::MAX }), None);
        let billion = sorts.intern(Sort::Range { start: 1, end: 1_000_000_000 }).unwrap();
        assert!(sorts.intern(Sort::Product(vec![billion; 2])).is_some());
        assert_eq!(sorts.intern(Sort::Product(vec![billion; 3])), None);
        let dot = sorts.intern(Sort::Dot).unwrap();
        assert_eq!(sorts.intern(Sort::Product(vec![dot; 257])), None);
    }
}
