//! Random nets that are symmetric by construction, compared with all permutations of their colours; and nets
//! that are rejected.

pub(crate) mod random;

use std::collections::BTreeSet;
use sweepline::model::bytes_of;
use sweepline::{Check, Model, StopReason};

use super::{NoSymmetry, Symmetry};
use crate::explore::CpnModel;
use random::{explore, load, random_net};

/// All permutations of several adjacent sets.
fn permutations(sets: &[std::ops::Range<u32>]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for set in sets {
        for _ in set.clone() {
            let longer = all.iter().flat_map(|some: &Vec<u32>| {
                let left = set.clone().filter(|atom| !some.contains(atom));
                left.map(|atom| [some.clone(), vec![atom]].concat())
            });
            all = longer.collect();
        }
    }
    all
}

/// The least marking of each orbit, by trying all permutations.
fn orbits(model: &CpnModel, symmetry: &Symmetry<'_>, states: &BTreeSet<Vec<u8>>) -> usize {
    let permutations = permutations(symmetry.exchange.sets());
    let least = states.iter().map(|bytes| {
        let marking = model.decode(bytes);
        let images = permutations.iter().map(|numbers| {
            bytes_of(model, &symmetry.exchange.permute(&model.places, &marking, numbers))
        });
        images.min().unwrap()
    });
    least.collect::<BTreeSet<_>>().len()
}

#[test]
fn random_nets_have_one_representative_for_each_orbit() {
    let (mut checked, mut smaller, mut both) = (0, 0, 0);
    for seed in 0..80 {
        let text = random_net(seed, 4);
        // Some nets have lists that no token provides, and cannot be explored.
        let Some(model) = load(&text) else { continue };
        let Some((states, dead)) = explore(&model, 200) else { continue };
        for sets in [vec!["S".to_owned()], vec!["S".to_owned(), "E".to_owned()]] {
            let full = Check::new(&model).deadlock().run();
            let question = model.scope().predicate("", "size P0 > 2").unwrap();
            let equal = model.scope().predicate("", "size (P0 ^^ P0) = 2").unwrap();
            let asked = [("size", &question), ("equal", &equal)];
            let symmetry = model.symmetry(&sets, &asked, false);
            let symmetry = symmetry.unwrap_or_else(|error| panic!("{error}\n{text}"));
            let expected = orbits(&model, &symmetry, &states);
            let never = |state: &crate::Marking| {
                question.holds(&mut crate::Worker::default(), state).unwrap()
            };
            let unreduced = Check::new(&model).never("size", never).run();
            let report = Check::new(&model).represent(symmetry).never("size", never);
            let counted =
                Check::new(&model).represent(model.symmetry(&sets, &asked, false).unwrap()).run();
            assert_eq!(
                counted.statistics.explored, expected as u64,
                "seed {seed} {sets:?}\n{text}"
            );
            assert_eq!(counted.statistics.dead == 0, dead == 0, "seed {seed}\n{text}");
            assert_eq!(full.holds(), dead == 0);
            assert_eq!(report.run().holds(), unreduced.holds(), "seed {seed}\n{text}");
            // With symmetry assumed instead of proven, the run-time check finds no violation.
            let mut doubted = model.symmetry(&sets, &[], true).unwrap();
            doubted.doubt = Some(NoSymmetry::Kind { name: "S".into() });
            let tried = Check::new(&model).represent(doubted).run();
            assert_eq!(tried.stop, None, "seed {seed}\n{text}");
            (checked, smaller) = (checked + 1, smaller + usize::from(expected < states.len()));
            both += usize::from(sets.len() == 2 && expected < states.len());
        }
    }
    assert!(checked > 40 && smaller > 15 && both > 8, "{checked} {smaller} {both}");
}

const RING: &str = "\
colset S = index s with 1..4;
colset T = subset S with [s(1), s(2)];
colset D = product S * S;
colset N = int with 1..3;
var x, y : S;
var n : N;

