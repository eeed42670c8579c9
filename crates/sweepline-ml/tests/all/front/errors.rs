//! Errors and their positions: the code, and the words under the caret.

use super::{problems, shown};
use sweepline_ml::Environment;

#[test]
fn lexical() {
    assert_eq!(problems("val x = 1 + § 2"), ["0001 §"]);
    assert_eq!(problems("val x = \"abc"), ["0002 \"abc"]);
    assert_eq!(problems("val x = 1 (* no end"), ["0003 (*"]);
    assert_eq!(problems("val x = \"\\q\""), ["0004 \\q"]);
    assert_eq!(problems("val x = #\"ab\""), ["0005 #\"ab\""]);
    assert_eq!(problems("val x = 1073741824"), ["0006 1073741824"]);
    assert_eq!(problems("val x = ~1073741824"), Vec::<String>::new());
    assert_eq!(problems(&format!("val x = {}", "9".repeat(5000)))[0][..4], *"0007");
}

#[test]
fn syntax() {
    assert_eq!(problems("val x = if true then 1"), ["0008 "]);
    assert_eq!(problems("val = 1"), ["0008 ="]);
    assert_eq!(problems("fun f x = 1 | g y = 2"), ["0011 g"]);
    assert_eq!(problems("fun f x = 1 | f x y = 2"), ["0011 f"]);
    assert_eq!(problems("infix 5 <> infixr 5 ><  val x = 1 <> 2 >< 3"), ["0010 ><"]);
}

#[test]
fn all_mistakes_at_once() {
    let text =
        "val a = ; val b = 1 + true; fun f x = let val y = in y end val c = nothing; val d = 1";
    let expected = ["0008 ;", "0014 true", "0008 in", "0012 nothing"];
    assert_eq!(problems(text), expected);
    let mut environment = Environment::default();
    environment.declare_ml("wrong", text).expect_err("mistakes");
    environment.expr("right", "d + b", None).expect("what is right is declared");
}

#[test]
fn names() {
    assert_eq!(problems("val x = lenght [1]"), ["0012 lenght"]);
    assert_eq!(problems("val x = List.lenght [1]"), ["0012 List.lenght"]);
    assert_eq!(problems("val x = Lst.length [1]"), ["0012 Lst.length"]);
    assert_eq!(problems("val x : strin = 1"), ["0012 strin"]);
    assert_eq!(problems("fun f (x, x) = 1"), ["0013 x"]);
    assert_eq!(problems("val x = {a = 1, a = 2}"), ["0013 2"]);
    let message =
        Environment::default().declare_ml("m", "val x = lenght [1]").expect_err("a mistake");
    assert_eq!(message.to_string(), "m:1:9: `lenght` is not declared");
    use miette::Diagnostic;
    let help = message.help().map(|help| help.to_string());
    assert_eq!(help.as_deref(), Some("did you mean `length`?"));
}

/// The hint of the first mistake in an expression, in which `tokens` is a multi-set and `n` a number.
fn hint(expr: &str) -> String {
    let mut environment = Environment::default();
    environment
        .declare_ml("d", "val tokens = 1`1 ++ 1`2; val n = 1; val r = ref 1;")
        .expect("no mistakes");
    let errors = environment.expr("e", expr, None).expect_err("a mistake");
    use miette::Diagnostic;
    errors.errors[0].problem.help().map(|help| help.to_string()).unwrap_or_default()
}

#[test]
fn hints_show_what_to_write() {
    for (expr, wanted) in [
        ("n = 1 and true", "write `andalso` between two conditions"),
        ("(n = 1 and true)", "write `andalso` between two conditions"),
        ("n = 1 && true", "write `andalso` in place of `&&`"),
        ("n = 1 or true", "write `orelse` in place of `or`"),
        ("n == 1", "write `=`: the operator `==` compares multi-sets"),
        ("n != 1", "write `<>`: the operator `!=` compares multi-sets"),
        ("n => 1", "write `>=` for \"greater than or equal to\""),
        ("-n", "write `~` for a negative number: `~1`"),
        ("1'2", "write a backquote between a coefficient and its colour: ``1`x``"),
        ("n = 1; true", "a `;` ends the expression: write `andalso` between two conditions"),
        ("tokens + 1`3", "write `++` to add multi-sets"),
        ("tokens - 1`1", "write `--` to subtract multi-sets"),
        ("tokens = 1", "write ``1`1`` for a multi-set with one token, or compare `size ...`"),
        (
            "tokens > 1",
            "`tokens` is a multi-set or list: write `size tokens` for its number of elements, or \
             `hd tokens` for its first",
        ),
        ("if tokens then 1 else 2", "write a condition, for example `size tokens > 0`"),
        ("if n then 1 else 2", "write a condition, for example `n > 0`"),
        ("if true then n else empty", "`empty` is a multi-set: write ``1`x`` in the other branch"),
        ("!n", "write `not n` for negation; `!` reads a reference"),
        ("r + 1", "write `!r` for the value of the reference"),
        (
            "size \"Two Words\"",
            "write a place without quotes, with `_` for each space: `Place_Name`",
        ),
        ("\"n = \" ^ n", "write `Int.toString n`"),
        ("1.5 + 2", "write `2.0`"),
        ("n + (n = 1)", "write `if (n = 1) then 1 else 0`"),
        (
            "somewhere_else",
            "declare it: `var somewhere_else : COLSET;` if it is a variable of the net, \
             `val somewhere_else = ...;` if it is a constant",
        ),
    ] {
        assert_eq!(hint(expr), wanted, "{expr}");
    }
    // A value of that name that the model declares is not taken for an operator.
    assert_eq!(problems("val or = 1; val x = 2 or 3;"), ["0015 2 or"]);
    let mut environment = Environment::default();
    let errors = environment.declare_ml("d", "colset NO = integer;").expect_err("unknown");
    use miette::Diagnostic;
    let help = errors.help().map(|help| help.to_string());
    assert_eq!(help.as_deref(), Some("write `int` in place of `integer`"));
}

