//! Models in text form: parsed, printed, damaged.

use proptest::prelude::*;

use sweepline_query::PropertyKind;

use super::{format_cpnt, read_cpnt_bytes, to_cpnt};
use crate::problem::Problem;
use crate::read::{ArcKind, File, PortKind};
use crate::{Limits, LoadErrors, Net, Options};

const MODEL: &str = r#"(* Two pages, and a bit of everything. *)

val n = 3; (* how many *)
colset NO = int with 0..n;
colset UNIT = unit;
var i : NO;
fun next i =
  if i = n then 0
  else i + 1;

page Top @ not a layout
"#;

/// A model with every kind of line, in canonical form.
const WHOLE: &str = r#"(* Two pages,
   and a bit of everything. *)

val n = 3; (* how many *)
colset NO = int with 0..n timed;
colset UNIT = unit;
var i : NO;
fun next i =
  if i = n then 0
  else i + 1;

page Top
  place Next : NO @ 10 -20.5 60 40 = 1`0
  (* A socket. *)
  place "Left over" : UNIT fusion Memory
  place Seen as seen1 : UNIT out =
    1`()
      ++ 2`()

  transition "Count up" @ 0 0
    guard [i < n]
    delay @+1
    priority 100
    code
      input (i);
      output ();
      action
        ()
    in Next: i
    out Next @ 1 2 3 4.5: next i
    both Seen: ()
    inhibitor "Left over"
    reset seen1

  substitution Module: "Page two"
    port Here = "Left over"
    out "Left over"
    (* Nothing else. *)

  note
    Free text,
      as it was.

page "Page two"
  place Here : UNIT io fusion Memory

top Top

progress far: size Seen
property small: bound size Seen
property live: deadlock
property apart: never
  size Seen > 3
  orelse false
property again: home size Seen = 0
property back: reversible
property ends: terminates
property goes: live "Count up"
property fairly: fair Top'Count_up
property runs: ltl
  weak-fair Module (* always *)
  strong-fair "Count up"
  G ({size Seen > 0} -> F "Count up")
property branches: ctl AG EF {size Seen = 0}
"#;

fn read(text: &str) -> Result<File, LoadErrors> {
    read_cpnt_bytes("model.cpnt", text.as_bytes(), &Limits::default())
}

fn format(text: &str) -> Result<String, LoadErrors> {
    format_cpnt("model.cpnt", text.as_bytes(), &Limits::default())
}

#[test]
fn every_line_is_read() {
    let file = read(WHOLE).unwrap();
    // The comment before them is one, too.
    assert_eq!(file.declarations.len(), 6);
    let [top, second] = file.pages.as_slice() else { panic!("{:?}", file.pages) };
    let [next, left, seen] = top.places.as_slice() else { panic!("{:?}", top.places) };
    assert_eq!((next.colour_set.as_str(), next.initial.as_str()), ("NO", "1`0"));
    assert_eq!(next.layout.unwrap().size, Some((60.0, 40.0)));
    assert_eq!((left.name.as_str(), left.fusion.as_deref()), ("Left over", Some("Memory")));
    assert_eq!((seen.id.as_str(), seen.port), ("seen1", Some(PortKind::Out)));
    assert_eq!(seen.initial.as_str(), "1`()\n  ++ 2`()");
    let [count, module] = top.transitions.as_slice() else { panic!("{:?}", top.transitions) };
    assert_eq!((count.guard.as_str(), count.time.as_str()), ("[i < n]", "@+1"));
    assert_eq!(count.code.as_str(), "input (i);\noutput ();\naction\n  ()");
    let kinds: Vec<&ArcKind> = top.arcs.iter().map(|arc| &arc.kind).collect();
    let wanted = [
        &ArcKind::Input,
        &ArcKind::Output,
        &ArcKind::Both,
        &ArcKind::Inhibitor,
        &ArcKind::Reset,
        &ArcKind::Output,
    ];
    assert_eq!(kinds, wanted);
    assert_eq!(top.arcs[1].bends, [(1.0, 2.0), (3.0, 4.5)]);
    let substitution = module.substitution.as_ref().unwrap();
    assert_eq!(substitution.subpage, second.id);
    assert_eq!(substitution.assignments, [(second.places[0].id.clone(), left.id.clone())]);
    assert_eq!(top.notes[0].as_str(), "Free text,\n  as it was.");
    assert_eq!(file.fusions[0].members.len(), 2);
    assert_eq!(file.instances[0].page, top.id);
    assert_eq!((&*file.measures[0].name, file.measures[0].text.as_str()), ("far", "size Seen"));
    let kinds: Vec<PropertyKind> = file.properties.iter().map(|property| property.kind).collect();
    let wanted = [
        PropertyKind::Bound,
        PropertyKind::Deadlock,
        PropertyKind::Never,
        PropertyKind::Home,
        PropertyKind::Reversible,
        PropertyKind::Terminates,
        PropertyKind::Live,
        PropertyKind::Fair,
        PropertyKind::Ltl,
        PropertyKind::Ctl,
    ];
    assert_eq!(kinds, wanted);
    assert_eq!(file.properties[2].text.as_str(), "size Seen > 3\norelse false");
    assert_eq!(file.properties[6].text.as_str(), "Count up");
    let stated = file.properties[8].stated();
    let assumed: Vec<_> = stated.assumed.iter().map(|a| (&*a.name, a.is_strong)).collect();
    assert_eq!(assumed, [("Module", false), ("Count up", true)]);
    assert_eq!(stated.formula.trim(), "G ({size Seen > 0} -> F \"Count up\")");
}

