//! Programs that would not end or would use all memory: each results in an error within bounded time.

use sweepline_ml::Limits;

use super::evaluate_with;

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.fuel = 20_000_000;
    limits.heap = 64 << 20;
    limits.stack = 64 << 20;
    limits
}

#[track_caller]
fn stops(declarations: &str, expr: &str, by: &str) {
    let outcome = evaluate_with(declarations, expr, limits());
    let shown: String = outcome.chars().take(300).collect();
    assert!(outcome.contains(by), "{shown} for {expr}");
}

const FUEL: &str = "evaluation has not ended after 20000000 calls and loops";
const HEAP: &str = "values need more than 64 MiB";
const STACK: &str = "recursion needs more than 64 MiB";

#[test]
fn recursion() {
    stops("fun f n = 1 + f (n + 0)", "f 0", STACK);
    stops("fun f () = f ()", "f ()", FUEL);
    stops("fun f n = g n + 1 and g n = f n + 1", "f 0", STACK);
    stops("fun f x = (fn y => f y + 1) x", "f 0", STACK);
    stops("fun f () : int = f () before ()", "f ()", STACK);
    stops("fun f n = (f (n + 0)) handle Overflow => 1", "f 0", STACK);
    stops("fun f n = f n handle e => f n", "f 1", "MiB");
}

#[test]
fn loops() {
    stops("", "while true do ()", FUEL);
    stops("val r = ref [0]", "while true do r := 1 :: !r", "64 MiB");
}

#[test]
fn memory() {
    stops("", "List.tabulate (1000000000, fn i => i)", "MiB");
    stops("", "1000000000`5", "has not ended");
    stops("", "100000000`5", HEAP);
    stops("fun double s = double (s ^ s)", "double \"ab\" ^ \"\"", HEAP);
    stops("fun double l = double (l ^^ l)", "double [1] ^^ [2]", HEAP);
    stops("fun grow l = grow (1 :: l)", "grow nil ^^ [1]", HEAP);
    stops("", "Array.array (1000000000, 1)", "has not ended");
    stops("", "Array.array (100000000, 1)", HEAP);
    stops("fun f (n : IntInf.int) = f (n * n)", "f 3 + 1", "a number has more than");
    stops("", "IntInf.pow (3, 1000000000)", "a number has more than");
    stops("colset I = int with 1..1000000000", "I.all ()", HEAP);
    stops("colset A = int with 1..1000; colset P = product A * A * A", "P.all ()", "MiB");
}

/// Values as deep as the heap allows are compared, written and encoded without recursion.
#[test]
fn deep_values() {
    let declarations = "datatype t = Z | S of t
                        fun deep (0, t) = t | deep (n, t) = deep (n - 1, S t)";
    stops(declarations, "deep (1000000, Z) = deep (1000000, Z)", "true");
    stops(declarations, "deep (1000000, Z) = deep (999999, Z)", "false");
    stops(declarations, "deep (1000, Z)", "S(S(S(");
}

/// Parts of a value that are stored once may occur in it exponentially often.
#[test]
fn shared_parts() {
    let declarations = "datatype t = L | N of t * t
                        fun d (0, t) = t | d (n, t) = d (n - 1, N (t, t))";
    stops(declarations, "d (60, L) = d (60, L)", FUEL);
    stops(declarations, "mem [d (60, N (L, L))] (d (61, L))", FUEL);
}

/// Nesting as deep as the parser allows.
#[test]
fn nesting() {
    let nest = |n: usize, open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    stops("", &nest(90, "(1 + ", "0", ")"), "90");
    stops("", &nest(90, "(if 1 < 2 then ", "5", " else 0)"), "5");
    stops("", &nest(90, "let val x = ", "5", " in x + 1 end"), "95");
    stops("", &nest(90, "(case 1 of 1 => ", "5", " | _ => 0)"), "5");
    stops("", &nest(90, "(fn x => x + 1) (", "5", ")"), "95");
    stops("", &nest(90, "[", "5", "]"), "[[[[");
    stops("", &nest(90, "(1, ", "5", ")"), "(1,(1,");
    stops("", &nest(90, "SOME (", "5", ")"), "SOME(SOME(");
    stops("", &nest(60, "let fun f x = ", "x", " in f 1 end"), "1");
}

