//! What the structure of random nets shows agrees with their reachable markings, and a small checker that shares no
//! code with the prover accepts every proof.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline_pnml::{
    Certificate, Net, NetModel, Node, PlaceId, Predicate, Proof, Reason, Row, Structure,
    StructureEffort, TransitionId, parse_predicate, semiflows,
};

use super::random::{Plain, PlainView, fire, net, weighted};

/// Checks a proof from scratch.
struct Checker<'a> {
    net: &'a Net,
    plain: &'a Plain,
    /// Reachable markings, and others.
    markings: Vec<Vec<u64>>,
}

impl Checker<'_> {
    fn accepts(&self, proof: &Proof, assumed: &mut Vec<Predicate>, rows: &mut Vec<Row>) {
        let possible = |marking: &&Vec<u64>| {
            assumed.iter().all(|condition| condition.holds(&PlainView(self.net, marking)))
        };
        match proof {
            Proof::Absurd => assert!(!self.markings.iter().any(|m| possible(&m)), "{assumed:?}"),
            Proof::Sum(certificate) => self.contradicts(certificate, assumed, rows),
            Proof::Implied { row, reason, then } => {
                match reason {
                    Reason::Trap(places) => self.is_marked_trap(places, row),
                    Reason::Disabled(t) => self.follows(*t, row, assumed),
                }
                rows.push(row.clone());
                self.accepts(then, assumed, rows);
                rows.pop();
            }
            Proof::Cases(cases) => {
                for marking in self.markings.iter().filter(possible) {
                    let view = PlainView(self.net, marking);
                    assert!(cases.iter().any(|(case, _)| case.holds(&view)), "{marking:?}");
                }
                for (case, proof) in cases {
                    assumed.push(case.clone());
                    self.accepts(proof, assumed, rows);
                    assumed.pop();
                }
            }
        }
    }

    fn contradicts(&self, certificate: &Certificate, assumed: &[Predicate], rows: &[Row]) {
        let n = self.net.n_places();
        let mut known = rows.to_vec();
        assumed.iter().for_each(|condition| atoms(self.net, condition, &mut known));
        let (mut total, mut most) = (vec![0i128; n], 0);
        for (row, factor) in &certificate.rows {
            assert!(*factor > 0 && known.contains(row), "{row:?} is not among {known:?}");
            row.terms.iter().for_each(|&(p, c)| total[p.index()] += c * factor);
            most += row.bound * factor;
        }
        let mut weights = vec![0i128; n];
        certificate.weights.iter().for_each(|&(p, w)| weights[p.index()] = w);
        assert!(weights.iter().zip(&total).all(|(weight, total)| weight <= total));
        let value = |marking: &[u64]| -> i128 {
            weights.iter().zip(marking).map(|(w, n)| w * i128::from(*n)).sum()
        };
        assert_eq!(
            (certificate.least, certificate.most),
            (value(&self.net.initial_marking()), most)
        );
        assert!(most < certificate.least);
        // By the structure where a transition can fire at all, and by the markings everywhere.
        for t in self.net.transition_ids() {
            let transition = &self.net.transitions[t.index()];
            let change: i128 =
                transition.changes().map(|(place, n)| weights[place.index()] * n).sum();
            let fires = self.plain.markings.iter().any(|m| fire(self.net, m, t).is_some());
            assert!(!fires || change >= 0, "{t:?} changes the sum by {change}");
            assert!(!fires || !certificate.is_invariant || change == 0);
        }
        assert!(self.plain.markings.iter().all(|m| value(m) >= certificate.least));
    }

    fn is_marked_trap(&self, places: &[PlaceId], row: &Row) {
        assert!(places.iter().any(|p| self.net.places[p.index()].initial > 0));
        for t in self.net.transition_ids() {
            let transition = &self.net.transitions[t.index()];
            let touches = |arcs: &[(PlaceId, u64)]| arcs.iter().any(|(p, _)| places.contains(p));
            let fires = self.plain.markings.iter().any(|m| fire(self.net, m, t).is_some());
            assert!(!fires || !touches(&transition.inputs) || touches(&transition.outputs));
        }
        let terms = places.iter().map(|&place| (place, -1)).collect();
        assert_eq!(*row, Row { terms, bound: -1 });
    }

    /// Whenever the transition is disabled, and the conditions need that, the inequality holds.
    fn follows(&self, t: TransitionId, row: &Row, assumed: &[Predicate]) {
        assert!(assumed.iter().any(|condition| needs_disabled(condition, t)));
        for marking in self.plain.markings.iter().filter(|m| fire(self.net, m, t).is_none()) {
            assert!(row.holds(&PlainView(self.net, marking)), "{row:?} in {marking:?}");
        }
    }
}

