//! Place/transition nets: typed ids, weighted arcs, an initial marking.

use std::collections::BTreeMap;
use std::hash::Hasher;

use sweepline::checkpoint::Fingerprint;
pub use sweepline_query::{PlaceId, TransitionId};

use crate::builder::NetBuilder;
use crate::names::Names;
use crate::symmetric::{Folded, FoldedNode};

/// A place and its initial tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The identifier, unique among the nodes of the net.
    pub id: String,
    /// The name; the id if the file gives no name.
    pub name: String,
    /// Tokens in the initial marking.
    pub initial: u64,
}

/// A transition with its weighted arcs.
///
/// Both lists are sorted by place, contain each place at most once, and no weight is zero: parallel arcs
/// between the same two nodes have been merged by adding their weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The identifier, unique among the nodes of the net.
    pub id: String,
    /// The name; the id if the file gives no name.
    pub name: String,
    /// The tokens that one firing removes.
    pub inputs: Vec<(PlaceId, u64)>,
    /// The tokens that one firing adds.
    pub outputs: Vec<(PlaceId, u64)>,
}

impl Transition {
    /// The effect of one firing: the places whose count it changes, in order.
    pub fn changes(&self) -> impl Iterator<Item = (PlaceId, i128)> + '_ {
        let mut changes: BTreeMap<PlaceId, i128> = BTreeMap::new();
        for &(place, weight) in &self.outputs {
            *changes.entry(place).or_default() += i128::from(weight);
        }
        for &(place, weight) in &self.inputs {
            *changes.entry(place).or_default() -= i128::from(weight);
        }
        changes.into_iter().filter(|&(_, n)| n != 0)
    }
}

/// A place/transition net with its initial marking.
///
/// ```
/// use sweepline_pnml::Net;
///
/// let net = Net::builder("handover")
///     .place("ready", 3)
///     .place("done", 0)
///     .transition("work", &[("ready", 1)], &[("done", 1)])
///     .build()?;
/// assert_eq!(net.n_arcs(), 2);
/// assert_eq!(net.place("done").map(|place| place.index()), Some(1));
/// # Ok::<(), sweepline_pnml::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    /// The name of the net.
    pub name: String,
    /// The places, indexed by [`PlaceId`].
    pub places: Vec<Place>,
    /// The transitions, indexed by [`TransitionId`].
    pub transitions: Vec<Transition>,
    /// The symmetric net that it was unfolded from, if any.
    pub folded: Option<Box<Folded>>,
}

impl Net {
    /// Starts a net written in Rust.
    pub fn builder(name: impl Into<String>) -> NetBuilder {
        NetBuilder::new(name)
    }

    /// The place with this id or, if no place has this id, with this name. `None` if there is none, or if
    /// several places share the name.
    ///
    /// Each call indexes the net; keep [`Net::names`] for many look-ups.
    pub fn place(&self, id_or_name: &str) -> Option<PlaceId> {
        self.names().places.find(id_or_name)
    }

    /// The transition with this id or, if no transition has this id, with this name. `None` if there is none,
    /// or if several transitions share the name.
    pub fn transition(&self, id_or_name: &str) -> Option<TransitionId> {
        self.names().transitions.find(id_or_name)
    }

