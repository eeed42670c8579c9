//! Which entries reach which, and over which marks: one pass over a cut product.
//!
//! Every state carries a row: the entries that reach it without passing another entry, and for each of them the marks of all
//! such paths together. A layer is settled when it closes: rows are propagated along the edges within the layer until
//! nothing changes, then along the edges that leave it. A row that arrives at an entry is an edge of the summary, a graph
//! over the entries. Its components are those of the product that lie in more than one layer.

mod rows;

use std::collections::HashMap;

use super::cut::{Cut, CutEdge, Entries};
use super::cycle::{Cycle, accepting_cycle};
use super::product::{Acceptance, Product};
use super::search::InLayer;
use crate::model::Model;
use crate::observe::{
    ClosedLayer, DECIDED, Flow, Graph, Observer, StateId, Statistics, Visit, strong_components,
};
use crate::progress::{Progress, Value};
use rows::Rows;
pub(crate) use rows::Shape;

/// Not an entry.
const NONE: u32 = u32::MAX;

/// Observes a pass over a [`Cut`].
pub(crate) struct Summary<'s, W: ?Sized> {
    entries: &'s Entries,
    shape: Shape,
    /// The entries this pass is about, by slot, and the slot of each.
    sources: &'s [u32],
    slots: HashMap<u32, usize>,
    layers: HashMap<u64, Slice>,
    /// For each entry the entries that reach it.
    arrived: Rows,
    bytes: u64,
    watcher: &'s mut W,
    /// The acceptance condition, if cycles within a layer are searched, too.
    pub(crate) acceptance: Option<&'s Acceptance>,
    /// The cycle found within a layer, and the state where it starts.
    pub(crate) found: Option<(InLayer, Vec<u8>)>,
    /// A layer has more states than 32 bits number.
    pub(crate) is_full: bool,
}

/// A layer that is being expanded.
#[derive(Default)]
struct Slice {
    /// The edges within it.
    graph: Graph<u32>,
    /// The edges to later layers.
    exits: Vec<Exit>,
    /// The regress edges: their sources, marks and entries.
    backs: Vec<(u32, u32, u32)>,
    rows: Rows,
    /// For each state the entry that it is, or [`NONE`].
    entries: Vec<u32>,
    bytes: u64,
}

impl Slice {
    /// Makes room for state `number`.
    fn make_room(&mut self, shape: &Shape, number: u64) {
        let len = number as usize + 1;
        if self.entries.len() < len {
            self.entries.resize(len, NONE);
            self.rows.grow(shape, len);
        }
    }
}

struct Exit {
    from: u32,
    marks: u32,
    to: StateId,
}

impl<'s, W: ?Sized> Summary<'s, W> {
    /// A pass for the entries `sources`; paths from each avoid the marks that `avoided` gives.
    pub(crate) fn new(
        entries: &'s Entries,
        sources: &'s [u32],
        avoided: impl Fn(u32) -> u32,
        sets: u32,
        watcher: &'s mut W,
    ) -> Self {
        let shape = Shape::new(sources.iter().map(|&entry| avoided(entry)), sets);
        let mut arrived = Rows::default();
        arrived.grow(&shape, entries.len());
        let slots = sources.iter().enumerate().map(|(slot, &entry)| (entry, slot)).collect();
        Summary {
            entries,
            sources,
            slots,
            layers: HashMap::new(),
            bytes: arrived.bytes(),
            arrived,
            shape,
            watcher,
            acceptance: None,
            found: None,
            is_full: false,
        }
    }

    /// The edges between entries: sources, marks and targets.
    pub(crate) fn edges(&self) -> Vec<(u32, u32, u32)> {
        let mut edges = Vec::new();
        for target in 0..self.entries.len() as u32 {
            self.arrived.each(&self.shape, target as usize, |slot, marks| {
                edges.push((self.sources[slot], marks, target));
            });
        }
        edges
    }

    /// Propagates rows within a layer until nothing changes.
    fn settle(&mut self, slice: &mut Slice) {
        let Slice { graph, rows, entries, .. } = slice;
        graph.grow(entries.len());
        let components = strong_components(graph);
        let mut order: Vec<u32> = graph.nodes().collect();
        order.sort_by_key(|&node| std::cmp::Reverse(components.of(node)));
        let mut queued = vec![true; graph.len()];
        let mut row = vec![0; self.shape.len()];
        for component in order.chunk_by(|a, b| components.of(*a) == components.of(*b)) {
            let mut queue: std::collections::VecDeque<u32> = component.iter().copied().collect();
            while let Some(node) = queue.pop_front() {
                queued[node as usize] = false;
                if !self.carried(rows, entries, node, &mut row) {
                    continue;
                }
                for (&marks, target) in graph.edges(node) {
                    let entry = entries[target as usize];
                    if entry != NONE {
                        self.arrived.add(&self.shape, entry as usize, &row, marks);
                        continue;
                    }
                    let changed = rows.add(&self.shape, target as usize, &row, marks);
                    let own = components.of(target) == components.of(node);
                    if changed && own && !queued[target as usize] {
                        queued[target as usize] = true;
                        queue.push_back(target);
                    }
                }
            }
        }
    }

