//! A marking, drawn: the net with its tokens, page by page.

use std::collections::{HashMap, HashSet};
use std::process::ExitCode;

use sweepline::model::{initial, successors};
use sweepline_cpn::read::{self, ArcKind};
use sweepline_cpn::{CpnModel, Marking, Net, PlaceId};
use sweepline_pnml::NetModel;

use super::Format;
use super::around::{nothing, targets, words_of};
use crate::args;
use crate::draw::{
    ArcShape, Drawn, End, PlaceShape, Sheet, StateSearch, Target, TransitionShape, Wanted, counted,
    net_picture,
};
use crate::failure::Failure;
use crate::front_end::{FrontEnd, shown};
use crate::load::{self, Loaded};
use crate::measure::Need;
use crate::output::NewFile;
use crate::plan;
use crate::print::{self, warn};

/// A net with more nodes is not one that anybody looks at.
pub(crate) const MOST_NODES: usize = 600;

/// Draws the net in the marking that the arguments ask for.
pub(super) fn draw(args: &args::Graph, what: &str, loaded: &Loaded) -> Result<ExitCode, Failure> {
    let other = Format::of(&args.output) != Some(Format::Svg);
    let help = "name a file that ends in .svg";
    Failure::refuse("files other than pictures", help, &[("`--marking`", other)])?;
    match loaded {
        Loaded::Net(model) => {
            let found = find(args, what, &**model)?;
            write(args, what, &**model, &[place_transition(model, &found)])
        }
        Loaded::Processes(_) => Err(Failure::NotFor {
            option: "`--marking`",
            what: "processes",
            help: "draw states with `--around`",
        }),
        Loaded::Coloured(model) => {
            let found = find(args, what, &**model)?;
            let format = args.input.model_format()?;
            if format == args::Format::Pnml {
                return Err(too_large());
            }
            let file = load::coloured::read_model(&args.input, format)?;
            write(args, what, &**model, &coloured(model, &file, &found))
        }
    }
}

/// The first state that is asked for.
fn find<M: FrontEnd>(args: &args::Graph, what: &str, model: &M) -> Result<M::State, Failure> {
    let asked = [what.to_owned()];
    let targets = targets(&asked, model)?;
    if let [Target::Initial] = targets[..] {
        let mut states = initial(model);
        return (!states.is_empty()).then(|| states.remove(0)).ok_or_else(|| nothing(&asked, None));
    }
    let measure = plan::measure(&args.measure, model, Need::Any, None)?;
    let options =
        plan::options(args.measure.monotone, &args.retention, &args.limits, measure.as_ref());
    let search = StateSearch { model, measure, options };
    let mut found = search.find(&targets, Wanted { most: 1, more: false, path: false })?;
    found.states.pop().ok_or_else(|| nothing(&asked, found.stop.as_ref()))
}

fn too_large() -> Failure {
    Failure::NotFor {
        option: "`--marking`",
        what: "nets that are so large",
        help: "ask for states: `--around` instead of `--marking`",
    }
}

fn write<M: FrontEnd>(
    args: &args::Graph,
    what: &str,
    model: &M,
    sheets: &[Sheet],
) -> Result<ExitCode, Failure> {
    let n_nodes: usize = sheets.iter().map(|s| s.places.len() + s.transitions.len()).sum();
    if n_nodes > MOST_NODES {
        return Err(too_large());
    }
    let enabled = sheets.iter().flat_map(|s| &s.transitions).any(|transition| transition.enabled);
    let mut notes = vec![match what.trim() {
        "initial" => "in its initial state".to_owned(),
        what => format!("in the first of {} that was found", words_of(what)),
    }];
    notes.push(match enabled {
        true => "transitions with a thick border are enabled".into(),
        false => "no transition is enabled".into(),
    });
    if sheets.iter().flat_map(|s| &s.arcs).any(|arc| arc.ends.contains(&End::Circle)) {
        notes.push("arcs that end in a circle are inhibitor arcs: they need an empty place".into());
    }
    let n_cut = sheets.iter().map(Sheet::n_cut).sum();
    if n_cut > 0 {
        let texts = counted(n_cut, "text ends", "texts end");
        let note = format!("{texts} in “…”: the tooltip of each in the picture has the rest");
        warn(&note);
        notes.push(note);
    }
    let text = net_picture(sheets, model.name(), &notes);
    NewFile::save(&args.output, &text).map_err(Failure::writing(&args.output))?;
    print::results(&format!("{}: {} {}\n", args.output.display(), model.name(), notes[0]))?;
    Ok(ExitCode::SUCCESS)
}

