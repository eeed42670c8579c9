//! From a sheet to a model: plans made into code.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use sweepline_ml::core::{Expr, VarId};
use sweepline_ml::{
    Codec, ColourSetId, Compiler, Delay, Environment, FunctionId, Inscription, Limits, Machine,
    Raised, Refusal, Typing,
};

use crate::explore::fire::{Exchange, each_token, swap};
use crate::explore::marking::{Bag, Marking, Stamp};
use crate::explore::model::{CpnModel, Engine};
use crate::explore::plan::{Plan, PlanMatch, PlanStep, PlanTokens, delays, plan};
use crate::explore::pure::Purity;
use crate::explore::search::{Scratch, Search};
use crate::explore::sheet::{Sheet, SheetTransition};
use crate::explore::time::Clock;
use crate::explore::transition::{
    Action, Call, Form, Given, Match, Place, Put, Step, Take, Tokens, Transition, Unit, Variable,
};
use crate::explore::trouble::Trouble;
use crate::net::Net;

/// Colour sets of at most this many values are small: all of them are tried.
const SMALL: i64 = 100;
const LATE: &str = "a time beyond what can be counted";
/// The priority of a transition that states none.
const NORMAL: i64 = 1000;

/// Why a net cannot be explored.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The machine cannot do what an inscription asks.
    #[error("{at}: {message}")]
    Refused {
        /// The place or transition.
        at: String,
        /// What it is, with where.
        message: String,
    },
    /// Evaluating declarations or the initial marking went wrong.
    #[error("{at}: {message}")]
    Raised {
        /// The place or transition, or the declarations.
        at: String,
        /// What it is, with where.
        message: String,
    },
    /// Nothing binds a variable, and its colour set is too large to try all of it.
    #[error(
        "{transition}: nothing binds `{variable}`, and its colour set has more than 100 values"
    )]
    Unbound {
        /// The transition.
        transition: String,
        /// The variable.
        variable: String,
    },
}

impl CpnModel {
    /// Compiles a net; `limits` bound every evaluation.
    ///
    /// # Errors
    ///
    /// What the machine cannot do, what the initial marking raises, and variables that nothing binds.
    pub fn new(net: &Net, limits: Limits) -> Result<Self, CompileError> {
        Self::compile(net, &Sheet::new(net), limits)
    }

    pub(super) fn compile(net: &Net, sheet: &Sheet, limits: Limits) -> Result<Self, CompileError> {
        let mut environment = net.environment.clone();
        let plan = |transition| plan(&mut environment, &sheet.places, transition);
        let plans: Vec<Plan> = sheet.transitions.iter().map(plan).collect();
        let mut builder = Builder {
            environment: &environment,
            compiler: Compiler::new(environment.program()),
            sizes: Vec::new(),
            functions: HashMap::new(),
            purity: Purity::new(environment.program()),
            memos: 0,
        };
        let places = builder.places(sheet)?;
        let initial = builder.initial(sheet)?;
        let (mut transitions, mut priorities) = (Vec::new(), Vec::new());
        for (transition, plan) in sheet.transitions.iter().zip(&plans) {
            let (compiled, priority) = builder
                .transition(transition, sheet, plan)
                .map_err(|refusal| refused(&environment, &transition.name, &refusal))?;
            transitions.push(compiled);
            priorities.push(priority);
        }
        let leads = builder.leads(sheet)?;
        let Builder { compiler, sizes, memos, .. } = builder;
        let code = compiler.finish().map_err(|r| refused(&environment, "declarations", &r))?;
        let machine = Machine::new(Arc::new(code), limits.clone());
        let machine = machine.map_err(|r| raised(&environment, "declarations", &r))?;
        let mut engine = Engine {
            machine,
            scratch: Scratch::new(memos),
            exchange: Exchange::default(),
            next: Marking::default(),
        };
        for size in sizes {
            small(&mut engine.machine, size)?;
        }
        for (transition, priority) in transitions.iter_mut().zip(priorities) {
            if let Some(function) = priority {
                let value = engine.machine.call(function, &[]);
                let value = value.map_err(|r| raised(&environment, &transition.name, &r))?;
                transition.priority = Machine::to_int(value);
            }
        }
        transitions.sort_by_key(|transition| transition.priority);
        let clock = Clock(net.time);
        let leads = lead_times(&environment, &mut engine, clock, leads)?;
        let initial = start(&environment, &places, &mut engine, clock, &initial)?;
        let timed = places.iter().any(|place| place.timed);
        let sources = environment.sources().clone();
        let engine = RefCell::new(engine);
        Ok(CpnModel {
            places,
            transitions,
            clock,
            timed,
            leads,
            initial,
            sources,
            engine,
            net: net.clone(),
            limits,
            scope: OnceCell::new(),
            gauges: OnceCell::new(),
            failure: RefCell::new(None),
        })
    }
}