    /// Writes into `row` what a state propagates: an entry propagates only itself. `false` if that is nothing.
    fn carried(&self, rows: &Rows, entries: &[u32], node: u32, row: &mut [u64]) -> bool {
        match entries[node as usize] {
            NONE => rows.copy(&self.shape, node as usize, row),
            entry => self.shape.unit(self.slots.get(&entry).copied(), row),
        }
    }

    /// Propagates rows along the edges that leave a settled layer.
    fn pass_on(&mut self, slice: &Slice) {
        let mut row = vec![0; self.shape.len()];
        for &(from, marks, entry) in &slice.backs {
            if self.carried(&slice.rows, &slice.entries, from, &mut row) {
                self.arrived.add(&self.shape, entry as usize, &row, marks);
            }
        }
        for &Exit { from, marks, to } in &slice.exits {
            if !self.carried(&slice.rows, &slice.entries, from, &mut row) {
                continue;
            }
            let target = self.layers.entry(to.layer).or_default();
            target.make_room(&self.shape, to.number);
            // The row of an entry says which entries reach it; it is collected when its layer closes.
            target.rows.add(&self.shape, to.number as usize, &row, marks);
        }
    }

    /// Collects the rows of the entries of a layer, which earlier layers have filled.
    fn arrive(&mut self, slice: &Slice) {
        let mut row = vec![0; self.shape.len()];
        for (node, &entry) in slice.entries.iter().enumerate() {
            if entry != NONE && slice.rows.copy(&self.shape, node, &mut row) {
                self.arrived.merge(&self.shape, entry as usize, &row);
            }
        }
    }

    fn seek(&mut self, slice: &Slice, layer: &ClosedLayer<'_>) -> Flow {
        let cycle = self.acceptance.and_then(|wanted| accepting_cycle(&slice.graph, wanted));
        let Some(Cycle { start, edges }) = cycle else { return Ok(()) };
        let id = StateId { layer: layer.serial, number: u64::from(start) };
        let bytes = layer.bytes(id.number).map(<[u8]>::to_vec).unwrap_or_default();
        let value: Value = layer.value.clone();
        self.found = Some((InLayer { id, stored: (0, 0), value, edges }, bytes));
        DECIDED
    }
}

impl<'c, 'a, M, Q, W> Observer<Cut<'c, 'a, M, Q>> for Summary<'_, W>
where
    M: Model,
    Q: Progress<Product<'a, M>>,
    W: Observer<M> + ?Sized,
{
    fn node(
        &mut self,
        visit: &Visit<'_, Cut<'c, 'a, M, Q>>,
        _worker: &mut (M::Worker, M::Worker),
    ) -> Flow {
        let (id, entry) = (visit.id, self.entries.number(visit.bytes));
        let slice = self.layers.entry(id.layer).or_default();
        slice.make_room(&self.shape, id.number);
        slice.entries[id.number as usize] = entry.unwrap_or(NONE);
        let row = self.shape.len() as u64 * 8 + 20;
        slice.bytes += row;
        self.bytes += row;
        Ok(())
    }

    fn link(&mut self, source: StateId, edge: &CutEdge, target: StateId, _new: bool) -> Flow {
        let (Ok(from), Ok(to)) = (u32::try_from(source.number), u32::try_from(target.number))
        else {
            self.is_full = true;
            return DECIDED;
        };
        let slice = self.layers.entry(source.layer).or_default();
        let marks = edge.marks;
        let bytes = match edge.back {
            Some(entry) => {
                slice.backs.push((from, marks, entry));
                12
            }
            None if source.layer == target.layer => {
                slice.graph.push(from, marks, to);
                8
            }
            None => {
                slice.exits.push(Exit { from, marks, to: target });
                size_of::<Exit>() as u64
            }
        };
        slice.bytes += bytes;
        self.bytes += bytes;
        Ok(())
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        let Some(mut slice) = self.layers.remove(&layer.serial) else {
            return Ok(());
        };
        self.bytes -= slice.bytes;
        self.seek(&slice, layer)?;
        self.arrive(&slice);
        self.settle(&mut slice);
        self.pass_on(&slice);
        self.watcher.layer_closed(layer, statistics)
    }

    fn level(&mut self, line: &Value, statistics: &Statistics) -> Flow {
        self.watcher.level(line, statistics)
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        self.watcher.pulse(line, statistics);
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn watches_links(&self) -> bool {
        true
    }
}