/// A net in a marking.
pub(crate) fn place_transition(model: &NetModel, marking: &sweepline_pnml::Marking) -> Sheet {
    let net = model.net();
    let enabled: HashSet<usize> = successors(model, marking)
        .unwrap_or_default()
        .into_iter()
        .map(|(transition, _)| transition.index())
        .collect();
    let places = net.places.iter().zip(model.tokens(marking)).map(|(place, n_tokens)| PlaceShape {
        name: shown(&place.id, &place.name).to_owned(),
        colour_set: String::new(),
        n_tokens,
        tokens: String::new(),
        drawn: None,
    });
    let transitions = net.transitions.iter().enumerate().map(|(number, t)| TransitionShape {
        name: shown(&t.id, &t.name).to_owned(),
        inscriptions: Vec::new(),
        number: Some(number),
        enabled: enabled.contains(&number),
        substitution: false,
        subpage: None,
        drawn: None,
    });
    let mut arcs = Vec::new();
    for (number, transition) in net.transitions.iter().enumerate() {
        let sides = [
            (&transition.inputs, [End::Plain, End::Arrow]),
            (&transition.outputs, [End::Arrow, End::Plain]),
        ];
        for (side, ends) in sides {
            arcs.extend(side.iter().map(|&(place, weight)| ArcShape {
                place: place.index(),
                transition: number,
                ends,
                inscription: if weight == 1 { String::new() } else { weight.to_string() },
                bends: Vec::new(),
            }));
        }
    }
    Sheet { title: None, places: places.collect(), transitions: transitions.collect(), arcs }
}

/// A sheet for each page instance.
pub(crate) fn coloured(model: &CpnModel, file: &read::File, marking: &Marking) -> Vec<Sheet> {
    let net = model.net();
    let mut places: HashMap<(&str, u32), PlaceId> = HashMap::new();
    for (number, place) in (0..).zip(&net.places) {
        for member in &place.members {
            places.insert((&member.id, member.instance), PlaceId(number));
        }
    }
    let names: HashMap<&str, usize> = model.transition_names().zip(0..).collect();
    let numbers: HashMap<(&str, u32), usize> = net
        .transitions
        .iter()
        .filter_map(|t| Some(((&*t.id, t.instance), *names.get(&*t.name)?)))
        .collect();
    let found = successors(model, marking).unwrap_or_else(|error| {
        warn(&format!("it is not known which transitions are enabled: {error}"));
        Vec::new()
    });
    let enabled: HashSet<usize> =
        found.iter().map(|(occurrence, _)| occurrence.transition as usize).collect();
    let mut sheets = Vec::new();
    for (at, instance) in net.instances.iter().enumerate() {
        let title = &net.pages[instance.page.0 as usize];
        // Ids are unique in a file: the page is the one with these places or transitions.
        let page = file.pages.iter().find(|page| page.id == title.id);
        let Some(page) = page else { continue };
        let number = instance.number;
        let place = |place: &read::Place| {
            let held = places.get(&(&*place.id, number));
            let (n_tokens, tokens) =
                held.map_or((0, String::new()), |&id| model.show_place(marking, id));
            PlaceShape {
                name: place.name.trim().to_owned(),
                colour_set: place.colour_set.trim().to_owned(),
                n_tokens,
                tokens,
                drawn: drawn(place.layout),
            }
        };
        let transition = |transition: &read::Transition| {
            let number = numbers.get(&(&*transition.id, number)).copied();
            TransitionShape {
                name: transition.name.trim().to_owned(),
                inscriptions: inscriptions(transition),
                number,
                enabled: number.is_some_and(|number| enabled.contains(&number)),
                substitution: transition.substitution.is_some(),
                subpage: transition
                    .substitution
                    .as_ref()
                    .and_then(|_| subpage(net, at, transition)),
                drawn: drawn(transition.layout),
            }
        };
        let name = match title.n_instances {
            1 => title.title.clone(),
            _ => format!("{} {number}", title.title),
        };
        sheets.push(Sheet {
            title: (net.instances.len() > 1).then_some(name),
            places: page.places.iter().map(place).collect(),
            transitions: page.transitions.iter().map(transition).collect(),
            arcs: arcs(page),
        });
    }
    sheets
}

