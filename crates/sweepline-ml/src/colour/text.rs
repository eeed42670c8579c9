//! Generates the declarations of a colour set in CPN ML: its type and its structure of functions.
//!
//! Generated names begin with `CPN'`, which models cannot use, so that declarations of the model cannot hide
//! them. Helper functions are in the prelude's structure `CPN'CS`.

mod composed;

use crate::types::Symbol;

use super::{ColourSetForm as Form, ColourSetSyntax};
use composed::{fields, union, union_type};

/// The bodies of the functions that every colour set has. They use the parameters `CPN'a` and `CPN'b`.
#[derive(Default)]
struct Functions {
    /// Declarations that the functions need.
    first: String,
    base: String,
    /// Takes `(CPN'a, CPN'b)`.
    cmp: String,
    /// Takes `CPN'a`.
    mkstr: String,
    /// Takes `CPN'a`.
    legal: String,
    size: String,
    all: String,
    /// Takes `CPN'a`.
    ord: String,
    /// Takes `CPN'n`.
    col: String,
    ran: String,
    /// Further declarations.
    more: String,
}

const TRUE: &str = "true";

/// All declarations of a colour set.
pub(super) fn structure_text(name: &Symbol, form: &ColourSetSyntax, timed: bool) -> String {
    let (ty, functions) = match form {
        Form::Alias { of } => {
            let text = format!("type {name} = {of}\nstructure {name} = {of}\n");
            return text + &timed_text(name, timed);
        }
        Form::Unit { token } => {
            let declared =
                token.as_ref().map_or(String::new(), |token| format!("\nval {token} = ()"));
            (format!("unit{declared}"), unit(token.as_deref().unwrap_or("()")))
        }
        Form::Bool { names: None } => ("bool".to_owned(), boolean("false", "true")),
        Form::Bool { names: Some((no, yes)) } => {
            (format!("bool\nval {no} = false\nval {yes} = true"), boolean(no, yes))
        }
        Form::Enum { values } => (values.join(" | "), enumeration(values)),
        Form::Index { name: index, .. } => (format!("{index} of int"), indexed(name, index)),
        Form::Product { components } => {
            let labels: Vec<String> = (1..=components.len()).map(|n| n.to_string()).collect();
            (components.join(" * "), fields(&labels, components, true))
        }
        Form::Record { fields: declared } => {
            let labels: Vec<String> = declared.iter().map(|(label, _)| label.to_string()).collect();
            let parts: Vec<Symbol> = declared.iter().map(|(_, set)| set.clone()).collect();
            let typed = declared.iter().map(|(label, set)| format!("{label} : {set}"));
            let ty = format!("{{{}}}", typed.collect::<Vec<_>>().join(", "));
            (ty, fields(&labels, &parts, false))
        }
        Form::Union { constructors } => (union_type(constructors), union(constructors)),
        Form::List { element, length } => {
            (format!("{element} list"), list(name, element, length.is_some()))
        }
        Form::SubsetBy { of, .. } => {
            let by = format!("CPN'{name}'by");
            let (legal, all) = (format!("{by} CPN'a"), format!("CPN'CS.filter {by} ({of}.all ())"));
            (of.to_string(), subset(of, &legal, &all, None))
        }
        Form::SubsetWith { of, .. } => {
            let values = format!("CPN'{name}'with");
            let legal = format!("CPN'CS.mem ({values}, CPN'a)");
            (of.to_string(), subset(of, &legal, &values, Some(&values)))
        }
        _ => {
            let (ty, functions) = simple(name, form);
            (ty.to_owned(), functions)
        }
    };
    let word = match form {
        Form::Enum { .. } | Form::Index { .. } | Form::Union { .. } => "datatype",
        _ => "type",
    };
    format!("{word} {name} = {ty}\n") + &functions.structure(name) + &timed_text(name, timed)
}

impl Functions {
    fn structure(&self, name: &str) -> String {
        let Functions { first, base, cmp, mkstr, legal, size, all, ord, col, ran, more } = self;
        format!(
            "structure {name} = struct\n\
             {first}val base : {name} = {base}\n\
             fun cmp (CPN'a : {name}, CPN'b : {name}) : CPN'CS.order = {cmp}\n\
             fun lt (CPN'a, CPN'b) = case cmp (CPN'a, CPN'b) of CPN'CS.LESS => true | _ => false\n\
             fun mkstr (CPN'a : {name}) : string = {mkstr}\n\
             fun mkstr_ms CPN'm = CPN'CS.mkstr_ms (mkstr, lt) CPN'm\n\
             fun legal (CPN'a : {name}) : bool = {legal}\n\
             fun illegal_msg CPN'a = if legal CPN'a then \"\" else CPN'CS.illegal (mkstr CPN'a)\n\
             fun size () : int = {size}\n\
             fun all () : {name} list = {all}\n\
             fun ord (CPN'a : {name}) : int = {ord}\n\
             fun col (CPN'n : int) : {name} = {col}\n\
             fun ran () : {name} = {ran}\n\
             fun output (CPN's, CPN'a) = CPN'CS.output (CPN's, mkstr CPN'a)\n\
             fun output_ms (CPN's, CPN'm) = CPN'CS.output (CPN's, mkstr_ms CPN'm)\n\
             fun input CPN's : {name} = CPN'CS.no_input CPN's\n\
             fun input_ms CPN's : {name} list = CPN'CS.no_input CPN's\n\
             {more}end\n"
        )
    }
}

