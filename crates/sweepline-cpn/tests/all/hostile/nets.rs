//! Nets that are large, odd, or not nets.

use super::file::{File, arc, plain};
use super::{outcome, refused};

#[test]
fn elements_that_nest_too_deep_are_refused() {
    let deep = format!(
        "<workspaceElements>{}{}</workspaceElements>",
        "<a>".repeat(100_000),
        "</a>".repeat(100_000)
    );
    refused(&deep, "nested more than 200 levels deep");
}

#[test]
fn entities_are_not_expanded() {
    let bomb = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;\">]>";
    let xml = plain().xml().replace("<text>A</text>", "<text>&b;</text>");
    refused(&format!("{bomb}{xml}"), "unknown entity `&b;`");
}

#[test]
fn coefficients_are_bounded() {
    let with = |input: &str, output: &str, initial: &str| {
        let file = File { input: input.into(), output: output.into(), ..plain() };
        File { initial: initial.into(), ..file }.xml()
    };
    refused(&with("x", "1000000000`x", "1`1"), "in `1000000000`x`");
    refused(&with("x", "1000000000000000000000`x", "1`1"), "too large for `int`");
    refused(&with("x", "x", "1000000000`1"), "in `1000000000`1`");
    refused(&with("x", "x", "1073741823**(1073741823`1)"), "in `1073741823`1`");
    // There are never this many tokens.
    assert_eq!(outcome(&with("1000000000`x", "x", "1`1")), Ok((1, 0)));
    // No tokens, as in CPN Tools.
    assert_eq!(outcome(&with("x", "(~5)`x", "1`1")), Ok((2, 1)));
    assert_eq!(outcome(&with("x", "x", "~1`1")), Ok((1, 0)));
}

#[test]
fn time_has_an_end() {
    let timed = |output: &str, delay: &str| {
        let file = File { set: "TI".into(), output: output.into(), ..plain() };
        File { delay: delay.into(), ..file }.xml()
    };
    let huge = "@++ IntInf.pow (IntInf.fromInt 10, 30)";
    refused(&timed("x", huge), "the model time is too large");
    let late = "1`x@++ IntInf.pow (IntInf.fromInt 2, 63)";
    refused(&timed(late, ""), "the model time is too large");
    let last = "@++ (IntInf.pow (IntInf.fromInt 2, 62) - IntInf.fromInt 1)";
    refused(&timed("x", last), "the model time is too large");
    assert_eq!(outcome(&timed("x", "@+ ~5")), Ok((2, 2)));
}

/// A marking of 9,000 tokens has as many successors, each with as many bytes. They are not all stored at once.
#[test]
fn many_tokens_are_explored() {
    let many = "List.tabulate (9000, fn i => i)";
    let file = File { initial: many.into(), ..plain() };
    assert_eq!(outcome(&file.xml()), Ok((1, 9_000)));
    let sum: Vec<String> = (0..30_000).map(|n| format!("1`{n}")).collect();
    let guard = "x < 3".to_owned();
    let sum = File { initial: sum.join("++"), guard, ..plain() };
    assert_eq!(outcome(&sum.xml()), Ok((1, 3)));
}

#[test]
fn many_places_and_transitions_are_loaded() {
    let one = |n: usize| {
        format!(
            "<place id='p{n}'><text>P{n}</text><type><text>I</text></type></place>\
             <trans id='t{n}'><text>T{n}</text></trans>{}",
            arc(&format!("a{n}"), "PtoT", (&format!("t{n}"), &format!("p{n}")), "x")
        )
    };
    let page = (0..10_000).map(one).collect();
    assert_eq!(outcome(&File { page, ..plain() }.xml()), Ok((1, 1)));
}

#[test]
fn pages_that_contain_themselves_are_refused() {
    let subst = |id: &str, page: &str| {
        let subst = format!("<subst subpage='{page}' portsock=''/>");
        format!("<trans id='{id}'><text>{id}</text>{subst}</trans>")
    };
    let page =
        |id: &str, inside: &str| format!("<page id='{id}'><pageattr name='{id}'/>{inside}</page>");
    let itself = File { page: subst("s", "top"), ..plain() };
    refused(&itself.xml(), "no page of the net has an instance");
    let net = page("q", &subst("s2", "r")) + &page("r", &subst("s3", "q"));
    let loops = File { page: subst("s", "q"), net, ..plain() };
    refused(&loops.xml(), "is a subpage of itself");
    let nowhere = File { page: subst("s", "nowhere"), ..plain() };
    assert!(outcome(&nowhere.xml()).is_err());
    // Two instances of the next page on each page: 2^40.
    let doubling = (0..40).map(|n| {
        let next = format!("q{}", n + 1);
        let both = subst(&format!("a{n}"), &next) + &subst(&format!("b{n}"), &next);
        page(&format!("q{n}"), &both)
    });
    let net = doubling.collect::<String>() + &page("q40", "");
    let many = File { page: subst("s", "q0"), net, ..plain() };
    refused(&many.xml(), "more than 100000 page instances");
    let chain = (0..5_000)
        .map(|n| page(&format!("q{n}"), &subst(&format!("a{n}"), &format!("q{}", n + 1))));
    let net = chain.collect::<String>() + &page("q5000", "");
    let deep = File { page: subst("s", "q0"), net, ..plain() };
    refused(&deep.xml(), "nested more than 200 levels deep");
}

#[test]
fn ids_that_are_missing_or_given_twice_are_refused() {
    let twice = "<place id='p'><text>B</text><type><text>I</text></type></place>";
    refused(&File { page: twice.into(), ..plain() }.xml(), "the id `p` is used twice");
    let xml = plain().xml();
    assert!(outcome(&xml.replace("id='p'", "").replace("id='t'", "")).is_err());
    refused(&xml.replace("idref='p'", ""), "is not on the page");
    refused(&xml.replace("idref='p'", "idref='t'"), "is not on the page");
}

#[test]
fn fusion_sets_are_of_one_colour_set() {
    let other = "<place id='q'><text>B</text><type><text>TI</text></type></place>".to_owned();
    let members = "<fusion_elm idref='p'/><fusion_elm idref='q'/>";
    let fusion = |members: &str| format!("<fusion id='f' name='Both'>{members}</fusion>");
    let net = fusion(members);
    refused(
        &File { page: other, net, ..plain() }.xml(),
        "fusion set `Both`: `B` has colour set `TI`",
    );
    let net = fusion("<fusion_elm idref='nobody'/><fusion_elm/>");
    assert_eq!(outcome(&File { net, ..plain() }.xml()), Ok((1, 1)));
}

#[test]
fn names_may_be_odd() {
    for name in ["", " ", "\u{202e}x", "é ü", "a\nb", "''", "`$(rm)", "1", &"x".repeat(100_000)] {
        let xml = plain().xml().replace("<text>A</text>", &format!("<text>{name}</text>"));
        assert_eq!(outcome(&xml), Ok((1, 1)), "{}", &name.chars().take(9).collect::<String>());
    }
    let xml = plain().xml().replace("<text>A</text>", "<text>&#0;</text>");
    refused(&xml, "not well-formed");
}

#[test]
fn values_that_grow_from_state_to_state_end_in_an_error() {
    let kind = "<list><id>I</id></list>";
    let xml = super::file::coloured(kind, "1`[1]")
        .replace("<text>c</text></annot></arc></page>", "<text>c ^^ c</text></annot></arc></page>");
    assert!(xml.contains("c ^^ c"));
    refused(&xml, "values need more than");
}
