//! Drawings of parts of state spaces: the right states and edges, in files that are well-formed whatever the names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use quick_xml::events::Event;
use serde_json::Value;
use sweepline_pnml::Net;

use super::{model, run};

/// Draws into a file and gives what was printed, and the file.
pub(super) fn draw(name: &str, args: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    let output = ["--output", file.to_str().unwrap()];
    let (status, printed, errors) = run(&[&["graph"], args, &output].concat());
    assert_eq!(status, 0, "{errors}");
    (printed, fs::read_to_string(file).unwrap())
}

/// The texts of an SVG, which must be well-formed; tooltips are not among them.
pub(super) fn texts(svg: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(svg);
    let (mut open, mut texts) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                start.attributes().for_each(|attribute| drop(attribute.unwrap()));
                open.push(start.name().as_ref().to_vec());
                if start.name().as_ref() == b"text" {
                    texts.push(String::new());
                }
            }
            Event::End(end) => assert_eq!(open.pop().unwrap(), end.name().as_ref()),
            Event::Text(text) if open.last().is_some_and(|name| name == b"text") => {
                texts.last_mut().unwrap().push_str(&text.decode().unwrap());
            }
            Event::GeneralRef(entity) if open.last().is_some_and(|name| name == b"text") => {
                let c = match &*entity.decode().unwrap() {
                    "lt" => '<',
                    "gt" => '>',
                    "amp" => '&',
                    "quot" => '"',
                    other => panic!("&{other};"),
                };
                texts.last_mut().unwrap().push(c);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty());
    texts
}

#[test]
fn a_picture_of_a_whole_state_space() {
    let (printed, svg) = draw("g.svg", &[&model("mutex-broken")]);
    assert!(printed.contains("9 states, 16 edges from the initial state"), "{printed}");
    let texts = texts(&svg);
    for number in 1..9 {
        assert!(texts.contains(&number.to_string()), "state {number} in {texts:?}");
    }
    assert!(texts.iter().any(|text| text == "0 · initial"), "{texts:?}");
    assert_eq!(texts.iter().filter(|text| *text == "inside_1: 1").count(), 3);
    assert!(texts.iter().any(|text| text == "enter_2"), "{texts:?}");
}

#[test]
fn a_large_state_space_is_cut_and_says_so() {
    let (printed, svg) = draw("g.svg", &[&model("producer"), "--max-states", "12"]);
    assert!(printed.contains("12 states") && printed.contains("more successor"), "{printed}");
    assert!(
        texts(&svg).iter().any(|text| text.starts_with("… ") && text.contains("more successor"))
    );
}

#[test]
fn a_path_that_is_too_long_is_cut_and_says_so() {
    let args = [&*model("philosophers"), "--around", "dead", "--path", "--depth", "0"];
    let (printed, _) = draw("g.svg", &[&args[..], &["--max-states", "4"]].concat());
    assert!(printed.contains("4 states") && printed.contains("of the path not drawn"), "{printed}");
}