fn needs_disabled(condition: &Predicate, t: TransitionId) -> bool {
    match condition.node() {
        Node::All(parts) => parts.iter().any(|part| needs_disabled(part, t)),
        Node::Disabled(transitions) => transitions.contains(&t),
        Node::Deadlock => true,
        _ => false,
    }
}

/// The inequalities that a condition consists of.
fn atoms(net: &Net, condition: &Predicate, rows: &mut Vec<Row>) {
    let mut add = |terms: Vec<(PlaceId, i128)>, bound| rows.push(Row { terms, bound });
    let sum = |sum: &sweepline_pnml::Linear, sign: i128| {
        sum.terms().iter().map(|&(c, p)| (p, sign * i128::from(c))).collect()
    };
    let mut disabled = |t: TransitionId| {
        if let [(place, weight)] = net.transitions[t.index()].inputs[..] {
            add(vec![(place, 1)], i128::from(weight) - 1);
        }
    };
    match condition.node() {
        Node::All(parts) => parts.iter().for_each(|part| atoms(net, part, rows)),
        Node::AtMost(terms, bound) => add(sum(terms, 1), *bound),
        Node::Equal(terms, value) => {
            add(sum(terms, 1), *value);
            add(sum(terms, -1), -value);
        }
        Node::Disabled(transitions) => transitions.iter().copied().for_each(disabled),
        Node::Deadlock => net.transition_ids().for_each(&mut disabled),
        Node::Fireable(transitions) if transitions.len() == 1 => {
            for &(place, weight) in &net.transitions[transitions[0].index()].inputs {
                add(vec![(place, -1)], -i128::from(weight));
            }
        }
        _ => {}
    }
}

/// A random condition as text, over the places and transitions of a net.
fn condition(net: &Net, numbers: &[(u8, usize, usize, u64)]) -> String {
    let (places, transitions) = (net.n_places(), net.n_transitions());
    let part = |&(kind, a, b, n): &(u8, usize, usize, u64)| {
        let (p, q, t, u) = (a % places, b % places, a % transitions, b % transitions);
        match kind % 8 {
            0 => format!("p{p} >= {n}"),
            1 => format!("p{p} + p{q} <= {n}"),
            2 => format!("2*p{p} - p{q} = {n}"),
            3 => format!("p{p} != p{q}"),
            4 => format!("fireable(t{t}, t{u})"),
            5 => format!("not fireable(t{t})"),
            6 => "deadlock".to_owned(),
            _ => format!("p{p} + p{q} > {n}"),
        }
    };
    let parts: Vec<String> = numbers.iter().map(part).collect();
    let conjunctions: Vec<String> =
        parts.chunks(2).map(|parts| format!("({})", parts.join(" and "))).collect();
    conjunctions.join(" or ")
}

static PROVED: AtomicUsize = AtomicUsize::new(0);
static MISSED: AtomicUsize = AtomicUsize::new(0);

