//! Whole and damaged files.

use miette::Diagnostic as _;
use proptest::prelude::*;
use sweepline_ml::ColourSetSpec;

use super::{ArcKind, DeclarationKind, PortKind, read_cpn, read_cpn_bytes};
use crate::limits::Limits;
use crate::{File, LoadErrors};

const MODEL: &str = r#"<?xml version="1.0" encoding="iso-8859-1"?>
<!DOCTYPE workspaceElements PUBLIC "-//CPN//DTD CPNXML 1.0//EN" "http://cpntools.org/DTD/6/cpn.dtd">
<workspaceElements>
  <generator tool="CPN Tools" version="4.0.1" format="6"/>
  <cpnet>
    <globbox>
      <block id="b1"><id>Standard declarations</id>
        <color id="c1"><id>STRING</id><string/></color>
        <block id="b2"><id>inner</id>
          <color id="c2"><id>NO</id><timed/><int><with><ml>1</ml><ml>n</ml></with></int>
            <declare><id>all</id></declare><layout>colset NO = ...</layout></color>
        </block>
        <color id="c3"><id>S</id><string><with><ml>"a"</ml><ml>"z"</ml><and><ml>1</ml><ml>4</ml></and></with></string></color>
        <color id="c4"><id>U</id><union><unionfield><id>a</id><type><id>NO</id></type></unionfield><unionfield><id>b</id></unionfield></union></color>
        <var id="v1"><type><id>NO</id></type><id>x</id><id>y</id></var>
        <ml id="m1">fun f x = x &lt; 3 andalso x &#62; 1<layout>copy</layout></ml>
        <globref id="g1"><id>r</id><ml>0</ml></globref>
        <use id="u1"><ml>"a.sml"</ml></use>
        <unknown/>
      </block>
    </globbox>
    <page id="p1"><pageattr name="Top &amp; more"/>
      <place id="q1"><posattr x="1" y="2"/><text>A
B</text><type id="t"><text tool="x">NO</text></type><initmark><text/></initmark><port id="o" type="I/O"/>
        <fusioninfo id="f" name="F"/></place>
      <trans id="t1" explicit="false"><text>T</text><subst subpage="p2" portsock="(a,b)(c,d)"><subpageinfo name="x"/></subst></trans>
      <trans id="t2"><text>V</text><cond><text>[x = y]</text></cond><time><text>@+3</text></time>
        <code><text>action ()</text></code><priority><text>P_LOW</text></priority></trans>
      <arc id="a1" orientation="bothdir" order="1"><transend idref="t2"/><placeend idref="q1"/><annot><text>x</text></annot></arc>
      <arc id="a2" orientation="sideways"><transend idref="t2"/><placeend idref="q1"/></arc>
      <Aux id="x1"><text>use me</text></Aux>
    </page>
    <fusion id="f1" name="F"><fusion_elm idref="q1"/></fusion>
    <instances><instance id="i1" page="p1"><instance id="i2" trans="t1"/></instance></instances>
    <options><option name="realtimestamp"><value><boolean>true</boolean></value></option></options>
    <binders><cpnbinder id="z"/></binders>
  </cpnet>
</workspaceElements>"#;

fn read(text: &str) -> Result<File, LoadErrors> {
    read_cpn_bytes("model.cpn", text.as_bytes(), &Limits::default())
}

#[test]
fn declarations_are_in_order_with_blocks_flattened() {
    let file = read(MODEL).unwrap();
    assert_eq!((&*file.generator.version, &*file.generator.format), ("4.0.1", "6"));
    let kinds: Vec<_> = file.declarations.into_iter().map(|decl| decl.kind).collect();
    let [first, range, string, union, variables, ml, reference, used] = kinds.as_slice() else {
        panic!("{} declarations", kinds.len());
    };
    assert!(matches!(first, DeclarationKind::ColourSet { name, .. } if name.trim() == "STRING"));
    let DeclarationKind::ColourSet { spec, timed, declares, .. } = range else { panic!() };
    let bounds = Some(("1".into(), "n".into()));
    assert_eq!((spec, *timed), (&ColourSetSpec::Int { range: bounds }, true));
    assert_eq!(declares, &["all"]);
    let DeclarationKind::ColourSet { spec, .. } = string else { panic!() };
    let ColourSetSpec::String { length, .. } = spec else { panic!() };
    assert_eq!(length, &Some(("1".into(), "4".into())));
    let DeclarationKind::ColourSet { spec, .. } = union else { panic!() };
    let constructors = vec![("a".into(), Some("NO".into())), ("b".into(), None)];
    assert_eq!(spec, &ColourSetSpec::Union { constructors });
    assert!(matches!(variables, DeclarationKind::Variables { names, .. } if names.len() == 2));
    let DeclarationKind::Ml(text) = ml else { panic!() };
    assert_eq!(text.as_str(), "fun f x = x < 3 andalso x > 1");
    let at = text.offset("fun f x = x < 3 ".len());
    assert!(MODEL[at..].starts_with("andalso"), "{}", &MODEL[at..at + 20]);
    assert!(matches!(reference, DeclarationKind::Reference { value, .. } if value.trim() == "0"));
    assert!(matches!(used, DeclarationKind::Use(text) if text.trim() == "\"a.sml\""));
}

