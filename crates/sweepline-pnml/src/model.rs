//! A place/transition net as a model: packed markings; firing adds words.

use std::sync::OnceLock;

use sweepline::compiled::TransitionSystem;
use sweepline::{Computed, Model, Sink};

use crate::compiled::compile;
use crate::dependence::Dependence;
use crate::implied::implied;
use crate::invariant::{bounds, semiflows};
use crate::net::{Net, PlaceId, TransitionId};
use crate::packed::{Layout, layouts};
use crate::query::MarkingView;

/// A net, ready to be explored.
///
/// Places with a bound by an invariant get the bits that they need, and implied places are not stored at all.
/// Places without a bound start small, and a marking that exceeds them is packed in a wider layout. Counts
/// are exact up to 64 bits; a firing beyond that stops the exploration with an error.
pub struct NetModel {
    net: Net,
    levels: Vec<Level>,
    bounds: Vec<Option<u64>>,
    /// Computed when a reduction first needs it.
    dependence: OnceLock<Dependence>,
}

/// The net in one layout.
#[derive(Clone)]
struct Level {
    layout: Layout,
    compiled: TransitionSystem,
}

/// A packed marking; read it through [`NetModel::view`].
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Marking {
    level: usize,
    words: Vec<u64>,
}

impl Clone for Marking {
    fn clone(&self) -> Self {
        Marking { level: self.level, words: self.words.clone() }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.level = other.level;
        self.words.clone_from(&other.words);
    }
}

/// A place would get more tokens than 64 bits can count.
#[derive(Debug, thiserror::Error)]
#[error("firing `{transition}` puts more than 2^64 - 1 tokens into `{place}`")]
pub struct TooManyTokens {
    /// The transition, by id.
    pub transition: String,
    /// The place, by id.
    pub place: String,
}

impl NetModel {
    /// The model of `net`.
    pub fn new(net: Net) -> Self {
        let flows = semiflows(&net);
        let bounds = bounds(&net, &flows);
        let levels = layouts(&net, &bounds, &implied(&net, &bounds, &flows))
            .into_iter()
            .map(|layout| {
                let initial = layout.pack(&net.initial_marking());
                let initial = initial.unwrap_or_else(|| vec![0; layout.n_words]);
                Level { compiled: compile(&net, &layout, &bounds, initial), layout }
            })
            .collect();
        NetModel { net, levels, bounds, dependence: OnceLock::new() }
    }

    /// The same model with more bits for the places without a known bound; `None` if there are none, or if they have 64.
    #[must_use]
    pub fn widened(&self) -> Option<Self> {
        let levels = self.levels.get(1..).filter(|levels| !levels.is_empty())?.to_vec();
        let (net, bounds) = (self.net.clone(), self.bounds.clone());
        Some(NetModel { net, levels, bounds, dependence: OnceLock::new() })
    }

    /// The net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// For each place, its bound by an invariant, if there is one.
    pub fn bounds(&self) -> &[Option<u64>] {
        &self.bounds
    }

    /// Bytes of a packed marking; more if it exceeds the fields of places without a known bound.
    pub fn marking_bytes(&self) -> usize {
        self.levels[0].layout.n_bytes
    }

    /// The dependencies between transitions.
    pub(crate) fn dependence(&self) -> &Dependence {
        self.dependence.get_or_init(|| Dependence::new(&self.net))
    }

    /// The net as a compiled transition system with the same transition numbers, if every reachable marking
    /// fits the narrowest layout: all places have a known bound.
    pub fn compiled(&self) -> Option<&TransitionSystem> {
        let level = &self.levels[0];
        self.bounds.iter().all(Option::is_some).then_some(&level.compiled)
    }

    /// The narrowest layout, and the transitions for it.
    pub(crate) fn narrowest(&self) -> (&Layout, &TransitionSystem) {
        (&self.levels[0].layout, &self.levels[0].compiled)
    }

    /// The marking in these words of the narrowest layout.
    pub(crate) fn narrow_marking(&self, words: &[u64]) -> Marking {
        Marking { level: 0, words: words[..self.levels[0].layout.n_words].to_vec() }
    }

    /// `marking`, for evaluating expressions.
    pub fn view<'a>(&'a self, marking: &'a Marking) -> View<'a> {
        View { level: &self.levels[marking.level], words: &marking.words }
    }

    /// The tokens of every place.
    pub fn tokens(&self, marking: &Marking) -> Vec<u64> {
        self.levels[marking.level].layout.unpack(&marking.words)
    }

