//! Graphs over numbered nodes, and their strongly connected components.

/// A directed graph over the nodes `0..n` with labelled edges, row by row.
///
/// Eight bytes per node, and four bytes plus a label per edge. An edge may leave the graph: its target is
/// [`OUT`](Graph::OUT).
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Graph<L> {
    /// Row `i` ends where row `i + 1` starts; the last entry is the number of edges.
    starts: Vec<usize>,
    targets: Vec<u32>,
    labels: Vec<L>,
}

impl<L: Clone> Default for Graph<L> {
    fn default() -> Self {
        Graph { starts: vec![0], targets: Vec::new(), labels: Vec::new() }
    }
}

impl<L: Clone> Graph<L> {
    /// The target of edges that leave the graph.
    pub const OUT: u32 = u32::MAX;
    /// The maximal number of nodes.
    pub const MOST_NODES: usize = u32::MAX as usize - 1;

    /// The graph over `0..nodes` with these edges (source, label, target), in any order. The edges of one
    /// source keep their order.
    ///
    /// # Panics
    ///
    /// If an edge names a node that does not exist.
    pub fn from_edges(nodes: usize, edges: &[(u32, L, u32)]) -> Self {
        assert!(nodes <= Self::MOST_NODES, "a graph of {nodes} nodes is too large");
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by_key(|&i| edges[i].0);
        let mut graph = Graph::default();
        for i in order {
            let (source, label, target) = edges[i].clone();
            assert!((target as usize) < nodes || target == Self::OUT, "no node {target}");
            graph.push(source, label, target);
        }
        graph.grow(nodes);
        assert_eq!(graph.len(), nodes, "an edge leaves a node that is not there");
        graph
    }

    /// Appends an edge. The rows before that of `source` are then complete.
    ///
    /// # Panics
    ///
    /// If `source` is less than that of an earlier edge.
    #[inline]
    pub fn push(&mut self, source: u32, label: L, target: u32) {
        let source = source as usize;
        assert!(source + 1 >= self.len(), "the edges of node {source} are complete");
        self.grow(source + 1);
        self.targets.push(target);
        self.labels.push(label);
        if let Some(end) = self.starts.last_mut() {
            *end = self.targets.len();
        }
    }

    /// Adds nodes without edges until there are `nodes`.
    #[inline]
    pub fn grow(&mut self, nodes: usize) {
        if nodes > self.len() {
            self.starts.resize(nodes + 1, self.targets.len());
        }
    }

    /// The number of nodes.
    #[inline]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of edges, including those that leave the graph.
    pub fn edge_count(&self) -> usize {
        self.targets.len()
    }

    /// The targets of the edges of `node`, in the order they were given.
    #[inline]
    pub fn targets(&self, node: u32) -> &[u32] {
        &self.targets[self.row(node)]
    }

    /// The edges of `node`, each a label and a target.
    #[inline]
    pub fn edges(&self, node: u32) -> impl Iterator<Item = (&L, u32)> + '_ {
        let row = self.row(node);
        self.labels[row.clone()].iter().zip(self.targets[row].iter().copied())
    }

    /// All nodes.
    pub fn nodes(&self) -> std::ops::Range<u32> {
        0..self.len() as u32
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<usize>()
            + self.targets.capacity() * size_of::<u32>()
            + self.labels.capacity() * size_of::<L>()
    }

    #[inline]
    fn row(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize]..self.starts[node as usize + 1]
    }
}

/// The strongly connected components of a graph.
///
/// They are numbered in reverse topological order: an edge from one component to another leads to a smaller
/// number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Components {
    of: Vec<u32>,
    count: usize,
}

impl Components {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The component of `node`.
    #[inline]
    pub fn of(&self, node: u32) -> u32 {
        self.of[node as usize]
    }

