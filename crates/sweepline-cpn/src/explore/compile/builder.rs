//! Compiles plans and inscriptions.

use std::collections::HashMap;

use sweepline_ml::core::{Expr, PatternKind, VarId};
use sweepline_ml::{
    Codec, ColourSetId, ColourSetKind, Compiler, Delay, Environment, FunctionId, Inscription,
    Refusal, Typing,
};

use super::{CompileError, refused};
use crate::explore::instance::Instance;
use crate::explore::marking::Kind;
use crate::explore::place::Place;
use crate::explore::plan::{Plan, PlanMatch, PlanStep, PlanTokens, delays};
use crate::explore::start::{Initial, Lead, MayBeSmall, MustBeSmall};
use crate::explore::transition::{
    Action, Call, Form, Given, Match, Parts, Put, Step, Take, Tokens, Transition, Unit, Values,
    Variable,
};
use crate::net::{Effects, Net};

/// The priority of a transition without a priority.
const NORMAL: i64 = 1000;

pub(super) struct Builder<'p> {
    environment: &'p Environment,
    pub(super) compiler: Compiler<'p>,
    pub(super) sizes: Vec<MustBeSmall>,
    functions: HashMap<VarId, FunctionId>,
    effects: Effects,
    pub(super) may_be_small: MayBeSmall,
    /// Functions `all` whose result is constant.
    pub(super) pure: Vec<FunctionId>,
}

impl<'p> Builder<'p> {
    pub(super) fn new(environment: &'p Environment) -> Self {
        Builder {
            environment,
            compiler: Compiler::new(environment.program()),
            sizes: Vec::new(),
            functions: HashMap::new(),
            effects: Effects::new(environment),
            may_be_small: HashMap::new(),
            pure: Vec::new(),
        }
    }

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

    pub(super) fn places(&mut self, net: &Net) -> Result<Vec<Place>, CompileError> {
        let mut places: Vec<Place> = Vec::new();
        let mut families = HashMap::new();
        for place in &net.places {
            let compiled = self.place(place.colour_set, &place.name);
            let mut compiled = compiled.map_err(|r| refused(self.environment, &place.name, &r))?;
            let fresh = families.len();
            compiled.family = *families.entry(compiled.codec).or_insert(fresh);
            places.push(compiled);
        }
        Ok(places)
    }

    fn place(&mut self, set: ColourSetId, name: &str) -> Result<Place, Refusal> {
        let declared = self.environment.colour_set(set);
        let kind = if declared.timed { Kind::Timed } else { Kind::Plain };
        let (codec, show) = (self.compiler.codec(declared.ty)?, self.function(set, "mkstr")?);
        let less = self.function(set, "lt")?;
        if is_finite(self.environment, set) && self.is_pure_function(set, "all") {
            let functions = (self.function(set, "size")?, self.function(set, "all")?);
            self.may_be_small.insert(set, functions);
        }
        Ok(Place { name: name.to_owned(), codec, kind, show, less, ranks: None, family: 0 })
    }

    fn is_pure(&self, expr: &Expr) -> bool {
        self.effects.is_pure(self.environment, expr)
    }

    /// Whether the result of a colour set's function depends only on its arguments.
    fn is_pure_function(&self, set: ColourSetId, name: &str) -> bool {
        let var = self.environment.colour_set(set).function(name);
        var.is_some_and(|var| self.effects.is_pure_function(var))
    }

    pub(super) fn initial(&mut self, net: &'p Net) -> Result<Vec<Initial>, CompileError> {
        let mut initial = Vec::new();
        for (number, place) in net.places.iter().enumerate() {
            if let Some(inscription) = &place.initial {
                let given = self.given(&[], inscription);
                let both = given.and_then(|given| Ok((given, self.legal(place.colour_set)?)));
                let (given, legal) =
                    both.map_err(|r| refused(self.environment, &place.name, &r))?;
                initial.push(Initial { place: number, given, legal });
            }
        }
        Ok(initial)
    }

    /// The function `legal` of a colour set, if colours must be checked.
    fn legal(&mut self, set: ColourSetId) -> Result<Option<FunctionId>, Refusal> {
        match self.environment.colour_set(set).subtype {
            true => self.function(set, "legal").map(Some),
            false => Ok(None),
        }
    }

