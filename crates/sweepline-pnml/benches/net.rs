//! The net alone: successors, codec and formulas of one marking of fourteen philosophers.

use divan::{Bencher, black_box};
use sweepline::model::{bytes_of, initial, successors};
use sweepline::{Model, Sink};
use sweepline_pnml::{Marking, Net, NetModel, TransitionId, parse_predicate};

fn main() {
    divan::main();
}

/// Philosophers who take either fork first.
fn philosophers(n: usize) -> NetModel {
    let mut net = Net::builder("philosophers");
    for i in 0..n {
        for (place, tokens) in [("think", 1), ("fork", 1), ("left", 0), ("right", 0), ("eat", 0)] {
            net = net.place(&format!("{place}{i}"), tokens);
        }
    }
    for i in 0..n {
        let name = |place: &str| format!("{place}{i}");
        let (think, left, right, eat) = (name("think"), name("left"), name("right"), name("eat"));
        let (fork, next) = (name("fork"), format!("fork{}", (i + 1) % n));
        net = net
            .transition(&name("take_left"), &[(&think, 1), (&fork, 1)], &[(&left, 1)])
            .transition(&name("take_right"), &[(&think, 1), (&next, 1)], &[(&right, 1)])
            .transition(&name("then_right"), &[(&left, 1), (&next, 1)], &[(&eat, 1)])
            .transition(&name("then_left"), &[(&right, 1), (&fork, 1)], &[(&eat, 1)])
            .transition(&name("done"), &[(&eat, 1)], &[(&think, 1), (&fork, 1), (&next, 1)]);
    }
    NetModel::new(net.build().expect("a net"))
}

/// A marking in the middle of the state space.
fn marking(model: &NetModel) -> Marking {
    let mut marking = initial(model).swap_remove(0);
    for step in 0..9 {
        let mut next = successors(model, &marking).expect("successors");
        marking = next.swap_remove(step * 5 % next.len()).1;
    }
    marking
}

struct Count(usize);

impl Sink<NetModel> for Count {
    fn push(&mut self, _: TransitionId, state: &Marking) {
        black_box(state);
        self.0 += 1;
    }
}

#[divan::bench]
fn all_successors(bencher: Bencher<'_, '_>) {
    let model = philosophers(14);
    let (marking, mut worker) = (marking(&model), model.worker());
    bencher.bench_local(|| {
        let mut count = Count(0);
        model.successors(&mut worker, black_box(&marking), &mut count).expect("few tokens");
        count.0
    });
}

#[divan::bench]
fn encode(bencher: Bencher<'_, '_>) {
    let model = philosophers(14);
    let marking = marking(&model);
    let mut bytes = Vec::new();
    bencher.bench_local(|| {
        bytes.clear();
        model.encode(black_box(&marking), &mut bytes);
    });
}

#[divan::bench]
fn decode(bencher: Bencher<'_, '_>) {
    let model = philosophers(14);
    let mut marking = marking(&model);
    let bytes = bytes_of(&model, &marking);
    bencher.bench_local(|| model.decode_into(black_box(&bytes), &mut marking));
}

#[divan::bench]
fn formula(bencher: Bencher<'_, '_>) {
    let model = philosophers(14);
    let marking = marking(&model);
    let text = "eat0 + eat1 + eat2 >= 2 or fireable(done3) and left5 > right6";
    let predicate = parse_predicate(model.net(), text).expect("a formula");
    bencher.bench_local(|| predicate.holds(black_box(&model.view(&marking))));
}
