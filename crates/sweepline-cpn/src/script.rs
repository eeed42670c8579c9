//! Scripts: CPN ML programs that sweep over a net, with the interface of SWEEP/CPN, or query its stored state
//! space, with the functions of CPN Tools.
//!
//! A marking is a value of the type `state`: its canonical bytes, from which `SLMark.Page'Place` decodes a
//! place. `SL.Explore…` asks [`answer`] for a sweep, which calls the functions of the script for markings and
//! arcs, each in a nested evaluation. Only the folded value survives such an evaluation, so that memory stays
//! proportional to the window.

mod answer;
mod ask;
mod askctl;
mod check;
mod declare;
mod error;
mod space;
mod sweep;
mod texts;
mod version;

use std::sync::Arc;

use sweepline::Options;
use sweepline_ml::core::VarId;
use sweepline_ml::{
    Codec, Compiler, Files, FindFile, FunctionId, Halt, Host, LayoutId, Limits, Machine, Memory,
    MlError, Print, Refusal, Type, Word, WrittenFile,
};

use crate::explore::CpnModel;
use crate::explore::marking::{Kind, Marking};
use crate::explore::place::Place;
use crate::explore::time::Clock;
use crate::query::Parts;
use answer::Answer;
pub use error::{Rejection, ScriptError};

use declare::{Interface, element_part, time_part};

/// The replacement for the file in `use (ogpath ^ "ASKCTL/ASKCTLloader.sml")`.
const ASKCTL: &str = "open ASKCTL";
const ASKCTL_FILE: &str = "ASKCTL/ASKCTLloader.sml";

/// A net, with the declarations of all scripts so far.
pub struct Script<'m> {
    model: &'m CpnModel,
    interface: Interface,
    options: ScriptOptions<'m>,
}

/// Options of scripts.
#[derive(Clone)]
pub struct ScriptOptions<'m> {
    /// The limits of each exploration, and the interrupt flag. The time limit applies to all explorations
    /// together.
    pub explore: Options,
    /// The limits of each evaluation.
    pub evaluate: Limits,
    /// Writes a line of a log. The arguments are the file that the script names, and the line.
    pub log: Option<&'m (dyn Fn(&str, &str) -> std::io::Result<()> + Sync)>,
    /// Finds the files that a script uses.
    pub find: Option<&'m FindFile<'m>>,
    /// Writes the files of a script, given by name and content. Without it, writing a file is an error.
    pub write: Option<&'m WriteFiles<'m>>,
    /// Draws markings, and markings up to a number of steps after them, to the file that a script names.
    pub draw: Option<&'m Draw<'m>>,
}

/// Draws markings. Returns the reason if that fails.
pub type Draw<'m> = dyn Fn(&str, &[Marking], usize) -> Result<(), String> + Sync + 'm;

/// Writes files. Returns the reason if that fails.
pub type WriteFiles<'m> = dyn Fn(&[WrittenFile]) -> Result<(), String> + Sync + 'm;

/// A value that a script declares, or text that it prints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// `val name = value : ty`.
    Value {
        /// The name; `it` for an expression.
        name: String,
        /// The value in ML syntax; `fn` for a function.
        value: String,
        /// Its type.
        ty: String,
    },
    /// Printed text.
    Printed(String),
}

/// A value to show once it is computed.
struct Shown {
    name: String,
    ty: String,
    /// The function that computes it; `None` for functions.
    function: Option<(FunctionId, LayoutId)>,
}

impl<'m> Script<'m> {
    /// A script runner for a net.
    pub fn new(model: &'m CpnModel, mut options: ScriptOptions<'m>) -> Self {
        options.explore.limits = options.explore.limits.started();
        Script { model, interface: Interface::new(model), options }
    }

    /// Runs a text, and passes declared values and printed text to `show` as they occur. Later texts can use
    /// its declarations. After an error, nothing is declared.
    ///
    /// # Errors
    ///
    /// The mistakes in the text, or the reason why it ended.
    pub fn run(
        &mut self,
        name: &str,
        text: &str,
        tell: &mut dyn FnMut(Outcome),
    ) -> Result<(), ScriptError> {
        let before = self.interface.environment.clone();
        let done = self.attempt(name, text, tell);
        if done.is_err() {
            self.interface.environment = before;
        }
        done
    }