    /// The delays of input arcs that do not depend on variables: how long before its time stamp a token may be
    /// removed.
    pub(super) fn leads(&mut self, net: &'p Net) -> Result<Vec<Lead>, CompileError> {
        let mut leads = Vec::new();
        for instance in Instance::all(net) {
            for (_, inscription) in instance.inputs() {
                for (expr, unit) in delays(self.environment, &inscription.expr) {
                    let at = instance.transition.name.clone();
                    if !self.environment.variables_in(expr).is_empty() {
                        continue;
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
        Ok(Given { call: self.call(slots, &inscription.expr)?, form })
    }

    /// Compiles an expression over the variables in `slots`.
    fn call(&mut self, slots: &[VarId], expr: &'p Expr) -> Result<Call, Refusal> {
        let variables = self.environment.variables_in(expr);
        let parameters = variables.iter().map(|&var| slot(slots, var)).collect();
        Ok(Call { function: self.compiler.compile_function(&variables, expr)?, parameters })
    }

    fn matching(&mut self, slots: &[VarId], matching: &'p PlanMatch) -> Result<Match, Refusal> {
        let PlanMatch { pattern, inputs, outputs } = matching;
        if let (PatternKind::Var(var), [output]) = (&pattern.kind, &outputs[..])
            && var == output
        {
            return Ok(Match::Whole(slot(slots, *var)));
        }
        Ok(Match::Parts(Parts {
            pattern: self.compiler.compile_pattern(pattern, inputs, outputs)?,
            inputs: inputs.iter().map(|&var| slot(slots, var)).collect(),
            outputs: outputs.iter().map(|&var| slot(slots, var)).collect(),
        }))
    }

    pub(super) fn transition(
        &mut self,
        instance: Instance<'p>,
        net: &Net,
        plan: &'p Plan,
    ) -> Result<(Transition, Option<FunctionId>), Refusal> {
        let slots = &plan.variables[..];
        let mut changes: Vec<usize> = plan.takes.iter().map(|take| take.place).collect();
        changes.extend(instance.outputs().map(|(place, _)| place));
        let resets = instance.places(&instance.behaviour.resets);
        changes.extend(&resets);
        changes.sort_unstable();
        changes.dedup();
        let priority = match &instance.behaviour.priority {
            Some(expr) => Some(self.compiler.compile_function(&[], expr)?),
            None => None,
        };
        let transition = Transition {
            name: instance.transition.name.clone(),
            instance: instance.transition.instance,
            priority: NORMAL,
            variables: self.variables(slots)?,
            codecs: self.codecs(slots)?,
            steps: self.steps(&instance.transition.name, slots, plan)?,
            picks: plan.picks,
            takes: self.takes(slots, plan, &changes)?,
            needs: needs(plan),
            inhibitors: instance.places(&instance.behaviour.inhibitors),
            code: self.code(slots, instance)?,
            delay: self.delay(slots, instance)?,
            leads: self.leads_of(slots, instance)?,
            puts: self.puts(slots, instance, net, &changes)?,
            resets,
            timed: changes.iter().any(|&place| net.places[place].timed),
            pure: self.is_pure_transition(instance, plan),
            changes,
        };
        Ok((transition, priority))
    }

    /// Whether the tokens removed and added depend only on the variables, except for a common time stamp.
    fn is_pure_transition(&self, instance: Instance<'_>, plan: &Plan) -> bool {
        let takes = plan.takes.iter().all(|take| match &take.tokens {
            PlanTokens::Picked { .. } => true,
            PlanTokens::Counted { expr, .. } => self.is_pure(expr),
            PlanTokens::Given { expr, form } => *form != Form::Timed && self.is_pure(expr),
        });
        let puts = instance.outputs().all(|(_, inscription)| {
            matches!(inscription.typing, Typing::Token | Typing::MultiSet)
                && self.is_pure(&inscription.expr)
        });
        let delay = instance.behaviour.delay.as_ref();
        let delay = delay.is_none_or(|delay| self.is_pure(delay.expr()));
        instance.behaviour.code.is_none() && takes && puts && delay
    }

    fn puts(
        &mut self,
        slots: &[VarId],
        instance: Instance<'p>,
        net: &Net,
        changes: &[usize],
    ) -> Result<Vec<Put>, Refusal> {
        let mut puts = Vec::new();
        for (place, inscription) in instance.outputs() {
            let legal = self.legal(net.places[place].colour_set)?;
            let given = self.given(slots, inscription)?;
            puts.push(Put { place, at: index(changes, place), given, legal });
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
                    let all = self.function(set, "all")?;
                    if self.is_pure_function(set, "all") {
                        self.pure.push(all);
                    }
                    Step::Each { slot: slot(slots, *var), values: Values::Computed(all) }
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

    fn takes(
        &mut self,
        slots: &[VarId],
        plan: &'p Plan,
        changes: &[usize],
    ) -> Result<Vec<Take>, Refusal> {
        let mut takes = Vec::new();
        for take in &plan.takes {
            let tokens = match &take.tokens {
                PlanTokens::Picked { pick, count } => Tokens::Picked { pick: *pick, count: *count },
                PlanTokens::Counted { expr, count } => {
                    Tokens::Counted { call: self.call(slots, expr)?, count: *count }
                }
                PlanTokens::Given { expr, form } => {
                    Tokens::Given(Given { call: self.call(slots, expr)?, form: *form })
                }
            };
            takes.push(Take { place: take.place, at: index(changes, take.place), tokens });
        }
        Ok(takes)
    }

    fn code(&mut self, slots: &[VarId], instance: Instance<'p>) -> Result<Option<Action>, Refusal> {
        let Some(code) = &instance.behaviour.code else { return Ok(None) };
        let outputs = code.output.iter().map(|&var| slot(slots, var)).collect();
        Ok(Some(Action { call: self.call(slots, &code.action)?, outputs }))
    }

    /// The delays of input arcs that depend on variables.
    fn leads_of(
        &mut self,
        slots: &[VarId],
        instance: Instance<'p>,
    ) -> Result<Vec<(usize, Call, Unit)>, Refusal> {
        let mut leads = Vec::new();
        for (place, inscription) in instance.inputs() {
            for (expr, unit) in delays(self.environment, &inscription.expr) {
                if !self.environment.variables_in(expr).is_empty() {
                    leads.push((place, self.call(slots, expr)?, unit));
                }
            }
        }
        Ok(leads)
    }

    fn delay(
        &mut self,
        slots: &[VarId],
        instance: Instance<'p>,
    ) -> Result<Option<(Call, Unit)>, Refusal> {
        Ok(match &instance.behaviour.delay {
            None => None,
            Some(Delay::Int(expr)) => Some((self.call(slots, expr)?, Unit::Int)),
            Some(Delay::Time(expr)) => Some((self.call(slots, expr)?, Unit::Time)),
        })
    }
}

fn slot(slots: &[VarId], var: VarId) -> usize {
    slots.iter().position(|known| *known == var).expect("all variables have slots")
}

/// Places from which every binding removes tokens.
fn needs(plan: &Plan) -> Vec<usize> {
    let takes = plan.takes.iter().filter(|take| match take.tokens {
        PlanTokens::Picked { count, .. } | PlanTokens::Counted { count, .. } => count > 0,
        PlanTokens::Given { .. } => false,
    });
    takes.map(|take| take.place).collect()
}

/// The index of a place among the places that a transition changes.
fn index(changes: &[usize], place: usize) -> usize {
    changes.binary_search(&place).expect("it takes or puts there")
}

/// Whether the size of a colour set can be computed without enumerating it.
fn is_finite(environment: &Environment, set: ColourSetId) -> bool {
    let is_finite = |set: &ColourSetId| is_finite(environment, *set);
    match &environment.colour_set(set).kind {
        ColourSetKind::Unit { .. }
        | ColourSetKind::Bool { .. }
        | ColourSetKind::Enum { .. }
        | ColourSetKind::Index { .. }
        | ColourSetKind::Int { range: Some(_) } => true,
        ColourSetKind::Product { components } => components.iter().all(is_finite),
        ColourSetKind::Record { fields } => fields.iter().all(|(_, set)| is_finite(set)),
        ColourSetKind::Union { constructors } => {
            constructors.iter().all(|(_, set)| set.as_ref().is_none_or(is_finite))
        }
        ColourSetKind::SubsetBy { of, .. }
        | ColourSetKind::SubsetWith { of, .. }
        | ColourSetKind::Alias { of } => is_finite(of),
        _ => false,
    }
}
