//! The library: the types of the functions of CPN Tools and the Basis.

use super::{type_of, verify};
use sweepline_ml::core::{ExnId, ExprKind, verify_expr};
use sweepline_ml::{Environment, Prim, Types};

#[test]
fn basis() {
    for (expr, expected) in [
        ("List.tabulate (3, fn i => i * i)", "int list"),
        ("List.nth ([1], 0) + List.length [()]", "int"),
        ("List.partition (fn x => x > 1) [1]", "int list * int list"),
        ("List.find (fn x => x = \"a\") [\"a\"]", "string option"),
        ("[1] before ignore 2", "int list"),
        ("List.@ ([1], [2])", "int list"),
        ("ListPair.zip ([1], [true])", "(int * bool) list"),
        ("Int.toString 3 ^ Real.toString 1.5 ^ IntInf.toString 3", "string"),
        ("Option.getOpt (Int.fromString \"3\", 0)", "int"),
        ("String.tokens (fn c => c = #\",\") \"a,b\"", "string list"),
        ("Char.toUpper #\"a\"", "char"),
        ("Real.fromInt 3 * Math.sqrt 2.0 + Math.pi", "real"),
        ("round 1.5 + floor 1.5 + ceil 1.5 + trunc 1.5", "int"),
        ("Int.max (1, 2) + valOf Int.maxInt", "int"),
        ("IntInf.toInt (time ()) + 1", "int"),
        (
            "Date.fmt \"%Y\" (Date.date {year = 2000, month = Date.Jan, day = 1, hour = 0, minute = 0, \
          second = 0, offset = NONE})",
            "string",
        ),
        ("TextIO.output (TextIO.openOut \"f\", \"x\")", "unit"),
        ("Real.+ (1.0, 2.0)", "real"),
        ("String.concatWith \",\" [\"a\"]", "string"),
        ("Word.andb (0w1, 0w3)", "word"),
        ("foldl (fn (x, s) => s + x) 0", "int list -> int"),
    ] {
        assert_eq!(type_of("", expr), expected, "{expr}");
    }
}

#[test]
fn cpn_tools() {
    for (expr, expected) in [
        ("op `", "int * 'a -> 'a list"),
        ("op --", "''a list * ''a list -> ''a list"),
        ("2 ** (1`1 ++ 1`2) -- empty", "int list"),
        ("1`1 <<= 1`2 andalso 1`1 == 1`2", "bool"),
        ("size (1`1) + cf (1, 2`1)", "int"),
        ("ext_col (fn x => x + 1) (1`1)", "int list"),
        ("mem [1] 1", "bool"),
        ("rm 1 [1, 2]", "int list"),
        ("ins [1] 2", "int list"),
        ("remdupl [1, 1]", "int list"),
        ("sort (fn (a : int, b) => a < b) [2, 1]", "int list"),
        ("uniform (0.0, 1.0) + exponential 2.0 + normal (0.0, 1.0)", "real"),
        ("discrete (1, 6) + bernoulli 0.5 + poisson 1.0 + binomial (3, 0.5)", "int"),
        ("erlang (2, 1.0) + gamma (1.0, 2.0) + beta (1.0, 1.0)", "real"),
        ("ms (1`1 @+ 3)", "int list"),
        ("random (1`1)", "int"),
        ("fn r => inc r", "int ref -> unit"),
        ("step ()", "IntInf.int"),
        ("ModelTime.toString (time ())", "string"),
        ("mkstr_ms (Int.toString, op <) (1`1)", "string"),
    ] {
        assert_eq!(type_of("", expr), expected, "{expr}");
    }
}

#[test]
fn the_library_agrees_with_its_types() {
    let mut environment = Environment::default();
    verify(&mut environment);
    let program = environment.program();
    for (id, name) in [
        (ExnId::MATCH, "Match"),
        (ExnId::BIND, "Bind"),
        (ExnId::OVERFLOW, "Overflow"),
        (ExnId::DIV, "Div"),
        (ExnId::SUBSCRIPT, "Subscript"),
        (ExnId::SIZE, "Size"),
        (ExnId::CHR, "Chr"),
        (ExnId::DOMAIN, "Domain"),
        (ExnId::EMPTY, "Empty"),
        (ExnId::OPTION, "Option"),
        (ExnId::FAIL, "Fail"),
        (ExnId::IO, "Io"),
        (ExnId::SUBTRACT, "Subtract"),
    ] {
        assert_eq!(&*program.exception(id).name, name);
    }
}

