//! Arcs, initial markings, guards, time regions, code segments, priorities.

use super::shown;
use sweepline_ml::core::{ExprKind, PatternKind, verify_expr};
use sweepline_ml::{Delay, Environment, Prim, Typing};

const NET: &str = "colset INT = int; colset TINT = int timed; colset E = with a | b;
    colset P = product INT * E; colset L = list INT; colset TP = product INT * E timed;
    var i, j : INT; var e : E; var l : L; val limit = 3; fun next n = n + 1; globref seen = 0;";

fn net() -> Environment {
    let mut environment = Environment::default();
    environment.declare_ml("net", NET).unwrap_or_else(|errors| panic!("{errors}"));
    environment
}

/// The typing that an inscription gets.
fn typing(text: &str, set: &str, initial: bool) -> Result<Typing, Vec<String>> {
    let mut environment = net();
    let id = environment.find_colour_set(set).expect(set);
    let found = match initial {
        true => environment.initial_marking("marking", text, id),
        false => environment.arc("arc", text, id),
    };
    let found = found.map_err(|errors| shown(&errors))?;
    assert_eq!(verify_expr(environment.program_mut(), &found.expr), Vec::new());
    Ok(found.typing)
}

#[test]
fn arcs() {
    for (text, set, expected) in [
        ("i", "INT", Typing::Token),
        ("(i, a)", "P", Typing::Token),
        ("1`i", "INT", Typing::MultiSet),
        ("1`i ++ 2`(next j)", "INT", Typing::MultiSet),
        ("1`~1", "INT", Typing::MultiSet),
        ("if i > 1 then 1`i else empty", "INT", Typing::MultiSet),
        ("[i, j]", "INT", Typing::MultiSet),
        ("i :: l", "L", Typing::Token),
        ("[i = 1] % i", "INT", Typing::MultiSet),
        ("i", "TINT", Typing::Token),
        ("i @+ 5", "TINT", Typing::TimedToken),
        ("(i, e) @+ discrete (1, 3)", "TP", Typing::TimedToken),
        ("if i = 1 then i else j @+ 5", "TINT", Typing::TimedToken),
        ("1`i @+ 5", "TINT", Typing::TimedMultiSet),
        ("if i = 1 then 1`i else empty @+ 5", "TINT", Typing::TimedMultiSet),
        ("1`i @+ 5 +++ 1`j @+ 2", "TINT", Typing::TimedMultiSet),
        ("1`i ++ 1`j @++ time ()", "TINT", Typing::TimedMultiSet),
        ("i @ 5", "TINT", Typing::TimedToken),
        ("next (!seen)", "INT", Typing::Token),
    ] {
        assert_eq!(typing(text, set, false), Ok(expected), "{text} : {set}");
    }
}

#[test]
fn initial_markings() {
    for (text, set, expected) in [
        ("3", "INT", Typing::Token),
        ("limit`1", "INT", Typing::MultiSet),
        ("E.all ()", "E", Typing::MultiSet),
        ("P.mult ([1], E.all ())", "P", Typing::MultiSet),
        ("1`1 @ 3", "TINT", Typing::TimedMultiSet),
        ("1 @+ 3", "TINT", Typing::TimedToken),
    ] {
        assert_eq!(typing(text, set, true), Ok(expected), "{text} : {set}");
    }
}

#[test]
fn wrong_inscriptions() {
    let wrong = |text, set, initial| typing(text, set, initial).expect_err(text);
    assert_eq!(wrong("i, a", "P", false), ["0029 ,"]);
    assert_eq!(wrong("\"x\"", "INT", false), ["0027 \"x\""]);
    assert_eq!(wrong("1`i @+ 5", "INT", false), ["0027 1`i @+ 5"]);
    assert_eq!(wrong("1`k", "INT", false), ["0012 k"]);
    assert_eq!(wrong("1`i", "INT", true), ["0025 i"]);
    assert_eq!(wrong("1`i ++", "INT", false), ["0008 "]);
    assert_eq!(wrong("", "INT", false), ["0026 "]);
}

#[test]
fn guards() {
    let mut environment = net();
    for (text, count) in [
        ("", 0),
        ("i > 1", 1),
        ("[i > 1]", 1),
        ("[i = 1, e = a]", 2),
        ("i = 1, e = a", 2),
        ("[]", 0),
        ("if i = 1 then [true] else []", 1),
        ("i = !seen", 1),
    ] {
        let conjuncts = environment.guard("guard", text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(conjuncts.len(), count, "{text}");
    }
    assert_eq!(shown(&environment.guard("guard", "[i, true]").expect_err("an int")), ["0014 i"]);
    let conjuncts = environment.guard("guard", "[(i, e) = (1, a)]").expect("right");
    let ExprKind::Prim { op: Prim::Equal, args, .. } = &conjuncts[0].kind else {
        panic!("an equation: {conjuncts:?}")
    };
    let i = environment.cpn_variable("i");
    let types = &mut environment.program_mut().types.clone();
    let pattern = args[0].as_pattern(types, &|var| environment.is_cpn_variable(var));
    let PatternKind::Record(fields) = pattern.expect("a pattern").kind else { panic!("a pair") };
    assert_eq!(i.map(PatternKind::Var), Some(fields[0].pattern.kind.clone()));
    assert_eq!(environment.variables_in(&conjuncts[0]).len(), 2);
}

#[test]
fn time_regions_and_priorities() {
    let mut environment = net();
    let time = |environment: &mut Environment, text| environment.time_region("time", text);
    assert!(matches!(time(&mut environment, "@+ i + 1"), Ok(Some(Delay::Int(_)))));
    assert!(matches!(time(&mut environment, "@++ time ()"), Ok(Some(Delay::Time(_)))));
    assert!(matches!(time(&mut environment, " "), Ok(None)));
    assert_eq!(shown(&time(&mut environment, "5").expect_err("no @+")), ["0008 5"]);
    assert_eq!(shown(&time(&mut environment, "@+ 1.5").expect_err("a real")), ["0014 1.5"]);
    assert!(environment.priority("priority", "limit * 100").expect("right").is_some());
    assert_eq!(shown(&environment.priority("priority", "i").expect_err("i")), ["0025 i"]);
}

#[test]
fn code_segments() {
    let mut environment = net();
    let text = "input (i, j);\noutput (e, l);\naction\n(seen := !seen + i; (a, [i, j]));";
    let code = environment.code_segment("code", text).expect("right").expect("some");
    assert_eq!((code.input.len(), code.output.len()), (2, 2));
    assert_eq!(environment.show(code.action.ty), "E * int list");
    let text = "input(i) action print (Int.toString i)";
    assert!(environment.code_segment("code", text).expect("right").is_some());
    assert!(
        environment.code_segment("code", "action inc seen; inc seen;").expect("right").is_some()
    );
    assert!(
        environment.code_segment("code", "input (i); output (); action").expect("right").is_none()
    );
    let wrong = environment.code_segment("code", "output (e); action 1").expect_err("an int");
    assert_eq!(shown(&wrong), ["0014 1"]);
    let wrong = environment.code_segment("code", "input (k); action ()").expect_err("unknown");
    assert_eq!(shown(&wrong), ["0012 k"]);
}
