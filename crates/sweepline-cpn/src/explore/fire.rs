//! Occurrences: what a binding takes and puts.

use sweepline_ml::{FunctionId, Machine, Word};

use crate::explore::marking::{Bag, Marking, Stamp, exchange, exchange_timed, without_available};
use crate::explore::search::Search;
use crate::explore::time::Clock;
use crate::explore::transition::{Form, Given, Place, Tokens, Transition, Unit};
use crate::explore::trouble::Trouble;

/// Tokens taken and put by one occurrence, for each place that it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    minus: Vec<Bag>,
    plus: Vec<Bag>,
    /// What is left of the places that something is taken from.
    left: Vec<Vec<u8>>,
}

impl Exchange {
    fn clear(&mut self, places: usize) {
        let places = places.max(self.minus.len());
        self.minus.resize_with(places, Bag::default);
        self.plus.resize_with(places, Bag::default);
        self.left.resize_with(places, Vec::new);
        self.minus.iter_mut().chain(&mut self.plus).for_each(Bag::clear);
    }

    /// Gathers what the binding takes; `false` when it is not there.
    pub(crate) fn take(
        &mut self,
        search: &mut Search<'_>,
        transition: &Transition,
        marking: &Marking,
        now: Stamp,
        clock: Clock,
    ) -> Result<bool, Trouble> {
        self.clear(transition.changes.len());
        for take in &transition.takes {
            let bag = &mut self.minus[index(transition, take.place)];
            match &take.tokens {
                Tokens::Picked { pick, count } => {
                    let colour = &search.scratch.picked[*pick];
                    bag.add(*count, now, |bytes| bytes.extend_from_slice(colour));
                }
                Tokens::Counted { call, count } => {
                    let value = search.call(call)?;
                    let codec = search.places[take.place].codec;
                    let mut written = Ok(());
                    bag.add(*count, now, |bytes| {
                        written = codec.encode(search.machine, value, bytes);
                    });
                    written?;
                }
                Tokens::Given(given) => {
                    let legal = None;
                    gather(search, given, (take.place, legal), now, clock, Ok, bag)?;
                }
            }
        }
        Ok(self.is_there(search, transition, marking))
    }

    /// Writes what is left of every place that something is taken from; `false` when it is not there.
    fn is_there(
        &mut self,
        search: &Search<'_>,
        transition: &Transition,
        marking: &Marking,
    ) -> bool {
        let Exchange { minus, left, .. } = self;
        transition.changes.iter().zip(minus).zip(left).all(|((&place, bag), left)| {
            left.clear();
            bag.sort();
            bag.is_empty()
                || swap(search.places[place].timed)(
                    marking.segment(place),
                    bag,
                    &Bag::default(),
                    left,
                )
        })
    }

    /// Runs the code segment, gathers what is put, and writes the marking that results.
    pub(crate) fn put(
        &mut self,
        search: &mut Search<'_>,
        transition: &Transition,
        marking: &Marking,
        now: Stamp,
        clock: Clock,
        next: &mut Marking,
    ) -> Result<(), Trouble> {
        if let Some(action) = &transition.code {
            let value = search.call(&action.call)?;
            match &action.outputs[..] {
                [] => {}
                [slot] => search.scratch.slots[*slot] = value,
                slots => {
                    for (position, &slot) in slots.iter().enumerate() {
                        search.scratch.slots[slot] = search.machine.field(value, position);
                    }
                }
            }
        }
        let delay = match &transition.delay {
            Some((call, Unit::Int)) => clock.units(Machine::to_int(search.call(call)?)),
            Some((call, Unit::Time)) => {
                let time = search.call(call)?;
                clock.stamp(search.machine, time)?
            }
            None => 0,
        };
        for put in &transition.puts {
            let bag = &mut self.plus[index(transition, put.place)];
            let later = |stamp: Stamp| clock.later(stamp, delay);
            gather(search, &put.given, (put.place, put.legal), now, clock, later, bag)?;
        }
        self.plus.iter_mut().for_each(Bag::sort);
        next.replace(marking, &transition.changes, |place, before, out| {
            let at = index(transition, place);
            let (start, plus) = (out.len(), &self.plus[at]);
            let left = if self.minus[at].is_empty() { before } else { &self.left[at] };
            if plus.is_empty() {
                out.extend_from_slice(left);
            } else {
                swap(search.places[place].timed)(left, &Bag::default(), plus, out);
            }
            if transition.resets.contains(&place) {
                without_available(search.places[place].timed, start, now, out);
            }
        });
        next.time = now;
        Ok(())
    }
}

