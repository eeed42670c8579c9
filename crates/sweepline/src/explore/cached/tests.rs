//! The search visits the same states however little room waiting successors have.

use std::collections::BTreeSet;

use super::*;
use crate::model::Computed;
use crate::observe::Flow;
use crate::retain::Replacement;

/// A random graph whose states have long byte forms.
struct Graph(Vec<Vec<usize>>);

impl Graph {
    fn random(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let n = random.usize(1..60);
        let mut targets = |_| (0..random.usize(..5)).map(|_| random.usize(..n)).collect();
        Graph((0..n).map(&mut targets).collect())
    }

    fn reachable(&self) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), vec![0, self.0.len() / 2]);
        while let Some(state) = open.pop() {
            if found.insert(state) {
                open.extend(&self.0[state]);
            }
        }
        found
    }
}

impl Model for Graph {
    type State = usize;
    type Action = ();
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&usize)) {
        push(&0);
        push(&(self.0.len() / 2));
    }

    fn successors(&self, (): &mut (), state: &usize, sink: &mut impl Sink<Self>) -> Computed {
        self.0[*state].iter().for_each(|target| sink.push((), target));
        Ok(())
    }

    fn encode(&self, state: &usize, bytes: &mut Vec<u8>) {
        bytes.extend(std::iter::repeat_n(*state as u8, 3 + state % 5));
    }

    fn decode(&self, bytes: &[u8]) -> usize {
        bytes[0].into()
    }
}

#[derive(Default)]
struct Seen {
    states: Vec<usize>,
    edges: u64,
}

impl Observer<Graph> for Seen {
    fn node(&mut self, visit: &Visit<'_, Graph>, _worker: &mut <Graph as Model>::Worker) -> Flow {
        self.states.push(*visit.state);
        let (first, rest) = visit.path.unwrap().split_first().unwrap();
        let start = [0, visit.model.0.len() / 2][*first as usize];
        let end = rest.iter().fold(start, |at, &number| visit.model.0[at][number as usize]);
        assert_eq!(end, *visit.state);
        Ok(())
    }

    fn arc(&mut self, _: &Visit<'_, Graph>, (): &(), _: &usize) -> Flow {
        self.edges += 1;
        Ok(())
    }

    fn watches_arcs(&self) -> bool {
        true
    }
}

#[test]
fn successors_that_do_not_wait_are_computed_again() {
    let options = Options::default();
    for seed in 0..400 {
        let graph = Graph::random(seed);
        let n = graph.reachable().len() as u64;
        for states in [n.div_ceil(2), n] {
            let cache = Cache::new(states).replacing(Replacement::Oldest);
            let run = |room| {
                let mut seen = Seen::default();
                let run = DepthFirst::new(&graph, &cache, &options, &mut seen, room).run();
                assert_eq!((run.stop, run.statistics.edges), (None, seen.edges));
                assert_eq!(run.statistics.explored, seen.states.len() as u64);
                assert!(run.statistics.peak_states <= states.max(run.statistics.deepest));
                (seen.states, run.statistics.replaced)
            };
            let (states, _) = run(ROOM);
            for room in [0, 40, 100, 300] {
                let (again, replaced) = run(room);
                assert_eq!(again.iter().copied().collect::<BTreeSet<_>>(), graph.reachable());
                // The room changes when a successor is found to be stored, but not which states are visited
                // if none is replaced.
                assert!(replaced > 0 || again == states, "seed {seed}, room {room}");
            }
        }
    }
}
