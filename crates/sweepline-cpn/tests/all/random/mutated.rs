//! Files with pieces removed, duplicated, swapped and moved: each results in an error or an answer.

use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::progress::{Features, Trivial};
use sweepline::{Limits as RunLimits, Options as Run, explore};
use sweepline_cpn::{CpnModel, Limits, Net, Options, read_cpn_bytes};

use super::cases;
use super::generate::Tape;

/// Replacements that are inserted sometimes.
const WORDS: [&str; 24] = [
    "1`x",
    "@+",
    "@",
    "++",
    "--",
    "empty",
    "[]",
    "~1",
    "1000000000",
    "(",
    ")",
    "\"",
    "ref",
    "!",
    "case",
    "inhibitor",
    "reset",
    "BOTHDIR",
    "<timed/>",
    "&lt;",
    "P.all()",
    "time ()",
    "raise Empty",
    "5 div 0",
];

/// The words of a file: those in element content, or all, including tags and attributes.
fn words(text: &str, all: bool) -> Vec<Range<usize>> {
    let (mut found, mut inside): (Vec<Range<usize>>, bool) = (Vec::new(), false);
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let tag = inside || c == '<';
        inside = tag && c != '>';
        if !all && tag {
            last = ' ';
            continue;
        }
        match found.last_mut() {
            Some(word) if c.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() => {
                word.end = at + 1;
            }
            _ => found.push(at..at + c.len_utf8()),
        }
        last = c;
    }
    found
}

fn mutate(text: &mut String, (kind, from, to): (u8, u16, u16)) {
    // Usually only element content is changed, so that the file stays well-formed.
    let words = words(text, kind % 8 == 0);
    let word = |n: u16| words[usize::from(n) % words.len()].clone();
    let (here, there) = (word(from), word(to));
    let copy = text[there.clone()].to_owned();
    match kind / 8 % 4 {
        0 => text.replace_range(here, ""),
        1 => text.insert_str(here.start, &copy),
        2 => text.replace_range(here, WORDS[usize::from(to) % WORDS.len()]),
        _ => text.replace_range(here, &copy),
    }
}

/// Processes a file as far as possible.
fn run(xml: &str) -> &'static str {
    let Ok(file) = read_cpn_bytes("mutated.cpn", xml.as_bytes(), &Limits::default()) else {
        return "not read";
    };
    let net = match Net::load(&file, &Options::default()) {
        Ok(net) => net,
        Err(errors) => {
            assert!(!errors.errors.is_empty());
            return "not loaded";
        }
    };
    let mut limits = sweepline_ml::Limits::default();
    (limits.fuel, limits.heap, limits.stack) = (200_000, 4 << 20, 1 << 20);
    let Ok(model) = CpnModel::new(&net, limits) else { return "not compiled" };
    let limits = RunLimits { states: Some(30), ..RunLimits::default() };
    let options = Run { limits, ..Run::default() };
    let run = explore(&model, &Trivial, &options, &mut ());
    let start = sweepline::model::initial(&model).swap_remove(0);
    model.show_marking(&start);
    model.show_occurrences(&start);
    model.features(&start, &mut |_| {});
    if run.stop.is_none() { "explored" } else { "stopped" }
}

#[test]
fn mutated_files_end_in_an_error_or_an_answer() {
    let models = ["protocol", "timed"].map(|name| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        std::fs::read_to_string(folder.join(name).with_extension("cpn")).unwrap()
    });
    let found = std::cell::RefCell::new(std::collections::BTreeMap::<&str, u32>::new());
    proptest!(cases(600), |(
        choices in vec(any::<u16>(), 20..160),
        which in 0..4usize,
        mutations in vec(any::<(u8, u16, u16)>(), 1..6),
    )| {
        let mut text = match models.get(which) {
            Some(model) => model.clone(),
            None => Tape::new(&choices).net().xml(),
        };
        mutations.into_iter().for_each(|mutation| mutate(&mut text, mutation));
        *found.borrow_mut().entry(run(&text)).or_default() += 1;
    });
    let found = found.into_inner();
    println!("{found:?}");
    for outcome in ["not read", "not loaded", "explored"] {
        assert!(found.contains_key(outcome), "{outcome}: {found:?}");
    }
}
