//! A coloured net as a [`Model`].

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use foldhash::quality::FixedState;
use miette::Diagnostic;
use sweepline::{Computed, Model, ModelError, Sink, Stopped};
use sweepline_ml::{Cause, Files, Limits, Machine, Mark, Sources, WrittenFile};

use crate::explore::dependence::{Dependence, NoDependence};
use crate::explore::error::SuccessorError;
use crate::explore::features::MarkingFeatures;
use crate::explore::fire::{Exchange, Moment};
use crate::explore::marking::{Marking, Stamp};
use crate::explore::place::Place;
use crate::explore::search::{BindingSearch, Outcome, Scratch};
use crate::explore::time::Clock;
use crate::explore::transition::{Transition, Variable};
use crate::explore::view::View;
use crate::net::Net;
use crate::query::{Evaluators, Scope};

/// A coloured net, compiled for exploration.
pub struct CpnModel {
    pub(crate) places: Vec<Place>,
    /// Sorted by priority.
    pub(crate) transitions: Vec<Transition>,
    /// Places from which tokens are picked.
    pub(crate) picked: Vec<usize>,
    pub(crate) clock: Clock,
    /// Whether some place is timed, so that the time is part of a marking.
    pub(crate) timed: bool,
    /// How long before their time stamps tokens may be removed, besides zero.
    pub(crate) leads: Vec<Stamp>,
    pub(crate) initial: Marking,
    pub(crate) sources: Sources,
    /// The machine before exploration; each engine starts with a copy.
    pub(crate) machine: Machine,
    /// The engine that formats markings and binding elements.
    pub(super) presenter: Mutex<Engine>,
    pub(crate) net: Net,
    /// Whether a marking represents all markings that differ only by a shift of model time.
    pub(crate) relative: bool,
    pub(crate) limits: Limits,
    pub(crate) scope: OnceLock<Scope>,
    pub(crate) features: OnceLock<MarkingFeatures>,
    /// The dependence relation between transitions, and that between bindings, if they are distinguished.
    pub(super) dependence: OnceLock<Result<Dependence, NoDependence>>,
    pub(super) by_binding: OnceLock<Option<Dependence>>,
    /// The same net without guards, if it can be compiled.
    pub(super) unguarded: OnceLock<Option<Box<CpnModel>>>,
}

/// The state for computing successors.
pub(crate) struct Engine {
    pub(crate) machine: Machine,
    pub(crate) scratch: Scratch,
    pub(crate) view: View,
    pub(crate) exchange: Exchange,
    pub(crate) next: Marking,
    /// The binding element whose files are kept.
    pub(crate) written: Option<Occurrence>,
}

impl Engine {
    pub(super) fn new(machine: Machine, places: &[Place], transitions: usize, heap: usize) -> Self {
        let families = places.iter().map(|place| place.family + 1).max().unwrap_or(0);
        Engine {
            machine,
            scratch: Scratch::default(),
            view: View::new(places.len(), families, heap),
            exchange: Exchange::new(transitions),
            next: Marking::default(),
            written: None,
        }
    }
}

/// The state of one thread: an engine for successors, and a machine for each expression.
#[derive(Default)]
pub struct Worker {
    engine: Option<Box<Engine>>,
    /// The engine of the net without guards.
    pub(super) unguarded: Option<Box<Engine>>,
    pub(crate) evaluators: Evaluators,
}

/// A binding element, by its transition and its index among the bindings enabled in a marking.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence {
    /// The transition instance.
    pub transition: u32,
    /// The index of its binding, in the order of the search.
    pub binding: u32,
    /// The action of the dependence relation that it belongs to.
    pub(crate) action: u32,
}

impl PartialEq for Occurrence {
    fn eq(&self, other: &Self) -> bool {
        (self.transition, self.binding) == (other.transition, other.binding)
    }
}

impl Eq for Occurrence {}

impl Hash for Occurrence {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.transition, self.binding).hash(state);
    }
}

