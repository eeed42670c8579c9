//! Colour sets, in both forms, and their functions.

use super::{type_of, verify};
use sweepline_ml::{
    ColourSetDeclaration, ColourSetKind, ColourSetSpec, Environment, Options, TimeType,
};

const ALL: &str = "colset U = unit with u; colset B = bool with (no, yes); colset I = int;
    colset R = int with 1..5; colset BIG = intinf with 0..9; colset X = real with 0.0..1.0;
    colset S = string with \"a\"..\"c\" and 1..2; colset T = time; colset E = with a | b | c timed;
    colset IX = index ix with 1..3; colset P = product I * E; colset REC = record k:I * t:E declare mult;
    colset L = list I with 0..2; colset UN = union c1:I + c2 + c3:E; colset SUB = subset I by (fn n => n > 3);
    colset W = subset I with [1, 2]; colset AL = P; color OLD = list AL;";

#[test]
fn all_kinds_have_all_functions() {
    for set in [
        "U", "B", "I", "R", "BIG", "X", "S", "T", "E", "IX", "P", "REC", "L", "UN", "SUB", "W",
        "AL",
    ] {
        for (function, expected) in [
            ("lt (S.base, S.base)", "bool"),
            ("cmp (S.base, S.base)", "order"),
            ("mkstr S.base", "string"),
            ("mkstr_ms [S.base]", "string"),
            ("legal S.base", "bool"),
            ("illegal_msg S.base", "string"),
            ("size ()", "int"),
            ("ord (S.col 0)", "int"),
            ("ran () = S.base", "bool"),
            ("all () == [S.base]", "bool"),
        ] {
            let expr = format!("{set}.{}", function.replace("S.", &format!("{set}.")));
            assert_eq!(type_of(ALL, &expr), expected, "{expr}");
        }
    }
}

#[test]
fn special_functions() {
    for (expr, expected) in [
        ("u", "unit"),
        ("yes andalso no", "bool"),
        ("ix 2", "IX"),
        ("P.mult ([1, 2], [a])", "(int * E) list"),
        ("P.set_1 (1, a) 2", "int * E"),
        ("REC.set_k {k = 1, t = a} 2", "{k : int, t : E}"),
        ("UN.of_c1 (c1 3)", "bool"),
        ("E'timed.mkstr_ms (1`a @+ 3)", "string"),
        ("case c1 2 of c2 => 0 | c1 n => n | c3 _ => 1", "int"),
        ("(1, a) : AL", "int * E"),
    ] {
        assert_eq!(type_of(ALL, expr), expected, "{expr}");
    }
}

#[test]
fn descriptors() {
    let mut environment = Environment::default();
    environment.declare_ml("sets", ALL).expect("right");
    verify(&mut environment);
    let set = |name: &str| environment.colour_set(environment.find_colour_set(name).expect(name));
    assert!(set("E").timed && !set("P").timed);
    assert!(set("P").subtype && !set("I").subtype && set("R").subtype && !set("OLD").subtype);
    assert!(matches!(set("R").kind, ColourSetKind::Int { range: Some(_) }));
    assert_eq!(set("REC").declares.len(), 1);
    assert!(set("E").function("all").is_some());
    let alias = environment.find_colour_set("AL").expect("AL");
    assert_eq!(Some(environment.original(alias)), environment.find_colour_set("P"));
}

#[test]
fn from_parts() {
    let mut environment = Environment::default();
    let int = ColourSetSpec::Int { range: None };
    let letters = ("\"a\"".to_owned(), "\"z\"".to_owned());
    let length = ("1".to_owned(), "2 + 2".to_owned());
    let string = ColourSetSpec::String { characters: Some(letters), length: Some(length) };
    let record =
        ColourSetSpec::Record { fields: vec![("n".into(), "I".into()), ("s".into(), "S".into())] };
    for (name, spec) in [("I", &int), ("S", &string), ("R", &record)] {
        let declaration = ColourSetDeclaration { name, spec, declares: &[], timed: name == "R" };
        environment.declare_colour_set("color", &declaration).expect(name);
    }
    environment.declare_variables("var", &["r", "q"], "R").expect("variables");
    environment.declare_globref("globref", "count", "0").expect("a reference");
    verify(&mut environment);
    let ty = environment.expr("e", "(#n (R.base), !count)", None).expect("right").ty;
    assert_eq!(environment.show(ty), "int * int");
    assert!(environment.is_cpn_variable(environment.cpn_variable("q").expect("q")));
    assert!(environment.is_reference(environment.function("count").expect("count")));
    let spec = ColourSetSpec::Int { range: Some(("1".into(), "".into())) };
    let declaration = ColourSetDeclaration { name: "J", spec: &spec, declares: &[], timed: false };
    environment.declare_colour_set("color", &declaration).expect_err("an empty bound");
}

#[test]
fn constructors_may_have_any_name() {
    let sets = "colset A = with x | y | n | a | b | map | size0 | l; colset B = union f:A + g;
                colset C = record x:A * y:B; colset D = product A * B * C; colset F = list D;";
    assert_eq!(type_of(sets, "D.mkstr (x, f y, {x = x, y = g})"), "string");
    assert_eq!(
        type_of(sets, "F.cmp"),
        "(A * B * {x : A, y : B}) list * (A * B * {x : A, y : B}) list -> order"
    );
}

#[test]
fn time_is_of_the_type_that_the_options_say() {
    for (time, name) in
        [(TimeType::IntInf, "IntInf.int"), (TimeType::Real, "real"), (TimeType::Int, "int")]
    {
        let mut options = Options::default();
        options.time = time;
        let mut environment = Environment::new(&options);
        environment.declare_ml("sets", ALL).expect("right");
        verify(&mut environment);
        let ty = environment.expr("e", "time ()", None).expect("right").ty;
        assert_eq!(environment.show(ty), name);
    }
}
