//! Variables that arcs and guards bind.

use super::{arc, errors, load, net, page, place, trans};
use crate::{Coefficient, Input, Net, ValueSource};

/// A net of one transition from places of these colour sets.
fn transition(inputs: &[(&str, &str)], regions: &[(&str, &str)], output: &str) -> String {
    let mut parts = vec![trans("T", regions), place("Out", "NO", "", "")];
    for (at, (set, text)) in inputs.iter().enumerate() {
        let name = format!("P{at}");
        parts.push(place(&name, set, "", ""));
        parts.push(arc("PtoT", "T", &name, text));
    }
    parts.push(arc("TtoP", "T", "Out", output));
    page("Top", &parts)
}

fn names(net: &Net, vars: &[sweepline_ml::core::VarId]) -> String {
    let name = |var| net.environment.program().variable(var).name.to_string();
    vars.iter().map(|var| name(*var)).collect::<Vec<_>>().join(" ")
}

/// For each term: binds / needs, `!` if the pattern is exact.
fn shown(net: &Net, input: &Input) -> String {
    let Some(terms) = &input.terms else { return format!("other: {}", names(net, &input.needs)) };
    let term = |term: &crate::Term| {
        let exact = if term.is_exact { "!" } else { "" };
        format!("{} / {}{exact}", names(net, &term.binds), names(net, &term.needs))
    };
    terms.iter().map(term).collect::<Vec<_>>().join(", ")
}

#[test]
fn inscriptions_are_sums_of_terms() {
    for (set, text, wanted) in [
        ("NO", "n", "n / !"),
        ("NO", "1`n", "n / !"),
        ("NO", "2`n ++ m`7", "n / !,  / m!"),
        ("NO", "[n, m]", "n / !, m / !"),
        ("NO", "empty", ""),
        ("NO", "1`(n + m)", " / n m"),
        ("PAIR", "(n, e)", "n e / !"),
        ("PAIR", "1`(n + 1, e)", "e / n"),
        ("PAIR", "(n, a)", "n / !"),
        ("L", "n :: l", "n l / !"),
        ("L", "[n, m]", "n m / !"),
        ("L", "l ^^ [n]", " / l n"),
        ("NO", "if n > m then 1`n else empty", "other: n m"),
        ("NO", "List.map (fn x => x + n) l", "other: n l"),
        ("T", "n @+ m", "n / m!"),
        ("T", "1`n @+ 3 +++ 1`m @++ time ()", "n / !, m / !"),
        ("T", "n", "n / !"),
    ] {
        let bound = [(set, text), ("NO", "n"), ("NO", "m"), ("E", "e"), ("L", "l")];
        let net = net(&transition(&bound, &[], "1"));
        let behaviour = net.behaviour(&net.transitions[0]);
        assert_eq!(shown(&net, &behaviour.inputs[0]), wanted, "{text}");
    }
}

#[test]
fn coefficients_are_numbers_or_expressions() {
    let net = net(&transition(&[("NO", "2`n ++ n`3 ++ m`m")], &[], "1"));
    let terms = net.behaviours[0].inputs[0].terms.clone().unwrap();
    assert_eq!(terms[0].coefficient, Coefficient::Constant(2));
    assert!(matches!(terms[1].coefficient, Coefficient::Expr(_)));
    assert_eq!(terms[2].binds, terms[2].needs);
}

fn sources(rest: &str) -> Vec<(String, ValueSource)> {
    let net = net(rest);
    net.behaviours[0].variables.iter().map(|v| (v.name.clone(), v.source)).collect()
}

#[test]
fn every_variable_has_a_source() {
    use ValueSource::{Code, Enumerated, Free, Guard, Input};
    let check =
        |inputs: &[(&str, &str)], regions: &[(&str, &str)], output, wanted: &[(&str, _)]| {
            let found = sources(&transition(inputs, regions, output));
            let found: Vec<(&str, ValueSource)> = found.iter().map(|(n, s)| (&**n, *s)).collect();
            assert_eq!(found, wanted);
        };
    check(&[("NO", "n")], &[], "n", &[("n", Input)]);
    check(&[("NO", "n")], &[("cond", "[m = n + 1]")], "m", &[("n", Input), ("m", Guard)]);
    check(
        &[("NO", "n")],
        &[("cond", "(m, e) = (n, a)")],
        "m",
        &[("n", Input), ("m", Guard), ("e", Guard)],
    );
    check(&[("NO", "n")], &[("cond", "[s > 1, n > s]")], "1", &[("n", Input), ("s", Enumerated)]);
    check(
        &[],
        &[("cond", "[n = s + 1, m = n + 1]")],
        "m",
        &[("n", Guard), ("s", Enumerated), ("m", Guard)],
    );
    check(&[], &[], "s", &[("s", Free)]);
    check(&[], &[], "g", &[("g", Free)]);
    let code = "input (n); output (m); action n + 1;";
    check(&[("NO", "n")], &[("code", code)], "m", &[("n", Input), ("m", Code)]);
    check(&[("NO", "n")], &[("time", "@+ s")], "n", &[("n", Input), ("s", Free)]);
}

#[test]
fn variables_that_nothing_binds_are_refused() {
    let cannot = |name: &str, set: &str| {
        format!(
            "transition `T` on page `Top`: `{name}` is unbound, and its colour set `{set}` is too large to try each colour"
        )
    };
    let unbound = |name: &str, set: &str| {
        format!(
            "transition `T` on page `Top`: `{name}` is unbound in an output arc, and its colour set `{set}` is too large to try each colour"
        )
    };
    let check = |inputs: &[(&str, &str)], regions: &[(&str, &str)], output, wanted: &[String]| {
        assert_eq!(errors(load(&transition(inputs, regions, output))), wanted);
    };
    check(&[("NO", "n")], &[("cond", "m = n + 1 andalso true")], "1", &[cannot("m", "NO")]);
    check(&[("NO", "n + 1")], &[], "1", &[cannot("n", "NO")]);
    check(&[], &[("cond", "h > 3")], "1", &[cannot("h", "HUGE")]);
    check(&[], &[], "n + m", &[unbound("n", "NO"), unbound("m", "NO")]);
    check(&[], &[("code", "input (n); action ();")], "1", &[cannot("n", "NO")]);
    let bound = "transition `T` on page `Top`: the code segment computes `n`, but an input arc or the guard already binds it";
    check(&[("NO", "n")], &[("code", "output (n); action 1;")], "n", &[bound.into()]);
}
