//! Pages: places, transitions, and the lines below them.

use sweepline_source::{Text, closest};

use super::Parser;
use crate::problem::Problem;
use crate::read::Layout;
use crate::text::lines::{Lead, Lines, RawLine};
use crate::text::tree::{ARCS, Called, Entry, Line, PORTS, Page, Part, Place, Region, Transition};
use crate::text::words::{Found, Words};

impl Parser<'_, '_> {
    /// Parses the rest of a `page` line, and the lines below.
    pub(super) fn page(&mut self, words: &mut Words<'_>, lines: &mut Lines<'_>) -> Found<Page> {
        let called = called(words, "the name of the page")?;
        let (parts, tail) = self.block(lines, None, Self::part);
        Ok(Page { called, parts, tail })
    }

    /// The lines of a block, which are indented more than `above`, each parsed by `read`, and the comments at its end.
    fn block<T>(
        &mut self,
        lines: &mut Lines<'_>,
        above: Option<usize>,
        mut read: impl FnMut(&mut Self, &RawLine, &mut Words<'_>, &mut Lines<'_>) -> Found<Option<T>>,
    ) -> (Vec<Entry<T>>, Vec<String>) {
        let (mut entries, mut indent) = (Vec::new(), None);
        loop {
            let mut lead = Lead::default();
            let more = lines.lead(above, &mut lead);
            if let Some(start) = lead.open_comment {
                self.not_closed(start);
            }
            let Some(line) = more.then(|| lines.take()).flatten() else {
                return (entries, lead.comments);
            };
            self.check_indent(&line, &mut indent);
            let mut words = Words::new(self.text, line.range());
            let found = read(self, &line, &mut words, lines);
            if let Some(what) = self.keep(found).flatten() {
                let mut comments = lead.comments;
                comments.append(&mut words.comments);
                let offset = line.range().start;
                entries.push(Entry { apart: lead.apart, comments, offset, what });
            }
            // A correct part has taken all its lines; this skips the lines below a wrong one.
            lines.deeper(line.indent());
        }
    }

    /// All lines of a block must start in the same column.
    fn check_indent(&mut self, line: &RawLine, first: &mut Option<usize>) {
        let wanted = *first.get_or_insert(line.indent());
        if wanted != line.indent() {
            self.report(line.range(), Problem::Indentation { wanted, found: line.indent() });
        }
    }

    fn part(
        &mut self,
        line: &RawLine,
        words: &mut Words<'_>,
        lines: &mut Lines<'_>,
    ) -> Found<Option<Part>> {
        let word = words.word();
        Ok(Some(match word {
            "place" => Part::Place(self.place(line, words, lines)?),
            "transition" | "substitution" => {
                let is_substitution = word == "substitution";
                Part::Transition(self.transition(is_substitution, line, words, lines)?)
            }
            "note" => Part::Note(lines.text(words.rest(), line.indent())),
            other => {
                let known = ["place", "transition", "substitution", "note"];
                let help = if ARCS.iter().any(|(arc, _)| *arc == other) {
                    format!("indent the line below its transition: `    {other} ...`")
                } else if let Some(suggestion) = closest(other, known) {
                    suggestion.to_string()
                } else {
                    "start the line with `place`, `transition`, `substitution` or `note`".into()
                };
                self.unknown_line(line, "a page", help);
                return Ok(None);
            }
        }))
    }

    fn unknown_line(&mut self, line: &RawLine, of: &'static str, help: String) {
        let span = line.range();
        let words = self.shown(span.clone());
        let word = words.split_whitespace().next().unwrap_or_default().to_owned();
        let span = span.start..span.start + word.len();
        self.report(span, Problem::UnknownLine { word, of, help });
    }

    fn place(
        &mut self,
        line: &RawLine,
        words: &mut Words<'_>,
        lines: &mut Lines<'_>,
    ) -> Found<Place> {
        let mut place = Place {
            called: called(words, "the name of the place")?,
            initial: Text::none_at(line.range().start),
            ..Place::default()
        };
        if words.eat(':') {
            place.colour_set = Some(words.name("the name of a colour set")?);
        }
        loop {
            let port = PORTS.iter().find(|(word, _)| *word == words.peek());
            if let Some((word, port)) = port {
                words.eat_word(word);
                place.port = Some(*port);
            } else if words.eat_word("fusion") {
                place.fusion = Some(words.name("the name of a fusion set")?.text);
            } else if words.eat('@') {
                place.layout = Some(layout(words)?);
            } else if words.eat('=') {
                place.initial = lines.text(words.rest(), line.indent());
                return Ok(place);
            } else if words.is_done() {
                self.nothing_below(lines, line.indent());
                return Ok(place);
            } else {
                return words.unexpected(
                    "`: COLOUR_SET`, `in`, `out`, `io`, `fusion NAME`, `@ X Y` or `= MARKING`",
                );
            }
        }
    }

