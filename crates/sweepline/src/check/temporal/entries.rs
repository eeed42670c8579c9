//! Formulas under a measure that is not monotone.
//!
//! A cycle that leaves its layer returns by a regress edge, so it goes through a persistent state. One exploration finds
//! all of these, the entries. Then passes over the product, cut at the entries, find which entries reach which and over
//! which marks (`ltl/summary`), in the memory of a window. A component of entries that meets all sets has an accepting
//! cycle.

use super::super::find::way_to;
use super::lasso::{Looped, checked};
use super::{Decided, Decider, figures};
use crate::explore::{Exploration, Options, explore};
use crate::ltl::cut::{Cut, Entries, Flat, OfCut};
use crate::ltl::cycle::{Narrowed, Regions};
use crate::ltl::lasso::{around, close};
use crate::ltl::search::{InLayer, Violation};
use crate::ltl::segment::{OfSegment, Segment};
use crate::ltl::summary::{Shape, Summary};
use crate::ltl::{OfModel, Product};
use crate::model::Model;
use crate::observe::{
    ClosedLayer, DECIDED, Flow, Graph, Hit, Observer, Statistics, Step, Visit, Witness,
};
use crate::progress::{Progress, Value};
use crate::verdict::StopReason;

/// The most entries of one pass.
const ENTRIES: usize = 1024;
/// The most passes over the product; a full exploration is cheaper than more.
const PASSES: usize = 16;
/// Bytes for the rows of states, if memory is not limited.
const ROWS: u64 = 256 << 20;
/// The states to explore before the share of entries among them counts.
const SAMPLE: u64 = 10_000;

/// An accepting cycle.
enum Loop {
    /// In one layer; the bytes of the state where it starts.
    Within(InLayer, Vec<u8>),
    /// Through an entry. Its edges avoid some marks and meet others.
    Across { entry: u32, avoid: u32, wanted: u32 },
}

/// The result of the passes.
enum Passed {
    Violation(Loop),
    Nothing,
    /// It would take too many passes.
    TooMany,
}

impl<'a, M: Model> Decider<'a, '_, '_, M> {
    /// Decides a formula under a measure with regress edges; `None` if there are too many.
    pub(super) fn attempt_cut(&self, watcher: &mut dyn Observer<M>) -> Option<Decided<M>> {
        let (product, progress) = (self.product, Flat(OfModel(self.plan.progress)));
        let options = self.swept();
        let mut gather = Gather { watcher, found: None, too_many: false };
        let progress: &dyn Progress<Product<'a, M>> = &progress;
        let run = explore(product, progress, &options, &mut gather);
        let Gather { found, too_many, .. } = gather;
        let Exploration { statistics, stop, mut origins, window, .. } = run;
        let decided = Decided::new(statistics.clone(), figures(product, &statistics));
        match (found, stop) {
            (Some(hit), _) => {
                let mut looped = Looped { product, progress, options, origins: &mut origins };
                return Some(decided.violated(looped.witness(Violation::Prefix(hit))));
            }
            (None, _) if too_many => return None,
            (None, Some(stop)) => return Some(decided.stopped(stop)),
            (None, None) => {}
        }
        let mut entries = Entries::default();
        window.each_state(|bytes| entries.push(bytes));
        drop((origins, window));
        let mut whole = Whole { product, progress, entries: &entries };
        let decided = decided.noting(lead_back(entries.len()));
        Some(match self.passes(&mut whole, statistics.peak_states, watcher) {
            Ok(Passed::TooMany) => return None,
            Ok(Passed::Nothing) => decided.holds(),
            Ok(Passed::Violation(cycle)) => decided.violated(self.lasso(&whole, cycle)),
            Err(stop) => decided.stopped(stop),
        })
    }

