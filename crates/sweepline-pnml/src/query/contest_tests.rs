//! Formula files: the meaning of each kind of formula, and the messages about wrong ones.

use super::*;
use crate::net::Net;
use crate::read::{Noise, mutate, render};

fn net() -> Net {
    Net::builder("n")
        .place_named("p1", "queue", 1)
        .place("p2", 0)
        .transition("t1", &[("p1", 1)], &[("p2", 1)])
        .transition("t2", &[("p2", 1)], &[("p1", 1)])
        .build()
        .unwrap()
}

fn file(formula: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property>\n\
         <id>f1</id>\n<description>words</description>\n<formula>\n{formula}\n</formula>\n\
         </property>\n</property-set>\n"
    )
}

/// The question of a file with one formula, as text.
fn asked(formula: &str) -> String {
    let net = net();
    let properties = read_properties_str("f.xml", &file(formula), &net);
    let properties = properties.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((properties.len(), properties[0].id.as_str()), (1, "f1"));
    show(&net, &properties[0].question)
}

fn show(net: &Net, question: &Question) -> String {
    match question {
        Question::Invariant(predicate) => format!("AG {}", predicate.display(net)),
        Question::Possible(predicate) => format!("EF {}", predicate.display(net)),
        Question::Initially(predicate) => format!("now {}", predicate.display(net)),
        Question::Ltl(formula) => {
            format!("A {}", formula.clone().map(|predicate| predicate.display(net).to_string()))
        }
        Question::Bound(expr) => format!("max {}", expr.display(net)),
        Question::Combination(combination) => show_combination(net, combination),
        Question::Ctl(formula) => formula.clone().map(|p| p.display(net).to_string()).to_string(),
        other => format!("{other:?}"),
    }
}

fn show_combination(net: &Net, combination: &Combination) -> String {
    let list = |parts: &[Combination]| {
        parts.iter().map(|part| show_combination(net, part)).collect::<Vec<_>>().join("; ")
    };
    match combination {
        Combination::All(parts) => format!("all({})", list(parts)),
        Combination::Any(parts) => format!("any({})", list(parts)),
        leaf => show(net, &leaf.clone().into()),
    }
}

const FIREABLE: &str =
    "<is-fireable><transition>t1</transition><transition>t2</transition></is-fireable>";
const COUNT: &str = "<tokens-count><place>p1</place><place>p2</place></tokens-count>";

fn le(left: &str, right: &str) -> String {
    format!("<integer-le>{left}{right}</integer-le>")
}

fn tag(name: &str, inside: &str) -> String {
    format!("<{name}>{inside}</{name}>")
}

fn ef(inside: &str) -> String {
    tag("exists-path", &tag("finally", inside))
}

fn ag(inside: &str) -> String {
    tag("all-paths", &tag("globally", inside))
}

#[test]
fn formulas_are_read() {
    let five = "<integer-constant>5</integer-constant>";
    let at_most = le(COUNT, five);
    let sum = tag("integer-sum", &format!("{COUNT}{five}"));
    let difference = tag("integer-difference", &format!("{COUNT}{five}{five}"));
    let product = tag("integer-product", &format!("{five}{COUNT}"));
    for (formula, expected) in [
        (ef(&at_most), "EF tokens(queue) + tokens(p2) <= 5"),
        (ag(FIREABLE), "AG fireable(t1, t2)"),
        (tag("negation", &ef(FIREABLE)), "AG not fireable(t1, t2)"),
        (tag("negation", &tag("negation", &ag(FIREABLE))), "AG fireable(t1, t2)"),
        (
            tag("exists-path", &tag("negation", &tag("globally", FIREABLE))),
            "EF not fireable(t1, t2)",
        ),
        (ef("<deadlock/>"), "Deadlock"),
        (ag(&tag("negation", "<deadlock/>")), "AG not deadlock"),
        (at_most.clone(), "now tokens(queue) + tokens(p2) <= 5"),
        (
            tag("place-bound", "<place>p1</place><place>p2</place>"),
            "max tokens(queue) + tokens(p2)",
        ),
        (ef(&le(five, &sum)), "EF true"),
        (ef(&le(&difference, five)), "EF tokens(queue) + tokens(p2) <= 15"),
        (ef(&tag("integer-ge", &format!("{product}{five}"))), "EF tokens(queue) + tokens(p2) >= 1"),
        (ef(&tag("integer-ne", &format!("{COUNT}{five}"))), "EF tokens(queue) + tokens(p2) != 5"),
        (
            ef(&tag("implication", &format!("<deadlock/>{FIREABLE}"))),
            "EF not deadlock or fireable(t1, t2)",
        ),
        (
            tag(
                "negation",
                &tag("conjunction", &format!("{}{}{FIREABLE}", ef(FIREABLE), ag("<deadlock/>"))),
            ),
            "any(AG not fireable(t1, t2); EF not deadlock; now not fireable(t1, t2))",
        ),
        (
            tag("disjunction", &format!("{}{}", ef("<true/>"), ag("<false/>"))),
            "any(EF true; AG false)",
        ),
        (tag("all-paths", &tag("globally", &tag("finally", FIREABLE))), "A G F fireable(t1, t2)"),
        (
            tag("all-paths", &tag("conjunction", &format!("{FIREABLE}{}", tag("next", FIREABLE)))),
            "A fireable(t1, t2) && X fireable(t1, t2)",
        ),
        (
            tag(
                "all-paths",
                &tag(
                    "negation",
                    &tag("until", &(tag("before", FIREABLE) + &tag("reach", "<deadlock/>"))),
                ),
            ),
            "A ! (fireable(t1, t2) U deadlock)",
        ),
    ] {
        assert_eq!(asked(&formula), expected, "{formula}");
    }
}

