//! Random LTL formulas, and a naive decision procedure for them.

use std::collections::VecDeque;

use proptest::prelude::*;
use sweepline::formula::Along::{
    self, Finally, Globally, Next, Release, StrongRelease, Until, WeakUntil,
};
use sweepline::ltl::Formula;

use crate::Graph;

/// Random formulas over the atoms `0..atoms`, of at most about `size` parts.
pub fn formulas(atoms: u32, size: u32) -> impl Strategy<Value = Formula<u32>> {
    let leaf = prop_oneof![
        12 => (0..atoms).prop_map(Formula::Atom),
        1 => Just(Formula::True),
        1 => Just(Formula::False),
    ];
    leaf.prop_recursive(5, size, 2, |inner| {
        let two = (inner.clone(), inner.clone(), 0..8u8);
        prop_oneof![
            (inner, 0..4u8).prop_map(|(f, kind)| match kind {
                0 => f.not(),
                1 => f.next(),
                2 => f.eventually(),
                _ => f.always(),
            }),
            two.prop_map(|(f, g, kind)| match kind {
                0 => f.and(g),
                1 => f.or(g),
                2 => f.implies(g),
                3 => f.iff(g),
                4 => f.until(g),
                5 => f.releases(g),
                6 => f.weakly_until(g),
                _ => f.strongly_releases(g),
            }),
        ]
    })
}

/// The atoms that are true for a letter of a [`Graph`], as bits: two for the state, two for the action, and whether the
/// second action is enabled.
pub fn letter(graph: &Graph, state: usize, action: Option<usize>) -> u64 {
    u64::from(state & 1 == 1)
        | u64::from(state.is_multiple_of(3)) << 1
        | u64::from(action == Some(0)) << 2
        | u64::from(action.is_some_and(|action| action % 2 == 1)) << 3
        | u64::from(graph.edges[state].len() > 1) << 4
}

/// Fairness assumptions on actions, by number.
#[derive(Clone, Debug, Default)]
pub struct Fair {
    /// Disabled or taken infinitely often.
    pub weak: Vec<usize>,
    /// Taken infinitely often, if enabled infinitely often.
    pub strong: Vec<usize>,
}

/// A letter of the graph with a guess of the value of each temporal subformula from there on.
struct Node {
    state: usize,
    action: Option<usize>,
    target: usize,
    /// The values of all subformulas, in the order of [`Parts`].
    values: Vec<bool>,
}

/// All subformulas of a formula, inner ones first; the two numbers are the operands.
struct Parts<'f>(Vec<(&'f Formula<u32>, [usize; 2])>);

impl<'f> Parts<'f> {
    fn add(&mut self, formula: &'f Formula<u32>) -> usize {
        let below = formula.parts().map(|part| part.map_or(0, |part| self.add(part)));
        self.0.push((formula, below));
        self.0.len() - 1
    }

    fn temporal(&self) -> usize {
        self.0.iter().filter(|(f, _)| along(f).is_some()).count()
    }

    /// The values of all subformulas for a letter and a guess for the temporal ones.
    fn values(&self, letter: u64, guess: usize) -> Vec<bool> {
        let (mut values, mut guess) = (Vec::<bool>::new(), guess);
        for (formula, [f, g]) in &self.0 {
            let at = |i: &usize| values[*i];
            let value = match formula {
                Formula::True => true,
                Formula::False => false,
                Formula::Atom(atom) => letter >> atom & 1 == 1,
                Formula::Not(_) => !at(f),
                Formula::And(..) => at(f) && at(g),
                Formula::Or(..) => at(f) || at(g),
                Formula::Implies(..) => !at(f) || at(g),
                Formula::Iff(..) => at(f) == at(g),
                _ => {
                    let value = guess & 1 == 1;
                    guess >>= 1;
                    value
                }
            };
            values.push(value);
        }
        values
    }

    /// Whether the guesses of two consecutive letters are consistent.
    fn fit(&self, now: &[bool], then: &[bool]) -> bool {
        self.0.iter().enumerate().all(|(i, (formula, [f, g]))| {
            let Some(along) = along(formula) else { return true };
            let next = then[i];
            let must = match along {
                Next(_) => then[*f],
                Finally(_) => now[*f] || next,
                Globally(_) => now[*f] && next,
                Until(..) | WeakUntil(..) => now[*g] || (now[*f] && next),
                Release(..) | StrongRelease(..) => now[*g] && (now[*f] || next),
            };
            now[i] == must
        })
    }

