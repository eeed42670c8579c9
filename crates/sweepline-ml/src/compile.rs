//! Compiles the core language to [`Code`]. Only what the roots use is compiled, and everything becomes
//! monomorphic.
//!
//! Functions whose definition is known are called directly, with all their arguments in registers. Captured
//! variables are passed as further arguments. A closure is built only where a function is used as a value. A
//! tuple argument is passed as its fields. A polymorphic function is compiled once for each list of types that
//! it is used with.

mod body;
mod call;
mod condition;
mod constant;
mod construct;
mod decide;
mod expr;
mod free;
mod layouts;
mod matching;
mod prim;
mod root;

use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::FixedState;

use crate::core::{Bind, Expr, ExprKind, Pattern, Program, VarId};
use crate::machine::{Code, Codec, Function, FunctionId, Instr, Layout, LayoutId, PrimCall};
use crate::problem::{MlError, Problem, without_place};
use crate::source::{Sources, Span};
use crate::types::{DataId, ParamId, Type, TypeId, Types};

/// The type for each type variable, sorted by variable.
type Substitution = Rc<[(ParamId, TypeId)]>;

/// The most compiled functions; far more than a model needs.
const MOST_FUNCTIONS: usize = 200_000;

/// Why something cannot be compiled.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// What cannot be compiled.
    pub message: &'static str,
    /// What to write instead.
    pub help: &'static str,
    /// Its position.
    pub span: Option<Span>,
}

impl Refusal {
    /// The error with its text, for display.
    pub fn explain(&self, sources: &Sources) -> MlError {
        let (message, help) = (self.message.to_owned(), self.help.to_owned());
        let problem = Problem::Evaluation { message, help };
        match self.span {
            None => without_place(problem),
            Some(span) => MlError { problem, span, source: sources.get(span.source).clone() },
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.message)
    }
}

impl std::error::Error for Refusal {}

/// The definition of a variable that is not in a register.
#[derive(Clone, Debug)]
enum Definition<'p> {
    /// A function: its value is a lambda.
    Function { params: &'p [ParamId], value: &'p Expr, outer: Rc<[ParamId]>, extras: Rc<[VarId]> },
    /// Compiled again at each use: another name, a constant, or a polymorphic value.
    Inline { params: &'p [ParamId], value: &'p Expr, outer: Rc<[ParamId]> },
    /// A global value, computed by this bind.
    Global { bind: usize },
}

