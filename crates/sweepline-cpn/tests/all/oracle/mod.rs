//! Comparison with state spaces that CPN Tools computed: the same nodes, arcs, dead markings and bounds.
//!
//! Needs the corpus `cpn`.

mod components;
mod forms;
mod published;
mod report;
mod rows;
mod sweep;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use report::Bounds;
use rows::{Row, corpus, row};
use sweepline::observe::{Flow, Observer, Visit};
use sweepline::progress::Trivial;
use sweepline::{Options as Run, WitnessMode, explore};
use sweepline_cpn::{CpnModel, PlaceBounds, Role, Worker};

/// The compared results.
#[derive(Debug, PartialEq)]
struct Found {
    nodes: u64,
    arcs: u64,
    dead: u64,
    bounds: Bounds,
}

struct Watch(PlaceBounds);

impl Observer<CpnModel> for Watch {
    fn node(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
        self.0.see(visit.model, visit.state);
        Ok(())
    }
}

/// The bounds under all names that a report lists.
fn bounds(model: &CpnModel, found: &PlaceBounds) -> Bounds {
    let mut bounds = Bounds::default();
    for (place, bound) in model.net().places.iter().zip(found.found(model)) {
        for member in &place.members {
            if member.is_named && member.role != Role::AssignedPort {
                let name = member.name.clone();
                bounds.integer.insert(name.clone(), (bound.upper, bound.lower));
                bounds.upper.insert(name.clone(), bound.upper_multi_set.to_string());
                bounds.lower.insert(name, bound.lower_multi_set.to_string());
            }
        }
    }
    bounds
}

fn explored(model: &CpnModel) -> Result<Found, String> {
    let run = Run { witness: WitnessMode::Off, ..Run::default() };
    let mut watch = Watch(PlaceBounds::default());
    let run = explore(model, &Trivial, &run, &mut watch);
    match run.stop {
        Some(stop) => Err(format!("{stop:?}")),
        None => Ok(Found {
            nodes: run.statistics.explored,
            arcs: run.statistics.edges,
            dead: run.statistics.dead,
            bounds: bounds(model, &watch.0),
        }),
    }
}

/// CPN Tools' report on a model. ``init:Limit=3`e`` is called `Limit=3` there.
fn report_of(corpus: &Path, row: &Row<'_>) -> Option<String> {
    let change = row.change.strip_prefix("init:").unwrap_or(row.change);
    let change = change.split('`').next().unwrap_or(change);
    let at = if change.is_empty() { String::new() } else { format!("@{change}") };
    let model = row.file.strip_prefix("models/")?;
    let path: PathBuf = corpus.join("oracle/reports").join(format!("{model}{at}.txt"));
    Some(String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned())
}

/// The first place whose bounds differ.
fn difference(ours: &Bounds, theirs: &Bounds) -> Option<String> {
    fn in_map<T: PartialEq + std::fmt::Debug>(
        ours: &BTreeMap<String, T>,
        theirs: &BTreeMap<String, T>,
    ) -> Option<String> {
        let other = theirs.iter().find(|(name, bound)| ours.get(*name) != Some(*bound));
        let differ =
            other.map(|(name, bound)| format!("{name}: {:?} not {bound:?}", ours.get(name)));
        let missing = ours.keys().find(|name| !theirs.contains_key(*name));
        differ.or_else(|| missing.map(|name| format!("{name} is not in the report")))
    }
    in_map(&ours.integer, &theirs.integer)
        .or_else(|| in_map(&ours.upper, &theirs.upper))
        .or_else(|| in_map(&ours.lower, &theirs.lower))
}

#[test]
fn state_spaces_are_those_of_cpn_tools() {
    let Some((corpus, rows)) = corpus() else { return };
    let (mut right, mut reports, mut outside, mut wrong) = (0, 0, 0, Vec::new());
    // Without optimisation, large state spaces take minutes.
    let most = if cfg!(debug_assertions) { 2_000 } else { u64::MAX };
    for row in rows.lines().filter_map(row).filter(|row| row.nodes <= most) {
        if row.is_outside() {
            outside += 1;
            continue;
        }
        let found = match row.model(&corpus).and_then(|model| explored(&model)) {
            Ok(found) => found,
            Err(error) => {
                wrong.push(format!("{} {}: {error}", row.file, row.change));
                continue;
            }
        };
        let same = (found.nodes, found.arcs) == (row.nodes, row.arcs)
            && row.dead.is_none_or(|dead| dead == found.dead);
        if !same {
            let (nodes, arcs, dead) = (found.nodes, found.arcs, found.dead);
            wrong.push(format!(
                "{} {}: {nodes}/{arcs} dead {dead}, CPN Tools {}/{} dead {:?}",
                row.file, row.change, row.nodes, row.arcs, row.dead
            ));
            continue;
        }
        right += 1;
        if let Some(theirs) = report_of(&corpus, &row) {
            reports += 1;
            if let Some(difference) = difference(&found.bounds, &Bounds::read(&theirs)) {
                wrong.push(format!("{} {}: {difference}", row.file, row.change));
            }
        }
    }
    println!(
        "{right} state spaces and {reports} reports are the same, {outside} need what is outside"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right >= if cfg!(debug_assertions) { 60 } else { 96 }, "{right}");
}
