//! The steps of a process term: the operational semantics of CSP, rule by rule.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::eval::{Evaluated, Evaluator, fail};
use super::process::{Event, EventsId, Meet, Proc, RelationId, Thunk};
use super::value::ProcId;
use crate::problem::Problem;

/// An event and its continuation.
pub(super) type Move = (Event, ProcId);

/// A term with more nested operators than this is taken to grow without bound.
const MAX_HEIGHT: u32 = 2_000;

/// The moves of terms, each computed once.
pub(super) struct Steps<'e, 's> {
    pub(super) eval: &'e mut Evaluator<'s>,
    known: HashMap<ProcId, Option<Rc<[Move]>>, foldhash::fast::FixedState>,
}

impl<'e, 's> Steps<'e, 's> {
    pub(super) fn new(eval: &'e mut Evaluator<'s>) -> Self {
        Steps { eval, known: HashMap::default() }
    }

    fn intern(&mut self, proc: Proc) -> ProcId {
        self.eval.terms.intern(proc)
    }

    /// The same process, with a deferred process at its head evaluated.
    pub(super) fn settle(&mut self, mut id: ProcId) -> Evaluated<ProcId> {
        let mut seen = Vec::new();
        while let Proc::Later(thunk) = self.eval.terms.proc(id).clone() {
            if seen.contains(&id) {
                return self.circular(id);
            }
            seen.push(id);
            id = self.eval.force(&thunk)?;
        }
        Ok(id)
    }

    pub(super) fn circular<T>(&mut self, id: ProcId) -> Evaluated<T> {
        let name = self.eval.show_process(id);
        fail(self.eval.span_of(id), Problem::Circular { name })
    }

    /// All moves of `id`, sorted and without duplicates.
    pub(super) fn moves(&mut self, id: ProcId) -> Evaluated<Rc<[Move]>> {
        match self.known.get(&id) {
            Some(Some(moves)) => return Ok(moves.clone()),
            Some(None) => return self.circular(id),
            None => {}
        }
        if self.eval.terms.height(id) > MAX_HEIGHT {
            let process = self.eval.show_process(id);
            let growth =
                "the recursion adds operators at each step, as in `P = (a -> P) \\ A`".to_owned();
            let problem = Problem::TooManyStates { process, limit: MAX_HEIGHT as usize, growth };
            return fail(self.eval.span_of(id), problem);
        }
        self.known.insert(id, None);
        let proc = self.eval.terms.proc(id).clone();
        let mut moves = self.find(id, proc)?;
        for (_, target) in &mut moves {
            *target = self.settle(*target)?;
            while let Proc::Compressed(_, inner) = *self.eval.terms.proc(*target) {
                *target = self.settle(inner)?;
            }
        }
        moves.sort_unstable();
        moves.dedup();
        let moves: Rc<[Move]> = moves.into();
        self.known.insert(id, Some(moves.clone()));
        Ok(moves)
    }

    fn find(&mut self, id: ProcId, proc: Proc) -> Evaluated<Vec<Move>> {
        match proc {
            Proc::Stop | Proc::Omega => Ok(Vec::new()),
            Proc::Skip => Ok(vec![(Event::TICK, self.intern(Proc::Omega))]),
            Proc::Diverge => Ok(vec![(Event::TAU, id)]),
            Proc::Run(events) => Ok(self.each_event(events, id)),
            Proc::Chaos(events) => {
                let mut moves = self.each_event(events, id);
                moves.push((Event::TAU, self.intern(Proc::Stop)));
                Ok(moves)
            }
            Proc::Prefix(number, captured) => {
                let prefix = self.eval.prefix(number);
                let offers = self.eval.offers(&prefix, &captured)?;
                self.offers(offers)
            }
            Proc::Offer(all) => {
                all.iter().map(|(event, then)| Ok((*event, self.eval.force(then)?))).collect()
            }
            Proc::External(all) => self.external(&all),
            Proc::Internal(all) => {
                all.iter().map(|then| Ok((Event::TAU, self.eval.force(then)?))).collect()
            }
            Proc::Interrupt(p, q) => self.interrupt(p, q),
            Proc::Timeout(p, q) => self.timeout(p, &q),
            Proc::Sequential(p, q) => self.sequential(p, &q),
            Proc::Exception(p, events, q) => self.exception(p, events, &q),
            Proc::Parallel(all, meet) => self.parallel(&all, &meet),
            Proc::Hide(p, events) => self.hide(p, events),
            Proc::Rename(p, relation) => self.rename(p, relation),
            Proc::Compressed(_, p) => Ok(self.moves(p)?.to_vec()),
            Proc::Chase(p) => self.chase(id, p),
            Proc::Later(thunk) => {
                let id = self.eval.force(&thunk)?;
                Ok(self.moves(id)?.to_vec())
            }
        }
    }

