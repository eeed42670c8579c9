//! All bindings that a transition can ever have, with the tokens that each removes and adds, if colour sets are small.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::explore::error::SuccessorError;
use crate::explore::fire::Moment;
use crate::explore::marking::{Bag, Marking};
use crate::explore::model::{CpnModel, Engine};
use crate::explore::search::{BindingSearch, Outcome};
use crate::explore::transition::{Step, Transition, Values};

/// The most bindings of all transitions.
const MOST_BINDINGS: usize = 1 << 13;
/// The most values and tokens that the search of one transition tries.
const MOST_TRIED: usize = 1 << 20;
/// The tokens of each colour on each place while bindings are searched.
const PLENTY: u64 = 1 << 30;

/// The numbers of bindings, by the encoded values of their variables.
pub(super) type Numbers = HashMap<Box<[u8]>, u32, FixedState>;

/// Tokens on a place: the place, the colour as it is encoded there, and how many.
pub(super) type Tokens = (usize, Box<[u8]>, u64);

/// A binding, whatever the marking is.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    /// The encoded values of the variables.
    pub(super) key: Box<[u8]>,
    pub(super) minus: Vec<Tokens>,
    pub(super) plus: Vec<Tokens>,
}

impl CpnModel {
    /// The possible bindings of each transition; `None` for one whose bindings cannot be listed. A list contains every
    /// binding that is enabled in some marking.
    pub(super) fn possible_bindings(&self) -> Vec<Option<Vec<Binding>>> {
        let mut engine = self.new_engine();
        let mut left = MOST_BINDINGS;
        let mut all = Vec::with_capacity(self.transitions.len());
        let Some(marking) = self.full_marking() else { return vec![None; self.transitions.len()] };
        for transition in &self.transitions {
            // An inscription that fails for a binding that never occurs is no error.
            let found = self.bindings_of(&mut engine, transition, &marking, left).ok().flatten();
            left -= found.as_ref().map_or(0, Vec::len);
            all.push(found);
        }
        all
    }

    /// The marking with plenty of tokens of every colour on places with small colour sets, and none on others.
    fn full_marking(&self) -> Option<Marking> {
        let places: Vec<usize> = (0..self.places.len()).collect();
        let mut marking = Marking::default();
        let written =
            marking.replace(&Marking::empty(places.len()), None, &places, |at, before, out| {
                let place = &self.places[at];
                let mut plus = Bag::default();
                for rank in 0..place.ranks.as_ref().map_or(0, |ranks| ranks.len()) {
                    plus.add(PLENTY, 0, &[rank as u8]);
                }
                plus.sort(place.kind);
                place.kind.exchange(before, &Bag::default(), &plus, out)
            });
        marking.index()?;
        written.then_some(marking)
    }

    /// Whether all tokens that a transition picks are on places with small colour sets, and the search is short.
    fn is_listable(&self, transition: &Transition) -> bool {
        let mut tried = Some(1_usize);
        for step in &transition.steps {
            let n = match step {
                Step::Pick { place, needed, .. } => match &self.places[*place].ranks {
                    Some(ranks) if *needed <= PLENTY => ranks.len(),
                    _ => return false,
                },
                Step::Each { values: Values::Known(words), .. } => words.len(),
                Step::Each { .. } => return false,
                _ => 1,
            };
            tried = tried.and_then(|tried| tried.checked_mul(n.max(1)));
        }
        let is_short = tried.is_some_and(|tried| tried <= MOST_TRIED);
        is_short && transition.pure && !transition.timed && transition.code.is_none()
    }

    fn bindings_of(
        &self,
        engine: &mut Engine,
        transition: &Transition,
        marking: &Marking,
        most: usize,
    ) -> Result<Option<Vec<Binding>>, SuccessorError> {
        if !self.is_listable(transition) {
            return Ok(None);
        }
        let mark = self.enter(engine, marking, 0)?;
        let Engine { machine, scratch, view, exchange, .. } = engine;
        let moment = Moment { marking, now: 0, clock: self.clock, timed: false };
        let mut search = BindingSearch {
            places: &self.places,
            codecs: &transition.codecs,
            view,
            machine,
            scratch,
        };
        let mut all = Vec::new();
        let outcome = search.run(transition, &mut |search| {
            let Some((minus, plus)) = exchange.effect(search, transition, moment)? else {
                return Ok(true);
            };
            let listed = |bags: &[Bag]| {
                let places = transition.changes.iter().zip(bags);
                places
                    .flat_map(|(&place, bag)| bag.listed().map(move |(c, n)| (place, c, n)))
                    .collect()
            };
            let (minus, plus) = (listed(minus), listed(plus));
            let mut key = Vec::new();
            search.encode_binding(&mut key)?;
            all.push(Binding { key: key.into(), minus, plus });
            Ok(all.len() <= most)
        })?;
        engine.machine.reset(mark);
        engine.machine.collect();
        Ok(matches!(outcome, Outcome::Done).then_some(all).filter(|all| all.len() <= most))
    }
}
