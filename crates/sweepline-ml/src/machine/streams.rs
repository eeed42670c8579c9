//! The primitives that reach out of the model: all refused, except printing.

use crate::prim::Prim;

use super::Print;
use super::layout::Word;
use super::prims::Context;
use super::raised::Stop;

/// The most printed bytes that are kept.
const MOST_PRINTED: usize = 1 << 20;

const FILES: &str = "the states of a model must not depend on files, and exploring visits them in any \
                     order: put the data into a declaration";
const CHANCE: &str = "a state space must not depend on chance: choose by a free variable of a small \
                      colour set, or give a seed, by `--seed`";
const CLOCK: &str = "a state space must not depend on the clock: use the model time, `time ()`";
const OUTSIDE: &str = "a state space must not depend on where it is computed: put the value into a \
                       declaration";

impl Context<'_> {
    pub(super) fn stream(&mut self, op: Prim, args: &[Word]) -> Result<Word, Stop> {
        match op {
            Prim::Print => self.print(args[0]),
            Prim::Output => self.print(args[1]),
            Prim::StdIn => Ok(0),
            Prim::StdOut => Ok(1),
            Prim::StdErr => Ok(2),
            Prim::FlushOut | Prim::CloseOut | Prim::CloseIn => Ok(0),
            Prim::Random => match &mut self.world.random {
                Some(random) => Ok(random.unit().to_bits()),
                None => Err(Stop::Refused("a random function", CHANCE)),
            },
            Prim::Clock => Err(Stop::Refused("the time of day", CLOCK)),
            Prim::GetEnv => Err(Stop::Refused("`getEnv`", OUTSIDE)),
            Prim::GetDir => Err(Stop::Refused("the current folder", OUTSIDE)),
            Prim::OpenIn | Prim::FileReadable => Err(Stop::Refused("reading a file", FILES)),
            Prim::OpenOut | Prim::OpenAppend => Err(Stop::Refused("writing a file", FILES)),
            _ => Err(Stop::Refused("reading from a stream", FILES)),
        }
    }

    fn print(&mut self, text: Word) -> Result<Word, Stop> {
        if self.world.print == Print::Keep && self.world.printed.len() < MOST_PRINTED {
            self.charge(self.heap.length(text) / 64)?;
            self.heap.read(text, &mut self.world.printed);
            self.world.printed.truncate(MOST_PRINTED);
        }
        Ok(0)
    }
}
