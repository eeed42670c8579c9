//! Measures how long a layer of one state takes: `thin WORKERS LAYERS`.

use sweepline::{Check, System, progress};
use sweepline_timely::Workers;

struct Line(u64);

impl System for Line {
    type State = u64;
    type Action = ();

    fn initial(&self) -> Vec<u64> {
        vec![0]
    }

    fn successors(&self, &n: &u64, push: &mut dyn FnMut((), u64)) {
        if n < self.0 {
            push((), n + 1);
        }
    }
}

fn main() {
    let number = |at| std::env::args().nth(at).and_then(|text| text.parse::<u64>().ok());
    let (threads, layers) = (number(1).unwrap_or(2), number(2).unwrap_or(10_000));
    let workers = Workers::local(threads as usize);
    let line = Line(layers);
    let check = Check::new(&line).progress(progress::by(|&n: &u64| n as i64)).cluster(&workers);
    let report = check.run();
    let seconds = report.statistics.elapsed.as_secs_f64();
    println!("{threads} workers: {:.1} us a layer", 1e6 * seconds / layers as f64);
}
