//! Bounds on places from place invariants: what lets a marking be packed into a few bits.
//!
//! A *semiflow* is a weighting of places, none negative, that no transition changes; a *subflow* is
//! one that no transition raises. If place `p` has weight `y(p) > 0` in either, it never holds more
//! than `y * initial / y(p)` tokens. They are found by Farkas' algorithm: rows that combine places
//! are added up pairwise until every transition cancels out. The number of rows may explode, so a
//! transition that would take too many pairs loses its rows instead: fewer flows, all of them true.

use std::collections::HashSet;

use num_integer::gcd;

use crate::net::{Net, PlaceId};

/// Pairs of rows combined for one transition, at most.
const MAX_PAIRS: usize = 4_096;
/// Steps of arithmetic altogether, about: less than a second, and some hundred megabytes at worst.
const MAX_WORK: usize = 20_000_000;
/// Transitions looked at in the time of one such step.
const LOOKS: usize = 16;

/// A weighting of places that no transition changes, or none raises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Semiflow {
    /// The places with weight, in order, and their weights.
    pub weights: Vec<(PlaceId, u64)>,
}

impl Semiflow {
    /// The weighted tokens of the initial marking: of every reachable one, or the most of any. A sum
    /// beyond 128 bits is given as `u128::MAX`.
    pub fn total(&self, net: &Net) -> u128 {
        let tokens = |p: PlaceId| u128::from(net.places[p.index()].initial);
        let terms = self.weights.iter().map(|&(p, y)| u128::from(y) * tokens(p));
        terms.fold(0, u128::saturating_add)
    }
}

/// Some semiflows of `net`, small ones first.
pub fn semiflows(net: &Net) -> Vec<Semiflow> {
    flows(net, Keep::Semiflows)
}

/// Some subflows of `net`, small ones first.
pub fn subflows(net: &Net) -> Vec<Semiflow> {
    flows(net, Keep::Subflows)
}

/// What may remain of a row when a transition is eliminated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Semiflows,
    /// A row that the transition lowers is a result as well.
    Subflows,
}

fn flows(net: &Net, keep: Keep) -> Vec<Semiflow> {
    let mut farkas = Farkas::new(net);
    while farkas.work <= MAX_WORK
        && let Some(transition) = farkas.next_transition()
    {
        farkas.eliminate(transition, keep);
    }
    let mut found: Vec<Semiflow> = farkas
        .rows
        .into_iter()
        .flatten()
        // What is left when the work was too much must be unchanged by every transition left, too.
        .filter(|row| row.effect.iter().all(|&(_, n)| keep == Keep::Subflows && n < 0))
        .map(|row| Semiflow {
            weights: row.places.into_iter().map(|(p, y)| (PlaceId(p), y as u64)).collect(),
        })
        .collect();
    found.sort_by(|a, b| (a.weights.len(), &a.weights).cmp(&(b.weights.len(), &b.weights)));
    found
}

/// For each place, the most tokens it can ever hold, where one of these semiflows or a subflow
/// shows it.
pub fn bounds(net: &Net, semiflows: &[Semiflow]) -> Vec<Option<u64>> {
    let mut bounds = vec![None; net.places.len()];
    tighten(&mut bounds, net, semiflows);
    if bounds.contains(&None) {
        tighten(&mut bounds, net, &subflows(net));
    }
    bounds
}

fn tighten(bounds: &mut [Option<u64>], net: &Net, flows: &[Semiflow]) {
    for flow in flows {
        let total = flow.total(net);
        for &(place, weight) in &flow.weights {
            let Ok(bound) = u64::try_from(total / u128::from(weight)) else { continue };
            let known = &mut bounds[place.index()];
            *known = Some(known.map_or(bound, |k: u64| k.min(bound)));
        }
    }
}

/// Multiples of semiflows that [`upper_bound`] tries, at most: a few milliseconds.
const MAX_MULTIPLES: usize = 20_000;