    fn each_event(&self, events: EventsId, target: ProcId) -> Vec<Move> {
        self.eval.terms.sets.get(events.0).iter().map(|&event| (event, target)).collect()
    }

    /// The events of a prefix. A prefix with internal choices makes them first, by internal steps.
    fn offers(&mut self, offers: Vec<super::eval::Offer>) -> Evaluated<Vec<Move>> {
        if offers.iter().all(|offer| offer.chosen.is_empty()) {
            let offers = offers.into_iter();
            return offers.map(|o| Ok((o.event, self.eval.force(&o.then)?))).collect();
        }
        let mut choices: BTreeMap<_, Vec<(Event, Thunk)>> = BTreeMap::new();
        for offer in offers {
            choices.entry(offer.chosen).or_default().push((offer.event, offer.then));
        }
        let offer = |all: Vec<_>| (Event::TAU, self.intern(Proc::Offer(all.into())));
        Ok(choices.into_values().map(offer).collect())
    }

    /// The moves of `p`, each mapped by `image` to a move of the whole.
    fn mapped(
        &mut self,
        p: ProcId,
        mut image: impl FnMut(&mut Self, Event, ProcId) -> Evaluated<Move>,
    ) -> Evaluated<Vec<Move>> {
        let moves = self.moves(p)?;
        moves.iter().map(|&(event, target)| image(self, event, target)).collect()
    }

    /// The first visible event resolves the choice; internal steps do not.
    fn external(&mut self, all: &[ProcId]) -> Evaluated<Vec<Move>> {
        let mut moves = Vec::new();
        for (index, &p) in all.iter().enumerate() {
            moves.extend(self.mapped(p, |steps, event, target| match event {
                Event::TAU => {
                    let mut all = all.to_vec();
                    all[index] = target;
                    Ok((event, steps.eval.terms.external(all)))
                }
                _ => Ok((event, target)),
            })?);
        }
        Ok(moves)
    }

    /// `P /\ Q`: any visible event of `Q` ends `P`.
    fn interrupt(&mut self, p: ProcId, q: ProcId) -> Evaluated<Vec<Move>> {
        let mut moves = self.mapped(p, |steps, event, target| match event {
            Event::TICK => Ok((event, target)),
            _ => Ok((event, steps.intern(Proc::Interrupt(target, q)))),
        })?;
        moves.extend(self.mapped(q, |steps, event, target| match event {
            Event::TAU => Ok((event, steps.intern(Proc::Interrupt(p, target)))),
            _ => Ok((event, target)),
        })?);
        Ok(moves)
    }

    /// `P [> Q`: `P`, until an internal step to `Q`.
    fn timeout(&mut self, p: ProcId, q: &Thunk) -> Evaluated<Vec<Move>> {
        let given_up = (Event::TAU, self.eval.force(q)?);
        let mut moves = self.mapped(p, |steps, event, target| match event {
            Event::TAU => Ok((event, steps.intern(Proc::Timeout(target, q.clone())))),
            _ => Ok((event, target)),
        })?;
        moves.push(given_up);
        Ok(moves)
    }

    /// `P ; Q`: termination of `P` is an internal step to `Q`.
    fn sequential(&mut self, p: ProcId, q: &Thunk) -> Evaluated<Vec<Move>> {
        self.mapped(p, |steps, event, target| match event {
            Event::TICK => Ok((Event::TAU, steps.eval.force(q)?)),
            _ => Ok((event, steps.intern(Proc::Sequential(target, q.clone())))),
        })
    }

    /// `P [|A|> Q`: an event of `A` leads to `Q`.
    fn exception(&mut self, p: ProcId, events: EventsId, q: &Thunk) -> Evaluated<Vec<Move>> {
        self.mapped(p, |steps, event, target| match event {
            Event::TICK => Ok((event, target)),
            _ if steps.eval.terms.contains(events, event) => Ok((event, steps.eval.force(q)?)),
            _ => Ok((event, steps.intern(Proc::Exception(target, events, q.clone())))),
        })
    }

