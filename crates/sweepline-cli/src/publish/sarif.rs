//! Results in SARIF 2.1.0: violated and unknown properties, and errors in models, each with its place in the file.

use std::collections::BTreeSet;
use std::path::Path;

use miette::{Diagnostic, LabeledSpan, SourceCode};
use serde_json::{Value, json};

use super::{Part, junit};
use crate::failure::Failure;
use crate::print::one_line;
use crate::results::{Row, Summary};

/// Steps of a counterexample that are listed, at most.
const STEPS: usize = 1_000;

/// All results in one document.
pub(super) fn document(parts: &[Part]) -> Value {
    let results: Vec<&Value> = parts.iter().flat_map(|part| &part.findings).collect();
    let ids: BTreeSet<&str> = results.iter().filter_map(|one| one["ruleId"].as_str()).collect();
    let rules: Vec<Value> = ids.iter().map(|id| json!({ "id": id })).collect();
    let driver = json!({
        "name": "sweepline",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules,
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    })
}

/// The properties that do not hold.
pub(super) fn findings(summary: &Summary) -> Vec<Value> {
    let open = summary.properties.iter().filter(|row| row.verdict != "holds");
    open.map(|row| finding(summary, row)).collect()
}

fn finding(summary: &Summary, row: &Row) -> Value {
    let level = if row.verdict == "violated" { "error" } else { "warning" };
    let mut text = junit::message(summary, row);
    let details = row.details();
    if !details.is_empty() {
        text.push_str("\n\n");
        text.push_str(&details);
    }
    let place = place(&summary.file, row.line.map(|line| json!({ "startLine": line })));
    let mut result = json!({
        "ruleId": row.kind,
        "level": level,
        "message": { "text": text },
        "locations": [place],
        "partialFingerprints": { "property/v1": format!("{}:{}", row.kind, one_line(&row.name)) },
    });
    let steps: Vec<Value> = row.steps().take(STEPS).map(|step| at_step(&place, step)).collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// A step of a counterexample. It has no place of its own: the model stands for it.
fn at_step(place: &Value, step: &str) -> Value {
    let mut location = place.clone();
    location["message"] = json!({ "text": step });
    json!({ "location": location })
}

/// The errors in a model, or in the command.
pub(super) fn problems(file: &Path, failure: &Failure) -> Vec<Value> {
    let mut found = Vec::new();
    collect(file, failure, None, &mut found);
    found
}

/// Adds a problem, or those that it is made of.
fn collect(
    file: &Path,
    problem: &dyn Diagnostic,
    outer: Option<&dyn SourceCode>,
    found: &mut Vec<Value>,
) {
    let source = problem.source_code().or(outer);
    let before = found.len();
    for part in problem.related().into_iter().flatten() {
        collect(file, part, source, found);
    }
    if found.len() > before {
        return;
    }
    let mut text = problem.to_string();
    if let Some(help) = problem.help() {
        text = format!("{text}\n{help}");
    }
    let label = problem.labels().and_then(|mut labels| labels.next());
    let at = label.zip(source).and_then(|(label, source)| region(source, &label));
    let (name, region) = at.unzip();
    let name = name.flatten();
    let file = name.as_deref().map_or(file, Path::new);
    let code = problem.code().map_or_else(|| "error".into(), |code| code.to_string());
    found.push(json!({
        "ruleId": code,
        "level": "error",
        "message": { "text": text },
        "locations": [place(file, region)],
    }));
}

/// The name of the file, if the source has one, and the place of a label.
fn region(source: &dyn SourceCode, label: &LabeledSpan) -> Option<(Option<String>, Value)> {
    let contents = source.read_span(label.inner(), 0, 0).ok()?;
    let region = json!({ "startLine": contents.line() + 1, "startColumn": contents.column() + 1 });
    Some((contents.name().map(ToOwned::to_owned), region))
}

fn place(file: &Path, region: Option<Value>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(region) = region {
        place["region"] = region;
    }
    json!({ "physicalLocation": place })
}

/// A path as a relative reference, or as a URI if it is absolute.
fn uri(file: &Path) -> String {
    let text = file.to_string_lossy();
    let mut uri = if file.is_absolute() { "file://".to_owned() } else { String::new() };
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri(Path::new("models/a b.pnml")), "models/a%20b.pnml");
        assert_eq!(uri(Path::new("/x/ü.csp")), "file:///x/%C3%BC.csp");
    }
}