/// An upper bound, over all reachable markings, of the tokens weighted by `weights`, one for each place;
/// `None` where a place with a positive weight has no bound.
///
/// A semiflow has the same weighted sum in every reachable marking, so a multiple of it can be subtracted from
/// the weights and its constant added to the bound. The function subtracts whatever lowers the bound. The
/// result is always a bound, and often the greatest value that is reached.
pub fn upper_bound(net: &Net, bounds: &[Option<u64>], mut weights: Vec<i64>) -> Option<i128> {
    let most = |weight: i64, place: PlaceId| match weight {
        ..=0 => Some(0),
        _ => i128::from(weight).checked_mul(i128::from(bounds[place.index()]?)),
    };
    let places = (0..).map(PlaceId).zip(&weights);
    let terms = places.map(|(place, &weight)| most(weight, place));
    let mut bound = terms.into_iter().try_fold(0i128, |sum, term| sum.checked_add(term?))?;
    let (flows, mut tries) = (semiflows(net), 0);
    let mut improved = true;
    while std::mem::take(&mut improved) {
        for flow in &flows {
            let Ok(total) = i64::try_from(flow.total(net)) else { continue };
            let mut factors: Vec<i64> = flow
                .weights
                .iter()
                .filter_map(|&(place, y)| Some((weights[place.index()], i64::try_from(y).ok()?)))
                .flat_map(|(weight, y)| {
                    [weight.div_euclid(y), weight.div_euclid(y).saturating_add(1)]
                })
                .collect();
            factors.sort_unstable();
            factors.dedup();
            for factor in factors {
                tries += 1;
                let rest = |place: PlaceId, y: u64| {
                    let part = i64::try_from(y).ok()?.checked_mul(factor)?;
                    weights[place.index()].checked_sub(part)
                };
                let change = flow.weights.iter().try_fold(
                    i128::from(factor) * i128::from(total),
                    |sum, &(place, y)| {
                        let before = most(weights[place.index()], place)?;
                        sum.checked_add(most(rest(place, y)?, place)?)?.checked_sub(before)
                    },
                );
                if let Some(change) = change.filter(|&change| change < 0) {
                    let after: Option<Vec<_>> =
                        flow.weights.iter().map(|&(p, y)| Some((p, rest(p, y)?))).collect();
                    after?.into_iter().for_each(|(p, weight)| weights[p.index()] = weight);
                    bound = bound.checked_add(change)?;
                    improved = true;
                }
                if tries >= MAX_MULTIPLES {
                    return Some(bound);
                }
            }
        }
    }
    Some(bound)
}

/// A sparse vector of integers: sorted by index, no zeros.
type Sparse = Vec<(u32, i64)>;

/// A combination of places, and what each transition still changes of it.
struct Row {
    places: Sparse,
    effect: Sparse,
}

struct Farkas {
    /// Those combined with others are taken out.
    rows: Vec<Option<Row>>,
    /// For each remaining transition, the rows it changes, those taken out since included.
    changed: Vec<Vec<u32>>,
    /// How many rows each remaining transition raises and lowers.
    signs: Vec<(u32, u32)>,
    left: Vec<u32>,
    work: usize,
}

impl Farkas {
    fn new(net: &Net) -> Self {
        // No row for a place with a change that has no negative of 64 bits.
        let mut effects: Vec<Option<Sparse>> = vec![Some(Vec::new()); net.places.len()];
        for (t, transition) in net.transitions.iter().enumerate() {
            for (place, change) in transition.changes() {
                let effect = &mut effects[place.index()];
                match narrow(change) {
                    Some(change) => effect.iter_mut().for_each(|e| e.push((t as u32, change))),
                    None => *effect = None,
                }
            }
        }
        let rows: Vec<Row> = (0..)
            .zip(effects)
            .filter_map(|(p, effect)| Some(Row { places: vec![(p, 1)], effect: effect? }))
            .collect();
        let mut farkas = Farkas {
            rows: Vec::new(),
            changed: vec![Vec::new(); net.transitions.len()],
            signs: vec![(0, 0); net.transitions.len()],
            left: (0..net.transitions.len() as u32).collect(),
            work: 0,
        };
        rows.into_iter().for_each(|row| farkas.push(row));
        farkas
    }