/// Further declarations of a timed colour set.
fn timed_text(name: &str, timed: bool) -> String {
    if !timed {
        return String::new();
    }
    format!(
        "structure {name}'timed = struct\n\
         fun cmp (CPN'a, CPN'b) = CPN'CS.timed_cmp {name}.cmp (CPN'a, CPN'b)\n\
         fun lt (CPN'a, CPN'b) = case cmp (CPN'a, CPN'b) of CPN'CS.LESS => true | _ => false\n\
         fun mkstr CPN'a = CPN'CS.timed_mkstr {name}.mkstr CPN'a\n\
         fun mkstr_ms CPN'm = CPN'CS.mkstr_tms (mkstr, lt) CPN'm\n\
         fun legal CPN'a = {name}.legal (CPN'CS.untimed CPN'a)\n\
         end\n"
    )
}

fn no(function: &str, kind: &str) -> String {
    format!("CPN'CS.no (\"{function}\", \"{kind}\")")
}

/// A set that cannot be enumerated.
fn endless(kind: &str) -> Functions {
    Functions {
        legal: TRUE.to_owned(),
        size: no("size", kind),
        all: no("all", kind),
        ord: no("ord", kind),
        col: no("col", kind),
        ran: no("ran", kind),
        ..Functions::default()
    }
}

/// A set given by its list of values.
fn listed(functions: Functions) -> Functions {
    Functions {
        col: "CPN'CS.nth (all (), CPN'n)".to_owned(),
        ran: "CPN'CS.pick (all ())".to_owned(),
        ..functions
    }
}

fn unit(token: &str) -> Functions {
    listed(Functions {
        base: "()".to_owned(),
        cmp: "CPN'CS.EQUAL".to_owned(),
        mkstr: format!("\"{token}\""),
        legal: TRUE.to_owned(),
        size: "1".to_owned(),
        all: "[()]".to_owned(),
        ord: "0".to_owned(),
        ..Functions::default()
    })
}

fn boolean(no: &str, yes: &str) -> Functions {
    listed(Functions {
        base: "false".to_owned(),
        cmp: "CPN'CS.int_cmp (ord CPN'a, ord CPN'b)".replace("ord ", "CPN'CS.of_bool "),
        mkstr: format!("if CPN'a then \"{yes}\" else \"{no}\""),
        legal: TRUE.to_owned(),
        size: "2".to_owned(),
        all: "[false, true]".to_owned(),
        ord: "CPN'CS.of_bool CPN'a".to_owned(),
        ..Functions::default()
    })
}

fn enumeration(values: &[Symbol]) -> Functions {
    let numbered: Vec<String> =
        (0..).zip(values).map(|(n, value): (usize, _)| format!("{value} => {n}")).collect();
    let named: Vec<String> = values.iter().map(|value| format!("{value} => \"{value}\"")).collect();
    listed(Functions {
        // Written once, because an enumeration may have many values.
        first: format!("fun CPN'ord CPN'a : int = case CPN'a of {}\n", numbered.join(" | ")),
        base: values.first().map(|first| first.to_string()).unwrap_or_default(),
        cmp: "CPN'CS.int_cmp (CPN'ord CPN'a, CPN'ord CPN'b)".to_owned(),
        mkstr: format!("case CPN'a of {}", named.join(" | ")),
        legal: TRUE.to_owned(),
        size: values.len().to_string(),
        all: format!("[{}]", values.join(", ")),
        ord: "CPN'ord CPN'a".to_owned(),
        ..Functions::default()
    })
}

fn indexed(name: &str, index: &str) -> Functions {
    let (low, high) = (format!("CPN'{name}'low"), format!("CPN'{name}'high"));
    let number = |of: &str| format!("(case {of} of {index} CPN'i => CPN'i)");
    let a = number("CPN'a");
    Functions {
        base: format!("{index} {low}"),
        cmp: format!("CPN'CS.int_cmp ({a}, {})", number("CPN'b")),
        mkstr: format!("CPN'CS.concat [\"{index}(\", CPN'CS.digits {a}, \")\"]"),
        legal: format!("CPN'CS.within ({low}, {a}, {high})"),
        size: format!("CPN'CS.count ({low}, {high})"),
        all: format!("CPN'CS.map {index} (CPN'CS.int_range ({low}, {high}))"),
        ord: format!("CPN'CS.minus ({a}, {low})"),
        col: format!("{index} (CPN'CS.plus ({low}, CPN'n))"),
        ran: format!("{index} (CPN'CS.random_int ({low}, {high}))"),
        ..Functions::default()
    }
}

