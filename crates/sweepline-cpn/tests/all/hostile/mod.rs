//! Hostile files: each results in an error or an answer, with bounds on time and memory. No file crashes the
//! process.

mod file;
mod language;
mod nets;

use sweepline::progress::Trivial;
use sweepline::{Limits as RunLimits, Options as Run, StopReason, WitnessMode, explore};
use sweepline_cpn::{CpnModel, Limits, Net, Options, read_cpn_bytes};

/// Small limits, so that the tests are fast.
fn small() -> sweepline_ml::Limits {
    let mut limits = sweepline_ml::Limits::default();
    (limits.fuel, limits.heap, limits.stack) = (2_000_000, 8 << 20, 4 << 20);
    limits
}

/// The outcome of a file: why it cannot be loaded, why its exploration stopped, or its number of states and
/// edges.
fn outcome(xml: &str) -> Result<(u64, u64), String> {
    let file = read_cpn_bytes("hostile.cpn", xml.as_bytes(), &Limits::default());
    let file = file.map_err(|errors| all_of(&errors))?;
    let net = Net::load(&file, &Options::default()).map_err(|errors| all_of(&errors))?;
    let model = CpnModel::new(&net, small()).map_err(|error| error.to_string())?;
    let limits = RunLimits { states: Some(20), ..RunLimits::default() };
    let options = Run { witness: WitnessMode::Off, limits, ..Run::default() };
    let run = explore(&model, &Trivial, &options, &mut ());
    match run.stop {
        Some(StopReason::Model(error)) => Err(error),
        _ => Ok((run.statistics.explored, run.statistics.edges)),
    }
}

fn model(xml: &str) -> Result<CpnModel, String> {
    let file = read_cpn_bytes("hostile.cpn", xml.as_bytes(), &Limits::default()).unwrap();
    let net = Net::load(&file, &Options::default()).map_err(|errors| all_of(&errors))?;
    CpnModel::new(&net, small()).map_err(|error| error.to_string())
}

fn all_of(errors: &sweepline_cpn::LoadErrors) -> String {
    errors.errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The file gets an error or a warning that contains these words. Mistakes in unused declarations are
/// warnings.
fn complains(xml: &str, words: &str) {
    let file = read_cpn_bytes("hostile.cpn", xml.as_bytes(), &Limits::default()).unwrap();
    let said = match Net::load(&file, &Options::default()) {
        Err(errors) => all_of(&errors),
        Ok(net) => net.warnings.iter().map(ToString::to_string).collect(),
    };
    assert!(said.contains(words), "{words}: {said}");
}

/// The file gets an error that contains these words.
fn refused(xml: &str, words: &str) {
    match outcome(xml) {
        Err(error) => {
            assert!(error.contains(words), "{words}: {error}");
            assert!(error.len() < 100_000, "the message has {} bytes", error.len());
        }
        Ok(counts) => panic!("{words}: {counts:?}"),
    }
}
