//! Which tokens actions use.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sweepline_ml::Inscription;

use crate::explore::bindings::{Binding, Tokens};
use crate::explore::instance::Instance;
use crate::explore::marking::Marking;
use crate::explore::model::CpnModel;

/// How an action uses *cells*. A cell is a colour on a place with a small colour set, or a place with any other one.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// It reads the tokens there.
    pub(super) looks: BTreeSet<usize>,
    /// It removes tokens, and does not put the same back.
    pub(super) takes: BTreeSet<usize>,
    /// It adds tokens other than those it removed.
    pub(super) puts: BTreeSet<usize>,
    /// Cells of places with inhibitor arcs.
    pub(super) inhibits: BTreeSet<usize>,
    /// Cells of places with reset arcs.
    pub(super) resets: BTreeSet<usize>,
    /// Places from which every binding removes a token.
    pub(super) surely: Vec<usize>,
    /// The tokens it removes, with their cells, if it is one binding: more tokens never change what that does.
    pub(super) exactly: Option<Vec<(usize, Tokens)>>,
}

/// The cells of each place.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// The first cell of each place, and the number of all cells.
    starts: Vec<usize>,
    /// For each cell its place, and the colour if the place has several cells.
    of: Vec<(usize, Option<u8>)>,
}

impl Cells {
    /// A cell for each colour if bindings are distinguished, otherwise for each place.
    pub(super) fn new(model: &CpnModel, are_colours: bool) -> Self {
        let (mut starts, mut of) = (Vec::new(), Vec::new());
        for (number, place) in model.places.iter().enumerate() {
            starts.push(of.len());
            match &place.ranks {
                Some(ranks) if are_colours => {
                    of.extend((0..ranks.len()).map(|rank| (number, Some(rank as u8))));
                }
                _ => of.push((number, None)),
            }
        }
        starts.push(of.len());
        Cells { starts, of }
    }

    pub(super) fn len(&self) -> usize {
        self.of.len()
    }

    pub(super) fn of_place(&self, place: usize) -> Range<usize> {
        self.starts[place]..self.starts[place + 1]
    }

    pub(super) fn of_token(&self, (place, colour, _): &Tokens) -> usize {
        let cells = self.of_place(*place);
        if self.of[cells.start].1.is_some() {
            cells.start + usize::from(colour[0])
        } else {
            cells.start
        }
    }

    /// Whether a cell has no token.
    pub(super) fn is_empty(&self, model: &CpnModel, marking: &Marking, cell: usize) -> bool {
        match self.of[cell] {
            (place, None) => marking.segment(place).is_empty(),
            (place, Some(rank)) => count(model, marking, place, &[rank]) == 0,
        }
    }
}

/// The tokens of one colour on a place.
pub(super) fn count(model: &CpnModel, marking: &Marking, place: usize, colour: &[u8]) -> u64 {
    let mut found = 0;
    marking.each_available(place, model.places[place].kind, 0, |own, n| {
        if own == colour {
            found += n;
        }
    });
    found
}

impl Uses {
    /// A transition with all its bindings.
    pub(super) fn of_transition(
        model: &CpnModel,
        cells: &Cells,
        instance: Instance<'_>,
        surely: &[usize],
    ) -> Self {
        let sources = model.net.environment.sources();
        // A token that is removed and put back: both arcs have the same inscription.
        let texts = |arcs: &mut dyn Iterator<Item = (usize, &Inscription)>, place: usize| {
            let here = arcs.filter(|(at, _)| *at == place);
            let mut texts: Vec<String> =
                here.map(|(_, arc)| sources.text(arc.expr.span).trim().to_owned()).collect();
            texts.sort_unstable();
            texts
        };
        let returned = |place: usize| {
            texts(&mut instance.inputs(), place) == texts(&mut instance.outputs(), place)
        };
        let looks: BTreeSet<usize> = instance.inputs().map(|(place, _)| place).collect();
        let puts = instance.outputs().map(|(place, _)| place);
        let all = |places: &mut dyn Iterator<Item = usize>| {
            places.flat_map(|place| cells.of_place(place)).collect()
        };
        let slots = |slots| all(&mut instance.places(slots).into_iter());
        Uses {
            takes: all(&mut looks.iter().copied().filter(|&place| !returned(place))),
            puts: all(&mut puts.filter(|&place| !returned(place))),
            inhibits: slots(&instance.behaviour.inhibitors),
            resets: slots(&instance.behaviour.resets),
            surely: surely.to_vec(),
            looks: all(&mut looks.iter().copied()),
            exactly: None,
        }
    }

    /// One binding of the transition that uses `whole`.
    pub(super) fn of_binding(cells: &Cells, whole: &Uses, binding: &Binding) -> Self {
        let mut change: BTreeMap<(usize, &[u8]), (usize, i128)> = BTreeMap::new();
        for (all, sign) in [(&binding.minus, -1), (&binding.plus, 1)] {
            for token in all {
                let (place, colour, n) = token;
                let own = change.entry((*place, colour)).or_insert((cells.of_token(token), 0));
                own.1 += sign * i128::from(*n);
            }
        }
        let changed = |is_wanted: &dyn Fn(i128) -> bool| {
            let wanted = change.values().filter(|(_, by)| is_wanted(*by));
            wanted.map(|(cell, _)| *cell).collect()
        };
        let tokens = |token: &Tokens| (cells.of_token(token), token.clone());
        Uses {
            looks: binding.minus.iter().map(|token| cells.of_token(token)).collect(),
            takes: changed(&|by| by < 0),
            puts: changed(&|by| by > 0),
            inhibits: whole.inhibits.clone(),
            resets: whole.resets.clone(),
            surely: Vec::new(),
            exactly: Some(binding.minus.iter().map(tokens).collect()),
        }
    }

    /// All cells that it uses.
    pub(super) fn cells(&self) -> BTreeSet<usize> {
        let sets = [&self.looks, &self.takes, &self.puts, &self.inhibits, &self.resets];
        sets.into_iter().flatten().copied().collect()
    }

    /// Whether it may change the tokens of the cell.
    pub(super) fn changes(&self, cell: usize) -> bool {
        [&self.takes, &self.puts, &self.resets].iter().any(|cells| cells.contains(&cell))
    }

    /// Whether its enabling or effect depends on the cell.
    pub(super) fn sees(&self, cell: usize) -> bool {
        [&self.looks, &self.inhibits, &self.resets].iter().any(|cells| cells.contains(&cell))
    }

    /// Whether tokens added to the cell may change what it does. They give a transition further bindings; one binding
    /// stays as it is.
    pub(super) fn sees_more(&self, cell: usize) -> bool {
        (self.exactly.is_none() && self.looks.contains(&cell))
            || self.inhibits.contains(&cell)
            || self.resets.contains(&cell)
    }

    /// Whether it changes a cell that the other one depends on.
    pub(super) fn disturbs(&self, other: &Uses) -> bool {
        self.takes.iter().chain(&self.resets).any(|&cell| other.sees(cell))
            || self.puts.iter().any(|&cell| other.sees_more(cell))
            // Tokens added before a reset are lost.
            || self.resets.iter().any(|&cell| other.changes(cell))
    }

    /// Whether the other one may be disabled or have another effect after it.
    pub(super) fn hinders(&self, other: &Uses) -> bool {
        self.takes.iter().any(|&cell| other.sees(cell))
            || self
                .puts
                .iter()
                .any(|cell| other.inhibits.contains(cell) || other.resets.contains(cell))
            || self.resets.iter().any(|&cell| other.sees(cell) || other.changes(cell))
    }
}
