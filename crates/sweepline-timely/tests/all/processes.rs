//! Several processes: here they are threads that talk to each other over loopback.

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use sweepline::progress::by;
use sweepline::{Limits, Options, StopReason, Verdict};
use sweepline_testkit::{Graph, assert_follows, measured_graph};
use sweepline_timely::{Folder, Gathering, Hosts, JoinError, Joined, Secret, Terms, Workers, join};

use super::agreement::{answers, check, counted, open_questions};

/// Lets `count` processes find each other, and calls `each` for every one of them.
fn meet<T: Send>(
    secrets: &[Secret],
    wait: Duration,
    each: impl Fn(usize, Result<Joined, JoinError>) -> T + Sync,
) -> Vec<T> {
    let bind = |_: &Secret| TcpListener::bind("127.0.0.1:0").expect("a port");
    let listeners: Vec<TcpListener> = secrets.iter().map(bind).collect();
    let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
    let hosts = Hosts::local(&listeners.iter().map(port).collect::<Vec<_>>());
    thread::scope(|scope| {
        let spawn = |(index, listener): (usize, TcpListener)| {
            let (hosts, secret, each) = (&hosts, &secrets[index], &each);
            scope.spawn(move || {
                let listener = Some(listener);
                let is_over = &|| false;
                each(index, join(Gathering { hosts, index, secret, listener, wait, is_over }))
            })
        };
        let threads: Vec<_> = listeners.into_iter().enumerate().map(spawn).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

const WAIT: Duration = Duration::from_secs(30);

fn secrets(count: usize) -> Vec<Secret> {
    vec![Secret::random().expect("random numbers"); count]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn agree_with_one_thread(
        graph in measured_graph(80),
        target in 0..80usize,
        window in 0..4u64,
        (processes, threads) in (2..4usize, 1..3usize),
    ) {
        let values = graph.values.clone();
        let measure = by(|&s: &usize| values[s]);
        let options = Options { window, count: true, ..Options::default() };
        let one = open_questions(check(&graph, &measure, &options)).run();
        meet(&secrets(processes), WAIT, |_, joined| {
            let workers = Workers::connected(joined.expect("joined"), threads);
            let all = open_questions(check(&graph, &measure, &options)).cluster(&workers).run();
            assert_eq!(all.stop, one.stop);
            assert_eq!(counted(&all), counted(&one));
            assert_eq!(answers(&all), answers(&one));
            assert_eq!(all.workers.len(), processes * threads);
        });
        let witness_lengths = meet(&secrets(processes), WAIT, |_, joined| {
            let workers = Workers::connected(joined.expect("joined"), threads);
            let report = check(&graph, &measure, &options)
                .never("never", |&s| s == target)
                .cluster(&workers)
                .run();
            let Verdict::Violated(witness) = &report.properties[0].verdict else { return None };
            let witness = witness.as_ref().expect("a witness");
            assert_follows(&graph, witness);
            assert_eq!(*witness.last(), target);
            Some(witness.len())
        });
        assert!(witness_lengths.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

fn grid() -> Graph {
    let side = 60;
    let next = |s: usize| {
        let (x, y) = (s % side, s / side);
        let right = (x + 1 < side).then_some(s + 1);
        let down = (y + 1 < side).then_some(s + side);
        right.into_iter().chain(down).collect()
    };
    let edges: Vec<Vec<usize>> = (0..side * side).map(next).collect();
    let values = (0..side * side).map(|s| [(s % side + s / side) as i64, 0, 0]).collect();
    Graph { edges, starts: 1, ragged: false, values }
}

/// Processes that have no part of the checkpoint get their states from those that have some.
#[test]
fn a_run_goes_on_with_more_processes_than_parts() {
    let graph = grid();
    let values = graph.values.clone();
    let measure = by(|&s: &usize| values[s]);
    let place = tempfile::tempdir().expect("a folder");
    let folder = |resume| Folder { path: place.path().to_owned(), every: Duration::ZERO, resume };
    let one = open_questions(check(&graph, &measure, &Options::default())).run();
    let workers = Workers::local(1).checkpoints(folder(false), Terms::default());
    let limits = Limits { states: Some(1_500), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let first = open_questions(check(&graph, &measure, &options)).cluster(&workers).run();
    assert_eq!(first.stop, Some(StopReason::States));
    meet(&secrets(3), WAIT, |_, joined| {
        let workers = Workers::connected(joined.expect("joined"), 2);
        let workers = workers.checkpoints(folder(true), Terms::default());
        let all = open_questions(check(&graph, &measure, &Options::default()));
        let all = all.cluster(&workers).run();
        assert_eq!(all.stop, None);
        assert_eq!(counted(&all), counted(&one));
        assert_eq!(answers(&all), answers(&one));
    });
}

/// The others end soon, with a reason, and without a verdict.
#[test]
fn a_lost_process_ends_the_others() {
    let graph = grid();
    let values = graph.values.clone();
    let stops = meet(&secrets(3), WAIT, |index, joined| {
        let joined = joined.expect("joined");
        if index == 2 {
            drop(joined);
            return None;
        }
        let workers = Workers::connected(joined, 2).advice("run it again");
        let measure = by(|&s: &usize| values[s]);
        let report = check(&graph, &measure, &Options::default())
            .never("nothing", |&s| s > 100_000)
            .cluster(&workers)
            .run();
        assert_eq!(report.properties[0].verdict.word(), "unknown");
        report.stop
    });
    for stop in &stops[..2] {
        let Some(StopReason::Lost(text)) = stop else { panic!("{stop:?}") };
        assert!(text.contains("was lost: run it again"), "{text}");
    }
}

#[test]
fn who_does_not_know_the_secret_is_not_admitted() {
    let mut all = secrets(3);
    all[1] = Secret::random().expect("random numbers");
    let errors =
        meet(&all, Duration::from_secs(2), |_, joined| joined.err().map(|e| e.to_string()));
    for (index, error) in errors.iter().enumerate() {
        let error = error.as_ref().unwrap_or_else(|| panic!("process {index} joined"));
        assert!(error.contains("did not join within 2 s"), "{error}");
    }
    assert!(errors[2].as_ref().is_some_and(|e| e.contains("process 1")), "{errors:?}");
}

#[test]
fn processes_that_disagree_are_told() {
    let results = meet(&secrets(3), WAIT, |index, joined| {
        let terms = Terms::default().with("version", 1).with("model", index / 2);
        joined.expect("joined").agree(&terms, &|| false).map_err(|error| error.to_string())
    });
    let text = results[0].as_ref().expect_err("they disagree");
    assert!(text.contains("process 2 (127.0.0.1:"), "{text}");
    assert!(text.contains("runs with another model: 1 there, 0 here"), "{text}");
    assert!(results[2].as_ref().expect_err("they disagree").contains("0 there, 1 here"));
    assert!(results[1].is_err());
}

#[test]
fn lists_of_hosts_are_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hosts");
    let read = |text: &str| {
        std::fs::write(&file, text).expect("written");
        Hosts::read(&file).map(|hosts| hosts.len()).map_err(|error| error.to_string())
    };
    assert_eq!(read("# two\na.example:4000\n\n10.0.0.2:4000\n"), Ok(2));
    assert!(read("a.example:4000\n").unwrap_err().contains("lists 1 processes; it needs 2"));
    assert!(read("a:1\nb\n").unwrap_err().contains("line 2 of"));
    assert!(read("a:1\nb:99999\n").unwrap_err().contains("is not an address: `b:99999`"));
    assert!(Hosts::read(folder.path()).unwrap_err().to_string().contains("cannot read"));
}
