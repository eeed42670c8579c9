//! Dining philosophers who take either fork first.

use stateright::{Model, Property};

/// The table: `seats` philosophers (at most 16) and as many forks.
pub struct Philosophers {
    pub seats: u16,
}

/// Bit masks of philosophers and of forks; a philosopher in no mask thinks.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub struct State {
    holds_left: u16,
    holds_right: u16,
    eats: u16,
    taken: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    TakeLeft(u16),
    TakeRight(u16),
    ThenRight(u16),
    ThenLeft(u16),
    Finish(u16),
}

impl Philosophers {
    fn right_fork(&self, i: u16) -> u16 {
        1 << ((i + 1) % self.seats)
    }

    fn philosopher_actions(&self, state: &State, i: u16, actions: &mut Vec<Action>) {
        let me = 1 << i;
        let left_free = state.taken & me == 0;
        let right_free = state.taken & self.right_fork(i) == 0;
        if (state.holds_left | state.holds_right | state.eats) & me == 0 {
            if left_free {
                actions.push(Action::TakeLeft(i));
            }
            if right_free {
                actions.push(Action::TakeRight(i));
            }
        } else if state.holds_left & me != 0 && right_free {
            actions.push(Action::ThenRight(i));
        } else if state.holds_right & me != 0 && left_free {
            actions.push(Action::ThenLeft(i));
        } else if state.eats & me != 0 {
            actions.push(Action::Finish(i));
        }
    }
}

impl Model for Philosophers {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { holds_left: 0, holds_right: 0, eats: 0, taken: 0 }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for i in 0..self.seats {
            self.philosopher_actions(state, i, actions);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = *last;
        match action {
            Action::TakeLeft(i) => {
                state.taken |= 1 << i;
                state.holds_left |= 1 << i;
            }
            Action::TakeRight(i) => {
                state.taken |= self.right_fork(i);
                state.holds_right |= 1 << i;
            }
            Action::ThenRight(i) => {
                state.taken |= self.right_fork(i);
                state.holds_left &= !(1 << i);
                state.eats |= 1 << i;
            }
            Action::ThenLeft(i) => {
                state.taken |= 1 << i;
                state.holds_right &= !(1 << i);
                state.eats |= 1 << i;
            }
            Action::Finish(i) => {
                state.taken &= !(1 << i | self.right_fork(i));
                state.eats &= !(1 << i);
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        super::explore_everything()
    }
}
