//! Random expressions: what evaluates has no type error. In a generated expression, every part is evaluated.

use proptest::prelude::*;
use sweepline_lts::csp::{Limits, Script};

const PRELUDE: &str =
    "channel a\nchannel c : {0..2}\nchannel d : {0..1}.Bool\ndatatype T = A | B.{0..1}\n";

/// What an expression is meant to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ty {
    Int,
    Bool,
    Set,
    Seq,
    Data,
    Process,
    Pair,
    Map,
}

const ALL: [Ty; 8] =
    [Ty::Int, Ty::Bool, Ty::Set, Ty::Seq, Ty::Data, Ty::Process, Ty::Pair, Ty::Map];

/// Generates expressions; some parts have another type than they should have.
struct Generator {
    state: u64,
    /// One of so many parts has any type.
    wrong: usize,
    vars: Vec<(String, Ty)>,
    n_names: usize,
    /// Definitions, which are used in the expression.
    decls: Vec<String>,
    /// Whether the process that is generated is explored. If not, only operators are used that evaluate their operands.
    is_explored: bool,
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % n
    }

    fn any(&mut self) -> Ty {
        ALL[self.below(ALL.len())]
    }

    fn fresh(&mut self) -> String {
        self.n_names += 1;
        format!("v{}", self.n_names)
    }

    fn with(&mut self, name: &str, ty: Ty, inside: Ty, depth: usize) -> String {
        self.vars.push((name.to_owned(), ty));
        let text = self.expr(inside, depth);
        self.vars.pop();
        text
    }

    /// The same for a part that is not explored.
    fn aside(&mut self, name: &str, ty: Ty, inside: Ty, depth: usize) -> String {
        let outer = std::mem::replace(&mut self.is_explored, false);
        let text = self.with(name, ty, inside, depth);
        self.is_explored = outer;
        text
    }

    /// A part whose value is computed, but not explored if it is a process.
    fn part(&mut self, ty: Ty, depth: usize) -> String {
        let outer = std::mem::replace(&mut self.is_explored, false);
        let text = self.expr(ty, depth);
        self.is_explored = outer;
        text
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> String {
        // Another value than a process is not explored.
        let outer = self.is_explored;
        self.is_explored &= ty == Ty::Process;
        let text = self.any_expr(ty, depth);
        self.is_explored = outer;
        text
    }

    fn any_expr(&mut self, ty: Ty, depth: usize) -> String {
        let ty = if self.below(self.wrong) == 0 { self.any() } else { ty };
        self.is_explored &= ty == Ty::Process;
        let own: Vec<_> = self.vars.iter().filter(|(_, own)| *own == ty).collect();
        if !own.is_empty() {
            let names: Vec<String> = own.into_iter().map(|(name, _)| name.clone()).collect();
            if self.below(3) == 0 {
                return names[self.below(names.len())].clone();
            }
        }
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.below(3) {
            0 => self.binder(ty, depth - 1),
            _ => self.node(ty, depth - 1),
        }
    }

    fn leaf(&mut self, ty: Ty) -> String {
        let all: &[&str] = match ty {
            Ty::Int => &["0", "1", "2"],
            Ty::Bool => &["true", "false"],
            Ty::Set => {
                &["{}", "{1}", "{1..2}", "{| c |}", "{a}", "Bool", "{1, true}", "T", "{STOP}"]
            }
            Ty::Seq => &["<>", "<1>", "<true, 2>", "<{}>", "<a, c.1>", "<<1>>"],
            Ty::Data => &["a", "c.1", "A", "B.1", "d.1.true", "1.2"],
            Ty::Process => &["STOP", "SKIP"],
            Ty::Pair => &["(1, 2)", "(true, {})"],
            Ty::Map => &["emptyMap", "(| 1 => 2 |)"],
        };
        all[self.below(all.len())].to_owned()
    }

    /// `text` with each type in place of its letter.
    fn fill(&mut self, text: &str, depth: usize) -> String {
        let mut filled = String::new();
        for part in text.chars() {
            match "IBSQDPTMX".find(part) {
                Some(8) => {
                    let ty = self.any();
                    filled.push_str(&self.part(ty, depth));
                }
                Some(index) => filled.push_str(&self.expr(ALL[index], depth)),
                None => filled.push(part),
            }
        }
        filled
    }

    fn node(&mut self, ty: Ty, depth: usize) -> String {
        let all: &[&str] = match ty {
            Ty::Int => &["(I + I)", "(I * I)", "card(S)", "(#Q)", "length(Q)", "(-I)", "head(Q)"],
            Ty::Bool => &[
                "(X == X)",
                "(I < I)",
                "(not B)",
                "empty(S)",
                "null(Q)",
                "member(X, S)",
                "elem(X, Q)",
                "mapMember(M, X)",
                "(S <= S)",
            ],
            Ty::Set => &[
                "{X, X}",
                "union(S, S)",
                "diff(S, S)",
                "inter(S, S)",
                "set(Q)",
                "Set({X, X})",
                "{I..I}",
                "Union({S, S})",
                "productions(D)",
                "{| D |}",
                "extensions(D)",
            ],
            Ty::Seq => &[
                "<X, X>",
                "(Q ^ Q)",
                "tail(Q)",
                "seq(S)",
                "concat(<Q, Q>)",
                "<I..I>",
                "mapToList(M)",
            ],
            Ty::Data => &["(c.I)", "(d.I.B)", "(B.I)", "(D.X)", "(X.X)"],
            Ty::Process if !self.is_explored => {
                &["(P [] P)", "(P ||| P)", "(P \\ S)", "RUN(S)", "(true & P)", "(P /\\ P)"]
            }
            Ty::Process => &[
                "(c!I -> P)",
                "(d.I!B -> P)",
                "(D -> P)",
                "(P [] P)",
                "(P ||| P)",
                "(P \\ S)",
                "(P |~| P)",
                "(P \\ {D})",
                "(SKIP ; P)",
                "RUN(S)",
                "(true & P)",
                "(P[[D <- D]])",
                "(P [> P)",
            ],
            Ty::Pair => &["(X, X)"],
            Ty::Map => {
                &["mapUpdate(M, X, X)", "mapFromList(<(X, X)>)", "mapDelete(M, X)", "(| X => X |)"]
            }
        };
        let text = all[self.below(all.len())];
        // Capital letters in names are no types.
        let text = text.replace("SKIP", "\u{1}").replace("RUN", "\u{2}").replace("Set(", "\u{3}");
        let text = text.replace("Union", "\u{4}").replace("mapFromList", "\u{5}");
        let text = text.replace("mapToList", "\u{6}").replace("mapMember", "\u{7}");
        let text = text
            .replace("mapUpdate", "\u{e}")
            .replace("mapDelete", "\u{f}")
            .replace("(B.", "(\u{10}.");
        let filled = self.fill(&text, depth);
        let names = [
            ("\u{1}", "SKIP"),
            ("\u{2}", "RUN"),
            ("\u{3}", "Set("),
            ("\u{4}", "Union"),
            ("\u{5}", "mapFromList"),
            ("\u{6}", "mapToList"),
            ("\u{7}", "mapMember"),
            ("\u{e}", "mapUpdate"),
            ("\u{f}", "mapDelete"),
            ("\u{10}", "B"),
        ];
        names.into_iter().fold(filled, |text, (mark, name)| text.replace(mark, name))
    }

    /// An expression that binds names. Both alternatives of conditions are evaluated.
    fn binder(&mut self, ty: Ty, depth: usize) -> String {
        let (x, other) = (self.fresh(), self.any());
        match self.below(8) {
            0 => {
                let value = self.part(other, depth);
                let inside = self.with(&x, other, ty, depth);
                format!("(\\ {x} @ {inside})({value})")
            }
            1 => {
                let value = self.part(other, depth);
                let inside = self.aside(&x, other, ty, depth);
                format!("(let {x} = {value} within ({x}, {inside}))")
            }
            2 => {
                let (value, more) = (self.part(other, depth), self.part(other, depth));
                let inside = self.aside(&x, other, ty, depth);
                format!("<{inside} | {x} <- <{value}, {more}>>")
            }
            3 => {
                let [a, b] = [self.part(ty, depth), self.part(ty, depth)];
                format!("<if {x} then {a} else {b} | {x} <- <true, false>>")
            }
            4 => {
                let [a, b] = [self.expr(Ty::Bool, depth), self.expr(Ty::Bool, depth)];
                format!("<({x} and {a}) or ((not {x}) and {b}) | {x} <- <true, false>>")
            }
            5 => {
                let y = self.fresh();
                let value = self.part(other, depth);
                let inside = self.aside(&x, other, ty, depth);
                format!("<{inside} | ({x}, {y}) <- <({value}, 1)>, {y} == 1>")
            }
            6 => self.function(ty, other, depth),
            _ if !self.is_explored => self.node(ty, depth),
            _ => {
                let inside = self.with(&x, Ty::Int, Ty::Process, depth);
                format!("(c?{x} -> {inside})")
            }
        }
    }

    /// A call of a function of the script, all clauses of which are used.
    fn function(&mut self, ty: Ty, other: Ty, depth: usize) -> String {
        let (f, x) = (self.fresh(), self.fresh());
        let vars = std::mem::take(&mut self.vars);
        let several = self.below(2) == 0;
        let outer = self.is_explored;
        self.is_explored &= !several;
        let body = self.with(&x, other, ty, depth);
        self.is_explored = outer;
        if several {
            let zero = self.part(ty, depth);
            self.decls.push(format!("{f}(0) = {zero}\n{f}({x}) = {body}\n"));
        } else {
            self.decls.push(format!("{f}({x}) = {body}\n"));
        }
        self.vars = vars;
        let arg = self.part(other, depth);
        match several {
            true => format!("<{f}(0), {f}({arg})>"),
            false => format!("{f}({arg})"),
        }
    }
}

