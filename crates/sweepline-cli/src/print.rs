//! Writing for people: numbers, sizes, times, styles, and streams that may be closed.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::args::Colour;
use crate::failure::Failure;
use crate::output::NewFile;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const BOLD: Style = Style::new().bold();

/// Standard error shows how far a command is.
static SHOWS_PROGRESS: AtomicBool = AtomicBool::new(true);

/// Uses colours always or never, or on terminals.
pub(crate) fn choose_colours(colour: Colour) {
    let choice = match colour {
        Colour::Auto => ColorChoice::Auto,
        Colour::Always => ColorChoice::Always,
        Colour::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// Shows no progress line.
pub(crate) fn hide_progress() {
    SHOWS_PROGRESS.store(false, Ordering::Relaxed);
}

/// Whether there is a terminal for a progress line.
pub(crate) fn shows_progress() -> bool {
    SHOWS_PROGRESS.load(Ordering::Relaxed) && io::stderr().is_terminal()
}

/// `text` in a style; taken out again where the stream is no terminal.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// `text` made safe for a terminal. Names and labels come from models: a character that would move the cursor, clear a
/// line or change the direction of writing becomes `\u001b`, as in JSON. Our own styles stay.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        let style = style_at(rest);
        let end = if style > 0 { style } else { c.len_utf8() };
        match style == 0 && is_harmful(c) {
            true => _ = write!(shown, "\\u{:04x}", u32::from(c)),
            false => shown.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    Cow::Owned(shown)
}

/// The same in one line.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            c => line.push(c),
        }
    }
    line
}

/// Whether a terminal interprets the character instead of showing it.
pub(crate) fn is_harmful(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n' && c != '\t')
}

/// The length of the style that `text` begins with: colours and weights, nothing that hides.
fn style_at(text: &str) -> usize {
    let Some(body) = text.strip_prefix("\u{1b}[") else { return 0 };
    let Some(end) = body.find(|c: char| !c.is_ascii_digit() && c != ';') else { return 0 };
    let is_style = |part: &str| {
        let number = part.parse::<u8>().unwrap_or(0);
        matches!(number, 0..=4 | 22..=24 | 31..=36 | 39 | 91..=96)
    };
    let (codes, last) = body.split_at(end);
    let plain = codes.split(';').all(is_style);
    if last.starts_with('m') && plain { 2 + end + 1 } else { 0 }
}

/// A value as JSON text.
pub(crate) fn json(object: &impl Serialize) -> String {
    serde_json::to_string_pretty(object).expect("only string keys") + "\n"
}

/// Prints results. A closed pipe is not an error. A full disk is one: otherwise a script would take an empty file for an
/// answer.
pub(crate) fn results(text: &str) -> Result<(), Failure> {
    sweepline_guard::dismiss();
    some_results(text)
}

/// Prints results of a command that goes on.
pub(crate) fn some_results(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(harmless(text).as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::writing(Path::new("standard output"))(error))
        }
        _ => Ok(()),
    }
}

/// A file for results that can be written.
pub(crate) struct ResultFile {
    path: PathBuf,
}

impl ResultFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        NewFile::check(path).map_err(Failure::writing(path))?;
        Ok(ResultFile { path: path.to_owned() })
    }

    /// Writes the text, without styles.
    pub(crate) fn write(self, text: &str) -> Result<(), Failure> {
        let text = anstream::adapter::strip_str(&harmless(text)).to_string();
        NewFile::save(&self.path, &text).map_err(Failure::writing(&self.path))
    }
}

/// A message with long names and lists cut.
pub(crate) fn bounded(text: &str) -> String {
    const WORD: usize = 200;
    const MOST: usize = 4000;
    let mut cut = String::new();
    let mut length = 0;
    for (n, c) in text.chars().enumerate() {
        length = if c.is_whitespace() { 0 } else { length + 1 };
        match length {
            // No word after the end is shown, and the rest of none that is too long.
            _ if n >= MOST => {
                cut.push('…');
                break;
            }
            length if length == WORD => cut.push('…'),
            length if length > WORD => {}
            _ => cut.push(c),
        }
    }
    cut
}

