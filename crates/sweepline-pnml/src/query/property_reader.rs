//! From the XML of a formula file to its properties, in one pass and without recursion.

use std::ops::Range;

use sweepline_query::{Expr, Predicate};
use sweepline_source::xml::{Element, Item, Xml, check_length};
use sweepline_source::{Source, clip};

use super::formula::{self, Misfit, Value};
use super::property::{Property, Question};
use crate::names::Names;
use crate::net::{Net, PlaceId, TransitionId};
use crate::read::{Collector, Fatal, Limits, Problem, ReadErrors};

/// What to do with a formula of a richer logic.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Richer {
    IsAnError,
    IsUnsupported,
}

pub(super) fn read(
    source: &Source,
    net: &Net,
    limits: &Limits,
    richer: Richer,
) -> Result<Vec<Property>, ReadErrors> {
    let max_depth = limits.max_depth.min(usize::from(Predicate::MAX_DEPTH));
    let limits = Limits { max_depth, ..limits.clone() };
    let reader = PropertyReader {
        xml: limits.xml(&source.text),
        max_value_bytes: limits.max_value_bytes,
        names: net.names(),
        errors: Collector::new(source),
        richer,
        frames: Vec::new(),
        current: Current::default(),
        properties: Vec::new(),
    };
    reader.run()
}

