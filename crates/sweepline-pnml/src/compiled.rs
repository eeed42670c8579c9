//! The transitions of a net, compiled for one layout of its markings.

use sweepline::compiled::{Bits, Field, Guard, Transition, TransitionSystem};

use crate::net::{Net, PlaceId, TransitionId};
use crate::packed::{Layout, Slot};

/// In nets with more transitions than this, enabled transitions are found from the marked places.
const SCAN: usize = 512;

/// Compiles the transitions of `net` for markings in one layout, starting at `initial`. Transitions have the
/// numbers of the net.
pub(crate) fn compile(
    net: &Net,
    layout: &Layout,
    bounds: &[Option<u64>],
    initial: Vec<u64>,
) -> TransitionSystem {
    let mut system = TransitionSystem::new(initial);
    for transition in &net.transitions {
        let mut enabling = Enabling::default();
        for &(place, weight) in &transition.inputs {
            enabling.need(&layout.slots[place.index()], weight);
        }
        let mut compiled = Transition { guards: enabling.guards(), ..Transition::default() };
        for (place, change) in transition.changes() {
            add_change(&mut compiled, layout, bounds[place.index()].is_some(), place, change);
        }
        system.add(compiled);
    }
    if net.transitions.len() > SCAN {
        let keys = keys(net, layout);
        system.seek_by(|transition| keys[transition as usize]);
    }
    system
}

/// The change of a place by firing, and the condition that the result fits.
fn add_change(
    transition: &mut Transition,
    layout: &Layout,
    is_bounded: bool,
    place: PlaceId,
    change: i128,
) {
    let Slot::Field(field) = layout.slots[place.index()] else { return };
    transition.additions.push((field.word, (change as u64).wrapping_shl(field.shift)));
    let gain = change.max(0) as u64;
    if gain == 0 || is_bounded {
        return;
    }
    // If not even an empty place has room, the result never fits this layout.
    transition.room.push((field, field.most.checked_sub(gain).map_or(0, |most| most + 1)));
}

/// The enabling condition of a transition, collected place by place.
#[derive(Default)]
struct Enabling {
    /// Bits that must have the expected value, by word.
    equal: Vec<Bits>,
    /// Places of several bits that must not be empty.
    marked: Vec<Bits>,
    others: Vec<Guard>,
    never: bool,
}

impl Enabling {
    fn need(&mut self, slot: &Slot, weight: u64) {
        match slot {
            Slot::Field(field) if weight > field.most => self.never = true,
            Slot::Field(field) if field.most == 1 => {
                self.expect(field.word, 1 << field.shift, true)
            }
            Slot::Field(field) => {
                let mask = field.most << field.shift;
                self.marked.push(Bits { word: field.word, mask, expected: 0, not: true });
                if weight > 1 {
                    self.others.push(Guard::AtLeast(*field, weight));
                }
            }
            Slot::Rest(rest) if weight > rest.total => self.never = true,
            // The only token of the invariant must be in this place.
            Slot::Rest(rest) if rest.total == 1 => {
                for (field, _) in &rest.others {
                    self.expect(field.word, field.most << field.shift, false);
                }
            }
            Slot::Rest(rest) => {
                self.others.push(Guard::SumAtMost(rest.others.clone(), rest.total - weight));
            }
        }
    }

    /// The bits `bits` of `word` must be set, or clear.
    fn expect(&mut self, word: u32, bits: u64, set: bool) {
        let expected = if set { bits } else { 0 };
        match self.equal.iter_mut().find(|test| test.word == word) {
            Some(test) => {
                self.never |= test.mask & bits & (test.expected ^ expected) != 0;
                test.mask |= bits;
                test.expected |= expected;
            }
            None => self.equal.push(Bits { word, mask: bits, expected, not: false }),
        }
    }

    /// All guards; those that reject most cheaply come first.
    fn guards(self) -> Vec<Guard> {
        let never = self.never.then_some(Bits::NEVER);
        let bits = never.into_iter().chain(self.equal).chain(self.marked);
        bits.map(Guard::Bits).chain(self.others).collect()
    }
}

/// For each transition, the stored input place that the fewest transitions share.
fn keys(net: &Net, layout: &Layout) -> Vec<Option<Field>> {
    let mut consumers = vec![0u32; net.places.len()];
    for transition in &net.transitions {
        for &(place, _) in &transition.inputs {
            consumers[place.index()] += 1;
        }
    }
    let key = |id: TransitionId| {
        let inputs = net.transitions[id.index()].inputs.iter().map(|&(place, _)| place);
        let stored = inputs.filter_map(|place| match layout.slots[place.index()] {
            Slot::Field(field) => Some((place, field)),
            Slot::Rest(_) => None,
        });
        stored.min_by_key(|(place, _)| (consumers[place.index()], *place)).map(|(_, field)| field)
    };
    net.transition_ids().map(key).collect()
}
