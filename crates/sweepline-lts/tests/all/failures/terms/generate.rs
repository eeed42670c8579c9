//! Random scripts from sequences of numbers. A sequence of zeros gives the smallest script, so that failing cases shrink.
//!
//! All processes have finitely many states: a process refers to itself only where the operators around it are gone, and a
//! definition refers to later ones everywhere.

use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::term::{Cond, Event, Generator, Num, Op, Set, Term};
use super::text::{Printer, has_parameter, set_text};

/// The definitions of a script.
const N_DEFINITIONS: u8 = 3;

/// The nesting of operators in a process.
const DEPTH: u32 = 3;

/// A script with the processes `P`, `Q` and `R` and the sets `A` and `B`.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) definitions: Vec<Rc<Term>>,
    pub(super) processes: [Rc<Term>; 3],
    pub(super) sets: [Set; 2],
    is_sparse: bool,
}

impl Case {
    pub(super) fn text(&self) -> String {
        let printer = Printer { is_sparse: self.is_sparse };
        let mut text = "channel a, b\nchannel c : {0, 1}\n".to_owned();
        for (name, body) in (0..N_DEFINITIONS).zip(&self.definitions) {
            let parameter = if has_parameter(name) { "(x0)" } else { "" };
            text += &format!("D{name}{parameter} = {}\n", printer.term(body));
        }
        for (name, process) in ["P", "Q", "R"].iter().zip(&self.processes) {
            text += &format!("{name} = {}\n", printer.term(process));
        }
        for (name, set) in ["A", "B"].iter().zip(&self.sets) {
            text += &format!("{name} = {}\n", set_text(set));
        }
        text
    }
}

/// Where a process may refer to itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    Never,
    /// After an event, which removes the operator around it.
    AfterEvent,
    /// After any step.
    AfterStep,
    Here,
}

impl Own {
    /// In an operand that an internal step leaves where it is.
    fn in_choice(self) -> Own {
        if self == Own::Never { self } else { Own::AfterEvent }
    }

    /// Behind an internal step that removes the operator.
    fn behind_step(self) -> Own {
        if self == Own::AfterStep { Own::Here } else { self }
    }

    fn behind_event(self) -> Own {
        if self == Own::Never { self } else { Own::Here }
    }
}

/// What a term may refer to.
#[derive(Clone)]
struct Scope {
    /// Variables that have values.
    vars: Vec<u8>,
    /// The number of variables and loops around it, for the names of the next ones.
    n_names: u8,
    /// The definition that it belongs to, and where it may refer to this.
    own: (u8, Own),
    /// The same for each `let` around it.
    loops: Vec<(u8, Own)>,
    /// The first definition that it may always refer to.
    later: u8,
}

impl Scope {
    fn map(&self, f: impl Fn(Own) -> Own) -> Scope {
        let loops = self.loops.iter().map(|&(name, own)| (name, f(own))).collect();
        Scope { own: (self.own.0, f(self.own.1)), loops, ..self.clone() }
    }

    fn never(&self) -> Scope {
        self.map(|_| Own::Never)
    }

    /// With one more variable.
    fn with_var(&self) -> (u8, Scope) {
        let (mut inner, name) = (self.clone(), self.n_names);
        inner.vars.push(name);
        inner.n_names += 1;
        (name, inner)
    }
}

