//! Finds the paths that show verdicts.
//!
//! Layers are solved a second time, for the formulas whose verdict has a path, and what is known of each layer is written
//! to a file. Then each path is walked in the order of progress, with one layer in memory at a time.

use std::collections::HashMap;

use super::super::file::{Pile, Place};
use super::super::layer::Layer;
use super::super::normal::Part;
use super::super::path::{Path, Solved, Values, Walk, may_show};
use super::super::solve::{Known, Solver};
use super::Gather;
use crate::explore::Options;
use crate::model::Model;
use crate::verdict::StopReason;

/// Where a layer is in the file of layers, unless it is the last one, and where its values are.
type Places = HashMap<u64, (Option<Place>, Place)>;

impl<M: Model> Gather<'_, M> {
    /// The formulas among `news`, by number, whose verdict a path may show.
    fn to_trace(&self, news: &[usize]) -> Vec<usize> {
        let may = |number: &usize| match self.decided[*number] {
            Some(holds) => may_show(&self.normal, self.roots[*number], holds),
            None => false,
        };
        news.iter().copied().filter(|number| self.shows && may(number)).collect()
    }

    /// Finds the paths of formulas that were decided on the first states of the only layer, which are `expanded`.
    pub(super) fn trace_now(&mut self, news: &[usize], expanded: usize) {
        for number in self.to_trace(news) {
            let (root, holds) = (self.roots[number], self.decided[number] == Some(true));
            let below = self.normal.below(std::iter::once(root));
            let known = Known::default();
            let solver = Solver::part(&self.current, &known, &self.normal, expanded);
            let mut solver = solver.until_time(self.deadline);
            let is_solved = solver.solve(&below, &below);
            let start = self
                .starts
                .iter()
                .find(|start| Solved::at(&solver, root, start.0.number as u32) == Some(holds));
            self.paths[number] = match (is_solved, start) {
                (false, _) => Some(Err(StopReason::Time)),
                (true, None) => None,
                (true, Some(start)) => {
                    let mut walk = Walk::new(&self.normal, start, root, holds);
                    walk.through(&self.current, expanded, &solver);
                    Some(Ok(walk.path))
                }
            };
        }
    }

    /// Finds the paths of formulas that were decided on all layers.
    pub(super) fn trace_all(&mut self, news: &[usize], options: &Options) {
        let numbers = self.to_trace(news);
        if numbers.is_empty() {
            return;
        }
        let mut values = Pile::default();
        let places = self.write_values(&numbers, options, &mut values);
        for number in numbers {
            let path = match &places {
                Ok(places) => self.walk(number, places, &mut values, options).transpose(),
                Err(stop) => Some(Err(stop.clone())),
            };
            self.paths[number] = path;
        }
    }

    /// Solves all layers again, and writes what is known of each. The places take some fifty bytes a layer.
    fn write_values(
        &mut self,
        numbers: &[usize],
        options: &Options,
        values: &mut Pile<Values>,
    ) -> Result<Places, StopReason> {
        let wanted = self.normal.below(numbers.iter().map(|number| self.roots[*number]));
        let mut places = Places::new();
        self.solve_layers(options, &wanted, &wanted, |layer, place, solver| {
            let parts = 0..wanted.len() as Part;
            let leads = |part: Part| solver.edges_out(part).filter(|_| wanted[part as usize]);
            let sets = parts.clone().map(|part| solver.set(part)).collect();
            let known = Values { sets, leads: parts.map(leads).collect() };
            places.insert(layer.serial, (place.cloned(), values.push(&known)?));
            Ok(())
        })?;
        Ok(places)
    }

    fn walk(
        &mut self,
        number: usize,
        places: &Places,
        values: &mut Pile<Values>,
        options: &Options,
    ) -> Result<Option<Path>, StopReason> {
        let (root, holds) = (self.roots[number], self.decided[number] == Some(true));
        let mut found = None;
        for start in &self.starts {
            let Some((_, place)) = places.get(&start.0.layer) else { continue };
            if values.read(place)?.at(root, start.0.number as u32) == Some(holds) {
                found = Some(start);
                break;
            }
        }
        let Some(start) = found else { return Ok(None) };
        let mut walk = Walk::new(&self.normal, start, root, holds);
        loop {
            if let Some(reason) = options.interrupt.reason() {
                return Err(reason);
            }
            let Some((layer_place, place)) = places.get(&walk.at.layer) else { return Ok(None) };
            let known = values.read(place)?;
            let read: Layer;
            let layer = match (layer_place, &self.last) {
                (Some(place), _) => {
                    read = self.pile.read(place)?;
                    &read
                }
                (None, Some(last)) => last,
                (None, None) => return Ok(None),
            };
            if !walk.through(layer, layer.states, &known) {
                return Ok(Some(walk.path));
            }
        }
    }
}
