//! Random nets that are symmetric by construction.

use std::collections::BTreeSet;
use std::fmt::Write;

use sweepline::model::{bytes_of, initial, successors};
use sweepline_ml::Limits;

use crate::explore::CpnModel;
use crate::net::{Net, Options};
use crate::text::read_cpnt_bytes;

/// The model of a net; `None` if it cannot be explored.
pub(crate) fn load(text: &str) -> Option<CpnModel> {
    let file = read_cpnt_bytes("net.cpnt", text.as_bytes(), &crate::Limits::default()).unwrap();
    let net = Net::load(&file, &Options::default()).ok()?;
    CpnModel::new(&net, Limits::default()).ok()
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

/// A net in which colours of `S` and `E` are only copied and compared.
pub(crate) fn random_net(seed: u64, places: usize) -> String {
    let dice = &mut Dice(seed);
    dice.below(2);
    let colours = 2 + dice.below(3);
    let mut text = format!(
        "colset S = index s with 1..{colours};\ncolset E = with a | b | c;\ncolset D = product S * S;\n\
         colset F = product S * E;\ncolset L = list S;\nvar x, y : S;\nvar e : E;\nvar l : L;\n\
         fun others z = S.all () -- 1`z;\nfun pairs z = D.mult (1`z, others z);\n\npage Top\n"
    );
    // With many places, few arcs.
    let arcs_each = if places > 4 { 1 } else { 2 };
    let constants =
        [["1`s(1)", "S.all ()"], ["1`(s(1),s(2))", "empty"], ["1`(s(1),a)", "1`(s(2),b)"]];
    let sets = ["S", "D", "F", "L"];
    let places: Vec<usize> = (0..places).map(|_| dice.below(4)).collect();
    for (number, &set) in places.iter().enumerate() {
        let tokens = if set == 3 { "1`nil" } else { dice.pick(&constants[set]) };
        let _ = writeln!(text, "  place P{number} : {} = {tokens}", sets[set]);
    }
    let arcs: [&[&str]; 4] = [
        &["x", "y", "1`x ++ 1`y", "if e = e then 1`x else empty"],
        &["(x, y)", "(y, x)", "1`(x, y) ++ 1`(y, x)"],
        &["(x, e)", "(y, e)"],
        &["l"],
    ];
    let more: [&[&str]; 4] = [
        &["others x", "S.all ()"],
        &["pairs x"],
        &["ext_col (fn z => (z, e)) (others y)"],
        &["x :: l"],
    ];
    for number in 0..places.len() - 1 {
        let guard = dice.pick(&["x <> y", "x = x andalso y = y", "x = y", "x <> y andalso e = e"]);
        let _ = writeln!(text, "\n  transition T{number}\n    guard {guard}");
        for (kind, chance) in [("in", 0), ("out", 4)] {
            for _ in 0..1 + dice.below(arcs_each) {
                let place = dice.below(places.len());
                let set = places[place];
                let arc = match dice.below(10) < chance && set != 3 {
                    true => dice.pick(more[set]),
                    false => dice.pick(arcs[set]),
                };
                let _ = writeln!(text, "    {kind} P{place}: {arc}");
            }
        }
        let place = dice.below(places.len());
        match dice.below(8) {
            0 => _ = writeln!(text, "    inhibitor P{place}"),
            1 => _ = writeln!(text, "    reset P{place}"),
            2 | 3 => _ = writeln!(text, "    both P{place}: {}", arcs[places[place]][0]),
            _ => {}
        }
    }
    text
}

/// The states as bytes, and the number of dead ones; `None` if there are too many.
pub(crate) fn explore(model: &CpnModel, most: usize) -> Option<(BTreeSet<Vec<u8>>, usize)> {
    let (mut seen, mut open, mut dead) = (BTreeSet::new(), initial(model), 0);
    seen.extend(open.iter().map(|state| bytes_of(model, state)));
    while let Some(state) = open.pop() {
        let next = successors(model, &state).ok()?;
        dead += usize::from(next.is_empty());
        for (_, state) in next {
            if seen.insert(bytes_of(model, &state)) {
                open.push(state);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some((seen, dead))
}
