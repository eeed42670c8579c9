//! Occurrences: the tokens that a binding removes and adds.

use sweepline_ml::{FunctionId, Machine, Word};

use crate::explore::effect::{Effect, Effects, Known};
use crate::explore::error::SuccessorError;
use crate::explore::marking::{Bag, Marking, Stamp};
use crate::explore::search::BindingSearch;
use crate::explore::time::Clock;
use crate::explore::transition::{Call, Form, Given, Put, Take, Tokens, Transition, Unit};

/// A marking at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<'a> {
    pub(crate) marking: &'a Marking,
    pub(crate) now: Stamp,
    pub(crate) clock: Clock,
    /// Whether the time is part of the marking.
    pub(crate) timed: bool,
}

/// Computes the marking after an occurrence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    /// The cached effects of each transition.
    effects: Vec<Effects>,
    /// The effect of a binding that is not cached.
    once: Effect,
    /// A buffer for the rest of a place.
    left: Vec<u8>,
    /// How long before their time stamps bindings may remove tokens from places.
    leads: Vec<(usize, Stamp)>,
}

impl Exchange {
    pub(crate) fn new(transitions: usize) -> Self {
        Exchange { effects: vec![Effects::default(); transitions], ..Exchange::default() }
    }

    /// How long before their time stamps the bindings found so far may remove tokens from places, if that
    /// depends on the binding.
    pub(crate) fn leads(&self) -> &[(usize, Stamp)] {
        &self.leads
    }

    pub(crate) fn forget_leads(&mut self) {
        self.leads.clear();
    }

    /// Clears the cache, because the words of bindings get another meaning.
    pub(crate) fn forget_effects(&mut self) {
        self.effects.iter_mut().for_each(Effects::forget);
    }

    fn find_leads(
        &mut self,
        search: &mut BindingSearch<'_>,
        transition: &Transition,
        clock: Clock,
    ) -> Result<(), SuccessorError> {
        for (place, call, unit) in &transition.leads {
            let lead = (*place, delay(search, call, *unit, clock)?);
            if !self.leads.contains(&lead) {
                self.leads.push(lead);
            }
        }
        Ok(())
    }

    /// Writes the marking after an occurrence of the binding in `search`. Returns `false` if a token to be
    /// removed is missing.
    pub(crate) fn fire(
        &mut self,
        search: &mut BindingSearch<'_>,
        (number, transition): (usize, &Transition),
        moment: Moment<'_>,
        next: &mut Marking,
    ) -> Result<bool, SuccessorError> {
        self.find_leads(search, transition, moment.clock)?;
        let changes = transition.changes.len();
        let remembered = transition.pure && search.binding_lasts();
        let effect = if remembered {
            self.effects[number].find(&search.scratch.slots, changes)
        } else {
            self.once.clear(changes);
            &mut self.once
        };
        if effect.known == Known::Never {
            return Ok(false);
        }
        if transition.timed {
            effect.restamp(moment)?;
        }
        if effect.known == Known::Nothing {
            effect.take(search, transition, moment)?;
        }
        let made = effect.known != Known::All;
        if made {
            if !effect.is_there(search, transition, moment.marking, &mut self.left) {
                return Ok(false);
            }
            effect.put(search, transition, moment)?;
        }
        let written = effect.write(search, transition, moment, next);
        if let Some(bytes) = effect.large().filter(|_| remembered && made) {
            self.effects[number].count_large(bytes);
        }
        Ok(written)
    }

    /// The tokens that the binding in `search` removes and adds, whatever the marking is. `None` if it can never occur.
    pub(crate) fn effect(
        &mut self,
        search: &mut BindingSearch<'_>,
        transition: &Transition,
        moment: Moment<'_>,
    ) -> Result<Option<(&[Bag], &[Bag])>, SuccessorError> {
        self.once.clear(transition.changes.len());
        self.once.take(search, transition, moment)?;
        if self.once.known == Known::Never {
            return Ok(None);
        }
        self.once.put(search, transition, moment)?;
        Ok(Some((&self.once.minus, &self.once.plus)))
    }

    /// Whether the tokens that the binding in `search` removes are in the marking.
    pub(crate) fn removes(
        &mut self,
        search: &mut BindingSearch<'_>,
        transition: &Transition,
        moment: Moment<'_>,
    ) -> Result<bool, SuccessorError> {
        self.once.clear(transition.changes.len());
        self.once.take(search, transition, moment)?;
        Ok(self.once.is_there(search, transition, moment.marking, &mut self.left))
    }
}

impl Effect {
    /// Sets the time stamps: removed tokens must be available now, and added tokens get the time after the
    /// delay.
    fn restamp(&mut self, moment: Moment<'_>) -> Result<(), SuccessorError> {
        let later = moment.clock.later(moment.now, self.delay)?;
        self.minus.iter_mut().for_each(|bag| bag.stamp(moment.now));
        self.plus.iter_mut().for_each(|bag| bag.stamp(later));
        Ok(())
    }