/// The delay of an input arc, by its transition.
type Lead = (String, FunctionId, Unit);

const VARIABLE_LEAD: &str = "the delay of an input arc must not depend on variables: when time goes on to \
     the moment at which the next token may be taken, they have no values yet";

/// A variable whose colour set must be small: its transition, its name, and the function `size`.
type MustBeSmall = (String, String, FunctionId);

struct Builder<'p> {
    environment: &'p Environment,
    compiler: Compiler<'p>,
    sizes: Vec<MustBeSmall>,
    functions: HashMap<VarId, FunctionId>,
    purity: Purity<'p>,
    memos: usize,
}

impl<'p> Builder<'p> {
    /// A function of a colour set.
    fn function(&mut self, set: ColourSetId, name: &str) -> Result<FunctionId, Refusal> {
        let var = self.environment.colour_set(set).function(name);
        let var = var.unwrap_or_else(|| panic!("every colour set has the function {name}"));
        if let Some(&function) = self.functions.get(&var) {
            return Ok(function);
        }
        let function = self.compiler.compile_call(var)?;
        self.functions.insert(var, function);
        Ok(function)
    }

    fn places(&mut self, sheet: &Sheet) -> Result<Vec<Place>, CompileError> {
        let mut places = Vec::new();
        for place in &sheet.places {
            let set = self.environment.colour_set(place.colour_set);
            let codec = self.compiler.codec(set.ty);
            let show = self.function(place.colour_set, "mkstr");
            let both = codec.and_then(|codec| Ok((codec, show?)));
            let (codec, show) = both.map_err(|r| refused(self.environment, &place.name, &r))?;
            places.push(Place { name: place.name.clone(), codec, timed: set.timed, show });
        }
        Ok(places)
    }

    fn initial(&mut self, sheet: &'p Sheet) -> Result<Vec<(usize, Given)>, CompileError> {
        let mut initial = Vec::new();
        for (number, place) in sheet.places.iter().enumerate() {
            if let Some(inscription) = &place.initial {
                let given = self.given(&[], inscription);
                let given = given.map_err(|r| refused(self.environment, &place.name, &r))?;
                initial.push((number, given));
            }
        }
        Ok(initial)
    }

    /// The delays of input arcs: how much before its stamp a token may be taken.
    fn leads(&mut self, sheet: &'p Sheet) -> Result<Vec<Lead>, CompileError> {
        let mut leads = Vec::new();
        for transition in &sheet.transitions {
            for (_, inscription) in &transition.inputs {
                for (expr, unit) in delays(self.environment, &inscription.expr) {
                    let at = transition.name.clone();
                    if !self.environment.variables_in(expr).is_empty() {
                        return Err(CompileError::Refused { at, message: VARIABLE_LEAD.into() });
                    }
                    let function = self.compiler.compile_function(&[], expr);
                    let function = function.map_err(|r| refused(self.environment, &at, &r))?;
                    leads.push((at, function, unit));
                }
            }
        }
        Ok(leads)
    }

    fn given(&mut self, slots: &[VarId], inscription: &'p Inscription) -> Result<Given, Refusal> {
        let form = match inscription.typing {
            Typing::Token => Form::Token,
            Typing::MultiSet => Form::MultiSet,
            Typing::TimedToken | Typing::TimedMultiSet => Form::Timed,
        };
        let memo = self.memo(&inscription.expr, form == Form::MultiSet);
        Ok(Given { memo, call: self.call(slots, &inscription.expr)?, form })
    }

    /// A cache for what an expression gives, if that is `dear` and depends on its variables alone.
    fn memo(&mut self, expr: &Expr, dear: bool) -> Option<usize> {
        if !dear || !self.purity.is_pure(expr) {
            return None;
        }
        self.memos += 1;
        Some(self.memos - 1)
    }

    /// An expression over the variables in `slots`.
    fn call(&mut self, slots: &[VarId], expr: &'p Expr) -> Result<Call, Refusal> {
        let variables = self.environment.variables_in(expr);
        let parameters = variables.iter().map(|&var| slot(slots, var)).collect();
        Ok(Call { function: self.compiler.compile_function(&variables, expr)?, parameters })
    }

    fn matching(&mut self, slots: &[VarId], matching: &'p PlanMatch) -> Result<Match, Refusal> {
        let PlanMatch { pattern, inputs, outputs } = matching;
        Ok(Match {
            pattern: self.compiler.compile_pattern(pattern, inputs, outputs)?,
            inputs: inputs.iter().map(|&var| slot(slots, var)).collect(),
            outputs: outputs.iter().map(|&var| slot(slots, var)).collect(),
        })
    }

