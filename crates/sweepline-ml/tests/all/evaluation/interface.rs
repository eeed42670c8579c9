//! The interface that the net crate uses: functions, patterns, bytes, marks, time, random numbers.

use std::sync::Arc;

use sweepline_ml::core::{Expr, VarId};
use sweepline_ml::{
    Codec, Compiler, Environment, FunctionId, Layout, Limits, Machine, Print, TypeId, Typing,
};

fn environment(declarations: &str) -> Environment {
    let mut environment = Environment::default();
    environment.declare_ml("declarations", declarations).expect("declarations");
    environment
}

/// A machine for one expression of a colour set.
fn machine_for(environment: &Environment, expr: &Expr, vars: &[VarId]) -> (Machine, FunctionId) {
    let mut compiler = Compiler::new(environment.program());
    let function = compiler.compile_function(vars, expr).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    (Machine::new(code, Limits::default()).expect("values"), function)
}

/// A machine for the value `it` of type `ty`.
fn value_of(declarations: &str, expr: &str) -> (Machine, u64, Codec) {
    let environment = environment(&format!("{declarations};\nval it = {expr}"));
    let it = environment.function("it").expect("it was declared");
    let ty: TypeId = environment.program().variable(it).scheme.ty;
    let mut compiler = Compiler::new(environment.program());
    let codec = compiler.codec(ty).expect("data");
    let it = compiler.compile_global(it).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    let value = machine.call(it, &[]).expect("a value");
    (machine, value, codec)
}

const SETS: &str = "colset N = int; colset S = string; colset P = product N * S * N;
    colset C = with red | green; colset U = union A : P + B : C + D;
    colset L = list N; var a, b, c : N; var s : S; var u : U; var l : L;";

#[test]
fn patterns_bind_and_compare() {
    let mut environment = environment(SETS);
    let set = environment.find_colour_set("P").expect("it was declared");
    let arc = environment.arc("arc", "(a, s, a)", set).expect("an arc");
    let [a, s] = ["a", "s"].map(|name| environment.cpn_variable(name).expect(name));
    let types = &mut environment.program_mut().types;
    let pattern = arc.expr.as_pattern(types, &|_| true).expect("a pattern");
    let mut compiler = Compiler::new(environment.program());
    let free = compiler.compile_pattern(&pattern, &[], &[s, a]).expect("it can be compiled");
    let bound = compiler.compile_pattern(&pattern, &[s], &[a]).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    let texts = [&b"long enough"[..], b"long enough", b"other"];
    let [x, y, z] = texts.map(|text| machine.memory().string(text).expect("memory"));
    let same = machine.memory().record(&[7, x, 7]).expect("memory");
    let different = machine.memory().record(&[7, x, 8]).expect("memory");
    let mut outputs = [0; 2];
    assert_eq!(machine.call_pattern(free, same, &[], &mut outputs), Ok(true));
    assert_eq!(outputs, [x, 7]);
    assert_eq!(machine.call_pattern(free, different, &[], &mut outputs), Ok(false));
    let mut outputs = [0; 1];
    assert_eq!(machine.call_pattern(bound, same, &[y], &mut outputs), Ok(true));
    assert_eq!(outputs, [7]);
    assert_eq!(machine.call_pattern(bound, same, &[z], &mut outputs), Ok(false));
}

#[test]
fn patterns_look_into_unions_and_lists() {
    let cases = [
        ("U", "A (a, s, 3)", "A (5, \"x\", 3)", true),
        ("U", "A (a, s, 3)", "A (5, \"x\", 4)", false),
        ("U", "A (a, s, 3)", "D", false),
        ("U", "B red", "B red", true),
        ("U", "B red", "B green", false),
        ("U", "D", "D", true),
        ("L", "a :: b :: l", "[1, 2]", true),
        ("L", "a :: b :: l", "[1]", false),
        ("L", "[a, 2]", "[1, 2]", true),
        ("L", "[a, 2]", "[1, 2, 3]", false),
    ];
    for (set, pattern, value, matches) in cases {
        let mut environment = environment(&format!("{SETS} val it : {set} = {value}"));
        let it = environment.function("it").expect("it was declared");
        let set = environment.find_colour_set(set).expect("it was declared");
        let arc = environment.arc("arc", pattern, set).expect("an arc");
        let variables = environment.variables_in(&arc.expr);
        let types = &mut environment.program_mut().types;
        let as_pattern = arc.expr.as_pattern(types, &|_| true).expect("a pattern");
        let mut compiler = Compiler::new(environment.program());
        let it = compiler.compile_global(it).expect("it can be compiled");
        let function = compiler.compile_pattern(&as_pattern, &[], &variables).expect("a pattern");
        let code = Arc::new(compiler.finish().expect("all can be compiled"));
        let mut machine = Machine::new(code, Limits::default()).expect("values");
        let value = machine.call(it, &[]).expect("a value");
        let mut outputs = vec![0; variables.len()];
        let matched = machine.call_pattern(function, value, &[], &mut outputs);
        assert_eq!(matched, Ok(matches), "{pattern}");
    }
}

