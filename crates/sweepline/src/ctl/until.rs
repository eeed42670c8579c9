//! One fixpoint on a graph that somebody else has: what ASK-CTL asks.

use super::layer::Layer;
use super::normal::Normal;
use super::solve::{Known, Solver};
use super::{Along, Formula, Quantifier};
use crate::observe::Graph;

/// The nodes of a graph of so many `nodes` that satisfy `E[f U g]` or `A[f U g]`.
pub fn until(
    quantifier: Quantifier,
    mut graph: Graph<()>,
    f: impl Fn(usize) -> bool,
    g: impl Fn(usize) -> bool,
    nodes: usize,
) -> Vec<bool> {
    graph.grow(nodes);
    let mut layer = Layer { states: nodes, graph, ..Layer::new(0, 2) };
    for node in 0..nodes {
        for (atom, holds) in [f(node), g(node)].into_iter().enumerate() {
            if holds {
                layer.atoms[atom].add(node as u32);
            }
        }
    }
    let along = Along::Until(Formula::Atom(0), Formula::Atom(1));
    let formula = match quantifier {
        Quantifier::Exists => Formula::some(along),
        Quantifier::All => Formula::every(along),
    };
    let (mut normal, known) = (Normal::default(), Known::default());
    let root = normal.add(&formula);
    let all = vec![true; normal.nodes.len()];
    let mut solver = Solver::new(&layer, &known, &normal);
    solver.solve(&all, &all);
    (0..nodes as u32).map(|node| solver.at(root, node) == Some(true)).collect()
}
