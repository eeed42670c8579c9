//! The report in the layout of CPN Tools, which scripts may read.

use std::fmt::{Display, Write};

use super::overview::{Markings, Overview, Stated, Whole};
use crate::front_end::Extent;
use crate::results::Figure;

/// Below a header.
const RULE: &str = "------------------------------------------------------------------------";
/// The columns of bounds.
const INTEGER: usize = 24;
const MULTI_SET: usize = 20;
/// The width of an upper bound.
const UPPER: usize = 11;

/// The whole report, below a title.
pub(super) fn text(title: &str, overview: &Overview) -> String {
    let mut text = Text::default();
    text.line(title);
    text.line(&overview.file);
    text.line(format_args!("Report generated: {}", date(overview.generated)));
    statistics(&mut text, overview);
    boundedness(&mut text, overview);
    text.header("Home Properties");
    text.heading("Home Markings");
    match &overview.structure {
        None => text.entry(UNKNOWN),
        Some(Whole { initial_is_home: Some(true), .. }) => {
            text.entry("Initial Marking is a home marking");
        }
        Some(Whole { initial_is_home: Some(false), .. }) => {
            text.entry("Initial Marking is not a home marking");
        }
        Some(whole) => text.markings(&whole.home_markings, overview.nodes),
    }
    liveness(&mut text, overview);
    text.header("Fairness Properties");
    fairness(&mut text, overview.structure.as_ref());
    properties(&mut text, &overview.properties);
    text.0
}

/// The entry if the state space is incomplete.
const UNKNOWN: &str = "Unknown";

#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: impl Display) {
        let _ = writeln!(self.0, "{line}");
    }

    fn header(&mut self, name: &str) {
        let _ = writeln!(self.0, "\n\n {name}\n{RULE}");
    }

    fn heading(&mut self, name: &str) {
        let _ = writeln!(self.0, "\n  {name}");
    }

    fn entry(&mut self, entry: impl Display) {
        let _ = writeln!(self.0, "     {entry}");
    }

    /// A row of a table whose first column is `width` wide; a longer name has a line of its own.
    fn row(&mut self, name: &str, width: usize, rest: impl Display) {
        match name.chars().count() < width {
            true => self.entry(format_args!("{name:<width$}{rest}")),
            false => {
                self.entry(name);
                self.entry(format_args!("{:<width$}{rest}", ""));
            }
        }
    }

    fn markings(&mut self, markings: &Markings, all: u64) {
        let numbers: Vec<String> = markings.first.iter().map(ToString::to_string).collect();
        let numbers = numbers.join(",");
        match markings.count {
            0 => self.entry("None"),
            count if count == all => self.entry("All"),
            count if count > markings.first.len() as u64 => {
                self.entry(format_args!("{count} [{numbers},...]"));
            }
            _ => self.entry(format_args!("[{numbers}]")),
        }
    }

    /// Transitions; `All` if there are `all` of them.
    fn transitions(&mut self, heading: &str, names: &[String], all: Option<usize>) {
        self.heading(heading);
        match names.len() {
            0 => self.entry("None"),
            n if Some(n) == all => self.entry("All"),
            _ => names.iter().for_each(|name| self.entry(name)),
        }
    }
}

fn statistics(text: &mut Text, overview: &Overview) {
    text.header("Statistics");
    text.heading("State Space");
    text.entry(format_args!("Nodes:  {}", overview.nodes));
    text.entry(format_args!("Arcs:   {}", overview.arcs));
    text.entry(format_args!("Secs:   {}", overview.seconds as u64));
    let status = if overview.structure.is_some() { "Full" } else { "Partial" };
    text.entry(format_args!("Status: {status}"));
    if let Some(whole) = &overview.structure {
        text.heading("Scc Graph");
        text.entry(format_args!("Nodes:  {}", whole.components));
        text.entry(format_args!("Arcs:   {}", whole.arcs_between));
        // Components are computed during the exploration.
        text.entry("Secs:   0");
    }
}

