//! Markings packed into words: as many bits for a place as it needs, no place across two words.

use std::collections::HashSet;

use crate::implied::Implied;
use crate::net::{Net, PlaceId};

/// Where the count of a place stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub(crate) word: u32,
    pub(crate) shift: u32,
    /// The greatest count that fits, which is also the mask of its bits.
    pub(crate) most: u64,
}

impl Field {
    #[inline]
    pub(crate) fn get(self, words: &[u64]) -> u64 {
        (words[self.word as usize] >> self.shift) & self.most
    }
}

/// A way to pack markings.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) fields: Vec<Field>,
    pub(crate) n_words: usize,
    /// Bytes of a packed marking: the words up to where the implied fields start.
    pub(crate) n_bytes: usize,
    /// The fields behind that, and how to compute them.
    restores: Vec<Restore>,
    /// Bits that are zero in every marking that fits the next narrower layout.
    pub(crate) excess: Vec<u64>,
}

/// Computes the count of an implied place: a constant less a weighted sum of other counts.
#[derive(Clone, Debug)]
enum Restore {
    /// One token moves among places of one bit: the place is marked when no other is. At most two
    /// words, the common case and several times faster.
    Token {
        field: Field,
        first: (u32, u64),
        second: (u32, u64),
    },
    Sum {
        field: Field,
        total: u64,
        others: Vec<(Field, u64)>,
    },
}

impl Restore {
    fn new(implied: &Implied, fields: &[Field]) -> Self {
        let field = fields[implied.place.index()];
        let others: Vec<(Field, u64)> =
            implied.others.iter().map(|&(p, weight)| (fields[p.index()], weight)).collect();
        let mut masks: Vec<(u32, u64)> = Vec::new();
        for (other, _) in &others {
            match masks.iter_mut().find(|(word, _)| *word == other.word) {
                Some((_, mask)) => *mask |= other.most << other.shift,
                None => masks.push((other.word, other.most << other.shift)),
            }
        }
        if implied.total > 1 || masks.len() > 2 {
            return Restore::Sum { field, total: implied.total, others };
        }
        masks.resize(2, (0, 0));
        Restore::Token { field, first: masks[0], second: masks[1] }
    }

    #[inline]
    fn apply(&self, words: &mut [u64]) {
        match self {
            Restore::Token { field, first, second } => {
                let marked =
                    words[first.0 as usize] & first.1 | words[second.0 as usize] & second.1;
                words[field.word as usize] |= u64::from(marked == 0) << field.shift;
            }
            Restore::Sum { field, total, others } => {
                let sum: u64 = others.iter().map(|(other, weight)| other.get(words) * weight).sum();
                words[field.word as usize] |= (total - sum) << field.shift;
            }
        }
    }
}

/// Hands out fields, first fit.
#[derive(Default)]
struct Fitting {
    /// Bits taken of each word.
    taken: Vec<u32>,
    /// Words before this have no room for fields of the width below.
    open: usize,
    width: u32,
}

impl Fitting {
    fn field(&mut self, width: u32) -> Field {
        if width == 0 {
            return Field { word: 0, shift: 0, most: 0 };
        }
        if width != self.width {
            (self.open, self.width) = (0, width);
        }
        while self.taken.get(self.open).is_some_and(|&bits| bits + width > 64) {
            self.open += 1;
        }
        if self.open == self.taken.len() {
            self.taken.push(0);
        }
        let shift = self.taken[self.open];
        self.taken[self.open] += width;
        Field { word: self.open as u32, shift, most: u64::MAX >> (64 - width) }
    }
}

impl Layout {
    /// Packs places of these widths, in bits; longer than `narrower`, if there is one.
    fn new(widths: &[u32], implied: &[Implied], narrower: Option<&Layout>) -> Self {
        let is_implied: HashSet<usize> = implied.iter().map(|i| i.place.index()).collect();
        let mut order: Vec<usize> = (0..widths.len()).collect();
        order.sort_by_key(|&p| std::cmp::Reverse(widths[p]));
        let mut fields = vec![Field { word: 0, shift: 0, most: 0 }; widths.len()];
        let mut fitting = Fitting::default();
        for &p in order.iter().filter(|p| !is_implied.contains(p)) {
            fields[p] = fitting.field(widths[p]);
        }
        empty_word_last(&mut fitting.taken, &mut fields);
        let mut n_bytes = match fitting.taken.split_last() {
            None => 1,
            Some((last, full)) => full.len() * 8 + last.div_ceil(8) as usize,
        };
        if let Some(narrower) = narrower {
            n_bytes = n_bytes.max(narrower.n_bytes + 1);
        }
        // The implied fields come behind the bytes that are stored.
        let stored = |word: usize| (n_bytes.saturating_sub(word * 8).min(8) * 8) as u32;
        let n_words = n_bytes.div_ceil(8).max(fitting.taken.len());
        let mut behind = Fitting { taken: (0..n_words).map(stored).collect(), open: 0, width: 0 };
        for &p in order.iter().filter(|p| is_implied.contains(p)) {
            fields[p] = behind.field(widths[p]);
        }
        let n_words = behind.taken.len();
        let mut excess = vec![0; n_words];
        for (p, field) in fields.iter().enumerate() {
            let below = narrower.map_or(field.most, |layout| layout.fields[p].most);
            excess[field.word as usize] |= (field.most & !below) << field.shift;
        }
        let restores = implied.iter().map(|i| Restore::new(i, &fields)).collect();
        Layout { fields, n_words, n_bytes, restores, excess }
    }