/// Primitives whose work grows with their arguments use fuel for it.
#[test]
fn work_of_primitives() {
    let declarations = "val long = implode (List.tabulate (10000, fn _ => #\"1\"))
                        val list = List.tabulate (10000, fn i => i)
                        val same = List.tabulate (10000, fn i => i)
                        val large = IntInf.pow (3, 50000)
                        fun forever f = (f (); forever f)";
    for work in [
        "IntInf.fromString long",
        "IntInf.toString large",
        "list = same",
        "length list",
        "mem list ~1",
        "list == same",
        "large * large",
        "large < large + 1",
        "String.size (long ^ \"x\")",
        "String.compare (long, long ^ \"\")",
        "explode long",
        "rev list",
    ] {
        let mut limits = limits();
        limits.fuel = 500_000;
        let outcome = evaluate_with(declarations, &format!("forever (fn () => {work})"), limits);
        assert!(outcome.contains("has not ended") || outcome.contains("MiB"), "{work}: {outcome}");
    }
}

/// A function that cannot be compiled stops every caller, not only the first.
#[test]
fn refused_functions_stay_refused() {
    let params: Vec<String> = (0..300).map(|n| format!("x{n}")).collect();
    let values: Vec<String> = (0..300).map(|n| n.to_string()).collect();
    let declarations =
        format!("fun f ({}) = x1 + x2; fun g () = f ({})", params.join(","), values.join(","));
    let mut environment = sweepline_ml::Environment::default();
    environment.declare_ml("declarations", &declarations).expect("declarations");
    environment.declare_ml("more", "fun h () = 1 + g (); fun k () = h ()").expect("declarations");
    let [g, h] = ["g", "h"].map(|name| environment.function(name).expect(name));
    let mut compiler = sweepline_ml::Compiler::new(environment.program());
    compiler.compile_call(g).expect_err("too many values");
    let h = compiler.compile_call(h).expect("known functions are not compiled again");
    let code = std::sync::Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = sweepline_ml::Machine::new(code, limits()).expect("values");
    let raised = machine.call(h, &[0]).expect_err("it was refused");
    assert!(raised.to_string().contains("too many values at once"), "{raised}");
}

#[test]
fn outside() {
    stops("", "TextIO.openIn \"/etc/passwd\"", "reading a file cannot be evaluated");
    stops("", "TextIO.inputLine TextIO.stdIn", "reading from a stream cannot be evaluated");
    stops("", "OS.Process.getEnv \"HOME\"", "cannot be evaluated");
    stops("", "uniform (0.0, 1.0) handle _ => 1.0", "a random function cannot be evaluated");
    stops("colset I = int with 1..3", "I.ran ()", "a random function cannot be evaluated");
    stops("", "time_of_day ()", "the time of day cannot be evaluated");
}

#[test]
fn long_sums_and_chains() {
    let sum: Vec<String> = (0..3000).map(|n| format!("1`{n}")).collect();
    stops("", &format!("size ({})", sum.join("++")), "3000");
    let chain: Vec<String> = (0..3000).map(|n| format!("n <> {n}")).collect();
    stops(
        "fun f n = let in n end",
        &format!("let val n = f 2999 in {} end", chain.join(" andalso ")),
        "false",
    );
    let list: Vec<String> = (0..3000).map(|n| format!("f {n}")).collect();
    stops("fun f n = n + 1", &format!("length [{}]", list.join(",")), "3000");
    let fields: Vec<String> = (0..300).map(|n| format!("l{n} = f {n}")).collect();
    stops("fun f n = n + 1", &format!("#l299 {{{}}}", fields.join(",")), "300");
    let params: Vec<String> = (0..300).map(|n| format!("x{n}")).collect();
    let declarations = format!("fun f ({}) = x1 + x2", params.join(","));
    let values: Vec<String> = (0..300).map(|n| n.to_string()).collect();
    stops(&declarations, &format!("f ({})", values.join(",")), "too many values at once");
}
