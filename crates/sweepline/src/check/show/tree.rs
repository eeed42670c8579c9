//! Values as trees, parsed from the output of `{:#?}`.
//!
//! The states of typed models implement `Debug`, and no other trait gives access to their parts. In the
//! pretty form, each part begins a line and is indented by four more columns than its parent, so it can be
//! parsed without knowing the type. A text that cannot be parsed, such as that of a hand-written `Debug`, is
//! a leaf.

use std::fmt;

/// A value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Tree {
    /// A number, a text, a variant without fields.
    Leaf(String),
    /// A struct, a variant or a tuple: its name, if it has one, and its fields.
    Fields { name: String, fields: Vec<Field> },
    /// A list.
    List(Vec<Tree>),
    /// A map, or a set: its keys have no values.
    Map(Vec<(Tree, Option<Tree>)>),
}

/// A field of a struct, or of a tuple where it has no name.
pub(super) type Field = (Option<String>, Tree);

impl Tree {
    /// The tree of a value.
    pub(super) fn of(value: &impl fmt::Debug) -> Tree {
        Tree::read(&format!("{value:#?}"))
    }

    fn read(text: &str) -> Tree {
        let lines: Vec<&str> = text.lines().collect();
        let mut reader = Reader { lines: &lines, next: 1 };
        let first = lines.first().copied().unwrap_or_default();
        match reader.value(first, 0) {
            Some((tree, "")) if reader.next >= lines.len() => tree,
            _ => Tree::Leaf(lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")),
        }
    }
}

/// Reads trees from lines.
struct Reader<'t> {
    lines: &'t [&'t str],
    /// The first unread line.
    next: usize,
}

impl<'t> Reader<'t> {
    /// The value that begins with `first`, on a line indented by `indent`, and what follows it on its last line.
    fn value(&mut self, first: &'t str, indent: usize) -> Option<(Tree, &'t str)> {
        let (name, close) = match first.char_indices().next_back() {
            Some((end, '(')) => (&first[..end], ")"),
            Some((end, '[')) => (&first[..end], "]"),
            Some((end, '{')) => (first[..end].trim_end(), "}"),
            _ => return Some(leaf(first)),
        };
        let tree = match (close, name) {
            ("]", "") => Tree::List(self.parts(indent + 4, Self::item)?),
            ("}", "") => Tree::Map(self.parts(indent + 4, Self::entry)?),
            ("}", name) => {
                Tree::Fields { name: name.into(), fields: self.parts(indent + 4, Self::field)? }
            }
            (_, name) => {
                let fields = self.parts(indent + 4, Self::item)?;
                let fields = fields.into_iter().map(|value| (None, value)).collect();
                Tree::Fields { name: name.into(), fields }
            }
        };
        Some((tree, self.line(indent)?.strip_prefix(close)?))
    }

    /// The parts on lines indented by `indent`.
    fn parts<T>(
        &mut self,
        indent: usize,
        part: impl Fn(&mut Self, &'t str, usize) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut parts = Vec::new();
        while let Some(first) = self.line(indent) {
            parts.push(part(self, first, indent)?);
        }
        Some(parts)
    }

    fn item(&mut self, first: &'t str, indent: usize) -> Option<Tree> {
        let (value, rest) = self.value(first, indent)?;
        matches!(rest, "," | "").then_some(value)
    }

    fn field(&mut self, first: &'t str, indent: usize) -> Option<Field> {
        Some(match first.split_once(": ") {
            Some((name, first)) => (Some(name.into()), self.item(first, indent)?),
            None => (None, self.item(first, indent)?),
        })
    }

    fn entry(&mut self, first: &'t str, indent: usize) -> Option<(Tree, Option<Tree>)> {
        let quoted = first.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let from = quoted.map_or(0, |quote| closing(first, quote));
        if let Some(colon) = first[from..].find(": ") {
            let (key, first) = (leaf(&first[..from + colon]).0, &first[from + colon + 2..]);
            return Some((key, Some(self.item(first, indent)?)));
        }
        let (key, rest) = self.value(first, indent)?;
        match rest.strip_prefix(": ") {
            Some(first) => Some((key, Some(self.item(first, indent)?))),
            None => Some((key, None)),
        }
    }

    /// The next line, if it is indented by exactly `indent`.
    fn line(&mut self, indent: usize) -> Option<&'t str> {
        let line = self.lines.get(self.next)?;
        let text = line.trim_start_matches(' ');
        if line.len() - text.len() != indent {
            return None;
        }
        self.next += 1;
        Some(text)
    }
}

/// A value on one line, and the comma that follows it.
fn leaf(line: &str) -> (Tree, &str) {
    let text = line.strip_suffix(',').unwrap_or(line);
    let tree = match text {
        "[]" => Tree::List(Vec::new()),
        "{}" => Tree::Map(Vec::new()),
        text => Tree::Leaf(text.into()),
    };
    (tree, &line[text.len()..])
}

/// Where the text ends that begins with this quote.
fn closing(line: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = line.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(line.len(), |(at, _)| at + 1)
}

/// On one line, as `{:?}` writes it.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Leaf(text) => f.write_str(text),
            Tree::List(items) => write!(f, "[{}]", join(items, Tree::to_string)),
            Tree::Map(entries) => {
                let entry = |(key, value): &(Tree, Option<Tree>)| match value {
                    Some(value) => format!("{key}: {value}"),
                    None => key.to_string(),
                };
                write!(f, "{{{}}}", join(entries, entry))
            }
            Tree::Fields { name, fields } => {
                let named = fields.iter().any(|(name, _)| name.is_some());
                let texts = join(fields, |(name, value)| match name {
                    Some(name) => format!("{name}: {value}"),
                    None => value.to_string(),
                });
                match (named, name.as_str(), fields.len()) {
                    (true, ..) => write!(f, "{name} {{ {texts} }}"),
                    (false, "", 1) => write!(f, "({texts},)"),
                    _ => write!(f, "{name}({texts})"),
                }
            }
        }
    }
}

fn join<T>(parts: &[T], text: impl Fn(&T) -> String) -> String {
    parts.iter().map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::Tree;

    #[derive(Debug)]
    #[allow(dead_code, reason = "only its debug form is read")]
    struct Deep {
        name: &'static str,
        list: Vec<Option<(u8, char)>>,
        map: BTreeMap<(u8, u8), BTreeSet<&'static str>>,
        texts: BTreeMap<&'static str, Option<u8>>,
        unit: (),
        single: (u8,),
        empty: (Vec<u8>, BTreeMap<u8, u8>),
    }

    #[test]
    fn a_tree_is_written_as_its_value() {
        let value = Deep {
            name: "a: \"b {\", (\n",
            list: vec![None, Some((1, ',')), Some((2, '\''))],
            map: [((1, 2), ["x: y", "{"].into()), ((3, 4), [].into())].into(),
            texts: [("k: \\\": [", Some(1)), ("l", None)].into(),
            unit: (),
            single: (7,),
            empty: (vec![], [].into()),
        };
        let tree = Tree::of(&value);
        assert!(matches!(tree, Tree::Fields { .. }));
        assert_eq!(tree.to_string(), format!("{value:?}"));
    }

    #[test]
    fn what_cannot_be_read_is_a_leaf() {
        struct Odd;
        impl std::fmt::Debug for Odd {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("odd {\nmore")
            }
        }
        assert_eq!(Tree::of(&Odd), Tree::Leaf("odd { more".into()));
    }
}