pub(crate) type Swap = fn(&[u8], &Bag, &Bag, &mut Vec<u8>) -> bool;

pub(crate) fn swap(timed: bool) -> Swap {
    if timed { exchange_timed } else { exchange }
}

/// Where among the places that the transition changes this one is.
fn index(transition: &Transition, place: usize) -> usize {
    transition.changes.binary_search(&place).expect("it takes or puts there")
}

/// Calls `each` with the bytes and the stamp of every token that an expression gives.
pub(crate) fn each_token(
    search: &mut Search<'_>,
    given: &Given,
    place: usize,
    now: Stamp,
    clock: Clock,
    mut each: impl FnMut(&mut Search<'_>, &[u8], Stamp) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let value = search.call(&given.call)?;
    let codec = search.places[place].codec;
    let mut bytes = std::mem::take(&mut search.scratch.bytes);
    let mut one = |search: &mut Search<'_>, colour: Word, stamp: Stamp| {
        bytes.clear();
        codec.encode(search.machine, colour, &mut bytes)?;
        each(search, &bytes, stamp)
    };
    if given.form == Form::Token {
        one(search, value, now)?;
    } else {
        let mut list = value;
        while list != 0 {
            let (head, tail) = (search.machine.field(list, 0), search.machine.field(list, 1));
            match given.form {
                Form::Timed => {
                    let stamp = clock.stamp(search.machine, search.machine.field(head, 1))?;
                    one(search, search.machine.field(head, 0), stamp)?;
                }
                _ => one(search, head, now)?,
            }
            list = tail;
        }
    }
    search.scratch.bytes = bytes;
    Ok(())
}

/// Adds the tokens that an expression gives to `bag`, each stamped by `later`; checks that they are
/// `legal`, where they may not be.
fn gather(
    search: &mut Search<'_>,
    given: &Given,
    (place, legal): (usize, Option<FunctionId>),
    now: Stamp,
    clock: Clock,
    later: impl Fn(Stamp) -> Result<Stamp, Trouble>,
    bag: &mut Bag,
) -> Result<(), Trouble> {
    let Some(memo) = given.memo else {
        return each_token(search, given, place, now, clock, |search, colour, stamp| {
            check(search, place, legal, colour)?;
            bag.add(1, later(stamp)?, |bytes| bytes.extend_from_slice(colour));
            Ok(())
        });
    };
    let mut key = std::mem::take(&mut search.scratch.key);
    search.arguments_as_bytes(&given.call, &mut key)?;
    let stamp = later(now)?;
    if let Some(known) = search.scratch.memos[memo].get(&key) {
        bag.add_all(known, stamp);
    } else {
        let mut fresh = Bag::default();
        each_token(search, given, place, now, clock, |search, colour, _| {
            check(search, place, legal, colour)?;
            fresh.add(1, 0, |bytes| bytes.extend_from_slice(colour));
            Ok(())
        })?;
        fresh.sort();
        bag.add_all(&fresh, stamp);
        search.scratch.memos[memo].insert(&key, &fresh);
    }
    search.scratch.key = key;
    Ok(())
}

fn check(
    search: &mut Search<'_>,
    place: usize,
    legal: Option<FunctionId>,
    colour: &[u8],
) -> Result<(), Trouble> {
    let Some(function) = legal else { return Ok(()) };
    let Place { codec, show, name, .. } = &search.places[place];
    let value = codec.decode(search.machine, &mut &*colour)?;
    if search.machine.call(function, &[value])? != 0 {
        return Ok(());
    }
    let text = search.machine.call(*show, &[value])?;
    let colour = search.machine.string(text).into_iter().map(char::from).collect();
    Err(Trouble::Illegal { place: name.clone(), colour })
}
