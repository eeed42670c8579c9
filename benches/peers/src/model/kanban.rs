//! Ciardo's Kanban net, one counter per place.

use stateright::{Model, Property};

/// Four cells with `kanbans` kanbans each.
pub struct Kanban {
    pub kanbans: u8,
}

/// For cell `i`: parts on the machine, sent back, done, and free kanbans, from index `4 * i` on.
type Marking = [u8; 16];

const MACHINE: usize = 0;
const BACK: usize = 1;
const DONE: usize = 2;
const FREE: usize = 3;

const fn place(cell: usize, kind: usize) -> usize {
    4 * cell + kind
}

struct Transition {
    takes: &'static [usize],
    gives: &'static [usize],
}

const TRANSITIONS: [Transition; 16] = [
    one(&[place(0, MACHINE)], &[place(0, BACK)]),
    one(&[place(0, MACHINE)], &[place(0, DONE)]),
    one(&[place(0, BACK)], &[place(0, MACHINE)]),
    one(&[place(1, MACHINE)], &[place(1, BACK)]),
    one(&[place(1, MACHINE)], &[place(1, DONE)]),
    one(&[place(1, BACK)], &[place(1, MACHINE)]),
    one(&[place(2, MACHINE)], &[place(2, BACK)]),
    one(&[place(2, MACHINE)], &[place(2, DONE)]),
    one(&[place(2, BACK)], &[place(2, MACHINE)]),
    one(&[place(3, MACHINE)], &[place(3, BACK)]),
    one(&[place(3, MACHINE)], &[place(3, DONE)]),
    one(&[place(3, BACK)], &[place(3, MACHINE)]),
    one(&[place(0, FREE)], &[place(0, MACHINE)]),
    one(
        &[place(0, DONE), place(1, FREE), place(2, FREE)],
        &[place(1, MACHINE), place(2, MACHINE), place(0, FREE)],
    ),
    one(
        &[place(1, DONE), place(2, DONE), place(3, FREE)],
        &[place(3, MACHINE), place(1, FREE), place(2, FREE)],
    ),
    one(&[place(3, DONE)], &[place(3, FREE)]),
];

const fn one(takes: &'static [usize], gives: &'static [usize]) -> Transition {
    Transition { takes, gives }
}

impl Model for Kanban {
    type State = Marking;
    type Action = u8;

    fn init_states(&self) -> Vec<Marking> {
        let mut marking = [0; 16];
        for cell in 0..4 {
            marking[place(cell, FREE)] = self.kanbans;
        }
        vec![marking]
    }

    fn actions(&self, marking: &Marking, actions: &mut Vec<u8>) {
        for (index, transition) in TRANSITIONS.iter().enumerate() {
            if transition.takes.iter().all(|&place| marking[place] > 0) {
                actions.push(index as u8);
            }
        }
    }

    fn next_state(&self, last: &Marking, index: u8) -> Option<Marking> {
        let mut marking = *last;
        let transition = &TRANSITIONS[usize::from(index)];
        for &place in transition.takes {
            marking[place] -= 1;
        }
        for &place in transition.gives {
            marking[place] += 1;
        }
        Some(marking)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        super::explore_everything()
    }
}
