//! The path to a state: a second run that keeps origins.
//!
//! Each state gets the step in which it was found and the least transition by which it was found in that step. Firing
//! adds constants, so undoing the transition gives the predecessor, without a look-up. The second run ends at the step
//! in which the state is expanded, and keeps dropped layers while there is memory, the newest ones. If the path leads
//! into a layer that was given up, a further run goes to that point. So the cost is one run to the state if the states
//! up to it fit into memory with 8 more bytes each, else about as many runs as that memory would be filled.

use sweepline::{Options, Statistics, StopReason, Value};

use crate::device::Device;
use crate::finds::Found;
use crate::program::Program;
use crate::run::{Run, Step, Viewer, after};

/// A state that a run has found: expanded in a step, with this progress.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) state: Vec<u64>,
    pub(crate) value: Value,
    pub(crate) step: u64,
}

/// The origin's transition of an initial state.
const INITIAL: u32 = u32::MAX;

/// The states on a path to the target, the initial one first.
pub(crate) fn path(
    device: &mut dyn Device,
    program: &Program,
    options: &Options,
    limit: u64,
    target: Target,
) -> Step<Vec<Vec<u64>>> {
    let mut path = vec![target.state.clone()];
    let mut next = Some(target);
    while let Some(target) = next {
        // Before the step in which it is expanded, the state is stored.
        let mut run = Run::new(device, program, options, limit, Some(target.step - 1))?;
        match run.explore(&mut NoViewer) {
            Some(StopReason::Decided) => {}
            Some(stop) => return Err(stop),
            None => return Err(lost()),
        }
        let before = path.len();
        next = follow(&mut run, program, target, &mut path)?;
        if next.is_some() && path.len() == before {
            return Err(lost());
        }
        run.give_back();
    }
    path.reverse();
    Ok(path)
}

/// Goes back from a state as far as tables are stored. Returns the state whose table was given up, if any.
fn follow(
    run: &mut Run<'_>,
    program: &Program,
    target: Target,
    path: &mut Vec<Vec<u64>>,
) -> Step<Option<Target>> {
    let mut at = target;
    loop {
        let Some(origin) = origin(run, &at)? else { return Ok(Some(at)) };
        let (step, transition) = (origin >> 32, origin as u32);
        if transition == INITIAL {
            return Ok(None);
        }
        let step_back = program.steps.get(transition as usize).ok_or_else(lost)?;
        let back: Option<Vec<i64>> = step_back.iter().map(|n| n.checked_neg()).collect();
        let back = back.ok_or_else(lost)?;
        let mut state = at.state;
        program.system.unfire(transition, &mut state);
        path.push(state.clone());
        at = Target { state, value: after(&at.value, &back)?, step };
    }
}

/// The latest origin of a state before the step in which it was expanded.
fn origin(run: &mut Run<'_>, at: &Target) -> Step<Option<u64>> {
    let mut latest = None;
    for table in run.tables_of(&at.value) {
        let found = run.board.look_up(run.device, &table, &at.state)?;
        latest = latest.max(found.filter(|origin| origin >> 32 < at.step));
    }
    Ok(latest)
}

fn lost() -> StopReason {
    StopReason::Internal("the second run on the GPU does not find a state of the first".into())
}

/// Sees nothing.
struct NoViewer;

impl Viewer for NoViewer {
    fn found(&mut self, _: &Found, _: &Value, _: u64) -> Step {
        Ok(())
    }

    fn pulse(&mut self, _: &Value, _: &Statistics) {}
}
