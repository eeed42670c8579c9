//! Mistakes and their positions.

use super::{arc, errors, load, load_with, model, net, page, place, trans, warnings};
use crate::{Options, Problem};

#[test]
fn mistakes_in_texts_have_their_line_and_column_in_the_file() {
    let text = model(
        "",
        &page(
            "Top",
            &[
                place("A", "NO", "1`1 ++ true", ""),
                trans("T", &[("cond", "[n < 3,\n e = n]"), ("priority", "n")]),
                arc("PtoT", "T", "A", "nn"),
            ],
        ),
    );
    let errors = load_with(&text, &Options::default()).unwrap_err();
    let lines: Vec<&str> = text.lines().collect();
    for error in &errors.errors {
        let (_, position) = error.place.as_ref().unwrap();
        let rest: String = lines[position.line - 1].chars().skip(position.column - 1).collect();
        let wanted = match &*error.subject {
            "initial marking of place `A` on page `Top`" => "true</text>",
            "guard of transition `T` on page `Top`" => "n]</text>",
            "priority of transition `T` on page `Top`" => "n</text>",
            "arc from `A` to `T` on page `Top`" => "nn</text>",
            other => panic!("{other}"),
        };
        assert!(rest.starts_with(wanted), "{rest}");
        assert!(matches!(error.problem, Problem::Ml(_)));
    }
    assert_eq!(errors.errors.len(), 4);
}

#[test]
fn reports_show_the_file() {
    let text = model("", &page("Top", &[place("A", "NO", "1`x", "")]));
    let errors = load_with(&text, &Options::default()).unwrap_err();
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none());
    let mut report = String::new();
    handler.render_report(&mut report, &errors).unwrap();
    assert!(report.contains("SWL-ML-0012"), "{report}");
    assert!(report.contains("model.cpn:"), "{report}");
    assert!(report.contains("1`x</text>"), "{report}");
    assert!(report.contains("initial marking of place `A` on page `Top`"), "{report}");
}

#[test]
fn nodes_and_arcs_that_are_wrong_are_refused() {
    let check = |parts: &[String], wanted: &[&str]| {
        assert_eq!(errors(load(&page("Top", parts))), wanted);
    };
    check(&[place("A", "", "", "")], &["place `A` on page `Top`: the place has no colour set"]);
    check(
        &[place("A", "PAIRS", "", "")],
        &["place `A` on page `Top`: there is no colour set `PAIRS`"],
    );
    let (a, t) = (place("A", "NO", "", ""), trans("T", &[]));
    check(
        &[a.clone(), arc("PtoT", "T", "A", "1")],
        &["arc `PtoT T A` on page `Top`: the arc's transition `T` is not on the page"],
    );
    check(
        &[a.clone(), t.clone(), arc("sideways", "T", "A", "1")],
        &["arc from `A` to `T` on page `Top`: the arc has the unknown orientation `sideways`"],
    );
    check(
        &[a.clone(), t.clone(), arc("TtoP", "T", "A", " ")],
        &["arc from `T` to `A` on page `Top`: the text is empty"],
    );
    check(
        &[a.clone(), t.clone(), arc("Inhibitor", "T", "A", "1")],
        &[
            "arc from `A` to `T` on page `Top`: an inhibitor or reset arc must not have an inscription",
        ],
    );
    check(
        &[trans("T", &[("channel", "ch!1")])],
        &[
            "transition `T` on page `Top`: channels are not supported (CPN Tools does not simulate them either)",
        ],
    );
    let fine =
        net(&page("Top", &[a, t, arc("Inhibitor", "T", "A", ""), arc("reset", "T", "A", "")]));
    let behaviour = &fine.behaviours[0];
    assert_eq!((behaviour.inhibitors.len(), behaviour.resets.len()), (1, 1));
    assert_eq!(fine.transitions[0].places.len(), 1);
}

#[test]
fn wrong_declarations_matter_only_where_they_are_used() {
    let ml = "fun wrong x = x + true; fun outer x = wrong x; val fine = 1;";
    let uses = |marking: &str| {
        load_with(&model(ml, &page("Top", &[place("A", "NO", marking, "")])), &Options::default())
    };
    let net = uses("fine").unwrap();
    assert_eq!(net.warnings.len(), 1, "{:?}", warnings(&net));
    assert!(net.warnings[0].subject.starts_with("declaration `fun wrong"));
    assert_eq!(errors(uses("wrong 1")).len(), 1);
    assert_eq!(errors(uses("outer 1")).len(), 1);
    // With another error, mistakes in declarations are reported, too.
    assert_eq!(errors(uses("missing")).len(), 2);
}

#[test]
fn errors_are_capped_and_counted() {
    let places: Vec<String> = (0..500).map(|n| place(&format!("P{n}"), "X", "", "")).collect();
    let errors = load(&page("Top", &places)).unwrap_err();
    assert_eq!((errors.errors.len(), errors.n_more), (20, 480));
    assert!(errors.to_string().contains("500 errors, of which the first 20 are shown"));
}
