//! The assertions of a script.

use sweepline_source::Position;

use super::ast::{Claim as Written, Decl, Later};
use super::load::Script;
use crate::refine::Semantics;

/// The claim of an assertion about a process `P`, by itself or relative to a specification `Q`. Both are
/// given as text, for [`Script::compose`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by what stands above them")]
pub enum Claim {
    /// `P :[deadlock free]`. In the model `FailuresDivergences`, which is the default, a process that may
    /// diverge is not deadlock free.
    DeadlockFree { process: String, semantics: Semantics },
    /// `P :[divergence free]` or `P :[livelock free]`.
    DivergenceFree { process: String },
    /// `P :[deterministic]`. The default model is `FailuresDivergences`.
    Deterministic { process: String, semantics: Semantics },
    /// `Q [T= P`, `Q [F= P` or `Q [FD= P`.
    Refinement { specification: String, process: String, semantics: Semantics },
    /// `P :[has trace]: <a, b>`. The trace is text, for [`Script::events`].
    HasTrace { process: String, trace: String },
    /// What is not decided: `what` is `[R=`, `tau priority`, ...
    Other { process: String, what: String },
}

/// An assertion of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// Its text, without `assert`.
    pub text: String,
    /// Its position.
    pub position: Position,
    /// Whether it is an `assert not`.
    pub negated: bool,
    /// Its claim.
    pub claim: Claim,
}

impl Script {
    /// All assertions, in the order of the script.
    pub fn assertions(&self) -> Vec<Assertion> {
        let asserts = self.parse.decls.iter().filter_map(|decl| match decl {
            Decl::Assert(assert) => Some(assert),
            _ => None,
        });
        let assertion = |assert: &super::ast::Assert| {
            let text = self.text(assert.span);
            let text = text.strip_prefix("assert").unwrap_or(text).trim();
            let source = &self.parse.sources[assert.span.source.index()];
            Assertion {
                text: text.split_whitespace().collect::<Vec<_>>().join(" "),
                position: source.position(assert.span.range().start),
                negated: assert.negated,
                claim: self.claim(&assert.claim),
            }
        };
        asserts.map(assertion).collect()
    }

    fn claim(&self, claim: &Written) -> Claim {
        let text = |body: &Later| self.text(body.expr.span).to_owned();
        let (Written::Refines { of, options, .. } | Written::Property { of, options, .. }) = claim;
        // Partial order reduction changes nothing that is observed; other options change the process.
        let changes = |option: &&String| option.trim() != "partial order reduce";
        if let Some(option) = options.iter().find(changes) {
            return Claim::Other { process: text(of), what: words(option) };
        }
        match claim {
            Written::Refines { model, spec, of, .. } => match Semantics::named(model) {
                Some(semantics) => {
                    let (specification, process) = (text(spec), text(of));
                    Claim::Refinement { specification, process, semantics }
                }
                None => Claim::Other { process: text(of), what: format!("[{model}=") },
            },
            Written::Property { text: property, of, argument, .. } => {
                let argument = argument.as_ref().map(text);
                property_of(property, text(of), argument)
            }
        }
    }
}

/// The claim that `process` has a property: its name, and a semantic model in brackets.
fn property_of(property: &str, process: String, argument: Option<String>) -> Claim {
    let (name, model) = match property.split_once('[') {
        Some((name, model)) => (name, Some(model.trim_end_matches([']', ' ']).trim())),
        None => (property, None),
    };
    let other = |process| Claim::Other { process, what: words(property) };
    let default = Semantics::FailuresDivergences;
    let Some(semantics) = model.map_or(Some(default), Semantics::named) else {
        return other(process);
    };
    let is_refusal_model = semantics != Semantics::Traces;
    match (words(name).replace('-', " ").as_str(), argument) {
        ("deadlock free", _) if is_refusal_model => Claim::DeadlockFree { process, semantics },
        // Divergences are only observed in one model, which is the one that is meant.
        ("divergence free" | "livelock free", _) => Claim::DivergenceFree { process },
        ("deterministic", _) if is_refusal_model => Claim::Deterministic { process, semantics },
        ("has trace", Some(trace)) if model.is_none() || !is_refusal_model => {
            Claim::HasTrace { process, trace }
        }
        _ => other(process),
    }
}

/// A text with single blanks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
