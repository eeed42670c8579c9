//! Keeps the edges of an exploration, and decides formulas on them.

mod trace;

use std::collections::HashMap;
use std::time::Instant;

use super::file::{Pile, Place};
use super::formula::Formula;
use super::layer::{Layer, Outside};
use super::normal::{Normal, Part};
use super::path::Path;
use super::solve::{Known, Solver, most_sets};
use crate::explore::Options;
use crate::ltl::Atom;
use crate::model::{self, Model};
use crate::observe::{ClosedLayer, DECIDED, Flow, Observer, StateId, Statistics, Visit};
use crate::verdict::StopReason;

/// The formulas are first tried after this number of states, and again each time there are [`TIMES`] as many.
const STATES: u64 = 1 << 12;
const TIMES: u64 = 4;

/// Keeps the edges of a model and the states that satisfy each atom, and decides formulas.
///
/// Layers that are closed are on disk, all but the last. While there is only one layer, formulas are tried on the states
/// expanded so far.
pub(crate) struct Gather<'a, M: Model> {
    model: &'a M,
    atoms: Vec<Atom<'a, M>>,
    normal: Normal,
    roots: Vec<Part>,
    /// For each root whether it holds, if that is known.
    decided: Vec<Option<bool>>,
    /// For each root a path that shows its verdict, or why there is none, if one was sought.
    paths: Vec<Option<Result<Path, StopReason>>>,
    /// Paths are wanted.
    shows: bool,
    /// The atoms of the roots that are not decided.
    of_states: Vec<usize>,
    of_actions: Vec<usize>,
    /// The layer being expanded.
    current: Layer,
    /// Layers that may be expanded further.
    passed: HashMap<u64, Layer>,
    /// For each layer that is not closed, the first layer with an edge into it.
    firsts: HashMap<u64, u64>,
    /// The last layer that was closed; those before it are in the file.
    last: Option<Layer>,
    pile: Pile<Layer>,
    /// The bytes of the initial states that were not visited yet, and the names and bytes of the others.
    awaited: Vec<Vec<u8>>,
    starts: Vec<(StateId, Vec<u8>)>,
    due: u64,
    /// The time limit.
    deadline: Option<Instant>,
    sets: usize,
    broken: Option<Broken>,
}

/// Why the edges are not known.
pub(crate) enum Broken {
    /// There is a regress edge.
    Regress,
    Stop(StopReason),
}

/// The verdicts on the formulas.
pub(crate) struct Answered<'a, M: Model> {
    /// For each formula whether it holds, if that is known.
    pub(crate) holds: Vec<Option<bool>>,
    /// For each formula a path that shows its verdict, or why there is none, if one was sought.
    pub(crate) paths: Vec<Option<Result<Path, StopReason>>>,
    /// The atoms that paths refer to.
    pub(crate) atoms: Vec<Atom<'a, M>>,
    /// Why other formulas are not decided.
    pub(crate) stop: Option<StopReason>,
}

impl<'a, M: Model> Gather<'a, M> {
    /// Stops at `deadline`; `shows` asks for paths.
    pub(crate) fn new(
        model: &'a M,
        formulas: Vec<Formula<Atom<'a, M>>>,
        deadline: Option<Instant>,
        shows: bool,
    ) -> Self {
        let (mut atoms, mut normal) = (Vec::<Atom<'a, M>>::new(), Normal::default());
        let add = |formula: Formula<Atom<'a, M>>| {
            normal.add(&formula.map(|atom| atom.numbered(&mut atoms)))
        };
        let roots: Vec<Part> = formulas.into_iter().map(add).collect();
        let awaited = model::initial(model).iter().map(|s| model::bytes_of(model, s)).collect();
        let mut gather = Gather {
            model,
            decided: vec![None; roots.len()],
            paths: vec![None; roots.len()],
            shows,
            of_states: Vec::new(),
            of_actions: Vec::new(),
            current: Layer::new(0, atoms.len()),
            passed: HashMap::new(),
            firsts: HashMap::new(),
            last: None,
            pile: Pile::default(),
            awaited,
            starts: Vec::new(),
            due: STATES,
            deadline,
            sets: 0,
            broken: None,
            atoms,
            normal,
            roots,
        };
        gather.settle();
        gather
    }

