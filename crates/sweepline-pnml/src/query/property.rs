//! The properties in a formula file.

use sweepline::ctl;
use sweepline::ltl::Formula;
use sweepline_query::{Expr, Predicate};

/// A named property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The name, unique in a formula file.
    pub id: String,
    /// The property.
    pub question: Question,
}

/// A property of the reachable markings.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Question {
    /// Does the condition hold in every reachable marking (`AG`)?
    Invariant(Predicate),
    /// Does it hold in some reachable marking (`EF`)?
    Possible(Predicate),
    /// Does it hold in the initial marking?
    Initially(Predicate),
    /// A boolean combination of the three above.
    Combination(Combination),
    /// What is the greatest value over the reachable markings?
    Bound(Expr),
    /// Does every path satisfy it?
    Ltl(Formula<Predicate>),
    /// Does the initial marking satisfy it?
    Ctl(ctl::Formula<Predicate>),
    /// Is a marking reachable in which no transition is enabled?
    Deadlock,
    /// Do all reachable markings have at most one token in each place?
    OneSafe,
    /// Does every transition occur in some reachable marking?
    QuasiLiveness,
    /// Can every transition occur again, from every reachable marking?
    Liveness,
    /// Can the initial marking be reached from every reachable one?
    Reversible,
    /// Does some place have the same number of tokens in every reachable marking?
    StableMarking,
    /// It cannot be decided.
    Unsupported {
        /// The kind of property.
        kind: String,
        /// Why it cannot be decided.
        reason: String,
    },
}

/// A Boolean combination of properties, without negations: `not EF p` is `AG not p`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Combination {
    /// As [`Question::Invariant`].
    Invariant(Predicate),
    /// As [`Question::Possible`].
    Possible(Predicate),
    /// As [`Question::Initially`].
    Initially(Predicate),
    /// All hold.
    All(Vec<Combination>),
    /// One holds.
    Any(Vec<Combination>),
}

impl Combination {
    /// The negation.
    pub fn negated(self) -> Self {
        let negate_all = |parts: Vec<Self>| parts.into_iter().map(Self::negated).collect();
        match self {
            Self::Invariant(predicate) => Self::Possible(predicate.negated()),
            Self::Possible(predicate) => Self::Invariant(predicate.negated()),
            Self::Initially(predicate) => Self::Initially(predicate.negated()),
            Self::All(parts) => Self::Any(negate_all(parts)),
            Self::Any(parts) => Self::All(negate_all(parts)),
        }
    }
}

impl From<Combination> for Question {
    fn from(combination: Combination) -> Self {
        match combination {
            Combination::Possible(predicate) if predicate == Predicate::deadlock() => {
                Self::Deadlock
            }
            Combination::Invariant(predicate) => Self::Invariant(predicate),
            Combination::Possible(predicate) => Self::Possible(predicate),
            Combination::Initially(predicate) => Self::Initially(predicate),
            several => Self::Combination(several),
        }
    }
}

impl Question {
    /// The property of a contest examination without formulas, or of a generic property:
    /// `ReachabilityDeadlock`, `OneSafe`, `SAFE`, ... `None` for other names.
    ///
    /// ```
    /// use sweepline_pnml::Question;
    ///
    /// assert_eq!(Question::examination("OneSafe"), Some(Question::OneSafe));
    /// assert_eq!(Question::examination("SAFE"), Some(Question::OneSafe));
    /// assert_eq!(Question::examination("safe?"), None);
    /// ```
    pub fn examination(name: &str) -> Option<Self> {
        Some(match name {
            "ReachabilityDeadlock" | "DEADLOCK" => Self::Deadlock,
            "OneSafe" | "SAFE" => Self::OneSafe,
            "QuasiLiveness" => Self::QuasiLiveness,
            "StableMarking" => Self::StableMarking,
            "Liveness" | "LIVE" => Self::Liveness,
            "REVERSIBLE" => Self::Reversible,
            "DEAD_TRANSITIONS" => {
                Self::unsupported("dead transitions", "check its negation, `QuasiLiveness`")
            }
            "DEAD_PLACES" => {
                Self::unsupported("dead places", "check `tokens(p) > 0` for a place `p`")
            }
            _ if STRUCTURAL.split(' ').any(|known| known == name) => Self::unsupported(
                "structure",
                "it is a property of the net's structure, not of its markings",
            ),
            _ => return None,
        })
    }

    fn unsupported(kind: &str, reason: &str) -> Self {
        Self::Unsupported { kind: kind.into(), reason: reason.into() }
    }
}

/// Generic properties of the structure of the net.
const STRUCTURAL: &str = "CONNECTED CONSERVATIVE EXTENDED_FREE_CHOICE LOOP_FREE MARKED_GRAPH NESTED_UNITS \
                          ORDINARY PURE SIMPLE_FREE_CHOICE SINK_PLACE SINK_TRANSITION SOURCE_PLACE \
                          SOURCE_TRANSITION STATE_MACHINE STRONGLY_CONNECTED SUBCONSERVATIVE";
