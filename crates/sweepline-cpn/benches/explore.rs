//! How long state spaces take: sample nets of CPN Tools, made larger.
//!
//! Needs the corpus `cpn`.

use divan::Bencher;
use divan::counter::ItemsCount;
use sweepline::progress::Trivial;
use sweepline::{Options as Run, Statistics, WitnessMode};
use sweepline_cpn::{CpnModel, Limits, Net, Options, read_cpn};

fn main() {
    divan::main();
}

const SAMPLES: &str = "models/svn2github__cpntools-gui";

/// The model in a file, with a value or an initial marking changed; `None` where there is no corpus.
fn model(name: &str, params: &[(&str, &str)], initial: &[(&str, &str)]) -> Option<CpnModel> {
    let path = sweepline_testkit::corpus("cpn", SAMPLES)?.join(SAMPLES);
    let path = path.join(format!("cpntools__Sample_Nets__{name}.cpn"));
    let owned = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| (String::from(*name), String::from(*value))).collect()
    };
    let options = Options { params: owned(params), initial: owned(initial), ..Options::default() };
    let file = read_cpn(&path, &Limits::default()).expect("a file of CPN Tools");
    let net = Net::load(&file, &options).expect("a net");
    Some(CpnModel::new(&net, sweepline_ml::Limits::default()).expect("a model"))
}

fn explore(model: &CpnModel) -> Statistics {
    let run = Run { witness: WitnessMode::Off, ..Run::default() };
    sweepline::explore(model, &Trivial, &run, &mut ()).statistics
}

/// Explores all of a model, again and again; arcs are what is counted.
fn bench(bencher: Bencher<'_, '_>, model: Option<CpnModel>, nodes: u64, arcs: u64) {
    let Some(model) = model else { return };
    let held = explore(&model);
    println!("{} bytes for each state held", held.peak_bytes / held.peak_states);
    bencher.counter(ItemsCount::new(arcs)).bench_local(|| {
        let statistics = explore(&model);
        assert_eq!((statistics.explored, statistics.edges), (nodes, arcs));
    });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn data_base_9(bencher: Bencher<'_, '_>) {
    let name = "DistributedDataBase__DistributedDataBase_OG";
    bench(bencher, model(name, &[("n", "9")], &[]), 59_050, 314_946);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn simple_protocol_5(bencher: Bencher<'_, '_>) {
    let name = "SimpleProtocol__SimpleProtocol_OG";
    bench(bencher, model(name, &[], &[("Limit", "5`e")]), 82_260, 483_562);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn philosophers_20(bencher: Bencher<'_, '_>) {
    let name = "DiningPhilosophers__DiningPhilosophers";
    bench(bencher, model(name, &[("n", "20")], &[]), 15_127, 167_240);
}
