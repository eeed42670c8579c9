//! Declares the names of a net for scripts: its places, transitions and binding elements, as generated text.

use std::collections::BTreeMap;
use std::fmt::Write;

use sweepline_ml::{Environment, Label, TypeId, Types, tag_bytes};

use super::ask::numbered;
use crate::explore::CpnModel;
use crate::explore::element::ElementForm;
use crate::net::Net;
use crate::query::{marking_type, members};

const STATE: &str = "structure SL = struct datatype state = CPN'State of string end\n";

/// The declarations of a net, with everything that scripts use.
pub(super) struct Interface {
    pub(super) environment: Environment,
    /// The encodings of binding elements, as values of `Bind.Elem`.
    pub(super) forms: Vec<ElementForm>,
    pub(super) element: TypeId,
    pub(super) state: TypeId,
    pub(super) instance: TypeId,
    pub(super) place_instance: TypeId,
    pub(super) linear_formula: TypeId,
    pub(super) askctl_formula: TypeId,
    /// The names of place instances, by index.
    pub(super) place_names: Vec<String>,
}

/// The transitions with one name, and the variables that all of them have.
struct Family {
    /// By page instance: its number, and the index of the transition in the model.
    instances: Vec<(u32, usize)>,
    variables: Vec<(String, TypeId)>,
}

impl Interface {
    pub(super) fn new(model: &CpnModel) -> Self {
        let net = model.net();
        let families = families(model);
        let mut environment = net.environment.clone();
        environment.forget_variables();
        environment.declare_library(|environment| {
            declare_places(environment, net);
            declare_elements(environment, &families);
            let element = environment.find_type("Bind.Elem").expect("it was just declared");
            environment.declare_part("CPN'element", element_part(net.places.len()), element);
            let text = [transitions(model, &families), space_places(net)].concat();
            let text = text + &place_instances(net);
            // The texts that are the same for all nets: the sweep, then the stored state space.
            let texts = [
                ("net", &*text),
                ("sweep", include_str!("sweep.sml")),
                ("state space", include_str!("space.sml")),
                ("texts", include_str!("texts.sml")),
                ("ASK-CTL", include_str!("askctl.sml")),
            ];
            for (name, text) in texts {
                let declared = environment.declare_ml(name, &numbered(text));
                declared.unwrap_or_else(|errors| panic!("the library is wrong: {errors}"));
            }
        });
        let state = environment.find_type("SL.state").expect("the library declares it");
        let names = [("state", state), ("SLMark", state), ("SLMARK", state)];
        let numbers = ["Node", "Arc", "Scc", "Inst"].map(|name| (name, Types::INT));
        for (name, ty) in names.into_iter().chain(numbers) {
            if environment.find_type(name).is_none() {
                environment.declare_type(name, ty);
            }
        }
        let known = |name| environment.find_type(name).expect("the library declares it");
        Interface {
            forms: element_forms(model, &families),
            element: known("Bind.Elem"),
            state,
            instance: known("TI.TransInst"),
            place_instance: known("PI.PlaceInst"),
            linear_formula: known("LTL.formula"),
            askctl_formula: known("ASKCTL.A"),
            place_names: place_names(net),
            environment,
        }
    }
}

/// The part number of the model time.
pub(super) fn time_part(places: usize) -> u32 {
    places as u32
}

/// The part number for decoding a binding element.
pub(super) fn element_part(places: usize) -> u32 {
    places as u32 + 1
}

/// `SLMark.Page'Place`, a function of the instance and the marking.
fn declare_places(environment: &mut Environment, net: &Net) {
    for (number, place) in (0..).zip(&net.places) {
        let ty = marking_type(environment, place);
        environment.declare_part(&format!("CPN'place_{number}"), number, ty);
    }
    let time = environment.find_type("time").expect("the library declares it");
    environment.declare_part("CPN'time_of", time_part(net.places.len()), time);
    let mut text = format!("{STATE}structure SLMark = struct\n");
    for (name, instances) in named(members(net)) {
        let mut bar = "fun";
        for (instance, place) in instances {
            let number = place.0;
            let marking = "(SL.CPN'State s)";
            let _ = writeln!(text, "  {bar} {name} {instance} {marking} = CPN'place_{number} s");
            bar = "  |";
        }
        let _ = writeln!(text, "    | {name} _ _ = raise Fail \"{name} has no such instance\"");
    }
    text.push_str("end\n");
    environment.declare_ml("places", &text).expect("names of places are identifiers");
}

