//! Values that survive a reset because older references hold them.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::Machine;
use super::code::Code;
use super::layout::{Content, Layout, LayoutId, Word, content_offset, tag_of};

/// The words of a value's block, and its parts: offset and layout of each.
#[derive(Default)]
struct Block {
    length: usize,
    parts: Vec<(usize, LayoutId)>,
}

/// The least number of garbage words worth collecting.
const WASTE: usize = 1 << 12;

/// The part of the heap for values that were assigned to references since values were kept, from `start` to
/// the floor. Only references point into it permanently, so its values can be moved.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    start: usize,
    /// The references below that hold a value in it, or did.
    cells: Vec<(usize, LayoutId)>,
    /// The number of live words at the last collection.
    live: usize,
}

impl Held {
    pub(super) fn begin(&mut self, start: usize) {
        *self = Held { start, cells: Vec::new(), live: 0 };
    }

    pub(super) fn is_empty(&self, floor: usize) -> bool {
        self.start == floor
    }

    /// The references below that hold a value in it, or did.
    pub(super) fn into_cells(self) -> Vec<(usize, LayoutId)> {
        self.cells
    }

    /// Whether the address is in the part of the heap that never moves.
    #[inline]
    pub(super) fn is_below(&self, address: usize) -> bool {
        address < self.start
    }
}

impl Machine {
    /// Truncates the heap, and moves down the values that recorded references hold.
    ///
    /// At the floor, such a value stays until the reference is assigned again. Above the floor, the values
    /// below it are freed later, and it is moved down again then.
    pub(super) fn keep_assigned(&mut self, to: usize) {
        self.assigned = true;
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.sort_unstable();
        dirty.dedup();
        self.move_held(to, &dirty);
        if to != self.floor {
            self.dirty = dirty;
            return;
        }
        self.floor = self.heap.words.len();
        let Held { start, cells, .. } = &mut self.held;
        cells.extend(dirty.iter().filter(|(cell, _)| cell < start));
        cells.sort_unstable();
        cells.dedup();
    }

    /// Frees values that references no longer hold, if there are many. All other values that are not
    /// [kept](Machine::keep) must be unused and freed.
    pub fn collect(&mut self) {
        let Held { start, live, .. } = self.held;
        let is_reset = self.dirty.is_empty() && self.heap.words.len() == self.floor;
        if is_reset && self.floor - start > 2 * live + WASTE {
            let cells = std::mem::take(&mut self.held.cells);
            self.move_held(start, &cells);
            self.floor = self.heap.words.len();
            self.held = Held { start, cells, live: self.floor - start };
        }
    }

    /// Truncates the heap, and moves the values that `cells` hold to the new end.
    fn move_held(&mut self, to: usize, cells: &[(usize, LayoutId)]) {
        let mut keeper =
            Keeper { to, kept: Vec::new(), moved: HashMap::default(), work: Vec::new() };
        for &(cell, layout) in cells {
            let word = self.heap.words[cell];
            self.heap.words[cell] = keeper.place(&self.code, &self.heap.words, layout, word);
        }
        while let Some((cell, layout)) = keeper.work.pop() {
            let word = keeper.kept[cell];
            keeper.kept[cell] = keeper.place(&self.code, &self.heap.words, layout, word);
        }
        self.heap.words.truncate(to);
        self.heap.words.append(&mut keeper.kept);
    }
}

struct Keeper {
    to: usize,
    /// The words that will be stored from `to` on.
    kept: Vec<Word>,
    moved: HashMap<(Word, LayoutId), Word, FixedState>,
    /// Offsets in `kept` that still contain old addresses.
    work: Vec<(usize, LayoutId)>,
}

impl Keeper {
    /// The new word of a value.
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

/// The block of a value at an address, or `None` if its word is the value.
fn block(code: &Code, heap: &[Word], id: LayoutId, at: Word) -> Option<Block> {
    let word = |offset: usize| heap[at as usize + offset];
    Some(match code.layout(id) {
        Layout::IntInf => Block { length: 1 + (word(0) >> 1) as usize, parts: Vec::new() },
        Layout::String => Block { length: 1 + (word(0) as usize).div_ceil(8), parts: Vec::new() },
        Layout::List(_) if at == 0 => return None,
        Layout::List(element) => Block { length: 2, parts: vec![(0, *element), (1, id)] },
        // The word of `unit` has no meaning.
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
        Layout::Array(element) | Layout::Vector(element) => {
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
