//! Declarations and expressions that nest, grow, or do not end.

use super::file::{File, coloured, declares, plain};
use super::{complains, outcome, refused};

const DEEP: usize = 20_000;

#[test]
fn what_nests_too_deep_is_refused() {
    let nested = |open: &str, inside: &str, close: &str| {
        format!("val z = {}{inside}{};", open.repeat(DEEP), close.repeat(DEEP))
    };
    for ml in [
        nested("(", "1", ")"),
        nested("~ ", "1", ""),
        nested("1 + ", "1", ""),
        nested("hd [", "1", "]"),
        nested("if true then 1 else ", "1", ""),
        nested("case 1 of _ => ", "1", ""),
        nested("let val a = 1 in ", "1", " end"),
        nested("let val a = ", "1", " in 1 end"),
        nested("(fn a => ", "1", ") 1"),
        format!("val z : {}int{} = 1;", "(".repeat(DEEP), ")".repeat(DEEP)),
        format!("fun f {}a{} = 1; val z = f 1;", "(".repeat(DEEP), ")".repeat(DEEP)),
        format!("fun f (a : int{}) = 1; val z = 1;", " -> int".repeat(DEEP)),
        format!("fun f (a : int{}) = 1; val z = 1;", " list".repeat(DEEP)),
        format!("{}{} val z = 1;", "structure A = struct ".repeat(DEEP), "end ".repeat(DEEP)),
        format!("{}{} val z = 1;", "local ".repeat(DEEP), "in end ".repeat(DEEP)),
    ] {
        complains(&declares(&ml), "nested more than");
    }
}

#[test]
fn every_argument_of_a_function_is_a_level() {
    let arguments = |count: usize| (0..count).map(|n| format!("a{n} ")).collect::<String>();
    complains(&declares(&format!("fun f {}= 1; val z = 1;", arguments(DEEP))), "nested more than");
    // Each is within the bound, but they are nested.
    let head = format!("fun f {}= let ", arguments(100));
    let ml = format!("{}val a = 1{}; val z = 1;", head.repeat(200), " in 1 end".repeat(200));
    complains(&declares(&ml), "nested more than");
    let used = declares("fun f a b c d e = a + b + c + d + e; val z = f 1 2 3 4 5;");
    assert_eq!(outcome(&used), Ok((1, 1)));
}

#[test]
fn long_texts_that_do_not_nest_are_fine() {
    for ml in [
        format!("val z = hd [{}1];", "1, ".repeat(DEEP)),
        format!("val z = length ({}nil);", "[1] ^^ ".repeat(2_000)),
        format!("val z = if {}true then 1 else 2;", "true andalso ".repeat(DEEP)),
        format!("val z = size_of ({}\"\"); ", "\"a\" ^ ".repeat(2_000))
            .replace("size_of", "String.size"),
        format!("{}{} val z = 1;", "(*".repeat(DEEP), "*)".repeat(DEEP)),
    ] {
        assert_eq!(outcome(&declares(&ml)), Ok((1, 1)), "{}", &ml[..60]);
    }
}

/// Each doubles the type of the one before: thirty would have a billion parts.
#[test]
fn types_that_double_are_refused() {
    let chain = |first: &str, next: &dyn Fn(usize) -> String| {
        let more: String = (0..30).map(next).collect();
        format!("{first}\n{more} val z = 1;")
    };
    for ml in [
        format!("fun p x = (x, x); val w = {}1{}; val z = 1;", "p (".repeat(30), ")".repeat(30)),
        chain("fun p0 x = (x, x);", &|n| format!("fun p{} x = p{n} (p{n} x);", n + 1)),
        chain("val p0 = fn a => a;", &|n| format!("val p{} = (p{n}, p{n});", n + 1)),
        chain("val p0 = fn a => a;", &|n| format!("val p{} = fn y => y p{n} p{n};", n + 1)),
        format!(
            "fun p x = (x, x); val w = {}p{}; val z = 1;",
            "let val p = fn x => p (p x) in ".repeat(30),
            " end".repeat(30)
        ),
    ] {
        let error = outcome(&File { output: "w".into(), ..file(&ml) }.xml()).unwrap_err();
        assert!(error.contains("the type has more than 10000 parts"), "{error}");
    }
    assert_eq!(outcome(&declares("fun p x = (x, x); val z = #1 (#2 (p (p 1)));")), Ok((1, 1)));
}