    /// For each subformula that could be delayed forever, whether it is fulfilled here.
    fn settled(&self, now: &[bool]) -> Vec<bool> {
        let each = self.0.iter().enumerate();
        let each = each.filter_map(|(i, (formula, [f, g]))| match along(formula)? {
            Finally(_) => Some(!now[i] || now[*f]),
            Globally(_) => Some(now[i] || !now[*f]),
            Until(..) => Some(!now[i] || now[*g]),
            WeakUntil(..) => Some(now[i] || !(now[*f] || now[*g])),
            Release(..) => Some(now[i] || !now[*g]),
            StrongRelease(..) => Some(!now[i] || (now[*f] && now[*g])),
            Next(_) => None,
        });
        each.collect()
    }
}

/// The temporal operator of the formula, if its outermost operator is one.
fn along(formula: &Formula<u32>) -> Option<&Along<Formula<u32>>> {
    match formula {
        Formula::Runs((), along) => Some(along),
        _ => None,
    }
}

/// Whether some fair path of `graph` violates `formula`, by guessing the value of every subformula at every
/// letter (Lichtenstein and Pnueli 1985); `None` if there are too many.
pub fn is_violated(graph: &Graph, formula: &Formula<u32>, fair: &Fair) -> Option<bool> {
    let mut parts = Parts(Vec::new());
    let root = parts.add(formula);
    if parts.temporal() > 5 {
        return None;
    }
    let mut nodes = Vec::new();
    for state in 0..graph.edges.len() {
        let steps = graph.edges[state].iter().enumerate().map(|(action, &to)| (Some(action), to));
        let mut steps: Vec<(Option<usize>, usize)> = steps.collect();
        if steps.is_empty() {
            steps.push((None, state));
        }
        for (action, target) in steps {
            for guess in 0..1 << parts.temporal() {
                let values = parts.values(letter(graph, state, action), guess);
                nodes.push(Node { state, action, target, values });
            }
        }
    }
    // For each subset of the strongly fair actions: those in it are taken infinitely often, the others are
    // disabled from some point on.
    Some((0..1usize << fair.strong.len()).any(|taken| {
        let enabled = |state: usize, action: usize| action < graph.edges[state].len();
        let obeys = |node: &Node| {
            let each = fair.strong.iter().enumerate();
            each.filter(|(i, _)| taken >> i & 1 == 0).all(|(_, &a)| !enabled(node.state, a))
        };
        let met = |node: &Node| {
            let mut met = parts.settled(&node.values);
            for &action in &fair.weak {
                met.push(!enabled(node.state, action) || node.action == Some(action));
            }
            for (i, &action) in fair.strong.iter().enumerate() {
                met.push(taken >> i & 1 == 0 || node.action == Some(action));
            }
            met
        };
        let starts = |node: &Node| node.state < graph.starts && !node.values[root];
        let follows = |a: &Node, b: &Node| a.target == b.state && parts.fit(&a.values, &b.values);
        has_cycle(&nodes, starts, follows, obeys, met)
    }))
}

/// Whether a node that is reachable from a start lies on a closed walk of allowed nodes that together meet
/// all requirements.
fn has_cycle(
    nodes: &[Node],
    starts: impl Fn(&Node) -> bool,
    follows: impl Fn(&Node, &Node) -> bool,
    obeys: impl Fn(&Node) -> bool,
    met: impl Fn(&Node) -> Vec<bool>,
) -> bool {
    let next: Vec<Vec<usize>> = nodes
        .iter()
        .map(|a| (0..nodes.len()).filter(|&b| follows(a, &nodes[b])).collect())
        .collect();
    let first: Vec<usize> = (0..nodes.len()).filter(|&n| starts(&nodes[n])).collect();
    let reached = closure(&next, first, |_| true);
    let obeying: Vec<bool> = nodes.iter().map(obeys).collect();
    let mut left: Vec<bool> = (0..nodes.len()).map(|n| reached[n] && obeying[n]).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (a, targets) in next.iter().enumerate() {
        targets.iter().for_each(|&b| before[b].push(a));
    }
    while let Some(node) = left.iter().position(|&is| is) {
        let forth = closure(&next, next[node].clone(), |n| left[n]);
        let back = closure(&before, before[node].clone(), |n| left[n]);
        let together: Vec<usize> = (0..nodes.len()).filter(|&n| forth[n] && back[n]).collect();
        if forth[node] {
            let all: Vec<Vec<bool>> = together.iter().map(|&n| met(&nodes[n])).collect();
            if (0..all[0].len()).all(|set| all.iter().any(|met| met[set])) {
                return true;
            }
        }
        left[node] = false;
        together.into_iter().for_each(|n| left[n] = false);
    }
    false
}

fn closure(next: &[Vec<usize>], from: Vec<usize>, allowed: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; next.len()];
    let mut queue: VecDeque<usize> = from.into();
    while let Some(node) = queue.pop_front() {
        if allowed(node) && !reached[node] {
            reached[node] = true;
            queue.extend(&next[node]);
        }
    }
    reached
}
