//! The counts that a tool reports for a state space, and whether two tools agree.

use std::fmt;

/// The counts of a tool; `None` for a count that it does not report in the same sense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub states: Option<u64>,
    pub edges: Option<u64>,
    pub dead: Option<u64>,
}

impl Answer {
    /// The first count that both report and on which they differ.
    pub fn conflict(&self, other: &Answer) -> Option<Conflict> {
        let pairs = [
            ("states", self.states, other.states),
            ("edges", self.edges, other.edges),
            ("dead states", self.dead, other.dead),
        ];
        pairs.into_iter().find_map(|(what, ours, theirs)| match (ours, theirs) {
            (Some(expected), Some(found)) if expected != found => {
                Some(Conflict { what, expected, found })
            }
            _ => None,
        })
    }

    /// Fills the counts this answer lacks from another.
    pub fn or(&self, other: &Answer) -> Answer {
        Answer {
            states: self.states.or(other.states),
            edges: self.edges.or(other.edges),
            dead: self.dead.or(other.dead),
        }
    }
}

/// Two contradicting answers.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict {
    what: &'static str,
    expected: u64,
    found: u64,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} where {} were expected", self.found, self.what, self.expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_counts_given_by_both_can_conflict() {
        let known = Answer { states: Some(3), edges: Some(4), dead: None };
        assert_eq!(known.conflict(&Answer { states: Some(3), edges: None, dead: Some(1) }), None);
        let wrong = Answer { states: Some(3), edges: Some(5), dead: None };
        assert_eq!(known.conflict(&wrong).unwrap().to_string(), "5 edges where 4 were expected");
        assert_eq!(known.or(&Answer { dead: Some(9), ..wrong }).dead, Some(9));
    }
}