fn boundedness(text: &mut Text, overview: &Overview) {
    let places = &overview.places;
    text.header("Boundedness Properties");
    text.heading("Best Integer Bounds");
    text.entry(format_args!("{:INTEGER$}{:UPPER$}Lower", "", "Upper"));
    for place in places {
        let upper = place.upper.to_string();
        // Wide numbers still have a space behind them.
        let upper = format!("{upper:<width$}", width = UPPER.max(upper.len() + 1));
        text.row(&place.place, INTEGER, format_args!("{upper}{}", place.lower));
    }
    type Bound = fn(&Extent) -> Option<&Vec<String>>;
    let bounds: [(&str, Bound); 2] = [
        ("Best Upper Multi-set Bounds", |place| place.upper_multi_set.as_ref()),
        ("Best Lower Multi-set Bounds", |place| place.lower_multi_set.as_ref()),
    ];
    for (heading, bound) in bounds.into_iter().filter(|_| overview.coloured) {
        text.heading(heading);
        for place in places {
            let terms = bound(place).filter(|terms| !terms.is_empty());
            let terms = terms.map_or_else(|| "empty".to_owned(), |terms| terms.join("++\n"));
            text.row(&place.place, MULTI_SET, terms);
        }
    }
}

fn liveness(text: &mut Text, overview: &Overview) {
    text.header("Liveness Properties");
    text.heading("Dead Markings");
    text.markings(&overview.dead_markings, overview.nodes);
    let Some(whole) = &overview.structure else {
        for heading in ["Dead Transition Instances", "Live Transition Instances"] {
            text.heading(heading);
            text.entry(UNKNOWN);
        }
        return;
    };
    let all = Some(whole.transitions.len());
    text.transitions("Dead Transition Instances", &whole.dead_transitions, all);
    text.transitions("Live Transition Instances", &whole.live_transitions, all);
}

fn fairness(text: &mut Text, whole: Option<&Whole>) {
    let Some(whole) = whole else { return text.entry(UNKNOWN) };
    if !whole.infinite_runs {
        return text.entry("No infinite occurrence sequences.");
    }
    let classes = &whole.fairness;
    text.transitions("Impartial Transition Instances", &classes.impartial, None);
    text.transitions("Fair Transition Instances", &classes.fair, None);
    text.transitions("Just Transition Instances", &classes.just, None);
    text.transitions("Transition Instances with No Fairness", &classes.none, None);
}

/// A section that CPN Tools does not have; omitted if there are no properties.
fn properties(text: &mut Text, properties: &[Stated]) {
    if properties.is_empty() {
        return;
    }
    text.header("Properties");
    for stated in properties {
        text.heading(stated.name());
        match stated {
            Stated::Wrong { error, .. } => {
                let mut lines = error.lines();
                text.entry(format_args!("Error:   {}", lines.next().unwrap_or_default()));
                lines.for_each(|line| text.entry(format_args!("         {line}")));
            }
            Stated::Answered(answered) => {
                let row = &answered.row;
                text.entry(format_args!("Kind:    {}", row.kind));
                text.entry(format_args!("Verdict: {}", row.verdict));
                match row.value {
                    Some(Figure::Range(least, most)) => {
                        text.entry(format_args!("Value:   from {least} to {most}"));
                    }
                    Some(Figure::Greatest(most)) => {
                        text.entry(format_args!("Value:   at most {most}"));
                    }
                    None => {}
                }
                if let Some(why) = &answered.why {
                    text.entry(format_args!("Reason:  {why}"));
                }
                row.findings.iter().for_each(|finding| text.entry(format_args!("  {finding}")));
                answered.lines.lines().for_each(|line| text.entry(line));
            }
        }
    }
}

/// A time in UTC in the form of `Date.toString` of Standard ML.
pub(super) fn date(seconds: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let week_day = DAYS[(days % 7) as usize];
    let (mut year, mut day) = (1970, days);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    let (month, day) = (MONTHS[month], day + 1);
    format!("{week_day} {month} {day:02} {hour:02}:{minute:02}:{second:02} {year}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_standard_ml() {
        assert_eq!(date(0), "Thu Jan 01 00:00:00 1970");
        assert_eq!(date(1_794_727_639), "Sun Nov 15 07:27:19 2026");
        assert_eq!(date(1_709_164_800), "Thu Feb 29 00:00:00 2024");
        assert_eq!(date(4_107_542_399), "Sun Feb 28 23:59:59 2100");
    }
}