/// A net whose places, transitions and tokens have names made to break files.
fn hostile(folder: &Path) -> String {
    let file = folder.join("hostile.cpnt");
    let text = "colset S = string;\nvar s : S;\n\npage P\n  place \"a<&\\\">b\" : S = 1`\"<&\\\">]]>\"\n  place B : S\n\n  transition \"t<&>\"\n    in \"a<&\\\">b\": s\n    out B: s\n";
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn hostile_names_break_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = hostile(folder.path());
    let (_, svg) = draw("g.svg", &[&file, "--around", "dead", "--path"]);
    let texts = texts(&svg);
    let token = r#"1`"<&">]]>""#;
    assert_eq!(texts.iter().filter(|text| text.contains(token)).count(), 2, "{texts:?}");
    let (_, dot) = draw("g.dot", &[&file, "--around", "dead", "--path"]);
    let quotes = |line: &str| line.replace("\\\\", "").replace("\\\"", "").matches('"').count();
    assert!(dot.lines().all(|line| quotes(line) % 2 == 0), "{dot}");
    assert!(dot.contains(r#"1`\"<&\">]]>\""#), "{dot}");
}

#[test]
fn a_marking_is_the_net_with_its_tokens() {
    let protocol = model("protocol").replace(".pnml", ".cpn");
    let (printed, svg) = draw("m.svg", &[&protocol, "--marking", "size Sent = 2"]);
    assert!(printed.contains("states with `size Sent = 2`"), "{printed}");
    let texts = texts(&svg);
    // On the page itself, and on the instance of the other page that has it as a port.
    assert_eq!(texts.iter().filter(|text| *text == "2`1").count(), 2, "{texts:?}");
    for wanted in ["Protocol", "Network 1", "Network 2", "NextSend", "Go on", "Int.max (n, k)"] {
        assert!(texts.iter().any(|text| text == wanted), "{wanted} in {texts:?}");
    }
    assert_eq!(svg.matches("node enabled").count(), 2, "Transmit and Lose of the first instance");
    let (_, svg) = draw("m.svg", &[&model("philosophers"), "--marking", "dead"]);
    assert!(!svg.contains("node enabled") && svg.contains("no transition is enabled"));
    assert_eq!(svg.matches("class=\"count\"").count(), 5, "five forks are held");
    let folder = tempfile::tempdir().unwrap();
    let hostile = draw("m.svg", &[&hostile(folder.path()), "--marking", "initial"]).1;
    let names = self::texts(&hostile);
    for wanted in ["a<&\">b", "t<&>"] {
        assert!(names.iter().any(|text| text == wanted), "{wanted} in {names:?}");
    }
}

#[test]
fn a_net_is_drawn_where_its_author_put_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.cpnt");
    let text = "colset U = unit;\n\npage P\n  place A : U @ 0 0 60 40 = 1`()\n  place B : U @ 0 -300 60 40\n\n  \
                transition T @ 100 -150 60 40\n    in A: ()\n    out B @ 200 -200: ()\n";
    fs::write(&file, text).unwrap();
    let (_, svg) = draw("m.svg", &[file.to_str().unwrap(), "--marking", "initial"]);
    let number = |line: &str, name: &str| {
        let from = line.split_once(&format!(" {name}=\"")).unwrap().1;
        from.split('"').next().unwrap().parse::<f64>().unwrap()
    };
    let ovals: Vec<(f64, f64)> = svg
        .lines()
        .filter(|line| line.starts_with("<ellipse class=\"node\""))
        .map(|line| (number(line, "cx"), number(line, "cy")))
        .collect();
    let [(ax, ay), (bx, by)] = ovals[..] else { panic!("{ovals:?}") };
    assert!((ax - bx).abs() < 0.2 && by - ay > 300.0, "{ovals:?}");
    let bent = svg.lines().any(|line| line.starts_with("<path") && line.matches('L').count() == 2);
    assert!(bent, "{svg}");
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.svg");
    let output = ["--output", file.to_str().unwrap()];
    let lift = model("lift");
    let (status, _, errors) = run(&[&["graph", &lift, "--around", "dead"], &output[..]].concat());
    assert!(status == 2 && errors.contains("SWL-CLI-0023"), "{errors}");
    assert!(errors.contains("no reachable dead state"), "{errors}");
    assert!(!file.exists());
    let (status, _, errors) =
        run(&[&["graph", &lift, "--around", "no_such_place > 1"], &output[..]].concat());
    assert!(status == 2 && errors.contains("no_such_place"), "{errors}");
    let (status, _, _) = run(&["graph", &lift, "--around", "dead", "--output", "g.aut"]);
    assert_eq!(status, 2);
    let (status, _, errors) = run(&["graph", &lift, "--marking", "initial", "--output", "g.dot"]);
    assert!(status == 2 && errors.contains(".svg"), "{errors}");
    for wrong in ["0", "2001"] {
        let (status, _, errors) =
            run(&[&["graph", &lift, "--max-states", wrong], &output[..]].concat());
        assert!(status == 2 && errors.contains("write at"), "{errors}");
    }
}

#[test]
fn a_script_draws_what_a_query_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (script, picture) = (folder.path().join("s.sml"), folder.path().join("kept.json"));
    let text = format!(
        "val sweep = {{PM = fn _ => IntInf.fromInt 0, GC = 0, Secs = 0, Logfile = NONE}};\n\
         val dead = SLListDeadMarkings sweep;\n\
         SL.Draw {{File = {picture:?}, States = dead, Depth = 1}};\n\
         SL.Draw {{File = {:?}, States = [NodeToState InitNode], Depth = 1}};\n",
        picture.with_extension("svg")
    );
    fs::write(&script, text).unwrap();
    let file = model("protocol").replace(".pnml", ".cpn");
    let (status, printed, errors) = run(&["ml", &file, script.to_str().unwrap()]);
    assert_eq!(status, 0, "{printed}{errors}");
    let drawing: Value = serde_json::from_str(&fs::read_to_string(&picture).unwrap()).unwrap();
    let states = drawing["states"].as_array().unwrap();
    assert!(!states.is_empty() && states.iter().all(|s| s["dead"] == true && s["asked"] == true));
    let texts = texts(&fs::read_to_string(picture.with_extension("svg")).unwrap());
    assert!(texts.iter().any(|text| text == "0 · initial"), "{texts:?}");
    let wrong = "SL.Draw {File = \"x.png\", States = [SL.Initial ()], Depth = 1};";
    fs::write(&script, wrong).unwrap();
    let (status, _, errors) = run(&["ml", &file, script.to_str().unwrap()]);
    assert!(status == 2 && errors.contains("cannot write") && errors.contains("x.png"), "{errors}");
}