/// Numbers, strings and time.
fn simple(name: &str, form: &ColourSetSyntax) -> (&'static str, Functions) {
    let (low, high) = (format!("CPN'{name}'low"), format!("CPN'{name}'high"));
    let (ty, kind, zero, is_ranged) = match form {
        Form::Int { range } => ("int", "int", "0", range.is_some()),
        Form::IntInf { range } => ("IntInf.int", "intinf", "0", range.is_some()),
        Form::Real { range } => ("real", "real", "0.0", range.is_some()),
        Form::String { .. } => ("string", "string", "\"\"", false),
        _ => ("time", "time", "CPN'CS.time_zero", false),
    };
    let plain = Functions {
        base: if is_ranged { low.clone() } else { zero.to_owned() },
        cmp: format!("CPN'CS.{kind}_cmp (CPN'a, CPN'b)"),
        mkstr: format!("CPN'CS.{kind}_mkstr CPN'a"),
        ..endless(kind)
    };
    let functions = match form {
        Form::Int { range: Some(_) } => Functions {
            legal: format!("CPN'CS.within ({low}, CPN'a, {high})"),
            size: format!("CPN'CS.count ({low}, {high})"),
            all: format!("CPN'CS.int_range ({low}, {high})"),
            ord: format!("CPN'CS.minus (CPN'a, {low})"),
            col: format!("CPN'CS.plus ({low}, CPN'n)"),
            ran: format!("CPN'CS.random_int ({low}, {high})"),
            ..plain
        },
        Form::IntInf { range: Some(_) } => Functions {
            legal: format!("CPN'CS.intinf_within ({low}, CPN'a, {high})"),
            size: format!("CPN'CS.intinf_count ({low}, {high})"),
            all: format!("CPN'CS.intinf_range ({low}, {high})"),
            ord: format!("CPN'CS.intinf_count ({low}, CPN'a) - 1"),
            col: format!("{low} + CPN'CS.large CPN'n"),
            ran: format!("{low} + CPN'CS.large (CPN'CS.random_below (size ()))"),
            ..plain
        },
        Form::Real { range: Some(_) } => Functions {
            legal: format!("CPN'CS.real_within ({low}, CPN'a, {high})"),
            ran: format!("CPN'CS.uniform ({low}, {high})"),
            ..plain
        },
        Form::String { characters, length } => {
            string(name, plain, characters.is_some(), length.is_some())
        }
        _ => plain,
    };
    (ty, functions)
}

fn string(name: &str, functions: Functions, characters: bool, length: bool) -> Functions {
    let range = format!("(CPN'{name}'low, CPN'{name}'high)");
    let lengths = format!("(CPN'{name}'length'low, CPN'{name}'length'high)");
    let spelled = format!("CPN'CS.spelled {range} CPN'a");
    let long = format!("CPN'CS.of_length {lengths} CPN'a");
    match (characters, length) {
        (true, true) => listed(Functions {
            legal: format!("{spelled} andalso {long}"),
            size: format!("CPN'CS.powers (CPN'CS.letters {range}, {lengths})"),
            all: format!("CPN'CS.strings ({range}, {lengths})"),
            ord: "CPN'CS.position (all (), CPN'a)".to_owned(),
            ..functions
        }),
        (true, false) => Functions { legal: spelled, ..functions },
        (false, true) => Functions { legal: long, ..functions },
        (false, false) => functions,
    }
}

fn list(name: &str, element: &str, with_length: bool) -> Functions {
    let lengths = format!("(CPN'{name}'low, CPN'{name}'high)");
    let functions = Functions {
        base: "nil".to_owned(),
        cmp: format!("CPN'CS.list_cmp {element}.cmp (CPN'a, CPN'b)"),
        mkstr: format!("CPN'CS.list_mkstr {element}.mkstr CPN'a"),
        ..endless("list")
    };
    let elements = format!("CPN'CS.every {element}.legal CPN'a");
    if !with_length {
        return Functions { legal: elements, ..functions };
    }
    listed(Functions {
        legal: format!("{elements} andalso CPN'CS.has_length {lengths} CPN'a"),
        size: format!("CPN'CS.powers ({element}.size (), {lengths})"),
        all: format!("CPN'CS.lists ({element}.all (), {lengths})"),
        ord: "CPN'CS.position_by (all (), cmp, CPN'a)".to_owned(),
        ..functions
    })
}

/// `size` of a subset by a function counts the base set, as CPN Tools does.
fn subset(of: &str, legal: &str, all: &str, values: Option<&str>) -> Functions {
    listed(Functions {
        base: match values {
            Some(values) => format!("CPN'CS.first {values}"),
            None => format!("{of}.base"),
        },
        cmp: format!("{of}.cmp (CPN'a, CPN'b)"),
        mkstr: format!("{of}.mkstr CPN'a"),
        legal: legal.to_owned(),
        size: match values {
            Some(values) => format!("CPN'CS.length {values}"),
            None => format!("{of}.size ()"),
        },
        all: all.to_owned(),
        ord: "CPN'CS.position_by (all (), cmp, CPN'a)".to_owned(),
        ..Functions::default()
    })
}
