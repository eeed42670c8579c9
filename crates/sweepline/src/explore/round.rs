//! A round: some states of a level, expanded by several threads, with the results of one thread.
//!
//! The threads take chunks of consecutive states. They look successors up in the window, which does not change
//! meanwhile, and collect those that are not stored. At the end of the round these are stored in the order of
//! one thread: see [`retain`](crate::retain). So a round leaves the same states, numbers and origins behind as
//! one thread.
//!
//! If anything happens that would end the run within the round (a property is decided, an error, a limit), the
//! round is given up before anything is stored, and one thread expands the same states: it ends the run at the
//! right state. The observers of a round are forks, which are dropped then.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::batch::ITEMS;
use super::crew::{BYTES, Chunk, Crew, Round};
use super::expand::{Expander, decoded};
use super::share::{Link, Target};
use super::states::Shown;
use super::{GROUP, Run, Step};
use crate::model::Model;
use crate::observe::witness::{Origin, write_block};
use crate::observe::{Fork, Observer, StateId, Visit};
use crate::progress::Value;
use crate::retain::{BulkPlan, Claims, Layer, LayerId, Window};
use crate::verdict::StopReason;

/// A level is expanded by several threads if one thread would take longer than this. It takes longer to wake
/// them than to expand less.
const WORTH: Duration = Duration::from_micros(400);
/// How long a round should take. The longer it is, the more candidates are equal; the shorter, the more often threads
/// wait for each other.
const ROUND: Duration = Duration::from_millis(4);
/// Bytes of the memory limit that must be left for a round.
const RESERVED: u64 = 24 << 20;
/// Maximal number of states of a round.
const MOST: usize = 1 << 18;

impl<'a, M: Model> Run<'a, M> {
    /// How many of the waiting states of the layer `id` the next round expands. `None` if one thread should
    /// expand them.
    pub(super) fn round_size(&mut self, id: LayerId) -> Option<usize> {
        if !self.crew.able || self.states.any_on_disk() {
            return None;
        }
        let layer = self.states.window.layer(id);
        let (pace, waiting, (next, _)) = (&self.crew.pace, layer.waiting(), layer.next_state());
        let is_worth = waiting > pace.states_in(WORTH) || self.crew.threads.is_eager();
        if waiting < 2 || !is_worth {
            return None;
        }
        if !self.has_room() {
            self.crew.release();
            return None;
        }
        if !self.crew.threads.start() {
            return None;
        }
        let explored = self.expander.intake.statistics.explored;
        let left =
            self.options.limits.states.map_or(u64::MAX, |limit| limit.saturating_sub(explored));
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let room = self.states.window.budget.left() as usize / 32;
        let fits = room.min(BYTES) / self.crew.bytes_per_state.max(1);
        let states = pace.states_in(ROUND).saturating_mul(self.crew.threads.count()).max(GROUP);
        let states = states.min(MOST).min(left).min(fits);
        // A round ends where a batch of one thread ends.
        let end = (next + states) / GROUP * GROUP;
        let states = if states < waiting { end.saturating_sub(next) } else { waiting };
        (states >= 2).then_some(states)
    }

    /// Whether there is memory for a round: what it needs is not part of the store, and is released near the limit.
    fn has_room(&self) -> bool {
        let reserved = if self.crew.threads.is_eager() { 0 } else { RESERVED };
        // What the observer keeps counts towards the limit after each batch, and a round has many.
        let observed = if self.observer.watches_links() { BYTES as u64 } else { 0 };
        self.states.window.budget.allows(self.observer.bytes() + reserved + observed)
    }

