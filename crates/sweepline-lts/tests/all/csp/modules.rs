//! Modules.

use super::longest;
use sweepline_lts::csp::{Limits, Script};

#[track_caller]
fn all(text: &str, process: &str, expected: &str) {
    assert_eq!(longest(text, process).join(" | "), expected, "{process}");
}

#[test]
fn names_of_modules() {
    let text = "channel a, b : {0..3}\nn = 3\nmodule M\n  n = 1\n  next(0) = n\n  next(k) = k\n\
                exports\n  P = a.next(0) -> Q(2)\n  Q(n) = b.n -> (let n = 0 within a.n -> STOP)\n\
                  channel c\n  R = c -> M::P\nendmodule\nnext(k) = 2\nS = a.next(n) -> M::Q(n)\n";
    all(text, "M::P", "a.1 b.2 a.0");
    all(text, "S", "a.2 b.3 a.0");
    all(text, "M::R", "M::c a.1 b.2 a.0");
}

#[test]
fn instances() {
    let text = "channel a : {0..9}\nmodule Count(from, to)\n  go(n) = if n > to then STOP else a.n -> go(n + 1)\n\
                exports\n  P = go(from)\nendmodule\ninstance Low = Count(0, 1)\ninstance High = Count(8, 8)\n\
                module Plain\nexports\nP = a.5 -> STOP\nendmodule\ninstance Same = Plain\n";
    all(text, "Low::P", "a.0 a.1");
    all(text, "High::P", "a.8");
    all(text, "Same::P ||| Plain::P", "a.5 a.5");
}

#[track_caller]
fn says(text: &str, expected: &str) {
    let Err(errors) = Script::read("t.csp", text, &Limits::default()) else { panic!("no error") };
    let all: Vec<_> = errors.errors.iter().map(ToString::to_string).collect();
    assert_eq!(all, [expected], "{text}");
}

#[test]
fn mistakes() {
    let text = "channel a\nmodule M\nsecret = 1\nexports\nP = a -> STOP\nendmodule\n";
    says(&format!("{text}x = M::secret\n"), "t.csp:7:5: `M::secret` is not declared");
    says(&format!("{text}instance N = M(1)\n"), "t.csp:7:14: `M` takes 0 arguments, not 1");
    says(&format!("{text}instance N = K\n"), "t.csp:7:14: `K` is not declared");
    says("module M\nP = STOP\n", "t.csp:3:1: expected `endmodule`, found the end of the file");
    says("endmodule\n", "t.csp:1:1: expected a declaration, found `endmodule`");
    let inside = |word: &str| {
        format!("t.csp:2:1: declarations with `{word}` inside of a module are not supported")
    };
    says("module M\nassert STOP :[deadlock free]\nendmodule\n", &inside("assert"));
    says("module M\ninstance N = K\nendmodule\n", &inside("instance"));
    says("module M\nP = ]\nendmodule\n", "t.csp:2:5: expected an expression, found `]`");
    says("module M\nexports\nP = q\nendmodule\n", "t.csp:3:5: `q` is not declared");
    // Each instance repeats the text of its module.
    let text = format!("module M\n{}endmodule\n", "f(0) = 1 + 2 + 3 + 4\n".repeat(10_000));
    let text = text + &"instance N = M\n".repeat(100);
    let Err(errors) = Script::read("t.csp", &text, &Limits::default()) else { panic!("no error") };
    let limit = "the instances of modules have more than 4000000 words in total";
    assert!(errors.errors.iter().any(|error| error.to_string().ends_with(limit)));
}
