//! The content of a file.

use std::collections::{HashMap, HashSet};

use sweepline_ml::Declared;
use sweepline_query::{Measure, Property};
use sweepline_source::{Source, Text};

/// A model as it was saved. Graphics, monitors and unknown elements are omitted, except for the positions of
/// nodes and the bends of arcs.
#[derive(Clone, Debug)]
pub struct File {
    /// The text it was read from. Offsets below point into it.
    pub origin: Source,
    /// The program that wrote it.
    pub generator: Generator,
    /// The declarations in order, with blocks flattened.
    pub declarations: Vec<Declaration>,
    /// All pages, even if they have no instance.
    pub pages: Vec<Page>,
    /// The fusion sets.
    pub fusions: Vec<FusionSet>,
    /// The instances of prime pages, with those below them. Empty if the file does not list them.
    pub instances: Vec<Instance>,
    /// Whether time stamps are real numbers.
    pub real_time: bool,
    /// The progress measures that it declares. In a CPN Tools file these are in a text on a page.
    pub measures: Vec<Measure>,
    /// The properties that it declares. In a CPN Tools file these are in a text on a page.
    pub properties: Vec<Property>,
}

impl File {
    /// The index of each page by its id.
    pub(crate) fn page_numbers(&self) -> HashMap<&str, usize> {
        self.pages.iter().enumerate().map(|(at, page)| (page.id.as_str(), at)).collect()
    }

    /// The page and the index on the page of each place by its id.
    pub(crate) fn place_numbers(&self) -> HashMap<&str, (usize, usize)> {
        let places = self.pages.iter().enumerate().flat_map(|(page, on)| {
            let places = on.places.iter().enumerate();
            places.map(move |(at, place)| (place.id.as_str(), (page, at)))
        });
        places.collect()
    }

    /// The prime pages that the file lists, with their listed instances.
    pub(crate) fn listed_tops(&self) -> Vec<(usize, &Instance)> {
        let numbers = self.page_numbers();
        let listed = self.instances.iter();
        listed.filter_map(|top| Some((*numbers.get(&*top.page)?, top))).collect()
    }

    /// The pages that are not subpages.
    pub(crate) fn usual_tops(&self) -> Vec<usize> {
        let transitions = self.pages.iter().flat_map(|page| &page.transitions);
        let below: HashSet<&str> =
            transitions.filter_map(|t| t.substitution.as_ref()).map(|s| &*s.subpage).collect();
        let pages = self.pages.iter().enumerate();
        pages.filter(|(_, page)| !below.contains(&*page.id)).map(|(at, _)| at).collect()
    }

    /// The names of all fusion sets, first those that the file lists, and the index of the fusion set of each
    /// fused place by the id of the place.
    pub(crate) fn fused(&self) -> (Vec<&str>, HashMap<&str, usize>) {
        let mut names: Vec<&str> = self.fusions.iter().map(|set| &*set.name).collect();
        let (mut by_name, mut by_id) = (HashMap::new(), HashMap::new());
        for (number, set) in self.fusions.iter().enumerate() {
            by_name.entry(&*set.name).or_insert(number);
            by_id.extend(set.members.iter().map(|member| (member.as_str(), number)));
        }
        for place in self.pages.iter().flat_map(|page| &page.places) {
            // A place that names a fusion set which does not list it is also a member.
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

/// Creates ids that are not in use.
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

/// The position of a node: its centre, with `y` upwards as in CPN Tools, and its size.
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
    /// The position of its element.
    pub offset: usize,
    /// What it declares.
    pub kind: DeclarationKind,
    /// All texts in the definition of a colour set, to find the positions of mistakes.
    pub parts: Vec<Text>,
}

/// A declaration with its texts.
pub type DeclarationKind = Declared<Text>;

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its position in the file.
    pub offset: usize,
    /// Its places.
    pub places: Vec<Place>,
    /// Its transitions, including substitution transitions.
    pub transitions: Vec<Transition>,
    /// Its arcs.
    pub arcs: Vec<Arc>,
    /// Its auxiliary texts, in which people keep queries.
    pub notes: Vec<Text>,
}

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its id.
    pub id: String,
    /// Its name in the file.
    pub name: Text,
    /// Its position in the file.
    pub offset: usize,
    /// The name of its colour set.
    pub colour_set: Text,
    /// Its initial marking, often empty.
    pub initial: Text,
    /// The name of its fusion set.
    pub fusion: Option<String>,
    /// Whether it is a port.
    pub port: Option<PortKind>,
    /// Its position on the page.
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
    /// Its name in the file.
    pub name: Text,
    /// Its position in the file.
    pub offset: usize,
    /// Its subpage, if it is a substitution transition. Its regions are then ignored.
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
    /// Its position on the page.
    pub layout: Option<Layout>,
}

/// The subpage of a substitution transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Substitution {
    /// The id of the page.
    pub subpage: String,
    /// Ids of places: the port on the subpage, and its socket.
    pub assignments: Vec<(String, String)>,
}

/// An arc.
#[derive(Clone, Debug)]
pub struct Arc {
    /// Its id.
    pub id: String,
    /// Its position in the file.
    pub offset: usize,
    /// The id of its place.
    pub place: String,
    /// The id of its transition.
    pub transition: String,
    /// Its kind.
    pub kind: ArcKind,
    /// Its inscription.
    pub inscription: Text,
    /// The points it passes through.
    pub bends: Vec<(f64, f64)>,
}

/// The kinds of arcs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArcKind {
    /// Removes tokens from the place.
    Input,
    /// Adds tokens to the place.
    Output,
    /// Removes and adds tokens, with the same inscription.
    Both,
    /// Requires that the place is empty.
    Inhibitor,
    /// Empties the place.
    Reset,
    /// An unknown orientation, as written in the file.
    Unknown(String),
}

/// Places that share one marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FusionSet {
    /// Its name.
    pub name: String,
    /// Ids of places.
    pub members: Vec<String>,
    /// Its position in the file.
    pub offset: usize,
}

/// An instance of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The id of the page, for a prime page; else empty.
    pub page: String,
    /// The id of the substitution transition; empty for a prime page.
    pub transition: String,
    /// The instances below.
    pub children: Vec<Instance>,
}
