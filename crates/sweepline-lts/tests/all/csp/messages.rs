//! Error messages with their positions.

use sweepline_lts::LoadErrors;
use sweepline_lts::csp::{Limits, Script};

fn small() -> Limits {
    Limits { max_component_states: 1_000, ..Limits::default() }
}

fn errors(text: &str, process: &str) -> LoadErrors {
    match Script::read("t.csp", text, &small()) {
        Err(errors) => errors,
        Ok(mut script) => match script.compose(process) {
            Err(errors) => errors,
            Ok(_) => panic!("no error in:\n{text}"),
        },
    }
}

/// All messages of `text`, or those of composing `P`.
#[track_caller]
fn says(text: &str, expected: &[&str]) {
    let errors = errors(text, "P");
    let messages: Vec<_> = errors.errors.iter().map(ToString::to_string).collect();
    assert_eq!(messages, expected, "{text}");
}

#[test]
fn syntax() {
    says("P = a ->\n", &["t.csp:2:1: expected an expression, found the end of the file"]);
    says(
        "channel a\nP = (a -> STOP\nQ = ]\nR = a -> STOP\nS = {1,,2}\n",
        &[
            "t.csp:3:1: expected `)`, found `Q`",
            "t.csp:3:5: expected an expression, found `]`",
            "t.csp:5:8: expected an expression, found `,`",
        ],
    );
    says("P = STOP STOP\n", &["t.csp:1:10: expected the end of the declaration, found `STOP`"]);
    says("{- open\nP = STOP\n", &["t.csp:1:1: this comment is not closed"]);
    says("P = \"open\n", &["t.csp:1:5: this string is not closed"]);
    says("P = 99999999999999999999\n", &["t.csp:1:5: this number is too large"]);
    says(
        "P = STOP § STOP\n",
        &[
            "t.csp:1:10: the character `§` has no meaning in CSPm",
            "t.csp:1:12: expected the end of the declaration, found `STOP`",
        ],
    );
    says("f(1 + x) = 2\nP = STOP\n", &["t.csp:1:3: this is not a pattern"]);
    says("Timed(f)\n", &["t.csp:1:1: timed sections (`Timed`) are not supported"]);
    says(
        "P = let module M\nendmodule\n within STOP\n",
        &[
            "t.csp:1:9: only definitions are allowed between `let` and `within`",
            "t.csp:2:1: expected a declaration, found `endmodule`",
        ],
    );
    says(
        "include \"other.csp\"\n",
        &["t.csp:1:9: cannot include `other.csp`: a text in memory has no folder to look in"],
    );
    says(
        "f(x) = 1\nf(x, y) = 2\nP = STOP\n",
        &["t.csp:2:1: this clause has a different number of arguments than the clause before it"],
    );
}

#[test]
fn names() {
    says(
        "channel alpha\nP = alhpa -> Q\n",
        &[
            "t.csp:2:5: `alhpa` is not declared; did you mean `alpha`?",
            "t.csp:2:14: `Q` is not declared",
        ],
    );
    says("channel a\nP = a -> STOP [|{|b|}|] STOP\n", &["t.csp:2:19: `b` is not declared"]);
    says("P = STOP\nQ = SKIP\nP = SKIP\n", &["t.csp:3:1: `P` is declared already"]);
    let mut script =
        Script::read("t.csp", "N = 3\nP = STOP\nf(x) = x\n", &small()).expect("a script");
    let missing = script.compose("PQ").err().expect("no such process").to_string();
    assert_eq!(missing, "cannot load `t.csp`: PQ:1:1: `PQ` is not declared");
    let missing = script.set_constant("M", "4").expect_err("no such constant").to_string();
    assert_eq!(
        missing,
        "cannot load `t.csp`: the script has no constant `M`; its constants are N, P"
    );
    let wrong = script.set_constant("N", "4 +").expect_err("half an expression").to_string();
    assert!(wrong.contains("N=4 +:1:4: expected an expression"), "{wrong}");
}

#[test]
fn events() {
    let c = "channel c : {0..1}.Bool\nchannel a\n";
    let says = |process: &str, expected: &str| says(&format!("{c}P = {process}\n"), &[expected]);
    says(
        "c.2.true -> STOP",
        "t.csp:3:5: `c.2.true` is not an event of channel `c`: its field 1 is not in the channel's type",
    );
    says("c!0!7 -> STOP", "t.csp:3:9: expected a Boolean, found a number");
    says("c.0 -> STOP", "t.csp:3:5: `c.0` does not fit channel `c`, whose events have 2 fields");
    says("a?x -> STOP", "t.csp:3:7: `a` does not fit channel `a`, whose events have 0 fields");
    says(
        "c.0.true.1 -> STOP",
        "t.csp:3:5: `c.0.true.1` does not fit channel `c`, whose events have 2 fields",
    );
    says(
        "c?x:{0..5}?y -> STOP",
        "t.csp:3:5: `c.2.false` is not an event of channel `c`: its field 1 is not in the channel's type",
    );
    says("STOP \\ {c}", "t.csp:3:12: `c` does not fit channel `c`, whose events have 2 fields");
    says(
        "STOP \\ {|c.9|}",
        "t.csp:3:12: `c.9.false` is not an event of channel `c`: its field 1 is not in the channel's type",
    );
    says("7 -> STOP", "t.csp:3:5: expected a channel or an event, found a number");
    super::script("channel big : Int\nP = big!3 -> STOP\n").compose("P").expect("one event");
    self::says(
        "channel big : Int\nP = big?x -> STOP\n",
        &["t.csp:2:5: `Int` is infinite, and all its members are needed here"],
    );
    self::says(
        "channel big : Int\nP = STOP \\ {|big|}\n",
        &["t.csp:2:12: `Int` is infinite, and all its members are needed here"],
    );
}