/// `Mark.Page'Place`, for nodes of the stored state space.
fn space_places(net: &Net) -> String {
    let mut text = String::from(
        "val CPN'bytes = _prim \"ask node_state\" : int -> string\n\
         structure Mark = struct\n",
    );
    for name in named(members(net)).into_keys() {
        let _ = writeln!(text, "  fun {name} i n = SLMark.{name} i (SL.CPN'State (CPN'bytes n))");
    }
    text.push_str("end\n");
    text
}

/// The names of all place instances, including assigned ports.
fn place_names(net: &Net) -> Vec<String> {
    let names = named(members(net)).into_iter().flat_map(|(name, instances)| {
        instances.into_iter().map(move |(instance, _)| format!("{name} {instance}"))
    });
    names.collect()
}

/// `PI.Page'Place`, a function of the instance; `PI.All`; and the texts of markings.
fn place_instances(net: &Net) -> String {
    let mut text = String::from("structure PI = struct\n  datatype PlaceInst = CPN'PI of int\n");
    let mut marks = String::from(
        "val CPN'mark_text = _prim \"ask mark_text\" : int * string -> string\nstructure st_Mark = struct\n",
    );
    let (mut number, mut shown_marks) = (0, Vec::new());
    for (name, instances) in named(members(net)) {
        let mut bar = "fun";
        for (instance, place) in instances {
            let _ = writeln!(text, "  {bar} {name} {instance} = CPN'PI {number}");
            let shown = format!("CPN'mark_text ({}, CPN'bytes n)", place.0);
            let _ =
                writeln!(marks, "  {bar} {name} {instance} n = \"{name} {instance}: \" ^ {shown}");
            shown_marks.push(format!("st_Mark.{name} {instance}"));
            bar = "  |";
            number += 1;
        }
        let missing = format!("raise Fail \"{name} has no such instance\"");
        let _ = writeln!(text, "    | {name} _ = {missing}");
        let _ = writeln!(marks, "    | {name} _ _ = {missing}");
    }
    let all: Vec<String> = (0..number).map(|number| format!("CPN'PI {number}")).collect();
    let shown_marks = shown_marks.join(", ");
    format!(
        "{text}  val All = [{}]\nend\n{marks}end\nval CPN'marks = [{shown_marks}]\n",
        all.join(", ")
    )
}

/// `Bind.Elem`, with a constructor for each transition of a page.
fn declare_elements(environment: &mut Environment, families: &BTreeMap<String, Family>) {
    let mut text = String::from("structure Bind = struct\n  datatype Elem =\n");
    let mut bar = "    ";
    for (number, (name, family)) in families.iter().enumerate() {
        let mut fields = Vec::new();
        for (at, (variable, ty)) in family.variables.iter().enumerate() {
            let named = format!("CPN'type_{number}_{at}");
            environment.declare_type(&named, *ty);
            fields.push(format!("{variable} : {named}"));
        }
        let _ = writeln!(text, "{bar}{name} of int * {{{}}}", fields.join(", "));
        bar = "  | ";
    }
    if families.is_empty() {
        text.push_str("    CPN'none\n");
    }
    text.push_str("end\n");
    let declared = environment.declare_ml("binding elements", &text);
    declared.unwrap_or_else(|errors| panic!("names are identifiers: {errors}"));
}

