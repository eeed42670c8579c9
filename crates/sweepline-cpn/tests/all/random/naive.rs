//! The token game by Jensen's definition: every variable takes every colour, and every time is tried.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::net::{Net, Transition};
use super::term::{Binding, Var};
use super::value::Value;

/// The tokens of a place: the number of each colour and time stamp.
type Bag = BTreeMap<(Value, i64), u64>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct State {
    pub(crate) time: i64,
    pub(crate) places: Vec<Bag>,
}

/// Why a net has no result here.
#[derive(PartialEq, Debug)]
pub(crate) enum Stop {
    /// Some reachable occurrence adds an illegal colour.
    Illegal,
    /// Too many states, or colours that are not tried.
    Skipped,
}

#[derive(Debug, Default)]
pub(crate) struct Space {
    pub(crate) states: BTreeSet<State>,
    pub(crate) dead: BTreeSet<State>,
    pub(crate) arcs: u64,
}

pub(crate) fn explore(net: &Net, limit: usize) -> Result<Space, Stop> {
    let transitions = net.flat();
    let mut space = Space::default();
    let mut queue = VecDeque::from([start(net)?]);
    let mut illegal = false;
    while let Some(state) = queue.pop_front() {
        if !space.states.insert(state.clone()) {
            continue;
        }
        if space.states.len() > limit {
            return Err(Stop::Skipped);
        }
        match successors(net, &transitions, &state) {
            Err(Stop::Illegal) => illegal = true,
            Err(Stop::Skipped) => return Err(Stop::Skipped),
            Ok(next) => {
                space.arcs += next.len() as u64;
                if next.is_empty() {
                    space.dead.insert(state);
                }
                queue.extend(next);
            }
        }
    }
    if illegal { Err(Stop::Illegal) } else { Ok(space) }
}

fn start(net: &Net) -> Result<State, Stop> {
    let mut places = vec![Bag::new(); net.places.len()];
    for (bag, place) in places.iter_mut().zip(&net.places) {
        for (count, colour, stamp) in &place.initial {
            assert!(place.set.is_known(colour));
            if *count > 0 {
                let stamp = if place.timed { *stamp } else { 0 };
                *bag.entry((colour.clone(), stamp)).or_default() += count;
            }
        }
    }
    Ok(State { time: 0, places })
}

/// All successors at the first time at which there are any.
fn successors(net: &Net, transitions: &[Transition], state: &State) -> Result<Vec<State>, Stop> {
    let stamps = state.places.iter().flat_map(|bag| bag.keys().map(|(_, stamp)| *stamp));
    let last = stamps.max().unwrap_or(0).max(state.time);
    for now in state.time..=last {
        let mut enabled = Vec::new();
        for transition in transitions {
            let next = occur(net, transition, state, now);
            if !matches!(&next, Ok(next) if next.is_empty()) {
                enabled.push((transition.priority.unwrap_or(1000), next));
            }
        }
        let Some(first) = enabled.iter().map(|(priority, _)| *priority).min() else { continue };
        let first = enabled.into_iter().filter(|(priority, _)| *priority == first);
        let next: Result<Vec<_>, Stop> = first.map(|(_, next)| next).collect();
        return Ok(next?.concat());
    }
    Ok(Vec::new())
}

/// The states after all enabled bindings of a transition.
fn occur(net: &Net, transition: &Transition, state: &State, now: i64) -> Result<Vec<State>, Stop> {
    let mut next = Vec::new();
    let available = |&place: &usize| state.places[place].keys().any(|(_, stamp)| *stamp <= now);
    if transition.inhibitors.iter().any(available) {
        return Ok(next);
    }
    let mut outcome = Ok(());
    each_binding(&transition.variables(), &mut Binding::new(), &mut |binding| {
        if outcome.is_ok() {
            match fire(net, transition, state, now, binding.clone()) {
                Ok(Some(after)) => next.push(after),
                Ok(None) => {}
                Err(stop) => outcome = Err(stop),
            }
        }
    });
    outcome.map(|()| next)
}

fn each_binding(vars: &[Var], binding: &mut Binding, found: &mut dyn FnMut(&Binding)) {
    let Some((var, rest)) = vars.split_first() else { return found(binding) };
    for value in var.0.domain() {
        binding.insert(*var, value);
        each_binding(rest, binding, found);
    }
}

fn fire(
    net: &Net,
    transition: &Transition,
    state: &State,
    now: i64,
    mut binding: Binding,
) -> Result<Option<State>, Stop> {
    if !transition.guard.iter().all(|guard| guard.holds(&binding)) {
        return Ok(None);
    }
    let mut places = state.places.clone();
    let mut taken: Vec<(usize, i64, Value)> = Vec::new();
    for (place, tokens) in &transition.inputs {
        let tokens = tokens.tokens(&binding).into_iter();
        taken.extend(tokens.map(|(colour, delay)| (*place, now + delay, colour)));
    }
    // Tokens with the earliest limit are chosen first; each takes the latest token that it can.
    taken.sort();
    for (place, until, colour) in taken {
        let bag = &mut places[place];
        let latest = bag.keys().filter(|(c, stamp)| *c == colour && *stamp <= until).max().cloned();
        let Some(latest) = latest else { return Ok(None) };
        let count = bag.get_mut(&latest).unwrap();
        *count -= 1;
        if *count == 0 {
            bag.remove(&latest);
        }
    }
    if let Some((var, term)) = &transition.code {
        binding.insert(*var, term.value(&binding));
    }
    let delay = transition.delay.as_ref().map_or(0, |delay| delay.number(&binding));
    let mut outside = false;
    for (place, tokens) in &transition.outputs {
        let about = &net.places[*place];
        for (colour, later) in tokens.tokens(&binding) {
            if !about.set.is_legal(&colour) {
                return Err(Stop::Illegal);
            }
            outside |= !about.set.is_known(&colour);
            let stamp = if about.timed { now + delay + later } else { 0 };
            *places[*place].entry((colour, stamp)).or_default() += 1;
        }
    }
    if outside {
        return Err(Stop::Skipped);
    }
    for place in &transition.resets {
        places[*place].retain(|(_, stamp), _| *stamp > now);
    }
    Ok(Some(State { time: if net.is_timed() { now } else { 0 }, places }))
}

/// The tokens of a place in CPN Tools' notation, in any order.
pub(crate) fn shown(net: &Net, state: &State) -> BTreeSet<String> {
    let mut shown = BTreeSet::from([format!("time {}", state.time)]);
    for (number, bag) in state.places.iter().enumerate() {
        for ((colour, stamp), count) in bag {
            let at = if net.places[number].timed { format!("@{stamp}") } else { String::new() };
            shown.insert(format!("P{number}: {count}`{colour}{at}"));
        }
    }
    shown
}