    /// The total tokens of all places.
    pub fn total(&self, marking: &Marking) -> u128 {
        let layout = &self.levels[marking.level].layout;
        layout.slots.iter().map(|slot| u128::from(slot.get(&marking.words))).sum()
    }

    fn pack(&self, tokens: &[u64]) -> Marking {
        let fitting = |(level, l): (usize, &Level)| {
            l.layout.pack(tokens).map(|words| Marking { level, words })
        };
        self.levels.iter().enumerate().find_map(fitting).expect("the widest layout holds 64 bits")
    }

    /// Fires if the result may need another layout.
    #[cold]
    fn fire_across(
        &self,
        marking: &Marking,
        transition: TransitionId,
    ) -> Result<Marking, TooManyTokens> {
        let mut tokens = self.tokens(marking);
        for (place, change) in self.net.transitions[transition.index()].changes() {
            let count = &mut tokens[place.index()];
            *count = u64::try_from(i128::from(*count) + change).map_err(|_| TooManyTokens {
                transition: self.net.transitions[transition.index()].id.clone(),
                place: self.net.places[place.index()].id.clone(),
            })?;
        }
        Ok(self.pack(&tokens))
    }
}

impl Model for NetModel {
    type State = Marking;
    type Action = TransitionId;
    /// A marking to fire in, reused for all successors.
    type Worker = Marking;

    fn worker(&self) -> Marking {
        Marking { level: 0, words: Vec::new() }
    }

    fn initial(&self, push: &mut dyn FnMut(&Marking)) {
        push(&self.pack(&self.net.initial_marking()));
    }

    #[inline]
    fn successors(
        &self,
        next: &mut Marking,
        marking: &Marking,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        let Level { layout, compiled } = &self.levels[marking.level];
        next.clone_from(marking);
        let mut failed = None;
        compiled.enabled(&marking.words, |number| {
            let transition = TransitionId(number);
            if compiled.has_room(number, &marking.words) {
                compiled.fire(number, &mut next.words);
                if marking.level == 0 || !layout.fits_narrower(&next.words) {
                    sink.push(transition, next);
                    compiled.unfire(number, &mut next.words);
                    return;
                }
                compiled.unfire(number, &mut next.words);
            }
            match self.fire_across(marking, transition) {
                Ok(next) => sink.push(transition, &next),
                Err(error) => failed = Some(error),
            }
        });
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    #[inline]
    fn encode(&self, marking: &Marking, bytes: &mut Vec<u8>) {
        let n_bytes = self.levels[marking.level].layout.n_bytes;
        let end = bytes.len() + n_bytes;
        for word in &marking.words {
            bytes.extend_from_slice(&word.to_le_bytes());
            if bytes.len() >= end {
                break;
            }
        }
        bytes.truncate(end);
    }

    fn decode(&self, bytes: &[u8]) -> Marking {
        let mut marking = Marking { level: 0, words: Vec::new() };
        self.decode_into(bytes, &mut marking);
        marking
    }

    fn try_decode(&self, bytes: &[u8]) -> Option<Marking> {
        if !self.levels.iter().any(|level| level.layout.n_bytes == bytes.len()) {
            return None;
        }
        let marking = self.decode(bytes);
        let tokens = self.levels[marking.level].layout.try_unpack(&marking.words)?;
        let mut bounds = tokens.iter().zip(&self.bounds);
        let bounded = bounds.all(|(n, bound)| bound.is_none_or(|most| *n <= most));
        (bounded && self.pack(&tokens) == marking).then_some(marking)
    }

    #[inline]
    fn decode_into(&self, bytes: &[u8], marking: &mut Marking) {
        let fits = |level: &Level| level.layout.n_bytes == bytes.len();
        marking.level =
            self.levels.iter().position(fits).expect("bytes of a marking were not written by us");
        marking.words.clear();
        let (words, rest) = bytes.as_chunks::<8>();
        marking.words.extend(words.iter().map(|word| u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            marking.words.push(u64::from_le_bytes(last));
        }
    }
}

/// A marking with its model.
#[derive(Clone, Copy)]
pub struct View<'a> {
    level: &'a Level,
    words: &'a [u64],
}

impl MarkingView for View<'_> {
    #[inline]
    fn tokens(&self, place: PlaceId) -> u64 {
        self.level.layout.tokens(self.words, place)
    }

    #[inline]
    fn fireable(&self, transition: TransitionId) -> bool {
        self.level.compiled.is_enabled(transition.0, self.words)
    }

    fn deadlock(&self) -> bool {
        let mut enabled = false;
        self.level.compiled.enabled(self.words, |_| enabled = true);
        !enabled
    }
}
