//! `report`: the same by every method, with what is wrong named, as text, data and a page.

use std::path::Path;
use std::process::Command;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use super::{json, model, run, seed};

/// A report without its date, and without what follows the order of visits and the clock.
fn settled(report: &str) -> Vec<String> {
    let line = |line: &str| match line.trim_start().find('[') {
        Some(at) if line.ends_with(']') => line[..line.len() - line.trim_start().len() + at].into(),
        _ if line.starts_with("     Secs:") => "     Secs:".to_owned(),
        _ => line.to_owned(),
    };
    report.lines().skip(3).map(line).collect()
}

#[test]
fn sweeps_and_full_exploration_report_the_same() {
    let csp = format!("{}/../../models/seeds/two-phase-commit.csp", env!("CARGO_MANIFEST_DIR"));
    let cases = [
        (model("stop-and-wait"), "sent + received"),
        (model("two-phase-commit"), "auto"),
        (seed("stop-and-wait"), "received"),
        (csp, "auto"),
    ];
    for (file, progress) in cases {
        let (_, full, _) = run(&["report", &file, "--method", "full", "--witness", "off"]);
        let sweep = ["report", &file, "--progress", progress, "--witness", "off"];
        let (_, swept, _) = run(&sweep);
        assert_eq!(settled(&swept), settled(&full), "{file}");
        assert!(full.contains("Status: Full"), "{full}");
        let (_, data) = json(&sweep);
        assert_eq!(data["method"], "sweep");
        assert!(data["sweep"]["peak_states"].as_u64() < data["nodes"].as_u64(), "{file}");
    }
}

#[test]
fn a_measure_that_goes_back_is_left_aside_and_it_says_so() {
    let file = model("stop-and-wait");
    let (status, report, stderr) = run(&["report", &file, "--progress", "received - sent"]);
    let (_, full, _) = run(&["report", &file, "--method", "full"]);
    assert_eq!((status, settled(&report)), (0, settled(&full)));
    assert!(stderr.contains("`received - sent` is not monotone"), "{stderr}");
}