#[test]
fn bytes_know_where_they_stand() {
    let file = read(WHOLE).unwrap();
    let code = &file.pages[0].transitions[0].code;
    let at = code.as_str().find("output").unwrap();
    assert!(WHOLE[code.offset(at)..].starts_with("output ();"));
    let text = &file.properties[2].text;
    let at = text.as_str().find("orelse").unwrap();
    assert!(WHOLE[text.offset(at)..].starts_with("orelse false"));
}

#[test]
fn the_canonical_form_stays_as_it_is() {
    assert_eq!(format(WHOLE).unwrap(), WHOLE);
}

#[test]
fn other_spacing_becomes_canonical() {
    let text = "val n=3 ; val m = 4\ncolset U = unit;\n\n\n\npage  A (* a *)\n\tplace P:U=1`()\n\n\n\
                \ttransition  T\n\t\tin P :  ()\n\n\t\tout P:\n\t\t\t  1`()\n\t\t\t++ empty\n(* end *)\n\n";
    let wanted = "val n=3 ;\nval m = 4\ncolset U = unit;\n\n(* a *)\npage A\n  place P : U = 1`()\n\n  \
                  transition T\n    in P: ()\n\n    out P:\n      1`()\n      ++ empty\n\n(* end *)\n";
    assert_eq!(format(text).unwrap(), wanted);
    assert_eq!(format(wanted).unwrap(), wanted);
}

#[test]
fn a_file_comes_back_from_its_text() {
    let text = to_cpnt(&read(WHOLE).unwrap());
    assert_eq!(to_cpnt(&read(&text).unwrap()), text);
    assert_eq!(format(&text).unwrap(), text);
    // Comments are not part of a CPN Tools file, and properties come last.
    assert!(text.contains("place Seen as seen1") || text.contains("place Seen : UNIT"), "{text}");
}

