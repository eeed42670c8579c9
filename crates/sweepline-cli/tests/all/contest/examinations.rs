//! How many questions of each examination were answered.

use std::collections::BTreeMap;

/// The most unknown answers of an examination, in percent of its questions. None was unknown by default, nor in LTL and
/// CTL about nets of up to 100,000 states; the rest is room for larger nets and slow machines, where runs end at their
/// time limits.
const MOST_UNKNOWN: usize = 5;

/// The answers to the questions of one examination.
#[derive(Default, Debug)]
struct Counts {
    right: usize,
    unknown: usize,
}

/// The answers that are right or unknown, by examination.
#[derive(Default, Debug)]
pub(crate) struct Examinations(BTreeMap<String, Counts>);

impl Examinations {
    /// Counts an answer to a question, say `UpperBounds 03`.
    pub(crate) fn count(&mut self, question: &str, is_known: bool) {
        let name = question.split(' ').next().unwrap_or(question);
        let counts = self.0.entry(name.to_owned()).or_default();
        match is_known {
            true => counts.right += 1,
            false => counts.unknown += 1,
        }
    }

    pub(crate) fn right(&self) -> usize {
        self.0.values().map(|counts| counts.right).sum()
    }

    pub(crate) fn unknown(&self) -> usize {
        self.0.values().map(|counts| counts.unknown).sum()
    }

    /// Prints a line for each examination; `method` says how the answers were found.
    pub(crate) fn print(&self, method: &str) {
        for (name, Counts { right, unknown }) in &self.0 {
            println!("{method}, {name}: {right} right, {unknown} unknown");
        }
    }

    /// Fails where an examination has too many unknown answers.
    pub(crate) fn check(&self) {
        for (name, Counts { right, unknown }) in &self.0 {
            let all = right + unknown;
            assert!(100 * unknown <= MOST_UNKNOWN * all, "{name}: {unknown} of {all} unknown");
        }
    }
}

#[test]
fn too_many_unknown_answers_are_noticed() {
    let mut examinations = Examinations::default();
    for number in 0..100 {
        examinations.count(&format!("UpperBounds {number:02}"), number >= MOST_UNKNOWN);
    }
    examinations.check();
    examinations.count("OneSafe -", false);
    let fails = std::panic::catch_unwind(|| examinations.check());
    assert!(fails.is_err(), "an examination with unknown answers only");
}
