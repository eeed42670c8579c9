//! Components of random graphs, compared with mutual reachability.

use proptest::collection::vec;
use proptest::prelude::*;

use super::graph::{Graph, strong_components, strong_components_where};

type Edge = (u32, u8, u32);

/// Which nodes are reachable from which, by repeated closure of the relation.
fn reachability(n: usize, edges: &[Edge]) -> Vec<Vec<bool>> {
    let mut reach: Vec<Vec<bool>> = (0..n).map(|i| (0..n).map(|j| i == j).collect()).collect();
    for _ in 0..n {
        for &(source, _, target) in edges.iter().filter(|e| e.2 != Graph::<u8>::OUT) {
            for row in &mut reach {
                row[target as usize] |= row[source as usize];
            }
        }
    }
    reach
}

fn edges_of() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    (1..12usize).prop_flat_map(|n| {
        let target = prop_oneof![8 => 0..n as u32, 1 => Just(Graph::<u8>::OUT)];
        (Just(n), vec((0..n as u32, 0..3u8, target), 0..3 * n))
    })
}

proptest! {
    #[test]
    fn are_the_classes_of_mutual_reachability((n, edges) in edges_of(), without in 0..4u8) {
        let graph = Graph::from_edges(n, &edges);
        let parts = strong_components_where(&graph, |_, label, _| *label != without);
        let kept: Vec<Edge> = edges.iter().copied().filter(|e| e.1 != without).collect();
        let reach = reachability(n, &kept);
        for (i, row) in reach.iter().enumerate() {
            for (j, reached) in row.iter().enumerate() {
                let together = parts.of(i as u32) == parts.of(j as u32);
                prop_assert_eq!(together, *reached && reach[j][i], "{} and {}", i, j);
                prop_assert!(!reached || parts.of(j as u32) <= parts.of(i as u32));
            }
        }
        let numbers: std::collections::BTreeSet<u32> = graph.nodes().map(|i| parts.of(i)).collect();
        prop_assert!(numbers.into_iter().eq(0..parts.len() as u32));
        let cyclic = parts.with_cycle(&graph, |_, label, _| *label != without);
        for i in 0..n as u32 {
            let returns = kept.iter().any(|&(source, _, target)| {
                let inside = target != Graph::<u8>::OUT && parts.of(source) == parts.of(target);
                inside && parts.of(source) == parts.of(i)
            });
            prop_assert_eq!(cyclic[parts.of(i) as usize], returns);
        }
    }

    #[test]
    fn a_graph_keeps_its_edges((n, edges) in edges_of()) {
        let graph = Graph::from_edges(n, &edges);
        prop_assert_eq!((graph.len(), graph.edge_count()), (n, edges.len()));
        for node in graph.nodes() {
            let own = edges.iter().filter(|e| e.0 == node).map(|e| (&e.1, e.2));
            prop_assert!(graph.edges(node).eq(own));
            prop_assert!(graph.targets(node).iter().copied().eq(graph.edges(node).map(|e| e.1)));
        }
    }
}

#[test]
fn a_million_nodes_in_a_row_need_no_call_stack() {
    let n = 1_000_000;
    let mut chain = Graph::default();
    (0..n - 1).for_each(|i| chain.push(i, (), i + 1));
    chain.grow(n as usize);
    assert_eq!(strong_components(&chain).len(), n as usize);
    let mut ring = chain.clone();
    ring.push(n - 1, (), 0);
    assert_eq!(strong_components(&ring).len(), 1);
}
