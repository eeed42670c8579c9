//! Translates a formula to an automaton. A node is a set of obligations for the rest of the word.

use std::collections::HashMap;

use super::automaton::{Automaton, Edge, TooLarge};
use super::normal::{FALSE, Id, TRUE, Term, Terms};

/// The most nodes before nodes are merged.
const NODES: usize = 5_000;
/// The most alternatives to satisfy a set of obligations.
const WAYS: usize = 5_000;

/// One alternative to satisfy obligations: literals for this letter, obligations for the rest of the word, and the untils
/// that are postponed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Way {
    positive: u64,
    negative: u64,
    promises: u64,
    /// Sorted.
    later: Vec<Id>,
}

impl Way {
    /// This allows every word that `other` allows.
    fn allows(&self, other: &Way) -> bool {
        self.positive & !other.positive == 0
            && self.negative & !other.negative == 0
            && self.promises & !other.promises == 0
            && self.later.iter().all(|id| other.later.binary_search(id).is_ok())
    }

    /// The conjunction; `None` if it is a contradiction.
    fn with(&self, other: &Way) -> Option<Way> {
        let (positive, negative) = (self.positive | other.positive, self.negative | other.negative);
        let mut later: Vec<Id> = self.later.iter().chain(&other.later).copied().collect();
        later.sort_unstable();
        later.dedup();
        let promises = self.promises | other.promises;
        (positive & negative == 0).then_some(Way { positive, negative, promises, later })
    }
}

struct Tableau<'t> {
    terms: &'t mut Terms,
    ways: HashMap<Id, Vec<Way>>,
    /// The acceptance set of each until.
    sets: HashMap<Id, u32>,
}

/// The automaton of the words that satisfy `root`.
pub(super) fn automaton(terms: &mut Terms, root: Id) -> Result<Automaton, TooLarge> {
    let mut tableau = Tableau { terms, ways: HashMap::new(), sets: HashMap::new() };
    let start = tableau.obligations(root);
    let mut names = HashMap::from([(start.clone(), 0)]);
    let mut waiting = vec![start];
    let mut nodes: Vec<Vec<(Way, u32)>> = Vec::new();
    let mut next = 0;
    while let Some(set) = waiting.get(next).cloned() {
        next += 1;
        let mut edges = Vec::new();
        for way in tableau.ways_of(&set)? {
            let later = tableau.without_implied(way.later.clone());
            let number = names.len() as u32;
            let target = *names.entry(later.clone()).or_insert_with(|| {
                waiting.push(later);
                number
            });
            edges.push((way, target));
        }
        if names.len() > NODES {
            return Err(TooLarge::Nodes(NODES));
        }
        nodes.push(edges);
    }
    let sets = tableau.sets.len() as u32;
    let all = if sets == 64 { u64::MAX } else { (1 << sets) - 1 };
    let edge = |(way, target): &(Way, u32)| Edge {
        target: *target,
        marks: all & !way.promises,
        positive: way.positive,
        negative: way.negative,
    };
    Ok(Automaton {
        nodes: nodes.iter().map(|ways| ways.iter().map(edge).collect()).collect(),
        sets,
    })
}

impl Tableau<'_> {
    /// The conjuncts of a term.
    fn obligations(&self, id: Id) -> Vec<Id> {
        match self.terms.get(id) {
            Term::True => Vec::new(),
            Term::And(parts) => parts.clone(),
            _ => vec![id],
        }
    }

    /// Removes obligations that a `G` of the same set implies.
    fn without_implied(&self, mut set: Vec<Id>) -> Vec<Id> {
        let mut implied = Vec::new();
        for &id in &set {
            if let Term::Release(FALSE, inner) = self.terms.get(id) {
                implied.extend(self.obligations(*inner).into_iter().filter(|&part| part != id));
            }
        }
        set.retain(|id| !implied.contains(id));
        set
    }

    fn ways_of(&mut self, set: &[Id]) -> Result<Vec<Way>, TooLarge> {
        let mut ways = vec![Way::default()];
        for &id in set {
            let own = self.ways(id)?;
            ways = both(&ways, &own)?;
        }
        Ok(ways)
    }

    fn ways(&mut self, id: Id) -> Result<Vec<Way>, TooLarge> {
        if let Some(known) = self.ways.get(&id) {
            return Ok(known.clone());
        }
        let mut later = Way { later: vec![id], ..Way::default() };
        let ways = match self.terms.get(id).clone() {
            Term::True => vec![Way::default()],
            Term::False => Vec::new(),
            Term::Literal { atom, positive: true } => {
                vec![Way { positive: 1 << atom, ..Way::default() }]
            }
            Term::Literal { atom, positive: false } => {
                vec![Way { negative: 1 << atom, ..Way::default() }]
            }
            Term::And(parts) => self.ways_of(&parts)?,
            Term::Or(parts) => {
                let mut ways = Vec::new();
                for part in parts {
                    ways.extend(self.ways(part)?);
                }
                pruned(ways)
            }
            Term::Next(inner) => {
                vec![Way { later: self.obligations(inner), ..Way::default() }]
            }
            Term::Until(f, g) => {
                let number = self.sets.len() as u32;
                let set = *self.sets.entry(id).or_insert(number);
                if set >= 64 {
                    return Err(TooLarge::Sets(64));
                }
                later.promises = 1 << set;
                let mut ways = self.ways(g)?;
                ways.extend(both(&self.ways(f)?, &[later])?);
                pruned(ways)
            }
            Term::Release(f, g) => {
                let mut first = if f == FALSE { Vec::new() } else { self.ways(f)? };
                first.push(later);
                both(&self.ways(g)?, &first)?
            }
        };
        debug_assert!(id != TRUE || ways.len() == 1, "true asks for nothing");
        self.ways.insert(id, ways.clone());
        Ok(ways)
    }
}

fn both(first: &[Way], second: &[Way]) -> Result<Vec<Way>, TooLarge> {
    if first.len() * second.len() > 16 * WAYS {
        return Err(TooLarge::Nodes(NODES));
    }
    let pairs = first.iter().flat_map(|a| second.iter().filter_map(|b| a.with(b)));
    let ways = pruned(pairs.collect());
    if ways.len() > WAYS { Err(TooLarge::Nodes(NODES)) } else { Ok(ways) }
}

/// Removes the alternatives that another one subsumes.
fn pruned(ways: Vec<Way>) -> Vec<Way> {
    let mut kept: Vec<Way> = Vec::with_capacity(ways.len());
    for way in ways {
        if !kept.iter().any(|other| other.allows(&way)) {
            kept.retain(|other| !way.allows(other));
            kept.push(way);
        }
    }
    kept
}
