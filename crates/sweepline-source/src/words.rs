//! Words and their numbers.

use std::collections::HashMap;

/// Distinct words, numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct WordList {
    words: Vec<String>,
    numbers: HashMap<String, u32, foldhash::fast::FixedState>,
}

impl WordList {
    /// The number of a word, which is added if it is new.
    pub fn intern(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let number = self.words.len() as u32;
        self.words.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }

    /// The number of a word, if it has one.
    pub fn get(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The word with a number.
    pub fn text(&self, number: u32) -> &str {
        &self.words[number as usize]
    }

    /// All words, in the order of their numbers.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// All words, in the order of their numbers, without a copy.
    pub fn into_words(self) -> Vec<String> {
        self.words
    }
}
