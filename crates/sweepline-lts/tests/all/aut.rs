//! `.aut` files: writing and reading gives the same LTS, malformed files are rejected, and the corpus has the
//! known numbers of states, edges, labels and deadlocks.

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline_lts::{
    LabelId, Lts, LtsBuilder, Problem, StateNo, read_aut, read_aut_from, write_aut,
};

fn read(text: &str) -> Result<Lts, sweepline_lts::LoadErrors> {
    read_aut_from("test.aut", text.as_bytes())
}

fn written(lts: &Lts) -> String {
    let mut bytes = Vec::new();
    write_aut(lts, &mut bytes).expect("a writable LTS");
    String::from_utf8(bytes).expect("UTF-8")
}

/// The message of the only error, with its position.
fn message(text: &str) -> String {
    let errors = read(text).expect_err("a file with an error");
    assert_eq!((errors.errors.len(), errors.n_more), (1, 0), "{errors:?}");
    errors.errors[0].to_string()
}

#[test]
fn labels_are_what_stands_between_the_first_comma_and_the_last() {
    let text = "des (1, 7, 3)\n(0, \"a(1, 2)\", 1)\n(0,b,1)\n(1, i ,0)\n(1,\"tau\",2)\n\
                (2,f(x, \"y\"),0)\n(2,\"say \\\"hi, you\\\"\",0)\n(2,\"\",0)\n";
    let lts = read(text).expect("a file");
    let labels: Vec<_> = lts.labels().map(|label| lts.label(label)).collect();
    assert_eq!(labels, ["τ", "✓", "a(1, 2)", "b", "f(x, \"y\")", "say \"hi, you\"", ""]);
    assert_eq!(lts.edges_with(StateNo(1), LabelId::TAU).len(), 2);
    assert_eq!(lts.initial(), StateNo(1));
    assert_eq!(read(&written(&lts)).map(|lts| lts.n_edges()).ok(), Some(7));
}

#[test]
fn mistakes_have_a_place() {
    let at = |text: &str, expected: &str| assert_eq!(message(text), format!("test.aut:{expected}"));
    at("des (0,1,2)\n(0,a,2)\n", "2:6: there is no state 2: the header declares 2 states");
    at("des (0,1,2)\n(0,a,x)\n", "2:6: `x` is not a state number");
    at("des (0,1,2)\n(0,a)\n", "2:5: expected `,` and a target");
    at("des (0,1,2)\n(0,a,1\n", "2:7: expected `)` at the end of the line");
    at("des (0,1,2)\n0,a,1)\n", "2:1: expected `(`");
    at("des (0,3,2)\n(0,a,1)\n", "2:1: the file has 1 edges, but its header declares 3");
    at("des (0,0,2)\n(0,a,1)\n", "2:1: the file has 1 edges, but its header declares 0");
    at("des (2,0,2)\n", "1:6: there is no state 2: the header declares 2 states");
    at("des (0,0,4294967295)\n", "1:10: `4294967295` is not a state number");
    at("des (-1,0,1)\n", "1:6: `-1` is not a state number");
    at(
        "des (0,0,3000000000)\n",
        "1:1: the header declares 3000000000 states, far more than 0 edges can connect",
    );
    at("dse (0,0,1)\n", "1:1: this is not an `.aut` file: it starts with `dse (0,0,1)`");
    at(
        "des (0,2,3)\n(0,\"✓\",1)\n(1,a,2)\n",
        "1:1: state 1 is reached by `✓` but has edges; a terminated process has no events",
    );
    let nothing = read("\n \n").expect_err("no file");
    assert!(matches!(nothing.errors[0].problem, Problem::NoHeader { .. }));
}

#[test]
fn all_mistakes_are_counted() {
    let text = format!("des (0,30,1)\n{}", "(0,a)\n".repeat(30));
    let errors = read(&text).expect_err("thirty errors");
    assert_eq!((errors.errors.len(), errors.n_more), (20, 10));
}