#[test]
fn the_properties_of_a_file_have_states_too() {
    let file = model("seeds/stop-and-wait").replace(".pnml", ".cpnt");
    let written = "value Received = packets andalso value Status = acked";
    let drawings = ["delivered", written].map(|around| {
        let (_, text) = draw("g.json", &[&file, "--around", around, "--depth", "0"]);
        let drawing: Value = serde_json::from_str(&text).unwrap();
        assert!(!drawing["states"].as_array().unwrap().is_empty());
        (drawing["states"].clone(), drawing["arcs"].clone())
    });
    assert_eq!(drawings[0], drawings[1]);
}

/// `n` switches, so 2^n states, and a transition that ends everything while all of them are off.
fn switches(folder: &Path, n: usize) -> String {
    let mut net = Net::builder("switches").place("run", 1).place("over", 0);
    let all: Vec<String> = (0..n).map(|switch| format!("off{switch}")).collect();
    for (switch, off) in all.iter().enumerate() {
        let on = format!("on{switch}");
        net = net.place(off, 1).place(&on, 0);
        let (up, down) = (format!("up{switch}"), format!("down{switch}"));
        net = net.transition(&up, &[("run", 1), (off, 1)], &[("run", 1), (&on, 1)]);
        net = net.transition(&down, &[("run", 1), (&on, 1)], &[("run", 1), (off, 1)]);
    }
    let inputs: Vec<(&str, u64)> =
        std::iter::once(("run", 1)).chain(all.iter().map(|off| (off.as_str(), 1))).collect();
    net = net.transition("end", &inputs, &[("over", 1)]);
    let file = folder.join("switches.pnml");
    fs::write(&file, net.build().unwrap().to_pnml()).unwrap();
    file.to_str().unwrap().to_owned()
}

/// The first dead state is one step away, and 2^40 states follow: no search could visit them all.
#[test]
fn a_search_ends_when_it_has_what_it_draws() {
    let folder = tempfile::tempdir().unwrap();
    let net = switches(folder.path(), 40);
    let (printed, _) = draw("g.svg", &[&net, "--around", "dead", "--path"]);
    assert!(printed.contains("searched 100,000 states only: `--state-limit N`"), "{printed}");
    // The limit of the user counts instead.
    let limited = [&net, "--around", "dead", "--depth", "0", "--state-limit", "3000"];
    let (printed, _) = draw("g.svg", &limited);
    assert!(printed.contains("the search is incomplete: the state limit"), "{printed}");
    assert!(!printed.contains("searched"), "{printed}");
    // One state is enough for a marking: the limit is not reached.
    let (printed, svg) = draw("m.svg", &[&net, "--marking", "dead", "--state-limit", "50"]);
    assert!(printed.contains("dead states") && svg.contains("no transition is enabled"));
    // So are enough states for a drawing that is full.
    let many = [&net, "--around", "on0 = 1", "--depth", "0", "--max-states", "5"];
    let (printed, _) = draw("g.json", &[&many[..], &["--state-limit", "3000"]].concat());
    assert!(printed.contains("5 states") && printed.contains("more states that are asked for"));
    assert!(!printed.contains("incomplete"), "{printed}");
}

