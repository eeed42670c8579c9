//! What a person does on the page, in a browser. Without `chromium`, these tests are skipped with a message.

use std::time::Instant;

use serde_json::{Value, json};

use super::browser::{Browser, Page};
use super::{Served, args, copy, model};

/// Runs a test in a browser, if there is one. Scripts must not fail, and the policy must block nothing.
fn browsing(test: impl FnOnce(&Browser)) {
    let Some(browser) = Browser::start() else { return println!("skipped: no chromium") };
    test(&browser);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

impl Page<'_> {
    /// Waits until the page shows the state at a position of its trace.
    #[track_caller]
    fn at(&self, at: u64) {
        self.wait(&format!("document.querySelector('.row.here')?.dataset.at === '{at}'"));
    }

    /// The number of steps of the trace, by the address.
    fn steps(&self) -> usize {
        let steps = self.value("new URLSearchParams(location.hash.slice(1)).get('steps')");
        steps.as_str().map_or(0, |steps| steps.split('.').count())
    }

    /// The shapes of the page are in the window: nothing sticks out on the right.
    fn fits(&self) -> bool {
        self.value("document.documentElement.scrollWidth <= innerWidth") == true
    }
}

#[test]
fn every_kind_of_model_is_stepped_through() {
    browsing(|browser| {
        for (name, is_drawn) in [
            ("mutex-broken.pnml", true),
            ("protocol.cpn", true),
            ("seeds/sliding-window.cpnt", true),
            ("csp/philosophers.csp", false),
        ] {
            let server = Served::start(&args(name));
            let page = browser.open(&server.url, 1280, false);
            page.at(0);
            let drawings = page.value("document.querySelectorAll('#drawing svg').length");
            assert_eq!(drawings, u64::from(is_drawn), "{name}");
            let parts = page.value("document.querySelectorAll('#parts .part').length");
            assert_eq!(parts == 0, is_drawn, "{name}");
            // A step by the list, one by its key, one at random.
            page.click("#enabled button");
            page.at(1);
            page.press("1", "Digit1");
            page.at(2);
            page.press("r", "KeyR");
            page.at(3);
            assert_eq!(page.steps(), 3, "{name}");
            page.press("ArrowLeft", "ArrowLeft");
            page.at(2);
            assert!(page.text("#position").contains("After step 2 of 3"), "{name}");
            page.click("#restart");
            page.at(0);
            page.press("End", "End");
            page.at(3);
            page.picture(&format!("step-{}", name.replace(['/', '.'], "-")));
            // The same address shows the same state.
            let (happened, address) = (page.text("#happened"), page.value("location.href"));
            let other = browser.open(address.as_str().unwrap(), 1280, false);
            other.at(3);
            assert_eq!(other.text("#happened"), happened, "{name}");
        }
    });
}