#[test]
fn bytes_are_canonical() {
    let (machine, value, codec) = value_of(
        "datatype d = A | B of int | C of d * d",
        "([(~1, \"ab\", C (A, B 300)), (2, \"\", A)], 4611686018427387904 : IntInf.int, ~1 : IntInf.int,
          #\"x\", 1.5, (), SOME true, 0w7)",
    );
    let mut bytes = Vec::new();
    codec.encode(&machine, value, &mut bytes).expect("bytes");
    let expected = [
        &[2][..],
        &[1, 2, b'a', b'b', 2, 0, 1, 0xd8, 4],
        &[4, 0, 0],
        &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
        &[1, b'x', 0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 1, 1, 7],
    ];
    assert_eq!(bytes, expected.concat());
    let mut rest = &bytes[..];
    codec.skip(&machine, &mut rest).expect("a value");
    assert!(rest.is_empty());
}

#[test]
fn bytes_that_are_no_value_are_refused() {
    let (mut machine, value, codec) =
        value_of("datatype d = A | B of int | C of d * d", "[(1, \"ab\", C (A, B 3))]");
    let mut bytes = Vec::new();
    codec.encode(&machine, value, &mut bytes).expect("bytes");
    for length in 0..bytes.len() {
        assert!(codec.decode(&mut machine, &mut &bytes[..length]).is_err(), "{length}");
        assert!(codec.skip(&machine, &mut &bytes[..length]).is_err(), "{length}");
    }
    for at in 0..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[at] = 0xff;
        // Some are other values; none may panic.
        let _ = codec.decode(&mut machine, &mut &wrong[..]);
        let _ = codec.skip(&machine, &mut &wrong[..]);
    }
    assert!(codec.decode(&mut machine, &mut &[0xff; 20][..]).is_err());
}

/// Declared in the order that they must have.
#[test]
fn order_of_values() {
    let types = "datatype d = A | B of int | C of d * d";
    let lists = [
        "[A, B ~1, B 2, C (A, B 1), C (A, B 2), C (B 0, A)]",
        "[[], [1], [1, 1], [2], [10]]",
        "[(1, \"a\"), (1, \"ab\"), (1, \"b\"), (2, \"\")]",
        "[~4611686018427387905 : IntInf.int, ~5, 3, 4611686018427387904, 4611686018427387905]",
        "[~1.5, 0.0, 2.5]",
    ];
    for list in lists {
        let (machine, value, codec) = value_of(types, list);
        let Layout::List(element) = machine.code().layout(codec.layout()) else {
            panic!("{list} is a list");
        };
        let values: Vec<u64> = machine.list(value).collect();
        for (m, a) in values.iter().enumerate() {
            for (n, b) in values.iter().enumerate() {
                assert_eq!(machine.compare(*element, *a, *b), m.cmp(&n), "{list}: {m}, {n}");
                assert_eq!(machine.equal(*element, *a, *b), m == n, "{list}: {m}, {n}");
            }
        }
    }
}

#[test]
fn assigned_values_outlive_a_reset() {
    let mut environment = environment(
        "val l = ref [0]; val f = ref (fn x => x + 1); val r = ref (ref 1); val a = Array.array (2, \"\");
         fun push n = l := n :: !l;
         fun work n = (push n; f := (fn x => x * n); r := ref n; Array.update (a, 0, Int.toString n));
         fun look () = (!l, (!f) 10, !(!r), Array.sub (a, 0));",
    );
    environment
        .declare_ml(
            "more",
            "fun shown () = let val (l, n, m, s) = look () in
        String.concatWith \",\" (map Int.toString (n :: m :: l)) ^ s end",
        )
        .expect("a function");
    let [work, shown] = ["work", "shown"].map(|name| environment.function(name).expect(name));
    let mut compiler = Compiler::new(environment.program());
    let work = compiler.compile_call(work).expect("it can be compiled");
    let shown = compiler.compile_call(shown).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    for n in 1..4 {
        let mark = machine.mark();
        machine.call(work, &[n]).expect("it works");
        // After the reset the memory is overwritten, so a lost value would be noticed.
        machine.reset(mark);
        let mark = machine.mark();
        machine.memory().list(&[99; 50]).expect("memory");
        machine.reset(mark);
    }
    let text = machine.call(shown, &[0]).expect("a text");
    assert_eq!(machine.string(text), b"30,3,3,2,1,03");
}

