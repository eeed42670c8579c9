//! A place/transition net and its PNML form.

use std::fmt::Write;

/// A net under construction; places and transitions keep the order in which they are added.
pub struct Net {
    name: String,
    places: Vec<(String, u64)>,
    transitions: Vec<Transition>,
}

struct Transition {
    name: String,
    takes: Vec<String>,
    gives: Vec<String>,
}

impl Net {
    pub fn new(name: String) -> Net {
        Net { name, places: Vec::new(), transitions: Vec::new() }
    }

    pub fn place(&mut self, name: impl Into<String>, tokens: u64) {
        self.places.push((name.into(), tokens));
    }

    /// Adds a transition with arcs of weight one.
    pub fn transition<P: Into<String>>(
        &mut self,
        name: impl Into<String>,
        takes: impl IntoIterator<Item = P>,
        gives: impl IntoIterator<Item = P>,
    ) {
        self.transitions.push(Transition {
            name: name.into(),
            takes: takes.into_iter().map(Into::into).collect(),
            gives: gives.into_iter().map(Into::into).collect(),
        });
    }

    /// The net as a PNML document with one page.
    pub fn pnml(&self) -> String {
        let name = &self.name;
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out += "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n";
        let kind = "http://www.pnml.org/version-2009/grammar/ptnet";
        line(&mut out, format_args!("<net id=\"{name}\" type=\"{kind}\">"));
        line(&mut out, format_args!("<page id=\"page0\">"));
        line(&mut out, format_args!("<name><text>{name}</text></name>"));
        self.write_nodes(&mut out);
        self.write_arcs(&mut out);
        out += "</page>\n</net>\n</pnml>\n";
        out
    }

    fn write_nodes(&self, out: &mut String) {
        for (place, tokens) in &self.places {
            let marking = match tokens {
                0 => String::new(),
                n => format!("<initialMarking><text>{n}</text></initialMarking>"),
            };
            line(
                out,
                format_args!(
                    "<place id=\"{place}\"><name><text>{place}</text></name>{marking}</place>"
                ),
            );
        }
        for Transition { name, .. } in &self.transitions {
            line(
                out,
                format_args!(
                    "<transition id=\"{name}\"><name><text>{name}</text></name></transition>"
                ),
            );
        }
    }

    fn write_arcs(&self, out: &mut String) {
        let arcs = self.transitions.iter().flat_map(|transition| {
            let name = &transition.name;
            let takes = transition.takes.iter().map(move |place| (place, name));
            let gives = transition.gives.iter().map(move |place| (name, place));
            takes.chain(gives)
        });
        for (k, (source, target)) in arcs.enumerate() {
            line(
                out,
                format_args!("<arc id=\"a{k}\" source=\"{source}\" target=\"{target}\"></arc>"),
            );
        }
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_pnml() {
        let mut net = Net::new("Tick".into());
        net.place("on", 1);
        net.place("off", 0);
        net.transition("flip", ["on"], ["off"]);
        let pnml = net.pnml();
        let body: Vec<&str> = pnml.lines().skip(5).take(5).collect();
        assert_eq!(
            body,
            [
                "<place id=\"on\"><name><text>on</text></name>\
                 <initialMarking><text>1</text></initialMarking></place>",
                "<place id=\"off\"><name><text>off</text></name></place>",
                "<transition id=\"flip\"><name><text>flip</text></name></transition>",
                "<arc id=\"a0\" source=\"on\" target=\"flip\"></arc>",
                "<arc id=\"a1\" source=\"flip\" target=\"off\"></arc>",
            ]
        );
    }
}
