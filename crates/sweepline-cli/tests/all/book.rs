//! Every command of the book and of the README runs, and prints what stands there.
//!
//! A block of `console` has commands after `$ ` and their output below; a line `…` stands for any lines, and a command without output
//! must be one that is understood. A block of `cpnt NAME`, `csp NAME` or `sml NAME` is a file that the commands below it find. Times and sizes of the process
//! differ from run to run: of lines that begin with `time`, `memory` or `found` only the words count, and a time in parentheses at the
//! end of a line does not, nor one in its last column.
//!
//! `SWEEPLINE_BLESS=1` writes the output of commands into the pages, where they show all of it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command and what it prints, with the line it stands in; or the name of a file, and what is in it.
struct Example {
    line: usize,
    is_file: bool,
    command: String,
    output: Vec<String>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let (mut console, mut file) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        let name =
            ["```cpnt ", "```csp ", "```sml "].iter().find_map(|kind| line.strip_prefix(kind));
        let command = line.strip_prefix("$ ").filter(|_| console);
        if let Some(command) = name.or(command) {
            (console, file) = (name.is_none(), name.is_some());
            let (command, output) = (command.to_owned(), Vec::new());
            examples.push(Example { line: number, is_file: file, command, output });
        } else if line.starts_with("```") {
            (console, file) = (line == "```console", false);
        } else if let (true, Some(example)) = (console || file, examples.last_mut()) {
            example.output.push(line.trim_end().to_owned());
        }
    }
    examples
}

/// A folder with the models, in which commands may leave files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for below in ["models", "models/seeds", "models/endless", "models/symmetric"] {
        std::fs::create_dir(folder.path().join(below)).expect("a folder can be made");
        let files = std::fs::read_dir(root().join(below)).expect("the models are there");
        for file in files.map(|file| file.expect("a model").path()).filter(|file| file.is_file()) {
            let to = folder.path().join(below).join(file.file_name().expect("a name"));
            std::fs::copy(&file, to).expect("a model can be copied");
        }
    }
    folder
}

/// The words of a command, by the shell's rules as far as the book needs them.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// What a command prints; it must be understood, unless its mistakes are what is shown.
fn run(folder: &Path, command: &str, is_wrong: bool) -> Vec<String> {
    let words = words(command);
    let arguments = match &words[..] {
        [first, rest @ ..] if first == "sweepline" => rest,
        [cargo, run, release, dashes, rest @ ..]
            if [cargo.as_str(), run, release, dashes] == ["cargo", "run", "--release", "--"] =>
        {
            rest
        }
        _ => panic!("the book runs sweepline only, not `{command}`"),
    };
    let mut binary = Command::new(env!("CARGO_BIN_EXE_sweepline"));
    binary.env("NO_COLOR", "1").env("COLUMNS", "100").env("LC_ALL", "C.UTF-8").env("TERM", "xterm");
    let output = binary.args(arguments).current_dir(folder).output().expect("the command runs");
    assert_eq!(output.status.code() == Some(2), is_wrong, "{command}: {output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let text =
        if text.is_empty() { String::from_utf8_lossy(&output.stderr).into_owned() } else { text };
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// A line without what differs from run to run, and from terminal to terminal.
fn settled(line: &str) -> String {
    let line = &line.replace('×', "x").replace('│', "|");
    let varies = ["time ", "memory ", "found "].iter().any(|word| line.starts_with(word));
    if let Some((rest, "s)")) = line.rsplit_once(' ')
        && let Some((rest, _)) = rest.rsplit_once(", ")
    {
        return rest.to_owned();
    }
    // The last column of a table.
    if let Some((rest, time)) = line.strip_suffix(" s").and_then(|line| line.rsplit_once(' '))
        && time.parse::<f64>().is_ok()
    {
        return rest.trim_end().to_owned();
    }
    if varies { line.chars().filter(|c| c.is_alphabetic()).collect() } else { line.to_owned() }
}

/// Whether `lines` are what `wanted` says.
fn matches(wanted: &[String], lines: &[String]) -> bool {
    match wanted {
        [] => lines.iter().all(String::is_empty),
        [dots, rest @ ..] if dots.trim() == "…" => {
            (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]))
        }
        [first, rest @ ..] => match lines {
            [line, lines @ ..] => settled(line) == settled(first) && matches(rest, lines),
            [] => first.is_empty() && matches(rest, lines),
        },
    }
}

/// Writes what a command prints into its page. Parts that are left out there cannot be told from new ones.
fn bless(page: &Path, example: &Example, found: &[String]) {
    let text = std::fs::read_to_string(page).expect("a page can be read");
    let end = found.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let old = format!("$ {}\n{}\n", example.command, example.output.join("\n"));
    let new = format!("$ {}\n{}\n", example.command, found[..end].join("\n"));
    let is_whole = !example.output.iter().any(|line| line.trim() == "…");
    assert!(
        is_whole && text.contains(&old),
        "{}: update `{}` by hand",
        page.display(),
        example.command
    );
    std::fs::write(page, text.replacen(&old, &new, 1)).expect("a page can be written");
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let book = std::fs::read_dir(root().join("book/src")).expect("the book is there");
    pages.extend(book.map(|page| page.expect("a page").path()));
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

#[test]
fn what_the_book_says_is_what_happens() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page can be read");
        let folder = folder();
        for example in &examples(&text) {
            if example.is_file {
                let text = example.output.join("\n") + "\n";
                std::fs::write(folder.path().join(&example.command), text).expect("a file");
                continue;
            }
            let is_wrong = example.output.iter().any(|line| line.trim_start().starts_with('×'));
            let found = run(folder.path(), &example.command, is_wrong);
            checked += 1;
            let is_shown = !example.output.is_empty() && !matches(&example.output, &found);
            if is_shown && std::env::var_os("SWEEPLINE_BLESS").is_some() {
                bless(&page, example, &found);
            } else if is_shown {
                let place = format!("{}:{}", page.display(), example.line);
                let (wanted, found) = (example.output.join("\n"), found.join("\n"));
                wrong.push(format!(
                    "{place}: {}\n{wanted}\n-- but it prints\n{found}",
                    example.command
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(checked >= 2, "only {checked} examples");
}

#[test]
fn a_wrong_page_is_noticed() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
    assert!(!matches(&lines("a\n…\ne"), &lines("a\nb\nc\nd")));
    assert!(!matches(&lines("states  5"), &lines("states  6")));
    assert!(matches(&lines("time  0.1 s"), &lines("time  22 s")));
    assert!(matches(&lines("holds  P  (5 states, 0.1 s)"), &lines("holds  P  (5 states, 22 s)")));
    assert!(!matches(&lines("holds  P  (5 states, 0.1 s)"), &lines("holds  P  (6 states, 0.1 s)")));
    assert_eq!(
        words("sweepline check 'a b' --init \"x=1\"  # why"),
        ["sweepline", "check", "a b", "--init", "x=1"]
    );
}
