//! Typical mistakes, each with the message it gets: what is wrong, and what to write instead.

use std::path::PathBuf;

use super::run;

/// The words of the command line after `sweepline`, with models below `models/`; then parts of the message.
const MISTAKES: &[(&str, &[&str])] = &[
    // Names.
    (
        "check mutex-broken.pnml --never|insde_1 > 1",
        &["no place `insde_1`", "did you mean `inside_1`?"],
    ),
    ("check mutex-broken.pnml --never|xyzzy > 1", &["no place `xyzzy`", "the places include"]),
    (
        "check mutex-broken.pnml --live entr_1",
        &["no transition `entr_1`", "did you mean `enter_1`?"],
    ),
    (
        "check mutex-broken.pnml --ltl|G F entr_1",
        &["no transition `entr_1`", "did you mean `enter_1`?"],
    ),
    ("check stop-and-wait.pnml --init to_snd=5", &["`to_snd`", "did you mean `to_send`?"]),
    ("check stop-and-wait.pnml --progress|sent + recieved", &["did you mean `received`?"]),
    ("check seeds/stop-and-wait.csp --process SYSTM --deadlock", &["`SYSTM`", "`SYSTEM`"]),
    ("check seeds/stop-and-wait.csp --property 9", &["no property `9`", "1 SYSTEM"]),
    ("check protocol.cpn --never|size Snt > 1", &["`Snt`", "did you mean `Sent`?"]),
    ("check protocol.cpn --param lst=3", &["`val lst = ...`", "did you mean `last`?"]),
    ("help progres", &["no topic `progres`", "did you mean `progress`?"]),
    // Another language's syntax.
    (
        "check mutex-broken.pnml --never|inside_1 = 1 andalso inside_2 = 1",
        &["found `andalso`", "`and`"],
    ),
    (
        "check protocol.cpn --never|size Sent = 1 and size Received = 2",
        &["found `and`", "`andalso`"],
    ),
    ("check protocol.cpn --never|size Sent == 1", &["write `=`"]),
    ("check mutex-broken.pnml --ltl|G (inside_1 > 0)", &["braces", "{"]),
    ("check mutex-broken.pnml --ltl|G inside_1", &["`{inside_1 > 0}`"]),
    ("check mutex-broken.pnml --ctl|G look_1", &["needs a quantifier", "`AG`"]),
    // Types.
    ("check mutex-broken.pnml --never inside_1", &["a condition, found a number", "> 0"]),
    ("check mutex-broken.pnml --bound|inside_1 > 0", &["a number, found a condition"]),
    ("check protocol.cpn --never|Sent > 1", &["`size Sent`"]),
    // Quotes.
    (
        "check protocol.cpn --never size Sent",
        &["unexpected argument 'Sent'", "in quotes: --never 'sent > 3'"],
    ),
    ("check mutex-broken.pnml --never|my place > 1", &["double quotes: `\"my place\"`"]),
    // Files.
    ("check missing.pnml", &["missing.pnml", "No such file"]),
    ("check @../README.md", &["cannot tell the format", "--format"]),
    (
        "check stop-and-wait.pnml --property-file @stop-and-wait.pnml",
        &["`<pnml>`", "`<property-set>`"],
    ),
    ("graph mutex-broken.pnml -o x.png", &["`x.png`", ".svg"]),
    ("compare mutex-broken.pnml --figure x.png", &["'x.png'", "ends in .svg"]),
    ("check mutex-broken.pnml --deadlock --trace -", &["'-'", "name a file"]),
    // Options without effect, and options that exclude each other.
    ("check mutex-broken.pnml --window 3", &["`--window` has no effect", "--progress auto"]),
    ("check mutex-broken.pnml --gc 100", &["`--gc` has no effect", "--progress auto"]),
    (
        "check stop-and-wait.pnml --valid-end|sent = 20",
        &["`--valid-end` has no effect", "--deadlock"],
    ),
    ("check stop-and-wait.pnml --cache 100", &["`--cache` cannot be used", "--method cache"]),
    (
        "check stop-and-wait.pnml --deadlock --stubborn --checkpoint x",
        &["`--checkpoint` cannot be used with a reduction"],
    ),
    ("check stop-and-wait.pnml --param n=5", &["`--param` cannot be used", "--init PLACE=N"]),
    ("check stop-and-wait.pnml --progress auto:9", &["9", "sweepline progress"]),
    // Slips.
    ("check mutex-broken.pnml --deadlok", &["'--deadlok'", "'--deadlock'"]),
    ("chek mutex-broken.pnml", &["'chek'", "'check'"]),
    ("check mutex-broken.pnml --time-limit 5x", &["'5x'", "`90s`"]),
];

#[test]
fn typical_mistakes_say_what_to_write() {
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut wrong = Vec::new();
    for (line, parts) in MISTAKES {
        // An argument after `|` has spaces.
        let (words, last) = line.split_once('|').map_or((*line, None), |(a, b)| (a, Some(b)));
        let word = |word: &str| {
            let (name, is_file) = match word.strip_prefix('@') {
                Some(name) => (name, true),
                None => (word, [".pnml", ".cpn", ".csp"].iter().any(|end| word.ends_with(end))),
            };
            if is_file { models.join(name).to_str().unwrap().to_owned() } else { name.to_owned() }
        };
        let words: Vec<String> =
            words.split(' ').map(word).chain(last.map(str::to_owned)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (status, results, message) = run(&words);
        let unfolded: Vec<&str> =
            message.split_whitespace().filter(|word| !["|", "│"].contains(word)).collect();
        let message = unfolded.join(" ");
        let missing = parts.iter().find(|part| !message.contains(*part));
        if status != 2 || !results.is_empty() || missing.is_some() {
            wrong.push(format!("{line}: status {status}, no {missing:?} in: {message}"));
        }
    }
    assert!(MISTAKES.len() >= 25 && wrong.is_empty(), "{}", wrong.join("\n\n"));
}