    /// For each component, whether it has a cycle: an edge inside it for which `counts` is true.
    pub fn with_cycle<L: Clone>(
        &self,
        graph: &Graph<L>,
        counts: impl Fn(u32, &L, u32) -> bool,
    ) -> Vec<bool> {
        let mut cyclic = vec![false; self.count];
        for node in graph.nodes() {
            let own = self.of(node);
            let inner = |(label, target): (&L, u32)| {
                target != Graph::<L>::OUT && self.of(target) == own && counts(node, label, target)
            };
            if !cyclic[own as usize] && graph.edges(node).any(inner) {
                cyclic[own as usize] = true;
            }
        }
        cyclic
    }
}

/// The strongly connected components of `graph`, in time linear in its nodes and edges.
pub fn strong_components<L: Clone>(graph: &Graph<L>) -> Components {
    strong_components_where(graph, |_, _, _| true)
}

/// The strongly connected components of `graph` with only those edges (source, label, target) for which
/// `counts` is true.
pub fn strong_components_where<L: Clone>(
    graph: &Graph<L>,
    mut counts: impl FnMut(u32, &L, u32) -> bool,
) -> Components {
    let mut search = Tarjan {
        marks: vec![UNSEEN; graph.len()],
        next: 1,
        done: graph.len() as u32,
        path: Vec::new(),
        waiting: Vec::new(),
    };
    for root in graph.nodes() {
        if search.marks[root as usize] == UNSEEN {
            search.enter(root, graph.row(root).start);
            while !search.path.is_empty() {
                search.step(graph, &mut counts);
            }
        }
    }
    let (n, count) = (graph.len() as u32, graph.len() as u32 - search.done);
    let mut of = search.marks;
    of.iter_mut().for_each(|mark| *mark = n - *mark);
    Components { of, count: count as usize }
}

const UNSEEN: u32 = 0;

/// Tarjan's algorithm in the form of Pearce (*A space-efficient algorithm for finding strongly connected
/// components*, 2016), with an explicit stack instead of recursion.
///
/// A node of an incomplete component is marked with the least index that it is known to reach, counted
/// upwards from one. A node of a complete component is marked with the component, counted downwards from `n`.
/// The two ranges never overlap, because a complete component releases an index for each of its nodes.
struct Tarjan {
    marks: Vec<u32>,
    next: u32,
    done: u32,
    /// The nodes being searched.
    path: Vec<Frame>,
    /// Visited nodes whose component is not complete.
    waiting: Vec<u32>,
}

struct Frame {
    node: u32,
    /// No node reached so far has a smaller index.
    is_root: bool,
    edge: usize,
}

impl Tarjan {
    fn enter(&mut self, node: u32, edge: usize) {
        self.marks[node as usize] = self.next;
        self.next += 1;
        self.path.push(Frame { node, is_root: true, edge });
    }

    /// Follows one edge of the last node of the path, or leaves the node.
    #[inline]
    fn step<L: Clone>(&mut self, graph: &Graph<L>, counts: &mut impl FnMut(u32, &L, u32) -> bool) {
        let Some(frame) = self.path.last_mut() else { return };
        let (node, end) = (frame.node, graph.row(frame.node).end);
        while frame.edge < end {
            let (label, target) = (&graph.labels[frame.edge], graph.targets[frame.edge]);
            if target == Graph::<L>::OUT || !counts(node, label, target) {
                frame.edge += 1;
                continue;
            }
            let mark = self.marks[target as usize];
            if mark == UNSEEN {
                // The edge is examined again when its target is finished.
                return self.enter(target, graph.row(target).start);
            }
            if mark < self.marks[node as usize] {
                self.marks[node as usize] = mark;
                frame.is_root = false;
            }
            frame.edge += 1;
        }
        self.leave();
    }

    fn leave(&mut self) {
        let Some(Frame { node, is_root, .. }) = self.path.pop() else { return };
        if !is_root {
            self.waiting.push(node);
            return;
        }
        let mark = self.marks[node as usize];
        while let Some(member) = self.waiting.pop_if(|w| mark <= self.marks[*w as usize]) {
            self.marks[member as usize] = self.done;
            self.next -= 1;
        }
        self.marks[node as usize] = self.done;
        self.next -= 1;
        self.done -= 1;
    }
}
