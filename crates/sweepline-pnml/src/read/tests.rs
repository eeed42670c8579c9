//! Reading well-formed files, and tests that malformed ones never cause a panic.

use proptest::prelude::*;

use super::*;
use crate::net::{Place, PlaceId, Transition};

fn read_page(body: &str) -> Net {
    let text = format!("<pnml><net id='n' type='ptnet'><page id='g'>{body}</page></net></pnml>");
    read_pnml_str("model.pnml", &text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn pages_references_prefixes_and_graphics() {
    let net = read_pnml_str(
        "model.pnml",
        r#"<?xml version="1.0"?><!DOCTYPE pnml><!-- a comment -->
        <x:pnml xmlns:x="http://www.pnml.org/version-2009/grammar/pnml">
        <x:net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
          <x:name><x:graphics/><x:text> A &amp; B </x:text></x:name>
          <x:toolspecific tool="t" version="1"><place id="not a place"/></x:toolspecific>
          <x:page id="outer">
            <x:place id="p"><x:name><x:text>first<!-- c --><![CDATA[ <p>]]>&#33;&#x21;</x:text></x:name>
              <x:toolspecific><initialMarking><text>9</text></initialMarking></x:toolspecific>
              <x:initialMarking><x:graphics><x:offset x="1"/></x:graphics><x:text> 3
              </x:text></x:initialMarking></x:place>
            <x:page id="inner">
              <x:referencePlace id="r1" ref="r2"/><x:referencePlace id="r2" ref="p"/>
              <x:referenceTransition id="s" ref="t"/>
              <x:transition id="t"/>
              <x:arc id="a" source="r1" target="s"><x:inscription><x:text>2</x:text></x:inscription></x:arc>
              <x:arc source="p" target="t" type="normal"/>
            </x:page>
            <x:arc id="b" source="t" target="r2"><x:type value="normal"/></x:arc>
          </x:page>
        </x:net></x:pnml>"#,
    )
    .unwrap();
    let place = Place { id: "p".into(), name: "first <p>!!".into(), initial: 3 };
    let transition = Transition {
        id: "t".into(),
        name: "t".into(),
        inputs: vec![(PlaceId(0), 3)],
        outputs: vec![(PlaceId(0), 1)],
    };
    let (places, transitions) = (vec![place], vec![transition]);
    let expected = Net { name: "A & B".into(), places, transitions, folded: None };
    assert_eq!(net, expected);
}

#[test]
fn nodes_may_stand_outside_pages_and_be_used_before_they_are_defined() {
    let text = "<pnml><net id='n' type='P/T net'><arc id='a' source='p' target='t'/>\
                <transition id='t'/><place id='p'/></net></pnml>";
    assert_eq!(read_pnml_str("model.pnml", text).unwrap().n_arcs(), 1);
}

#[test]
fn the_dialect_of_pipe_is_read() {
    let net = read_page(
        "<place id='p'><initialMarking><value>Default,2</value></initialMarking>\
         <capacity><value>0</value></capacity></place>",
    );
    assert_eq!(net.places[0].initial, 2);
}

#[test]
fn a_long_chain_of_references_is_followed_once() {
    let n = 100_000;
    let chain: String =
        (0..n).map(|i| format!("<referencePlace id='r{i}' ref='r{}'/>", i + 1)).collect();
    let net = read_page(&format!(
        "{chain}<place id='r{n}'/><transition id='t'/><arc id='a' source='r0' target='t'/>"
    ));
    assert_eq!(net.n_arcs(), 1);
}

/// A name in a file: any characters except control characters, no space at the ends.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-z0-9_]{0,8}",
        "[ -~\u{e9}\u{3b1}\u{1f600}\t]{0,8}".prop_map(|s| format!("<{}>", s)),
    ]
}

