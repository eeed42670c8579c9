//! Reads every contest model and every small test net of the corpora.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use sweepline_pnml::{
    Limits, Net, Problem, Property, Question, read_pnml, read_pnml_str, read_properties,
    read_supported_properties,
};
use sweepline_testkit::corpus;
use tempfile::TempDir;

/// Unpacks an archive into a fresh folder, with the `tar` of the system.
fn unpack(archive: &Path) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let status = Command::new("tar").arg("xf").arg(archive).arg("-C").arg(folder.path()).status();
    let status = status.expect("the corpus tests need the programs `tar` and `xz`");
    assert!(status.success(), "cannot unpack {}", archive.display());
    folder
}

/// The rows of a tab-separated file, each by column name.
fn rows(path: &Path) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(path).expect("a readable table");
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let header: Vec<String> = lines.next().expect("a header").collect();
    lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
}

/// Checks that each formula is printed as text that parses to the same formula.
fn check_round_trip(net: &Net, properties: &[Property]) {
    for property in properties {
        match &property.question {
            Question::Invariant(predicate) | Question::Possible(predicate) => {
                let text = predicate.display(net).to_string();
                let again = sweepline_pnml::parse_predicate(net, &text);
                assert_eq!(again.as_ref(), Ok(predicate), "{}: {text}", property.id);
            }
            Question::Bound(expr) => {
                let text = expr.display(net).to_string();
                assert_eq!(sweepline_pnml::parse_expr(net, &text).as_ref(), Ok(expr), "{text}");
            }
            _ => {}
        }
    }
}

#[test]
fn contest_models_are_read() {
    let Some(corpus) = corpus("mcc", "MANIFEST.tsv") else { return };
    let mut n_read = 0;
    for row in rows(&corpus.join("MANIFEST.tsv")) {
        let instance = &row["instance"];
        let folder = unpack(&corpus.join(&row["file"]));
        let folder = folder.path().join(instance);
        let result = read_pnml(&folder.join("model.pnml"), &Limits::default());
        let net = result.unwrap_or_else(|errors| panic!("{instance}: {errors}"));
        assert_eq!(net.folded.is_some(), row["type"] == "COL", "{instance}");
        let counts = match &net.folded {
            Some(folded) => [folded.places.len(), folded.transitions.len(), folded.n_arcs],
            None => [net.n_places(), net.n_transitions(), net.n_arcs()],
        };
        let counts = counts.map(|n| n.to_string());
        let expected = ["places", "transitions", "arcs"].map(|column| row[column].clone());
        assert_eq!(counts, expected, "{instance}");
        let again = read_pnml_str("again", &net.to_pnml()).expect("a net that we wrote");
        assert_eq!(again, Net { folded: None, ..net.clone() });
        check_formulas(&folder, &net);
        n_read += 1;
    }
    assert!(n_read > 150, "only {n_read} models were read");
}

const TEMPORAL: [&str; 4] =
    ["CTLCardinality.xml", "CTLFireability.xml", "LTLCardinality.xml", "LTLFireability.xml"];

fn check_formulas(folder: &Path, net: &Net) {
    let read = |name: &str| read_properties(&folder.join(name), net, &Limits::default());
    for name in ["ReachabilityCardinality.xml", "ReachabilityFireability.xml"] {
        let properties = read(name).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(properties.len(), 16);
        for property in &properties {
            let path_formula = matches!(
                property.question,
                Question::Invariant(_) | Question::Possible(_) | Question::Deadlock
            );
            assert!(path_formula, "{property:?}");
        }
        check_round_trip(net, &properties);
    }
    let bounds = read("UpperBounds.xml").unwrap_or_else(|errors| panic!("{errors}"));
    assert!(bounds.iter().all(|property| matches!(property.question, Question::Bound(_))));
    check_round_trip(net, &bounds);
    for name in TEMPORAL {
        let formulas = read(name).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(formulas.len(), 16, "{}", folder.join(name).display());
    }
    if folder.join("GenericPropertiesDefinition.xml").exists() {
        let generic = read("GenericPropertiesDefinition.xml").unwrap_or_else(|e| panic!("{e}"));
        let asks = |question: Question| generic.iter().any(|p| p.question == question);
        assert!(asks(Question::Deadlock) && asks(Question::OneSafe));
    }
}

#[test]
fn small_test_nets_are_read() {
    let archive = "tapaal_test_models.tar.xz";
    let Some(corpus) = corpus("mcc", archive) else { return };
    let folder = unpack(&corpus.join(archive));
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    let (mut n_read, mut n_inhibited) = (0, 0);
    for entry in fs::read_dir(folder.path().join("test_models")).expect("unpacked models") {
        let folder = entry.expect("a model").path();
        let model = folder.join("model.pnml");
        if !model.exists() {
            continue;
        }
        let result = read_pnml(&model, &Limits::default());
        if fs::read_to_string(&model).is_ok_and(|text| text.contains("type=\"inhibitor\"")) {
            let errors = result.expect_err("inhibitor arcs are not ignored").errors;
            assert!(errors.iter().all(|e| matches!(e.problem, Problem::UnsupportedArc { .. })));
            n_inhibited += 1;
            continue;
        }
        let net = result.unwrap_or_else(|errors| panic!("{errors}"));
        n_read += 1;
        assert_eq!(read_pnml_str("again", &net.to_pnml()).as_ref().ok(), Some(&net));
        let queries = folder.join("query.xml");
        let properties = read_supported_properties(&queries, &net, &Limits::default());
        let properties = properties.unwrap_or_else(|errors| panic!("{errors}"));
        check_round_trip(&net, &properties);
        for property in &properties {
            *kinds.entry(kind(&property.question)).or_default() += 1;
        }
    }
    assert_eq!((n_read, n_inhibited), (283, 134));
    assert_eq!([kinds["asked"], kinds["combination"], kinds["unsupported"]], [589, 6, 5]);
}

fn kind(question: &Question) -> &'static str {
    match question {
        Question::Combination(_) => "combination",
        Question::Unsupported { .. } => "unsupported",
        _ => "asked",
    }
}
