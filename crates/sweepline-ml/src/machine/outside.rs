//! Questions that a program asks the outside while it runs, and functions of the program that the
//! outside calls to find the answer: evaluations within evaluations.

use super::code::{FunctionId, REGISTERS, Reg};
use super::host::Halt;
use super::layout::{LayoutId, Word};
use super::persist::Held;
use super::raised::{Raised, Stop};
use super::run::{At, Frame, Handler, grow};
use super::{Machine, Mark};

/// Evaluations within evaluations go so deep: each is on the stack of the thread.
const MOST_NESTING: usize = 24;
/// The most arguments of a question.
const MOST_ARGUMENTS: usize = 12;

/// Answers what programs [ask](crate::Prim::Ask).
pub trait Outside {
    /// The answer, a value of the type that the question was declared with. To find it, it may
    /// [apply](Machine::apply) functions among the arguments.
    ///
    /// # Errors
    ///
    /// What such a function raises; an exception or a refusal of its own.
    fn ask(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt>;
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    /// The number of the question.
    pub number: u32,
    /// The layout of the first type variable in its type.
    pub layout: LayoutId,
    arguments: [Word; MOST_ARGUMENTS],
}

impl Question {
    /// An argument: the type of the question says what it means.
    pub fn argument(&self, at: usize) -> Word {
        self.arguments[at]
    }
}

/// How deep evaluations are within others.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    depth: usize,
    /// Where the stack of the next one begins.
    base: usize,
    /// To be used again.
    spare: Vec<(Vec<Frame>, Vec<Handler>)>,
}

/// A value that grows by one evaluation after another, while all else that they make is forgotten.
#[derive(Debug)]
#[must_use = "a fold must be ended"]
pub struct Fold {
    cell: usize,
    layout: LayoutId,
    floor: usize,
    dirty: Vec<(usize, LayoutId)>,
    held: Held,
}

impl Machine {
    /// Evaluates a function that may ask.
    ///
    /// # Errors
    ///
    /// An exception that it does not handle, or a limit.
    pub fn call_asking(
        &mut self,
        function: FunctionId,
        arguments: &[Word],
        outside: &dyn Outside,
    ) -> Result<Word, Raised> {
        self.stack[..arguments.len()].copy_from_slice(arguments);
        self.start(function, Some(outside))
    }

    /// Computes the global values of the `at`-th bind among those that the code computes; before
    /// it, all that come first. The number is that of the bind in the program.
    ///
    /// # Errors
    ///
    /// What the computation raises.
    pub fn initialise(&mut self, at: usize, outside: &dyn Outside) -> Result<(), Raised> {
        let (_, function) = self.code.initialisers[at];
        self.start(function, Some(outside))?;
        self.keep();
        Ok(())
    }

    pub(super) fn ask(
        &mut self,
        at: &At,
        first: Reg,
        call: u32,
        outside: Option<&dyn Outside>,
    ) -> Result<Word, Stop> {
        const NOBODY: Stop = Stop::Refused(
            "a question about the state space",
            "only scripts ask; the inscriptions of a model do not know its states",
        );
        let outside = outside.ok_or(NOBODY)?;
        let call = self.code.prims[call as usize];
        let crate::prim::Prim::Ask(number) = call.op else { return Err(Stop::Malformed) };
        let mut question = Question { number, layout: call.layout, arguments: [0; MOST_ARGUMENTS] };
        let registers = &self.stack[at.base + usize::from(first)..at.base + REGISTERS];
        let count = registers.len().min(MOST_ARGUMENTS);
        question.arguments[..count].copy_from_slice(&registers[..count]);
        let base = std::mem::replace(&mut self.nesting.base, at.base + REGISTERS);
        let answer = outside.ask(self, &question);
        self.nesting.base = base;
        if answer.is_err() && self.within.is_empty() {
            self.origin = at.pc as u32 - 1;
        }
        answer.map_err(|Halt(stop)| stop)
    }