    /// The verdicts after an exploration that ended by `stop`.
    pub(crate) fn finish(
        mut self,
        mut stop: Option<StopReason>,
        statistics: &Statistics,
        options: &Options,
    ) -> Result<Answered<'a, M>, Broken> {
        if let Some(broken) = self.broken {
            return Err(broken);
        }
        if statistics.regress_edges > 0 {
            return Err(Broken::Regress);
        }
        match stop {
            None => stop = self.solve_all(options).err(),
            Some(_) => self.try_now(),
        }
        let Gather { decided: holds, paths, atoms, .. } = self;
        Ok(Answered { holds, paths, atoms, stop })
    }

    fn break_off(&mut self, broken: Broken) -> Flow {
        self.broken = Some(broken);
        DECIDED
    }

    /// The roots that are not decided.
    fn open(&self) -> impl Iterator<Item = Part> + '_ {
        let open = self.roots.iter().zip(&self.decided).filter(|(_, known)| known.is_none());
        open.map(|(root, _)| *root)
    }

    /// From now on evaluates only the atoms of formulas that are not decided.
    fn settle(&mut self) {
        let below = self.normal.atoms_below(self.open());
        let below = below.into_iter().map(|atom| atom as usize);
        let is_state = |atom: &usize| self.atoms[*atom].on_enabled().is_none();
        (self.of_states, self.of_actions) = below.partition(is_state);
        let (wanted, kept) = self.wants();
        self.sets = most_sets(&self.normal, &wanted, &kept);
    }

    /// The parts to compute, and those to keep: the ones that predecessors need, and the formulas themselves.
    fn wants(&self) -> (Vec<bool>, Vec<bool>) {
        let wanted = self.normal.below(self.open());
        let mut kept = self.of_successors(&wanted);
        self.open().for_each(|root| kept[root as usize] = true);
        (wanted, kept)
    }

    /// The parts whose values predecessors need.
    fn of_successors(&self, wanted: &[bool]) -> Vec<bool> {
        let mut of_successors = vec![false; wanted.len()];
        for (part, node) in self.normal.nodes.iter().enumerate().filter(|(part, _)| wanted[*part]) {
            if let Some(of) = node.of_successors(part as Part) {
                of_successors[of as usize] = true;
            }
        }
        of_successors
    }

    fn is_one_layer(&self) -> bool {
        self.last.is_none() && self.passed.is_empty() && self.current.outside.is_empty()
    }

    /// Decides the formulas that the states expanded so far decide.
    fn try_now(&mut self) {
        // The last source may have more edges, which are looked up with the next batch.
        let expanded = self.current.graph.len().saturating_sub(1);
        if !self.is_one_layer() || !self.awaited.is_empty() || expanded == 0 {
            return;
        }
        let (wanted, _) = self.wants();
        let mut roots_only = vec![false; wanted.len()];
        self.open().for_each(|root| roots_only[root as usize] = true);
        let known = Known::default();
        let mut solver =
            Solver::part(&self.current, &known, &self.normal, expanded).until_time(self.deadline);
        // Formulas that the time does not suffice for stay unknown.
        solver.solve(&wanted, &roots_only);
        let mut news = Vec::new();
        for (number, (root, decided)) in self.roots.iter().zip(&mut self.decided).enumerate() {
            if decided.is_some() {
                continue;
            }
            let at = |start: &(StateId, Vec<u8>)| solver.at(*root, start.0.number as u32);
            if self.starts.iter().any(|start| at(start) == Some(false)) {
                *decided = Some(false);
            } else if self.starts.iter().all(|start| at(start) == Some(true)) {
                *decided = Some(true);
            }
            news.extend(decided.map(|_| number));
        }
        drop(solver);
        self.trace_now(&news, expanded);
        self.settle();
    }

    /// Decides all formulas after a complete exploration.
    fn solve_all(&mut self, options: &Options) -> Result<(), StopReason> {
        let (wanted, kept) = self.wants();
        let mut holds = vec![true; self.roots.len()];
        let (roots, starts) = (self.roots.clone(), self.starts.clone());
        self.solve_layers(options, &wanted, &kept, |layer, _, solver| {
            for (start, _) in starts.iter().filter(|(start, _)| start.layer == layer.serial) {
                for (holds, root) in holds.iter_mut().zip(&roots) {
                    *holds &= solver.at(*root, start.number as u32) == Some(true);
                }
            }
            Ok(())
        })?;
        let mut news = Vec::new();
        for (number, (decided, holds)) in self.decided.iter_mut().zip(holds).enumerate() {
            if decided.is_none() {
                *decided = Some(holds);
                news.push(number);
            }
        }
        self.trace_all(&news, options);
        Ok(())
    }

    /// Solves all layers, from last to first, and shows each of them, with its place in the file.
    fn solve_layers(
        &mut self,
        options: &Options,
        wanted: &[bool],
        kept: &[bool],
        mut see: impl FnMut(&Layer, Option<&Place>, &Solver<'_>) -> Result<(), StopReason>,
    ) -> Result<(), StopReason> {
        let of_successors = self.of_successors(wanted);
        let sets = most_sets(&self.normal, wanted, kept);
        let mut known = Known::default();
        self.pile.rewind();
        let mut popped: Option<(Layer, Place)>;
        let mut next = self.last.as_ref().map(|layer| (layer, None));
        while let Some((layer, place)) = next {
            let bytes = known.bytes() + layer.bytes() + layer.bytes_to_solve(sets);
            if options.limits.memory.is_some_and(|limit| bytes as u64 > limit) {
                return Err(StopReason::Memory);
            }
            if let Some(reason) = options.interrupt.reason() {
                return Err(reason);
            }
            let solver = Solver::new(layer, &known, &self.normal);
            let mut solver = solver.until_time(self.deadline);
            if !solver.solve(wanted, kept) {
                return Err(StopReason::Time);
            }
            see(layer, place, &solver)?;
            let mut values = solver.into_values();
            for (value, _) in values.iter_mut().zip(&of_successors).filter(|(_, of)| !**of) {
                *value = None;
            }
            known.keep(layer, values);
            popped = self.pile.pop()?;
            next = popped.as_ref().map(|(layer, place)| (layer, Some(place)));
        }
        Ok(())
    }

    /// Another layer is being expanded.
    fn begin(&mut self, serial: u64) {
        let new = || Layer::new(serial, self.atoms.len());
        let next = self.passed.remove(&serial).unwrap_or_else(new);
        let before = std::mem::replace(&mut self.current, next);
        if before.serial > 0 {
            self.passed.insert(before.serial, before);
        }
    }
}

