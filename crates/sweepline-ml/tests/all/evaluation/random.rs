//! Random well-typed expressions: the machine and the reference evaluator must agree on them.
//!
//! A sequence of bytes makes the choices, so that shrinking the sequence shrinks the expression.

use std::sync::OnceLock;

use proptest::prelude::*;
use sweepline_ml::Environment;

use super::compare::agree_on;

const DECLARATIONS: &str = "
    datatype d = A | B of int | C of int * int list | D of d option | E of {n : int, inner : d}
    datatype w = W of int * bool
    exception X of int exception Y of d
    fun twice f x = f (f x)
    fun count A = 0 | count (B n) = n | count (C (n, l)) = n + length l
      | count (D NONE) = 1 | count (D (SOME d)) = 1 + count d | count (E {n, inner}) = n - count inner
    fun step (n, 0) = n | step (n, k) = step (n + k, k - 1)";

/// The types of generated expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ty {
    Int,
    Bool,
    List,
    Pair,
    Option,
    Data,
    Wrap,
    Text,
    Function,
    Large,
}

const ALL: [Ty; 10] = [
    Ty::Int,
    Ty::Bool,
    Ty::List,
    Ty::Pair,
    Ty::Option,
    Ty::Data,
    Ty::Wrap,
    Ty::Text,
    Ty::Function,
    Ty::Large,
];

struct Writer<'t> {
    tape: std::slice::Iter<'t, u8>,
    vars: Vec<(String, Ty)>,
    names: usize,
}

