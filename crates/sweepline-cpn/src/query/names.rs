//! The scope of expressions over markings.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use sweepline_ml::core::VarId;
use sweepline_ml::{ColourSetId, Environment, Limits, TimeType, TypeId, Types};

use crate::explore::place::PlaceForm;
use crate::net::{Net, Place, PlaceId};

/// The declarations of a model, with its places.
#[derive(Clone, Debug)]
pub struct Scope {
    pub(super) environment: Environment,
    /// Variables that denote the marking of a place.
    pub(super) places: Vec<(VarId, PlaceId)>,
    /// The variable with the shortest name of each place, the first if there are several.
    shortest: HashMap<PlaceId, VarId>,
    /// The variable for `deadlock`, in conditions.
    pub(super) deadlock: Option<VarId>,
    /// The types of the markings.
    types: Vec<TypeId>,
    /// The colour set of each place, and the encoding of its tokens.
    pub(super) colours: Vec<(ColourSetId, PlaceForm)>,
    pub(super) time: TimeType,
    pub(super) limits: Limits,
    /// Short names that several places share, with the full names.
    pub(super) shared: BTreeMap<String, Vec<String>>,
}

impl Scope {
    /// A scope for expressions over the markings of `net`. `limits` apply to every evaluation.
    pub(crate) fn new(net: &Net, forms: Vec<PlaceForm>, limits: Limits) -> Self {
        let mut environment = net.environment.clone();
        environment.forget_variables();
        let types = net.places.iter().map(|place| marking_type(&mut environment, place)).collect();
        let sets = net.places.iter().map(|place| place.colour_set);
        let colours = sets.zip(forms).collect();
        let (places, time) = (Vec::new(), net.time);
        let (deadlock, shared, shortest) = (None, BTreeMap::new(), HashMap::new());
        let mut scope =
            Scope { environment, places, shortest, deadlock, types, colours, time, limits, shared };
        scope.declare_structure(net);
        scope.declare_short_names(net);
        scope
    }

    /// The shortest name of a place with this full name, as an argument of a function.
    pub(crate) fn name_of(&self, place: usize, full: &str) -> String {
        let variables = &self.environment.program().variables;
        match self.shortest.get(&PlaceId(place as u32)) {
            Some(var) => variables[var.0 as usize].name.to_string(),
            None => format!("(Mark.{full})"),
        }
    }

    /// The declarations, with the variables for places.
    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The variables for places.
    pub(crate) fn place_variables(&self) -> impl Iterator<Item = VarId> {
        self.places.iter().map(|(var, _)| *var)
    }

    /// Declares `deadlock`, which is true in dead markings, unless the model declares that name.
    pub(super) fn declare_deadlock(&mut self) {
        if !self.environment.means_something("deadlock") && !self.is_place("deadlock") {
            self.deadlock = Some(self.environment.declare_open("deadlock", Types::BOOL));
        }
    }

    /// Whether a place has this name.
    pub fn is_place(&self, name: &str) -> bool {
        let variables = &self.environment.program().variables;
        self.places.iter().any(|(var, _)| *variables[var.0 as usize].name == *name)
    }

    /// The model time as an expression of type `int`; not for real time.
    pub(crate) fn time_as_int(&self) -> &'static str {
        if self.time == TimeType::Int { "time ()" } else { "IntInf.toInt (time ())" }
    }

    /// `Mark.Page'Place`, a function of the instance.
    fn declare_structure(&mut self, net: &Net) {
        for (number, ty) in (0..).zip(self.types.clone()) {
            self.environment.declare_part(&format!("CPN'place_{number}"), number, ty);
        }
        let mut text = String::from("structure Mark = struct\n");
        for (name, instances) in members(net) {
            let mut bar = "fun";
            for (instance, place) in instances {
                let number = place.0;
                let _ =
                    writeln!(text, "  {bar} {name} {instance} = CPN'place_{number} (CPN'here ())");
                bar = "  |";
            }
            let _ = writeln!(text, "    | {name} _ = CPN'CS.nowhere \"{name}\"");
        }
        text.push_str("end\nval total = CPN'CS.total\n");
        // This fails only if the model redeclares a name that is used here. `Mark` is then undeclared, and an
        // expression that uses it gets an error.
        let _ = self.environment.declare_generated("places", &text);
    }

    /// `Place` and `Page'Place`, if they are unambiguous.
    fn declare_short_names(&mut self, net: &Net) {
        // The meanings of each short name, with the full name. Several names of the same place have the same meaning.
        let mut meanings: BTreeMap<String, BTreeMap<PlaceId, String>> = BTreeMap::new();
        for (name, instances) in members(net) {
            for (instance, place) in instances {
                let full = format!("Mark.{name} {instance}");
                for short in
                    name.split_once('\'').map(|(_, short)| short).into_iter().chain([&*name])
                {
                    let known = meanings.entry(short.to_owned()).or_default();
                    known.entry(place).or_insert_with(|| full.clone());
                }
            }
        }
        for (name, places) in meanings {
            if self.environment.means_something(&name)
                || !name.starts_with(|c: char| c.is_ascii_alphabetic())
            {
                continue;
            }
            let mut alone = places.keys();
            if let (Some(place), None) = (alone.next(), alone.next()) {
                let var = self.environment.declare_open(&name, self.types[place.0 as usize]);
                self.places.push((var, *place));
                let variables = &self.environment.program().variables;
                let length = |var: VarId| variables[var.0 as usize].name.len();
                let shortest = self.shortest.entry(*place).or_insert(var);
                if length(var) < length(*shortest) {
                    *shortest = var;
                }
            } else {
                self.shared.insert(name, places.into_values().collect());
            }
        }
    }
}

/// `CS ms`, or `CS tms` for a timed place.
pub(crate) fn marking_type(environment: &mut Environment, place: &Place) -> TypeId {
    let token = environment.colour_set(place.colour_set).ty;
    let types = &mut environment.program_mut().types;
    let token = if place.timed { types.timed(token) } else { token };
    types.list(token)
}

/// The place instances that have a name in the file, by `Page'Place`.
pub(crate) fn members(net: &Net) -> BTreeMap<String, Vec<(u32, PlaceId)>> {
    let mut members: BTreeMap<String, Vec<(u32, PlaceId)>> = BTreeMap::new();
    for (number, place) in (0..).zip(&net.places) {
        for member in &place.members {
            let name = member.name.rsplit_once(' ').map_or(&*member.name, |(name, _)| name);
            let instances = members.entry(name.to_owned()).or_default();
            instances.push((member.instance, PlaceId(number)));
        }
    }
    members
}
