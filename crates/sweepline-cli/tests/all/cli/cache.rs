//! The method `cache`: what it prints, what does not go with it, and the figure of a comparison.

use std::fs;

use super::{json, model, run};

const CACHE: [&str; 4] = ["--method", "cache", "--cache", "600"];

#[test]
fn a_cache_finds_what_full_exploration_finds() {
    let net = model("stop-and-wait");
    let questions = ["--deadlock", "--bound", "sent - received", "--never", "sent > received"];
    let (status, full) = json(&[&["check", &net, "--method", "full"], &questions[..]].concat());
    for policy in ["random", "oldest", "seldom", "strata"] {
        for size in ["600", "2000"] {
            let cache = ["--method", "cache", "--cache", size, "--cache-policy", policy];
            let (same, report) = json(&[&["check", &net], &cache[..], &questions[..]].concat());
            assert_eq!((same, &report["method"]), (status, &"cache".into()));
            assert_eq!(
                (&report["cache_policy"], &report["complete"]),
                (&policy.into(), &true.into())
            );
            let both = full["properties"].as_array().unwrap().iter();
            for (one, other) in both.zip(report["properties"].as_array().unwrap()) {
                assert_eq!((&one["verdict"], &one["value"]), (&other["verdict"], &other["value"]));
                assert_eq!(one["witness_length"].is_u64(), other["witness_length"].is_u64());
            }
            let replaced = report["replaced"].as_u64().unwrap();
            assert_eq!(
                (replaced == 0, report["states"].is_null()),
                (size == "2000", size == "600")
            );
            assert!(report["peak_states"].as_u64() <= size.parse().ok());
        }
    }
}

#[test]
fn a_stack_longer_than_the_cache_is_mentioned() {
    let net = model("stop-and-wait");
    let small = ["--method", "cache", "--cache", "20", "--state-limit", "5000"];
    let (status, text, _) = run(&[&["check", &net], &small[..]].concat());
    assert_eq!(status, 3);
    assert!(text.contains("cache          20 states, replacement policy `random`\n"), "{text}");
    assert!(text.contains("the cache grew to store them all"), "{text}");
    let (_, text, _) = run(&[&["check", &net], &CACHE[..]].concat());
    assert!(text.contains("replaced") && !text.contains("cache grew"), "{text}");
}

#[test]
fn what_does_not_go_with_a_cache_is_refused() {
    let net = model("stop-and-wait");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f");
    let file = file.to_str().unwrap();
    let with: [&[&str]; 8] = [
        &["--progress", "sent"],
        &["--window", "2"],
        &["--gc", "9"],
        &["--monotone", "strict"],
        &["--log", file],
        &["--checkpoint", file],
        &["--resume", file],
        &["--method", "sweep"],
    ];
    for more in with {
        let caching = if more[0] == "--method" { &CACHE[2..] } else { &CACHE[..] };
        let (status, text, errors) = run(&[&["check", &net], caching, more].concat());
        let named = errors.contains(more[0]) || errors.contains("cannot be saved in a checkpoint");
        assert!(status == 2 && text.is_empty() && named && errors.contains("cache"), "{errors}");
    }
    for size in [&[][..], &["--cache", "0"]] {
        let (status, _, errors) = run(&[&["check", &net, "--method", "cache"], size].concat());
        assert!(status == 2 && errors.contains("--cache 100000"), "{errors}");
    }
    let graph = ["graph", &net, "--output", "never-written.aut", "--method", "cache"];
    let (status, _, errors) = run(&graph);
    assert!(status == 2 && errors.contains("cache"), "{errors}");
}

#[test]
fn caches_are_compared_by_size_and_policy() {
    let net = model("stop-and-wait");
    let methods = ["--methods", "full,sweep,cache", "--progress", "sent + received"];
    let sizes = ["--cache", "100%", "--cache", "50%", "--cache", "700"];
    let policies = ["--cache-policy", "random", "--cache-policy", "strata"];
    let args = [&["compare", &net], &methods[..], &sizes, &policies].concat();
    let (status, comparison) = json(&args);
    assert_eq!((status, &comparison["agree"]), (0, &true.into()));
    let runs = comparison["runs"].as_array().unwrap();
    let caches: Vec<_> =
        runs.iter().filter(|run| run["method"] == "cache").map(|run| &run["cache"]).collect();
    assert_eq!(caches, [1080, 540, 700, 1080, 540, 700].map(serde_json::Value::from).each_ref());
    assert!(runs.iter().take(2).all(|run| run["cache"].is_null()));
    let (_, text, _) = run(&args);
    assert!(text.contains("cache 540, strata"), "{text}");
    let refused: [(&[&str], &str); 3] = [
        (&["--methods", "full,cache"], "--cache 50%"),
        (&["--methods", "cache", "--cache", "50%"], "--methods full,cache"),
        (&["--cache", "50%", "--progress", "sent"], "full,sweep,cache"),
    ];
    for (options, advice) in refused {
        let (status, _, errors) = run(&[&["compare", &net], options].concat());
        let errors = errors.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(status == 2 && errors.contains(advice), "{errors}");
    }
    let limited = ["--methods", "full,cache", "--cache", "50%", "--state-limit", "300"];
    let (status, _, errors) = run(&[&["compare", &net], &limited[..]].concat());
    assert!(status == 3 && errors.contains("`--cache 50%` is left out"), "{errors}");
}

/// Without a cache: the states stored during each run, with labels that say how many.
#[test]
fn the_figure_shows_the_states_stored_during_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("figure.svg");
    let net = model("stop-and-wait");
    let args = ["compare", &net, "--progress", "sent + received", "--figure"];
    assert_eq!(run(&[&args[..], &[file.to_str().unwrap()]].concat()).0, 0);
    let svg = fs::read_to_string(&file).unwrap();
    for text in [
        "states stored during a run",
        "full exploration: 1,080 states stored",
        "sweep along sent + received: at most 35 states stored (3.2%)",
        "states explored",
    ] {
        assert!(svg.contains(text), "{text} is not in {svg}");
    }
    assert_eq!(svg.matches("class=\"curve thick").count(), 2);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn the_figure_shows_every_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("figure.svg");
    let path = file.to_str().unwrap();
    let net = model("stop-and-wait");
    let methods = ["--methods", "full,sweep,cache", "--progress", "sent + received"];
    let sizes = ["--cache", "1000", "--cache", "500", "--figure", path];
    assert_eq!(run(&[&["compare", &net], &methods[..], &sizes].concat()).0, 0);
    let svg = fs::read_to_string(&file).unwrap();
    for text in [">full</text>", ">sweep</text>", ">1,000</text>", ">500</text>", "cache, random"] {
        assert!(svg.contains(text), "{text} is not in {svg}");
    }
    // One of each in the figure, and one in the legend.
    let marks = |class: &str| svg.matches(&format!("class=\"mark {class}\"")).count();
    assert_eq!((marks("six"), marks("five"), marks("one")), (2, 2, 3));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    let nowhere = folder.path().join("no/figure.svg");
    let args = ["compare", &net, "--methods", "full", "--figure", nowhere.to_str().unwrap()];
    let (status, _, errors) = run(&args);
    assert!(status == 2 && errors.contains("figure.svg"), "{errors}");
}