fn problems(text: &str) -> Vec<String> {
    let net = read(text).and_then(|file| Net::load(&file, &Options::default()));
    net.unwrap_err().errors.iter().map(ToString::to_string).collect()
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let text = MODEL.to_owned()
        + "  plase P : NO\n  place Q : NO in = 1`1\n  transition T\n    in R: i\n    outt Q: i\n   \
           out Q: i\n  substitution S: Nowhere\n    port a b\n\nproperty p: always true\nproperty q: live\n\
           property r: reversible now\nproperty s: ltl\nproperty t: deadlock\n  true\npage Top\n";
    let wanted = [
        "model.cpnt:11:10: expected the end of the line, found `@`",
        "model.cpnt:12:3: a line of a page cannot start with `plase`",
        "model.cpnt:16:5: a line of a transition cannot start with `outt`",
        "model.cpnt:17:4: the line is indented by 3 columns, the lines before it by 4",
        "model.cpnt:19:12: expected `=` and the name of a socket on this page, found `b`",
        "model.cpnt:21:13: expected `never`, `reach`, `bound`, `home`, `deadlock`, `reversible`, \
         `terminates`, `live`, `fair`, `ltl` or `ctl`, found `always`",
        "model.cpnt:22:17: expected the name of a transition, in quotes if it has spaces, found \
         the end of the line",
        "model.cpnt:23:24: expected the end of the line, found `now`",
        "model.cpnt:24:16: expected a formula, for example `G F Send` after `ltl`, found the end of \
         the line",
        "model.cpnt:26:3: the line is indented, but the line above it does not continue",
    ];
    assert_eq!(problems(&text), wanted);
}

/// The hint of the first mistake in a text.
fn hint(text: &str) -> String {
    let errors = read(text).unwrap_err();
    let help = miette::Diagnostic::help(&errors.errors[0]).map(|help| help.to_string());
    help.unwrap_or_default()
}

#[test]
fn hints_show_what_to_write() {
    let with = |line: &str| format!("colset U = unit;\npage A\n  place P : U\n{line}\n");
    for (line, wanted) in [
        ("property p: deadlok", "did you mean `deadlock`?"),
        ("  place Two Words : U", "put a name with spaces in quotes: `\"Two Words\"`"),
        ("  place Q : U @ 1", "`sweepline help text-form` shows what each line looks like"),
        ("  transition Go on", "put a name with spaces in quotes: `\"Two Words\"`"),
        ("  place P : U", "give it another name, or add a key: `P as place2`"),
        ("color C = int;", "write `colset` in place of it: `colset NAME = ...;`"),
    ] {
        assert_eq!(hint(&with(line)), wanted, "{line}");
    }
}

#[test]
fn names_must_mean_something() {
    let text = "colset U = unit;\npage A\n  place P : U\n  place P : U\n  place Q as k1 : U\n  place Q as k2 : U\n  \
                transition T\n    in R: ()\n    in Q: ()\n    in k2: ()\n    guard true\n    guard false\n\
                page B\n  substitution S: C\ntop D\nprogress a: 1\nprogress a: 2\n";
    let wanted = [
        "model.cpnt:4:9: there is already a place `P`, at 3:9",
        "model.cpnt:8:8: there is no place `R`",
        "model.cpnt:9:8: there is no place `Q`",
        "model.cpnt:12:5: there is already a region `guard`, at 11:11",
        "model.cpnt:14:19: there is no page `C`",
        "model.cpnt:15:5: there is no page `D`",
        "model.cpnt:17:10: there is already a measure `a`, at 16:10",
    ];
    assert_eq!(problems(text), wanted);
}

#[test]
fn mistakes_in_inscriptions_are_shown_in_the_text() {
    let text = "colset NO = int;\nvar i : NO;\npage A\n  place P : NO = 1`\"a\"\n  transition T\n    \
                in P: i\n    out P:\n      1`i ++\n      1`(i ^ \"x\")\n";
    let found = problems(text);
    assert!(found[0].starts_with("model.cpnt:4:18: initial marking of place `P`"), "{found:?}");
    assert!(found[2].starts_with("model.cpnt:9:10: arc from `T` to `P`"), "{found:?}");
}

