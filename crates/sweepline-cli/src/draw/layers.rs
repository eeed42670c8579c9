//! Where the nodes of a drawing go: in layers, so that edges lead downwards.
//!
//! The steps are those of Sugiyama, Tagawa and Toda (1981): edges that close a cycle are turned
//! round, nodes get ranks, long edges a point on every rank between, orders on ranks are improved
//! by the means of neighbours, and then places. Labels of edges are points with a size on ranks of their own.

use std::collections::VecDeque;

use sweepline::observe::{Graph, strong_components};

/// Between neighbours on a rank.
const GAP: f64 = 22.0;
/// Between ranks.
const RISE: f64 = 22.0;
/// The straight piece at both ends of an edge. It is longer than an arrowhead, so the head points along the edge.
const STRAIGHT: f64 = 11.0;
/// How often orders and places are improved.
const ROUNDS: usize = 12;
/// The part of a wide drawing that a reader sees first.
const FIRST_SCREEN: f64 = 900.0;

/// Width and height.
pub(crate) type Size = (f64, f64);
/// To the right, and downwards.
pub(crate) type Point = (f64, f64);

/// An edge to place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// The number of the node it leaves.
    pub(crate) source: usize,
    /// The number of the node it comes to; another.
    pub(crate) target: usize,
    /// The size of its label.
    pub(crate) label: Size,
}

/// Where everything is.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The centres of the nodes.
    pub(crate) nodes: Vec<Point>,
    /// The points that each edge goes through, from source to target; all but the ends are on ranks.
    pub(crate) lines: Vec<Vec<Point>>,
    /// The centres of the labels.
    pub(crate) labels: Vec<Point>,
    /// Of all.
    pub(crate) size: Size,
}

/// Places nodes of these sizes. The node `first` is above the others in its component, and in the part of the
/// drawing that a reader sees first.
pub(crate) fn place(nodes: &[Size], lines: &[Line], first: Option<usize>) -> Layout {
    let downward = downward(nodes.len(), lines, first);
    let rank = ranks(nodes.len(), &downward);
    let mut net = Net::new(nodes, lines, &downward, &rank);
    net.order();
    net.straighten();
    if let Some(first) = first {
        net.move_to_first_screen(first, rank[first]);
    }
    net.align_left();
    net.layout(nodes, lines, &downward)
}

/// The ends of each line, the upper first: within a component, lines lead away from the node visited first.
fn downward(n: usize, lines: &[Line], first: Option<usize>) -> Vec<(usize, usize)> {
    let edges = lines.iter().map(|line| (line.source as u32, (), line.target as u32));
    let graph = Graph::from_edges(n, &edges.collect::<Vec<_>>());
    let component = strong_components(&graph);
    let visit = visits(&graph, lines, first);
    let ends = |line: &Line| {
        let (source, target) = (line.source, line.target);
        let is_inner = component.of(source as u32) == component.of(target as u32);
        let turned = is_inner && visit[source] > visit[target];
        if turned { (target, source) } else { (source, target) }
    };
    lines.iter().map(ends).collect()
}

/// When each node is visited, breadth first: from `first`, from nodes without predecessors, then from the others.
fn visits(graph: &Graph<()>, lines: &[Line], first: Option<usize>) -> Vec<usize> {
    let n = graph.len();
    let (mut visit, mut n_visits) = (vec![usize::MAX; n], 0);
    let mut is_root = vec![true; n];
    lines.iter().for_each(|line| is_root[line.target] = false);
    let roots = first.into_iter().chain((0..n).filter(|&node| is_root[node])).collect();
    let mut waiting: VecDeque<usize> = VecDeque::new();
    for group in std::iter::once(roots).chain((0..n).map(|node| vec![node])) {
        waiting.extend(group);
        while let Some(node) = waiting.pop_front() {
            if visit[node] == usize::MAX {
                visit[node] = n_visits;
                n_visits += 1;
                waiting.extend(graph.targets(node as u32).iter().map(|&target| target as usize));
            }
        }
    }
    visit
}

