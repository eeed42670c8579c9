//! Compiles a net to a model.

mod builder;

use std::sync::{Arc, Mutex, OnceLock};

use miette::Diagnostic;
use sweepline_ml::core::VarId;
use sweepline_ml::{
    ColourSetId, Environment, Files, Held, Limits, Machine, MlError, Raised, Refusal,
};

use crate::explore::instance::Instance;
use crate::explore::model::{CpnModel, Engine};
use crate::explore::place::Place;
use crate::explore::plan::{Plan, plan};
use crate::explore::start::{MustBeSmall, enumerate, lead_times, rank, start};
use crate::explore::time::Clock;
use crate::explore::transition::{Step, Transition};
use crate::net::Net;
use builder::Builder;

/// Variables that nothing binds are enumerated if their colour set has at most this many colours.
const SMALL: i64 = 100;

/// Why a net cannot be explored.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The machine does not support an operation in an inscription, or evaluating a declaration or the initial
    /// marking failed.
    #[error("{at}: {message}")]
    Evaluation {
        /// The place or transition, or the declarations.
        at: String,
        /// What happened, with the position.
        message: String,
    },
    /// The initial marking of a place has a colour that is not in its colour set.
    #[error(
        "{place}: the initial marking contains {colour}, which is not in the colour set of the place"
    )]
    Illegal {
        /// The place.
        place: String,
        /// The colour.
        colour: String,
    },
    /// A variable is not bound, and its colour set is too large to enumerate.
    #[error(
        "{transition}: `{variable}` is unbound, and its colour set has more than 100 colours: bind it by an input arc or the guard"
    )]
    Unbound {
        /// The transition.
        transition: String,
        /// The variable.
        variable: String,
    },
}

impl CpnModel {
    /// Compiles a net. `limits` apply to every evaluation.
    ///
    /// # Errors
    ///
    /// An operation that the machine does not support, an exception in the initial marking, or an unbound
    /// variable.
    pub fn new(net: &Net, limits: Limits) -> Result<Self, CompileError> {
        Self::compile(net, limits, &[])
    }

    /// Compiles the same net again, with these values of the declared references.
    pub(crate) fn with_references(
        &self,
        references: &[(VarId, Vec<u8>)],
    ) -> Result<Self, CompileError> {
        let (net, limits) = (&self.net, self.limits.clone());
        let model = Self::compile(net, limits, references)?;
        Ok(CpnModel { relative: self.relative, ..model })
    }

    /// The values of the declared references and arrays that inscriptions use.
    pub(crate) fn references(&self) -> Vec<(VarId, Held)> {
        self.machine.references().unwrap_or_default()
    }

    fn compile(
        net: &Net,
        limits: Limits,
        references: &[(VarId, Vec<u8>)],
    ) -> Result<Self, CompileError> {
        let mut environment = net.environment.clone();
        let plan = |instance| plan(&mut environment, &net.places, instance);
        let plans: Vec<Plan> = Instance::all(net).map(plan).collect();
        let mut builder = Builder::new(&environment);
        let mut places = builder.places(net)?;
        let initial = builder.initial(net)?;
        let (mut transitions, mut priorities) = (Vec::new(), Vec::new());
        for (instance, plan) in Instance::all(net).zip(&plans) {
            let (compiled, priority) = builder
                .transition(instance, net, plan)
                .map_err(|refusal| refused(&environment, &instance.transition.name, &refusal))?;
            transitions.push(compiled);
            priorities.push(priority);
        }
        let leads = builder.leads(net)?;
        let Builder { compiler, sizes, may_be_small, pure, .. } = builder;
        let code = compiler.finish().map_err(|r| refused(&environment, "declarations", &r))?;
        let machine = Machine::new(Arc::new(code), limits.clone());
        let mut machine = machine.map_err(|r| raised(&environment, "declarations", &r))?;
        for (var, bytes) in references {
            let set = machine.set_reference(*var, bytes);
            set.map_err(|r| raised(&environment, "declarations", &r))?;
        }
        let sets: Vec<ColourSetId> = net.places.iter().map(|place| place.colour_set).collect();
        rank(&mut machine, &mut places, &sets, &may_be_small);
        enumerate(&mut machine, &mut transitions, &pure);
        let mut engine = Engine::new(machine, &places, transitions.len(), limits.heap);
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
        let leads = lead_times(&environment, &mut engine.machine, clock, leads)?;
        let initial = start(&environment, &places, &mut engine, clock, &initial)?;
        // Exploration fires each binding element many times, so files are discarded by default.
        engine.machine.set_files(Files::Drop);
        Ok(CpnModel {
            timed: places.iter().any(Place::is_timed),
            picked: picked(&transitions),
            sources: environment.sources().clone(),
            machine: engine.machine.clone(),
            presenter: Mutex::new(engine),
            places,
            transitions,
            clock,
            leads,
            initial,
            net: net.clone(),
            relative: false,
            limits,
            scope: OnceLock::new(),
            features: OnceLock::new(),
            dependence: OnceLock::new(),
            by_binding: OnceLock::new(),
            unguarded: OnceLock::new(),
        })
    }
}

/// Rejects a colour set that is too large to enumerate.
fn small(
    machine: &mut Machine,
    (transition, variable, size): MustBeSmall,
) -> Result<(), CompileError> {
    let mark = machine.mark();
    let size = machine.call(size, &[0]).map_or(i64::MAX, Machine::to_int);
    machine.reset(mark);
    if size <= SMALL { Ok(()) } else { Err(CompileError::Unbound { transition, variable }) }
}

/// All places from which tokens are picked.
fn picked(transitions: &[Transition]) -> Vec<usize> {
    let steps = transitions.iter().flat_map(|transition| &transition.steps);
    let mut places: Vec<usize> = steps
        .filter_map(|step| if let Step::Pick { place, .. } = step { Some(*place) } else { None })
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

fn refused(environment: &Environment, at: &str, refusal: &Refusal) -> CompileError {
    let message = with_help(&refusal.explain(environment.sources()));
    CompileError::Evaluation { at: at.to_owned(), message }
}

pub(super) fn raised(environment: &Environment, at: &str, raised: &Raised) -> CompileError {
    let message = with_help(&raised.explain(environment.sources()));
    CompileError::Evaluation { at: at.to_owned(), message }
}

/// A message with its hint.
fn with_help(error: &MlError) -> String {
    let help = error.problem.help().map_or(String::new(), |help| format!(" ({help})"));
    format!("{error}{help}")
}
