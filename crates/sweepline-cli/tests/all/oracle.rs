//! Reports as CPN Tools writes them: the same text, but for the numbers of nodes, dates and seconds.
//!
//! Needs the corpus `cpn`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use sweepline_testkit::corpus;

/// Models that read files which are not there, or ask where they are.
const OUTSIDE: [&str; 3] = ["Projeto_LEACH-HOP", "nesc2cpn/model", "SimpleProtocol_IO"];

/// A model whose two instances of a page have each other's numbers here.
const NUMBERED_OTHERWISE: &str = "accesscpn.model.tests__resources__models__ExampleProtocol.cpn";

/// The options that make the change of a row, and the end of the name of its report.
fn changed(change: &str) -> (Vec<String>, String) {
    let at = |text: &str| if text.is_empty() { String::new() } else { format!("@{text}") };
    match change.strip_prefix("init:") {
        Some(initial) => {
            let short = initial.split('`').next().unwrap_or(initial);
            (vec!["--init".into(), initial.into()], at(short))
        }
        None => {
            let params = change.split(',').filter(|param| !param.is_empty());
            (params.flat_map(|param| ["--param".into(), param.into()]).collect(), at(change))
        }
    }
}

fn report(model: &Path, options: &[String]) -> Output {
    let mut binary = Command::new(env!("CARGO_BIN_EXE_sweepline"));
    binary.arg("report").arg(model).args(options).env("NO_COLOR", "1");
    binary.output().expect("the command runs")
}

/// The sections by their headers, each with its lines; what depends on the seed or the machine is replaced.
fn sections(report: &str) -> BTreeMap<String, Vec<String>> {
    let lines: Vec<&str> = report.trim_end().lines().collect();
    let is_rule = |line: &&str| line.len() == 72 && line.bytes().all(|byte| byte == b'-');
    let (mut sections, mut header) = (BTreeMap::new(), String::new());
    for (number, line) in lines.iter().enumerate().skip(3) {
        if lines.get(number + 1).is_some_and(is_rule) {
            header = line.to_string();
        }
        let section: &mut Vec<String> = sections.entry(header.clone()).or_default();
        section.push(settled(line));
    }
    sections
}

/// A line without seconds, and with the count of nodes instead of their numbers.
fn settled(line: &str) -> String {
    if line.starts_with("     Secs:   ") {
        return "     Secs:   ".into();
    }
    let numbers = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let list = numbers.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    match list
        .filter(|list| list.bytes().all(|byte| byte.is_ascii_digit() || b",.".contains(&byte)))
    {
        Some(list) => {
            let count = list.split(',').count();
            format!("{}{count} nodes", &line[..line.len() - numbers.len()])
        }
        None => line.to_owned(),
    }
}

#[test]
fn reports_are_those_of_cpn_tools() {
    let Some(corpus) = corpus("cpn", "oracle/ORACLE.tsv") else { return };
    let rows = std::fs::read_to_string(corpus.join("oracle/ORACLE.tsv")).expect("a table");
    let (mut same, mut exceptions, mut wrong) = (0, Vec::new(), Vec::new());
    for row in rows.lines() {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, "full", ..] = columns[..] else { continue };
        let (options, at) = changed(columns.get(9).copied().unwrap_or_default());
        let name = format!("{file}{at}");
        let theirs = corpus.join("oracle/reports").join(file.trim_start_matches("models/"));
        let theirs = std::fs::read(format!("{}{at}.txt", theirs.display()));
        let is_outside = OUTSIDE.iter().any(|outside| file.contains(outside));
        let (Ok(theirs), false) = (theirs, is_outside) else {
            exceptions.push(name);
            continue;
        };
        let output = report(&corpus.join(file), &options);
        if output.status.code() != Some(0) {
            wrong.push(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
            continue;
        }
        let ours = sections(&String::from_utf8_lossy(&output.stdout));
        let theirs = sections(&String::from_utf8_lossy(&theirs));
        let headers: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
        let differ = |header: &&&String| ours.get(**header) != theirs.get(**header);
        match headers.iter().find(differ) {
            None => same += 1,
            Some(_) if file.ends_with(NUMBERED_OTHERWISE) => exceptions.push(name),
            Some(&header) => {
                let (ours, theirs) = (ours.get(header), theirs.get(header));
                wrong.push(format!("{name}, {header}: {ours:#?}, CPN Tools {theirs:#?}"));
            }
        }
    }
    println!("{same} reports are the same; left out: {}", exceptions.join(", "));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= 93 && exceptions.len() <= 7, "{same} {exceptions:?}");
}
