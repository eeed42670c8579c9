//! Drawings of nets: what is where. Nodes, markings and inscriptions are read back from the file with their positions.

use std::fs;
use std::path::{Path, PathBuf};

use super::draw::{draw, texts};
use super::{model, run};

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

fn number(line: &str, name: &str) -> f64 {
    let from = line.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{name}: {line}"));
    from.1.split('"').next().unwrap().parse().unwrap()
}

/// The shapes of some class, in the order of the file.
fn shapes(svg: &str, start: &str) -> Vec<Area> {
    let shape = |line: &str| {
        let of = |name| number(line, name);
        if line.starts_with("<rect") {
            let (x, y) = (of("x"), of("y"));
            return [x, y, x + of("width"), y + of("height")];
        }
        let (x, y) = (of("cx"), of("cy"));
        let (w, h) =
            if line.starts_with("<circle") { (of("r"), of("r")) } else { (of("rx"), of("ry")) };
        [x - w, y - h, x + w, y + h]
    };
    svg.lines().filter(|line| line.starts_with(start)).map(shape).collect()
}

/// Places, transitions, markings and inscriptions.
fn solid(svg: &str) -> Vec<Area> {
    let starts = [
        "<ellipse class=\"node\"",
        "<rect class=\"node",
        "<ellipse class=\"count\"",
        "<rect class=\"tokens\"",
        "<rect class=\"page\" x=",
    ];
    starts.iter().flat_map(|start| shapes(svg, start)).collect()
}

fn overlap(a: Area, b: Area) -> bool {
    let common = |i: usize| a[i + 2].min(b[i + 2]) - a[i].max(b[i]);
    common(0) > 0.2 && common(1) > 0.2
}

fn check_apart(svg: &str, what: &str) {
    let solid = solid(svg);
    for (i, &a) in solid.iter().enumerate() {
        for &b in &solid[..i] {
            assert!(!overlap(a, b), "{what}: {a:?} and {b:?}");
        }
    }
}

/// The ends of the lines of arcs.
fn lines(svg: &str) -> Vec<[(f64, f64); 2]> {
    let paths = svg.lines().filter(|line| line.starts_with("<path class=\"edge\""));
    let points = |line: &str| {
        let path = line.split_once(" d=\"M").unwrap().1.split('"').next().unwrap();
        let point = |text: &str| {
            let (x, y) = text.split_once(' ').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        let points: Vec<(f64, f64)> = path.split('L').map(point).collect();
        [points[0], points[points.len() - 1]]
    };
    paths.map(points).collect()
}

fn marking(folder: &Path, text: &str) -> String {
    let file = folder.join("net.cpnt");
    fs::write(&file, text).unwrap();
    draw("m.svg", &[file.to_str().unwrap(), "--marking", "initial"]).1
}

#[test]
fn markings_and_inscriptions_cover_nothing() {
    for name in ["philosophers", "kanban", "lift", "workshop"] {
        check_apart(&draw("m.svg", &[&model(name), "--marking", "initial"]).1, name);
    }
    let others = ["protocol.cpn", "stop-and-wait.cpn", "timed.cpn", "symmetric/database.cpnt"];
    for name in others {
        let file = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
        check_apart(&draw("m.svg", &[&file, "--marking", "initial"]).1, name);
    }
}

/// Nodes with long names and many tokens, drawn close together or over each other, with several arcs between the
/// same nodes.
#[test]
fn crowded_pages_are_readable() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..12 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (n, room) = (random.usize(2..8), random.i32(1..300));
        let at = |random: &mut fastrand::Rng| {
            format!("@ {} {} 60 40", random.i32(-room..=room), random.i32(-room..=room))
        };
        let mut text = "colset S = string;\nvar s : S;\n\npage P\n".to_owned();
        for place in 0..n {
            let name = format!("p{place}{}", " and more words".repeat(random.usize(0..6)));
            let token = |i: usize| format!("{i}`\"{}\"", "token ".repeat(i));
            let tokens: Vec<String> = (1..random.usize(2..5)).map(token).collect();
            let at = at(&mut random);
            text += &format!("  place \"{name}\" : S {at} = {}\n", tokens.join("++"));
        }
        let names: Vec<String> = text
            .lines()
            .filter_map(|l| Some(l.split_once("place \"")?.1.split_once('"')?.0.into()))
            .collect();
        for transition in 0..n {
            text += &format!("\n  transition t{transition} {}\n", at(&mut random));
            let name = &names[random.usize(0..n)];
            text += &format!("    in \"{name}\": s\n    out \"{name}\": s ^ \"a long one\"\n");
            text += &format!("    out \"{}\": s\n", names[random.usize(0..n)]);
        }
        let svg = marking(folder.path(), &text);
        check_apart(&svg, &format!("seed {seed}\n{text}"));
        assert_eq!(shapes(&svg, "<rect class=\"tokens\"").len(), n, "seed {seed}");
    }
}

/// Real models, where they are.
#[test]
fn real_pages_are_readable() {
    let Some(corpus) = sweepline_testkit::corpus("cpn", "models") else { return };
    let projects = fs::read_dir(corpus.join("models")).unwrap();
    let files = projects.flatten().filter_map(|project| fs::read_dir(project.path()).ok());
    let mut files: Vec<PathBuf> = files.flatten().flatten().map(|file| file.path()).collect();
    files.sort();
    let target = tempfile::tempdir().unwrap();
    let svg = target.path().join("m.svg");
    let mut n_drawn = 0;
    for file in files.iter().step_by(6) {
        let (file, output) = (file.to_str().unwrap(), svg.to_str().unwrap());
        // Some do not load, some are too large.
        if run(&["graph", file, "--marking", "initial", "--output", output]).0 == 0 {
            check_apart(&fs::read_to_string(&svg).unwrap(), file);
            n_drawn += 1;
        }
    }
    assert!(n_drawn > 10, "{n_drawn} of {} files drawn", files.len());
}