    fn hide(&mut self, p: ProcId, events: EventsId) -> Evaluated<Vec<Move>> {
        self.mapped(p, |steps, event, target| match event {
            Event::TICK => Ok((event, target)),
            _ => {
                let hidden = steps.eval.terms.contains(events, event);
                let event = if hidden { Event::TAU } else { event };
                Ok((event, steps.intern(Proc::Hide(target, events))))
            }
        })
    }

    fn rename(&mut self, p: ProcId, relation: RelationId) -> Evaluated<Vec<Move>> {
        let mut moves = Vec::new();
        for &(event, target) in self.moves(p)?.iter() {
            if event == Event::TICK {
                moves.push((event, target));
                continue;
            }
            let target = self.intern(Proc::Rename(target, relation));
            let images = self.eval.terms.images(relation, event);
            moves.extend(images.into_iter().map(|image| (image, target)));
        }
        Ok(moves)
    }

    /// `chase(P)`: the first internal step is taken, as long as there is one. If that never ends, the process diverges.
    fn chase(&mut self, id: ProcId, p: ProcId) -> Evaluated<Vec<Move>> {
        let (mut at, mut seen) = (p, HashSet::new());
        loop {
            let moves = self.moves(at)?;
            let Some(&(_, next)) = moves.iter().find(|(event, _)| *event == Event::TAU) else {
                let chased = |&(event, target): &Move| match event {
                    Event::TICK => (event, target),
                    _ => (event, self.eval.terms.intern(Proc::Chase(target))),
                };
                return Ok(moves.iter().map(chased).collect());
            };
            if !seen.insert(at) {
                return Ok(vec![(Event::TAU, id)]);
            }
            at = next;
        }
    }

    /// Parallel composition. The whole terminates when all have; termination of one is an internal step.
    fn parallel(&mut self, all: &[ProcId], meet: &Meet) -> Evaluated<Vec<Move>> {
        if all.iter().all(|&p| self.eval.terms.has_ended(p)) {
            return Ok(vec![(Event::TICK, self.intern(Proc::Omega))]);
        }
        let mut moves = Vec::new();
        let mut meetings: BTreeMap<Event, Vec<(usize, Vec<ProcId>)>> = BTreeMap::new();
        for (index, &p) in all.iter().enumerate() {
            if self.eval.terms.has_ended(p) {
                continue;
            }
            for &(event, target) in self.moves(p)?.iter() {
                match event {
                    Event::TAU | Event::TICK => {
                        let whole = self.replaced(all, &[(index, target)], meet);
                        moves.push((Event::TAU, whole));
                    }
                    _ => match self.expected(all, meet, index, event) {
                        0 => {}
                        1 => moves.push((event, self.replaced(all, &[(index, target)], meet))),
                        _ => {
                            let came = meetings.entry(event).or_default();
                            match came.last_mut() {
                                Some((own, targets)) if *own == index => targets.push(target),
                                _ => came.push((index, vec![target])),
                            }
                        }
                    },
                }
            }
        }
        for (event, came) in meetings {
            let first = came[0].0;
            if came.len() == self.expected(all, meet, first, event) {
                self.combine(all, meet, event, &came, &mut Vec::new(), &mut moves);
            }
        }
        Ok(moves)
    }

    /// How many must take part in `event`, of which `index` is one; 0 if it must not take part.
    fn expected(&self, all: &[ProcId], meet: &Meet, index: usize, event: Event) -> usize {
        let terms = &self.eval.terms;
        match meet {
            Meet::Interface(events) if terms.contains(*events, event) => all.len(),
            Meet::Interface(_) => 1,
            Meet::Alphabets(sets) if !terms.contains(sets[index], event) => 0,
            Meet::Alphabets(sets) => sets.iter().filter(|set| terms.contains(**set, event)).count(),
        }
    }

    /// Every combination of one target of each participant.
    fn combine(
        &mut self,
        all: &[ProcId],
        meet: &Meet,
        event: Event,
        came: &[(usize, Vec<ProcId>)],
        chosen: &mut Vec<(usize, ProcId)>,
        moves: &mut Vec<Move>,
    ) {
        let Some(((index, targets), rest)) = came.split_first() else {
            return moves.push((event, self.replaced(all, chosen, meet)));
        };
        for &target in targets {
            chosen.push((*index, target));
            self.combine(all, meet, event, rest, chosen, moves);
            chosen.pop();
        }
    }

    fn replaced(&mut self, all: &[ProcId], with: &[(usize, ProcId)], meet: &Meet) -> ProcId {
        let mut all = all.to_vec();
        for &(index, target) in with {
            all[index] = target;
        }
        self.intern(Proc::Parallel(all.into(), meet.clone()))
    }
}