impl CpnModel {
    /// The engine of a worker, created on first use.
    pub(crate) fn engine<'w>(&self, worker: &'w mut Worker) -> &'w mut Engine {
        worker.engine.get_or_insert_with(|| Box::new(self.new_engine()))
    }

    pub(super) fn new_engine(&self) -> Engine {
        let machine = self.machine.clone();
        Engine::new(machine, &self.places, self.transitions.len(), self.limits.heap)
    }

    /// The engine that formats markings and binding elements.
    pub(crate) fn presenter(&self) -> MutexGuard<'_, Engine> {
        self.presenter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `found` for every binding element enabled in `marking`, at its time or at the first later time at
    /// which one is enabled, with the resulting marking. Stops when `found` returns `false`.
    pub(super) fn occurrences(
        &self,
        engine: &mut Engine,
        marking: &Marking,
        found: &mut dyn FnMut(Occurrence, &Marking, &mut BindingSearch<'_>) -> bool,
    ) -> Result<(), (Option<usize>, SuccessorError)> {
        if !marking.is_indexed() {
            let mut indexed = marking.clone();
            indexed.index().expect("a marking was not written by us");
            return self.occurrences(engine, &indexed, found);
        }
        if let Some(seed) = self.limits.seed {
            // Random numbers must depend on the marking only, not on how it was reached.
            let print = FixedState::with_seed(seed).hash_one(marking.bytes());
            engine.machine.set_seed(print);
        }
        let mut now = marking.time;
        let nowhere = |error| (None, error);
        loop {
            let mark = self.enter(engine, marking, now).map_err(nowhere)?;
            let any = self.at(engine, marking, now, found)?;
            engine.machine.reset(mark);
            engine.machine.collect();
            if any || !self.timed {
                return Ok(());
            }
            match self.next_time(marking, now, engine.exchange.leads()) {
                Some(later) => now = later,
                None => return Ok(()),
            }
        }
    }

    /// Like `occurrences`, with the representative of the resulting marking.
    pub(super) fn each_successor(
        &self,
        worker: &mut Worker,
        marking: &Marking,
        found: &mut dyn FnMut(Occurrence, &Marking, &mut BindingSearch<'_>) -> bool,
    ) -> Computed {
        let engine = self.engine(worker);
        let mut class = Marking::default();
        let done = self.occurrences(engine, marking, &mut |occurrence, next, search| {
            if !self.relative {
                return found(occurrence, next, search);
            }
            class.clone_from(next);
            self.make_relative(&mut class);
            found(occurrence, &class, search)
        });
        done.map_err(|error| self.explain(error))
    }

    /// Like `occurrences`, at one time. Returns whether any was enabled. Only the highest priority with an
    /// enabled binding element counts.
    fn at(
        &self,
        engine: &mut Engine,
        marking: &Marking,
        now: Stamp,
        found: &mut dyn FnMut(Occurrence, &Marking, &mut BindingSearch<'_>) -> bool,
    ) -> Result<bool, (Option<usize>, SuccessorError)> {
        let mut priority = None;
        for (number, transition) in self.transitions.iter().enumerate() {
            if priority.is_some_and(|priority| transition.priority > priority) {
                break;
            }
            let (bindings, go_on) = self
                .bindings(engine, number, marking, now, found)
                .map_err(|error| (Some(number), error))?;
            if bindings > 0 {
                priority = Some(transition.priority);
            }
            if !go_on {
                return Ok(true);
            }
        }
        Ok(priority.is_some())
    }

    /// Makes the tokens of a marking visible, and the time known. The result is where the machine is reset to.
    pub(super) fn enter(
        &self,
        engine: &mut Engine,
        marking: &Marking,
        now: Stamp,
    ) -> Result<Mark, SuccessorError> {
        let Engine { machine, view, exchange, .. } = engine;
        exchange.forget_leads();
        if view.make_room(machine) {
            exchange.forget_effects();
        }
        let mark = machine.mark();
        view.fill(machine, &self.places, &self.picked, marking, now)?;
        if self.timed {
            let time = self.clock.word(machine, now)?;
            machine.set_time(time);
        }
        Ok(mark)
    }

    /// Whether no input place that every binding needs is empty, and no inhibitor arc prevents the transition.
    pub(super) fn may_occur(&self, transition: &Transition, marking: &Marking, now: Stamp) -> bool {
        let available = |&place: &usize| self.places[place].has_available(place, marking, now);
        !transition.needs.iter().any(|&place| marking.segment(place).is_empty())
            && !transition.inhibitors.iter().any(available)
    }

    /// The bindings of one transition. Returns their number, and whether to continue.
    pub(super) fn bindings(
        &self,
        engine: &mut Engine,
        number: usize,
        marking: &Marking,
        now: Stamp,
        found: &mut dyn FnMut(Occurrence, &Marking, &mut BindingSearch<'_>) -> bool,
    ) -> Result<(u32, bool), SuccessorError> {
        let transition = &self.transitions[number];
        if !self.may_occur(transition, marking, now) {
            return Ok((0, true));
        }
        let Engine { machine, scratch, view, exchange, next, written } = engine;
        let moment = Moment { marking, now, clock: self.clock, timed: self.timed };
        let mark = machine.mark();
        let mut binding = 0;
        let mut search = BindingSearch {
            places: &self.places,
            codecs: &transition.codecs,
            view,
            machine,
            scratch,
        };
        let outcome = search.run(transition, &mut |search| {
            let [transition_number, action] = [number as u32; 2];
            let mut occurrence = Occurrence { transition: transition_number, binding, action };
            let is_written = *written == Some(occurrence);
            if is_written {
                search.machine.set_files(Files::Keep);
            }
            let fired = exchange.fire(search, (number, transition), moment, next);
            if is_written {
                search.machine.set_files(Files::Drop);
            }
            if !fired? {
                return Ok(true);
            }
            binding += 1;
            if let Some(Some(dependence)) = self.by_binding.get() {
                occurrence.action = dependence.number(number, search)?;
            }
            Ok(found(occurrence, next, search))
        })?;
        engine.machine.reset(mark);
        Ok((binding, matches!(outcome, Outcome::Done)))
    }

    /// The least time after `now` at which another token becomes available. `leads` are how much earlier than
    /// their time stamps the bindings found may remove tokens of a place.
    fn next_time(&self, marking: &Marking, now: Stamp, leads: &[(usize, Stamp)]) -> Option<Stamp> {
        let timed = self.places.iter().enumerate().filter(|(_, place)| place.is_timed());
        let stamps = timed.flat_map(|(place, _)| {
            let stamps = marking.timed_tokens(place).flat_map(|(_, stamps)| stamps);
            stamps.map(move |stamp| (place, stamp))
        });
        let times = stamps.flat_map(|(place, stamp)| {
            let here = leads.iter().filter(move |(at, _)| *at == place).map(|(_, lead)| lead);
            let early = self.leads.iter().chain(here);
            early.map(move |&lead| self.clock.earlier(stamp, lead)).chain([stamp])
        });
        times.filter(|&time| time > now).min()
    }

    /// A binding element in CPN Tools' notation: `Page'Transition 1 {x=1,p="COL"}`. `None` if it is not
    /// enabled in the marking.
    pub fn show_occurrence(&self, marking: &Marking, occurrence: Occurrence) -> Option<String> {
        let mut shown = None;
        let engine = &mut *self.presenter();
        let _ = self.occurrences(engine, marking, &mut |found, _, search| {
            if found == occurrence {
                shown = self.show_binding(occurrence, search);
            }
            found != occurrence
        });
        shown
    }

    /// Whether a marking is dead: nothing is enabled, now or later.
    ///
    /// # Errors
    ///
    /// If an inscription fails.
    pub fn is_dead(&self, worker: &mut Worker, marking: &Marking) -> Computed<bool> {
        let mut is_dead = true;
        let done = self.occurrences(self.engine(worker), marking, &mut |_, _, _| {
            is_dead = false;
            false
        });
        done.map_err(|error| self.explain(error)).map(|()| is_dead)
    }

    /// Fires a binding element again, to get the files that its code segment writes. The limits of the model
    /// must keep files.
    pub fn write_files(&self, marking: &Marking, occurrence: Occurrence) {
        let engine = &mut *self.presenter();
        engine.written = Some(occurrence);
        // An error here was reported before, when the binding element was found.
        let _ = self.occurrences(engine, marking, &mut |found, _, _| found != occurrence);
        engine.written = None;
    }

    /// The files written since the last call, if the limits of the model keep them.
    pub fn take_files(&self) -> Vec<WrittenFile> {
        self.presenter().machine.take_files()
    }

    /// The binding found by a search, as text.
    pub(super) fn show_binding(
        &self,
        occurrence: Occurrence,
        search: &mut BindingSearch<'_>,
    ) -> Option<String> {
        let transition = &self.transitions[occurrence.transition as usize];
        let value = |(slot, variable): (usize, &Variable)| {
            let word = search.scratch.slots[slot];
            let text = search.machine.call(variable.show, &[word]).ok()?;
            let text = search.machine.text(text);
            Some(format!("{}={text}", variable.name))
        };
        let values: Option<Vec<String>> =
            transition.variables.iter().enumerate().map(value).collect();
        values.map(|values| format!("{} {{{}}}", transition.name, values.join(",")))
    }

    /// The marked places by name, with their tokens in CPN Tools' notation.
    pub fn show_marking(&self, marking: &Marking) -> Vec<(String, String)> {
        let engine = &mut *self.presenter();
        let shown = |(number, place): (usize, &Place)| {
            let tokens = self.show_tokens(engine, marking, number);
            (!tokens.is_empty()).then(|| {
                let sum = if place.is_timed() { "+++" } else { "++" };
                (place.name.clone(), tokens.join(sum))
            })
        };
        self.places.iter().enumerate().filter_map(shown).collect()
    }

    pub(super) fn show_tokens(
        &self,
        engine: &mut Engine,
        marking: &Marking,
        number: usize,
    ) -> Vec<String> {
        let (place, machine) = (&self.places[number], &mut engine.machine);
        let (mark, mut tokens) = (machine.mark(), Vec::new());
        place.form().each_token(marking, number, |mut colour, count, stamp| {
            if let Ok(value) = place.codec.decode(machine, &mut colour) {
                tokens.push((value, stamp, count));
            }
        });
        tokens.sort_by(|a, b| place.order(machine, a.0, b.0).then(a.1.cmp(&b.1)));
        let mut shown = Vec::new();
        for (value, stamp, count) in tokens {
            let text = place.show(machine, value).unwrap_or_else(|_| "?".to_owned());
            shown.push(match place.is_timed() {
                true => format!("{count}`{text}@{}", self.clock.show(stamp)),
                false => format!("{count}`{text}"),
            });
        }
        machine.reset(mark);
        shown
    }

    pub(super) fn explain(
        &self,
        (transition, error): (Option<usize>, SuccessorError),
    ) -> ModelError {
        let at = transition.map_or(String::new(), |t| format!("{}: ", self.transitions[t].name));
        match error {
            SuccessorError::Raised(raised) if raised.cause == Cause::Stopped => Box::new(Stopped),
            SuccessorError::Raised(raised) => {
                let error = raised.explain(&self.sources);
                let help = error.problem.help().map_or(String::new(), |help| format!(" ({help})"));
                format!("{at}{}{help}", self.net.explain(&error)).into()
            }
            SuccessorError::Illegal { place, colour } => {
                format!("{at}adds {colour} to {place}, which is not in the colour set of the place")
                    .into()
            }
            SuccessorError::Unlisted => {
                format!("{at}has a binding that was not foreseen; run without `--stubborn` and `--sleep`, and report this").into()
            }
            SuccessorError::TimeTooLarge => {
                format!("{at}the model time is too large: it must fit in 64 bits").into()
            }
        }
    }
}

impl Model for CpnModel {
    type State = Marking;
    type Action = Occurrence;
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker::default()
    }

    fn initial(&self, push: &mut dyn FnMut(&Marking)) {
        push(&self.initial);
    }

    fn successors(
        &self,
        worker: &mut Worker,
        marking: &Marking,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        self.each_successor(worker, marking, &mut |occurrence, next, _| {
            sink.push(occurrence, next);
            true
        })
    }

    fn encode(&self, marking: &Marking, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(marking.bytes());
    }

    fn decode(&self, bytes: &[u8]) -> Marking {
        let mut marking = Marking::default();
        self.decode_into(bytes, &mut marking);
        marking
    }

    fn try_decode(&self, bytes: &[u8]) -> Option<Marking> {
        let mut marking = Marking::default();
        marking.decode(self.places.len(), self.timed, bytes).map(|()| marking)
    }

    fn decode_into(&self, bytes: &[u8], marking: &mut Marking) {
        let read = marking.decode(self.places.len(), self.timed, bytes);
        read.expect("bytes of a marking were not written by us");
    }
}