const OPPOSITE: &str = "colset S = string;\nvar s : S;\n\npage P\n  place A : S @ 0 0 60 40 = 1`\"x\"\n  place C : S AT\n\n  \
                        transition T @ 200 0 60 40\n    in A: s\n    out A: s ^ \"y\"\n    inhibitor C\n";

#[test]
fn opposite_arcs_have_lines_and_inscriptions_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    for at in ["@ 200 -200 60 40", ""] {
        let svg = marking(folder.path(), &OPPOSITE.replace("AT", at));
        check_apart(&svg, at);
        let inscriptions = shapes(&svg, "<rect class=\"page\" x=");
        assert_eq!(inscriptions.len(), 2, "{svg}");
        let lines = lines(&svg);
        assert_eq!(lines.len(), 3, "{svg}");
        let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
        assert!(apart(lines[0][0], lines[1][0]) > 3.0, "{lines:?}");
        assert!(apart(lines[0][1], lines[1][1]) > 3.0, "{lines:?}");
    }
}

#[test]
fn an_inhibitor_arc_ends_in_a_circle_at_its_transition() {
    let folder = tempfile::tempdir().unwrap();
    for at in ["@ 200 -200 60 40", "@ -150 90 60 40", ""] {
        let svg = marking(folder.path(), &OPPOSITE.replace("AT", at));
        let [circle] = shapes(&svg, "<circle class=\"inhibitor\"")[..] else { panic!("{svg}") };
        let [transition] = shapes(&svg, "<rect class=\"node")[..] else { panic!("{svg}") };
        let near = transition.map(f64::round);
        let widened = [near[0] - 2.0, near[1] - 2.0, near[2] + 2.0, near[3] + 2.0];
        assert!(overlap(circle, widened), "the circle {circle:?} is at {transition:?}");
        let (x, y) = (f64::midpoint(circle[0], circle[2]), f64::midpoint(circle[1], circle[3]));
        let inside =
            x > transition[0] && x < transition[2] && y > transition[1] && y < transition[3];
        assert!(!inside, "{circle:?} {transition:?}");
        let radius = (circle[2] - circle[0]) / 2.0;
        let starts =
            lines(&svg).iter().any(|[(a, b), _]| ((a - x).hypot(b - y) - radius).abs() < 0.3);
        assert!(starts, "the line begins where the circle ends: {svg}");
        assert!(texts(&svg).iter().any(|text| text.contains("inhibitor arcs")), "the note");
        assert!(!texts(&svg).iter().any(|text| text == "inhibitor"));
    }
}

#[test]
fn names_are_whole_and_cut_tokens_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let long = "A_name_of_many_words_".repeat(12);
    let text = format!(
        "colset S = string;\n\npage P\n  place {long}P : S @ 0 0 60 40\n  transition \"{long}\" @ 0 -90 60 40\n    in {long}P: \"\"\n"
    );
    let svg = marking(folder.path(), &text);
    let all = texts(&svg).concat();
    assert!(all.contains(&format!("{long}P")) && all.matches(&long).count() == 2, "{all}");
    check_apart(&svg, "long names");
    let database = format!("{}/../../models/symmetric/database.cpnt", env!("CARGO_MANIFEST_DIR"));
    let file = folder.path().join("m.svg");
    let (_, _, errors) =
        run(&["graph", &database, "--marking", "initial", "--output", file.to_str().unwrap()]);
    assert!(errors.contains("1 text ends in “…”"), "{errors}");
    let svg = fs::read_to_string(&file).unwrap();
    assert!(texts(&svg).iter().any(|text| text.starts_with("1 text ends in")), "on the picture");
    assert!(svg.contains("1`(m(4),m(3))</title>"), "the tooltip has them all");
}

#[test]
fn predecessors_left_out_are_counted_on_the_picture_and_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dead.svg");
    let output = ["--output", file.to_str().unwrap()];
    let philosophers = model("philosophers");
    let around = ["graph", &philosophers, "--around", "dead"];
    let full = [&around[..], &["--max-states", "6"], &output].concat();
    let (_, printed, errors) = run(&full);
    let left_out = "16 more predecessors of these states not drawn: raise `--max-states` (6) and `--depth` (1)";
    assert!(printed.contains(left_out), "{printed}");
    assert!(errors.contains(&format!("warning: {left_out}")), "{errors}");
    let texts = texts(&fs::read_to_string(&file).unwrap());
    assert!(texts.iter().any(|text| text.contains(left_out)), "{texts:?}");
    assert!(texts.iter().any(|text| text == "… 4 more predecessors"), "{texts:?}");
    // What is farther away than asked for is counted, but no reason for a warning.
    let (_, printed, errors) = run(&[&around[..], &output].concat());
    assert!(
        printed.contains("20 more predecessors of these states not drawn: raise `--depth` (1)")
    );
    assert!(errors.is_empty(), "{errors}");
    let (_, printed, _) =
        run(&[&["graph", &model("lift"), "--around", "initial"], &output[..]].concat());
    assert!(printed.contains("up to 1 step after it"), "{printed}");
}