/// The length of the longest path to each node; a node without predecessors is right above its highest successor.
fn ranks(n: usize, ends: &[(usize, usize)]) -> Vec<usize> {
    let (mut out, mut n_in) = (vec![Vec::new(); n], vec![0usize; n]);
    for &(upper, lower) in ends {
        out[upper].push(lower);
        n_in[lower] += 1;
    }
    let is_root: Vec<bool> = n_in.iter().map(|&n| n == 0).collect();
    let mut ready: VecDeque<usize> = (0..n).filter(|&node| n_in[node] == 0).collect();
    let mut rank = vec![0; n];
    while let Some(node) = ready.pop_front() {
        for &lower in &out[node] {
            rank[lower] = rank[lower].max(rank[node] + 1);
            n_in[lower] -= 1;
            if n_in[lower] == 0 {
                ready.push_back(lower);
            }
        }
    }
    for node in (0..n).filter(|&node| is_root[node]) {
        if let Some(next) = out[node].iter().map(|&lower| rank[lower]).min() {
            rank[node] = next - 1;
        }
    }
    rank
}

/// Nodes, labels, and the points of long edges.
#[derive(Default)]
struct Net {
    /// The points on each rank, from left to right.
    ranks: Vec<Vec<usize>>,
    widths: Vec<f64>,
    heights: Vec<f64>,
    /// Neighbours on the rank above and on the rank below.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    x: Vec<f64>,
    /// The points of each edge, from the upper end.
    chains: Vec<Vec<usize>>,
    /// Which point of each edge has the label.
    labelled: Vec<usize>,
    n_nodes: usize,
}

impl Net {
    fn new(nodes: &[Size], lines: &[Line], ends: &[(usize, usize)], rank: &[usize]) -> Self {
        let n_ranks = rank.iter().max().map_or(0, |last| 2 * last + 1);
        let ranks = vec![Vec::new(); n_ranks];
        let mut net = Net { ranks, n_nodes: nodes.len(), ..Net::default() };
        for (node, &size) in nodes.iter().enumerate() {
            net.point(2 * rank[node], size);
        }
        for (line, &(upper, lower)) in lines.iter().zip(ends) {
            let (first, last) = (2 * rank[upper] + 1, 2 * rank[lower] - 1);
            // Beside where the edge leaves.
            let labelled = if upper == line.source { first } else { last };
            let mut chain = vec![upper];
            for rank in first..=last {
                let size = if rank == labelled { line.label } else { (0.0, 0.0) };
                let point = net.point(rank, size);
                if rank == labelled {
                    net.labelled.push(point);
                }
                chain.push(point);
            }
            chain.push(lower);
            for pair in chain.windows(2) {
                net.below[pair[0]].push(pair[1]);
                net.above[pair[1]].push(pair[0]);
            }
            net.chains.push(chain);
        }
        net
    }

    fn point(&mut self, rank: usize, (width, height): Size) -> usize {
        let point = self.x.len();
        self.ranks[rank].push(point);
        self.widths.push(width);
        self.heights.push(height);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.x.push(0.0);
        point
    }

