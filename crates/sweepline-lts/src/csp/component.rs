//! From terms to LTSs: operators at the top stay a tree, and each process below is explored alone.

use std::collections::HashMap;

use super::eval::{Evaluated, Evaluator, fail};
use super::process::{Event, EventsId, Meet, Proc};
use super::step::Steps;
use super::value::ProcId;
use crate::composition::{Composition, EventSet, Sync, Tree};
use crate::compress::{Compression, compress};
use crate::lts::{LabelId, Lts, LtsBuilder, StateNo};
use crate::problem::Problem;

/// The states of components with more states than this have no names.
const MAX_NAMED: usize = 200_000;

/// The maximal number of states of a process that is compressed, and the maximal size of a normal form.
const MAX_COMPRESSED: usize = 500_000;

/// The maximal number of components of a process.
const MAX_COMPONENTS: usize = 100_000;

/// Splits a process into components.
pub(super) struct Components<'e, 's> {
    steps: Steps<'e, 's>,
    max_states: usize,
    /// Processes that were explored already: many components are equal.
    known: HashMap<ProcId, Lts>,
    /// Compressed processes; `None` for those that are too large.
    compressed: HashMap<ProcId, Option<Lts>>,
    /// The processes that contain the current one.
    path: Vec<ProcId>,
    n_components: usize,
}

impl<'e, 's> Components<'e, 's> {
    pub(super) fn new(eval: &'e mut Evaluator<'s>, max_states: usize) -> Self {
        let (known, compressed, path) = Default::default();
        let steps = Steps::new(eval);
        Components { steps, max_states, known, compressed, path, n_components: 0 }
    }

    /// The process as a tree of components.
    pub(super) fn tree(&mut self, id: ProcId) -> Evaluated<Tree> {
        let id = self.enter(id)?;
        let proc = self.steps.eval.terms.proc(id).clone();
        let tree = match proc {
            Proc::Parallel(all, meet) => {
                let mut children = Vec::with_capacity(all.len());
                for &child in all.iter() {
                    children.push(self.tree(child)?);
                }
                let sync = match meet {
                    Meet::Interface(events) => Sync::Interface(self.names(events)),
                    Meet::Alphabets(all) => {
                        Sync::Alphabets(all.iter().map(|&events| self.names(events)).collect())
                    }
                };
                Tree::Parallel(children, sync)
            }
            Proc::Hide(p, events) if self.is_composed(p)? => {
                Tree::Hide(Box::new(self.tree(p)?), self.names(events))
            }
            Proc::Rename(p, relation) if self.is_composed(p)? => {
                let pairs = self.steps.eval.terms.relations.get(relation.0).clone();
                let pairs = pairs.iter().map(|&(from, to)| (self.name(from), self.name(to)));
                let pairs = pairs.collect();
                Tree::Rename(Box::new(self.tree(p)?), pairs)
            }
            Proc::Compressed(how, p) => self.compressed(id, how, p)?,
            _ => Tree::Component(self.component(id)?),
        };
        self.path.pop();
        Ok(tree)
    }

    /// Enters a part of the process, which must not contain itself.
    fn enter(&mut self, id: ProcId) -> Evaluated<ProcId> {
        let id = self.steps.settle(id)?;
        if self.path.contains(&id) {
            return self.steps.circular(id);
        }
        self.path.push(id);
        Ok(id)
    }

    /// Whether it has a parallel operator at the top, possibly below hiding and renaming.
    fn is_composed(&mut self, id: ProcId) -> Evaluated<bool> {
        let id = self.enter(id)?;
        let composed = match *self.steps.eval.terms.proc(id) {
            Proc::Parallel(..) | Proc::Compressed(..) => true,
            Proc::Hide(p, _) | Proc::Rename(p, _) => self.is_composed(p)?,
            _ => false,
        };
        self.path.pop();
        Ok(composed)
    }

