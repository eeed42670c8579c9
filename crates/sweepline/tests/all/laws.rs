//! A model that breaks a law gets no verdict, but a message that names the law.

use std::sync::atomic::{AtomicU32, Ordering};

use sweepline::{Check, Computed, Model, Sink, StopReason, Verdict};

/// Counts to ten, in steps that get shorter with each call.
#[derive(Default)]
struct Forgetful {
    asked: AtomicU32,
}

impl Model for Forgetful {
    type State = u32;
    type Action = &'static str;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&u32)) {
        push(&0);
    }

    fn successors(&self, (): &mut (), state: &u32, sink: &mut impl Sink<Self>) -> Computed {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let step = if asked > 4 { 1 } else { 3 };
        if *state < 10 {
            sink.push("step", &(state + step));
        }
        Ok(())
    }

    fn encode(&self, state: &u32, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&state.to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> u32 {
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }
}

#[test]
fn a_nondeterministic_model_gets_no_verdict() {
    let report = Check::new(&Forgetful::default())
        .never("nine", |&s| s == 9)
        .never("a hundred", |&s| s == 100)
        .run();
    assert!(!report.holds() && !report.is_violated());
    for property in &report.properties {
        let Verdict::Unknown(StopReason::Model(why)) = &property.verdict else {
            panic!("`{}` is {}", property.name, property.verdict.word());
        };
        assert!(why.contains("replaying the path gave another state"), "{why}");
    }
}
