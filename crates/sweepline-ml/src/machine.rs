//! The machine: runs [`Code`] and allocates values in a heap that is freed as a whole.

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

/// Limits of an evaluation, and what happens with its output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The most calls and loop iterations of one evaluation.
    pub fuel: u64,
    /// Set to a non-zero value to stop evaluations. Long evaluations check it.
    pub stop: Arc<AtomicU8>,
    /// The most bytes of all values.
    pub heap: usize,
    /// The most bytes of all stack frames.
    pub stack: usize,
    /// The seed of `ran`, `uniform` and the other random functions. Without a seed they are refused, because a
    /// state space must not depend on random numbers.
    pub seed: Option<u64>,
    /// What happens with printed text.
    pub print: Print,
    /// What happens with written files.
    pub files: Files,
}

/// What happens with written files. A machine never writes to the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Files {
    /// Discard them.
    #[default]
    Drop,
    /// Keep them for [`Machine::take_files`], up to 64 MiB.
    Keep,
    /// Opening a file is an error.
    Refuse,
}

/// What happens with printed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Print {
    /// Discard it.
    #[default]
    Drop,
    /// Keep it for [`Machine::take_printed`], up to 1 MiB.
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

/// A position in the heap to return to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mark(usize);

/// Runs compiled code.
///
/// Values are words; their meaning depends on their types. The values of an evaluation live until
/// [`Machine::reset`] returns to an earlier mark.
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
    /// The address at which the current exception was raised.
    origin: u32,
    /// The state of nested evaluations.
    nesting: outside::Nesting,
    /// The positions of the current error in nested evaluations, innermost first.
    within: Vec<Span>,
    /// Values below this address survive a reset. Assignments to references there are recorded.
    floor: usize,
    dirty: Vec<(usize, LayoutId)>,
    /// Whether a reference that survives a reset was ever assigned.
    assigned: bool,
    held: persist::Held,
    world: World,
}

/// Inputs of primitives besides their arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) time: Word,
    pub(crate) step: Word,
    pub(crate) instance: i64,
    /// The bytes of the current state, as a string.
    pub(crate) state: Option<Word>,
    pub(crate) host: Option<Arc<dyn Host>>,
    pub(crate) random: Option<Random>,
    pub(crate) print: Print,
    pub(crate) printed: Vec<u8>,
    pub(crate) files: Files,
    pub(crate) written: streams::Written,
}

impl Machine {
    /// Creates a machine and computes all global values.
    ///
    /// # Errors
    ///
    /// An exception or limit in that computation.
    pub fn new(code: Arc<Code>, limits: Limits) -> Result<Self, Raised> {
        let mut machine = Self::unstarted(code, limits);
        for at in 0..machine.code.initialisers.len() {
            let (_, initialiser) = machine.code.initialisers[at];
            machine.call(initialiser, &[])?;
        }
        machine.keep();
        Ok(machine)
    }

    /// Creates a machine without global values. [`Machine::initialise`] computes them.
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

    /// The code that it runs.
    pub fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// Calls a function.
    ///
    /// # Errors
    ///
    /// An exception that is not handled, or a limit.
    pub fn call(&mut self, function: FunctionId, arguments: &[Word]) -> Result<Word, Raised> {
        debug_assert_eq!(
            arguments.len(),
            self.code.functions[function.0 as usize].arity as usize,
            "as many arguments as parameters"
        );
        self.stack[..arguments.len()].copy_from_slice(arguments);
        self.start(function, None)
    }

    /// Matches a value. If it returns true, the outputs are set.
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

    /// The current end of the heap.
    pub fn mark(&self) -> Mark {
        Mark(self.heap.words.len())
    }

    /// Frees all values created since the mark, except those that older references now hold: these are moved
    /// down.
    pub fn reset(&mut self, mark: Mark) {
        let to = mark.0.max(self.floor);
        if self.dirty.is_empty() {
            self.heap.words.truncate(to);
        } else {
            self.keep_assigned(to);
        }
    }

    /// Keeps all current values for the lifetime of the machine. Returns `false` and keeps nothing if
    /// references hold values that were assigned since, because those may be freed.
    pub fn keep(&mut self) -> bool {
        let may = self.dirty.is_empty() && self.held.is_empty(self.floor);
        if may {
            self.floor = self.heap.words.len();
            self.held.begin(self.floor);
        }
        may
    }

    /// Frees all values created since the mark, including [kept](Machine::keep) ones. Returns `false` and
    /// frees nothing if an older reference was ever assigned, because it may hold them.
    pub fn give_back(&mut self, mark: Mark) -> bool {
        let may = !self.assigned && self.dirty.is_empty() && mark.0 <= self.floor;
        if may {
            self.heap.words.truncate(mark.0);
            self.floor = mark.0;
            self.held.begin(self.floor);
        }
        may
    }

    /// The bytes of all current values.
    pub fn heap_bytes(&self) -> usize {
        self.heap.words.len() * 8
    }

    /// Sets the value of `time ()`, a word of the time type.
    pub fn set_time(&mut self, time: Word) {
        self.world.time = time;
    }

    /// Sets the value of `inst ()`.
    pub fn set_instance(&mut self, instance: u32) {
        self.world.instance = instance.into();
    }

    /// Sets the host, which decodes states.
    pub fn set_host(&mut self, host: Arc<dyn Host>) {
        self.world.host = Some(host);
    }

    /// Sets the current state. It is valid until [`Machine::reset`] returns to an earlier mark.
    ///
    /// # Errors
    ///
    /// If the heap is full.
    pub fn set_state(&mut self, bytes: &[u8]) -> Result<(), Raised> {
        let state = self.heap.string(bytes).map_err(|stop| self.raised(stop))?;
        self.world.state = Some(state);
        Ok(())
    }

    /// The memory in which values are created.
    pub fn memory(&mut self) -> Memory<'_> {
        Memory { code: &self.code, heap: &mut self.heap }
    }

    /// Checks whether evaluations should [stop](Limits::stop); for loops outside the machine.
    ///
    /// # Errors
    ///
    /// If they should.
    pub fn check_stop(&self) -> Result<(), Raised> {
        match self.limits.stop.load(Ordering::Relaxed) {
            0 => Ok(()),
            _ => Err(self.raised(raised::Stop::Stopped)),
        }
    }

    /// The error for a value that could not be created.
    pub fn halted(&self, Halt(stop): Halt) -> Raised {
        self.raised(stop)
    }

    /// The error for an unusable result `what`, with the reason or remedy `why`.
    pub fn refused(&self, what: &'static str, why: &'static str) -> Raised {
        self.raised(raised::Stop::Refused(what, why))
    }

    /// Restarts the random numbers with a seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.world.random = Some(Random::new(seed));
    }

    /// The text printed since the last call.
    pub fn take_printed(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.world.printed)
    }

    /// Sets what happens with files from now on. Open files stay open.
    pub fn set_files(&mut self, files: Files) {
        self.world.files = files;
    }

    /// The files written since the last call.
    pub fn take_files(&mut self) -> Vec<WrittenFile> {
        self.world.written.take()
    }

    /// The elements of a list or multi-set.
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

    /// The number that a word of type `IntInf.int` represents.
    pub fn int_inf(&self, word: Word) -> BigInt {
        self.heap.big(word)
    }

    /// A value of any type as text.
    pub fn show(&self, layout: LayoutId, word: Word) -> String {
        present::show(&self.code, &self.heap, layout, word)
    }

    /// Whether two values are equal, as defined by `=`.
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

    /// The number that a word of type `int` represents.
    pub fn to_int(word: Word) -> i64 {
        word as i64
    }
}