/// A function still to be compiled.
enum Pending<'p> {
    /// A function that is called directly.
    Known { var: VarId, substitution: Substitution },
    /// A lambda that becomes a closure.
    Lambda { value: &'p Expr, captures: Rc<[VarId]>, substitution: Substitution },
    /// Code that takes one more argument of a known function.
    Stub { stage: Stage },
    /// A top-level bind.
    Initialiser { bind: usize },
    /// A root: an expression with parameters.
    Root { params: Vec<VarId>, expr: &'p Expr },
    /// A root: the value of a top-level variable.
    Variable { var: VarId },
    /// A root: a top-level function with all its arguments.
    Applied { var: VarId },
    /// A root: a pattern.
    Pattern { pattern: &'p Pattern, inputs: Vec<VarId>, outputs: Vec<VarId> },
}

/// A known function with some of its arguments given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Stage {
    var: VarId,
    substitution: Substitution,
    given: usize,
}

/// Compiles expressions, patterns and functions, and everything that they use.
///
/// ```
/// use std::sync::Arc;
/// use sweepline_ml::{Compiler, Environment, Limits, Machine};
///
/// let mut environment = Environment::default();
/// environment.declare_ml(
///     "declarations",
///     "colset NO = int; colset DATA = string; colset PACKET = product NO * DATA;
///      var n, k : NO; var p : DATA;",
/// )?;
/// let packet = environment.find_colour_set("PACKET").expect("it was declared");
/// let arc = environment.arc("arc", "if n = k then 1`(n + 1, p) else empty", packet)?;
/// let variables = environment.variables_in(&arc.expr);
///
/// let mut compiler = Compiler::new(environment.program());
/// let function = compiler.compile_function(&variables, &arc.expr)?;
/// let codec = compiler.codec(environment.colour_set(packet).ty)?;
/// let code = Arc::new(compiler.finish()?);
///
/// let mut machine = Machine::new(code, Limits::default())?;
/// let mark = machine.mark();
/// let p = machine.memory().string(b"modelling").expect("there is room");
/// let tokens = machine.call(function, &[Machine::from_int(7), Machine::from_int(7), p])?;
/// let show = |token| machine.show(codec.layout(), token);
/// let shown: Vec<_> = machine.list(tokens).map(show).collect();
/// assert_eq!(shown, ["(8,\"modelling\")"]);
/// machine.reset(mark);
///
/// let largest = Machine::from_int(1_073_741_823);
/// let p = machine.memory().string(b"").expect("there is room");
/// let raised = machine.call(function, &[largest, largest, p]).unwrap_err();
/// assert_eq!(
///     raised.explain(environment.sources()).to_string(),
///     "arc:1:18: Overflow in `n + 1` (int has 31 bits, as in CPN Tools)"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Compiler<'p> {
    program: &'p Program,
    types: Types,
    layouts: layouts::Layouts,
    definitions: HashMap<VarId, Definition<'p>, FixedState>,
    instances: HashMap<(VarId, Substitution), FunctionId, FixedState>,
    stubs: HashMap<Stage, FunctionId, FixedState>,
    global_slots: HashMap<VarId, u32, FixedState>,
    /// The binds that are compiled, with the functions that compute them.
    initialisers: Vec<(usize, FunctionId)>,
    pending: Vec<(FunctionId, Pending<'p>)>,
    constants: constant::Constants,
    prims: HashMap<PrimCall, u32, FixedState>,
    /// `not` of the library, which conditions compile to a jump.
    not: Option<VarId>,
    code: Code,
    refused: Option<Refusal>,
}

impl<'p> Compiler<'p> {
    /// A compiler without roots.
    pub fn new(program: &'p Program) -> Self {
        let most = program.datatypes.iter().map(|data| data.constructors.len()).max();
        let constants = constant::Constants::above(most.unwrap_or(0).max(program.exceptions.len()));
        let mut compiler = Self {
            program,
            types: program.types.clone(),
            layouts: layouts::Layouts::default(),
            definitions: HashMap::default(),
            instances: HashMap::default(),
            stubs: HashMap::default(),
            global_slots: HashMap::default(),
            initialisers: Vec::new(),
            pending: Vec::new(),
            constants,
            prims: HashMap::default(),
            not: None,
            code: Code { int_bits: program.int_bits, ..Code::default() },
            refused: None,
        };
        compiler.code.time = compiler.time_layout();
        program.binds.iter().enumerate().for_each(|(at, bind)| compiler.define_global(at, bind));
        compiler.code.exceptions = compiler.exception_layouts();
        compiler
    }

    /// Compiles an expression whose free variables are the parameters. Each parameter takes one word.
    ///
    /// # Errors
    ///
    /// An operation that the machine does not support.
    pub fn compile_function(
        &mut self,
        params: &[VarId],
        expr: &'p Expr,
    ) -> Result<FunctionId, Refusal> {
        let pending = Pending::Root { params: params.to_vec(), expr };
        let function = self.new_function(pending, params.len());
        self.drain()?;
        Ok(function)
    }

    /// Compiles a match of one value. Variables of the pattern that are among the inputs, or that occur twice,
    /// are compared; the others are the outputs.
    ///
    /// # Errors
    ///
    /// An operation that the machine does not support.
    pub fn compile_pattern(
        &mut self,
        pattern: &'p Pattern,
        inputs: &[VarId],
        outputs: &[VarId],
    ) -> Result<FunctionId, Refusal> {
        let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
        let arity = inputs.len() + 1;
        let function = self.new_function(Pending::Pattern { pattern, inputs, outputs }, arity);
        self.drain()?;
        Ok(function)
    }

    /// Compiles a function without arguments that returns the value of a top-level variable, which is computed
    /// when a machine starts. The variable must not be polymorphic.
    ///
    /// # Errors
    ///
    /// An operation that the machine does not support.
    pub fn compile_global(&mut self, var: VarId) -> Result<FunctionId, Refusal> {
        let function = self.new_function(Pending::Variable { var }, 0);
        self.drain()?;
        Ok(function)
    }

    /// Compiles a top-level function, such as `mkstr` of a colour set, to be called with one word for each of
    /// its curried arguments. A tuple is one argument.
    ///
    /// # Errors
    ///
    /// An operation that the machine does not support.
    pub fn compile_call(&mut self, var: VarId) -> Result<FunctionId, Refusal> {
        let function = self.new_function(Pending::Applied { var }, 0);
        self.drain()?;
        Ok(function)
    }

    /// The layout of a type.
    pub fn layout(&mut self, ty: TypeId) -> LayoutId {
        self.layout_of(ty)
    }

    /// The codec of a type.
    ///
    /// # Errors
    ///
    /// The values contain functions, references or exceptions.
    pub fn codec(&mut self, ty: TypeId) -> Result<Codec, Refusal> {
        let layout = self.layout_of(ty);
        if crate::machine::is_data(&self.layouts.list, layout) {
            return Ok(Codec { layout });
        }
        Err(Refusal {
            message: "a token must not contain functions, references or exceptions",
            help: "make tokens of numbers, strings, enumerations, records, lists and unions",
            span: None,
        })
    }

    /// The compiled code.
    ///
    /// # Errors
    ///
    /// An operation that the machine does not support.
    pub fn finish(mut self) -> Result<Code, Refusal> {
        self.compile_effects();
        self.finish_values()
    }

    /// The compiled code, without binds that exist only for their side effects.
    ///
    /// # Errors
    ///
    /// An operation that the machine does not support.
    pub fn finish_values(mut self) -> Result<Code, Refusal> {
        self.drain()?;
        self.initialisers.sort_by_key(|(bind, _)| *bind);
        let Self { mut code, layouts, constants, initialisers, global_slots, .. } = self;
        code.initialisers = initialisers;
        code.layouts = layouts.list;
        let is_state = |slot: &u32| {
            let layout = code.layout(code.globals[*slot as usize].1);
            matches!(layout, Layout::Ref(_) | Layout::Array(_))
        };
        let references = global_slots.into_iter().filter(|(_, slot)| is_state(slot));
        let mut references: Vec<(VarId, u32)> = references.collect();
        references.sort_unstable();
        code.references = references;
        code.image = constants.image;
        code.wide = constants.wide;
        let entries: Vec<u32> = code.functions.iter().map(|function| function.entry).collect();
        for instr in &mut code.instrs {
            if let Instr::Call(_, target) | Instr::TailCall(_, _, target) = instr {
                *target = entries[*target as usize];
            }
        }
        Ok(code)
    }

    fn new_function(&mut self, pending: Pending<'p>, arity: usize) -> FunctionId {
        let id = FunctionId(self.code.functions.len() as u32);
        if self.code.functions.len() >= MOST_FUNCTIONS {
            self.refuse(Refusal {
                message: "too many functions",
                help: "a polymorphic function is compiled once for each type that it is used with: use fewer types",
                span: None,
            });
            return FunctionId(0);
        }
        let arity = arity as u32;
        let function = Function { entry: 0, arity, captures: Box::new([]), span: Span::START };
        self.code.functions.push(function);
        self.pending.push((id, pending));
        id
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.refused.get_or_insert(refusal);
    }

    /// Compiles until nothing is pending, and returns the first refusal. The code of a refused function
    /// is one instruction that stops the machine with the refusal.
    fn drain(&mut self) -> Result<(), Refusal> {
        let mut first = self.refused.take();
        while let Some((function, pending)) = self.pending.pop() {
            self.compile_pending(function, pending);
            if let Some(refusal) = self.refused.take() {
                let at = self.code.instrs.len() as u32;
                self.code.functions[function.0 as usize].entry = at;
                self.code.instrs.push(Instr::Refuse(self.code.refusals.len() as u32));
                self.code.spans.extend(refusal.span.map(|span| (at, span)));
                self.code.refusals.push((refusal.message, refusal.help));
                first.get_or_insert(refusal);
            }
        }
        first.map_or(Ok(()), Err)
    }

    fn define_global(&mut self, at: usize, bind: &'p Bind) {
        let (outer, extras): (Rc<[ParamId]>, Rc<[VarId]>) = (Rc::new([]), Rc::new([]));
        match bind {
            Bind::Value { var, params, value } => {
                let definition = match &value.kind {
                    ExprKind::Lambda(_) => Definition::Function { params, value, outer, extras },
                    _ if !params.is_empty() || is_simple(value) => {
                        Definition::Inline { params, value, outer }
                    }
                    _ => Definition::Global { bind: at },
                };
                self.definitions.insert(*var, definition);
            }
            Bind::Pattern { pattern, .. } => {
                for var in pattern.variables() {
                    self.definitions.insert(var, Definition::Global { bind: at });
                }
            }
            Bind::Recursive { params, functions } => {
                for (var, value) in functions {
                    let (outer, extras) = (outer.clone(), extras.clone());
                    let definition = Definition::Function { params, value, outer, extras };
                    self.definitions.insert(*var, definition);
                    if self.not.is_none() && *self.program.variable(*var).name == *"not" {
                        self.not = Some(*var);
                    }
                }
            }
        }
    }

    /// Compiles the binds of the model that bind no name, such as `val _ = f ()`: they exist for their side
    /// effects.
    fn compile_effects(&mut self) {
        for (at, bind) in self.program.binds.iter().enumerate() {
            let Bind::Pattern { pattern, value } = bind else { continue };
            if pattern.variables().is_empty() && !Sources::LIBRARY.contains(&value.span.source.0) {
                self.initialiser(at);
            }
        }
    }

    /// Ensures that a bind is computed when the machine starts.
    fn initialiser(&mut self, bind: usize) {
        if self.initialisers.iter().any(|(known, _)| *known == bind) {
            return;
        }
        let function = self.new_function(Pending::Initialiser { bind }, 0);
        self.initialisers.push((bind, function));
    }

    /// The slot of a global value.
    fn global_slot(&mut self, var: VarId, bind: usize) -> u32 {
        if let Some(slot) = self.global_slots.get(&var) {
            return *slot;
        }
        let slot = self.code.globals.len() as u32;
        let variable = self.program.variable(var);
        let layout = self.layout_of(variable.scheme.ty);
        self.code.globals.push((variable.name.clone(), layout));
        self.global_slots.insert(var, slot);
        self.initialiser(bind);
        slot
    }

    /// The index of a primitive in the table.
    fn prim_call(&mut self, call: PrimCall) -> u32 {
        let prims = &mut self.code.prims;
        *self.prims.entry(call).or_insert_with(|| {
            prims.push(call);
            prims.len() as u32 - 1
        })
    }

    /// The type of time stamps, from the constructor `@`.
    fn time_layout(&mut self) -> LayoutId {
        let timed = self.program.datatypes.get(DataId::TIMED.0 as usize);
        let pair = timed.and_then(|timed| timed.constructors.first()?.arg);
        let time = pair.and_then(|pair| match self.types.get(pair) {
            Type::Record(fields) => fields.get(1).map(|(_, time)| *time),
            _ => None,
        });
        self.layout_of(time.unwrap_or(Types::INT_INF))
    }
}

/// Another name, or a constant.
fn is_simple(value: &Expr) -> bool {
    matches!(
        &value.kind,
        ExprKind::Var(..) | ExprKind::Literal(_) | ExprKind::Construct { arg: None, .. }
    )
}
