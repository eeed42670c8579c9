//! What is in a file, as it is written there.

use std::collections::{HashMap, HashSet};

use sweepline_ml::Declared;
use sweepline_query::{Measure, Property};
use sweepline_source::{Source, Text};

/// A model as it was saved. Graphics, monitors and unknown elements are left out, but for the positions of
/// nodes and the bends of arcs.
#[derive(Clone, Debug)]
pub struct File {
    /// The text it was read from; offsets below point into it.
    pub origin: Source,
    /// What wrote it.
    pub generator: Generator,
    /// The declarations in order, blocks flattened.
    pub declarations: Vec<Declaration>,
    /// All pages, used or not.
    pub pages: Vec<Page>,
    /// The fusion sets.
    pub fusions: Vec<FusionSet>,
    /// The page instances on top, with those below them. Empty where the file says nothing.
    pub instances: Vec<Instance>,
    /// Whether time stamps are real numbers.
    pub real_time: bool,
    /// The measures that it names; in a file of CPN Tools those of a text on a page.
    pub measures: Vec<Measure>,
    /// The properties that it names; in a file of CPN Tools those of a text on a page.
    pub properties: Vec<Property>,
}

impl File {
    /// The number of each page by its id.
    pub(crate) fn page_numbers(&self) -> HashMap<&str, usize> {
        self.pages.iter().enumerate().map(|(at, page)| (page.id.as_str(), at)).collect()
    }

    /// The page and the number there of each place by its id.
    pub(crate) fn place_numbers(&self) -> HashMap<&str, (usize, usize)> {
        let places = self.pages.iter().enumerate().flat_map(|(page, on)| {
            let places = on.places.iter().enumerate();
            places.map(move |(at, place)| (place.id.as_str(), (page, at)))
        });
        places.collect()
    }

    /// The pages on top that it lists, with what it says of them.
    pub(crate) fn listed_tops(&self) -> Vec<(usize, &Instance)> {
        let numbers = self.page_numbers();
        let listed = self.instances.iter();
        listed.filter_map(|top| Some((*numbers.get(&*top.page)?, top))).collect()
    }

    /// The pages that are below no other.
    pub(crate) fn usual_tops(&self) -> Vec<usize> {
        let transitions = self.pages.iter().flat_map(|page| &page.transitions);
        let below: HashSet<&str> =
            transitions.filter_map(|t| t.substitution.as_ref()).map(|s| &*s.subpage).collect();
        let pages = self.pages.iter().enumerate();
        pages.filter(|(_, page)| !below.contains(&*page.id)).map(|(at, _)| at).collect()
    }

    /// The fusion set of each place that is in one, by the id of the place: the names of all sets, those that the
    /// file lists first, and the number of each.
    pub(crate) fn fused(&self) -> (Vec<&str>, HashMap<&str, usize>) {
        let mut names: Vec<&str> = self.fusions.iter().map(|set| &*set.name).collect();
        let (mut by_name, mut by_id) = (HashMap::new(), HashMap::new());
        for (number, set) in self.fusions.iter().enumerate() {
            by_name.entry(&*set.name).or_insert(number);
            by_id.extend(set.members.iter().map(|member| (member.as_str(), number)));
        }
        for place in self.pages.iter().flat_map(|page| &page.places) {
            // Places that name a set which does not list them are members, too.
            let named = place.fusion.as_deref().filter(|name| !name.trim().is_empty());
            if let (Some(name), false) = (named, by_id.contains_key(&*place.id)) {
                let number = *by_name.entry(name).or_insert_with(|| {
                    names.push(name);
                    names.len() - 1
                });
                by_id.insert(&place.id, number);
            }
        }
        (names, by_id)
    }
}

/// Gives out ids that are not taken.
pub(crate) struct Ids {
    pub(crate) taken: HashSet<String>,
    pub(crate) next: usize,
}

impl Ids {
    pub(crate) fn fresh(&mut self) -> String {
        loop {
            self.next += 1;
            let id = format!("ID{}", self.next);
            if !self.taken.contains(&id) {
                return id;
            }
        }
    }
}

/// Where a node is drawn: its centre, with `y` upwards as in CPN Tools, and its size.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Layout {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// Width and height.
    pub size: Option<(f64, f64)>,
}

/// The program that wrote a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Generator {
    /// Its name.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// The version of the format, 6 in all recent files.
    pub format: String,
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Where its element stands.
    pub offset: usize,
    /// What it declares.
    pub kind: DeclarationKind,
    /// All texts in what a colour set is made of, to find mistakes in them.
    pub parts: Vec<Text>,
}

/// What is declared.
pub type DeclarationKind = Declared<Text>;

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub offset: usize,
    /// Its places.
    pub places: Vec<Place>,
    /// Its transitions, substitution transitions among them.
    pub transitions: Vec<Transition>,
    /// Its arcs.
    pub arcs: Vec<Arc>,
    /// Its free texts, in which people keep queries.
    pub notes: Vec<Text>,
}

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its id.
    pub id: String,
    /// Its name, as written.
    pub name: Text,
    /// Where it stands.
    pub offset: usize,
    /// The name of its colour set.
    pub colour_set: Text,
    /// Its initial marking, often empty.
    pub initial: Text,
    /// The name of its fusion set.
    pub fusion: Option<String>,
    /// Whether it is a port.
    pub port: Option<PortKind>,
    /// Where it is drawn.
    pub layout: Option<Layout>,
}

/// The direction of a port.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PortKind {
    /// `In`
    In,
    /// `Out`
    Out,
    /// `I/O`
    InOut,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its id.
    pub id: String,
    /// Its name, as written.
    pub name: Text,
    /// Where it stands.
    pub offset: usize,
    /// The page it stands for, if any: then its regions mean nothing.
    pub substitution: Option<Substitution>,
    /// Its guard.
    pub guard: Text,
    /// Its delay.
    pub time: Text,
    /// Its code segment.
    pub code: Text,
    /// Its channel.
    pub channel: Text,
    /// Its priority.
    pub priority: Text,
    /// Where it is drawn.
    pub layout: Option<Layout>,
}

/// The page that a transition stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Substitution {
    /// The id of the page.
    pub subpage: String,
    /// Ids of places: port there, socket here.
    pub assignments: Vec<(String, String)>,
}

/// An arc.
#[derive(Clone, Debug)]
pub struct Arc {
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub offset: usize,
    /// The id of its place.
    pub place: String,
    /// The id of its transition.
    pub transition: String,
    /// What it does.
    pub kind: ArcKind,
    /// Its inscription.
    pub inscription: Text,
    /// The points it goes through.
    pub bends: Vec<(f64, f64)>,
}

/// What an arc does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArcKind {
    /// Takes tokens from the place.
    Input,
    /// Puts tokens on the place.
    Output,
    /// Both, with the same inscription.
    Both,
    /// Wants the place empty.
    Inhibitor,
    /// Empties the place.
    Reset,
    /// Something else, as the file has it.
    Unknown(String),
}

/// Places with one marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FusionSet {
    /// Its name.
    pub name: String,
    /// Ids of places.
    pub members: Vec<String>,
    /// Where it stands.
    pub offset: usize,
}

/// An instance of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The id of the page on top, empty below.
    pub page: String,
    /// The id of the substitution transition, empty on top.
    pub transition: String,
    /// The instances below.
    pub children: Vec<Instance>,
}