/// `TI.Page'Transition`, a function of the instance, and `TI.All`.
fn transitions(model: &CpnModel, families: &BTreeMap<String, Family>) -> String {
    let net = model.net();
    let mut text = String::from("structure TI = struct\n  datatype TransInst = CPN'TI of int\n");
    for (name, family) in families {
        let mut bar = "fun";
        for (instance, transition) in &family.instances {
            let _ = writeln!(text, "  {bar} {name} {instance} = CPN'TI {transition}");
            bar = "  |";
        }
        let _ = writeln!(text, "    | {name} _ = raise Fail \"{name} has no such instance\"");
    }
    let all = net.transitions.iter().map(|transition| number_of(model, &transition.name));
    let all: Vec<String> = all.map(|number| format!("CPN'TI {number}")).collect();
    let _ = writeln!(text, "  val All = [{}]\nend", all.join(", "));
    let elements = families.iter().map(|(name, family)| {
        let numbers = family.instances.iter();
        let numbers: Vec<String> = numbers.map(|(i, t)| format!("{i} => {t}")).collect();
        let case = format!("(case i of {} | _ => raise Match)", numbers.join(" | "));
        format!("CPN'instance (Bind.{name} (i, _)) = TI.CPN'TI {case}")
    });
    let clauses: Vec<String> = elements.collect();
    let _ = match clauses.is_empty() {
        true => writeln!(text, "fun CPN'instance (_ : Bind.Elem) : TI.TransInst = raise Match"),
        false => writeln!(text, "fun {}", clauses.join("\n  | ")),
    };
    let _ = writeln!(text, "val CPN'is_timed = {}", model.is_timed());
    let _ = writeln!(text, "val CPN'declares_time = {}", net.declares_time());
    text
}

fn number_of(model: &CpnModel, name: &str) -> usize {
    let mut all = model.transitions.iter();
    all.position(|transition| transition.name == name).expect("the model has all transitions")
}

/// The transitions by name, in the order of their names.
fn families(model: &CpnModel) -> BTreeMap<String, Family> {
    let net = model.net();
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for transition in &net.transitions {
        let name = transition.name.rsplit_once(' ').map_or(&*transition.name, |(name, _)| name);
        let number = number_of(model, &transition.name);
        let colour = |set| net.environment.colour_set(set).ty;
        let variables = &net.behaviour(transition).variables;
        let variables = variables.iter().map(|v| (v.name.clone(), colour(v.colour_set)));
        let name =
            if is_identifier(name) { name.to_owned() } else { format!("CPN'trans_{number}") };
        let new = || Family { instances: Vec::new(), variables: variables.collect() };
        let family = families.entry(name).or_insert_with(new);
        family.instances.push((transition.instance, number));
    }
    families
}

/// The bytes of a binding element are those of a value of `Bind.Elem`: the tag if there are several
/// constructors, the page instance, and the variables in the order of their labels.
fn element_forms(model: &CpnModel, families: &BTreeMap<String, Family>) -> Vec<ElementForm> {
    let empty = ElementForm { head: Vec::new(), variables: Vec::new() };
    let mut forms = vec![empty; model.transitions.len()];
    for (tag, family) in families.values().enumerate() {
        for &(instance, number) in &family.instances {
            let mut head = Vec::new();
            if families.len() > 1 {
                head.extend_from_slice(&tag.to_le_bytes()[..tag_bytes(families.len())]);
            }
            let mut rest = u64::from(instance) << 1;
            while rest >= 0x80 {
                head.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            head.push(rest as u8);
            let names = model.transitions[number].variables.iter().enumerate();
            let mut labels: Vec<(Label, usize)> =
                names.map(|(slot, v)| (Label::Name(v.name.as_str().into()), slot)).collect();
            labels.sort();
            let variables = labels.into_iter().map(|(_, slot)| slot).collect();
            forms[number] = ElementForm { head, variables };
        }
    }
    forms
}

fn named<T>(by_name: BTreeMap<String, T>) -> BTreeMap<String, T> {
    by_name.into_iter().filter(|(name, _)| is_identifier(name)).collect()
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'')
}
