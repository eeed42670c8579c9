//! Small symmetric nets: their unfoldings, and the messages about invalid ones.

use crate::read::{Noise, mutate, render};
use crate::{Net, UnfoldLimits, read_pnml_str, read_symmetric_str};

/// A net with these declarations and this page.
fn pnml(declarations: &str, page: &str) -> String {
    format!(
        "<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\n\
         <declaration><structure><declarations>\n{declarations}\n</declarations></structure></declaration>\n\
         <page id=\"g\">\n{page}\n</page>\n</net>\n</pnml>\n"
    )
}

const LETTERS: &str = "<namedsort id='L' name='Letter'><cyclicenumeration><feconstant id='la' name='a'/>\
    <feconstant id='lb' name='b'/><feconstant id='lc' name='c'/></cyclicenumeration></namedsort>\n\
    <namedsort id='N' name='Number'><finiteintrange start='1' end='2'/></namedsort>\n\
    <namedsort id='P' name='Pair'><productsort><usersort declaration='L'/>\
    <usersort declaration='N'/></productsort></namedsort>\n\
    <namedsort id='D' name='Dot'><dot/></namedsort>\n\
    <variabledecl id='vx' name='x'><usersort declaration='L'/></variabledecl>\n\
    <variabledecl id='vn' name='n'><usersort declaration='N'/></variabledecl>";

const X: &str = "<variable refvariable='vx'/>";
const N: &str = "<variable refvariable='vn'/>";
const A: &str = "<useroperator declaration='la'/>";

fn place(id: &str, sort: &str, marking: &str) -> String {
    let marking = match marking {
        "" => String::new(),
        term => format!("<hlinitialMarking><structure>{term}</structure></hlinitialMarking>"),
    };
    format!(
        "<place id='{id}'><type><structure><usersort declaration='{sort}'/></structure></type>\
         {marking}</place>\n"
    )
}

fn transition(id: &str, condition: &str) -> String {
    match condition {
        "" => format!("<transition id='{id}'/>\n"),
        term => format!(
            "<transition id='{id}'><condition><structure>{term}</structure></condition>\
             </transition>\n"
        ),
    }
}

fn arc(from: &str, to: &str, term: &str) -> String {
    format!(
        "<arc id='{from} {to}' source='{from}' target='{to}'><hlinscription><structure>{term}\
         </structure></hlinscription></arc>\n"
    )
}

fn apply(operator: &str, operands: &[&str]) -> String {
    let operands: String = operands.iter().map(|o| format!("<subterm>{o}</subterm>")).collect();
    format!("<{operator}>{operands}</{operator}>")
}

fn number(value: &str) -> String {
    format!("<numberconstant value='{value}'><positive/></numberconstant>")
}

/// All nodes and arcs as text.
fn show(net: &Net) -> Vec<String> {
    let marked = net.places.iter().map(|place| format!("{} {}", place.id, place.initial));
    let arcs = |list: &[(crate::PlaceId, u64)]| {
        let arc = |&(p, n): &(crate::PlaceId, u64)| format!("{n} {}", net.places[p.index()].id);
        list.iter().map(arc).collect::<Vec<_>>().join(" + ")
    };
    let fired = net
        .transitions
        .iter()
        .map(|t| format!("{}: {} -> {}", t.id, arcs(&t.inputs), arcs(&t.outputs)));
    marked.chain(fired).collect()
}

fn unfolded(declarations: &str, page: &str) -> Net {
    read_pnml_str("model.pnml", &pnml(declarations, page))
        .unwrap_or_else(|e| panic!("{}", render(&e)))
}

#[test]
fn only_what_can_be_marked_is_unfolded() {
    let twice = apply("numberof", &[&number("2"), A]);
    let pair = apply("tuple", &[&apply("successor", &[X]), N]);
    let page = place("p", "L", &twice)
        + &place("q", "P", "")
        + &place("d", "D", "")
        + &place("never", "L", "")
        + &transition("t", "")
        + &transition("dead", "")
        + &arc("p", "t", X)
        + &arc("t", "q", &pair)
        + &arc("t", "d", "<dotconstant/>")
        + &arc("never", "dead", X);
    let net = unfolded(LETTERS, &page);
    assert_eq!(
        show(&net),
        [
            "p(a) 2",
            "q(b, 1) 0",
            "q(b, 2) 0",
            "d 0",
            "t{x=a, n=1}: 1 p(a) -> 1 q(b, 1) + 1 d",
            "t{x=a, n=2}: 1 p(a) -> 1 q(b, 2) + 1 d"
        ]
    );
    let folded = net.folded.as_ref().unwrap();
    let members: Vec<usize> = folded.places.iter().map(|place| place.members.len()).collect();
    assert_eq!(members, [1, 2, 1, 0]);
    assert_eq!(folded.transitions[1].members, []);
    let shown = |text: &str| crate::parse_predicate(&net, text).unwrap().display(&net).to_string();
    assert_eq!(shown("q >= 1"), "tokens(q) >= 1");
    assert_eq!(shown("fireable(t)"), "fireable(t)");
    assert_eq!(shown("fireable(\"t{x=a, n=2}\")"), "fireable(\"t{x=a, n=2}\")");
    assert_eq!([shown("never = 0"), shown("fireable(dead)")], ["true", "false"]);
}

