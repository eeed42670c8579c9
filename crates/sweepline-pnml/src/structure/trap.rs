//! Traps: sets of places that stay marked once they are marked, whatever fires.

use crate::net::{Net, PlaceId};

/// Places of a trap that are left out one by one to make it smaller, at most.
const TRIES: usize = 40;

/// For each place, the transitions that take tokens from it, and those that put tokens there.
pub(super) struct Traps<'n> {
    net: &'n Net,
    takers: Vec<Vec<u32>>,
    givers: Vec<Vec<u32>>,
    is_dead: Vec<bool>,
}

impl<'n> Traps<'n> {
    pub(super) fn new(net: &'n Net, is_dead: &[bool]) -> Self {
        let (mut takers, mut givers) =
            (vec![Vec::new(); net.n_places()], vec![Vec::new(); net.n_places()]);
        for (number, transition) in (0..).zip(&net.transitions) {
            if !is_dead[number as usize] {
                transition.inputs.iter().for_each(|(p, _)| takers[p.index()].push(number));
                transition.outputs.iter().for_each(|(p, _)| givers[p.index()].push(number));
            }
        }
        Traps { net, takers, givers, is_dead: is_dead.to_vec() }
    }

    /// A trap among the places that `may` says, marked at the start; a small one if there is one.
    pub(super) fn marked(&self, may: Vec<bool>) -> Option<Vec<PlaceId>> {
        let mut trap = self.greatest(may);
        if !self.is_marked(&trap) {
            return None;
        }
        let members: Vec<usize> = (0..trap.len()).filter(|&place| trap[place]).collect();
        for place in members.into_iter().take(TRIES) {
            if !trap[place] {
                continue;
            }
            let mut smaller = trap.clone();
            smaller[place] = false;
            let smaller = self.greatest(smaller);
            if self.is_marked(&smaller) {
                trap = smaller;
            }
        }
        Some(self.net.place_ids().filter(|place| trap[place.index()]).collect())
    }

    fn is_marked(&self, places: &[bool]) -> bool {
        self.net.places.iter().zip(places).any(|(place, &is_in)| is_in && place.initial > 0)
    }

    /// The greatest trap within a set of places.
    fn greatest(&self, mut within: Vec<bool>) -> Vec<bool> {
        let n_outputs = |(number, t): (usize, &crate::net::Transition)| match self.is_dead[number] {
            true => 0,
            false => t.outputs.iter().filter(|(p, _)| within[p.index()]).count(),
        };
        let mut outputs: Vec<usize> =
            self.net.transitions.iter().enumerate().map(n_outputs).collect();
        let leaks = |place: usize, outputs: &[usize]| {
            self.takers[place].iter().any(|&t| outputs[t as usize] == 0)
        };
        let mut out: Vec<usize> =
            (0..within.len()).filter(|&place| within[place] && leaks(place, &outputs)).collect();
        out.iter().for_each(|&place| within[place] = false);
        while let Some(place) = out.pop() {
            for &transition in &self.givers[place] {
                let left = &mut outputs[transition as usize];
                *left -= 1;
                if *left > 0 {
                    continue;
                }
                for &(input, _) in &self.net.transitions[transition as usize].inputs {
                    if std::mem::replace(&mut within[input.index()], false) {
                        out.push(input.index());
                    }
                }
            }
        }
        within
    }
}
