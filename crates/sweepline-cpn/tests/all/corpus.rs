//! Models made with CPN Tools: which of them load, and whether all names in their reports exist.
//!
//! Needs the corpus `cpn`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sweepline_cpn::{Limits, LoadErrors, Net, Options, Role, read_cpn, read_cpn_bytes};
use sweepline_ml::Compiler;
use sweepline_testkit::corpus;

/// The fraction of the models accepted by CPN Tools that must load.
const WANTED: f64 = 0.98;

/// A model, CPN Tools' verdict on it, and its report without changed parameters.
struct Model {
    file: String,
    path: PathBuf,
    status: String,
    report: Option<String>,
    /// The changes that were tried: `n=8,m=2` or ``init:Place=1`x``.
    changes: Vec<String>,
}

/// All models; empty without the corpus.
fn models() -> Vec<Model> {
    let Some(corpus) = corpus("cpn", "oracle/ORACLE.tsv") else { return Vec::new() };
    let rows = std::fs::read_to_string(corpus.join("oracle/ORACLE.tsv")).expect("a table");
    let mut files: BTreeMap<&str, (&str, Vec<String>)> = BTreeMap::new();
    for row in rows.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        if let [file, status, ..] = columns[..] {
            let (_, changes) = files.entry(file).or_insert((status, Vec::new()));
            changes
                .extend(columns.get(9).filter(|change| !change.is_empty()).map(|c| c.to_string()));
        }
    }
    let model = |(file, (status, changes)): (&str, (&str, Vec<String>))| {
        let name = file.strip_prefix("models/").unwrap_or(file);
        let report = corpus.join("oracle/reports").join(format!("{name}.txt"));
        Model {
            file: name.to_owned(),
            path: corpus.join(file),
            status: status.to_owned(),
            changes,
            report: std::fs::read(report)
                .ok()
                .map(|bytes| bytes.into_iter().map(char::from).collect()),
        }
    };
    files.into_iter().map(model).collect()
}

fn load(path: &Path) -> Result<Net, LoadErrors> {
    let file = read_cpn(path, &Limits::default())?;
    let folder = path.parent().map(Path::to_owned);
    Net::load(&file, &Options { folder, ..Options::default() })
}

#[test]
fn models_load() {
    let (mut accepted, mut right, mut places, mut transitions) = (0, 0, 0, 0);
    for Model { file, path, status, .. } in models() {
        let is_accepted = matches!(status.as_str(), "full" | "partial");
        if is_accepted {
            accepted += 1;
        }
        match load(&path) {
            Ok(net) => {
                if is_accepted {
                    right += 1;
                }
                places += net.places.len();
                transitions += net.transitions.len();
                for warning in &net.warnings {
                    println!("{file}: warning: {}", tail(&warning.to_string()));
                }
                check_laws(&net);
            }
            Err(errors) => {
                println!("{status}: {file}: {} errors", errors.errors.len() + errors.n_more);
                for error in errors.errors.iter().take(4) {
                    println!("    {}", tail(&error.to_string()));
                }
            }
        }
    }
    println!("{right} of {accepted} models, {places} places, {transitions} transitions");
    assert!(f64::from(right) >= WANTED * f64::from(accepted), "{right} of {accepted}");
}