#[test]
fn a_wrong_property_is_named_and_the_rest_reported() {
    let text = std::fs::read_to_string(seed("stop-and-wait")).unwrap();
    assert!(text.contains("property order: never"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.cpnt");
    std::fs::write(
        &file,
        text.replacen("property order: never", "property order: never nobody + ", 1),
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let empty = "hd nil = 1";
    let (status, data) = json(&["report", file, "--never", empty, "--never", "size Received > 1"]);
    assert_eq!((status, &data["nodes"], &data["status"]), (2, &950.into(), &"full".into()));
    let verdict = |name: &str| {
        let properties = data["properties"].as_array().unwrap();
        let found = properties.iter().find(|property| property["name"] == name);
        let found = found.unwrap_or_else(|| panic!("{name}: {data:#}"));
        (found["verdict"].as_str().unwrap(), found["error"].as_str().unwrap_or_default())
    };
    assert_eq!(verdict("order").0, "error");
    assert!(verdict("order").1.contains("nobody"), "{}", verdict("order").1);
    assert_eq!(verdict(empty).0, "error");
    assert!(verdict(empty).1.contains("Empty"), "{}", verdict(empty).1);
    assert_eq!((verdict("size Received > 1").0, verdict("ahead").0), ("holds", "holds"));
    let (status, report, stderr) = run(&["report", file, "--never", empty, "--witness", "off"]);
    assert_eq!(status, 2);
    assert!(report.contains("\n  order\n     Error:   ") && report.contains("Nodes:  950"));
    assert!(report.contains("\n  ahead\n     Kind:    never\n     Verdict: holds\n"), "{report}");
    assert!(stderr.contains("wrong.cpnt"), "{stderr}");
}

#[test]
fn a_part_of_a_state_space_is_reported_as_one() {
    let args = ["report", &model("stop-and-wait"), "--state-limit", "100", "--progress", "none"];
    let (status, report, stderr) = run(&args);
    assert_eq!(status, 3, "{stderr}");
    assert!(report.contains("Status: Partial") && !report.contains("Scc Graph"), "{report}");
    assert!(report.contains("  Home Markings\n     Unknown\n"), "{report}");
    let (_, data) = json(&args);
    assert_eq!((&data["structure"], &data["status"]), (&Value::Null, &"partial".into()));
}

#[test]
fn data_say_everything() {
    let file = model("stop-and-wait");
    let (status, data) =
        json(&["report", &file, "--progress", "sent + received", "--never", "received > 2"]);
    let structure = &data["structure"];
    assert_eq!(
        (status, &structure["components"], &structure["infinite_runs"]),
        (1, &437.into(), &true.into())
    );
    assert_eq!(structure["home_markings"]["count"], 1);
    assert_eq!(structure["home_markings"]["first"], data["dead_markings"]["first"]);
    let place = |name: &str| {
        let places = data["places"].as_array().unwrap().iter();
        places
            .filter(|place| place["place"] == name)
            .map(|p| (p["lower"].clone(), p["upper"].clone()))
            .next()
    };
    assert_eq!(place("received"), Some((0.into(), 20.into())));
    let steps = data["properties"][0]["witness"]["steps"].as_array().unwrap();
    assert!(steps.len() > 3 && !steps[0]["changes"].as_array().unwrap().is_empty());
    let points = data["sweep"]["points"].as_array().unwrap();
    assert_eq!(points.len(), 41);
    assert_eq!(points.iter().map(|p| p["states"].as_u64().unwrap()).sum::<u64>(), 1080);
}

/// A page with everything on it, and names that are not easy to write.
fn page(folder: &Path) -> String {
    let (page, file) = (folder.join("report.html"), seed("stop-and-wait"));
    let output = folder.join("report.txt");
    let (status, stdout, stderr) = run(&[
        "report",
        &file,
        "--progress",
        "received",
        "--param",
        "packets=40",
        "--never",
        "size Received < 0 orelse \"<&>\" = \"\"",
        "--never",
        "nobody",
        "--html",
        page.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ]);
    assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    let text = std::fs::read_to_string(output).unwrap();
    assert!(text.contains("Nodes:  10706") && !text.contains('\u{1b}'), "{text}");
    std::fs::read_to_string(page).unwrap()
}

#[test]
fn the_page_stands_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let (mut reader, mut ids, mut depth) = (Reader::from_str(&page), Vec::new(), 0);
    reader.config_mut().check_end_names = true;
    loop {
        match reader.read_event().expect("it is well formed") {
            Event::Start(start) => {
                depth += 1;
                for attribute in start.attributes().map(|a| a.expect("an attribute")) {
                    let value = attribute.unescape_value().expect("a value").into_owned();
                    match attribute.key.as_ref() {
                        b"id" => ids.push(value),
                        b"href" => assert!(value.starts_with('#'), "{value}"),
                        key => assert!(![&b"src"[..], b"srcset", b"data"].contains(&key)),
                    }
                }
            }
            Event::End(_) => depth -= 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    let sections = ["sweep", "components", "bounds", "home", "liveness", "fairness"];
    let own: Vec<&String> = ids.iter().filter(|id| sections.contains(&id.as_str())).collect();
    assert_eq!(own, sections);
    assert!(ids.starts_with(&["properties".to_owned(), "p1".to_owned()]), "{ids:?}");
    // Properties `p1` to `p8`, some with a trace `t5`.
    let is_number = |id: &&String| id[1..].parse::<u8>().is_ok_and(|number| number <= 8);
    let numbered = ids.iter().filter(|id| id.starts_with(['p', 't'])).filter(is_number).count();
    assert_eq!((numbered, ids.len()), (10, 1 + sections.len() + 10), "{ids:?}");
    for fetching in ["url(", "@import", "fetch(", "XMLHttp", "import(", "http:", "https:"] {
        assert!(!page.contains(fetching), "{fetching}");
    }
    // The verdicts come before everything else.
    let first = page.find("class=\"badge").expect("a badge");
    assert!(first < page.find("class=\"tiles\"").expect("tiles"), "verdicts come first");
    assert!(page.contains("&lt;&amp;&gt;"), "names are escaped");
}

/// Loads the page in a frame and writes what a reader would see of it.
const LOOK: &str = r#"
const frame = document.getElementById('frame'), said = {};
frame.onload = () => {
  const page = frame.contentDocument, style = (of) => frame.contentWindow.getComputedStyle(of);
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map((c) => c / 255)
      .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = light(style(page.body).backgroundColor);
  const contrast = (of, key) => {
    const own = light(style(of)[key]);
    return (Math.max(own, back) + 0.05) / (Math.min(own, back) + 0.05);
  };
  said.dark = back < 0.2;
  const texts = [...page.querySelectorAll('h1, p, td, del, ins, li, .chart span')];
  said.contrast = Math.min(...texts.map((text) => contrast(text, 'color')));
  const box = (of) => of.getBoundingClientRect();
  said.charts = [...page.querySelectorAll('.plot')].map(box).map((of) => [of.width, of.height]);
  said.badges = [...page.querySelectorAll('header .badge')].map((of) => [of.textContent, box(of).bottom]);
  said.keys = ['line', 'bars'].map((key) => frame.contentWindow
    .getComputedStyle(page.querySelector('.key.' + key), '::before').backgroundColor);
  said.drawn = [style(page.querySelector('path.stored')).stroke, style(page.querySelector('rect.bar')).fill];
  const labels = [...page.querySelectorAll('.plot')].map((plot) => [...plot.querySelectorAll('.x')].map(box)
    .filter((of) => of.width > 0));
  said.overlaps = labels.flatMap((row) => row.slice(1).filter((of, at) => row[at].right > of.left)).length;
  said.fonts = Math.min(...[...page.querySelectorAll('.plot span')].map((of) => parseFloat(style(of).fontSize)));
  said.bars = page.querySelectorAll('rect.bar').length;
  said.wider = page.documentElement.scrollWidth - page.documentElement.clientWidth;
  const trace = page.querySelector('.trace');
  if (trace) {
    const button = (at) => trace.querySelectorAll('.pages button')[at].click();
    const rows = () => trace.querySelectorAll('tbody tr');
    const number = (of) => of.querySelector('td').textContent;
    said.pages = [trace.querySelector('.pages').hidden, rows().length];
    button(3);
    said.last = number([...rows()].pop());
    const states = trace.querySelectorAll('.states a');
    states[0].click();
    said.linked = [number(trace.querySelector('tr.here')), states[0].className];
    states[states.length - 1].click();
    said.linked.push(number(trace.querySelector('tr.here')));
    [...rows()].pop().click();
    said.linked.push(states[states.length - 1].className);
    const goal = trace.querySelector('input');
    goal.value = 150;
    goal.dispatchEvent(new Event('change'));
    said.linked.push(number(trace.querySelector('tr.here')));
    said.wide = page.documentElement.scrollWidth - page.documentElement.clientWidth;
  }
  document.getElementById('said').textContent = JSON.stringify(said);
};
"#;

/// What the browser says of the page; `None` where there is no browser.
fn look(folder: &Path, page: &str, dark: bool, width: u32) -> Option<Value> {
    let quoted = page.replace('&', "&amp;").replace('"', "&quot;");
    let frame = format!(
        "<!DOCTYPE html><meta charset=utf-8><iframe id=frame width={width} height=900></iframe><pre id=said></pre>\
         <script>{LOOK}</script><script>frame.srcdoc = document.getElementById('page').value</script>"
    );
    // The page comes before the scripts that show it.
    let frame = frame.replace(
        "<pre id=said>",
        &format!("<textarea id=page hidden>{quoted}</textarea><pre id=said>"),
    );
    let file = folder.join("frame.html");
    std::fs::write(&file, frame).unwrap();
    let mut browser = Command::new("chromium");
    browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000"]);
    browser.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    let scheme = if dark { 0 } else { 1 };
    browser.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
    browser.arg("--dump-dom").arg(format!("file://{}", file.display()));
    let output = browser.output().ok()?;
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = dom.rsplit_once("<pre id=\"said\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let said = said.unwrap_or_else(|| panic!("{dom}\n{}", String::from_utf8_lossy(&output.stderr)));
    Some(serde_json::from_str(said.0).unwrap_or_else(|e| panic!("{e}: {}", said.0)))
}

#[test]
fn a_browser_shows_the_page_in_light_and_dark() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    for (dark, width) in [(false, 1000), (true, 1000), (false, 400)] {
        let Some(said) = look(folder.path(), &page, dark, width) else {
            return println!("skipped: no chromium");
        };
        assert_eq!(said["dark"], dark, "{said}");
        assert!(said["contrast"].as_f64() >= Some(4.5), "{said}");
        assert_eq!(said["charts"].as_array().map(Vec::len), Some(2), "{said}");
        for chart in said["charts"].as_array().unwrap() {
            assert!(chart[0].as_f64() > Some(250.0) && chart[1].as_f64() > Some(150.0), "{said}");
        }
        let badges = said["badges"].as_array().unwrap();
        assert!(badges.iter().any(|badge| badge[0] == "error") && badges.len() > 2, "{said}");
        assert!(badges.iter().all(|badge| badge[1].as_f64() < Some(900.0)), "first screen: {said}");
        assert_eq!(said["keys"], said["drawn"], "the legend has the colours of the chart");
        assert_eq!(said["overlaps"], 0, "{said}");
        assert!(said["fonts"].as_f64() >= Some(11.0), "{said}");
        assert!(said["bars"].as_u64() > Some(40), "{said}");
        assert_eq!(said["wider"], 0, "nothing sticks out: {said}");
    }
}

/// A trace of 100,000 steps is a page of moderate size that shows 200 steps at a time.
#[test]
fn long_traces_are_shown_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    let (page, file) = (folder.path().join("long.html"), model("stop-and-wait"));
    let output = folder.path().join("long.txt");
    let (status, _, stderr) = run(&[
        "report",
        &file,
        "--init",
        "to_send=20000",
        "--progress",
        "sent + received",
        "--never",
        "received = 20000",
        "--html",
        page.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ]);
    assert_eq!(status, 1, "{stderr}");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, steps) = page.split_once("counterexample, ").unwrap();
    let steps = steps.split(' ').next().unwrap().replace(',', "");
    let steps: usize = steps.parse().unwrap();
    assert!(steps > 75_000, "{steps}");
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("<tr data-row=").count(), 200);
    let Some(said) = look(folder.path(), &page, false, 400) else {
        return println!("skipped: no chromium");
    };
    assert_eq!(said["pages"], serde_json::json!([false, 200]), "{said}");
    let last = said["last"].as_str().unwrap().replace(',', "");
    assert_eq!(last, steps.to_string(), "{said}");
    let linked = &said["linked"];
    assert_eq!((&linked[0], &linked[1]), (&"0".into(), &"initial here".into()), "{said}");
    assert_eq!(linked[2], said["last"], "{said}");
    assert_eq!((&linked[3], &linked[4]), (&"last here".into(), &"150".into()), "{said}");
    assert_eq!(said["wide"], 0, "nothing sticks out: {said}");
}
