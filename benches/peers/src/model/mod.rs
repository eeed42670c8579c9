//! The compared systems as stateright models, and the child process that explores one.
//!
//! States are small plain values (bit masks, bytes), which is fastest in stateright.

mod kanban;
mod philosophers;
mod stop_and_wait;
mod two_phase_commit;

use std::fmt::Debug;
use std::hash::Hash;

use stateright::{Checker, Model, Property};

use crate::answer::Answer;
use crate::system::{Instance, System};

/// Explores a system breadth first.
pub fn explore(instance: Instance, threads: usize) -> Answer {
    let n = instance.size;
    match instance.system {
        System::Tpc => count(two_phase_commit::TwoPhaseCommit { managers: n as u16 }, threads),
        System::Phil => count(philosophers::Philosophers { seats: n as u16 }, threads),
        System::Kanban => count(kanban::Kanban { kanbans: n as u8 }, threads),
        System::Saw => count(stop_and_wait::StopAndWait { packets: n as u32 }, threads),
    }
}

fn count<M>(model: M, threads: usize) -> Answer
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync,
    M::Action: Clone + PartialEq,
{
    let initial = model.init_states().len();
    let checker = model.checker().threads(threads).spawn_bfs().join();
    Answer {
        states: Some(checker.unique_state_count() as u64),
        // Stateright counts the initial states as generated.
        edges: Some((checker.state_count() - initial) as u64),
        dead: None,
    }
}

/// A property that always holds: without properties, stateright stops at the first state.
fn explore_everything<M: Model>() -> Vec<Property<M>> {
    vec![Property::always("explore everything", |_, _| true)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sizes_have_the_known_counts() {
        for text in ["tpc=3", "tpc=5", "phil=5", "kanban=2", "saw=20"] {
            let instance: Instance = text.parse().unwrap();
            for threads in [1, 2] {
                let answer = explore(instance, threads);
                assert_eq!(instance.known().conflict(&answer), None, "{text}");
            }
        }
    }
}
