//! Type errors are found when a script is read, also in parts that are never evaluated.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use sweepline_lts::csp::{Limits, Script};

/// Declarations before each case, in one line.
const PRELUDE: &str = "channel a channel c : {1..3}.Bool channel d : T datatype T = A | B.{0..1} \
                       f(x, y) = x + y g(0) = 1 g(n) = n * g(n - 1) curried(x)(y) = x + y NUMBER = 3";

fn read(text: &str) -> Result<Script, String> {
    let prelude = PRELUDE.replace(" channel", "\nchannel").replace(" datatype", "\ndatatype");
    let prelude = [" f(", " g(", " curried(", " NUMBER"]
        .into_iter()
        .fold(prelude, |text, name| text.replace(name, &format!("\n{}", &name[1..])));
    // The first line of the case is line 1.
    let text = format!("{text}\n{prelude}\n");
    Script::read("t.csp", &text, &Limits::default()).map_err(|errors| {
        let all: Vec<_> = errors.errors.iter().map(ToString::to_string).collect();
        all.join("; ")
    })
}

/// Each script, and its errors.
const REJECTED: &[(&str, &str)] = &[
    ("x = 1 + true", "1:9: expected a number, found a Boolean"),
    ("P = if 3 then STOP else SKIP", "1:8: expected a Boolean, found a number"),
    ("x = STOP + 1", "1:5: expected a number, found a process"),
    ("x = card(<1,2>)", "1:10: expected a set, found a sequence of numbers"),
    ("x = head({1})", "1:10: expected a sequence, found a set of numbers"),
    ("x = <1> ^ {2}", "1:11: expected a sequence, found a set of numbers"),
    ("x = union({1}, <2>)", "1:16: expected a set, found a sequence of numbers"),
    ("P = a -> NUMBER", "1:10: expected a process, found a number"),
    ("P = Q [] STOP\nQ = NUMBER", "1:5: expected a process, found a number"),
    ("assert NUMBER :[deadlock free]", "1:8: expected a process, found a number"),
    ("assert STOP [T= {1}", "1:17: expected a process, found a set of numbers"),
    ("P = STOP ||| a", "1:14: expected a process, found an event or a value of a data type"),
    ("P = a -> a", "1:10: expected a process, found an event or a value of a data type"),
    ("x = f(1)", "1:5: `f` takes 2 arguments, not 1"),
    ("x = head(<1>, 2)", "1:5: `head` takes 1 arguments, not 2"),
    ("x = curried(1)(2, 3)", "1:5: `curried` takes 1 arguments, not 2"),
    ("x = (\\ y @ y)(1, 2)", "1:5: `the lambda` takes 1 arguments, not 2"),
    ("x = 3(4)", "1:5: expected a function, found a number"),
    ("x = f(1, {})", "1:10: expected a number, found a set"),
    ("x = g(true)", "1:7: expected a number, found a Boolean"),
    ("x = g(1) and true", "1:5: expected a Boolean, found a number"),
    ("P = a -> Q\nQ = if g(1) then STOP else SKIP", "2:8: expected a Boolean, found a number"),
    ("h(s) = head(s) + card(s)", "1:23: expected a set, found a sequence"),
    ("h(s) = if null(s) then 0 else card(s)", "1:36: expected a set, found a sequence"),
    ("h(<x>^s) = card(s)", "1:17: expected a set, found a sequence"),
    (
        "h((x, y)) = x + y\nz = h((1, 2, 3))",
        "2:7: expected a tuple (a number, a number), found a tuple (a number, a number, a number)",
    ),
    ("(x, y) = (1, true)\nz = x + y", "2:9: expected a number, found a Boolean"),
    ("P = c.4.7 -> STOP", "1:9: expected a Boolean, found a number"),
    ("P = c!true!true -> STOP", "1:7: expected a number, found a Boolean"),
    ("P = c?x?y -> if x then STOP else SKIP", "1:17: expected a Boolean, found a number"),
    ("P = STOP \\ {c.1.2}", "1:17: expected a Boolean, found a number"),
    ("P = STOP \\ {1}", "1:13: expected a channel or an event, found a number"),
    ("P = STOP \\ a", "1:12: expected a set, found an event or a value of a data type"),
    ("P = STOP [|a|] STOP", "1:12: expected a set, found an event or a value of a data type"),
    ("P = STOP[[1 <- a]]", "1:11: expected a channel or an event, found a number"),
    (
        "P = STOP [] {| 1 |}",
        "1:13: expected a process, found a set of events or values of a data type; t.csp:1:16: expected a channel or an event, found a number",
    ),
    ("P = 3 -> STOP", "1:5: expected a channel or an event, found a number"),
    ("P = ||| x : STOP @ STOP", "1:13: expected a set, found a process"),
    ("P = ||| x : {1} @ x", "1:19: expected a process, found a number"),
    ("P = a -> c?x:{1}?y:{true} -> (y + x > 1) & STOP", "1:31: expected a number, found a Boolean"),
    ("x = {y + 1 | y <- {true}}", "1:6: expected a number, found a Boolean"),
    ("x = let k = 1 within not k", "1:26: expected a Boolean, found a number"),
    ("x = let h(y) = {y} within #h(1)", "1:28: expected a sequence, found a set"),
    ("x = mapLookup(<1>, 2)", "1:15: expected a map, found a sequence of numbers"),
    ("x = #\"abc\"", "1:6: expected a sequence, found a string"),
    ("channel wrong : 3", "1:17: expected a set, found a number"),
    ("nametype N = STOP", "1:14: expected a set, found a process"),
    ("transparent normal\nP = normal({})", "2:12: expected a process, found a set"),
    ("module M\nexports\nP = 1 + STOP\nendmodule", "3:9: expected a number, found a process"),
    (
        "module M(n)\nexports\nP = n + 1\nendmodule\ninstance I = M({})",
        "3:5: expected a number, found a set",
    ),
    (
        "x = 1 + true\ny = not 2",
        "1:9: expected a number, found a Boolean; t.csp:2:9: expected a Boolean, found a number",
    ),
];