fn file(ml: &str) -> File {
    File { ml: ml.into(), ..plain() }
}

/// After a lexical error, the rest of a declaration must not be taken for the whole.
#[test]
fn what_cannot_be_read_has_no_value() {
    for (ml, words) in [
        ("val z = 1\u{a7};", "has no meaning"),
        ("val z = 5 );", "found `)`"),
        ("val z = 5 (* and more", "comment"),
        ("val z = String.size \"a\\qb\";", "\\q"),
        ("val z = String.size \"ab;", "string"),
        ("val z = ord #\"ab\";", "character"),
    ] {
        let error = outcome(&declares(ml)).unwrap_err().to_lowercase();
        assert!(error.contains(words), "{words}: {error}");
    }
    // The declarations before and after are declared.
    for ml in ["val z = 1; val a = 2\u{a7};", "val z = 1 val a = );", "val a = \"\\q\"; val z = 1;"]
    {
        assert_eq!(outcome(&declares(ml)), Ok((1, 1)), "{ml}");
    }
}

/// `(x,)` had the type of `x`, and was the address of a record.
#[test]
fn there_are_no_tuples_of_one() {
    for output in ["(x,)", "(if true then [x] else [],)", "((x,),)"] {
        refused(&File { output: output.into(), ..plain() }.xml(), "expected an expression");
    }
    refused(&declares("val z = (5,);"), "expected an expression");
    refused(&declares("val z = hd [5,];"), "expected an expression");
    refused(&declares("fun f (a,) = a; val z = f 5;"), "expected a pattern");
    assert_eq!(outcome(&declares("fun f {1 = a} = a; val z = f {1 = 5};")), Ok((1, 1)));
}

/// Redeclared names do not affect generated text: functions of colour sets, and `Mark`.
#[test]
fn names_of_the_library_may_be_declared_anew() {
    let colours = |first: &str| {
        let pair = "<product><id>I</id><id>I</id></product>";
        let list = "<list><with><ml>0</ml><ml>3</ml></with><id>I</id></list>";
        let sets =
            format!("<color id='c'><id>C</id>{pair}</color><color id='k'><id>K</id>{list}</color>");
        File { colours: format!("{first}{sets}"), output: "1`1++1`x".into(), ..plain() }
    };
    for first in [
        "<color id='e'><id>E</id><enum><id>EQUAL</id><id>LESS</id><id>GREATER</id></enum></color>",
        "<ml id='l'>datatype order = EQUAL | LESS;</ml>",
        "<ml id='l'>structure List = struct end; structure String = struct end; fun map x = x;</ml>",
        "<ml id='l'>fun length x = 7; exception Fail; val op + = fn (a, b) =&gt; a : int;</ml>",
        "<ml id='l'>fun foldl x = x; infix f; infix c; nonfix + -; infix 3 m;</ml>",
    ] {
        let file = File {
            guard: "K.lt ([1], [1, 2]) andalso C.lt ((1, 2), (1, 3))".into(),
            ..colours(first)
        };
        assert_eq!(
            outcome(&File { output: "x".into(), ..file.clone() }.xml()),
            Ok((1, 1)),
            "{first}"
        );
        let model = super::model(&file.xml()).unwrap();
        let start = sweepline::model::initial(&model).swap_remove(0);
        for question in ["size (Mark.Top'A 1)", "total (fn t => t) A", "size A"] {
            let number = model.scope().number("number", question).unwrap();
            assert_eq!(
                number.value(&mut sweepline_cpn::Worker::default(), &start).unwrap(),
                1,
                "{question} after {first}"
            );
        }
    }
    for first in ["datatype t = true | false;", "datatype t = nil | A;", "datatype t = :: of int;"]
    {
        complains(&declares(first), "is a reserved word");
    }
    let nil = "<color id='e'><id>E</id><enum><id>nil</id><id>b</id></enum></color>";
    complains(&File { colours: nil.into(), ..plain() }.xml(), "`nil` is a reserved word");
    let ours = "<ml id='l'>structure CPN'CS = struct end;</ml>";
    complains(&colours(ours).xml(), "the functions of the colour set cannot be generated");
}

