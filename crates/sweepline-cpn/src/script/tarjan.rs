//! Strongly connected components, by Tarjan's algorithm without recursion.

/// The strongly connected components of a graph, numbered by their least nodes.
pub(super) struct Components {
    /// The component of each node.
    pub(super) of: Vec<usize>,
    /// The nodes of each, in order.
    pub(super) members: Vec<Vec<usize>>,
}

const NEW: usize = usize::MAX;

/// The components of the graph of so many nodes with these successors.
pub(super) fn components<S>(nodes: usize, successors: impl Fn(usize) -> S) -> Components
where
    S: Iterator<Item = usize>,
{
    let mut order = vec![NEW; nodes];
    let mut low = vec![0; nodes];
    let mut on_stack = vec![false; nodes];
    let mut root = vec![NEW; nodes];
    let (mut stack, mut visited) = (Vec::new(), 0);
    for start in 0..nodes {
        if order[start] != NEW {
            continue;
        }
        let mut path: Vec<(usize, S)> = Vec::new();
        let mut enter = Some(start);
        loop {
            if let Some(node) = enter.take() {
                (order[node], low[node]) = (visited, visited);
                visited += 1;
                stack.push(node);
                on_stack[node] = true;
                path.push((node, successors(node)));
            }
            let Some((node, rest)) = path.last_mut() else { break };
            let node = *node;
            match rest.next() {
                Some(next) if order[next] == NEW => enter = Some(next),
                Some(next) if on_stack[next] => low[node] = low[node].min(order[next]),
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((above, _)) = path.last() {
                        low[*above] = low[*above].min(low[node]);
                    }
                    if low[node] == order[node] {
                        let first = stack.iter().rposition(|member| *member == node);
                        for member in stack.drain(first.expect("it is on the stack")..) {
                            on_stack[member] = false;
                            root[member] = node;
                        }
                    }
                }
            }
        }
    }
    numbered(&root)
}

/// Numbers them by their least nodes.
fn numbered(root: &[usize]) -> Components {
    let mut number_of_root = vec![NEW; root.len()];
    let (mut of, mut members) = (Vec::with_capacity(root.len()), Vec::<Vec<usize>>::new());
    for (node, root) in root.iter().enumerate() {
        if number_of_root[*root] == NEW {
            number_of_root[*root] = members.len();
            members.push(Vec::new());
        }
        let number = number_of_root[*root];
        of.push(number);
        members[number].push(node);
    }
    Components { of, members }
}
