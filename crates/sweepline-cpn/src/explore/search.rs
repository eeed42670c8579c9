//! Binding search: finds the bindings of a transition in a marking.

use sweepline_ml::{Codec, Machine, Word};

use crate::explore::error::SuccessorError;
use crate::explore::place::Place;
use crate::explore::transition::{Call, Match, Step, Transition, Values};
use crate::explore::view::{View, Visible};

/// The data of a search, reused between searches.
pub(crate) struct BindingSearch<'a> {
    pub(crate) places: &'a [Place],
    /// The codecs of the variables of the transition.
    pub(crate) codecs: &'a [Codec],
    /// The tokens that can be picked.
    pub(crate) view: &'a View,
    pub(crate) machine: &'a mut Machine,
    pub(crate) scratch: &'a mut Scratch,
}

/// Buffers of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The values of the variables.
    pub(crate) slots: Vec<Word>,
    /// The picked tokens.
    picked: Vec<Option<Visible>>,
    /// The colour encoded last.
    pub(crate) bytes: Vec<u8>,
    arguments: Vec<Word>,
    outputs: Vec<Word>,
    /// Steps of this search.
    n_steps: u32,
}

/// The number of search steps between two checks of the stop flag.
const STEPS: u32 = 1 << 17;

/// How a search ended.
pub(crate) enum Outcome {
    /// All bindings were found.
    Done,
    /// `found` returned `false`.
    Stopped,
}

impl BindingSearch<'_> {
    /// Calls `found` for every binding under which patterns match and guards hold, with all variables except
    /// those of the code segment in `scratch.slots`. `found` must check that the place has enough tokens for
    /// all input arcs together.
    pub(crate) fn run(
        &mut self,
        transition: &Transition,
        found: &mut dyn FnMut(&mut BindingSearch<'_>) -> Result<bool, SuccessorError>,
    ) -> Result<Outcome, SuccessorError> {
        self.scratch.n_steps = 0;
        self.scratch.slots.clear();
        self.scratch.slots.resize(transition.variables.len(), 0);
        let picks = self.scratch.picked.len().max(transition.picks);
        self.scratch.picked.resize(picks, None);
        self.machine.set_instance(transition.instance);
        self.step(transition, 0, found)
    }

    fn step(
        &mut self,
        transition: &Transition,
        at: usize,
        found: &mut dyn FnMut(&mut BindingSearch<'_>) -> Result<bool, SuccessorError>,
    ) -> Result<Outcome, SuccessorError> {
        self.scratch.n_steps = self.scratch.n_steps.wrapping_add(1);
        if self.scratch.n_steps.is_multiple_of(STEPS) {
            self.machine.check_stop()?;
        }
        let Some(step) = transition.steps.get(at) else {
            return Ok(if found(self)? { Outcome::Done } else { Outcome::Stopped });
        };
        let holds = match step {
            Step::Pick { .. } => return self.pick(transition, at, found),
            Step::Each { slot, values } => return self.each(transition, *slot, values, at, found),
            Step::Test(call) => self.call(call)? != 0,
            Step::Confirm { pick, place, call } => {
                let value = self.call(call)?;
                self.encode(*place, value)? && self.scratch.bytes == self.picked(*pick)
            }
            Step::Legal { slot, function } => {
                self.machine.call(*function, &[self.scratch.slots[*slot]])? != 0
            }
            Step::Let { value, matching } => {
                let value = self.call(value)?;
                self.matches(matching, value)?
            }
        };
        if holds { self.step(transition, at + 1, found) } else { Ok(Outcome::Done) }
    }

    /// Tries every colour on a place.
    fn pick(
        &mut self,
        transition: &Transition,
        at: usize,
        found: &mut dyn FnMut(&mut BindingSearch<'_>) -> Result<bool, SuccessorError>,
    ) -> Result<Outcome, SuccessorError> {
        let Step::Pick { pick, place, needed, matching } = &transition.steps[at] else {
            unreachable!("only called for picks")
        };
        let view = self.view;
        let mark = self.machine.mark();
        for token in view.tokens(*place).iter().filter(|token| token.available >= *needed) {
            if self.matches(matching, token.word)? {
                self.scratch.picked[*pick] = Some(*token);
                if let Outcome::Stopped = self.step(transition, at + 1, found)? {
                    return Ok(Outcome::Stopped);
                }
            }
            self.machine.reset(mark);
        }
        Ok(Outcome::Done)
    }

    /// Tries every value of a colour set.
    fn each(
        &mut self,
        transition: &Transition,
        slot: usize,
        values: &Values,
        at: usize,
        found: &mut dyn FnMut(&mut BindingSearch<'_>) -> Result<bool, SuccessorError>,
    ) -> Result<Outcome, SuccessorError> {
        let fresh: Vec<Word>;
        let values = match values {
            Values::Known(words) => words,
            Values::Computed(all) => {
                let list = self.machine.call(*all, &[0])?;
                fresh = self.machine.list(list).collect();
                &fresh
            }
        };
        let mark = self.machine.mark();
        for &value in values {
            self.scratch.slots[slot] = value;
            if let Outcome::Stopped = self.step(transition, at + 1, found)? {
                return Ok(Outcome::Stopped);
            }
            self.machine.reset(mark);
        }
        Ok(Outcome::Done)
    }

    /// The colour of a picked token.
    pub(crate) fn picked(&self, pick: usize) -> &[u8] {
        let token = self.scratch.picked[pick].expect("it was picked on the way to this binding");
        self.view.colour(token)
    }

    /// Encodes a colour of a place in `scratch.bytes`. Returns `false` if the place cannot have this colour.
    pub(crate) fn encode(&mut self, place: usize, colour: Word) -> Result<bool, SuccessorError> {
        Ok(self.places[place].encode(self.machine, colour, &mut self.scratch.bytes)?)
    }

    /// Appends the encoded values of all variables.
    pub(crate) fn encode_binding(&self, out: &mut Vec<u8>) -> Result<(), SuccessorError> {
        for (codec, &word) in self.codecs.iter().zip(&self.scratch.slots) {
            codec.encode(self.machine, word, out)?;
        }
        Ok(())
    }

    /// Whether the words of all variables keep their meaning for the lifetime of the machine.
    pub(crate) fn binding_lasts(&self) -> bool {
        let BindingSearch { codecs, machine, scratch, .. } = self;
        codecs.iter().zip(&scratch.slots).all(|(codec, &word)| codec.lasts(machine, word))
    }

    pub(crate) fn call(&mut self, call: &Call) -> Result<Word, SuccessorError> {
        call.arguments(&self.scratch.slots, &mut self.scratch.arguments);
        Ok(self.machine.call(call.function, &self.scratch.arguments)?)
    }

    fn matches(&mut self, matching: &Match, value: Word) -> Result<bool, SuccessorError> {
        let Scratch { slots, arguments, outputs, .. } = &mut *self.scratch;
        let matching = match matching {
            Match::Whole(slot) => {
                slots[*slot] = value;
                return Ok(true);
            }
            Match::Parts(matching) => matching,
        };
        arguments.clear();
        arguments.extend(matching.inputs.iter().map(|&slot| slots[slot]));
        outputs.clear();
        outputs.resize(matching.outputs.len(), 0);
        let matched = self.machine.call_pattern(matching.pattern, value, arguments, outputs)?;
        if matched {
            for (&slot, &word) in matching.outputs.iter().zip(&*outputs) {
                slots[slot] = word;
            }
        }
        Ok(matched)
    }
}
