//! The operational semantics of CSP, rule by rule, as in Roscoe's *The Theory and Practice of Concurrency* (chapter 7) and
//! *Understanding Concurrent Systems* (chapter 9). Only closed terms have steps.

use std::rc::Rc;

use super::term::{Event, Generator, Op, Set, Term};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Label {
    Tau,
    Tick,
    Does(u8),
}

use Label::{Does, Tau, Tick};

pub(super) type Steps = Vec<(Label, Term)>;

/// The definitions of a script; the parameter of each is variable 0.
pub(super) type Definitions = [Rc<Term>];

/// The events of the script: `a`, `b`, `c.0`, `c.1`.
pub(super) const N_EVENTS: u8 = 4;

fn has(set: &Set, code: u8) -> bool {
    set.iter().any(|event| event.code() == code)
}

/// The process of a replicated operator, as operators on two processes.
pub(super) fn expanded(op: &Op, generators: &[Generator], body: &Term) -> Term {
    let Some((&(var, values), rest)) = generators.split_first() else {
        panic!("a replicated operator has a generator")
    };
    let mut all: Vec<(Op, Term)> = Vec::new();
    for &value in values {
        all.push((op.bound(var, value), body.bound(var, value)));
    }
    for &(var, values) in rest {
        let each = |(op, term): &(Op, Term)| {
            let (op, term) = (op.clone(), term.clone());
            values.iter().map(move |&value| (op.bound(var, value), term.bound(var, value)))
        };
        all = all.iter().flat_map(each).collect();
    }
    if let Op::Alphabetised(..) = op {
        return alphabetised(&all).1;
    }
    let Some((_, last)) = all.pop() else {
        return match op {
            Op::External => Term::Stop,
            _ => Term::Skip,
        };
    };
    if all.is_empty() && *op == Op::Internal {
        // A choice of one is still made by an internal step.
        return Term::Binary(Op::Internal, Rc::new(last.clone()), Rc::new(last));
    }
    let join = |rest, (op, term)| Term::Binary(op, Rc::new(term), Rc::new(rest));
    all.into_iter().rev().fold(last, join)
}

/// The alphabet of a parallel composition of all these processes, and the process.
fn alphabetised(all: &[(Op, Term)]) -> (Set, Term) {
    let Some(((op, first), rest)) = all.split_first() else {
        return (Set::new(), Term::Skip);
    };
    let Op::Alphabetised(own, _) = op else { panic!("another operator") };
    let (others, process) = alphabetised(rest);
    let op = Op::Alphabetised(own.clone(), others.clone());
    let whole = Term::Binary(op, Rc::new(first.clone()), Rc::new(process));
    (own.iter().chain(&others).copied().collect(), whole)
}

/// The steps of a process, each put in a context by `context`.
fn within(
    defs: &Definitions,
    p: &Term,
    mut context: impl FnMut(Label, Rc<Term>) -> Option<(Label, Term)>,
) -> Steps {
    let steps = steps(defs, p).into_iter();
    steps.filter_map(|(label, next)| context(label, Rc::new(next))).collect()
}

/// All steps of a closed term.
pub(super) fn steps(defs: &Definitions, term: &Term) -> Steps {
    let event = |event: &Event| Event::code(*event);
    let of_c = |value: u8| Does(2 + value);
    match term {
        Term::Stop | Term::Omega => Vec::new(),
        Term::Skip => vec![(Tick, Term::Omega)],
        Term::Div => vec![(Tau, Term::Div)],
        Term::Run(set) => set.iter().map(|own| (Does(event(own)), term.clone())).collect(),
        Term::Chaos(set) => {
            let own = set.iter().map(|own| (Does(event(own)), term.clone()));
            own.chain([(Tau, Term::Stop)]).collect()
        }
        Term::Prefix(own, then) => vec![(Does(event(own)), Term::clone(then))],
        Term::Input(var, from, then) => {
            let values = (0..2).filter(|&value| from.is_none_or(|from| from.value() == value));
            values.map(|value| (of_c(value), then.bound(*var, value))).collect()
        }
        Term::Chosen(var, then) => {
            let then = |value| Rc::new(then.bound(*var, value));
            let sends = |value| {
                let num = super::term::Num::Is(value);
                (Tau, Term::Prefix(Event::C(num), then(value)))
            };
            (0..2).map(sends).collect()
        }
        Term::Call(name, argument) => {
            let body = &defs[usize::from(*name)];
            steps(defs, &body.bound(0, argument.value()))
        }
        Term::Loop(name, body) => steps(defs, &body.unfolded(*name, term)),
        Term::Again(_) => panic!("an open term"),
        Term::Binary(op, p, q) => binary(defs, op, p, q),
        Term::Each(op, generators, body) => steps(defs, &expanded(op, generators, body)),
        Term::Hide(p, set) => hide(defs, p, set),
        Term::Project(p, set) => {
            let all = [Event::A, Event::B].into_iter();
            let all = all.chain((0..2).map(|value| Event::C(super::term::Num::Is(value))));
            let hidden: Set = all.filter(|event| !has(set, event.code())).collect();
            hide(defs, p, &hidden)
        }
        Term::Rename(p, pairs) => rename(defs, p, pairs),
        Term::If(cond, p, q) => steps(defs, if cond.holds() { p } else { q }),
        Term::Guard(cond, p) => match cond.holds() {
            true => steps(defs, p),
            false => Vec::new(),
        },
    }
}

fn hide(defs: &Definitions, p: &Term, set: &Set) -> Steps {
    within(defs, p, |label, next| match label {
        Tick => Some((Tick, Term::Omega)),
        Does(code) if has(set, code) => Some((Tau, Term::Hide(next, set.clone()))),
        _ => Some((label, Term::Hide(next, set.clone()))),
    })
}

