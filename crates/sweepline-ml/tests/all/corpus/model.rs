//! The texts of a model, checked in the order in which CPN Tools checks them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sweepline_ml::core::{Expr, verify_bind, verify_expr};
use sweepline_ml::{
    ColourSetDeclaration, ColourSetSpec, Delay, Environment, MlErrors, Options, TimeType,
};
use sweepline_source::xml::tree::{self, Element};

/// Checks everything in a model, and returns what failed. Most files are ISO 8859-1, whose bytes are the first
/// characters of Unicode.
pub(crate) fn check(file: &Path) -> Checked {
    let bytes = std::fs::read(file).expect("a model");
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(latin) => latin.into_bytes().into_iter().map(char::from).collect(),
    };
    let root = tree::read(text.trim_start_matches('\u{feff}'), 1_000).expect("well-formed XML");

    let net = root.child("workspaceElements").and_then(|root| root.child("cpnet"));
    let net = net.or_else(|| root.children.first()?.child("cpnet")).expect("a net");
    let mut options = Options::default();
    if is_real_time(net) {
        options.time = TimeType::Real;
    }
    let mut checked = Checked { environment: Environment::new(&options), ..Checked::default() };
    if let Some(globals) = net.child("globbox") {
        checked.declarations(globals);
    }
    let used = used_pages(net);
    for page in net.all("page").filter(|page| used.contains(page.attribute("id"))) {
        checked.page(page);
    }
    checked.verify();
    checked
}

fn is_real_time(net: &Element) -> bool {
    let Some(options) = net.child("options") else { return false };
    let mut named = options.all("option").filter(|o| o.attribute("name") == "realtimestamp");
    let value = named.next().and_then(|option| option.child("value"));
    value.and_then(|value| value.child("boolean")).is_some_and(|value| value.text.trim() == "true")
}

/// The pages with an instance.
fn used_pages(net: &Element) -> BTreeSet<String> {
    let pages: BTreeMap<&str, &Element> =
        net.all("page").map(|page| (page.attribute("id"), page)).collect();
    let roots = net.child("instances").map(|instances| {
        instances.all("instance").map(|instance| instance.attribute("page").to_owned()).collect()
    });
    let mut open: Vec<String> =
        roots.unwrap_or_else(|| pages.keys().map(|id| (*id).to_owned()).collect());
    let mut used = BTreeSet::new();
    while let Some(id) = open.pop() {
        let Some(page) = pages.get(id.as_str()) else { continue };
        if used.insert(id) {
            let below = page.all("trans").filter_map(|trans| trans.child("subst"));
            open.extend(below.map(|subst| subst.attribute("subpage").to_owned()));
        }
    }
    used
}

/// The result for a model.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) environment: Environment,
    pub(crate) texts: usize,
    pub(crate) failures: Vec<String>,
    pub(crate) contradictions: Vec<String>,
    pub(crate) terms: Vec<Expr>,
    /// The initial markings among the terms.
    pub(crate) markings: Vec<usize>,
    /// A file of `use`, or an extension of CPN Tools, is missing.
    pub(crate) uses: bool,
}

impl Checked {
    fn note<T>(&mut self, text: &str, result: Result<T, MlErrors>) {
        self.texts += 1;
        if let Err(errors) = result {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            self.failures
                .push(format!("{errors} in `{}`", text.chars().take(90).collect::<String>()));
        }
    }

    fn keep(&mut self, text: &str, result: Result<impl IntoIterator<Item = Expr>, MlErrors>) {
        let result = result.map(|terms| self.terms.extend(terms));
        self.note(text, result);
    }

    /// Every term must be consistent with its types.
    fn verify(&mut self) {
        let binds = self.environment.program().binds.clone();
        let program = self.environment.program_mut();
        let mut wrong: Vec<_> = binds.iter().flat_map(|bind| verify_bind(program, bind)).collect();
        wrong.extend(self.terms.iter().flat_map(|term| verify_expr(program, term)));
        let sources = self.environment.sources();
        self.contradictions =
            wrong.iter().map(|c| format!("{} in `{}`", c.law, sources.text(c.span))).collect();
    }

    fn declarations(&mut self, parent: &Element) {
        for decl in &parent.children {
            match decl.name.as_str() {
                "block" => self.declarations(decl),
                "color" => self.colour_set(decl),
                "var" => self.variables(decl),
                "ml" => {
                    let result = self.environment.declare_ml("ml", decl.text.as_str());
                    self.note(decl.text.as_str(), result);
                }
                "globref" => {
                    let name = decl.words("id").remove(0);
                    let value = decl.words("ml").remove(0);
                    let result = self.environment.declare_globref("globref", &name, &value);
                    self.note(&value, result);
                }
                "use" => self.uses = true,
                _ => {}
            }
        }
    }

    fn variables(&mut self, decl: &Element) {
        let names = decl.words("id");
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let set = decl.child("type").map(|ty| ty.words("id").remove(0)).unwrap_or_default();
        let result = self.environment.declare_variables("var", &names, &set);
        self.note(&format!("var {} : {set}", names.join(",")), result);
    }

