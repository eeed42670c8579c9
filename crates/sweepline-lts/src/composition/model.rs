//! A composition as a model: packed states; a step adds words.

use smallvec::SmallVec;
use sweepline::{Computed, Model, Sink};

use super::moves::{Local, Role};
use super::{Composition, RuleId};
use crate::lts::{Lts, StateNo};

/// A state of a [`Composition`]: one state of each component, packed. Read it with
/// [`Composition::component_state`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Joint {
    pub(super) words: SmallVec<[u64; 2]>,
}

/// A rule that is being expanded: its parts, and the edges chosen so far.
struct Meeting<'a, S> {
    composition: &'a Composition,
    locals: &'a [u32],
    rule: RuleId,
    sink: &'a mut S,
}

impl<S: Sink<Composition>> Meeting<'_, S> {
    /// Pushes every combination of one edge of each part.
    fn go(&mut self, roles: &[Role], next: &mut Joint) {
        let Some((&role, rest)) = roles.split_first() else {
            return self.sink.push(self.rule, next);
        };
        let moves = &self.composition.moves;
        let word = moves.locals[role.component as usize].field.word as usize;
        for &delta in moves.deltas(role, self.locals[role.component as usize]) {
            next.words[word] = next.words[word].wrapping_add(delta);
            self.go(rest, next);
            next.words[word] = next.words[word].wrapping_sub(delta);
        }
    }
}

impl Model for Composition {
    type State = Joint;
    type Action = RuleId;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&Joint)) {
        let states: Vec<StateNo> = self.components().iter().map(Lts::initial).collect();
        push(&self.layout.pack(&states));
    }

    #[inline]
    fn successors(&self, (): &mut (), state: &Joint, sink: &mut impl Sink<Self>) -> Computed {
        let fields = self.layout.fields.iter();
        let locals: SmallVec<[u32; 32]> =
            fields.map(|field| field.get(&state.words) as u32).collect();
        let mut next = state.clone();
        for (local, &own) in self.moves.locals.iter().zip(&locals) {
            self.solo(local, own, &mut next, sink);
            for &rule in local.led(own) {
                let roles = self.moves.roles(rule);
                let can = |role: &Role| {
                    !self.moves.deltas(*role, locals[role.component as usize]).is_empty()
                };
                if roles.iter().all(can) {
                    let mut meeting = Meeting { composition: self, locals: &locals, rule, sink };
                    meeting.go(roles, &mut next);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn encode(&self, state: &Joint, bytes: &mut Vec<u8>) {
        let end = bytes.len() + self.layout.n_bytes;
        for word in &state.words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.truncate(end);
    }

    fn decode(&self, bytes: &[u8]) -> Joint {
        let mut state = Joint { words: SmallVec::new() };
        self.decode_into(bytes, &mut state);
        state
    }

    fn try_decode(&self, bytes: &[u8]) -> Option<Joint> {
        if bytes.len() != self.layout.n_bytes {
            return None;
        }
        let state = self.decode(bytes);
        let locals = 0..self.component_count();
        let locals: Vec<_> = locals.map(|i| self.component_state(&state, i)).collect();
        self.joint(&locals).filter(|again| *again == state)
    }

    /// Whether the whole has terminated, not only one of its components.
    fn has_terminated(&self, state: &Joint) -> bool {
        self.is_after_tick(state)
    }

    #[inline]
    fn decode_into(&self, bytes: &[u8], state: &mut Joint) {
        state.words.clear();
        let (words, rest) = bytes.as_chunks::<8>();
        state.words.extend(words.iter().map(|word| u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            state.words.push(u64::from_le_bytes(last));
        }
    }
}

impl Composition {
    /// The steps that a component takes alone.
    #[inline]
    fn solo(&self, local: &Local, own: u32, next: &mut Joint, sink: &mut impl Sink<Self>) {
        let word = local.field.word as usize;
        for step in local.solo(own) {
            next.words[word] = next.words[word].wrapping_add(step.delta);
            sink.push(step.rule, next);
            next.words[word] = next.words[word].wrapping_sub(step.delta);
        }
    }
}