    /// Evaluates a function that the program gave as a value, within the evaluation that asks; a
    /// tuple is passed as its fields. Fuel is that of an evaluation of its own.
    ///
    /// # Errors
    ///
    /// What it raises, or a limit: to be handed on.
    pub fn apply(
        &mut self,
        outside: &dyn Outside,
        function: Word,
        arguments: &[Word],
    ) -> Result<Word, Halt> {
        if self.nesting.depth == MOST_NESTING {
            return Err(Halt(Stop::Stack));
        }
        let base = self.nesting.base;
        let needed = base + 2 * REGISTERS;
        if self.stack.len() < needed {
            grow(&mut self.stack, needed, self.limits.stack / 8).map_err(Halt)?;
        }
        self.stack[base..base + arguments.len()].copy_from_slice(arguments);
        self.stack[base + arguments.len()] = function;
        let own = self.nesting.spare.pop().unwrap_or_default();
        let frames = std::mem::replace(&mut self.frames, own.0);
        let handlers = std::mem::replace(&mut self.handlers, own.1);
        let fuel = self.fuel;
        self.refuel();
        self.nesting.depth += 1;
        let code = FunctionId(self.heap.get(function, 0) as u32);
        let result = self.proceed(code, base, Some(outside)).map_err(|(stop, at)| {
            self.within = self.places(&stop, &at, code).collect();
            Halt(stop)
        });
        self.nesting.depth -= 1;
        self.nesting.base = base;
        self.fuel = fuel;
        let mut own = (
            std::mem::replace(&mut self.frames, frames),
            std::mem::replace(&mut self.handlers, handlers),
        );
        own.0.clear();
        own.1.clear();
        self.nesting.spare.push(own);
        result
    }

    /// Begins a fold with its first value, of a layout. Until it ends, values made meanwhile live
    /// until [`Machine::forget`].
    ///
    /// # Errors
    ///
    /// When the heap is full.
    pub fn begin_fold(&mut self, layout: LayoutId, first: Word) -> Result<Fold, Halt> {
        let cell = self.heap.allocate(&[first]).map_err(Halt)? as usize;
        let floor = std::mem::replace(&mut self.floor, self.heap.words.len());
        let held = std::mem::take(&mut self.held);
        self.held.begin(self.floor);
        Ok(Fold { cell, layout, floor, dirty: std::mem::take(&mut self.dirty), held })
    }

    /// The value of the fold becomes what a function makes of the arguments and of it, its last
    /// argument. All else is forgotten.
    ///
    /// # Errors
    ///
    /// What the function raises, or a limit.
    pub fn step_fold(
        &mut self,
        fold: &Fold,
        outside: &dyn Outside,
        function: Word,
        arguments: &[Word],
    ) -> Result<(), Halt> {
        let mut words = smallvec::SmallVec::<[Word; 8]>::from_slice(arguments);
        let before = self.heap.words[fold.cell];
        words.push(before);
        let after = self.apply(outside, function, &words)?;
        if after != before {
            self.heap.words[fold.cell] = after;
            // The cell is like a reference from before: what it holds outlives the reset.
            self.dirty.push((fold.cell, fold.layout));
        }
        self.forget();
        Ok(())
    }

    /// Forgets all values made since the fold began, but what it and older references hold.
    pub fn forget(&mut self) {
        self.reset(Mark(0));
        self.collect();
    }

    /// Ends the fold that began last, and gives its value.
    pub fn end_fold(&mut self, fold: Fold) -> Word {
        let Fold { cell, floor, dirty, held, .. } = fold;
        let inner = std::mem::replace(&mut self.dirty, dirty);
        let cells = std::mem::replace(&mut self.held, held).into_cells();
        self.floor = floor;
        self.dirty.extend(inner.into_iter().chain(cells).filter(|(cell, _)| *cell < floor));
        self.heap.words[cell]
    }
}
