//! Labelled transition systems for sweepline: `.aut` files, processes in CSPm, and their composition.
//!
//! An [`Lts`] has states and labelled edges. A [`Composition`] runs several of them in parallel and can be
//! explored: it implements [`sweepline::Model`].
//!
//! ```
//! use sweepline::Check;
//! use sweepline_lts::{Composition, LtsBuilder, StateNo, Sync, Tree};
//!
//! let clock = |name: &str, other: &str| {
//!     let mut lts = LtsBuilder::new(name);
//!     let (tick_tock, both) = (lts.label(name), lts.label(other));
//!     lts.edge(StateNo(0), tick_tock, StateNo(1));
//!     lts.edge(StateNo(1), both, StateNo(0));
//!     lts.build(2, StateNo(0)).map(Tree::Component)
//! };
//! let meet = Sync::Interface(["strike".to_owned()].into());
//! let tree = Tree::Parallel(vec![clock("left", "strike")?, clock("right", "strike")?], meet);
//! let report = Check::new(&Composition::new(tree)?).deadlock().run();
//! report.assert_holds();
//! assert_eq!(report.statistics.states(), Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod compress;
mod dependence;
mod divergence;
mod features;
mod grading;
mod lts;
mod measure;

mod problem;
mod suggest;
mod symmetry;

pub mod aut;
pub mod composition;
pub mod csp;
pub mod refine;

pub use aut::{read_aut, read_aut_from, write_aut};
pub use composition::{
    Composition, CompositionError, EventSet, Joint, Part, Rule, RuleId, Sync, Tree,
};
pub use compress::{Compression, compress};
pub use grading::Grading;
pub use lts::{Edge, LabelId, Lts, LtsBuilder, LtsError, StateNo};
pub use measure::{Term, Weighted};
pub use problem::Problem;
pub use refine::{OfProcess, Refinement, RefinementState, Refusal, Semantics, Specification};
pub use symmetry::Symmetry;

/// All errors of one input file.
pub type LoadErrors = sweepline_source::Diagnostics<Problem>;
