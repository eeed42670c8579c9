//! Explorations by several threads and several machines, on timely dataflow.
//!
//! [`Workers`] is a [`Cluster`](sweepline::check::Cluster): give it to a [`Check`](sweepline::Check), and all of
//! its workers explore. Each state belongs to one worker, by its hash. A worker has the window, the layers and
//! the expansion of the library (`sweepline::part`); states that belong to another worker travel in parcels
//! through a dataflow, whose frontier tells that a step is complete. Then all workers tell each other how far
//! they are, and each of them decides the same next step (`course`).
//!
//! ```
//! use sweepline::{Check, System, progress};
//! use sweepline_timely::Workers;
//!
//! struct Count;
//!
//! impl System for Count {
//!     type State = (u32, u32);
//!     type Action = ();
//!     fn initial(&self) -> Vec<(u32, u32)> {
//!         vec![(0, 0)]
//!     }
//!     fn successors(&self, &(a, b): &(u32, u32), push: &mut dyn FnMut((), (u32, u32))) {
//!         if a < 99 {
//!             push((), (a + 1, b));
//!         }
//!         if b < 99 {
//!             push((), (a, b + 1));
//!         }
//!     }
//! }
//!
//! let workers = Workers::local(2);
//! let report = Check::new(&Count)
//!     .progress(progress::by(|&(a, b): &(u32, u32)| a + b))
//!     .never("both at 100", |&(a, b)| a == 100 && b == 100)
//!     .cluster(&workers)
//!     .run();
//! report.assert_holds();
//! assert_eq!(report.statistics.states(), Some(10_000));
//! assert_eq!(report.workers.len(), 2);
//! ```
#![forbid(unsafe_code)]

mod control;
mod course;
mod flow;
mod handshake;
mod hosts;
mod paths;
mod saving;
mod socket;
mod terms;
mod vigil;
mod wire;
mod worker;
mod workers;

pub use control::Control;
pub use handshake::Secret;
pub use hosts::{Gathering, Hosts, JoinError, Joined, join};
pub use saving::{Folder, remove};
pub use terms::Terms;
pub use workers::Workers;
