//! Answers the questions of scripts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use sweepline::model::successors;
use sweepline::{Model, Regress, Statistics, StopReason};
use sweepline_ml::{
    Cause, Codec, Compiler, Environment, Halt, LayoutId, Machine, Outside, Question, Raised, Word,
};

use super::ask::{Needs, known};
use super::declare::Interface;
use super::space::Space;
use super::version::{Versions, locked};
use super::{Rejection, ScriptError, ScriptOptions, place};
use crate::explore::element::{ElementForm, Elements};
use crate::explore::{CpnModel, Marking};

/// Answers questions from a net and its state space.
pub(super) struct Answer<'m> {
    versions: Versions<'m>,
    pub(super) forms: &'m [ElementForm],
    pub(super) options: &'m ScriptOptions<'m>,
    /// The layouts of `state` and of transition instances.
    state: LayoutId,
    instance: LayoutId,
    place_instance: LayoutId,
    /// The layout of LTL formulas.
    pub(super) linear_formula: LayoutId,
    pub(super) askctl_formula: LayoutId,
    pub(super) element_codec: Option<Codec>,
    pub(super) place_names: &'m [String],
    /// The markings that the last sweep stored.
    pub(super) kept: Mutex<Vec<Box<[u8]>>>,
    pub(super) statistics: Mutex<Statistics>,
    /// Why the script ended.
    ended: Mutex<Option<Ended>>,
    /// The nesting depth of questions.
    depth: AtomicUsize,
}

/// Why there is no answer.
pub(super) enum Ended {
    Rejected(Box<Regress>),
    Stopped(StopReason),
    Log {
        file: String,
        error: String,
    },
    /// The net cannot be compiled for the current values of the references.
    Model(String),
}

const EXPLORES: Halt = Halt::refused(
    "a state space query inside a progress measure or a formula",
    "a measure or formula sees one marking: use `SLMark.Page'Place` and the declarations of the model",
);

impl<'m> Answer<'m> {
    pub(super) fn new(
        model: &'m CpnModel,
        interface: &'m Interface,
        options: &'m ScriptOptions<'m>,
        compiler: &mut Compiler<'_>,
    ) -> Self {
        Answer {
            versions: Versions::new(model),
            forms: &interface.forms,
            options,
            state: compiler.layout(interface.state),
            instance: compiler.layout(interface.instance),
            place_instance: compiler.layout(interface.place_instance),
            linear_formula: compiler.layout(interface.linear_formula),
            askctl_formula: compiler.layout(interface.askctl_formula),
            element_codec: compiler.codec(interface.element).ok(),
            place_names: &interface.place_names,
            kept: Mutex::default(),
            statistics: Mutex::default(),
            ended: Mutex::default(),
            depth: AtomicUsize::new(0),
        }
    }

    /// The net, for the current values of the references.
    pub(super) fn model(&self) -> &CpnModel {
        self.versions.latest().model()
    }

    /// Records the values of references that cannot be copied to the model, so that assignments to them are
    /// detected.
    pub(super) fn begin(&self, machine: &Machine) {
        self.versions.begin(machine);
    }

    /// Ends the script, and records the reason.
    pub(super) fn give_up(&self, why: Ended) -> Halt {
        locked(&self.ended).get_or_insert(why);
        Halt::OUTSIDE
    }

    /// The stored state space, if there is one.
    fn known_space(&self) -> Option<Arc<Space>> {
        locked(&self.versions.latest().space).clone()
    }

    pub(super) fn space(&self) -> Result<Arc<Space>, Halt> {
        if let Some(space) = self.known_space() {
            return Ok(space);
        }
        let model = Elements { model: self.model(), forms: self.forms };
        let space = Space::explore(&model, &self.options.explore);
        let space = space.map_err(|reason| self.give_up(Ended::Stopped(reason)))?;
        Ok(locked(&self.versions.latest().space).insert(Arc::new(space)).clone())
    }

    /// The error that ended a script.
    pub(super) fn explain(&self, raised: &Raised, environment: &Environment) -> ScriptError {
        let error = raised.explain(environment.sources());
        let (at, ended) = (place(&error), locked(&self.ended).take());
        match ended.filter(|_| raised.cause == Cause::Outside) {
            Some(Ended::Rejected(regress)) => self.rejected(at, &regress),
            Some(Ended::Stopped(reason)) => ScriptError::Stopped { at, reason: Box::new(reason) },
            Some(Ended::Log { file, error }) => ScriptError::Log { at, file, error },
            Some(Ended::Model(message)) => ScriptError::References { at, message },
            None => {
                let texts = self.model().net().environment.sources().iter().count();
                match (error.span.source.0 as usize) < texts {
                    true => ScriptError::Model(Box::new(self.model().net().explain(&error))),
                    false => error.into(),
                }
            }
        }
    }

    fn rejected(&self, at: String, regress: &Regress) -> ScriptError {
        let (source, target) =
            (self.model().decode(&regress.source), self.model().decode(&regress.target));
        let actions = successors(self.model(), &source).unwrap_or_default();
        let action = actions.get(regress.number as usize).map(|(action, _)| *action);
        let element = action.and_then(|action| self.model().show_occurrence(&source, action));
        ScriptError::Rejected(Box::new(Rejection {
            at,
            marking: self.description(&source),
            element: element.unwrap_or_default(),
            next: self.description(&target),
            from: regress.from.to_string(),
            to: regress.to.to_string(),
        }))
    }

