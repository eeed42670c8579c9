//! Dining philosophers: far too many states to enumerate, few of which matter.

use sweepline::progress::{Linear, fit};
use sweepline::select::Sleep;
use sweepline::{Check, Report, Verdict};
use sweepline_pnml::{Net, NetModel};
use sweepline_testkit::assert_follows;

/// `n` philosophers who take the left fork, then the right one, eat, and return both; with `polite`, the last
/// takes the right one first.
fn philosophers(n: usize, polite: bool) -> NetModel {
    let mut net = Net::builder("philosophers");
    for i in 0..n {
        net = net.place(&format!("thinks_{i}"), 1).place(&format!("fork_{i}"), 1);
        net = net.place(&format!("holds_{i}"), 0).place(&format!("eats_{i}"), 0);
    }
    for i in 0..n {
        let [thinks, holds, eats] = ["thinks", "holds", "eats"].map(|what| format!("{what}_{i}"));
        let (left, right) = (format!("fork_{i}"), format!("fork_{}", (i + 1) % n));
        let swaps = polite && i == n - 1;
        let (first, second) = if swaps { (&right, &left) } else { (&left, &right) };
        net = net
            .transition(&format!("take_{i}"), &[(&thinks, 1), (first, 1)], &[(&holds, 1)])
            .transition(&format!("eat_{i}"), &[(&holds, 1), (second, 1)], &[(&eats, 1)])
            .transition(
                &format!("stop_{i}"),
                &[(&eats, 1)],
                &[(&thinks, 1), (first, 1), (second, 1)],
            );
    }
    NetModel::new(net.build().unwrap())
}

/// The number of reachable markings: philosophers think, hold the first fork or eat, and no fork is held
/// twice. All these are reachable: first those eat who do, then the others take a fork. Counted along the
/// table, for each state of the first philosopher.
fn count(n: usize, polite: bool) -> u64 {
    const DOING: [usize; 3] = [0, 1, 2];
    // Whether philosopher `i` in the state `what` has the fork on a side.
    let has = |i: usize, what: usize, left: bool| match what {
        0 => false,
        1 => left != (polite && i == n - 1),
        _ => true,
    };
    let beside = |i: usize, a: usize, b: usize| !(has(i, a, false) && has((i + 1) % n, b, true));
    let from = |first: usize| {
        let mut ways = DOING.map(|what| u64::from(what == first));
        for i in 0..n - 1 {
            ways =
                DOING.map(|b| DOING.iter().filter(|&&a| beside(i, a, b)).map(|&a| ways[a]).sum());
        }
        DOING
            .iter()
            .filter(|&&last| beside(n - 1, last, first))
            .map(|&last| ways[last])
            .sum::<u64>()
    };
    DOING.into_iter().map(from).sum()
}

fn reduced(model: &NetModel, sweeps: bool) -> Report<NetModel> {
    let check = Check::new(model).deadlock().stubborn().sleep(Sleep::of(model));
    match sweeps.then(|| fit(model)).into_iter().flatten().next() {
        Some(found) => {
            let measure = Linear::new(model, &found.components, found.columns);
            check.progress(measure).window(found.window).run()
        }
        None => check.run(),
    }
}

#[test]
fn the_count_is_right() {
    for n in 2..8 {
        for polite in [false, true] {
            let model = philosophers(n, polite);
            let report = Check::new(&model).run();
            assert_eq!(report.statistics.states(), Some(count(n, polite)), "{n} {polite}");
        }
    }
}

#[test]
fn a_hundred_starve() {
    let model = philosophers(100, false);
    let report = reduced(&model, false);
    let Verdict::Violated(Some(witness)) = &report.properties[0].verdict else {
        panic!("{:?}", report.stop)
    };
    assert_follows(&model, witness);
    assert_eq!(witness.len(), 100);
    assert!(report.statistics.explored < 100_000, "{}", report.statistics.explored);
}

#[test]
fn twenty_who_are_polite_never_starve() {
    let model = philosophers(20, true);
    for sweeps in [false, true] {
        let report = reduced(&model, sweeps);
        report.assert_holds();
        let (seen, all) = (report.statistics.explored, count(20, true));
        assert!(seen * 100 < all, "{seen} of {all}");
    }
}
