//! Markings packed into words: a place gets as many bits as it needs, and no place spans two words.

use sweepline::compiled::Field;

use crate::implied::Implied;
use crate::net::{Net, PlaceId};

/// The field of a place that is always empty.
const NONE: Field = Field { word: 0, shift: 0, most: 0 };

/// How the count of a place is found.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// It is stored.
    Field(Field),
    /// It is the difference of a total and a sum of stored counts.
    Rest(Rest),
}

/// `total` minus the weighted counts of `others`.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub(crate) total: u64,
    pub(crate) others: Vec<(Field, u64)>,
}

impl Rest {
    /// The weighted counts of the others; at most the total in a reachable marking.
    #[inline]
    pub(crate) fn taken(&self, words: &[u64]) -> u64 {
        self.others.iter().map(|(field, weight)| field.get(words) * weight).sum()
    }
}

impl Slot {
    #[inline]
    pub(crate) fn get(&self, words: &[u64]) -> u64 {
        match self {
            Slot::Field(field) => field.get(words),
            Slot::Rest(rest) => rest.total - rest.taken(words),
        }
    }
}

/// A layout of packed markings.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) slots: Vec<Slot>,
    pub(crate) n_words: usize,
    /// Bytes of a packed marking; the last word is truncated after its fields.
    pub(crate) n_bytes: usize,
    /// Bits that are zero in every marking that fits the next narrower layout.
    excess: Vec<u64>,
}

impl Layout {
    /// Packs places of these widths, in bits; the result is longer than `narrower`, if that is given.
    fn new(widths: &[u32], implied: &[Implied], narrower: Option<&Layout>) -> Self {
        let mut is_stored = vec![true; widths.len()];
        implied.iter().for_each(|implied| is_stored[implied.place.index()] = false);
        let (fields, taken) = fit(widths, &is_stored);
        let mut n_bytes = match taken.split_last() {
            None => 1,
            Some((last, full)) => full.len() * 8 + last.div_ceil(8) as usize,
        };
        if let Some(narrower) = narrower {
            n_bytes = n_bytes.max(narrower.n_bytes + 1);
        }
        let n_words = n_bytes.div_ceil(8);
        let mut excess = vec![0; n_words];
        for (p, field) in fields.iter().enumerate() {
            let below = match narrower.map(|layout| &layout.slots[p]) {
                Some(Slot::Field(narrow)) => narrow.most,
                _ => field.most,
            };
            excess[field.word as usize] |= (field.most & !below) << field.shift;
        }
        let mut slots: Vec<Slot> = fields.iter().copied().map(Slot::Field).collect();
        for Implied { place, total, others } in implied {
            let others = others.iter().map(|&(p, weight)| (fields[p.index()], weight)).collect();
            slots[place.index()] = Slot::Rest(Rest { total: *total, others });
        }
        Layout { slots, n_words, n_bytes, excess }
    }

    #[inline]
    pub(crate) fn tokens(&self, words: &[u64], place: PlaceId) -> u64 {
        self.slots[place.index()].get(words)
    }

    /// The words of a marking, if every count fits.
    pub(crate) fn pack(&self, tokens: &[u64]) -> Option<Vec<u64>> {
        let mut words = vec![0; self.n_words];
        for (slot, &count) in self.slots.iter().zip(tokens) {
            let Slot::Field(field) = slot else { continue };
            if count > field.most {
                return None;
            }
            words[field.word as usize] |= count << field.shift;
        }
        Some(words)
    }

    /// Like [`unpack`](Layout::unpack), for words from outside: `None` if an implied place would have a
    /// negative count.
    pub(crate) fn try_unpack(&self, words: &[u64]) -> Option<Vec<u64>> {
        let tokens = |slot: &Slot| match slot {
            Slot::Field(field) => Some(field.get(words)),
            Slot::Rest(rest) => {
                let mut terms =
                    rest.others.iter().map(|(f, weight)| f.get(words).checked_mul(*weight));
                let taken = terms.try_fold(0u64, |sum, term| sum.checked_add(term?))?;
                rest.total.checked_sub(taken)
            }
        };
        self.slots.iter().map(tokens).collect()
    }

    pub(crate) fn unpack(&self, words: &[u64]) -> Vec<u64> {
        self.slots.iter().map(|slot| slot.get(words)).collect()
    }

    /// Whether the marking would fit the next narrower layout.
    #[inline]
    pub(crate) fn fits_narrower(&self, words: &[u64]) -> bool {
        words.iter().zip(&self.excess).all(|(word, excess)| word & excess == 0)
    }
}

/// Assigns fields to the stored places, first fit, wide ones first. The word with the fewest bits is last,
/// where it is truncated. Also returns the bits used of each word.
fn fit(widths: &[u32], is_stored: &[bool]) -> (Vec<Field>, Vec<u32>) {
    let mut order: Vec<usize> =
        (0..widths.len()).filter(|&p| is_stored[p] && widths[p] > 0).collect();
    order.sort_by_key(|&p| std::cmp::Reverse(widths[p]));
    let mut fields = vec![NONE; widths.len()];
    let mut taken: Vec<u32> = Vec::new();
    // Words before `open` have no room for fields as wide as the last.
    let (mut open, mut last_width) = (0, 0);
    for &p in &order {
        let width = widths[p];
        if width != last_width {
            (open, last_width) = (0, width);
        }
        while taken.get(open).is_some_and(|&bits| bits + width > 64) {
            open += 1;
        }
        if open == taken.len() {
            taken.push(0);
        }
        fields[p] = Field { word: open as u32, shift: taken[open], most: u64::MAX >> (64 - width) };
        taken[open] += width;
    }
    let Some((least, _)) = taken.iter().enumerate().min_by_key(|&(_, bits)| bits) else {
        return (fields, taken);
    };
    let last = taken.len() - 1;
    taken.swap(least, last);
    for p in order {
        let word = &mut fields[p].word;
        *word = match *word as usize {
            w if w == least => last as u32,
            w if w == last => least as u32,
            w => w as u32,
        };
    }
    (fields, taken)
}

/// The layouts of a net, from narrow to wide. A marking is packed in the narrowest layout that it fits, so
/// its bytes are canonical. Layouts differ in length, so the length tells the layout.
///
/// If all places are bounded, there is one layout for all markings.
pub(crate) fn layouts(net: &Net, bounds: &[Option<u64>], implied: &[Implied]) -> Vec<Layout> {
    let unbounded = bounds.iter().filter(|bound| bound.is_none()).count();
    // With few such places, each gets a byte; with many, most have few tokens.
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

/// The number of bits for `0..=most`; none for a place that is always empty.
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
    fn implied_places_take_no_bits() {
        let others = vec![(PlaceId(1), 1), (PlaceId(2), 2)];
        let implied = Implied { place: PlaceId(0), total: 9, others };
        let layout = Layout::new(&[4, 4, 3], &[implied], None);
        assert_eq!(layout.n_bytes, 1);
        let words = layout.pack(&[1, 4, 2]).unwrap();
        assert_eq!(layout.unpack(&words), [1, 4, 2]);
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