    /// The marked places, a line for each.
    pub(super) fn description(&self, marking: &Marking) -> String {
        let shown = self.model().show_marking(marking);
        let lines = shown.into_iter().map(|(place, tokens)| format!("{place}: {tokens}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The text of values that only the net can decode.
    pub(super) fn words(&self, machine: &Machine, layout: LayoutId, word: Word) -> Option<String> {
        if layout == self.instance {
            let transition = self.model().transitions.get(Machine::to_int(word) as usize)?;
            return Some(format!("TI.{}", transition.name));
        }
        if layout == self.place_instance {
            let name = self.place_names.get(Machine::to_int(word) as usize)?;
            return Some(format!("PI.{name}"));
        }
        if layout != self.state {
            return None;
        }
        let marking = self.model().try_decode(&machine.string(word))?;
        let shown = self.model().show_marking(&marking);
        let places = shown.into_iter().map(|(place, tokens)| format!("{place}: {tokens}"));
        let time =
            self.model().is_timed().then(|| format!("time: {}", self.model().show_time(&marking)));
        Some(format!("{{{}}}", time.into_iter().chain(places).collect::<Vec<_>>().join(", ")))
    }

    /// Decodes a marking of a script.
    pub(super) fn marking(&self, machine: &Machine, word: Word) -> Result<Marking, Halt> {
        self.model().try_decode(&machine.string(word)).ok_or(Halt::MALFORMED)
    }

    pub(super) fn fold(
        &self,
        machine: &mut Machine,
        question: &Question,
        numbers: impl Iterator<Item = i64>,
    ) -> Result<Word, Halt> {
        let fold = machine.begin_fold(question.layout, question.argument(0))?;
        let function = question.argument(1);
        let mut done = Ok(());
        for number in numbers {
            done = machine.step_fold(&fold, self, function, &[Machine::from_int(number)]);
            if let Some(reason) = self.options.explore.interrupt.reason() {
                done = done.and(Err(self.give_up(Ended::Stopped(reason))));
            }
            if done.is_err() {
                break;
            }
        }
        let value = machine.end_fold(fold);
        done.map(|()| value)
    }
}

impl Outside for Answer<'_> {
    fn ask(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt> {
        let depth = self.depth.fetch_add(1, Ordering::Relaxed);
        // A nested question is answered for the same net.
        let followed = if depth == 0 { self.versions.follow(machine) } else { Ok(()) };
        let followed = followed.map_err(|message| self.give_up(Ended::Model(message)));
        let answer = followed.and_then(|()| known(question)?.2(self, machine, question));
        self.depth.store(depth, Ordering::Relaxed);
        answer
    }
}

/// Answers questions inside a progress measure or an atom of a formula. These are functions of one marking,
/// and must not explore the state space while it is being explored.
pub(super) struct OfMarking<'a, 'm>(pub(super) &'a Answer<'m>);

impl Outside for OfMarking<'_, '_> {
    fn ask(&self, machine: &mut Machine, question: &Question) -> Result<Word, Halt> {
        let (_, needs, _) = known(question)?;
        let has_space = needs == Needs::Space && self.0.known_space().is_some();
        let explores = needs != Needs::Nothing && !has_space;
        if explores { Err(EXPLORES) } else { self.0.ask(machine, question) }
    }
}

impl Answer<'_> {
    /// Passes markings to the drawing function.
    pub(super) fn draw(&self, machine: &Machine, question: &Question) -> Result<Word, Halt> {
        let Some(draw) = self.options.draw else { return Ok(0) };
        let file = machine.text(question.argument(0));
        let states = machine.list(question.argument(1));
        let states: Result<Vec<_>, _> = states.map(|word| self.marking(machine, word)).collect();
        let depth = usize::try_from(Machine::to_int(question.argument(2))).unwrap_or(0);
        let drawn = draw(&file, &states?, depth);
        drawn.map_err(|error| self.give_up(Ended::Log { file, error }))?;
        Ok(0)
    }

    /// The tokens without time stamps. Equal markings have equal bytes.
    pub(super) fn untimed(&self, marking: &Marking) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in 0..self.model().places.len() {
            let tokens = self.model().untimed(marking, number);
            bytes.extend((tokens.len() as u64).to_le_bytes());
            for (colour, count) in tokens {
                bytes.extend((colour.len() as u64).to_le_bytes());
                bytes.extend(colour);
                bytes.extend(count.to_le_bytes());
            }
        }
        bytes
    }
}

/// A list of indices, which count from 1 in scripts and from 0 here.
pub(super) fn numbers(
    machine: &mut Machine,
    numbers: impl IntoIterator<Item = i64>,
) -> Result<Word, Halt> {
    let words: Vec<Word> = numbers.into_iter().map(|n| Machine::from_int(n + 1)).collect();
    machine.memory().list(&words)
}

/// A string. CPN ML has only the characters of ISO 8859-1.
pub(super) fn text(machine: &mut Machine, text: &str) -> Result<Word, Halt> {
    let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    machine.memory().string(&bytes)
}