    /// Computes the tokens to be removed.
    fn take(
        &mut self,
        search: &mut BindingSearch<'_>,
        transition: &Transition,
        Moment { now, clock, .. }: Moment<'_>,
    ) -> Result<(), SuccessorError> {
        self.known = Known::Minus;
        for Take { place, at, tokens } in &transition.takes {
            let bag = &mut self.minus[*at];
            match tokens {
                Tokens::Picked { pick, count } => bag.add(*count, now, search.picked(*pick)),
                Tokens::Counted { call, count } => {
                    let value = search.call(call)?;
                    if !search.encode(*place, value)? {
                        self.known = Known::Never;
                        continue;
                    }
                    bag.add(*count, now, &search.scratch.bytes);
                }
                Tokens::Given(given) => {
                    let known = &mut self.known;
                    each_token(search, given, now, clock, |search, colour, stamp| {
                        if search.encode(*place, colour)? {
                            bag.add(1, stamp, &search.scratch.bytes);
                        } else {
                            *known = Known::Never;
                        }
                        Ok(())
                    })?;
                }
            }
        }
        for (bag, &place) in self.minus.iter_mut().zip(&transition.changes) {
            bag.sort(search.places[place].kind);
        }
        Ok(())
    }

    /// Whether the tokens to be removed are in the marking.
    fn is_there(
        &self,
        search: &BindingSearch<'_>,
        transition: &Transition,
        marking: &Marking,
        left: &mut Vec<u8>,
    ) -> bool {
        self.known != Known::Never
            && transition.changes.iter().zip(&self.minus).all(|(&place, minus)| {
                left.clear();
                let (kind, segment) = (search.places[place].kind, marking.segment(place));
                minus.is_empty() || kind.exchange(segment, minus, &Bag::default(), left)
            })
    }

    /// Runs the code segment and computes the tokens to be added.
    fn put(
        &mut self,
        search: &mut BindingSearch<'_>,
        transition: &Transition,
        Moment { now, clock, .. }: Moment<'_>,
    ) -> Result<(), SuccessorError> {
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
        self.delay = match &transition.delay {
            Some((call, unit)) => delay(search, call, *unit, clock)?,
            None => 0,
        };
        for Put { place, at, given, legal } in &transition.puts {
            let bag = &mut self.plus[*at];
            each_token(search, given, now, clock, |search, colour, stamp| {
                check(search, *place, *legal, colour)?;
                bag.add(1, clock.later(stamp, self.delay)?, &search.scratch.bytes);
                Ok(())
            })?;
        }
        for (bag, &place) in self.plus.iter_mut().zip(&transition.changes) {
            bag.sort(search.places[place].kind);
        }
        self.known = Known::All;
        Ok(())
    }

    /// Writes the resulting marking. Returns `false` if a token to be removed is missing.
    fn write(
        &self,
        search: &BindingSearch<'_>,
        transition: &Transition,
        moment: Moment<'_>,
        next: &mut Marking,
    ) -> bool {
        let time = moment.timed.then_some(moment.now);
        next.replace(moment.marking, time, &transition.changes, |at, before, out| {
            let (place, start) = (transition.changes[at], out.len());
            let kind = search.places[place].kind;
            if !kind.exchange(before, &self.minus[at], &self.plus[at], out) {
                return false;
            }
            if transition.resets.contains(&place) {
                kind.empty(start, moment.now, out);
            }
            true
        })
    }
}

fn delay(
    search: &mut BindingSearch<'_>,
    call: &Call,
    unit: Unit,
    clock: Clock,
) -> Result<Stamp, SuccessorError> {
    let value = search.call(call)?;
    match unit {
        Unit::Int => Ok(clock.units(Machine::to_int(value))),
        Unit::Time => clock.stamp(search.machine, value),
    }
}

/// Calls `each` with every token of an inscription's value, and its time stamp.
pub(crate) fn each_token(
    search: &mut BindingSearch<'_>,
    given: &Given,
    now: Stamp,
    clock: Clock,
    mut each: impl FnMut(&mut BindingSearch<'_>, Word, Stamp) -> Result<(), SuccessorError>,
) -> Result<(), SuccessorError> {
    let mut list = search.call(&given.call)?;
    if given.form == Form::Token {
        return each(search, list, now);
    }
    while list != 0 {
        let (head, tail) = (search.machine.field(list, 0), search.machine.field(list, 1));
        if given.form == Form::Timed {
            let stamp = clock.stamp(search.machine, search.machine.field(head, 1))?;
            each(search, search.machine.field(head, 0), stamp)?;
        } else {
            each(search, head, now)?;
        }
        list = tail;
    }
    Ok(())
}

/// Encodes a colour that is added to a place in `scratch.bytes`. Fails if it is not in the colour set.
pub(crate) fn check(
    search: &mut BindingSearch<'_>,
    place: usize,
    legal: Option<FunctionId>,
    colour: Word,
) -> Result<(), SuccessorError> {
    let is_legal = match legal {
        _ if search.places[place].ranks.is_some() => search.encode(place, colour)?,
        Some(legal) => {
            search.machine.call(legal, &[colour])? != 0 && search.encode(place, colour)?
        }
        None => search.encode(place, colour)?,
    };
    if is_legal {
        return Ok(());
    }
    let place = &search.places[place];
    let colour = place.show(search.machine, colour)?;
    Err(SuccessorError::Illegal { place: place.name.clone(), colour })
}
