//! The machine: runs [`Code`], holds values in a heap that is given back whole.

mod bits;
mod code;
mod codec;
mod counters;
mod heap;
mod host;
mod layout;
mod outside;
mod persist;
mod present;
mod prims;
mod raised;
mod random;
mod real;
mod references;
mod run;
mod streams;
mod texts;
mod value;

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use num_bigint::BigInt;

use crate::source::Span;

pub use code::{Code, FunctionId};
pub use codec::{Codec, tag_bytes};
pub use heap::List;
pub use host::{Halt, Host, Memory};
pub use layout::{ConLayout, Content, Layout, LayoutId, Word};
pub use outside::{Fold, Outside, Question};
pub use present::Wording;
pub use raised::{Cause, Raised};
pub use references::Held;
pub use streams::WrittenFile;

pub(crate) use code::{Function, Instr, PrimCall, REGISTERS, Reg};
pub(crate) use codec::is_data;
pub(crate) use heap::{Heap, small_word};
pub(crate) use layout::content_offset;
pub(crate) use raised::ExnLayout;

use random::Random;

/// What an evaluation may use, and what becomes of its effects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Calls and loops of one evaluation.
    pub fuel: u64,
    /// Not zero when evaluations are to end: long ones look at it.
    pub stop: Arc<AtomicU8>,
    /// Bytes of all values.
    pub heap: usize,
    /// Bytes of all frames.
    pub stack: usize,
    /// What `ran`, `uniform` and the other random functions start from. Without it they are
    /// refused: a state space that depends on chance is not one.
    pub seed: Option<u64>,
    /// What becomes of printed text.
    pub print: Print,
    /// What becomes of files that are written.
    pub files: Files,
}

/// What becomes of files that are written. No machine ever touches the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Files {
    /// What is written is forgotten.
    #[default]
    Drop,
    /// They are kept for [`Machine::take_files`], up to 64 MiB.
    Keep,
    /// Opening one is an error: there is no folder for it.
    Refuse,
}

/// What becomes of printed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Print {
    /// It is forgotten.
    #[default]
    Drop,
    /// It is kept for [`Machine::take_printed`], up to a mebibyte.
    Keep,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: 500_000_000,
            stop: Arc::default(),
            heap: 512 << 20,
            stack: 256 << 20,
            seed: None,
            print: Print::Drop,
            files: Files::Drop,
        }
    }
}

/// A place in the heap to go back to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mark(usize);

/// Runs compiled code.
///
/// Values are words; their types say what they mean. Whatever an evaluation makes stays until
/// [`Machine::reset`] goes back to a mark taken before.
#[derive(Clone, Debug)]
pub struct Machine {
    code: Arc<Code>,
    pub(crate) heap: Heap,
    stack: Vec<Word>,
    frames: Vec<run::Frame>,
    handlers: Vec<run::Handler>,
    globals: Vec<Word>,
    limits: Limits,
    fuel: i64,
    /// Where the exception on its way was raised.
    origin: u32,
    /// Evaluations within evaluations.
    nesting: outside::Nesting,
    /// Where what is on its way out of one of those happened, innermost first.
    within: Vec<Span>,
    /// Values below outlive a reset: assignments to references there are remembered.
    floor: usize,
    dirty: Vec<(usize, LayoutId)>,
    /// Something was assigned to a reference that outlives a reset, at any time.
    assigned: bool,
    held: persist::Held,
    world: World,
}

/// What primitives see besides their arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) time: Word,
    pub(crate) step: Word,
    pub(crate) instance: i64,
    /// The bytes of the state that is looked at, as a string.
    pub(crate) state: Option<Word>,
    pub(crate) host: Option<Arc<dyn Host>>,
    pub(crate) random: Option<Random>,
    pub(crate) print: Print,
    pub(crate) printed: Vec<u8>,
    pub(crate) files: Files,
    pub(crate) written: streams::Written,
}

