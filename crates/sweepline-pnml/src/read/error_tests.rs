//! All errors of PNML files, with the message that a user sees.

use miette::{GraphicalReportHandler, GraphicalTheme};

use super::*;

/// The report as a terminal shows it, without colors.
pub(crate) fn render(errors: &dyn miette::Diagnostic) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    let mut text = String::new();
    handler.with_width(100).render_report(&mut text, errors).expect("a string takes all text");
    text
}

/// Reads PNML with `body` on its page.
fn page(body: &str) -> String {
    format!(
        "<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n\
         <page id=\"g\">\n{body}\n</page>\n</net>\n</pnml>\n"
    )
}

fn errors_of(text: &str) -> ReadErrors {
    read_pnml_str("model.pnml", text).expect_err("the text is wrong")
}

fn check(name: &str, text: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!(format!("pnml_{name}"), render(&errors_of(text)));
    });
}

const TWO_NODES: &str = "<place id=\"ready\"/>\n<transition id=\"work\"/>\n";

#[test]
fn references_that_do_not_resolve() {
    check(
        "unknown_nodes",
        &page(&format!(
            "{TWO_NODES}<arc id=\"a1\" source=\"redy\" target=\"work\"/>\n\
             <arc id=\"a2\" source=\"work\" target=\"elsewhere\"/>\n\
             <referencePlace id=\"r\" ref=\"raedy\"/>"
        )),
    );
    check(
        "arc_within_kind",
        &page("<place id=\"p\"/><place id=\"q\"/>\n<arc id=\"a\" source=\"p\" target=\"q\"/>"),
    );
    check(
        "reference_cycle",
        &page("<referencePlace id=\"a\" ref=\"b\"/>\n<referencePlace id=\"b\" ref=\"a\"/>"),
    );
    check(
        "reference_to_wrong_kind",
        &page(&format!("{TWO_NODES}<referencePlace id=\"r\" ref=\"work\"/>")),
    );
}

#[test]
fn ids_and_attributes() {
    let far =
        "<place id=\"filler\"/>\n".replace("filler", "f0") + "<transition id=\"t\"/>\n\n\n\n\n\n";
    check("duplicate_id", &page(&format!("<place id=\"twice\"/>\n{far}<place id=\"twice\"/>")));
    check("missing_attributes", &page("<place/>\n<arc id=\"a\" source=\"p\"/>\n<transition/>"));
}

#[test]
fn numbers() {
    let marking = |text: &str| {
        format!("<place id=\"p\"><initialMarking><text>{text}</text></initialMarking></place>\n")
    };
    let weight = |text: &str| {
        format!(
            "<place id=\"p\"/><transition id=\"t\"/>\n<arc id=\"a\" source=\"p\" target=\"t\">\
             <inscription><text>{text}</text></inscription></arc>"
        )
    };
    check("negative_marking", &page(&marking("-1")));
    check("marking_not_a_number", &page(&marking("one")));
    check("marking_too_large", &page(&marking("18446744073709551616")));
    check("weight_zero", &page(&weight("0")));
    check("weight_fraction", &page(&weight("1.5")));
    check(
        "weights_add_up_to_too_much",
        &page(&format!(
            "{}\n<arc id=\"b\" source=\"p\" target=\"t\"/>",
            weight("18446744073709551615")
        )),
    );
    check(
        "two_markings",
        &page(
            "<place id=\"p\"><initialMarking><text>1</text></initialMarking>\
             <initialMarking><text>2</text></initialMarking></place>",
        ),
    );
}

#[test]
fn what_would_change_the_behavior_is_not_ignored() {
    for (name, arc) in [
        (
            "inhibitor_child",
            "<arc id=\"a\" source=\"ready\" target=\"work\"><type value=\"inhibitor\"/></arc>",
        ),
        (
            "inhibitor_attribute",
            "<arc id=\"a\" source=\"ready\" target=\"work\" type=\"inhibitor\"/>",
        ),
        (
            "reset_text",
            "<arc id=\"a\" source=\"ready\" target=\"work\"><type><text>reset</text></type></arc>",
        ),
        ("inhibitor_element", "<inhibitorArc id=\"a\" source=\"ready\" target=\"work\"/>"),
        ("capacity", "<place id=\"p\"><capacity><value>3</value></capacity></place>"),
    ] {
        check(name, &page(&format!("{TWO_NODES}{arc}")));
    }
}

#[test]
fn net_types() {
    let net = |kind: &str| {
        format!(
            "<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/{kind}\"/></pnml>"
        )
    };
    check("high_level_net", &net("highlevelnet"));
    check("unknown_net_type", &net("stochastic"));
    check("no_net", "<pnml>\n</pnml>");
    check(
        "two_nets",
        &(net("ptnet").replace("</pnml>", "\n<net id=\"m\" type=\"ptnet\"/></pnml>")),
    );
    check("another_root", "<?xml version=\"1.0\"?>\n<html><body/></html>");
    check("no_net_type", "<pnml>\n<net id=\"n\"/>\n</pnml>");
    check(
        "coloured_label_in_plain_net",
        &page("<place id=\"p\"><hlinitialMarking><text>1</text></hlinitialMarking></place>"),
    );
}

