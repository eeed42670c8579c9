//! The formulas of properties, with their fairness assumptions.

use std::ops::Range;

use crate::declared::{Property, PropertyKind};
use crate::scan::{comment_end, starts_comment, string_end};

/// The formula of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// The formula, with blanks for everything else, so that offsets are those of the property's text.
    pub formula: String,
    /// The fairness assumptions on paths.
    pub assumed: Vec<Assumed>,
}

/// `weak-fair T` or `strong-fair T`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumed {
    /// The transition to which paths are fair; empty if its name is missing.
    pub name: String,
    /// Its range in the property's text.
    pub at: Range<usize>,
    /// Whether the assumption is strong: the transition occurs infinitely often if it is enabled infinitely
    /// often, not only if it is enabled forever from some point on.
    pub is_strong: bool,
}

const WORDS: [(&str, bool); 2] = [("weak-fair", false), ("strong-fair", true)];

impl Property {
    /// What messages call its text.
    pub fn subject(&self) -> String {
        format!("property `{}`", self.name)
    }

    /// Splits the text of an `ltl` or `ctl` property into assumptions and formula.
    pub fn stated(&self) -> Stated {
        let mut formula = without_comments(self.text.as_str());
        let (mut assumed, mut at) = (Vec::new(), 0);
        let words = if self.kind == PropertyKind::Ltl { &WORDS[..] } else { &[] };
        loop {
            let start = at + blanks(&formula[at..]);
            let begins = |(word, _): &&(&str, bool)| {
                let rest = formula[start..].strip_prefix(word);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            };
            let Some((word, is_strong)) = words.iter().find(begins) else { break };
            let from = start + word.len();
            let from = from + blanks(&formula[from..]);
            let (name, end) = name(&formula, from);
            assumed.push(Assumed { name, at: from..end, is_strong: *is_strong });
            formula.replace_range(start..end, &" ".repeat(end - start));
            at = end;
        }
        Stated { formula, assumed }
    }
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The name at an offset, a word or in quotes, and where it ends.
fn name(text: &str, at: usize) -> (String, usize) {
    let rest = &text[at..];
    if rest.starts_with('"') {
        let end = string_end(text, at);
        let inner = text[at + 1..end].strip_suffix('"').unwrap_or_default();
        return (inner.to_owned(), end);
    }
    let is_part = |c: char| c.is_alphanumeric() || "_.'".contains(c);
    let end = at + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    (text[at..end].to_owned(), end)
}

/// The text with blanks for its comments.
fn without_comments(text: &str) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let end = match c {
            '"' => string_end(text, at),
            '(' if starts_comment(text, at) => match comment_end(text, at) {
                Some(end) => {
                    blanked.extend(std::iter::repeat_n(' ', end - at));
                    at = end;
                    continue;
                }
                None => text.len(),
            },
            c => at + c.len_utf8(),
        };
        blanked.push_str(&text[at..end]);
        at = end;
    }
    blanked
}

#[cfg(test)]
mod tests {
    use sweepline_source::Text;

    use super::*;

    fn stated(kind: PropertyKind, text: &str) -> Stated {
        Property { name: "p".into(), kind, text: Text::verbatim(text), offset: 0 }.stated()
    }

    #[test]
    fn assumptions_stand_before_the_formula() {
        let text = "weak-fair Send (* é *)\n strong-fair \"Go on\" G (Send -> F {x = \"(*\"})";
        let Stated { formula, assumed } = stated(PropertyKind::Ltl, text);
        assert_eq!(formula.len(), text.len());
        assert_eq!(formula.trim(), "G (Send -> F {x = \"(*\"})");
        assert_eq!(formula.find('G'), text.find("G ("));
        let found: Vec<_> = assumed.iter().map(|a| (&*a.name, a.is_strong)).collect();
        assert_eq!(found, [("Send", false), ("Go on", true)]);
        assert_eq!(&text[assumed[0].at.clone()], "Send");
        assert_eq!(&text[assumed[1].at.clone()], "\"Go on\"");
    }

    #[test]
    fn missing_names_and_open_comments_are_left_to_the_caller() {
        let Stated { formula, assumed } = stated(PropertyKind::Ltl, "weak-fair");
        assert_eq!((&*assumed[0].name, assumed[0].at.clone()), ("", 9..9));
        assert!(formula.trim().is_empty());
        assert_eq!(stated(PropertyKind::Ltl, "G x (* y").formula, "G x (* y");
        assert_eq!(stated(PropertyKind::Ltl, "weak-fairly").formula, "weak-fairly");
        // Only LTL properties have fairness assumptions.
        assert_eq!(stated(PropertyKind::Ctl, "weak-fair T AG x").assumed, []);
    }
}