#[test]
fn a_transition_of_the_drawing_is_clicked() {
    browsing(|browser| {
        let server = Served::start(&[&model("mutex-broken.pnml")]);
        let page = browser.open(&server.url, 1280, false);
        let lit = "document.querySelectorAll('#drawing [data-transition]').length";
        assert_eq!(page.value(lit), 2);
        page.click("#drawing [data-transition]");
        page.at(1);
        assert_eq!(page.text("#happened code"), "look_1");
        // All of the drawing fits.
        page.click("#zoom-in");
        page.click("#zoom-fit");
        let place = "document.querySelector('#drawing')";
        page.wait(&format!("{place}.scrollHeight <= {place}.clientHeight + 1"));
        // By keyboard: enabled transitions can be focused.
        page.value("document.querySelector('#drawing [data-transition]').focus()");
        page.press("Enter", "Enter");
        page.at(2);
        // A coloured transition with several bindings offers them.
        let server = Served::start(&[&model("symmetric/database.cpnt")]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#drawing [data-transition]");
        page.wait("document.querySelectorAll('.bindings button').length > 1");
        let second = page.text(".bindings button:nth-child(2)");
        page.picture("bindings");
        page.click(".bindings button:nth-child(2)");
        page.at(1);
        assert_eq!(page.text("#happened code"), second);
    });
}

#[test]
fn pages_of_a_net_are_opened_by_their_substitution_transitions() {
    browsing(|browser| {
        let server = Served::start(&[&model("protocol.cpn")]);
        let page = browser.open(&server.url, 1280, false);
        let shown = || page.text("#pages [aria-pressed=true]");
        assert_eq!(shown(), "Protocol");
        page.click("#drawing [data-page]");
        page.wait("document.querySelector('#pages [aria-pressed=true]').textContent.startsWith('Network')");
        page.click("#pages button");
        assert_eq!(shown(), "Protocol");
    });
}

#[test]
fn a_deadlock_is_found_and_its_counterexample_opened_at_step_seven() {
    browsing(|browser| {
        let server = Served::start(&[&model("philosophers.pnml")]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#tab-check");
        page.choose("#typed select", "deadlock");
        page.click("#check-run");
        page.wait("document.querySelector('.job .badge.violated')");
        page.picture("check-deadlock");
        let longest = page.value("Number(document.querySelector('.open input').max)");
        assert!(longest.as_u64() >= Some(4), "{longest}");
        page.write(".open input", &longest.to_string());
        page.click(".open button");
        page.at(longest.as_u64().unwrap());
        assert!(page.text("#ended").contains("Deadlock"), "{}", page.text("#ended"));
        assert_eq!(page.text("#enabled-title"), "Enabled steps: none");
        page.picture("deadlock");
        // And one with more than seven steps, at step seven.
        let server = Served::start(&[&model("stop-and-wait.pnml")]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#tab-check");
        page.choose("#typed select", "deadlock");
        page.click("#check-run");
        page.wait("document.querySelector('.job .open')");
        page.write(".open input", "7");
        page.click(".open button");
        page.at(7);
        assert!(
            page.text("#position").starts_with("After step 7 of "),
            "{}",
            page.text("#position")
        );
        page.press("ArrowRight", "ArrowRight");
        page.at(8);
        page.picture("counterexample");
    });
}

#[test]
fn a_parameter_is_changed() {
    browsing(|browser| {
        let server = Served::start(&[&model("stop-and-wait.pnml")]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#random");
        page.at(1);
        page.click("#settings-open");
        page.wait("document.querySelector('dialog[open]')");
        page.picture("parameters");
        page.write("#init", "to_send=2");
        page.click("#settings-form .strong");
        page.at(0);
        let address = page.value("decodeURIComponent(location.hash)");
        assert!(address.as_str().unwrap().contains("init=to_send=2"), "{address}");
        page.click("#tab-check");
        page.wait("document.querySelector('#typed .typed')");
        page.click("#typed .remove");
        page.click("#check-run");
        page.wait("/[0-9] states/.test(document.querySelector('.job')?.textContent)");
        // A place that is not there is refused in words, and the run stays.
        page.click("#settings-open");
        page.wait("document.querySelector('dialog[open]')");
        page.write("#init", "nothing=2");
        page.click("#settings-form .strong");
        page.wait("document.querySelector('#message pre').textContent.includes('there is no place `nothing`')");
        page.picture("refused");
    });
}

#[test]
fn the_chart_of_a_check_moves_and_the_check_is_stopped() {
    browsing(|browser| {
        let server = Served::start(&[&model("stop-and-wait.pnml"), "--init", "to_send=5000000"]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#tab-check");
        page.choose("#typed select", "never");
        page.write("#typed input", "received > sent + 1");
        page.write("#progress", "sent + received");
        page.click("#check-run");
        page.wait("document.querySelector('.job.running figure svg')");
        let chart = || page.value("document.querySelector('.job figure').innerHTML");
        let first = chart();
        page.wait(&format!(
            "document.querySelector('.job figure').innerHTML !== {}",
            json!(first.as_str().unwrap())
        ));
        page.wait("[...document.querySelectorAll('.tile')].some((one) => one.textContent.includes('line at'))");
        page.picture("sweep");
        // The page answers while the check runs.
        page.click("#tab-simulate");
        page.click("#random");
        page.at(1);
        page.click("#tab-check");
        page.click(".job .bar button");
        page.wait("!document.querySelector('.job.running')");
        assert!(page.text(".job").contains("Incomplete"), "{}", page.text(".job"));
        assert_eq!(page.text(".job .badge"), "unknown");
    });
}

#[test]
fn expressions_are_watched_as_columns_and_drawn() {
    browsing(|browser| {
        let server = Served::start(&[&model("stop-and-wait.pnml")]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#random-many");
        page.at(20);
        page.write("#watch-text", "sent + received");
        page.press("Enter", "Enter");
        page.wait("document.querySelector('.row.here .value')?.textContent > 0");
        page.wait("document.querySelector('#plot svg .curve')");
        page.write("#watch-text", "nonsense >");
        page.press("Enter", "Enter");
        page.wait("!document.querySelector('#message').hidden");
        page.picture("watched");
        page.click("#watched button");
        page.wait("document.querySelector('#plot').hidden");
    });
}

#[test]
fn the_state_graph_grows_and_says_how_to_get_to_a_state() {
    browsing(|browser| {
        let server = Served::start(&[&model("mutex-broken.pnml")]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#tab-graph");
        page.wait("document.querySelector('#graph-drawing [data-state]')");
        let states = "document.querySelectorAll('#graph-drawing [data-state]').length";
        let before = page.value(states).as_u64().unwrap();
        assert_ne!(page.value("document.querySelectorAll('[data-state].incomplete').length"), 0);
        page.click("#graph-drawing [data-state].incomplete");
        page.click("#graph-expand");
        page.wait(&format!("{states} > {before}"));
        page.picture("graph");
        let single = page.value(states).as_u64();
        page.write("#graph-merge-text", "inside_1");
        page.press("Enter", "Enter");
        page.wait(&format!("{states} < {}", single.unwrap()));
        page.picture("merged");
        page.write("#graph-merge-text", "");
        page.value("document.querySelector('#graph-merge').requestSubmit()");
        page.wait(&format!("{states} === {}", single.unwrap()));
        let last = page.value(&format!("{states} - 1"));
        page.click(&format!("#graph-drawing [data-state='{last}']"));
        page.click("#graph-way");
        page.wait("document.querySelector('.job .badge.holds')");
        page.click(".open button");
        page.wait("document.querySelector('.row.here')?.dataset.at > 0");
    });
}

#[test]
fn a_sequence_chart_has_a_line_for_each_process() {
    browsing(|browser| {
        let server = Served::start(&args("csp/philosophers.csp"));
        let page = browser.open(&server.url, 1280, false);
        page.click("#random-many");
        page.wait("document.querySelector('.row.here')?.dataset.at > 2");
        page.click("#tab-sequence");
        page.wait("document.querySelectorAll('#sequence-drawing [data-step]').length > 2");
        page.picture("sequence");
    });
}

#[test]
fn a_model_that_was_changed_can_be_reloaded() {
    browsing(|browser| {
        let folder = tempfile::tempdir().unwrap();
        let file = copy(&folder, "mutex-broken.pnml");
        let server = Served::start(&[file.to_str().unwrap()]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#tab-check");
        page.choose("#typed select", "deadlock");
        page.click("#check-run");
        page.wait("document.querySelector('.job .badge')");
        assert_eq!(page.value("document.querySelector('.job .unsure').hidden"), true);
        page.click("#tab-simulate");
        page.click("#random");
        page.at(1);
        assert_eq!(page.value("document.querySelector('#banner').hidden"), true);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("outside_2", "elsewhere_2")).unwrap();
        page.wait("!document.querySelector('#banner').hidden");
        page.wait("!document.querySelector('.job .unsure').hidden");
        page.picture("changed");
        page.click("#reload");
        page.wait("document.querySelector('#drawing').textContent.includes('elsewhere_2')");
        page.at(1);
        page.wait("document.querySelector('#banner').hidden");
    });
}

/// A run of 100,000 steps: the page shows it soon, and any part of it.
#[test]
fn a_long_counterexample_opens_soon_and_scrolls() {
    browsing(|browser| {
        let server = Served::start(&[&model("stop-and-wait.pnml"), "--init", "to_send=25000"]);
        let page = browser.open(&server.url, 1280, false);
        page.click("#tab-check");
        page.choose("#typed select", "never");
        page.write("#typed input", "received = 25000");
        page.write("#progress", "sent + received");
        page.click("#check-run");
        page.wait("document.querySelector('.job .open')");
        let length = page.value("Number(document.querySelector('.open input').max)");
        assert!(length.as_u64() >= Some(99_000), "{length}");
        let started = Instant::now();
        page.click(".open button");
        page.at(length.as_u64().unwrap());
        println!("{length} steps opened in {:?}", started.elapsed());
        assert!(page.value("document.querySelectorAll('.row').length").as_u64() < Some(100));
        for part in [0.0, 0.5, 0.999] {
            page.value(&format!(
                "document.querySelector('#rows').scrollTop = {part} * document.querySelector('#rows').scrollHeight"
            ));
            let wanted = (part * length.as_f64().unwrap()) as u64;
            page.wait(&format!(
                "(() => {{ const shown = [...document.querySelectorAll('.row')].map((row) => Number(row.dataset.at)); \
                 return Math.min(...shown) <= {wanted} + 50 && Math.max(...shown) >= {wanted} - 150; }})()"
            ));
        }
        page.picture("long");
        page.write("#goto-step", "50000");
        page.press("Enter", "Enter");
        page.at(50_000);
        page.click("#back");
        page.at(49_999);
    });
}

#[test]
fn ten_pages_at_once_hear_of_a_check() {
    browsing(|browser| {
        let server = Served::start(&[&model("philosophers.pnml")]);
        let pages: Vec<Page<'_>> =
            (0..10).map(|_| browser.open(&server.url, 1000, false)).collect();
        for page in &pages {
            page.click("#tab-check");
        }
        pages[9].choose("#typed select", "deadlock");
        pages[9].click("#check-run");
        for page in &pages {
            page.wait("document.querySelector('.job .badge.violated')");
        }
        for page in &pages {
            page.click("#tab-simulate");
            page.click("#random");
            page.at(1);
        }
    });
}

/// Names and contrasts in light and dark, and on the width of a phone.
#[test]
fn the_page_is_readable_and_its_controls_have_names() {
    const UNNAMED: &str = "[...document.querySelectorAll('button, input, select, textarea, [role=button]')].filter((one) => \
         !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length || one.closest('template'))).map((one) => one.outerHTML)";
    const CONTRAST: &str = "(() => { const channel = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }; \
         const light = (c) => { const [r, g, b] = c.match(/[0-9.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); }; \
         const behind = (one) => { while (one) { const c = getComputedStyle(one).backgroundColor; if (!/, 0\\)|transparent/.test(c)) return c; one = one.parentElement; } return 'rgb(255,255,255)'; }; \
         let least = 99; for (const one of document.querySelectorAll('h1, p, code, button:enabled, .row span, label, .tile span, .badge')) { \
         if (!one.offsetParent || !one.textContent.trim()) continue; \
         const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x); least = Math.min(least, (a + 0.05) / (b + 0.05)); } return least; })()";
    browsing(|browser| {
        let server = Served::start(&[&model("protocol.cpn")]);
        for (is_dark, width) in [(false, 1280), (true, 1280), (false, 390), (true, 390)] {
            let page = browser.open(&server.url, width, is_dark);
            let look = if is_dark { "dark" } else { "light" };
            page.click("#random-many");
            page.wait("document.querySelector('.row.here')?.dataset.at > 2");
            for view in ["simulate", "check", "graph", "sequence"] {
                page.click(&format!("#tab-{view}"));
                if view == "check" {
                    page.choose("#typed select", "deadlock");
                    page.click("#check-run");
                    page.wait("document.querySelector('.job .badge')");
                }
                if view == "graph" || view == "sequence" {
                    page.wait(&format!("document.querySelector('#{view}-drawing svg')"));
                }
                page.picture(&format!("{view}-{look}-{width}"));
                assert!(page.fits(), "{view} {look} {width}");
                let contrast = page.value(CONTRAST);
                assert!(contrast.as_f64() >= Some(4.5), "{view} {look} {width}: {contrast}");
                assert_eq!(page.value(UNNAMED), Value::Array(Vec::new()), "{view}");
            }
            let dark = page.value("matchMedia('(prefers-color-scheme: dark)').matches");
            assert_eq!(dark, is_dark);
        }
        let page = browser.open(&server.url, 1280, false);
        page.press("?", "Slash");
        page.wait("document.querySelector('#help[open]')");
        page.picture("keys");
    });
}
