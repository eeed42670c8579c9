//! The colours of one place that are part of the search, indexed by some of their components.

use std::collections::{HashMap, HashSet};

use super::super::sort::{Colour, SortId, Sorts};

/// The colours of one place, in the order in which they were added.
pub(super) struct Reached {
    parts: Vec<SortId>,
    colours: Vec<Colour>,
    set: HashSet<Colour>,
    indexes: Vec<Index>,
}

/// Colours by the components at some positions.
struct Index {
    positions: Vec<usize>,
    by_key: HashMap<Vec<Colour>, Vec<Colour>>,
}

impl Reached {
    pub(super) fn new(sorts: &Sorts, sort: SortId) -> Self {
        Reached {
            parts: sorts.parts(sort).unwrap_or_default().to_vec(),
            colours: Vec::new(),
            set: HashSet::new(),
            indexes: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.colours.len()
    }

    pub(super) fn contains(&self, colour: Colour) -> bool {
        self.set.contains(&colour)
    }

    pub(super) fn colours(&self) -> &[Colour] {
        &self.colours
    }

    pub(super) fn insert(&mut self, sorts: &Sorts, colour: Colour) {
        if !self.set.insert(colour) {
            return;
        }
        self.colours.push(colour);
        if !self.indexes.is_empty() {
            let components = sorts.components_of(&self.parts, colour);
            self.indexes.iter_mut().for_each(|index| index.insert(&components, colour));
        }
    }

    /// The index by these positions, built if it does not exist.
    pub(super) fn index(&mut self, sorts: &Sorts, positions: &[usize]) -> usize {
        if let Some(known) = self.indexes.iter().position(|index| index.positions == positions) {
            return known;
        }
        let mut index = Index { positions: positions.to_vec(), by_key: HashMap::new() };
        for &colour in &self.colours {
            index.insert(&sorts.components_of(&self.parts, colour), colour);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The colours with these components at the positions of an index.
    pub(super) fn with(&self, index: usize, key: &[Colour]) -> &[Colour] {
        self.indexes[index].by_key.get(key).map_or(&[], Vec::as_slice)
    }
}

impl Index {
    fn insert(&mut self, components: &[Colour], colour: Colour) {
        let key = self.positions.iter().map(|&position| components[position]).collect();
        self.by_key.entry(key).or_default().push(colour);
    }
}
