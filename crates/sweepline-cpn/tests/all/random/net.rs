//! A net: its semantics, transition by transition, and its file.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::term::{Term, Tokens, Var, variable_name};
use super::value::{DECLARATIONS, SETS, Set, Value};

#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) set: Set,
    pub(crate) timed: bool,
    pub(crate) initial: Vec<(u64, Value, i64)>,
    /// It is drawn twice, as a fusion set.
    pub(crate) fused: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) guard: Vec<Term>,
    pub(crate) inputs: Vec<(usize, Tokens)>,
    pub(crate) outputs: Vec<(usize, Tokens)>,
    pub(crate) inhibitors: Vec<usize>,
    pub(crate) resets: Vec<usize>,
    pub(crate) priority: Option<i64>,
    pub(crate) delay: Option<Term>,
    /// A variable and the value that the code segment computes.
    pub(crate) code: Option<(Var, Term)>,
    pub(crate) drawn: Drawn,
}

/// Where a transition is drawn.
#[derive(Clone, Debug)]
pub(crate) enum Drawn {
    /// On the top page, at the second copy of its places if there is one.
    Top { second: bool },
    /// On its own page, this many levels down, with one instance for each of these lists of sockets.
    Below { pages: usize, instances: Vec<Vec<(usize, usize)>> },
}

#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) places: Vec<Place>,
    pub(crate) transitions: Vec<Transition>,
}

impl Transition {
    /// Its variables except the one that the code segment binds.
    pub(crate) fn variables(&self) -> Vec<Var> {
        let mut found = BTreeSet::new();
        let arcs = self.inputs.iter().chain(&self.outputs);
        arcs.for_each(|(_, tokens)| tokens.variables(&mut found));
        self.guard.iter().chain(&self.delay).for_each(|term| term.variables(&mut found));
        if let Some((var, term)) = &self.code {
            term.variables(&mut found);
            found.remove(var);
        }
        found.into_iter().collect()
    }

    pub(crate) fn places(&self) -> BTreeSet<usize> {
        let arcs = self.inputs.iter().chain(&self.outputs).map(|(place, _)| *place);
        arcs.chain(self.inhibitors.iter().copied()).chain(self.resets.iter().copied()).collect()
    }

    /// The same transition at other places.
    fn at(&self, places: &[(usize, usize)]) -> Transition {
        let to = |place: &usize| places.iter().find(|(from, _)| from == place).unwrap().1;
        let mut moved = self.clone();
        moved.inputs.iter_mut().chain(&mut moved.outputs).for_each(|(place, _)| *place = to(place));
        moved.inhibitors.iter_mut().chain(&mut moved.resets).for_each(|place| *place = to(place));
        moved
    }
}

impl Net {
    /// Every transition instance.
    pub(crate) fn flat(&self) -> Vec<Transition> {
        let instances = |transition: &Transition| match &transition.drawn {
            Drawn::Top { .. } => vec![transition.clone()],
            Drawn::Below { instances, .. } => instances.iter().map(|i| transition.at(i)).collect(),
        };
        self.transitions.iter().flat_map(instances).collect()
    }

    pub(crate) fn is_timed(&self) -> bool {
        self.places.iter().any(|place| place.timed)
    }

    /// The file.
    pub(crate) fn xml(&self) -> String {
        let mut declarations = DECLARATIONS.to_owned();
        for set in SETS {
            let name = set.name();
            let alias = format!("<alias><id>{name}</id></alias>");
            let timed = format!("<color id='t{name}'><id>T{name}</id><timed/>{alias}</color>\n");
            declarations += &timed;
            let names = (1..=4).map(|n| format!("<id>{}</id>", variable_name((set, n))));
            let names: String = names.collect();
            let ty = format!("<type><id>{name}</id></type>");
            declarations += &format!("<var id='v{name}'>{ty}{names}</var>\n");
        }
        let mut top = String::new();
        let mut fusion = String::new();
        for (number, place) in self.places.iter().enumerate() {
            top += &place.xml(&format!("p{number}"), &format!("P{number}"), "");
            if place.fused {
                top += &place.xml(&format!("f{number}"), &format!("F{number}"), "");
                let elements =
                    format!("<fusion_elm idref='p{number}'/><fusion_elm idref='f{number}'/>");
                fusion += &format!("<fusion id='g{number}' name='G{number}'>{elements}</fusion>\n");
            }
        }
        let mut pages = String::new();
        for (number, transition) in self.transitions.iter().enumerate() {
            match &transition.drawn {
                Drawn::Top { second } => {
                    let place = |p: usize| match *second && self.places[p].fused {
                        true => format!("f{p}"),
                        false => format!("p{p}"),
                    };
                    top += &transition.xml(number, place);
                }
                Drawn::Below { pages: depth, instances } => {
                    self.draw_below(number, (*depth, instances), &mut top, &mut pages);
                }
            }
        }
        format!(
            "<workspaceElements><cpnet><globbox>{declarations}</globbox>\n\
             <page id='top'><pageattr name='Top'/>{top}</page>\n{pages}{fusion}</cpnet></workspaceElements>"
        )
    }

