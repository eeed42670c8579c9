//! What a worker looks at while it waits for others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sweepline::{Interrupt, StopReason};

use crate::socket::Losses;

/// How long a worker that was asked to stop waits for the others.
const PATIENCE: Duration = Duration::from_millis(450);

/// Ends the wait for a process that was lost, or at an interrupt.
#[derive(Clone)]
pub(crate) struct Vigil {
    pub(crate) losses: Losses,
    pub(crate) interrupt: Interrupt,
    pub(crate) deadline: Option<Instant>,
    /// What to do about a lost process.
    pub(crate) advice: String,
    /// Workers of this process that have not finished.
    pub(crate) working: Arc<AtomicUsize>,
    asked: Option<Instant>,
}

impl Vigil {
    pub(crate) fn new(
        losses: Losses,
        interrupt: Interrupt,
        deadline: Option<Instant>,
        advice: String,
        workers: usize,
    ) -> Self {
        let working = Arc::new(AtomicUsize::new(workers));
        Vigil { losses, interrupt, deadline, advice, working, asked: None }
    }

    /// An error if it makes no sense to wait any longer.
    pub(crate) fn check(&mut self) -> Result<(), StopReason> {
        if let Some(process) = self.losses.first() {
            return Err(StopReason::Lost(format!("{process} was lost: {}", self.advice)));
        }
        let now = Instant::now();
        let is_over = self.deadline.is_some_and(|deadline| now >= deadline);
        let Some(reason) = self.interrupt.reason().or(is_over.then_some(StopReason::Time)) else {
            self.asked = None;
            return Ok(());
        };
        // The others learn of it in the next exchange, if they are quick.
        match self.asked {
            Some(asked) if now - asked >= PATIENCE => Err(reason),
            Some(_) => Ok(()),
            None => {
                self.asked = Some(now);
                Ok(())
            }
        }
    }

    /// This worker has finished. After the last one of the process, others may close their connections.
    pub(crate) fn dismiss(&self) {
        if self.working.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.losses.expect_ends();
        }
    }
}