    fn push(&mut self, row: Row) {
        for &(t, change) in &row.effect {
            let (raises, lowers) = &mut self.signs[t as usize];
            *if change > 0 { raises } else { lowers } += 1;
            self.changed[t as usize].push(self.rows.len() as u32);
        }
        self.rows.push(Some(row));
    }

    fn take(&mut self, row: u32) -> Option<Row> {
        let row = self.rows[row as usize].take()?;
        for &(t, change) in &row.effect {
            let (raises, lowers) = &mut self.signs[t as usize];
            *if change > 0 { raises } else { lowers } -= 1;
        }
        Some(row)
    }

    /// The transition that takes the fewest pairs.
    fn next_transition(&mut self) -> Option<u32> {
        self.work += self.left.len() / LOOKS;
        let pairs = |&t: &u32| {
            let (raises, lowers) = self.signs[t as usize];
            u64::from(raises) * u64::from(lowers)
        };
        let (at, _) = self.left.iter().enumerate().min_by_key(|(_, t)| pairs(t))?;
        Some(self.left.swap_remove(at))
    }

    fn eliminate(&mut self, transition: u32, keep: Keep) {
        let (raises, lowers) = self.split(transition);
        if raises.len() * lowers.len() <= MAX_PAIRS {
            self.combine_all(&raises, &lowers);
        }
        if keep == Keep::Subflows {
            for (mut row, _) in lowers {
                row.effect.retain(|&(t, _)| t != transition);
                self.push(row);
            }
        }
    }

    fn combine_all(&mut self, raises: &[(Row, i64)], lowers: &[(Row, i64)]) {
        let mut seen: HashSet<Sparse> = HashSet::new();
        for (up, by_up) in raises {
            for (down, by_down) in lowers {
                let Some(row) = combine(up, by_down.unsigned_abs(), down, by_up.unsigned_abs())
                else {
                    continue;
                };
                self.work += row.places.len() + row.effect.len();
                if seen.insert(row.places.clone()) {
                    self.push(row);
                }
            }
        }
    }

    /// Takes out the rows that `transition` changes: those it raises, those it lowers, by how much.
    fn split(&mut self, transition: u32) -> (Vec<(Row, i64)>, Vec<(Row, i64)>) {
        let (mut raises, mut lowers) = (Vec::new(), Vec::new());
        for row in std::mem::take(&mut self.changed[transition as usize]) {
            self.work += 1;
            let Some(row) = self.take(row) else { continue };
            let entry = row.effect.iter().find(|&&(t, _)| t == transition);
            let &(_, change) = entry.expect("the row is listed with what changes it");
            if change > 0 { &mut raises } else { &mut lowers }.push((row, change));
        }
        (raises, lowers)
    }
}

/// `a * row + b * other`, divided by the greatest common divisor; `None` when a number overflows.
fn combine(row: &Row, a: u64, other: &Row, b: u64) -> Option<Row> {
    let (a, b) = (i64::try_from(a).ok()?, i64::try_from(b).ok()?);
    let divisor = gcd(a, b);
    let (a, b) = (a / divisor, b / divisor);
    let mut places = add(&row.places, a, &other.places, b)?;
    let mut effect = add(&row.effect, a, &other.effect, b)?;
    let all = places.iter().chain(&effect).fold(0, |d, &(_, n)| gcd(d, n));
    if all > 1 {
        places.iter_mut().chain(&mut effect).for_each(|(_, n)| *n /= all);
    }
    Some(Row { places, effect })
}

fn add(x: &Sparse, a: i64, y: &Sparse, b: i64) -> Option<Sparse> {
    let mut sum = Vec::with_capacity(x.len() + y.len());
    let (mut i, mut j) = (0, 0);
    while i < x.len() || j < y.len() {
        let (xi, yj) = (x.get(i).map(|e| e.0), y.get(j).map(|e| e.0));
        let index = xi.into_iter().chain(yj).min()?;
        let mut n = 0;
        if xi == Some(index) {
            n += i128::from(x[i].1) * i128::from(a);
            i += 1;
        }
        if yj == Some(index) {
            n += i128::from(y[j].1) * i128::from(b);
            j += 1;
        }
        if n != 0 {
            sum.push((index, narrow(n)?));
        }
    }
    Some(sum)
}