#[test]
fn xml_that_is_not_well_formed() {
    let whole = page(TWO_NODES);
    check("truncated_between_elements", &whole[..whole.find("<transition").unwrap()]);
    check("truncated_in_tag", &whole[..whole.find("<transition").unwrap() + 8]);
    check("mismatched_end", &whole.replace("</page>", "</pages>"));
    check("text_outside", &format!("hello\n{whole}"));
    check("second_root", &format!("{whole}<pnml/>"));
    check("attribute_twice", &whole.replace("id=\"ready\"", "id=\"ready\" id=\"again\""));
    check("attribute_without_quotes", &whole.replace("id=\"ready\"", "id=ready"));
    check("dangling_ampersand", &whole.replace("</page>", "a & b</page>"));
}

#[test]
fn entities_are_not_expanded() {
    let whole = page("<place id=\"p\"><name><text>&lol;</text></name></place>");
    check("unknown_entity", &whole);
    check("unknown_entity_in_attribute", &page("<place id=\"a&lol;b\"/>"));
    let bomb = "<!DOCTYPE pnml [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;\">]>\n";
    check("doctype_with_entities", &format!("{bomb}{whole}"));
}

#[test]
fn files_that_are_no_text() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("empty", &b" \n"[..]),
        ("gzip", b"\x1f\x8b\x08\x00rest"),
        ("binary", b"<pnml>\x00\x01</pnml>"),
        ("utf16", b"\xff\xfe<\x00p\x00"),
        ("latin1_undeclared", b"<pnml>\n<net id='caf\xe9'/>\n</pnml>"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut errors = read_pnml(&path, &Limits::default()).unwrap_err();
        let file = std::mem::replace(&mut errors.file, "model.pnml".into());
        let text = render(&errors).replace(&file, "model.pnml");
        insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
            insta::assert_snapshot!(format!("pnml_file_{name}"), text);
        });
    }
    let missing = read_pnml(&folder.path().join("missing"), &Limits::default()).unwrap_err();
    assert!(missing.reason().starts_with("cannot open the file: "));
    let directory = read_pnml(folder.path(), &Limits::default()).unwrap_err();
    assert!(directory.to_string().ends_with("cannot open the file: it is a directory"));
}

#[test]
fn large_files_are_refused_unread() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.pnml");
    // A sparse file: it must be rejected without being read, which would take long.
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let errors = read_pnml(&path, &Limits::default()).unwrap_err();
    assert!(
        errors
            .to_string()
            .ends_with("the file has 1099511627776 bytes, more than the limit of 134217728")
    );
    assert!(render(&errors).contains("--max-input"));
}

#[test]
fn no_single_value_and_no_nesting_exhausts_memory() {
    let long = "x".repeat(1 << 20);
    let errors = errors_of(&page(&format!("<place id=\"{long}\"/>")));
    assert!(errors.reason().starts_with("a single value has 1048576 bytes"));
    let errors =
        errors_of(&page(&format!("<place id=\"p\"><name><text>{long}</text></name></place>")));
    assert!(errors.reason().starts_with("a single value has 1048576 bytes"));
    let deep = "<toolspecific>".repeat(100_000);
    let errors = errors_of(&page(&deep));
    assert_eq!(errors.reason(), "elements are nested more than 256 levels deep");
    let pages = "<page id=\"g\">".repeat(100_000);
    let errors = errors_of(&page(&pages));
    assert_eq!(errors.reason(), "elements are nested more than 256 levels deep");
}

#[test]
fn a_tag_with_very_many_attributes_takes_linear_time() {
    let attributes: String = (0..200_000).map(|n| format!(" x{n}=''")).collect();
    assert!(read_pnml_str("model.pnml", &page(&format!("<place id=\"p\"{attributes}/>"))).is_ok());
}

#[test]
fn errors_are_capped_and_counted() {
    let arcs: String =
        (0..100_000).map(|n| format!("<arc id=\"a{n}\" source=\"x\" target=\"y\"/>\n")).collect();
    let errors = errors_of(&page(&arcs));
    assert_eq!((errors.errors.len(), errors.n_more), (20, 199_980));
    assert!(errors.to_string().ends_with("200000 errors, of which the first 20 are shown"));
    let twins = "<place id=\"twin\"/>\n".repeat(50_000);
    assert_eq!(errors_of(&page(&twins)).n_more, 50_000 - 21);
}

#[test]
fn positions_are_true_in_a_file_of_one_line() {
    let filler = "<place id=\"f\"/>".repeat(1000).replace("<place id=\"f\"/>", "<page id=\"f\"/>");
    let text = page(&format!("{filler}<place/>"));
    let errors = errors_of(&text);
    let place = errors.errors[0].place.as_ref().unwrap();
    assert_eq!(place.1.to_string(), "4:14001");
    let report = render(&errors);
    assert!(report.contains("[model.pnml:4:14001]"), "{report}");
    assert!(report.len() < 2000, "{report}");
}