struct Choices<'a> {
    numbers: std::slice::Iter<'a, u16>,
}

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.numbers.next().map_or(0, |&number| usize::from(number) % n)
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn num(&mut self, scope: &Scope) -> Num {
        match self.below(if scope.vars.is_empty() { 2 } else { 6 }) {
            value @ (0 | 1) => Num::Is(value as u8),
            2 => Num::Flipped(self.one_of(&scope.vars)),
            _ => Num::Var(self.one_of(&scope.vars)),
        }
    }

    fn event(&mut self, scope: &Scope) -> Event {
        match self.below(4) {
            0 => Event::A,
            1 => Event::B,
            _ => Event::C(self.num(scope)),
        }
    }

    fn set(&mut self, scope: &Scope) -> Set {
        match self.below(5) {
            0 => vec![Event::A],
            1 => vec![Event::C(Num::Is(0)), Event::C(Num::Is(1))],
            2 => Set::new(),
            3 => vec![Event::A, Event::B, Event::C(self.num(scope))],
            _ => (0..2).map(|_| self.event(scope)).collect(),
        }
    }

    fn cond(&mut self, scope: &Scope) -> Cond {
        let [x, y] = [self.num(scope), self.num(scope)];
        if self.below(2) == 0 { Cond::Equal(x, y) } else { Cond::Unequal(x, y) }
    }

    fn leaf(&mut self, scope: &Scope) -> Term {
        let mut all = vec![Term::Stop, Term::Skip];
        for name in scope.later..N_DEFINITIONS {
            all.push(Term::Call(name, self.num(scope)));
        }
        if scope.own.1 == Own::Here {
            all.push(Term::Call(scope.own.0, self.num(scope)));
            all.push(Term::Call(scope.own.0, self.num(scope)));
        }
        for &(name, own) in &scope.loops {
            if own == Own::Here {
                all.extend([Term::Again(name), Term::Again(name)]);
            }
        }
        match self.below(12) {
            0 => Term::Div,
            1 => Term::Run(self.set(scope)),
            2 => Term::Chaos(self.set(scope)),
            _ => self.one_of(&all),
        }
    }

    fn part(&mut self, depth: u32, scope: &Scope) -> Rc<Term> {
        Rc::new(self.term(depth - 1, scope))
    }

    fn term(&mut self, depth: u32, scope: &Scope) -> Term {
        if depth == 0 {
            return self.leaf(scope);
        }
        match self.below(12) {
            0 => self.leaf(scope),
            1..4 => self.prefix(depth, scope),
            4..9 => self.binary(depth, scope),
            9 => self.each(depth, scope),
            10 => self.unary(depth, scope),
            _ => {
                let name = scope.n_names;
                let mut inner = scope.clone();
                inner.n_names += 1;
                inner.loops.push((name, Own::AfterStep));
                Term::Loop(name, self.part(depth, &inner))
            }
        }
    }

    fn prefix(&mut self, depth: u32, scope: &Scope) -> Term {
        let then = scope.map(Own::behind_event);
        match self.below(6) {
            0..3 => Term::Prefix(self.event(scope), self.part(depth, &then)),
            3 | 4 => {
                let from = if self.below(3) == 0 { Some(self.num(scope)) } else { None };
                let (var, inner) = then.with_var();
                Term::Input(var, from, self.part(depth, &inner))
            }
            _ => {
                let (var, inner) = then.with_var();
                Term::Chosen(var, self.part(depth, &inner))
            }
        }
    }

    fn binary(&mut self, depth: u32, scope: &Scope) -> Term {
        let op = match self.below(14) {
            0..2 => Op::External,
            2..4 => Op::Internal,
            4 => Op::Sequential,
            5 => Op::Timeout,
            6 => Op::Interrupt,
            7 => Op::Interleave,
            8 | 9 => Op::Interface(self.set(scope)),
            10 => Op::Alphabetised(self.set(scope), self.set(scope)),
            11 => Op::Exception(self.set(scope)),
            12 => Op::Link(self.event(scope), self.event(scope)),
            _ => {
                let cond = self.cond(scope);
                return Term::If(cond, self.part(depth, scope), self.part(depth, scope));
            }
        };
        let [left, right]: [fn(Own) -> Own; 2] = match op {
            Op::External => [Own::in_choice; 2],
            Op::Internal => [Own::behind_step; 2],
            Op::Timeout => [Own::in_choice, Own::behind_step],
            Op::Sequential => [|_| Own::Never, Own::behind_step],
            Op::Interrupt => [|_| Own::Never, Own::in_choice],
            Op::Exception(_) => [|_| Own::Never, Own::behind_event],
            _ => [|_| Own::Never; 2],
        };
        Term::Binary(op, self.part(depth, &scope.map(left)), self.part(depth, &scope.map(right)))
    }

    fn each(&mut self, depth: u32, scope: &Scope) -> Term {
        let values: [&'static [u8]; 4] = [&[0, 1], &[1], &[0, 1], &[0]];
        let mut inner = scope.clone();
        let mut over: Vec<Generator> = Vec::new();
        for _ in 0..if self.below(4) == 0 { 2 } else { 1 } {
            let (var, more) = inner.with_var();
            inner = more;
            over.push((var, self.one_of(&values)));
        }
        let op = match self.below(6) {
            0 => Op::External,
            1 => Op::Internal,
            2 => Op::Sequential,
            3 => Op::Interleave,
            4 => Op::Interface(self.set(scope)),
            _ => Op::Alphabetised(self.set(&inner), Set::new()),
        };
        if op != Op::Internal && self.below(8) == 0 {
            over[0].1 = &[];
        }
        if op == Op::Sequential && self.below(3) == 0 {
            over[0].1 = &[1, 0, 1];
        }
        let inner = match op {
            Op::External => inner.map(Own::in_choice),
            Op::Internal => inner.map(Own::behind_step),
            _ => inner.never(),
        };
        // Several copies, so less depth.
        Term::Each(op, over, self.part(depth.min(2), &inner))
    }

    fn unary(&mut self, depth: u32, scope: &Scope) -> Term {
        let inside = scope.never();
        match self.below(4) {
            0 => Term::Hide(self.part(depth, &inside), self.set(scope)),
            1 => Term::Project(self.part(depth, &inside), self.set(scope)),
            2 => {
                let pairs = (0..1 + self.below(3)).map(|_| (self.event(scope), self.event(scope)));
                let pairs = pairs.collect();
                Term::Rename(self.part(depth, &inside), pairs)
            }
            _ => Term::Guard(self.cond(scope), self.part(depth, scope)),
        }
    }
}