impl Writer<'_> {
    fn choose(&mut self, among: usize) -> usize {
        self.tape.next().map_or(0, |byte| usize::from(*byte) % among)
    }

    fn any(&mut self) -> Ty {
        ALL[self.choose(ALL.len())]
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// With more variables in scope.
    fn with(&mut self, vars: &[(&str, Ty)], ty: Ty, depth: usize) -> String {
        let mark = self.vars.len();
        self.vars.extend(vars.iter().map(|(name, ty)| ((*name).to_owned(), *ty)));
        let text = self.expr(ty, depth);
        self.vars.truncate(mark);
        text
    }

    fn leaf(&mut self, ty: Ty) -> String {
        let known: Vec<String> =
            self.vars.iter().filter(|(_, of)| *of == ty).map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && self.choose(4) > 0 {
            return known[self.choose(known.len())].clone();
        }
        let numbers = ["0", "1", "2", "~1", "3", "17", "40000", "1073741823", "~1073741823"];
        match ty {
            Ty::Int => numbers[self.choose(numbers.len())].to_owned(),
            Ty::Bool => ["true", "false"][self.choose(2)].to_owned(),
            Ty::List => ["nil", "[1]", "[3, 2, 1]", "[0, 0]"][self.choose(4)].to_owned(),
            Ty::Pair => ["(1, nil)", "(2, [5])"][self.choose(2)].to_owned(),
            Ty::Option => ["NONE", "SOME 3"][self.choose(2)].to_owned(),
            Ty::Data => {
                let values = ["A", "B 3", "C (1, [2])", "D NONE", "E {inner = A, n = 4}"];
                values[self.choose(values.len())].to_owned()
            }
            Ty::Wrap => ["W (1, true)", "W (0, false)"][self.choose(2)].to_owned(),
            Ty::Text => ["\"\"", "\"a\"", "\"longer than a word\""][self.choose(3)].to_owned(),
            Ty::Function => {
                ["(fn x => x + 1)", "(twice (fn x => x * 3))"][self.choose(2)].to_owned()
            }
            Ty::Large => ["0", "~5", "4611686018427387903", "99999999999999999999"][self.choose(4)]
                .to_owned(),
        }
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 {
            return format!("({} : {})", self.leaf(ty), name(ty));
        }
        let d = depth - 1;
        match self.choose(10) {
            0 => format!("({} : {})", self.leaf(ty), name(ty)),
            1 => {
                let (c, a, b) = (self.expr(Ty::Bool, d), self.expr(ty, d), self.expr(ty, d));
                format!("(if {c} then {a} else {b})")
            }
            2 => {
                let (of, var) = (self.any(), self.fresh());
                let value = self.expr(of, d);
                let body = self.with(&[(&var, of)], ty, d);
                format!("(let val {var} : {} = {value} in {body} end)", name(of))
            }
            3 => self.matching(ty, d),
            4 => self.handling(ty, d),
            5 => self.local_function(ty, d),
            _ => self.own(ty, d),
        }
    }

    fn matching(&mut self, ty: Ty, d: usize) -> String {
        let [a, b] = [self.fresh(), self.fresh()];
        match self.choose(4) {
            0 => {
                let list = self.expr(Ty::List, d);
                let two = self.with(&[(&a, Ty::Int), (&b, Ty::List)], ty, d);
                let (one, none) = (self.expr(ty, d), self.expr(ty, d));
                format!("(case {list} of 3 :: _ => {one} | {a} :: {b} => {two} | nil => {none})")
            }
            1 => {
                let data = self.expr(Ty::Data, d);
                let first = self.with(&[(&a, Ty::Int)], ty, d);
                let second = self.with(&[(&a, Ty::Int), (&b, Ty::List)], ty, d);
                let third = self.with(&[(&b, Ty::Data)], ty, d);
                let rest = self.expr(ty, d);
                format!(
                    "(case {data} of B {a} => {first} | C ({a}, {b}) => {second} \
                     | D (SOME {b}) => {third} | E {{inner = {b}, ...}} => {third} | _ => {rest})"
                )
            }
            2 => {
                let (x, y) = (self.expr(Ty::Int, d), self.expr(Ty::Option, d));
                let first = self.with(&[(&a, Ty::Int)], ty, d);
                let rest = self.expr(ty, d);
                format!(
                    "(case ({x}, {y}) of (0, _) => {rest} | (_, SOME {a}) => {first} | (1, NONE) => {rest})"
                )
            }
            _ => {
                let pair = self.expr(Ty::Pair, d);
                let body = self.with(&[(&a, Ty::Int), (&b, Ty::List)], ty, d);
                format!("(let val ({a}, {b} as 1 :: _) = {pair} in {body} end)")
            }
        }
    }

    fn handling(&mut self, ty: Ty, d: usize) -> String {
        let [a, b] = [self.fresh(), self.fresh()];
        let body = match self.choose(3) {
            0 => {
                let content = self.expr(Ty::Int, d);
                format!("raise X {content}")
            }
            1 => {
                let content = self.expr(Ty::Data, d);
                format!("raise Y {content}")
            }
            _ => self.expr(ty, d),
        };
        let x = self.with(&[(&a, Ty::Int)], ty, d);
        let y = self.with(&[(&b, Ty::Data)], ty, d);
        let rest = self.expr(ty, d);
        match self.choose(3) {
            0 => format!("(({body}) handle X {a} => {x})"),
            1 => format!("(({body}) handle X {a} => {x} | Y {b} => {y} | Overflow => {rest})"),
            _ => format!("(({body}) handle Y {b} => {y} | Match => {rest} | Bind => {rest})"),
        }
    }

    fn local_function(&mut self, ty: Ty, d: usize) -> String {
        let [f, n, x] = [self.fresh(), self.fresh(), self.fresh()];
        let base = self.with(&[(&x, ty)], ty, d);
        let start = self.expr(ty, d);
        let times = self.choose(4);
        match self.choose(3) {
            0 => format!(
                "(let fun {f} (0, {x} : {ty}) = {x} | {f} ({n}, {x}) = {f} ({n} - 1, {base}) \
                 in {f} ({times}, {start}) end)",
                ty = name(ty)
            ),
            1 => format!(
                "(let fun {f} {n} ({x} : {ty}) = if {n} = 0 then {x} else {f} ({n} - 1) ({base}) \
                 in foldl (fn (k, y) => {f} k y) {start} [0, {times}] end)",
                ty = name(ty)
            ),
            _ => format!("(twice (fn {x} : {ty} => {base}) {start})", ty = name(ty)),
        }
    }

    /// An expression that only this type has.
    fn own(&mut self, ty: Ty, d: usize) -> String {
        match ty {
            Ty::Int => self.int(d),
            Ty::Bool => self.bool(d),
            Ty::List => self.list(d),
            Ty::Pair => format!("({}, {})", self.expr(Ty::Int, d), self.expr(Ty::List, d)),
            Ty::Option => format!("(SOME {})", self.expr(Ty::Int, d)),
            Ty::Data => match self.choose(4) {
                0 => format!("(B {})", self.expr(Ty::Int, d)),
                1 => format!("(C {})", self.expr(Ty::Pair, d)),
                2 => format!("(D (SOME {}))", self.expr(Ty::Data, d)),
                _ => {
                    let (inner, n) = (self.expr(Ty::Data, d), self.expr(Ty::Int, d));
                    format!("(E {{inner = {inner}, n = {n}}})")
                }
            },
            Ty::Wrap => format!("(W ({}, {}))", self.expr(Ty::Int, d), self.expr(Ty::Bool, d)),
            Ty::Text => match self.choose(3) {
                0 => format!("({} ^ {})", self.expr(Ty::Text, d), self.expr(Ty::Text, d)),
                1 => format!("(Int.toString {})", self.expr(Ty::Int, d)),
                _ => format!("(String.substring ({}, 0, 1))", self.expr(Ty::Text, d)),
            },
            Ty::Function => {
                let x = self.fresh();
                let body = self.with(&[(&x, Ty::Int)], Ty::Int, d);
                format!("(fn {x} => {body})")
            }
            Ty::Large => {
                let op = ["+", "-", "*", "div", "mod"][self.choose(5)];
                format!("({} {op} {})", self.expr(Ty::Large, d), self.expr(Ty::Large, d))
            }
        }
    }

    fn int(&mut self, d: usize) -> String {
        match self.choose(12) {
            0 => format!("(length {})", self.expr(Ty::List, d)),
            1 => format!("(hd {})", self.expr(Ty::List, d)),
            2 => format!("({} {})", self.expr(Ty::Function, d), self.expr(Ty::Int, d)),
            3 => format!("(count {})", self.expr(Ty::Data, d)),
            4 => format!("(case {} of W (n, true) => n | W (n, _) => ~n)", self.expr(Ty::Wrap, d)),
            5 => format!("(#1 {})", self.expr(Ty::Pair, d)),
            6 => format!("(foldl (fn (x, s) => x - s) 0 {})", self.expr(Ty::List, d)),
            7 => format!("(IntInf.toInt {})", self.expr(Ty::Large, d)),
            8 => format!("(step ({}, {}))", self.expr(Ty::Int, d), self.choose(20)),
            _ => {
                let op = ["+", "-", "*", "div", "mod"][self.choose(5)];
                format!("({} {op} {})", self.expr(Ty::Int, d), self.expr(Ty::Int, d))
            }
        }
    }

    fn bool(&mut self, d: usize) -> String {
        match self.choose(5) {
            0 => format!("(not {})", self.expr(Ty::Bool, d)),
            1 => {
                let op = ["andalso", "orelse"][self.choose(2)];
                format!("({} {op} {})", self.expr(Ty::Bool, d), self.expr(Ty::Bool, d))
            }
            2 => {
                let types = [Ty::Int, Ty::List, Ty::Pair, Ty::Option, Ty::Data, Ty::Text, Ty::Wrap];
                let ty = types[self.choose(types.len())];
                let op = ["=", "<>"][self.choose(2)];
                format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
            }
            _ => {
                let ty = [Ty::Int, Ty::Text, Ty::Large][self.choose(3)];
                let op = ["<", "<=", ">", ">="][self.choose(4)];
                format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
            }
        }
    }

    fn list(&mut self, d: usize) -> String {
        match self.choose(7) {
            0 => format!("({} :: {})", self.expr(Ty::Int, d), self.expr(Ty::List, d)),
            1 => format!("(map {} {})", self.expr(Ty::Function, d), self.expr(Ty::List, d)),
            2 => format!("(tl {})", self.expr(Ty::List, d)),
            3 => format!("({} ++ {})", self.expr(Ty::List, d), self.expr(Ty::List, d)),
            4 => format!("({} -- {})", self.expr(Ty::List, d), self.expr(Ty::List, d)),
            5 => format!("[{}, {}]", self.expr(Ty::Int, d), self.expr(Ty::Int, d)),
            _ => format!("(1`{} ++ 1`{})", self.expr(Ty::Int, d), self.expr(Ty::Int, d)),
        }
    }
}

fn name(ty: Ty) -> &'static str {
    match ty {
        Ty::Int => "int",
        Ty::Bool => "bool",
        Ty::List => "int list",
        Ty::Pair => "(int * int list)",
        Ty::Option => "int option",
        Ty::Data => "d",
        Ty::Wrap => "w",
        Ty::Text => "string",
        Ty::Function => "(int -> int)",
        Ty::Large => "IntInf.int",
    }
}

fn declared() -> &'static Environment {
    static DECLARED: OnceLock<Environment> = OnceLock::new();
    DECLARED.get_or_init(|| {
        let mut environment = Environment::default();
        environment.declare_ml("declarations", DECLARATIONS).expect("declarations");
        environment
    })
}

proptest! {
    #[test]
    fn machine_agrees(tape in prop::collection::vec(any::<u8>(), 1..300), ty in 0..ALL.len()) {
        let mut writer = Writer { tape: tape.iter(), vars: Vec::new(), names: 0 };
        let text = writer.expr(ALL[ty], 4);
        agree_on(declared(), "", &format!("({text}) : {}", name(ALL[ty])));
    }
}