impl Machine {
    /// A machine with all global values computed.
    ///
    /// # Errors
    ///
    /// What their computation raises.
    pub fn new(code: Arc<Code>, limits: Limits) -> Result<Self, Raised> {
        let mut machine = Self::unstarted(code, limits);
        for at in 0..machine.code.initialisers.len() {
            let (_, initialiser) = machine.code.initialisers[at];
            machine.call(initialiser, &[])?;
        }
        machine.keep();
        Ok(machine)
    }

    /// A machine without its global values, which [`Machine::initialise`] computes.
    pub fn unstarted(code: Arc<Code>, limits: Limits) -> Self {
        let heap =
            Heap { words: code.image.clone(), limit: (limits.heap / 8).max(code.image.len()) };
        let zero = small_word(0).unwrap_or_default();
        let world = World {
            step: zero,
            instance: 1,
            random: limits.seed.map(Random::new),
            print: limits.print,
            files: limits.files,
            ..World::default()
        };
        let mut machine = Self {
            globals: vec![0; code.globals.len()],
            stack: vec![0; 4 * REGISTERS],
            frames: Vec::new(),
            handlers: Vec::new(),
            fuel: 0,
            origin: 0,
            nesting: outside::Nesting::default(),
            within: Vec::new(),
            floor: 0,
            dirty: Vec::new(),
            assigned: false,
            held: persist::Held::default(),
            code,
            heap,
            limits,
            world,
        };
        if *machine.code.layout(machine.code.time) == Layout::IntInf {
            machine.world.time = zero;
        }
        machine
    }

    /// What it runs.
    pub fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// Evaluates a function.
    ///
    /// # Errors
    ///
    /// An exception that it does not handle, or a limit.
    pub fn call(&mut self, function: FunctionId, arguments: &[Word]) -> Result<Word, Raised> {
        debug_assert_eq!(
            arguments.len(),
            self.code.functions[function.0 as usize].arity as usize,
            "as many arguments as parameters"
        );
        self.stack[..arguments.len()].copy_from_slice(arguments);
        self.start(function, None)
    }

    /// Matches a value; true fills the outputs.
    ///
    /// # Errors
    ///
    /// A limit: a deep comparison needs memory.
    pub fn call_pattern(
        &mut self,
        pattern: FunctionId,
        value: Word,
        inputs: &[Word],
        outputs: &mut [Word],
    ) -> Result<bool, Raised> {
        self.stack[0] = value;
        self.stack[1..=inputs.len()].copy_from_slice(inputs);
        let matched = self.start(pattern, None)? == 1;
        if matched {
            outputs.copy_from_slice(&self.stack[1..=outputs.len()]);
        }
        Ok(matched)
    }

    /// Where the heap ends now.
    pub fn mark(&self) -> Mark {
        Mark(self.heap.words.len())
    }

    /// Forgets all values made since the mark, except what references made before now hold: that is
    /// moved down.
    pub fn reset(&mut self, mark: Mark) {
        let to = mark.0.max(self.floor);
        if self.dirty.is_empty() {
            self.heap.words.truncate(to);
        } else {
            self.keep_assigned(to);
        }
    }

    /// Keeps all values made so far where they are for as long as the machine lives; `false`, and
    /// nothing is kept, when references hold values that were assigned since: those may yet go.
    pub fn keep(&mut self) -> bool {
        let may = self.dirty.is_empty() && self.held.is_empty(self.floor);
        if may {
            self.floor = self.heap.words.len();
            self.held.begin(self.floor);
        }
        may
    }

    /// Gives back all values made since the mark, [kept](Machine::keep) ones too; `false`, and nothing
    /// goes, when something was ever assigned to a reference that was there before: it may hold them.
    pub fn give_back(&mut self, mark: Mark) -> bool {
        let may = !self.assigned && self.dirty.is_empty() && mark.0 <= self.floor;
        if may {
            self.heap.words.truncate(mark.0);
            self.floor = mark.0;
            self.held.begin(self.floor);
        }
        may
    }

    /// Bytes of all values now.
    pub fn heap_bytes(&self) -> usize {
        self.heap.words.len() * 8
    }

