//! Counters: numbers that every value of a type has, such as integers in records, lengths of lists, and
//! constructors of small datatypes. They are read from the bytes of a value, without decoding it.

use super::code::Code;
use super::codec::{Codec, skip, take_tag, take_varint, zag_zig};
use super::layout::{Layout, LayoutId};
use super::raised::Stop;

/// Constructors are counted only in datatypes with at most this many.
const MOST_TAGS: usize = 16;
/// The deepest nesting of records that is counted.
const MOST_DEPTH: usize = 8;

impl Codec {
    /// Each counter of the type as a CPN ML expression of type `int`, in which `c` is the value.
    pub fn counters(self, code: &Code) -> Vec<String> {
        let mut texts = Vec::new();
        describe(code, self.layout, "c", 0, &mut texts);
        texts
    }

    /// Adds `times` the counters of the value in `bytes` to `sums`. Returns `false` if the bytes are
    /// malformed.
    pub fn count(self, code: &Code, bytes: &[u8], times: i64, sums: &mut [i64]) -> bool {
        let mut reader = Reader { code, bytes, times, sums: sums.iter_mut() };
        reader.value(self.layout, 0).is_ok()
    }
}

fn describe(code: &Code, layout: LayoutId, at: &str, depth: usize, texts: &mut Vec<String>) {
    match code.layout(layout) {
        Layout::Int => texts.push(at.to_owned()),
        Layout::List(_) => texts.push(format!("length ({at})")),
        Layout::Enum(names) if (2..=MOST_TAGS).contains(&names.len()) => {
            texts.extend(names.iter().map(|name| format!("if {at} = {name} then 1 else 0")));
        }
        Layout::Data(constructors) if constructors.len() <= MOST_TAGS => {
            texts.extend(constructors.iter().map(|constructor| {
                let inner = if constructor.content.is_some() { " _" } else { "" };
                format!("case {at} of {}{inner} => 1 | _ => 0", constructor.name)
            }));
        }
        Layout::Record(fields) if depth < MOST_DEPTH => {
            for (label, field) in fields {
                let at = match at {
                    "c" => format!("#{label} c"),
                    inner => format!("#{label} ({inner})"),
                };
                describe(code, *field, &at, depth + 1, texts);
            }
        }
        Layout::Wrapped(name, content) if depth < MOST_DEPTH => {
            let at = format!("case {at} of {name} x => x");
            describe(code, *content, &at, depth + 1, texts);
        }
        _ => {}
    }
}

struct Reader<'a> {
    code: &'a Code,
    bytes: &'a [u8],
    times: i64,
    sums: std::slice::IterMut<'a, i64>,
}

impl Reader<'_> {
    fn add(&mut self, amount: i64) {
        if let Some(sum) = self.sums.next() {
            *sum = sum.saturating_add(amount.saturating_mul(self.times));
        }
    }

    /// Increments counter `which` of `count`.
    fn one_of(&mut self, which: usize, count: usize) {
        (0..count).for_each(|tag| self.add(i64::from(tag == which)));
    }

    fn value(&mut self, layout: LayoutId, depth: usize) -> Result<(), Stop> {
        let code = self.code;
        match code.layout(layout) {
            Layout::Int => {
                let number = zag_zig(take_varint(&mut self.bytes)?);
                self.add(number);
            }
            Layout::List(_) => {
                let length = take_varint(&mut { self.bytes })?;
                self.add(i64::try_from(length).unwrap_or(i64::MAX));
                skip(code, layout, &mut self.bytes)?;
            }
            Layout::Enum(names) if (2..=MOST_TAGS).contains(&names.len()) => {
                let tag = take_tag(&mut self.bytes, names.len())?;
                self.one_of(tag, names.len());
            }
            Layout::Data(constructors) if constructors.len() <= MOST_TAGS => {
                let tag = take_tag(&mut { self.bytes }, constructors.len())?;
                self.one_of(tag, constructors.len());
                skip(code, layout, &mut self.bytes)?;
            }
            Layout::Record(fields) if depth < MOST_DEPTH => {
                for (_, field) in fields {
                    self.value(*field, depth + 1)?;
                }
            }
            Layout::Wrapped(_, content) if depth < MOST_DEPTH => self.value(*content, depth + 1)?,
            _ => skip(code, layout, &mut self.bytes)?,
        }
        Ok(())
    }
}