    /// Searches for an accepting cycle. Strong fairness may need several rounds: each makes components smaller.
    fn passes(
        &self,
        whole: &mut Whole<'_, 'a, M>,
        held: u64,
        watcher: &mut dyn Observer<M>,
    ) -> Result<Passed, StopReason> {
        let (acceptance, entries) = (whole.product.acceptance(), whole.entries);
        let sets = acceptance.sets();
        let memory = self.plan.options.limits.memory.map_or(ROWS, |limit| limit / 4);
        let affordable = memory / held.max(1) / Shape::row_bytes(64, sets) as u64 * 64;
        let most = (affordable as usize).clamp(64, ENTRIES);
        let mut regions = Regions::whole(entries.len());
        let mut first = true;
        loop {
            let avoided = |entry: u32| regions.avoided(entry);
            let active: Vec<u32> =
                (0..entries.len() as u32).filter(|&entry| avoided(entry).is_some()).collect();
            if active.len() > most * PASSES {
                return Ok(Passed::TooMany);
            }
            // Cycles within layers are searched once, even if there are no entries.
            let mut parts: Vec<&[u32]> = active.chunks(most).collect();
            if first && parts.is_empty() {
                parts.push(&[]);
            }
            let mut edges = Vec::new();
            for part in parts {
                let avoid = |entry| avoided(entry).unwrap_or(0);
                let mut summary = Summary::new(entries, part, avoid, sets, watcher);
                summary.acceptance = first.then_some(&acceptance);
                first = false;
                let options = self.swept();
                let progress = &whole.progress;
                let cut = Cut { product: whole.product, progress, entries };
                let run = explore(&cut, &OfCut(progress), &options, &mut summary);
                if let Some((cycle, start)) = summary.found {
                    return Ok(Passed::Violation(Loop::Within(cycle, start)));
                }
                if summary.is_full {
                    return Err(StopReason::Memory);
                }
                if let Some(stop) = run.stop {
                    return Err(stop);
                }
                edges.extend(summary.edges());
            }
            match regions.narrow(&Graph::from_edges(entries.len(), &edges), &acceptance) {
                Narrowed::Accepted { node, met, .. } => {
                    let avoid = regions.avoided(node).unwrap_or(0);
                    let wanted = acceptance.wanted(met);
                    return Ok(Passed::Violation(Loop::Across { entry: node, avoid, wanted }));
                }
                Narrowed::Further(further) => regions = further,
                Narrowed::Nothing => return Ok(Passed::Nothing),
            }
        }
    }

    /// The lasso with this cycle.
    fn lasso(
        &self,
        whole: &Whole<'_, 'a, M>,
        cycle: Loop,
    ) -> Result<Option<Witness<M>>, StopReason> {
        let Whole { product, progress, entries } = *whole;
        let start = match &cycle {
            Loop::Within(_, start) => start,
            Loop::Across { entry, .. } => entries.bytes(*entry),
        };
        let options = Options { limits: self.plan.options.limits.clone(), ..self.swept() };
        let Some(stem) = way_to(product, progress, &options, start)? else {
            return Ok(None);
        };
        let run = match cycle {
            Loop::Within(cycle, _) => around(product, &progress, stem, &cycle)?,
            Loop::Across { avoid, wanted, .. } => {
                let Some(run) = self.segments(whole, stem, avoid, wanted)? else { return Ok(None) };
                run
            }
        };
        checked(product, run).map(Some)
    }

    /// Extends `run` by a cycle from its end back to it, which meets all sets that are wanted.
    fn segments(
        &self,
        whole: &Whole<'_, 'a, M>,
        mut run: Witness<Product<'a, M>>,
        avoid: u32,
        mut wanted: u32,
    ) -> Result<Option<Witness<Product<'a, M>>>, StopReason> {
        let Whole { product, progress, .. } = *whole;
        let options = Options { limits: self.plan.options.limits.clone(), ..self.swept() };
        let (back, from) = (run.len(), run.last().clone());
        while run.len() == back || wanted != 0 {
            let next = wanted & wanted.wrapping_neg();
            let segment = Segment { product, from: &from, avoid, wanted: next };
            let end = segment.end();
            let Some(way) = way_to(&segment, &OfSegment(&progress), &options, &end)? else {
                return Ok(None);
            };
            for step in way.steps {
                wanted &= !step.action.marks;
                run.steps.push(Step { action: step.action, state: step.state.at });
            }
        }
        Ok(Some(close(product, run, back)?))
    }
}

fn lead_back(entries: usize) -> String {
    let s = if entries == 1 { "" } else { "s" };
    format!("the measure is not monotone: its regress edges lead to {entries} state{s}")
}

/// The product that passes go over, and its entries.
struct Whole<'w, 'a, M: Model> {
    product: &'w Product<'a, M>,
    progress: &'w dyn Progress<Product<'a, M>>,
    entries: &'w Entries,
}

/// Observes the exploration that finds the entries.
struct Gather<'w, W: ?Sized> {
    watcher: &'w mut W,
    /// A state from which every run violates the formula.
    found: Option<Hit>,
    too_many: bool,
}

impl<'a, M: Model, W: Observer<M> + ?Sized> Observer<Product<'a, M>> for Gather<'_, W> {
    fn node(&mut self, visit: &Visit<'_, Product<'a, M>>, _worker: &mut M::Worker) -> Flow {
        if visit.model.is_decided(visit.state.node) {
            self.found = Some(Hit::of(visit));
            return DECIDED;
        }
        Ok(())
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let Statistics { persistent, explored, .. } = *statistics;
        let share = explored > SAMPLE && persistent > explored / 4;
        if share || persistent > (ENTRIES * PASSES) as u64 {
            self.too_many = true;
            return DECIDED;
        }
        self.watcher.layer_closed(layer, statistics)
    }

    fn level(&mut self, line: &Value, statistics: &Statistics) -> Flow {
        self.watcher.level(line, statistics)
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        self.watcher.pulse(line, statistics);
    }
}