#[test]
fn multisets_are_added_taken_away_and_multiplied() {
    let all = "<all><usersort declaration='L'/></all>";
    let others = apply("subtract", &[all, X]);
    let pairs = apply("tuple", &[all, N]);
    let page = place("p", "L", all)
        + &place("q", "P", &apply("tuple", &[all, "<all><usersort declaration='N'/></all>"]))
        + &transition("t", &apply("equality", &[X, A]))
        + &transition("u", "")
        + &arc("p", "t", &others)
        + &arc("q", "u", &pairs);
    assert_eq!(
        show(&unfolded(LETTERS, &page)),
        [
            "p(a) 1",
            "p(b) 1",
            "p(c) 1",
            "q(a, 1) 1",
            "q(a, 2) 1",
            "q(b, 1) 1",
            "q(b, 2) 1",
            "q(c, 1) 1",
            "q(c, 2) 1",
            "t{x=a}: 1 p(b) + 1 p(c) -> ",
            "u{n=1}: 1 q(a, 1) + 1 q(b, 1) + 1 q(c, 1) -> ",
            "u{n=2}: 1 q(a, 2) + 1 q(b, 2) + 1 q(c, 2) -> "
        ]
    );
}

#[test]
fn classes_of_partitions_are_colours_and_stand_for_theirs() {
    let declarations = LETTERS.to_owned()
        + "<partition id='K' name='Kind'><usersort declaration='L'/>\
           <partitionelement id='kv' name='vowel'><useroperator declaration='la'/></partitionelement>\
           <partitionelement id='kc' name='consonant'><useroperator declaration='lb'/>\
           <useroperator declaration='lc'/></partitionelement></partition>";
    let kind =
        format!("<partitionelementof refpartition='K'><subterm>{X}</subterm></partitionelementof>");
    let consonant = "<useroperator declaration='kc'/>";
    let page = place("p", "L", consonant)
        + &place("k", "K", "")
        + &transition("t", &apply("equality", &[&kind, consonant]))
        + &arc("p", "t", X)
        + &arc("t", "k", &kind);
    assert_eq!(
        show(&unfolded(&declarations, &page)),
        [
            "p(b) 1",
            "p(c) 1",
            "k(consonant) 0",
            "t{x=b}: 1 p(b) -> 1 k(consonant)",
            "t{x=c}: 1 p(c) -> 1 k(consonant)"
        ]
    );
}

#[test]
fn variables_of_guards_alone_make_bindings() {
    let page = place("d", "D", "<dotconstant/>")
        + &transition("t", &apply("lessthan", &[A, X]))
        + &arc("d", "t", "<dotconstant/>");
    let net = unfolded(LETTERS, &page);
    assert_eq!(show(&net), ["d 1", "t{x=b}: 1 d -> ", "t{x=c}: 1 d -> "]);
}

fn check(name: &str, text: &str) {
    let errors = read_pnml_str("model.pnml", text).expect_err("the text is wrong");
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!(format!("symmetric_{name}"), render(&errors));
    });
}

#[test]
fn declarations_that_are_wrong() {
    check("unknown_sort", &pnml(LETTERS, &place("p", "M", "")));
    check(
        "recursive_sort",
        &pnml(
            "<namedsort id='A' name='A'><usersort declaration='B'/></namedsort>\n\
             <namedsort id='B' name='B'><usersort declaration='A'/></namedsort>",
            "",
        ),
    );
    check(
        "bad_sorts",
        &pnml(
            "<namedsort id='A' name='A'><finiteintrange start='2' end='1'/></namedsort>\n\
             <namedsort id='B' name='B'><finiteintrange start='one' end='1'/></namedsort>\n\
             <namedsort id='C' name='C'><cyclicenumeration/></namedsort>\n\
             <namedsort id='S' name='S'><string/></namedsort>\n\
             <namedsort id='S' name='S'><dot/></namedsort>",
            "",
        ),
    );
    check(
        "bad_partition",
        &pnml(
            &(LETTERS.to_owned()
                + "<partition id='K' name='Kind'><usersort declaration='L'/><partitionelement id='k' \
                   name='k'><useroperator declaration='la'/></partitionelement></partition>"),
            "",
        ),
    );
}

#[test]
fn terms_that_are_wrong() {
    let page = place("p", "L", "<useroperator declaration='lx'/>")
        + &place("q", "P", N)
        + "<place id='r'/>\n"
        + &transition("t", &apply("lessthan", &[X, N]))
        + &transition("u", &apply("cardinality", &[X]))
        + &arc("p", "t", "<variable refvariable='vy'/>")
        + &arc("p", "u", &apply("numberof", &[&number("-1"), X]))
        + "<arc id='bare' source='p' target='t'/>\n"
        + &arc("t", "q", &apply("tuple", &[&apply("successor", &[N]), N]));
    check("terms", &pnml(LETTERS, &page));
    let plain = "<place id='p'><initialMarking><text>1</text></initialMarking></place>";
    check("plain_label", &pnml(LETTERS, plain));
    let variable = place("p", "L", X);
    check("variable_in_marking", &pnml(LETTERS, &variable));
}

