//! Converts markings to values of CPN ML.

use sweepline_ml::{Codec, Halt, Host, Machine, Memory, TimeType, Word};

use crate::explore::marking::{Kind, Marking, Stamp};
use crate::explore::place::PlaceForm;
use crate::explore::time::{Clock, to_real};

/// The encodings of places, to convert markings to lists.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// The codec of each place's colours, and the encoding of its tokens.
    pub(crate) places: Vec<(Codec, PlaceForm)>,
    pub(crate) clock: Clock,
    /// Whether the time is part of a marking.
    pub(crate) timed: bool,
}

impl Parts {
    /// The marking of a place as a multi-set.
    pub(crate) fn tokens(
        &self,
        memory: &mut Memory<'_>,
        marking: &Marking,
        place: usize,
    ) -> Result<Word, Halt> {
        let (codec, form) = &self.places[place];
        let mut tokens: Vec<Word> = Vec::new();
        let mut made = Ok(());
        form.each_token(marking, place, |mut colour, count, stamp| {
            if made.is_err() {
                return;
            }
            let token = memory.decode(*codec, &mut colour).and_then(|colour| match form.kind {
                Kind::Timed => {
                    let time = self.time(memory, stamp)?;
                    memory.record(&[colour, time])
                }
                _ => Ok(colour),
            });
            match token {
                Ok(token) => tokens.extend((0..count).map(|_| token)),
                Err(halt) => made = Err(halt),
            }
        });
        made?;
        tokens.into_iter().rev().try_fold(0, |rest, token| memory.record(&[token, rest]))
    }

    /// A word of the time type.
    pub(crate) fn time(&self, memory: &mut Memory<'_>, stamp: Stamp) -> Result<Word, Halt> {
        match self.clock.0 {
            TimeType::Int => Ok(Machine::from_int(stamp)),
            TimeType::IntInf => memory.int_inf(stamp),
            TimeType::Real => Ok(to_real(stamp).to_bits()),
        }
    }
}

impl Host for Parts {
    fn part(&self, memory: &mut Memory<'_>, part: u32, state: &[u8]) -> Result<Word, Halt> {
        let mut marking = Marking::default();
        let read = marking.decode(self.places.len(), self.timed, state);
        read.ok_or(Halt::MALFORMED)?;
        self.tokens(memory, &marking, part as usize)
    }
}