/// Whether `process` has a value, evaluated without the check of types. `None` if it fails with a clash of kinds.
fn evaluates(process: &str) -> Option<bool> {
    let limits = Limits { max_component_states: 300, ..Limits::default() };
    let mut script = Script::read("t.csp", PRELUDE, &limits).expect("the declarations");
    match script.compose(process) {
        Ok(_) => Some(true),
        Err(errors) => match errors.to_string().contains("expected a") {
            true => None,
            false => Some(false),
        },
    }
}

/// One random script: whether it evaluates, and whether it is accepted.
fn one(seed: u64, wrong: usize) -> (Option<bool>, bool) {
    let (vars, decls) = (Vec::new(), Vec::new());
    let mut generator =
        Generator { state: seed | 1, wrong, vars, n_names: 0, decls, is_explored: true };
    (0..8).for_each(|_| {
        generator.below(2);
    });
    let is_process = generator.below(2) == 0;
    let ty = if is_process { Ty::Process } else { generator.any() };
    let body = match is_process {
        true => generator.expr(ty, 3),
        false => generator.part(ty, 3),
    };
    let body = match is_process {
        true => body,
        false => format!("if null(<show({body})>) then STOP else STOP"),
    };
    let decls = generator.decls.concat();
    let value = match decls.is_empty() {
        true => evaluates(&body),
        false => evaluates(&format!("let {decls} within {body}")),
    };
    let text = format!("{PRELUDE}{decls}P = {body}\nassert P :[deadlock free]\n");
    let inner = format!("{PRELUDE}P = let L = 1\n {decls} within {body}\n");
    let read = |text: &str| Script::read("t.csp", text, &Limits::default()).map(drop);
    let results = [read(&text), read(&inner)];
    if value == Some(true) {
        for (result, text) in results.iter().zip([&text, &inner]) {
            if let Err(errors) = result {
                panic!("it evaluates, but is rejected:\n{text}\n{errors}");
            }
        }
    }
    (value, results[0].is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_evaluates_is_accepted(seed in any::<u64>(), wrong in 3..40usize) {
        one(seed, wrong);
    }
}

/// The generator makes scripts of each kind: those that evaluate, and those whose errors are found.
#[test]
fn the_check_finds_errors() {
    let (mut n_evaluate, mut n_clash, mut n_found) = (0, 0, 0);
    for seed in 1..1_000u64 {
        let (value, is_accepted) = one(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), 12);
        match value {
            Some(true) => n_evaluate += 1,
            Some(false) => {}
            None => {
                n_clash += 1;
                if !is_accepted {
                    n_found += 1;
                }
            }
        }
    }
    println!("{n_evaluate} evaluate; {n_found} of {n_clash} clashes are found");
    assert!(n_evaluate > 100, "{n_evaluate}");
    assert!(2 * n_found > n_clash, "{n_found} of {n_clash}");
}
