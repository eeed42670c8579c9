//! What the structure of the model decides before the exploration, and what it makes smaller.

use std::cell::Cell;

use sweepline::Report;
use sweepline::check::Decision;
use sweepline::model::{initial, successors};

use crate::args;
use crate::ask::{self, Asked};
use crate::failure::Failure;
use crate::front_end::{FrontEnd, Smaller};
use crate::guard;

/// States of a glance, at most.
const GLANCE: u64 = 20_000;
/// Edges of a glance, about.
const GLANCE_EDGES: u64 = 400_000;
/// Bytes of the states of a glance, about.
const GLANCE_BYTES: u64 = 16 << 20;

/// Decisions, and a smaller model for the properties that are left.
pub(super) struct Structural<M: FrontEnd> {
    /// In the order of the properties; empty if nothing is decided.
    pub(super) decided: Vec<Option<Decision>>,
    /// So many states are explored before proofs that take longer: most models have fewer.
    pub(super) glance: Option<u64>,
    smaller: Option<Smaller<M>>,
    /// A path of the smaller model could not be replayed: it is not used.
    is_rejected: Cell<bool>,
}

impl<M: FrontEnd> Structural<M> {
    /// Decides properties without exploration, but not where an option says how to explore: then the figures of the
    /// exploration are wanted. `--reduce auto` also makes the model smaller.
    ///
    /// If a glance may decide more, this decides only what takes milliseconds.
    pub(super) fn new(args: &args::Check, model: &M) -> Result<Self, Failure> {
        let mut structural = Structural::none();
        if says_how(args) {
            return Ok(structural);
        }
        guard::phase("deciding properties by the structure of the model");
        let asked = ask::questions(&args.questions, &args.input, model)?;
        let is_shortest = args.hunting.shortest;
        let limited = args.limits.state_limit.is_some() || is_shortest;
        let glances = !args.reductions.is_auto() && !limited;
        let decided = &mut structural.decided;
        ask::decide(model, &asked, decided, &guard::options(), glances);
        if glances && model.has_structure() && ask::may_decide(&asked, decided) {
            structural.glance = glance(model);
        }
        if args.reductions.is_auto() {
            structural.smaller = ask::smaller(model, &asked, decided, &guard::interrupt());
        }
        Ok(structural)
    }

    /// Decides what takes longer. No glance any more.
    pub(super) fn deepen(&mut self, args: &args::Check, model: &M) -> Result<(), Failure> {
        self.glance = None;
        guard::phase("deciding properties by the structure of the model");
        let asked = ask::questions(&args.questions, &args.input, model)?;
        ask::decide(model, &asked, &mut self.decided, &guard::options(), false);
        Ok(())
    }

    /// Nothing is decided or smaller.
    pub(super) fn none() -> Self {
        let (decided, is_rejected) = (Vec::new(), Cell::new(false));
        Structural { decided, glance: None, smaller: None, is_rejected }
    }

    /// A smaller model is explored.
    pub(super) fn is_smaller(&self) -> bool {
        self.smaller().is_some()
    }

    fn smaller(&self) -> Option<&Smaller<M>> {
        self.smaller.as_ref().filter(|_| !self.is_rejected.get())
    }

    /// The model to explore, and the properties as properties of that model.
    pub(super) fn explored<'m>(
        &'m self,
        model: &'m M,
        asked: Vec<Asked<M>>,
    ) -> Result<(&'m M, Vec<Asked<M>>), Failure> {
        let Some(smaller) = self.smaller() else { return Ok((model, asked)) };
        match ask::translated(smaller, asked, &self.decided) {
            Some(asked) => Ok((&smaller.model, asked)),
            None => unreachable!("the smaller model was made for these properties"),
        }
    }

    /// Turns the report of the exploration into one of `model`. `false` if that fails: then the model itself must be
    /// explored.
    pub(super) fn lift(&self, model: &M, report: &mut Report<M>) -> bool {
        let Some(smaller) = self.smaller() else { return true };
        let lifted = smaller.lift_all(model, report);
        self.is_rejected.set(!lifted);
        report.reductions.push(smaller.words.clone());
        lifted
    }
}

/// How many states a short exploration visits.
fn glance<M: FrontEnd>(model: &M) -> Option<u64> {
    let start = initial(model).into_iter().next()?;
    let degree = successors(model, &start).ok()?.len().max(1) as u64;
    let edges = GLANCE_EDGES.min(GLANCE_BYTES / (model.state_bytes() as u64 + 1));
    Some((edges / degree).clamp(1, GLANCE))
}

/// An option says how to explore.
fn says_how(args: &args::Check) -> bool {
    let args::Check { measure, retention, reductions, caching, checkpoints, output, .. } = args;
    let sweeps =
        measure.progress.is_some() || measure.method.is_some() || measure.monotone.is_some();
    let keeps = retention.window.is_some() || retention.anchor.is_some() || retention.gc.is_some();
    let reduces = reductions.no_structural || reductions.stubborn || reductions.sleep.is_some();
    let stores = caching.cache.is_some() || checkpoints.given() || args.on_disk.spill.is_some();
    let elsewhere = args.device.gpu.is_some() || args.cluster.is_given();
    let shows = output.count || output.log.is_some() || args.input.equivalence.is_some();
    sweeps || keeps || reduces || stores || elsewhere || shows || args.hunting.is_only()
}
