//! State spaces that CPN Tools computed: the same nodes, arcs and dead markings here.
//!
//! Reads `../shared/corpora/cpn` beside the repository and skips, saying so, where it is not there.

use std::path::Path;

use sweepline::progress::Trivial;
use sweepline::{Options as Run, WitnessMode, explore};
use sweepline_cpn::{CpnModel, Limits, Net, Options, read_cpn};

/// Models that read files which are not there, or ask where they are.
const OUTSIDE: [&str; 3] = ["Projeto_LEACH-HOP", "nesc2cpn/model", "SimpleProtocol_IO"];

/// What CPN Tools computed for a model.
struct Row<'a> {
    file: &'a str,
    change: &'a str,
    nodes: u64,
    arcs: u64,
    dead: Option<u64>,
}

fn row(line: &str) -> Option<Row<'_>> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [file, "full", nodes, arcs, _, _, dead, ..] = columns[..] else { return None };
    Some(Row {
        file,
        change: columns.get(9).copied().unwrap_or(""),
        nodes: nodes.parse().ok()?,
        arcs: arcs.parse().ok()?,
        dead: dead.parse().ok(),
    })
}

/// `n=8,m=2` are values to change, ``init:Place=1`x`` is an initial marking.
fn options(change: &str, path: &Path) -> Options {
    let pair = |text: &str| {
        let (name, value) = text.split_once('=').expect("a name and a value");
        (name.to_owned(), value.to_owned())
    };
    let (params, initial) = match change.strip_prefix("init:") {
        Some(initial) => (Vec::new(), vec![pair(initial)]),
        None => (change.split(',').filter(|c| !c.is_empty()).map(pair).collect(), Vec::new()),
    };
    Options { params, initial, folder: path.parent().map(Path::to_owned), ..Options::default() }
}

fn explored(path: &Path, change: &str) -> Result<(u64, u64, u64), String> {
    let file = read_cpn(path, &Limits::default()).map_err(|error| error.to_string())?;
    let net = Net::load(&file, &options(change, path)).map_err(|error| error.to_string())?;
    let model = CpnModel::new(&net, sweepline_ml::Limits::default()).map_err(|e| e.to_string())?;
    let run = Run { witness: WitnessMode::Off, ..Run::default() };
    let run = explore(&model, &Trivial, &run, &mut ());
    match run.stop {
        Some(stop) => Err(format!("{stop:?}")),
        None => Ok((run.statistics.explored, run.statistics.edges, run.statistics.dead)),
    }
}

#[test]
fn state_spaces_are_those_of_cpn_tools() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/cpn");
    let Ok(rows) = std::fs::read_to_string(corpus.join("oracle/ORACLE.tsv")) else {
        return println!("skipped: no corpus at {}", corpus.display());
    };
    let (mut right, mut outside, mut wrong) = (0, 0, Vec::new());
    // Without optimisation the large ones take minutes.
    let most = if cfg!(debug_assertions) { 2_000 } else { u64::MAX };
    for row in rows.lines().filter_map(row).filter(|row| row.nodes <= most) {
        if OUTSIDE.iter().any(|name| row.file.contains(name)) {
            outside += 1;
            continue;
        }
        match explored(&corpus.join(row.file), row.change) {
            Ok((nodes, arcs, dead))
                if (nodes, arcs) == (row.nodes, row.arcs) && row.dead.is_none_or(|d| d == dead) =>
            {
                right += 1;
            }
            other => wrong.push(format!(
                "{} {}: {other:?}, CPN Tools {}/{} dead {:?}",
                row.file, row.change, row.nodes, row.arcs, row.dead
            )),
        }
    }
    println!("{right} state spaces are the same, {outside} need what is outside");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right >= if cfg!(debug_assertions) { 60 } else { 96 }, "{right}");
}