    /// A process as one compressed component. If it is too large for that, it stays as it is, which means the same.
    fn compressed(&mut self, id: ProcId, how: Compression, p: ProcId) -> Evaluated<Tree> {
        let known = self.compressed.get(&id).cloned();
        if let Some(Some(lts)) = known {
            return Ok(Tree::Component(lts));
        }
        let tree = self.tree(p)?;
        if known.is_some() {
            return Ok(tree);
        }
        let name = self.steps.eval.show_process(id);
        let lts = match &tree {
            Tree::Component(lts) => Ok(lts.clone().named(&name)),
            other => Composition::new(other.clone())
                .map_err(Problem::from)
                .and_then(|composition| composition.to_lts(&name, MAX_COMPRESSED)),
        };
        let stop = || self.steps.eval.script.limits().is_stopped();
        let small = lts.and_then(|lts| compress(&lts, how, MAX_COMPRESSED, &stop));
        match small {
            Ok(lts) => {
                self.compressed.insert(id, Some(lts.clone()));
                Ok(Tree::Component(lts))
            }
            Err(Problem::Stopped) => fail(self.steps.eval.span_of(id), Problem::Stopped),
            Err(_) => {
                self.compressed.insert(id, None);
                Ok(tree)
            }
        }
    }

    fn name(&self, event: Event) -> String {
        let eval = &self.steps.eval;
        eval.show_all(eval.terms.events.get(event.0))
    }

    fn names(&self, events: EventsId) -> EventSet {
        let events = self.steps.eval.terms.sets.get(events.0);
        events.iter().map(|&event| self.name(event)).collect()
    }

    /// All states of a process.
    fn component(&mut self, start: ProcId) -> Evaluated<Lts> {
        self.n_components += 1;
        if self.n_components > MAX_COMPONENTS {
            let problem = Problem::TooManyComponents { limit: MAX_COMPONENTS };
            return fail(self.steps.eval.span_of(start), problem);
        }
        if let Some(lts) = self.known.get(&start) {
            return Ok(lts.clone());
        }
        let name = self.steps.eval.show_process(start);
        let mut lts = LtsBuilder::new(name);
        let mut numbers: HashMap<ProcId, StateNo, foldhash::fast::FixedState> = HashMap::default();
        let mut labels: HashMap<Event, LabelId> =
            [(Event::TAU, LabelId::TAU), (Event::TICK, LabelId::TICK)].into();
        let mut states = vec![start];
        numbers.insert(start, StateNo(0));
        let mut next = 0;
        while let Some(&state) = states.get(next) {
            let source = StateNo(next as u32);
            for &(event, target) in self.steps.moves(state)?.iter() {
                let number = *numbers.entry(target).or_insert_with(|| {
                    states.push(target);
                    StateNo(states.len() as u32 - 1)
                });
                let label = match labels.get(&event) {
                    Some(label) => *label,
                    None => {
                        let label = lts.label(&self.name(event));
                        labels.insert(event, label);
                        label
                    }
                };
                lts.edge(source, label, number);
            }
            if states.len() > self.max_states {
                return self.too_many(start, &states);
            }
            next += 1;
        }
        if states.len() <= MAX_NAMED {
            states.iter().for_each(|&id| lts.name_state(self.steps.eval.show_process(id)));
        }
        let lts = lts.build(states.len() as u32, StateNo(0));
        let lts = lts.expect("states are numbered as they come up, and nothing follows Ω");
        self.known.insert(start, lts.clone());
        Ok(lts)
    }

    fn too_many<T>(&self, start: ProcId, states: &[ProcId]) -> Evaluated<T> {
        let eval = &self.steps.eval;
        let show = |&id: &ProcId| format!("`{}`", eval.show_process(id));
        let first: Vec<_> = states.iter().take(4).map(show).collect();
        let last: Vec<_> = states[states.len() - 2..].iter().map(show).collect();
        let growth = format!("{}, ... {}", first.join(", "), last.join(", "));
        let (process, limit) = (eval.show_process(start), self.max_states);
        fail(eval.span_of(start), Problem::TooManyStates { process, limit, growth })
    }
}