#[test]
fn rejected() {
    for (text, expected) in REJECTED {
        let found = read(text).err().unwrap_or_else(|| panic!("accepted: {text}"));
        assert_eq!(found, format!("t.csp:{expected}"), "{text}");
    }
}

/// Scripts that evaluate, or fail only for some values.
const ACCEPTED: &[&str] = &[
    "x = <1, true, STOP>",
    "x = {1, {true}, <2>}",
    "h(0) = STOP\nh(n) = n\nx = h(1) + 1\nP = h(0) [] STOP",
    "h(x) = if x == 0 then STOP else {}\ny = card(h(1))",
    "h(k, x) = if k == 0 then card(x) else #x\ny = h(0, {}) + h(1, <>)",
    "apply(k, x) = k(x)\ny = apply(card, {}) + apply(length, <>)",
    "both(k) = (k(1), k(true))\ny = both(\\ x @ <x>)",
    "id(x) = x\nP = id(STOP)\ny = id(1) + id(2)",
    "y = concat(<<1> | x <- <>>)",
    "y = Union({1..0})",
    "y = {z + 1 | z <- {}}",
    "y = (1 == true) or ({} == <>)",
    "h(c) = c!1 -> STOP\nP = h(a) [] STOP",
    "P = d.B.1 -> STOP [] d?B.x -> (if x == 1 then STOP else SKIP)",
    "P = c.1?x -> (if x then STOP else SKIP) [] c?x!true -> (x > 1) & STOP",
    "P = c?x -> STOP",
    "Q(x) = if x > 2 then SKIP else a -> Q(x + 1)\nP = Q(0) ; STOP",
    "even(0) = true\neven(n) = odd(n - 1)\nodd(0) = false\nodd(n) = even(n - 1)\nP = even(4) & STOP",
    "P = Q\nQ = a -> R(1)\nR(n) = if n == 0 then P else Q",
    "S = {1..3}\nchannel e : S\nP = e?x -> (x < 2) & STOP",
    "P = let Q = a -> R\n R = a -> Q within Q",
    "P = let card(x) = x + 1 within (card(1) == 2) & STOP",
    "h(s) = let n = #s within if n == 0 then STOP else h(tail(s))",
    "h(x) = (\\ y @ x + y, card(x))",
    "h(x) = <if b then #x else card(x) | b <- <>>",
    "x = error(\"no\")\ny = x + 1\nP = x",
    "size(S) = if empty(S) then 0 else error(\"not empty\")\nx = size({}) + 1",
    "fold(k, z)(<>) = z\nfold(k, z)(<x>^s) = fold(k, k(x, z))(s)\ny = fold(f, 0)(<1, 2>) + 1",
    "y = curried(1, 2)",
    "P = if member((1, true), {(x, y) | x <- {1}, y <- Bool}) then STOP else SKIP",
    "nametype N = {0..1}.Bool\nchannel e : N\nP = e?x?y -> (y) & STOP [] e?z -> STOP",
    "subtype S = B.{0}\nP = d?x:S -> STOP",
    "P = STOP \\ {| c.1, d |}",
    "P = STOP[[c.x <- c.y | x <- {1}, y <- {2}]]",
    "P = a -> STOP [| Events |] RUN({| c |})",
    "P = ; x : <1, 2> @ if x == 1 then SKIP else STOP",
    "P = N\nN = N",
    "m = mapUpdate(emptyMap, 1, STOP)\nP = mapLookup(m, 1)",
    "h(_, (x, {y}), <z>^_) = x + y + z\nw = h(STOP, (1, {2}), <3>)",
];