    /// Sets what `time ()` gives: a word of the time type.
    pub fn set_time(&mut self, time: Word) {
        self.world.time = time;
    }

    /// Sets what `inst ()` gives.
    pub fn set_instance(&mut self, instance: u32) {
        self.world.instance = instance.into();
    }

    /// Sets who understands states.
    pub fn set_host(&mut self, host: Arc<dyn Host>) {
        self.world.host = Some(host);
    }

    /// Sets the state that is looked at, until [`Machine::reset`] goes back before it.
    ///
    /// # Errors
    ///
    /// When the heap is full.
    pub fn set_state(&mut self, bytes: &[u8]) -> Result<(), Raised> {
        let state = self.heap.string(bytes).map_err(|stop| self.raised(stop))?;
        self.world.state = Some(state);
        Ok(())
    }

    /// To make values in.
    pub fn memory(&mut self) -> Memory<'_> {
        Memory { code: &self.code, heap: &mut self.heap }
    }

    /// Checks whether evaluations [are to end](Limits::stop): for loops outside of the machine.
    ///
    /// # Errors
    ///
    /// When they are.
    pub fn check_stop(&self) -> Result<(), Raised> {
        match self.limits.stop.load(Ordering::Relaxed) {
            0 => Ok(()),
            _ => Err(self.raised(raised::Stop::Stopped)),
        }
    }

    /// Why there is no value, when making one failed.
    pub fn halted(&self, Halt(stop): Halt) -> Raised {
        self.raised(stop)
    }

    /// The error of an evaluation whose outcome, `what`, is of no use, and what to do about it.
    pub fn refused(&self, what: &'static str, why: &'static str) -> Raised {
        self.raised(raised::Stop::Refused(what, why))
    }

    /// Starts the random numbers again.
    pub fn set_seed(&mut self, seed: u64) {
        self.world.random = Some(Random::new(seed));
    }

    /// What was printed since the last time.
    pub fn take_printed(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.world.printed)
    }

    /// What becomes of files from now on. Those that are open stay so.
    pub fn set_files(&mut self, files: Files) {
        self.world.files = files;
    }

    /// What was written into files since the last time.
    pub fn take_files(&mut self) -> Vec<WrittenFile> {
        self.world.written.take()
    }

    /// The elements of a list, which a multi-set is, too.
    pub fn list(&self, list: Word) -> List<'_> {
        self.heap.list(list)
    }

    /// A field of a record or tuple, by its position in canonical order.
    pub fn field(&self, record: Word, position: usize) -> Word {
        self.heap.get(record, position)
    }

    /// The bytes of a string.
    pub fn string(&self, string: Word) -> Vec<u8> {
        self.heap.bytes(string)
    }

    /// A string as text: its characters are those of ISO 8859-1.
    pub fn text(&self, string: Word) -> String {
        self.string(string).into_iter().map(char::from).collect()
    }

    /// The number in a word of type `IntInf.int`.
    pub fn int_inf(&self, word: Word) -> BigInt {
        self.heap.big(word)
    }

    /// A value as text, whatever its type.
    pub fn show(&self, layout: LayoutId, word: Word) -> String {
        present::show(&self.code, &self.heap, layout, word)
    }

    /// Whether two values are equal, as `=` says.
    pub fn equal(&self, layout: LayoutId, a: Word, b: Word) -> bool {
        value::equal(&self.code, &self.heap, layout, a, b)
    }

    /// A total order: numbers and strings as usual, constructors in order of declaration, records
    /// from the first field in canonical order on, lists element by element.
    pub fn compare(&self, layout: LayoutId, a: Word, b: Word) -> std::cmp::Ordering {
        value::compare(&self.code, &self.heap, layout, a, b)
    }

    /// A word of type `int`.
    pub fn from_int(value: i64) -> Word {
        value as Word
    }

    /// The number in a word of type `int`.
    pub fn to_int(word: Word) -> i64 {
        word as i64
    }
}
