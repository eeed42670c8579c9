//! Names and their numbers.

use std::collections::HashMap;

/// Names, each with a number: the first is 0, the next 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    all: Vec<String>,
    numbers: HashMap<String, u32, foldhash::fast::FixedState>,
}

impl Names {
    /// The number of `name`; the next one where it is new.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.all.len() as u32;
        self.all.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn text(&self, number: u32) -> &str {
        &self.all[number as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// All names, in the order of their numbers.
    pub(crate) fn into_all(self) -> Vec<String> {
        self.all
    }
}