/// An expression, cut where it is too long for a table.
pub(crate) fn cut(expression: &str) -> String {
    const MOST: usize = 72;
    match expression.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &expression[..end]),
        None => expression.to_owned(),
    }
}

/// An expression, cut where it is too long for a line; `--json` has it whole.
pub(crate) fn folded(expression: &str) -> String {
    const MOST: usize = 100;
    let length = expression.chars().count();
    if length <= MOST {
        return expression.to_owned();
    }
    let shown: String = expression.chars().take(MOST - 20).collect();
    format!("{shown}… ({} characters)", grouped(length as u64))
}

/// A name as expressions need it: in double quotes if it has spaces.
pub(crate) fn quoted(name: &str) -> Cow<'_, str> {
    match name.contains(char::is_whitespace) {
        true => Cow::Owned(format!("\"{name}\"")),
        false => Cow::Borrowed(name),
    }
}

/// Prints a warning.
pub(crate) fn warn(text: &str) {
    let text = one_line(&harmless(&bounded(text)));
    let _ = writeln!(anstream::stderr(), "{}: {text}", styled(UNSURE, "warning"));
}

/// `1,234,567`
pub(crate) fn grouped(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `-1,234`
pub(crate) fn signed(n: impl Into<i128>) -> String {
    let n = n.into();
    let sign = if n < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(n.unsigned_abs()))
}

/// `1.5 GiB`
pub(crate) fn bytes(n: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} bytes");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}

/// `0.123 s`, `12.3 s`, `4 min 05 s`, `2 h 03 min`
pub(crate) fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match duration.as_secs() {
        0..10 => format!("{seconds:.3} s"),
        10..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {:02} s", duration.as_secs() / 60, duration.as_secs() % 60),
        whole => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `part` of `whole`: `5.4%`
pub(crate) fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_is_shown() {
        assert_eq!(harmless("τ ✓ \u{e9}\n\t"), "τ ✓ \u{e9}\n\t");
        assert_eq!(
            harmless("a\u{1b}[2Kb\r\u{9b}1A\u{202e}c"),
            "a\\u001b[2Kb\\u000d\\u009b1A\\u202ec"
        );
        let own = styled(GOOD, "holds");
        assert_eq!(harmless(&format!("{own}\u{7}")), format!("{own}\\u0007"));
        for hidden in
            ["\u{1b}[8mx", "\u{1b}[1;7mx", "\u{1b}[38;2;0;0;0mx", "\u{1b}]0;x\u{7}", "\u{1b}["]
        {
            assert!(!harmless(hidden).contains('\u{1b}'), "{hidden:?}");
        }
        assert_eq!(one_line("a\nholds\r"), "a\\nholds\\r");
        // Black on black is hidden as well.
        assert!(!harmless("\u{1b}[30mx").contains('\u{1b}'));
    }

    #[test]
    fn messages_are_bounded() {
        assert_eq!(bounded("a short one"), "a short one");
        let long = format!("`{}` is no name", "x".repeat(1 << 20));
        assert!(bounded(&long).len() < 300, "{}", bounded(&long));
        assert!(bounded(&"no ".repeat(1 << 20)).chars().count() < 5000);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0u64), "0");
        assert_eq!(grouped(999u64), "999");
        assert_eq!(grouped(1000u64), "1,000");
        assert_eq!(grouped(1234567u64), "1,234,567");
        assert_eq!(signed(-1234), "-1,234");
    }

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!(bytes(1023), "1023 bytes");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes((1 << 20) - 1), "1.0 MiB");
        assert_eq!(bytes(8 << 30), "8.0 GiB");
        assert_eq!(time(Duration::from_millis(1234)), "1.234 s");
        assert_eq!(time(Duration::from_secs(245)), "4 min 05 s");
        assert_eq!(time(Duration::from_secs(7380)), "2 h 03 min");
    }
}
