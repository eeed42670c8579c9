//! Components, home markings, liveness and fairness, compared with reports of CPN Tools.

use std::collections::BTreeMap;

use sweepline::observe::{Fairness, Structure, Survey};
use sweepline::{Check, Progress, Verdict, WitnessMode};
use sweepline_cpn::CpnModel;

use super::rows::{corpus, row};
use super::{report_of, sweep::Time};

/// Larger state spaces are tested only in the optimised build.
const MOST: u64 = if cfg!(debug_assertions) { 600 } else { 20_000 };

/// A model in which two instances of a page are numbered in the opposite order.
const NUMBERED_OTHERWISE: &str = "accesscpn.model.tests__resources__models__ExampleProtocol.cpn";

/// Surveys a model; `None` where the measure is not monotone.
fn survey<P: Progress<CpnModel>>(model: &CpnModel, progress: P) -> Option<Structure> {
    let (survey, found) =
        Survey::new(model.transition_names().count(), |o: &sweepline_cpn::Occurrence| {
            o.transition as usize
        });
    let check = Check::new(model).progress(progress).witness(WitnessMode::Off);
    let report = check.query("survey", "survey", survey).run();
    let known = matches!(report.properties[0].verdict, Verdict::Holds(_));
    known.then(|| found.lock().unwrap().clone())
}

/// The entries of a report under each heading.
fn sections(report: &str) -> BTreeMap<&str, Vec<&str>> {
    let (mut sections, mut heading) = (BTreeMap::<&str, Vec<&str>>::new(), "");
    for line in report.lines() {
        match line.trim_start().len() {
            0 => {}
            rest if line.len() - rest == 1 || line.len() - rest == 2 => heading = line.trim(),
            rest if line.len() - rest == 5 => {
                sections.entry(heading).or_default().push(line.trim());
            }
            _ => {}
        }
    }
    sections
}

/// Transitions as a report lists them: all, none, or by name.
fn listed(entries: Option<&Vec<&str>>, all: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = match entries.map_or(&[][..], Vec::as_slice) {
        ["All"] => all.iter().map(|name| name.to_string()).collect(),
        ["None"] => Vec::new(),
        names => names.iter().map(|name| name.to_string()).collect(),
    };
    names.sort();
    names
}

/// The number of home markings in a report. Reports of timed nets have another format.
fn home_markings(entries: Option<&Vec<&str>>, nodes: u64) -> Option<u64> {
    match *entries?.first()? {
        "All" => Some(nodes),
        "None" => Some(0),
        list if list.starts_with('[') => Some(list.split(',').count() as u64),
        count => count.split_once(' ').and_then(|(count, _)| count.parse().ok()),
    }
}

/// Without node numbers, which depend on the order of visits.
fn unnumbered(found: Structure) -> Structure {
    Structure { first_dead: Vec::new(), first_terminal: Vec::new(), ..found }
}

/// The differences to a report.
fn differences(model: &CpnModel, found: &Structure, report: &str) -> Vec<String> {
    let sections = sections(report);
    let is_named = |name: &str| {
        model.net().transitions.iter().any(|trans| trans.name == name && trans.is_named)
    };
    let names = |which: &dyn Fn(usize) -> bool| {
        let chosen = model.transition_names().enumerate().filter(|(i, _)| which(*i));
        let mut names: Vec<&str> =
            chosen.map(|(_, name)| name).filter(|name| is_named(name)).collect();
        names.sort_unstable();
        names
    };
    let all = names(&|_| true);
    let class = |class| names(&|i| found.fairness[i] == class);
    let mut parts = vec![
        ("Dead Transition Instances", names(&|i| !found.occurs[i])),
        ("Live Transition Instances", names(&|i| found.live[i])),
    ];
    if found.has_infinite_runs() {
        parts.push(("Impartial Transition Instances", class(Fairness::Impartial)));
        parts.push(("Fair Transition Instances", class(Fairness::Fair)));
        parts.push(("Just Transition Instances", class(Fairness::Just)));
        parts.push(("Transition Instances with No Fairness", class(Fairness::Unfair)));
    }
    let mut wrong = Vec::new();
    for (heading, ours) in parts {
        let theirs = listed(sections.get(heading), &all);
        if ours != theirs {
            wrong.push(format!("{heading}: {ours:?}, CPN Tools {theirs:?}"));
        }
    }
    if found.has_infinite_runs() == report.contains("No infinite occurrence sequences.") {
        wrong.push("infinite occurrence sequences".into());
    }
    let home = home_markings(sections.get("Home Markings"), found.states);
    if home.is_some_and(|home| home != found.home_markings()) {
        wrong.push(format!("{} home markings, CPN Tools {home:?}", found.home_markings()));
    }
    wrong
}

#[test]
fn components_are_those_of_cpn_tools() {
    let Some((corpus, rows)) = corpus() else { return };
    let (mut reports, mut swept, mut wrong) = (0, 0, Vec::new());
    for row in rows.lines().filter_map(row).filter(|row| row.nodes <= MOST && !row.is_outside()) {
        let Ok(model) = row.model(&corpus) else { continue };
        let Some(found) = survey(&model, sweepline::progress::Trivial) else {
            panic!("{} is not explored", row.file);
        };
        let mut differ = Vec::new();
        if let Some(components) = row.components
            && components != (found.components, found.edges_between)
        {
            let ours = (found.components, found.edges_between);
            differ.push(format!("components {ours:?}, CPN Tools {components:?}"));
        }
        if let Some(report) = report_of(&corpus, &row)
            && !row.file.ends_with(NUMBERED_OTHERWISE)
        {
            reports += 1;
            differ.extend(differences(&model, &found, &report));
        }
        if model.is_timed()
            && let Some(by_time) = survey(&model, Time)
        {
            swept += 1;
            assert_eq!(unnumbered(by_time), unnumbered(found), "{}", row.file);
        }
        wrong.extend(differ.iter().map(|what| format!("{} {}: {what}", row.file, row.change)));
    }
    println!("{reports} reports are the same; {swept} models were swept by time, too");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(reports > 40, "{reports}");
}
