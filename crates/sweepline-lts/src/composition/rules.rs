//! From a tree of operators to rules: for every event of the whole, the participants and their labels.

use std::collections::BTreeMap;

use smallvec::{SmallVec, smallvec};

use sweepline_source::WordList;

use super::tree::{Sync, Tree};
use super::{CompositionError, Part, Rule};
use crate::lts::{LabelId, Lts};

/// The maximal number of rules.
const MAX_RULES: usize = 4_000_000;

type Parts = SmallVec<[Part; 2]>;

/// A flattened tree.
pub(super) struct Flat {
    pub(super) components: Vec<Lts>,
    pub(super) labels: Vec<String>,
    pub(super) rules: Vec<Rule>,
    /// Whether the whole terminates when all components have.
    pub(super) ends_together: bool,
}

impl Flat {
    pub(super) fn of(tree: Tree) -> Result<Self, CompositionError> {
        let mut flatten = Flatten::default();
        flatten.intern("τ");
        flatten.intern("✓");
        let Node { visible, internal, end } = flatten.node(tree)?;
        let hidden = |(hidden, parts)| Rule { label: LabelId::TAU, hidden, parts };
        let mut rules: Vec<Rule> = internal.into_iter().map(hidden).collect();
        for (label, combinations) in visible {
            rules.extend(combinations.into_iter().map(|parts| Rule { label, hidden: None, parts }));
        }
        let ends_together = matches!(end, End::Together);
        if let End::Alone(component) = end {
            let parts = smallvec![Part { component, label: Some(LabelId::TICK) }];
            rules.push(Rule { label: LabelId::TICK, hidden: None, parts });
        }
        Ok(Flat {
            components: flatten.components,
            labels: flatten.labels.into_words(),
            rules,
            ends_together,
        })
    }
}

/// How a subtree terminates.
#[derive(Clone, Copy)]
enum End {
    Never,
    /// By the `tick` of this component.
    Alone(usize),
    /// When all its components have terminated.
    Together,
}

/// The events of a subtree.
struct Node {
    /// For each event, the combinations of components that can take it.
    visible: BTreeMap<LabelId, Vec<Parts>>,
    /// Internal steps, each with the event that it hides.
    internal: Vec<(Option<LabelId>, Parts)>,
    end: End,
}

#[derive(Default)]
struct Flatten {
    components: Vec<Lts>,
    labels: WordList,
}

impl Flatten {
    fn intern(&mut self, name: &str) -> LabelId {
        LabelId(self.labels.intern(name))
    }

    fn name(&self, label: LabelId) -> &str {
        self.labels.text(label.0)
    }

    fn node(&mut self, tree: Tree) -> Result<Node, CompositionError> {
        match tree {
            Tree::Component(lts) => Ok(self.component(lts)),
            Tree::Parallel(children, sync) => self.parallel(children, &sync),
            Tree::Hide(child, events) => {
                let mut node = self.node(*child)?;
                for name in &events {
                    let label = self.intern(name);
                    let combinations = node.visible.remove(&label).unwrap_or_default();
                    node.internal
                        .extend(combinations.into_iter().map(|parts| (Some(label), parts)));
                }
                Ok(node)
            }
            Tree::Rename(child, pairs) => {
                let node = self.node(*child)?;
                self.rename(node, &pairs)
            }
        }
    }

    /// An LTS: each label that it uses is an event.
    fn component(&mut self, lts: Lts) -> Node {
        let component = self.components.len();
        let mut node = Node { visible: BTreeMap::new(), internal: Vec::new(), end: End::Never };
        let counts = lts.label_counts();
        for label in lts.labels().filter(|label| counts[label.index()] > 0) {
            let parts: Parts = smallvec![Part { component, label: Some(label) }];
            match label {
                LabelId::TAU => node.internal.push((None, parts)),
                LabelId::TICK => node.end = End::Alone(component),
                _ => {
                    let event = self.intern(lts.label(label));
                    node.visible.entry(event).or_default().push(parts);
                }
            }
        }
        self.components.push(lts);
        node
    }