/// An event has all images that the pairs give it, and is kept if they give it none.
fn rename(defs: &Definitions, p: &Term, pairs: &[(Event, Event)]) -> Steps {
    let mut all = Vec::new();
    for (label, next) in steps(defs, p) {
        let Does(code) = label else {
            let next = match label {
                Tick => Term::Omega,
                _ => Term::Rename(Rc::new(next), pairs.to_vec()),
            };
            all.push((label, next));
            continue;
        };
        let images = pairs.iter().filter(|(from, _)| from.code() == code);
        let mut images: Vec<u8> = images.map(|(_, to)| to.code()).collect();
        if images.is_empty() {
            images.push(code);
        }
        let next = Term::Rename(Rc::new(next), pairs.to_vec());
        all.extend(images.into_iter().map(|code| (Does(code), next.clone())));
    }
    all
}

fn binary(defs: &Definitions, op: &Op, p: &Rc<Term>, q: &Rc<Term>) -> Steps {
    let with = |p: &Rc<Term>, q: &Rc<Term>| Term::Binary(op.clone(), p.clone(), q.clone());
    let becomes = |term: &Rc<Term>| Term::clone(term);
    match op {
        Op::Internal => vec![(Tau, becomes(p)), (Tau, becomes(q))],
        Op::External => {
            let left = within(defs, p, |label, next| match label {
                Tau => Some((Tau, with(&next, q))),
                _ => Some((label, becomes(&next))),
            });
            let right = within(defs, q, |label, next| match label {
                Tau => Some((Tau, with(p, &next))),
                _ => Some((label, becomes(&next))),
            });
            [left, right].concat()
        }
        Op::Sequential => within(defs, p, |label, next| match label {
            Tick => Some((Tau, becomes(q))),
            _ => Some((label, with(&next, q))),
        }),
        Op::Timeout => {
            let mut all = within(defs, p, |label, next| match label {
                Tau => Some((Tau, with(&next, q))),
                _ => Some((label, becomes(&next))),
            });
            all.push((Tau, becomes(q)));
            all
        }
        Op::Interrupt => {
            let left = within(defs, p, |label, next| match label {
                Tick => Some((Tick, Term::Omega)),
                _ => Some((label, with(&next, q))),
            });
            let right = within(defs, q, |label, next| match label {
                Tau => Some((Tau, with(p, &next))),
                _ => Some((label, becomes(&next))),
            });
            [left, right].concat()
        }
        Op::Exception(set) => within(defs, p, |label, next| match label {
            Tick => Some((Tick, Term::Omega)),
            Does(code) if has(set, code) => Some((label, becomes(q))),
            _ => Some((label, with(&next, q))),
        }),
        Op::Interleave => parallel(defs, p, q, &with, &|_| Meet::Alone(true, true)),
        Op::Interface(set) => parallel(defs, p, q, &with, &|code| match has(set, code) {
            true => Meet::Together,
            false => Meet::Alone(true, true),
        }),
        Op::Alphabetised(left, right) => {
            parallel(defs, p, q, &with, &|code| match (has(left, code), has(right, code)) {
                (true, true) => Meet::Together,
                (own, other) => Meet::Alone(own, other),
            })
        }
        Op::Link(from, to) => link(defs, from, to, p, q, &with),
    }
}

/// Who takes part in an event of a parallel composition.
enum Meet {
    Together,
    /// Either side alone, if it may.
    Alone(bool, bool),
}

/// A side that terminates becomes `Ω` by an internal step; the whole terminates when both have.
fn parallel(
    defs: &Definitions,
    p: &Rc<Term>,
    q: &Rc<Term>,
    with: &dyn Fn(&Rc<Term>, &Rc<Term>) -> Term,
    meet: &dyn Fn(u8) -> Meet,
) -> Steps {
    if **p == Term::Omega && **q == Term::Omega {
        return vec![(Tick, Term::Omega)];
    }
    let alone = |label: Label, is_left: bool| match label {
        Tau | Tick => Some(Tau),
        Does(code) => match meet(code) {
            Meet::Alone(left, right) if (is_left && left) || (!is_left && right) => Some(label),
            _ => None,
        },
    };
    let mut all = within(defs, p, |label, next| Some((alone(label, true)?, with(&next, q))));
    all.extend(within(defs, q, |label, next| Some((alone(label, false)?, with(p, &next)))));
    for (label, p) in steps(defs, p) {
        let Does(code) = label else { continue };
        if matches!(meet(code), Meet::Together) {
            let p = Rc::new(p);
            all.extend(within(defs, q, |own, next| (own == label).then(|| (own, with(&p, &next)))));
        }
    }
    all
}

/// `P [from <-> to] Q`: `from` of the left and `to` of the right are one hidden event.
fn link(
    defs: &Definitions,
    from: &Event,
    to: &Event,
    p: &Rc<Term>,
    q: &Rc<Term>,
    with: &dyn Fn(&Rc<Term>, &Rc<Term>) -> Term,
) -> Steps {
    let [from, to] = [from, to].map(|event| Does(event.code()));
    let apart = |_| Meet::Alone(true, true);
    if **p == Term::Omega && **q == Term::Omega {
        return parallel(defs, p, q, with, &apart);
    }
    let ends = |label| if label == Tick { Tau } else { label };
    let mut all =
        within(defs, p, |label, next| (label != from).then(|| (ends(label), with(&next, q))));
    all.extend(within(defs, q, |label, next| (label != to).then(|| (ends(label), with(p, &next)))));
    for (label, p) in steps(defs, p) {
        if label == from {
            let p = Rc::new(p);
            all.extend(within(defs, q, |own, next| (own == to).then(|| (Tau, with(&p, &next)))));
        }
    }
    all
}
