//! Products, records and unions.

use std::fmt::Write;

use crate::types::Symbol;

use super::{Functions, TRUE, listed};

/// `{a = CPN'a1, b = CPN'a2}`, or `(CPN'a1, CPN'a2)`.
fn written(labels: &[String], tuple: bool, part: impl Fn(usize) -> String) -> String {
    let parts = (0..labels.len()).map(|index| match tuple {
        true => part(index),
        false => format!("{} = {}", labels[index], part(index)),
    });
    let parts = parts.collect::<Vec<_>>().join(", ");
    if tuple { format!("({parts})") } else { format!("{{{parts}}}") }
}

/// Products and records.
pub(super) fn fields(labels: &[String], parts: &[Symbol], tuple: bool) -> Functions {
    let variables = |letter: &str| {
        let letter = letter.to_owned();
        written(labels, tuple, move |index| format!("CPN'{letter}{index}"))
    };
    let (a, b) = (variables("a"), variables("b"));
    let with_a = |body: &str| format!("case CPN'a of {a} => {body}");
    let last = parts.len() - 1;
    let mut cmp = format!("{}.cmp (CPN'a{last}, CPN'b{last})", parts[last]);
    for (index, part) in parts.iter().enumerate().rev().skip(1) {
        cmp = format!(
            "case {part}.cmp (CPN'a{index}, CPN'b{index}) of CPN'CS.EQUAL => ({cmp}) | CPN'o => CPN'o"
        );
    }
    let shown = parts.iter().enumerate().map(|(index, part)| {
        let label = if tuple { String::new() } else { format!("{}=", labels[index]) };
        let comma = if index == 0 { "" } else { "," };
        format!("\"{comma}{label}\", {part}.mkstr CPN'a{index}")
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let (open, close) = if tuple { ("(", ")") } else { ("{", "}") };
    let legal = (0..parts.len()).map(|index| format!("{}.legal CPN'a{index}", parts[index]));
    let legal = legal.collect::<Vec<_>>().join(" andalso ");
    let sizes = parts.iter().map(|part| format!("{part}.size ()")).collect::<Vec<_>>();
    let mut ord = format!("{}.ord CPN'a0", parts[0]);
    for (index, part) in parts.iter().enumerate().skip(1) {
        ord =
            format!("CPN'CS.plus (CPN'CS.times ({ord}, {part}.size ()), {part}.ord CPN'a{index})");
    }
    Functions {
        first: String::new(),
        base: written(labels, tuple, |index| format!("{}.base", parts[index])),
        cmp: format!("case CPN'a of {a} => (case CPN'b of {b} => {cmp})"),
        mkstr: with_a(&format!("CPN'CS.concat [\"{open}\", {shown}, \"{close}\"]")),
        legal: with_a(&legal),
        size: sizes
            .into_iter()
            .reduce(|a, b| format!("CPN'CS.times ({a}, {b})"))
            .unwrap_or_default(),
        all: loops(parts, &a, |index| format!("{}.all ()", parts[index])),
        ord: with_a(&ord),
        col: columns(labels, parts, tuple),
        ran: written(labels, tuple, |index| format!("{}.ran ()", parts[index])),
        more: setters(labels, parts, tuple, &a),
    }
}

/// All combinations, the last varying fastest.
fn loops(parts: &[Symbol], result: &str, values: impl Fn(usize) -> String) -> String {
    let mut text = format!("[{result}]");
    for index in (0..parts.len()).rev() {
        text = format!("CPN'CS.flat (fn CPN'a{index} => {text}) ({})", values(index));
    }
    text
}

/// The inverse of `ord`: digits from the last component to the first.
fn columns(labels: &[String], parts: &[Symbol], tuple: bool) -> String {
    let mut text = String::from("let ");
    let last = parts.len() - 1;
    let _ = write!(text, "val CPN'n{last} = CPN'n ");
    for index in (1..parts.len()).rev() {
        let before = index - 1;
        let part = &parts[index];
        let _ = write!(text, "val CPN'n{before} = CPN'CS.quotient (CPN'n{index}, {part}.size ()) ");
    }
    let digit = |index: usize| match index {
        0 => format!("{}.col CPN'n0", parts[0]),
        _ => {
            let part = &parts[index];
            format!("{part}.col (CPN'CS.remainder (CPN'n{index}, {part}.size ()))")
        }
    };
    let _ = write!(text, "in {} end", written(labels, tuple, digit));
    text
}

/// `mult` and `set_label`.
fn setters(labels: &[String], parts: &[Symbol], tuple: bool, whole: &str) -> String {
    let mut text = String::new();
    let arguments = written(labels, tuple, |index| format!("CPN'm{index}"));
    let combined = loops(parts, whole, |index| format!("CPN'm{index}"));
    let _ = writeln!(text, "fun mult {arguments} = {combined}");
    for (index, label) in labels.iter().enumerate() {
        let changed = written(labels, tuple, |at| match at == index {
            true => "CPN'v".to_owned(),
            false => format!("CPN'a{at}"),
        });
        let part = &parts[index];
        let _ = writeln!(text, "fun set_{label} {whole} (CPN'v : {part}) = {changed}");
    }
    text
}

pub(super) fn union_type(constructors: &[(Symbol, Option<Symbol>)]) -> String {
    let parts = constructors.iter().map(|(constructor, part)| match part {
        Some(part) => format!("{constructor} of {part}"),
        None => constructor.to_string(),
    });
    parts.collect::<Vec<_>>().join(" | ")
}

pub(super) fn union(constructors: &[(Symbol, Option<Symbol>)]) -> Functions {
    let applied = |(constructor, part): &(Symbol, Option<Symbol>), argument: &str| match part {
        Some(_) => format!("{constructor} {argument}"),
        None => constructor.to_string(),
    };
    let cases = |body: &dyn Fn(usize, &Symbol, Option<&Symbol>) -> String| {
        let rules = constructors.iter().enumerate().map(|(index, entry)| {
            let body = body(index, &entry.0, entry.1.as_ref());
            format!("{} => {body}", applied(entry, "CPN'x"))
        });
        format!("case CPN'a of {}", rules.collect::<Vec<_>>().join(" | "))
    };
    let same = constructors.iter().map(|entry| match &entry.1 {
        Some(part) => format!(
            "({}, {}) => {part}.cmp (CPN'x, CPN'y)",
            applied(entry, "CPN'x"),
            applied(entry, "CPN'y")
        ),
        None => format!("({0}, {0}) => CPN'CS.EQUAL", entry.0),
    });
    let tags = constructors
        .iter()
        .enumerate()
        .map(|(index, entry)| format!("{} => {index}", applied(entry, "_")));
    let tags = tags.collect::<Vec<_>>().join(" | ");
    let values = constructors.iter().map(|(constructor, part)| match part {
        Some(part) => format!("CPN'CS.map {constructor} ({part}.all ())"),
        None => format!("[{constructor}]"),
    });
    let sizes = constructors.iter().map(|(_, part)| match part {
        Some(part) => format!("{part}.size ()"),
        None => "1".to_owned(),
    });
    let base = match constructors.first() {
        Some((constructor, Some(part))) => format!("{constructor} {part}.base"),
        Some((constructor, None)) => constructor.to_string(),
        None => String::new(),
    };
    let testers = constructors.iter().map(|entry| {
        let pattern = applied(entry, "_");
        format!("fun of_{} CPN'a = case CPN'a of {pattern} => true | _ => false\n", entry.0)
    });
    listed(Functions {
        base,
        cmp: format!(
            "let fun CPN'tag CPN'u = case CPN'u of {tags} in case (CPN'a, CPN'b) of {} | _ => \
             CPN'CS.int_cmp (CPN'tag CPN'a, CPN'tag CPN'b) end",
            same.collect::<Vec<_>>().join(" | ")
        ),
        mkstr: cases(&|_, constructor, part| match part {
            Some(part) => {
                format!("CPN'CS.concat [\"{constructor}(\", {part}.mkstr CPN'x, \")\"]")
            }
            None => format!("\"{constructor}\""),
        }),
        legal: cases(&|_, _, part| match part {
            Some(part) => format!("{part}.legal CPN'x"),
            None => TRUE.to_owned(),
        }),
        size: format!("CPN'CS.sum [{}]", sizes.collect::<Vec<_>>().join(", ")),
        all: format!("CPN'CS.join [{}]", values.collect::<Vec<_>>().join(", ")),
        ord: "CPN'CS.position_by (all (), cmp, CPN'a)".to_owned(),
        more: testers.collect(),
        ..Functions::default()
    })
}
