//! What all processes of a run must agree on.

use serde::{Deserialize, Serialize};

/// What a process explores and how, as names and values that people can read. All processes of a run, and a run
/// and its checkpoint, must have the same.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Terms(Vec<(String, String)>);

/// The names of terms; messages need them to live long.
const NAMES: [&str; 12] = [
    "version",
    "model",
    "list of properties",
    "progress measure",
    "window",
    "anchor",
    "treatment of regress edges",
    "witness mode",
    "state limit",
    "number of threads",
    "checkpoint option",
    "time between checkpoints",
];

impl Terms {
    /// Adds a term. `name` should be one that messages can use: "another NAME".
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.0.push((name.to_owned(), value.to_string()));
        self
    }

    /// The value of a term.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first term in which `there` differs: its name, the value there and the value here.
    pub(crate) fn difference(&self, there: &Terms) -> Option<(&'static str, String, String)> {
        let known = NAMES.iter().find_map(|&name| {
            let (ours, theirs) = (self.get(name), there.get(name));
            let shown = |value: Option<&str>| value.unwrap_or("none").to_owned();
            (ours != theirs).then(|| (name, shown(theirs), shown(ours)))
        });
        known.or_else(|| {
            let other = ("set of options", format!("{:?}", there.0), format!("{:?}", self.0));
            (self != there).then_some(other)
        })
    }
}
