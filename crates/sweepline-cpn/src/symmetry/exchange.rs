//! Permutes colours in markings: a marking is a set of tokens that contain atoms.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::FixedState;
use sweepline_ml::{Codec, Compiler, Limits, Machine, Refusal};

use super::canonical::{Canon, Item};
use crate::explore::marking::{Bag, Marking, Stamp};
use crate::explore::place::Place;
use crate::net::Net;

/// A token without its atoms: its place, the bytes between them, the number of such tokens, the time stamp.
type Shape = (u32, Vec<Vec<u8>>, u64, Stamp);

/// Permutes the colours of some colour sets in markings.
pub(super) struct Exchange {
    /// Its code has the layouts of the tokens.
    machine: Machine,
    /// The types whose values are permuted.
    types: Vec<Codec>,
    /// The colours, those of each set adjacent.
    atoms: Vec<Box<[u8]>>,
    sets: Vec<Range<u32>>,
    numbers: Vec<HashMap<Box<[u8]>, u32, FixedState>>,
    /// The places whose colours contain such values, in order.
    places: Vec<(usize, Codec)>,
}

impl Exchange {
    /// `sets` are types with all their encoded values.
    pub(super) fn new(
        net: &Net,
        sets: Vec<(sweepline_ml::TypeId, Vec<Box<[u8]>>)>,
        limits: &Limits,
    ) -> Result<Self, Refusal> {
        let environment = &net.environment;
        let mut compiler = Compiler::new(environment.program());
        let mut types = Vec::new();
        for (ty, _) in &sets {
            types.push(compiler.codec(*ty)?);
        }
        let mut places = Vec::new();
        for (number, place) in net.places.iter().enumerate() {
            let ty = environment.colour_set(place.colour_set).ty;
            let wanted = |part| sets.iter().any(|(set, _)| *set == part);
            if super::has_part(environment.program(), ty, &wanted) {
                places.push((number, compiler.codec(ty)?));
            }
        }
        let machine = Machine::new(Arc::new(compiler.finish()?), limits.clone());
        let machine = machine.map_err(|_| Refusal {
            message: "the declarations raise an exception",
            help: "correct them",
            span: None,
        })?;
        let (mut atoms, mut ranges, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for (_, values) in sets {
            let start = atoms.len() as u32;
            numbers.push(values.iter().cloned().zip(start..).collect());
            atoms.extend(values);
            ranges.push(start..atoms.len() as u32);
        }
        Ok(Exchange { machine, types, atoms, sets: ranges, numbers, places })
    }

    /// The representative of a marking, and whether it is the only one of its class. `None` if the marking has
    /// colours that are not in the sets.
    pub(super) fn represent(&self, places: &[Place], marking: &Marking) -> Option<(Marking, bool)> {
        let mut indexed = marking.clone();
        indexed.index()?;
        let items = self.items(places, &indexed)?;
        let mut written = Marking::default();
        let canon = Canon::new(&items, self.atoms.len());
        let (numbers, exact) = canon.find(&self.sets, &mut |numbers| {
            self.write(places, &indexed, &items, numbers, &mut written);
            written.bytes().to_vec()
        });
        self.write(places, &indexed, &items, &numbers, &mut written);
        Some((written, exact))
    }

    /// A marking with each atom replaced by the atom with its new number.
    #[cfg(test)]
    pub(super) fn permute(&self, places: &[Place], marking: &Marking, numbers: &[u32]) -> Marking {
        let mut indexed = marking.clone();
        indexed.index().expect("a marking");
        let items = self.items(places, &indexed).expect("colours of the sets");
        let mut written = Marking::default();
        self.write(places, &indexed, &items, numbers, &mut written);
        written
    }

    /// The sets, as ranges of atoms.
    #[cfg(test)]
    pub(super) fn sets(&self) -> &[Range<u32>] {
        &self.sets
    }

    /// The tokens that contain atoms, and the other tokens.
    fn items(&self, places: &[Place], marking: &Marking) -> Option<Vec<Item<Shape>>> {
        let (mut items, mut known) = (Vec::new(), true);
        for &(number, codec) in &self.places {
            places[number].form().each_token(marking, number, |colour, count, stamp| {
                let (mut between, mut atoms, mut end) = (Vec::new(), Vec::new(), 0);
                let mut found = |set: usize, at: Range<usize>| {
                    between.push(colour[end..at.start].to_vec());
                    end = at.end;
                    match self.numbers[set].get(&colour[at]) {
                        Some(&atom) => atoms.push(atom),
                        None => known = false,
                    }
                };
                let read = codec.find(&self.machine, &self.types, colour, &mut found);
                between.push(colour[end..].to_vec());
                known &= read.is_ok();
                items.push(Item { kind: (number as u32, between, count, stamp), atoms });
            });
        }
        known.then_some(items)
    }

    /// Writes a marking with its atoms replaced.
    fn write(
        &self,
        places: &[Place],
        marking: &Marking,
        items: &[Item<Shape>],
        numbers: &[u32],
        out: &mut Marking,
    ) {
        let changed: Vec<usize> = self.places.iter().map(|(number, _)| *number).collect();
        let time = places.iter().any(Place::is_timed).then_some(marking.time);
        let (mut plus, none, mut colour) = (Bag::default(), Bag::default(), Vec::new());
        let done = out.replace(marking, time, &changed, |which, _, bytes| {
            let (number, place) = (changed[which], &places[changed[which]]);
            plus.clear();
            for Item { kind: (_, between, count, stamp), atoms } in
                items.iter().filter(|item| item.kind.0 as usize == number)
            {
                colour.clear();
                colour.extend_from_slice(&between[0]);
                for (atom, rest) in atoms.iter().zip(&between[1..]) {
                    colour.extend_from_slice(&self.atoms[numbers[*atom as usize] as usize]);
                    colour.extend_from_slice(rest);
                }
                match place.ranks.as_ref().map(|ranks| ranks.rank(&colour)) {
                    None => plus.add(*count, *stamp, &colour),
                    Some(Some(rank)) => plus.add(*count, *stamp, &[rank]),
                    Some(None) => return false,
                }
            }
            plus.sort(place.kind);
            place.kind.exchange(&[], &none, &plus, bytes)
        });
        if !done {
            out.clone_from(marking);
        }
    }
}
