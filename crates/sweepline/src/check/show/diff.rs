//! The differences between two values.

use std::collections::HashMap;

use super::tree::{Field, Tree};

/// The differences between two values, one line for each change: `phase: Some(1) -> None`, `queue: + [3] at
/// the end`.
pub(super) fn changes(old: &Tree, new: &Tree) -> Vec<String> {
    let mut changes = Changes { path: String::new(), lines: Vec::new() };
    changes.compare(old, new);
    changes.lines
}

struct Changes {
    /// The path to the parts that are compared: `.queue[1]`.
    path: String,
    lines: Vec<String>,
}

impl Changes {
    fn say(&mut self, what: String) {
        let path = self.path.strip_prefix('.').unwrap_or(&self.path);
        self.lines.push(if path.is_empty() { what } else { format!("{path}: {what}") });
    }

    /// Compares a part that is called `label`.
    fn within(&mut self, label: &str, old: &Tree, new: &Tree) {
        let length = self.path.len();
        self.path.push_str(label);
        self.compare(old, new);
        self.path.truncate(length);
    }

    fn compare(&mut self, old: &Tree, new: &Tree) {
        match (old, new) {
            _ if old == new => {}
            (Tree::List(old), Tree::List(new)) => self.lists(old, new),
            (Tree::Map(old), Tree::Map(new)) => self.maps(old, new),
            (Tree::Fields { name: a, fields: old }, Tree::Fields { name: b, fields: new })
                if a == b && alike(old, new) && !is_wrapped_leaf(old) =>
            {
                self.fields(old, new);
            }
            _ => self.say(format!("{old} -> {new}")),
        }
    }

    fn fields(&mut self, old: &[Field], new: &[Field]) {
        // The content of an `Option` is named after the option.
        if let ([(None, old)], [(None, new)]) = (old, new) {
            return self.compare(old, new);
        }
        for (number, ((name, old), (_, new))) in old.iter().zip(new).enumerate() {
            let label = name.as_ref().map_or(format!(".{number}"), |name| format!(".{name}"));
            self.within(&label, old, new);
        }
    }

    fn lists(&mut self, old: &[Tree], new: &[Tree]) {
        let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let (old_rest, new_rest) = (&old[start..], &new[start..]);
        let same = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b);
        let end = same.count();
        let (old, new) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
        let place = match (start, end) {
            (0, 0) => String::new(),
            (_, 0) => " at the end".into(),
            (0, _) => " at the start".into(),
            (start, _) => format!(" at {start}"),
        };
        if old.is_empty() {
            self.say(format!("+ {}{place}", Tree::List(new.to_vec())));
        } else if new.is_empty() {
            self.say(format!("- {}{place}", Tree::List(old.to_vec())));
        } else if old.len() == new.len() {
            for (number, (old, new)) in old.iter().zip(new).enumerate() {
                self.within(&format!("[{}]", start + number), old, new);
            }
        } else {
            let (old_part, new_part) = (Tree::List(old.to_vec()), Tree::List(new.to_vec()));
            self.say(format!("{old_part} -> {new_part}{place}"));
        }
    }

    fn maps(&mut self, old: &[(Tree, Option<Tree>)], new: &[(Tree, Option<Tree>)]) {
        let (before, after) = (by_key(old), by_key(new));
        let lacks = |map: &HashMap<_, _>, entries: &[(Tree, Option<Tree>)]| {
            let lacking = entries.iter().filter(|(key, _)| !map.contains_key(key));
            Tree::Map(lacking.cloned().collect())
        };
        let nothing = Tree::Map(Vec::new());
        let removed = lacks(&after, old);
        if removed != nothing {
            self.say(format!("- {removed}"));
        }
        let added = lacks(&before, new);
        if added != nothing {
            self.say(format!("+ {added}"));
        }
        for (key, value) in old {
            if let (Some(old), Some(Some(new))) = (value, after.get(key)) {
                self.within(&format!("[{key}]"), old, new);
            }
        }
    }
}

fn by_key(entries: &[(Tree, Option<Tree>)]) -> HashMap<&Tree, Option<&Tree>> {
    entries.iter().map(|(key, value)| (key, value.as_ref())).collect()
}

/// Whether both have the same fields.
fn alike(old: &[Field], new: &[Field]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|((a, _), (b, _))| a == b)
}