/// Numbers and tuples are no events, even if the evaluator uses them for internal steps, termination and linked events.
#[test]
fn values_that_are_no_events() {
    let fails = |process: &str| {
        let mut script = super::script("channel a, b\nid(x) = x\n");
        let errors = script.compose(process).err().expect("an error").to_string();
        assert!(errors.contains("expected an event, found"), "{errors}");
    };
    fails("id(0) -> STOP");
    fails("id(1) -> STOP");
    fails("RUN({id(1)})");
    fails("(STOP [a <-> b] STOP) \\ {id((a, b))}");
    fails("RUN({id({})})");
    let mut script = super::script("channel c : {0..1}\nP = RUN(extensions(c.0))\n");
    script.compose("P").expect("nothing completes an event");
}

/// The names of terms are short, also if a call gives one of its arguments.
#[test]
fn names_of_terms_that_are_arguments() {
    let n_states = |text: &str| super::lts(text, "P").n_states();
    assert_eq!(n_states("id(x) = x\nP = id(SKIP)\n"), 2);
    assert_eq!(n_states("h(x) = SKIP\nP = h(h(SKIP) [] h(STOP))\n"), 2);
    let mut doubled = "channel a\nh(x, y) = x [] a -> y\nP0 = STOP\n".to_owned();
    for n in 0..60 {
        doubled.push_str(&format!("P{} = let Q = h(P{n}, P{n}) within h(Q, Q)\n", n + 1));
    }
    super::compose(&doubled, "h(P60, P60)");
}

#[test]
fn values() {
    says("P = 1 + true\n", &["t.csp:1:9: expected a number, found a Boolean"]);
    says("P = 3\n", &["P:1:1: expected a process, found a number: `3`"]);
    says("P = 3(4)\n", &["t.csp:1:5: expected a function, found a number"]);
    says("f(0) = 1\nP = f(2)\n", &["t.csp:2:5: no clause of `f` matches the arguments (2)"]);
    says("f(x) = 1\nP = f(2, 3)\n", &["t.csp:2:5: `f` takes 1 arguments, not 2"]);
    says(
        "P = if head(<>) == 1 then STOP else SKIP\n",
        &["t.csp:1:8: `head` of an empty sequence is undefined"],
    );
    says("P = 1 / 0\n", &["t.csp:1:5: division by zero"]);
    says("P = 9223372036854775807 + 1\n", &["t.csp:1:5: this number exceeds 64 bits"]);
    says("P = Set({1..40})\n", &["t.csp:1:5: this set has more than 2000000 members"]);
    says("P = {1..1000000000}\n", &["t.csp:1:5: this set has more than 2000000 members"]);
    says("P = |~| x : {} @ STOP\n", &["t.csp:1:5: `|~|` of an empty set is undefined"]);
    says("P = error(\"not yet\")\n", &["t.csp:1:5: the script calls `error`: not yet"]);
    says(
        "external prioritise\nP = prioritise(STOP, <>)\n",
        &["t.csp:2:5: calls of `prioritise` are not supported"],
    );
    says(
        "transparent normal\nP = normal(3)\n",
        &["t.csp:2:12: expected a process, found a number"],
    );
    says(
        "external chase\nP = chase(STOP, STOP)\n",
        &["t.csp:2:5: `chase` takes 1 arguments, not 2"],
    );
    says("P = sbisim(STOP)\n", &["t.csp:1:5: `sbisim` is not declared"]);
    says(
        "x = x + 1\nP = if x > 0 then STOP else SKIP\n",
        &["t.csp:1:5: the definition of `x` depends on itself, with no event in between"],
    );
}

#[test]
fn endless_processes() {
    let circular = |name: &str| {
        format!("the definition of `{name}` depends on itself, with no event in between")
    };
    says("P = P\n", &[&format!("t.csp:1:1: {}", circular("P"))]);
    says("P = Q\nQ = P\n", &[&format!("t.csp:1:1: {}", circular("P"))]);
    says("channel a\nP = (a -> STOP) [] P\n", &[&format!("t.csp:2:1: {}", circular("P"))]);
    says("channel a\nP = ((a -> P) \\ {a}) /\\ P\n", &[&format!("t.csp:2:1: {}", circular("P"))]);
    let grows = errors("channel a\nP = Q(0)\nQ(n) = a -> Q(n + 1)\n", "P").to_string();
    assert!(
        grows.ends_with(
            "t.csp:3:8: process `Q(0)` has more than 1000 states: `Q(0)`, `Q(1)`, `Q(2)`, `Q(3)`, ... `Q(999)`, `Q(1000)`"
        ),
        "{grows}"
    );
    let calls = errors("P = Q(0)\nQ(n) = Q(n + 1)\n", "P").to_string();
    assert!(calls.contains("t.csp:2:"), "{calls}");
    assert!(calls.contains("calls are nested too deeply: ... `Q` calls `Q`"), "{calls}");
    let piles = errors("channel a\nP = a -> (P ||| a -> STOP)\n", "P").to_string();
    assert!(piles.contains("has more than"), "{piles}");
    let piles = errors("channel a, b\nP = (a -> P) \\ {b}\n", "P").to_string();
    assert!(piles.contains("has more than 1000 states"), "{piles}");
}

#[test]
fn a_mistake_is_drawn_with_its_line() {
    let errors = errors("channel a\nP = a -> b -> STOP\n", "P");
    let mut drawn = String::new();
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none());
    handler.render_report(&mut drawn, &errors).expect("a drawing");
    assert!(drawn.contains("P = a -> b -> STOP"), "{drawn}");
    assert!(drawn.contains("t.csp:2:10"), "{drawn}");
}
