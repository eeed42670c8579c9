//! Sets of numbered nodes.

/// A set of numbers, one bit each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The set that has all numbers below `n`, or none.
    pub(super) fn filled(n: usize, full: bool) -> Self {
        let mut bits = Bits { words: vec![if full { u64::MAX } else { 0 }; n.div_ceil(64)] };
        bits.trim(n);
        bits
    }

    pub(super) fn of_words(words: Vec<u64>) -> Self {
        Bits { words }
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    #[inline]
    pub(super) fn has(&self, number: u32) -> bool {
        let word = self.words.get(number as usize / 64).copied().unwrap_or(0);
        word >> (number % 64) & 1 == 1
    }

    /// Adds a number, whatever it is.
    #[inline]
    pub(super) fn add(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, number: u32) {
        if let Some(word) = self.words.get_mut(number as usize / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Makes it a set of numbers below `n`.
    pub(super) fn resize(&mut self, n: usize) {
        self.words.resize(n.div_ceil(64), 0);
        self.trim(n);
    }

    /// All of `from..n` are in it, or none.
    pub(super) fn force(&mut self, from: usize, n: usize, full: bool) {
        for number in from..n.min(from.next_multiple_of(64)) {
            match full {
                true => self.add(number as u32),
                false => self.remove(number as u32),
            }
        }
        self.words[from.div_ceil(64)..].fill(if full { u64::MAX } else { 0 });
        self.trim(n);
    }

    /// The numbers below `n` that are not in it.
    pub(super) fn complement(&self, n: usize) -> Self {
        let mut bits = Bits { words: self.words.iter().map(|word| !word).collect() };
        bits.trim(n);
        bits
    }

    pub(super) fn intersection(&self, other: &Self) -> Self {
        let both = self.words.iter().zip(&other.words);
        Bits { words: both.map(|(a, b)| a & b).collect() }
    }

    /// The numbers in it, least first.
    pub(super) fn each(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(i as u32 * 64 + bit)
            })
        })
    }

    /// Goes through the numbers below `n` among `candidates` of each word, least or greatest first, and changes
    /// the set at those where `change` does; whether it did anywhere.
    #[inline]
    pub(super) fn change_each(
        &mut self,
        n: usize,
        greatest_first: bool,
        candidates: impl Fn(&Self, usize) -> u64,
        mut change: impl FnMut(&mut Self, u32) -> Option<()>,
    ) -> bool {
        let (mut changed, words) = (false, n.div_ceil(64));
        for i in 0..words {
            let word = if greatest_first { words - 1 - i } else { i };
            let mut left = candidates(self, word);
            if word == n / 64 {
                left &= (1 << (n % 64)) - 1;
            }
            while left != 0 {
                let bit = match greatest_first {
                    true => 63 - left.leading_zeros(),
                    false => left.trailing_zeros(),
                };
                left &= !(1 << bit);
                changed |= change(self, word as u32 * 64 + bit).is_some();
            }
        }
        changed
    }

    /// Memory taken.
    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    fn trim(&mut self, n: usize) {
        self.words.truncate(n.div_ceil(64));
        if let (Some(last), 1..) = (self.words.last_mut(), n % 64) {
            *last &= u64::MAX >> (64 - n % 64);
        }
    }
}