#[test]
fn events_that_would_be_read_as_internal_are_not_written() {
    for name in ["i", "tau", "✓", "a\nb"] {
        let mut lts = LtsBuilder::new("P");
        let label = lts.label(name);
        // `✓` is already the label of termination.
        if label.is_visible() {
            lts.edge(StateNo(0), label, StateNo(0));
            let lts = lts.build(1, StateNo(0)).expect("an LTS");
            assert!(write_aut(&lts, Vec::new()).is_err(), "{name:?}");
        }
    }
}

fn random_lts() -> impl Strategy<Value = Lts> {
    let label = "[a-z\\\\\"(), ]{1,6}";
    let edge = move |len: u32| (0..len, label, 0..len);
    (1..9u32).prop_flat_map(move |len| (Just(len), vec(edge(len), 0..20), 0..len)).prop_map(
        |(len, edges, initial)| {
            let mut lts = LtsBuilder::new("test");
            for (source, label, target) in edges {
                let label = match label.as_str() {
                    "i" | "tau" => LabelId::TAU,
                    name => lts.label(name),
                };
                lts.edge(StateNo(source), label, StateNo(target));
            }
            lts.build(len, StateNo(initial)).expect("an LTS")
        },
    )
}

/// Edges with the names of their labels: tables may be in another order.
fn edges(lts: &Lts) -> Vec<(u32, String, u32)> {
    let of = |state: StateNo| {
        let edges = lts.edges(state).iter();
        edges.map(move |e| (state.0, lts.label(e.label).to_owned(), e.target.0))
    };
    let mut all: Vec<_> = lts.states().flat_map(of).collect();
    all.sort();
    all
}

proptest! {
    #[test]
    fn what_is_written_is_read(lts in random_lts()) {
        let again = read(&written(&lts)).expect("what was written");
        prop_assert_eq!(edges(&again), edges(&lts));
        prop_assert_eq!((again.n_states(), again.initial()), (lts.n_states(), lts.initial()));
    }

    #[test]
    fn damaged_files_are_errors_or_files(lts in random_lts(), at in 0..400usize, byte: u8, cut: bool) {
        let mut bytes = written(&lts).into_bytes();
        let at = at % bytes.len();
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] = byte,
        }
        if let Err(errors) = read_aut_from("test.aut", bytes.as_slice()) {
            prop_assert!(!errors.errors.is_empty());
        }
    }

    #[test]
    fn any_bytes_are_errors_or_files(bytes in vec(any::<u8>(), 0..200)) {
        let _ = read_aut_from("test.aut", bytes.as_slice());
        let headed: Vec<u8> = b"des (0,2,2)\n".iter().copied().chain(bytes).collect();
        let _ = read_aut_from("test.aut", headed.as_slice());
    }
}

/// `key=number` in a line of the manifest.
fn known(answers: &str, key: &str) -> Option<usize> {
    let rest = answers.split_once(&format!("{key}="))?.1;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[test]
fn corpus() {
    let Some(root) = sweepline_testkit::corpus("aut", "MANIFEST.tsv") else { return };
    let manifest = std::fs::read_to_string(root.join("MANIFEST.tsv")).expect("a table");
    let mut n_files = 0;
    for line in manifest.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let (file, answers) = (fields[1], fields[7]);
        let read = read_aut(&root.join(file), u64::MAX);
        let Some(n_states) = known(answers, "states") else {
            let errors = read.expect_err("a file without known answers");
            assert!(matches!(errors.errors[0].problem, Problem::Probabilistic { .. }), "{errors}");
            continue;
        };
        let lts = read.unwrap_or_else(|errors| panic!("{errors}"));
        let counts = lts.label_counts();
        assert_eq!(lts.n_states(), n_states, "{file}");
        let expected = |key| known(answers, key).unwrap_or_else(|| panic!("{file}: no {key}"));
        assert_eq!(lts.n_edges(), expected("edges"), "{file}");
        assert_eq!(counts.iter().filter(|&&n| n > 0).count(), expected("labels"), "{file}");
        assert_eq!(counts[LabelId::TAU.index()], expected("tau_edges"), "{file}");
        assert_eq!(lts.deadlocks().count(), expected("deadlock_states"), "{file}");
        n_files += 1;
    }
    assert!(n_files > 30, "only {n_files} files");
}
