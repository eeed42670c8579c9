//! Evaluates operators on processes to terms.

use std::rc::Rc;

use sweepline_source::Span;

use super::data::flattened;
use super::{Evaluated, Evaluator, fail};
use crate::csp::ast::{Choice, Expr, Kind, Operator, Renaming, Replicated, Stmt};
use crate::csp::process::{Event, EventsId, Meet, Proc, RelationId, Thunk};
use crate::csp::value::{Env, ProcId, Set, Value};
use crate::problem::Problem;

impl Evaluator<'_> {
    /// An expression that is a process.
    pub(in crate::csp) fn process(&mut self, expr: &Expr, env: &mut Env) -> Evaluated<ProcId> {
        match self.eval(expr, env)? {
            Value::Process(id) => Ok(id),
            // An event is not a process.
            other => self.wrong_kind(expr.span, "a process", &other),
        }
    }

    fn both(&mut self, both: &[Expr; 2], env: &mut Env) -> Evaluated<[ProcId; 2]> {
        Ok([self.process(&both[0], env)?, self.process(&both[1], env)?])
    }

    /// The term of a process operator.
    pub(super) fn operator(&mut self, expr: &Expr, env: &mut Env) -> Evaluated<ProcId> {
        let proc = match &expr.kind {
            Kind::Prefix(prefix) => {
                self.prefixes.entry(prefix.id).or_insert_with(|| prefix.clone());
                let free = prefix.free.get().expect("names were checked");
                Proc::Prefix(prefix.id, env.capture(free))
            }
            Kind::Guard(both) => match self.bool(&both[0], env)? {
                true => return self.process(&both[1], env),
                false => Proc::Stop,
            },
            Kind::Choice(Choice::External, both) => {
                let both = self.both(both, env)?;
                return Ok(self.terms.external(both));
            }
            Kind::Choice(Choice::Interrupt, both) => {
                let [p, q] = self.both(both, env)?;
                Proc::Interrupt(p, q)
            }
            Kind::Internal(all) => {
                Proc::Internal(all.iter().map(|body| self.thunk(body, env)).collect())
            }
            Kind::Timeout(p, q) => Proc::Timeout(self.process(p, env)?, self.thunk(q, env)),
            Kind::Sequential(p, q) => Proc::Sequential(self.process(p, env)?, self.thunk(q, env)),
            Kind::Interface(set, both) => {
                let events = match set {
                    Some(set) => self.events(set, env)?,
                    None => self.terms.set(Vec::new()),
                };
                let both = self.both(both, env)?;
                Proc::Parallel(both.into(), Meet::Interface(events))
            }
            Kind::Alphabetised(parts) => {
                let [left, first, second, right] = &**parts;
                let alphabets = [self.events(first, env)?, self.events(second, env)?];
                let both = [self.process(left, env)?, self.process(right, env)?];
                Proc::Parallel(both.into(), Meet::Alphabets(alphabets.into()))
            }
            Kind::Link(both, links) => return self.link(both, links, env),
            Kind::Exception(both, q) => {
                let events = self.events(&both[1], env)?;
                Proc::Exception(self.process(&both[0], env)?, events, self.thunk(q, env))
            }
            Kind::Hide(both) => {
                let events = self.events(&both[1], env)?;
                Proc::Hide(self.process(&both[0], env)?, events)
            }
            Kind::Project(both) => {
                let shown = self.events(&both[1], env)?;
                let all = self.all_events(expr.span)?;
                let hidden = all.into_iter().filter(|&event| !self.terms.contains(shown, event));
                let hidden = hidden.collect();
                let hidden = self.terms.set(hidden);
                Proc::Hide(self.process(&both[0], env)?, hidden)
            }
            Kind::Rename(p, renaming) => {
                let pairs = self.pairs(renaming, env)?;
                let relation = self.relation(pairs);
                Proc::Rename(self.process(p, env)?, relation)
            }
            Kind::Replicated(replicated) => return self.replicated(replicated, env, expr.span),
            _ => unreachable!("no operator on processes"),
        };
        Ok(self.terms.intern(proc))
    }

    /// An expression that is a set of events.
    fn events(&mut self, expr: &Expr, env: &mut Env) -> Evaluated<EventsId> {
        let set = self.set_of(expr, env)?;
        self.event_set(&set, expr.span)
    }

    /// The names of the events of a sequence.
    pub(in crate::csp) fn event_names(
        &mut self,
        expr: &Expr,
        env: &mut Env,
    ) -> Evaluated<Vec<String>> {
        let value = self.eval(expr, env)?;
        let Value::Seq(all) = &value else {
            return self.wrong_kind(expr.span, "a sequence of events", &value);
        };
        let name = |value: &Value| {
            self.known_event(value, expr.span)?;
            Ok(self.show_all(value))
        };
        all.iter().map(name).collect()
    }

    pub(super) fn event_set(&mut self, set: &Set, span: Span) -> Evaluated<EventsId> {
        let members = self.members(set, span)?;
        let events = members.iter().map(|member| self.known_event(member, span));
        let events = events.collect::<Evaluated<_>>()?;
        Ok(self.terms.set(events))
    }

    /// The number of an event, which is checked at its first use. Other values may have numbers, too: those of internal
    /// steps and of termination.
    pub(super) fn known_event(&mut self, value: &Value, span: Span) -> Evaluated<Event> {
        let n = self.terms.events.len();
        let event = self.event(value.clone());
        let is_dotted = matches!(value, Value::Head(_) | Value::Dot(_));
        if event.0 as usize == n || !is_dotted {
            self.check_event(value, span)?;
        }
        Ok(event)
    }

    /// The pairs of a renaming; channels on both sides stand for all their events.
    fn pairs(&mut self, renaming: &Renaming, env: &mut Env) -> Evaluated<Vec<(Event, Event)>> {
        let mut pairs = Vec::new();
        self.each(&renaming.stmts, env, &mut |eval, env| {
            for (from, to) in &renaming.pairs {
                let span = from.span;
                let [old, new] = [eval.eval(from, env)?, eval.eval(to, env)?];
                for event in eval.productions(&old, span)? {
                    let image = eval.image(&old, &new, &event);
                    let event = eval.known_event(&event, span)?;
                    pairs.push((event, eval.known_event(&image, to.span)?));
                }
                eval.bounded(pairs.len(), span)?;
            }
            Ok(())
        })?;
        Ok(pairs)
    }

    fn relation(&mut self, mut pairs: Vec<(Event, Event)>) -> RelationId {
        pairs.sort_unstable();
        pairs.dedup();
        RelationId(self.terms.relations.intern(pairs.into()))
    }

    /// `event`, which begins with `old`, with `new` in place of that.
    fn image(&self, old: &Value, new: &Value, event: &Value) -> Value {
        let mut image = flattened([new]);
        image.extend_from_slice(&flattened([event])[flattened([old]).len()..]);
        self.regroup(&image)
    }

    /// `P [a <-> b] Q`: `a` of the left is `b` of the right, and the event is hidden. Both are renamed to the
    /// event of the left, which is kept apart from an event of the right with the same name.
    fn link(&mut self, both: &[Expr; 2], links: &Renaming, env: &mut Env) -> Evaluated<ProcId> {
        let (mut middle, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
        for (from, to) in self.pairs(links, env)? {
            // An event that scripts cannot name, one for each pair.
            let parts = [from, to].map(|event| self.terms.events.get(event.0).clone());
            let event = self.event(Value::Tuple(parts.into()));
            middle.push(event);
            left.push((from, event));
            right.push((to, event));
        }
        let [p, q] = self.both(both, env)?;
        let mut renamed = |id, pairs| {
            let relation = self.relation(pairs);
            self.terms.intern(Proc::Rename(id, relation))
        };
        let both = [renamed(p, left), renamed(q, right)];
        let middle = self.terms.set(middle);
        let joined = self.terms.intern(Proc::Parallel(both.into(), Meet::Interface(middle)));
        Ok(self.terms.intern(Proc::Hide(joined, middle)))
    }

    /// An operator over all values of its generators.
    fn replicated(
        &mut self,
        Replicated { op, stmts, body }: &Replicated,
        env: &mut Env,
        span: Span,
    ) -> Evaluated<ProcId> {
        let thunk = |eval: &mut Self, env: &mut Env| Ok(eval.thunk(body, env));
        let process = |eval: &mut Self, env: &mut Env| eval.process(&body.expr, env);
        match op {
            Operator::Internal => {
                let all = self.of_each(stmts, env, thunk)?;
                match all.is_empty() {
                    true => fail(span, Problem::OfEmpty { name: "|~|", of: "set" }),
                    false => Ok(self.terms.intern(Proc::Internal(all.into()))),
                }
            }
            Operator::Sequential => {
                let all = self.of_each(stmts, env, thunk)?;
                match all.is_empty() {
                    true => Ok(self.terms.intern(Proc::Skip)),
                    false => self.force(&Thunk::Sequence(all.into())),
                }
            }
            Operator::External => {
                let all = self.of_each(stmts, env, process)?;
                Ok(self.terms.external(all))
            }
            Operator::Interleave => {
                let all = self.of_each(stmts, env, process)?;
                let nothing = self.terms.set(Vec::new());
                Ok(self.side_by_side(all, Meet::Interface(nothing)))
            }
            Operator::Interface(set) => {
                let events = self.events(set, env)?;
                let all = self.of_each(stmts, env, process)?;
                Ok(self.side_by_side(all, Meet::Interface(events)))
            }
            Operator::Alphabetised(alphabet) => {
                let both = |eval: &mut Self, env: &mut Env| {
                    Ok((eval.events(&alphabet.expr, env)?, process(eval, env)?))
                };
                let both = self.of_each(stmts, env, both)?;
                let (alphabets, all): (Vec<_>, Vec<_>) = both.into_iter().unzip();
                Ok(self.side_by_side(all, Meet::Alphabets(alphabets.into())))
            }
        }
    }

    /// A parallel composition. Without processes it terminates; a single process over an interface is itself.
    fn side_by_side(&mut self, all: Vec<ProcId>, meet: Meet) -> ProcId {
        match (all.as_slice(), &meet) {
            ([], _) => self.terms.intern(Proc::Skip),
            ([only], Meet::Interface(_)) => *only,
            _ => self.terms.intern(Proc::Parallel(all.into(), meet)),
        }
    }

    /// The results of `one` for each binding of the generators.
    fn of_each<T>(
        &mut self,
        stmts: &[Stmt],
        env: &mut Env,
        one: impl Fn(&mut Self, &mut Env) -> Evaluated<T>,
    ) -> Evaluated<Vec<T>> {
        let mut all = Vec::new();
        self.each(stmts, env, &mut |eval, env| {
            all.push(one(eval, env)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// Every event of every channel.
    pub(super) fn all_events(&mut self, span: Span) -> Evaluated<Vec<Event>> {
        let all = self.every_event(span)?;
        all.iter().map(|value| self.known_event(value, span)).collect()
    }

    pub(super) fn every_event(&mut self, span: Span) -> Evaluated<Rc<[Value]>> {
        let mut all = Vec::new();
        for index in 0..self.heads.len() {
            if self.heads[index].is_channel {
                let start = Value::Head(crate::csp::value::HeadId(index as u32));
                all.extend(self.productions(&start, span)?);
                self.bounded(all.len(), span)?;
            }
        }
        all.sort_unstable();
        Ok(all.into())
    }
}
