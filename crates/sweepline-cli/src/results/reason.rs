//! Why the end of a counterexample violates a refinement, or shows that a process is not deterministic.

use std::fmt::Write;

use serde::Serialize;
use sweepline_lts::Refusal;

/// Why the end of a counterexample is a violation.
#[derive(Serialize, Clone, Debug)]
#[serde(untagged)]
pub(crate) enum Reason {
    /// The last event, which the specification does not allow, and those that it allows instead.
    Event {
        #[serde(rename = "allowed_events")]
        allowed: Vec<String>,
        #[serde(rename = "refused_event")]
        event: String,
    },
    /// What the process offers and refuses, and the minimal acceptances of the specification.
    Refuses { offered: Vec<String>, refusal: Vec<String>, acceptances: Vec<Vec<String>> },
    /// The process can do the event after the trace, and can refuse it.
    Both {
        nondeterministic_event: String,
        refusal: Vec<String>,
        /// The event is the last one of the counterexample.
        #[serde(skip)]
        is_last: bool,
    },
    /// The process diverges after the trace.
    Diverges { diverges: bool },
}

/// Events or sets that are listed; the rest is in the JSON.
const MOST: usize = 20;

impl Reason {
    pub(crate) fn refuses(refusal: Refusal) -> Self {
        let Refusal { offered, refused, acceptances } = refusal;
        Reason::Refuses { offered, refusal: refused, acceptances }
    }

    /// The reason if the specification is a part of the process itself.
    pub(crate) fn of_itself(self) -> Self {
        match self {
            Reason::Event { event, .. } => {
                let refusal = vec![event.clone()];
                Reason::Both { refusal, nondeterministic_event: event, is_last: true }
            }
            Reason::Refuses { refusal, .. } if !refusal.is_empty() => {
                let nondeterministic_event = refusal[0].clone();
                Reason::Both { nondeterministic_event, refusal, is_last: false }
            }
            other => other,
        }
    }

    /// What the counterexample shows.
    pub(super) fn lines(&self, text: &mut String, mut trace: Vec<String>, full: bool) {
        match self {
            Reason::Event { allowed, event } => {
                trace.pop();
                let (trace, allowed) = (as_csp(trace, full), listed(allowed, "nothing"));
                let _ = writeln!(text, "  after {trace} the specification allows: {allowed}");
                let _ = writeln!(text, "  the implementation does: {event}");
            }
            Reason::Refuses { offered, refusal, acceptances } => {
                let (trace, offered) = (as_csp(trace, full), listed(offered, "nothing"));
                let _ = writeln!(text, "  after {trace} the implementation accepts: {offered}");
                let _ = writeln!(text, "  the implementation refuses: {}", set(refusal));
                let sets: Vec<_> = acceptances.iter().map(|events| set(events)).collect();
                let required = match sets.as_slice() {
                    [] => "the specification has no stable state after this trace".to_owned(),
                    [only] => format!("the specification requires the events of {only}"),
                    _ => format!(
                        "the specification requires the events of one of: {}",
                        listed(&sets, "")
                    ),
                };
                let _ = writeln!(text, "  {required}");
            }
            Reason::Both { nondeterministic_event: event, is_last, .. } => {
                if *is_last {
                    trace.pop();
                }
                let trace = as_csp(trace, full);
                let both = format!("can do {event} and can refuse {event}");
                let _ = writeln!(text, "  after {trace} the process {both}");
            }
            Reason::Diverges { .. } => {
                let trace = as_csp(trace, full);
                let _ = writeln!(text, "  after {trace} the process diverges");
            }
        }
    }
}

/// Texts separated by commas; `none` if there are none.
fn listed(texts: &[String], none: &str) -> String {
    let mut list = match texts.len() {
        0 => none.to_owned(),
        n => texts[..n.min(MOST)].join(", "),
    };
    if texts.len() > MOST {
        let _ = write!(list, ", and {} more", texts.len() - MOST);
    }
    list
}

/// A set of events in CSP notation.
fn set(events: &[String]) -> String {
    format!("{{{}}}", listed(events, ""))
}

/// A trace in CSP notation; the middle of a long one is left out unless `full`.
pub(super) fn as_csp(mut trace: Vec<String>, full: bool) -> String {
    const ENDS: usize = 10;
    if !full && trace.len() > 2 * ENDS + 1 {
        let hidden = trace.len() - 2 * ENDS;
        trace.splice(ENDS..ENDS + hidden, [format!("… {hidden} more …")]);
    }
    format!("<{}>", trace.join(", "))
}
