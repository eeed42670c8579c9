//! Finding the bindings of a transition in a marking.

use sweepline_ml::{Codec, Machine, Word};

use crate::explore::marking::{Marking, Stamp};
use crate::explore::memo::Memo;
use crate::explore::transition::{Call, Match, Place, Step, Transition};
use crate::explore::trouble::Trouble;

/// What the search works with, kept from one to the next.
pub(crate) struct Search<'a> {
    pub(crate) places: &'a [Place],
    /// The codecs of the variables of the transition.
    pub(crate) codecs: &'a [Codec],
    pub(crate) machine: &'a mut Machine,
    pub(crate) scratch: &'a mut Scratch,
}

/// Memory of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The values of the variables.
    pub(crate) slots: Vec<Word>,
    /// The colours that were picked.
    pub(crate) picked: Vec<Vec<u8>>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) key: Vec<u8>,
    pub(crate) memos: Vec<Memo>,
    arguments: Vec<Word>,
    outputs: Vec<Word>,
}

impl Scratch {
    /// With room for what `memos` expressions give.
    pub(crate) fn new(memos: usize) -> Self {
        Scratch { memos: vec![Memo::default(); memos], ..Scratch::default() }
    }
}

/// What became of a search.
pub(crate) enum Outcome {
    /// All bindings were seen.
    Done,
    /// `found` asked to stop.
    Stopped,
}

impl Search<'_> {
    /// Calls `found` for every binding under which patterns match and guards hold, with all variables
    /// but those of the code segment in `scratch.slots`. Whether there are tokens enough for all that
    /// is taken together is for `found` to see.
    pub(crate) fn run(
        &mut self,
        transition: &Transition,
        marking: &Marking,
        now: Stamp,
        found: &mut dyn FnMut(&mut Search<'_>) -> Result<bool, Trouble>,
    ) -> Result<Outcome, Trouble> {
        self.scratch.slots.clear();
        self.scratch.slots.resize(transition.variables.len(), 0);
        let picks = self.scratch.picked.len().max(transition.picks);
        self.scratch.picked.resize_with(picks, Vec::new);
        self.machine.set_instance(transition.instance);
        self.step(transition, marking, now, 0, found)
    }

    fn step(
        &mut self,
        transition: &Transition,
        marking: &Marking,
        now: Stamp,
        at: usize,
        found: &mut dyn FnMut(&mut Search<'_>) -> Result<bool, Trouble>,
    ) -> Result<Outcome, Trouble> {
        let Some(step) = transition.steps.get(at) else {
            return Ok(if found(self)? { Outcome::Done } else { Outcome::Stopped });
        };
        let holds = match step {
            Step::Pick { .. } => return self.pick(transition, marking, now, at, found),
            Step::Each { slot, all } => {
                let mut list = self.machine.call(*all, &[0])?;
                while list != 0 {
                    self.scratch.slots[*slot] = self.machine.field(list, 0);
                    list = self.machine.field(list, 1);
                    if let Outcome::Stopped = self.step(transition, marking, now, at + 1, found)? {
                        return Ok(Outcome::Stopped);
                    }
                }
                return Ok(Outcome::Done);
            }
            Step::Test(call) => self.call(call)? != 0,
            Step::Confirm { pick, place, call } => {
                let value = self.call(call)?;
                let codec = self.places[*place].codec;
                self.scratch.bytes.clear();
                codec.encode(self.machine, value, &mut self.scratch.bytes)?;
                self.scratch.bytes == self.scratch.picked[*pick]
            }
            Step::Legal { slot, function } => {
                self.machine.call(*function, &[self.scratch.slots[*slot]])? != 0
            }
            Step::Let { value, matching } => {
                let value = self.call(value)?;
                self.matches(matching, value)?
            }
        };
        if holds { self.step(transition, marking, now, at + 1, found) } else { Ok(Outcome::Done) }
    }

    /// Tries every colour on a place.
    fn pick(
        &mut self,
        transition: &Transition,
        marking: &Marking,
        now: Stamp,
        at: usize,
        found: &mut dyn FnMut(&mut Search<'_>) -> Result<bool, Trouble>,
    ) -> Result<Outcome, Trouble> {
        let Step::Pick { pick, place, needed, matching } = &transition.steps[at] else {
            unreachable!("only called for picks")
        };
        let (pick, place, needed) = (*pick, *place, *needed);
        let Place { codec, timed, .. } = self.places[place];
        let mut visit = |search: &mut Self, colour: &[u8]| {
            let mark = search.machine.mark();
            let value = codec.decode(search.machine, &mut &*colour)?;
            let mut outcome = Outcome::Done;
            if search.matches(matching, value)? {
                search.scratch.picked[pick].clear();
                search.scratch.picked[pick].extend_from_slice(colour);
                outcome = search.step(transition, marking, now, at + 1, found)?;
            }
            search.machine.reset(mark);
            Ok::<Outcome, Trouble>(outcome)
        };
        if timed {
            for (colour, stamps) in marking.timed_tokens(place) {
                let available = stamps.take_while(|&stamp| stamp <= now).count() as u64;
                if available >= needed
                    && let Outcome::Stopped = visit(self, colour)?
                {
                    return Ok(Outcome::Stopped);
                }
            }
        } else {
            for (colour, count) in marking.tokens(place) {
                if count >= needed
                    && let Outcome::Stopped = visit(self, colour)?
                {
                    return Ok(Outcome::Stopped);
                }
            }
        }
        Ok(Outcome::Done)
    }

    pub(crate) fn call(&mut self, call: &Call) -> Result<Word, Trouble> {
        call.arguments(&self.scratch.slots, &mut self.scratch.arguments);
        Ok(self.machine.call(call.function, &self.scratch.arguments)?)
    }

    /// The values of the variables of a call as bytes.
    pub(crate) fn arguments_as_bytes(
        &mut self,
        call: &Call,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Trouble> {
        bytes.clear();
        for &slot in &call.parameters {
            self.codecs[slot].encode(self.machine, self.scratch.slots[slot], bytes)?;
        }
        Ok(())
    }

    fn matches(&mut self, matching: &Match, value: Word) -> Result<bool, Trouble> {
        let Scratch { slots, arguments, outputs, .. } = &mut *self.scratch;
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