/// A message without the folder of the file.
fn tail(message: &str) -> String {
    let from = message.find(".cpn:").map_or(0, |at| at + 5);
    message[from..].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Invariants of every net.
fn check_laws(net: &Net) {
    let members: Vec<&str> =
        net.places.iter().flat_map(|place| &place.members).map(|member| &*member.name).collect();
    let unique: BTreeSet<&str> = members.iter().copied().collect();
    assert_eq!(members.len(), unique.len(), "names of places are unique");
    let names: BTreeSet<&str> = net.transitions.iter().map(|trans| &*trans.name).collect();
    assert_eq!(names.len(), net.transitions.len(), "names of transitions are unique");
    for transition in &net.transitions {
        let behaviour = net.behaviour(transition);
        let slots = behaviour.inputs.iter().map(|input| input.slot);
        for slot in slots.chain(behaviour.outputs.iter().map(|output| output.slot)) {
            let place = net.place(transition.places[slot.0 as usize]);
            assert!(!place.members.is_empty());
        }
        let known: Vec<_> = behaviour.variables.iter().map(|variable| variable.var).collect();
        let needs = behaviour.inputs.iter().flat_map(|input| &input.needs);
        let needs = needs.chain(behaviour.outputs.iter().flat_map(|output| &output.needs));
        assert!(needs.into_iter().all(|var| known.contains(var)), "{}", transition.name);
    }
}

/// All terms and patterns can be compiled.
#[test]
fn terms_and_patterns_compile() {
    let (mut n_patterns, mut n_sums, mut n_inputs) = (0, 0, 0);
    for Model { file, path, .. } in models() {
        let Ok(net) = load(&path) else { continue };
        let mut compiler = Compiler::new(net.environment.program());
        for behaviour in &net.behaviours {
            for input in &behaviour.inputs {
                n_inputs += 1;
                let result = compiler.compile_function(&input.needs, &input.inscription.expr);
                assert!(result.is_ok(), "{file}: {result:?}");
                if input.terms.is_some() {
                    n_sums += 1;
                }
            }
            let terms = behaviour.inputs.iter().filter_map(|input| input.terms.as_ref()).flatten();
            let terms = terms.filter_map(|term| Some((term.pattern.as_ref()?, &term.binds)));
            let binders = behaviour.guard.iter().flat_map(|conjunct| &conjunct.binders);
            for (pattern, binds) in terms.chain(binders.map(|b| (&b.pattern, &b.binds))) {
                n_patterns += 1;
                let result = compiler.compile_pattern(pattern, &[], binds);
                assert!(result.is_ok(), "{file}: {result:?}");
            }
        }
        assert!(compiler.finish().is_ok(), "{file}");
    }
    println!("{n_patterns} patterns; {n_sums} of {n_inputs} input arcs are sums");
}

/// Swapping texts makes models that are wrong in many ways. None panics.
#[test]
fn exchanged_texts_are_survived() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % below as u64).expect("less than `below`")
    };
    let (mut n_loaded, mut n_refused) = (0, 0);
    for Model { path, .. } in models() {
        let bytes = std::fs::read(&path).expect("a model");
        let text: String = bytes.into_iter().map(char::from).collect();
        let mut pieces: Vec<String> = text.split("</").map(str::to_owned).collect();
        for _ in 0..3 {
            for _ in 0..=next(4) {
                let (from, to) = (next(pieces.len()), next(pieces.len()));
                let cut = |piece: &str| piece.rfind('>').map_or(0, |at| at + 1);
                let (one, other) = (&pieces[from], &pieces[to]);
                pieces[to] = format!("{}{}", &other[..cut(other)], &one[cut(one)..]);
            }
            let damaged = pieces.join("</");
            let file = read_cpn_bytes("damaged.cpn", damaged.as_bytes(), &Limits::default());
            match file.and_then(|file| Net::load(&file, &Options::default())) {
                Ok(_) => n_loaded += 1,
                Err(errors) => {
                    assert!(!errors.errors.is_empty());
                    n_refused += 1;
                }
            }
        }
    }
    println!("{n_loaded} loaded, {n_refused} refused");
}

#[test]
fn models_can_be_changed() {
    for Model { file, path, changes, .. } in models() {
        for change in changes {
            let pair = |text: &str| {
                let (name, value) = text.split_once('=').expect("a name and a value");
                (name.to_owned(), value.to_owned())
            };
            let options = match change.strip_prefix("init:") {
                Some(initial) => Options { initial: vec![pair(initial)], ..Options::default() },
                None => {
                    let params = change.split(',').map(pair).collect();
                    Options { params, ..Options::default() }
                }
            };
            let model = read_cpn(&path, &Limits::default()).expect("a model");
            let net = Net::load(&model, &options);
            net.unwrap_or_else(|errors| panic!("{file} with {change}: {:?}", errors.errors));
        }
    }
}

#[test]
fn names_are_those_of_reports() {
    let mut compared = 0;
    for Model { file, path, report, .. } in models() {
        let (Some(report), Ok(net)) = (report, load(&path)) else { continue };
        compared += 1;
        let members = net.places.iter().flat_map(|place| &place.members);
        let named = members.filter(|m| m.is_named && m.role != Role::AssignedPort);
        let ours: BTreeSet<String> = named.map(|member| member.name.clone()).collect();
        assert_eq!(place_names(&report), ours, "{file}");
        let ours: BTreeSet<String> =
            net.transitions.iter().map(|transition| transition.name.clone()).collect();
        let listed = transition_names(&report);
        let unknown: Vec<&String> = listed.difference(&ours).collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
        if let Some(all) = all_transitions(&report) {
            let named = net.transitions.iter().filter(|transition| transition.is_named);
            let named: BTreeSet<String> = named.map(|transition| transition.name.clone()).collect();
            assert_eq!(all, named, "{file}");
        }
    }
    println!("{compared} reports compared");
}

/// The names in the part "Best Integer Bounds", which lists all places.
fn place_names(report: &str) -> BTreeSet<String> {
    names_in(between(report, "Best Integer Bounds", "Best Upper"))
}

/// The names in the parts about liveness and fairness.
fn transition_names(report: &str) -> BTreeSet<String> {
    names_in(between(report, "Liveness Properties", "the end of the report"))
}

/// The four parts about fairness list all transitions.
fn all_transitions(report: &str) -> Option<BTreeSet<String>> {
    let part = between(report, "Impartial Transition Instances", "the end of the report");
    let is_listed =
        part.contains("Transition Instances with No Fairness") && !part.contains(" All");
    is_listed.then(|| names_in(part))
}

fn between<'r>(report: &'r str, start: &str, end: &str) -> &'r str {
    let part = report.split_once(start).map_or("", |(_, part)| part);
    part.split_once(end).map_or(part, |(part, _)| part)
}

fn names_in(part: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in part.lines().map(str::trim).filter(|line| line.contains('\'')) {
        let mut words = line.split_whitespace();
        if let (Some(name), Some(number)) = (words.next(), words.next()) {
            names.insert(format!("{name} {number}"));
        }
    }
    names
}