    fn draw_below(
        &self,
        number: usize,
        (depth, instances): (usize, &[Vec<(usize, usize)>]),
        top: &mut String,
        pages: &mut String,
    ) {
        let transition = &self.transitions[number];
        let used = transition.places();
        for (instance, places) in instances.iter().enumerate() {
            let pairs = places.iter().map(|(from, to)| format!("(q{number}_1_{from},p{to})"));
            let pairs: String = pairs.collect();
            let subst = format!("<subst subpage='page{number}_1' portsock='{pairs}'/>");
            let id = format!("s{number}_{instance}");
            writeln!(top, "<trans id='{id}'><text>Sub{id}</text>{subst}</trans>").unwrap();
        }
        for level in 1..=depth {
            let mut inner = String::new();
            for place in &used {
                // The initial marking of an assigned port is ignored.
                let port = "<port id='x' type='I/O'/>";
                let id = format!("q{number}_{level}_{place}");
                inner += &self.places[*place].xml(&id, &id, port);
            }
            if level == depth {
                inner += &transition.xml(number, |place| format!("q{number}_{level}_{place}"));
            } else {
                let below = level + 1;
                let pair = |place| format!("(q{number}_{below}_{place},q{number}_{level}_{place})");
                let pairs: String = used.iter().map(pair).collect();
                let subst = format!("<subst subpage='page{number}_{below}' portsock='{pairs}'/>");
                let id = format!("s{number}_x{level}");
                inner += &format!("<trans id='{id}'><text>Sub{id}</text>{subst}</trans>\n");
            }
            let page = format!("page{number}_{level}");
            writeln!(pages, "<page id='{page}'><pageattr name='{page}'/>{inner}</page>").unwrap();
        }
    }
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl Place {
    fn xml(&self, id: &str, name: &str, port: &str) -> String {
        let set = format!("{}{}", if self.timed { "T" } else { "" }, self.set.name());
        let token = |(count, colour, stamp): &(u64, Value, i64)| match self.timed {
            true => format!("{count}`{colour}@+{stamp}"),
            false => format!("{count}`{colour}"),
        };
        let tokens: Vec<String> = self.initial.iter().map(token).collect();
        let tokens = tokens.join(if self.timed { "+++" } else { "++" });
        format!(
            "<place id='{id}'><text>{name}</text><type><text>{set}</text></type>\
             <initmark><text>{tokens}</text></initmark>{port}</place>\n"
        )
    }
}

impl Transition {
    fn xml(&self, number: usize, place: impl Fn(usize) -> String) -> String {
        let mut regions = String::new();
        if !self.guard.is_empty() {
            let guard: Vec<String> =
                self.guard.iter().map(|term| escape(&term.to_string())).collect();
            write!(regions, "<cond><text>[{}]</text></cond>", guard.join(", ")).unwrap();
        }
        if let Some(delay) = &self.delay {
            write!(regions, "<time><text>@+{}</text></time>", escape(&delay.to_string())).unwrap();
        }
        if let Some(priority) = self.priority {
            write!(regions, "<priority><text>{priority}</text></priority>").unwrap();
        }
        if let Some((var, term)) = &self.code {
            let mut inputs = BTreeSet::new();
            term.variables(&mut inputs);
            let inputs: Vec<String> = inputs.into_iter().map(variable_name).collect();
            let input = match inputs.is_empty() {
                true => String::new(),
                false => format!("input ({});", inputs.join(",")),
            };
            let code = format!("{input} output ({}); action {term};", variable_name(*var));
            write!(regions, "<code><text>{}</text></code>", escape(&code)).unwrap();
        }
        let mut text = format!("<trans id='t{number}'><text>T{number}</text>{regions}</trans>\n");
        let mut arc = |direction: &str, at: usize, tokens: &str| {
            let id = format!("{number}_{}", text.len());
            let ends = format!("<transend idref='t{number}'/><placeend idref='{}'/>", place(at));
            let annot = format!("<annot><text>{}</text></annot>", escape(tokens));
            text += &format!("<arc id='a{id}' orientation='{direction}'>{ends}{annot}</arc>\n");
        };
        self.inputs.iter().for_each(|(at, tokens)| arc("PtoT", *at, &tokens.to_string()));
        self.outputs.iter().for_each(|(at, tokens)| arc("TtoP", *at, &tokens.to_string()));
        self.inhibitors.iter().for_each(|at| arc("inhibitor", *at, ""));
        self.resets.iter().for_each(|at| arc("reset", *at, ""));
        text
    }
}
