//! Many lists in two vectors.

use std::ops::Range;

/// Lists stored one after the other, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lists<T> {
    /// List `i` ends where list `i + 1` starts.
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists { starts: vec![0], items: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// Appends to the list that is being filled, which has no number yet.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Ends the list that is being filled.
    pub fn close(&mut self) {
        self.starts.push(self.items.len());
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of all lists.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The range of a list among [all items](Lists::items).
    #[inline]
    pub fn range(&self, number: usize) -> Range<usize> {
        self.starts[number]..self.starts[number + 1]
    }

    /// The list with this number.
    #[inline]
    pub fn get(&self, number: usize) -> &[T] {
        &self.items[self.range(number)]
    }

    /// The list with this number, mutable.
    pub fn get_mut(&mut self, number: usize) -> &mut [T] {
        let range = self.range(number);
        &mut self.items[range]
    }

    /// The same lists with other items.
    pub fn map<U>(self, other: impl FnMut(T) -> U) -> Lists<U> {
        Lists { starts: self.starts, items: self.items.into_iter().map(other).collect() }
    }
}

impl<T: Copy> Lists<T> {
    /// `lists` lists of the items in `pairs`; a pair is the number of a list and an item.
    pub fn grouped(lists: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut starts = vec![0; lists + 1];
        pairs.clone().for_each(|(list, _)| starts[list + 1] += 1);
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let first = pairs.clone().next();
        let mut items = first.map_or(Vec::new(), |(_, any)| vec![any; starts[lists]]);
        let mut next = starts.clone();
        for (list, item) in pairs {
            items[next[list]] = item;
            next[list] += 1;
        }
        Lists { starts, items }
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Lists<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut all = Lists::default();
        for list in lists {
            all.items.extend(list);
            all.close();
        }
        all
    }
}