    fn transition(
        &mut self,
        sheet: &'p SheetTransition,
        places: &Sheet,
        plan: &'p Plan,
    ) -> Result<(Transition, Option<FunctionId>), Refusal> {
        let slots = &plan.variables[..];
        let puts = self.puts(slots, sheet, places)?;
        let mut changes: Vec<usize> = plan.takes.iter().map(|take| take.place).collect();
        changes.extend(puts.iter().map(|put| put.place).chain(sheet.resets.iter().copied()));
        changes.sort_unstable();
        changes.dedup();
        let priority = match &sheet.priority {
            Some(expr) => Some(self.compiler.compile_function(&[], expr)?),
            None => None,
        };
        let transition = Transition {
            name: sheet.name.clone(),
            instance: sheet.instance,
            priority: NORMAL,
            variables: self.variables(slots)?,
            codecs: self.codecs(slots)?,
            steps: self.steps(&sheet.name, slots, plan)?,
            picks: plan.picks,
            takes: self.takes(slots, plan)?,
            inhibitors: sheet.inhibitors.clone(),
            code: self.code(slots, sheet)?,
            delay: self.delay(slots, sheet)?,
            puts,
            resets: sheet.resets.clone(),
            changes,
        };
        Ok((transition, priority))
    }

    fn puts(
        &mut self,
        slots: &[VarId],
        sheet: &'p SheetTransition,
        places: &Sheet,
    ) -> Result<Vec<Put>, Refusal> {
        let mut puts = Vec::new();
        for (place, inscription) in &sheet.outputs {
            let set = places.places[*place].colour_set;
            let legal = match self.environment.colour_set(set).subtype {
                true => Some(self.function(set, "legal")?),
                false => None,
            };
            let mut given = self.given(slots, inscription)?;
            if legal.is_some() && given.form == Form::Token {
                given.memo = self.memo(&inscription.expr, true);
            }
            puts.push(Put { place: *place, given, legal });
        }
        Ok(puts)
    }

    fn colour_set_of(&self, var: VarId) -> ColourSetId {
        self.environment.variable_colour_set(var).expect("variables have colour sets")
    }

    fn variables(&mut self, slots: &[VarId]) -> Result<Vec<Variable>, Refusal> {
        let mut variables = Vec::new();
        for &var in slots {
            let set = self.colour_set_of(var);
            variables.push(Variable { name: self.name(var), show: self.function(set, "mkstr")? });
        }
        Ok(variables)
    }

    fn codecs(&mut self, slots: &[VarId]) -> Result<Vec<Codec>, Refusal> {
        let ty = |var: VarId| self.environment.colour_set(self.colour_set_of(var)).ty;
        let types: Vec<_> = slots.iter().map(|&var| ty(var)).collect();
        types.into_iter().map(|ty| self.compiler.codec(ty)).collect()
    }

    fn name(&self, var: VarId) -> String {
        self.environment.program().variables[var.0 as usize].name.to_string()
    }

    fn steps(
        &mut self,
        transition: &str,
        slots: &[VarId],
        plan: &'p Plan,
    ) -> Result<Vec<Step>, Refusal> {
        let mut steps = Vec::new();
        for step in &plan.steps {
            steps.push(match step {
                PlanStep::Pick { pick, place, needed, matching } => {
                    let matching = self.matching(slots, matching)?;
                    Step::Pick { pick: *pick, place: *place, needed: *needed, matching }
                }
                PlanStep::Confirm { pick, place, expr } => {
                    Step::Confirm { pick: *pick, place: *place, call: self.call(slots, expr)? }
                }
                PlanStep::Let { value, matching } => Step::Let {
                    value: self.call(slots, value)?,
                    matching: self.matching(slots, matching)?,
                },
                PlanStep::Test(expr) => Step::Test(self.call(slots, expr)?),
                PlanStep::Each(var) => {
                    let set = self.colour_set_of(*var);
                    let declared = &self.environment.colour_set(set).declares;
                    if !declared.iter().any(|function| **function == *"all") {
                        let size = self.function(set, "size")?;
                        self.sizes.push((transition.to_owned(), self.name(*var), size));
                    }
                    Step::Each { slot: slot(slots, *var), all: self.function(set, "all")? }
                }
                PlanStep::Legal(var) => {
                    let set = self.colour_set_of(*var);
                    if !self.environment.colour_set(set).subtype {
                        continue;
                    }
                    Step::Legal { slot: slot(slots, *var), function: self.function(set, "legal")? }
                }
            });
        }
        Ok(steps)
    }