#[test]
fn large_unfoldings_are_rejected_quickly() {
    let billion = "<namedsort id='B' name='B'><finiteintrange start='1' end='1000000000'/></namedsort>\
        <namedsort id='BB' name='BB'><productsort><usersort declaration='B'/><usersort declaration='B'/>\
        </productsort></namedsort><namedsort id='D' name='D'><dot/></namedsort>\
        <variabledecl id='vx' name='x'><usersort declaration='B'/></variabledecl>\
        <variabledecl id='vn' name='n'><usersort declaration='B'/></variabledecl>";
    check(
        "marking_too_large",
        &pnml(billion, &place("p", "BB", "<all><usersort declaration='BB'/></all>")),
    );
    let fails = |condition: &str, limits: &UnfoldLimits| {
        let page = place("d", "D", "<dotconstant/>")
            + &transition("t", condition)
            + &arc("d", "t", "<dotconstant/>");
        let net = read_symmetric_str("model.pnml", &pnml(billion, &page)).unwrap();
        net.unfold(limits).unwrap_err().to_string()
    };
    let limits = UnfoldLimits { max_size: 1_000, max_steps: 10_000 };
    let (less, more) = (apply("lessthan", &[X, N]), apply("lessthan", &[N, X]));
    let too_large = "transition `t`: the unfolded net has more than 1000 nodes and arcs";
    assert_eq!(fails(&less, &limits), too_large);
    // There is no binding, but many must be tried.
    let too_long = "transition `t`: finding the bindings takes more than 10000 steps";
    assert_eq!(fails(&apply("and", &[&less, &more]), &limits), too_long);
    // The same colours, found from an input arc and an equation: needs few steps.
    let five = "<finiteintrangeconstant value='5'><finiteintrange start='1' end='1000000000'/>\
                </finiteintrangeconstant>";
    let page = place("p", "BB", &apply("tuple", &[five, five]))
        + &transition("t", &apply("equality", &[X, N]))
        + &arc("p", "t", &apply("tuple", &[X, five]));
    assert_eq!(show(&unfolded(billion, &page)), ["p(5, 5) 1", "t{x=5, n=5}: 1 p(5, 5) -> "]);
}

#[test]
fn long_chains_of_sorts_do_not_overflow_the_stack() {
    let link = |n: usize| {
        format!("<namedsort id='s{n}' name='s'><usersort declaration='s{}'/></namedsort>", n + 1)
    };
    let chain: String = (0..100_000).map(link).collect();
    let end = "<namedsort id='s100000' name='s'><dot/></namedsort>";
    assert!(read_pnml_str("model.pnml", &pnml(&(chain.clone() + end), "")).is_err());
    // Sorts declared before their use may form a chain of any length.
    let back = |n: usize| {
        format!("<namedsort id='s{}' name='s'><usersort declaration='s{n}'/></namedsort>", n + 1)
    };
    let chain: String = (0..100_000).map(back).collect();
    let start = "<namedsort id='s0' name='s'><dot/></namedsort>";
    assert!(read_pnml_str("model.pnml", &pnml(&(start.to_owned() + &chain), "")).is_ok());
}

#[test]
fn mutated_files_never_cause_a_panic() {
    let all = "<all><usersort declaration='L'/></all>";
    let condition = apply("and", &[&apply("equality", &[X, A]), "<booleanconstant value='true'/>"]);
    let page = place("p", "L", all)
        + &place("q", "P", &apply("tuple", &[A, "<all><usersort declaration='N'/></all>"]))
        + &transition("t", &condition)
        + &arc("p", "t", &apply("subtract", &[all, X]))
        + &arc("q", "t", &apply("tuple", &[&apply("predecessor", &[X]), N]));
    let seed = pnml(LETTERS, &page);
    assert!(read_pnml_str("model.pnml", &seed).is_ok());
    let mut noise = Noise(2);
    let mut n_read = 0;
    for _ in 0..3000 {
        let bytes = mutate(&seed, &mut noise);
        let text = String::from_utf8_lossy(&bytes);
        match read_symmetric_str("mutant.pnml", &text) {
            // A mutant may declare ranges of any size; the size of its unfolding is limited.
            Ok(net) => {
                let limits = UnfoldLimits { max_size: 10_000, max_steps: 100_000 };
                let _ = net.unfold(&limits);
                n_read += 1;
            }
            Err(errors) => {
                assert!(!errors.errors.is_empty(), "{text}");
                render(&errors);
            }
        }
    }
    assert!(n_read > 50, "{n_read} of 3000 mutants were read");
}
