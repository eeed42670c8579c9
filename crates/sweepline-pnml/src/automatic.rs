//! Measures found by themselves: nets offer the tokens of their places as features, and their
//! transitions say what they add to them.

use sweepline::progress::{Effect, Features};

use crate::model::{Marking, NetModel};
use crate::net::{PlaceId, Transition, TransitionId};
use crate::query::MarkingView;

impl Features for NetModel {
    fn features(&self, marking: &Marking, push: &mut dyn FnMut(i64)) {
        let view = self.view(marking);
        for place in 0..self.net().places.len() {
            push(i64::try_from(view.tokens(PlaceId(place as u32))).unwrap_or(i64::MAX));
        }
    }

    fn feature_name(&self, place: usize) -> String {
        self.net().places[place].name.clone()
    }

    fn effects(&self) -> Option<Vec<Effect>> {
        let change = |(place, n): (PlaceId, i128)| Some((place.index(), i64::try_from(n).ok()?));
        let effect = |t: &Transition| t.changes().map(change).collect();
        self.net().transitions.iter().map(effect).collect()
    }

    fn effect(&self, transition: &TransitionId) -> Option<usize> {
        Some(transition.index())
    }

    /// The transitions whose outputs are marked, and that an invariant does not forbid to have fired
    /// last.
    fn incoming(&self, marking: &Marking, push: &mut dyn FnMut(usize)) {
        let (view, bounds) = (self.view(marking), self.bounds());
        for (number, transition) in self.net().transitions.iter().enumerate() {
            let marked = |&(place, n): &(PlaceId, u64)| view.tokens(place) >= n;
            let fits = |&(place, n): &(PlaceId, u64)| {
                let put =
                    transition.outputs.iter().find(|(p, _)| *p == place).map_or(0, |(_, n)| *n);
                let before = view.tokens(place).saturating_sub(put).saturating_add(n);
                bounds[place.index()].is_none_or(|bound| before <= bound)
            };
            if transition.outputs.iter().all(marked) && transition.inputs.iter().all(fits) {
                push(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sweepline::progress::{Monotonicity, fit};

    use super::*;
    use crate::net::Net;

    /// The best measure: whether it is proved to be monotone, its window, and what each transition
    /// adds to its components.
    fn best(net: Net) -> Option<(bool, u64, Vec<Vec<i64>>)> {
        let model = NetModel::new(net);
        let found = fit(&model).into_iter().next()?;
        let add = |component: &Vec<(usize, i64)>, effect: &Effect| {
            let weight = |place| component.iter().find(|term| term.0 == place).map_or(0, |t| t.1);
            effect.iter().map(|&(place, n)| weight(place) * n).sum()
        };
        let effects = model.effects().unwrap();
        let steps = |c: &Vec<(usize, i64)>| effects.iter().map(|effect| add(c, effect)).collect();
        let proved = found.monotone == Monotonicity::Proved;
        Some((proved, found.window, found.components.iter().map(steps).collect()))
    }

    #[test]
    fn what_only_goes_on_is_monotone() {
        let net = Net::builder("handover")
            .place("ready", 3)
            .place("sent", 0)
            .place("done", 0)
            .transition("send", &[("ready", 1)], &[("sent", 1)])
            .transition("finish", &[("sent", 1)], &[("done", 1)]);
        let (proved, window, steps) = best(net.build().unwrap()).unwrap();
        assert_eq!((proved, window), (true, 0));
        assert!(steps.iter().flatten().all(|&step| step >= 0), "{steps:?}");
        assert!((0..2).all(|t| steps.iter().any(|steps| steps[t] > 0)), "{steps:?}");
    }

    #[test]
    fn a_cycle_leads_back_and_the_window_knows() {
        let net = Net::builder("cycle")
            .place("a", 6)
            .place("b", 0)
            .place("c", 0)
            .transition("ab", &[("a", 1)], &[("b", 1)])
            .transition("bc", &[("b", 1)], &[("c", 1)])
            .transition("ca", &[("c", 1)], &[("a", 1)]);
        let (proved, window, steps) = best(net.build().unwrap()).unwrap();
        assert!(!proved);
        let back = steps.iter().flatten().min().unwrap();
        assert!(window >= back.unsigned_abs() && window > 0, "{steps:?}, window {window}");
        assert!(steps.iter().all(|steps| steps.iter().sum::<i64>() == 0), "{steps:?}");
    }

    #[test]
    fn what_changes_nothing_has_no_measure() {
        let idle = Net::builder("idle").place("p", 1).transition("t", &[("p", 1)], &[("p", 1)]);
        assert_eq!(best(idle.build().unwrap()), None);
        assert_eq!(best(Net::builder("empty").build().unwrap()), None);
    }

    #[test]
    fn weights_beyond_64_bits_are_left_alone() {
        let net = Net::builder("huge")
            .place("p", u64::MAX)
            .place("q", 0)
            .transition("t", &[("p", u64::MAX)], &[("q", u64::MAX)])
            .transition("u", &[("q", u64::MAX)], &[("p", 1)]);
        let model = NetModel::new(net.build().unwrap());
        assert_eq!(model.effects(), None);
        assert!(fit(&model).iter().all(|found| found.monotone != Monotonicity::Proved));
    }
}
