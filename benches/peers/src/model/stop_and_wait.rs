//! Stop-and-wait over four one-place buffers, lossy in both directions.

use stateright::{Model, Property};

/// The transfer of `packets` packets.
pub struct StopAndWait {
    pub packets: u32,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub struct State {
    /// The packet the sender sends next, and the one the receiver expects next.
    sending: u32,
    expecting: u32,
    transmit_data: Option<u32>,
    receive_data: Option<u32>,
    transmit_ack: Option<u32>,
    receive_ack: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Send,
    PassData,
    LoseData,
    ReceiveData,
    PassAck,
    LoseAck,
    ReceiveAck,
}

impl Model for StopAndWait {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            sending: 0,
            expecting: 0,
            transmit_data: None,
            receive_data: None,
            transmit_ack: None,
            receive_ack: None,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.sending < self.packets && state.transmit_data.is_none() {
            actions.push(Action::Send);
        }
        if state.transmit_data.is_some() {
            if state.receive_data.is_none() {
                actions.push(Action::PassData);
            }
            actions.push(Action::LoseData);
        }
        if state.receive_data.is_some() && state.transmit_ack.is_none() {
            actions.push(Action::ReceiveData);
        }
        if state.transmit_ack.is_some() {
            if state.receive_ack.is_none() {
                actions.push(Action::PassAck);
            }
            actions.push(Action::LoseAck);
        }
        if state.receive_ack.is_some() {
            actions.push(Action::ReceiveAck);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = *last;
        match action {
            Action::Send => state.transmit_data = Some(state.sending),
            Action::PassData => state.receive_data = state.transmit_data.take(),
            Action::LoseData => state.transmit_data = None,
            Action::ReceiveData => {
                if state.receive_data.take()? == state.expecting {
                    state.expecting += 1;
                }
                state.transmit_ack = Some(state.expecting);
            }
            Action::PassAck => state.receive_ack = state.transmit_ack.take(),
            Action::LoseAck => state.transmit_ack = None,
            Action::ReceiveAck => state.sending = state.receive_ack.take()?,
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        super::explore_everything()
    }
}
