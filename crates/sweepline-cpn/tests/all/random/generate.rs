//! Random nets, generated from a sequence of choices: a shorter sequence of smaller numbers is a simpler net.

use super::net::{Drawn, Net, Place, Transition};
use super::term::{Term, Tokens, Var, boxed};
use super::value::{SETS, Set, Value};

pub(crate) struct Tape<'a> {
    choices: &'a [u16],
    at: usize,
}

/// Nets with more bindings than this are skipped.
const MOST_BINDINGS: usize = 3_000;

impl<'a> Tape<'a> {
    pub(crate) fn new(choices: &'a [u16]) -> Self {
        Tape { choices, at: 0 }
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let choice = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(choice) % bound
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == chances - 1
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    pub(crate) fn net(&mut self) -> Net {
        let timed = self.one_in(2);
        let sets: Vec<Set> = (0..1 + self.below(3)).map(|_| self.of(&SETS)).collect();
        let places: Vec<Place> = (0..2 + self.below(3)).map(|_| self.place(&sets, timed)).collect();
        let mut net = Net { places, transitions: Vec::new() };
        for _ in 0..2 + self.below(3) {
            let mut transition = self.transition(&net.places);
            let bindings = |vars: &[Var]| -> usize {
                vars.iter().map(|(set, _)| set.domain().len()).product()
            };
            if bindings(&transition.variables()) <= MOST_BINDINGS {
                transition.drawn = self.drawn(&net.places, &transition);
                net.transitions.push(transition);
            }
        }
        net
    }

    fn place(&mut self, sets: &[Set], timed: bool) -> Place {
        let set = self.of(sets);
        let timed = timed && self.one_in(2);
        // Few of the possible colours, to keep the state space small.
        let domain: Vec<Value> = set.domain().into_iter().filter(is_small).collect();
        let tokens = [1, 2, 3, 4, 0][self.below(5)];
        let initial =
            (0..tokens).map(|_| (1 + self.below(2) as u64, self.of(&domain), self.below(4) as i64));
        let initial = initial.collect();
        Place { set, timed, initial, fused: self.one_in(4) }
    }

    fn transition(&mut self, places: &[Place]) -> Transition {
        let mut inputs = Vec::new();
        for _ in 0..1 + self.below(2) {
            let place = self.below(places.len());
            inputs.push((place, self.input(&places[place])));
        }
        let bound = variables_of(&inputs);
        let mut guard = Vec::new();
        for _ in 0..[0, 0, 1, 2][self.below(4)] {
            guard.push(self.guard(&bound));
        }
        let mut outputs = Vec::new();
        for _ in 0..[1, 2, 0][self.below(3)] {
            let place = self.below(places.len());
            outputs.push((place, self.output(&places[place], &bound)));
        }
        let some_place = |tape: &mut Self| match tape.one_in(10) {
            true => vec![tape.below(places.len())],
            false => Vec::new(),
        };
        let code = self.one_in(8).then(|| {
            let set = self.of(&[Set::E, Set::S, Set::B]);
            ((set, 4), self.inside(set, &bound))
        });
        if let Some(((set, number), _)) = &code {
            let place = places.iter().position(|place| place.set == *set);
            let token = Tokens::One(Term::Var((*set, *number)), None);
            outputs.extend(place.map(|place| (place, token)));
        }
        Transition {
            inhibitors: some_place(self),
            resets: some_place(self),
            priority: self.one_in(4).then(|| self.of(&[100, 1001, 999])),
            delay: self.one_in(3).then(|| self.delay(&bound)),
            guard,
            inputs,
            outputs,
            code,
            drawn: Drawn::Top { second: false },
        }
    }

    fn drawn(&mut self, places: &[Place], transition: &Transition) -> Drawn {
        if !self.one_in(3) {
            return Drawn::Top { second: self.one_in(2) };
        }
        let instances = (0..1 + self.below(2)).map(|_| {
            let behind = |place: usize| {
                let like = |other: &usize| {
                    let (one, other) = (&places[place], &places[*other]);
                    (one.set, one.timed) == (other.set, other.timed)
                };
                let others: Vec<usize> = (0..places.len()).filter(like).collect();
                (place, if self.one_in(2) { self.of(&others) } else { place })
            };
            transition.places().into_iter().map(behind).collect()
        });
        let instances = instances.collect();
        Drawn::Below { pages: 1 + self.below(2), instances }
    }

    fn count(&mut self) -> Term {
        number(1 + self.below(2) as i64)
    }

    fn delay(&mut self, bound: &[Var]) -> Term {
        let small: Vec<Var> = bound.iter().copied().filter(|(set, _)| *set == Set::S).collect();
        match small.is_empty() || self.one_in(2) {
            true => number(self.below(4) as i64),
            false => Term::Var(self.of(&small)),
        }
    }

    fn input(&mut self, place: &Place) -> Tokens {
        let set = place.set;
        let own = |tape: &mut Self| match set.is_int() {
            true => tape.of(&[set, Set::S, Set::I]),
            false => set,
        };
        let mut vars = vec![(own(self), 1), (own(self), 2)];
        if self.below(3) == 0 {
            vars.truncate(1);
        }
        let mut parts = Vec::new();
        for var in &vars {
            parts.push((self.count(), self.pattern(set, *var)));
        }
        let first = parts[0].1.clone();
        match self.below(if place.timed { 9 } else { 6 }) {
            0 | 1 => Tokens::One(first, None),
            2 | 3 => Tokens::Sum(parts),
            4 => Tokens::If(self.condition(&vars), parts),
            // The number of tokens depends on another variable.
            5 => Tokens::Sum(vec![(Term::Add(boxed(Term::Var((Set::S, 1))), 1), first)]),
            6 => Tokens::One(first, Some(self.delay(&[(Set::S, 1)]))),
            7 => Tokens::DelayedSum(parts, self.delay(&[(Set::S, 1)])),
            _ => {
                let mut timed = Vec::new();
                for (count, term) in parts {
                    timed.push((count, term, self.delay(&[(Set::S, 1)])));
                }
                Tokens::TimedSum(timed)
            }
        }
    }

    /// A pattern for tokens of a set, mostly with variables.
    fn pattern(&mut self, set: Set, var: Var) -> Term {
        let n = var.1;
        let e = |n| Term::Var((Set::E, n));
        let s = |n| Term::Var((Set::S, n));
        let choice = self.below(8);
        match (choice, set) {
            (0..3, _) => Term::Var(var),
            (3, _) => Term::Constant(self.of(&set.domain())),
            (4, Set::P) => Term::Tuple(vec![e(n), Term::Mod(boxed(Term::Add(boxed(s(n)), 1)), 4)]),
            (5, Set::P) => Term::Tuple(vec![Term::Next(boxed(e(1))), s(n)]),
            (_, Set::P) => Term::Tuple(vec![e(n), s(1)]),
            (4, Set::Q) => Term::Tuple(vec![Term::Var((Set::S, n)), Term::Var((Set::B, n))]),
            (_, Set::Q) => Term::Tuple(vec![Term::Var((Set::I, n)), Term::Var((Set::B, 1))]),
            (4, Set::L) => Term::Cons(boxed(e(n)), boxed(Term::List(vec![]))),
            (5, Set::L) => Term::List(vec![e(n), e(1)]),
            (_, Set::L) => Term::Cons(boxed(e(n)), boxed(Term::Var((Set::L, n)))),
            (4, Set::M) => Term::List(vec![s(1), s(n)]),
            (_, Set::M) => Term::Cons(boxed(s(n)), boxed(Term::Var((Set::M, n)))),
            (4, Set::N) => Term::Union(boxed(Term::Mod(boxed(s(n)), 2))),
            (_, Set::N) => Term::Union(boxed(s(n))),
            (4, Set::E) => Term::Next(boxed(e(1))),
            (4, _) if set.is_int() => Term::Mod(boxed(s(1)), 3),
            _ => Term::Var(var),
        }
    }

    fn condition(&mut self, bound: &[Var]) -> Term {
        let set = match bound {
            [] => Set::S,
            vars => self.of(vars).0,
        };
        let (a, b) = (self.inside(set, bound), self.inside(set, bound));
        let test = match set.is_int() && self.one_in(2) {
            true => Term::Less(boxed(a), boxed(b)),
            false => Term::Equal(boxed(a), boxed(b)),
        };
        if self.one_in(2) { Term::Not(boxed(test)) } else { test }
    }

    fn guard(&mut self, bound: &[Var]) -> Term {
        let test = self.condition(bound);
        match self.below(4) {
            // A variable that only this arc binds, or that is enumerated.
            0 => {
                let set = self.of(&[Set::S, Set::E, Set::I, Set::D]);
                Term::Equal(boxed(Term::Var((set, 3))), boxed(self.inside(set, bound)))
            }
            1 => {
                let (a, b) = (Term::Var((Set::S, 3)), self.inside(Set::S, bound));
                Term::Less(boxed(a), boxed(b))
            }
            2 => Term::Both(boxed(test), boxed(self.condition(bound))),
            _ => test,
        }
    }

    fn output(&mut self, place: &Place, bound: &[Var]) -> Tokens {
        let colour = self.produced(place.set, bound);
        let count = match self.below(6) {
            0 => number(-1),
            1 => number(0),
            2 => number(2),
            _ => number(1),
        };
        let parts = vec![(count.clone(), colour.clone())];
        match self.below(if place.timed { 8 } else { 5 }) {
            0..3 => Tokens::One(colour, None),
            3 => Tokens::Sum(parts),
            4 => Tokens::If(self.condition(bound), parts),
            5 => Tokens::One(colour, Some(self.delay(bound))),
            6 => {
                let more = (self.count(), self.produced(place.set, bound));
                Tokens::DelayedSum(vec![parts[0].clone(), more], self.delay(bound))
            }
            _ => Tokens::TimedSum(vec![(count, colour, self.delay(bound))]),
        }
    }

    /// A colour to add to a place, sometimes one that is not in its colour set.
    fn produced(&mut self, set: Set, bound: &[Var]) -> Term {
        if set.is_int() && self.one_in(6) {
            return Term::Add(boxed(self.inside(Set::S, bound)), -1);
        }
        if self.one_in(10) {
            return Term::Var((set, 3));
        }
        self.inside(set, bound)
    }

    /// A colour of a set, mostly from bound variables.
    fn inside(&mut self, set: Set, bound: &[Var]) -> Term {
        let own: Vec<Var> = bound.iter().copied().filter(|(other, _)| *other == set).collect();
        if !own.is_empty() && self.below(3) > 0 {
            return Term::Var(self.of(&own));
        }
        let pick = |of: Set| bound.iter().copied().find(|(other, _)| *other == of);
        match (set, self.below(3)) {
            (Set::E, 0) if pick(Set::P).is_some() => {
                Term::First(boxed(Term::Var(pick(Set::P).unwrap())))
            }
            (Set::E, 1) => Term::Next(boxed(self.inside_simple(Set::E, bound))),
            (Set::S | Set::I | Set::R, 0) => {
                let of = self.of(&[Set::S, Set::I, Set::R, Set::D]);
                let sum = Term::Add(boxed(self.inside_simple(of, bound)), 1);
                Term::Mod(boxed(sum), 4)
            }
            (Set::S, 1) if pick(Set::L).is_some() => {
                Term::Length(boxed(Term::Var(pick(Set::L).unwrap())))
            }
            (Set::S, 1) if pick(Set::P).is_some() => {
                Term::Second(boxed(Term::Var(pick(Set::P).unwrap())))
            }
            (Set::P, _) => Term::Tuple(vec![
                self.inside_simple(Set::E, bound),
                self.inside_simple(Set::S, bound),
            ]),
            (Set::Q, _) => Term::Tuple(vec![
                self.inside_simple(Set::S, bound),
                self.inside_simple(Set::B, bound),
            ]),
            (Set::L, 0) => {
                let list = self.inside_simple(Set::L, bound);
                let short = Term::Less(boxed(Term::Length(boxed(list.clone()))), boxed(number(2)));
                let longer = Term::Cons(boxed(self.inside_simple(Set::E, bound)), boxed(list));
                Term::If(boxed(short), boxed(longer), boxed(Term::List(vec![])))
            }
            (Set::M, 0) => Term::List(vec![self.inside_simple(Set::S, bound)]),
            (Set::N, 0) => Term::Union(boxed(self.inside_simple(Set::S, bound))),
            (Set::B, 0) => self.condition_simple(bound),
            _ => self.inside_simple(set, bound),
        }
    }

    fn inside_simple(&mut self, set: Set, bound: &[Var]) -> Term {
        let own: Vec<Var> = bound.iter().copied().filter(|(other, _)| *other == set).collect();
        match own.is_empty() {
            true => {
                let few: Vec<Value> = set.domain().into_iter().filter(is_small).collect();
                Term::Constant(self.of(&few))
            }
            false => Term::Var(self.of(&own)),
        }
    }

    fn condition_simple(&mut self, bound: &[Var]) -> Term {
        let (a, b) = (self.inside_simple(Set::S, bound), self.inside_simple(Set::S, bound));
        Term::Less(boxed(a), boxed(b))
    }
}

fn number(n: i64) -> Term {
    Term::Constant(Value::Int(n))
}

fn is_small(value: &Value) -> bool {
    match value {
        Value::Int(n) => (0..=3).contains(n),
        Value::Tuple(parts) => parts.iter().all(is_small),
        _ => true,
    }
}

fn variables_of(arcs: &[(usize, Tokens)]) -> Vec<Var> {
    let mut found = Default::default();
    arcs.iter().for_each(|(_, tokens)| tokens.variables(&mut found));
    found.into_iter().collect()
}
