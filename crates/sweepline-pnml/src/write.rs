//! Writes a net as PNML, so that reading it gives the same net.

use std::collections::HashSet;
use std::fmt::{self, Write};

use crate::net::Net;

impl Net {
    /// The net as a PNML document.
    ///
    /// Nodes keep their ids, names and order. XML cannot contain control characters and the reader trims
    /// names, so a net with such names is changed by the round trip.
    pub fn to_pnml(&self) -> String {
        let mut text = String::new();
        match self.write_pnml(&mut text) {
            Ok(()) => text,
            Err(fmt::Error) => unreachable!("writing to a string does not fail"),
        }
    }

    /// Writes the net as a PNML document.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn write_pnml(&self, out: &mut impl Write) -> fmt::Result {
        let name = Escaped(&self.name);
        out.write_str(concat!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
            "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
        ))?;
        let net_type = "http://www.pnml.org/version-2009/grammar/ptnet";
        writeln!(out, "  <net id=\"{name}\" type=\"{net_type}\">\n    <page id=\"page\">")?;
        for place in &self.places {
            write!(out, "      <place id=\"{}\">", Escaped(&place.id))?;
            write_name(out, &place.id, &place.name)?;
            if place.initial > 0 {
                let initial = place.initial;
                write!(out, "<initialMarking><text>{initial}</text></initialMarking>")?;
            }
            writeln!(out, "</place>")?;
        }
        for transition in &self.transitions {
            write!(out, "      <transition id=\"{}\">", Escaped(&transition.id))?;
            write_name(out, &transition.id, &transition.name)?;
            writeln!(out, "</transition>")?;
        }
        self.write_arcs(out)?;
        writeln!(out, "    </page>\n  </net>\n</pnml>")
    }

    fn write_arcs(&self, out: &mut impl Write) -> fmt::Result {
        let places = self.places.iter().map(|place| place.id.as_str());
        let transitions = self.transitions.iter().map(|transition| transition.id.as_str());
        let taken: HashSet<&str> = places.chain(transitions).collect();
        let mut arc_ids = (1..).map(|n: u64| format!("a{n}")).filter(|id| !taken.contains(&**id));
        let mut write_arc = |source: &str, target: &str, weight: u64| {
            let id = arc_ids.next().unwrap_or_default();
            let (source, target) = (Escaped(source), Escaped(target));
            write!(out, "      <arc id=\"{id}\" source=\"{source}\" target=\"{target}\">")?;
            if weight != 1 {
                write!(out, "<inscription><text>{weight}</text></inscription>")?;
            }
            writeln!(out, "</arc>")
        };
        for transition in &self.transitions {
            for &(place, weight) in &transition.inputs {
                write_arc(&self.places[place.index()].id, &transition.id, weight)?;
            }
            for &(place, weight) in &transition.outputs {
                write_arc(&transition.id, &self.places[place.index()].id, weight)?;
            }
        }
        Ok(())
    }
}

fn write_name(out: &mut impl Write, id: &str, name: &str) -> fmt::Result {
    match name == id {
        true => Ok(()),
        false => write!(out, "<name><text>{}</text></name>", Escaped(name)),
    }
}

/// Text for an attribute or element. Line ends and tabs are written as character references, because XML
/// readers may replace them by spaces.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' | '\r' => write!(f, "&#{};", u32::from(character))?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}
