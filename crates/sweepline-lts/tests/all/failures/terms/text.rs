//! Terms as CSPm, with all parentheses, or only those that the precedences of FDR's manual make necessary.

use super::term::{Cond, Event, Generator, Num, Op, Set, Term};

/// The precedence of prefixes and guards.
const PREFIX: u8 = 10;
/// The precedence of what needs no parentheses anywhere.
const ATOM: u8 = 20;

impl Num {
    fn text(self) -> String {
        match self {
            Num::Is(value) => value.to_string(),
            Num::Var(var) => format!("x{var}"),
            Num::Flipped(var) => format!("(1 - x{var})"),
        }
    }
}

impl Event {
    fn text(self) -> String {
        match self {
            Event::A => "a".to_owned(),
            Event::B => "b".to_owned(),
            Event::C(num) => format!("c.{}", num.text()),
        }
    }
}

impl Cond {
    fn text(self) -> String {
        match self {
            Cond::Equal(x, y) => format!("{} == {}", x.text(), y.text()),
            Cond::Unequal(x, y) => format!("{} != {}", x.text(), y.text()),
        }
    }
}

pub(super) fn set_text(set: &Set) -> String {
    // All of a channel, as scripts usually write it.
    let both = [Event::C(Num::Is(0)), Event::C(Num::Is(1))];
    if set.as_slice() == both {
        return "{|c|}".to_owned();
    }
    let events: Vec<_> = set.iter().map(|event| event.text()).collect();
    format!("{{{}}}", events.join(", "))
}

impl Op {
    /// The precedence and the text of the operator.
    fn text(&self) -> (u8, String) {
        match self {
            Op::Sequential => (9, ";".to_owned()),
            Op::Timeout => (8, "[>".to_owned()),
            Op::Interrupt => (7, "/\\".to_owned()),
            Op::External => (6, "[]".to_owned()),
            Op::Internal => (5, "|~|".to_owned()),
            Op::Interface(set) => (4, format!("[|{}|]", set_text(set))),
            Op::Alphabetised(left, right) => {
                (4, format!("[{}||{}]", set_text(left), set_text(right)))
            }
            Op::Exception(set) => (4, format!("[|{}|>", set_text(set))),
            Op::Link(from, to) => (4, format!("[{} <-> {}]", from.text(), to.text())),
            Op::Interleave => (3, "|||".to_owned()),
        }
    }
}

fn over(generators: &[Generator], brackets: [&str; 2]) -> String {
    let one = |(var, values): &Generator| {
        let values: Vec<_> = values.iter().map(u8::to_string).collect();
        format!("x{var} : {}{}{}", brackets[0], values.join(", "), brackets[1])
    };
    generators.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Prints terms.
#[derive(Clone, Copy)]
pub(super) struct Printer {
    /// Only the necessary parentheses.
    pub(super) is_sparse: bool,
}

impl Printer {
    pub(super) fn term(self, term: &Term) -> String {
        self.at_least(0, term)
    }

    /// The text of a part of an operator that binds as tightly as `least`.
    fn at_least(self, least: u8, term: &Term) -> String {
        let (strength, text) = self.own(term);
        let is_clear = strength == ATOM || (self.is_sparse && strength >= least) || least == 0;
        if is_clear { text } else { format!("({text})") }
    }

    fn own(self, term: &Term) -> (u8, String) {
        match term {
            Term::Stop => (ATOM, "STOP".to_owned()),
            Term::Skip => (ATOM, "SKIP".to_owned()),
            Term::Omega => panic!("no script has this term"),
            Term::Div => (ATOM, "DIV".to_owned()),
            Term::Run(set) => (ATOM, format!("RUN({})", set_text(set))),
            Term::Chaos(set) => (ATOM, format!("CHAOS({})", set_text(set))),
            Term::Prefix(event, then) => {
                let event = match event {
                    Event::C(num @ Num::Var(_)) => format!("c!{}", num.text()),
                    other => other.text(),
                };
                (PREFIX, format!("{event} -> {}", self.at_least(PREFIX, then)))
            }
            Term::Input(var, from, then) => {
                let from = from.map(|num| format!(":{{{}}}", num.text())).unwrap_or_default();
                (PREFIX, format!("c?x{var}{from} -> {}", self.at_least(PREFIX, then)))
            }
            Term::Chosen(var, then) => {
                (PREFIX, format!("c$x{var} -> {}", self.at_least(PREFIX, then)))
            }
            Term::Call(name, argument) if has_parameter(*name) => {
                (ATOM, format!("D{name}({})", argument.text()))
            }
            Term::Call(name, _) => (ATOM, format!("D{name}")),
            Term::Loop(name, body) => {
                (0, format!("let L{name} = {} within L{name}", self.term(body)))
            }
            Term::Again(name) => (ATOM, format!("L{name}")),
            Term::Binary(op, p, q) => {
                let (strength, sign) = op.text();
                let [p, q] = [self.at_least(strength, p), self.at_least(strength + 1, q)];
                (strength, format!("{p} {sign} {q}"))
            }
            Term::Each(op, generators, body) => (1, self.each(op, generators, body)),
            Term::Hide(p, set) => (2, format!("{} \\ {}", self.at_least(2, p), set_text(set))),
            Term::Project(p, set) => (2, format!("{} |\\ {}", self.at_least(2, p), set_text(set))),
            Term::Rename(p, pairs) => {
                let pair =
                    |(from, to): &(Event, Event)| format!("{} <- {}", from.text(), to.text());
                let pairs: Vec<_> = pairs.iter().map(pair).collect();
                (ATOM, format!("{}[[{}]]", self.at_least(ATOM, p), pairs.join(", ")))
            }
            Term::If(cond, p, q) => {
                (0, format!("if {} then {} else {}", cond.text(), self.term(p), self.term(q)))
            }
            Term::Guard(cond, p) => {
                (PREFIX, format!("{} & {}", cond.text(), self.at_least(PREFIX, p)))
            }
        }
    }

    fn each(self, op: &Op, generators: &[Generator], body: &Term) -> String {
        let body = self.at_least(1, body);
        let sets = over(generators, ["{", "}"]);
        match op {
            Op::Sequential => format!("; {} @ {body}", over(generators, ["<", ">"])),
            Op::Alphabetised(own, _) => format!("|| {sets} @ [{}] {body}", set_text(own)),
            other => format!("{} {sets} @ {body}", other.text().1),
        }
    }
}

/// Some definitions have the parameter `x0`, others are constants.
pub(super) fn has_parameter(name: u8) -> bool {
    name != 1
}
