//! Lamport's TwoPhase; steps that change nothing are left out.

use stateright::{Model, Property};

/// The system: one transaction manager and `managers` resource managers (at most 16).
pub struct TwoPhaseCommit {
    pub managers: u16,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum Decision {
    Pending,
    Commit,
    Abort,
}

/// Sets of resource managers are bit masks; one in none of the first three is working.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub struct State {
    prepared: u16,
    committed: u16,
    aborted: u16,
    sent: u16,
    heard: u16,
    decision: Decision,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Decide(Decision),
    Hear(u16),
    Prepare(u16),
    Commit(u16),
    Abort(u16),
    /// Abort without waiting for a decision.
    ChooseAbort(u16),
}

impl State {
    fn manager_actions(&self, me: u16, actions: &mut Vec<Action>) {
        let prepared = self.prepared & me != 0;
        let working = (self.prepared | self.committed | self.aborted) & me == 0;
        if self.decision == Decision::Pending && self.sent & !self.heard & me != 0 {
            actions.push(Action::Hear(me));
        }
        if working {
            actions.push(Action::Prepare(me));
            actions.push(Action::ChooseAbort(me));
        }
        if self.decision == Decision::Commit && prepared {
            actions.push(Action::Commit(me));
        }
        if self.decision == Decision::Abort && (working || prepared) {
            actions.push(Action::Abort(me));
        }
    }
}

impl Model for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let decision = Decision::Pending;
        vec![State { prepared: 0, committed: 0, aborted: 0, sent: 0, heard: 0, decision }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.decision == Decision::Pending {
            if state.heard.count_ones() == u32::from(self.managers) {
                actions.push(Action::Decide(Decision::Commit));
            }
            actions.push(Action::Decide(Decision::Abort));
        }
        for i in 0..self.managers {
            state.manager_actions(1 << i, actions);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = *last;
        match action {
            Action::Decide(decision) => state.decision = decision,
            Action::Hear(me) => state.heard |= me,
            Action::Prepare(me) => {
                state.prepared |= me;
                state.sent |= me;
            }
            Action::Commit(me) => {
                state.prepared &= !me;
                state.committed |= me;
            }
            Action::Abort(me) | Action::ChooseAbort(me) => {
                state.prepared &= !me;
                state.aborted |= me;
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        super::explore_everything()
    }
}