/// `n` in 64 bits, if its negative fits as well.
fn narrow(n: i128) -> Option<i64> {
    i64::try_from(n).ok().filter(|&n| n != i64::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_with_weights_is_bounded() {
        let net = Net::builder("cycle")
            .place("a", 6)
            .place("b", 0)
            .place("free", 0)
            .transition("pack", &[("a", 3)], &[("b", 1), ("free", 1)])
            .transition("unpack", &[("b", 1)], &[("a", 3)])
            .build()
            .unwrap();
        let flows = semiflows(&net);
        assert_eq!(flows, [Semiflow { weights: vec![(PlaceId(0), 1), (PlaceId(1), 3)] }]);
        assert_eq!(bounds(&net, &semiflows(&net)), [Some(6), Some(2), None]);
    }

    #[test]
    fn what_only_leaks_is_bounded_too() {
        let net = Net::builder("leak")
            .place("working", 1)
            .place("message", 0)
            .transition("send", &[("working", 1)], &[("message", 1)])
            .transition("give up", &[("working", 1)], &[])
            .build()
            .unwrap();
        assert_eq!(semiflows(&net), []);
        assert_eq!(bounds(&net, &semiflows(&net)), [Some(1), Some(1)]);
    }

    #[test]
    fn semiflows_bound_sums_more_tightly_than_places_do() {
        let net = Net::builder("line")
            .place("free", 5)
            .place("busy", 0)
            .place("done", 0)
            .place("count", 0)
            .transition("begin", &[("free", 1)], &[("busy", 1)])
            .transition("end", &[("busy", 1)], &[("done", 1), ("count", 1)])
            .transition("again", &[("done", 1)], &[("free", 1)])
            .build()
            .unwrap();
        let most = |weights: [i64; 4]| {
            upper_bound(&net, &bounds(&net, &semiflows(&net)), weights.to_vec())
        };
        // Each place alone may have 5 tokens, but all three have 5 together.
        assert_eq!(most([1, 3, 4, 0]), Some(20));
        assert_eq!(most([1, 1, 1, 0]), Some(5));
        assert_eq!(most([-2, 1, 1, -1]), Some(5));
        assert_eq!(most([-2, -3, -1, 0]), Some(-5));
        assert_eq!(most([0, 0, 0, 1]), None);
    }

    #[test]
    fn numbers_beyond_64_bits_bound_nothing() {
        let (most, odd) = (u64::MAX, i64::MAX as u64);
        let net = Net::builder("huge")
            .place("a", most)
            .place("b", most)
            .place("c", most)
            .transition("t", &[("a", 1)], &[("b", 1)])
            .transition("u", &[("b", odd - 1)], &[("c", odd)])
            .build()
            .unwrap();
        // The weighted tokens exceed 128 bits.
        let flows = semiflows(&net);
        assert_eq!(flows.len(), 1);
        assert_eq!(flows[0].total(&net), u128::MAX);
        assert_eq!(bounds(&net, &flows), [Some(most), None, None]);
    }

    #[test]
    fn changes_beyond_64_bits_are_left_out() {
        for weight in [u64::MAX, 1 << 63] {
            let net = Net::builder("huge")
                .place("a", weight)
                .place("b", 0)
                .place("c", 1)
                .transition("t", &[("a", weight), ("c", 1)], &[("b", weight), ("c", 1)])
                .transition("back", &[("b", weight)], &[("a", weight)])
                .build()
                .unwrap();
            let flows = semiflows(&net);
            assert_eq!(flows, [Semiflow { weights: vec![(PlaceId(2), 1)] }]);
            assert_eq!(bounds(&net, &flows), [None, None, Some(1)]);
        }
    }
}
