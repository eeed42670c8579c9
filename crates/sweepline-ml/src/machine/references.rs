//! Top-level references and arrays, read and set from outside: copies their values between machines that run
//! the same declarations.

use crate::core::VarId;

use super::Machine;
use super::code::Code;
use super::codec::{Codec, is_data};
use super::heap::Heap;
use super::layout::{Layout, LayoutId, Word};
use super::raised::Raised;

/// The value of a top-level reference or array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Held {
    /// Its encoded value, or its encoded elements.
    Data(Vec<u8>),
    /// It contains functions or references and cannot be encoded. The word changes when another value is
    /// assigned.
    Other(Word),
}

/// The layout of its content, the words, and whether it is an array.
fn contents(code: &Code, heap: &Heap, layout: LayoutId, word: Word) -> (LayoutId, Vec<Word>, bool) {
    match code.layout(layout) {
        Layout::Array(element) => {
            let length = heap.get(word, 0) as usize;
            (*element, (1..=length).map(|at| heap.get(word, at)).collect(), true)
        }
        Layout::Ref(content) => (*content, vec![heap.get(word, 0)], false),
        _ => (layout, Vec::new(), false),
    }
}

impl Machine {
    /// The values of all top-level references and arrays that the code uses and that have been computed.
    ///
    /// # Errors
    ///
    /// If their encoding is larger than the heap limit.
    pub fn references(&self) -> Result<Vec<(VarId, Held)>, Raised> {
        let mut all = Vec::new();
        for &(var, slot) in &self.code.references {
            let word = self.globals[slot as usize];
            if word == 0 {
                continue;
            }
            let layout = self.code.globals[slot as usize].1;
            let (content, words, _) = contents(&self.code, &self.heap, layout, word);
            if !is_data(&self.code.layouts, content) {
                all.push((var, Held::Other(words.first().copied().unwrap_or(0))));
                continue;
            }
            let mut bytes = Vec::new();
            for word in words {
                Codec { layout: content }.encode(self, word, &mut bytes)?;
            }
            all.push((var, Held::Data(bytes)));
        }
        Ok(all)
    }

    /// Sets a top-level reference or array to a value of another machine, for the lifetime of this one. An
    /// array gets the length of the new value. Nothing may have been assigned before.
    ///
    /// # Errors
    ///
    /// If the heap is full, or the bytes are malformed.
    pub fn set_reference(&mut self, var: VarId, mut bytes: &[u8]) -> Result<(), Raised> {
        let known = self.code.references.iter().find(|(known, _)| *known == var);
        let Some(&(_, slot)) = known else { return Ok(()) };
        let (at, layout) = (self.globals[slot as usize], self.code.globals[slot as usize].1);
        let (content, old, is_array) = contents(&self.code, &self.heap, layout, at);
        let mut words = Vec::new();
        while !bytes.is_empty() || (!is_array && words.is_empty()) {
            words.push(Codec { layout: content }.decode(self, &mut bytes)?);
        }
        if words.len() == old.len() {
            let first = at as usize + usize::from(is_array);
            self.heap.words[first..first + words.len()].copy_from_slice(&words);
        } else {
            words.insert(0, words.len() as Word);
            let array = self.heap.allocate(&words).map_err(|stop| self.raised(stop))?;
            self.globals[slot as usize] = array;
        }
        self.keep();
        Ok(())
    }
}