#[test]
fn formulas_about_runs_are_read() {
    let every = |inside: &str| tag("all-paths", inside);
    let some = |inside: &str| tag("exists-path", inside);
    let (dead, fires) = ("<deadlock/>", "fireable(t1, t2)");
    let until = |f: &str, g: &str| tag("until", &(tag("before", f) + &tag("reach", g)));
    for (formula, expected) in [
        (some(&tag("globally", FIREABLE)), format!("EG {fires}")),
        (some(&tag("next", FIREABLE)), format!("EX {fires}")),
        (some(&until(FIREABLE, dead)), format!("E[{fires} U deadlock]")),
        (ag(&ef(FIREABLE)), format!("AG EF {fires}")),
        (ag(&every(&tag("finally", dead))), "AG AF deadlock".into()),
        (tag("negation", &every(&tag("finally", dead))), "! AF deadlock".into()),
        (some(&until(&ef(dead), FIREABLE)), format!("E[EF deadlock U {fires}]")),
        (
            ef(&tag("conjunction", &(dead.to_owned() + &some(&tag("next", FIREABLE))))),
            format!("EF (deadlock && EX {fires})"),
        ),
        (
            tag("implication", &(every(&tag("next", dead)) + &ef(FIREABLE))),
            format!("! AX deadlock || EF {fires}"),
        ),
        (some(&tag("negation", &tag("finally", dead))), "EG not deadlock".into()),
    ] {
        assert_eq!(asked(&formula), expected, "{formula}");
    }
}

fn check(name: &str, text: &str) {
    let errors = read_properties_str("f.xml", text, &net()).expect_err(name);
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!(format!("formula_{name}"), render(&errors));
    });
}

#[test]
fn wrong_formulas_are_explained() {
    let often = tag("globally", &tag("finally", FIREABLE));
    check("ctl_star", &file(&tag("exists-path", &often)));
    check("no_quantifier", &file(&tag("finally", &ag(FIREABLE))));
    check(
        "unknown_place",
        &file(&tag("place-bound", "\n<place>p11</place>\n<place>queue</place>")),
    );
    check(
        "unknown_transition",
        &file(&ef("<is-fireable><transition>T1</transition></is-fireable>")),
    );
    check("place_in_fireable", &file(&ef("<is-fireable><place>p1</place></is-fireable>")));
    check("unknown_element", &file(&ef("<is-live/>")));
    check("number_for_condition", &file(&ef(COUNT)));
    check("bad_constant", &file(&ef(&le("<integer-constant>x</integer-constant>", COUNT))));
    check(
        "not_linear",
        &file(&ef(&le(&tag("integer-product", &format!("{COUNT}{COUNT}")), COUNT))),
    );
    check("one_operand", &file(&ef(&tag("integer-le", COUNT))));
    check("no_formula", "<property-set><property><id>x</id></property></property-set>");
    check("no_id", "<property-set><property><formula><true/></formula></property></property-set>");
    check("no_property", "<property-set/>");
    check("another_root", "<pnml/>");
    check("truncated", &file("")[..120]);
}

#[test]
fn richer_logics_can_be_passed_over() {
    let often = tag("globally", &tag("finally", FIREABLE));
    let text = file(&tag("exists-path", &often));
    let properties = read_supported_properties_str("f.xml", &text, &net()).unwrap();
    let Question::Unsupported { kind, reason } = &properties[0].question else { panic!() };
    assert_eq!(
        (kind.as_str(), reason.as_str()),
        (
            "CTL*",
            "formula `f1` uses several operators under one `exists-path` (CTL*), which is not supported"
        )
    );
}

#[test]
fn generic_properties_are_read_by_name() {
    let text = "<toolspecific><properties><property name='DEADLOCK'><description/></property>\
                <property name='SAFE'/><property name='LIVE'/><property name='ODD'/></properties></toolspecific>";
    let properties = read_properties_str("g.xml", text, &net()).unwrap();
    let questions: Vec<_> = properties.into_iter().map(|property| property.question).collect();
    assert_eq!(questions[..3], [Question::Deadlock, Question::OneSafe, Question::Liveness]);
    assert!(questions[3..].iter().all(|q| matches!(q, Question::Unsupported { .. })));
}

#[test]
fn deep_formulas_are_refused() {
    let deep = "<negation>".repeat(100_000);
    let errors = read_properties_str("f.xml", &file(&deep), &net()).unwrap_err();
    assert!(errors.to_string().contains("nested more than 256 levels deep"));
    let alternating = "<conjunction><deadlock/><disjunction><deadlock/>".repeat(100)
        + "<true/>"
        + &"</disjunction></conjunction>".repeat(100);
    assert!(read_properties_str("f.xml", &file(&ef(&alternating)), &net()).is_ok());
}

#[test]
fn mutated_files_never_cause_a_panic() {
    let seed = file(&tag("conjunction", &format!("{}{}", ef(&le(COUNT, COUNT)), ag(FIREABLE))));
    let (net, mut noise) = (net(), Noise(2));
    for _ in 0..5000 {
        let bytes = mutate(&seed, &mut noise);
        let text = String::from_utf8_lossy(&bytes);
        if let Err(errors) = read_properties_str("f.xml", &text, &net) {
            assert!(!errors.errors.is_empty());
            render(&errors);
        }
    }
}
