//! How long evaluation takes: recursion, lists, strings, and what a net asks for most.

use std::sync::Arc;

use divan::Bencher;
use sweepline_ml::core::VarId;
use sweepline_ml::{Compiler, Environment, FunctionId, Limits, Machine, Word};

fn main() {
    divan::main();
}

const DECLARATIONS: &str = "
    colset NO = int; colset DATA = string; colset PACKET = product NO * DATA;
    var n, k : NO; var p : DATA; var packet : PACKET;
    fun fib n = if n < 2 then n else fib (n - 1) + fib (n - 2);
    fun upto (0, l) = l | upto (n, l) = upto (n - 1, n :: l);
    val thousand = upto (1000, nil);
    fun reverse (nil, l) = l | reverse (x :: k, l) = reverse (k, x :: l);
    fun build 0 = \"\" | build n = Int.toString n ^ build (n - 1);
    fun sum (0, s) = s | sum (n, s) = sum (n - 1, s + n mod 7);";

fn machine(expr: &str) -> (Machine, FunctionId) {
    let mut environment = Environment::default();
    environment.declare_ml("declarations", DECLARATIONS).expect("declarations");
    environment.declare_ml("expression", &format!("fun it () = {expr}")).expect("a function");
    let it = environment.function("it").expect("it was declared");
    let mut compiler = Compiler::new(environment.program());
    let function = compiler.compile_call(it).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    (Machine::new(code, Limits::default()).expect("values"), function)
}

fn bench(bencher: Bencher<'_, '_>, expr: &str) {
    let (mut machine, function) = machine(expr);
    bencher.bench_local(|| {
        let mark = machine.mark();
        let value = machine.call(function, &[0]).expect("a value");
        machine.reset(mark);
        value
    });
}

#[divan::bench]
fn fib_25(bencher: Bencher<'_, '_>) {
    bench(bencher, "fib 25");
}

#[divan::bench]
fn loop_1000(bencher: Bencher<'_, '_>) {
    bench(bencher, "sum (1000, 0)");
}

#[divan::bench]
fn reverse_1000(bencher: Bencher<'_, '_>) {
    bench(bencher, "reverse (thousand, nil)");
}

#[divan::bench]
fn map_1000(bencher: Bencher<'_, '_>) {
    bench(bencher, "map (fn x => x + 1) thousand");
}

#[divan::bench]
fn fold_1000(bencher: Bencher<'_, '_>) {
    bench(bencher, "foldl (fn (x, s) => (x + s) mod 1000) 0 thousand");
}

#[divan::bench]
fn string_100(bencher: Bencher<'_, '_>) {
    bench(bencher, "build 100");
}

/// ``if n = k then 1`(n + 1, p) else empty``, with the values of the variables given.
#[divan::bench]
fn arc_expression(bencher: Bencher<'_, '_>) {
    let mut environment = Environment::default();
    environment.declare_ml("declarations", DECLARATIONS).expect("declarations");
    let packet = environment.find_colour_set("PACKET").expect("it was declared");
    let text = "if n = k then 1`(n + 1, p) else empty";
    let arc = environment.arc("arc", text, packet).expect("an arc");
    let variables = ["n", "k", "p"].map(|name| environment.cpn_variable(name).expect(name));
    let mut compiler = Compiler::new(environment.program());
    let function = compiler.compile_function(&variables, &arc.expr).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    let p = machine.memory().string(b"modelling").expect("memory");
    bencher.bench_local(|| {
        let mark = machine.mark();
        let tokens = machine.call(function, &[7, 7, divan::black_box(p)]).expect("tokens");
        machine.reset(mark);
        tokens
    });
}

fn pattern() -> (Machine, FunctionId, Word) {
    let mut environment = Environment::default();
    environment.declare_ml("declarations", DECLARATIONS).expect("declarations");
    let packet = environment.find_colour_set("PACKET").expect("it was declared");
    let arc = environment.arc("arc", "(n, p)", packet).expect("an arc");
    let variables = ["n", "p"].map(|name| environment.cpn_variable(name).expect(name));
    let types = &mut environment.program_mut().types;
    let binds = |var: VarId| variables.contains(&var);
    let pattern = arc.expr.as_pattern(types, &binds).expect("a pattern");
    let mut compiler = Compiler::new(environment.program());
    let function = compiler.compile_pattern(&pattern, &[], &variables).expect("it can be compiled");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    let p = machine.memory().string(b"modelling").expect("memory");
    let token = machine.memory().record(&[7, p]).expect("memory");
    (machine, function, token)
}

#[divan::bench]
fn match_token(bencher: Bencher<'_, '_>) {
    let (mut machine, function, token) = pattern();
    let mut outputs = [0; 2];
    bencher.bench_local(|| {
        machine
            .call_pattern(function, divan::black_box(token), &[], &mut outputs)
            .expect("a match");
        outputs
    });
}

#[divan::bench]
fn encode_token(bencher: Bencher<'_, '_>) {
    let mut environment = Environment::default();
    environment.declare_ml("declarations", DECLARATIONS).expect("declarations");
    let packet = environment.find_colour_set("PACKET").expect("it was declared");
    let mut compiler = Compiler::new(environment.program());
    let codec = compiler.codec(environment.colour_set(packet).ty).expect("data");
    let code = Arc::new(compiler.finish().expect("all can be compiled"));
    let mut machine = Machine::new(code, Limits::default()).expect("values");
    let p = machine.memory().string(b"modelling").expect("memory");
    let token = machine.memory().record(&[7, p]).expect("memory");
    let mut out = Vec::new();
    bencher.bench_local(|| {
        out.clear();
        codec.encode(&machine, divan::black_box(token), &mut out).expect("bytes");
        out.len()
    });
}
