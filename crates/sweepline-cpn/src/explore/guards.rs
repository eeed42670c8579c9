//! Guards that are false although the input arcs can bind, for the coverage of random runs.

use sweepline::Computed;
use sweepline_ml::core::Expr;

use crate::explore::error::SuccessorError;
use crate::explore::fire::Moment;
use crate::explore::marking::{Marking, Stamp};
use crate::explore::model::{CpnModel, Engine, Worker};
use crate::explore::search::BindingSearch;
use crate::explore::transition::{Match, Step, Transition};

impl CpnModel {
    /// Whether a transition has a guard, by its number.
    pub fn has_guard(&self, transition: usize) -> bool {
        let is_guard = |step: &Step| matches!(step, Step::Test(_) | Step::Let { .. });
        self.transitions[transition].steps.iter().any(is_guard)
    }

    /// What `marking` shows about the guards of `transitions`, at the time at which the next binding element occurs. `true`:
    /// some binding of the input arcs satisfies the guard. `false`: the input arcs can bind, and the guard is false for
    /// each of these bindings. `None`: the input arcs cannot bind, or it is not known whether they can, because only the
    /// guard binds some variables or an inscription fails without it.
    ///
    /// # Errors
    ///
    /// If an inscription fails that exploration evaluates, too.
    pub fn guards_seen(
        &self,
        worker: &mut Worker,
        marking: &Marking,
        transitions: &[usize],
    ) -> Computed<Vec<Option<bool>>> {
        let mut indexed = marking.clone();
        indexed.index().expect("a marking was not written by us");
        let engine = self.engine(worker);
        let mut now = indexed.time;
        let occurred = self.occurrences(engine, &indexed, &mut |_, next, _| {
            now = next.time;
            false
        });
        occurred.map_err(|error| self.explain(error))?;
        let mark =
            self.enter(engine, &indexed, now).map_err(|error| self.explain((None, error)))?;
        let mut seen = Vec::with_capacity(transitions.len());
        for &number in transitions {
            let bindings = self.bindings(engine, number, &indexed, now, &mut |_, _, _| false);
            let (n, _) = bindings.map_err(|error| self.explain((Some(number), error)))?;
            seen.push((n > 0).then_some(true));
        }
        engine.machine.reset(mark);
        engine.machine.collect();
        if seen.contains(&None)
            && let Some(unguarded) = self.without_guards()
        {
            let engine = worker.unguarded.get_or_insert_with(|| Box::new(unguarded.new_engine()));
            // Guards may protect inscriptions from values for which they fail.
            let _ = unguarded.find_bindings(engine, &indexed, now, transitions, &mut seen);
        }
        Ok(seen)
    }

    /// The same net without the guards whose variables the input arcs bind.
    fn without_guards(&self) -> Option<&CpnModel> {
        let compile = || {
            let mut net = self.net.clone();
            for behaviour in &mut net.behaviours {
                let variables = |expr: &Expr| net.environment.variables_in(expr);
                let arcs = behaviour.inputs.iter().map(|arc| &arc.inscription.expr);
                let bound: Vec<_> = arcs.flat_map(variables).collect();
                behaviour.guard.retain(|conjunct| {
                    variables(&conjunct.expr).iter().any(|variable| !bound.contains(variable))
                });
            }
            let model = CpnModel::new(&net, self.limits.clone()).ok()?;
            let mut places = model.places.iter().zip(&self.places);
            // It reads markings of this net.
            places.all(|(one, other)| one.kind == other.kind).then(|| Box::new(model))
        };
        self.unguarded.get_or_init(compile).as_deref()
    }

    /// Sets `seen` to `false` for transitions of which it says nothing, and whose input arcs can bind.
    fn find_bindings(
        &self,
        engine: &mut Engine,
        marking: &Marking,
        now: Stamp,
        transitions: &[usize],
        seen: &mut [Option<bool>],
    ) -> Result<(), SuccessorError> {
        let mark = self.enter(engine, marking, now)?;
        for (&number, seen) in transitions.iter().zip(seen) {
            let mut transition = self.transitions[number].clone();
            transition.steps.retain(|step| !is_test(step));
            if seen.is_none() && self.may_occur(&transition, marking, now) {
                let mark = engine.machine.mark();
                let binds = self.binds(engine, &transition, marking, now).unwrap_or(false);
                *seen = binds.then_some(false);
                engine.machine.reset(mark);
            }
        }
        engine.machine.reset(mark);
        engine.machine.collect();
        Ok(())
    }

    /// Whether some binding of the input arcs has its tokens in the marking.
    fn binds(
        &self,
        engine: &mut Engine,
        transition: &Transition,
        marking: &Marking,
        now: Stamp,
    ) -> Result<bool, SuccessorError> {
        let Engine { machine, scratch, view, exchange, .. } = engine;
        let moment = Moment { marking, now, clock: self.clock, timed: self.timed };
        let mut search = BindingSearch {
            places: &self.places,
            codecs: &transition.codecs,
            view,
            machine,
            scratch,
        };
        let mut binds = false;
        search.run(transition, &mut |search| {
            binds = exchange.removes(search, transition, moment)?;
            Ok(!binds)
        })?;
        Ok(binds)
    }
}

/// Whether a step is a guard that binds no variable.
fn is_test(step: &Step) -> bool {
    match step {
        Step::Test(_) => true,
        Step::Let { matching: Match::Parts(parts), .. } => parts.outputs.is_empty(),
        _ => false,
    }
}
