//! Random labelled graphs, as nets: one token whose colour is the node.

use std::fmt::Write;

use proptest::prelude::*;
use sweepline_cpn::{CpnModel, Limits, Net, Options, read_cpnt_bytes};

/// Labelled edges over the nodes `0..nodes`; node 0 is initial. A node's level never decreases along an edge.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) nodes: usize,
    pub(super) labels: usize,
    pub(super) levels: Vec<usize>,
    /// Source, label, target; each once.
    pub(super) edges: Vec<(usize, usize, usize)>,
}

/// A random graph.
pub(super) fn graph() -> impl Strategy<Value = Graph> {
    (1..8usize, 1..4usize).prop_flat_map(|(nodes, labels)| {
        let levels = prop::collection::vec(0..3usize, nodes);
        let edge = (0..nodes, 0..labels, 0..nodes);
        (levels, prop::collection::vec(edge, 0..2 * nodes + 2)).prop_map(
            move |(mut levels, mut edges)| {
                levels.sort_unstable();
                edges.retain(|(from, _, to)| levels[*from] <= levels[*to]);
                edges.sort_unstable();
                edges.dedup();
                Graph { nodes, labels, levels, edges }
            },
        )
    })
}

impl Graph {
    /// The net, whose markings are the nodes that can be reached.
    pub(super) fn model(&self) -> CpnModel {
        let mut text = format!("colset NODE = int with 0..{};\nvar n, m : NODE;\n", self.nodes - 1);
        for label in 0..self.labels {
            let _ = writeln!(text, "fun next{label} n = case n of");
            for node in 0..self.nodes {
                let targets =
                    self.edges.iter().filter(|(from, own, _)| (*from, *own) == (node, label));
                let targets: Vec<String> = targets.map(|(_, _, to)| to.to_string()).collect();
                let _ = writeln!(text, "  {node} => [{}] |", targets.join(","));
            }
            text.push_str("  _ => [];\n");
        }
        text.push_str("page P\n  place S : NODE = 1`0\n");
        for label in 0..self.labels {
            let _ = write!(
                text,
                "  transition t{label}\n    guard mem (next{label} n) m\n    in S: n\n    out S: m\n"
            );
        }
        let file = read_cpnt_bytes("graph.cpnt", text.as_bytes(), &Limits::default());
        let net = Net::load(&file.unwrap_or_else(|e| panic!("{e}\n{text}")), &Options::default());
        let net = net.unwrap_or_else(|e| panic!("{e}\n{text}"));
        CpnModel::new(&net, sweepline_ml::Limits::default()).unwrap()
    }

    /// For each pair of nodes, whether a non-empty path of counted edges leads from one to the other.
    pub(super) fn paths(&self, counts: impl Fn(usize, usize, usize) -> bool) -> Vec<Vec<bool>> {
        let mut leads = vec![vec![false; self.nodes]; self.nodes];
        for &(from, label, to) in &self.edges {
            leads[from][to] |= counts(from, label, to);
        }
        for via in 0..self.nodes {
            for from in 0..self.nodes {
                for to in 0..self.nodes {
                    leads[from][to] |= leads[from][via] && leads[via][to];
                }
            }
        }
        leads
    }

    /// The graph restricted to reachable nodes.
    pub(super) fn reached(&self) -> (Vec<usize>, Graph) {
        let paths = self.paths(|_, _, _| true);
        let is_reached = |node: &usize| *node == 0 || paths[0][*node];
        let nodes: Vec<usize> = (0..self.nodes).filter(is_reached).collect();
        let mut graph = self.clone();
        graph.edges.retain(|(from, _, _)| is_reached(from));
        (nodes, graph)
    }

    /// The measure by levels, for scripts.
    pub(super) fn measure(&self) -> String {
        let levels: Vec<String> = self.levels.iter().map(ToString::to_string).collect();
        format!(
            "fun node M = hd (SLMark.P'S 1 M);
             val sweep = {{PM = fn M => IntInf.fromInt (List.nth ([{}], node M)), GC = 0, Secs = 0,
                          Logfile = NONE}};",
            levels.join(",")
        )
    }
}
