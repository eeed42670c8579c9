//! Limits, short memory, an interrupt, and states that do not fit.

use std::time::Duration;

use sweepline::compiled::{Condition, Field, Guard, Transition, TransitionSystem};
use sweepline::model::bytes_of;
use sweepline::{Check, Interrupt, Limits, Options, Report, StopReason, Verdict};
use sweepline_gpu::{
    Address, Device, DeviceError, Dialect, GpuEngine, HostDevice, Kernel, Program, Target, Unfit,
    text,
};
use sweepline_testkit::assert_follows;

/// Counters of 5 bits that count up to `most`; the measure is their sum.
fn counters(count: u32, most: u64, swept: bool) -> (TransitionSystem, Program) {
    let mut system = TransitionSystem::new(vec![0]);
    let field = |i: u32| Field { word: 0, shift: 5 * i, most: 31 };
    for i in 0..count {
        system.add(Transition {
            guards: vec![Guard::SumAtMost(vec![(field(i), 1)], most - 1)],
            additions: vec![(0, 1 << (5 * i))],
            room: Vec::new(),
        });
    }
    let (start, step) = if swept { (vec![0], vec![1]) } else { (Vec::new(), Vec::new()) };
    let program = Program {
        system: system.clone(),
        used: vec![u64::MAX >> (64 - 5 * count)],
        start,
        columns: 0,
        steps: vec![step; count as usize],
        terminated: Condition::Constant(false),
        targets: vec![Target::State(Condition::Dead)],
    };
    (system, program)
}

fn run(
    (system, program): (&TransitionSystem, &Program),
    options: Options,
    memory: u64,
) -> Report<TransitionSystem> {
    let mut device = HostDevice::new(2, 2, memory, true);
    let encode = |model: &TransitionSystem, words: &[u64]| {
        bytes_of(model, &words[..model.initial.len()].to_vec())
    };
    let mut engine = GpuEngine::new(system, &mut device, program.clone(), encode).unwrap();
    Check::new(system).deadlock().options(options).run_on(&mut engine, &mut ())
}

#[test]
fn tables_grow_from_nothing_to_a_million_states() {
    let (system, program) = counters(4, 31, false);
    let report = run((&system, &program), Options::default(), 1 << 28);
    // The only dead state is the last one; the run ends by its decision.
    assert_eq!(report.statistics.explored, 32u64.pow(4));
    let Verdict::Violated(Some(witness)) = &report.properties[0].verdict else { panic!("no path") };
    assert_eq!(witness.len(), 4 * 31);
    assert_follows(&system, witness);
}

#[test]
fn a_sweep_stores_a_part_and_finds_the_same_path_by_several_runs() {
    let (system, program) = counters(4, 31, true);
    let whole = run((&system, &program), Options::default(), 1 << 28);
    assert!(whole.statistics.peak_states < 32u64.pow(4) / 8);
    // Origins of all layers do not fit here, so the path is found piece by piece.
    let limits = Limits { memory: Some(5 << 20), ..Limits::default() };
    let small = run((&system, &program), Options { limits, ..Options::default() }, 1 << 28);
    for report in [&whole, &small] {
        let Verdict::Violated(Some(witness)) = &report.properties[0].verdict else {
            panic!("no path: {:?}", report.stop)
        };
        assert_eq!(witness.len(), 4 * 31);
        assert_follows(&system, witness);
    }
}

#[test]
fn short_memory_is_unknown() {
    let (system, program) = counters(4, 31, false);
    for memory in [0, 1 << 10, 1 << 16, 3 << 20] {
        let report = run((&system, &program), Options::default(), memory);
        assert_eq!(report.stop, Some(StopReason::Memory), "{memory} bytes");
        assert!(matches!(report.properties[0].verdict, Verdict::Unknown(StopReason::Memory)));
    }
}