    /// Orders the points on each rank so that few edges cross.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.ranks.clone());
        for round in 0..ROUNDS {
            let down = round % 2 == 0;
            let n = self.ranks.len();
            for i in 1..n {
                let rank = if down { i } else { n - 1 - i };
                self.sort(rank, down);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.ranks.clone());
            }
        }
        self.ranks = best.1;
    }

    /// Sorts a rank by the means of the neighbours on the one before.
    fn sort(&mut self, rank: usize, down: bool) {
        let positions = self.positions();
        let neighbours = if down { &self.above } else { &self.below };
        let mean = |point: usize| match &neighbours[point][..] {
            [] => positions[point],
            all => all.iter().map(|&other| positions[other]).sum::<f64>() / all.len() as f64,
        };
        let mut keyed: Vec<(f64, usize)> =
            self.ranks[rank].iter().map(|&point| (mean(point), point)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.ranks[rank] = keyed.into_iter().map(|(_, point)| point).collect();
    }

    /// The place of each point on its rank, between 0 and 1.
    fn positions(&self) -> Vec<f64> {
        let mut positions = vec![0.0; self.x.len()];
        for rank in &self.ranks {
            for (i, &point) in rank.iter().enumerate() {
                positions[point] = (i as f64 + 0.5) / rank.len() as f64;
            }
        }
        positions
    }

    fn crossings(&self) -> u64 {
        let mut index = vec![0; self.x.len()];
        self.ranks.iter().for_each(|r| r.iter().enumerate().for_each(|(i, &p)| index[p] = i));
        let mut crossings = 0;
        for rank in &self.ranks {
            let mut ends = Vec::new();
            for &point in rank {
                let mut below: Vec<usize> = self.below[point].iter().map(|&b| index[b]).collect();
                below.sort_unstable();
                ends.extend(below);
            }
            crossings += inversions(&ends);
        }
        crossings
    }

    /// Gives every point a place on its rank, near the means of its neighbours.
    fn straighten(&mut self) {
        for rank in 0..self.ranks.len() {
            self.settle(rank, |_, _| 0.0);
        }
        let n = self.ranks.len();
        for round in 0..2 * ROUNDS {
            for i in 0..n {
                let rank = if round % 2 == 0 { i } else { n - 1 - i };
                self.settle(rank, Net::mean_of_neighbours);
            }
        }
    }

    fn mean_of_neighbours(&self, point: usize) -> f64 {
        let neighbours = self.above[point].iter().chain(&self.below[point]);
        let (sum, count) =
            neighbours.fold((0.0, 0.0), |(sum, n), &other| (sum + self.x[other], n + 1.0));
        if count == 0.0 { self.x[point] } else { sum / count }
    }

    /// Moves `first` into the left part of a wide drawing, and what is near it with it.
    fn move_to_first_screen(&mut self, first: usize, rank: usize) {
        self.align_left();
        let wanted = FIRST_SCREEN / 2.0;
        if self.x[first] + self.widths[first] / 2.0 <= FIRST_SCREEN {
            return;
        }
        let own = &mut self.ranks[2 * rank];
        own.sort_by_key(|&point| point != first);
        for _ in 0..ROUNDS {
            for rank in 0..self.ranks.len() {
                self.settle(rank, |net, point| match point == first {
                    true => wanted,
                    false => net.mean_of_neighbours(point),
                });
                // No rank moves out on the left: all of them would have to move to the right again.
                let points = &self.ranks[rank];
                let out = points.first().map_or(0.0, |&p| self.widths[p] / 2.0 - self.x[p]);
                let mut least = 0.0;
                for &point in points.iter().filter(|_| out > 0.0) {
                    let half = self.widths[point] / 2.0;
                    self.x[point] = self.x[point].max(least + half);
                    least = self.x[point] + half + GAP;
                }
            }
        }
    }

    /// Moves everything, so that the leftmost point is at 0.
    fn align_left(&mut self) {
        let left = (0..self.x.len()).map(|p| self.x[p] - self.widths[p] / 2.0);
        let left = left.fold(f64::INFINITY, f64::min);
        self.x.iter_mut().for_each(|x| *x -= left);
    }

    /// Moves the points of a rank as near to where they want to be as their order and widths allow,
    /// by least squares: the regression of pool-adjacent-violators.
    fn settle(&mut self, rank: usize, wanted: impl Fn(&Net, usize) -> f64) {
        let points = &self.ranks[rank];
        let (mut offset, mut offsets) = (0.0, Vec::new());
        for (i, &point) in points.iter().enumerate() {
            if i > 0 {
                offset += (self.widths[points[i - 1]] + self.widths[point]) / 2.0 + GAP;
            }
            offsets.push(offset);
        }
        // Pools of neighbours that move together: where to, and how many.
        let mut pools: Vec<(f64, f64)> = Vec::new();
        for (&point, offset) in points.iter().zip(&offsets) {
            let mut pool = (wanted(self, point) - offset, 1.0);
            while let Some(&(to, n)) = pools.last()
                && to >= pool.0
            {
                pools.pop();
                pool = ((to * n + pool.0 * pool.1) / (n + pool.1), n + pool.1);
            }
            pools.push(pool);
        }
        let moves = pools.iter().flat_map(|&(to, n)| std::iter::repeat_n(to, n as usize));
        let moved: Vec<f64> = moves.zip(&offsets).map(|(to, offset)| to + offset).collect();
        for (i, x) in moved.into_iter().enumerate() {
            let point = self.ranks[rank][i];
            self.x[point] = x;
        }
    }

    fn layout(self, nodes: &[Size], lines: &[Line], ends: &[(usize, usize)]) -> Layout {
        let (bands, height) = self.bands();
        let middle = |rank: usize| f64::midpoint(bands[rank].0, bands[rank].1);
        let mut rank_of = vec![0; self.x.len()];
        for (rank, points) in self.ranks.iter().enumerate() {
            points.iter().for_each(|&point| rank_of[point] = rank);
        }
        let at = |point: usize| (self.x[point], middle(rank_of[point]));
        let mut routes = Vec::new();
        for ((chain, line), &(upper, lower)) in self.chains.iter().zip(lines).zip(ends) {
            let n = chain.len();
            let start =
                (self.port(upper, chain[1], &self.below), at(upper).1 + nodes[upper].1 / 2.0);
            let end =
                (self.port(lower, chain[n - 2], &self.above), at(lower).1 - nodes[lower].1 / 2.0);
            let below = bands[rank_of[upper]].1.max(start.1 + STRAIGHT);
            let mut route = vec![start, (start.0, below)];
            // Upright through each rank, so that no node is crossed.
            for &point in &chain[1..n - 1] {
                let (top, bottom) = bands[rank_of[point]];
                route.extend([(self.x[point], top), (self.x[point], bottom)]);
            }
            let above = bands[rank_of[lower]].0.min(end.1 - STRAIGHT);
            route.extend([(end.0, above), end]);
            // A piece without length has no direction for an arrowhead.
            route.dedup_by(|b, a| (b.0 - a.0).abs() + (b.1 - a.1).abs() < 0.5);
            if upper != line.source {
                route.reverse();
            }
            routes.push(route);
        }
        let right = (0..self.x.len()).map(|p| self.x[p] + self.widths[p] / 2.0).fold(0.0, f64::max);
        Layout {
            nodes: (0..self.n_nodes).map(at).collect(),
            labels: self.labelled.iter().map(|&point| at(point)).collect(),
            lines: routes,
            size: (right, height),
        }
    }

    /// The top and the bottom of each rank, and the height of all: lines that go far aside get more room.
    fn bands(&self) -> (Vec<(f64, f64)>, f64) {
        let (mut bands, mut top) = (Vec::new(), 0.0);
        for rank in &self.ranks {
            let height = rank.iter().map(|&point| self.heights[point]).fold(0.0, f64::max);
            bands.push((top, top + height));
            let aside = rank.iter().flat_map(|&point| {
                self.below[point].iter().map(move |&next| (self.x[next] - self.x[point]).abs())
            });
            let farthest = aside.fold(0.0, f64::max);
            top += height + RISE + (farthest * 0.07).min(70.0);
        }
        let height = bands.last().map_or(0.0, |(_, bottom)| *bottom);
        (bands, height)
    }

    /// Where on the border of `node` an edge to `next` starts: edges leave in the order of where they go.
    fn port(&self, node: usize, next: usize, neighbours: &[Vec<usize>]) -> f64 {
        let mut all = neighbours[node].clone();
        all.sort_by(|&a, &b| self.x[a].total_cmp(&self.x[b]).then(a.cmp(&b)));
        let index = all.iter().position(|&other| other == next).unwrap_or(0);
        let part = (index as f64 + 0.5) / all.len() as f64 - 0.5;
        self.x[node] + part * self.widths[node] * 0.7
    }
}