/// What is found within the patience of a search is all there is, if the search visits all states.
#[test]
fn a_small_state_space_is_searched_completely() {
    let folder = tempfile::tempdir().unwrap();
    let net = switches(folder.path(), 8);
    let (printed, _) = draw("g.svg", &[&net, "--around", "dead"]);
    assert!(!printed.contains("searched") && !printed.contains("at least"), "{printed}");
}

/// The last piece of every edge is vertical and long enough for an arrowhead.
#[test]
fn arrowheads_point_along_their_edges() {
    for (name, args) in [
        ("mutex-broken", &[][..]),
        ("philosophers", &["--around", "dead", "--path"]),
        ("stop-and-wait", &["--max-states", "60"]),
    ] {
        let (_, svg) = draw("g.svg", &[&[&*model(name)], args].concat());
        let paths = svg.lines().filter(|line| line.contains("marker-end") && line.contains("edge"));
        let mut n_edges = 0;
        for path in paths.filter(|line| !line.contains('L')) {
            let points = path.split_once(" d=\"M").unwrap().1.split('"').next().unwrap();
            let numbers: Vec<f64> = points
                .split([' ', 'C'])
                .map(|number| number.parse().unwrap_or_else(|_| panic!("{path}")))
                .collect();
            let [.., x, y, x2, y2] = numbers[..] else { panic!("{path}") };
            assert!((x - x2).abs() < 0.11 && (y - y2).abs() > 4.0, "{name}: {path}");
            n_edges += 1;
        }
        assert!(n_edges > 10, "{name}: {n_edges}");
    }
}

/// A net that keeps its tokens, so that its state space is finite.
fn random_net(random: &mut fastrand::Rng) -> String {
    let n = random.usize(2..6);
    let mut net = Net::builder("random");
    for place in 0..n {
        net = net.place(&format!("p{place}"), random.u64(0..3));
    }
    for transition in 0..random.usize(1..6) {
        let place = |random: &mut fastrand::Rng| format!("p{}", random.usize(0..n));
        let (a, b, c, d) = (place(random), place(random), place(random), place(random));
        let name = format!("t{transition}");
        net = match random.bool() || a == b || c == d {
            true => net.transition(&name, &[(&a, 1)], &[(&c, 1)]),
            false => net.transition(&name, &[(&a, 1), (&b, 1)], &[(&c, 1), (&d, 1)]),
        };
    }
    net.build().unwrap().to_pnml()
}

/// A whole state space, by the names of its states.
#[derive(Default)]
struct Whole {
    states: BTreeSet<String>,
    arcs: BTreeSet<(String, String, String)>,
}

impl Whole {
    fn read(text: &str) -> Self {
        let graph: Value = serde_json::from_str(text).unwrap();
        let names: BTreeMap<u64, String> = graph["labels"]
            .as_array()
            .unwrap()
            .iter()
            .map(|label| (label[0].as_u64().unwrap(), label[1].as_str().unwrap().to_owned()))
            .collect();
        let name = |number: &Value| names[&number.as_u64().unwrap()].clone();
        let arcs = graph["arcs"].as_array().unwrap().iter();
        let arcs =
            arcs.map(|arc| (name(&arc[0]), arc[1].as_str().unwrap().to_owned(), name(&arc[2])));
        Whole { arcs: arcs.collect(), states: names.into_values().collect() }
    }

    fn dead(&self) -> BTreeSet<String> {
        let lives: BTreeSet<&String> = self.arcs.iter().map(|(source, ..)| source).collect();
        self.states.iter().filter(|state| !lives.contains(state)).cloned().collect()
    }

    /// The states up to `depth` steps before or after some.
    fn around(&self, states: &BTreeSet<String>, depth: usize) -> BTreeSet<String> {
        let (mut before, mut after) = (states.clone(), states.clone());
        for _ in 0..depth {
            let (old, new) = (before.clone(), after.clone());
            for (source, _, target) in &self.arcs {
                if old.contains(target) {
                    before.insert(source.clone());
                }
                if new.contains(source) {
                    after.insert(target.clone());
                }
            }
        }
        before.union(&after).cloned().collect()
    }
}

