//! The order in which definitions are checked: each after those that it uses.

/// The strongly connected components of a graph, those that an edge leads to first. Each comes with whether it has a cycle.
pub(super) fn components(edges: &[Vec<usize>]) -> Vec<(Vec<usize>, bool)> {
    let n = edges.len();
    let mut search = Search { number: vec![0; n], low: vec![0; n], stack: Vec::new(), next: 1 };
    let mut found = Vec::new();
    let mut on_stack = vec![false; n];
    for root in 0..n {
        if search.number[root] > 0 {
            continue;
        }
        // The nodes of the current path, each with the number of its edges that were followed.
        let mut path = vec![(root, 0)];
        search.enter(root, &mut on_stack);
        while let Some((node, followed)) = path.last_mut() {
            let node = *node;
            if let Some(&next) = edges[node].get(*followed) {
                *followed += 1;
                if search.number[next] == 0 {
                    search.enter(next, &mut on_stack);
                    path.push((next, 0));
                } else if on_stack[next] {
                    search.low[node] = search.low[node].min(search.number[next]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                search.low[*above] = search.low[*above].min(search.low[node]);
            }
            if search.low[node] == search.number[node] {
                let own = search.leave(node, &mut on_stack);
                let has_cycle = own.len() > 1 || edges[node].contains(&node);
                found.push((own, has_cycle));
            }
        }
    }
    found
}

/// The state of Tarjan's algorithm.
struct Search {
    /// The order of the first visits, from 1; 0 before that.
    number: Vec<usize>,
    low: Vec<usize>,
    stack: Vec<usize>,
    next: usize,
}

impl Search {
    fn enter(&mut self, node: usize, on_stack: &mut [bool]) {
        (self.number[node], self.low[node]) = (self.next, self.next);
        self.next += 1;
        self.stack.push(node);
        on_stack[node] = true;
    }

    /// The component of `node`, in the order of the nodes.
    fn leave(&mut self, node: usize, on_stack: &mut [bool]) -> Vec<usize> {
        let from = self.stack.iter().rposition(|&other| other == node).unwrap_or(0);
        let mut own = self.stack.split_off(from);
        own.iter().for_each(|&member| on_stack[member] = false);
        own.sort_unstable();
        own
    }
}