impl<M: Model> Observer<M> for Gather<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        if !self.awaited.is_empty() && self.awaited.iter().any(|bytes| bytes == visit.bytes) {
            self.awaited.retain(|bytes| bytes != visit.bytes);
            self.starts.push((visit.id, visit.bytes.to_vec()));
        }
        if visit.id.layer != self.current.serial {
            self.begin(visit.id.layer);
        }
        if visit.id.number >= self.due {
            self.due = self.due.saturating_mul(TIMES);
            self.try_now();
            if self.decided.iter().all(Option::is_some) {
                return DECIDED;
            }
        }
        let Ok(number) = u32::try_from(visit.id.number) else {
            return self.break_off(Broken::Stop(StopReason::States));
        };
        let layer = &mut self.current;
        layer.states = layer.states.max(number as usize + 1);
        for &atom in &self.of_states {
            if let Atom::State(condition) = &self.atoms[atom]
                && condition(visit.model, worker, visit.state)?
            {
                layer.atoms[atom].grow_and_insert(number as usize);
            }
        }
        Ok(())
    }

    fn link(&mut self, source: StateId, action: &M::Action, target: StateId, _new: bool) -> Flow {
        if source.layer != self.current.serial {
            self.begin(source.layer);
        }
        let (Ok(from), Ok(to)) = (u32::try_from(source.number), u32::try_from(target.number))
        else {
            return self.break_off(Broken::Stop(StopReason::States));
        };
        if (from as usize) + 1 < self.current.graph.len() {
            // The layer is expanded again, which only a regress edge causes.
            return self.break_off(Broken::Regress);
        }
        let layer = &mut self.current;
        match target.layer == source.layer {
            true => {
                layer.states = layer.states.max(to as usize + 1);
                layer.graph.push(from, (), to);
            }
            false => {
                layer.graph.grow(from as usize + 1);
                layer.outside.push(Outside { source: from, number: to, layer: target.layer });
                self.firsts.entry(target.layer).or_insert(source.layer);
            }
        }
        for &atom in &self.of_actions {
            if let Some(condition) = self.atoms[atom].on_enabled()
                && condition(self.model, action)
            {
                layer.atoms[atom].grow_and_insert(from as usize);
            }
        }
        Ok(())
    }

    fn layer_closed(&mut self, closed: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        if statistics.regress_edges > 0 {
            return self.break_off(Broken::Regress);
        }
        if closed.serial != self.current.serial {
            self.begin(closed.serial);
        }
        let mut layer = std::mem::take(&mut self.current);
        layer.states = closed.states as usize;
        layer.graph.grow(layer.states);
        layer.first = self.firsts.remove(&closed.serial).unwrap_or(0);
        if let Some(before) = self.last.replace(layer)
            && let Err(error) = self.pile.push(&before)
        {
            return self.break_off(Broken::Stop(error.into()));
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let passed: usize = self.passed.values().map(Layer::bytes).sum();
        let last = self.last.as_ref().map_or(0, Layer::bytes);
        let solve = self.current.bytes_to_solve(2 * self.sets);
        (self.current.bytes() + passed + last + solve) as u64
    }

    fn watches_links(&self) -> bool {
        true
    }
}
