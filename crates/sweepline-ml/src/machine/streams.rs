//! Primitives for input and output. Output is discarded or kept in the machine, and never written outside.
//! Reading is refused.

use crate::prim::Prim;

use super::layout::Word;
use super::prims::Context;
use super::raised::Stop;
use super::{Files, Print};

/// The most printed bytes that are kept.
const MOST_PRINTED: usize = 1 << 20;

/// The most bytes of files that are kept, and the most files.
const MOST_WRITTEN: usize = 64 << 20;
const MOST_FILES: usize = 10_000;

/// The number of the first kept file's stream, and of all discarded streams.
const FIRST_FILE: Word = 3;
const DROPPED: Word = Word::MAX;

/// The time of a stopped clock: the first second of the year 2000.
const STOPPED_CLOCK: f64 = 946_684_800.0;

const FILES: &str =
    "the states of a model must not depend on files: put the data into a declaration";
const CHANCE: &str = "a state space must not depend on random numbers: use a variable of a small colour set in an output arc, \
                      or fix the random numbers with `--seed N`";
const CLOCK: &str = "a state space must not depend on the clock: use the model time, `time ()`, or stop the clock with \
                     `--seed N`";
const OUTSIDE: &str = "a state space must not depend on the machine that computes it: put the value into a declaration";
const NO_FOLDER: &str = "name a folder for files: `--output-dir DIR`";
const TOO_MUCH: &str = "at most 10,000 files and 64 MiB are kept";

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenFile {
    /// Its name in the program.
    pub name: String,
    /// Its content.
    pub text: Vec<u8>,
}

/// The files that a machine has kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    files: Vec<WrittenFile>,
    /// The file of each stream.
    streams: Vec<usize>,
    bytes: usize,
}

impl Written {
    pub(crate) fn take(&mut self) -> Vec<WrittenFile> {
        self.bytes = 0;
        let texts = self.files.iter_mut().map(|file| {
            let (name, text) = (file.name.clone(), std::mem::take(&mut file.text));
            WrittenFile { name, text }
        });
        texts.filter(|file| !file.text.is_empty()).collect()
    }

    fn open(&mut self, name: String, append: bool) -> Result<Word, Stop> {
        let known = self.files.iter().position(|file| file.name == name);
        if self.streams.len() >= MOST_FILES {
            return Err(Stop::Refused("writing more files", TOO_MUCH));
        }
        let at = known.unwrap_or(self.files.len());
        match known {
            None => self.files.push(WrittenFile { name, text: Vec::new() }),
            Some(at) if !append => {
                self.bytes -= self.files[at].text.len();
                self.files[at].text.clear();
            }
            Some(_) => {}
        }
        self.streams.push(at);
        Ok(FIRST_FILE + self.streams.len() as Word - 1)
    }
}

impl Context<'_> {
    pub(super) fn stream(&mut self, op: Prim, args: &[Word]) -> Result<Word, Stop> {
        match op {
            Prim::Print => self.print(args[0]),
            Prim::Output if args[0] < FIRST_FILE => self.print(args[1]),
            Prim::Output => self.write(args[0], args[1]),
            Prim::StdIn => Ok(0),
            Prim::StdOut => Ok(1),
            Prim::StdErr => Ok(2),
            Prim::FlushOut | Prim::CloseOut | Prim::CloseIn => Ok(0),
            Prim::Random => match &mut self.world.random {
                Some(random) => Ok(random.unit().to_bits()),
                None => Err(Stop::Refused("a random function", CHANCE)),
            },
            Prim::Clock => match self.world.random {
                Some(_) => Ok(STOPPED_CLOCK.to_bits()),
                None => Err(Stop::Refused("the time of day", CLOCK)),
            },
            Prim::GetEnv => Err(Stop::Refused("`getEnv`", OUTSIDE)),
            // The folder in which files are written, if they are.
            Prim::GetDir => self.heap.string(b"."),
            Prim::OpenIn | Prim::FileReadable => Err(Stop::Refused("reading a file", FILES)),
            Prim::OpenOut | Prim::OpenAppend => self.open(args[0], op == Prim::OpenAppend),
            _ => Err(Stop::Refused("reading from a stream", FILES)),
        }
    }

    fn open(&mut self, name: Word, append: bool) -> Result<Word, Stop> {
        match self.world.files {
            Files::Drop => Ok(DROPPED),
            Files::Refuse => Err(Stop::Refused("writing a file", NO_FOLDER)),
            Files::Keep => {
                let name = self.heap.bytes(name).into_iter().map(char::from).collect();
                self.world.written.open(name, append)
            }
        }
    }

    fn write(&mut self, stream: Word, text: Word) -> Result<Word, Stop> {
        let written = &mut self.world.written;
        let at = written.streams.get((stream - FIRST_FILE) as usize);
        let (Some(&at), Files::Keep) = (at, self.world.files) else { return Ok(0) };
        let length = self.heap.length(text);
        if written.bytes + length > MOST_WRITTEN {
            return Err(Stop::Refused("writing more into files", TOO_MUCH));
        }
        written.bytes += length;
        self.heap.read(text, &mut written.files[at].text);
        self.charge(length / 64)?;
        Ok(0)
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