page Top
  place P : S = 1`s(1)
  place Q : D

  transition Go
    guard GUARD
    in P: x
    out P: OUT
    out Q: TOKEN
";

fn ring(guard: &str, out: &str, token: &str) -> CpnModel {
    load(&RING.replace("GUARD", guard).replace("OUT", out).replace("TOKEN", token)).expect(guard)
}

#[test]
fn what_looks_at_colours_is_refused_with_its_place() {
    for (guard, out, token, found) in [
        ("x = s(1)", "x", "(x, x)", Some("s(1)")),
        ("true", "s(2)", "(x, x)", Some("s(2)")),
        ("true", "S.col ((S.ord x + 1) mod 4)", "(x, x)", Some("S.ord x")),
        ("S.lt (x, x)", "x", "(x, x)", Some("S.lt (x, x)")),
        ("S.mkstr x = \"s(1)\"", "x", "(x, x)", Some("S.mkstr x")),
        ("(case x of s i => i > 1)", "x", "(x, x)", Some("s i")),
        ("true", "hd (S.all ())", "(x, x)", Some("hd (S.all ())")),
        ("true", "List.nth (S.all (), 1)", "(x, x)", Some("List.nth")),
        ("hd (S.all () -- 1`x) = x", "x", "(x, x)", Some("hd")),
        ("true", "x", "let val [a, b, c, d] = S.all () in 1`(a, b) end", Some("[a, b, c, d]")),
        ("size (S.all () -- 1`x) = 3", "x", "D.mult (1`x, S.all ())", None),
        ("cf (x, S.all ()) = 1", "x", "ext_col (fn z => (z, x)) (S.all ())", None),
        ("List.exists (fn z => z = x) (S.all ())", "x", "(x, x)", None),
    ] {
        let model = ring(guard, out, token);
        match (model.symmetry(&["S".into()], &[], false).err(), found) {
            (None, None) => {}
            (Some(NoSymmetry::NotProven { place, text }), Some(found)) => {
                assert!(text.contains(found) && place.contains("Go"), "{place}: {text}");
            }
            (error, found) => panic!("{guard} {out} {token}: {error:?}, expected {found:?}"),
        }
    }
}

#[test]
fn questions_that_look_at_colours_or_at_order_are_refused() {
    let model = ring("true", "x", "(x, x)");
    for (text, fine) in [
        ("size P > 1", true),
        ("P == S.all ()", true),
        ("List.exists (fn (a, b) => a = b) Q", true),
        ("List.all (fn z => cf ((z, z), Q) <= 1) P", true),
        ("cf (s(1), P) = 1", false),
        ("hd P = hd P", false),
        ("S.mkstr_ms P = \"\"", false),
        ("size (Mark.Top'P 1) > 1", false),
        ("List.foldl (fn (z, n) => n + 1) 0 P > 1", false),
    ] {
        let question = model.scope().predicate("", text).unwrap();
        let symmetry = model.symmetry(&["S".into()], &[("q", &question)], false);
        assert_eq!(symmetry.is_ok(), fine, "{text}: {:?}", symmetry.err());
    }
}

#[test]
fn functions_of_the_model_are_not_taken_for_those_of_the_library() {
    let text = RING.replace("GUARD", "true").replace("OUT", "x").replace("TOKEN", "TOKENS");
    let tokens = "ext_col (fn z => (z, z)) (S.all ())";
    let with = |own: &str| load(&(own.to_owned() + &text.replace("TOKENS", tokens))).unwrap();
    assert!(with("").symmetry(&["S".into()], &[], false).is_ok());
    let first = "fun ext_col f nil = nil | ext_col f (x :: _) = [f x];\n";
    assert!(with(first).symmetry(&["S".into()], &[], false).is_err());
}

#[test]
fn only_names_are_exchanged() {
    let model = ring("true", "x", "(x, x)");
    let refused = |name: &str| model.symmetry(&[name.to_owned()], &[], true).err();
    assert!(matches!(refused("N"), Some(NoSymmetry::Kind { .. })));
    assert!(matches!(refused("D"), Some(NoSymmetry::Kind { .. })));
    let Some(NoSymmetry::Unknown { known, .. }) = refused("Z") else { panic!("there is no Z") };
    assert_eq!(known, ["S"]);
}

#[test]
fn what_is_wrongly_assumed_is_found_out() {
    // Only the first colour continues, so the orbit is not invariant.
    let model = ring("x = s(1) orelse y = s(1)", "y", "(x, y)");
    let symmetry = model.symmetry(&["S".into()], &[], true).unwrap();
    assert!(symmetry.doubt().is_some());
    let report = Check::new(&model).represent(symmetry).deadlock().run();
    assert!(matches!(&report.stop, Some(StopReason::Reduction(why)) if why.contains("consistent")));
    assert!(!report.holds());
    // A property that distinguishes colours is detected as well.
    let model = ring("true", "y", "(x, x)");
    let question = model.scope().predicate("", "cf (s(2), P) = 1").unwrap();
    let symmetry = model.symmetry(&["S".into()], &[("q", &question)], true).unwrap();
    let limits = sweepline::Limits { states: Some(500), ..sweepline::Limits::default() };
    let check = Check::new(&model).represent(symmetry).limits(limits);
    let report = check
        .never("second", |state| question.holds(&mut crate::Worker::default(), state).unwrap())
        .run();
    assert!(matches!(&report.stop, Some(StopReason::Reduction(why)) if why.contains("second")));
}
