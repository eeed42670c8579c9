//! The engine: a program and a device behind the library's [`Engine`].

use std::collections::HashMap;

use sweepline::model::successors_by;
use sweepline::observe::{Observer, StateId, Visit};
use sweepline::{Engine, Model, Options, Statistics, StopReason, Value};

use crate::device::{Device, DeviceError};
use crate::finds::Found;
use crate::generate::text;
use crate::program::Program;
use crate::run::{Run, Step, Viewer};
use crate::trace::{self, Target};

/// Explores a program on a device.
pub struct GpuEngine<'a, M: Model> {
    model: &'a M,
    device: &'a mut dyn Device,
    program: Program,
    /// The canonical bytes of the state in these words.
    encode: Box<dyn Fn(&M, &[u64]) -> Vec<u8> + 'a>,
    /// The states that observers were shown, by their bytes.
    shown: HashMap<Vec<u8>, Target>,
}

impl<'a, M: Model> GpuEngine<'a, M> {
    /// Compiles the program for the device. `encode` gives the bytes of a state, [as the model](Model::encode) does.
    ///
    /// # Errors
    ///
    /// If the program does not fit a device, or cannot be compiled.
    pub fn new(
        model: &'a M,
        device: &'a mut dyn Device,
        program: Program,
        encode: impl Fn(&M, &[u64]) -> Vec<u8> + 'a,
    ) -> Result<Self, DeviceError> {
        device.load(&text(&program, device.dialect())?)?;
        Ok(GpuEngine { model, device, program, encode: Box::new(encode), shown: HashMap::new() })
    }

    /// Bytes that the states of a run may take.
    fn limit(&self, options: &Options) -> u64 {
        self.device.free_memory().min(options.limits.memory.unwrap_or(u64::MAX))
    }
}

impl<M: Model> Engine<M> for GpuEngine<'_, M> {
    fn explore(
        &mut self,
        model: &M,
        options: &Options,
        observer: &mut dyn Observer<M>,
    ) -> (Statistics, Option<StopReason>) {
        let limit = self.limit(options);
        let GpuEngine { device, program, encode, shown, .. } = self;
        let mut run = match Run::new(&mut **device, program, options, limit, None) {
            Ok(run) => run,
            Err(stop) => return (Statistics::default(), Some(stop)),
        };
        let mut watch = Watch { model, program, encode, shown, observer };
        let stop = run.explore(&mut watch);
        let statistics = run.statistics.clone();
        run.give_back();
        (statistics, stop)
    }

    fn path(&mut self, options: &Options, bytes: &[u8]) -> Result<Vec<Vec<u8>>, StopReason> {
        let unknown = || StopReason::Internal("a path to a state that was not shown".into());
        let target = self.shown.get(bytes).cloned().ok_or_else(unknown)?;
        let limit = self.limit(options);
        let path = trace::path(&mut *self.device, &self.program, options, limit, target)?;
        Ok(path.iter().map(|state| (self.encode)(self.model, state)).collect())
    }
}

/// Shows the states that a run finds to an observer.
struct Watch<'w, M: Model> {
    model: &'w M,
    program: &'w Program,
    encode: &'w dyn Fn(&M, &[u64]) -> Vec<u8>,
    shown: &'w mut HashMap<Vec<u8>, Target>,
    observer: &'w mut dyn Observer<M>,
}

impl<M: Model> Viewer for Watch<'_, M> {
    fn found(&mut self, found: &Found, line: &Value, step: u64) -> Step {
        let Watch { model, program, encode, shown, observer } = self;
        let model: &M = model;
        let Program { system, terminated, targets, .. } = program;
        let condition = targets[found.target].condition();
        if condition.is_some_and(|condition| !condition.holds(system, terminated, &found.state)) {
            let text = "a state of the GPU does not satisfy the condition that it was found for";
            return Err(StopReason::Internal(text.into()));
        }
        let bytes = encode(model, &found.state);
        let target = || Target { state: found.state.clone(), value: line.clone(), step };
        shown.entry(bytes.clone()).or_insert_with(target);
        let state = model.try_decode(&bytes).ok_or_else(|| {
            StopReason::Internal("the GPU found a state that is none of the model".into())
        })?;
        let id = StateId { layer: step, number: found.target as u64 };
        let visit = Visit {
            model,
            state: &state,
            bytes: &bytes,
            value: line,
            id,
            stored: step,
            path: None,
        };
        let mut worker = model.worker();
        let mut decided = Ok(());
        note(&mut decided, observer.node(&visit, &mut worker))?;
        let next = successors_by(model, &mut worker, &state)?;
        if observer.watches_arcs() {
            for (action, target) in &next {
                note(&mut decided, observer.arc(&visit, action, target))?;
            }
        }
        if next.is_empty() && !model.has_terminated(&state) {
            note(&mut decided, observer.dead(&visit, &mut worker))?;
        }
        decided
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        self.observer.pulse(line, statistics);
    }
}

/// Remembers that everything is decided; other reasons end the run at once.
fn note(decided: &mut Step, flow: Step) -> Step {
    match flow {
        Err(StopReason::Decided) => *decided = Err(StopReason::Decided),
        Err(failed) => return Err(failed),
        Ok(()) => {}
    }
    Ok(())
}
