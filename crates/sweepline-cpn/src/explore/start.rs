//! Values computed once before exploration: small colour sets, priorities, delays, and the initial marking.

use std::collections::HashMap;
use std::sync::Arc;

use sweepline_ml::{ColourSetId, Environment, FunctionId, Machine, Word};

use crate::explore::compile::{CompileError, raised};
use crate::explore::error::SuccessorError;
use crate::explore::fire::{check, each_token};
use crate::explore::marking::{Bag, Kind, MOST_RANKS, Marking, Stamp};
use crate::explore::model::Engine;
use crate::explore::place::{Place, Ranks};
use crate::explore::search::BindingSearch;
use crate::explore::time::Clock;
use crate::explore::transition::{Given, Step, Transition, Unit, Values};

const LATE: &str = "the model time is too large: it must fit in 64 bits";

/// The delay of an input arc, by its transition.
pub(super) type Lead = (String, FunctionId, Unit);

/// A variable whose colour set must be small: its transition, its name, and the function `size`.
pub(super) type MustBeSmall = (String, String, FunctionId);

/// A colour set that may be small: its functions `size` and `all`.
pub(super) type MayBeSmall = HashMap<ColourSetId, (FunctionId, FunctionId)>;

/// The initial tokens of a place, and the function `legal` if they must be checked.
pub(super) struct Initial {
    pub(super) place: usize,
    pub(super) given: Given,
    pub(super) legal: Option<FunctionId>,
}

/// Ranks the colours of places with small colour sets.
pub(super) fn rank(
    machine: &mut Machine,
    places: &mut [Place],
    sets: &[ColourSetId],
    small: &MayBeSmall,
) {
    let mut known: HashMap<ColourSetId, Option<Arc<Ranks>>> = HashMap::new();
    for (place, set) in places.iter_mut().zip(sets) {
        let Some(&(size, all)) = small.get(set) else { continue };
        let ranks = known.entry(*set).or_insert_with(|| {
            let size = machine.call(size, &[0]).map(Machine::to_int).ok()?;
            let values =
                if size <= MOST_RANKS as i64 { all_of(machine, all)? } else { return None };
            Ranks::new(machine, place.codec, &values).ok()?.map(Arc::new)
        });
        place.ranks.clone_from(ranks);
        if let (Some(ranks), Kind::Plain) = (ranks, place.kind) {
            place.kind = Kind::Ranked(ranks.len());
        }
    }
}

/// All values of a colour set, which the machine keeps.
fn all_of(machine: &mut Machine, all: FunctionId) -> Option<Vec<Word>> {
    let mark = machine.mark();
    let Ok(list) = machine.call(all, &[0]) else {
        // Garbage must not fill the heap for later evaluations.
        machine.reset(mark);
        return None;
    };
    machine.keep();
    Some(machine.list(list).collect())
}

/// Enumerates in advance the values of variables that are enumerated, if these are constant.
pub(super) fn enumerate(
    machine: &mut Machine,
    transitions: &mut [Transition],
    pure: &[FunctionId],
) {
    for step in transitions.iter_mut().flat_map(|transition| &mut transition.steps) {
        if let Step::Each { values, .. } = step
            && let Values::Computed(all) = values
            && pure.contains(all)
            && let Some(words) = all_of(machine, *all)
        {
            *values = Values::Known(words);
        }
    }
}

/// How long before its time stamp a token may be removed, for each delay greater than zero.
pub(super) fn lead_times(
    environment: &Environment,
    machine: &mut Machine,
    clock: Clock,
    leads: Vec<Lead>,
) -> Result<Vec<Stamp>, CompileError> {
    let mut times = Vec::new();
    for (at, function, unit) in leads {
        let value = machine.call(function, &[]);
        let value = value.map_err(|r| raised(environment, &at, &r))?;
        let time = match unit {
            Unit::Int => Ok(clock.units(Machine::to_int(value))),
            Unit::Time => clock.stamp(machine, value),
        };
        let late = |_| CompileError::Evaluation { at, message: LATE.into() };
        times.push(time.map_err(late)?);
    }
    times.retain(|&time| time != 0);
    times.sort_unstable();
    times.dedup();
    Ok(times)
}

/// The initial marking.
pub(super) fn start(
    environment: &Environment,
    places: &[Place],
    engine: &mut Engine,
    clock: Clock,
    initial: &[Initial],
) -> Result<Marking, CompileError> {
    let mut bags = vec![Bag::default(); places.len()];
    let Engine { machine, scratch, view, .. } = engine;
    let mark = machine.mark();
    for Initial { place, given, legal } in initial {
        let mut search = BindingSearch { places, codecs: &[], view, machine, scratch };
        let gathered = each_token(&mut search, given, 0, clock, |search, colour, stamp| {
            check(search, *place, *legal, colour)?;
            bags[*place].add(1, stamp, &search.scratch.bytes);
            Ok(())
        });
        gathered.map_err(|error| match error {
            SuccessorError::Raised(r) => raised(environment, &places[*place].name, &r),
            SuccessorError::Illegal { place, colour } => CompileError::Illegal { place, colour },
            SuccessorError::Unlisted => unreachable!("tokens of a marking have no binding"),
            SuccessorError::TimeTooLarge => {
                CompileError::Evaluation { at: places[*place].name.clone(), message: LATE.into() }
            }
        })?;
    }
    engine.machine.reset(mark);
    for (bag, place) in bags.iter_mut().zip(places) {
        bag.sort(place.kind);
    }
    let all: Vec<usize> = (0..places.len()).collect();
    let time = places.iter().any(Place::is_timed).then_some(0);
    let mut marking = Marking::default();
    marking.replace(&Marking::empty(places.len()), time, &all, |place, before, out| {
        places[place].kind.exchange(before, &Bag::default(), &bags[place], out)
    });
    Ok(marking)
}