#[test]
fn unclosed_comments_are_reported() {
    for (text, line) in [("val a = 1 (* x\n", 1), ("page A\n  (* x\n", 2), ("(* x", 1)] {
        let errors = read(text).unwrap_err();
        assert!(matches!(errors.errors[0].problem, Problem::OpenComment), "{text}");
        assert_eq!(errors.errors[0].place.as_ref().unwrap().1.line, line);
    }
}

#[test]
fn declarations_that_cannot_be_parsed_are_quoted() {
    let text = "ml \"val a = (\\\"x\"\nml \"1 + 1;\"\npage A\n";
    assert_eq!(format(text).unwrap(), "ml \"val a = (\\\"x\"\nml \"1 + 1;\"\n\npage A\n");
    let again = to_cpnt(&read(text).unwrap());
    assert!(again.contains("ml \"val a = (\\\"x\"") && again.contains("ml \"1 + 1;\""), "{again}");
}

/// Pieces of lines, correct and wrong.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("\n".to_owned()),
        Just("\n  ".to_owned()),
        Just("\n    ".to_owned()),
        Just("(*".to_owned()),
        Just("*)".to_owned()),
        Just("\"".to_owned()),
        "[ -~\u{e9}\u{1f600}\t]{0,6}",
        prop::sample::select(vec![
            "page A",
            "place P : U",
            "transition T",
            "in P: x",
            "val a = 1;",
            "let ",
            "end",
            "property p: never ",
            "\nproperty q: live ",
            "\nproperty r: fair \"a b\"",
            "\nproperty s: reversible",
            "\nproperty t: ltl ",
            "weak-fair T ",
            "strong-fair \"",
            "G F {P = 1}",
            "\nproperty u: ctl AG {",
            "guard",
            "note x",
            "as k",
            "@ 1 2",
            "fun f x = ",
            "colset C = int",
            "=",
            ":",
            "substitution S: A",
        ])
        .prop_map(str::to_owned),
    ]
}

#[test]
fn a_file_of_nothing_says_so() {
    assert_eq!(format(";").unwrap(), "(* nothing *)\n");
    check(";");
}

proptest! {
    #[test]
    fn any_text_is_a_model_or_errors(pieces in prop::collection::vec(piece(), 0..60)) {
        check(&pieces.concat());
    }

    #[test]
    fn damaged_models_are_models_or_errors(
        cut in 0..WHOLE.len(), length in 0..80usize, piece in piece(), at in 0..WHOLE.len(),
    ) {
        let mut text = WHOLE.to_owned();
        text.insert_str(at, &piece);
        let end = (cut + length).min(text.len());
        if text.is_char_boundary(cut) && text.is_char_boundary(end) {
            text.replace_range(cut..end, "");
        }
        check(&text);
    }
}

#[test]
fn comments_that_end_at_the_margin_are_kept() {
    check("property p: never\n  (*\n  \"\n*)\nfun f x = *)");
    let text = "property p: never\n  (* a\nb *)\n  true\n";
    assert!(format(text).is_ok_and(|once| once.contains("b *)")), "{:?}", format(text));
    check(text);
}

/// No panic, and the printed form of a parsed text is canonical and equivalent.
fn check(text: &str) {
    let Ok(once) = format(text) else { return };
    let Ok(twice) = format(&once) else { panic!("not read again:\n{text}\n---\n{once}") };
    assert_eq!(once, twice, "of\n{text}");
    let (first, second) = (read(text), read(&once));
    assert_eq!(first.is_ok(), second.is_ok(), "{text}");
    if let (Ok(first), Ok(second)) = (first, second) {
        assert_eq!(to_cpnt(&first), to_cpnt(&second), "of\n{text}");
        let _ = Net::load(&second, &Options::default());
        let described = to_cpnt(&first);
        let third = read(&described).unwrap_or_else(|e| panic!("{e}\n{text}\n---\n{described}"));
        assert_eq!(to_cpnt(&third), described);
    }
}