/// The states of a drawing with what is said of them, and its arcs.
fn drawn(text: &str) -> (BTreeMap<String, Value>, BTreeSet<(String, String, String)>) {
    let drawing: Value = serde_json::from_str(text).unwrap();
    let name = |state: &Value| {
        let parts = state["marking"].as_object().unwrap().iter();
        let part = |(place, n): (&String, &Value)| match n.as_u64().unwrap() {
            1 => place.clone(),
            n => format!("{n} {place}"),
        };
        let parts: Vec<String> = parts.map(part).collect();
        if parts.is_empty() { "nothing marked".into() } else { parts.join(", ") }
    };
    let states = drawing["states"].as_array().unwrap();
    let of = |number: &Value| name(&states[usize::try_from(number.as_u64().unwrap()).unwrap()]);
    let arcs = drawing["arcs"].as_array().unwrap().iter();
    let arcs = arcs.map(|arc| (of(&arc[0]), arc[1].as_str().unwrap().to_owned(), of(&arc[2])));
    (states.iter().map(|state| (name(state), state.clone())).collect(), arcs.collect())
}

#[test]
fn a_fragment_has_the_states_around_and_all_edges_between_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.pnml");
    let net = file.to_str().unwrap();
    let mut n_drawn = 0;
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        fs::write(&file, random_net(&mut random)).unwrap();
        let whole = Whole::read(&draw("g.json", &[net, "--labels"]).1);
        let (expression, wanted) = match seed % 2 {
            0 => ("dead", whole.dead()),
            _ => {
                let empty = |state: &&String| !state.split(", ").any(|part| part.ends_with("p0"));
                ("p0 = 0", whole.states.iter().filter(empty).cloned().collect())
            }
        };
        if wanted.is_empty() {
            continue;
        }
        let depth = random.usize(0..3);
        let (method, measure) =
            if random.bool() { ("--progress", "p1") } else { ("--method", "full") };
        let args = [net, "--around", expression, "--max-states", "2000", method, measure];
        let depth_text = depth.to_string();
        let args = [&args[..], &["--depth", &depth_text]].concat();
        let (states, arcs) = drawn(&draw("f.json", &args).1);
        let expected = whole.around(&wanted, depth);
        assert_eq!(states.keys().cloned().collect::<BTreeSet<_>>(), expected, "seed {seed}");
        let between = |arc: &&(String, String, String)| {
            expected.contains(&arc.0) && expected.contains(&arc.2)
        };
        assert_eq!(arcs, whole.arcs.iter().filter(between).cloned().collect(), "seed {seed}");
        let dead = whole.dead();
        for (name, state) in &states {
            assert_eq!(state["dead"], dead.contains(name), "seed {seed}: {name}");
            assert_eq!(state["asked"], wanted.contains(name), "seed {seed}: {name}");
            let targets: BTreeSet<&String> =
                whole.arcs.iter().filter(|arc| arc.0 == *name).map(|arc| &arc.2).collect();
            let hidden = targets.iter().filter(|target| !expected.contains(**target)).count();
            assert_eq!(state["hidden_successors"], hidden, "seed {seed}: {name}");
            let sources: BTreeSet<&String> =
                whole.arcs.iter().filter(|arc| arc.2 == *name).map(|arc| &arc.0).collect();
            let hidden = sources.iter().filter(|source| !expected.contains(**source)).count();
            let counted = if depth == 0 { Value::Null } else { hidden.into() };
            assert_eq!(state["hidden_predecessors"], counted, "seed {seed}: {name}");
        }
        n_drawn += 1;
    }
    assert!(n_drawn > 20, "{n_drawn}");
}

#[test]
fn the_path_leads_from_the_initial_state_to_one_that_was_asked_for() {
    let (_, text) =
        draw("g.json", &[&model("philosophers"), "--around", "dead", "--path", "--depth", "0"]);
    let (states, arcs) = drawn(&text);
    let on_path: BTreeSet<&String> =
        states.iter().filter(|(_, state)| state["on_path"] == true).map(|(name, _)| name).collect();
    let is = |what: &str| on_path.iter().any(|name| states[*name][what] == true);
    assert!(is("initial") && is("asked") && is("dead"), "{text}");
    // Every state but the last has one behind it.
    let leads_on =
        |name: &&&String| arcs.iter().any(|arc| arc.0 == ***name && on_path.contains(&arc.2));
    assert_eq!(on_path.iter().filter(leads_on).count(), on_path.len() - 1, "{text}");
}
