//! What outlives a reset: values assigned to references that were there before.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::Machine;
use super::code::Code;
use super::layout::{Content, Layout, LayoutId, Word, content_offset, tag_of};

/// The words of a value's block, and its parts: where in the block, of which layout.
#[derive(Default)]
struct Block {
    length: usize,
    parts: Vec<(usize, LayoutId)>,
}

impl Machine {
    /// Cuts the heap and moves down what remembered references hold.
    ///
    /// At the floor it is kept forever. Above, other values lie below it that are given back later:
    /// then it moves down again.
    pub(super) fn keep_assigned(&mut self, to: usize) {
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.sort_unstable();
        dirty.dedup();
        let mut keeper =
            Keeper { to, kept: Vec::new(), moved: HashMap::default(), work: Vec::new() };
        for &(cell, layout) in &dirty {
            let word = self.heap.words[cell];
            self.heap.words[cell] = keeper.place(&self.code, &self.heap.words, layout, word);
        }
        while let Some((cell, layout)) = keeper.work.pop() {
            let word = keeper.kept[cell];
            keeper.kept[cell] = keeper.place(&self.code, &self.heap.words, layout, word);
        }
        self.heap.words.truncate(to);
        self.heap.words.append(&mut keeper.kept);
        if to == self.floor {
            self.floor = self.heap.words.len();
        } else {
            self.dirty = dirty;
        }
    }
}

struct Keeper {
    to: usize,
    /// What comes to lie from `to` on.
    kept: Vec<Word>,
    moved: HashMap<(Word, LayoutId), Word, FixedState>,
    /// Cells of `kept` that still hold old words.
    work: Vec<(usize, LayoutId)>,
}

impl Keeper {
    /// The word that a value has in the end.
    fn place(&mut self, code: &Code, heap: &[Word], mut layout: LayoutId, word: Word) -> Word {
        while let Layout::Wrapped(_, content) = code.layout(layout) {
            layout = *content;
        }
        let doubled = matches!(code.layout(layout), Layout::IntInf);
        if doubled && word & 1 == 1 {
            return word;
        }
        let address = if doubled { word >> 1 } else { word };
        let Some(block) = block(code, heap, layout, address) else { return word };
        if (address as usize) < self.to {
            return word;
        }
        if let Some(moved) = self.moved.get(&(word, layout)) {
            return *moved;
        }
        let at = self.kept.len();
        let from = address as usize;
        self.kept.extend_from_slice(&heap[from..from + block.length]);
        self.work.extend(block.parts.iter().map(|(offset, part)| (at + offset, *part)));
        let moved = (self.to + at) as Word;
        let moved = if doubled { moved << 1 } else { moved };
        self.moved.insert((word, layout), moved);
        moved
    }
}

/// The block of a value at an address; of what needs none, nothing.
fn block(code: &Code, heap: &[Word], id: LayoutId, at: Word) -> Option<Block> {
    let word = |offset: usize| heap[at as usize + offset];
    Some(match code.layout(id) {
        Layout::IntInf => Block { length: 1 + (word(0) >> 1) as usize, parts: Vec::new() },
        Layout::String => Block { length: 1 + (word(0) as usize).div_ceil(8), parts: Vec::new() },
        Layout::List(_) if at == 0 => return None,
        Layout::List(element) => Block { length: 2, parts: vec![(0, *element), (1, id)] },
        // The word of `unit` is anything.
        Layout::Record(fields) if fields.is_empty() => return None,
        Layout::Record(fields) => {
            let parts = fields.iter().enumerate().map(|(n, (_, of))| (n, *of));
            Block { length: fields.len(), parts: parts.collect() }
        }
        Layout::Data(constructors) => {
            if at < constructors.len() as Word {
                return None;
            }
            let content = constructors[tag_of(constructors, heap, at)].content?;
            with_content(code, content, content_offset(constructors) as usize)
        }
        Layout::Ref(content) => Block { length: 1, parts: vec![(0, *content)] },
        Layout::Array(element) => {
            let length = word(0) as usize;
            Block { length: 1 + length, parts: (1..=length).map(|n| (n, *element)).collect() }
        }
        Layout::Function => {
            let captures = &code.functions[word(0) as usize].captures;
            let parts = captures.iter().enumerate().map(|(n, of)| (n + 1, *of));
            Block { length: 1 + captures.len(), parts: parts.collect() }
        }
        Layout::Exn => {
            if at < code.exceptions.len() as Word {
                return None;
            }
            let content = code.exceptions[word(0) as usize].content?;
            with_content(code, content, 1)
        }
        _ => return None,
    })
}

fn with_content(code: &Code, content: Content, offset: usize) -> Block {
    let parts = match (content.is_record, code.layout(content.layout)) {
        (true, Layout::Record(fields)) => {
            fields.iter().enumerate().map(|(n, (_, of))| (n + offset, *of)).collect()
        }
        _ => vec![(offset, content.layout)],
    };
    Block { length: offset + content.width as usize, parts }
}
