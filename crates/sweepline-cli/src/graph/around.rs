//! Drawings of a part of a state space: the states asked for, the states around them, the path to them.

use std::process::ExitCode;

use sweepline::StopReason;
use sweepline::model::initial;
use sweepline_query::PropertyKind;

use super::Format;
use crate::args::{self, Labels};
use crate::draw::{Drawing, FoundStates, Fragment, Graph, StateSearch, Target, Wanted, counted};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::measure::Need;
use crate::plan;
use crate::print::{self, grouped};

/// Draws what the arguments ask for.
pub(super) fn draw<M: FrontEnd>(
    args: &args::Graph,
    model: &M,
    format: Format,
) -> Result<ExitCode, Failure> {
    let part = &args.part;
    let help = "name a file that ends in .svg, .dot or .json";
    Failure::refuse("files of Aldebaran", help, &[("`--around`", format == Format::Aut)])?;
    let targets = targets(&part.around, model)?;
    let measure = plan::measure(&args.measure, model, Need::Any, None)?;
    let options =
        plan::options(args.measure.monotone, &args.retention, &args.limits, measure.as_ref());
    let search = StateSearch { model, measure, options };
    let depth = match part.around.is_empty() {
        true => part.depth.unwrap_or(usize::MAX),
        false => part.depth.unwrap_or(1),
    };
    let mut fragment = Fragment::new(model, part.max_states);
    let mut found = collect(&search, &targets, depth, part, &mut fragment)?;
    let before = match depth > 0 && found.stop.is_none() && needs_search(&targets) {
        true => {
            let (before, stop) = search.count_before(&fragment, found.ended)?;
            found.stop = stop;
            Some(before)
        }
        false => None,
    };
    let graph = fragment.graph(before)?;
    let is_full = fragment.room() == 0;
    let left_out = left_out(&graph, &found, depth, part.max_states, is_full);
    if is_full || found.more || found.stop.is_some() {
        left_out.iter().for_each(|note| print::warn(note.trim_start_matches("… ")));
    }
    let words = words(&part.around, depth, part.path);
    let mut notes = vec![format!("{} {words}", graph.figures())];
    notes.extend(left_out);
    let drawing = Drawing {
        graph: &graph,
        title: model.name(),
        notes: &notes,
        labels: args.labels.unwrap_or(Labels::Markings),
    };
    drawing.write(format, &args.output)?;
    let lines = notes.join("\n  ");
    print::results(&format!("{}: {lines}\n", args.output.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Whether states must be searched for.
fn needs_search<P>(targets: &[Target<P>]) -> bool {
    targets.iter().any(|target| !matches!(target, Target::Initial))
}

/// What `--around` asks for; by default the initial state.
pub(super) fn targets<M: FrontEnd>(
    around: &[String],
    model: &M,
) -> Result<Vec<Target<M::Predicate>>, Failure> {
    if around.is_empty() {
        return Ok(vec![Target::Initial]);
    }
    let target = |text: &String| {
        let named = model.declared().iter().find(|property| property.name == text.trim());
        match text.trim() {
            "initial" => Ok(Target::Initial),
            "dead" => Ok(Target::Dead),
            _ => match named.map(|property| (property.kind, property)) {
                Some((PropertyKind::Deadlock, _)) => Ok(Target::Dead),
                Some((PropertyKind::Reversible, _)) => Ok(Target::Initial),
                Some((
                    PropertyKind::Never | PropertyKind::Reach | PropertyKind::Home,
                    property,
                )) => {
                    let text = property.text.as_str();
                    Ok(Target::Where(model.parse_predicate(&property.subject(), text)?))
                }
                Some(_) => Err(Failure::NotFor {
                    option: "`--around`",
                    what: "properties that do not describe single states",
                    help: "write `initial`, `dead`, or an expression",
                }),
                None => Ok(Target::Where(model.parse_predicate("--around", text)?)),
            },
        }
    };
    around.iter().map(target).collect()
}

/// Fills the fragment: the states asked for, the path to them, their predecessors, their successors.
fn collect<M: FrontEnd>(
    search: &StateSearch<'_, M>,
    targets: &[Target<M::Predicate>],
    depth: usize,
    part: &args::Part,
    fragment: &mut Fragment<'_, M>,
) -> Result<FoundStates<M>, Failure> {
    if targets.iter().any(|target| matches!(target, Target::Initial)) {
        for state in &initial(search.model) {
            match part.around.is_empty() {
                true => drop(fragment.add(state)),
                false => fragment.ask(state),
            }
        }
    }
    let n_initial = fragment.len();
    let most = if depth == 0 { part.max_states } else { part.max_states.div_ceil(3) };
    let searched = needs_search(targets);
    let mut found = match searched {
        true => search.find(targets, Wanted { most, more: true, path: part.path })?,
        false => FoundStates::none(),
    };
    found.states.iter().for_each(|state| fragment.ask(state));
    if fragment.len() == 0 || (searched && found.states.is_empty()) {
        return Err(nothing(&part.around, found.stop.as_ref()));
    }
    let mut latest = n_initial..fragment.len();
    found.n_cut = fragment.walk(&found.path);
    let n_asked = fragment.len();
    for _ in 0..if searched { depth } else { 0 } {
        if latest.is_empty() || fragment.room() == 0 {
            break;
        }
        let first = fragment.len();
        if let Some(stop) = search.add_before(fragment, latest, found.ended)? {
            found.stop.get_or_insert(stop);
        }
        latest = first..fragment.len();
    }
    fragment.grow(n_asked, depth)?;
    Ok(found)
}

/// The error that no state was found.
pub(super) fn nothing(around: &[String], stop: Option<&StopReason>) -> Failure {
    let what = match around {
        [one] if one.trim() == "dead" => "no reachable dead state".to_owned(),
        _ => format!("no reachable state with `{}`", around.join("` or `")),
    };
    let (until, help) = match stop {
        Some(reason) => (format!(" before the run stopped: {reason}"), "raise the limit"),
        None => (String::new(), "ask for other states, or for `initial`"),
    };
    Failure::NothingToDraw { what, until, help, reason: stop.cloned().map(Box::new) }
}

/// A state of interest, in words.
pub(super) fn words_of(text: &str) -> String {
    match text.trim() {
        "initial" => "the initial state".to_owned(),
        "dead" => "dead states".to_owned(),
        text => format!("states with `{text}`"),
    }
}

/// What was asked for, in words.
fn words(around: &[String], depth: usize, path: bool) -> String {
    let what = |text: &String| words_of(text);
    let mut words = match (around, depth) {
        ([], usize::MAX) => return "from the initial state".into(),
        ([], _) => "around the initial state".to_owned(),
        (around, _) => format!("around {}", around.iter().map(what).collect::<Vec<_>>().join(", ")),
    };
    // What is before the initial state is not searched for.
    let only_initial = around.iter().all(|text| text.trim() == "initial");
    let where_to = if only_initial { "after it" } else { "away" };
    if depth > 0 {
        words.push_str(&format!(", up to {} {where_to}", counted(depth, "step", "steps")));
    }
    if path {
        words.push_str(", with the path from the initial state");
    }
    words
}

/// What is left out of the drawing, and which option draws it.
fn left_out<M: FrontEnd>(
    graph: &Graph,
    found: &FoundStates<M>,
    depth: usize,
    max_states: usize,
    is_full: bool,
) -> Vec<String> {
    let mut notes = Vec::new();
    let more_room = match max_states < args::MOST_DRAWABLE {
        true => format!("raise `--max-states` ({max_states})"),
        false => "ask for fewer states".to_owned(),
    };
    if found.more {
        notes.push(format!("… more states that are asked for are not drawn: {more_room}"));
    }
    if found.n_cut > 0 {
        let cut = counted(found.n_cut, "more state", "more states");
        notes.push(format!("… {cut} of the path not drawn: {more_room}"));
    }
    let remedy = match (is_full, depth) {
        (true, 0..usize::MAX) if max_states < args::MOST_DRAWABLE => {
            format!("{more_room} and `--depth` ({depth})")
        }
        (true, _) => more_room,
        (false, _) => format!("raise `--depth` ({depth})"),
    };
    notes.extend(graph.left_out(&remedy));
    if let Some(reason) = &found.stop {
        notes.push(format!("the search is incomplete: {reason}"));
    }
    if let Some(visits) = found.ended.filter(|_| !found.more) {
        let n = grouped(visits);
        notes.push(format!("… searched {n} states only: `--state-limit N` searches N states"));
    }
    notes
}