/// Whether the fields are those of a value like `Some(1)`, which is printed as a whole.
fn is_wrapped_leaf(fields: &[Field]) -> bool {
    matches!(fields, [(None, Tree::Leaf(_))])
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Debug;

    use super::{Tree, changes};

    #[track_caller]
    fn check(old: &impl Debug, new: &impl Debug, expected: &[&str]) {
        assert_eq!(changes(&Tree::of(old), &Tree::of(new)), expected);
    }

    #[derive(Clone, Debug)]
    #[allow(dead_code, reason = "only its debug form is read")]
    struct State {
        queue: Vec<(u8, u8)>,
        phase: Option<u8>,
        done: bool,
    }

    #[derive(Debug)]
    #[allow(dead_code, reason = "only its debug form is read")]
    enum Role {
        Follower,
        Candidate { votes: u8, term: u8 },
        Leader(Vec<u8>),
    }

    #[test]
    fn changes_are_named_by_their_path() {
        let old = State { queue: vec![(1, 2), (3, 4)], phase: Some(1), done: false };
        let new = State { queue: vec![(1, 2), (3, 5)], phase: Some(2), done: true };
        check(
            &old,
            &new,
            &["queue[1].1: 4 -> 5", "phase: Some(1) -> Some(2)", "done: false -> true"],
        );
        check(
            &(1, old.clone()),
            &(1, new),
            &["1.queue[1].1: 4 -> 5", "1.phase: Some(1) -> Some(2)", "1.done: false -> true"],
        );
        check(&old, &old, &[]);
    }

    #[test]
    fn options_come_and_go() {
        let old = State { queue: vec![], phase: Some(1), done: false };
        check(&old, &State { phase: None, ..old.clone() }, &["phase: Some(1) -> None"]);
        check(&None::<Vec<u8>>, &Some(vec![1]), &["None -> Some([1])"]);
        check(&Some(vec![1]), &Some(vec![1, 2]), &["+ [2] at the end"]);
    }

    #[test]
    fn variants_change() {
        let candidate = |votes| Role::Candidate { votes, term: 1 };
        check(
            &[Role::Follower],
            &[candidate(0)],
            &["[0]: Follower -> Candidate { votes: 0, term: 1 }"],
        );
        check(&candidate(0), &candidate(1), &["votes: 0 -> 1"]);
        check(
            &(0, candidate(1)),
            &(0, Role::Leader(vec![])),
            &["1: Candidate { votes: 1, term: 1 } -> Leader([])"],
        );
        check(&(0, Role::Leader(vec![])), &(0, Role::Leader(vec![4])), &["1: + [4]"]);
    }

    #[test]
    fn lists_grow_and_shrink() {
        check(&[1, 2].as_slice(), &[1, 2, 3].as_slice(), &["+ [3] at the end"]);
        check(&vec![1, 2, 3], &vec![2, 3], &["- [1] at the start"]);
        check(&vec![1, 2, 3], &vec![1, 2], &["- [3] at the end"]);
        check(&vec![1, 3], &vec![1, 2, 2, 3], &["+ [2, 2] at 1"]);
        check(&vec![1, 2, 3, 4], &vec![1, 5, 4], &["[2, 3] -> [5] at 1"]);
        check(&Vec::<u8>::new(), &vec![1], &["+ [1]"]);
        check(&vec![vec![1], vec![]], &vec![vec![], vec![1]], &["[0]: - [1]", "[1]: + [1]"]);
    }

    #[test]
    fn maps_and_sets_change_by_key() {
        let old = BTreeMap::from([(1, vec!["a"]), (2, vec![]), (3, vec![])]);
        let new = BTreeMap::from([(1, vec!["a", "b"]), (3, vec![]), (4, vec!["c"])]);
        check(&old, &new, &["- {2: []}", "+ {4: [\"c\"]}", "[1]: + [\"b\"] at the end"]);
        check(&(BTreeSet::<u8>::new(), 0), &(BTreeSet::from([7, 8]), 0), &["0: + {7, 8}"]);
        check(
            &BTreeMap::from([((1, 2), 3)]),
            &BTreeMap::from([((1, 2), 4)]),
            &["[(1, 2)]: 3 -> 4"],
        );
    }
}
