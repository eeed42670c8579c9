//! Smaller automata that accept the same words.

use super::automaton::{Automaton, Edge};
use crate::observe::{Components, Graph, strong_components};

/// Larger automata are not compared by simulation.
const COMPARED: usize = 400;

/// Applies all simplifications until nothing changes.
pub(super) fn simplified(mut automaton: Automaton) -> Automaton {
    loop {
        let before = automaton.clone();
        only_useful(&mut automaton);
        fewer_sets(&mut automaton);
        if automaton.nodes.len() <= COMPARED {
            merge_similar(&mut automaton);
        }
        if automaton == before {
            return automaton;
        }
    }
}

fn graph_of(automaton: &Automaton) -> Graph<u64> {
    let mut graph = Graph::default();
    for (node, edges) in (0..).zip(&automaton.nodes) {
        edges.iter().for_each(|edge| graph.push(node, edge.marks, edge.target));
    }
    graph.grow(automaton.nodes.len());
    graph
}

/// For each component the sets that its edges lie in; `None` if it has no cycle.
fn marks_within(automaton: &Automaton, components: &Components) -> Vec<Option<u64>> {
    let mut marks = vec![None; components.len()];
    for (node, edges) in (0..).zip(&automaton.nodes) {
        let own = components.of(node);
        for edge in edges.iter().filter(|edge| components.of(edge.target) == own) {
            *marks[own as usize].get_or_insert(0) |= edge.marks;
        }
    }
    marks
}

/// Keeps the edges that can reach an accepting component, and the marks of edges within accepting components.
fn only_useful(automaton: &mut Automaton) {
    let components = strong_components(&graph_of(automaton));
    let marks = marks_within(automaton, &components);
    let accepting = |component: u32| marks[component as usize] == Some(automaton.all_sets());
    // An edge between components leads to a lower number.
    let mut useful: Vec<bool> = (0..components.len() as u32).map(accepting).collect();
    let mut order: Vec<u32> = (0..automaton.nodes.len() as u32).collect();
    order.sort_by_key(|&node| components.of(node));
    for &node in &order {
        let leads = |edge: &Edge| useful[components.of(edge.target) as usize];
        if automaton.nodes[node as usize].iter().any(leads) {
            useful[components.of(node) as usize] = true;
        }
    }
    let matters: Vec<bool> = (0..components.len() as u32).map(accepting).collect();
    for (node, edges) in (0..).zip(&mut automaton.nodes) {
        let own = components.of(node);
        edges.retain(|edge| useful[components.of(edge.target) as usize]);
        for edge in edges.iter_mut() {
            if components.of(edge.target) != own || !matters[own as usize] {
                edge.marks = 0;
            }
        }
    }
    renumber(automaton);
}

/// Numbers the nodes in the order in which they are reached from the initial one, and removes the others.
fn renumber(automaton: &mut Automaton) {
    let mut names = vec![None; automaton.nodes.len()];
    let mut met = vec![0u32];
    names[0] = Some(0);
    let mut next = 0;
    while let Some(&node) = met.get(next) {
        next += 1;
        automaton.nodes[node as usize].sort_unstable();
        automaton.nodes[node as usize].dedup();
        for edge in &automaton.nodes[node as usize] {
            if names[edge.target as usize].is_none() {
                names[edge.target as usize] = Some(met.len() as u32);
                met.push(edge.target);
            }
        }
    }
    let renamed = |edge: &Edge| Edge { target: names[edge.target as usize].unwrap_or(0), ..*edge };
    let edges = |&node: &u32| {
        let mut edges: Vec<Edge> = automaton.nodes[node as usize].iter().map(renamed).collect();
        edges.sort_unstable();
        edges
    };
    automaton.nodes = met.iter().map(edges).collect();
}

/// Removes an acceptance set that is met whenever another one is, or on every cycle.
fn fewer_sets(automaton: &mut Automaton) {
    let components = strong_components(&graph_of(automaton));
    let mut within: Vec<u64> = Vec::new();
    for (node, edges) in (0..).zip(&automaton.nodes) {
        let inner = edges.iter().filter(|edge| components.of(edge.target) == components.of(node));
        within.extend(inner.map(|edge| edge.marks));
    }
    let has = |marks: u64, set: u32| marks >> set & 1 == 1;
    let mut kept: Vec<u32> = (0..automaton.sets).collect();
    for set in 0..automaton.sets {
        let implies = |other: u32| within.iter().all(|&m| !has(m, other) || has(m, set));
        let always = within.iter().all(|&marks| has(marks, set));
        if always || kept.iter().any(|&other| other != set && implies(other)) {
            kept.retain(|&other| other != set);
        }
    }
    let renumbered = |marks: u64| {
        (0..).zip(&kept).fold(0, |new, (to, &from)| new | u64::from(has(marks, from)) << to)
    };
    for edge in automaton.nodes.iter_mut().flatten() {
        edge.marks = renumbered(edge.marks);
    }
    automaton.sets = kept.len() as u32;
}

/// Merges nodes that simulate each other, and removes edges that a simulating edge replaces.
fn merge_similar(automaton: &mut Automaton) {
    let n = automaton.nodes.len();
    let simulates = simulation(automaton);
    // The least node of each class represents it.
    let class: Vec<u32> = (0..n)
        .map(|a| (0..n).find(|&b| simulates[a][b] && simulates[b][a]).unwrap_or(a) as u32)
        .collect();
    for edges in &mut automaton.nodes {
        edges.iter_mut().for_each(|edge| edge.target = class[edge.target as usize]);
        edges.sort_unstable();
        edges.dedup();
        let covers = |strong: &Edge, weak: &Edge| {
            strong != weak
                && strong.reads_all_of(weak)
                && weak.marks & !strong.marks == 0
                && simulates[strong.target as usize][weak.target as usize]
        };
        let all = edges.clone();
        edges.retain(|weak| !all.iter().any(|strong| covers(strong, weak)));
    }
    renumber(automaton);
}

/// `[a][b]`: `a` simulates `b`, edge by edge with at least its marks.
fn simulation(automaton: &Automaton) -> Vec<Vec<bool>> {
    let nodes = &automaton.nodes;
    let mut simulates = vec![vec![true; nodes.len()]; nodes.len()];
    loop {
        let mut changed = false;
        for a in 0..nodes.len() {
            for b in 0..nodes.len() {
                let answers = |weak: &Edge, strong: &Edge| {
                    strong.reads_all_of(weak)
                        && weak.marks & !strong.marks == 0
                        && simulates[strong.target as usize][weak.target as usize]
                };
                if simulates[a][b]
                    && !nodes[b].iter().all(|weak| nodes[a].iter().any(|s| answers(weak, s)))
                {
                    simulates[a][b] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return simulates;
        }
    }
}