/// The instance that a substitution transition of the instance `at` stands for.
fn subpage(net: &Net, at: usize, transition: &read::Transition) -> Option<usize> {
    let is_it =
        |(parent, name): &(usize, String)| *parent == at && name.trim() == transition.name.trim();
    net.instances.iter().position(|instance| instance.parent.as_ref().is_some_and(is_it))
}

/// Guard, delay and priority; code segments are long.
fn inscriptions(transition: &read::Transition) -> Vec<String> {
    let own = |text: &sweepline_source::Text, before: &str| {
        let text = text.trim();
        (!text.is_empty()).then(|| format!("{before}{text}"))
    };
    let parts = [
        own(&transition.guard, ""),
        own(&transition.time, ""),
        own(&transition.priority, "priority "),
    ];
    parts.into_iter().flatten().collect()
}

fn arcs(page: &read::Page) -> Vec<ArcShape> {
    let places: HashMap<&str, usize> =
        page.places.iter().enumerate().map(|(at, place)| (&*place.id, at)).collect();
    let transitions: HashMap<&str, usize> =
        page.transitions.iter().enumerate().map(|(at, t)| (&*t.id, at)).collect();
    let arc = |arc: &read::Arc| {
        let (before, ends) = match arc.kind {
            ArcKind::Input => ("", [End::Plain, End::Arrow]),
            ArcKind::Output => ("", [End::Arrow, End::Plain]),
            ArcKind::Both => ("", [End::Arrow, End::Arrow]),
            ArcKind::Inhibitor => ("", [End::Plain, End::Circle]),
            ArcKind::Reset => ("reset ", [End::Plain, End::Arrow]),
            ArcKind::Unknown(_) => ("", [End::Plain, End::Plain]),
        };
        let bends = arc.bends.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        Some(ArcShape {
            place: *places.get(&*arc.place)?,
            transition: *transitions.get(&*arc.transition)?,
            ends,
            inscription: format!("{before}{}", arc.inscription.trim()).trim().to_owned(),
            bends: bends.map(|&(x, y)| (x, -y)).collect(),
        })
    };
    let mut arcs: Vec<ArcShape> = page.arcs.iter().filter_map(arc).collect();
    // Sockets that no arc joins with their transition.
    for (transition, on) in page.transitions.iter().enumerate() {
        for (_, socket) in on.substitution.iter().flat_map(|s| &s.assignments) {
            let Some(&place) = places.get(&**socket) else { continue };
            if !arcs.iter().any(|arc| (arc.place, arc.transition) == (place, transition)) {
                let (inscription, bends) = (String::new(), Vec::new());
                let ends = [End::Plain; 2];
                arcs.push(ArcShape { place, transition, ends, inscription, bends });
            }
        }
    }
    arcs
}

/// CPN Tools counts upwards.
fn drawn(layout: Option<read::Layout>) -> Drawn {
    let layout = layout.filter(|layout| layout.x.is_finite() && layout.y.is_finite())?;
    let size = layout.size.filter(|(w, h)| w.is_finite() && h.is_finite());
    Some(((layout.x, -layout.y), size))
}