    /// Expands the next `states` waiting states of the layer `id` on all threads, or none of them if there was too
    /// little room for what they found: the next round has more. `false` if it must be done on one thread; the
    /// stored states have not changed then.
    pub(super) fn round(&mut self, id: LayerId, line: &Value, states: usize) -> Step<bool> {
        let counting = self.expander.intake.counting;
        let fork = |_| self.observer.fork(self.model).filter(|_| !counting);
        let forks: Option<Vec<Fork<'_, M>>> = (0..self.crew.threads.count()).map(fork).collect();
        // Without a fork, the observer sees the round afterwards.
        let visits = forks.is_none() && !counting;
        if visits && self.observer.watches_arcs() {
            // Edges are not kept in the form that it needs.
            self.crew.able = false;
            return Ok(false);
        }
        self.crew.ready(counting);
        let window = &self.states.window;
        let (first, _) = window.layer(id).next_state();
        let after = self.crew.divide(window.layer(id), states);
        if !self.crew.begin(states) {
            self.crew.release();
            return Ok(false);
        }
        let (claims, unopened) =
            (std::mem::take(&mut self.crew.claims), std::mem::take(&mut self.crew.unopened));
        let round = Round {
            window,
            claims: &claims,
            unopened: &unopened,
            layer: id,
            value: line,
            stored: self.states.stored,
            explored: self.expander.intake.statistics.explored,
            first,
            links: !counting && self.observer.watches_links(),
            interrupt: &self.options.interrupt,
            stop: AtomicBool::new(false),
        };
        let links = round.links;
        let Run { model, progress, reduction, options, .. } = *self;
        let make = || {
            let mut expander = Expander::new(model, progress, reduction, options);
            expander.intake.counting = counting;
            expander
        };
        let facts = self.crew.expand(model, &make, &round, forks);
        (self.crew.claims, self.crew.unopened) = (claims, unopened);
        let Some(facts) = facts else { return Ok(self.crew.claims.were_short()) };
        self.crew.note_found(states);
        if !self.store_found(id, line, links, visits)? {
            return Ok(false);
        }
        for facts in facts {
            if !self.observer.merge(self.model, &facts) {
                return Err(StopReason::Internal("the results of a thread are invalid".into()));
            }
        }
        self.states.window.layer_mut(id).take_all(states, after);
        self.add_statistics(states as u64);
        self.refresh();
        self.crew.pace.threads = self.crew.threads.count() as f64;
        self.check_limits(states as u64)?;
        Ok(true)
    }

    /// Stores the new states of the round. `false` if it must be done one by one; nothing is stored then.
    fn store_found(&mut self, id: LayerId, line: &Value, links: bool, visits: bool) -> Step<bool> {
        let Crew { found, threads, claims, .. } = &mut self.crew;
        let Some(plan) = self.states.window.plan_all((claims, found), line, threads, links) else {
            return Ok(false);
        };
        if (links || visits)
            && let Err((events, stop)) = self.show(id, line, visits, &plan)
        {
            self.states.shown = Shown { events, states: visits, stop: Some(stop) };
            self.states.window.give_up(&plan);
            return Ok(false);
        }
        let Run { crew, states, .. } = self;
        let Crew { chunks, found, threads, claims, .. } = crew;
        let serials = plan.serials(&states.window);
        let (layer, first) =
            (states.window.layer(id).serial, chunks.first().map_or(0, |c| c.first));
        let logs = !states.origins.is_off();
        let blocks: Vec<Mutex<&mut Chunk<M::Action>>> = chunks.iter_mut().map(Mutex::new).collect();
        let claims = &*claims;
        let stored = states.window.store_all((claims, found), &plan, threads, |list, found| {
            let mut chunk = blocks[list].lock().unwrap_or_else(PoisonError::into_inner);
            let new = found.new_states(claims, &plan).map(|new| {
                let state = StateId { layer: serials(new.layer), number: new.number };
                let number = first as u64 + u64::from(new.edge.source());
                let parent = StateId { layer, number };
                (state, Origin { parent, action: new.edge.action() })
            });
            chunk.origins.clear();
            chunk.stored = if logs { write_block(&mut chunk.origins, new) } else { 0 };
        });
        let Some(stored) = stored else { return Err(StopReason::Memory) };
        states.stored += stored.states;
        states.uncollected += stored.states;
        states.persistent += stored.persistent;
        for chunk in chunks {
            states.origins.append(&chunk.origins, chunk.stored)?;
        }
        Ok(true)
    }