/// Random numbers, and the script that they give.
pub(super) fn case_of(numbers: &[u16]) -> Case {
    let mut choices = Choices { numbers: numbers.iter() };
    let is_sparse = choices.below(2) == 1;
    let scope = |name: u8, own: Own, later: u8| Scope {
        vars: if name < N_DEFINITIONS && has_parameter(name) { vec![0] } else { Vec::new() },
        n_names: 1,
        own: (name, own),
        loops: Vec::new(),
        later,
    };
    let outside = scope(N_DEFINITIONS, Own::Never, 0);
    // The processes first: they matter most when a case shrinks.
    let mut processes = [(); 3].map(|()| Rc::new(choices.term(DEPTH, &outside)));
    match choices.below(6) {
        // Related processes, so that more refinements hold.
        0 => processes[0] = related(Op::Internal, &processes[0], &processes[1]),
        1 => processes[1] = related(Op::External, &processes[0], &processes[1]),
        2 => processes[1] = Rc::new(similar(&mut choices, numbers, &outside)),
        _ => {}
    }
    let sets = [choices.set(&outside), choices.set(&outside)];
    let definition = |name| Rc::new(choices.term(DEPTH, &scope(name, Own::AfterStep, name + 1)));
    Case { definitions: (0..N_DEFINITIONS).map(definition).collect(), processes, sets, is_sparse }
}

fn related(op: Op, p: &Rc<Term>, q: &Rc<Term>) -> Rc<Term> {
    Rc::new(Term::Binary(op, p.clone(), q.clone()))
}

/// A term from the same numbers as the first one, but for one of them.
fn similar(choices: &mut Choices<'_>, numbers: &[u16], scope: &Scope) -> Term {
    let mut numbers = numbers.get(1..).unwrap_or_default().to_vec();
    let n = numbers.len().clamp(1, 20);
    let (at, value) = (choices.below(n), choices.below(12) as u16);
    if let Some(number) = numbers.get_mut(at) {
        *number = value;
    }
    Choices { numbers: numbers.iter() }.term(DEPTH, scope)
}

pub(super) fn numbers() -> impl Strategy<Value = Vec<u16>> {
    vec(any::<u16>(), 0..120)
}