/// The pairs in the wrong order.
fn inversions(ends: &[usize]) -> u64 {
    let (mut sorted, mut inversions) = (Vec::with_capacity(ends.len()), 0);
    for &end in ends {
        let at = sorted.partition_point(|&before| before <= end);
        inversions += (sorted.len() - at) as u64;
        sorted.insert(at, end);
    }
    inversions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(source: usize, target: usize) -> Line {
        Line { source, target, label: (40.0, 12.0) }
    }

    #[test]
    fn inversions_are_counted() {
        assert_eq!(inversions(&[]), 0);
        assert_eq!(inversions(&[0, 0, 1, 2]), 0);
        assert_eq!(inversions(&[2, 1, 0, 0]), 5);
    }

    /// Any graph: no two nodes of a rank overlap, and everything is within the drawing.
    #[test]
    fn nothing_overlaps() {
        for seed in 0..60 {
            let mut random = fastrand::Rng::with_seed(seed);
            let n = random.usize(1..12);
            let size = |random: &mut fastrand::Rng| (random.f64() * 90.0 + 10.0, 30.0);
            let nodes: Vec<Size> = (0..n).map(|_| size(&mut random)).collect();
            let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b);
            let lines: Vec<Line> =
                pairs.filter(|_| random.u8(0..4) == 0).map(|(a, b)| line(a, b)).collect();
            let layout = place(&nodes, &lines, random.bool().then_some(0));
            let mut boxes: Vec<(Point, Size)> =
                layout.nodes.iter().copied().zip(nodes.iter().copied()).collect();
            boxes.extend(layout.labels.iter().map(|&at| (at, (40.0, 12.0))));
            for (i, &((x, y), (w, h))) in boxes.iter().enumerate() {
                let (width, height) = layout.size;
                assert!(x - w / 2.0 >= -0.01 && x + w / 2.0 <= width + 0.01, "seed {seed}");
                assert!(y - h / 2.0 >= -0.01 && y + h / 2.0 <= height + 0.01, "seed {seed}");
                for &((x2, y2), (w2, h2)) in &boxes[..i] {
                    let apart =
                        (x - x2).abs() >= (w + w2) / 2.0 || (y - y2).abs() >= (h + h2) / 2.0;
                    assert!(apart, "seed {seed}: {:?} {:?}", (x, y), (x2, y2));
                }
            }
            for (route, line) in layout.lines.iter().zip(&lines) {
                assert!(route.len() >= 3, "seed {seed}");
                let (x, _) = layout.nodes[line.source];
                assert!((route[0].0 - x).abs() <= nodes[line.source].0 / 2.0, "seed {seed}");
                let [.., (x2, y2), (x3, y3)] = route[..] else { panic!("seed {seed}") };
                let down = layout.nodes[line.source].1 < layout.nodes[line.target].1;
                let length = if down { y3 - y2 } else { y2 - y3 };
                assert!(
                    (x2 - x3).abs() < 0.01 && length > STRAIGHT - 0.5,
                    "seed {seed}: heads are upright"
                );
            }
        }
    }

    #[test]
    fn a_chain_is_straight() {
        let layout = place(&[(20.0, 20.0); 4], &[line(0, 1), line(1, 2), line(2, 3)], None);
        assert!(layout.nodes.iter().all(|&(x, _)| (x - layout.nodes[0].0).abs() < 0.01));
        assert!(layout.nodes.is_sorted_by(|a, b| a.1 < b.1));
    }

    /// A cycle with many neighbours: the first node is on top and near the left border, wherever it is numbered.
    #[test]
    fn the_first_node_is_on_the_first_screen() {
        let n = 40;
        let mut lines: Vec<Line> = (1..n).map(|node| line(0, node)).collect();
        lines.extend((1..n).map(|node| line(node, n)));
        lines.push(line(n, 0));
        let nodes = vec![(150.0, 40.0); n + 1];
        for first in [0, n] {
            let layout = place(&nodes, &lines, Some(first));
            let (x, y) = layout.nodes[first];
            assert!(layout.size.0 > 3.0 * FIRST_SCREEN && x + 75.0 <= FIRST_SCREEN, "{x}");
            assert!(layout.nodes.iter().all(|&(_, other)| other >= y), "{first}");
        }
    }
}