    /// Shows the round to the observer in the order of one thread: the edges, and the states if it `visits`
    /// them itself. If it stops the run, an error with the number of events shown.
    fn show(
        &mut self,
        id: LayerId,
        value: &Value,
        visits: bool,
        plan: &BulkPlan,
    ) -> Result<(), (u64, StopReason)> {
        let Run { crew, states, observer, expander, model, .. } = self;
        let window = &states.window;
        let mut show = Show {
            window,
            layer: window.layer(id),
            claims: &crew.claims,
            plan,
            stored: states.stored,
            observer: &mut **observer,
            reader: &mut expander.intake.reader,
            shown: 0,
        };
        let mut scratch = None;
        for chunk in &crew.chunks {
            let (mut handle, mut dead) = (chunk.handle, chunk.dead.iter().peekable());
            let (mut links, mut batch) = (&chunk.links[..], 0);
            for number in chunk.first..chunk.first + chunk.states {
                let number = number as u64;
                if visits {
                    let (bytes, after) = show.layer.state(handle);
                    handle = after;
                    let state = decoded(*model, bytes, &mut scratch);
                    let is_dead = dead.next_if_eq(&&number).is_some();
                    let id = StateId { layer: show.layer.serial, number };
                    let visit = Visit {
                        model: *model,
                        state,
                        bytes,
                        value,
                        id,
                        stored: show.stored,
                        path: None,
                    };
                    show.visit(&visit, is_dead).map_err(|stop| (show.shown, stop))?;
                }
                batch += links[batch..].iter().take_while(|link| link.source == number).count();
                if batch >= ITEMS || (number + 1).is_multiple_of(GROUP as u64) {
                    let (now, later) = links.split_at(batch);
                    show.links(now).map_err(|stop| (show.shown, stop))?;
                    (links, batch) = (later, 0);
                }
            }
            show.links(links).map_err(|stop| (show.shown, stop))?;
        }
        Ok(())
    }

    /// Adds the statistics of the threads to those of the run.
    fn add_statistics(&mut self, states: u64) {
        let Run { crew, expander, .. } = self;
        let sum = &mut expander.intake.statistics;
        sum.explored += states;
        for hand in &mut crew.hands {
            let Some(hand) = hand.get_mut().unwrap_or_else(PoisonError::into_inner) else {
                continue;
            };
            let own = std::mem::take(&mut hand.expander.intake.statistics);
            sum.edges += own.edges;
            sum.dead += own.dead;
            sum.regress_edges += own.regress_edges;
            sum.skipped += own.skipped;
        }
    }
}

/// Shows the events of a round.
struct Show<'r, M: Model> {
    window: &'r Window,
    /// The layer of the sources.
    layer: &'r Layer,
    claims: &'r Claims,
    plan: &'r BulkPlan,
    /// Number of states stored before the round.
    stored: u64,
    observer: &'r mut dyn Observer<M>,
    reader: &'r mut M::Worker,
    /// Number of events so far.
    shown: u64,
}

impl<M: Model> Show<'_, M> {
    fn visit(&mut self, visit: &Visit<'_, M>, is_dead: bool) -> Step {
        self.shown += 1;
        self.observer.node(visit, self.reader)?;
        if is_dead {
            self.shown += 1;
            self.observer.dead(visit, self.reader)?;
        }
        Ok(())
    }

    /// Shows some edges.
    fn links(&mut self, links: &[Link<M::Action>]) -> Step {
        for link in links {
            let (target, number, new) = match link.target {
                Target::Stored(layer, number) => (layer, number, false),
                Target::Candidate(found) => self.plan.target(self.claims, found, link.number),
            };
            let source = StateId { layer: self.layer.serial, number: link.source };
            let target = StateId { layer: self.window.layer(target).serial, number };
            self.shown += 1;
            self.observer.link(source, &link.action, target, new)?;
        }
        Ok(())
    }
}
