//! Models made with CPN Tools: every declaration and inscription must have a type.
//!
//! Reads `../shared/corpora/cpn` beside the repository and skips, saying so, where it is not there.

#[path = "corpus/model.rs"]
mod model;
#[path = "corpus/tree.rs"]
mod tree;

use std::collections::BTreeMap;
use std::path::Path;

/// The part of the models that CPN Tools accepts which must be accepted here.
const WANTED: f64 = 0.98;

#[test]
fn models_have_types() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/cpn");
    let oracle = corpus.join("oracle/ORACLE.tsv");
    if !oracle.exists() {
        println!("skipped: no corpus at {}", corpus.display());
        return;
    }
    let rows = std::fs::read_to_string(oracle).expect("the oracle's answers");
    let mut files: BTreeMap<&str, &str> = BTreeMap::new();
    for row in rows.lines().skip(1) {
        let mut columns = row.split('\t');
        let (file, status) = (columns.next(), columns.next());
        files.entry(file.expect("a file")).or_insert(status.expect("a status"));
    }
    let (mut accepted, mut right, mut texts) = (0, 0, 0);
    for (file, status) in files {
        let checked = model::check(&tree::read(&corpus.join(file)));
        texts += checked.texts;
        assert_eq!(checked.contradictions, Vec::<String>::new(), "{file}");
        let good = matches!(status, "full" | "partial");
        if good {
            accepted += 1;
            if checked.failures.is_empty() {
                right += 1;
            }
        }
        let uses = if checked.uses { ", uses files" } else { "" };
        if !checked.failures.is_empty() {
            println!("{status}{uses}\t{file}");
            for failure in checked.failures.iter().take(6) {
                println!("\t{failure}");
            }
        }
    }
    println!("{right} of {accepted} models that CPN Tools accepts, {texts} texts");
    assert!(f64::from(right) >= WANTED * f64::from(accepted), "{right} of {accepted}");
}