fn nets() -> impl Strategy<Value = Net> {
    let weights = prop_oneof![Just(0), Just(1), Just(3), Just(u64::MAX)];
    let arcs = prop::collection::vec((weights.clone(), weights), 6);
    let places = prop::collection::vec((name(), any::<u64>()), 0..6);
    let transitions = prop::collection::vec((name(), arcs), 0..6);
    (name(), places, transitions).prop_map(|(net_name, places, transitions)| {
        let ids: Vec<String> = (0..places.len()).map(|n| format!("p{n} \"&<'")).collect();
        let mut builder = Net::builder(net_name);
        for (id, (name, initial)) in ids.iter().zip(&places) {
            builder = builder.place_named(id, name, *initial);
        }
        for (n, (name, arcs)) in transitions.iter().enumerate() {
            let side = |pick: fn(&(u64, u64)) -> u64| -> Vec<(&str, u64)> {
                let arcs = ids.iter().map(String::as_str).zip(arcs.iter().map(pick));
                arcs.filter(|&(_, weight)| weight > 0).collect()
            };
            builder =
                builder.transition_named(&format!("a{n}"), name, &side(|a| a.0), &side(|a| a.1));
        }
        builder.build().expect("a lawful net")
    })
}

proptest! {
    #[test]
    fn nets_survive_the_round_trip(net in nets()) {
        let text = net.to_pnml();
        let again = read_pnml_str("model.pnml", &text);
        prop_assert_eq!(again.ok(), Some(net));
    }
}

#[test]
fn names_over_several_lines_are_read_in_one() {
    for (written, read) in
        [("my\r\nplace", "my place"), ("my\n   place\n", "my place"), ("a  b", "a  b")]
    {
        let net = Net::builder("n").place_named("p", written, 1).build().expect("a lawful net");
        let again = read_pnml_str("model.pnml", &net.to_pnml()).expect("what was written");
        assert_eq!(again.places[0].name, read);
    }
}

/// A small document with all kinds of elements.
const SEED: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE pnml>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <!-- comment -->
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <name><text>A &amp; B &#65;</text></name>
    <page id="g">
      <place id="p"><name><text><![CDATA[x]]></text></name>
        <initialMarking><text>1</text></initialMarking></place>
      <place id="q"/><referencePlace id="r" ref="q"/>
      <transition id="t"><graphics><position x="1" y="2"/></graphics></transition>
      <arc id="a" source="p" target="t"><inscription><text>2</text></inscription></arc>
      <arc id="b" source="t" target="r"><type value="normal"/></arc>
    </page>
  </net>
</pnml>
"#;

/// Pseudorandom numbers, the same in every run.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    /// A number below `bound`, by the generator of Steele, Lea and Flood (2014).
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// A text with a few bytes changed, moved, added or removed.
pub(crate) fn mutate(text: &str, noise: &mut Noise) -> Vec<u8> {
    const MARKS: &[u8] = b"<>/&;!?-[]\"'= \n\0\xff0123456789abcxyz";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=noise.below(4) {
        let at = noise.below(bytes.len());
        let length = noise.below(12).min(bytes.len() - at);
        match noise.below(6) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = MARKS[noise.below(MARKS.len())],
            2 => bytes.insert(at, MARKS[noise.below(MARKS.len())]),
            3 => drop(bytes.drain(at..at + length)),
            4 => {
                let piece = bytes[at..at + length].to_vec();
                let to = noise.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => bytes[at] ^= 1 << noise.below(8),
        }
        if bytes.is_empty() {
            bytes.push(b'<');
        }
    }
    bytes
}

#[test]
fn mutated_files_never_cause_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mutant.pnml");
    let mut noise = Noise(1);
    let mut n_read = 0;
    for round in 0..5000 {
        let bytes = mutate(SEED, &mut noise);
        let result = match std::str::from_utf8(&bytes) {
            Ok(text) => read_pnml_str("mutant.pnml", text),
            Err(_) => {
                std::fs::write(&path, &bytes).unwrap();
                read_pnml(&path, &Limits::default())
            }
        };
        match result {
            Ok(_) => n_read += 1,
            Err(errors) => {
                assert!(!errors.errors.is_empty(), "round {round}");
                super::error_tests::render(&errors);
            }
        }
    }
    assert!((100..4900).contains(&n_read), "{n_read} of 5000 mutants were read");
}

#[test]
fn every_truncation_is_an_error() {
    assert!(read_pnml_str("model.pnml", SEED).is_ok());
    let end = SEED.trim_end().len();
    for length in (0..end).filter(|&length| SEED.is_char_boundary(length)) {
        assert!(read_pnml_str("model.pnml", &SEED[..length]).is_err(), "{length}");
    }
}