    fn colour_set(&mut self, decl: &Element) {
        let name = decl.words("id").remove(0);
        let skipped = ["id", "layout", "timed", "declare"];
        let kind = decl.children.iter().find(|child| !skipped.contains(&child.name.as_str()));
        let Some(spec) = kind.map(spec) else { return };
        let declares = decl.child("declare").map(|clause| clause.words("id")).unwrap_or_default();
        let declaration = ColourSetDeclaration {
            name: &name,
            spec: &spec,
            declares: &declares,
            timed: decl.child("timed").is_some(),
        };
        let result = self.environment.declare_colour_set("colset", &declaration);
        self.note(&format!("colset {name} = {spec:?}"), result);
    }

    fn page(&mut self, page: &Element) {
        let places: BTreeMap<&str, String> = page
            .all("place")
            .map(|place| (place.attribute("id"), place.region("type").trim().to_owned()))
            .collect();
        for place in page.all("place") {
            let marking = place.region("initmark");
            self.inscription(marking.as_str(), place.region("type").trim(), true);
        }
        let mut fine = BTreeSet::new();
        for trans in page.all("trans").filter(|trans| trans.child("subst").is_none()) {
            fine.insert(trans.attribute("id"));
            let regions = ["cond", "time", "code", "priority"].map(|name| trans.region(name));
            let [guard, time, code, priority] = regions.each_ref().map(|text| text.as_str());
            let result = self.environment.guard("guard", guard);
            self.keep(guard, result);
            let result = self.environment.time_region("time", time);
            self.keep(time, result.map(|delay| delay.map(delay_expr)));
            let result = self.environment.code_segment("code", code);
            self.keep(code, result.map(|code| code.map(|code| code.action)));
            let result = self.environment.priority("priority", priority);
            self.keep(priority, result);
        }
        for arc in page.all("arc") {
            let trans = arc.child("transend").map_or("", |end| end.attribute("idref"));
            let place = arc.child("placeend").map_or("", |end| end.attribute("idref"));
            let set = places.get(place).cloned().unwrap_or_default();
            let plain = !["inhibitor", "reset"]
                .contains(&arc.attribute("orientation").to_lowercase().as_str());
            if fine.contains(trans) && plain {
                self.inscription(arc.region("annot").as_str(), &set, false);
            }
        }
    }

    fn inscription(&mut self, text: &str, set: &str, initial: bool) {
        if initial && text.trim().is_empty() {
            return;
        }
        let Some(id) = self.environment.find_colour_set(set) else {
            self.failures.push(format!("no colour set `{set}`"));
            return;
        };
        let result = match initial {
            true => self.environment.initial_marking("marking", text, id),
            false => self.environment.arc("arc", text, id),
        };
        if initial && result.is_ok() {
            self.markings.push(self.terms.len());
        }
        self.keep(&format!("{text} : {set}"), result.map(|inscription| [inscription.expr]));
    }
}

fn delay_expr(delay: Delay) -> Expr {
    match delay {
        Delay::Int(expr) | Delay::Time(expr) => expr,
    }
}

fn pair(mut texts: Vec<String>) -> Option<(String, String)> {
    (texts.len() >= 2).then(|| (texts.remove(0), texts.remove(0)))
}

fn bounds(kind: &Element, clause: &str) -> Option<(String, String)> {
    pair(kind.child(clause)?.words("ml"))
}

fn spec(kind: &Element) -> ColourSetSpec {
    let ids = kind.words("id");
    let first = ids.first().cloned().unwrap_or_default();
    let with_ids = kind.child("with").map(|with| with.words("id")).unwrap_or_default();
    match kind.name.as_str() {
        "unit" => ColourSetSpec::Unit { token: with_ids.first().cloned() },
        "bool" => ColourSetSpec::Bool { names: pair(with_ids) },
        "int" => ColourSetSpec::Int { range: bounds(kind, "with") },
        "intinf" => ColourSetSpec::IntInf { range: bounds(kind, "with") },
        "real" => ColourSetSpec::Real { range: bounds(kind, "with") },
        "time" => ColourSetSpec::Time,
        "string" => ColourSetSpec::String {
            characters: bounds(kind, "with"),
            length: bounds(kind.child("with").unwrap_or(kind), "and"),
        },
        "enum" => ColourSetSpec::Enum { values: ids },
        "index" => {
            let (low, high) = pair(kind.words("ml")).unwrap_or_default();
            ColourSetSpec::Index { name: first, low, high }
        }
        "product" => ColourSetSpec::Product { components: ids },
        "record" => ColourSetSpec::Record {
            fields: kind.all("recordfield").filter_map(|field| pair(field.words("id"))).collect(),
        },
        "list" => ColourSetSpec::List { element: first, length: bounds(kind, "with") },
        "union" => ColourSetSpec::Union {
            constructors: kind
                .all("unionfield")
                .map(|field| {
                    let ty = field.child("type").map(|ty| ty.words("id").remove(0));
                    (field.words("id").remove(0), ty)
                })
                .collect(),
        },
        "subset" => match kind.child("by") {
            Some(by) => ColourSetSpec::SubsetBy { of: first, predicate: by.words("ml").remove(0) },
            None => {
                let with = kind.child("with").expect("a subset by or with something");
                ColourSetSpec::SubsetWith { of: first, values: with.words("ml").remove(0) }
            }
        },
        _ => ColourSetSpec::Alias { of: first },
    }
}
