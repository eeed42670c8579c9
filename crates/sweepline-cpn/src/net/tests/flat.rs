//! Hierarchy, fusion, names.

use super::{arc, errors, load, load_with, model, net, page, place, subst, trans};
use crate::{Net, Options, Role};

fn members(net: &Net) -> Vec<Vec<&str>> {
    let names = |at: usize| net.places[at].members.iter().map(|member| &*member.name).collect();
    (0..net.places.len()).map(names).collect()
}

fn sub(parts: &[String]) -> String {
    let own = [
        place("In", "NO", "1`99", "<port type='In'/>"),
        place("Local", "NO", "1`5", ""),
        trans("T", &[]),
        arc("PtoT", "T", "In", "n"),
        arc("TtoP", "T", "Local", "n"),
    ];
    page("Sub", &[&own[..], parts].concat())
}

#[test]
fn instances_are_numbered_and_ports_are_their_sockets() {
    let top = page(
        "Top",
        &[
            place("A", "NO", "1`1", ""),
            place("B", "NUMBER", "", ""),
            subst("first", "Sub", "(In,A)"),
            subst("second", "Sub", "(In,B)"),
            subst("third", "Sub", ""),
        ],
    );
    let net = net(&format!("{top}{}", sub(&[])));
    assert_eq!(
        members(&net),
        [
            vec!["Top'A 1", "Sub'In 1"],
            vec!["Top'B 1", "Sub'In 2"],
            vec!["Sub'Local 1"],
            vec!["Sub'Local 2"],
            vec!["Sub'In 3"],
            vec!["Sub'Local 3"],
        ]
    );
    assert_eq!(net.places[0].members[1].role, Role::AssignedPort);
    // The initial marking of an assigned port is ignored. An unassigned port is an ordinary place.
    assert!(net.places[1].initial.is_none());
    assert!(net.places[4].initial.is_some());
    assert_eq!(net.places[4].members[0].role, Role::Plain);
    assert_eq!(net.behaviours.len(), 1);
    let names: Vec<&str> = net.transitions.iter().map(|trans| &*trans.name).collect();
    assert_eq!(names, ["Sub'T 1", "Sub'T 2", "Sub'T 3"]);
    let places: Vec<u32> = net.transitions.iter().map(|trans| trans.places[0].0).collect();
    assert_eq!(places, [0, 1, 4]);
    assert_eq!(net.instances[2].parent, Some((0, "second".into())));
    assert_eq!(net.pages.iter().map(|page| page.n_instances).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn the_instance_tree_of_the_file_gives_the_numbers() {
    let top = page(
        "Top",
        &[place("A", "NO", "", ""), subst("first", "Sub", ""), subst("second", "Sub", "(In,A)")],
    );
    let unused = page("Unused", &[place("Wrong", "NOTHING", "", "")]);
    let instances = "<instances><instance page='Top'><instance trans='second'/>\
                     <instance trans='first'/></instance></instances>";
    let net = net(&format!("{top}{}{unused}{instances}", sub(&[])));
    assert_eq!(members(&net)[0], ["Top'A 1", "Sub'In 1"]);
    assert_eq!(net.pages.len(), 2);
}

#[test]
fn chains_of_ports_end_at_the_top() {
    let top = page("Top", &[place("A", "NO", "1`1", ""), subst("s", "Middle", "(M,A)")]);
    let middle = page("Middle", &[place("M", "NO", "1`2", ""), subst("t", "Sub", "(In,M)")]);
    let net = net(&format!("{}{middle}{top}", sub(&[])));
    assert_eq!(members(&net)[0], ["Top'A 1", "Middle'M 1", "Sub'In 1"]);
    assert_eq!(net.places[0].name, "Top'A 1");
    assert!(net.places[0].initial.is_some());
}

#[test]
fn hierarchies_that_are_wrong_are_refused() {
    let cyclic = page("Top", &[subst("s", "Sub", "")]) + &page("Sub", &[subst("t", "Sub", "")]);
    assert_eq!(
        errors(load(&cyclic)),
        ["transition `t` on page `Sub`: the page `Sub` is a subpage of itself"]
    );
    let missing = page("Top", &[subst("s", "Nowhere", "")]);
    assert_eq!(
        errors(load(&missing)),
        [
            "transition `s` on page `Top`: the subpage `Nowhere` of the substitution transition does not exist"
        ]
    );
    let all_below = page("Top", &[subst("s", "Top", "")]);
    assert_eq!(errors(load(&all_below)), [": no page of the net has an instance"]);
    let unknown = page("Top", &[subst("s", "Sub", "(In,X)")]) + &sub(&[]);
    assert_eq!(
        errors(load(&unknown)),
        ["transition `s` on page `Top`: the socket `X` is not a place of page `Top`"]
    );
    // Twenty pages, each twice on the one before: rejected before they are built.
    let doubled: String = (0..20)
        .map(|n| {
            let next = format!("P{}", n + 1);
            let two = [subst(&format!("x{n}"), &next, ""), subst(&format!("y{n}"), &next, "")];
            page(&format!("P{n}"), &two)
        })
        .collect();
    let messages = errors(load(&(doubled + &page("P20", &[]))));
    assert_eq!(messages, [": the net has more than 100000 page instances"]);
}

#[test]
fn ports_and_sockets_have_one_colour_set() {
    let top = |set: &str| page("Top", &[place("A", set, "", ""), subst("s", "Sub", "(In,A)")]);
    net(&(top("NUMBER") + &sub(&[])));
    assert_eq!(
        errors(load(&(top("E") + &sub(&[])))),
        ["transition `s` on page `Top`: port `In` has colour set `NO` but socket `A` has `E`"]
    );
    assert_eq!(errors(load(&(top("T") + &sub(&[])))).len(), 1, "timed is not untimed");
}

fn fused(first: (&str, &str), second: (&str, &str)) -> String {
    let info = "<fusioninfo name='F'/>";
    let one = page(
        "One",
        &[place("A", first.0, first.1, info), subst("s", "Two", ""), subst("t", "Two", "")],
    );
    let two = page("Two", &[place("B", second.0, second.1, info)]);
    one + &two + "<fusion name='F'><fusion_elm idref='A'/><fusion_elm idref='B'/></fusion>"
}

#[test]
fn fusion_sets_have_one_marking() {
    let net = net(&fused(("NO", "1`1++1`2"), ("NO", "[2, 1]")));
    assert_eq!(members(&net), [["One'A 1", "Two'B 1", "Two'B 2"]]);
    assert_eq!(net.places[0].members[2].role, Role::Fused);
    assert!(load(&fused(("NO", ""), ("NO", "empty"))).is_ok());
    assert_eq!(
        errors(load(&fused(("NO", "1`1"), ("NO", "1`2")))),
        ["place `B` on page `Two`: fusion set `F`: `B` and `A` have different initial markings"]
    );
    assert_eq!(
        errors(load(&fused(("NO", "1`1"), ("E", "1`a")))),
        ["place `B` on page `Two`: fusion set `F`: `B` has colour set `E` but `A` has `NO`"]
    );
}

#[test]
fn names_are_unique_and_never_empty() {
    let text = page(
        "Top",
        &[place("A", "NO", "", ""), place("B", "NO", "", ""), place("C", "NO", "", "")],
    );
    let text = text
        .replace("<text>B</text>", "<text>A</text>")
        .replace("<text>C</text>", "<text>42</text>");
    let net = net(&text);
    assert_eq!(members(&net), [["Top'A 1"], ["Top'A_2 1"], ["Top'C 1"]]);
    assert_eq!(
        net.places.iter().map(|p| p.members[0].is_named).collect::<Vec<_>>(),
        [true, true, false]
    );
}

#[test]
fn values_and_markings_can_be_changed() {
    let rest = page("Top", &[place("A B", "SMALL", "1`size", ""), place("C", "NO", "", "")]);
    let text = model("val other = size + 1", &rest);
    let param = |name: &str, value: &str| Options {
        params: vec![(name.into(), value.into())],
        ..Options::default()
    };
    let init = |name: &str, value: &str| Options {
        initial: vec![(name.into(), value.into())],
        ..Options::default()
    };
    let size = |net: &Net| {
        super::super::evaluate::Sizes::default()
            .is_small(&net.environment, net.environment.find_colour_set("SMALL").unwrap())
    };
    assert!(size(&load_with(&text, &Options::default()).unwrap()));
    assert!(!size(&load_with(&text, &param("size", "50 * 50")).unwrap()));
    assert!(load_with(&text, &param("other", "1")).is_ok());
    assert_eq!(
        errors(load_with(&text, &param("sise", "5"))),
        ["--param: the model has no declaration `val sise = ...`"]
    );
    assert!(load_with(&text, &param("size", "\"five\"")).is_err());
    for name in ["A B", "A_B", "Top'A_B", "Top'A B", "Top'A_B 1"] {
        let net = load_with(&text, &init(name, "2`1")).unwrap();
        let source = net.places[0].initial.as_ref().unwrap().expr.span.source;
        assert_eq!(&*net.environment.sources().get(source).text, "2`1", "{name}");
        assert!(net.places[1].initial.is_none());
    }
    assert_eq!(errors(load_with(&text, &init("D", "1"))), ["--init: there is no place `D`"]);
    assert_eq!(
        errors(load_with(&text, &init("C", "true"))),
        ["--init C: the inscription has type `bool`, but the colour set of the place is `NO`"]
    );
}
