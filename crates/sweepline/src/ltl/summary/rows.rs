//! What states carry: a set of entries, and for each the marks met, as bits side by side.

/// The form of a row: words for the entries that reach a state, then as many for each mark.
pub(crate) struct Shape {
    words: usize,
    sets: u32,
    /// For each mark that some entry must avoid, those that must.
    avoiding: Vec<(u32, Vec<u64>)>,
}

impl Shape {
    /// Bytes of a row for so many entries.
    pub(crate) fn row_bytes(entries: usize, sets: u32) -> usize {
        entries.div_ceil(64) * (1 + sets as usize) * 8
    }

    /// Rows for as many entries as there are `avoided` marks: those each must avoid.
    pub(super) fn new(avoided: impl Iterator<Item = u32>, sets: u32) -> Self {
        let avoided: Vec<u32> = avoided.collect();
        let words = avoided.len().div_ceil(64);
        let avoiding = (0..sets).map(|set| {
            let mut entries = vec![0; words];
            for (slot, marks) in avoided.iter().enumerate() {
                entries[slot / 64] |= u64::from(marks >> set & 1) << (slot % 64);
            }
            (1 << set, entries)
        });
        let avoiding =
            avoiding.filter(|(_, entries)| entries.iter().any(|&word| word != 0)).collect();
        Shape { words, sets, avoiding }
    }

    /// Words of a row.
    pub(super) fn len(&self) -> usize {
        self.words * (1 + self.sets as usize)
    }

    /// Makes `row` that of the entry in `slot`, which has met nothing yet. `false` where it has none.
    pub(super) fn unit(&self, slot: Option<usize>, row: &mut [u64]) -> bool {
        let Some(slot) = slot else { return false };
        row.fill(0);
        row[slot / 64] = 1 << (slot % 64);
        true
    }

    /// The entries that may take an edge with `marks`, in the given word.
    fn allowed(&self, marks: u32, word: usize) -> u64 {
        let stopped = self.avoiding.iter().filter(|(mark, _)| marks & mark != 0);
        !stopped.fold(0, |bits, (_, entries)| bits | entries[word])
    }
}

/// Rows of one shape, one after the other.
#[derive(Default)]
pub(super) struct Rows(Vec<u64>);

impl Rows {
    /// Adds empty rows until there are `rows`.
    pub(super) fn grow(&mut self, shape: &Shape, rows: usize) {
        let len = rows * shape.len();
        if self.0.len() < len {
            self.0.resize(len, 0);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.0.len() as u64 * 8
    }

    /// Copies a row. `false` where it is empty.
    pub(super) fn copy(&self, shape: &Shape, number: usize, row: &mut [u64]) -> bool {
        let start = number * shape.len();
        row.copy_from_slice(&self.0[start..start + shape.len()]);
        row[..shape.words].iter().any(|&word| word != 0)
    }

    /// Adds to a row what comes from `row` by an edge with `marks`. `true` if that changed it.
    pub(super) fn add(&mut self, shape: &Shape, number: usize, row: &[u64], marks: u32) -> bool {
        let (start, words) = (number * shape.len(), shape.words);
        let target = &mut self.0[start..start + shape.len()];
        let mut changed = 0;
        for word in 0..words {
            let entries = row[word] & shape.allowed(marks, word);
            changed |= entries & !target[word];
            target[word] |= entries;
            for set in 0..shape.sets {
                let at = (1 + set as usize) * words + word;
                let met = if marks >> set & 1 == 1 { entries } else { row[at] & entries };
                changed |= met & !target[at];
                target[at] |= met;
            }
        }
        changed != 0
    }

    /// Adds `row` to a row as it is.
    pub(super) fn merge(&mut self, shape: &Shape, number: usize, row: &[u64]) {
        let start = number * shape.len();
        self.0[start..start + shape.len()].iter_mut().zip(row).for_each(|(to, from)| *to |= from);
    }

    /// Shows the entries of a row by slot, and the marks of each.
    pub(super) fn each(&self, shape: &Shape, number: usize, mut show: impl FnMut(usize, u32)) {
        let row = &self.0[number * shape.len()..][..shape.len()];
        for slot in 0..shape.words * 64 {
            let bit = |at: usize| row[at * shape.words + slot / 64] >> (slot % 64) & 1;
            if bit(0) == 1 {
                let marks =
                    (0..shape.sets).fold(0, |m, set| m | (bit(1 + set as usize) as u32) << set);
                show(slot, marks);
            }
        }
    }
}