    fn nothing_below(&mut self, lines: &mut Lines<'_>, indent: usize) {
        if let Some(below) = lines.deeper(indent).first() {
            let span = below.range();
            self.report(span, Problem::NothingBelow);
        }
    }

    fn transition(
        &mut self,
        is_substitution: bool,
        line: &RawLine,
        words: &mut Words<'_>,
        lines: &mut Lines<'_>,
    ) -> Found<Transition> {
        let called = called(words, "the name of the transition")?;
        let mut transition = Transition { called, ..Transition::default() };
        if words.eat('@') {
            transition.layout = Some(layout(words)?);
        }
        if is_substitution {
            if !words.eat(':') {
                return words.unexpected("`:` and the name of its subpage");
            }
            transition.subpage = Some(words.name("the name of its subpage")?);
        }
        if !words.is_done() {
            return words.unexpected("the end of the line");
        }
        (transition.lines, transition.tail) =
            self.block(lines, Some(line.indent()), |parser, line, words, lines| {
                parser.line(is_substitution, line, words, lines)
            });
        Ok(transition)
    }

    fn line(
        &mut self,
        is_substitution: bool,
        line: &RawLine,
        words: &mut Words<'_>,
        lines: &mut Lines<'_>,
    ) -> Found<Option<Line>> {
        let word = words.word();
        if let Some((_, kind)) = ARCS.iter().find(|(known, _)| *known == word) {
            let place = words.name("the name of a place")?;
            let bends = if words.eat('@') { bends(words)? } else { Vec::new() };
            let text = if words.eat(':') {
                lines.text(words.rest(), line.indent())
            } else if words.is_done() {
                self.nothing_below(lines, line.indent());
                Text::none_at(line.range().start)
            } else {
                return words.unexpected("`:` and the inscription of the arc");
            };
            return Ok(Some(Line::Arc(kind.clone(), place, bends, text)));
        }
        if let Some((_, region)) = Region::ALL.iter().find(|(known, _)| *known == word) {
            let text = lines.text(words.rest(), line.indent());
            return Ok(Some(Line::Region(*region, text)));
        }
        if word == "port" && is_substitution {
            let port = words.name("the name of a port")?;
            if !words.eat('=') {
                return words.unexpected("`=` and the name of a socket on this page");
            }
            let socket = words.name("the name of a socket")?;
            return match words.is_done() {
                true => Ok(Some(Line::Port(port, socket))),
                false => words.unexpected("the end of the line"),
            };
        }
        self.unknown_line_below(word, line);
        Ok(None)
    }

    fn unknown_line_below(&mut self, word: &str, line: &RawLine) {
        let mut known: Vec<&str> = ARCS.iter().map(|(word, _)| *word).collect();
        known.extend(Region::ALL.iter().map(|(word, _)| *word));
        let help = match word {
            "port" => "only substitution transitions have ports: write `substitution NAME: PAGE` \
                       in place of `transition NAME`"
                .into(),
            "input" | "output" | "action" => "put it into the code segment: write `code`, and \
                                              this line below it, indented"
                .into(),
            "place" | "transition" | "substitution" | "note" => {
                format!("indent `{word}` like the transition before it")
            }
            word => match closest(word, known.iter().copied()) {
                Some(suggestion) => suggestion.to_string(),
                None => format!("start the line with one of `{}`", known.join("`, `")),
            },
        };
        self.unknown_line(line, "a transition", help);
    }
}

/// `NAME`, or `NAME as KEY`.
fn called(words: &mut Words<'_>, expected: &'static str) -> Found<Called> {
    let name = words.name(expected)?;
    let key = match words.eat_word("as") {
        true => match words.word() {
            "" => return words.unexpected("a key of letters and digits"),
            key => Some(key.to_owned()),
        },
        false => None,
    };
    Ok(Called { name, key })
}

/// `X Y`, or `X Y WIDTH HEIGHT`.
fn layout(words: &mut Words<'_>) -> Found<Layout> {
    let (Some(x), Some(y)) = (words.number(), words.number()) else {
        return words.unexpected("two numbers, `X Y`, or four, `X Y WIDTH HEIGHT`");
    };
    let size = match words.number() {
        None => None,
        Some(width) => match words.number() {
            Some(height) => Some((width, height)),
            None => return words.unexpected("a height after the width"),
        },
    };
    Ok(Layout { x, y, size })
}

/// `X Y X Y ...`
fn bends(words: &mut Words<'_>) -> Found<Vec<(f64, f64)>> {
    let mut bends = Vec::new();
    while let Some(x) = words.number() {
        match words.number() {
            Some(y) => bends.push((x, y)),
            None => return words.unexpected("another number: each bend has two, `X Y`"),
        }
    }
    Ok(bends)
}
