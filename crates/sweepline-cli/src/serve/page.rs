//! The page, and the files that it loads. All of them are in the binary.

use std::fmt::Write;

use sweepline_serve::Asset;

use super::request::{Kind, Settings};
use crate::draw::{STYLE, arrowheads, escaped};

const PAGE: &str = include_str!("page/page.html");
const CSS: &str = include_str!("page/page.css");

/// The scripts, each with its name.
const SCRIPTS: [(&str, &str); 7] = [
    ("main.js", include_str!("page/main.js")),
    ("ask.js", include_str!("page/ask.js")),
    ("view.js", include_str!("page/view.js")),
    ("trace.js", include_str!("page/trace.js")),
    ("checks.js", include_str!("page/checks.js")),
    ("graph.js", include_str!("page/graph.js")),
    ("news.js", include_str!("page/news.js")),
];

/// The page of a model, which its file and its parameters belong to.
pub(super) fn page(model: &str, file: &str, settings: &Settings) -> String {
    let mut kinds = String::new();
    for (kind, words, text) in Kind::ALL {
        let _ = writeln!(
            kinds,
            "<option value=\"{}\" data-text=\"{}\">{words}</option>",
            kind.option(),
            text.unwrap_or_default()
        );
    }
    let process = settings.process.clone().unwrap_or_default();
    let parts = [
        ("MODEL", escaped(model)),
        ("FILE", escaped(file)),
        ("PARAM", escaped(&settings.param.join("\n"))),
        ("INIT", escaped(&settings.init.join("\n"))),
        ("PROCESS", escaped(&process)),
        ("KINDS", kinds),
        ("ARROWHEADS", arrowheads()),
    ];
    filled(PAGE, &parts)
}

/// `text` with each `{{NAME}}` replaced. What is put in is not looked at again.
fn filled(text: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::with_capacity(text.len() + 1024);
    let mut pieces = text.split("{{");
    page.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        let part = parts.iter().find(|(known, _)| *known == name);
        page.push_str(part.map_or("", |(_, value)| value));
        page.push_str(rest);
    }
    page
}

/// A file that the page loads.
pub(super) fn asset(name: &str) -> Option<Asset> {
    if name == "page.css" {
        // The classes of drawings mean something in drawings only.
        let text = format!("{CSS}\nsvg.drawing {{\n{STYLE}}}\n");
        return Some(Asset { media_type: "text/css; charset=utf-8", text: text.into() });
    }
    let (_, text) = SCRIPTS.iter().find(|(known, _)| *known == name)?;
    Some(Asset { media_type: "text/javascript; charset=utf-8", text: (*text).into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_not_filled_in_again() {
        let settings = Settings {
            param: vec!["</textarea><script>alert(1)</script>".into()],
            ..Settings::default()
        };
        let page = page("<script>{{FILE}}</script>", "\"quoted\" {{MODEL}}", &settings);
        assert!(page.contains("&lt;script&gt;{{FILE}}&lt;/script&gt;"), "{page}");
        assert!(!page.contains("alert(1)</script>"), "{page}");
        assert_eq!(page.matches("<script").count(), 1, "only the page's own script");
    }

    /// The policy of the server allows no script or style inside the page.
    #[test]
    fn the_page_has_no_script_or_style_inside() {
        let page = page("model", "file", &Settings::default());
        for inside in ["<style", " style=", " onclick", " onload", "javascript:"] {
            assert!(!page.contains(inside), "{inside}");
        }
        assert!(page.contains("<script type=\"module\" src=\"main.js\"></script>"));
        for (name, text) in SCRIPTS {
            assert!(asset(name).is_some());
            for line in text.lines().filter(|line| line.starts_with("import")) {
                let from = line.split('\'').nth(1).expect("a module");
                let from = from.strip_prefix("./").expect("a module of the page");
                assert!(asset(from).is_some(), "{name}: {line}");
            }
            for call in ["eval(", "new Function", "document.write", "http://", "https://"] {
                assert!(!text.contains(call), "{name}: {call}");
            }
        }
        assert!(asset("../page.rs").is_none() && asset("").is_none());
    }
}
