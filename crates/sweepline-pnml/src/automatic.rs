//! Measures found by themselves, from the structure of a net.
//!
//! A measure is a weighting `w` of places; firing `t` adds its *step* `w * C(t)`, where `C` is the
//! incidence matrix. No transition that lies on a cycle of the net's behavior can have a positive
//! step unless another on the cycle has a negative one, so a few transitions are chosen to lead
//! *back*, and a linear program lets all others rise. What the solver says is rounded to integers,
//! and the steps are computed from those, exactly: a measure is called monotone only if no step of
//! the integer weights is negative.
//!
//! With a window as long as the longest step back, most such measures are swept once.

mod back;
mod program;
mod spread;
mod trial;

use std::time::{Duration, Instant};

use crate::measure::steps;
use crate::model::NetModel;
use crate::net::PlaceId;
use crate::query::Expr;

pub use spread::Spread;
pub use trial::Trial;

/// Time for all linear programs together.
const TIME: Duration = Duration::from_secs(2);
/// Nets with more arcs than this are not given to the solver.
const MOST_ARCS: usize = 40_000;
/// Rounds of choosing transitions that lead back.
const ROUNDS: usize = 12;

/// A measure found for a net.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The weight of each place with one.
    pub weights: Vec<(PlaceId, i64)>,
    /// What each transition adds, exactly.
    pub steps: Vec<i64>,
    /// How it is expected to spread the states over layers.
    pub spread: Spread,
    /// What a sweep of the first states showed.
    pub trial: Trial,
}

impl Candidate {
    fn new(model: &NetModel, weights: Vec<i64>) -> Option<Self> {
        let steps = steps(model.net(), &weights)?;
        let spread = Spread::sample(model, &weights, &steps);
        let weights = (0..).map(PlaceId).zip(weights).filter(|&(_, weight)| weight != 0).collect();
        let mut candidate = Candidate { weights, steps, spread, trial: Trial::default() };
        candidate.trial = Trial::run(model, &candidate);
        Some(candidate)
    }

    /// The part of all states that a sweep is expected to hold at its peak.
    pub fn predicted_peak(&self) -> f64 {
        if self.trial.complete { self.trial.peak } else { self.spread.peak }
    }

    /// Smaller is better: measures that have states visited twice come last, whatever they hold.
    fn rank(&self) -> (bool, f64, bool) {
        (self.trial.persistent > 0, self.predicted_peak(), !self.is_monotone())
    }

    /// No transition lowers it: proved by its steps.
    pub fn is_monotone(&self) -> bool {
        self.steps.iter().all(|&step| step >= 0)
    }

    /// The longest step back, and so the window under which it is swept.
    pub fn window(&self) -> u64 {
        self.steps.iter().map(|&step| step.min(0).unsigned_abs()).max().unwrap_or(0)
    }

    /// The measure as an expression over places.
    ///
    /// # Panics
    ///
    /// Never: the weights were checked when they were found.
    pub fn expr(&self) -> Expr {
        let term = |&(place, weight): &(PlaceId, i64)| Expr::tokens([place]).times(weight.into());
        let terms: Vec<Expr> =
            self.weights.iter().map(term).collect::<Result<_, _>>().expect("small weights");
        Expr::total(&terms).expect("small weights")
    }
}

/// Measures for the net of `model`, the most promising first. Empty when there is none, or the net
/// is too large to look for one.
pub fn candidates(model: &NetModel) -> Vec<Candidate> {
    let net = model.net();
    if net.n_arcs() > MOST_ARCS || net.transitions.is_empty() {
        return Vec::new();
    }
    let deadline = Instant::now() + TIME;
    let mut found: Vec<Candidate> = Vec::new();
    let mut leads_back = vec![false; net.transitions.len()];
    for _ in 0..ROUNDS {
        let Some(rising) = program::rising(net, &leads_back, deadline) else { break };
        let weights = program::short_steps(net, &leads_back, &rising.rises, deadline)
            .and_then(|weights| program::integers(&weights))
            .or_else(|| program::integers(&rising.weights));
        let candidate = weights.and_then(|weights| Candidate::new(model, weights));
        found.extend(candidate.filter(|c| c.steps.iter().any(|&step| step != 0)));
        if !back::choose(net, &rising.rises, &mut leads_back) {
            break;
        }
    }
    found.sort_by(|a, b| {
        let ((a_twice, a_peak, a_back), (b_twice, b_peak, b_back)) = (a.rank(), b.rank());
        a_twice.cmp(&b_twice).then(a_peak.total_cmp(&b_peak)).then(a_back.cmp(&b_back))
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Net;

    fn found(net: Net) -> Vec<(Vec<i64>, u64)> {
        let found = candidates(&NetModel::new(net));
        found.into_iter().map(|c| (c.steps.clone(), c.window())).collect()
    }

    #[test]
    fn what_only_goes_on_is_monotone() {
        let net = Net::builder("handover")
            .place("ready", 3)
            .place("sent", 0)
            .place("done", 0)
            .transition("send", &[("ready", 1)], &[("sent", 1)])
            .transition("finish", &[("sent", 1)], &[("done", 1)])
            .build()
            .unwrap();
        assert_eq!(found(net), [(vec![1, 1], 0)]);
    }

    #[test]
    fn a_cycle_leads_back_once_and_by_its_length() {
        let net = Net::builder("cycle")
            .place("a", 2)
            .place("b", 0)
            .place("c", 0)
            .transition("ab", &[("a", 1)], &[("b", 1)])
            .transition("bc", &[("b", 1)], &[("c", 1)])
            .transition("ca", &[("c", 1)], &[("a", 1)])
            .build()
            .unwrap();
        assert_eq!(found(net), [(vec![1, 1, -2], 2)]);
    }

    #[test]
    fn weights_count() {
        let net = Net::builder("packing")
            .place("items", 9)
            .place("boxes", 0)
            .transition("pack", &[("items", 3)], &[("boxes", 1)])
            .transition("unpack", &[("boxes", 1)], &[("items", 3)])
            .build()
            .unwrap();
        let found = found(net);
        assert!(found.iter().all(|(steps, _)| steps[0] == -steps[1] && steps[0] != 0), "{found:?}");
    }

    #[test]
    fn what_changes_nothing_has_no_measure() {
        let idle = Net::builder("idle").place("p", 1).transition("t", &[("p", 1)], &[("p", 1)]);
        assert_eq!(found(idle.build().unwrap()), []);
        assert_eq!(found(Net::builder("empty").build().unwrap()), []);
    }

    #[test]
    fn the_expression_has_the_steps_of_the_weights() {
        let net = Net::builder("n")
            .place("p", 1)
            .place("q", 0)
            .transition("t", &[("p", 1)], &[("q", 2)])
            .build()
            .unwrap();
        let model = NetModel::new(net);
        let found = candidates(&model).swap_remove(0);
        let weights: Vec<(i64, PlaceId)> = found.weights.iter().map(|&(p, w)| (w, p)).collect();
        assert_eq!(found.expr().sum().terms(), weights);
    }
}