#[test]
fn limits_and_interrupts_stop_a_run() {
    let (system, program) = counters(4, 31, false);
    let options = |limits| Options { limits, ..Options::default() };
    let states = Limits { states: Some(1_000), ..Limits::default() };
    let report = run((&system, &program), options(states), 1 << 28);
    assert_eq!(report.stop, Some(StopReason::States));
    assert!((1_000..100_000).contains(&report.statistics.explored));
    let time = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
    assert_eq!(run((&system, &program), options(time), 1 << 28).stop, Some(StopReason::Time));
    let interrupt = Interrupt::default();
    interrupt.raise();
    let options = Options { interrupt, ..Options::default() };
    assert_eq!(run((&system, &program), options, 1 << 28).stop, Some(StopReason::Interrupted));
}

#[test]
fn a_state_that_does_not_fit_its_fields_stops_the_run() {
    let (mut system, mut program) = counters(2, 31, false);
    let field = Field { word: 0, shift: 0, most: 31 };
    system.add(Transition { guards: Vec::new(), additions: vec![(0, 1)], room: vec![(field, 31)] });
    program.system = system.clone();
    program.steps.push(Vec::new());
    program.targets.clear();
    let report = run((&system, &program), Options::default(), 1 << 28);
    let Some(StopReason::Device(why)) = &report.stop else { panic!("{:?}", report.stop) };
    assert!(why.contains("tokens"), "{why}");
    assert!(matches!(report.properties[0].verdict, Verdict::Unknown(_)));
}

#[test]
fn programs_that_do_not_fit_are_refused_in_words() {
    let (_, program) = counters(2, 31, false);
    let dialect = Dialect::Host { pairs: false };
    let wide = Program { used: vec![1; 9], ..program.clone() };
    let error = text(&wide, dialect).unwrap_err();
    assert_eq!(error.to_string(), "a state has 576 bits, and states on a GPU have at most 512");
    let large = sweepline::compiled::Sum { terms: Vec::new(), offset: 1 << 62 };
    let numbers = Program { targets: vec![Target::Least(large)], ..program.clone() };
    assert_eq!(text(&numbers, dialect), Err(Unfit::Numbers));
    let targets = vec![Target::State(Condition::Dead); sweepline_gpu::MOST_FINDS + 1];
    assert!(matches!(text(&Program { targets, ..program }, dialect), Err(Unfit::Finds { .. })));
}

/// A device with a compiler that gets a condition wrong.
struct Lying(HostDevice);

impl Device for Lying {
    fn load(&mut self, text: &str) -> Result<(), DeviceError> {
        assert!(text.contains("(u64)dead"));
        self.0.load(&text.replace("(u64)dead", "1ull"))
    }
    fn name(&self) -> String {
        self.0.name()
    }
    fn dialect(&self) -> Dialect {
        self.0.dialect()
    }
    fn free_memory(&self) -> u64 {
        self.0.free_memory()
    }
    fn blocks(&self) -> u32 {
        self.0.blocks()
    }
    fn allocate(&mut self, bytes: u64) -> Result<Option<Address>, DeviceError> {
        self.0.allocate(bytes)
    }
    fn release(&mut self, at: Address) {
        self.0.release(at);
    }
    fn fill(&mut self, at: Address, byte: u8, bytes: u64) -> Result<(), DeviceError> {
        self.0.fill(at, byte, bytes)
    }
    fn write(&mut self, at: Address, words: &[u64]) -> Result<(), DeviceError> {
        self.0.write(at, words)
    }
    fn read(&mut self, at: Address, words: &mut [u64]) -> Result<(), DeviceError> {
        self.0.read(at, words)
    }
    fn launch(&mut self, kernel: Kernel, board: Address, blocks: u32) -> Result<(), DeviceError> {
        self.0.launch(kernel, board, blocks)
    }
}

#[test]
fn the_host_evaluates_conditions_again() {
    let (system, program) = counters(2, 3, false);
    let mut device = Lying(HostDevice::new(1, 1, 1 << 26, true));
    let encode = |model: &TransitionSystem, words: &[u64]| bytes_of(model, &words.to_vec());
    let mut engine = GpuEngine::new(&system, &mut device, program, encode).unwrap();
    let report = Check::new(&system).deadlock().run_on(&mut engine, &mut ());
    assert!(matches!(report.stop, Some(StopReason::Internal(_))), "{:?}", report.stop);
    assert!(matches!(report.properties[0].verdict, Verdict::Unknown(_)));
}
