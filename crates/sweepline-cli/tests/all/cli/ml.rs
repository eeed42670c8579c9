//! `ml`: scripts, and the queries on the pages of models.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{json, model, run};

fn file(name: &str) -> String {
    Path::new(&model("stop-and-wait")).with_file_name(name).to_str().unwrap().to_owned()
}

/// A script in a file of its own.
fn script(folder: &tempfile::TempDir, text: &str) -> String {
    let path = folder.path().join("script.sml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The values named `it`, in order.
fn results(value: &Value) -> Vec<&str> {
    let items = value["results"].as_array().unwrap().iter();
    let values = items.filter_map(|item| item.get("value")).filter(|value| value["name"] == "it");
    values.map(|value| value["value"].as_str().unwrap()).collect()
}

#[test]
fn the_papers_script_runs_as_it_is_written() {
    let args = ["ml", &file("stop-and-wait.cpn"), &file("stop-and-wait.sml")];
    let (status, stdout, stderr) = run(&args);
    assert_eq!((status, &*stderr), (0, ""));
    assert!(stdout.starts_with("val SWPM = fn : state -> IntInf.int\n"), "{stdout}");
    assert!(stdout.contains("\nval it = (679,(1821,166),[[[1,2,3]]]) : int * "), "{stdout}");
    let (status, value) = json(&args);
    assert_eq!(status, 0);
    let found = results(&value);
    assert_eq!(found[0], "{Arcs=1821,Dead=1,Markings=679,Peak=363}");
    assert_eq!(found[1..6], ["false", "1", "0", "[3,2,1]", "[]"]);
    assert!(found[6].contains("SWProtocol'Received 1: 1`[1,2,3]"), "{}", found[6]);
    assert_eq!(found[7..14], ["[]", "false", "true", "1", "1", "1", "[]"]);
    assert_eq!(
        found[14..],
        [
            "(679,(1821,166),[[[1,2,3]]])",
            "679",
            "(1821,166)",
            "1",
            "0",
            "[3,2,1]",
            "[]",
            "[[[1,2,3]]]",
            "[]"
        ]
    );
    let (_, value) = json(&[&args[..], &["--param", "packets=10"]].concat());
    assert!(results(&value)[0].contains("Markings=2576"), "as in Table 1 of the paper");
}

#[test]
fn mistakes_point_into_the_script() {
    let (folder, net) = (tempfile::tempdir().unwrap(), file("stop-and-wait.cpn"));
    let wrong = script(&folder, "val a = 1;\nval b = a ^ \"x\";\n");
    let (status, stdout, stderr) = run(&["ml", &net, &wrong]);
    assert_eq!((status, &*stdout), (2, ""));
    assert!(stderr.contains("script.sml:2:9"), "{stderr}");
    let raised = script(&folder, "print \"so far\\n\";\nval n = 5;\n1 + hd (tl [n]);\n");
    let (status, stdout, stderr) = run(&["ml", &net, &raised]);
    assert_eq!((status, &*stdout), (2, "so far\nval it = () : unit\nval n = 5 : int\n"));
    assert!(stderr.contains("script.sml:3:5") && stderr.contains("Empty"), "{stderr}");
    let (status, value) = json(&["ml", &net, &raised]);
    assert_eq!((status, value["results"].as_array().unwrap().len()), (2, 3));
    assert!(value["error"].as_str().unwrap().contains("exception Empty"));
    let measure = "fun PM M = IntInf.fromInt (mssize (SLMark.Sender'TransmitData 1 M));
                   SLListDeadMarkings {PM = PM, GC = 0, Secs = 0, Logfile = NONE};";
    let (status, _, stderr) = run(&["ml", &net, &script(&folder, measure)]);
    assert_eq!(status, 2);
    for part in ["script.sml:2:20", "measure is not monotone", "Channel'", "Sender'Timer 1: 1`true"]
    {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    let (status, _, stderr) = run(&["ml", &net, "nowhere.sml"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("nowhere.sml"), "{stderr}");
    let (status, _, stderr) = run(&["ml", &model("stop-and-wait"), &raised]);
    assert_eq!(status, 2);
    assert!(stderr.contains("need a coloured net"), "{stderr}");
}

#[test]
fn limits_end_a_script_without_an_answer() {
    let (folder, net) = (tempfile::tempdir().unwrap(), file("stop-and-wait.cpn"));
    let all = script(&folder, "NoOfNodes () handle _ => 0;");
    let (status, stdout, stderr) = run(&["ml", &net, &all, "--state-limit", "100"]);
    assert_eq!((status, &*stdout), (3, ""));
    assert!(stderr.contains("the state limit was reached"), "{stderr}");
    let secs = "fun PM (M : state) = 0 : IntInf.int;
                SL.ExploreStateSpace {PM = PM, GC = 0, Secs = 1, Logfile = NONE};";
    let packets = ["--param", "packets=100000"];
    let (status, _, stderr) = run(&[&["ml", &net, &script(&folder, secs)], &packets[..]].concat());
    assert_eq!(status, 3);
    assert!(stderr.contains("the time limit was reached"), "{stderr}");
}

#[test]
fn sweeps_write_logs_for_scripts_alone() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("sweep.csv");
    let text = format!(
        "fun PM M = IntInf.fromInt (length (ms_to_col (SLMark.SWProtocol'Received 1 M)));
         SL.ExploreStateSpace {{PM = PM, GC = 0, Secs = 0, Logfile = SOME \"{}\"}};",
        log.display()
    );
    let (status, _, stderr) = run(&["ml", &file("stop-and-wait.cpn"), &script(&folder, &text)]);
    assert_eq!((status, &*stderr), (0, ""));
    let lines = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "progress,states,held,peak,explored,seconds");
    assert!(lines[1].starts_with("0,9,") && lines[2].starts_with("1,231,"), "{lines:?}");
    fs::remove_file(&log).unwrap();
    let net = fs::read_to_string(file("stop-and-wait.cpn")).unwrap();
    let noted = folder.path().join("noted.cpn");
    fs::write(&noted, net.replace("NoOfNodes ()", &text.replace('"', "&quot;"))).unwrap();
    let (status, stdout, _) = run(&["ml", noted.to_str().unwrap(), "--aux"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("Markings=679") && !log.exists(), "{stdout}");
}

#[test]
fn queries_on_pages_run_and_prose_is_passed_over() {
    let (status, stdout, stderr) = run(&["ml", &file("stop-and-wait.cpn"), "--aux"]);
    assert_eq!(status, 0);
    assert_eq!(stdout, "(* SWProtocol, text 1 *)\nval it = 679 : int\n(* Receiver, text 1 *)\n");
    assert!(stderr.contains("skipped: Receiver, text 1:1:"), "{stderr}");
}

/// Models of the corpus with queries on their pages, and what those give.
const QUERIES: [(&str, &[&str]); 5] = [
    (
        "svn2github__cpntools-gui/cpntools__Sample_Nets__SimpleProtocol__SimpleProtocol_OG.cpn",
        &["[3,2,1,0]"],
    ),
    (
        "svn2github__cpntools-gui/cpntools__Sample_Nets__ResourceAllocation__ResourceAllocation_OG.cpn",
        &["1", "true", "false", "Just", "Just"],
    ),
    (
        "svn2github__cpntools-gui/cpntools__Sample_Nets__DistributedDataBase__DistributedDataBase_OG.cpn",
        &["true", "false", "Just", "Fair", "Fair", "Fair"],
    ),
    // Its library is loaded by the last of its texts.
    (
        "svn2github__cpntools-gui/cpntools__Sample_Nets__DiningPhilosophers__DiningPhilosophers_ASKCTL.cpn",
        &["false", "true", "true", "false"],
    ),
    ("lmkr__cpncourse/models__lecture6-statespaces-cyclic.cpn", &["43"]),
];

#[test]
fn queries_of_the_corpus_run() {
    let Some(corpus) = sweepline_testkit::corpus("cpn", "models") else { return };
    for (name, expected) in QUERIES {
        let path = corpus.join("models").join(name);
        let (status, value) = json(&["ml", path.to_str().unwrap(), "--aux"]);
        assert_eq!(status, 0, "{name}");
        assert_eq!(results(&value)[..expected.len()], *expected, "{name}");
    }
}

#[test]
fn scripts_use_files() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("lib");
    fs::create_dir(&below).unwrap();
    fs::write(below.join("measure.sml"), "use \"base.sml\";\nfun twice n = base n * 2;\n").unwrap();
    fs::write(below.join("base.sml"), "fun base n = n + 1;\nbase 1;\n").unwrap();
    let main =
        script(&folder, "val a = 1;\nuse \"lib/measure.sml\";\ntwice a;\nuse \"lib/base.sml\";\n");
    let (status, value) = json(&["ml", &file("stop-and-wait.cpn"), &main]);
    assert_eq!((status, &results(&value)[..]), (0, &["2", "4", "2"][..]), "{value}");
    let wrong = [
        ("use \"missing.sml\";", "script.sml:1:5: cannot use `missing.sml`"),
        ("val x = 1;\nuse \"script.sml\";", "cannot use `script.sml`: the file uses itself"),
        ("val a = \"a\";\nuse (a ^ \"b\");", "cannot use `ab`"),
        ("use (Int.toString (NoOfNodes ()));", "the name of the file cannot be evaluated"),
        ("use (\"a\" ^ \"b\");", "cannot use `ab`"),
        (
            "structure S = struct use \"lib/base.sml\" end;",
            "expected a declaration or `end`, found `use`",
        ),
    ];
    for (text, message) in wrong {
        let (status, _, errors) = run(&["ml", &file("stop-and-wait.cpn"), &script(&folder, text)]);
        let errors = errors.replace("\n  │ ", " ");
        assert!(status == 2 && errors.contains(message), "{text}: {errors}");
    }
    // A mistake is shown in the file where it stands.
    fs::write(below.join("base.sml"), "fun base n = n + true;\n").unwrap();
    let main = script(&folder, "use \"lib/measure.sml\";\n");
    let (status, _, errors) = run(&["ml", &file("stop-and-wait.cpn"), &main]);
    assert!(status == 2 && errors.contains("base.sml:1:"), "{errors}");
    // Circles of several files, too.
    fs::write(below.join("base.sml"), "use \"measure.sml\";\n").unwrap();
    let (status, _, errors) = run(&["ml", &file("stop-and-wait.cpn"), &main]);
    assert!(status == 2 && errors.contains("the file uses itself"), "{errors}");
}

#[test]
fn texts_of_a_model_in_text_form_are_queries_too() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.cpnt");
    let text = "colset U = unit;\n\npage P\n  place A : U = 2`()\n\n  transition T\n    in A: ()\n\n  note NoOfNodes ();\n";
    fs::write(&model, text).unwrap();
    let (status, value) = json(&["ml", model.to_str().unwrap(), "--aux"]);
    assert_eq!((status, &results(&value)[..]), (0, &["3"][..]), "{value}");
}

/// A counter up to a limit that a reference holds, and a code segment that writes.
const COUNTER: &str = "\
globref lim = 1;
globref names = [\"a\"];
val first = 0;
val log = TextIO.openAppend (Output.getSimOutputDir () ^ \"/log.txt\");
fun limit () = !lim;
fun configure n = (lim := n; names := [\"b\"]);
colset NO = int;
var n : NO;

page Top
  place Next : NO = 1`first
  place Log : NO

  transition Count
    guard n < limit ()
    code
      input (n);
      action
        let val f = TextIO.openOut (\"/tmp/out/\" ^ Int.toString n ^ \".txt\")
        in TextIO.output (f, \"n is \" ^ Int.toString n ^ \"\\n\"); TextIO.closeOut f;
           TextIO.output (log, hd (!names)) end;
    in Next: n
    out Next: n + 1
";

fn counter(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("counter.cpnt");
    fs::write(&path, COUNTER).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn what_a_script_assigns_reaches_the_exploration() {
    let folder = tempfile::tempdir().unwrap();
    let model = counter(&folder);
    let text = "NoOfNodes (); lim := 5; NoOfNodes (); List.length (ListDeadMarkings ());\n\
                configure 3; NoOfNodes (); Mark.Top'Next 1 4; lim := 5; NoOfArcs ();\n\
                #Markings (SL.ExploreStateSpace {PM = fn _ => 0, GC = 0, Secs = 0, Logfile = NONE});";
    let (status, value) = json(&["ml", &model, &script(&folder, text)]);
    assert_eq!(status, 0, "{value}");
    let found: Vec<&str> = results(&value).into_iter().filter(|value| *value != "()").collect();
    assert_eq!(found, ["2", "6", "1", "4", "[3]", "5", "6"]);
}

#[test]
fn a_reference_of_functions_that_a_script_assigns_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.cpnt");
    let text = "val policy = ref (fn n : int => n < 1);\nval unused = ref (fn n : int => n);\ncolset NO = int;\nvar n : NO;\n\n\
                page Top\n  place Next : NO = 1`0\n\n  transition Count\n    guard (!policy) n\n    in Next: n\n    \
                out Next: n + 1\n";
    fs::write(&path, text).unwrap();
    let model = path.to_str().unwrap();
    let fine = script(&folder, "unused := (fn n => n + 1); NoOfNodes ();");
    let (status, value) = json(&["ml", model, &fine]);
    assert_eq!((status, results(&value)[1]), (0, "2"), "{value}");
    let wrong = script(&folder, "policy := (fn n => n < 5); NoOfNodes ();");
    let (status, _, stderr) = run(&["ml", model, &wrong]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("the reference `policy`"), "{stderr}");
}

#[test]
fn what_models_write_goes_below_a_folder_or_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let model = counter(&folder);
    let (status, stdout, stderr) = run(&["check", &model, "--never", "hd Next > 5"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(stdout.contains("states         2\n"), "{stdout}");
    let (status, _, stderr) = run(&["simulate", &model]);
    assert_eq!(status, 0, "{stderr}");
    assert!(!Path::new("/tmp/out/0.txt").exists());
    let out = folder.path().join("out");
    let to = out.to_str().unwrap();
    let (status, _, stderr) = run(&["simulate", &model, "--output-dir", to, "--runs", "2"]);
    assert_eq!(status, 0, "{stderr}");
    for seed in ["1", "2"] {
        let read = |name: &str| fs::read_to_string(out.join(seed).join(name)).unwrap();
        assert_eq!((&*read("tmp/out/0.txt"), &*read("log.txt")), ("n is 0\n", "a"));
    }
    let one = folder.path().join("one");
    let (status, ..) = run(&["simulate", &model, "--output-dir", one.to_str().unwrap()]);
    assert_eq!((status, fs::read_to_string(one.join("log.txt")).unwrap().as_str()), (0, "a"));
}

#[test]
fn scripts_write_below_the_folder_that_the_user_names() {
    let folder = tempfile::tempdir().unwrap();
    let model = counter(&folder);
    let text = "val f = TextIO.openOut \"../../nodes.txt\"; \
                TextIO.output (f, Int.toString (NoOfNodes ())); TextIO.closeOut f;";
    let script = script(&folder, text);
    let (status, _, stderr) = run(&["ml", &model, &script]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("writing a file cannot be evaluated"), "{stderr}");
    assert!(stderr.contains("--output-dir"), "{stderr}");
    let out = folder.path().join("out");
    let (status, _, stderr) = run(&["ml", &model, &script, "--output-dir", out.to_str().unwrap()]);
    assert_eq!(
        (status, &*fs::read_to_string(out.join("nodes.txt")).unwrap()),
        (0, "2"),
        "{stderr}"
    );
}

#[test]
fn files_are_found_by_computed_names_and_in_further_folders() {
    let folder = tempfile::tempdir().unwrap();
    let model = counter(&folder);
    fs::create_dir(folder.path().join("lib")).unwrap();
    fs::write(folder.path().join("lib/queries.sml"), "fun doubled n = 2 * n;").unwrap();
    let text = "val path = \"C:\\\\models\\\\\" ^ String.map Char.toLower \"LIB\"; fun at f = path ^ \"/\" ^ f; \
                use (at \"queries.sml\"); doubled (NoOfNodes ());";
    let computed = script(&folder, text);
    let (status, value) = json(&["ml", &model, &computed]);
    assert_eq!((status, results(&value)), (0, vec!["4"]), "{value}");
    let named = script(&folder, "use \"queries.sml\"; doubled (NoOfNodes ());");
    let (status, _, stderr) = run(&["ml", &model, &named]);
    assert_eq!(status, 2);
    assert!(stderr.contains("--include"), "{stderr}");
    let lib = folder.path().join("lib");
    let (status, value) = json(&["ml", &model, &named, "--include", lib.to_str().unwrap()]);
    assert_eq!((status, results(&value)), (0, vec!["4"]), "{value}");
    // A model that uses a file in another folder.
    let used = folder.path().join("used.cpnt");
    let text = "val path = \"/home/author/\";\nuse (path ^ \"size.sml\");\ncolset NO = int;\nvar n : NO;\n\npage Top\n  \
                place Next : NO = 1`size\n\n  transition Count\n    guard n < 3\n    in Next: n\n    out Next: n + 1\n";
    fs::write(&used, text).unwrap();
    fs::write(lib.join("size.sml"), "val size = 1;").unwrap();
    let (status, _, stderr) = run(&["check", used.to_str().unwrap(), "--deadlock"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("--include DIR") && stderr.contains("--param"), "{stderr}");
    let include =
        ["check", used.to_str().unwrap(), "--deadlock", "--include", lib.to_str().unwrap()];
    let (status, stdout, stderr) = run(&include);
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.contains("Top'Next 1 - 1`2 + 1`3"), "{stdout}");
}

#[test]
fn reports_and_graphs_are_saved_below_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let model = file("stop-and-wait.cpn");
    let script = script(
        &folder,
        "OGSaveReport.SaveReport (true, true, true, true, true, true, true, true, \"report.txt\");\n\
         OGtoGraphviz.ExportStateSpace \"space.dot\"; OGtoGraphviz.ExportSccGraph \"scc.dot\";\n\
         OGtoGraphviz.ExportSuccessors (\"next.dot\", 1);",
    );
    let out = folder.path().join("out");
    let (status, _, stderr) = run(&["ml", &model, &script, "--output-dir", out.to_str().unwrap()]);
    assert_eq!(status, 0, "{stderr}");
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    // But for the date, and for the numbers of nodes, it is the report of the verb.
    let (_, expected, _) = run(&["report", &model]);
    let comparable = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::to_owned);
        lines
            .filter(|line| !line.contains("Report generated") && !line.contains("     ["))
            .collect()
    };
    assert_eq!(comparable(&read("report.txt")), comparable(&expected));
    let dot = read("space.dot");
    assert!(dot.starts_with("digraph cpn_tools_graph {\n  N1 [label=\"1:\\n"), "{}", &dot[..200]);
    assert!(
        dot.contains("  N1 -> N2 [ label=\"A1:1->2:Sender'Accept 1: {n=0}\" ];\n"),
        "{dot:.2000}"
    );
    assert!(dot.ends_with("}\n") && read("scc.dot").contains("  SCC1 -> SCC2 "));
    assert_eq!(read("next.dot").matches(" -> ").count(), 1);
}