/// A reference that is assigned repeatedly needs memory for its value, not for all earlier values.
#[test]
fn what_references_held_before_is_given_back() {
    let environment = environment(
        "val l = ref [0]; val r = ref (ref \"\"); val other = ref [1, 2, 3];
         fun fill n = (l := List.tabulate (100, fn x => x + n); !r := Int.toString n; r := ref (!(!r)));
         fun sum () = foldl op + 0 (!l) + foldl op + 0 (!other) + String.size (!(!r))",
    );
    let mut compiler = Compiler::new(environment.program());
    let [fill, sum] = ["fill", "sum"].map(|name| {
        let function = environment.function(name).expect("it is declared");
        compiler.compile_call(function).expect("it can be compiled")
    });
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    let mut most = 0;
    for n in 0..2000 {
        let mark = machine.mark();
        machine.call(fill, &[n]).expect("it is assigned");
        machine.reset(mark);
        machine.collect();
        most = most.max(machine.heap_bytes());
        let found = machine.call(sum, &[0]).expect("a sum");
        let digits = n.to_string().len() as u64;
        assert_eq!(found, 4950 + 100 * n + 6 + digits);
        machine.reset(mark);
    }
    assert!(most < 100_000, "{most} bytes");
}

/// Marks may nest: an outer reset keeps what an inner reset keeps, and nothing else.
#[test]
fn assigned_values_outlive_nested_resets() {
    let environment =
        environment("val l = ref [0]; fun push n = l := n :: !l; fun sum () = foldl op + 0 (!l)");
    let [push, sum] = ["push", "sum"].map(|name| environment.function(name).expect(name));
    let mut compiler = Compiler::new(environment.program());
    let push = compiler.compile_call(push).expect("it can be compiled");
    let sum = compiler.compile_call(sum).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    let before = machine.heap_bytes();
    for n in 1..=100 {
        let outer = machine.mark();
        machine.memory().list(&[99; 1000]).expect("memory");
        let inner = machine.mark();
        machine.call(push, &[n]).expect("it is assigned");
        machine.reset(inner);
        assert_eq!(machine.call(sum, &[0]), Ok(n * (n + 1) / 2));
        machine.reset(outer);
        assert_eq!(machine.call(sum, &[0]), Ok(n * (n + 1) / 2));
    }
    assert!(machine.heap_bytes() < before + 100 * 16 + 16, "{}", machine.heap_bytes() - before);
}

#[test]
fn colour_set_functions_are_found() {
    let environment = environment("colset B = bool with (no, yes); colset P = product B * B;");
    let mkstr = environment.function("P.mkstr").expect("every colour set has it");
    let mut compiler = Compiler::new(environment.program());
    let mkstr = compiler.compile_call(mkstr).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    let pair = machine.memory().record(&[1, 0]).expect("memory");
    let text = machine.call(mkstr, &[pair]).expect("a text");
    assert_eq!(machine.string(text), b"(yes,no)");
}

#[test]
fn time_step_and_instance() {
    let mut environment = environment("colset T = int timed; var n : T;");
    let set = environment.find_colour_set("T").expect("it was declared");
    let arc = environment.arc("arc", "n @+ 5", set).expect("an arc");
    assert_eq!(arc.typing, Typing::TimedToken);
    let vars = environment.variables_in(&arc.expr);
    let (mut machine, function) = machine_for(&environment, &arc.expr, &vars);
    let now = machine.memory().int_inf(100).expect("memory");
    machine.set_time(now);
    let tokens = machine.call(function, &[3]).expect("tokens");
    let token = machine.list(tokens).next().expect("a token");
    assert_eq!(machine.field(token, 0), 3);
    assert_eq!(machine.int_inf(machine.field(token, 1)), 105.into());
}