    /// An index over the names of the net, for many look-ups with error messages.
    pub fn names(&self) -> Names<'_> {
        Names::new(self)
    }

    /// The ids of all places, in order.
    pub fn place_ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.places.len() as u32).map(PlaceId)
    }

    /// The ids of all transitions, in order.
    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }

    /// The number of places.
    pub fn n_places(&self) -> usize {
        self.places.len()
    }

    /// The number of transitions.
    pub fn n_transitions(&self) -> usize {
        self.transitions.len()
    }

    /// The number of arcs; parallel ones count once.
    pub fn n_arcs(&self) -> usize {
        self.transitions.iter().map(|t| t.inputs.len() + t.outputs.len()).sum()
    }

    /// The total tokens of the initial marking, which may exceed 64 bits.
    pub fn n_initial_tokens(&self) -> u128 {
        self.places.iter().map(|p| u128::from(p.initial)).sum()
    }

    /// The greatest arc weight, 1 in an ordinary net, 0 without arcs.
    pub fn max_weight(&self) -> u64 {
        let arcs = self.transitions.iter().flat_map(|t| t.inputs.iter().chain(&t.outputs));
        arcs.map(|&(_, weight)| weight).max().unwrap_or(0)
    }

    /// Identifies the net: places, transitions, arcs and the initial marking, in their order. It does not
    /// depend on the file's path, its layout or the name of the net.
    pub fn fingerprint(&self) -> u64 {
        let mut print = Fingerprint::default();
        let mut number = |n: u64| print.write(&n.to_le_bytes());
        number(self.places.len() as u64);
        self.places.iter().for_each(|place| number(place.initial));
        for transition in &self.transitions {
            for arcs in [&transition.inputs, &transition.outputs] {
                number(arcs.len() as u64);
                for &(place, weight) in arcs {
                    number(u64::from(place.0));
                    number(weight);
                }
            }
        }
        let places = self.places.iter().map(|place| &place.id);
        let own = places.chain(self.transitions.iter().map(|transition| &transition.id));
        // The ids above show what the nodes of a symmetric net were unfolded to, except for nodes that were
        // unfolded to nothing.
        let folded = self.folded.iter().flat_map(|folded| {
            let places = folded.places.iter().map(|place| &place.id);
            places.chain(folded.transitions.iter().map(|transition| &transition.id))
        });
        for id in own.chain(folded) {
            print.write(&(id.len() as u64).to_le_bytes());
            print.write(id.as_bytes());
        }
        print.finish()
    }

    /// The places of the model: for an unfolded net the coloured places, each with one place for each of its
    /// colours, else each place by itself.
    pub fn coloured_places(&self) -> Vec<FoldedNode<PlaceId>> {
        match &self.folded {
            Some(folded) => folded.places.clone(),
            None => {
                let nodes = self.places.iter().map(|place| (&place.id, &place.name));
                nodes.zip(self.place_ids()).map(FoldedNode::single).collect()
            }
        }
    }

    /// The transitions of the model: for an unfolded net the coloured transitions, each with one transition
    /// for each of its bindings, else each transition by itself.
    pub fn coloured_transitions(&self) -> Vec<FoldedNode<TransitionId>> {
        match &self.folded {
            Some(folded) => folded.transitions.clone(),
            None => {
                let nodes = self.transitions.iter().map(|t| (&t.id, &t.name));
                nodes.zip(self.transition_ids()).map(FoldedNode::single).collect()
            }
        }
    }

    /// The initial marking, one count per place.
    pub fn initial_marking(&self) -> Vec<u64> {
        self.places.iter().map(|p| p.initial).collect()
    }
}

/// Sorts arcs by place and adds up parallel ones; `Err` is a place for which the sum of weights exceeds 64
/// bits.
pub(crate) fn merge_arcs(
    arcs: impl IntoIterator<Item = (PlaceId, u64)>,
) -> Result<Vec<(PlaceId, u64)>, PlaceId> {
    let mut merged = BTreeMap::new();
    for (place, weight) in arcs {
        let sum: &mut u64 = merged.entry(place).or_insert(0);
        *sum = sum.checked_add(weight).ok_or(place)?;
    }
    Ok(merged.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> Net {
        Net::builder("shop")
            .place_named("p1", "queue", 2)
            .place_named("p2", "shared", 0)
            .place_named("p3", "shared", 1)
            .place_named("p4", "p1", 0)
            .transition("serve", &[("p1", 2), ("p3", 1), ("p1", 1)], &[("p3", 1), ("p2", 4)])
            .build()
            .unwrap()
    }

    #[test]
    fn ids_win_over_names_and_ambiguous_names_are_not_found() {
        let net = shop();
        for (wanted, expected) in [
            ("p1", Some(PlaceId(0))),
            ("queue", Some(PlaceId(0))),
            ("p4", Some(PlaceId(3))),
            ("shared", None),
            ("nothing", None),
        ] {
            assert_eq!(net.place(wanted), expected, "{wanted}");
            assert_eq!(net.names().places.one(wanted).ok(), expected, "{wanted}");
        }
        assert_eq!(net.transition("serve"), Some(TransitionId(0)));
        assert_eq!(net.transition("p1"), None);
    }

    #[test]
    fn what_a_net_does_is_in_its_fingerprint() {
        let print = shop().fingerprint();
        let differs = |change: &dyn Fn(&mut Net)| {
            let mut net = shop();
            change(&mut net);
            net.fingerprint() != print
        };
        assert!(differs(&|net| net.places[1].initial += 1));
        assert!(differs(&|net| net.places[1].id.push('x')));
        assert!(differs(&|net| net.transitions[0].inputs[0].1 += 1));
        assert!(differs(&|net| net.transitions[0].outputs[0].0 = PlaceId(3)));
        assert!(differs(&|net| net.transitions[0].outputs.truncate(1)));
        assert!(differs(&|net| net.places.swap(0, 1)));
        assert!(differs(&|net| drop(net.transitions.pop())));
        assert!(!differs(&|net| net.name.push('x')));
        assert!(!differs(&|net| net.places[1].name.push('x')));
    }

    #[test]
    fn parallel_arcs_are_merged_and_sorted() {
        let net = shop();
        assert_eq!(net.transitions[0].inputs, [(PlaceId(0), 3), (PlaceId(2), 1)]);
        assert_eq!(net.transitions[0].outputs, [(PlaceId(1), 4), (PlaceId(2), 1)]);
        assert_eq!((net.n_places(), net.n_transitions(), net.n_arcs()), (4, 1, 4));
        assert_eq!((net.max_weight(), net.n_initial_tokens()), (4, 3));
        assert_eq!(net.initial_marking(), [2, 0, 1, 0]);
    }
}