    fn attempt(
        &mut self,
        name: &str,
        text: &str,
        tell: &mut dyn FnMut(Outcome),
    ) -> Result<(), ScriptError> {
        let none = |_: &str, _: &str| Err("this script must not use files".to_owned());
        let files = self.options.find.unwrap_or(&none);
        let find = |from: &str, name: &str| match name.ends_with(ASKCTL_FILE) {
            true => Ok(("ASK-CTL".to_owned(), ASKCTL.to_owned())),
            false => files(from, name),
        };
        let declared = self.interface.environment.declare_program(name, text, &find)?;
        let environment = &self.interface.environment;
        let refused = |refusal: Refusal| refusal.explain(environment.sources());
        let mut compiler = Compiler::new(environment.program());
        let mut shown = Vec::new();
        for part in &declared {
            for &var in &part.values {
                let last = part.binds.end.saturating_sub(1);
                shown.push((last, self.value(&mut compiler, var).map_err(refused)?));
            }
        }
        let parts = self.parts(&mut compiler).map_err(refused)?;
        let answer = Answer::new(self.model, &self.interface, &self.options, &mut compiler);
        let code = Arc::new(compiler.finish().map_err(refused)?);
        let mut limits = self.options.evaluate.clone();
        limits.print = Print::Keep;
        limits.files = if self.options.write.is_some() { Files::Keep } else { Files::Refuse };
        let mut machine = Machine::unstarted(code.clone(), limits);
        machine.set_host(Arc::new(parts));
        let done = self.execute(&mut machine, &answer, shown, tell);
        let files = machine.take_files();
        match self.options.write.filter(|_| !files.is_empty()).map(|write| write(&files)) {
            Some(Err(error)) => done.and(Err(ScriptError::Files { error })),
            _ => done,
        }
    }

    /// Evaluates the declarations of a program in order, and reports them.
    fn execute(
        &self,
        machine: &mut Machine,
        answer: &Answer<'_>,
        shown: Vec<(usize, Shown)>,
        tell: &mut dyn FnMut(Outcome),
    ) -> Result<(), ScriptError> {
        let environment = &self.interface.environment;
        let code = machine.code().clone();
        let mut values = shown.into_iter().peekable();
        for (at, bind) in code.initialised_binds().enumerate() {
            while let Some((_, value)) = values.next_if(|(before, _)| *before < bind) {
                tell(self.outcome(machine, answer, value)?);
            }
            let computed = machine.initialise(at, answer);
            printed(machine, tell);
            computed.map_err(|raised| answer.explain(&raised, environment))?;
            answer.begin(machine);
        }
        for (_, value) in values {
            tell(self.outcome(machine, answer, value)?);
        }
        Ok(())
    }

    /// How to show the value of a variable.
    fn value(&self, compiler: &mut Compiler<'_>, var: VarId) -> Result<Shown, Refusal> {
        let program = self.interface.environment.program();
        let variable = program.variable(var);
        let (name, ty) = (variable.name.to_string(), variable.scheme.ty);
        let is_function = matches!(program.types.get(ty), Type::Arrow(..));
        let shown = self.interface.environment.show(ty);
        let function = match is_function {
            true => None,
            false => Some((compiler.compile_global(var)?, compiler.layout(ty))),
        };
        Ok(Shown { name, ty: shown, function })
    }

    fn outcome(
        &self,
        machine: &mut Machine,
        answer: &Answer<'_>,
        shown: Shown,
    ) -> Result<Outcome, ScriptError> {
        let Shown { name, ty, function } = shown;
        let Some((function, layout)) = function else {
            return Ok(Outcome::Value { name, value: "fn".to_owned(), ty });
        };
        let environment = &self.interface.environment;
        let word = machine.call_asking(function, &[], answer);
        let word = word.map_err(|raised| answer.explain(&raised, environment))?;
        let value = machine
            .present(layout, word, &|machine, layout, word| answer.words(machine, layout, word));
        Ok(Outcome::Value { name, value, ty })
    }

    fn parts(&self, compiler: &mut Compiler<'_>) -> Result<ScriptParts, Refusal> {
        let (net, environment) = (self.model.net(), &self.interface.environment);
        let mut places = Vec::new();
        for (place, form) in net.places.iter().zip(self.model.places.iter().map(Place::form)) {
            let colour = environment.colour_set(place.colour_set).ty;
            places.push((compiler.codec(colour)?, form));
        }
        let timed = places.iter().any(|(_, form)| form.kind == Kind::Timed);
        let parts = Parts { places, clock: Clock(net.time), timed };
        Ok(ScriptParts { parts, element: compiler.codec(self.interface.element)? })
    }
}

fn printed(machine: &mut Machine, tell: &mut dyn FnMut(Outcome)) {
    let printed = machine.take_printed();
    if !printed.is_empty() {
        tell(Outcome::Printed(printed.into_iter().map(char::from).collect()));
    }
}

/// Decodes markings and binding elements.
#[derive(Debug)]
struct ScriptParts {
    parts: Parts,
    element: Codec,
}

impl Host for ScriptParts {
    fn part(&self, memory: &mut Memory<'_>, part: u32, state: &[u8]) -> Result<Word, Halt> {
        let places = self.parts.places.len();
        if part == element_part(places) {
            return memory.decode(self.element, &mut &*state);
        }
        if part != time_part(places) {
            return self.parts.part(memory, part, state);
        }
        let mut marking = Marking::default();
        marking.decode(places, self.parts.timed, state).ok_or(Halt::MALFORMED)?;
        self.parts.time(memory, marking.time)
    }
}

/// `file:line:column: ` of an error.
fn place(error: &MlError) -> String {
    let shown = error.to_string();
    let message = error.problem.to_string();
    shown.strip_suffix(&message).unwrap_or_default().to_owned()
}
