//! Nested evaluations: a running program asks the outside a question, and the outside calls functions of the
//! program to find the answer.

use super::code::{FunctionId, REGISTERS, Reg};
use super::host::Halt;
use super::layout::{LayoutId, Word};
use super::persist::Held;
use super::raised::{Raised, Stop};
use super::run::{At, Frame, Handler, grow};
use super::{Machine, Mark};

/// The deepest nesting of evaluations. Each uses the stack of the thread.
const MOST_NESTING: usize = 24;
/// The most arguments of a question.
const MOST_ARGUMENTS: usize = 12;

/// Answers the [questions](crate::Prim::Ask) of programs.
pub trait Outside {
    /// The answer, a value of the declared type of the question. The implementation may
    /// [apply](Machine::apply) functions that are among the arguments.
    ///
    /// # Errors
    ///
    /// An error of such a function, or an exception or refusal of its own.
    fn ask(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt>;
}

/// A question to the outside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    /// The number of the question.
    pub number: u32,
    /// The layout of the first type variable in its type.
    pub layout: LayoutId,
    arguments: [Word; MOST_ARGUMENTS],
}

impl Question {
    /// An argument. Its type follows from the declaration of the question.
    pub fn argument(&self, at: usize) -> Word {
        self.arguments[at]
    }
}

/// The state of nested evaluations.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    depth: usize,
    /// The start of the stack of the next evaluation.
    base: usize,
    /// Vectors to reuse.
    spare: Vec<(Vec<Frame>, Vec<Handler>)>,
}

/// A value that is computed by a sequence of evaluations. All other values of these evaluations are freed.
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
    /// Calls a function that may ask questions.
    ///
    /// # Errors
    ///
    /// An exception that is not handled, or a limit.
    pub fn call_asking(
        &mut self,
        function: FunctionId,
        arguments: &[Word],
        outside: &dyn Outside,
    ) -> Result<Word, Raised> {
        self.stack[..arguments.len()].copy_from_slice(arguments);
        self.start(function, Some(outside))
    }

    /// Computes the global values of the `at`-th bind of the code, after all binds before it. Returns the
    /// index of the bind in the program.
    ///
    /// # Errors
    ///
    /// An exception or limit in that computation.
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
        const UNANSWERED: Stop = Stop::Refused(
            "a question about the state space",
            "only scripts can query the state space, not the declarations and inscriptions of a model",
        );
        let outside = outside.ok_or(UNANSWERED)?;
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

    /// Applies a function value of the program inside the evaluation that asks. A tuple is passed as its
    /// fields. It has its own fuel.
    ///
    /// # Errors
    ///
    /// An exception or a limit, which the caller should return.
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

    /// Starts a fold with an initial value. Until the fold ends, other values live until [`Machine::forget`].
    ///
    /// # Errors
    ///
    /// If the heap is full.
    pub fn begin_fold(&mut self, layout: LayoutId, first: Word) -> Result<Fold, Halt> {
        let cell = self.heap.allocate(&[first]).map_err(Halt)? as usize;
        let floor = std::mem::replace(&mut self.floor, self.heap.words.len());
        let held = std::mem::take(&mut self.held);
        self.held.begin(self.floor);
        Ok(Fold { cell, layout, floor, dirty: std::mem::take(&mut self.dirty), held })
    }

    /// Applies a function to the arguments and the current value, which is the last argument, and makes the
    /// result the new value. All other values are freed.
    ///
    /// # Errors
    ///
    /// An exception of the function, or a limit.
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
            // The cell is treated like an older reference, so that its value survives the reset.
            self.dirty.push((fold.cell, fold.layout));
        }
        self.forget();
        Ok(())
    }

    /// Frees all values created since the fold began, except those that the fold and older references hold.
    pub fn forget(&mut self) {
        self.reset(Mark(0));
        self.collect();
    }

    /// Ends the latest fold and returns its value.
    pub fn end_fold(&mut self, fold: Fold) -> Word {
        let Fold { cell, floor, dirty, held, .. } = fold;
        let inner = std::mem::replace(&mut self.dirty, dirty);
        let cells = std::mem::replace(&mut self.held, held).into_cells();
        self.floor = floor;
        self.dirty.extend(inner.into_iter().chain(cells).filter(|(cell, _)| *cell < floor));
        self.heap.words[cell]
    }
}