/// The declared type of a primitive is not checked, so only the library may declare one.
#[test]
fn primitives_are_for_the_library() {
    for ml in [
        "val f = _prim \"string_append\" : int * int -> int; val z = f (123456789, 5);",
        "val f = _prim \"deref\" : int -> int list; val z = length (f 1000000);",
        "val z = let val f = _prim \"deref\" : int -> int in f 7 end;",
        "structure S = struct val f = _prim \"deref\" : int -> int end; val z = S.f 7;",
    ] {
        refused(&declares(ml), "there is no primitive");
    }
}

#[test]
fn numbers_and_strings_are_bounded() {
    refused(&declares(&format!("val z = {};", "9".repeat(100_000))), "the limit of");
    refused(&declares("val z = 99999999999;"), "too large for `int`");
    let power = "val z = IntInf.toInt (IntInf.pow (IntInf.fromInt 10, 1000000000));";
    refused(&declares(power), "a number has more than");
    let long = format!("val s = \"{}\"; val z = String.size s;", "a".repeat(1_000_000));
    assert_eq!(outcome(&declares(&long)), Ok((1, 1)));
    refused(&declares("fun f s = f (s ^ s); val z : int = f \"ab\";"), "values need more than");
}

#[test]
fn what_does_not_end_is_stopped() {
    for (ml, words) in [
        ("fun f x = f x; val z : int = f 1;", "has not ended after"),
        ("val z = (while true do (); 1);", "has not ended after"),
        ("fun f x = 1 + f x; val z : int = f 1;", "recursion needs more than"),
        ("fun f x = 1 + g x and g x = 1 + f x; val z : int = f 1;", "recursion needs more than"),
        ("fun f l = f (1 :: l); val z : int = f [];", "values need more than"),
        ("val z = length (List.tabulate (1000000000, fn i => i));", " more than "),
        ("val z = hd (1000000000`1);", "in `1000000000`1`"),
        ("fun f x = f x handle _ => 1; val z : int = f 1;", " more than "),
    ] {
        refused(&declares(ml), words);
    }
    let endless = file("fun f x = f x;");
    refused(&File { guard: "f x".into(), ..endless.clone() }.xml(), "has not ended after");
    refused(&File { output: "f x".into(), ..endless.clone() }.xml(), "has not ended after");
    let code = "input (x); action f x;".into();
    refused(&File { code, ..endless }.xml(), "has not ended after");
}

