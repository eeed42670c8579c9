//! The text of the kernels is CUDA: the compiler for graphics cards accepts it. It needs no card and no driver.

use std::path::Path;

use proptest::strategy::{Just, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sweepline::compiled::{Condition, Field, Guard, Transition, TransitionSystem};
use sweepline_gpu::{Dialect, Kernel, Program, Target, compile, has_compiler, load_compiler, text};

use crate::random::system;

/// Whether there is a compiler: in the file that `SWEEPLINE_NVRTC` names, or installed.
fn is_there() -> bool {
    if let Some(file) = std::env::var_os("SWEEPLINE_NVRTC") {
        assert!(load_compiler(Path::new(&file)), "SWEEPLINE_NVRTC names no library");
    }
    if has_compiler() {
        return true;
    }
    eprintln!("SKIPPED: no libnvrtc; name the file of one in SWEEPLINE_NVRTC");
    false
}

/// One program for each number of words, with all kinds of targets.
fn programs() -> Vec<Program> {
    let mut runner = TestRunner::deterministic();
    let widths = [
        vec![4, 4, 4, 4],
        vec![2, 62],
        vec![2, 2, 59, 3, 2],
        vec![64, 2, 2, 60],
        vec![2, 60, 3, 58, 2, 60],
        vec![2, 60, 60, 60, 3, 60, 60, 2],
    ];
    let program = |widths: Vec<u32>| {
        let random = system(Just(widths), 2..3).new_tree(&mut runner).unwrap().current();
        let sum = random.sum(0, 1);
        random.program(vec![
            Target::Fired(vec![0]),
            Target::State(Condition::AtMost(sum.clone(), 3).negated()),
            Target::State(Condition::All(vec![Condition::Enabled(vec![0]), Condition::Dead])),
            Target::Least(sum.clone()),
            Target::Greatest(vec![sum.clone(), random.sum(1, 2)]),
        ])
    };
    widths.map(program).to_vec()
}

/// The registers that each kernel of some machine code uses, from its section `.nv.info`.
fn registers(code: &[u8]) -> Vec<usize> {
    let number = |at: usize, bytes: usize| {
        code[at..at + bytes].iter().rev().fold(0u64, |n, byte| n << 8 | u64::from(*byte)) as usize
    };
    let (sections, size, count, names) =
        (number(0x28, 8), number(0x3A, 2), number(0x3C, 2), number(0x3E, 2));
    let header = |section: usize| sections + section * size;
    let names = number(header(names) + 0x18, 8);
    let name = |section: usize| {
        let start = names + number(header(section), 4);
        let length = code[start..].iter().position(|byte| *byte == 0).unwrap();
        String::from_utf8_lossy(&code[start..start + length]).into_owned()
    };
    let info = (0..count).find(|section| name(*section) == ".nv.info").unwrap();
    let (mut at, mut found) = (number(header(info) + 0x18, 8), Vec::new());
    let end = at + number(header(info) + 0x20, 8);
    // Entries: a format, an attribute, and a length or a value. 0x2F is a symbol and its number of registers.
    while at < end {
        let (format, attribute, size) = (code[at], code[at + 1], number(at + 2, 2));
        if attribute == 0x2F {
            found.push(number(at + 8, 4));
        }
        at += if format == 4 { 4 + size } else { 4 };
    }
    found
}

#[test]
fn kernels_compile_for_every_generation() {
    if !is_there() {
        return;
    }
    for program in programs() {
        for capability in [70, 80, 90] {
            let dialect = Dialect::Cuda { pairs: capability >= 90 };
            let text = text(&program, dialect).unwrap();
            match compile(&text, capability) {
                Ok(code) => {
                    assert!(code.starts_with(b"\x7fELF"), "sm_{capability}");
                    let registers = registers(&code);
                    assert_eq!(registers.len(), Kernel::ALL.len(), "{registers:?}");
                    // With more, fewer than two blocks of 256 threads run on a multiprocessor.
                    let few = registers.iter().all(|count| (1..=128).contains(count));
                    assert!(few, "sm_{capability}, {} words: {registers:?}", program.words());
                }
                // A later compiler has dropped the first generation.
                Err(error) if capability == 70 && error.to_string().contains("arch") => {}
                Err(error) => panic!("sm_{capability}, {} words: {error}", program.words()),
            }
        }
    }
}

/// A net unfolded from a symmetric one may have thousands of transitions.
#[test]
fn programs_with_many_transitions_compile() {
    if !is_there() {
        return;
    }
    let mut system = TransitionSystem::new(vec![0; 4]);
    let field = |i: u32| Field { word: i % 4, shift: 2 * (i / 4 % 31), most: 3 };
    for i in 0..4_000u32 {
        let (one, other) = (field(i), field(i * 7 + 1));
        system.add(Transition {
            guards: vec![Guard::AtLeast(one, 1), Guard::SumAtMost(vec![(other, 1)], 2)],
            additions: vec![
                (one.word, 0u64.wrapping_sub(1 << one.shift)),
                (other.word, 1 << other.shift),
            ],
            room: Vec::new(),
        });
    }
    let program = Program {
        used: vec![u64::MAX >> 2; 4],
        start: Vec::new(),
        columns: 0,
        steps: vec![Vec::new(); system.len()],
        system,
        terminated: Condition::Constant(false),
        targets: vec![Target::State(Condition::Enabled((0..4_000).step_by(7).collect()))],
    };
    let text = text(&program, Dialect::Cuda { pairs: true }).unwrap();
    assert!(compile(&text, 90).is_ok());
}

#[test]
fn a_mistake_in_the_text_is_reported() {
    if !is_there() {
        return;
    }
    let error = compile("__global__ void f() { nonsense }", 80).unwrap_err();
    assert!(error.to_string().contains("nonsense"), "{error}");
}