fn agrees(net: Net, numbers: &[(u8, usize, usize, u64)], others: &[Vec<u64>], weights: &[i64]) {
    let Some(plain) = Plain::explore(&net, 800) else { return };
    let model = NetModel::new(net);
    let net = model.net();
    let structure = Structure::new(&model, StructureEffort::default());
    let n = net.n_places();
    let others = others.iter().map(|m| m[..n].to_vec());
    let markings = plain.markings.iter().cloned().chain(others).collect();
    let checker = Checker { net, plain: &plain, markings };
    let own = condition(net, numbers);
    for text in [own.as_str(), "deadlock", "fireable(t0)", "p0 > 3"] {
        let condition = parse_predicate(net, text).unwrap();
        let reached = plain.markings.iter().any(|m| condition.holds(&PlainView(net, m)));
        match structure.unreachable(&condition) {
            Some(proof) => {
                assert!(!reached, "{text} is reachable: {proof:?}");
                checker.accepts(&proof, &mut vec![condition], &mut Vec::new());
                PROVED.fetch_add(1, Ordering::Relaxed);
            }
            None if reached => {}
            None => {
                MISSED.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
    let expr = weighted(net, weights);
    let values = || plain.markings.iter().map(|m| expr.value(&PlainView(net, m)));
    let (least, greatest) = (values().min().unwrap(), values().max().unwrap());
    if let Some((range, _)) = structure.range(&expr) {
        assert_eq!(range, (least, greatest));
    }
    if let Some((found, _)) = structure.greatest(&expr) {
        assert_eq!(found, greatest);
    }
    assert!(!structure.is_exhausted());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn proofs_agree_with_the_markings(
        net in net(1, 1..8, true),
        numbers in vec((any::<u8>(), 0..64usize, 0..64usize, 0..5u64), 1..5),
        others in vec(vec(0..5u64, 8), 40),
        weights in vec(-2..4i64, 8),
    ) {
        agrees(net, &numbers, &others, &weights);
    }

    #[test]
    fn proofs_agree_with_the_markings_of_weighted_nets(
        net in net(3, 1..8, false),
        numbers in vec((any::<u8>(), 0..64usize, 0..64usize, 0..9u64), 1..7),
        others in vec(vec(0..9u64, 8), 40),
        weights in vec(-2..4i64, 8),
    ) {
        agrees(net, &numbers, &others, &weights);
    }
}

#[test]
fn most_unreachable_conditions_are_proved() {
    proofs_agree_with_the_markings();
    let (proved, missed) = (PROVED.load(Ordering::Relaxed), MISSED.load(Ordering::Relaxed));
    println!("{proved} proved, {missed} missed");
    assert!(proved > 2 * missed, "{proved} proved, {missed} missed");
}

/// Two processes take two locks in the same order: no deadlock, and mutual exclusion.
#[test]
fn locks_need_traps_or_invariants() {
    let mut builder = Net::builder("locks").place("lock", 1).place("other", 1);
    for n in ["1", "2"] {
        let [idle, one, both] = ["idle", "one", "both"].map(|name| format!("{name}{n}"));
        builder = builder
            .place(&idle, 1)
            .place(&one, 0)
            .place(&both, 0)
            .transition(&format!("take{n}"), &[(&idle, 1), ("lock", 1)], &[(&one, 1)])
            .transition(&format!("more{n}"), &[(&one, 1), ("other", 1)], &[(&both, 1)])
            .transition(
                &format!("free{n}"),
                &[(&both, 1)],
                &[(&idle, 1), ("lock", 1), ("other", 1)],
            );
    }
    let model = NetModel::new(builder.build().unwrap());
    let structure = Structure::new(&model, StructureEffort::default());
    let proof = |text: &str| structure.unreachable(&parse_predicate(model.net(), text).unwrap());
    let exclusion = proof("both1 > 0 and both2 > 0").unwrap();
    let [certificate] = exclusion.certificates()[..] else { panic!("{exclusion:?}") };
    assert!(certificate.is_invariant && !semiflows(model.net()).is_empty());
    assert!(proof("deadlock").is_some());
    assert!(proof("both1 > 0 and both2 = 0").is_none());
}
