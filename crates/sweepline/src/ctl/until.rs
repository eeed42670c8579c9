//! A single fixpoint on an explicit graph, for ASK-CTL.

use super::layer::Layer;
use super::normal::Normal;
use super::solve::{Known, Solver};
use super::{Along, Formula, Quantifier};
use crate::observe::Graph;

/// For each node of a graph, which has this number of `nodes`, whether it satisfies `E[f U g]` or `A[f U g]`.
pub fn until(
    quantifier: Quantifier,
    mut graph: Graph<()>,
    f: impl Fn(usize) -> bool,
    g: impl Fn(usize) -> bool,
    nodes: usize,
) -> Vec<bool> {
    graph.grow(nodes);
    let set = |holds: &dyn Fn(usize) -> bool| (0..nodes).filter(|&node| holds(node)).collect();
    let layer = Layer { states: nodes, graph, atoms: vec![set(&f), set(&g)], ..Layer::default() };
    let formula = Formula::runs(quantifier, Along::Until(Formula::Atom(0), Formula::Atom(1)));
    let (mut normal, known) = (Normal::default(), Known::default());
    let root = normal.add(&formula);
    let all = vec![true; normal.nodes.len()];
    let mut solver = Solver::new(&layer, &known, &normal);
    solver.solve(&all, &all);
    (0..nodes as u32).map(|node| solver.at(root, node) == Some(true)).collect()
}