#[test]
fn pages_have_their_nodes_and_arcs() {
    let file = read(MODEL).unwrap();
    assert!(file.real_time);
    let page = &file.pages[0];
    assert_eq!((&*page.name, page.notes[0].as_str()), ("Top & more", "use me"));
    let place = &page.places[0];
    assert_eq!((place.name.as_str(), place.colour_set.trim()), ("A\nB", "NO"));
    assert!(place.initial.is_blank());
    assert_eq!((place.port, place.fusion.as_deref()), (Some(PortKind::InOut), Some("F")));
    let substitution = page.transitions[0].substitution.as_ref().unwrap();
    let pairs = [("a".to_owned(), "b".to_owned()), ("c".to_owned(), "d".to_owned())];
    assert_eq!((&*substitution.subpage, &*substitution.assignments), ("p2", &pairs[..]));
    let transition = &page.transitions[1];
    let texts = [&transition.guard, &transition.time, &transition.code, &transition.priority];
    assert_eq!(texts.map(|text| text.as_str()), ["[x = y]", "@+3", "action ()", "P_LOW"]);
    assert!(MODEL[transition.guard.start()..].starts_with("[x = y]"));
    assert_eq!(page.arcs[0].kind, ArcKind::Both);
    assert_eq!(page.arcs[1].kind, ArcKind::Unknown("sideways".into()));
    assert_eq!(file.fusions[0].members, ["q1"]);
    assert_eq!(file.instances[0].children[0].transition, "t1");
}

/// The code of the first error, and its position.
fn problem(text: &str) -> (String, Option<(usize, usize)>) {
    let error = read(text).unwrap_err().errors.remove(0);
    let code = error.code().map(|code| code.to_string()).unwrap_or_default();
    (code, error.place.map(|(_, position)| (position.line, position.column)))
}

#[test]
fn damaged_files_are_refused_with_their_place() {
    let twice = "<w><cpnet><page id='a'/>\n<page id='a'/></cpnet></w>";
    for (text, code, place) in [
        ("<a><b></b>", "SWL-CPN-0006", Some((1, 1))),
        ("<a>\n</b></a>", "SWL-CPN-0005", Some((2, 1))),
        ("<a>\n &lol;</a>", "SWL-CPN-0008", Some((2, 2))),
        ("<a b='&lol;'/>", "SWL-CPN-0008", Some((1, 7))),
        ("<pnml/>", "SWL-CPN-0009", None),
        ("no XML", "SWL-CPN-0009", None),
        (" ", "SWL-CPN-0003", None),
        (twice, "SWL-CPN-0011", Some((2, 1))),
    ] {
        assert_eq!(problem(text), (code.to_owned(), place), "{text}");
    }
}

#[test]
fn sizes_are_bounded() {
    let deep = read(&"<a>".repeat(100_000)).unwrap_err();
    assert_eq!(deep.reason(), "elements are nested more than 200 levels deep");
    let limits = Limits { max_bytes: 10, ..Limits::default() };
    let errors = read_cpn_bytes("model.cpn", MODEL.as_bytes(), &limits).unwrap_err();
    assert!(errors.reason().ends_with("more than the limit of 10"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.cpn");
    // A sparse file: reading it would take long, rejecting it does not.
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let errors = read_cpn(&path, &Limits::default()).unwrap_err();
    assert!(errors.reason().ends_with("more than the limit of 67108864"));
    let errors = read_cpn(folder.path(), &Limits::default()).unwrap_err();
    assert_eq!(errors.reason(), "cannot open the file: it is a directory");
}

#[test]
fn many_attributes_take_linear_time() {
    let attributes: String = (0..100_000).map(|n| format!(" x{n}=''")).collect();
    assert!(read(&format!("<w><cpnet{attributes}/></w>")).is_ok());
}

proptest! {
    /// Cutting, duplicating and swapping pieces of a file results in a file or errors, never a panic.
    #[test]
    fn any_damage_is_survived(cuts in prop::collection::vec((0usize..3000, 0usize..60, 0usize..3000), 1..6)) {
        let mut bytes = MODEL.as_bytes().to_vec();
        for (from, length, to) in cuts {
            let from = from % bytes.len();
            let piece: Vec<u8> = bytes[from..(from + length).min(bytes.len())].to_vec();
            bytes.drain(from..from + piece.len());
            let to = to % (bytes.len() + 1);
            bytes.splice(to..to, piece);
        }
        if let Ok(file) = read_cpn_bytes("model.cpn", &bytes, &Limits::default()) {
            let _ = crate::Net::load(&file, &crate::Options::default());
        }
    }
}
