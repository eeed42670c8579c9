//! Models made with CPN Tools: every declaration and inscription must type-check and compile.
//!
//! Needs the corpus `cpn`.

mod evaluate;
mod model;

use std::collections::BTreeMap;
use std::path::PathBuf;

use sweepline_testkit::corpus;

/// The fraction of the models accepted by CPN Tools that must be accepted here.
const WANTED: f64 = 0.98;

/// The fraction of them whose initial marking must be evaluated without files, random numbers and other things
/// that a state space must not depend on.
const EVALUATED: f64 = 0.9;

/// The models, each with CPN Tools' verdict; empty without the corpus.
fn models() -> Vec<(PathBuf, String)> {
    let Some(corpus) = corpus("cpn", "oracle/ORACLE.tsv") else { return Vec::new() };
    let rows = std::fs::read_to_string(corpus.join("oracle/ORACLE.tsv")).expect("a table");
    let mut files: BTreeMap<&str, &str> = BTreeMap::new();
    for row in rows.lines().skip(1) {
        let mut columns = row.split('\t');
        let (file, status) = (columns.next(), columns.next());
        files.entry(file.expect("a file")).or_insert(status.expect("a status"));
    }
    let model = |(file, status): (&str, &str)| (corpus.join(file), status.to_owned());
    files.into_iter().map(model).collect()
}

fn is_accepted(status: &str) -> bool {
    matches!(status, "full" | "partial")
}

#[test]
fn models_have_types() {
    let models = models();
    let (mut accepted, mut right, mut texts) = (0, 0, 0);
    for (file, status) in &models {
        let (file, checked) = (file.display(), model::check(file));
        texts += checked.texts;
        assert_eq!(checked.contradictions, Vec::<String>::new(), "{file}");
        if is_accepted(status) {
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

#[test]
fn models_can_be_evaluated() {
    let (mut accepted, mut right, mut terms, mut bytes) = (0, 0, 0, 0);
    for (file, status) in models() {
        let checked = model::check(&file);
        let evaluated = evaluate::evaluate(&checked);
        terms += evaluated.terms;
        bytes += evaluated.bytes;
        if is_accepted(&status) {
            accepted += 1;
            if evaluated.failures.is_empty() {
                right += 1;
            }
        }
        if !evaluated.failures.is_empty() {
            println!("{status}\t{}", file.display());
            evaluated.failures.iter().take(6).for_each(|failure| println!("\t{failure}"));
        }
    }
    println!("{right} of {accepted} models, {terms} terms compiled, {bytes} bytes of tokens");
    assert!(f64::from(right) >= EVALUATED * f64::from(accepted), "{right} of {accepted}");
}
