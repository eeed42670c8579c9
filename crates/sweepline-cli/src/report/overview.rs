//! The report as data.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use sweepline::observe::{Fairness, Structure};
use sweepline::{Property, StopReason, Verdict};

use super::profile::{Point, SizeClass};
use super::{Heading, Surveyed};
use crate::args::Method;
use crate::front_end::{Content, Extent, FrontEnd};
use crate::results::{Row, TraceStep, steps, trace_steps};
use crate::system;

/// The report. The fields are those of the JSON object, in its order; fields may be added but
/// are never renamed.
#[derive(Serialize)]
pub(crate) struct Overview {
    schema: u32,
    pub(super) file: String,
    pub(super) model: String,
    /// The time of the report, in seconds since 1970, UTC.
    pub(super) generated: u64,
    pub(super) method: Method,
    pub(super) progress: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    /// `full` or `partial`.
    pub(super) status: &'static str,
    /// Why it is partial.
    pub(super) stop: Option<String>,
    pub(super) nodes: u64,
    pub(super) arcs: u64,
    pub(super) seconds: f64,
    /// The results that need the whole state space; none of a partial one.
    pub(super) structure: Option<Whole>,
    pub(super) places: Vec<Extent>,
    pub(super) dead_markings: Markings,
    pub(super) properties: Vec<Stated>,
    pub(super) sweep: Sweep,
    /// Show every step of a trace.
    #[serde(skip)]
    pub(super) full_trace: bool,
    /// Bounds include multi-sets.
    #[serde(skip)]
    pub(super) coloured: bool,
    /// The exit status if an interrupt or an error of the model ended the run.
    #[serde(skip)]
    broken: Option<u8>,
}

/// Results about the strongly connected components.
#[derive(Serialize)]
pub(crate) struct Whole {
    pub(super) components: u64,
    pub(super) arcs_between: u64,
    pub(super) terminal_components: u64,
    pub(super) trivial_components: u64,
    pub(super) largest_component: u64,
    pub(super) home_markings: Markings,
    /// Timed nets only: the initial marking is a home marking if time stamps are ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) initial_is_home: Option<bool>,
    pub(super) transitions: Vec<String>,
    pub(super) dead_transitions: Vec<String>,
    pub(super) live_transitions: Vec<String>,
    pub(super) infinite_runs: bool,
    /// By class; meaningless if no run is infinite.
    pub(super) fairness: Fair,
}

/// Transitions by fairness class.
#[derive(Serialize)]
pub(crate) struct Fair {
    pub(super) impartial: Vec<String>,
    pub(super) fair: Vec<String>,
    pub(super) just: Vec<String>,
    pub(super) none: Vec<String>,
}

/// A number of states, and the numbers of the first of them.
#[derive(Serialize)]
pub(crate) struct Markings {
    pub(super) count: u64,
    pub(super) first: Vec<u64>,
}

/// What the exploration stored.
#[derive(Serialize)]
pub(crate) struct Sweep {
    pub(super) layers: u64,
    pub(super) peak_states: u64,
    pub(super) peak_bytes: u64,
    pub(super) peak_rss: Option<u64>,
    pub(super) points: Vec<Point>,
    pub(super) sizes: Vec<SizeClass>,
}

/// A property with its verdict or its error.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Stated {
    /// With its counterexample or witness, if it has one.
    Answered(Box<Answered>),
    /// With the error.
    Wrong {
        /// Its name.
        name: String,
        verdict: &'static str,
        error: String,
    },
}

#[derive(Serialize)]
pub(crate) struct Answered {
    #[serde(flatten)]
    pub(super) row: Row,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) witness: Option<Path>,
    /// The path as `check` prints it, and why the verdict is unknown.
    #[serde(skip)]
    pub(super) lines: String,
    #[serde(skip)]
    pub(super) why: Option<String>,
}

/// A path from the initial state.
#[derive(Serialize)]
pub(crate) struct Path {
    pub(super) initial: BTreeMap<String, Content>,
    pub(super) steps: Vec<TraceStep<'static>>,
}

impl Stated {
    pub(super) fn wrong(name: String, error: String) -> Self {
        Stated::Wrong { name, verdict: "error", error }
    }

