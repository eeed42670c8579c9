//! Names of pages, places and transitions in queries and reports.

use std::collections::HashMap;

/// The identifier of a place or transition in reports of CPN Tools: parentheses are removed, the name ends at
/// the first other character that is not allowed in identifiers, and white space becomes `_`. The identifier
/// is empty if the name does not start with a letter.
pub(crate) fn identifier(name: &str) -> String {
    page_identifier(&name.replace(['(', ')'], ""))
}

/// The same for a page. The name of a page also ends at a parenthesis.
pub(crate) fn page_identifier(name: &str) -> String {
    let allowed =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '\'' | '_') || c.is_whitespace();
    let name = name.trim_start();
    let end = name.find(|c| !allowed(c)).unwrap_or(name.len());
    let words = name[..end].split_whitespace().collect::<Vec<_>>().join("_");
    match words.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => words,
        false => String::new(),
    }
}

/// A name in a message: one line, cut if it is long.
pub(super) fn shown(name: &str) -> String {
    const MOST: usize = 60;
    let line = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// Creates unique names.
#[derive(Default)]
pub(super) struct Unique {
    /// The names in use, with the number to try next.
    taken: HashMap<String, u64>,
}

impl Unique {
    /// The wanted name, or the name with a number if it is in use. `instead` replaces an empty name.
    pub(super) fn name(&mut self, wanted: &str, instead: &str) -> String {
        let wanted = if wanted.is_empty() { instead } else { wanted };
        let mut name = wanted.to_owned();
        while let Some(next) = self.taken.get(&name).map(|_| self.taken.get(wanted).copied()) {
            let next = next.unwrap_or(2);
            self.taken.insert(wanted.to_owned(), next + 1);
            name = format!("{wanted}_{next}");
        }
        self.taken.insert(name.clone(), 2);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::{Unique, identifier, page_identifier};

    #[test]
    fn names_become_identifiers() {
        for (name, wanted) in [
            ("Transmit Acknow.", "Transmit_Acknow"),
            (" A \nB ", "A_B"),
            ("g32\n(m3)", "g32_m3"),
            ("Read-Fut", "Read"),
            ("x'y_1", "x'y_1"),
            ("[DATA] Items", ""),
        ] {
            assert_eq!(identifier(name), wanted, "{name}");
        }
        assert_eq!(page_identifier("Scheduler (clone)"), "Scheduler");
        assert_eq!(page_identifier("modified.xml"), "modified");
    }

    #[test]
    fn names_stay_unique() {
        let mut names = Unique::default();
        let given = ["a", "a", "a_2", "", "a"].map(|wanted| names.name(wanted, "ID7"));
        assert_eq!(given, ["a", "a_2", "a_2_2", "ID7", "a_3"]);
    }
}
