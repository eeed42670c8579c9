//! The report as a page for a browser: one file, without scripts, nothing fetched.

use std::fmt::Write;
use std::time::Duration;

use super::chart;
use super::overview::{Answered, Markings, Overview, Stated, Way, Whole};
use super::text::date;
use crate::args::Method;
use crate::draw::escaped;
use crate::front_end::{Change, Difference};
use crate::print::{bytes, grouped, percent, signed, time};
use crate::results::Figure;

const STYLE: &str = include_str!("page.css");

/// The whole file.
pub(super) fn page(overview: &Overview) -> String {
    let model = escaped(&overview.model);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{model}: state space report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    head(&mut page, overview);
    section(&mut page, "sweep", "The sweep", |page| sweep(page, overview));
    section(&mut page, "components", "Strongly connected components", |page| {
        components(page, overview);
    });
    section(&mut page, "bounds", "Bounds", |page| bounds(page, overview));
    section(&mut page, "home", "Home markings", |page| home(page, overview));
    section(&mut page, "liveness", "Liveness", |page| liveness(page, overview));
    section(&mut page, "fairness", "Fairness", |page| fairness(page, overview.structure.as_ref()));
    if !overview.properties.is_empty() {
        section(&mut page, "properties", "Properties", |page| properties(page, overview));
    }
    page.push_str("</body>\n</html>\n");
    page
}

fn section(page: &mut String, id: &str, title: &str, body: impl FnOnce(&mut String)) {
    let _ = writeln!(page, "<section id=\"{id}\">\n<h2>{title}</h2>");
    body(page);
    page.push_str("</section>\n");
}

fn head(page: &mut String, overview: &Overview) {
    let (model, file) = (escaped(&overview.model), escaped(&overview.file));
    let _ = writeln!(
        page,
        "<header>\n<h1>{model}</h1>\n<p class=\"under\">State space report of <code>{file}</code>, {} UTC</p>",
        date(overview.generated)
    );
    for note in &overview.notes {
        let _ = writeln!(page, "<p class=\"under\">Note: {}</p>", escaped(note));
    }
    if let Some(stop) = &overview.stop {
        let _ =
            writeln!(page, "<p class=\"unknown\">Only a part was explored: {}</p>", escaped(stop));
    }
    page.push_str("<nav>");
    let sections = ["sweep", "components", "bounds", "home", "liveness", "fairness"];
    for id in sections.into_iter().chain((!overview.properties.is_empty()).then_some("properties"))
    {
        let _ = write!(page, "<a href=\"#{id}\">{id}</a> ");
    }
    page.push_str("</nav>\n<div class=\"tiles\">\n");
    let mut tile = |value: String, name: &str| {
        let _ = writeln!(page, "<div class=\"tile\"><b>{value}</b><span>{name}</span></div>");
    };
    tile(grouped(overview.nodes), "states");
    tile(grouped(overview.arcs), "edges");
    tile(grouped(overview.dead_markings.count), "dead");
    tile(grouped(overview.sweep.peak_states), "held at most");
    tile(time(Duration::from_secs_f64(overview.seconds)), "time");
    if let Some(rss) = overview.sweep.peak_rss {
        tile(bytes(rss), "memory");
    }
    page.push_str("</div>\n</header>\n");
}

fn sweep(page: &mut String, overview: &Overview) {
    let sweep = &overview.sweep;
    if overview.method == Method::Full || sweep.points.len() < 2 {
        page.push_str("<p>Every state was kept: there is no sweep to draw.</p>\n");
        return;
    }
    let (held, nodes) = (sweep.peak_states, overview.nodes);
    let _ = writeln!(
        page,
        "<p>Swept along <code>{}</code> through {} layers. At most {} of {} states were held at a time ({}).</p>",
        escaped(&overview.progress),
        grouped(sweep.layers),
        grouped(held),
        grouped(nodes),
        match held.saturating_mul(1000) < nodes {
            true => "less than 0.1%".into(),
            false => percent(held, nodes),
        }
    );
    page.push_str(&format!("<figure>{}</figure>\n", chart::share(held, nodes)));
    let _ = writeln!(
        page,
        "<figure>{}<figcaption><span class=\"key line\">states held</span> &#160; \
         <span class=\"key bars\">states in a layer</span>{}</figcaption></figure>",
        chart::course(&sweep.points),
        match sweep.points.iter().map(|point| point.layers).max() {
            Some(several @ 2..) => format!(
                " &#160; each point stands for up to {} layers: the largest, and the most held",
                grouped(several)
            ),
            _ => String::new(),
        }
    );
    let _ = writeln!(
        page,
        "<h3>Layer sizes</h3>\n<figure>{}<figcaption>How many layers have so many states.</figcaption></figure>",
        chart::sizes(&sweep.sizes)
    );
}