    pub(super) fn new<M: FrontEnd>(model: &M, property: &Property<M>, full: bool) -> Self {
        let witness = property.verdict.witness();
        let lines = witness.map_or_else(String::new, |witness| steps(model, witness, full));
        let why = match &property.verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        };
        let own = |TraceStep { action, changes }: TraceStep<'_>| TraceStep {
            action: action.into_owned().into(),
            changes,
        };
        let path = witness.map(|witness| Path {
            initial: model.parts(&witness.initial).into_iter().collect(),
            steps: trace_steps(model, witness).into_iter().map(own).collect(),
        });
        let row = Row::new(property);
        Stated::Answered(Box::new(Answered { row, witness: path, lines, why }))
    }

    /// Its counterexample or witness.
    pub(super) fn witness(&self) -> Option<&Path> {
        match self {
            Stated::Answered(answered) => answered.witness.as_ref(),
            Stated::Wrong { .. } => None,
        }
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        match self {
            Stated::Answered(answered) => &answered.row.name,
            Stated::Wrong { name, .. } => name,
        }
    }

    /// `holds`, `violated`, `unknown` or `error`.
    pub(super) fn verdict(&self) -> &'static str {
        match self {
            Stated::Answered(answered) => answered.row.verdict,
            Stated::Wrong { verdict, .. } => verdict,
        }
    }
}

impl Overview {
    pub(super) fn new<M: FrontEnd>(
        model: &M,
        heading: Heading,
        found: Surveyed<M>,
        properties: Vec<Stated>,
        elapsed: Duration,
    ) -> Self {
        let Surveyed { report, structure, extents, profile, .. } = found;
        let verdict = |name: &str| report.property(name).map(|property| &property.verdict);
        let is_whole = matches!(verdict("structure"), Some(Verdict::Holds(_)));
        let initial_is_home = verdict("home").map(|verdict| matches!(verdict, Verdict::Holds(_)));
        let statistics = &report.statistics;
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Overview {
            schema: 1,
            file: heading.file,
            model: model.name().to_owned(),
            generated: since.map_or(0, |since| since.as_secs()),
            method: heading.method,
            progress: heading.progress,
            notes: heading.notes,
            status: if is_whole { "full" } else { "partial" },
            stop: report.stop.as_ref().filter(|_| !is_whole).map(ToString::to_string),
            nodes: statistics.explored,
            arcs: statistics.edges,
            seconds: elapsed.as_secs_f64(),
            dead_markings: Markings { count: structure.dead, first: structure.first_dead.clone() },
            structure: is_whole.then(|| Whole::new(model, structure, initial_is_home)),
            places: model.bounds(&extents),
            properties,
            sweep: Sweep {
                layers: statistics.layers,
                peak_states: statistics.peak_states,
                peak_bytes: statistics.peak_bytes,
                peak_rss: system::peak_resident(),
                points: profile.points().to_vec(),
                sizes: profile.sizes(),
            },
            full_trace: heading.full_trace,
            coloured: M::COLOURED,
            broken: match &report.stop {
                Some(StopReason::Interrupted) => Some(130),
                Some(StopReason::Model(_)) => Some(2),
                _ => None,
            },
        }
    }

    /// The exit status: that of the worst verdict.
    pub(super) fn exit_status(&self) -> u8 {
        let some = |verdict| self.properties.iter().any(|stated| stated.verdict() == verdict);
        match self.broken {
            Some(status) => status,
            None if some("error") => 2,
            None if some("violated") => 1,
            None if self.structure.is_none() || some("unknown") => 3,
            None => 0,
        }
    }
}

impl Whole {
    fn new<M: FrontEnd>(model: &M, found: Structure, initial_is_home: Option<bool>) -> Self {
        let (names, listed) = (model.transitions(), model.listed_transitions());
        let those = |which: &dyn Fn(usize) -> bool| -> Vec<String> {
            listed.iter().filter(|&&i| which(i)).map(|&i| names[i].clone()).collect()
        };
        let class = |class| those(&|i| found.fairness[i] == class);
        let home = found.home_markings();
        Whole {
            components: found.components,
            arcs_between: found.edges_between,
            terminal_components: found.terminal,
            trivial_components: found.trivial,
            largest_component: found.largest,
            transitions: those(&|_| true),
            dead_transitions: those(&|i| !found.occurs[i]),
            live_transitions: those(&|i| found.live[i]),
            infinite_runs: found.has_infinite_runs(),
            fairness: Fair {
                impartial: class(Fairness::Impartial),
                fair: class(Fairness::Fair),
                just: class(Fairness::Just),
                none: class(Fairness::Unfair),
            },
            home_markings: Markings {
                count: home,
                first: if home > 0 { found.first_terminal } else { Vec::new() },
            },
            initial_is_home,
        }
    }
}
