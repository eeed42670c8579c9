//! Sweeps over the models of the corpus: the same dead markings and bounds as full exploration.

use std::collections::BTreeSet;

use sweepline::observe::{Flow, Observer, Visit};
use sweepline::progress::{Linear, Progress, Trivial, fit};
use sweepline::{Computed, Options, Value, WitnessMode, explore};
use sweepline_cpn::{CpnModel, Marking, PlaceBound, PlaceBounds, Worker};

use super::rows::{corpus, row};

/// Larger state spaces are covered by the other test.
const MOST: u64 = if cfg!(debug_assertions) { 60 } else { 1_500 };

pub(crate) struct Time;

impl Progress<CpnModel> for Time {
    fn measure(&self, _worker: &mut Worker, marking: &Marking, value: &mut Value) -> Computed {
        value.push(marking.time());
        Ok(())
    }
}

/// The results that must not depend on the method.
#[derive(Default)]
struct Watch {
    bounds: PlaceBounds,
    dead: BTreeSet<Vec<u8>>,
}

impl Observer<CpnModel> for Watch {
    fn node(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
        self.bounds.see(visit.model, visit.state);
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
        self.dead.insert(visit.bytes.to_vec());
        Ok(())
    }
}

struct Found {
    dead: BTreeSet<Vec<u8>>,
    bounds: Vec<PlaceBound>,
    states: Option<u64>,
    peak: u64,
}

fn run(model: &CpnModel, progress: &impl Progress<CpnModel>, window: u64) -> Found {
    let mut watch = Watch::default();
    let options = Options { witness: WitnessMode::Off, window, ..Options::default() };
    let run = explore(model, progress, &options, &mut watch);
    assert_eq!(run.stop.map(|stop| stop.to_string()), None);
    Found {
        dead: watch.dead,
        bounds: watch.bounds.found(model),
        states: run.statistics.states(),
        peak: run.statistics.peak_states,
    }
}

fn compare(name: &str, full: &Found, swept: &Found) {
    assert_eq!(full.dead, swept.dead, "{name}");
    assert_eq!(full.bounds, swept.bounds, "{name}");
    assert!(swept.states.is_none_or(|states| Some(states) == full.states), "{name}");
}

#[test]
fn sweeps_find_what_full_exploration_finds() {
    let Some((corpus, rows)) = corpus() else { return };
    let (mut by_time, mut by_fit, mut fewer) = (0, 0, 0);
    for row in rows.lines().filter_map(row).filter(|row| row.nodes <= MOST && !row.is_outside()) {
        let name = format!("{} {}", row.file, row.change);
        let Ok(model) = row.model(&corpus) else { continue };
        let full = run(&model, &Trivial, 0);
        if model.is_timed() {
            let swept = run(&model, &Time, 0);
            assert_eq!(swept.states, full.states, "time never goes back: {name}");
            compare(&name, &full, &swept);
            by_time += 1;
        }
        if let Some(best) = fit(&model).into_iter().next() {
            let measure = Linear::new(&model, &best.components, best.columns);
            let swept = run(&model, &measure, best.window);
            compare(&name, &full, &swept);
            by_fit += 1;
            fewer += u64::from(swept.peak < full.peak);
        }
    }
    println!(
        "{by_time} models swept by time, {by_fit} by a found measure, {fewer} held fewer states"
    );
    assert!(by_time >= 3 && by_fit >= 40 && fewer >= 20, "{by_time} {by_fit} {fewer}");
}