#[test]
fn chance_and_print() {
    let environment = environment(
        "colset I = int with 1..6; fun roll () = I.ran (); fun say n = print (Int.toString n)",
    );
    let [roll, say] = ["roll", "say"].map(|name| environment.function(name).expect(name));
    let mut compiler = Compiler::new(environment.program());
    let roll = compiler.compile_call(roll).expect("it can be compiled");
    let say = compiler.compile_call(say).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut limits = Limits::default();
    limits.seed = Some(7);
    limits.print = Print::Keep;
    let mut machine = Machine::new(code.clone(), limits).expect("values");
    let mut rolls = || (0..100).map(|_| machine.call(roll, &[0]).expect("a number")).collect();
    let first: Vec<u64> = rolls();
    assert!(first.iter().all(|n| (1..=6).contains(n)));
    assert!((1..=6).all(|n| first.contains(&n)));
    machine.set_seed(7);
    let again: Vec<u64> = (0..100).map(|_| machine.call(roll, &[0]).expect("a number")).collect();
    assert_eq!(first, again);
    machine.call(say, &[42]).expect("it is said");
    assert_eq!(machine.take_printed(), b"42");
    let mut without = Machine::new(code, Limits::default()).expect("values");
    let raised = without.call(roll, &[0]).expect_err("chance is refused");
    assert!(raised.to_string().contains("random"), "{raised}");
}

#[test]
fn errors_of_declarations_have_a_place() {
    let environment = environment("val n = 5;\nval m = n div 0;\nval k = m + 1;");
    let k = environment.function("k").expect("it was declared");
    let mut compiler = Compiler::new(environment.program());
    compiler.compile_global(k).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let raised = Machine::new(code, Limits::default()).expect_err("a division by zero");
    let error = raised.explain(environment.sources());
    assert_eq!(error.to_string(), "declarations:2:9: exception Div in `n div 0`");
}

#[test]
fn errors_in_the_library_are_told_where_it_is_used() {
    let mut environment = environment(SETS);
    let set = environment.find_colour_set("N").expect("it was declared");
    let arc = environment.arc("arc", "1 + hd l", set).expect("an arc");
    let vars = environment.variables_in(&arc.expr);
    let (mut machine, function) = machine_for(&environment, &arc.expr, &vars);
    let raised = machine.call(function, &[0]).expect_err("an empty list");
    let error = raised.explain(environment.sources());
    assert_eq!(error.to_string(), "arc:1:5: exception Empty in `hd l`");
    let arc = environment.arc("arc", "hd l", set).expect("an arc");
    let (mut machine, function) = machine_for(&environment, &arc.expr, &vars);
    let raised = machine.call(function, &[0]).expect_err("an empty list");
    let error = raised.explain(environment.sources());
    assert_eq!(error.to_string(), "arc:1:1: exception Empty in `hd l`");
}

#[test]
fn code_is_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<sweepline_ml::Code>();
    sent::<Machine>();
}

#[test]
fn how_reals_are_written() {
    let cases = [
        ("1.5", "1.5"),
        ("~2.0", "~2.0"),
        ("10000000000.0", "10000000000.0"),
        ("0.0", "0.0"),
        ("1E12", "1E12"),
        ("1.25E20", "1.25E20"),
        ("0.0001", "0.0001"),
        ("0.00001", "1E~05"),
        ("1.0 / 3.0", "0.333333333333"),
        ("123456.789", "123456.789"),
        ("1.0 / 0.0", "inf"),
        ("~1.0 / 0.0", "~inf"),
        ("0.0 / 0.0", "nan"),
    ];
    for (expr, expected) in cases {
        assert_eq!(
            super::evaluate("", &format!("Real.toString ({expr})")),
            format!("\"{expected}\"")
        );
    }
    let cases = [
        ("Real.fmt (StringCvt.FIX (SOME 2)) 3.14159", "\"3.14\""),
        ("Real.fmt (StringCvt.SCI (SOME 3)) 1234.5", "\"1.234E3\""),
        ("Real.fromString \" 1.5e3x\"", "SOME(1500.0)"),
        ("Real.fromString \"~.5\"", "SOME(~0.5)"),
        ("Real.fromString \"abc\"", "NONE"),
        ("Int.fromString \" 12abc\"", "SOME(12)"),
        (
            "Date.toString (Date.date {year = 2024, month = Date.Feb, day = 28, hour = 25, minute = 0, second = 0, offset = NONE})",
            "\"Thu Feb 29 01:00:00 2024\"",
        ),
    ];
    for (expr, expected) in cases {
        assert_eq!(super::evaluate("", expr), expected);
    }
}

#[test]
fn functions_of_wrong_declarations_are_refused() {
    let mut environment = Environment::default();
    environment.declare_ml("declarations", "fun wrong () = 1 + true;").expect_err("it is wrong");
    let wrong = environment.function("wrong").expect("its name is known");
    let mut compiler = Compiler::new(environment.program());
    assert_eq!(compiler.compile_call(wrong).unwrap_err().message, "this is not a function");
}
