//! "Did you mean": finds the known name that is closest to an unknown one.

use std::fmt;

/// Longer names are not compared: the comparison is quadratic and the suggestion unreadable.
const LONGEST_COMPARED: usize = 100;

/// Only this many names are compared: a suggestion is not worth seconds.
const MOST_COMPARED: usize = 20_000;

/// A known name that resembles an unknown one. Printed as ``did you mean `name`?``.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion(pub String);

impl Suggestion {
    /// A suggestion at the end of a message, if there is one.
    pub fn hint(suggestion: &Option<Self>) -> String {
        suggestion.as_ref().map_or(String::new(), |suggestion| format!("; {suggestion}"))
    }
}

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "did you mean `{}`?", self.0)
    }
}

/// The name in `known` that is closest to `wanted`, if it is close enough for a typing mistake.
///
/// Among equally close names, the one that sorts first is returned, so that messages do not depend on
/// hashing.
pub fn closest<'n>(wanted: &str, known: impl IntoIterator<Item = &'n str>) -> Option<Suggestion> {
    let n_chars = wanted.chars().take(LONGEST_COMPARED + 1).count();
    if n_chars > LONGEST_COMPARED {
        return None;
    }
    let furthest = n_chars.div_ceil(3).max(1);
    let comparable = |name: &&str| {
        name.len() <= 4 * LONGEST_COMPARED && name.chars().count().abs_diff(n_chars) <= furthest
    };
    let distance = |name: &str| match name.eq_ignore_ascii_case(wanted) {
        true => 0,
        false => strsim::damerau_levenshtein(wanted, name),
    };
    let candidates = known.into_iter().take(MOST_COMPARED).filter(comparable);
    let (best, name) = candidates.map(|name| (distance(name), name)).min()?;
    // All names of one letter are equally close to each other, so one of them is no useful suggestion.
    (best <= furthest && best < n_chars.min(name.chars().count()))
        .then(|| Suggestion(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_close_or_absent() {
        for (wanted, known, expected) in [
            ("redy", vec!["ready", "done"], Some("ready")),
            ("Ready", vec!["ready", "done"], Some("ready")),
            ("raedy", vec!["ready"], Some("ready")),
            ("p", vec!["q", "r"], None),
            ("P", vec!["q", "p"], Some("p")),
            ("pq", vec!["p"], None),
            ("waiting", vec!["done", "critical"], None),
            ("p1", vec!["p2", "p10", "q1"], Some("p10")),
            ("", vec!["abc"], None),
        ] {
            let found = closest(wanted, known).map(|suggestion| suggestion.0);
            assert_eq!(found.as_deref(), expected, "{wanted}");
        }
        assert_eq!(closest(&"x".repeat(1_000_000), ["y"]), None);
    }
}