#[test]
fn types() {
    assert_eq!(problems("val x = 1 + \"a\""), ["0014 \"a\""]);
    assert_eq!(problems("val x = if 1 then 2 else 3"), ["0014 1"]);
    assert_eq!(problems("val x = if true then 2 else \"a\""), ["0014 \"a\""]);
    assert_eq!(problems("val x = [1, true]"), ["0014 true"]);
    assert_eq!(problems("val x : string = 1"), ["0014 1"]);
    assert_eq!(problems("val x = 1 2"), ["0015 1 2"]);
    assert_eq!(problems("fun f x = #a x"), ["0016 #a x"]);
    assert_eq!(problems("val x : int list list list = nil val y : list = nil"), ["0017 list"]);
    assert_eq!(problems("fun f (SOME) = 1"), ["0018 (SOME)"]);
    assert_eq!(problems("fun f (NONE x) = 1"), ["0018 (NONE x)"]);
    assert_eq!(problems("fun f (g x) = 1 : int"), ["0012 (g x)"]);
    assert_eq!(problems("val rec x = 1"), ["0020 1"]);
    assert_eq!(problems("fun f (x : 'a) = x + 1"), ["0014 x"]);
    assert_eq!(problems("val x : 'a list ref = ref nil"), ["0021 val x : 'a list ref = ref nil"]);
    assert_eq!(problems("fun f x = x x"), ["0014 x"]);
    assert_eq!(problems("val x = (fn y => y) = (fn y => y)")[0][..4], *"0014");
    assert_eq!(problems("val r = ref nil val x = (1 :: !r, true :: !r)").len(), 2);
}

#[test]
fn messages_say_what_to_write() {
    let mut environment = Environment::default();
    let errors = environment.declare_ml("m", "fun f (x : real) = x\nval y = f (1 + 2)");
    let errors = errors.expect_err("a mistake");
    assert_eq!(errors.to_string(), "m:2:11: `(1 + 2)` has type `int` but `real` is needed here");
    use miette::Diagnostic;
    let help = errors.help().map(|help| help.to_string());
    assert_eq!(help.as_deref(), Some("write `real (1 + 2)`"));
}

#[test]
fn colour_sets() {
    assert_eq!(problems("colset A = product INT * B;"), ["0012 A", "0012 A"]);
    assert_eq!(problems("colset empty = int;"), ["0022 empty"]);
    assert_eq!(problems("colset A = with a | b | a;"), ["0013 A"]);
    assert_eq!(problems("colset ++ = int;"), ["0024 ++"]);
    assert_eq!(problems("colset A = with before | a;"), ["0024 A"]);
    assert_eq!(problems("var x : NOWHERE;"), ["0012 var x : NOWHERE"]);
    assert_eq!(problems("colset A = int with 1..true;"), ["0014 true"]);
    assert_eq!(problems("colset A = int with 1;"), ["0008 ;"]);
}

#[test]
fn variables_have_no_value_in_declarations() {
    let mut environment = Environment::default();
    environment.declare_ml("d", "colset INT = int; var n : INT;").expect("right");
    let errors = environment.declare_ml("d", "val x = n + 1").expect_err("a variable");
    assert_eq!(shown(&errors), ["0025 n"]);
}

/// An unresolved record selector after an earlier error gets no message, and no bind.
#[test]
fn declarations_with_an_error_leave_no_bind_that_breaks_its_type() {
    let mut environment = Environment::default();
    environment.declare_ml("declarations", "?; #D;").expect_err("two errors");
    super::verify(&mut environment);
}