    fn takes(&mut self, slots: &[VarId], plan: &'p Plan) -> Result<Vec<Take>, Refusal> {
        let mut takes = Vec::new();
        for take in &plan.takes {
            let tokens = match &take.tokens {
                PlanTokens::Picked { pick, count } => Tokens::Picked { pick: *pick, count: *count },
                PlanTokens::Counted { expr, count } => {
                    Tokens::Counted { call: self.call(slots, expr)?, count: *count }
                }
                PlanTokens::Given { expr, form } => {
                    let memo = self.memo(expr, *form == Form::MultiSet);
                    Tokens::Given(Given { memo, call: self.call(slots, expr)?, form: *form })
                }
            };
            takes.push(Take { place: take.place, tokens });
        }
        Ok(takes)
    }

    fn code(
        &mut self,
        slots: &[VarId],
        sheet: &'p SheetTransition,
    ) -> Result<Option<Action>, Refusal> {
        let Some(code) = &sheet.code else { return Ok(None) };
        let outputs = code.output.iter().map(|&var| slot(slots, var)).collect();
        Ok(Some(Action { call: self.call(slots, &code.action)?, outputs }))
    }

    fn delay(
        &mut self,
        slots: &[VarId],
        sheet: &'p SheetTransition,
    ) -> Result<Option<(Call, Unit)>, Refusal> {
        Ok(match &sheet.delay {
            None => None,
            Some(Delay::Int(expr)) => Some((self.call(slots, expr)?, Unit::Int)),
            Some(Delay::Time(expr)) => Some((self.call(slots, expr)?, Unit::Time)),
        })
    }
}

fn slot(slots: &[VarId], var: VarId) -> usize {
    slots.iter().position(|known| *known == var).expect("all variables have slots")
}

/// Refuses to try all values of a colour set that is not small.
fn small(
    machine: &mut Machine,
    (transition, variable, size): (String, String, FunctionId),
) -> Result<(), CompileError> {
    let mark = machine.mark();
    let size = machine.call(size, &[0]).map_or(i64::MAX, Machine::to_int);
    machine.reset(mark);
    if size <= SMALL { Ok(()) } else { Err(CompileError::Unbound { transition, variable }) }
}

/// How much before its stamp a token may be taken, wherever that is more than nothing.
fn lead_times(
    environment: &Environment,
    engine: &mut Engine,
    clock: Clock,
    leads: Vec<Lead>,
) -> Result<Vec<Stamp>, CompileError> {
    let mut times = Vec::new();
    for (at, function, unit) in leads {
        let value = engine.machine.call(function, &[]);
        let value = value.map_err(|r| raised(environment, &at, &r))?;
        let time = match unit {
            Unit::Int => Ok(clock.units(Machine::to_int(value))),
            Unit::Time => clock.stamp(&engine.machine, value),
        };
        let late = |_| CompileError::Raised { at, message: LATE.into() };
        times.push(time.map_err(late)?);
    }
    times.retain(|&time| time != 0);
    times.sort_unstable();
    times.dedup();
    Ok(times)
}

/// The marking to start with.
fn start(
    environment: &Environment,
    places: &[Place],
    engine: &mut Engine,
    clock: Clock,
    initial: &[(usize, Given)],
) -> Result<Marking, CompileError> {
    let mut bags = vec![Bag::default(); places.len()];
    let Engine { machine, scratch, .. } = engine;
    let mark = machine.mark();
    for (place, given) in initial {
        let mut search = Search { places, codecs: &[], machine, scratch };
        let gathered = each_token(&mut search, given, *place, 0, clock, |_, colour, stamp| {
            bags[*place].add(1, stamp, |bytes| bytes.extend_from_slice(colour));
            Ok(())
        });
        gathered.map_err(|trouble| match trouble {
            Trouble::Raised(r) => raised(environment, &places[*place].name, &r),
            _ => CompileError::Raised { at: places[*place].name.clone(), message: LATE.into() },
        })?;
    }
    engine.machine.reset(mark);
    bags.iter_mut().for_each(Bag::sort);
    let all: Vec<usize> = (0..places.len()).collect();
    let mut marking = Marking::default();
    marking.replace(&Marking::empty(places.len()), &all, |place, before, out| {
        swap(places[place].timed)(before, &Bag::default(), &bags[place], out);
    });
    Ok(marking)
}

fn refused(environment: &Environment, at: &str, refusal: &Refusal) -> CompileError {
    let message = refusal.explain(environment.sources()).to_string();
    CompileError::Refused { at: at.to_owned(), message }
}

fn raised(environment: &Environment, at: &str, raised: &Raised) -> CompileError {
    let message = raised.explain(environment.sources()).to_string();
    CompileError::Raised { at: at.to_owned(), message }
}
