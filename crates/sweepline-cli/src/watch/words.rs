//! The text of the progress line, cut to the width of the terminal.

use sweepline::{Statistics, Value};

use super::estimate::Range;
use super::line::Estimate;
use crate::print::grouped;

/// What the line shows.
pub(super) struct Figures<'a> {
    pub(super) statistics: &'a Statistics,
    pub(super) line: &'a Value,
    /// Properties decided, and all properties.
    pub(super) decided: (u64, u64),
    /// How many threads were busy lately, and how many there are.
    pub(super) busy: Option<(f64, usize)>,
    pub(super) estimate: Option<Estimate>,
}

/// The figures in at most `width` characters. Where there is no room for all, the least important ones are left
/// out.
pub(super) fn text(figures: &Figures<'_>, width: usize) -> String {
    let mut parts = parts(figures);
    loop {
        let text = parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(", ");
        if text.chars().count() <= width || parts.len() <= 1 {
            return text.chars().take(width).collect();
        }
        let least = parts.iter().map(|part| part.rank).min();
        let Some(at) = parts.iter().position(|part| Some(part.rank) == least) else { return text };
        match parts[at].short.take() {
            Some((text, rank)) => (parts[at].text, parts[at].rank) = (text, rank),
            None => drop(parts.remove(at)),
        }
    }
}

/// A part of the line.
struct Part {
    text: String,
    /// The part of the lowest rank is left out first.
    rank: u8,
    /// What replaces the text before the part is left out, and its rank.
    short: Option<(String, u8)>,
}

fn parts(figures: &Figures<'_>) -> Vec<Part> {
    let Figures { statistics, line, decided: (decided, properties), busy, estimate } = figures;
    let seconds = statistics.elapsed.as_secs_f64();
    let rate = (statistics.explored as f64 / seconds) as u64;
    let part = |rank, text: String| Part { text, rank, short: None };
    let stored = format!("{} stored", grouped(statistics.stored));
    let mut parts = vec![
        part(9, duration(seconds)),
        part(3, format!("{} states", grouped(statistics.explored))),
        part(4, format!("{} states/s", grouped(rate))),
        Part {
            text: format!("{stored} (peak {})", grouped(statistics.peak_states)),
            rank: 2,
            short: Some((stored, 6)),
        },
    ];
    if let Some((busy, threads)) = busy {
        parts.push(part(0, format!("{busy:.1} of {threads} threads busy")));
    }
    if *properties > 0 {
        parts.push(part(5, format!("{decided} of {properties} decided")));
    }
    if !line.components().is_empty() {
        parts.push(part(1, format!("progress {line}")));
    }
    if let Some(Estimate { share, left }) = estimate {
        parts.push(part(7, percent(*share)));
        parts.push(part(8, format!("{} left", seconds_left(*left))));
    }
    parts
}

/// `40–60% done`
pub(super) fn percent(share: Range) -> String {
    let (least, most) = ((100.0 * share.least) as u64, (100.0 * share.most) as u64);
    if least == most { format!("{least}% done") } else { format!("{least}–{most}% done") }
}

/// `5–12 s`, `50 s–3 min`
pub(super) fn seconds_left(left: Range) -> String {
    let (least, most) = (duration(left.least.floor()), duration(left.most.ceil()));
    match (least.split_once(' '), most.split_once(' ')) {
        _ if least == most => least,
        (Some((number, unit)), Some((_, other))) if unit == other => format!("{number}–{most}"),
        _ => format!("{least}–{most}"),
    }
}

/// `12 s`, `3 min`, `2.5 h`
fn duration(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6_000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3_600.0),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn statistics() -> Statistics {
        Statistics {
            explored: 2_000_000,
            stored: 1_000,
            peak_states: 1_500,
            sweeps: 1,
            elapsed: Duration::from_secs(2),
            ..Statistics::default()
        }
    }

    fn shown(width: usize) -> String {
        let range = |least, most| Range { least, most };
        let estimate = Some(Estimate { share: range(0.402, 0.609), left: range(5.2, 11.4) });
        let (statistics, line) = (statistics(), Value::from([10]));
        let (statistics, line, decided) = (&statistics, &line, (2, 5));
        text(&Figures { statistics, line, decided, busy: Some((13.96, 16)), estimate }, width)
    }

    #[test]
    fn everything_is_shown_where_there_is_room() {
        assert_eq!(
            shown(200),
            "2 s, 2,000,000 states, 1,000,000 states/s, 1,000 stored (peak 1,500), \
             14.0 of 16 threads busy, 2 of 5 decided, progress 10, 40–60% done, 5–12 s left"
        );
    }

    #[test]
    fn the_least_important_parts_are_left_out_first() {
        let narrower = [
            "2 s, 2,000,000 states, 1,000,000 states/s, 1,000 stored (peak 1,500), 2 of 5 decided, \
             progress 10, 40–60% done, 5–12 s left",
            "2 s, 2,000,000 states, 1,000,000 states/s, 1,000 stored (peak 1,500), 2 of 5 decided, \
             40–60% done, 5–12 s left",
            "2 s, 2,000,000 states, 1,000,000 states/s, 1,000 stored, 2 of 5 decided, 40–60% done, \
             5–12 s left",
            "2 s, 1,000,000 states/s, 1,000 stored, 2 of 5 decided, 40–60% done, 5–12 s left",
            "2 s, 1,000 stored, 2 of 5 decided, 40–60% done, 5–12 s left",
            "2 s, 1,000 stored, 40–60% done, 5–12 s left",
            "2 s, 40–60% done, 5–12 s left",
            "2 s, 5–12 s left",
            "2 s",
        ];
        let mut width = shown(200).chars().count();
        for expected in narrower {
            assert_eq!(shown(width - 1), expected);
            width = expected.chars().count();
        }
        assert_eq!(shown(width), "2 s");
    }

    #[test]
    fn nothing_is_said_that_is_not_known() {
        let (statistics, line) = (statistics(), Value::default());
        let (statistics, line, decided) = (&statistics, &line, (0, 0));
        let figures = Figures { statistics, line, decided, busy: None, estimate: None };
        assert_eq!(
            text(&figures, 200),
            "2 s, 2,000,000 states, 1,000,000 states/s, 1,000 stored (peak 1,500)"
        );
    }

    #[test]
    fn times_are_as_exact_as_they_need_be() {
        let left = |least, most| seconds_left(Range { least, most });
        assert_eq!(left(5.2, 11.4), "5–12 s");
        assert_eq!(left(5.0, 5.0), "5 s");
        assert_eq!(left(50.0, 170.0), "50 s–3 min");
        assert_eq!(left(300.0, 900.0), "5–15 min");
        assert_eq!(left(7_000.0, 20_000.0), "1.9–5.6 h");
        assert_eq!(percent(Range { least: 0.5, most: 0.502 }), "50% done");
    }
}