    fn parallel(&mut self, trees: Vec<Tree>, sync: &Sync) -> Result<Node, CompositionError> {
        let n_children = trees.len();
        let mut children = Vec::with_capacity(n_children);
        for tree in trees {
            children.push(self.node(tree)?);
        }
        match sync {
            _ if n_children == 0 => return Err(CompositionError::NoChildren),
            Sync::Interface(_) if n_children == 1 => return Ok(children.remove(0)),
            Sync::Alphabets(all) if all.len() != n_children => {
                return Err(CompositionError::Alphabets { n_children, n_alphabets: all.len() });
            }
            _ => {}
        }
        let end = end_of(&mut children);
        let mut node = Node { visible: BTreeMap::new(), internal: Vec::new(), end };
        let mut meetings: BTreeMap<LabelId, Meeting> = BTreeMap::new();
        for (index, child) in children.into_iter().enumerate() {
            node.internal.extend(child.internal);
            for (label, combinations) in child.visible {
                match self.meeting(sync, label, index, n_children) {
                    0 => {}
                    1 => node.visible.entry(label).or_default().extend(combinations),
                    expected => {
                        let new = || Meeting { expected, came: Vec::new() };
                        meetings.entry(label).or_insert_with(new).came.push(combinations);
                    }
                }
            }
        }
        for (label, meeting) in meetings {
            if meeting.came.len() == meeting.expected {
                let combinations = meeting.combinations(self.name(label))?;
                node.visible.entry(label).or_default().extend(combinations);
            }
        }
        Ok(node)
    }

    /// How many children must synchronise on `label`, of which child `index` is one; 0 if it must not take
    /// part.
    fn meeting(&self, sync: &Sync, label: LabelId, index: usize, n_children: usize) -> usize {
        let name = self.name(label);
        match sync {
            Sync::Interface(events) if events.contains(name) => n_children,
            Sync::Interface(_) => 1,
            Sync::Alphabets(all) if !all[index].contains(name) => 0,
            Sync::Alphabets(all) => all.iter().filter(|events| events.contains(name)).count(),
        }
    }

    fn rename(&mut self, node: Node, pairs: &[(String, String)]) -> Result<Node, CompositionError> {
        let mut images: BTreeMap<LabelId, Vec<LabelId>> = BTreeMap::new();
        for (from, to) in pairs {
            let (from, to) = (self.intern(from), self.intern(to));
            images.entry(from).or_default().push(to);
        }
        let mut visible: BTreeMap<LabelId, Vec<Parts>> = BTreeMap::new();
        for (label, combinations) in node.visible {
            match images.get_mut(&label) {
                None => visible.entry(label).or_default().extend(combinations),
                Some(targets) => {
                    targets.sort_unstable();
                    targets.dedup();
                    for &mut target in targets {
                        visible.entry(target).or_default().extend(combinations.iter().cloned());
                    }
                }
            }
        }
        for (label, combinations) in &mut visible {
            combinations.sort_unstable();
            combinations.dedup();
            check_count(combinations.len(), self.name(*label))?;
        }
        Ok(Node { visible, ..node })
    }
}

/// An event of several children: the combinations of each participant.
struct Meeting {
    expected: usize,
    came: Vec<Vec<Parts>>,
}

impl Meeting {
    /// All combinations of one choice for each participant.
    fn combinations(self, event: &str) -> Result<Vec<Parts>, CompositionError> {
        let mut all: Vec<Parts> = vec![Parts::new()];
        for combinations in self.came {
            check_count(all.len().saturating_mul(combinations.len()), event)?;
            let extended = |parts: &Parts| -> Vec<Parts> {
                let joined = combinations
                    .iter()
                    .map(|combination| parts.iter().chain(combination).copied().collect());
                joined.collect()
            };
            all = all.iter().flat_map(extended).collect();
        }
        Ok(all)
    }
}

fn check_count(n: usize, event: &str) -> Result<(), CompositionError> {
    match n <= MAX_RULES {
        true => Ok(()),
        false => Err(CompositionError::TooManyRules { event: event.to_owned(), limit: MAX_RULES }),
    }
}

/// How children in parallel terminate. A child that terminates alone does so by an internal step of the
/// whole.
fn end_of(children: &mut [Node]) -> End {
    let together = children.iter().all(|child| !matches!(child.end, End::Never));
    for child in children {
        if let End::Alone(component) = child.end {
            let parts = smallvec![Part { component, label: Some(LabelId::TICK) }];
            child.internal.push((Some(LabelId::TICK), parts));
        }
    }
    if together { End::Together } else { End::Never }
}