    /// Computes the implied fields, all zero so far, from the stored ones.
    #[inline]
    pub(crate) fn restore(&self, words: &mut [u64]) {
        for restore in &self.restores {
            restore.apply(words);
        }
    }

    #[inline]
    pub(crate) fn tokens(&self, words: &[u64], place: PlaceId) -> u64 {
        self.fields[place.index()].get(words)
    }

    /// The words of a marking, if every count fits.
    pub(crate) fn pack(&self, tokens: &[u64]) -> Option<Vec<u64>> {
        let mut words = vec![0; self.n_words];
        for (field, &count) in self.fields.iter().zip(tokens) {
            if count > field.most {
                return None;
            }
            words[field.word as usize] |= count << field.shift;
        }
        Some(words)
    }

    pub(crate) fn unpack(&self, words: &[u64]) -> Vec<u64> {
        self.fields.iter().map(|field| field.get(words)).collect()
    }

    /// The marking would fit the next narrower layout.
    #[inline]
    pub(crate) fn fits_narrower(&self, words: &[u64]) -> bool {
        words.iter().zip(&self.excess).all(|(word, excess)| word & excess == 0)
    }
}

/// Moves the word with the fewest bits to the end, where it is cut.
fn empty_word_last(used: &mut [u32], fields: &mut [Field]) {
    let Some((least, _)) = used.iter().enumerate().min_by_key(|&(_, bits)| bits) else { return };
    let last = used.len() - 1;
    used.swap(least, last);
    for field in fields {
        if field.word as usize == least {
            field.word = last as u32;
        } else if field.word as usize == last {
            field.word = least as u32;
        }
    }
}

/// The layouts of a net, narrow to wide. A marking is packed in the narrowest that holds it, so its
/// bytes are canonical, and layouts differ in length, so the bytes tell which it is.
///
/// Where all places are bounded there is one layout, and it holds every marking.
pub(crate) fn layouts(net: &Net, bounds: &[Option<u64>], implied: &[Implied]) -> Vec<Layout> {
    let unbounded = bounds.iter().filter(|bound| bound.is_none()).count();
    // A net with few such places can afford a byte for each; of many, most hold few tokens.
    let guess = if unbounded <= 32 { 8 } else { 2 };
    let width = |p: usize, at_least: u32| match bounds[p] {
        Some(bound) => bits(bound),
        None => bits(net.places[p].initial).max(at_least),
    };
    let widths =
        |at_least: u32| -> Vec<u32> { (0..net.places.len()).map(|p| width(p, at_least)).collect() };
    let mut layouts = vec![Layout::new(&widths(guess), implied, None)];
    if unbounded > 0 {
        for wider in [8, 16, 32, 64].into_iter().filter(|&bits| bits > guess) {
            layouts.push(Layout::new(&widths(wider), implied, layouts.last()));
        }
    }
    layouts
}

/// Bits that hold `0..=most`; none for a place that is always empty.
fn bits(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap_and_counts_survive() {
        let widths = [3, 1, 0, 64, 7, 1, 33, 32, 31, 8, 8, 1, 5];
        let layout = Layout::new(&widths, &[], None);
        let tokens: Vec<u64> =
            widths.iter().map(|&w| u64::MAX.checked_shr(64 - w).unwrap_or(0)).collect();
        let packed = layout.pack(&tokens).unwrap();
        assert_eq!(layout.unpack(&packed), tokens);
        for p in 0..widths.len() {
            let mut one = vec![0; widths.len()];
            one[p] = tokens[p];
            assert_eq!(layout.unpack(&layout.pack(&one).unwrap()), one);
        }
        let bits: u32 = widths.iter().sum();
        assert!(layout.n_bytes as u32 * 8 >= bits && layout.n_bytes as u32 * 8 < bits + 64);
    }

    #[test]
    fn wider_layouts_are_longer_and_know_what_fits_below() {
        let net = Net::builder("n").place("p", 0).place("q", 1).build().unwrap();
        let layouts = layouts(&net, &[None, Some(1)], &[]);
        assert!(layouts.windows(2).all(|pair| pair[0].n_bytes < pair[1].n_bytes));
        let wide = &layouts[1];
        assert!(wide.fits_narrower(&wide.pack(&[255, 1]).unwrap()));
        assert!(!wide.fits_narrower(&wide.pack(&[256, 1]).unwrap()));
        assert!(layouts[0].pack(&[256, 1]).is_none());
    }
}