#[test]
fn accepted() {
    for text in ACCEPTED {
        if let Err(errors) = read(text) {
            panic!("rejected: {text}\n{errors}");
        }
    }
}

#[test]
fn hints() {
    let hint = |text: &str| {
        let text = format!("channel a\n{text}\n");
        let errors = Script::read("t.csp", &text, &Limits::default()).err().expect("an error");
        let help = miette::Diagnostic::help(&errors.errors[0]);
        help.map(|help| help.to_string()).unwrap_or_default()
    };
    assert_eq!(hint("P = STOP [] a"), "an event is followed by `->` and a process: `a -> STOP`");
    assert_eq!(hint("x = card(<1>)"), "`set(s)` is the set of the items of a sequence");
    assert_eq!(hint("x = 1 + {2}"), "the number of members of a set is `card(S)`");
}

/// The time is in proportion to the script, also if types or `let`s are nested.
#[test]
fn long_and_nested_scripts() {
    let timed = |text: &str| {
        let start = Instant::now();
        let result = Script::read("t.csp", text, &Limits::default());
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        result.map(drop).map_err(|errors| errors.to_string())
    };
    let mut long = "channel a : {0..9}\n".to_owned();
    for n in 0..100_000 {
        let next = (n * 7 + 1) % 100_000;
        let _ =
            writeln!(long, "P{n}(x, s) = if x + {n} > #s then a.1 -> P{next}(x, <x>^s) else STOP");
    }
    assert_eq!(timed(&long), Ok(()));
    let mut wrong = long.clone();
    wrong.push_str("Q = P0(true, <>)\n");
    assert!(timed(&wrong).is_err());
    // The types of these double with each line.
    let mut doubled = "x0 = (1, 2)\n".to_owned();
    for n in 0..2_000 {
        let _ = writeln!(doubled, "x{} = (x{n}, x{n})\nf{n}(y) = <(y, x{n})>", n + 1);
    }
    assert_eq!(timed(&doubled), Ok(()));
    let lets = |n: usize| {
        let inner = (0..n).fold("1".to_owned(), |inner, n| {
            format!("let f{n}(x) = (x, x)\n g{n}(y) = f{n}(f{n}(y)) within ({inner}, g{n}(2))")
        });
        format!("x = {inner}\n")
    };
    assert_eq!(timed(&lets(500)), Ok(()));
    let chosen = format!("h(x) = {}0\n", "if x > 1 then x else ".repeat(1_500));
    assert_eq!(timed(&chosen), Ok(()));
}
