//! Bounds of places: numbers of tokens and multi-sets.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use sweepline::Observer;
use sweepline::codec;
use sweepline::observe::{Answer, Flow, Fork, Query, Visit};

use crate::explore::marking::Marking;
use crate::explore::{CpnModel, Worker};
use crate::net::{Member, Role};

/// The best upper and lower bounds of every place: integer bounds, and multi-set bounds for each colour. Time
/// stamps are ignored.
#[derive(Clone, Debug, Default)]
pub struct PlaceBounds {
    places: Vec<Extent>,
    /// The latest segment of each place, because most occurrences change few places. `None` at first, which
    /// differs from the empty segment of an empty place.
    last: Vec<Option<Vec<u8>>>,
}

/// The bounds of a place.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Extent {
    seen: bool,
    least: u64,
    most: u64,
    /// For each colour, the least and the greatest number of tokens.
    colours: BTreeMap<Vec<u8>, (u64, u64)>,
    /// The colours that have always had a token. Only their least number can still decrease.
    #[serde(skip)]
    always: Vec<Vec<u8>>,
}

/// The bounds of a place as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceBound {
    /// The place.
    pub place: String,
    /// The least number of tokens.
    pub lower: u64,
    /// The greatest number of tokens.
    pub upper: u64,
    /// For each colour the least number of tokens, in CPN Tools' notation.
    pub lower_multi_set: MultiSet,
    /// For each colour the greatest number of tokens.
    pub upper_multi_set: MultiSet,
}

/// A multi-set as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MultiSet {
    /// Each colour with its coefficient, for example ``2`e``, in the order of CPN Tools.
    pub terms: Vec<String>,
}

impl fmt::Display for MultiSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            f.write_str("empty")
        } else {
            f.write_str(&self.terms.join("++"))
        }
    }
}

impl PlaceBounds {
    /// Updates the bounds with a marking.
    pub fn see(&mut self, model: &CpnModel, marking: &Marking) {
        self.places.resize_with(model.places.len(), Extent::default);
        self.last.resize(model.places.len(), None);
        for number in 0..model.places.len() {
            let (extent, segment) = (&mut self.places[number], marking.segment(number));
            if self.last[number].as_deref() == Some(segment) {
                continue;
            }
            let last = self.last[number].get_or_insert_default();
            last.clear();
            last.extend_from_slice(segment);
            extent.see(&model.untimed(marking, number));
        }
    }

    /// The bounds of each place.
    pub fn found(&self, model: &CpnModel) -> Vec<PlaceBound> {
        let bound = |(number, extent): (usize, &Extent)| {
            let multi_set = |count: fn(&(u64, u64)) -> u64| {
                let tokens =
                    extent.colours.iter().map(|(colour, counts)| (&colour[..], count(counts)));
                let terms = model.show_multi_set(number, tokens.filter(|(_, count)| *count > 0));
                MultiSet { terms }
            };
            PlaceBound {
                place: model.places[number].name.clone(),
                lower: extent.least,
                upper: extent.most,
                lower_multi_set: multi_set(|counts| counts.0),
                upper_multi_set: multi_set(|counts| counts.1),
            }
        };
        self.places.iter().enumerate().map(bound).collect()
    }

    /// The bounds in the order of CPN Tools' report: under every name of a place, except assigned ports.
    pub fn listed(&self, model: &CpnModel) -> Vec<PlaceBound> {
        let mut bounds = Vec::new();
        for (place, bound) in model.net().places.iter().zip(self.found(model)) {
            let is_listed = |member: &&Member| member.is_named && member.role != Role::AssignedPort;
            let named = place.members.iter().filter(is_listed);
            bounds.extend(
                named.map(|member| PlaceBound { place: member.name.clone(), ..bound.clone() }),
            );
        }
        // In this order the instance number follows the name without a blank.
        bounds.sort_by_cached_key(|bound| bound.place.replace(' ', ""));
        bounds
    }
}

impl Extent {
    fn see(&mut self, tokens: &BTreeMap<Vec<u8>, u64>) {
        let size = tokens.values().sum();
        let first = !std::mem::replace(&mut self.seen, true);
        self.least = if first { size } else { self.least.min(size) };
        self.most = self.most.max(size);
        let Extent { colours, always, .. } = self;
        always.retain(|colour| {
            let Some((least, _)) = colours.get_mut(colour) else { return false };
            *least = (*least).min(tokens.get(colour).copied().unwrap_or(0));
            *least > 0
        });
        for (colour, &count) in tokens {
            match self.colours.entry(colour.clone()) {
                Entry::Occupied(mut known) => known.get_mut().1 = known.get().1.max(count),
                // A new colour was missing in earlier markings, so its least number is zero.
                Entry::Vacant(new) => _ = new.insert((if first { count } else { 0 }, count)),
            }
        }
        if first {
            self.find_always();
        }
    }

    /// Merges the bounds that another observer found.
    fn merge(&mut self, other: Extent) {
        if !other.seen {
            return;
        }
        if !self.seen {
            *self = other;
        } else {
            self.least = self.least.min(other.least);
            self.most = self.most.max(other.most);
            for (colour, counts) in &mut self.colours {
                let (least, most) = other.colours.get(colour).copied().unwrap_or((0, 0));
                *counts = (counts.0.min(least), counts.1.max(most));
            }
            for (colour, (_, most)) in other.colours {
                self.colours.entry(colour).or_insert((0, most));
            }
        }
        self.find_always();
    }

    fn find_always(&mut self) {
        let always = self.colours.iter().filter(|(_, (least, _))| *least > 0);
        self.always = always.map(|(colour, _)| colour.clone()).collect();
    }
}

/// Observes all bounds. The findings are a line for each place.
pub struct AllBounds<'a> {
    model: &'a CpnModel,
    bounds: PlaceBounds,
}

impl<'a> AllBounds<'a> {
    /// Bounds for the markings of `model`.
    pub fn new(model: &'a CpnModel) -> Self {
        AllBounds { model, bounds: PlaceBounds::default() }
    }
}

impl Query<CpnModel> for AllBounds<'_> {
    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn findings(&self) -> Vec<String> {
        let bounds = self.bounds.found(self.model);
        let width = bounds.iter().map(|bound| bound.place.chars().count()).max().unwrap_or(0);
        let line = |bound: PlaceBound| {
            let PlaceBound { place, lower, upper, lower_multi_set, upper_multi_set } = bound;
            format!(
                "{place:<width$}  {lower} to {upper}  at least {lower_multi_set}, at most {upper_multi_set}"
            )
        };
        bounds.into_iter().map(line).collect()
    }
}

impl Observer<CpnModel> for AllBounds<'_> {
    fn node(&mut self, visit: &Visit<'_, CpnModel>, _worker: &mut Worker) -> Flow {
        self.bounds.see(visit.model, visit.state);
        Ok(())
    }

    fn fork<'s>(&'s self, _model: &'s CpnModel) -> Option<Fork<'s, CpnModel>> {
        Some(Box::new(AllBounds::new(self.model)))
    }

    fn save(&self, _model: &CpnModel) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.bounds.places))
    }

    fn merge(&mut self, model: &CpnModel, saved: &[u8]) -> bool {
        let Some(places) = codec::read::<Vec<Extent>>(saved) else { return false };
        if places.len() > model.places.len() {
            return false;
        }
        self.bounds.places.resize_with(model.places.len(), Extent::default);
        self.bounds.last.clear();
        self.bounds.places.iter_mut().zip(places).for_each(|(own, other)| own.merge(other));
        true
    }
}
