//! Queries that are fed by several workers give the same answers as one that sees everything.

use proptest::prelude::*;
use sweepline::model::ModelError;
use sweepline::observe::{
    Answer, Bound, DeadActions, DeadStates, Deadlock, Flow, Fork, Never, Queries, Query, Visit,
};
use sweepline::progress::by;
use sweepline::{Observer, Options, StopReason, explore};
use sweepline_testkit::{Graph, measured_graph};

/// A verdict with the time of the deciding state, the bounds, and further findings.
type Said = (&'static str, Option<u64>, Option<(i128, i128)>, Vec<String>);

/// Distributes visits: a state, its edges and its `dead` event go to the same fork.
struct Deal<'a> {
    forks: Vec<Fork<'a, Graph>>,
    /// Which of them are decided.
    done: Vec<bool>,
    salt: usize,
}

impl<'a> Deal<'a> {
    fn to(&mut self, state: usize, event: impl FnOnce(&mut Fork<'a, Graph>) -> Flow) -> Flow {
        let to = (state * 7 + self.salt) % self.forks.len();
        if self.done[to] {
            return Ok(());
        }
        match event(&mut self.forks[to]) {
            Err(StopReason::Decided) => self.done[to] = true,
            other => return other,
        }
        Ok(())
    }
}

impl Observer<Graph> for Deal<'_> {
    fn node(&mut self, visit: &Visit<'_, Graph>, worker: &mut ()) -> Flow {
        self.to(*visit.state, |fork| fork.node(visit, worker))
    }

    fn arc(&mut self, source: &Visit<'_, Graph>, action: &usize, target: &usize) -> Flow {
        self.to(*source.state, |fork| match fork.watches_arcs() {
            true => fork.arc(source, action, target),
            false => Ok(()),
        })
    }

    fn dead(&mut self, visit: &Visit<'_, Graph>, worker: &mut ()) -> Flow {
        self.to(*visit.state, |fork| fork.dead(visit, worker))
    }

    fn watches_arcs(&self) -> bool {
        true
    }
}

fn asked(target: usize) -> Queries<'static, Graph> {
    let is = move |_: &Graph, _: &mut (), state: &usize| Ok::<bool, ModelError>(*state == target);
    let value =
        |_: &Graph, _: &mut (), state: &usize| Ok::<i128, ModelError>((*state * 7 % 11) as i128);
    let names = ["0", "1", "2", "3", "4", "5"].map(String::from).to_vec();
    let mut queries = Queries::default();
    queries.add(Never::new(is));
    queries.add(Never::reached(is));
    queries.add(Deadlock::default());
    queries.add(Deadlock::reached());
    queries.add(Bound::new(value));
    queries.add(DeadStates::new(10_000, |_: &Graph, state: &usize| state.to_string()));
    queries.add(DeadActions::new(names, |action: &usize| *action));
    queries
}

fn said(queries: &Queries<'_, Graph>) -> Vec<Said> {
    let said = |query: &dyn Query<Graph>| {
        let (verdict, hit) = match query.answer() {
            Answer::Holds(hit) => ("holds", hit),
            Answer::Violated(hit) => ("violated", hit),
            Answer::HoldsSoFar => ("holds so far", None),
            Answer::ViolatedSoFar => ("violated so far", None),
            Answer::Unknown(_) => ("unknown", None),
        };
        // States expanded before another was stored have the same time.
        (verdict, hit.map(|hit| hit.stored), query.range(), query.findings())
    };
    queries.iter().map(said).collect()
}

fn agree(graph: &Graph, target: usize, workers: usize, salt: usize) {
    let measure = by(|state: &usize| graph.values[*state][0]);
    let mut alone = asked(target);
    explore(graph, &measure, &Options::default(), &mut alone);
    let mut shared = asked(target);
    let saved: Vec<Vec<u8>> = {
        let forks = (0..workers).map(|_| shared.fork(graph).expect("none of them needs an order"));
        let mut deal = Deal { forks: forks.collect(), done: vec![false; workers], salt };
        explore(graph, &measure, &Options::default(), &mut deal);
        deal.forks.iter().map(|fork| fork.save(graph).unwrap()).collect()
    };
    // In any order, and twice.
    for facts in saved.iter().rev().chain(&saved) {
        assert!(shared.merge(graph, facts));
    }
    assert_eq!(said(&shared), said(&alone), "{workers} workers");
}

proptest! {
    #[test]
    fn forks_and_merges_answer_alike(
        graph in measured_graph(40), target in 0..40usize, workers in 1..5usize, salt in 0..9usize,
    ) {
        agree(&graph, target, workers, salt);
    }
}