const UNKNOWN: &str =
    "<p class=\"unknown\">Not known: only a part of the state space was explored.</p>\n";

fn components(page: &mut String, overview: &Overview) {
    let Some(whole) = &overview.structure else { return page.push_str(UNKNOWN) };
    let rows = [
        ("Components", whole.components),
        ("Edges between them", whole.arcs_between),
        ("Terminal: no edge leaves them", whole.terminal_components),
        ("Trivial: one state, no cycle", whole.trivial_components),
        ("States in the largest", whole.largest_component),
    ];
    page.push_str("<table class=\"figures\">\n");
    for (name, value) in rows {
        let _ =
            writeln!(page, "<tr><td>{name}</td><td class=\"number\">{}</td></tr>", grouped(value));
    }
    page.push_str("</table>\n");
}

fn bounds(page: &mut String, overview: &Overview) {
    page.push_str("<div class=\"wide\">");
    page.push_str(if overview.coloured { "<table>\n" } else { "<table class=\"figures\">\n" });
    page.push_str(
        "<tr><th>Place</th><th class=\"number\">Upper</th><th class=\"number\">Lower</th>",
    );
    if overview.coloured {
        page.push_str("<th>Best upper multi-set</th><th>Best lower multi-set</th>");
    }
    page.push_str("</tr>\n");
    for place in &overview.places {
        let _ = write!(
            page,
            "<tr><td class=\"name\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>",
            escaped(&place.place),
            grouped(place.upper),
            grouped(place.lower)
        );
        for set in [&place.upper_multi_set, &place.lower_multi_set].into_iter().flatten() {
            let text = match set.is_empty() {
                true => "<span class=\"soft\">empty</span>".to_owned(),
                false => escaped(&set.join(" ++ ")),
            };
            let _ = write!(page, "<td class=\"set\"><div>{text}</div></td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

/// So many markings, with the first few.
fn markings(markings: &Markings, all: u64) -> String {
    let first: Vec<String> = markings.first.iter().map(|&number| grouped(number)).collect();
    let more = if markings.count > first.len() as u64 { ", …" } else { "" };
    match markings.count {
        0 => "None.".into(),
        count if count == all => "All states.".into(),
        count => {
            let (numbers, states) = (first.join(", "), if count == 1 { "state" } else { "states" });
            format!("{} <span class=\"soft\">({states} {numbers}{more})</span>", grouped(count))
        }
    }
}

fn home(page: &mut String, overview: &Overview) {
    let Some(whole) = &overview.structure else { return page.push_str(UNKNOWN) };
    let _ = writeln!(page, "<p>{}</p>", markings(&whole.home_markings, overview.nodes));
    if let Some(is_home) = whole.initial_is_home {
        let not = if is_home { "" } else { "not " };
        let _ = writeln!(page, "<p>The initial marking is {not}a home marking, time aside.</p>");
    }
    if whole.terminal_components > 1 {
        let _ = writeln!(
            page,
            "<p class=\"soft\">A home space has at least {} states, one in each terminal component.</p>",
            grouped(whole.terminal_components)
        );
    }
}

fn transitions(page: &mut String, title: &str, names: &[String], all: usize) {
    let _ = writeln!(page, "<h3>{title}</h3>");
    match names.len() {
        0 => page.push_str("<p>None.</p>\n"),
        n if n == all => page.push_str("<p>All.</p>\n"),
        _ => {
            page.push_str("<ul class=\"chips\">");
            names.iter().for_each(|name| {
                let _ = write!(page, "<li>{}</li>", escaped(name));
            });
            page.push_str("</ul>\n");
        }
    }
}

fn liveness(page: &mut String, overview: &Overview) {
    let dead = markings(&overview.dead_markings, overview.nodes);
    let _ = writeln!(page, "<h3>Dead markings</h3>\n<p>{dead}</p>");
    let Some(whole) = &overview.structure else { return page.push_str(UNKNOWN) };
    let all = whole.transitions.len();
    transitions(page, "Dead transitions", &whole.dead_transitions, all);
    transitions(page, "Live transitions", &whole.live_transitions, all);
}

fn fairness(page: &mut String, whole: Option<&Whole>) {
    let Some(whole) = whole else { return page.push_str(UNKNOWN) };
    if !whole.infinite_runs {
        page.push_str("<p>No infinite occurrence sequences.</p>\n");
        return;
    }
    let (classes, all) = (&whole.fairness, whole.transitions.len());
    transitions(page, "Impartial: infinitely often in every infinite run", &classes.impartial, all);
    transitions(page, "Fair: infinitely often where infinitely often enabled", &classes.fair, all);
    transitions(page, "Just: again where enabled for ever", &classes.just, all);
    transitions(page, "No fairness", &classes.none, all);
}

fn properties(page: &mut String, overview: &Overview) {
    for stated in &overview.properties {
        let verdict = stated.verdict();
        let _ = writeln!(
            page,
            "<h3><code>{}</code> <span class=\"verdict {verdict}\">{verdict}</span></h3>",
            escaped(stated.name())
        );
        match stated {
            Stated::Wrong { error, .. } => {
                let _ = writeln!(page, "<p class=\"error\">{}</p>", escaped(error));
            }
            Stated::Answered(answered) => property(page, answered, overview.full_trace),
        }
    }
}

fn property(page: &mut String, answered: &Answered, full_trace: bool) {
    let row = &answered.row;
    let value = match row.value {
        Some(Figure::Range(least, most)) => format!(": from {} to {}", signed(least), signed(most)),
        Some(Figure::Greatest(most)) => format!(": at most {}", signed(most)),
        None => String::new(),
    };
    let _ = writeln!(page, "<p class=\"soft\">{}{value}</p>", escaped(row.kind));
    if let Some(why) = &answered.why {
        let _ = writeln!(page, "<p class=\"unknown\">{}</p>", escaped(why));
    }
    if !row.findings.is_empty() {
        page.push_str("<ul>");
        for finding in &row.findings {
            let _ = write!(page, "<li>{}</li>", escaped(finding));
        }
        page.push_str("</ul>\n");
    }
    if let Some(way) = &answered.witness {
        witness(page, way, full_trace);
    }
}

/// Of a long way so many steps are shown at the start, and as many at the end.
const ENDS: usize = 100;

/// The steps, each with what it changes; the middle of a long way is left out unless `full`.
fn witness(page: &mut String, way: &Way, full: bool) {
    let steps = way.steps.len();
    let hidden = if full || steps <= 2 * ENDS + 1 { 0..0 } else { ENDS..steps - ENDS };
    let count =
        if steps == 1 { "1 step".into() } else { format!("{} steps", grouped(steps as u64)) };
    let _ = writeln!(
        page,
        "<details open=\"open\"><summary>The way there: {count}</summary>\n<div class=\"wide\"><table class=\"way\">\n\
         <tr><th class=\"number\">Step</th><th>Action</th><th>Changes</th></tr>"
    );
    let initial: Vec<String> = way
        .initial
        .iter()
        .map(|(place, content)| format!("{}: {}", escaped(place), escaped(&content.to_string())))
        .collect();
    let _ = writeln!(
        page,
        "<tr><td class=\"number\">0</td><td class=\"soft\">initial state</td><td>{}</td></tr>",
        initial.join("<br/>")
    );
    for (i, step) in way.steps.iter().enumerate() {
        if hidden.contains(&i) {
            if i == hidden.start {
                let n_hidden = grouped(hidden.len() as u64);
                let note = format!("{n_hidden} steps left out, shown with --full-trace");
                let _ = writeln!(
                    page,
                    "<tr><td></td><td class=\"soft\" colspan=\"2\">{note}</td></tr>"
                );
            }
            continue;
        }
        let number = i + 1;
        let changes: Vec<String> = step.changes.iter().map(change).collect();
        let _ = writeln!(
            page,
            "<tr><td class=\"number\">{number}</td><td>{}</td><td>{}</td></tr>",
            escaped(&step.action),
            changes.join("<br/>")
        );
    }
    page.push_str("</table></div></details>\n");
}

/// Tokens taken and put; of what is not a multi-set of tokens, what was there before and after.
fn change(change: &Change) -> String {
    let mut text = escaped(&change.place);
    let Some(Difference { taken, put }) = &change.difference else {
        let (was, is) = (escaped(&change.before.to_string()), escaped(&change.after.to_string()));
        let _ =
            write!(text, " <del class=\"was\">{was}</del> \u{2192} <ins class=\"is\">{is}</ins>");
        return text;
    };
    for (tag, tokens) in [("del", taken), ("ins", put)] {
        if !tokens.is_empty() {
            let _ = write!(text, " <{tag}>{}</{tag}>", escaped(tokens));
        }
    }
    text
}