#[test]
fn exceptions_say_where_they_come_from() {
    let hostile = |change: &dyn Fn(&mut File)| {
        let mut file = plain();
        change(&mut file);
        outcome(&file.xml()).unwrap_err()
    };
    for (error, words) in [
        (hostile(&|f| f.guard = "hd [] = x".into()), "Empty in `hd []`"),
        (hostile(&|f| f.output = "10 div (x - 1)".into()), "Div in `10 div (x - 1)`"),
        (hostile(&|f| f.initial = "1 div 0".into()), "Div in `1 div 0`"),
        (hostile(&|f| f.output = "x * 1073741823 + x".into()), "Overflow"),
        (hostile(&|f| f.output = "empty -- 1`x".into()), "Subtract"),
    ] {
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[test]
fn files_of_the_machine_are_out_of_reach() {
    // Written files are discarded, and the exploration continues.
    let name = std::env::temp_dir().join("sweepline-hostile");
    let write = format!("TextIO.output (TextIO.openOut \"{}\", \"x\")", name.display());
    let code = format!("input (x); action {write};");
    assert_eq!(outcome(&File { code, ..plain() }.xml()), Ok((1, 1)));
    assert!(!name.exists());
    for action in [
        "let val f = TextIO.openIn \"/etc/passwd\" in () end",
        "ignore (OS.FileSys.isDir \"/etc\")",
        "ignore (TextIO.inputLine TextIO.stdIn)",
    ] {
        let code = format!("input (x); action {action};");
        refused(&File { code, ..plain() }.xml(), "cannot be evaluated");
    }
    let code = "input (x); action OS.Process.system \"ls\";".into();
    refused(&File { code, ..plain() }.xml(), "is not declared");
}

#[test]
fn a_thousand_mistakes_are_as_good_as_fifty() {
    let error = outcome(&declares(&"val = ;".repeat(20_000))).unwrap_err();
    assert!(error.lines().count() <= 60, "{}", error.lines().count());
}

#[test]
fn colour_sets_of_a_billion_values_are_not_listed() {
    let range = "<int><with><ml>0</ml><ml>1000000000</ml></with></int>";
    assert_eq!(outcome(&coloured(range, "1`5")), Ok((1, 1)));
    refused(&coloured(range, "C.all()"), "values need more than");
    let index = "<index><ml>0</ml><ml>1000000000</ml><id>k</id></index>";
    assert_eq!(outcome(&coloured(index, "1`k(7)")), Ok((1, 1)));
    let strings = "<string><with><ml>\"a\"</ml><ml>\"z\"</ml><and><ml>0</ml><ml>30</ml></and></with></string>";
    assert_eq!(outcome(&coloured(strings, "1`\"abc\"")), Ok((1, 1)));
    refused(&coloured(strings, "C.all()"), " more than ");
    let billion = format!("<color id='d'><id>D</id>{range}</color>");
    let subset = |by: &str| File {
        colours: format!(
            "{billion}<color id='c'><id>C</id><subset><id>D</id><by><ml>{by}</ml></by></subset></color>\
             <color id='q'><id>Q</id><product><id>D</id><id>D</id></product></color>"
        ),
        set: "C".into(),
        ..plain()
    };
    let even = subset("fn n =&gt; n mod 2 = 1");
    assert_eq!(outcome(&even.xml()), Ok((1, 1)));
    refused(&File { initial: "C.all()".into(), ..even.clone() }.xml(), "values need more than");
    refused(&File { initial: "Q.size()".into(), set: "I".into(), ..even }.xml(), "Overflow");
}

#[test]
fn variables_over_a_billion_values_are_refused() {
    let free = |declare: &str| File {
        colours: format!(
            "<color id='d'><id>D</id>{declare}<int><with><ml>0</ml><ml>1000000000</ml></with></int></color>"
        ),
        variables: "<var id='vd'><type><id>D</id></type><id>d</id></var>".into(),
        output: "d".into(),
        ..plain()
    };
    refused(&free("").xml(), "`d` is unbound in an output arc");
    // `declare all` enumerates the colour set, whatever it costs.
    let all = outcome(&free("<declare><id>all</id></declare>").xml()).unwrap_err();
    assert!(all.contains("values need more than") && !all.contains("1`1"), "{all}");
}

#[test]
fn colour_sets_of_many_parts_have_a_bound() {
    let product = |count: usize| format!("<product>{}</product>", "<id>I</id>".repeat(count));
    assert_eq!(outcome(&coloured(&product(64), "1`C.base")), Ok((1, 1)));
    refused(&coloured(&product(65), "1`C.base"), "the colour set has 65 components, more than 64");
    refused(&coloured(&product(5_000), "1`C.base"), "the colour set has 5000 components");
    let fields = |n| format!("<recordfield><id>f{n}</id><id>I</id></recordfield>");
    let record: String = (0..100).map(fields).collect();
    refused(
        &coloured(&format!("<record>{record}</record>"), "1`C.base"),
        "the colour set has 100 components",
    );
    let values: String = (0..3_000).map(|n| format!("<id>e{n}</id>")).collect();
    assert_eq!(outcome(&coloured(&format!("<enum>{values}</enum>"), "1`e7")), Ok((1, 1)));
    let doubled = (0..60).map(|n| {
        let (id, part) = (n + 1, format!("<id>D{n}</id>"));
        format!("<color id='d{id}'><id>D{id}</id><product>{part}{part}</product></color>")
    });
    let colours =
        format!("<color id='d0'><id>D0</id><bool/></color>{}", doubled.collect::<String>());
    let set = "D60".to_owned();
    let many = File { colours, set, initial: "D60.all()".into(), ..plain() };
    refused(&many.xml(), "each value of the colour set has more than 2000 parts");
}
