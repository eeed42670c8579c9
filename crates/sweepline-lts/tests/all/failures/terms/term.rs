//! Process terms, as the rules need them. They share nothing with the terms of the reader.

use std::rc::Rc;

/// A number in a script: 0, 1, a variable or `1 - x`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Num {
    Is(u8),
    Var(u8),
    Flipped(u8),
}

impl Num {
    pub(super) fn bound(self, var: u8, value: u8) -> Num {
        match self {
            Num::Var(own) if own == var => Num::Is(value),
            Num::Flipped(own) if own == var => Num::Is(1 - value),
            other => other,
        }
    }

    pub(super) fn value(self) -> u8 {
        match self {
            Num::Is(value) => value,
            other => panic!("{other:?} is not bound"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Event {
    A,
    B,
    C(Num),
}

impl Event {
    /// The number of the event: `a`, `b`, `c.0`, `c.1`.
    pub(super) fn code(self) -> u8 {
        match self {
            Event::A => 0,
            Event::B => 1,
            Event::C(num) => 2 + num.value(),
        }
    }

    fn map(self, num: &dyn Fn(Num) -> Num) -> Event {
        match self {
            Event::C(own) => Event::C(num(own)),
            other => other,
        }
    }
}

pub(super) type Set = Vec<Event>;

/// An operator on two processes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Op {
    External,
    Internal,
    Sequential,
    Timeout,
    Interrupt,
    Interleave,
    Interface(Set),
    Alphabetised(Set, Set),
    Exception(Set),
    /// `[a <-> b]`, with one pair.
    Link(Event, Event),
}

/// `x : {0, 1}` in front of a replicated operator: the variable and its values.
pub(super) type Generator = (u8, &'static [u8]);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cond {
    Equal(Num, Num),
    Unequal(Num, Num),
}

impl Cond {
    pub(super) fn holds(self) -> bool {
        match self {
            Cond::Equal(x, y) => x.value() == y.value(),
            Cond::Unequal(x, y) => x.value() != y.value(),
        }
    }

    fn map(self, num: &dyn Fn(Num) -> Num) -> Cond {
        match self {
            Cond::Equal(x, y) => Cond::Equal(num(x), num(y)),
            Cond::Unequal(x, y) => Cond::Unequal(num(x), num(y)),
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Term {
    Stop,
    Skip,
    /// What is left of a process after `✓`.
    Omega,
    Div,
    Run(Set),
    Chaos(Set),
    Prefix(Event, Rc<Term>),
    /// `c?x:S -> P`; all values without `S`.
    Input(u8, Option<Num>, Rc<Term>),
    /// `c$x -> P`.
    Chosen(u8, Rc<Term>),
    /// A definition of the script.
    Call(u8, Num),
    /// `let L = P within L`, by the number of `L`.
    Loop(u8, Rc<Term>),
    Again(u8),
    Binary(Op, Rc<Term>, Rc<Term>),
    /// A replicated operator.
    Each(Op, Vec<Generator>, Rc<Term>),
    Hide(Rc<Term>, Set),
    Project(Rc<Term>, Set),
    Rename(Rc<Term>, Vec<(Event, Event)>),
    If(Cond, Rc<Term>, Rc<Term>),
    Guard(Cond, Rc<Term>),
}

impl Op {
    fn map(&self, num: &dyn Fn(Num) -> Num) -> Op {
        let set = |set: &Set| set.iter().map(|event| event.map(num)).collect();
        match self {
            Op::Interface(events) => Op::Interface(set(events)),
            Op::Alphabetised(left, right) => Op::Alphabetised(set(left), set(right)),
            Op::Exception(events) => Op::Exception(set(events)),
            Op::Link(from, to) => Op::Link(from.map(num), to.map(num)),
            other => other.clone(),
        }
    }

    pub(super) fn bound(&self, var: u8, value: u8) -> Op {
        self.map(&|num| num.bound(var, value))
    }
}

impl Term {
    /// The same term with other parts and other numbers.
    fn map(&self, part: &dyn Fn(&Term) -> Term, num: &dyn Fn(Num) -> Num) -> Term {
        let part = |term: &Rc<Term>| Rc::new(part(term));
        let set = |set: &Set| set.iter().map(|event| event.map(num)).collect();
        match self {
            Term::Stop | Term::Skip | Term::Omega | Term::Div | Term::Again(_) => self.clone(),
            Term::Run(events) => Term::Run(set(events)),
            Term::Chaos(events) => Term::Chaos(set(events)),
            Term::Prefix(event, then) => Term::Prefix(event.map(num), part(then)),
            Term::Input(var, from, then) => Term::Input(*var, from.map(num), part(then)),
            Term::Chosen(var, then) => Term::Chosen(*var, part(then)),
            Term::Call(name, argument) => Term::Call(*name, num(*argument)),
            Term::Loop(name, body) => Term::Loop(*name, part(body)),
            Term::Binary(op, p, q) => Term::Binary(op.map(num), part(p), part(q)),
            Term::Each(op, over, body) => Term::Each(op.map(num), over.clone(), part(body)),
            Term::Hide(p, events) => Term::Hide(part(p), set(events)),
            Term::Project(p, events) => Term::Project(part(p), set(events)),
            Term::Rename(p, pairs) => {
                let pairs = pairs.iter().map(|(from, to)| (from.map(num), to.map(num)));
                Term::Rename(part(p), pairs.collect())
            }
            Term::If(cond, p, q) => Term::If(cond.map(num), part(p), part(q)),
            Term::Guard(cond, p) => Term::Guard(cond.map(num), part(p)),
        }
    }

    /// The term with a value for a variable. A recursion may be inside of the binder of a variable that it binds itself.
    pub(super) fn bound(&self, var: u8, value: u8) -> Term {
        let is_hidden = match self {
            Term::Input(own, ..) | Term::Chosen(own, _) => *own == var,
            Term::Each(_, over, _) => over.iter().any(|(own, _)| *own == var),
            _ => false,
        };
        match is_hidden {
            true => self.clone(),
            false => self.map(&|part| part.bound(var, value), &|num| num.bound(var, value)),
        }
    }

    /// The body of `let L = P within L`, with the whole term for `L`.
    pub(super) fn unfolded(&self, name: u8, whole: &Term) -> Term {
        match self {
            Term::Again(own) if *own == name => whole.clone(),
            Term::Loop(own, _) if *own == name => self.clone(),
            other => other.map(&|part| part.unfolded(name, whole), &|num| num),
        }
    }
}