#[test]
fn a_term_that_contradicts_its_types_is_found() {
    let mut environment = Environment::default();
    let mut term = environment.expr("e", "map (fn x => x + 1) [1]", None).expect("right");
    assert_eq!(verify_expr(environment.program_mut(), &term), Vec::new());
    term.ty = Types::STRING;
    let wrong = verify_expr(environment.program_mut(), &term);
    assert_eq!(wrong[0].law, "an argument has the parameter's type");
}

#[test]
fn operators_that_binding_search_looks_for() {
    let mut environment = Environment::default();
    for name in ["@+", "@++", "%", "//", "**"] {
        assert!(environment.function(name).is_some(), "{name}");
    }
    let sum = environment.expr("e", "2`1 ++ 1`2", None).expect("right");
    let ExprKind::Prim { op: Prim::ListAppend, args, types } = &sum.kind else { panic!("{sum:?}") };
    assert_eq!(**types, [Types::INT]);
    assert!(matches!(args[0].kind, ExprKind::Prim { op: Prim::Repeat, .. }));
}

/// The book's page on the library, structure by structure.
const PAGE: &str = include_str!("../../../../../book/src/cpn-ml.md");

/// The words between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Whether a name means anything: a value, a type of up to two parameters, or a structure.
fn is_known(environment: &Environment, name: &str) -> bool {
    let mut environment = environment.clone();
    let symbolic = !name.contains('.') && !name.starts_with(char::is_alphabetic);
    let op = if symbolic || ["div", "mod", "o", "before"].contains(&name) { "op " } else { "" };
    let texts = [
        format!("fun tested () = {op}{name}"),
        format!("type tested = {name}"),
        format!("type 'a tested = 'a {name}"),
        format!("type ('a, 'b) tested = ('a, 'b) {name}"),
        format!("structure Tested = {name}"),
    ];
    texts.iter().any(|text| environment.declare_ml("page", text).is_ok())
}

#[test]
fn the_page_of_the_library_is_true() {
    let environment = Environment::default();
    let lists = PAGE.split("\n- ").skip(1).map(|list| list.split("\n\n").next().unwrap_or(list));
    let (mut there, mut missing) = (0, 0);
    for list in lists.map(|list| list.split_whitespace().collect::<Vec<_>>().join(" ")) {
        let (here, left_out) = match list.split_once("Left out:") {
            Some((here, left_out)) => (here, quoted(left_out)),
            None => (&*list, Vec::new()),
        };
        let structures = match here.split_once(": ") {
            Some((names, _)) if names.starts_with('`') => quoted(names),
            _ if here.is_empty() || here.starts_with("Top level") => vec![""],
            _ => continue,
        };
        // The text after the list is prose, which quotes names again.
        let names = quoted(here.split_once(": ").map_or("", |(_, names)| names));
        let names = names.split(|name| name.contains(['-', ' ']) && name.len() > 3).next();
        for structure in structures {
            let long = |name: &str| match structure {
                "" => name.to_owned(),
                _ => format!("{structure}.{name}"),
            };
            for name in names.iter().flat_map(|names| names.iter()).filter(|name| **name != ".") {
                assert!(is_known(&environment, &long(name)), "{} is not there", long(name));
                there += 1;
            }
            // The replacement is named after a colon.
            for name in left_out.iter().take_while(|name| !is_reason(&list, name)) {
                assert!(!is_known(&environment, &long(name)), "{} is there", long(name));
                missing += 1;
            }
        }
    }
    assert!(there > 1000 && missing > 80, "{there} names, {missing} left out");
}

/// Whether a name is after the list of omitted names: `…: use `IntInf``.
fn is_reason(list: &str, name: &str) -> bool {
    let left_out = list.split_once("Left out:").map_or("", |(_, left_out)| left_out);
    let quoted = format!("`{name}`");
    let before = left_out.split_once(&quoted).map_or("", |(before, _)| before);
    before.contains("use ") || before.contains("copies of") || before.contains(',')
}