/// An open element that has a meaning here.
enum Frame<'s> {
    /// `property-set`, or the list of generic properties.
    Set,
    Property(Tag<'s>),
    /// The `id` of a property.
    Id,
    Formula(Tag<'s>, Vec<Value>),
    /// `tokens-count`, `place-bound`. A coloured place may be unfolded to no place at all, so a list without
    /// names differs from a list without places.
    Places(Tag<'s>, Option<Vec<PlaceId>>),
    /// `is-fireable`.
    Transitions(Tag<'s>, Option<Vec<TransitionId>>),
    /// A name in such a list, or a constant.
    Leaf(Tag<'s>),
    Operator(Tag<'s>, Vec<Value>),
    Ignored,
}

/// The name of an element and its start.
struct Tag<'s> {
    name: &'s str,
    span: Range<usize>,
}

/// The property that is being read.
#[derive(Default)]
struct Current {
    id: Option<String>,
    /// The text of the innermost `id` or leaf, and its start.
    text: String,
    text_span: Option<Range<usize>>,
    question: Option<Question>,
    /// Whether to skip the rest of the formula: an error has been reported, or the formula is unsupported.
    settled: bool,
}

struct PropertyReader<'r, 's> {
    xml: Xml<'s>,
    max_value_bytes: usize,
    names: Names<'r>,
    errors: Collector<'s>,
    richer: Richer,
    frames: Vec<Frame<'s>>,
    current: Current,
    properties: Vec<Property>,
}

impl<'s> PropertyReader<'_, 's> {
    fn run(mut self) -> Result<Vec<Property>, ReadErrors> {
        let complete = match self.read_document() {
            Ok(()) => true,
            Err(Fatal { span, problem }) => {
                self.errors.report(span, || problem);
                false
            }
        };
        if self.properties.is_empty() && self.errors.is_empty() {
            self.errors.report(0..0, || Problem::NoProperties);
        }
        self.errors.finish(complete.then_some(self.properties))
    }

    fn read_document(&mut self) -> Result<(), Fatal> {
        loop {
            match self.xml.next()? {
                Item::Start(element) => {
                    let frame = self.open(&element)?;
                    self.frames.push(frame);
                }
                Item::Text(piece, span) => {
                    if let Some(Frame::Id | Frame::Leaf(_)) = self.frames.last() {
                        let length = self.current.text.len() + piece.len();
                        check_length(length, self.max_value_bytes, &span)?;
                        self.current.push_text(&piece, &span);
                    }
                }
                Item::End => self.close(),
                Item::Eof => return Ok(()),
            }
        }
    }

    fn open(&mut self, element: &Element<'s>) -> Result<Frame<'s>, Fatal> {
        let tag = Tag { name: element.name, span: element.span.clone() };
        Ok(match (self.frames.last(), element.name) {
            (None, "property-set" | "toolspecific") => Frame::Set,
            (None, found) => {
                let problem = Problem::WrongRoot { found: clip(found), expected: "property-set" };
                return Err(Fatal { span: tag.span, problem });
            }
            (Some(Frame::Set), "properties") => Frame::Set,
            (Some(Frame::Set), "property") => {
                self.current = Current::default();
                if let Some(name) = element.attribute("name")? {
                    self.current.question = Some(generic(name.text.trim()));
                    self.current.id = Some(name.text.trim().to_owned());
                }
                Frame::Property(tag)
            }
            (Some(Frame::Property(_)), "id") => {
                self.current.clear_text();
                Frame::Id
            }
            (Some(Frame::Property(_)), "formula") => Frame::Formula(tag, Vec::new()),
            (Some(Frame::Places(..)), "place")
            | (Some(Frame::Transitions(..)), "transition")
            | (Some(Frame::Formula(..) | Frame::Operator(..)), "integer-constant") => {
                self.current.clear_text();
                Frame::Leaf(tag)
            }
            (Some(Frame::Places(..) | Frame::Transitions(..)), _) => {
                self.misfit(&tag, Misfit::Reason("expected a list of names"));
                Frame::Ignored
            }
            (Some(Frame::Formula(..) | Frame::Operator(..)), name) => match name {
                "tokens-count" | "place-bound" => Frame::Places(tag, None),
                "is-fireable" => Frame::Transitions(tag, None),
                _ => Frame::Operator(tag, Vec::new()),
            },
            _ => Frame::Ignored,
        })
    }

    fn close(&mut self) {
        match self.frames.pop() {
            Some(Frame::Id) => self.current.id = Some(self.current.text.trim().to_owned()),
            Some(Frame::Leaf(tag)) => self.close_leaf(&tag),
            Some(Frame::Places(tag, places)) => self.close_places(&tag, places),
            Some(Frame::Transitions(tag, transitions)) => match transitions {
                None => self.misfit(&tag, Misfit::Reason("no transition is named")),
                Some(transitions) => self.push(Value::State(Predicate::fireable(transitions))),
            },
            Some(Frame::Operator(tag, operands)) if !self.current.settled => {
                match formula::apply(tag.name, operands) {
                    Ok(value) => self.push(value),
                    Err(misfit) => self.misfit(&tag, misfit),
                }
            }
            Some(Frame::Formula(tag, values)) if !self.current.settled => {
                self.close_formula(&tag, values);
            }
            Some(Frame::Property(tag)) => self.close_property(&tag),
            _ => {}
        }
    }

    fn close_leaf(&mut self, tag: &Tag<'s>) {
        let text = std::mem::take(&mut self.current.text);
        let text = text.trim();
        let known = match self.frames.last_mut() {
            Some(Frame::Places(_, places)) => add(places, self.names.places.by_id(text)),
            Some(Frame::Transitions(_, transitions)) => {
                add(transitions, self.names.transitions.by_id(text))
            }
            _ => return self.close_constant(tag, text),
        };
        if !known {
            let what = if tag.name == "place" { "place" } else { "transition" };
            let (names, formula) = (&self.names, self.current.formula());
            let span = self.current.text_span.clone().unwrap_or_else(|| tag.span.clone());
            self.errors.report(span, || {
                let suggestion = match what {
                    "place" => names.places.similar_id(text),
                    _ => names.transitions.similar_id(text),
                };
                Problem::UnknownInFormula { formula, what, id: clip(text), suggestion }
            });
            self.current.settled = true;
            self.current.question = None;
        }
    }

    fn close_constant(&mut self, tag: &Tag<'s>, text: &str) {
        match text.parse().ok().map(Expr::constant) {
            Some(Ok(constant)) => self.push(Value::Number(constant)),
            Some(Err(_)) => self.misfit(tag, Misfit::TooLarge),
            None => self.misfit(tag, Misfit::Reason("a constant is not a whole number")),
        }
    }

    fn close_places(&mut self, tag: &Tag<'s>, places: Option<Vec<PlaceId>>) {
        match (places, tag.name) {
            (None, _) => self.misfit(tag, Misfit::Reason("no place is named")),
            (Some(places), "place-bound") => self.push(Value::Bound(Expr::tokens(places))),
            (Some(places), _) => self.push(Value::Number(Expr::tokens(places))),
        }
    }

    fn close_formula(&mut self, tag: &Tag<'s>, values: Vec<Value>) {
        let question = match <[Value; 1]>::try_from(values) {
            Ok([value]) => formula::question(value),
            Err(_) => Err(Misfit::Reason("expected exactly one condition")),
        };
        match question {
            Ok(Ok(question)) => self.current.question = Some(question),
            Ok(Err((logic, operator))) => {
                let (operator, logic) = (operator.to_owned(), logic.name());
                let problem =
                    Problem::UnsupportedLogic { formula: self.current.formula(), operator, logic };
                self.beyond(tag, logic, problem);
            }
            Err(misfit) => self.misfit(tag, misfit),
        }
    }

    fn close_property(&mut self, tag: &Tag<'s>) {
        let Current { id, question, settled, .. } = std::mem::take(&mut self.current);
        match (id.filter(|id| !id.is_empty()), question) {
            (Some(id), Some(question)) => self.properties.push(Property { id, question }),
            _ if settled => {}
            (id, _) => {
                let missing = if id.is_none() { "id" } else { "formula" };
                self.fail(tag, Problem::IncompleteProperty { missing });
            }
        }
    }

    /// Passes a value to the enclosing element.
    fn push(&mut self, value: Value) {
        if let Some(Frame::Formula(_, values) | Frame::Operator(_, values)) = self.frames.last_mut()
        {
            values.push(value);
        }
    }

    /// Reports the first error of a formula; further ones would be guesses.
    fn misfit(&mut self, tag: &Tag<'s>, misfit: Misfit) {
        if self.current.settled {
            return;
        }
        let formula = self.current.formula();
        let problem = match misfit {
            Misfit::TooLarge => Problem::FormulaTooLarge { formula },
            Misfit::NotLinear => Problem::NotLinear { formula },
            Misfit::Reason(reason) => {
                Problem::BadFormula { formula, reason, element: clip(tag.name) }
            }
        };
        match misfit {
            Misfit::NotLinear => self.beyond(tag, "arithmetic", problem),
            _ => self.fail(tag, problem),
        }
    }

    /// A valid formula that cannot be decided.
    fn beyond(&mut self, tag: &Tag<'s>, kind: &str, problem: Problem) {
        match self.richer {
            Richer::IsAnError => self.fail(tag, problem),
            Richer::IsUnsupported => {
                let (kind, reason) = (kind.to_owned(), problem.to_string());
                self.current.question = Some(Question::Unsupported { kind, reason });
                self.current.settled = true;
            }
        }
    }

    fn fail(&mut self, tag: &Tag<'s>, problem: Problem) {
        self.current.settled = true;
        self.current.question = None;
        self.errors.report(tag.span.clone(), || problem);
    }
}

impl Current {
    fn push_text(&mut self, piece: &str, span: &Range<usize>) {
        let trimmed = piece.trim_start();
        if self.text_span.is_none() && !trimmed.is_empty() {
            let start = (span.start + piece.len() - trimmed.len()).min(span.end);
            self.text_span = Some(start..(start + trimmed.trim_end().len()).min(span.end));
        }
        self.text.push_str(piece);
    }

    fn clear_text(&mut self) {
        self.text.clear();
        self.text_span = None;
    }

    /// The name of the formula in messages.
    fn formula(&self) -> String {
        self.id.as_deref().map_or_else(|| "without id".into(), clip)
    }
}

/// Adds the nodes with a name; `false` if there are none.
fn add<T>(nodes: &mut Option<Vec<T>>, found: Option<Vec<T>>) -> bool {
    let is_known = found.is_some();
    nodes.get_or_insert_default().extend(found.unwrap_or_default());
    is_known
}

/// The property of a generic property.
fn generic(name: &str) -> Question {
    Question::examination(name).unwrap_or_else(|| Question::Unsupported {
        kind: clip(name),
        reason: "unknown property".into(),
    })
}
