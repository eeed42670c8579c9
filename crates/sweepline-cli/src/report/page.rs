//! The report as a page for a browser: one file that loads nothing.

use std::fmt::Write;
use std::time::Duration;

use super::chart;
use super::overview::{Answered, Markings, Overview, Stated, Whole};
use super::text::date;
use super::trace;
use crate::args::Method;
use crate::draw::escaped;
use crate::print::{bytes, grouped, percent, signed, time};
use crate::results::{Figure, claim};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The most verdicts at the top; all of them are in their section.
const MOST_VERDICTS: usize = 10;

/// The whole file.
pub(super) fn page(overview: &Overview) -> String {
    let model = escaped(&overview.model);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{model}: state space report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    head(&mut page, overview);
    if !overview.properties.is_empty() {
        section(&mut page, "properties", "Properties", |page| properties(page, overview));
    }
    section(&mut page, "sweep", "Stored states", |page| sweep(page, overview));
    section(&mut page, "components", "Strongly connected components", |page| {
        components(page, overview);
    });
    section(&mut page, "bounds", "Bounds", |page| bounds(page, overview));
    section(&mut page, "home", "Home markings", |page| home(page, overview));
    section(&mut page, "liveness", "Liveness", |page| liveness(page, overview));
    section(&mut page, "fairness", "Fairness", |page| fairness(page, overview.structure.as_ref()));
    if overview.properties.iter().any(|stated| stated.witness().is_some()) {
        let _ = writeln!(page, "<script>\n{SCRIPT}</script>");
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
    verdicts(page, overview);
    page.push_str("<div class=\"tiles\">\n");
    let mut tile = |value: String, name: &str| {
        let _ = writeln!(page, "<div class=\"tile\"><b>{value}</b><span>{name}</span></div>");
    };
    let (stored, states) = (overview.sweep.peak_states, overview.nodes);
    tile(grouped(states), "states");
    tile(grouped(overview.arcs), "edges");
    tile(grouped(overview.dead_markings.count), "dead states");
    tile(grouped(stored), &format!("peak stored, {}", part(stored, states)));
    tile(time(Duration::from_secs_f64(overview.seconds)), "time");
    if let Some(rss) = overview.sweep.peak_rss {
        tile(bytes(rss), "memory");
    }
    page.push_str("</div>\n<nav>");
    let sections = [
        ("properties", "properties"),
        ("sweep", "stored states"),
        ("components", "components"),
        ("bounds", "bounds"),
        ("home", "home"),
        ("liveness", "liveness"),
        ("fairness", "fairness"),
    ];
    for (id, name) in sections {
        if id != "properties" || !overview.properties.is_empty() {
            let _ = write!(page, "<a href=\"#{id}\">{name}</a> ");
        }
    }
    page.push_str("</nav>\n</header>\n");
}

/// The verdicts, violations first, each with a link to its property; and whether all states were explored.
fn verdicts(page: &mut String, overview: &Overview) {
    page.push_str("<ul class=\"verdicts\">\n");
    let mut order: Vec<usize> = (0..overview.properties.len()).collect();
    order.sort_by_key(|&number| match overview.properties[number].verdict() {
        "error" => 0,
        "violated" => 1,
        "unknown" => 2,
        _ => 3,
    });
    for &number in order.iter().take(MOST_VERDICTS) {
        let stated = &overview.properties[number];
        let trace =
            stated.witness().map(|path| format!(", {}", trace::title(stated.verdict(), path)));
        let _ = writeln!(
            page,
            "<li><a href=\"#p{}\">{}</a><span class=\"soft\">{}</span></li>",
            number + 1,
            property_title(stated),
            trace.unwrap_or_default()
        );
    }
    if order.len() > MOST_VERDICTS {
        let more = grouped((order.len() - MOST_VERDICTS) as u64);
        let _ = writeln!(page, "<li><a href=\"#properties\">… {more} more properties</a></li>");
    }
    let _ = match &overview.stop {
        Some(stop) => writeln!(
            page,
            "<li><span class=\"badge unknown\">incomplete</span> {}</li>",
            escaped(stop)
        ),
        None => writeln!(
            page,
            "<li><span class=\"badge\">complete</span> every reachable state was explored</li>"
        ),
    };
    page.push_str("</ul>\n");
}

/// The verdict and the claim of a property.
fn property_title(stated: &Stated) -> String {
    let verdict = stated.verdict();
    let badge = format!("<span class=\"badge {verdict}\">{verdict}</span>");
    let (words, of) = match stated {
        Stated::Wrong { name, .. } => ("", name.as_str()),
        Stated::Answered(answered) => claim(answered.row.kind, &answered.row.name),
    };
    match of.is_empty() {
        true => format!("{badge} {}", escaped(words)),
        false => format!("{badge} {} <code>{}</code>", escaped(words), escaped(of)),
    }
}

/// A part of all states, in percent.
fn part(states: u64, all: u64) -> String {
    match states.saturating_mul(1000) < all {
        true => "less than 0.1%".into(),
        false => percent(states, all),
    }
}

fn sweep(page: &mut String, overview: &Overview) {
    let sweep = &overview.sweep;
    if overview.method == Method::Full || sweep.points.is_empty() {
        page.push_str("<p>Full exploration: every state was stored. Give a progress measure with <code>--progress</code> to sweep.</p>\n");
        return;
    }
    let (stored, nodes) = (sweep.peak_states, overview.nodes);
    let _ = writeln!(
        page,
        "<p>Sweep along <code>{}</code>, {} {}. Peak: {} stored states, {} of {}.</p>",
        escaped(&overview.progress),
        grouped(sweep.layers),
        if sweep.layers == 1 { "layer" } else { "layers" },
        grouped(stored),
        part(stored, nodes),
        grouped(nodes)
    );
    page.push_str(&format!("<figure>{}</figure>\n", chart::share(stored, nodes)));
    let _ = writeln!(
        page,
        "<figure>{}<figcaption><span class=\"key line\">stored states</span> \
         <span class=\"key bars\">states in the layer</span>{}</figcaption></figure>",
        chart::course(&sweep.points),
        match sweep.points.iter().map(|point| point.layers).max() {
            Some(several @ 2..) => format!(
                " Each point stands for up to {} layers: it shows the largest layer and the most stored states.",
                grouped(several)
            ),
            _ => String::new(),
        }
    );
    let _ = writeln!(
        page,
        "<h3>Layer sizes</h3>\n<figure>{}<figcaption>The number of layers by their size.</figcaption></figure>",
        chart::sizes(&sweep.sizes)
    );
}

const UNKNOWN: &str = "<p class=\"unknown\">Unknown: the exploration is incomplete.</p>\n";

fn components(page: &mut String, overview: &Overview) {
    let Some(whole) = &overview.structure else { return page.push_str(UNKNOWN) };
    let rows = [
        ("Components", whole.components),
        ("Edges between components", whole.arcs_between),
        ("Terminal components (no edge leaves)", whole.terminal_components),
        ("Trivial components (one state, no cycle)", whole.trivial_components),
        ("States in the largest component", whole.largest_component),
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

/// The number of markings, with the first of them.
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
        let _ = writeln!(
            page,
            "<p>The initial marking is {not}a home marking if time stamps are ignored.</p>"
        );
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
    transitions(
        page,
        "Impartial: occur infinitely often in every infinite run",
        &classes.impartial,
        all,
    );
    transitions(
        page,
        "Fair: occur infinitely often if enabled infinitely often",
        &classes.fair,
        all,
    );
    transitions(page, "Just: occur again if enabled forever", &classes.just, all);
    transitions(page, "No fairness", &classes.none, all);
}

fn properties(page: &mut String, overview: &Overview) {
    for (number, stated) in (1..).zip(&overview.properties) {
        let _ = writeln!(page, "<article id=\"p{number}\">\n<h3>{}</h3>", property_title(stated));
        match stated {
            Stated::Wrong { error, .. } => {
                let _ = writeln!(page, "<p class=\"error\">{}</p>", escaped(error));
            }
            Stated::Answered(answered) => property(page, number, answered, overview.full_trace),
        }
        page.push_str("</article>\n");
    }
}

fn property(page: &mut String, number: usize, answered: &Answered, full_trace: bool) {
    let row = &answered.row;
    let value = match row.value {
        Some(Figure::Range(least, most)) => {
            Some(format!("from {} to {}", signed(least), signed(most)))
        }
        Some(Figure::Greatest(most)) => Some(format!("at most {}", signed(most))),
        None => None,
    };
    if let Some(value) = value {
        let _ = writeln!(page, "<p>Value: {value}</p>");
    }
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
    if let Some(path) = &answered.witness {
        trace::trace(page, number, row, path, full_trace);
    }
}
